use std::time::Duration;

use super::phrase::{duration, grouped, names, nodes, pods};
use super::{Language, Words};
use crate::api::{IntOrString, Text};
use crate::diagnose::{BudgetUse, Diagnosis, Effect, Inaction, LimitField, Places, Problem, RolloutState, User};

impl Words for Diagnosis {
    /// The state in one sentence, and what it rests on.
    fn words(&self, language: Language) -> String {
        let obstacle = self.findings.iter().find(|finding| finding.effect == Effect::Blocks);
        let obstacle = obstacle.map(|finding| finding.problem.title(language));
        let (done, desired) = (grouped(self.done), nodes(self.desired, language));
        match (self.state, language) {
            (RolloutState::Blocked, Language::English) => format!("blocked: {}", obstacle.unwrap_or_default()),
            (RolloutState::Blocked, Language::Chinese) => format!("受阻：{}", obstacle.unwrap_or_default()),
            (RolloutState::Progressing { next_seconds }, Language::English) => {
                let next =
                    next_seconds.map(|next| format!(", next in {}", seconds(next, language))).unwrap_or_default();
                let but = obstacle.map(|obstacle| format!("; but {obstacle}")).unwrap_or_default();
                format!("progressing: {done} of {desired}{next}{but}")
            }
            (RolloutState::Progressing { next_seconds }, Language::Chinese) => {
                let next = next_seconds.map(|next| format!("，{}后继续", seconds(next, language))).unwrap_or_default();
                let but = obstacle.map(|obstacle| format!("；但{obstacle}")).unwrap_or_default();
                format!("进行中：{desired}中已完成 {done} 个{next}{but}")
            }
            (RolloutState::Finished, Language::English) if self.desired == 0 => {
                "finished: no node should run the pod".to_owned()
            }
            (RolloutState::Finished, Language::Chinese) if self.desired == 0 => {
                "已完成：没有节点应运行此 pod".to_owned()
            }
            (RolloutState::Finished, Language::English) => {
                format!("finished: {done} of {desired} run an available pod of the newest template")
            }
            (RolloutState::Finished, Language::Chinese) => {
                format!("已完成：{desired}中 {done} 个运行着最新模板的可用 pod")
            }
            (RolloutState::BeingDeleted, Language::English) => {
                "being deleted: the controller leaves it alone".to_owned()
            }
            (RolloutState::BeingDeleted, Language::Chinese) => "正在删除：控制器不再处理它".to_owned(),
        }
    }
}

impl Problem {
    /// A short clause for a headline.
    pub fn title(&self, language: Language) -> String {
        match language {
            Language::English => self.english_title(),
            Language::Chinese => self.chinese_title(),
        }
    }

    fn english_title(&self) -> String {
        let many = |places: &Places| nodes(places.count, Language::English);
        match self {
            Self::EmptySelector => "the selector is empty".to_owned(),
            Self::TemplateNotSelected => "the selector does not match the template's labels".to_owned(),
            Self::BeingDeleted { .. } => "the DaemonSet is being deleted".to_owned(),
            Self::MalformedLimit { field, .. } => format!("`{}` cannot be read", field.as_str()),
            Self::ControllerNotActing(_) => "no controller acts".to_owned(),
            Self::SpecNotObserved { .. } => "the present spec has not been observed yet".to_owned(),
            Self::CreationRefused { places } => format!("no pod can be created for {}", many(places)),
            Self::NameCollision { .. } => "the name of the new revision is taken".to_owned(),
            Self::UnavailableBudget(budget) => budget_title(LimitField::MaxUnavailable, budget, Language::English),
            Self::SurgeBudget(budget) => budget_title(LimitField::MaxSurge, budget, Language::English),
            Self::LostNodes { places } => format!("old pods are bound to {} that are gone", many(places)),
            Self::WaitingForDeletion { places, .. } => {
                format!("old pods on {} wait to be deleted by hand", many(places))
            }
            Self::NotAvailable { cause, places, .. } => cause.title(places, Language::English),
            Self::CountedByGeneration { places, .. } => {
                format!("pods on {} count as updated and are not", many(places))
            }
            Self::NothingToReplace { .. } => "the template did not change".to_owned(),
            Self::LongMinReady { .. } => "`minReadySeconds` is long".to_owned(),
            Self::PercentRoundsUp { field, .. } => format!("`{}` rounds up", field.as_str()),
            Self::NoEligibleNode { .. } => "no node should run the pod".to_owned(),
            Self::NotEligible { places, .. } => format!("{} no pod", verb(places.count, "gets", "get")),
            Self::Misscheduled { places, .. } => {
                format!("{} a pod that should not be there", verb(places.count, "has", "have"))
            }
            Self::StatusBehind { .. } => "the status is behind".to_owned(),
            Self::Rival { other } => format!("{other} selects the same pods"),
            Self::FormerPods { places } => format!("pods of an earlier DaemonSet are on {}", many(places)),
            Self::ReleasedPods { .. } => "owned pods no longer match the selector".to_owned(),
            Self::UnknownRevision { .. } => "the revision of old pods is not stored".to_owned(),
            Self::NoRevisions => "there are no ControllerRevisions in the input".to_owned(),
        }
    }

    fn chinese_title(&self) -> String {
        let many = |places: &Places| nodes(places.count, Language::Chinese);
        match self {
            Self::EmptySelector => "选择器为空".to_owned(),
            Self::TemplateNotSelected => "选择器与模板的标签不匹配".to_owned(),
            Self::BeingDeleted { .. } => "此 DaemonSet 正在删除".to_owned(),
            Self::MalformedLimit { field, .. } => format!("无法理解 `{}`", field.as_str()),
            Self::ControllerNotActing(_) => "没有控制器在工作".to_owned(),
            Self::SpecNotObserved { .. } => "控制器尚未观察到当前的 spec".to_owned(),
            Self::CreationRefused { places } => format!("无法为 {}创建 pod", many(places)),
            Self::NameCollision { .. } => "新修订版本的名称已被占用".to_owned(),
            Self::UnavailableBudget(budget) => budget_title(LimitField::MaxUnavailable, budget, Language::Chinese),
            Self::SurgeBudget(budget) => budget_title(LimitField::MaxSurge, budget, Language::Chinese),
            Self::LostNodes { places } => format!("旧 pod 绑定在 {}已消失的节点上", many(places)),
            Self::WaitingForDeletion { places, .. } => format!("{}上的旧 pod 等待人工删除", many(places)),
            Self::NotAvailable { cause, places, .. } => cause.title(places, Language::Chinese),
            Self::CountedByGeneration { places, .. } => format!("{}上的 pod 被计为已更新，实际并未更新", many(places)),
            Self::NothingToReplace { .. } => "模板没有变化".to_owned(),
            Self::LongMinReady { .. } => "`minReadySeconds` 很长".to_owned(),
            Self::PercentRoundsUp { field, .. } => format!("`{}` 向上取整", field.as_str()),
            Self::NoEligibleNode { .. } => "没有节点应运行此 pod".to_owned(),
            Self::NotEligible { places, .. } => format!("{}不会得到 pod", many(places)),
            Self::Misscheduled { places, .. } => format!("{}上有不该在那里的 pod", many(places)),
            Self::StatusBehind { .. } => "status 已过时".to_owned(),
            Self::Rival { other } => format!("{other} 选择了同样的 pod"),
            Self::FormerPods { places } => format!("{}上有先前同名 DaemonSet 的 pod", many(places)),
            Self::ReleasedPods { .. } => "所属的 pod 不再匹配选择器".to_owned(),
            Self::UnknownRevision { .. } => "旧 pod 的修订版本没有保存".to_owned(),
            Self::NoRevisions => "输入中没有 ControllerRevision".to_owned(),
        }
    }
}

impl Words for Problem {
    /// The rule, the nodes and the arithmetic.
    fn words(&self, language: Language) -> String {
        match language {
            Language::English => self.english(),
            Language::Chinese => self.chinese(),
        }
    }
}

impl Problem {
    fn english(&self) -> String {
        let english = Language::English;
        let at = |places: &Places| place_names(places, english);
        match self {
            Self::EmptySelector => {
                "an empty selector would select every pod, so that the controller ignores the DaemonSet".to_owned()
            }
            Self::TemplateNotSelected => "the pods made from the template would not be the DaemonSet's own: it gives \
                                          them up and makes more; the API server refuses such an object"
                .to_owned(),
            Self::BeingDeleted { finalizers, pods: left, seconds: since } => {
                let by = if finalizers.is_empty() {
                    "it should be gone at once".to_owned()
                } else {
                    format!("it stays until these finalizers are gone: {}", finalizers.join(", "))
                };
                format!("deleted {} ago; {by}; {} left", seconds(*since, english), are(*left, "pod is", "pods are"))
            }
            Self::MalformedLimit { field, limit } => {
                format!("`{}: {limit}` is neither a count nor a percentage: no pod is replaced", field.as_str())
            }
            Self::ControllerNotActing(inaction) => inaction.words(english),
            Self::SpecNotObserved { generation, observed } => format!(
                "generation {generation}, observedGeneration {observed}: the numbers of the status are those of the \
                 former spec. A controller takes seconds; only if this stays so does it not run"
            ),
            Self::CreationRefused { places } => format!(
                "the status counts {} ({}) and no pod was made: the API server refuses it (quota, PriorityClass, \
                 ServiceAccount, PodSecurity, a webhook); the event FailedCreate says why",
                nodes(places.count, english),
                at(places)
            ),
            Self::NameCollision { revision } => format!(
                "`{revision}` holds another template; the controller raises collisionCount and takes another name"
            ),
            Self::UnavailableBudget(budget) => english_budget(LimitField::MaxUnavailable, budget),
            Self::SurgeBudget(budget) => english_budget(LimitField::MaxSurge, budget),
            Self::LostNodes { places } => format!(
                "with `maxSurge` no pod is updated while old pods are bound to nodes that are gone ({}); the pod \
                 garbage collector removes them within a minute or two",
                at(places)
            ),
            Self::WaitingForDeletion { places, unknown } => {
                let strategy = unknown.as_ref().map_or("OnDelete", Text::as_str);
                format!(
                    "strategy `{strategy}` replaces nothing by itself: {} with an old pod ({}) wait until someone \
                     deletes it",
                    nodes(places.count, english),
                    at(places)
                )
            }
            Self::NotAvailable { cause, places, replaced } => {
                let replaced = if *replaced { "; the old pod is replaced at once, whatever the budget" } else { "" };
                format!("{}{replaced}", cause.sentence(places, english))
            }
            Self::CountedByGeneration { places, container, found, wanted } => format!(
                "`{container}` runs `{found}` on {} ({}), the template has `{wanted}`; the label \
                 pod-template-generation equals the DaemonSet's, so that the pods count as updated and are not replaced",
                nodes(places.count, english),
                at(places)
            ),
            Self::NothingToReplace { changes } => format!(
                "{changes} {} of the spec left `spec.template` as it was, and only a changed template replaces pods; a \
                 changed ConfigMap or Secret does not",
                if *changes == 1 { "change" } else { "changes" }
            ),
            Self::LongMinReady { min_ready_seconds, patience, at_least } => format!(
                "a pod is available {} after it is ready, and counts as unavailable until then, longer than the {} \
                 that are waited; what is left takes at least {}",
                seconds(*min_ready_seconds, english),
                seconds(*patience, english),
                seconds(*at_least, english)
            ),
            Self::PercentRoundsUp { field, written, desired, limit } => format!(
                "`{}` {}: nodes are whole, so that a percentage never comes to less than one",
                field.as_str(),
                arithmetic(written, *limit, *desired, english)
            ),
            Self::NoEligibleNode { nodes: count } => {
                format!(
                    "none of the {} fits the template: DESIRED is 0, and kubectl calls that rolled out",
                    nodes(*count, english)
                )
            }
            Self::NotEligible { exclusions, places } => {
                format!("{} ({}): {}", nodes(places.count, english), at(places), said(exclusions, english))
            }
            Self::Misscheduled { exclusions, places, stay } => {
                let fate = if *stay {
                    "it stays, does not count in DESIRED, and is not made again once it is gone"
                } else {
                    "the controller deletes it, whatever the budget"
                };
                format!("{} ({}): {}; {fate}", nodes(places.count, english), at(places), said(exclusions, english))
            }
            Self::StatusBehind { desired, desired_now, misscheduled, misscheduled_now } => format!(
                "it says DESIRED {desired} and misscheduled {misscheduled}, counted are {desired_now} and \
                 {misscheduled_now}: a taint alone need not wake the controller, so that this shows nothing by itself"
            ),
            Self::Rival { other } => format!(
                "the selector of {other} matches these pods, too. Each manages only pods that it owns, so that they do \
                 not fight; an orphan goes to whichever comes first, and Services and `kubectl -l` mix them up"
            ),
            Self::FormerPods { places } => format!(
                "{} ({}) belong to a deleted DaemonSet of this name with another UID: they do not count here, and hold \
                 room and host ports until the garbage collector has removed them",
                pods(places.count, english),
                names(&places.pods, places.count, english)
            ),
            Self::ReleasedPods { places } => format!(
                "the labels of {} ({}) were changed: they are given up, run on without an owner, and get a successor \
                 beside them",
                pods(places.count, english),
                names(&places.pods, places.count, english)
            ),
            Self::UnknownRevision { places, hash } => format!(
                "old pods on {} ({}) are of revision `{hash}`, which is not stored: `kubectl rollout undo` cannot go \
                 back to it",
                nodes(places.count, english),
                at(places)
            ),
            Self::NoRevisions => "old and new pods are told apart by pod-template-generation alone; add what `kubectl \
                                  get controllerrevisions -A -o json` prints"
                .to_owned(),
        }
    }

    fn chinese(&self) -> String {
        let chinese = Language::Chinese;
        let at = |places: &Places| place_names(places, chinese);
        match self {
            Self::EmptySelector => "空选择器会选中所有 pod，因此控制器忽略此 DaemonSet".to_owned(),
            Self::TemplateNotSelected => {
                "由模板创建的 pod 不属于此 DaemonSet：它会放弃这些 pod 并不断新建；API server 会拒绝这样的对象"
                    .to_owned()
            }
            Self::BeingDeleted { finalizers, pods: left, seconds: since } => {
                let by = if finalizers.is_empty() {
                    "应立即消失".to_owned()
                } else {
                    format!("在这些 finalizer 移除之前会一直存在：{}", finalizers.join("、"))
                };
                format!("已删除 {}；{by}；还剩 {}", seconds(*since, chinese), pods(*left, chinese))
            }
            Self::MalformedLimit { field, limit } => {
                format!("`{}: {limit}` 既不是数量也不是百分比：不会替换任何 pod", field.as_str())
            }
            Self::ControllerNotActing(inaction) => inaction.words(chinese),
            Self::SpecNotObserved { generation, observed } => format!(
                "generation 为 {generation}，observedGeneration 为 {observed}：status 中的数字属于之前的 spec。\
                 控制器只需数秒；若一直如此，才说明它没有运行"
            ),
            Self::CreationRefused { places } => format!(
                "status 已计入 {}（{}），却没有创建 pod：API server 拒绝创建（配额、PriorityClass、ServiceAccount、\
                 PodSecurity 或 webhook）；事件 FailedCreate 会说明原因",
                nodes(places.count, chinese),
                at(places)
            ),
            Self::NameCollision { revision } => {
                format!("`{revision}` 保存着另一个模板；控制器会增大 collisionCount 并改用其他名称")
            }
            Self::UnavailableBudget(budget) => chinese_budget(LimitField::MaxUnavailable, budget),
            Self::SurgeBudget(budget) => chinese_budget(LimitField::MaxSurge, budget),
            Self::LostNodes { places } => format!(
                "使用 `maxSurge` 时，只要有旧 pod 绑定在已消失的节点上（{}），就不会更新任何 pod；pod 垃圾回收会在一两分钟内\
                 移除它们",
                at(places)
            ),
            Self::WaitingForDeletion { places, unknown } => {
                let strategy = unknown.as_ref().map_or("OnDelete", Text::as_str);
                format!(
                    "策略 `{strategy}` 不会自行替换：{}（{}）上的旧 pod 等待有人删除",
                    nodes(places.count, chinese),
                    at(places)
                )
            }
            Self::NotAvailable { cause, places, replaced } => {
                let replaced = if *replaced { "；旧 pod 会立即被替换，不受预算限制" } else { "" };
                format!("{}{replaced}", cause.sentence(places, chinese))
            }
            Self::CountedByGeneration { places, container, found, wanted } => format!(
                "`{container}` 在 {}（{}）上运行 `{found}`，而模板为 `{wanted}`；标签 pod-template-generation 与此 DaemonSet \
                 相同，因此被计为已更新，不会替换",
                nodes(places.count, chinese),
                at(places)
            ),
            Self::NothingToReplace { changes } => format!(
                "spec 有 {changes} 次修改没有改变 `spec.template`，而只有模板变化才会替换 pod；ConfigMap 或 Secret 的变化不会"
            ),
            Self::LongMinReady { min_ready_seconds, patience, at_least } => format!(
                "pod 就绪 {}后才算可用，在此之前计为不可用，超过愿意等待的 {}；剩余部分至少需要 {}",
                seconds(*min_ready_seconds, chinese),
                seconds(*patience, chinese),
                seconds(*at_least, chinese)
            ),
            Self::PercentRoundsUp { field, written, desired, limit } => format!(
                "`{}` {}：节点数为整数，因此百分比不会少于一个节点",
                field.as_str(),
                arithmetic(written, *limit, *desired, chinese)
            ),
            Self::NoEligibleNode { nodes: count } => {
                format!("{}都不符合模板：DESIRED 为 0，kubectl 视为已完成", nodes(*count, chinese))
            }
            Self::NotEligible { exclusions, places } => {
                format!("{}（{}）：{}", nodes(places.count, chinese), at(places), said(exclusions, chinese))
            }
            Self::Misscheduled { exclusions, places, stay } => {
                let fate = if *stay {
                    "pod 会留下，不计入 DESIRED，消失后也不会重建"
                } else {
                    "控制器会删除它，不受预算限制"
                };
                format!("{}（{}）：{}；{fate}", nodes(places.count, chinese), at(places), said(exclusions, chinese))
            }
            Self::StatusBehind { desired, desired_now, misscheduled, misscheduled_now } => format!(
                "其中 DESIRED 为 {desired}、misscheduled 为 {misscheduled}，实际为 {desired_now} 和 {misscheduled_now}：\
                 单凭污点变化不一定会唤醒控制器，因此这本身说明不了什么"
            ),
            Self::Rival { other } => format!(
                "{other} 的选择器也匹配这些 pod。两者只管理各自拥有的 pod，不会争抢；无主的 pod 归先到者，Service 和 \
                 `kubectl -l` 会把它们混在一起"
            ),
            Self::FormerPods { places } => format!(
                "{}（{}）属于已删除的、UID 不同的同名 DaemonSet：不计入此处，在垃圾回收之前仍占用资源和主机端口",
                pods(places.count, chinese),
                names(&places.pods, places.count, chinese)
            ),
            Self::ReleasedPods { places } => format!(
                "{}（{}）的标签被修改：它们会被放弃，无主地继续运行，旁边会创建新的 pod",
                pods(places.count, chinese),
                names(&places.pods, places.count, chinese)
            ),
            Self::UnknownRevision { places, hash } => format!(
                "{}（{}）上的旧 pod 属于未保存的修订版本 `{hash}`：`kubectl rollout undo` 无法回到该版本",
                nodes(places.count, chinese),
                at(places)
            ),
            Self::NoRevisions => {
                "只能凭 pod-template-generation 区分新旧 pod；请加上 `kubectl get controllerrevisions -A \
                                  -o json` 的输出"
                    .to_owned()
            }
        }
    }
}

impl Words for Inaction {
    fn words(&self, language: Language) -> String {
        match (self, language) {
            (Self::NeverObserved { seconds: age }, Language::English) => format!(
                "created {} ago and never observed (observedGeneration 0): a controller takes seconds",
                seconds(*age, language)
            ),
            (Self::NeverObserved { seconds: age }, Language::Chinese) => {
                format!("创建于 {}前，从未被观察到（observedGeneration 为 0）：控制器只需数秒", seconds(*age, language))
            }
            (Self::RestartIgnored { seconds: age }, Language::English) => format!(
                "`kubectl rollout restart` was {} ago, and no ControllerRevision was made of it: a controller takes seconds",
                seconds(*age, language)
            ),
            (Self::RestartIgnored { seconds: age }, Language::Chinese) => format!(
                "`kubectl rollout restart` 在 {}前执行，却没有产生 ControllerRevision：控制器只需数秒",
                seconds(*age, language)
            ),
            (Self::Undone { creations, deletions, seconds: quiet }, Language::English) => format!(
                "{} to be created and {} to be deleted, and nothing has changed for {}: a controller takes seconds; it \
                 does not run, or is refused",
                are(*creations, "pod is", "pods are"),
                are(*deletions, "is", "are"),
                seconds(*quiet, language)
            ),
            (Self::Undone { creations, deletions, seconds: quiet }, Language::Chinese) => format!(
                "应创建 {creations} 个、删除 {deletions} 个 pod，而 {}内毫无变化：控制器只需数秒；它没有运行，或者被拒绝",
                seconds(*quiet, language)
            ),
        }
    }
}

fn budget_title(field: LimitField, budget: &BudgetUse, language: Language) -> String {
    let BudgetUse { used, limit, .. } = budget;
    let stuck = budget.stuck >= *limit;
    match (stuck, language) {
        (true, Language::English) => {
            format!("`{}` is used up by {} ({used} of {limit})", field.as_str(), user(budget.main_user(), language))
        }
        (true, Language::Chinese) => {
            format!("`{}` 被{}用尽（{used}/{limit}）", field.as_str(), user(budget.main_user(), language))
        }
        (false, Language::English) => format!("`{}` sets the pace ({used} of {limit})", field.as_str()),
        (false, Language::Chinese) => format!("`{}` 决定了速度（{used}/{limit}）", field.as_str()),
    }
}

fn english_budget(field: LimitField, budget: &BudgetUse) -> String {
    let english = Language::English;
    let BudgetUse { written, limit, desired, used, stuck, places, waiting, .. } = budget;
    let what = match field {
        LimitField::MaxUnavailable => "already unavailable",
        LimitField::MaxSurge => "already surging",
    };
    let sum = arithmetic(written, *limit, *desired, english);
    let used_by = format!(
        "{} {what} ({}: {})",
        are(*used, "node is", "nodes are"),
        users(budget, english),
        place_names(places, english)
    );
    let (wait, follow) = (verb(*waiting, "waits", "wait"), verb(*waiting, "follows", "follow"));
    let outcome = if stuck >= limit {
        let untouched = match field {
            LimitField::MaxUnavailable => "no healthy pod is touched",
            LimitField::MaxSurge => "no further pod is surged",
        };
        let used = if *used >= *limit { used } else { stuck };
        format!("{} ≥ {}, so {untouched}: {wait}", grouped(*used), grouped(*limit))
    } else if *stuck > 0 {
        let left = limit.saturating_sub(*stuck);
        format!("{} of the places are taken for good, so that {follow} {left} at a time", grouped(*stuck))
    } else {
        format!("{follow} as these become available")
    };
    format!("`{}` {sum}; {used_by}; {outcome}", field.as_str())
}

fn chinese_budget(field: LimitField, budget: &BudgetUse) -> String {
    let chinese = Language::Chinese;
    let BudgetUse { written, limit, desired, used, stuck, places, waiting, .. } = budget;
    let what = match field {
        LimitField::MaxUnavailable => "已不可用",
        LimitField::MaxSurge => "正在 surge",
    };
    let sum = arithmetic(written, *limit, *desired, chinese);
    let used_by =
        format!("{}{what}（{}：{}）", nodes(*used, chinese), users(budget, chinese), place_names(places, chinese));
    let waiting_nodes = nodes(*waiting, chinese);
    let outcome = if stuck >= limit {
        let untouched = match field {
            LimitField::MaxUnavailable => "不会触碰任何健康的 pod",
            LimitField::MaxSurge => "不会再增加新的 pod",
        };
        let used = if *used >= *limit { used } else { stuck };
        format!("{} ≥ {}，因此{untouched}：{waiting_nodes}在等待", grouped(*used), grouped(*limit))
    } else if *stuck > 0 {
        let left = limit.saturating_sub(*stuck);
        format!("其中 {} 个名额被长期占用，因此其余 {waiting_nodes}每次更新 {left} 个", grouped(*stuck))
    } else {
        format!("其余 {waiting_nodes}将随之依次更新")
    };
    format!("`{}`：{sum}；{used_by}；{outcome}", field.as_str())
}

/// How a limit comes about: `288 nodes × 5 % = 14.4 → 15, rounded up`.
fn arithmetic(written: &IntOrString, limit: u32, desired: u32, language: Language) -> String {
    let percent = match written {
        IntOrString::String(text) => text.strip_suffix('%').and_then(|digits| digits.parse::<u32>().ok()),
        IntOrString::Int(_) => None,
    };
    let (all, limit_text) = (nodes(desired, language), grouped(limit));
    let Some(percent) = percent else {
        let as_written = *written == IntOrString::Int(i32::try_from(limit).unwrap_or(i32::MAX));
        return match (as_written, language) {
            (true, Language::English) => format!("allows {}", nodes(limit, language)),
            (true, Language::Chinese) => format!("允许 {}", nodes(limit, language)),
            (false, Language::English) => format!("is {written}, and one node is allowed all the same"),
            (false, Language::Chinese) => format!("其值为 {written}，但仍允许一个节点"),
        };
    };
    let hundredths = u64::from(percent) * u64::from(desired);
    let exact = format!("{}.{:02}", hundredths / 100, hundredths % 100);
    let exact = exact.trim_end_matches('0').trim_end_matches('.');
    if hundredths.is_multiple_of(100) && hundredths / 100 == u64::from(limit) {
        return format!("{all} × {percent} % = {limit_text}");
    }
    match language {
        Language::English => format!("{all} × {percent} % = {exact} → {limit_text}, rounded up"),
        Language::Chinese => format!("{all} × {percent} % = {exact} → 向上取整为 {limit_text}"),
    }
}

fn users(budget: &BudgetUse, language: Language) -> String {
    let comma = match language {
        Language::English => ", ",
        Language::Chinese => "、",
    };
    let all = budget.users.iter().map(|entry| match (language, entry.count) {
        (Language::English, 1) => format!("1 {}", one_user(entry.user)),
        (Language::English, count) => format!("{} {}", grouped(count), user(entry.user, language)),
        (Language::Chinese, count) => format!("{} 个{}", grouped(count), user(entry.user, language)),
    });
    all.collect::<Vec<_>>().join(comma)
}

fn user(user: User, language: Language) -> &'static str {
    let (english, chinese) = match user {
        User::DeadNode => ("dead nodes", "失效节点"),
        User::StuckTerminating => ("pods stuck terminating", "卡在终止中的 pod"),
        User::BrokenPod => ("pods that do not come up", "无法启动的 pod"),
        User::NoPlace => ("pods that get no place", "无法调度的 pod"),
        User::NoPod => ("nodes without a pod", "没有 pod 的节点"),
        User::OnItsWay => ("on their way", "正在进行"),
    };
    match language {
        Language::English => english,
        Language::Chinese => chinese,
    }
}

fn one_user(user: User) -> &'static str {
    match user {
        User::DeadNode => "dead node",
        User::StuckTerminating => "pod stuck terminating",
        User::BrokenPod => "pod that does not come up",
        User::NoPlace => "pod that gets no place",
        User::NoPod => "node without a pod",
        User::OnItsWay => "on its way",
    }
}

/// `1 node waits`, `3 nodes wait`.
fn verb(count: u32, one: &str, many: &str) -> String {
    format!("{} {}", nodes(count, Language::English), if count == 1 { one } else { many })
}

/// `1 pod is`, `3 pods are`.
fn are(count: u32, one: &str, many: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { many })
}

fn said<T: Words>(reasons: &[T], language: Language) -> String {
    let comma = match language {
        Language::English => "; ",
        Language::Chinese => "；",
    };
    reasons.iter().map(|reason| reason.words(language)).collect::<Vec<_>>().join(comma)
}

/// The nodes' names and how many more there are.
pub(super) fn place_names(places: &Places, language: Language) -> String {
    names(&places.nodes, places.count, language)
}

pub(super) fn seconds(seconds: u64, language: Language) -> String {
    duration(Duration::from_secs(seconds), language)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose::BudgetUser;

    fn budget(stuck: u32, used: u32) -> BudgetUse {
        BudgetUse {
            written: IntOrString::String("5%".into()),
            limit: 15,
            desired: 288,
            used,
            stuck,
            users: vec![BudgetUser { user: User::DeadNode, count: used }],
            places: Places { count: used, nodes: vec!["d-1".into(), "d-2".into()], pods: Vec::new() },
            waiting: 268,
        }
    }

    #[test]
    fn a_budget_is_told_with_its_arithmetic() {
        assert_eq!(
            Problem::UnavailableBudget(budget(20, 20)).words(Language::English),
            "`maxUnavailable` 288 nodes × 5 % = 14.4 → 15, rounded up; 20 nodes are already unavailable (20 dead nodes: \
             d-1, d-2 and 18 more); 20 ≥ 15, so no healthy pod is touched: 268 nodes wait"
        );
        assert_eq!(
            Problem::UnavailableBudget(budget(20, 20)).words(Language::Chinese),
            "`maxUnavailable`：288 个节点 × 5 % = 14.4 → 向上取整为 15；20 个节点已不可用（20 个失效节点：d-1、d-2 及另外 18 \
             个）；20 ≥ 15，因此不会触碰任何健康的 pod：268 个节点在等待"
        );
        let slower = Problem::UnavailableBudget(budget(2, 15)).words(Language::English);
        assert!(
            slower.ends_with("2 of the places are taken for good, so that 268 nodes follow 13 at a time"),
            "{slower}"
        );
    }

    #[test]
    fn the_arithmetic_of_every_kind_of_limit_is_told() {
        let percent = |text: &str| IntOrString::String(text.into());
        let told = |written: &IntOrString, limit, desired| arithmetic(written, limit, desired, Language::English);
        assert_eq!(told(&percent("5%"), 1, 3), "3 nodes × 5 % = 0.15 → 1, rounded up");
        assert_eq!(told(&percent("50%"), 5, 10), "10 nodes × 50 % = 5");
        assert_eq!(told(&percent("0%"), 1, 10), "10 nodes × 0 % = 0 → 1, rounded up");
        assert_eq!(told(&IntOrString::Int(1), 1, 10), "allows 1 node");
        assert_eq!(told(&IntOrString::Int(0), 1, 10), "is 0, and one node is allowed all the same");
    }
}

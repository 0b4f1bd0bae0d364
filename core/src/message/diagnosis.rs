use super::phrase::decimal;
use super::telling::{Both, Grouped, Names, Nodes, Pods, Seconds, Telling, Told, WithVerb, part, tell};
use super::{Language, Words};
use crate::api::{IntOrString, Text};
use crate::both;
use crate::diagnose::{
    BudgetUse, BudgetUser, Diagnosis, Effect, Inaction, LimitField, Places, Problem, RolloutState, User,
};
use crate::placement::Exclusion;

impl Words for Diagnosis {
    /// The state in one sentence, and what it rests on.
    fn tell(&self, to: &mut Telling) {
        let obstacle = self.findings.iter().find(|finding| finding.effect == Effect::Blocks);
        let obstacle = obstacle.map(|finding| part(|to| finding.problem.tell_title(to)));
        let (done, desired) = (Grouped(self.done), Nodes(self.desired));
        match self.state {
            RolloutState::Blocked => tell!(to, "blocked: {}", "受阻：{}", obstacle),
            RolloutState::Progressing { next_seconds } => {
                let next =
                    next_seconds.map(|next| part(move |to| tell!(to, ", next in {}", "，{}后继续", Seconds(next))));
                let but = obstacle.map(|obstacle| part(move |to| tell!(to, "; but {}", "；但{}", obstacle)));
                tell!(
                    to,
                    "progressing: {} of {} done{}{}",
                    "进行中：{1}中已完成 {0} 个{2}{3}",
                    done,
                    desired,
                    next,
                    but
                );
            }
            RolloutState::Finished if self.desired == 0 => {
                tell!(to, "finished: no node should run the pod", "已完成：没有节点应运行此 pod");
            }
            RolloutState::Finished => tell!(
                to,
                "finished: {} of {} run an available pod of the newest template",
                "已完成：{1}中 {0} 个运行着最新模板的可用 pod",
                done,
                desired
            ),
            RolloutState::BeingDeleted => {
                tell!(to, "being deleted: the controller leaves it alone", "正在删除：控制器不再处理它");
            }
        }
    }
}

impl Problem {
    /// A short clause for a headline.
    pub fn title(&self, language: Language) -> String {
        part(|to| self.tell_title(to)).words(language)
    }

    fn tell_title(&self, to: &mut Telling) {
        let many = |places: &Places| Nodes(places.count);
        match self {
            Self::EmptySelector => tell!(to, "the selector is empty", "选择器为空"),
            Self::TemplateNotSelected => {
                tell!(to, "the selector does not match the template's labels", "选择器与模板的标签不匹配");
            }
            Self::BeingDeleted { .. } => tell!(to, "the DaemonSet is being deleted", "此 DaemonSet 正在删除"),
            Self::MalformedLimit { field, .. } => {
                tell!(to, "`{}` cannot be read", "无法理解 `{}`", field.as_str());
            }
            Self::ControllerNotActing(_) => tell!(to, "no controller acts", "没有控制器在工作"),
            Self::SpecNotObserved { .. } => {
                tell!(to, "the present spec has not been observed yet", "控制器尚未观察到当前的 spec");
            }
            Self::CreationRefused { places } => {
                tell!(to, "no pod can be created for {}", "无法为 {}创建 pod", many(places));
            }
            Self::NameCollision { .. } => {
                tell!(to, "the name of the new revision is taken", "新修订版本的名称已被占用");
            }
            Self::UnavailableBudget(budget) => budget_title(LimitField::MaxUnavailable, budget, to),
            Self::SurgeBudget(budget) => budget_title(LimitField::MaxSurge, budget, to),
            Self::LostNodes { places } => {
                tell!(to, "old pods are bound to {} that are gone", "旧 pod 绑定在 {}已消失的节点上", many(places));
            }
            Self::WaitingForDeletion { places, .. } => {
                tell!(to, "old pods on {} wait to be deleted by hand", "{}上的旧 pod 等待人工删除", many(places));
            }
            Self::NotAvailable { cause, places, .. } => cause.title(places, to),
            Self::CountedByGeneration { places, .. } => tell!(
                to,
                "pods on {} count as updated and are not",
                "{}上的 pod 被计为已更新，实际并未更新",
                many(places)
            ),
            Self::NothingToReplace { .. } => tell!(to, "the template did not change", "模板没有变化"),
            Self::LongMinReady { .. } => tell!(to, "`minReadySeconds` is long", "`minReadySeconds` 很长"),
            Self::PercentRoundsUp { field, .. } => {
                tell!(to, "`{}` rounds up", "`{}` 向上取整", field.as_str());
            }
            Self::NoEligibleNode { .. } => tell!(to, "no node should run the pod", "没有节点应运行此 pod"),
            Self::NotEligible { places, .. } => {
                let they_get = WithVerb(many(places), places.count, ["gets", "get"]);
                tell!(to, "{} no pod", "{}不会得到 pod", they_get);
            }
            Self::Misscheduled { places, .. } => {
                let they_have = WithVerb(many(places), places.count, ["has", "have"]);
                tell!(to, "{} a pod that should not be there", "{}上有不该在那里的 pod", they_have);
            }
            Self::StatusBehind { .. } => tell!(to, "the status is behind", "status 已过时"),
            Self::Rival { other } => tell!(to, "{} selects the same pods", "{} 选择了同样的 pod", other),
            Self::FormerPods { places } => {
                tell!(to, "pods of an earlier DaemonSet are on {}", "{}上有先前同名 DaemonSet 的 pod", many(places));
            }
            Self::ReleasedPods { .. } => {
                tell!(to, "owned pods no longer match the selector", "所属的 pod 不再匹配选择器");
            }
            Self::UnknownRevision { .. } => {
                tell!(to, "the revision of old pods is not stored", "旧 pod 的修订版本没有保存");
            }
            Self::NoRevisions => {
                tell!(to, "there are no ControllerRevisions in the input", "输入中没有 ControllerRevision");
            }
        }
    }
}

impl Words for Problem {
    /// The rule, the nodes and the arithmetic.
    fn tell(&self, to: &mut Telling) {
        match self {
            Self::EmptySelector => tell!(
                to,
                "an empty selector would select every pod, so that the controller ignores the DaemonSet",
                "空选择器会选中所有 pod，因此控制器忽略此 DaemonSet"
            ),
            Self::TemplateNotSelected => tell!(
                to,
                "the pods made from the template would not be the DaemonSet's own: it gives them up and makes more; the \
                 API server refuses such an object",
                "由模板创建的 pod 不属于此 DaemonSet：它会放弃这些 pod 并不断新建；API server 会拒绝这样的对象"
            ),
            Self::BeingDeleted { finalizers, pods: left, seconds: since } => {
                let by = part(|to| {
                    if finalizers.is_empty() {
                        tell!(to, "it should be gone at once", "应立即消失");
                    } else {
                        to.list(finalizers, both!(", ", "、"), Words::tell);
                        tell!(
                            to,
                            "it stays until these finalizers are gone: {}",
                            "在这些 finalizer 移除之前会一直存在：{}",
                            Told
                        );
                    }
                });
                let left = WithVerb(Pods(*left), *left, ["is", "are"]);
                tell!(to, "deleted {} ago; {}; {} left", "已删除 {}；{}；还剩 {}", Seconds(*since), by, left);
            }
            Self::MalformedLimit { field, limit } => tell!(
                to,
                "`{}: {}` is neither a count nor a percentage: no pod is replaced",
                "`{}: {}` 既不是数量也不是百分比：不会替换任何 pod",
                field.as_str(),
                limit
            ),
            Self::ControllerNotActing(inaction) => inaction.tell(to),
            Self::SpecNotObserved { generation, observed } => tell!(
                to,
                "generation {}, observedGeneration {}: the numbers of the status are those of the former spec. A \
                 controller takes seconds; only if this stays so does it not run",
                "generation 为 {}，observedGeneration 为 {}：status 中的数字属于之前的 spec。控制器只需数秒；若一直如此，才说明它\
                 没有运行",
                generation,
                observed
            ),
            Self::CreationRefused { places } => tell!(
                to,
                "the status counts {} and no pod was made: the API server refuses it (quota, PriorityClass, \
                 ServiceAccount, PodSecurity, a webhook); the event FailedCreate says why",
                "status 已计入 {}，却没有创建 pod：API server 拒绝创建（配额、PriorityClass、ServiceAccount、PodSecurity 或 \
                 webhook）；事件 FailedCreate 会说明原因",
                named_nodes(places)
            ),
            Self::NameCollision { revision } => tell!(
                to,
                "`{}` holds another template; the controller raises collisionCount and takes another name",
                "`{}` 保存着另一个模板；控制器会增大 collisionCount 并改用其他名称",
                revision
            ),
            Self::UnavailableBudget(budget) => budget_words(LimitField::MaxUnavailable, budget, to),
            Self::SurgeBudget(budget) => budget_words(LimitField::MaxSurge, budget, to),
            Self::LostNodes { places } => tell!(
                to,
                "with `maxSurge` no pod is updated while old pods are bound to nodes that are gone ({}); the pod garbage \
                 collector removes them within a minute or two",
                "使用 `maxSurge` 时，只要有旧 pod 绑定在已消失的节点上（{}），就不会更新任何 pod；pod 垃圾回收会在一两分钟内\
                 移除它们",
                place_names(places)
            ),
            Self::WaitingForDeletion { places, unknown } => tell!(
                to,
                "strategy `{}` replaces nothing by itself: {} with an old pod ({}) wait until someone deletes it",
                "策略 `{}` 不会自行替换：{}（{}）上的旧 pod 等待有人删除",
                unknown.as_ref().map_or("OnDelete", Text::as_str),
                Nodes(places.count),
                place_names(places)
            ),
            Self::NotAvailable { cause, places, replaced } => {
                cause.sentence(places, to);
                if *replaced {
                    tell!(
                        to,
                        "{}; the old pod is replaced at once, whatever the budget",
                        "{}；旧 pod 会立即被替换，不受预算限制",
                        Told
                    );
                }
            }
            Self::CountedByGeneration { places, container, found, wanted } => tell!(
                to,
                "`{}` runs `{}` on {}, the template has `{}`; the label pod-template-generation equals the DaemonSet's, \
                 so that the pods count as updated and are not replaced",
                "`{0}` 在 {2}上运行 `{1}`，而模板为 `{3}`；标签 pod-template-generation 与此 DaemonSet 相同，因此被计为已更新，\
                 不会替换",
                container,
                found,
                named_nodes(places),
                wanted
            ),
            Self::NothingToReplace { changes } => tell!(
                to,
                "{} {} of the spec left `spec.template` as it was, and only a changed template replaces pods; a changed \
                 ConfigMap or Secret does not",
                "spec 有 {} {}没有改变 `spec.template`，而只有模板变化才会替换 pod；ConfigMap 或 Secret 的变化不会",
                changes,
                Both(if *changes == 1 { both!("change", "次修改") } else { both!("changes", "次修改") })
            ),
            Self::LongMinReady { min_ready_seconds, patience, at_least } => tell!(
                to,
                "a pod is available {} after it is ready, and counts as unavailable until then, longer than the {} that \
                 are waited; what is left takes at least {}",
                "pod 就绪 {}后才算可用，在此之前计为不可用，超过愿意等待的 {}；剩余部分至少需要 {}",
                Seconds(*min_ready_seconds),
                Seconds(*patience),
                Seconds(*at_least)
            ),
            Self::PercentRoundsUp { field, written, desired, limit } => tell!(
                to,
                "`{}` {}: nodes are whole, so that a percentage never comes to less than one",
                "`{}` {}：节点数为整数，因此百分比不会少于一个节点",
                field.as_str(),
                part(|to| arithmetic(written, *limit, *desired, to))
            ),
            Self::NoEligibleNode { nodes: count } => tell!(
                to,
                "none of the {} fits the template: DESIRED is 0, and kubectl calls that rolled out",
                "{}都不符合模板：DESIRED 为 0，kubectl 视为已完成",
                Nodes(*count)
            ),
            Self::NotEligible { exclusions, places } => {
                tell!(to, "{}: {}", "{}：{}", named_nodes(places), reasons(exclusions));
            }
            Self::Misscheduled { exclusions, places, stay } => {
                let fate = if *stay {
                    both!(
                        "it stays, does not count in DESIRED, and is not made again once it is gone",
                        "pod 会留下，不计入 DESIRED，消失后也不会重建"
                    )
                } else {
                    both!("the controller deletes it, whatever the budget", "控制器会删除它，不受预算限制")
                };
                tell!(to, "{}: {}; {}", "{}：{}；{}", named_nodes(places), reasons(exclusions), Both(fate));
            }
            Self::StatusBehind { desired, desired_now, misscheduled, misscheduled_now } => tell!(
                to,
                "it says DESIRED {} and misscheduled {}, counted are {} and {}: a taint alone need not wake the \
                 controller, so that this shows nothing by itself",
                "其中 DESIRED 为 {}、misscheduled 为 {}，实际为 {} 和 {}：单凭污点变化不一定会唤醒控制器，因此这本身说明不了什么",
                desired,
                misscheduled,
                desired_now,
                misscheduled_now
            ),
            Self::Rival { other } => tell!(
                to,
                "the selector of {} matches these pods, too. Each manages only pods that it owns, so that they do not \
                 fight; an orphan goes to whichever comes first, and Services and `kubectl -l` mix them up",
                "{} 的选择器也匹配这些 pod。两者只管理各自拥有的 pod，不会争抢；无主的 pod 归先到者，Service 和 `kubectl -l` \
                 会把它们混在一起",
                other
            ),
            Self::FormerPods { places } => tell!(
                to,
                "{} belong to a deleted DaemonSet of this name with another UID: they do not count here, and hold room \
                 and host ports until the garbage collector has removed them",
                "{}属于已删除的、UID 不同的同名 DaemonSet：不计入此处，在垃圾回收之前仍占用资源和主机端口",
                named_pods(places)
            ),
            Self::ReleasedPods { places } => tell!(
                to,
                "the labels of {} were changed: they are given up, run on without an owner, and get a successor beside \
                 them",
                "{}的标签被修改：它们会被放弃，无主地继续运行，旁边会创建新的 pod",
                named_pods(places)
            ),
            Self::UnknownRevision { places, hash } => tell!(
                to,
                "old pods on {} are of revision `{}`, which is not stored: `kubectl rollout undo` cannot go back to it",
                "{}上的旧 pod 属于未保存的修订版本 `{}`：`kubectl rollout undo` 无法回到该版本",
                named_nodes(places),
                hash
            ),
            Self::NoRevisions => tell!(
                to,
                "old and new pods are told apart by pod-template-generation alone; add what `kubectl get \
                 controllerrevisions -A -o json` prints",
                "只能凭 pod-template-generation 区分新旧 pod；请加上 `kubectl get controllerrevisions -A -o json` 的输出"
            ),
        }
    }
}

impl Words for Inaction {
    fn tell(&self, to: &mut Telling) {
        match self {
            Self::NeverObserved { seconds: age } => tell!(
                to,
                "created {} ago and never observed (observedGeneration 0): a controller takes seconds",
                "创建于 {}前，从未被观察到（observedGeneration 为 0）：控制器只需数秒",
                Seconds(*age)
            ),
            Self::RestartIgnored { seconds: age } => tell!(
                to,
                "`kubectl rollout restart` was {} ago, and no ControllerRevision was made of it: a controller takes seconds",
                "`kubectl rollout restart` 在 {}前执行，却没有产生 ControllerRevision：控制器只需数秒",
                Seconds(*age)
            ),
            Self::Undone { creations, deletions, seconds: quiet } => {
                let (created, deleted) = (*creations, *deletions);
                let created = part(|to| match to.language() {
                    Language::English => WithVerb(Pods(created), created, ["is", "are"]).tell(to),
                    Language::Chinese => created.tell(to),
                });
                let deleted = part(|to| match to.language() {
                    Language::English => WithVerb(Grouped(deleted), deleted, ["is", "are"]).tell(to),
                    Language::Chinese => deleted.tell(to),
                });
                tell!(
                    to,
                    "{} to be created and {} to be deleted, and nothing has changed for {}: a controller takes seconds; \
                     it does not run, or is refused",
                    "应创建 {} 个、删除 {} 个 pod，而 {}内毫无变化：控制器只需数秒；它没有运行，或者被拒绝",
                    created,
                    deleted,
                    Seconds(*quiet)
                );
            }
        }
    }
}

fn budget_title(field: LimitField, budget: &BudgetUse, to: &mut Telling) {
    let BudgetUse { used, limit, stuck, .. } = budget;
    if stuck >= limit {
        let [_, many] = user(budget.main_user());
        tell!(
            to,
            "`{}` is used up by {} ({} of {})",
            "`{}` 被{}用尽（{}/{}）",
            field.as_str(),
            Both(many),
            used,
            limit
        );
    } else {
        tell!(to, "`{}` sets the pace ({} of {})", "`{}` 决定了速度（{}/{}）", field.as_str(), used, limit);
    }
}

fn budget_words(field: LimitField, budget: &BudgetUse, to: &mut Telling) {
    let BudgetUse { written, limit, desired, used, stuck, places, waiting, .. } = budget;
    let they_are = WithVerb(Nodes(*used), *used, ["is", "are"]);
    let (what, untouched) = match field {
        LimitField::MaxUnavailable => {
            (both!(" already unavailable", "已不可用"), both!("no healthy pod is touched", "不会触碰任何健康的 pod"))
        }
        LimitField::MaxSurge => {
            (both!(" already surging", "正在 surge"), both!("no further pod is surged", "不会再增加新的 pod"))
        }
    };
    let waiting_nodes = |verbs| WithVerb(Nodes(*waiting), *waiting, verbs);
    let outcome = part(|to| {
        if stuck >= limit {
            let used = if *used >= *limit { used } else { stuck };
            tell!(
                to,
                "{} ≥ {}, so {}: {}",
                "{} ≥ {}，因此{}：{}在等待",
                Grouped(*used),
                Grouped(*limit),
                Both(untouched),
                waiting_nodes(["waits", "wait"])
            );
        } else if *stuck > 0 {
            tell!(
                to,
                "{} of the places are taken for good, so that {} {} at a time",
                "其中 {} 个名额被长期占用，因此其余 {}每次更新 {} 个",
                Grouped(*stuck),
                waiting_nodes(["follows", "follow"]),
                limit.saturating_sub(*stuck)
            );
        } else {
            tell!(to, "{} as these become available", "其余 {}将随之依次更新", waiting_nodes(["follows", "follow"]));
        }
    });
    tell!(
        to,
        "`{}` {}; {}{} ({}: {}); {}",
        "`{}`：{}；{}{}（{}：{}）；{}",
        field.as_str(),
        part(|to| arithmetic(written, *limit, *desired, to)),
        they_are,
        Both(what),
        part(|to| users(budget, to)),
        place_names(places),
        outcome
    );
}

/// How a limit comes about: `288 nodes × 5 % = 14.4 → 15, rounded up`.
fn arithmetic(written: &IntOrString, limit: u32, desired: u32, to: &mut Telling) {
    let percent = match written {
        IntOrString::String(text) => text.strip_suffix('%').and_then(|digits| digits.parse::<u32>().ok()),
        IntOrString::Int(_) => None,
    };
    let Some(percent) = percent else {
        if *written == IntOrString::Int(i32::try_from(limit).unwrap_or(i32::MAX)) {
            tell!(to, "allows {}", "允许 {}", Nodes(limit));
        } else {
            tell!(to, "is {}, and one node is allowed all the same", "其值为 {}，但仍允许一个节点", written);
        }
        return;
    };
    let hundredths = u64::from(percent) * u64::from(desired);
    if hundredths.is_multiple_of(100) && hundredths / 100 == u64::from(limit) {
        tell!(to, "{} × {} % = {}", "{} × {} % = {}", Nodes(desired), percent, Grouped(limit));
        return;
    }
    tell!(
        to,
        "{} × {} % = {} → {}, rounded up",
        "{} × {} % = {} → 向上取整为 {}",
        Nodes(desired),
        percent,
        decimal(hundredths),
        Grouped(limit)
    );
}

fn users(budget: &BudgetUse, to: &mut Telling) {
    let tell_user = |entry: &BudgetUser, to: &mut Telling| {
        let [one, many] = user(entry.user);
        tell!(to, "{} {}", "{} 个{}", Grouped(entry.count), Both(if entry.count == 1 { one } else { many }));
    };
    to.list(&budget.users, both!(", ", "、"), tell_user);
}

/// Who has a place: one of them, and several.
fn user(user: User) -> [&'static str; 2] {
    match user {
        User::DeadNode => [both!("dead node", "失效节点"), both!("dead nodes", "失效节点")],
        User::StuckTerminating => {
            [both!("pod stuck terminating", "卡在终止中的 pod"), both!("pods stuck terminating", "卡在终止中的 pod")]
        }
        User::BrokenPod => {
            [both!("pod that does not come up", "无法启动的 pod"), both!("pods that do not come up", "无法启动的 pod")]
        }
        User::NoPlace => {
            [both!("pod that gets no place", "无法调度的 pod"), both!("pods that get no place", "无法调度的 pod")]
        }
        User::NoPod => {
            [both!("node without a pod", "没有 pod 的节点"), both!("nodes without a pod", "没有 pod 的节点")]
        }
        User::OnItsWay => [both!("on its way", "正在进行"), both!("on their way", "正在进行")],
    }
}

fn reasons(exclusions: &[Exclusion]) -> impl Words {
    part(|to| to.list(exclusions, both!("; ", "；"), Words::tell))
}

/// `3 nodes (a, b and c)`.
pub(super) fn named_nodes(places: &Places) -> impl Words {
    part(|to| tell!(to, "{} ({})", "{}（{}）", Nodes(places.count), place_names(places)))
}

/// `3 pods (a, b and c)`.
fn named_pods(places: &Places) -> impl Words {
    let Places { count, pods, .. } = places;
    part(|to| tell!(to, "{} ({})", "{}（{}）", Pods(*count), Names(pods, *count)))
}

/// The nodes' names and how many more there are.
fn place_names(places: &Places) -> Names<'_> {
    Names(&places.nodes, places.count)
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let told = |written: &IntOrString, limit, desired| {
            part(|to| arithmetic(written, limit, desired, to)).words(Language::English)
        };
        assert_eq!(told(&percent("5%"), 1, 3), "3 nodes × 5 % = 0.15 → 1, rounded up");
        assert_eq!(told(&percent("50%"), 5, 10), "10 nodes × 50 % = 5");
        assert_eq!(told(&percent("0%"), 1, 10), "10 nodes × 0 % = 0 → 1, rounded up");
        assert_eq!(told(&IntOrString::Int(1), 1, 10), "allows 1 node");
        assert_eq!(told(&IntOrString::Int(0), 1, 10), "is 0, and one node is allowed all the same");
    }
}

use super::phrase::{duration, grouped, join, nodes, say};
use super::{Language, Words};
use crate::decision::{Action, EventReason, EventType, Outcome, Reason, Rejection, Requeue, RequeueReason, SyncError};

impl Words for Reason {
    fn words(&self, language: Language) -> String {
        match self {
            Self::MissingPod => {
                say!(language, "the node should run the pod and has none", "该节点应运行此 pod，但目前没有")
            }
            Self::SurgeForUnavailable => say!(
                language,
                "the old pod is not available, so that the new one need not wait for `maxSurge`",
                "旧 pod 不可用，新 pod 无需等待 `maxSurge` 名额"
            ),
            Self::SurgeWithinBudget { under_way, limit } => say!(
                language,
                "within `maxSurge`: {} of {} second pods were under way",
                "在 `maxSurge` 之内：{1} 个名额已用 {0} 个",
                grouped(*under_way),
                grouped(*limit)
            ),
            Self::ExcessPod => say!(
                language,
                "another pod of this DaemonSet has the better claim to the node",
                "此 DaemonSet 在该节点上有更应保留的 pod"
            ),
            Self::FailedPod => say!(language, "the pod failed and its back-off is over", "pod 已失败，退避时间已过"),
            Self::SucceededPod => {
                say!(language, "the pod ended, which a daemon must not", "pod 已结束，而守护进程不应结束")
            }
            Self::NodeMustNotRun(exclusions) => say!(
                language,
                "the node must not run the pod: {}",
                "该节点不得运行此 pod：{}",
                join(&mut exclusions.iter().map(|exclusion| exclusion.words(language)), language.say(", ", "，"))
            ),
            Self::NodeGone => {
                say!(language, "the node is gone and the pod was never bound", "节点已不存在，pod 从未被调度")
            }
            Self::OutdatedAndUnavailable => say!(
                language,
                "the pod is outdated and not available, so that no budget is needed",
                "旧 pod 且不可用，删除它不占用名额"
            ),
            Self::OutdatedWithinBudget { unavailable, limit } => say!(
                language,
                "the pod is outdated; within `maxUnavailable`: {} of {} were unavailable",
                "旧 pod；在 `maxUnavailable` 之内：{1} 个名额已用 {0} 个",
                grouped(*unavailable),
                grouped(*limit)
            ),
            Self::ReplacementAvailable => {
                say!(language, "the new pod beside it is available", "同节点的新 pod 已可用")
            }
            Self::NotReadyBesideReplacement => say!(
                language,
                "the pod is outdated and not ready, and a new one is beside it",
                "旧 pod 未就绪，同节点已有新 pod"
            ),
            Self::OutdatedOnIneligibleNode => say!(
                language,
                "the pod is outdated and not available, on a node that should not run one",
                "旧 pod 且不可用，所在节点不应运行它"
            ),
            Self::EnoughAvailableElsewhere { available, desired } => say!(
                language,
                "the node should not run the pod, and {} with an available one are more than the {} desired",
                "该节点不应运行此 pod，且有可用 pod 的 {}多于期望的 {} 个",
                nodes(*available, language),
                grouped(*desired)
            ),
            Self::MatchesSelector => say!(language, "an orphan that the selector matches", "选择器匹配的孤儿对象"),
            Self::NoLongerMatchesSelector => {
                say!(language, "the selector no longer matches its labels", "标签不再匹配选择器")
            }
            Self::MissingHashLabel => say!(
                language,
                "the revision lacks the label `controller-revision-hash`",
                "该版本缺少标签 `controller-revision-hash`"
            ),
            Self::NewTemplate => say!(language, "no revision holds this template yet", "尚无版本保存此模板"),
            Self::TemplateSeenBefore => say!(
                language,
                "an earlier template is back, so that its revision becomes the newest",
                "模板与先前版本相同，该版本重新成为最新"
            ),
            Self::DuplicateRevision => {
                say!(language, "two revisions hold the same template", "两个版本保存了相同的模板")
            }
            Self::BeyondHistoryLimit => say!(
                language,
                "no pod uses the revision, and `revisionHistoryLimit` leaves no room for it",
                "没有 pod 使用该版本，且超出 `revisionHistoryLimit`"
            ),
            Self::StatusChanged => say!(language, "the stored status says something else", "与已保存的状态不同"),
            Self::NameCollision => say!(
                language,
                "another template has the revision's name, so that `collisionCount` rises",
                "该版本名已被另一模板占用，`collisionCount` 加一"
            ),
            Self::Announcement => say!(language, "goes with another decision", "随另一项决定一并记录"),
        }
    }
}

impl Words for Action {
    fn words(&self, language: Language) -> String {
        match self {
            Self::CreatePod { node, name, revision } => say!(
                language,
                "create pod `{}` of revision `{}` for node `{}`",
                "为节点 `{2}` 创建版本 `{1}` 的 pod `{0}`",
                name,
                revision,
                node
            ),
            Self::DeletePod { pod, node } if node.is_empty() => {
                say!(language, "delete pod `{}`", "删除 pod `{}`", pod.name)
            }
            Self::DeletePod { pod, node } => {
                say!(language, "delete pod `{}` on node `{}`", "删除节点 `{1}` 上的 pod `{0}`", pod.name, node)
            }
            Self::AdoptPod { pod } => say!(language, "adopt pod `{}`", "收养 pod `{}`", pod.name),
            Self::ReleasePod { pod } => say!(language, "release pod `{}`", "释放 pod `{}`", pod.name),
            Self::RelabelPod { pod, revision } => say!(
                language,
                "label pod `{}` with revision `{}`",
                "将 pod `{}` 的标签改为版本 `{}`",
                pod.name,
                revision
            ),
            Self::CreateRevision(revision) => {
                let (number, name) = (revision.revision, &revision.metadata.name);
                say!(language, "create revision {} `{}`", "创建版本 {} `{}`", number, name)
            }
            Self::AdoptRevision(key) => say!(language, "adopt revision `{}`", "收养版本 `{}`", key.name),
            Self::ReleaseRevision(key) => say!(language, "release revision `{}`", "释放版本 `{}`", key.name),
            Self::LabelRevision(key) => {
                say!(language, "label revision `{}` with its own name", "以版本 `{}` 自己的名称为其加标签", key.name)
            }
            Self::RenumberRevision { revision, number } => {
                say!(language, "number revision `{}` as {}", "将版本 `{}` 的编号改为 {}", revision.name, number)
            }
            Self::DeleteRevision(key) => say!(language, "delete revision `{}`", "删除版本 `{}`", key.name),
            Self::UpdateStatus(status) => say!(
                language,
                "write the status: desired {}, current {}, ready {}, up-to-date {}, available {}",
                "写入状态：desired {}，current {}，ready {}，up-to-date {}，available {}",
                status.desired_number_scheduled,
                status.current_number_scheduled,
                status.number_ready,
                status.updated_number_scheduled,
                status.number_available
            ),
            Self::RecordEvent { event_type, event, about } => {
                let about =
                    if about.is_empty() { String::new() } else { say!(language, " about `{}`", "（`{}`）", about) };
                let (event_type, event) = (event_type.as_str(), event.as_str());
                say!(language, "record the event {} {}{}", "记录事件 {} {}{}", event_type, event, about)
            }
        }
    }
}

impl Words for EventReason {
    fn words(&self, language: Language) -> String {
        match self {
            Self::SelectingAll => {
                say!(language, "the selector is empty and would select every pod", "选择器为空，会选中所有 pod")
            }
            Self::FailedDaemonPod => say!(language, "a failed pod is deleted", "删除一个失败的 pod"),
            Self::SucceededDaemonPod => say!(language, "a pod that ended is deleted", "删除一个已结束的 pod"),
            Self::SuccessfulCreate => say!(language, "a pod was created", "已创建一个 pod"),
            Self::SuccessfulDelete => say!(language, "a pod was deleted", "已删除一个 pod"),
            Self::FailedCreate => say!(language, "a pod could not be created", "无法创建 pod"),
            Self::FailedDelete => say!(language, "a pod could not be deleted", "无法删除 pod"),
        }
    }
}

impl Words for EventType {
    /// Kubernetes' own word.
    fn words(&self, _: Language) -> String {
        self.as_str().to_owned()
    }
}

impl Words for RequeueReason {
    fn words(&self, language: Language) -> String {
        match self {
            Self::FailedPodBackOff => {
                say!(language, "a failed pod is left until its back-off is over", "失败的 pod 保留到退避时间结束")
            }
            Self::PodBecomesAvailable => say!(
                language,
                "a ready pod becomes available after `minReadySeconds`",
                "就绪的 pod 在 `minReadySeconds` 之后变为可用"
            ),
            Self::Error => say!(language, "the sync failed and is repeated", "同步失败，将重试"),
            Self::ExpectationsLapse => say!(
                language,
                "creations or deletions that nobody saw are no longer waited for",
                "未被观察到的创建或删除不再等待"
            ),
        }
    }
}

impl Words for Requeue {
    fn words(&self, language: Language) -> String {
        // A wait after an error may be as short as 5 ms.
        let after = match self.after.as_secs() {
            0 => format!("{} ms", self.after.subsec_millis()),
            _ => duration(self.after, language),
        };
        say!(language, "again after {}: {}", "{}后再看：{}", after, self.reason.words(language))
    }
}

impl Words for SyncError {
    fn words(&self, language: Language) -> String {
        match self {
            Self::NameCollision { revision } => say!(
                language,
                "another template has the name `{}`; the next sync takes another one",
                "版本名 `{}` 已被另一模板占用，下次同步将换用新名",
                revision
            ),
            Self::NodeLost { node } => say!(
                language,
                "an old pod is bound to node `{}`, which is gone: no rolling update until the pod is, too",
                "旧 pod 所在节点 `{}` 已不存在：该 pod 消失之前不进行滚动更新",
                node
            ),
            Self::MalformedLimit { limit } => say!(
                language,
                "`{}` is neither a count nor a percentage: no rolling update",
                "`{}` 既不是数量也不是百分比：不进行滚动更新",
                limit
            ),
        }
    }
}

impl Words for Rejection {
    fn words(&self, language: Language) -> String {
        match self {
            Self::NotFound => say!(language, "there is no such object", "对象不存在"),
            Self::AlreadyExists => say!(language, "another object has that name", "同名对象已存在"),
            Self::Conflict => say!(language, "the object changed meanwhile", "对象已被修改"),
            Self::NamespaceTerminating => say!(language, "the namespace is being deleted", "命名空间正在删除"),
            Self::Forbidden => {
                say!(language, "quota, admission, validation or permission forbids it", "配额、准入、校验或权限不允许")
            }
            Self::Other => say!(language, "the API server refused", "API server 拒绝了请求"),
        }
    }
}

impl Words for Outcome {
    fn words(&self, language: Language) -> String {
        match self {
            Self::Applied => say!(language, "done", "已完成"),
            Self::Rejected(rejection) => say!(language, "refused: {}", "被拒绝：{}", rejection.words(language)),
            Self::Skipped => say!(language, "not tried, because something before it failed", "因前一步失败而未尝试"),
            Self::Unknown => {
                say!(language, "no answer: it may or may not have happened", "没有答复：可能已发生，也可能没有")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Taint;
    use crate::decision::PodKey;
    use crate::placement::Exclusion;

    #[test]
    fn a_reason_says_how_much_of_the_budget_was_used() {
        let reason = Reason::OutdatedWithinBudget { unavailable: 20, limit: 29 };
        assert_eq!(
            reason.words(Language::English),
            "the pod is outdated; within `maxUnavailable`: 20 of 29 were unavailable"
        );
        assert_eq!(reason.words(Language::Chinese), "旧 pod；在 `maxUnavailable` 之内：29 个名额已用 20 个");
    }

    #[test]
    fn a_reason_names_what_keeps_the_pod_off_the_node() {
        let taint = Taint { key: "k".into(), effect: crate::api::TaintEffect::NoExecute, ..Taint::default() };
        let reason = Reason::NodeMustNotRun(vec![Exclusion::Taint(taint)]);
        assert_eq!(
            reason.words(Language::English),
            "the node must not run the pod: taint `k:NoExecute` is not tolerated"
        );
    }

    #[test]
    fn an_action_reads_as_an_order() {
        let pod = PodKey { name: "agent-x".into(), ..PodKey::default() };
        let delete = Action::DeletePod { pod, node: "a".into() };
        assert_eq!(delete.words(Language::English), "delete pod `agent-x` on node `a`");
        assert_eq!(delete.words(Language::Chinese), "删除节点 `a` 上的 pod `agent-x`");
    }

    #[test]
    fn short_waits_are_told_in_milliseconds() {
        let requeue = Requeue { after: std::time::Duration::from_millis(5), reason: RequeueReason::Error };
        assert_eq!(requeue.words(Language::English), "again after 5 ms: the sync failed and is repeated");
    }
}

use super::Words;
use super::telling::{Grouped, Length, Nodes, Telling, Told, part, tell};
use crate::both;
use crate::decision::{Action, EventReason, EventType, Outcome, Reason, Rejection, Requeue, RequeueReason, SyncError};

impl Words for Reason {
    fn tell(&self, to: &mut Telling) {
        match self {
            Self::MissingPod => {
                tell!(to, "the node should run the pod and has none", "该节点应运行此 pod，但目前没有");
            }
            Self::SurgeForUnavailable => tell!(
                to,
                "the old pod is not available, so that the new one need not wait for `maxSurge`",
                "旧 pod 不可用，新 pod 无需等待 `maxSurge` 名额"
            ),
            Self::SurgeWithinBudget { under_way, limit } => tell!(
                to,
                "within `maxSurge`: {} of {} second pods were under way",
                "在 `maxSurge` 之内：{1} 个名额已用 {0} 个",
                Grouped(*under_way),
                Grouped(*limit)
            ),
            Self::ExcessPod => tell!(
                to,
                "another pod of this DaemonSet has the better claim to the node",
                "此 DaemonSet 在该节点上有更应保留的 pod"
            ),
            Self::FailedPod => tell!(to, "the pod failed and its back-off is over", "pod 已失败，退避时间已过"),
            Self::SucceededPod => {
                tell!(to, "the pod ended, which a daemon must not", "pod 已结束，而守护进程不应结束");
            }
            Self::NodeMustNotRun(exclusions) => tell!(
                to,
                "the node must not run the pod: {}",
                "该节点不得运行此 pod：{}",
                part(|to| to.list(exclusions, both!(", ", "，"), Words::tell))
            ),
            Self::NodeGone => {
                tell!(to, "the node is gone and the pod was never bound", "节点已不存在，pod 从未被调度");
            }
            Self::OutdatedAndUnavailable => tell!(
                to,
                "the pod is outdated and not available, so that no budget is needed",
                "旧 pod 且不可用，删除它不占用名额"
            ),
            Self::OutdatedWithinBudget { unavailable, limit } => tell!(
                to,
                "the pod is outdated; within `maxUnavailable`: {} of {} were unavailable",
                "旧 pod；在 `maxUnavailable` 之内：{1} 个名额已用 {0} 个",
                Grouped(*unavailable),
                Grouped(*limit)
            ),
            Self::ReplacementAvailable => {
                tell!(to, "the new pod beside it is available", "同节点的新 pod 已可用");
            }
            Self::NotReadyBesideReplacement => tell!(
                to,
                "the pod is outdated and not ready, and a new one is beside it",
                "旧 pod 未就绪，同节点已有新 pod"
            ),
            Self::OutdatedOnIneligibleNode => tell!(
                to,
                "the pod is outdated and not available, on a node that should not run one",
                "旧 pod 且不可用，所在节点不应运行它"
            ),
            Self::EnoughAvailableElsewhere { available, desired } => tell!(
                to,
                "the node should not run the pod, and {} with an available one are more than the {} desired",
                "该节点不应运行此 pod，且有可用 pod 的 {}多于期望的 {} 个",
                Nodes(*available),
                Grouped(*desired)
            ),
            Self::MatchesSelector => tell!(to, "an orphan that the selector matches", "选择器匹配的孤儿对象"),
            Self::NoLongerMatchesSelector => {
                tell!(to, "the selector no longer matches its labels", "标签不再匹配选择器");
            }
            Self::MissingHashLabel => tell!(
                to,
                "the revision lacks the label `controller-revision-hash`",
                "该版本缺少标签 `controller-revision-hash`"
            ),
            Self::NewTemplate => tell!(to, "no revision holds this template yet", "尚无版本保存此模板"),
            Self::TemplateSeenBefore => tell!(
                to,
                "an earlier template is back, so that its revision becomes the newest",
                "模板与先前版本相同，该版本重新成为最新"
            ),
            Self::DuplicateRevision => {
                tell!(to, "two revisions hold the same template", "两个版本保存了相同的模板");
            }
            Self::BeyondHistoryLimit => tell!(
                to,
                "no pod uses the revision, and `revisionHistoryLimit` leaves no room for it",
                "没有 pod 使用该版本，且超出 `revisionHistoryLimit`"
            ),
            Self::StatusChanged => tell!(to, "the stored status says something else", "与已保存的状态不同"),
            Self::NameCollision => tell!(
                to,
                "another template has the revision's name, so that `collisionCount` rises",
                "该版本名已被另一模板占用，`collisionCount` 加一"
            ),
            Self::Announcement => tell!(to, "goes with another decision", "随另一项决定一并记录"),
        }
    }
}

impl Words for Action {
    fn tell(&self, to: &mut Telling) {
        match self {
            Self::CreatePod { node, name, revision } => tell!(
                to,
                "create pod `{}` of revision `{}` for node `{}`",
                "为节点 `{2}` 创建版本 `{1}` 的 pod `{0}`",
                name,
                revision,
                node
            ),
            Self::DeletePod { pod, node } if node.is_empty() => {
                tell!(to, "delete pod `{}`", "删除 pod `{}`", pod.name);
            }
            Self::DeletePod { pod, node } => {
                tell!(to, "delete pod `{}` on node `{}`", "删除节点 `{1}` 上的 pod `{0}`", pod.name, node);
            }
            Self::AdoptPod { pod } => tell!(to, "adopt pod `{}`", "收养 pod `{}`", pod.name),
            Self::ReleasePod { pod } => tell!(to, "release pod `{}`", "释放 pod `{}`", pod.name),
            Self::RelabelPod { pod, revision } => {
                tell!(to, "label pod `{}` with revision `{}`", "将 pod `{}` 的标签改为版本 `{}`", pod.name, revision);
            }
            Self::CreateRevision(revision) => {
                let (number, name) = (revision.revision, &revision.metadata.name);
                tell!(to, "create revision {} `{}`", "创建版本 {} `{}`", number, name);
            }
            Self::AdoptRevision(key) => tell!(to, "adopt revision `{}`", "收养版本 `{}`", key.name),
            Self::ReleaseRevision(key) => tell!(to, "release revision `{}`", "释放版本 `{}`", key.name),
            Self::LabelRevision(key) => {
                tell!(to, "label revision `{}` with its own name", "以版本 `{}` 自己的名称为其加标签", key.name);
            }
            Self::RenumberRevision { revision, number } => {
                tell!(to, "number revision `{}` as {}", "将版本 `{}` 的编号改为 {}", revision.name, number);
            }
            Self::DeleteRevision(key) => tell!(to, "delete revision `{}`", "删除版本 `{}`", key.name),
            Self::UpdateStatus(status) => tell!(
                to,
                "write the status: desired {}, current {}, ready {}, up-to-date {}, available {}",
                "写入状态：desired {}，current {}，ready {}，up-to-date {}，available {}",
                status.desired_number_scheduled,
                status.current_number_scheduled,
                status.number_ready,
                status.updated_number_scheduled,
                status.number_available
            ),
            Self::RecordEvent { event_type, event, about } => {
                let about = (!about.is_empty()).then(|| part(|to| tell!(to, " about `{}`", "（`{}`）", about)));
                let (event_type, event) = (event_type.as_str(), event.as_str());
                tell!(to, "record the event {} {}{}", "记录事件 {} {}{}", event_type, event, about);
            }
        }
    }
}

impl Words for EventReason {
    fn tell(&self, to: &mut Telling) {
        to.both(match self {
            Self::SelectingAll => {
                both!("the selector is empty and would select every pod", "选择器为空，会选中所有 pod")
            }
            Self::FailedDaemonPod => both!("a failed pod is deleted", "删除一个失败的 pod"),
            Self::SucceededDaemonPod => both!("a pod that ended is deleted", "删除一个已结束的 pod"),
            Self::SuccessfulCreate => both!("a pod was created", "已创建一个 pod"),
            Self::SuccessfulDelete => both!("a pod was deleted", "已删除一个 pod"),
            Self::FailedCreate => both!("a pod could not be created", "无法创建 pod"),
            Self::FailedDelete => both!("a pod could not be deleted", "无法删除 pod"),
        });
    }
}

impl Words for EventType {
    /// Kubernetes' own word.
    fn tell(&self, to: &mut Telling) {
        to.text(self.as_str());
    }
}

impl Words for RequeueReason {
    fn tell(&self, to: &mut Telling) {
        to.both(match self {
            Self::FailedPodBackOff => {
                both!("a failed pod is left until its back-off is over", "失败的 pod 保留到退避时间结束")
            }
            Self::PodBecomesAvailable => both!(
                "a ready pod becomes available after `minReadySeconds`",
                "就绪的 pod 在 `minReadySeconds` 之后变为可用"
            ),
            Self::Error => both!("the sync failed and is repeated", "同步失败，将重试"),
            Self::ExpectationsLapse => both!(
                "creations or deletions that nobody saw are no longer waited for",
                "未被观察到的创建或删除不再等待"
            ),
        });
    }
}

impl Words for Requeue {
    fn tell(&self, to: &mut Telling) {
        // A wait after an error may be as short as 5 ms.
        match self.after.as_secs() {
            0 => tell!(to, "{} ms", "{} ms", self.after.subsec_millis()),
            _ => Length(self.after).tell(to),
        }
        tell!(to, "again after {}: {}", "{}后再看：{}", Told, self.reason);
    }
}

impl Words for SyncError {
    fn tell(&self, to: &mut Telling) {
        match self {
            Self::NameCollision { revision } => tell!(
                to,
                "another template has the name `{}`; the next sync takes another one",
                "版本名 `{}` 已被另一模板占用，下次同步将换用新名",
                revision
            ),
            Self::NodeLost { node } => tell!(
                to,
                "an old pod is bound to node `{}`, which is gone: no rolling update until the pod is, too",
                "旧 pod 所在节点 `{}` 已不存在：该 pod 消失之前不进行滚动更新",
                node
            ),
            Self::MalformedLimit { limit } => tell!(
                to,
                "`{}` is neither a count nor a percentage: no rolling update",
                "`{}` 既不是数量也不是百分比：不进行滚动更新",
                limit
            ),
        }
    }
}

impl Words for Rejection {
    fn tell(&self, to: &mut Telling) {
        to.both(match self {
            Self::NotFound => both!("there is no such object", "对象不存在"),
            Self::AlreadyExists => both!("another object has that name", "同名对象已存在"),
            Self::Conflict => both!("the object changed meanwhile", "对象已被修改"),
            Self::NamespaceTerminating => both!("the namespace is being deleted", "命名空间正在删除"),
            Self::Forbidden => {
                both!("quota, admission, validation or permission forbids it", "配额、准入、校验或权限不允许")
            }
            Self::Other => both!("the API server refused", "API server 拒绝了请求"),
        });
    }
}

impl Words for Outcome {
    fn tell(&self, to: &mut Telling) {
        match self {
            Self::Applied => tell!(to, "done", "已完成"),
            Self::Rejected(rejection) => tell!(to, "refused: {}", "被拒绝：{}", rejection),
            Self::Skipped => tell!(to, "not tried, because something before it failed", "因前一步失败而未尝试"),
            Self::Unknown => {
                tell!(to, "no answer: it may or may not have happened", "没有答复：可能已发生，也可能没有");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Taint;
    use crate::decision::PodKey;
    use crate::message::Language;
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

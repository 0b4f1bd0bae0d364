use super::phrase::{duration, grouped, nodes};
use super::{Language, Words};
use crate::decision::{Action, EventReason, EventType, Outcome, Reason, Rejection, Requeue, RequeueReason, SyncError};
use crate::placement::Exclusion;

impl Words for Reason {
    fn words(&self, language: Language) -> String {
        match language {
            Language::English => reason_in_english(self),
            Language::Chinese => reason_in_chinese(self),
        }
    }
}

fn reason_in_english(reason: &Reason) -> String {
    let text = match reason {
        Reason::MissingPod => "the node should run the pod and has none",
        Reason::SurgeForUnavailable => "the old pod is not available, so that the new one need not wait for `maxSurge`",
        Reason::SurgeWithinBudget { under_way, limit } => {
            let (under_way, limit) = (grouped(*under_way), grouped(*limit));
            return format!("within `maxSurge`: {under_way} of {limit} second pods were under way");
        }
        Reason::ExcessPod => "another pod of this DaemonSet has the better claim to the node",
        Reason::FailedPod => "the pod failed and its back-off is over",
        Reason::SucceededPod => "the pod ended, which a daemon must not",
        Reason::NodeMustNotRun(exclusions) => {
            return format!("the node must not run the pod: {}", listed(exclusions, ", ", Language::English));
        }
        Reason::NodeGone => "the node is gone and the pod was never bound",
        Reason::OutdatedAndUnavailable => "the pod is outdated and not available, so that no budget is needed",
        Reason::OutdatedWithinBudget { unavailable, limit } => {
            let (unavailable, limit) = (grouped(*unavailable), grouped(*limit));
            return format!("the pod is outdated; within `maxUnavailable`: {unavailable} of {limit} were unavailable");
        }
        Reason::ReplacementAvailable => "the new pod beside it is available",
        Reason::NotReadyBesideReplacement => "the pod is outdated and not ready, and a new one is beside it",
        Reason::OutdatedOnIneligibleNode => "the pod is outdated and not available, on a node that should not run one",
        Reason::EnoughAvailableElsewhere { available, desired } => {
            let available = nodes(*available, Language::English);
            return format!(
                "the node should not run the pod, and {available} with an available one are more than the {} desired",
                grouped(*desired)
            );
        }
        Reason::MatchesSelector => "an orphan that the selector matches",
        Reason::NoLongerMatchesSelector => "the selector no longer matches its labels",
        Reason::MissingHashLabel => "the revision lacks the label `controller-revision-hash`",
        Reason::NewTemplate => "no revision holds this template yet",
        Reason::TemplateSeenBefore => "an earlier template is back, so that its revision becomes the newest",
        Reason::DuplicateRevision => "two revisions hold the same template",
        Reason::BeyondHistoryLimit => "no pod uses the revision, and `revisionHistoryLimit` leaves no room for it",
        Reason::StatusChanged => "the stored status says something else",
        Reason::NameCollision => "another template has the revision's name, so that `collisionCount` rises",
        Reason::Announcement => "goes with another decision",
    };
    text.to_owned()
}

fn reason_in_chinese(reason: &Reason) -> String {
    let text = match reason {
        Reason::MissingPod => "该节点应运行此 pod，但目前没有",
        Reason::SurgeForUnavailable => "旧 pod 不可用，新 pod 无需等待 `maxSurge` 名额",
        Reason::SurgeWithinBudget { under_way, limit } => {
            let (under_way, limit) = (grouped(*under_way), grouped(*limit));
            return format!("在 `maxSurge` 之内：{limit} 个名额已用 {under_way} 个");
        }
        Reason::ExcessPod => "此 DaemonSet 在该节点上有更应保留的 pod",
        Reason::FailedPod => "pod 已失败，退避时间已过",
        Reason::SucceededPod => "pod 已结束，而守护进程不应结束",
        Reason::NodeMustNotRun(exclusions) => {
            return format!("该节点不得运行此 pod：{}", listed(exclusions, "，", Language::Chinese));
        }
        Reason::NodeGone => "节点已不存在，pod 从未被调度",
        Reason::OutdatedAndUnavailable => "旧 pod 且不可用，删除它不占用名额",
        Reason::OutdatedWithinBudget { unavailable, limit } => {
            let (unavailable, limit) = (grouped(*unavailable), grouped(*limit));
            return format!("旧 pod；在 `maxUnavailable` 之内：{limit} 个名额已用 {unavailable} 个");
        }
        Reason::ReplacementAvailable => "同节点的新 pod 已可用",
        Reason::NotReadyBesideReplacement => "旧 pod 未就绪，同节点已有新 pod",
        Reason::OutdatedOnIneligibleNode => "旧 pod 且不可用，所在节点不应运行它",
        Reason::EnoughAvailableElsewhere { available, desired } => {
            let (available, desired) = (nodes(*available, Language::Chinese), grouped(*desired));
            return format!("该节点不应运行此 pod，且有可用 pod 的 {available}多于期望的 {desired} 个");
        }
        Reason::MatchesSelector => "选择器匹配的孤儿对象",
        Reason::NoLongerMatchesSelector => "标签不再匹配选择器",
        Reason::MissingHashLabel => "该版本缺少标签 `controller-revision-hash`",
        Reason::NewTemplate => "尚无版本保存此模板",
        Reason::TemplateSeenBefore => "模板与先前版本相同，该版本重新成为最新",
        Reason::DuplicateRevision => "两个版本保存了相同的模板",
        Reason::BeyondHistoryLimit => "没有 pod 使用该版本，且超出 `revisionHistoryLimit`",
        Reason::StatusChanged => "与已保存的状态不同",
        Reason::NameCollision => "该版本名已被另一模板占用，`collisionCount` 加一",
        Reason::Announcement => "随另一项决定一并记录",
    };
    text.to_owned()
}

fn listed(exclusions: &[Exclusion], separator: &str, language: Language) -> String {
    exclusions.iter().map(|exclusion| exclusion.words(language)).collect::<Vec<_>>().join(separator)
}

impl Words for Action {
    fn words(&self, language: Language) -> String {
        match language {
            Language::English => action_in_english(self),
            Language::Chinese => action_in_chinese(self),
        }
    }
}

fn action_in_english(action: &Action) -> String {
    match action {
        Action::CreatePod { node, name, revision } => {
            format!("create pod `{name}` of revision `{revision}` for node `{node}`")
        }
        Action::DeletePod { pod, node } if node.is_empty() => format!("delete pod `{}`", pod.name),
        Action::DeletePod { pod, node } => format!("delete pod `{}` on node `{node}`", pod.name),
        Action::AdoptPod { pod } => format!("adopt pod `{}`", pod.name),
        Action::ReleasePod { pod } => format!("release pod `{}`", pod.name),
        Action::RelabelPod { pod, revision } => format!("label pod `{}` with revision `{revision}`", pod.name),
        Action::CreateRevision(revision) => {
            format!("create revision {} `{}`", revision.revision, revision.metadata.name)
        }
        Action::AdoptRevision(key) => format!("adopt revision `{}`", key.name),
        Action::ReleaseRevision(key) => format!("release revision `{}`", key.name),
        Action::LabelRevision(key) => format!("label revision `{}` with its own name", key.name),
        Action::RenumberRevision { revision, number } => format!("number revision `{}` as {number}", revision.name),
        Action::DeleteRevision(key) => format!("delete revision `{}`", key.name),
        Action::UpdateStatus(status) => format!(
            "write the status: desired {}, current {}, ready {}, up-to-date {}, available {}",
            status.desired_number_scheduled,
            status.current_number_scheduled,
            status.number_ready,
            status.updated_number_scheduled,
            status.number_available
        ),
        Action::RecordEvent { event_type, event, about } => {
            let about = if about.is_empty() { String::new() } else { format!(" about `{about}`") };
            format!("record the event {} {}{about}", event_type.as_str(), event.as_str())
        }
    }
}

fn action_in_chinese(action: &Action) -> String {
    match action {
        Action::CreatePod { node, name, revision } => {
            format!("为节点 `{node}` 创建版本 `{revision}` 的 pod `{name}`")
        }
        Action::DeletePod { pod, node } if node.is_empty() => format!("删除 pod `{}`", pod.name),
        Action::DeletePod { pod, node } => format!("删除节点 `{node}` 上的 pod `{}`", pod.name),
        Action::AdoptPod { pod } => format!("收养 pod `{}`", pod.name),
        Action::ReleasePod { pod } => format!("释放 pod `{}`", pod.name),
        Action::RelabelPod { pod, revision } => format!("将 pod `{}` 的标签改为版本 `{revision}`", pod.name),
        Action::CreateRevision(revision) => {
            format!("创建版本 {} `{}`", revision.revision, revision.metadata.name)
        }
        Action::AdoptRevision(key) => format!("收养版本 `{}`", key.name),
        Action::ReleaseRevision(key) => format!("释放版本 `{}`", key.name),
        Action::LabelRevision(key) => format!("以版本 `{}` 自己的名称为其加标签", key.name),
        Action::RenumberRevision { revision, number } => format!("将版本 `{}` 的编号改为 {number}", revision.name),
        Action::DeleteRevision(key) => format!("删除版本 `{}`", key.name),
        Action::UpdateStatus(status) => format!(
            "写入状态：desired {}，current {}，ready {}，up-to-date {}，available {}",
            status.desired_number_scheduled,
            status.current_number_scheduled,
            status.number_ready,
            status.updated_number_scheduled,
            status.number_available
        ),
        Action::RecordEvent { event_type, event, about } => {
            let about = if about.is_empty() { String::new() } else { format!("（`{about}`）") };
            format!("记录事件 {} {}{about}", event_type.as_str(), event.as_str())
        }
    }
}

impl Words for EventReason {
    fn words(&self, language: Language) -> String {
        let text = match (self, language) {
            (Self::SelectingAll, Language::English) => "the selector is empty and would select every pod",
            (Self::SelectingAll, Language::Chinese) => "选择器为空，会选中所有 pod",
            (Self::FailedDaemonPod, Language::English) => "a failed pod is deleted",
            (Self::FailedDaemonPod, Language::Chinese) => "删除一个失败的 pod",
            (Self::SucceededDaemonPod, Language::English) => "a pod that ended is deleted",
            (Self::SucceededDaemonPod, Language::Chinese) => "删除一个已结束的 pod",
            (Self::SuccessfulCreate, Language::English) => "a pod was created",
            (Self::SuccessfulCreate, Language::Chinese) => "已创建一个 pod",
            (Self::SuccessfulDelete, Language::English) => "a pod was deleted",
            (Self::SuccessfulDelete, Language::Chinese) => "已删除一个 pod",
            (Self::FailedCreate, Language::English) => "a pod could not be created",
            (Self::FailedCreate, Language::Chinese) => "无法创建 pod",
            (Self::FailedDelete, Language::English) => "a pod could not be deleted",
            (Self::FailedDelete, Language::Chinese) => "无法删除 pod",
        };
        text.to_owned()
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
        let text = match (self, language) {
            (Self::FailedPodBackOff, Language::English) => "a failed pod is left until its back-off is over",
            (Self::FailedPodBackOff, Language::Chinese) => "失败的 pod 保留到退避时间结束",
            (Self::PodBecomesAvailable, Language::English) => "a ready pod becomes available after `minReadySeconds`",
            (Self::PodBecomesAvailable, Language::Chinese) => "就绪的 pod 在 `minReadySeconds` 之后变为可用",
            (Self::Error, Language::English) => "the sync failed and is repeated",
            (Self::Error, Language::Chinese) => "同步失败，将重试",
            (Self::ExpectationsLapse, Language::English) => {
                "creations or deletions that nobody saw are no longer waited for"
            }
            (Self::ExpectationsLapse, Language::Chinese) => "未被观察到的创建或删除不再等待",
        };
        text.to_owned()
    }
}

impl Words for Requeue {
    fn words(&self, language: Language) -> String {
        // A wait after an error may be as short as 5 ms.
        let millis = self.after.as_millis();
        let after = if millis < 1_000 { format!("{millis} ms") } else { duration(self.after, language) };
        let reason = self.reason.words(language);
        match language {
            Language::English => format!("again after {after}: {reason}"),
            Language::Chinese => format!("{after}后再看：{reason}"),
        }
    }
}

impl Words for SyncError {
    fn words(&self, language: Language) -> String {
        match (self, language) {
            (Self::NameCollision { revision }, Language::English) => {
                format!("another template has the name `{revision}`; the next sync takes another one")
            }
            (Self::NameCollision { revision }, Language::Chinese) => {
                format!("版本名 `{revision}` 已被另一模板占用，下次同步将换用新名")
            }
            (Self::NodeLost { node }, Language::English) => {
                format!("an old pod is bound to node `{node}`, which is gone: no rolling update until the pod is, too")
            }
            (Self::NodeLost { node }, Language::Chinese) => {
                format!("旧 pod 所在节点 `{node}` 已不存在：该 pod 消失之前不进行滚动更新")
            }
            (Self::MalformedLimit { limit }, Language::English) => {
                format!("`{limit}` is neither a count nor a percentage: no rolling update")
            }
            (Self::MalformedLimit { limit }, Language::Chinese) => {
                format!("`{limit}` 既不是数量也不是百分比：不进行滚动更新")
            }
        }
    }
}

impl Words for Rejection {
    fn words(&self, language: Language) -> String {
        let text = match (self, language) {
            (Self::NotFound, Language::English) => "there is no such object",
            (Self::NotFound, Language::Chinese) => "对象不存在",
            (Self::AlreadyExists, Language::English) => "another object has that name",
            (Self::AlreadyExists, Language::Chinese) => "同名对象已存在",
            (Self::Conflict, Language::English) => "the object changed meanwhile",
            (Self::Conflict, Language::Chinese) => "对象已被修改",
            (Self::NamespaceTerminating, Language::English) => "the namespace is being deleted",
            (Self::NamespaceTerminating, Language::Chinese) => "命名空间正在删除",
            (Self::Forbidden, Language::English) => "quota, admission, validation or permission forbids it",
            (Self::Forbidden, Language::Chinese) => "配额、准入、校验或权限不允许",
            (Self::Other, Language::English) => "the API server refused",
            (Self::Other, Language::Chinese) => "API server 拒绝了请求",
        };
        text.to_owned()
    }
}

impl Words for Outcome {
    fn words(&self, language: Language) -> String {
        let text = match (self, language) {
            (Self::Applied, Language::English) => "done",
            (Self::Applied, Language::Chinese) => "已完成",
            (Self::Rejected(rejection), Language::English) => {
                return format!("refused: {}", rejection.words(language));
            }
            (Self::Rejected(rejection), Language::Chinese) => return format!("被拒绝：{}", rejection.words(language)),
            (Self::Skipped, Language::English) => "not tried, because something before it failed",
            (Self::Skipped, Language::Chinese) => "因前一步失败而未尝试",
            (Self::Unknown, Language::English) => "no answer: it may or may not have happened",
            (Self::Unknown, Language::Chinese) => "没有答复：可能已发生，也可能没有",
        };
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Taint;
    use crate::decision::PodKey;

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

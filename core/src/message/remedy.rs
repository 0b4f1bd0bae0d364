use super::Language;
use crate::both;
use crate::decision::WaitingOn;

/// What a person can do about it, in words; absent where waiting is all there is to do.
pub fn remedy(waiting: &WaitingOn, language: Language) -> Option<String> {
    let both = match waiting {
        WaitingOn::EmptySelector => both!("give `spec.selector` labels", "为 `spec.selector` 写上标签"),
        WaitingOn::UnavailableBudget { .. } => both!(
            "bring the pods on these nodes up, remove the nodes, or raise `maxUnavailable`",
            "让这些节点上的 pod 恢复、移除这些节点，或调大 `maxUnavailable`"
        ),
        WaitingOn::SurgeBudget { .. } => both!(
            "see why the second pods do not become available; `maxUnavailable` in place of `maxSurge` frees the old \
             pod's room and host ports first",
            "查明第二个 pod 为何不可用；改用 `maxUnavailable` 会先释放旧 pod 占用的资源和主机端口"
        ),
        WaitingOn::LostNodes { .. } => {
            both!("delete these pods, or wait for the pod garbage collector", "删除这些 pod，或等待 pod 垃圾回收")
        }
        WaitingOn::MalformedLimit { .. } => {
            both!("write a count or a percentage, such as `1` or `10%`", "写成数量或百分比，例如 `1` 或 `10%`")
        }
        WaitingOn::Terminating { .. } => both!(
            "where a node is dead, remove it or delete its pod with `--force`",
            "若节点已失效，移除该节点，或用 `--force` 删除其 pod"
        ),
        WaitingOn::NewPods { .. } => both!("look at the events and logs of these pods", "查看这些 pod 的事件和日志"),
        WaitingOn::FailedPods { .. } => both!(
            "see why they fail; a changed DaemonSet is tried without back-off",
            "查明失败原因；修改 DaemonSet 后会不经退避立即重试"
        ),
        WaitingOn::Deletion { .. } => {
            both!("delete the old pods, or set `RollingUpdate`", "删除旧 pod，或改用 `RollingUpdate`")
        }
        WaitingOn::BeingDeleted | WaitingOn::Expectations { .. } => return None,
    };
    Some(language.of(both).to_owned())
}

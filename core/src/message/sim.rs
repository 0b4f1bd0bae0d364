use super::Words;
use super::telling::{Nodes, Telling, tell};
use crate::both;
use crate::sim::{DecisionKind, Ending, EventRefusal, MarkKind, PodSelection, Summary, Tile};

impl Words for Tile {
    fn tell(&self, to: &mut Telling) {
        let both = match self {
            Self::NotEligible => both!("not eligible", "不适用"),
            Self::Missing => both!("no pod", "没有 pod"),
            Self::Pending => both!("pending: does not fit", "待调度：放不下"),
            Self::OldAvailable => both!("old pod, available", "旧 pod，可用"),
            Self::OldUnavailable => both!("old pod, not available", "旧 pod，不可用"),
            Self::Terminating => both!("terminating", "正在终止"),
            Self::NewStarting => both!("new pod, starting", "新 pod，启动中"),
            Self::NewReady => both!("new pod, ready, not yet available", "新 pod，就绪，尚未可用"),
            Self::NewAvailable => both!("new pod, available", "新 pod，可用"),
            Self::Surging => both!("new pod starting beside the old one", "新 pod 在旧 pod 旁启动"),
            Self::Failed => both!("failed", "失败"),
            Self::Misscheduled => both!("a pod that should not be here", "不该在此的 pod"),
            Self::Gone => both!("no such node", "没有此节点"),
        };
        to.both(both);
    }
}

impl Words for DecisionKind {
    fn tell(&self, to: &mut Telling) {
        let both = match self {
            Self::CreatePod => both!("create pod", "创建 pod"),
            Self::DeletePod => both!("delete pod", "删除 pod"),
            Self::AdoptPod => both!("adopt pod", "收养 pod"),
            Self::ReleasePod => both!("release pod", "放弃 pod"),
            Self::RelabelPod => both!("relabel pod", "重标 pod"),
            Self::CreateRevision => both!("create revision", "创建修订版本"),
            Self::RenumberRevision => both!("renumber revision", "重编修订版本"),
            Self::DeleteRevision => both!("delete revision", "删除修订版本"),
            Self::ClaimRevision => both!("claim revision", "认领修订版本"),
        };
        to.both(both);
    }
}

impl Words for MarkKind {
    fn tell(&self, to: &mut Telling) {
        let both = match self {
            Self::Applied => both!("manifest applied", "应用了清单"),
            Self::Deleted => both!("DaemonSet deleted", "删除了 DaemonSet"),
            Self::NodeAdded => both!("node added", "加入了节点"),
            Self::NodeChanged => both!("node changed", "节点有变更"),
            Self::NodeReady => both!("node ready", "节点就绪"),
            Self::NodeNotReady => both!("node not ready", "节点未就绪"),
            Self::NodeRemoved => both!("node removed", "移除了节点"),
            Self::PodDeleted => both!("pod deleted", "删除了 pod"),
            Self::PodFailed => both!("pod failed", "pod 失败"),
            Self::PodsBehave => both!("pods behave differently", "pod 行为改变"),
            Self::ReadinessFails => both!("readiness fails for a while", "一段时间内未就绪"),
            Self::NodeReboots => both!("node reboots", "节点重启"),
            Self::PodEvicted => both!("pod evicted because of taints", "pod 因污点被驱逐"),
            Self::OtherPodAdded => both!("pod of another workload added", "加入了其他工作负载的 pod"),
            Self::OtherPodRemoved => both!("pod of another workload removed", "移除了其他工作负载的 pod"),
            Self::ControllerRestarts => both!("controller restarts", "控制器重启"),
            Self::ControlPlaneChanged => both!("control plane changed", "控制平面有变更"),
            Self::RolledBack => both!("rolled back", "已回滚"),
            Self::Restarted => both!("rollout restarted", "重新滚动"),
            Self::PodsDeletedByHand => both!("outdated pods deleted by hand", "手动删除旧 pod"),
        };
        to.both(both);
    }
}

impl Words for EventRefusal {
    fn tell(&self, to: &mut Telling) {
        match self {
            Self::NoSuchNode(name) => tell!(to, "there is no node `{}`", "没有节点 `{}`", name),
            Self::NodeExists(name) => tell!(to, "there is a node `{}` already", "节点 `{}` 已存在", name),
            Self::NoSuchPod(PodSelection::Named(name)) => {
                tell!(to, "there is no pod `{}`", "没有 pod `{}`", name);
            }
            Self::NoSuchPod(PodSelection::OnNode(node)) => tell!(
                to,
                "the DaemonSet has no pod on node `{}` that is not being deleted",
                "DaemonSet 在节点 `{}` 上没有未在删除中的 pod",
                node
            ),
            Self::NoDaemonSet => tell!(to, "there is no DaemonSet", "没有 DaemonSet"),
            Self::OtherDaemonSet(name) => {
                tell!(to, "the manifest is of another DaemonSet, `{}`", "清单属于另一个 DaemonSet `{}`", name);
            }
            Self::SelectorIsImmutable => tell!(
                to,
                "spec.selector of an existing DaemonSet cannot be changed",
                "已有 DaemonSet 的 spec.selector 不能更改"
            ),
            Self::PodExists(name) => tell!(to, "there is a pod `{}` already", "pod `{}` 已存在", name),
            Self::OwnPod(name) => tell!(
                to,
                "pod `{}` is the DaemonSet's own: its controller makes those",
                "pod `{}` 属于该 DaemonSet：由其控制器创建",
                name
            ),
            Self::NoSuchRevision(number) => {
                tell!(to, "the DaemonSet has no revision {}", "DaemonSet 没有修订版本 {}", number);
            }
            Self::NoEarlierRevision => {
                tell!(to, "the DaemonSet has no revision before the newest", "DaemonSet 没有更早的修订版本");
            }
            Self::AlreadyAtRevision(number) => {
                tell!(to, "the template is that of revision {} already", "模板已是修订版本 {} 的模板", number);
            }
        }
    }
}

impl Words for Summary {
    /// How the play ended, in one sentence; what a stuck one waits for is in [`Ending`].
    fn tell(&self, to: &mut Telling) {
        let left = Nodes(self.eligible.saturating_sub(self.finished));
        let all = Nodes(self.eligible);
        match &self.ending {
            None => tell!(to, "still going on: {} of {} to go", "仍在进行：{1}中还差 {0}", left, all),
            Some(Ending::Complete) => {
                tell!(to, "complete: {} with an available new pod", "完成：{}都有可用的新 pod", all);
            }
            Some(Ending::Stuck { .. }) => tell!(
                to,
                "stuck: {} of {} without an available new pod, and nothing more is going to happen",
                "卡住：{1}中有 {0}没有可用的新 pod，且不会再有任何变化",
                left,
                all
            ),
            Some(Ending::Endless { .. }) => tell!(
                to,
                "no end: {} of {} without an available new pod, and the same things happen again and again",
                "没有尽头：{1}中有 {0}没有可用的新 pod，同样的事不断重复",
                left,
                all
            ),
            Some(Ending::NoDaemonSet) => tell!(to, "there is no DaemonSet", "没有 DaemonSet"),
        }
    }
}

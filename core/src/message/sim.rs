use super::phrase::say;
use super::{Language, Words, nodes};
use crate::sim::{DecisionKind, Ending, EventRefusal, MarkKind, PodSelection, Summary, Tile};

impl Words for Tile {
    fn words(&self, language: Language) -> String {
        let (english, chinese) = match self {
            Self::NotEligible => ("not eligible", "不适用"),
            Self::Missing => ("no pod", "没有 pod"),
            Self::Pending => ("pending: does not fit", "待调度：放不下"),
            Self::OldAvailable => ("old pod, available", "旧 pod，可用"),
            Self::OldUnavailable => ("old pod, not available", "旧 pod，不可用"),
            Self::Terminating => ("terminating", "正在终止"),
            Self::NewStarting => ("new pod, starting", "新 pod，启动中"),
            Self::NewReady => ("new pod, ready, not yet available", "新 pod，就绪，尚未可用"),
            Self::NewAvailable => ("new pod, available", "新 pod，可用"),
            Self::Surging => ("new pod starting beside the old one", "新 pod 在旧 pod 旁启动"),
            Self::Failed => ("failed", "失败"),
            Self::Misscheduled => ("a pod that should not be here", "不该在此的 pod"),
            Self::Gone => ("no such node", "没有此节点"),
        };
        pick(language, english, chinese)
    }
}

impl Words for DecisionKind {
    fn words(&self, language: Language) -> String {
        let (english, chinese) = match self {
            Self::CreatePod => ("create pod", "创建 pod"),
            Self::DeletePod => ("delete pod", "删除 pod"),
            Self::AdoptPod => ("adopt pod", "收养 pod"),
            Self::ReleasePod => ("release pod", "放弃 pod"),
            Self::RelabelPod => ("relabel pod", "重标 pod"),
            Self::CreateRevision => ("create revision", "创建修订版本"),
            Self::RenumberRevision => ("renumber revision", "重编修订版本"),
            Self::DeleteRevision => ("delete revision", "删除修订版本"),
            Self::ClaimRevision => ("claim revision", "认领修订版本"),
        };
        pick(language, english, chinese)
    }
}

impl Words for MarkKind {
    fn words(&self, language: Language) -> String {
        let (english, chinese) = match self {
            Self::Applied => ("manifest applied", "应用了清单"),
            Self::Deleted => ("DaemonSet deleted", "删除了 DaemonSet"),
            Self::NodeAdded => ("node added", "加入了节点"),
            Self::NodeChanged => ("node changed", "节点有变更"),
            Self::NodeReady => ("node ready", "节点就绪"),
            Self::NodeNotReady => ("node not ready", "节点未就绪"),
            Self::NodeRemoved => ("node removed", "移除了节点"),
            Self::PodDeleted => ("pod deleted", "删除了 pod"),
            Self::PodFailed => ("pod failed", "pod 失败"),
            Self::PodsBehave => ("pods behave differently", "pod 行为改变"),
            Self::ReadinessFails => ("readiness fails for a while", "一段时间内未就绪"),
            Self::NodeReboots => ("node reboots", "节点重启"),
            Self::PodEvicted => ("pod evicted because of taints", "pod 因污点被驱逐"),
            Self::OtherPodAdded => ("pod of another workload added", "加入了其他工作负载的 pod"),
            Self::OtherPodRemoved => ("pod of another workload removed", "移除了其他工作负载的 pod"),
            Self::ControllerRestarts => ("controller restarts", "控制器重启"),
            Self::ControlPlaneChanged => ("control plane changed", "控制平面有变更"),
            Self::RolledBack => ("rolled back", "已回滚"),
            Self::Restarted => ("rollout restarted", "重新滚动"),
            Self::PodsDeletedByHand => ("outdated pods deleted by hand", "手动删除旧 pod"),
        };
        pick(language, english, chinese)
    }
}

impl Words for EventRefusal {
    fn words(&self, language: Language) -> String {
        match self {
            Self::NoSuchNode(name) => say!(language, "there is no node `{}`", "没有节点 `{}`", name),
            Self::NodeExists(name) => say!(language, "there is a node `{}` already", "节点 `{}` 已存在", name),
            Self::NoSuchPod(PodSelection::Named(name)) => {
                say!(language, "there is no pod `{}`", "没有 pod `{}`", name)
            }
            Self::NoSuchPod(PodSelection::OnNode(node)) => say!(
                language,
                "the DaemonSet has no pod on node `{}` that is not being deleted",
                "DaemonSet 在节点 `{}` 上没有未在删除中的 pod",
                node
            ),
            Self::NoDaemonSet => say!(language, "there is no DaemonSet", "没有 DaemonSet"),
            Self::OtherDaemonSet(name) => {
                say!(language, "the manifest is of another DaemonSet, `{}`", "清单属于另一个 DaemonSet `{}`", name)
            }
            Self::SelectorIsImmutable => say!(
                language,
                "spec.selector of an existing DaemonSet cannot be changed",
                "已有 DaemonSet 的 spec.selector 不能更改"
            ),
            Self::PodExists(name) => say!(language, "there is a pod `{}` already", "pod `{}` 已存在", name),
            Self::OwnPod(name) => say!(
                language,
                "pod `{}` is the DaemonSet's own: its controller makes those",
                "pod `{}` 属于该 DaemonSet：由其控制器创建",
                name
            ),
            Self::NoSuchRevision(number) => {
                say!(language, "the DaemonSet has no revision {}", "DaemonSet 没有修订版本 {}", number)
            }
            Self::NoEarlierRevision => {
                say!(language, "the DaemonSet has no revision before the newest", "DaemonSet 没有更早的修订版本")
            }
            Self::AlreadyAtRevision(number) => {
                say!(language, "the template is that of revision {} already", "模板已是修订版本 {} 的模板", number)
            }
        }
    }
}

impl Words for Summary {
    /// How the play ended, in one sentence; what a stuck one waits for is in [`Ending`].
    fn words(&self, language: Language) -> String {
        let left = nodes(self.eligible.saturating_sub(self.finished), language);
        let all = nodes(self.eligible, language);
        match &self.ending {
            None => say!(language, "still going on: {} of {} to go", "仍在进行：{1}中还差 {0}", left, all),
            Some(Ending::Complete) => {
                say!(language, "complete: {} with an available new pod", "完成：{}都有可用的新 pod", all)
            }
            Some(Ending::Stuck { .. }) => say!(
                language,
                "stuck: {} of {} without an available new pod, and nothing more is going to happen",
                "卡住：{1}中有 {0}没有可用的新 pod，且不会再有任何变化",
                left,
                all
            ),
            Some(Ending::Endless { .. }) => say!(
                language,
                "no end: {} of {} without an available new pod, and the same things happen again and again",
                "没有尽头：{1}中有 {0}没有可用的新 pod，同样的事不断重复",
                left,
                all
            ),
            Some(Ending::NoDaemonSet) => say!(language, "there is no DaemonSet", "没有 DaemonSet"),
        }
    }
}

fn pick(language: Language, english: &str, chinese: &str) -> String {
    language.say(english, chinese).to_owned()
}

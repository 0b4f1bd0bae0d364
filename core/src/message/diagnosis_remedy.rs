use super::telling::{Nodes, Pods, Telling, tell};
use super::{Language, Words};
use crate::api::Text;
use crate::both;
use crate::diagnose::{Effect, Harm, Remedy};

impl Words for Remedy {
    fn tell(&self, to: &mut Telling) {
        match self {
            Self::RaiseLimit { field, to: target } => tell!(
                to,
                "raise `{}` to {}, the least that frees a place",
                "将 `{}` 提高到 {}，这是能腾出名额的最小值",
                field.as_str(),
                target
            ),
            Self::WriteLimit { field } => {
                tell!(to, "write `{}` as a count or a percentage", "将 `{}` 写成数量或百分比", field.as_str());
            }
            Self::ReplaceInsteadOfSurge { max_unavailable } => tell!(
                to,
                "use `maxUnavailable: {}` in place of `maxSurge`: the old pod then goes first",
                "改用 `maxUnavailable: {}` 代替 `maxSurge`：先移除旧 pod",
                max_unavailable
            ),
            Self::RollBack { to: target } => tell!(to, "go back to revision {}", "回到修订版本 {}", target),
            Self::DeleteNodes { nodes: names } if to.language() == Language::English && names.len() == 1 => {
                to.text("remove the node if it does not come back");
            }
            Self::DeleteNodes { nodes: names } => tell!(
                to,
                "remove {} if they do not come back; so many are enough",
                "若不再恢复，移除 {}即可",
                Nodes(count(names))
            ),
            Self::ForceDeletePods { pods: names, node_gone: true } => tell!(
                to,
                "remove {} without waiting for the garbage collector",
                "不等垃圾回收，直接移除 {}",
                Pods(count(names))
            ),
            Self::ForceDeletePods { pods: names, node_gone: false } => tell!(
                to,
                "force the deletion of {} if the node is off for certain",
                "若节点确已关机，强制删除 {}",
                Pods(count(names))
            ),
            Self::DeletePod { .. } => tell!(
                to,
                "delete the old pod, one node at a time; the new one follows",
                "删除旧 pod，每次一个节点；新的随后创建"
            ),
            Self::RemovePod { .. } => {
                tell!(to, "delete the pod if it is not wanted there", "若不需要，删除该 pod");
            }
            Self::UseRollingUpdate => {
                tell!(to, "let the controller replace them, one node at a time", "让控制器逐个节点替换");
            }
            Self::RemoveFinalizers { .. } => tell!(
                to,
                "take the finalizers off if whoever set them is gone; better, have it do its work",
                "若设置者已不存在，移除 finalizer；最好让它完成清理"
            ),
            Self::Tolerate { .. } => {
                tell!(to, "tolerate the taint, if the pod belongs there", "若 pod 应在那里运行，容忍该污点");
            }
            Self::RemoveTaint { .. } => tell!(to, "or take the taint off the node", "或移除节点上的污点"),
            Self::LabelNodes { .. } => {
                tell!(to, "label the nodes, if the pod belongs there", "若 pod 应在那里运行，为节点加上标签");
            }
            Self::LowerRequest { resource, to: target, .. } => {
                tell!(to, "or request {} of {}, which fits", "或将 {1} 的请求降到 {0}，即可放下", target, resource);
            }
            Self::MakeRoom { .. } => tell!(
                to,
                "see what is on the node: move it, or give this DaemonSet a PriorityClass above it",
                "查看节点上有什么：移走它，或给此 DaemonSet 更高的 PriorityClass"
            ),
            Self::FreePort { holder } => tell!(
                to,
                "one of both must take another port; {} has it",
                "两者之一须改用其他端口；目前由 {} 占用",
                holder
            ),
            Self::LowerMinReady { .. } => tell!(
                to,
                "shorten `minReadySeconds`; no pod is restarted for it",
                "缩短 `minReadySeconds`；不会因此重启 pod"
            ),
            Self::Restart => tell!(to, "have all pods replaced", "替换所有 pod"),
            Self::DescribePod { .. } => tell!(to, "see the events of the pod", "查看该 pod 的事件"),
            Self::ReadLogs { .. } => tell!(to, "see what the container said", "查看容器的输出"),
            Self::DescribeNode { .. } => tell!(to, "see why the node is down", "查看节点失效的原因"),
            Self::DescribeDaemonSet => tell!(to, "see the events of the DaemonSet", "查看此 DaemonSet 的事件"),
            Self::CheckController => tell!(
                to,
                "see whether the controller manager renews its lease every few seconds",
                "查看 controller manager 是否每隔几秒续租"
            ),
            Self::CompareGenerations => {
                tell!(to, "see whether both numbers are equal by now", "查看两个数字现在是否相等");
            }
            Self::ShowFinalizers => {
                tell!(to, "see which finalizers hold it", "查看是哪些 finalizer 阻止了删除");
            }
        }
    }
}

fn count(names: &[Text]) -> u32 {
    u32::try_from(names.len()).unwrap_or(u32::MAX)
}

impl Words for Harm {
    fn tell(&self, to: &mut Telling) {
        to.both(match self {
            Self::Rollout => both!("changes the template: pods are replaced on every node",
                "会改变模板：每个节点上的 pod 都会被替换"
            ),
            Self::Gap => {
                both!("the node has no pod until the new one is ready", "在新 pod 就绪之前，该节点上没有 pod")
            }
            Self::NodeForgotten => both!("deletes the Node object with its labels and taints, and every pod on it; a kubelet that still runs \
                 registers again",
                "会删除 Node 对象及其标签、污点，以及其上的所有 pod；仍在运行的 kubelet 会重新注册"
            ),
            Self::MayStillRun => both!("--force does not wait for the kubelet: if the node still runs, the old process runs on beside a new one",
                "--force 不等待 kubelet：若节点仍在运行，旧进程会与新进程并存"
            ),
            Self::NotCleanedUp => {
                both!("what the finalizer was to clean up is left", "finalizer 本应清理的内容会遗留下来")
            }
            Self::PodLost => both!("the pod is not made again", "该 pod 不会重建"),
            Self::Untainted => both!("lets other pods onto the node, too", "其他 pod 也会调度到该节点"),
        });
    }
}

impl Words for Effect {
    fn tell(&self, to: &mut Telling) {
        to.both(match self {
            Self::Blocks => both!("blocks", "阻碍"),
            Self::Delays => both!("delays", "延迟"),
            Self::Explains => both!("explains", "说明"),
        });
    }
}

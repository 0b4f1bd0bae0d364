use super::phrase::{nodes, pods};
use super::{Language, Words};
use crate::api::Text;
use crate::diagnose::{Effect, Harm, Remedy};

impl Words for Remedy {
    fn words(&self, language: Language) -> String {
        match language {
            Language::English => english(self),
            Language::Chinese => chinese(self),
        }
    }
}

fn count(names: &[Text]) -> u32 {
    u32::try_from(names.len()).unwrap_or(u32::MAX)
}

fn english(remedy: &Remedy) -> String {
    let language = Language::English;
    match remedy {
        Remedy::RaiseLimit { field, to } => format!("raise `{}` to {to}, the least that frees a place", field.as_str()),
        Remedy::WriteLimit { field } => format!("write `{}` as a count or a percentage", field.as_str()),
        Remedy::ReplaceInsteadOfSurge { max_unavailable } => {
            format!("use `maxUnavailable: {max_unavailable}` in place of `maxSurge`: the old pod then goes first")
        }
        Remedy::RollBack { to } => format!("go back to revision {to}"),
        Remedy::DeleteNodes { nodes: names } => match names.as_slice() {
            [_] => "remove the node if it does not come back".to_owned(),
            _ => format!("remove {} if they do not come back; so many are enough", nodes(count(names), language)),
        },
        Remedy::ForceDeletePods { pods: names, node_gone: true } => {
            format!("remove {} without waiting for the garbage collector", pods(count(names), language))
        }
        Remedy::ForceDeletePods { pods: names, node_gone: false } => {
            format!("force the deletion of {} if the node is off for certain", pods(count(names), language))
        }
        Remedy::DeletePod { .. } => "delete the old pod, one node at a time; the new one follows".to_owned(),
        Remedy::RemovePod { .. } => "delete the pod if it is not wanted there".to_owned(),
        Remedy::UseRollingUpdate => "let the controller replace them, one node at a time".to_owned(),
        Remedy::RemoveFinalizers { .. } => {
            "take the finalizers off if whoever set them is gone; better, have it do its work".to_owned()
        }
        Remedy::Tolerate { .. } => "tolerate the taint, if the pod belongs there".to_owned(),
        Remedy::RemoveTaint { .. } => "or take the taint off the node".to_owned(),
        Remedy::LabelNodes { .. } => "label the nodes, if the pod belongs there".to_owned(),
        Remedy::LowerRequest { resource, to, .. } => format!("or request {to} of {resource}, which fits"),
        Remedy::MakeRoom { .. } => {
            "see what is on the node: move it, or give this DaemonSet a PriorityClass above it".to_owned()
        }
        Remedy::FreePort { holder } => format!("one of both must take another port; {holder} has it"),
        Remedy::LowerMinReady { .. } => "shorten `minReadySeconds`; no pod is restarted for it".to_owned(),
        Remedy::Restart => "have all pods replaced".to_owned(),
        Remedy::DescribePod { .. } => "see the events of the pod".to_owned(),
        Remedy::ReadLogs { .. } => "see what the container said".to_owned(),
        Remedy::DescribeNode { .. } => "see why the node is down".to_owned(),
        Remedy::DescribeDaemonSet => "see the events of the DaemonSet".to_owned(),
        Remedy::CheckController => "see whether the controller manager renews its lease every few seconds".to_owned(),
        Remedy::CompareGenerations => "see whether both numbers are equal by now".to_owned(),
        Remedy::ShowFinalizers => "see which finalizers hold it".to_owned(),
    }
}

fn chinese(remedy: &Remedy) -> String {
    let language = Language::Chinese;
    match remedy {
        Remedy::RaiseLimit { field, to } => format!("将 `{}` 提高到 {to}，这是能腾出名额的最小值", field.as_str()),
        Remedy::WriteLimit { field } => format!("将 `{}` 写成数量或百分比", field.as_str()),
        Remedy::ReplaceInsteadOfSurge { max_unavailable } => {
            format!("改用 `maxUnavailable: {max_unavailable}` 代替 `maxSurge`：先移除旧 pod")
        }
        Remedy::RollBack { to } => format!("回到修订版本 {to}"),
        Remedy::DeleteNodes { nodes: names } => {
            format!("若不再恢复，移除 {}即可", nodes(count(names), language))
        }
        Remedy::ForceDeletePods { pods: names, node_gone: true } => {
            format!("不等垃圾回收，直接移除 {}", pods(count(names), language))
        }
        Remedy::ForceDeletePods { pods: names, node_gone: false } => {
            format!("若节点确已关机，强制删除 {}", pods(count(names), language))
        }
        Remedy::DeletePod { .. } => "删除旧 pod，每次一个节点；新的随后创建".to_owned(),
        Remedy::RemovePod { .. } => "若不需要，删除该 pod".to_owned(),
        Remedy::UseRollingUpdate => "让控制器逐个节点替换".to_owned(),
        Remedy::RemoveFinalizers { .. } => "若设置者已不存在，移除 finalizer；最好让它完成清理".to_owned(),
        Remedy::Tolerate { .. } => "若 pod 应在那里运行，容忍该污点".to_owned(),
        Remedy::RemoveTaint { .. } => "或移除节点上的污点".to_owned(),
        Remedy::LabelNodes { .. } => "若 pod 应在那里运行，为节点加上标签".to_owned(),
        Remedy::LowerRequest { resource, to, .. } => format!("或将 {resource} 的请求降到 {to}，即可放下"),
        Remedy::MakeRoom { .. } => "查看节点上有什么：移走它，或给此 DaemonSet 更高的 PriorityClass".to_owned(),
        Remedy::FreePort { holder } => format!("两者之一须改用其他端口；目前由 {holder} 占用"),
        Remedy::LowerMinReady { .. } => "缩短 `minReadySeconds`；不会因此重启 pod".to_owned(),
        Remedy::Restart => "替换所有 pod".to_owned(),
        Remedy::DescribePod { .. } => "查看该 pod 的事件".to_owned(),
        Remedy::ReadLogs { .. } => "查看容器的输出".to_owned(),
        Remedy::DescribeNode { .. } => "查看节点失效的原因".to_owned(),
        Remedy::DescribeDaemonSet => "查看此 DaemonSet 的事件".to_owned(),
        Remedy::CheckController => "查看 controller manager 是否每隔几秒续租".to_owned(),
        Remedy::CompareGenerations => "查看两个数字现在是否相等".to_owned(),
        Remedy::ShowFinalizers => "查看是哪些 finalizer 阻止了删除".to_owned(),
    }
}

impl Words for Harm {
    fn words(&self, language: Language) -> String {
        let (english, chinese) = match self {
            Self::Rollout => {
                ("changes the template: pods are replaced on every node", "会改变模板：每个节点上的 pod 都会被替换")
            }
            Self::Gap => ("the node has no pod until the new one is ready", "在新 pod 就绪之前，该节点上没有 pod"),
            Self::NodeForgotten => (
                "deletes the Node object with its labels and taints, and every pod on it; a kubelet that still runs \
                 registers again",
                "会删除 Node 对象及其标签、污点，以及其上的所有 pod；仍在运行的 kubelet 会重新注册",
            ),
            Self::MayStillRun => (
                "--force does not wait for the kubelet: if the node still runs, the old process runs on beside a new one",
                "--force 不等待 kubelet：若节点仍在运行，旧进程会与新进程并存",
            ),
            Self::NotCleanedUp => ("what the finalizer was to clean up is left", "finalizer 本应清理的内容会遗留下来"),
            Self::PodLost => ("the pod is not made again", "该 pod 不会重建"),
            Self::Untainted => ("lets other pods onto the node, too", "其他 pod 也会调度到该节点"),
        };
        match language {
            Language::English => english.to_owned(),
            Language::Chinese => chinese.to_owned(),
        }
    }
}

impl Words for Effect {
    fn words(&self, language: Language) -> String {
        let (english, chinese) = match self {
            Self::Blocks => ("blocks", "阻碍"),
            Self::Delays => ("delays", "延迟"),
            Self::Explains => ("explains", "说明"),
        };
        match language {
            Language::English => english.to_owned(),
            Language::Chinese => chinese.to_owned(),
        }
    }
}

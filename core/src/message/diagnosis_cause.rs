use super::Words;
use super::diagnosis::named_nodes;
use super::telling::{Amount, Both, Nodes, Seconds, Telling, Told, part, tell};
use crate::api::{ConditionStatus, HostPort, Text};
use crate::both;
use crate::diagnose::{Cause, Places};
use crate::scheduling::Refusal;

impl Cause {
    /// A short clause for a headline.
    pub(super) fn title(&self, places: &Places, to: &mut Telling) {
        match self {
            Self::NoPod => tell!(to, "there is no pod yet", "还没有 pod"),
            Self::NodeGone => tell!(to, "the node of the pod is gone", "pod 所在的节点已不存在"),
            Self::NodeDown { .. } => {
                tell!(to, "the node is down, and its pod with it,", "节点失效，pod 也随之失效");
            }
            Self::NoRoom { .. } => tell!(to, "there is no room for the pod", "放不下此 pod"),
            Self::HostPort { port, .. } => {
                tell!(to, "host port {} is taken", "主机端口 {} 已被占用", number_and_protocol(port));
            }
            Self::BesideOldPod { .. } => {
                tell!(to, "the new pod does not fit beside the old one", "新 pod 无法与旧 pod 并存");
            }
            Self::UntoleratedTaint { .. } => tell!(to, "a taint keeps the pod away", "污点排斥此 pod"),
            Self::PodAffinity { .. } => tell!(to, "affinity keeps the pod away", "亲和性规则排斥此 pod"),
            Self::Volume { .. } => {
                tell!(to, "a volume keeps the pod from being scheduled", "存储卷使 pod 无法调度");
            }
            Self::Unschedulable { .. } => tell!(to, "the pod is not scheduled", "pod 无法调度"),
            Self::SchedulingGated => tell!(to, "the pod has scheduling gates", "pod 带有调度门控"),
            Self::NotLookedAt { .. } => tell!(to, "no scheduler has looked at the pod", "没有调度器处理此 pod"),
            Self::ImagePull { image, .. } => tell!(to, "image `{}` cannot be pulled", "无法拉取镜像 `{}`", image),
            Self::CannotStart { container, .. } => {
                tell!(to, "container `{}` cannot be started", "容器 `{}` 无法启动", container);
            }
            Self::CrashLoop { container, .. } => {
                tell!(to, "container `{}` crashes again and again", "容器 `{}` 反复崩溃", container);
            }
            Self::InitContainer { container, .. } => {
                tell!(to, "init container `{}` does not end", "初始化容器 `{}` 一直不结束", container);
            }
            Self::ContainerCreating { .. } => tell!(to, "the containers are not created", "容器没有创建"),
            Self::NeverReady { .. } => tell!(to, "the pod does not become ready", "pod 一直未就绪"),
            Self::Starting { .. } => tell!(to, "the pod is starting", "pod 正在启动"),
            Self::NotYetAvailable { .. } => tell!(to, "the pod is not available yet", "pod 尚不可用"),
            Self::Failed { .. } => tell!(to, "the pod fails", "pod 失败"),
            Self::Succeeded => tell!(to, "the pod has ended", "pod 已结束"),
            Self::Finalizers { .. } => {
                tell!(to, "finalizers keep a deleted pod", "finalizer 使已删除的 pod 无法消失");
            }
            Self::TerminatingOnDeadNode { .. } => tell!(
                to,
                "a deleted pod stays, since its kubelet does not answer,",
                "kubelet 无响应，已删除的 pod 无法消失"
            ),
            Self::TerminatingTooLong { .. } => tell!(to, "a deleted pod does not go", "已删除的 pod 迟迟不消失"),
            Self::Terminating { .. } => tell!(to, "a pod is terminating", "pod 正在终止"),
            Self::Excess => tell!(to, "there are too many pods", "pod 过多"),
        }
        tell!(to, "{} on {}", "{1}：{0}", Told, Nodes(places.count));
    }

    /// Why, where, and what follows from it.
    pub(super) fn sentence(&self, places: &Places, to: &mut Telling) {
        tell!(to, "{}: {}", "{}：{}", named_nodes(places), part(|to| self.why(to)));
    }

    fn why(&self, to: &mut Telling) {
        let time = |length: &u64| Seconds(*length);
        match self {
            Self::NoPod => {
                tell!(to, "no pod is there; the controller is about to make one", "没有 pod；控制器即将创建");
            }
            Self::NodeGone => tell!(
                to,
                "the Node object is gone; the pod garbage collector removes the pod within a minute or two",
                "Node 对象已不存在；pod 垃圾回收会在一两分钟内移除该 pod"
            ),
            Self::NodeDown { ready, seconds: since, eligible } => {
                match ready {
                    ConditionStatus::Unknown => tell!(to, "the kubelet does not answer", "kubelet 无响应"),
                    ConditionStatus::True | ConditionStatus::False => {
                        tell!(to, "the node is not ready", "节点未就绪");
                    }
                }
                let since = since.as_ref().map(|since| part(|to| tell!(to, " for {}", "，已持续 {}", time(since))));
                tell!(to, "{}{}; {}", "{}{}；{}", Told, since, counts(*eligible));
            }
            Self::NoRoom { refusals, preempts } => {
                let preemption = if *preempts {
                    both!("pods of lower priority are to be evicted for it", "将驱逐优先级更低的 pod")
                } else {
                    both!(
                        "No preemption victims found for incoming pod; the pod is pinned to its node, so that more nodes do \
                         not help",
                        "No preemption victims found for incoming pod；pod 固定在该节点上，增加节点没有帮助"
                    )
                };
                shortages(refusals, to);
                tell!(to, "{}; {}", "{}；{}", Told, Both(preemption));
            }
            Self::HostPort { port, holder } => tell!(
                to,
                "host port {} is taken by {}, and the pod stays Pending",
                "主机端口 {} 已被 {} 占用，pod 保持 Pending",
                number_and_protocol(port),
                holder
            ),
            Self::BesideOldPod { refusals } => tell!(
                to,
                "the new pod fits only once the old one is gone, and with `maxSurge` the old one stays until the new one \
                 is available: {}",
                "旧 pod 消失后新 pod 才放得下，而使用 `maxSurge` 时旧 pod 要等新 pod 可用：{}",
                part(|to| shortages(refusals, to))
            ),
            Self::UntoleratedTaint { taint } => tell!(
                to,
                "the scheduler keeps the pod from taint `{}`, which it does not tolerate",
                "pod 不容忍污点 `{}`，调度器不会绑定",
                taint
            ),
            Self::PodAffinity { refusal } => refusal.tell(to),
            Self::Volume { message } => tell!(to, "the scheduler says: {}", "调度器的说法：{}", message),
            Self::Unschedulable { message } => tell!(
                to,
                "the scheduler says: {} (pods of other namespaces may be missing in the input)",
                "调度器的说法：{}（输入中可能缺少其他命名空间的 pod）",
                message
            ),
            Self::SchedulingGated => tell!(
                to,
                "the scheduler waits until `spec.schedulingGates` is empty",
                "调度器等待 `spec.schedulingGates` 清空"
            ),
            Self::NotLookedAt { scheduler, seconds: age } => tell!(
                to,
                "the pod fits, has waited {} and bears no word of a scheduler: does `{}` run?",
                "放得下，已等待 {}，却没有任何调度器的记录：`{}` 在运行吗？",
                time(age),
                scheduler
            ),
            Self::ImagePull { container, image, reason, message } => tell!(
                to,
                "{}: image `{}` of container `{}`{}",
                "{0}：容器 `{2}` 的镜像 `{1}`{3}",
                reason,
                image,
                container,
                behind_colon(message)
            ),
            Self::CannotStart { container, reason, message } => {
                tell!(to, "{}: container `{}`{}", "{}：容器 `{}`{}", reason, container, behind_colon(message));
            }
            Self::CrashLoop { container, init, restarts, reason, exit_code } => {
                let what =
                    if *init { both!("init container", "初始化容器") } else { both!("container", "容器") };
                let ended = part(|to| match reason.as_str() {
                    "" => tell!(to, "ended", "已退出"),
                    reason => to.text(reason),
                });
                let code = exit_code.map(|code| part(move |to| tell!(to, " (exit code {})", "（退出码 {}）", code)));
                tell!(
                    to,
                    "{} `{}`: {}{}, restarted {} times",
                    "{} `{}`：{}{}，已重启 {} 次",
                    Both(what),
                    container,
                    ended,
                    code,
                    restarts
                );
            }
            Self::InitContainer { container, seconds: age } => tell!(
                to,
                "init container `{}` still runs after {}; the others wait for it",
                "初始化容器 `{}` 在 {}后仍在运行，其他容器在等它",
                container,
                time(age)
            ),
            Self::ContainerCreating { seconds: age } => tell!(
                to,
                "no container was created in {}, and the pod does not say why: volumes, network or sandbox; its events do",
                "{}内没有创建容器，pod 没有说明原因：存储卷、网络或沙箱；见其事件",
                time(age)
            ),
            Self::NeverReady { seconds: age, gate: true } => tell!(
                to,
                "the containers are ready, and a readiness gate has not been passed for {}",
                "容器已就绪，但 readiness gate 在 {}内未通过",
                time(age)
            ),
            Self::NeverReady { seconds: age, gate: false } => tell!(
                to,
                "the containers run and have not been ready for {}: see the readiness probe",
                "容器在运行，但已 {}未就绪：请查看就绪探针",
                time(age)
            ),
            Self::Starting { seconds: age } => {
                tell!(to, "not ready for {}, which is within patience", "未就绪 {}，仍在容忍时间内", time(age));
            }
            Self::NotYetAvailable { seconds: left } => tell!(
                to,
                "ready, and available by `minReadySeconds` in {}",
                "已就绪，按 `minReadySeconds` 还需 {}才可用",
                time(left)
            ),
            Self::Failed { reason } => {
                let why = (!reason.is_empty()).then(|| part(|to| tell!(to, " ({})", "（{}）", reason)));
                tell!(
                    to,
                    "phase Failed{}; the controller deletes it and makes another, with a back-off from 1 s to 15 min",
                    "phase 为 Failed{}；控制器会删除并重建，退避时间从 1 秒到 15 分钟",
                    why
                );
            }
            Self::Succeeded => tell!(
                to,
                "phase Succeeded; the controller deletes it and makes another at once",
                "phase 为 Succeeded；控制器会立即删除并重建"
            ),
            Self::Finalizers { finalizers, seconds: late } => tell!(
                to,
                "should have been gone {} ago; finalizers: {}",
                "本应在 {}前消失；finalizer：{}",
                time(late),
                part(|to| to.list(finalizers, both!(", ", "、"), Words::tell))
            ),
            Self::TerminatingOnDeadNode { eligible } => tell!(
                to,
                "the kubelet does not answer, so that the deleted pod stays; {}",
                "kubelet 无响应，因此已删除的 pod 一直存在；{}",
                counts(*eligible)
            ),
            Self::TerminatingTooLong { seconds: late } => tell!(
                to,
                "should have been gone {} ago: its containers do not stop, or the kubelet cannot clean up",
                "本应在 {}前消失：容器没有停止，或 kubelet 无法清理",
                time(late)
            ),
            Self::Terminating { seconds: left } => tell!(
                to,
                "terminating; the successor comes when it is gone, at most {} from now",
                "正在终止；消失后才会创建新的 pod，最多还需 {}",
                time(left)
            ),
            Self::Excess => {
                tell!(to, "more pods than one; the controller deletes the surplus", "pod 多于一个；控制器会删除多余的");
            }
        }
    }
}

/// Whether a dead node counts, and so what of.
fn counts(eligible: bool) -> Both {
    Both(if eligible {
        both!(
            "the template tolerates its taints, so that it counts in DESIRED and in the budget",
            "模板容忍其污点，因此计入 DESIRED 和预算"
        )
    } else {
        both!(
            "the template does not tolerate its taints, so that it is not in DESIRED, while its pod takes a place in the \
             budget until it is gone",
            "模板不容忍其污点，因此不计入 DESIRED，但其 pod 在消失之前仍占用预算"
        )
    })
}

fn number_and_protocol(port: &HostPort) -> String {
    format!("{}/{}", port.host_port, port.protocol)
}

/// Every refusal, and how much is missing where it is an amount.
fn shortages(refusals: &[Refusal], to: &mut Telling) {
    let shortage = |refusal: &Refusal, to: &mut Telling| {
        refusal.tell(to);
        if let Refusal::Insufficient { resource, requested, used, allocatable } = refusal {
            let missing = requested.saturating_sub(allocatable.saturating_sub(*used));
            tell!(to, "{}, {} missing", "{}，缺少 {}", Told, Amount(resource, missing));
        }
    };
    to.list(refusals, both!("; ", "；"), shortage);
}

/// What somebody says about it, where there is something.
fn behind_colon(message: &Text) -> impl Words {
    (!message.is_empty()).then(|| part(move |to| tell!(to, ": {}", "：{}", message)))
}

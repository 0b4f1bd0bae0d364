use super::diagnosis::{named_nodes, seconds};
use super::phrase::{join, nodes, say};
use super::{Language, Words, amount};
use crate::api::{ConditionStatus, HostPort, Text};
use crate::diagnose::{Cause, Places};
use crate::scheduling::Refusal;

impl Cause {
    /// A short clause for a headline.
    pub(super) fn title(&self, places: &Places, language: Language) -> String {
        let what = match self {
            Self::NoPod => say!(language, "there is no pod yet", "还没有 pod"),
            Self::NodeGone => say!(language, "the node of the pod is gone", "pod 所在的节点已不存在"),
            Self::NodeDown { .. } => {
                say!(language, "the node is down, and its pod with it,", "节点失效，pod 也随之失效")
            }
            Self::NoRoom { .. } => say!(language, "there is no room for the pod", "放不下此 pod"),
            Self::HostPort { port, .. } => {
                say!(language, "host port {} is taken", "主机端口 {} 已被占用", number_and_protocol(port))
            }
            Self::BesideOldPod { .. } => {
                say!(language, "the new pod does not fit beside the old one", "新 pod 无法与旧 pod 并存")
            }
            Self::UntoleratedTaint { .. } => say!(language, "a taint keeps the pod away", "污点排斥此 pod"),
            Self::PodAffinity { .. } => say!(language, "affinity keeps the pod away", "亲和性规则排斥此 pod"),
            Self::Volume { .. } => {
                say!(language, "a volume keeps the pod from being scheduled", "存储卷使 pod 无法调度")
            }
            Self::Unschedulable { .. } => say!(language, "the pod is not scheduled", "pod 无法调度"),
            Self::SchedulingGated => say!(language, "the pod has scheduling gates", "pod 带有调度门控"),
            Self::NotLookedAt { .. } => say!(language, "no scheduler has looked at the pod", "没有调度器处理此 pod"),
            Self::ImagePull { image, .. } => say!(language, "image `{}` cannot be pulled", "无法拉取镜像 `{}`", image),
            Self::CannotStart { container, .. } => {
                say!(language, "container `{}` cannot be started", "容器 `{}` 无法启动", container)
            }
            Self::CrashLoop { container, .. } => {
                say!(language, "container `{}` crashes again and again", "容器 `{}` 反复崩溃", container)
            }
            Self::InitContainer { container, .. } => {
                say!(language, "init container `{}` does not end", "初始化容器 `{}` 一直不结束", container)
            }
            Self::ContainerCreating { .. } => say!(language, "the containers are not created", "容器没有创建"),
            Self::NeverReady { .. } => say!(language, "the pod does not become ready", "pod 一直未就绪"),
            Self::Starting { .. } => say!(language, "the pod is starting", "pod 正在启动"),
            Self::NotYetAvailable { .. } => say!(language, "the pod is not available yet", "pod 尚不可用"),
            Self::Failed { .. } => say!(language, "the pod fails", "pod 失败"),
            Self::Succeeded => say!(language, "the pod has ended", "pod 已结束"),
            Self::Finalizers { .. } => {
                say!(language, "finalizers keep a deleted pod", "finalizer 使已删除的 pod 无法消失")
            }
            Self::TerminatingOnDeadNode { .. } => say!(
                language,
                "a deleted pod stays, since its kubelet does not answer,",
                "kubelet 无响应，已删除的 pod 无法消失"
            ),
            Self::TerminatingTooLong { .. } => say!(language, "a deleted pod does not go", "已删除的 pod 迟迟不消失"),
            Self::Terminating { .. } => say!(language, "a pod is terminating", "pod 正在终止"),
            Self::Excess => say!(language, "there are too many pods", "pod 过多"),
        };
        say!(language, "{} on {}", "{1}：{0}", what, nodes(places.count, language))
    }

    /// Why, where, and what follows from it.
    pub(super) fn sentence(&self, places: &Places, language: Language) -> String {
        say!(language, "{}: {}", "{}：{}", named_nodes(places, language), self.why(language))
    }

    fn why(&self, language: Language) -> String {
        let time = |length: &u64| seconds(*length, language);
        match self {
            Self::NoPod => {
                say!(language, "no pod is there; the controller is about to make one", "没有 pod；控制器即将创建")
            }
            Self::NodeGone => say!(
                language,
                "the Node object is gone; the pod garbage collector removes the pod within a minute or two",
                "Node 对象已不存在；pod 垃圾回收会在一两分钟内移除该 pod"
            ),
            Self::NodeDown { ready, seconds: since, eligible } => {
                let what = match ready {
                    ConditionStatus::Unknown => language.say("the kubelet does not answer", "kubelet 无响应"),
                    ConditionStatus::True | ConditionStatus::False => {
                        language.say("the node is not ready", "节点未就绪")
                    }
                };
                let since = since.as_ref().map(|since| say!(language, " for {}", "，已持续 {}", time(since)));
                let counts = counts(*eligible, language);
                say!(language, "{}{}; {}", "{}{}；{}", what, since.unwrap_or_default(), counts)
            }
            Self::NoRoom { refusals, preempts } => {
                let preemption = if *preempts {
                    language.say("pods of lower priority are to be evicted for it", "将驱逐优先级更低的 pod")
                } else {
                    language.say(
                        "No preemption victims found for incoming pod; the pod is pinned to its node, so that more nodes \
                         do not help",
                        "No preemption victims found for incoming pod；pod 固定在该节点上，增加节点没有帮助",
                    )
                };
                say!(language, "{}; {}", "{}；{}", shortages(refusals, language), preemption)
            }
            Self::HostPort { port, holder } => say!(
                language,
                "host port {} is taken by {}, and the pod stays Pending",
                "主机端口 {} 已被 {} 占用，pod 保持 Pending",
                number_and_protocol(port),
                holder
            ),
            Self::BesideOldPod { refusals } => say!(
                language,
                "the new pod fits only once the old one is gone, and with `maxSurge` the old one stays until the new one \
                 is available: {}",
                "旧 pod 消失后新 pod 才放得下，而使用 `maxSurge` 时旧 pod 要等新 pod 可用：{}",
                shortages(refusals, language)
            ),
            Self::UntoleratedTaint { taint } => say!(
                language,
                "the scheduler keeps the pod from taint `{}`, which it does not tolerate",
                "pod 不容忍污点 `{}`，调度器不会绑定",
                taint
            ),
            Self::PodAffinity { refusal } => refusal.words(language),
            Self::Volume { message } => say!(language, "the scheduler says: {}", "调度器的说法：{}", message),
            Self::Unschedulable { message } => say!(
                language,
                "the scheduler says: {} (pods of other namespaces may be missing in the input)",
                "调度器的说法：{}（输入中可能缺少其他命名空间的 pod）",
                message
            ),
            Self::SchedulingGated => say!(
                language,
                "the scheduler waits until `spec.schedulingGates` is empty",
                "调度器等待 `spec.schedulingGates` 清空"
            ),
            Self::NotLookedAt { scheduler, seconds: age } => say!(
                language,
                "the pod fits, has waited {} and bears no word of a scheduler: does `{}` run?",
                "放得下，已等待 {}，却没有任何调度器的记录：`{}` 在运行吗？",
                time(age),
                scheduler
            ),
            Self::ImagePull { container, image, reason, message } => say!(
                language,
                "{}: image `{}` of container `{}`{}",
                "{0}：容器 `{2}` 的镜像 `{1}`{3}",
                reason,
                image,
                container,
                told(message, language)
            ),
            Self::CannotStart { container, reason, message } => {
                say!(language, "{}: container `{}`{}", "{}：容器 `{}`{}", reason, container, told(message, language))
            }
            Self::CrashLoop { container, init, restarts, reason, exit_code } => {
                let ended = Text::new_static(language.say("ended", "已退出"));
                let code = exit_code.map(|code| say!(language, " (exit code {})", "（退出码 {}）", code));
                say!(
                    language,
                    "{} `{}`: {}{}, restarted {} times",
                    "{} `{}`：{}{}，已重启 {} 次",
                    if *init {
                        language.say("init container", "初始化容器")
                    } else {
                        language.say("container", "容器")
                    },
                    container,
                    if reason.is_empty() { &ended } else { reason },
                    code.unwrap_or_default(),
                    restarts
                )
            }
            Self::InitContainer { container, seconds: age } => say!(
                language,
                "init container `{}` still runs after {}; the others wait for it",
                "初始化容器 `{}` 在 {}后仍在运行，其他容器在等它",
                container,
                time(age)
            ),
            Self::ContainerCreating { seconds: age } => say!(
                language,
                "no container was created in {}, and the pod does not say why: volumes, network or sandbox; its events do",
                "{}内没有创建容器，pod 没有说明原因：存储卷、网络或沙箱；见其事件",
                time(age)
            ),
            Self::NeverReady { seconds: age, gate: true } => say!(
                language,
                "the containers are ready, and a readiness gate has not been passed for {}",
                "容器已就绪，但 readiness gate 在 {}内未通过",
                time(age)
            ),
            Self::NeverReady { seconds: age, gate: false } => say!(
                language,
                "the containers run and have not been ready for {}: see the readiness probe",
                "容器在运行，但已 {}未就绪：请查看就绪探针",
                time(age)
            ),
            Self::Starting { seconds: age } => {
                say!(language, "not ready for {}, which is within patience", "未就绪 {}，仍在容忍时间内", time(age))
            }
            Self::NotYetAvailable { seconds: left } => say!(
                language,
                "ready, and available by `minReadySeconds` in {}",
                "已就绪，按 `minReadySeconds` 还需 {}才可用",
                time(left)
            ),
            Self::Failed { reason } => {
                let why = if reason.is_empty() { String::new() } else { say!(language, " ({})", "（{}）", reason) };
                say!(
                    language,
                    "phase Failed{}; the controller deletes it and makes another, with a back-off from 1 s to 15 min",
                    "phase 为 Failed{}；控制器会删除并重建，退避时间从 1 秒到 15 分钟",
                    why
                )
            }
            Self::Succeeded => say!(
                language,
                "phase Succeeded; the controller deletes it and makes another at once",
                "phase 为 Succeeded；控制器会立即删除并重建"
            ),
            Self::Finalizers { finalizers, seconds: late } => say!(
                language,
                "should have been gone {} ago; finalizers: {}",
                "本应在 {}前消失；finalizer：{}",
                time(late),
                finalizers.join(language.say(", ", "、"))
            ),
            Self::TerminatingOnDeadNode { eligible } => say!(
                language,
                "the kubelet does not answer, so that the deleted pod stays; {}",
                "kubelet 无响应，因此已删除的 pod 一直存在；{}",
                counts(*eligible, language)
            ),
            Self::TerminatingTooLong { seconds: late } => say!(
                language,
                "should have been gone {} ago: its containers do not stop, or the kubelet cannot clean up",
                "本应在 {}前消失：容器没有停止，或 kubelet 无法清理",
                time(late)
            ),
            Self::Terminating { seconds: left } => say!(
                language,
                "terminating; the successor comes when it is gone, at most {} from now",
                "正在终止；消失后才会创建新的 pod，最多还需 {}",
                time(left)
            ),
            Self::Excess => {
                say!(
                    language,
                    "more pods than one; the controller deletes the surplus",
                    "pod 多于一个；控制器会删除多余的"
                )
            }
        }
    }
}

/// Whether a dead node counts, and so what of.
fn counts(eligible: bool, language: Language) -> &'static str {
    if eligible {
        language.say(
            "the template tolerates its taints, so that it counts in DESIRED and in the budget",
            "模板容忍其污点，因此计入 DESIRED 和预算",
        )
    } else {
        language.say(
            "the template does not tolerate its taints, so that it is not in DESIRED, while its pod takes a place in the \
             budget until it is gone",
            "模板不容忍其污点，因此不计入 DESIRED，但其 pod 在消失之前仍占用预算",
        )
    }
}

fn number_and_protocol(port: &HostPort) -> String {
    format!("{}/{}", port.host_port, port.protocol)
}

/// Every refusal, and how much is missing where it is an amount.
fn shortages(refusals: &[Refusal], language: Language) -> String {
    let mut said = refusals.iter().map(|refusal| {
        let words = refusal.words(language);
        let Refusal::Insufficient { resource, requested, used, allocatable } = refusal else { return words };
        let missing = requested.saturating_sub(allocatable.saturating_sub(*used));
        say!(language, "{}, {} missing", "{}，缺少 {}", words, amount(resource, missing))
    });
    join(&mut said, language.say("; ", "；"))
}

fn told(message: &Text, language: Language) -> String {
    if message.is_empty() { String::new() } else { say!(language, ": {}", "：{}", message) }
}

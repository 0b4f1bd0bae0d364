use super::diagnosis::{place_names, seconds};
use super::phrase::nodes;
use super::{Language, Words};
use crate::api::{ConditionStatus, Text};
use crate::diagnose::{Cause, Places};
use crate::scheduling::Refusal;

impl Cause {
    /// A short clause for a headline.
    pub(super) fn title(&self, places: &Places, language: Language) -> String {
        let at = nodes(places.count, language);
        match language {
            Language::English => format!("{} on {at}", self.english_title()),
            Language::Chinese => format!("{at}：{}", self.chinese_title()),
        }
    }

    fn english_title(&self) -> String {
        match self {
            Self::NoPod => "there is no pod yet",
            Self::NodeGone => "the node of the pod is gone",
            Self::NodeDown { .. } => "the node is down, and its pod with it,",
            Self::NoRoom { .. } => "there is no room for the pod",
            Self::HostPort { port, .. } => return format!("host port {}/{} is taken", port.host_port, port.protocol),
            Self::BesideOldPod { .. } => "the new pod does not fit beside the old one",
            Self::UntoleratedTaint { .. } => "a taint keeps the pod away",
            Self::PodAffinity { .. } => "affinity keeps the pod away",
            Self::Volume { .. } => "a volume keeps the pod from being scheduled",
            Self::Unschedulable { .. } => "the pod is not scheduled",
            Self::SchedulingGated => "the pod has scheduling gates",
            Self::NotLookedAt { .. } => "no scheduler has looked at the pod",
            Self::ImagePull { image, .. } => return format!("image `{image}` cannot be pulled"),
            Self::CannotStart { container, .. } => return format!("container `{container}` cannot be started"),
            Self::CrashLoop { container, .. } => return format!("container `{container}` crashes again and again"),
            Self::InitContainer { container, .. } => return format!("init container `{container}` does not end"),
            Self::ContainerCreating { .. } => "the containers are not created",
            Self::NeverReady { .. } => "the pod does not become ready",
            Self::Starting { .. } => "the pod is starting",
            Self::NotYetAvailable { .. } => "the pod is not available yet",
            Self::Failed { .. } => "the pod fails",
            Self::Succeeded => "the pod has ended",
            Self::Finalizers { .. } => "finalizers keep a deleted pod",
            Self::TerminatingOnDeadNode { .. } => "a deleted pod stays, since its kubelet does not answer,",
            Self::TerminatingTooLong { .. } => "a deleted pod does not go",
            Self::Terminating { .. } => "a pod is terminating",
            Self::Excess => "there are too many pods",
        }
        .to_owned()
    }

    fn chinese_title(&self) -> String {
        match self {
            Self::NoPod => "还没有 pod",
            Self::NodeGone => "pod 所在的节点已不存在",
            Self::NodeDown { .. } => "节点失效，pod 也随之失效",
            Self::NoRoom { .. } => "放不下此 pod",
            Self::HostPort { port, .. } => return format!("主机端口 {}/{} 已被占用", port.host_port, port.protocol),
            Self::BesideOldPod { .. } => "新 pod 无法与旧 pod 并存",
            Self::UntoleratedTaint { .. } => "污点排斥此 pod",
            Self::PodAffinity { .. } => "亲和性规则排斥此 pod",
            Self::Volume { .. } => "存储卷使 pod 无法调度",
            Self::Unschedulable { .. } => "pod 无法调度",
            Self::SchedulingGated => "pod 带有调度门控",
            Self::NotLookedAt { .. } => "没有调度器处理此 pod",
            Self::ImagePull { image, .. } => return format!("无法拉取镜像 `{image}`"),
            Self::CannotStart { container, .. } => return format!("容器 `{container}` 无法启动"),
            Self::CrashLoop { container, .. } => return format!("容器 `{container}` 反复崩溃"),
            Self::InitContainer { container, .. } => return format!("初始化容器 `{container}` 一直不结束"),
            Self::ContainerCreating { .. } => "容器没有创建",
            Self::NeverReady { .. } => "pod 一直未就绪",
            Self::Starting { .. } => "pod 正在启动",
            Self::NotYetAvailable { .. } => "pod 尚不可用",
            Self::Failed { .. } => "pod 失败",
            Self::Succeeded => "pod 已结束",
            Self::Finalizers { .. } => "finalizer 使已删除的 pod 无法消失",
            Self::TerminatingOnDeadNode { .. } => "kubelet 无响应，已删除的 pod 无法消失",
            Self::TerminatingTooLong { .. } => "已删除的 pod 迟迟不消失",
            Self::Terminating { .. } => "pod 正在终止",
            Self::Excess => "pod 过多",
        }
        .to_owned()
    }

    /// Why, where, and what follows from it.
    pub(super) fn sentence(&self, places: &Places, language: Language) -> String {
        let at = format!("{} ({})", nodes(places.count, language), place_names(places, language));
        match language {
            Language::English => format!("{at}: {}", self.english()),
            Language::Chinese => {
                let at = format!("{}（{}）", nodes(places.count, language), place_names(places, language));
                format!("{at}：{}", self.chinese())
            }
        }
    }

    fn english(&self) -> String {
        let english = Language::English;
        let time = |length: &u64| seconds(*length, english);
        match self {
            Self::NoPod => "no pod is there; the controller is about to make one".to_owned(),
            Self::NodeGone => {
                "the Node object is gone; the pod garbage collector removes the pod within a minute or two".to_owned()
            }
            Self::NodeDown { ready, seconds: since, eligible } => {
                let what = match ready {
                    ConditionStatus::Unknown => "the kubelet does not answer",
                    ConditionStatus::True | ConditionStatus::False => "the node is not ready",
                };
                let since = since.as_ref().map(|since| format!(" for {}", time(since))).unwrap_or_default();
                format!("{what}{since}; {}", counts(*eligible, english))
            }
            Self::NoRoom { refusals, preempts } => {
                let preemption = if *preempts {
                    "pods of lower priority are to be evicted for it"
                } else {
                    "No preemption victims found for incoming pod; the pod is pinned to its node, so that more nodes do \
                     not help"
                };
                format!("{}; {preemption}", shortages(refusals, english))
            }
            Self::HostPort { port, holder } => format!(
                "host port {}/{} is taken by {holder}, and the pod stays Pending",
                port.host_port, port.protocol
            ),
            Self::BesideOldPod { refusals } => format!(
                "the new pod fits only once the old one is gone, and with `maxSurge` the old one stays until the new one \
                 is available: {}",
                shortages(refusals, english)
            ),
            Self::UntoleratedTaint { taint } => {
                format!("the scheduler keeps the pod from taint `{taint}`, which it does not tolerate")
            }
            Self::PodAffinity { refusal } => refusal.words(english),
            Self::Volume { message } | Self::Unschedulable { message } => format!(
                "the scheduler says: {message}{}",
                if matches!(self, Self::Volume { .. }) {
                    ""
                } else {
                    " (pods of other namespaces may be missing in the input)"
                }
            ),
            Self::SchedulingGated => "the scheduler waits until `spec.schedulingGates` is empty".to_owned(),
            Self::NotLookedAt { scheduler, seconds: age } => format!(
                "the pod fits, has waited {} and bears no word of a scheduler: does `{scheduler}` run?",
                time(age)
            ),
            Self::ImagePull { container, image, reason, message } => {
                format!("{reason}: image `{image}` of container `{container}`{}", told(message, english))
            }
            Self::CannotStart { container, reason, message } => {
                format!("{reason}: container `{container}`{}", told(message, english))
            }
            Self::CrashLoop { container, init, restarts, reason, exit_code } => {
                let kind = if *init { "init container" } else { "container" };
                let reason = if reason.is_empty() { "ended" } else { reason.as_str() };
                let code = exit_code.map(|code| format!(" (exit code {code})")).unwrap_or_default();
                format!("{kind} `{container}`: {reason}{code}, restarted {restarts} times")
            }
            Self::InitContainer { container, seconds: age } => {
                format!("init container `{container}` still runs after {}; the others wait for it", time(age))
            }
            Self::ContainerCreating { seconds: age } => format!(
                "no container was created in {}, and the pod does not say why: volumes, network or sandbox; its events do",
                time(age)
            ),
            Self::NeverReady { seconds: age, gate: true } => {
                format!("the containers are ready, and a readiness gate has not been passed for {}", time(age))
            }
            Self::NeverReady { seconds: age, gate: false } => {
                format!("the containers run and have not been ready for {}: see the readiness probe", time(age))
            }
            Self::Starting { seconds: age } => format!("not ready for {}, which is within patience", time(age)),
            Self::NotYetAvailable { seconds: left } => {
                format!("ready, and available by `minReadySeconds` in {}", time(left))
            }
            Self::Failed { reason } => format!(
                "phase Failed{}; the controller deletes it and makes another, with a back-off from 1 s to 15 min",
                if reason.is_empty() { String::new() } else { format!(" ({reason})") }
            ),
            Self::Succeeded => "phase Succeeded; the controller deletes it and makes another at once".to_owned(),
            Self::Finalizers { finalizers, seconds: late } => {
                format!("should have been gone {} ago; finalizers: {}", time(late), finalizers.join(", "))
            }
            Self::TerminatingOnDeadNode { eligible } => {
                format!("the kubelet does not answer, so that the deleted pod stays; {}", counts(*eligible, english))
            }
            Self::TerminatingTooLong { seconds: late } => format!(
                "should have been gone {} ago: its containers do not stop, or the kubelet cannot clean up",
                time(late)
            ),
            Self::Terminating { seconds: left } => {
                format!("terminating; the successor comes when it is gone, at most {} from now", time(left))
            }
            Self::Excess => "more pods than one; the controller deletes the surplus".to_owned(),
        }
    }

    fn chinese(&self) -> String {
        let chinese = Language::Chinese;
        let time = |length: &u64| seconds(*length, chinese);
        match self {
            Self::NoPod => "没有 pod；控制器即将创建".to_owned(),
            Self::NodeGone => "Node 对象已不存在；pod 垃圾回收会在一两分钟内移除该 pod".to_owned(),
            Self::NodeDown { ready, seconds: since, eligible } => {
                let what = match ready {
                    ConditionStatus::Unknown => "kubelet 无响应",
                    ConditionStatus::True | ConditionStatus::False => "节点未就绪",
                };
                let since = since.as_ref().map(|since| format!("，已持续 {}", time(since))).unwrap_or_default();
                format!("{what}{since}；{}", counts(*eligible, chinese))
            }
            Self::NoRoom { refusals, preempts } => {
                let preemption = if *preempts {
                    "将驱逐优先级更低的 pod"
                } else {
                    "No preemption victims found for incoming pod；pod 固定在该节点上，增加节点没有帮助"
                };
                format!("{}；{preemption}", shortages(refusals, chinese))
            }
            Self::HostPort { port, holder } => {
                format!("主机端口 {}/{} 已被 {holder} 占用，pod 保持 Pending", port.host_port, port.protocol)
            }
            Self::BesideOldPod { refusals } => format!(
                "旧 pod 消失后新 pod 才放得下，而使用 `maxSurge` 时旧 pod 要等新 pod 可用：{}",
                shortages(refusals, chinese)
            ),
            Self::UntoleratedTaint { taint } => format!("pod 不容忍污点 `{taint}`，调度器不会绑定"),
            Self::PodAffinity { refusal } => refusal.words(chinese),
            Self::Volume { message } | Self::Unschedulable { message } => format!(
                "调度器的说法：{message}{}",
                if matches!(self, Self::Volume { .. }) {
                    ""
                } else {
                    "（输入中可能缺少其他命名空间的 pod）"
                }
            ),
            Self::SchedulingGated => "调度器等待 `spec.schedulingGates` 清空".to_owned(),
            Self::NotLookedAt { scheduler, seconds: age } => {
                format!("放得下，已等待 {}，却没有任何调度器的记录：`{scheduler}` 在运行吗？", time(age))
            }
            Self::ImagePull { container, image, reason, message } => {
                format!("{reason}：容器 `{container}` 的镜像 `{image}`{}", told(message, chinese))
            }
            Self::CannotStart { container, reason, message } => {
                format!("{reason}：容器 `{container}`{}", told(message, chinese))
            }
            Self::CrashLoop { container, init, restarts, reason, exit_code } => {
                let kind = if *init { "初始化容器" } else { "容器" };
                let reason = if reason.is_empty() { "已退出" } else { reason.as_str() };
                let code = exit_code.map(|code| format!("（退出码 {code}）")).unwrap_or_default();
                format!("{kind} `{container}`：{reason}{code}，已重启 {restarts} 次")
            }
            Self::InitContainer { container, seconds: age } => {
                format!("初始化容器 `{container}` 在 {}后仍在运行，其他容器在等它", time(age))
            }
            Self::ContainerCreating { seconds: age } => {
                format!("{}内没有创建容器，pod 没有说明原因：存储卷、网络或沙箱；见其事件", time(age))
            }
            Self::NeverReady { seconds: age, gate: true } => {
                format!("容器已就绪，但 readiness gate 在 {}内未通过", time(age))
            }
            Self::NeverReady { seconds: age, gate: false } => {
                format!("容器在运行，但已 {}未就绪：请查看就绪探针", time(age))
            }
            Self::Starting { seconds: age } => format!("未就绪 {}，仍在容忍时间内", time(age)),
            Self::NotYetAvailable { seconds: left } => {
                format!("已就绪，按 `minReadySeconds` 还需 {}才可用", time(left))
            }
            Self::Failed { reason } => format!(
                "phase 为 Failed{}；控制器会删除并重建，退避时间从 1 秒到 15 分钟",
                if reason.is_empty() { String::new() } else { format!("（{reason}）") }
            ),
            Self::Succeeded => "phase 为 Succeeded；控制器会立即删除并重建".to_owned(),
            Self::Finalizers { finalizers, seconds: late } => {
                format!("本应在 {}前消失；finalizer：{}", time(late), finalizers.join("、"))
            }
            Self::TerminatingOnDeadNode { eligible } => {
                format!("kubelet 无响应，因此已删除的 pod 一直存在；{}", counts(*eligible, chinese))
            }
            Self::TerminatingTooLong { seconds: late } => {
                format!("本应在 {}前消失：容器没有停止，或 kubelet 无法清理", time(late))
            }
            Self::Terminating { seconds: left } => {
                format!("正在终止；消失后才会创建新的 pod，最多还需 {}", time(left))
            }
            Self::Excess => "pod 多于一个；控制器会删除多余的".to_owned(),
        }
    }
}

/// Whether a dead node counts, and so what of.
fn counts(eligible: bool, language: Language) -> &'static str {
    match (eligible, language) {
        (true, Language::English) => {
            "the template tolerates its taints, so that it counts in DESIRED and in the budget"
        }
        (true, Language::Chinese) => "模板容忍其污点，因此计入 DESIRED 和预算",
        (false, Language::English) => {
            "the template does not tolerate its taints, so that it is not in DESIRED, while its pod takes a place in the \
             budget until it is gone"
        }
        (false, Language::Chinese) => "模板不容忍其污点，因此不计入 DESIRED，但其 pod 在消失之前仍占用预算",
    }
}

/// Every refusal, and how much is missing where it is an amount.
fn shortages(refusals: &[Refusal], language: Language) -> String {
    let said = refusals.iter().map(|refusal| match refusal {
        Refusal::Insufficient { resource, requested, used, allocatable } => {
            let missing = requested.saturating_sub(allocatable.saturating_sub(*used));
            let missing = super::amount(resource, missing);
            match language {
                Language::English => format!("{}, {missing} missing", refusal.words(language)),
                Language::Chinese => format!("{}，缺少 {missing}", refusal.words(language)),
            }
        }
        other => other.words(language),
    });
    said.collect::<Vec<_>>().join(match language {
        Language::English => "; ",
        Language::Chinese => "；",
    })
}

fn told(message: &Text, language: Language) -> String {
    match (message.is_empty(), language) {
        (true, _) => String::new(),
        (false, Language::English) => format!(": {message}"),
        (false, Language::Chinese) => format!("：{message}"),
    }
}

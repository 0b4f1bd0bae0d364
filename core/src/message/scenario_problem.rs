use super::Words;
use super::telling::{Grouped, Names, Quoted, Telling, tell};
use crate::manifest::ScenarioProblem;

impl Words for ScenarioProblem {
    fn tell(&self, to: &mut Telling) {
        match self {
            Self::NotAScenario { kind } if kind.is_empty() => {
                tell!(to, "this is no scenario: `kind: Scenario` is missing", "这不是场景：缺少 `kind: Scenario`");
            }
            Self::NotAScenario { kind } => tell!(
                to,
                "this is a `{0}`, no scenario; objects of Kubernetes belong in `cluster.objects`",
                "这是 `{0}`，不是场景；Kubernetes 对象应放在 `cluster.objects` 中",
                kind
            ),
            Self::OtherVersion { written, known } => tell!(
                to,
                "scenarios of version `{0}` are not read here, those of `{1}` are",
                "此处不读取 `{0}` 版本的场景，只读取 `{1}`",
                written,
                known
            ),
            Self::SecondDocument => tell!(
                to,
                "a scenario is one document; objects of Kubernetes belong in `cluster.objects`",
                "一个场景只有一个文档；Kubernetes 对象应放在 `cluster.objects` 中"
            ),
            Self::Missing { key } => tell!(to, "`{0}` is missing", "缺少 `{0}`", key),
            Self::MissingOneOf { keys } => {
                tell!(to, "one of {0} is missing", "缺少其中之一：{0}", Quoted(keys));
            }
            Self::Excludes { other } => tell!(
                to,
                "this and `{0}` exclude each other; keep one of them",
                "此项与 `{0}` 互斥；请只保留一个",
                other
            ),
            Self::NotADuration { written } => tell!(
                to,
                "`{0}` is no length of time such as `10s`, `1m30s`, `250ms` or `2h`",
                "`{0}` 不是时长；写法如 `10s`、`1m30s`、`250ms`、`2h`",
                written
            ),
            Self::NegativeDuration => tell!(to, "nothing takes less than no time", "时长不能为负"),
            Self::DurationOutOfRange { days } => tell!(
                to,
                "lengths of time are whole microseconds up to {0} days",
                "时长以整微秒计，最长 {0} 天",
                Grouped(*days)
            ),
            Self::NumberOutOfRange { least, most } => {
                tell!(to, "this is no number from {0} to {1}", "这不是 {0} 到 {1} 之间的数", least, most);
            }
            Self::UnknownWord { written, meant: Some(meant), .. } => {
                tell!(
                    to,
                    "unknown word `{0}`; did you mean `{1}`?",
                    "未知的词 `{0}`；是否想写 `{1}`？",
                    written,
                    meant
                );
            }
            Self::UnknownWord { written, meant: None, known } => {
                tell!(to, "unknown word `{0}`; known are {1}", "未知的词 `{0}`；可用的有 {1}", written, Quoted(known));
            }
            Self::Empty => tell!(to, "this has to say something", "此处不能为空"),
            Self::LeastAboveMost => tell!(to, "`least` is longer than `most`", "`least` 比 `most` 长"),
            Self::P95BelowMedian => tell!(
                to,
                "`p95` is shorter than `median`, but only one in twenty may take longer than it",
                "`p95` 比 `median` 短，而超过它的只应有二十分之一"
            ),
            Self::MedianIsZero => tell!(
                to,
                "a `median` of zero leaves no room for a spread; write the time as a constant",
                "`median` 为零时没有离散可言；请写成常量"
            ),
            Self::RanksFall => tell!(
                to,
                "`least`, `median`, `p95` and `most` must not fall in this order",
                "`least`、`median`、`p95`、`most` 必须依次不减"
            ),
            Self::NodeName { written } => tell!(
                to,
                "`{0}` cannot be part of a node's name: lower-case letters, digits, - and .",
                "`{0}` 不能作节点名：只能用小写字母、数字、- 和 .",
                written
            ),
            Self::LabelSyntax { written } => {
                tell!(to, "`{0}` cannot stand in a label", "`{0}` 不能用于标签", written);
            }
            Self::UnknownResource { written } => tell!(
                to,
                "unknown resource `{0}`; extended ones have a domain, as `nvidia.com/gpu`",
                "未知的资源 `{0}`；扩展资源带有域名，如 `nvidia.com/gpu`",
                written
            ),
            Self::NegativeAmount => tell!(to, "an amount cannot be below zero", "数量不能为负"),
            Self::TooManyNodes { count, limit } => tell!(
                to,
                "these are {0} nodes in all; at most {1} are played",
                "共有 {0} 个节点；最多推演 {1} 个",
                count,
                Grouped(*limit)
            ),
            Self::NoNodes => tell!(
                to,
                "there are no nodes to play on: give some in `pools` or `objects`, or let one join by an event",
                "没有可推演的节点：请在 `pools` 或 `objects` 中给出，或由事件加入"
            ),
            Self::NodeTwice { name } => {
                tell!(to, "there is a node `{0}` already", "节点 `{0}` 已存在", name);
            }
            Self::ObjectTwice { kind, name } => {
                tell!(to, "there is a {0} `{1}` already", "{0} `{1}` 已存在", kind.name(), name);
            }
            Self::UnknownNode { name, meant: Some(meant) } => tell!(
                to,
                "there is no node `{0}` then; did you mean `{1}`?",
                "此时没有节点 `{0}`；是否指 `{1}`？",
                name,
                meant
            ),
            Self::UnknownNode { name, meant: None } => {
                tell!(to, "there is no node `{0}` then", "此时没有节点 `{0}`", name);
            }
            Self::UnknownPod { name } => tell!(
                to,
                "there is no pod `{0}`, and the controller makes none of that name",
                "没有 pod `{0}`，控制器也不会创建此名的 pod",
                name
            ),
            Self::NoDaemonSet => tell!(
                to,
                "there is no DaemonSet to play: give one as `daemonSet` (it runs) or as `change` (it is installed)",
                "没有可推演的 DaemonSet：请以 `daemonSet`（正在运行）或 `change`（将要安装）给出"
            ),
            Self::SeveralDaemonSets { names } => tell!(
                to,
                "the cluster has several DaemonSets ({0}); choose one with `daemonSetRef`",
                "集群中有多个 DaemonSet（{0}）；请用 `daemonSetRef` 选择一个",
                Names(names, u32::try_from(names.len()).unwrap_or(u32::MAX))
            ),
            Self::UnknownDaemonSet { name } => {
                tell!(to, "the cluster has no DaemonSet `{0}`", "集群中没有 DaemonSet `{0}`", name);
            }
            Self::OtherDaemonSet { written, played } => tell!(
                to,
                "this is DaemonSet `{0}`, while `{1}` is played",
                "这是 DaemonSet `{0}`，而推演的是 `{1}`",
                written,
                played
            ),
            Self::OtherKind { wanted } => {
                tell!(to, "a {0} belongs here", "此处应为 {0}", wanted.name());
            }
            Self::NoPods => tell!(
                to,
                "the cluster has no pods of the DaemonSet to start from; `Settled` gives each node one",
                "集群中没有可作起点的 DaemonSet pod；`Settled` 会为每个节点配一个"
            ),
            Self::BeforeStart => tell!(to, "this lies before the start", "此事早于开始时刻"),
            Self::NoDaemonSetThen => {
                tell!(to, "there is no DaemonSet at this time", "此时没有 DaemonSet");
            }
            Self::FromTheFuture { at } => tell!(
                to,
                "the play starts before something in the cluster that is of {0}",
                "推演的开始早于集群中 {0} 的内容",
                at
            ),
            Self::FileNotRead { name } => tell!(to, "`{0}` could not be read", "无法读取 `{0}`", name),
            Self::StandsElsewhere => {
                tell!(to, "this has a text of its own here", "此项在这里有单独的文本");
            }
            Self::FilesNotRead => tell!(
                to,
                "other files cannot be read from here; put their objects into `cluster.objects`",
                "此处无法读取其他文件；请把其中的对象放入 `cluster.objects`"
            ),
        }
    }
}

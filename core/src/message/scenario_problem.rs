use super::{Language, Words, grouped, names};
use crate::api::Text;
use crate::manifest::ScenarioProblem;

impl Words for ScenarioProblem {
    fn words(&self, language: Language) -> String {
        match language {
            Language::English => english(self),
            Language::Chinese => chinese(self),
        }
    }
}

fn english(problem: &ScenarioProblem) -> String {
    match problem {
        ScenarioProblem::NotAScenario { kind } if kind.is_empty() => {
            "this is no scenario: `kind: Scenario` is missing".to_owned()
        }
        ScenarioProblem::NotAScenario { kind } => {
            format!("this is a `{kind}`, no scenario; objects of Kubernetes belong in `cluster.objects`")
        }
        ScenarioProblem::OtherVersion { written, known } => {
            format!("scenarios of version `{written}` are not read here, those of `{known}` are")
        }
        ScenarioProblem::SecondDocument => {
            "a scenario is one document; objects of Kubernetes belong in `cluster.objects`".to_owned()
        }
        ScenarioProblem::Missing { key } => format!("`{key}` is missing"),
        ScenarioProblem::MissingOneOf { keys } => format!("one of {} is missing", listed(keys, ", ")),
        ScenarioProblem::Excludes { other } => format!("this and `{other}` exclude each other; keep one of them"),
        ScenarioProblem::NotADuration { written } => {
            format!("`{written}` is no length of time such as `10s`, `1m30s`, `250ms` or `2h`")
        }
        ScenarioProblem::NegativeDuration => "nothing takes less than no time".to_owned(),
        ScenarioProblem::DurationOutOfRange { days } => {
            format!("lengths of time are whole microseconds up to {} days", grouped(*days))
        }
        ScenarioProblem::NumberOutOfRange { least, most } => format!("this is no number from {least} to {most}"),
        ScenarioProblem::UnknownWord { written, meant: Some(meant), .. } => {
            format!("unknown word `{written}`; did you mean `{meant}`?")
        }
        ScenarioProblem::UnknownWord { written, meant: None, known } => {
            format!("unknown word `{written}`; known are {}", listed(known, ", "))
        }
        ScenarioProblem::Empty => "this has to say something".to_owned(),
        ScenarioProblem::LeastAboveMost => "`least` is longer than `most`".to_owned(),
        ScenarioProblem::P95BelowMedian => {
            "`p95` is shorter than `median`, but only one in twenty may take longer than it".to_owned()
        }
        ScenarioProblem::MedianIsZero => {
            "a `median` of zero leaves no room for a spread; write the time as a constant".to_owned()
        }
        ScenarioProblem::RanksFall => "`least`, `median`, `p95` and `most` must not fall in this order".to_owned(),
        ScenarioProblem::NodeName { written } => {
            format!("`{written}` cannot be part of a node's name: lower-case letters, digits, - and .")
        }
        ScenarioProblem::LabelSyntax { written } => format!("`{written}` cannot stand in a label"),
        ScenarioProblem::UnknownResource { written } => {
            format!("unknown resource `{written}`; extended ones have a domain, as `nvidia.com/gpu`")
        }
        ScenarioProblem::NegativeAmount => "an amount cannot be below zero".to_owned(),
        ScenarioProblem::TooManyNodes { count, limit } => {
            format!("these are {count} nodes in all; at most {} are played", grouped(*limit))
        }
        ScenarioProblem::NoNodes => {
            "there are no nodes to play on: give some in `pools` or `objects`, or let one join by an event".to_owned()
        }
        ScenarioProblem::NodeTwice { name } => format!("there is a node `{name}` already"),
        ScenarioProblem::ObjectTwice { kind, name } => format!("there is a {} `{name}` already", kind.name()),
        ScenarioProblem::UnknownNode { name, meant: Some(meant) } => {
            format!("there is no node `{name}` then; did you mean `{meant}`?")
        }
        ScenarioProblem::UnknownNode { name, meant: None } => format!("there is no node `{name}` then"),
        ScenarioProblem::UnknownPod { name } => {
            format!("there is no pod `{name}`, and the controller makes none of that name")
        }
        ScenarioProblem::NoDaemonSet => {
            "there is no DaemonSet to play: give one as `daemonSet` (it runs) or as `change` (it is installed)"
                .to_owned()
        }
        ScenarioProblem::SeveralDaemonSets { names } => {
            format!(
                "the cluster has several DaemonSets ({}); choose one with `daemonSetRef`",
                joined(names, Language::English)
            )
        }
        ScenarioProblem::UnknownDaemonSet { name } => format!("the cluster has no DaemonSet `{name}`"),
        ScenarioProblem::OtherDaemonSet { written, played } => {
            format!("this is DaemonSet `{written}`, while `{played}` is played")
        }
        ScenarioProblem::OtherKind { wanted } => format!("a {} belongs here", wanted.name()),
        ScenarioProblem::NoPods => {
            "the cluster has no pods of the DaemonSet to start from; `Settled` gives each node one".to_owned()
        }
        ScenarioProblem::BeforeStart => "this lies before the start".to_owned(),
        ScenarioProblem::NoDaemonSetThen => "there is no DaemonSet at this time".to_owned(),
        ScenarioProblem::FromTheFuture { at } => {
            format!("the play starts before something in the cluster that is of {at}")
        }
        ScenarioProblem::FileNotRead { name } => format!("`{name}` could not be read"),
        ScenarioProblem::StandsElsewhere => "this has a text of its own here".to_owned(),
        ScenarioProblem::FilesNotRead => {
            "other files cannot be read from here; put their objects into `cluster.objects`".to_owned()
        }
    }
}

fn chinese(problem: &ScenarioProblem) -> String {
    match problem {
        ScenarioProblem::NotAScenario { kind } if kind.is_empty() => "这不是场景：缺少 `kind: Scenario`".to_owned(),
        ScenarioProblem::NotAScenario { kind } => {
            format!("这是 `{kind}`，不是场景；Kubernetes 对象应放在 `cluster.objects` 中")
        }
        ScenarioProblem::OtherVersion { written, known } => {
            format!("此处不读取 `{written}` 版本的场景，只读取 `{known}`")
        }
        ScenarioProblem::SecondDocument => {
            "一个场景只有一个文档；Kubernetes 对象应放在 `cluster.objects` 中".to_owned()
        }
        ScenarioProblem::Missing { key } => format!("缺少 `{key}`"),
        ScenarioProblem::MissingOneOf { keys } => format!("缺少其中之一：{}", listed(keys, "、")),
        ScenarioProblem::Excludes { other } => format!("此项与 `{other}` 互斥；请只保留一个"),
        ScenarioProblem::NotADuration { written } => {
            format!("`{written}` 不是时长；写法如 `10s`、`1m30s`、`250ms`、`2h`")
        }
        ScenarioProblem::NegativeDuration => "时长不能为负".to_owned(),
        ScenarioProblem::DurationOutOfRange { days } => {
            format!("时长以整微秒计，最长 {} 天", grouped(*days))
        }
        ScenarioProblem::NumberOutOfRange { least, most } => format!("这不是 {least} 到 {most} 之间的数"),
        ScenarioProblem::UnknownWord { written, meant: Some(meant), .. } => {
            format!("未知的词 `{written}`；是否想写 `{meant}`？")
        }
        ScenarioProblem::UnknownWord { written, meant: None, known } => {
            format!("未知的词 `{written}`；可用的有 {}", listed(known, "、"))
        }
        ScenarioProblem::Empty => "此处不能为空".to_owned(),
        ScenarioProblem::LeastAboveMost => "`least` 比 `most` 长".to_owned(),
        ScenarioProblem::P95BelowMedian => "`p95` 比 `median` 短，而超过它的只应有二十分之一".to_owned(),
        ScenarioProblem::MedianIsZero => "`median` 为零时没有离散可言；请写成常量".to_owned(),
        ScenarioProblem::RanksFall => "`least`、`median`、`p95`、`most` 必须依次不减".to_owned(),
        ScenarioProblem::NodeName { written } => {
            format!("`{written}` 不能作节点名：只能用小写字母、数字、- 和 .")
        }
        ScenarioProblem::LabelSyntax { written } => format!("`{written}` 不能用于标签"),
        ScenarioProblem::UnknownResource { written } => {
            format!("未知的资源 `{written}`；扩展资源带有域名，如 `nvidia.com/gpu`")
        }
        ScenarioProblem::NegativeAmount => "数量不能为负".to_owned(),
        ScenarioProblem::TooManyNodes { count, limit } => {
            format!("共有 {count} 个节点；最多推演 {} 个", grouped(*limit))
        }
        ScenarioProblem::NoNodes => "没有可推演的节点：请在 `pools` 或 `objects` 中给出，或由事件加入".to_owned(),
        ScenarioProblem::NodeTwice { name } => format!("节点 `{name}` 已存在"),
        ScenarioProblem::ObjectTwice { kind, name } => format!("{} `{name}` 已存在", kind.name()),
        ScenarioProblem::UnknownNode { name, meant: Some(meant) } => {
            format!("此时没有节点 `{name}`；是否指 `{meant}`？")
        }
        ScenarioProblem::UnknownNode { name, meant: None } => format!("此时没有节点 `{name}`"),
        ScenarioProblem::UnknownPod { name } => format!("没有 pod `{name}`，控制器也不会创建此名的 pod"),
        ScenarioProblem::NoDaemonSet => {
            "没有可推演的 DaemonSet：请以 `daemonSet`（正在运行）或 `change`（将要安装）给出".to_owned()
        }
        ScenarioProblem::SeveralDaemonSets { names } => {
            format!("集群中有多个 DaemonSet（{}）；请用 `daemonSetRef` 选择一个", joined(names, Language::Chinese))
        }
        ScenarioProblem::UnknownDaemonSet { name } => format!("集群中没有 DaemonSet `{name}`"),
        ScenarioProblem::OtherDaemonSet { written, played } => {
            format!("这是 DaemonSet `{written}`，而推演的是 `{played}`")
        }
        ScenarioProblem::OtherKind { wanted } => format!("此处应为 {}", wanted.name()),
        ScenarioProblem::NoPods => "集群中没有可作起点的 DaemonSet pod；`Settled` 会为每个节点配一个".to_owned(),
        ScenarioProblem::BeforeStart => "此事早于开始时刻".to_owned(),
        ScenarioProblem::NoDaemonSetThen => "此时没有 DaemonSet".to_owned(),
        ScenarioProblem::FromTheFuture { at } => format!("推演的开始早于集群中 {at} 的内容"),
        ScenarioProblem::FileNotRead { name } => format!("无法读取 `{name}`"),
        ScenarioProblem::StandsElsewhere => "此项在这里有单独的文本".to_owned(),
        ScenarioProblem::FilesNotRead => "此处无法读取其他文件；请把其中的对象放入 `cluster.objects`".to_owned(),
    }
}

fn listed(words: &[&str], separator: &str) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    quoted.join(separator)
}

fn joined(all: &[Text], language: Language) -> String {
    names(all, u32::try_from(all.len()).unwrap_or(u32::MAX), language)
}

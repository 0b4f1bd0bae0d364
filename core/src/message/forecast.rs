use std::time::Duration;

use super::phrase::{grouped, nodes, pods, seconds_up};
use super::{Language, Words, amount, duration};
use crate::forecast::{
    Bound, ConditionField, ConditionProblem, ConditionProblemKind, ConditionUnit, DeadlineProblem, EndingKind,
    PercentLimit, Setting, WaitsFor,
};
use crate::scenario::Start;
use crate::sim::{ExtraRequests, RegistryLoad};

impl Words for Setting {
    /// The setting as a row of a table names it: `maxUnavailable 10%`.
    fn words(&self, language: Language) -> String {
        match (self, language) {
            (Self::Own, Language::English) => "as the manifest has it".to_owned(),
            (Self::Own, Language::Chinese) => "按清单原样".to_owned(),
            (Self::MaxUnavailable(limit), _) => format!("maxUnavailable {limit}"),
            (Self::MaxSurge(limit), _) => format!("maxSurge {limit}"),
            (Self::OnDelete { batch }, Language::English) => format!("OnDelete, by hand {batch} at a time"),
            (Self::OnDelete { batch }, Language::Chinese) => format!("OnDelete，每次人工删除 {batch}"),
        }
    }
}

impl Words for Start {
    /// What every play starts from.
    fn words(&self, language: Language) -> String {
        let (english, chinese) = match self {
            Self::Pods => ("the pods in the input", "输入中的 pod"),
            Self::Settled => (
                "an available pod of the present template on every node that should run one",
                "每个应运行的节点上都有一个可用的、当前模板的 pod",
            ),
        };
        pick(language, english, chinese)
    }
}

impl Words for EndingKind {
    fn words(&self, language: Language) -> String {
        let (english, chinese) = match self {
            Self::Stuck => ("stuck: nothing more is going to happen", "卡住：不会再有任何变化"),
            Self::Endless => ("no end: the same things happen again and again", "没有尽头：同样的事不断重复"),
            Self::NoDaemonSet => ("there is no DaemonSet any more", "DaemonSet 已不存在"),
        };
        pick(language, english, chinese)
    }
}

impl Words for WaitsFor {
    /// What exactly has to be there in time.
    fn words(&self, language: Language) -> String {
        let (english, chinese) = match self {
            Self::Rollout => (
                "the controller has seen the change, and every pod is updated and available (what `kubectl rollout \
                 status --timeout` and `helm --wait` of Helm 4 wait for)",
                "控制器已观察到变更，且所有 pod 均已更新并可用（`kubectl rollout status --timeout` 与 Helm 4 的 `helm \
                 --wait` 等待的条件）",
            ),
            Self::Helm3 => (
                "the controller has seen the change, every pod is updated, and all but `maxUnavailable` of them are \
                 ready; `minReadySeconds` does not count (what `helm --wait` of Helm 3 waits for)",
                "控制器已观察到变更，所有 pod 均已更新，且除 `maxUnavailable` 个外均已就绪；不计 \
                 `minReadySeconds`（Helm 3 的 `helm --wait` 等待的条件）",
            ),
        };
        pick(language, english, chinese)
    }
}

impl Words for DeadlineProblem {
    fn words(&self, language: Language) -> String {
        let (english, chinese) = match self {
            Self::Zero => ("a deadline of no time at all cannot be met", "期限为零，不可能满足"),
            Self::Past => ("the deadline is over already", "期限已过"),
        };
        pick(language, english, chinese)
    }
}

impl Words for ConditionProblem {
    fn words(&self, language: Language) -> String {
        let at = self.at.saturating_add(1);
        let what = self.kind.words(language);
        match language {
            Language::English => format!("at character {at}: {what}"),
            Language::Chinese => format!("第 {at} 个字符处：{what}"),
        }
    }
}

impl Words for ConditionProblemKind {
    fn words(&self, language: Language) -> String {
        match (self, language) {
            (Self::UnknownField { written, meant: Some(meant) }, Language::English) => {
                format!("unknown field `{written}`; did you mean `{meant}`?")
            }
            (Self::UnknownField { written, meant: Some(meant) }, Language::Chinese) => {
                format!("未知的字段 `{written}`；是否指 `{meant}`？")
            }
            (Self::UnknownField { written, meant: None }, Language::English) => {
                let what = if written.is_empty() {
                    "a field is missing".to_owned()
                } else {
                    format!("unknown field `{written}`")
                };
                format!("{what}; known are {}", known_fields(", "))
            }
            (Self::UnknownField { written, meant: None }, Language::Chinese) => {
                let what =
                    if written.is_empty() { "缺少字段".to_owned() } else { format!("未知的字段 `{written}`") };
                format!("{what}；可用的有 {}", known_fields("、"))
            }
            (Self::NoComparison, Language::English) => "one of <, <=, >, >=, ==, != is missing".to_owned(),
            (Self::NoComparison, Language::Chinese) => "缺少比较符：<、<=、>、>=、==、!=".to_owned(),
            (Self::Value { written, unit }, Language::English) if written.is_empty() => {
                format!("the value is missing: {}", unit.words(language))
            }
            (Self::Value { written, unit }, Language::Chinese) if written.is_empty() => {
                format!("缺少值：{}", unit.words(language))
            }
            (Self::Value { written, unit }, Language::English) => {
                format!("`{written}` is not {}", unit.words(language))
            }
            (Self::Value { written, unit }, Language::Chinese) => format!("`{written}` 不是{}", unit.words(language)),
        }
    }
}

fn known_fields(separator: &str) -> String {
    ConditionField::ALL.map(ConditionField::as_str).join(separator)
}

impl Words for ConditionUnit {
    /// What a value has to be: `a length of time such as 10m`.
    fn words(&self, language: Language) -> String {
        let (english, chinese) = match self {
            Self::Time => ("a length of time such as 90s, 10m or 1h30m", "时长，例如 90s、10m、1h30m"),
            Self::Nodes => {
                ("a count or a percentage of the nodes, such as 12 or 95%", "节点的数量或百分比，例如 12、95%")
            }
            Self::Percent => ("a percentage such as 99.5%", "百分比，例如 99.5%"),
            Self::Count => ("a whole number", "整数"),
            Self::Cpu => ("an amount of CPU such as 500m or 2", "CPU 数量，例如 500m、2"),
            Self::Bytes => ("an amount of bytes such as 512Mi or 2Gi", "字节数量，例如 512Mi、2Gi"),
        };
        pick(language, english, chinese)
    }
}

impl Words for PercentLimit {
    /// `10% (29 nodes)`.
    fn words(&self, language: Language) -> String {
        let count = nodes(self.nodes, language);
        match language {
            Language::English => format!("{}% ({count})", self.percent),
            Language::Chinese => format!("{}%（{count}）", self.percent),
        }
    }
}

impl Words for Bound {
    fn words(&self, language: Language) -> String {
        let time = |time: Duration| duration(seconds_up(time), language);
        match (self, language) {
            (Self::NeverFinishes { unfinished, plays, ending, waiting_on }, _) => {
                let why = waiting_on.first().map_or_else(|| ending.words(language), |wait| wait.words(language));
                let (some, all) = (grouped(*unfinished), grouped(*plays));
                match (unfinished == plays, language) {
                    (true, Language::English) => format!("the rollout never finishes: {why}"),
                    (true, Language::Chinese) => format!("永远不会完成：{why}"),
                    (false, Language::English) => {
                        format!("the rollout does not finish in {some} of {all} plays: {why}")
                    }
                    (false, Language::Chinese) => format!("{all} 次推演中有 {some} 次无法完成：{why}"),
                }
            }
            (Self::OnePod { gone, pulls, ready, min_ready }, _) => {
                let whole = gone.saturating_add(*pulls).saturating_add(*ready).saturating_add(*min_ready);
                let whole = time(whole);
                let parts = [
                    ("gone", "消失", gone),
                    ("images pulled", "拉取镜像", pulls),
                    ("ready", "就绪", ready),
                    ("minReadySeconds", "minReadySeconds", min_ready),
                ];
                let parts = parts.into_iter().filter(|(_, _, part)| !part.is_zero());
                let part = |(english, chinese, part): (&str, &str, &Duration)| match language {
                    Language::English => format!("{english} {}", time(*part)),
                    Language::Chinese => format!("{chinese} {}", time(*part)),
                };
                match language {
                    Language::English => {
                        format!("one pod alone takes {whole}: {}", parts.map(part).collect::<Vec<_>>().join(", "))
                    }
                    Language::Chinese => {
                        format!("单个 pod 就需要 {whole}：{}", parts.map(part).collect::<Vec<_>>().join("，"))
                    }
                }
            }
            (Self::Registry { bytes: all, bytes_per_second, least }, Language::English) => format!(
                "the registry gives {}/s, and {} have to be pulled: at least {}",
                bytes(*bytes_per_second),
                bytes(*all),
                time(*least)
            ),
            (Self::Registry { bytes: all, bytes_per_second, least }, Language::Chinese) => format!(
                "镜像仓库每秒提供 {}，而需拉取 {}：至少 {}",
                bytes(*bytes_per_second),
                bytes(*all),
                time(*least)
            ),
            (Self::Pace { p95 }, Language::English) => format!("even all at once it takes {} (p95)", time(*p95)),
            (Self::Pace { p95 }, Language::Chinese) => format!("即使全部同时进行也需要 {}（p95）", time(*p95)),
        }
    }
}

impl Words for ExtraRequests {
    /// `25 pods, cpu 2500m, memory 1600Mi`; `none`.
    fn words(&self, language: Language) -> String {
        let mut parts = Vec::new();
        if self.pods > 0 {
            parts.push(pods(self.pods, language));
        }
        for (resource, number) in [("cpu", self.cpu_millis), ("memory", self.memory_bytes)] {
            if number > 0 {
                parts.push(format!("{resource} {}", amount(resource, i64::try_from(number).unwrap_or(i64::MAX))));
            }
        }
        match (parts.is_empty(), language) {
            (true, Language::English) => "none".to_owned(),
            (true, Language::Chinese) => "无".to_owned(),
            (false, Language::English) => parts.join(", "),
            (false, Language::Chinese) => parts.join("，"),
        }
    }
}

impl Words for RegistryLoad {
    /// `12.5 GiB in all, 1 GiB/s at most`; `nothing is pulled`.
    fn words(&self, language: Language) -> String {
        let (total, peak) = (bytes(self.total_bytes), bytes(self.peak_bytes_per_second));
        match (self.total_bytes, language) {
            (0, Language::English) => "nothing is pulled".to_owned(),
            (0, Language::Chinese) => "无拉取".to_owned(),
            (_, Language::English) => format!("{total} in all, {peak}/s at most"),
            (_, Language::Chinese) => format!("共 {total}，峰值每秒 {peak}"),
        }
    }
}

/// Bytes in the largest binary unit that leaves at least one, with one decimal: `1.5 GiB`.
pub fn bytes(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut tenths = u128::from(bytes).saturating_mul(10);
    let mut unit = 0;
    while tenths >= 10_240 && unit + 1 < UNITS.len() {
        tenths = tenths.div_ceil(1024);
        unit += 1;
    }
    let unit = UNITS.get(unit).copied().unwrap_or_default();
    match (tenths / 10, tenths % 10) {
        (whole, 0) => format!("{whole} {unit}"),
        (whole, tenth) => format!("{whole}.{tenth} {unit}"),
    }
}

fn pick(language: Language, english: &str, chinese: &str) -> String {
    language.say(english, chinese).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forecast::Condition;

    #[test]
    fn an_amount_of_bytes_is_told_in_its_unit() {
        assert_eq!(bytes(0), "0 B");
        assert_eq!(bytes(1023), "1023 B");
        assert_eq!(bytes(1536), "1.5 KiB");
        assert_eq!(bytes(3 << 30), "3 GiB");
        assert_eq!(bytes(u64::MAX), "16777216 TiB");
    }

    #[test]
    fn one_pod_that_takes_too_long_is_told_part_by_part() {
        let (gone, ready, min_ready) = (Duration::from_secs(5), Duration::from_secs(40), Duration::from_mins(10));
        let told = |bound: Bound| bound.words(Language::English);
        assert_eq!(
            told(Bound::OnePod { gone, pulls: Duration::ZERO, ready, min_ready }),
            "one pod alone takes 10 min 45 s: gone 5 s, ready 40 s, minReadySeconds 10 min"
        );
        assert_eq!(
            told(Bound::OnePod { gone: Duration::ZERO, pulls: gone, ready, min_ready: Duration::ZERO }),
            "one pod alone takes 45 s: images pulled 5 s, ready 40 s"
        );
    }

    #[test]
    fn a_condition_that_cannot_be_read_is_told_with_its_place() {
        let told = |text: &str, language| Condition::parse(text).unwrap_err().words(language);
        assert_eq!(
            told("p95 > ten", Language::English),
            "at character 7: `ten` is not a length of time such as 90s, 10m or 1h30m"
        );
        assert_eq!(told("p95 10m", Language::Chinese), "第 5 个字符处：缺少比较符：<、<=、>、>=、==、!=");
        assert!(told("p59 > 1m", Language::English).contains("unknown field `p59`; did you mean `p5"));
    }

    #[test]
    fn extra_requests_are_told_in_manifests_words() {
        let extra = ExtraRequests { pods: 25, cpu_millis: 2500, memory_bytes: 1600 << 20 };
        assert_eq!(extra.words(Language::English), "25 pods, cpu 2500m, memory 1600Mi");
        assert_eq!(ExtraRequests::default().words(Language::Chinese), "无");
    }
}

use std::time::Duration;

use super::Words;
use super::phrase::seconds_up;
use super::telling::{Amount, Both, Bytes, Grouped, Length, Nodes, Pods, Telling, Told, part, tell};
use crate::both;
use crate::forecast::{
    Bound, ConditionField, ConditionProblem, ConditionProblemKind, ConditionUnit, DeadlineProblem, EndingKind,
    PercentLimit, Setting, WaitsFor,
};
use crate::scenario::Start;
use crate::sim::{ExtraRequests, RegistryLoad};

impl Words for Setting {
    /// The setting as a row of a table names it: `maxUnavailable 10%`.
    fn tell(&self, to: &mut Telling) {
        match self {
            Self::Own => tell!(to, "as the manifest has it", "按清单原样"),
            Self::MaxUnavailable(limit) => tell!(to, "maxUnavailable {}", "maxUnavailable {}", limit),
            Self::MaxSurge(limit) => tell!(to, "maxSurge {}", "maxSurge {}", limit),
            Self::OnDelete { batch } => {
                tell!(to, "OnDelete, by hand {} at a time", "OnDelete，每次人工删除 {}", batch);
            }
        }
    }
}

impl Words for Start {
    /// What every play starts from.
    fn tell(&self, to: &mut Telling) {
        to.both(match self {
            Self::Pods => both!("the pods in the input", "输入中的 pod"),
            Self::Settled => both!(
                "an available pod of the present template on every node that should run one",
                "每个应运行的节点上都有一个可用的、当前模板的 pod"
            ),
        });
    }
}

impl Words for EndingKind {
    fn tell(&self, to: &mut Telling) {
        to.both(match self {
            Self::Stuck => both!("stuck: nothing more is going to happen", "卡住：不会再有任何变化"),
            Self::Endless => {
                both!("no end: the same things happen again and again", "没有尽头：同样的事不断重复")
            }
            Self::NoDaemonSet => both!("there is no DaemonSet any more", "DaemonSet 已不存在"),
        });
    }
}

impl Words for WaitsFor {
    /// What exactly has to be there in time.
    fn tell(&self, to: &mut Telling) {
        to.both(match self {
            Self::Rollout => both!("the controller has seen the change, and every pod is updated and available (what `kubectl rollout \
                 status --timeout` and `helm --wait` of Helm 4 wait for)",
                "控制器已观察到变更，且所有 pod 均已更新并可用（`kubectl rollout status --timeout` 与 Helm 4 的 `helm \
                 --wait` 等待的条件）"
            ),
            Self::Helm3 => both!("the controller has seen the change, every pod is updated, and all but `maxUnavailable` of them are \
                 ready; `minReadySeconds` does not count (what `helm --wait` of Helm 3 waits for)",
                "控制器已观察到变更，所有 pod 均已更新，且除 `maxUnavailable` 个外均已就绪；不计 `minReadySeconds`（Helm 3 的 \
                 `helm --wait` 等待的条件）"
            ),
        });
    }
}

impl Words for DeadlineProblem {
    fn tell(&self, to: &mut Telling) {
        to.both(match self {
            Self::Zero => both!("a deadline of no time at all cannot be met", "期限为零，不可能满足"),
            Self::Past => both!("the deadline is over already", "期限已过"),
        });
    }
}

impl Words for ConditionProblem {
    fn tell(&self, to: &mut Telling) {
        let at = self.at.saturating_add(1);
        tell!(to, "at character {}: {}", "第 {} 个字符处：{}", at, self.kind);
    }
}

impl Words for ConditionProblemKind {
    fn tell(&self, to: &mut Telling) {
        match self {
            Self::UnknownField { written, meant: Some(meant) } => {
                tell!(to, "unknown field `{}`; did you mean `{}`?", "未知的字段 `{}`；是否指 `{}`？", written, meant);
            }
            Self::UnknownField { written, meant: None } => {
                if written.is_empty() {
                    tell!(to, "a field is missing", "缺少字段");
                } else {
                    tell!(to, "unknown field `{}`", "未知的字段 `{}`", written);
                }
                let known = ConditionField::ALL.map(ConditionField::as_str);
                let known = part(|to| to.list(&known, both!(", ", "、"), Words::tell));
                tell!(to, "{}; known are {}", "{}；可用的有 {}", Told, known);
            }
            Self::NoComparison => {
                tell!(to, "one of <, <=, >, >=, ==, != is missing", "缺少比较符：<、<=、>、>=、==、!=");
            }
            Self::Value { written, unit } if written.is_empty() => {
                tell!(to, "the value is missing: {}", "缺少值：{}", unit);
            }
            Self::Value { written, unit } => {
                tell!(to, "`{}` is not {}", "`{}` 不是{}", written, unit);
            }
        }
    }
}

impl Words for ConditionUnit {
    /// What a value has to be: `a length of time such as 10m`.
    fn tell(&self, to: &mut Telling) {
        to.both(match self {
            Self::Time => {
                both!("a length of time such as 90s, 10m or 1h30m", "时长，例如 90s、10m、1h30m")
            }
            Self::Nodes => {
                both!("a count or a percentage of the nodes, such as 12 or 95%", "节点的数量或百分比，例如 12、95%")
            }
            Self::Percent => both!("a percentage such as 99.5%", "百分比，例如 99.5%"),
            Self::Count => both!("a whole number", "整数"),
            Self::Cpu => both!("an amount of CPU such as 500m or 2", "CPU 数量，例如 500m、2"),
            Self::Bytes => both!("an amount of bytes such as 512Mi or 2Gi", "字节数量，例如 512Mi、2Gi"),
        });
    }
}

impl Words for PercentLimit {
    /// `10% (29 nodes)`.
    fn tell(&self, to: &mut Telling) {
        tell!(to, "{}% ({})", "{}%（{}）", self.percent, Nodes(self.nodes));
    }
}

impl Words for Bound {
    fn tell(&self, to: &mut Telling) {
        let time = |time: Duration| Length(seconds_up(time));
        match self {
            Self::NeverFinishes { unfinished, plays, ending, waiting_on } => {
                let why: &dyn Words = match waiting_on.first() {
                    Some(wait) => wait,
                    None => ending,
                };
                if unfinished == plays {
                    return tell!(to, "the rollout never finishes: {}", "永远不会完成：{}", why);
                }
                tell!(
                    to,
                    "the rollout does not finish in {} of {} plays: {}",
                    "{1} 次推演中有 {0} 次无法完成：{2}",
                    Grouped(*unfinished),
                    Grouped(*plays),
                    why
                );
            }
            Self::OnePod { gone, pulls, ready, min_ready } => {
                let whole = gone.saturating_add(*pulls).saturating_add(*ready).saturating_add(*min_ready);
                let parts = part(|to| {
                    to.text("");
                    for (what, length) in [
                        (both!("gone", "消失"), gone),
                        (both!("images pulled", "拉取镜像"), pulls),
                        (both!("ready", "就绪"), ready),
                        ("minReadySeconds", min_ready),
                    ] {
                        if !length.is_zero() {
                            tell!(to, "{} {}", "{} {}", Both(what), time(*length));
                            to.join(both!(", ", "，"));
                        }
                    }
                });
                tell!(to, "one pod alone takes {}: {}", "单个 pod 就需要 {}：{}", time(whole), parts);
            }
            Self::Registry { bytes: all, bytes_per_second, least } => tell!(
                to,
                "the registry gives {}/s, and {} have to be pulled: at least {}",
                "镜像仓库每秒提供 {}，而需拉取 {}：至少 {}",
                Bytes(*bytes_per_second),
                Bytes(*all),
                time(*least)
            ),
            Self::Pace { p95 } => {
                tell!(to, "even all at once it takes {} (p95)", "即使全部同时进行也需要 {}（p95）", time(*p95));
            }
        }
    }
}

impl Words for ExtraRequests {
    /// `25 pods, cpu 2500m, memory 1600Mi`; `none`.
    fn tell(&self, to: &mut Telling) {
        if *self == Self::default() {
            return tell!(to, "none", "无");
        }
        let separator = both!(", ", "，");
        to.text("");
        if self.pods > 0 {
            Pods(self.pods).tell(to);
            to.join(separator);
        }
        for (resource, number) in [("cpu", self.cpu_millis), ("memory", self.memory_bytes)] {
            if number > 0 {
                let number = i64::try_from(number).unwrap_or(i64::MAX);
                tell!(to, "{} {}", "{} {}", resource, Amount(resource, number));
                to.join(separator);
            }
        }
    }
}

impl Words for RegistryLoad {
    /// `12.5 GiB in all, 1 GiB/s at most`; `nothing is pulled`.
    fn tell(&self, to: &mut Telling) {
        if self.total_bytes == 0 {
            return tell!(to, "nothing is pulled", "无拉取");
        }
        let (total, peak) = (Bytes(self.total_bytes), Bytes(self.peak_bytes_per_second));
        tell!(to, "{} in all, {}/s at most", "共 {}，峰值每秒 {}", total, peak);
    }
}

/// Bytes in the largest binary unit that leaves at least one, with one decimal, rounded up: `1.5 GiB`.
pub fn bytes(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let [b, kib, ..] = UNITS;
    if bytes < 1024 {
        return format!("{bytes} {b}");
    }
    let mut tenths = bytes / 1024 * 10 + (bytes % 1024 * 10).div_ceil(1024);
    let mut unit = kib;
    let mut larger = UNITS.into_iter().skip(2);
    while tenths >= 10_240
        && let Some(next) = larger.next()
    {
        tenths = tenths.div_ceil(1024);
        unit = next;
    }
    match (tenths / 10, tenths % 10) {
        (whole, 0) => format!("{whole} {unit}"),
        (whole, tenth) => format!("{whole}.{tenth} {unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forecast::Condition;
    use crate::message::Language;

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

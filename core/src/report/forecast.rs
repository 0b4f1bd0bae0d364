use std::time::Duration;

use serde::Serialize;

use super::assumed::{PlayAssumptions, seconds};
use super::{GapLine, Said, WaitLine};
use crate::api::{ObjectKey, Text};
use crate::decision::WaitingOn;
use crate::forecast::{Condition, EndingKind, FinishTimes, Forecast, UnfinishedGroup};
use crate::message::{Language, Words, duration, grouped, remedy, say, seconds_up};

/// What `rollcast forecast` answers: how long a rollout takes and how risky it is, over many plays.
///
/// Lengths of time are whole seconds, rounded up; percentiles are values of a play (nearest rank).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ForecastReport {
    /// The DaemonSet.
    pub daemon_set: ObjectKey,
    /// The answer in one sentence.
    pub headline: String,
    /// Whether the plays were stopped before all of them had ended.
    pub interrupted: bool,
    /// The numbers.
    pub numbers: ForecastNumbers,
    /// Why plays did not finish, the most frequent first.
    pub unfinished: Vec<UnfinishedLine>,
    /// The numbers in words, in the order in which they are read.
    pub lines: Vec<NumberLine>,
    /// The conditions that were asked about.
    pub conditions: Vec<ConditionLine>,
    /// What all of it rests on.
    pub assumptions: PlayAssumptions,
}

/// A condition that was asked about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ConditionLine {
    /// As it was written.
    pub condition: Text,
    /// Whether it holds.
    pub holds: bool,
}

/// A number and what it is, in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NumberLine {
    /// What it is.
    pub name: &'static str,
    /// How much.
    pub value: String,
}

/// The numbers of a forecast.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ForecastNumbers {
    /// Plays that ended.
    pub plays: u32,
    /// Plays in which the rollout finished.
    pub finished: u32,
    /// When it finished, since the change; absent where it never did.
    pub finish: Option<FinishLine>,
    /// Nodes that should run the pod.
    pub eligible: u32,
    /// Pods available at the start.
    pub available_at_start: u32,
    /// The fewest pods available at any time, in the worst play.
    pub fewest_available: u32,
    /// The fewest pods available: in one play in twenty it is that few or fewer.
    pub fewest_available_p5: u32,
    /// The most pods at any time.
    pub most_pods: u32,
    /// The longest time that one node was without an available pod.
    pub longest_gap: Option<GapLine>,
    /// How often a node was without an available pod, over all plays.
    pub gaps: u64,
    /// Half of those times are no longer, seconds.
    pub gap_p50_seconds: u64,
    /// Nineteen in twenty of those times are no longer, seconds.
    pub gap_p95_seconds: u64,
    /// Node-seconds without an available pod in half of the plays, or less.
    pub outage_p50_seconds: u64,
    /// Node-seconds without an available pod in the worst play.
    pub outage_seconds: u64,
    /// The most pods beyond those at the start.
    pub extra_pods: u32,
    /// The most CPU requested beyond that at the start, thousandths.
    pub extra_cpu_millis: u64,
    /// The most memory requested beyond that at the start, bytes.
    pub extra_memory_bytes: u64,
    /// The most that was pulled from the registry in a second, bytes.
    pub registry_peak_bytes_per_second: u64,
    /// All that was pulled from the registry, bytes.
    pub registry_bytes: u64,
    /// Writes to the API server.
    pub api_writes: u64,
}

/// When a rollout finishes, seconds since the change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FinishLine {
    /// Half of the plays that finish, by then.
    pub p50_seconds: u64,
    /// Nine in ten.
    pub p90_seconds: u64,
    /// Nineteen in twenty.
    pub p95_seconds: u64,
    /// All.
    pub latest_seconds: u64,
}

/// Plays that ended alike without finishing.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UnfinishedLine {
    /// How many.
    pub plays: u32,
    /// How they ended.
    pub ending: Said<UnfinishedKind>,
    /// What the first of them waited for, most important first.
    pub waiting_on: Vec<WaitLine>,
}

/// How a play that did not finish ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum UnfinishedKind {
    /// Nothing more is going to happen.
    Stuck,
    /// The same things happen again and again.
    Endless,
    /// There is no DaemonSet any more.
    NoDaemonSet,
}

/// Tells a forecast in the words of a language.
pub fn forecast_report(
    daemon_set: ObjectKey,
    forecast: &Forecast,
    conditions: &[Condition],
    assumptions: PlayAssumptions,
    language: Language,
) -> ForecastReport {
    let condition = |condition: &Condition| ConditionLine {
        condition: Text::new(condition.as_str()),
        holds: condition.holds(forecast),
    };
    ForecastReport {
        daemon_set,
        headline: forecast_headline(forecast, language),
        interrupted: forecast.plays < forecast.planned,
        numbers: forecast.into(),
        unfinished: forecast.unfinished.iter().map(|group| unfinished_line(group, language)).collect(),
        lines: forecast_lines(forecast, language),
        conditions: conditions.iter().map(condition).collect(),
        assumptions,
    }
}

pub(super) fn unfinished_line(group: &UnfinishedGroup, language: Language) -> UnfinishedLine {
    let kind = match group.ending {
        EndingKind::Stuck => UnfinishedKind::Stuck,
        EndingKind::Endless => UnfinishedKind::Endless,
        EndingKind::NoDaemonSet => UnfinishedKind::NoDaemonSet,
    };
    UnfinishedLine {
        plays: group.plays,
        ending: Said { reason: kind, message: group.ending.words(language) },
        waiting_on: group.waiting_on.iter().map(|wait| wait_line(wait, language)).collect(),
    }
}

fn wait_line(wait: &WaitingOn, language: Language) -> WaitLine {
    WaitLine { remedy: remedy(wait, language), wait: Said::new(wait.clone(), language) }
}

/// When a rollout finishes, and whether it always does, in one sentence.
pub fn forecast_headline(forecast: &Forecast, language: Language) -> String {
    let time = |time| duration(seconds_up(time), language);
    let Some(FinishTimes { p50, p95, .. }) = forecast.finish else {
        return if forecast.plays == 0 {
            say!(language, "nothing was played to its end", "没有任何一次推演进行到底")
        } else {
            say!(language, "never finishes", "永远不会完成")
        };
    };
    let missed = forecast.plays.saturating_sub(forecast.finished);
    if forecast.deterministic {
        say!(language, "finishes after {}", "{}后完成", time(p50))
    } else if missed == 0 {
        say!(language, "finishes after {}, at p95 {}", "{}后完成，p95 为 {}", time(p50), time(p95))
    } else {
        say!(
            language,
            "finishes after {}, at p95 {}; does not finish in {} of {} plays",
            "{}后完成，p95 为 {}；{3} 次推演中有 {2} 次无法完成",
            time(p50),
            time(p95),
            grouped(missed),
            grouped(forecast.plays)
        )
    }
}

/// The numbers of a forecast in words, in the order in which they are read.
pub fn forecast_lines(forecast: &Forecast, language: Language) -> Vec<NumberLine> {
    let time = |time| duration(seconds_up(time), language);
    let mut lines = Vec::new();
    let mut line = |english: &'static str, chinese: &'static str, value: String| {
        lines.push(NumberLine { name: language.say(english, chinese), value });
    };
    let once = forecast.deterministic;
    if let Some(FinishTimes { p50, p90, p95, .. }) = forecast.finish {
        let value = if once { time(p50) } else { percentiles(&[("p50", p50), ("p90", p90), ("p95", p95)], language) };
        line("Finishes after", "完成用时", value);
    }
    if !once {
        let (finished, plays) = (grouped(forecast.finished), grouped(forecast.plays));
        let of_plays = say!(language, "in {} of {} plays", "{1} 次推演中的 {0} 次", finished, plays);
        line("Finishes at all", "能够完成", of_plays);
    }
    let fewest = forecast.fewest_available;
    let (few, all) = (grouped(fewest.worst), grouped(forecast.eligible));
    let mut fewest_available = say!(language, "{} of {}", "{1} 个中的 {0} 个", few, all);
    if !once {
        fewest_available = say!(
            language,
            "{} at worst, {} in one play of twenty",
            "最差 {}，二十次中有一次为 {}",
            fewest_available,
            grouped(fewest.p5)
        );
    }
    line("Fewest available", "可用最少时", fewest_available);
    if let Some(gap) = &forecast.longest_gap {
        let length = time(gap.length);
        let longest = if gap.open {
            say!(language, "{} on {}, and still so at the end", "{1} 上 {0}，到最后仍未恢复", length, gap.node)
        } else {
            say!(language, "{} on {}", "{1} 上 {0}", length, gap.node)
        };
        line("Longest gap on one node", "单个节点最长中断", longest);
        let at = |percent| forecast.gaps.percentile(percent).unwrap_or_default();
        line("Gaps", "各次中断", percentiles(&[("p50", at(50)), ("p95", at(95)), ("max", at(100))], language));
    }
    let node_minutes = |time: Duration| {
        let tenths = time.as_secs().saturating_mul(10).div_ceil(60);
        format!("{}.{}", tenths / 10, tenths % 10)
    };
    let mut outage = say!(language, "{} node-minutes", "{} 节点分钟", node_minutes(forecast.outage.p50));
    if !once {
        outage = say!(language, "{}, {} at worst", "{}，最差 {}", outage, node_minutes(forecast.outage.worst));
    }
    line("Outage", "中断总量", outage);
    line("Requests beyond the start", "超出起点的资源请求", forecast.extra.words(language));
    line("Registry", "镜像仓库", forecast.registry.words(language));
    let writes = u32::try_from(forecast.api_writes).unwrap_or(u32::MAX);
    line("API writes", "API 写入", grouped(writes));
    lines
}

/// `p50 10 s, p95 30 s`.
fn percentiles(times: &[(&str, Duration)], language: Language) -> String {
    let mut text = String::new();
    for (name, time) in times {
        let comma = if text.is_empty() { "" } else { ", " };
        text.extend([comma, name, " ", &duration(seconds_up(*time), language)]);
    }
    text
}

impl From<&Forecast> for ForecastNumbers {
    fn from(forecast: &Forecast) -> Self {
        let gap = |percent| seconds(forecast.gaps.percentile(percent).unwrap_or_default());
        Self {
            plays: forecast.plays,
            finished: forecast.finished,
            finish: forecast.finish.map(|finish| FinishLine {
                p50_seconds: seconds(finish.p50),
                p90_seconds: seconds(finish.p90),
                p95_seconds: seconds(finish.p95),
                latest_seconds: seconds(finish.latest),
            }),
            eligible: forecast.eligible,
            available_at_start: forecast.available_at_start,
            fewest_available: forecast.fewest_available.worst,
            fewest_available_p5: forecast.fewest_available.p5,
            most_pods: forecast.most_pods,
            longest_gap: forecast.longest_gap.as_ref().map(|gap| GapLine {
                node: gap.node.clone(),
                seconds: seconds(gap.length),
                open: gap.open,
            }),
            gaps: forecast.gaps.count(),
            gap_p50_seconds: gap(50),
            gap_p95_seconds: gap(95),
            outage_p50_seconds: seconds(forecast.outage.p50),
            outage_seconds: seconds(forecast.outage.worst),
            extra_pods: forecast.extra.pods,
            extra_cpu_millis: forecast.extra.cpu_millis,
            extra_memory_bytes: forecast.extra.memory_bytes,
            registry_peak_bytes_per_second: forecast.registry.peak_bytes_per_second,
            registry_bytes: forecast.registry.total_bytes,
            api_writes: forecast.api_writes,
        }
    }
}

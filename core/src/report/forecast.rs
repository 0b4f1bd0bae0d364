use std::time::Duration;

use serde::Serialize;

use super::assumed::{PlayAssumptions, seconds};
use super::{GapLine, Said, WaitLine};
use crate::api::{ObjectKey, Text};
use crate::both;
use crate::decision::WaitingOn;
use crate::forecast::{Condition, EndingKind, FinishTimes, Forecast, UnfinishedGroup};
use crate::message::{Grouped, Language, Length, Telling, Told, Words, remedy, seconds_up, tell};

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
    let to = &mut Telling::new(language);
    let missed = forecast.plays.saturating_sub(forecast.finished);
    match forecast.finish {
        None if forecast.plays == 0 => tell!(to, "nothing was played to its end", "没有任何一次推演进行到底"),
        None => tell!(to, "never finishes", "永远不会完成"),
        Some(FinishTimes { p50, .. }) if forecast.deterministic => {
            tell!(to, "finishes after {}", "{}后完成", time(p50));
        }
        Some(FinishTimes { p50, p95, .. }) if missed == 0 => {
            tell!(to, "finishes after {}, at p95 {}", "{}后完成，p95 为 {}", time(p50), time(p95));
        }
        Some(FinishTimes { p50, p95, .. }) => tell!(
            to,
            "finishes after {}, at p95 {}; does not finish in {} of {} plays",
            "{}后完成，p95 为 {}；{3} 次推演中有 {2} 次无法完成",
            time(p50),
            time(p95),
            Grouped(missed),
            Grouped(forecast.plays)
        ),
    }
    to.take()
}

/// The numbers of a forecast in words, in the order in which they are read.
pub fn forecast_lines(forecast: &Forecast, language: Language) -> Vec<NumberLine> {
    let mut lines = Vec::new();
    // The value has been told.
    let mut line = |name: &'static str, to: &mut Telling| {
        lines.push(NumberLine { name: language.of(name), value: to.take() });
    };
    let to = &mut Telling::new(language);
    let once = forecast.deterministic;
    if let Some(FinishTimes { p50, p90, p95, .. }) = forecast.finish {
        if once {
            time(p50).tell(to);
        } else {
            percentiles(&[("p50", p50), ("p90", p90), ("p95", p95)], to);
        }
        line(both!("Finishes after", "完成用时"), to);
    }
    if !once {
        let (finished, plays) = (Grouped(forecast.finished), Grouped(forecast.plays));
        tell!(to, "in {} of {} plays", "{1} 次推演中的 {0} 次", finished, plays);
        line(both!("Finishes at all", "能够完成"), to);
    }
    let fewest = forecast.fewest_available;
    tell!(to, "{} of {}", "{1} 个中的 {0} 个", Grouped(fewest.worst), Grouped(forecast.eligible));
    if !once {
        tell!(to, "{} at worst, {} in one play of twenty", "最差 {}，二十次中有一次为 {}", Told, Grouped(fewest.p5));
    }
    line(both!("Fewest available", "可用最少时"), to);
    if let Some(gap) = &forecast.longest_gap {
        let length = time(gap.length);
        if gap.open {
            tell!(to, "{} on {}, and still so at the end", "{1} 上 {0}，到最后仍未恢复", length, gap.node);
        } else {
            tell!(to, "{} on {}", "{1} 上 {0}", length, gap.node);
        }
        line(both!("Longest gap on one node", "单个节点最长中断"), to);
        let at = |percent| forecast.gaps.percentile(percent).unwrap_or_default();
        percentiles(&[("p50", at(50)), ("p95", at(95)), ("max", at(100))], to);
        line(both!("Gaps", "各次中断"), to);
    }
    tell!(to, "{} node-minutes", "{} 节点分钟", minutes(forecast.outage.p50));
    if !once {
        tell!(to, "{}, {} at worst", "{}，最差 {}", Told, minutes(forecast.outage.worst));
    }
    line(both!("Outage", "中断总量"), to);
    forecast.extra.tell(to);
    line(both!("Requests beyond the start", "超出起点的资源请求"), to);
    forecast.registry.tell(to);
    line(both!("Registry", "镜像仓库"), to);
    Grouped(u32::try_from(forecast.api_writes).unwrap_or(u32::MAX)).tell(to);
    line(both!("API writes", "API 写入"), to);
    lines
}

fn time(time: Duration) -> Length {
    Length(seconds_up(time))
}

/// `12.5`, rounded up.
fn minutes(time: Duration) -> String {
    let tenths = time.as_secs().saturating_mul(10).div_ceil(60);
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// `p50 10 s, p95 30 s`.
fn percentiles(times: &[(&str, Duration)], to: &mut Telling) {
    to.text("");
    for (name, length) in times {
        tell!(to, "{} {}", "{} {}", name, time(*length));
        to.join(", ");
    }
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

use serde::Serialize;

use super::Said;
use crate::api::{DaemonSet, Text, UpdateStrategyType};
use crate::budget::budget;
use crate::forecast::{Assumption, Ground, Setting, assumptions};
use crate::message::{Language, Words, seconds_up};
use crate::scenario::{Source, Sources, Start};
use crate::sim::{Distribution, Options};

/// What an answer from many plays rests on.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlayAssumptions {
    /// The release whose decisions are played.
    pub kubernetes: &'static str,
    /// `spec.updateStrategy` in words, with what percentages come to.
    pub strategy: Text,
    /// What every play starts from.
    pub start: String,
    /// The seed of the first play; the others follow it one by one.
    pub first_seed: u64,
    /// Plays of each setting.
    pub plays: u32,
    /// Whether every play is the same whatever its seed, so that one is enough.
    pub deterministic: bool,
    /// How long things take, how good the control plane is, which images are pulled: each with where that comes from.
    pub assumed: Vec<AssumedLine>,
}

/// Something that is assumed, and where that comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AssumedLine {
    /// What, such as `podReady`.
    pub kind: &'static str,
    /// Where it comes from: `default`, `scenarioFile`, `given` or `measured`.
    pub source: &'static str,
    /// At how many pods, or pulls of images, it was measured.
    pub measured_at: Option<u32>,
    /// How long it takes, where it is about that.
    pub time: Option<AssumedTime>,
    /// The same in words.
    pub message: String,
}

/// How long something is assumed to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AssumedTime {
    /// The shortest, or the median of a log-normal time, milliseconds; of a constant time the only one.
    pub milliseconds: u64,
    /// The longest, or the 95th percentile of a log-normal time, milliseconds.
    pub to_milliseconds: u64,
    /// How it is drawn: `constant`, `uniform`, `logNormal`.
    pub drawn: &'static str,
}

impl PlayAssumptions {
    /// Says what plays on a ground rest on.
    pub fn of(ground: &Ground, start: Start, plays: u32, eligible: u32, language: Language) -> Self {
        let options = ground.options();
        let deterministic = ground.is_deterministic();
        Self {
            kubernetes: options.version.as_str(),
            strategy: ground
                .daemon_set()
                .map(|daemon_set| Text::from(strategy_text(daemon_set, eligible)))
                .unwrap_or_default(),
            start: start.words(language),
            first_seed: options.seed,
            plays,
            deterministic,
            assumed: assumed_lines(options, ground.sources(), language),
        }
    }
}

/// What plays on a ground rest on, in words: the strategy, the start, then everything that is assumed.
pub fn assumption_lines(ground: &Ground, start: Start, eligible: u32, language: Language) -> Vec<String> {
    let strategy = ground.daemon_set().map(|daemon_set| strategy_text(daemon_set, eligible));
    let mut lines = vec![strategy.unwrap_or_default(), start.words(language)];
    for assumption in assumptions(ground.options(), ground.sources()) {
        lines.push(assumption.words(language));
    }
    lines
}

/// Everything that options come to, line by line.
pub(super) fn assumed_lines(options: &Options, sources: &Sources, language: Language) -> Vec<AssumedLine> {
    assumptions(options, sources).iter().map(|assumption| assumed_line(assumption, language)).collect()
}

fn assumed_line(assumption: &Assumption, language: Language) -> AssumedLine {
    let Assumption { assumed, source } = assumption;
    let (source, measured_at) = match source {
        Source::Default => ("default", None),
        Source::File => ("scenarioFile", None),
        Source::Given => ("given", None),
        Source::Measured { count } => ("measured", Some(*count)),
    };
    AssumedLine {
        kind: assumed.as_str(),
        source,
        measured_at,
        time: assumed.time().map(assumed_time),
        message: assumption.words(language),
    }
}

fn assumed_time(time: Distribution) -> AssumedTime {
    let millis = |time: std::time::Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let (drawn, from, to) = match time {
        Distribution::Constant(time) => ("constant", time, time),
        Distribution::Uniform { least, most } => ("uniform", least, most),
        Distribution::LogNormal { median, p95 } => ("logNormal", median, p95),
    };
    AssumedTime { milliseconds: millis(from), to_milliseconds: millis(to), drawn }
}

/// `RollingUpdate, maxUnavailable 10% = 29, maxSurge 0, minReadySeconds 5`.
fn strategy_text(daemon_set: &DaemonSet, eligible: u32) -> String {
    let strategy = &daemon_set.spec.update_strategy;
    let mut text = String::from(Text::from(strategy.strategy_type.clone()).as_str());
    if strategy.strategy_type == UpdateStrategyType::RollingUpdate {
        let budget = budget(&daemon_set.spec, eligible).unwrap_or_default();
        let limits = &strategy.rolling_update;
        for (name, written, nodes) in [
            ("maxUnavailable", &limits.max_unavailable, budget.max_unavailable),
            ("maxSurge", &limits.max_surge, budget.max_surge),
        ] {
            let written = written.to_string();
            let nodes = nodes.to_string();
            text.extend([", ", name, " ", &written]);
            if written != nodes {
                text.extend([" = ", &nodes]);
            }
        }
    }
    if daemon_set.spec.min_ready_seconds > 0 {
        let seconds = daemon_set.spec.min_ready_seconds.to_string();
        text.extend([", minReadySeconds ", &seconds]);
    }
    text
}

/// A setting as a report names it.
pub(super) fn setting(setting: &Setting, language: Language) -> Said<SettingKind> {
    let kind = match setting {
        Setting::Own => SettingKind::Own,
        Setting::MaxUnavailable(_) => SettingKind::MaxUnavailable,
        Setting::MaxSurge(_) => SettingKind::MaxSurge,
        Setting::OnDelete { .. } => SettingKind::OnDelete,
    };
    Said { reason: kind, message: setting.words(language) }
}

/// Which kind of setting it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum SettingKind {
    /// As the manifest has it.
    Own,
    /// `RollingUpdate` in place.
    MaxUnavailable,
    /// `RollingUpdate` with surge.
    MaxSurge,
    /// `OnDelete`, by hand in batches.
    OnDelete,
}

/// Whole seconds, rounded up.
pub(super) fn seconds(time: std::time::Duration) -> u64 {
    seconds_up(time).as_secs()
}

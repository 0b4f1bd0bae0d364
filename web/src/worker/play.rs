//! The rollout in an ideal world, a slice at a time.

use std::time::Duration;

use rollcast_core::api::UpdateStrategyType;
use rollcast_core::controller::{Snapshot, WaitingOn};
use rollcast_core::diagnose;
use rollcast_core::message::{Language, Words};
use rollcast_core::report::{FindingReport, RemedyReport, diagnosis_report};
use rollcast_core::scenario::{Measured, Scenario, Source, Sources, Start};
use rollcast_core::sim::{self, Distribution, Latencies, Options, ScenarioEvent, Timeline, World};
use rollcast_core::time::Timestamp;

use super::reading::Reading;
use crate::model::{Diagnosis, Ending, Finding, Remedy, Summary};
use crate::state::Knobs;

/// Any moment does: only differences to times in the cluster's own objects would matter, and it starts settled.
const START: Timestamp = Timestamp::from_seconds(1_900_000_000);
/// Events and decisions that are played before the clock is looked at again: well under a millisecond.
const BUDGET: u32 = 256;
/// After the last that happened, a rollout that stands still is looked at.
const LONG_ENOUGH: Duration = Duration::from_hours(1);

/// A rollout that is being played.
#[derive(Debug)]
pub struct Play {
    world: World,
}

/// A rollout that has been played, without its words.
#[derive(Debug)]
pub struct Played {
    pub timeline: Timeline,
    pub summary: sim::Summary,
    floor: Option<u32>,
    stated: [String; 3],
    diagnosis: Option<(diagnose::Diagnosis, diagnose::Settings)>,
}

/// The cluster as it runs, to which the change is applied at second 0; nothing without a DaemonSet.
///
/// The DaemonSet's own pods are made anew, one a node and long available; those of others stay and take up room.
pub fn scenario(reading: &Reading, knobs: &Knobs) -> Option<Scenario> {
    let after = reading.after.as_ref()?;
    let seconds = |seconds: u32| Duration::from_secs(seconds.into());
    let latencies = Latencies {
        pod_ready_after: seconds(knobs.ready_after_seconds).into(),
        pod_gone_after: seconds(knobs.gone_after_seconds).into(),
        ..Latencies::default()
    };
    Some(Scenario {
        daemon_set: after.metadata.key(),
        cluster: Snapshot {
            daemon_sets: reading.before.as_deref().cloned().into_iter().collect(),
            nodes: reading.nodes.clone(),
            pods: reading.pods.clone(),
            ..Snapshot::default()
        },
        start: Start::Settled,
        options: Options { latencies, ..Options::starting_at(START) },
        sources: sources(knobs),
        measured: Measured::default(),
        events: vec![(Duration::ZERO, ScenarioEvent::Apply(after.clone()))],
    })
}

/// A knob that was turned says how long things take.
fn sources(knobs: &Knobs) -> Sources {
    let untouched = Knobs::default();
    let of = |touched: bool| if touched { Source::Given } else { Source::Default };
    let ready = |knobs: &Knobs| (knobs.ready_after_seconds, knobs.ready_p95_seconds);
    Sources {
        pod_ready_after: of(ready(knobs) != ready(&untouched)),
        pod_gone_after: of(knobs.gone_after_seconds != untouched.gone_after_seconds),
        ..Sources::default()
    }
}

/// The same with luck in it: start-up times are drawn.
pub fn with_luck(mut scenario: Scenario, knobs: &Knobs) -> Scenario {
    if knobs.ready_p95_seconds > knobs.ready_after_seconds {
        scenario.options.latencies.pod_ready_after = Distribution::LogNormal {
            median: Duration::from_secs(knobs.ready_after_seconds.into()),
            p95: Duration::from_secs(knobs.ready_p95_seconds.into()),
        };
    }
    scenario
}

impl Play {
    /// The scenario at its start.
    pub fn new(scenario: &Scenario) -> Self {
        Self { world: scenario.world() }
    }

    /// Plays a little further: how many nodes are done, of how many, and whether there is more to play.
    pub fn advance(&mut self) -> (u64, u64, bool) {
        let progress = self.world.run(BUDGET);
        (progress.done.into(), progress.total.into(), progress.partial)
    }

    /// What has been played.
    pub fn finish(self, reading: &Reading) -> Played {
        let summary = self.world.summary();
        let diagnosis = matches!(summary.ending, Some(sim::Ending::Stuck { .. } | sim::Ending::Endless { .. }))
            .then(|| why(&self.world, reading))
            .flatten();
        let timeline = self.world.into_timeline();
        let rolling = reading
            .after
            .as_ref()
            .is_some_and(|after| after.spec.update_strategy.strategy_type == UpdateStrategyType::RollingUpdate);
        let counters = timeline.state_at(timeline.len().saturating_sub(1)).counters;
        let floor = rolling.then(|| counters.desired.saturating_sub(counters.max_unavailable));
        Played { timeline, summary, floor, stated: reading.stated.clone(), diagnosis }
    }
}

impl Played {
    /// What the page shows beside the timeline.
    pub fn summary(&self, language: Language) -> Summary {
        let left = self.summary.eligible.saturating_sub(self.summary.finished);
        let stopped = |waiting_on: &[WaitingOn]| {
            let mut sentences = waiting_on.iter().map(|waiting| waiting.words(language));
            let reason = sentences.next().unwrap_or_else(|| self.summary.words(language));
            Ending::Stopped { nodes: left, reason, advice: sentences.next().unwrap_or_default() }
        };
        let ending = match &self.summary.ending {
            Some(sim::Ending::Complete) => Ending::Finished,
            Some(sim::Ending::Stuck { waiting_on }) => stopped(waiting_on),
            Some(sim::Ending::Endless { .. }) => Ending::Endless { nodes: left, reason: self.summary.words(language) },
            Some(sim::Ending::NoDaemonSet) | None => stopped(&[]),
        };
        Summary {
            ending,
            fewest_available: self.summary.fewest_available,
            most_pods: self.summary.most_pods,
            floor: self.floor,
            written: self.stated.clone(),
            diagnosis: self.diagnosis.as_ref().map(|(found, settings)| said(found, settings, language)),
        }
    }
}

/// Looks at the world at its end: nothing more comes by itself.
fn why(world: &World, reading: &Reading) -> Option<(diagnose::Diagnosis, diagnose::Settings)> {
    let timeline = world.timeline();
    let ended = timeline.at(timeline.len().saturating_sub(1));
    // Whoever waits still has waited long enough.
    let settings = diagnose::Settings::at(START.saturating_add(ended).saturating_add(LONG_ENOUGH));
    let key = reading.after.as_ref()?.metadata.key();
    Some((diagnose::diagnose(&world.snapshot(), &key, &settings)?, settings))
}

fn said(found: &diagnose::Diagnosis, settings: &diagnose::Settings, language: Language) -> Diagnosis {
    let report = diagnosis_report(found, settings, language);
    let remedy =
        |remedy: RemedyReport| Remedy { message: remedy.message, command: remedy.command, warning: remedy.warning };
    let finding = |finding: FindingReport| Finding {
        title: finding.title,
        message: finding.message,
        remedies: finding.remedies.into_iter().map(remedy).collect(),
    };
    Diagnosis { headline: report.headline, findings: report.findings.into_iter().map(finding).collect() }
}

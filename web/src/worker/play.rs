//! One play of the scenario, a slice at a time.

use rollcast_core::api::{Text, UpdateStrategyType};
use rollcast_core::controller::WaitingOn;
use rollcast_core::diagnose;
use rollcast_core::message::{Language, Words};
use rollcast_core::scenario::Scenario;
use rollcast_core::sim::{self, Timeline, World};

use super::reading::Reading;
use crate::model::{Diagnosis, Ending, Finding, Happening, Remedy, Summary};

/// Events and decisions that are played before the clock is looked at again: well under a millisecond.
const BUDGET: u32 = 256;
/// More things that are done to the cluster are not marked.
const EVENTS: usize = 500;

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
    diagnosis: Option<diagnose::Diagnosis>,
}

impl Play {
    /// The world of a scenario at its start.
    pub fn new(world: World) -> Self {
        Self { world }
    }

    /// The nodes by number; those that join later follow.
    pub fn node_names(&self) -> &[Text] {
        self.world.timeline().node_names()
    }

    /// Plays a little further: how many nodes are done, of how many, and whether there is more to play.
    pub fn advance(&mut self) -> (u64, u64, bool) {
        let progress = self.world.run(BUDGET);
        (progress.done.into(), progress.total.into(), progress.partial)
    }

    /// What has been played, at its end.
    pub fn finish(&mut self, reading: &Reading) -> Played {
        let summary = self.world.summary();
        let diagnosis = matches!(summary.ending, Some(sim::Ending::Stuck { .. } | sim::Ending::Endless { .. }))
            .then(|| why(&self.world, reading))
            .flatten();
        let timeline = self.world.take_timeline();
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
        let mut events = Vec::new();
        for mark in self.timeline.marks().iter().filter(|mark| mark.at > 0).take(EVENTS) {
            events.push(told(mark, language));
        }
        Summary {
            ending,
            fewest_available: self.summary.fewest_available,
            most_pods: self.summary.most_pods,
            floor: self.floor,
            written: self.stated.clone(),
            diagnosis: self.diagnosis.as_ref().map(|found| said(found, language)),
            events,
        }
    }
}

fn told(mark: &sim::Mark, language: Language) -> Happening {
    let what = mark.kind.words(language);
    Happening {
        at: u32::try_from(mark.at / 1_000_000).unwrap_or(u32::MAX),
        message: if mark.about.is_empty() { what } else { [&what, " ", &mark.about].concat() },
    }
}

/// Looks at the world at its end: nothing more comes by itself.
fn why(world: &World, reading: &Reading) -> Option<diagnose::Diagnosis> {
    let Scenario { daemon_set, options, .. } = reading.scenario.as_deref()?;
    let timeline = world.timeline();
    let ended = timeline.at(timeline.len().saturating_sub(1));
    let snapshot = world.snapshot();
    let settings = diagnose::Settings::at(options.start.saturating_add(ended));
    let settings = diagnose::Settings { version: options.version, ..settings }.once_still(&snapshot);
    diagnose::diagnose(&snapshot, daemon_set, &settings)
}

fn said(found: &diagnose::Diagnosis, language: Language) -> Diagnosis {
    let mut findings = Vec::new();
    for finding in &found.findings {
        let mut remedies = Vec::new();
        for remedy in &finding.remedies {
            remedies.push(Remedy {
                message: remedy.words(language),
                command: remedy.command(&found.daemon_set),
                warning: remedy.harm().map(|harm| harm.words(language)),
            });
        }
        let (title, message) = (finding.problem.title(language), finding.problem.words(language));
        findings.push(Finding { title, message, remedies });
    }
    Diagnosis { headline: found.words(language), findings }
}

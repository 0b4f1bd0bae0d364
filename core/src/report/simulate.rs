use std::time::Duration;

use serde::Serialize;

use super::assumed::{AssumedLine, assumed_lines};
use super::{Assumptions, PlanReport, PlanStart, Played, Said, plan_report};
use crate::api::{DaemonSet, Pod, Text};
use crate::controller::Snapshot;
use crate::message::{Language, Words};
use crate::ownership::is_own;
use crate::scenario::{Scenario, Start};
use crate::sim::{EventRefusal, MarkKind, World};
use crate::time::Timestamp;

/// What `rollcast simulate` answers: what happened in a scenario, from the first decision to the last.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SimulateReport {
    /// What the scenario is called; may be empty.
    pub name: Text,
    /// The seed of this play.
    pub seed: u64,
    /// When it started.
    pub starts_at: Timestamp,
    /// What it rests on, each with where that comes from.
    pub assumed: Vec<AssumedLine>,
    /// The rollout. Where times are drawn, its `assumptions` are the medians.
    #[serde(flatten)]
    pub plan: PlanReport,
    /// What was done to the cluster.
    pub events: Vec<MarkLine>,
    /// What could not be done to the cluster.
    pub refused: Vec<RefusedLine>,
    /// The play was ended before its end: the rest is about the part that was played.
    pub interrupted: bool,
    /// The hash of the trace, when one was written.
    pub trace_hash: Option<Text>,
    /// How the trace compares with the one that was expected, if one was.
    pub expected: Option<ExpectedTrace>,
}

/// How the trace of a play compares with another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExpectedTrace {
    /// The first line, from 1, that is another; absent where all are the same.
    pub differs_in_line: Option<u32>,
}

/// Something that was done to the cluster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MarkLine {
    /// When, since the start.
    pub at_seconds: u64,
    /// What.
    pub kind: MarkKind,
    /// To which node, pod or DaemonSet.
    pub about: Text,
    /// The same in words.
    pub message: String,
}

/// Something that could not be done to the cluster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RefusedLine {
    /// When, since the start.
    pub at_seconds: u64,
    /// Why.
    #[serde(flatten)]
    pub refusal: Said<EventRefusal>,
}

/// A scenario that was played.
#[derive(Clone, Debug)]
pub struct Simulated<'a> {
    /// What it is called.
    pub name: &'a Text,
    /// What was played.
    pub scenario: &'a Scenario,
    /// The world at the end.
    pub world: &'a World,
    /// The play was ended before its end.
    pub interrupted: bool,
    /// The hash of its trace.
    pub trace_hash: Option<Text>,
    /// How its trace compares with the one that was expected.
    pub expected: Option<ExpectedTrace>,
}

/// Tells a play in the words of a language.
pub fn simulate_report(simulated: &Simulated<'_>, language: Language) -> SimulateReport {
    let Simulated { name, scenario, world, interrupted, ref trace_hash, expected } = *simulated;
    let pods = &scenario.cluster.pods;
    let before = scenario.cluster.daemon_set(&scenario.daemon_set);
    let latencies = &scenario.options.latencies;
    let assumptions = Assumptions {
        ready_after_seconds: latencies.pod_ready_after.median().as_secs(),
        gone_after_seconds: latencies.pod_gone_after.median().as_secs(),
        never_ready_nodes: Vec::new(),
        kubernetes: scenario.options.version,
    };
    let others = pods.iter().filter(|pod: &&Pod| !before.is_some_and(|before| is_own(before, pod))).cloned();
    let end = Snapshot {
        nodes: world.nodes().cloned().collect(),
        pods: world.pods().chain(others).collect(),
        ..Snapshot::default()
    };
    // One that was deleted is told as it was.
    let after = world.daemon_set().or(before).cloned().unwrap_or_else(|| DaemonSet {
        metadata: crate::api::ObjectMeta {
            name: scenario.daemon_set.name.clone(),
            namespace: scenario.daemon_set.namespace.clone(),
            ..crate::api::ObjectMeta::default()
        },
        ..DaemonSet::default()
    });
    let played = Played {
        before,
        after: &after,
        start: match (before, scenario.start) {
            (None, _) => PlanStart::Installation,
            (Some(_), Start::Pods) => PlanStart::Pods,
            (Some(_), Start::Settled) => PlanStart::Settled,
        },
        assumptions: &assumptions,
        timeline: world.timeline(),
        summary: &world.summary(),
        end: &end,
    };
    let events = world.timeline().marks().iter().map(|mark| MarkLine {
        at_seconds: Duration::from_micros(mark.at).as_secs(),
        kind: mark.kind,
        about: mark.about.clone(),
        message: mark.kind.words(language),
    });
    let refused = world
        .refusals()
        .iter()
        .map(|(at, refusal)| RefusedLine { at_seconds: at.as_secs(), refusal: Said::new(refusal.clone(), language) });
    SimulateReport {
        name: name.clone(),
        seed: scenario.options.seed,
        starts_at: scenario.options.start,
        assumed: assumed_lines(&scenario.options, &scenario.sources, language),
        plan: plan_report(played, language),
        events: events.collect(),
        refused: refused.collect(),
        interrupted,
        trace_hash: trace_hash.clone(),
        expected,
    }
}

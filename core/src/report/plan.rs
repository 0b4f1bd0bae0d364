use std::collections::BTreeSet;
use std::time::Duration;

use serde::Serialize;

use super::{FieldChange, Judge, NAMES_SHOWN, NameList, NodeGroup, Said, explain, field_changes};
use crate::KubernetesVersion;
use crate::api::{DaemonSet, ObjectKey, Pod, Text, UpdateStrategyType};
use crate::controller::Snapshot;
use crate::decision::{Reason, WaitingOn};
use crate::message::{Language, Words, remedy};
use crate::order::sort_by_key;
use crate::ownership::is_own;
use crate::placement::target_node_of;
use crate::sim::{Counters, DecisionGroup, DecisionKind, Ending, Summary, Timeline};

/// What `rollcast plan` answers: what a change does to what runs now, from the first decision to the last.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlanReport {
    /// The DaemonSet.
    pub daemon_set: ObjectKey,
    /// What the rollout starts from.
    pub start: PlanStart,
    /// What differs between the DaemonSet as it is and as it will be; the template first, because only it makes pods
    /// new.
    pub changes: Vec<FieldChange>,
    /// Whether the pod template differs, so that pods are replaced.
    pub template_changes: bool,
    /// How pods are replaced.
    pub strategy: PlanStrategy,
    /// How long things are taken to take.
    pub assumptions: Assumptions,
    /// Every moment in which something is decided about pods or revisions.
    pub steps: Vec<PlanStep>,
    /// How it ends.
    pub end: PlanEnd,
    /// The fewest pods that are available at the end of any moment.
    pub fewest_available: u32,
    /// The most pods that there are at any moment, those being deleted included.
    pub most_pods: u32,
    /// The longest time that one node is without an available pod.
    pub longest_gap: Option<GapLine>,
}

/// What a rollout starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum PlanStart {
    /// The pods that the input holds.
    Pods,
    /// The input holds no pods: every node that should run one is taken to run an available pod of the present template.
    Settled,
    /// There is no such DaemonSet yet.
    Installation,
}

/// `spec.updateStrategy` and what it comes to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlanStrategy {
    /// `type`.
    #[serde(rename = "type")]
    pub strategy_type: Text,
    /// `maxUnavailable` as written.
    pub max_unavailable: Text,
    /// `maxUnavailable` in nodes.
    pub max_unavailable_nodes: u32,
    /// `maxSurge` as written.
    pub max_surge: Text,
    /// `maxSurge` in nodes.
    pub max_surge_nodes: u32,
    /// `spec.minReadySeconds`.
    pub min_ready_seconds: i32,
}

/// How long things are taken to take.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Assumptions {
    /// From a pod's creation to its being ready.
    pub ready_after_seconds: u64,
    /// From a pod's deletion to its being gone.
    pub gone_after_seconds: u64,
    /// The release whose rules hold.
    pub kubernetes: KubernetesVersion,
    /// Nodes where new pods never become ready.
    pub never_ready_nodes: Vec<Text>,
}

/// The numbers of one moment, as kubectl calls them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CounterLine {
    /// DESIRED.
    pub desired: u32,
    /// CURRENT.
    pub current: u32,
    /// READY.
    pub ready: u32,
    /// UP-TO-DATE.
    pub up_to_date: u32,
    /// AVAILABLE.
    pub available: u32,
    /// Nodes that should not run the pod and have one.
    pub misscheduled: u32,
    /// All pods there are, those being deleted included.
    pub pods: u32,
}

/// One moment in which something is decided.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlanStep {
    /// When, since the change was applied.
    pub at_seconds: u64,
    /// What is decided.
    pub decisions: Vec<DecisionLine>,
    /// The numbers at the end of the moment.
    pub after: CounterLine,
}

/// Decisions of one moment that share kind and reason.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DecisionLine {
    /// What is decided.
    pub kind: DecisionKind,
    /// How many.
    pub count: u32,
    /// Among how many; the same as `count` where there is no choice.
    pub candidate_count: u32,
    /// The first ten nodes it is about; empty for revisions.
    pub nodes: Vec<Text>,
    /// Why.
    pub reason: Said<Reason>,
}

/// How a rollout ends.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlanEnd {
    /// Whether it finishes, and if not, how it stops.
    pub outcome: PlanOutcome,
    /// The same in words.
    pub message: String,
    /// When it finishes, or when the last thing happens.
    pub at_seconds: u64,
    /// Nodes that should run the pod, at the end.
    pub eligible: u32,
    /// Of these, the ones with an available new pod.
    pub finished: u32,
    /// What an unfinished one waits for, most important first.
    pub waiting_on: Vec<WaitLine>,
    /// Nodes where the new pod does not fit and stays `Pending`, by reason.
    pub without_room: Vec<NodeGroup>,
}

/// Something that a rollout waits for.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WaitLine {
    /// What, with its rule, its numbers and its nodes.
    #[serde(flatten)]
    pub wait: Said<WaitingOn>,
    /// What a person can do about it.
    pub remedy: Option<String>,
}

/// Whether a rollout finishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum PlanOutcome {
    /// Every eligible node has an available new pod.
    Finishes,
    /// Nothing more is going to happen.
    Stops,
    /// The same things happen again and again.
    NeverEnds,
}

/// A time without an available pod.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GapLine {
    /// The node.
    pub node: Text,
    /// How long.
    pub seconds: u64,
    /// Whether it lasts to the end.
    pub open: bool,
}

/// A rollout that was played, and what it was played from.
#[derive(Clone, Copy, Debug)]
pub struct Played<'a> {
    /// The DaemonSet before the change; absent for an installation.
    pub before: Option<&'a DaemonSet>,
    /// The DaemonSet after the change.
    pub after: &'a DaemonSet,
    /// What it starts from.
    pub start: PlanStart,
    /// How long things were taken to take.
    pub assumptions: &'a Assumptions,
    /// What happened.
    pub timeline: &'a Timeline,
    /// What happened, in a few numbers.
    pub summary: &'a Summary,
    /// The cluster at the end, with the DaemonSet's own pods and all others.
    pub end: &'a Snapshot,
}

/// Tells a rollout that was played in the words of a language.
pub fn plan_report(played: Played<'_>, language: Language) -> PlanReport {
    let Played { before, after, start, assumptions, timeline, summary, end: cluster } = played;
    let last = timeline.state_at(timeline.len().saturating_sub(1)).counters;
    PlanReport {
        daemon_set: after.metadata.key(),
        start,
        changes: before.map(|before| changes(before, after)).unwrap_or_default(),
        template_changes: before.is_none_or(|before| before.spec.template != after.spec.template),
        strategy: strategy(after, &last),
        assumptions: assumptions.clone(),
        steps: steps(timeline, language),
        end: PlanEnd {
            without_room: without_room(after, cluster, assumptions.kubernetes, language),
            ..end(summary, language)
        },
        fewest_available: summary.fewest_available,
        most_pods: summary.most_pods,
        longest_gap: summary.longest_gap.as_ref().map(|gap| GapLine {
            node: gap.node.clone(),
            seconds: gap.length.as_secs(),
            open: gap.open,
        }),
    }
}

/// What differs in the specs of two versions, the template first.
fn changes(before: &DaemonSet, after: &DaemonSet) -> Vec<FieldChange> {
    let spec = |daemon_set: &DaemonSet| {
        let mut spec = serde_json::json!({ "spec": daemon_set.spec });
        // Limits as the API defaults them are not written; beside others they are told as what they are.
        if let Some(strategy) = spec.pointer_mut("/spec/updateStrategy").and_then(|strategy| strategy.as_object_mut())
            && daemon_set.spec.update_strategy.strategy_type == UpdateStrategyType::RollingUpdate
        {
            let limits = || serde_json::json!({"maxSurge": 0, "maxUnavailable": 1});
            strategy.entry("rollingUpdate").or_insert_with(limits);
        }
        spec
    };
    let mut changes = field_changes(&spec(before), &spec(after));
    sort_by_key(&mut changes, |change| !change.path.starts_with("spec.template."));
    changes
}

fn strategy(daemon_set: &DaemonSet, counters: &Counters) -> PlanStrategy {
    let strategy = &daemon_set.spec.update_strategy;
    let strategy_type = match &strategy.strategy_type {
        UpdateStrategyType::RollingUpdate => Text::new_static("RollingUpdate"),
        UpdateStrategyType::OnDelete => Text::new_static("OnDelete"),
        UpdateStrategyType::Other(word) => word.clone(),
    };
    PlanStrategy {
        strategy_type,
        max_unavailable: Text::from(strategy.rolling_update.max_unavailable.to_string()),
        max_unavailable_nodes: counters.max_unavailable,
        max_surge: Text::from(strategy.rolling_update.max_surge.to_string()),
        max_surge_nodes: counters.max_surge,
        min_ready_seconds: daemon_set.spec.min_ready_seconds,
    }
}

fn steps(timeline: &Timeline, language: Language) -> Vec<PlanStep> {
    let mut steps = Vec::new();
    for (moment, counters) in (0..timeline.len()).zip(timeline.counters_from(0)) {
        let decisions: Vec<DecisionLine> =
            timeline.decisions(moment).map(|group| decision_line(timeline, &group, language)).collect();
        if !decisions.is_empty() {
            steps.push(PlanStep { at_seconds: timeline.at(moment).as_secs(), decisions, after: counters.into() });
        }
    }
    steps
}

fn decision_line(timeline: &Timeline, group: &DecisionGroup<'_>, language: Language) -> DecisionLine {
    let names = timeline.node_names();
    let name_of = |node: u32| names.get(usize::try_from(node).ok()?).cloned();
    DecisionLine {
        kind: group.kind,
        count: group.count,
        candidate_count: group.candidate_count,
        nodes: group.nodes().take(NAMES_SHOWN).filter_map(name_of).collect(),
        reason: Said::new(group.reason.clone(), language),
    }
}

fn end(summary: &Summary, language: Language) -> PlanEnd {
    let (outcome, waiting_on) = match &summary.ending {
        Some(Ending::Complete | Ending::NoDaemonSet) => (PlanOutcome::Finishes, &[][..]),
        Some(Ending::Stuck { waiting_on }) => (PlanOutcome::Stops, waiting_on.as_slice()),
        Some(Ending::Endless { waiting_on }) => (PlanOutcome::NeverEnds, waiting_on.as_slice()),
        // Still being played: all that is known is how far it came.
        None => (PlanOutcome::Stops, &[][..]),
    };
    let at = summary.completed_at.unwrap_or(summary.ended_at);
    PlanEnd {
        outcome,
        message: summary.words(language),
        at_seconds: at.as_secs(),
        eligible: summary.eligible,
        finished: summary.finished,
        waiting_on: waiting_on
            .iter()
            .map(|wait| WaitLine { remedy: remedy(wait, language), wait: Said::new(wait.clone(), language) })
            .collect(),
        without_room: Vec::new(),
    }
}

/// Why the pods that are not bound at the end do not fit.
fn without_room(
    daemon_set: &DaemonSet,
    cluster: &Snapshot,
    version: KubernetesVersion,
    language: Language,
) -> Vec<NodeGroup> {
    let is_unbound = |pod: &&Pod| pod.spec.node_name.is_empty() && is_own(daemon_set, pod);
    let pending: BTreeSet<&Text> = cluster.pods.iter().filter(is_unbound).filter_map(target_node_of).collect();
    if pending.is_empty() {
        return Vec::new();
    }
    let judge = Judge::new(daemon_set, cluster, version);
    explain(&judge, &cluster.nodes, |node| pending.contains(&node.metadata.name), &[], language).groups
}

impl From<Counters> for CounterLine {
    fn from(counters: Counters) -> Self {
        Self {
            desired: counters.desired,
            current: counters.current,
            ready: counters.ready,
            up_to_date: counters.up_to_date,
            available: counters.available,
            misscheduled: counters.misscheduled,
            pods: counters.pods(),
        }
    }
}

impl DecisionLine {
    /// The nodes it is about, as a list that says how many there are.
    pub fn node_list(&self) -> NameList {
        let count = if self.nodes.is_empty() { 0 } else { self.count };
        NameList { count, names: self.nodes.clone() }
    }
}

impl PlanStep {
    /// When, since the change was applied.
    pub fn at(&self) -> Duration {
        Duration::from_secs(self.at_seconds)
    }
}

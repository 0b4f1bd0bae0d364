//! Why a rollout does not move: the rule, the nodes, the arithmetic, and the smallest change that frees it.
//!
//! Rests on one sync of the very controller: what it would do now, and what it waits for. What an unavailable pod waits
//! for is read from the pod and its node. A finding is data; its words are in [`crate::message`].

mod acting;
mod belonging;
mod budget;
mod cause;
mod eligibility;
mod kubectl;
mod pace;
mod pending;
mod pod;
mod problem;
mod remedies;
mod remedy;
mod survey;

use std::time::Duration;

pub use cause::{Cause, Effect, User};
pub use problem::{BudgetUse, BudgetUser, Finding, Inaction, LimitField, Places, Problem};
pub use remedy::{Harm, Remedy};

use crate::KubernetesVersion;
use crate::api::{ControllerRevision, DaemonSet, DaemonSetStatus, Node, ObjectKey, Pod, Text};
use crate::availability::PodFacts;
use crate::controller::{Action, Change, Controller, Decision, Snapshot, Step, SyncError};
use crate::fleet::{Fleet, Mark, Slot, View};
use crate::history::revision_of;
use crate::order::{sort_by, sort_by_key};
use crate::ownership::{claim, is_own};
use crate::target::Target;
use crate::time::Timestamp;
use survey::{NodeState, find_causes, find_lost_nodes, find_waiting_for_deletion, node_states};

/// What a diagnosis rests on beside the cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The moment at which the cluster was as the snapshot has it.
    pub now: Timestamp,
    /// How long a pod may take to become ready before that is a fault.
    pub patience: Duration,
    /// The release of the controller that acts.
    pub version: KubernetesVersion,
}

impl Settings {
    /// Patience as long as Helm's `--wait` has it by default: five minutes.
    pub const fn at(now: Timestamp) -> Self {
        Self { now, patience: Duration::from_mins(5), version: KubernetesVersion::V1_36 }
    }

    /// For a cluster in which nothing is going to happen any more, as at the end of a play: it is looked at so much later
    /// that whoever waits has waited long enough.
    #[must_use]
    pub fn once_still(self, snapshot: &Snapshot) -> Self {
        let due = snapshot.pods.iter().filter_map(|pod| pod.metadata.deletion_timestamp).max();
        let late = due.map_or(self.now, |due| due.saturating_add(Duration::from_secs(pod::LATE)));
        Self { now: self.now.saturating_add(self.patience).max(late), ..self }
    }
}

/// How a rollout stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all_fields = "camelCase")]
pub enum RolloutState {
    /// Nothing more happens unless someone does something.
    Blocked,
    /// It moves.
    Progressing {
        /// In how many seconds something is due, if that is known.
        next_seconds: Option<u64>,
    },
    /// Every node that should has an available pod of the newest template.
    Finished,
    /// The DaemonSet is being deleted.
    BeingDeleted,
}

/// What was found out about one DaemonSet.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnosis {
    /// The DaemonSet.
    pub daemon_set: ObjectKey,
    /// How its rollout stands.
    pub state: RolloutState,
    /// Nodes that should run the pod.
    pub desired: u32,
    /// Of these, the ones with an available pod of the newest template.
    pub done: u32,
    /// The status as the controller would write it now.
    pub status: DaemonSetStatus,
    /// What was found, most important first.
    pub findings: Vec<Finding>,
}

impl Diagnosis {
    /// Whether something does not pass by itself, even where the rest still moves.
    pub fn is_stuck(&self) -> bool {
        self.findings.iter().any(|finding| finding.effect == Effect::Blocks)
    }
}

/// Everything that findings are made from.
struct Scene<'a> {
    settings: &'a Settings,
    daemon_set: &'a DaemonSet,
    snapshot: &'a Snapshot,
    fleet: &'a Fleet,
    view: &'a View,
    /// What ended the sync early, if anything did.
    error: Option<&'a SyncError>,
    /// What the sync decided.
    decisions: Vec<&'a Decision>,
    /// The nodes by rank; the index keeps less of them.
    nodes: Vec<Option<&'a Node>>,
    /// The pods of the DaemonSet's namespace, by name.
    pods: Vec<&'a Pod>,
}

impl<'a> Scene<'a> {
    /// A node, unless it is gone.
    fn node(&self, rank: Slot) -> Option<&'a Node> {
        self.nodes.get(rank as usize).copied().flatten()
    }

    /// A pod of the DaemonSet's namespace.
    fn pod(&self, name: &str) -> Option<&'a Pod> {
        let place = self.pods.binary_search_by(|pod| pod.metadata.name.as_str().cmp(name)).ok()?;
        self.pods.get(place).copied()
    }

    /// The nodes that bear a mark, by rank.
    fn ranks(&self, mark: Mark) -> Vec<Slot> {
        self.view.aggregate().nodes(mark).iter().collect()
    }

    /// The pod on a node that the index has first.
    fn first_pod_on(&self, rank: Slot) -> Option<&'a PodFacts> {
        self.fleet.pods_on(self.view, rank).next()
    }

    /// The pods that count as its own.
    fn own_pods(&self) -> impl Iterator<Item = &'a Pod> + '_ {
        self.pods.iter().copied().filter(|pod| claim(self.daemon_set, &pod.metadata).is_owned())
    }

    /// The pods that its selector matches, whoever owns them.
    fn matching_pods(&self) -> impl Iterator<Item = &'a Pod> + '_ {
        let matches = |pod: &&Pod| self.daemon_set.spec.selector.matches(&pod.metadata.labels) == Ok(true);
        self.pods.iter().copied().filter(matches)
    }

    /// The pods that name it as their owner, matching or not.
    fn controlled_pods(&self) -> impl Iterator<Item = &'a Pod> + '_ {
        self.pods.iter().copied().filter(|pod| is_own(self.daemon_set, pod))
    }

    /// The revisions of the DaemonSet's namespace.
    fn revisions(&self) -> impl Iterator<Item = &'a ControllerRevision> + '_ {
        let namespace = &self.daemon_set.metadata.namespace;
        self.snapshot.revisions.iter().filter(move |revision| revision.metadata.namespace == *namespace)
    }
}

/// Looks at one DaemonSet of a cluster; absent when the cluster has none of that name.
pub fn diagnose(snapshot: &Snapshot, key: &ObjectKey, settings: &Settings) -> Option<Diagnosis> {
    let daemon_set = snapshot.daemon_set(key)?;
    let mut controller = Controller::default().with_version(settings.version);
    controller.observe(Change::Reset(Box::new(relevant(snapshot, daemon_set, settings.version))));
    let step = synced(&mut controller, key, settings.now, snapshot.daemon_sets.len());
    let fleet = controller.fleet();
    let view = fleet.view(fleet.find(key)?)?;
    let mut pods: Vec<&Pod> = Vec::new();
    for pod in &snapshot.pods {
        if pod.metadata.namespace == key.namespace {
            pods.push(pod);
        }
    }
    sort_by(&mut pods, |left, right| left.metadata.name.cmp(&right.metadata.name));
    let nodes = by_rank(fleet, &snapshot.nodes);
    let mut decisions = Vec::new();
    for batch in &step.batches {
        decisions.extend(&batch.decisions);
    }
    let error = step.error.as_ref();
    let scene = Scene { settings, daemon_set, snapshot, fleet, view, error, decisions, nodes, pods };

    let aggregate = view.aggregate();
    let (desired, available) = (aggregate.count(Mark::Desired), aggregate.nodes(Mark::Available));
    let done = scene.ranks(Mark::Updated).iter().filter(|rank| available.contains(**rank)).count();
    let done = u32::try_from(done).unwrap_or(u32::MAX);
    let mut findings = Findings::default();
    let state = if let Some(problem) = fundamental(&scene) {
        let is_going = matches!(problem, Problem::BeingDeleted { .. });
        let (state, effect, remedies) = if is_going {
            (RolloutState::BeingDeleted, Effect::Delays, vec![Remedy::ShowFinalizers])
        } else {
            (RolloutState::Blocked, Effect::Blocks, Vec::new())
        };
        findings.add(problem, effect, remedies);
        state
    } else {
        let states = node_states(&scene);
        let next_seconds = pace::next_seconds(&states);
        // What still moves: a node that comes by itself, or a pod that the controller is about to create or delete.
        let moves = states.iter().any(|state| state.effect() == Effect::Delays) || acts(&scene);
        find_all(&scene, states, done < desired, &mut findings);
        let still = standstill(&scene, &findings.0, done < desired, moves);
        still.unwrap_or(RolloutState::Progressing { next_seconds })
    };
    let Findings(mut findings) = findings;
    // Stable, so that larger groups stay before smaller ones.
    sort_by_key(&mut findings, |finding| (finding.effect, finding.problem.rank()));
    Some(Diagnosis { daemon_set: key.clone(), state, desired, done, status: status_now(&scene), findings })
}

/// What a sync of one DaemonSet reads of a cluster. Where the input holds no revisions, the one of the present template
/// is told from the pods that count as new by their generation: a sync would else take every hash for an old one.
fn relevant(snapshot: &Snapshot, daemon_set: &DaemonSet, version: KubernetesVersion) -> Snapshot {
    let key = daemon_set.metadata.key();
    let is_near = |namespace: &Text| *namespace == key.namespace;
    let owner_kind = |pod: &Pod| pod.metadata.controller_owner().is_none_or(|owner| owner.kind == "DaemonSet");
    let mut near = Snapshot { nodes: snapshot.nodes.clone(), ..Snapshot::default() };
    for other in snapshot.daemon_sets.iter().filter(|other| is_near(&other.metadata.namespace)) {
        near.daemon_sets.push(other.clone());
    }
    for pod in snapshot.pods.iter().filter(|pod| is_near(&pod.metadata.namespace) && owner_kind(pod)) {
        near.pods.push(pod.clone());
    }
    for revision in snapshot.revisions.iter().filter(|revision| is_near(&revision.metadata.namespace)) {
        near.revisions.push(revision.clone());
    }
    if !near.revisions.iter().any(|revision| claim(daemon_set, &revision.metadata).is_owned())
        && let Some(hash) = inferred_hash(snapshot, daemon_set, version)
    {
        near.revisions.push(revision_of(daemon_set, &hash, 1));
    }
    near
}

/// The hash of the first pod that counts as new by its generation.
fn inferred_hash(snapshot: &Snapshot, daemon_set: &DaemonSet, version: KubernetesVersion) -> Option<Text> {
    let target = Target::newest(daemon_set, Text::default(), version);
    for pod in snapshot.pods.iter().filter(|pod| claim(daemon_set, &pod.metadata).is_owned()) {
        let facts = PodFacts::of(pod);
        if !facts.revision.is_empty() && target.is_updated(&facts) {
            return Some(facts.revision);
        }
    }
    None
}

/// The first sync of one DaemonSet by a controller that has just started.
fn synced(controller: &mut Controller, key: &ObjectKey, now: Timestamp, daemon_sets: usize) -> Step {
    let mut step = controller.step(now);
    // The others of the namespace have their turn, too.
    for _ in 0..daemon_sets {
        if step.daemon_set.as_ref().is_none_or(|found| found == key) {
            break;
        }
        step = controller.step(now);
    }
    step
}

fn by_rank<'a>(fleet: &Fleet, nodes: &'a [Node]) -> Vec<Option<&'a Node>> {
    let mut ranked = Vec::new();
    for node in nodes {
        let Some(rank) = fleet.node_rank(&node.metadata.name) else { continue };
        let rank = rank as usize;
        if ranked.len() <= rank {
            ranked.resize(rank + 1, None);
        }
        if let Some(place) = ranked.get_mut(rank) {
            *place = Some(node);
        }
    }
    ranked
}

fn status_now(scene: &Scene<'_>) -> DaemonSetStatus {
    let stored = &scene.daemon_set.status;
    let written = scene.decisions.iter().find_map(|decision| match &decision.action {
        Action::UpdateStatus(status) => Some(status),
        _ => None,
    });
    // Whether it was observed is what was found, not what a sync would make of it.
    let mut status = written.unwrap_or(stored).clone();
    status.observed_generation = stored.observed_generation;
    status
}

/// What makes a controller leave the DaemonSet alone, or spoils everything else.
fn fundamental(scene: &Scene<'_>) -> Option<Problem> {
    let DaemonSet { metadata, spec, .. } = scene.daemon_set;
    if let Some(deleted) = metadata.deletion_timestamp {
        let seconds = pod::seconds_since(scene.settings.now, Some(deleted));
        let pods = u32::try_from(scene.controlled_pods().count()).unwrap_or(u32::MAX);
        return Some(Problem::BeingDeleted { finalizers: metadata.finalizers.to_vec(), pods, seconds });
    }
    if spec.selector.is_empty() {
        return Some(Problem::EmptySelector);
    }
    let is_selected = spec.selector.matches(spec.template.labels()) == Ok(true);
    (!is_selected).then_some(Problem::TemplateNotSelected)
}

fn find_all(scene: &Scene<'_>, states: Vec<NodeState<'_>>, unfinished: bool, findings: &mut Findings) {
    acting::find_controller(scene, findings);
    let refused = findings.0.iter().any(|finding| matches!(finding.problem, Problem::CreationRefused { .. }));
    let before = findings.0.len();
    budget::find_budget(scene, &states, findings);
    let freed = findings.0.iter().skip(before).any(budget::frees_dead_nodes);
    find_lost_nodes(scene, findings);
    find_waiting_for_deletion(scene, findings);
    find_causes(scene, states, refused, freed, findings);
    belonging::find_belonging(scene, findings);
    pace::find_pace(scene, unfinished, findings);
    eligibility::find_eligibility(scene, findings);
}

/// What is found, in the order in which it is looked for.
#[derive(Default)]
struct Findings(Vec<Finding>);

impl Findings {
    fn add(&mut self, problem: Problem, effect: Effect, remedies: Vec<Remedy>) {
        self.0.push(Finding { problem, effect, remedies });
    }

    /// Adds what explains something, if it is so, and needs no remedy.
    fn explain(&mut self, problem: Option<Problem>) {
        if let Some(problem) = problem {
            self.add(problem, Effect::Explains, Vec::new());
        }
    }
}

/// How a rollout stands that does not progress.
fn standstill(scene: &Scene<'_>, findings: &[Finding], unfinished: bool, moves: bool) -> Option<RolloutState> {
    let is_stuck = findings.iter().any(|finding| finding.effect == Effect::Blocks);
    let behind = scene.daemon_set.metadata.generation > scene.daemon_set.status.observed_generation;
    if !is_stuck {
        return (!unfinished && !behind).then_some(RolloutState::Finished);
    }
    let stops_all = findings.iter().any(|finding| {
        let is_absolute = matches!(
            finding.problem,
            Problem::ControllerNotActing(_) | Problem::CreationRefused { .. } | Problem::MalformedLimit { .. }
        );
        is_absolute && finding.effect == Effect::Blocks
    });
    let moves =
        moves || findings.iter().any(|finding| finding.effect == Effect::Delays && finding.problem.places().is_none());
    (stops_all || !moves).then_some(RolloutState::Blocked)
}

/// Whether a sync would create or delete pods, other than failed ones, which come again.
fn acts(scene: &Scene<'_>) -> bool {
    scene.decisions.iter().any(|decision| match decision.action {
        Action::CreatePod { .. } => true,
        Action::DeletePod { .. } => decision.reason != crate::controller::Reason::FailedPod,
        _ => false,
    })
}

//! A world that is made in slices.

use std::sync::Arc;
use std::time::Duration;
use std::vec::IntoIter;

use rollcast_engine::api::{ControllerRevision, DaemonSet, Node, ObjectKey, Pod};
use rollcast_engine::controller::{Change, Snapshot};
use rollcast_engine::target::min_ready;
use rollcast_engine::time::Timestamp;

use crate::nodes::NodeState;
use crate::pods::index;
use crate::{ControlPlane, Distribution, Options, ScenarioEvent, World};

/// A world on its way to its start: [`World::new`] and [`World::settled_among`] in slices, for callers who must not be
/// kept from other things for long.
///
/// However it is sliced, the world is the same. A slice costs what it says, but for a few passes over all nodes that
/// each take about as long as the first sync of a play does.
#[derive(Clone, Debug)]
pub struct Building {
    world: World,
    stage: Stage,
    /// For which node or pod.
    at: u32,
    nodes: IntoIter<Node>,
    states: Vec<NodeState>,
    pods: IntoIter<Pod>,
    /// Those of `pods` that the controller is told about.
    observed: Vec<Pod>,
    /// What is rolled out before the start; absent when the snapshot is the start.
    settling: Option<Settling>,
    events: Vec<(Duration, ScenarioEvent)>,
}

#[derive(Clone, Debug)]
struct Settling {
    daemon_set: Box<DaemonSet>,
    /// Those of the start.
    options: Options,
}

/// What is done next, in this order; most of it for one node or pod after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Nodes are taken in.
    TakeNodes,
    /// Pods are taken in.
    TakePods,
    /// The controller sees the DaemonSet and its revisions.
    ShowDaemonSet,
    /// It sees the nodes.
    ShowNodes,
    /// It sees the pods.
    ShowPods,
    /// The world reads the DaemonSet's template.
    Read,
    /// It is worked out what that asks of nodes.
    JudgeNodes,
    /// It is worked out when pods are available.
    JudgePods,
    /// What was to become of pods goes on.
    ResumePods,
    /// The tiles of the start.
    Record,
    /// What runs at the start is applied, and read and judged like this; then it is rolled out.
    Apply,
    Settle,
    /// The start is reached; what was recorded so far does not count.
    Arrive,
    Ready,
}

impl Building {
    /// The beginning of [`World::new`].
    pub fn new(snapshot: Snapshot, key: ObjectKey, options: Options) -> Self {
        let Snapshot { daemon_sets, nodes, pods, revisions } = snapshot;
        let daemon_set = daemon_sets.into_iter().find(|daemon_set| daemon_set.metadata.is_named(&key));
        let own_namespace = |revision: &ControllerRevision| revision.metadata.namespace == key.namespace;
        let revisions = revisions.into_iter().filter(own_namespace).collect();
        let mut world = World::empty(key, options);
        world.daemon_set = daemon_set.map(Box::new);
        world.revisions = revisions;
        Self::of(world, nodes, pods)
    }

    /// The beginning of [`World::settled_among`].
    pub fn settled_among(daemon_set: DaemonSet, nodes: Vec<Node>, others: Vec<Pod>, options: Options) -> Self {
        const DAY: Duration = Duration::from_hours(24);
        let before = DAY.saturating_add(min_ready(&daemon_set.spec).saturating_mul(2)).as_secs();
        let seconds = options.start.as_seconds().saturating_sub(i64::try_from(before).unwrap_or(i64::MAX));
        let mut earlier = Options { start: Timestamp::from_seconds(seconds), ..options };
        earlier.latencies.pod_ready_after = Distribution::ZERO;
        earlier.timeline = false;
        earlier.images = None;
        earlier.control_plane = ControlPlane::default();
        let mut world = World::empty(daemon_set.metadata.key(), earlier);
        let daemon_set = Box::new(world.first_stored(daemon_set));
        Self { settling: Some(Settling { daemon_set, options }), ..Self::of(world, nodes, others) }
    }

    fn of(world: World, nodes: Vec<Node>, pods: Vec<Pod>) -> Self {
        Self {
            world,
            stage: Stage::TakeNodes,
            at: 0,
            states: Vec::with_capacity(nodes.len()),
            nodes: nodes.into_iter(),
            pods: pods.into_iter(),
            observed: Vec::new(),
            settling: None,
            events: Vec::new(),
        }
    }

    /// Plans something for the play, as [`World::schedule`] does once the world is there.
    #[must_use]
    pub fn with_event(mut self, after_start: Duration, event: ScenarioEvent) -> Self {
        self.events.push((after_start, event));
        self
    }

    /// Goes on for about `budget` nodes and pods; whether the world is ready.
    pub fn run(&mut self, budget: u32) -> bool {
        let mut spent = 0_u32;
        while self.stage != Stage::Ready && spent < budget {
            let played = self.world.played();
            let next = self.step();
            let decisions = u32::try_from(self.world.played().saturating_sub(played)).unwrap_or(u32::MAX);
            spent = spent.saturating_add(decisions.max(1));
            self.at = if next == self.stage { self.at.saturating_add(1) } else { 0 };
            self.stage = next;
        }
        self.stage == Stage::Ready
    }

    /// The world at its start, after what is left to do was done.
    pub fn finish(mut self) -> World {
        while !self.run(u32::MAX) {}
        self.world
    }

    /// Does one thing; which stage the next one belongs to.
    fn step(&mut self) -> Stage {
        let Self { world, stage, at, .. } = self;
        let is_node = index(*at) < world.nodes.len();
        let is_pod = *at < world.pods.end();
        match stage {
            Stage::TakeNodes => {
                if let Some(node) = self.nodes.next() {
                    self.states.push(taken_in(node, self.states.last()));
                } else {
                    world.nodes.fill(std::mem::take(&mut self.states));
                    return Stage::TakePods;
                }
            }
            Stage::TakePods => {
                if let Some(pod) = self.pods.next() {
                    self.observed.extend(world.take_in(pod));
                } else {
                    let version = world.options.version;
                    world.nodes.iter_mut().for_each(|state| state.add_up_others(version));
                    return Stage::ShowDaemonSet;
                }
            }
            Stage::ShowDaemonSet => {
                // Before the nodes: each then finds its place in the index as it comes.
                let applied = self.settling.as_ref().map(|settling| &settling.daemon_set);
                for daemon_set in applied.into_iter().chain(&world.daemon_set) {
                    world.controller.observe(Change::DaemonSet(daemon_set.clone()));
                }
                for revision in &world.revisions {
                    world.controller.observe(Change::Revision(Box::new(revision.clone())));
                }
                return Stage::ShowNodes;
            }
            Stage::ShowNodes if is_node => {
                if let Some(node) = world.nodes.get(*at).and_then(NodeState::object) {
                    world.controller.observe_node(node);
                }
            }
            Stage::ShowNodes => return Stage::ShowPods,
            Stage::ShowPods => {
                if let Some(pod) = self.observed.get(index(*at)) {
                    world.controller.observe_pod(pod);
                } else {
                    self.observed = Vec::new();
                    return Stage::Read;
                }
            }
            Stage::Read => {
                world.current = world.newest_revision_if_of_present_template();
                if world.follow_template() {
                    return Stage::JudgeNodes;
                }
                world.follow_classes();
                return Stage::JudgePods;
            }
            Stage::JudgeNodes if is_node => world.refresh_node(*at),
            Stage::JudgeNodes => {
                world.follow_classes();
                return Stage::JudgePods;
            }
            Stage::JudgePods if is_pod => world.refresh_availability(*at),
            Stage::JudgePods if self.settling.is_some() && world.daemon_set.is_some() => {
                world.stir();
                return Stage::Settle;
            }
            Stage::JudgePods => {
                world.take_stock();
                return Stage::ResumePods;
            }
            Stage::ResumePods if is_pod => world.resume(*at),
            Stage::ResumePods => {
                world.forget_records();
                return Stage::Record;
            }
            Stage::Record if is_node => world.record_start(*at),
            Stage::Record => {
                world.open_records();
                if self.settling.is_some() {
                    return Stage::Apply;
                }
                for (after_start, event) in std::mem::take(&mut self.events) {
                    world.schedule(after_start, event);
                }
                return Stage::Ready;
            }
            Stage::Apply => {
                world.daemon_set = self.settling.as_ref().map(|settling| settling.daemon_set.clone());
                return Stage::Read;
            }
            Stage::Settle => {
                if !world.run(1).partial {
                    return Stage::Arrive;
                }
            }
            Stage::Arrive => {
                if let Some(Settling { options, .. }) = self.settling.take() {
                    world.now = options.start.truncate_to_seconds().max(world.now);
                    world.options = Options { start: world.now, ..options };
                }
                world.refusals.clear();
                world.take_stock();
                world.forget_records();
                return Stage::Record;
            }
            Stage::Ready => {}
        }
        *stage
    }
}

/// A node as clones of the world share it; what it has in common with the one before is kept once.
fn taken_in(mut node: Node, before: Option<&NodeState>) -> NodeState {
    node.status.conditions.shrink_to_fit();
    node.spec.taints.shrink_to_fit();
    node.metadata.owner_references.shrink_to_fit();
    if let Some(before) = before.and_then(NodeState::object)
        && before.status.allocatable == node.status.allocatable
    {
        node.status.allocatable = before.status.allocatable.clone();
    }
    NodeState::new(node.metadata.name.clone(), Some(Arc::new(node)))
}

mod picture;

use std::time::Duration;

use rollcast_engine::api::Text;
use rollcast_engine::controller::Reason;
use rollcast_engine::time::micros;
use serde::{Deserialize, Serialize};

use crate::counters::CounterLog;
use crate::{Counters, Tile};

/// A rollout from its start to its end, as differences from moment to moment.
///
/// Any moment can be looked at in any order without a copy of the cluster:
/// counters are decoded from the keyframe before it (one every √nodes moments, so O(√nodes)), and the tile of a node
/// is found by walking back that node's own few changes (O(changes of the node), whatever the size of the cluster).
///
/// Everything is kept in columns of small numbers: 130,000 nodes updated one at a time take about 25 MB.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timeline {
    /// Node names by number; nodes that join later are added at the end.
    nodes: Vec<Text>,
    /// Tile numbers before the first moment.
    initial: Vec<u8>,
    /// The last change of each node, or [`NONE`].
    last_change: Vec<u32>,

    /// Microseconds since the start, ascending, one a moment.
    at: Vec<u64>,
    /// Where each moment's changes begin in the `change_*` columns.
    first_change: Vec<u32>,
    /// Where each moment's groups begin in `groups`.
    first_group: Vec<u32>,
    counters: CounterLog,

    change_node: Vec<u32>,
    /// The number of the tile that the node shows from then on.
    change_tile: Vec<u8>,
    /// The node's change before this one, or [`NONE`].
    change_before: Vec<u32>,

    groups: Vec<Group>,
    /// Nodes of the decisions, group after group; [`NONE`] for a decision that is about no node.
    group_nodes: Vec<u32>,
    reasons: Vec<Reason>,

    marks: Vec<Mark>,
}

/// Stands for "no change" and "no node".
const NONE: u32 = u32::MAX;

/// How far back an equal reason is looked for before it is stored again.
const REASONS_COMPARED: usize = 32;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Group {
    kind: DecisionKind,
    /// Index into `reasons`.
    reason: u32,
    candidate_count: u32,
    /// Where its nodes begin in `group_nodes`.
    first_node: u32,
}

/// What kind of thing was decided; status and events are not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum DecisionKind {
    /// A pod was created.
    CreatePod,
    /// A pod was deleted.
    DeletePod,
    /// An orphan pod was adopted.
    AdoptPod,
    /// A pod was given up.
    ReleasePod,
    /// A pod's `controller-revision-hash` was set.
    RelabelPod,
    /// A revision was created.
    CreateRevision,
    /// A revision got a new number.
    RenumberRevision,
    /// A revision was deleted.
    DeleteRevision,
    /// A revision was adopted, given up or labelled.
    ClaimRevision,
}

/// Decisions of one moment that share kind and reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecisionGroup<'a> {
    /// What was decided.
    pub kind: DecisionKind,
    /// Why.
    pub reason: &'a Reason,
    /// Among how many each was chosen; 1 when there was no choice.
    pub candidate_count: u32,
    /// How many decisions.
    pub count: u32,
    nodes: &'a [u32],
}

impl<'a> DecisionGroup<'a> {
    /// The numbers of the nodes they are about, in the order they were decided; empty for revisions.
    pub fn nodes(&self) -> impl Iterator<Item = u32> + use<'a> {
        self.nodes.iter().copied().filter(|&node| node != NONE)
    }
}

/// One node that shows something else from a moment on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TileChange {
    /// The node's number.
    pub node: u32,
    /// What it showed until then.
    pub from: Tile,
    /// What it shows from then on.
    pub to: Tile,
}

/// Something that was done to the cluster from outside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// Microseconds since the start.
    pub at: u64,
    /// What was done.
    pub kind: MarkKind,
    /// To which node, pod or DaemonSet.
    pub about: Text,
}

/// What was done to the cluster from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum MarkKind {
    /// The manifest was applied.
    Applied,
    /// The DaemonSet was deleted.
    Deleted,
    /// A node joined.
    NodeAdded,
    /// Labels or taints of a node changed, or it was cordoned or uncordoned.
    NodeChanged,
    /// A node became ready.
    NodeReady,
    /// A node stopped being ready.
    NodeNotReady,
    /// A node was removed.
    NodeRemoved,
    /// A pod was deleted.
    PodDeleted,
    /// A pod failed.
    PodFailed,
    /// New pods behave differently from then on.
    PodsBehave,
    /// Pods stopped being ready for a while.
    ReadinessFails,
    /// A node went down for a while.
    NodeReboots,
    /// A pod was evicted because of its node's taints.
    PodEvicted,
    /// A pod of another workload came.
    OtherPodAdded,
    /// A pod of another workload went.
    OtherPodRemoved,
    /// The controller ended, and another started.
    ControllerRestarts,
    /// API server, client or scheduler became faster or slower, or more or less reliable.
    ControlPlaneChanged,
    /// An earlier revision was applied again.
    RolledBack,
    /// The rollout was restarted.
    Restarted,
    /// A person began to delete outdated pods by hand, or ceased.
    PodsDeletedByHand,
}

/// The cluster at one moment: a view, nothing is copied.
#[derive(Clone, Copy, Debug)]
pub struct State<'a> {
    timeline: &'a Timeline,
    moment: u32,
    /// Changes from this one on lie ahead.
    limit: u32,
    /// The numbers of the moment.
    pub counters: Counters,
}

impl State<'_> {
    /// What a node shows; [`Tile::Gone`] for a number that no node has.
    pub fn tile(&self, node: u32) -> Tile {
        self.timeline.tile_before(node, self.limit)
    }

    /// What all nodes show, in order of their numbers.
    pub fn tiles(&self) -> impl Iterator<Item = Tile> + '_ {
        (0..self.timeline.node_count()).map(|node| self.tile(node))
    }

    /// What was decided in this moment.
    pub fn decisions(&self) -> impl Iterator<Item = DecisionGroup<'_>> {
        self.timeline.decisions(self.moment)
    }

    /// When it is, since the start.
    pub fn at(&self) -> Duration {
        self.timeline.at(self.moment)
    }
}

impl Timeline {
    const EMPTY: Self = Self {
        nodes: Vec::new(),
        initial: Vec::new(),
        last_change: Vec::new(),
        at: Vec::new(),
        first_change: Vec::new(),
        first_group: Vec::new(),
        counters: CounterLog::EMPTY,
        change_node: Vec::new(),
        change_tile: Vec::new(),
        change_before: Vec::new(),
        groups: Vec::new(),
        group_nodes: Vec::new(),
        reasons: Vec::new(),
        marks: Vec::new(),
    };

    /// Number of moments; there is at least one in a timeline that was played.
    pub fn len(&self) -> u32 {
        number(self.at.len())
    }

    /// Whether nothing was played yet.
    pub fn is_empty(&self) -> bool {
        self.at.is_empty()
    }

    /// Number of nodes that there were at any time.
    pub fn node_count(&self) -> u32 {
        number(self.initial.len())
    }

    /// The names of the nodes, by number.
    pub fn node_names(&self) -> &[Text] {
        &self.nodes
    }

    /// When a moment is, since the start; the time of the last one when there are fewer.
    pub fn at(&self, moment: u32) -> Duration {
        let at = self.at.get(index(moment)).or(self.at.last()).copied().unwrap_or_default();
        Duration::from_micros(at)
    }

    /// The last moment that is not after a time.
    pub fn moment_at(&self, time: Duration) -> Option<u32> {
        self.at.partition_point(|&at| at <= micros(time)).checked_sub(1).map(number)
    }

    /// The cluster at a moment, at the end of everything that happens in it.
    pub fn state_at(&self, moment: u32) -> State<'_> {
        let limit = self.first_change.get(index(moment.saturating_add(1))).copied();
        let limit = limit.unwrap_or(number(self.change_node.len()));
        State { timeline: self, moment, limit, counters: self.counters.get(moment) }
    }

    /// What a node showed before the first moment.
    pub fn initial_tile(&self, node: u32) -> Tile {
        self.tile_before(node, 0)
    }

    /// The counters of a moment and of all that follow, in one pass: for pictures of the whole.
    pub fn counters_from(&self, moment: u32) -> impl Iterator<Item = Counters> + '_ {
        self.counters.from(moment)
    }

    /// The nodes that show something else from a moment on, each once.
    pub fn changes(&self, moment: u32) -> impl DoubleEndedIterator<Item = TileChange> + '_ {
        span(&self.first_change, moment, self.change_node.len()).filter_map(|change| {
            let node = *self.change_node.get(change)?;
            let to = Tile::from_number(*self.change_tile.get(change)?);
            Some(TileChange { node, from: self.tile_before(node, number(change)), to })
        })
    }

    /// What was decided in a moment, in order.
    pub fn decisions(&self, moment: u32) -> impl Iterator<Item = DecisionGroup<'_>> {
        span(&self.first_group, moment, self.groups.len()).filter_map(|index_of_group| {
            let group = self.groups.get(index_of_group)?;
            let end = self.groups.get(index_of_group + 1).map_or(self.group_nodes.len(), |next| index(next.first_node));
            let nodes = self.group_nodes.get(index(group.first_node)..end)?;
            Some(DecisionGroup {
                kind: group.kind,
                reason: self.reasons.get(index(group.reason))?,
                candidate_count: group.candidate_count,
                count: number(nodes.len()),
                nodes,
            })
        })
    }

    /// The next moment after this one in which a pod was created or deleted.
    pub fn next_decision(&self, moment: u32) -> Option<u32> {
        (moment.saturating_add(1)..self.len()).find(|&moment| self.decides_about_pods(moment))
    }

    /// The last moment before this one in which a pod was created or deleted.
    pub fn previous_decision(&self, moment: u32) -> Option<u32> {
        (0..moment.min(self.len())).rev().find(|&moment| self.decides_about_pods(moment))
    }

    /// What was done from outside, in order of time.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// Memory held, in bytes, node names not counted.
    pub fn bytes(&self) -> usize {
        let small = self.initial.capacity() + self.change_tile.capacity();
        let numbers = self.last_change.capacity()
            + self.first_change.capacity()
            + self.first_group.capacity()
            + self.change_node.capacity()
            + self.change_before.capacity()
            + self.group_nodes.capacity();
        let groups = self.groups.capacity() * size_of::<Group>() + self.reasons.capacity() * size_of::<Reason>();
        small + numbers * 4 + self.at.capacity() * 8 + groups + self.counters.bytes()
    }

    fn decides_about_pods(&self, moment: u32) -> bool {
        self.decisions(moment).any(|group| matches!(group.kind, DecisionKind::CreatePod | DecisionKind::DeletePod))
    }

    /// What a node shows when only the changes before `limit` have happened.
    fn tile_before(&self, node: u32, limit: u32) -> Tile {
        let mut change = self.last_change.get(index(node)).copied().unwrap_or(NONE);
        while change != NONE && change >= limit {
            let before = self.change_before.get(index(change)).copied().unwrap_or(NONE);
            // A stored timeline may be damaged: never walk in a circle.
            change = if before < change { before } else { NONE };
        }
        let tile = if change == NONE { self.initial.get(index(node)) } else { self.change_tile.get(index(change)) };
        tile.map_or(Tile::Gone, |&tile| Tile::from_number(tile))
    }
}

impl Default for Timeline {
    fn default() -> Self {
        Self::EMPTY
    }
}

/// Writes a [`Timeline`] while a rollout is played; by default nothing is written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recorder {
    timeline: Option<Box<Timeline>>,
    /// Of the moment that is being written: where it begins.
    open_change: u32,
    open_group: u32,
    /// Whether the open moment differs from the one before, apart from its counters.
    differs: bool,
    /// Counters and time of the moment that was closed last.
    last: Option<Counters>,
    last_at: Duration,
}

impl Recorder {
    /// A timeline that starts with these nodes and tiles.
    pub fn new(nodes: Vec<Text>, initial: &[Tile]) -> Self {
        let timeline = Timeline {
            counters: CounterLog::new(number(nodes.len().isqrt().max(16))),
            last_change: vec![NONE; nodes.len()],
            initial: initial.iter().map(|tile| tile.number()).collect(),
            nodes,
            ..Timeline::EMPTY
        };
        Self { timeline: Some(Box::new(timeline)), ..Self::default() }
    }

    /// When the last moment was in which something differed, since the start.
    pub const fn last_at(&self) -> Duration {
        self.last_at
    }

    pub fn timeline(&self) -> &Timeline {
        static UNWRITTEN: Timeline = Timeline::EMPTY;
        self.timeline.as_deref().unwrap_or(&UNWRITTEN)
    }

    pub fn take_timeline(&mut self) -> Timeline {
        self.timeline.take().map_or(Timeline::EMPTY, |timeline| *timeline)
    }

    /// A node joins; it showed [`Tile::Gone`] so far.
    pub fn add_node(&mut self, name: Text) {
        let Some(timeline) = &mut self.timeline else { return };
        timeline.nodes.push(name);
        timeline.initial.push(Tile::Gone.number());
        timeline.last_change.push(NONE);
    }

    /// A node shows another tile from the open moment on; at most once a node and moment.
    pub fn change(&mut self, node: u32, tile: Tile) {
        self.differs = true;
        let Some(timeline) = &mut self.timeline else { return };
        let next = number(timeline.change_node.len());
        let Some(last) = timeline.last_change.get_mut(index(node)) else { return };
        timeline.change_node.push(node);
        timeline.change_tile.push(tile.number());
        timeline.change_before.push(std::mem::replace(last, next));
    }

    /// Something is decided in the open moment.
    pub fn decide(&mut self, kind: DecisionKind, reason: &Reason, candidate_count: u32, node: Option<u32>) {
        self.differs = true;
        let Some(timeline) = &mut self.timeline else { return };
        let open = timeline.groups.get(index(self.open_group)..).and_then(<[Group]>::last);
        let same = open.is_some_and(|group| {
            group.kind == kind
                && group.candidate_count == candidate_count
                && timeline.reasons.get(index(group.reason)) == Some(reason)
        });
        if !same {
            let known = timeline.reasons.iter().rev().take(REASONS_COMPARED).position(|known| known == reason);
            let reason = if let Some(back) = known {
                timeline.reasons.len() - 1 - back
            } else {
                timeline.reasons.push(reason.clone());
                timeline.reasons.len() - 1
            };
            let first_node = number(timeline.group_nodes.len());
            timeline.groups.push(Group { kind, reason: number(reason), candidate_count, first_node });
        }
        timeline.group_nodes.push(node.unwrap_or(NONE));
    }

    /// Something is done from outside.
    pub fn mark(&mut self, at: Duration, kind: MarkKind, about: Text) {
        let Some(timeline) = &mut self.timeline else { return };
        timeline.marks.push(Mark { at: micros(at), kind, about });
    }

    /// Closes the open moment; it is dropped when nothing in it differs from the one before.
    pub fn close(&mut self, at: Duration, counters: Counters) {
        if !std::mem::take(&mut self.differs) && self.last == Some(counters) {
            return;
        }
        (self.last, self.last_at) = (Some(counters), at);
        let Some(timeline) = &mut self.timeline else { return };
        let changes = number(timeline.change_node.len());
        let groups = number(timeline.groups.len());
        timeline.at.push(micros(at));
        timeline.first_change.push(self.open_change);
        timeline.first_group.push(self.open_group);
        timeline.counters.push(counters);
        (self.open_change, self.open_group) = (changes, groups);
    }
}

/// The places between where a moment begins and where the next one does.
fn span(firsts: &[u32], moment: u32, len: usize) -> std::ops::Range<usize> {
    let Some(&first) = firsts.get(index(moment)) else { return 0..0 };
    let end = firsts.get(index(moment.saturating_add(1))).map_or(len, |&next| index(next));
    index(first)..end.min(len)
}

fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    /// Nodes are replaced one after the other: terminating, missing, starting, available.
    pub(crate) fn one_at_a_time(nodes: u32) -> Timeline {
        let names = (0..nodes).map(|node| Text::from(format!("node-{node}"))).collect();
        let mut recorder = Recorder::new(names, &vec![Tile::OldAvailable; index(nodes)]);
        let steps = [Tile::Terminating, Tile::Missing, Tile::NewStarting, Tile::NewAvailable];
        for node in 0..nodes {
            for (step, tile) in (0..).zip(steps) {
                if tile == Tile::Terminating {
                    let reason = Reason::OutdatedWithinBudget { unavailable: 0, limit: 1 };
                    recorder.decide(DecisionKind::DeletePod, &reason, nodes - node, Some(node));
                }
                recorder.change(node, tile);
                let counters = Counters { desired: nodes, new_available: node, ..Counters::default() };
                recorder.close(seconds(u64::from(node) * 40 + step * 10), counters);
            }
        }
        recorder.take_timeline()
    }

    #[test]
    fn any_moment_shows_what_playing_up_to_it_shows() {
        let timeline = one_at_a_time(50);
        let mut tiles = vec![Tile::OldAvailable; 50];
        for moment in 0..timeline.len() {
            for change in timeline.changes(moment) {
                assert_eq!(tiles[index(change.node)], change.from);
                tiles[index(change.node)] = change.to;
            }
            assert_eq!(timeline.state_at(moment).tiles().collect::<Vec<_>>(), tiles, "moment {moment}");
        }
        assert_eq!(timeline.initial_tile(3), Tile::OldAvailable);
        assert_eq!(timeline.initial_tile(50), Tile::Gone);
    }

    #[test]
    fn decisions_keep_their_reason_and_nodes() {
        let timeline = one_at_a_time(3);
        let groups: Vec<_> = timeline.decisions(4).collect();
        assert_eq!(groups.len(), 1);
        assert_eq!(groups[0].kind, DecisionKind::DeletePod);
        assert_eq!(groups[0].reason, &Reason::OutdatedWithinBudget { unavailable: 0, limit: 1 });
        assert_eq!((groups[0].count, groups[0].candidate_count), (1, 2));
        assert_eq!(groups[0].nodes().collect::<Vec<_>>(), [1]);
        assert_eq!(timeline.reasons.len(), 1);
        assert_eq!(timeline.next_decision(0), Some(4));
        assert_eq!(timeline.previous_decision(4), Some(0));
        assert_eq!(timeline.next_decision(8), None);
    }

    #[test]
    fn a_time_between_two_moments_belongs_to_the_earlier() {
        let timeline = one_at_a_time(2);
        assert_eq!(timeline.moment_at(seconds(19)), Some(1));
        assert_eq!(timeline.moment_at(seconds(20)), Some(2));
        assert_eq!(timeline.moment_at(seconds(1_000)), Some(7));
        assert_eq!(Timeline::default().moment_at(seconds(0)), None);
    }

    #[test]
    fn a_moment_in_which_nothing_differs_is_not_kept() {
        let mut recorder = Recorder::new(vec!["a".into()], &[Tile::Missing]);
        recorder.close(seconds(0), Counters::default());
        recorder.close(seconds(1), Counters::default());
        recorder.change(0, Tile::NewStarting);
        recorder.close(seconds(2), Counters::default());
        let timeline = recorder.take_timeline();
        assert_eq!(timeline.len(), 2);
        assert_eq!(timeline.at(1), seconds(2));
    }

    #[test]
    fn a_node_that_joins_was_gone_before() {
        let mut recorder = Recorder::new(vec!["a".into()], &[Tile::Missing]);
        recorder.close(seconds(0), Counters::default());
        recorder.add_node("b".into());
        recorder.change(1, Tile::NewStarting);
        recorder.close(seconds(1), Counters::default());
        let timeline = recorder.take_timeline();
        assert_eq!(timeline.state_at(0).tile(1), Tile::Gone);
        assert_eq!(timeline.state_at(1).tile(1), Tile::NewStarting);
    }

    #[test]
    fn a_timeline_survives_the_way_to_the_page_and_back() {
        let timeline = one_at_a_time(20);
        let text = serde_json::to_string(&timeline).unwrap();
        assert_eq!(serde_json::from_str::<Timeline>(&text).unwrap(), timeline);
    }

    #[test]
    fn a_large_cluster_updated_one_at_a_time_takes_tens_of_megabytes() {
        let timeline = one_at_a_time(130_000);
        assert_eq!(timeline.len(), 520_000);
        assert!(timeline.bytes() < 48 << 20, "{} bytes", timeline.bytes());
        assert_eq!(timeline.state_at(400_002).counters.new_available, 100_000);
        assert_eq!(timeline.state_at(400_002).tile(100_000), Tile::NewStarting);
    }

    #[test]
    fn a_damaged_timeline_gives_tiles_and_no_panic_or_circle() {
        let mut timeline = one_at_a_time(5);
        timeline.change_before.fill(3);
        timeline.first_change.truncate(4);
        for group in &mut timeline.groups {
            group.reason = 9;
        }
        for moment in 0..30 {
            assert_eq!(timeline.state_at(moment).tiles().count(), 5);
            assert_eq!(timeline.decisions(moment).count(), 0);
        }
    }
}

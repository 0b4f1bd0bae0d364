//! The nodes and pods of one DaemonSet, with the class of every node at hand.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use super::class::{Aggregate, NodeClass, classify};
use super::nodes::{NodeEntry, NodeTable};
use super::places::Places;
use super::pods::PodTable;
use super::{PodRecord, Slot};
use crate::KubernetesVersion;
use crate::api::{DaemonSet, DaemonSetStatus, Node, ObjectKey, Text};
use crate::availability::PodFacts;
use crate::bitset::Bitset;
use crate::history::{History, go_json, template_patch};
use crate::ownership::Claim;
use crate::placement::{PlacementRules, eligibility};
use crate::target::{Standing, Target};
use crate::text::same;
use crate::time::Timestamp;

/// One DaemonSet with everything its sync reads.
#[derive(Clone, Debug)]
pub struct View {
    key: ObjectKey,
    daemon_set: DaemonSet,
    patch: String,
    /// What follows from the DaemonSet and the revisions of its namespace, until one of them changes.
    history: Option<Arc<History>>,
    /// Shared by clones: they are replaced, never changed.
    rules: Arc<PlacementRules>,
    target: Target,
    nodes: Vec<NodeState>,
    aggregate: Aggregate,
    dirty: Vec<Slot>,
    all_dirty: bool,
    timers: BinaryHeap<Reverse<(Timestamp, Slot)>>,
    adopt: Bitset,
    release: Bitset,
    untargeted: Bitset,
    pods_by_hash: Vec<(Text, u32)>,
}

/// One node as one DaemonSet sees it.
#[derive(Clone, Debug, Default)]
struct NodeState {
    /// Slots of its pods, in pod order, invisible ones included.
    pods: Places,
    standing: Standing,
    class: NodeClass,
    valid_until: Option<Timestamp>,
    dirty: bool,
}

impl View {
    pub(super) fn new(daemon_set: DaemonSet, nodes: &NodeTable, version: KubernetesVersion) -> Self {
        let rules = Arc::new(PlacementRules::of(&daemon_set.spec.template, version));
        let mut view = Self {
            key: daemon_set.metadata.key(),
            patch: go_json(&template_patch(daemon_set.spec.template.json())),
            history: None,
            target: Target::newest(&daemon_set, Text::default(), version),
            rules,
            daemon_set,
            nodes: Vec::new(),
            aggregate: Aggregate::default(),
            dirty: Vec::new(),
            all_dirty: true,
            timers: BinaryHeap::new(),
            adopt: Bitset::new(),
            release: Bitset::new(),
            untargeted: Bitset::new(),
            pods_by_hash: Vec::new(),
        };
        view.nodes.resize_with(nodes.len(), NodeState::default);
        view.judge_all(nodes);
        view
    }

    /// Namespace and name.
    pub const fn key(&self) -> &ObjectKey {
        &self.key
    }

    /// The DaemonSet as last observed.
    pub const fn daemon_set(&self) -> &DaemonSet {
        &self.daemon_set
    }

    /// The data of a revision of the present template, as Go writes it.
    pub fn patch(&self) -> &str {
        &self.patch
    }

    /// The history as the last sync worked it out, if it still holds.
    pub(crate) const fn known_history(&self) -> Option<&Arc<History>> {
        self.history.as_ref()
    }

    pub(super) fn remember_history(&mut self, history: &Arc<History>) {
        if self.history.is_none() {
            self.history = Some(Arc::clone(history));
        }
    }

    pub(super) fn forget_history(&mut self) {
        self.history = None;
    }

    /// Where the template's pods go.
    pub fn rules(&self) -> &PlacementRules {
        &self.rules
    }

    /// What a node is to become: upstream, the newest revision everywhere.
    pub const fn target(&self) -> &Target {
        &self.target
    }

    /// Which nodes bear which mark, as of the last refresh.
    pub const fn aggregate(&self) -> &Aggregate {
        &self.aggregate
    }

    /// How many of the pods that have a node carry which revision's hash, in no order.
    pub const fn pods_by_hash(&self) -> &[(Text, u32)] {
        self.pods_by_hash.as_slice()
    }

    /// Where a node stands.
    pub fn standing(&self, rank: Slot) -> Standing {
        self.nodes.get(rank as usize).map_or(Standing::Gone, |state| state.standing)
    }

    /// Whether there are pods to adopt or to give up.
    pub(crate) fn has_claims(&self) -> bool {
        !self.adopt.is_empty() || !self.release.is_empty()
    }

    pub(super) fn adoptions(&self) -> impl Iterator<Item = Slot> + '_ {
        self.adopt.iter()
    }

    pub(super) fn releases(&self) -> impl Iterator<Item = Slot> + '_ {
        self.release.iter()
    }

    /// Every pod that counts as its own, node by node, then those without a node.
    pub(super) fn owned(&self) -> impl Iterator<Item = Slot> + '_ {
        self.nodes.iter().flat_map(|state| state.pods.as_slice().iter().copied()).chain(self.untargeted.iter())
    }

    /// The pods of a node, in pod order, invisible ones included.
    pub(super) fn pods_on(&self, rank: Slot) -> &[Slot] {
        self.nodes.get(rank as usize).map_or(&[], |state| state.pods.as_slice())
    }

    /// When a class next changes by time alone.
    pub(super) fn wake_at(&mut self) -> Option<Timestamp> {
        while let Some(Reverse((time, rank))) = self.timers.peek() {
            if self.nodes.get(*rank as usize).is_some_and(|state| state.valid_until == Some(*time)) {
                return Some(*time);
            }
            self.timers.pop();
        }
        None
    }

    /// Takes in a changed object; whether ownership of pods may differ now.
    pub(super) fn update(&mut self, daemon_set: DaemonSet, nodes: &NodeTable) -> bool {
        let before = std::mem::replace(&mut self.daemon_set, daemon_set);
        let after = &self.daemon_set;
        let reclaim = before.metadata.uid != after.metadata.uid
            || before.spec.selector != after.spec.selector
            || before.metadata.is_being_deleted() != after.metadata.is_being_deleted();
        let same_spec = before.spec == after.spec;
        if !same_spec
            || before.metadata != after.metadata
            || before.status.collision_count != after.status.collision_count
        {
            self.history = None;
        }
        if !same_spec && before.spec.template != after.spec.template {
            self.patch = go_json(&template_patch(after.spec.template.json()));
            self.rules = Arc::new(PlacementRules::of(&after.spec.template, self.target.version));
            self.judge_all(nodes);
        }
        if !same_spec || before.metadata.annotations != self.daemon_set.metadata.annotations {
            let target = Target::newest(&self.daemon_set, self.target.revision.clone(), self.target.version);
            self.set_target(target);
        }
        reclaim
    }

    /// Takes in a status that differs while nothing else does.
    pub(super) fn update_status(&mut self, status: DaemonSetStatus) {
        if self.daemon_set.status.collision_count != status.collision_count {
            self.history = None;
        }
        self.daemon_set.status = status;
    }

    /// Makes a revision the one that every node is to have.
    pub(super) fn set_revision(&mut self, revision: &Text) {
        if !same(&self.target.revision, revision) {
            let target = Target { revision: revision.clone(), ..self.target.clone() };
            self.set_target(target);
        }
    }

    /// Makes another release's rules hold.
    pub(super) fn set_version(&mut self, version: KubernetesVersion) {
        self.rules = Arc::new(PlacementRules::of(&self.daemon_set.spec.template, version));
        self.set_target(Target { version, ..self.target.clone() });
    }

    fn set_target(&mut self, target: Target) {
        self.all_dirty |= self.target != target;
        self.target = target;
    }

    pub(super) fn add_node(&mut self) {
        self.nodes.push(NodeState::default());
    }

    fn judge_all(&mut self, nodes: &NodeTable) {
        let mut judged = Node::default();
        for (entry, state) in nodes.iter().zip(&mut self.nodes) {
            state.standing = standing(&self.rules, entry, &mut judged);
        }
        self.all_dirty = true;
    }

    /// Judges one node anew, after it changed; whether it stands elsewhere now.
    pub(super) fn judge(&mut self, slot: Slot, nodes: &NodeTable) -> bool {
        let Some(entry) = nodes.get(slot) else { return false };
        let standing = standing(&self.rules, entry, &mut Node::default());
        if let Some(state) = self.nodes.get_mut(slot as usize)
            && state.standing != standing
        {
            state.standing = standing;
            self.mark_dirty(slot);
            return true;
        }
        false
    }

    fn mark_dirty(&mut self, slot: Slot) {
        if let Some(state) = self.nodes.get_mut(slot as usize)
            && !state.dirty
        {
            state.dirty = true;
            self.dirty.push(slot);
        }
    }

    /// Takes a pod in.
    pub(super) fn link(&mut self, slot: Slot, record: &PodRecord, pods: &PodTable) {
        match record.claim {
            Claim::Ignore => return,
            Claim::Release => {
                self.release.insert(slot);
                return;
            }
            Claim::Adopt => {
                self.adopt.insert(slot);
            }
            Claim::Keep => {}
        }
        let Some(state) = self.nodes.get_mut(record.node as usize) else {
            self.untargeted.insert(slot);
            return;
        };
        let after = |other: &Slot| pods.get(*other).is_none_or(|other| record.facts.pod_order(&other.facts).is_lt());
        let known = state.pods.as_slice();
        let place = known.iter().position(after).unwrap_or(known.len());
        state.pods.insert(place, slot);
        self.count_hash(&record.facts.revision, 1);
        self.mark_dirty(record.node);
    }

    /// Lets a pod go.
    pub(super) fn unlink(&mut self, slot: Slot, record: &PodRecord) {
        match record.claim {
            Claim::Ignore => return,
            Claim::Release => {
                self.release.remove(slot);
                return;
            }
            Claim::Adopt => {
                self.adopt.remove(slot);
            }
            Claim::Keep => {}
        }
        let Some(state) = self.nodes.get_mut(record.node as usize) else {
            self.untargeted.remove(slot);
            return;
        };
        state.pods.remove(slot);
        self.count_hash(&record.facts.revision, -1);
        self.mark_dirty(record.node);
    }

    /// Notes that a pod changed that stays where it is.
    pub(super) fn touch(&mut self, record: &PodRecord) {
        self.mark_dirty(record.node);
    }

    fn count_hash(&mut self, hash: &Text, by: i32) {
        if hash.is_empty() {
            return;
        }
        let place = self.pods_by_hash.iter().position(|(other, _)| same(other, hash));
        match place.and_then(|place| self.pods_by_hash.get_mut(place)) {
            Some((_, count)) => {
                *count = count.saturating_add_signed(by);
                if *count == 0 {
                    self.pods_by_hash.retain(|(_, count)| *count > 0);
                }
            }
            None if by > 0 => self.pods_by_hash.push((hash.clone(), 1)),
            None => {}
        }
    }

    /// Brings the classes up to date: of nodes where something changed, and of those whose time has come.
    pub(super) fn refresh(&mut self, pods: &PodTable, now: Timestamp) {
        if self.all_dirty {
            self.all_dirty = false;
            self.dirty.clear();
            for slot in 0..u32::try_from(self.nodes.len()).unwrap_or(super::NOWHERE) {
                self.reclassify(slot, pods, now);
            }
        } else {
            let mut dirty = std::mem::take(&mut self.dirty);
            for slot in dirty.drain(..) {
                self.reclassify(slot, pods, now);
            }
            self.dirty = dirty;
        }
        while let Some(Reverse((time, slot))) = self.timers.peek().copied()
            && time <= now
        {
            self.timers.pop();
            if self.nodes.get(slot as usize).is_some_and(|state| state.valid_until == Some(time)) {
                self.reclassify(slot, pods, now);
            }
        }
    }

    fn reclassify(&mut self, slot: Slot, pods: &PodTable, now: Timestamp) {
        let Some(state) = self.nodes.get_mut(slot as usize) else { return };
        let (class, valid_until) = with_list(visible(state.pods.as_slice(), pods, self.target.version), |pods| {
            classify(state.standing, pods, &self.target, now)
        });
        self.aggregate.reclassify(slot, state.class, class);
        if valid_until != state.valid_until
            && let Some(time) = valid_until
        {
            self.timers.push(Reverse((time, slot)));
        }
        state.class = class;
        state.valid_until = valid_until;
        state.dirty = false;
    }

    /// Moves everything to new slots.
    pub(super) fn rank(&mut self, moved: &[Option<Slot>], count: usize) {
        let to = |slot: Slot| moved.get(slot as usize).copied().flatten();
        let mut nodes: Vec<NodeState> = Vec::new();
        nodes.resize_with(count, NodeState::default);
        for (slot, state) in (0..).zip(std::mem::take(&mut self.nodes)) {
            if let Some(place) = to(slot).and_then(|slot| nodes.get_mut(slot as usize)) {
                *place = state;
            }
        }
        self.nodes = nodes;
        self.aggregate.clear();
        for (slot, state) in (0..).zip(&self.nodes) {
            self.aggregate.reclassify(slot, NodeClass::default(), state.class);
        }
        self.dirty = self.dirty.iter().filter_map(|slot| to(*slot)).collect();
        self.timers =
            self.timers.drain().filter_map(|Reverse((time, slot))| Some(Reverse((time, to(slot)?)))).collect();
    }
}

/// Where a node stands; `judged` is a node object to be filled.
fn standing(rules: &PlacementRules, entry: &NodeEntry, judged: &mut Node) -> Standing {
    if entry.fill(judged) { eligibility(rules, judged).into() } else { Standing::Gone }
}

/// Hands over what an iterator yields as a list, which for the few pods of a node needs no memory of its own.
fn with_list<'a, R>(mut pods: impl Iterator<Item = &'a PodFacts>, work: impl FnOnce(&[&'a PodFacts]) -> R) -> R {
    let Some(first) = pods.next() else { return work(&[]) };
    let mut few = [first; 4];
    let mut count = 1;
    for place in few.iter_mut().skip(1) {
        match pods.next() {
            Some(pod) => *place = pod,
            None => break,
        }
        count += 1;
    }
    match pods.next() {
        None => work(few.get(..count).unwrap_or_default()),
        Some(fifth) => {
            let all: Vec<&PodFacts> = few.into_iter().chain(std::iter::once(fifth)).chain(pods).collect();
            work(&all)
        }
    }
}

/// The pods of a node that planning sees, in pod order.
pub(super) fn visible<'a>(
    slots: &'a [Slot],
    pods: &'a PodTable,
    version: KubernetesVersion,
) -> impl Iterator<Item = &'a PodFacts> + Clone {
    let facts = slots.iter().filter_map(|slot| pods.get(*slot)).map(|record| &record.facts);
    facts.filter(move |facts| !facts.is_invisible(version))
}

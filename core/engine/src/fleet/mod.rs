//! The incremental index: nodes, their pods and revisions as last observed, and per DaemonSet the class of every node.
//!
//! Fed with single changes it reaches the same state as when it is rebuilt from a snapshot. A pod or node event touches
//! the node it is about; a refresh looks at touched nodes and at those whose class changes by time. A node whose name
//! is not the last one costs one pass over all nodes at the next refresh, however many came.

mod change;
mod class;
mod nodes;
mod places;
mod pods;
mod view;

use std::sync::Arc;

pub(crate) use change::{NodeChange, PodBefore, PodChange};
pub use class::{Aggregate, Mark, NodeClass, classify};
pub use pods::{PodLife, PodRecord};
pub use view::View;

use crate::KubernetesVersion;
use crate::api::{
    ControllerRevision, DaemonSet, DaemonSetStatus, Labels, Node, ObjectKey, ObjectMeta, Pod, PodPhase, Text,
};
use crate::availability::PodFacts;
use crate::history::{History, StoredRevision};
use crate::order::sort_by_text;
use crate::ownership::{Claim, claim};
use crate::placement::target_node_of;
pub(crate) use crate::slot_index::NOWHERE;
use crate::slot_index::{SlotIndex, hash_of};
use crate::text::same;
use crate::time::Timestamp;
use nodes::{NodeFacts, NodeTable};
use pods::{Kin, PodTable};

/// A place in one of the index's tables; of nodes, their rank.
pub type Slot = u32;

/// The index.
#[derive(Clone, Debug, Default)]
pub struct Fleet {
    version: KubernetesVersion,
    nodes: NodeTable,
    pods: PodTable,
    views: Vec<Option<View>>,
    /// The places of all DaemonSets, in order of their keys.
    by_key: Vec<Slot>,
    by_uid: SlotIndex,
    /// In order of their keys.
    revisions: Vec<StoredRevision>,
    /// Whose the last owned pod was, and how: most are like the one before. Forgotten when a DaemonSet changes.
    last_claim: Option<LastClaim>,
}

/// All that the claim on an owned pod follows from, and the claim.
#[derive(Clone, Debug)]
struct LastClaim {
    kin: Arc<Kin>,
    labels: Labels,
    /// The `controller-revision-hash` among the labels; empty when there is none.
    revision: Text,
    found: (Slot, Claim),
}

impl Fleet {
    // ---- queries ----

    /// The place of a DaemonSet.
    pub fn find(&self, key: &ObjectKey) -> Option<Slot> {
        self.by_key.get(self.rank_of(key).ok()?).copied()
    }

    /// Where a DaemonSet is among all in order of their keys, or would be.
    fn rank_of(&self, key: &ObjectKey) -> Result<usize, usize> {
        self.by_key.binary_search_by(|slot| self.view(*slot).map(View::key).cmp(&Some(key)))
    }

    /// A DaemonSet with everything its sync reads.
    pub fn view(&self, slot: Slot) -> Option<&View> {
        self.views.get(slot as usize)?.as_ref()
    }

    /// The places of all DaemonSets, in order of their keys.
    pub fn views(&self) -> impl Iterator<Item = Slot> + '_ {
        self.by_key.iter().copied()
    }

    /// The name of a node.
    pub fn node_name(&self, rank: Slot) -> &Text {
        static EMPTY: Text = Text::new_static("");
        self.nodes.get(rank).map_or(&EMPTY, |entry| &entry.name)
    }

    /// The rank of a node, or of one that is gone and has a pod, as of the last sync.
    pub fn node_rank(&self, name: &str) -> Option<Slot> {
        self.nodes.find(name)
    }

    /// A node, unless it is gone: name, UID, labels and taints of it.
    pub fn node(&self, rank: Slot) -> Option<Node> {
        let mut node = Node::default();
        self.nodes.get(rank)?.fill(&mut node).then_some(node)
    }

    /// The UID of a node, unless it is gone.
    pub fn node_uid(&self, rank: Slot) -> Option<&Text> {
        Some(&self.nodes.get(rank)?.facts.as_ref()?.uid)
    }

    /// The pods of a DaemonSet on a node that planning sees, in pod order.
    pub fn pods_on<'a>(&'a self, view: &'a View, rank: Slot) -> impl Iterator<Item = &'a PodFacts> + Clone + 'a {
        view::visible(view.pods_on(rank), &self.pods, self.version)
    }

    /// The orphans that a DaemonSet adopts, by name.
    pub fn adoptions<'a>(&'a self, view: &'a View) -> Vec<&'a PodRecord> {
        self.by_name(&mut view.adoptions())
    }

    /// The pods that a DaemonSet gives up, by name.
    pub fn releases<'a>(&'a self, view: &'a View) -> Vec<&'a PodRecord> {
        self.by_name(&mut view.releases())
    }

    /// Every pod that counts as a DaemonSet's own, by name.
    pub fn owned<'a>(&'a self, view: &'a View) -> Vec<&'a PodRecord> {
        self.by_name(&mut view.owned())
    }

    fn by_name(&self, slots: &mut dyn Iterator<Item = Slot>) -> Vec<&PodRecord> {
        let mut records: Vec<&PodRecord> = slots.filter_map(|slot| self.pods.get(slot)).collect();
        sort_by_text(&mut records, |record| &record.facts.name);
        records
    }

    /// Whether a pod of this name is known in a namespace.
    pub fn knows_pod(&self, namespace: &str, name: &str) -> bool {
        self.pods.find(namespace, name).is_some()
    }

    /// The revisions of a namespace, in order of their names.
    pub fn revisions_in(&self, namespace: &str) -> &[StoredRevision] {
        let namespaces = |revision: &StoredRevision| revision.object.metadata.namespace.as_str().cmp(namespace);
        let start = self.revisions.partition_point(|revision| namespaces(revision).is_lt());
        let end = self.revisions.partition_point(|revision| namespaces(revision).is_le());
        self.revisions.get(start..end).unwrap_or_default()
    }

    /// The DaemonSet that an object's owner reference names, if it has one that is known.
    pub(crate) fn owner_of(&self, object: &ObjectMeta) -> Option<Slot> {
        self.owner(&object.namespace, &object.controller_owner()?.uid)
    }

    /// The DaemonSet that owns a pod which was just taken in.
    pub(crate) fn pod_owner(&self, object: &ObjectMeta, slot: Option<Slot>) -> Option<Slot> {
        match slot.and_then(|slot| self.pods.get(slot)) {
            Some(record) if matches!(record.claim, Claim::Keep | Claim::Release) => Some(record.view),
            _ => self.owner_of(object),
        }
    }

    /// The DaemonSet that an owner reference names (`resolveControllerRef`).
    pub(crate) fn owner(&self, namespace: &str, uid: &str) -> Option<Slot> {
        let slot = self.find_by_uid(uid)?;
        self.view(slot).filter(|view| view.key().namespace == namespace).map(|_| slot)
    }

    fn find_by_uid(&self, uid: &str) -> Option<Slot> {
        let is_it = |slot: Slot| self.view(slot).is_some_and(|view| same(&view.daemon_set().metadata.uid, uid));
        self.by_uid.find(hash_of(&[uid]), is_it)
    }

    /// The DaemonSets whose selector matches an orphan of theirs (`getDaemonSetsForPod`).
    pub(crate) fn admirers<'a>(&'a self, object: &'a ObjectMeta) -> impl Iterator<Item = Slot> + 'a {
        self.views().filter(move |slot| {
            self.view(*slot).is_some_and(|view| {
                let selector = &view.daemon_set().spec.selector;
                view.key().namespace == object.namespace
                    && !selector.is_empty()
                    && selector.matches(&object.labels) == Ok(true)
            })
        })
    }

    /// Shows the places of all DaemonSets, in order of their keys, each with the time at which the class of a node of
    /// it next changes by time alone.
    pub(crate) fn for_each_wake(&mut self, mut show: impl FnMut(Slot, Option<Timestamp>)) {
        for &slot in &self.by_key {
            let view = self.views.get_mut(slot as usize).and_then(Option::as_mut);
            show(slot, view.and_then(View::wake_at));
        }
    }

    /// Keeps a DaemonSet's history until one of the things it follows from changes.
    pub(crate) fn remember_history(&mut self, slot: Slot, history: &Arc<History>) {
        if let Some(view) = self.view_mut(slot) {
            view.remember_history(history);
        }
    }

    /// The release whose rules hold.
    pub const fn version(&self) -> KubernetesVersion {
        self.version
    }

    /// Makes another release's rules hold.
    pub(crate) fn set_version(&mut self, version: KubernetesVersion) {
        self.version = version;
        self.views.iter_mut().flatten().for_each(|view| view.set_version(version));
    }

    // ---- DaemonSets ----

    /// Takes in a DaemonSet: its place, and whether it is a new one (also: one of the same name with another UID).
    pub(crate) fn apply_daemon_set(&mut self, daemon_set: DaemonSet) -> (Slot, bool) {
        let key = daemon_set.metadata.key();
        let uid = daemon_set.metadata.uid.clone();
        self.last_claim = None;
        let known = self.find(&key);
        if let Some(slot) = known
            && let Some(view) = self.view(slot)
            && view.daemon_set().metadata.uid != uid
        {
            self.remove_daemon_set(&key);
            return (self.apply_daemon_set(daemon_set).0, true);
        }
        if let Some(slot) = known {
            let Self { views, nodes, .. } = self;
            let view = views.get_mut(slot as usize).and_then(Option::as_mut);
            if view.is_some_and(|view| view.update(daemon_set, nodes)) {
                self.reclaim(&key.namespace);
            }
            return (slot, false);
        }
        // Of several without a UID the last one counts.
        let hash = hash_of(&[&uid]);
        if let Some(other) = self.find_by_uid(&uid) {
            self.by_uid.remove(hash, other);
        }
        let rank = self.rank_of(&key).unwrap_or_else(|rank| rank);
        let view = Some(View::new(daemon_set, &self.nodes, self.version));
        let free = self.views.iter().position(Option::is_none);
        let place = free.unwrap_or(self.views.len());
        match self.views.get_mut(place) {
            Some(free) => *free = view,
            None => self.views.push(view),
        }
        let slot = u32::try_from(place).unwrap_or(NOWHERE);
        self.by_uid.insert(hash, slot);
        self.by_key.insert(rank, slot);
        self.reclaim(&key.namespace);
        (slot, true)
    }

    /// Takes in that only the status of a DaemonSet changed.
    pub(crate) fn apply_status(&mut self, slot: Slot, status: DaemonSetStatus) {
        if let Some(view) = self.view_mut(slot) {
            view.update_status(status);
        }
    }

    /// Forgets a DaemonSet; its pods stay known.
    pub(crate) fn remove_daemon_set(&mut self, key: &ObjectKey) -> Option<Slot> {
        let slot = self.by_key.remove(self.rank_of(key).ok()?);
        self.last_claim = None;
        let view = self.views.get_mut(slot as usize)?.take()?;
        self.by_uid.remove(hash_of(&[&view.daemon_set().metadata.uid]), slot);
        for (_, record) in self.pods.iter_mut().filter(|(_, record)| record.view == slot) {
            record.view = NOWHERE;
            record.claim = Claim::Ignore;
        }
        self.reclaim(&key.namespace);
        Some(slot)
    }

    /// Works out anew whose the pods of a namespace are.
    fn reclaim(&mut self, namespace: &str) {
        let slots: Vec<Slot> =
            self.pods.iter().filter(|(_, record)| record.kin.namespace == namespace).map(|(slot, _)| slot).collect();
        for slot in slots {
            let Some(record) = self.pods.get(slot) else { continue };
            let (view, claim) = self.claim_of(&record.metadata());
            if (view, claim) != (record.view, record.claim) {
                self.move_pod(slot, view, claim);
            }
        }
    }

    fn move_pod(&mut self, slot: Slot, view: Slot, claim: Claim) {
        self.unlink(slot);
        if let Some(record) = self.pods.get_mut(slot) {
            record.view = view;
            record.claim = claim;
        }
        self.link(slot);
    }

    /// [`Self::claim_of`] a pod with this owner, without working it out again for each of many alike.
    fn claim_like_last(&mut self, object: &ObjectMeta, owner: &str) -> (Slot, Claim) {
        let same = |last: &&LastClaim| {
            last.labels == object.labels && same(&last.kin.owner, owner) && same(&last.kin.namespace, &object.namespace)
        };
        if let Some(last) = self.last_claim.as_ref().filter(same) {
            return last.found;
        }
        let found = self.claim_of(object);
        // Whether an orphan is adopted depends on its deletion too.
        if !owner.is_empty() {
            let kin = Arc::new(Kin { namespace: object.namespace.clone(), owner: owner.into() });
            let revision = object.labels.get(Pod::REVISION_HASH_LABEL).cloned().unwrap_or_default();
            self.last_claim = Some(LastClaim { kin, labels: object.labels.clone(), revision, found });
        }
        found
    }

    /// Whose a pod is, and how. An orphan that several select goes to the first by name.
    fn claim_of(&self, object: &ObjectMeta) -> (Slot, Claim) {
        let judged = |slot: Slot| self.view(slot).map_or(Claim::Ignore, |view| claim(view.daemon_set(), object));
        let candidate = match object.controller_owner() {
            Some(owner) => self.owner(&object.namespace, &owner.uid),
            None => self.admirers(object).find(|slot| judged(*slot) == Claim::Adopt),
        };
        match candidate.map(|slot| (slot, judged(slot))) {
            None | Some((_, Claim::Ignore)) => (NOWHERE, Claim::Ignore),
            Some(found) => found,
        }
    }

    // ---- nodes ----

    /// Takes in a node; what came of it, if its labels or taints changed or it is new: other changes concern no
    /// DaemonSet (`shouldIgnoreNodeUpdate`, Kubernetes 1.30 and later; before, they were found to change nothing).
    pub(crate) fn apply_node(&mut self, node: &Node) -> Option<NodeChange> {
        let slot = self.node_slot(&node.metadata.name);
        let entry = self.nodes.get_mut(slot)?;
        let before = entry.facts.replace(NodeFacts::of(node));
        let is_new = before.is_none();
        let is_same =
            before.is_some_and(|before| before.labels == node.metadata.labels && *before.taints == *node.spec.taints);
        if is_same {
            return None;
        }
        Some(NodeChange { slot, is_new, moved: self.judge(slot) })
    }

    /// Forgets a node; its pods stay.
    pub(crate) fn remove_node(&mut self, name: &str) {
        if let Some(slot) = self.nodes.find(name) {
            if let Some(entry) = self.nodes.get_mut(slot) {
                entry.facts = None;
            }
            self.judge(slot);
        }
    }

    /// Whether there is a node of that name.
    pub(crate) fn knows_node(&self, name: &str) -> bool {
        self.nodes.find(name).and_then(|slot| self.nodes.get(slot)).is_some_and(|entry| entry.facts.is_some())
    }

    /// Names of the nodes that are there.
    pub(crate) fn node_names(&self) -> impl Iterator<Item = &Text> {
        self.nodes.iter().filter(|entry| entry.facts.is_some()).map(|entry| &entry.name)
    }

    /// Has every DaemonSet judge a node anew; those for which it stands elsewhere now.
    fn judge(&mut self, slot: Slot) -> Vec<Slot> {
        let Self { views, nodes, .. } = self;
        let views = (0..).zip(views).filter_map(|(place, view)| Some((place, view.as_mut()?)));
        views.filter_map(|(place, view)| view.judge(slot, nodes).then_some(place)).collect()
    }

    fn node_slot(&mut self, name: &Text) -> Slot {
        let (slot, is_new) = self.nodes.slot_of(name);
        if is_new {
            self.views.iter_mut().flatten().for_each(View::add_node);
        }
        slot
    }

    /// Whether a pod of the DaemonSet is bound to the node.
    pub(crate) fn has_bound_pod(&self, view: &View, rank: Slot) -> bool {
        view.pods_on(rank).iter().filter_map(|slot| self.pods.get(*slot)).any(|record| record.facts.bound)
    }

    // ---- pods ----

    /// Takes in a pod: what changed, and where it is unless nothing here concerns it.
    pub(crate) fn apply_pod(&mut self, pod: &Pod) -> (PodChange, Option<Slot>) {
        let metadata = &pod.metadata;
        let owner = metadata.controller_owner().map_or("", |owner| owner.uid.as_str());
        let known = self.pods.find(&metadata.namespace, &metadata.name);
        let before = known.and_then(|slot| self.pods.get(slot));
        let change = match before {
            None => PodChange::Added,
            Some(before) if before.facts.uid != metadata.uid => PodChange::Added,
            Some(before)
                if !metadata.resource_version.is_empty() && before.resource_version == metadata.resource_version =>
            {
                return (PodChange::Repeated, known);
            }
            Some(before) => PodChange::Updated(PodBefore {
                former_owner: (before.kin.owner != owner).then(|| before.kin.owner.clone()),
                ready: before.facts.ready,
                labels_changed: before.facts.labels != metadata.labels,
            }),
        };
        if metadata.controller_owner().is_some_and(|owner| owner.kind != "DaemonSet" && !owner.kind.is_empty()) {
            // Never a DaemonSet's, so that no rule here reads it.
            if let Some(slot) = known {
                self.drop_pod(slot);
            }
            return (change, None);
        }
        if let Some(slot) = known
            && self.update_in_place(slot, pod, owner)
        {
            return (change, known);
        }
        let before = known.and_then(|slot| self.pods.get(slot));
        // Most events leave owner, labels and node as they were. Whose an owned pod is depends on nothing else.
        let same_claim = before
            .filter(|before| !owner.is_empty() && before.kin.owner == owner && before.facts.labels == metadata.labels);
        let same_claim = same_claim.map(|before| (before.view, before.claim));
        let same_node = before.map(|before| before.node);
        let node = match (target_node_of(pod), same_node) {
            (Some(name), Some(slot)) if same(self.node_name(slot), name) => slot,
            (Some(name), _) => self.node_slot(name),
            (None, _) => NOWHERE,
        };
        let (view, claim) = same_claim.unwrap_or_else(|| self.claim_like_last(metadata, owner));
        // What most pods have in common is kept once.
        let last = self.last_claim.as_ref();
        let is_like =
            |last: &&LastClaim| same(&last.kin.owner, owner) && same(&last.kin.namespace, &metadata.namespace);
        let like_last = last.filter(is_like);
        let kin = match like_last {
            Some(last) => Arc::clone(&last.kin),
            None => Arc::new(Kin { namespace: metadata.namespace.clone(), owner: owner.into() }),
        };
        let alike = like_last.filter(|last| last.labels == metadata.labels);
        let revision = match alike {
            Some(last) => last.revision.clone(),
            None => metadata.labels.get(Pod::REVISION_HASH_LABEL).cloned().unwrap_or_default(),
        };
        let mut record = PodRecord::of(pod, revision, node, kin);
        (record.view, record.claim) = (view, claim);
        if let Some(last) = alike {
            record.facts.labels = last.labels.clone();
        }
        if let Some(slot) = known {
            self.replace_pod(slot, record);
            return (change, known);
        }
        let slot = self.pods.insert(record);
        self.link(slot);
        (change, Some(slot))
    }

    /// Shows a creation at once, as if it had been observed.
    pub(crate) fn pretend_created(&mut self, view: Slot, node: Slot, name: &Text, now: Timestamp) {
        let Some(creator) = self.view(view) else { return };
        let target = creator.target();
        let labels = target.template.labels().with(Pod::REVISION_HASH_LABEL, &target.revision);
        let labels = match &target.template_generation {
            Some(generation) => labels.with(Pod::TEMPLATE_GENERATION_LABEL, generation),
            None => labels,
        };
        let facts = PodFacts {
            name: name.clone(),
            labels,
            revision: target.revision.clone(),
            creation: Some(now.truncate_to_seconds()),
            phase: PodPhase::Pending,
            ..PodFacts::default()
        };
        let (namespace, owner) = (creator.key().namespace.clone(), creator.daemon_set().metadata.uid.clone());
        let claim = Claim::Keep;
        let kin = Arc::new(Kin { namespace, owner });
        let record = PodRecord { facts, kin, resource_version: Text::default(), node, view, claim };
        let slot = self.pods.insert(record);
        self.link(slot);
    }

    /// Takes in what a pod's life brings, its phase, readiness and deletion; not done where anything else differs.
    fn update_in_place(&mut self, slot: Slot, pod: &Pod, owner: &str) -> bool {
        let Self { pods, views, nodes, .. } = self;
        let Some(record) = pods.get_mut(slot) else { return false };
        let (metadata, facts) = (&pod.metadata, &record.facts);
        let node = &pod.spec.node_name;
        let stays = !owner.is_empty()
            && same(&record.kin.owner, owner)
            && same(&facts.uid, &metadata.uid)
            && facts.labels == metadata.labels
            && facts.creation == metadata.creation_timestamp
            && facts.bound
            && nodes.get(record.node).is_some_and(|entry| same(&entry.name, node));
        if !stays {
            return false;
        }
        if record.live(PodLife::of(pod))
            && let Some(view) = views.get_mut(record.view as usize).and_then(Option::as_mut)
        {
            view.touch(record);
        }
        if record.resource_version != metadata.resource_version {
            record.resource_version.clone_from(&metadata.resource_version);
        }
        true
    }

    /// Takes in what the life of a bound and owned pod brings that is known at a place; whose it is, [`NOWHERE`]
    /// when nobody's. `None`: no such pod is there.
    pub(crate) fn apply_life(&mut self, slot: Slot, uid: &str, life: PodLife) -> Option<Slot> {
        let Self { pods, views, .. } = self;
        let known = pods.get_mut(slot);
        let record = known
            .filter(|record| record.facts.bound && !record.kin.owner.is_empty() && same(&record.facts.uid, uid))?;
        if record.live(life)
            && let Some(view) = views.get_mut(record.view as usize).and_then(Option::as_mut)
        {
            view.touch(record);
        }
        Some(self.owner_at(slot).unwrap_or(NOWHERE))
    }

    /// The DaemonSet that owns the pod at a place.
    fn owner_at(&self, slot: Slot) -> Option<Slot> {
        let record = self.pods.get(slot)?;
        match record.claim {
            Claim::Keep | Claim::Release => Some(record.view),
            Claim::Adopt | Claim::Ignore => self.owner(&record.kin.namespace, &record.kin.owner),
        }
    }

    fn replace_pod(&mut self, slot: Slot, record: PodRecord) {
        let Some(before) = self.pods.get_mut(slot) else { return };
        let stays = (before.view, before.claim, before.node) == (record.view, record.claim, record.node)
            && before.facts.revision == record.facts.revision
            && before.facts.pod_order(&record.facts).is_eq();
        if stays {
            let changed = before.facts != record.facts;
            *before = record;
            if changed && let Some(view) = self.views.get_mut(before.view as usize).and_then(Option::as_mut) {
                view.touch(before);
            }
        } else {
            self.unlink(slot);
            if let Some(place) = self.pods.get_mut(slot) {
                *place = record;
            }
            self.link(slot);
        }
    }

    /// Forgets a pod: its owner and labels, if it was known under that UID.
    pub(crate) fn remove_pod(&mut self, namespace: &str, name: &str, uid: &str) -> Option<Text> {
        let slot = self.pods.find(namespace, name)?;
        // A UID that nobody knows names whatever pod has the name.
        if !uid.is_empty() && self.pods.get(slot)?.facts.uid != uid {
            return None;
        }
        let owner = self.pods.get(slot)?.kin.owner.clone();
        self.drop_pod(slot);
        Some(owner)
    }

    /// Forgets the pod at a place; whose it was, [`NOWHERE`] when nobody's. `None`: one of another UID is there, or none.
    pub(crate) fn remove_pod_at(&mut self, slot: Slot, uid: &str) -> Option<Slot> {
        self.pods.get(slot).filter(|record| same(&record.facts.uid, uid))?;
        let owner = self.owner_at(slot);
        self.drop_pod(slot);
        Some(owner.unwrap_or(NOWHERE))
    }

    fn drop_pod(&mut self, slot: Slot) {
        self.unlink(slot);
        self.pods.remove(slot);
    }

    fn link(&mut self, slot: Slot) {
        let Self { views, pods, .. } = self;
        let Some(record) = pods.get(slot) else { return };
        if let Some(view) = views.get_mut(record.view as usize).and_then(Option::as_mut) {
            view.link(slot, record, pods);
        }
    }

    fn unlink(&mut self, slot: Slot) {
        let Self { views, pods, .. } = self;
        let Some(record) = pods.get(slot) else { return };
        if let Some(view) = views.get_mut(record.view as usize).and_then(Option::as_mut) {
            view.unlink(slot, record);
        }
    }

    /// Keys of all known pods, in order of their slots.
    pub(crate) fn pods(&self) -> impl Iterator<Item = &PodRecord> {
        self.pods.iter().map(|(_, record)| record)
    }

    // ---- revisions ----

    /// A revision.
    pub fn revision(&self, key: &ObjectKey) -> Option<&StoredRevision> {
        self.revisions.get(self.place_of_revision(key).ok()?)
    }

    fn place_of_revision(&self, key: &ObjectKey) -> Result<usize, usize> {
        let key = (&key.namespace, &key.name);
        self.revisions.binary_search_by(|revision| {
            let metadata = &revision.object.metadata;
            (&metadata.namespace, &metadata.name).cmp(&key)
        })
    }

    /// Takes in a revision.
    pub(crate) fn apply_revision(&mut self, revision: ControllerRevision) {
        let place = self.place_of_revision(&revision.metadata.key());
        let revision = StoredRevision::of(revision);
        match place {
            Ok(place) => {
                if let Some(known) = self.revisions.get_mut(place) {
                    *known = revision;
                }
            }
            Err(place) => self.revisions.insert(place, revision),
        }
        self.views.iter_mut().flatten().for_each(View::forget_history);
    }

    /// Forgets a revision.
    pub(crate) fn remove_revision(&mut self, key: &ObjectKey) -> Option<StoredRevision> {
        self.views.iter_mut().flatten().for_each(View::forget_history);
        Some(self.revisions.remove(self.place_of_revision(key).ok()?))
    }

    /// Keys of all known revisions.
    pub(crate) fn revision_keys(&self) -> impl Iterator<Item = ObjectKey> {
        self.revisions.iter().map(|revision| revision.object.metadata.key())
    }

    // ---- keeping up to date ----

    /// Brings one DaemonSet's classes up to date; `revision` is the one that every node is to have.
    pub(crate) fn refresh(&mut self, slot: Slot, revision: &Text, now: Timestamp) {
        self.rank();
        let Self { views, pods, .. } = self;
        if let Some(view) = views.get_mut(slot as usize).and_then(Option::as_mut) {
            view.set_revision(revision);
            view.refresh(pods, now);
        }
    }

    /// Makes slots ranks again.
    fn rank(&mut self) {
        if self.nodes.is_ranked() {
            return;
        }
        let mut used = vec![false; self.nodes.len()];
        for (_, record) in self.pods.iter() {
            if let Some(used) = used.get_mut(record.node as usize) {
                *used = true;
            }
        }
        let is_used = |slot: Slot, entry: &nodes::NodeEntry| {
            entry.facts.is_some() || used.get(slot as usize).copied().unwrap_or(false)
        };
        let moved = self.nodes.rank(is_used);
        let to = |slot: Slot| moved.get(slot as usize).copied().flatten().unwrap_or(NOWHERE);
        for (_, record) in self.pods.iter_mut() {
            record.node = to(record.node);
        }
        for view in self.views.iter_mut().flatten() {
            view.rank(&moved, self.nodes.len());
        }
    }

    fn view_mut(&mut self, slot: Slot) -> Option<&mut View> {
        self.views.get_mut(slot as usize)?.as_mut()
    }
}

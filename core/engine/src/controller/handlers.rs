//! What is done about each observed change: the index is brought up to date, expectations are lowered, and the
//! DaemonSets concerned are enqueued (the event handlers of `DaemonSetsController`, Kubernetes 1.36).

use super::contract::{Change, Snapshot};
use super::sync::concerns;
use super::{Controller, State};
use crate::KubernetesVersion;
use crate::api::{ControllerRevision, DaemonSet, DaemonSetStatus, Node, ObjectKey, ObjectMeta, Pod, Text};
use crate::availability::requeue_when_ready;
use crate::decision::{PodKey, Requeue, RequeueReason};
use crate::fleet::{NodeChange, PodBefore, PodChange, PodLife, Slot, View};
use crate::order::{sort_by, sort_by_text};
use crate::target::min_ready;

impl Controller {
    /// Takes in one watch event, or a whole snapshot. A pod that has just turned ready asks for a later look, which is
    /// returned; the controller looks by itself at the very moment the pod becomes available.
    pub fn observe(&mut self, change: Change) -> Option<Requeue> {
        match change {
            Change::Reset(snapshot) => self.reset(*snapshot),
            Change::DaemonSet(daemon_set) => self.observe_daemon_set(*daemon_set),
            Change::DaemonSetGone(key) => self.observe_daemon_set_gone(&key),
            Change::Node(node) => self.observe_node(&node),
            // Not watched: pods that are left are removed by others, whose deletion is seen.
            Change::NodeGone(name) => self.fleet.remove_node(&name),
            Change::Pod(pod) => return self.observe_pod(&pod).1,
            Change::PodGone(key) => self.observe_pod_gone(&key),
            Change::Revision(revision) => self.observe_revision(*revision),
            Change::RevisionGone(key) => self.observe_revision_gone(&key),
        }
        None
    }

    /// Takes in all there is.
    fn reset(&mut self, snapshot: Snapshot) {
        let Snapshot { daemon_sets, nodes, pods, revisions } = snapshot;
        let gone = missing(
            &mut self.fleet.views().filter_map(|slot| Some(self.fleet.view(slot)?.key().clone())),
            &mut daemon_sets.iter().map(|object| object.metadata.key()),
        );
        for gone in &gone {
            self.observe_daemon_set_gone(gone);
        }
        for daemon_set in daemon_sets {
            self.observe_daemon_set(daemon_set);
        }

        let mut nodes: Vec<&Node> = nodes.iter().collect();
        let key = |name: &Text| ObjectKey { namespace: Text::default(), name: name.clone() };
        let gone =
            missing(&mut self.fleet.node_names().map(key), &mut nodes.iter().map(|node| key(&node.metadata.name)));
        for gone in &gone {
            self.fleet.remove_node(&gone.name);
        }
        // In order of names, so that they need not be ranked.
        sort_by_text(&mut nodes, |node| &node.metadata.name);
        for node in nodes {
            self.observe_node(node);
        }

        let gone = missing(&mut self.fleet.revision_keys(), &mut revisions.iter().map(|object| object.metadata.key()));
        for gone in &gone {
            self.observe_revision_gone(gone);
        }
        for revision in revisions {
            self.observe_revision(revision);
        }

        let key = |PodKey { namespace, name, .. }| ObjectKey { namespace, name };
        let gone =
            missing(&mut self.fleet.pods().map(|pod| key(pod.key())), &mut pods.iter().map(|pod| pod.metadata.key()));
        for gone in &gone {
            // Whichever pod has the name.
            self.observe_pod_gone(&PodKey {
                namespace: gone.namespace.clone(),
                name: gone.name.clone(),
                uid: Text::default(),
            });
        }
        for pod in &pods {
            self.observe_pod(pod);
        }
        let slots: Vec<Slot> = self.fleet.views().collect();
        self.enqueue_all(slots);
    }

    fn observe_daemon_set(&mut self, daemon_set: DaemonSet) {
        let key = daemon_set.metadata.key();
        // One of the same name with another UID: what was remembered is the other one's.
        if let Some(slot) = self.fleet.find(&key)
            && self.fleet.view(slot).is_some_and(|view| view.daemon_set().metadata.uid != daemon_set.metadata.uid)
        {
            self.observe_daemon_set_gone(&key);
        }
        let (slot, is_new) = self.fleet.apply_daemon_set(daemon_set);
        if self.states.len() <= slot as usize {
            self.states.resize_with(slot as usize + 1, State::default);
        }
        if is_new && let Some(state) = self.states.get_mut(slot as usize) {
            *state = State::default();
        }
        self.enqueue_slot(slot);
    }

    fn observe_daemon_set_gone(&mut self, key: &ObjectKey) {
        let Some(slot) = self.fleet.remove_daemon_set(key) else { return };
        self.queue.remove(slot);
        if let Some(state) = self.states.get_mut(slot as usize) {
            if let Some(outstanding) = &state.outstanding {
                let first = outstanding.first;
                self.outstanding.retain(|(other, _)| *other != first);
            }
            *state = State::default();
        }
    }

    /// Takes in a node, as [`Change::Node`] does, by reference.
    pub fn observe_node(&mut self, node: &Node) {
        let Some(NodeChange { slot, is_new, mut moved }) = self.fleet.apply_node(node) else { return };
        let fleet = &self.fleet;
        let is_for = |view: &Slot, concerns: &dyn Fn(&View) -> bool| fleet.view(*view).is_some_and(concerns);
        let concerned = if self.version() < KubernetesVersion::V1_33 {
            // What changed counts; of a new node, that it should run the pod.
            moved.retain(|view| !is_new || is_for(view, &|view| view.standing(slot).should_run()));
            moved
        } else {
            fleet.views().filter(|view| is_for(view, &|view| concerns(fleet, view, slot))).collect()
        };
        self.enqueue_all(concerned);
    }

    /// Takes in a pod; where it is in the index, and the later look that is asked for.
    pub fn observe_pod(&mut self, pod: &Pod) -> (Option<Slot>, Option<Requeue>) {
        let metadata = &pod.metadata;
        let (change, place) = self.fleet.apply_pod(pod);
        let owner_slot = self.fleet.pod_owner(metadata, place);
        let before = match change {
            PodChange::Repeated => return (place, None),
            PodChange::Added => {
                if let Some(state) = owner_slot.and_then(|slot| self.states.get_mut(slot as usize)) {
                    state.memory.names.see(&metadata.name);
                }
                None
            }
            PodChange::Updated(before) => Some(before),
        };
        if metadata.is_being_deleted() {
            // Every sight of a pod that is being deleted counts, as upstream has it.
            self.see_deletion(owner_slot);
            return (place, None);
        }
        let Some(before) = before else {
            if let Some(slot) = owner_slot {
                if let Some(state) = self.states.get_mut(slot as usize) {
                    state.memory.expectations.lower_creations();
                }
                self.enqueue_slot(slot);
            } else if metadata.controller_owner().is_none() {
                self.enqueue_admirers(metadata);
            }
            return (place, None);
        };
        (place, self.observe_pod_update(pod, &before, owner_slot))
    }

    /// Does what [`Self::observe_pod`] does about a bound and owned pod of which only its life changed, for a caller
    /// who knows where the pod is; whether it is there.
    pub fn observe_life(&mut self, place: Slot, uid: &str, life: PodLife) -> bool {
        let Some(owner) = self.fleet.apply_life(place, uid, life) else { return false };
        if life.deleting {
            self.see_deletion(Some(owner));
        } else {
            self.enqueue_slot(owner);
        }
        true
    }

    fn observe_pod_update(&mut self, pod: &Pod, before: &PodBefore, owner_slot: Option<Slot>) -> Option<Requeue> {
        let metadata = &pod.metadata;
        if let Some(former) = &before.former_owner
            && let Some(former) = self.fleet.owner(&metadata.namespace, former)
        {
            self.enqueue_slot(former);
        }
        if metadata.controller_owner().is_none() {
            if before.labels_changed || before.former_owner.is_some() {
                self.enqueue_admirers(metadata);
            }
            return None;
        }
        let slot = owner_slot?;
        self.enqueue_slot(slot);
        let min_ready = min_ready(&self.fleet.view(slot)?.daemon_set().spec);
        let after = requeue_when_ready(before.ready, pod.is_ready(), min_ready)?;
        Some(Requeue { after, reason: RequeueReason::PodBecomesAvailable })
    }

    /// Takes in that a pod is gone, as [`Change::PodGone`] does, by reference.
    pub fn observe_pod_gone(&mut self, key: &PodKey) {
        if let Some(owner) = self.fleet.remove_pod(&key.namespace, &key.name, &key.uid) {
            let slot = self.fleet.owner(&key.namespace, &owner);
            self.see_deletion(slot);
        }
    }

    /// Takes in that the pod at a place is gone, for a caller who knows where it was; whether it was there.
    pub fn observe_pod_gone_at(&mut self, place: Slot, uid: &str) -> bool {
        let Some(owner) = self.fleet.remove_pod_at(place, uid) else { return false };
        self.see_deletion(Some(owner));
        true
    }

    /// Takes in that only the status of a DaemonSet changed.
    pub fn observe_status(&mut self, key: &ObjectKey, status: DaemonSetStatus) {
        if let Some(slot) = self.fleet.find(key) {
            self.fleet.apply_status(slot, status);
            self.enqueue_slot(slot);
        }
    }

    fn see_deletion(&mut self, owner: Option<Slot>) {
        if let Some(slot) = owner {
            if let Some(state) = self.states.get_mut(slot as usize) {
                state.memory.expectations.lower_deletions();
            }
            self.enqueue_slot(slot);
        }
    }

    fn observe_revision(&mut self, revision: ControllerRevision) {
        let metadata = revision.metadata.clone();
        let is_same = self.fleet.revision(&metadata.key()).is_some_and(|known| known.object == revision);
        if !is_same {
            self.fleet.apply_revision(revision);
            self.enqueue_for(&metadata);
        }
    }

    fn observe_revision_gone(&mut self, key: &ObjectKey) {
        if let Some(before) = self.fleet.remove_revision(key) {
            self.enqueue_for(&before.object.metadata);
        }
    }

    /// Enqueues the owner of an object, or those who select it when it has none.
    fn enqueue_for(&mut self, object: &ObjectMeta) {
        match object.controller_owner() {
            Some(_) => {
                if let Some(slot) = self.fleet.owner_of(object) {
                    self.enqueue_slot(slot);
                }
            }
            None => self.enqueue_admirers(object),
        }
    }

    fn enqueue_admirers(&mut self, object: &ObjectMeta) {
        let slots: Vec<Slot> = self.fleet.admirers(object).collect();
        self.enqueue_all(slots);
    }

    fn enqueue_all(&mut self, slots: Vec<Slot>) {
        for slot in slots {
            self.enqueue_slot(slot);
        }
    }
}

/// Those that were known and are not among the present ones.
fn missing(known: &mut dyn Iterator<Item = ObjectKey>, present: &mut dyn Iterator<Item = ObjectKey>) -> Vec<ObjectKey> {
    let mut known: Vec<ObjectKey> = known.collect();
    if !known.is_empty() {
        let mut present: Vec<ObjectKey> = present.collect();
        sort_by(&mut present, Ord::cmp);
        known.retain(|key| present.binary_search(key).is_err());
    }
    known
}

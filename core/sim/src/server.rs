//! The API server: carries out what the controller decides and lets it see the result at once.

use rollcast_engine::api::{
    ControllerRevision, DaemonSet, ObjectKey, OwnerReference, Pod, PodPhase, PodTemplate, Text,
};
use rollcast_engine::controller::{
    Action, Batch, BatchKind, Change, Decision, Failures, Outcome, PodKey, Reason, Rejection, Step,
};
use rollcast_engine::history::template_of;
use rollcast_engine::ownership::owner_reference;
use rollcast_engine::placement::{NewPod, PlacementRules};
use rollcast_engine::text::same;

use crate::pods::{Attempt, Make, NO_POD, PodState, without_node};
use crate::{DecisionKind, World};

impl World {
    /// Lets the controller sync once and carries out what it decides; `None` when it had nothing to look at.
    pub(crate) fn sync(&mut self) -> Option<u32> {
        if self.is_controller_down || self.is_syncing() {
            return None;
        }
        let Step { daemon_set, batches, wake_at, .. } = self.controller.step_quietly(self.now);
        self.wake_at = wake_at;
        daemon_set?;
        self.idle_syncs = if batches.is_empty() { self.idle_syncs.saturating_add(1) } else { 0 };
        if self.has_traffic() {
            self.send(batches);
            return Some(1);
        }
        let mut failures = Failures::none(self.controller.version());
        let mut work = 1_u32;
        for batch in batches {
            work = work.saturating_add(u32::try_from(batch.decisions.len()).unwrap_or(u32::MAX));
            self.carry_out(batch, &mut failures);
        }
        Some(work)
    }

    fn carry_out(&mut self, batch: Batch, failures: &mut Failures) {
        let Batch { kind, decisions } = batch;
        let skipped = failures.leave_out(kind);
        for Decision { id, action, reason, candidate_count } in &decisions {
            let outcome = if skipped {
                Outcome::Skipped
            } else {
                self.meter.api_writes = self.meter.api_writes.saturating_add(1);
                self.execute_and_record(action, reason, *candidate_count)
            };
            failures.note(kind, &outcome);
            self.controller.complete(self.now, *id, outcome);
        }
        if kind == BatchKind::History {
            self.follow_newest_revision();
        }
    }

    /// Does one thing, and puts it into the timeline when it was done.
    pub(crate) fn execute_and_record(&mut self, action: &Action, reason: &Reason, candidate_count: u32) -> Outcome {
        let described = describe(action);
        let (outcome, node) = self.execute(action);
        // A creation that finds its pod there already is about no node, and none.
        let found = described == Some(DecisionKind::CreatePod) && node.is_none();
        if let Some(decision) = described.filter(|_| outcome == Outcome::Applied && !found) {
            self.recorder.decide(decision, reason, candidate_count, node);
        }
        outcome
    }

    /// Does one thing; says what came of it and which node it was about.
    fn execute(&mut self, action: &Action) -> (Outcome, Option<u32>) {
        match action {
            Action::CreatePod { node, name, revision } => self.create_pod(node, name, revision),
            Action::DeletePod { pod, node } => self.delete_pod(pod, node),
            Action::AdoptPod { pod } => {
                let mut owner = self.daemon_set.as_deref().map(owner_reference);
                self.remake(pod, &mut |make| {
                    let_go(&mut make.owners);
                    make.owners.extend(owner.take());
                })
            }
            Action::ReleasePod { pod } => self.remake(pod, &mut |make| let_go(&mut make.owners)),
            Action::RelabelPod { pod, revision } => {
                self.remake(pod, &mut |make| make.labels = make.labels.with(Pod::REVISION_HASH_LABEL, revision))
            }
            Action::CreateRevision(revision) => (self.create_revision(revision), None),
            Action::AdoptRevision(key) => {
                let mut owner = self.daemon_set.as_deref().map(owner_reference);
                let adopt = &mut |revision: &mut ControllerRevision| {
                    revision.metadata.owner_references.extend(owner.take());
                };
                (self.change_revision(key, adopt), None)
            }
            Action::ReleaseRevision(key) => (self.change_revision(key, &mut release), None),
            Action::LabelRevision(key) => {
                let mut label = |revision: &mut ControllerRevision| {
                    let labels = &mut revision.metadata.labels;
                    *labels = labels.with(Pod::REVISION_HASH_LABEL, &key.name);
                };
                (self.change_revision(key, &mut label), None)
            }
            Action::RenumberRevision { revision, number } => {
                (self.change_revision(revision, &mut |revision| revision.revision = *number), None)
            }
            Action::DeleteRevision(key) => (self.delete_revision(key), None),
            Action::UpdateStatus(status) => {
                let Some(daemon_set) = self.daemon_set.as_deref_mut() else { return (not_found(), None) };
                // A write that changes nothing is no event: whoever waits for an observation is not woken by it.
                if daemon_set.status != *status {
                    daemon_set.status = status.clone();
                    self.observe_status(status);
                }
                (Outcome::Applied, None)
            }
            Action::RecordEvent { .. } => (Outcome::Applied, None),
        }
    }

    /// The same pod again when it exists already and lives: its name says for which node and revision it is.
    fn create_pod(&mut self, node: &Text, name: &Text, revision: &Text) -> (Outcome, Option<u32>) {
        let node = self.nodes.find_or_add(node);
        let namesake = self.pods_on(node).filter_map(|slot| self.pods.get(slot)).find(|pod| same(&pod.name, name));
        if let Some(pod) = namesake {
            let is_meant = self.owns(pod.make) && pod.is_live() && !pod.is_terminal();
            let outcome = if is_meant { Outcome::Applied } else { rejected(Rejection::AlreadyExists) };
            return (outcome, None);
        }
        let Some(make) = self.make_of(revision) else { return (not_found(), Some(node)) };
        let pod = self.add_pod(PodState {
            name: name.clone(),
            uid: Text::default(),
            node,
            make,
            next: NO_POD,
            generation: 0,
            indexed_at: NO_POD,
            created: Some(self.now.truncate_to_seconds()),
            ready_since: None,
            deleted: None,
            phase: PodPhase::Pending,
            bound: false,
            ready: false,
            available: false,
            started: false,
            wedged: false,
            never_ready: false,
            attempt: Attempt::default(),
        });
        self.hand_to_scheduler(pod.slot);
        self.observe_pod(pod.slot);
        self.collect_if_ending(pod.slot);
        (Outcome::Applied, Some(node))
    }

    /// A pod that comes to a DaemonSet whose deletion has begun, by a write sent before: the garbage collector takes it
    /// as it took the others.
    fn collect_if_ending(&mut self, slot: u32) {
        let is_ending = |daemon_set: &DaemonSet| daemon_set.metadata.deletion_timestamp.is_some();
        let owned = self.pods.get(slot).is_some_and(|pod| self.owns(pod.make));
        if owned && self.daemon_set.as_deref().is_some_and(is_ending) {
            self.delete(slot);
        }
    }

    /// What a pod made from a revision is like: from the DaemonSet's own template when that is meant, otherwise from
    /// the one the revision stores, and then without the template's generation.
    fn make_of(&mut self, revision: &Text) -> Option<u32> {
        if let Some((made, make)) = &self.made
            && same(made, revision)
        {
            return Some(*make);
        }
        let daemon_set = self.daemon_set.as_deref()?;
        // The template may have changed since the revision was made.
        let is_newest = *revision == self.current && *revision == self.newest_revision_if_of_present_template();
        let former;
        let rules = if is_newest {
            self.rules.as_deref()?
        } else {
            former = PlacementRules::of(&self.stored_template(revision)?, self.options.version);
            &former
        };
        let pod = NewPod {
            daemon_set,
            rules,
            node: "",
            name: "",
            revision_hash: revision,
            template_generation: if is_newest { daemon_set.template_generation() } else { None },
        };
        let Pod { metadata, spec, .. } = pod.narrow();
        let make = self.intern(Make {
            namespace: metadata.namespace,
            labels: metadata.labels,
            owners: metadata.owner_references,
            spec: without_node(spec),
        });
        self.made = Some((revision.clone(), make));
        Some(make)
    }

    fn stored_template(&self, revision: &Text) -> Option<PodTemplate> {
        template_of(self.revisions.iter().find(|stored| hash_of(stored) == *revision)?)
    }

    fn delete_pod(&mut self, pod: &PodKey, node: &Text) -> (Outcome, Option<u32>) {
        let number = self.nodes.find(node);
        let on_node = number.and_then(|node| {
            self.pods_on(node).find(|&slot| self.pods.get(slot).is_some_and(|candidate| same(&candidate.uid, &pod.uid)))
        });
        match on_node.or_else(|| self.pods.find(&pod.uid)) {
            Some(slot) => {
                self.delete(slot);
                (Outcome::Applied, number)
            }
            None => (not_found(), number),
        }
    }

    /// Starts a pod's end: it is gone at once when no kubelet has a say in it (upstream's `CheckGracefulDelete`).
    pub(crate) fn delete(&mut self, slot: u32) {
        let Some(pod) = self.pods.get(slot) else { return };
        if !pod.bound || pod.is_terminal() {
            self.vanish(slot);
            return;
        }
        if !pod.is_live() {
            return;
        }
        let due = self.now.saturating_add(self.pods.grace(pod)).truncate_to_seconds();
        self.change_pod(slot, |pod| pod.deleted = Some(due));
        self.observe_life(slot);
        self.stop_after_grace(slot);
    }

    /// The pod's object is gone.
    pub(crate) fn vanish(&mut self, slot: u32) {
        let Some(pod) = self.take_out(slot) else { return };
        self.nodes.note(pod.node);
        self.observe_pod_gone(&pod);
        self.bind_waiting_pods(pod.node);
        self.finish_foreground_deletion();
    }

    fn remake(&mut self, pod: &PodKey, change: &mut dyn FnMut(&mut Make)) -> (Outcome, Option<u32>) {
        match self.pods.find(&pod.uid).and_then(|slot| self.remake_at(slot, change)) {
            Some(node) => (Outcome::Applied, Some(node)),
            None => (not_found(), None),
        }
    }

    /// Has the pod at a place be of another make; the node that it is on.
    pub(crate) fn remake_at(&mut self, slot: u32, change: &mut dyn FnMut(&mut Make)) -> Option<u32> {
        let pod = self.pods.get(slot)?;
        let node = pod.node;
        let mut make = self.pods.make(pod.make)?.clone();
        change(&mut make);
        let make = self.intern(make);
        self.change_pod(slot, |pod| pod.make = make);
        self.observe_pod(slot);
        self.collect_if_ending(slot);
        Some(node)
    }

    fn create_revision(&mut self, revision: &ControllerRevision) -> Outcome {
        let owner = revision.metadata.controller_owner().map(|owner| &owner.uid);
        if owner != self.daemon_set.as_deref().map(|daemon_set| &daemon_set.metadata.uid) {
            // Written for a DaemonSet that is gone by now: the garbage collector takes it away.
            return Outcome::Applied;
        }
        let key = revision.metadata.key();
        if let Some(existing) = self.place_of_revision(&key).and_then(|place| self.revisions.get(place)) {
            let same = existing.data == revision.data;
            return if same { Outcome::Applied } else { rejected(Rejection::AlreadyExists) };
        }
        self.revisions.push(revision.clone());
        let (uid, created) = (self.new_uid("revision"), self.now.truncate_to_seconds());
        self.change_revision(&key, &mut |revision| {
            revision.metadata.uid.clone_from(&uid);
            revision.metadata.creation_timestamp = Some(created);
        })
    }

    pub(crate) fn change_revision(
        &mut self,
        key: &ObjectKey,
        change: &mut dyn FnMut(&mut ControllerRevision),
    ) -> Outcome {
        let place = self.place_of_revision(key);
        let Some(revision) = place.and_then(|place| self.revisions.get_mut(place)) else { return not_found() };
        change(revision);
        let revision = Box::new(revision.clone());
        self.observe(Change::Revision(revision));
        Outcome::Applied
    }

    fn place_of_revision(&self, key: &ObjectKey) -> Option<usize> {
        self.revisions.iter().position(|revision| revision.metadata.is_named(key))
    }

    pub(crate) fn delete_revision(&mut self, key: &ObjectKey) -> Outcome {
        let Some(place) = self.place_of_revision(key) else { return not_found() };
        self.revisions.remove(place);
        self.observe(Change::RevisionGone(key.clone()));
        Outcome::Applied
    }

    /// The revision that the controller keeps newest tells new pods from old ones.
    pub(crate) fn follow_newest_revision(&mut self) {
        let newest = self.newest_revision().map(hash_of).unwrap_or_default();
        if newest != self.current {
            self.current = newest;
            self.classify();
        }
    }

    fn newest_revision(&self) -> Option<&ControllerRevision> {
        let uid = &self.daemon_set.as_deref()?.metadata.uid;
        let owned = self
            .revisions
            .iter()
            .filter(|revision| revision.metadata.controller_owner().is_some_and(|owner| owner.uid == *uid));
        owned.max_by_key(|revision| revision.revision)
    }

    /// Before the first sync: the newest revision, if it holds the present template; otherwise every pod is old.
    pub(crate) fn newest_revision_if_of_present_template(&self) -> Text {
        let template = self.daemon_set.as_deref().map(|daemon_set| &daemon_set.spec.template);
        let newest = self.newest_revision();
        let stored = newest.and_then(template_of);
        newest.filter(|_| stored.as_ref() == template).map(hash_of).unwrap_or_default()
    }

    pub(crate) fn observe_daemon_set(&mut self) {
        if let Some(daemon_set) = &self.daemon_set {
            let daemon_set = daemon_set.clone();
            self.observe(Change::DaemonSet(daemon_set));
        }
    }

    pub(crate) fn new_uid(&mut self, kind: &str) -> Text {
        self.uids = self.uids.saturating_add(1);
        Text::from(format!("{kind}-{}", self.uids))
    }
}

/// What of a decision goes into the timeline.
fn describe(action: &Action) -> Option<DecisionKind> {
    Some(match action {
        Action::CreatePod { .. } => DecisionKind::CreatePod,
        Action::DeletePod { .. } => DecisionKind::DeletePod,
        Action::AdoptPod { .. } => DecisionKind::AdoptPod,
        Action::ReleasePod { .. } => DecisionKind::ReleasePod,
        Action::RelabelPod { .. } => DecisionKind::RelabelPod,
        Action::CreateRevision(_) => DecisionKind::CreateRevision,
        Action::RenumberRevision { .. } => DecisionKind::RenumberRevision,
        Action::DeleteRevision(_) => DecisionKind::DeleteRevision,
        Action::AdoptRevision(_) | Action::ReleaseRevision(_) | Action::LabelRevision(_) => DecisionKind::ClaimRevision,
        Action::UpdateStatus(_) | Action::RecordEvent { .. } => return None,
    })
}

/// A revision that controls its pods no longer, or that nobody controls.
pub(crate) fn release(revision: &mut ControllerRevision) {
    let_go(&mut revision.metadata.owner_references);
}

/// What has these owners is controlled by none of them any more.
pub(crate) fn let_go(owners: &mut Vec<OwnerReference>) {
    owners.retain(|owner| !owner.controller);
}

fn hash_of(revision: &ControllerRevision) -> Text {
    let labels = &revision.metadata.labels;
    labels.get(Pod::REVISION_HASH_LABEL).unwrap_or(&revision.metadata.name).clone()
}

fn rejected(rejection: Rejection) -> Outcome {
    Outcome::Rejected(rejection)
}

fn not_found() -> Outcome {
    rejected(Rejection::NotFound)
}

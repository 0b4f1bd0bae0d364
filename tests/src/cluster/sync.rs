//! One sync, carried out.

use rollcast_core::KubernetesVersion;
use rollcast_core::api::{DaemonSetStatus, ObjectKey, OwnerReference, Pod, Text};
use rollcast_core::controller::{
    Action, Change, Decision, Failures, Outcome, PodKey, Rejection, Requeue, Step, SyncError, WaitingOn,
};
use rollcast_core::placement::{NewPod, PlacementRules, target_node_of};

use super::{Cluster, Logged, image};
use crate::decided::Decided;

/// A pod that was deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deleted {
    /// Its name.
    pub name: Text,
    /// The node it is on or pinned to.
    pub node: Text,
    /// The version of its image.
    pub version: String,
}

/// What one sync did.
#[derive(Clone, Debug, Default)]
pub struct Synced {
    /// Nodes that got a pod.
    pub created: Vec<Text>,
    /// How often a creation was tried.
    pub creations_tried: usize,
    /// Pods that were deleted.
    pub deleted: Vec<Deleted>,
    /// "type reason" of the events that the sync itself records.
    pub events: Vec<String>,
    /// The status that was written.
    pub status: Option<DaemonSetStatus>,
    /// The decision whose failure the sync ends with: the first one that failed.
    pub failed: Option<Action>,
    /// When to look again.
    pub requeues: Vec<Requeue>,
    /// What keeps the rollout from going on.
    pub waiting_on: Vec<WaitingOn>,
    /// Whether the sync failed before anything was tried.
    pub error: Option<SyncError>,
    /// The decisions as they were taken.
    pub decided: Decided,
}

impl Synced {
    /// Created and deleted.
    pub fn counts(&self) -> (usize, usize) {
        (self.created.len(), self.deleted.len())
    }

    /// Created, deleted, events.
    pub fn counts_with_events(&self) -> (usize, usize, usize) {
        (self.created.len(), self.deleted.len(), self.events.len())
    }

    /// Nodes that got a pod, by name.
    pub fn created_on(&self) -> Vec<&str> {
        let mut nodes: Vec<&str> = self.created.iter().map(Text::as_str).collect();
        nodes.sort_unstable();
        nodes
    }

    /// Names of the deleted pods, in order.
    pub fn deleted_pods(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.deleted.iter().map(|pod| pod.name.as_str()).collect();
        names.sort_unstable();
        names
    }

    /// Nodes whose pod was deleted, by name.
    pub fn deleted_on(&self) -> Vec<&str> {
        let mut nodes: Vec<&str> = self.deleted.iter().map(|pod| pod.node.as_str()).collect();
        nodes.sort_unstable();
        nodes
    }
}

impl Cluster {
    /// One sync of the DaemonSet, whether or not something asks for it, and its decisions carried out.
    pub fn sync(&mut self) -> Synced {
        self.controller.enqueue(&self.daemon_set);
        for _ in 0..100 {
            let step = self.controller.step(self.now);
            let key = step.daemon_set.clone().expect("the DaemonSet is to be looked at");
            let synced = self.carry_out(&key, &step);
            if key == self.daemon_set {
                return synced;
            }
        }
        panic!("the DaemonSet's turn does not come");
    }

    /// So many syncs; created and deleted of each.
    pub fn syncs(&mut self, count: usize) -> Vec<(usize, usize)> {
        (0..count).map(|_| self.sync().counts()).collect()
    }

    /// Syncs whatever is to be looked at, until nothing is.
    pub fn settle(&mut self) {
        for _ in 0..10_000 {
            self.place_pending_pods();
            let step = self.controller.step(self.now);
            let Some(key) = step.daemon_set.clone() else {
                self.wake_at = step.wake_at;
                self.count_available();
                return;
            };
            self.carry_out(&key, &step);
            self.count_available();
        }
        panic!("the controller does not come to rest");
    }

    fn count_available(&mut self) {
        if self.snapshot.daemon_sets.iter().any(|daemon_set| daemon_set.metadata.key() == self.daemon_set) {
            self.fewest_available = self.fewest_available.min(self.available());
        }
    }

    fn carry_out(&mut self, key: &ObjectKey, step: &Step) -> Synced {
        let decided = Decided::of(step);
        self.wake_at = step.wake_at;
        let mut synced = Synced {
            events: decided.events.clone(),
            requeues: step.requeues.clone(),
            waiting_on: step.waiting_on.clone(),
            error: step.error.clone(),
            decided,
            ..Synced::default()
        };
        let mut failures = Failures::none(self.controller.version());
        for batch in &step.batches {
            let skipped = failures.leave_out(batch.kind);
            for decision in &batch.decisions {
                let outcome = if skipped { Outcome::Skipped } else { self.perform(key, decision, &mut synced) };
                if matches!(outcome, Outcome::Rejected(_)) {
                    synced.failed.get_or_insert_with(|| decision.action.clone());
                }
                failures.note(batch.kind, &outcome);
                self.controller.complete(self.now, decision.id, outcome);
            }
        }
        if synced.counts() != (0, 0) {
            let deleted = synced.deleted.iter().map(|pod| pod.node.clone()).collect();
            self.log.push(Logged { at: self.second(), created: synced.created.clone(), deleted });
        }
        synced
    }

    fn perform(&mut self, key: &ObjectKey, decision: &Decision, synced: &mut Synced) -> Outcome {
        match &decision.action {
            Action::CreatePod { node, name, revision } => {
                synced.creations_tried += 1;
                if self.quota.is_some_and(|quota| self.own_pods() >= quota) {
                    return Outcome::Rejected(Rejection::Forbidden);
                }
                self.create_pod(key, node, name, revision);
                synced.created.push(node.clone());
            }
            Action::DeletePod { pod, .. } => {
                let Some(found) = self.find(pod) else { return Outcome::Rejected(Rejection::NotFound) };
                let node = target_node_of(found).cloned().unwrap_or_default();
                synced.deleted.push(Deleted { name: pod.name.clone(), node, version: image(found) });
                self.delete_pod(&pod.name);
            }
            Action::AdoptPod { .. } | Action::AdoptRevision(_) if self.refuses_adoption => {
                return Outcome::Rejected(Rejection::Other);
            }
            Action::AdoptPod { pod } => {
                let owner = self.owner(key);
                self.change_pod(&pod.name, |pod| pod.metadata.owner_references.push(owner));
            }
            Action::ReleasePod { pod } => {
                let uid = self.owner(key).uid;
                self.change_pod(&pod.name, |pod| pod.metadata.owner_references.retain(|owner| owner.uid != uid));
            }
            Action::RelabelPod { pod, revision } => self.change_pod(&pod.name, |pod| {
                pod.metadata.labels = pod.metadata.labels.with(Pod::REVISION_HASH_LABEL, revision);
            }),
            Action::CreateRevision(revision) => {
                let key = revision.metadata.key();
                if self.snapshot.revisions.iter().any(|other| other.metadata.key() == key) {
                    return Outcome::Rejected(Rejection::AlreadyExists);
                }
                let mut revision = (**revision).clone();
                revision.metadata.uid = self.next_uid();
                revision.metadata.creation_timestamp = Some(self.now.truncate_to_seconds());
                self.put_revision(revision);
            }
            Action::AdoptRevision(revision) => {
                let owner = self.owner(key);
                self.change_revision(revision, |revision| revision.metadata.owner_references.push(owner));
            }
            Action::ReleaseRevision(revision) => {
                let uid = self.owner(key).uid;
                self.change_revision(revision, |revision| {
                    revision.metadata.owner_references.retain(|owner| owner.uid != uid);
                });
            }
            Action::LabelRevision(revision) => self.change_revision(revision, |found| {
                found.metadata.labels = found.metadata.labels.with(Pod::REVISION_HASH_LABEL, &revision.name);
            }),
            Action::RenumberRevision { revision, number } => {
                self.change_revision(revision, |revision| revision.revision = *number);
            }
            Action::DeleteRevision(revision) => {
                self.snapshot.revisions.retain(|other| other.metadata.key() != *revision);
                self.controller.observe(Change::RevisionGone(revision.clone()));
            }
            Action::UpdateStatus(status) => {
                if self.refuses_status {
                    return Outcome::Rejected(Rejection::Other);
                }
                synced.status = Some(status.clone());
                let found = self.snapshot.daemon_sets.iter_mut().find(|daemon_set| daemon_set.metadata.key() == *key);
                let daemon_set = found.expect("the DaemonSet is there");
                daemon_set.status = status.clone();
                let seen = daemon_set.clone();
                self.controller.observe(Change::DaemonSet(Box::new(seen)));
            }
            Action::RecordEvent { .. } => {}
        }
        Outcome::Applied
    }

    fn find(&self, key: &PodKey) -> Option<&Pod> {
        self.snapshot.pods.iter().find(|pod| pod.metadata.uid == key.uid && pod.metadata.name == key.name)
    }

    /// How many pods the DaemonSet owns.
    pub fn own_pods(&self) -> usize {
        let uid = &self.daemon_set().metadata.uid;
        let is_own = |pod: &&Pod| pod.metadata.controller_owner().is_some_and(|owner| owner.uid == *uid);
        self.snapshot.pods.iter().filter(is_own).count()
    }

    fn owner(&self, key: &ObjectKey) -> OwnerReference {
        let found = self.snapshot.daemon_sets.iter().find(|daemon_set| daemon_set.metadata.key() == *key);
        OwnerReference {
            api_version: "apps/v1".into(),
            kind: "DaemonSet".into(),
            name: key.name.clone(),
            uid: found.expect("the DaemonSet is there").metadata.uid.clone(),
            controller: true,
            block_owner_deletion: true,
        }
    }

    fn create_pod(&mut self, key: &ObjectKey, node: &str, name: &str, revision: &str) {
        let template = self.template_of(revision);
        let found = self.snapshot.daemon_sets.iter().find(|daemon_set| daemon_set.metadata.key() == *key);
        let daemon_set = found.expect("the DaemonSet is there").clone();
        let rules = PlacementRules::of(&template, KubernetesVersion::default());
        let is_newest = template == daemon_set.spec.template;
        let template_generation = if is_newest { daemon_set.template_generation() } else { None };
        let mut pod =
            NewPod { daemon_set: &daemon_set, rules: &rules, node, name, revision_hash: revision, template_generation }
                .narrow();
        pod.metadata.uid = self.next_uid();
        pod.metadata.creation_timestamp = Some(self.now.truncate_to_seconds());
        pod.status.phase = rollcast_core::api::PodPhase::Pending;
        let taken = self.snapshot.pods.iter().any(|other| other.metadata.key() == pod.metadata.key());
        assert!(!taken, "a pod {name} exists");
        self.put_pod(pod);
    }

    fn change_revision(&mut self, key: &ObjectKey, edit: impl FnOnce(&mut rollcast_core::api::ControllerRevision)) {
        let found = self.snapshot.revisions.iter().find(|revision| revision.metadata.key() == *key);
        let mut revision = found.expect("the revision is there").clone();
        edit(&mut revision);
        self.put_revision(revision);
    }
}

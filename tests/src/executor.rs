//! Carries decisions out as an executor does, on a cluster of a test.

use std::time::Duration;

use rollcast_core::KubernetesVersion;
use rollcast_core::api::{ControllerRevision, DaemonSet, ObjectKey, OwnerReference, Pod, PodPhase, Text};
use rollcast_core::controller::{
    Action, BatchKind, Decision, DecisionId, Failures, Outcome, PodKey, Rejection, Snapshot, Step,
};
use rollcast_core::time::Timestamp;

use crate::cells;

/// How long a pod that is deleted may take to end.
const GRACE: Duration = Duration::from_secs(30);

/// What becomes of the decisions of a sync.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// All come true.
    Applied,
    /// After so many creations the next one is refused.
    CreationsRefused(u8),
    /// They come true, but no answer arrives.
    NoAnswer,
    /// No answer arrives, and creations and deletions never happened.
    Lost,
}

/// What there is, and whoever has to hear of a change to it.
pub trait Cluster {
    /// The moment.
    fn now(&self) -> Timestamp;
    /// What there is.
    fn truth(&self) -> &Snapshot;
    /// A number that was not given before.
    fn next(&mut self) -> u32;
    /// A pod appears or changes.
    fn put_pod(&mut self, pod: Pod);
    /// A pod is gone, if it was there.
    fn remove_pod(&mut self, uid: &Text);
    /// A revision appears or changes.
    fn put_revision(&mut self, revision: ControllerRevision);
    /// A revision is gone.
    fn remove_revision(&mut self, key: &ObjectKey);
    /// A DaemonSet changes.
    fn put_daemon_set(&mut self, daemon_set: DaemonSet);
    /// The controller is told what became of a decision; of a creation that was left out or refused it expects nothing.
    fn complete(&mut self, daemon_set: &DaemonSet, decision: DecisionId, outcome: Outcome, is_expected_no_more: bool);
}

/// Carries out what was decided for a DaemonSet.
pub fn carry_out(
    cluster: &mut impl Cluster,
    version: KubernetesVersion,
    daemon_set: &DaemonSet,
    step: &Step,
    fate: Fate,
) {
    let mut failures = Failures::none(version);
    let mut created = 0;
    for batch in &step.batches {
        let skipped = failures.leave_out(batch.kind);
        let is_about_pods = matches!(batch.kind, BatchKind::Create | BatchKind::Delete);
        for decision in &batch.decisions {
            let is_creation = matches!(decision.action, Action::CreatePod { .. });
            let outcome = if skipped {
                Outcome::Skipped
            } else if is_creation && matches!(fate, Fate::CreationsRefused(limit) if created >= limit) {
                Outcome::Rejected(Rejection::Forbidden)
            } else {
                created += u8::from(is_creation);
                match fate {
                    Fate::NoAnswer if is_about_pods => {
                        perform(cluster, daemon_set, decision);
                        Outcome::Unknown
                    }
                    Fate::Lost if is_about_pods => Outcome::Unknown,
                    _ => perform(cluster, daemon_set, decision),
                }
            };
            failures.note(batch.kind, &outcome);
            let is_expected_no_more = is_creation && matches!(outcome, Outcome::Skipped | Outcome::Rejected(_));
            cluster.complete(daemon_set, decision.id, outcome, is_expected_no_more);
        }
    }
}

fn perform(cluster: &mut impl Cluster, daemon_set: &DaemonSet, decision: &Decision) -> Outcome {
    let DaemonSet { metadata, .. } = daemon_set;
    let owner = OwnerReference { uid: metadata.uid.clone(), name: metadata.name.clone(), ..cells::owner() };
    match &decision.action {
        Action::CreatePod { node, name, revision } => {
            // That name, live and with our owner, means: done before, and the answer was lost.
            if let Some(pod) = cluster.truth().pods.iter().find(|pod| pod.metadata.name == *name) {
                let is_meant = pod.metadata.controller_owner().is_some_and(|known| known.uid == owner.uid)
                    && pod.metadata.deletion_timestamp.is_none()
                    && !pod.is_terminal();
                return if is_meant { Outcome::Applied } else { Outcome::Rejected(Rejection::AlreadyExists) };
            }
            let mut pod = cells::pod(name, node, revision);
            pod.metadata.labels = pod.metadata.labels.with("app", &metadata.name);
            pod.metadata.uid = format!("uid-{name}-{}", cluster.next()).into();
            pod.metadata.creation_timestamp = Some(cluster.now().truncate_to_seconds());
            pod.metadata.owner_references = vec![owner];
            pod.spec.node_name = Text::default();
            pod.status.phase = PodPhase::Pending;
            pod.status.conditions.clear();
            cluster.put_pod(pod);
        }
        Action::DeletePod { pod, .. } => {
            let found = cluster.truth().pods.iter().find(|other| other.metadata.uid == pod.uid).cloned();
            let Some(mut ending) = found else { return Outcome::Applied };
            if ending.spec.node_name.is_empty() {
                cluster.remove_pod(&pod.uid);
            } else if ending.metadata.deletion_timestamp.is_none() {
                ending.metadata.deletion_timestamp = Some(cluster.now().saturating_add(GRACE));
                cluster.put_pod(ending);
            }
        }
        Action::AdoptPod { pod } => edit_pod(cluster, pod, |pod| pod.metadata.owner_references = vec![owner]),
        Action::ReleasePod { pod } => edit_pod(cluster, pod, |pod| pod.metadata.owner_references.clear()),
        Action::RelabelPod { pod, revision } => edit_pod(cluster, pod, |pod| {
            pod.metadata.labels = pod.metadata.labels.with(Pod::REVISION_HASH_LABEL, revision);
        }),
        Action::CreateRevision(revision) => cluster.put_revision((**revision).clone()),
        Action::AdoptRevision(key) => {
            edit_revision(cluster, key, |revision| revision.metadata.owner_references = vec![owner]);
        }
        Action::ReleaseRevision(key) => {
            edit_revision(cluster, key, |revision| revision.metadata.owner_references.clear());
        }
        Action::LabelRevision(key) => edit_revision(cluster, key, |revision| {
            revision.metadata.labels = revision.metadata.labels.with(Pod::REVISION_HASH_LABEL, &key.name);
        }),
        Action::RenumberRevision { revision, number } => {
            edit_revision(cluster, revision, |revision| revision.revision = *number);
        }
        Action::DeleteRevision(key) => cluster.remove_revision(key),
        Action::UpdateStatus(status) => {
            let key = metadata.key();
            let found = cluster.truth().daemon_sets.iter().find(|other| other.metadata.key() == key);
            let mut daemon_set = found.expect("the DaemonSet is there").clone();
            daemon_set.status = status.clone();
            cluster.put_daemon_set(daemon_set);
        }
        Action::RecordEvent { .. } => {}
    }
    Outcome::Applied
}

fn edit_pod(cluster: &mut impl Cluster, key: &PodKey, edit: impl FnOnce(&mut Pod)) {
    let found = cluster.truth().pods.iter().find(|pod| pod.metadata.uid == key.uid);
    let Some(mut pod) = found.cloned() else { return };
    // Every sight of a pod that is being deleted lowers the expectations: leave it as it is.
    if pod.metadata.deletion_timestamp.is_none() {
        edit(&mut pod);
        cluster.put_pod(pod);
    }
}

fn edit_revision(cluster: &mut impl Cluster, key: &ObjectKey, edit: impl FnOnce(&mut ControllerRevision)) {
    let found = cluster.truth().revisions.iter().find(|revision| revision.metadata.key() == *key);
    let mut revision = found.expect("the revision is there").clone();
    edit(&mut revision);
    cluster.put_revision(revision);
}

/// Puts an object into a list, in place of the one of its name.
pub fn put<T>(list: &mut Vec<T>, item: T, name: impl Fn(&T) -> Text) {
    match list.iter_mut().find(|other| name(other) == name(&item)) {
        Some(place) => *place = item,
        None => list.push(item),
    }
}

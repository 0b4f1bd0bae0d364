//! What a step of the engine decided, in the words of the reference, and whether the two agree.

use std::collections::BTreeSet;

use rollcast_core::api::DaemonSetStatus;
use rollcast_core::controller::{Action, EventReason, EventType, Step};

use crate::reference::{Choice, Verdict};

/// What one step decided.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decided {
    /// Nodes that get a pod, in order.
    pub create: Vec<String>,
    /// Pods that are deleted, in order.
    pub delete: Vec<String>,
    /// Pods that are adopted or released.
    pub patch: BTreeSet<String>,
    /// Pods that get another `controller-revision-hash`.
    pub relabel: BTreeSet<String>,
    /// The number of the revision that is created.
    pub created_revision: Option<i64>,
    /// Revisions that change.
    pub updated_revisions: BTreeSet<String>,
    /// Revisions that are deleted.
    pub deleted_revisions: BTreeSet<String>,
    /// The status that is written.
    pub status: Option<DaemonSetStatus>,
    /// "type reason" of the events that the sync itself records, sorted.
    pub events: Vec<String>,
    /// Whether the sync ends with an error.
    pub error: bool,
}

impl Decided {
    /// Reads a step.
    pub fn of(step: &Step) -> Self {
        let mut decided = Self::default();
        for decision in step.batches.iter().flat_map(|batch| &batch.decisions) {
            decided.add(&decision.action);
        }
        decided.error = step.error.is_some();
        decided.events.sort();
        decided
    }

    fn add(&mut self, action: &Action) {
        match action {
            Action::CreatePod { node, .. } => self.create.push(node.to_string()),
            Action::DeletePod { pod, .. } => self.delete.push(pod.name.to_string()),
            Action::AdoptPod { pod } | Action::ReleasePod { pod } => _ = self.patch.insert(pod.name.to_string()),
            Action::RelabelPod { pod, .. } => _ = self.relabel.insert(pod.name.to_string()),
            Action::CreateRevision(revision) => self.created_revision = Some(revision.revision),
            Action::AdoptRevision(revision)
            | Action::ReleaseRevision(revision)
            | Action::LabelRevision(revision)
            | Action::RenumberRevision { revision, .. } => {
                self.updated_revisions.insert(revision.name.to_string());
            }
            Action::DeleteRevision(revision) => _ = self.deleted_revisions.insert(revision.name.to_string()),
            Action::UpdateStatus(status) => self.status = Some(status.clone()),
            Action::RecordEvent { event_type, event, .. } => self.events.extend(event_text(*event_type, *event)),
        }
    }

    /// Whether nothing is created, deleted, changed or written.
    pub fn is_nothing(&self) -> bool {
        *self == Self { events: self.events.clone(), error: self.error, ..Self::default() }
    }

    /// Where this is not what the reference says; the first difference.
    pub fn disagrees_with(&self, verdict: &Verdict) -> Option<String> {
        let mut events = verdict.events.clone();
        events.sort();
        let differs = |name: &str, expected: &dyn std::fmt::Debug, got: &dyn std::fmt::Debug| {
            Some(format!("{name}: the reference says {expected:?}, the engine {got:?}"))
        };
        if !is_choice_of(&self.create, &verdict.create) {
            differs("creations", &verdict.create, &self.create)
        } else if !is_choice_of(&self.delete, &verdict.delete) {
            differs("deletions", &verdict.delete, &self.delete)
        } else if self.patch != verdict.patch {
            differs("adopted and released pods", &verdict.patch, &self.patch)
        } else if self.relabel != verdict.relabel {
            differs("relabelled pods", &verdict.relabel, &self.relabel)
        } else if self.created_revision != verdict.created_revision {
            differs("created revision", &verdict.created_revision, &self.created_revision)
        } else if self.updated_revisions != verdict.updated_revisions {
            differs("changed revisions", &verdict.updated_revisions, &self.updated_revisions)
        } else if self.deleted_revisions != verdict.deleted_revisions {
            differs("deleted revisions", &verdict.deleted_revisions, &self.deleted_revisions)
        } else if self.status != verdict.status {
            differs("status", &verdict.status, &self.status)
        } else if self.events != events {
            differs("events", &events, &self.events)
        } else if self.error != verdict.error {
            differs("error", &verdict.error, &self.error)
        } else {
            None
        }
    }
}

/// The events of a sync; those about a pod that was created or deleted come from the executor's work.
fn event_text(event_type: EventType, event: EventReason) -> Option<String> {
    let recorded = [EventReason::SelectingAll, EventReason::FailedDaemonPod, EventReason::SucceededDaemonPod];
    recorded.contains(&event).then(|| format!("{event_type:?} {}", event.as_str()))
}

fn is_choice_of(taken: &[String], choice: &Choice) -> bool {
    let set: BTreeSet<&String> = taken.iter().collect();
    set.len() == taken.len()
        && taken.len() == choice.count
        && choice.must.iter().all(|name| set.contains(name))
        && taken.iter().all(|name| choice.among.contains(name))
}

//! The ControllerRevisions of a DaemonSet: which one is current, what is to be done about the others.

mod data;
mod kubectl;

use crate::api::{ControllerRevision, DaemonSet, ObjectKey, ObjectMeta, Pod, PodTemplate, Text};
use crate::json::take_out;
use crate::order::sort_by;
use crate::ownership::{Claim, claim, owner_reference};

pub(crate) use data::safe_letter;
pub use data::{go_json, revision_hash, template_patch};
pub use kubectl::{HistoryEntry, Undo, rollout_history, rollout_undo};

/// A ControllerRevision with the bytes that identify it at hand.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StoredRevision {
    /// The object.
    pub object: ControllerRevision,
    /// Its data as Go writes it.
    pub data: String,
}

impl StoredRevision {
    /// Reads a revision.
    pub fn of(object: ControllerRevision) -> Self {
        let data = go_json(&object.data);
        Self { object, data }
    }

    /// The hash that pods of this revision carry: its label, or its own name where the label is missing.
    pub fn hash(&self) -> &Text {
        self.object.metadata.labels.get(Pod::REVISION_HASH_LABEL).unwrap_or(&self.object.metadata.name)
    }

    /// The pod template this revision stores.
    pub fn template(&self) -> Option<PodTemplate> {
        template_of(&self.object)
    }
}

/// The pod template that a revision stores.
pub fn template_of(revision: &ControllerRevision) -> Option<PodTemplate> {
    let mut template = revision.data.get("spec")?.get("template")?.clone();
    if let serde_json::Value::Object(fields) = &mut template {
        take_out(fields, "$patch");
    }
    PodTemplate::from_json(template).ok()
}

/// What a sync does about revisions before anything else.
#[derive(Clone, Debug, PartialEq)]
pub enum RevisionChange {
    /// Make an orphan that matches the selector its own.
    Adopt(ObjectKey),
    /// Give up one that no longer matches the selector.
    Release(ObjectKey),
    /// Label one that lacks `controller-revision-hash` with its own name.
    Label(ObjectKey),
    /// Delete one whose template a newer one holds too. The pods are relabelled first.
    DeleteDuplicate(ObjectKey),
    /// The present template was current before: its revision becomes the newest.
    Renumber {
        /// The revision.
        revision: ObjectKey,
        /// The number it gets.
        number: i64,
    },
    /// The present template is new.
    Create(Box<ControllerRevision>),
}

/// The history of a DaemonSet as a sync leaves it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    /// The `controller-revision-hash` of the newest template; empty when a name collision leaves none.
    pub current: Text,
    /// What is to be done, in order.
    pub changes: Vec<RevisionChange>,
    /// Whether duplicates were found, so that every pod of the DaemonSet gets the current hash.
    pub relabel_pods: bool,
    /// Another template has taken the name: the sync ends here, with the collision count raised to this.
    pub collision: Option<i32>,
    /// That name; empty when there is no collision.
    pub collision_name: Text,
    /// The other revisions, ascending by number, for [`revisions_to_delete`].
    pub old: Vec<OldRevision>,
}

/// A revision that is not current.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OldRevision {
    /// The object.
    pub key: ObjectKey,
    /// Its number.
    pub number: i64,
    /// Its hash.
    pub hash: Text,
}

/// Works out the history (`constructHistory`, Kubernetes 1.36). `patch` is the present template's data as Go writes
/// it, `revisions` are those of the namespace in order of their names.
pub fn history(daemon_set: &DaemonSet, patch: &str, revisions: &[StoredRevision]) -> History {
    let mut history = History::default();
    let mut current: Vec<&StoredRevision> = Vec::new();
    for revision in revisions {
        let metadata = &revision.object.metadata;
        match claim(daemon_set, metadata) {
            Claim::Ignore => continue,
            Claim::Release => {
                history.changes.push(RevisionChange::Release(metadata.key()));
                continue;
            }
            Claim::Adopt => history.changes.push(RevisionChange::Adopt(metadata.key())),
            Claim::Keep => {}
        }
        if metadata.labels.get(Pod::REVISION_HASH_LABEL).is_none() {
            history.changes.push(RevisionChange::Label(metadata.key()));
        }
        if revision.data == patch {
            current.push(revision);
        } else {
            history.old.push(OldRevision {
                key: metadata.key(),
                number: revision.object.revision,
                hash: revision.hash().clone(),
            });
        }
    }
    sort_by(&mut history.old, |left, right| left.number.cmp(&right.number).then_with(|| left.key.cmp(&right.key)));
    let next = history.old.last().map_or(0, |revision| revision.number).max(0).saturating_add(1);

    // Of equal numbers the last one is kept: `max_by_key` returns the last maximum.
    match current.iter().max_by_key(|revision| revision.object.revision).copied() {
        Some(kept) => {
            keep_newest(&mut history, kept, &current, next);
        }
        None => create_current(&mut history, daemon_set, patch, next, revisions),
    }
    history
}

fn keep_newest(history: &mut History, kept: &StoredRevision, current: &[&StoredRevision], next: i64) {
    history.current = kept.hash().clone();
    let duplicates = current.iter().map(|revision| revision.object.metadata.key());
    let duplicates = duplicates.filter(|key| *key != kept.object.metadata.key());
    history.changes.extend(duplicates.map(RevisionChange::DeleteDuplicate));
    history.relabel_pods = current.len() > 1;
    if kept.object.revision < next {
        history.changes.push(RevisionChange::Renumber { revision: kept.object.metadata.key(), number: next });
    }
}

fn create_current(history: &mut History, daemon_set: &DaemonSet, patch: &str, next: i64, revisions: &[StoredRevision]) {
    let hash = revision_hash(patch, daemon_set.status.collision_count);
    let created = revision_of(daemon_set, &hash, next);
    let name = &created.metadata.name;
    match revisions.iter().find(|revision| {
        revision.object.metadata.name == *name && revision.object.metadata.namespace == created.metadata.namespace
    }) {
        // Someone else's, or one the selector misses, but of the same template: upstream uses it as it is.
        Some(existing) if existing.data == patch => history.current = existing.hash().clone(),
        Some(_) => {
            history.collision = Some(daemon_set.status.collision_count.unwrap_or(0).saturating_add(1));
            history.collision_name = name.clone();
        }
        None => {
            history.current = created.metadata.labels.get(Pod::REVISION_HASH_LABEL).cloned().unwrap_or_default();
            history.changes.push(RevisionChange::Create(Box::new(created)));
        }
    }
}

/// The revision made for the present template (`snapshot`, Kubernetes 1.36), whose pods carry `hash`.
#[inline(never)]
pub fn revision_of(daemon_set: &DaemonSet, hash: &str, number: i64) -> ControllerRevision {
    ControllerRevision {
        metadata: ObjectMeta {
            name: format!("{}-{hash}", daemon_set.metadata.name).into(),
            namespace: daemon_set.metadata.namespace.clone(),
            labels: daemon_set.spec.template.labels().with(Pod::REVISION_HASH_LABEL, hash),
            annotations: daemon_set.metadata.annotations.clone(),
            owner_references: vec![owner_reference(daemon_set)],
            ..ObjectMeta::default()
        },
        data: template_patch(daemon_set.spec.template.json()),
        revision: number,
    }
}

/// The old revisions that `revisionHistoryLimit` leaves no room for, oldest first; those that a pod carries stay
/// (`cleanupHistory`, Kubernetes 1.36).
pub fn revisions_to_delete<'a>(
    old: &'a [OldRevision],
    limit: Option<i32>,
    pods_by_hash: &'a [(Text, u32)],
) -> impl Iterator<Item = &'a OldRevision> {
    let limit = usize::try_from(limit.unwrap_or(DEFAULT_HISTORY_LIMIT)).unwrap_or(0);
    let excess = old.len().saturating_sub(limit);
    let is_used = |revision: &OldRevision| pods_by_hash.iter().any(|(hash, _)| *hash == revision.hash);
    old.iter().filter(move |revision| !is_used(revision)).take(excess)
}

/// `spec.revisionHistoryLimit` where it is absent.
const DEFAULT_HISTORY_LIMIT: i32 = 10;

#[cfg(test)]
mod tests;

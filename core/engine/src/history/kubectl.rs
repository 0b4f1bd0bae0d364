//! What `kubectl rollout history` and `kubectl rollout undo` find.

use super::StoredRevision;
use crate::api::{DaemonSet, PodTemplate, Text};
use crate::history::{go_json, template_patch};
use crate::order::sort_by_key;
use crate::ownership::{Claim, claim};

/// One line of `kubectl rollout history`.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryEntry<'a> {
    /// The number.
    pub number: i64,
    /// The annotation `kubernetes.io/change-cause`; kubectl prints `<none>` when it is absent.
    pub change_cause: Option<&'a Text>,
    /// The revision.
    pub revision: &'a StoredRevision,
}

/// What `kubectl rollout undo` comes to.
#[derive(Clone, Debug, PartialEq)]
pub enum Undo {
    /// The template that is sent to the server, and the number it had.
    RollBack {
        /// The number asked for, or the one before the newest.
        number: i64,
        /// The template.
        template: PodTemplate,
    },
    /// The DaemonSet has that template already.
    AlreadyThere {
        /// The number.
        number: i64,
    },
    /// No revision has that number; for 0, there is none to go back to.
    NotFound {
        /// The number asked for.
        number: i64,
    },
}

/// The revisions that are the DaemonSet's own, ascending by number (`DaemonSetHistoryViewer`, kubectl 1.37).
pub fn rollout_history<'a>(daemon_set: &DaemonSet, revisions: &'a [StoredRevision]) -> Vec<HistoryEntry<'a>> {
    let mut entries: Vec<HistoryEntry<'a>> = revisions
        .iter()
        .filter(|revision| claim(daemon_set, &revision.object.metadata) == Claim::Keep)
        .map(|revision| HistoryEntry {
            number: revision.object.revision,
            change_cause: revision.object.metadata.annotations.get("kubernetes.io/change-cause"),
            revision,
        })
        .collect();
    sort_by_key(&mut entries, |entry| entry.number);
    entries
}

/// Finds the revision to go back to: 0 means the one before the newest (`DaemonSetRollbacker`, kubectl 1.37).
pub fn rollout_undo(daemon_set: &DaemonSet, revisions: &[StoredRevision], number: i64) -> Undo {
    let entries = rollout_history(daemon_set, revisions);
    let found = match number {
        0 => entries.iter().rev().nth(1),
        _ => entries.iter().find(|entry| entry.number == number && number > 0),
    };
    let Some((entry, template)) = found.and_then(|entry| Some((entry, entry.revision.template()?))) else {
        return Undo::NotFound { number };
    };
    if go_json(&template_patch(daemon_set.spec.template.json())) == entry.revision.data {
        return Undo::AlreadyThere { number: entry.number };
    }
    Undo::RollBack { number: entry.number, template }
}

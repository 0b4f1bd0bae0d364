//! Revisions: which is current, which go.

use rollcast_core::api::{ControllerRevision, DaemonSet, Pod};
use serde_json::{Value, json};

use super::Verdict;

/// The revisions of a DaemonSet.
pub struct History {
    /// The hash of the current one; none when it is created in this sync.
    pub current_hash: Option<String>,
    /// Number, name and hash of those that hold another template.
    pub old: Vec<(i64, String, String)>,
}

const HASH_LABEL: &str = "controller-revision-hash";

/// Finds the current revision, or decides to create it; adopts, releases, labels, renumbers, removes duplicates.
pub fn build(
    daemon_set: &DaemonSet,
    revisions: &[ControllerRevision],
    own_pods: &[&Pod],
    verdict: &mut Verdict,
) -> History {
    let wanted = patch(daemon_set);
    let (mut current, mut old) = (Vec::new(), Vec::new());
    for revision in claim(daemon_set, revisions, verdict) {
        let name = revision.metadata.name.to_string();
        let label = revision.metadata.labels.get(HASH_LABEL).map(ToString::to_string);
        if label.is_none() {
            verdict.updated_revisions.insert(name.clone());
        }
        let hash = label.unwrap_or_else(|| name.clone());
        let entry = (revision.revision, name, hash);
        if revision.data == wanted { current.push(entry) } else { old.push(entry) }
    }
    let next = old.iter().map(|(number, ..)| *number).max().unwrap_or(0) + 1;
    current.sort_by_key(|(number, ..)| *number);
    let Some((number, name, hash)) = current.pop() else {
        verdict.created_revision = Some(next);
        return History { current_hash: None, old };
    };
    if !current.is_empty() {
        let other = |pod: &&&Pod| pod.metadata.labels.get(HASH_LABEL).is_none_or(|label| *label != hash);
        verdict.relabel.extend(own_pods.iter().filter(other).map(|pod| pod.metadata.name.to_string()));
        verdict.deleted_revisions.extend(current.into_iter().map(|(_, name, _)| name));
    }
    if number < next {
        verdict.updated_revisions.insert(name);
    }
    History { current_hash: Some(hash), old }
}

/// Deletes the oldest unused revisions beyond the limit.
pub fn clean_up(daemon_set: &DaemonSet, history: &History, own_pods: &[&Pod], verdict: &mut Verdict) {
    let limit = usize::try_from(daemon_set.spec.revision_history_limit.unwrap_or(10)).unwrap_or(0);
    let mut excess = history.old.len().saturating_sub(limit);
    let mut old = history.old.clone();
    old.sort();
    for (_, name, hash) in old {
        let used = own_pods.iter().any(|pod| pod.metadata.labels.get(HASH_LABEL).is_some_and(|label| *label == hash));
        if excess > 0 && !used {
            verdict.deleted_revisions.insert(name);
            excess -= 1;
        }
    }
}

/// What a revision of the present template holds.
fn patch(daemon_set: &DaemonSet) -> Value {
    let mut template = daemon_set.spec.template.json().clone();
    template["$patch"] = json!("replace");
    json!({"spec": {"template": template}})
}

fn claim<'a>(
    daemon_set: &DaemonSet,
    revisions: &'a [ControllerRevision],
    verdict: &mut Verdict,
) -> Vec<&'a ControllerRevision> {
    let mut own = Vec::new();
    for revision in revisions.iter().filter(|revision| revision.metadata.namespace == daemon_set.metadata.namespace) {
        let metadata = &revision.metadata;
        let matches = daemon_set.spec.selector.matches(&metadata.labels).unwrap_or(false);
        match metadata.owner_references.iter().find(|owner| owner.controller) {
            Some(owner) if owner.uid != daemon_set.metadata.uid => {}
            Some(_) if matches => own.push(revision),
            Some(_) => {
                verdict.updated_revisions.insert(metadata.name.to_string());
            }
            None if matches && metadata.deletion_timestamp.is_none() => {
                verdict.updated_revisions.insert(metadata.name.to_string());
                own.push(revision);
            }
            None => {}
        }
    }
    own
}

//! Whose an object is: kept, adopted, released or left alone.

use crate::api::{DaemonSet, ObjectMeta, OwnerReference, Pod, Text};

/// What a DaemonSet does with a pod or a ControllerRevision of its namespace (`ControllerRefManager.ClaimObject`,
/// Kubernetes 1.36).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Claim {
    /// Not its own, and not to become so.
    #[default]
    Ignore,
    /// Its own, and stays so.
    Keep,
    /// An orphan that matches the selector: becomes its own and counts from now on.
    Adopt,
    /// Its own, but no longer matching the selector: given up, and does not count.
    Release,
}

impl Claim {
    /// Whether the object counts as the DaemonSet's.
    pub const fn is_owned(self) -> bool {
        matches!(self, Self::Keep | Self::Adopt)
    }
}

/// Decides on one object. A malformed selector claims nothing and gives nothing up.
pub fn claim(daemon_set: &DaemonSet, object: &ObjectMeta) -> Claim {
    if object.namespace != daemon_set.metadata.namespace {
        return Claim::Ignore;
    }
    let matches = || daemon_set.spec.selector.matches(&object.labels);
    let is_live = !daemon_set.metadata.is_being_deleted();
    match object.controller_owner() {
        Some(owner) if owner.uid != daemon_set.metadata.uid => Claim::Ignore,
        Some(_) => match matches() {
            Ok(true) => Claim::Keep,
            Ok(false) if is_live => Claim::Release,
            Ok(false) | Err(_) => Claim::Ignore,
        },
        None if is_live && !object.is_being_deleted() && matches() == Ok(true) => Claim::Adopt,
        None => Claim::Ignore,
    }
}

/// The owner reference that makes an object the DaemonSet's own (`metav1.NewControllerRef`).
pub fn owner_reference(daemon_set: &DaemonSet) -> OwnerReference {
    OwnerReference {
        api_version: Text::new_static("apps/v1"),
        kind: Text::new_static("DaemonSet"),
        name: daemon_set.metadata.name.clone(),
        uid: daemon_set.metadata.uid.clone(),
        controller: true,
        block_owner_deletion: true,
    }
}

/// Whether a pod is a DaemonSet's own. A manifest has no UID; its pods then go by the owner's name.
pub fn is_own(daemon_set: &DaemonSet, pod: &Pod) -> bool {
    let metadata = &daemon_set.metadata;
    pod.metadata.namespace == metadata.namespace
        && pod.metadata.controller_owner().is_some_and(|owner| {
            if metadata.uid.is_empty() {
                owner.kind == "DaemonSet" && owner.name == metadata.name
            } else {
                owner.uid == metadata.uid
            }
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Timestamp;

    fn daemon_set() -> DaemonSet {
        serde_json::from_str(
            r#"{"metadata":{"name":"agent","namespace":"a","uid":"1"},"spec":{"selector":{"matchLabels":{"app":"agent"}}}}"#,
        )
        .unwrap()
    }

    fn object(app: &str, owner: Option<&str>) -> ObjectMeta {
        ObjectMeta {
            namespace: "a".into(),
            labels: [("app", app)].into_iter().collect(),
            owner_references: owner
                .map(|uid| OwnerReference { uid: uid.into(), controller: true, ..OwnerReference::default() })
                .into_iter()
                .collect(),
            ..ObjectMeta::default()
        }
    }

    #[test]
    fn own_matching_objects_are_kept_and_others_released() {
        assert_eq!(claim(&daemon_set(), &object("agent", Some("1"))), Claim::Keep);
        assert_eq!(claim(&daemon_set(), &object("other", Some("1"))), Claim::Release);
        assert_eq!(claim(&daemon_set(), &object("agent", Some("2"))), Claim::Ignore);
    }

    #[test]
    fn a_matching_orphan_is_adopted_unless_something_is_being_deleted() {
        let mut orphan = object("agent", None);
        assert_eq!(claim(&daemon_set(), &orphan), Claim::Adopt);
        let mut dying = daemon_set();
        dying.metadata.deletion_timestamp = Some(Timestamp::default());
        assert_eq!(claim(&dying, &orphan), Claim::Ignore);
        orphan.deletion_timestamp = Some(Timestamp::default());
        assert_eq!(claim(&daemon_set(), &orphan), Claim::Ignore);
        assert_eq!(claim(&daemon_set(), &object("other", None)), Claim::Ignore);
        assert_eq!(claim(&daemon_set(), &ObjectMeta { namespace: "b".into(), ..object("agent", None) }), Claim::Ignore);
    }
}

//! What a sync decides, and why: actions, reasons, waits. Words for them are in `rollcast_core::message`.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::api::{ControllerRevision, DaemonSetStatus, IntOrString, ObjectKey, Text};
use crate::placement::Exclusion;

/// A pod, and which one of that name.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PodKey {
    /// Namespace.
    pub namespace: Text,
    /// Name.
    pub name: Text,
    /// UID: a deletion names it as its precondition.
    pub uid: Text,
}

/// The number of a decision, unique within one controller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DecisionId(pub u64);

/// One thing to do, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// Its number, for [`Outcome`] reports.
    pub id: DecisionId,
    /// What to do.
    pub action: Action,
    /// Why.
    pub reason: Reason,
    /// How many could have been chosen instead, this one included; 1 when there was no choice.
    pub candidate_count: u32,
}

/// What can be done to a cluster.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Create a pod for a node from a revision's template.
    CreatePod {
        /// The node it is pinned to.
        node: Text,
        /// Its name; the same decision taken twice has the same name.
        name: Text,
        /// The `controller-revision-hash` it gets.
        revision: Text,
    },
    /// Delete a pod, if it is still the one with that UID.
    DeletePod {
        /// The pod.
        pod: PodKey,
        /// The node it is on or pinned to.
        node: Text,
    },
    /// Make an orphan pod the DaemonSet's own.
    AdoptPod {
        /// The pod.
        pod: PodKey,
    },
    /// Give up a pod that no longer matches the selector.
    ReleasePod {
        /// The pod.
        pod: PodKey,
    },
    /// Set a pod's `controller-revision-hash`.
    RelabelPod {
        /// The pod.
        pod: PodKey,
        /// The new value.
        revision: Text,
    },
    /// Create a revision.
    CreateRevision(Box<ControllerRevision>),
    /// Make an orphan revision the DaemonSet's own.
    AdoptRevision(ObjectKey),
    /// Give up a revision that no longer matches the selector.
    ReleaseRevision(ObjectKey),
    /// Set a revision's `controller-revision-hash` label to its own name, which it lacks.
    LabelRevision(ObjectKey),
    /// Give a revision a new number.
    RenumberRevision {
        /// The revision.
        revision: ObjectKey,
        /// The number.
        number: i64,
    },
    /// Delete a revision.
    DeleteRevision(ObjectKey),
    /// Write the status.
    UpdateStatus(DaemonSetStatus),
    /// Record an event on the DaemonSet.
    RecordEvent {
        /// Normal or Warning.
        event_type: EventType,
        /// One word.
        event: EventReason,
        /// What the event is about: a pod's or node's name, or empty.
        about: Text,
    },
}

/// `type` of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventType {
    /// As it should be.
    Normal,
    /// Someone should look.
    Warning,
}

impl EventType {
    /// The word as Kubernetes writes it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Normal => "Normal",
            Self::Warning => "Warning",
        }
    }
}

/// `reason` of an event the DaemonSet controller records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventReason {
    /// The selector is empty, so that it would select every pod.
    SelectingAll,
    /// A failed pod is deleted.
    FailedDaemonPod,
    /// A pod that ended well is deleted.
    SucceededDaemonPod,
    /// A pod was created.
    SuccessfulCreate,
    /// A pod was deleted.
    SuccessfulDelete,
    /// A pod could not be created.
    FailedCreate,
    /// A pod could not be deleted.
    FailedDelete,
}

impl EventReason {
    /// The word as Kubernetes writes it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SelectingAll => "SelectingAll",
            Self::FailedDaemonPod => "FailedDaemonPod",
            Self::SucceededDaemonPod => "SucceededDaemonPod",
            Self::SuccessfulCreate => "SuccessfulCreate",
            Self::SuccessfulDelete => "SuccessfulDelete",
            Self::FailedCreate => "FailedCreate",
            Self::FailedDelete => "FailedDelete",
        }
    }
}

/// Why a decision was taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reason {
    /// The node should run the pod and has none.
    MissingPod,
    /// Surge: the node's old pod is not available, so that the new one need not wait for the budget.
    SurgeForUnavailable,
    /// Surge: a place within maxSurge is free.
    SurgeWithinBudget {
        /// Nodes with a second pod under way before this sync.
        under_way: u32,
        /// maxSurge, resolved.
        limit: u32,
    },
    /// More live pods on the node than there may be; an older one, or one with a better claim, stays.
    ExcessPod,
    /// The pod failed, and its back-off is over.
    FailedPod,
    /// The pod ended well, and a daemon must not end.
    SucceededPod,
    /// The node must not run the pod.
    NodeMustNotRun(Vec<Exclusion>),
    /// The node is gone and the pod was never bound.
    NodeGone,
    /// Old and not available: costs no availability, so no budget is needed.
    OutdatedAndUnavailable,
    /// Old and available: a place within maxUnavailable is free.
    OutdatedWithinBudget {
        /// Nodes without an available pod before this sync.
        unavailable: u32,
        /// maxUnavailable, resolved.
        limit: u32,
    },
    /// Surge: the new pod beside it is available.
    ReplacementAvailable,
    /// Surge: the old pod is not ready while a new one is there.
    NotReadyBesideReplacement,
    /// Surge: old, on a node that should not run the pod, and not available.
    OutdatedOnIneligibleNode,
    /// Surge: old, on a node that should not run the pod; enough other pods are available.
    EnoughAvailableElsewhere {
        /// Nodes with an available pod.
        available: u32,
        /// Nodes that should run the pod.
        desired: u32,
    },
    /// An orphan that matches the selector.
    MatchesSelector,
    /// Owned, and no longer matching the selector.
    NoLongerMatchesSelector,
    /// The revision lacks the label that names it.
    MissingHashLabel,
    /// The template is not among the revisions.
    NewTemplate,
    /// The template is that of an older revision, which becomes the newest again.
    TemplateSeenBefore,
    /// Another revision holds the same template.
    DuplicateRevision,
    /// Beyond `revisionHistoryLimit` and used by no pod.
    BeyondHistoryLimit,
    /// Counters or generation differ from the stored status.
    StatusChanged,
    /// Two templates met under one revision name: the next name takes the raised collision count.
    NameCollision,
    /// Recorded because of another decision of this sync.
    Announcement,
}

/// Whether a decision came true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Done, or found done already: a creation also when a live pod of that name is the DaemonSet's.
    Applied,
    /// Refused by the API server.
    Rejected(Rejection),
    /// Not tried, because something before it failed.
    Skipped,
    /// No answer: it may or may not have happened.
    Unknown,
}

/// Why the API server refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rejection {
    /// No such object; for a deletion that is as good as done.
    NotFound,
    /// An object of that name exists, and is not the one meant: another's, or a pod that is ending or has ended.
    AlreadyExists,
    /// The object changed meanwhile.
    Conflict,
    /// The namespace is being deleted; upstream neither reports nor counts it.
    NamespaceTerminating,
    /// Quota, admission, validation or permission.
    Forbidden,
    /// Anything else.
    Other,
}

/// Why a sync failed before anything was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SyncError {
    /// Another template has taken the name of the revision: the collision count rises, the next name differs.
    NameCollision {
        /// The name.
        revision: Text,
    },
    /// With surge, an old pod is bound to a node that is gone: no rolling update until that pod is.
    NodeLost {
        /// The node, the first by name.
        node: Text,
    },
    /// maxUnavailable or maxSurge is neither a count nor a percentage.
    MalformedLimit {
        /// What is written there.
        limit: Text,
    },
}

/// A look that is due although nothing changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Requeue {
    /// How long from now.
    pub after: Duration,
    /// Why.
    pub reason: RequeueReason,
}

/// Why a DaemonSet is looked at again after a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RequeueReason {
    /// A failed pod is kept until its back-off is over.
    FailedPodBackOff,
    /// A pod is ready and becomes available by waiting (`minReadySeconds`).
    PodBecomesAvailable,
    /// The sync ended with an error: retried with rising delay.
    Error,
    /// Creations or deletions that were never observed lapse.
    ExpectationsLapse,
}

/// Why the rollout does not go on. Lists hold at most ten names, `count` is the whole number.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WaitingOn {
    /// The selector is empty: the DaemonSet is ignored.
    EmptySelector,
    /// The DaemonSet is being deleted.
    BeingDeleted,
    /// Creations or deletions of an earlier sync have not been observed.
    Expectations {
        /// Creations not yet seen.
        creations: i64,
        /// Deletions not yet seen.
        deletions: i64,
    },
    /// maxUnavailable is used up, so no available old pod is taken.
    UnavailableBudget {
        /// Nodes without an available pod.
        unavailable: u32,
        /// maxUnavailable, resolved against `desired`.
        limit: u32,
        /// maxUnavailable as it is written.
        written: IntOrString,
        /// Nodes that should run the pod.
        desired: u32,
        /// Nodes that use the budget up, the first ten by name.
        nodes: Vec<Text>,
        /// Available old pods that wait for it.
        waiting: u32,
    },
    /// maxSurge is used up by nodes whose new pod is not available.
    SurgeBudget {
        /// Nodes with a second pod under way.
        under_way: u32,
        /// maxSurge, resolved against `desired`.
        limit: u32,
        /// maxSurge as it is written.
        written: IntOrString,
        /// Nodes that should run the pod.
        desired: u32,
        /// Nodes that use the budget up, the first ten by name.
        nodes: Vec<Text>,
        /// Available old pods that wait for it.
        waiting: u32,
    },
    /// With surge, old pods are bound to nodes that are gone: no rolling update until those pods are.
    LostNodes {
        /// The first ten by name.
        nodes: Vec<Text>,
        /// All of them.
        count: u32,
    },
    /// maxUnavailable or maxSurge is neither a count nor a percentage: no rolling update.
    MalformedLimit {
        /// What is written there.
        limit: Text,
    },
    /// Pods are being deleted and their successors come only when they are gone.
    Terminating {
        /// The first ten by name.
        nodes: Vec<Text>,
        /// All of them.
        count: u32,
    },
    /// New pods are not available yet.
    NewPods {
        /// The first ten by name.
        nodes: Vec<Text>,
        /// All of them.
        count: u32,
    },
    /// Failed pods are kept until their back-off is over.
    FailedPods {
        /// The first ten by name.
        nodes: Vec<Text>,
        /// All of them.
        count: u32,
    },
    /// Strategy `OnDelete`: old pods stay until someone deletes them.
    Deletion {
        /// The first ten by name.
        nodes: Vec<Text>,
        /// All of them.
        count: u32,
    },
}

/// Derived, it would be copied into every crate, with the copying of a list in each arm.
impl Clone for WaitingOn {
    fn clone(&self) -> Self {
        match self {
            Self::EmptySelector => Self::EmptySelector,
            Self::BeingDeleted => Self::BeingDeleted,
            &Self::Expectations { creations, deletions } => Self::Expectations { creations, deletions },
            &Self::UnavailableBudget { unavailable, limit, ref written, desired, ref nodes, waiting } => {
                let (written, nodes) = (written.clone(), copied(nodes));
                Self::UnavailableBudget { unavailable, limit, written, desired, nodes, waiting }
            }
            &Self::SurgeBudget { under_way, limit, ref written, desired, ref nodes, waiting } => {
                let (written, nodes) = (written.clone(), copied(nodes));
                Self::SurgeBudget { under_way, limit, written, desired, nodes, waiting }
            }
            Self::MalformedLimit { limit } => Self::MalformedLimit { limit: limit.clone() },
            Self::LostNodes { nodes, count } => Self::LostNodes { nodes: copied(nodes), count: *count },
            Self::Terminating { nodes, count } => Self::Terminating { nodes: copied(nodes), count: *count },
            Self::NewPods { nodes, count } => Self::NewPods { nodes: copied(nodes), count: *count },
            Self::FailedPods { nodes, count } => Self::FailedPods { nodes: copied(nodes), count: *count },
            Self::Deletion { nodes, count } => Self::Deletion { nodes: copied(nodes), count: *count },
        }
    }
}

#[inline(never)]
fn copied(names: &[Text]) -> Vec<Text> {
    names.to_vec()
}

/// The event that goes with the outcome of a creation or deletion, if any (`RealPodControl`, Kubernetes 1.36).
pub fn event_of(action: &Action, outcome: &Outcome) -> Option<(EventType, EventReason)> {
    use EventType::{Normal, Warning};
    use Rejection::{NamespaceTerminating, NotFound};
    match (action, outcome) {
        (Action::CreatePod { .. }, Outcome::Applied) => Some((Normal, EventReason::SuccessfulCreate)),
        (Action::CreatePod { .. }, Outcome::Rejected(rejection)) => {
            (*rejection != NamespaceTerminating).then_some((Warning, EventReason::FailedCreate))
        }
        (Action::DeletePod { .. }, Outcome::Applied) => Some((Normal, EventReason::SuccessfulDelete)),
        (Action::DeletePod { .. }, Outcome::Rejected(rejection)) => {
            (*rejection != NotFound).then_some((Warning, EventReason::FailedDelete))
        }
        _ => None,
    }
}

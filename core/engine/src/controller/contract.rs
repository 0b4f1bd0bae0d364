use crate::api::{ControllerRevision, DaemonSet, Node, ObjectKey, Pod, Text};
use crate::decision::{Decision, PodKey, Requeue, SyncError, WaitingOn};
use crate::time::Timestamp;

/// One thing that was seen in the cluster.
#[derive(Clone, Debug)]
pub enum Change {
    /// Everything there is; what is not in it is gone. Expectations and back-off of objects that remain are kept.
    Reset(Box<Snapshot>),
    /// A DaemonSet was added or changed.
    DaemonSet(Box<DaemonSet>),
    /// A DaemonSet is gone.
    DaemonSetGone(ObjectKey),
    /// A node was added or changed.
    Node(Box<Node>),
    /// A node is gone.
    NodeGone(Text),
    /// A pod was added or changed.
    Pod(Box<Pod>),
    /// A pod is gone.
    PodGone(PodKey),
    /// A ControllerRevision was added or changed.
    Revision(Box<ControllerRevision>),
    /// A ControllerRevision is gone.
    RevisionGone(ObjectKey),
}

/// The objects of a cluster that decisions rest on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// DaemonSets.
    pub daemon_sets: Vec<DaemonSet>,
    /// Nodes.
    pub nodes: Vec<Node>,
    /// Pods of every kind: the foreign ones take up room.
    pub pods: Vec<Pod>,
    /// ControllerRevisions.
    pub revisions: Vec<ControllerRevision>,
}

impl Snapshot {
    /// The DaemonSet of this namespace and name.
    pub fn daemon_set(&self, key: &ObjectKey) -> Option<&DaemonSet> {
        self.daemon_sets.iter().find(|daemon_set| daemon_set.metadata.is_named(key))
    }
}

/// One sync of one DaemonSet: what to do, in order, and when to look again.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// Which DaemonSet was synced; absent when none had anything to look at.
    pub daemon_set: Option<ObjectKey>,
    /// What to do. The decisions of one batch are independent of each other.
    pub batches: Vec<Batch>,
    /// When to look again although nothing changed, with the reason; several may be asked for.
    pub requeues: Vec<Requeue>,
    /// When the next look is due over all DaemonSets; absent when only a change can bring one about.
    pub wake_at: Option<Timestamp>,
    /// What keeps the rollout from going on, most important first; empty when nothing does.
    pub waiting_on: Vec<WaitingOn>,
    /// What made the sync fail before anything was tried; it is retried with rising delay.
    pub error: Option<SyncError>,
}

/// Decisions that are carried out together.
#[derive(Clone, Debug)]
pub struct Batch {
    /// What the batch is, and so what a failure in it or before it means.
    pub kind: BatchKind,
    /// The decisions.
    pub decisions: Vec<Decision>,
}

/// The parts of a sync. A failed decision ends the sync with an error, which is retried later; which batches are
/// then left out is upstream's rule (`syncDaemonSet`, `syncNodes`, Kubernetes 1.36).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BatchKind {
    /// Ownership and revisions: after a failure here everything else is skipped.
    History,
    /// Pod creations, in batches of 1, 2, 4, …: after one with a failure the other creation batches are skipped.
    Create,
    /// Pod deletions: tried also after failed creations.
    Delete,
    /// Unused revisions: skipped after any failure.
    CleanUp,
    /// The status: written also after a failure, except one in [`BatchKind::History`]; before 1.27 only after none.
    Status,
    /// Events: best effort, never a failure.
    Event,
}

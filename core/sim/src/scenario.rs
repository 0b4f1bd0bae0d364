use std::time::Duration;

use rollcast_engine::api::{ConditionStatus, DaemonSet, Node, ObjectKey, Pod, ResourceList, Taint, TaintEffect, Text};
use serde::{Deserialize, Serialize};

use crate::{Behaviour, ControlPlane, MarkKind};

/// Something that is done to the cluster from outside, by a person or by fate.
#[derive(Clone, Debug, PartialEq)]
pub enum ScenarioEvent {
    /// The manifest is applied: created when there is none, otherwise changed as the API server does it.
    Apply(Box<DaemonSet>),
    /// The DaemonSet is deleted.
    DeleteDaemonSet(Cascade),
    /// A node joins.
    AddNode(Box<Node>),
    /// A node's object is deleted; what ran on it is lost.
    RemoveNode(Text),
    /// A node's label is set, or taken away.
    SetLabel {
        /// The node.
        node: Text,
        /// Label key.
        key: Text,
        /// The new value; absent takes the label away.
        value: Option<Text>,
    },
    /// A taint is put on a node, in place of one with the same key and effect.
    AddTaint {
        /// The node.
        node: Text,
        /// The taint.
        taint: Taint,
    },
    /// Taints are taken from a node.
    RemoveTaint {
        /// The node.
        node: Text,
        /// Key of the taints.
        key: Text,
        /// Effect of the taints; [`TaintEffect::Unset`] for every effect.
        effect: TaintEffect,
    },
    /// A node is cordoned or uncordoned.
    SetUnschedulable {
        /// The node.
        node: Text,
        /// Whether new pods shall stay away.
        unschedulable: bool,
    },
    /// A node gets room for more or fewer pods.
    SetAllocatable {
        /// The node.
        node: Text,
        /// What its pods may request in all.
        allocatable: ResourceList,
    },
    /// A node's kubelet becomes ready, not ready, or is no longer heard of; taints and the pods' readiness follow, as
    /// upstream's node lifecycle controller has it.
    SetNodeReady {
        /// The node.
        node: Text,
        /// Its `Ready` condition.
        ready: ConditionStatus,
    },
    /// Pods are deleted.
    DeletePods {
        /// Which.
        pods: PodSelection,
        /// Whether the objects vanish at once (`--force --grace-period=0`).
        force: bool,
    },
    /// Pods end in phase `Failed`.
    FailPods(PodSelection),
    /// Pods never go by themselves once they are deleted.
    WedgePods(PodSelection),
    /// Pods become ready, or stop being so, until the next such event.
    SetPodsReady {
        /// Which.
        pods: PodSelection,
        /// Whether they are ready.
        ready: bool,
    },
    /// Pods that are made from now on behave so; pulls and restarts that are tried again, too.
    Behave {
        /// Where; a node's own behaviour goes before that of all.
        nodes: NodeSelection,
        /// How.
        behaviour: Behaviour,
    },
    /// Pods behave as the latencies say again, and those that hang go on: wedged ones end, others become ready. Pulls
    /// and restarts succeed when they are next tried.
    Heal(NodeSelection),
    /// Pods stop being ready, and none becomes ready, for so long: a dependency that is away.
    FailReadiness {
        /// Where.
        nodes: NodeSelection,
        /// How long.
        lasts: Duration,
    },
    /// A node goes down and is up again after so long. Its pods' containers start anew; when it takes longer than
    /// 50 s, the node is unreachable meanwhile.
    RebootNode {
        /// The node.
        node: Text,
        /// How long.
        lasts: Duration,
    },
    /// A pod of another workload is bound to its node (`spec.nodeName`): room and host ports are taken.
    AddPod(Box<Pod>),
    /// A pod of another workload is gone.
    RemovePod(ObjectKey),
    /// The controller ends and forgets everything; after so long another starts from what there is then.
    RestartController {
        /// How long there is none.
        lasts: Duration,
    },
    /// API server, client and scheduler are so from now on; what is under way stays so.
    SetControlPlane(ControlPlane),
    /// `kubectl rollout undo`: the template of an earlier revision is applied.
    Undo {
        /// Its number; absent, or 0, is the one before the newest.
        to_revision: Option<i64>,
    },
    /// `kubectl rollout restart`: every pod is replaced, as after a change of the template.
    Restart,
    /// From now on a person deletes outdated pods, those of so many nodes at a time, in order of the nodes: the next
    /// ones when every pod that came in place of the last ones is available. Nodes that do not answer are passed over;
    /// 0 ends it. It is how updates with `OnDelete` are done.
    DeleteOutdatedPods {
        /// Of how many nodes.
        at_once: u32,
    },
}

/// Which pods of the DaemonSet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PodSelection {
    /// The one of that name.
    Named(Text),
    /// Those on a node that are not being deleted.
    OnNode(Text),
}

/// Which nodes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NodeSelection {
    /// All, present and future.
    All,
    /// The ones of these names.
    Named(Vec<Text>),
}

/// What a deletion does with the pods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cascade {
    /// The DaemonSet is gone at once, its pods follow (kubectl's default).
    Background,
    /// The DaemonSet is gone only after its pods.
    Foreground,
    /// The pods stay, without an owner.
    Orphan,
}

/// Why something could not be done to the cluster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EventRefusal {
    /// There is no node of that name.
    NoSuchNode(Text),
    /// There is a node of that name already.
    NodeExists(Text),
    /// There is no such pod.
    NoSuchPod(PodSelection),
    /// There is no DaemonSet.
    NoDaemonSet,
    /// The manifest names another DaemonSet than the one that is played.
    OtherDaemonSet(Text),
    /// `spec.selector` of an existing DaemonSet cannot be changed.
    SelectorIsImmutable,
    /// There is a pod of that name already.
    PodExists(Text),
    /// The pod is the DaemonSet's own: the controller makes those.
    OwnPod(Text),
    /// The DaemonSet has no revision of that number.
    NoSuchRevision(i64),
    /// The DaemonSet has one revision only.
    NoEarlierRevision,
    /// The present template is that of the revision already.
    AlreadyAtRevision(i64),
}

impl ScenarioEvent {
    /// How the event is marked on a timeline, and the name of what it is about.
    pub(crate) fn mark(&self) -> (MarkKind, &Text) {
        let (kind, about) = match self {
            Self::Apply(daemon_set) => (MarkKind::Applied, Some(&daemon_set.metadata.name)),
            Self::DeleteDaemonSet(_) => (MarkKind::Deleted, None),
            Self::AddNode(node) => (MarkKind::NodeAdded, Some(&node.metadata.name)),
            Self::RemoveNode(node) => (MarkKind::NodeRemoved, Some(node)),
            Self::SetLabel { node, .. }
            | Self::AddTaint { node, .. }
            | Self::RemoveTaint { node, .. }
            | Self::SetUnschedulable { node, .. }
            | Self::SetAllocatable { node, .. } => (MarkKind::NodeChanged, Some(node)),
            Self::SetNodeReady { node, ready: ConditionStatus::True } => (MarkKind::NodeReady, Some(node)),
            Self::SetNodeReady { node, .. } => (MarkKind::NodeNotReady, Some(node)),
            Self::DeletePods { pods, .. } => (MarkKind::PodDeleted, Some(pods.name())),
            Self::FailPods(pods) => (MarkKind::PodFailed, Some(pods.name())),
            Self::WedgePods(pods) | Self::SetPodsReady { pods, .. } => (MarkKind::PodsBehave, Some(pods.name())),
            Self::Behave { nodes, .. } | Self::Heal(nodes) => (MarkKind::PodsBehave, nodes.name()),
            Self::FailReadiness { nodes, .. } => (MarkKind::ReadinessFails, nodes.name()),
            Self::RebootNode { node, .. } => (MarkKind::NodeReboots, Some(node)),
            Self::AddPod(pod) => (MarkKind::OtherPodAdded, Some(&pod.metadata.name)),
            Self::RemovePod(pod) => (MarkKind::OtherPodRemoved, Some(&pod.name)),
            Self::RestartController { .. } => (MarkKind::ControllerRestarts, None),
            Self::SetControlPlane(_) => (MarkKind::ControlPlaneChanged, None),
            Self::Undo { .. } => (MarkKind::RolledBack, None),
            Self::Restart => (MarkKind::Restarted, None),
            Self::DeleteOutdatedPods { .. } => (MarkKind::PodsDeletedByHand, None),
        };
        (kind, about.unwrap_or(const { &Text::new_static("") }))
    }
}

impl PodSelection {
    /// The name of the pod or node it speaks of.
    pub fn name(&self) -> &Text {
        match self {
            Self::Named(name) | Self::OnNode(name) => name,
        }
    }
}

impl NodeSelection {
    /// The first name, if names are given.
    fn name(&self) -> Option<&Text> {
        match self {
            Self::All => None,
            Self::Named(names) => names.first(),
        }
    }
}

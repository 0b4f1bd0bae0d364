//! Why a node has no available new pod.

use serde::Serialize;

use crate::KubernetesVersion;
use crate::api::{ConditionStatus, HostPort, ObjectKey, Taint, Text};
use crate::scheduling::Refusal;

/// Why one node has no available pod of the newest template. Times are whole seconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all_fields = "camelCase")]
pub enum Cause {
    /// No pod is there.
    NoPod,
    /// The node does not exist any more; the pod garbage collector removes what was bound to it.
    NodeGone,
    /// The node is not ready, or its kubelet is silent.
    NodeDown {
        /// `False`: the kubelet says so. `Unknown`: it says nothing.
        ready: ConditionStatus,
        /// Since when, if the node tells.
        seconds: Option<u64>,
        /// Whether the node counts in DESIRED: the template tolerates its taints.
        eligible: bool,
    },
    /// Too little room on the node.
    NoRoom {
        /// What is short.
        refusals: Vec<Refusal>,
        /// Whether pods of lower priority could be evicted for it.
        preempts: bool,
    },
    /// A host port is taken by a pod of someone else.
    HostPort {
        /// The port.
        port: HostPort,
        /// Who has it, on the first of the nodes.
        holder: ObjectKey,
    },
    /// Surge: the pod would fit if the old one were gone, which waits for this one.
    BesideOldPod {
        /// What is refused.
        refusals: Vec<Refusal>,
    },
    /// The scheduler does not bind it because of a taint, which the template of this pod does not tolerate.
    UntoleratedTaint {
        /// The taint.
        taint: Taint,
    },
    /// Affinity to pods, or against them, is not met.
    PodAffinity {
        /// Which.
        refusal: Refusal,
    },
    /// The scheduler names a volume.
    Volume {
        /// Its message.
        message: Text,
    },
    /// The scheduler refuses it for something that the input does not show.
    Unschedulable {
        /// Its message.
        message: Text,
    },
    /// The pod has scheduling gates.
    SchedulingGated,
    /// It fits, and no scheduler has looked at it.
    NotLookedAt {
        /// `spec.schedulerName` of the template.
        scheduler: Text,
        /// How long it has waited.
        seconds: u64,
    },
    /// An image cannot be pulled.
    ImagePull {
        /// The container.
        container: Text,
        /// Its image.
        image: Text,
        /// The kubelet's word, such as `ImagePullBackOff`.
        reason: Text,
        /// The kubelet's sentence, if it gave one.
        message: Text,
    },
    /// The kubelet cannot create a container.
    CannotStart {
        /// The container.
        container: Text,
        /// The kubelet's word, such as `CreateContainerConfigError`.
        reason: Text,
        /// The kubelet's sentence, if it gave one.
        message: Text,
    },
    /// A container ends again and again.
    CrashLoop {
        /// The container.
        container: Text,
        /// Whether it is an init container.
        init: bool,
        /// How often it was started anew.
        restarts: i32,
        /// How it ended last, such as `OOMKilled`; empty when not told.
        reason: Text,
        /// What its process returned last.
        exit_code: Option<i32>,
    },
    /// An init container does not come to an end.
    InitContainer {
        /// The container.
        container: Text,
        /// How long the pod has been on its node.
        seconds: u64,
    },
    /// Containers are not created, for no reason that the pod shows: volumes, network, sandbox.
    ContainerCreating {
        /// How long the pod has been on its node.
        seconds: u64,
    },
    /// The containers run and the pod is not ready.
    NeverReady {
        /// For how long.
        seconds: u64,
        /// Whether its containers are, so that a readiness gate is what is missing.
        gate: bool,
    },
    /// It is starting, or has just lost its readiness.
    Starting {
        /// For how long.
        seconds: u64,
    },
    /// It is ready, and not for `minReadySeconds` yet.
    NotYetAvailable {
        /// How much longer.
        seconds: u64,
    },
    /// It failed, and is kept until its back-off is over.
    Failed {
        /// Why, such as `Evicted`; empty when not told.
        reason: Text,
    },
    /// It ended well, and is deleted at once.
    Succeeded,
    /// It is being deleted, and finalizers keep it.
    Finalizers {
        /// They.
        finalizers: Vec<Text>,
        /// How long ago it should have been gone.
        seconds: u64,
    },
    /// It is being deleted, and the kubelet that would confirm it is silent.
    TerminatingOnDeadNode {
        /// Whether the node counts in DESIRED.
        eligible: bool,
    },
    /// It is being deleted, and should long have been gone.
    TerminatingTooLong {
        /// How long ago.
        seconds: u64,
    },
    /// It is being deleted, within its grace period.
    Terminating {
        /// How much longer at most.
        seconds: u64,
    },
    /// More pods than one, or one of each version; the surplus is about to be deleted.
    Excess,
}

/// What a finding means for the rollout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum Effect {
    /// It does not get past this unless someone does something.
    Blocks,
    /// It takes time, and passes.
    Delays,
    /// It explains something.
    Explains,
}

/// What kind of thing takes a place in a budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum User {
    /// A node that is down or gone, or a pod that a dead node does not let go.
    DeadNode,
    /// A pod that is not let go by something else.
    StuckTerminating,
    /// A pod that does not come up: its image, its process, its probe.
    BrokenPod,
    /// A pod that gets no place.
    NoPlace,
    /// No pod at all.
    NoPod,
    /// Something that passes by itself.
    OnItsWay,
}

/// A node that is not ready for less than this may be restarting.
const REBOOT: u64 = 300;

impl Cause {
    /// A stable word for it.
    pub const fn id(&self) -> &'static str {
        match self {
            Self::NoPod => "NoPod",
            Self::NodeGone => "NodeGone",
            Self::NodeDown { .. } => "NodeDown",
            Self::NoRoom { .. } => "NoRoom",
            Self::HostPort { .. } => "HostPort",
            Self::BesideOldPod { .. } => "BesideOldPod",
            Self::UntoleratedTaint { .. } => "UntoleratedTaint",
            Self::PodAffinity { .. } => "PodAffinity",
            Self::Volume { .. } => "Volume",
            Self::Unschedulable { .. } => "Unschedulable",
            Self::SchedulingGated => "SchedulingGated",
            Self::NotLookedAt { .. } => "NotLookedAt",
            Self::ImagePull { .. } => "ImagePull",
            Self::CannotStart { .. } => "CannotStart",
            Self::CrashLoop { .. } => "CrashLoop",
            Self::InitContainer { .. } => "InitContainer",
            Self::ContainerCreating { .. } => "ContainerCreating",
            Self::NeverReady { .. } => "NeverReady",
            Self::Starting { .. } => "Starting",
            Self::NotYetAvailable { .. } => "NotYetAvailable",
            Self::Failed { .. } => "Failed",
            Self::Succeeded => "Succeeded",
            Self::Finalizers { .. } => "Finalizers",
            Self::TerminatingOnDeadNode { .. } => "TerminatingOnDeadNode",
            Self::TerminatingTooLong { .. } => "TerminatingTooLong",
            Self::Terminating { .. } => "Terminating",
            Self::Excess => "Excess",
        }
    }

    /// Whether it passes by itself.
    pub fn effect(&self) -> Effect {
        match self {
            Self::NodeDown { seconds: Some(seconds), .. } if *seconds < REBOOT => Effect::Delays,
            Self::NoRoom { preempts: true, .. }
            | Self::NoPod
            | Self::NodeGone
            | Self::Starting { .. }
            | Self::NotYetAvailable { .. }
            | Self::Succeeded
            | Self::Terminating { .. }
            | Self::Excess => Effect::Delays,
            Self::NodeDown { .. }
            | Self::NoRoom { .. }
            | Self::HostPort { .. }
            | Self::BesideOldPod { .. }
            | Self::UntoleratedTaint { .. }
            | Self::PodAffinity { .. }
            | Self::Volume { .. }
            | Self::Unschedulable { .. }
            | Self::SchedulingGated
            | Self::NotLookedAt { .. }
            | Self::ImagePull { .. }
            | Self::CannotStart { .. }
            | Self::CrashLoop { .. }
            | Self::InitContainer { .. }
            | Self::ContainerCreating { .. }
            | Self::NeverReady { .. }
            | Self::Failed { .. }
            | Self::Finalizers { .. }
            | Self::TerminatingOnDeadNode { .. }
            | Self::TerminatingTooLong { .. } => Effect::Blocks,
        }
    }

    /// What takes a place in the budget with it.
    pub fn user(&self) -> User {
        match self {
            Self::NodeDown { .. } | Self::TerminatingOnDeadNode { .. } | Self::NodeGone => User::DeadNode,
            Self::NoPod => User::NoPod,
            Self::Finalizers { .. } | Self::TerminatingTooLong { .. } => User::StuckTerminating,
            Self::NoRoom { .. }
            | Self::HostPort { .. }
            | Self::BesideOldPod { .. }
            | Self::UntoleratedTaint { .. }
            | Self::PodAffinity { .. }
            | Self::Volume { .. }
            | Self::Unschedulable { .. }
            | Self::SchedulingGated
            | Self::NotLookedAt { .. } => User::NoPlace,
            Self::ImagePull { .. }
            | Self::CannotStart { .. }
            | Self::CrashLoop { .. }
            | Self::InitContainer { .. }
            | Self::ContainerCreating { .. }
            | Self::NeverReady { .. }
            | Self::Failed { .. } => User::BrokenPod,
            Self::Starting { .. }
            | Self::NotYetAvailable { .. }
            | Self::Succeeded
            | Self::Terminating { .. }
            | Self::Excess => User::OnItsWay,
        }
    }

    /// Whether the pod is on its way out.
    pub const fn is_terminating(&self) -> bool {
        matches!(
            self,
            Self::Finalizers { .. }
                | Self::TerminatingOnDeadNode { .. }
                | Self::TerminatingTooLong { .. }
                | Self::Terminating { .. }
        )
    }

    /// Whether two nodes have the same trouble and the same remedy, whatever the figures.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        if std::mem::discriminant(self) != std::mem::discriminant(other) {
            return false;
        }
        match (self, other) {
            (Self::NodeDown { ready: left, eligible: counts, .. }, Self::NodeDown { ready, eligible, .. }) => {
                left == ready && counts == eligible
            }
            (Self::TerminatingOnDeadNode { eligible: left }, Self::TerminatingOnDeadNode { eligible: right })
            | (Self::NeverReady { gate: left, .. }, Self::NeverReady { gate: right, .. }) => left == right,
            (Self::NoRoom { refusals: left, preempts: one }, Self::NoRoom { refusals: right, preempts: two }) => {
                one == two && are_like(left, right)
            }
            (Self::BesideOldPod { refusals: left }, Self::BesideOldPod { refusals: right }) => are_like(left, right),
            (Self::HostPort { port: left, .. }, Self::HostPort { port: right, .. }) => left == right,
            (Self::UntoleratedTaint { taint: left }, Self::UntoleratedTaint { taint: right }) => {
                left.key == right.key && left.effect == right.effect
            }
            (
                Self::ImagePull { container: left, image: one, .. }
                | Self::CannotStart { container: left, reason: one, .. }
                | Self::CrashLoop { container: left, reason: one, .. },
                Self::ImagePull { container: right, image: two, .. }
                | Self::CannotStart { container: right, reason: two, .. }
                | Self::CrashLoop { container: right, reason: two, .. },
            ) => left == right && one == two,
            (Self::PodAffinity { refusal: left }, Self::PodAffinity { refusal: right }) => left == right,
            (
                Self::InitContainer { container: left, .. }
                | Self::Failed { reason: left }
                | Self::Volume { message: left }
                | Self::Unschedulable { message: left },
                Self::InitContainer { container: right, .. }
                | Self::Failed { reason: right }
                | Self::Volume { message: right }
                | Self::Unschedulable { message: right },
            ) => left == right,
            (Self::Finalizers { finalizers: left, .. }, Self::Finalizers { finalizers: right, .. }) => left == right,
            _ => true,
        }
    }

    /// Makes the figure that tells most of a group the longer of the two; of what ends by itself, the nearer end.
    pub(super) fn take_in(&mut self, mut other: Self) {
        let ends = matches!(self, Self::NotYetAvailable { .. } | Self::Terminating { .. });
        match (&mut *self, &other) {
            (Self::NodeDown { seconds, .. }, Self::NodeDown { seconds: more, .. }) => *seconds = (*seconds).max(*more),
            (Self::CrashLoop { restarts, .. }, Self::CrashLoop { restarts: more, .. }) => {
                *restarts = (*restarts).max(*more);
            }
            _ => {
                if let (Some(seconds), Some(more)) = (self.seconds(), other.seconds()) {
                    *seconds = if ends { (*seconds).min(*more) } else { (*seconds).max(*more) };
                }
            }
        }
    }

    /// How long it has been so, or will be.
    fn seconds(&mut self) -> Option<&mut u64> {
        match self {
            Self::NotYetAvailable { seconds }
            | Self::Terminating { seconds }
            | Self::NotLookedAt { seconds, .. }
            | Self::InitContainer { seconds, .. }
            | Self::ContainerCreating { seconds }
            | Self::NeverReady { seconds, .. }
            | Self::Starting { seconds }
            | Self::Finalizers { seconds, .. }
            | Self::TerminatingTooLong { seconds } => Some(seconds),
            _ => None,
        }
    }
}

/// Whether the same things are short.
fn are_like(left: &[Refusal], right: &[Refusal]) -> bool {
    let reason = |refusal: &Refusal| refusal.reason(KubernetesVersion::default());
    left.iter().map(reason).eq(right.iter().map(reason))
}

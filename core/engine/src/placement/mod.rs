//! For one node and one target: should the pod run there, may it stay, or must it go; and will it fit.

mod fit;
mod index;
mod pod;
mod rules;

pub use fit::{Fit, Preemption, Room, fit_among, fits, preemption, room_on, unschedulable_message};
pub use index::{Inserted, NodeIndex, NodeReasons, Obstacle, ReasonId, RejectionReason, Selection, SelectionCounts};
pub use pod::{NewPod, target_node_of};
pub use rules::{PlacementRules, eligibility, place};

use serde::{Deserialize, Serialize};

use crate::api::{Taint, Text};

/// Where a node stands towards a target, with every reason (upstream `NodeShouldRunDaemonPod`, Kubernetes 1.36).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Placement {
    /// The node should run the pod; one is created if there is none.
    Run,
    /// No pod is created here, one that is there stays: only `NoSchedule` taints stand in the way.
    KeepRunning(Vec<Exclusion>),
    /// No pod is created here and one that is there is deleted.
    Exclude(Vec<Exclusion>),
}

impl Placement {
    /// The two booleans upstream works with.
    pub fn eligibility(&self) -> Eligibility {
        match self {
            Self::Run => Eligibility { should_run: true, should_continue_running: true },
            Self::KeepRunning(_) => Eligibility { should_run: false, should_continue_running: true },
            Self::Exclude(_) => Eligibility { should_run: false, should_continue_running: false },
        }
    }

    /// Why not; empty when the node should run the pod.
    pub fn exclusions(&self) -> &[Exclusion] {
        match self {
            Self::Run => &[],
            Self::KeepRunning(exclusions) | Self::Exclude(exclusions) => exclusions,
        }
    }
}

/// What upstream's `NodeShouldRunDaemonPod` returns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Eligibility {
    /// A pod belongs here.
    pub should_run: bool,
    /// A pod that is here may stay.
    pub should_continue_running: bool,
}

/// One reason why a node does not run the pod. Indexes point into the pod template, to show the field.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Exclusion {
    /// `spec.nodeName` of the template names another node.
    NodeName {
        /// The node it names.
        wanted: Text,
    },
    /// `spec.nodeSelector` asks for a label the node does not have, or has with another value.
    NodeSelector {
        /// Label key.
        key: Text,
        /// The value asked for.
        wanted: Text,
        /// The value the node has, if any.
        found: Option<Text>,
    },
    /// No term of the required node affinity holds; the trace says which requirement of each term failed.
    NodeAffinity {
        /// How many terms there are.
        terms: u32,
    },
    /// A taint that nothing tolerates.
    Taint(Taint),
}

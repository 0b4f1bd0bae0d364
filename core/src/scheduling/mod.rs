//! Rules that the DaemonSet controller shares with kube-scheduler: labels, taints, room on a node.
//!
//! What a pod asks for is read once into a prepared form; asking about a node then allocates nothing.

mod label_syntax;
mod node_affinity;
mod tolerations;

pub use label_syntax::{is_label_value, is_qualified_name};
pub use node_affinity::{Malformed, NodeProperty, NodeRequirement, NodeRequirements, NodeTerm, Test};
pub use tolerations::{
    EffectiveToleration, TolerationOrigin, automatic_tolerations, effective_tolerations, keeps_new_pods_away, tolerates,
};

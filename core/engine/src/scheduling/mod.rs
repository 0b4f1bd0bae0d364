//! Rules that the DaemonSet controller shares with kube-scheduler: labels, taints, room on a node.
//!
//! What a pod asks for is read once into a prepared form; asking about a node then allocates nothing.

mod filters;
mod host_ports;
mod label_syntax;
mod node_affinity;
mod pod_affinity;
mod preemption;
mod resources;
mod selector_text;
mod tolerations;
mod usage;

pub use filters::{Plugin, Refusal, node_name, node_ports, node_resources, node_unschedulable, taint_toleration};
pub use host_ports::{DeclaredHostPort, conflict, host_ports};
pub use label_syntax::{is_label_value, is_qualified_name};
pub(crate) use node_affinity::whole_number;
pub use node_affinity::{Malformed, NodeProperty, NodeRequirement, NodeRequirements, NodeTerm, Test};
pub use pod_affinity::{PodAffinityState, PodIdentity};
pub use preemption::{
    SYSTEM_CLUSTER_CRITICAL, SYSTEM_NODE_CRITICAL, lower_and_others, priority_class_of, priority_of, victims,
};
pub use resources::{ResourceTotals, allocatable, allocatable_pods};
pub use selector_text::{SelectorFault, parse_selector, selects};
pub use tolerations::{
    EffectiveToleration, TolerationOrigin, automatic_tolerations, daemon_pod_tolerates, effective_tolerations,
    keeps_new_pods_away, tolerates,
};
pub use usage::{NodeUsage, PodDemand, takes_room};

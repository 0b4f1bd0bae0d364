//! The narrow slice of Kubernetes objects that rules read.
//!
//! Names and nesting follow `k8s.io/api`. Every field may be absent or `null` in the input, as Go's decoder allows;
//! fields that no rule reads are dropped. Two things are kept verbatim as JSON because bytes matter there: a
//! DaemonSet's pod template and a ControllerRevision's data.

mod daemonset;
mod meta;
mod node;
mod pod;
mod priority;
mod quantity;
mod revision;
mod selector;

pub use daemonset::{
    DaemonSet, DaemonSetSpec, DaemonSetStatus, IntOrString, MalformedTemplate, PodTemplate, RollingUpdate,
    UpdateStrategy, UpdateStrategyType,
};
pub use meta::{Labels, ObjectKey, ObjectMeta, OwnerReference};
pub use node::{Condition, ConditionStatus, Node, NodeSpec, NodeStatus, Taint, TaintEffect};
pub use pod::{
    Affinity, Container, ContainerPort, ContainerRunning, ContainerState, ContainerStatus, ContainerTerminated,
    ContainerWaiting, HostPort, NodeAffinity, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm, Pod,
    PodAffinity, PodAffinityTerm, PodAntiAffinity, PodPhase, PodResources, PodSpec, PodStatus, Toleration,
};
pub use priority::PriorityClass;
pub use quantity::{ParseQuantityError, Quantity, ResourceList, ResourceRequirements};
pub use revision::ControllerRevision;
pub use selector::{LabelSelector, LabelSelectorRequirement, MalformedRequirement};

/// Short text that clones in constant time: names, keys, values.
pub type Text = smol_str::SmolStr;

/// Reads `null` as the default value, as Go's decoder does.
pub(crate) fn null_is_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: serde::Deserializer<'de>,
    T: serde::Deserialize<'de> + Default,
{
    Ok(<Option<T> as serde::Deserialize>::deserialize(deserializer)?.unwrap_or_default())
}

/// Whether a value is what an absent field means, so that it need not be written.
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

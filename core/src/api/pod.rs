use serde::{Deserialize, Serialize};

use super::{Condition, ConditionStatus, Labels, ObjectMeta, ResourceList, ResourceRequirements, TaintEffect, Text};
use super::{LabelSelector, is_default, null_is_default};

/// A pod.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Pod {
    /// Name, namespace, UID, labels, owners, times.
    pub metadata: ObjectMeta,
    /// What was asked for.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub spec: PodSpec,
    /// What became of it.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub status: PodStatus,
}

impl Pod {
    /// The label that names the revision a pod was made from.
    pub const REVISION_HASH_LABEL: &str = "controller-revision-hash";
    /// The label that holds the template generation a pod was made from.
    pub const TEMPLATE_GENERATION_LABEL: &str = "pod-template-generation";

    /// The `Ready` condition, if reported.
    pub fn ready_condition(&self) -> Option<&Condition> {
        self.status.conditions.iter().find(|condition| condition.condition_type == "Ready")
    }

    /// Whether the `Ready` condition holds.
    pub fn is_ready(&self) -> bool {
        self.ready_condition().is_some_and(|condition| condition.status == ConditionStatus::True)
    }

    /// Whether the pod has ended: phase `Failed` or `Succeeded`.
    pub fn is_terminal(&self) -> bool {
        matches!(self.status.phase, PodPhase::Failed | PodPhase::Succeeded)
    }
}

/// `spec` of a pod, or of a pod template.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PodSpec {
    /// The node it is bound to; empty until scheduled.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub node_name: Text,
    /// Labels that the node must have.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub node_selector: Labels,
    /// Affinity to nodes and to pods.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub affinity: Affinity,
    /// Tolerations.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub tolerations: Vec<Toleration>,
    /// Containers.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub containers: Vec<Container>,
    /// Init containers, in order.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub init_containers: Vec<Container>,
    /// Whether the pod uses the node's network.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub host_network: bool,
    /// Resources of the pod as a whole; absent is not the same as empty.
    #[serde(skip_serializing_if = "is_default")]
    pub resources: Option<PodResources>,
    /// What the runtime class adds.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub overhead: ResourceList,
    /// Name of the priority class.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub priority_class_name: Text,
    /// Priority, filled in at admission; absent is 0.
    #[serde(skip_serializing_if = "is_default")]
    pub priority: Option<i32>,
    /// `Never` keeps the pod from preempting others.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub preemption_policy: Text,
    /// How long the pod may take to end, seconds; absent is 30.
    #[serde(skip_serializing_if = "is_default")]
    pub termination_grace_period_seconds: Option<i64>,
}

/// Resources of the pod as a whole, or of a container.
pub type PodResources = ResourceRequirements;

/// `spec.affinity`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Affinity {
    /// Affinity to nodes.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub node_affinity: NodeAffinity,
    /// Pods that must be near.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub pod_affinity: PodAffinity,
    /// Pods that must not be near.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub pod_anti_affinity: PodAntiAffinity,
}

/// The required part of `spec.affinity.nodeAffinity`; preferences play no part in placement.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct NodeAffinity {
    /// Absent imposes nothing; present without a usable term matches no node.
    #[serde(rename = "requiredDuringSchedulingIgnoredDuringExecution", skip_serializing_if = "is_default")]
    pub required: Option<NodeSelector>,
}

/// Terms of which one must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct NodeSelector {
    /// The terms.
    #[serde(deserialize_with = "null_is_default")]
    pub node_selector_terms: Vec<NodeSelectorTerm>,
}

/// Requirements that must all hold; without any it selects nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct NodeSelectorTerm {
    /// On node labels.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub match_expressions: Vec<NodeSelectorRequirement>,
    /// On node fields; only `metadata.name` exists.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub match_fields: Vec<NodeSelectorRequirement>,
}

/// One requirement on a node.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct NodeSelectorRequirement {
    /// Label key or field name.
    #[serde(deserialize_with = "null_is_default")]
    pub key: Text,
    /// `In`, `NotIn`, `Exists`, `DoesNotExist`, `Gt` or `Lt`.
    #[serde(deserialize_with = "null_is_default")]
    pub operator: Text,
    /// Values.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub values: Vec<Text>,
}

/// The required part of `spec.affinity.podAffinity`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PodAffinity {
    /// Terms that must all hold.
    #[serde(
        rename = "requiredDuringSchedulingIgnoredDuringExecution",
        deserialize_with = "null_is_default",
        skip_serializing_if = "is_default"
    )]
    pub required: Vec<PodAffinityTerm>,
}

/// The required part of `spec.affinity.podAntiAffinity`.
pub type PodAntiAffinity = PodAffinity;

/// Pods, and the domain in which they must, or must not, be.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PodAffinityTerm {
    /// Which pods; absent matches none.
    #[serde(skip_serializing_if = "is_default")]
    pub label_selector: Option<LabelSelector>,
    /// Namespaces by name; with no selector beside it, empty means the pod's own.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub namespaces: Vec<Text>,
    /// Namespaces by label; present and empty means all.
    #[serde(skip_serializing_if = "is_default")]
    pub namespace_selector: Option<LabelSelector>,
    /// The node label whose equal values make a domain.
    #[serde(deserialize_with = "null_is_default")]
    pub topology_key: Text,
}

/// A toleration.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Toleration {
    /// Taint key; empty matches every key.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub key: Text,
    /// `Exists`, `Equal` or empty (`Equal`); `Gt` and `Lt` are behind a gate that is off.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub operator: Text,
    /// Value for `Equal`.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub value: Text,
    /// Effect; unset matches every effect.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub effect: TaintEffect,
    /// How long a `NoExecute` taint is borne, seconds.
    #[serde(skip_serializing_if = "is_default")]
    pub toleration_seconds: Option<i64>,
}

/// A container, as far as scheduling goes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Container {
    /// Name.
    #[serde(deserialize_with = "null_is_default")]
    pub name: Text,
    /// Image.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub image: Text,
    /// Ports.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub ports: Vec<ContainerPort>,
    /// Requests and limits.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub resources: ResourceRequirements,
    /// `Always` makes an init container a sidecar.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub restart_policy: Text,
}

impl Container {
    /// Whether an init container keeps running beside the main ones (`podutil.IsRestartableInitContainer`).
    pub fn is_sidecar(&self) -> bool {
        self.restart_policy == "Always"
    }
}

/// A port of a container.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ContainerPort {
    /// Port in the container.
    #[serde(deserialize_with = "null_is_default")]
    pub container_port: i32,
    /// Port of the node; 0 is none.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub host_port: i32,
    /// Address of the node; empty is every address.
    #[serde(rename = "hostIP", deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub host_ip: Text,
    /// `TCP`, `UDP` or `SCTP`; empty is `TCP`.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub protocol: Text,
}

/// A port of the node that a pod takes, with defaults filled in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HostPort {
    /// `TCP`, `UDP` or `SCTP`.
    pub protocol: Text,
    /// Address; `0.0.0.0` is every address.
    #[serde(rename = "hostIP")]
    pub host_ip: Text,
    /// Port.
    pub host_port: i32,
}

/// `status` of a pod.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PodStatus {
    /// Phase.
    #[serde(deserialize_with = "null_is_default")]
    pub phase: PodPhase,
    /// Conditions.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub conditions: Vec<Condition>,
    /// One word that says why the pod is in this phase, such as `Evicted`.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub reason: Text,
    /// Containers whose resources the kubelet reports; the others are left out.
    #[serde(deserialize_with = "with_resources", skip_serializing_if = "is_default")]
    pub container_statuses: Vec<ContainerStatus>,
    /// Init containers whose resources the kubelet reports; the others are left out.
    #[serde(deserialize_with = "with_resources", skip_serializing_if = "is_default")]
    pub init_container_statuses: Vec<ContainerStatus>,
}

/// What the kubelet reports of a container's resources, which an in-place resize may leave different from the spec.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ContainerStatus {
    /// Name of the container.
    #[serde(deserialize_with = "null_is_default")]
    pub name: Text,
    /// What the node has set aside.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub allocated_resources: ResourceList,
    /// What the container runs with.
    #[serde(skip_serializing_if = "is_default")]
    pub resources: Option<ResourceRequirements>,
}

fn with_resources<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<ContainerStatus>, D::Error> {
    let mut statuses: Vec<ContainerStatus> = null_is_default(deserializer)?;
    statuses.retain(|status| status.resources.is_some());
    Ok(statuses)
}

/// `status.phase` of a pod.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum PodPhase {
    /// Accepted, not all containers started.
    Pending,
    /// Bound, at least one container running.
    Running,
    /// All containers ended well and will not start again.
    Succeeded,
    /// All containers ended, at least one badly.
    Failed,
    /// The node does not answer, nothing was reported, or a word Kubernetes does not know.
    #[default]
    #[serde(other)]
    Unknown,
}

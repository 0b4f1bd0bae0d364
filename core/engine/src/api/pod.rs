use serde::Serialize;

use super::{Condition, ConditionStatus, Labels, ObjectMeta, ResourceList, ResourceRequirements, TaintEffect, Text};
use super::{LabelSelector, is_default};
use crate::json::{Cursor, JsonError, Read, deserialize, fields};
use crate::time::Timestamp;

/// A pod.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Pod {
    /// Name, namespace, UID, labels, owners, times.
    pub metadata: ObjectMeta,
    /// What was asked for.
    #[serde(skip_serializing_if = "is_default")]
    pub spec: PodSpec,
    /// What became of it.
    #[serde(skip_serializing_if = "is_default")]
    pub status: PodStatus,
}

impl Pod {
    /// The label that names the revision a pod was made from.
    pub const REVISION_HASH_LABEL: &str = "controller-revision-hash";
    /// The label that holds the template generation a pod was made from.
    pub const TEMPLATE_GENERATION_LABEL: &str = "pod-template-generation";

    /// The `Ready` condition, if reported.
    pub fn ready_condition(&self) -> Option<&Condition> {
        self.status.condition("Ready")
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
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PodSpec {
    /// The node it is bound to; empty until scheduled.
    #[serde(skip_serializing_if = "is_default")]
    pub node_name: Text,
    /// Labels that the node must have.
    #[serde(skip_serializing_if = "is_default")]
    pub node_selector: Labels,
    /// Affinity to nodes and to pods.
    #[serde(skip_serializing_if = "is_default")]
    pub affinity: Affinity,
    /// Tolerations.
    #[serde(skip_serializing_if = "is_default")]
    pub tolerations: Vec<Toleration>,
    /// Containers.
    #[serde(skip_serializing_if = "is_default")]
    pub containers: Vec<Container>,
    /// Init containers, in order.
    #[serde(skip_serializing_if = "is_default")]
    pub init_containers: Vec<Container>,
    /// Whether the pod uses the node's network.
    #[serde(skip_serializing_if = "is_default")]
    pub host_network: bool,
    /// Resources of the pod as a whole; absent is not the same as empty.
    #[serde(skip_serializing_if = "is_default")]
    pub resources: Option<PodResources>,
    /// What the runtime class adds.
    #[serde(skip_serializing_if = "is_default")]
    pub overhead: ResourceList,
    /// Name of the priority class.
    #[serde(skip_serializing_if = "is_default")]
    pub priority_class_name: Text,
    /// Priority, filled in at admission; absent is 0.
    #[serde(skip_serializing_if = "is_default")]
    pub priority: Option<i32>,
    /// `Never` keeps the pod from preempting others.
    #[serde(skip_serializing_if = "is_default")]
    pub preemption_policy: Text,
    /// How long the pod may take to end, seconds; absent is 30.
    #[serde(skip_serializing_if = "is_default")]
    pub termination_grace_period_seconds: Option<i64>,
}

/// Resources of the pod as a whole, or of a container.
pub type PodResources = ResourceRequirements;

/// `spec.affinity`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Affinity {
    /// Affinity to nodes.
    #[serde(skip_serializing_if = "is_default")]
    pub node_affinity: NodeAffinity,
    /// Pods that must be near.
    #[serde(skip_serializing_if = "is_default")]
    pub pod_affinity: PodAffinity,
    /// Pods that must not be near.
    #[serde(skip_serializing_if = "is_default")]
    pub pod_anti_affinity: PodAntiAffinity,
}

/// The required part of `spec.affinity.nodeAffinity`; preferences play no part in placement.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct NodeAffinity {
    /// Absent imposes nothing; present without a usable term matches no node.
    #[serde(rename = "requiredDuringSchedulingIgnoredDuringExecution", skip_serializing_if = "is_default")]
    pub required: Option<NodeSelector>,
}

/// Terms of which one must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeSelector {
    /// The terms.
    pub node_selector_terms: Vec<NodeSelectorTerm>,
}

/// Requirements that must all hold; without any it selects nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeSelectorTerm {
    /// On node labels.
    #[serde(skip_serializing_if = "is_default")]
    pub match_expressions: Vec<NodeSelectorRequirement>,
    /// On node fields; only `metadata.name` exists.
    #[serde(skip_serializing_if = "is_default")]
    pub match_fields: Vec<NodeSelectorRequirement>,
}

/// One requirement on a node.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeSelectorRequirement {
    /// Label key or field name.
    pub key: Text,
    /// `In`, `NotIn`, `Exists`, `DoesNotExist`, `Gt` or `Lt`.
    pub operator: Text,
    /// Values.
    #[serde(skip_serializing_if = "is_default")]
    pub values: Vec<Text>,
}

/// The required part of `spec.affinity.podAffinity`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PodAffinity {
    /// Terms that must all hold.
    #[serde(rename = "requiredDuringSchedulingIgnoredDuringExecution", skip_serializing_if = "is_default")]
    pub required: Vec<PodAffinityTerm>,
}

/// The required part of `spec.affinity.podAntiAffinity`.
pub type PodAntiAffinity = PodAffinity;

/// Pods, and the domain in which they must, or must not, be.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PodAffinityTerm {
    /// Which pods; absent matches none.
    #[serde(skip_serializing_if = "is_default")]
    pub label_selector: Option<LabelSelector>,
    /// Namespaces by name; with no selector beside it, empty means the pod's own.
    #[serde(skip_serializing_if = "is_default")]
    pub namespaces: Vec<Text>,
    /// Namespaces by label; present and empty means all.
    #[serde(skip_serializing_if = "is_default")]
    pub namespace_selector: Option<LabelSelector>,
    /// The node label whose equal values make a domain.
    pub topology_key: Text,
    /// Labels of which a pod that is meant has the same value as the pod whose term this is, where that one has them.
    #[serde(skip_serializing_if = "is_default")]
    pub match_label_keys: Vec<Text>,
    /// Labels of which it has another value, or none.
    #[serde(skip_serializing_if = "is_default")]
    pub mismatch_label_keys: Vec<Text>,
}

/// A toleration.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Toleration {
    /// Taint key; empty matches every key.
    #[serde(skip_serializing_if = "is_default")]
    pub key: Text,
    /// `Exists`, `Equal` or empty (`Equal`); `Gt` and `Lt` are behind a gate that is off.
    #[serde(skip_serializing_if = "is_default")]
    pub operator: Text,
    /// Value for `Equal`.
    #[serde(skip_serializing_if = "is_default")]
    pub value: Text,
    /// Effect; unset matches every effect.
    #[serde(skip_serializing_if = "is_default")]
    pub effect: TaintEffect,
    /// How long a `NoExecute` taint is borne, seconds.
    #[serde(skip_serializing_if = "is_default")]
    pub toleration_seconds: Option<i64>,
}

/// A container, as far as scheduling goes.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Container {
    /// Name.
    pub name: Text,
    /// Image.
    #[serde(skip_serializing_if = "is_default")]
    pub image: Text,
    /// `Always`, `IfNotPresent`, `Never`; empty goes by the tag.
    #[serde(skip_serializing_if = "is_default")]
    pub image_pull_policy: Text,
    /// Ports.
    #[serde(skip_serializing_if = "is_default")]
    pub ports: Vec<ContainerPort>,
    /// Requests and limits.
    #[serde(skip_serializing_if = "is_default")]
    pub resources: ResourceRequirements,
    /// `Always` makes an init container a sidecar.
    #[serde(skip_serializing_if = "is_default")]
    pub restart_policy: Text,
}

impl Container {
    /// Whether an init container keeps running beside the main ones (`podutil.IsRestartableInitContainer`).
    pub fn is_sidecar(&self) -> bool {
        self.restart_policy == "Always"
    }
}

/// A port of a container.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContainerPort {
    /// Port in the container.
    pub container_port: i32,
    /// Port of the node; 0 is none.
    #[serde(skip_serializing_if = "is_default")]
    pub host_port: i32,
    /// Address of the node; empty is every address.
    #[serde(rename = "hostIP", skip_serializing_if = "is_default")]
    pub host_ip: Text,
    /// `TCP`, `UDP` or `SCTP`; empty is `TCP`.
    #[serde(skip_serializing_if = "is_default")]
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
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PodStatus {
    /// Phase.
    pub phase: PodPhase,
    /// Conditions.
    #[serde(skip_serializing_if = "is_default")]
    pub conditions: Vec<Condition>,
    /// One word that says why the pod is in this phase, such as `Evicted`.
    #[serde(skip_serializing_if = "is_default")]
    pub reason: Text,
    /// Containers with something to tell; those that simply run are left out.
    #[serde(skip_serializing_if = "is_default")]
    pub container_statuses: Vec<ContainerStatus>,
    /// Init containers with something to tell; the others are left out.
    #[serde(skip_serializing_if = "is_default")]
    pub init_container_statuses: Vec<ContainerStatus>,
}

impl PodStatus {
    /// The condition of a type, if reported.
    pub fn condition(&self, condition_type: &str) -> Option<&Condition> {
        self.conditions.iter().find(|condition| condition.condition_type == condition_type)
    }
}

/// What the kubelet reports of a container: its state, and its resources, which an in-place resize may leave different
/// from the spec.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContainerStatus {
    /// Name of the container.
    pub name: Text,
    /// Whether it passes its readiness probe; of an init container, whether it has done its work.
    #[serde(skip_serializing_if = "is_default")]
    pub ready: bool,
    /// How often it was started anew.
    #[serde(skip_serializing_if = "is_default")]
    pub restart_count: i32,
    /// What it is doing.
    #[serde(skip_serializing_if = "is_default")]
    pub state: ContainerState,
    /// How it ended before it was last started anew.
    #[serde(skip_serializing_if = "is_default")]
    pub last_state: ContainerState,
    /// What the node has set aside.
    #[serde(skip_serializing_if = "is_default")]
    pub allocated_resources: ResourceList,
    /// What the container runs with.
    #[serde(skip_serializing_if = "is_default")]
    pub resources: Option<ResourceRequirements>,
}

/// What a container is doing; at most one of these is there, and none means that it waits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ContainerState {
    /// It waits to be started.
    #[serde(skip_serializing_if = "is_default")]
    pub waiting: Option<ContainerWaiting>,
    /// It runs.
    #[serde(skip_serializing_if = "is_default")]
    pub running: Option<ContainerRunning>,
    /// It has ended.
    #[serde(skip_serializing_if = "is_default")]
    pub terminated: Option<ContainerTerminated>,
}

/// Why a container waits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ContainerWaiting {
    /// One word, such as `ImagePullBackOff`.
    #[serde(skip_serializing_if = "is_default")]
    pub reason: Text,
    /// A sentence.
    #[serde(skip_serializing_if = "is_default")]
    pub message: Text,
}

/// Since when a container runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContainerRunning {
    /// The moment.
    #[serde(skip_serializing_if = "is_default")]
    pub started_at: Option<Timestamp>,
}

/// How a container ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContainerTerminated {
    /// What its process returned.
    pub exit_code: i32,
    /// One word, such as `OOMKilled`.
    #[serde(skip_serializing_if = "is_default")]
    pub reason: Text,
    /// When.
    #[serde(skip_serializing_if = "is_default")]
    pub finished_at: Option<Timestamp>,
}

/// Most containers simply run, and a pod is held 130,000 times.
fn tells_something(status: &ContainerStatus) -> bool {
    let ContainerStatus { ready, restart_count, state, resources, .. } = status;
    let simply_runs = *ready && *restart_count == 0 && state.waiting.is_none() && state.terminated.is_none();
    resources.is_some() || !simply_runs
}

/// `status.phase` of a pod.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
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
    Unknown,
}

impl Read for PodPhase {
    fn read(&mut self, cursor: &mut Cursor<'_>) -> Result<(), JsonError> {
        *self = match cursor.text()?.as_ref() {
            "Pending" => Self::Pending,
            "Running" => Self::Running,
            "Succeeded" => Self::Succeeded,
            "Failed" => Self::Failed,
            _ => Self::Unknown,
        };
        Ok(())
    }
}

deserialize!(PodPhase);

fields! {
    Pod { metadata: "metadata", spec: "spec", status: "status" }
    PodSpec {
        node_name: "nodeName", node_selector: "nodeSelector", affinity: "affinity", tolerations: "tolerations",
        containers: "containers", init_containers: "initContainers", host_network: "hostNetwork",
        resources: "resources", overhead: "overhead", priority_class_name: "priorityClassName", priority: "priority",
        preemption_policy: "preemptionPolicy", termination_grace_period_seconds: "terminationGracePeriodSeconds",
    }
    Affinity { node_affinity: "nodeAffinity", pod_affinity: "podAffinity", pod_anti_affinity: "podAntiAffinity" }
    NodeAffinity { required: "requiredDuringSchedulingIgnoredDuringExecution" }
    NodeSelector { node_selector_terms: "nodeSelectorTerms" }
    NodeSelectorTerm { match_expressions: "matchExpressions", match_fields: "matchFields" }
    NodeSelectorRequirement { key: "key", operator: "operator", values: "values" }
    PodAffinity { required: "requiredDuringSchedulingIgnoredDuringExecution" }
    PodAffinityTerm {
        label_selector: "labelSelector", namespaces: "namespaces", namespace_selector: "namespaceSelector",
        topology_key: "topologyKey", match_label_keys: "matchLabelKeys", mismatch_label_keys: "mismatchLabelKeys",
    }
    Toleration {
        key: "key", operator: "operator", value: "value", effect: "effect", toleration_seconds: "tolerationSeconds",
    }
    Container {
        name: "name", image: "image", image_pull_policy: "imagePullPolicy", ports: "ports", resources: "resources",
        restart_policy: "restartPolicy"
    }
    ContainerPort { container_port: "containerPort", host_port: "hostPort", host_ip: "hostIP", protocol: "protocol" }
    PodStatus {
        phase: "phase", conditions: "conditions", reason: "reason", container_statuses: "containerStatuses",
        init_container_statuses: "initContainerStatuses",
    }
    ContainerStatus [kept if tells_something] {
        name: "name", ready: "ready", restart_count: "restartCount", state: "state", last_state: "lastState",
        allocated_resources: "allocatedResources", resources: "resources",
    }
    ContainerState { waiting: "waiting", running: "running", terminated: "terminated" }
    ContainerWaiting { reason: "reason", message: "message" }
    ContainerRunning { started_at: "startedAt" }
    ContainerTerminated { exit_code: "exitCode", reason: "reason", finished_at: "finishedAt" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn containers_that_simply_run_are_left_out_and_others_keep_what_happened() {
        let status: PodStatus = serde_json::from_str(
            r#"{"phase":"Running","containerStatuses":[
                {"name":"quiet","ready":true,"restartCount":0,"state":{"running":{"startedAt":"2026-01-01T00:00:00Z"}}},
                {"name":"loops","ready":false,"restartCount":7,
                 "state":{"waiting":{"reason":"CrashLoopBackOff","message":"back-off 5m0s"}},
                 "lastState":{"terminated":{"exitCode":137,"reason":"OOMKilled","finishedAt":null}}},
                {"name":"resized","ready":true,"resources":{}}]}"#,
        )
        .unwrap();
        let names: Vec<&str> = status.container_statuses.iter().map(|status| status.name.as_str()).collect();
        assert_eq!(names, ["loops", "resized"]);
        let loops = &status.container_statuses[0];
        assert_eq!(loops.state.waiting.as_ref().unwrap().reason, "CrashLoopBackOff");
        assert_eq!(loops.last_state.terminated.as_ref().unwrap().exit_code, 137);
        assert_eq!(serde_json::from_str::<PodStatus>(&serde_json::to_string(&status).unwrap()).unwrap(), status);
    }
}

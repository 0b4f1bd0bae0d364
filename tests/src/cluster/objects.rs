//! Objects in few words.

use rollcast_core::KubernetesVersion;
use rollcast_core::api::{
    Condition, ConditionStatus, ControllerRevision, DaemonSet, IntOrString, Labels, Node, Pod, PodPhase, PodTemplate,
    RollingUpdate, Taint, TaintEffect, UpdateStrategy, UpdateStrategyType,
};
use rollcast_core::placement::{NewPod, PlacementRules};
use rollcast_core::time::Timestamp;
use serde_json::{Value, json};

use super::START;

/// A DaemonSet `agent` with one container, image `v1`, maxUnavailable 1.
pub fn agent() -> DaemonSet {
    let mut daemon_set = DaemonSet::default();
    daemon_set.metadata.name = "agent".into();
    daemon_set.metadata.namespace = "default".into();
    daemon_set.spec.selector.match_labels = Labels::from_iter([("app", "agent")]);
    daemon_set.spec.template = template_with(json!({}));
    daemon_set
}

/// The template of `agent`, with more in its pod spec.
pub fn template_with(spec: Value) -> PodTemplate {
    let mut json = json!({
        "metadata": {"labels": {"app": "agent"}},
        "spec": {"containers": [{"name": "main", "image": "registry.example/agent:v1"}]},
    });
    let Value::Object(fields) = spec else { panic!("a pod spec is a map") };
    for (field, value) in fields {
        json["spec"][field] = value;
    }
    PodTemplate::from_json(json).expect("a template")
}

/// Changes the template's JSON.
pub fn edit_template(daemon_set: &mut DaemonSet, edit: impl FnOnce(&mut Value)) {
    let mut json = daemon_set.spec.template.json().clone();
    edit(&mut json);
    daemon_set.spec.template = PodTemplate::from_json(json).expect("a template");
}

/// The DaemonSet with that version as its image.
pub fn with_image(mut daemon_set: DaemonSet, version: &str) -> DaemonSet {
    let image = format!("registry.example/agent:{version}");
    edit_template(&mut daemon_set, |json| json["spec"]["containers"][0]["image"] = image.into());
    daemon_set
}

/// The version of a pod's image.
pub fn image(pod: &Pod) -> String {
    let image = pod.spec.containers.first().map(|container| container.image.to_string()).unwrap_or_default();
    image.rsplit(':').next().unwrap_or_default().to_owned()
}

/// `RollingUpdate` in place: a count, or text such as `10%`.
pub fn unavailable(amount: impl Into<Value>) -> UpdateStrategy {
    rolling(amount.into(), json!(0))
}

/// `RollingUpdate` with surge.
pub fn surge(amount: impl Into<Value>) -> UpdateStrategy {
    rolling(json!(0), amount.into())
}

fn rolling(max_unavailable: Value, max_surge: Value) -> UpdateStrategy {
    let amount = |value| serde_json::from_value::<IntOrString>(value).expect("a count or a percentage");
    let rolling_update = RollingUpdate { max_unavailable: amount(max_unavailable), max_surge: amount(max_surge) };
    UpdateStrategy { strategy_type: UpdateStrategyType::RollingUpdate, rolling_update }
}

/// `OnDelete`.
pub fn on_delete() -> UpdateStrategy {
    UpdateStrategy { strategy_type: UpdateStrategyType::OnDelete, ..UpdateStrategy::default() }
}

/// `agent` with more in its pod spec.
pub fn agent_with(spec: Value) -> DaemonSet {
    let mut daemon_set = agent();
    daemon_set.spec.template = template_with(spec);
    daemon_set
}

/// Plain nodes, `node-0` and so on.
pub fn nodes(count: usize) -> Vec<Node> {
    (0..count).map(|number| node(&format!("node-{number}"))).collect()
}

/// The node with those labels and no others.
pub fn labelled(mut node: Node, labels: &[(&str, &str)]) -> Node {
    node.metadata.labels = labels.iter().copied().collect();
    node
}

/// The node with so much memory, one CPU and room for 100 pods.
pub fn with_memory(mut node: Node, memory: &str) -> Node {
    let resources = json!({"memory": memory, "cpu": "1", "pods": "100"});
    node.status.allocatable = serde_json::from_value(resources).expect("resources");
    node
}

/// The node with that condition.
pub fn with_condition(mut node: Node, name: &str, status: ConditionStatus) -> Node {
    node.status.conditions.retain(|condition| condition.condition_type != name);
    node.status.conditions.push(Condition { condition_type: name.into(), status, ..Condition::default() });
    node
}

/// A pod spec that requests so much memory.
pub fn requesting(memory: &str) -> Value {
    let container = json!({"name": "main", "image": "registry.example/agent:v1"});
    let mut spec = json!({"containers": [container]});
    spec["containers"][0]["resources"] = json!({"requests": {"memory": memory}});
    spec
}

/// A running pod `foreign-<node>` that nobody owns.
pub fn foreign_pod(node: &str, spec: Value) -> Pod {
    let mut json = json!({
        "metadata": {"name": format!("foreign-{node}"), "namespace": "default", "uid": format!("uid-foreign-{node}")},
        "spec": spec,
        "status": {"phase": "Running"},
    });
    json["spec"]["nodeName"] = node.into();
    serde_json::from_value(json).expect("a pod")
}

/// A plain node: 100 pods, ready.
pub fn node(name: &str) -> Node {
    let json = json!({
        "metadata": {"name": name, "uid": format!("uid-{name}")},
        "status": {
            "allocatable": {"cpu": "4", "memory": "8Gi", "pods": "100"},
            "conditions": [{"type": "Ready", "status": "True"}],
        },
    });
    serde_json::from_value(json).expect("a node")
}

/// A taint as kubectl writes it: `key=value:Effect` or `key:Effect`.
pub fn taint(text: &str) -> Taint {
    let (key, effect) = text.rsplit_once(':').expect("an effect");
    let (key, value) = key.split_once('=').unwrap_or((key, ""));
    let effect = TaintEffect::from(rollcast_core::api::Text::from(effect));
    Taint { key: key.into(), value: value.into(), effect }
}

/// The node with those taints.
pub fn tainted(mut node: Node, taints: &[&str]) -> Node {
    node.spec.taints = taints.iter().map(|text| taint(text)).collect();
    node
}

/// A pod as the controller would make it for a node, bound, running, not ready, with no revision's hash.
pub fn own_pod(daemon_set: &DaemonSet, node: &str, name: &str) -> Pod {
    let rules = PlacementRules::of(&daemon_set.spec.template, KubernetesVersion::default());
    let mut pod =
        NewPod { daemon_set, rules: &rules, node, name, revision_hash: "", template_generation: None }.narrow();
    pod.metadata.labels = pod.metadata.labels.without(Pod::REVISION_HASH_LABEL);
    pod.metadata.uid = format!("uid-{name}").into();
    pod.metadata.creation_timestamp = Some(START);
    pod.spec.node_name = node.into();
    pod.status.phase = PodPhase::Running;
    pod
}

/// The revision of a DaemonSet's present template.
pub fn revision(daemon_set: &DaemonSet, hash: &str, number: i64) -> ControllerRevision {
    let mut template = daemon_set.spec.template.json().clone();
    template["$patch"] = json!("replace");
    let mut revision = ControllerRevision { revision: number, ..ControllerRevision::default() };
    revision.data = json!({"spec": {"template": template}});
    revision.metadata.name = format!("{}-{hash}", daemon_set.metadata.name).into();
    revision.metadata.namespace = daemon_set.metadata.namespace.clone();
    revision.metadata.labels = daemon_set.spec.template.labels().with(Pod::REVISION_HASH_LABEL, hash);
    revision.metadata.owner_references = own_pod(daemon_set, "", "").metadata.owner_references;
    revision
}

/// Makes a pod ready, bound and running.
pub fn set_ready(pod: &mut Pod, since: Timestamp) {
    if let Some(node) = rollcast_core::placement::target_node_of(pod).cloned() {
        pod.spec.node_name = node;
    }
    pod.status.phase = PodPhase::Running;
    pod.status.conditions = vec![ready_condition(ConditionStatus::True, since)];
}

/// The pod, ready since then.
pub fn ready_since(mut pod: Pod, since: Timestamp) -> Pod {
    set_ready(&mut pod, since);
    pod
}

pub(super) fn ready_condition(status: ConditionStatus, since: Timestamp) -> Condition {
    Condition { condition_type: "Ready".into(), status, last_transition_time: Some(since), ..Condition::default() }
}

/// What the API server fills in when the object is stored first.
pub(super) fn store(daemon_set: &mut DaemonSet) {
    if daemon_set.metadata.uid.is_empty() {
        daemon_set.metadata.uid = "uid-agent".into();
    }
    if daemon_set.metadata.generation == 0 {
        daemon_set.metadata.generation = 1;
    }
    if daemon_set.template_generation().is_none() {
        set_template_generation(daemon_set, 1);
    }
}

pub(super) fn raise_generations(before: &DaemonSet, after: &mut DaemonSet) {
    if before.spec == after.spec {
        return;
    }
    after.metadata.generation = before.metadata.generation + 1;
    if before.spec.template != after.spec.template {
        set_template_generation(after, before.template_generation().unwrap_or(0) + 1);
    }
}

fn set_template_generation(daemon_set: &mut DaemonSet, generation: i64) {
    let annotations = &daemon_set.metadata.annotations;
    daemon_set.metadata.annotations =
        annotations.with(DaemonSet::TEMPLATE_GENERATION_ANNOTATION, &generation.to_string());
}

//! Scenarios as a person tells them. The helpers build the objects that public reports speak of.

mod building;
mod control_plane;
mod fate;
mod images;
mod measures;
mod people;
mod placement;
mod rollout;
mod start;
mod trouble;

use std::time::Duration;

use rollcast_engine::api::{ConditionStatus, DaemonSet, Node, Text};
use rollcast_engine::time::Timestamp;
use serde_json::{Value, json};

use super::*;

/// A ready node with room for 110 pods.
fn node(name: &str) -> Node {
    serde_json::from_value(json!({
        "metadata": {"name": name, "uid": name, "labels": {"kubernetes.io/hostname": name, "kubernetes.io/os": "linux"}},
        "status": {
            "allocatable": {"cpu": "4", "memory": "8Gi", "pods": "110"},
            "conditions": [{"type": "Ready", "status": "True"}],
        },
    }))
    .unwrap()
}

fn nodes(count: u32) -> Vec<Node> {
    (1..=count).map(|number| node(&format!("n{number}"))).collect()
}

fn tainted(name: &str, key: &str, effect: &str) -> Node {
    let mut node = node(name);
    node.spec.taints.push(serde_json::from_value(json!({"key": key, "effect": effect})).unwrap());
    node
}

/// A node whose kubelet is gone, as the node lifecycle controller marks it.
fn dead(name: &str) -> Node {
    let mut node = tainted(name, "node.kubernetes.io/unreachable", "NoSchedule");
    let taint = json!({"key": "node.kubernetes.io/unreachable", "effect": "NoExecute"});
    node.spec.taints.push(serde_json::from_value(taint).unwrap());
    node.status.conditions[0].status = ConditionStatus::Unknown;
    node
}

/// DaemonSet `agent` with this image, pod spec and strategy.
fn daemon_set(image: &str, pod_spec: &Value, rolling_update: &Value) -> DaemonSet {
    let mut spec = json!({"containers": [{"name": "main", "image": format!("registry.example/agent:{image}")}]});
    for (key, value) in pod_spec.as_object().unwrap() {
        spec[key] = value.clone();
    }
    if !spec["containers"][0]["image"].is_string() {
        spec["containers"][0]["image"] = json!(format!("registry.example/agent:{image}"));
    }
    serde_json::from_value(json!({
        "metadata": {"name": "agent", "namespace": "default"},
        "spec": {
            "selector": {"matchLabels": {"app": "agent"}},
            "template": {"metadata": {"labels": {"app": "agent"}}, "spec": spec},
            "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": rolling_update},
        },
    }))
    .unwrap()
}

/// The plain one: one at a time.
fn agent(image: &str) -> DaemonSet {
    daemon_set(image, &json!({}), &json!({"maxUnavailable": 1}))
}

fn max_unavailable(image: &str, limit: &Value) -> DaemonSet {
    daemon_set(image, &json!({}), &json!({ "maxUnavailable": limit }))
}

fn surge(image: &str, pod_spec: &Value) -> DaemonSet {
    daemon_set(image, pod_spec, &json!({"maxUnavailable": 0, "maxSurge": 1}))
}

/// Everyone's taints are borne.
fn tolerant() -> Value {
    json!({"tolerations": [{"operator": "Exists"}]})
}

/// Pods ready and gone after these seconds.
fn options(ready: u64, gone: u64) -> Options {
    let latencies = Latencies {
        pod_ready_after: seconds(ready).into(),
        pod_gone_after: seconds(gone).into(),
        ..Latencies::default()
    };
    Options { latencies, ..Options::starting_at(Timestamp::from_seconds(1_700_000_000)) }
}

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn applied(daemon_set: DaemonSet) -> ScenarioEvent {
    ScenarioEvent::Apply(Box::new(daemon_set))
}

fn on_node(name: &str) -> PodSelection {
    PodSelection::OnNode(name.into())
}

fn deleted_on(name: &str) -> ScenarioEvent {
    ScenarioEvent::DeletePods { pods: on_node(name), force: false }
}

fn everywhere(behaviour: Behaviour) -> ScenarioEvent {
    ScenarioEvent::Behave { nodes: NodeSelection::All, behaviour }
}

/// Seconds and numbers of pods that the controller created.
fn creations(world: &World) -> Vec<(u64, u32)> {
    let seconds = per_second(world.timeline()).into_iter().filter(|second| second.created > 0);
    seconds.map(|second| (second.at, second.created)).collect()
}

/// Seconds and numbers of pods that the controller deleted.
fn deletions(world: &World) -> Vec<(u64, u32)> {
    let seconds = per_second(world.timeline()).into_iter().filter(|second| second.deleted > 0);
    seconds.map(|second| (second.at, second.deleted)).collect()
}

/// The counters at a second.
fn counters_at(world: &World, at: u64) -> Counters {
    let timeline = world.timeline();
    timeline.state_at(timeline.moment_at(seconds(at)).unwrap()).counters
}

/// DESIRED, CURRENT, READY, UP-TO-DATE, AVAILABLE.
fn columns(counters: Counters) -> [u32; 5] {
    [counters.desired, counters.current, counters.ready, counters.up_to_date, counters.available]
}

/// What a node shows at a second.
fn tile_at(world: &World, node: &str, at: u64) -> Tile {
    let timeline = world.timeline();
    let number = timeline.node_names().iter().position(|name| name == node).unwrap();
    timeline.state_at(timeline.moment_at(seconds(at)).unwrap()).tile(number.try_into().unwrap())
}

/// Name, node and revision of the pods there are now, without those being deleted.
fn live_pods(world: &World) -> Vec<(Text, Text)> {
    let mut pods: Vec<(Text, Text)> = world
        .pods()
        .filter(|pod| !pod.metadata.is_being_deleted())
        .map(|pod| (pod.spec.node_name, pod.metadata.name))
        .collect();
    pods.sort();
    pods
}

fn is_stuck(summary: &Summary) -> bool {
    matches!(summary.ending, Some(Ending::Stuck { .. }))
}

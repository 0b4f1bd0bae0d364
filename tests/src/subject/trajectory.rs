//! A whole rollout in the ideal world.
//!
//! The answer: `steps` (each with `at`, `create`, `delete`), `complete`, `endsAtSecond`, `fewestAvailable`, `mostPods`.

use std::time::Duration;

use rollcast_core::api::{DaemonSet, Node};
use rollcast_core::sim::{
    Behaviour, Ending, Latencies, NodeSelection, Options, ScenarioEvent, SecondCounts, World, per_second,
};
use rollcast_core::time::Timestamp;
use serde_json::{Value, json};

use super::field;

/// Answers one line.
pub fn answer(line: &Value) -> Value {
    let mut world = world(line);
    let summary = world.run_to_end();
    let steps: Vec<Value> = per_second(world.timeline())
        .into_iter()
        .map(|SecondCounts { at, created, deleted }| json!({ "at": at, "create": created, "delete": deleted }))
        .collect();
    json!({
        "steps": steps,
        "complete": summary.ending == Some(Ending::Complete),
        "endsAtSecond": summary.ended_at.as_secs(),
        "fewestAvailable": summary.fewest_available,
        "mostPods": summary.most_pods,
    })
}

/// Every node has long run an old pod, and the new template has just arrived.
pub fn world(line: &Value) -> World {
    let seconds = |name| Duration::from_secs(field(line, name));
    let latencies = Latencies {
        pod_ready_after: seconds("podReadyAfterSeconds").into(),
        pod_gone_after: seconds("podGoneAfterSeconds").into(),
        ..Latencies::default()
    };
    let start = Timestamp::from_seconds(1_700_000_000);
    let options = Options { latencies, scheduler: false, ..Options::starting_at(start) };
    let names: Vec<String> = (0..field::<u32>(line, "nodes")).map(|node| format!("node-{node}")).collect();
    let nodes = names.iter().map(|name| {
        let mut node = Node::default();
        node.metadata.name = name.into();
        node.metadata.uid = name.into();
        node
    });
    let mut world = World::settled(daemon_set(line, "v1"), nodes.collect(), options);
    let broken: usize = field(line, "nodesWhereNewPodsNeverBecomeReady");
    let broken = NodeSelection::Named(names[..broken].iter().map(Into::into).collect());
    for event in [
        ScenarioEvent::Behave { nodes: broken, behaviour: Behaviour::never_ready(&latencies) },
        ScenarioEvent::Apply(Box::new(daemon_set(line, "v2"))),
    ] {
        world.apply(event).expect("the nodes and the DaemonSet are there");
    }
    world
}

fn daemon_set(line: &Value, version: &str) -> DaemonSet {
    serde_json::from_value(json!({
        "metadata": {"name": "agent", "namespace": "default"},
        "spec": {
            "selector": {"matchLabels": {"app": "agent"}},
            "template": {
                "metadata": {"labels": {"app": "agent"}},
                "spec": {"containers": [{"name": "main", "image": format!("registry.example/agent:{version}")}]},
            },
            "updateStrategy": line["updateStrategy"],
            "minReadySeconds": line["minReadySeconds"],
        },
    }))
    .expect("a DaemonSet")
}

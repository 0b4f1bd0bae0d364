//! What the index and the simulated world hold in memory, per node and in all.
//!
//! The allocator counts; nothing is measured by time.
#![allow(clippy::unwrap_used, reason = "a benchmark that panics has failed")]

use peak_alloc::PeakAlloc;
use rollcast_core::api::{DaemonSet, Node, Pod};
use rollcast_core::controller::{Change, Controller, ExpectationsMode, Snapshot};
use rollcast_core::sim::{Ending, Options, ScenarioEvent, World};
use rollcast_core::time::Timestamp;
use serde_json::json;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

const NODES: u32 = 130_000;
const START: Timestamp = Timestamp::from_seconds(1_700_000_000);
const MEBIBYTE: usize = 1 << 20;

fn main() {
    // Cargo runs benchmarks as tests too, without `--bench`: nothing is measured then.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    index();
    for (name, limit) in [("10 % at a time", json!("10%")), ("one at a time", json!(1))] {
        world(name, &limit);
    }
}

/// A controller that has seen every node, with its pod, and synced until nothing was left to do.
fn index() {
    let (snapshot, objects) = counted(|| {
        let mut world = World::settled(daemon_set("v1", &json!("10%")), nodes(), Options::starting_at(START));
        world.run_to_end();
        let pods: Vec<Pod> = world.pods().collect();
        Snapshot {
            daemon_sets: world.daemon_set().cloned().into_iter().collect(),
            nodes: nodes(),
            pods,
            revisions: world.revisions().to_vec(),
        }
    });
    println!("the objects of {NODES} nodes, each with a pod: {} B a node", objects / NODES as usize);
    let (controller, held) = counted(|| {
        // From copies of the objects, as watchers have them: what the index does not keep of them goes.
        let (nodes, pods) = (nodes(), copies(&snapshot.pods));
        let mut controller = Controller::new(ExpectationsMode::Observed);
        controller.observe(Change::Reset(Box::new(Snapshot { nodes, pods, ..snapshot })));
        while controller.step(START).daemon_set.is_some() {}
        controller
    });
    assert_eq!(controller.fleet().views().count(), 1);
    println!("the index of them, with what it keeps of the objects: {} B a node", held / NODES as usize);
}

/// Pods without anything in common with the given ones, as when each was read by itself.
fn copies(pods: &[Pod]) -> Vec<Pod> {
    pods.iter().map(|pod| serde_json::from_value(serde_json::to_value(pod).unwrap()).unwrap()).collect()
}

fn world(name: &str, limit: &serde_json::Value) {
    let (mut world, settled) =
        counted(|| World::settled(daemon_set("v1", limit), nodes(), Options::starting_at(START)));
    ALLOCATOR.reset_peak_usage();
    let before = ALLOCATOR.current_usage() - settled;
    world.apply(ScenarioEvent::Apply(Box::new(daemon_set("v2", limit)))).unwrap();
    assert_eq!(world.run_to_end().ending, Some(Ending::Complete));
    let played = ALLOCATOR.current_usage() - before;
    println!(
        "world of {NODES} nodes, {name}: settled {} MiB, played {} MiB of which the timeline takes {}; at most {} MiB",
        settled / MEBIBYTE,
        played / MEBIBYTE,
        world.timeline().bytes() / MEBIBYTE,
        (ALLOCATOR.peak_usage() - before) / MEBIBYTE,
    );
}

/// What was made, and how many bytes it holds.
fn counted<T>(make: impl FnOnce() -> T) -> (T, usize) {
    let before = ALLOCATOR.current_usage();
    let result = make();
    (result, ALLOCATOR.current_usage() - before)
}

fn nodes() -> Vec<Node> {
    let node = |number: u32| -> Node {
        let name = format!("node-{number:06}");
        serde_json::from_value(json!({
            "metadata": {"name": name, "uid": name, "labels": {"kubernetes.io/hostname": name, "kubernetes.io/os": "linux"}},
            "status": {
                "allocatable": {"cpu": "4", "memory": "8Gi", "pods": "110"},
                "conditions": [{"type": "Ready", "status": "True"}],
            },
        }))
        .unwrap()
    };
    (0..NODES).map(node).collect()
}

fn daemon_set(version: &str, limit: &serde_json::Value) -> DaemonSet {
    serde_json::from_value(json!({
        "metadata": {"name": "agent", "namespace": "default"},
        "spec": {
            "selector": {"matchLabels": {"app": "agent"}},
            "template": {
                "metadata": {"labels": {"app": "agent"}},
                "spec": {"containers": [{
                    "name": "main",
                    "image": format!("registry.example/agent:{version}"),
                    "resources": {"requests": {"cpu": "100m", "memory": "64Mi"}},
                }]},
            },
            "updateStrategy": {"rollingUpdate": {"maxUnavailable": limit}},
        },
    }))
    .unwrap()
}

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::{Value, json};

use crate::{AGENT, Directory, printed};

/// Ten nodes, each with a pod of the agent that took 11 to 20 seconds to be ready.
fn dump() -> String {
    let time = |second: u32| format!("2026-05-01T10:00:{second:02}Z");
    let condition = |name: &str, second| json!({"type": name, "status": "True", "lastTransitionTime": time(second)});
    let mut items: Vec<Value> = Vec::new();
    for number in 0..10_u32 {
        let node = format!("n-{number}");
        items.push(json!({"apiVersion": "v1", "kind": "Node", "metadata": {"name": node, "annotations": {"x": "y"}},
            "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "110"}}}));
        items.push(json!({"apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": format!("agent-{number}"), "namespace": "monitoring", "labels": {"app": "agent",
                "controller-revision-hash": "v1"}, "creationTimestamp": time(0), "uid": node, "ownerReferences": [
                {"apiVersion": "apps/v1", "kind": "DaemonSet", "name": "agent", "uid": "u", "controller": true}]},
            "spec": {"nodeName": node, "containers": [{"name": "main", "image": "registry.example/agent:v1"}]},
            "status": {"phase": "Running", "conditions": [condition("PodScheduled", 1), condition("Initialized", 3),
                condition("Ready", 12 + number)]}}));
    }
    json!({"apiVersion": "v1", "kind": "List", "items": items}).to_string()
}

fn directory() -> Directory {
    let changed = AGENT.replace("agent:v1", "agent:v2");
    Directory::with([("dump.json", &dump()), ("v1.yaml", AGENT), ("v2.yaml", &changed)])
}

const IMPORT: [&str; 5] = ["import", "-f", "dump.json", "-f", "v1.yaml"];

#[test]
fn a_dump_becomes_a_scenario_with_the_times_that_its_pods_tell() {
    let directory = directory();
    let assert = directory.rollcast(IMPORT).args(["--to", "v2.yaml"]).assert().success();
    let said = "binding to ready, measured at 10 pods: median 15 s, p95 20 s, from 11 s to 20 s";
    let assert = assert.stderr(contains(said).and(contains("not measured, so assumed: podGoneAfter 5s")));
    let text = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    assert!(text.starts_with("# creation to binding, measured at 10 pods: median 1 s"), "{text}");
    let measured =
        "measured:\n  podReadyAfter:\n    count: 10\n    least: 11s\n    median: 15s\n    most: 20s\n    p95: 20s\n";
    assert!(text.contains(measured) && !text.contains("timings:"), "{text}");
    assert!(text.contains("start: Pods\nstartsAt: 2026-05-01T10:00:21Z\n"), "{text}");
    std::fs::write(directory.path("scenario.yaml"), text).unwrap();
    let text = printed(&mut directory.rollcast(["simulate", "-f", "scenario.yaml"]), 0);
    assert!(text.contains("Updating DaemonSet monitoring/agent on 10 nodes") && text.contains("✓ Finishes"), "{text}");
    let told =
        "a pod is ready after being bound: 15 s in the middle, more than 20 s in one of twenty (measured at 10 pods)";
    assert!(text.contains(told), "{text}");
    assert!(text.contains("a pod is gone after its deletion: 5 s (default)"), "{text}");
}

#[test]
fn json_is_printed_on_request_and_read_back() {
    let directory = directory();
    let text = printed(directory.rollcast(IMPORT).args(["-o", "json", "--to", "v2.yaml"]), 0);
    let json: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&json["kind"], json["cluster"]["objects"].as_array().unwrap().len()), (&"Scenario".into(), 20));
    assert_eq!(json["cluster"]["objects"][0]["metadata"], json!({"name": "n-0"}));
    std::fs::write(directory.path("scenario.json"), text).unwrap();
    printed(&mut directory.rollcast(["simulate", "-f", "scenario.json"]), 0);
}

#[test]
fn a_cluster_too_large_for_one_file_is_referred_to() {
    let mut list: Value = serde_json::from_str(&dump()).unwrap();
    let items = list["items"].as_array_mut().unwrap();
    for number in 0..30_000 {
        items.push(
            json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": format!("p-{number}"), "namespace": "a"},
            "spec": {"nodeName": format!("n-{}", number % 10), "containers": [{"name": "main", "image": "i"}]}, "status": {"phase": "Succeeded"}}),
        );
    }
    let directory = directory();
    std::fs::write(directory.path("dump.json"), list.to_string()).unwrap();
    let assert = directory.rollcast(IMPORT).assert().success().stderr(contains("too large for one file"));
    let text = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    assert!(text.contains("files:\n  - dump.json\n  - v1.yaml\n") && text.len() < 2000, "{text}");
    std::fs::write(directory.path("scenario.yaml"), text).unwrap();
    printed(&mut directory.rollcast(["simulate", "-f", "scenario.yaml"]), 0);
}

#[test]
fn without_pods_nothing_is_measured_and_the_cluster_is_settled() {
    let nodes = printed(&mut crate::rollcast(["nodes", "--pool", "count=2"]), 0);
    let directory = Directory::with([("nodes.yaml", &nodes), ("v1.yaml", AGENT)]);
    let assert = directory.rollcast(["import", "-f", "nodes.yaml", "-f", "v1.yaml", "--lang", "zh"]).assert().success();
    let assert = assert.stderr(contains("未能测得，故为假设：podReadyAfter 10s"));
    assert!(String::from_utf8_lossy(&assert.get_output().stdout).contains("start: Settled\n"));
    directory.rollcast(["import", "-f", "v1.yaml"]).assert().code(2).stderr(contains("there are no nodes"));
    directory.rollcast(["import"]).assert().code(2).stderr(contains("nothing to read"));
}

/// What the kubelets told of the pods in the dump: a pull each, and the end of the pod before.
fn events() -> String {
    let event = |pod: String, reason: &str, message: &str, node: u32, time: &str| {
        json!({"apiVersion": "v1", "kind": "Event", "metadata": {"name": format!("{pod}.{reason}"), "namespace": "monitoring"},
            "involvedObject": {"kind": "Pod", "namespace": "monitoring", "name": pod}, "reason": reason, "message": message,
            "source": {"component": "kubelet", "host": format!("n-{node}")}, "firstTimestamp": time, "lastTimestamp": time})
    };
    let mut items = Vec::new();
    for number in 0..10 {
        let told = "Successfully pulled image \"registry.example/agent:v1\" in 4s (5s including waiting). Image size: 41943040 bytes.";
        items.push(event(format!("agent-{number}"), "Pulled", told, number, "2026-05-01T10:00:07Z"));
        let stop = "Stopping container main";
        items.push(event(format!("agent-x{number}"), "Killing", stop, number, "2026-05-01T09:59:52Z"));
    }
    json!({"apiVersion": "v1", "kind": "List", "items": items}).to_string()
}

#[test]
fn events_tell_of_pulls_and_of_how_long_pods_take_to_go() {
    let directory = directory();
    std::fs::write(directory.path("events.json"), events()).unwrap();
    let assert = directory.rollcast(IMPORT).args(["-f", "events.json", "--to", "v2.yaml"]).assert().success();
    let text = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    for said in [
        "binding to ready, without pulls of images, measured at 10 pods: median 10 s, p95 15 s, from 6 s to 15 s",
        "stop of a pod to the next one on its node, measured at 10 pods: median 8 s, p95 8 s, from 8 s to 8 s",
        "pull of an image, measured at 10 pulls: median 4 s",
        "the same with the wait for other pulls, measured at 10 pulls: median 5 s",
        "size of an image, measured at 10 pulls: median 40 MiB",
        "rate of a pull, measured at 10 pulls: median 10 MiB/s",
    ] {
        assert!(text.contains(&format!("# {said}")), "{said}\n{text}");
    }
    assert!(!text.contains("assumed") && !text.contains("no events"), "{text}");
    let size = "imageBytes:\n    count: 10\n    least: 41943040\n    median: 41943040\n";
    assert!(text.contains(size) && text.contains("pullBytesPerSecond:\n    count: 10\n"), "{text}");
    std::fs::write(directory.path("scenario.yaml"), text).unwrap();
    let text = printed(&mut directory.rollcast(["forecast", "-f", "scenario.yaml", "--gone-after", "3"]), 0);
    for said in [
        "(measured at 10 pods)",
        "a pod is gone after its deletion: 3 s (given)",
        "size of an image: 40 MiB (measured at 10 pulls)",
        "one pull gets at most: 10 MiB/s (measured at 10 pulls)",
        "400 MiB in all",
    ] {
        assert!(text.contains(said), "{said}\n{text}");
    }
    let chinese = directory.rollcast(IMPORT).args(["-f", "events.json", "--lang", "zh"]).assert().success();
    chinese.stderr(contains("镜像大小（测自 10 次拉取）：中位数 40 MiB"));
}

#[test]
fn without_events_one_line_says_what_is_not_told() {
    let assert = directory().rollcast(IMPORT).assert().success();
    let said = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert_eq!(said.lines().filter(|line| line.contains("no events in the input")).count(), 1, "{said}");
}

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use crate::{AGENT, Directory, printed};

const NODES: &str = r#"
{"apiVersion": "v1", "kind": "List", "items": [
  {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"}, "status": {"allocatable": {"cpu": "1", "memory": "4Gi", "pods": "110"}}},
  {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n2"}, "status": {"allocatable": {"cpu": "1", "memory": "4Gi", "pods": "110"}}},
  {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n3"}, "status": {"allocatable": {"cpu": "1", "memory": "4Gi", "pods": "110"}}}
]}"#;

fn directory(strategy: &str) -> Directory {
    let changed =
        AGENT.replace("agent:v1", "agent:v2").replace("spec:\n  selector", &format!("spec:\n  {strategy}\n  selector"));
    Directory::with([("nodes.json", NODES), ("v1.yaml", AGENT), ("v2.yaml", &changed)])
}

const PLAN: [&str; 7] = ["plan", "-f", "nodes.json", "-f", "v1.yaml", "--to", "v2.yaml"];

#[test]
fn an_update_is_told_step_by_step() {
    let directory = directory("minReadySeconds: 5");
    insta::assert_snapshot!(printed(&mut directory.rollcast(PLAN), 0));
}

#[test]
fn an_update_is_told_step_by_step_in_chinese() {
    let directory = directory("minReadySeconds: 5");
    insta::assert_snapshot!(printed(directory.rollcast(PLAN).args(["--lang", "zh"]), 0));
}

#[test]
fn a_surge_that_needs_the_old_pods_port_never_finishes_and_says_why() {
    let directory = directory("updateStrategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}");
    let text = printed(&mut directory.rollcast(PLAN), 1);
    // The last ten characters of a pod's name are a hash.
    let (before, name) = text.split_once("monitoring/agent-").unwrap();
    insta::assert_snapshot!(format!("{before}monitoring/agent-…{}", name.get(10..).unwrap()));
}

#[test]
fn pods_that_never_become_ready_use_the_budget_up() {
    let directory = directory("minReadySeconds: 0");
    let text = printed(directory.rollcast(PLAN).args(["--never-ready", "n1"]), 1);
    assert!(text.contains("✗ Never finishes: stops after 5 s with 0 of 3 nodes done"), "{text}");
    assert!(text.contains("`maxUnavailable` is used up"), "{text}");
    let said = contains("no node `n9` among the 3");
    directory.rollcast(PLAN).args(["--never-ready", "n9"]).assert().code(2).stderr(said);
}

#[test]
fn a_first_installation_has_no_before() {
    let directory = directory("minReadySeconds: 0");
    insta::assert_snapshot!(printed(&mut directory.rollcast(["plan", "-f", "nodes.json", "--to", "v1.yaml"]), 0));
}

#[test]
fn an_unchanged_manifest_decides_nothing() {
    let directory = directory("minReadySeconds: 0");
    let text = printed(&mut directory.rollcast(["plan", "-f", "nodes.json", "-f", "v1.yaml", "--to", "v1.yaml"]), 0);
    assert!(text.contains("Nothing changes in its spec.") && text.contains("✓ Nothing to do"), "{text}");
}

#[test]
fn a_changed_strategy_replaces_no_pod() {
    let strategy = AGENT.replace("spec:\n  selector", "spec:\n  updateStrategy: {type: OnDelete}\n  selector");
    let directory = Directory::with([("nodes.json", NODES), ("v1.yaml", AGENT), ("v2.yaml", &strategy)]);
    let text = printed(&mut directory.rollcast(PLAN), 0);
    assert!(text.contains("the pod template stays, so that no pod is replaced"), "{text}");
}

#[test]
fn the_plan_is_data_in_the_envelope() {
    let directory = directory("minReadySeconds: 0");
    let json: Value = serde_json::from_str(&printed(directory.rollcast(PLAN).args(["-o", "json"]), 0)).unwrap();
    let report = &json["report"];
    assert_eq!((&json["kind"], &report["end"]["outcome"]), (&"PlanReport".into(), &"Finishes".into()));
    assert_eq!(report["end"]["atSeconds"], 45);
    assert_eq!(report["changes"][0]["path"], "spec.template.spec.containers[main].image");
    assert_eq!(report["steps"].as_array().unwrap().len(), 6);
    assert_eq!(report["steps"][0]["decisions"][1]["kind"], "DeletePod");
}

#[test]
fn a_change_that_the_api_server_would_refuse_is_not_played() {
    let selector = AGENT.replace("selector: {matchLabels: {app: agent}}", "selector: {matchLabels: {app: other}}");
    let selector = selector.replace("labels: {app: agent}", "labels: {app: other}");
    let directory = Directory::with([("nodes.json", NODES), ("v1.yaml", AGENT), ("v2.yaml", &selector)]);
    directory.rollcast(PLAN).assert().code(1).stdout("").stderr(contains("selector"));
    let broken = AGENT.replace("containers:", "containerz:");
    let directory = Directory::with([("nodes.json", NODES), ("v1.yaml", AGENT), ("v2.yaml", &broken)]);
    directory.rollcast(PLAN).assert().code(1).stdout("").stderr(contains("containerz"));
}

#[test]
fn a_restart_annotation_that_the_manifest_lacks_is_no_change() {
    let restarted = AGENT.replace(
        "metadata: {labels: {app: agent}}",
        "metadata: {labels: {app: agent}, annotations: {kubectl.kubernetes.io/restartedAt: \"2026-01-01T00:00:00Z\"}}",
    );
    let directory = Directory::with([("nodes.json", NODES), ("v1.yaml", &restarted), ("v2.yaml", AGENT)]);
    assert!(printed(&mut directory.rollcast(PLAN), 0).contains("Nothing changes in its spec."));
}

#[test]
fn without_nodes_there_is_no_plan() {
    let directory = directory("minReadySeconds: 0");
    let said = contains("there are no nodes in the input").and(contains("rollcast nodes"));
    directory.rollcast(["plan", "-f", "v1.yaml", "--to", "v2.yaml"]).assert().code(2).stderr(said);
    directory.rollcast(["plan", "--to", "v2.yaml"]).assert().code(2).stderr(contains("nothing to read"));
}

#[test]
fn a_long_rollout_is_cut_in_the_middle() {
    let nodes = printed(&mut crate::rollcast(["nodes", "--pool", "count=30"]), 0);
    let changed = AGENT.replace("agent:v1", "agent:v2");
    let directory = Directory::with([("nodes.json", &nodes), ("v1.yaml", AGENT), ("v2.yaml", &changed)]);
    let text = printed(&mut directory.rollcast(PLAN), 0);
    assert!(text.contains("… 49 more steps (--all-steps)") && text.lines().count() < 40, "{text}");
    let text = printed(directory.rollcast(PLAN).arg("--all-steps"), 0);
    assert!(!text.contains("more steps") && text.lines().count() > 60, "{text}");
}

#[test]
fn an_older_kubernetes_deletes_more_beside_an_unavailable_pod() {
    let pod = |node: &str, ready: &str| {
        format!(
            r#"{{"apiVersion": "v1", "kind": "Pod",
                 "metadata": {{"name": "agent-{node}", "namespace": "monitoring", "uid": "{node}", "labels": {{"app": "agent"}},
                               "ownerReferences": [{{"apiVersion": "apps/v1", "kind": "DaemonSet", "name": "agent", "uid": "d", "controller": true}}]}},
                 "spec": {{"nodeName": "{node}", "containers": [{{"name": "main", "image": "registry.example/agent:v1"}}]}},
                 "status": {{"phase": "Running", "conditions": [{{"type": "Ready", "status": "{ready}"}}]}}}}"#
        )
    };
    let pods = [pod("n1", "False"), pod("n2", "True"), pod("n3", "True")].join(",");
    let pods = format!(r#"{{"apiVersion": "v1", "kind": "List", "items": [{pods}]}}"#);
    let changed = AGENT.replace("agent:v1", "agent:v2");
    let directory =
        Directory::with([("nodes.json", NODES), ("pods.json", &pods), ("v1.yaml", AGENT), ("v2.yaml", &changed)]);
    let deleted = |release: &str| {
        let arguments = ["-f", "pods.json", "-o", "json", "--kubernetes-version", release];
        let json: Value = serde_json::from_str(&printed(directory.rollcast(PLAN).args(arguments), 0)).unwrap();
        let report = &json["report"];
        let decisions = report["steps"][0]["decisions"].as_array().unwrap().clone();
        let deletions = decisions.into_iter().filter(|decision| decision["kind"] == "DeletePod");
        let counts: Vec<u64> = deletions.map(|decision| decision["count"].as_u64().unwrap()).collect();
        (report["assumptions"]["kubernetes"].as_str().unwrap().to_owned(), counts)
    };
    assert_eq!(deleted("1.31"), ("1.31".to_owned(), vec![1]));
    assert_eq!(deleted("v1.30.4"), ("1.30".to_owned(), vec![1, 1]));
    let text = printed(directory.rollcast(PLAN).args(["-f", "pods.json", "--kubernetes-version", "1.30"]), 0);
    assert!(text.contains("Kubernetes   1.30\n"), "{text}");
    let said = contains("known are 1.25").and(contains("1.36"));
    directory.rollcast(PLAN).args(["--kubernetes-version", "1.24"]).assert().code(2).stderr(said);
}

#[test]
fn pods_that_were_written_without_a_uid_are_told_apart() {
    let pod = |number: u32| {
        format!(
            "---\n{{apiVersion: v1, kind: Node, metadata: {{name: n-{number}}}, status: {{allocatable: {{cpu: '4', memory: 8Gi, \
             pods: '110'}}}}}}\n---\n{{apiVersion: v1, kind: Pod, metadata: {{name: agent-{number}, namespace: monitoring, \
             labels: {{app: agent}}, ownerReferences: [{{apiVersion: apps/v1, kind: DaemonSet, name: agent, uid: u, \
             controller: true}}]}}, spec: {{nodeName: n-{number}, containers: [{{name: main, image: i}}]}}, status: {{phase: \
             Running, conditions: [{{type: Ready, status: 'True'}}]}}}}\n"
        )
    };
    let pods: String = (1..=4).map(pod).collect();
    let changed = AGENT.replace("agent:v1", "agent:v2");
    let directory = Directory::with([("v1.yaml", AGENT), ("cluster.yaml", &pods), ("v2.yaml", &changed)]);
    let text = printed(&mut directory.rollcast(["plan", "-f", "cluster.yaml", "-f", "v1.yaml", "--to", "v2.yaml"]), 0);
    assert!(text.contains("✓ Finishes after 1 min") && text.contains("fewest available: 3 of 4"), "{text}");
}

#[test]
fn a_limit_that_changes_from_what_the_api_defaults_is_told_with_both_values() {
    let limits = "  updateStrategy: {rollingUpdate: {maxUnavailable: 3}}\n  template:";
    let nodes = printed(&mut crate::rollcast(["nodes", "--pool", "count=3"]), 0);
    let changed = AGENT.replace("  template:", limits);
    let directory = Directory::with([("v1.yaml", AGENT), ("v2.yaml", &changed), ("nodes.yaml", &nodes)]);
    let text = printed(&mut directory.rollcast(["plan", "-f", "v1.yaml", "-f", "nodes.yaml", "--to", "v2.yaml"]), 0);
    assert!(text.contains("  spec.updateStrategy.rollingUpdate.maxUnavailable   1 → 3\n"), "{text}");
}

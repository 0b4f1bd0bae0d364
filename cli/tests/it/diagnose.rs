use std::fmt::Write as _;

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use crate::{Directory, printed, rollcast};

/// When the dump was taken.
const AT: &str = "2026-01-01T01:00:00Z";

/// Three nodes that run version 1, of which one is dead and does not let its pod go.
fn directory() -> Directory {
    let mut cluster = String::from(
        "apiVersion: v1
kind: List
items:
- apiVersion: apps/v1
  kind: DaemonSet
  metadata: {name: agent, namespace: ops, uid: ds, generation: 2, creationTimestamp: 2025-12-01T00:00:00Z,
    annotations: {deprecated.daemonset.template.generation: '2'}}
  spec:
    selector: {matchLabels: {app: agent}}
    updateStrategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: 5%}}
    template:
      metadata: {labels: {app: agent}}
      spec: {tolerations: [{operator: Exists}], containers: [{name: main, image: 'agent:v2'}]}
  status: {observedGeneration: 2, desiredNumberScheduled: 3, currentNumberScheduled: 3, numberReady: 2, numberAvailable: 2}
",
    );
    for (node, condition, taint) in [
        ("a", "True", ""),
        ("b", "True", ""),
        ("dead", "Unknown", "key: node.kubernetes.io/unreachable, effect: NoExecute"),
    ] {
        let taints = if taint.is_empty() { String::new() } else { format!("{{{taint}}}") };
        let (ready, deleted) = match condition {
            "True" => ("True", ""),
            _ => ("False", ", deletionTimestamp: 2026-01-01T00:10:00Z"),
        };
        write!(
            cluster,
            "- apiVersion: v1
  kind: Node
  metadata: {{name: {node}}}
  spec: {{taints: [{taints}]}}
  status: {{allocatable: {{cpu: '4', memory: 8Gi, pods: '110'}}, conditions: [{{type: Ready, status: '{condition}', lastTransitionTime: 2025-12-31T23:00:00Z}}]}}
- apiVersion: v1
  kind: Pod
  metadata: {{name: agent-{node}, namespace: ops, labels: {{app: agent, pod-template-generation: '1'}}, creationTimestamp: 2025-12-31T00:00:00Z{deleted},
    ownerReferences: [{{apiVersion: apps/v1, kind: DaemonSet, name: agent, uid: ds, controller: true}}]}}
  spec: {{nodeName: {node}, containers: [{{name: main, image: 'agent:v1'}}]}}
  status: {{phase: Running, conditions: [{{type: Ready, status: '{ready}', lastTransitionTime: 2025-12-31T23:01:00Z}}]}}
"
        )
        .unwrap_or_default();
    }
    Directory::with([("cluster.yaml", &cluster)])
}

#[test]
fn a_blocked_rollout_is_told_with_what_frees_it() {
    let directory = directory();
    let mut command = directory.rollcast(["diagnose", "-f", "cluster.yaml", "--at", AT]);
    insta::assert_snapshot!(printed(&mut command, 1));
}

#[test]
fn a_blocked_rollout_is_told_with_what_frees_it_in_chinese() {
    let directory = directory();
    let mut command = directory.rollcast(["diagnose", "-f", "cluster.yaml", "--at", AT, "--lang", "zh"]);
    insta::assert_snapshot!(printed(&mut command, 1));
}

#[test]
fn the_diagnosis_is_data_in_a_versioned_envelope() {
    let arguments = ["diagnose", "-f", "cluster.yaml", "--daemonset", "ops/agent", "--at", AT, "-o", "json"];
    let json: Value = serde_json::from_str(&printed(&mut directory().rollcast(arguments), 1)).unwrap();
    assert_eq!((&json["kind"], &json["report"]["state"]), (&"DiagnosisReport".into(), &"Blocked".into()));
    let first = &json["report"]["findings"][0];
    assert_eq!(first["id"], "UnavailableBudget");
    assert_eq!(first["problem"]["UnavailableBudget"]["limit"], 1);
    assert_eq!(first["remedies"][0]["warning"], Value::Null);
}

#[test]
fn what_merely_moves_is_no_finding() {
    let directory = directory();
    // The controller took the next one ten minutes before the pod was due to be gone.
    let mut command = directory.rollcast(["diagnose", "-f", "cluster.yaml", "--at", "2026-01-01T00:09:50Z"]);
    command.assert().code(1).stdout(contains("TerminatingOnDeadNode"));
    let text = std::fs::read_to_string(directory.0.path().join("cluster.yaml")).unwrap();
    let healthy =
        text.replace("'Unknown'", "'True'").replace("{key: node.kubernetes.io/unreachable, effect: NoExecute}", "");
    std::fs::write(directory.0.path().join("cluster.yaml"), healthy).unwrap();
    let mut command = directory.rollcast(["diagnose", "-f", "cluster.yaml", "--at", "2026-01-01T00:09:50Z"]);
    command.assert().code(0).stdout(contains("progressing: 0 of 3 nodes done, next in 10 s"));
}

#[test]
fn a_moment_that_cannot_be_read_is_wrong_use() {
    let said = contains("cannot read the time `yesterday`").and(contains("2026-01-31T03:15:00Z"));
    directory().rollcast(["diagnose", "-f", "cluster.yaml", "--at", "yesterday"]).assert().code(2).stderr(said);
}

#[test]
fn as_a_comment_it_holds_the_commands_as_code() {
    let directory = directory();
    let mut command = directory.rollcast(["diagnose", "-f", "cluster.yaml", "--at", AT, "-o", "markdown"]);
    let text = printed(&mut command, 1);
    assert!(text.starts_with("### DaemonSet ops/agent\n\n**blocked: "), "{text}");
    assert!(text.contains("    - `kubectl delete nodes dead`\n"), "{text}");
}

/// A scenario that stands beside the tests of the core.
fn scenario(name: &str) -> String {
    format!("{}/../tests/scenarios/{name}.yaml", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn a_scenario_is_played_and_its_end_diagnosed() {
    let text = printed(&mut rollcast(["diagnose", "-f", &scenario("dead-nodes")]), 1);
    assert!(text.contains("end of the play of “20 dead nodes of 288, at 5 %”, "), "{text}");
    assert!(
        text.contains(", 5 min 25 s after its start: the rollout did not finish; looked at 5 min later\n"),
        "{text}"
    );
    assert!(text.contains("✗ UnavailableBudget: "), "{text}");
    assert!(text.contains("288 nodes × 5 % = 14.4 → 15, rounded up"), "{text}");
    let arguments = ["diagnose", "-f", &scenario("dead-nodes"), "--daemonset", "monitoring/exporter", "-o", "json"];
    let json: Value = serde_json::from_str(&printed(&mut rollcast(arguments), 1)).unwrap();
    let report = &json["report"];
    assert_eq!((&report["state"], &report["desired"], &report["done"]), (&"Blocked".into(), &288.into(), &0.into()));
    let first = &report["findings"][0]["problem"]["UnavailableBudget"];
    assert_eq!((&first["limit"], &first["desired"]), (&15.into(), &288.into()), "{report}");
    // The update comes after five minutes; only what is dead anyway is replaced, 5 s to go and 20 s to start.
    assert_eq!((&report["play"]["interrupted"], &report["play"]["elapsedSeconds"]), (&false.into(), &325.into()));
}

#[test]
fn a_pod_on_which_a_play_ends_has_waited_long_enough() {
    let never = "events: [{at: 0s, behave: {nodes: [worker-002], readyAfter: Never}}]";
    let text = std::fs::read_to_string(scenario("one-at-a-time")).unwrap();
    let directory = Directory::with([("stuck.yaml", &format!("{text}\n{never}\n"))]);
    let text = printed(&mut directory.rollcast(["diagnose", "-f", "stuck.yaml"]), 1);
    assert!(text.contains("blocked: ") && text.contains("✗ NeverReady: ") && text.contains("worker-002"), "{text}");
    let text = printed(&mut directory.rollcast(["diagnose", "-f", "stuck.yaml", "--patience", "3600"]), 1);
    assert!(text.contains("✗ NeverReady: ") && text.contains("looked at 1 h later"), "{text}");
}

#[test]
fn a_scenario_that_finishes_has_nothing_that_blocks() {
    let text = printed(&mut rollcast(["diagnose", "-f", &scenario("one-at-a-time")]), 0);
    let when = "end of the play of “250 nodes, one at a time”, 1 h 40 min after its start: the rollout finished\n";
    assert!(text.contains(when), "{text}");
    assert!(text.contains("finished: 250 of 250 nodes run an available pod of the newest template"), "{text}");
    assert!(!text.contains('✗'), "{text}");
    let text =
        printed(&mut rollcast(["diagnose", "-f", &scenario("one-at-a-time"), "-o", "markdown", "--lang", "zh"]), 0);
    assert!(text.contains("的推演结束，开始后") && text.contains("更新已完成"), "{text}");
}

#[test]
fn only_the_played_daemon_set_can_be_asked_about_and_only_at_the_end() {
    let path = scenario("one-at-a-time");
    let said = contains("no DaemonSet `other`").and(contains("kube-system/agent"));
    rollcast(["diagnose", "-f", &path, "--daemonset", "other"]).assert().code(2).stderr(said);
    let arguments = ["diagnose", "-f", &path, "--daemonset", "agent", "--at", AT];
    rollcast(arguments).assert().code(0).stderr(contains("`--at` changes nothing"));
    let text = format!("{}\nevents: [{{at: 10m, deleteDaemonSet: {{}}}}]\n", std::fs::read_to_string(&path).unwrap());
    let directory = Directory::with([("gone.yaml", &text)]);
    let said = contains("DaemonSet `kube-system/agent` is gone at the end of the play");
    directory.rollcast(["diagnose", "-f", "gone.yaml"]).assert().code(1).stderr(said);
}

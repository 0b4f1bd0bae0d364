use std::fmt::Write as _;

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use crate::{Directory, printed};

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
    command.assert().code(0).stdout(contains("progressing: 0 of 3 nodes, next in 10 s"));
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

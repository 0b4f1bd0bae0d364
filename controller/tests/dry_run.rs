//! The binary without a cluster: what it prints and how it ends.

use predicates::prelude::*;
use predicates::str::contains;

const CLUSTER: &str = r#"
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}}
- {apiVersion: v1, kind: Node, metadata: {name: n2}, status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}}
- apiVersion: apps/v1
  kind: DaemonSet
  metadata: {name: agent, namespace: monitoring, uid: u, generation: 1}
  spec:
    selector: {matchLabels: {app: agent}}
    template:
      metadata: {labels: {app: agent}}
      spec: {containers: [{name: main, image: "registry.example/agent:v1"}]}
    updateStrategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: 1, maxSurge: 0}}
"#;

fn controller<const N: usize>(arguments: [&str; N]) -> assert_cmd::Command {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("rollcast-controller");
    command.env_clear().args(arguments);
    command
}

#[test]
fn the_decisions_of_one_sync_are_printed_with_reasons() {
    let said = contains("DaemonSet monitoring/agent")
        .and(contains("CreatePod × 2: n1 and n2"))
        .and(contains("the node should run the pod and has none"));
    controller(["--dry-run", "--from", "-"]).write_stdin(CLUSTER).assert().success().stdout(said);
}

#[test]
fn the_decisions_are_data_in_the_envelope() {
    let assert = controller(["--dry-run", "--from", "-", "-o", "json"]).write_stdin(CLUSTER).assert().success();
    let json: serde_json::Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
    assert_eq!(json["apiVersion"], "rollcast.dev/v1alpha1");
    assert_eq!(json["report"][0]["daemonSet"]["name"], "agent");
    let decisions = json["report"][0]["decisions"].as_array().unwrap();
    assert_eq!(decisions[0]["action"], "CreateRevision");
    assert!(decisions.iter().any(|decision| decision["action"] == "CreatePod" && decision["count"] == 2));
}

#[test]
fn without_a_dry_run_it_says_that_driving_comes_later() {
    controller([]).assert().code(2).stderr(contains("comes with a later release"));
    controller(["--dry-run"]).assert().code(2).stderr(contains("--from"));
}

#[test]
fn what_cannot_be_read_is_named() {
    controller(["--dry-run", "--from", "missing.yaml"])
        .assert()
        .code(3)
        .stderr(contains("cannot read `missing.yaml`: no such file or directory\n"));
    let mut command = controller(["--dry-run", "--from", "-"]);
    command.write_stdin("kind: [").assert().code(3).stderr(contains("error: -:1"));
    let mut command = controller(["--dry-run", "--from", "-"]);
    command
        .write_stdin("{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":[]}")
        .assert()
        .code(2)
        .stderr(contains("no DaemonSet"));
}

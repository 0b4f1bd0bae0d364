use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use crate::{AGENT, CLUSTER, Directory, printed};

fn directory() -> Directory {
    Directory::with([("agent.yaml", AGENT), ("cluster.yaml", CLUSTER)])
}

#[test]
fn nodes_are_gathered_by_verdict_and_reason() {
    let directory = directory();
    let mut command = directory.rollcast(["explain", "-f", "agent.yaml", "-f", "cluster.yaml"]);
    insta::assert_snapshot!(printed(&mut command, 1));
}

#[test]
fn nodes_are_gathered_by_verdict_and_reason_in_chinese() {
    let directory = directory();
    let mut command = directory.rollcast(["explain", "-f", "agent.yaml", "-f", "cluster.yaml", "--lang", "zh"]);
    insta::assert_snapshot!(printed(&mut command, 1));
}

#[test]
fn one_node_is_shown_check_by_check() {
    let arguments = ["explain", "-f", "agent.yaml", "-f", "cluster.yaml", "--node", "taken", "--node", "dead"];
    insta::assert_snapshot!(printed(&mut directory().rollcast(arguments), 1));
}

#[test]
fn without_nodes_it_says_what_is_asked_of_one_and_how_to_give_some() {
    insta::assert_snapshot!(printed(&mut directory().rollcast(["explain", "-f", "agent.yaml"]), 0));
}

#[test]
fn the_report_is_data_in_a_versioned_envelope() {
    let directory = directory();
    let mut command = directory.rollcast(["explain", "-f", "agent.yaml", "-f", "cluster.yaml", "-o", "json"]);
    let json: Value = serde_json::from_str(&printed(&mut command, 1)).unwrap();
    assert_eq!(json["apiVersion"], "rollcast.dev/v1alpha1");
    assert_eq!(json["kind"], "ExplainReport");
    assert_eq!(json["report"]["counts"]["desired"], 5);
    assert_eq!(json["report"]["counts"]["withoutRoom"], 2);
    assert_eq!(json["report"]["groups"][0]["names"], serde_json::json!(["w-1", "w-2", "w-3"]));
    let yaml = printed(&mut directory.rollcast(["explain", "-f", ".", "-o", "yaml"]), 1);
    assert!(yaml.starts_with("apiVersion: rollcast.dev/v1alpha1\nkind: ExplainReport\nreport:\n"), "{yaml}");
}

#[test]
fn a_selector_chooses_nodes_as_kubectl_does() {
    let explained = |selector: &str| {
        let arguments = ["explain", "-f", "agent.yaml", "-f", "cluster.yaml", "-l", selector];
        printed(&mut directory().rollcast(arguments), 0)
    };
    assert!(explained("zone in (b)").contains("2 nodes run the pod\n    w-2 and w-3"));
    assert!(explained("zone=a,!gpu").contains("1 node runs the pod\n    w-1"));
    directory()
        .rollcast(["explain", "-f", "agent.yaml", "-l", "zone in b"])
        .assert()
        .code(2)
        .stderr(contains("cannot read the selector `zone in b`").and(contains("zone=a,gpu!=yes")));
}

#[test]
fn a_node_that_is_not_there_is_wrong_use() {
    let said = contains("no node `w-4` among the 7").and(contains("did you mean `w-"));
    directory().rollcast(["explain", "-f", ".", "--node", "w-4"]).assert().code(2).stderr(said);
}

#[test]
fn several_daemon_sets_need_a_choice() {
    let other = AGENT.replace("name: agent,", "name: other,");
    let directory = Directory::with([("a.yaml", AGENT), ("b.yaml", &other), ("cluster.yaml", CLUSTER)]);
    let said = contains("the input holds 2 DaemonSets: `monitoring/agent`, `monitoring/other`")
        .and(contains("choose one with --daemonset NAMESPACE/NAME"));
    directory.rollcast(["explain", "-f", "."]).assert().code(2).stderr(said);
    let chosen = contains("DaemonSet monitoring/other:");
    for name in ["other", "monitoring/other"] {
        directory.rollcast(["explain", "-f", ".", "--daemonset", name]).assert().code(1).stdout(chosen.clone());
    }
    let said = contains("no DaemonSet `x` in the input; there is `monitoring/agent`, `monitoring/other`");
    directory.rollcast(["explain", "-f", ".", "--daemonset", "x"]).assert().code(2).stderr(said);
}

#[test]
fn no_daemon_set_says_what_there_is_instead() {
    let said = contains("no DaemonSet in the input, only 7 Node, 2 Pod").and(contains("kubectl get nodes,ds,pods"));
    directory().rollcast(["explain", "-f", "cluster.yaml"]).assert().code(2).stderr(said);
}

#[test]
fn standard_input_is_read_where_a_dash_is() {
    let directory = directory();
    let mut command = directory.rollcast(["explain", "-f", "agent.yaml", "-f", "-"]);
    assert!(printed(command.write_stdin(CLUSTER), 1).contains("5 of 7 nodes should run it"));
}

#[test]
fn a_manifest_that_the_api_server_would_refuse_is_explained_with_a_note() {
    let broken = AGENT.replace("containers:", "restartPolicy: Never\n      containerz: []\n      containers:");
    let directory = Directory::with([("agent.yaml", &broken), ("cluster.yaml", CLUSTER)]);
    let assert = directory.rollcast(["explain", "-f", "."]).assert().code(1);
    assert
        .stderr(contains("the API server would refuse `./agent.yaml`").and(contains("rollcast check ./agent.yaml")))
        .stdout(contains("5 of 7 nodes should run it"));
}

#[test]
fn what_a_pod_may_push_away_goes_by_the_clusters_priority_classes() {
    let agent =
        AGENT.replace("    spec:\n      containers", "    spec:\n      priorityClassName: important\n      containers");
    let class = |policy: &str| {
        format!(
            "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {{name: important}}\nvalue: 1000\n\
             preemptionPolicy: {policy}\n"
        )
    };
    let cluster = "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Node, metadata: {name: w}, status: \
                   {allocatable: {cpu: '1', memory: 8Gi, pods: '110'}}}\n- {apiVersion: v1, kind: Pod, metadata: {name: \
                   filler, namespace: apps}, spec: {nodeName: w, containers: [{name: main, image: 'filler:v1', resources: \
                   {requests: {cpu: 900m}}}]}, status: {phase: Running}}\n";
    for (classes, said) in [
        (class("PreemptLowerPriority"), "pods of lower priority would be evicted: apps/filler"),
        (class("Never"), "`preemptionPolicy: Never` keeps the pod from preempting others"),
        (String::new(), "nothing on the node has a lower priority"),
    ] {
        let files = [("agent.yaml", agent.as_str()), ("cluster.yaml", cluster), ("classes.yaml", &classes)];
        let directory = Directory::with(files);
        let mut explain = directory.rollcast(["explain", "-f", "agent.yaml", "-f", "cluster.yaml"]);
        if !classes.is_empty() {
            explain.args(["-f", "classes.yaml"]);
        }
        let text = printed(&mut explain, 1);
        assert!(text.contains(said), "{text}");
    }
}

#[test]
fn a_selector_says_which_nodes_are_meant() {
    let directory = Directory::with([("agent.yaml", AGENT), ("cluster.yaml", CLUSTER)]);
    let explain = ["explain", "-f", ".", "-l"];
    let zone = printed(directory.rollcast(explain).arg("zone=b"), 0);
    assert!(zone.starts_with("DaemonSet monitoring/agent: 2 of 2 nodes with `zone=b` should run it\n"), "{zone}");
    let nowhere = directory.rollcast(explain).arg("zone=c").assert().code(2).stdout("");
    nowhere.stderr(contains("none of the 7 nodes in the input has the labels `zone=c`"));
}

#[test]
fn what_fails_of_node_affinity_stands_under_it_and_what_it_asks_is_shown() {
    let affinity = "    spec:\n      affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [
        {matchExpressions: [{key: zone, operator: In, values: [a, b]}, {key: gpu, operator: Exists}]}]}}}\n";
    let agent = AGENT.replace("    spec:\n", affinity);
    let directory = Directory::with([("agent.yaml", &agent), ("cluster.yaml", CLUSTER)]);
    let said = printed(&mut directory.rollcast(["explain", "-f", ".", "--node", "w-1", "--node", "batch"]), 0);
    assert!(said.starts_with("DaemonSet monitoring/agent\n"), "{said}");
    let groups = printed(&mut directory.rollcast(["explain", "-f", "."]), 0);
    let (_, batch) = groups.split_once("    batch\n").unwrap();
    let lines: Vec<&str> = batch.lines().take(4).map(str::trim_start).collect();
    assert!(lines[0].starts_with("- ") && lines[1].starts_with('`') && lines[2].starts_with('`'), "{batch}");
    assert!(lines[3].starts_with("- taint"), "{batch}");
    let asked = printed(&mut directory.rollcast(["explain", "-f", "agent.yaml"]), 0);
    assert!(asked.contains("nodeAffinity   zone In [a, b] and gpu Exists\n"), "{asked}");
}

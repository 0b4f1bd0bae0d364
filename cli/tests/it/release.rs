//! `--kubernetes-version`: whose rules hold.

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use crate::{AGENT, Directory, printed};

/// The agent with a sidecar, which the API knows since 1.28 and does not drop since 1.29.
fn changed() -> String {
    let sidecar =
        "      initContainers:\n      - {name: proxy, image: 'registry.example/proxy:v1', restartPolicy: Always}\n";
    AGENT.replace("      containers:\n", &format!("{sidecar}      containers:\n"))
}

fn directory() -> Directory {
    let indented = |text: &str| text.lines().flat_map(|line| ["  ", line, "\n"]).collect::<String>();
    let scenario = format!(
        "apiVersion: rollcast.dev/v1alpha1\nkind: Scenario\nkubernetesVersion: '1.28'\ncluster:\n  pools:\n  \
         - {{name: w, count: 3}}\ndaemonSet:\n{}change:\n{}",
        indented(AGENT),
        indented(&changed())
    );
    let (nodes, changed) = (printed(&mut crate::rollcast(["nodes", "--pool", "name=w,count=3"]), 0), changed());
    Directory::with([
        ("agent.yaml", AGENT),
        ("changed.yaml", &changed),
        ("nodes.yaml", &nodes),
        ("scenario.yaml", &scenario),
    ])
}

#[test]
fn every_command_that_decides_or_reviews_takes_the_release() {
    let directory = directory();
    let of_cluster = ["-f", "nodes.yaml", "-f", "agent.yaml", "--to", "changed.yaml"];
    let of_scenario = ["-f", "scenario.yaml"];
    let commands: [(&[&str], &[&str], i32); 10] = [
        (&["check"], &["changed.yaml"], 1),
        (&["plan"], &of_cluster, 1),
        (&["forecast"], &of_cluster, 1),
        (&["compare", "--seeds", "1"], &of_cluster, 1),
        (&["advise", "--seeds", "1", "--deadline", "1h"], &of_cluster, 1),
        (&["forecast"], &of_scenario, 3),
        (&["compare", "--seeds", "1"], &of_scenario, 3),
        (&["advise", "--seeds", "1", "--deadline", "1h"], &of_scenario, 3),
        (&["simulate"], &of_scenario, 3),
        (&["diagnose"], &of_scenario, 3),
    ];
    for (command, input, code) in commands {
        let run = |release: &[&str]| {
            let mut rollcast = directory.rollcast([]);
            rollcast.args(command).args(input).args(release).assert()
        };
        let refused = run(&["--kubernetes-version", "1.27"]).code(code);
        let refused = refused.get_output();
        let said = format!("{}{}", String::from_utf8_lossy(&refused.stdout), String::from_utf8_lossy(&refused.stderr));
        assert!(said.contains("unknown field before Kubernetes 1.28"), "{command:?}: {said}");
        for accepted in [&["--kubernetes-version", "v1.28.4"][..], &[]] {
            run(accepted).success();
        }
        run(&["--kubernetes-version", "1.24"]).code(2).stderr(contains("known are 1.25, "));
    }
}

#[test]
fn explain_counts_room_as_the_release_does() {
    let resources = "    spec:\n      resources: {requests: {cpu: '5'}}\n";
    let agent = AGENT.replace("    spec:\n      containers", &format!("{resources}      containers"));
    let nodes = printed(&mut crate::rollcast(["nodes", "--pool", "name=w,count=3"]), 0);
    let directory = Directory::with([("agent.yaml", &agent), ("nodes.yaml", &nodes)]);
    let run = |release: &str| {
        let explain = ["explain", "-f", "agent.yaml", "-f", "nodes.yaml", "--kubernetes-version", release];
        directory.rollcast(explain).assert()
    };
    run("1.34").code(1).stdout(contains("Insufficient cpu: 5 requested, 4 of 4 free"));
    run("1.33").code(0).stdout(contains("3 nodes run the pod"));
    let to_see_why = "which has an error: rollcast check agent.yaml --kubernetes-version 1.31";
    run("1.31").code(1).stderr(contains(to_see_why));
}

#[test]
fn a_verdict_names_the_release_it_is_of() {
    let directory = directory();
    let json = printed(&mut directory.rollcast(["check", "agent.yaml", "-o", "json"]), 0);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["report"]["kubernetes"], "1.36");
    let check = ["check", "agent.yaml", "--kubernetes-version", "1.37"];
    let assert = directory.rollcast(check).assert().success();
    assert.stdout(contains("1 DaemonSet in 1 file (Kubernetes 1.37): the API server would take it all"));
    let plays = ["forecast", "-f", "scenario.yaml", "-o", "json"];
    let kubernetes = |arguments: &[&str]| {
        let json = printed(directory.rollcast(plays).args(arguments), 0);
        let json: Value = serde_json::from_str(&json).unwrap();
        json["report"]["assumptions"]["kubernetes"].clone()
    };
    assert_eq!(kubernetes(&[]), "1.28", "the file's");
    assert_eq!(kubernetes(&["--kubernetes-version", "1.31"]), "1.31");
}

#[test]
fn an_imported_scenario_keeps_the_release() {
    let directory = directory();
    let import = ["import", "-f", "nodes.yaml", "-f", "agent.yaml", "--kubernetes-version", "1.30"];
    directory
        .rollcast(import)
        .assert()
        .success()
        .stdout(contains("kubernetesVersion: '1.30'").or(contains("kubernetesVersion: \"1.30\"")));
}

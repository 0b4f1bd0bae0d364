use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

use crate::{AGENT, CLUSTER, Directory, printed};

const BROKEN: &str = "\
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec:
      nodeSelecter: {zone: a}
      containers:
      - name: main
        image: registry.example/agent:v1
        env:
        - {name: VERBOSE, value: yes}
";

#[test]
fn every_problem_is_shown_at_its_line() {
    insta::assert_snapshot!(printed(
        &mut Directory::with([("agent.yaml", BROKEN)]).rollcast(["check", "agent.yaml"]),
        1
    ));
}

#[test]
fn every_problem_is_shown_at_its_line_in_chinese() {
    let directory = Directory::with([("agent.yaml", BROKEN)]);
    insta::assert_snapshot!(printed(&mut directory.rollcast(["check", "agent.yaml", "--lang", "zh"]), 1));
}

#[test]
fn a_good_manifest_is_fine() {
    let directory = Directory::with([("agent.yaml", AGENT), ("cluster.yaml", CLUSTER)]);
    insta::assert_snapshot!(printed(&mut directory.rollcast(["check", "agent.yaml", "cluster.yaml"]), 0));
}

#[test]
fn problems_are_data_with_codes_and_places() {
    let directory = Directory::with([("agent.yaml", BROKEN)]);
    let json = printed(&mut directory.rollcast(["check", "agent.yaml", "-o", "json"]), 1);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["kind"], &json["report"]["errors"]), (&"CheckReport".into(), &2.into()));
    let problem = &json["report"]["texts"][0]["problems"][0];
    assert_eq!(problem["severity"], "error");
    assert_eq!(problem["path"], "spec.template.spec.nodeSelecter");
    assert_eq!((&problem["span"]["start"]["line"], &problem["span"]["start"]["column"]), (&9.into(), &7.into()));
}

#[test]
fn an_unrendered_template_is_one_problem_that_says_what_to_do() {
    let template = BROKEN.replace("image: registry.example/agent:v1", "image: {{ .Values.image }}:{{ .Values.tag }}");
    let directory = Directory::with([("agent.yaml", &template)]);
    directory.rollcast(["check", "agent.yaml"]).assert().code(1).stdout(contains("1 error"));
}

#[test]
fn standard_input_can_be_checked() {
    let mut command = crate::rollcast(["check", "-"]);
    command.write_stdin(AGENT).assert().success().stdout(contains("-: 1 DaemonSet, no problems"));
    crate::rollcast(["check"])
        .assert()
        .code(2)
        .stderr(contains("nothing to read").and(contains("- for standard input")));
}

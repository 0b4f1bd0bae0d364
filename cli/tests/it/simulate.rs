use predicates::prelude::*;
use predicates::str::contains;
use rollcast_core::trace::{TraceOutcome, hash, read_trace};
use serde_json::Value;

use crate::{AGENT, Directory, printed};

fn indented(text: &str) -> String {
    text.lines().flat_map(|line| ["  ", line, "\n"]).collect()
}

fn scenario(rest: &str) -> String {
    let (before, change) = (indented(AGENT), indented(&AGENT.replace("agent:v1", "agent:v2")));
    format!(
        "apiVersion: rollcast.dev/v1alpha1\nkind: Scenario\nname: three nodes\ncluster:\n  pools:\n  \
         - {{name: w, count: 3}}\ndaemonSet:\n{before}change:\n{change}{rest}"
    )
}

fn directory(rest: &str) -> Directory {
    Directory::with([("scenario.yaml", &scenario(rest))])
}

const SIMULATE: [&str; 3] = ["simulate", "-f", "scenario.yaml"];

#[test]
fn a_play_is_told_step_by_step() {
    let directory = directory("events: [{at: 20s, cordon: {node: w-3}}]\n");
    insta::assert_snapshot!(printed(&mut directory.rollcast(SIMULATE), 0));
}

#[test]
fn a_play_is_told_step_by_step_in_chinese() {
    let directory = directory("timings: {podReadyAfter: {least: 10s, most: 10s}}\n");
    insta::assert_snapshot!(printed(directory.rollcast(SIMULATE).args(["--lang", "zh"]), 0));
}

#[test]
fn a_play_that_never_finishes_is_a_finding() {
    let directory = directory("events: [{at: 0s, behave: {nodes: [w-1], readyAfter: Never}}]\n");
    let text = printed(&mut directory.rollcast(SIMULATE), 1);
    assert!(text.contains("✗ Never finishes"), "{text}");
}

#[test]
fn equal_seeds_give_equal_traces_and_the_report_names_their_hash() {
    let directory = directory("timings: {podReadyAfter: {median: 20s, p95: 50s}}\n");
    let play = |seed: &str, file: &str| -> (String, Vec<u8>) {
        let arguments = ["--seed", seed, "--trace", file, "-o", "json"];
        let json: Value = serde_json::from_str(&printed(directory.rollcast(SIMULATE).args(arguments), 0)).unwrap();
        assert_eq!((&json["kind"], &json["report"]["seed"].to_string()), (&"SimulateReport".into(), &seed.to_owned()));
        let bytes = std::fs::read(directory.path(file)).unwrap();
        (json["report"]["traceHash"].as_str().unwrap().to_owned(), bytes)
    };
    let (first, bytes) = play("5", "one.jsonl");
    assert_eq!(hash(&bytes).to_string(), first);
    assert_eq!(read_trace(&bytes).unwrap().end.end, TraceOutcome::Complete);
    assert_eq!(play("5", "two.jsonl"), (first.clone(), bytes));
    assert_ne!(play("6", "three.jsonl").0, first);
}

#[test]
fn a_trace_that_cannot_be_written_says_so() {
    let directory = directory("");
    let said = contains("cannot write `missing/trace.jsonl`: no such file or directory");
    directory.rollcast(SIMULATE).args(["--trace", "missing/trace.jsonl"]).assert().code(3).stderr(said);
}

#[test]
fn every_problem_of_a_scenario_is_shown_at_its_line_and_nothing_is_played() {
    let directory = directory("sede: 3\nevents: [{at: -1s, cordon: {node: w-1}}, {at: 1s, cordon: {node: x-1}}]\n");
    let said = contains("did you mean `seed`?")
        .and(contains("this lies before the start"))
        .and(contains("there is no node `x-1` then"))
        .and(contains("scenario.yaml:"))
        .and(contains("could not be understood"));
    directory.rollcast(SIMULATE).assert().code(3).stdout("").stderr(said);
    directory.rollcast(["simulate", "-f", "nothing.yaml"]).assert().code(3).stderr(contains("no such file"));
    directory.rollcast(["simulate"]).assert().code(2).stderr(contains("--filename"));
}

#[test]
fn further_files_are_looked_for_where_the_scenario_stands() {
    let nodes = printed(&mut crate::rollcast(["nodes", "--pool", "name=n,count=2"]), 0);
    let text = scenario("").replace("  pools:\n  - {name: w, count: 3}\n", "  files: [nodes.yaml]\n");
    let directory = Directory::with([("below/scenario.yaml", &text), ("below/nodes.yaml", &nodes)]);
    let text = printed(&mut directory.rollcast(["simulate", "-f", "below/scenario.yaml"]), 0);
    assert!(text.contains("on 2 nodes"), "{text}");
    std::fs::remove_file(directory.path("below/nodes.yaml")).unwrap();
    let said = contains("`nodes.yaml` could not be read").and(contains("no such file"));
    directory.rollcast(["simulate", "-f", "below/scenario.yaml"]).assert().code(3).stderr(said);
}

#[test]
fn the_schemas_are_printed() {
    for (name, title) in [("scenario", "Scenario"), ("trace", "Trace, line by line")] {
        let text = printed(&mut crate::rollcast(["simulate", "--schema", name]), 0);
        let schema: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(schema["title"], title);
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_was_played() {
    use std::process::{Command, Stdio};
    use std::time::Duration;
    // A pod that fails again and again for years: a play that goes on long enough to be interrupted.
    let text = scenario("patience: 8000h\nevents: [{at: 0s, behave: {failsAfter: 1s, readyAfter: Never}}]\n")
        .replace("count: 3", "count: 2000")
        .replace("    selector:", "    updateStrategy: {rollingUpdate: {maxUnavailable: 100%}}\n    selector:");
    let directory = Directory::with([("scenario.yaml", &text)]);
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("rollcast"));
    command.env_clear().env("LANG", "en_GB.UTF-8").args(SIMULATE).args(["--trace", "trace.jsonl"]);
    let child = command.current_dir(directory.path("")).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = child.spawn().unwrap();
    std::thread::sleep(Duration::from_secs(3));
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    let (stdout, stderr) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(130), "{stdout}{stderr}");
    assert!(stdout.contains("Interrupted after") && stderr.contains("note: interrupted"), "{stdout}{stderr}");
    let trace = read_trace(&std::fs::read(directory.path("trace.jsonl")).unwrap()).unwrap();
    assert_eq!(trace.end.end, TraceOutcome::Interrupted);
}

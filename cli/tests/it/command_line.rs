use predicates::prelude::*;
use predicates::str::contains;

use crate::{AGENT, Directory, rollcast};

#[test]
fn help_shows_examples_and_exit_codes() {
    let playing = ["forecast", "compare", "advise", "diagnose", "simulate", "import"];
    for command in ["explain", "plan", "check", "nodes", "serve"].into_iter().chain(playing) {
        let shown = contains("Examples:").and(contains("Exit codes:")).and(contains("rollcast "));
        rollcast([command, "--help"]).assert().success().stdout(shown);
    }
    rollcast(["--help"]).assert().success().stdout(contains("Exit codes:"));
}

#[test]
fn a_wrong_flag_is_wrong_use() {
    rollcast(["explain", "--frobnicate"]).assert().code(2).stderr(contains("--frobnicate"));
    rollcast(["elucidate"]).assert().code(2).stderr(contains("elucidate"));
    rollcast([]).assert().code(2).stderr(contains("Usage: rollcast"));
}

#[test]
fn who_names_a_file_without_its_flag_is_told_the_flag() {
    let directory = Directory::with([("agent.yaml", AGENT)]);
    let tip = contains("files and directories are named with -f");
    directory.rollcast(["explain", "agent.yaml"]).assert().code(2).stderr(tip.clone());
    directory.rollcast(["explain", "missing.yaml"]).assert().code(2).stderr(tip.not());
}

#[cfg(unix)]
#[test]
fn the_usage_of_a_kubectl_plugin_reads_as_it_is_typed() {
    let directory = tempfile::tempdir().unwrap();
    let plugin = directory.path().join("kubectl-rollcast");
    // A copy could not be started while another test forks: the file would count as open for writing.
    std::os::unix::fs::symlink(assert_cmd::cargo::cargo_bin!("rollcast"), &plugin).unwrap();
    let output = std::process::Command::new(plugin).args(["explain", "--help"]).output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    assert!(help.contains("Usage: kubectl rollcast explain"), "{help}");
}

#[test]
fn the_version_names_the_kubernetes_it_decides_as() {
    rollcast(["version"]).assert().success().stdout(contains("decides as Kubernetes 1.36"));
    let assert = rollcast(["version", "-o", "json"]).assert().success();
    let json: serde_json::Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
    assert_eq!(json["apiVersion"], "rollcast.dev/v1alpha1");
    assert_eq!(json["kind"], "Version");
    assert_eq!(json["report"]["kubernetes"], "1.36");
}

#[test]
fn completions_are_a_script_that_knows_the_subcommands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        rollcast(["completions", shell]).assert().success().stdout(contains("explain").and(contains("daemonset")));
    }
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("rollcast"))
        .args(["nodes", "--pool", "count=5000"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()), (Some(0), ""));
}

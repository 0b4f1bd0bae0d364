//! Input that nobody means well with: a clear message, in time, and never a backtrace.

use std::time::{Duration, Instant};

use predicates::prelude::*;
use predicates::str::contains;

use crate::{AGENT, Directory, rollcast};

#[test]
fn a_missing_file_is_named() {
    let said = contains("error: cannot read `missing.yaml`: no such file or directory");
    rollcast(["explain", "-f", "missing.yaml"]).assert().code(3).stderr(said.clone());
    rollcast(["check", "missing.yaml"]).assert().code(3).stderr(said);
    rollcast(["check", "missing.yaml", "--lang", "zh"]).assert().code(3).stderr(contains("文件或目录不存在"));
}

#[test]
fn a_directory_without_manifests_says_what_is_read() {
    let directory = Directory::with([("notes.txt", "x"), ("below/agent.yaml", AGENT)]);
    let said = contains("no manifests in directory `.`").and(contains("add -R"));
    directory.rollcast(["explain", "-f", "."]).assert().code(3).stderr(said);
    directory.rollcast(["explain", "-R", "-f", "."]).assert().code(0);
    let said = contains("files ending in .yaml, .yml or .json are read");
    Directory::with([("notes.txt", "x")]).rollcast(["check", "."]).assert().code(3).stderr(said);
}

#[test]
fn malformed_yaml_is_shown_at_its_line() {
    let directory = Directory::with([("agent.yaml", "kind: DaemonSet\nspec: [1, 2\nmore: x\n")]);
    let said = contains("agent.yaml:").and(contains("could not be understood")).and(contains("backtrace").not());
    directory.rollcast(["explain", "-f", "agent.yaml"]).assert().code(3).stderr(said);
    directory.rollcast(["check", "agent.yaml"]).assert().code(1).stdout(contains("error"));
}

#[test]
fn other_kinds_are_counted_and_skipped() {
    let directory = Directory::with([("all.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n")]);
    directory.rollcast(["explain", "-f", "."]).assert().code(2).stderr(contains("only 1 Secret"));
    directory.rollcast(["check", "."]).assert().code(0).stdout(contains("not looked at: 1 Secret"));
}

#[test]
fn nothing_at_all_is_no_daemon_set() {
    let directory = Directory::with([("empty.yaml", "")]);
    let assert = directory.rollcast(["explain", "-f", "empty.yaml"]).assert();
    assert!(matches!(assert.get_output().status.code(), Some(2 | 3)));
    assert.stderr(contains("error"));
}

#[test]
fn noise_ends_in_a_clear_problem_within_a_second() {
    let megabytes = |pattern: &str| pattern.repeat((10 << 20) / pattern.len());
    let texts = [
        ("NULs", "\0".repeat(10 << 20)),
        ("brackets", megabytes("[")),
        ("braces", megabytes("{\"a\":")),
        ("noise", megabytes("kj3 \u{7f}§ :- \t}{ ")),
        ("dashes", megabytes("- ")),
        ("words", megabytes("lorem ipsum dolor\n")),
        ("small brackets", "[".repeat(100_000)),
    ];
    for (name, text) in texts {
        for command in ["check", "explain"] {
            let started = Instant::now();
            let mut command =
                if command == "check" { rollcast(["check", "-"]) } else { rollcast(["explain", "-f", "-"]) };
            let assert = command.timeout(Duration::from_secs(20)).write_stdin(text.as_str()).assert();
            let output = assert.get_output();
            let said = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
            let said = String::from_utf8_lossy(&said);
            assert!(matches!(output.status.code(), Some(1..=3)), "{name}: {:?}\n{said}", output.status);
            assert!(said.contains("error") && !said.contains("internal error"), "{name}: {said}");
            assert!(said.len() < 20_000, "{name}: {} bytes of output", said.len());
            // A debug build on a busy machine is given more than the second that the release build needs.
            assert!(started.elapsed() < Duration::from_secs(10), "{name}: {:?}", started.elapsed());
        }
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_read_says_so() {
    use std::os::unix::fs::PermissionsExt;
    let directory = Directory::with([("agent.yaml", AGENT)]);
    let path = directory.0.path().join("agent.yaml");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::read(&path).is_ok() {
        // Root reads everything.
        return;
    }
    let said = contains("permission denied").and(contains("check the permissions"));
    directory.rollcast(["check", "agent.yaml"]).assert().code(3).stderr(said);
}

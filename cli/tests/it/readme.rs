//! The examples of the README, run: what it shows is what the command line prints.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A command of a `console` block, and the lines that the README shows beneath it.
struct Example {
    command: String,
    shown: Vec<String>,
}

/// The examples in order. A line that ends with a backslash goes on in the next one.
fn examples(text: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let (mut is_console, mut goes_on) = (false, false);
    for line in text.lines() {
        match line.strip_prefix("```") {
            Some(language) => is_console = language == "console",
            None if !is_console => {}
            None => {
                let last = examples.last_mut();
                let rest = line.trim_end_matches('\\');
                match (line.strip_prefix("$ "), last) {
                    (Some(command), _) => {
                        let command = command.trim_end_matches('\\').to_owned();
                        examples.push(Example { command, shown: Vec::new() });
                    }
                    (None, Some(last)) if goes_on => last.command.push_str(rest),
                    (None, Some(last)) => last.shown.push(line.to_owned()),
                    (None, None) => assert!(line.is_empty(), "`{line}` stands before the first command"),
                }
                goes_on = line.ends_with('\\');
            }
        }
    }
    examples
}

/// Whether the lines shown are those printed, `…` alone standing for any number of them.
fn shows(shown: &[String], printed: &[String]) -> Result<(), String> {
    let mut rest = printed;
    let mut skipped = false;
    for line in shown {
        if line == "…" {
            skipped = true;
            continue;
        }
        let found = if skipped { rest.iter().position(|other| other == line) } else { Some(0) };
        match found.and_then(|at| rest.get(at..)).and_then(<[String]>::split_first) {
            Some((first, after)) if first == line => rest = after,
            _ => {
                return Err(format!("shown: {line}\nprinted next: {}", rest.first().map_or("nothing", String::as_str)));
            }
        }
        skipped = false;
    }
    if skipped || rest.is_empty() { Ok(()) } else { Err(format!("not shown: {}", rest.join("\n"))) }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
    }
}

#[test]
fn the_examples_of_the_readme_print_what_it_shows() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(package.join("../README.md")).unwrap();
    let directory = tempfile::tempdir().unwrap();
    copy(&package.join("tests/readme"), directory.path());
    copy(&package.join("../tests/scenarios"), &directory.path().join("tests/scenarios"));
    let binary = PathBuf::from(assert_cmd::cargo::cargo_bin!("rollcast"));
    let path = format!("{}:/usr/bin:/bin", binary.parent().unwrap().display());
    let examples = examples(&text);
    assert!(examples.len() > 8, "the README was not understood");
    for Example { command, shown } in &examples {
        let output = Command::new("sh")
            .args(["-c", &format!("{{ {command}\n}} 2>&1")])
            .env_clear()
            .envs([("LANG", "en_GB.UTF-8"), ("PATH", &path)])
            .current_dir(directory.path())
            .output()
            .unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(matches!(output.status.code(), Some(0 | 1)), "$ {command}\n{printed}");
        let lines: Vec<String> = printed.lines().map(str::to_owned).collect();
        if let Err(difference) = shows(shown, &lines) {
            panic!("the README is not what is printed.\n$ {command}\n{difference}\n\nAll of it:\n{printed}");
        }
    }
}

#[test]
fn what_an_example_leaves_out_has_to_be_marked() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let printed = lines("a\nb\nc");
    for shown in ["a\nb\nc", "a\n…\nc", "…", "a\n…", "…\nc"] {
        assert_eq!(shows(&lines(shown), &printed), Ok(()), "{shown}");
    }
    for shown in ["a\nc", "a\nb", "a\n…\nd", "b\n…", ""] {
        assert!(shows(&lines(shown), &printed).is_err(), "{shown}");
    }
}

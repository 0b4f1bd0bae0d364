//! The API server's verdict on a manifest, offline: recorded answers, and those on published manifests.

use std::collections::BTreeSet;

use rollcast_core::KubernetesVersion;
use rollcast_core::manifest::{
    Located, ObjectKind, Problem, Review, Severity, Tree, read_documents, review_daemon_set,
};
use rollcast_tests::say::{say, skip};
use rollcast_tests::subject::{Kind, admit};
use rollcast_tests::vectors;
use serde_json::Value;

#[test]
fn every_recorded_verdict_is_given() {
    vectors::check(Kind::Admit);
}

/// More than a verdict: how much of the server's answer is the same.
#[derive(Default)]
struct Agreement {
    lines: usize,
    /// Accepted by both, or refused by both.
    verdicts: usize,
    /// Refused by both, and lenient decoding gives the same verdict.
    lenient: Share,
    /// Refused as invalid by both: exactly the fields that the server names.
    fields: Share,
    /// Accepted by both: the whole spec, not only what rules read.
    specs: Share,
    /// Accepted by both: warnings at exactly the same fields.
    warnings: Share,
    /// What differs, one line each.
    differences: Vec<String>,
}

#[derive(Default)]
struct Share {
    same: usize,
    all: usize,
}

impl Share {
    fn count(&mut self, same: bool) -> bool {
        self.all += 1;
        self.same += usize::from(same);
        same
    }
}

impl Agreement {
    fn count(&mut self, line: &Value) {
        let (expect, actual) = (&line["expect"], admit::answer(line));
        self.lines += 1;
        let errors = fields(&actual["errors"]);
        let (accepted, refused) = (expect["accepted"] == true, !errors.is_empty());
        if accepted == refused {
            self.differ(line, "errors", &expect["causes"], &actual["errors"]);
            return;
        }
        self.verdicts += 1;
        if refused {
            if expect["causes"].is_array() && !self.fields.count(fields(&expect["causes"]) == errors) {
                self.differ(line, "fields", &expect["causes"], &actual["errors"]);
            }
            let lenient = &expect["leniently"]["accepted"];
            if lenient.is_boolean() && !self.lenient.count(*lenient == actual["leniently"]["accepted"]) {
                self.differ(line, "leniently", &expect["leniently"], &actual["leniently"]);
            }
            return;
        }
        if expect["spec"].is_object() && !self.specs.count(expect["spec"] == actual["spec"]) {
            self.differ(line, "spec", &expect["spec"], &actual["spec"]);
        }
        let warned: BTreeSet<String> = expect["warnings"].as_array().into_iter().flatten().map(warned_field).collect();
        if !self.warnings.count(warned == fields(&actual["warnings"])) {
            self.differ(line, "warnings", &expect["warnings"], &actual["warnings"]);
        }
    }

    fn differ(&mut self, line: &Value, what: &str, expected: &Value, actual: &Value) {
        let name = line["name"].as_str().unwrap_or_default();
        self.differences.push(format!("{name}: {what}: expected {expected}, got {actual}"));
    }

    fn to_text(&self, name: &str) -> String {
        let Self { lines, verdicts, lenient, fields, specs, warnings, differences } = self;
        let share = |share: &Share| format!("{} of {}", share.same, share.all);
        let shown: Vec<&str> = differences.iter().take(20).map(String::as_str).collect();
        format!(
            "{name}: {verdicts} of {lines} verdicts, {} lenient verdicts, {} times exactly the server's fields, \
             {} whole specs, {} times the same warnings\n{}",
            share(lenient),
            share(fields),
            share(specs),
            share(warnings),
            shown.join("\n"),
        )
    }
}

fn fields(list: &Value) -> BTreeSet<String> {
    let items = list.as_array().into_iter().flatten();
    items.map(|item| item["field"].as_str().unwrap_or_default().to_owned()).collect()
}

/// The server writes the field in front of the words; about a volume as a whole it says its name.
fn warned_field(warning: &Value) -> String {
    warning.as_str().unwrap_or_default().split(": ").next().unwrap_or_default().to_owned()
}

#[test]
fn the_whole_answer_is_the_servers() {
    for file in vectors::files().iter().filter(|file| file.kind == Some(Kind::Admit)) {
        let mut agreement = Agreement::default();
        for line in &file.lines {
            agreement.count(&serde_json::from_str(line).unwrap());
        }
        say(&agreement.to_text(&file.name()));
        // Of files from elsewhere, what is promised is checked above.
        if file.path.starts_with(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors")) {
            assert_eq!(agreement.differences, Vec::<String>::new());
        }
    }
}

/// One row of the corpus' table of verdicts.
struct Row<'a> {
    file: &'a str,
    document: &'a str,
    name: &'a str,
    strict: bool,
    lenient: bool,
    why: &'a str,
}

impl<'a> Row<'a> {
    fn parse(line: &'a str) -> Self {
        let columns: Vec<&str> = line.split('\t').collect();
        let column = |index: usize| columns.get(index).copied().unwrap_or_default();
        Self {
            file: column(0),
            document: column(1),
            name: column(2),
            strict: column(4) == "yes",
            lenient: column(5) == "yes",
            why: column(6),
        }
    }

    /// Why another verdict than the server's is right here, where it is.
    fn explanation(&self) -> Option<&'static str> {
        self.why
            .contains("no kind \"DaemonSet\" is registered for version \"apps.kruise.io")
            .then_some("another project's kind: skipped, and said to be one")
    }
}

#[test]
fn the_corpus_gets_the_servers_verdicts() {
    let Some(corpus) = std::env::var_os("ROLLCAST_CORPUS").map(std::path::PathBuf::from) else {
        return skip("the corpus of published manifests", "ROLLCAST_CORPUS names no directory");
    };
    let table = std::fs::read_to_string(corpus.join("ADMIT.tsv")).unwrap();
    let rows: Vec<Row<'_>> = table.lines().skip(1).map(Row::parse).collect();
    let (mut strict, mut lenient, mut explained, mut unexplained) = (0, 0, Vec::new(), Vec::new());
    for row in &rows {
        let text = std::fs::read(corpus.join(row.file)).unwrap();
        let (found_strict, found_lenient) = verdicts(&text, row);
        strict += usize::from(found_strict == row.strict);
        lenient += usize::from(found_lenient == row.lenient);
        if (found_strict, found_lenient) != (row.strict, row.lenient) {
            let difference = format!(
                "  {} {} {}: accepted {found_strict}, leniently {found_lenient}; the server {}, {}",
                row.file, row.document, row.name, row.strict, row.lenient
            );
            match row.explanation() {
                Some(why) => explained.push(format!("{difference}: {why}")),
                None => unexplained.push(format!("{difference}: {}", row.why)),
            }
        }
    }
    say(&format!(
        "corpus: {strict} of {all} strict and {lenient} of {all} lenient verdicts are the server's; explained:\n{}",
        explained.join("\n"),
        all = rows.len(),
    ));
    assert_eq!(unexplained, Vec::<String>::new());
}

/// Whether the DaemonSet of a row is accepted, strictly and leniently. One without a name stands for text that cannot
/// be read.
fn verdicts(text: &[u8], row: &Row<'_>) -> (bool, bool) {
    let read = read_documents(text, KubernetesVersion::default());
    let is_error = |problem: &&Problem| problem.kind.severity() == Severity::Error;
    let of_that_name = |located: &&Located| {
        located.object.kind() == ObjectKind::DaemonSet
            && located
                .tree
                .get("metadata")
                .and_then(|metadata| metadata.get("name"))
                .and_then(Tree::as_str)
                .unwrap_or("")
                == row.name
    };
    let readable = !row.why.contains("yaml: ") || row.why.contains("already set");
    let Some(located) = read.objects.iter().find(of_that_name).filter(|_| readable) else {
        return (!read.has_errors(), !read.has_errors());
    };
    let inside = |problem: &&Problem| {
        let (outer, inner) = (located.tree.span, problem.span);
        problem.document == located.document && outer.start <= inner.start && inner.end <= outer.end
    };
    let errors: Vec<&Problem> = read.problems.iter().filter(is_error).filter(inside).collect();
    let lenient = Review { strict: false, ..Review::default() };
    let reviewed = review_daemon_set(&located.tree, &lenient);
    (errors.is_empty(), !reviewed.problems.iter().any(|problem| problem.kind.severity() == Severity::Error))
}

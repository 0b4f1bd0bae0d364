use serde::Serialize;

use crate::KubernetesVersion;
use crate::manifest::{Fix, Path, Problem, Severity, Span};
use crate::message::{Language, Words};

/// What `rollcast check` answers: every problem of every text.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckReport {
    /// The release whose API server was asked.
    pub kubernetes: KubernetesVersion,
    /// Problems that the API server refuses the object for, or for which it cannot be read.
    pub errors: u32,
    /// Problems that are accepted and most likely not meant.
    pub warnings: u32,
    /// Things worth knowing.
    pub notes: u32,
    /// The texts in the order they were read.
    pub texts: Vec<CheckedText>,
}

/// One text that was checked.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckedText {
    /// The name of the file, or `-`.
    pub name: String,
    /// DaemonSets in it, good or bad.
    pub daemon_sets: u32,
    /// Objects of kinds that are not looked at, by kind.
    pub skipped: Vec<KindCount>,
    /// The problems in order of their places.
    pub problems: Vec<ProblemReport>,
}

/// How many objects of a kind there are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct KindCount {
    /// The kind.
    pub kind: String,
    /// How many.
    pub count: u64,
}

/// A problem with its words.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProblemReport {
    /// How bad it is.
    pub severity: Severity,
    /// The stable name.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// The field; empty for a problem of the text itself.
    pub path: Path,
    /// Which document of the text, from 0.
    pub document: u32,
    /// Where.
    pub span: Span,
    /// The repair, where it is certain.
    pub fix: Option<Fix>,
}

impl ProblemReport {
    /// A problem in the words of a language.
    pub fn new(problem: &Problem, language: Language) -> Self {
        Self {
            severity: problem.kind.severity(),
            code: problem.kind.code(),
            message: problem.kind.words(language),
            path: problem.path.clone(),
            document: problem.document,
            span: problem.span,
            fix: problem.fix.clone(),
        }
    }
}

impl CheckReport {
    /// Takes in one more text.
    pub fn push(&mut self, text: CheckedText) {
        for problem in &text.problems {
            let counter = match problem.severity {
                Severity::Error => &mut self.errors,
                Severity::Warning => &mut self.warnings,
                Severity::Note => &mut self.notes,
            };
            *counter = counter.saturating_add(1);
        }
        self.texts.push(text);
    }
}

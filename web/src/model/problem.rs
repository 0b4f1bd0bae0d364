//! A fault in one of the documents, where the editor can underline it.

use serde::Serialize;

use crate::pack::{pack_enum, pack_struct};

/// How bad a problem is; only an error keeps the API server from accepting the object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Error,
    Warning,
    #[default]
    Info,
}

pack_enum!(Severity { 0 => Error, 1 => Warning, 2 => Info });

/// One problem with its place. The editor takes it as a JavaScript object; the names are what it reads.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Problem {
    pub severity: Severity,
    pub code: String,
    pub message: String,
    /// Path of the field, empty when the text as a whole is meant.
    pub path: String,
    /// First line, counted from 1.
    pub line: u32,
    /// First column, counted from 1.
    pub column: u32,
    /// Start in UTF-16 units, as the editor counts.
    pub from: u32,
    /// End in UTF-16 units, exclusive.
    pub to: u32,
}

pack_struct!(Problem { severity, code, message, path, line, column, from, to });

/// What the documents say beside the cluster and the rollout.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reviewed {
    /// What is wrong with each document.
    pub problems: [Vec<Problem>; 4],
    /// What is wrong with the knobs for `maxUnavailable`, `maxSurge` and `minReadySeconds`.
    pub knobs: [Option<String>; 3],
    /// What the scenario is called; may be empty.
    pub name: String,
    /// What the world says about each of its knobs.
    pub world: Vec<String>,
    /// And what holds where it says nothing.
    pub holding: Vec<String>,
}

pack_struct!(Reviewed { problems, knobs, name, world, holding });

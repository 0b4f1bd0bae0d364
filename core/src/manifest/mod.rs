//! Manifest text → objects and problems.
//!
//! Bytes become values here, once, and every problem is reported with its place. Two ways in: *documents* are what a
//! person edits (up to 4 MiB, full span tree, every problem, fixes); *dumps* are what `kubectl get -o json|yaml`
//! prints (any size, fed in chunks, one item at a time).

mod at;
mod decode;
mod default;
mod documents;
mod dump;
mod identity;
mod letters;
mod object_problem;
mod print;
mod problem;
mod scenario_problem;
pub mod schema;
mod tally;
mod tree;
mod validate;
mod yaml;

pub use crate::path::{Path, PathStep};
pub use decode::{DecodeProblem, Expected, Found};
pub(crate) use documents::read_object;
pub use documents::{Documents, Located, Object, read_documents};
pub use dump::{Dump, DumpReader, ITEM_LIMIT, is_dump};
pub use identity::{ObjectKind, TypeIdentity};
pub use object_problem::ObjectProblem;
pub use print::{PrintError, to_yaml};
pub use problem::{Fix, Problem, ProblemKind, Severity};
pub use scenario_problem::ScenarioProblem;
pub use tally::Tally;
pub use tree::{Entry, Position, Span, Tree, TreeValue};
pub use validate::{AdmissionWarning, Place, Review, Reviewed, Syntax, Takes, ValidationProblem, review_daemon_set};
pub use yaml::{DOCUMENT_LIMIT, Document, PROBLEM_LIMIT, SyntaxFault, TEXT_LIMIT, TextProblem, ValueKind, read_trees};

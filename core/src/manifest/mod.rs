//! Manifest text → objects and problems.
//!
//! Bytes become values here, once, and every problem is reported with its place. Two ways in: *documents* are what a
//! person edits (up to 4 MiB, full span tree, every problem, fixes); *dumps* are what `kubectl get -o json|yaml`
//! prints (any size, fed in chunks, one item at a time).

mod problem;
mod tree;

pub use problem::{Fix, Problem, ProblemKind, Severity};
pub use tree::{Entry, Path, PathStep, Position, Span, Tree, TreeValue};

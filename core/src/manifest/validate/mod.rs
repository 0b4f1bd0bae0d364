//! The API server's verdict on an `apps/v1` DaemonSet, offline: decoding, defaults, validation.
//!
//! The rules are those of Kubernetes 1.36; what differs in another release is what [`KubernetesVersion`] lists.

mod address;
mod allowance;
mod claim;
mod container;
mod daemon_set;
mod environment;
mod metadata;
mod mounts;
mod names;
mod network;
mod node;
mod place;
mod pod;
mod probes;
mod problem;
mod projected;
mod report;
mod resources;
mod rules;
mod scheduling;
mod security;
mod selector;
mod syntax;
mod template;
mod volume_drivers;
mod volumes;
mod warning;
mod warnings;

pub use problem::{Place, Takes, ValidationProblem};
pub use syntax::Syntax;
pub use warning::AdmissionWarning;

use serde_json::{Map, Value};

use super::at::At;
use super::decode::{self, DecodeProblem, Decoded, Decoding};
use super::default::{drop_switched_off_fields, fill_defaults};
use super::{Path, Problem, ProblemKind, Severity, Tree, schema};
use crate::KubernetesVersion;
use crate::api::Text;
use crate::json::value_at;
use node::Node;
use report::Report;

/// How an object is reviewed.
#[derive(Clone, Copy, Debug)]
pub struct Review<'a> {
    /// The text that the tree was read from, for fixes that quote it; may be empty.
    pub text: &'a str,
    /// The number of the document in that text, from 0.
    pub document: u32,
    /// Whether an unknown field is refused, as `kubectl apply` asks for, or only dropped.
    pub strict: bool,
    /// The namespace that the request goes to; an object that names another one is refused. Unknown when absent.
    pub namespace: Option<&'a str>,
    /// The object that exists, as an earlier review or the API server returned it: this is an update of it.
    pub before: Option<&'a Value>,
    /// The release of the API server.
    pub version: KubernetesVersion,
}

impl Default for Review<'_> {
    /// A creation with strict field validation in the release that everything is measured against.
    fn default() -> Self {
        Self {
            text: "",
            document: 0,
            strict: true,
            namespace: None,
            before: None,
            version: KubernetesVersion::default(),
        }
    }
}

/// What the API server would make of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Reviewed {
    /// The object with all its defaults, as the API server would return it. Where something was refused, what could
    /// be read of it.
    pub json: Value,
    /// Everything that is wrong: errors are what the server refuses, warnings are those it gives itself.
    pub problems: Vec<Problem>,
}

/// Decodes, defaults and validates an `apps/v1` DaemonSet. Reports every problem, in the order of the stages and
/// within them of the document; takes time linear in its size.
pub fn review_daemon_set(document: &Tree, review: &Review<'_>) -> Reviewed {
    let Review { text, document: number, strict, before, version, .. } = *review;
    let decoding = Decoding { text, document: number, strict, version };
    let Some(id) = schema::type_named("DaemonSet") else {
        return Reviewed { json: Value::Null, problems: Vec::new() };
    };
    let Decoded { mut json, mut problems } = decode::decode(id, document, decoding);
    check_identity(&json, document, review, &mut problems);
    fill_defaults(&mut json, version);
    drop_switched_off_fields(&mut json, before, version);
    let json = Value::Object(json);
    let daemon_set = Node::root(&json);
    let mut report = Report::new(document, number, &problems);
    daemon_set::validate_daemon_set(&daemon_set, before, version, &mut report);
    let mut found = report.into_problems();
    problems.append(&mut found);
    let refused = problems.iter().any(|problem| problem.kind.severity() == Severity::Error);
    let template = value_at(&json, "spec.template");
    let unchanged = before.is_some_and(|before| value_at(before, "spec.template") == template);
    if !refused && !unchanged {
        let mut report = Report::new(document, number, &[]);
        let spec = daemon_set.field("spec");
        warnings::warn_about_template(&spec.field("template"), &mut report);
        let mut found = report.into_problems();
        problems.append(&mut found);
    }
    Reviewed { json, problems }
}

fn check_identity(json: &Map<String, Value>, document: &Tree, review: &Review<'_>, problems: &mut Vec<Problem>) {
    let mut report = |problem: DecodeProblem, path: Path| {
        let span = place::place_of(document, &path);
        let kind = ProblemKind::Decode(problem);
        problems.push(Problem { kind, document: review.document, path, span, fix: None });
    };
    let text = |name: &str| json.get(name).and_then(Value::as_str).unwrap_or("");
    if !matches!(text("apiVersion"), "" | "apps/v1") {
        let written = Text::new(text("apiVersion"));
        report(DecodeProblem::WrongApiVersion { written }, At::ROOT.field("apiVersion").path());
    }
    if !matches!(text("kind"), "" | "DaemonSet") {
        report(DecodeProblem::WrongKind { written: Text::new(text("kind")) }, At::ROOT.field("kind").path());
    }
    let namespace = json.get("metadata").and_then(|metadata| metadata.get("namespace")).and_then(Value::as_str);
    if let (Some(written), Some(requested)) = (namespace.filter(|written| !written.is_empty()), review.namespace)
        && written != requested
    {
        let problem = DecodeProblem::OtherNamespace { written: Text::new(written), requested: Text::new(requested) };
        report(problem, At::ROOT.field("metadata").field("namespace").path());
    }
}

#[cfg(test)]
mod tests;

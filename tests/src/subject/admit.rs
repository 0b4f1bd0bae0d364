//! The API server's verdict on a manifest, offline.
//!
//! The answer: `errors` (each with `field` as the API server writes it, empty for a fault of the text itself, and
//! `line`, from 1), and when there are none `spec`, with defaults filled in; for an update also `generation`.

use rollcast_core::manifest::{
    Document, Problem, Review, Reviewed, Severity, Span, Tree, TreeValue, read_trees, review_daemon_set,
};
use serde_json::{Value, json};

/// The namespace that every recorded request went to.
const NAMESPACE: &str = "default";

/// Answers one line.
pub fn answer(line: &Value) -> Value {
    let text = |field: &str| line[field].as_str().unwrap_or_default();
    let before = line["before"].as_str().map(|before| review(before, true, None).1);
    let (problems, json) = review(text("manifest"), true, before.as_ref());
    let of = |severity: Severity| problems.iter().filter(move |problem| problem.kind.severity() == severity);
    let places = |severity: Severity| of(severity).map(place).collect::<Vec<Value>>();
    let errors = places(Severity::Error);
    if !errors.is_empty() {
        let (leniently, _) = review(text("manifest"), false, before.as_ref());
        let refused = leniently.iter().any(|problem| problem.kind.severity() == Severity::Error);
        return json!({"errors": errors, "leniently": {"accepted": !refused}});
    }
    let mut answer = json!({"errors": [], "warnings": places(Severity::Warning), "spec": json["spec"]});
    if let Some(before) = &before {
        answer["generation"] = json!(if before["spec"] == json["spec"] { 1 } else { 2 });
    }
    answer
}

fn place(problem: &Problem) -> Value {
    json!({"field": problem.path.to_string(), "line": problem.span.start.line, "code": problem.kind.code()})
}

/// What a request with this text as its body would meet: everything wrong, and the object with its defaults.
fn review(text: &str, strict: bool, before: Option<&Value>) -> (Vec<Problem>, Value) {
    // A request has one object; the server reads no further. To it, nothing at all is an object without fields.
    let document = read_trees(text.as_bytes()).into_iter().next();
    let nothing = || Document { tree: Some(Tree { value: TreeValue::Null, span: Span::default() }), problems: vec![] };
    let document = document.filter(|document| !document.problems.iter().any(is_nothing)).unwrap_or_else(nothing);
    let mut problems = document.problems;
    problems.retain(|problem| strict || !is_repeated_key(problem));
    let Some(tree) = document.tree else { return (problems, Value::Null) };
    let review = Review { text, strict, before, namespace: Some(NAMESPACE), ..Review::default() };
    let Reviewed { json, problems: found } = review_daemon_set(&tree, &review);
    problems.extend(found);
    (problems, json)
}

fn is_nothing(problem: &Problem) -> bool {
    problem.kind.code() == "nothing-to-read"
}

/// Only strict decoding refuses a key that is given twice.
fn is_repeated_key(problem: &Problem) -> bool {
    problem.kind.code() == "repeated-key"
}

//! Whether an answer conforms to what was recorded.
//!
//! An absent list is an empty one, an absent number 0, an absent flag false. Where upstream's choice is free, the
//! recording says what must be chosen, from what, and how many.

mod admit;
mod choice;

use std::fmt;

use serde_json::{Map, Value};

use crate::subject::Kind;
use choice::chosen;

/// A field in which the answer does not conform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The field, with its path.
    pub field: String,
    /// What was recorded.
    pub expected: String,
    /// What was answered.
    pub actual: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: expected {}, got {}", self.field, self.expected, self.actual)
    }
}

/// Every field of the answer to `line` that does not conform.
pub fn differences(kind: Kind, line: &Value, actual: &Value) -> Vec<Difference> {
    let mut found = Vec::new();
    let expect = &line["expect"];
    match kind {
        Kind::Sync => sync(expect, actual, &mut found),
        Kind::Fit => fit(expect, actual, &mut found),
        Kind::Admit => admit::compare(expect, actual, &mut found),
        Kind::Trajectory => {
            for field in ["steps", "complete", "endsAtSecond", "fewestAvailable", "mostPods"] {
                equal(field, &line[field], &actual[field], &mut found);
            }
        }
        Kind::Dynamics => dynamics(&line["script"], &actual["script"], &mut found),
    }
    found
}

fn sync(expect: &Value, actual: &Value, found: &mut Vec<Difference>) {
    equal("eligibility", &expect["eligibility"], &actual["eligibility"], found);
    chosen("createOnNodes", &expect["createOnNodes"], &actual["createOnNodes"], found);
    chosen("deletePods", &expect["deletePods"], &actual["deletePods"], found);
    for field in ["patchPods", "relabelPods", "eventReasons"] {
        same_elements(field, &expect[field], &actual[field], found);
    }
    for field in ["created", "createdRevision"] {
        equal(&format!("revisions.{field}"), &expect["revisions"][field], &actual["revisions"][field], found);
    }
    for field in ["updated", "deleted"] {
        same_elements(&format!("revisions.{field}"), &expect["revisions"][field], &actual["revisions"][field], found);
    }
    status("status", &expect["status"], &actual["status"], found);
    equal("error", &expect["error"], &actual["error"], found);
}

fn fit(expect: &Value, actual: &Value, found: &mut Vec<Difference>) {
    for field in ["fits", "plugin", "preemptionMightHelp", "requestsMilliCpu", "requestsMemoryBytes"] {
        equal(field, &expect[field], &actual[field], found);
    }
    same_elements("reasons", &expect["reasons"], &actual["reasons"], found);
}

fn dynamics(script: &Value, actual: &Value, found: &mut Vec<Difference>) {
    let script = elements(script);
    if elements(actual).len() != script.len() {
        differ("script", &Value::from(script.len()), &Value::from(elements(actual).len()), found);
    }
    for (index, step) in script.iter().enumerate() {
        let (action, got) = (step["do"].as_str().unwrap_or_default(), &actual[index]);
        let path = |field: &str| format!("script[{index}] {action}.{field}");
        if action != "sync" {
            same_elements(
                &path("requeueAfterSeconds"),
                &step["requeueAfterSeconds"],
                &got["requeueAfterSeconds"],
                found,
            );
            continue;
        }
        let expect = &step["expect"];
        let counts = ["creationAttempts", "created", "deletionAttempts", "deleted", "error"];
        for field in counts.into_iter().chain(["expectedCreations", "expectedDeletions"]) {
            equal(&path(field), &expect[field], &got[field], found);
        }
        same_elements(&path("requeueAfterSeconds"), &expect["requeueAfterSeconds"], &got["requeueAfterSeconds"], found);
        status(&path("status"), &expect["status"], &got["status"], found);
    }
}

/// A status that was written is not the same as none, even when all its numbers are 0.
fn status(path: &str, expected: &Value, actual: &Value, found: &mut Vec<Difference>) {
    if expected.is_object() == actual.is_object() {
        equal(path, expected, actual, found);
    } else {
        differ(path, expected, actual, found);
    }
}

/// Reports the deepest fields in which two values differ.
fn equal(path: &str, expected: &Value, actual: &Value, found: &mut Vec<Difference>) {
    match (expected, actual) {
        (Value::Object(left), Value::Object(right)) => {
            let mut keys: Vec<&String> = left.keys().chain(right.keys()).collect();
            keys.sort();
            keys.dedup();
            for key in keys {
                let side = |fields: &Map<String, Value>| fields.get(key).cloned().unwrap_or_default();
                equal(&format!("{path}.{key}"), &side(left), &side(right), found);
            }
        }
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            for (index, (left, right)) in left.iter().zip(right).enumerate() {
                equal(&format!("{path}[{index}]"), left, right, found);
            }
        }
        _ if is_empty(expected) && is_empty(actual) => {}
        _ if expected == actual => {}
        _ => differ(path, expected, actual, found),
    }
}

/// Reports two lists that do not hold the same elements equally often, in whatever order.
fn same_elements(path: &str, expected: &Value, actual: &Value, found: &mut Vec<Difference>) {
    let sorted = |value: &Value| {
        let mut texts: Vec<String> = elements(value).iter().map(Value::to_string).collect();
        texts.sort();
        texts
    };
    if sorted(expected) != sorted(actual) || !(actual.is_array() || is_empty(actual)) {
        differ(path, expected, actual, found);
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(value) => !value,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.values().all(is_empty),
    }
}

fn elements(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn differ(path: &str, expected: &Value, actual: &Value, found: &mut Vec<Difference>) {
    found.push(Difference { field: path.to_owned(), expected: shortened(expected), actual: shortened(actual) });
}

/// The value as text, cut where a person stops reading.
fn shortened(value: &Value) -> String {
    const LONGEST: usize = 400;
    let text = value.to_string();
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}… ({} characters)", &text[..end], text.chars().count()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fields(kind: Kind, line: &Value, actual: &Value) -> Vec<String> {
        differences(kind, line, actual).into_iter().map(|difference| difference.field).collect()
    }

    #[test]
    fn an_absent_list_is_empty_and_an_absent_number_is_0() {
        let line = json!({"expect": {
            "eligibility": {"a": {"shouldRun": true, "shouldContinueRunning": true}},
            "createOnNodes": {"count": 0, "must": []}, "deletePods": {"count": 0, "must": []},
            "revisions": {"created": false}, "status": {"numberReady": 0, "desiredNumberScheduled": 1}, "error": false,
        }});
        let answer = json!({
            "eligibility": {"a": {"shouldRun": true, "shouldContinueRunning": true}},
            "createOnNodes": [], "relabelPods": [], "revisions": {"deleted": []},
            "status": {"desiredNumberScheduled": 1, "numberAvailable": 0},
        });
        assert_eq!(differences(Kind::Sync, &line, &answer), []);
    }

    #[test]
    fn every_field_that_differs_is_named() {
        let line = json!({"expect": {
            "eligibility": {"a": {"shouldRun": true}}, "createOnNodes": {"count": 1, "must": ["a"]},
            "deletePods": {"count": 0, "must": []}, "patchPods": ["p"], "revisions": {"created": true, "createdRevision": 2},
            "status": {"desiredNumberScheduled": 1}, "eventReasons": ["Warning X", "Warning X"], "error": true,
        }});
        let answer =
            json!({"deletePods": ["p"], "eventReasons": ["Warning X"], "status": {"desiredNumberScheduled": 2}});
        assert_eq!(
            fields(Kind::Sync, &line, &answer),
            [
                "eligibility",
                "createOnNodes",
                "deletePods",
                "patchPods",
                "eventReasons",
                "revisions.created",
                "revisions.createdRevision",
                "status.desiredNumberScheduled",
                "error",
            ]
        );
    }

    #[test]
    fn a_status_that_was_not_written_is_not_one_of_zeros() {
        let line = json!({"expect": {"status": {"desiredNumberScheduled": 0}}});
        assert_eq!(fields(Kind::Sync, &line, &json!({})), ["status"]);
        assert_eq!(fields(Kind::Sync, &json!({"expect": {}}), &json!({"status": {}})), ["status"]);
    }

    #[test]
    fn reasons_compare_in_any_order() {
        let line = json!({"expect": {"fits": false, "plugin": "A", "reasons": ["x", "y"], "requestsMilliCpu": 1}});
        let answer = json!({"plugin": "A", "reasons": ["y", "x"], "requestsMilliCpu": 1});
        assert_eq!(differences(Kind::Fit, &line, &answer), []);
        assert_eq!(
            fields(Kind::Fit, &line, &json!({"plugin": "A", "reasons": ["y"]})),
            ["requestsMilliCpu", "reasons"]
        );
    }

    #[test]
    fn a_script_is_compared_step_by_step() {
        let line = json!({"script": [
            {"do": "secondsPass", "count": 1},
            {"do": "sync", "expect": {"created": 2, "deleted": {"v1": 1}, "requeueAfterSeconds": [1, 2]}},
            {"do": "podsBecomeReady", "count": 1, "requeueAfterSeconds": [11]},
        ]});
        let good = json!({"script": [{}, {"created": 2, "deleted": {"v1": 1, "v2": 0}, "requeueAfterSeconds": [2, 1]}, {"requeueAfterSeconds": [11]}]});
        assert_eq!(differences(Kind::Dynamics, &line, &good), []);
        let bad = json!({"script": [{}, {"created": 2, "deleted": {"v2": 1}, "status": {}}]});
        assert_eq!(
            fields(Kind::Dynamics, &line, &bad),
            [
                "script",
                "script[1] sync.deleted.v1",
                "script[1] sync.deleted.v2",
                "script[1] sync.requeueAfterSeconds",
                "script[1] sync.status",
                "script[2] podsBecomeReady.requeueAfterSeconds",
            ]
        );
    }
}

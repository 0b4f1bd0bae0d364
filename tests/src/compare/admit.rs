//! The API server's verdict: field paths and verdicts bind, words are ours.

use rollcast_core::api::DaemonSetSpec;
use serde_json::{Value, json};

use super::{Difference, differ, elements, equal};

/// Reports a wrong verdict, a refusal for another field than the server's, or a defaulted spec in which a field that
/// rules read differs.
pub fn compare(expect: &Value, actual: &Value, found: &mut Vec<Difference>) {
    let errors = elements(&actual["errors"]);
    if expect["accepted"] == true {
        if !errors.is_empty() || !actual["errors"].is_array() {
            differ("errors", &json!([]), &actual["errors"], found);
        } else if expect["spec"].is_object() {
            match (what_rules_read(&expect["spec"]), what_rules_read(&actual["spec"])) {
                (Ok(expected), Ok(got)) => equal("spec", &expected, &got, found),
                (_, unreadable) => differ("spec", &expect["spec"], &json!(format!("{unreadable:?}")), found),
            }
        }
        equal("generation", &expect["generation"], &actual["generation"], found);
        return;
    }
    let wanted = wanted(expect);
    if !errors.iter().any(|error| wanted.iter().any(|place| place.is_met_by(error))) {
        let named = if expect["causes"].is_array() { &expect["causes"] } else { &expect["message"] };
        differ("errors", named, &actual["errors"], found);
    }
}

/// The spec as `core` reads it: what the narrow types do not hold, no rule reads.
fn what_rules_read(spec: &Value) -> Result<Value, serde_json::Error> {
    let narrow: DaemonSetSpec = serde_json::from_value(spec.clone())?;
    let mut value = serde_json::to_value(&narrow)?;
    value["template"] = json!({
        "labels": narrow.template.labels(),
        "annotations": narrow.template.annotations(),
        "spec": narrow.template.spec(),
    });
    Ok(value)
}

/// Where the server says the fault is.
#[derive(Debug, PartialEq)]
enum Place {
    /// At a field, written with indexes and keys.
    Field(String),
    /// At a field whose indexes and keys the server leaves out (Go's JSON decoder).
    FieldWithoutIndexes(String),
    /// On a line. Go's YAML reader names the line where it gave up: that of the fault or the one after.
    Line(u64),
    /// The server names no place.
    Anywhere,
}

impl Place {
    fn is_met_by(&self, error: &Value) -> bool {
        let field = error["field"].as_str().unwrap_or_default();
        match self {
            Self::Field(wanted) => field == wanted,
            Self::FieldWithoutIndexes(wanted) => without_indexes(field) == *wanted,
            Self::Line(wanted) => error["line"].as_u64().is_some_and(|line| line.abs_diff(*wanted) <= 1),
            Self::Anywhere => true,
        }
    }
}

fn wanted(expect: &Value) -> Vec<Place> {
    let causes = elements(&expect["causes"]);
    if !causes.is_empty() {
        let field = |cause: &Value| Place::Field(cause["field"].as_str().unwrap_or_default().to_owned());
        return causes.iter().map(field).collect();
    }
    let message = expect["message"].as_str().unwrap_or_default();
    if let Some((field, _)) = between(message, "unknown field \"", "\"") {
        vec![Place::Field(field.to_owned())]
    } else if let Some((field, _)) = between(message, "Go struct field ", " of type") {
        let (_go_type, path) = field.split_once('.').unwrap_or(("", field));
        vec![Place::FieldWithoutIndexes(path.to_owned())]
    } else if let Some(line) = between(message, "line ", ":").and_then(|(line, _)| line.parse().ok()) {
        vec![Place::Line(line)]
    } else {
        vec![Place::Anywhere]
    }
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<(&'a str, &'a str)> {
    text.split_once(before)?.1.split_once(after)
}

fn without_indexes(field: &str) -> String {
    let mut depth = 0_u32;
    field
        .chars()
        .filter(|character| {
            let inside = depth > 0;
            match character {
                '[' => depth += 1,
                ']' => depth = depth.saturating_sub(1),
                _ => return !inside,
            }
            false
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conforms(expect: &Value, actual: &Value) -> bool {
        let mut found = Vec::new();
        compare(expect, actual, &mut found);
        found.is_empty()
    }

    #[test]
    fn a_refusal_is_at_a_field_the_server_names() {
        let invalid = json!({"accepted": false, "causes": [{"field": "a.b"}, {"field": "a.c[0].d"}]});
        assert!(conforms(&invalid, &json!({"errors": [{"field": "x"}, {"field": "a.c[0].d"}]})));
        assert!(!conforms(&invalid, &json!({"errors": [{"field": "a.c[1].d"}]})));
        assert!(!conforms(&invalid, &json!({"errors": []})));
        let unknown = json!({"accepted": false, "message": "strict decoding error: unknown field \"spec.replicas\""});
        assert!(conforms(&unknown, &json!({"errors": [{"field": "spec.replicas"}]})));
        assert!(!conforms(&unknown, &json!({"errors": [{"field": "spec.replica"}]})));
    }

    #[test]
    fn a_decoding_fault_is_at_the_field_whatever_the_index() {
        let message = "json: cannot unmarshal number into Go struct field PodSpec.spec.nodeSelector of type string";
        let expect = json!({"accepted": false, "message": message});
        assert!(conforms(&expect, &json!({"errors": [{"field": "spec.nodeSelector[a.b/c]"}]})));
        assert!(!conforms(&expect, &json!({"errors": [{"field": "spec.nodeSelector.a"}]})));
    }

    #[test]
    fn a_fault_of_the_text_is_at_its_line() {
        let expect = json!({"accepted": false, "message": "yaml: line 8: found character that cannot start any token"});
        assert!(conforms(&expect, &json!({"errors": [{"field": "", "line": 8}]})));
        assert!(!conforms(&expect, &json!({"errors": [{"field": "", "line": 3}]})));
    }

    #[test]
    fn an_accepted_manifest_has_no_errors_and_the_same_defaults() {
        let spec = json!({"selector": {"matchLabels": {"a": "b"}}, "minReadySeconds": 3, "template": {"spec": {"hostNetwork": true}}});
        let expect = json!({"accepted": true, "spec": spec});
        assert!(conforms(&expect, &json!({"errors": [], "spec": spec})));
        assert!(!conforms(&expect, &json!({"errors": [{"field": "spec"}], "spec": spec})));
        assert!(!conforms(&expect, &json!({"errors": [], "spec": {"minReadySeconds": 4}})));
        assert!(!conforms(&expect, &json!({})));
    }
}

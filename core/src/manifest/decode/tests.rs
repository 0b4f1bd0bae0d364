use serde_json::json;

use super::*;
use crate::manifest::Entry;
use crate::manifest::schema::type_named;

/// A tree without places, from JSON.
pub(in crate::manifest) fn tree_of(value: &Value) -> Tree {
    let value = match value {
        Value::Null => TreeValue::Null,
        Value::Bool(value) => TreeValue::Bool(*value),
        Value::Number(number) => TreeValue::Number(number.clone()),
        Value::String(text) => TreeValue::String(text.clone()),
        Value::Array(items) => TreeValue::Sequence(items.iter().map(tree_of).collect()),
        Value::Object(entries) => TreeValue::Mapping(
            entries
                .iter()
                .map(|(key, value)| Entry { key: key.clone(), key_span: Span::default(), value: tree_of(value) })
                .collect(),
        ),
    };
    Tree { value, span: Span::default() }
}

fn read(kind: &str, value: &Value) -> (Value, Vec<String>) {
    let decoding = Decoding { text: "", document: 0, strict: true, version: KubernetesVersion::default() };
    let Decoded { json, problems } = decode(type_named(kind).unwrap(), &tree_of(value), decoding);
    let problems = problems.iter().map(|problem| format!("{} {}", problem.path, problem.kind.code())).collect();
    (Value::Object(json), problems)
}

#[test]
fn every_problem_is_reported_in_one_pass() {
    let (_, problems) = read(
        "PodSpec",
        &json!({
            "hostNetwork": "true",
            "containers": [
                {"name": "a", "ports": [{"containerPort": "80"}, {"containerPort": 80.5}], "command": "x"},
                {"name": true, "resources": {"requests": {"cpu": "1 core"}}, "imagepullPolicy": "Always"},
            ],
            "terminationGracePeriodSeconds": 99_999_999_999_i64,
            "nodeSelector": ["a"],
        }),
    );
    assert_eq!(
        problems,
        [
            "containers[0].command wrong-type",
            "containers[0].ports[0].containerPort wrong-type",
            "containers[0].ports[1].containerPort not-a-whole-number",
            "containers[1].imagepullPolicy unknown-field",
            "containers[1].name wrong-type",
            "containers[1].resources.requests[cpu] not-a-quantity",
            "hostNetwork wrong-type",
            "nodeSelector wrong-type",
        ]
    );
}

#[test]
fn null_goes_everywhere() {
    let (json, problems) = read(
        "DaemonSetSpec",
        &json!({"selector": null, "minReadySeconds": null, "template": {"spec": {"containers": [null]}}}),
    );
    assert!(problems.is_empty(), "{problems:?}");
    assert_eq!(
        json,
        json!({
            "selector": null,
            "template": {"metadata": {}, "spec": {"containers": [{"name": "", "resources": {}}]}},
            "updateStrategy": {},
        })
    );
}

#[test]
fn empty_values_are_dropped_unless_absent_means_something_else() {
    let (json, _) = read(
        "PodSpec",
        &json!({
            "hostNetwork": false, "hostUsers": false, "nodeName": "", "tolerations": [], "containers": [],
            "nodeSelector": {}, "securityContext": {}, "affinity": {},
        }),
    );
    assert_eq!(json, json!({"hostUsers": false, "containers": null, "securityContext": {}, "affinity": {}}));
}

#[test]
fn a_misplaced_field_is_told_where_it_belongs() {
    let decoding = Decoding { text: "", document: 0, strict: true, version: KubernetesVersion::default() };
    let tree = tree_of(&json!({"maxUnavailable": 1, "replicas": 3, "toleration": []}));
    let problems = decode(type_named("DaemonSetSpec").unwrap(), &tree, decoding).problems;
    let belongs: Vec<Option<&str>> = problems
        .iter()
        .map(|problem| match &problem.kind {
            ProblemKind::Decode(DecodeProblem::UnknownField { belongs_in, .. }) => belongs_in.as_deref(),
            _ => None,
        })
        .collect();
    assert_eq!(belongs, [Some("updateStrategy.rollingUpdate"), None, None]);
}

#[test]
fn times_are_written_back_in_whole_seconds_of_universal_time() {
    let time = |text: &str| read("ObjectMeta", &json!({"creationTimestamp": text}));
    let (json, problems) = time("2026-01-31T12:00:00.9+02:00");
    assert_eq!((json, problems.len()), (json!({"creationTimestamp": "2026-01-31T10:00:00Z"}), 0));
    for text in ["", "2026-01-31", "2026-01-31 12:00:00Z", "2026-01-31t12:00:00Z", "2026-01-31T12:00:00", "now"] {
        assert_eq!(time(text).1, ["creationTimestamp not-a-time"], "{text}");
    }
}

#[test]
fn what_is_not_text_is_offered_in_quotes() {
    let text = "value: yes";
    let place = |offset: u32| crate::manifest::Position { offset, line: 1, column: offset + 1 };
    let mut tree = tree_of(&json!({"name": "A", "value": true}));
    if let TreeValue::Mapping(entries) = &mut tree.value {
        entries[1].value.span = Span { start: place(7), end: place(10) };
    }
    let decoding = Decoding { text, document: 0, strict: true, version: KubernetesVersion::default() };
    let problems = decode(type_named("EnvVar").unwrap(), &tree, decoding).problems;
    assert_eq!(problems[0].fix.as_ref().unwrap().replacement, "\"yes\"");
}

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;

/// One field that differs between two versions of an object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FieldChange {
    /// The field, such as `spec.template.spec.containers[agent].image`; elements of a list that have names go by them.
    pub path: String,
    /// Its value before, as compact JSON, text without quotes; absent when the field is new.
    pub before: Option<String>,
    /// Its value afterwards; absent when the field is gone.
    pub after: Option<String>,
}

/// Every field that differs, in order of its path. An empty list or map equals an absent one, as it does in the API.
pub fn field_changes(before: &Value, after: &Value) -> Vec<FieldChange> {
    let mut changes = Vec::new();
    compare(&mut String::new(), before, after, &mut changes);
    changes
}

fn compare(path: &mut String, before: &Value, after: &Value, changes: &mut Vec<FieldChange>) {
    if before == after || (is_nothing(before) && is_nothing(after)) {
        return;
    }
    match (before, after) {
        (Value::Object(left), Value::Object(right)) => {
            let keys: BTreeSet<&String> = left.keys().chain(right.keys()).collect();
            for key in keys {
                let (left, right) = (left.get(key).unwrap_or(&Value::Null), right.get(key).unwrap_or(&Value::Null));
                let dot = if path.is_empty() { "" } else { "." };
                // A label key holds dots and slashes of its own.
                let step = if key.contains(['.', '/']) { format!("[{key}]") } else { format!("{dot}{key}") };
                below(path, &step, left, right, changes);
            }
        }
        (Value::Array(left), Value::Array(right)) => compare_lists(path, left, right, changes),
        _ => changes.push(FieldChange { path: path.clone(), before: shown(before), after: shown(after) }),
    }
}

fn below(path: &mut String, step: &str, before: &Value, after: &Value, changes: &mut Vec<FieldChange>) {
    let length = path.len();
    path.push_str(step);
    compare(path, before, after, changes);
    path.truncate(length);
}

fn compare_lists(path: &mut String, left: &[Value], right: &[Value], changes: &mut Vec<FieldChange>) {
    if let Some(identity) = identity_of(left).filter(|identity| identity_of(right) == Some(identity)) {
        let named = |list: &[Value]| -> Vec<String> {
            list.iter().filter_map(|element| element.get(identity)).filter_map(shown).collect()
        };
        let (left_names, right_names) = (named(left), named(right));
        let found = |names: &[String], list: &[Value], name: &String| {
            let position = names.iter().position(|candidate| candidate == name);
            position.and_then(|position| list.get(position)).cloned().unwrap_or_default()
        };
        let count = changes.len();
        let only_right = right_names.iter().filter(|name| !left_names.contains(name));
        for name in left_names.iter().chain(only_right) {
            let (left, right) = (found(&left_names, left, name), found(&right_names, right, name));
            below(path, &format!("[{name}]"), &left, &right, changes);
        }
        if changes.len() == count {
            // The same elements in another order make another template all the same.
            let order = |names: &[String]| Some(names.join(", "));
            changes.push(FieldChange { path: path.clone(), before: order(&left_names), after: order(&right_names) });
        }
    } else if left.len() == right.len() {
        for (index, (left, right)) in left.iter().zip(right).enumerate() {
            below(path, &format!("[{index}]"), left, right, changes);
        }
    } else {
        let list = |elements: &[Value]| shown(&Value::Array(elements.to_vec()));
        changes.push(FieldChange { path: path.clone(), before: list(left), after: list(right) });
    }
}

/// The field that tells the elements of a list apart, if they all have it and no two the same.
fn identity_of(list: &[Value]) -> Option<&'static str> {
    // `name` also of ports; mounts go by the path, since one volume may be mounted twice.
    ["mountPath", "name"].into_iter().find(|field| {
        let values: Vec<&str> = list.iter().filter_map(|element| element.get(field)?.as_str()).collect();
        !list.is_empty() && values.len() == list.len() && values.iter().collect::<BTreeSet<_>>().len() == list.len()
    })
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(elements) => elements.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    }
}

fn shown(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn changes(before: &Value, after: &Value) -> Vec<String> {
        let arrow = |change: FieldChange| {
            let side = |text: Option<String>| text.unwrap_or_else(|| "nothing".to_owned());
            format!("{}: {} → {}", change.path, side(change.before), side(change.after))
        };
        field_changes(before, after).into_iter().map(arrow).collect()
    }

    #[test]
    fn containers_go_by_their_names() {
        let before = json!({"spec": {"containers": [{"name": "a", "image": "v1"}, {"name": "b", "image": "v1"}]}});
        let after = json!({"spec": {"containers": [{"name": "b", "image": "v2"}, {"name": "a", "image": "v1"},
            {"name": "c", "image": "v9"}]}});
        assert_eq!(
            changes(&before, &after),
            ["spec.containers[b].image: v1 → v2", r#"spec.containers[c]: nothing → {"image":"v9","name":"c"}"#]
        );
    }

    #[test]
    fn another_order_is_a_change() {
        let before = json!({"env": [{"name": "A"}, {"name": "B"}]});
        let after = json!({"env": [{"name": "B"}, {"name": "A"}]});
        assert_eq!(changes(&before, &after), ["env: A, B → B, A"]);
    }

    #[test]
    fn keys_with_dots_stand_in_brackets() {
        let before = json!({"labels": {"app.kubernetes.io/name": "x"}});
        assert_eq!(changes(&before, &json!({"labels": null})), [r#"labels: {"app.kubernetes.io/name":"x"} → nothing"#]);
        let after = json!({"labels": {"app.kubernetes.io/name": "y"}});
        assert_eq!(changes(&before, &after), ["labels[app.kubernetes.io/name]: x → y"]);
    }

    #[test]
    fn an_empty_list_is_no_change_from_an_absent_one() {
        assert!(changes(&json!({"a": [], "b": {}}), &json!({"a": null})).is_empty());
        assert_eq!(changes(&json!({"a": [1]}), &json!({"a": [1, 2]})), ["a: [1] → [1,2]"]);
        assert_eq!(changes(&json!({"a": [1]}), &json!({"a": [2]})), ["a[0]: 1 → 2"]);
    }
}

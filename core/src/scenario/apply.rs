use serde_json::{Map, Value};

use crate::api::{DaemonSet, PodTemplate};
use crate::json::value_at;

/// The annotation in which `kubectl apply` keeps what was applied last.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// The annotation that `kubectl rollout restart` sets, which no manifest holds.
const RESTARTED_AT: &str = "kubectl.kubernetes.io/restartedAt";

/// The template that results when a manifest with the template `written` is applied over `before`.
///
/// Labels and annotations of the template that others set stay: those that are neither in the manifest nor in what was
/// applied last. Otherwise an apply would undo a `kubectl rollout restart`, and with it replace every pod. Where it is
/// not known what was applied last, only that annotation stays.
pub fn kept_by_apply(before: &DaemonSet, written: &PodTemplate) -> PodTemplate {
    let last_applied: Option<Value> =
        before.metadata.annotations.get(LAST_APPLIED).and_then(|text| crate::json::from_text(text));
    let applied = last_applied.as_ref().map(|object| value_at(object, "spec.template.metadata"));
    let live = value_at(before.spec.template.json(), "metadata");
    let mut json = written.json().clone();
    for map in ["annotations", "labels"] {
        let applied = applied.map(|metadata| map_in(metadata, map));
        for (key, value) in map_in(live, map).into_iter().flatten() {
            let is_of_others = match applied {
                Some(applied) => !applied.is_some_and(|applied| applied.contains_key(key)),
                None => key == RESTARTED_AT,
            };
            if is_of_others {
                keep(&mut json, map, key, value);
            }
        }
    }
    // What was read once with more or fewer labels is read again.
    PodTemplate::from_json(json).unwrap_or_else(|_| written.clone())
}

fn map_in<'a>(metadata: Option<&'a Value>, map: &str) -> Option<&'a Map<String, Value>> {
    metadata?.get(map)?.as_object()
}

fn keep(template: &mut Value, map: &str, key: &str, value: &Value) {
    let Some(template) = template.as_object_mut() else { return };
    let Some(metadata) = object_at(template, "metadata") else { return };
    if let Some(map) = object_at(metadata, map) {
        map.entry(key).or_insert_with(|| value.clone());
    }
}

fn object_at<'a>(parent: &'a mut Map<String, Value>, key: &str) -> Option<&'a mut Map<String, Value>> {
    let value = parent.entry(key).or_insert(Value::Null);
    if value.is_null() {
        *value = Value::Object(Map::new());
    }
    value.as_object_mut()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn live(last_applied: Option<Value>) -> DaemonSet {
        let annotations = last_applied.map(|last| json!({ LAST_APPLIED: last.to_string() }));
        let template = json!({"metadata": {"annotations": {RESTARTED_AT: "t", "mine": "1"}, "labels": {"app": "a"}}});
        serde_json::from_value(json!({"metadata": {"annotations": annotations}, "spec": {"template": template}}))
            .unwrap()
    }

    fn applied(last_applied: Option<Value>, written: Value) -> Value {
        kept_by_apply(&live(last_applied), &PodTemplate::from_json(written).unwrap()).json().clone()
    }

    #[test]
    fn a_restart_survives_the_next_apply() {
        let written = json!({"metadata": {"labels": {"app": "a"}}, "spec": {}});
        let kept = json!({"metadata": {"annotations": {RESTARTED_AT: "t"}, "labels": {"app": "a"}}, "spec": {}});
        assert_eq!(applied(None, written.clone()), kept);
        let last = json!({"spec": {"template": {"metadata": {"annotations": {"mine": "1"}, "labels": {"app": "a"}}}}});
        assert_eq!(applied(Some(last), written), kept, "what was applied and is written no more goes");
    }

    #[test]
    fn what_the_manifest_says_wins() {
        let last = json!({"spec": {"template": {"metadata": {"labels": {"app": "a"}}}}});
        let written = json!({"metadata": {"annotations": {"mine": "2"}}});
        let metadata = applied(Some(last), written)["metadata"].clone();
        assert_eq!(metadata["annotations"], json!({RESTARTED_AT: "t", "mine": "2"}));
    }
}

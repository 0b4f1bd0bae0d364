use serde_json::{Value, json};

use super::*;
use crate::manifest::decode::tests::tree_of;

/// A DaemonSet with nothing wrong, and `change` merged into it: objects are merged, everything else replaces.
fn agent(change: &Value) -> Value {
    let mut manifest = json!({
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": "agent"},
        "spec": {
            "selector": {"matchLabels": {"app": "agent"}},
            "template": {
                "metadata": {"labels": {"app": "agent"}},
                "spec": {"containers": [{"name": "main", "image": "agent:1"}]},
            },
        },
    });
    merge(&mut manifest, change);
    manifest
}

fn pod(change: &Value) -> Value {
    agent(&json!({"spec": {"template": {"spec": change}}}))
}

fn container(change: &Value) -> Value {
    let mut container = json!({"name": "main", "image": "agent:1"});
    merge(&mut container, change);
    pod(&json!({"containers": [container]}))
}

fn merge(target: &mut Value, change: &Value) {
    match (target, change) {
        (Value::Object(target), Value::Object(change)) => {
            for (key, value) in change {
                merge(target.entry(key.clone()).or_insert(Value::Null), value);
            }
        }
        (target, change) => *target = change.clone(),
    }
}

fn review_of(manifest: &Value, before: Option<&Value>) -> Reviewed {
    review_daemon_set(&tree_of(manifest), &Review { before, ..Review::default() })
}

/// `code path` of every problem, without the way to the pod's spec.
fn problems(manifest: &Value) -> Vec<String> {
    listed(&review_of(manifest, None))
}

fn listed(reviewed: &Reviewed) -> Vec<String> {
    let line =
        |problem: &Problem| format!("{} {}", problem.kind.code(), problem.path).replace("spec.template.spec.", "");
    reviewed.problems.iter().map(line).collect()
}

#[test]
fn nothing_is_wrong_with_a_plain_manifest() {
    assert_eq!(problems(&agent(&json!({}))), Vec::<String>::new());
}

#[test]
fn a_surge_needs_max_unavailable_written_as_zero() {
    let strategy = |change: Value| agent(&json!({"spec": {"updateStrategy": {"rollingUpdate": change}}}));
    let reviewed = review_of(&strategy(json!({"maxSurge": 1})), None);
    assert_eq!(listed(&reviewed), ["surge-beside-unavailable spec.updateStrategy.rollingUpdate.maxSurge"]);
    let by_default = ValidationProblem::SurgeBesideUnavailable { by_default: true };
    assert_eq!(reviewed.problems[0].kind, ProblemKind::Validation(by_default));
    assert_eq!(problems(&strategy(json!({"maxSurge": 1, "maxUnavailable": 0}))), Vec::<String>::new());
    assert_eq!(problems(&strategy(json!({"maxSurge": "0%", "maxUnavailable": 0}))).len(), 1);
}

#[test]
fn a_selector_must_match_the_template_and_something_at_all() {
    let selector = |selector: Value| {
        let mut manifest = agent(&json!({}));
        manifest["spec"]["selector"] = selector;
        problems(&manifest)
    };
    assert_eq!(selector(json!({"matchLabels": {"app": "x"}})), ["selector-mismatch spec.template.metadata.labels"]);
    assert_eq!(selector(json!({})), ["empty-selector spec.selector"]);
    assert_eq!(selector(Value::Null), ["selector-mismatch spec.template.metadata.labels"]);
}

#[test]
fn a_volume_with_a_fault_is_unknown_to_its_mounts() {
    let manifest = pod(&json!({
        "volumes": [{"name": "good", "emptyDir": {}}, {"name": "Bad", "hostPath": {"path": "/a/../b"}}],
        "containers": [{"name": "main", "image": "agent:1", "volumeMounts": [
            {"name": "good", "mountPath": "/good"}, {"name": "Bad", "mountPath": "/bad"},
        ]}],
    }));
    assert_eq!(
        problems(&manifest),
        [
            "malformed volumes[1].hostPath.path",
            "malformed volumes[1].name",
            "not-found containers[0].volumeMounts[1].name",
        ]
    );
}

#[test]
fn probes_belong_to_containers_that_keep_running() {
    let with_policy = |policy: Value| {
        pod(&json!({"initContainers": [{
            "name": "before", "image": "agent:1", "restartPolicy": policy, "startupProbe": {"exec": {"command": ["a"]}},
        }]}))
    };
    assert_eq!(problems(&with_policy(Value::Null)), ["not-allowed-here initContainers[0].startupProbe"]);
    assert_eq!(problems(&with_policy(json!("Always"))), Vec::<String>::new());
}

#[test]
fn what_cannot_be_shared_needs_a_limit_that_equals_the_request() {
    let resources = |resources: Value| problems(&container(&json!({"resources": resources})));
    assert_eq!(
        resources(json!({"requests": {"example.com/gpu": 1}})),
        ["limit-missing containers[0].resources.limits"]
    );
    assert_eq!(
        resources(json!({"requests": {"example.com/gpu": 1}, "limits": {"example.com/gpu": 2}})),
        ["request-not-limit containers[0].resources.requests"]
    );
    assert_eq!(
        resources(json!({"requests": {"cpu": "1500m"}, "limits": {"cpu": 1}})),
        ["request-above-limit containers[0].resources.requests"]
    );
    assert_eq!(resources(json!({"limits": {"example.com/gpu": 2}})), Vec::<String>::new());
}

#[test]
fn what_could_not_be_read_is_reported_once() {
    let manifest = container(&json!({"image": ["agent"], "ports": [{"containerPort": "http"}]}));
    assert_eq!(
        problems(&manifest),
        ["wrong-type containers[0].image", "wrong-type containers[0].ports[0].containerPort"]
    );
}

#[test]
fn an_update_keeps_the_selector_and_may_keep_what_is_no_longer_allowed() {
    let before = review_of(&agent(&json!({})), None).json;
    let mut manifest = agent(&json!({"spec": {"template": {"metadata": {"labels": {"tier": "node"}}}}}));
    assert_eq!(listed(&review_of(&manifest, Some(&before))), Vec::<String>::new());
    manifest["spec"]["selector"] = json!({"matchLabels": {"tier": "node"}});
    assert_eq!(listed(&review_of(&manifest, Some(&before))), ["immutable spec.selector"]);

    let compares = pod(&json!({"tolerations": [{"key": "a", "operator": "Gt", "value": "5"}]}));
    let before = review_of(&compares, None);
    assert_eq!(listed(&before), ["not-allowed-here tolerations[0].operator"]);
    assert_eq!(listed(&review_of(&compares, Some(&before.json))), Vec::<String>::new());
}

#[test]
fn warnings_come_with_acceptance_and_only_when_the_template_changes() {
    let manifest = container(&json!({"env": [{"name": "A", "value": "1"}, {"name": "A", "value": "2"}]}));
    let reviewed = review_of(&manifest, None);
    assert_eq!(listed(&reviewed), ["hides-variable containers[0].env[1]"]);
    assert_eq!(listed(&review_of(&manifest, Some(&reviewed.json))), Vec::<String>::new());
    let mut refused = manifest;
    refused["metadata"]["name"] = json!("A");
    assert_eq!(problems(&refused), ["malformed metadata.name"]);
}

#[test]
fn a_word_in_the_wrong_case_has_a_fix() {
    let tree = tree_of(&pod(&json!({"dnsPolicy": "clusterfirst"})));
    let reviewed = review_daemon_set(&tree, &Review::default());
    assert_eq!(reviewed.problems[0].fix.as_ref().unwrap().replacement, "ClusterFirst");
}

#[test]
fn features_that_are_off_leave_no_trace() {
    let reviewed = review_of(&container(&json!({"lifecycle": {"stopSignal": "SIGUSR1"}})), None);
    assert_eq!(listed(&reviewed), Vec::<String>::new());
    assert_eq!(reviewed.json.pointer("/spec/template/spec/containers/0/lifecycle"), None);
}

#[test]
fn the_number_of_problems_is_bounded() {
    let labels: Map<String, Value> = (0..5000).map(|index| (format!("a b{index}"), json!("x"))).collect();
    let found = problems(&agent(&json!({"metadata": {"labels": labels}})));
    assert_eq!(found.len(), decode::MOST_PROBLEMS);
}

//! Upstream's scenarios 97 to 100: what the API server accepts and refuses.

use rollcast_core::KubernetesVersion;
use rollcast_core::manifest::{Object, Review, Severity, read_documents, read_trees, review_daemon_set};
use serde_json::{Value, json};

/// A DaemonSet that is accepted.
fn manifest() -> Value {
    json!({
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": "abc", "namespace": "default"},
        "spec": {
            "selector": {"matchLabels": {"a": "b"}},
            "updateStrategy": {"type": "OnDelete"},
            "template": {
                "metadata": {"labels": {"a": "b"}},
                "spec": {"containers": [{"name": "abc", "image": "image"}]},
            },
        },
    })
}

/// Fields of the errors that a manifest gets, as a creation or as an update.
fn refused(manifest: &Value, before: Option<&Value>) -> Vec<String> {
    let text = manifest.to_string();
    let documents = read_trees(text.as_bytes());
    let [document] = documents.as_slice() else { panic!("one document") };
    let reviewed = review_daemon_set(
        document.tree.as_ref().expect("a tree"),
        &Review { text: &text, before, ..Review::default() },
    );
    let errors = reviewed.problems.iter().filter(|problem| problem.kind.severity() == Severity::Error);
    errors.map(|problem| problem.path.to_string()).collect()
}

/// Scenario 97.
#[test]
fn daemon_sets_that_are_accepted() {
    assert_eq!(refused(&manifest(), None), [""; 0]);
    for name in ["abc", "abc-123"] {
        let mut named = manifest();
        named["metadata"]["name"] = json!(name);
        assert_eq!(refused(&named, None), [""; 0]);
    }
    let mut host_network = manifest();
    host_network["spec"]["template"]["spec"]["hostNetwork"] = json!(true);
    host_network["spec"]["template"]["spec"]["containers"][0]["ports"] =
        json!([{"containerPort": 12345, "protocol": "TCP"}]);
    assert_eq!(refused(&host_network, None), [""; 0]);
}

/// Scenario 98. A missing namespace is filled in by whoever sends the object, so that no text is refused for it.
#[test]
fn daemon_sets_that_are_refused() {
    let cases: [(&str, Value, &str); 12] = [
        ("/metadata/name", json!(""), "metadata.name"),
        ("/spec/selector", Value::Null, "spec.template.metadata.labels"),
        ("/spec/selector", json!({}), "spec.selector"),
        ("/spec/selector/matchLabels", json!({"a": "other"}), "spec.template.metadata.labels"),
        ("/spec/template", json!({}), "spec.template.spec.containers"),
        ("/metadata/labels", json!({"NoUppercaseOrSpecialCharsLike=Equals": "bar"}), "metadata.labels"),
        ("/spec/template/metadata/labels", json!({"a": "b", "=": "bar"}), "spec.template.labels"),
        ("/metadata/annotations", json!({"NoUppercaseOrSpecialCharsLike=Equals": "bar"}), "metadata.annotations"),
        ("/spec/template/spec/restartPolicy", json!("OnFailure"), "spec.template.spec.restartPolicy"),
        ("/spec/template/spec/restartPolicy", json!("Never"), "spec.template.spec.restartPolicy"),
        (
            "/spec/template/spec/ephemeralContainers",
            json!([{"name": "e", "image": "i", "imagePullPolicy": "IfNotPresent", "terminationMessagePolicy": "File"}]),
            "spec.template.spec.ephemeralContainers",
        ),
        ("/spec/template/spec/containers", json!([]), "spec.template.spec.containers"),
    ];
    for (pointer, value, field) in cases {
        let mut manifest = manifest();
        let (parent, last) = pointer.rsplit_once('/').expect("a pointer");
        manifest.pointer_mut(parent).expect("a parent")[last] = value.clone();
        let found = refused(&manifest, None);
        assert!(found.iter().any(|found| found == field), "{pointer} = {value}: {found:?}");
    }
}

/// The manifest as the API server would have stored it.
fn stored() -> Value {
    let mut stored = manifest();
    stored["metadata"]["generation"] = json!(1);
    stored["metadata"]["annotations"] = json!({"deprecated.daemonset.template.generation": "1"});
    stored
}

/// Scenario 99. Generations are the server's to raise; an update names none.
#[test]
fn updates_that_are_accepted() {
    let mut container = manifest();
    container["spec"]["template"]["spec"]["containers"][0]["image"] = json!("other");
    let mut strategy = manifest();
    strategy["spec"]["updateStrategy"] = json!({"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 1}});
    let mut label = manifest();
    label["spec"]["template"]["metadata"]["labels"]["c"] = json!("d");
    let mut volume = manifest();
    volume["spec"]["template"]["spec"]["volumes"] =
        json!([{"name": "data", "gcePersistentDisk": {"pdName": "disk", "readOnly": false}}]);
    let mut same = manifest();
    same["spec"]["template"]["spec"]["tolerations"] = json!([]);
    for update in [manifest(), container, strategy, label, volume, same] {
        assert_eq!(refused(&update, Some(&stored())), [""; 0], "{update}");
    }
}

/// Scenario 100, but for the template's generation, which no manifest sets.
#[test]
fn updates_that_are_refused() {
    let mut selector = manifest();
    selector["spec"]["selector"] = json!({"matchLabels": {"a": "b", "/": "c"}});
    let mut containers = manifest();
    containers["spec"]["template"]["spec"]["containers"] = json!([]);
    let mut strategy = manifest();
    strategy["spec"]["updateStrategy"] = json!({"type": "Random"});
    let mut immutable = manifest();
    immutable["spec"]["selector"]["matchLabels"] = json!({"c": "d"});
    immutable["spec"]["template"]["metadata"]["labels"] = json!({"c": "d"});
    let cases = [
        (selector, "spec.selector"),
        (containers, "spec.template.spec.containers"),
        (strategy, "spec.updateStrategy"),
        (immutable, "spec.selector"),
    ];
    for (update, field) in cases {
        let found = refused(&update, Some(&stored()));
        assert!(found.iter().any(|found| found.starts_with(field)), "{field}: {found:?}");
    }
}

/// What the reader makes of the manifest is what the tests above speak of.
#[test]
fn the_manifest_is_read_as_a_daemon_set() {
    let documents = read_documents(manifest().to_string().as_bytes(), KubernetesVersion::default());
    let [located] = documents.objects.as_slice() else { panic!("one object") };
    assert!(matches!(&located.object, Object::DaemonSet(daemon_set) if daemon_set.metadata.name == "abc"));
}

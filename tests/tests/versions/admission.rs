//! The API server: what it fills in, what it drops, what it refuses.

use rollcast_core::KubernetesVersion as Version;
use rollcast_core::manifest::{Review, Reviewed, Severity, read_trees, review_daemon_set};
use serde_json::{Value, json};

use crate::since;

/// A DaemonSet whose pod spec has these fields besides one container.
fn manifest(spec: Value) -> Value {
    let mut pod = json!({"containers": [{"name": "main", "image": "registry.example/agent:v1"}]});
    let Value::Object(fields) = spec else { panic!("a pod spec is a map") };
    for (field, value) in fields {
        pod[field] = value;
    }
    json!({
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": "agent", "namespace": "default"},
        "spec": {
            "selector": {"matchLabels": {"app": "agent"}},
            "template": {"metadata": {"labels": {"app": "agent"}}, "spec": pod},
        },
    })
}

fn review(manifest: &Value, review: Review<'_>) -> Reviewed {
    let tree = read_trees(manifest.to_string().as_bytes()).remove(0).tree.expect("JSON is YAML");
    review_daemon_set(&tree, &review)
}

fn created(version: Version, manifest: &Value) -> Reviewed {
    review(manifest, Review { version, ..Review::default() })
}

/// What is refused: the field, and why in short.
fn errors(reviewed: &Reviewed) -> Vec<(String, &'static str)> {
    let errors = reviewed.problems.iter().filter(|problem| problem.kind.severity() == Severity::Error);
    let field = |path: &rollcast_core::manifest::Path| path.to_string().replace("spec.template.spec.", "");
    errors.map(|problem| (field(&problem.path), problem.kind.code())).collect()
}

fn refused(field: &str, code: &'static str) -> Vec<(String, &'static str)> {
    vec![(field.to_owned(), code)]
}

fn in_pod(reviewed: &Reviewed, pointer: &str) -> Option<Value> {
    reviewed.json.pointer("/spec/template/spec").and_then(|spec| spec.pointer(pointer)).cloned()
}

#[test]
fn a_plain_manifest_is_the_same_in_every_release() {
    let plain = manifest(json!({
        "hostNetwork": true,
        "initContainers": [{"name": "first", "image": "registry.example/first:v1"}],
        "nodeSelector": {"zone": "a"},
        "volumes": [{"name": "logs", "hostPath": {"path": "/var/log"}}],
    }));
    let default = review(&plain, Review::default());
    assert_eq!(errors(&default), []);
    for version in Version::ALL {
        assert_eq!(created(version, &plain), default, "under {version}");
    }
}

#[test]
fn a_template_on_the_hosts_network_has_its_host_ports_filled_in_until_1_28() {
    let ports = json!([{"containerPort": 9100}, {"containerPort": 53, "hostPort": 0, "protocol": "UDP"}]);
    let container = |name: &str| json!({"name": name, "image": "registry.example/agent:v1", "ports": ports});
    let on_host =
        json!({"hostNetwork": true, "containers": [container("main")], "initContainers": [container("init")]});
    let host_ports = |version: Version, spec: &Value| -> Vec<Option<Value>> {
        let reviewed = created(version, &manifest(spec.clone()));
        assert_eq!(errors(&reviewed), [], "under {version}");
        let pointers = ["containers/0/ports/0", "containers/0/ports/1", "initContainers/0/ports/0"];
        pointers.iter().map(|pointer| in_pod(&reviewed, &format!("/{pointer}/hostPort"))).collect()
    };
    let filled = vec![Some(json!(9100)), Some(json!(53)), Some(json!(9100))];
    since(Version::V1_28, &vec![None; 3], &filled, |version| host_ports(version, &on_host));
    let mut apart = on_host.clone();
    apart["hostNetwork"] = json!(false);
    for version in Version::ALL {
        assert_eq!(host_ports(version, &apart), vec![None; 3], "under {version}: the pod has a network of its own");
    }
}

#[test]
fn two_containers_with_one_port_on_the_hosts_network_are_found_out_by_the_daemon_set_until_1_28() {
    let container =
        |name: &str| json!({"name": name, "image": "registry.example/agent:v1", "ports": [{"containerPort": 9100}]});
    let both = manifest(json!({"hostNetwork": true, "containers": [container("one"), container("two")]}));
    // Later the DaemonSet is accepted, and each of its pods is refused.
    since(Version::V1_28, &vec![], &refused("containers[1].ports[0].hostPort", "duplicate"), |version| {
        errors(&created(version, &both))
    });
}

/// An init container that keeps running.
fn sidecar() -> Value {
    let probe = json!({"tcpSocket": {"port": 1}});
    json!({"name": "proxy", "image": "registry.example/proxy:v1", "restartPolicy": "Always", "readinessProbe": probe})
}

#[test]
fn sidecars_are_unknown_before_1_28_dropped_in_1_28_and_kept_since_1_29() {
    let with_sidecar = manifest(json!({"initContainers": [sidecar()]}));
    for version in Version::ALL {
        let reviewed = created(version, &with_sidecar);
        let probe = ("initContainers[0].readinessProbe".to_owned(), "not-allowed-here");
        let expected = match version {
            Version::V1_25 | Version::V1_26 | Version::V1_27 => {
                vec![("initContainers[0].restartPolicy".to_owned(), "newer-field"), probe]
            }
            // What is left is an init container that has to end, which is never ready.
            Version::V1_28 => vec![probe],
            _ => vec![],
        };
        assert_eq!(errors(&reviewed), expected, "under {version}");
        let kept = in_pod(&reviewed, "/initContainers/0/restartPolicy");
        assert_eq!(kept.is_some(), version >= Version::V1_29, "under {version}");
    }
}

#[test]
fn a_sidecar_that_is_there_stays_in_1_28() {
    let mut with_sidecar = manifest(json!({"initContainers": [sidecar()]}));
    let before = created(Version::V1_29, &with_sidecar).json;
    with_sidecar["spec"]["template"]["spec"]["containers"][0]["image"] = json!("registry.example/agent:v2");
    let update = Review { version: Version::V1_28, before: Some(&before), ..Review::default() };
    let reviewed = review(&with_sidecar, update);
    assert_eq!(errors(&reviewed), []);
    assert_eq!(in_pod(&reviewed, "/initContainers/0/restartPolicy"), Some(json!("Always")));
}

#[test]
fn without_strictness_a_field_of_a_later_release_is_dropped_with_a_warning() {
    let with_resources = manifest(json!({"resources": {"requests": {"cpu": "100m"}}}));
    let reviewed = review(&with_resources, Review { version: Version::V1_31, strict: false, ..Review::default() });
    assert_eq!(errors(&reviewed), []);
    assert_eq!(reviewed.problems.iter().map(|problem| problem.kind.code()).collect::<Vec<_>>(), ["newer-field"]);
    assert_eq!(in_pod(&reviewed, "/resources"), None);
}

#[test]
fn resources_of_the_pod_are_unknown_before_1_32_dropped_before_1_34_and_kept_since() {
    let with_resources = manifest(json!({"resources": {"requests": {"cpu": "100m"}}}));
    for version in Version::ALL {
        let reviewed = created(version, &with_resources);
        let expected = if version < Version::V1_32 { refused("resources", "newer-field") } else { vec![] };
        assert_eq!(errors(&reviewed), expected, "under {version}");
        assert_eq!(in_pod(&reviewed, "/resources").is_some(), version >= Version::V1_34, "under {version}");
    }
    let before = created(Version::V1_34, &with_resources).json;
    let update = Review { version: Version::V1_33, before: Some(&before), ..Review::default() };
    assert!(in_pod(&review(&with_resources, update), "/resources").is_some(), "what is in use stays");
}

#[test]
fn values_of_required_node_affinity_must_be_label_values_since_1_33() {
    let requirement = json!({"key": "zone", "operator": "In", "values": ["not a label value"]});
    let with_affinity =
        manifest(json!({"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution":
        {"nodeSelectorTerms": [{"matchExpressions": [requirement]}]}}}}));
    let field = "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]\
                 .matchExpressions[0].values[0]";
    since(Version::V1_33, &refused(field, "malformed"), &vec![], |version| errors(&created(version, &with_affinity)));
    let before = created(Version::V1_32, &with_affinity).json;
    assert_eq!(errors(&review(&with_affinity, Review { before: Some(&before), ..Review::default() })), []);
}

#[test]
fn a_volume_from_an_image_needs_its_reference_since_1_37() {
    let with_volume = manifest(json!({"volumes": [{"name": "model", "image": {"pullPolicy": "Always"}}]}));
    since(Version::V1_37, &refused("volumes[0].image.reference", "required"), &vec![], |version| {
        let mut errors = errors(&created(version, &with_volume));
        // Before 1.31 there are no such volumes at all.
        errors.retain(|(field, _)| field.ends_with(".reference"));
        errors
    });
    let before = created(Version::V1_36, &with_volume).json;
    let update = Review { version: Version::V1_37, before: Some(&before), ..Review::default() };
    assert_eq!(errors(&review(&with_volume, update)), [], "one that is there stays");
}

#[test]
fn tolerations_that_compare_numbers_are_known_as_switched_off_since_1_35() {
    let with_toleration = manifest(json!({"tolerations": [{"key": "load", "operator": "Gt", "value": "5"}]}));
    let operator = |code| refused("tolerations[0].operator", code);
    since(Version::V1_35, &operator("not-allowed-here"), &operator("not-supported"), |version| {
        errors(&created(version, &with_toleration))
    });
}

#[test]
fn a_projected_trust_bundle_is_unknown_before_1_29_dropped_before_1_37_and_kept_since() {
    let bundle = json!({"clusterTrustBundle": {"name": "roots", "path": "roots.pem"}});
    let token = json!({"serviceAccountToken": {"path": "token"}});
    let with_bundle = manifest(json!({"volumes": [{"name": "trust", "projected": {"sources": [token, bundle]}}]}));
    for version in Version::ALL {
        let reviewed = created(version, &with_bundle);
        let is_known = errors(&reviewed).iter().all(|(_, code)| *code != "newer-field");
        assert_eq!(is_known, version >= Version::V1_29, "under {version}");
        let kept = in_pod(&reviewed, "/volumes/0/projected/sources/1/clusterTrustBundle").is_some();
        assert_eq!(kept, version >= Version::V1_37, "under {version}");
    }
}

#[test]
fn a_field_is_refused_by_releases_that_do_not_know_it_yet() {
    let hook = json!({"preStop": {"sleep": {"seconds": 5}}});
    let profile = json!({"appArmorProfile": {"type": "RuntimeDefault"}});
    let mounted = json!({"name": "logs", "mountPath": "/logs", "readOnly": true, "recursiveReadOnly": "IfPossible"});
    let container = |field: &str, value: &Value| {
        json!({"containers": [{"name": "main", "image": "registry.example/agent:v1", field: value}],
               "volumes": [{"name": "logs", "emptyDir": {}}]})
    };
    for (change, field, spec) in [
        (Version::V1_26, "schedulingGates", json!({"schedulingGates": [{"name": "example.com/wait"}]})),
        (
            Version::V1_27,
            "resizePolicy",
            container("resizePolicy", &json!([{"resourceName": "cpu", "restartPolicy": "NotRequired"}])),
        ),
        (Version::V1_29, "lifecycle.preStop.sleep", container("lifecycle", &hook)),
        (Version::V1_30, "securityContext.appArmorProfile", container("securityContext", &profile)),
        (Version::V1_30, "volumeMounts[0].recursiveReadOnly", container("volumeMounts", &json!([mounted]))),
        (Version::V1_34, "hostnameOverride", json!({"hostnameOverride": "agent.example"})),
    ] {
        let field = if spec.get("containers").is_some() { format!("containers[0].{field}") } else { field.to_owned() };
        let with_field = manifest(spec);
        since(change, &None, &Some("newer-field"), |version| {
            let errors = errors(&created(version, &with_field));
            errors.into_iter().find(|(at, _)| *at == field).map(|(_, code)| code)
        });
    }
}

//! What the API server fills in, and what it silently drops, before it validates a DaemonSet
//! (`SetObjectDefaults_DaemonSet`, `pod.DropDisabledTemplateFields`, Kubernetes 1.36 with its default feature gates).

mod image;
mod switched_off;

use serde_json::{Map, Value, json};

pub(super) use switched_off::drop_switched_off_fields;

/// Annotations of releases long gone, which are dropped from pod templates.
const FORGOTTEN_ANNOTATIONS: [&str; 4] = [
    "pod.alpha.kubernetes.io/init-container-statuses",
    "pod.alpha.kubernetes.io/init-containers",
    "pod.beta.kubernetes.io/init-container-statuses",
    "pod.beta.kubernetes.io/init-containers",
];

type Object = Map<String, Value>;

/// Fills in the defaults of a decoded DaemonSet.
pub(super) fn fill_defaults(daemon_set: &mut Object) {
    let Some(spec) = object(daemon_set, "spec") else { return };
    fill_update_strategy(spec);
    fill(spec, "revisionHistoryLimit", || json!(10));
    let Some(template) = object(spec, "template") else { return };
    forget_annotations(template);
    if let Some(spec) = object(template, "spec") {
        fill_pod_spec(spec);
    }
}

fn fill_update_strategy(spec: &mut Object) {
    fill(spec, "updateStrategy", || json!({}));
    let Some(strategy) = object(spec, "updateStrategy") else { return };
    fill_text(strategy, "type", "RollingUpdate");
    if strategy.get("type").and_then(Value::as_str) == Some("RollingUpdate") {
        fill(strategy, "rollingUpdate", || json!({}));
        if let Some(rolling_update) = object(strategy, "rollingUpdate") {
            fill(rolling_update, "maxUnavailable", || json!(1));
            fill(rolling_update, "maxSurge", || json!(0));
        }
    }
    // What is left over from another strategy comes back with both numbers.
    if let Some(rolling_update) = object(strategy, "rollingUpdate") {
        fill(rolling_update, "maxUnavailable", || json!(0));
        fill(rolling_update, "maxSurge", || json!(0));
    }
}

fn forget_annotations(template: &mut Object) {
    let Some(metadata) = object(template, "metadata") else { return };
    if let Some(annotations) = object(metadata, "annotations") {
        for key in FORGOTTEN_ANNOTATIONS {
            annotations.remove(key);
        }
        if annotations.is_empty() {
            metadata.remove("annotations");
        }
    }
}

fn fill_pod_spec(spec: &mut Object) {
    fill_text(spec, "dnsPolicy", "ClusterFirst");
    fill_text(spec, "restartPolicy", "Always");
    fill_text(spec, "schedulerName", "default-scheduler");
    fill(spec, "securityContext", || json!({}));
    fill(spec, "terminationGracePeriodSeconds", || json!(30));
    fill_service_account(spec);
    for volume in objects(spec, "volumes") {
        fill_volume(volume);
    }
    for containers in ["initContainers", "containers", "ephemeralContainers"] {
        for container in objects(spec, containers) {
            fill_container(container);
        }
    }
}

/// The older of the two names says the same; the newer one wins.
fn fill_service_account(spec: &mut Object) {
    let name = |spec: &Object, field: &str| {
        spec.get(field).filter(|name| name.as_str().is_some_and(|name| !name.is_empty())).cloned()
    };
    if let Some(account) = name(spec, "serviceAccountName").or_else(|| name(spec, "serviceAccount")) {
        spec.insert("serviceAccount".to_owned(), account.clone());
        spec.insert("serviceAccountName".to_owned(), account);
    }
}

fn fill_container(container: &mut Object) {
    let image = container.get("image").and_then(Value::as_str).unwrap_or("");
    let policy = image::pull_policy(image);
    fill_text(container, "imagePullPolicy", policy);
    fill_text(container, "terminationMessagePath", "/dev/termination-log");
    fill_text(container, "terminationMessagePolicy", "File");
    for port in objects(container, "ports") {
        fill_text(port, "protocol", "TCP");
    }
    for variable in objects(container, "env") {
        if let Some(source) = object(variable, "valueFrom") {
            fill_field_reference(source);
            if let Some(key) = object(source, "fileKeyRef") {
                fill(key, "optional", || json!(false));
            }
        }
    }
    for probe in ["livenessProbe", "readinessProbe", "startupProbe"] {
        if let Some(probe) = object(container, probe) {
            fill_probe(probe);
        }
    }
    if let Some(lifecycle) = object(container, "lifecycle") {
        for handler in ["postStart", "preStop"] {
            if let Some(handler) = object(lifecycle, handler) {
                fill_http_get(handler);
            }
        }
    }
}

fn fill_probe(probe: &mut Object) {
    for (field, seconds) in
        [("timeoutSeconds", 1), ("periodSeconds", 10), ("successThreshold", 1), ("failureThreshold", 3)]
    {
        if probe.get(field).is_none_or(|value| value.is_null() || value.as_i64() == Some(0)) {
            probe.insert(field.to_owned(), json!(seconds));
        }
    }
    fill_http_get(probe);
    if let Some(grpc) = object(probe, "grpc") {
        fill(grpc, "service", || json!(""));
    }
}

fn fill_http_get(handler: &mut Object) {
    if let Some(http) = object(handler, "httpGet") {
        fill_text(http, "path", "/");
        fill_text(http, "scheme", "HTTP");
    }
}

fn fill_field_reference(owner: &mut Object) {
    if let Some(reference) = object(owner, "fieldRef") {
        fill_text(reference, "apiVersion", "v1");
    }
}

fn fill_volume(volume: &mut Object) {
    if !volume.iter().any(|(name, source)| name != "name" && !source.is_null()) {
        volume.insert("emptyDir".to_owned(), json!({}));
    }
    if let Some(image) = object(volume, "image") {
        let policy = image::pull_policy(image.get("reference").and_then(Value::as_str).unwrap_or(""));
        fill_text(image, "pullPolicy", policy);
    }
    if let Some(host_path) = object(volume, "hostPath") {
        fill(host_path, "type", || json!(""));
    }
    for source in ["secret", "configMap", "downwardAPI", "projected"] {
        if let Some(source) = object(volume, source) {
            fill(source, "defaultMode", || json!(0o644));
        }
    }
    if let Some(downward) = object(volume, "downwardAPI") {
        objects(downward, "items").for_each(fill_field_reference);
    }
    if let Some(projected) = object(volume, "projected") {
        for source in objects(projected, "sources") {
            if let Some(downward) = object(source, "downwardAPI") {
                objects(downward, "items").for_each(fill_field_reference);
            }
            if let Some(token) = object(source, "serviceAccountToken") {
                fill(token, "expirationSeconds", || json!(3600));
            }
        }
    }
    if let Some(ephemeral) = object(volume, "ephemeral")
        && let Some(template) = object(ephemeral, "volumeClaimTemplate")
        && let Some(spec) = object(template, "spec")
    {
        fill(spec, "volumeMode", || json!("Filesystem"));
    }
    fill_network_disk(volume);
}

fn fill_network_disk(volume: &mut Object) {
    if let Some(iscsi) = object(volume, "iscsi") {
        fill_text(iscsi, "iscsiInterface", "default");
    }
    if let Some(rbd) = object(volume, "rbd") {
        fill_text(rbd, "pool", "rbd");
        fill_text(rbd, "user", "admin");
        fill_text(rbd, "keyring", "/etc/ceph/keyring");
    }
    if let Some(disk) = object(volume, "azureDisk") {
        fill(disk, "cachingMode", || json!("ReadWrite"));
        fill(disk, "fsType", || json!("ext4"));
        fill(disk, "readOnly", || json!(false));
        fill(disk, "kind", || json!("Shared"));
    }
    if let Some(scale_io) = object(volume, "scaleIO") {
        fill_text(scale_io, "storageMode", "ThinProvisioned");
        fill_text(scale_io, "fsType", "xfs");
    }
}

/// The object in a field, when there is one.
fn object<'a>(owner: &'a mut Object, field: &str) -> Option<&'a mut Object> {
    owner.get_mut(field).and_then(Value::as_object_mut)
}

/// The objects of a list.
fn objects<'a>(owner: &'a mut Object, field: &str) -> impl Iterator<Item = &'a mut Object> {
    owner.get_mut(field).and_then(Value::as_array_mut).into_iter().flatten().filter_map(Value::as_object_mut)
}

fn fill(owner: &mut Object, field: &str, value: impl FnOnce() -> Value) {
    if owner.get(field).is_none_or(Value::is_null) {
        owner.insert(field.to_owned(), value());
    }
}

/// Fills a field for which empty text means absent.
fn fill_text(owner: &mut Object, field: &str, text: &str) {
    if owner.get(field).is_none_or(|value| value.is_null() || value.as_str() == Some("")) {
        owner.insert(field.to_owned(), Value::from(text));
    }
}

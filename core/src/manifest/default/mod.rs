//! What the API server fills in, and what it silently drops, before it validates a DaemonSet
//! (`SetObjectDefaults_DaemonSet`, `pod.DropDisabledTemplateFields`, Kubernetes 1.36 with its default feature gates).

mod image;
mod switched_off;

use serde_json::{Map, Value};

use crate::KubernetesVersion;
use Filling::{False, InsteadOfEmpty, InsteadOfZero, Number, Text};

pub(super) use switched_off::drop_switched_off_fields;

use crate::json::take_out;

/// Annotations of releases long gone, which are dropped from pod templates.
const FORGOTTEN_ANNOTATIONS: [&str; 4] = [
    "pod.alpha.kubernetes.io/init-container-statuses",
    "pod.alpha.kubernetes.io/init-containers",
    "pod.beta.kubernetes.io/init-container-statuses",
    "pod.beta.kubernetes.io/init-containers",
];

type Object = Map<String, Value>;

/// What an absent field holds.
#[derive(Clone, Copy)]
enum Filling {
    Object,
    False,
    Number(i64),
    /// A number that stands for zero as well.
    InsteadOfZero(i64),
    Text(&'static str),
    /// Text that stands for empty text as well.
    InsteadOfEmpty(&'static str),
}

/// Defaults by the way to a field; `[]` stands for every element.
type Defaults = [(&'static str, Filling)];

const OF_DAEMON_SET: &Defaults = &[
    ("updateStrategy", Filling::Object),
    ("updateStrategy.type", InsteadOfEmpty("RollingUpdate")),
    ("revisionHistoryLimit", Number(10)),
];

const OF_POD: &Defaults = &[
    ("dnsPolicy", InsteadOfEmpty("ClusterFirst")),
    ("restartPolicy", InsteadOfEmpty("Always")),
    ("schedulerName", InsteadOfEmpty("default-scheduler")),
    ("securityContext", Filling::Object),
    ("terminationGracePeriodSeconds", Number(30)),
];

const OF_VOLUME: &Defaults = &[
    ("hostPath.type", Text("")),
    ("secret.defaultMode", Number(0o644)),
    ("configMap.defaultMode", Number(0o644)),
    ("downwardAPI.defaultMode", Number(0o644)),
    ("projected.defaultMode", Number(0o644)),
    ("downwardAPI.items[].fieldRef.apiVersion", InsteadOfEmpty("v1")),
    ("projected.sources[].downwardAPI.items[].fieldRef.apiVersion", InsteadOfEmpty("v1")),
    ("projected.sources[].serviceAccountToken.expirationSeconds", Number(3600)),
    ("ephemeral.volumeClaimTemplate.spec.volumeMode", Text("Filesystem")),
    ("iscsi.iscsiInterface", InsteadOfEmpty("default")),
    ("rbd.pool", InsteadOfEmpty("rbd")),
    ("rbd.user", InsteadOfEmpty("admin")),
    ("rbd.keyring", InsteadOfEmpty("/etc/ceph/keyring")),
    ("azureDisk.cachingMode", Text("ReadWrite")),
    ("azureDisk.fsType", Text("ext4")),
    ("azureDisk.readOnly", False),
    ("azureDisk.kind", Text("Shared")),
    ("scaleIO.storageMode", InsteadOfEmpty("ThinProvisioned")),
    ("scaleIO.fsType", InsteadOfEmpty("xfs")),
];

const OF_CONTAINER: &Defaults = &[
    ("terminationMessagePath", InsteadOfEmpty("/dev/termination-log")),
    ("terminationMessagePolicy", InsteadOfEmpty("File")),
    ("ports[].protocol", InsteadOfEmpty("TCP")),
    ("env[].valueFrom.fieldRef.apiVersion", InsteadOfEmpty("v1")),
    ("env[].valueFrom.fileKeyRef.optional", False),
    ("lifecycle.postStart.httpGet.path", InsteadOfEmpty("/")),
    ("lifecycle.postStart.httpGet.scheme", InsteadOfEmpty("HTTP")),
    ("lifecycle.preStop.httpGet.path", InsteadOfEmpty("/")),
    ("lifecycle.preStop.httpGet.scheme", InsteadOfEmpty("HTTP")),
];

const OF_PROBE: &Defaults = &[
    ("timeoutSeconds", InsteadOfZero(1)),
    ("periodSeconds", InsteadOfZero(10)),
    ("successThreshold", InsteadOfZero(1)),
    ("failureThreshold", InsteadOfZero(3)),
    ("httpGet.path", InsteadOfEmpty("/")),
    ("httpGet.scheme", InsteadOfEmpty("HTTP")),
    ("grpc.service", Text("")),
];

/// Fills in the defaults of a decoded DaemonSet as this release does.
pub(super) fn fill_defaults(daemon_set: &mut Object, version: KubernetesVersion) {
    let Some(spec) = object(daemon_set, "spec") else { return };
    fill_all(spec, OF_DAEMON_SET);
    fill_rolling_update(spec);
    let Some(template) = object(spec, "template") else { return };
    forget_annotations(template);
    if let Some(spec) = object(template, "spec") {
        fill_pod_spec(spec, version);
    }
}

fn fill_rolling_update(spec: &mut Object) {
    let Some(strategy) = object(spec, "updateStrategy") else { return };
    let is_rolling = strategy.get("type").and_then(Value::as_str) == Some("RollingUpdate");
    if is_rolling {
        fill(strategy, "rollingUpdate", Filling::Object);
    }
    // What is left over from another strategy comes back with both numbers.
    fill_all(
        strategy,
        &[("rollingUpdate.maxUnavailable", Number(i64::from(is_rolling))), ("rollingUpdate.maxSurge", Number(0))],
    );
}

fn forget_annotations(template: &mut Object) {
    let Some(metadata) = object(template, "metadata") else { return };
    if let Some(annotations) = object(metadata, "annotations") {
        for key in FORGOTTEN_ANNOTATIONS {
            take_out(annotations, key);
        }
        if annotations.is_empty() {
            take_out(metadata, "annotations");
        }
    }
}

fn fill_pod_spec(spec: &mut Object, version: KubernetesVersion) {
    fill_all(spec, OF_POD);
    if version < KubernetesVersion::V1_28 {
        fill_host_ports(spec);
    }
    fill_service_account(spec);
    visit(spec, "volumes[].", &mut |volume, _| fill_volume(volume));
    for containers in CONTAINERS {
        visit(spec, containers, &mut |container, _| fill_container(container));
    }
}

/// The ways to the containers of a pod.
const CONTAINERS: [&str; 3] = ["initContainers[].", "containers[].", "ephemeralContainers[]."];

/// On the host's network a port of the container is one of the host. Since 1.28 only pods are told so, not templates.
fn fill_host_ports(spec: &mut Object) {
    if spec.get("hostNetwork") != Some(&Value::Bool(true)) {
        return;
    }
    for ports in ["containers[].ports[].containerPort", "initContainers[].ports[].containerPort"] {
        visit(spec, ports, &mut |port, field| {
            let number = port.get(field).and_then(Value::as_i64).unwrap_or(0);
            if number != 0 {
                fill(port, "hostPort", InsteadOfZero(number));
            }
        });
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
    fill(container, "imagePullPolicy", InsteadOfEmpty(policy));
    fill_all(container, OF_CONTAINER);
    for probe in ["livenessProbe", "readinessProbe", "startupProbe"] {
        if let Some(probe) = object(container, probe) {
            fill_all(probe, OF_PROBE);
        }
    }
}

fn fill_volume(volume: &mut Object) {
    if !volume.iter().any(|(name, source)| name != "name" && !source.is_null()) {
        volume.insert("emptyDir".to_owned(), Value::Object(Object::new()));
    }
    if let Some(image) = object(volume, "image") {
        let policy = image::pull_policy(image.get("reference").and_then(Value::as_str).unwrap_or(""));
        fill(image, "pullPolicy", InsteadOfEmpty(policy));
    }
    fill_all(volume, OF_VOLUME);
}

/// The object in a field, when there is one.
fn object<'a>(owner: &'a mut Object, field: &str) -> Option<&'a mut Object> {
    owner.get_mut(field).and_then(Value::as_object_mut)
}

fn fill_all(owner: &mut Object, defaults: &Defaults) {
    for (way, filling) in defaults {
        visit(owner, way, &mut |owner, field| fill(owner, field, *filling));
    }
}

/// Calls `act` for every object on the way that holds the field at its end.
fn visit(owner: &mut Object, way: &str, act: &mut dyn FnMut(&mut Object, &str)) {
    let Some((step, rest)) = way.split_once('.') else { return act(owner, way) };
    match owner.get_mut(step.trim_end_matches("[]")) {
        Some(Value::Array(elements)) if step.ends_with("[]") => {
            for element in elements.iter_mut().filter_map(Value::as_object_mut) {
                visit(element, rest, act);
            }
        }
        Some(Value::Object(inner)) if !step.ends_with("[]") => visit(inner, rest, act),
        _ => {}
    }
}

fn fill(owner: &mut Object, field: &str, filling: Filling) {
    let found = owner.get(field).unwrap_or(&Value::Null);
    let value = match filling {
        InsteadOfEmpty(text) if found.as_str() == Some("") => Value::from(text),
        InsteadOfZero(number) if found.as_i64() == Some(0) => Value::from(number),
        _ if !found.is_null() => return,
        Filling::Object => Value::Object(Object::new()),
        False => Value::Bool(false),
        Number(number) | InsteadOfZero(number) => Value::from(number),
        Text(text) | InsteadOfEmpty(text) => Value::from(text),
    };
    owner.insert(field.to_owned(), value);
}

use serde_json::Value;

use super::{Object, object, objects};
use crate::KubernetesVersion;
use crate::json::{take_out, value_at};

/// Removes the fields of features that are off by default in this release, unless the object that exists already uses
/// them.
pub(in crate::manifest) fn drop_switched_off_fields(
    daemon_set: &mut Object,
    before: Option<&Value>,
    version: KubernetesVersion,
) {
    let Some(spec) = object(daemon_set, "spec").and_then(|spec| object(spec, "template")) else { return };
    let Some(spec) = object(spec, "spec") else { return };
    let before = before.and_then(|before| value_at(before, "spec.template.spec"));
    if before.is_none_or(|spec| spec.get("schedulingGroup").is_none()) {
        take_out(spec, "schedulingGroup");
    }
    if version < KubernetesVersion::V1_34 && before.is_none_or(|spec| spec.get("resources").is_none()) {
        take_out(spec, "resources");
    }
    if version < KubernetesVersion::V1_29 && !before.is_some_and(uses_sidecars) {
        for container in objects(spec, "initContainers") {
            take_out(container, "restartPolicy");
        }
    }
    if !before.is_some_and(uses_stop_signals) {
        for containers in CONTAINERS {
            objects(spec, containers).for_each(drop_stop_signal);
        }
    }
    for (projection, on) in [("clusterTrustBundle", version >= KubernetesVersion::V1_37), ("podCertificate", false)] {
        if !on && !before.is_some_and(|spec| uses_projection(spec, projection)) {
            for volume in objects(spec, "volumes") {
                if let Some(projected) = object(volume, "projected") {
                    for source in objects(projected, "sources") {
                        take_out(source, projection);
                    }
                }
            }
        }
    }
}

const CONTAINERS: [&str; 3] = ["initContainers", "containers", "ephemeralContainers"];

fn drop_stop_signal(container: &mut Object) {
    let Some(lifecycle) = object(container, "lifecycle") else { return };
    if take_out(lifecycle, "stopSignal").is_some() && lifecycle.is_empty() {
        take_out(container, "lifecycle");
    }
}

fn items<'a>(owner: &'a Value, field: &str) -> impl Iterator<Item = &'a Value> {
    owner.get(field).and_then(Value::as_array).into_iter().flatten()
}

fn uses_sidecars(spec: &Value) -> bool {
    let is_sidecar = |container: &Value| container.get("restartPolicy").and_then(Value::as_str) == Some("Always");
    items(spec, "initContainers").any(is_sidecar)
}

fn uses_stop_signals(spec: &Value) -> bool {
    CONTAINERS
        .iter()
        .flat_map(|containers| items(spec, containers))
        .any(|container| value_at(container, "lifecycle.stopSignal").is_some())
}

fn uses_projection(spec: &Value, projection: &str) -> bool {
    items(spec, "volumes")
        .filter_map(|volume| volume.get("projected"))
        .flat_map(|projected| items(projected, "sources"))
        .any(|source| source.get(projection).is_some())
}

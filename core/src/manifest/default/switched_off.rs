use serde_json::Value;

use super::{CONTAINERS, Object, object, visit};
use crate::KubernetesVersion;
use crate::json::{any_at, take_out, value_at};

/// Removes the fields of features that are off by default in this release, unless the object that exists already uses
/// them.
pub(in crate::manifest) fn drop_switched_off_fields(
    daemon_set: &mut Object,
    before: Option<&Value>,
    version: KubernetesVersion,
) {
    let Some(template) = object(daemon_set, "spec").and_then(|spec| object(spec, "template")) else { return };
    let Some(spec) = object(template, "spec") else { return };
    let before = before.and_then(|before| value_at(before, "spec.template.spec"));
    let has = |way: &str| before.is_some_and(|before| any_at(before, way, &|_| true));
    let mut drop_at = |way: &str| visit(spec, way, &mut |owner, field| drop(take_out(owner, field)));
    if !has("schedulingGroup") {
        drop_at("schedulingGroup");
    }
    if version < KubernetesVersion::V1_34 && !has("resources") {
        drop_at("resources");
    }
    let is_always = |policy: &Value| policy == "Always";
    let has_sidecars = || before.is_some_and(|before| any_at(before, "initContainers[].restartPolicy", &is_always));
    if version < KubernetesVersion::V1_29 && !has_sidecars() {
        drop_at("initContainers[].restartPolicy");
    }
    for (way, on) in [
        ("volumes[].projected.sources[].clusterTrustBundle", version >= KubernetesVersion::V1_37),
        ("volumes[].projected.sources[].podCertificate", false),
    ] {
        if !on && !has(way) {
            drop_at(way);
        }
    }
    if !CONTAINERS.iter().any(|containers| has(&[containers, "lifecycle.stopSignal"].concat())) {
        for containers in CONTAINERS {
            visit(spec, containers, &mut |container, _| drop_stop_signal(container));
        }
    }
}

fn drop_stop_signal(container: &mut Object) {
    let Some(lifecycle) = object(container, "lifecycle") else { return };
    if take_out(lifecycle, "stopSignal").is_some() && lifecycle.is_empty() {
        take_out(container, "lifecycle");
    }
}

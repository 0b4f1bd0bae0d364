//! Which pods are the DaemonSet's own, for which node they count, and in which order.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use rollcast_core::KubernetesVersion;
use rollcast_core::api::{ConditionStatus, DaemonSet, Pod, PodPhase};
use rollcast_core::time::Timestamp;

/// The DaemonSet's own pods: owned and matching, or matching orphans, which are adopted. What is owned and matches no
/// longer is released.
pub fn claim<'a>(daemon_set: &DaemonSet, pods: &'a [Pod], patched: &mut BTreeSet<String>) -> Vec<&'a Pod> {
    let mut own = Vec::new();
    for pod in pods.iter().filter(|pod| pod.metadata.namespace == daemon_set.metadata.namespace) {
        let matches = daemon_set.spec.selector.matches(&pod.metadata.labels).unwrap_or(false);
        match pod.metadata.owner_references.iter().find(|owner| owner.controller) {
            Some(owner) if owner.uid != daemon_set.metadata.uid => {}
            Some(_) if matches => own.push(pod),
            Some(_) => {
                patched.insert(pod.metadata.name.to_string());
            }
            None if matches && pod.metadata.deletion_timestamp.is_none() => {
                patched.insert(pod.metadata.name.to_string());
                own.push(pod);
            }
            None => {}
        }
    }
    own
}

/// Pods by the node they are bound or pinned to, first in order first; what has ended and is being deleted is left out,
/// since 1.28.
pub fn by_node<'a>(version: KubernetesVersion, own: &[&'a Pod]) -> BTreeMap<&'a str, Vec<&'a Pod>> {
    let mut nodes: BTreeMap<&str, Vec<&Pod>> = BTreeMap::new();
    for pod in own {
        let ended = matches!(pod.status.phase, PodPhase::Failed | PodPhase::Succeeded);
        if ended && pod.metadata.deletion_timestamp.is_some() && version >= KubernetesVersion::V1_28 {
            continue;
        }
        if let Some(node) = target_node(pod) {
            nodes.entry(node).or_default().push(pod);
        }
    }
    for pods in nodes.values_mut() {
        pods.sort_by_key(|pod| {
            (pod.spec.node_name.is_empty(), pod.metadata.creation_timestamp, pod.metadata.name.clone())
        });
    }
    nodes
}

/// The node a pod is bound to, or else the one its affinity names.
pub fn target_node(pod: &Pod) -> Option<&str> {
    if !pod.spec.node_name.is_empty() {
        return Some(&pod.spec.node_name);
    }
    let terms = &pod.spec.affinity.node_affinity.required.as_ref()?.node_selector_terms;
    let mut fields = terms.iter().flat_map(|term| &term.match_fields);
    let pin = fields.find(|field| field.key == "metadata.name" && field.operator == "In")?;
    match pin.values.as_slice() {
        [node] => Some(node),
        _ => None,
    }
}

/// Ready for at least `min_ready_seconds`.
pub fn is_available(pod: &Pod, min_ready_seconds: i32, now: Timestamp) -> bool {
    let Some(ready) = pod.status.conditions.iter().find(|condition| condition.condition_type == "Ready") else {
        return false;
    };
    let wait = Duration::from_secs(u64::try_from(min_ready_seconds).unwrap_or(0));
    ready.status == ConditionStatus::True
        && (wait.is_zero() || ready.last_transition_time.is_some_and(|since| since.saturating_add(wait) <= now))
}

/// Ready, however long.
pub fn is_ready(pod: &Pod) -> bool {
    is_available(pod, 0, Timestamp::default())
}

/// Made from the newest template: by hash, or since 1.28 by template generation.
pub fn is_updated(version: KubernetesVersion, daemon_set: &DaemonSet, current_hash: Option<&str>, pod: &Pod) -> bool {
    let annotation = daemon_set.metadata.annotations.get("deprecated.daemonset.template.generation");
    let generation = annotation.and_then(|text| text.parse::<i64>().ok()).map(|number| number.to_string());
    let label = |key: &str| pod.metadata.labels.get(key).map(ToString::to_string);
    let by_generation =
        version >= KubernetesVersion::V1_28 && generation.is_some() && label("pod-template-generation") == generation;
    by_generation || carries(pod, current_hash)
}

/// Whether the pod carries this hash.
pub fn carries(pod: &Pod, hash: Option<&str>) -> bool {
    let label = pod.metadata.labels.get("controller-revision-hash").map(rollcast_core::api::Text::as_str);
    hash.is_some_and(|hash| !hash.is_empty()) && label == hash
}

use std::cmp::Reverse;

use super::{NodeUsage, PodDemand, takes_room};
use crate::KubernetesVersion;
use crate::api::{Pod, PodSpec};
use crate::order::sort_by_key;

/// Priority of `system-node-critical`.
pub const SYSTEM_NODE_CRITICAL: i32 = 2_000_001_000;
/// Priority of `system-cluster-critical`.
pub const SYSTEM_CLUSTER_CRITICAL: i32 = 2_000_000_000;

/// The priority of a pod: as filled in at admission, or what its class is known to mean. Absent when it names a class
/// that only the cluster knows.
pub fn priority_of(spec: &PodSpec) -> Option<i32> {
    spec.priority.or(match spec.priority_class_name.as_str() {
        "" => Some(0),
        "system-node-critical" => Some(SYSTEM_NODE_CRITICAL),
        "system-cluster-critical" => Some(SYSTEM_CLUSTER_CRITICAL),
        _ => None,
    })
}

/// Which pods would have to go from the node called `node` so that a pod of `priority` fits, the least important
/// first; `None` when no choice of pods of lower priority makes room (`defaultpreemption`, Kubernetes 1.36).
///
/// All pods of lower priority are taken away; if `fits`, told what those that are left take up and which they are,
/// then says yes, as many as possible are put back, the most
/// important first: higher priority, then older. `PodDisruptionBudgets`, which kube-scheduler spares where it can, are
/// not looked at. A pod whose priority is unknown counts as one of equal priority.
pub fn victims<'a>(
    node: &str,
    pods: &[&'a Pod],
    priority: i32,
    version: KubernetesVersion,
    fits: impl Fn(&NodeUsage, &[&Pod]) -> bool,
) -> Option<Vec<&'a Pod>> {
    let there = || pods.iter().copied().filter(|pod| takes_room(pod, node));
    let is_lower = |pod: &Pod| priority_of(&pod.spec).is_some_and(|other| other < priority);
    let mut kept: Vec<&Pod> = there().filter(|pod| !is_lower(pod)).collect();
    let mut usage = NodeUsage::of(node, kept.iter().copied(), version);
    if !fits(&usage, &kept) {
        return None;
    }
    let mut lower: Vec<&Pod> = there().filter(|pod| is_lower(pod)).collect();
    sort_by_key(&mut lower, |pod| {
        (Reverse(priority_of(&pod.spec)), pod.metadata.creation_timestamp, pod.metadata.key())
    });
    let mut victims = Vec::new();
    for pod in lower {
        let (key, demand) = (pod.metadata.key(), PodDemand::of_pod(pod, version));
        usage.add(&key, &demand);
        kept.push(pod);
        if !fits(&usage, &kept) {
            usage.remove(&key, &demand);
            kept.pop();
            victims.push(pod);
        }
    }
    victims.reverse();
    Some(victims)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn pod(name: &str, priority: Option<i32>, cpu: i64) -> Pod {
        serde_json::from_value(json!({"metadata": {"name": name}, "status": {"phase": "Running"},
            "spec": {"nodeName": "a", "priority": priority,
                "containers": [{"resources": {"requests": {"cpu": format!("{cpu}m")}}}]}}))
        .unwrap()
    }

    /// Names of the victims for a pod of 500m on a node of 1000m.
    fn victim_names(priority: i32, pods: &[Pod]) -> Option<Vec<String>> {
        let pods: Vec<&Pod> = pods.iter().collect();
        let victims = victims("a", &pods, priority, KubernetesVersion::V1_36, |usage, _| {
            usage.requested.milli_cpu + 500 <= 1000
        })?;
        Some(victims.iter().map(|pod| pod.metadata.name.to_string()).collect())
    }

    #[test]
    fn only_pods_of_lower_priority_are_victims() {
        assert_eq!(victim_names(0, &[pod("same", Some(0), 900)]), None);
        assert_eq!(victim_names(0, &[pod("absent is zero", None, 900)]), None);
        assert_eq!(victim_names(1, &[pod("lower", Some(0), 900)]).unwrap(), ["lower"]);
        assert_eq!(victim_names(1, &[pod("lower", Some(0), 400), pod("higher", Some(2), 600)]), None);
    }

    #[test]
    fn the_most_important_are_put_back_first() {
        let pods = [pod("least", Some(1), 300), pod("middle", Some(2), 300), pod("most", Some(3), 300)];
        assert_eq!(victim_names(9, &pods).unwrap(), ["least", "middle"]);
        let with_a_small_one = [pod("small", Some(1), 100), pod("large", Some(2), 600), pod("most", Some(3), 300)];
        assert_eq!(victim_names(9, &with_a_small_one).unwrap(), ["large"]);
    }

    #[test]
    fn a_class_that_only_the_cluster_knows_has_no_known_priority() {
        let spec = |json: serde_json::Value| serde_json::from_value::<PodSpec>(json).unwrap();
        assert_eq!(priority_of(&spec(json!({}))), Some(0));
        assert_eq!(priority_of(&spec(json!({"priorityClassName": "system-node-critical"}))), Some(2_000_001_000));
        assert_eq!(priority_of(&spec(json!({"priorityClassName": "system-cluster-critical"}))), Some(2_000_000_000));
        assert_eq!(priority_of(&spec(json!({"priorityClassName": "mine"}))), None);
        assert_eq!(priority_of(&spec(json!({"priorityClassName": "mine", "priority": 7}))), Some(7));
    }
}

use std::cmp::Reverse;

use super::{NodeUsage, PodDemand, takes_room};
use crate::KubernetesVersion;
use crate::api::{Pod, PodSpec, PriorityClass};
use crate::order::sort_by;

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

/// The class that admission gives a pod that has no priority yet: the one it names, else the one for pods that name none,
/// of several the lowest (`admission/priority`, Kubernetes 1.36).
pub fn priority_class_of<'a>(spec: &PodSpec, classes: &'a [PriorityClass]) -> Option<&'a PriorityClass> {
    if spec.priority_class_name.is_empty() {
        let defaults = classes.iter().filter(|class| class.global_default);
        return defaults.min_by_key(|class| class.value);
    }
    classes.iter().find(|class| class.metadata.name == spec.priority_class_name)
}

/// The pods on the node called `node`: those that a pod of `priority` may push away, and the others. A pod whose
/// priority is unknown counts as one of equal priority.
pub fn lower_and_others<'a>(node: &str, pods: &[&'a Pod], priority: i32) -> (Vec<&'a Pod>, Vec<&'a Pod>) {
    let there = pods.iter().copied().filter(|pod| takes_room(pod, node));
    there.partition(|pod| priority_of(&pod.spec).is_some_and(|other| other < priority))
}

/// Which pods of lower priority would have to go so that a pod fits that fits beside `kept`, the least important first
/// (`defaultpreemption`, Kubernetes 1.36).
///
/// All of `lower` is taken away; then as many as possible are put back, the most important first: higher priority, then
/// older. `fits` is told what those that are left take up, and which they are. `PodDisruptionBudgets`, which
/// kube-scheduler spares where it can, are not looked at.
pub fn victims<'a>(
    mut usage: NodeUsage,
    mut kept: Vec<&'a Pod>,
    mut lower: Vec<&'a Pod>,
    version: KubernetesVersion,
    fits: impl Fn(&NodeUsage, &[&Pod]) -> bool,
) -> Vec<&'a Pod> {
    let rank = |pod: &Pod| (Reverse(priority_of(&pod.spec)), pod.metadata.creation_timestamp);
    sort_by(&mut lower, |one, other| {
        rank(one).cmp(&rank(other)).then_with(|| one.metadata.compare_keys(&other.metadata))
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
    victims
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
    fn victim_names(priority: i32, pods: &[Pod]) -> Vec<String> {
        let version = KubernetesVersion::V1_36;
        let (lower, kept) = lower_and_others("a", &pods.iter().collect::<Vec<_>>(), priority);
        let usage = NodeUsage::of("a", kept.iter().copied(), version);
        let victims = victims(usage, kept, lower, version, |usage, _| usage.requested.milli_cpu + 500 <= 1000);
        victims.iter().map(|pod| pod.metadata.name.to_string()).collect()
    }

    #[test]
    fn only_pods_of_lower_priority_may_be_pushed_away() {
        let pods = [pod("same", Some(1), 1), pod("higher", Some(2), 1), pod("lower", Some(0), 1), pod("zero", None, 1)];
        let pods: Vec<&Pod> = pods.iter().collect();
        let (lower, others) = lower_and_others("a", &pods, 1);
        let names = |pods: &[&Pod]| pods.iter().map(|pod| pod.metadata.name.to_string()).collect::<Vec<_>>();
        assert_eq!((names(&lower), names(&others)), (texts(&["lower", "zero"]), texts(&["same", "higher"])));
        assert_eq!(lower_and_others("b", &pods, 1), (vec![], vec![]));
    }

    fn texts(list: &[&str]) -> Vec<String> {
        list.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn the_most_important_are_put_back_first() {
        let pods = [pod("least", Some(1), 300), pod("middle", Some(2), 300), pod("most", Some(3), 300)];
        assert_eq!(victim_names(9, &pods), ["least", "middle"]);
        let with_a_small_one = [pod("small", Some(1), 100), pod("large", Some(2), 600), pod("most", Some(3), 300)];
        assert_eq!(victim_names(9, &with_a_small_one), ["large"]);
    }

    #[test]
    fn a_pod_gets_the_class_it_names_or_the_default_one() {
        let class = |name: &str, value: i32, default: bool| -> PriorityClass {
            serde_json::from_value(json!({"metadata": {"name": name}, "value": value, "globalDefault": default}))
                .unwrap()
        };
        let classes = [class("high", 1000, false), class("usual", 20, true), class("other default", 10, true)];
        let value = |spec: serde_json::Value| {
            priority_class_of(&serde_json::from_value(spec).unwrap(), &classes).map(|class| class.value)
        };
        assert_eq!(value(json!({"priorityClassName": "high"})), Some(1000));
        assert_eq!(value(json!({"priorityClassName": "unknown"})), None);
        assert_eq!(value(json!({})), Some(10));
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

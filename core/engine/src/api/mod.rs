//! The narrow slice of Kubernetes objects that rules read.
//!
//! Names and nesting follow `k8s.io/api`. Every field may be absent or `null` in the input, as Go's decoder allows;
//! fields that no rule reads are dropped. Two things are kept verbatim as JSON because bytes matter there: a
//! DaemonSet's pod template and a ControllerRevision's data.

mod daemonset;
mod event;
mod meta;
mod node;
mod pod;
mod priority;
mod quantity;
mod revision;
mod selector;

pub use daemonset::{
    DaemonSet, DaemonSetSpec, DaemonSetStatus, IntOrString, MalformedTemplate, PodTemplate, RollingUpdate,
    UpdateStrategy, UpdateStrategyType,
};
pub use event::{Event, EventObject, EventSource};
pub use meta::{Labels, ObjectKey, ObjectMeta, OwnerReference};
pub use node::{Condition, ConditionStatus, Node, NodeSpec, NodeStatus, Taint, TaintEffect};
pub use pod::{
    Affinity, Container, ContainerPort, ContainerRunning, ContainerState, ContainerStatus, ContainerTerminated,
    ContainerWaiting, HostPort, NodeAffinity, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm, Pod,
    PodAffinity, PodAffinityTerm, PodAntiAffinity, PodPhase, PodResources, PodSpec, PodStatus, Toleration,
};
pub use priority::PriorityClass;
pub use quantity::digits;
pub use quantity::{ParseQuantityError, Quantity, ResourceList, ResourceRequirements};
pub use revision::ControllerRevision;
pub use selector::{LabelSelector, LabelSelectorRequirement, MalformedRequirement};

/// Short text that clones in constant time: names, keys, values.
pub type Text = smol_str::SmolStr;

/// Whether a value is what an absent field means, so that it need not be written.
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// Reads an object and writes it again.
    fn again<T: serde::de::DeserializeOwned + serde::Serialize>(json: &Value) -> Value {
        let object: T = serde_json::from_value(json.clone()).unwrap();
        serde_json::to_value(object).unwrap()
    }

    fn metadata() -> Value {
        json!({
            "name": "a", "generateName": "a-", "namespace": "ops", "uid": "u", "resourceVersion": "7", "generation": 3,
            "creationTimestamp": "2026-01-01T00:00:00Z", "deletionTimestamp": "2026-01-01T00:00:01Z", "finalizers": ["f"],
            "labels": {"app": "a"}, "annotations": {"b": "c"},
            "ownerReferences": [{
                "apiVersion": "apps/v1", "kind": "DaemonSet", "name": "d", "uid": "v", "controller": true,
                "blockOwnerDeletion": true,
            }],
        })
    }

    fn pod_spec() -> Value {
        let requirement = json!({"key": "k", "operator": "In", "values": ["v"]});
        let selector = json!({"matchLabels": {"app": "a"}, "matchExpressions": [requirement]});
        let pods = json!({"requiredDuringSchedulingIgnoredDuringExecution": [{
            "labelSelector": selector, "namespaces": ["n"], "namespaceSelector": {}, "topologyKey": "zone",
        }]});
        let resources = json!({"requests": {"cpu": "100m"}, "limits": {"cpu": "1"}});
        let container = json!({
            "name": "c", "image": "i:1", "imagePullPolicy": "Never", "resources": resources, "restartPolicy": "Always",
            "ports": [{"containerPort": 1, "hostPort": 2, "hostIP": "10.0.0.1", "protocol": "UDP"}],
        });
        json!({
            "nodeName": "n", "nodeSelector": {"disk": "fast"}, "hostNetwork": true, "resources": resources,
            "affinity": {
                "nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
                    {"matchExpressions": [requirement], "matchFields": [requirement]},
                ]}},
                "podAffinity": pods, "podAntiAffinity": pods,
            },
            "tolerations": [
                {"key": "k", "operator": "Equal", "value": "v", "effect": "NoExecute", "tolerationSeconds": 60},
            ],
            "containers": [container], "initContainers": [container], "overhead": {"memory": "1Mi"},
            "priorityClassName": "high", "priority": 1000, "preemptionPolicy": "Never",
            "terminationGracePeriodSeconds": 5,
        })
    }

    #[test]
    fn every_field_that_is_written_is_read() {
        let condition = json!({
            "type": "Ready", "status": "True", "lastTransitionTime": "2026-01-01T00:00:00Z", "reason": "r",
            "message": "m",
        });
        let status = json!({
            "name": "c", "ready": true, "restartCount": 2, "allocatedResources": {"cpu": "1"},
            "resources": {"requests": {"cpu": "2"}},
            "state": {
                "waiting": {"reason": "r", "message": "m"}, "running": {"startedAt": "2026-01-01T00:00:00Z"},
                "terminated": {"exitCode": 1, "reason": "r", "finishedAt": "2026-01-01T00:00:00Z"},
            },
            "lastState": {"terminated": {"exitCode": 0}},
        });
        let pod = json!({"metadata": metadata(), "spec": pod_spec(), "status": {
            "phase": "Running", "conditions": [condition], "reason": "Evicted", "containerStatuses": [status],
            "initContainerStatuses": [status],
        }});
        assert_eq!(again::<Pod>(&pod), pod);
        let node = json!({
            "metadata": metadata(),
            "spec": {"unschedulable": true, "taints": [{"key": "k", "value": "v", "effect": "NoSchedule"}]},
            "status": {"allocatable": {"pods": "110"}, "conditions": [condition]},
        });
        assert_eq!(again::<Node>(&node), node);
        let daemon_set = json!({
            "metadata": metadata(),
            "spec": {
                "selector": {"matchLabels": {"app": "a"}}, "template": {"metadata": {}, "spec": pod_spec()},
                "updateStrategy": {"type": "OnDelete", "rollingUpdate": {"maxUnavailable": "10%", "maxSurge": 2}},
                "minReadySeconds": 10, "revisionHistoryLimit": 3,
            },
            "status": {
                "currentNumberScheduled": 1, "numberMisscheduled": 2, "desiredNumberScheduled": 3, "numberReady": 4,
                "observedGeneration": 5, "updatedNumberScheduled": 6, "numberAvailable": 7, "numberUnavailable": 8,
                "collisionCount": 9,
            },
        });
        assert_eq!(again::<DaemonSet>(&daemon_set), daemon_set);
        let revision = json!({"metadata": metadata(), "data": {"spec": [1.5, null, true, -1]}, "revision": 4});
        assert_eq!(again::<ControllerRevision>(&revision), revision);
        let priority = json!({"metadata": metadata(), "value": -5, "globalDefault": true, "preemptionPolicy": "Never"});
        assert_eq!(again::<PriorityClass>(&priority), priority);
    }

    #[test]
    fn null_is_nothing() {
        let pod = json!({"metadata": null, "spec": null, "status": {"conditions": null}});
        assert_eq!(serde_json::from_value::<Pod>(pod).unwrap(), Pod::default());
        let strategy = json!({"type": null, "rollingUpdate": {"maxUnavailable": null, "maxSurge": "5%"}});
        let strategy: UpdateStrategy = serde_json::from_value(strategy).unwrap();
        assert_eq!(strategy.strategy_type, UpdateStrategyType::RollingUpdate);
        assert_eq!(strategy.rolling_update.max_unavailable, IntOrString::Int(1));
        assert_eq!(strategy.rolling_update.max_surge, IntOrString::String("5%".into()));
        assert_eq!(serde_json::from_value::<IntOrString>(json!(3)).unwrap(), IntOrString::Int(3));
    }

    #[test]
    fn what_is_of_another_type_or_given_twice_does_not_fit() {
        for text in [
            r#"{"metadata":{"name":5}}"#,
            r#"{"metadata":[]}"#,
            r#"{"spec":{"taints":{}}}"#,
            r#"{"spec":{"unschedulable":"true"}}"#,
            r#"{"status":{"allocatable":{"cpu":"1 core"}}}"#,
            r#"{"status":{"conditions":[{"lastTransitionTime":"yesterday"}]}}"#,
        ] {
            assert!(serde_json::from_str::<Node>(text).is_err(), "{text}");
        }
        let mut node = Node::default();
        let twice = r#"{"spec": {}, "metadata": {"name": "a"}, "spec": {}}"#;
        assert_eq!(crate::json::Cursor::new(twice).read(&mut node), Err(crate::json::JsonError::Unfit));
    }
}

use std::borrow::Cow;

use serde::Serialize;

use super::resources::{CPU, EPHEMERAL_STORAGE, MEMORY};
use super::{NodeUsage, PodDemand, allocatable, allocatable_pods, keeps_new_pods_away};
use crate::KubernetesVersion;
use crate::api::{HostPort, Node, ObjectKey, Taint, TaintEffect, Text};

/// The plugins of kube-scheduler that refuse nodes, in the order in which they are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Plugin {
    /// The node is cordoned.
    NodeUnschedulable,
    /// `spec.nodeName` of the pod.
    NodeName,
    /// Taints.
    TaintToleration,
    /// `spec.nodeSelector` and required node affinity.
    NodeAffinity,
    /// Ports of the node.
    NodePorts,
    /// Pod count, cpu, memory and so on.
    NodeResourcesFit,
    /// Required affinity to pods, and against them.
    InterPodAffinity,
}

impl Plugin {
    /// The name as kube-scheduler writes it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NodeUnschedulable => "NodeUnschedulable",
            Self::NodeName => "NodeName",
            Self::TaintToleration => "TaintToleration",
            Self::NodeAffinity => "NodeAffinity",
            Self::NodePorts => "NodePorts",
            Self::NodeResourcesFit => "NodeResourcesFit",
            Self::InterPodAffinity => "InterPodAffinity",
        }
    }
}

/// One reason why kube-scheduler refuses a node.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum Refusal {
    /// The node is cordoned and the pod does not tolerate it.
    Unschedulable,
    /// `spec.nodeName` names another node.
    NodeName {
        /// The node it names.
        wanted: Text,
    },
    /// A taint that nothing tolerates; the first one counts.
    Taint(Taint),
    /// The node does not have the labels or the name that the pod asks for.
    NodeAffinity,
    /// A port of the node is taken.
    HostPort {
        /// The port asked for.
        wanted: HostPort,
        /// The port in use that it conflicts with.
        taken: HostPort,
        /// The pod that uses it.
        holder: ObjectKey,
    },
    /// The node takes no further pod.
    TooManyPods {
        /// Pods on the node.
        pods: i64,
        /// How many it takes.
        allocatable: i64,
    },
    /// Too little of a resource is free.
    Insufficient {
        /// The resource.
        resource: Text,
        /// What the pod asks for: thousandths of cpu, whole units of anything else.
        requested: i64,
        /// What pods on the node asked for already.
        used: i64,
        /// What pods may ask for on the node in all.
        allocatable: i64,
    },
    /// A pod that must be near is not.
    PodAffinity {
        /// Position of the term in `requiredDuringSchedulingIgnoredDuringExecution`.
        term: u32,
    },
    /// A pod that must not be near is.
    PodAntiAffinity {
        /// Position of the term in `requiredDuringSchedulingIgnoredDuringExecution`.
        term: u32,
    },
    /// A pod that is near does not want this one.
    ExistingPodAntiAffinity {
        /// That pod.
        pod: ObjectKey,
    },
}

impl Refusal {
    /// The plugin that refuses.
    pub const fn plugin(&self) -> Plugin {
        match self {
            Self::Unschedulable => Plugin::NodeUnschedulable,
            Self::NodeName { .. } => Plugin::NodeName,
            Self::Taint(_) => Plugin::TaintToleration,
            Self::NodeAffinity => Plugin::NodeAffinity,
            Self::HostPort { .. } => Plugin::NodePorts,
            Self::TooManyPods { .. } | Self::Insufficient { .. } => Plugin::NodeResourcesFit,
            Self::PodAffinity { .. } | Self::PodAntiAffinity { .. } | Self::ExistingPodAntiAffinity { .. } => {
                Plugin::InterPodAffinity
            }
        }
    }

    /// The reason in the words of this kube-scheduler. Before 1.35 an untolerated taint was named in them.
    pub fn reason(&self, version: KubernetesVersion) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Self::Unschedulable => "node(s) were unschedulable",
            Self::NodeName { .. } => "node(s) didn't match the requested node name",
            Self::Taint(Taint { key, value, .. }) if version < KubernetesVersion::V1_35 => {
                return Cow::Owned(format!("node(s) had untolerated taint {{{key}: {value}}}"));
            }
            Self::Taint(_) => "node(s) had untolerated taint(s)",
            Self::NodeAffinity => "node(s) didn't match Pod's node affinity/selector",
            Self::HostPort { .. } => "node(s) didn't have free ports for the requested pod ports",
            Self::TooManyPods { .. } => "Too many pods",
            Self::Insufficient { resource, .. } => return Cow::Owned(["Insufficient ", resource].concat()),
            Self::PodAffinity { .. } => "node(s) didn't match pod affinity rules",
            Self::PodAntiAffinity { .. } => "node(s) didn't match pod anti-affinity rules",
            Self::ExistingPodAntiAffinity { .. } => "node(s) didn't satisfy existing pods anti-affinity rules",
        })
    }

    /// Whether it is a kind of refusal that fewer pods on the node could undo. More than the node has at all is not.
    pub fn preemption_might_help(&self) -> bool {
        match self {
            Self::HostPort { .. }
            | Self::TooManyPods { .. }
            | Self::PodAntiAffinity { .. }
            | Self::ExistingPodAntiAffinity { .. } => true,
            Self::Insufficient { requested, allocatable, .. } => requested <= allocatable,
            Self::Unschedulable
            | Self::NodeName { .. }
            | Self::Taint(_)
            | Self::NodeAffinity
            | Self::PodAffinity { .. } => false,
        }
    }
}

/// Refuses a cordoned node (`nodeunschedulable`, Kubernetes 1.36). Cannot happen to a DaemonSet's pod, which tolerates
/// the taint that stands for it.
pub fn node_unschedulable(node: &Node, tolerate: impl Fn(&Taint) -> bool) -> Option<Refusal> {
    let taint = || Taint {
        key: Text::new_static("node.kubernetes.io/unschedulable"),
        value: Text::default(),
        effect: TaintEffect::NoSchedule,
    };
    (node.spec.unschedulable && !tolerate(&taint())).then_some(Refusal::Unschedulable)
}

/// Refuses a node that the pod's `spec.nodeName` does not name (`nodename`, Kubernetes 1.36).
pub fn node_name(wanted: &Text, node: &Node) -> Option<Refusal> {
    (!wanted.is_empty() && *wanted != node.metadata.name).then(|| Refusal::NodeName { wanted: wanted.clone() })
}

/// Refuses a node with a taint that keeps new pods away and is not tolerated (`tainttoleration`, Kubernetes 1.36).
pub fn taint_toleration(node: &Node, tolerate: impl Fn(&Taint) -> bool) -> Option<Refusal> {
    let untolerated = node.spec.taints.iter().find(|taint| keeps_new_pods_away(taint) && !tolerate(taint));
    untolerated.map(|taint| Refusal::Taint(taint.clone()))
}

/// Refuses a node on which a port is taken (`nodeports`, Kubernetes 1.36).
pub fn node_ports(demand: &PodDemand, usage: &NodeUsage) -> Option<Refusal> {
    demand.host_ports.iter().find_map(|declared| {
        let (taken, holder) = usage.holder_of(&declared.port)?;
        Some(Refusal::HostPort { wanted: declared.port.clone(), taken: taken.clone(), holder: holder.clone() })
    })
}

/// Refuses a node without room, with every reason, in kube-scheduler's order (`noderesources.Fit`, Kubernetes 1.36).
/// A resource that is not asked for is not looked at, so that an overcommitted node does not refuse for it.
pub fn node_resources(demand: &PodDemand, node: &Node, usage: &NodeUsage) -> Vec<Refusal> {
    let mut refusals = Vec::new();
    let takes = allocatable_pods(node);
    if usage.pods.saturating_add(1) > takes {
        refusals.push(Refusal::TooManyPods { pods: usage.pods, allocatable: takes });
    }
    let mut ask = |resource: &str, requested: i64, used: i64| {
        if requested <= 0 {
            return;
        }
        let allocatable = allocatable(node, resource);
        if requested > allocatable.saturating_sub(used) {
            let resource = Text::new(resource);
            refusals.push(Refusal::Insufficient { resource, requested, used, allocatable });
        }
    };
    let (wanted, used) = (&demand.requests, &usage.requested);
    ask(CPU, wanted.milli_cpu, used.milli_cpu);
    ask(MEMORY, wanted.memory, used.memory);
    ask(EPHEMERAL_STORAGE, wanted.ephemeral_storage, used.ephemeral_storage);
    for (resource, requested) in &wanted.others {
        ask(resource, *requested, used.get(resource));
    }
    refusals
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn node(allocatable: &serde_json::Value) -> Node {
        serde_json::from_value(json!({"metadata": {"name": "a"}, "status": {"allocatable": allocatable}})).unwrap()
    }

    fn demand(requests: &serde_json::Value) -> PodDemand {
        let spec = json!({"containers": [{"resources": {"requests": requests}}]});
        PodDemand::of(&serde_json::from_value(spec).unwrap(), KubernetesVersion::V1_36)
    }

    fn reasons(refusals: &[Refusal]) -> Vec<Cow<'static, str>> {
        refusals.iter().map(|refusal| refusal.reason(KubernetesVersion::V1_36)).collect()
    }

    #[test]
    fn every_missing_resource_is_named_in_the_schedulers_order() {
        let node = node(&json!({"cpu": "1", "memory": "1Gi", "pods": "1"}));
        let usage = NodeUsage { pods: 1, ..NodeUsage::default() };
        let wanted = demand(&json!({"memory": "2Gi", "cpu": "2", "example.com/gpu": "1", "ephemeral-storage": "1"}));
        assert_eq!(
            reasons(&node_resources(&wanted, &node, &usage)),
            [
                "Too many pods",
                "Insufficient cpu",
                "Insufficient memory",
                "Insufficient ephemeral-storage",
                "Insufficient example.com/gpu"
            ]
        );
    }

    #[test]
    fn an_overcommitted_resource_is_no_obstacle_to_a_pod_that_does_not_ask_for_it() {
        let node = node(&json!({"cpu": "1", "memory": "1Gi", "pods": "9"}));
        let mut usage = NodeUsage { pods: 1, ..NodeUsage::default() };
        usage.requested.memory = 9 << 30;
        assert_eq!(node_resources(&demand(&json!({"cpu": "1", "memory": "0"})), &node, &usage), []);
        assert_eq!(reasons(&node_resources(&demand(&json!({"memory": "1"})), &node, &usage)), ["Insufficient memory"]);
    }

    #[test]
    fn preemption_cannot_help_where_the_node_never_has_enough() {
        let node = node(&json!({"cpu": "1", "pods": "9"}));
        let usage = NodeUsage { requested: demand(&json!({"cpu": "500m"})).requests, ..NodeUsage::default() };
        let helps = |requests| {
            let refusals = node_resources(&demand(&requests), &node, &usage);
            assert_eq!(refusals.len(), 1);
            refusals.iter().all(Refusal::preemption_might_help)
        };
        assert!(helps(json!({"cpu": "1"})));
        assert!(!helps(json!({"cpu": "1001m"})));
        assert!(!helps(json!({"example.com/gpu": "1"})), "a resource that the node does not list");
    }

    #[test]
    fn a_cordoned_node_refuses_who_does_not_tolerate_it() {
        let mut cordoned = node(&json!({}));
        cordoned.spec.unschedulable = true;
        assert_eq!(node_unschedulable(&cordoned, |_| false), Some(Refusal::Unschedulable));
        assert_eq!(node_unschedulable(&cordoned, |_| true), None);
        assert_eq!(node_unschedulable(&node(&json!({})), |_| false), None);
    }
}

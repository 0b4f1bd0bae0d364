use super::host_ports::each_host_port;
use super::{DeclaredHostPort, ResourceTotals, conflict, host_ports};
use crate::KubernetesVersion;
use crate::api::{HostPort, ObjectKey, Pod, PodSpec};
use crate::text::same;

/// What one pod takes up on a node, read once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PodDemand {
    /// What it asks for in all.
    pub requests: ResourceTotals,
    /// Ports of the node it asks for.
    pub host_ports: Vec<DeclaredHostPort>,
}

impl PodDemand {
    /// Reads what the pod made from a template is going to take up.
    pub fn of(spec: &PodSpec, version: KubernetesVersion) -> Self {
        Self { requests: ResourceTotals::requested_by(spec, version), host_ports: host_ports(spec, version) }
    }

    /// What a pod that is there takes up, a resize under way included.
    pub fn of_pod(pod: &Pod, version: KubernetesVersion) -> Self {
        Self { requests: ResourceTotals::requested_by_pod(pod, version), host_ports: host_ports(&pod.spec, version) }
    }
}

/// What the pods on one node take up together (`framework.NodeInfo`, Kubernetes 1.36).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeUsage {
    /// How many pods there are.
    pub pods: i64,
    /// What they ask for.
    pub requested: ResourceTotals,
    /// Ports of the node in use, and who uses them.
    pub host_ports: Vec<(HostPort, ObjectKey)>,
}

impl NodeUsage {
    /// Adds up those of `pods` that take room on the node called `node`.
    pub fn of<'a>(node: &str, pods: impl IntoIterator<Item = &'a Pod>, version: KubernetesVersion) -> Self {
        Self::sum(node, &mut pods.into_iter(), true, version)
    }

    /// The same as far as it matters to one more pod: nobody's ports do where it asks for none.
    pub(crate) fn seen_by(
        demand: &PodDemand,
        node: &str,
        pods: &mut dyn Iterator<Item = &Pod>,
        version: KubernetesVersion,
    ) -> Self {
        Self::sum(node, pods, !demand.host_ports.is_empty(), version)
    }

    fn sum(node: &str, pods: &mut dyn Iterator<Item = &Pod>, with_ports: bool, version: KubernetesVersion) -> Self {
        let mut usage = Self::default();
        for pod in pods.filter(|pod| takes_room(pod, node)) {
            let requested = ResourceTotals::requested_by_pod(pod, version);
            if usage.pods == 0 {
                usage.requested = requested;
            } else {
                usage.requested.add(&requested);
            }
            usage.pods += 1;
            if with_ports {
                let host_ports = &mut usage.host_ports;
                each_host_port(&pod.spec, version, &mut |declared| {
                    host_ports.push((declared.port, pod.metadata.key()));
                });
            }
        }
        usage
    }

    /// Adds one pod.
    pub fn add(&mut self, key: &ObjectKey, demand: &PodDemand) {
        self.pods += 1;
        self.requested.add(&demand.requests);
        self.host_ports.extend(demand.host_ports.iter().map(|declared| (declared.port.clone(), key.clone())));
    }

    /// Takes away a pod that was added.
    pub fn remove(&mut self, key: &ObjectKey, demand: &PodDemand) {
        self.pods -= 1;
        self.requested.subtract(&demand.requests);
        self.host_ports.retain(|(_, holder)| holder != key);
    }

    /// The port in use, and the pod that uses it, that `wanted` cannot stand beside.
    pub fn holder_of(&self, wanted: &HostPort) -> Option<&(HostPort, ObjectKey)> {
        self.host_ports.iter().find(|(taken, _)| conflict(taken, wanted))
    }
}

/// Whether a pod takes room on a node: bound to it and not ended. A terminating pod takes room until it is gone.
pub fn takes_room(pod: &Pod, node: &str) -> bool {
    !pod.is_terminal() && same(&pod.spec.node_name, node)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const VERSION: KubernetesVersion = KubernetesVersion::V1_36;

    fn pod(name: &str, phase: &str, port: i32) -> Pod {
        serde_json::from_value(json!({
            "metadata": {"name": name, "namespace": "default"},
            "spec": {"nodeName": "a", "containers": [{
                "ports": [{"containerPort": 80, "hostPort": port}], "resources": {"requests": {"cpu": "100m"}}}]},
            "status": {"phase": phase}}))
        .unwrap()
    }

    #[test]
    fn terminal_pods_and_pods_elsewhere_take_no_room_and_terminating_ones_do() {
        let mut terminating = pod("terminating", "Running", 2);
        terminating.metadata.deletion_timestamp = Some(crate::time::Timestamp::from_seconds(0));
        let pods = [pod("running", "Running", 1), terminating, pod("done", "Succeeded", 3), pod("failed", "Failed", 4)];
        let usage = NodeUsage::of("a", &pods, VERSION);
        assert_eq!((usage.pods, usage.requested.milli_cpu), (2, 200));
        assert_eq!(NodeUsage::of("b", &pods, VERSION), NodeUsage::default());
    }

    #[test]
    fn removing_what_was_added_leaves_what_was_there() {
        let (first, second) = (pod("first", "Running", 1), pod("second", "Running", 2));
        let mut usage = NodeUsage::of("a", [&first, &second], VERSION);
        usage.remove(&second.metadata.key(), &PodDemand::of(&second.spec, VERSION));
        assert_eq!(usage, NodeUsage::of("a", [&first], VERSION));
    }
}

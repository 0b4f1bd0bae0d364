use crate::KubernetesVersion;
use crate::api::{HostPort, PodSpec, Text};

/// A port of the node that a pod asks for, and which line of its spec does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredHostPort {
    /// The port.
    pub port: HostPort,
    /// Whether it stands in `initContainers` (a sidecar) rather than in `containers`.
    pub in_init_containers: bool,
    /// Position of the container in its list.
    pub container: u32,
    /// Position in the container's `ports`.
    pub index: u32,
}

/// The ports of the node that a pod asks for: those of its containers and, since 1.34, of its sidecars
/// (`util.GetHostPorts`, Kubernetes 1.36). On the host network every declared port is one of the node's, whether the
/// template says so, as before 1.28, or only the pod.
pub fn host_ports(spec: &PodSpec, version: KubernetesVersion) -> Vec<DeclaredHostPort> {
    let mut ports = Vec::new();
    each_host_port(spec, version, &mut |declared| ports.push(declared));
    ports
}

/// Hands over each of the [`host_ports`].
pub(super) fn each_host_port(spec: &PodSpec, version: KubernetesVersion, found: &mut dyn FnMut(DeclaredHostPort)) {
    for (in_init_containers, containers) in [(false, &spec.containers), (true, &spec.init_containers)] {
        for (position, container) in (0..).zip(containers) {
            if in_init_containers && (version < KubernetesVersion::V1_34 || !container.is_sidecar()) {
                continue;
            }
            for (index, declared) in (0..).zip(&container.ports) {
                let host_port = match declared.host_port {
                    0 if spec.host_network => declared.container_port,
                    port => port,
                };
                if host_port > 0 {
                    let protocol = or_default(&declared.protocol, "TCP");
                    let host_ip = or_default(&declared.host_ip, EVERY_ADDRESS);
                    let port = HostPort { protocol, host_ip, host_port };
                    found(DeclaredHostPort { port, in_init_containers, container: position, index });
                }
            }
        }
    }
}

/// Whether two pods cannot have these ports on one node (`HostPortInfo.CheckConflict`, Kubernetes 1.36): same protocol
/// and number, and the same address or `0.0.0.0` on one side. `::` is an address like any other.
pub fn conflict(left: &HostPort, right: &HostPort) -> bool {
    left.host_port == right.host_port
        && left.protocol == right.protocol
        && (left.host_ip == right.host_ip || left.host_ip == EVERY_ADDRESS || right.host_ip == EVERY_ADDRESS)
}

const EVERY_ADDRESS: &str = "0.0.0.0";

fn or_default(text: &Text, default: &'static str) -> Text {
    if text.is_empty() { Text::new_static(default) } else { text.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn ports(spec: &serde_json::Value) -> Vec<String> {
        let spec: PodSpec = serde_json::from_value(spec.clone()).unwrap();
        host_ports(&spec, KubernetesVersion::V1_36).iter().map(|declared| written(&declared.port)).collect()
    }

    fn written(port: &HostPort) -> String {
        format!("{}:{}/{}", port.host_ip, port.host_port, port.protocol)
    }

    fn port(host_ip: &str, host_port: i32, protocol: &str) -> HostPort {
        HostPort { protocol: protocol.into(), host_ip: host_ip.into(), host_port }
    }

    #[test]
    fn containers_and_sidecars_count_and_ordinary_init_containers_do_not() {
        let declared = |port: i32| json!([{"containerPort": 80, "hostPort": port}, {"containerPort": 81}]);
        let spec = json!({"containers": [{"ports": declared(1)}],
            "initContainers": [{"ports": declared(2)}, {"restartPolicy": "Always", "ports": declared(3)}]});
        assert_eq!(ports(&spec), ["0.0.0.0:1/TCP", "0.0.0.0:3/TCP"]);
    }

    #[test]
    fn on_the_host_network_every_declared_port_is_the_nodes() {
        let spec = json!({"hostNetwork": true, "containers": [{"ports": [
            {"containerPort": 80}, {"containerPort": 53, "protocol": "UDP", "hostIP": "127.0.0.1"}]}]});
        assert_eq!(ports(&spec), ["0.0.0.0:80/TCP", "127.0.0.1:53/UDP"]);
    }

    #[test]
    fn ports_conflict_by_number_protocol_and_address() {
        let here = port("10.0.0.1", 80, "TCP");
        for (conflicts, other) in [
            (true, port("10.0.0.1", 80, "TCP")),
            (true, port("0.0.0.0", 80, "TCP")),
            (false, port("10.0.0.2", 80, "TCP")),
            (false, port("::", 80, "TCP")),
            (false, port("0.0.0.0", 80, "UDP")),
            (false, port("0.0.0.0", 81, "TCP")),
        ] {
            assert_eq!(conflict(&here, &other), conflicts, "{}", written(&other));
            assert_eq!(conflict(&other, &here), conflicts, "{}", written(&other));
        }
        assert!(!conflict(&port("127.0.0.1", 80, "TCP"), &port("::1", 80, "TCP")));
    }
}

//! Makes dumps such as `kubectl get nodes -o json|yaml` prints them: the same number gives the same bytes.

use std::fmt::Write;

use serde_json::{Map, Value, json};

/// A node as kubectl prints it, without `managedFields`: about 8.6 KB of indented JSON.
pub fn node(index: u32) -> Value {
    let (pool, zone, worker) = (index % 7, index % 3, format!("{index:05}"));
    let name =
        format!("ip-10-{}-{}-{}.eu-central-1.compute.internal", index >> 16 & 255, index >> 8 & 255, index & 255);
    let instance = ["m7i.4xlarge", "c7g.8xlarge", "r7a.2xlarge", "g6.12xlarge"][pool as usize % 4];
    let architecture = if pool % 4 == 1 { "arm64" } else { "amd64" };
    let mixed = |salt: u32| {
        let mut state = u64::from(index) << 32 | u64::from(salt);
        state = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        state = (state ^ state >> 27).wrapping_mul(0x94d0_49bb_1331_11eb) ^ state >> 31;
        state
    };
    let uuid = format!(
        "{:08x}-{:04x}-4{:03x}-9{:03x}-{:012x}",
        mixed(1) & 0xffff_ffff,
        mixed(2) & 0xffff,
        mixed(3) & 0xfff,
        mixed(4) & 0xfff,
        mixed(5) & 0xffff_ffff_ffff
    );
    let cores = [16, 32, 8, 48][pool as usize % 4];
    let memory = [64, 64, 64, 192][pool as usize % 4] * 1024 * 1024;
    let labels = json!({
        "beta.kubernetes.io/arch": architecture,
        "beta.kubernetes.io/instance-type": instance,
        "beta.kubernetes.io/os": "linux",
        "eks.amazonaws.com/capacityType": if pool == 3 { "SPOT" } else { "ON_DEMAND" },
        "eks.amazonaws.com/nodegroup": format!("workers-{pool}"),
        "eks.amazonaws.com/nodegroup-image": format!("ami-{:017x}", mixed(6) & 0xfff_ffff_ffff),
        "failure-domain.beta.kubernetes.io/region": "eu-central-1",
        "failure-domain.beta.kubernetes.io/zone": format!("eu-central-1{}", ["a", "b", "c"][zone as usize]),
        "k8s.io/cloud-provider-aws": format!("{:016x}{:016x}", mixed(7), mixed(8)),
        "kubernetes.io/arch": architecture,
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        "node.example.com/pool": format!("pool-{pool}"),
        "node.kubernetes.io/instance-type": instance,
        "topology.ebs.csi.aws.com/zone": format!("eu-central-1{}", ["a", "b", "c"][zone as usize]),
        "topology.k8s.aws/zone-id": format!("euc1-az{}", zone + 1),
        "topology.kubernetes.io/region": "eu-central-1",
        "topology.kubernetes.io/zone": format!("eu-central-1{}", ["a", "b", "c"][zone as usize]),
    });
    let resources = |reserved: u64| {
        let mut list = Map::new();
        let millis = cores * 1000 - reserved * 110;
        list.insert("cpu".to_owned(), json!(if reserved == 0 { cores.to_string() } else { format!("{millis}m") }));
        list.insert(
            "ephemeral-storage".to_owned(),
            json!(if reserved == 0 { "104845292Ki".to_owned() } else { "95551679124".to_owned() }),
        );
        list.insert("hugepages-1Gi".to_owned(), json!("0"));
        list.insert("hugepages-2Mi".to_owned(), json!("0"));
        list.insert("memory".to_owned(), json!(format!("{}Ki", memory - reserved * 1_048_576)));
        if pool == 3 {
            list.insert("nvidia.com/gpu".to_owned(), json!("4"));
        }
        list.insert("pods".to_owned(), json!("110"));
        Value::Object(list)
    };
    let condition = |kind: &str, status: &str, reason: &str, message: &str| {
        json!({
            "lastHeartbeatTime": format!("2026-11-30T09:{:02}:{:02}Z", index % 60, index % 53),
            "lastTransitionTime": format!("2026-11-{:02}T08:{:02}:11Z", 1 + index % 28, index % 60),
            "message": message,
            "reason": reason,
            "status": status,
            "type": kind,
        })
    };
    let image = |which: u32| {
        let path =
            format!("602401143452.dkr.ecr.eu-central-1.amazonaws.com/platform/component-{:02}", which * 3 + pool);
        json!({
            "names": [format!("{path}@sha256:{:016x}{:016x}{:016x}{:016x}", mixed(20 + which), mixed(30 + which), mixed(40 + which), mixed(50 + which)), format!("{path}:v1.{which}.{pool}")],
            "sizeBytes": 30_000_000 + mixed(60 + which) % 400_000_000,
        })
    };
    let address = format!("10.{}.{}.{}", index >> 16 & 255, index >> 8 & 255, index & 255);
    let mut spec = json!({
        "podCIDR": format!("100.{}.{}.0/24", 64 + (index >> 8 & 63), index & 255),
        "podCIDRs": [format!("100.{}.{}.0/24", 64 + (index >> 8 & 63), index & 255)],
        "providerID": format!("aws:///eu-central-1{}/i-{:017x}", ["a", "b", "c"][zone as usize], mixed(9) & 0xfff_ffff_ffff),
    });
    if pool == 3 {
        spec["taints"] = json!([{"effect": "NoSchedule", "key": "nvidia.com/gpu", "value": "present"}]);
    }
    if index.is_multiple_of(97) {
        spec["unschedulable"] = json!(true);
        spec["taints"] = json!([{"effect": "NoSchedule", "key": "node.kubernetes.io/unschedulable", "timeAdded": "2026-11-29T10:00:00Z"}]);
    }
    json!({
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "annotations": {
                "alpha.kubernetes.io/provided-node-ip": address,
                "csi.volume.kubernetes.io/nodeid": format!("{{\"ebs.csi.aws.com\":\"i-{:017x}\",\"efs.csi.aws.com\":\"i-{:017x}\"}}", mixed(9) & 0xfff_ffff_ffff, mixed(9) & 0xfff_ffff_ffff),
                "node.alpha.kubernetes.io/ttl": "15",
                "volumes.kubernetes.io/controller-managed-attach-detach": "true",
            },
            "creationTimestamp": format!("2026-10-{:02}T07:{:02}:{:02}Z", 1 + index % 31, index % 60, index % 59),
            "labels": labels,
            "name": name,
            "resourceVersion": (81_234_567 + u64::from(index)).to_string(),
            "uid": uuid,
        },
        "spec": spec,
        "status": {
            "addresses": [
                {"address": address, "type": "InternalIP"},
                {"address": name, "type": "InternalDNS"},
                {"address": name, "type": "Hostname"},
            ],
            "allocatable": resources(1),
            "capacity": resources(0),
            "conditions": [
                condition("MemoryPressure", "False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
                condition("DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
                condition("PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
                condition("Ready", if index % 211 == 5 { "Unknown" } else { "True" }, "KubeletReady", "kubelet is posting ready status"),
            ],
            "daemonEndpoints": {"kubeletEndpoint": {"Port": 10250}},
            "images": (0..5 + index % 3).map(image).collect::<Vec<_>>(),
            "nodeInfo": {
                "architecture": architecture,
                "bootID": uuid.replace("-4", "-7"),
                "containerRuntimeVersion": "containerd://2.1.4",
                "kernelVersion": "6.12.40-63.114.amzn2023.x86_64",
                "kubeProxyVersion": "",
                "kubeletVersion": "v1.36.3-eks-0a1b2c3",
                "machineID": format!("ec2{worker}{:024x}", u128::from(mixed(10)) << 24),
                "operatingSystem": "linux",
                "osImage": "Amazon Linux 2023.8.20260914",
                "systemUUID": uuid,
            },
        },
    })
}

/// `kubectl get nodes -o json`: indented by four spaces, keys sorted.
pub fn nodes_as_json(count: u32) -> String {
    let mut bytes = Vec::new();
    let list = json!({
        "apiVersion": "v1",
        "items": (0..count).map(node).collect::<Vec<_>>(),
        "kind": "List",
        "metadata": {"resourceVersion": ""},
    });
    let format = serde_json::ser::PrettyFormatter::with_indent(b"    ");
    serde::Serialize::serialize(&list, &mut serde_json::Serializer::with_formatter(&mut bytes, format)).unwrap();
    bytes.push(b'\n');
    String::from_utf8(bytes).unwrap()
}

/// `kubectl get nodes -o yaml`: lists are not indented, text that would be something else is in quotes.
pub fn nodes_as_yaml(count: u32) -> String {
    let mut text = "apiVersion: v1\nitems:\n".to_owned();
    for index in 0..count {
        text.push_str("- ");
        write_map(&mut text, node(index).as_object().unwrap(), 2);
    }
    text.push_str("kind: List\nmetadata:\n  resourceVersion: \"\"\n");
    text
}

/// Writes the entries of a map; the cursor already stands where the first key belongs.
fn write_map(text: &mut String, map: &Map<String, Value>, indent: usize) {
    for (position, (key, value)) in map.iter().enumerate() {
        if position > 0 {
            write!(text, "{:indent$}", "").unwrap();
        }
        write!(text, "{key}:").unwrap();
        match value {
            Value::Object(inner) => {
                write!(text, "\n{:1$}", "", indent + 2).unwrap();
                write_map(text, inner, indent + 2);
            }
            Value::Array(items) => {
                text.push('\n');
                for item in items {
                    write!(text, "{:indent$}- ", "").unwrap();
                    match item {
                        Value::Object(inner) => write_map(text, inner, indent + 2),
                        scalar => writeln!(text, "{}", scalar_text(scalar)).unwrap(),
                    }
                }
            }
            scalar => writeln!(text, " {}", scalar_text(scalar)).unwrap(),
        }
    }
}

fn scalar_text(value: &Value) -> String {
    match value {
        Value::String(text) if text.starts_with('{') => format!("'{text}'"),
        Value::String(text)
            if text.is_empty()
                || ["true", "false", "True", "False"].contains(&text.as_str())
                || text.parse::<f64>().is_ok()
                || (text.len() == 20 && text.ends_with('Z')) =>
        {
            format!("\"{text}\"")
        }
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

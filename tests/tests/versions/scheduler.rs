//! The scheduler: what a pod asks for, whether it fits, and in what words it is told that it does not.

use rollcast_core::KubernetesVersion as Version;
use rollcast_core::api::{Node, Pod};
use rollcast_core::manifest::{Review, read_trees, review_daemon_set};
use rollcast_core::placement::{Fit, PlacementRules, Preemption, fits, preemption, unschedulable_message};
use rollcast_core::scenario::read_scenario;
use rollcast_core::scheduling::Plugin;
use rollcast_core::sim::Ending;
use rollcast_tests::cluster::{taint, template_with};
use serde_json::{Value, json};

use crate::since;

fn rules(spec: &Value, version: Version) -> PlacementRules {
    PlacementRules::of(&template_with(spec.clone()), version)
}

fn node() -> Node {
    serde_json::from_value(json!({"metadata": {"name": "node-0", "labels": {"kubernetes.io/hostname": "node-0"}},
        "status": {"allocatable": {"cpu": "1", "memory": "4Gi", "pods": "110"}}}))
    .expect("a node")
}

/// A pod of another workload on that node.
fn other(spec: &Value) -> Pod {
    let mut spec = spec.clone();
    spec["nodeName"] = json!("node-0");
    let metadata = json!({"name": "other", "namespace": "default", "uid": "other"});
    serde_json::from_value(json!({"metadata": metadata, "spec": spec, "status": {"phase": "Running"}})).expect("a pod")
}

fn asking(cpu: &str) -> Value {
    json!({"containers": [container(cpu)]})
}

fn container(cpu: &str) -> Value {
    json!({"name": "main", "image": "registry.example/agent:v1", "resources": {"requests": {"cpu": cpu}}})
}

fn fit(spec: &Value, pods: &[Pod], version: Version) -> Fit {
    fits(&rules(spec, version), &"default".into(), &node(), pods)
}

#[test]
fn a_sidecar_asks_beside_the_containers_since_1_29() {
    let mut sidecar = container("200m");
    sidecar["restartPolicy"] = json!("Always");
    let spec = json!({"containers": [container("600m")], "initContainers": [sidecar, container("500m")]});
    let milli_cpu = |version| rules(&spec, version).demand().requests.milli_cpu;
    since(Version::V1_29, &800, &600, milli_cpu);
    // So does one of a pod that is there already.
    let there = other(&spec);
    since(Version::V1_29, &false, &true, |version| fit(&asking("300m"), std::slice::from_ref(&there), version).fits());
}

#[test]
fn the_pod_as_a_whole_asks_for_resources_since_1_34() {
    let mut spec = asking("100m");
    spec["resources"] = json!({"requests": {"cpu": "600m"}});
    since(Version::V1_34, &600, &100, |version| rules(&spec, version).demand().requests.milli_cpu);
    let there = other(&spec);
    since(Version::V1_34, &false, &true, |version| fit(&spec, std::slice::from_ref(&there), version).fits());
}

/// A pod one of whose containers takes port 9100 of the node.
fn listening(list: &str, restart_policy: &str) -> Value {
    let mut spec = asking("0");
    let mut listener = json!({"name": "listener", "image": "registry.example/listener:v1",
        "ports": [{"containerPort": 80, "hostPort": 9100}]});
    if !restart_policy.is_empty() {
        listener["restartPolicy"] = json!(restart_policy);
    }
    spec[list] = json!([listener]);
    spec
}

#[test]
fn the_host_ports_of_sidecars_count_since_1_34() {
    let main = listening("containers", "");
    let sidecar = listening("initContainers", "Always");
    let ended = listening("initContainers", "");
    let plugin = |wanted: &Value, taken: &Value, version| fit(wanted, &[other(taken)], version).plugin();
    since(Version::V1_34, &Some(Plugin::NodePorts), &None, |version| plugin(&sidecar, &main, version));
    since(Version::V1_34, &Some(Plugin::NodePorts), &None, |version| plugin(&main, &sidecar, version));
    for version in Version::ALL {
        assert_eq!(plugin(&main, &main, version), Some(Plugin::NodePorts), "under {version}");
        assert_eq!(plugin(&ended, &main, version), None, "under {version}: it has ended by then");
    }
}

#[test]
fn on_the_hosts_network_the_declared_ports_are_taken_in_every_release() {
    let ports = json!([{"containerPort": 9100}]);
    let spec = json!({"hostNetwork": true,
        "containers": [{"name": "main", "image": "registry.example/agent:v1", "ports": ports}]});
    let manifest = json!({"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": {"name": "agent"},
        "spec": {"selector": {"matchLabels": {"app": "agent"}},
                 "template": {"metadata": {"labels": {"app": "agent"}}, "spec": spec}}});
    let tree = read_trees(manifest.to_string().as_bytes()).remove(0).tree.expect("JSON is YAML");
    let taken = other(&listening("containers", ""));
    for version in Version::ALL {
        // The template as a person writes it, and as the API server of the release fills it in.
        let reviewed = review_daemon_set(&tree, &Review { version, ..Review::default() }).json;
        for spec in [&spec, &reviewed["spec"]["template"]["spec"]] {
            let plugin = fit(spec, std::slice::from_ref(&taken), version).plugin();
            assert_eq!(plugin, Some(Plugin::NodePorts), "under {version}");
        }
    }
}

#[test]
fn an_untolerated_taint_is_named_until_1_35() {
    let now = "0/2 nodes are available: 1 node(s) didn't satisfy plugin(s) [NodeAffinity], \
               1 node(s) had untolerated taint(s). \
               preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.";
    let before = now.replace("taint(s)", "taint {dedicated: other}");
    since(Version::V1_35, &now.to_owned(), &before, |version| {
        let mut node = node();
        node.spec.taints = vec![taint("dedicated=other:NoSchedule")];
        let fit = fits(&rules(&asking("100m"), version), &"default".into(), &node, &[]);
        unschedulable_message(2, Some(("node-0", &fit)), &Preemption::NotHelpful, version)
    });
}

#[test]
fn preemption_that_works_is_told_since_1_37() {
    let before = "0/1 nodes are available: 1 Insufficient cpu.";
    let now = format!("{before} preemption: found a potential placement for pod on node node-0, preempting 1 victims");
    since(Version::V1_37, &now, &before.to_owned(), |version| {
        let (rules, pods) = (rules(&asking("600m"), version), [other(&asking("600m"))]);
        let fit = fits(&rules, &"default".into(), &node(), &pods);
        let preemption = preemption(&rules, 1000, &"default".into(), &node(), &pods, &fit);
        unschedulable_message(1, Some(("node-0", &fit)), &preemption, version)
    });
}

/// What becomes of a scenario whose pods ask for more as a whole than their containers do, and than a node has.
fn played(version: Version) -> String {
    let text = format!(
        "apiVersion: rollcast.dev/v1alpha1
kind: Scenario
kubernetesVersion: '{version}'
cluster:
  pools: [{{name: worker, count: 2, allocatable: {{cpu: '1'}}}}]
change:
  apiVersion: apps/v1
  kind: DaemonSet
  metadata: {{name: agent, namespace: default}}
  spec:
    selector: {{matchLabels: {{app: agent}}}}
    template:
      metadata: {{labels: {{app: agent}}}}
      spec:
        resources: {{requests: {{cpu: '2'}}}}
        containers:
        - {{name: main, image: 'registry.example/agent:v1', resources: {{requests: {{cpu: 500m}}}}}}
"
    );
    let (scenario, problems) = read_scenario(text.as_bytes());
    let Some(scenario) = scenario else {
        return problems.iter().map(|problem| problem.kind.code()).collect::<Vec<_>>().join(", ");
    };
    let mut world = scenario.world();
    while world.run(1000).partial {}
    match world.summary().ending {
        Some(Ending::Complete) => "complete".to_owned(),
        _ => "stuck".to_owned(),
    }
}

#[test]
fn a_scenario_is_reviewed_and_scheduled_by_the_rules_of_its_release() {
    for version in Version::ALL {
        let expected = match version {
            _ if version < Version::V1_32 => "newer-field",
            _ if version < Version::V1_34 => "complete",
            _ => "stuck",
        };
        assert_eq!(played(version), expected, "under {version}");
    }
}

//! Cases about whether the pod fits.

use rollcast_core::KubernetesVersion;
use rollcast_core::api::{DaemonSet, Node, Pod, PodPhase};
use rollcast_core::message::{Language, Words};
use rollcast_core::placement::{Fit, PlacementRules, Preemption, fits, preemption, unschedulable_message};
use rollcast_core::status::rollout_status;
use rollcast_tests::cluster::{Cluster, edit_template};
use serde_json::{Value, json};

use crate::input::{daemon_set, fill, fresh, nodes, other_pod, with_spec};

fn cpu(amount: &str) -> Value {
    json!({"containers": [{"name": "main", "image": "other:v1", "resources": {"requests": {"cpu": amount}}}]})
}

/// The scheduler's verdict on the pod of one node, and what preemption would do for it.
fn judge(daemon_set: &DaemonSet, node: &Node, pods: &[Pod], priority: i32) -> (Fit, Preemption) {
    let rules = PlacementRules::of(&daemon_set.spec.template, KubernetesVersion::default());
    let namespace = &daemon_set.metadata.namespace;
    let fit = fits(&rules, namespace, node, pods);
    let preemption = preemption(&rules, priority, namespace, node, pods, &fit);
    (fit, preemption)
}

/// Whether the pending pod of a node is told so, in these words.
fn assert_told(cluster: &Cluster, node: &str, words: &[&str]) {
    let pod = cluster.pod_on(node);
    assert_eq!((pod.spec.node_name.as_str(), pod.status.phase), ("", PodPhase::Pending));
    let others: Vec<Pod> =
        cluster.snapshot.pods.iter().filter(|other| other.metadata.uid != pod.metadata.uid).cloned().collect();
    let (fit, preemption) = judge(cluster.daemon_set(), cluster.node(node), &others, 0);
    let count = u32::try_from(cluster.snapshot.nodes.len()).unwrap();
    let message = unschedulable_message(count, Some((node, &fit)), &preemption, KubernetesVersion::default());
    for word in words {
        assert!(message.contains(word), "{message}");
    }
}

/// P13, the virtual node's one place being taken.
#[test]
fn the_pod_of_a_virtual_node_stays_pending() {
    let mut cluster = fresh("P13");
    fill(&mut cluster, "fargate-1");
    cluster.run_until(300);
    assert_eq!(cluster.columns()[..3], [3, 3, 2]);
    assert_told(&cluster, "fargate-1", &["Too many pods"]);
    let words = rollout_status(cluster.daemon_set()).words(Language::English);
    assert!(words.contains("2 of 3 updated pods are available"), "{words}");
}

/// P21
#[test]
fn a_pod_without_room_is_counted_and_pending() {
    let mut cluster = fresh("P21");
    cluster.put_pod(other_pod("app", "small", cpu("400m")));
    cluster.run_until(300);
    assert_eq!(cluster.columns(), [3, 3, 2, 3, 2]);
    assert_eq!(cluster.status().number_unavailable, 1);
    assert_told(&cluster, "small", &["Insufficient cpu", "No preemption victims found for incoming pod"]);
}

/// P22
#[test]
fn a_host_port_that_is_taken_leaves_the_pod_pending() {
    let port = |protocol: &str, address: &str| {
        json!({"containers": [{"name": "main", "image": "other:v1", "ports": [
            {"containerPort": 9100, "hostPort": 9100, "protocol": protocol, "hostIP": address},
        ]}]})
    };
    let mut cluster = fresh("P22");
    for node in ["a", "b"] {
        let mut other = other_pod(&format!("other-{node}"), node, port("TCP", ""));
        other.metadata.namespace = "elsewhere".into();
        cluster.put_pod(other);
    }
    cluster.run_until(300);
    assert_eq!(cluster.columns()[..3], [2, 2, 0]);
    assert_told(&cluster, "a", &["node(s) didn't have free ports for the requested pod ports"]);

    let (daemon_set, node) = (daemon_set("P22"), nodes("P22").remove(0));
    let conflicts = |protocol: &str, address: &str| {
        let other = other_pod("other", &node.metadata.name, port(protocol, address));
        !judge(&daemon_set, &node, &[other], 0).0.fits()
    };
    assert!(conflicts("TCP", "10.0.0.1"), "0.0.0.0 conflicts with every address");
    assert!(!conflicts("UDP", ""), "another protocol is another port");
    let taken = [other_pod("other", &node.metadata.name, port("TCP", ""))];
    assert_eq!(judge(&daemon_set, &node, &taken, 0).1, Preemption::NoVictims);
    assert!(matches!(judge(&daemon_set, &node, &taken, 1).1, Preemption::Victims(victims) if victims.len() == 1));
}

/// P25
#[test]
fn without_priority_an_older_pod_takes_the_room() {
    let mut cluster = fresh("P25");
    cluster.put_pod(other_pod("filler", "a", cpu("1700m")));
    let mut cluster = cluster.rolled_out();
    let agent = cluster.pod_on("a").metadata.name.clone();
    cluster.delete_pod(&agent);
    // The freed 300m go to the filler pod that has waited longest.
    cluster.remove_pod(&agent);
    let mut quicker = other_pod("waited", "a", cpu("300m"));
    quicker.metadata.creation_timestamp = Some(cluster.now);
    cluster.put_pod(quicker);
    cluster.run_for(std::time::Duration::from_mins(5));
    assert_eq!(cluster.columns()[..3], [1, 1, 0]);
    assert_told(&cluster, "a", &["Insufficient cpu", "No preemption victims found for incoming pod"]);

    let others: Vec<Pod> =
        cluster.snapshot.pods.iter().filter(|pod| pod.metadata.controller_owner().is_none()).cloned().collect();
    let (_, preempted) = judge(cluster.daemon_set(), cluster.node("a"), &others, 1_000);
    let Preemption::Victims(victims) = preempted else { panic!("{preempted:?}") };
    assert_eq!(
        victims.iter().map(|victim| victim.name.as_str()).collect::<Vec<_>>(),
        ["waited"],
        "the one that was quicker"
    );
}

/// P26
#[test]
fn an_application_of_higher_priority_pushes_the_pod_out() {
    let mut cluster = fresh("P26").rolled_out();
    let app = other_pod("app", "new1", cpu("1800m"));
    let mut agents: Vec<Pod> = cluster.snapshot.pods.clone();
    for pod in &mut agents {
        pod.spec.priority = Some(1_000);
    }
    let mut application = cluster.daemon_set().clone();
    application.spec.template = rollcast_tests::cluster::template_with(cpu("1800m"));
    let (_, preempted) = judge(&application, cluster.node("new1"), &agents, 2_000);
    assert!(matches!(preempted, Preemption::Victims(victims) if victims.len() == 1), "the agent is in its way");
    let (_, spared) = judge(&application, cluster.node("new1"), &agents, 1_000);
    assert_eq!(spared, Preemption::NoVictims, "of equal priority it stays");

    let agent = cluster.pod_on("new1").metadata.name.clone();
    cluster.remove_pod(&agent);
    cluster.put_pod(app);
    cluster.run_for(std::time::Duration::from_mins(5));
    assert_eq!(cluster.columns()[..3], [1, 1, 0]);
    assert_told(&cluster, "new1", &["Insufficient cpu"]);
}

/// P27
#[test]
fn a_pod_that_is_pinned_to_a_full_node_cannot_go_elsewhere() {
    let mut cluster = fresh("P27");
    fill(&mut cluster, "full");
    cluster.run_until(300);
    assert_eq!(cluster.columns()[..3], [1, 1, 0]);
    assert_told(&cluster, "full", &["Too many pods"]);
    let mut another = cluster.node("full").clone();
    another.metadata.name = "another".into();
    cluster.put_node(another);
    cluster.run_for(std::time::Duration::from_mins(5));
    assert_eq!(cluster.pod_on("full").spec.node_name, "", "another node does not help it");
    assert_eq!(cluster.columns()[..3], [2, 2, 1]);
}

/// P28
#[test]
fn what_daemons_take_from_a_new_node() {
    let requests = |daemon_set: &DaemonSet| {
        let demand = PlacementRules::of(&daemon_set.spec.template, KubernetesVersion::default()).demand().clone();
        (demand.requests.milli_cpu, demand.requests.memory)
    };
    let agent = daemon_set("P28");
    assert_eq!(requests(&agent), (1_000, 512 * 1024 * 1024));
    let node = nodes("P28").remove(0);
    let daemons = |first: &DaemonSet| {
        let pod = |name: &str, spec: Value| other_pod(name, &node.metadata.name, spec);
        [pod("agent", first.spec.template.json()["spec"].clone()), pod("proxy", cpu("400m"))]
    };
    let application_fits = |first: &DaemonSet, amount: &str| {
        let application = with_spec(agent.clone(), "initContainers", json!([]));
        let application = with_spec(application, "containers", cpu(amount)["containers"].clone());
        judge(&application, &node, &daemons(first), 0).0.fits()
    };
    assert!(application_fits(&agent, "14600m"));
    assert!(!application_fits(&agent, "14601m"));

    let mut sidecar_first = agent.clone();
    edit_template(&mut sidecar_first, |json| json["spec"]["initContainers"].as_array_mut().unwrap().reverse());
    assert_eq!(requests(&sidecar_first).0, 1_200);
    assert!(application_fits(&sidecar_first, "14400m"));
    assert!(!application_fits(&sidecar_first, "14401m"));
}

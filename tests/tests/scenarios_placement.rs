//! Upstream's scenarios 1 to 28: which nodes get a pod, and which keep one.
//!
//! One sync each, counted as pods created, pods deleted, events. Nodes are plain, pods "own" ones. They hold for
//! `OnDelete` and for `RollingUpdate` with maxUnavailable 1.

use std::collections::BTreeSet;

use rollcast_core::api::{ConditionStatus, DaemonSet, Labels, Node};
use rollcast_core::controller::Action;
use rollcast_tests::cluster::{
    Cluster, START, agent, agent_with, foreign_pod, labelled, node, nodes, on_delete, own_pod, requesting, unavailable,
    with_condition, with_memory,
};
use serde_json::{Value, json};

/// The DaemonSet with either strategy.
fn each_strategy(daemon_set: &DaemonSet, test: impl Fn(DaemonSet)) {
    for strategy in [on_delete(), unavailable(1)] {
        let mut daemon_set = daemon_set.clone();
        daemon_set.spec.update_strategy = strategy;
        test(daemon_set);
    }
}

/// The label set L.
fn blue(node: Node) -> Node {
    labelled(node, &[("color", "blue")])
}

fn selecting_l() -> DaemonSet {
    agent_with(json!({"nodeSelector": {"color": "blue"}}))
}

/// Own pods whose labels do not match.
fn add_strangers(cluster: &mut Cluster, node: &str, count: usize) {
    for number in 0..count {
        let mut pod = own_pod(cluster.daemon_set(), node, &format!("stranger-{node}-{number}"));
        pod.metadata.labels = Labels::from_iter([("app", "other")]);
        cluster.put_pod(pod);
    }
}

/// Scenario 1.
#[test]
fn every_node_without_a_pod_gets_one() {
    each_strategy(&agent(), |daemon_set| {
        assert_eq!(Cluster::new(daemon_set, nodes(5)).sync().counts_with_events(), (5, 0, 0));
    });
}

/// Scenario 2.
#[test]
fn a_created_pod_is_pinned_to_its_node_and_left_to_the_scheduler() {
    each_strategy(&agent(), |daemon_set| {
        let mut cluster = Cluster::new(daemon_set, nodes(5));
        cluster.sync();
        let mut pinned = BTreeSet::new();
        for pod in &cluster.snapshot.pods {
            assert_eq!(pod.spec.node_name, "");
            let terms = &pod.spec.affinity.node_affinity.required.as_ref().expect("required terms").node_selector_terms;
            assert_eq!((terms.len(), terms[0].match_expressions.len(), terms[0].match_fields.len()), (1, 0, 1));
            let field = &terms[0].match_fields[0];
            assert_eq!((field.key.as_str(), field.operator.as_str(), field.values.len()), ("metadata.name", "In", 1));
            pinned.insert(field.values[0].clone());
        }
        assert_eq!(pinned.len(), 5);
    });
}

/// Scenario 3.
#[test]
fn creations_that_are_refused_are_not_tried_to_the_end() {
    each_strategy(&agent(), |daemon_set| {
        let mut cluster = Cluster::new(daemon_set, nodes(100));
        cluster.quota = Some(10);
        let synced = cluster.sync();
        assert_eq!(synced.counts(), (10, 0));
        assert!(synced.creations_tried <= 15, "1 + 2 + 4 + 8, but {}", synced.creations_tried);
        cluster.sync();
        let status = cluster.status();
        let counts =
            (status.desired_number_scheduled, status.current_number_scheduled, status.updated_number_scheduled);
        assert_eq!(counts, (100, 10, 10));
    });
}

/// Scenario 4.
#[test]
fn after_refused_creations_nothing_more_is_expected() {
    each_strategy(&agent(), |daemon_set| {
        let mut cluster = Cluster::new(daemon_set, nodes(100));
        cluster.quota = Some(10);
        cluster.sync();
        let expected = cluster.controller.expectations(&cluster.daemon_set().metadata.key());
        assert!(expected.are_met(cluster.now), "{expected:?}");
    });
}

/// Scenario 5; created pods are counted as soon as they are seen.
#[test]
fn the_status_counts_the_created_pods() {
    each_strategy(&agent(), |daemon_set| {
        let mut cluster = Cluster::new(daemon_set, nodes(5));
        cluster.sync();
        cluster.sync();
        assert_eq!(cluster.status().current_number_scheduled, 5);
    });
}

/// Scenario 6.
#[test]
fn the_first_failure_is_the_one_a_sync_ends_with() {
    each_strategy(&agent(), |daemon_set| {
        let failed = |quota: Option<usize>, refuses_status: bool| {
            let mut cluster = Cluster::new(daemon_set.clone(), nodes(1));
            (cluster.quota, cluster.refuses_status) = (quota, refuses_status);
            cluster.sync().failed
        };
        assert!(matches!(failed(Some(0), false), Some(Action::CreatePod { .. })));
        assert!(matches!(failed(None, true), Some(Action::UpdateStatus(_))));
        assert!(matches!(failed(Some(0), true), Some(Action::CreatePod { .. })));
        assert_eq!(failed(None, false), None);
    });
}

/// Scenarios 7 and 8.
#[test]
fn without_nodes_nothing_is_created_and_with_one_one() {
    each_strategy(&agent(), |daemon_set| {
        assert_eq!(Cluster::new(daemon_set.clone(), nodes(0)).sync().counts(), (0, 0));
        assert_eq!(Cluster::new(daemon_set, nodes(1)).sync().counts(), (1, 0));
    });
}

/// Scenarios 9 and 12.
#[test]
fn conditions_of_a_node_play_no_part() {
    each_strategy(&agent(), |daemon_set| {
        let not_ready = with_condition(node("node-0"), "Ready", ConditionStatus::False);
        assert_eq!(Cluster::new(daemon_set.clone(), vec![not_ready]).sync().counts(), (1, 0));
        let no_network = with_condition(node("node-0"), "NetworkUnavailable", ConditionStatus::True);
        assert_eq!(Cluster::new(daemon_set, vec![no_network]).sync().counts(), (1, 0));
    });
}

/// Scenario 10.
#[test]
fn a_node_without_room_gets_its_pod() {
    let mut spec = requesting("75M");
    spec["nodeName"] = json!("node-0");
    each_strategy(&agent_with(spec), |daemon_set| {
        let mut cluster = Cluster::new(daemon_set, vec![with_memory(node("node-0"), "100M")]);
        cluster.put_pod(foreign_pod("node-0", requesting("75M")));
        assert_eq!(cluster.sync().counts(), (1, 0));
    });
}

/// Scenario 11.
#[test]
fn only_the_selected_node_gets_a_pod_whatever_its_room() {
    let mut spec = requesting("50M");
    spec["nodeSelector"] = json!({"color": "blue"});
    each_strategy(&agent_with(spec), |daemon_set| {
        let (small, large) = (with_memory(node("a"), "10M"), blue(with_memory(node("b"), "100M")));
        let synced = Cluster::new(daemon_set, vec![small, large]).sync();
        assert_eq!((synced.created_on(), synced.events.len()), (vec!["b"], 0));
    });
}

/// Scenario 13.
#[test]
fn a_daemon_set_that_is_being_deleted_does_nothing() {
    each_strategy(&agent(), |mut daemon_set| {
        daemon_set.metadata.deletion_timestamp = Some(START);
        let synced = Cluster::new(daemon_set, nodes(5)).sync();
        assert_eq!((synced.counts(), synced.status), ((0, 0), None));
    });
}

/// Scenario 14.
#[test]
fn when_an_orphan_cannot_be_adopted_the_sync_ends() {
    each_strategy(&agent(), |daemon_set| {
        let mut cluster = Cluster::new(daemon_set, nodes(5));
        let mut orphan = own_pod(cluster.daemon_set(), "node-0", "orphan");
        orphan.metadata.owner_references.clear();
        cluster.put_pod(orphan);
        cluster.refuses_adoption = true;
        assert_eq!(cluster.sync().counts(), (0, 0));
        cluster.refuses_adoption = false;
        assert_eq!(cluster.sync().counts(), (4, 0));
    });
}

/// Scenarios 15 and 16.
#[test]
fn host_ports_play_no_part() {
    let with_port = |port: i32| json!({"containers": [{"name": "main", "image": "a:v1", "ports": [{"containerPort": port, "hostPort": port}]}]});
    let mut pinned = with_port(666);
    pinned["nodeName"] = json!("node-0");
    each_strategy(&agent_with(pinned), |daemon_set| {
        let mut cluster = Cluster::new(daemon_set, nodes(1));
        cluster.add_own_pods("node-0", 1);
        assert_eq!(cluster.sync().counts(), (0, 0));
    });
    each_strategy(&agent_with(with_port(6662)), |daemon_set| {
        let mut cluster = Cluster::new(daemon_set, nodes(1));
        cluster.put_pod(foreign_pod("node-0", with_port(6661)));
        assert_eq!(cluster.sync().counts(), (1, 0));
    });
}

/// Scenario 17.
#[test]
fn an_empty_selector_is_said_and_nothing_is_done() {
    let mut daemon_set = agent_with(json!({"nodeSelector": {"foo": "bar"}}));
    daemon_set.spec.selector.match_labels = Labels::default();
    each_strategy(&daemon_set, |daemon_set| {
        let mut cluster = Cluster::new(daemon_set, nodes(1));
        cluster.put_pod(foreign_pod("node-0", requesting("1M")));
        let synced = cluster.sync();
        assert_eq!((synced.counts(), synced.events), ((0, 0), vec!["Warning SelectingAll".to_owned()]));
    });
}

/// Scenario 18.
#[test]
fn every_node_keeps_one_pod() {
    each_strategy(&agent(), |daemon_set| {
        let mut cluster = Cluster::new(daemon_set, nodes(5));
        for (node, count) in [("node-1", 1), ("node-2", 2), ("node-3", 5)] {
            cluster.add_own_pods(node, count);
        }
        add_strangers(&mut cluster, "node-4", 2);
        let synced = cluster.sync();
        assert_eq!(synced.created_on(), ["node-0", "node-4"]);
        assert_eq!(synced.deleted_on(), ["node-2", "node-3", "node-3", "node-3", "node-3"]);
    });
}

/// Scenario 19.
#[test]
fn every_selected_node_gets_a_pod() {
    each_strategy(&selecting_l(), |daemon_set| {
        let mut all = nodes(4);
        all.extend((4..7).map(|number| blue(node(&format!("node-{number}")))));
        assert_eq!(Cluster::new(daemon_set, all).sync().created_on(), ["node-4", "node-5", "node-6"]);
    });
}

/// Nodes 0 to 4 unlabelled, 5 to 9 labelled.
fn half_blue() -> Vec<Node> {
    let labelled = (5..10).map(|number| blue(node(&format!("node-{number}"))));
    nodes(5).into_iter().chain(labelled).collect()
}

/// Scenario 20.
#[test]
fn a_node_that_is_not_selected_loses_its_pods() {
    each_strategy(&selecting_l(), |daemon_set| {
        let mut cluster = Cluster::new(daemon_set, half_blue());
        cluster.add_own_pods("node-1", 3);
        cluster.add_own_pods("node-4", 1);
        add_strangers(&mut cluster, "node-0", 2);
        add_strangers(&mut cluster, "node-1", 1);
        assert_eq!(cluster.sync().counts(), (5, 4));
    });
}

/// Scenario 21.
#[test]
fn selected_nodes_get_one_pod_and_the_others_none() {
    each_strategy(&selecting_l(), |daemon_set| {
        let mut cluster = Cluster::new(daemon_set, half_blue());
        for (node, count) in [("node-0", 1), ("node-1", 3), ("node-2", 4), ("node-6", 13), ("node-9", 1)] {
            cluster.add_own_pods(node, count);
        }
        for node in ["node-1", "node-7", "node-9"] {
            add_strangers(&mut cluster, node, 1);
        }
        let synced = cluster.sync();
        assert_eq!((synced.created_on(), synced.deleted.len()), (vec!["node-5", "node-7", "node-8"], 20));
    });
}

/// Scenarios 22 to 26.
#[test]
fn a_selector_and_a_node_name_must_both_agree() {
    let created = |spec: Value, nodes: Vec<Node>| {
        let created = BTreeSet::new();
        let mut all = vec![created];
        each_strategy_collect(&agent_with(spec), nodes, &mut all);
        all.pop().expect("what was created")
    };
    assert!(created(json!({"nodeSelector": {"no": "where"}}), nodes(5)).is_empty());
    assert_eq!(created(json!({"nodeName": "node-0"}), nodes(5)), BTreeSet::from(["node-0".to_owned()]));
    assert!(created(json!({"nodeName": "node-9"}), nodes(5)).is_empty());
    let both = |name: &str| json!({"nodeSelector": {"color": "blue"}, "nodeName": name});
    assert_eq!(created(both("node-6"), half_blue()), BTreeSet::from(["node-6".to_owned()]));
    assert!(created(both("node-0"), half_blue()).is_empty());
}

fn each_strategy_collect(daemon_set: &DaemonSet, nodes: Vec<Node>, all: &mut Vec<BTreeSet<String>>) {
    for strategy in [on_delete(), unavailable(1)] {
        let mut daemon_set = daemon_set.clone();
        daemon_set.spec.update_strategy = strategy;
        let synced = Cluster::new(daemon_set, nodes.clone()).sync();
        all.push(synced.created.iter().map(ToString::to_string).collect());
    }
    assert_eq!(all[all.len() - 1], all[all.len() - 2], "both strategies place alike");
}

fn affinity(terms: Value) -> Value {
    json!({"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}}})
}

/// Scenario 27.
#[test]
fn required_affinity_selects_nodes() {
    let terms = json!([{"matchExpressions": [{"key": "color", "operator": "In", "values": ["blue"]}]}]);
    each_strategy(&agent_with(affinity(terms)), |daemon_set| {
        let mut all = nodes(4);
        all.extend((4..7).map(|number| blue(node(&format!("node-{number}")))));
        assert_eq!(Cluster::new(daemon_set, all).sync().counts(), (3, 0));
    });
}

/// Scenario 28.
#[test]
fn one_term_of_the_affinity_is_enough() {
    let terms = json!([
        {"matchExpressions": [{"key": "zone", "operator": "In", "values": ["test"]}]},
        {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["node-1"]}]},
    ]);
    each_strategy(&agent_with(affinity(terms)), |daemon_set| {
        let mut all = nodes(6);
        for node in &mut all[2..4] {
            node.metadata.labels = Labels::from_iter([("zone", "test")]);
        }
        assert_eq!(Cluster::new(daemon_set, all).sync().created_on(), ["node-1", "node-2", "node-3"]);
    });
}

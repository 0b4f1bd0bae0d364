//! Cases about which nodes run the pod.

use rollcast_core::api::{DaemonSet, Node};
use rollcast_core::placement::Exclusion;
use rollcast_tests::cluster::{edit_template, taint};
use serde_json::{Value, json};

use crate::input::{daemon_set, daemon_set_in, eligible, exclusions, fresh, nodes, text, with_spec};

/// What is changed in the pod spec, and which nodes run the pod then.
type Variant = (Option<(&'static str, Value)>, &'static [&'static str]);

fn affinity(expressions: Value, fields: Value) -> Value {
    let term = json!({"matchExpressions": expressions, "matchFields": fields});
    json!({"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}})
}

fn check(id: &str, variants: &[Variant]) {
    let nodes = nodes(id);
    for (change, expected) in variants {
        let mut daemon_set = daemon_set(id);
        if let Some((field, value)) = change {
            daemon_set = with_spec(daemon_set, field, value.clone());
        }
        assert_eq!(eligible(&daemon_set, &nodes), *expected, "{id} with {change:?}");
    }
}

fn because_of_taint(text: &str) -> Vec<Exclusion> {
    vec![Exclusion::Taint(taint(text))]
}

/// P01
#[test]
fn one_pool_is_tainted() {
    check(
        "P01",
        &[
            (None, &["a1", "a2", "b2"]),
            (Some(("tolerations", json!([{"operator": "Exists", "effect": "NoSchedule"}]))), &["a1", "a2", "b1", "b2"]),
        ],
    );
    assert_eq!(exclusions(&daemon_set("P01"), &nodes("P01"), "b1"), because_of_taint("dedicated=batch:NoSchedule"));
    let mut cluster = fresh("P01");
    cluster.run_until(60);
    assert_eq!(cluster.columns()[..2], [3, 3]);
    assert!(cluster.pods_on("b1").is_empty(), "no pod object is made for it, so nothing is pending");
}

/// P02
#[test]
fn the_selectors_value_differs_and_the_node_is_tainted_as_well() {
    let role = "node-role.kubernetes.io/control-plane";
    let found = exclusions(&daemon_set("P02"), &nodes("P02"), "cp1");
    let selector = Exclusion::NodeSelector { key: role.into(), wanted: "".into(), found: Some("true".into()) };
    assert_eq!(found, [selector, Exclusion::Taint(taint(&format!("{role}:NoSchedule")))], "both obstacles are named");
    check("P02", &[(None, &[]), (Some(("nodeSelector", json!({role: "true"}))), &[])]);
    let corrected = with_spec(daemon_set("P02"), "nodeSelector", json!({role: "true"}));
    let tolerations = json!([{"key": role, "operator": "Exists", "effect": "NoSchedule"}]);
    assert_eq!(eligible(&with_spec(corrected, "tolerations", tolerations), &nodes("P02")), ["cp1"]);
}

/// P03
#[test]
fn the_taint_was_renamed() {
    check("P03", &[(None, &["cp-old", "w1"])]);
    let control_plane = "node-role.kubernetes.io/control-plane:NoSchedule";
    for node in ["cp-124", "cp-125"] {
        assert_eq!(exclusions(&daemon_set("P03"), &nodes("P03"), node), because_of_taint(control_plane), "{node}");
    }
}

/// P05
#[test]
fn a_field_that_is_indented_too_little_asks_for_nothing() {
    check("P05", &[(None, &["a", "b"])]);
    let field = "spec.template.spec.affinity.nodeAffinity.nodeSelectorTerms";
    let errors = crate::input::errors_in(&text("P05", "daemonset.yaml"));
    assert!(errors.iter().any(|(_, found)| found == field), "{errors:?}");
    let indented = affinity(json!([{"key": "app", "operator": "In", "values": ["log"]}]), json!([]));
    check("P05", &[(Some(("affinity", indented)), &["a"])]);
}

/// P07
#[test]
fn the_hostname_label_is_not_the_name_of_the_node() {
    let by_name = affinity(json!([]), json!([{"key": "metadata.name", "operator": "In", "values": ["node-1.cloud"]}]));
    check(
        "P07",
        &[(None, &[]), (Some(("nodeSelector", json!({"kubernetes.io/hostname": "ip-10-0-0-1"}))), &["node-1.cloud"])],
    );
    let mut daemon_set = with_spec(daemon_set("P07"), "affinity", by_name);
    edit_template(&mut daemon_set, |json| _ = json["spec"].as_object_mut().unwrap().remove("nodeSelector"));
    assert_eq!(eligible(&daemon_set, &nodes("P07")), ["node-1.cloud"]);
}

/// P08
#[test]
fn a_cordoned_node_gets_its_pod() {
    check("P08", &[(None, &["a", "b"])]);
    let mut cluster = fresh("P08");
    cluster.run_until(60);
    assert_eq!(cluster.columns(), [2, 2, 2, 2, 2]);
    assert_eq!(cluster.pod_on("b").spec.node_name, "b", "and it is bound");
}

/// P10
#[test]
fn a_network_agent_does_not_come_up_on_a_node_that_is_not_ready() {
    check(
        "P10",
        &[
            (None, &["old"]),
            (Some(("tolerations", json!([{"operator": "Exists", "effect": "NoSchedule"}]))), &["old", "fresh"]),
        ],
    );
    let not_ready = because_of_taint("node.kubernetes.io/not-ready:NoSchedule");
    assert_eq!(
        exclusions(&daemon_set("P10"), &nodes("P10"), "fresh"),
        not_ready,
        "only NoExecute is tolerated by itself"
    );
}

/// P11
#[test]
fn a_node_without_network_runs_pods_on_its_own_network_only() {
    check("P11", &[(None, &["ok"])]);
    let variant = daemon_set_in(&text("P11", "daemonset.variant1.yaml"));
    assert!(variant.spec.template.spec().host_network);
    assert_eq!(eligible(&variant, &nodes("P11")), ["ok", "noroute"]);
}

/// P13
#[test]
fn a_blanket_toleration_reaches_virtual_nodes() {
    let not_fargate = json!([{"key": "eks.amazonaws.com/compute-type", "operator": "NotIn", "values": ["fargate"]}]);
    check(
        "P13",
        &[
            (None, &["ec2-1", "ec2-2", "fargate-1"]),
            (Some(("affinity", affinity(not_fargate, json!([])))), &["ec2-1", "ec2-2"]),
            (Some(("tolerations", json!([]))), &["ec2-1", "ec2-2"]),
        ],
    );
}

/// P14
#[test]
fn only_a_selector_keeps_windows_nodes_out() {
    check(
        "P14",
        &[
            (None, &["lin", "win-plain"]),
            (Some(("nodeSelector", json!({"kubernetes.io/os": "linux"}))), &["lin"]),
            (Some(("os", json!({"name": "linux"}))), &["lin", "win-plain"]),
        ],
    );
    assert_eq!(exclusions(&daemon_set("P14"), &nodes("P14"), "win-tainted"), because_of_taint("os=windows:NoSchedule"));
}

/// Every other case: the nodes that its text names for the patch as written.
#[test]
fn the_nodes_that_the_other_cases_name_run_the_pod() {
    let all = |id: &str| nodes(id).iter().map(|node: &Node| node.metadata.name.to_string()).collect::<Vec<_>>();
    for id in [
        "P09", "P15", "P18", "P21", "P22", "P25", "P26", "P27", "P28", "P29", "L02", "L04", "L06", "L08", "L09", "R01",
        "R02", "R04", "R06", "R07", "R08", "R09", "R11", "R12", "R13", "R14", "R17", "R19", "R20",
    ] {
        let daemon_set: DaemonSet = daemon_set(id);
        assert_eq!(eligible(&daemon_set, &nodes(id)), all(id), "{id}");
    }
    check("P20", &[(None, &["a"])]);
    check("R15", &[(None, &["a", "b"])]);
}

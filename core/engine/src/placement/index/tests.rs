//! The index against node by node evaluation, on random clusters, rules and edits.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Value, json};

use super::{NodeIndex, Obstacle, ReasonId};
use crate::KubernetesVersion;
use crate::api::{Node, PodTemplate, Text};
use crate::placement::{Exclusion, PlacementRules, eligibility, place};

const KEYS: [&str; 4] = ["a", "b", "c.io/d", "e"];
const VALUES: [&str; 6] = ["", "x", "y", "5", "-3", "007"];

fn node(name: &str) -> impl Strategy<Value = Node> + use<> {
    let name = name.to_owned();
    let taint =
        (select(&KEYS[..2]), select(&VALUES[..2]), select(&["NoSchedule", "PreferNoSchedule", "NoExecute"][..]))
            .prop_map(|(key, value, effect)| json!({"key": key, "value": value, "effect": effect}));
    let taints = prop::collection::vec(taint, 0..3);
    let labels = subsequence(&KEYS[..], 0..=4).prop_flat_map(|keys| {
        prop::collection::vec(select(&VALUES[..]), keys.len())
            .prop_map(move |values| keys.iter().copied().zip(values).collect::<BTreeMap<_, _>>())
    });
    (labels, taints).prop_map(move |(labels, taints)| {
        let node = json!({"metadata": {"name": name, "labels": labels}, "spec": {"taints": taints}});
        serde_json::from_value(node).unwrap()
    })
}

fn name() -> impl Strategy<Value = String> {
    (0u32..90).prop_map(|number| format!("n{number}"))
}

/// A node of some name, or the removal of that node.
fn edit() -> impl Strategy<Value = (String, Option<Node>)> {
    name().prop_flat_map(|name| (Just(name.clone()), prop::option::weighted(0.8, node(&name))))
}

fn requirement() -> impl Strategy<Value = Value> {
    const OPERATORS: [&str; 7] = ["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "Unknown"];
    let values = prop_oneof![
        4 => prop::collection::vec(select(&VALUES[..4]), 0..3),
        1 => Just(vec!["-3"]),
    ];
    (select(&KEYS[..]), select(&OPERATORS[..]), values).prop_map(|(key, operator, values)| {
        let values = if matches!(operator, "Exists" | "DoesNotExist") { vec![] } else { values };
        json!({"key": key, "operator": operator, "values": values})
    })
}

fn field() -> impl Strategy<Value = Value> {
    let key = select(&["metadata.name", "metadata.name", "metadata.uid"][..]);
    (key, select(&["In", "NotIn"][..]), name())
        .prop_map(|(key, operator, value)| json!({"key": key, "operator": operator, "values": [value]}))
}

fn rules() -> impl Strategy<Value = PlacementRules> {
    let term = (prop::collection::vec(requirement(), 0..3), prop::collection::vec(field(), 0..2))
        .prop_map(|(expressions, fields)| json!({"matchExpressions": expressions, "matchFields": fields}));
    let affinity = prop::option::of(prop::collection::vec(term, 0..4));
    let selector = prop::collection::btree_map(select(&KEYS[..]), select(&VALUES[..3]), 0..3);
    let toleration = (select(&["", "a", "b"][..]), select(&["", "NoSchedule", "NoExecute"][..]))
        .prop_map(|(key, effect)| json!({"key": key, "operator": "Exists", "effect": effect}));
    let tolerations = prop::collection::vec(toleration, 0..2);
    (prop::option::weighted(0.2, name()), selector, affinity, tolerations).prop_map(
        |(node_name, selector, terms, tolerations)| {
            let required = terms.map(|terms| json!({ "nodeSelectorTerms": terms }));
            let spec = json!({"nodeName": node_name, "nodeSelector": selector, "tolerations": tolerations,
                "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}});
            PlacementRules::of(&PodTemplate::from_json(json!({ "spec": spec })).unwrap(), KubernetesVersion::V1_36)
        },
    )
}

fn obstacles(exclusions: &[Exclusion]) -> Vec<Obstacle> {
    let obstacle = |exclusion: &Exclusion| match exclusion.clone() {
        Exclusion::NodeName { wanted } => Obstacle::NodeName { wanted },
        Exclusion::NodeSelector { key, wanted, found: None } => Obstacle::LabelMissing { key, wanted },
        Exclusion::NodeSelector { key, wanted, found: Some(_) } => Obstacle::LabelDiffers { key, wanted },
        Exclusion::NodeAffinity { terms } => Obstacle::NodeAffinity { terms },
        Exclusion::Taint(taint) => Obstacle::Taint(taint),
    };
    exclusions.iter().map(obstacle).collect()
}

/// Every answer of the index for `rules` against node by node evaluation.
fn agree(index: &NodeIndex, nodes: &BTreeMap<String, Node>, rules: &PlacementRules) {
    assert_eq!(index.len(), nodes.len());
    assert!(index.in_name_order(index.all()).map(|(_, name)| name.as_str()).eq(nodes.keys().map(String::as_str)));
    let selection = index.select(rules);
    let reasons = index.reasons(rules);
    let (mut run, mut keep_running) = (0, 0);
    for (name, node) in nodes {
        let rank = index.rank(name).unwrap();
        assert_eq!(index.name(rank).map(Text::as_str), Some(name.as_str()));
        let expected = eligibility(rules, node);
        let keeps = !expected.should_run && expected.should_continue_running;
        assert_eq!(selection.run.contains(rank), expected.should_run, "{name}");
        assert_eq!(selection.keep_running.contains(rank), keeps, "{name}");
        run += u32::from(expected.should_run);
        keep_running += u32::from(keeps);
        let placement = place(rules, node);
        let expected = obstacles(placement.exclusions());
        let found = reasons.of(rank).map(|reason| reason.obstacles.clone()).unwrap_or_default();
        assert_eq!(found, expected, "{name}");
    }
    assert_eq!((selection.counts.run, selection.run.count()), (run, run));
    assert_eq!((selection.counts.keep_running, selection.keep_running.count()), (keep_running, keep_running));
    let rejected: u32 = reasons.reasons.iter().map(|reason| reason.nodes).sum();
    assert_eq!(rejected, u32::try_from(nodes.len()).unwrap() - run);
    assert_eq!(rejected, selection.counts.keep_running + selection.counts.exclude);
    assert_eq!(reasons.unnumbered, 0);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_index_says_what_each_node_says_after_any_edits(
        start in prop::collection::vec(edit(), 0..120),
        edits in prop::collection::vec(edit(), 0..30),
        rules in rules(),
    ) {
        let mut nodes: BTreeMap<String, Node> =
            start.into_iter().filter_map(|(name, node)| Some((name, node?))).collect();
        let mut index = NodeIndex::build(nodes.values());
        agree(&index, &nodes, &rules);
        for (name, edit) in edits {
            if let Some(node) = edit {
                    let before = nodes.insert(name, node.clone());
                    let same = before.is_some_and(|before| before.metadata.labels == node.metadata.labels
                        && before.spec.taints == node.spec.taints);
                    let inserted = index.insert(&node);
                    prop_assert!(!(same && inserted.changed), "nothing changed");
            } else {
                prop_assert_eq!(index.remove(&name).is_some(), nodes.remove(&name).is_some());
            }
        }
        agree(&index, &nodes, &rules);
        let built = NodeIndex::build(nodes.values());
        prop_assert_eq!(index.reasons(&rules).reasons, built.reasons(&rules).reasons, "history leaves no trace");
    }
}

#[test]
fn values_that_no_node_has_any_more_are_forgotten() {
    let named = |name: &str, stamp: u32| -> Node {
        serde_json::from_value(json!({"metadata": {"name": name, "labels": {"stamp": stamp.to_string()}},
            "spec": {"taints": [{"key": "stamp", "value": stamp.to_string(), "effect": "NoSchedule"}]}}))
        .unwrap()
    };
    let mut index = NodeIndex::default();
    for stamp in 0..1000 {
        index.insert(&named("a", stamp));
        index.insert(&named(&format!("gone-{stamp}"), stamp));
        index.remove(&format!("gone-{stamp}"));
    }
    assert_eq!(index.len(), 1);
    assert!(index.names.len() <= 2, "ranks are used again");
    assert_eq!(index.columns.get("stamp").unwrap().value_slots(), 2);
    assert_eq!(index.taints.slots(), 2);
}

#[test]
fn a_heartbeat_changes_nothing() {
    let node: Node = serde_json::from_value(json!({"metadata": {"name": "a", "labels": {"l": "1"}}})).unwrap();
    let mut index = NodeIndex::build([&node]);
    assert!(!index.insert(&node).changed);
}

#[test]
fn large_groups_and_single_nodes_are_found_alike() {
    let node = |number: u32| -> Node {
        let labels = json!({"number": number.to_string(), "third": (number % 3).to_string(), "all": ""});
        serde_json::from_value(json!({"metadata": {"name": format!("n{number:05}"), "labels": labels}})).unwrap()
    };
    let nodes: BTreeMap<String, Node> =
        (0..3000).map(node).map(|node| (node.metadata.name.to_string(), node)).collect();
    let mut index = NodeIndex::build(nodes.values());
    let required = json!({"nodeSelectorTerms": [
        {"matchExpressions": [{"key": "number", "operator": "In", "values": ["7", "2999"]}]},
        {"matchExpressions": [{"key": "number", "operator": "Gt", "values": ["2500"]},
                              {"key": "third", "operator": "NotIn", "values": ["0", "1"]}]}]});
    let spec = json!({"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}});
    let rules = PlacementRules::of(&PodTemplate::from_json(json!({ "spec": spec })).unwrap(), KubernetesVersion::V1_36);
    agree(&index, &nodes, &rules);
    assert_eq!(index.select(&rules).counts.run, 168);
    // From many to few, and back.
    for number in 0..2900 {
        index.remove(&format!("n{number:05}"));
    }
    let left: BTreeMap<String, Node> = nodes.clone().into_iter().skip(2900).collect();
    agree(&index, &left, &rules);
    for node in nodes.values() {
        index.insert(node);
    }
    agree(&index, &nodes, &rules);
}

#[test]
fn more_reasons_than_numbers_are_left_unnumbered() {
    let node = |number: u32| -> Node {
        let taint = json!({"key": "unique", "value": number.to_string(), "effect": "NoSchedule"});
        serde_json::from_value(json!({"metadata": {"name": format!("n{number:05}")}, "spec": {"taints": [taint]}}))
            .unwrap()
    };
    let nodes: Vec<Node> = (0..70_000).map(node).collect();
    let index = NodeIndex::build(&nodes);
    let rules = PlacementRules::of(&PodTemplate::default(), KubernetesVersion::V1_36);
    let reasons = index.reasons(&rules);
    assert_eq!((reasons.reasons.len(), reasons.unnumbered), (65_534, 70_000 - 65_534));
    assert_eq!(reasons.of_node[69_999], ReasonId::UNNUMBERED);
    assert_eq!(reasons.of(69_999), None);
}

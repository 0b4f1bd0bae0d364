//! Upstream's scenarios 80 to 96: lifecycle, history, small rules, `kubectl rollout status`.
//!
//! Not here: 84 (conditions that a client writes into the status persist), as the status that the core writes has no
//! conditions: to leave them alone is a matter of how it is sent.

use std::time::Duration;

use rollcast_core::KubernetesVersion;
use rollcast_core::api::{DaemonSet, Labels, Pod, PodPhase};
use rollcast_core::controller::{Action, SyncError};
use rollcast_core::placement::{NewPod, PlacementRules, target_node_of};
use rollcast_core::status::{RolloutStatus, rollout_status};
use rollcast_tests::cluster::{Cluster, agent, nodes, on_delete, own_pod, revision, template_with, with_image};
use serde_json::{Value, json};

/// Scenario 80.
#[test]
fn a_deleted_pod_comes_back_on_its_node() {
    let mut cluster = Cluster::new(agent(), nodes(2)).rolled_out();
    let deleted = cluster.pod_on("node-1").metadata.clone();
    cluster.delete_pod(&deleted.name);
    cluster.run_for(Duration::from_mins(1));
    assert_ne!(cluster.pod_on("node-1").metadata.uid, deleted.uid);
    assert!(cluster.pod_on("node-1").is_ready());
}

fn paint(cluster: &mut Cluster, color: &'static str) {
    cluster.change_node("node-0", |node| node.metadata.labels = Labels::from_iter([("color", color)]));
    cluster.run_for(Duration::from_mins(1));
}

/// Scenario 81.
#[test]
fn pods_follow_the_labels_of_their_nodes() {
    let mut daemon_set = agent();
    daemon_set.spec.template = template_with(json!({"nodeSelector": {"color": "blue"}}));
    let mut cluster = Cluster::new(daemon_set, nodes(3)).rolled_out();
    assert_eq!(cluster.own_pods(), 0);
    paint(&mut cluster, "blue");
    assert_eq!((cluster.own_pods(), cluster.pods_on("node-0").len()), (1, 1));
    paint(&mut cluster, "green");
    assert_eq!(cluster.own_pods(), 0);
    cluster.change_template(|json| json["spec"]["nodeSelector"]["color"] = json!("green"));
    cluster.run_for(Duration::from_mins(1));
    assert_eq!((cluster.own_pods(), cluster.pods_on("node-0").len()), (1, 1));
}

/// Scenario 82.
#[test]
fn pods_follow_the_labels_of_their_nodes_by_affinity_too() {
    let terms = json!([{"matchExpressions": [{"key": "color", "operator": "In", "values": ["blue"]}]}]);
    let mut daemon_set = agent();
    daemon_set.spec.template = template_with(json!({
        "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}},
    }));
    let mut cluster = Cluster::new(daemon_set, nodes(3)).rolled_out();
    assert_eq!(cluster.own_pods(), 0);
    paint(&mut cluster, "blue");
    assert_eq!(cluster.own_pods(), 1);
    cluster.change_node("node-0", |node| node.metadata.labels = Labels::default());
    cluster.run_for(Duration::from_mins(1));
    assert_eq!(cluster.own_pods(), 0);
}

/// Scenario 83.
#[test]
fn a_failed_pod_is_replaced_and_its_object_deleted() {
    let mut cluster = Cluster::new(agent(), nodes(2)).rolled_out();
    let failed = cluster.pod_on("node-1").metadata.clone();
    cluster.change_pod(&failed.name, |pod| pod.status.phase = PodPhase::Failed);
    cluster.run_for(Duration::from_mins(1));
    assert_ne!(cluster.pod_on("node-1").metadata.uid, failed.uid);
}

/// Scenario 85.
#[test]
fn an_orphan_revision_is_adopted_in_its_own_namespace_only() {
    let mut cluster = Cluster::new(agent(), nodes(1)).rolled_out();
    let mut orphan = revision(&with_image(agent(), "v0"), "orphan", 7);
    orphan.metadata.owner_references.clear();
    let mut elsewhere = orphan.clone();
    elsewhere.metadata.namespace = "other".into();
    cluster.put_revision(orphan);
    cluster.put_revision(elsewhere);
    cluster.sync();
    let controlled = |namespace: &str| {
        let in_namespace =
            cluster.snapshot.revisions.iter().filter(|revision| revision.metadata.namespace == namespace);
        in_namespace.filter(|revision| revision.metadata.controller_owner().is_some()).count()
    };
    assert_eq!((controlled("default"), controlled("other")), (2, 0));
}

/// Scenario 86.
#[test]
fn a_revision_name_that_is_taken_is_passed_over() {
    let mut cluster = Cluster::new(agent(), nodes(2)).rolled_out();
    cluster.set_image("v2");
    let mut rehearsal = Cluster::new(cluster.daemon_set().clone(), nodes(2));
    let decided = rehearsal.controller.step(rehearsal.now);
    let name = decided.batches.iter().flat_map(|batch| &batch.decisions).find_map(|decision| match &decision.action {
        Action::CreateRevision(revision) => Some(revision.metadata.name.clone()),
        _ => None,
    });
    let mut squatter = revision(&with_image(agent(), "other"), "squatter", 9);
    squatter.metadata.name = name.expect("a revision is created");
    squatter.metadata.labels = Labels::default();
    squatter.metadata.owner_references.clear();
    cluster.put_revision(squatter);

    let synced = cluster.sync();
    assert!(matches!(synced.error, Some(SyncError::NameCollision { .. })), "{:?}", synced.error);
    assert_eq!((synced.counts(), cluster.status().collision_count), ((0, 0), Some(1)));
    cluster.run_for(Duration::from_mins(1));
    assert_eq!(cluster.columns(), [2, 2, 2, 2, 2]);
    assert_eq!(
        (cluster.images_on("node-0"), cluster.images_on("node-1")),
        (vec!["v2".to_owned()], vec!["v2".to_owned()])
    );
}

/// Scenario 87.
#[test]
fn of_two_revisions_of_one_template_the_higher_stays() {
    let mut cluster = Cluster::new(agent(), nodes(3)).rolled_out();
    let duplicate = revision(cluster.daemon_set(), "duplicate", 5);
    cluster.put_revision(duplicate);
    cluster.run_for(Duration::from_mins(1));
    assert_eq!(cluster.revision_numbers(), [5]);
    let hash = |pod: &Pod| pod.metadata.labels.get(Pod::REVISION_HASH_LABEL).is_some_and(|hash| hash == "duplicate");
    assert!(cluster.snapshot.pods.iter().all(hash));
    assert!(cluster.log.is_empty(), "no pod is replaced: {:?}", cluster.log);
}

/// Scenario 88: an old pod is deleted by the rolling update, an updated one is not.
#[test]
fn a_pod_is_updated_by_its_hash_or_by_its_generation() {
    let is_updated = |labels: &[(&str, &str)]| {
        let mut cluster = Cluster::new(agent(), nodes(1));
        cluster.add_own_pods("node-0", 1);
        let name = cluster.pod_on("node-0").metadata.name.clone();
        cluster.change_pod(&name, |pod| {
            pod.metadata.labels = labels.iter().copied().chain([("app", "agent")]).collect();
        });
        cluster.sync().deleted.is_empty()
    };
    let (hash, generation) = (Pod::REVISION_HASH_LABEL, Pod::TEMPLATE_GENERATION_LABEL);
    assert!(is_updated(&[(generation, "1"), (hash, "current")]));
    assert!(is_updated(&[(generation, "1"), (hash, "other")]));
    assert!(is_updated(&[(generation, "1"), (hash, "")]));
    assert!(is_updated(&[(generation, "1")]));
    assert!(is_updated(&[(generation, "9"), (hash, "current")]));
    assert!(!is_updated(&[(generation, "9"), (hash, "other")]));
    assert!(!is_updated(&[]));
}

/// Scenario 89.
#[test]
fn a_created_pod_carries_hash_and_generation() {
    let daemon_set = agent();
    let rules = PlacementRules::of(&daemon_set.spec.template, KubernetesVersion::default());
    let labels = |revision_hash: &'static str, generation: i64| {
        let new = NewPod {
            daemon_set: &daemon_set,
            rules: &rules,
            node: "node-0",
            name: "",
            revision_hash,
            template_generation: Some(generation),
        };
        let labels = new.narrow().metadata.labels;
        let label = |key: &str| labels.get(key).map(ToString::to_string);
        (label(Pod::TEMPLATE_GENERATION_LABEL), label(Pod::REVISION_HASH_LABEL))
    };
    assert_eq!(labels("", 1), (Some("1".into()), None));
    assert_eq!(labels("abc", 2), (Some("2".into()), Some("abc".into())));
}

/// Scenario 90.
#[test]
fn whatever_the_affinity_was_a_created_pod_is_pinned_to_one_node() {
    let required = |terms: Value| json!({"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}});
    let field = |key: &str, operator: &str, values: Value| json!({"matchFields": [{"key": key, "operator": operator, "values": values}]});
    let preferred = json!([{"weight": 1, "preference": {"matchExpressions": [{"key": "a", "operator": "Exists"}]}}]);
    let affinities = [
        Value::Null,
        required(
            json!([{"matchExpressions": [{"key": "kubernetes.io/hostname", "operator": "In", "values": ["host_1"]}]}]),
        ),
        json!({"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": preferred}}),
        required(json!([field("metadata.name", "In", json!(["host_1", "host_2"]))])),
        required(json!([
            {"matchExpressions": [{"key": "a", "operator": "Exists"}]},
            field("metadata.name", "In", json!(["host_2"])),
        ])),
        required(json!([field("metadata.name", "NotIn", json!(["host_2"]))])),
        required(json!([field("metadata.foo", "In", json!(["host_2"]))])),
    ];
    for affinity in affinities {
        let mut daemon_set = agent();
        daemon_set.spec.template = template_with(json!({"affinity": affinity}));
        let rules = PlacementRules::of(&daemon_set.spec.template, KubernetesVersion::default());
        let new = NewPod {
            daemon_set: &daemon_set,
            rules: &rules,
            node: "host_1",
            name: "",
            revision_hash: "abc",
            template_generation: None,
        };
        let made = &new.json()["spec"]["affinity"]["nodeAffinity"];
        assert_eq!(
            made["requiredDuringSchedulingIgnoredDuringExecution"],
            json!({"nodeSelectorTerms": [field("metadata.name", "In", json!(["host_1"]))]}),
        );
        let kept = &affinity["nodeAffinity"]["preferredDuringSchedulingIgnoredDuringExecution"];
        assert_eq!(&made["preferredDuringSchedulingIgnoredDuringExecution"], kept);
    }
}

/// Scenario 91.
#[test]
fn the_node_of_a_pod_is_where_it_is_bound_or_pinned() {
    let pod = own_pod(&agent(), "node-1", "a");
    let target = |pod: &Pod| target_node_of(pod).map(ToString::to_string);
    assert_eq!(target(&pod).as_deref(), Some("node-1"));
    let mut unbound = pod.clone();
    unbound.spec.node_name = "".into();
    assert_eq!(target(&unbound).as_deref(), Some("node-1"));
    let mut two = unbound.clone();
    let terms = two.spec.affinity.node_affinity.required.as_mut().expect("a pin");
    terms.node_selector_terms[0].match_fields[0].values.push("node-2".into());
    assert_eq!(target(&two), None);
    unbound.spec.affinity.node_affinity.required = None;
    assert_eq!(target(&unbound), None);
}

/// A DaemonSet with that generation and status.
fn reported(generation: i64, observed: i64, updated: i32, desired: i32, available: i32) -> DaemonSet {
    let mut daemon_set = agent();
    daemon_set.metadata.generation = generation;
    daemon_set.status.observed_generation = observed;
    daemon_set.status.updated_number_scheduled = updated;
    daemon_set.status.desired_number_scheduled = desired;
    daemon_set.status.number_available = available;
    daemon_set
}

/// Scenarios 92 to 96.
#[test]
fn kubectl_rollout_status() {
    let status = |numbers: [i32; 5]| {
        let [generation, observed, updated, desired, available] = numbers;
        rollout_status(&reported(generation.into(), observed.into(), updated, desired, available))
    };
    assert!(matches!(status([0, 1, 0, 1, 0]), RolloutStatus::Updating { updated: 0, desired: 1 }));
    assert!(matches!(status([1, 1, 2, 2, 1]), RolloutStatus::BecomingAvailable { available: 1, desired: 2 }));
    assert!(matches!(status([1, 1, 2, 2, 2]), RolloutStatus::Complete));
    assert!(matches!(status([2, 1, 2, 2, 2]), RolloutStatus::NotObserved));
    let mut waiting = reported(1, 1, 2, 2, 2);
    waiting.spec.update_strategy = on_delete();
    assert!(matches!(rollout_status(&waiting), RolloutStatus::Unsupported));
}

//! Cases about how an update goes on, and why it stops.

use std::time::Duration;

use rollcast_core::api::Pod;
use rollcast_core::budget::budget;
use rollcast_core::controller::WaitingOn;
use rollcast_core::message::{Language, Words};
use rollcast_core::status::{RolloutStatus, rollout_status};
use rollcast_tests::cluster::{Cluster, set_ready, surge, unavailable};
use serde_json::json;

use crate::input::{daemon_set, fresh, nodes, running, with_spec};

fn words(cluster: &Cluster) -> String {
    rollout_status(cluster.daemon_set()).words(Language::English)
}

/// When pods were deleted, and how many.
fn deletions(cluster: &Cluster) -> Vec<(i64, usize)> {
    let entries = cluster.log.iter().filter(|entry| !entry.deleted.is_empty());
    entries.map(|entry| (entry.at, entry.deleted.len())).collect()
}

/// The cluster of a case whose nodes tolerate everything, its pods ready for long, with those nodes lost since.
fn with_lost_nodes(id: &str, lost: &[&str]) -> Cluster {
    let mut healthy = nodes(id);
    for node in &mut healthy {
        node.spec.taints.clear();
    }
    let mut cluster = Cluster::new(daemon_set(id), healthy).rolled_out();
    for node in lost {
        cluster.lose_node(node);
    }
    cluster.settle();
    cluster.forget_log();
    cluster
}

/// R01
#[test]
fn percentages_round_up() {
    let mut cluster = fresh("R01");
    cluster.ready_after = Some(Duration::from_secs(10));
    cluster.gone_after = Some(Duration::from_secs(5));
    let mut cluster = cluster.rolled_out();
    cluster.run_until(10);
    cluster.set_image("v2");
    cluster.run_until(99);
    assert_ne!(cluster.columns(), [11; 5]);
    cluster.run_until(100);
    assert_eq!(cluster.columns(), [11; 5]);
    assert_eq!(deletions(&cluster), [(10, 2), (25, 2), (40, 2), (55, 2), (70, 2), (85, 1)]);
    assert_eq!(cluster.fewest_available, 9);

    let table =
        [("10%", 3, 1), ("10%", 10, 1), ("10%", 20, 2), ("34%", 3, 2), ("25%", 4, 1), ("1%", 164, 2), ("10%", 164, 17)];
    for (percent, desired, expected) in table {
        let mut spec = daemon_set("R01").spec;
        spec.update_strategy = unavailable(percent);
        assert_eq!(budget(&spec, desired).unwrap().max_unavailable, expected, "{percent} of {desired}");
        spec.update_strategy = surge(percent);
        assert_eq!(budget(&spec, desired).unwrap().max_surge, expected, "surge {percent} of {desired}");
    }
}

/// R02
#[test]
fn dead_nodes_use_up_the_budget() {
    let dead = ["d1", "d2", "d3"];
    let mut cluster = with_lost_nodes("R02", &dead);
    assert_eq!(cluster.columns(), [30, 30, 27, 30, 27]);
    cluster.run_until(10);
    cluster.set_image("v2");
    let first = cluster.sync();
    assert_eq!(first.deleted_on(), dead, "in spite of maxUnavailable 1");
    cluster.run_until(3_600);
    assert_eq!(cluster.columns(), [30, 30, 27, 0, 27], "and no healthy pod is touched");
    let waits = cluster.controller.waiting_on(&cluster.daemon_set().metadata.key());
    let names_budget = |wait: &WaitingOn| {
        matches!(wait, WaitingOn::UnavailableBudget { unavailable: 3, limit: 1, desired: 30, waiting: 27, .. })
    };
    assert!(waits.iter().any(names_budget), "{waits:?}");

    cluster.change(|daemon_set| daemon_set.spec.update_strategy = unavailable("10%"));
    cluster.run_for(Duration::from_hours(1));
    assert_eq!(cluster.status().updated_number_scheduled, 0, "3 of 3");
    cluster.change(|daemon_set| daemon_set.spec.update_strategy = unavailable("11%"));
    cluster.forget_log();
    cluster.run_for(Duration::from_hours(1));
    assert!(deletions(&cluster).iter().all(|(_, count)| *count == 1), "one healthy node at a time");
    assert_eq!(cluster.columns(), [30, 30, 27, 27, 27]);
}

/// R02, with the dead nodes removed.
#[test]
fn removed_nodes_give_the_budget_back_when_their_pods_are_gone() {
    let dead = ["d1", "d2", "d3"];
    let mut cluster = with_lost_nodes("R02", &dead);
    cluster.set_image("v2");
    cluster.run_until(60);
    for node in dead {
        cluster.remove_node(node);
    }
    cluster.sync();
    cluster.run_until(600);
    assert_eq!(cluster.columns()[..1], [27]);
    assert_eq!(cluster.status().updated_number_scheduled, 0, "the pods that are ending still count");
    for node in dead {
        let name = cluster.pod_on(node).metadata.name.clone();
        cluster.remove_pod(&name);
    }
    cluster.run_until(1_200);
    assert_eq!(cluster.columns(), [27; 5]);
}

/// R04
#[test]
fn the_broken_pod_goes_first() {
    let mut cluster = running("R04");
    cluster.broken_images.extend(["v2".to_owned(), "v3".to_owned()]);
    cluster.run_until(10);
    cluster.set_image("v2");
    cluster.run_until(60);
    let by_version = |cluster: &Cluster| {
        let mut versions: Vec<String> = ["n1", "n2", "n3"].iter().flat_map(|node| cluster.images_on(node)).collect();
        versions.sort();
        versions
    };
    assert_eq!((by_version(&cluster), cluster.available()), (vec!["v1".into(), "v1".into(), "v2".into()], 2));
    cluster.set_image("v3");
    cluster.run_until(120);
    assert_eq!((by_version(&cluster), cluster.available()), (vec!["v1".into(), "v1".into(), "v3".into()], 2));
    cluster.set_image("v4");
    cluster.run_until(300);
    assert_eq!(cluster.columns(), [3; 5]);
    assert_eq!(cluster.fewest_available, 2, "healthy pods are never below 2");
}

/// R06
#[test]
fn a_second_update_before_pods_count_as_available_takes_all_at_once() {
    let start = || {
        let mut cluster = fresh("R06");
        cluster.ready_after = Some(Duration::from_secs(10));
        cluster.gone_after = None;
        cluster
    };
    let mut early = start();
    early.run_until(60);
    assert_eq!(early.columns(), [4, 4, 4, 4, 0]);
    early.set_image("v2");
    assert_eq!(early.sync().counts(), (0, 4));

    let mut late = start();
    late.run_until(400);
    assert_eq!(late.columns(), [4; 5]);
    late.set_image("v2");
    late.run_until(1_639);
    assert_ne!(late.columns(), [4; 5]);
    late.run_until(1_640);
    assert_eq!(late.columns(), [4; 5]);
    assert_eq!(deletions(&late), [(400, 1), (710, 1), (1_020, 1), (1_330, 1)]);
}

/// R07
#[test]
fn the_replacement_waits_for_a_long_end_unless_there_is_surge() {
    let mut cluster = fresh("R07");
    cluster.gone_after = Some(Duration::from_mins(2));
    let mut cluster = cluster.rolled_out();
    cluster.run_until(10);
    cluster.set_image("v2");
    cluster.run_until(129);
    assert_eq!((cluster.columns(), cluster.own_pods()), ([1, 1, 1, 0, 1], 1), "it is ready until its end");
    cluster.run_until(140);
    assert_eq!((cluster.columns(), cluster.images_on("n1")), ([1; 5], vec!["v2".to_owned()]));

    let mut daemon_set = daemon_set("R07");
    daemon_set.spec.update_strategy = surge(1);
    let mut cluster = Cluster::new(daemon_set, nodes("R07"));
    cluster.gone_after = Some(Duration::from_mins(2));
    let mut cluster = cluster.rolled_out();
    cluster.run_until(10);
    let name = cluster.pod_on("n1").metadata.name.clone();
    cluster.delete_pod(&name);
    assert_eq!(cluster.sync().created_on(), ["n1"], "beside the one that is ending");
}

/// R08
#[test]
fn one_stuck_pod_takes_one_place_of_the_budget() {
    let tolerant = with_spec(daemon_set("R08"), "tolerations", json!([{"operator": "Exists"}]));
    let rolled_out = |limit: serde_json::Value| {
        let mut daemon_set = tolerant.clone();
        daemon_set.spec.update_strategy = unavailable(limit);
        let mut cluster = Cluster::new(daemon_set, nodes("R08"));
        cluster.ready_after = Some(Duration::from_secs(10));
        cluster.gone_after = Some(Duration::from_secs(10));
        let mut cluster = cluster.rolled_out();
        cluster.run_until(10);
        cluster.set_image("v2");
        cluster.run_until(12);
        let stuck = cluster.log[0].deleted[0].clone();
        cluster.lose_node(&stuck);
        cluster.run_until(3_600);
        cluster
    };
    let cluster = rolled_out(json!("20%"));
    assert!(deletions(&cluster)[1..].iter().all(|(_, count)| *count == 1), "one at a time: {:?}", cluster.log);
    assert_eq!(cluster.columns(), [10, 10, 9, 9, 9]);
    assert!(words(&cluster).contains("9 out of 10 new pods have been updated"), "{}", words(&cluster));

    let stuck = rolled_out(json!(1));
    assert_eq!(stuck.status().updated_number_scheduled, 0, "with maxUnavailable 1 it stops at once");
}

/// L02
#[test]
fn with_surge_and_a_host_port_nothing_moves() {
    let mut cluster = running("L02");
    cluster.run_until(10);
    cluster.set_image("v2");
    cluster.run_until(3_600);
    assert_eq!((cluster.columns(), cluster.own_pods()), ([2, 2, 2, 0, 2], 3));
    assert!(words(&cluster).contains("0 out of 2 new pods have been updated"), "{}", words(&cluster));

    let first = if cluster.pods_on("n1").len() == 2 { "n1" } else { "n2" };
    let old = cluster.pods_on(first)[0].metadata.name.clone();
    cluster.delete_pod(&old);
    cluster.run_for(Duration::from_hours(1));
    assert_eq!(
        (cluster.columns(), cluster.images_on(first)),
        ([2, 2, 2, 1, 2], vec!["v2".to_owned()]),
        "one step, then stuck"
    );
    assert_eq!(cluster.own_pods(), 3);
}

/// R11
#[test]
fn with_surge_old_pods_on_ineligible_nodes_go_when_others_are_available() {
    let mut cluster = running("R11");
    cluster.run_until(10);
    cluster.change_template(|json| {
        json["spec"]["tolerations"] = json!([]);
        json["spec"]["containers"][0]["image"] = json!("registry.example/agent:v2");
    });
    let first = cluster.sync();
    assert_eq!(first.created.len(), 1, "one of the workers, never m1 or m2");
    assert!(first.created_on()[0].starts_with('w'));
    assert_eq!(first.deleted_on(), ["m1", "m2"]);
    assert_eq!((cluster.status().desired_number_scheduled, cluster.status().number_misscheduled), (2, 2));
    cluster.run_until(300);
    assert_eq!((cluster.columns(), cluster.status().number_misscheduled), ([2; 5], 0));

    // An old pod there that is not available goes right away.
    let mut cluster = running("R11");
    let name = cluster.pod_on("m1").metadata.name.clone();
    cluster.change_pod(&name, |pod| pod.status.conditions.clear());
    cluster.broken_images.insert("v2".into());
    let others: Vec<_> = ["w1", "w2", "m2"].iter().map(|node| cluster.pod_on(node).metadata.name.clone()).collect();
    for name in &others[..2] {
        cluster.change_pod(name, |pod| pod.status.conditions.clear());
    }
    cluster.change_template(|json| json["spec"]["tolerations"] = json!([]));
    assert!(cluster.sync().deleted_on().contains(&"m1"));
}

/// R12
#[test]
fn with_on_delete_pods_change_when_someone_deletes_them() {
    let mut cluster = running("R12");
    cluster.run_until(10);
    cluster.set_image("v2");
    cluster.run_until(20);
    assert_eq!((cluster.columns(), cluster.log.len()), ([2, 2, 2, 0, 2], 0));
    assert_eq!(rollout_status(cluster.daemon_set()), RolloutStatus::Unsupported);
    assert_eq!(words(&cluster), "rollout status is only available for RollingUpdate strategy type");
    let name = cluster.pod_on("n1").metadata.name.clone();
    cluster.delete_pod(&name);
    cluster.run_until(60);
    assert_eq!((cluster.columns(), cluster.images_on("n1")), ([2, 2, 2, 1, 2], vec!["v2".to_owned()]));
    assert_eq!(cluster.revision_numbers(), [1, 2], "history and undo have what they need");
}

/// R13
#[test]
fn rollout_status_asks_for_every_node() {
    let mut cluster = with_lost_nodes("R13", &["dead"]);
    cluster.run_until(10);
    cluster.set_image("v2");
    let first = cluster.sync();
    assert_eq!(first.deleted.len(), 3);
    assert!(first.deleted_on().contains(&"dead"));
    cluster.run_until(3_600);
    assert_eq!(cluster.columns(), [10, 10, 9, 9, 9]);
    assert!(words(&cluster).contains("9 out of 10 new pods have been updated"), "{}", words(&cluster));

    let stuck = cluster.pod_on("dead").metadata.name.clone();
    cluster.remove_pod(&stuck);
    cluster.run_for(Duration::from_mins(5));
    assert_eq!(cluster.columns(), [10, 10, 9, 10, 9]);
    assert!(words(&cluster).contains("9 of 10 updated pods are available"), "{}", words(&cluster));
    let name = cluster.pod_on("dead").metadata.name.clone();
    let now = cluster.now;
    cluster.change_pod(&name, |pod| set_ready(pod, now));
    cluster.settle();
    assert_eq!(rollout_status(cluster.daemon_set()), RolloutStatus::Complete);
}

/// R17
#[test]
fn a_rollback_takes_the_old_revision_up_again() {
    let mut cluster = running("R17");
    cluster.broken_images.insert("v2".into());
    cluster.run_until(10);
    cluster.set_image("v2");
    cluster.run_until(60);
    assert_eq!(cluster.revision_numbers(), [1, 2]);
    let replaced = cluster.log[0].deleted[0].clone();
    let untouched: Vec<_> =
        cluster.snapshot.pods.iter().filter(|pod: &&Pod| pod.is_ready()).map(|pod| pod.metadata.uid.clone()).collect();
    assert_eq!(untouched.len(), 2);

    cluster.forget_log();
    cluster.set_image("v1");
    cluster.sync();
    cluster.sync();
    assert_eq!((cluster.revision_numbers(), cluster.status().updated_number_scheduled), (vec![2, 3], 2));
    cluster.run_until(60);
    let deleted: Vec<_> = cluster.log.iter().flat_map(|entry| entry.deleted.clone()).collect();
    assert_eq!(deleted, [replaced], "only the broken one");
    assert!(untouched.iter().all(|uid| cluster.snapshot.pods.iter().any(|pod| pod.metadata.uid == *uid)));
    assert_eq!(cluster.columns(), [3; 5]);

    cluster.forget_log();
    cluster.set_image("v1");
    cluster.run_until(60);
    assert_eq!(
        (cluster.log.len(), cluster.revision_numbers()),
        (0, vec![2, 3]),
        "to what it is already changes nothing"
    );
}

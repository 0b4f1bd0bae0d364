//! Upstream's scenarios 58 to 79: surge in the manage step, and rolling updates.
//!
//! In 58 to 74 a sync sees its own creations and deletions, as in upstream's unit tests; each is written as (created,
//! deleted) of successive syncs, and "ready" makes all pods ready.

use std::collections::BTreeMap;
use std::time::Duration;

use rollcast_core::api::{DaemonSet, DaemonSetSpec, Pod, UpdateStrategy};
use rollcast_core::budget::budget;
use rollcast_core::time::Timestamp;
use rollcast_tests::cluster::{
    Cluster, START, agent, edit_template, image, node, nodes, on_delete, own_pod, revision, set_ready, surge, tainted,
    unavailable,
};
use serde_json::{Value, json};

fn with_strategy(strategy: UpdateStrategy) -> DaemonSet {
    let mut daemon_set = agent();
    daemon_set.spec.update_strategy = strategy;
    daemon_set
}

fn at(second: u64) -> Timestamp {
    START.saturating_add(Duration::from_secs(second))
}

/// A cluster as upstream's unit tests make it, a ready pod on each node.
fn ready(strategy: UpdateStrategy, count: usize) -> Cluster {
    let mut cluster = Cluster::of_unit_test(with_strategy(strategy), nodes(count));
    assert_eq!(cluster.sync().counts(), (count, 0));
    cluster.make_all_ready();
    assert_eq!(cluster.sync().counts(), (0, 0));
    cluster
}

/// The cluster of 58 to 63: five nodes, maxSurge 1, the revision of the present template known as `current`.
fn surging(min_ready_seconds: i32) -> Cluster {
    let mut daemon_set = with_strategy(surge(1));
    daemon_set.spec.min_ready_seconds = min_ready_seconds;
    let mut cluster = Cluster::of_unit_test(daemon_set, nodes(5));
    cluster.add_own_pods("node-0", 0);
    cluster.now = at(100);
    cluster
}

/// An old pod, ready for long, created then.
fn add_old(cluster: &mut Cluster, node: &str, created: u64) -> String {
    let name = format!("old-{node}-{created}");
    let mut pod = own_pod(cluster.daemon_set(), node, &name);
    pod.metadata.labels = pod.metadata.labels.with(Pod::REVISION_HASH_LABEL, "old");
    pod.metadata.creation_timestamp = Some(at(created));
    set_ready(&mut pod, at(created));
    cluster.put_pod(pod);
    name
}

/// A pod of the present template; ready since then, if at all.
fn add_current(cluster: &mut Cluster, node: &str, ready: Option<u64>) {
    let mut pod = own_pod(cluster.daemon_set(), node, &format!("current-{node}"));
    pod.metadata.labels = pod.metadata.labels.with(Pod::REVISION_HASH_LABEL, "current");
    pod.metadata.creation_timestamp = Some(at(90));
    if let Some(since) = ready {
        set_ready(&mut pod, at(since));
    }
    cluster.put_pod(pod);
}

/// Scenario 58: the pods of scenario 18.
#[test]
fn with_surge_too_every_node_keeps_one_pod() {
    let mut cluster = surging(0);
    for (node, count) in [("node-1", 1), ("node-2", 2), ("node-3", 5)] {
        cluster.add_own_pods(node, count);
    }
    for number in 0..2 {
        let mut pod = own_pod(cluster.daemon_set(), "node-4", &format!("stranger-{number}"));
        pod.metadata.labels = [("app", "other")].into_iter().collect();
        cluster.put_pod(pod);
    }
    assert_eq!(cluster.sync().counts(), (2, 5));
}

/// Scenario 59.
#[test]
fn of_two_old_pods_beside_a_new_one_the_later_goes() {
    let mut cluster = surging(0);
    add_current(&mut cluster, "node-1", None);
    add_old(&mut cluster, "node-1", 50);
    let later = add_old(&mut cluster, "node-1", 60);
    add_current(&mut cluster, "node-2", None);
    let synced = cluster.sync();
    assert_eq!(synced.created_on(), ["node-0", "node-3", "node-4"]);
    assert_eq!(synced.deleted_pods(), [later.as_str()]);
}

/// Scenario 60.
#[test]
fn with_surge_a_node_whose_pod_is_ending_gets_a_new_one_at_once() {
    let mut cluster = surging(0);
    add_current(&mut cluster, "node-0", None);
    for node in ["node-0", "node-1", "node-2", "node-3", "node-4"] {
        add_old(&mut cluster, node, 50);
    }
    cluster.change_pod("old-node-4-50", |pod| pod.metadata.deletion_timestamp = Some(at(130)));
    let synced = cluster.sync();
    assert_eq!((synced.created_on(), synced.deleted.len()), (vec!["node-4"], 0));
}

/// Scenario 61.
#[test]
fn an_old_pod_that_is_not_ready_goes_when_there_is_a_new_one() {
    let mut cluster = surging(0);
    add_current(&mut cluster, "node-1", None);
    let older = add_old(&mut cluster, "node-1", 50);
    cluster.change_pod(&older, |pod| pod.status.conditions.clear());
    add_old(&mut cluster, "node-1", 60);
    add_current(&mut cluster, "node-2", None);
    assert_eq!(cluster.sync().counts(), (3, 2));
}

/// Scenarios 62 and 63.
#[test]
fn an_old_pod_goes_when_the_new_one_has_been_ready_for_long_enough() {
    for (ready_for, deleted) in [(10, 1), (20, 2)] {
        let mut cluster = surging(15);
        add_current(&mut cluster, "node-1", Some(100 - ready_for));
        add_old(&mut cluster, "node-1", 50);
        add_old(&mut cluster, "node-1", 60);
        add_current(&mut cluster, "node-2", None);
        assert_eq!(cluster.sync().counts(), (3, deleted), "ready for {ready_for} s of 15");
    }
}

/// Scenario 64.
#[test]
fn an_update_in_place_takes_as_many_as_may_be_unavailable() {
    let mut cluster = ready(unavailable(2), 5);
    cluster.set_image("v2");
    for expected in [[(0, 2), (2, 0)], [(0, 2), (2, 0)], [(0, 1), (1, 0)]] {
        assert_eq!(cluster.syncs(2), expected);
        cluster.make_all_ready();
    }
    assert_eq!(cluster.syncs(1), [(0, 0)]);
}

/// Scenario 65.
#[test]
fn an_update_with_surge_brings_new_pods_before_old_ones_go() {
    let mut cluster = ready(surge(2), 5);
    cluster.set_image("v2");
    for expected in [[(2, 0), (0, 0)], [(2, 2), (0, 0)], [(1, 2), (0, 0)], [(0, 1), (0, 0)]] {
        assert_eq!(cluster.syncs(2), expected);
        cluster.make_all_ready();
    }
}

/// Scenario 65 with real expectations: creations and deletions take turns.
#[test]
fn with_real_expectations_creations_and_deletions_take_turns() {
    let mut cluster = Cluster::new(with_strategy(surge(2)), nodes(5));
    cluster.gone_after = None;
    assert_eq!(cluster.sync().counts(), (5, 0));
    cluster.make_all_ready();
    assert_eq!(cluster.sync().counts(), (0, 0));
    cluster.set_image("v2");
    assert_eq!(cluster.syncs(2), [(2, 0), (0, 0)]);
    for expected in [vec![(0, 2), (2, 0)], vec![(0, 2), (1, 0)], vec![(0, 1), (0, 0)]] {
        cluster.make_all_ready();
        assert_eq!(cluster.syncs(2), expected);
    }
}

/// Scenario 66.
#[test]
fn with_surge_an_old_pod_on_a_node_that_should_not_run_it_goes_when_enough_are_available() {
    let mut daemon_set = with_strategy(surge(1));
    edit_template(&mut daemon_set, |json| {
        json["spec"]["tolerations"] = json!([{"key": "control-plane", "operator": "Exists"}]);
    });
    let mut all = nodes(5);
    all[0] = tainted(node("node-0"), &["control-plane:NoSchedule"]);
    let mut cluster = Cluster::of_unit_test(daemon_set, all);
    assert_eq!(cluster.sync().counts(), (5, 0));
    cluster.make_all_ready();
    cluster.change_template(|json| json["spec"]["tolerations"] = json!([]));
    for expected in [[(1, 1), (0, 0)], [(1, 1), (0, 0)], [(1, 1), (0, 0)], [(1, 1), (0, 0)], [(0, 1), (0, 0)]] {
        assert_eq!(cluster.syncs(2), expected);
        cluster.make_all_ready();
    }
}

/// Scenario 67.
#[test]
fn an_update_stops_when_new_pods_do_not_become_ready() {
    let mut cluster = ready(unavailable(3), 5);
    cluster.set_image("v2");
    assert_eq!(cluster.syncs(3), [(0, 3), (3, 0), (0, 0)]);
}

/// Scenario 68.
#[test]
fn the_next_update_replaces_the_pods_that_are_not_ready_first() {
    let mut cluster = ready(unavailable(2), 5);
    cluster.set_image("v2");
    assert_eq!(cluster.syncs(3), [(0, 2), (2, 0), (0, 0)]);
    cluster.set_image("v3");
    assert_eq!(cluster.syncs(3), [(0, 2), (2, 0), (0, 0)]);
    assert_eq!(original_and_ready(&cluster), 3);
}

fn original_and_ready(cluster: &Cluster) -> usize {
    cluster.snapshot.pods.iter().filter(|pod| image(pod) == "v1" && pod.is_ready()).count()
}

/// Scenario 69.
#[test]
fn ready_pods_outlast_any_number_of_updates_that_fail() {
    let mut cluster = ready(unavailable(10), 20);
    cluster.set_image("v2");
    assert_eq!(cluster.syncs(3), [(0, 10), (10, 0), (0, 0)]);
    for (update, limit) in [7, 0, 3, 9, 1, 5, 8, 2, 6, 4].into_iter().enumerate() {
        cluster.change(|daemon_set| daemon_set.spec.update_strategy = unavailable(limit));
        cluster.set_image(&format!("v{}", update + 3));
        assert_eq!(cluster.syncs(3), [(0, 10), (10, 0), (0, 0)], "maxUnavailable {limit}");
        assert_eq!(original_and_ready(&cluster), 10);
    }
    cluster.change(|daemon_set| daemon_set.spec.update_strategy = unavailable(11));
    cluster.set_image("v13");
    assert_eq!(cluster.syncs(3), [(0, 11), (11, 0), (0, 0)]);
    assert_eq!(original_and_ready(&cluster), 9);
}

/// Scenario 70.
#[test]
fn unavailable_old_pods_go_though_the_budget_is_used_up() {
    let mut cluster = Cluster::of_unit_test(with_strategy(unavailable(10)), nodes(100));
    cluster.put_revision(revision(cluster.daemon_set(), "old", 1));
    cluster.set_image("v2");
    cluster.put_revision(revision(cluster.daemon_set(), "current", 2));
    for number in 0..100 {
        let name = format!("node-{number}");
        if number < 12 {
            let old = add_old(&mut cluster, &name, 0);
            cluster.change_pod(&old, |pod| {
                pod.metadata.labels = pod.metadata.labels.with(Pod::TEMPLATE_GENERATION_LABEL, "1");
                if number >= 10 {
                    pod.status.conditions.clear();
                }
            });
        } else {
            add_current(&mut cluster, &name, None);
        }
    }
    let first = cluster.sync();
    assert_eq!((first.counts(), first.deleted_on()), ((0, 2), vec!["node-10", "node-11"]));
    assert_eq!(cluster.syncs(2), [(2, 0), (0, 0)]);
}

/// Scenario 71.
#[test]
fn pods_that_were_never_ready_are_all_replaced_at_once() {
    let mut cluster = Cluster::of_unit_test(with_strategy(unavailable(3)), nodes(5));
    assert_eq!(cluster.sync().counts(), (5, 0));
    cluster.set_image("v2");
    assert_eq!(cluster.syncs(3), [(0, 5), (5, 0), (0, 0)]);
}

/// Scenario 72.
#[test]
fn an_update_with_surge_through_unready_pods_and_minimum_ready_time() {
    let mut cluster = Cluster::of_unit_test(with_strategy(surge(3)), nodes(5));
    let sync_at = |cluster: &mut Cluster, second: u64| {
        cluster.now = at(second);
        cluster.sync().counts()
    };
    assert_eq!(sync_at(&mut cluster, 0), (5, 0));
    cluster.set_image("v2");
    assert_eq!(sync_at(&mut cluster, 100), (5, 0), "old pods that were never ready need no budget");
    assert_eq!(sync_at(&mut cluster, 200), (0, 5));

    cluster.make_all_ready();
    cluster.change(|daemon_set| daemon_set.spec.min_ready_seconds = 15);
    cluster.set_image("v3");
    assert_eq!(sync_at(&mut cluster, 300), (3, 0));

    let make_new_ready = |cluster: &mut Cluster, count: usize, second: u64| {
        let is_waiting = |pod: &&Pod| image(pod) == "v3" && !pod.is_ready();
        let waiting: Vec<_> =
            cluster.snapshot.pods.iter().filter(is_waiting).map(|pod| pod.metadata.name.clone()).collect();
        assert!(waiting.len() >= count, "{} new pods are not ready", waiting.len());
        for name in &waiting[..count] {
            cluster.change_pod(name, |pod| set_ready(pod, at(second)));
        }
    };
    make_new_ready(&mut cluster, 2, 300);
    let alone = (0..5).map(|number| format!("node-{number}")).find(|node| cluster.pods_on(node).len() == 1);
    let unready = cluster.pod_on(&alone.expect("a node without a new pod")).metadata.name.clone();
    cluster.change_pod(&unready, |pod| pod.status.conditions.clear());
    assert_eq!(sync_at(&mut cluster, 310), (1, 0));
    assert_eq!(sync_at(&mut cluster, 320), (1, 3));
    make_new_ready(&mut cluster, 3, 320);
    assert_eq!(sync_at(&mut cluster, 340), (0, 2));
    assert_eq!(sync_at(&mut cluster, 350), (0, 0));
}

/// Scenario 73.
#[test]
fn another_strategy_alone_replaces_nothing() {
    let mut cluster = ready(unavailable(1), 5);
    for strategy in [surge(1), unavailable("50%"), on_delete()] {
        cluster.change(|daemon_set| daemon_set.spec.update_strategy = strategy);
        assert_eq!(cluster.sync().counts(), (0, 0));
    }
}

/// Scenario 74; which nodes have no pod shows in what the rolling update takes for unavailable.
#[test]
fn limits_are_resolved_against_the_nodes_that_should_run_the_pod() {
    let resolved = |strategy: UpdateStrategy, desired: u32| {
        let spec = DaemonSetSpec { update_strategy: strategy, ..DaemonSetSpec::default() };
        let budget = budget(&spec, desired).expect("limits");
        (budget.max_surge, budget.max_unavailable)
    };
    assert_eq!(resolved(unavailable(0), 0), (0, 0));
    assert_eq!(resolved(unavailable(1), 2), (0, 1));
    assert_eq!(resolved(unavailable(0), 2), (0, 1));
    assert_eq!(resolved(surge(0), 2), (0, 1));
    assert_eq!(resolved(unavailable("50%"), 2), (0, 1));
    assert_eq!(resolved(surge("50%"), 2), (1, 0));
    assert_eq!(resolved(surge("100%"), 2), (2, 0));
    assert_eq!(resolved(unavailable("50%"), 3), (0, 2));
}

/// Scenario 75.
#[test]
fn tolerations_that_come_and_go_with_surge() {
    let zones = ["y", "y", "z", "z", "common", "common"];
    let all = zones
        .iter()
        .enumerate()
        .map(|(number, zone)| tainted(node(&format!("node-{number}")), &[&format!("zone-{zone}:NoSchedule")]));
    let tolerating = |zones: &[&str]| -> Value {
        zones.iter().map(|zone| json!({"key": format!("zone-{zone}"), "operator": "Exists"})).collect()
    };
    let mut daemon_set = with_strategy(surge(1));
    edit_template(&mut daemon_set, |json| json["spec"]["tolerations"] = tolerating(&["y", "common"]));
    let mut cluster = Cluster::new(daemon_set, all.collect()).rolled_out();
    assert_eq!(cluster.own_pods(), 4);

    cluster.ready_after = None;
    cluster.change_template(|json| json["spec"]["tolerations"] = tolerating(&["z", "common"]));
    cluster.run_for(Duration::from_secs(30));
    assert_eq!(cluster.own_pods(), 7, "2 new on z, 1 second one on common, 2 old on y kept, 2 old on common");
    cluster.ready_after = Some(Duration::from_secs(5));
    cluster.run_for(Duration::from_mins(2));
    assert_eq!((cluster.own_pods(), cluster.status().updated_number_scheduled), (4, 4));

    cluster.ready_after = None;
    cluster.change_template(|json| json["spec"]["tolerations"] = tolerating(&["y", "z", "common"]));
    cluster.run_for(Duration::from_secs(30));
    assert_eq!(cluster.own_pods(), 7);
    cluster.ready_after = Some(Duration::from_secs(5));
    cluster.run_for(Duration::from_mins(2));
    assert_eq!((cluster.own_pods(), cluster.status().updated_number_scheduled), (6, 6));

    cluster.change_template(|json| json["spec"]["tolerations"] = json!([]));
    cluster.run_for(Duration::from_mins(2));
    let status = cluster.status();
    assert_eq!((cluster.own_pods(), status.number_ready, status.updated_number_scheduled), (0, 0, 0));
}

/// Scenario 76.
#[test]
fn with_on_delete_pods_stay_and_the_revision_is_made() {
    let strategy = on_delete();
    let mut cluster = Cluster::new(with_strategy(strategy), nodes(3)).rolled_out();
    let hashes = |cluster: &Cluster| -> BTreeMap<String, String> {
        let hash = |pod: &Pod| pod.metadata.labels.get(Pod::REVISION_HASH_LABEL).expect("a hash").to_string();
        cluster.snapshot.pods.iter().map(|pod| (pod.metadata.name.to_string(), hash(pod))).collect()
    };
    let before = hashes(&cluster);
    cluster.set_image("v2");
    cluster.run_for(Duration::from_mins(1));
    assert_eq!(hashes(&cluster), before);
    assert_eq!(cluster.images_on("node-0"), ["v1"]);
    assert_eq!(cluster.revision_numbers(), [1, 2]);
    let hash = |number: i64| {
        let revision =
            cluster.snapshot.revisions.iter().find(|revision| revision.revision == number).expect("a revision");
        revision.metadata.labels.get(Pod::REVISION_HASH_LABEL).expect("a hash").clone()
    };
    assert_ne!(hash(1), hash(2));
}

/// Scenario 77.
#[test]
fn by_default_one_pod_at_a_time_is_replaced() {
    let mut cluster = Cluster::new(agent(), nodes(4)).rolled_out();
    cluster.set_image("v2");
    cluster.run_for(Duration::from_mins(2));
    assert_eq!(cluster.fewest_available, 3);
    assert_eq!(cluster.columns(), [4, 4, 4, 4, 4]);
    let newest = cluster.snapshot.revisions.iter().max_by_key(|revision| revision.revision).expect("a revision");
    assert_eq!(newest.revision, 2);
    let hash = newest.metadata.labels.get(Pod::REVISION_HASH_LABEL);
    assert!(cluster.snapshot.pods.iter().all(|pod| pod.metadata.labels.get(Pod::REVISION_HASH_LABEL) == hash));
}

/// Scenario 78.
#[test]
fn after_a_rollback_pods_that_were_never_updated_are_the_same() {
    let mut cluster = Cluster::new(agent(), nodes(4)).rolled_out();
    let before: Vec<_> = cluster.snapshot.pods.iter().map(|pod| pod.metadata.uid.clone()).collect();
    cluster.broken_images.insert("broken".into());
    cluster.set_image("broken");
    cluster.run_for(Duration::from_mins(2));
    let untouched: Vec<_> =
        cluster.snapshot.pods.iter().map(|pod| pod.metadata.uid.clone()).filter(|uid| before.contains(uid)).collect();
    assert_eq!(untouched.len(), 3, "one pod was replaced by one that cannot start");
    cluster.set_image("v1");
    cluster.run_for(Duration::from_mins(2));
    assert!(untouched.iter().all(|uid| cluster.snapshot.pods.iter().any(|pod| pod.metadata.uid == *uid)));
    assert_eq!(cluster.columns(), [4, 4, 4, 4, 4]);
}

/// Scenario 79.
#[test]
fn an_update_with_surge_survives_disturbances() {
    for seed in 0..20_u64 {
        let mut daemon_set = with_strategy(surge("20%"));
        daemon_set.spec.min_ready_seconds = 10;
        let mut cluster = Cluster::new(daemon_set, nodes(5)).rolled_out();
        cluster.set_image("v2");
        // A pod that was taken away leaves its node with the other one alone, or with none for a while.
        let mut taken = 0;
        for round in 0..120_u64 {
            cluster.run_for(Duration::from_secs(1));
            let draw = (seed * 7_919 + round * 104_729) ^ (round << 3);
            if round < 60 && draw.is_multiple_of(11) && !cluster.snapshot.pods.is_empty() {
                let chosen = usize::try_from(draw).expect("small") % cluster.snapshot.pods.len();
                let name = cluster.snapshot.pods[chosen].metadata.name.clone();
                cluster.delete_pod(&name);
                taken += 1;
            }
            for number in 0..5 {
                let mut live: BTreeMap<String, usize> = BTreeMap::new();
                for pod in cluster.pods_on(&format!("node-{number}")) {
                    *live.entry(image(pod)).or_default() += usize::from(pod.metadata.deletion_timestamp.is_none());
                }
                assert!(live.values().all(|count| *count <= 1), "seed {seed}, node {number}: {live:?}");
            }
            let is_new = |pod: &&Pod| image(pod) == "v2" && pod.metadata.deletion_timestamp.is_none();
            let unready = cluster.snapshot.pods.iter().filter(is_new).filter(|pod| !pod.is_ready()).count();
            assert!(unready <= 1 + taken, "seed {seed}: {unready} new pods are not ready, {taken} were taken away");
        }
        assert_eq!(cluster.columns(), [5, 5, 5, 5, 5], "seed {seed}");
        assert!(cluster.snapshot.pods.iter().all(|pod| image(pod) == "v2"));
        assert_eq!(cluster.revision_numbers(), [1, 2]);
    }
}

//! Cases about what the status says while pods and nodes come and go.

use std::time::Duration;

use rollcast_core::api::{Labels, Pod, PodPhase};
use rollcast_core::controller::{EventReason, EventType, Outcome, Rejection, event_of};
use rollcast_tests::cluster::{Cluster, taint};

use crate::input::{daemon_set, fresh, nodes, running};

/// DESIRED, CURRENT, MISSCHEDULED.
fn scheduled(cluster: &Cluster) -> [i32; 3] {
    let status = cluster.status();
    [status.desired_number_scheduled, status.current_number_scheduled, status.number_misscheduled]
}

/// P09
#[test]
fn a_pod_that_is_deleted_on_a_cordoned_node_comes_back_at_once() {
    let mut cluster = running("P09");
    cluster.run_until(10);
    cluster.change_node("b", |node| {
        node.spec.unschedulable = true;
        node.spec.taints.push(taint("node.kubernetes.io/unschedulable:NoSchedule"));
    });
    cluster.run_until(29);
    assert!(cluster.log.is_empty(), "cordoning moves nothing");
    assert_eq!((scheduled(&cluster), cluster.own_pods()), ([2, 2, 0], 2));
    cluster.run_until(30);
    let deleted = cluster.pod_on("b").metadata.clone();
    cluster.delete_pod(&deleted.name);
    cluster.run_until(33);
    assert_ne!(cluster.pod_on("b").metadata.uid, deleted.uid, "gone at 32, and replaced at once");
    assert_eq!((scheduled(&cluster)[0], cluster.status().number_unavailable), (2, 1));
    cluster.run_until(60);
    assert_eq!((cluster.columns(), cluster.status().number_unavailable), ([2; 5], 0));
}

/// P15
#[test]
fn a_taint_under_a_running_pod() {
    let mut cluster = running("P15");
    cluster.run_until(10);
    cluster.change_node("c", |node| node.spec.taints.push(taint("blue-green=inactive:NoSchedule")));
    cluster.run_until(15);
    assert_eq!(scheduled(&cluster), [3, 3, 0], "this taint alone brings about no sync");
    cluster.sync();
    assert_eq!((scheduled(&cluster), cluster.columns()), ([2, 2, 1], [2; 5]));

    cluster.run_until(20);
    cluster.change_node("b", |node| node.spec.taints.push(taint("maintenance=now:NoExecute")));
    cluster.run_until(21);
    assert!(cluster.pod_on("b").metadata.deletion_timestamp.is_some());
    assert_eq!(scheduled(&cluster), [1, 1, 2], "while the pod on b is ending");
    cluster.run_until(60);
    assert_eq!((scheduled(&cluster), cluster.pods_on("b").len()), ([1, 1, 1], 0));

    let kept = cluster.pod_on("c").metadata.name.clone();
    cluster.delete_pod(&kept);
    cluster.run_until(120);
    assert_eq!((scheduled(&cluster), cluster.pods_on("c").len()), ([1, 1, 0], 0), "and it is not made again");
}

/// P18
#[test]
fn no_disruption_budget_keeps_the_controller_from_deleting() {
    let mut cluster = running("P18");
    for node in ["a", "b", "c"] {
        cluster.change_node(node, |node| node.metadata.labels = node.metadata.labels.without("mon"));
    }
    let synced = cluster.sync();
    assert_eq!(synced.counts(), (0, 3), "all at once, whatever maxUnavailable says");
    cluster.sync();
    assert_eq!(scheduled(&cluster), [0, 0, 3], "until they are gone");
    cluster.run_until(60);
    assert_eq!((scheduled(&cluster), cluster.own_pods()), ([0, 0, 0], 0));
}

/// P20
#[test]
fn a_daemon_pod_bears_a_lost_node_for_ever() {
    let mut healthy = nodes("P20");
    for node in &mut healthy {
        node.spec.taints.clear();
    }
    let mut cluster = Cluster::new(daemon_set("P20"), healthy).rolled_out();
    for key in ["node.kubernetes.io/unreachable", "node.kubernetes.io/not-ready"] {
        let tolerations = &cluster.pod_on("dead").spec.tolerations;
        let found: Vec<_> = tolerations.iter().filter(|toleration| toleration.key == key).collect();
        assert_eq!(found.len(), 1, "{key}");
        assert_eq!(found[0].toleration_seconds, None, "the seconds that were written are gone");
    }
    cluster.lose_node("dead");
    cluster.run_for(Duration::from_hours(1));
    assert_eq!((scheduled(&cluster), cluster.status().number_ready), ([1, 1, 1], 1));
    assert!(cluster.pod_on("dead").metadata.deletion_timestamp.is_none(), "never evicted");
}

/// P29
#[test]
fn a_pending_pod_of_a_node_that_is_gone_is_deleted() {
    let mut cluster = running("P29");
    let pending = cluster.pod_on("gone").metadata.name.clone();
    cluster.change_pod(&pending, |pod| {
        pod.spec.node_name = "".into();
        pod.status.phase = PodPhase::Pending;
        pod.status.conditions.clear();
    });
    let bound = running("P29");
    cluster.remove_node("gone");
    let synced = cluster.sync();
    assert_eq!(synced.deleted_pods(), [pending.as_str()]);
    cluster.run_until(60);
    assert_eq!((scheduled(&cluster), cluster.pods_on("gone").len()), ([1, 1, 0], 0));

    let mut bound = bound;
    bound.remove_node("gone");
    assert_eq!(bound.sync().counts(), (0, 0), "a bound one is left to the garbage collector");
    assert_eq!(scheduled(&bound), [1, 1, 0]);
}

/// L06
#[test]
fn two_daemon_sets_with_one_selector_do_not_fight() {
    let mut cluster = fresh("L06");
    let mut second = rollcast_tests::cluster::with_image(daemon_set("L06"), "other");
    second.metadata.name = "agent2".into();
    second.metadata.uid = "uid-agent2".into();
    second.metadata.generation = 1;
    cluster.put_daemon_set(second);
    cluster.run_until(300);
    let ready: Vec<_> = cluster
        .snapshot
        .daemon_sets
        .iter()
        .map(|daemon_set| (daemon_set.status.desired_number_scheduled, daemon_set.status.number_ready))
        .collect();
    assert_eq!((ready, cluster.snapshot.pods.len()), (vec![(2, 2), (2, 2)], 4));

    let mut orphan = cluster.pod_on("n1").clone();
    orphan.metadata.name = "orphan".into();
    orphan.metadata.uid = "uid-orphan".into();
    orphan.metadata.owner_references.clear();
    cluster.put_pod(orphan);
    cluster.settle();
    let owners: Vec<_> =
        cluster.pod("orphan").metadata.owner_references.iter().map(|owner| owner.name.clone()).collect();
    assert_eq!(owners.len(), 1, "one of them adopts it: {owners:?}");
    cluster.run_until(600);
    assert_eq!(cluster.snapshot.pods.len(), 4);
}

/// L08
#[test]
fn pods_that_admission_refuses_are_desired_and_not_there() {
    let mut cluster = fresh("L08");
    cluster.quota = Some(0);
    let synced = cluster.sync();
    assert_eq!((synced.counts(), synced.creations_tried), ((0, 0), 1), "one attempt a sync, not three");
    cluster.sync();
    assert_eq!((cluster.columns(), cluster.status().number_unavailable), ([3, 0, 0, 0, 0], 3));
    let event = event_of(&synced.failed.expect("a creation"), &Outcome::Rejected(Rejection::Forbidden));
    assert_eq!(event, Some((EventType::Warning, EventReason::FailedCreate)));
}

/// L09
#[test]
fn a_quota_of_no_pods_is_reported() {
    let mut cluster = fresh("L09");
    cluster.quota = Some(0);
    cluster.sync();
    let status = cluster.status();
    assert_eq!((cluster.columns(), status.number_unavailable), ([2, 0, 0, 0, 0], 2));
    assert_eq!(status.observed_generation, cluster.daemon_set().metadata.generation);
}

/// R15, as far as the status goes.
#[test]
fn a_pod_on_a_node_that_was_tainted_later_is_misscheduled() {
    let mut untainted = nodes("R15");
    for node in &mut untainted {
        node.spec.taints.clear();
    }
    let mut cluster = Cluster::new(daemon_set("R15"), untainted).rolled_out();
    cluster.change_node("c", |node| node.spec.taints.push(taint("x:NoSchedule")));
    cluster.sync();
    assert_eq!((cluster.columns(), scheduled(&cluster)), ([2; 5], [2, 2, 1]));
}

/// R19
#[test]
fn pods_that_were_left_behind_are_adopted_when_they_match() {
    let orphaned = |changed_before: bool| {
        let mut cluster = running("R19");
        if changed_before {
            cluster.set_image("v0");
            cluster.run_for(Duration::from_mins(5));
        }
        cluster.forget_log();
        cluster.delete_daemon_set(true);
        cluster.run_until(20);
        assert_eq!(cluster.log, [], "nobody looks after them meanwhile");
        cluster
    };
    let recreate = |cluster: &mut Cluster, version: &str| {
        let mut recreated = rollcast_tests::cluster::with_image(daemon_set("R19"), version);
        recreated.metadata.uid = "uid-recreated".into();
        recreated.metadata.generation = 1;
        recreated.metadata.annotations = Labels::from_iter([("deprecated.daemonset.template.generation", "1")]);
        cluster.put_daemon_set(recreated);
        cluster.run_for(Duration::from_mins(5));
    };
    let deleted = |cluster: &Cluster| cluster.log.iter().map(|entry| entry.deleted.len()).sum::<usize>();

    let mut same = orphaned(false);
    recreate(&mut same, "v1");
    assert_eq!((deleted(&same), same.columns()), (0, [3; 5]), "the same manifest");

    let mut equal_generation = orphaned(false);
    recreate(&mut equal_generation, "v2");
    assert_eq!(
        (deleted(&equal_generation), equal_generation.columns()),
        (0, [3; 5]),
        "template generation 1 on both sides"
    );
    assert_eq!(equal_generation.images_on("n1"), ["v1"]);

    let mut other_image = orphaned(true);
    recreate(&mut other_image, "v2");
    assert_eq!(
        (deleted(&other_image), other_image.columns(), other_image.fewest_available),
        (3, [3; 5], 2),
        "one by one"
    );
    assert_eq!(other_image.images_on("n1"), ["v2"]);

    let mut other_labels = orphaned(false);
    let mut recreated = daemon_set("R19");
    recreated.metadata.uid = "uid-recreated".into();
    recreated.metadata.generation = 1;
    recreated.spec.selector.match_labels = Labels::from_iter([("app", "other")]);
    rollcast_tests::cluster::edit_template(&mut recreated, |json| json["metadata"]["labels"]["app"] = "other".into());
    other_labels.put_daemon_set(recreated);
    other_labels.run_for(Duration::from_mins(5));
    assert_eq!((other_labels.own_pods(), other_labels.snapshot.pods.len(), deleted(&other_labels)), (3, 6, 0));
}

/// R20
#[test]
fn a_daemon_set_that_is_recreated_quickly_does_not_wait_for_the_old_pods() {
    let mut cluster = running("R20");
    cluster.gone_after = Some(Duration::from_mins(1));
    cluster.delete_daemon_set(false);
    let old: Vec<_> = cluster.snapshot.pods.iter().map(|pod: &Pod| pod.metadata.name.clone()).collect();
    for name in &old {
        cluster.delete_pod(name);
    }
    let mut recreated = daemon_set("R20");
    recreated.metadata.uid = "uid-recreated".into();
    recreated.metadata.generation = 1;
    cluster.now = cluster.now.saturating_add(Duration::from_secs(1));
    cluster.put_daemon_set(recreated);
    cluster.run_until(30);
    assert_eq!((cluster.own_pods(), cluster.snapshot.pods.len()), (2, 4), "two pods on each node");
    assert_eq!(cluster.columns()[..2], [2, 2]);
    cluster.run_until(70);
    assert_eq!((cluster.own_pods(), cluster.snapshot.pods.len()), (2, 2));
}

/// R09
#[test]
fn a_pod_that_fails_again_and_again_is_replaced_ever_more_slowly() {
    let mut cluster = running("R09");
    assert_eq!(cluster.status().desired_number_scheduled, 2, "disk pressure is tolerated");
    cluster.gone_after = None;
    let mut deletions = Vec::new();
    let fail = |cluster: &mut Cluster| {
        let name = cluster.pod_on("b").metadata.name.clone();
        cluster.change_pod(&name, |pod| {
            pod.status.phase = PodPhase::Failed;
            pod.status.reason = "Evicted".into();
            pod.status.conditions.clear();
        });
    };
    fail(&mut cluster);
    for _ in 0..6_000 {
        let before = cluster.log.len();
        cluster.settle();
        for entry in &cluster.log[before..] {
            if !entry.deleted.is_empty() {
                deletions.push(entry.at);
            }
        }
        // A new pod is evicted two seconds after it starts.
        let young = cluster.pods_on("b").first().map(|pod| (pod.metadata.creation_timestamp, pod.is_terminal()));
        if let Some((Some(created), false)) = young
            && cluster.now.as_seconds() - created.as_seconds() >= 2
        {
            fail(&mut cluster);
        }
        cluster.now = cluster.now.saturating_add(Duration::from_secs(1));
    }
    while !cluster.pod_on("b").is_terminal() {
        fail(&mut cluster);
    }
    let gaps: Vec<i64> = deletions.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let at_least = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900];
    assert!(gaps.len() >= at_least.len(), "{gaps:?}");
    for (gap, least) in gaps.iter().zip(at_least) {
        assert!((least..=least.max(3) + 1).contains(gap), "at least {least} s: {gaps:?}");
    }
    // A new generation starts a fresh back-off.
    assert!(cluster.sync().deleted.is_empty(), "the last pod that failed is still kept");
    cluster.change(|daemon_set| daemon_set.spec.revision_history_limit = Some(3));
    cluster.sync();
    assert_eq!(cluster.sync().counts_with_events(), (0, 1, 1));
}

//! The controller: what is decided, and when the status says so.

use std::time::Duration;

use rollcast_core::KubernetesVersion as Version;
use rollcast_core::api::{ConditionStatus, IntOrString, Pod, PodPhase, UpdateStrategy};
use rollcast_core::controller::SyncError;
use rollcast_core::time::Timestamp;
use rollcast_tests::cluster::{Cluster, agent, nodes, set_ready, surge, taint, unavailable};

use crate::since;

/// So many nodes with an available pod of `v1` on each.
fn rolled_out(version: Version, strategy: UpdateStrategy, count: usize) -> Cluster {
    let mut daemon_set = agent();
    daemon_set.spec.update_strategy = strategy;
    Cluster::new(daemon_set, nodes(count)).at(version).rolled_out()
}

fn change_pod_on(cluster: &mut Cluster, node: &str, edit: impl FnOnce(&mut Pod)) {
    let name = cluster.pod_on(node).metadata.name.clone();
    cluster.change_pod(&name, edit);
}

fn texts(list: &[&str]) -> Vec<String> {
    list.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn an_unavailable_old_pod_counts_against_max_unavailable_since_1_31() {
    since(Version::V1_31, &texts(&["node-0", "node-3"]), &texts(&["node-0", "node-1", "node-3"]), |version| {
        let mut cluster = rolled_out(version, unavailable(2), 5);
        change_pod_on(&mut cluster, "node-3", |pod| pod.status.conditions[0].status = ConditionStatus::False);
        cluster.set_image("v2");
        texts(&cluster.sync().deleted_on())
    });
}

#[test]
fn surge_passes_nodes_over_that_should_not_run_the_pod_since_1_29() {
    let now = (texts(&["node-0", "node-2"]), texts(&["node-1"]));
    let before = (texts(&["node-0", "node-1", "node-2"]), texts(&[]));
    since(Version::V1_29, &now, &before, |version| {
        let mut cluster = rolled_out(version, surge(3), 3);
        cluster.change_node("node-1", |node| node.spec.taints = vec![taint("dedicated=other:NoSchedule")]);
        cluster.set_image("v2");
        let synced = cluster.sync();
        (texts(&synced.created_on()), texts(&synced.deleted_on()))
    });
}

#[test]
fn surge_stops_at_an_old_pod_whose_node_is_gone_since_1_29() {
    let lost = SyncError::NodeLost { node: "node-1".into() };
    let before = (None, texts(&["node-0", "node-1"]), texts(&["node-1"]));
    since(Version::V1_29, &(Some(lost), texts(&[]), texts(&[])), &before, |version| {
        let mut cluster = rolled_out(version, surge(2), 2);
        cluster.remove_node("node-1");
        cluster.set_image("v2");
        let synced = cluster.sync();
        // A pod for a node that is not there is never bound, and goes with the next sync.
        let next = cluster.sync();
        (synced.error.clone(), texts(&synced.created_on()), texts(&next.deleted_on()))
    });
}

#[test]
fn a_pod_that_ended_and_is_being_deleted_is_replaced_at_once_since_1_28() {
    for phase in [PodPhase::Failed, PodPhase::Succeeded] {
        since(Version::V1_28, &(1, 0), &(0, 1), |version| {
            let mut cluster = rolled_out(version, unavailable(1), 1);
            let due = cluster.now.saturating_add(Duration::from_secs(30));
            change_pod_on(&mut cluster, "node-0", |pod| {
                pod.status.phase = phase;
                pod.metadata.deletion_timestamp = Some(due);
            });
            let synced = cluster.sync();
            assert!(synced.deleted.is_empty());
            // Before, the pod still counts as the node's.
            (synced.created.len(), cluster.status().current_number_scheduled)
        });
    }
}

#[test]
fn a_pod_of_the_templates_generation_is_new_whatever_its_hash_since_1_28() {
    since(Version::V1_28, &(0, 2), &(1, 1), |version| {
        let mut cluster = rolled_out(version, unavailable(1), 2);
        change_pod_on(&mut cluster, "node-1", |pod| {
            pod.metadata.labels = pod.metadata.labels.with(Pod::REVISION_HASH_LABEL, "of-another-release");
        });
        let synced = cluster.sync();
        (synced.deleted.len(), cluster.status().updated_number_scheduled)
    });
}

#[test]
fn a_pod_that_ended_well_is_replaced_since_1_27() {
    since(Version::V1_27, &(0, 1, 1), &(0, 0, 0), |version| {
        let mut cluster = rolled_out(version, unavailable(1), 1);
        change_pod_on(&mut cluster, "node-0", |pod| pod.status.phase = PodPhase::Succeeded);
        cluster.sync().counts_with_events()
    });
}

#[test]
fn the_status_is_written_after_refused_creations_since_1_27() {
    since(Version::V1_27, &Some(5), &None, |version| {
        let mut cluster = Cluster::new(agent(), nodes(5)).at(version);
        cluster.quota = Some(2);
        let synced = cluster.sync();
        assert!(synced.failed.is_some());
        synced.status.map(|status| status.desired_number_scheduled)
    });
}

#[test]
fn the_status_is_written_after_a_rolling_update_that_failed_since_1_27() {
    since(Version::V1_27, &true, &false, |version| {
        let mut cluster = rolled_out(version, unavailable(1), 1);
        cluster.change(|daemon_set| {
            daemon_set.spec.update_strategy.rolling_update.max_unavailable = IntOrString::String("one".into());
        });
        let synced = cluster.sync();
        assert_eq!(synced.error, Some(SyncError::MalformedLimit { limit: "one".into() }));
        synced.status.is_some()
    });
}

#[test]
fn a_taint_under_a_running_pod_refreshes_the_status_until_1_33() {
    since(Version::V1_33, &0, &1, |version| {
        let mut cluster = rolled_out(version, unavailable(1), 2);
        cluster.change_node("node-1", |node| node.spec.taints = vec![taint("dedicated=other:NoSchedule")]);
        cluster.settle();
        cluster.status().number_misscheduled
    });
}

#[test]
fn misscheduled_is_not_refreshed_when_taints_vanish_in_1_33_and_1_34() {
    for version in Version::ALL {
        let mut cluster = rolled_out(version, unavailable(1), 2);
        cluster.change_node("node-1", |node| node.spec.taints = vec![taint("dedicated=other:NoSchedule")]);
        cluster.sync();
        cluster.settle();
        assert_eq!(cluster.status().number_misscheduled, 1);
        cluster.change_node("node-1", |node| node.spec.taints.clear());
        cluster.settle();
        let expected = i32::from([Version::V1_33, Version::V1_34].contains(&version));
        assert_eq!(cluster.status().number_misscheduled, expected, "under {version}");
        cluster.sync();
        assert_eq!(cluster.status().number_misscheduled, 0, "a sync for any other reason counts anew");
    }
}

#[test]
fn a_pod_is_available_at_the_very_end_of_min_ready_seconds_since_1_34() {
    since(Version::V1_34, &(0, 1, 1), &(0, 0, 1), |version| {
        let mut daemon_set = agent();
        daemon_set.spec.min_ready_seconds = 10;
        let mut cluster = Cluster::new(daemon_set, nodes(1)).at(version);
        cluster.ready_after = None;
        cluster.settle();
        let ready = cluster.now;
        change_pod_on(&mut cluster, "node-0", |pod| set_ready(pod, ready));
        let mut at = |micros| {
            cluster.now = Timestamp::from_micros(ready.as_micros() + 10_000_000 + micros);
            cluster.settle();
            cluster.status().number_available
        };
        (at(-1), at(0), at(1))
    });
}

#[test]
fn under_every_release_a_node_that_joins_gets_its_pod_and_one_that_is_forbidden_loses_it() {
    for version in Version::ALL {
        let mut cluster = rolled_out(version, unavailable(1), 2);
        cluster.put_node(rollcast_tests::cluster::node("node-2"));
        cluster.settle();
        assert_eq!(cluster.pods_on("node-2").len(), 1, "under {version}");
        cluster.change_node("node-0", |node| node.spec.taints = vec![taint("dedicated=other:NoExecute")]);
        cluster.run_for(Duration::from_mins(1));
        assert!(cluster.pods_on("node-0").is_empty(), "under {version}");
    }
}

#[test]
fn under_every_release_a_rollout_comes_to_the_same_end() {
    for version in Version::ALL {
        for strategy in [unavailable(1), unavailable("50%"), surge(1), surge("50%")] {
            let mut cluster = rolled_out(version, strategy, 4);
            cluster.set_image("v2");
            cluster.run_for(Duration::from_mins(10));
            assert_eq!(cluster.columns(), [4, 4, 4, 4, 4], "under {version}");
            for node in 0..4 {
                assert_eq!(cluster.images_on(&format!("node-{node}")), ["v2"], "under {version}");
            }
        }
    }
}

//! Upstream's scenarios 29 to 57: failed pods, taints, what is looked at when, the status.
//!
//! One sync each unless said otherwise, counted as pods created, pods deleted, events. They hold for `OnDelete` and for
//! `RollingUpdate` with maxUnavailable 1.

use std::collections::BTreeSet;
use std::time::Duration;

use rollcast_core::KubernetesVersion;
use rollcast_core::api::{ConditionStatus, DaemonSet, Labels, Node, Pod, PodPhase};
use rollcast_core::controller::{Action, Change, Outcome, PodKey, RequeueReason};
use rollcast_core::placement::{PlacementRules, eligibility};
use rollcast_tests::cluster::{
    Cluster, START, agent, agent_with, edit_template, foreign_pod, labelled, node, nodes, on_delete, own_pod,
    ready_since, requesting, set_ready, tainted, template_with, unavailable, with_condition, with_memory,
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

fn affinity(terms: Value) -> Value {
    json!({"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}}})
}

fn add_failed(cluster: &mut Cluster, node: &str, name: &str) {
    let mut pod = own_pod(cluster.daemon_set(), node, name);
    pod.metadata.labels = pod.metadata.labels.with(Pod::REVISION_HASH_LABEL, "current");
    pod.status.phase = PodPhase::Failed;
    cluster.put_pod(pod);
}

/// Scenarios 29 to 32: pods that failed and pods that live on one node → created, deleted, events.
#[test]
fn a_failed_pod_is_deleted_and_replaced_in_the_next_sync() {
    let cases = [(0, 1, (0, 0, 0)), (0, 0, (1, 0, 0)), (1, 0, (0, 1, 1)), (1, 3, (0, 3, 1))];
    for (failed, live, expected) in cases {
        each_strategy(&agent(), |daemon_set| {
            let mut cluster = Cluster::new(daemon_set, nodes(1));
            cluster.gone_after = None;
            cluster.add_own_pods("node-0", live);
            for _ in 0..failed {
                add_failed(&mut cluster, "node-0", "failed");
            }
            assert_eq!(cluster.sync().counts_with_events(), expected, "{failed} failed, {live} live");
            assert_eq!(cluster.sync().counts(), (usize::from(failed == 1 && live == 0), 0), "the next sync");
        });
    }
}

/// Scenario 33.
#[test]
fn a_failed_pod_is_deleted_after_its_back_off_and_not_before() {
    let mut daemon_set = agent();
    // A newly observed generation starts a fresh back-off.
    daemon_set.status.observed_generation = 1;
    each_strategy(&daemon_set, |daemon_set| {
        let mut cluster = Cluster::new(daemon_set, nodes(1));
        cluster.gone_after = None;
        cluster.add_own_pods("node-0", 0);
        add_failed(&mut cluster, "node-0", "first");
        assert_eq!(cluster.sync().counts_with_events(), (0, 1, 1));
        add_failed(&mut cluster, "node-0", "second");
        for _ in 0..2 {
            let synced = cluster.sync();
            assert_eq!(synced.counts_with_events(), (0, 0, 0));
            let wait = synced.requeues.iter().find(|requeue| requeue.reason == RequeueReason::FailedPodBackOff);
            assert_eq!(wait.map(|wait| wait.after), Some(Duration::from_secs(1)), "the delay does not grow");
        }
        cluster.now = START.saturating_add(Duration::from_micros(999_999));
        assert_eq!(cluster.sync().counts_with_events(), (0, 0, 0));
        cluster.now = START.saturating_add(Duration::from_secs(1));
        assert_eq!(cluster.sync().counts_with_events(), (0, 1, 1));
    });
}

/// Scenarios 34 to 37.
#[test]
fn taints_keep_new_pods_away_or_drive_old_ones_out() {
    let counts = |effect: &str, with_pod: bool, tolerations: Value| {
        let mut daemon_set = agent_with(json!({"tolerations": tolerations}));
        daemon_set.spec.update_strategy = on_delete();
        let tainted = tainted(node("node-0"), &[&format!("dedicated=x:{effect}")]);
        let mut cluster = Cluster::new(daemon_set, vec![tainted]);
        if with_pod {
            cluster.add_own_pods("node-0", 1);
        }
        cluster.sync().counts()
    };
    assert_eq!(counts("NoSchedule", true, json!([])), (0, 0));
    assert_eq!(counts("NoExecute", true, json!([])), (0, 1));
    assert_eq!(counts("NoSchedule", false, json!([])), (0, 0));
    assert_eq!(
        counts("NoSchedule", false, json!([{"key": "dedicated", "value": "x", "effect": "NoSchedule"}])),
        (1, 0)
    );
}

/// Scenarios 38, 39, 40 and 42.
#[test]
fn what_every_daemon_pod_tolerates_keeps_none_away() {
    let taints = [
        vec!["node.kubernetes.io/not-ready:NoExecute"],
        vec!["node.kubernetes.io/unreachable:NoExecute"],
        vec![],
        vec![
            "node.kubernetes.io/disk-pressure:NoSchedule",
            "node.kubernetes.io/memory-pressure:NoSchedule",
            "node.kubernetes.io/pid-pressure:NoSchedule",
        ],
    ];
    for (taints, ready) in taints.iter().zip([
        ConditionStatus::False,
        ConditionStatus::Unknown,
        ConditionStatus::True,
        ConditionStatus::True,
    ]) {
        let tolerations =
            if taints.is_empty() { json!([{"key": "dedicated", "operator": "Exists"}]) } else { json!([]) };
        each_strategy(&agent_with(json!({"tolerations": tolerations})), |daemon_set| {
            let node = with_condition(tainted(node("node-0"), taints), "Ready", ready);
            assert_eq!(Cluster::new(daemon_set, vec![node]).sync().counts(), (1, 0), "{taints:?}");
        });
    }
}

/// Scenario 41.
#[test]
fn a_pod_that_is_ending_is_waited_for() {
    each_strategy(&agent(), |daemon_set| {
        let mut cluster = Cluster::new(daemon_set, nodes(1));
        cluster.add_own_pods("node-0", 1);
        let name = cluster.pod_on("node-0").metadata.name.clone();
        cluster.delete_pod(&name);
        assert_eq!(cluster.sync().counts(), (0, 0));
    });
}

/// Scenario 43.
#[test]
fn a_pod_on_the_nodes_network_runs_on_cordoned_nodes_and_on_those_without_network() {
    let mut cordoned = tainted(node("a"), &["node.kubernetes.io/unschedulable:NoSchedule"]);
    cordoned.spec.unschedulable = true;
    let no_network = tainted(node("b"), &["node.kubernetes.io/network-unavailable:NoSchedule"]);
    let no_network = with_condition(no_network, "Ready", ConditionStatus::False);
    let mut cluster = Cluster::new(agent_with(json!({"hostNetwork": true})), vec![cordoned, no_network]);
    cluster.run_until(60);
    assert_eq!((cluster.own_pods(), cluster.status().number_ready), (2, 2));
}

/// Scenario 44.
#[test]
fn when_its_taint_goes_a_node_gets_its_pod() {
    let mut cluster = Cluster::new(agent(), vec![tainted(node("a"), &["key1=val1:NoSchedule"]), node("b")]);
    cluster.run_until(60);
    assert_eq!(cluster.own_pods(), 1);
    cluster.change_node("a", |node| node.spec.taints.clear());
    cluster.run_until(120);
    assert_eq!(cluster.own_pods(), 2);
}

/// Scenario 45.
#[test]
fn of_pods_for_nodes_that_are_gone_the_unbound_are_deleted() {
    each_strategy(&agent(), |daemon_set| {
        let mut cluster = Cluster::new(daemon_set, nodes(1));
        for node in ["node-0", "node-1", "node-2"] {
            cluster.add_own_pods(node, 1);
        }
        let unbound = cluster.pod_on("node-2").metadata.name.clone();
        cluster.change_pod(&unbound, |pod| pod.spec.node_name = "".into());
        let synced = cluster.sync();
        assert_eq!((synced.created.len(), synced.deleted_pods()), (0, vec![unbound.as_str()]));
    });
}

/// Scenario 46.
#[test]
fn a_node_should_run_the_pod_and_may_keep_it() {
    let judge = |spec: Value, change: fn(&mut Node)| {
        let mut node = with_memory(node("node-0"), "100M");
        node.metadata.labels = Labels::from_iter([("type", "production")]);
        change(&mut node);
        let found = eligibility(&PlacementRules::of(&template_with(spec), KubernetesVersion::default()), &node);
        (found.should_run, found.should_continue_running)
    };
    let same: fn(&mut Node) = |_| {};
    let of_type =
        |value: &str| affinity(json!([{"matchExpressions": [{"key": "type", "operator": "In", "values": [value]}]}]));
    let port =
        json!({"containers": [{"name": "main", "image": "a:v1", "ports": [{"containerPort": 1, "hostPort": 1}]}]});
    assert_eq!(judge(requesting("50M"), same), (true, true));
    assert_eq!(judge(requesting("200M"), same), (true, true), "room is the scheduler's");
    assert_eq!(judge(json!({"nodeName": "other"}), same), (false, false));
    assert_eq!(judge(port, same), (true, true), "ports are the scheduler's");
    assert_eq!(judge(requesting("100M"), same), (true, true));
    assert_eq!(judge(json!({"nodeSelector": {"type": "test"}}), same), (false, false));
    assert_eq!(judge(json!({"nodeSelector": {"type": "production"}}), same), (true, true));
    assert_eq!(judge(of_type("test"), same), (false, false));
    assert_eq!(judge(of_type("production"), same), (true, true));
    assert_eq!(judge(json!({}), |node| node.spec.unschedulable = true), (true, true));
}

/// Whether the DaemonSet is looked at after a change.
fn is_looked_at(cluster: &mut Cluster) -> bool {
    cluster.controller.step(cluster.now).daemon_set.is_some()
}

/// Scenarios 47 and 49.
#[test]
fn a_changed_node_is_looked_at_when_the_change_matters() {
    let kept_away = tainted(node("tainted"), &["dedicated=x:NoSchedule"]);
    let looked_at = |name: &str, change: fn(&mut Node)| {
        let mut cluster = Cluster::new(selecting_l(), vec![node("plain"), blue(kept_away.clone()), blue(node("runs"))]);
        cluster.run_until(60);
        assert_eq!(cluster.own_pods(), 1);
        cluster.change_node(name, change);
        is_looked_at(&mut cluster)
    };
    assert!(!looked_at("plain", |_| {}), "nothing changed");
    assert!(looked_at("plain", |node| *node = blue(node.clone())), "its labels start to match");
    assert!(looked_at("tainted", |node| node.spec.taints.clear()), "its taint is gone");
    assert!(!looked_at("plain", |node| *node = with_memory(node.clone(), "1G")), "room does not matter");
    assert!(!looked_at("runs", |node| node.spec.unschedulable = true), "cordoned without the taint");
    assert!(looked_at("runs", |node| node.metadata.labels = Labels::default()), "its labels match no longer");
}

/// Scenario 48.
#[test]
fn a_foreign_pod_that_goes_is_not_looked_at() {
    let mut cluster = Cluster::new(agent(), nodes(1));
    cluster.put_pod(foreign_pod("node-0", requesting("1M")));
    let mut owned = foreign_pod("node-0", requesting("1M"));
    owned.metadata.name = "of-a-replica-set".into();
    owned.metadata.uid = "uid-of-a-replica-set".into();
    owned.metadata.owner_references = own_pod(cluster.daemon_set(), "node-0", "x").metadata.owner_references;
    owned.metadata.owner_references[0].kind = "ReplicaSet".into();
    owned.metadata.owner_references[0].uid = "uid-of-a-replica-set-s-own".into();
    cluster.put_pod(owned);
    cluster.run_until(60);
    cluster.remove_pod("foreign-node-0");
    cluster.remove_pod("of-a-replica-set");
    assert!(!is_looked_at(&mut cluster));
}

/// Scenario 50: what is grouped with a node keeps it from getting another pod.
#[test]
fn which_pods_count_for_a_node() {
    let counts = |change: fn(&mut Pod)| {
        let mut cluster = Cluster::new(agent(), nodes(1));
        cluster.add_own_pods("node-0", 1);
        let name = cluster.pod_on("node-0").metadata.name.clone();
        cluster.change_pod(&name, change);
        cluster.sync().created.is_empty()
    };
    let orphaned: fn(&mut Pod) = |pod| pod.metadata.owner_references.clear();
    let not_matching: fn(&mut Pod) = |pod| pod.metadata.labels = Labels::from_iter([("app", "other")]);
    assert!(counts(|_| {}), "own");
    assert!(counts(orphaned), "an orphan that matches");
    assert!(counts(|pod| pod.status.phase = PodPhase::Succeeded));
    assert!(counts(|pod| pod.status.phase = PodPhase::Failed));
    assert!(!counts(not_matching), "own and no longer matching");
    assert!(!counts(|pod| {
        pod.metadata.owner_references.clear();
        pod.metadata.labels = Labels::from_iter([("app", "other")]);
    }));
    assert!(!counts(|pod| pod.metadata.owner_references[0].uid = "uid-of-another".into()));
    for ended in [PodPhase::Succeeded, PodPhase::Failed] {
        let mut cluster = Cluster::new(agent(), nodes(1));
        cluster.add_own_pods("node-0", 1);
        let name = cluster.pod_on("node-0").metadata.name.clone();
        cluster.change_pod(&name, |pod| {
            pod.status.phase = ended;
            pod.metadata.deletion_timestamp = Some(START);
        });
        assert_eq!(cluster.sync().counts(), (1, 0), "ended and being deleted");
    }
}

/// Three DaemonSets; 1 and 2 select the label a, 3 the label b.
fn three_daemon_sets() -> Cluster {
    let daemon_set = |name: &str, key: &'static str| {
        let mut daemon_set = agent();
        daemon_set.metadata.name = name.into();
        daemon_set.metadata.uid = format!("uid-{name}").into();
        daemon_set.spec.selector.match_labels = Labels::from_iter([(key, "1")]);
        edit_template(&mut daemon_set, |json| json["metadata"]["labels"] = json!({key: "1"}));
        daemon_set
    };
    let mut cluster = Cluster::new(daemon_set("ds1", "a"), vec![]);
    cluster.put_daemon_set(daemon_set("ds2", "a"));
    cluster.put_daemon_set(daemon_set("ds3", "b"));
    cluster.settle();
    cluster
}

/// Names of the DaemonSets that are looked at, nothing of what they decide being done.
fn looked_at(cluster: &mut Cluster) -> BTreeSet<String> {
    std::iter::from_fn(|| cluster.controller.step(cluster.now).daemon_set).map(|key| key.name.to_string()).collect()
}

fn names(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(ToString::to_string).collect()
}

/// Scenario 51.
#[test]
fn every_daemon_set_that_an_orphan_concerns_is_looked_at() {
    let orphan = || {
        let mut pod = foreign_pod("node-0", json!({}));
        pod.metadata.labels = Labels::from_iter([("a", "1")]);
        pod
    };
    let owned_by = |name: &str| {
        let mut pod = orphan();
        pod.metadata.owner_references = own_pod(&agent(), "node-0", "x").metadata.owner_references;
        pod.metadata.owner_references[0].name = name.into();
        pod.metadata.owner_references[0].uid = format!("uid-{name}").into();
        pod
    };
    let after = |before: Option<Pod>, after: Pod| {
        let mut cluster = three_daemon_sets();
        if let Some(before) = before {
            cluster.controller.observe(Change::Pod(Box::new(before)));
            cluster = with_nothing_to_look_at(cluster);
        }
        cluster.controller.observe(Change::Pod(Box::new(after)));
        looked_at(&mut cluster)
    };
    assert_eq!(after(None, orphan()), names(&["ds1", "ds2"]), "an orphan that two select");

    let mut other_label = orphan();
    other_label.metadata.labels = Labels::from_iter([("a", "1"), ("c", "1")]);
    assert_eq!(after(Some(owned_by("ds1")), owned_by("ds2")), names(&["ds1", "ds2"]), "another owner");
    assert_eq!(after(Some(owned_by("ds1")), orphan()), names(&["ds1", "ds2"]), "no owner any more");
}

/// The same cluster with everything looked at that there was to look at, and done.
fn with_nothing_to_look_at(mut cluster: Cluster) -> Cluster {
    cluster.settle();
    cluster
}

/// Scenario 51, of an orphan that nobody may adopt.
#[test]
fn an_orphan_is_looked_at_again_when_its_labels_change() {
    let mut orphan = foreign_pod("node-0", json!({}));
    orphan.metadata.labels = Labels::from_iter([("a", "1")]);
    // Being deleted, it is not adopted, so that it stays an orphan.
    orphan.metadata.deletion_timestamp = Some(START);
    let mut cluster = three_daemon_sets();
    cluster.controller.observe(Change::Pod(Box::new(orphan.clone())));
    let mut cluster = with_nothing_to_look_at(cluster);
    cluster.controller.observe(Change::Pod(Box::new(orphan.clone())));
    assert_eq!(looked_at(&mut cluster), names(&[]), "nothing changed");
    let (namespace, name, uid) = (orphan.metadata.namespace, orphan.metadata.name, orphan.metadata.uid);
    let gone = PodKey { namespace, name, uid };
    cluster.controller.observe(Change::PodGone(gone));
    assert_eq!(looked_at(&mut cluster), names(&[]), "an orphan that is gone");
}

/// Scenario 52, as far as the core goes: a status that could not be written is written by a later sync. To read and
/// try again at once is the executor's work.
#[test]
fn a_status_that_could_not_be_written_is_written_later() {
    let mut cluster = Cluster::new(agent(), nodes(1));
    cluster.refuses_status = true;
    assert!(matches!(cluster.sync().failed, Some(Action::UpdateStatus(_))));
    cluster.refuses_status = false;
    assert!(cluster.sync().status.is_some());
    assert_eq!(cluster.sync().status, None);
}

/// Scenario 53.
#[test]
fn ready_pods_and_the_observed_generation_are_reported() {
    each_strategy(&agent(), |daemon_set| {
        let mut cluster = Cluster::new(daemon_set, nodes(2));
        cluster.add_own_pods("node-0", 1);
        cluster.add_own_pods("node-1", 1);
        cluster.sync();
        assert_eq!((cluster.status().number_ready, cluster.status().observed_generation), (0, 1));
        cluster.make_all_ready();
        cluster.sync();
        assert_eq!(cluster.status().number_ready, 2);
    });
}

/// Scenario 54.
#[test]
fn a_pod_that_ended_is_replaced() {
    for (phase, has_finalizer) in [(PodPhase::Succeeded, false), (PodPhase::Failed, false), (PodPhase::Succeeded, true)]
    {
        let mut cluster = Cluster::new(agent(), nodes(3)).rolled_out();
        let ended = cluster.pod_on("node-1").metadata.name.clone();
        if has_finalizer {
            // The object stays, deleted or not, until someone else lets it go.
            cluster.lost_nodes.insert("node-1".into());
        }
        cluster.change_pod(&ended, |pod| {
            pod.status.phase = phase;
            pod.status.conditions.clear();
        });
        cluster.settle();
        cluster.lost_nodes.clear();
        cluster.run_for(Duration::from_mins(1));
        let active = cluster.snapshot.pods.iter().filter(|pod| !pod.is_terminal()).count();
        assert_eq!((active, cluster.status().number_ready), (3, 3), "{phase:?}");
    }
}

/// Scenario 55.
#[test]
fn pods_that_were_admitted_are_counted_though_others_were_refused() {
    let mut cluster = Cluster::new(agent(), nodes(5));
    cluster.quota = Some(2);
    cluster.run_until(60);
    assert_eq!((cluster.own_pods(), cluster.status().number_ready), (2, 2));
}

/// Scenario 56.
#[test]
fn a_pod_that_does_not_fit_exists_and_waits() {
    let mut cluster = Cluster::new(agent_with(requesting("120M")), vec![with_memory(node("small"), "100M")]);
    cluster.run_until(60);
    let pod = cluster.pod_on("small");
    assert_eq!((pod.spec.node_name.as_str(), pod.status.phase), ("", PodPhase::Pending));
    cluster.put_node(with_memory(node("large"), "200M"));
    cluster.run_until(120);
    assert_eq!((cluster.own_pods(), cluster.status().number_ready), (2, 1));
}

/// Scenario 57.
#[test]
fn a_recreated_daemon_set_expects_nothing_of_its_predecessor() {
    let mut cluster = Cluster::new(agent(), nodes(1));
    let mut recreated = cluster.daemon_set().clone();
    let step = cluster.controller.step(cluster.now);
    assert!(
        step.batches
            .iter()
            .flat_map(|batch| &batch.decisions)
            .any(|decision| matches!(decision.action, Action::CreatePod { .. }))
    );
    let key = recreated.metadata.key();
    // The creation is carried out and never seen: the DaemonSet went with its pod.
    for decision in step.batches.iter().flat_map(|batch| &batch.decisions) {
        cluster.controller.complete(cluster.now, decision.id, Outcome::Applied);
    }
    assert!(!cluster.controller.expectations(&key).are_met(cluster.now));
    recreated.metadata.uid = "uid-recreated".into();
    cluster.put_daemon_set(recreated);
    assert_eq!(cluster.sync().counts(), (1, 0));
}

/// A template's own pod is ready when told so; the other tests rest on it.
#[test]
fn a_pod_made_ready_is_ready() {
    let pod = ready_since(own_pod(&agent(), "node-0", "a"), START);
    assert!(pod.is_ready());
    let mut other = pod.clone();
    set_ready(&mut other, START);
    assert_eq!(pod, other);
}

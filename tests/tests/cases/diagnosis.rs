//! Cases in which something stands still: what `diagnose` says about them.

use std::time::Duration;

use rollcast_core::diagnose::{RolloutState, Settings, diagnose};
use rollcast_core::message::Language;
use rollcast_core::report::{DiagnosisReport, diagnosis_report};
use rollcast_tests::cluster::{Cluster, nodes as plain_nodes, surge, unavailable};
use serde_json::json;

use crate::input::{daemon_set, fill, fresh, nodes, other_pod, running, with_spec};

fn diagnosed(cluster: &Cluster) -> DiagnosisReport {
    let settings = Settings::at(cluster.now);
    let diagnosis = diagnose(&cluster.snapshot, &cluster.daemon_set().metadata.key(), &settings).unwrap();
    diagnosis_report(&diagnosis, &settings, Language::English)
}

/// What keeps it from going on, and whether nothing moves.
fn obstacles(cluster: &Cluster) -> (Vec<&'static str>, bool) {
    let report = diagnosed(cluster);
    let obstacles = report.findings.iter().filter(|finding| finding.effect == rollcast_core::diagnose::Effect::Blocks);
    (obstacles.map(|finding| finding.id).collect(), report.state == RolloutState::Blocked)
}

fn commands(report: &DiagnosisReport) -> Vec<&str> {
    report
        .findings
        .iter()
        .flat_map(|finding| &finding.remedies)
        .filter_map(|remedy| remedy.command.as_deref())
        .collect()
}

/// The cluster of a case whose nodes bear no taints, its pods ready for long, with some nodes lost since.
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
    cluster
}

/// R02
#[test]
fn dead_nodes_are_named_with_what_frees_the_budget() {
    let mut cluster = with_lost_nodes("R02", &["d1", "d2", "d3"]);
    cluster.set_image("v2");
    cluster.run_for(Duration::from_hours(1));
    assert_eq!(obstacles(&cluster), (vec!["UnavailableBudget", "TerminatingOnDeadNode"], true));
    let report = diagnosed(&cluster);
    let message = &report.findings[0].message;
    assert!(message.contains("3 ≥ 1, so no healthy pod is touched: 27 nodes wait"), "{message}");
    assert!(commands(&report)[0].ends_with(r#"'{"spec":{"updateStrategy":{"rollingUpdate":{"maxUnavailable":4}}}}'"#));

    cluster.change(|daemon_set| daemon_set.spec.update_strategy = unavailable("10%"));
    cluster.run_for(Duration::from_hours(1));
    let report = diagnosed(&cluster);
    assert!(report.findings[0].message.contains("30 nodes × 10 % = 3;"), "{}", report.findings[0].message);
    assert!(commands(&report)[0].contains(r#""maxUnavailable":"11%""#), "{:?}", commands(&report));
    cluster.change(|daemon_set| daemon_set.spec.update_strategy = unavailable("11%"));
    cluster.run_for(Duration::from_hours(1));
    assert_eq!(obstacles(&cluster), (vec!["TerminatingOnDeadNode"], true), "the rest went through");
}

/// R02, in the size that is told of: dead nodes count where the template tolerates their taints, and not elsewhere.
#[test]
fn twenty_dead_nodes_of_288_block_five_percent_at_15_or_at_14() {
    for (tolerates, sum, wait, raise) in [
        (true, "288 nodes × 5 % = 14.4 → 15, rounded up; 20 nodes are already unavailable", "20 ≥ 15", "7%"),
        (false, "268 nodes × 5 % = 13.4 → 14, rounded up; 20 nodes are already unavailable", "20 ≥ 14", "8%"),
    ] {
        let mut agent = daemon_set("R02");
        if !tolerates {
            agent = with_spec(agent, "tolerations", json!([]));
        }
        agent.spec.update_strategy = unavailable("5%");
        let mut cluster = Cluster::new(agent, plain_nodes(288)).rolled_out();
        let names: Vec<_> = cluster.snapshot.nodes.iter().take(20).map(|node| node.metadata.name.clone()).collect();
        for node in &names {
            cluster.lose_node(node);
        }
        cluster.settle();
        cluster.set_image("v2");
        cluster.run_for(Duration::from_mins(10));
        let report = diagnosed(&cluster);
        let message = &report.findings[0].message;
        assert!(message.contains(sum) && message.contains(wait) && message.contains("268 nodes wait"), "{message}");
        assert!(
            report.headline.starts_with("blocked: `maxUnavailable` is used up by dead nodes"),
            "{}",
            report.headline
        );
        assert!(commands(&report)[0].contains(&format!(r#""maxUnavailable":"{raise}""#)), "{:?}", commands(&report));
        // Fewer than all are enough, and what is removed also shrinks what the percentage is of.
        let removal =
            commands(&report).into_iter().find(|command| command.starts_with("kubectl delete nodes")).unwrap();
        assert_eq!(removal.split(' ').count() - 3, if tolerates { 6 } else { 7 }, "{removal}");
        let forced = commands(&report).into_iter().any(|command| command.contains("--force"));
        assert_eq!(forced, !tolerates, "a pod that is made again at once frees nothing");
    }
}

/// R04, while the first broken version is out.
#[test]
fn a_broken_version_is_taken_back_rather_than_given_more_room() {
    let mut cluster = running("R04");
    cluster.broken_images.insert("v2".to_owned());
    cluster.set_image("v2");
    cluster.run_for(Duration::from_hours(1));
    let report = diagnosed(&cluster);
    let ids: Vec<_> = report.findings.iter().take(2).map(|finding| finding.id).collect();
    assert_eq!(ids, ["NeverReady", "UnavailableBudget"]);
    assert!(commands(&report).contains(&"kubectl -n default rollout undo daemonset agent --to-revision=1"));
    assert!(!commands(&report).iter().any(|command| command.contains("maxUnavailable")), "{:?}", commands(&report));
}

/// L02
#[test]
fn surge_with_a_host_port_is_told_to_replace_instead() {
    let mut cluster = running("L02");
    cluster.set_image("v2");
    cluster.run_for(Duration::from_hours(1));
    assert_eq!(obstacles(&cluster), (vec!["BesideOldPod", "SurgeBudget"], true));
    let report = diagnosed(&cluster);
    assert!(commands(&report)[0].contains(r#"{"maxSurge":0,"maxUnavailable":1}"#), "{:?}", commands(&report));

    let mut cluster = running("R01");
    cluster.change(|daemon_set| daemon_set.spec.update_strategy = surge(1));
    cluster.set_image("v2");
    cluster.run_for(Duration::from_secs(1));
    assert_eq!(obstacles(&cluster), (Vec::new(), false), "surge without a port");
}

/// R08, R13
#[test]
fn one_dead_node_keeps_the_rest_from_nothing_but_its_place() {
    let mut cluster = with_lost_nodes("R13", &["dead"]);
    cluster.set_image("v2");
    cluster.run_for(Duration::from_hours(1));
    assert_eq!(obstacles(&cluster), (vec!["TerminatingOnDeadNode"], true));
    assert!(diagnosed(&cluster).headline.contains("its kubelet does not answer, on 1 node"));
}

/// P13, P27
#[test]
fn a_full_node_is_told_to_be_full_and_more_nodes_do_not_help() {
    for (id, node) in [("P13", "fargate-1"), ("P27", "full")] {
        let mut cluster = fresh(id);
        fill(&mut cluster, node);
        cluster.run_for(Duration::from_mins(10));
        assert_eq!(obstacles(&cluster).0, ["NoRoom"], "{id}");
        let message = &diagnosed(&cluster).findings[0].message;
        assert!(message.contains("Too many pods") && message.contains("more nodes do not help"), "{message}");
    }
}

/// P21
#[test]
fn missing_room_is_told_with_its_amount_and_what_fits() {
    let mut cluster = fresh("P21");
    let cpu = json!({"containers": [{"name": "m", "image": "o:v1", "resources": {"requests": {"cpu": "400m"}}}]});
    cluster.put_pod(other_pod("app", "small", cpu));
    cluster.run_for(Duration::from_mins(10));
    assert_eq!(obstacles(&cluster), (vec!["NoRoom"], true));
    let report = diagnosed(&cluster);
    assert!(report.findings[0].message.contains("200m missing"), "{}", report.findings[0].message);
    let lower = "kubectl -n default set resources daemonset agent -c main --requests=cpu=600m";
    assert!(commands(&report).contains(&lower), "{:?}", commands(&report));
}

/// P22
#[test]
fn who_has_the_host_port_is_named() {
    let port =
        json!({"containers": [{"name": "m", "image": "o:v1", "ports": [{"containerPort": 9100, "hostPort": 9100}]}]});
    let mut cluster = fresh("P22");
    for node in ["a", "b"] {
        cluster.put_pod(other_pod(&format!("other-{node}"), node, port.clone()));
    }
    cluster.run_for(Duration::from_mins(10));
    assert_eq!(obstacles(&cluster), (vec!["HostPort"], true));
    assert!(diagnosed(&cluster).findings[0].message.contains("9100/TCP is taken by default/other-a"));
}

/// P01, P02, P10, P11
#[test]
fn a_node_without_a_pod_is_told_by_every_obstacle() {
    let left_out = |id: &str, node: &str| {
        let mut cluster = fresh(id);
        cluster.run_for(Duration::from_mins(10));
        let report = diagnosed(&cluster);
        assert_eq!(report.state, RolloutState::Finished, "{id}: {}", report.headline);
        let found =
            report.findings.iter().find(|finding| finding.id == "NotEligible" && finding.message.contains(node));
        found.unwrap_or_else(|| panic!("{id}: {node}")).clone()
    };
    let batch = left_out("P01", "b1");
    assert!(batch.message.contains("`dedicated=batch:NoSchedule`"));
    let control_plane = left_out("P02", "cp1");
    assert!(control_plane.message.contains("the node has `true`") && control_plane.message.contains("taint"));
    let fresh_node = left_out("P10", "fresh");
    assert!(fresh_node.message.contains("`node.kubernetes.io/not-ready:NoSchedule`"), "{}", fresh_node.message);
    let without_routes = left_out("P11", "noroute");
    assert!(without_routes.message.contains("network-unavailable"), "{}", without_routes.message);
}

/// P15, R15
#[test]
fn a_pod_that_should_not_be_there_is_told_to_stay() {
    let mut cluster = with_lost_nodes("P15", &[]);
    cluster.change_node("c", |node| {
        node.spec.taints.push(rollcast_tests::cluster::taint("blue-green=inactive:NoSchedule"));
    });
    cluster.sync();
    let report = diagnosed(&cluster);
    let found = report.findings.iter().find(|finding| finding.id == "Misscheduled").unwrap();
    assert!(found.message.contains("it stays") && found.message.contains("blue-green"), "{}", found.message);
    assert_eq!(report.state, RolloutState::Finished);
}

/// L08, L09
#[test]
fn refused_creations_are_told_from_a_controller_that_does_not_run() {
    for id in ["L08", "L09"] {
        let mut cluster = fresh(id);
        cluster.quota = Some(0);
        cluster.sync();
        let ids: Vec<_> = diagnosed(&cluster).findings.iter().map(|finding| finding.id).collect();
        assert!(ids.contains(&"CreationRefused") && !ids.contains(&"ControllerNotActing"), "{id}: {ids:?}");
    }
}

/// L06
#[test]
fn two_daemon_sets_with_one_selector_are_told_not_to_fight() {
    let mut cluster = running("L06");
    let mut other = daemon_set("L06");
    other.metadata.name = "agent2".into();
    other.metadata.uid = "other".into();
    cluster.snapshot.daemon_sets.push(other);
    assert!(diagnosed(&cluster).findings.iter().any(|finding| finding.id == "Rival"));
}

/// L07, R12
#[test]
fn on_delete_waits_for_someone() {
    let mut cluster = running("R12");
    cluster.set_image("v2");
    cluster.run_for(Duration::from_hours(1));
    assert_eq!(obstacles(&cluster), (vec!["WaitingForDeletion"], true));
}

/// R06
#[test]
fn a_pod_that_becomes_available_by_waiting_only_delays() {
    let mut cluster = fresh("R06");
    cluster.run_for(Duration::from_mins(1));
    let report = diagnosed(&cluster);
    assert!(matches!(report.state, RolloutState::Progressing { next_seconds: Some(_) }), "{}", report.headline);
    assert!(!report.stuck);
}

//! What goes wrong by itself and is mended again.

use rollcast_engine::api::{Pod, Toleration};

use super::*;

const HOUR: u64 = 3_600;

/// The pods on a node, as the API server shows them.
fn pods_on(world: &World, node: &str) -> Vec<Pod> {
    world.pods().filter(|pod| pod.spec.node_name == node).collect()
}

/// Reason for which the pod on a node waits, and how often it was started again.
fn status_on(world: &World, node: &str) -> (String, i32) {
    let pods = pods_on(world, node);
    let status = pods.first().and_then(|pod| pod.status.container_statuses.first().cloned()).unwrap_or_default();
    (status.state.waiting.map(|waiting| waiting.reason.to_string()).unwrap_or_default(), status.restart_count)
}

#[test]
fn an_image_that_cannot_be_pulled_stops_the_rollout_until_it_can() {
    let options = options(10, 5);
    let mut world = World::settled(agent("v1"), nodes(3), options);
    world.schedule(seconds(0), everywhere(Behaviour::pulls_fail(&options.latencies)));
    world.schedule(seconds(0), applied(agent("v2")));
    world.run_until(seconds(HOUR));
    assert_eq!(deletions(&world), [(0, 1)]);
    assert_eq!(status_on(&world, "n1"), ("ImagePullBackOff".to_owned(), 0));
    let container = &pods_on(&world, "n1")[0].status.container_statuses[0];
    let message = &container.state.waiting.as_ref().unwrap().message;
    assert_eq!(
        (container.name.as_str(), message.as_str()),
        ("main", "Back-off pulling image \"registry.example/agent:v2\"")
    );

    // Tries after 10, 20, 40, 80, 160 s and then every 300 s; the first one was at 5 s.
    let next_try = (0..100).map(|n| 5 + 310 + 300 * n).find(|at| *at > HOUR).unwrap();
    world.schedule(seconds(HOUR), ScenarioEvent::Heal(NodeSelection::All));
    let summary = world.run_to_end();
    assert_eq!(summary.ending, Some(Ending::Complete));
    assert_eq!(summary.completed_at, Some(seconds(next_try + 10 + 15 + 15)));
}

#[test]
fn where_the_image_is_held_a_registry_that_fails_does_not_matter() {
    let options = options(10, 5);
    let fails = |nodes| ScenarioEvent::Behave { nodes, behaviour: Behaviour::pulls_fail(&options.latencies) };
    let mut world = World::settled(agent("v1"), nodes(3), options);
    world.apply(fails(NodeSelection::Named(vec!["n2".into()]))).unwrap();
    world.schedule(seconds(0), deleted_on("n2"));
    assert_eq!(world.run_to_end().ending, Some(Ending::Complete));
    let start = world.elapsed().as_secs();
    world.schedule(seconds(start), applied(agent("v2")));
    let summary = world.run_to_end();
    assert!(matches!(summary.ending, Some(Ending::Endless { .. })), "{summary:?}");
    assert_eq!(counters_at(&world, start + HOUR).new_available, 1, "n1 alone: n2 uses up the budget");
}

#[test]
fn an_image_that_is_always_checked_needs_the_registry_although_the_node_holds_it() {
    let options = options(10, 5);
    let play = |policy: &str| {
        let spec = json!({"containers": [{"name": "main", "imagePullPolicy": policy}]});
        let mut world = World::settled(daemon_set("v1", &spec, &json!({"maxUnavailable": 1})), nodes(1), options);
        world.schedule(seconds(0), everywhere(Behaviour::pulls_fail(&options.latencies)));
        world.schedule(seconds(10), deleted_on("n1"));
        world.run_to_end().ending == Some(Ending::Complete)
    };
    assert!(play("IfNotPresent"));
    assert!(!play("Always"));
}

#[test]
fn a_crash_loop_backs_off_as_the_kubelet_does() {
    let options = options(10, 5);
    let crashes = Behaviour::crash_loop(&options.latencies, seconds(2).into());
    let mut world = World::settled(agent("v1"), nodes(2), options);
    world.schedule(seconds(0), everywhere(crashes));
    world.schedule(seconds(0), applied(agent("v2")));
    // Starts at 5, 7, then 10, 20, 40, … after the end of the run before.
    let expected = [(8, "", 1), (10, "CrashLoopBackOff", 2), (20, "", 2), (22, "CrashLoopBackOff", 3), (42, "", 3)];
    for (at, reason, restarts) in expected {
        world.run_until(seconds(at));
        assert_eq!(status_on(&world, "n1"), (reason.to_owned(), restarts), "at {at} s");
    }
    world.run_until(seconds(HOUR));
    let (_, restarts) = status_on(&world, "n1");
    // The delays are 0, 10, 20, 40, 80, 160 and then 300 s.
    assert!((16..=18).contains(&restarts), "{restarts} restarts in an hour");
    assert_eq!(deletions(&world), [(0, 1)]);
    let last = &pods_on(&world, "n1")[0].status.container_statuses[0].last_state;
    assert_eq!(last.terminated.as_ref().unwrap().exit_code, 1);
    world.schedule(seconds(HOUR), everywhere(Behaviour::healthy(&options.latencies)));
    assert_eq!(world.run_to_end().ending, Some(Ending::Complete));
}

#[test]
fn a_pod_that_crashes_after_it_was_ready_is_available_in_between() {
    let options = options(10, 5);
    let crashes = Behaviour::crash_loop(&options.latencies, seconds(700).into());
    let mut world = World::settled(agent("v1"), nodes(1), options);
    world.schedule(seconds(0), everywhere(crashes));
    world.schedule(seconds(0), applied(agent("v2")));
    world.run_until(seconds(4_000));
    assert_eq!(tile_at(&world, "n1", 15), Tile::NewAvailable);
    assert_eq!(tile_at(&world, "n1", 706), Tile::NewStarting, "started again at once");
    assert_eq!(tile_at(&world, "n1", 715), Tile::NewAvailable);
    assert_eq!(tile_at(&world, "n1", 1_406), Tile::NewStarting, "ran for more than ten minutes: at once again");
    assert_eq!(tile_at(&world, "n1", 1_415), Tile::NewAvailable);
}

#[test]
fn odds_say_for_how_many_pods_a_behaviour_holds() {
    let options = Options { seed: 5, ..options(10, 5) };
    let some = Behaviour::never_ready(&options.latencies).for_permille(100);
    let mut world = World::settled(max_unavailable("v1", &json!("100%")), nodes(1_000), options);
    world.schedule(seconds(0), everywhere(some));
    world.schedule(seconds(0), applied(max_unavailable("v2", &json!("100%"))));
    let summary = world.run_to_end();
    let broken = summary.eligible - summary.finished;
    assert!((70..130).contains(&broken), "{broken} of 1000");

    // A retry draws anew.
    let mut world = World::settled(agent("v1"), nodes(1), options);
    world.schedule(seconds(0), everywhere(Behaviour::fails(&options.latencies, seconds(1).into()).for_permille(500)));
    world.schedule(seconds(0), deleted_on("n1"));
    for try_number in 1..40 {
        world.schedule(seconds(try_number * 1_000), deleted_on("n1"));
    }
    world.run_to_end();
    let failed = deletions(&world).len();
    assert!((5..200).contains(&failed), "{failed} pods failed");
    assert_eq!(world.refusals(), []);
}

#[test]
fn a_readiness_blip_on_all_nodes_holds_the_rollout_up_for_its_time() {
    let mut world = World::settled(agent("v1"), nodes(4), options(10, 5));
    world.schedule(seconds(0), applied(agent("v2")));
    world.schedule(seconds(10), ScenarioEvent::FailReadiness { nodes: NodeSelection::All, lasts: seconds(60) });
    let summary = world.run_to_end();
    assert_eq!(summary.ending, Some(Ending::Complete));
    assert_eq!(summary.fewest_available, 0);
    // Old pods that are not ready may all be replaced at once: they are, and start during the blip.
    assert_eq!(deletions(&world), [(0, 1), (10, 3)]);
    assert_eq!(tile_at(&world, "n1", 69), Tile::NewStarting);
    assert_eq!(summary.completed_at, Some(seconds(70)));
}

#[test]
fn a_blip_of_some_pods_ends_by_itself() {
    let mut world = World::settled(agent("v1"), nodes(3), options(10, 5));
    let blip = |name: &str| ScenarioEvent::FailReadiness {
        nodes: NodeSelection::Named(vec![name.into()]),
        lasts: seconds(20),
    };
    world.schedule(seconds(5), blip("n2"));
    world.schedule(seconds(9), blip("n9"));
    let summary = world.run_to_end();
    assert_eq!((summary.ending, summary.fewest_available), (Some(Ending::Complete), 2));
    assert_eq!(world.measures().gaps, [seconds(20)]);
    assert_eq!(world.refusals(), [(seconds(9), EventRefusal::NoSuchNode("n9".into()))]);
}

#[test]
fn a_short_reboot_is_a_restart_of_the_containers() {
    let mut world = World::settled(agent("v1"), nodes(2), options(10, 5));
    world.schedule(seconds(10), ScenarioEvent::RebootNode { node: "n1".into(), lasts: seconds(30) });
    let summary = world.run_to_end();
    assert_eq!(summary.ending, Some(Ending::Complete));
    assert_eq!(world.measures().gaps, [seconds(10)], "nobody noticed before the containers started again");
    assert_eq!(status_on(&world, "n1"), (String::new(), 1));
    assert_eq!((creations(&world), deletions(&world)), (vec![], vec![]));
    assert!(world.nodes().all(|node| node.spec.taints.is_empty()));
}

#[test]
fn a_long_reboot_makes_the_node_unreachable_and_lets_what_was_terminating_go() {
    let image = |image| daemon_set(image, &tolerant(), &json!({"maxUnavailable": 1}));
    let mut world = World::settled(image("v1"), nodes(2), options(10, 20));
    world.schedule(seconds(0), applied(image("v2")));
    world.schedule(seconds(5), ScenarioEvent::RebootNode { node: "n1".into(), lasts: seconds(300) });
    world.run_until(seconds(200));
    let taints = |world: &World| world.nodes().map(|node| node.spec.taints.len()).collect::<Vec<_>>();
    assert_eq!(taints(&world), [2, 0]);
    let summary = world.run_to_end();
    assert_eq!(summary.ending, Some(Ending::Complete));
    assert_eq!(taints(&world), [0, 0]);
    assert_eq!(creations(&world)[0], (305, 1), "the deleted pod stayed until its node was back");
}

#[test]
fn a_no_execute_taint_that_is_borne_for_a_while_evicts_again_and_again() {
    let borne = json!({"tolerations": [
        {"key": "maintenance", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 60}]});
    let mut world = World::settled(daemon_set("v1", &borne, &json!({"maxUnavailable": 1})), nodes(2), options(10, 5));
    let taint = serde_json::from_value(json!({"key": "maintenance", "effect": "NoExecute"})).unwrap();
    world.schedule(seconds(100), ScenarioEvent::AddTaint { node: "n1".into(), taint });
    let untaint = ScenarioEvent::RemoveTaint {
        node: "n1".into(),
        key: "maintenance".into(),
        effect: rollcast_engine::api::TaintEffect::Unset,
    };
    world.schedule(seconds(260), untaint);
    let summary = world.run_to_end();
    assert_eq!(summary.ending, Some(Ending::Complete));
    // Evicted at 160, made again at 165, evicted at 225, made again at 230; the taint goes before 290.
    assert_eq!((creations(&world), deletions(&world)), (vec![(165, 1), (230, 1)], vec![]));
    let evictions = world.timeline().marks().iter().filter(|mark| mark.kind == MarkKind::PodEvicted).count();
    assert_eq!(evictions, 2);
}

#[test]
fn the_automatic_tolerations_keep_pods_on_a_lost_node_for_ever() {
    let mut world = World::settled(agent("v1"), nodes(1), options(10, 5));
    world.schedule(seconds(10), ScenarioEvent::SetNodeReady { node: "n1".into(), ready: ConditionStatus::Unknown });
    world.run_to_end();
    let pods = pods_on(&world, "n1");
    assert_eq!(pods.len(), 1);
    assert!(!pods[0].metadata.is_being_deleted());
    let automatic = |toleration: &&Toleration| toleration.key == "node.kubernetes.io/unreachable";
    assert_eq!(pods[0].spec.tolerations.iter().find(automatic).unwrap().toleration_seconds, None);
}

fn other_pod(name: &str, node: &str, container: &Value) -> ScenarioEvent {
    let pod = json!({"metadata": {"name": name, "namespace": "other", "uid": name},
        "spec": {"nodeName": node, "containers": [container]}, "status": {"phase": "Running"}});
    ScenarioEvent::AddPod(Box::new(serde_json::from_value(pod).unwrap()))
}

#[test]
fn other_workloads_take_room_and_host_ports_and_give_them_back() {
    let wants = json!({"containers": [{"name": "main", "ports": [{"containerPort": 80, "hostPort": 8080}],
        "resources": {"requests": {"cpu": "2"}}}]});
    let image = |image| daemon_set(image, &wants, &json!({"maxUnavailable": 2}));
    let mut world = World::settled(image("v1"), nodes(2), options(10, 5));
    world.schedule(seconds(0), applied(image("v2")));
    world.schedule(
        seconds(1),
        other_pod("port", "n1", &json!({"name": "c", "ports": [{"containerPort": 1, "hostPort": 8080}]})),
    );
    world.schedule(seconds(1), other_pod("big", "n2", &json!({"name": "c", "resources": {"requests": {"cpu": "3"}}})));
    world.schedule(seconds(2), other_pod("big", "n2", &json!({"name": "c"})));
    assert!(is_stuck(&world.run_to_end()));
    assert_eq!(world.refusals().last().unwrap().1, EventRefusal::PodExists("big".into()));
    let messages: Vec<String> = world
        .snapshot()
        .pods
        .iter()
        .filter_map(|pod| Some(pod.status.condition("PodScheduled")?.message.to_string()))
        .collect();
    assert!(messages.iter().any(|message| message.contains("1 node(s) didn't have free ports")), "{messages:?}");
    assert!(messages.iter().any(|message| message.contains("1 Insufficient cpu")), "{messages:?}");

    let gone = |name: &str| {
        ScenarioEvent::RemovePod(rollcast_engine::api::ObjectKey { namespace: "other".into(), name: name.into() })
    };
    world.schedule(seconds(100), gone("port"));
    world.schedule(seconds(200), gone("big"));
    let summary = world.run_to_end();
    assert_eq!((summary.ending, summary.completed_at), (Some(Ending::Complete), Some(seconds(210))));
    assert_eq!(world.apply(gone("big")), Err(EventRefusal::NoSuchPod(PodSelection::Named("big".into()))));
}

#[test]
fn a_controller_that_starts_anew_goes_on_where_the_last_one_ended() {
    let image = |image| max_unavailable(image, &json!(2));
    let play = |restart: Option<u64>| {
        let mut world = World::settled(image("v1"), nodes(6), options(10, 5));
        world.schedule(seconds(0), applied(image("v2")));
        if let Some(at) = restart {
            world.schedule(seconds(at), ScenarioEvent::RestartController { lasts: seconds(100) });
        }
        let summary = world.run_to_end();
        assert_eq!(summary.ending, Some(Ending::Complete));
        (summary.completed_at.unwrap().as_secs(), creations(&world))
    };
    let (whole, _) = play(None);
    for at in 0..whole {
        let (end, creations) = play(Some(at));
        assert!((whole..=whole + 100).contains(&end), "restarted at {at}: {end}, not after {whole}");
        assert_eq!(creations.iter().map(|(_, count)| count).sum::<u32>(), 6, "restarted at {at}");
    }
    assert_eq!(play(Some(10)).1[1..], [(110, 2), (125, 2)].map(|(at, count)| (at + 5, count)));
}

#[test]
fn healing_lets_everything_that_hangs_go_on() {
    let options = options(10, 5);
    let hangs = Behaviour { gone_after: None, ..Behaviour::never_ready(&options.latencies) };
    let mut world = World::settled(max_unavailable("v1", &json!(2)), nodes(4), options);
    world.schedule(seconds(0), applied(max_unavailable("v2", &json!(2))));
    world.schedule(seconds(3), everywhere(hangs));
    world.schedule(seconds(6), deleted_on("n1"));
    assert!(is_stuck(&world.run_to_end()));
    world.schedule(seconds(500), ScenarioEvent::Heal(NodeSelection::All));
    assert_eq!(world.run_to_end().ending, Some(Ending::Complete));
}

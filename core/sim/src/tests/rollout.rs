use rollcast_engine::controller::WaitingOn;

use super::*;

#[test]
fn percentages_round_up_and_a_batch_follows_the_other() {
    let mut world = World::settled(max_unavailable("v1", &json!("10%")), nodes(11), options(10, 5));
    world.schedule(seconds(10), applied(max_unavailable("v2", &json!("10%"))));
    let summary = world.run_to_end();
    assert_eq!(deletions(&world), [(10, 2), (25, 2), (40, 2), (55, 2), (70, 2), (85, 1)]);
    assert_eq!((summary.ending, summary.completed_at), (Some(Ending::Complete), Some(seconds(100))));
    assert_eq!((summary.fewest_available, summary.most_pods), (9, 11));
    assert_eq!(counters_at(&world, 10).max_unavailable, 2);
    assert_eq!(summary.longest_gap.unwrap().length, seconds(15));
}

#[test]
fn dead_nodes_use_up_the_budget() {
    let cluster = || nodes(27).into_iter().chain(["d1", "d2", "d3"].map(dead)).collect::<Vec<_>>();
    let play = |limit: Value| {
        let image = |image| daemon_set(image, &tolerant(), &json!({ "maxUnavailable": limit }));
        let mut world = World::settled(image("v1"), cluster(), options(10, 5));
        world.schedule(seconds(10), applied(image("v2")));
        let summary = world.run_to_end();
        assert!(is_stuck(&summary), "{limit}: {summary:?}");
        (world, summary)
    };
    for limit in [json!(1), json!("10%")] {
        let (world, summary) = play(limit);
        assert_eq!(deletions(&world), [(10, 3)]);
        let end = counters_at(&world, 1_000);
        assert_eq!((end.desired, end.up_to_date, end.available), (30, 0, 27));
        let Some(Ending::Stuck { waiting_on }) = summary.ending else { panic!("not stuck") };
        let budget = waiting_on.iter().find_map(|waiting| match waiting {
            WaitingOn::UnavailableBudget { unavailable, nodes, waiting, .. } => Some((*unavailable, nodes, *waiting)),
            _ => None,
        });
        assert_eq!(budget, Some((3, &["d1", "d2", "d3"].map(Text::from).to_vec(), 27)));
    }
    let (world, _) = play(json!("11%"));
    let end = counters_at(&world, 10_000);
    assert_eq!((end.desired, end.up_to_date, end.available), (30, 27, 27));
    assert!(deletions(&world).iter().skip(1).all(|(_, count)| *count == 1), "one healthy node at a time");
}

#[test]
fn when_the_dead_nodes_and_their_pods_are_gone_the_default_works() {
    let cluster = nodes(27).into_iter().chain(["d1", "d2", "d3"].map(dead)).collect();
    let image = |image| daemon_set(image, &tolerant(), &json!({"maxUnavailable": 1}));
    let mut world = World::settled(image("v1"), cluster, options(10, 5));
    world.schedule(seconds(10), applied(image("v2")));
    for name in ["d1", "d2", "d3"] {
        world.schedule(seconds(100), ScenarioEvent::RemoveNode(name.into()));
    }
    let summary = world.run_to_end();
    assert_eq!(summary.ending, Some(Ending::Complete));
    assert_eq!(deletions(&world)[..2], [(10, 3), (160, 1)], "after the pods are cleaned up");
    assert_eq!(counters_at(&world, 160).desired, 27);
}

#[test]
fn a_broken_version_is_replaced_first_and_healthy_pods_stay() {
    let options = options(10, 5);
    let never_ready = Behaviour::never_ready(&options.latencies);
    let healthy = Behaviour::healthy(&options.latencies);
    let mut world = World::settled(agent("v1"), nodes(3), options);
    for (at, image, behaviour) in [(10, "v2", never_ready), (60, "v3", never_ready), (120, "v4", healthy)] {
        world.schedule(seconds(at), everywhere(behaviour));
        world.schedule(seconds(at), applied(agent(image)));
    }
    let summary = world.run_to_end();
    assert_eq!(summary.ending, Some(Ending::Complete));
    assert_eq!(summary.fewest_available, 2);
    assert_eq!(deletions(&world), [(10, 1), (60, 1), (120, 1), (135, 1), (150, 1)]);
    assert_eq!(world.revisions().iter().map(|revision| revision.revision).collect::<Vec<_>>(), [1, 2, 3, 4]);
}

fn with_min_ready_seconds(mut daemon_set: DaemonSet, seconds: i32) -> DaemonSet {
    daemon_set.spec.min_ready_seconds = seconds;
    daemon_set
}

#[test]
fn a_second_update_within_min_ready_seconds_takes_all_pods_at_once() {
    let image = |image| with_min_ready_seconds(agent(image), 300);
    let start = || {
        let snapshot = rollcast_engine::controller::Snapshot { nodes: nodes(4), ..Default::default() };
        let mut world = World::new(snapshot, agent("v1").metadata.key(), options(10, 0));
        world.apply(applied(image("v1"))).unwrap();
        world
    };
    let mut world = start();
    world.schedule(seconds(60), applied(image("v2")));
    world.run_to_end();
    assert_eq!(columns(counters_at(&world, 59)), [4, 4, 4, 4, 0]);
    assert_eq!(deletions(&world), [(60, 4)]);

    let mut world = start();
    world.schedule(seconds(400), applied(image("v2")));
    let summary = world.run_to_end();
    assert_eq!(deletions(&world), [(400, 1), (710, 1), (1020, 1), (1330, 1)]);
    assert_eq!(summary.completed_at, Some(seconds(1640)));
}

#[test]
fn without_surge_the_successor_waits_for_a_long_termination() {
    let mut world = World::settled(agent("v1"), nodes(1), options(10, 120));
    world.schedule(seconds(10), applied(agent("v2")));
    world.run_to_end();
    assert_eq!(columns(counters_at(&world, 60)), [1, 1, 1, 0, 1], "the terminating pod counts, and is ready");
    assert_eq!(tile_at(&world, "n1", 60), Tile::Terminating);
    assert_eq!(creations(&world), [(130, 1)]);
}

#[test]
fn with_surge_a_deleted_pod_is_replaced_at_once() {
    let mut world = World::settled(surge("v1", &json!({})), nodes(1), options(10, 120));
    world.schedule(seconds(10), deleted_on("n1"));
    let summary = world.run_to_end();
    assert_eq!(creations(&world), [(10, 1)]);
    assert_eq!(summary.most_pods, 2);
}

#[test]
fn one_stuck_terminating_pod_does_not_stop_the_others() {
    let image = |image| daemon_set(image, &tolerant(), &json!({"maxUnavailable": "20%"}));
    let mut world = World::settled(image("v1"), nodes(10), options(15, 5));
    world.schedule(seconds(10), applied(image("v2")));
    let unreachable = ScenarioEvent::SetNodeReady { node: "n1".into(), ready: ConditionStatus::Unknown };
    world.schedule(seconds(12), unreachable);
    let summary = world.run_to_end();
    assert!(is_stuck(&summary), "{summary:?}");
    let end = counters_at(&world, 10_000);
    assert_eq!((end.desired, end.up_to_date, end.available), (10, 9, 9));
    assert_eq!(tile_at(&world, "n1", 10_000), Tile::Terminating);
    let deletions = deletions(&world);
    assert_eq!(deletions[0], (10, 2));
    assert!(deletions[1..].iter().all(|(_, count)| *count == 1), "{deletions:?}");
    assert!(summary.longest_gap.is_some_and(|gap| gap.node == "n1" && gap.open));
}

#[test]
fn surge_leaves_nodes_alone_that_are_no_longer_eligible() {
    let key = "node-role.kubernetes.io/control-plane";
    let limits = json!({"maxUnavailable": 0, "maxSurge": "10%"});
    let before = daemon_set("v1", &json!({"tolerations": [{"key": key, "operator": "Exists"}]}), &limits);
    let mut cluster = vec![node("w1"), node("w2")];
    cluster.extend(["m1", "m2"].map(|name| tainted(name, key, "NoSchedule")));
    let mut world = World::settled(before, cluster, options(10, 5));
    world.schedule(seconds(10), applied(daemon_set("v2", &json!({}), &limits)));
    let summary = world.run_to_end();
    assert_eq!(summary.ending, Some(Ending::Complete));
    assert_eq!(creations(&world), [(10, 1), (20, 1)], "w1 and w2, one after the other");
    assert_eq!(deletions(&world), [(10, 2), (20, 1), (30, 1)], "m1 and m2 at once: four are available, two desired");
    let (first, last) = (counters_at(&world, 10), counters_at(&world, 1_000));
    assert_eq!((first.desired, first.misscheduled), (2, 2));
    assert_eq!((last.desired, last.up_to_date, last.misscheduled), (2, 2, 0));
    assert_eq!(tile_at(&world, "m1", 12), Tile::Misscheduled);
    assert_eq!(tile_at(&world, "m1", 1_000), Tile::NotEligible);
}

#[test]
fn a_rollback_restarts_only_what_was_updated_and_reuses_the_revision() {
    let options = options(10, 5);
    let (never_ready, healthy) = (Behaviour::never_ready(&options.latencies), Behaviour::healthy(&options.latencies));
    let mut world = World::settled(agent("v1"), nodes(3), options);
    let untouched = live_pods(&world)[1..].to_vec();
    world.schedule(seconds(10), everywhere(never_ready));
    world.schedule(seconds(10), applied(agent("v2")));
    world.schedule(seconds(60), everywhere(healthy));
    world.schedule(seconds(60), applied(agent("v1")));
    let summary = world.run_to_end();
    assert_eq!(summary.ending, Some(Ending::Complete));
    assert_eq!(deletions(&world), [(10, 1), (60, 1)]);
    assert_eq!(counters_at(&world, 60).up_to_date, 2);
    assert_eq!(live_pods(&world)[1..], untouched);
    let mut numbers: Vec<i64> = world.revisions().iter().map(|revision| revision.revision).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, [2, 3]);
}

#[test]
fn surge_with_a_host_port_never_moves() {
    let ports = json!({"containers": [{"name": "main", "ports": [{"containerPort": 80, "hostPort": 8080}]}]});
    let mut world = World::settled(surge("v1", &ports), nodes(2), options(10, 5));
    world.schedule(seconds(10), applied(surge("v2", &ports)));
    let summary = world.run_to_end();
    assert!(is_stuck(&summary), "{summary:?}");
    assert_eq!((creations(&world), deletions(&world)), (vec![(10, 1)], vec![]));
    let end = counters_at(&world, 1_000);
    assert_eq!((end.desired, end.up_to_date, end.available), (2, 0, 2));
    assert_eq!(tile_at(&world, "n1", 1_000), Tile::Surging);

    // Someone deletes the old pod by hand: one step, then the other node.
    let elapsed = world.elapsed().as_secs();
    world.schedule(seconds(elapsed + 100), deleted_on("n1"));
    let summary = world.run_to_end();
    assert!(is_stuck(&summary), "{summary:?}");
    let end = counters_at(&world, elapsed + 10_000);
    assert_eq!((end.desired, end.up_to_date, end.available), (2, 1, 2));
    assert_eq!(tile_at(&world, "n1", elapsed + 10_000), Tile::NewAvailable);
    assert_eq!(tile_at(&world, "n2", elapsed + 10_000), Tile::Surging);
}

#[test]
fn on_delete_waits_for_a_person() {
    let image = |image| {
        let mut daemon_set = agent(image);
        daemon_set.spec.update_strategy.strategy_type = rollcast_engine::api::UpdateStrategyType::OnDelete;
        daemon_set
    };
    let mut world = World::settled(image("v1"), nodes(2), options(10, 5));
    world.schedule(seconds(10), applied(image("v2")));
    world.schedule(seconds(20), deleted_on("n1"));
    let summary = world.run_to_end();
    assert_eq!((creations(&world), deletions(&world)), (vec![(25, 1)], vec![]));
    assert_eq!(counters_at(&world, 10).up_to_date, 0);
    assert_eq!(counters_at(&world, 100).up_to_date, 1);
    let Some(Ending::Stuck { waiting_on }) = summary.ending else { panic!("{summary:?}") };
    assert!(waiting_on.contains(&WaitingOn::Deletion { nodes: vec!["n2".into()], count: 1 }), "{waiting_on:?}");
}

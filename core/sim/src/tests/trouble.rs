use rollcast_engine::controller::Reason;

use super::*;

#[test]
fn failed_pods_are_deleted_and_retried_with_back_off() {
    let options = options(10, 5);
    let evicted = Behaviour { fails_after: Some(seconds(2).into()), ..Behaviour::never_ready(&options.latencies) };
    let cluster = vec![node("a"), tainted("b", "node.kubernetes.io/disk-pressure", "NoSchedule")];
    let mut world = World::settled(agent("v1"), cluster, options);
    world.apply(ScenarioEvent::Behave { nodes: NodeSelection::Named(vec!["b".into()]), behaviour: evicted }).unwrap();
    world.apply(ScenarioEvent::FailPods(on_node("b"))).unwrap();
    let summary = world.run_to_end();

    assert!(matches!(summary.ending, Some(Ending::Endless { .. })), "{summary:?}");
    let times: Vec<u64> = deletions(&world).into_iter().map(|(at, _)| at).collect();
    assert_eq!(times[0], 0, "the first one at once");
    let gaps: Vec<u64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let least = (0..).map(|doublings| (1_u64 << doublings).min(900));
    // The pod fails two seconds after it was made, and is looked at when the back-off that was asked for then is over.
    for (gap, least) in gaps.iter().zip(least) {
        assert!((least..=2 * least + 3).contains(gap), "{gap} s for a back-off of {least} s in {gaps:?}");
    }
    assert!(gaps.len() > 10, "no limit to the number of tries: {gaps:?}");
    let timeline = world.timeline();
    let reasons = (0..timeline.len()).flat_map(|moment| timeline.decisions(moment));
    assert!(
        reasons.filter(|group| group.kind == DecisionKind::DeletePod).all(|group| *group.reason == Reason::FailedPod)
    );
    assert_eq!(counters_at(&world, 5).desired, 2);
}

#[test]
fn a_new_generation_starts_a_fresh_back_off() {
    let options = options(10, 5);
    let fails = Behaviour { fails_after: Some(seconds(2).into()), ..Behaviour::never_ready(&options.latencies) };
    let mut world = World::settled(agent("v1"), nodes(1), options);
    world.apply(everywhere(fails)).unwrap();
    world.apply(ScenarioEvent::FailPods(on_node("n1"))).unwrap();
    world.run_until(seconds(3_000));
    world.schedule(seconds(3_001), everywhere(Behaviour::healthy(&options.latencies)));
    world.schedule(seconds(3_001), applied(agent("v2")));
    let summary = world.run_to_end();
    assert_eq!(summary.ending, Some(Ending::Complete));
    assert!(summary.completed_at.is_some_and(|at| at < seconds(3_100)), "{summary:?}");
}

#[test]
fn a_wedged_pod_holds_its_node_until_it_is_forced_away() {
    let mut world = World::settled(agent("v1"), nodes(2), options(10, 5));
    world.apply(ScenarioEvent::WedgePods(on_node("n1"))).unwrap();
    let (_, name) = live_pods(&world)[0].clone();
    world.apply(applied(agent("v2"))).unwrap();
    assert!(is_stuck(&world.run_to_end()));
    world.schedule(seconds(100), ScenarioEvent::DeletePods { pods: PodSelection::Named(name), force: true });
    let summary = world.run_to_end();
    assert_eq!(summary.ending, Some(Ending::Complete));
    assert_eq!(creations(&world), [(100, 1), (115, 1)]);
}

#[test]
fn a_node_that_comes_back_lets_its_pods_go_on() {
    let image = |image| daemon_set(image, &tolerant(), &json!({"maxUnavailable": 1}));
    let mut world = World::settled(image("v1"), nodes(2), options(10, 5));
    let ready = |ready| ScenarioEvent::SetNodeReady { node: "n1".into(), ready };
    world.schedule(seconds(10), applied(image("v2")));
    world.schedule(seconds(12), ready(ConditionStatus::Unknown));
    world.schedule(seconds(500), ready(ConditionStatus::True));
    let summary = world.run_to_end();
    assert_eq!(summary.ending, Some(Ending::Complete));
    assert_eq!(creations(&world)[0], (505, 1), "the old pod could stop");
    assert!(world.nodes().all(|node| node.spec.taints.is_empty()));
}

#[test]
fn pods_of_a_node_that_is_lost_for_a_while_are_ready_again_at_once() {
    let mut world = World::settled(agent("v1"), nodes(2), options(10, 5));
    let ready = |ready| ScenarioEvent::SetNodeReady { node: "n1".into(), ready };
    world.schedule(seconds(10), ready(ConditionStatus::Unknown));
    world.schedule(seconds(60), ready(ConditionStatus::True));
    world.schedule(seconds(100), ready(ConditionStatus::False));
    world.schedule(seconds(160), ready(ConditionStatus::True));
    let summary = world.run_to_end();
    assert_eq!(summary.ending, Some(Ending::Complete));
    assert_eq!(tile_at(&world, "n1", 30), Tile::Misscheduled, "not-ready nodes are not eligible without a toleration");
    assert_eq!(tile_at(&world, "n1", 60), Tile::NewAvailable);
    assert_eq!((creations(&world), deletions(&world)), (vec![], vec![]));
    assert_eq!(summary.fewest_available, 1);
}

#[test]
fn pods_that_lose_readiness_are_old_and_unavailable_to_the_next_update() {
    let mut world = World::settled(agent("v1"), nodes(3), options(10, 5));
    world.schedule(seconds(5), ScenarioEvent::SetPodsReady { pods: on_node("n3"), ready: false });
    world.schedule(seconds(10), applied(agent("v2")));
    let summary = world.run_to_end();
    assert_eq!(summary.ending, Some(Ending::Complete));
    let timeline = world.timeline();
    let first: Vec<u32> =
        timeline.decisions(timeline.moment_at(seconds(10)).unwrap()).flat_map(|group| group.nodes()).collect();
    assert_eq!(first, [2], "the broken one alone: it uses up the budget");
}

#[test]
fn what_cannot_be_done_is_refused_and_listed() {
    let mut world = World::settled(agent("v1"), nodes(1), options(10, 5));
    assert_eq!(world.apply(deleted_on("n7")), Err(EventRefusal::NoSuchNode("n7".into())));
    assert_eq!(world.apply(ScenarioEvent::AddNode(Box::new(node("n1")))), Err(EventRefusal::NodeExists("n1".into())));
    let mut other = agent("v2");
    other.spec.selector.match_labels = [("app", "other")].into_iter().collect();
    assert_eq!(world.apply(applied(other)), Err(EventRefusal::SelectorIsImmutable));
    let mut other = agent("v2");
    other.metadata.name = "elsewhere".into();
    assert_eq!(world.apply(applied(other)), Err(EventRefusal::OtherDaemonSet("elsewhere".into())));
    world.schedule(seconds(9), ScenarioEvent::RemoveNode("n8".into()));
    assert_eq!(world.run_to_end().ending, Some(Ending::Complete));
    assert_eq!(world.refusals().last(), Some(&(seconds(9), EventRefusal::NoSuchNode("n8".into()))));
    assert_eq!(world.refusals().len(), 5);
}

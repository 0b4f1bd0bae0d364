use rollcast_engine::api::Pod;

use super::*;

#[test]
fn the_measures_of_a_rolling_update_add_up() {
    let requests =
        json!({"containers": [{"name": "main", "resources": {"requests": {"cpu": "100m", "memory": "64Mi"}}}]});
    let image = |image| daemon_set(image, &requests, &json!({"maxUnavailable": 2}));
    let mut world = World::settled(image("v1"), nodes(4), options(10, 5));
    world.schedule(seconds(10), applied(image("v2")));
    let summary = world.run_to_end();
    let measures = world.measures();
    assert_eq!(measures.available_at_start, 4);
    assert_eq!(measures.gaps, [seconds(15); 4]);
    assert_eq!(measures.outage, seconds(60));
    assert_eq!(measures.gaps.last().copied(), summary.longest_gap.map(|gap| gap.length));
    assert_eq!(measures.extra, ExtraRequests::default(), "without surge nothing is asked for beyond the start");
    assert_eq!(measures.registry, RegistryLoad::default());
    // Four pods deleted and created, a revision, and the status whenever it changes.
    assert!((9..40).contains(&measures.api_writes), "{measures:?}");
}

#[test]
fn surge_asks_for_more_at_once_and_leaves_no_gap() {
    let requests =
        json!({"containers": [{"name": "main", "resources": {"requests": {"cpu": "100m", "memory": "64Mi"}}}]});
    let image = |image| daemon_set(image, &requests, &json!({"maxUnavailable": 0, "maxSurge": 2}));
    let mut world = World::settled(image("v1"), nodes(4), options(10, 5));
    world.schedule(seconds(10), applied(image("v2")));
    world.run_to_end();
    let measures = world.measures();
    // The next two start while the first two old ones are still terminating.
    assert_eq!(measures.extra, ExtraRequests { pods: 4, cpu_millis: 400, memory_bytes: 4 * (64 << 20) });
    assert_eq!((measures.gaps, measures.outage), (vec![], seconds(0)));
}

#[test]
fn a_gap_that_still_goes_on_counts() {
    let mut world = World::settled(agent("v1"), nodes(2), options(10, 5));
    world.schedule(seconds(10), ScenarioEvent::SetPodsReady { pods: on_node("n1"), ready: false });
    world.schedule(seconds(40), ScenarioEvent::SetPodsReady { pods: on_node("n2"), ready: false });
    world.schedule(seconds(60), deleted_on("n2"));
    world.run_until(seconds(60));
    let measures = world.measures();
    assert_eq!(measures.gaps, [seconds(20), seconds(50)]);
    assert_eq!(measures.outage, seconds(70));
}

#[test]
fn a_play_without_a_timeline_comes_to_the_same() {
    let play = |timeline| {
        let limits = json!("30%");
        let mut world =
            World::settled(max_unavailable("v1", &limits), nodes(20), Options { timeline, ..options(10, 5) });
        world.schedule(seconds(3), applied(max_unavailable("v2", &limits)));
        (world.run_to_end(), world.measures(), world.timeline().len())
    };
    let (summary, measures, moments) = play(true);
    assert!(moments > 5);
    assert_eq!(play(false), (summary, measures, 0));
}

#[test]
fn a_snapshot_says_why_a_pod_does_not_fit() {
    let big = json!({"containers": [{"name": "main", "resources": {"requests": {"cpu": "3"}}}]});
    let mut world = World::settled(surge("v1", &big), nodes(2), options(10, 5));
    world.schedule(seconds(10), applied(surge("v2", &big)));
    assert!(is_stuck(&world.run_to_end()));
    let snapshot = world.snapshot();
    assert_eq!((snapshot.daemon_sets.len(), snapshot.nodes.len(), snapshot.pods.len()), (1, 2, 3));
    let waiting: Vec<&Pod> = snapshot.pods.iter().filter(|pod| pod.spec.node_name.is_empty()).collect();
    assert_eq!(waiting.len(), 1);
    let condition = waiting[0].status.condition("PodScheduled").unwrap();
    assert_eq!(condition.reason, "Unschedulable");
    assert_eq!(
        condition.message,
        "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't satisfy plugin(s) [NodeAffinity]. preemption: \
         0/2 nodes are available: 1 No preemption victims found for incoming pod, 1 Preemption is not helpful for \
         scheduling."
    );
    let bound = snapshot.pods.iter().filter(|pod| !pod.spec.node_name.is_empty());
    assert_eq!(bound.filter(|pod| pod.status.condition("PodScheduled").is_some()).count(), 0);
}

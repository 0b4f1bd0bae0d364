use rollcast_engine::api::{Taint, TaintEffect};

use super::*;

fn taint(node: &str, key: &str, effect: TaintEffect) -> ScenarioEvent {
    ScenarioEvent::AddTaint { node: node.into(), taint: Taint { key: key.into(), value: Text::default(), effect } }
}

#[test]
fn a_taint_under_a_running_pod_shows_at_the_next_sync_and_one_that_evicts_at_once() {
    let mut world = World::settled(agent("v1"), ["a", "b", "c"].map(node).to_vec(), options(10, 5));
    world.schedule(seconds(10), taint("c", "blue-green", TaintEffect::NoSchedule));
    world.schedule(seconds(20), taint("b", "maintenance", TaintEffect::NoExecute));
    world.run_to_end();
    assert_eq!(columns(counters_at(&world, 10)), [3, 3, 3, 3, 3], "this alone triggers no sync");
    assert_eq!(tile_at(&world, "c", 10), Tile::Misscheduled);
    let (during, after) = (counters_at(&world, 20), counters_at(&world, 25));
    assert_eq!((columns(during), during.misscheduled), ([1, 1, 1, 1, 1], 2));
    assert_eq!((columns(after), after.misscheduled), ([1, 1, 1, 1, 1], 1));
    assert_eq!(deletions(&world), [(20, 1)]);

    // The one that may stay is not made again once it is gone.
    world.apply(deleted_on("c")).unwrap();
    world.run_to_end();
    assert_eq!(creations(&world), []);
    assert_eq!(live_pods(&world).len(), 1);
}

#[test]
fn a_pending_pod_of_a_node_that_is_gone_is_deleted_at_the_next_sync() {
    let mut full = node("gone");
    full.status.allocatable = serde_json::from_value(json!({"cpu": "4", "memory": "8Gi", "pods": "0"})).unwrap();
    let mut world = World::settled(agent("v1"), vec![node("a"), full], options(10, 5));
    world.schedule(seconds(5), ScenarioEvent::RemoveNode("gone".into()));
    world.schedule(seconds(30), deleted_on("a"));
    world.run_to_end();
    assert_eq!(columns(counters_at(&world, 5)), [2, 2, 1, 2, 1], "a vanished node triggers no sync");
    assert_eq!(deletions(&world)[0], (30, 1));
    let end = counters_at(&world, 1_000);
    assert_eq!((columns(end), end.misscheduled), ([1, 1, 1, 1, 1], 0));
    assert_eq!(tile_at(&world, "gone", 0), Tile::Pending);
    assert_eq!(tile_at(&world, "gone", 5), Tile::Gone);
}

#[test]
fn a_pod_without_room_waits_and_is_bound_when_there_is_some() {
    let asking = |image| {
        let containers = json!([{"name": "main", "resources": {"requests": {"cpu": "800m"}}}]);
        daemon_set(image, &json!({ "containers": containers }), &json!({"maxUnavailable": 1}))
    };
    let allocatable = |cpu: &str| serde_json::from_value(json!({"cpu": cpu, "memory": "2Gi", "pods": "110"})).unwrap();
    let mut small = node("small");
    small.status.allocatable = allocatable("500m");
    let mut world = World::settled(asking("v1"), vec![node("a"), small], options(10, 5));
    world.schedule(seconds(20), ScenarioEvent::SetAllocatable { node: "small".into(), allocatable: allocatable("1") });
    let summary = world.run_to_end();
    assert_eq!(columns(counters_at(&world, 19)), [2, 2, 1, 2, 1]);
    assert_eq!(tile_at(&world, "small", 19), Tile::Pending);
    assert_eq!(tile_at(&world, "small", 20), Tile::NewStarting);
    assert_eq!((summary.ending, summary.completed_at), (Some(Ending::Complete), Some(seconds(30))));
}

#[test]
fn nodes_that_join_get_a_pod_and_relabelled_ones_lose_theirs() {
    let blue = daemon_set("v1", &json!({"nodeSelector": {"color": "blue"}}), &json!({"maxUnavailable": 1}));
    let label = |name: &str, value: Option<&str>| ScenarioEvent::SetLabel {
        node: name.into(),
        key: "color".into(),
        value: value.map(Text::from),
    };
    let mut joining = node("late");
    joining.metadata.labels = joining.metadata.labels.with("color", "blue");
    let mut world = World::settled(blue, nodes(2), options(10, 5));
    world.schedule(seconds(10), label("n1", Some("blue")));
    world.schedule(seconds(50), label("n1", Some("green")));
    world.schedule(seconds(100), ScenarioEvent::AddNode(Box::new(joining)));
    let summary = world.run_to_end();
    assert_eq!(creations(&world), [(10, 1), (100, 1)]);
    assert_eq!(deletions(&world), [(50, 1)]);
    assert_eq!(tile_at(&world, "late", 99), Tile::Gone);
    assert_eq!(tile_at(&world, "late", 110), Tile::NewAvailable);
    assert_eq!((summary.ending, summary.eligible), (Some(Ending::Complete), 1));
}

#[test]
fn a_cordoned_node_keeps_getting_its_pod() {
    let mut world = World::settled(agent("v1"), nodes(2), options(10, 5));
    let cordon = |unschedulable| ScenarioEvent::SetUnschedulable { node: "n2".into(), unschedulable };
    world.schedule(seconds(10), cordon(true));
    world.schedule(seconds(30), deleted_on("n2"));
    world.schedule(seconds(100), cordon(false));
    assert_eq!(world.run_to_end().ending, Some(Ending::Complete));
    assert_eq!(creations(&world), [(35, 1)]);
    assert_eq!(counters_at(&world, 50).desired, 2);
    assert!(world.nodes().all(|node| !node.spec.unschedulable && node.spec.taints.is_empty()));
}

#[test]
fn a_template_that_keeps_away_from_its_own_kind_cannot_surge() {
    let against = json!({"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [
        {"labelSelector": {"matchLabels": {"app": "agent"}}, "topologyKey": "kubernetes.io/hostname"}]}});
    let spec = json!({ "affinity": against });
    let mut world = World::settled(surge("v1", &spec), nodes(2), options(10, 5));
    world.apply(applied(surge("v2", &spec))).unwrap();
    assert!(is_stuck(&world.run_to_end()));
    assert_eq!((creations(&world), deletions(&world)), (vec![(0, 1)], vec![]));

    let replaced = |image| daemon_set(image, &spec, &json!({"maxUnavailable": 1}));
    let mut world = World::settled(replaced("v1"), nodes(2), options(10, 5));
    world.apply(applied(replaced("v2"))).unwrap();
    assert_eq!(world.run_to_end().ending, Some(Ending::Complete));
}

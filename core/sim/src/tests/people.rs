//! What people do with kubectl.

use rollcast_engine::api::UpdateStrategyType;

use super::*;

fn on_delete(image: &str) -> DaemonSet {
    let mut daemon_set = agent(image);
    daemon_set.spec.update_strategy.strategy_type = UpdateStrategyType::OnDelete;
    daemon_set
}

/// The image that a world's DaemonSet asks for.
fn image(world: &World) -> Text {
    world.daemon_set().unwrap().spec.template.spec().containers[0].image.clone()
}

#[test]
fn undo_brings_the_revision_before_the_newest_back() {
    let mut world = World::settled(agent("v1"), nodes(3), options(10, 5));
    world.schedule(seconds(0), applied(agent("v2")));
    world.schedule(seconds(20), ScenarioEvent::Undo { to_revision: None });
    let summary = world.run_to_end();
    assert_eq!(summary.ending, Some(Ending::Complete));
    assert_eq!(image(&world), "registry.example/agent:v1");
    // The second pod was just gone and comes back old; the first one is replaced again; the third was never touched.
    assert_eq!(deletions(&world), [(0, 1), (15, 1), (30, 1)]);
    let daemon_set = world.daemon_set().unwrap();
    assert_eq!((daemon_set.metadata.generation, daemon_set.template_generation()), (3, Some(3)));
    let mut numbers: Vec<i64> = world.revisions().iter().map(|revision| revision.revision).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, [2, 3], "the old revision is numbered anew");
}

#[test]
fn undo_to_a_number_needs_that_number() {
    let mut world = World::settled(agent("v1"), nodes(1), options(10, 5));
    assert_eq!(world.apply(ScenarioEvent::Undo { to_revision: None }), Err(EventRefusal::NoEarlierRevision));
    for version in ["v2", "v3"] {
        world.apply(applied(agent(version))).unwrap();
        world.run_to_end();
    }
    assert_eq!(world.apply(ScenarioEvent::Undo { to_revision: Some(7) }), Err(EventRefusal::NoSuchRevision(7)));
    assert_eq!(world.apply(ScenarioEvent::Undo { to_revision: Some(3) }), Err(EventRefusal::AlreadyAtRevision(3)));
    world.apply(ScenarioEvent::Undo { to_revision: Some(1) }).unwrap();
    assert_eq!(world.run_to_end().ending, Some(Ending::Complete));
    assert_eq!(image(&world), "registry.example/agent:v1");
}

#[test]
fn a_restart_replaces_every_pod_within_the_budget() {
    let mut world = World::settled(max_unavailable("v1", &json!(2)), nodes(5), options(10, 5));
    world.schedule(seconds(7), ScenarioEvent::Restart);
    let summary = world.run_to_end();
    assert_eq!((summary.ending, summary.fewest_available), (Some(Ending::Complete), 3));
    assert_eq!(deletions(&world), [(7, 2), (22, 2), (37, 1)]);
    let annotations = world.daemon_set().unwrap().spec.template.annotations().clone();
    assert_eq!(annotations.get("kubectl.kubernetes.io/restartedAt").map(Text::as_str), Some("2023-11-14T22:13:27Z"));
}

#[test]
fn a_manifest_changed_midway_makes_what_was_just_updated_old() {
    let mut world = World::settled(agent("v1"), nodes(3), options(10, 5));
    world.schedule(seconds(0), applied(agent("v2")));
    world.schedule(seconds(22), applied(agent("v3")));
    let summary = world.run_to_end();
    assert_eq!(summary.ending, Some(Ending::Complete));
    // The second pod, still starting, goes at once; then the first one, of which an update was finished, and the third.
    assert_eq!(deletions(&world), [(0, 1), (15, 1), (22, 1), (37, 1), (52, 1)]);
    assert_eq!(image(&world), "registry.example/agent:v3");
}

#[test]
fn with_on_delete_a_person_goes_through_the_nodes_in_batches() {
    let mut world = World::settled(on_delete("v1"), nodes(5), options(10, 5));
    world.schedule(seconds(0), applied(on_delete("v2")));
    world.schedule(seconds(60), ScenarioEvent::DeleteOutdatedPods { at_once: 2 });
    let summary = world.run_to_end();
    assert_eq!((summary.ending, summary.fewest_available), (Some(Ending::Complete), 3));
    assert_eq!(creations(&world), [(65, 2), (80, 2), (95, 1)]);
    assert_eq!(deletions(&world), [], "the controller deletes nothing");
    assert_eq!(summary.completed_at, Some(seconds(105)));
}

#[test]
fn a_person_by_hand_waits_for_a_pod_that_is_never_ready_and_passes_over_dead_nodes() {
    let options = options(10, 5);
    let tolerant = |image| {
        let mut daemon_set = daemon_set(image, &tolerant(), &json!({}));
        daemon_set.spec.update_strategy.strategy_type = UpdateStrategyType::OnDelete;
        daemon_set
    };
    let cluster: Vec<Node> = nodes(3).into_iter().chain([dead("a-dead")]).collect();
    let mut world = World::settled(tolerant("v1"), cluster, options);
    let broken = ScenarioEvent::Behave {
        nodes: NodeSelection::Named(vec!["n2".into()]),
        behaviour: Behaviour::never_ready(&options.latencies),
    };
    world.schedule(seconds(0), broken);
    world.schedule(seconds(0), applied(tolerant("v2")));
    world.schedule(seconds(0), ScenarioEvent::DeleteOutdatedPods { at_once: 1 });
    assert!(is_stuck(&world.run_to_end()));
    assert_eq!(creations(&world), [(5, 1), (20, 1)], "n1, then n2, and n3 is left alone");
    world.schedule(seconds(1_000), ScenarioEvent::Heal(NodeSelection::All));
    world.run_to_end();
    assert_eq!(creations(&world).len(), 3);
    assert_eq!(tile_at(&world, "a-dead", 5_000), Tile::OldUnavailable);
}

#[test]
fn a_person_by_hand_can_cease() {
    let mut world = World::settled(on_delete("v1"), nodes(5), options(10, 5));
    world.schedule(seconds(0), applied(on_delete("v2")));
    world.schedule(seconds(0), ScenarioEvent::DeleteOutdatedPods { at_once: 1 });
    world.schedule(seconds(20), ScenarioEvent::DeleteOutdatedPods { at_once: 0 });
    assert!(is_stuck(&world.run_to_end()));
    assert_eq!(creations(&world), [(5, 1), (20, 1)]);
}

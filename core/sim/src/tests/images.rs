use super::*;

/// A second for one pull alone, ten at once for ten seconds.
fn images() -> Images {
    Images {
        bytes: 100_000_000,
        registry_bytes_per_second: 100_000_000,
        node_bytes_per_second: 100_000_000,
        ..Images::default()
    }
}

fn with(images: Images) -> Options {
    Options { images: Some(images), ..options(10, 5) }
}

fn rolled_out(options: Options, at_once: u32, count: u32) -> World {
    let image = |image| max_unavailable(image, &json!(at_once));
    let mut world = World::settled(image("v1"), nodes(count), options);
    world.schedule(seconds(0), applied(image("v2")));
    assert_eq!(world.run_to_end().ending, Some(Ending::Complete));
    world
}

#[test]
fn pulls_share_the_registry_equally() {
    let world = rolled_out(with(images()), 4, 4);
    // All four are deleted at once and gone after 5 s; their images come in 4 s, not in one.
    assert_eq!(world.summary().completed_at, Some(seconds(5 + 4 + 10)));
    let load = world.measures().registry;
    assert_eq!(load, RegistryLoad { peak_bytes_per_second: 100_000_000, total_bytes: 400_000_000 });
}

#[test]
fn a_nodes_own_connection_is_the_limit_where_the_registry_has_more() {
    let world = rolled_out(with(Images { registry_bytes_per_second: 10_000_000_000, ..images() }), 4, 4);
    assert_eq!(world.summary().completed_at, Some(seconds(5 + 1 + 10)));
    assert_eq!(world.measures().registry.peak_bytes_per_second, 400_000_000);
}

#[test]
fn pulls_that_come_and_go_keep_their_fair_share() {
    let mut world = World::settled(agent("v1"), nodes(2), with(Images { bytes: 400_000_000, ..images() }));
    world.schedule(seconds(0), applied(agent("v2")));
    // The other pod goes while the first pulls: 4 s alone, of which one is over when the second pull starts.
    world.schedule(seconds(1), deleted_on("n2"));
    world.run_to_end();
    // From 5 to 6 alone (100 MB), then shared: 300 MB of the first take until 12, the second has 100 MB left.
    assert_eq!(tile_at(&world, "n1", 21), Tile::NewStarting);
    assert_eq!(tile_at(&world, "n1", 22), Tile::NewAvailable);
    assert_eq!(tile_at(&world, "n2", 22), Tile::NewStarting);
    assert_eq!(tile_at(&world, "n2", 23), Tile::NewAvailable);
}

#[test]
fn more_pulls_than_the_registry_serves_at_once_wait_their_turn() {
    let shared = rolled_out(with(images()), 4, 4);
    let limited = rolled_out(with(Images { parallel_pulls: Some(1), ..images() }), 4, 4);
    assert_eq!(limited.summary().completed_at, shared.summary().completed_at);
    assert_eq!(tile_at(&limited, "n4", 18), Tile::NewStarting);
    let available = |world: &World, at| counters_at(world, at).new_available;
    assert_eq!([16, 17, 18, 19].map(|at| available(&limited, at)), [1, 2, 3, 4]);
    assert_eq!([16, 17, 18, 19].map(|at| available(&shared, at)), [0, 0, 0, 4]);
}

#[test]
fn an_image_that_the_node_holds_is_not_pulled_again() {
    let mut world = World::settled(agent("v1"), nodes(2), with(images()));
    let mut other_environment = agent("v1");
    let mut json = other_environment.spec.template.json().clone();
    json["spec"]["containers"][0]["env"] = json!([{"name": "A", "value": "1"}]);
    json["spec"]["containers"][0]["imagePullPolicy"] = json!("Always");
    other_environment.spec.template = rollcast_engine::api::PodTemplate::from_json(json).unwrap();
    world.schedule(seconds(0), applied(other_environment));
    assert_eq!(world.run_to_end().completed_at, Some(seconds(30)));
    assert_eq!(world.measures().registry, RegistryLoad::default());
}

#[test]
fn nodes_that_hold_the_image_from_the_start_pull_nothing() {
    let cached = rolled_out(with(Images { cached_permille: 1_000, ..images() }), 10, 10);
    assert_eq!(cached.measures().registry.total_bytes, 0);
    let half = rolled_out(with(Images { cached_permille: 500, ..images() }), 200, 200);
    let pulled = half.measures().registry.total_bytes / 100_000_000;
    assert!((70..130).contains(&pulled), "{pulled} of 200");
}

#[test]
fn several_images_of_a_pod_are_pulled_one_after_the_other() {
    let sidecar = json!({"containers": [{"name": "main"}, {"name": "side", "image": "registry.example/side:1"}]});
    let image = |image| daemon_set(image, &sidecar, &json!({"maxUnavailable": 1}));
    let snapshot = rollcast_engine::controller::Snapshot { nodes: nodes(1), ..Default::default() };
    let mut world = World::new(snapshot, image("v1").metadata.key(), with(images()));
    world.schedule(seconds(0), applied(image("v1")));
    assert_eq!(world.run_to_end().completed_at, Some(seconds(2 + 10)));
    assert_eq!(world.measures().registry.total_bytes, 200_000_000);
}

#[test]
fn a_stampede_is_the_same_in_turns_and_in_one_go() {
    let start = || {
        let images = Images { node_bytes_per_second: 7_777_777, registry_bytes_per_second: 33_333_333, ..images() };
        let image = |image| max_unavailable(image, &json!("30%"));
        let mut world = World::settled(image("v1"), nodes(40), Options { seed: 3, ..with(images) });
        world.apply(applied(image("v2"))).unwrap();
        world
    };
    let (mut whole, mut sliced) = (start(), start());
    whole.run_to_end();
    while sliced.run(1).partial {}
    assert_eq!((sliced.timeline(), sliced.measures()), (whole.timeline(), whole.measures()));
}

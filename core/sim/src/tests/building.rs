use rollcast_engine::controller::Snapshot;

use super::*;

/// What is built in slices of so many nodes and pods, and in how many.
fn in_slices(mut building: Building, budget: u32) -> (World, u32) {
    let mut slices = 1;
    while !building.run(budget) {
        slices += 1;
    }
    (building.finish(), slices)
}

fn said(world: &World) -> String {
    format!("{world:?}")
}

#[test]
fn a_world_is_the_same_however_it_is_sliced() {
    let options = Options { images: Some(Images::default()), ..options(10, 5) };
    let mut running = World::settled(max_unavailable("v1", &json!(2)), nodes(40), options);
    running.apply(applied(max_unavailable("v2", &json!(2)))).unwrap();
    running.run_until(seconds(33));
    let snapshot = running.snapshot();
    let key = agent("v1").metadata.key();
    let start = || Building::new(snapshot.clone(), key.clone(), options);
    let at_once = World::new(snapshot.clone(), key.clone(), options);
    for budget in [1, 7, 100] {
        let (mut world, slices) = in_slices(start(), budget);
        assert!(slices > 100 / budget, "{slices} slices of {budget}");
        assert_eq!(said(&world), said(&at_once), "slices of {budget}");
        assert_eq!(world.run_to_end(), at_once.clone().run_to_end());
    }
}

#[test]
fn a_settled_world_is_the_same_however_it_is_sliced() {
    let stranger: rollcast_engine::api::Pod = serde_json::from_value(json!({
        "metadata": {"name": "stranger", "namespace": "others", "uid": "stranger"},
        "spec": {"nodeName": "n7", "containers": [{"name": "main", "resources": {"requests": {"cpu": "4"}}}]},
    }))
    .unwrap();
    let agent = daemon_set(
        "v1",
        &json!({"containers": [{"name": "main", "resources": {"requests": {"cpu": "1"}}}]}),
        &json!({"maxUnavailable": 1}),
    );
    let event = applied(max_unavailable("v2", &json!(3)));
    let start = || {
        Building::settled_among(agent.clone(), nodes(40), vec![stranger.clone()], options(10, 5))
            .with_event(seconds(3), event.clone())
    };
    let mut at_once = World::settled_among(agent.clone(), nodes(40), vec![stranger.clone()], options(10, 5));
    at_once.schedule(seconds(3), event.clone());
    assert_eq!(at_once.pod_views().filter(|pod| pod.live).count(), 40);
    for budget in [1, 7, 100] {
        let (mut world, slices) = in_slices(start(), budget);
        assert!(slices > 100 / budget, "{slices} slices of {budget}");
        assert_eq!(said(&world), said(&at_once), "slices of {budget}");
        assert_eq!(world.run_to_end(), at_once.clone().run_to_end());
    }
}

#[test]
fn what_is_not_built_yet_is_built_at_the_end() {
    let start = || {
        Building::new(Snapshot { nodes: nodes(3), ..Snapshot::default() }, agent("v1").metadata.key(), options(1, 1))
    };
    let mut begun = start();
    assert!(!begun.run(2));
    assert_eq!(said(&begun.finish()), said(&start().finish()));
}

use super::*;

#[test]
fn a_settled_world_has_nothing_to_do() {
    let mut world = World::settled(agent("v1"), nodes(3), options(10, 5));
    let summary = world.run_to_end();
    assert_eq!((&summary.ending, summary.completed_at), (&Some(Ending::Complete), Some(seconds(0))));
    assert_eq!(columns(counters_at(&world, 0)), [3, 3, 3, 3, 3]);
    assert_eq!(world.timeline().len(), 1);
    assert_eq!((summary.fewest_available, summary.most_pods, summary.longest_gap), (3, 3, None));
}

#[test]
fn only_a_changed_template_is_rolled_out() {
    let mut world = World::settled(agent("v1"), nodes(3), options(10, 5));
    world.apply(applied(max_unavailable("v1", &json!(2)))).unwrap();
    let daemon_set = world.daemon_set().unwrap();
    assert_eq!((daemon_set.metadata.generation, daemon_set.template_generation()), (2, Some(1)));
    world.run_to_end();
    assert_eq!(deletions(&world), []);
    world.apply(applied(max_unavailable("v2", &json!(2)))).unwrap();
    let daemon_set = world.daemon_set().unwrap();
    assert_eq!((daemon_set.metadata.generation, daemon_set.template_generation()), (3, Some(2)));
    world.apply(applied(max_unavailable("v2", &json!(2)))).unwrap();
    assert_eq!(world.daemon_set().unwrap().metadata.generation, 3);
    assert_eq!(world.run_to_end().ending, Some(Ending::Complete));
    assert_eq!(world.daemon_set().unwrap().status.observed_generation, 3);
}

#[test]
fn a_template_written_differently_and_meant_the_same_is_no_change() {
    let mut world = World::settled(agent("v1"), nodes(1), options(10, 5));
    let mut same = agent("v1");
    let mut json = same.spec.template.json().clone();
    json["metadata"]["creationTimestamp"] = Value::Null;
    json["spec"]["initContainers"] = json!([]);
    same.spec.template = rollcast_engine::api::PodTemplate::from_json(json).unwrap();
    world.apply(applied(same)).unwrap();
    assert_eq!(world.daemon_set().unwrap().metadata.generation, 1);
}

#[test]
fn a_rollout_goes_on_from_a_dump_as_it_would_have_without() {
    let limits = |image| max_unavailable(image, &json!(2));
    let mut first = World::settled(limits("v1"), nodes(9), options(10, 5));
    first.apply(applied(limits("v2"))).unwrap();
    first.run_until(seconds(33));
    let later = Options { start: Timestamp::from_seconds(1_700_000_033), ..options(10, 5) };
    let mut second = World::new(first.snapshot(), agent("v1").metadata.key(), later);
    let (first_end, second_end) = (first.run_to_end(), second.run_to_end());
    assert_eq!(first_end.ending, Some(Ending::Complete));
    assert_eq!(second_end.ending, Some(Ending::Complete));
    // Whole steps of the first from second 33 on are those of the second, 33 seconds earlier.
    let rest: Vec<_> = deletions(&first).into_iter().filter(|(at, _)| *at > 33).map(|(at, n)| (at - 33, n)).collect();
    assert_eq!(deletions(&second), rest);
    assert_eq!(second_end.completed_at, first_end.completed_at.and_then(|at| at.checked_sub(seconds(33))));
}

#[test]
fn pods_that_had_their_time_stay_as_they_are() {
    let mut world = World::settled(agent("v1"), nodes(2), options(10, 5));
    world.apply(ScenarioEvent::SetPodsReady { pods: on_node("n1"), ready: false }).unwrap();
    world.apply(deleted_on("n2")).unwrap();
    let later = Options { start: Timestamp::from_seconds(1_700_001_000), ..options(10, 5) };
    let mut world = World::new(world.snapshot(), agent("v1").metadata.key(), later);
    let summary = world.run_to_end();
    assert!(is_stuck(&summary), "{summary:?}");
    assert_eq!(tile_at(&world, "n1", 0), Tile::NewStarting, "crashing for long");
    assert_eq!(tile_at(&world, "n2", 0), Tile::Terminating, "wedged for long");
}

#[test]
fn orphans_of_the_same_template_are_adopted_and_not_restarted() {
    let mut world = World::settled(agent("v1"), nodes(3), options(10, 5));
    let before = live_pods(&world);
    world.schedule(seconds(10), ScenarioEvent::DeleteDaemonSet(Cascade::Orphan));
    world.schedule(seconds(20), applied(agent("v1")));
    let summary = world.run_to_end();
    assert_eq!(summary.ending, Some(Ending::Complete));
    assert_eq!(live_pods(&world), before);
    assert_eq!(counters_at(&world, 20).up_to_date, 3);
    assert_eq!(world.revisions().len(), 1);
    assert!(world.pods().all(|pod| pod.metadata.controller_owner().is_some()));
}

#[test]
fn adopted_pods_of_another_template_go_one_by_one_unless_their_generation_deceives() {
    // The first template was never changed: its generation is 1, and so is that of the new object.
    let mut world = World::settled(agent("v1"), nodes(3), options(10, 5));
    world.schedule(seconds(10), ScenarioEvent::DeleteDaemonSet(Cascade::Orphan));
    world.schedule(seconds(20), applied(agent("v2")));
    world.run_to_end();
    assert_eq!(deletions(&world), []);
    assert_eq!(counters_at(&world, 1_000).up_to_date, 3);

    let mut world = World::settled(agent("v0"), nodes(3), options(10, 5));
    world.apply(applied(agent("v1"))).unwrap();
    world.run_to_end();
    let start = world.elapsed().as_secs();
    world.schedule(seconds(start + 10), ScenarioEvent::DeleteDaemonSet(Cascade::Orphan));
    world.schedule(seconds(start + 20), applied(agent("v2")));
    let summary = world.run_to_end();
    assert_eq!(summary.ending, Some(Ending::Complete));
    let replaced: Vec<_> = deletions(&world).into_iter().filter(|(at, _)| *at > start).collect();
    assert_eq!(replaced, [(start + 20, 1), (start + 35, 1), (start + 50, 1)]);
}

#[test]
fn a_daemon_set_deleted_and_made_again_runs_beside_what_is_terminating() {
    let mut world = World::settled(agent("v1"), nodes(2), options(10, 60));
    world.schedule(seconds(0), ScenarioEvent::DeleteDaemonSet(Cascade::Background));
    world.schedule(seconds(1), applied(agent("v1")));
    world.run_until(seconds(30));
    assert_eq!(world.pods().count(), 4);
    assert_eq!(columns(counters_at(&world, 30)), [2, 2, 2, 2, 2]);
    world.run_to_end();
    assert_eq!(world.pods().count(), 2);
    assert_eq!(creations(&world), [(1, 2)]);
}

#[test]
fn a_foreground_deletion_ends_with_the_last_pod() {
    let mut world = World::settled(agent("v1"), nodes(2), options(10, 60));
    world.schedule(seconds(10), ScenarioEvent::DeleteDaemonSet(Cascade::Foreground));
    world.run_until(seconds(30));
    assert!(world.daemon_set().is_some_and(|daemon_set| daemon_set.metadata.is_being_deleted()));
    let summary = world.run_to_end();
    assert_eq!(summary.ending, Some(Ending::NoDaemonSet));
    assert_eq!((world.elapsed(), world.pods().count(), world.revisions().len()), (seconds(70), 0, 0));
}

#[test]
fn a_play_in_turns_is_the_play_in_one_go() {
    let start = || {
        let mut world = World::settled(max_unavailable("v1", &json!("30%")), nodes(20), options(10, 5));
        world.apply(applied(max_unavailable("v2", &json!("30%")))).unwrap();
        world
    };
    let (mut whole, mut sliced) = (start(), start());
    whole.run_to_end();
    let mut turns = 0;
    loop {
        let progress = sliced.run(3);
        turns += 1;
        assert!(progress.done <= progress.total);
        if !progress.partial {
            assert_eq!(progress.done, 20);
            break;
        }
    }
    assert!(turns > 10);
    assert_eq!(sliced.timeline(), whole.timeline());
    assert_eq!(sliced.summary(), whole.summary());
}

//! The way between controller and API server, and the scheduler's pace.

use rollcast_engine::controller::Snapshot;

use super::*;

fn with(control_plane: ControlPlane) -> Options {
    Options { control_plane, ..options(10, 5) }
}

/// Nodes on which the DaemonSet is made at second 0.
fn fresh(count: u32, options: Options) -> World {
    let snapshot = Snapshot { nodes: nodes(count), ..Snapshot::default() };
    let mut world = World::new(snapshot, agent("v1").metadata.key(), options);
    world.apply(applied(agent("v1"))).unwrap();
    world
}

#[test]
fn the_batches_of_a_sync_follow_each_other_as_the_answers_come() {
    let latency = seconds(1).into();
    let mut world = fresh(15, with(ControlPlane { write_latency: latency, ..ControlPlane::default() }));
    assert_eq!(world.run_to_end().ending, Some(Ending::Complete));
    // The revision first, then slow start.
    assert_eq!(creations(&world), [(2, 1), (3, 2), (4, 4), (5, 8)]);
}

#[test]
fn the_clients_limit_sets_the_pace() {
    let mut world = fresh(200, with(ControlPlane::limited_as_upstream()));
    assert_eq!(world.run_to_end().ending, Some(Ending::Complete));
    let (mut sum, creations) = (0, creations(&world));
    for (at, count) in &creations {
        sum += count;
        assert!(u64::from(sum) <= 30 + 20 * (at + 1), "{creations:?}");
    }
    // 201 writes, the revision's among them: 171 beyond the burst, 20 a second.
    assert_eq!((sum, creations.last().map(|(at, _)| *at)), (200, Some(8)));
}

#[test]
fn without_delay_or_limit_worth_the_name_everything_is_as_in_the_ideal_world() {
    let image = |image| max_unavailable(image, &json!("20%"));
    let play = |control_plane| {
        let mut world = World::settled(image("v1"), nodes(25), with(control_plane));
        world.schedule(seconds(3), applied(image("v2")));
        world.schedule(seconds(30), ScenarioEvent::SetNodeReady { node: "n9".into(), ready: ConditionStatus::False });
        world.schedule(seconds(70), ScenarioEvent::SetNodeReady { node: "n9".into(), ready: ConditionStatus::True });
        let summary = world.run_to_end();
        (summary, creations(&world), deletions(&world), world.measures())
    };
    let ideal = play(ControlPlane::default());
    assert_eq!(ideal.0.ending, Some(Ending::Complete));
    assert_eq!(play(ControlPlane { qps: 1_000_000, burst: 1_000_000, ..ControlPlane::default() }), ideal);
}

#[test]
fn what_was_written_is_seen_later_and_expectations_cover_the_gap() {
    let image = |image| max_unavailable(image, &json!(3));
    let control_plane = ControlPlane { watch_delay: seconds(3).into(), ..ControlPlane::default() };
    let mut world = fresh(10, with(control_plane));
    world.run_until(seconds(4));
    assert_eq!(creations(&world), [(3, 10)], "seen after three seconds, and not made twice");
    world.run_to_end();
    let mut world = World::settled(image("v1"), nodes(9), with(control_plane));
    world.schedule(seconds(0), applied(image("v2")));
    let summary = world.run_to_end();
    assert_eq!((summary.ending, summary.fewest_available), (Some(Ending::Complete), 6));
    // 3 s until the change is seen; of every round, 3 s until the pods are seen gone, 3 s until they are seen ready.
    assert_eq!(deletions(&world), [(3, 3), (3 + 5 + 3 + 10 + 3, 3), (3 + 2 * 21, 3)]);
    assert_eq!(creations(&world), [(11, 3), (32, 3), (53, 3)]);
}

#[test]
fn answers_with_429_cost_time_and_writes_and_nothing_else() {
    let busy = ControlPlane { too_many_requests_permille: 300, ..ControlPlane::default() };
    let play = |control_plane| {
        let mut world = fresh(30, with(control_plane));
        let summary = world.run_to_end();
        assert_eq!(summary.ending, Some(Ending::Complete));
        (summary.completed_at.unwrap(), world.measures().api_writes, creations(&world))
    };
    let (ideal_end, ideal_writes, _) = play(ControlPlane::default());
    let (end, writes, creations) = play(busy);
    assert!(end > ideal_end && end < ideal_end + seconds(30), "{end:?} after {ideal_end:?}");
    assert!(writes > ideal_writes + 5, "{writes} after {ideal_writes}");
    assert_eq!(creations.iter().map(|(_, count)| count).sum::<u32>(), 30);
}

#[test]
fn the_scheduler_looks_at_so_many_pods_a_second() {
    let slow =
        ControlPlane { scheduling_delay: seconds(1).into(), scheduler_pods_per_second: 2, ..ControlPlane::default() };
    let mut world = fresh(10, with(slow));
    let summary = world.run_to_end();
    // Bound after 1, 1.5, …, 5.5 s.
    assert_eq!(summary.completed_at, Some(Duration::from_millis(15_500)));
    assert_eq!(counters_at(&world, 12).new_available, 3);
}

#[test]
fn faults_of_the_api_delay_and_never_double_a_pod() {
    let image = |image| max_unavailable(image, &json!(4));
    let faulty = ControlPlane {
        write_latency: Distribution::Uniform { least: Duration::from_millis(5), most: seconds(2) },
        watch_delay: Distribution::Uniform { least: Duration::ZERO, most: seconds(3) },
        rejected_permille: 100,
        lost_done_permille: 60,
        lost_undone_permille: 60,
        qps: 20,
        burst: 30,
        ..ControlPlane::default()
    };
    for seed in 0..40 {
        let mut world = World::settled(image("v1"), nodes(12), Options { seed, ..with(faulty) });
        world.schedule(seconds(0), applied(image("v2")));
        for minute in 1..20 {
            world.run_until(seconds(60 * minute));
            let mut live = live_pods(&world);
            let all = live.len();
            live.dedup_by(|later, earlier| later.0 == earlier.0);
            assert_eq!(live.len(), all, "two live pods on one node with seed {seed}");
        }
        world.schedule(seconds(1_300), ScenarioEvent::SetControlPlane(ControlPlane::default()));
        assert_eq!(world.run_to_end().ending, Some(Ending::Complete), "seed {seed}");
    }
}

#[test]
fn what_a_controller_sent_before_its_end_still_happens() {
    let control_plane = ControlPlane { write_latency: seconds(5).into(), ..ControlPlane::default() };
    for at in 0..60 {
        let mut world = World::settled(max_unavailable("v1", &json!(2)), nodes(4), with(control_plane));
        world.schedule(seconds(0), applied(max_unavailable("v2", &json!(2))));
        world.schedule(seconds(at), ScenarioEvent::RestartController { lasts: seconds(2) });
        let summary = world.run_to_end();
        assert_eq!(summary.ending, Some(Ending::Complete), "restarted at {at}");
        assert_eq!(creations(&world).iter().map(|(_, count)| count).sum::<u32>(), 4, "restarted at {at}");
    }
}

#[test]
fn a_slow_control_plane_plays_the_same_in_turns() {
    let slow = ControlPlane {
        write_latency: Distribution::LogNormal { median: Duration::from_millis(20), p95: Duration::from_millis(300) },
        watch_delay: Distribution::Uniform { least: Duration::ZERO, most: Duration::from_millis(500) },
        too_many_requests_permille: 20,
        rejected_permille: 20,
        lost_done_permille: 20,
        lost_undone_permille: 20,
        ..ControlPlane::limited_as_upstream()
    };
    let start = |seed| {
        let mut world = World::settled(max_unavailable("v1", &json!("30%")), nodes(30), Options { seed, ..with(slow) });
        world.apply(applied(max_unavailable("v2", &json!("30%")))).unwrap();
        world
    };
    let (mut whole, mut sliced, mut other) = (start(1), start(1), start(2));
    whole.run_to_end();
    while sliced.run(1).partial {}
    assert_eq!((sliced.timeline(), sliced.measures()), (whole.timeline(), whole.measures()));
    other.run_to_end();
    assert_ne!(other.timeline(), whole.timeline());
}

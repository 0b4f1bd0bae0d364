//! Forecasts, comparisons and advice: known numbers, and answers that do not depend on how they were computed.

use std::time::Duration;

use rollcast_core::api::{ConditionStatus, IntOrString, UpdateStrategy};
use rollcast_core::controller::Snapshot;
use rollcast_core::decision::WaitingOn;
use rollcast_core::forecast::{
    Advice, Advising, Bound, Comparing, Comparison, Deadline, EndingKind, Forecast, Forecasting, Found, Ground,
    Question, Sample, Setting, Slices, WaitsFor,
};
use rollcast_core::scenario::{Measured, Scenario, Sources, Start, read_scenario};
use rollcast_core::sim::{Behaviour, Distribution, Images, Latencies, NodeSelection, Options, ScenarioEvent};
use rollcast_tests::cluster::{START, agent, agent_with, nodes, on_delete, surge, unavailable, with_image};
use serde_json::json;

const READY: Duration = Duration::from_secs(20);
const GONE: Duration = Duration::from_secs(4);

/// An update of `agent` on so many nodes: 24 seconds a pod, 20 of them until it is ready.
fn update(count: usize, strategy: UpdateStrategy) -> Scenario {
    let mut before = agent();
    before.spec.update_strategy = strategy;
    let after = with_image(before.clone(), "v2");
    let latencies = Latencies { pod_ready_after: READY.into(), pod_gone_after: GONE.into(), ..Latencies::default() };
    Scenario {
        daemon_set: before.metadata.key(),
        cluster: Snapshot { daemon_sets: vec![before], nodes: nodes(count), ..Snapshot::default() },
        start: Start::Settled,
        options: Options { latencies, ..Options::starting_at(START) },
        sources: Sources::default(),
        measured: Measured::default(),
        events: vec![(Duration::ZERO, ScenarioEvent::Apply(Box::new(after)))],
    }
}

/// The same with times that differ from pod to pod and seed to seed.
fn uncertain(count: usize, strategy: UpdateStrategy) -> Scenario {
    let mut scenario = update(count, strategy);
    scenario.options.latencies.pod_ready_after =
        Distribution::LogNormal { median: READY, p95: Duration::from_secs(70) };
    scenario.options.latencies.pod_gone_after = Distribution::Uniform { least: GONE, most: 3 * GONE };
    scenario
}

/// Plays a question batch by batch, each from its last play to its first.
fn backwards(question: &mut dyn Question) {
    while let Some(batch) = question.batch() {
        let mut samples: Vec<Sample> = (0..batch.plays()).rev().map(|number| batch.play(number)).collect();
        samples.reverse();
        question.take(samples);
    }
}

/// Plays a question in slices of so many events.
fn sliced(question: &mut dyn Question, budget: u32) {
    let mut slices = Slices::default();
    while slices.run(question, budget).partial {}
}

fn forecast(scenario: &Scenario, seeds: u32) -> Forecast {
    let mut forecasting = Forecasting::new(&Ground::new(scenario), seeds);
    backwards(&mut forecasting);
    forecasting.answer().clone()
}

fn compare(scenario: &Scenario, settings: Vec<Setting>) -> Comparison {
    let mut comparing = Comparing::new(Ground::new(scenario), settings, 3);
    backwards(&mut comparing);
    comparing.answer().clone()
}

fn advise(scenario: &Scenario, within: Duration, waits_for: WaitsFor) -> Advice {
    let deadline = Deadline::new(within, waits_for).unwrap();
    let mut advising = Advising::new(Ground::new(scenario), deadline, 5);
    backwards(&mut advising);
    advising.answer().clone()
}

fn p95(forecast: &Forecast) -> Duration {
    forecast.finish.expect("it finishes").p95
}

fn limit(found: &Found) -> Option<u32> {
    found.answer().and_then(|trial| trial.nodes)
}

#[test]
fn two_hundred_and_fifty_nodes_one_at_a_time_take_a_hundred_minutes() {
    assert_eq!(p95(&forecast(&update(250, unavailable(1)), 100)), Duration::from_mins(100));
    assert_eq!(p95(&forecast(&update(250, unavailable(10)), 100)), Duration::from_mins(10));
    assert_eq!(p95(&forecast(&update(250, unavailable("10%")), 100)), Duration::from_mins(4));
}

#[test]
fn fifteen_nodes_of_25_seconds_each_miss_a_timeout_of_300() {
    let mut scenario = update(15, unavailable(1));
    scenario.options.latencies.pod_gone_after = Duration::from_secs(5).into();
    for (waits_for, after) in [(WaitsFor::Rollout, 375), (WaitsFor::Helm3, 355)] {
        let advice = advise(&scenario, Duration::from_mins(5), waits_for);
        assert!(!advice.own_is_enough());
        assert_eq!(limit(&advice.max_unavailable), Some(2));
        let enough = advise(&scenario, Duration::from_secs(after), waits_for);
        assert!(enough.own_is_enough(), "{waits_for:?}");
        let short = advise(&scenario, Duration::from_secs(after - 1), waits_for);
        assert!(!short.own_is_enough(), "{waits_for:?}");
    }
}

#[test]
fn twenty_dead_nodes_of_288_block_at_15_when_tolerated_and_at_14_when_not() {
    let tolerations = json!([{"key": "node.kubernetes.io/unreachable", "operator": "Exists"}]);
    for (spec, limit, desired) in [(json!({"tolerations": tolerations}), 15, 288), (json!({}), 14, 268)] {
        let mut scenario = update(288, unavailable("5%"));
        let mut before = agent_with(spec);
        before.spec.update_strategy = unavailable("5%");
        let after = with_image(before.clone(), "v2");
        scenario.cluster.daemon_sets = vec![before];
        let dies = |number| ScenarioEvent::SetNodeReady {
            node: format!("node-{number}").into(),
            ready: ConditionStatus::Unknown,
        };
        scenario.events = (0..20).map(|number| (Duration::ZERO, dies(number))).collect();
        scenario.events.push((Duration::from_mins(1), ScenarioEvent::Apply(Box::new(after))));
        let forecast = forecast(&scenario, 3);
        assert_eq!((forecast.finished, forecast.finish), (0, None));
        let [group] = forecast.unfinished.as_slice() else { panic!("{:?}", forecast.unfinished) };
        assert_eq!(group.ending, EndingKind::Stuck);
        let WaitingOn::UnavailableBudget { unavailable, limit: found, desired: of, .. } = &group.waiting_on[0] else {
            panic!("{:?}", group.waiting_on)
        };
        assert_eq!((*unavailable, *found, *of), (20, limit, desired));
    }
}

#[test]
fn five_percent_of_three_nodes_is_one() {
    let one = compare(&update(3, unavailable(1)), vec![Setting::MaxUnavailable(IntOrString::String("5%".into()))]);
    let [own, percent] = one.rows.as_slice() else { panic!("{} rows", one.rows.len()) };
    assert!(own.own && !percent.own);
    assert_eq!(own.forecast, percent.forecast);
    assert_eq!(own.forecast.fewest_available.worst, 2);
}

#[test]
fn where_nothing_is_drawn_one_play_is_enough_and_says_so() {
    let certain = forecast(&update(10, unavailable(1)), 1_000);
    assert!(certain.deterministic);
    assert_eq!((certain.planned, certain.plays), (1, 1));
    let drawn = forecast(&uncertain(10, unavailable(1)), 30);
    assert!(!drawn.deterministic);
    assert_eq!((drawn.planned, drawn.plays), (30, 30));
    assert!(drawn.finish.is_some_and(|finish| finish.p50 < finish.p95 && finish.p95 <= finish.latest));
    let mut behaves = update(10, unavailable(1));
    let spread = Distribution::Uniform { least: READY, most: 2 * READY };
    let behaviour = Behaviour { ready_after: Some(spread), ..Behaviour::healthy(&behaves.options.latencies) };
    behaves.events.insert(0, (Duration::ZERO, ScenarioEvent::Behave { nodes: NodeSelection::All, behaviour }));
    assert!(!Ground::new(&behaves).is_deterministic());
}

#[test]
fn an_answer_does_not_depend_on_how_its_plays_were_played() {
    let scenario = uncertain(40, unavailable("10%"));
    let ground = Ground::new(&scenario);
    let forecasting = |play: &dyn Fn(&mut dyn Question)| {
        let mut question = Forecasting::new(&ground, 12);
        play(&mut question);
        question.answer().clone()
    };
    let whole = forecasting(&|question| backwards(question));
    assert_eq!(whole.plays, 12);
    assert_eq!(forecasting(&|question| sliced(question, 7)), whole);
    assert_eq!(forecasting(&|question| sliced(question, u32::MAX)), whole);
    let mut in_slices = Comparing::new(ground.clone(), Setting::usual(), 2);
    let mut at_once = in_slices.clone();
    sliced(&mut in_slices, 50);
    backwards(&mut at_once);
    assert_eq!(in_slices.answer(), at_once.answer());
    let deadline = Deadline::new(Duration::from_mins(4), WaitsFor::Rollout).unwrap();
    let mut in_slices = Advising::new(ground, deadline, 4);
    let mut at_once = in_slices.clone();
    sliced(&mut in_slices, 50);
    backwards(&mut at_once);
    assert_eq!(in_slices.answer(), at_once.answer());
}

#[test]
fn what_was_played_until_an_interruption_is_an_answer() {
    let ground = Ground::new(&uncertain(20, unavailable(2)));
    let mut forecasting = Forecasting::new(&ground, 50);
    let mut slices = Slices::default();
    let progress = loop {
        let progress = slices.run(&mut forecasting, 500);
        if progress.done == 7 {
            break progress;
        }
    };
    assert_eq!((progress.total, progress.partial), (50, true));
    slices.interrupt(&mut forecasting);
    let answer = forecasting.answer();
    assert_eq!((answer.plays, answer.planned), (7, 50));
    assert!(forecasting.batch().is_none());
    let seven = forecast(&uncertain(20, unavailable(2)), 7);
    assert_eq!(answer.finish, seven.finish);
}

#[test]
fn deletion_by_hand_goes_on_when_a_batch_is_available() {
    let by_hand = Setting::OnDelete { batch: IntOrString::Int(5) };
    let comparison = compare(&update(20, on_delete()), vec![by_hand, Setting::MaxUnavailable(IntOrString::Int(5))]);
    let [own, by_hand, in_place] = comparison.rows.as_slice() else { panic!("{} rows", comparison.rows.len()) };
    assert!(own.own && own.forecast.finish.is_none(), "nobody deletes the old pods");
    assert!(matches!(own.forecast.unfinished[0].waiting_on[0], WaitingOn::Deletion { count: 20, .. }));
    assert_eq!(p95(&by_hand.forecast), Duration::from_secs(96));
    assert_eq!(p95(&by_hand.forecast), p95(&in_place.forecast));
    assert_eq!(by_hand.forecast.fewest_available.worst, 15);
}

#[test]
fn deletion_by_hand_stops_at_a_batch_that_does_not_become_available() {
    let mut scenario = update(10, unavailable(1));
    let behaviour = Behaviour::never_ready(&scenario.options.latencies);
    let nodes = NodeSelection::Named(vec!["node-3".into()]);
    scenario.events.insert(0, (Duration::ZERO, ScenarioEvent::Behave { nodes, behaviour }));
    let comparison = compare(&scenario, vec![Setting::OnDelete { batch: IntOrString::Int(2) }]);
    let by_hand = &comparison.rows[1].forecast;
    assert_eq!(by_hand.finish, None);
    assert_eq!(by_hand.fewest_available.worst, 8);
    assert!(matches!(by_hand.unfinished[0].waiting_on[0], WaitingOn::NewPods { count: 1, .. }));
}

#[test]
fn a_surge_that_needs_the_old_pods_port_deadlocks_and_the_others_do_not() {
    let mut scenario = update(8, unavailable(1));
    let container = json!({"name": "main", "image": "i", "ports": [{"containerPort": 80, "hostPort": 80}]});
    let before = agent_with(json!({"containers": [container]}));
    let after = with_image(before.clone(), "v2");
    scenario.cluster.daemon_sets = vec![before];
    scenario.events = vec![(Duration::ZERO, ScenarioEvent::Apply(Box::new(after)))];
    for row in compare(&scenario, Setting::usual()).rows {
        let blocked = matches!(row.setting, Setting::MaxSurge(_));
        assert_eq!(row.forecast.finish.is_none(), blocked, "{:?}", row.setting);
    }
    let advice = advise(&scenario, Duration::from_mins(2), WaitsFor::Rollout);
    assert_eq!(limit(&advice.max_unavailable), Some(2));
    assert!(matches!(advice.max_surge, Found::Nothing { bound: Bound::NeverFinishes { unfinished: 1, .. }, .. }));
}

#[test]
fn advice_is_the_smallest_limit_and_one_less_was_played() {
    let scenario = uncertain(60, unavailable(1));
    let within = Duration::from_mins(10);
    let advice = advise(&scenario, within, WaitsFor::Rollout);
    for (found, strategy) in [
        (&advice.max_unavailable, unavailable as fn(u32) -> UpdateStrategy),
        (&advice.max_surge, surge as fn(u32) -> UpdateStrategy),
    ] {
        let Found::Limit { answer, below, percent } = found else { panic!("{found:?}") };
        let nodes = answer.nodes.unwrap();
        assert!(nodes > 1 && percent.nodes >= nodes);
        let below = below.as_ref().unwrap();
        assert_eq!((below.nodes, below.met < below.plays), (Some(nodes - 1), true));
        assert!(p95(&forecast(&uncertain(60, strategy(nodes)), 5)) <= within);
        assert!(p95(&forecast(&uncertain(60, strategy(nodes - 1)), 5)) > within);
    }
    assert_eq!(advice.recommended().map(|trial| &trial.setting), advice.max_surge.answer().map(|trial| &trial.setting));
}

#[test]
fn where_no_setting_is_enough_advice_says_what_bounds_it() {
    let mut slow = update(30, unavailable(1));
    let ScenarioEvent::Apply(after) = &mut slow.events[0].1 else { panic!("an apply") };
    after.spec.min_ready_seconds = 600;
    let within = Duration::from_mins(5);
    let advice = advise(&slow, within, WaitsFor::Rollout);
    assert!(advice.recommended().is_none());
    let Found::Nothing { bound: Bound::OnePod { gone, pulls, ready, min_ready }, at_most } = &advice.max_unavailable
    else {
        panic!("{:?}", advice.max_unavailable)
    };
    assert_eq!((*gone, *pulls, *ready, *min_ready), (GONE, Duration::ZERO, READY, Duration::from_mins(10)));
    assert_eq!(at_most.nodes, Some(30));
    // Helm 3 does not wait for minReadySeconds, but the controller does.
    let helm = advise(&slow, within, WaitsFor::Helm3);
    assert_eq!(limit(&helm.max_unavailable), Some(30));

    let mut dead = update(30, unavailable(1));
    let behaviour = Behaviour::never_ready(&dead.options.latencies);
    let nodes = NodeSelection::Named(vec!["node-7".into()]);
    dead.events.insert(0, (Duration::ZERO, ScenarioEvent::Behave { nodes, behaviour }));
    let advice = advise(&dead, Duration::from_hours(1), WaitsFor::Rollout);
    for found in [&advice.max_unavailable, &advice.max_surge] {
        let Found::Nothing { bound: Bound::NeverFinishes { waiting_on, .. }, .. } = found else { panic!("{found:?}") };
        assert!(matches!(&waiting_on[0], WaitingOn::NewPods { count: 1, .. }), "{waiting_on:?}");
    }
}

#[test]
fn a_registry_that_is_too_slow_bounds_a_deadline() {
    let mut scenario = update(30, unavailable(1));
    // Thirty images of 100 MB at 1 MB a second.
    let images = Images { bytes: 100_000_000, registry_bytes_per_second: 1_000_000, ..Images::default() };
    scenario.options.images = Some(images);
    let advice = advise(&scenario, Duration::from_mins(30), WaitsFor::Rollout);
    let Found::Nothing { bound: Bound::Registry { bytes, least, .. }, at_most } = &advice.max_unavailable else {
        panic!("{:?}", advice.max_unavailable)
    };
    assert_eq!((*bytes, *least), (3_000_000_000, Duration::from_mins(50)));
    let load = at_most.forecast.as_ref().unwrap().registry;
    assert_eq!((load.total_bytes, load.peak_bytes_per_second), (3_000_000_000, 1_000_000));
}

#[test]
fn the_pull_of_its_image_is_part_of_what_one_pod_takes() {
    let mut scenario = update(30, unavailable(1));
    // 100 MB at 1 MB a second to each node, whatever the registry has: 100 seconds.
    scenario.options.images =
        Some(Images { bytes: 100_000_000, node_bytes_per_second: 1_000_000, ..Images::default() });
    let advice = advise(&scenario, Duration::from_secs(123), WaitsFor::Rollout);
    let Found::Nothing { bound, at_most } = &advice.max_unavailable else { panic!("{:?}", advice.max_unavailable) };
    let pulls = Duration::from_secs(100);
    assert_eq!(*bound, Bound::OnePod { gone: GONE, pulls, ready: READY, min_ready: Duration::ZERO });
    assert_eq!(p95(at_most.forecast.as_ref().unwrap()), GONE + pulls + READY);
    // With surge the old pod goes last, and its node counts as updated from then on.
    let Found::Nothing { bound: with_surge, .. } = &advice.max_surge else { panic!("{:?}", advice.max_surge) };
    assert_eq!(with_surge, bound);
    let enough = advise(&scenario, Duration::from_secs(124), WaitsFor::Rollout);
    assert_eq!((limit(&enough.max_unavailable), limit(&enough.max_surge)), (Some(30), Some(30)));
}

#[test]
fn a_stampede_takes_as_long_as_the_registry_however_many_nodes_go_at_once() {
    let (scenario, problems) = read_scenario(include_bytes!("../scenarios/stampede.yaml"));
    assert_eq!(problems, []);
    let mut scenario = scenario.unwrap();
    let stampede = forecast(&scenario, 5);
    // 300 images of 900 MB at 200 MB a second: 22 and a half minutes.
    let load = stampede.registry;
    assert_eq!((load.total_bytes, load.peak_bytes_per_second), (270_000_000_000, 200_000_000));
    let least = Duration::from_secs(22 * 60 + 30);
    assert!((least..least + Duration::from_mins(2)).contains(&p95(&stampede)), "{:?}", p95(&stampede));
    // 99 pulls together: 99 × 900 MB at 200 MB a second, 445.5 seconds, against 9 alone.
    assert!(stampede.gaps.percentile(50).unwrap() > Duration::from_mins(7));
    assert_eq!(scenario.options.images.unwrap().time_alone(), Duration::from_secs(9));
    let ScenarioEvent::Apply(change) = &mut scenario.events[0].1 else { panic!("an apply") };
    change.spec.update_strategy = unavailable("10%");
    let calmer = forecast(&scenario, 5);
    assert!(p95(&calmer) < p95(&stampede) + Duration::from_mins(2), "a tenth at a time takes hardly longer");
    assert!(calmer.gaps.percentile(50).unwrap() < Duration::from_mins(3));
}

#[test]
fn odds_make_plays_differ() {
    let mut scenario = update(6, unavailable(6));
    let odd = |permille| {
        let behaviour = Behaviour::never_ready(&Latencies::default()).for_permille(permille);
        (Duration::ZERO, ScenarioEvent::Behave { nodes: NodeSelection::All, behaviour })
    };
    scenario.events.insert(0, odd(100));
    let forecast = forecast(&scenario, 40);
    assert!(!forecast.deterministic && (1..40).contains(&forecast.finished), "{}", forecast.finished);
    assert_eq!(forecast.unfinished.iter().map(|group| group.plays).sum::<u32>(), 40 - forecast.finished);
    scenario.events[0] = odd(1000);
    assert!(Ground::new(&scenario).is_deterministic(), "all of them is no odds");
    scenario.options.images = Some(Images { cached_permille: 300, ..Images::default() });
    assert!(!Ground::new(&scenario).is_deterministic());
}

#[test]
fn a_change_that_comes_later_is_timed_from_then_on() {
    let mut late = update(10, unavailable(1));
    late.events[0].0 = Duration::from_mins(30);
    assert_eq!(p95(&forecast(&late, 1)), Duration::from_mins(4));
    assert!(advise(&late, Duration::from_mins(4), WaitsFor::Rollout).own_is_enough());
}

#[test]
fn without_a_change_a_setting_is_what_is_changed() {
    let mut running = update(12, on_delete());
    running.events.clear();
    assert_eq!(p95(&forecast(&running, 1)), Duration::ZERO, "nothing is outdated");
    let comparison = compare(&running, vec![Setting::MaxUnavailable(IntOrString::Int(3))]);
    assert!(comparison.rows.iter().all(|row| row.forecast.finished == 1));
}

#[test]
fn surge_costs_requests_and_in_place_costs_availability() {
    let requests = json!({"requests": {"cpu": "100m", "memory": "64Mi"}});
    let container = json!({"name": "main", "image": "i", "resources": requests});
    let mut before = agent_with(json!({"containers": [container]}));
    before.spec.update_strategy = surge(5);
    let mut scenario = update(20, surge(5));
    let after = with_image(before.clone(), "v2");
    scenario.cluster.daemon_sets = vec![before];
    scenario.events = vec![(Duration::ZERO, ScenarioEvent::Apply(Box::new(after)))];
    let settings = vec![Setting::MaxSurge(IntOrString::Int(5)), Setting::MaxUnavailable(IntOrString::Int(5))];
    let comparison = compare(&scenario, settings);
    let [surge, in_place] = comparison.rows.as_slice() else { panic!("{} rows", comparison.rows.len()) };
    assert!(surge.own && !in_place.own);
    let (surge, in_place) = (&surge.forecast, &in_place.forecast);
    assert!(surge.extra.cpu_millis >= 500 && surge.extra.memory_bytes >= 5 * (64 << 20), "{:?}", surge.extra);
    assert_eq!((surge.fewest_available.worst, surge.outage.worst, surge.gaps.count()), (20, Duration::ZERO, 0));
    assert_eq!((in_place.extra.cpu_millis, in_place.extra.pods), (0, 0));
    assert_eq!((in_place.fewest_available.worst, in_place.gaps.count()), (15, 20));
    assert_eq!(in_place.outage.worst, 20 * (READY + GONE));
    assert_eq!(in_place.gaps.percentile(95), Some(READY + GONE));
}

//! Sentences that hold of every cluster and every history.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop_assert, prop_assert_eq, proptest};
use proptest::test_runner::TestCaseError;
use rollcast_core::api::{DaemonSetStatus, Pod, UpdateStrategyType};
use rollcast_core::controller::{Action, Change, Controller, ExpectationsMode, Reason, Snapshot, Step};
use rollcast_core::time::Timestamp;
use rollcast_tests::cells::{self, NOW, all_budgets, all_cells};
use rollcast_tests::decided::Decided;
use rollcast_tests::edits::{any_edit, edits, outside_edit};
use rollcast_tests::play::{Edit, Fate, Play};
use rollcast_tests::reference::{self, resolve};

fn configured(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// A cluster in some state: up to twelve cells under one budget.
fn worlds() -> impl Strategy<Value = Snapshot> {
    let cells = all_cells();
    let budgets = all_budgets();
    (proptest::collection::vec(0..cells.len(), 0..12), 0..budgets.len()).prop_map(move |(chosen, budget)| {
        let mut snapshot = Snapshot {
            daemon_sets: vec![cells::daemon_set(budgets[budget].clone())],
            revisions: vec![cells::revision("v1", 1), cells::revision("v2", 2)],
            ..Snapshot::default()
        };
        for (number, cell) in chosen.into_iter().enumerate() {
            let name = format!("node-{number:02}");
            snapshot.nodes.push(cells::node(&name, cells[cell].standing));
            snapshot.pods.extend(cells::pods(&name, &cells[cell]));
        }
        snapshot
    })
}

fn controller_of(snapshot: &Snapshot) -> Controller {
    let mut controller = Controller::new(ExpectationsMode::Observed);
    controller.observe(Change::Reset(Box::new(snapshot.clone())));
    controller
}

fn decide(snapshot: &Snapshot, now: Timestamp) -> Step {
    controller_of(snapshot).step(now)
}

fn play(budget: usize) -> Play {
    let budgets = all_budgets();
    Play::new(budgets[budget % budgets.len()].clone())
}

/// Pods that a step deletes, with the reason.
fn deletions(step: &Step) -> impl Iterator<Item = (&rollcast_core::controller::PodKey, &Reason)> {
    let decisions = step.batches.iter().flat_map(|batch| &batch.decisions);
    decisions.filter_map(|decision| match &decision.action {
        Action::DeletePod { pod, .. } => Some((pod, &decision.reason)),
        _ => None,
    })
}

/// Whether a deletion for this reason is the rolling update's choice: everything else is forced by the state of the
/// node or of the pod, or costs no availability.
fn is_by_choice(reason: &Reason) -> bool {
    matches!(reason, Reason::OutdatedWithinBudget { .. })
}

fn status_adds_up(status: &DaemonSetStatus, nodes: usize) -> Result<(), TestCaseError> {
    let desired = status.desired_number_scheduled;
    prop_assert!(0 <= status.number_available && status.number_available <= status.number_ready, "{status:?}");
    prop_assert!(status.number_ready <= status.current_number_scheduled, "{status:?}");
    prop_assert!(0 <= status.updated_number_scheduled, "{status:?}");
    prop_assert!(status.updated_number_scheduled <= status.current_number_scheduled, "{status:?}");
    prop_assert!(status.current_number_scheduled <= desired, "{status:?}");
    prop_assert_eq!(status.number_unavailable, desired - status.number_available, "{:?}", status);
    let all = desired + status.number_misscheduled;
    prop_assert!(usize::try_from(all).is_ok_and(|all| all <= nodes), "{nodes} nodes, {status:?}");
    Ok(())
}

proptest! {
    #![proptest_config(configured(2_000))]

    #[test]
    fn the_order_of_the_input_is_irrelevant(world in worlds(), keys in proptest::collection::vec(any::<u32>(), 40)) {
        let mut shuffled = world.clone();
        let key = |index: usize| keys[index % keys.len()].wrapping_mul(u32::try_from(index).unwrap() | 1);
        let shuffle = |count: usize| { let mut order: Vec<usize> = (0..count).collect(); order.sort_by_key(|index| key(*index)); order };
        shuffled.nodes = shuffle(world.nodes.len()).into_iter().map(|index| world.nodes[index].clone()).collect();
        shuffled.pods = shuffle(world.pods.len()).into_iter().map(|index| world.pods[index].clone()).collect();
        shuffled.revisions.reverse();
        let expected = decide(&world, NOW);
        prop_assert_eq!(Decided::of(&expected), Decided::of(&decide(&shuffled, NOW)));

        let mut one_by_one = Controller::new(ExpectationsMode::Observed);
        for pod in shuffled.pods {
            one_by_one.observe(Change::Pod(Box::new(pod)));
        }
        one_by_one.observe(Change::DaemonSet(Box::new(shuffled.daemon_sets[0].clone())));
        for revision in shuffled.revisions {
            one_by_one.observe(Change::Revision(Box::new(revision)));
        }
        for node in shuffled.nodes {
            one_by_one.observe(Change::Node(Box::new(node)));
        }
        let step = one_by_one.step(NOW);
        prop_assert_eq!(Decided::of(&expected), Decided::of(&step));
        prop_assert_eq!(expected.batches.len(), step.batches.len());
        prop_assert_eq!(expected.waiting_on, step.waiting_on);
    }

    #[test]
    fn before_anything_is_seen_a_second_step_creates_and_deletes_nothing(world in worlds()) {
        let mut controller = controller_of(&world);
        let step = controller.step(NOW);
        let first = Decided::of(&step);
        for decision in step.batches.iter().flat_map(|batch| &batch.decisions) {
            controller.complete(NOW, decision.id, rollcast_core::controller::Outcome::Applied);
        }
        controller.enqueue(&world.daemon_sets[0].metadata.key());
        let second = Decided::of(&controller.step(NOW));
        if !first.create.is_empty() || !first.delete.is_empty() {
            prop_assert!(second.create.is_empty() && second.delete.is_empty(), "{:?} then {:?}", first, second);
        }
    }

    #[test]
    fn the_budget_is_never_exceeded_by_choice(world in worlds()) {
        let step = decide(&world, NOW);
        let chosen: BTreeSet<&str> =
            deletions(&step).filter(|(_, reason)| is_by_choice(reason)).map(|(pod, _)| pod.name.as_str()).collect();
        let daemon_set = &world.daemon_sets[0];
        let template = &daemon_set.spec.template;
        let eligible: Vec<_> = world.nodes.iter().filter(|node| reference::eligibility(template, node).should_run).collect();
        let is_available = |pod: &&Pod| {
            pod.metadata.deletion_timestamp.is_none() && reference::is_available(pod, daemon_set.spec.min_ready_seconds, NOW)
        };
        let served = |without: &BTreeSet<&str>| {
            let has_pod = |name: &str| {
                let mut pods = world.pods.iter().filter(|pod| pod.spec.node_name == name && !without.contains(pod.metadata.name.as_str()));
                pods.any(|pod| is_available(&pod))
            };
            eligible.iter().filter(|node| has_pod(&node.metadata.name)).count()
        };
        let (before, after) = (served(&BTreeSet::new()), served(&chosen));
        let limits = &daemon_set.spec.update_strategy.rolling_update;
        let mut limit = resolve(&limits.max_unavailable, eligible.len());
        if limit == 0 && resolve(&limits.max_surge, eligible.len()) == 0 {
            limit = 1;
        }
        if daemon_set.spec.update_strategy.strategy_type != UpdateStrategyType::RollingUpdate {
            prop_assert!(chosen.is_empty());
        }
        if before != after {
            prop_assert!(eligible.len() - after <= limit, "{} of {} nodes served before, {after} after, limit {limit}", before, eligible.len());
        }
    }

    #[test]
    fn no_available_pod_is_deleted_without_a_reason_that_allows_it(world in worlds()) {
        let step = decide(&world, NOW);
        for (key, reason) in deletions(&step) {
            let pod = world.pods.iter().find(|pod| pod.metadata.uid == key.uid);
            prop_assert!(pod.is_some(), "the deletion of {key:?} names no UID that was seen");
            let live = pod.filter(|pod| !pod.is_terminal() && pod.metadata.deletion_timestamp.is_none());
            let available = live.is_some_and(|pod| reference::is_available(pod, cells::MIN_READY_SECONDS, NOW));
            let allowed = matches!(
                reason,
                Reason::OutdatedWithinBudget { .. } | Reason::NodeMustNotRun(_) | Reason::ExcessPod
                    | Reason::ReplacementAvailable | Reason::EnoughAvailableElsewhere { .. }
            );
            prop_assert!(!available || allowed, "{key:?} is available and deleted for {reason:?}");
        }
    }

    #[test]
    fn the_status_adds_up(world in worlds()) {
        let decided = Decided::of(&decide(&world, NOW));
        if let Some(status) = decided.status {
            status_adds_up(&status, world.nodes.len())?;
        }
    }

    #[test]
    fn reasons_count_what_they_speak_of(world in worlds()) {
        let step = decide(&world, NOW);
        for decision in step.batches.iter().flat_map(|batch| &batch.decisions) {
            prop_assert!(decision.candidate_count >= 1, "{decision:?}");
        }
        let same: BTreeMap<_, usize> = deletions(&step).filter(|(_, reason)| is_by_choice(reason)).fold(BTreeMap::new(), |mut counts, (_, reason)| {
            *counts.entry(format!("{reason:?}")).or_default() += 1;
            counts
        });
        prop_assert!(same.len() <= 1, "choices of one sync speak of one budget: {same:?}");
        for (_, reason) in deletions(&step) {
            if let Reason::OutdatedWithinBudget { unavailable, limit } = reason {
                let chosen = u32::try_from(same.values().sum::<usize>()).unwrap();
                prop_assert!(unavailable + chosen <= *limit, "{chosen} chosen, {reason:?}");
            }
        }
    }

    #[test]
    fn a_class_that_changes_by_time_alone_changes_at_wake_at(world in worlds(), early in 0..40_i64) {
        let mut controller = controller_of(&world);
        let step = controller.step(NOW);
        // Nothing comes true and nothing is decided: only time can bring about a look.
        for decision in step.batches.iter().flat_map(|batch| &batch.decisions) {
            controller.complete(NOW, decision.id, rollcast_core::controller::Outcome::Applied);
        }
        let idle = controller.step(NOW);
        prop_assert_eq!(idle.daemon_set, None, "looked at twice");
        let Some(wake_at) = idle.wake_at else { return Ok(()) };
        prop_assert!(wake_at > NOW);
        let just_before = Timestamp::from_micros(wake_at.as_micros() - 1);
        prop_assert_eq!(controller.clone().step(just_before).daemon_set, None, "looked at before {}", wake_at);
        let moment = Timestamp::from_micros(NOW.as_micros() + early * 1_000_000).min(just_before);
        prop_assert_eq!(controller.clone().step(moment).daemon_set, None);
        prop_assert!(controller.step(wake_at).daemon_set.is_some(), "not looked at at {wake_at}");
    }

    /// From when the world is seen until `wake_at` an engine that knows nothing of the past would decide the same: there
    /// is no moment at which something was due and nobody looked.
    #[test]
    fn nothing_is_due_before_wake_at(world in worlds(), early in 0..600_i64) {
        let mut controller = controller_of(&world);
        let step = controller.step(NOW);
        let decided = Decided::of(&step);
        if !decided.is_nothing() || step.error.is_some() {
            return Ok(());
        }
        let idle = controller.step(NOW);
        let latest = idle.wake_at.map_or(i64::MAX, |wake_at| wake_at.as_micros() - 1);
        let moment = Timestamp::from_micros((NOW.as_micros() + early * 1_000_000).min(latest));
        let later = Decided::of(&decide(&world, moment));
        prop_assert!(later.create.is_empty() && later.delete.is_empty() && later.status.is_none(), "at {moment}: {later:?}");
    }
}

proptest! {
    #![proptest_config(configured(500))]

    /// Whatever answers are lost, however late things are seen, however often the controller starts anew.
    #[test]
    fn there_is_at_most_one_live_pod_per_version_and_node(budget in any::<usize>(), edits in edits(outside_edit(), 120)) {
        let mut play = play(budget);
        for (number, edit) in edits.iter().enumerate() {
            play.edit(edit);
            let pods = play.live_pods();
            let different: BTreeSet<_> = pods.iter().collect();
            prop_assert_eq!(different.len(), pods.len(), "edit {} {:?}: {:?}", number, edit, pods);
        }
    }

    #[test]
    fn a_deletion_names_a_pod_that_was_seen_and_a_status_adds_up(budget in any::<usize>(), edits in edits(any_edit(), 80)) {
        let mut play = play(budget);
        for edit in &edits {
            let seen: BTreeSet<_> = play.seen.pods.iter().map(|pod| pod.metadata.uid.clone()).collect();
            let Some(synced) = play.edit(edit) else { continue };
            for (pod, _) in deletions(&synced.step) {
                prop_assert!(seen.contains(&pod.uid), "{pod:?} was never seen");
            }
            if let Some(status) = &synced.decided.status {
                status_adds_up(status, play.seen.nodes.len())?;
            }
        }
    }

    /// Left alone, every history ends in a state in which nothing is decided any more: pods become available, what is
    /// deleted goes, everything is seen.
    #[test]
    fn left_alone_a_cluster_comes_to_rest(budget in any::<usize>(), edits in edits(any_edit(), 60)) {
        let mut play = play(budget);
        for edit in &edits {
            play.edit(edit);
        }
        let mut quiet = 0;
        for _ in 0..200 {
            play.observe_all();
            play.heal();
            play.observe_all();
            play.now = play.now.saturating_add(Duration::from_secs(1_000));
            quiet = if play.sync(Fate::Applied).decided.is_nothing() { quiet + 1 } else { 0 };
            if quiet == 2 {
                break;
            }
        }
        prop_assert_eq!(quiet, 2, "after 200 syncs there is still something to do");
        let status = &play.daemon_set().status;
        prop_assert_eq!(status.number_available, status.desired_number_scheduled, "{:?}", status);
        if play.daemon_set().spec.update_strategy.strategy_type == UpdateStrategyType::RollingUpdate {
            prop_assert_eq!(status.updated_number_scheduled, status.desired_number_scheduled, "{:?}", status);
        }
    }

    #[test]
    fn a_reset_to_what_was_seen_changes_nothing(budget in any::<usize>(), edits in edits(any_edit(), 60), last in Just(Edit::Sync(Fate::Applied))) {
        let mut play = play(budget);
        for edit in &edits {
            play.edit(edit);
        }
        let mut reset = play.clone();
        reset.controller.observe(Change::Reset(Box::new(reset.seen.clone())));
        let (expected, got) = (play.edit(&last).expect("a sync"), reset.edit(&last).expect("a sync"));
        prop_assert_eq!(expected.decided, got.decided);
    }
}

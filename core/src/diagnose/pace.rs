//! What a rollout's pace rests on, and what its spec says that nobody expects.

use super::cause::{Cause, Effect};
use super::problem::{LimitField, Problem};
use super::survey::NodeState;
use super::{Findings, Scene, remedies};
use crate::api::{DaemonSet, UpdateStrategyType};
use crate::budget::budget;
use crate::controller::Action;
use crate::fleet::Mark;
use crate::target::min_ready;

/// Finds what is about limits, `minReadySeconds` and changes that change nothing.
pub(super) fn find_pace(scene: &Scene<'_>, unfinished: bool, findings: &mut Findings) {
    if unfinished {
        findings.explain(percent_rounds_up(scene));
        if let Some(problem) = long_min_ready(scene) {
            let remedies = remedies::lower_min_ready(scene.settings.patience.as_secs()).into_iter().collect();
            findings.add(problem, Effect::Explains, remedies);
        }
    } else {
        findings.explain(nothing_to_replace(scene.daemon_set));
    }
    findings.explain(status_behind(scene));
}

/// A limit that comes to half as much again as its percentage, or more.
fn percent_rounds_up(scene: &Scene<'_>) -> Option<Problem> {
    let strategy = &scene.daemon_set.spec.update_strategy;
    if strategy.strategy_type != UpdateStrategyType::RollingUpdate {
        return None;
    }
    let desired = scene.view.aggregate().count(Mark::Desired);
    let resolved = budget(&scene.daemon_set.spec, desired).ok()?;
    let (field, written, limit) = if resolved.max_surge > 0 {
        (LimitField::MaxSurge, &strategy.rolling_update.max_surge, resolved.max_surge)
    } else {
        (LimitField::MaxUnavailable, &strategy.rolling_update.max_unavailable, resolved.max_unavailable)
    };
    let hundredths = u64::from(remedies::percent_of(written)?) * u64::from(desired);
    let is_surprising = hundredths > 0 && u64::from(limit) * 200 >= hundredths * 3;
    is_surprising.then(|| Problem::PercentRoundsUp { field, written: written.clone(), desired, limit })
}

/// `minReadySeconds` is longer than anybody waits.
fn long_min_ready(scene: &Scene<'_>) -> Option<Problem> {
    let wait = min_ready(&scene.daemon_set.spec);
    if wait <= scene.settings.patience {
        return None;
    }
    let aggregate = scene.view.aggregate();
    let desired = aggregate.count(Mark::Desired);
    let updated = aggregate.nodes(Mark::Updated);
    let left = scene.ranks(Mark::Desired).iter().filter(|rank| !updated.contains(**rank)).count();
    let resolved = budget(&scene.daemon_set.spec, desired).ok()?;
    let at_once = u64::from(resolved.max_surge.max(resolved.max_unavailable).max(1));
    let rounds = u64::try_from(left).unwrap_or(u64::MAX).div_ceil(at_once).max(1);
    let (min_ready_seconds, patience) = (wait.as_secs(), scene.settings.patience.as_secs());
    let at_least = rounds.saturating_mul(min_ready_seconds);
    Some(Problem::LongMinReady { min_ready_seconds, patience, at_least })
}

/// How many changes of the spec left the template alone: its generation counts those that did not.
fn nothing_to_replace(daemon_set: &DaemonSet) -> Option<Problem> {
    let changes = daemon_set.metadata.generation.checked_sub(daemon_set.template_generation()?)?;
    (changes > 0).then_some(Problem::NothingToReplace { changes })
}

/// The status counts other nodes than those that are there, and no pod is about to come or go because of it.
fn status_behind(scene: &Scene<'_>) -> Option<Problem> {
    let DaemonSet { metadata, status, .. } = scene.daemon_set;
    if metadata.generation == 0 || metadata.generation > status.observed_generation {
        return None;
    }
    let counts = scene.view.aggregate().status_counts();
    let count = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
    let (desired_now, misscheduled_now) = (count(counts.desired), count(counts.misscheduled));
    let (desired, misscheduled) = (status.desired_number_scheduled, status.number_misscheduled);
    let acts = scene
        .decisions
        .iter()
        .any(|decision| matches!(decision.action, Action::CreatePod { .. } | Action::DeletePod { .. }));
    let differs = (desired, misscheduled) != (desired_now, misscheduled_now);
    (differs && !acts).then_some(Problem::StatusBehind { desired, desired_now, misscheduled, misscheduled_now })
}

/// When the next thing is due that is known beforehand: a pod becomes available, or must be gone.
pub(super) fn next_seconds(states: &[NodeState<'_>]) -> Option<u64> {
    let soon = states.iter().filter_map(|state| match state.cause {
        Cause::NotYetAvailable { seconds } | Cause::Terminating { seconds } => Some(seconds),
        _ => None,
    });
    soon.min()
}

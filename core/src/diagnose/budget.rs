//! What uses a budget up, and the smallest change that gives a place back.

use super::cause::{Effect, User};
use super::problem::{BudgetUse, BudgetUser, Finding, LimitField, Places, Problem};
use super::remedy::Remedy;
use super::survey::NodeState;
use super::{Findings, Scene, remedies};
use crate::api::{IntOrString, Text, UpdateStrategyType};
use crate::budget::{MalformedLimit, budget, resolve};
use crate::fleet::Mark;
use crate::order::sort_by_key;
use crate::rollout::{Allowance, allowance};

/// How many names a command holds at most; a longer one is not for people.
const COMMAND_NAMES: usize = 40;

/// Finds that available old pods wait for the budget, or that it cannot be read.
pub(super) fn find_budget(scene: &Scene<'_>, states: &[NodeState<'_>], findings: &mut Findings) {
    let strategy = &scene.daemon_set.spec.update_strategy;
    if strategy.strategy_type != UpdateStrategyType::RollingUpdate {
        return;
    }
    let limits = &strategy.rolling_update;
    let aggregate = scene.view.aggregate();
    let counts = aggregate.rollout_counts();
    let resolved = match budget(&scene.daemon_set.spec, counts.desired) {
        Ok(resolved) => resolved,
        Err(MalformedLimit(limit)) => {
            let is_surge = limits.max_surge == IntOrString::String(limit.clone());
            let field = if is_surge { LimitField::MaxSurge } else { LimitField::MaxUnavailable };
            let remedies = vec![Remedy::WriteLimit { field }];
            findings.add(Problem::MalformedLimit { field, limit }, Effect::Blocks, remedies);
            return;
        }
    };
    let (field, mark, written, limit) = if resolved.max_surge > 0 {
        (LimitField::MaxSurge, Mark::Surging, &limits.max_surge, resolved.max_surge)
    } else {
        (LimitField::MaxUnavailable, Mark::Unavailable, &limits.max_unavailable, resolved.max_unavailable)
    };
    let (used, waiting) = match allowance(&counts, resolved) {
        Allowance::Surge { candidates, .. } => (counts.surging, counts.surge_candidates.saturating_sub(candidates)),
        Allowance::Replace { candidates } => (counts.unavailable, counts.candidates.saturating_sub(candidates)),
        Allowance::NodeLost => return,
    };
    // With a place left, the controller is about to take the next.
    if waiting == 0 || used < limit {
        return;
    }
    let set = aggregate.nodes(mark);
    let mut holders = Vec::new();
    let mut places = Places::default();
    let mut stuck = 0_u32;
    for blocks in [true, false] {
        for state in states.iter().filter(|state| set.contains(state.rank)) {
            if (state.effect() == Effect::Blocks) == blocks {
                stuck = stuck.saturating_add(u32::from(blocks));
                places.push(state.node, state.pod_name());
                holders.push(state);
            }
        }
    }
    let found = BudgetUse {
        written: written.clone(),
        limit,
        desired: counts.desired,
        used,
        stuck,
        users: users(&holders),
        places,
        waiting,
    };
    let effect = if stuck >= limit { Effect::Blocks } else { Effect::Delays };
    let remedies = if effect == Effect::Blocks { cures(scene, field, &found, &holders) } else { Vec::new() };
    let problem = match field {
        LimitField::MaxSurge => Problem::SurgeBudget(found),
        LimitField::MaxUnavailable => Problem::UnavailableBudget(found),
    };
    findings.add(problem, effect, remedies);
}

/// Whether the finding says what to do about dead nodes, so that it need not be said again.
pub(super) fn frees_dead_nodes(finding: &Finding) -> bool {
    finding.remedies.iter().any(|remedy| matches!(remedy, Remedy::DeleteNodes { .. }))
}

/// What has the places, the most numerous first. What passes by itself counts as such, whatever it is.
fn users(holders: &[&NodeState<'_>]) -> Vec<BudgetUser> {
    let mut users: Vec<BudgetUser> = Vec::new();
    for state in holders {
        let user = if state.effect() == Effect::Blocks { state.cause.user() } else { User::OnItsWay };
        match users.iter_mut().find(|known| known.user == user) {
            Some(known) => known.count = known.count.saturating_add(1),
            None => users.push(BudgetUser { user, count: 1 }),
        }
    }
    sort_by_key(&mut users, |entry| (std::cmp::Reverse(entry.count), entry.user));
    users
}

fn cures(scene: &Scene<'_>, field: LimitField, found: &BudgetUse, holders: &[&NodeState<'_>]) -> Vec<Remedy> {
    let mut cures = Vec::new();
    if found.main_user() == User::BrokenPod {
        // More places for pods that do not come up would only take more healthy ones down.
        cures.extend(remedies::roll_back(scene));
        return cures;
    }
    if field == LimitField::MaxSurge && found.main_user() == User::NoPlace {
        // What keeps one second pod from its node keeps the next from its own.
        return cures;
    }
    if let Some(to) = raised(&found.written, found.desired, found.stuck.saturating_add(1)) {
        cures.push(Remedy::RaiseLimit { field, to });
    }
    if field == LimitField::MaxUnavailable {
        add_removals(found, holders, &mut cures);
    }
    cures
}

/// The smallest limit, in the way it is written, that comes to `needed` nodes; absent where nothing is gained by one.
pub(super) fn raised(written: &IntOrString, desired: u32, needed: u32) -> Option<IntOrString> {
    let count = || i32::try_from(needed).ok().map(IntOrString::Int);
    match written {
        IntOrString::Int(_) => count(),
        IntOrString::String(_) => {
            let percent = u64::from(needed.saturating_sub(1)) * 100;
            let percent = percent.checked_div(u64::from(desired))?.saturating_add(1);
            let text = IntOrString::String(Text::from(format!("{percent}%")));
            if percent <= 100 && resolve(&text, desired).is_ok_and(|nodes| nodes >= needed) {
                Some(text)
            } else {
                count()
            }
        }
    }
}

/// Adds which dead nodes, or the pods on them, are to go so that a place is free.
fn add_removals(found: &BudgetUse, holders: &[&NodeState<'_>], cures: &mut Vec<Remedy>) {
    let is_dead = |state: &NodeState<'_>| state.effect() == Effect::Blocks && state.cause.user() == User::DeadNode;
    // Those that do not count in DESIRED cost nothing but their place; the others also shrink what a percentage is of.
    let mut removed: Vec<&NodeState<'_>> = Vec::new();
    let (mut desired, mut stuck) = (found.desired, found.stuck);
    for wanted in [false, true] {
        for state in holders.iter().filter(|state| state.eligible == wanted && is_dead(state)) {
            if is_free(&found.written, desired, stuck) {
                break;
            }
            removed.push(state);
            stuck = stuck.saturating_sub(1);
            desired = desired.saturating_sub(u32::from(wanted));
        }
    }
    if removed.is_empty() || removed.len() > COMMAND_NAMES || !is_free(&found.written, desired, stuck) {
        return;
    }
    let (mut nodes, mut pods) = (Vec::new(), Vec::new());
    for state in &removed {
        nodes.push(state.node.clone());
        pods.extend(state.pod_name().cloned());
    }
    if removed.iter().all(|state| !state.eligible && state.cause.is_terminating()) {
        cures.push(Remedy::ForceDeletePods { pods, node_gone: false });
    }
    cures.push(Remedy::DeleteNodes { nodes });
}

/// Whether a budget has a place that is not taken for good.
fn is_free(written: &IntOrString, desired: u32, stuck: u32) -> bool {
    resolve(written, desired).is_ok_and(|limit| stuck < limit.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn percent(text: &str) -> IntOrString {
        IntOrString::String(text.into())
    }

    #[test]
    fn a_limit_is_raised_as_little_as_frees_a_place() {
        assert_eq!(raised(&percent("5%"), 288, 21), Some(percent("7%")));
        assert_eq!(raised(&percent("10%"), 30, 4), Some(percent("11%")));
        assert_eq!(raised(&percent("5%"), 3, 2), Some(percent("34%")));
        assert_eq!(raised(&percent("50%"), 2, 3), Some(IntOrString::Int(3)));
        assert_eq!(raised(&IntOrString::Int(1), 30, 4), Some(IntOrString::Int(4)));
        for (desired, needed) in [(288, 21), (268, 21), (1, 1), (7, 3), (1000, 999)] {
            let IntOrString::String(text) = raised(&percent("1%"), desired, needed).unwrap() else { panic!() };
            let number: u32 = text.trim_end_matches('%').parse().unwrap();
            assert!(resolve(&percent(&text), desired).unwrap() >= needed, "{text} of {desired}");
            assert!(number == 1 || resolve(&percent(&format!("{}%", number - 1)), desired).unwrap() < needed);
        }
    }
}

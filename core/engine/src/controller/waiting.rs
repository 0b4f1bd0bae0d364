//! What keeps a rollout from going on.

use crate::api::{Text, UpdateStrategyType};
use crate::bitset::Bitset;
use crate::budget::{MalformedLimit, budget};
use crate::decision::WaitingOn;
use crate::fleet::{Fleet, Mark, Slot, View};

/// How many names a list holds.
const NAMES: usize = 10;

/// How a sync ended, as far as it says what the rollout waits for. Names and arithmetic are added when someone asks.
#[derive(Clone, Debug, Default)]
pub(super) enum Outlook {
    /// Nothing is waited for: no sync yet, or one that is repeated at once.
    #[default]
    Nothing,
    /// The sync ended early; rarely, so that this does not make every outlook as large.
    Stopped(Box<WaitingOn>),
    /// Earlier decisions have not been seen to come true.
    Expecting {
        /// Creations not yet seen.
        creations: i64,
        /// Deletions not yet seen.
        deletions: i64,
    },
    /// It decided all it could.
    Decided(Taken),
}

/// What the sync itself has just set going, and left.
#[derive(Clone, Debug, Default)]
pub(super) struct Taken {
    /// Candidates that were taken, by rank.
    pub candidates: Vec<Slot>,
    /// Nodes with failed pods that are left until their back-off is over, by rank.
    pub failed_held_back: Vec<Slot>,
}

/// The waits, most important first.
pub(super) fn waiting_on(fleet: &Fleet, view: &View, outlook: &Outlook) -> Vec<WaitingOn> {
    match outlook {
        Outlook::Nothing => Vec::new(),
        Outlook::Stopped(wait) => vec![(**wait).clone()],
        Outlook::Expecting { creations, deletions } => {
            let mut waits = vec![WaitingOn::Expectations { creations: *creations, deletions: *deletions }];
            waits.extend(waiting_on_nodes(fleet, view, &Taken::default()));
            waits
        }
        Outlook::Decided(taken) => waiting_on_nodes(fleet, view, taken),
    }
}

fn waiting_on_nodes(fleet: &Fleet, view: &View, taken: &Taken) -> Vec<WaitingOn> {
    let aggregate = view.aggregate();
    let counts = aggregate.rollout_counts();
    let spec = &view.daemon_set().spec;
    let mut waits = Vec::new();
    match (&spec.update_strategy.strategy_type, budget(spec, counts.desired)) {
        (UpdateStrategyType::RollingUpdate, Err(MalformedLimit(limit))) => {
            waits.push(WaitingOn::MalformedLimit { limit });
        }
        (UpdateStrategyType::RollingUpdate, Ok(limits)) => {
            let taken_count = u32::try_from(taken.candidates.len()).unwrap_or(u32::MAX);
            if limits.max_surge > 0 {
                let lost = aggregate.nodes(Mark::Lost);
                if !lost.is_empty() {
                    waits.push(WaitingOn::LostNodes { nodes: names(fleet, &mut lost.iter()), count: lost.count() });
                }
                let waiting = counts.surge_candidates.saturating_sub(taken_count);
                if waiting > 0 {
                    waits.push(WaitingOn::SurgeBudget {
                        under_way: counts.surging.saturating_add(taken_count),
                        limit: limits.max_surge,
                        written: spec.update_strategy.rolling_update.max_surge.clone(),
                        desired: counts.desired,
                        nodes: names(fleet, &mut merged(aggregate.nodes(Mark::Surging), &taken.candidates)),
                        waiting,
                    });
                }
            } else {
                let waiting = counts.candidates.saturating_sub(taken_count);
                if waiting > 0 {
                    waits.push(WaitingOn::UnavailableBudget {
                        unavailable: counts.unavailable.saturating_add(taken_count),
                        limit: limits.max_unavailable,
                        written: spec.update_strategy.rolling_update.max_unavailable.clone(),
                        desired: counts.desired,
                        nodes: names(fleet, &mut merged(aggregate.nodes(Mark::Unavailable), &taken.candidates)),
                        waiting,
                    });
                }
            }
        }
        (UpdateStrategyType::OnDelete | UpdateStrategyType::Other(_), _) => {}
    }
    let mut list = |set: &Bitset, wait: fn(Vec<Text>, u32) -> WaitingOn| {
        if !set.is_empty() {
            waits.push(wait(names(fleet, &mut set.iter()), set.count()));
        }
    };
    if !view.target().allows_surge {
        list(aggregate.nodes(Mark::Terminating), |nodes, count| WaitingOn::Terminating { nodes, count });
    }
    list(aggregate.nodes(Mark::NewUnavailable), |nodes, count| WaitingOn::NewPods { nodes, count });
    if spec.update_strategy.strategy_type != UpdateStrategyType::RollingUpdate {
        list(aggregate.nodes(Mark::Outdated), |nodes, count| WaitingOn::Deletion { nodes, count });
    }
    if !taken.failed_held_back.is_empty() {
        let count = u32::try_from(taken.failed_held_back.len()).unwrap_or(u32::MAX);
        let nodes = names(fleet, &mut taken.failed_held_back.iter().copied());
        waits.push(WaitingOn::FailedPods { nodes, count });
    }
    waits
}

fn names(fleet: &Fleet, ranks: &mut dyn Iterator<Item = Slot>) -> Vec<Text> {
    ranks.take(NAMES).map(|rank| fleet.node_name(rank).clone()).collect()
}

/// Both in order of ranks; they have none in common.
fn merged<'a>(set: &'a Bitset, ranks: &'a [Slot]) -> impl Iterator<Item = Slot> + 'a {
    let (mut set, mut ranks) = (set.iter().peekable(), ranks.iter().copied().peekable());
    std::iter::from_fn(move || match (set.peek(), ranks.peek()) {
        (Some(left), Some(right)) if right < left => ranks.next(),
        (Some(_), _) => set.next(),
        (None, _) => ranks.next(),
    })
}

//! What keeps a rollout from going on.

use crate::api::{Text, UpdateStrategyType};
use crate::bitset::Bitset;
use crate::budget::{Budget, MalformedLimit, budget};
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
    let spec = &view.daemon_set().spec;
    let rolls = spec.update_strategy.strategy_type == UpdateStrategyType::RollingUpdate;
    let mut waits = Waits { fleet, all: Vec::new() };
    if rolls {
        waits.on_limits(view, &taken.candidates);
    }
    if !view.target().allows_surge {
        let terminating = aggregate.nodes(Mark::Terminating);
        waits.on_set(terminating, |nodes, count| WaitingOn::Terminating { nodes, count });
    }
    waits.on_set(aggregate.nodes(Mark::NewUnavailable), |nodes, count| WaitingOn::NewPods { nodes, count });
    if !rolls {
        waits.on_set(aggregate.nodes(Mark::Outdated), |nodes, count| WaitingOn::Deletion { nodes, count });
    }
    if !taken.failed_held_back.is_empty() {
        let count = u32::try_from(taken.failed_held_back.len()).unwrap_or(u32::MAX);
        let nodes = names(fleet, &mut taken.failed_held_back.iter().copied());
        waits.all.push(WaitingOn::FailedPods { nodes, count });
    }
    waits.all
}

struct Waits<'a> {
    fleet: &'a Fleet,
    all: Vec<WaitingOn>,
}

impl Waits<'_> {
    fn on_set(&mut self, set: &Bitset, wait: fn(Vec<Text>, u32) -> WaitingOn) {
        if !set.is_empty() {
            self.all.push(wait(names(self.fleet, &mut set.iter()), set.count()));
        }
    }

    /// What the limits of a rolling update leave waiting beside the candidates that were taken.
    fn on_limits(&mut self, view: &View, taken: &[Slot]) {
        let aggregate = view.aggregate();
        let counts = aggregate.rollout_counts();
        let (spec, desired) = (&view.daemon_set().spec, counts.desired);
        let Budget { max_surge, max_unavailable } = match budget(spec, desired) {
            Ok(limits) => limits,
            Err(MalformedLimit(limit)) => {
                self.all.push(WaitingOn::MalformedLimit { limit });
                return;
            }
        };
        let written = &spec.update_strategy.rolling_update;
        let (mark, used, candidates, written) = if max_surge > 0 {
            self.on_set(aggregate.nodes(Mark::Lost), |nodes, count| WaitingOn::LostNodes { nodes, count });
            (Mark::Surging, counts.surging, counts.surge_candidates, &written.max_surge)
        } else {
            (Mark::Unavailable, counts.unavailable, counts.candidates, &written.max_unavailable)
        };
        let taken_count = u32::try_from(taken.len()).unwrap_or(u32::MAX);
        let waiting = candidates.saturating_sub(taken_count);
        if waiting == 0 {
            return;
        }
        let (used, written) = (used.saturating_add(taken_count), written.clone());
        let nodes = names(self.fleet, &mut merged(aggregate.nodes(mark), taken));
        self.all.push(if max_surge > 0 {
            WaitingOn::SurgeBudget { under_way: used, limit: max_surge, written, desired, nodes, waiting }
        } else {
            WaitingOn::UnavailableBudget { unavailable: used, limit: max_unavailable, written, desired, nodes, waiting }
        });
    }
}

/// One copy for all lists: the compiler would make one of each.
#[inline(never)]
fn names(fleet: &Fleet, ranks: &mut dyn Iterator<Item = Slot>) -> Vec<Text> {
    let mut names = Vec::new();
    for rank in ranks.take(NAMES) {
        names.push(fleet.node_name(rank).clone());
    }
    names
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

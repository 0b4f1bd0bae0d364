//! What is seen of a world: moment by moment, and in all.

use std::time::Duration;

use rollcast_engine::api::PodPhase;
use rollcast_engine::budget::budget;
use rollcast_engine::time::{Timestamp, micros};

use crate::pods::PodState;
use crate::timeline::Recorder;
use crate::{Counters, Ending, Gap, Summary, Tile, World};

/// What the summary is made of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub ending: Option<Ending>,
    pub completed_at: Option<Duration>,
    pub fewest_available: Option<u32>,
    pub most_pods: u32,
    pub longest_gap: Option<(Duration, u32)>,
    /// The most nodes that were finished at any moment, and when that or something from outside last happened.
    pub most_finished: u32,
    pub progressed_at: Timestamp,
    /// Events, syncs and decisions so far.
    pub played: u64,
}

impl World {
    /// The rollout so far in a few numbers.
    pub fn summary(&self) -> Summary {
        let open = (0..).zip(self.nodes.iter()).filter_map(|(node, state)| {
            let length = self.now.saturating_since(state.gap_since?);
            Some((length, node, true))
        });
        let closed = self.tally.longest_gap.map(|(length, node)| (length, node, false));
        // Of gaps as long as each other one that is still open is the longer one.
        let is_longer = |next: (Duration, u32, bool), best: (Duration, u32, bool)| (next.0, next.2) > (best.0, best.2);
        let longest =
            closed.into_iter().chain(open).reduce(|best, next| if is_longer(next, best) { next } else { best });
        Summary {
            ending: self.tally.ending.clone(),
            completed_at: self.tally.completed_at,
            ended_at: self.recorder.last_at(),
            fewest_available: self.tally.fewest_available.unwrap_or_default(),
            most_pods: self.tally.most_pods,
            longest_gap: longest
                .and_then(|(length, node, open)| Some(Gap { node: self.nodes.get(node)?.name.clone(), length, open })),
            eligible: self.eligible(),
            finished: self.finished(),
        }
    }

    /// What was seen so far does not count: the tiles of the start follow, then [`Self::open_records`].
    pub(crate) fn forget_records(&mut self) {
        self.tally = Tally { progressed_at: self.now, ..Tally::default() };
        self.tiles = [0; Tile::ALL.len()];
        self.touched.clear();
    }

    /// The tile of a node at the start.
    pub(crate) fn record_start(&mut self, node: u32) {
        let tile = self.tile_of(node);
        let now = self.now;
        if let Some(count) = self.tiles.get_mut(usize::from(tile.number())) {
            *count = count.saturating_add(1);
        }
        if let Some(state) = self.nodes.get_mut(node) {
            (state.tile, state.touched) = (tile, false);
            state.gap_since = (tile.is_eligible() && !tile.is_available()).then_some(now);
        }
    }

    /// A fresh timeline from here.
    pub(crate) fn open_records(&mut self) {
        self.recorder = Recorder::default();
        if self.options.timeline {
            let tiles: Vec<Tile> = self.nodes.iter().map(|state| state.tile).collect();
            self.recorder = Recorder::new(self.nodes.iter().map(|state| state.name.clone()).collect(), &tiles);
        }
        self.start_measuring();
    }

    /// Draws the line under a moment: tiles, gaps, counters.
    pub(crate) fn close_moment(&mut self) {
        let now = self.now;
        let mut touched = std::mem::take(&mut self.touched);
        for node in touched.drain(..) {
            let tile = self.tile_of(node);
            let Some(state) = self.nodes.get_mut(node) else { continue };
            state.touched = false;
            let before = std::mem::replace(&mut state.tile, tile);
            if before == tile {
                continue;
            }
            let in_gap = tile.is_eligible() && !tile.is_available();
            match (state.gap_since, in_gap) {
                (None, true) => state.gap_since = Some(now),
                (Some(since), false) => {
                    state.gap_since = None;
                    let length = now.saturating_since(since);
                    if tile.is_available() {
                        self.meter.gaps.push(micros(length));
                        if self.tally.longest_gap.is_none_or(|(longest, _)| length > longest) {
                            self.tally.longest_gap = Some((length, node));
                        }
                    }
                }
                _ => {}
            }
            for (tile, step) in [(before, u32::MAX), (tile, 1)] {
                if let Some(count) = self.tiles.get_mut(usize::from(tile.number())) {
                    *count = count.wrapping_add(step);
                }
            }
            self.recorder.change(node, tile);
        }
        // Emptied, and kept for its memory.
        self.touched = touched;
        let counters = self.counters();
        self.recorder.close(self.elapsed(), counters);
        let available = counters.available_pods();
        self.tally.fewest_available =
            Some(self.tally.fewest_available.map_or(available, |fewest| fewest.min(available)));
        self.tally.most_pods = self.tally.most_pods.max(counters.pods());
        self.meter.requested_at_most.raise_to(self.requested);
        self.tally.completed_at = match (self.is_complete(), self.tally.completed_at) {
            (false, _) => None,
            (true, None) => Some(self.elapsed()),
            (true, known) => known,
        };
        if self.finished() > self.tally.most_finished {
            self.tally.most_finished = self.finished();
            self.tally.progressed_at = now;
        }
    }

    pub(crate) fn counters(&self) -> Counters {
        let [old_available, old_unavailable, new_available, new_unavailable, terminating] = self.counts;
        let mut counters = Counters {
            old_available,
            old_unavailable,
            new_available,
            new_unavailable,
            terminating,
            ..Counters::default()
        };
        if let Some(daemon_set) = self.daemon_set.as_deref() {
            let status = &daemon_set.status;
            let column = |value: i32| u32::try_from(value).unwrap_or_default();
            counters.desired = column(status.desired_number_scheduled);
            counters.current = column(status.current_number_scheduled);
            counters.ready = column(status.number_ready);
            counters.up_to_date = column(status.updated_number_scheduled);
            counters.available = column(status.number_available);
            counters.misscheduled = column(status.number_misscheduled);
            if let Ok(budget) = budget(&daemon_set.spec, counters.desired) {
                counters.max_unavailable = budget.max_unavailable;
                counters.max_surge = budget.max_surge;
            }
        }
        counters
    }

    /// Every eligible node has an available new pod, and `kubectl rollout status` would say so.
    pub(crate) fn is_complete(&self) -> bool {
        self.finished() == self.eligible()
            && self.daemon_set.as_deref().is_some_and(|daemon_set| {
                let status = &daemon_set.status;
                status.observed_generation >= daemon_set.metadata.generation
                    && status.updated_number_scheduled >= status.desired_number_scheduled
                    && status.number_available >= status.desired_number_scheduled
            })
    }

    pub(crate) fn finished(&self) -> u32 {
        self.tiles.get(usize::from(Tile::NewAvailable.number())).copied().unwrap_or_default()
    }

    pub(crate) fn eligible(&self) -> u32 {
        Tile::ALL.iter().zip(&self.tiles).filter(|(tile, _)| tile.is_eligible()).map(|(_, count)| count).sum()
    }

    pub(crate) fn tile_of(&self, node: u32) -> Tile {
        let Some(state) = self.nodes.get(node).filter(|state| state.object().is_some()) else { return Tile::Gone };
        let (mut new, mut old, mut terminating) = (None, None, false);
        for pod in self.pods_on(node).filter_map(|slot| self.pods.get(slot)) {
            let class = self.class(pod.make);
            if !class.owned {
                continue;
            }
            if pod.is_live() {
                let best = if class.new { &mut new } else { &mut old };
                *best = (*best).max(Some(Stage::of(pod)));
            } else {
                terminating = true;
            }
        }
        let any = new.is_some() || old.is_some() || terminating;
        match (new, old) {
            _ if !state.eligibility.should_run => {
                if any {
                    Tile::Misscheduled
                } else {
                    Tile::NotEligible
                }
            }
            (Some(Stage::Available), _) => Tile::NewAvailable,
            (Some(_), Some(Stage::Available)) => Tile::Surging,
            (None, Some(Stage::Available)) => Tile::OldAvailable,
            (Some(Stage::Ready), _) => Tile::NewReady,
            (Some(Stage::Starting), _) => Tile::NewStarting,
            (Some(Stage::Pending), _) | (None, Some(Stage::Pending)) => Tile::Pending,
            (Some(Stage::Failed), _) | (None, Some(Stage::Failed)) => Tile::Failed,
            (None, Some(Stage::Ready | Stage::Starting)) => Tile::OldUnavailable,
            (None, None) => {
                if terminating {
                    Tile::Terminating
                } else {
                    Tile::Missing
                }
            }
        }
    }
}

/// How far a live pod has come; later is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Failed,
    Pending,
    Starting,
    Ready,
    Available,
}

impl Stage {
    fn of(pod: &PodState) -> Self {
        match pod.phase {
            PodPhase::Failed | PodPhase::Succeeded => Self::Failed,
            _ if pod.available => Self::Available,
            _ if pod.ready => Self::Ready,
            _ if !pod.bound => Self::Pending,
            _ => Self::Starting,
        }
    }
}

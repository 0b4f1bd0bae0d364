//! The controller as a state machine: told what was observed, asked for one sync at a time, told what came of it.
//!
//! `observe(change)` takes in one watch event or a whole snapshot; `step(now)` is one sync of one DaemonSet and never
//! fails or blocks; `complete(now, id, outcome)` reports what the executor did with a decision. The executor runs the
//! batches of a [`Step`] in order and reports every decision but events; until then the DaemonSet is not synced again.

mod contract;
mod expectations;
mod failures;
mod handlers;
mod names;
mod queue;
mod sync;
mod waiting;

pub use contract::{Batch, BatchKind, Change, Snapshot, Step};
pub use expectations::{EXPECTATIONS_TIMEOUT, Expectations};
pub use failures::Failures;

pub use crate::decision::{
    Action, Decision, DecisionId, EventReason, EventType, Outcome, PodKey, Reason, Rejection, Requeue, RequeueReason,
    SyncError, WaitingOn, event_of,
};

use crate::KubernetesVersion;
use crate::api::{ObjectKey, Text};
use crate::bitset::Bitset;
use crate::fleet::{Fleet, Mark, Slot, View};
use crate::time::Timestamp;
use queue::{WorkQueue, error_delay};
use sync::{Draft, Memory, sync};
use waiting::{Outlook, waiting_on};

/// When a sync counts its own creations and deletions as seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ExpectationsMode {
    /// When they were observed: Kubernetes in a cluster.
    #[default]
    Observed,
    /// At once, within the same sync: what Kubernetes' unit tests do.
    MetAtOnce,
}

/// Decides for all DaemonSets of a cluster.
#[derive(Clone, Debug, Default)]
pub struct Controller {
    fleet: Fleet,
    states: Vec<State>,
    queue: WorkQueue,
    mode: ExpectationsMode,
    next_id: u64,
    /// First number of the decisions that are not all reported, ascending, and their DaemonSet.
    outstanding: Vec<(u64, Slot)>,
}

/// What is remembered about one DaemonSet between syncs.
#[derive(Clone, Debug, Default)]
struct State {
    memory: Memory,
    /// Failed syncs in a row.
    failures: u32,
    queued: bool,
    /// When to look although nothing changed.
    due: Option<Timestamp>,
    outstanding: Option<Outstanding>,
    outlook: Outlook,
    waiting_on: Vec<WaitingOn>,
}

/// The decisions of the last sync that are not all reported.
#[derive(Clone, Debug)]
struct Outstanding {
    first: u64,
    reports: Vec<Report>,
    left: usize,
    /// Something was refused.
    failed: bool,
    /// A creation or deletion got no answer.
    unanswered: bool,
    /// The sync had failed before anything was tried.
    known_error: bool,
}

/// What a report of an outcome means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Report {
    Creation,
    Deletion,
    /// Whose object is gone already needs not be given up.
    Release,
    Other,
    /// Not waited for, or reported already.
    Nothing,
}

impl Controller {
    /// A controller that has seen nothing.
    pub fn new(mode: ExpectationsMode) -> Self {
        Self { mode, ..Self::default() }
    }

    /// The same with the rules of another release than the newest; best before anything is observed.
    #[must_use]
    pub fn with_version(mut self, version: KubernetesVersion) -> Self {
        self.fleet.set_version(version);
        self
    }

    /// The release whose rules hold.
    pub const fn version(&self) -> KubernetesVersion {
        self.fleet.version()
    }

    /// Has a DaemonSet synced although nothing changed.
    pub fn enqueue(&mut self, daemon_set: &ObjectKey) {
        if let Some(slot) = self.fleet.find(daemon_set) {
            self.enqueue_slot(slot);
        }
    }

    /// One sync of one DaemonSet, the first of those that have something to look at. When none has, only
    /// [`Step::wake_at`] says something. A clock that runs backwards delays, and breaks nothing.
    pub fn step(&mut self, now: Timestamp) -> Step {
        let mut step = self.step_quietly(now);
        if let Some(slot) = step.daemon_set.as_ref().and_then(|key| self.fleet.find(key)) {
            step.waiting_on = self.explain(slot);
            if let Some(state) = self.states.get_mut(slot as usize) {
                state.waiting_on.clone_from(&step.waiting_on);
            }
        }
        step
    }

    /// A step that does not say what the rollout waits for, for callers who ask [`Self::explain`] now and then.
    pub fn step_quietly(&mut self, now: Timestamp) -> Step {
        self.enqueue_due(now);
        let Self { queue, states, .. } = self;
        let is_free = |slot: Slot| states.get(slot as usize).is_some_and(|state| state.outstanding.is_none());
        let Some(slot) = queue.take(is_free) else {
            return Step { wake_at: self.wake_at(now), ..Step::default() };
        };
        let Some(state) = self.states.get_mut(slot as usize) else { return Step::default() };
        state.queued = false;
        let draft = sync(&mut self.fleet, slot, &mut state.memory, self.mode, self.next_id, now);
        let mut step = self.begin(slot, draft, now);
        step.wake_at = self.wake_at(now);
        step
    }

    /// What keeps the rollout of the DaemonSet at a place from going on, as of its last sync.
    pub fn explain(&self, slot: Slot) -> Vec<WaitingOn> {
        let state = self.states.get(slot as usize);
        self.fleet
            .view(slot)
            .zip(state)
            .map_or(Vec::new(), |(view, state)| waiting_on(&self.fleet, view, &state.outlook))
    }

    /// Takes in what became of a decision. When that ends the sync and something failed, the sync is repeated after the
    /// time returned.
    pub fn complete(&mut self, now: Timestamp, id: DecisionId, outcome: Outcome) -> Option<Requeue> {
        let behind = self.outstanding.partition_point(|(first, _)| *first <= id.0);
        let slot = self.outstanding.get(behind.checked_sub(1)?)?.1;
        let state = self.states.get_mut(slot as usize)?;
        let outstanding = state.outstanding.as_mut()?;
        let place = usize::try_from(id.0.checked_sub(outstanding.first)?).ok()?;
        let report = std::mem::replace(outstanding.reports.get_mut(place)?, Report::Nothing);
        if report == Report::Nothing {
            return None;
        }
        let Memory { expectations, names, .. } = &mut state.memory;
        match (report, outcome) {
            // Neither reported nor counted upstream, so that the expectation lapses.
            (Report::Creation, Outcome::Rejected(Rejection::NamespaceTerminating)) => names.take_back(id.0),
            (_, Outcome::Applied)
            | (Report::Release, Outcome::Rejected(Rejection::NotFound))
            | (Report::Release | Report::Other | Report::Nothing, Outcome::Skipped) => {}
            // It may never be seen, and then nothing else makes anybody look.
            (Report::Creation | Report::Deletion, Outcome::Unknown) => outstanding.unanswered = true,
            (Report::Creation, Outcome::Skipped) => {
                expectations.lower_creations();
                names.take_back(id.0);
            }
            (Report::Deletion, Outcome::Skipped | Outcome::Rejected(Rejection::NotFound)) => {
                expectations.lower_deletions();
            }
            (Report::Creation, Outcome::Rejected(why)) => {
                expectations.lower_creations();
                outstanding.failed = true;
                if why == Rejection::AlreadyExists {
                    let namespace = self.fleet.view(slot).map(|view| &view.key().namespace);
                    let was_seen =
                        |name: &str| namespace.is_some_and(|namespace| self.fleet.knows_pod(namespace, name));
                    names.refuse(id.0, was_seen);
                } else {
                    names.take_back(id.0);
                }
            }
            (Report::Deletion, Outcome::Rejected(_)) => {
                expectations.lower_deletions();
                outstanding.failed = true;
            }
            (Report::Release | Report::Other | Report::Nothing, Outcome::Rejected(_) | Outcome::Unknown) => {
                outstanding.failed = true;
            }
        }
        outstanding.left = outstanding.left.saturating_sub(1);
        if outstanding.left > 0 {
            return None;
        }
        let Outstanding { first, failed, unanswered, known_error, .. } = *outstanding;
        state.outstanding = None;
        if unanswered {
            let lapse = state.memory.expectations.lapse();
            state.look_at(lapse);
        }
        self.outstanding.retain(|(other, _)| *other != first);
        // The first error wins, and was counted when the step was taken.
        if known_error { None } else { self.end_sync(slot, failed, now) }
    }

    /// What keeps a DaemonSet's rollout from going on, as of its last sync, most important first.
    pub fn waiting_on(&self, daemon_set: &ObjectKey) -> &[WaitingOn] {
        self.state(daemon_set).map_or(&[], |state| state.waiting_on.as_slice())
    }

    /// The nodes whose available old pods wait for a place in the budget, in the order in which they will be taken, as
    /// of the last sync: who else could have been chosen.
    pub fn candidates<'a>(&'a self, daemon_set: &ObjectKey) -> impl Iterator<Item = &'a Text> + 'a {
        let view = self.view(daemon_set);
        let mark = view.map(|view| if view.target().allows_surge { Mark::SurgeCandidate } else { Mark::Candidate });
        let set = view.zip(mark).map(|(view, mark)| view.aggregate().nodes(mark));
        set.into_iter().flat_map(Bitset::iter).map(|rank| self.fleet.node_name(rank))
    }

    /// What a DaemonSet expects to see.
    pub fn expectations(&self, daemon_set: &ObjectKey) -> Expectations {
        self.state(daemon_set).map_or_else(Expectations::default, |state| state.memory.expectations)
    }

    /// The index: what was observed, and the classes as of each DaemonSet's last sync.
    pub const fn fleet(&self) -> &Fleet {
        &self.fleet
    }

    fn view(&self, key: &ObjectKey) -> Option<&View> {
        self.fleet.view(self.fleet.find(key)?)
    }

    fn state(&self, key: &ObjectKey) -> Option<&State> {
        self.states.get(self.fleet.find(key)? as usize)
    }

    fn enqueue_slot(&mut self, slot: Slot) {
        if let Some(state) = self.states.get_mut(slot as usize)
            && !state.queued
        {
            state.queued = true;
            self.queue.push(slot);
        }
    }

    /// Enqueues those whose time has come.
    fn enqueue_due(&mut self, now: Timestamp) {
        let Self { fleet, states, queue, .. } = self;
        fleet.for_each_wake(|slot, wake_at| {
            let Some(state) = states.get_mut(slot as usize) else { return };
            let is_due = state.due.is_some_and(|due| due <= now);
            if is_due {
                state.due = None;
            }
            if (is_due || wake_at.is_some_and(|time| time <= now)) && !state.queued {
                state.queued = true;
                queue.push(slot);
            }
        });
    }

    fn wake_at(&mut self, now: Timestamp) -> Option<Timestamp> {
        let mut earliest: Option<Timestamp> = None;
        let Self { fleet, states, .. } = self;
        fleet.for_each_wake(|slot, wake_at| {
            // The report of its last outcome is what it waits for.
            let Some(state) = states.get(slot as usize).filter(|state| state.outstanding.is_none()) else { return };
            let time = if state.queued { Some(now) } else { earlier(state.due, wake_at) };
            earliest = earlier(earliest, time);
        });
        earliest
    }

    /// Notes what is to be reported of a sync's decisions.
    fn begin(&mut self, slot: Slot, draft: Draft, now: Timestamp) -> Step {
        let Draft { batches, next_id, mut requeues, due, outlook, error } = draft;
        let first = std::mem::replace(&mut self.next_id, next_id);
        let decisions = batches.iter().flat_map(|batch| &batch.decisions);
        let reports: Vec<Report> = decisions.map(|decision| report_of(&decision.action)).collect();
        let known_error = error.is_some();
        let left = reports.iter().filter(|report| **report != Report::Nothing).count();
        if let Some(state) = self.states.get_mut(slot as usize) {
            state.outlook = outlook;
            state.look_at(due);
            if left > 0 {
                state.outstanding =
                    Some(Outstanding { first, reports, left, failed: false, unanswered: false, known_error });
                self.outstanding.push((first, slot));
            }
        }
        if left == 0 || known_error {
            requeues.extend(self.end_sync(slot, known_error, now));
        }
        let daemon_set = self.fleet.view(slot).map(|view| view.key().clone());
        Step { daemon_set, batches, requeues, wake_at: None, waiting_on: Vec::new(), error }
    }

    fn end_sync(&mut self, slot: Slot, failed: bool, now: Timestamp) -> Option<Requeue> {
        let state = self.states.get_mut(slot as usize)?;
        if !failed {
            state.failures = 0;
            return None;
        }
        state.failures = state.failures.saturating_add(1);
        let after = error_delay(state.failures);
        state.look_at(Some(now.saturating_add(after)));
        Some(Requeue { after, reason: RequeueReason::Error })
    }
}

const fn report_of(action: &Action) -> Report {
    match action {
        Action::RecordEvent { .. } => Report::Nothing,
        Action::CreatePod { .. } => Report::Creation,
        Action::DeletePod { .. } => Report::Deletion,
        Action::ReleasePod { .. } | Action::ReleaseRevision(_) => Report::Release,
        Action::AdoptPod { .. }
        | Action::RelabelPod { .. }
        | Action::CreateRevision(_)
        | Action::AdoptRevision(_)
        | Action::LabelRevision(_)
        | Action::RenumberRevision { .. }
        | Action::DeleteRevision(_)
        | Action::UpdateStatus(_) => Report::Other,
    }
}

impl State {
    /// Looks at it at that time, or earlier if that was asked for already.
    fn look_at(&mut self, moment: Option<Timestamp>) {
        self.due = earlier(self.due, moment);
    }
}

/// The earlier of two moments that there may be.
fn earlier(left: Option<Timestamp>, right: Option<Timestamp>) -> Option<Timestamp> {
    match (left, right) {
        (Some(left), Some(right)) => Some(left.min(right)),
        _ => left.or(right),
    }
}

#[cfg(test)]
mod tests;

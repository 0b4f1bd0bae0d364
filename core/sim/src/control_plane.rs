//! The way between the controller and the API server, and the scheduler's pace.
//!
//! Ideal as long as nothing else is asked for: writes are done at once, and seen at once. Otherwise the writes of a sync
//! are under way for a while, batch after batch, and what changes in the API server reaches the controller later.

use std::sync::Arc;
use std::time::Duration;

use rollcast_engine::api::{DaemonSetStatus, Node, Pod};
use rollcast_engine::controller::{Batch, BatchKind, Change, Decision, Failures, Outcome, PodKey, Rejection};
use rollcast_engine::time::Timestamp;
use serde::{Deserialize, Serialize};

use crate::bucket::Bucket;
use crate::line::Line;
use crate::pods::{PodRef, PodState};
use crate::random::{Purpose, Random, permille_of};
use crate::world::Event;
use crate::{Distribution, World};

/// How fast and how reliable the API server, the controller's client and the scheduler are.
///
/// The default is ideal: no time passes and nothing fails. kube-controller-manager's client is limited to 20 writes a
/// second in bursts of 30 (`--kube-api-qps`, `--kube-api-burst`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ControlPlane {
    /// From sending a write to its effect and answer; drawn for every write.
    pub write_latency: Distribution,
    /// From a change in the API server to the controller seeing it; drawn for every change, and none overtakes another.
    pub watch_delay: Distribution,
    /// Writes a second that the controller's client sends at most; 0: any number.
    pub qps: u32,
    /// Writes that it may send at once after a pause; at least 1 is taken.
    pub burst: u32,
    /// Of a thousand writes, how many the API server answers with 429; the client sends them again after a second, up
    /// to ten times.
    pub too_many_requests_permille: u16,
    /// Of a thousand writes, how many are refused.
    pub rejected_permille: u16,
    /// Of a thousand writes, how many are done and the answer is lost.
    pub lost_done_permille: u16,
    /// Of a thousand writes, how many are lost before they are done.
    pub lost_undone_permille: u16,
    /// From a pod's creation to its being bound, if it fits; drawn for every pod.
    pub scheduling_delay: Distribution,
    /// Pods a second that the scheduler looks at; 0: any number.
    pub scheduler_pods_per_second: u32,
}

impl Default for ControlPlane {
    fn default() -> Self {
        Self {
            write_latency: Distribution::ZERO,
            watch_delay: Distribution::ZERO,
            qps: 0,
            burst: 0,
            too_many_requests_permille: 0,
            rejected_permille: 0,
            lost_done_permille: 0,
            lost_undone_permille: 0,
            scheduling_delay: Distribution::ZERO,
            scheduler_pods_per_second: 0,
        }
    }
}

impl ControlPlane {
    /// Nothing fails or takes time, but the client keeps to kube-controller-manager's limits.
    pub fn limited_as_upstream() -> Self {
        Self { qps: 20, burst: 30, ..Self::default() }
    }

    /// Whether nothing is drawn for it.
    pub fn is_constant(&self) -> bool {
        let odds = [
            self.too_many_requests_permille,
            self.rejected_permille,
            self.lost_done_permille,
            self.lost_undone_permille,
        ];
        let times = [self.write_latency, self.watch_delay, self.scheduling_delay];
        odds == [0; 4] && times.into_iter().all(Distribution::is_constant)
    }

    /// Whether nothing takes time and nothing fails.
    pub fn is_ideal(&self) -> bool {
        *self == Self { burst: self.burst, ..Self::default() }
    }
}

/// How often the client sends a write again that was answered with 429 (client-go 1.36).
const RETRIES: u32 = 10;
/// What the API server asks it to wait (`Retry-After`).
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// What is under way.
#[derive(Clone, Debug, Default)]
pub(crate) struct Traffic {
    /// The sync whose decisions are being carried out.
    sync: Option<Sync>,
    client: Bucket,
    scheduler: Bucket,
    /// What the controller is going to see, in order of time.
    seen: Line<(Timestamp, Sight)>,
    /// How many draws were made.
    draws: u32,
}

#[derive(Clone, Debug)]
struct Sync {
    batches: Arc<[Batch]>,
    /// The number of the next batch.
    next: usize,
    failures: Failures,
    /// How many writes of the batch before are under way.
    left: u32,
}

/// One thing that the controller sees.
#[derive(Clone, Debug)]
enum Sight {
    Change(Change),
    Node(Arc<Node>),
    Pod(Box<Pod>),
    PodGone(PodKey),
}

/// A write on its way to the API server.
#[derive(Clone, Debug)]
pub(crate) struct Write {
    /// What its sync decided, and where in it this decision is.
    batches: Arc<[Batch]>,
    batch: usize,
    place: usize,
    fate: Fate,
    /// Which start of the controller sent it.
    start: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Done,
    Rejected,
    LostDone,
    LostUndone,
}

impl World {
    /// The options say how the control plane is, from now on.
    pub(crate) fn follow_control_plane(&mut self) {
        // What is under way stays so.
        if self.traffic.is_none() && !self.options.control_plane.is_ideal() {
            self.traffic = Some(Box::default());
        }
        if let Some(traffic) = &mut self.traffic {
            // They count in units of the rate.
            (traffic.client, traffic.scheduler) = (Bucket::default(), Bucket::default());
        }
    }

    /// Whether a sync's writes are under way: no other one starts until then.
    pub(crate) fn is_syncing(&self) -> bool {
        self.traffic.as_deref().is_some_and(|traffic| traffic.sync.is_some())
    }

    /// Whether writes take their way at all.
    pub(crate) const fn has_traffic(&self) -> bool {
        self.traffic.is_some()
    }

    /// The controller that sent what is under way is no more.
    pub(crate) fn forget_traffic(&mut self) {
        if let Some(traffic) = &mut self.traffic {
            traffic.sync = None;
            traffic.seen = Line::default();
        }
    }

    /// Sends a sync's batches, one after the other.
    pub(crate) fn send(&mut self, batches: Vec<Batch>) {
        if let Some(traffic) = &mut self.traffic {
            let failures = Failures::none(self.controller.version());
            traffic.sync = Some(Sync { batches: batches.into(), next: 0, failures, left: 0 });
            self.send_next_batch();
        }
    }

    fn send_next_batch(&mut self) {
        loop {
            let Some(sync) = self.traffic.as_deref_mut().and_then(|traffic| traffic.sync.as_mut()) else { return };
            let (batches, batch) = (Arc::clone(&sync.batches), sync.next);
            let Some(Batch { kind, decisions }) = batches.get(batch) else {
                if let Some(traffic) = &mut self.traffic {
                    traffic.sync = None;
                }
                return;
            };
            sync.next += 1;
            if sync.failures.leave_out(*kind) {
                for decision in decisions {
                    self.controller.complete(self.now, decision.id, Outcome::Skipped);
                }
                continue;
            }
            // Events are sent and forgotten.
            let waits = *kind != BatchKind::Event;
            sync.left = if waits { u32::try_from(decisions.len()).unwrap_or(u32::MAX) } else { 0 };
            for place in 0..decisions.len() {
                let (at, fate) = self.dispatch();
                if waits {
                    let write = Write { batches: Arc::clone(&batches), batch, place, fate, start: self.starts };
                    self.queue.push(at, Event::Write(Arc::new(write)));
                }
            }
            if waits {
                return;
            }
        }
    }

    /// When a write that is ready now is done, and what becomes of it.
    fn dispatch(&mut self) -> (Timestamp, Fate) {
        let control = self.options.control_plane;
        let now = self.now;
        let mut at =
            self.traffic.as_deref_mut().map_or(now, |traffic| traffic.client.admit(now, control.qps, control.burst));
        let mut tries = 0;
        loop {
            self.meter.api_writes = self.meter.api_writes.saturating_add(1);
            at = at.saturating_add(self.drawn(control.write_latency, Purpose::Write));
            let refused = control.too_many_requests_permille;
            if refused == 0 || self.permille(Purpose::TooManyRequests) >= refused {
                break;
            }
            if tries == RETRIES {
                return (at, Fate::Rejected);
            }
            tries += 1;
            at = at.saturating_add(RETRY_AFTER);
        }
        let ControlPlane { rejected_permille, lost_done_permille, lost_undone_permille, .. } = control;
        if rejected_permille == 0 && lost_done_permille == 0 && lost_undone_permille == 0 {
            return (at, Fate::Done);
        }
        let drawn = self.permille(Purpose::Fault);
        let lost = rejected_permille.saturating_add(lost_done_permille);
        let fate = if drawn < rejected_permille {
            Fate::Rejected
        } else if drawn < lost {
            Fate::LostDone
        } else if drawn < lost.saturating_add(lost_undone_permille) {
            Fate::LostUndone
        } else {
            Fate::Done
        };
        (at, fate)
    }

    /// A write reaches the API server, and its answer the client.
    pub(crate) fn write_lands(&mut self, write: &Write) {
        let Some(Batch { kind, decisions }) = write.batches.get(write.batch) else { return };
        let Some(Decision { id, action, reason, candidate_count }) = decisions.get(write.place) else { return };
        let (kind, fate) = (*kind, write.fate);
        let done = matches!(fate, Fate::Done | Fate::LostDone);
        let outcome = if done { self.execute_and_record(action, reason, *candidate_count) } else { Outcome::Unknown };
        let outcome = match fate {
            Fate::Done => outcome,
            Fate::Rejected => Outcome::Rejected(Rejection::Other),
            Fate::LostDone | Fate::LostUndone => Outcome::Unknown,
        };
        if kind == BatchKind::History {
            self.follow_newest_revision();
        }
        if write.start != self.starts {
            return;
        }
        let Some(sync) = self.traffic.as_deref_mut().and_then(|traffic| traffic.sync.as_mut()) else { return };
        sync.failures.note(kind, &outcome);
        sync.left = sync.left.saturating_sub(1);
        let ends = sync.left == 0;
        self.controller.complete(self.now, *id, outcome);
        if ends {
            self.send_next_batch();
        }
    }

    /// Whether the controller sees a change at once: nothing delays it, and nothing is under way before it.
    fn is_prompt(&self) -> bool {
        self.traffic.as_deref().is_none_or(|traffic| {
            traffic.seen.first().is_none() && self.options.control_plane.watch_delay == Distribution::ZERO
        })
    }

    /// The controller sees a change, at once or later.
    pub(crate) fn observe(&mut self, change: Change) {
        if self.is_controller_down {
            return;
        }
        if self.is_prompt() {
            self.controller.observe(change);
        } else {
            self.see_later(Sight::Change(change));
        }
    }

    /// The controller sees a pod as it is now.
    pub(crate) fn observe_pod(&mut self, slot: u32) {
        if self.is_controller_down {
            return;
        }
        let is_prompt = self.is_prompt();
        let Some(pod) = self.pods.get(slot) else { return };
        let Some(node) = self.nodes.get(pod.node) else { return };
        let object = self.shown.of(&self.pods, pod, &node.name);
        if is_prompt {
            let (place, _) = self.controller.observe_pod(object);
            if let (Some(place), Some(pod)) = (place, self.pods.get_mut(slot)) {
                pod.indexed_at = place;
            }
        } else {
            let object = Box::new(object.clone());
            self.see_later(Sight::Pod(object));
        }
    }

    /// The controller sees a pod of which nothing but its phase, readiness or deletion has changed.
    pub(crate) fn observe_life(&mut self, slot: u32) {
        let Some(pod) = self.pods.get(slot) else { return };
        let is_prompt = !self.is_controller_down && self.is_prompt();
        if !is_prompt || !pod.bound || !self.controller.observe_life(pod.indexed_at, &pod.uid, pod.life()) {
            self.observe_pod(slot);
        }
    }

    /// The controller sees a node.
    pub(crate) fn observe_node(&mut self, node: Arc<Node>) {
        if self.is_controller_down {
            return;
        }
        if self.is_prompt() {
            self.controller.observe_node(&node);
        } else {
            self.see_later(Sight::Node(node));
        }
    }

    /// The controller sees the DaemonSet's status, and that nothing else of it has changed.
    pub(crate) fn observe_status(&mut self, status: &DaemonSetStatus) {
        if self.is_controller_down {
            return;
        }
        if self.is_prompt() {
            self.controller.observe_status(&self.key, status.clone());
        } else {
            self.observe_daemon_set();
        }
    }

    /// The controller sees that a pod is gone.
    pub(crate) fn observe_pod_gone(&mut self, pod: &PodState) {
        let is_prompt = self.is_prompt();
        if self.is_controller_down || (is_prompt && self.controller.observe_pod_gone_at(pod.indexed_at, &pod.uid)) {
            return;
        }
        let namespace = self.pods.make(pod.make).map(|make| make.namespace.clone()).unwrap_or_default();
        let key = PodKey { namespace, name: pod.name.clone(), uid: pod.uid.clone() };
        if is_prompt {
            self.controller.observe_pod_gone(&key);
        } else {
            self.see_later(Sight::PodGone(key));
        }
    }

    fn see_later(&mut self, sight: Sight) {
        let at = self.now.saturating_add(self.drawn(self.options.control_plane.watch_delay, Purpose::Watch));
        let Some(traffic) = &mut self.traffic else { return };
        let last = traffic.seen.last().map(|(last, _)| *last);
        if at <= self.now && last.is_none() {
            self.see(sight);
        } else {
            traffic.seen.push((last.map_or(at, |last| last.max(at)), sight));
        }
    }

    fn see(&mut self, sight: Sight) {
        match sight {
            Sight::Change(change) => {
                self.controller.observe(change);
            }
            Sight::Pod(pod) => {
                self.controller.observe_pod(&pod);
            }
            Sight::Node(node) => self.controller.observe_node(&node),
            Sight::PodGone(key) => self.controller.observe_pod_gone(&key),
        }
    }

    /// When the controller sees something next.
    pub(crate) fn next_sight(&self) -> Option<Timestamp> {
        self.traffic.as_deref()?.seen.first().map(|(at, _)| *at)
    }

    /// The controller sees the next thing.
    pub(crate) fn see_next(&mut self) {
        if let Some((_, sight)) = self.traffic.as_deref_mut().and_then(|traffic| traffic.seen.pop()) {
            self.see(sight);
        }
    }

    /// The scheduler is told of a pod; it looks at it in its turn.
    pub(crate) fn hand_to_scheduler(&mut self, slot: u32) {
        if self.traffic.is_none() || !self.options.scheduler {
            self.bind_if_it_fits(slot);
            return;
        }
        let control = self.options.control_plane;
        let comes = self.now.saturating_add(self.drawn(control.scheduling_delay, Purpose::Scheduling));
        let Some(traffic) = &mut self.traffic else { return };
        let at = traffic.scheduler.admit(comes, control.scheduler_pods_per_second, 1);
        if at <= self.now {
            self.bind_if_it_fits(slot);
            return;
        }
        let Some(pod) = self.pods.get_mut(slot).filter(|pod| !pod.bound && !pod.attempt.is_queued) else { return };
        pod.attempt.is_queued = true;
        let pod = PodRef { slot, generation: pod.generation };
        self.queue.push(at, Event::Schedule(pod));
    }

    /// The scheduler looks at a pod.
    pub(crate) fn schedule_pod(&mut self, pod: PodRef) {
        let Some(slot) = self.pods.resolve(pod) else { return };
        if let Some(pod) = self.pods.get_mut(slot) {
            pod.attempt.is_queued = false;
        }
        self.bind_if_it_fits(slot);
        if self.pods.get(slot).is_some_and(|pod| pod.bound) {
            self.observe_pod(slot);
        }
    }

    /// How long something takes that has to do with no node.
    fn drawn(&mut self, distribution: Distribution, purpose: Purpose) -> Duration {
        if let Distribution::Constant(time) = distribution {
            return time;
        }
        distribution.draw(self.bits(purpose))
    }

    fn permille(&mut self, purpose: Purpose) -> u16 {
        permille_of(self.bits(purpose))
    }

    fn bits(&mut self, purpose: Purpose) -> u64 {
        let n = self.traffic.as_deref_mut().map_or(0, |traffic| {
            traffic.draws = traffic.draws.wrapping_add(1);
            traffic.draws
        });
        Random::new(self.options.seed).bits(purpose, 0, n)
    }
}

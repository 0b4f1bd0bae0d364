//! Containers that are started again: after a crash, a failed pull, a reboot of their node.

use std::time::Duration;

use rollcast_engine::api::{ContainerState, ContainerStatus, ContainerTerminated, ContainerWaiting, PodPhase, Text};

use crate::World;
use crate::nodes::{Health, NodeState};
use crate::pods::{Attempt, PodRef, Wait};
use crate::world::Event;

/// The kubelet's first delay, for pulls and for containers (`--container-backoff`, Kubernetes 1.36).
const FIRST_BACK_OFF: Duration = Duration::from_secs(10);
/// Its longest (`MaxContainerBackOff`).
const LONGEST_BACK_OFF: Duration = Duration::from_mins(5);
/// Containers that ran longer start afresh: twice the longest delay.
pub(crate) const FORGIVEN_AFTER: Duration = Duration::from_mins(10);

/// For so long a kubelet may be silent before its node counts as unreachable (`--node-monitor-grace-period`,
/// Kubernetes 1.32 and later).
const NODE_MONITOR_GRACE_PERIOD: Duration = Duration::from_secs(50);

/// The delay after so many that went before.
fn back_off(doublings: u8) -> Duration {
    FIRST_BACK_OFF.saturating_mul(1 << doublings.min(5)).min(LONGEST_BACK_OFF)
}

impl World {
    /// A pod's containers have ended, and are started again: at once the first time, then with back-off.
    pub(crate) fn pod_crashes(&mut self, pod: PodRef, run: u16) {
        let Some(slot) = self.pods.resolve(pod).filter(|slot| self.is_in_run(*slot, run)) else { return };
        if self.is_on_dead_node(slot) {
            // It goes on when the node is back.
            self.change_pod(slot, |pod| pod.attempt.wait = Wait::CrashLoopBackOff);
            return;
        }
        let tries = self.pods.get(slot).map_or(0, |pod| pod.attempt.tries);
        let delay = tries.checked_sub(1).map(back_off);
        self.change_pod(slot, |pod| {
            pod.attempt.restarts = pod.attempt.restarts.saturating_add(1);
            pod.attempt.tries = tries.saturating_add(1);
            pod.attempt.wait = if delay.is_some() { Wait::CrashLoopBackOff } else { Wait::Nothing };
        });
        self.try_again(slot, delay);
    }

    /// A pull has failed; it is tried again after a while.
    pub(crate) fn back_off_pull(&mut self, slot: u32) {
        let tries = self.pods.get(slot).map_or(0, |pod| pod.attempt.tries);
        self.change_pod(slot, |pod| {
            pod.attempt.tries = tries.saturating_add(1);
            pod.attempt.wait = Wait::ImagePullBackOff;
        });
        self.try_again(slot, Some(back_off(tries)));
    }

    /// Another run of a pod begins after a delay; what was to come of the one before no longer does.
    pub(crate) fn try_again(&mut self, slot: u32, delay: Option<Duration>) {
        self.change_pod(slot, |pod| {
            pod.attempt.run = pod.attempt.run.wrapping_add(1);
            pod.started = false;
        });
        if self.pods.get(slot).is_some_and(|pod| pod.ready) {
            self.set_ready(slot, false);
        }
        let Some(pod) = self.pods.get(slot) else { return };
        let (reference, run) = (PodRef { slot, generation: pod.generation }, pod.attempt.run);
        match delay {
            Some(delay) => self.plan(delay, Event::TryAgain { pod: reference, run }),
            None => self.pull_images(slot),
        }
    }

    /// The back-off of a pod is over.
    pub(crate) fn try_now(&mut self, pod: PodRef, run: u16) {
        let slot = self.pods.resolve(pod).filter(|slot| self.is_in_run(*slot, run));
        if let Some(slot) = slot.filter(|slot| !self.is_on_dead_node(*slot)) {
            self.pull_images(slot);
        }
    }

    /// Whether a pod goes on, and is still in that run.
    pub(crate) fn is_in_run(&self, slot: u32, run: u16) -> bool {
        self.pods.get(slot).is_some_and(|pod| pod.is_live() && !pod.is_terminal() && pod.attempt.run == run)
    }

    /// Whether nobody answers for a pod's node.
    pub(crate) fn is_on_dead_node(&self, slot: u32) -> bool {
        let node = self.pods.get(slot).and_then(|pod| self.nodes.get(pod.node));
        node.is_none_or(|state| state.health() == Health::Dead)
    }

    /// A node goes down; when it takes longer than a kubelet may be silent, that is noticed.
    pub(crate) fn reboot(&mut self, node: u32, lasts: Duration) {
        let until = self.now.saturating_add(lasts);
        if let Some(state) = self.nodes.get_mut(node) {
            state.set_down_until(state.down_until().max(Some(until)));
        }
        if lasts > NODE_MONITOR_GRACE_PERIOD {
            self.plan(NODE_MONITOR_GRACE_PERIOD, Event::NodeLost(node));
        }
        self.queue.push(until, Event::NodeBoots(node));
    }

    /// A node that has gone down is up again: what was terminating is gone, the other containers start anew.
    pub(crate) fn node_boots(&mut self, node: u32) {
        let now = self.now;
        let is_over = |state: &&mut NodeState| state.down_until().is_some_and(|until| until <= now);
        let Some(state) = self.nodes.get_mut(node).filter(is_over) else { return };
        state.set_down_until(None);
        self.mark_node_ready(node);
        for slot in self.slots_on(node, &|_| true) {
            let Some(pod) = self.pods.get(slot) else { continue };
            if !pod.is_live() {
                if !pod.wedged {
                    self.vanish(slot);
                }
            } else if pod.bound && !pod.is_terminal() {
                self.change_pod(slot, |pod| {
                    pod.attempt.restarts =
                        pod.attempt.restarts.saturating_add(u16::from(pod.phase == PodPhase::Running));
                    pod.attempt.tries = 0;
                    pod.attempt.wait = Wait::Nothing;
                });
                self.try_again(slot, None);
            }
        }
    }

    /// What the kubelet reports of a pod's containers; nothing when they simply run.
    pub(crate) fn container_statuses(&self, slot: u32) -> Vec<ContainerStatus> {
        let Some(pod) = self.pods.get(slot).filter(|pod| pod.bound) else { return Vec::new() };
        let Attempt { wait, restarts, .. } = pod.attempt;
        let reason = wait.word();
        if reason.is_empty() && restarts == 0 {
            return Vec::new();
        }
        let image = self.image_waited_for(slot).filter(|_| wait.is_for_image());
        let Some(make) = self.pods.make(pod.make) else { return Vec::new() };
        let mut containers = make.spec.containers.iter();
        let container = containers.find(|container| image.is_none_or(|image| container.image == *image));
        let message = match (wait, image) {
            (Wait::ImagePullBackOff, Some(image)) => Text::from(format!("Back-off pulling image \"{image}\"")),
            _ => Text::default(),
        };
        let waiting = (!reason.is_empty()).then(|| ContainerWaiting { reason: Text::new_static(reason), message });
        let ended = ContainerTerminated { exit_code: 1, reason: Text::new_static("Error"), finished_at: None };
        vec![ContainerStatus {
            name: container.map(|container| container.name.clone()).unwrap_or_default(),
            ready: pod.ready,
            restart_count: i32::from(restarts),
            state: ContainerState { waiting, ..ContainerState::default() },
            last_state: ContainerState { terminated: (restarts > 0).then_some(ended), ..ContainerState::default() },
            ..ContainerStatus::default()
        }]
    }
}

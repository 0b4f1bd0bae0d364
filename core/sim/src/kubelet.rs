//! The kubelets: pods start, stop and fail.

use std::num::NonZeroU16;
use std::time::Duration;

use rollcast_engine::KubernetesVersion;
use rollcast_engine::api::{ConditionStatus, PodPhase};
use rollcast_engine::availability::available_from;
use rollcast_engine::time::Timestamp;

use crate::behaviour::ALL_PODS;
use crate::nodes::{Health, NodeState};
use crate::pods::{PodRef, PodState, Wait};
use crate::random::{Purpose, Random, hash_of_name, permille_of};
use crate::restarts::FORGIVEN_AFTER;
use crate::world::Event;
use crate::{Behaviour, Distribution, World};

impl World {
    /// A pod is bound to its node and starts.
    pub(crate) fn bind(&mut self, slot: u32) {
        let behaviour = self.behaviour_of(slot);
        let pulls = behaviour.pulls_fail || self.pulls.is_some();
        self.change_pod(slot, |pod| {
            pod.bound = true;
            if !pulls {
                pod.phase = PodPhase::Running;
            }
        });
        if pulls {
            self.pull_images(slot);
        } else {
            self.start_containers(slot, &behaviour);
        }
        self.plan_eviction(slot);
    }

    /// A pod's images are there and its containers start.
    pub(crate) fn start_containers(&mut self, slot: u32, behaviour: &Behaviour) {
        // A pod that has failed stays so, though its image has come by now.
        let Some(pod) = self.pods.get(slot).filter(|pod| !pod.is_terminal()) else { return };
        let (node, reference) = (pod.node, PodRef { slot, generation: pod.generation });
        let waited = pod.attempt.wait != Wait::Nothing || pod.phase == PodPhase::Pending;
        if waited {
            self.change_pod(slot, |pod| {
                if pod.attempt.wait != Wait::CrashLoopBackOff {
                    pod.attempt.tries = 0;
                }
                pod.attempt.wait = Wait::Nothing;
                pod.phase = PodPhase::Running;
            });
        }
        let run = self.pods.get(slot).map_or(0, |pod| pod.attempt.run);
        let ready_after = behaviour.ready_after.map(|after| self.draw(after, Purpose::Ready, node));
        // Not within the moment it was made in: its successor would fail there too, and time would never move on.
        let fails_after =
            behaviour.fails_after.map(|after| self.draw(after, Purpose::Fails, node).max(Duration::from_secs(1)));
        let crashes_after = behaviour.crashes_after.map(|after| self.draw(after, Purpose::Crash, node));
        let never_ready = ready_after.is_none();
        if self.pods.get(slot).is_some_and(|pod| pod.never_ready != never_ready) {
            self.change_pod(slot, |pod| pod.never_ready = never_ready);
        }
        if let Some(after) = ready_after.filter(|ready| crashes_after.is_none_or(|crash| *ready < crash)) {
            self.plan(after, Event::Ready { pod: reference, run });
        }
        if let Some(after) = fails_after {
            self.plan(after, Event::Fails(reference));
        }
        if let Some(after) = crashes_after {
            if after > FORGIVEN_AFTER {
                self.change_pod(slot, |pod| pod.attempt.tries = 0);
            }
            self.plan(after, Event::Crash { pod: reference, run });
        }
        if waited {
            self.observe_pod(slot);
        }
    }

    /// How a pod behaves now. Every latency of a pod comes from here.
    pub(crate) fn behaviour_of(&mut self, slot: u32) -> Behaviour {
        let permille = self.special_behaviour_of(slot).map(|special| special.permille);
        let holds = permille.is_some_and(|permille| permille >= ALL_PODS || self.lot_of(slot) < permille);
        match self.special_behaviour_of(slot).filter(|_| holds) {
            Some(special) => *special,
            None => Behaviour::healthy(&self.options.latencies),
        }
    }

    /// The behaviour that may hold for a pod, if one was asked for.
    fn special_behaviour_of(&self, slot: u32) -> Option<&Behaviour> {
        let node = self.nodes.get(self.pods.get(slot)?.node);
        node.and_then(NodeState::behaviour).or(self.behaviour.as_ref())
    }

    /// A pod's number from 0 to 999, drawn when it is first asked for.
    fn lot_of(&mut self, slot: u32) -> u16 {
        let Some(pod) = self.pods.get_mut(slot) else { return 0 };
        if let Some(lot) = pod.attempt.lot {
            return lot.get() - 1;
        }
        let Some(state) = self.nodes.get_mut(pod.node) else { return 0 };
        let n = state.next_lot();
        let lot = permille_of(Random::new(self.options.seed).bits(Purpose::Lot, hash_of_name(&state.name), n));
        pod.attempt.lot = NonZeroU16::new(lot + 1);
        lot
    }

    /// How long something takes on a node this time.
    pub(crate) fn draw(&mut self, distribution: Distribution, purpose: Purpose, node: u32) -> Duration {
        if let Distribution::Constant(time) = distribution {
            return time;
        }
        let Some(state) = self.nodes.get_mut(node) else { return distribution.median() };
        let n = state.draws;
        state.draws = n.wrapping_add(1);
        distribution.draw(Random::new(self.options.seed).bits(purpose, hash_of_name(&state.name), n))
    }

    /// Whether pods on a node can become ready.
    fn lets_pods_be_ready(&self, pod: &PodState) -> bool {
        match self.nodes.get(pod.node).map_or(Health::Dead, NodeState::health) {
            Health::Ready => true,
            Health::NotReady => self.pods.make(pod.make).is_some_and(|make| make.spec.host_network),
            Health::Dead => false,
        }
    }

    pub(crate) fn pod_starts(&mut self, reference: PodRef, run: u16) {
        let Some(slot) = self.pods.resolve(reference) else { return };
        let Some(pod) = self.pods.get(slot) else { return };
        let runs = pod.attempt.run == run && pod.attempt.wait == Wait::Nothing;
        let can = runs && pod.is_live() && !pod.is_terminal() && !pod.ready && !pod.never_ready;
        if can && self.lets_pods_be_ready(pod) {
            let blocked = self.nodes.get(pod.node).and_then(NodeState::unready_until).filter(|until| *until > self.now);
            match blocked {
                Some(until) => self.queue.push(until, Event::Ready { pod: reference, run }),
                None => self.set_ready(slot, true),
            }
        }
    }

    /// Writes a pod's `Ready` condition.
    pub(crate) fn set_ready(&mut self, slot: u32, ready: bool) {
        let now = self.now.truncate_to_seconds();
        self.change_pod(slot, |pod| {
            if pod.ready != ready {
                pod.ready = ready;
                pod.ready_since = Some(now);
            }
            pod.started |= ready;
            pod.available &= ready;
        });
        self.refresh_availability(slot);
        self.observe_life(slot);
    }

    /// Says whether a pod is available, and looks again when it will be.
    pub(crate) fn refresh_availability(&mut self, slot: u32) {
        let min_ready = self.min_ready();
        let Some(pod) = self.pods.get(slot) else { return };
        let due = available_at(pod, min_ready, self.options.version);
        let available = due.is_some_and(|due| due <= self.now);
        if let Some(due) = due.filter(|_| !available) {
            self.queue.push(due, Event::Available(PodRef { slot, generation: pod.generation }));
        }
        if pod.available != available {
            self.change_pod(slot, |pod| pod.available = available);
        }
    }

    pub(crate) fn pod_becomes_available(&mut self, pod: PodRef) {
        let min_ready = self.min_ready();
        let Some(slot) = self.pods.resolve(pod) else { return };
        let Some(pod) = self.pods.get(slot) else { return };
        if !pod.available && available_at(pod, min_ready, self.options.version).is_some_and(|due| due <= self.now) {
            self.change_pod(slot, |pod| pod.available = true);
        }
    }

    /// A deleted pod's containers stop after a while, if its kubelet is there to stop them.
    pub(crate) fn stop_after_grace(&mut self, slot: u32) {
        let behaviour = self.behaviour_of(slot);
        let Some(pod) = self.pods.get(slot) else { return };
        let (node, reference) = (pod.node, PodRef { slot, generation: pod.generation });
        if let Some(gone_after) = behaviour.gone_after {
            let gone_after = self.draw(gone_after, Purpose::Gone, node);
            self.plan(gone_after, Event::Gone(reference));
        }
    }

    pub(crate) fn pod_stops(&mut self, pod: PodRef) {
        let Some(slot) = self.pods.resolve(pod) else { return };
        let Some(pod) = self.pods.get(slot) else { return };
        let dead = self.nodes.get(pod.node).is_none_or(|state| state.health() == Health::Dead);
        if !pod.is_live() && !pod.wedged && !dead {
            self.vanish(slot);
        }
    }

    pub(crate) fn pod_fails(&mut self, pod: PodRef) {
        let Some(slot) = self.pods.resolve(pod) else { return };
        let Some(pod) = self.pods.get(slot) else { return };
        let dead = self.nodes.get(pod.node).is_none_or(|state| state.health() == Health::Dead);
        if !pod.is_terminal() && !dead {
            self.fail(slot);
        }
    }

    /// Ends a pod in phase `Failed`. One that was being deleted is gone with that.
    pub(crate) fn fail(&mut self, slot: u32) {
        let node = self.pods.get(slot).map(|pod| pod.node);
        self.change_pod(slot, |pod| pod.phase = PodPhase::Failed);
        self.set_ready(slot, false);
        if self.pods.get(slot).is_some_and(|pod| !pod.is_live()) {
            self.vanish(slot);
        } else if let Some(node) = node {
            self.bind_waiting_pods(node);
        }
    }

    /// The pods of a node that is gone are cleaned up, unless it came back.
    pub(crate) fn collect(&mut self, node: u32) {
        if self.nodes.get(node).is_none_or(|state| state.object().is_some()) {
            return;
        }
        for slot in self.slots_on(node, &|pod| pod.bound) {
            self.vanish(slot);
        }
    }

    /// A node's `Ready` condition has changed, and its pods with it.
    pub(crate) fn follow_node_readiness(&mut self, node: u32, ready: ConditionStatus) {
        for slot in self.slots_on(node, &|_| true) {
            let Some(pod) = self.pods.get(slot) else { continue };
            if ready != ConditionStatus::True {
                if pod.ready {
                    self.set_ready(slot, false);
                }
            } else if !pod.is_live() {
                if !pod.wedged {
                    self.stop_after_grace(slot);
                }
            } else if pod.bound && !pod.is_terminal() && pod.attempt.wait.is_back_off() {
                // A kubelet that comes back has forgotten how often it tried.
                self.try_again(slot, None);
            } else if pod.bound && !pod.is_terminal() && !pod.never_ready {
                // Containers that were up have run on meanwhile.
                let (started, run) = (pod.started, pod.attempt.run);
                let reference = PodRef { slot, generation: pod.generation };
                let after = if started { Some(Distribution::ZERO) } else { self.behaviour_of(slot).ready_after };
                if let Some(after) = after {
                    let after = self.draw(after, Purpose::Ready, node);
                    self.plan(after, Event::Ready { pod: reference, run });
                }
            }
        }
    }

    /// What is to be expected of a pod that a snapshot holds.
    pub(crate) fn resume(&mut self, slot: u32) {
        const OVERDUE: Duration = Duration::from_mins(1);
        let behaviour = self.behaviour_of(slot);
        let Some(pod) = self.pods.get(slot) else { return };
        let reference = PodRef { slot, generation: pod.generation };
        if let Some(due) = pod.deleted {
            let left = due.saturating_since(self.now);
            match behaviour.gone_after {
                Some(gone_after) if self.now.saturating_since(due) <= OVERDUE => {
                    // It was deleted its grace period before it is due.
                    let running = self.pods.grace(pod).saturating_sub(left);
                    let at = self.now.saturating_add(gone_after.median().saturating_sub(running));
                    self.queue.push(at, Event::Gone(reference));
                }
                _ => self.change_pod(slot, |pod| pod.wedged = true),
            }
        } else if !pod.bound {
            self.bind_if_it_fits(slot);
            if self.pods.get(slot).is_some_and(|pod| pod.bound) {
                self.observe_pod(slot);
            }
        } else if !pod.ready && !pod.is_terminal() {
            let run = pod.attempt.run;
            let due =
                pod.created.zip(behaviour.ready_after).map(|(created, after)| created.saturating_add(after.p95()));
            match due.filter(|&due| due >= self.now) {
                Some(due) => self.queue.push(due, Event::Ready { pod: reference, run }),
                None => self.change_pod(slot, |pod| pod.never_ready = true),
            }
        }
    }
}

/// When a pod is available if nothing but time changes; absent when time changes nothing.
fn available_at(pod: &PodState, min_ready: Duration, version: KubernetesVersion) -> Option<Timestamp> {
    match (pod.ready, pod.ready_since) {
        (false, _) => None,
        (true, Some(since)) => Some(available_from(since, min_ready, version)),
        (true, None) => min_ready.is_zero().then_some(Timestamp::from_micros(i64::MIN)),
    }
}

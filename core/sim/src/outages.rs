//! What fate and other workloads do: readiness that fails for a while, evictions, pods that come and go, a controller
//! that starts anew; and how everything is mended.

use std::time::Duration;

use rollcast_engine::api::{ObjectKey, Pod, Taint, TaintEffect};
use rollcast_engine::controller::{Change, Controller, Snapshot};
use rollcast_engine::ownership::is_own;
use rollcast_engine::scheduling::tolerates;
use rollcast_engine::time::Timestamp;

use crate::nodes::Health;
use crate::pods::{PodRef, PodState, Wait};
use crate::random::Purpose;
use crate::scenario::{NodeSelection, PodSelection};
use crate::world::Event;
use crate::{EventRefusal, World};

impl World {
    /// The numbers of the nodes that are meant.
    pub(crate) fn selected(&mut self, nodes: &NodeSelection) -> Result<Vec<u32>, EventRefusal> {
        match nodes {
            NodeSelection::All => Ok(self.nodes.numbers().collect()),
            NodeSelection::Named(names) => names.iter().map(|name| self.existing_node(name)).collect(),
        }
    }

    /// Pods stop being ready, and no pod becomes ready, until a while has passed.
    pub(crate) fn fail_readiness(&mut self, nodes: &NodeSelection, lasts: Duration) -> Result<(), EventRefusal> {
        let until = self.now.saturating_add(lasts);
        for node in self.selected(nodes)? {
            if let Some(state) = self.nodes.get_mut(node) {
                state.set_unready_until(state.unready_until().max(Some(until)));
            }
            for slot in self.slots_on(node, &|pod| pod.ready) {
                self.set_ready(slot, false);
                self.ready_at(slot, until);
            }
        }
        Ok(())
    }

    /// A pod's present run is going to be ready.
    fn ready_at(&mut self, slot: u32, at: Timestamp) {
        if let Some(pod) = self.pods.get(slot) {
            let (pod, run) = (PodRef { slot, generation: pod.generation }, pod.attempt.run);
            self.queue.push(at, Event::Ready { pod, run });
        }
    }

    /// Pods start and stop as the latencies say again; those that hang go on.
    pub(crate) fn heal(&mut self, nodes: &NodeSelection) -> Result<(), EventRefusal> {
        let numbers = self.selected(nodes)?;
        if *nodes == NodeSelection::All {
            self.behaviour = None;
        }
        for node in numbers {
            let Some(state) = self.nodes.get_mut(node) else { continue };
            state.set_behaviour(None);
            state.set_unready_until(None);
            for slot in self.slots_on(node, &|_| true) {
                self.heal_pod(slot);
            }
        }
        Ok(())
    }

    fn heal_pod(&mut self, slot: u32) {
        let Some(pod) = self.pods.get(slot) else { return };
        let node = pod.node;
        let hangs = pod.wedged || (pod.never_ready && !pod.ready);
        let is_up = pod.bound && !pod.is_terminal() && pod.attempt.wait == Wait::Nothing && !pod.ready;
        self.change_pod(slot, |pod| (pod.wedged, pod.never_ready) = (false, false));
        if self.pods.get(slot).is_some_and(|pod| !pod.is_live()) {
            if !self.is_on_dead_node(slot) {
                self.stop_after_grace(slot);
            }
        } else if hangs && is_up {
            let after = self.options.latencies.pod_ready_after;
            let after = self.draw(after, Purpose::Ready, node);
            self.ready_at(slot, self.now.saturating_add(after));
        }
    }

    /// The taints of a node have changed: evictions that no longer hold are called off, others planned.
    pub(crate) fn follow_taints(&mut self, node: u32) {
        let Some(state) = self.nodes.get_mut(node) else { return };
        if !state.object().is_some_and(|object| object.spec.taints.iter().any(is_no_execute)) {
            state.call_off_evictions();
            return;
        }
        for slot in self.slots_on(node, &|_| true) {
            self.plan_eviction(slot);
        }
    }

    /// A pod that bears a `NoExecute` taint of its node only for so many seconds is deleted then (upstream's
    /// `tainteviction` controller, Kubernetes 1.36). One that does not bear it at all is left to the DaemonSet
    /// controller, which deletes it as soon.
    pub(crate) fn plan_eviction(&mut self, slot: u32) {
        let Some(pod) = self.pods.get(slot).filter(|pod| pod.bound && pod.is_live() && !pod.is_terminal()) else {
            return;
        };
        let Some(state) = self.nodes.get(pod.node) else { return };
        let Some(object) = state.object().filter(|object| !object.spec.taints.is_empty()) else { return };
        let Some(make) = self.pods.make(pod.make) else { return };
        let mut borne_for: Option<u64> = None;
        for taint in object.spec.taints.iter().filter(|taint| is_no_execute(taint)) {
            let mut tolerations = make.spec.tolerations.iter();
            let Some(toleration) = tolerations.find(|toleration| tolerates(toleration, taint)) else { return };
            if let Some(seconds) = toleration.toleration_seconds {
                let seconds = u64::try_from(seconds).unwrap_or_default();
                borne_for = Some(borne_for.map_or(seconds, |least| least.min(seconds)));
            }
        }
        if let Some(seconds) = borne_for {
            let pod = PodRef { slot, generation: pod.generation };
            let event = Event::Evict { pod, evictions: state.evictions() };
            // Not within the moment it was made in: its successor would go there too, and time would never move on.
            self.plan(Duration::from_secs(seconds.max(1)), event);
        }
    }

    /// The time for which a pod bears its node's taints is over.
    pub(crate) fn evict(&mut self, pod: PodRef, evictions: u16) {
        let Some(slot) = self.pods.resolve(pod) else { return };
        let node = self.pods.get(slot).filter(|pod| pod.is_live()).and_then(|pod| self.nodes.get(pod.node));
        let Some(name) = node.filter(|state| state.evictions() == evictions).map(|state| state.name.clone()) else {
            return;
        };
        self.recorder.mark(self.elapsed(), crate::MarkKind::PodEvicted, name);
        self.delete(slot);
    }

    /// A pod of another workload takes up room on its node.
    pub(crate) fn add_other_pod(&mut self, pod: Pod) -> Result<(), EventRefusal> {
        let key = pod.metadata.key();
        if self.daemon_set().is_some_and(|daemon_set| is_own(daemon_set, &pod)) {
            return Err(EventRefusal::OwnPod(key.name));
        }
        let node = self.existing_node(&pod.spec.node_name)?;
        let version = self.options.version;
        let Some(state) = self.nodes.get_mut(node) else { return Ok(()) };
        if state.others().iter().any(|other| other.metadata.key() == key) {
            return Err(EventRefusal::PodExists(key.name));
        }
        state.add_other(pod);
        state.add_up_others(version);
        self.refresh_others(node);
        Ok(())
    }

    /// A pod of another workload is gone.
    pub(crate) fn remove_other_pod(&mut self, key: &ObjectKey) -> Result<(), EventRefusal> {
        let is_it = |pod: &Pod| pod.metadata.namespace == key.namespace && pod.metadata.name == key.name;
        let mut nodes = self.nodes.numbers();
        let has_it = |node: &u32| self.nodes.get(*node).is_some_and(|state| state.others().iter().any(is_it));
        let Some(node) = nodes.find(has_it) else {
            return Err(EventRefusal::NoSuchPod(PodSelection::Named(key.name.clone())));
        };
        let version = self.options.version;
        if let Some(state) = self.nodes.get_mut(node) {
            state.remove_others(version, is_it);
        }
        self.refresh_others(node);
        Ok(())
    }

    fn refresh_others(&mut self, node: u32) {
        self.others = None;
        self.bind_waiting_pods(node);
    }

    /// The controller ends, and with it everything that it remembered.
    pub(crate) fn stop_controller(&mut self, lasts: Duration) {
        self.controller = Controller::default().with_version(self.options.version);
        self.forget_traffic();
        self.wake_at = None;
        self.starts = self.starts.wrapping_add(1);
        self.is_controller_down = true;
        self.plan(lasts, Event::ControllerStarts(self.starts));
    }

    /// A new controller starts from what there is now.
    pub(crate) fn start_controller(&mut self, start: u32) {
        if start == self.starts {
            self.is_controller_down = false;
            self.controller.observe(Change::Reset(Box::new(Snapshot {
                daemon_sets: self.daemon_set().into_iter().cloned().collect(),
                nodes: self.nodes().cloned().collect(),
                pods: self.pods().collect(),
                revisions: self.revisions.clone(),
            })));
        }
    }

    /// Whether a node's kubelet answers.
    pub(crate) fn is_in_reach(&self, node: u32) -> bool {
        self.nodes.get(node).is_some_and(|state| state.health() != Health::Dead)
    }

    /// The live pods on a node.
    pub(crate) fn live_pods_on(&self, node: u32) -> Vec<u32> {
        self.slots_on(node, &PodState::is_live)
    }
}

fn is_no_execute(taint: &Taint) -> bool {
    taint.effect == TaintEffect::NoExecute
}

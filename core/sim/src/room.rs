//! The scheduler: whether a pod has room on the node it is pinned to.

use std::sync::Arc;

use rollcast_engine::api::{
    Condition, ConditionStatus, Node, NodeSpec, ObjectKey, Pod, PodSpec, ResourceList, Taint, Text,
};
use rollcast_engine::placement::{Fit, Preemption, fit_among, preemption, unschedulable_message};
use rollcast_engine::scheduling::{NodeUsage, PodAffinityState, PodIdentity, priority_of};

use crate::World;
use crate::pods::PodState;

/// Which of the DaemonSet's own pods the terms about other pods can see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reach {
    /// There are no such terms.
    #[default]
    Nothing,
    /// Those on the same node.
    SameNode,
    /// Those on any node.
    Everywhere,
}

impl Reach {
    /// Read from the required affinity and anti-affinity of a pod.
    pub fn of(spec: &PodSpec) -> Self {
        const HOSTNAME: &str = "kubernetes.io/hostname";
        let against = &spec.affinity.pod_anti_affinity.required;
        if !spec.affinity.pod_affinity.required.is_empty() || against.iter().any(|term| term.topology_key != HOSTNAME) {
            Self::Everywhere
        } else if against.is_empty() {
            Self::Nothing
        } else {
            Self::SameNode
        }
    }
}

/// The scheduler's last answer for a template without terms about other pods, and all that it rests on: labels, names
/// and affinity are looked at apart.
#[derive(Debug)]
pub(crate) struct LastFit {
    unschedulable: bool,
    taints: Vec<Taint>,
    allocatable: ResourceList,
    usage: NodeUsage,
    fits: bool,
}

impl LastFit {
    fn of(node: &Node, usage: &NodeUsage, fits: bool) -> Self {
        let (NodeSpec { unschedulable, taints }, allocatable) = (node.spec.clone(), node.status.allocatable.clone());
        Self { unschedulable, taints, allocatable, usage: usage.clone(), fits }
    }

    /// The answer for a node that differs in nothing.
    fn again(&self, node: &Node, usage: &NodeUsage) -> Option<bool> {
        let same = self.unschedulable == node.spec.unschedulable
            && self.taints == node.spec.taints
            && self.allocatable == node.status.allocatable
            && self.usage == *usage;
        same.then_some(self.fits)
    }
}

impl World {
    /// The scheduler has a look at a pod that is not bound.
    pub(crate) fn bind_if_it_fits(&mut self, slot: u32) {
        let Some(pod) = self.pods.get(slot) else { return };
        if pod.bound || !pod.is_live() || pod.is_terminal() {
            return;
        }
        if self.nodes.get(pod.node).is_none_or(|state| state.object().is_none()) {
            return;
        }
        if !self.options.scheduler || self.skips_the_scheduler() {
            self.bind(slot);
            return;
        }
        self.gather_others();
        if self.fits(slot) {
            self.bind(slot);
        }
    }

    /// Something on a node has changed: the pods that wait for it are looked at again.
    pub(crate) fn bind_waiting_pods(&mut self, node: u32) {
        for slot in self.slots_on(node, &|pod| !pod.bound && !pod.attempt.is_queued) {
            self.hand_to_scheduler(slot);
            if self.pods.get(slot).is_some_and(|pod| pod.bound) {
                self.observe_pod(slot);
            }
        }
    }

    fn skips_the_scheduler(&self) -> bool {
        self.rules.as_ref().is_some_and(|rules| !rules.node_name().is_empty())
    }

    /// What the pods of other workloads mean for this one's affinity, unless it is known.
    fn gather_others(&mut self) {
        let Some(rules) = self.rules.as_ref().filter(|_| self.others.is_none()) else { return };
        let identity = PodIdentity { namespace: &self.key.namespace, labels: rules.template().labels() };
        let others = PodAffinityState::of(rules.template().spec(), identity, self.placed_others());
        self.others = Some(Arc::new(others));
    }

    fn fits(&mut self, slot: u32) -> bool {
        let (Some(rules), Some(others), Some(pod)) = (&self.rules, &self.others, self.pods.get(slot)) else {
            return true;
        };
        let Some(node) = self.nodes.get(pod.node) else { return false };
        let Some(object) = node.object().map(|object| &**object) else { return false };
        let beside = || {
            let on_node = self.pods_on(pod.node).filter_map(|slot| self.pods.get(slot));
            on_node.filter(|other| other.bound && !other.is_terminal())
        };
        let with_own;
        let usage = if beside().next().is_none() {
            node.usage()
        } else {
            with_own = self.usage_on(pod.node);
            &with_own
        };
        let identity = PodIdentity { namespace: &self.key.namespace, labels: rules.template().labels() };
        let spec = rules.template().spec();
        match self.reach {
            Reach::Nothing => {
                // Most nodes are like the one before.
                let selected = rules.requirements().node_selector_matches(&object.metadata.labels);
                if !selected || others.refusal_on(object).is_some() {
                    return false;
                }
                if let Some(fits) = self.last_fit.as_ref().and_then(|last| last.again(object, usage)) {
                    return fits;
                }
                let fits = fit_among(rules, object, usage, &PodAffinityState::default()).fits();
                self.last_fit = Some(Arc::new(LastFit::of(object, usage, fits)));
                fits
            }
            Reach::SameNode => {
                let own: Vec<Pod> = beside().filter_map(|pod| self.scheduled(pod)).collect();
                let own = PodAffinityState::of(spec, identity, own.iter().map(|pod| (object, pod)));
                fit_among(rules, object, usage, &own).fits() && others.refusal_on(object).is_none()
            }
            Reach::Everywhere => {
                let own: Vec<(u32, Pod)> =
                    self.pods.iter().filter_map(|(_, pod)| Some((pod.node, self.scheduled(pod)?))).collect();
                let own = own.iter().filter_map(|(node, pod)| Some((&**self.nodes.get(*node)?.object()?, pod)));
                let all = PodAffinityState::of(spec, identity, self.placed_others().chain(own));
                fit_among(rules, object, usage, &all).fits()
            }
        }
    }

    /// What kube-scheduler writes into each pod that it has looked at and not bound: that the pod does not fit, and why.
    pub(crate) fn unscheduled_conditions(&self) -> Vec<(u32, Condition)> {
        let is_waiting = |pod: &PodState| !pod.bound && pod.is_live() && !pod.is_terminal() && !pod.attempt.is_queued;
        let Some(rules) = self.rules.as_ref().filter(|_| self.pods.iter().any(|(_, pod)| is_waiting(pod))) else {
            return Vec::new();
        };
        let own: Vec<(u32, Pod)> =
            self.pods.iter().filter_map(|(_, pod)| Some((pod.node, self.scheduled(pod)?))).collect();
        let all = {
            let own = own.iter().filter_map(|(node, pod)| Some((&**self.nodes.get(*node)?.object()?, pod)));
            let identity = PodIdentity { namespace: &self.key.namespace, labels: rules.template().labels() };
            PodAffinityState::of(rules.template().spec(), identity, self.placed_others().chain(own))
        };
        let node_count = u32::try_from(self.nodes().count()).unwrap_or(u32::MAX);
        let priority = priority_of(rules.template().spec()).unwrap_or_default();
        let waiting = self.pods.iter().filter(|(_, pod)| is_waiting(pod));
        let condition = |(slot, pod): (u32, &PodState)| {
            let node = self.nodes.get(pod.node)?;
            let fit = node.object().map(|object| fit_among(rules, object, &self.usage_on(pod.node), &all));
            if fit.as_ref().is_some_and(Fit::fits) {
                return None;
            }
            let pinned = fit.as_ref().map(|fit| (node.name.as_str(), fit));
            // What the scheduler would do is told; it is not played.
            let there = own.iter().filter(|(number, _)| *number == pod.node).map(|(_, own)| own);
            let preemption = match node.object().zip(fit.as_ref()) {
                Some((object, fit)) => {
                    preemption(rules, priority, &self.key.namespace, object, node.others().iter().chain(there), fit)
                }
                None => Preemption::NotHelpful,
            };
            let condition = Condition {
                condition_type: Text::new_static("PodScheduled"),
                status: ConditionStatus::False,
                last_transition_time: pod.created,
                reason: Text::new_static("Unschedulable"),
                message: unschedulable_message(node_count, pinned, &preemption, self.options.version).into(),
            };
            Some((slot, condition))
        };
        waiting.filter_map(condition).collect()
    }

    /// What the pods on a node take up, its own included.
    fn usage_on(&self, node: u32) -> NodeUsage {
        let mut usage = self.nodes.get(node).map(|state| state.usage().clone()).unwrap_or_default();
        for own in self.pods_on(node).filter_map(|slot| self.pods.get(slot)) {
            if let (true, Some(make), Some(demand)) =
                (own.bound && !own.is_terminal(), self.pods.make(own.make), self.pods.demand(own.make))
            {
                usage.add(&ObjectKey { namespace: make.namespace.clone(), name: own.name.clone() }, demand);
            }
        }
        usage
    }

    /// The pods of other workloads, with their nodes.
    fn placed_others(&self) -> impl Iterator<Item = (&Node, &Pod)> {
        let placed = self.nodes.iter().filter_map(|state| Some((&**state.object()?, state.others())));
        placed.flat_map(|(object, pods)| pods.iter().map(move |pod| (object, pod)))
    }

    fn scheduled(&self, pod: &PodState) -> Option<Pod> {
        Some(self.pods.object(pod, &self.nodes.get(pod.node)?.name))
    }
}

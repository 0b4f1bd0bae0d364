//! What is done to the cluster from outside.

use std::sync::Arc;

use rollcast_engine::api::{
    Condition, ConditionStatus, DaemonSet, Labels, Node, ObjectKey, ObjectMeta, Taint, TaintEffect, Text,
};
use rollcast_engine::controller::Change;

use crate::nodes::NodeState;
use crate::pods::PodState;
use crate::scenario::{Cascade, NodeSelection, PodSelection};
use crate::server::{let_go, release};
use crate::world::Event;
use crate::{Behaviour, EventRefusal, MarkKind, ScenarioEvent, World};

const UNSCHEDULABLE: &str = "node.kubernetes.io/unschedulable";
const NOT_READY: &str = "node.kubernetes.io/not-ready";
const UNREACHABLE: &str = "node.kubernetes.io/unreachable";

impl World {
    /// Does something to the cluster, now. What cannot be done is refused, and listed by [`World::refusals`].
    #[expect(clippy::needless_pass_by_value, reason = "an event happens once")]
    pub fn apply(&mut self, event: ScenarioEvent) -> Result<(), EventRefusal> {
        if self.carry_out_or_refuse(&event) {
            return Ok(());
        }
        self.refusals.last().map_or(Ok(()), |(_, refusal)| Err(refusal.clone()))
    }

    /// Does what an event says; whether that could be done. If not, the refusal is the last one on the list.
    // Seldom called, from where every event of a play passes: it is kept out of there.
    #[cold]
    #[inline(never)]
    pub(crate) fn carry_out_or_refuse(&mut self, event: &ScenarioEvent) -> bool {
        let (kind, about) = event.mark();
        match self.carry_out_event(event) {
            Ok(()) => {
                self.recorder.mark(self.elapsed(), kind, about.clone());
                self.look_at_all_nodes_again();
                self.stir();
                true
            }
            Err(refusal) => {
                self.refusals.push((self.elapsed(), refusal));
                false
            }
        }
    }

    fn carry_out_event(&mut self, event: &ScenarioEvent) -> Result<(), EventRefusal> {
        match event {
            ScenarioEvent::Apply(daemon_set) => return self.apply_manifest(daemon_set),
            ScenarioEvent::DeleteDaemonSet(cascade) => return self.delete_daemon_set(*cascade),
            ScenarioEvent::AddNode(node) => return self.add_node(node),
            ScenarioEvent::RemoveNode(name) => return self.remove_node(name),
            ScenarioEvent::SetLabel { node, .. }
            | ScenarioEvent::AddTaint { node, .. }
            | ScenarioEvent::RemoveTaint { node, .. }
            | ScenarioEvent::SetUnschedulable { node, .. }
            | ScenarioEvent::SetAllocatable { node, .. } => {
                return self.change_node(node, &mut |node| follow_event(node, event));
            }
            ScenarioEvent::SetNodeReady { node, ready } => return self.set_node_ready(node, *ready),
            ScenarioEvent::DeletePods { pods, force: true } => return self.for_pods(pods, &mut Self::vanish),
            ScenarioEvent::DeletePods { pods, force: false } => return self.for_pods(pods, &mut Self::delete),
            ScenarioEvent::FailPods(pods) => return self.for_pods(pods, &mut Self::fail),
            ScenarioEvent::WedgePods(pods) => {
                return self.for_pods(pods, &mut |world, slot| world.change_pod(slot, |pod| pod.wedged = true));
            }
            ScenarioEvent::SetPodsReady { pods, ready } => {
                return self.for_pods(pods, &mut |world, slot| world.hold_ready(slot, *ready));
            }
            ScenarioEvent::Behave { nodes, behaviour } => return self.behave(nodes, *behaviour),
            ScenarioEvent::Heal(nodes) => return self.heal(nodes),
            ScenarioEvent::FailReadiness { nodes, lasts } => return self.fail_readiness(nodes, *lasts),
            ScenarioEvent::RebootNode { node, lasts } => {
                let node = self.existing_node(node)?;
                self.reboot(node, *lasts);
            }
            ScenarioEvent::AddPod(pod) => return self.add_other_pod((**pod).clone()),
            ScenarioEvent::RemovePod(key) => return self.remove_other_pod(key),
            ScenarioEvent::RestartController { lasts } => self.stop_controller(*lasts),
            ScenarioEvent::SetControlPlane(control_plane) => {
                self.options.control_plane = *control_plane;
                self.follow_control_plane();
            }
            ScenarioEvent::Undo { to_revision } => return self.undo(*to_revision),
            ScenarioEvent::Restart => return self.restart_rollout(),
            ScenarioEvent::DeleteOutdatedPods { at_once } => self.delete_by_hand(*at_once),
        }
        Ok(())
    }

    fn behave(&mut self, nodes: &NodeSelection, behaviour: Behaviour) -> Result<(), EventRefusal> {
        if behaviour.pulls_fail && self.pulls.is_none() {
            self.stock_images();
        }
        let NodeSelection::Named(names) = nodes else {
            self.behaviour = Some(behaviour);
            return Ok(());
        };
        for name in names {
            let number = self.nodes.find(name).ok_or_else(|| EventRefusal::NoSuchNode(name.clone()))?;
            if let Some(state) = self.nodes.get_mut(number) {
                state.set_behaviour(Some(behaviour));
            }
        }
        Ok(())
    }

    /// A pod is ready, or is not, until something else is said. What has ended is ready no more.
    fn hold_ready(&mut self, slot: u32, ready: bool) {
        if self.pods.get(slot).is_none_or(PodState::is_terminal) {
            return;
        }
        self.change_pod(slot, |pod| pod.never_ready = !ready);
        self.set_ready(slot, ready);
    }

    /// As the API server stores it: a changed spec raises the generation, a changed template also its own
    /// (semantics of upstream's `daemonSetStrategy`).
    fn apply_manifest(&mut self, manifest: &DaemonSet) -> Result<(), EventRefusal> {
        if manifest.metadata.name != self.key.name || manifest.metadata.namespace != self.key.namespace {
            return Err(EventRefusal::OtherDaemonSet(manifest.metadata.name.clone()));
        }
        let stored = match self.daemon_set.take() {
            None => self.first_stored(manifest.clone()),
            Some(stored) if stored.spec.selector != manifest.spec.selector => {
                self.daemon_set = Some(stored);
                return Err(EventRefusal::SelectorIsImmutable);
            }
            Some(stored) => changed(*stored, manifest.clone()),
        };
        self.daemon_set = Some(Box::new(stored));
        self.refresh_daemon_set();
        self.observe_daemon_set();
        Ok(())
    }

    pub(crate) fn first_stored(&mut self, manifest: DaemonSet) -> DaemonSet {
        let annotations = manifest.metadata.annotations.with(DaemonSet::TEMPLATE_GENERATION_ANNOTATION, "1");
        let metadata = ObjectMeta {
            uid: self.new_uid("daemonset"),
            generation: 1,
            creation_timestamp: Some(self.now.truncate_to_seconds()),
            deletion_timestamp: None,
            annotations,
            ..manifest.metadata
        };
        DaemonSet { metadata, spec: manifest.spec, status: rollcast_engine::api::DaemonSetStatus::default() }
    }

    fn delete_daemon_set(&mut self, cascade: Cascade) -> Result<(), EventRefusal> {
        let now = self.now.truncate_to_seconds();
        let own = self.pods.slots_of(&|pod| self.owns(pod.make));
        let Some(daemon_set) = self.daemon_set.as_deref_mut() else { return Err(EventRefusal::NoDaemonSet) };
        match cascade {
            Cascade::Foreground => {
                daemon_set.metadata.deletion_timestamp.get_or_insert(now);
                self.observe_daemon_set();
                for slot in own {
                    self.delete(slot);
                }
                self.finish_foreground_deletion();
            }
            Cascade::Background => {
                self.forget_daemon_set(true);
                for slot in own {
                    self.delete(slot);
                }
            }
            Cascade::Orphan => {
                for slot in own {
                    self.remake_at(slot, &mut |make| let_go(&mut make.owners));
                }
                self.forget_daemon_set(false);
            }
        }
        Ok(())
    }

    /// A DaemonSet that waits for its pods to be gone goes after the last of them.
    pub(crate) fn finish_foreground_deletion(&mut self) {
        let waits = self.daemon_set.as_deref().is_some_and(|daemon_set| daemon_set.metadata.is_being_deleted());
        if waits && !self.pods.iter().any(|(_, pod)| self.owns(pod.make)) {
            self.forget_daemon_set(true);
        }
    }

    /// The DaemonSet's object is gone, and its revisions with it or without their owner.
    fn forget_daemon_set(&mut self, with_revisions: bool) {
        let Some(daemon_set) = self.daemon_set.take() else { return };
        let is_own = |metadata: &ObjectMeta| {
            metadata.controller_owner().is_some_and(|owner| owner.uid == daemon_set.metadata.uid)
        };
        let all = self.revisions.iter().map(|revision| &revision.metadata);
        let own: Vec<ObjectKey> = all.filter(|metadata| is_own(metadata)).map(ObjectMeta::key).collect();
        self.observe(Change::DaemonSetGone(self.key.clone()));
        for key in own {
            if with_revisions {
                self.delete_revision(&key);
            } else {
                self.change_revision(&key, &mut release);
            }
        }
        self.current = Text::default();
        self.refresh_daemon_set();
    }

    fn add_node(&mut self, node: &Node) -> Result<(), EventRefusal> {
        let name = node.metadata.name.clone();
        let known = self.nodes.len();
        let number = self.nodes.find_or_add(&name);
        if self.nodes.len() > known {
            self.recorder.add_node(name.clone());
        }
        let Some(state) = self.nodes.get_mut(number).filter(|state| state.object().is_none()) else {
            return Err(EventRefusal::NodeExists(name));
        };
        let node = Arc::new(node.clone());
        state.set_object(Some(Arc::clone(&node)));
        self.observe_node(node);
        self.refresh_node(number);
        self.bind_waiting_pods(number);
        Ok(())
    }

    fn remove_node(&mut self, name: &Text) -> Result<(), EventRefusal> {
        let number = self.existing_node(name)?;
        if let Some(state) = self.nodes.get_mut(number) {
            state.set_object(None);
            state.set_behaviour(None);
            state.set_down_until(None);
            state.set_unready_until(None);
        }
        self.observe(Change::NodeGone(name.clone()));
        self.refresh_node(number);
        self.plan(self.options.latencies.orphaned_pods_gone_after, Event::Collect(number));
        Ok(())
    }

    fn change_node(&mut self, name: &Text, change: &mut dyn FnMut(&mut Node)) -> Result<(), EventRefusal> {
        let number = self.existing_node(name)?;
        if let Some(state) = self.nodes.get_mut(number)
            && let Some(mut object) = state.object().map(Arc::clone)
        {
            change(Arc::make_mut(&mut object));
            state.set_object(Some(Arc::clone(&object)));
            self.observe_node(object);
        }
        self.refresh_node(number);
        self.follow_taints(number);
        self.bind_waiting_pods(number);
        Ok(())
    }

    fn set_node_ready(&mut self, name: &Text, ready: ConditionStatus) -> Result<(), EventRefusal> {
        self.mark_node(name, ready)?;
        let number = self.existing_node(name)?;
        self.follow_node_readiness(number, ready);
        Ok(())
    }

    /// A node's kubelet has not been heard of for long, unless it is up again.
    pub(crate) fn lose_node(&mut self, node: u32) {
        let lost = self.nodes.get(node).filter(|state| state.down_until().is_some());
        if let Some(name) = lost.map(|state| state.name.clone())
            && self.set_node_ready(&name, ConditionStatus::Unknown).is_ok()
        {
            self.recorder.mark(self.elapsed(), MarkKind::NodeNotReady, name);
        }
    }

    /// A node's kubelet is heard of again.
    pub(crate) fn mark_node_ready(&mut self, node: u32) {
        let Some(state) = self.nodes.get(node) else { return };
        let is_unready =
            |condition: &Condition| condition.condition_type == "Ready" && condition.status != ConditionStatus::True;
        let known = state.object().is_some_and(|object| object.status.conditions.iter().any(is_unready));
        let name = state.name.clone();
        if known && self.mark_node(&name, ConditionStatus::True).is_ok() {
            self.recorder.mark(self.elapsed(), MarkKind::NodeReady, name);
        }
    }

    /// Writes a node's `Ready` condition and the taints that go with it.
    fn mark_node(&mut self, name: &Text, ready: ConditionStatus) -> Result<(), EventRefusal> {
        let now = self.now.truncate_to_seconds();
        self.change_node(name, &mut |node| {
            take_taints(node, &|taint| taint.key == NOT_READY || taint.key == UNREACHABLE);
            let key = match ready {
                ConditionStatus::True => None,
                ConditionStatus::False => Some(NOT_READY),
                ConditionStatus::Unknown => Some(UNREACHABLE),
            };
            if let Some(key) = key {
                put_taint(node, taint(key, TaintEffect::NoSchedule));
                put_taint(node, taint(key, TaintEffect::NoExecute));
            }
            let conditions = &mut node.status.conditions;
            conditions.retain(|condition| condition.condition_type != "Ready");
            conditions.push(Condition {
                condition_type: Text::new_static("Ready"),
                status: ready,
                last_transition_time: Some(now),
                ..Condition::default()
            });
        })
    }

    pub(crate) fn existing_node(&mut self, name: &Text) -> Result<u32, EventRefusal> {
        let number = self.nodes.find(name);
        let exists = |number: &u32| self.nodes.get(*number).is_some_and(|state: &NodeState| state.object().is_some());
        number.filter(exists).ok_or_else(|| EventRefusal::NoSuchNode(name.clone()))
    }

    fn for_pods(&mut self, pods: &PodSelection, act: &mut dyn FnMut(&mut Self, u32)) -> Result<(), EventRefusal> {
        let chosen: Vec<u32> = match pods {
            PodSelection::Named(name) => self.pods.slots_of(&|pod| pod.name == *name),
            PodSelection::OnNode(name) => match self.nodes.find(name) {
                Some(node) => self.live_pods_on(node),
                None => return Err(EventRefusal::NoSuchNode(name.clone())),
            },
        };
        if chosen.is_empty() {
            return Err(EventRefusal::NoSuchPod(pods.clone()));
        }
        for slot in chosen {
            act(self, slot);
        }
        Ok(())
    }
}

/// What an event that is about a node alone makes of its object.
fn follow_event(node: &mut Node, event: &ScenarioEvent) {
    match event {
        ScenarioEvent::SetLabel { key, value: Some(value), .. } => {
            node.metadata.labels = node.metadata.labels.with(key, value);
        }
        ScenarioEvent::SetLabel { key, value: None, .. } => node.metadata.labels = node.metadata.labels.without(key),
        ScenarioEvent::AddTaint { taint, .. } => put_taint(node, taint.clone()),
        ScenarioEvent::RemoveTaint { key, effect, .. } => {
            let of_every_effect = *effect == TaintEffect::Unset;
            take_taints(node, &|taint| taint.key == *key && (of_every_effect || taint.effect == *effect));
        }
        ScenarioEvent::SetUnschedulable { unschedulable, .. } => {
            node.spec.unschedulable = *unschedulable;
            if *unschedulable {
                put_taint(node, taint(UNSCHEDULABLE, TaintEffect::NoSchedule));
            } else {
                take_taints(node, &|taint| taint.key == UNSCHEDULABLE);
            }
        }
        ScenarioEvent::SetAllocatable { allocatable, .. } => node.status.allocatable = allocatable.clone(),
        _ => {}
    }
}

/// What becomes of a stored DaemonSet when a manifest is applied: status, identity and what the manifest does not
/// speak of stay.
pub(crate) fn changed(stored: DaemonSet, manifest: DaemonSet) -> DaemonSet {
    let DaemonSet { metadata: old, spec: old_spec, status } = stored;
    let mut spec = manifest.spec;
    let same_template = same_value(old_spec.template.json(), spec.template.json());
    if same_template {
        // Written differently, meant the same: the stored bytes stay, for revisions go by bytes.
        spec.template = old_spec.template.clone();
    }
    let template_generation = old.annotations.get(DaemonSet::TEMPLATE_GENERATION_ANNOTATION);
    let template_generation = template_generation.and_then(|number| number.parse::<i64>().ok()).unwrap_or(1);
    let template_generation = template_generation.saturating_add(i64::from(!same_template));
    let annotations = merged(&old.annotations, &manifest.metadata.annotations)
        .with(DaemonSet::TEMPLATE_GENERATION_ANNOTATION, &template_generation.to_string());
    let generation = old.generation.saturating_add(i64::from(spec != old_spec));
    let labels = merged(&old.labels, &manifest.metadata.labels);
    DaemonSet { metadata: ObjectMeta { generation, labels, annotations, ..old }, spec, status }
}

fn merged(stored: &Labels, applied: &Labels) -> Labels {
    stored.iter().chain(applied.iter()).map(|(key, value)| (key.clone(), value.clone())).collect()
}

/// Whether two JSON values mean the same where `null` and an empty list are what an absent field means.
fn same_value(left: &serde_json::Value, right: &serde_json::Value) -> bool {
    use serde_json::Value;
    let is_absent = |value: &Value| value.is_null() || value.as_array().is_some_and(Vec::is_empty);
    match (left, right) {
        (Value::Object(left), Value::Object(right)) => {
            let same_in = |one: &serde_json::Map<String, Value>, other: &serde_json::Map<String, Value>| {
                one.iter().all(|(key, value)| {
                    other.get(key).map_or_else(|| is_absent(value), |other| same_value(value, other))
                })
            };
            same_in(left, right) && right.iter().all(|(key, value)| left.contains_key(key) || is_absent(value))
        }
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same_value(left, right))
        }
        _ => left == right || (is_absent(left) && is_absent(right)),
    }
}

/// Puts a taint on a node, in place of one with the same key and effect.
fn put_taint(node: &mut Node, taint: Taint) {
    take_taints(node, &|known| known.key == taint.key && known.effect == taint.effect);
    node.spec.taints.push(taint);
}

/// Takes such taints from a node.
fn take_taints(node: &mut Node, such: &dyn Fn(&Taint) -> bool) {
    node.spec.taints.retain(|taint| !such(taint));
}

fn taint(key: &'static str, effect: TaintEffect) -> Taint {
    Taint { key: Text::new_static(key), value: Text::default(), effect }
}

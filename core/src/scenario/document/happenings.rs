//! Tables of events: the word for each, whom it is about, and its other fields.

use std::time::Duration;

use super::surroundings::control_plane_fields;
use super::table::{Field, Slot, object_key_fields, optional, required, right, taint_fields};
use crate::api::{ConditionStatus, ObjectKey, ResourceList, Taint, TaintEffect, Text};
use crate::sim::{Behaviour, Cascade, ControlPlane, Latencies, NodeSelection, PodSelection, ScenarioEvent};

/// An event of which nothing has been read yet.
type Blank = fn(&Latencies) -> ScenarioEvent;

/// The words for events, and what each stands for.
pub(super) const EVENTS: [(&str, Blank); 30] = [
    ("addNode", |_| ScenarioEvent::AddNode(Box::default())),
    ("addPod", |_| ScenarioEvent::AddPod(Box::default())),
    ("addTaint", |_| ScenarioEvent::AddTaint { node: NONE, taint: Taint::default() }),
    ("apply", |_| ScenarioEvent::Apply(Box::default())),
    ("behave", |latencies| ScenarioEvent::Behave {
        nodes: NodeSelection::All,
        behaviour: Behaviour::healthy(latencies),
    }),
    ("cordon", |_| ScenarioEvent::SetUnschedulable { node: NONE, unschedulable: true }),
    ("deleteDaemonSet", |_| ScenarioEvent::DeleteDaemonSet(Cascade::Background)),
    ("deleteOutdatedPods", |_| ScenarioEvent::DeleteOutdatedPods { at_once: 0 }),
    ("deletePods", |_| ScenarioEvent::DeletePods { pods: NO_PODS, force: false }),
    ("failPods", |_| ScenarioEvent::FailPods(NO_PODS)),
    ("failReadiness", |_| ScenarioEvent::FailReadiness { nodes: NodeSelection::All, lasts: Duration::ZERO }),
    ("heal", |_| ScenarioEvent::Heal(NodeSelection::All)),
    ("nodeNotReady", |_| ScenarioEvent::SetNodeReady { node: NONE, ready: ConditionStatus::False }),
    ("nodeReady", |_| ScenarioEvent::SetNodeReady { node: NONE, ready: ConditionStatus::True }),
    ("nodeUnreachable", |_| ScenarioEvent::SetNodeReady { node: NONE, ready: ConditionStatus::Unknown }),
    ("podsNotReady", |_| ScenarioEvent::SetPodsReady { pods: NO_PODS, ready: false }),
    ("podsReady", |_| ScenarioEvent::SetPodsReady { pods: NO_PODS, ready: true }),
    ("rebootNode", |_| ScenarioEvent::RebootNode { node: NONE, lasts: Duration::ZERO }),
    ("removeLabel", |_| ScenarioEvent::SetLabel { node: NONE, key: NONE, value: None }),
    ("removeNode", |_| ScenarioEvent::RemoveNode(NONE)),
    ("removePod", |_| ScenarioEvent::RemovePod(ObjectKey { namespace: Text::new_static("default"), name: NONE })),
    ("removeTaint", |_| ScenarioEvent::RemoveTaint { node: NONE, key: NONE, effect: TaintEffect::Unset }),
    ("restart", |_| ScenarioEvent::Restart),
    ("restartController", |_| ScenarioEvent::RestartController { lasts: Duration::ZERO }),
    ("setAllocatable", |_| ScenarioEvent::SetAllocatable { node: NONE, allocatable: ResourceList::default() }),
    ("setControlPlane", |_| ScenarioEvent::SetControlPlane(ControlPlane::default())),
    ("setLabel", |_| ScenarioEvent::SetLabel { node: NONE, key: NONE, value: Some(NONE) }),
    ("uncordon", |_| ScenarioEvent::SetUnschedulable { node: NONE, unschedulable: false }),
    ("undo", |_| ScenarioEvent::Undo { to_revision: None }),
    ("wedgePods", |_| ScenarioEvent::WedgePods(NO_PODS)),
];

/// A name that has not been read.
const NONE: Text = Text::new_static("");
const NO_PODS: PodSelection = PodSelection::OnNode(NONE);

/// Whom an event is about.
pub(super) enum Whom<'a> {
    /// Nobody who is named, or whom an object names.
    Nobody,
    /// One node; several of them are as many events.
    Node(&'a mut Text),
    /// Pods of one node, or one by its name; several of them are as many events.
    Pods(&'a mut PodSelection),
    /// Several nodes at once, or all of them.
    Nodes(&'a mut NodeSelection),
}

impl Whom<'_> {
    /// The keys that say so.
    pub const fn keys(&self) -> &'static [&'static str] {
        match self {
            Self::Nobody => &[],
            Self::Node(_) | Self::Nodes(_) => &["node", "nodes"],
            Self::Pods(_) => &["node", "nodes", "pod"],
        }
    }
}

/// Whom an event is about.
pub(super) const fn whom(event: &mut ScenarioEvent) -> Whom<'_> {
    match event {
        ScenarioEvent::RemoveNode(node)
        | ScenarioEvent::SetLabel { node, .. }
        | ScenarioEvent::AddTaint { node, .. }
        | ScenarioEvent::RemoveTaint { node, .. }
        | ScenarioEvent::SetUnschedulable { node, .. }
        | ScenarioEvent::SetAllocatable { node, .. }
        | ScenarioEvent::RebootNode { node, .. }
        | ScenarioEvent::SetNodeReady { node, .. } => Whom::Node(node),
        ScenarioEvent::DeletePods { pods, .. }
        | ScenarioEvent::FailPods(pods)
        | ScenarioEvent::WedgePods(pods)
        | ScenarioEvent::SetPodsReady { pods, .. } => Whom::Pods(pods),
        ScenarioEvent::Behave { nodes, .. }
        | ScenarioEvent::Heal(nodes)
        | ScenarioEvent::FailReadiness { nodes, .. } => Whom::Nodes(nodes),
        ScenarioEvent::Apply(_)
        | ScenarioEvent::AddNode(_)
        | ScenarioEvent::AddPod(_)
        // Pods of others come and go by name only.
        | ScenarioEvent::RemovePod(_)
        | ScenarioEvent::DeleteDaemonSet(_)
        | ScenarioEvent::RestartController { .. }
        | ScenarioEvent::SetControlPlane(_)
        | ScenarioEvent::Undo { .. }
        | ScenarioEvent::Restart
        | ScenarioEvent::DeleteOutdatedPods { .. } => Whom::Nobody,
    }
}

/// What else an event says; those with an object are read and written as that.
pub(super) fn event_fields(event: &mut ScenarioEvent) -> Vec<Field<'_>> {
    match event {
        ScenarioEvent::SetLabel { node: _, key, value } => {
            let mut fields = vec![required("key", Slot::Word(key))];
            fields.extend(value.as_mut().map(|value| required("value", Slot::LabelValue(value))));
            fields
        }
        ScenarioEvent::AddTaint { node: _, taint } => taint_fields(taint).into(),
        ScenarioEvent::RemoveTaint { node: _, key, effect } => {
            vec![required("key", Slot::Word(key)), right("effect", Slot::Effect(effect))]
        }
        ScenarioEvent::SetAllocatable { node: _, allocatable } => {
            vec![required("allocatable", Slot::Resources(allocatable))]
        }
        ScenarioEvent::DeletePods { pods: _, force } => vec![optional("force", Slot::Mark(force))],
        ScenarioEvent::Behave { nodes: _, behaviour } => behaviour_fields(behaviour).into(),
        ScenarioEvent::FailReadiness { nodes: _, lasts } | ScenarioEvent::RebootNode { node: _, lasts } => {
            vec![required("lasts", Slot::Duration(lasts))]
        }
        ScenarioEvent::RemovePod(pod) => object_key_fields(pod).into(),
        ScenarioEvent::DeleteDaemonSet(cascade) => vec![optional("cascade", Slot::Cascade(cascade))],
        ScenarioEvent::RestartController { lasts } => vec![right("lasts", Slot::Duration(lasts))],
        ScenarioEvent::SetControlPlane(control_plane) => control_plane_fields(control_plane).into(),
        ScenarioEvent::Undo { to_revision } => vec![right("toRevision", Slot::Revision(to_revision))],
        ScenarioEvent::DeleteOutdatedPods { at_once } => {
            vec![required("atOnce", Slot::Number { to: at_once, least: 0, most: u32::MAX })]
        }
        ScenarioEvent::Apply(_)
        | ScenarioEvent::AddNode(_)
        | ScenarioEvent::AddPod(_)
        | ScenarioEvent::RemoveNode(_)
        | ScenarioEvent::SetUnschedulable { .. }
        | ScenarioEvent::SetNodeReady { .. }
        | ScenarioEvent::FailPods(_)
        | ScenarioEvent::WedgePods(_)
        | ScenarioEvent::SetPodsReady { .. }
        | ScenarioEvent::Heal(_)
        | ScenarioEvent::Restart => Vec::new(),
    }
}

/// What is absent is as the timings say.
fn behaviour_fields(behaviour: &mut Behaviour) -> [Field<'_>; 6] {
    let Behaviour { ready_after, gone_after, fails_after, crashes_after, pulls_fail, permille } = behaviour;
    [
        optional("readyAfter", Slot::DistributionOrNever(ready_after)),
        optional("goneAfter", Slot::DistributionOrNever(gone_after)),
        optional("failsAfter", Slot::DistributionOrNever(fails_after)),
        optional("crashesAfter", Slot::DistributionOrNever(crashes_after)),
        optional("pullsFail", Slot::Flag(pulls_fail)),
        optional("permille", Slot::Permille(permille)),
    ]
}

/// The word for an event.
pub(super) const fn event_word(event: &ScenarioEvent) -> &'static str {
    match event {
        ScenarioEvent::Apply(_) => "apply",
        ScenarioEvent::DeleteDaemonSet(_) => "deleteDaemonSet",
        ScenarioEvent::AddNode(_) => "addNode",
        ScenarioEvent::RemoveNode(_) => "removeNode",
        ScenarioEvent::SetLabel { value: Some(_), .. } => "setLabel",
        ScenarioEvent::SetLabel { value: None, .. } => "removeLabel",
        ScenarioEvent::AddTaint { .. } => "addTaint",
        ScenarioEvent::RemoveTaint { .. } => "removeTaint",
        ScenarioEvent::SetUnschedulable { unschedulable: true, .. } => "cordon",
        ScenarioEvent::SetUnschedulable { unschedulable: false, .. } => "uncordon",
        ScenarioEvent::SetAllocatable { .. } => "setAllocatable",
        ScenarioEvent::SetNodeReady { ready: ConditionStatus::True, .. } => "nodeReady",
        ScenarioEvent::SetNodeReady { ready: ConditionStatus::False, .. } => "nodeNotReady",
        ScenarioEvent::SetNodeReady { ready: ConditionStatus::Unknown, .. } => "nodeUnreachable",
        ScenarioEvent::DeletePods { .. } => "deletePods",
        ScenarioEvent::FailPods(_) => "failPods",
        ScenarioEvent::WedgePods(_) => "wedgePods",
        ScenarioEvent::SetPodsReady { ready: true, .. } => "podsReady",
        ScenarioEvent::SetPodsReady { ready: false, .. } => "podsNotReady",
        ScenarioEvent::Behave { .. } => "behave",
        ScenarioEvent::Heal(_) => "heal",
        ScenarioEvent::FailReadiness { .. } => "failReadiness",
        ScenarioEvent::RebootNode { .. } => "rebootNode",
        ScenarioEvent::AddPod(_) => "addPod",
        ScenarioEvent::RemovePod(_) => "removePod",
        ScenarioEvent::RestartController { .. } => "restartController",
        ScenarioEvent::SetControlPlane(_) => "setControlPlane",
        ScenarioEvent::Undo { .. } => "undo",
        ScenarioEvent::Restart => "restart",
        ScenarioEvent::DeleteOutdatedPods { .. } => "deleteOutdatedPods",
    }
}

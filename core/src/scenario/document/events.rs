//! What is done to the cluster: each event is read and written here, side by side.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::durations::{distribution_json, duration_text};
use super::fields::{Here, Keys, Place, Reader};
use super::happenings::{happening_json, with_nodes};
use super::objects::{Manifest, object_json, resources_json, taint_json};
use crate::api::{ConditionStatus, ResourceList, Taint, TaintEffect, Text};
use crate::manifest::{ObjectKind, ScenarioProblem};
use crate::order::sort_by_key;
use crate::sim::{Behaviour, Cascade, Distribution, Latencies, NodeSelection, PodSelection, ScenarioEvent};

/// An event and when it happens.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedEvent {
    /// Since the start.
    pub at: Duration,
    /// What happens.
    pub event: ScenarioEvent,
    /// The object in it as it was written; absent when it was not read from a document.
    pub written: Option<Value>,
}

/// An event and where it stands.
pub(super) struct ReadEvent<'t> {
    pub planned: PlannedEvent,
    pub place: Place,
    /// The object in it as it was written.
    pub manifest: Option<Manifest<'t>>,
}

/// The words for events, as keys beside `at`.
const EVENTS: [&str; 30] = [
    "addNode",
    "addPod",
    "addTaint",
    "apply",
    "behave",
    "cordon",
    "deleteDaemonSet",
    "deleteOutdatedPods",
    "deletePods",
    "failPods",
    "failReadiness",
    "heal",
    "nodeNotReady",
    "nodeReady",
    "nodeUnreachable",
    "podsNotReady",
    "podsReady",
    "rebootNode",
    "removeLabel",
    "removeNode",
    "removePod",
    "removeTaint",
    "restart",
    "restartController",
    "setAllocatable",
    "setControlPlane",
    "setLabel",
    "uncordon",
    "undo",
    "wedgePods",
];

/// `at`, and one of [`EVENTS`].
const KEYS: [&str; 31] = {
    let mut keys = ["at"; 31];
    let mut index = 0;
    while index < EVENTS.len() {
        #[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
        {
            keys[index + 1] = EVENTS[index];
        }
        index += 1;
    }
    keys
};

const CASCADES: [&str; 3] = ["Background", "Foreground", "Orphan"];
const EFFECTS: [&str; 3] = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

impl<'t> Reader<'t> {
    /// The events in the order of time; of two at the same time the one that is written first comes first.
    pub fn events(&mut self, here: &Here<'t>, latencies: &Latencies) -> Vec<ReadEvent<'t>> {
        let mut events: Vec<ReadEvent<'t>> = Vec::new();
        for here in self.list(here).unwrap_or_default() {
            self.event(&here, latencies, &mut events);
        }
        sort_by_key(&mut events, |event| event.planned.at);
        events
    }

    /// One entry of the list; one that names several nodes is as many events.
    fn event(&mut self, here: &Here<'t>, latencies: &Latencies, events: &mut Vec<ReadEvent<'t>>) {
        let Some(keys) = self.keys(here, &KEYS) else { return };
        let at = self.required(&keys, "at");
        let at = at.and_then(|at| self.duration_or(&at, ScenarioProblem::BeforeStart));
        let mut found = EVENTS.iter().filter_map(|name| Some((*name, keys.given(name)?)));
        let (first, second) = (found.next(), found.next());
        let Some((name, what)) = first else {
            if keys.iter().all(|(entry, _)| entry.key == "at") {
                self.report(here, ScenarioProblem::MissingOneOf { keys: &EVENTS });
            }
            return;
        };
        if let Some((other, _)) = second {
            self.report(&what, ScenarioProblem::Excludes { other: Text::new_static(other) });
        }
        let first = events.len();
        self.event_named(name, &what, latencies, events);
        match at {
            Some(at) => events.iter_mut().skip(first).for_each(|event| event.planned.at = at),
            None => events.truncate(first),
        }
    }

    fn event_named(&mut self, name: &str, here: &Here<'t>, latencies: &Latencies, events: &mut Vec<ReadEvent<'t>>) {
        let mut add = |event: ScenarioEvent, manifest: Option<Manifest<'t>>| {
            let written = manifest.as_ref().map(Manifest::written);
            let planned = PlannedEvent { at: Duration::ZERO, event, written };
            events.push(ReadEvent { planned, place: here.place(), manifest });
        };
        match name {
            "apply" => {
                if let Some((daemon_set, manifest)) = self.daemon_set(here) {
                    add(ScenarioEvent::Apply(daemon_set), Some(manifest));
                }
            }
            "addNode" => {
                if let Some((node, manifest)) = self.node(here) {
                    add(ScenarioEvent::AddNode(node), Some(manifest));
                }
            }
            "addPod" => {
                if let Some((pod, manifest)) = self.pod(here) {
                    add(ScenarioEvent::AddPod(pod), Some(manifest));
                }
            }
            "deleteDaemonSet" => {
                let Some(keys) = self.keys(here, &["cascade"]) else { return };
                let cascade = keys.get("cascade").and_then(|here| self.one_of(&here, &CASCADES));
                add(
                    ScenarioEvent::DeleteDaemonSet(match cascade {
                        Some(1) => Cascade::Foreground,
                        Some(2) => Cascade::Orphan,
                        _ => Cascade::Background,
                    }),
                    None,
                );
            }
            "behave" => {
                if let Some(event) = self.behave(here, latencies) {
                    add(event, None);
                }
            }
            "heal" | "failReadiness" | "removePod" | "restartController" | "setControlPlane" | "undo" | "restart"
            | "deleteOutdatedPods" => {
                if let Some(event) = self.happening(name, here) {
                    add(event, None);
                }
            }
            "deletePods" | "failPods" | "wedgePods" | "podsReady" | "podsNotReady" => {
                let known: &[&'static str] =
                    if name == "deletePods" { &["node", "nodes", "pod", "force"] } else { &["node", "nodes", "pod"] };
                let Some(keys) = self.keys(here, known) else { return };
                let force = self.flag_or(&keys, "force", false);
                for pods in self.pods(&keys) {
                    add(
                        match name {
                            "failPods" => ScenarioEvent::FailPods(pods),
                            "wedgePods" => ScenarioEvent::WedgePods(pods),
                            "podsReady" => ScenarioEvent::SetPodsReady { pods, ready: true },
                            "podsNotReady" => ScenarioEvent::SetPodsReady { pods, ready: false },
                            _ => ScenarioEvent::DeletePods { pods, force },
                        },
                        None,
                    );
                }
            }
            _ => {
                for event in self.node_event(name, here) {
                    add(event, None);
                }
            }
        }
    }

    /// Something that happens to nodes that are named.
    fn node_event(&mut self, name: &str, here: &Here<'t>) -> Vec<ScenarioEvent> {
        let known: &[&'static str] = match name {
            "setLabel" => &["node", "nodes", "key", "value"],
            "removeLabel" => &["node", "nodes", "key"],
            "addTaint" => &["node", "nodes", "key", "value", "effect"],
            "removeTaint" => &["node", "nodes", "key", "effect"],
            "setAllocatable" => &["node", "nodes", "allocatable"],
            "rebootNode" => &["node", "nodes", "lasts"],
            _ => &["node", "nodes"],
        };
        let Some(keys) = self.keys(here, known) else { return Vec::new() };
        let nodes = self.node_names(&keys).unwrap_or_else(|| {
            self.report(here, ScenarioProblem::MissingOneOf { keys: &["node", "nodes"] });
            Vec::new()
        });
        let Some(event) = self.event_of_node(name, &keys) else { return Vec::new() };
        nodes.into_iter().map(event).collect()
    }

    fn event_of_node(&mut self, name: &str, keys: &Keys<'t>) -> Option<Box<dyn Fn(Text) -> ScenarioEvent>> {
        Some(match name {
            "removeNode" => Box::new(ScenarioEvent::RemoveNode),
            "cordon" => Box::new(|node| ScenarioEvent::SetUnschedulable { node, unschedulable: true }),
            "uncordon" => Box::new(|node| ScenarioEvent::SetUnschedulable { node, unschedulable: false }),
            "nodeReady" => Box::new(|node| ScenarioEvent::SetNodeReady { node, ready: ConditionStatus::True }),
            "nodeNotReady" => Box::new(|node| ScenarioEvent::SetNodeReady { node, ready: ConditionStatus::False }),
            "nodeUnreachable" => Box::new(|node| ScenarioEvent::SetNodeReady { node, ready: ConditionStatus::Unknown }),
            "rebootNode" => {
                let lasts = self.required(keys, "lasts").and_then(|here| self.duration(&here))?;
                Box::new(move |node| ScenarioEvent::RebootNode { node, lasts })
            }
            "setLabel" => {
                let key = self.required_word(keys, "key");
                let value = self.required(keys, "value").and_then(|here| self.label_value(&here));
                let (key, value) = key.zip(value)?;
                Box::new(move |node| ScenarioEvent::SetLabel { node, key: key.clone(), value: Some(value.clone()) })
            }
            "removeLabel" => {
                let key = self.required_word(keys, "key")?;
                Box::new(move |node| ScenarioEvent::SetLabel { node, key: key.clone(), value: None })
            }
            "addTaint" => {
                let taint = self.taint(keys)?;
                Box::new(move |node| ScenarioEvent::AddTaint { node, taint: taint.clone() })
            }
            "removeTaint" => {
                let key = self.required_word(keys, "key")?;
                let effect = match keys.get("effect") {
                    Some(here) => self.effect(&here)?,
                    None => TaintEffect::Unset,
                };
                Box::new(move |node| {
                    let (key, effect) = (key.clone(), effect.clone());
                    ScenarioEvent::RemoveTaint { node, key, effect }
                })
            }
            _ => {
                let here = self.required(keys, "allocatable")?;
                let allocatable = self.resources(&here, ResourceList::default());
                Box::new(move |node| ScenarioEvent::SetAllocatable { node, allocatable: allocatable.clone() })
            }
        })
    }

    /// The nodes that `node` or `nodes` name; absent when neither is given.
    pub fn node_names(&mut self, keys: &Keys<'t>) -> Option<Vec<Text>> {
        match (keys.get("node"), keys.get("nodes")) {
            (Some(here), nodes) => {
                if nodes.is_some() {
                    self.report(&here, ScenarioProblem::Excludes { other: Text::new_static("nodes") });
                }
                Some(self.word(&here).into_iter().collect())
            }
            (None, Some(here)) => {
                let items = self.list(&here)?;
                if items.is_empty() {
                    self.report(&here, ScenarioProblem::Empty);
                }
                Some(items.iter().filter_map(|here| self.word(here)).collect())
            }
            (None, None) => None,
        }
    }

    fn pods(&mut self, keys: &Keys<'t>) -> Vec<PodSelection> {
        let nodes = self.node_names(keys);
        match (keys.get("pod"), nodes) {
            (Some(here), nodes) => {
                if nodes.is_some() {
                    self.report(&here, ScenarioProblem::Excludes { other: Text::new_static("node") });
                }
                self.word(&here).into_iter().map(PodSelection::Named).collect()
            }
            (None, Some(nodes)) => nodes.into_iter().map(PodSelection::OnNode).collect(),
            (None, None) => {
                self.report(&keys.here, ScenarioProblem::MissingOneOf { keys: &["node", "nodes", "pod"] });
                Vec::new()
            }
        }
    }

    /// `readyAfter`, `goneAfter`, `failsAfter`, `crashesAfter`: a time, or `Never`. What is absent is as the timings
    /// say.
    fn behave(&mut self, here: &Here<'t>, latencies: &Latencies) -> Option<ScenarioEvent> {
        let keys = self.keys(here, &BEHAVE)?;
        let nodes = self.node_names(&keys).map_or(NodeSelection::All, NodeSelection::Named);
        let mut behaviour = Behaviour::healthy(latencies);
        self.time_or_never(&keys, "readyAfter", &mut behaviour.ready_after);
        self.time_or_never(&keys, "goneAfter", &mut behaviour.gone_after);
        self.time_or_never(&keys, "failsAfter", &mut behaviour.fails_after);
        self.time_or_never(&keys, "crashesAfter", &mut behaviour.crashes_after);
        behaviour.pulls_fail = self.flag_or(&keys, "pullsFail", false);
        self.permille(&keys, "permille", &mut behaviour.permille);
        Some(ScenarioEvent::Behave { nodes, behaviour })
    }

    fn time_or_never(&mut self, keys: &Keys<'t>, key: &str, time: &mut Option<Distribution>) {
        if let Some(here) = keys.get(key) {
            let never = here.tree.as_str() == Some(NEVER);
            *time = if never { None } else { self.distribution(&here) };
        }
    }

    /// `key`, `value` and `effect` of a taint.
    pub fn taint(&mut self, keys: &Keys<'t>) -> Option<Taint> {
        let key = self.required_word(keys, "key");
        let value = keys.get("value").map_or(Some(Text::default()), |here| self.text(&here));
        let effect = self.required(keys, "effect").and_then(|here| self.effect(&here));
        Some(Taint { key: key?, value: value?, effect: effect? })
    }

    fn effect(&mut self, here: &Here<'t>) -> Option<TaintEffect> {
        Some(match self.one_of(here, &EFFECTS)? {
            0 => TaintEffect::NoSchedule,
            1 => TaintEffect::PreferNoSchedule,
            _ => TaintEffect::NoExecute,
        })
    }
}

const NEVER: &str = "Never";

const BEHAVE: [&str; 8] =
    ["node", "nodes", "readyAfter", "goneAfter", "failsAfter", "crashesAfter", "pullsFail", "permille"];

/// The keys of one event as the document writes it: `at` and what happens.
pub(super) fn event_json(planned: &PlannedEvent) -> Value {
    let PlannedEvent { at, event, written } = planned;
    let written = || written.clone();
    let (name, what) = match event {
        ScenarioEvent::Apply(daemon_set) => {
            ("apply", written().unwrap_or_else(|| object_json(ObjectKind::DaemonSet, daemon_set)))
        }
        ScenarioEvent::AddNode(node) => ("addNode", written().unwrap_or_else(|| object_json(ObjectKind::Node, node))),
        ScenarioEvent::DeleteDaemonSet(cascade) => {
            let cascade = match cascade {
                Cascade::Background => "Background",
                Cascade::Foreground => "Foreground",
                Cascade::Orphan => "Orphan",
            };
            ("deleteDaemonSet", json!({"cascade": cascade}))
        }
        ScenarioEvent::RemoveNode(node) => ("removeNode", json!({"node": node})),
        ScenarioEvent::SetLabel { node, key, value: Some(value) } => {
            ("setLabel", json!({"node": node, "key": key, "value": value}))
        }
        ScenarioEvent::SetLabel { node, key, value: None } => ("removeLabel", json!({"node": node, "key": key})),
        ScenarioEvent::AddTaint { node, taint } => {
            let mut what = taint_json(taint);
            what.insert("node".to_owned(), json!(node));
            ("addTaint", Value::Object(what))
        }
        ScenarioEvent::RemoveTaint { node, key, effect: TaintEffect::Unset } => {
            ("removeTaint", json!({"node": node, "key": key}))
        }
        ScenarioEvent::RemoveTaint { node, key, effect } => {
            ("removeTaint", json!({"node": node, "key": key, "effect": effect}))
        }
        ScenarioEvent::SetUnschedulable { node, unschedulable: true } => ("cordon", json!({"node": node})),
        ScenarioEvent::SetUnschedulable { node, unschedulable: false } => ("uncordon", json!({"node": node})),
        ScenarioEvent::SetAllocatable { node, allocatable } => {
            ("setAllocatable", json!({"node": node, "allocatable": resources_json(allocatable)}))
        }
        ScenarioEvent::SetNodeReady { node, ready } => {
            let name = match ready {
                ConditionStatus::True => "nodeReady",
                ConditionStatus::False => "nodeNotReady",
                ConditionStatus::Unknown => "nodeUnreachable",
            };
            (name, json!({"node": node}))
        }
        ScenarioEvent::DeletePods { pods, force } => {
            let mut what = pods_json(pods);
            if *force {
                what.insert("force".to_owned(), Value::Bool(true));
            }
            ("deletePods", Value::Object(what))
        }
        ScenarioEvent::FailPods(pods) => ("failPods", Value::Object(pods_json(pods))),
        ScenarioEvent::WedgePods(pods) => ("wedgePods", Value::Object(pods_json(pods))),
        ScenarioEvent::SetPodsReady { pods, ready } => {
            (if *ready { "podsReady" } else { "podsNotReady" }, Value::Object(pods_json(pods)))
        }
        ScenarioEvent::AddPod(pod) => ("addPod", written().unwrap_or_else(|| object_json(ObjectKind::Pod, pod))),
        ScenarioEvent::Behave { nodes, behaviour } => {
            let Behaviour { ready_after, gone_after, fails_after, crashes_after, pulls_fail, permille } = behaviour;
            let time = |time: &Option<Distribution>| time.map_or_else(|| Value::from(NEVER), distribution_json);
            let what = json!({
                "readyAfter": time(ready_after),
                "goneAfter": time(gone_after),
                "failsAfter": time(fails_after),
                "crashesAfter": time(crashes_after),
                "pullsFail": pulls_fail,
                "permille": permille,
            });
            ("behave", with_nodes(nodes, what))
        }
        ScenarioEvent::Heal(_)
        | ScenarioEvent::FailReadiness { .. }
        | ScenarioEvent::RebootNode { .. }
        | ScenarioEvent::RemovePod(_)
        | ScenarioEvent::RestartController { .. }
        | ScenarioEvent::SetControlPlane(_)
        | ScenarioEvent::Undo { .. }
        | ScenarioEvent::Restart
        | ScenarioEvent::DeleteOutdatedPods { .. } => happening_json(event).unwrap_or_default(),
    };
    json!({"at": duration_text(*at), name: what})
}

fn pods_json(pods: &PodSelection) -> Map<String, Value> {
    let (key, name) = match pods {
        PodSelection::Named(name) => ("pod", name),
        PodSelection::OnNode(name) => ("node", name),
    };
    Map::from_iter([(key.to_owned(), json!(name))])
}

//! What is done to the cluster: a list of events, each at its time.

use std::time::Duration;

use serde_json::{Value, json};

use super::durations::duration_text;
use super::fields::{Here, Keys, Reader};
use super::happenings::{EVENTS, Whom, event_fields, event_word, whom};
use super::objects::{Manifest, object_json};
use super::table::{fields_json, keys_of};
use crate::api::Text;
use crate::manifest::{Object, ObjectKind, ScenarioProblem};
use crate::order::sort_by_key;
use crate::sim::{Latencies, NodeSelection, PodSelection, ScenarioEvent};

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
    pub here: Here<'t>,
    /// The object in it as it was written.
    pub manifest: Option<Manifest<'t>>,
}

/// `at`, and the words for events.
const KEYS: [&str; EVENTS.len() + 1] = {
    let mut keys = ["at"; EVENTS.len() + 1];
    let mut index = 0;
    while index < EVENTS.len() {
        #[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
        {
            keys[index + 1] = EVENTS[index].0;
        }
        index += 1;
    }
    keys
};

/// The words for events.
static WORDS: &[&str] = KEYS.split_at(1).1;

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
        let mut found = EVENTS.iter().filter_map(|(word, blank)| Some((*word, blank, keys.given(word)?)));
        let (first, second) = (found.next(), found.next());
        let Some((_, blank, here)) = first else {
            if keys.iter().all(|(entry, _)| entry.key == "at") {
                self.report(here, ScenarioProblem::MissingOneOf { keys: WORDS });
            }
            return;
        };
        if let Some((other, ..)) = second {
            self.report(&here, ScenarioProblem::Excludes { other: Text::new_static(other) });
        }
        let (read, mut manifest) = self.what_happens(&here, blank(latencies));
        let Some(at) = at else { return };
        for event in read {
            let manifest = manifest.take();
            let written = manifest.as_ref().map(Manifest::written);
            let planned = PlannedEvent { at, event, written };
            events.push(ReadEvent { planned, here, manifest });
        }
    }

    /// The events that one entry comes to, and the object in it.
    fn what_happens(&mut self, here: &Here<'t>, event: ScenarioEvent) -> (Vec<ScenarioEvent>, Option<Manifest<'t>>) {
        let wanted = match event {
            ScenarioEvent::Apply(_) => ObjectKind::DaemonSet,
            ScenarioEvent::AddNode(_) => ObjectKind::Node,
            ScenarioEvent::AddPod(_) => ObjectKind::Pod,
            event => return (self.said(here, event), None),
        };
        let Some((object, manifest)) = self.object(here, wanted) else { return (Vec::new(), None) };
        let event = match object {
            Object::DaemonSet(daemon_set) => ScenarioEvent::Apply(daemon_set),
            Object::Node(node) => ScenarioEvent::AddNode(node),
            Object::Pod(pod) => ScenarioEvent::AddPod(pod),
            _ => return (Vec::new(), None),
        };
        (vec![event], Some(manifest))
    }

    /// An event with what the document says of it, once for each that it is about.
    fn said(&mut self, here: &Here<'t>, mut event: ScenarioEvent) -> Vec<ScenarioEvent> {
        let about = whom(&mut event).keys();
        let Some(keys) = self.keys(here, &keys_of(about, &event_fields(&mut event))) else { return Vec::new() };
        let about = match whom(&mut event) {
            Whom::Nobody => None,
            Whom::Nodes(nodes) => {
                *nodes = self.node_names(&keys).map_or(NodeSelection::All, NodeSelection::Named);
                None
            }
            one @ (Whom::Node(_) | Whom::Pods(_)) => Some(self.one_by_one(&keys, one.keys())),
        };
        if !self.read(&keys, &mut event_fields(&mut event)) {
            return Vec::new();
        }
        let Some(about) = about else { return vec![event] };
        let mut events = Vec::new();
        for one in about {
            let mut event = event.clone();
            match whom(&mut event) {
                Whom::Node(node) => node.clone_from(one.name()),
                Whom::Pods(pods) => *pods = one,
                Whom::Nobody | Whom::Nodes(_) => {}
            }
            events.push(event);
        }
        events
    }

    /// The nodes that `node` or `nodes` name; absent when neither is given.
    fn node_names(&mut self, keys: &Keys<'t>) -> Option<Vec<Text>> {
        let mut names = Vec::new();
        match (keys.get("node"), keys.get("nodes")) {
            (Some(here), nodes) => {
                if nodes.is_some() {
                    self.report(&here, ScenarioProblem::Excludes { other: Text::new_static("nodes") });
                }
                names.extend(self.word(&here));
            }
            (None, Some(here)) => {
                let items = self.list(&here)?;
                if items.is_empty() {
                    self.report(&here, ScenarioProblem::Empty);
                }
                for here in &items {
                    names.extend(self.word(here));
                }
            }
            (None, None) => return None,
        }
        Some(names)
    }

    /// The nodes, or the pod where there can be one, that an event is about; one of the keys has to be there.
    fn one_by_one(&mut self, keys: &Keys<'t>, known: &'static [&'static str]) -> Vec<PodSelection> {
        let nodes = self.node_names(keys);
        let pod = if known.contains(&"pod") { keys.get("pod") } else { None };
        match (pod, nodes) {
            (Some(here), nodes) => {
                if nodes.is_some() {
                    self.report(&here, ScenarioProblem::Excludes { other: Text::new_static("node") });
                }
                self.word(&here).into_iter().map(PodSelection::Named).collect()
            }
            (None, Some(nodes)) => nodes.into_iter().map(PodSelection::OnNode).collect(),
            (None, None) => {
                self.report(&keys.here, ScenarioProblem::MissingOneOf { keys: known });
                Vec::new()
            }
        }
    }
}

/// The keys of one event as the document writes it: `at` and what happens.
pub(super) fn event_json(planned: &PlannedEvent) -> Value {
    let PlannedEvent { at, event, written } = planned;
    let what = match (written, event) {
        (Some(written), _) => written.clone(),
        (None, ScenarioEvent::Apply(daemon_set)) => object_json(ObjectKind::DaemonSet, daemon_set),
        (None, ScenarioEvent::AddNode(node)) => object_json(ObjectKind::Node, node),
        (None, ScenarioEvent::AddPod(pod)) => object_json(ObjectKind::Pod, pod),
        (None, event) => said_json(event.clone()),
    };
    json!({"at": duration_text(*at), event_word(event): what})
}

fn said_json(mut event: ScenarioEvent) -> Value {
    let mut what = fields_json(&event_fields(&mut event));
    let about = match whom(&mut event) {
        Whom::Nobody | Whom::Nodes(NodeSelection::All) => None,
        Whom::Nodes(NodeSelection::Named(names)) => Some(("nodes", json!(names))),
        Whom::Node(node) | Whom::Pods(PodSelection::OnNode(node)) => Some(("node", json!(node))),
        Whom::Pods(PodSelection::Named(pod)) => Some(("pod", json!(pod))),
    };
    what.extend(about.map(|(key, names)| (key.to_owned(), names)));
    Value::Object(what)
}

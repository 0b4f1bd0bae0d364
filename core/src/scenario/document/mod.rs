//! The scenario file: a versioned document, in YAML or JSON, that a person writes by hand.
//!
//! ```yaml
//! apiVersion: rollcast.dev/v1alpha1
//! kind: Scenario
//! cluster:
//!   pools:
//!   - {name: worker, count: 250}
//! daemonSet: {apiVersion: apps/v1, kind: DaemonSet, …}    # as it runs now
//! change: {apiVersion: apps/v1, kind: DaemonSet, …}       # what is applied at the start
//! timings:
//!   podReadyAfter: {median: 20s, p95: 45s}
//! events:
//! - at: 2m
//!   cordon: {node: worker-007}
//! ```
//!
//! What was measured in a cluster stands under `measured`, with how often it was: a play rests on it where `timings` and
//! `images` say nothing else.
//!
//! `scenario.schema.json` beside this file describes every key. Reading reports every problem at its place in one pass,
//! contradictions among them: what is played has none.

mod apart;
mod build;
mod durations;
mod events;
mod fields;
mod happenings;
mod measured;
mod objects;
mod surroundings;

#[cfg(test)]
mod tests;

use serde_json::{Map, Value, json};

pub use apart::{Elsewhere, ReviewedManifest, read_cluster, read_world};
pub use durations::{DurationFault, distribution_text, duration_text, parse_duration};
pub use events::PlannedEvent;
pub use objects::pool_json;

use super::{Measured, NodePool, Scenario, Source, Sources, Start};
use crate::KubernetesVersion;
use crate::api::{DaemonSet, ObjectKey, Text};
use crate::controller::Snapshot;
use crate::manifest::{Document, ObjectKind, PrintError, Problem, ScenarioProblem, read_trees, to_yaml};
use crate::order::sort_by_key;
use crate::sim::{Latencies, Options, ScenarioEvent};
use crate::time::Timestamp;
use build::{Parts, build};
use durations::distribution_json;
use events::event_json;
use fields::{Here, Reader};
use measured::{leave_what_is_said, measured_json};
use objects::object_json;
use surroundings::{control_plane_json, images_json};

/// The version of the format that is read and written.
pub const SCENARIO_VERSION: &str = "rollcast.dev/v1alpha1";

/// The `kind` of a scenario file.
pub const SCENARIO_KIND: &str = "Scenario";

/// The JSON Schema of the format.
pub static SCENARIO_SCHEMA: &str = include_str!("../scenario.schema.json");

/// When a play starts of which the file does not say so, and in which nothing is younger.
const DEFAULT_START: Timestamp = Timestamp::from_seconds(1_767_225_600);

const KEYS: [&str; 19] = [
    "apiVersion",
    "kind",
    "name",
    "description",
    "cluster",
    "daemonSet",
    "daemonSetRef",
    "change",
    "start",
    "startsAt",
    "seed",
    "timings",
    "measured",
    "images",
    "controlPlane",
    "scheduler",
    "kubernetesVersion",
    "patience",
    "events",
];
const STARTS: [&str; 2] = ["Pods", "Settled"];

/// What a scenario file says, in its own words: [`Scenario`] is what it comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct ScenarioDocument {
    /// What it is called; may be empty.
    pub name: Text,
    /// What it shows, for people; may be empty.
    pub description: Text,
    /// Nodes in a few words. They come before those of `objects`.
    pub pools: Vec<NodePool>,
    /// Objects of the cluster as they were written.
    pub objects: Vec<Value>,
    /// Files with further objects of the cluster, relative to this one. Only the command line reads them.
    pub files: Vec<Text>,
    /// The DaemonSet as it runs now, as it was written; absent when it is among the objects or yet to be installed.
    pub daemon_set: Option<Value>,
    /// Which of the cluster's DaemonSets is played.
    pub daemon_set_ref: Option<ObjectKey>,
    /// The manifest that is applied at the start, as it was written.
    pub change: Option<Value>,
    /// What the play starts from; absent: the cluster's pods of the DaemonSet if there are any, else settled.
    pub start: Option<Start>,
    /// When it starts; absent: when nothing in the cluster lies ahead.
    pub starts_at: Option<Timestamp>,
    /// How the world is played. Neither `start` (see `starts_at`) nor `timeline` is the document's.
    pub options: Options,
    /// Where the options come from. Defaults, and what was measured, are not written out.
    pub sources: Sources,
    /// What was measured in the cluster.
    pub measured: Measured,
    /// What is done to the cluster, in order of time.
    pub events: Vec<PlannedEvent>,
}

/// What was read of a scenario file.
#[derive(Clone, Debug, Default)]
pub struct ReadScenario {
    /// What it says; absent when something in it cannot be understood.
    pub document: Option<ScenarioDocument>,
    /// What is played; absent when there are errors.
    pub scenario: Option<Scenario>,
    /// Everything that is wrong, in order of place.
    pub problems: Vec<Problem>,
}

/// Reads a scenario that stands in one file.
pub fn read_scenario(text: &[u8]) -> (Option<Scenario>, Vec<Problem>) {
    let ReadScenario { scenario, problems, .. } =
        read_scenario_with(text, None, &mut |_, _| Err(ScenarioProblem::FilesNotRead));
    (scenario, problems)
}

/// Reads a scenario, as of the release `version` where that is given, whatever the file says; `include` is asked for the
/// objects of each further file that it names, and told the release.
pub fn read_scenario_with(
    bytes: &[u8],
    version: Option<KubernetesVersion>,
    include: &mut dyn FnMut(&Text, KubernetesVersion) -> Result<Snapshot, ScenarioProblem>,
) -> ReadScenario {
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let mut documents = read_trees(bytes).into_iter();
    let Some(Document { tree, problems }) = documents.next() else { return ReadScenario::default() };
    let mut reader = Reader { text, version: version.unwrap_or_default(), problems };
    let mut read = ReadScenario::default();
    if let Some(tree) = &tree {
        if let Some(mut parts) = reader.parts(&Here::root(tree), version) {
            let files = std::mem::take(&mut parts.files);
            let mut included = Vec::new();
            for (name, place) in &files {
                match include(name, reader.version) {
                    Ok(snapshot) => included.push((snapshot, place.clone())),
                    Err(problem) => reader.report_at(place, problem),
                }
            }
            parts.document.files = files.into_iter().map(|(name, _)| name).collect();
            read.scenario = build(&mut parts, included, &mut reader);
            if read.scenario.as_ref().is_some_and(is_without_nodes) && !reader.has_errors() {
                reader.report_at(&parts.cluster, ScenarioProblem::NoNodes);
            }
            read.document = Some(parts.document);
        }
        for Document { tree, problems } in documents {
            reader.take_over(problems);
            if let Some(tree) = tree {
                reader.report(&Here::root(&tree), ScenarioProblem::SecondDocument);
            }
        }
    }
    if reader.has_errors() {
        read.scenario = None;
    }
    read.problems = reader.problems;
    sort_by_key(&mut read.problems, |problem| problem.span.start);
    read
}

/// Whether there is no node, and none joins.
fn is_without_nodes(scenario: &Scenario) -> bool {
    let joins = |(_, event): &(_, ScenarioEvent)| matches!(event, ScenarioEvent::AddNode(_));
    scenario.cluster.nodes.is_empty() && !scenario.events.iter().any(joins)
}

impl<'t> Reader<'t> {
    /// Everything that the document says, and where.
    fn parts(&mut self, root: &Here<'t>, version: Option<KubernetesVersion>) -> Option<Parts<'t>> {
        if !self.is_scenario(root) {
            return None;
        }
        let keys = self.keys(root, &KEYS)?;
        let mut parts = Parts::default();
        self.release(&keys, version);
        if let Some(here) = self.required(&keys, "cluster") {
            self.cluster(&here, &mut parts);
        }
        if let Some(here) = keys.get("daemonSet") {
            parts.daemon_set = self.daemon_set(&here);
            parts.document.daemon_set = Some(here.tree.to_json());
            if let Some(reference) = keys.get("daemonSetRef") {
                let other = Text::new_static("daemonSet");
                self.report(&reference, ScenarioProblem::Excludes { other });
            }
        }
        if let Some(here) = keys.get("change") {
            parts.change = self.daemon_set(&here);
            parts.document.change = Some(here.tree.to_json());
        }
        self.world(&keys, &mut parts);
        parts.root = root.head();
        Some(parts)
    }

    /// Whose rules hold for everything that is read from here on: `version` where that is given, else what is written.
    fn release(&mut self, keys: &fields::Keys<'t>, version: Option<KubernetesVersion>) {
        let written = keys.get("kubernetesVersion").and_then(|here| self.one_of(&here, &KubernetesVersion::NAMES));
        let written = written.and_then(|release| KubernetesVersion::ALL.get(release)).copied();
        self.version = version.or(written).unwrap_or_default();
    }

    /// What of a scenario is neither the cluster nor a manifest.
    fn world(&mut self, keys: &fields::Keys<'t>, parts: &mut Parts<'t>) {
        let text = |reader: &mut Self, key| keys.get(key).and_then(|here| reader.text(&here)).unwrap_or_default();
        parts.document.name = text(self, "name");
        parts.document.description = text(self, "description");
        if let Some(here) = keys.get("daemonSetRef") {
            parts.document.daemon_set_ref = self.daemon_set_ref(&here);
            parts.daemon_set_ref = here.place();
        }
        if let Some(here) = keys.get("start") {
            parts.document.start = self.one_of(&here, &STARTS).map(|index| match index {
                0 => Start::Pods,
                _ => Start::Settled,
            });
            parts.start = here.place();
        }
        if let Some(here) = keys.get("startsAt") {
            parts.document.starts_at = self.moment(&here);
            parts.starts_at = here.place();
        }
        self.options(keys, &mut parts.document);
        if let Some(here) = keys.get("events") {
            let latencies = parts.document.options.latencies;
            parts.events = self.events(&here, &latencies);
        }
        parts.document.events = parts.events.iter().map(|event| event.planned.clone()).collect();
    }

    fn is_scenario(&mut self, root: &Here<'t>) -> bool {
        let Some(keys) = self.map(root) else { return false };
        let text = |key| keys.get(key).and_then(|here| here.tree.as_str().map(Text::new)).unwrap_or_default();
        let kind = text("kind");
        if kind != SCENARIO_KIND {
            let here = keys.get("kind").unwrap_or_else(|| root.clone());
            self.report_at(&here.head(), ScenarioProblem::NotAScenario { kind });
            return false;
        }
        let Some(version) = self.required(&keys, "apiVersion") else { return false };
        let written = text("apiVersion");
        if written != SCENARIO_VERSION {
            self.report(&version, ScenarioProblem::OtherVersion { written, known: SCENARIO_VERSION });
            return false;
        }
        true
    }

    fn cluster(&mut self, here: &Here<'t>, parts: &mut Parts<'t>) {
        parts.cluster = here.head();
        let Some(keys) = self.keys(here, &["pools", "objects", "files"]) else { return };
        if let Some(here) = keys.get("pools") {
            parts.document.pools = self.pools(&here);
            parts.pools = here.head();
        }
        for here in keys.get("objects").and_then(|here| self.list(&here)).unwrap_or_default() {
            parts.document.objects.push(here.tree.to_json());
            parts.objects.push(here);
        }
        for here in keys.get("files").and_then(|here| self.list(&here)).unwrap_or_default() {
            if let Some(name) = self.word(&here) {
                parts.files.push((name, here.place()));
            }
        }
    }

    fn daemon_set_ref(&mut self, here: &Here<'t>) -> Option<ObjectKey> {
        let keys = self.keys(here, &["namespace", "name"])?;
        let namespace = match keys.get("namespace") {
            Some(here) => self.word(&here),
            None => Some(Text::new_static("default")),
        };
        let name = self.required_word(&keys, "name");
        Some(ObjectKey { namespace: namespace?, name: name? })
    }

    fn options(&mut self, keys: &fields::Keys<'t>, document: &mut ScenarioDocument) {
        let ScenarioDocument { options, sources, measured, .. } = document;
        if let Some(here) = keys.get("measured") {
            *measured = self.measured(&here);
            sources.take(measured, options);
        }
        let Options { start: _, seed, latencies, control_plane, images, scheduler, version, patience, timeline: _ } =
            options;
        *version = self.version;
        if let Some(here) = keys.get("controlPlane") {
            self.control_plane(&here, control_plane);
            sources.control_plane = Source::File;
        }
        if let Some(here) = keys.get("images") {
            self.images(&here, images.get_or_insert_default(), &mut sources.images);
        }
        if let Some(here) = keys.get("seed") {
            *seed = self.number(&here, 0, u64::MAX).unwrap_or_default();
        }
        if let Some(here) = keys.get("timings") {
            self.timings(&here, latencies, sources);
        }
        *scheduler = self.flag_or(keys, "scheduler", *scheduler);
        if let Some(here) = keys.get("patience") {
            *patience = self.duration(&here).unwrap_or_default();
        }
    }

    fn timings(&mut self, here: &Here<'t>, latencies: &mut Latencies, sources: &mut Sources) {
        let Latencies { pod_ready_after, pod_gone_after, orphaned_pods_gone_after } = latencies;
        let Some(keys) = self.keys(here, &["podReadyAfter", "podGoneAfter", "orphanedPodsGoneAfter"]) else { return };
        for (key, time, source) in [
            ("podReadyAfter", pod_ready_after, &mut sources.pod_ready_after),
            ("podGoneAfter", pod_gone_after, &mut sources.pod_gone_after),
        ] {
            if let Some(here) = keys.get(key) {
                *time = self.distribution(&here).unwrap_or(*time);
                *source = Source::File;
            }
        }
        if let Some(here) = keys.get("orphanedPodsGoneAfter") {
            *orphaned_pods_gone_after = self.duration(&here).unwrap_or_default();
            sources.orphaned_pods_gone_after = Source::File;
        }
    }
}

/// The options, without what differs from play to play, as one line.
pub(crate) fn options_text(options: &Options) -> String {
    let mut json = Map::new();
    options_json(options, &mut json);
    json.remove("seed");
    Value::Object(json).to_string()
}

fn options_json(options: &Options, json: &mut Map<String, Value>) {
    let Options { start: _, seed, latencies, control_plane, images, scheduler, version, patience, timeline: _ } =
        options;
    if let Some(images) = images {
        json.insert("images".to_owned(), images_json(images));
    }
    if !control_plane.is_ideal() {
        json.insert("controlPlane".to_owned(), control_plane_json(control_plane));
    }
    json.insert("seed".to_owned(), json!(seed));
    json.insert("timings".to_owned(), timings_json(latencies));
    json.insert("scheduler".to_owned(), json!(scheduler));
    json.insert("kubernetesVersion".to_owned(), version.as_str().into());
    json.insert("patience".to_owned(), duration_text(*patience).into());
}

fn timings_json(latencies: &Latencies) -> Value {
    let Latencies { pod_ready_after, pod_gone_after, orphaned_pods_gone_after } = latencies;
    json!({
        "podReadyAfter": distribution_json(*pod_ready_after),
        "podGoneAfter": distribution_json(*pod_gone_after),
        "orphanedPodsGoneAfter": duration_text(*orphaned_pods_gone_after),
    })
}

impl Default for ScenarioDocument {
    /// An empty cluster, and the default options.
    fn default() -> Self {
        Self {
            name: Text::default(),
            description: Text::default(),
            pools: Vec::new(),
            objects: Vec::new(),
            files: Vec::new(),
            daemon_set: None,
            daemon_set_ref: None,
            change: None,
            start: None,
            starts_at: None,
            options: Options::starting_at(DEFAULT_START),
            sources: Sources::default(),
            measured: Measured::default(),
            events: Vec::new(),
        }
    }
}

impl ScenarioDocument {
    /// A document that comes to the same scenario, with every object written out.
    pub fn of(scenario: &Scenario) -> Self {
        let Scenario { daemon_set, cluster, start, options, sources, measured, events } = scenario;
        let Snapshot { daemon_sets, nodes, pods, revisions } = cluster;
        let (played, others): (Vec<&DaemonSet>, Vec<&DaemonSet>) =
            daemon_sets.iter().partition(|candidate| candidate.metadata.key() == *daemon_set);
        let objects = nodes.iter().map(|node| object_json(ObjectKind::Node, node));
        let objects = objects.chain(others.into_iter().map(|other| object_json(ObjectKind::DaemonSet, other)));
        let objects = objects.chain(revisions.iter().map(|it| object_json(ObjectKind::ControllerRevision, it)));
        let objects = objects.chain(pods.iter().map(|pod| object_json(ObjectKind::Pod, pod)));
        Self {
            objects: objects.collect(),
            daemon_set: played.first().map(|played| object_json(ObjectKind::DaemonSet, *played)),
            start: Some(*start),
            starts_at: Some(options.start),
            options: Options { start: DEFAULT_START, timeline: true, ..*options },
            sources: *sources,
            measured: *measured,
            events: events
                .iter()
                .map(|(at, event)| PlannedEvent { at: *at, event: event.clone(), written: None })
                .collect(),
            ..Self::default()
        }
    }

    /// The document as JSON.
    pub fn to_json(&self) -> Value {
        let json = self.sections().into_iter().flat_map(|(key, value)| [(key.to_owned(), value)]);
        Value::Object(json.collect())
    }

    /// The document as YAML, in the order in which a person would write it.
    ///
    /// # Errors
    /// None that is known: every part of it has a form in YAML.
    pub fn to_yaml(&self) -> Result<String, PrintError> {
        let mut text = String::new();
        for (key, value) in self.sections() {
            text.push_str(&to_yaml(&Map::from_iter([(key.to_owned(), value)]))?);
        }
        Ok(text)
    }

    /// The keys of the document that say something.
    fn sections(&self) -> Vec<(&'static str, Value)> {
        let Self { name, description, pools, objects, files, daemon_set, .. } = self;
        let Self { daemon_set_ref, change, start, starts_at, options, sources, measured, events, .. } = self;
        let mut cluster = Map::new();
        for (key, items) in [
            ("pools", pools.iter().map(pool_json).collect::<Vec<_>>()),
            ("objects", objects.clone()),
            ("files", files.iter().map(|file| json!(file)).collect()),
        ] {
            if !items.is_empty() {
                cluster.insert(key.to_owned(), Value::Array(items));
            }
        }
        let mut played = Map::new();
        options_json(options, &mut played);
        leave_what_is_said(options, sources, measured, &mut played);
        played.extend(measured_json(measured).map(|measured| ("measured".to_owned(), measured)));
        let text = |text: &Text| (!text.is_empty()).then(|| json!(text));
        let start = start.map(|start| match start {
            Start::Pods => "Pods".into(),
            Start::Settled => "Settled".into(),
        });
        let reference = daemon_set_ref.as_ref().map(|key| json!({"namespace": key.namespace, "name": key.name}));
        let sections = [
            ("apiVersion", Some(SCENARIO_VERSION.into())),
            ("kind", Some(SCENARIO_KIND.into())),
            ("name", text(name)),
            ("description", text(description)),
            ("cluster", Some(Value::Object(cluster))),
            ("daemonSet", daemon_set.clone()),
            ("daemonSetRef", reference),
            ("change", change.clone()),
            ("start", start),
            ("startsAt", starts_at.map(|at| json!(at))),
        ];
        let sections = sections.into_iter().filter_map(|(key, value)| Some((key, value?)));
        let order = |key: &str| KEYS.iter().copied().find(|known| *known == key);
        let sections = sections.chain(played.into_iter().filter_map(|(key, value)| Some((order(&key)?, value))));
        let events: Vec<Value> = events.iter().map(event_json).collect();
        let events = (!events.is_empty()).then_some(("events", Value::Array(events)));
        sections.chain(events).collect()
    }
}

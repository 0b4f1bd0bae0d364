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
mod table;

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
use crate::json::gathered;
use crate::manifest::{Document, ObjectKind, PrintError, Problem, ScenarioProblem, read_trees, to_yaml};
use crate::sim::{Options, ScenarioEvent};
use crate::time::Timestamp;
use build::{Parts, build};
use events::event_json;
use fields::{Here, Keys, Reader, Ways};
use measured::{leave_what_is_said, measured_fields, measured_json};
use objects::object_json;
use surroundings::{control_plane_fields, image_fields, timing_fields};
use table::{Field, Slot, fields_json, object_key_fields, optional};

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
    let ways = Ways::default();
    let mut reader = Reader { text, version: version.unwrap_or_default(), problems };
    let mut read = ReadScenario::default();
    if let Some(tree) = &tree {
        if let Some(mut parts) = reader.parts(&Here::root(tree, &ways), version) {
            let files = std::mem::take(&mut parts.files);
            let mut included = Vec::new();
            for (name, here) in &files {
                match include(name, reader.version) {
                    Ok(snapshot) => included.push((snapshot, *here)),
                    Err(problem) => reader.report(here, problem),
                }
            }
            parts.document.files = files.into_iter().map(|(name, _)| name).collect();
            parts.document.events = parts.events.iter().map(|event| event.planned.clone()).collect();
            read.scenario = build(&mut parts, included, &mut reader);
            if read.scenario.as_ref().is_some_and(is_without_nodes) && !reader.has_errors() {
                reader.report(&parts.cluster, ScenarioProblem::NoNodes);
            }
            read.document = Some(parts.document);
        }
        for Document { tree, problems } in documents {
            reader.take_over(problems);
            if let Some(tree) = tree {
                reader.report(&Here::root(&tree, &ways), ScenarioProblem::SecondDocument);
            }
        }
    }
    if reader.has_errors() {
        read.scenario = None;
    }
    read.problems = reader.problems;
    Problem::sort(&mut read.problems);
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
        let mut parts = Parts::of(root.head());
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
        Some(parts)
    }

    /// Whose rules hold for everything that is read from here on: `version` where that is given, else what is written.
    fn release(&mut self, keys: &Keys<'t>, version: Option<KubernetesVersion>) {
        let written = keys.get("kubernetesVersion").and_then(|here| self.one_of(&here, &KubernetesVersion::NAMES));
        let written = written.and_then(|release| KubernetesVersion::ALL.get(release)).copied();
        self.version = version.or(written).unwrap_or_default();
    }

    /// What of a scenario is neither the cluster nor a manifest.
    fn world(&mut self, keys: &Keys<'t>, parts: &mut Parts<'t>) {
        let document = &mut parts.document;
        document.daemon_set_ref = keys.get("daemonSetRef").and_then(|here| self.daemon_set_ref(&here));
        let ScenarioDocument { name, description, start, starts_at, options, sources, measured, .. } = document;
        self.read(keys, &mut head_fields(name, description, start, starts_at));
        if let Some(here) = keys.get("measured") {
            self.fields(&here, &mut measured_fields(measured));
            sources.take(measured, options);
        }
        options.version = self.version;
        self.read(keys, &mut option_fields(options));
        if let Some(here) = keys.get("timings") {
            self.fields(&here, &mut timing_fields(&mut options.latencies, sources));
        }
        if let Some(here) = keys.get("controlPlane") {
            self.fields(&here, &mut control_plane_fields(&mut options.control_plane));
            sources.control_plane = Source::File;
        }
        if let Some(here) = keys.get("images") {
            let images = options.images.get_or_insert_default();
            self.fields(&here, &mut image_fields(images, &mut sources.images));
        }
        if let Some(here) = keys.get("events") {
            parts.events = self.events(&here, &options.latencies);
        }
    }

    fn is_scenario(&mut self, root: &Here<'t>) -> bool {
        let Some(keys) = self.map(root) else { return false };
        let text = |key| keys.get(key).and_then(|here| here.tree.as_str()).unwrap_or_default();
        let kind = text("kind");
        if kind != SCENARIO_KIND {
            self.report(&root.at("kind").head(), ScenarioProblem::NotAScenario { kind: Text::new(kind) });
            return false;
        }
        let Some(version) = self.required(&keys, "apiVersion") else { return false };
        let written = text("apiVersion");
        if written != SCENARIO_VERSION {
            let written = Text::new(written);
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
                parts.files.push((name, here));
            }
        }
    }

    fn daemon_set_ref(&mut self, here: &Here<'t>) -> Option<ObjectKey> {
        let mut key = ObjectKey { namespace: Text::new_static("default"), name: Text::default() };
        self.fields(here, &mut object_key_fields(&mut key)).then_some(key)
    }
}

/// What a document says of itself, and of its start.
fn head_fields<'a>(
    name: &'a mut Text,
    description: &'a mut Text,
    start: &'a mut Option<Start>,
    starts_at: &'a mut Option<Timestamp>,
) -> [Field<'a>; 4] {
    [
        optional("name", Slot::Text(name)),
        optional("description", Slot::Text(description)),
        optional("start", Slot::Start(start)),
        optional("startsAt", Slot::Moment(starts_at)),
    ]
}

/// Options that are keys of the document themselves, but for `kubernetesVersion`, which is read before all else.
fn option_fields(options: &mut Options) -> [Field<'_>; 3] {
    let Options {
        start: _,
        seed,
        latencies: _,
        control_plane: _,
        images: _,
        scheduler,
        version: _,
        patience,
        timeline: _,
    } = options;
    [
        optional("seed", Slot::LargeNumber { to: seed, least: 0 }),
        optional("scheduler", Slot::Flag(scheduler)),
        optional("patience", Slot::Duration(patience)),
    ]
}

/// The options, without what differs from play to play, as one line.
pub(crate) fn options_text(options: &Options) -> String {
    let mut json = options_json(*options);
    json.remove("seed");
    Value::Object(json).to_string()
}

fn options_json(mut options: Options) -> Map<String, Value> {
    let mut json = fields_json(&option_fields(&mut options));
    let mut put = |key: &str, map: Map<String, Value>| drop(json.insert(key.to_owned(), Value::Object(map)));
    let mut sources = Sources::default();
    put("timings", fields_json(&timing_fields(&mut options.latencies, &mut sources)));
    if !options.control_plane.is_ideal() {
        put("controlPlane", fields_json(&control_plane_fields(&mut options.control_plane)));
    }
    if let Some(images) = &mut options.images {
        put("images", fields_json(&image_fields(images, &mut sources.images)));
    }
    json.insert("kubernetesVersion".to_owned(), options.version.as_str().into());
    json
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
            daemon_sets.iter().partition(|candidate| candidate.metadata.is_named(daemon_set));
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
        Value::Object(gathered(&mut self.sections().into_iter().map(|(key, value)| (key.to_owned(), value))))
    }

    /// The document as YAML, in the order in which a person would write it.
    ///
    /// # Errors
    /// None that is known: every part of it has a form in YAML.
    pub fn to_yaml(&self) -> Result<String, PrintError> {
        let mut text = String::new();
        for (key, value) in self.sections() {
            text.push_str(&to_yaml(&gathered(&mut std::iter::once((key.to_owned(), value))))?);
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
        let mut played = options_json(*options);
        leave_what_is_said(options, *sources, measured, &mut played);
        played.extend(measured_json(measured).map(|measured| ("measured".to_owned(), measured)));
        let (mut name, mut description) = (name.clone(), description.clone());
        let (mut start, mut starts_at) = (*start, *starts_at);
        let mut head = fields_json(&head_fields(&mut name, &mut description, &mut start, &mut starts_at));
        let reference = |mut key| Value::Object(fields_json(&object_key_fields(&mut key)));
        let sections = [
            ("apiVersion", Some(SCENARIO_VERSION.into())),
            ("kind", Some(SCENARIO_KIND.into())),
            ("name", head.remove("name")),
            ("description", head.remove("description")),
            ("cluster", Some(Value::Object(cluster))),
            ("daemonSet", daemon_set.clone()),
            ("daemonSetRef", daemon_set_ref.clone().map(reference)),
            ("change", change.clone()),
            ("start", head.remove("start")),
            ("startsAt", head.remove("startsAt")),
        ];
        let sections = sections.into_iter().filter_map(|(key, value)| Some((key, value?)));
        let order = |key: &str| KEYS.iter().copied().find(|known| *known == key);
        let sections = sections.chain(played.into_iter().filter_map(|(key, value)| Some((order(&key)?, value))));
        let events: Vec<Value> = events.iter().map(event_json).collect();
        let events = (!events.is_empty()).then_some(("events", Value::Array(events)));
        sections.chain(events).collect()
    }
}

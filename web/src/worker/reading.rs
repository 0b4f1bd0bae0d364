//! The four documents become a scenario and faults.

use rollcast_core::KubernetesVersion;
use rollcast_core::api::{DaemonSet, Node, ObjectKey, Text};
use rollcast_core::controller::Snapshot;
use rollcast_core::manifest::{
    self, Documents, Located, Object, Path, PathStep, ProblemKind, Review, ScenarioProblem, Severity as CoreSeverity,
    is_dump, read_documents, review_daemon_set,
};
use rollcast_core::message::{Language, Words};
use rollcast_core::order::sort_by;
use rollcast_core::scenario::{Elsewhere, NodePool, PoolProblem, ReviewedManifest, Scenario, read_cluster, read_world};
use rollcast_core::sim::ScenarioEvent;
use serde_json::Value;

use crate::edit::put;
use crate::file::ClusterForm;
use crate::knobs::{FIELDS, holding, turned, values, version};
use crate::model::{Problem, Reviewed, Severity};
use crate::protocol::Input;
use crate::state::{DocumentId, Knobs};

/// The page lists no more problems of a document than this; placing each costs a walk through the text.
const PROBLEMS: usize = 200;

/// What stands in the four documents.
#[derive(Debug, Default)]
pub struct Reading {
    /// The DaemonSet that says where pods belong: the change, the knobs turned, or what runs. Absent when there is none
    /// or it has errors.
    pub after: Option<Box<DaemonSet>>,
    /// The change as written, for places of fields.
    pub written: Option<Box<Located>>,
    /// The document that the change stands in.
    pub written_in: Option<DocumentId>,
    /// The API server would refuse a manifest.
    pub refused: bool,
    /// The scenario has errors.
    pub faulty: bool,
    /// What comes of all of it; absent when there are errors, or nothing to play.
    pub scenario: Option<Box<Scenario>>,
    /// The cluster's objects.
    pub cluster: Snapshot,
    /// Nodes that are no part of it: those that only pods name, and those that join later.
    pub further: Vec<Node>,
    /// DaemonSets of the cluster as the API server would return them.
    reviewed: Vec<(ObjectKey, Value)>,
    before: Option<ReviewedManifest>,
    change: Option<ReviewedManifest>,
    /// What is wrong with each document by itself, and what with all of them together.
    faults: [Vec<Fault>; 4],
    contradictions: [Vec<Fault>; 4],
    /// What the API server says to the knobs.
    knob_faults: Vec<manifest::Problem>,
    /// `maxUnavailable`, `maxSurge` and `minReadySeconds` as the change states them.
    pub stated: [String; 3],
    name: Text,
    /// What holds where the world says nothing about a knob.
    holding: Vec<String>,
    /// The release that manifests are reviewed by.
    version: KubernetesVersion,
}

#[derive(Debug)]
enum Fault {
    Text(Box<manifest::Problem>),
    Pool { problem: PoolProblem, line: u32, from: usize, to: usize },
}

/// Whether two problems are one to a person.
fn says_same(one: &manifest::Problem, other: &manifest::Problem) -> bool {
    let words = |problem: &manifest::Problem| problem.words(Language::English);
    one.span == other.span && one.path == other.path && words(one) == words(other)
}

fn is_error(problem: &manifest::Problem) -> bool {
    problem.kind.severity() == CoreSeverity::Error
}

/// A DaemonSet in kubectl's default namespace when it names none.
fn manifest_of(located: &Located) -> Option<ReviewedManifest> {
    let Object::DaemonSet(daemon_set) = &located.object else { return None };
    let mut daemon_set = daemon_set.clone();
    if daemon_set.metadata.namespace.is_empty() {
        daemon_set.metadata.namespace = Text::new_static("default");
    }
    Some(ReviewedManifest { daemon_set, reviewed: located.reviewed.clone() })
}

fn stated(reviewed: Option<&Value>) -> [String; 3] {
    let mut stated = [const { String::new() }; 3];
    for (stated, field) in stated.iter_mut().zip(FIELDS) {
        let mut value = reviewed;
        for key in field {
            value = value.and_then(|value| value.get(key));
        }
        *stated = match value {
            Some(Value::String(text)) => text.clone(),
            Some(number @ Value::Number(_)) => rollcast_core::json::to_text(number),
            // Go leaves a zero out.
            _ if field.ends_with(&["minReadySeconds"]) => "0".to_owned(),
            _ => String::new(),
        };
    }
    stated
}

impl Reading {
    /// Reads the manifests and the cluster; one that is a dump is left to [`Gathering`](super::dump::Gathering).
    // INVARIANT: nothing has been read yet.
    pub fn read(&mut self, input: &Input) {
        let [before, change, cluster, world] = &input.documents;
        self.version = version(world);
        if input.dump.is_none() {
            self.read_cluster(cluster);
        }
        let before = self.read_daemon_set(before, DocumentId::DaemonSet);
        self.before = before.as_deref().and_then(manifest_of);
        let change = self.read_daemon_set(change, DocumentId::Change);
        let is_change = change.is_some();
        // Without a change, what runs stays.
        self.written_in = Some(if is_change { DocumentId::Change } else { DocumentId::DaemonSet });
        self.written = change.or(before);
        if let Some(located) = self.written.take() {
            self.stated = stated(located.reviewed.as_ref());
            self.change = self.turn_knobs(&input.knobs, &located);
            if is_change && self.change.is_none() {
                self.change = manifest_of(&located);
            }
            self.written = Some(located);
        }
        let after = self.change.as_ref().or(self.before.as_ref());
        self.after = after.map(|manifest| manifest.daemon_set.clone());
    }

    /// Reads a manifest; a change of a DaemonSet that is known is reviewed as an update of it.
    fn read_daemon_set(&mut self, text: &str, id: DocumentId) -> Option<Box<Located>> {
        if text.trim().is_empty() {
            return None;
        }
        let version = self.version;
        let Documents { objects, mut problems, .. } = read_documents(text.as_bytes(), version);
        let located = objects.into_iter().find(|located| matches!(located.object, Object::DaemonSet(_))).map(Box::new);
        if id == DocumentId::Change
            && let Some(located) = &located
            && let Some(before) = self.known(located)
        {
            // What was reviewed as a creation is an update.
            let review =
                Review { text, document: located.document, before: Some(before), version, ..Review::default() };
            for problem in review_daemon_set(&located.tree, &review).problems {
                if !problems.iter().any(|known| says_same(known, &problem)) {
                    problems.push(problem);
                }
            }
        }
        self.refused |= problems.iter().any(is_error);
        self.take_problems(id, problems);
        located
    }

    /// The DaemonSet of a manifest as it runs, where that is known.
    fn known(&self, located: &Located) -> Option<&Value> {
        let key = manifest_of(located)?.daemon_set.metadata.key();
        let before = self.before.as_ref().filter(|before| before.daemon_set.metadata.key() == key);
        before.and_then(|before| before.reviewed.as_ref()).or_else(|| {
            let (_, reviewed) = self.reviewed.iter().find(|(known, _)| *known == key)?;
            Some(reviewed)
        })
    }

    /// Writes the knobs into the change and has the result reviewed like any other text; nothing when none is turned, or
    /// the API server refuses what comes of it.
    fn turn_knobs(&mut self, knobs: &Knobs, located: &Located) -> Option<ReviewedManifest> {
        let mut json = located.reviewed.clone()?;
        let mut is_turned = false;
        for (field, value) in turned(knobs) {
            put(&mut json, field, value);
            is_turned = true;
        }
        if !is_turned {
            return None;
        }
        let Documents { objects, mut problems, .. } =
            read_documents(rollcast_core::json::to_text(&json).as_bytes(), self.version);
        problems.retain(is_error);
        self.knob_faults = problems;
        objects.iter().find_map(manifest_of).filter(|_| self.knob_faults.is_empty())
    }

    fn read_cluster(&mut self, text: &str) {
        match ClusterForm::of(text) {
            ClusterForm::Empty => {}
            ClusterForm::Pools => self.read_pools(text),
            _ if is_dump(text.len() as u64) => {}
            ClusterForm::Section => {
                let (cluster, reviewed, problems) = read_cluster(text.as_bytes(), self.version);
                (self.cluster, self.reviewed) = (cluster, reviewed);
                self.cluster_problems(problems);
            }
            ClusterForm::Objects => {
                let Documents { objects, problems, .. } = read_documents(text.as_bytes(), self.version);
                for located in objects {
                    if let Some(manifest) = manifest_of(&located) {
                        self.reviewed.extend(manifest.reviewed.map(|it| (manifest.daemon_set.metadata.key(), it)));
                    }
                    self.take_in(located.object);
                }
                self.cluster_problems(problems);
            }
        }
    }

    fn read_pools(&mut self, text: &str) {
        let [_, _, faults, _] = &mut self.faults;
        let mut from = 0;
        for (line, content) in (1..).zip(text.split('\n')) {
            let described = content.trim();
            if !described.is_empty() && !described.starts_with('#') {
                match NodePool::parse(described) {
                    Ok(pool) => self.cluster.nodes.extend(pool.nodes()),
                    Err(problem) => faults.push(Fault::Pool { problem, line, from, to: from + content.len() }),
                }
            }
            from += content.len() + 1;
        }
    }

    /// Takes an object of the cluster in; of other kinds there is nothing to show.
    pub fn take_in(&mut self, object: Object) {
        let cluster = &mut self.cluster;
        match object {
            Object::Node(node) => cluster.nodes.push(*node),
            Object::Pod(pod) => cluster.pods.push(*pod),
            Object::ControllerRevision(revision) => cluster.revisions.push(*revision),
            Object::DaemonSet(daemon_set) => cluster.daemon_sets.push(*daemon_set),
            Object::PriorityClass(_) | Object::Event(_) => {}
        }
    }

    /// What is wrong with the cluster's text.
    pub fn cluster_problems(&mut self, problems: Vec<manifest::Problem>) {
        self.take_problems(DocumentId::Cluster, problems);
    }

    fn take_problems(&mut self, id: DocumentId, problems: Vec<manifest::Problem>) {
        let [daemon_set, change, cluster, world] = &mut self.faults;
        let faults = match id {
            DocumentId::DaemonSet => daemon_set,
            DocumentId::Change => change,
            DocumentId::Cluster => cluster,
            DocumentId::World => world,
        };
        for problem in problems {
            faults.push(Fault::Text(Box::new(problem)));
        }
    }

    /// Takes the cluster of an earlier reading of the same text.
    pub fn take_cluster(&mut self, other: &mut Self) {
        self.cluster = std::mem::take(&mut other.cluster);
        let ([_, _, faults, _], [_, _, others, _]) = (&mut self.faults, &mut other.faults);
        *faults = std::mem::take(others);
    }

    /// Reads the world, and puts everything together to a scenario.
    pub fn settle(&mut self, input: &Input) {
        let [.., world] = &input.documents;
        let elsewhere = Elsewhere {
            cluster: self.cluster.clone(),
            reviewed: std::mem::take(&mut self.reviewed),
            daemon_set: self.before.clone(),
            change: self.change.take(),
        };
        let read = read_world(world.as_bytes(), elsewhere);
        if let Some(document) = read.document {
            self.name = document.name;
            self.holding = holding(&document.options);
        }
        self.scenario = read.scenario.map(Box::new);
        for problem in read.problems {
            if matches!(problem.kind, ProblemKind::Scenario(ScenarioProblem::NoDaemonSet)) {
                // The page says that in place of a picture.
                continue;
            }
            self.faulty |= is_error(&problem);
            let [daemon_set, change, cluster, world] = &mut self.contradictions;
            let document = match problem.path.0.first() {
                _ if matches!(problem.kind, ProblemKind::Scenario(ScenarioProblem::StandsElsewhere)) => world,
                Some(PathStep::Field(part)) if part == "daemonSet" => daemon_set,
                Some(PathStep::Field(part)) if part == "change" => change,
                Some(PathStep::Field(part)) if part == "cluster" => cluster,
                _ => world,
            };
            document.push(Fault::Text(Box::new(problem)));
        }
        if let (None, Some(scenario)) = (&self.after, &self.scenario) {
            // It is one of the cluster's, or is applied later.
            let of_cluster = scenario.cluster.daemon_set(&scenario.daemon_set);
            let applied = || {
                scenario.events.iter().find_map(|(_, event)| match event {
                    ScenarioEvent::Apply(daemon_set) => Some(daemon_set.clone()),
                    _ => None,
                })
            };
            self.after = of_cluster.map(|daemon_set| Box::new(daemon_set.clone())).or_else(applied);
        }
    }

    /// Numbers the nodes as a timeline does that starts with these, and to which others join later.
    pub fn number_nodes(&mut self, names: &[Text]) {
        let Self { cluster: Snapshot { nodes, .. }, further, scenario, .. } = self;
        sort_by(nodes, |one, other| one.metadata.name.cmp(&other.metadata.name));
        // Pods may name nodes that are not there.
        for name in names.iter().skip(nodes.len()) {
            let mut node = Node::default();
            node.metadata.name = name.clone();
            further.push(node);
        }
        for (_, event) in scenario.iter().flat_map(|scenario| &scenario.events) {
            if let ScenarioEvent::AddNode(node) = event {
                let is_new = |node: &Node| {
                    let known = nodes.binary_search_by(|other| other.metadata.name.cmp(&node.metadata.name));
                    known.is_err() && !further.iter().any(|other| other.metadata.name == node.metadata.name)
                };
                if is_new(node) {
                    further.push((**node).clone());
                }
            }
        }
    }

    /// The node of a number.
    pub fn node(&self, number: usize) -> Option<&Node> {
        let nodes = &self.cluster.nodes;
        nodes.get(number).or_else(|| self.further.get(number.checked_sub(nodes.len())?))
    }

    /// What the page shows of the documents, in the person's language.
    pub fn said(&self, input: &Input, language: Language) -> Reviewed {
        let [.., world] = &input.documents;
        Reviewed {
            problems: self.problems(input, language),
            knobs: self.knob_problems(language),
            name: self.name.to_string(),
            world: values(world),
            holding: self.holding.clone(),
        }
    }

    /// The problems of the documents, as the editor takes them.
    fn problems(&self, input: &Input, language: Language) -> [Vec<Problem>; 4] {
        let mut problems = [const { Vec::new() }; 4];
        let texts = input.documents.iter().zip(DocumentId::ALL);
        for (((placed, own), others), (text, id)) in
            problems.iter_mut().zip(&self.faults).zip(&self.contradictions).zip(texts)
        {
            // The text of a dump is not here, and has no places to jump to.
            let is_here = id != DocumentId::Cluster || input.dump.is_none();
            let mut counted = Counted::of(if is_here { text } else { "" });
            for fault in own.iter().chain(others).take(PROBLEMS) {
                placed.push(fault.placed(&mut counted, language));
            }
        }
        problems
    }

    /// What is wrong with the knobs, in the order of [`Knobs`]' fields that are written into the object.
    fn knob_problems(&self, language: Language) -> [Option<String>; 3] {
        let mut problems = [const { None }; 3];
        for (words, field) in problems.iter_mut().zip(["maxUnavailable", "maxSurge", "minReadySeconds"]) {
            let problem = self.knob_faults.iter().find(|problem| names(&problem.path, field));
            // A problem of the strategy as a whole is shown at its first knob.
            let problem = problem.or_else(|| self.knob_faults.first().filter(|_| field == "maxUnavailable"));
            *words = problem.map(|problem| problem.words(language));
        }
        problems
    }
}

fn names(path: &Path, field: &str) -> bool {
    matches!(path.0.last(), Some(PathStep::Field(name)) if name == field)
}

impl Fault {
    fn placed(&self, counted: &mut Counted<'_>, language: Language) -> Problem {
        let (severity, code, message, path, (line, column), [from, to]) = match self {
            Self::Text(problem) => {
                let span = &problem.span;
                let severity = match problem.kind.severity() {
                    CoreSeverity::Error => Severity::Error,
                    CoreSeverity::Warning => Severity::Warning,
                    CoreSeverity::Note => Severity::Info,
                };
                let at = [span.start, span.end].map(|at| usize::try_from(at.offset).unwrap_or(usize::MAX));
                let place = (span.start.line, span.start.column);
                (severity, problem.kind.code(), problem.words(language), problem.path.to_string(), place, at)
            }
            Self::Pool { problem, line, from, to } => {
                (Severity::Error, "node-pool", problem.words(language), String::new(), (*line, 1), [*from, *to])
            }
        };
        let from_units = counted.units(from);
        Problem {
            severity,
            code: code.to_owned(),
            message,
            path,
            line,
            column,
            from: from_units,
            to: from_units + counted.units_between(from, to),
        }
    }
}

/// A text of which UTF-16 units are counted, as the editor counts: one place after the other costs one walk.
struct Counted<'a> {
    text: &'a str,
    /// The last place that was asked for, in bytes and in units.
    last: (usize, u32),
}

impl<'a> Counted<'a> {
    fn of(text: &'a str) -> Self {
        Self { text, last: (0, 0) }
    }

    /// The units before a byte offset.
    fn units(&mut self, offset: usize) -> u32 {
        let (from, before) = if self.last.0 <= offset { self.last } else { (0, 0) };
        let units = before + self.units_between(from, offset);
        self.last = (offset, units);
        units
    }

    /// The units between two byte offsets, the second at most the text's end.
    fn units_between(&self, from: usize, to: usize) -> u32 {
        let to = to.min(self.text.len());
        let between = self.text.get(from..to).unwrap_or_default();
        u32::try_from(between.encode_utf16().count()).unwrap_or(u32::MAX)
    }
}

/// A byte offset as the editor counts.
pub fn utf16(text: &str, offset: usize) -> u32 {
    Counted::of(text).units(offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAEMON_SET: &str = "\
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent, namespace: default}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec:
      containers: [{name: agent, image: agent:1}]
";

    const NODE: &str = "name=n,count=2";

    fn input([daemon_set, change, cluster]: [&str; 3]) -> Input {
        Input {
            documents: [daemon_set, change, cluster, ""].map(String::from),
            knobs: Knobs::default(),
            language: crate::state::Language::English,
            dump: None,
            whole: false,
        }
    }

    fn read(input: &Input) -> Reading {
        let mut reading = Reading::default();
        reading.read(input);
        reading
    }

    fn settled(input: &Input) -> Reading {
        let mut reading = read(input);
        reading.settle(input);
        reading
    }

    #[test]
    fn a_pool_that_cannot_be_read_is_reported_at_its_line() {
        let input = input([DAEMON_SET, DAEMON_SET, "# 中文\nname=a,count=2\ncount=many\n"]);
        let reading = read(&input);
        assert_eq!(reading.cluster.nodes.len(), 2);
        let [.., problems, _] = reading.problems(&input, Language::English);
        assert_eq!(problems.len(), 1);
        assert_eq!((problems[0].line, problems[0].from, problems[0].to), (3, 20, 30));
    }

    #[test]
    fn without_a_change_what_runs_stays() {
        let reading = settled(&input([DAEMON_SET, "", NODE]));
        assert_eq!(reading.before.as_ref().map(|before| &before.daemon_set), reading.after.as_ref());
        assert_eq!(reading.written_in, Some(DocumentId::DaemonSet));
        assert!(!reading.refused && reading.scenario.unwrap().events.is_empty());
    }

    #[test]
    fn a_change_that_the_api_server_would_refuse_is_refused() {
        let changed = DAEMON_SET.replace("containers:", "containrs:");
        let input = input([DAEMON_SET, &changed, ""]);
        let reading = read(&input);
        assert!(reading.refused);
        let [before, change, ..] = reading.problems(&input, Language::English);
        assert!(before.is_empty() && !change.is_empty());
        assert_eq!(change[0].line, 9);
    }

    #[test]
    fn a_knob_is_reviewed_like_a_text() {
        let mut input = input([DAEMON_SET, DAEMON_SET, ""]);
        input.knobs.max_unavailable = Some("25%".into());
        let reading = read(&input);
        let strategy = &reading.after.as_ref().unwrap().spec.update_strategy.rolling_update;
        assert_eq!(serde_json::to_value(&strategy.max_unavailable).unwrap(), Value::from("25%"));
        assert_eq!(reading.knob_problems(Language::English), [None, None, None]);
        assert_eq!(reading.stated, ["1", "0", "0"].map(String::from));

        input.knobs.max_unavailable = Some("many".into());
        let reading = read(&input);
        assert!(reading.knob_problems(Language::Chinese)[0].is_some());
        assert_eq!(reading.after, read(&self::input([DAEMON_SET, DAEMON_SET, ""])).after, "played as written");
    }

    #[test]
    fn a_daemon_set_of_the_cluster_is_played_and_a_change_is_an_update_of_it() {
        let node = "apiVersion: v1\nkind: Node\nmetadata: {name: n}\n";
        let cluster = [node, DAEMON_SET].join("---\n");
        let reading = settled(&input(["", "", &cluster]));
        assert_eq!(reading.after.as_ref().unwrap().metadata.name, "agent");
        let scenario = reading.scenario.unwrap();
        assert_eq!((scenario.daemon_set.name.as_str(), scenario.cluster.daemon_sets.len()), ("agent", 1));
        let other = DAEMON_SET.replace("{app: agent}", "{app: other}");
        assert!(read(&input(["", &other, &cluster])).refused, "the selector cannot be changed");
        assert!(!read(&input(["", &other, ""])).refused);
        let twice = settled(&input([DAEMON_SET, "", &cluster]));
        assert!(twice.faulty && twice.scenario.is_none());
    }

    #[test]
    fn what_contradicts_itself_is_told_in_the_document_it_lies_in() {
        let other = DAEMON_SET.replace("name: agent,", "name: other,");
        let mut input = input([DAEMON_SET, &other, "name=n,count=1\nname=n,count=1"]);
        input.documents[3] = "seed: 1\nevents:\n- {at: 1m, cordon: {node: x}}\ncluster: {}\n".into();
        let reading = settled(&input);
        assert!(reading.faulty && !reading.refused);
        let [before, change, cluster, world] = reading.problems(&input, Language::English);
        let codes = |problems: &[Problem]| -> Vec<(String, u32)> {
            problems.iter().map(|problem| (problem.code.clone(), problem.line)).collect()
        };
        assert_eq!(codes(&before), []);
        assert_eq!(codes(&change), [("other-daemon-set".to_owned(), 1)]);
        assert_eq!(codes(&cluster), [("object-twice".to_owned(), 1)]);
        assert_eq!(codes(&world), [("unknown-node".to_owned(), 3), ("stands-elsewhere".to_owned(), 4)]);
    }

    #[test]
    fn nodes_that_join_are_numbered_behind_those_that_are_there() {
        let mut input = input([DAEMON_SET, DAEMON_SET, NODE]);
        let node = "{apiVersion: v1, kind: Node, metadata: {name: a}}";
        input.documents[3] = format!("events: [{{at: 1m, addNode: {node}}}]");
        let mut reading = settled(&input);
        let names = reading.scenario.as_ref().unwrap().world().timeline().node_names().to_vec();
        reading.number_nodes(&names);
        let name = |number| reading.node(number).map(|node| node.metadata.name.to_string());
        assert_eq!([0, 1, 2, 3].map(name), [Some("n-1".into()), Some("n-2".into()), Some("a".into()), None]);
    }

    #[test]
    fn an_offset_behind_chinese_counts_as_the_editor_counts() {
        assert_eq!(utf16("中文a", 6), 2);
        assert_eq!(utf16("😀a", 4), 2);
        assert_eq!(utf16("ab", 99), 2);
    }
}

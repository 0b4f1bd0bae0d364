//! A scenario whose parts stand in texts of their own, as on the page.
//!
//! Manifests there keep their own texts, problems and places, and the cluster may be a dump of any size, which no single
//! document could hold. The rest of the file is read here alone, by the same reader as the whole.

use serde_json::Value;

use super::build::{Gathered, Parts, build, gather};
use super::fields::{Here, Reader, Ways};
use super::objects::default_namespace;
use super::{KEYS, ReadScenario};
use crate::KubernetesVersion;
use crate::api::{DaemonSet, ObjectKey, Text};
use crate::controller::Snapshot;
use crate::manifest::{
    Document, Position, Problem, ProblemKind, ScenarioProblem, Span, TextProblem, Tree, TreeValue, read_trees,
};

/// A DaemonSet's manifest that was read and reviewed elsewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewedManifest {
    /// The DaemonSet, with defaults.
    pub daemon_set: Box<DaemonSet>,
    /// The same as the API server would return it.
    pub reviewed: Option<Value>,
}

/// What of a scenario stands in other texts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Elsewhere {
    /// The objects of the cluster.
    pub cluster: Snapshot,
    /// DaemonSets among them as the API server would return them.
    pub reviewed: Vec<(ObjectKey, Value)>,
    /// The DaemonSet as it runs now.
    pub daemon_set: Option<ReviewedManifest>,
    /// What is applied at the start.
    pub change: Option<ReviewedManifest>,
}

/// Reads what of a scenario is neither the cluster nor a manifest. It may be empty.
///
/// The path of a problem that lies elsewhere starts with `cluster`, `daemonSet` or `change`; its place is the text's start.
/// Events are in the scenario, and not in the document.
pub fn read_world(bytes: &[u8], elsewhere: Elsewhere) -> ReadScenario {
    let mut reader = reader_of(bytes, KubernetesVersion::default());
    let tree = first_tree(bytes, &mut reader);
    let ways = Ways::default();
    let other_text = Here::root(&NOTHING, &ways);
    let root = tree.as_ref().filter(|tree| tree.value != TreeValue::Null);
    let root = root.map_or(other_text, |tree| Here::root(tree, &ways));
    let mut read = ReadScenario::default();
    if let Some(mut parts) = reader.parts_of_world(&root) {
        let Elsewhere { mut cluster, reviewed, daemon_set, change } = elsewhere;
        parts.reviewed = reviewed;
        parts.cluster = other_text.step("cluster");
        if let Some(mut manifest) = daemon_set {
            default_namespace(&mut manifest.daemon_set.metadata.namespace);
            let key = manifest.daemon_set.metadata.key();
            if parts.document.daemon_set_ref.is_some() {
                let other = Text::new_static("daemonSet");
                reader.report(&root.at("daemonSetRef"), ScenarioProblem::Excludes { other });
            }
            parts.document.daemon_set_ref = Some(key.clone());
            parts.reviewed.extend(manifest.reviewed.map(|reviewed| (key, reviewed)));
            cluster.daemon_sets.push(*manifest.daemon_set);
        }
        parts.reviewed_change = change.map(|mut manifest| {
            default_namespace(&mut manifest.daemon_set.metadata.namespace);
            (manifest, other_text.step("change"))
        });
        let here = parts.cluster;
        read.scenario = build(&mut parts, vec![(cluster, here)], &mut reader);
        read.document = Some(parts.document);
    }
    if reader.has_errors() {
        read.scenario = None;
    }
    read.problems = in_order(reader);
    read
}

/// Reads a scenario's `cluster` that stands in a text of its own: its objects, DaemonSets among them as the API server
/// of this release would return them, and everything that is wrong.
pub fn read_cluster(bytes: &[u8], version: KubernetesVersion) -> (Snapshot, Vec<(ObjectKey, Value)>, Vec<Problem>) {
    let mut reader = reader_of(bytes, version);
    let tree = first_tree(bytes, &mut reader);
    let ways = Ways::default();
    let mut parts = Parts::of(Here::root(tree.as_ref().unwrap_or(&NOTHING), &ways));
    if tree.is_some() {
        let root = parts.root;
        reader.cluster(&root, &mut parts);
    }
    for (_, here) in &parts.files {
        reader.report(here, ScenarioProblem::FilesNotRead);
    }
    let Gathered { snapshot, reviewed, .. } = gather(&mut parts, Vec::new(), &mut reader).unwrap_or_default();
    (snapshot, reviewed, in_order(reader))
}

/// The start of a text.
const FIRST: Span = {
    let start = Position { offset: 0, line: 1, column: 1 };
    Span { start, end: start }
};

/// What stands for a text that says nothing, or another one of which only the part of the scenario is known.
static NOTHING: Tree = Tree { value: TreeValue::Mapping(Vec::new()), span: FIRST };

fn reader_of(bytes: &[u8], version: KubernetesVersion) -> Reader<'_> {
    Reader { text: std::str::from_utf8(bytes).unwrap_or_default(), version, problems: Vec::new() }
}

/// The one document of a text; further ones are reported.
fn first_tree(bytes: &[u8], reader: &mut Reader<'_>) -> Option<Tree> {
    let mut documents = read_trees(bytes).into_iter();
    let Document { tree, mut problems } = documents.next()?;
    // Every part of a scenario may be empty.
    problems.retain(|problem| !matches!(problem.kind, ProblemKind::Text(TextProblem::Nothing)));
    reader.take_over(problems);
    for Document { tree, problems } in documents {
        reader.take_over(problems);
        if let Some(tree) = tree {
            reader.report(&Here::root(&tree, &Ways::default()), ScenarioProblem::SecondDocument);
        }
    }
    tree
}

fn in_order(reader: Reader<'_>) -> Vec<Problem> {
    let mut problems = reader.problems;
    Problem::sort(&mut problems);
    problems
}

impl<'t> Reader<'t> {
    fn parts_of_world(&mut self, root: &Here<'t>) -> Option<Parts<'t>> {
        let keys = self.keys(root, &KEYS)?;
        // A whole scenario that could not be taken apart says why.
        if keys.get("kind").is_some() && !self.is_scenario(root) {
            return None;
        }
        for here in ["cluster", "daemonSet", "change"].into_iter().filter_map(|key| keys.given(key)) {
            self.report(&here, ScenarioProblem::StandsElsewhere);
        }
        let mut parts = Parts::of(root.head());
        self.release(&keys, None);
        self.world(&keys, &mut parts);
        Some(parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::{Object, read_documents};
    use crate::scenario::{NodePool, Scenario, read_scenario};

    const AGENT: &str = "{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: agent}, spec: {selector: {matchLabels: \
                         {app: agent}}, template: {metadata: {labels: {app: agent}}, spec: {containers: [{name: main, \
                         image: 'agent:1'}]}}}}";
    const POOLS: &str = "pools: [{name: w, count: 3}]";
    const WORLD: &str = "kubernetesVersion: '1.30'\ntimings: {podReadyAfter: {median: 20s, p95: 45s}}\nseed: 7\n\
                         events:\n- {at: 0s, behave: {readyAfter: Never, permille: 20}}\n- {at: 1m, cordon: {node: w-2}}\n";

    fn manifest(text: &str) -> Option<ReviewedManifest> {
        let located = read_documents(text.as_bytes(), KubernetesVersion::default()).objects.into_iter().next()?;
        match located.object {
            Object::DaemonSet(daemon_set) => Some(ReviewedManifest { daemon_set, reviewed: located.reviewed }),
            _ => None,
        }
    }

    fn elsewhere(daemon_set: &str, change: &str) -> Elsewhere {
        let (cluster, reviewed, problems) = read_cluster(POOLS.as_bytes(), KubernetesVersion::default());
        assert_eq!(problems, []);
        Elsewhere { cluster, reviewed, daemon_set: manifest(daemon_set), change: manifest(change) }
    }

    fn whole(text: &str) -> Scenario {
        let text = format!("apiVersion: rollcast.dev/v1alpha1\nkind: Scenario\n{text}");
        let (scenario, problems) = read_scenario(text.as_bytes());
        assert_eq!(problems, [], "{text}");
        scenario.unwrap()
    }

    fn said(world: &str, elsewhere: Elsewhere) -> Vec<String> {
        let read = read_world(world.as_bytes(), elsewhere);
        assert_eq!(read.scenario, None);
        let problem =
            |it: &Problem| format!("{}:{} {} {}", it.span.start.line, it.span.start.column, it.path, it.kind.code());
        read.problems.iter().map(problem).collect()
    }

    #[test]
    fn a_scenario_that_is_read_in_parts_is_the_same_as_the_whole() {
        let changed = AGENT.replace("agent:1", "agent:2");
        let read = read_world(WORLD.as_bytes(), elsewhere(AGENT, &changed));
        assert_eq!(read.problems, []);
        let text = format!("cluster: {{{POOLS}}}\ndaemonSet: {AGENT}\nchange: {changed}\n{WORLD}");
        assert_eq!(read.scenario, Some(whole(&text)));
        let installed = read_world(b"", elsewhere("", &changed));
        assert_eq!(installed.scenario, Some(whole(&format!("cluster: {{{POOLS}}}\nchange: {changed}\n"))));
        let text = format!("cluster: {{{POOLS}}}\ndaemonSet: {AGENT}\n");
        assert_eq!(read_world(b"# nothing\n", elsewhere(AGENT, "")).scenario, Some(whole(&text)));
    }

    #[test]
    fn what_is_wrong_is_told_at_its_line_or_by_the_part_it_lies_in() {
        let unknown = said("seed: 1\nevents: [{at: 1m, cordon: {node: w-9}}]", elsewhere(AGENT, AGENT));
        assert_eq!(unknown, ["2:27 events[0].cordon unknown-node"]);
        let other = said("", elsewhere(AGENT, &AGENT.replace("name: agent}", "name: other}")));
        assert_eq!(other, ["1:1 change other-daemon-set"]);
        let mut twice = elsewhere(AGENT, AGENT);
        twice.cluster.nodes.extend(NodePool { name: "w".into(), ..NodePool::default() }.nodes());
        assert_eq!(said("", twice), ["1:1 cluster object-twice"]);
        assert_eq!(said("change: {}\nseed: 2", elsewhere(AGENT, "")), ["1:9 change stands-elsewhere"]);
        assert_eq!(said("seed: [", elsewhere(AGENT, "")).len(), 1);
        assert_eq!(said("---\nseed: 1\n---\nseed: 2", elsewhere(AGENT, "")), ["4:1  second-document"]);
        let version = said("apiVersion: rollcast.dev/v9\nkind: Scenario", elsewhere(AGENT, ""));
        assert_eq!(version, ["1:13 apiVersion other-version"]);
        let named_twice = said("daemonSetRef: {name: agent}", elsewhere(AGENT, ""));
        assert_eq!(named_twice, ["1:15 daemonSetRef excludes-another-key"]);
    }

    #[test]
    fn a_cluster_alone_reports_what_is_wrong_at_its_line() {
        let node = "{apiVersion: v1, kind: Node, metadata: {name: n1}}";
        let text = format!("pools:\n- {{name: w, count: 0}}\nobjects: [{node}, {AGENT}]\nfiles: [other.json]");
        let (snapshot, reviewed, problems) = read_cluster(text.as_bytes(), KubernetesVersion::default());
        let places: Vec<_> = problems.iter().map(|it| (it.span.start.line, it.kind.code())).collect();
        assert_eq!(places, [(2, "number-out-of-range"), (4, "files-not-read")]);
        assert_eq!((snapshot.nodes.len(), snapshot.daemon_sets.len(), reviewed.len()), (1, 1, 1));
    }
}

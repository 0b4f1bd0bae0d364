//! Scenario files: one is taken apart into the page's four documents, and they are put together to one.
//!
//! Texts are moved, not printed anew: comments, order and layout come along. Where moving would change what a text says
//! (anchors shared between parts, several documents in one), its JSON goes instead.

use rollcast_core::KubernetesVersion;
use rollcast_core::json::{gathered, to_text};
use rollcast_core::manifest::{Document, Entry, Object, Tree, TreeValue, read_documents, read_trees};
use rollcast_core::scenario::{NodePool, SCENARIO_KIND, SCENARIO_VERSION, pool_json};
use serde_json::Value;

use crate::edit::{cut, find, put, set, tree_of};
use crate::knobs::turned;
use crate::protocol::Input;
use crate::state::Knobs;

/// Keys of a scenario that stand in a document of their own, and its type.
const APART: [&str; 5] = ["apiVersion", "kind", "cluster", "daemonSet", "change"];

/// How the text of the cluster is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClusterForm {
    Empty,
    /// A pool of nodes a line.
    Pools,
    /// As a scenario file has it: `pools`, `objects`, `files`.
    Section,
    /// Manifests, or what kubectl prints.
    Objects,
}

impl ClusterForm {
    /// How a text is written, by its first line that says something.
    pub fn of(text: &str) -> Self {
        let Some(first) = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#')) else {
            return Self::Empty;
        };
        let end = first.find(':').unwrap_or(first.len());
        if first.find('=').is_some_and(|equals| equals < end) {
            return Self::Pools;
        }
        // In JSON, the first key may stand on a line of its own.
        let start = text.find(first).unwrap_or_default();
        let key = text.get(start..).unwrap_or_default().trim_start_matches(['{', '"', ' ', '\t', '\r', '\n']);
        let key = key.split([':', '"']).next().unwrap_or_default();
        if ["pools", "objects", "files"].contains(&key.trim_end()) { Self::Section } else { Self::Objects }
    }
}

/// Whether a text may be a scenario; reading it tells.
pub fn is_scenario(text: &str) -> bool {
    text.contains("kind") && text.contains(SCENARIO_KIND)
}

/// Takes a scenario file apart: the DaemonSet, the change, the cluster, the world. None where it is no scenario, or cannot
/// be read: it says why as a world.
pub fn take_apart(text: &str) -> Option<[String; 4]> {
    let mut documents = read_trees(text.as_bytes()).into_iter();
    let (Some(Document { tree: Some(tree), .. }), None) = (documents.next(), documents.next()) else { return None };
    let says = |key, value| tree.get(key).and_then(Tree::as_str) == Some(value);
    if !says("kind", SCENARIO_KIND) || !says("apiVersion", SCENARIO_VERSION) {
        return None;
    }
    let TreeValue::Mapping(entries) = &tree.value else { return None };
    let in_block = entries.iter().all(|entry| entry.key_span.start.column == 1);
    let part = |key: &str| {
        let entry = entries.iter().find(|entry| entry.key == key).filter(|entry| entry.value.value != TreeValue::Null);
        entry.map(|entry| part(text, entries, entry, in_block)).unwrap_or_default()
    };
    Some([part("daemonSet"), part("change"), part("cluster"), world(text, entries, in_block)])
}

/// The text of a part, on its own.
fn part(text: &str, entries: &[Entry], entry: &Entry, in_block: bool) -> String {
    let (_, end) = lines_of(text, entries, entry);
    let behind = text.get(offset(entry.key_span.end.offset)..end).unwrap_or_default();
    let behind = behind.split_once(':').map_or(behind, |(_, behind)| behind);
    let (rest, below) = behind.split_once('\n').unwrap_or((behind, ""));
    let is_below = in_block && (rest.trim().is_empty() || rest.trim_start().starts_with('#'));
    let own = if is_below { dedented(below, 0) } else { dedented(cut(text, entry.value.span), 1) };
    ended(same_or_json(own, &entry.value.to_json()))
}

/// What is left of the text without the parts.
fn world(text: &str, entries: &[Entry], in_block: bool) -> String {
    let rest = || entries.iter().filter(|entry| !APART.contains(&entry.key.as_str()));
    let own = if in_block {
        let mut own = String::new();
        let mut from = 0;
        for entry in entries.iter().filter(|entry| APART.contains(&entry.key.as_str())) {
            let (start, end) = lines_of(text, entries, entry);
            own.push_str(text.get(from..start).unwrap_or_default());
            from = end;
        }
        own + text.get(from..).unwrap_or_default()
    } else {
        rest().map(|entry| [&entry.key, ": ", &dedented(cut(text, entry.value.span), 1), "\n"].concat()).collect()
    };
    let json = gathered(&mut rest().map(|entry| (entry.key.clone(), entry.value.to_json())));
    same_or_json(own, &Value::Object(json))
}

/// The text, if it says what it should.
fn same_or_json(text: String, json: &Value) -> String {
    if tree_of(&text).is_some_and(|tree| tree.to_json() == *json) { text } else { to_text(json) }
}

/// The lines of an entry of the outermost map. Comments before the next key are the next one's.
fn lines_of(text: &str, entries: &[Entry], entry: &Entry) -> (usize, usize) {
    let line_of = |entry: &Entry| {
        let key = offset(entry.key_span.start.offset);
        text.get(..key).unwrap_or_default().rfind('\n').map_or(0, |newline| newline + 1)
    };
    let start = line_of(entry);
    let next = entries.iter().find(|other| other.key_span.start > entry.key_span.start);
    let mut end = next.map_or(text.len(), line_of).max(start);
    while let Some(lines) = text.get(start..end).and_then(|lines| lines.strip_suffix('\n')) {
        let last = lines.rfind('\n').map_or(0, |newline| newline + 1);
        let line = lines.get(last..).unwrap_or_default();
        if last == 0 || !(line.trim().is_empty() || line.starts_with('#')) {
            break;
        }
        end = start + last;
    }
    (start, end)
}

/// Lines without the indentation that they share; the first so many stand behind a key and do not count.
fn dedented(text: &str, behind_key: usize) -> String {
    let says = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let blanks = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let shared = text.split('\n').skip(behind_key).filter(says).map(blanks).min().unwrap_or_default();
    let lines = text.split('\n').map(|line| line.get(shared.min(blanks(line))..).unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// Puts the documents together to a scenario file that plays what the page plays.
pub fn compose(input: &Input) -> String {
    let [daemon_set, change, _, world] = &input.documents;
    if input.whole {
        return world.clone();
    }
    let is_turned = input.knobs != Knobs::default();
    let changed = if change.trim().is_empty() && is_turned { daemon_set } else { change };
    let mut text = ["apiVersion: ", SCENARIO_VERSION, "\nkind: ", SCENARIO_KIND, "\n"].concat();
    write_world(&mut text, world);
    write_cluster(&mut text, input);
    write_manifest(&mut text, "daemonSet", daemon_set);
    write_manifest(&mut text, "change", &with_knobs(changed, &input.knobs));
    text
}

/// Writes the world as entries of the outermost map.
fn write_world(file: &mut String, world: &str) {
    let text = world.trim_start_matches('\u{feff}');
    let text = text.strip_prefix("---\n").unwrap_or(text);
    let in_braces = tree_of(text).filter(|tree| cut(text, tree.span).starts_with('{'));
    match in_braces.map(|tree| tree.value) {
        Some(TreeValue::Mapping(entries)) => {
            for entry in entries {
                file.extend([entry.key.as_str(), ": ", &to_text(&entry.value.to_json()), "\n"]);
            }
        }
        _ => file.push_str(&ended(text.to_owned())),
    }
}

fn write_manifest(file: &mut String, key: &str, manifest: &str) {
    if !manifest.trim().is_empty() {
        embed(file, key, manifest);
    }
}

fn ended(mut lines: String) -> String {
    if !lines.is_empty() && !lines.ends_with('\n') {
        lines.push('\n');
    }
    lines
}

/// A manifest with the fields that knobs stand for.
fn with_knobs(manifest: &str, knobs: &Knobs) -> String {
    let mut text = manifest.to_owned();
    for (path, value) in turned(knobs) {
        text = set(&text, path, Some(&to_text(&value))).unwrap_or_else(|| {
            let mut json = daemon_set_of(&text).map_or(Value::Null, |tree| tree.to_json());
            put(&mut json, path, value);
            to_text(&json)
        });
    }
    text
}

/// The DaemonSet's manifest among those of a text.
fn daemon_set_of(text: &str) -> Option<Tree> {
    let objects = read_documents(text.as_bytes(), KubernetesVersion::default()).objects.into_iter();
    objects.filter(|located| matches!(located.object, Object::DaemonSet(_))).map(|located| located.tree).next()
}

/// Writes a text as the value of a key.
fn embed(file: &mut String, key: &str, text: &str) {
    let lines = [key, ":\n", &indented(text, "  ")].concat();
    let documents = read_trees(text.as_bytes());
    let tree = match documents.as_slice() {
        [Document { tree, .. }] => tree.clone(),
        _ => daemon_set_of(text),
    };
    let json = tree.map(|tree| tree.to_json());
    let written = tree_of(&lines).and_then(|lines| lines.get(key).map(Tree::to_json));
    match json {
        Some(json) if written.as_ref() != Some(&json) => file.extend([key, ": ", &to_text(&json), "\n"]),
        // What cannot be read is kept all the same.
        _ => file.push_str(&lines),
    }
}

fn indented(text: &str, by: &str) -> String {
    let mut lines = String::new();
    for line in text.trim_start_matches('\u{feff}').trim_end().split('\n') {
        if !line.trim().is_empty() {
            lines.extend([by, line]);
        }
        lines.push('\n');
    }
    lines
}

fn write_cluster(file: &mut String, input: &Input) {
    let [_, _, text, _] = &input.documents;
    if let Some(dump) = &input.dump {
        let name = to_text(&Value::from(dump.name.as_str()));
        let comment = "cluster:\n  # The dump of the cluster, which belongs beside this file.\n";
        return file.extend([comment, "  files: [", &name, "]\n"]);
    }
    match ClusterForm::of(text) {
        ClusterForm::Empty => file.push_str("cluster: {}\n"),
        ClusterForm::Section => embed(file, "cluster", text),
        ClusterForm::Pools => {
            file.push_str("cluster:\n  pools:\n");
            for line in text.lines() {
                write_pool(file, line.trim());
            }
        }
        ClusterForm::Objects => {
            let wanted: Vec<Value> = read_trees(text.as_bytes())
                .into_iter()
                .filter_map(|document| document.tree)
                .map(|tree| tree.to_json())
                .collect();
            let lines = ["cluster:\n  objects:\n  -\n", &indented(text, "    ")].concat();
            let written = tree_of(&lines).and_then(|lines| find(&lines, &["cluster", "objects"]).map(Tree::to_json));
            if wanted.is_empty() || written.as_ref().and_then(Value::as_array) == Some(&wanted) {
                return file.push_str(&lines);
            }
            file.push_str("cluster:\n  objects:\n");
            for object in wanted {
                file.extend(["  - ", &to_text(&object), "\n"]);
            }
        }
    }
}

/// Writes a line of the cluster's text; one that cannot be read is kept as a comment.
fn write_pool(file: &mut String, line: &str) {
    let is_comment = line.starts_with('#');
    match NodePool::parse(line) {
        _ if line.is_empty() => {}
        Ok(pool) if !is_comment => file.extend(["  - ", &to_text(&pool_json(&pool)), "\n"]),
        _ => file.extend([if is_comment { "  " } else { "  # " }, line, "\n"]),
    }
}

fn offset(offset: u32) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use rollcast_core::scenario::{Scenario, read_scenario};

    use super::*;
    use crate::state::{Dump, Language};

    const SCENARIO: &str = "\
# A slow agent.
apiVersion: rollcast.dev/v1alpha1
kind: Scenario
name: Slow agent   # for the lesson
# How long things take.
timings:
  podReadyAfter: {median: 20s, p95: 40s}

cluster:
  # three of a kind
  pools:
  - {name: w, count: 3}
# As it runs.
daemonSet:
  apiVersion: apps/v1
  kind: DaemonSet
  metadata: {name: agent, namespace: ops}
  spec:
    selector: {matchLabels: {app: agent}}
    template:
      metadata: {labels: {app: agent}}
      spec:
        containers:
        - name: main
          image: agent:1   # old
change: {apiVersion: apps/v1, kind: DaemonSet, metadata: {name: agent, namespace: ops}, spec: {
  selector: {matchLabels: {app: agent}}, template: {metadata: {labels: {app: agent}}, spec: {
    containers: [{name: main, image: 'agent:2'}]}}}}
events:
- {at: 1m, cordon: {node: w-2}}
# The end.
";

    fn input(documents: [String; 4]) -> Input {
        Input { documents, knobs: Knobs::default(), language: Language::English, dump: None, whole: false }
    }

    fn read(text: &str) -> Scenario {
        let (scenario, problems) = read_scenario(text.as_bytes());
        assert_eq!(problems, [], "{text}");
        scenario.unwrap()
    }

    #[test]
    fn a_scenario_is_taken_apart_as_it_is_written() {
        let [daemon_set, change, cluster, world] = take_apart(SCENARIO).unwrap();
        assert!(daemon_set.starts_with("apiVersion: apps/v1\nkind: DaemonSet\n"), "{daemon_set}");
        assert!(
            daemon_set.contains("    spec:\n      containers:\n      - name: main\n        image: agent:1   # old\n")
        );
        assert!(change.starts_with("{apiVersion: apps/v1") && change.ends_with("}}}}\n"), "{change}");
        assert_eq!(cluster, "# three of a kind\npools:\n- {name: w, count: 3}\n");
        assert_eq!(
            world,
            "# A slow agent.\nname: Slow agent   # for the lesson\n# How long things take.\ntimings:\n  podReadyAfter: \
             {median: 20s, p95: 40s}\n\n# As it runs.\nevents:\n- {at: 1m, cordon: {node: w-2}}\n# The end.\n"
        );
    }

    #[test]
    fn what_was_taken_apart_goes_together_to_the_same_scenario() {
        let json = to_text(&tree_of(SCENARIO).unwrap().to_json());
        let anchored =
            SCENARIO.replace("metadata: {labels: {app: agent}}\n", "metadata: {labels: &app {app: agent}}\n");
        let anchored = anchored
            .replace("selector: {matchLabels: {app: agent}}, template", "selector: {matchLabels: *app}, template");
        for text in [SCENARIO, &json, &anchored, &SCENARIO.replace('\n', "\r\n")] {
            let parts = take_apart(text).unwrap_or_else(|| panic!("{text}"));
            let composed = compose(&input(parts.clone()));
            assert_eq!(read(&composed), read(SCENARIO), "{composed}");
            let unix = |text: &String| text.replace("\r\n", "\n");
            let again = take_apart(&composed).unwrap();
            assert_eq!(again.each_ref().map(unix)[..2], parts.each_ref().map(unix)[..2], "{composed}");
        }
    }

    #[test]
    fn a_cluster_goes_into_the_file_in_whatever_form_it_is_written() {
        let node = |name: &str| format!("apiVersion: v1\nkind: Node\nmetadata: {{name: {name}}}\n");
        let list = "{\"apiVersion\": \"v1\",\n\"kind\": \"List\", \"items\": [{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \"c\"}}]}";
        let forms = [
            (
                "# two\nname=w,count=2,label=zone=a/b,taint=k=v:NoSchedule\n\nname=x\ncount=nonsense",
                ClusterForm::Pools,
                3,
            ),
            ("# two\npools:\n- {name: w, count: 2}\n", ClusterForm::Section, 2),
            ("{\n  \"pools\": [{\"name\": \"w\", \"count\": 2}]}", ClusterForm::Section, 2),
            (&node("a"), ClusterForm::Objects, 1),
            (&[node("a"), node("b")].join("---\n"), ClusterForm::Objects, 2),
            (list, ClusterForm::Objects, 1),
        ];
        let [daemon_set, change, _, world] = take_apart(SCENARIO).unwrap();
        let world = world.replace("events:\n- {at: 1m, cordon: {node: w-2}}\n", "");
        for (cluster, form, nodes) in forms {
            assert_eq!(ClusterForm::of(cluster), form, "{cluster}");
            let composed = compose(&input([daemon_set.clone(), change.clone(), cluster.to_owned(), world.clone()]));
            assert_eq!(read(&composed).cluster.nodes.len(), nodes, "{composed}");
            assert_eq!(cluster.contains("# two"), composed.contains("# two"));
        }
        assert_eq!(ClusterForm::of(""), ClusterForm::Empty);
        let (_, problems) = read_scenario(
            compose(&input([daemon_set.clone(), change.clone(), String::new(), world.clone()])).as_bytes(),
        );
        let codes: Vec<_> = problems.iter().map(|problem| (problem.kind.code(), problem.path.to_string())).collect();
        assert_eq!(codes, [("no-nodes", "cluster".to_owned())]);
        let mut dumped = input([daemon_set, change, String::new(), world]);
        dumped.dump = Some(Dump { number: 1, bytes: 5_000_000, name: "nodes \"1\".json".into() });
        let composed = compose(&dumped);
        let read = rollcast_core::scenario::read_scenario_with(composed.as_bytes(), None, &mut |name, _| {
            assert_eq!(name.as_str(), "nodes \"1\".json");
            let nodes = vec![serde_json::from_str(r#"{"metadata": {"name": "a"}}"#).expect("a node")];
            Ok(rollcast_core::controller::Snapshot { nodes, ..Default::default() })
        });
        assert_eq!(read.problems, []);
    }

    #[test]
    fn knobs_are_written_into_the_change_and_keep_its_comments() {
        let [daemon_set, _, cluster, world] = take_apart(SCENARIO).unwrap();
        for change in [daemon_set.clone(), String::new(), format!("---\n{daemon_set}\n---\n{{}}\n")] {
            let mut input = input([daemon_set.clone(), change.clone(), cluster.clone(), world.clone()]);
            input.knobs.max_unavailable = Some("25%".into());
            input.knobs.min_ready_seconds = Some("5".into());
            let composed = compose(&input);
            let scenario = read(&composed);
            let rollcast_core::sim::ScenarioEvent::Apply(after) = &scenario.events[0].1 else { panic!("{composed}") };
            assert_eq!(after.spec.update_strategy.rolling_update.max_unavailable.to_string(), "25%");
            assert_eq!(after.spec.min_ready_seconds, 5);
            assert_eq!(composed.matches("# old").count(), if change.contains("---") { 1 } else { 2 });
        }
    }

    #[test]
    fn what_is_no_scenario_is_not_taken_apart_and_a_broken_text_is_kept() {
        for text in ["", "kind: DaemonSet", "kind: Scenario\napiVersion: v9", "kind: Scenario\nx: [", "- 1"] {
            assert_eq!(take_apart(text), None, "{text}");
        }
        let broken = "kind: Scenario\nx: [<script>".to_owned();
        let mut whole = input([String::new(), String::new(), String::new(), broken.clone()]);
        whole.whole = true;
        assert_eq!(compose(&whole), broken);
        let composed = compose(&input(["a: [".into(), "b: [".into(), "c: [".into(), "d: [".into()]));
        for text in ["a: [", "b: [", "c: [", "d: ["] {
            assert!(composed.contains(text), "{composed}");
        }
    }
}

use std::path::Path;

use rollcast_core::KubernetesVersion;
use rollcast_core::api::{Event, Labels, ObjectKey, Text};
use rollcast_core::controller::Snapshot;
use rollcast_core::manifest::{Object, TEXT_LIMIT};
use rollcast_core::message::Language;
use rollcast_core::ownership::is_own;
use rollcast_core::scenario::{Measurements, Scenario, ScenarioDocument, Sources, Start, measure};
use rollcast_core::sim::Options;
use rollcast_core::time::Timestamp;
use serde_json::Value;

use crate::arguments::{ImportArguments, ObjectFormat};
use crate::clock::now;
use crate::failure::Failure;
use crate::input::{self, Cluster, ReadText, key_in_default_namespace};
use crate::output::{Output, Verdict, print_note, print_problem};

mod said;

/// Makes a scenario of a cluster.
pub fn run(arguments: &ImportArguments, output: &mut Output) -> Result<Verdict, Failure> {
    input::check_change(&arguments.change)?;
    let version = arguments.kubernetes.kubernetes_version;
    let mut cluster = input::read_cluster(&arguments.change.input, version, output)?;
    let key = cluster.choose(arguments.change.daemon_set.wanted())?;
    let events = std::mem::take(&mut cluster.events);
    let mut snapshot = cluster.into_snapshot();
    if snapshot.nodes.is_empty() {
        return Err(Failure::NoNodes);
    }
    snapshot.daemon_sets.retain(|daemon_set| daemon_set.metadata.key() == key);
    snapshot.revisions.retain(|revision| {
        let owner = revision.metadata.controller_owner();
        revision.metadata.namespace == key.namespace && owner.is_none_or(|owner| owner.name == key.name)
    });
    // Nothing of a node or a pod is decided by its annotations, and they are long.
    for metadata in snapshot.nodes.iter_mut().map(|node| &mut node.metadata) {
        metadata.annotations = Labels::default();
    }
    for metadata in snapshot.pods.iter_mut().map(|pod| &mut pod.metadata) {
        metadata.annotations = Labels::default();
    }
    let seen_at = newest(&snapshot, &events).unwrap_or_else(now);
    let (mut found, mut has_pods) = (Measurements::default(), false);
    if let Some(daemon_set) = snapshot.daemon_sets.first() {
        found = measure(daemon_set, &snapshot.pods, &events, seen_at);
        has_pods = snapshot.pods.iter().any(|pod| is_own(daemon_set, pod));
    }
    let mut options = Options { version, ..Options::starting_at(seen_at) };
    let measured = found.measured();
    let mut sources = Sources::default();
    sources.take(&measured, &mut options);
    let said = said::lines(&found, &options.latencies, output.language);
    let scenario = Scenario {
        daemon_set: key.clone(),
        start: if has_pods { Start::Pods } else { Start::Settled },
        cluster: snapshot,
        options,
        sources,
        measured,
        events: Vec::new(),
    };
    let mut document = ScenarioDocument::of(&scenario);
    document.name = Text::from(key.to_string());
    if let Some(path) = &arguments.change.to {
        document.change = Some(change(path, &key, version, output.language)?);
    }
    let mut text = written(&document, arguments.output, &said)?;
    if u64::try_from(text.len()).unwrap_or(u64::MAX) > TEXT_LIMIT {
        refer(&mut document, arguments, key)?;
        text = written(&document, arguments.output, &said)?;
        let note = match output.language {
            Language::English => "the cluster is too large for one file: the scenario names the files it came from",
            Language::Chinese => "集群过大，无法放入一个文件：场景引用了原来的文件",
        };
        print_note(note, output.language);
    }
    for line in &said {
        print_note(line, output.language);
    }
    output.text(&text)?;
    Ok(Verdict::Fine)
}

/// The latest time in the cluster: when it was looked at, as far as can be told.
fn newest(cluster: &Snapshot, events: &[Event]) -> Option<Timestamp> {
    let of_pods = cluster.pods.iter().flat_map(|pod| {
        let conditions = pod.status.conditions.iter().filter_map(|condition| condition.last_transition_time);
        pod.metadata.creation_timestamp.into_iter().chain(conditions)
    });
    let of_daemon_sets = cluster.daemon_sets.iter().filter_map(|daemon_set| daemon_set.metadata.creation_timestamp);
    of_pods.chain(of_daemon_sets).chain(events.iter().filter_map(Event::last_told)).max()
}

/// The changed manifest of a DaemonSet as it was written; the scenario's reader reviews it.
fn change(path: &Path, key: &ObjectKey, version: KubernetesVersion, language: Language) -> Result<Value, Failure> {
    let name = || path.display().to_string();
    let mut changed = Cluster::default();
    let mut trees = Vec::new();
    for ReadText { name, text, documents } in input::read_texts(&[path.to_owned()], false, version)? {
        if documents.objects.is_empty() && documents.has_errors() {
            for problem in documents.problems.iter().filter(|problem| input::is_error(problem)) {
                print_problem(&name, &text, problem, language);
            }
            return Err(Failure::NotRead { name: format!("`{name}`") });
        }
        trees.extend(documents.objects.iter().filter_map(|located| match &located.object {
            Object::DaemonSet(daemon_set) => {
                Some((key_in_default_namespace(&daemon_set.metadata), located.tree.to_json()))
            }
            _ => None,
        }));
        changed.add_documents(&name, documents);
    }
    if trees.is_empty() {
        return Err(Failure::NoChange { name: name(), found: changed.kinds() });
    }
    let wanted = changed.choose(Some(&key.to_string()))?;
    let found = trees.into_iter().find(|(written, _)| *written == wanted);
    found.map(|(_, tree)| tree).ok_or_else(|| Failure::NoChange { name: name(), found: changed.kinds() })
}

/// Names the files instead of holding their objects.
fn refer(document: &mut ScenarioDocument, arguments: &ImportArguments, key: ObjectKey) -> Result<(), Failure> {
    let names = arguments.change.input.filenames.iter();
    if names.clone().any(|name| name.as_os_str() == "-") {
        return Err(Failure::TooLargeToHold);
    }
    document.files = names.map(|name| Text::from(name.display().to_string())).collect();
    document.objects.clear();
    document.daemon_set = None;
    document.daemon_set_ref = Some(key);
    Ok(())
}

fn written(document: &ScenarioDocument, format: ObjectFormat, said: &[String]) -> Result<String, Failure> {
    match format {
        ObjectFormat::Json => {
            let text = serde_json::to_string_pretty(&document.to_json()).map_err(std::io::Error::from)?;
            Ok(text + "\n")
        }
        ObjectFormat::Yaml => {
            let comments: String = said.iter().flat_map(|line| ["# ", line, "\n"]).collect();
            Ok(comments + &document.to_yaml().map_err(std::io::Error::other)?)
        }
    }
}

use rollcast_core::KubernetesVersion;
use rollcast_core::api::{Labels, Text};
use rollcast_core::manifest::{Object, TEXT_LIMIT};
use rollcast_core::message::{Language, duration, pods};
use rollcast_core::ownership::is_own;
use rollcast_core::scenario::{
    Measured, MeasuredStarts, MeasuredTime, Scenario, ScenarioDocument, Sources, Start, distribution_text,
    measure_starts,
};
use rollcast_core::sim::{Latencies, Options};
use rollcast_core::time::Timestamp;
use serde_json::Value;

use crate::arguments::{ImportArguments, ObjectFormat};
use crate::clock::now;
use crate::failure::Failure;
use crate::input;
use crate::output::{Output, Verdict, print_note};

/// Makes a scenario of a cluster.
pub fn run(arguments: &ImportArguments, output: &mut Output) -> Result<Verdict, Failure> {
    if arguments.input.filenames.is_empty() {
        return Err(Failure::NothingToRead);
    }
    let version = arguments.kubernetes.kubernetes_version;
    let cluster = input::read_cluster(&arguments.input, version, output)?;
    let key = cluster.choose(arguments.daemon_set.daemon_set.as_deref())?;
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
    let (mut measured, mut has_pods) = (MeasuredStarts::default(), false);
    if let Some(daemon_set) = snapshot.daemon_sets.first() {
        measured = measure_starts(daemon_set, &snapshot.pods);
        has_pods = snapshot.pods.iter().any(|pod| is_own(daemon_set, pod));
    }
    let start = newest(&snapshot).unwrap_or_else(now);
    let mut options = Options { version, ..Options::starting_at(start) };
    let kept = Measured { pod_ready_after: measured.ready, ..Measured::default() };
    let mut sources = Sources::default();
    sources.take(&kept, &mut options);
    let said = said(&measured, &options.latencies, output.language);
    let scenario = Scenario {
        daemon_set: key.clone(),
        start: if has_pods { Start::Pods } else { Start::Settled },
        cluster: snapshot,
        options,
        sources,
        measured: kept,
        events: Vec::new(),
    };
    let mut document = ScenarioDocument::of(&scenario);
    document.name = Text::from(key.to_string());
    if let Some(path) = &arguments.to {
        document.change = Some(change(path, version)?);
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
fn newest(cluster: &rollcast_core::controller::Snapshot) -> Option<Timestamp> {
    let of_pods = cluster.pods.iter().flat_map(|pod| {
        let conditions = pod.status.conditions.iter().filter_map(|condition| condition.last_transition_time);
        pod.metadata.creation_timestamp.into_iter().chain(conditions)
    });
    let of_daemon_sets = cluster.daemon_sets.iter().filter_map(|daemon_set| daemon_set.metadata.creation_timestamp);
    of_pods.chain(of_daemon_sets).max()
}

/// The changed manifest as it was written; the scenario's reader reviews it.
fn change(path: &std::path::Path, version: KubernetesVersion) -> Result<Value, Failure> {
    let texts = input::read_texts(&[path.to_owned()], false, version)?;
    let located = texts.into_iter().flat_map(|text| text.documents.objects);
    let mut daemon_sets = located.filter(|located| matches!(located.object, Object::DaemonSet(_)));
    let found = daemon_sets.next().ok_or(Failure::NoDaemonSet { found: Vec::new() })?;
    Ok(found.tree.to_json())
}

/// Names the files instead of holding their objects.
fn refer(
    document: &mut ScenarioDocument,
    arguments: &ImportArguments,
    key: rollcast_core::api::ObjectKey,
) -> Result<(), Failure> {
    let names = arguments.input.filenames.iter();
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

/// What was measured, and what stays assumed.
fn said(measured: &MeasuredStarts, latencies: &Latencies, language: Language) -> Vec<String> {
    let MeasuredStarts { bound, initialized, ready, left_out } = measured;
    let mut said = Vec::new();
    let mut add = |time: &Option<MeasuredTime>, english: &str, chinese: &str| {
        let Some(MeasuredTime { count, least, median, p95, most }) = time else { return };
        let [least, median, p95, most] = [least, median, p95, most].map(|time| duration(*time, language));
        let count = pods(*count, language);
        said.push(match language {
            Language::English => {
                format!("{english}, measured at {count}: median {median}, p95 {p95}, from {least} to {most}")
            }
            Language::Chinese => {
                format!("{chinese}（测自 {count}）：中位数 {median}，p95 {p95}，最短 {least}，最长 {most}")
            }
        });
    };
    add(bound, "creation to binding", "创建到绑定");
    add(initialized, "binding to the end of the init containers", "绑定到 init 容器结束");
    add(ready, "binding to ready", "绑定到就绪");
    let count = pods(*left_out, language);
    let ready_after = distribution_text(latencies.pod_ready_after);
    let gone_after = distribution_text(latencies.pod_gone_after);
    match language {
        Language::English => {
            if *left_out > 0 {
                said.push(format!("left out: {count}, not ready, restarted, or ready again after long"));
            }
            if ready.is_none() {
                said.push(format!("nothing was measured; assumed: podReadyAfter {ready_after}"));
            }
            said.push(format!("assumed, for a dump does not tell it: podGoneAfter {gone_after}"));
        }
        Language::Chinese => {
            if *left_out > 0 {
                said.push(format!("未计入：{count}，未就绪、重启过或很久后再次就绪"));
            }
            if ready.is_none() {
                said.push(format!("没有可测的数据；假设 podReadyAfter 为 {ready_after}"));
            }
            said.push(format!("转储中看不出，故为假设：podGoneAfter {gone_after}"));
        }
    }
    said
}

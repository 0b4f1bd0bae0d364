//! What `diagnose` finds in small dumps: for every trouble one that has it, and one that nearly has.
//!
//! A file of `tests/diagnose/` is YAML with directives. What stands before the first `#: shows` or `#: lacks` is common
//! to its sections; an object of a section replaces the common one of its name.
//!
//! - `#: shows ID … (STATE)`: a section in which these are found; `#: lacks ID … (STATE)`: one in which they are not.
//! - `#: says TEXT`, `#: runs COMMAND`: what one of the findings says, or one of the remedies runs.
//! - `#: occupied`: a foreign revision has the name that the one of the present template would get.
//! - `#: revision HASH NUMBER IMAGE [RESTARTED-AT]`: a stored revision: the DaemonSet's template with that image.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rollcast_core::KubernetesVersion;
use rollcast_core::api::{ControllerRevision, DaemonSet, Node, ObjectKey, PodTemplate};
use rollcast_core::controller::Snapshot;
use rollcast_core::diagnose::{Diagnosis, Effect, RolloutState, Settings, diagnose};
use rollcast_core::history::{go_json, revision_hash, template_patch};
use rollcast_core::manifest::{Object, Severity, read_documents};
use rollcast_core::message::{Language, Words};
use rollcast_core::report::{DiagnosisReport, diagnosis_report};
use rollcast_core::scenario::{Measured, Scenario, Sources, Start};
use rollcast_core::sim::{Behaviour, Ending, Images, Latencies, NodeSelection, Options, PodSelection, ScenarioEvent};
use rollcast_core::time::Timestamp;
use rollcast_tests::cluster::{
    START, agent, agent_with, edit_template, nodes, on_delete, requesting, with_image, with_memory,
};
use rollcast_tests::say::say;
use serde_json::json;

/// When every dump was taken.
const NOW: &str = "2026-01-01T01:00:00Z";

/// What can be found; each is shown by some section and lacking in another.
const IDS: [&str; 52] = [
    "EmptySelector",
    "TemplateNotSelected",
    "BeingDeleted",
    "MalformedLimit",
    "ControllerNotActing",
    "SpecNotObserved",
    "CreationRefused",
    "NameCollision",
    "UnavailableBudget",
    "SurgeBudget",
    "LostNodes",
    "WaitingForDeletion",
    "CountedByGeneration",
    "NothingToReplace",
    "LongMinReady",
    "PercentRoundsUp",
    "NoEligibleNode",
    "NotEligible",
    "Misscheduled",
    "StatusBehind",
    "Rival",
    "FormerPods",
    "ReleasedPods",
    "UnknownRevision",
    "NoRevisions",
    "NoPod",
    "NodeGone",
    "NodeDown",
    "NoRoom",
    "HostPort",
    "BesideOldPod",
    "UntoleratedTaint",
    "PodAffinity",
    "Volume",
    "Unschedulable",
    "SchedulingGated",
    "NotLookedAt",
    "ImagePull",
    "CannotStart",
    "CrashLoop",
    "InitContainer",
    "ContainerCreating",
    "NeverReady",
    "Starting",
    "NotYetAvailable",
    "Failed",
    "Succeeded",
    "Finalizers",
    "TerminatingOnDeadNode",
    "TerminatingTooLong",
    "Terminating",
    "Excess",
];

struct Section {
    name: String,
    shows: bool,
    ids: Vec<String>,
    state: Option<String>,
    says: Vec<String>,
    runs: Vec<String>,
    snapshot: Snapshot,
}

#[test]
fn every_trouble_is_found_where_it_is_and_not_where_it_nearly_is() {
    let (mut shown, mut lacking) = (BTreeSet::new(), BTreeSet::new());
    let mut wrong = String::new();
    let sections: Vec<Section> = files().iter().flat_map(|file| sections(file)).collect();
    for section in &sections {
        if section.shows { &mut shown } else { &mut lacking }.extend(section.ids.iter().cloned());
        let report = report(&section.snapshot, Language::English);
        let found: BTreeSet<&str> = report.findings.iter().map(|finding| finding.id).collect();
        let mut complain = |what: String| {
            let _ = writeln!(wrong, "{}: {what}\n    {}\n    found {found:?}", section.name, report.headline);
        };
        for id in &section.ids {
            assert!(IDS.contains(&id.as_str()), "{}: no finding is called {id}", section.name);
            if found.contains(id.as_str()) != section.shows {
                complain(format!("{id} is {}", if section.shows { "missing" } else { "found" }));
            }
        }
        if section.state.as_deref().is_some_and(|state| state != state_of(&report)) {
            complain(format!("it is {}", state_of(&report)));
        }
        for text in &section.says {
            let said = |text: &String| report.findings.iter().any(|finding| finding.message.contains(text.as_str()));
            if !said(text) && !report.headline.contains(text.as_str()) {
                let messages: Vec<_> = report.findings.iter().map(|finding| &finding.message).collect();
                complain(format!("nobody says `{text}`: {messages:#?}"));
            }
        }
        for command in &section.runs {
            let mut remedies = report.findings.iter().flat_map(|finding| &finding.remedies);
            if !remedies.any(|remedy| remedy.command.as_ref() == Some(command)) {
                let all = report.findings.iter().flat_map(|finding| &finding.remedies);
                let all: Vec<_> = all.filter_map(|remedy| remedy.command.as_ref()).collect();
                complain(format!("nothing runs `{command}`: {all:#?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    let untested = |set: &BTreeSet<String>| IDS.iter().filter(|id| !set.contains(**id)).copied().collect::<Vec<_>>();
    assert!(untested(&shown).is_empty(), "nowhere shown: {:?}", untested(&shown));
    assert!(untested(&lacking).is_empty(), "nowhere nearly: {:?}", untested(&lacking));
    say(&format!("diagnose: {} findings in {} dumps, each shown and each nearly", IDS.len(), sections.len()));
}

#[test]
fn every_finding_says_something_in_both_languages_and_forces_nothing_unsaid() {
    for section in files().iter().flat_map(|file| sections(file)) {
        let english = report(&section.snapshot, Language::English);
        let chinese = report(&section.snapshot, Language::Chinese);
        assert!(!english.headline.is_empty() && english.headline != chinese.headline, "{}", section.name);
        for (one, other) in english.findings.iter().zip(&chinese.findings) {
            assert_eq!(one.id, other.id);
            assert!(one.message != other.message && one.title != other.title, "{}: {}", section.name, one.message);
            for remedy in &one.remedies {
                let Some(command) = &remedy.command else { continue };
                assert!(command.starts_with("kubectl "), "{command}");
                let destroys = ["delete", "--force", "rollout undo", "rollout restart", "set resources"];
                if destroys.iter().any(|word| command.contains(word)) && !one.message.contains("nodes that are gone") {
                    assert!(remedy.warning.is_some(), "{}: `{command}` says nothing of what it costs", section.name);
                }
                let dead = ["TerminatingOnDeadNode", "UnavailableBudget", "LostNodes"];
                assert!(!command.contains("--force") || dead.contains(&one.id), "{}: {command}", one.id);
            }
        }
    }
}

#[test]
fn the_order_of_the_input_is_irrelevant() {
    for section in files().iter().flat_map(|file| sections(file)) {
        let mut backwards = section.snapshot.clone();
        backwards.nodes.reverse();
        backwards.pods.reverse();
        backwards.revisions.reverse();
        let ids = |snapshot: &Snapshot| {
            let report = report(snapshot, Language::English);
            let findings = report.findings.iter().map(|finding| (finding.id, finding.nodes.count)).collect::<Vec<_>>();
            (report.headline, findings)
        };
        assert_eq!(ids(&section.snapshot), ids(&backwards), "{}", section.name);
    }
}

// ---- what is played ----

/// Plays an update a second after the start until nothing happens any more, at most for an hour; what is found then.
fn played(before: &DaemonSet, after: DaemonSet, cluster: Vec<Node>, events: Vec<(u64, ScenarioEvent)>) -> Diagnosis {
    let apply = (1, ScenarioEvent::Apply(Box::new(after)));
    let events = events.into_iter().chain([apply]).map(|(at, event)| (Duration::from_secs(at), event));
    let scenario = Scenario {
        daemon_set: before.metadata.key(),
        cluster: Snapshot { daemon_sets: vec![before.clone()], nodes: cluster, ..Snapshot::default() },
        start: Start::Settled,
        options: Options { latencies: latencies(), images: Some(Images::default()), ..Options::starting_at(START) },
        sources: Sources::default(),
        measured: Measured::default(),
        events: events.collect(),
    };
    let mut world = scenario.world();
    world.run_until(Duration::from_hours(1));
    let snapshot = world.snapshot();
    let now = Settings::at(world.now());
    let is_still = matches!(world.summary().ending, Some(Ending::Stuck { .. }));
    let settings = if is_still { now.once_still(&snapshot) } else { now };
    diagnose(&snapshot, &scenario.daemon_set, &settings).expect("the DaemonSet is there")
}

fn behaves(behaviour: Behaviour) -> ScenarioEvent {
    ScenarioEvent::Behave { nodes: NodeSelection::All, behaviour }
}

fn latencies() -> Latencies {
    Latencies { pod_ready_after: Duration::from_secs(10).into(), ..Latencies::default() }
}

fn blocking(diagnosis: &Diagnosis) -> Vec<&'static str> {
    let blocks = diagnosis.findings.iter().filter(|finding| finding.effect == Effect::Blocks);
    blocks.map(|finding| finding.problem.id()).collect()
}

/// What blocks an update from v1 to v2 on three nodes to which this happens.
fn blocked_by(events: Vec<(u64, ScenarioEvent)>) -> Vec<&'static str> {
    let diagnosis = played(&agent(), with_image(agent(), "v2"), nodes(3), events);
    assert_eq!(diagnosis.state, RolloutState::Blocked, "{:?}", diagnosis.findings);
    blocking(&diagnosis)
}

#[test]
fn images_that_cannot_be_pulled_in_a_play_are_found() {
    assert_eq!(blocked_by(vec![(0, behaves(Behaviour::pulls_fail(&latencies())))])[0], "ImagePull");
}

#[test]
fn a_crash_loop_of_a_play_is_found() {
    let crashes = Behaviour::crash_loop(&latencies(), Duration::from_secs(2).into());
    assert_eq!(blocked_by(vec![(0, behaves(crashes))])[0], "CrashLoop");
}

#[test]
fn a_pod_that_is_never_ready_in_a_play_is_found() {
    assert_eq!(blocked_by(vec![(0, behaves(Behaviour::never_ready(&latencies())))])[0], "NeverReady");
}

#[test]
fn a_pod_that_does_not_go_in_a_play_is_found() {
    let on_first = PodSelection::OnNode("node-0".into());
    assert_eq!(blocked_by(vec![(0, ScenarioEvent::WedgePods(on_first))]), ["UnavailableBudget", "TerminatingTooLong"]);
}

#[test]
fn a_node_that_lost_its_room_in_a_play_is_found() {
    let before = agent_with(requesting("128Mi"));
    let mut after = with_image(before.clone(), "v2");
    edit_template(&mut after, |json| {
        json["spec"]["containers"][0]["resources"] = json!({"requests": {"memory": "512Mi"}});
    });
    let mut cluster = nodes(3);
    cluster[0] = with_memory(cluster[0].clone(), "256Mi");
    let diagnosis = played(&before, after, cluster, Vec::new());
    assert_eq!(blocking(&diagnosis)[0], "NoRoom", "{:?}", diagnosis.findings);
}

#[test]
fn an_update_that_nobody_makes_by_hand_in_a_play_is_found() {
    let mut before = agent();
    before.spec.update_strategy = on_delete();
    let after = with_image(before.clone(), "v2");
    let waits = played(&before, after.clone(), nodes(3), Vec::new());
    assert_eq!(blocking(&waits), ["WaitingForDeletion"]);
    let by_hand = ScenarioEvent::DeleteOutdatedPods { at_once: 1 };
    let made = played(&before, after, nodes(3), vec![(0, by_hand)]);
    assert_eq!((made.state, blocking(&made)), (RolloutState::Finished, Vec::new()));
}

#[test]
fn what_recovers_in_a_play_leaves_nothing_that_blocks() {
    let troubles = [
        Behaviour::pulls_fail(&latencies()),
        Behaviour::crash_loop(&latencies(), Duration::from_secs(2).into()),
        Behaviour::never_ready(&latencies()),
        Behaviour::never_gone(&latencies()),
    ];
    for trouble in troubles {
        let heals = (1_200, ScenarioEvent::Heal(NodeSelection::All));
        let events = vec![(0, behaves(trouble)), heals];
        let diagnosis = played(&agent(), with_image(agent(), "v2"), nodes(3), events);
        assert_eq!((diagnosis.state, diagnosis.done), (RolloutState::Finished, 3), "{:?}", diagnosis.findings);
        assert_eq!(blocking(&diagnosis), [""; 0], "{:?}", diagnosis.findings);
    }
}

fn report(snapshot: &Snapshot, language: Language) -> DiagnosisReport {
    let (diagnosis, settings) = diagnosed(snapshot);
    let report = diagnosis_report(&diagnosis, &settings, language);
    assert_eq!(report.headline, diagnosis.words(language));
    report
}

fn diagnosed(snapshot: &Snapshot) -> (Diagnosis, Settings) {
    let settings = Settings { patience: Duration::from_mins(5), ..Settings::at(Timestamp::parse(NOW).unwrap()) };
    let key = ObjectKey { namespace: "default".into(), name: "agent".into() };
    (diagnose(snapshot, &key, &settings).expect("the DaemonSet is there"), settings)
}

fn state_of(report: &DiagnosisReport) -> &'static str {
    match report.state {
        RolloutState::Blocked => "blocked",
        RolloutState::Progressing { .. } => "progressing",
        RolloutState::Finished => "finished",
        RolloutState::BeingDeleted => "deleted",
    }
}

// ---- reading ----

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("diagnose");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// The sections of a file, each with what is common put before it.
fn sections(file: &Path) -> Vec<Section> {
    let text = fs::read_to_string(file).unwrap();
    let mut parts: Vec<(String, Vec<String>)> = vec![(String::new(), Vec::new())];
    for line in text.lines() {
        let part = parts.last_mut().unwrap();
        match line.strip_prefix("#: ") {
            Some(directive) if directive.starts_with("shows") || directive.starts_with("lacks") => {
                parts.push((String::new(), vec![directive.to_owned()]));
            }
            Some(directive) => part.1.push(directive.to_owned()),
            None => part.0.extend([line, "\n"]),
        }
    }
    let (common, all) = parts.remove(0);
    let name = file.file_name().unwrap().to_string_lossy();
    let section = |(own, directives): (String, Vec<String>)| section(&name, &common, &all, &own, &directives);
    parts.into_iter().map(section).collect()
}

fn section(file: &str, common: &str, all: &[String], own: &str, directives: &[String]) -> Section {
    let head = &directives[0];
    let (words, state) = match head.split_once(" (") {
        Some((words, state)) => (words, Some(state.trim_end_matches(')').to_owned())),
        None => (head.as_str(), None),
    };
    let mut words = words.split_whitespace();
    let shows = words.next() == Some("shows");
    let of = |kind: &str| -> Vec<String> {
        let prefix = format!("{kind} ");
        directives.iter().filter_map(|line| line.strip_prefix(&prefix)).map(str::to_owned).collect()
    };
    let mut snapshot = Snapshot::default();
    read(file, common, &mut snapshot);
    read(file, own, &mut snapshot);
    for line in all.iter().chain(directives).filter_map(|line| line.strip_prefix("revision ")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        snapshot.revisions.push(revision(&snapshot.daemon_sets[0], &words));
    }
    if directives.iter().any(|line| line == "occupied") {
        let occupied = occupant(&snapshot.daemon_sets[0]);
        snapshot.revisions.push(occupied);
    }
    Section {
        name: format!("{file}: {head}"),
        shows,
        ids: words.map(str::to_owned).collect(),
        state,
        says: of("says"),
        runs: of("runs"),
        snapshot,
    }
}

/// Adds the objects of a text; one of a name that is there takes its place.
fn read(file: &str, text: &str, snapshot: &mut Snapshot) {
    let read = read_documents(text.as_bytes(), KubernetesVersion::default());
    let is_syntax = |problem: &&rollcast_core::manifest::Problem| problem.kind.severity() == Severity::Error;
    if read.objects.is_empty() && !text.trim().is_empty() {
        assert!(read.problems.iter().find(is_syntax).is_none(), "{file}: {:?}", read.problems);
    }
    for located in read.objects {
        match located.object {
            Object::DaemonSet(mut daemon_set) => {
                daemon_set.metadata.namespace = namespace(&daemon_set.metadata.namespace);
                let name = daemon_set.metadata.name.clone();
                put(&mut snapshot.daemon_sets, *daemon_set, |other| other.metadata.name == name);
            }
            Object::Node(node) => {
                let name = node.metadata.name.clone();
                put(&mut snapshot.nodes, *node, |other| other.metadata.name == name);
            }
            Object::Pod(mut pod) => {
                pod.metadata.namespace = namespace(&pod.metadata.namespace);
                let key = pod.metadata.key();
                put(&mut snapshot.pods, *pod, |other| other.metadata.key() == key);
            }
            other => panic!("{file}: {other:?}"),
        }
    }
}

fn namespace(written: &str) -> rollcast_core::api::Text {
    if written.is_empty() { "default".into() } else { written.into() }
}

fn put<T>(list: &mut Vec<T>, object: T, is_same: impl Fn(&T) -> bool) {
    match list.iter_mut().find(|other| is_same(other)) {
        Some(place) => *place = object,
        None => list.push(object),
    }
}

/// The DaemonSet's template with another image, as a stored revision of an hour ago.
fn revision(daemon_set: &DaemonSet, words: &[&str]) -> ControllerRevision {
    let [hash, number, image, rest @ ..] = words else { panic!("{words:?}") };
    let mut json = daemon_set.spec.template.json().clone();
    json["spec"]["containers"][0]["image"] = json!(image);
    if let [restarted_at] = rest {
        json["metadata"]["annotations"]["kubectl.kubernetes.io/restartedAt"] = json!(restarted_at);
    }
    let template = PodTemplate::from_json(json).unwrap();
    let metadata = json!({
        "name": format!("agent-{hash}"), "namespace": "default", "creationTimestamp": "2026-01-01T00:00:00Z",
        "labels": {"app": "agent", "controller-revision-hash": hash},
        "ownerReferences": [{"apiVersion": "apps/v1", "kind": "DaemonSet", "name": "agent", "uid": "ds", "controller": true}],
    });
    ControllerRevision {
        metadata: serde_json::from_value(metadata).unwrap(),
        data: template_patch(template.json()),
        revision: number.parse().unwrap(),
    }
}

/// A revision of nobody and of another template, under the name that one of the present template would get.
fn occupant(daemon_set: &DaemonSet) -> ControllerRevision {
    let patch = go_json(&template_patch(daemon_set.spec.template.json()));
    let name = format!("agent-{}", revision_hash(&patch, daemon_set.status.collision_count));
    let metadata = serde_json::from_value(json!({"name": name, "namespace": "default"})).unwrap();
    ControllerRevision { metadata, data: json!({"spec": {}}), revision: 7 }
}

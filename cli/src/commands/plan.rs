use std::path::PathBuf;
use std::time::Duration;

use rollcast_core::KubernetesVersion;
use rollcast_core::api::{DaemonSet, ObjectKey, Pod, Text};
use rollcast_core::controller::Snapshot;
use rollcast_core::manifest::{Object, Review, review_daemon_set};
use rollcast_core::message::{Language, Words};
use rollcast_core::ownership::is_own;
use rollcast_core::report::{self, Assumptions, PlanOutcome, PlanStart, Played};
use rollcast_core::scenario::kept_by_apply;
use rollcast_core::sim::{Behaviour, Latencies, NodeSelection, Options, ScenarioEvent, World};

use crate::arguments::{ChangeArguments, PlanArguments};
use crate::clock::now;
use crate::failure::Failure;
use crate::input::{self, Cluster, ReadText};
use crate::output::{self, Kind, Output, Progress, Verdict};

pub mod page;

/// Events and decisions that are played between two looks at the clock.
const SLICE: u32 = 20_000;

/// Plays a change, from what runs now to its end, and tells it step by step.
pub fn run(arguments: &PlanArguments, output: &mut Output) -> Result<Verdict, Failure> {
    let version = arguments.kubernetes.kubernetes_version;
    let Some(Subject { key, after, snapshot }) = read(&arguments.change, version, output)? else {
        return Ok(Verdict::Findings);
    };
    for name in &arguments.never_ready {
        input::find_node(name, &snapshot.nodes)?;
    }
    let report = report(arguments, snapshot, &key, after.map(|after| *after), output)?;
    output.report(arguments.format.output, Kind::PlanReport, &report, |page| {
        page::show(page, &report, arguments.all_steps);
    })?;
    Ok(Verdict::findings_if(report.end.outcome != PlanOutcome::Finishes))
}

/// What runs now, the DaemonSet that is meant, and what becomes of it.
pub struct Subject {
    pub key: ObjectKey,
    pub after: Option<Box<DaemonSet>>,
    pub snapshot: Snapshot,
}

/// Reads what runs now and the change to it. Absent when the API server would refuse the change: why has been printed.
pub fn read(
    arguments: &ChangeArguments,
    version: KubernetesVersion,
    output: &Output,
) -> Result<Option<Subject>, Failure> {
    input::check_change(arguments)?;
    let cluster = input::read_cluster(&arguments.input, version, output)?;
    let wanted = arguments.daemon_set.wanted();
    let (key, after) = match &arguments.to {
        Some(path) => match read_change(path, &cluster, wanted, version, output.language)? {
            Change::Refused => return Ok(None),
            Change::Accepted(after) => (after.metadata.key(), Some(after)),
        },
        None => (cluster.choose(wanted)?, None),
    };
    cluster.check_playable(&key)?;
    let snapshot = cluster.into_snapshot();
    if snapshot.nodes.is_empty() {
        return Err(Failure::NoNodes);
    }
    Ok(Some(Subject { key, after, snapshot }))
}

/// What became of the changed manifest.
enum Change {
    Accepted(Box<DaemonSet>),
    /// The API server would refuse it; why has been printed.
    Refused,
}

/// Reads the changed manifest and reviews it as an update of what is there, by the API server of this release.
fn read_change(
    path: &PathBuf,
    cluster: &Cluster,
    wanted: Option<&str>,
    version: KubernetesVersion,
    language: Language,
) -> Result<Change, Failure> {
    let texts = input::read_texts(std::slice::from_ref(path), false, version)?;
    let mut changed = Cluster::default();
    for text in &texts {
        if refused(text, cluster, version, language) {
            return Ok(Change::Refused);
        }
    }
    for ReadText { name, documents, .. } in texts {
        changed.add_documents(&name, documents);
    }
    let without = |found| Failure::NoChange { name: path.display().to_string(), found };
    let key = changed.choose(wanted).map_err(|failure| match failure {
        Failure::NoDaemonSet { found } => without(found),
        failure => failure,
    })?;
    let mut after = changed.daemon_set(&key).cloned().ok_or_else(|| without(changed.kinds()))?;
    if let Some(before) = cluster.daemon_set(&key) {
        after.spec.template = kept_by_apply(before, &after.spec.template);
    }
    Ok(Change::Accepted(Box::new(after)))
}

/// Whether the API server would refuse a DaemonSet of a text, as a new one or as an update; prints why.
fn refused(text: &ReadText, cluster: &Cluster, version: KubernetesVersion, language: Language) -> bool {
    let mut problems = text.documents.problems.clone();
    for located in &text.documents.objects {
        let Object::DaemonSet(daemon_set) = &located.object else { continue };
        let before = cluster.reviewed.get(&input::key_in_default_namespace(&daemon_set.metadata));
        if before.is_some() {
            let document = located.document;
            let review = Review { text: &text.text, document, before, version, ..Review::default() };
            problems.retain(|problem| problem.document != located.document);
            problems.extend(review_daemon_set(&located.tree, &review).problems);
        }
    }
    let errors = problems.iter().filter(|problem| input::is_error(problem));
    errors.clone().for_each(|problem| output::print_problem(&text.name, &text.text, problem, language));
    errors.count() > 0
}

fn report(
    arguments: &PlanArguments,
    snapshot: Snapshot,
    key: &ObjectKey,
    after: Option<DaemonSet>,
    output: &Output,
) -> Result<report::PlanReport, Failure> {
    let latencies = Latencies {
        pod_ready_after: Duration::from_secs(arguments.ready_after.into()).into(),
        pod_gone_after: Duration::from_secs(arguments.gone_after.into()).into(),
        ..Latencies::default()
    };
    let version = arguments.kubernetes.kubernetes_version;
    let options = Options { latencies, version, ..Options::starting_at(now()) };
    let before = snapshot.daemon_sets.iter().find(|daemon_set| daemon_set.metadata.key() == *key).cloned();
    let is_own = |pod: &Pod| before.as_ref().is_some_and(|before| is_own(before, pod));
    let others: Vec<Pod> = snapshot.pods.iter().filter(|pod| !is_own(pod)).cloned().collect();
    let (start, mut world) = match &before {
        None => (PlanStart::Installation, World::new(snapshot, key.clone(), options)),
        Some(_) if others.len() < snapshot.pods.len() => (PlanStart::Pods, World::new(snapshot, key.clone(), options)),
        Some(before) => {
            let settled = World::settled_among(before.clone(), snapshot.nodes, others.clone(), options);
            (PlanStart::Settled, settled)
        }
    };
    if !arguments.never_ready.is_empty() {
        let nodes = NodeSelection::Named(arguments.never_ready.iter().map(Text::new).collect());
        // Only what is not there can be refused, and the nodes are.
        let _refused = world.apply(ScenarioEvent::Behave { nodes, behaviour: Behaviour::never_ready(&latencies) });
    }
    if let Some(after) = after {
        world
            .apply(ScenarioEvent::Apply(Box::new(after)))
            .map_err(|refusal| Failure::Change { reason: refusal.words(output.language) })?;
    }
    play(&mut world, output.language);
    let assumptions = Assumptions {
        ready_after_seconds: arguments.ready_after.into(),
        gone_after_seconds: arguments.gone_after.into(),
        kubernetes: version,
        never_ready_nodes: arguments.never_ready.iter().map(Text::new).collect(),
    };
    let after = world.daemon_set().cloned().unwrap_or_default();
    let pods = world.pods().chain(others).collect();
    let end = Snapshot { nodes: world.nodes().cloned().collect(), pods, ..Snapshot::default() };
    let played = Played {
        before: before.as_ref(),
        after: &after,
        start,
        assumptions: &assumptions,
        timeline: world.timeline(),
        summary: &world.summary(),
        end: &end,
    };
    Ok(report::plan_report(played, output.language))
}

fn play(world: &mut World, language: Language) {
    let mut progress = Progress::new("playing the rollout", "正在推演", language);
    loop {
        let done = world.run(SLICE);
        if !done.partial {
            return;
        }
        progress.at(|| format!("{}/{}", done.done, done.total));
    }
}

use serde::Serialize;

use super::{NAMES_SHOWN, Said};
use crate::api::{ObjectKey, Text};
use crate::controller::{BatchKind, Step};
use crate::decision::{Action, Decision, Reason, Requeue, WaitingOn};
use crate::message::{Language, Words};

/// What one sync of a DaemonSet decides, in the words of a language.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StepReport {
    /// The DaemonSet.
    pub daemon_set: ObjectKey,
    /// The decisions in the order in which they are carried out, those with the same reason together.
    pub decisions: Vec<DecisionReport>,
    /// What keeps the rollout from going on, most important first.
    pub waiting_on: Vec<Said<WaitingOn>>,
    /// When to look again although nothing changed.
    pub requeues: Vec<RequeueReport>,
}

/// Decisions of one kind and for one reason.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DecisionReport {
    /// What is done.
    pub action: ActionKind,
    /// How many decisions.
    pub count: u32,
    /// Among how many each was chosen; 1 where there is no choice.
    pub candidate_count: u32,
    /// Which objects, the first ten.
    pub objects: Vec<Text>,
    /// The nodes of these objects, where they have one.
    pub nodes: Vec<Text>,
    /// What the first of them does, in words.
    pub message: String,
    /// Why.
    pub reason: Said<Reason>,
}

/// What can be done to a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum ActionKind {
    /// A pod is created.
    CreatePod,
    /// A pod is deleted.
    DeletePod,
    /// An orphan pod is adopted.
    AdoptPod,
    /// A pod is given up.
    ReleasePod,
    /// A pod's revision label is set.
    RelabelPod,
    /// A revision is created.
    CreateRevision,
    /// An orphan revision is adopted.
    AdoptRevision,
    /// A revision is given up.
    ReleaseRevision,
    /// A revision gets its label.
    LabelRevision,
    /// A revision gets a new number.
    RenumberRevision,
    /// A revision is deleted.
    DeleteRevision,
    /// The status is written.
    UpdateStatus,
    /// An event is recorded.
    RecordEvent,
}

/// A look that is due although nothing changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RequeueReport {
    /// How long from now, milliseconds.
    pub after_milliseconds: u64,
    /// Why.
    pub message: String,
}

/// Tells a sync in the words of a language; absent when none took place.
pub fn step_report(step: &Step, language: Language) -> Option<StepReport> {
    let requeue = |requeue: &Requeue| RequeueReport {
        after_milliseconds: u64::try_from(requeue.after.as_millis()).unwrap_or(u64::MAX),
        message: requeue.reason.words(language),
    };
    let mut decisions: Vec<DecisionReport> = Vec::new();
    for decision in
        step.batches.iter().filter(|batch| batch.kind != BatchKind::Event).flat_map(|batch| &batch.decisions)
    {
        add(&mut decisions, decision, language);
    }
    Some(StepReport {
        daemon_set: step.daemon_set.clone()?,
        decisions,
        waiting_on: step.waiting_on.iter().map(|wait| Said::new(wait.clone(), language)).collect(),
        requeues: step.requeues.iter().map(requeue).collect(),
    })
}

fn add(reports: &mut Vec<DecisionReport>, decision: &Decision, language: Language) {
    let (action, object, node) = parts(&decision.action);
    let same = reports.last_mut().filter(|last| last.action == action && last.reason.reason == decision.reason);
    if let Some(last) = same {
        last.count = last.count.saturating_add(1);
        if last.objects.len() < NAMES_SHOWN {
            last.objects.push(object);
            last.nodes.extend(node.cloned());
        }
        return;
    }
    reports.push(DecisionReport {
        action,
        count: 1,
        candidate_count: decision.candidate_count,
        objects: vec![object],
        nodes: node.cloned().into_iter().collect(),
        message: decision.action.words(language),
        reason: Said::new(decision.reason.clone(), language),
    });
}

/// The kind of an action, the name of its object, and that object's node.
fn parts(action: &Action) -> (ActionKind, Text, Option<&Text>) {
    match action {
        Action::CreatePod { node, name, .. } => (ActionKind::CreatePod, name.clone(), Some(node)),
        Action::DeletePod { pod, node } => (ActionKind::DeletePod, pod.name.clone(), Some(node)),
        Action::AdoptPod { pod } => (ActionKind::AdoptPod, pod.name.clone(), None),
        Action::ReleasePod { pod } => (ActionKind::ReleasePod, pod.name.clone(), None),
        Action::RelabelPod { pod, .. } => (ActionKind::RelabelPod, pod.name.clone(), None),
        Action::CreateRevision(revision) => (ActionKind::CreateRevision, revision.metadata.name.clone(), None),
        Action::AdoptRevision(revision) => (ActionKind::AdoptRevision, revision.name.clone(), None),
        Action::ReleaseRevision(revision) => (ActionKind::ReleaseRevision, revision.name.clone(), None),
        Action::LabelRevision(revision) => (ActionKind::LabelRevision, revision.name.clone(), None),
        Action::RenumberRevision { revision, .. } => (ActionKind::RenumberRevision, revision.name.clone(), None),
        Action::DeleteRevision(revision) => (ActionKind::DeleteRevision, revision.name.clone(), None),
        Action::UpdateStatus(_) => (ActionKind::UpdateStatus, Text::default(), None),
        Action::RecordEvent { event, .. } => (ActionKind::RecordEvent, Text::new_static(event.as_str()), None),
    }
}

use serde::Serialize;

use super::{Judge, Judgement, Verdict};
use crate::api::{Pod, Text};
use crate::manifest::Path;
use crate::message::{Language, Words};
use crate::placement::{Check, CheckOutcome};

/// One node, check by check.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeReport {
    /// The node.
    pub name: Text,
    /// What becomes of the DaemonSet's pod here.
    pub verdict: Verdict,
    /// The verdict in words.
    pub message: String,
    /// What was looked at, in the order in which Kubernetes does.
    pub checks: Vec<CheckLine>,
    /// What kube-scheduler would say to a pod that it cannot bind; absent where the pod fits or is not made.
    pub scheduler_message: Option<String>,
    /// The DaemonSet's pods on the node, and those pinned to it.
    pub pods: Vec<PodLine>,
}

/// One check of a node.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckLine {
    /// What came of it.
    pub outcome: CheckOutcome,
    /// Who looks: the DaemonSet controller, which makes a pod or not, or kube-scheduler, which binds it or not.
    pub by: CheckedBy,
    /// What was looked at and found, in words.
    pub message: String,
    /// The field of the DaemonSet that asks for it, or where the remedy would stand.
    pub field: Option<Path>,
    /// The field of the node that was looked at.
    pub node_property: Option<Path>,
}

/// Who looks at something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum CheckedBy {
    /// The DaemonSet controller.
    Controller,
    /// kube-scheduler.
    Scheduler,
}

/// One of the DaemonSet's pods.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PodLine {
    /// Its name.
    pub name: Text,
    /// Its phase.
    pub phase: crate::api::PodPhase,
    /// Whether it is ready.
    pub ready: bool,
    /// Whether it is being deleted.
    pub terminating: bool,
    /// Its `controller-revision-hash`, if labelled.
    pub revision: Option<Text>,
}

/// Reports a node with every check.
pub fn node_report(judge: &Judge<'_>, judgement: &Judgement<'_>, language: Language) -> NodeReport {
    let line = |check: Check<'_>| CheckLine {
        outcome: check.outcome,
        by: if check.subject.decides_whether_there_is_a_pod() { CheckedBy::Controller } else { CheckedBy::Scheduler },
        message: check.words(language),
        field: check.field,
        node_property: check.node_property,
    };
    NodeReport {
        name: judgement.node.metadata.name.clone(),
        verdict: judgement.verdict,
        message: judgement.verdict.words(language),
        checks: judge.trace(judgement.node).into_iter().map(line).collect(),
        scheduler_message: judge.scheduler_message(judgement),
        pods: judgement.own_pods.iter().map(|pod| pod_line(pod)).collect(),
    }
}

fn pod_line(pod: &Pod) -> PodLine {
    PodLine {
        name: pod.metadata.name.clone(),
        phase: pod.status.phase,
        ready: pod.is_ready(),
        terminating: pod.metadata.is_being_deleted(),
        revision: pod.metadata.labels.get(Pod::REVISION_HASH_LABEL).cloned(),
    }
}

use std::time::Duration;

use serde::Serialize;

use super::NameList;
use crate::api::{DaemonSetStatus, ObjectKey, Text};
use crate::diagnose::{Diagnosis, Effect, Finding, Harm, Problem, Remedy, RolloutState, Settings};
use crate::message::{Language, Words};
use crate::time::Timestamp;

/// What `rollcast diagnose` answers: how a rollout stands, why, and what can be done.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DiagnosisReport {
    /// The DaemonSet.
    pub daemon_set: ObjectKey,
    /// How it stands.
    pub state: RolloutState,
    /// How it stands, in one sentence.
    pub headline: String,
    /// Whether something does not pass by itself.
    pub stuck: bool,
    /// Nodes that should run the pod.
    pub desired: u32,
    /// Of these, the ones with an available pod of the newest template.
    pub done: u32,
    /// The numbers as the controller would write them now.
    pub status: DaemonSetStatus,
    /// The moment that was looked at.
    pub now: Timestamp,
    /// How long a pod may take to become ready, seconds.
    pub patience_seconds: u64,
    /// What was found, most important first.
    pub findings: Vec<FindingReport>,
}

/// One finding in words.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FindingReport {
    /// A stable word for it.
    pub id: &'static str,
    /// What it means for the rollout.
    pub effect: Effect,
    /// A short clause.
    pub title: String,
    /// The rule, the nodes and the arithmetic.
    pub message: String,
    /// The nodes it is about.
    pub nodes: NameList,
    /// The pods on the nodes that are named.
    pub pods: Vec<Text>,
    /// What can be done, the smallest change first.
    pub remedies: Vec<RemedyReport>,
    /// The finding as data.
    pub problem: Problem,
}

/// Something that can be done.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RemedyReport {
    /// What.
    pub message: String,
    /// The command for it.
    pub command: Option<String>,
    /// What it costs or risks, in words.
    pub warning: Option<String>,
    /// What it costs or risks.
    pub harm: Option<Harm>,
}

/// Tells a diagnosis in the words of a language.
pub fn diagnosis_report(diagnosis: &Diagnosis, settings: &Settings, language: Language) -> DiagnosisReport {
    let Diagnosis { daemon_set, state, desired, done, status, findings } = diagnosis;
    DiagnosisReport {
        daemon_set: daemon_set.clone(),
        state: *state,
        headline: diagnosis.words(language),
        stuck: diagnosis.is_stuck(),
        desired: *desired,
        done: *done,
        status: status.clone(),
        now: settings.now,
        patience_seconds: settings.patience.as_secs(),
        findings: findings.iter().map(|finding| finding_report(finding, daemon_set, language)).collect(),
    }
}

fn finding_report(finding: &Finding, daemon_set: &ObjectKey, language: Language) -> FindingReport {
    let Finding { problem, effect, remedies } = finding;
    let places = problem.places();
    FindingReport {
        id: problem.id(),
        effect: *effect,
        title: problem.title(language),
        message: problem.words(language),
        nodes: places.map(|places| NameList { count: places.count, names: places.nodes.clone() }).unwrap_or_default(),
        pods: places.map(|places| places.pods.clone()).unwrap_or_default(),
        remedies: remedies.iter().map(|remedy| remedy_report(remedy, daemon_set, language)).collect(),
        problem: problem.clone(),
    }
}

fn remedy_report(remedy: &Remedy, daemon_set: &ObjectKey, language: Language) -> RemedyReport {
    let harm = remedy.harm();
    RemedyReport {
        message: remedy.words(language),
        command: remedy.command(daemon_set),
        warning: harm.map(|harm| harm.words(language)),
        harm,
    }
}

impl DiagnosisReport {
    /// How long a pod may take to become ready.
    pub fn patience(&self) -> Duration {
        Duration::from_secs(self.patience_seconds)
    }
}

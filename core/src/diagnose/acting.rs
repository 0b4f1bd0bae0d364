//! Whether a controller acts at all, and what shows it.
//!
//! That the status is behind shows nothing: a dump may be taken between a change and the sync that follows it. What
//! shows it is work that was due long before the last thing that happened.

use std::time::Duration;

use super::cause::Effect;
use super::pod::seconds_since;
use super::problem::{Inaction, Problem};
use super::remedy::Remedy;
use super::survey::places_of;
use super::{Findings, Scene};
use crate::api::{ControllerRevision, Text};
use crate::controller::{Action, Reason, SyncError};
use crate::fleet::Mark;
use crate::ownership::claim;
use crate::target::min_ready;
use crate::time::Timestamp;

/// A controller that runs has acted after so long: its queue and its caches take seconds.
const ACTED_AFTER: u64 = 120;

/// The annotation in which `kubectl rollout restart` writes the moment.
const RESTARTED_AT: &str = "kubectl.kubernetes.io/restartedAt";

/// What one sync would do about pods, counted.
#[derive(Clone, Copy, Debug, Default)]
struct Due {
    creations: u32,
    deletions: u32,
}

/// Finds what is about the controller itself.
pub(super) fn find_controller(scene: &Scene<'_>, findings: &mut Findings) {
    let metadata = &scene.daemon_set.metadata;
    let status = &scene.daemon_set.status;
    let (generation, observed) = (metadata.generation, status.observed_generation);
    if let Some(SyncError::NameCollision { revision }) = scene.error {
        let problem = Problem::NameCollision { revision: revision.clone() };
        findings.add(problem, Effect::Delays, vec![Remedy::DescribeDaemonSet]);
    }
    if generation > observed {
        let mut remedies = vec![Remedy::CompareGenerations];
        let (problem, effect) = match overdue(scene, observed) {
            Some(inaction) => {
                remedies.insert(0, Remedy::CheckController);
                (Problem::ControllerNotActing(inaction), Effect::Blocks)
            }
            None => (Problem::SpecNotObserved { generation, observed }, Effect::Delays),
        };
        findings.add(problem, effect, remedies);
        return;
    }
    // A manifest has neither: nothing was ever to be acted upon.
    if generation == 0 {
        return;
    }
    let quiet = seconds_since(scene.settings.now, last_change(scene));
    if creation_is_refused(scene) {
        let places = places_of(scene, Mark::Missing, None);
        let effect = if quiet >= ACTED_AFTER { Effect::Blocks } else { Effect::Delays };
        findings.add(Problem::CreationRefused { places }, effect, vec![Remedy::DescribeDaemonSet]);
        return;
    }
    // Without the revision of the present template, which pods are old is not known for certain.
    let due = stored_hash(scene).map(|_| due(scene)).unwrap_or_default();
    if quiet >= ACTED_AFTER && (due.creations > 0 || due.deletions > 0) {
        let inaction = Inaction::Undone { creations: due.creations, deletions: due.deletions, seconds: quiet };
        let remedies = vec![Remedy::CheckController, Remedy::DescribeDaemonSet];
        findings.add(Problem::ControllerNotActing(inaction), Effect::Blocks, remedies);
    }
}

/// Whether nodes without a pod were counted as such: then the controller has been there, and its creations failed.
pub(super) fn creation_is_refused(scene: &Scene<'_>) -> bool {
    let aggregate = scene.view.aggregate();
    let (status, counts) = (&scene.daemon_set.status, aggregate.status_counts());
    let count = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
    !aggregate.nodes(Mark::Missing).is_empty()
        && scene.daemon_set.metadata.generation > 0
        && scene.daemon_set.metadata.generation == status.observed_generation
        && status.desired_number_scheduled == count(counts.desired)
        && status.current_number_scheduled == count(counts.scheduled)
}

/// What shows that the present spec was left alone for too long.
fn overdue(scene: &Scene<'_>, observed: i64) -> Option<Inaction> {
    let is_long = |seconds: &u64| *seconds >= ACTED_AFTER;
    let age =
        scene.daemon_set.metadata.creation_timestamp.map(|created| seconds_since(scene.settings.now, Some(created)));
    if observed == 0
        && let Some(seconds) = age.filter(is_long)
    {
        return Some(Inaction::NeverObserved { seconds });
    }
    let restarted = scene.daemon_set.spec.template.annotations().get(RESTARTED_AT)?;
    let seconds = seconds_since(scene.settings.now, Some(Timestamp::parse(restarted)?));
    // A revision that holds it shows that the controller saw it, and that what it did not see is younger.
    let is_known = scene.revisions().any(|revision| restarted_at(revision) == Some(restarted.as_str()));
    (is_long(&seconds) && !is_known).then_some(Inaction::RestartIgnored { seconds })
}

fn restarted_at(revision: &ControllerRevision) -> Option<&str> {
    let metadata = revision.data.get("spec")?.get("template")?.get("metadata")?;
    metadata.get("annotations")?.get(RESTARTED_AT)?.as_str()
}

/// What a sync would do that nothing in the input forbids. Failed pods wait for a back-off that is not seen from
/// outside, and labels and taints that make a node unfit may have come a moment ago.
fn due(scene: &Scene<'_>) -> Due {
    let mut due = Due::default();
    for decision in &scene.decisions {
        match (&decision.action, &decision.reason) {
            (Action::CreatePod { .. }, Reason::SurgeForUnavailable | Reason::SurgeWithinBudget { .. }) => {
                due.creations = due.creations.saturating_add(1);
            }
            (
                Action::DeletePod { .. },
                Reason::ExcessPod
                | Reason::OutdatedAndUnavailable
                | Reason::OutdatedWithinBudget { .. }
                | Reason::ReplacementAvailable
                | Reason::NotReadyBesideReplacement,
            ) => due.deletions = due.deletions.saturating_add(1),
            _ => {}
        }
    }
    due
}

/// The last moment at which something that a sync reads is known to have changed.
fn last_change(scene: &Scene<'_>) -> Option<Timestamp> {
    let now = scene.settings.now;
    let wait = min_ready(&scene.daemon_set.spec);
    let mut last = None;
    let mut note = |moment: Option<Timestamp>| last = last.max(moment.filter(|moment| *moment <= now));
    note(scene.daemon_set.metadata.creation_timestamp);
    for pod in scene.own_pods() {
        note(pod.metadata.creation_timestamp);
        let ready = pod.ready_condition().and_then(|ready| ready.last_transition_time);
        note(ready.map(|since| since.saturating_add(if pod.is_ready() { wait } else { Duration::ZERO })));
        // A deletion timestamp lies a grace period ahead of the deletion.
        note(pod.metadata.deletion_timestamp.map(|due| due.min(now)));
    }
    for node in &scene.snapshot.nodes {
        note(node.metadata.creation_timestamp);
        for condition in node.status.conditions.iter().filter(|condition| condition.condition_type == "Ready") {
            note(condition.last_transition_time);
        }
    }
    for revision in scene.revisions() {
        note(revision.metadata.creation_timestamp);
    }
    last
}

/// Whether the input holds a revision of the DaemonSet at all.
pub(super) fn has_revisions(scene: &Scene<'_>) -> bool {
    scene.revisions().any(|revision| claim(scene.daemon_set, &revision.metadata).is_owned())
}

/// The hash that pods of the newest template carry, if its revision is stored.
pub(super) fn stored_hash<'a>(scene: &'a Scene<'_>) -> Option<&'a Text> {
    let is_made = scene.decisions.iter().any(|decision| matches!(decision.action, Action::CreateRevision(_)));
    let hash = &scene.view.target().revision;
    (!is_made && scene.error.is_none() && !hash.is_empty()).then_some(hash)
}

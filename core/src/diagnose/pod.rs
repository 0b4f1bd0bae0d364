//! Why one pod is not available, from what it and its node show.

use std::time::Duration;

use super::Settings;
use super::cause::Cause;
use crate::api::{ConditionStatus, ContainerStatus, Node, Pod, PodPhase, Text};
use crate::availability::{PodFacts, availability};
use crate::time::Timestamp;

/// A deleted pod is late when it should have been gone so long ago: clocks differ, and kubelets are asked in turn.
pub(super) const LATE: u64 = 60;

/// A container that was started anew so often, and is not ready, is taken to crash between two crashes as well.
const RESTARTS: i32 = 3;

/// What a kubelet reports of a container that it is working on.
const IN_THE_MAKING: [&str; 3] = ["", "ContainerCreating", "PodInitializing"];

/// What a kubelet reports of a container whose image it does not get.
const IMAGE_TROUBLE: [&str; 7] = [
    "ImagePullBackOff",
    "ErrImagePull",
    "InvalidImageName",
    "ErrImageNeverPull",
    "ImageInspectError",
    "RegistryUnavailable",
    "SignatureValidationFailed",
];

/// Whole seconds from one moment to a later one; none where that is the earlier one.
#[inline(never)]
pub(super) fn seconds_between(earlier: Timestamp, later: Timestamp) -> u64 {
    later.saturating_since(earlier).as_secs()
}

/// Whole seconds since a moment that may not be known.
pub(super) fn seconds_since(now: Timestamp, earlier: Option<Timestamp>) -> u64 {
    earlier.map_or(0, |earlier| seconds_between(earlier, now))
}

/// Whether a node is not ready, and since when. A node that reports no condition and bears no such taint counts as
/// ready: an input written by hand need not say so.
pub(super) fn down(node: &Node) -> Option<(ConditionStatus, Option<Timestamp>)> {
    let has = |key: &str| node.spec.taints.iter().any(|taint| taint.key == key);
    let ready = node.status.conditions.iter().find(|condition| condition.condition_type == "Ready");
    let since =
        ready.filter(|ready| ready.status != ConditionStatus::True).and_then(|ready| ready.last_transition_time);
    match ready.map(|ready| ready.status) {
        // The taint is taken away as soon as the kubelet answers again.
        _ if has("node.kubernetes.io/unreachable") => Some((ConditionStatus::Unknown, since)),
        Some(ConditionStatus::True) => None,
        Some(status) => Some((status, since)),
        None => has("node.kubernetes.io/not-ready").then_some((ConditionStatus::False, None)),
    }
}

/// Why a pod that is bound, or being deleted, is not available. `eligible` says whether its node counts in DESIRED.
pub(super) fn why(
    pod: &Pod,
    facts: &PodFacts,
    node: Option<&Node>,
    eligible: bool,
    settings: &Settings,
    min_ready: Duration,
) -> Cause {
    let Some(node) = node else { return Cause::NodeGone };
    if facts.deleting {
        return why_terminating(pod, node, eligible, settings.now);
    }
    match pod.status.phase {
        PodPhase::Failed => return Cause::Failed { reason: pod.status.reason.clone() },
        PodPhase::Succeeded => return Cause::Succeeded,
        PodPhase::Pending | PodPhase::Running | PodPhase::Unknown => {}
    }
    let node_down = down(node).map(|(ready, since)| Cause::NodeDown {
        ready,
        seconds: since.map(|since| seconds_between(since, settings.now)),
        eligible,
    });
    // Of a silent kubelet every report is an old one.
    if let Some(cause @ Cause::NodeDown { ready: ConditionStatus::Unknown, .. }) = node_down {
        return cause;
    }
    let on_node_since = pod.status.condition("PodScheduled").and_then(|condition| condition.last_transition_time);
    let age = seconds_since(settings.now, on_node_since.or(pod.metadata.creation_timestamp));
    if let Some(cause) = container_trouble(pod) {
        return cause;
    }
    if let Some(cause) = node_down {
        return cause;
    }
    if let Some(due) = availability(facts, min_ready, settings.now, settings.version).valid_until {
        return Cause::NotYetAvailable { seconds: seconds_between(settings.now, due) };
    }
    let long = |seconds: u64| Duration::from_secs(seconds) >= settings.patience;
    if let Some(container) = running_init_container(pod).filter(|_| long(age)) {
        return Cause::InitContainer { container: container.clone(), seconds: age };
    }
    if pod.status.phase == PodPhase::Pending {
        return if long(age) { Cause::ContainerCreating { seconds: age } } else { Cause::Starting { seconds: age } };
    }
    let unready_since = facts.ready_transition.filter(|_| !facts.ready).or(pod.metadata.creation_timestamp);
    let seconds = seconds_since(settings.now, unready_since);
    let gate = pod.status.condition("ContainersReady").is_some_and(|ready| ready.status == ConditionStatus::True);
    if long(seconds) { Cause::NeverReady { seconds, gate } } else { Cause::Starting { seconds } }
}

fn why_terminating(pod: &Pod, node: &Node, eligible: bool, now: Timestamp) -> Cause {
    let due = pod.metadata.deletion_timestamp.unwrap_or(now);
    let seconds = seconds_between(due, now);
    if due <= now && !pod.metadata.finalizers.is_empty() {
        return Cause::Finalizers { finalizers: pod.metadata.finalizers.to_vec(), seconds };
    }
    if down(node).is_some_and(|(ready, _)| ready == ConditionStatus::Unknown) {
        Cause::TerminatingOnDeadNode { eligible }
    } else if seconds >= LATE {
        Cause::TerminatingTooLong { seconds }
    } else {
        Cause::Terminating { seconds: seconds_between(now, due) }
    }
}

/// What the first container in trouble shows, init containers first.
fn container_trouble(pod: &Pod) -> Option<Cause> {
    let init = pod.status.init_container_statuses.iter().find_map(|status| trouble(pod, status, true));
    init.or_else(|| pod.status.container_statuses.iter().find_map(|status| trouble(pod, status, false)))
}

fn trouble(pod: &Pod, status: &ContainerStatus, init: bool) -> Option<Cause> {
    if let Some(waiting) = &status.state.waiting {
        let word = waiting.reason.as_str();
        if word == "CrashLoopBackOff" {
            return Some(crash_loop(status, init));
        }
        if IN_THE_MAKING.contains(&word) {
            return None;
        }
        let (container, reason, message) = (status.name.clone(), waiting.reason.clone(), waiting.message.clone());
        if !IMAGE_TROUBLE.contains(&word) {
            return Some(Cause::CannotStart { container, reason, message });
        }
        let mut containers = pod.spec.init_containers.iter().chain(&pod.spec.containers);
        let image = containers.find(|candidate| candidate.name == container).map(|found| found.image.clone());
        return Some(Cause::ImagePull { container, image: image.unwrap_or_default(), reason, message });
    }
    if let Some(ended) = &status.state.terminated {
        // An init container that ended well has done its work; any other container must not end.
        return (!init || ended.exit_code != 0).then(|| crash_loop(status, init));
    }
    (!status.ready && status.restart_count >= RESTARTS && status.last_state.terminated.is_some())
        .then(|| crash_loop(status, init))
}

fn crash_loop(status: &ContainerStatus, init: bool) -> Cause {
    let ended = status.state.terminated.as_ref().or(status.last_state.terminated.as_ref());
    Cause::CrashLoop {
        container: status.name.clone(),
        init,
        restarts: status.restart_count,
        reason: ended.map(|ended| ended.reason.clone()).unwrap_or_default(),
        exit_code: ended.map(|ended| ended.exit_code),
    }
}

/// An init container at work that the others wait for.
fn running_init_container(pod: &Pod) -> Option<&Text> {
    let is_sidecar = |name: &Text| {
        let found = pod.spec.init_containers.iter().find(|container| container.name == *name);
        found.is_some_and(crate::api::Container::is_sidecar)
    };
    let mut statuses = pod.status.init_container_statuses.iter();
    let running = statuses.find(|status| status.state.running.is_some() && !is_sidecar(&status.name));
    running.map(|status| &status.name)
}

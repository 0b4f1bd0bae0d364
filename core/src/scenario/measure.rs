//! How long things took in a cluster, as the pods and events in a dump of it tell.

mod pulls;
#[cfg(test)]
mod tests;

use std::time::Duration;

use super::{Measured, MeasuredNumber, MeasuredTime};
use crate::api::{ConditionStatus, DaemonSet, Event, Pod, Text};
use crate::ownership::is_own;
use crate::time::Timestamp;
use pulls::{Pull, Pulled, pulls_by_pod};

/// What lies further apart than this does not belong together. A pod that became ready later after its binding did so
/// again, not for the first time: the dump keeps the last time only.
const LONGEST: Duration = Duration::from_hours(1);

/// What pods and events of a DaemonSet tell about how long things take; all of it in whole seconds, but for pulls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measurements {
    /// From a pod's creation to its being bound.
    pub bound: Option<MeasuredTime>,
    /// From being bound to its sandbox and network being there; told since Kubernetes 1.29.
    pub sandbox: Option<MeasuredTime>,
    /// From being bound to the end of the init containers.
    pub initialized: Option<MeasuredTime>,
    /// From being bound to being ready: pulls of images, init containers, start, probes.
    pub ready: Option<MeasuredTime>,
    /// Whether pulls are left out of `ready`, because events tell how long they took and how large the images are.
    pub without_pulls: bool,
    /// Pods that tell nothing about their start: not ready, restarted, ready again after a long time, or with pulls
    /// that no event tells of any more.
    pub left_out: u32,
    /// From the stop of a pod's containers to the creation of the next pod on its node, which the controller makes as
    /// soon as the first is gone.
    pub gone: Option<MeasuredTime>,
    /// Pods that are being deleted, and how long the one deleted first has been at least.
    pub terminating: Option<(u32, Duration)>,
    /// How long a pull took by itself.
    pub pull: Option<MeasuredTime>,
    /// How long a pull took with the wait for other pulls on the node.
    pub pull_with_wait: Option<MeasuredTime>,
    /// The size of the images that were pulled, bytes.
    pub image_bytes: Option<MeasuredNumber>,
    /// What a pull got, bytes a second.
    pub pull_bytes_per_second: Option<MeasuredNumber>,
    /// Events about the DaemonSet's pods.
    pub events: u32,
}

/// Measures what a dump tells about a DaemonSet's pods. It was taken at `seen_at`.
pub fn measure(daemon_set: &DaemonSet, pods: &[Pod], events: &[Event], seen_at: Timestamp) -> Measurements {
    let own: Vec<&Pod> = pods.iter().filter(|pod| is_own(daemon_set, pod)).collect();
    let is_about_own = |event: &&Event| {
        let about = &event.involved_object;
        let is_here = about.kind == "Pod" && about.namespace == daemon_set.metadata.namespace;
        is_here && is_name_of(daemon_set, &about.name)
    };
    let events: Vec<&Event> = events.iter().filter(is_about_own).collect();
    let pulls: Vec<(&Text, Pull)> = events
        .iter()
        .filter(|event| event.reason == "Pulled")
        .filter_map(|event| Some((&event.involved_object.name, Pull::parse(&event.message)?)))
        .collect();
    let mut found = Measurements { events: u32::try_from(events.len()).unwrap_or(u32::MAX), ..Measurements::default() };
    found.take_pulls(pulls.iter().map(|(_, pull)| pull));
    let is_known = found.image_bytes.is_some() || pulls.iter().all(|(_, pull)| pull.pulled.is_none());
    let known = if is_known { pulls_by_pod(&pulls) } else { Vec::new() };
    found.take_starts(&own, &known);
    found.gone = MeasuredTime::of(times_to_go(&own, &events));
    found.terminating = terminating(&own, seen_at);
    found
}

/// Whether pods of a DaemonSet are called so.
fn is_name_of(daemon_set: &DaemonSet, name: &str) -> bool {
    name.rsplit_once('-').is_some_and(|(of, _)| of == daemon_set.metadata.name)
}

impl Measurements {
    /// What of it a play can rest on.
    pub fn measured(&self) -> Measured {
        let of_images = |number: Option<MeasuredNumber>| number.filter(|_| self.without_pulls);
        Measured {
            pod_ready_after: self.ready,
            pod_gone_after: self.gone,
            image_bytes: of_images(self.image_bytes),
            pull_bytes_per_second: of_images(self.pull_bytes_per_second),
        }
    }

    fn take_pulls<'a>(&mut self, pulls: impl Iterator<Item = &'a Pull>) {
        let (mut times, mut with_wait, mut bytes, mut rates) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for Pull { with_wait: waited, pulled } in pulls {
            let Some(Pulled { time, bytes: size }) = pulled else { continue };
            times.push(*time);
            with_wait.push(*waited);
            if let Some(size) = size {
                bytes.push(*size);
                let micros = time.as_micros().max(1);
                let rate = u128::from(*size).saturating_mul(1_000_000) / micros;
                rates.push(u64::try_from(rate).unwrap_or(u64::MAX).max(1));
            }
        }
        self.pull = MeasuredTime::of(times);
        self.pull_with_wait = MeasuredTime::of(with_wait);
        self.image_bytes = MeasuredNumber::of(bytes);
        self.pull_bytes_per_second = MeasuredNumber::of(rates);
    }

    /// Starts go by the times of the pods' conditions. Where it is known of some pods how long their images took, only
    /// those count.
    fn take_starts(&mut self, own: &[&Pod], pulls: &[(&Text, Duration, usize)]) {
        let pulling = |pod: &Pod| {
            let containers = pod.spec.containers.len().saturating_add(pod.spec.init_containers.len());
            let found = pulls.binary_search_by(|(name, ..)| (*name).cmp(&pod.metadata.name)).ok()?;
            let (_, time, told) = pulls.get(found)?;
            (*told >= containers).then_some(*time)
        };
        self.without_pulls = own.iter().any(|pod| start(pod).is_some() && pulling(pod).is_some());
        let (mut bound, mut sandbox, mut initialized, mut ready) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for pod in own {
            let pulled = if self.without_pulls { pulling(pod) } else { Some(Duration::ZERO) };
            let Some((Start { bound_at, ready_at }, pulled)) = start(pod).zip(pulled) else {
                self.left_out = self.left_out.saturating_add(1);
                continue;
            };
            let since_bound = |condition| true_since(pod, condition).map(|at| at.saturating_since(bound_at));
            ready.push(ready_at.saturating_since(bound_at).saturating_sub(pulled));
            sandbox.extend(since_bound("PodReadyToStartContainers"));
            initialized.extend(since_bound("Initialized"));
            bound.extend(pod.metadata.creation_timestamp.map(|created| bound_at.saturating_since(created)));
        }
        [self.bound, self.sandbox, self.initialized, self.ready] =
            [bound, sandbox, initialized, ready].map(MeasuredTime::of);
    }
}

/// When a pod was bound and first ready.
struct Start {
    bound_at: Timestamp,
    ready_at: Timestamp,
}

/// The start of a pod that tells of it.
fn start(pod: &Pod) -> Option<Start> {
    let bound_at = true_since(pod, "PodScheduled")?;
    let ready_at = true_since(pod, "Ready")?;
    let restarted = pod.status.container_statuses.iter().any(|status| status.restart_count > 0);
    let is_first = !restarted && bound_at <= ready_at && ready_at.saturating_since(bound_at) <= LONGEST;
    is_first.then_some(Start { bound_at, ready_at })
}

/// Since when a condition has been true.
fn true_since(pod: &Pod, condition: &str) -> Option<Timestamp> {
    let condition = pod.status.condition(condition)?;
    condition.last_transition_time.filter(|_| condition.status == ConditionStatus::True)
}

/// From the stop of a pod to the creation of the one that came in its place, which is told by the node of both.
fn times_to_go(own: &[&Pod], events: &[&Event]) -> Vec<Duration> {
    let mut names: Vec<&Text> = own.iter().map(|pod| &pod.metadata.name).collect();
    names.sort_unstable();
    // A failed probe kills containers too; their pod stays, and the sentence is another.
    let stops = events.iter().filter(|event| {
        let is_stop = event.reason == "Killing" && event.message.starts_with("Stopping container");
        is_stop && names.binary_search(&&event.involved_object.name).is_err()
    });
    let mut stops: Vec<(&Text, Timestamp, &Text)> =
        stops.filter_map(|event| Some((&event.source.host, event.last_told()?, &event.involved_object.name))).collect();
    stops.sort_unstable();
    let went = |pod: &&&Pod| -> Option<Duration> {
        let (node, created) = (&pod.spec.node_name, pod.metadata.creation_timestamp?);
        let before = stops.partition_point(|(host, at, _)| (*host, *at) <= (node, created));
        let (_, last, name) = stops.get(..before)?.last().filter(|(host, ..)| *host == node)?;
        // Each container of the pod is told of.
        let of_pod = stops.iter().take(before).filter(|(host, _, other)| host == &node && other == name);
        let first = of_pod.map(|(_, at, _)| *at).min().unwrap_or(*last);
        Some(created.saturating_since(first)).filter(|time| *time <= LONGEST)
    };
    own.iter().filter_map(|pod| went(&pod)).collect()
}

/// Pods that are being deleted. Their deletion timestamp lies at the end of the grace period.
fn terminating(own: &[&Pod], seen_at: Timestamp) -> Option<(u32, Duration)> {
    let since = |pod: &&Pod| {
        let ends = pod.metadata.deletion_timestamp?;
        let grace = pod.spec.termination_grace_period_seconds.unwrap_or(30);
        let grace = Duration::from_secs(u64::try_from(grace).unwrap_or_default());
        Some(seen_at.saturating_add(grace).saturating_since(ends))
    };
    let times: Vec<Duration> = own.iter().filter_map(since).collect();
    Some((u32::try_from(times.len()).unwrap_or(u32::MAX), *times.iter().max()?))
}

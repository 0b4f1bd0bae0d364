//! What rules read of a pod, and since when it is ready and available.

use std::cmp::Ordering;
use std::time::Duration;

use crate::KubernetesVersion;
use crate::api::{ConditionStatus, Labels, Pod, PodPhase, Text};
use crate::time::Timestamp;

/// What the rules of a sync read of a pod. Small, and cheap to compare.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PodFacts {
    /// Name.
    pub name: Text,
    /// UID: a deletion names it.
    pub uid: Text,
    /// Labels: the selector and the two version labels.
    pub labels: Labels,
    /// The `controller-revision-hash` label; empty when there is none.
    pub revision: Text,
    /// When it was stored.
    pub creation: Option<Timestamp>,
    /// Since when the `Ready` condition has had its status.
    pub ready_transition: Option<Timestamp>,
    /// Phase.
    pub phase: PodPhase,
    /// Whether the `Ready` condition is true.
    pub ready: bool,
    /// Whether `spec.nodeName` is set.
    pub bound: bool,
    /// Whether it has a deletion timestamp.
    pub deleting: bool,
}

impl PodFacts {
    /// Reads a pod.
    pub fn of(pod: &Pod) -> Self {
        Self::with_revision(pod, pod.metadata.labels.get(Pod::REVISION_HASH_LABEL).cloned().unwrap_or_default())
    }

    /// Reads a pod whose `controller-revision-hash` is known.
    pub(crate) fn with_revision(pod: &Pod, revision: Text) -> Self {
        let condition = pod.ready_condition();
        Self {
            name: pod.metadata.name.clone(),
            uid: pod.metadata.uid.clone(),
            revision,
            labels: pod.metadata.labels.clone(),
            creation: pod.metadata.creation_timestamp,
            ready_transition: condition.and_then(|condition| condition.last_transition_time),
            phase: pod.status.phase,
            ready: condition.is_some_and(|condition| condition.status == ConditionStatus::True),
            bound: !pod.spec.node_name.is_empty(),
            deleting: pod.metadata.is_being_deleted(),
        }
    }

    /// Whether the pod has ended: phase `Failed` or `Succeeded`.
    pub fn is_terminal(&self) -> bool {
        matches!(self.phase, PodPhase::Failed | PodPhase::Succeeded)
    }

    /// Whether planning, rolling update and status leave the pod out: it has ended *and* is being deleted
    /// (`getNodesToDaemonPods`, Kubernetes 1.28 and later; before, none is left out).
    pub fn is_invisible(&self, version: KubernetesVersion) -> bool {
        self.deleting && self.is_terminal() && version >= KubernetesVersion::V1_28
    }

    /// The order of pods on a node: bound before unbound, then the older, then by name
    /// (`podByCreationTimestampAndPhase`, Kubernetes 1.36).
    pub fn pod_order(&self, other: &Self) -> Ordering {
        other.bound.cmp(&self.bound).then(self.creation.cmp(&other.creation)).then_with(|| self.name.cmp(&other.name))
    }
}

/// Whether a pod is available, and until when that holds if nothing but time changes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Availability {
    /// Ready for long enough.
    pub available: bool,
    /// When it becomes available by waiting; absent when time alone changes nothing.
    pub valid_until: Option<Timestamp>,
}

/// Whether a pod has been ready for `min_ready` at `now` (`podutil.IsPodAvailable`, Kubernetes 1.36). Phase and deletion
/// play no part.
pub fn availability(pod: &PodFacts, min_ready: Duration, now: Timestamp, version: KubernetesVersion) -> Availability {
    let fixed = |available| Availability { available, valid_until: None };
    if !pod.ready || min_ready.is_zero() {
        return fixed(pod.ready);
    }
    match pod.ready_transition.map(|since| available_from(since, min_ready, version)) {
        None => fixed(false),
        Some(due) if due <= now => fixed(true),
        Some(due) => Availability { available: false, valid_until: Some(due) },
    }
}

/// The first moment at which a pod that is ready since then is available. Exactly `min_ready` is long enough since 1.34;
/// before, it had to be longer.
pub fn available_from(since: Timestamp, min_ready: Duration, version: KubernetesVersion) -> Timestamp {
    let due = since.saturating_add(min_ready);
    let is_strict = version < KubernetesVersion::V1_34 && !min_ready.is_zero();
    if is_strict { due.saturating_add(Duration::from_micros(1)) } else { due }
}

/// When a DaemonSet is to be looked at again because one of its pods has just turned ready: a second after it becomes
/// available (`updatePod`, Kubernetes 1.36).
pub fn requeue_when_ready(was_ready: bool, is_ready: bool, min_ready: Duration) -> Option<Duration> {
    (!was_ready && is_ready && !min_ready.is_zero()).then(|| min_ready.saturating_add(Duration::from_secs(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ready_since(seconds: i64) -> PodFacts {
        PodFacts { ready: true, ready_transition: Some(Timestamp::from_seconds(seconds)), ..PodFacts::default() }
    }

    const VERSION: KubernetesVersion = KubernetesVersion::V1_36;

    #[test]
    fn a_pod_is_available_exactly_min_ready_seconds_after_it_turned_ready() {
        let min_ready = Duration::from_secs(10);
        let at = |now| availability(&ready_since(100), min_ready, Timestamp::from_seconds(now), VERSION);
        assert_eq!(at(109), Availability { available: false, valid_until: Some(Timestamp::from_seconds(110)) });
        assert_eq!(at(110), Availability { available: true, valid_until: None });
    }

    #[test]
    fn before_1_34_min_ready_seconds_had_to_be_over() {
        let at = |micros| {
            let now = Timestamp::from_micros(micros);
            availability(&ready_since(100), Duration::from_secs(10), now, KubernetesVersion::V1_33)
        };
        let due = Timestamp::from_micros(110_000_001);
        assert_eq!(at(110_000_000), Availability { available: false, valid_until: Some(due) });
        assert_eq!(at(110_000_001), Availability { available: true, valid_until: None });
    }

    #[test]
    fn a_ready_pod_without_a_transition_time_is_available_only_without_min_ready_seconds() {
        let pod = PodFacts { ready: true, ..PodFacts::default() };
        let now = Timestamp::from_seconds(1_000);
        assert!(availability(&pod, Duration::ZERO, now, VERSION).available);
        assert!(!availability(&pod, Duration::from_secs(1), now, VERSION).available);
    }

    #[test]
    fn bound_pods_come_first_then_older_ones_then_by_name() {
        let pod = |name: &str, bound, creation| PodFacts {
            name: name.into(),
            bound,
            creation: Some(Timestamp::from_seconds(creation)),
            ..PodFacts::default()
        };
        let mut pods = [pod("d", false, 1), pod("c", true, 9), pod("b", true, 5), pod("a", true, 9)];
        pods.sort_by(PodFacts::pod_order);
        assert_eq!(pods.map(|pod| pod.name.to_string()), ["b", "a", "c", "d"]);
    }
}

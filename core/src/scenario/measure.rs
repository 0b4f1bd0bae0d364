//! How long things took in a cluster, as the pods in a dump of it tell.

use std::time::Duration;

use super::MeasuredTime;
use crate::api::{ConditionStatus, DaemonSet, Pod};
use crate::ownership::is_own;
use crate::time::Timestamp;

/// Pods that became ready later than this after their binding did so again, not for the first time: the dump keeps the
/// last time only.
const LONGEST_START: Duration = Duration::from_hours(1);

/// What the pods of a DaemonSet tell about their starts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MeasuredStarts {
    /// From a pod's creation to its being bound.
    pub bound: Option<MeasuredTime>,
    /// From being bound to the end of the init containers.
    pub initialized: Option<MeasuredTime>,
    /// From being bound to being ready: pulling images, init containers, start, probes.
    pub ready: Option<MeasuredTime>,
    /// Pods that tell nothing: not ready, restarted, or ready again after a long time.
    pub left_out: u32,
}

/// Measures the starts of a DaemonSet's pods by the times of their conditions, which are whole seconds.
pub fn measure_starts(daemon_set: &DaemonSet, pods: &[Pod]) -> MeasuredStarts {
    let (mut bound, mut initialized, mut ready) = (Vec::new(), Vec::new(), Vec::new());
    let mut left_out = 0_u32;
    for pod in pods.iter().filter(|pod| is_own(daemon_set, pod)) {
        let since = |condition| true_since(pod, condition);
        let restarted = pod.status.container_statuses.iter().any(|status| status.restart_count > 0);
        match (since("PodScheduled"), since("Ready")) {
            (Some(bound_at), Some(ready_at))
                if !restarted && bound_at <= ready_at && ready_at.saturating_since(bound_at) <= LONGEST_START =>
            {
                ready.push(ready_at.saturating_since(bound_at));
                initialized.extend(since("Initialized").map(|at| at.saturating_since(bound_at)));
                bound.extend(pod.metadata.creation_timestamp.map(|created| bound_at.saturating_since(created)));
            }
            _ => left_out = left_out.saturating_add(1),
        }
    }
    let [bound, initialized, ready] = [bound, initialized, ready].map(MeasuredTime::of);
    MeasuredStarts { bound, initialized, ready, left_out }
}

/// Since when a condition has been true.
fn true_since(pod: &Pod, condition: &str) -> Option<Timestamp> {
    let condition = pod.status.condition(condition)?;
    condition.last_transition_time.filter(|_| condition.status == ConditionStatus::True)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Distribution;
    use serde_json::json;

    fn pod(number: u64, ready_after: u64, restarts: u32) -> Pod {
        let at = |seconds: u64| Timestamp::from_seconds(i64::try_from(1_000_000 + seconds).unwrap()).to_string();
        let condition = |name: &str, after| json!({"type": name, "status": "True", "lastTransitionTime": at(after)});
        serde_json::from_value(json!({
            "metadata": {"name": format!("a-{number}"), "creationTimestamp": at(0), "ownerReferences": [
                {"apiVersion": "apps/v1", "kind": "DaemonSet", "name": "a", "uid": "u", "controller": true}]},
            "spec": {"nodeName": "n"},
            "status": {"phase": "Running",
                "conditions": [condition("PodScheduled", 1), condition("Initialized", 3), condition("Ready", 1 + ready_after)],
                "containerStatuses": [{"name": "c", "restartCount": restarts, "ready": true}]},
        }))
        .unwrap()
    }

    fn measured(ready_after: &[u64]) -> MeasuredStarts {
        let daemon_set = serde_json::from_value(json!({"metadata": {"name": "a", "uid": "u"}})).unwrap();
        let mut pods: Vec<Pod> = (0..).zip(ready_after).map(|(number, after)| pod(number, *after, 0)).collect();
        pods.push(pod(1000, 7, 2));
        pods.push(pod(1001, 100_000, 0));
        measure_starts(&daemon_set, &pods)
    }

    #[test]
    fn starts_are_measured_by_the_times_of_the_pods_conditions() {
        let seconds = Duration::from_secs;
        let measured = measured(&(1..=100).collect::<Vec<_>>());
        let ready = measured.ready.unwrap();
        assert_eq!((ready.count, ready.least, ready.most), (100, seconds(1), seconds(100)));
        assert_eq!((ready.median, ready.p95), (seconds(50), seconds(95)));
        assert_eq!(ready.distribution(), Distribution::LogNormal { median: seconds(50), p95: seconds(95) });
        assert_eq!(measured.initialized.unwrap().median, seconds(2));
        assert_eq!(measured.bound.unwrap().distribution(), Distribution::Constant(seconds(1)));
        assert_eq!(measured.left_out, 2);
    }

    #[test]
    fn few_pods_give_a_range_and_none_give_nothing() {
        let (least, most) = (Duration::from_secs(4), Duration::from_secs(9));
        assert_eq!(measured(&[9, 4, 6]).ready.unwrap().distribution(), Distribution::Uniform { least, most });
        assert_eq!(measured(&[]).ready, None);
    }
}

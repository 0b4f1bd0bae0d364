//! Scheduler, kubelets and the passing of time.

use std::time::Duration;

use rollcast_core::KubernetesVersion;
use rollcast_core::api::{ConditionStatus, Pod, PodPhase, Text};
use rollcast_core::controller::ExpectationsMode;
use rollcast_core::placement::{PlacementRules, fits, target_node_of};
use rollcast_core::time::Timestamp;

use super::objects::{ready_condition, template_with};
use super::{Cluster, image, set_ready};

impl Cluster {
    /// Binds every pending pod that fits on the node it is pinned to; a priority of 0 for all.
    pub fn place_pending_pods(&mut self) {
        if self.mode == ExpectationsMode::MetAtOnce {
            return;
        }
        for pod in self.snapshot.pods.clone() {
            let is_waiting = pod.spec.node_name.is_empty() && pod.metadata.deletion_timestamp.is_none();
            let Some(target) = target_node_of(&pod).cloned().filter(|_| is_waiting) else { continue };
            if self.fits(&pod, &target) {
                let now = self.now;
                self.change_pod(&pod.metadata.name, |pod| {
                    pod.spec.node_name = target;
                    pod.status.phase = PodPhase::Running;
                    pod.status.conditions = vec![ready_condition(ConditionStatus::False, now)];
                });
            }
        }
    }

    fn fits(&self, pod: &Pod, node: &Text) -> bool {
        let Some(node) = self.snapshot.nodes.iter().find(|other| other.metadata.name == *node) else { return false };
        let spec = serde_json::to_value(&pod.spec).expect("a spec");
        let rules = PlacementRules::of(&template_with(spec), KubernetesVersion::default());
        let others: Vec<Pod> =
            self.snapshot.pods.iter().filter(|other| other.metadata.uid != pod.metadata.uid).cloned().collect();
        fits(&rules, &pod.metadata.namespace, node, &others).fits()
    }

    /// Lets the time up to that second pass, with all that happens meanwhile.
    pub fn run_until(&mut self, second: i64) {
        let end = Duration::from_secs(u64::try_from(second).expect("a second after the start"));
        self.run_to(self.origin.saturating_add(end));
    }

    /// Lets that time pass, with all that happens meanwhile.
    pub fn run_for(&mut self, duration: Duration) {
        self.run_to(self.now.saturating_add(duration));
    }

    fn run_to(&mut self, end: Timestamp) {
        self.settle();
        for _ in 0..100_000 {
            let next = self.next_moment().filter(|moment| *moment <= end);
            let Some(next) = next else {
                self.now = end;
                self.settle();
                return;
            };
            self.now = next;
            self.kubelets();
            self.settle();
        }
        panic!("time does not pass");
    }

    /// The next moment at which a pod becomes ready or is gone, or the controller wants to look.
    fn next_moment(&mut self) -> Option<Timestamp> {
        let due = self.snapshot.pods.iter().filter_map(|pod| self.due(pod));
        let earliest = due.chain(self.wake_at).min()?;
        Some(earliest.max(self.now))
    }

    /// When the kubelet does something to this pod.
    fn due(&self, pod: &Pod) -> Option<Timestamp> {
        if pod.spec.node_name.is_empty() || self.lost_nodes.contains(&pod.spec.node_name) {
            return None;
        }
        if pod.metadata.deletion_timestamp.is_some() {
            return pod.metadata.deletion_timestamp;
        }
        let is_foreign = pod.metadata.controller_owner().is_none();
        if is_foreign || pod.is_ready() || pod.is_terminal() || self.broken_images.contains(&image(pod)) {
            return None;
        }
        let since = pod.ready_condition()?.last_transition_time?;
        Some(since.saturating_add(self.ready_after?))
    }

    fn kubelets(&mut self) {
        for pod in self.snapshot.pods.clone() {
            if self.due(&pod).is_none_or(|due| due > self.now) {
                continue;
            }
            if pod.metadata.deletion_timestamp.is_some() {
                self.remove_pod(&pod.metadata.name);
            } else {
                let now = self.now;
                self.change_pod(&pod.metadata.name, |pod| set_ready(pod, now));
            }
        }
    }
}

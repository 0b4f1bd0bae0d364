//! What the pods of a node are to become, and where a node stands towards that.

use std::time::Duration;

use crate::KubernetesVersion;
use crate::api::{DaemonSet, DaemonSetSpec, Pod, PodTemplate, Text};
use crate::availability::{Availability, PodFacts, availability};
use crate::budget::allows_surge;
use crate::placement::Eligibility;
use crate::text::same;
use crate::time::Timestamp;

/// What a node's pods are to become, and what they are judged by: a DaemonSet, one of its revisions, that revision's
/// template. Upstream gives every node the newest one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Target {
    /// The `controller-revision-hash` of the revision.
    pub revision: Text,
    /// The template's generation as the label `pod-template-generation` holds it; absent where the annotation is
    /// missing or no number, and for every revision but the newest.
    pub template_generation: Option<Text>,
    /// The template.
    pub template: PodTemplate,
    /// How long a pod must have been ready to be available.
    pub min_ready: Duration,
    /// Whether a node may have a second, newer pod for a while.
    pub allows_surge: bool,
    /// Whose rules hold.
    pub version: KubernetesVersion,
}

impl Target {
    /// The newest revision of a DaemonSet, which upstream gives to every node.
    pub fn newest(daemon_set: &DaemonSet, revision: Text, version: KubernetesVersion) -> Self {
        Self {
            revision,
            template_generation: daemon_set.template_generation().map(|generation| generation.to_string().into()),
            template: daemon_set.spec.template.clone(),
            min_ready: min_ready(&daemon_set.spec),
            allows_surge: allows_surge(&daemon_set.spec),
            version,
        }
    }

    /// Whether a pod has been ready for long enough.
    pub fn availability(&self, pod: &PodFacts, now: Timestamp) -> Availability {
        availability(pod, self.min_ready, now, self.version)
    }

    /// Whether a pod is of this revision: by its hash, or by the template's generation (`util.IsPodUpdated`,
    /// Kubernetes 1.28 and later; before, the generation was compared with an address and never matched).
    pub fn is_updated(&self, pod: &PodFacts) -> bool {
        let by_hash = !self.revision.is_empty() && same(&pod.revision, &self.revision);
        let reads_generation = self.version >= KubernetesVersion::V1_28;
        by_hash
            || self.template_generation.as_ref().filter(|_| reads_generation).is_some_and(|generation| {
                pod.labels.get(Pod::TEMPLATE_GENERATION_LABEL).is_some_and(|label| label == generation)
            })
    }
}

/// `spec.minReadySeconds` as a length of time; negative counts as none.
pub fn min_ready(spec: &DaemonSetSpec) -> Duration {
    Duration::from_secs(u64::try_from(spec.min_ready_seconds).unwrap_or(0))
}

/// Where a node stands towards a target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Standing {
    /// The node should run the pod.
    Run,
    /// No pod is created, one that is there stays.
    KeepRunning,
    /// No pod is created, one that is there is deleted.
    Exclude,
    /// There is no such node (any more).
    #[default]
    Gone,
}

impl Standing {
    /// Whether a pod belongs on the node.
    pub const fn should_run(self) -> bool {
        matches!(self, Self::Run)
    }
}

impl From<Eligibility> for Standing {
    fn from(eligibility: Eligibility) -> Self {
        match (eligibility.should_run, eligibility.should_continue_running) {
            (true, _) => Self::Run,
            (false, true) => Self::KeepRunning,
            (false, false) => Self::Exclude,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pod_is_new_by_hash_or_by_generation() {
        let target = Target { revision: "h".into(), template_generation: Some("4".into()), ..Target::default() };
        let pod = |labels: &[(&str, &str)]| PodFacts {
            labels: labels.iter().copied().collect(),
            revision: labels
                .iter()
                .find(|(key, _)| *key == Pod::REVISION_HASH_LABEL)
                .map(|(_, value)| Text::new(value))
                .unwrap_or_default(),
            ..PodFacts::default()
        };
        let (hash, generation) = (Pod::REVISION_HASH_LABEL, Pod::TEMPLATE_GENERATION_LABEL);
        assert!(target.is_updated(&pod(&[(hash, "h"), (generation, "4")])));
        assert!(target.is_updated(&pod(&[(hash, "other"), (generation, "4")])));
        assert!(target.is_updated(&pod(&[(generation, "4")])));
        assert!(target.is_updated(&pod(&[(hash, "h"), (generation, "3")])));
        assert!(!target.is_updated(&pod(&[(hash, "other"), (generation, "3")])));
        assert!(!target.is_updated(&pod(&[])));
        assert!(!Target::default().is_updated(&pod(&[])));
        let before = Target { version: KubernetesVersion::V1_27, ..target };
        assert!(before.is_updated(&pod(&[(hash, "h"), (generation, "3")])));
        assert!(!before.is_updated(&pod(&[(hash, "other"), (generation, "4")])));
    }
}

//! The Kubernetes releases whose behaviour is reproduced.

use std::fmt;

use serde::{Serialize, Serializer};

/// A Kubernetes release: a rule that changed takes this value as an argument.
///
/// What is meant is the first patch of a minor release. Some changes were carried back to later patches of older ones,
/// so that a cluster with one of those behaves as a newer release does here; the README lists them under *Divergences*.
/// 1.37 is as its release candidate is; everything is measured against 1.36, the default.
///
/// What the core models differs in this. The controller:
///
/// | from | change | where |
/// |---|---|---|
/// | 1.27 | the status is written even after pods could not be created or deleted | [`Failures`](crate::controller::Failures) |
/// | 1.27 | a pod that ended well is deleted and replaced | [`plan_node`](crate::manage::plan_node) |
/// | 1.28 | a pod that has ended and is being deleted is looked past | [`PodFacts::is_invisible`](crate::availability::PodFacts::is_invisible) |
/// | 1.28 | a pod of the template's generation counts as new whatever its hash | [`Target::is_updated`](crate::target::Target::is_updated) |
/// | 1.29 | surge looks at whether a node should run the pod at all | [`node_states`](crate::rollout::node_states) |
/// | 1.31 | an old pod that is not available counts against maxUnavailable | [`node_states`](crate::rollout::node_states) |
/// | 1.33 | a node event concerns a DaemonSet by what is on the node, not by what changed about it | [`Controller::observe`](crate::controller::Controller::observe) |
/// | 1.34 | a pod is available at the very end of `minReadySeconds`, not only after it | [`available_from`](crate::availability::available_from) |
/// | 1.35 | a node event concerns a DaemonSet with a pod there as long as any pod is misscheduled | [`Controller::observe`](crate::controller::Controller::observe) |
///
/// The scheduler:
///
/// | from | change | where |
/// |---|---|---|
/// | 1.29 | a sidecar's requests count beside those of the containers; before, it is an init container like any other | [`ResourceTotals`](crate::scheduling::ResourceTotals) |
/// | 1.34 | the pod as a whole may ask for resources | [`ResourceTotals`](crate::scheduling::ResourceTotals) |
/// | 1.34 | a sidecar's host ports count | [`host_ports`](crate::scheduling::host_ports) |
/// | 1.35 | the message no longer names the taint that is not tolerated | [`Refusal::reason`](crate::scheduling::Refusal::reason) |
/// | 1.37 | the message says where preemption makes room, and of how many pods | [`unschedulable_message`](crate::placement::unschedulable_message) |
///
/// The API server (`rollcast_core::manifest::review_daemon_set`), with feature gates as they are by default:
///
/// | from | change |
/// |---|---|
/// | 1.28 | in a template on the host's network `hostPort` is no longer filled in, which changes the data of revisions; ports that two containers share are then refused only of the pods |
/// | each | fields that came with it are unknown before: refused, or dropped where the request is not strict |
/// | 1.28 | `restartPolicy` of init containers is known; it is dropped |
/// | 1.29 | `restartPolicy` of init containers is kept |
/// | 1.32 | `resources` of the pod is known; it is dropped |
/// | 1.33 | values of required node affinity must be label values |
/// | 1.34 | `resources` of the pod is kept |
/// | 1.35 | `Gt` and `Lt` of tolerations are known; they are refused as switched off, not as unknown words |
/// | 1.37 | a volume from an image needs its `reference` |
/// | 1.37 | a projected `clusterTrustBundle` is kept; it is dropped before |
///
/// What an object has already may stay where such a rule came later or its feature is switched off. Other features that a
/// release knew and had switched off by default are taken as switched on, as in 1.36.
///
/// These changes touch nothing that the core models: surge could not be switched off any more (1.25, the gate went in
/// 1.27); node updates that leave labels and taints as they were are passed over earlier (1.30), which decides nothing
/// else; data of a ControllerRevision must be JSON (1.31), and is; pinned pods are scheduled faster (1.31); DaemonSets
/// are synced concurrently by a flag (1.32); preemption is asynchronous (1.33); gates that were on are locked or removed
/// (sidecars in 1.33 and 1.37, pod resources in 1.37, host ports in templates in 1.31); an update's faults are no longer
/// listed twice (1.34), and are not here; a sync is put off while the controller's caches lack its own writes (1.36),
/// where expectations and names that are always the same serve here; `kubectl rollout undo` warns about applied objects
/// (1.36).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum KubernetesVersion {
    /// Kubernetes 1.25.
    V1_25,
    /// Kubernetes 1.26.
    V1_26,
    /// Kubernetes 1.27.
    V1_27,
    /// Kubernetes 1.28.
    V1_28,
    /// Kubernetes 1.29.
    V1_29,
    /// Kubernetes 1.30.
    V1_30,
    /// Kubernetes 1.31.
    V1_31,
    /// Kubernetes 1.32.
    V1_32,
    /// Kubernetes 1.33.
    V1_33,
    /// Kubernetes 1.34.
    V1_34,
    /// Kubernetes 1.35.
    V1_35,
    /// Kubernetes 1.36.
    #[default]
    V1_36,
    /// Kubernetes 1.37, as far as its release candidate shows.
    V1_37,
}

impl KubernetesVersion {
    /// Every release, the oldest first.
    pub const ALL: [Self; 13] = [
        Self::V1_25,
        Self::V1_26,
        Self::V1_27,
        Self::V1_28,
        Self::V1_29,
        Self::V1_30,
        Self::V1_31,
        Self::V1_32,
        Self::V1_33,
        Self::V1_34,
        Self::V1_35,
        Self::V1_36,
        Self::V1_37,
    ];

    /// How they are written, in the same order.
    #[expect(clippy::indexing_slicing, reason = "both arrays have the same length")]
    pub const NAMES: [&'static str; Self::ALL.len()] = {
        let mut names = [""; Self::ALL.len()];
        let mut index = 0;
        while index < names.len() {
            names[index] = Self::ALL[index].as_str();
            index += 1;
        }
        names
    };

    /// The release as it is written, without a patch level: `1.36`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V1_25 => "1.25",
            Self::V1_26 => "1.26",
            Self::V1_27 => "1.27",
            Self::V1_28 => "1.28",
            Self::V1_29 => "1.29",
            Self::V1_30 => "1.30",
            Self::V1_31 => "1.31",
            Self::V1_32 => "1.32",
            Self::V1_33 => "1.33",
            Self::V1_34 => "1.34",
            Self::V1_35 => "1.35",
            Self::V1_36 => "1.36",
            Self::V1_37 => "1.37",
        }
    }

    /// Reads a release as clusters state theirs: `1.31`, `v1.31.4`, `v1.31.4-eks-a737599`. What follows the minor
    /// number plays no part. Absent when it is none that is known.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.strip_prefix('v').unwrap_or(text);
        Self::ALL.into_iter().find(|version| {
            let rest = text.strip_prefix(version.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-', '+']))
        })
    }
}

impl fmt::Display for KubernetesVersion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl Serialize for KubernetesVersion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_reads_as_it_is_written_and_as_clusters_state_it() {
        for version in KubernetesVersion::ALL {
            assert_eq!(KubernetesVersion::parse(&version.to_string()), Some(version));
            assert_eq!(KubernetesVersion::parse(&format!("v{version}.4-eks-a737599")), Some(version));
        }
        assert_eq!(KubernetesVersion::default().as_str(), "1.36");
        for unknown in ["", "v", "1", "1.3", "1.311", "1.24", "1.38", "1.31x", "2.31", "latest"] {
            assert_eq!(KubernetesVersion::parse(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn later_releases_are_greater() {
        assert!(KubernetesVersion::ALL.is_sorted());
    }
}

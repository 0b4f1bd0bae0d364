//! The Kubernetes releases whose behaviour is reproduced.

use std::fmt;

use serde::{Serialize, Serializer};

/// A Kubernetes release: a rule that changed takes this value as an argument.
///
/// What is meant is the first patch of a minor release. Some changes were carried back to later patches of older ones,
/// so that a cluster with one of those behaves as a newer release does here; the README lists them under *Divergences*.
///
/// What the core models differs in this:
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
/// These changes touch nothing that the core models: surge could not be switched off any more (1.25, the gate went in
/// 1.27); node updates that leave labels and taints as they were are passed over earlier (1.30), which decides nothing
/// else; data of a ControllerRevision must be JSON (1.31), and is; DaemonSets are synced concurrently by a flag (1.32);
/// a sync is put off while the controller's caches lack its own writes (1.36), where expectations and names that are
/// always the same serve here; preemption is asynchronous (1.33) and says more (1.37); `kubectl rollout undo` warns
/// about applied objects (1.36).
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
}

impl KubernetesVersion {
    /// Every release, the oldest first.
    pub const ALL: [Self; 12] = [
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
        for unknown in ["", "v", "1", "1.3", "1.311", "1.24", "1.31x", "2.31", "latest"] {
            assert_eq!(KubernetesVersion::parse(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn later_releases_are_greater() {
        assert!(KubernetesVersion::ALL.is_sorted());
    }
}

use std::time::Duration;

use rollcast_engine::KubernetesVersion;
use rollcast_engine::time::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{ControlPlane, Distribution, Images};

/// How a world is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The moment the play starts at; only differences to times in the snapshot matter.
    pub start: Timestamp,
    /// What is drawn at random depends on it alone: equal seeds, equal plays.
    pub seed: u64,
    /// How long things take.
    pub latencies: Latencies,
    /// How fast and how reliable the API server, the controller's client and the scheduler are.
    pub control_plane: ControlPlane,
    /// Images that are pulled before pods start; absent: every node holds every image.
    pub images: Option<Images>,
    /// Whether pods wait until they fit (resources, host ports, taints), as kube-scheduler's filters say. Otherwise
    /// every pod is bound at once, for clusters of which only names are known.
    pub scheduler: bool,
    /// Whose rules the controller keeps.
    pub version: KubernetesVersion,
    /// The play ends when no further node is finished for so long, for rollouts that never come to rest.
    pub patience: Duration,
    /// Whether a timeline is written. Without one [`World::timeline`](crate::World::timeline) stays empty, and many plays
    /// cost no memory.
    pub timeline: bool,
}

impl Options {
    /// A world with a scheduler and the default latencies that starts at `start`.
    pub fn starting_at(start: Timestamp) -> Self {
        Self {
            start,
            seed: 0,
            latencies: Latencies::default(),
            control_plane: ControlPlane::default(),
            images: None,
            scheduler: true,
            version: KubernetesVersion::default(),
            patience: Duration::from_hours(2),
            timeline: true,
        }
    }
}

/// How long things take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Latencies {
    /// From being bound to being ready; drawn for every pod.
    pub pod_ready_after: Distribution,
    /// From being deleted to being gone; drawn for every pod.
    pub pod_gone_after: Distribution,
    /// From a node's removal to that of the pods bound to it: upstream's pod garbage collector looks every 20 s and
    /// waits 40 s.
    pub orphaned_pods_gone_after: Duration,
}

impl Default for Latencies {
    fn default() -> Self {
        Self {
            pod_ready_after: Duration::from_secs(10).into(),
            pod_gone_after: Duration::from_secs(5).into(),
            orphaned_pods_gone_after: Duration::from_mins(1),
        }
    }
}

use std::time::Duration;

use rollcast_engine::api::Text;
use rollcast_engine::controller::WaitingOn;
use serde::{Deserialize, Serialize};

use crate::{DecisionKind, Timeline};

/// A rollout in a few numbers. Times are since the start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// How it ended; absent while it is being played.
    pub ending: Option<Ending>,
    /// When every eligible node had an available new pod, at last and for good.
    pub completed_at: Option<Duration>,
    /// When the last thing changed, which may be after completion.
    pub ended_at: Duration,
    /// The fewest pods that were available, and not being deleted, at the end of a moment.
    pub fewest_available: u32,
    /// The most pods there were, those being deleted included.
    pub most_pods: u32,
    /// The longest time that one eligible node was without an available pod.
    pub longest_gap: Option<Gap>,
    /// Nodes that should run the pod, at the end.
    pub eligible: u32,
    /// Of these, the ones with an available new pod.
    pub finished: u32,
}

/// A time without an available pod on a node that should have one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gap {
    /// The node.
    pub node: Text,
    /// How long.
    pub length: Duration,
    /// Whether it was still going on when the play ended.
    pub open: bool,
}

/// How a play ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// Every eligible node has an available new pod, and the status says so.
    Complete,
    /// Nothing is going to happen any more.
    Stuck {
        /// What the controller waits for, most important first.
        waiting_on: Vec<WaitingOn>,
    },
    /// Things keep happening, and no further node was finished for a long time: a pod that fails again and again.
    Endless {
        /// What the controller waits for, most important first.
        waiting_on: Vec<WaitingOn>,
    },
    /// There is no DaemonSet (any more), and nothing is going to happen.
    NoDaemonSet,
}

/// Pods created and deleted in one second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecondCounts {
    /// The second, since the start.
    pub at: u64,
    /// Pods that the controller created.
    pub created: u32,
    /// Pods that the controller deleted.
    pub deleted: u32,
}

/// Creations and deletions per second; seconds without either are left out.
pub fn per_second(timeline: &Timeline) -> Vec<SecondCounts> {
    let mut seconds: Vec<SecondCounts> = Vec::new();
    for moment in 0..timeline.len() {
        let at = timeline.at(moment).as_secs();
        for group in timeline.decisions(moment) {
            let (created, deleted) = match group.kind {
                DecisionKind::CreatePod => (group.count, 0),
                DecisionKind::DeletePod => (0, group.count),
                _ => continue,
            };
            match seconds.last_mut().filter(|last| last.at == at) {
                Some(last) => {
                    last.created = last.created.saturating_add(created);
                    last.deleted = last.deleted.saturating_add(deleted);
                }
                None => seconds.push(SecondCounts { at, created, deleted }),
            }
        }
    }
    seconds
}

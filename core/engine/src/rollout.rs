//! The rolling update: new and old pods, and how many old pods go or new ones come now.

use crate::KubernetesVersion;
use crate::availability::PodFacts;
use crate::budget::Budget;
use crate::target::{Standing, Target};
use crate::time::Timestamp;

/// The pods of one node by version, terminating ones left out (`findUpdatedPodsOnNode`, Kubernetes 1.36).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Versions<'a> {
    /// Two or more new ones, or two or more old ones.
    Excess,
    /// At most one of each.
    Pods {
        /// Of the target's revision.
        new: Option<&'a PodFacts>,
        /// Of any other.
        old: Option<&'a PodFacts>,
    },
}

/// Sorts the pods of a node into new and old.
pub fn versions<'a>(pods: impl Iterator<Item = &'a PodFacts>, target: &Target) -> Versions<'a> {
    let (mut new, mut old) = (None, None);
    for pod in pods.filter(|pod| !pod.deleting) {
        let slot = if target.is_updated(pod) { &mut new } else { &mut old };
        if slot.is_some() {
            return Versions::Excess;
        }
        *slot = Some(pod);
    }
    Versions::Pods { new, old }
}

/// What a node means to a rolling update without surge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReplaceState {
    /// It counts against maxUnavailable.
    pub unavailable: bool,
    /// Its old pod is not available, and goes at once.
    pub replace_now: bool,
    /// Its old pod is available, and goes when the budget allows.
    pub candidate: bool,
}

/// What a node means to a rolling update with surge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about a node, each counted by itself")]
pub struct SurgeState {
    /// It counts against maxSurge.
    pub surging: bool,
    /// It has an available pod.
    pub available: bool,
    /// Its old pod is not available: the new one comes at once.
    pub create_now: bool,
    /// Its old pod is available: the new one comes when the budget allows.
    pub candidate: bool,
    /// Its old pod goes at once.
    pub delete_old: bool,
    /// It should not run the pod, and its old one goes when enough others are available.
    pub sunset: bool,
    /// It is gone, and its old pod makes the rolling update fail.
    pub lost: bool,
}

/// Both views of one node. `has_entry` says whether any pod is there that planning sees.
///
/// Before 1.31 an old pod that is not available does not count as unavailable, so that as many healthy ones as the
/// budget allows go beside it. Before 1.29 surge does not ask whether the node should run the pod, or is there at all:
/// an old pod goes when a new one beside it is available, wherever that is.
pub fn node_states(
    standing: Standing,
    has_entry: bool,
    versions: Versions<'_>,
    target: &Target,
    now: Timestamp,
) -> (ReplaceState, SurgeState) {
    let mut replace = ReplaceState::default();
    let mut surge = SurgeState::default();
    if !has_entry && !standing.should_run() {
        return (replace, surge);
    }
    let Versions::Pods { new, old } = versions else {
        replace.unavailable = true;
        surge.surging = true;
        return (replace, surge);
    };
    let judge = |pod: &PodFacts| target.availability(pod, now).available;
    let (new, old) = (new.map(judge), old.map(judge));
    match (new, old) {
        (None, None) => replace.unavailable = true,
        (Some(new), None) => {
            replace.unavailable = !new;
            surge.available = new;
        }
        (None, Some(old)) => {
            replace.unavailable = !old && target.version >= KubernetesVersion::V1_31;
            replace.replace_now = !old;
            replace.candidate = old;
            surge.available = old;
            let asks_for_standing = target.version >= KubernetesVersion::V1_29;
            match (if asks_for_standing { standing } else { Standing::Run }, old) {
                (Standing::Gone, _) => surge.lost = true,
                (Standing::Run, false) => surge.create_now = true,
                (Standing::Run, true) => surge.candidate = true,
                (Standing::KeepRunning | Standing::Exclude, false) => surge.delete_old = true,
                (Standing::KeepRunning | Standing::Exclude, true) => surge.sunset = true,
            }
        }
        (Some(new), Some(old)) => {
            replace.unavailable = true;
            surge.available = old;
            surge.surging = !new;
            surge.delete_old = new;
        }
    }
    (replace, surge)
}

/// How many nodes are in which state: all that the decisions over the fleet rest on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RolloutCounts {
    /// Nodes that should run the pod.
    pub desired: u32,
    /// [`ReplaceState::unavailable`].
    pub unavailable: u32,
    /// [`ReplaceState::candidate`].
    pub candidates: u32,
    /// [`SurgeState::surging`].
    pub surging: u32,
    /// [`SurgeState::available`].
    pub available: u32,
    /// [`SurgeState::candidate`].
    pub surge_candidates: u32,
    /// [`SurgeState::sunset`].
    pub sunset: u32,
    /// [`SurgeState::lost`].
    pub lost: u32,
}

/// What a rolling update does now; nodes marked for "now" come before the counted ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allowance {
    /// Without surge: delete all of `replace_now` and so many candidates.
    Replace {
        /// How many.
        candidates: u32,
    },
    /// With surge: create for all of `create_now` and so many candidates, delete all of `delete_old` and so many
    /// of `sunset`.
    Surge {
        /// How many creations beyond `create_now`.
        candidates: u32,
        /// How many deletions beyond `delete_old`.
        sunset: u32,
    },
    /// An old pod is bound to a node that is gone: nothing is done, and the sync fails.
    NodeLost,
}

/// Decides over the fleet (`rollingUpdate`, Kubernetes 1.36).
pub fn allowance(counts: &RolloutCounts, budget: Budget) -> Allowance {
    if budget.max_surge == 0 {
        let room = budget.max_unavailable.saturating_sub(counts.unavailable);
        return Allowance::Replace { candidates: room.min(counts.candidates) };
    }
    if counts.lost > 0 {
        return Allowance::NodeLost;
    }
    Allowance::Surge {
        candidates: budget.max_surge.saturating_sub(counts.surging).min(counts.surge_candidates),
        sunset: counts.available.saturating_sub(counts.desired).min(counts.sunset),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_allowance_is_what_the_budget_leaves() {
        let counts = RolloutCounts { desired: 10, unavailable: 2, candidates: 5, ..RolloutCounts::default() };
        let replace = |max_unavailable| allowance(&counts, Budget { max_surge: 0, max_unavailable });
        assert_eq!(replace(1), Allowance::Replace { candidates: 0 });
        assert_eq!(replace(4), Allowance::Replace { candidates: 2 });
        assert_eq!(replace(40), Allowance::Replace { candidates: 5 });
        let counts = RolloutCounts {
            desired: 10,
            available: 11,
            surging: 1,
            surge_candidates: 5,
            sunset: 3,
            ..RolloutCounts::default()
        };
        let surge = allowance(&counts, Budget { max_surge: 3, max_unavailable: 0 });
        assert_eq!(surge, Allowance::Surge { candidates: 2, sunset: 1 });
    }
}

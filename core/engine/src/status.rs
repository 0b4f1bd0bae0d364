//! The numbers a DaemonSet reports, and what `kubectl rollout status` makes of them.

use crate::api::{DaemonSet, DaemonSetStatus, UpdateStrategyType};
use crate::availability::PodFacts;
use crate::target::{Standing, Target};
use crate::time::Timestamp;

/// What one node adds to the numbers. Only its first pod, in pod order, is judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about a node, each counted by itself")]
pub struct NodeStatus {
    /// It should run the pod.
    pub desired: bool,
    /// It should, and has one.
    pub scheduled: bool,
    /// It should not, and has one.
    pub misscheduled: bool,
    /// Its first pod is ready.
    pub ready: bool,
    /// Its first pod is available.
    pub available: bool,
    /// Its first pod is of the newest revision.
    pub updated: bool,
}

/// Judges one node (`updateDaemonSetStatus`, Kubernetes 1.36).
pub fn node_status(standing: Standing, first: Option<&PodFacts>, target: &Target, now: Timestamp) -> NodeStatus {
    let mut status = NodeStatus { desired: standing.should_run(), ..NodeStatus::default() };
    let Some(first) = first else { return status };
    match standing {
        Standing::Run => {
            status.scheduled = true;
            status.ready = first.ready;
            status.available = target.availability(first, now).available;
            status.updated = target.is_updated(first);
        }
        Standing::KeepRunning | Standing::Exclude => status.misscheduled = true,
        Standing::Gone => {}
    }
    status
}

/// How many nodes are in which state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StatusCounts {
    /// [`NodeStatus::desired`].
    pub desired: u32,
    /// [`NodeStatus::scheduled`].
    pub scheduled: u32,
    /// [`NodeStatus::misscheduled`].
    pub misscheduled: u32,
    /// [`NodeStatus::ready`].
    pub ready: u32,
    /// [`NodeStatus::available`].
    pub available: u32,
    /// [`NodeStatus::updated`].
    pub updated: u32,
}

/// Whether a sync says that it has acted upon the present generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Observed {
    /// It has.
    Generation,
    /// It only counted, because earlier decisions have not been seen to come true.
    Nothing,
}

/// The status to write; absent when the stored one says the same and is of the present generation
/// (`storeDaemonSetStatus`, Kubernetes 1.36).
pub fn status(daemon_set: &DaemonSet, counts: &StatusCounts, observed: Observed) -> Option<DaemonSetStatus> {
    let stored = &daemon_set.status;
    let count = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
    let status = DaemonSetStatus {
        current_number_scheduled: count(counts.scheduled),
        number_misscheduled: count(counts.misscheduled),
        desired_number_scheduled: count(counts.desired),
        number_ready: count(counts.ready),
        updated_number_scheduled: count(counts.updated),
        number_available: count(counts.available),
        number_unavailable: count(counts.desired.saturating_sub(counts.available)),
        observed_generation: stored.observed_generation,
        collision_count: stored.collision_count,
    };
    let generation = daemon_set.metadata.generation;
    if status == *stored && stored.observed_generation >= generation {
        return None;
    }
    Some(match observed {
        Observed::Generation => DaemonSetStatus { observed_generation: generation, ..status },
        Observed::Nothing => status,
    })
}

/// One answer of `kubectl rollout status` (`DaemonSetStatusViewer`, kubectl 1.37).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RolloutStatus {
    /// The strategy is not `RollingUpdate`: an error.
    Unsupported,
    /// The controller has not seen the present spec.
    NotObserved,
    /// Not every node that should has a new pod.
    Updating {
        /// Nodes with one.
        updated: i32,
        /// Nodes that should have one.
        desired: i32,
    },
    /// Not every new pod is available.
    BecomingAvailable {
        /// Nodes with an available pod.
        available: i32,
        /// Nodes that should have one.
        desired: i32,
    },
    /// Through.
    Complete,
}

impl RolloutStatus {
    /// Whether kubectl stops watching.
    pub const fn is_final(self) -> bool {
        matches!(self, Self::Unsupported | Self::Complete)
    }
}

/// Evaluates the stored status as kubectl does: maxUnavailable, misscheduled and unavailable numbers play no part.
pub fn rollout_status(daemon_set: &DaemonSet) -> RolloutStatus {
    let status = &daemon_set.status;
    let desired = status.desired_number_scheduled;
    if daemon_set.spec.update_strategy.strategy_type != UpdateStrategyType::RollingUpdate {
        RolloutStatus::Unsupported
    } else if daemon_set.metadata.generation > status.observed_generation {
        RolloutStatus::NotObserved
    } else if status.updated_number_scheduled < desired {
        RolloutStatus::Updating { updated: status.updated_number_scheduled, desired }
    } else if status.number_available < desired {
        RolloutStatus::BecomingAvailable { available: status.number_available, desired }
    } else {
        RolloutStatus::Complete
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn daemon_set(generation: i64, observed: i64, updated: i32, desired: i32, available: i32) -> DaemonSet {
        let mut daemon_set = DaemonSet::default();
        daemon_set.metadata.generation = generation;
        daemon_set.status = DaemonSetStatus {
            observed_generation: observed,
            updated_number_scheduled: updated,
            desired_number_scheduled: desired,
            number_available: available,
            ..DaemonSetStatus::default()
        };
        daemon_set
    }

    #[test]
    fn rollout_status_asks_for_generation_then_updated_then_available() {
        let evaluated = |generation, observed, updated, desired, available| {
            rollout_status(&daemon_set(generation, observed, updated, desired, available))
        };
        assert_eq!(evaluated(0, 0, 0, 1, 0), RolloutStatus::Updating { updated: 0, desired: 1 });
        assert_eq!(evaluated(1, 1, 2, 2, 1), RolloutStatus::BecomingAvailable { available: 1, desired: 2 });
        assert_eq!(evaluated(1, 1, 2, 2, 2), RolloutStatus::Complete);
        assert_eq!(evaluated(2, 1, 2, 2, 2), RolloutStatus::NotObserved);
        assert_eq!(evaluated(6, 6, 0, 0, 0), RolloutStatus::Complete);
    }

    #[test]
    fn rollout_status_is_an_error_with_on_delete() {
        let mut on_delete = daemon_set(1, 1, 2, 2, 2);
        on_delete.spec.update_strategy.strategy_type = UpdateStrategyType::OnDelete;
        assert_eq!(rollout_status(&on_delete), RolloutStatus::Unsupported);
        assert!(rollout_status(&on_delete).is_final());
    }

    #[test]
    fn nothing_is_written_when_nothing_differs() {
        let counts = StatusCounts { desired: 2, scheduled: 2, ready: 2, available: 1, ..StatusCounts::default() };
        let mut daemon_set = daemon_set(3, 2, 0, 0, 0);
        let counted = status(&daemon_set, &counts, Observed::Nothing).unwrap();
        assert_eq!((counted.observed_generation, counted.number_unavailable), (2, 1));
        let written = status(&daemon_set, &counts, Observed::Generation).unwrap();
        assert_eq!(written.observed_generation, 3);
        daemon_set.status = written;
        assert_eq!(status(&daemon_set, &counts, Observed::Generation), None);
    }
}

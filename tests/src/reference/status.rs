//! The numbers of the status: one pod per node is judged, the first in order.

use rollcast_core::api::DaemonSetStatus;

use super::{Verdict, View, pods};

/// Counts, and writes the status when something differs from the stored one.
pub fn update(view: &View<'_>, observed: bool, verdict: &mut Verdict) {
    let stored = &view.daemon_set.status;
    let generation = view.daemon_set.metadata.generation;
    let mut status = DaemonSetStatus {
        observed_generation: if observed { generation } else { stored.observed_generation },
        collision_count: stored.collision_count,
        ..DaemonSetStatus::default()
    };
    for node in &view.nodes {
        let first = node.pods.first();
        if !node.eligible.should_run {
            status.number_misscheduled += i32::from(first.is_some());
            continue;
        }
        status.desired_number_scheduled += 1;
        let Some(first) = first else { continue };
        status.current_number_scheduled += 1;
        status.number_ready += i32::from(pods::is_ready(first));
        status.number_available += i32::from(view.is_available(first));
        status.updated_number_scheduled += i32::from(view.is_updated(first));
    }
    status.number_unavailable = status.desired_number_scheduled - status.number_available;

    let min_ready_seconds = u64::try_from(view.daemon_set.spec.min_ready_seconds).unwrap_or(0);
    if min_ready_seconds > 0 && status.number_ready != status.number_available {
        verdict.requeue_after_seconds.insert(min_ready_seconds);
    }
    if status != *stored || stored.observed_generation < generation {
        verdict.status = Some(status);
    }
}

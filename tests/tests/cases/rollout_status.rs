//! Cases about what `kubectl rollout status` makes of a status.

use rollcast_core::api::DaemonSetStatus;
use rollcast_core::message::{Language, Words};
use rollcast_core::status::{RolloutStatus, rollout_status};

use crate::input::daemon_set;

fn words(generation: i64, status: DaemonSetStatus) -> (bool, String) {
    let mut daemon_set = daemon_set("R14");
    daemon_set.metadata.generation = generation;
    daemon_set.status = status;
    let found = rollout_status(&daemon_set);
    (found.is_final(), found.words(Language::English))
}

fn all(count: i32, observed_generation: i64) -> DaemonSetStatus {
    DaemonSetStatus {
        desired_number_scheduled: count,
        current_number_scheduled: count,
        number_ready: count,
        updated_number_scheduled: count,
        number_available: count,
        observed_generation,
        ..DaemonSetStatus::default()
    }
}

/// R14
#[test]
fn a_stale_status_is_not_taken_for_done() {
    let observed = "Waiting for daemon set spec update to be observed";
    assert!(matches!(words(6, all(2, 5)), (false, text) if text.contains(observed)), "A");
    let partly = DaemonSetStatus { updated_number_scheduled: 1, ..all(2, 6) };
    assert!(matches!(words(6, partly), (false, text) if text.contains("1 out of 2 new pods have been updated")), "B");
    assert!(matches!(words(1, DaemonSetStatus::default()), (false, text) if text.contains(observed)), "C");
    let unavailable = DaemonSetStatus { number_available: 1, ..all(2, 6) };
    assert!(matches!(words(6, unavailable), (false, text) if text.contains("1 of 2 updated pods are available")), "D");
    let misscheduled = DaemonSetStatus { number_misscheduled: 1, ..all(2, 6) };
    assert!(matches!(words(6, misscheduled), (true, text) if text.contains("successfully rolled out")), "E");
}

/// R15
#[test]
fn a_daemon_set_without_nodes_is_rolled_out() {
    let mut none = daemon_set("R15");
    none.metadata.generation = 1;
    none.status = all(0, 1);
    assert_eq!(rollout_status(&none), RolloutStatus::Complete);
}

//! Whole rollouts in the ideal world, against those that Kubernetes' own controller played.

use rollcast_tests::{subject::Kind, vectors};

#[test]
fn every_recorded_rollout_goes_the_same_way() {
    vectors::check(Kind::Trajectory);
}

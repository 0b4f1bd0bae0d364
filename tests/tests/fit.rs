//! Whether a daemon pod fits on its node, as kube-scheduler 1.36 recorded it.

use rollcast_tests::{subject::Kind, vectors};

#[test]
fn every_verdict_is_kube_schedulers() {
    vectors::check(Kind::Fit);
}

//! The API server's verdict on a manifest, offline: recorded answers.

use rollcast_tests::{subject::Kind, vectors};

#[test]
fn every_recorded_verdict_is_given() {
    vectors::check(Kind::Admit);
}

//! Expectations, back-off and slow start, as the real controller kept them.

use rollcast_tests::subject::Kind;
use rollcast_tests::vectors;

#[test]
fn every_recorded_script_is_followed_as_the_real_controller_followed_it() {
    vectors::check(Kind::Dynamics);
}

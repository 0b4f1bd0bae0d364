//! One sync of the controller, as the real one made it.

use rollcast_tests::subject::Kind;
use rollcast_tests::vectors;

#[test]
fn every_recorded_sync_is_decided_as_the_real_controller_decided_it() {
    vectors::check(Kind::Sync);
}

//! What differs between Kubernetes releases, each time with both sides.

mod admission;
mod controller;
mod scheduler;

use rollcast_core::KubernetesVersion as Version;

/// Holds what is observed under every release against two answers: the one from `change` on, and the one before it.
fn since<T: PartialEq + std::fmt::Debug>(change: Version, now: &T, before: &T, observe: impl Fn(Version) -> T) {
    for version in Version::ALL {
        let expected = if version >= change { now } else { before };
        assert_eq!(observe(version), *expected, "under {version}");
    }
}

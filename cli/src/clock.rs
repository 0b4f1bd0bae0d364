//! The one place that looks at the clock.

use std::time::SystemTime;

use rollcast_core::time::Timestamp;

/// The present second.
pub fn now() -> Timestamp {
    let since_epoch = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_seconds(i64::try_from(since_epoch.as_secs()).unwrap_or(i64::MAX))
}

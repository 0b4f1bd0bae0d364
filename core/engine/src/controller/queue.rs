//! Which DaemonSets are to be looked at, now and later.

use std::time::Duration;

use crate::fleet::Slot;

/// The shortest wait after a failed sync (`DefaultControllerRateLimiter`, client-go 1.36).
const ERROR_DELAY: Duration = Duration::from_millis(5);

/// The longest.
const ERROR_DELAY_MAXIMUM: Duration = Duration::from_secs(1_000);

/// DaemonSets with something to look at, first come first served, each at most once.
#[derive(Clone, Debug, Default)]
pub(super) struct WorkQueue {
    order: Vec<Slot>,
}

impl WorkQueue {
    /// Puts one at the end. The caller knows that it is not in yet.
    pub fn push(&mut self, slot: Slot) {
        self.order.push(slot);
    }

    /// Takes the first one that may be taken.
    pub fn take(&mut self, may_be_taken: impl Fn(Slot) -> bool) -> Option<Slot> {
        let place = self.order.iter().position(|slot| may_be_taken(*slot))?;
        Some(self.order.remove(place))
    }

    /// Takes a DaemonSet out that is gone.
    pub fn remove(&mut self, slot: Slot) {
        self.order.retain(|other| *other != slot);
    }
}

/// How long to wait after the `failures`-th failed sync in a row: 5 ms, doubling, up to 1,000 s
/// (`ItemExponentialFailureRateLimiter`).
pub(super) fn error_delay(failures: u32) -> Duration {
    let doublings = failures.saturating_sub(1).min(31);
    ERROR_DELAY.saturating_mul(1 << doublings).min(ERROR_DELAY_MAXIMUM)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_after_an_error_doubles_up_to_a_thousand_seconds() {
        assert_eq!(error_delay(1), Duration::from_millis(5));
        assert_eq!(error_delay(2), Duration::from_millis(10));
        assert_eq!(error_delay(18), Duration::from_millis(655_360));
        assert_eq!(error_delay(19), ERROR_DELAY_MAXIMUM);
        assert_eq!(error_delay(u32::MAX), ERROR_DELAY_MAXIMUM);
    }

    #[test]
    fn those_that_may_not_be_taken_keep_their_place() {
        let mut queue = WorkQueue::default();
        for slot in [3, 1, 2] {
            queue.push(slot);
        }
        assert_eq!(queue.take(|slot| slot != 3), Some(1));
        assert_eq!(queue.take(|_| true), Some(3));
        queue.remove(2);
        assert_eq!(queue.take(|_| true), None);
    }
}

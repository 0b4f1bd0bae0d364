//! What a controller remembers from one sync to the next.

use std::collections::BTreeMap;
use std::time::Duration;

use rollcast_core::time::Timestamp;

/// Expectations and back-off of one DaemonSet.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// What was done and not seen yet.
    pub expectations: Expectations,
    /// Failed pods: by observed generation and node.
    pub back_off: BTreeMap<(i64, String), BackOff>,
}

/// Creations and deletions that have not been seen yet; below 0 when more were seen than done.
#[derive(Clone, Debug, Default)]
pub struct Expectations {
    /// Creations.
    pub creations: i64,
    /// Deletions.
    pub deletions: i64,
    /// When they were set.
    pub since: Option<Timestamp>,
}

impl Expectations {
    /// After so long they lapse.
    pub const LAPSE: Duration = Duration::from_mins(5);

    /// Whether everything was seen, or has lapsed.
    pub fn is_satisfied(&self, now: Timestamp) -> bool {
        let lapsed = self.since.is_none_or(|since| now.saturating_since(since) > Self::LAPSE);
        lapsed || (self.creations <= 0 && self.deletions <= 0)
    }

    /// Sets both counters.
    pub fn set(&mut self, creations: usize, deletions: usize, now: Timestamp) {
        let count = |number| i64::try_from(number).expect("at most a burst");
        *self = Self { creations: count(creations), deletions: count(deletions), since: Some(now) };
    }
}

/// How long a failed pod on one node is kept.
#[derive(Clone, Copy, Debug)]
pub struct BackOff {
    /// The time that must pass.
    pub wait: Duration,
    /// Since when.
    pub since: Timestamp,
}

impl BackOff {
    const FIRST: Duration = Duration::from_secs(1);
    const LONGEST: Duration = Duration::from_mins(15);

    fn is_forgotten(self, now: Timestamp) -> bool {
        now.saturating_since(self.since) > Self::LONGEST * 2
    }
}

impl Memory {
    /// How long the failed pods of a node are still kept in all; none when one may be deleted.
    pub fn in_back_off(&self, key: &(i64, String), now: Timestamp) -> Option<Duration> {
        let entry = self.back_off.get(key)?;
        let limited = !entry.is_forgotten(now) && now.saturating_since(entry.since) < entry.wait;
        limited.then_some(entry.wait)
    }

    /// Notes that a failed pod of a node is deleted.
    pub fn deleted_failed(&mut self, key: (i64, String), now: Timestamp) {
        let wait = match self.back_off.get(&key) {
            Some(entry) if !entry.is_forgotten(now) => (entry.wait * 2).min(BackOff::LONGEST),
            _ => BackOff::FIRST,
        };
        self.back_off.insert(key, BackOff { wait, since: now });
    }
}

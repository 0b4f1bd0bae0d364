//! Creations and deletions that were sent and not yet seen to come true.

use std::time::Duration;

use crate::time::Timestamp;

/// How long they are waited for (`ExpectationsTimeout`, Kubernetes 1.36).
pub const EXPECTATIONS_TIMEOUT: Duration = Duration::from_mins(5);

/// What one DaemonSet expects (`ControllerExpectations`, Kubernetes 1.36). Seen more often than expected, a number
/// goes below zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Expectations {
    /// Creations not yet seen.
    pub creations: i64,
    /// Deletions not yet seen.
    pub deletions: i64,
    set: Option<Timestamp>,
}

impl Expectations {
    /// Expects so many of each from now on, whatever was expected before.
    pub fn expect(creations: usize, deletions: usize, now: Timestamp) -> Self {
        let count = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
        Self { creations: count(creations), deletions: count(deletions), set: Some(now) }
    }

    /// Expects one creation less: it was seen, or will never be. Nothing happens where nothing was ever expected.
    pub fn lower_creations(&mut self) {
        self.creations -= i64::from(self.set.is_some());
    }

    /// Expects one deletion less.
    pub fn lower_deletions(&mut self) {
        self.deletions -= i64::from(self.set.is_some());
    }

    /// Whether everything was seen.
    pub const fn were_seen(&self) -> bool {
        self.creations <= 0 && self.deletions <= 0
    }

    /// Whether everything was seen, or was waited for for more than five minutes.
    pub fn are_met(&self, now: Timestamp) -> bool {
        self.were_seen() || self.lapse().is_none_or(|lapse| lapse <= now)
    }

    /// The first moment at which they count as met however little was seen.
    pub fn lapse(&self) -> Option<Timestamp> {
        let end = self.set?.saturating_add(EXPECTATIONS_TIMEOUT);
        Some(end.saturating_add(Duration::from_micros(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expectations_are_met_when_seen_or_after_more_than_five_minutes() {
        let set = Timestamp::from_seconds(1_000);
        let mut expectations = Expectations::expect(1, 1, set);
        assert!(!expectations.are_met(Timestamp::from_seconds(1_300)));
        assert!(expectations.are_met(Timestamp::from_micros(1_300_000_001)));
        expectations.lower_creations();
        assert!(!expectations.are_met(set));
        expectations.lower_deletions();
        expectations.lower_deletions();
        assert!(expectations.are_met(set));
        assert_eq!(expectations.deletions, -1);
    }

    #[test]
    fn nothing_is_lowered_where_nothing_was_expected() {
        let mut expectations = Expectations::default();
        expectations.lower_creations();
        assert_eq!(expectations, Expectations::default());
        assert!(expectations.are_met(Timestamp::default()));
    }
}

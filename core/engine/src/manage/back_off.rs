//! How often failed pods are deleted: not at all for a while, and each time for longer.

use std::time::Duration;

use super::BackOffKey;
use crate::slot_index::{NOWHERE, SlotIndex, hash_of};
use crate::time::Timestamp;

/// The wait after the first deletion (kube-controller-manager, Kubernetes 1.36).
pub const FAILED_POD_BACK_OFF_INITIAL: Duration = Duration::from_secs(1);

/// The longest wait (kube-controller-manager, Kubernetes 1.36).
pub const FAILED_POD_BACK_OFF_MAXIMUM: Duration = Duration::from_mins(15);

/// Entries not used for longer than this are forgotten.
const EXPIRY: Duration = Duration::from_mins(30);

/// How often forgotten entries are dropped (`failedPodsBackoff.GC`, once a minute).
const COLLECTION_PERIOD: Duration = Duration::from_mins(1);

/// The waits of one DaemonSet's nodes (`flowcontrol.Backoff`, client-go 1.36).
#[derive(Clone, Debug, Default)]
pub struct BackOff {
    entries: Vec<Entry>,
    /// Places in `entries`.
    by_node: SlotIndex,
    collected: Option<Timestamp>,
}

#[derive(Clone, Debug)]
struct Entry {
    key: BackOffKey,
    wait: Duration,
    updated: Timestamp,
}

impl Entry {
    fn is_expired(&self, now: Timestamp) -> bool {
        now.saturating_since(self.updated) > EXPIRY
    }
}

impl BackOff {
    /// The whole wait, if it is not over at `now`, and when it is; exactly at its end it is over.
    pub fn waiting(&self, key: &BackOffKey, now: Timestamp) -> Option<(Duration, Timestamp)> {
        let entry = self.entries.get(self.find(key)?).filter(|entry| !entry.is_expired(now))?;
        let end = entry.updated.saturating_add(entry.wait);
        (now < end).then_some((entry.wait, end))
    }

    /// Notes a deletion: the next wait begins, twice as long as the last.
    pub fn next(&mut self, key: BackOffKey, now: Timestamp) {
        let mut next = Entry { key, wait: FAILED_POD_BACK_OFF_INITIAL, updated: now };
        if let Some(entry) = self.find(&next.key).and_then(|place| self.entries.get_mut(place)) {
            if !entry.is_expired(now) {
                next.wait = entry.wait.saturating_mul(2).min(FAILED_POD_BACK_OFF_MAXIMUM);
            }
            *entry = next;
        } else {
            self.list(&next.key, self.entries.len());
            self.entries.push(next);
        }
    }

    fn find(&self, key: &BackOffKey) -> Option<usize> {
        let is_it = |place: u32| self.entries.get(place as usize).is_some_and(|entry| entry.key == *key);
        self.by_node.find(hash_of(&[&key.node]), is_it).map(|place| place as usize)
    }

    fn list(&mut self, key: &BackOffKey, place: usize) {
        self.by_node.insert(hash_of(&[&key.node]), u32::try_from(place).unwrap_or(NOWHERE));
    }

    /// Forgets what was not used for half an hour, at most once a minute.
    pub fn collect(&mut self, now: Timestamp) {
        let is_due = self.collected.is_none_or(|last| now.saturating_since(last) >= COLLECTION_PERIOD);
        if is_due && !self.entries.is_empty() {
            self.collected = Some(now);
            self.entries.retain(|entry| !entry.is_expired(now));
            self.by_node = SlotIndex::default();
            let entries = std::mem::take(&mut self.entries);
            for (place, entry) in entries.iter().enumerate() {
                self.list(&entry.key, place);
            }
            self.entries = entries;
        }
    }

    /// How many entries are kept.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing is kept.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> BackOffKey {
        BackOffKey { observed_generation: 1, node: "a".into() }
    }

    #[test]
    fn the_gaps_between_deletions_double_up_to_a_quarter_of_an_hour() {
        let mut back_off = BackOff::default();
        let mut now = Timestamp::from_seconds(1_000);
        let mut gaps = Vec::new();
        for _ in 0..12 {
            assert_eq!(back_off.waiting(&key(), now), None);
            back_off.next(key(), now);
            let (wait, end) = back_off.waiting(&key(), now).unwrap();
            assert_eq!(back_off.waiting(&key(), Timestamp::from_micros(end.as_micros() - 1)), Some((wait, end)));
            gaps.push(wait.as_secs());
            now = end;
        }
        assert_eq!(gaps, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
    }

    #[test]
    fn an_entry_is_forgotten_after_more_than_half_an_hour() {
        let mut back_off = BackOff::default();
        back_off.next(key(), Timestamp::from_seconds(0));
        back_off.next(key(), Timestamp::from_seconds(1_800));
        assert_eq!(back_off.waiting(&key(), Timestamp::from_seconds(1_800)).unwrap().0.as_secs(), 2);
        back_off.collect(Timestamp::from_seconds(3_600));
        assert_eq!(back_off.len(), 1);
        back_off.next(BackOffKey { observed_generation: 1, node: "b".into() }, Timestamp::from_seconds(3_601));
        assert_eq!(back_off.len(), 2);
        back_off.next(key(), Timestamp::from_seconds(3_601));
        assert_eq!(back_off.waiting(&key(), Timestamp::from_seconds(3_601)).unwrap().0.as_secs(), 1);
        assert!(!back_off.is_empty());
        back_off.collect(Timestamp::from_seconds(9_000));
        assert!(back_off.is_empty());
    }

    #[test]
    fn entries_are_looked_through_once_a_minute() {
        let mut back_off = BackOff::default();
        back_off.next(key(), Timestamp::from_seconds(0));
        back_off.collect(Timestamp::from_seconds(1_790));
        back_off.collect(Timestamp::from_seconds(1_849));
        assert_eq!(back_off.len(), 1);
        back_off.collect(Timestamp::from_seconds(1_850));
        assert_eq!(back_off.len(), 0);
    }

    #[test]
    fn a_new_observed_generation_starts_afresh() {
        let mut back_off = BackOff::default();
        let now = Timestamp::from_seconds(5);
        back_off.next(key(), now);
        assert_eq!(back_off.waiting(&BackOffKey { observed_generation: 2, node: "a".into() }, now), None);
    }
}

use std::collections::{BTreeMap, VecDeque};

use crate::time::Timestamp;

/// What is going to happen, in order of time; what happens at one time keeps the order in which it was added.
///
/// One bucket a moment. In an ideal world all pods of a batch become ready in the same second, so buckets are few and
/// adding to one costs no more than finding it.
#[derive(Clone, Debug)]
pub(super) struct Queue<E> {
    buckets: BTreeMap<Timestamp, VecDeque<E>>,
    /// Emptied buckets, kept for their memory.
    spare: Vec<VecDeque<E>>,
}

/// How many emptied buckets are kept.
const SPARE_BUCKETS: usize = 8;

impl<E> Default for Queue<E> {
    fn default() -> Self {
        Self { buckets: BTreeMap::new(), spare: Vec::new() }
    }
}

impl<E> Queue<E> {
    pub fn push(&mut self, at: Timestamp, event: E) {
        let Self { buckets, spare } = self;
        buckets.entry(at).or_insert_with(|| spare.pop().unwrap_or_default()).push_back(event);
    }

    /// When the next event is due.
    pub fn next_time(&self) -> Option<Timestamp> {
        self.buckets.first_key_value().map(|(&at, _)| at)
    }

    /// The next event that is due by `now`.
    pub fn pop(&mut self, now: Timestamp) -> Option<E> {
        let mut first = self.buckets.first_entry().filter(|entry| *entry.key() <= now)?;
        let event = first.get_mut().pop_front();
        if first.get().is_empty() {
            let empty = first.remove();
            if self.spare.len() < SPARE_BUCKETS {
                self.spare.push(empty);
            }
        }
        event
    }

    /// Whether any event still to come is such a one.
    pub fn any(&self, mut such: impl FnMut(&E) -> bool) -> bool {
        self.buckets.values().flatten().any(&mut such)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_in_order_of_time_and_then_of_arrival() {
        let mut queue = Queue::default();
        for (at, event) in [(5, 'c'), (1, 'a'), (5, 'd'), (3, 'b'), (5, 'e')] {
            queue.push(Timestamp::from_seconds(at), event);
        }
        assert_eq!(queue.next_time(), Some(Timestamp::from_seconds(1)));
        assert_eq!(queue.pop(Timestamp::from_seconds(0)), None);
        let mut order = String::new();
        while let Some(event) = queue.pop(Timestamp::from_seconds(5)) {
            order.push(event);
            if event == 'b' {
                queue.push(Timestamp::from_seconds(5), 'f');
            }
        }
        assert_eq!(order, "abcdef");
        assert_eq!(queue.next_time(), None);
    }
}

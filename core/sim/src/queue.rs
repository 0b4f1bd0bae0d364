use rollcast_engine::time::Timestamp;

/// What is going to happen, in order of time; what happens at one time keeps the order in which it was added.
///
/// A radix heap with a sorted front. What is due later lies in buckets by the highest digit (of 64) in which its time
/// differs from a reference that moves with time; the first bucket is spread over finer ones when its turn comes,
/// unless it holds few events, which are sorted, or events of one time, such as a whole batch that becomes ready in
/// one second: these become the front as they are. Equal times are always in one bucket, in the order in which they
/// came, so that no sequence number is needed.
#[derive(Debug)]
pub struct Queue<E> {
    /// What comes next, the first at the end: everything due before `front_end`.
    front: Vec<Due<E>>,
    front_end: u64,
    buckets: Vec<Bucket<E>>,
    /// By digit position, which buckets hold something.
    occupied: [u64; LEVELS],
    /// Which digit positions have such buckets.
    levels: u32,
    /// The time that buckets are relative to; nothing in them is earlier.
    reference: u64,
    /// Lists that were emptied, kept for their memory.
    spare: Vec<Vec<Due<E>>>,
}

const DIGIT_BITS: u32 = 6;
const DIGITS: u32 = 1 << DIGIT_BITS;
const LEVELS: usize = 11;

/// So many events are sorted rather than spread.
const FEW: usize = 24;

/// Before a new event is moved past more than this many, the front is spread over buckets.
const FAR: usize = 64;

const SPARE_LISTS: usize = 64;
const SPARE_CAPACITY: usize = 256;

#[derive(Clone, Debug)]
struct Due<E> {
    time: u64,
    event: E,
}

#[derive(Clone, Debug)]
struct Bucket<E> {
    list: Vec<Due<E>>,
    earliest: u64,
    /// Whether other times than the earliest are in it.
    mixed: bool,
}

impl<E> Default for Queue<E> {
    fn default() -> Self {
        Self {
            front: Vec::new(),
            front_end: 0,
            buckets: Vec::new(),
            occupied: [0; LEVELS],
            levels: 0,
            reference: 0,
            spare: Vec::new(),
        }
    }
}

impl<E: Clone> Clone for Queue<E> {
    fn clone(&self) -> Self {
        // The memory of lists that were emptied is not copied.
        Self { front: self.front.clone(), buckets: self.buckets.clone(), spare: Vec::new(), ..*self }
    }
}

impl<E> Queue<E> {
    /// Adds an event.
    pub fn push(&mut self, at: Timestamp, event: E) {
        let due = Due { time: number(at), event };
        if due.time < self.front_end { self.push_to_front(due) } else { self.file(due) }
    }

    /// When the next event is due.
    pub fn next_time(&self) -> Option<Timestamp> {
        let first = self.front.last().map(|due| due.time);
        first.or_else(|| Some(self.first_bucket()?.2.earliest)).map(timestamp)
    }

    /// The next event that is due by `now`.
    pub fn pop(&mut self, now: Timestamp) -> Option<E> {
        let now = number(now);
        while self.front.is_empty() {
            let (level, digit, bucket) = self.first_bucket()?;
            if bucket.earliest > now {
                return None;
            }
            self.open(level, digit);
        }
        self.front.pop_if(|due| due.time <= now).map(|due| due.event)
    }

    /// Whether any event still to come is such a one.
    pub fn any(&self, mut such: impl FnMut(&E) -> bool) -> bool {
        let later = self.buckets.iter().flat_map(|bucket| &bucket.list);
        self.front.iter().chain(later).any(|due| such(&due.event))
    }

    /// The bucket with the earliest events, and where it is.
    fn first_bucket(&self) -> Option<(u32, u32, &Bucket<E>)> {
        // Of no bits there are 32 trailing zeros, and no such level.
        let level = self.levels.trailing_zeros();
        let digit = self.occupied.get(to_usize(level))?.trailing_zeros();
        Some((level, digit, self.buckets.get(place_of(level, digit))?))
    }

    /// Makes the first bucket the front, or spreads it over finer buckets.
    fn open(&mut self, level: u32, digit: u32) {
        let Some(bucket) = self.buckets.get_mut(place_of(level, digit)) else { return };
        let (earliest, mixed) = (bucket.earliest, bucket.mixed);
        let mut list = std::mem::take(&mut bucket.list);
        if let Some(digits) = self.occupied.get_mut(to_usize(level)) {
            *digits &= !(1 << digit);
            if *digits == 0 {
                self.levels &= !(1 << level);
            }
        }
        // Buckets of this and higher digits stay right: in those above, the new reference is like the old one.
        self.reference = earliest;
        if !mixed || list.len() <= FEW {
            if mixed {
                sort(&mut list);
                self.front_end = end_of(earliest, level);
            } else {
                self.front_end = earliest;
            }
            list.reverse();
            let emptied = std::mem::replace(&mut self.front, list);
            self.keep(emptied);
        } else {
            for due in list.drain(..) {
                self.file(due);
            }
            self.keep(list);
        }
    }

    /// Puts an event into the bucket that its time belongs to.
    fn file(&mut self, due: Due<E>) {
        let level = level_of(due.time ^ self.reference);
        let digit = digit_of(due.time, level);
        if self.buckets.is_empty() {
            let empty = || Bucket { list: Vec::new(), earliest: 0, mixed: false };
            self.buckets.resize_with(LEVELS * to_usize(DIGITS), empty);
        }
        let Some(bucket) = self.buckets.get_mut(place_of(level, digit)) else { return };
        if bucket.list.is_empty() {
            (bucket.earliest, bucket.mixed) = (due.time, false);
            if bucket.list.capacity() == 0 {
                bucket.list = self.spare.pop().unwrap_or_default();
            }
            self.levels |= 1 << level;
            if let Some(digits) = self.occupied.get_mut(to_usize(level)) {
                *digits |= 1 << digit;
            }
        } else {
            bucket.mixed |= bucket.earliest != due.time;
            bucket.earliest = bucket.earliest.min(due.time);
        }
        bucket.list.push(due);
    }

    fn push_to_front(&mut self, due: Due<E>) {
        let place = self.front.partition_point(|other| other.time > due.time);
        let first = self.front.last().map_or(due.time, |first| first.time.min(due.time));
        if self.front.len() - place > FAR && first >= self.reference {
            (self.reference, self.front_end) = (first, first);
            let mut front = std::mem::take(&mut self.front);
            for other in front.drain(..).rev() {
                self.file(other);
            }
            self.keep(front);
            self.file(due);
        } else {
            self.front.insert(place, due);
        }
    }

    fn keep(&mut self, emptied: Vec<Due<E>>) {
        if self.spare.len() < SPARE_LISTS && (1..=SPARE_CAPACITY).contains(&emptied.capacity()) {
            self.spare.push(emptied);
        }
    }
}

/// Sorts a few events by time; equal times keep their order.
fn sort<E>(list: &mut [Due<E>]) {
    for end in 1..list.len() {
        let Some((next, sorted)) = list.get(..=end).and_then(<[_]>::split_last) else { continue };
        let place = sorted.partition_point(|other| other.time <= next.time);
        if let Some(moved) = list.get_mut(place..=end) {
            moved.rotate_right(1);
        }
    }
}

/// The end of the times that share with a time all digits from a position on.
const fn end_of(time: u64, level: u32) -> u64 {
    let step = 1 << (level * DIGIT_BITS);
    (time & !(step - 1)).saturating_add(step)
}

/// The position of the highest digit in which two times differ, given their difference by bits.
const fn level_of(difference: u64) -> u32 {
    // The lowest digit when they are equal.
    (difference | 1).ilog2() / DIGIT_BITS
}

const fn digit_of(time: u64, level: u32) -> u32 {
    let [lowest, ..] = ((time >> (level * DIGIT_BITS)) & (DIGITS as u64 - 1)).to_le_bytes();
    lowest as u32
}

const fn place_of(level: u32, digit: u32) -> usize {
    to_usize(level * DIGITS + digit)
}

const fn to_usize(number: u32) -> usize {
    number as usize
}

/// Numbers in the order of times.
const fn number(at: Timestamp) -> u64 {
    at.as_micros().cast_unsigned() ^ (1 << 63)
}

const fn timestamp(number: u64) -> Timestamp {
    Timestamp::from_micros((number ^ (1 << 63)).cast_signed())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

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

    #[test]
    fn what_comes_too_late_is_next() {
        let mut queue = Queue::default();
        for (at, event) in [(9, 'd'), (7, 'c')] {
            queue.push(Timestamp::from_seconds(at), event);
        }
        assert_eq!(queue.pop(Timestamp::from_seconds(8)), Some('c'));
        for (at, event) in [(6, 'b'), (-3, 'a'), (6, 'x')] {
            queue.push(Timestamp::from_seconds(at), event);
        }
        assert!(queue.any(|event| *event == 'x') && !queue.any(|event| *event == 'c'));
        assert_eq!(queue.next_time(), Some(Timestamp::from_seconds(-3)));
        assert_eq!(queue.pop(Timestamp::from_seconds(-4)), None);
        let order: String = std::iter::from_fn(|| queue.pop(Timestamp::from_seconds(9))).collect();
        assert_eq!(order, "abxd");
    }

    #[test]
    fn a_queue_yields_what_a_sorted_set_does_however_far_times_are_apart() {
        let mut number = 1_u64;
        let mut random = move || {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            number >> 33
        };
        for spread in [1, 3, 64, 4_096, 1 << 20, 1 << 31] {
            let (mut queue, mut sorted) = (Queue::default(), BTreeSet::new());
            let mut now = -1_000;
            for sequence in 0..3_000_u64 {
                let at = now + i64::try_from(random() % spread).unwrap();
                queue.push(Timestamp::from_micros(at), sequence);
                sorted.insert((at, sequence));
                if random() % 5 < 2 {
                    assert_eq!(queue.next_time().map(Timestamp::as_micros), sorted.first().map(|(at, _)| *at));
                    now += i64::try_from(random() % spread).unwrap() / 2;
                    while let Some(event) = queue.pop(Timestamp::from_micros(now)) {
                        let (at, first) = sorted.pop_first().unwrap();
                        assert_eq!((event, at <= now), (first, true));
                    }
                    assert!(sorted.first().is_none_or(|(at, _)| *at > now));
                }
            }
            let rest: Vec<u64> = std::iter::from_fn(|| queue.pop(Timestamp::from_micros(i64::MAX))).collect();
            assert_eq!(rest, sorted.into_iter().map(|(_, sequence)| sequence).collect::<Vec<_>>());
        }
    }
}

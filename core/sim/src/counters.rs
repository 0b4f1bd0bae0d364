use serde::{Deserialize, Serialize};

/// The numbers of one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counters {
    /// DESIRED, as the status says.
    pub desired: u32,
    /// CURRENT, as the status says.
    pub current: u32,
    /// READY, as the status says.
    pub ready: u32,
    /// UP-TO-DATE, as the status says.
    pub up_to_date: u32,
    /// AVAILABLE, as the status says.
    pub available: u32,
    /// `numberMisscheduled`, as the status says.
    pub misscheduled: u32,
    /// Old pods that are available and not being deleted.
    pub old_available: u32,
    /// Old pods that are not available and not being deleted, failed ones included.
    pub old_unavailable: u32,
    /// New pods that are available and not being deleted.
    pub new_available: u32,
    /// New pods that are not available and not being deleted: pending, starting, ready too short, failed.
    pub new_unavailable: u32,
    /// Pods being deleted.
    pub terminating: u32,
    /// `maxUnavailable`, resolved against DESIRED.
    pub max_unavailable: u32,
    /// `maxSurge`, resolved against DESIRED.
    pub max_surge: u32,
}

const FIELDS: usize = 13;

impl Counters {
    /// All pods of the DaemonSet that exist.
    pub const fn pods(&self) -> u32 {
        self.old_available
            .saturating_add(self.old_unavailable)
            .saturating_add(self.new_available)
            .saturating_add(self.new_unavailable)
            .saturating_add(self.terminating)
    }

    /// Pods that are available and not being deleted.
    pub const fn available_pods(&self) -> u32 {
        self.old_available.saturating_add(self.new_available)
    }

    const fn to_array(self) -> [u32; FIELDS] {
        [
            self.desired,
            self.current,
            self.ready,
            self.up_to_date,
            self.available,
            self.misscheduled,
            self.old_available,
            self.old_unavailable,
            self.new_available,
            self.new_unavailable,
            self.terminating,
            self.max_unavailable,
            self.max_surge,
        ]
    }

    const fn from_array(fields: [u32; FIELDS]) -> Self {
        let [
            desired,
            current,
            ready,
            up_to_date,
            available,
            misscheduled,
            old_available,
            old_unavailable,
            new_available,
            new_unavailable,
            terminating,
            max_unavailable,
            max_surge,
        ] = fields;
        Self {
            desired,
            current,
            ready,
            up_to_date,
            available,
            misscheduled,
            old_available,
            old_unavailable,
            new_available,
            new_unavailable,
            terminating,
            max_unavailable,
            max_surge,
        }
    }
}

/// Counters of consecutive moments: differences in a byte stream, and the whole of them every so many moments.
///
/// One moment's difference is a bit set of the fields that changed (two bytes, little-endian), then for each of them
/// the difference as a zigzag LEB128 number: about ten bytes where the counters themselves are 52.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CounterLog {
    spacing: u32,
    moments: u32,
    last: Counters,
    stream: Vec<u8>,
    keyframes: Vec<Keyframe>,
}

/// The counters of a moment, and where the stream goes on after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Keyframe {
    offset: u32,
    counters: Counters,
}

impl CounterLog {
    /// A log of no moments.
    pub const EMPTY: Self = Self {
        spacing: 0,
        moments: 0,
        last: Counters::from_array([0; FIELDS]),
        stream: Vec::new(),
        keyframes: Vec::new(),
    };

    /// An empty log that keeps the whole counters every `spacing` moments.
    pub fn new(spacing: u32) -> Self {
        Self { spacing: spacing.max(1), ..Self::EMPTY }
    }

    pub fn push(&mut self, counters: Counters) {
        if self.moments.is_multiple_of(self.spacing.max(1)) {
            let offset = u32::try_from(self.stream.len()).unwrap_or(u32::MAX);
            self.keyframes.push(Keyframe { offset, counters });
        } else {
            encode(&mut self.stream, self.last, counters);
        }
        self.last = counters;
        self.moments = self.moments.saturating_add(1);
    }

    /// The counters of a moment; of the last one when there are fewer.
    pub fn get(&self, moment: u32) -> Counters {
        self.from(moment).next().unwrap_or(self.last)
    }

    /// The counters of a moment and of all that follow.
    pub fn from(&self, moment: u32) -> impl Iterator<Item = Counters> + '_ {
        let spacing = self.spacing.max(1);
        let start = moment.min(self.moments) / spacing;
        let mut keyframes =
            usize::try_from(start).ok().and_then(|start| self.keyframes.get(start..)).into_iter().flatten();
        let mut stream: &[u8] = &[];
        let mut counters = Counters::default();
        let decoded = (start.saturating_mul(spacing)..self.moments).map(move |index| {
            if index.is_multiple_of(spacing) {
                if let Some(keyframe) = keyframes.next() {
                    counters = keyframe.counters;
                    let offset = usize::try_from(keyframe.offset).unwrap_or(usize::MAX);
                    stream = self.stream.get(offset..).unwrap_or_default();
                }
            } else {
                counters = decode(&mut stream, counters);
            }
            counters
        });
        decoded.skip(usize::try_from(moment % spacing).unwrap_or_default())
    }

    /// Everything but the stream as numbers, for [`CounterLog::from_numbers`].
    pub fn numbers(&self) -> Vec<u32> {
        let mut numbers = vec![self.spacing, self.moments];
        numbers.extend(self.last.to_array());
        for keyframe in &self.keyframes {
            numbers.push(keyframe.offset);
            numbers.extend(keyframe.counters.to_array());
        }
        numbers
    }

    pub fn stream(&self) -> &[u8] {
        &self.stream
    }

    /// A log from its numbers and its stream; `None` when they are too few.
    pub fn from_numbers(numbers: &[u32], stream: Vec<u8>) -> Option<Self> {
        let (&[spacing, moments], rest) = numbers.split_first_chunk()?;
        let (&last, rest) = rest.split_first_chunk()?;
        let keyframe = |numbers: &[u32]| {
            let (&offset, fields) = numbers.split_first()?;
            Some(Keyframe { offset, counters: Counters::from_array(*fields.first_chunk()?) })
        };
        let keyframes = rest.chunks(FIELDS + 1).map(keyframe).collect::<Option<_>>()?;
        Some(Self { spacing, moments, last: Counters::from_array(last), stream, keyframes })
    }

    pub fn bytes(&self) -> usize {
        self.stream.capacity() + self.keyframes.capacity() * size_of::<Keyframe>()
    }
}

fn encode(stream: &mut Vec<u8>, before: Counters, after: Counters) {
    let pairs = || before.to_array().into_iter().zip(after.to_array());
    let mask = pairs().enumerate().filter(|(_, (old, new))| old != new).fold(0_u16, |mask, (bit, _)| mask | 1 << bit);
    stream.extend(mask.to_le_bytes());
    for (old, new) in pairs().filter(|(old, new)| old != new) {
        // Modulo 2^32, so that every difference is a 32-bit number.
        let difference = new.wrapping_sub(old).cast_signed();
        let mut zigzag = ((difference << 1) ^ (difference >> 31)).cast_unsigned();
        while zigzag >= 0x80 {
            stream.push(zigzag.to_le_bytes()[0] | 0x80);
            zigzag >>= 7;
        }
        stream.push(zigzag.to_le_bytes()[0]);
    }
}

fn decode(stream: &mut &[u8], before: Counters) -> Counters {
    let mut byte = || {
        let (first, rest) = stream.split_first()?;
        *stream = rest;
        Some(*first)
    };
    let (Some(low), Some(high)) = (byte(), byte()) else { return before };
    let mask = u16::from_le_bytes([low, high]);
    let mut fields = before.to_array();
    for (bit, field) in fields.iter_mut().enumerate() {
        if mask & (1 << bit) == 0 {
            continue;
        }
        let mut zigzag = 0_u32;
        for shift in (0..32).step_by(7) {
            let Some(next) = byte() else { return before };
            zigzag |= u32::from(next & 0x7f) << shift;
            if next < 0x80 {
                break;
            }
        }
        let difference = (zigzag >> 1).cast_signed() ^ -(zigzag & 1).cast_signed();
        *field = field.wrapping_add(difference.cast_unsigned());
    }
    Counters::from_array(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_of_any_moment_are_those_that_were_written() {
        let written: Vec<Counters> = (0..1_000_u32)
            .map(|moment| Counters {
                desired: 130_000,
                available: 130_000 - moment * 97 % 13_001,
                terminating: moment % 3,
                max_surge: if moment > 500 { u32::MAX } else { 0 },
                ..Counters::default()
            })
            .collect();
        let mut log = CounterLog::new(32);
        for &counters in &written {
            log.push(counters);
        }
        for (moment, counters) in (0..).zip(&written) {
            assert_eq!(log.get(moment), *counters, "moment {moment}");
        }
        assert_eq!(log.from(333).collect::<Vec<_>>(), written[333..]);
        assert_eq!(log.get(5_000), written[999]);
        assert!(log.stream.len() < 10 * written.len(), "{} bytes", log.stream.len());
    }

    #[test]
    fn a_cut_stream_gives_counters_and_no_panic() {
        let mut log = CounterLog::new(4);
        for desired in 0..10 {
            log.push(Counters { desired, ..Counters::default() });
        }
        log.stream.truncate(5);
        assert_eq!(log.from(0).count(), 10);
        assert_eq!(CounterLog::EMPTY.get(3), Counters::default());
    }
}

use std::time::Duration;

use crate::sim::Distribution;

/// From so many pods on, times are taken to be log-normal; from fewer, to lie between the shortest and the longest.
const ENOUGH_FOR_A_TAIL: u32 = 8;

/// What was measured in a cluster, of what a play rests on.
///
/// A scenario file keeps it under `measured`. Where the file says nothing else, a play rests on it: pods take the times
/// measured, images have the median size and are pulled at the median rate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measured {
    /// From being bound to being ready, pulls of images apart where they were measured.
    pub pod_ready_after: Option<MeasuredTime>,
    /// From being deleted to being gone.
    pub pod_gone_after: Option<MeasuredTime>,
    /// The size of pulled images, bytes.
    pub image_bytes: Option<MeasuredNumber>,
    /// What a pull got, bytes a second.
    pub pull_bytes_per_second: Option<MeasuredNumber>,
}

/// A time that was measured several times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeasuredTime {
    /// How many times.
    pub count: u32,
    /// The shortest.
    pub least: Duration,
    /// Half took no longer.
    pub median: Duration,
    /// All but one in twenty took no longer.
    pub p95: Duration,
    /// The longest.
    pub most: Duration,
}

/// A number that was measured several times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeasuredNumber {
    /// How many times.
    pub count: u32,
    /// The smallest.
    pub least: u64,
    /// Half were no larger.
    pub median: u64,
    /// All but one in twenty were no larger.
    pub p95: u64,
    /// The largest.
    pub most: u64,
}

impl MeasuredTime {
    /// What times come to; nothing without any.
    pub fn of(mut times: Vec<Duration>) -> Option<Self> {
        times.sort_unstable();
        let (count, [least, median, p95, most]) = ranks(&times)?;
        Some(Self { count, least, median, p95, most })
    }

    /// How long further ones are taken to take.
    pub fn distribution(&self) -> Distribution {
        let Self { count, least, median, p95, most } = *self;
        if least == most {
            return Distribution::Constant(least);
        }
        if count >= ENOUGH_FOR_A_TAIL && !median.is_zero() && p95 > median {
            Distribution::LogNormal { median, p95 }
        } else {
            Distribution::Uniform { least, most }
        }
    }
}

impl MeasuredNumber {
    /// What numbers come to; nothing without any.
    pub fn of(mut numbers: Vec<u64>) -> Option<Self> {
        numbers.sort_unstable();
        let (count, [least, median, p95, most]) = ranks(&numbers)?;
        Some(Self { count, least, median, p95, most })
    }
}

/// How many values there are, and the first, the median, the 95th percentile and the last: each is one of the values
/// (nearest rank).
fn ranks<T: Copy>(sorted: &[T]) -> Option<(u32, [T; 4])> {
    let at = |percent: usize| sorted.get((sorted.len() * percent).div_ceil(100).max(1) - 1).copied();
    let count = u32::try_from(sorted.len()).unwrap_or(u32::MAX);
    Some((count, [*sorted.first()?, at(50)?, at(95)?, *sorted.last()?]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(seconds: &[u64]) -> Option<MeasuredTime> {
        MeasuredTime::of(seconds.iter().copied().map(Duration::from_secs).collect())
    }

    #[test]
    fn few_times_give_a_range_and_many_a_tail() {
        let seconds = Duration::from_secs;
        let few = times(&[9, 4, 6]).unwrap();
        assert_eq!(few.distribution(), Distribution::Uniform { least: seconds(4), most: seconds(9) });
        let many = times(&(1..=100).collect::<Vec<_>>()).unwrap();
        assert_eq!(many.distribution(), Distribution::LogNormal { median: seconds(50), p95: seconds(95) });
        assert_eq!(times(&[3; 20]).unwrap().distribution(), Distribution::Constant(seconds(3)));
        assert_eq!(times(&[]), None);
    }

    #[test]
    fn a_number_is_one_of_those_measured() {
        let number = MeasuredNumber::of(vec![30, 10, 20]).unwrap();
        assert_eq!(number, MeasuredNumber { count: 3, least: 10, median: 20, p95: 30, most: 30 });
    }
}

use std::time::Duration;

use super::percentile::rank;

/// How often a gap of which length was seen, over any number of plays. Lengths are whole seconds, rounded up; a sum of
/// counts, so that it does not matter in which order plays are added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GapCounts {
    /// Ascending by length.
    counts: Vec<(u32, u64)>,
}

impl GapCounts {
    /// Counts the gaps of one play; they must be ascending.
    pub(super) fn of(ascending: &[Duration]) -> Self {
        let mut counts: Vec<(u32, u64)> = Vec::new();
        for gap in ascending {
            let seconds = whole_seconds(*gap);
            match counts.last_mut().filter(|(last, _)| *last == seconds) {
                Some((_, count)) => *count += 1,
                None => counts.push((seconds, 1)),
            }
        }
        Self { counts }
    }

    /// Adds what another play saw.
    pub(super) fn add(&mut self, other: &Self) {
        for &(seconds, count) in &other.counts {
            let place = self.counts.partition_point(|(known, _)| *known < seconds);
            match self.counts.get_mut(place).filter(|(known, _)| *known == seconds) {
                Some((_, total)) => *total = total.saturating_add(count),
                None => self.counts.insert(place, (seconds, count)),
            }
        }
    }

    /// How many gaps there are.
    pub fn count(&self) -> u64 {
        self.counts.iter().fold(0, |sum, (_, count)| sum.saturating_add(*count))
    }

    /// The length that so many percent of the gaps do not exceed, by nearest rank, in whole seconds rounded up; absent
    /// where there are none.
    pub fn percentile(&self, percent: u32) -> Option<Duration> {
        let rank = rank(self.count(), percent);
        let mut seen = 0_u64;
        let reached = self.counts.iter().find(|(_, count)| {
            seen = seen.saturating_add(*count);
            seen >= rank
        });
        reached.map(|(seconds, _)| Duration::from_secs(u64::from(*seconds)))
    }
}

fn whole_seconds(time: Duration) -> u32 {
    let up = u64::from(time.subsec_nanos() > 0);
    u32::try_from(time.as_secs().saturating_add(up)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(seconds: &[u64]) -> GapCounts {
        GapCounts::of(&seconds.iter().map(|second| Duration::from_secs(*second)).collect::<Vec<_>>())
    }

    #[test]
    fn added_plays_have_the_percentiles_of_all_their_gaps_together() {
        let mut sum = counts(&[1, 1, 4, 9]);
        sum.add(&counts(&[2, 4, 4]));
        sum.add(&counts(&[]));
        assert_eq!(sum, counts(&[1, 1, 2, 4, 4, 4, 9]));
        assert_eq!(sum.count(), 7);
        assert_eq!(sum.percentile(50), Some(Duration::from_secs(4)));
        assert_eq!(sum.percentile(95), Some(Duration::from_secs(9)));
        assert_eq!(GapCounts::default().percentile(50), None);
    }

    #[test]
    fn the_order_of_plays_does_not_matter() {
        let plays = [counts(&[3, 8]), counts(&[1]), counts(&[3, 3, 90])];
        let mut forwards = GapCounts::default();
        let mut backwards = GapCounts::default();
        for play in &plays {
            forwards.add(play);
        }
        for play in plays.iter().rev() {
            backwards.add(play);
        }
        assert_eq!(forwards, backwards);
    }

    #[test]
    fn a_started_second_counts_whole() {
        let gaps = GapCounts::of(&[Duration::from_millis(1), Duration::from_millis(1001)]);
        assert_eq!(gaps.percentile(50), Some(Duration::from_secs(1)));
        assert_eq!(gaps.percentile(100), Some(Duration::from_secs(2)));
    }
}

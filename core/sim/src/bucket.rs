use rollcast_engine::time::Timestamp;

/// A token bucket, by the time at which it will be full again (the generic cell rate algorithm): microseconds times
/// the rate, so that nothing is rounded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bucket {
    full_at: i128,
}

impl Default for Bucket {
    /// A full one.
    fn default() -> Self {
        Self { full_at: i128::MIN >> 1 }
    }
}

impl Bucket {
    /// When something may pass that comes at a moment.
    pub fn admit(&mut self, at: Timestamp, per_second: u32, burst: u32) -> Timestamp {
        const TOKEN: i128 = 1_000_000;
        if per_second == 0 {
            return at;
        }
        let rate = i128::from(per_second);
        let now = i128::from(at.as_micros()) * rate;
        let passes = now.max(self.full_at - i128::from(burst.max(1) - 1) * TOKEN);
        self.full_at = self.full_at.max(passes) + TOKEN;
        let micros = passes.div_euclid(rate) + i128::from(passes.rem_euclid(rate) != 0);
        Timestamp::from_micros(i64::try_from(micros).unwrap_or(i64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_bucket_lets_a_burst_pass_and_then_one_after_the_other() {
        let mut bucket = Bucket::default();
        let start = Timestamp::from_seconds(1_000);
        let after = |at: Timestamp| at.saturating_since(start).as_millis();
        let passes: Vec<u128> = (0..6).map(|_| after(bucket.admit(start, 20, 3))).collect();
        assert_eq!(passes, [0, 0, 0, 50, 100, 150]);
        let later = start.saturating_add(Duration::from_secs(10));
        let passes: Vec<u128> = (0..4).map(|_| after(bucket.admit(later, 20, 3))).collect();
        assert_eq!(passes, [10_000, 10_000, 10_000, 10_050], "a pause fills it, to the brim and no further");
        assert_eq!(bucket.admit(start, 0, 0), start, "no limit");
    }

    #[test]
    fn a_rate_that_divides_no_second_is_kept_exactly() {
        let mut bucket = Bucket::default();
        let last = (0..=3_000).map(|_| bucket.admit(Timestamp::default(), 3, 1)).last();
        assert_eq!(last, Some(Timestamp::from_seconds(1_000)));
    }
}

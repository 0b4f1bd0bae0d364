//! Percentiles by nearest rank: always a value that was seen, the same one on every target.

/// The value at or below which so many percent of an ascending list are; absent of an empty list.
pub(super) fn percentile<T: Copy>(ascending: &[T], percent: u32) -> Option<T> {
    let count = u64::try_from(ascending.len()).unwrap_or(u64::MAX);
    let rank = rank(count, percent);
    ascending.get(usize::try_from(rank.saturating_sub(1)).ok()?).copied()
}

/// The rank, from 1, of a percentile among so many values.
pub(super) fn rank(count: u64, percent: u32) -> u64 {
    count.saturating_mul(u64::from(percent)).div_ceil(100).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_a_value_of_the_list() {
        let list: Vec<u32> = (1..=20).collect();
        assert_eq!(percentile(&list, 50), Some(10));
        assert_eq!(percentile(&list, 90), Some(18));
        assert_eq!(percentile(&list, 95), Some(19));
        assert_eq!(percentile(&list, 5), Some(1));
        assert_eq!(percentile(&list, 100), Some(20));
        assert_eq!(percentile(&[7], 5), Some(7));
        assert_eq!(percentile(&[7], 95), Some(7));
        assert_eq!(percentile::<u32>(&[], 50), None);
    }
}

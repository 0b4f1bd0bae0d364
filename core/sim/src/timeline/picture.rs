//! The picture of a timeline as bytes: how it crosses from the page's worker to the page.
//!
//! Names of nodes, decisions and marks stay behind. Both ends are the same build, so the bytes carry no version and are
//! not for keeping. Columns of numbers are a length and then the numbers, each four bytes, little-endian.

use super::Timeline;
use crate::counters::CounterLog;

impl Timeline {
    /// Times, tiles and counters as bytes, for [`Timeline::from_picture`].
    pub fn to_picture(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let halves = |at: &u64| [low(*at), low(*at >> u32::BITS)];
        put(&mut bytes, &self.at.iter().flat_map(halves).collect::<Vec<_>>());
        put(&mut bytes, &self.last_change);
        put(&mut bytes, &self.first_change);
        put(&mut bytes, &self.change_node);
        put(&mut bytes, &self.change_before);
        put(&mut bytes, &self.counters.numbers());
        for column in [self.counters.stream(), &self.initial, &self.change_tile] {
            put(&mut bytes, &[super::number(column.len())]);
            bytes.extend_from_slice(column);
        }
        bytes
    }

    /// A timeline without names, decisions and marks; `None` for bytes that are no picture.
    pub fn from_picture(mut bytes: &[u8]) -> Option<Self> {
        let from = &mut bytes;
        let halves = take(from)?;
        let (pairs, _) = halves.as_chunks::<2>();
        let at = pairs.iter().map(|[low, high]| u64::from(*low) | u64::from(*high) << u32::BITS).collect();
        let [last_change, first_change, change_node, change_before, numbers] =
            [take(from)?, take(from)?, take(from)?, take(from)?, take(from)?];
        let [stream, initial, change_tile] = [take_small(from)?, take_small(from)?, take_small(from)?];
        let counters = CounterLog::from_numbers(&numbers, stream)?;
        let tiles = Self { initial, last_change, at, first_change, ..Self::default() };
        Some(Self { counters, change_node, change_tile, change_before, ..tiles })
    }
}

// Once, and not at each of the columns.
#[inline(never)]
fn put(bytes: &mut Vec<u8>, column: &[u32]) {
    bytes.extend(super::number(column.len()).to_le_bytes());
    bytes.extend(column.iter().flat_map(|number| number.to_le_bytes()));
}

#[inline(never)]
fn take(from: &mut &[u8]) -> Option<Vec<u32>> {
    let (length, rest) = from.split_first_chunk()?;
    let length = super::index(u32::from_le_bytes(*length)).checked_mul(size_of::<u32>())?;
    let (column, rest) = rest.split_at_checked(length)?;
    *from = rest;
    let (numbers, _) = column.as_chunks();
    Some(numbers.iter().map(|number| u32::from_le_bytes(*number)).collect())
}

#[inline(never)]
fn take_small(from: &mut &[u8]) -> Option<Vec<u8>> {
    let length = super::index(*take(from)?.first()?);
    let (column, rest) = from.split_at_checked(length)?;
    *from = rest;
    Some(column.to_vec())
}

#[expect(clippy::cast_possible_truncation, reason = "the other half is kept beside it")]
const fn low(number: u64) -> u32 {
    number as u32
}

#[cfg(test)]
mod tests {
    use super::super::tests::one_at_a_time;
    use super::*;

    #[test]
    fn a_picture_shows_every_moment_as_the_timeline_does() {
        let timeline = one_at_a_time(50);
        let picture = Timeline::from_picture(&timeline.to_picture()).unwrap();
        assert_eq!((picture.len(), picture.node_count()), (timeline.len(), timeline.node_count()));
        for moment in 0..timeline.len() {
            let (shown, played) = (picture.state_at(moment), timeline.state_at(moment));
            assert_eq!((shown.at(), shown.counters), (played.at(), played.counters));
            assert!(shown.tiles().eq(played.tiles()), "moment {moment}");
        }
    }

    #[test]
    fn a_picture_that_is_cut_short_is_none() {
        let bytes = one_at_a_time(3).to_picture();
        for length in 0..bytes.len() {
            assert_eq!(Timeline::from_picture(&bytes[..length]), None, "{length} of {} bytes", bytes.len());
        }
    }
}

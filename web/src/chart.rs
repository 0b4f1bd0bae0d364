//! Figures and steps of the timeline's picture: pure, no canvas.

use rollcast_core::sim::Timeline;

use crate::model::{LAYERS, layers};

/// Distances between ticks that read well, in seconds.
const TICKS: [u32; 16] = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 21_600, 86_400];

/// Moments on the axis so that labels stand at least so many pixels apart.
pub fn ticks(ends_at: u32, width: f64, apart: f64) -> impl Iterator<Item = u32> {
    let room = (width / apart).max(1.0);
    let step = TICKS.into_iter().find(|step| f64::from(ends_at) / f64::from(*step) <= room);
    let step = step.unwrap_or_else(|| 86_400 * (ends_at / 86_400 / 8).max(1));
    (0..=ends_at / step).map(move |tick| tick * step)
}

/// A second of the rollout as a clock shows it: `4:12`, `1:04:12`.
pub fn clock(seconds: u32) -> String {
    let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

/// The stacked picture of a rollout at a width.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// The layers of each column of pixels, each showing what held at its left edge.
    pub layers: Vec<[u32; LAYERS]>,
    /// The highest stack at any moment.
    pub most: u32,
}

/// Draws a rollout together into so many columns.
pub fn columns(timeline: &Timeline, width: u32) -> Columns {
    let ends_at = milliseconds(timeline, timeline.len().saturating_sub(1)).max(1);
    let mut columns = Columns::default();
    let mut shown = [0; LAYERS];
    for (moment, counters) in (0..).zip(timeline.counters_from(0)) {
        if moment > 0 {
            // The first column whose left edge is not before the moment.
            let first = (milliseconds(timeline, moment) * u64::from(width)).div_ceil(ends_at);
            columns.layers.resize(usize::try_from(first).unwrap_or(usize::MAX).min(width as usize), shown);
        }
        shown = layers(&counters);
        columns.most = columns.most.max(shown.iter().sum());
    }
    columns.layers.resize(width as usize, shown);
    columns
}

/// When a moment is, since the start.
fn milliseconds(timeline: &Timeline, moment: u32) -> u64 {
    let at = timeline.at(moment);
    at.as_secs() * 1_000 + u64::from(at.subsec_millis())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_never_crowd() {
        assert!(ticks(700, 1_000.0, 80.0).eq((0..=11).map(|minute| minute * 60)));
        for ends_at in [0, 1, 59, 700, 7_200, 400_000, u32::MAX] {
            let ticks: Vec<_> = ticks(ends_at, 1_000.0, 80.0).collect();
            assert!(!ticks.is_empty() && ticks.len() <= 20, "{ends_at}: {}", ticks.len());
            assert!(ticks.iter().all(|tick| *tick <= ends_at));
        }
    }

    #[test]
    fn a_column_shows_what_holds_at_its_left_edge_and_the_highest_stack_is_that_of_any_moment() {
        let (summary, body) = crate::fixture::rollout(5, 2);
        let timeline = crate::model::Rollout::from_bytes(&body, summary).unwrap().timeline;
        let ends_at = u128::from(timeline.at(timeline.len() - 1).as_secs()) * 1_000;
        for width in [1, 7, 100, 2_000] {
            let Columns { layers: columns, most } = columns(&timeline, width);
            assert_eq!((columns.len(), most), (width as usize, 5));
            for (column, shown) in (0_u32..).zip(columns) {
                let left = u128::from(column) * ends_at / u128::from(width);
                let moment = (0..timeline.len()).rev().find(|moment| timeline.at(*moment).as_millis() <= left);
                assert_eq!(shown, layers(&timeline.state_at(moment.unwrap()).counters), "{column} of {width}");
            }
        }
    }

    #[test]
    fn a_clock_has_hours_only_where_it_needs_them() {
        assert_eq!((clock(0), clock(252), clock(3_852)), ("0:00".into(), "4:12".into(), "1:04:12".into()));
    }
}

//! Figures and steps of the timeline's picture: pure, no canvas.

use rollcast_core::sim::Timeline;

use crate::model::{LAYERS, layers};

/// Distances between ticks that read well, in seconds.
const TICKS: [u32; 16] = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 21_600, 86_400];

/// Moments on the axis so that labels stand at least so many pixels apart.
pub fn ticks(ends_at: u32, width: f64, apart: f64) -> Vec<u32> {
    let room = (width / apart).max(1.0);
    let step = TICKS
        .into_iter()
        .find(|step| f64::from(ends_at) / f64::from(*step) <= room)
        .unwrap_or_else(|| 86_400 * (ends_at / 86_400 / 8).max(1));
    (0..=ends_at / step).map(|tick| tick * step).collect()
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
    let moments = (0..timeline.len()).map(|moment| timeline.at(moment).as_millis());
    let mut moments = moments.zip(timeline.counters_from(0)).map(|(at, counters)| (at, layers(&counters))).peekable();
    let ends_at = timeline.at(timeline.len().saturating_sub(1)).as_millis().max(1);
    let height = |layers: &[u32; LAYERS]| layers.iter().sum::<u32>();
    let mut shown = moments.peek().map_or([0; LAYERS], |(_, layers)| *layers);
    let mut most = height(&shown);
    let mut columns = Vec::with_capacity(width as usize);
    for column in 0..width {
        let at = u128::from(column) * ends_at / u128::from(width);
        while let Some((_, layers)) = moments.next_if(|(moment, _)| *moment <= at) {
            most = most.max(height(&layers));
            shown = layers;
        }
        columns.push(shown);
    }
    most = moments.map(|(_, layers)| height(&layers)).fold(most, u32::max);
    Columns { layers: columns, most }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_never_crowd() {
        assert_eq!(ticks(700, 1_000.0, 80.0), (0..=11).map(|minute| minute * 60).collect::<Vec<_>>());
        for ends_at in [0, 1, 59, 700, 7_200, 400_000, u32::MAX] {
            let ticks = ticks(ends_at, 1_000.0, 80.0);
            assert!(!ticks.is_empty() && ticks.len() <= 20, "{ends_at}: {}", ticks.len());
            assert!(ticks.iter().all(|tick| *tick <= ends_at));
        }
    }

    #[test]
    fn a_clock_has_hours_only_where_it_needs_them() {
        assert_eq!((clock(0), clock(252), clock(3_852)), ("0:00".into(), "4:12".into(), "1:04:12".into()));
    }
}

use std::time::Duration;

use rollcast_engine::time::micros;
use serde::{Deserialize, Serialize};

use crate::random::{mixed, unit};

/// How long something takes: always the same, or drawn anew every time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Distribution {
    /// Always so long.
    Constant(Duration),
    /// Anything between two times, all equally likely.
    Uniform {
        /// The shortest.
        least: Duration,
        /// The longest.
        most: Duration,
    },
    /// Mostly about the median, seldom far more: how start-up times look in practice.
    LogNormal {
        /// Half take longer.
        median: Duration,
        /// One in twenty takes longer.
        p95: Duration,
    },
}

/// The 95th percentile of the standard normal distribution.
const Z95: f64 = 1.644_853_626_951_472_7;

/// No draw is longer: a log-normal distribution has no end of its own.
const LONGEST: Duration = Duration::from_hours(24 * 365);

impl Distribution {
    /// Nothing takes any time.
    pub const ZERO: Self = Self::Constant(Duration::ZERO);

    /// One draw, in whole microseconds, from 64 random bits.
    pub(crate) fn draw(self, bits: u64) -> Duration {
        match self {
            Self::Constant(time) => time,
            Self::Uniform { least, most } => {
                let (least, most) = (micros(least), micros(most));
                // The high half of the product maps 64 bits onto the span without a division.
                let span = u128::from(most.saturating_sub(least)) + 1;
                let part = (u128::from(bits) * span) >> 64;
                Duration::from_micros(least.saturating_add(u64::try_from(part).unwrap_or(u64::MAX)))
            }
            Self::LogNormal { median, p95 } => {
                let (median, p95) = (seconds(median), seconds(p95));
                let sigma = if median > 0.0 && p95 > median { libm::log(p95 / median) / Z95 } else { 0.0 };
                from_seconds(median * libm::exp(sigma * standard_normal(bits)))
            }
        }
    }

    /// Half of the draws are longer.
    pub fn median(self) -> Duration {
        match self {
            Self::Constant(time) | Self::LogNormal { median: time, .. } => time,
            Self::Uniform { least, most } => least.saturating_add(most) / 2,
        }
    }

    /// One draw in twenty is longer.
    pub fn p95(self) -> Duration {
        match self {
            Self::Constant(time) | Self::LogNormal { p95: time, .. } => time,
            Self::Uniform { least, most } => least.saturating_add(most.saturating_sub(least).saturating_mul(19) / 20),
        }
    }

    /// Whether every draw is the same.
    pub fn is_constant(self) -> bool {
        match self {
            Self::Constant(_) => true,
            Self::Uniform { least: one, most: other } | Self::LogNormal { median: one, p95: other } => one == other,
        }
    }
}

impl From<Duration> for Distribution {
    fn from(time: Duration) -> Self {
        Self::Constant(time)
    }
}

/// A draw from the standard normal distribution (Box and Muller), with the same bits on every target.
fn standard_normal(bits: u64) -> f64 {
    // From above 0 up to 1: the logarithm of 0 is infinite.
    let radius = libm::sqrt(-2.0 * libm::log(1.0 - unit(bits)));
    let angle = std::f64::consts::TAU * unit(mixed(bits));
    // It is never above a full turn. As whole numbers, which is how the compiler knows it too: what cosines of large
    // angles take is left out then.
    let angle = f64::from_bits(angle.to_bits().min(std::f64::consts::TAU.to_bits()));
    radius * libm::cos(angle)
}

#[expect(clippy::cast_precision_loss, reason = "below a nanosecond in a day")]
fn seconds(time: Duration) -> f64 {
    micros(time) as f64 / 1e6
}

/// Rounded to whole microseconds at once, so that from here on only integers are added and compared.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the range first")]
fn from_seconds(time: f64) -> Duration {
    Duration::from_micros((time.clamp(0.0, seconds(LONGEST)) * 1e6) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, Random};

    fn draws(distribution: Distribution) -> Vec<Duration> {
        let mut draws: Vec<Duration> =
            (0..20_000).map(|n| distribution.draw(Random::new(3).bits(Purpose::Ready, 0, n))).collect();
        draws.sort_unstable();
        draws
    }

    fn close(measured: Duration, wanted: Duration) -> bool {
        measured.abs_diff(wanted) < wanted / 30
    }

    #[test]
    fn a_log_normal_time_has_the_median_and_the_tail_that_were_asked_for() {
        let (median, p95) = (Duration::from_secs(20), Duration::from_secs(70));
        let draws = draws(Distribution::LogNormal { median, p95 });
        assert!(close(draws[10_000], median), "{:?}", draws[10_000]);
        assert!(close(draws[19_000], p95), "{:?}", draws[19_000]);
    }

    #[test]
    fn a_uniform_time_keeps_to_its_bounds_and_reaches_them() {
        let (least, most) = (Duration::from_secs(2), Duration::from_secs(4));
        let draws = draws(Distribution::Uniform { least, most });
        assert!(draws[0] >= least && draws[19_999] <= most);
        assert!(close(draws[0], least) && close(draws[10_000], Duration::from_secs(3)) && close(draws[19_999], most));
    }

    #[test]
    fn impossible_parameters_still_give_a_time() {
        let zero = Duration::ZERO;
        let largest = Duration::from_micros(u64::MAX);
        for bits in [0, 1, u64::MAX] {
            assert_eq!(Distribution::LogNormal { median: zero, p95: zero }.draw(bits), zero);
            assert!(Distribution::LogNormal { median: largest, p95: largest }.draw(bits) <= LONGEST);
            assert!(Distribution::Uniform { least: largest, most: zero }.draw(bits) >= largest);
        }
    }
}

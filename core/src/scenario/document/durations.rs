use std::time::Duration;

use super::fields::{Here, Reader};
use crate::api::Text;
use crate::json::number_text;
use crate::manifest::{ScenarioProblem, TreeValue};
use crate::sim::Distribution;
use serde_json::{Value, json};

/// No length of time in a scenario is longer.
pub(super) const LONGEST_DAYS: u32 = 365;
const LONGEST: Duration = Duration::from_hours(24 * LONGEST_DAYS as u64);

/// Units of time as Go writes them, with their microseconds.
const UNITS: [(&str, u64); 6] =
    [("h", 3_600_000_000), ("m", 60_000_000), ("s", 1_000_000), ("ms", 1000), ("us", 1), ("µs", 1)];

/// Why a text is no length of time that can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DurationFault {
    /// It is written otherwise.
    Malformed,
    /// It is below zero.
    Negative,
    /// It is too long, or finer than a microsecond.
    OutOfRange,
}

/// Reads `1h30m`, `2m`, `10s`, `1.5s`, `250ms`, `0s`: numbers with units, as Go's `time.ParseDuration` takes them.
pub fn parse_duration(text: &str) -> Result<Duration, DurationFault> {
    let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let mut rest = text;
    let mut micros: u64 = 0;
    if rest.is_empty() {
        return Err(DurationFault::Malformed);
    }
    if rest == "0" {
        return Ok(Duration::ZERO);
    }
    while !rest.is_empty() {
        let length = rest.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
        let (number, behind) = rest.split_at_checked(length).ok_or(DurationFault::Malformed)?;
        let length = behind.find(|next: char| next.is_ascii_digit() || next == '.').unwrap_or(behind.len());
        let (unit, behind) = behind.split_at_checked(length).ok_or(DurationFault::Malformed)?;
        let (_, unit) = UNITS.iter().find(|(name, _)| *name == unit).ok_or(DurationFault::Malformed)?;
        micros = micros.saturating_add(in_micros(number, *unit)?);
        rest = behind;
    }
    match Duration::from_micros(micros) {
        length if length > LONGEST => Err(DurationFault::OutOfRange),
        length if negative && !length.is_zero() => Err(DurationFault::Negative),
        length => Ok(length),
    }
}

/// `1.5` of a unit.
fn in_micros(number: &str, unit: u64) -> Result<u64, DurationFault> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if (whole.is_empty() && fraction.is_empty()) || fraction.contains('.') {
        return Err(DurationFault::Malformed);
    }
    // From the last digit on: what a tenth leaves over anywhere is finer than a microsecond.
    let mut micros = 0;
    for digit in fraction.bytes().rev() {
        let tenths = u64::from(digit - b'0') * unit + micros;
        if !tenths.is_multiple_of(10) {
            return Err(DurationFault::OutOfRange);
        }
        micros = tenths / 10;
    }
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().map_err(|_| DurationFault::OutOfRange)? };
    Ok(whole.saturating_mul(unit).saturating_add(micros))
}

/// Writes a length of time in whole numbers of units: `1h30m`, `1s500ms`, `0s`. What is finer than a microsecond goes.
pub fn duration_text(duration: Duration) -> String {
    let (seconds, micros) = (duration.as_secs(), u64::from(duration.subsec_micros()));
    let mut text = String::new();
    for (count, unit) in [
        (seconds / 3600, "h"),
        (seconds / 60 % 60, "m"),
        (seconds % 60, "s"),
        (micros / 1000, "ms"),
        (micros % 1000, "us"),
    ] {
        if count > 0 {
            text.extend([&count.to_string(), unit]);
        }
    }
    if text.is_empty() { "0s".to_owned() } else { text }
}

impl<'t> Reader<'t> {
    /// A length of time.
    pub fn duration(&mut self, here: &Here<'t>) -> Option<Duration> {
        self.duration_or(here, ScenarioProblem::NegativeDuration)
    }

    /// A length of time; one below zero is what `below_zero` says.
    pub fn duration_or(&mut self, here: &Here<'t>, below_zero: ScenarioProblem) -> Option<Duration> {
        let written = match &here.tree.value {
            TreeValue::Number(number) => Text::from(number_text(number)),
            _ => self.text(here)?,
        };
        match parse_duration(&written) {
            Ok(duration) => return Some(duration),
            Err(DurationFault::Malformed) => self.report(here, ScenarioProblem::NotADuration { written }),
            Err(DurationFault::Negative) => self.report(here, below_zero),
            Err(DurationFault::OutOfRange) => {
                self.report(here, ScenarioProblem::DurationOutOfRange { days: LONGEST_DAYS });
            }
        }
        None
    }

    /// How long something takes: `10s`, `{least: 5s, most: 20s}` or `{median: 10s, p95: 40s}`.
    pub fn distribution(&mut self, here: &Here<'t>) -> Option<Distribution> {
        if !matches!(here.tree.value, TreeValue::Mapping(_)) {
            return self.duration(here).map(Distribution::Constant);
        }
        let keys = self.keys(here, &["least", "most", "median", "p95"])?;
        let first = |names: [&'static str; 2]| names.into_iter().find_map(|name| Some((name, keys.given(name)?)));
        match (first(["least", "most"]), first(["median", "p95"])) {
            (Some((_, uniform)), Some((other, _))) => {
                self.report(&uniform, ScenarioProblem::Excludes { other: Text::new_static(other) });
                None
            }
            (Some(_), None) => {
                let (least, most) = self.two_durations(&keys, "least", "most")?;
                if least > most {
                    self.report(here, ScenarioProblem::LeastAboveMost);
                    return None;
                }
                Some(Distribution::Uniform { least, most })
            }
            (None, Some(_)) => {
                let (median, p95) = self.two_durations(&keys, "median", "p95")?;
                if p95 < median {
                    self.report(here, ScenarioProblem::P95BelowMedian);
                    return None;
                }
                if median.is_zero() {
                    self.report(here, ScenarioProblem::MedianIsZero);
                    return None;
                }
                Some(Distribution::LogNormal { median, p95 })
            }
            (None, None) => {
                self.report(here, ScenarioProblem::MissingOneOf { keys: &["least", "median"] });
                None
            }
        }
    }

    fn two_durations(
        &mut self,
        keys: &super::fields::Keys<'t>,
        one: &'static str,
        other: &'static str,
    ) -> Option<(Duration, Duration)> {
        let one = self.required(keys, one).and_then(|here| self.duration(&here));
        let other = self.required(keys, other).and_then(|here| self.duration(&here));
        one.zip(other)
    }
}

/// A distribution as the document writes it.
pub(super) fn distribution_json(distribution: Distribution) -> Value {
    match distribution {
        Distribution::Constant(time) => duration_text(time).into(),
        Distribution::Uniform { least, most } => json!({"least": duration_text(least), "most": duration_text(most)}),
        Distribution::LogNormal { median, p95 } => json!({"median": duration_text(median), "p95": duration_text(p95)}),
    }
}

/// A distribution on one line, in the words of the document: `10s`, `least 5s, most 20s`, `median 10s, p95 40s`.
pub fn distribution_text(distribution: Distribution) -> String {
    match distribution {
        Distribution::Constant(time) => duration_text(time),
        Distribution::Uniform { least, most } => {
            format!("least {}, most {}", duration_text(least), duration_text(most))
        }
        Distribution::LogNormal { median, p95 } => {
            format!("median {}, p95 {}", duration_text(median), duration_text(p95))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_time_are_read_as_go_writes_them() {
        let read = |text| parse_duration(text).map(|length| length.as_micros());
        assert_eq!(read("10s"), Ok(10_000_000));
        assert_eq!(read("1h30m"), Ok(5_400_000_000));
        assert_eq!(read("1m30.5s"), Ok(90_500_000));
        assert_eq!(read(".5ms"), Ok(500));
        assert_eq!(read("0.9990234375h"), Ok(3_596_484_375));
        assert_eq!(read("1.2500000000000000000000s"), Ok(1_250_000));
        assert_eq!(read("0s"), Ok(0));
        assert_eq!(read("-0s"), Ok(0));
        assert_eq!(read("0"), Ok(0));
        assert_eq!(read("8760h"), Ok(365 * 86_400 * 1_000_000));
        for text in ["", "-", "10", "s", "1d", "1 s", "1.s.", "1..5s", "ten", "1e3s", "+1s"] {
            assert_eq!(read(text), Err(DurationFault::Malformed), "{text}");
        }
        assert_eq!(read("-1s"), Err(DurationFault::Negative));
        let nines = "9".repeat(60) + "h";
        for text in ["8761h", "0.0000001s", nines.as_str()] {
            assert_eq!(read(text), Err(DurationFault::OutOfRange), "{text}");
        }
    }

    #[test]
    fn a_written_length_of_time_reads_back_the_same() {
        for micros in [0, 1, 999, 1000, 1_500_000, 61_000_000, 3_600_000_000, 86_399_999_999] {
            let length = Duration::from_micros(micros);
            assert_eq!(parse_duration(&duration_text(length)), Ok(length), "{}", duration_text(length));
        }
        assert_eq!(duration_text(Duration::from_millis(5_401_250)), "1h30m1s250ms");
    }
}

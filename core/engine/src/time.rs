//! Moments and lengths of time as integers.

use std::fmt;
use std::time::Duration;

use serde::{Serialize, Serializer};

use crate::json::{Cursor, JsonError, Read, deserialize};

/// A moment: whole microseconds since 1970-01-01T00:00:00Z.
///
/// Text form is RFC 3339, as `metav1.Time` and `metav1.MicroTime` write it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The moment so many microseconds after 1970-01-01T00:00:00Z.
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// The moment so many seconds after 1970-01-01T00:00:00Z; saturates at the ends of the range.
    pub const fn from_seconds(seconds: i64) -> Self {
        Self(seconds.saturating_mul(1_000_000))
    }

    /// Microseconds since 1970-01-01T00:00:00Z.
    pub const fn as_micros(self) -> i64 {
        self.0
    }

    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down, as `metav1.Time` keeps them.
    pub const fn as_seconds(self) -> i64 {
        self.0.div_euclid(1_000_000)
    }

    /// The same moment without its fraction of a second, as the API server stores it.
    #[must_use]
    pub const fn truncate_to_seconds(self) -> Self {
        Self::from_seconds(self.as_seconds())
    }

    /// This moment and `duration` more; saturates.
    #[must_use]
    pub fn saturating_add(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(i64::try_from(micros(duration)).unwrap_or(i64::MAX)))
    }

    /// How long ago `earlier` was; zero when it lies ahead.
    pub fn saturating_since(self, earlier: Self) -> Duration {
        Duration::from_micros(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }

    /// Reads RFC 3339 text, as Go does: years from 0 to 9999, no leap seconds. What is finer than a microsecond is
    /// dropped.
    pub fn parse(text: &str) -> Option<Self> {
        let mut rest = text.as_bytes();
        let year = digits(&mut rest, 4, 9999)?;
        byte(&mut rest, b'-')?;
        let month = digits(&mut rest, 2, 12).filter(|month| *month > 0)?;
        byte(&mut rest, b'-')?;
        let day = digits(&mut rest, 2, days_in_month(year, month)).filter(|day| *day > 0)?;
        byte(&mut rest, b'T')?;
        let hour = digits(&mut rest, 2, 23)?;
        byte(&mut rest, b':')?;
        let minute = digits(&mut rest, 2, 59)?;
        byte(&mut rest, b':')?;
        let second = digits(&mut rest, 2, 59)?;
        let micros = if byte(&mut rest, b'.').is_some() { fraction(&mut rest)? } else { 0 };
        let offset = offset(&mut rest)?;
        if !rest.is_empty() {
            return None;
        }
        let seconds = days_from_epoch(year, month, day) * 86400 + hour * 3600 + minute * 60 + second - offset;
        Some(Self(seconds * 1_000_000 + micros))
    }
}

/// A length of time in whole microseconds, as many as there can be at most. `Duration::as_micros` computes with 128 bits,
/// which WebAssembly has no instruction for.
pub const fn micros(length: Duration) -> u64 {
    const SECOND: u64 = 1_000_000;
    let seconds = length.as_secs();
    if seconds >= u64::MAX / SECOND { u64::MAX } else { seconds * SECOND + length.subsec_micros() as u64 }
}

/// So many digits, when they are a number up to `most`.
fn digits(rest: &mut &[u8], count: usize, most: i64) -> Option<i64> {
    let (digits, behind) = rest.split_at_checked(count)?;
    let mut value = 0;
    for digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        value = value * 10 + i64::from(digit - b'0');
    }
    *rest = behind;
    (value <= most).then_some(value)
}

fn byte(rest: &mut &[u8], wanted: u8) -> Option<()> {
    *rest = rest.strip_prefix(&[wanted])?;
    Some(())
}

/// One digit or more, as millionths.
fn fraction(rest: &mut &[u8]) -> Option<i64> {
    let mut unit = 100_000;
    let mut micros = digits(rest, 1, 9)? * unit;
    while let Some(digit) = digits(rest, 1, 9) {
        unit /= 10;
        micros += digit * unit;
    }
    Some(micros)
}

/// `Z`, or hours and minutes east of Greenwich; in seconds.
fn offset(rest: &mut &[u8]) -> Option<i64> {
    if byte(rest, b'Z').is_some() {
        return Some(0);
    }
    let sign = if byte(rest, b'-').is_some() { -1 } else { byte(rest, b'+').map(|()| 1)? };
    let hours = digits(rest, 2, 23)?;
    byte(rest, b':')?;
    Some(sign * (hours * 3600 + digits(rest, 2, 59)? * 60))
}

fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

// A year that starts in March has its leap day at its end, and its months' lengths repeat every five: 153 days.

/// Days of the first of March of year 0 before 1970-01-01.
const DAYS_BEFORE_EPOCH: i64 = 719_468;
const DAYS_IN_400_YEARS: i64 = 146_097;

/// Days since 1970-01-01, in the Gregorian calendar.
fn days_from_epoch(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    year * 365 + leap_days + (month * 153 + 2) / 5 + day - 1 - DAYS_BEFORE_EPOCH
}

/// Year, month and day of so many days since 1970-01-01.
fn date(days: i64) -> (i64, i64, i64) {
    let days = days + DAYS_BEFORE_EPOCH;
    let day = days.rem_euclid(DAYS_IN_400_YEARS);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (year * 365 + year / 4 - year / 100);
    let year = year + days.div_euclid(DAYS_IN_400_YEARS) * 400;
    let month = (day * 5 + 2) / 153;
    let day = day - (month * 153 + 2) / 5 + 1;
    if month < 10 { (year, month + 3, day) } else { (year + 1, month - 9, day) }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.as_seconds();
        let (year, month, day) = date(seconds.div_euclid(86400));
        if !(0..=9999).contains(&year) {
            // RFC 3339 cannot write it.
            return write!(formatter, "{}us", self.0);
        }
        let second = seconds.rem_euclid(86400);
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        write!(formatter, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")?;
        let micros = self.0.rem_euclid(1_000_000);
        if micros != 0 {
            let digits = format!("{micros:06}");
            write!(formatter, ".{}", digits.trim_end_matches('0'))?;
        }
        formatter.write_str("Z")
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Read for Timestamp {
    fn read(&mut self, cursor: &mut Cursor<'_>) -> Result<(), JsonError> {
        *self = Self::parse(&cursor.text()?).ok_or(JsonError::Unfit)?;
        Ok(())
    }
}

deserialize!(Timestamp);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Microseconds of the years that RFC 3339 can write.
    const YEARS: std::ops::Range<i64> = -62_167_219_200_000_000..253_402_300_800_000_000;

    proptest! {
        #[test]
        fn moments_are_written_and_read_as_jiff_does(micros in YEARS, thousandths in any::<bool>()) {
            let micros = if thousandths { micros / 1000 * 1000 } else { micros };
            let jiff = jiff::Timestamp::from_microsecond(micros).unwrap();
            let text = Timestamp::from_micros(micros).to_string();
            prop_assert_eq!(&text, &jiff.to_string());
            prop_assert_eq!(Timestamp::parse(&text), Some(Timestamp::from_micros(micros)));
        }

        #[test]
        fn what_looks_like_a_time_is_read_as_jiff_reads_it(
            (year, month, day) in (0..=2400_u32, 0..=13_u32, 0..=32_u32),
            (hour, minute, second) in (0..=24_u32, 0..=60_u32, 0..=59_u32),
            fraction in "(\\.[0-9]{0,6})?",
            offset in "Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9]",
        ) {
            let text = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{fraction}{offset}");
            let jiff = text.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_microsecond);
            prop_assert_eq!(Timestamp::parse(&text).map(Timestamp::as_micros), jiff, "{}", text);
        }
    }

    #[test]
    fn every_day_of_four_centuries_is_the_one_after_the_day_before() {
        let mut expected = (1900, 1, 1);
        for days in days_from_epoch(1900, 1, 1)..days_from_epoch(2301, 1, 1) {
            assert_eq!(date(days), expected);
            assert_eq!(days_from_epoch(expected.0, expected.1, expected.2), days);
            let (year, month, day) = expected;
            expected = match (day == days_in_month(year, month), month) {
                (false, _) => (year, month, day + 1),
                (true, 12) => (year + 1, 1, 1),
                (true, _) => (year, month + 1, 1),
            };
        }
    }

    #[test]
    fn what_go_does_not_read_is_refused() {
        for text in [
            "",
            "2026-01-01",
            "2026-01-01T00:00:00",
            "2026-01-01 00:00:00Z",
            "2026-01-01t00:00:00z",
            "2026-02-29T00:00:00Z",
            "1900-02-29T00:00:00Z",
            "2026-01-01T00:00:60Z",
            "2026-01-01T00:00:00.Z",
            "2026-01-01T00:00:00Z ",
            "2026-01-01T00:00:00+0100",
            "+2026-01-01T00:00:00Z",
            "2026-1-1T0:0:0Z",
        ] {
            assert_eq!(Timestamp::parse(text), None, "{text}");
        }
        assert!(Timestamp::parse("2000-02-29T23:59:59.999999999Z").is_some());
        assert_eq!(Timestamp::from_micros(i64::MAX).to_string(), "9223372036854775807us");
    }

    #[test]
    fn a_timestamp_reads_and_writes_rfc_3339() {
        let moment = Timestamp::parse("2026-01-01T00:10:00Z").unwrap();
        assert_eq!(moment.as_seconds(), 1_767_226_200);
        assert_eq!(moment.to_string(), "2026-01-01T00:10:00Z");
        assert_eq!(Timestamp::parse("2026-01-01T01:10:00.25+01:00").unwrap().as_micros(), 1_767_226_200_250_000);
        assert_eq!(Timestamp::parse("yesterday"), None);
    }

    #[test]
    fn a_moment_ahead_is_no_time_ago() {
        let (early, late) = (Timestamp::from_seconds(1), Timestamp::from_seconds(3));
        assert_eq!(late.saturating_since(early), Duration::from_secs(2));
        assert_eq!(early.saturating_since(late), Duration::ZERO);
        assert_eq!(Timestamp::from_micros(-1).as_seconds(), -1);
    }
}

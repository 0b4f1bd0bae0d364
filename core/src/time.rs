//! Moments and lengths of time as integers.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

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
        Self(self.0.saturating_add(i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)))
    }

    /// How long ago `earlier` was; zero when it lies ahead.
    pub fn saturating_since(self, earlier: Self) -> Duration {
        Duration::from_micros(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }

    /// Reads RFC 3339 text.
    pub fn parse(text: &str) -> Option<Self> {
        text.parse::<jiff::Timestamp>().ok().map(|moment| Self(moment.as_microsecond()))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_microsecond(self.0) {
            Ok(moment) => moment.fmt(formatter),
            // Outside years -9999 to 9999, which RFC 3339 cannot write.
            Err(_) => write!(formatter, "{}us", self.0),
        }
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl de::Visitor<'_> for Text {
            type Value = Timestamp;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a time such as 2026-01-31T12:00:00Z")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Timestamp, E> {
                Timestamp::parse(text).ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
            }
        }
        deserializer.deserialize_str(Text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

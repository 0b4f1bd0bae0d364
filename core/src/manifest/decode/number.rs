use serde_json::Number;

pub(super) use crate::json::number_text as json_text;

/// Every whole number up to here is exact as a floating point number, and larger ones fit no field.
const LARGEST_WHOLE: f64 = 9_223_372_036_854_775_807.0;

/// The whole number that Go's decoder reads from that text, if it is one of 64 bits.
pub(super) fn whole(number: &Number) -> Option<i64> {
    if let Some(value) = number.as_i64() {
        return Some(value);
    }
    let value = number.as_f64().filter(|_| number.is_f64())?;
    #[expect(clippy::float_cmp, reason = "a whole number equals its own integer part exactly")]
    let is_whole = value.trunc() == value;
    if is_whole && value.abs() < LARGEST_WHOLE { json_text(number).parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(value: f64) -> Number {
        Number::from_f64(value).unwrap()
    }

    #[test]
    fn numbers_are_written_as_go_writes_them() {
        assert_eq!(json_text(&of(0.1)), "0.1");
        assert_eq!(json_text(&of(8080.0)), "8080");
        assert_eq!(json_text(&of(1e-7)), "1e-7");
        assert_eq!(json_text(&of(1.5e21)), "1.5e+21");
        assert_eq!(json_text(&of(1e20)), "100000000000000000000");
        assert_eq!(json_text(&Number::from(7)), "7");
    }

    #[test]
    fn a_whole_number_may_be_written_with_a_fraction() {
        assert_eq!(whole(&of(8080.0)), Some(8080));
        assert_eq!(whole(&of(80.5)), None);
        assert_eq!(whole(&of(1e21)), None);
        assert_eq!(whole(&Number::from(u64::MAX)), None);
    }
}

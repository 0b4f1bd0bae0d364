use crate::api::{Quantity, digits};

/// The largest number of digits that upstream reads on its fast path, which keeps a text as it was written.
const FAST_DIGITS: usize = 18;
/// No amount is finer than a billionth.
const FINEST: i64 = -9;
/// Resource lists are rounded up to thousandths (`SetDefaults_ResourceList`, Kubernetes 1.36).
const RESOURCE_LIST_FINEST: i64 = -3;
/// The powers of a thousand, from a billionth on.
const SUFFIXES: [&str; 10] = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];

/// An amount as the API server writes it back, or nothing when the text is no amount
/// (`resource.ParseQuantity` and `Quantity.CanonicalizeBytes`, apimachinery 0.36).
pub(super) fn canonical(text: &str, in_resource_list: bool) -> Option<String> {
    let quantity = Quantity::parse(text).ok()?;
    let finest = if in_resource_list { RESOURCE_LIST_FINEST } else { FINEST };
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let number_length = unsigned.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
    let (number, suffix) = unsigned.split_at_checked(number_length)?;
    if suffix.ends_with('i') {
        return Some(binary(quantity, finest));
    }
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let whole = whole.trim_start_matches('0');
    let power = SUFFIXES.iter().zip(-3..).find(|(known, _)| **known == suffix);
    let exponent = match power {
        Some((_, thousands)) => 3 * thousands,
        None => suffix.get(1..)?.parse::<i64>().ok()?,
    };
    let digits = [if whole.is_empty() { "0" } else { whole }, fraction].concat();
    let scale = exponent - i64::try_from(fraction.len()).ok()?;
    let kept_as_written = digits.len() <= FAST_DIGITS
        && scale >= finest
        && scale % 3 == 0
        && !digits.ends_with("000")
        && !digits.starts_with('0');
    if kept_as_written {
        return Some(text.to_owned());
    }
    let (digits, scale) = round_up(&digits, scale, finest);
    Some(decimal(negative, &digits, scale, power.is_none()))
}

/// `digits` × 10^`scale` without digits finer than 10^`finest`, rounded up.
fn round_up(digits: &str, scale: i64, finest: i64) -> (String, i64) {
    if scale >= finest {
        return (digits.to_owned(), scale);
    }
    let dropped = usize::try_from(finest - scale).unwrap_or(usize::MAX);
    let kept = digits.len().saturating_sub(dropped);
    let (head, tail) = digits.split_at_checked(kept).unwrap_or((digits, ""));
    let mut rounded: Vec<u8> = head.bytes().collect();
    if tail.bytes().any(|digit| digit != b'0') {
        let carried = rounded.iter_mut().rev().all(|digit| {
            let nine = *digit == b'9';
            *digit = if nine { b'0' } else { *digit + 1 };
            nine
        });
        if carried {
            rounded.insert(0, b'1');
        }
    }
    (rounded.into_iter().map(char::from).collect(), finest)
}

/// A number with a suffix for a power of a thousand.
fn decimal(negative: bool, digits: &str, scale: i64, exponent_written: bool) -> String {
    let digits = digits.trim_start_matches('0');
    let significant = digits.trim_end_matches('0');
    if significant.is_empty() {
        return "0".to_owned();
    }
    let scale = scale + i64::try_from(digits.len() - significant.len()).unwrap_or(0);
    let padding = scale.rem_euclid(3);
    let scale = scale - padding;
    let zeros = match padding {
        1 => "0",
        2 => "00",
        _ => "",
    };
    let sign = if negative { "-" } else { "" };
    let exponent;
    let suffix = if exponent_written && scale != 0 {
        exponent = ["e", &scale.to_string()].concat();
        exponent.as_str()
    } else {
        // Upstream has no suffix for other powers and leaves it out.
        usize::try_from(scale / 3 + 3).ok().and_then(|place| SUFFIXES.get(place)).copied().unwrap_or("")
    };
    [sign, significant, zeros, suffix].concat()
}

/// A number with a suffix for a power of 1024; small and fractional ones are written in tens.
fn binary(quantity: Quantity, finest: i64) -> String {
    let billionths = quantity.as_billionths();
    let magnitude = billionths.unsigned_abs();
    let units = magnitude / 1_000_000_000;
    if units < 1024 || !magnitude.is_multiple_of(1_000_000_000) {
        let (digits, scale) = round_up(&digits(magnitude), FINEST, finest);
        return decimal(billionths < 0, &digits, scale, false);
    }
    let sign = if billionths < 0 { "-" } else { "" };
    let (mut units, mut power) = (units, 0);
    while units >= 1024 && units.is_multiple_of(1024) {
        units /= 1024;
        power += 1;
    }
    let suffix = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"].get(power).copied().unwrap_or("");
    [sign, &digits(units), suffix].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> String {
        canonical(text, true).unwrap()
    }

    #[test]
    fn amounts_are_written_back_in_the_shortest_form() {
        for (text, expected) in [
            ("1000m", "1"),
            ("1024Mi", "1Gi"),
            ("0.5", "500m"),
            ("1.5Gi", "1536Mi"),
            ("128974848", "128974848"),
            ("129e6", "129e6"),
            ("12e2", "1200"),
            ("0Mi", "0"),
            ("0.0", "0"),
            ("1000Ki", "1000Ki"),
            ("1023", "1023"),
            ("0.5Ki", "512"),
            ("100000", "100k"),
            ("9999999999999999999", "9999999999999999999"),
            ("-1", "-1"),
        ] {
            assert_eq!(written(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_canonical_enough_stays_as_written() {
        for text in ["+5", "1.500", "01", "1E3", "1e+21", "100Mi"] {
            assert_eq!(written(text), text);
        }
    }

    #[test]
    fn resource_lists_are_rounded_up_to_thousandths() {
        assert_eq!(written("1u"), "1m");
        assert_eq!(written("0.0001"), "1m");
        assert_eq!(written("1.0001"), "1001m");
        assert_eq!(written("999.9999"), "1k");
        assert_eq!(canonical("1u", false).unwrap(), "1u");
    }

    #[test]
    fn what_is_no_amount_is_refused() {
        for text in ["", "128M i", "1 Gi", "ten", "1Kb"] {
            assert_eq!(canonical(text, true), None, "{text}");
        }
    }
}

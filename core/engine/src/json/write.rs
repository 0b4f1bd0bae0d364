//! JSON as text, without white space and with sorted keys.

use std::fmt::Write as _;

use serde_json::{Number, Value};

use super::decimal::shortest_digits;
use crate::order::sort_by_key;

/// A value as text. Numbers are written by `number`; `<`, `>`, `&`, U+2028 and U+2029 are escaped, as Go does.
pub fn text_of(value: &Value, number: fn(&Number) -> String) -> String {
    let mut text = String::new();
    write_value(value, number, &mut text);
    text
}

/// A number: whole ones exactly, others as Go writes them.
pub fn number_text(number: &Number) -> String {
    match (number.as_u64(), number.as_i64()) {
        (Some(whole), _) => whole.to_string(),
        (None, Some(whole)) => whole.to_string(),
        (None, None) => float_text(number.as_f64().unwrap_or_default()),
    }
}

/// A number with a fraction, or a whole one of any size, as Go writes it in JSON (`encoding/json`, Go 1.26).
pub fn float_text(value: f64) -> String {
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let magnitude = value.abs();
    if magnitude == 0.0 {
        return [sign, "0"].concat();
    }
    let (digits, point) = shortest_digits(magnitude);
    let width = if (1e-6..1e21).contains(&magnitude) { None } else { Some(1) };
    [sign, &digits_text(&digits, point, width)].concat()
}

/// The number 0.d₁d₂d₃… × 10^`point`: with an exponent of at least so many digits when that is asked for.
pub fn digits_text(digits: &[u8], point: i32, exponent_width: Option<usize>) -> String {
    let mut text = String::new();
    // So many digits stand before the point; a zero does where there are none.
    let before = if exponent_width.is_some() { 1 } else { point };
    let end = i32::try_from(digits.len()).unwrap_or(i32::MAX).max(before);
    for place in (before - 1).min(0)..end {
        if place == before {
            text.push('.');
        }
        let digit = usize::try_from(place).ok().and_then(|place| digits.get(place)).unwrap_or(&0);
        text.push(char::from(b'0' + digit));
    }
    if let Some(width) = exponent_width {
        let exponent = point - 1;
        let sign = if exponent < 0 { '-' } else { '+' };
        // Writing into a String cannot fail.
        let _ = write!(text, "e{sign}{:0width$}", exponent.unsigned_abs());
    }
    text
}

fn write_value(value: &Value, number: fn(&Number) -> String, text: &mut String) {
    match value {
        Value::Null => put("null", text),
        Value::Bool(true) => put("true", text),
        Value::Bool(false) => put("false", text),
        Value::Number(value) => put(&number(value), text),
        Value::String(string) => write_string(string, text),
        Value::Array(items) => {
            let mut before = "[";
            for item in items {
                put(std::mem::replace(&mut before, ","), text);
                write_value(item, number, text);
            }
            put(if items.is_empty() { "[]" } else { "]" }, text);
        }
        Value::Object(fields) => {
            // serde_json's map keeps the order of insertion when any crate of the build asks for it.
            let mut sorted: Vec<(&String, &Value)> = fields.iter().collect();
            sort_by_key(&mut sorted, |(key, _)| *key);
            let mut before = "{";
            for (key, value) in sorted {
                put(std::mem::replace(&mut before, ","), text);
                write_string(key, text);
                put(":", text);
                write_value(value, number, text);
            }
            put(if fields.is_empty() { "{}" } else { "}" }, text);
        }
    }
}

fn write_string(string: &str, text: &mut String) {
    put("\"", text);
    for character in string.chars() {
        let escape = match character {
            '"' => "\\\"",
            '\\' => "\\\\",
            '\u{8}' => "\\b",
            '\u{c}' => "\\f",
            '\n' => "\\n",
            '\r' => "\\r",
            '\t' => "\\t",
            '\0'..='\u{1f}' | '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                // Writing into a String cannot fail.
                let _ = write!(text, "\\u{:04x}", u32::from(character));
                continue;
            }
            _ => {
                text.push(character);
                continue;
            }
        };
        put(escape, text);
    }
    put("\"", text);
}

/// Adds a piece, by one copy of the code that makes room for it.
#[inline(never)]
fn put(piece: &str, text: &mut String) {
    text.push_str(piece);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_number_is_written_as_the_standard_library_writes_it(whole in any::<i32>(), exponent in -40..40_i32) {
            let value: f64 = format!("{whole}e{exponent}").parse().unwrap();
            let written = float_text(value);
            if written.contains('e') {
                prop_assert_eq!(written.replace("e+", "e"), format!("{value:e}"));
            } else {
                prop_assert_eq!(written, value.to_string());
            }
        }
    }

    #[test]
    fn go_writes_an_exponent_where_numbers_are_very_large_or_small() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (-1.5, "-1.5"),
            (1e20, "100000000000000000000"),
            (1e21, "1e+21"),
            (1e-6, "0.000001"),
            (-1.25e-7, "-1.25e-7"),
            (f64::MAX, "1.7976931348623157e+308"),
            (5e-324, "5e-324"),
        ] {
            assert_eq!(float_text(value), text);
        }
    }
}

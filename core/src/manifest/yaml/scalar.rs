//! What a YAML scalar means to kubectl and the API server.
//!
//! Both read YAML with `sigs.k8s.io/yaml` (1.6), which is `go.yaml.in/yaml/v2` followed by a conversion to JSON; the
//! functions named below are theirs.

use std::borrow::Cow;

use serde_json::Number;

use super::super::TreeValue;
use crate::json::{digits_text, parse_float, shortest_digits_of_single};

/// What a tag asks of a scalar (`resolve.go: resolvableTag`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScalarTag {
    /// No tag: the text decides.
    Absent,
    /// `!!str`, `!`, or one that YAML itself does not define: the text as it is.
    Text,
    /// `!!binary`: base64.
    Binary,
    /// `!!bool`.
    Bool,
    /// `!!int`.
    Int,
    /// `!!float`.
    Float,
    /// `!!null`.
    Null,
}

/// A scalar as it resolves, before JSON.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Scalar {
    Null,
    Bool(bool),
    Signed(i64),
    Unsigned(u64),
    Float(f64),
    Text(String),
}

/// A scalar that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScalarError {
    /// The text is not what its tag says.
    TagMismatch,
    /// `!!binary` that is not base64.
    Base64,
}

/// Resolves a scalar (`decode.go: scalar`, `resolve.go: resolve`); `plain` says that it stands without quotes.
pub(super) fn resolve(text: &str, plain: bool, tag: ScalarTag) -> Result<Scalar, ScalarError> {
    let as_text = || Scalar::Text(text.to_owned());
    match tag {
        ScalarTag::Text => return Ok(as_text()),
        ScalarTag::Binary => return decode_base64(text).map(Scalar::Text).ok_or(ScalarError::Base64),
        ScalarTag::Absent if !plain => return Ok(as_text()),
        _ => {}
    }
    let resolved = match resolve_plain(text) {
        PlainScalar::Null => Scalar::Null,
        PlainScalar::Bool(value) => Scalar::Bool(value),
        PlainScalar::Number => parse_number(text).unwrap_or(Scalar::Null),
        PlainScalar::Text => as_text(),
    };
    match (tag, resolved) {
        (ScalarTag::Absent, resolved)
        | (ScalarTag::Null, resolved @ Scalar::Null)
        | (ScalarTag::Bool, resolved @ Scalar::Bool(_))
        | (ScalarTag::Int, resolved @ (Scalar::Signed(_) | Scalar::Unsigned(_)))
        | (ScalarTag::Float, resolved @ Scalar::Float(_)) => Ok(resolved),
        #[expect(clippy::cast_precision_loss, reason = "an integer tagged as a float loses digits in Go as well")]
        (ScalarTag::Float, Scalar::Signed(value)) => Ok(Scalar::Float(value as f64)),
        _ => Err(ScalarError::TagMismatch),
    }
}

/// What a scalar without quotes is, told without making a value of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::manifest) enum PlainScalar {
    Null,
    Bool(bool),
    Number,
    Text,
}

/// Words that are no text where they stand without quotes and tag.
const WORDS: [(&str, PlainScalar); 10] = [
    ("y", PlainScalar::Bool(true)),
    ("yes", PlainScalar::Bool(true)),
    ("true", PlainScalar::Bool(true)),
    ("on", PlainScalar::Bool(true)),
    ("n", PlainScalar::Bool(false)),
    ("no", PlainScalar::Bool(false)),
    ("false", PlainScalar::Bool(false)),
    ("off", PlainScalar::Bool(false)),
    ("~", PlainScalar::Null),
    ("null", PlainScalar::Null),
];

/// What a scalar without quotes and tag is (`resolve.go: resolve`).
pub(in crate::manifest) fn resolve_plain(text: &str) -> PlainScalar {
    match text.as_bytes() {
        [] => PlainScalar::Null,
        [b'+' | b'-' | b'0'..=b'9' | b'.', ..] => {
            if parse_number(text).is_some() {
                PlainScalar::Number
            } else {
                PlainScalar::Text
            }
        }
        // `yes`, `Yes` or `YES`.
        bytes @ [_, rest @ ..]
            if rest.iter().all(u8::is_ascii_lowercase) || bytes.iter().all(u8::is_ascii_uppercase) =>
        {
            let word = WORDS.iter().find(|(word, _)| word.eq_ignore_ascii_case(text));
            word.map_or(PlainScalar::Text, |(_, meant)| *meant)
        }
        _ => PlainScalar::Text,
    }
}

fn parse_number(text: &str) -> Option<Scalar> {
    match sign_of(text) {
        (None, ".nan" | ".NaN" | ".NAN") => return Some(Scalar::Float(f64::NAN)),
        (Some(b'-'), ".inf" | ".Inf" | ".INF") => return Some(Scalar::Float(f64::NEG_INFINITY)),
        (_, ".inf" | ".Inf" | ".INF") => return Some(Scalar::Float(f64::INFINITY)),
        _ => {}
    }
    // Addresses, dates and image names start with a digit as well: most of them end here.
    let may_stand =
        |byte: u8| byte.is_ascii_hexdigit() || matches!(byte, b'+' | b'-' | b'.' | b'_' | b'x' | b'X' | b'o' | b'O');
    if !text.bytes().all(may_stand) {
        return None;
    }
    let starts_with_point = text.starts_with('.');
    // Underscores are dropped wherever they stand, except in a number that starts with its point.
    let plain =
        if starts_with_point || !text.contains('_') { Cow::Borrowed(text) } else { Cow::Owned(text.replace('_', "")) };
    if let (false, Some(integer)) = (starts_with_point, parse_integer(&plain)) {
        return Some(integer);
    }
    // `resolve.go: yamlStyleFloat` takes what is read here. What is too large for a double stays text.
    parse_float(&plain).filter(|value| value.is_finite()).map(Scalar::Float)
}

/// Go's `strconv.ParseInt` and `ParseUint` with base 0: `0x`, `0o`, `0b`, and a leading `0` for octal.
fn parse_integer(text: &str) -> Option<Scalar> {
    let (sign, unsigned) = sign_of(text);
    let (digits, radix) = match unsigned.as_bytes() {
        [b'0', b'x' | b'X', ..] => (unsigned.get(2..)?, 16),
        [b'0', b'o' | b'O', ..] => (unsigned.get(2..)?, 8),
        // Go tries binary once more behind the prefix, and so takes a sign there.
        [b'0', b'b', b'+' | b'-', ..] if sign.is_none() => {
            let (sign, digits) = sign_of(unsigned.get(2..)?);
            return whole_number(sign, digits, 2);
        }
        [b'0', b'b' | b'B', ..] => (unsigned.get(2..)?, 2),
        [b'0', _, ..] => (unsigned.get(1..)?, 8),
        _ => (unsigned, 10),
    };
    whole_number(sign, digits, radix)
}

fn sign_of(text: &str) -> (Option<u8>, &str) {
    match text.as_bytes().first() {
        Some(sign @ (b'-' | b'+')) => (Some(*sign), text.get(1..).unwrap_or_default()),
        _ => (None, text),
    }
}

/// A number with a sign has 63 bits, one without may have 64.
fn whole_number(sign: Option<u8>, digits: &str, radix: u32) -> Option<Scalar> {
    // Rust's parser takes a sign of its own, Go's does not take a second one.
    if !digits.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return None;
    }
    let magnitude = u64::from_str_radix(digits, radix).ok()?;
    if sign == Some(b'-') {
        return 0i64.checked_sub_unsigned(magnitude).map(Scalar::Signed);
    }
    match i64::try_from(magnitude) {
        Ok(value) => Some(Scalar::Signed(value)),
        Err(_) if sign.is_some() => None,
        Err(_) => Some(Scalar::Unsigned(magnitude)),
    }
}

impl Scalar {
    /// As a JSON value; nothing for an infinity or a not-a-number, which JSON cannot hold.
    pub(super) fn into_value(self) -> Option<TreeValue> {
        Some(match self {
            Self::Null => TreeValue::Null,
            Self::Bool(value) => TreeValue::Bool(value),
            Self::Signed(value) => TreeValue::Number(value.into()),
            Self::Unsigned(value) => TreeValue::Number(value.into()),
            Self::Float(value) => TreeValue::Number(number_of(value)?),
            Self::Text(text) => TreeValue::String(text),
        })
    }

    /// As the key of a JSON object (`yaml.go: convertToJSONableObject`); nothing for
    /// `null` and integers of more than 63 bits, which cannot be one.
    pub(super) fn into_key(self) -> Option<String> {
        Some(match self {
            Self::Null | Self::Unsigned(_) => return None,
            Self::Bool(value) => value.to_string(),
            Self::Signed(value) => value.to_string(),
            Self::Float(value) => float_key(value),
            Self::Text(text) => text,
        })
    }
}

/// Go writes a whole float without a point below 1e21, so that what follows reads an integer.
fn number_of(value: f64) -> Option<Number> {
    const TWO_TO_THE_63: f64 = 9_223_372_036_854_775_808.0;
    #[expect(clippy::cast_possible_truncation, reason = "whole and in range, as just tested")]
    if value.fract() == 0.0 && value.abs() < TWO_TO_THE_63 {
        return Some((value as i64).into());
    }
    Number::from_f64(value)
}

/// Go's `strconv.FormatFloat(value, 'g', -1, 32)`, and YAML's names for what is not finite.
fn float_key(value: f64) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "upstream formats keys with 32 bits")]
    let value = value as f32;
    if value.is_nan() {
        return ".nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { ".inf" } else { "-.inf" }.to_owned();
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value == 0.0 {
        return [sign, "0"].concat();
    }
    let (digits, point) = shortest_digits_of_single(value.abs());
    let exponent_width = if (-3..7).contains(&point) { None } else { Some(2) };
    [sign, &digits_text(&digits, point, exponent_width)].concat()
}

/// Standard base64 with padding; line breaks are skipped, and bytes that are not UTF-8 become U+FFFD one by one.
fn decode_base64(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let (mut bits, mut symbols, mut padding) = (0_u32, 0, 0);
    for symbol in text.bytes().filter(|byte| !matches!(byte, b'\n' | b'\r')) {
        let value = match symbol {
            b'=' if padding < 2 => 0,
            _ if padding > 0 => return None,
            b'A'..=b'Z' => symbol - b'A',
            b'a'..=b'z' => symbol - b'a' + 26,
            b'0'..=b'9' => symbol - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        padding += usize::from(symbol == b'=');
        bits = bits << 6 | u32::from(value);
        symbols += 1;
        if symbols == 4 {
            let [_, high, middle, low] = bits.to_be_bytes();
            bytes.extend_from_slice(&[high, middle, low]);
            (bits, symbols) = (0, 0);
        }
    }
    if symbols > 0 {
        return None;
    }
    bytes.truncate(bytes.len() - padding);
    let mut decoded = String::new();
    for chunk in bytes.utf8_chunks() {
        decoded.push_str(chunk.valid());
        decoded.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    Some(decoded)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> Scalar {
        resolve(text, true, ScalarTag::Absent).unwrap()
    }

    #[test]
    fn unquoted_words_are_what_they_are_to_go() {
        for yes in ["y", "Y", "yes", "on", "ON", "true", "True"] {
            assert_eq!(plain(yes), Scalar::Bool(true), "{yes}");
        }
        for no in ["n", "no", "No", "off", "OFF", "FALSE"] {
            assert_eq!(plain(no), Scalar::Bool(false), "{no}");
        }
        for nothing in ["", "~", "null", "Null", "NULL"] {
            assert_eq!(plain(nothing), Scalar::Null, "{nothing}");
        }
        for text in ["yEs", "oN", "nULL", "yes please", "TRUe", "<<", "=", "-", "+", ".", "..", "_1", "0x", "1e", "e5"]
        {
            assert_eq!(plain(text), Scalar::Text(text.to_owned()), "{text}");
        }
        assert_eq!(resolve("yes", false, ScalarTag::Absent), Ok(Scalar::Text("yes".to_owned())));
    }

    #[test]
    fn unquoted_numbers_are_what_they_are_to_go() {
        for (text, value) in [
            ("0644", 420),
            ("0o644", 420),
            ("-0644", -420),
            ("0x1F", 31),
            ("-0x10", -16),
            ("0b101", 5),
            ("0b-1", -1),
            ("+12", 12),
            ("1_000", 1000),
            ("0", 0),
            ("-9223372036854775808", i64::MIN),
        ] {
            assert_eq!(plain(text), Scalar::Signed(value), "{text}");
        }
        assert_eq!(plain("18446744073709551615"), Scalar::Unsigned(u64::MAX));
        for (text, value) in [("1e3", 1000.0), (".5", 0.5), ("1.", 1.0), ("089", 89.0), ("-1.5E-2", -0.015)] {
            assert_eq!(plain(text), Scalar::Float(value), "{text}");
        }
        for text in ["12:30:45", "2001-12-14", "1.2.3", "1e999", "0o8", "10.0.0.1", "1__e", ".5_0", "--1", "0x-1"] {
            assert_eq!(plain(text), Scalar::Text(text.to_owned()), "{text}");
        }
    }

    #[test]
    fn a_whole_float_is_an_integer_in_json() {
        assert_eq!(plain("8080.0").into_value(), Some(TreeValue::Number(8080.into())));
        assert_eq!(plain("1e3").into_value(), Some(TreeValue::Number(1000.into())));
        assert_eq!(plain(".inf").into_value(), None);
    }

    #[test]
    fn a_key_becomes_text_as_go_writes_it() {
        for (text, key) in [
            ("1.10", "1.1"),
            ("yes", "true"),
            ("0x10", "16"),
            ("1e7", "1e+07"),
            ("1e-5", "1e-05"),
            ("123456789.5", "1.2345679e+08"),
            ("1e5", "100000"),
            (".inf", ".inf"),
        ] {
            assert_eq!(plain(text).into_key().as_deref(), Some(key), "{text}");
        }
        assert_eq!(plain("~").into_key(), None);
    }

    #[test]
    fn a_tag_decides_and_a_text_that_contradicts_it_is_refused() {
        assert_eq!(resolve("5", false, ScalarTag::Int), Ok(Scalar::Signed(5)));
        assert_eq!(resolve("5", true, ScalarTag::Float), Ok(Scalar::Float(5.0)));
        assert_eq!(resolve("yes", true, ScalarTag::Text), Ok(Scalar::Text("yes".to_owned())));
        assert_eq!(resolve("five", true, ScalarTag::Int), Err(ScalarError::TagMismatch));
        assert_eq!(resolve("aGVs\nbG8=", true, ScalarTag::Binary), Ok(Scalar::Text("hello".to_owned())));
        assert_eq!(resolve("/w==", true, ScalarTag::Binary), Ok(Scalar::Text("\u{fffd}".to_owned())));
        for broken in ["a", "abc", "a===", "ab=c", "a b="] {
            assert_eq!(resolve(broken, true, ScalarTag::Binary), Err(ScalarError::Base64), "{broken}");
        }
    }
}

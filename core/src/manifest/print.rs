//! Values → YAML text.

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::yaml::{PlainScalar, resolve_plain};

/// Why a value cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum PrintError {
    /// It has no form in JSON, such as a map whose keys are maps.
    #[error("the value has no form in JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// It has no form in YAML.
    #[error("the value has no form in YAML: {0}")]
    Yaml(#[from] serde_yaml::Error),
}

/// Writes a value as YAML with sorted keys, so that kubectl, and this crate, read back the same.
///
/// The serializer writes for readers of YAML 1.2, to whom `yes` or `1_000` are text and a line separator is no line
/// break. To kubectl it is the other way round. Such text goes in behind a mark, and comes out in double quotes.
pub fn to_yaml<T: Serialize>(value: &T) -> Result<String, PrintError> {
    let json = serde_json::to_value(value)?;
    let Some(mark) = ('\u{e000}'..='\u{f8ff}').find(|mark| !mentions(&json, *mark)) else {
        // Every character for private use is in use: nothing to mark with, and nothing that anybody would write.
        return Ok(serde_yaml::to_string(&json)?);
    };
    let text = serde_yaml::to_string(&Marked { json: &json, mark })?;
    let mut pieces = text.split(mark);
    let mut printed = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let end = piece.find(|digit: char| !digit.is_ascii_hexdigit()).unwrap_or(piece.len());
        let (digits, rest) = piece.split_at_checked(end).unwrap_or((piece, ""));
        printed.push_str(&quoted(&decoded(digits)));
        printed.push_str(rest);
    }
    Ok(printed)
}

/// A value in which every text that needs double quotes is written as a mark and hexadecimal digits.
struct Marked<'json> {
    json: &'json Value,
    mark: char,
}

impl Serialize for Marked<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mark = self.mark;
        match self.json {
            Value::String(text) => serializer.serialize_str(&marked(text, mark)),
            Value::Array(items) => serializer.collect_seq(items.iter().map(|json| Marked { json, mark })),
            Value::Object(map) => {
                serializer.collect_map(map.iter().map(|(key, json)| (marked(key, mark), Marked { json, mark })))
            }
            other => other.serialize(serializer),
        }
    }
}

fn marked(text: &str, mark: char) -> Cow<'_, str> {
    if !needs_quotes(text) {
        return Cow::Borrowed(text);
    }
    let digits = text.bytes().flat_map(|byte| [byte >> 4, byte & 15]);
    let digits = digits.filter_map(|digit| char::from_digit(u32::from(digit), 16));
    Cow::Owned(std::iter::once(mark).chain(digits).collect())
}

fn decoded(digits: &str) -> String {
    let value_of = |digit: &u8| char::from(*digit).to_digit(16).and_then(|value| u8::try_from(value).ok()).unwrap_or(0);
    let bytes = digits.as_bytes().chunks(2).map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | value_of(digit)));
    String::from_utf8(bytes.collect()).unwrap_or_default()
}

/// Text in double quotes, on one line, in ASCII but for letters and signs.
fn quoted(text: &str) -> String {
    let mut quoted = "\"".to_owned();
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            plain if is_printable(plain) => quoted.push(plain),
            other => {
                // Characters of any length have their form in eight digits.
                quoted.push_str("\\U");
                let code = u32::from(other);
                quoted.extend((0..8).rev().filter_map(|place| char::from_digit(code >> (4 * place) & 15, 16)));
            }
        }
    }
    quoted.push('"');
    quoted
}

/// Whether text would not come back as it is if the serializer chose how to write it.
fn needs_quotes(text: &str) -> bool {
    let is_ambiguous = resolve_plain(text) != PlainScalar::Text || text == "<<";
    let is_odd = text.chars().any(|character| !is_printable(character) && character != '\n');
    // A literal block tells its indentation by its first line, and kubectl's writer avoids blanks at line ends too.
    let mut lines = text.split('\n');
    let is_block = text.contains('\n');
    let starts_odd = lines.next().is_none_or(|first| first.is_empty() || first.starts_with(' '));
    is_ambiguous || is_odd || is_block && (starts_odd || text.split('\n').any(|line| line.ends_with(' ')))
}

/// Whether YAML takes a character as it is, on one line.
fn is_printable(character: char) -> bool {
    match character {
        ' '..='~' => true,
        '\u{2028}' | '\u{2029}' | '\u{feff}' => false,
        other => matches!(other, '\u{a0}'..='\u{fffd}' | '\u{10000}'..),
    }
}

fn mentions(json: &Value, mark: char) -> bool {
    match json {
        Value::String(text) => text.contains(mark),
        Value::Array(items) => items.iter().any(|item| mentions(item, mark)),
        Value::Object(map) => map.iter().any(|(key, value)| key.contains(mark) || mentions(value, mark)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::super::read_trees;
    use super::*;

    fn read_back(text: &str) -> Value {
        let documents = read_trees(text.as_bytes());
        assert_eq!(documents[0].problems, [], "{text}");
        documents[0].tree.as_ref().unwrap().to_json()
    }

    #[test]
    fn text_that_kubectl_would_misread_is_quoted() {
        let value = json!({"a": "yes", "b": "0x_1F", "n": "1_000", "plain": "text", "list": ["~", "", "<<", "off"]});
        let text = to_yaml(&value).unwrap();
        assert_eq!(
            text,
            "a: \"yes\"\nb: \"0x_1F\"\nlist:\n- \"~\"\n- \"\"\n- \"<<\"\n- \"off\"\n\"n\": \"1_000\"\nplain: text\n"
        );
        assert_eq!(read_back(&text), value);
    }

    #[test]
    fn a_daemon_set_reads_back_the_same() {
        let set = crate::api::DaemonSet {
            metadata: crate::api::ObjectMeta { name: "on".into(), ..Default::default() },
            ..Default::default()
        };
        let text = to_yaml(&set).unwrap();
        assert_eq!(serde_json::from_value::<crate::api::DaemonSet>(read_back(&text)).unwrap(), set);
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let text = prop_oneof![
            3 => "\\PC{0,16}",
            3 => "[yYnNoOeEsS0-9xX_.+~<:# '\"-]{0,6}",
            1 => "[ \\t\\r\\na-c\u{85}\u{2028}\u{feff}\\x00-\\x1f]{0,6}",
            1 => Just("two\nlines\n".to_owned()),
        ];
        let fraction = any::<f64>().prop_filter("fractions", |value| value.is_finite() && value.fract() != 0.0);
        let leaf = prop_oneof![
            text.clone().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            fraction.prop_map(Value::from),
            any::<bool>().prop_map(Value::from),
            Just(Value::Null),
        ];
        leaf.prop_recursive(5, 32, 5, move |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                proptest::collection::btree_map(text.clone(), inner, 0..5)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_printed_reads_back_the_same(value in any_json()) {
            let text = to_yaml(&json!({"value": value})).unwrap();
            prop_assert_eq!(&read_back(&text)["value"], &value, "{}", text);
        }
    }
}

//! JSON from the start of a text, into the types of `api`.
//!
//! Two things set it apart from `serde_json`: values that nobody asks for are skipped without being looked into, and
//! a text that ends too early is told from one that is broken, so that reading can go on when more has come.
//! It is also the one way in for those types: every further deserializer would be another copy of their code, and the
//! page is measured in kilobytes.

use std::borrow::Cow;

use memchr::memchr2;
use serde::de::{self, DeserializeSeed, IntoDeserializer, Visitor};

/// How deep values may be nested.
const DEPTH_LIMIT: u8 = 120;

/// Why a value could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JsonError {
    /// The text ends before the value does.
    Incomplete,
    /// The text is not JSON.
    Broken,
    /// The value is not of the type that was asked for.
    Unfit,
}

impl std::fmt::Display for JsonError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Incomplete => "the text ends too early",
            Self::Broken => "the text is not JSON",
            Self::Unfit => "the value is of another type",
        })
    }
}

impl std::error::Error for JsonError {}

impl de::Error for JsonError {
    fn custom<T: std::fmt::Display>(_: T) -> Self {
        Self::Unfit
    }
}

type Result<T> = std::result::Result<T, JsonError>;

/// Reads a value that was JSON already; else the byte of its compact text where it does not fit the type.
pub(crate) fn from_json<T: de::DeserializeOwned>(json: &serde_json::Value) -> std::result::Result<T, (String, usize)> {
    let text = json.to_string();
    let mut cursor = Cursor::new(&text);
    let result = T::deserialize(&mut cursor);
    let at = cursor.at;
    result.map_err(|_| (text, at))
}

/// A place in a text that is read as JSON.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'de> {
    text: &'de str,
    at: usize,
    depth: u8,
}

impl<'de> Cursor<'de> {
    pub(crate) fn new(text: &'de str) -> Self {
        Self { text, at: 0, depth: 0 }
    }

    /// Bytes before this place.
    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    /// The next byte behind white space.
    pub(crate) fn peek(&mut self) -> Result<u8> {
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(self.at) {
                None => return Err(JsonError::Incomplete),
                Some(b' ') => {
                    // Indentation is most of what there is.
                    while bytes.get(self.at..self.at + 8) == Some(b"        ") {
                        self.at += 8;
                    }
                    while bytes.get(self.at) == Some(&b' ') {
                        self.at += 1;
                    }
                }
                Some(b'\n' | b'\r' | b'\t') => self.at += 1,
                Some(byte) => return Ok(*byte),
            }
        }
    }

    /// Steps over the next byte behind white space when it is `wanted`.
    pub(crate) fn take(&mut self, wanted: u8) -> Result<bool> {
        let found = self.peek()? == wanted;
        self.at += usize::from(found);
        Ok(found)
    }

    fn expect(&mut self, wanted: u8) -> Result<()> {
        if self.take(wanted)? { Ok(()) } else { Err(JsonError::Broken) }
    }

    /// Steps to the next member of an object or list; `first` says that none was read yet.
    pub(crate) fn next_member(&mut self, first: bool, end: u8) -> Result<bool> {
        if self.take(end)? {
            return Ok(false);
        }
        if !first {
            self.expect(b',')?;
        }
        Ok(true)
    }

    /// The key of an object's member, and the colon behind it.
    pub(crate) fn key(&mut self) -> Result<Cow<'de, str>> {
        if self.peek()? != b'"' {
            return Err(JsonError::Broken);
        }
        let key = self.string()?;
        self.expect(b':')?;
        Ok(key)
    }

    /// A string; the cursor stands at its quote.
    pub(crate) fn string(&mut self) -> Result<Cow<'de, str>> {
        let start = self.at + 1;
        let (end, has_escapes) = self.string_end(start)?;
        self.at = end + 1;
        let raw = self.text.get(start..end).ok_or(JsonError::Broken)?;
        if has_escapes { unescape(raw).map(Cow::Owned) } else { Ok(Cow::Borrowed(raw)) }
    }

    /// Where the quote stands that ends a string which starts at `start`, and whether there are escapes before it.
    fn string_end(&self, start: usize) -> Result<(usize, bool)> {
        let bytes = self.text.as_bytes();
        let mut at = start;
        let mut has_escapes = false;
        loop {
            let rest = bytes.get(at..).ok_or(JsonError::Incomplete)?;
            at += memchr2(b'"', b'\\', rest).ok_or(JsonError::Incomplete)?;
            if bytes.get(at) == Some(&b'"') {
                return Ok((at, has_escapes));
            }
            has_escapes = true;
            at += 2;
        }
    }

    /// Steps over a value. Brackets are matched; what stands between them is not judged.
    pub(crate) fn skip(&mut self) -> Result<()> {
        match self.peek()? {
            b'"' => self.at = self.string_end(self.at + 1)?.0 + 1,
            b'{' | b'[' => return self.skip_nested(),
            _ => {
                self.scalar()?;
            }
        }
        Ok(())
    }

    fn skip_nested(&mut self) -> Result<()> {
        // One bit for each open bracket: whether it is a brace.
        let mut open: u128 = 0;
        let mut depth = 0u32;
        loop {
            match self.peek()? {
                b'"' => {
                    self.at = self.string_end(self.at + 1)?.0 + 1;
                    continue;
                }
                byte @ (b'{' | b'[') => {
                    depth += 1;
                    if depth > 128 {
                        return Err(JsonError::Broken);
                    }
                    open = open << 1 | u128::from(byte == b'{');
                }
                byte @ (b'}' | b']') => {
                    if (open & 1 == 1) != (byte == b'}') {
                        return Err(JsonError::Broken);
                    }
                    open >>= 1;
                    depth -= 1;
                    if depth == 0 {
                        self.at += 1;
                        return Ok(());
                    }
                }
                _ => {}
            }
            self.at += 1;
        }
    }

    /// A number or a word, up to what ends it.
    fn scalar(&mut self) -> Result<&'de str> {
        self.peek()?;
        let rest = self.text.get(self.at..).unwrap_or_default();
        let is_end = |byte: &u8| matches!(byte, b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t' | b':' | b'"');
        let length = rest.as_bytes().iter().position(is_end).ok_or(JsonError::Incomplete)?;
        let word = rest.get(..length).filter(|word| !word.is_empty()).ok_or(JsonError::Broken)?;
        self.at += length;
        Ok(word)
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= DEPTH_LIMIT {
            return Err(JsonError::Broken);
        }
        self.at += 1;
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }
}

fn unescape(raw: &str) -> Result<String> {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((plain, behind)) = rest.split_once('\\') {
        text.push_str(plain);
        let (escape, behind) = behind.split_at_checked(1).ok_or(JsonError::Broken)?;
        rest = behind;
        text.push(match escape {
            "\"" | "\\" | "/" => escape.chars().next().unwrap_or_default(),
            "b" => '\u{8}',
            "f" => '\u{c}',
            "n" => '\n',
            "r" => '\r',
            "t" => '\t',
            "u" => {
                let (unit, behind) = hexadecimal(rest)?;
                rest = behind;
                let low = rest.strip_prefix("\\u").filter(|_| (0xd800..0xdc00).contains(&unit));
                match low.map(hexadecimal).transpose()? {
                    Some((low @ 0xdc00..0xe000, behind)) => {
                        rest = behind;
                        char::from_u32(0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00))
                    }
                    _ => char::from_u32(unit),
                }
                // As Go reads half a pair.
                .unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            _ => return Err(JsonError::Broken),
        });
    }
    text.push_str(rest);
    Ok(text)
}

fn hexadecimal(text: &str) -> Result<(u32, &str)> {
    let (digits, rest) = text.split_at_checked(4).ok_or(JsonError::Broken)?;
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(JsonError::Broken);
    }
    Ok((u32::from_str_radix(digits, 16).map_err(|_| JsonError::Broken)?, rest))
}

impl<'de> de::Deserializer<'de> for &mut Cursor<'de> {
    type Error = JsonError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.peek()? {
            b'"' => match self.string()? {
                Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
                Cow::Owned(text) => visitor.visit_string(text),
            },
            b'{' => self.nested(|cursor| visitor.visit_map(Members { cursor, first: true })),
            b'[' => self.nested(|cursor| {
                let mut members = Members { cursor, first: true };
                let value = visitor.visit_seq(&mut members)?;
                // A visitor may stop before the end; the text goes on behind it.
                while members.cursor.next_member(members.first, b']')? {
                    members.first = false;
                    members.cursor.skip()?;
                }
                Ok(value)
            }),
            _ => match self.scalar()? {
                "true" => visitor.visit_bool(true),
                "false" => visitor.visit_bool(false),
                "null" => visitor.visit_unit(),
                word => number(word, visitor),
            },
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.peek()? == b'n' {
            return if self.scalar()? == "null" { visitor.visit_none() } else { Err(JsonError::Broken) };
        }
        visitor.visit_some(self)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.skip()?;
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        // Enums of the API are words.
        if self.peek()? != b'"' {
            self.skip()?;
            return Err(JsonError::Unfit);
        }
        visitor.visit_enum(self.string()?.into_deserializer())
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier
    }
}

fn number<'de, V: Visitor<'de>>(word: &str, visitor: V) -> Result<V::Value> {
    let digits = word.strip_prefix('-').unwrap_or(word);
    if !digits.starts_with(|first: char| first.is_ascii_digit()) || word.contains(['_', 'x', 'n', 'i']) {
        return Err(JsonError::Broken);
    }
    if let Ok(value) = word.parse::<u64>() {
        return visitor.visit_u64(value);
    }
    if let Ok(value) = word.parse::<i64>() {
        return visitor.visit_i64(value);
    }
    word.parse::<f64>().map_err(|_| JsonError::Broken).and_then(|value| visitor.visit_f64(value))
}

struct Members<'a, 'de> {
    cursor: &'a mut Cursor<'de>,
    first: bool,
}

impl<'de> de::MapAccess<'de> for Members<'_, 'de> {
    type Error = JsonError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if !self.cursor.next_member(std::mem::take(&mut self.first), b'}')? {
            return Ok(None);
        }
        if self.cursor.peek()? != b'"' {
            return Err(JsonError::Broken);
        }
        seed.deserialize(&mut *self.cursor).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        self.cursor.expect(b':')?;
        seed.deserialize(&mut *self.cursor)
    }
}

impl<'de> de::SeqAccess<'de> for &mut Members<'_, 'de> {
    type Error = JsonError;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        if self.cursor.peek()? == b']' {
            return Ok(None);
        }
        if !self.cursor.next_member(std::mem::take(&mut self.first), b']')? {
            return Ok(None);
        }
        seed.deserialize(&mut *self.cursor).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::Value;

    use super::*;

    fn read(text: &str) -> Result<Value> {
        Value::deserialize(&mut Cursor::new(text))
    }

    const SAMPLE: &str =
        r#"{"a": [1, -2, 3.5e2, true, null, "x\n\u00e9\ud83d\ude00"], "b": {"c": {}, "d": []}, "e": ""}"#;

    #[test]
    fn json_is_read_as_serde_json_reads_it() {
        assert_eq!(read(SAMPLE).unwrap(), serde_json::from_str::<Value>(SAMPLE).unwrap());
        let pretty = serde_json::to_string_pretty(&serde_json::from_str::<Value>(SAMPLE).unwrap()).unwrap();
        assert_eq!(read(&pretty), read(SAMPLE));
        assert_eq!(read("\"\\ud800\""), Ok(Value::from("\u{fffd}")));
    }

    #[test]
    fn every_cut_is_incomplete_and_skipping_ends_where_reading_does() {
        for length in 0..SAMPLE.len() {
            if let Some(cut) = SAMPLE.get(..length) {
                assert_eq!(read(cut), Err(JsonError::Incomplete), "{cut}");
                assert_eq!(Cursor::new(cut).skip(), Err(JsonError::Incomplete), "{cut}");
            }
        }
        let mut cursor = Cursor::new(SAMPLE);
        cursor.skip().unwrap();
        assert_eq!(cursor.offset(), SAMPLE.len());
    }

    #[test]
    fn what_is_no_json_is_broken() {
        for text in
            ["{a: 1}", "[1 2]", "{\"a\" 1}", "[1,]", "tru ", "[+1]", "{\"a\":1,}", "[01x]", "nul ", "[\"\\q\"]", "[.5]"]
        {
            assert_eq!(read(text), Err(JsonError::Broken), "{text}");
        }
        assert_eq!(Cursor::new("[{]}").skip(), Err(JsonError::Broken));
        for deep in ["[".repeat(100_000), "{\"a\":".repeat(100_000)] {
            assert_eq!(read(&deep), Err(JsonError::Broken));
            assert_eq!(Cursor::new(&deep).skip(), Err(JsonError::Broken));
        }
    }

    #[test]
    fn a_value_of_another_type_is_unfit() {
        assert_eq!(u8::deserialize(&mut Cursor::new("\"x\"")), Err(JsonError::Unfit));
        assert_eq!(u8::deserialize(&mut Cursor::new("256 ")), Err(JsonError::Unfit));
        assert_eq!(<Option<u8>>::deserialize(&mut Cursor::new("null ")), Ok(None));
    }
}

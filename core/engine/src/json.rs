//! JSON from the start of a text, into the types of `api`.
//!
//! Two things set it apart from `serde_json`: values that nobody asks for are skipped without being looked into, and
//! a text that ends too early is told from one that is broken, so that reading can go on when more has come.
//! It is also the one way in for those types: the page is measured in kilobytes, and one loop that reads every object
//! by a table of its fields is a fraction of what derived code takes, which is another loop for every type.

mod decimal;
mod object;
mod wide;
mod write;

use std::borrow::Cow;

use memchr::memchr2;
use serde_json::{Map, Value};

pub use decimal::{parse_float, shortest_digits_of_single};
pub use object::{Fields, Read};
pub(crate) use object::{deserialize, fields};
pub use write::{digits_text, float_text, number_text, text_of};

/// How deep values may be nested.
const DEPTH_LIMIT: u8 = 120;

/// Why a value could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonError {
    /// The text ends before the value does.
    Incomplete,
    /// The text is not JSON.
    Broken,
    /// The value is not of the type that was asked for.
    Unfit,
}

type Result<T> = std::result::Result<T, JsonError>;

/// Reads a value that is all that a text holds.
pub fn from_text(text: &str) -> Option<Value> {
    // A number ends where something else follows.
    let text = [text, "\n"].concat();
    let mut cursor = Cursor::new(&text);
    let value = cursor.value().ok()?;
    // Nothing but white space is left.
    cursor.peek().is_err().then_some(value)
}

/// A value as text, without white space.
pub fn to_text(value: &Value) -> String {
    text_of(value, number_text)
}

/// An object with one member.
pub fn object_of(name: &str, value: Value) -> Value {
    let mut object = Map::new();
    object.insert(name.to_owned(), value);
    Value::Object(object)
}

/// The value at the end of a way of fields, such as `spec.template`.
pub fn value_at<'a>(json: &'a Value, way: &str) -> Option<&'a Value> {
    way.split('.').try_fold(json, |value, field| value.get(field))
}

/// Whether there is a value of some sort at the end of a way of fields; `[]` behind a field stands for all elements of
/// the list in it.
pub fn any_at(json: &Value, way: &str, is_one: &dyn Fn(&Value) -> bool) -> bool {
    let (step, rest) = way.split_once('.').unwrap_or((way, ""));
    let is_one_below = |value: &Value| if rest.is_empty() { is_one(value) } else { any_at(value, rest, is_one) };
    match (step.strip_suffix("[]"), json.get(step.trim_end_matches("[]"))) {
        (_, None) => false,
        (None, Some(value)) => is_one_below(value),
        (Some(_), Some(list)) => list.as_array().is_some_and(|elements| elements.iter().any(is_one_below)),
    }
}

/// An object of these members.
///
/// To collect them would bring a stable sort and all that builds a tree at once into the page.
pub fn gathered(members: &mut dyn Iterator<Item = (String, Value)>) -> Map<String, Value> {
    let mut object = Map::new();
    for (name, value) in members {
        object.insert(name, value);
    }
    object
}

/// Takes a member out of an object.
///
/// `Map::remove` would bring all that mends a tree into the page; objects have few members, and few are taken out.
pub fn take_out(object: &mut Map<String, Value>, name: &str) -> Option<Value> {
    if !object.contains_key(name) {
        return None;
    }
    let mut taken = None;
    for (other, value) in std::mem::take(object) {
        if other == name {
            taken = Some(value);
        } else {
            object.insert(other, value);
        }
    }
    taken
}

/// Reads a value that was JSON already; else its compact text and the byte of it where it does not fit the type.
pub fn read_json(json: &Value, into: &mut dyn Read) -> std::result::Result<(), (String, usize)> {
    let text = [&to_text(json), "\n"].concat();
    let mut cursor = Cursor::new(&text);
    let result = cursor.read(into);
    let at = cursor.at;
    result.map_err(|_| (text, at))
}

/// A value without others in it.
enum Scalar<'de> {
    Null,
    Bool(bool),
    Number(&'de str),
    Text(Cow<'de, str>),
}

/// A place in a text that is read as JSON.
#[derive(Clone, Debug)]
pub struct Cursor<'de> {
    text: &'de str,
    at: usize,
    depth: u8,
}

impl<'de> Cursor<'de> {
    /// A cursor before the first byte.
    pub fn new(text: &'de str) -> Self {
        Self { text, at: 0, depth: 0 }
    }

    /// Bytes before this place.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// The next byte behind white space.
    pub fn peek(&mut self) -> Result<u8> {
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
    pub fn take(&mut self, wanted: u8) -> Result<bool> {
        let found = self.peek()? == wanted;
        self.at += usize::from(found);
        Ok(found)
    }

    fn expect(&mut self, wanted: u8) -> Result<()> {
        if self.take(wanted)? { Ok(()) } else { Err(JsonError::Broken) }
    }

    /// Steps to the next member of an object or list; `first` says that none was read yet.
    pub fn next_member(&mut self, first: bool, end: u8) -> Result<bool> {
        if self.take(end)? {
            return Ok(false);
        }
        if !first {
            self.expect(b',')?;
        }
        Ok(true)
    }

    /// The key of an object's member, and the colon behind it.
    pub fn key(&mut self) -> Result<Cow<'de, str>> {
        if self.peek()? != b'"' {
            return Err(JsonError::Broken);
        }
        let key = self.string()?;
        self.expect(b':')?;
        Ok(key)
    }

    /// A string; the cursor stands at its quote.
    pub fn string(&mut self) -> Result<Cow<'de, str>> {
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
    pub fn skip(&mut self) -> Result<()> {
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

    /// Reads a value into its place; `null` leaves what is there, as Go's decoder does.
    #[inline(never)]
    pub fn read(&mut self, into: &mut dyn Read) -> Result<()> {
        if self.null()? { Ok(()) } else { into.read(self) }
    }

    /// Steps over `null` when that is what stands here.
    fn null(&mut self) -> Result<bool> {
        if self.peek()? != b'n' {
            return Ok(false);
        }
        if self.scalar()? == "null" { Ok(true) } else { Err(JsonError::Broken) }
    }

    /// Reads an object: `member` is given each key, and reads the value behind it.
    pub fn members(&mut self, member: &mut dyn FnMut(Cow<'de, str>, &mut Self) -> Result<()>) -> Result<()> {
        let mut first = true;
        self.enter(b'{')?;
        while self.next_member(std::mem::take(&mut first), b'}')? {
            let key = self.key()?;
            member(key, self)?;
        }
        self.depth -= 1;
        Ok(())
    }

    /// Reads a list: `element` reads one after the other.
    fn elements(&mut self, element: &mut dyn FnMut(&mut Self) -> Result<()>) -> Result<()> {
        let mut first = true;
        self.enter(b'[')?;
        while self.next_member(std::mem::take(&mut first), b']')? {
            element(self)?;
        }
        self.depth -= 1;
        Ok(())
    }

    /// Steps into an object or a list, which starts with `start`.
    fn enter(&mut self, start: u8) -> Result<()> {
        if self.peek()? != start {
            return Err(self.unfit());
        }
        if self.depth >= DEPTH_LIMIT {
            return Err(JsonError::Broken);
        }
        self.at += 1;
        self.depth += 1;
        Ok(())
    }

    /// What is wrong with a value that is not of the type asked for: perhaps it is no JSON at all.
    fn unfit(&mut self) -> JsonError {
        self.simple_value().err().unwrap_or(JsonError::Unfit)
    }

    /// A value without others in it; an object or a list does not fit.
    fn simple_value(&mut self) -> Result<Scalar<'de>> {
        match self.peek()? {
            b'"' => self.string().map(Scalar::Text),
            b'{' | b'[' => {
                self.at += 1;
                Err(JsonError::Unfit)
            }
            _ => match self.scalar()? {
                "true" => Ok(Scalar::Bool(true)),
                "false" => Ok(Scalar::Bool(false)),
                "null" => Ok(Scalar::Null),
                word => {
                    let digits = word.strip_prefix('-').unwrap_or(word);
                    let starts_well = digits.as_bytes().first().is_some_and(u8::is_ascii_digit);
                    // Most numbers are whole and small.
                    if !starts_well || (word.parse::<i64>().is_err() && parse_float(word).is_none()) {
                        return Err(JsonError::Broken);
                    }
                    Ok(Scalar::Number(word))
                }
            },
        }
    }

    /// Text.
    #[inline(never)]
    pub fn text(&mut self) -> Result<Cow<'de, str>> {
        if self.peek()? == b'"' { self.string() } else { Err(self.unfit()) }
    }

    /// A number without a fraction.
    #[inline(never)]
    pub fn integer(&mut self) -> Result<i64> {
        match self.simple_value()? {
            Scalar::Number(word) => word.parse().map_err(|_| JsonError::Unfit),
            _ => Err(JsonError::Unfit),
        }
    }

    /// A boolean.
    pub fn boolean(&mut self) -> Result<bool> {
        match self.simple_value()? {
            Scalar::Bool(value) => Ok(value),
            _ => Err(JsonError::Unfit),
        }
    }

    /// Text, or a number as it is written.
    pub fn text_or_number(&mut self) -> Result<Cow<'de, str>> {
        match self.simple_value()? {
            Scalar::Text(text) => Ok(text),
            Scalar::Number(word) => Ok(Cow::Borrowed(word)),
            _ => Err(JsonError::Unfit),
        }
    }

    /// Any value.
    pub fn value(&mut self) -> Result<Value> {
        Ok(match self.peek()? {
            b'{' => {
                let mut members = Map::new();
                self.members(&mut |key, cursor| {
                    members.insert(key.into_owned(), cursor.value()?);
                    Ok(())
                })?;
                Value::Object(members)
            }
            b'[' => {
                let mut items = Vec::new();
                self.elements(&mut |cursor| {
                    items.push(cursor.value()?);
                    Ok(())
                })?;
                Value::Array(items)
            }
            _ => match self.simple_value()? {
                Scalar::Null => Value::Null,
                Scalar::Bool(value) => Value::Bool(value),
                Scalar::Text(text) => Value::String(text.into_owned()),
                Scalar::Number(word) => number(word),
            },
        })
    }
}

fn number(word: &str) -> Value {
    if let Ok(value) = word.parse::<u64>() {
        return Value::from(value);
    }
    if let Ok(value) = word.parse::<i64>() {
        return Value::from(value);
    }
    Value::from(parse_float(word).unwrap_or(f64::NAN))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_leads_to_all_elements_of_a_list() {
        let json = serde_json::json!({"a": [{"b": {"c": 1}}, {"b": {"c": 2}}, 3], "d": {"a": []}});
        let is_two = |value: &Value| value == 2;
        assert!(any_at(&json, "a[].b.c", &is_two));
        assert!(!any_at(&json, "a.b.c", &is_two));
        assert!(!any_at(&json, "d.a[]", &|_| true));
        assert!(any_at(&json, "d.a", &|_| true));
    }

    fn read(text: &str) -> Result<Value> {
        Cursor::new(text).value()
    }

    const SAMPLE: &str =
        r#"{"a": [1, -2, 3.5e2, true, null, "x\n\u00e9\ud83d\ude00"], "b": {"c": {}, "d": []}, "e": ""}"#;

    const SAMPLE_WRITTEN: &str = r#"{"a":[1,-2,3.5e2,true,null,"x\né😀"],"b":{"c":{},"d":[]},"e":""}"#;

    #[test]
    fn json_is_read_as_serde_json_reads_it() {
        assert_eq!(read(SAMPLE).unwrap(), serde_json::from_str::<Value>(SAMPLE).unwrap());
        let pretty = serde_json::to_string_pretty(&serde_json::from_str::<Value>(SAMPLE).unwrap()).unwrap();
        assert_eq!(read(&pretty), read(SAMPLE));
        assert_eq!(from_text(&format!("{pretty}\n")), read(SAMPLE).ok());
        // A whole number is written without a fraction.
        assert_eq!(to_text(&read(SAMPLE).unwrap()).replace("350", "3.5e2"), SAMPLE_WRITTEN);
        assert_eq!(from_text("5"), Some(Value::from(5)));
        assert_eq!(from_text("{} {}"), None);
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
        assert_eq!(Cursor::new("\"x\"").integer(), Err(JsonError::Unfit));
        assert_eq!(Cursor::new("1.5 ").integer(), Err(JsonError::Unfit));
        assert_eq!(Cursor::new("{").boolean(), Err(JsonError::Unfit));
        assert_eq!(Cursor::new("tru ").text(), Err(JsonError::Broken));
        assert_eq!(Cursor::new("12").text(), Err(JsonError::Incomplete));
        assert_eq!(Cursor::new("-12 ").text_or_number().as_deref(), Ok("-12"));
    }
}

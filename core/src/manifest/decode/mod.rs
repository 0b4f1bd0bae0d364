//! A document's tree as the API's types: unknown fields, wrong types, and the object as Go would write it back.
//!
//! Stands for `sigs.k8s.io/json` as the API server uses it with strict field validation (Kubernetes 1.36): names are
//! told apart by case, `null` goes everywhere, numbers are not text and text is no number. Where Go stops at the first
//! wrong type, reading goes on with what the value most likely means, so that other problems show too.

mod number;
mod problem;
mod quantity;

use serde_json::{Map, Value};

pub use problem::{DecodeProblem, Expected, Found};

use super::at::At;
use super::schema::{self, Container, Element, Field, TypeId};
use super::{Fix, Path, Problem, ProblemKind, Span, Tree, TreeValue};
use crate::KubernetesVersion;
use crate::api::Text;
use crate::time::Timestamp;

/// At most this many problems of one document are reported; nobody reads more.
pub(super) const MOST_PROBLEMS: usize = 1000;

/// How far below its owner a misplaced field is looked for.
const DEEPEST_SEARCH: usize = 3;

/// How a document is decoded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decoding<'a> {
    /// The text that the tree was read from; empty when there is none. Fixes quote it.
    pub text: &'a str,
    /// The number of the document, for its problems.
    pub document: u32,
    /// Whether unknown fields are errors.
    pub strict: bool,
    /// The release of the API server: fields of later ones are unknown.
    pub version: KubernetesVersion,
}

/// An object as Go would write it back, and what was wrong with it.
#[derive(Clone, Debug, Default)]
pub(super) struct Decoded {
    /// The object; fields that could not be read are absent.
    pub json: Map<String, Value>,
    /// In the order of the document.
    pub problems: Vec<Problem>,
}

/// Decodes `tree` as the type `id`.
pub(super) fn decode(id: TypeId, tree: &Tree, decoding: Decoding<'_>) -> Decoded {
    let mut decoder = Decoder { decoding, problems: Vec::new() };
    let json = match decoder.element(Element::Object(id), false, tree, &At::ROOT) {
        Some(Value::Object(json)) => json,
        _ => Map::new(),
    };
    Decoded { json, problems: decoder.problems }
}

/// What an absent object of a type is written as: the fields that are always written.
pub(super) fn empty_object(id: TypeId) -> Map<String, Value> {
    let mut json = Map::new();
    fill_always_written(id, &mut json);
    json
}

fn fill_always_written(id: TypeId, json: &mut Map<String, Value>) {
    for field in schema::fields(id).iter().filter(|field| field.always_written) {
        if !json.contains_key(field.name) {
            json.insert(field.name.to_owned(), empty(field));
        }
    }
}

fn empty(field: &Field) -> Value {
    if field.optional || field.container != Container::One { Value::Null } else { empty_element(field.element) }
}

struct Decoder<'a> {
    decoding: Decoding<'a>,
    problems: Vec<Problem>,
}

impl Decoder<'_> {
    fn object(&mut self, id: TypeId, tree: &Tree, at: &At<'_>) -> Option<Value> {
        let entries = match &tree.value {
            TreeValue::Mapping(entries) => entries,
            TreeValue::Null => return Some(Value::Object(empty_object(id))),
            _ => return self.wrong_type(Expected::Object, tree, at),
        };
        let mut json = Map::new();
        for entry in entries {
            let at = at.field(&entry.key);
            let Some(field) = schema::field(id, &entry.key) else {
                self.unknown_field(id, tree, entry, &at);
                continue;
            };
            if let Some(since) = schema::newer_than(self.decoding.version, id, field.name) {
                let problem = DecodeProblem::NewerField { since, ignored: !self.decoding.strict };
                self.report(problem, entry.key_span, &at, None);
                continue;
            }
            if let Some(value) = self.field(field, &entry.value, &at)
                && (field.always_written || (field.optional && !value.is_null()) || !is_empty(&value))
            {
                json.insert(field.name.to_owned(), value);
            }
        }
        fill_always_written(id, &mut json);
        Some(Value::Object(json))
    }

    fn field(&mut self, field: &Field, tree: &Tree, at: &At<'_>) -> Option<Value> {
        if field.optional && tree.value == TreeValue::Null {
            return Some(Value::Null);
        }
        let in_resource_list = field.container == Container::Map;
        match (field.container, &tree.value) {
            (Container::One, _) => self.element(field.element, in_resource_list, tree, at),
            (_, TreeValue::Null) => Some(Value::Null),
            (Container::List, TreeValue::Sequence(items)) if items.is_empty() => Some(Value::Null),
            (Container::List, TreeValue::Sequence(items)) => {
                let mut json = Vec::with_capacity(items.len());
                for (index, item) in items.iter().enumerate() {
                    let read = self.element(field.element, in_resource_list, item, &at.index(index));
                    // A place is kept for what cannot be read: positions are part of later problems' paths.
                    json.push(read.unwrap_or_else(|| empty_element(field.element)));
                }
                Some(Value::Array(json))
            }
            (Container::List, _) => self.wrong_type(Expected::List, tree, at),
            (Container::Map, TreeValue::Mapping(entries)) => {
                let mut json = Map::new();
                for entry in entries {
                    if let Some(value) =
                        self.element(field.element, in_resource_list, &entry.value, &at.key(&entry.key))
                    {
                        json.insert(entry.key.clone(), value);
                    }
                }
                Some(Value::Object(json))
            }
            (Container::Map, _) => self.wrong_type(Expected::Map, tree, at),
        }
    }

    fn element(&mut self, element: Element, in_resource_list: bool, tree: &Tree, at: &At<'_>) -> Option<Value> {
        match (element, &tree.value) {
            (Element::Object(id), _) => self.object(id, tree, at),
            (Element::Any, _) => Some(tree.to_json()),
            (Element::Time, TreeValue::Null) => Some(Value::Null),
            (_, TreeValue::Null) => Some(empty_element(element)),
            (Element::String | Element::IntOrString, TreeValue::String(text)) => Some(Value::String(text.clone())),
            (Element::String, TreeValue::Bool(_) | TreeValue::Number(_)) => {
                self.report_wrong_type(Expected::String, tree, at, self.quoted(tree.span));
                Some(Value::String(scalar_text(&tree.value)))
            }
            (Element::Bool, TreeValue::Bool(value)) => Some(Value::Bool(*value)),
            (Element::Bool, TreeValue::String(text)) => {
                let meant = boolean_meant(text);
                let fix = meant.map(|value| Fix { span: tree.span, replacement: value.to_string() });
                self.report_wrong_type(Expected::Bool, tree, at, fix);
                meant.map(Value::Bool)
            }
            (Element::Int32 | Element::IntOrString, TreeValue::Number(number)) => self.integer(number, 32, tree, at),
            (Element::Int64, TreeValue::Number(number)) => self.integer(number, 64, tree, at),
            (Element::Int32 | Element::Int64, TreeValue::String(text)) => {
                let meant = text.trim().parse::<i64>().ok();
                let fix = meant.map(|number| Fix { span: tree.span, replacement: number.to_string() });
                self.report_wrong_type(Expected::Integer, tree, at, fix);
                meant
                    .filter(|_| element == Element::Int64)
                    .or(meant.and_then(|number| i32::try_from(number).ok()).map(i64::from))
                    .map(Value::from)
            }
            (Element::Quantity, TreeValue::String(text)) => self.quantity(text, in_resource_list, tree, at),
            (Element::Quantity, TreeValue::Number(number)) => {
                self.quantity(&number::json_text(number), in_resource_list, tree, at)
            }
            (Element::Time, TreeValue::String(text)) => match Timestamp::parse(text).filter(|_| is_rfc3339(text)) {
                Some(moment) => Some(Value::String(moment.truncate_to_seconds().to_string())),
                None => self.report(DecodeProblem::NotATime { written: Text::new(text) }, tree.span, at, None),
            },
            _ => self.wrong_type(expected_of(element), tree, at),
        }
    }

    fn integer(&mut self, number: &serde_json::Number, bits: u8, tree: &Tree, at: &At<'_>) -> Option<Value> {
        let value = number::whole(number).filter(|value| bits == 64 || i32::try_from(*value).is_ok());
        if value.is_none() {
            let written = Text::new(number::json_text(number));
            return self.report(DecodeProblem::NotAWholeNumber { written, bits }, tree.span, at, None);
        }
        value.map(Value::from)
    }

    fn quantity(&mut self, text: &str, in_resource_list: bool, tree: &Tree, at: &At<'_>) -> Option<Value> {
        match quantity::canonical(text.trim(), in_resource_list) {
            Some(written) => Some(Value::String(written)),
            None => self.report(DecodeProblem::NotAQuantity { written: Text::new(text) }, tree.span, at, None),
        }
    }

    fn unknown_field(&mut self, id: TypeId, owner: &Tree, entry: &super::Entry, at: &At<'_>) {
        let nearest = schema::nearest(id, &entry.key).filter(|(field, _)| owner.get(field.name).is_none());
        let belongs_in = if nearest.is_none() { only_place_below(id, &entry.key) } else { None };
        // One letter apart, or only in case: it cannot mean anything else here.
        let fix = nearest
            .filter(|(_, edits)| *edits <= 1)
            .map(|(field, _)| Fix { span: entry.key_span, replacement: field.name.to_owned() });
        let problem = DecodeProblem::UnknownField {
            name: Text::new(&entry.key),
            meant: nearest.map(|(field, _)| Text::new_static(field.name)),
            belongs_in,
            ignored: !self.decoding.strict,
        };
        self.report(problem, entry.key_span, at, fix);
    }

    fn wrong_type(&mut self, expected: Expected, tree: &Tree, at: &At<'_>) -> Option<Value> {
        self.report_wrong_type(expected, tree, at, None);
        None
    }

    fn report_wrong_type(&mut self, expected: Expected, tree: &Tree, at: &At<'_>, fix: Option<Fix>) {
        let found = match &tree.value {
            TreeValue::Bool(_) => Found::Bool,
            TreeValue::Number(_) => Found::Number,
            TreeValue::Sequence(_) => Found::List,
            TreeValue::Mapping(_) => Found::Map,
            TreeValue::String(_) | TreeValue::Null => Found::String,
        };
        self.report(DecodeProblem::WrongType { expected, found }, tree.span, at, fix);
    }

    fn report(&mut self, problem: DecodeProblem, span: Span, at: &At<'_>, fix: Option<Fix>) -> Option<Value> {
        if self.problems.len() < MOST_PROBLEMS {
            let path: Path = at.path();
            let document = self.decoding.document;
            self.problems.push(Problem { kind: ProblemKind::Decode(problem), document, path, span, fix });
        }
        None
    }

    /// The text of a scalar in double quotes, when it is plain enough to be put there as it is.
    fn quoted(&self, span: Span) -> Option<Fix> {
        let range = usize::try_from(span.start.offset).ok()?..usize::try_from(span.end.offset).ok()?;
        let plain = self.decoding.text.get(range)?;
        let safe =
            !plain.is_empty() && plain.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".+-_".contains(&byte));
        safe.then(|| Fix { span, replacement: format!("\"{plain}\"") })
    }
}

fn expected_of(element: Element) -> Expected {
    match element {
        Element::String => Expected::String,
        Element::Bool => Expected::Bool,
        Element::Int32 | Element::Int64 => Expected::Integer,
        Element::IntOrString => Expected::IntOrString,
        Element::Quantity => Expected::Quantity,
        Element::Time => Expected::Time,
        Element::Any | Element::Object(_) => Expected::Object,
    }
}

fn empty_element(element: Element) -> Value {
    match element {
        Element::String => Value::String(String::new()),
        Element::Bool => Value::Bool(false),
        Element::Int32 | Element::Int64 | Element::IntOrString => Value::from(0),
        Element::Quantity => Value::from("0"),
        Element::Time | Element::Any => Value::Null,
        Element::Object(id) => Value::Object(empty_object(id)),
    }
}

/// Whether Go leaves a value out under `omitempty` or `omitzero`.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Number(number) => number.as_i64() == Some(0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(entries) => entries.is_empty(),
        Value::Bool(true) => false,
    }
}

fn scalar_text(value: &TreeValue) -> String {
    match value {
        TreeValue::Bool(value) => value.to_string(),
        TreeValue::Number(number) => number::json_text(number),
        TreeValue::String(text) => text.clone(),
        TreeValue::Null | TreeValue::Sequence(_) | TreeValue::Mapping(_) => String::new(),
    }
}

/// Whether a time has the letters and separators that Go's reader insists on: `2026-01-31T12:00:00Z` or with an offset
/// such as `+01:00`.
fn is_rfc3339(text: &str) -> bool {
    let bytes = text.as_bytes();
    let has_offset = || {
        let sign = bytes.len().checked_sub(6).and_then(|place| bytes.get(place));
        matches!(sign, Some(b'+' | b'-')) && bytes.iter().rev().nth(2) == Some(&b':')
    };
    bytes.get(10) == Some(&b'T') && (bytes.last() == Some(&b'Z') || has_offset())
}

fn boolean_meant(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "y" => Some(true),
        "false" | "no" | "off" | "n" => Some(false),
        _ => None,
    }
}

/// The way from a type to the only nearest field of that name below it, through single objects.
fn only_place_below(id: TypeId, name: &str) -> Option<Text> {
    for levels in 0..DEEPEST_SEARCH {
        let mut ways = Vec::new();
        add_ways(id, name, levels, "", &mut ways);
        match ways.as_slice() {
            [] => {}
            [only] => return Some(Text::new(only)),
            _ => return None,
        }
    }
    None
}

/// Adds the ways to the objects with such a field that are so many levels below the fields of a type.
fn add_ways(id: TypeId, name: &str, levels: usize, above: &str, ways: &mut Vec<String>) {
    for field in schema::fields(id) {
        let (Element::Object(inner), Container::One) = (field.element, field.container) else { continue };
        let way = if above.is_empty() { field.name.to_owned() } else { [above, ".", field.name].concat() };
        if levels > 0 {
            add_ways(inner, name, levels - 1, &way, ways);
        } else if schema::field(inner, name).is_some() {
            ways.push(way);
        }
    }
}

#[cfg(test)]
pub(super) mod tests;

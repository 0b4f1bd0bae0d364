use serde_json::Value;
use serde_json::map::{Iter, Map};

use crate::api::Quantity;
use crate::manifest::at::At;

static NULL: Value = Value::Null;

// What follows is called in a thousand places and never often: it stays out of line, which the page is smaller by.

/// A value of a decoded object and its place. A field that is absent is a node too: its value is null.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<'a> {
    /// The value.
    pub value: &'a Value,
    /// Its place in the document.
    pub at: At<'a>,
    /// Its place as the API server names it in problems, which is not always where it stands.
    pub named: At<'a>,
}

impl<'a> Node<'a> {
    /// The whole object.
    pub fn root(value: &'a Value) -> Self {
        Self { value, at: At::ROOT, named: At::ROOT }
    }

    /// The same value under another name.
    #[inline(never)]
    pub fn renamed<'b>(&'b self, named: At<'b>) -> Node<'b>
    where
        'a: 'b,
    {
        Node { named, ..*self }
    }

    /// A field.
    #[inline(never)]
    pub fn field<'b>(&'b self, name: &'b str) -> Node<'b>
    where
        'a: 'b,
    {
        let value = self.value.get(name).unwrap_or(&NULL);
        Node { value, at: self.at.field(name), named: self.named.field(name) }
    }

    /// An entry of a map.
    #[inline(never)]
    pub fn entry<'b>(&'b self, key: &'b str) -> Node<'b>
    where
        'a: 'b,
    {
        let value = self.value.get(key).unwrap_or(&NULL);
        Node { value, at: self.at.key(key), named: self.named.key(key) }
    }

    /// The elements of a list.
    pub fn items(&self) -> Items<'_> {
        Items { list: self, next: 0 }
    }

    /// The entries of a map.
    pub fn entries(&self) -> Entries<'_> {
        Entries { map: self, rest: self.value.as_object().map(Map::iter) }
    }

    /// Whether there is a value, be it an empty one.
    pub fn exists(&self) -> bool {
        !self.value.is_null()
    }

    /// Whether a field has a value.
    #[inline(never)]
    pub fn has(&self, name: &str) -> bool {
        self.value.get(name).is_some_and(|value| !value.is_null())
    }

    /// Its text; empty when there is none.
    #[inline(never)]
    pub fn as_text(&self) -> &'a str {
        self.value.as_str().unwrap_or("")
    }

    /// The text of a field; empty when there is none.
    #[inline(never)]
    pub fn text(&self, name: &str) -> &'a str {
        self.value.get(name).and_then(Value::as_str).unwrap_or("")
    }

    /// The number of a field.
    #[inline(never)]
    pub fn number(&self, name: &str) -> Option<i64> {
        self.value.get(name).and_then(Value::as_i64)
    }

    /// Its number; 0 when there is none.
    #[inline(never)]
    pub fn as_number(&self) -> i64 {
        self.value.as_i64().unwrap_or(0)
    }

    /// The boolean of a field.
    #[inline(never)]
    pub fn flag(&self, name: &str) -> Option<bool> {
        self.value.get(name).and_then(Value::as_bool)
    }

    /// Whether a field is there and true.
    #[inline(never)]
    pub fn is_true(&self, name: &str) -> bool {
        self.flag(name) == Some(true)
    }

    /// How many elements or entries it has.
    #[inline(never)]
    pub fn len(&self) -> usize {
        match self.value {
            Value::Array(items) => items.len(),
            Value::Object(entries) => entries.len(),
            _ => 0,
        }
    }

    /// The amount it holds.
    #[inline(never)]
    pub fn quantity(&self) -> Option<Quantity> {
        Quantity::parse(self.value.as_str()?).ok()
    }
}

/// The elements of a list, each with its place.
pub(super) struct Items<'a> {
    list: &'a Node<'a>,
    next: usize,
}

impl<'a> Iterator for Items<'a> {
    type Item = Node<'a>;

    #[inline(never)]
    fn next(&mut self) -> Option<Node<'a>> {
        let index = self.next;
        let value = self.list.value.get(index)?;
        self.next += 1;
        Some(Node { value, at: self.list.at.index(index), named: self.list.named.index(index) })
    }
}

/// The entries of a map, each with its place.
pub(super) struct Entries<'a> {
    map: &'a Node<'a>,
    rest: Option<Iter<'a>>,
}

impl<'a> Iterator for Entries<'a> {
    type Item = (&'a str, Node<'a>);

    #[inline(never)]
    fn next(&mut self) -> Option<(&'a str, Node<'a>)> {
        let (key, value) = self.rest.as_mut()?.next()?;
        Some((key.as_str(), Node { value, at: self.map.at.key(key), named: self.map.named.key(key) }))
    }
}

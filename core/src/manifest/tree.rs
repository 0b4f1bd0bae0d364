use super::{Path, PathStep};

/// A place in a text: byte offset, and line and column as an editor counts them (both from 1, columns in characters).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct Position {
    /// Bytes before this place.
    pub offset: u32,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// A range of a text; `end` is just behind the last character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct Span {
    /// First character.
    pub start: Position,
    /// Behind the last character.
    pub end: Position,
}

/// A value of a document and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// The value, with scalars resolved as kubectl's YAML reader resolves them.
    pub value: TreeValue,
    /// Where it stands. What came in through an alias or a merge key stands where it was first written.
    pub span: Span,
}

/// The kinds of value, as JSON has them.
#[derive(Clone, Debug, PartialEq)]
pub enum TreeValue {
    /// `null`, `~` or nothing at all.
    Null,
    /// A boolean.
    Bool(bool),
    /// A number.
    Number(serde_json::Number),
    /// Text.
    String(String),
    /// A list.
    Sequence(Vec<Tree>),
    /// A map in the order of the document, without repeated keys: the last of them was kept, the others reported.
    Mapping(Vec<Entry>),
}

/// One `key: value` of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The key as text, as JSON will have it.
    pub key: String,
    /// Where the key stands.
    pub key_span: Span,
    /// The value.
    pub value: Tree,
}

impl Tree {
    /// The value of `key` when this is a map that has it.
    pub fn get(&self, key: &str) -> Option<&Tree> {
        self.entry(key).map(|entry| &entry.value)
    }

    /// The entry of `key` when this is a map that has it.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        match &self.value {
            TreeValue::Mapping(entries) => entries.iter().find(|entry| entry.key == key),
            _ => None,
        }
    }

    /// The text when this is text.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            TreeValue::String(text) => Some(text),
            _ => None,
        }
    }

    /// The deepest value on the way along `path`, and whether the whole way exists.
    pub fn find(&self, path: &Path) -> (&Tree, bool) {
        let mut here = self;
        for step in &path.0 {
            let next = match (step, &here.value) {
                (PathStep::Field(name) | PathStep::Key(name), _) => here.get(name),
                (PathStep::Index(index), TreeValue::Sequence(items)) => {
                    usize::try_from(*index).ok().and_then(|index| items.get(index))
                }
                (PathStep::Index(_), _) => None,
            };
            match next {
                Some(next) => here = next,
                None => return (here, false),
            }
        }
        (here, true)
    }

    /// The same value as JSON, keys sorted.
    pub fn to_json(&self) -> serde_json::Value {
        match &self.value {
            TreeValue::Null => serde_json::Value::Null,
            TreeValue::Bool(value) => serde_json::Value::Bool(*value),
            TreeValue::Number(number) => serde_json::Value::Number(number.clone()),
            TreeValue::String(text) => serde_json::Value::String(text.clone()),
            TreeValue::Sequence(items) => items.iter().map(Tree::to_json).collect(),
            TreeValue::Mapping(entries) => {
                let mut fields = serde_json::Map::new();
                for entry in entries {
                    fields.insert(entry.key.clone(), entry.value.to_json());
                }
                serde_json::Value::Object(fields)
            }
        }
    }
}

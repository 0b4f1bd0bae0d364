//! Field names, types, known values and list keys of the API's own types.
//!
//! `table.txt` is made from `k8s.io/api` by the program in `tests/schema` and read here once, on first use. One line a
//! type: its name, then its fields in the API's order, each
//!
//! ```text
//! name:  *  [] or {}  element  =values  !  @keys
//!        │  │         │        │        │  └ what tells the elements of the list apart
//!        │  │         │        │        └ written even when empty
//!        │  │         │        └ name of the known values, listed on a line that starts with `=`
//!        │  │         └ another type, or s text, b boolean, i and l numbers of 32 and 64 bits, q quantity,
//!        │  │           x number or text, t and u time in seconds and microseconds, a anything
//!        │  └ a list, or a map with text keys
//!        └ absent and empty differ
//! ```

mod nearest;
mod since;

use std::sync::OnceLock;

pub use nearest::{is_probably, nearest};
pub(super) use since::newer_than;

static TABLE: &str = include_str!("table.txt");

/// A type of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypeId(u16);

/// What one value of a field is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// Text.
    String,
    /// A boolean.
    Bool,
    /// A whole number of 32 bits.
    Int32,
    /// A whole number of 64 bits.
    Int64,
    /// An amount such as `100m` (`resource.Quantity`).
    Quantity,
    /// A number or text (`intstr.IntOrString`).
    IntOrString,
    /// A time (`metav1.Time`, `metav1.MicroTime`).
    Time,
    /// Anything at all (`runtime.RawExtension`, `metav1.FieldsV1`).
    Any,
    /// An object with these fields.
    Object(TypeId),
}

/// How many values a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// One.
    One,
    /// A list of them.
    List,
    /// A map with text keys that users choose.
    Map,
}

/// A field of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name in JSON and YAML.
    pub name: &'static str,
    /// How many values it holds.
    pub container: Container,
    /// What each of them is.
    pub element: Element,
    /// Whether an empty value (`0`, `""`, `false`, `{}`) is kept apart from an absent one.
    pub optional: bool,
    /// Whether the API server writes it even when it is empty.
    pub always_written: bool,
    values: &'static str,
    list_keys: &'static str,
}

impl Field {
    /// The values that the API names for it; empty when any text goes. Not every named value is allowed everywhere.
    pub fn values(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.values.split_ascii_whitespace()
    }

    /// The fields of an element that tell it from its neighbours in the list; empty when only the position does.
    pub fn list_keys(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.list_keys.split(',').filter(|key| !key.is_empty())
    }
}

struct Type {
    name: &'static str,
    fields: Vec<Field>,
}

/// The type of that name, such as `DaemonSet` or `PodSpec`.
pub fn type_named(name: &str) -> Option<TypeId> {
    types()
        .binary_search_by(|candidate| candidate.name.cmp(name))
        .ok()
        .and_then(|index| index.try_into().ok())
        .map(TypeId)
}

/// The name of a type.
pub fn name_of(id: TypeId) -> &'static str {
    types().get(usize::from(id.0)).map_or("", |found| found.name)
}

/// The fields of a type, in the API's order.
pub fn fields(id: TypeId) -> &'static [Field] {
    types().get(usize::from(id.0)).map_or(&[], |found| &found.fields)
}

/// The field of that name. Names are told apart by case, as the API server does.
pub fn field(id: TypeId, name: &str) -> Option<&'static Field> {
    fields(id).iter().find(|candidate| candidate.name == name)
}

fn types() -> &'static [Type] {
    static TYPES: OnceLock<Vec<Type>> = OnceLock::new();
    TYPES.get_or_init(|| read(TABLE))
}

/// The start of a line, which it is found by, and the rest of it.
type Line = (&'static str, &'static str);

/// Reads the table. Lines are sorted by name, so that the position of a line is the number of its type.
fn read(table: &'static str) -> Vec<Type> {
    let (mut known_values, mut type_lines): (Vec<Line>, Vec<Line>) = (Vec::new(), Vec::new());
    for line in table.split('\n').filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
        match name.strip_prefix('=') {
            Some(name) => known_values.push((name, rest)),
            None => type_lines.push((name, rest)),
        }
    }
    let mut types = Vec::with_capacity(type_lines.len());
    for (name, texts) in &type_lines {
        let mut fields = Vec::new();
        for text in texts.split(' ') {
            fields.extend(read_field(text, &type_lines, &known_values));
        }
        types.push(Type { name, fields });
    }
    types
}

const LETTERS: [(&str, Element); 9] = [
    ("s", Element::String),
    ("b", Element::Bool),
    ("i", Element::Int32),
    ("l", Element::Int64),
    ("q", Element::Quantity),
    ("x", Element::IntOrString),
    ("t", Element::Time),
    ("u", Element::Time),
    ("a", Element::Any),
];

fn read_field(text: &'static str, type_lines: &[Line], known_values: &[Line]) -> Option<Field> {
    let (name, rest) = text.split_once(':')?;
    let (rest, list_keys) = rest.split_once('@').unwrap_or((rest, ""));
    let (rest, always_written) = rest.strip_suffix('!').map_or((rest, false), |rest| (rest, true));
    let (rest, values) = rest.split_once('=').unwrap_or((rest, ""));
    let (rest, optional) = rest.strip_prefix('*').map_or((rest, false), |rest| (rest, true));
    let (container, element) = if let Some(element) = rest.strip_prefix("[]") {
        (Container::List, element)
    } else if let Some(element) = rest.strip_prefix("{}") {
        (Container::Map, element)
    } else {
        (Container::One, rest)
    };
    let element = match LETTERS.iter().find(|(letter, _)| *letter == element) {
        Some((_, element)) => *element,
        None => Element::Object(TypeId(u16::try_from(line_of(type_lines, element)?).ok()?)),
    };
    let values = line_of(known_values, values).and_then(|place| known_values.get(place)).map_or("", |line| line.1);
    Some(Field { name, container, element, optional, always_written, values, list_keys })
}

/// The number of the line that starts with a name, among lines sorted by it.
#[inline(never)]
fn line_of(lines: &[Line], name: &str) -> Option<usize> {
    lines.binary_search_by(|(candidate, _)| (*candidate).cmp(name)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_understood() {
        let lines: Vec<&str> = TABLE.lines().filter(|line| !line.starts_with('#') && !line.starts_with('=')).collect();
        assert!(lines.is_sorted());
        assert_eq!(types().len(), lines.len());
        for (found, line) in types().iter().zip(lines) {
            assert_eq!(found.fields.len(), line.split(' ').skip(1).count(), "{line}");
        }
    }

    #[test]
    fn a_field_says_what_it_holds() {
        let spec = type_named("PodSpec").unwrap();
        let containers = field(spec, "containers").unwrap();
        assert_eq!(containers.container, Container::List);
        assert!(matches!(containers.element, Element::Object(id) if name_of(id) == "Container"));
        assert_eq!(containers.list_keys().collect::<Vec<_>>(), ["name"]);
        let policy = field(spec, "restartPolicy").unwrap();
        assert_eq!(policy.values().collect::<Vec<_>>(), ["Always", "OnFailure", "Never"]);
        assert!(field(spec, "terminationGracePeriodSeconds").unwrap().optional);
        assert!(field(type_named("DaemonSetSpec").unwrap(), "selector").unwrap().always_written);
        assert_eq!(field(spec, "Containers"), None);
    }
}

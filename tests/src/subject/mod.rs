//! What is under test: one line of a vector file in, one answer out.
//!
//! Every function here is pure (no file, clock, thread) and compiles to wasm32, so that native and WASM answers can be
//! compared byte by byte. An answer has the fields of the line's `expect`, with the choice that was made where the
//! recording names the possible ones.

pub mod admit;
pub mod dynamics;
pub mod fit;
pub mod sync;
pub mod trajectory;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The kinds of vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// One sync of the controller.
    Sync,
    /// The scheduler's verdict on one pod and one node.
    Fit,
    /// The API server's verdict on a manifest.
    Admit,
    /// A whole rollout in an ideal cluster.
    Trajectory,
    /// A controller with expectations, back-off and slow start, told things step by step.
    Dynamics,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Sync, Self::Fit, Self::Admit, Self::Trajectory, Self::Dynamics];

    /// The word in file names.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sync => "sync",
            Self::Fit => "fit",
            Self::Admit => "admit",
            Self::Trajectory => "trajectory",
            Self::Dynamics => "dynamics",
        }
    }

    /// The kind whose word this is.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }

    /// The kind of a line, told by the fields it has: names of lines and files mean nothing.
    pub fn of(line: &Value) -> Option<Self> {
        let has = |field: &str| line.get(field).is_some();
        if has("script") {
            Some(Self::Dynamics)
        } else if has("manifest") {
            Some(Self::Admit)
        } else if has("podReadyAfterSeconds") {
            Some(Self::Trajectory)
        } else if has("daemonSet") && has("node") {
            Some(Self::Fit)
        } else if has("daemonSet") && has("nodes") {
            Some(Self::Sync)
        } else {
            None
        }
    }
}

/// Answers one line.
pub fn answer(kind: Kind, line: &Value) -> Value {
    match kind {
        Kind::Sync => sync::answer(line),
        Kind::Fit => fit::answer(line),
        Kind::Admit => admit::answer(line),
        Kind::Trajectory => trajectory::answer(line),
        Kind::Dynamics => dynamics::answer(line),
    }
}

/// Reads one field of a line; absent and `null` are the default.
pub fn field<T: DeserializeOwned + Default>(line: &Value, name: &str) -> T {
    let value: Option<T> = Option::deserialize(&line[name]).unwrap_or_else(|error| panic!("`{name}`: {error}"));
    value.unwrap_or_default()
}

/// The same value as text, keys sorted at every depth, without spaces: equal values have equal bytes.
pub fn canonical(value: &Value) -> String {
    let mut text = String::new();
    write_canonical(value, &mut text);
    text
}

fn write_canonical(value: &Value, text: &mut String) {
    match value {
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                write_canonical(item, text);
            }
            text.push(']');
        }
        Value::Object(fields) => {
            let mut sorted: Vec<_> = fields.iter().collect();
            sorted.sort_by_key(|(key, _)| *key);
            text.push('{');
            for (index, (key, field)) in sorted.into_iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                text.push_str(&Value::String(key.clone()).to_string());
                text.push(':');
                write_canonical(field, text);
            }
            text.push('}');
        }
        scalar => text.push_str(&scalar.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn equal_values_have_equal_bytes() {
        assert_eq!(
            canonical(&json!({"b": [1, {"d": null, "c": "\""}], "a": true})),
            r#"{"a":true,"b":[1,{"c":"\"","d":null}]}"#
        );
    }

    #[test]
    fn the_kind_of_a_line_is_told_by_its_fields() {
        assert_eq!(Kind::of(&json!({"name": "fit-1", "daemonSet": {}, "nodes": []})), Some(Kind::Sync));
        assert_eq!(Kind::of(&json!({"daemonSet": {}, "node": {}, "pods": []})), Some(Kind::Fit));
        assert_eq!(Kind::of(&json!({"name": "sync-1"})), None);
        assert_eq!(Kind::ALL.map(|kind| Kind::parse(kind.as_str())), Kind::ALL.map(Some));
    }
}

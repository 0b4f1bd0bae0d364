//! One object of a dump as a value of ours.

use std::borrow::Cow;

use super::super::{Object, ObjectKind};
use crate::json::{Cursor, JsonError};

/// What stands at the start of an object, as far as it decides how to go on.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Head<'text> {
    pub(super) api_version: Option<Cow<'text, str>>,
    pub(super) kind: Option<Cow<'text, str>>,
    /// Where the first of `items` may stand, when this is a list.
    pub(super) items: Option<usize>,
}

/// Looks for `kind`, `apiVersion` and `items` of the object at the start of `text`, no further than needed.
///
/// kubectl sorts keys, so that a list's kind stands behind its items and that of a ControllerRevision behind its data.
pub(super) fn head(text: &str) -> Result<Head<'_>, JsonError> {
    let mut cursor = Cursor::new(text);
    let mut head = Head::default();
    if !cursor.take(b'{')? {
        return Err(JsonError::Broken);
    }
    let mut first = true;
    while cursor.next_member(first, b'}')? {
        first = false;
        let key = cursor.key()?;
        let next = cursor.peek()?;
        match (key.as_ref(), next) {
            ("apiVersion", b'"') => head.api_version = Some(cursor.string()?),
            ("kind", b'"') => head.kind = Some(cursor.string()?),
            ("items", b'[') => {
                cursor.take(b'[')?;
                head.items = Some(cursor.offset());
                return Ok(head);
            }
            _ => cursor.skip()?,
        }
        if head.api_version.is_some() && head.kind.as_ref().is_some_and(|kind| !kind.ends_with("List")) {
            return Ok(head);
        }
    }
    Ok(head)
}

/// Reads an object of a kind from the start of `text`, and how many bytes it takes.
pub(super) fn read_object(kind: ObjectKind, text: &str) -> Result<(Object, usize), JsonError> {
    let mut cursor = Cursor::new(text);
    let mut object = Object::of(kind);
    cursor.read(object.reader())?;
    Ok((object, cursor.offset()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> (Option<String>, Option<String>, Option<usize>) {
        let head = head(text).unwrap();
        (head.api_version.map(Cow::into_owned), head.kind.map(Cow::into_owned), head.items)
    }

    #[test]
    fn the_type_of_an_object_is_found_wherever_it_stands() {
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(found(r#"{"apiVersion": "v1", "kind": "Node", "#), (text("v1"), text("Node"), None));
        assert_eq!(
            found(r#"{"apiVersion": "v1", "data": {"kind": "x"}, "kind": "ConfigMap""#),
            (text("v1"), text("ConfigMap"), None)
        );
        assert_eq!(found(r#"{"kind": "NodeList", "apiVersion": "v1", "metadata": {}, "items": ["#).2, Some(67));
        assert_eq!(found(r#"{"apiVersion": "v1", "items": [ "#), (text("v1"), None, Some(31)));
        assert_eq!(found("{}"), (None, None, None));
    }
}

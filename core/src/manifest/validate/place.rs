use crate::manifest::{Path, PathStep, Span, Tree, TreeValue};

/// Where a field stands in the text: its value when that is a scalar, its key when the value has many lines, and the
/// nearest thing above it when it does not exist.
pub(super) fn place_of(document: &Tree, path: &Path) -> Span {
    let mut here = document;
    let mut named: Option<Span> = None;
    for step in &path.0 {
        match (step, &here.value) {
            (PathStep::Field(name) | PathStep::Key(name), _) => match here.entry(name) {
                Some(entry) => {
                    named = Some(entry.key_span);
                    here = &entry.value;
                }
                None => break,
            },
            (PathStep::Index(index), TreeValue::Sequence(items)) => {
                let Some(item) = usize::try_from(*index).ok().and_then(|index| items.get(index)) else { break };
                named = Some(first_token(item));
                here = item;
            }
            (PathStep::Index(_), _) => break,
        }
    }
    match &here.value {
        TreeValue::Mapping(entries) if !entries.is_empty() => named.unwrap_or_else(|| first_token(here)),
        TreeValue::Sequence(items) if !items.is_empty() => named.unwrap_or_else(|| first_token(here)),
        // An absent value has no text of its own.
        TreeValue::Null => named.unwrap_or(here.span),
        _ => here.span,
    }
}

fn first_token(tree: &Tree) -> Span {
    match &tree.value {
        TreeValue::Mapping(entries) => entries.first().map_or(tree.span, |entry| entry.key_span),
        _ => tree.span,
    }
}

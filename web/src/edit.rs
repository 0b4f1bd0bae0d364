//! Edits of a YAML or JSON text that leave everything else in it as it is: comments, order, layout.

use rollcast_core::json::take_out;
use rollcast_core::manifest::{Span, Tree, TreeValue, read_trees};
use serde_json::Value;

/// The first document of a text, an empty map where it says nothing; none where it cannot be read.
pub fn tree_of(text: &str) -> Option<Tree> {
    let says = |line: &str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    if !text.lines().any(says) {
        return Some(Tree { value: TreeValue::Mapping(Vec::new()), span: Span::default() });
    }
    read_trees(text.as_bytes()).into_iter().next()?.tree
}

/// The value at the end of a way of keys.
pub fn find<'a>(tree: &'a Tree, path: &[&str]) -> Option<&'a Tree> {
    path.iter().try_fold(tree, |here, key| here.get(key))
}

/// What stands at a place of a text.
pub fn cut(text: &str, span: Span) -> &str {
    text.get(at(span.start.offset)..at(span.end.offset)).unwrap_or_default()
}

/// The text with a value on a way of keys, or without it; none where it cannot be told how to write that.
pub fn set(text: &str, path: &[&str], value: Option<&str>) -> Option<String> {
    let tree = tree_of(text)?;
    let mut wanted = tree.to_json();
    match value {
        Some(value) => put(&mut wanted, path, tree_of(value)?.to_json()),
        None => take(&mut wanted, path),
    }
    let changed = set_below(text, &tree, path, value)?;
    // Anchors and odd layouts: what does not read back as it was meant is not written.
    (tree_of(&changed)?.to_json() == wanted).then_some(changed)
}

/// The same on a way that starts at a value of the text, unproven.
pub fn set_below(text: &str, tree: &Tree, path: &[&str], value: Option<&str>) -> Option<String> {
    let (before, after, new) = match value {
        Some(value) => place_of(text, tree, path, value)?,
        None => rest_of(text, tree, path)?,
    };
    Some([text.get(..before)?, &new, text.get(after..)?].concat())
}

/// A way of keys as a map on one line.
fn nested(path: &[&str], value: &str) -> String {
    path.iter().rev().fold(value.to_owned(), |value, key| ["{", key, ": ", &value, "}"].concat())
}

/// Which bytes of the text become which.
type Patch = (usize, usize, String);

/// Where a value goes, and how it is written there.
fn place_of(text: &str, tree: &Tree, path: &[&str], value: &str) -> Option<Patch> {
    let (key, rest) = path.split_first()?;
    let Some(entry) = tree.entry(key) else { return inserted(text, tree, key, &nested(rest, value)) };
    let span = entry.value.span;
    match &entry.value.value {
        TreeValue::Null if cut(text, span).is_empty() => {
            let colon = at(entry.key_span.end.offset) + text.get(at(entry.key_span.end.offset)..)?.find(':')? + 1;
            Some((colon, colon, [" ", &nested(rest, value)].concat()))
        }
        TreeValue::Null => Some((at(span.start.offset), at(span.end.offset), nested(rest, value))),
        _ if rest.is_empty() => {
            // A block ends with its line.
            let old = cut(text, span);
            let end = at(span.end.offset) - (old.len() - old.trim_end().len());
            Some((at(span.start.offset), end, value.to_owned()))
        }
        _ => place_of(text, &entry.value, rest, value),
    }
}

fn inserted(text: &str, map: &Tree, key: &str, value: &str) -> Option<Patch> {
    let TreeValue::Mapping(entries) = &map.value else { return None };
    let start = at(map.span.start.offset);
    let in_braces = text.get(start..)?.starts_with('{');
    match entries.first() {
        None if in_braces => Some((start, at(map.span.end.offset), nested(&[key], value))),
        Some(_) if in_braces => Some((start + 1, start + 1, [key, ": ", value, ", "].concat())),
        Some(first) if first.key_span.start.column > 1 => {
            let start = at(first.key_span.start.offset);
            let indent = " ".repeat(at(first.key_span.start.column) - 1);
            Some((start, start, [key, ": ", value, "\n", &indent].concat()))
        }
        // The outermost map goes on at the end of the text.
        _ => {
            let newline = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
            Some((text.len(), text.len(), [newline, key, ": ", value, "\n"].concat()))
        }
    }
}

/// Which bytes go with a value.
fn rest_of(text: &str, tree: &Tree, path: &[&str]) -> Option<Patch> {
    let (key, way) = path.split_last()?;
    let map = find(tree, way)?;
    let TreeValue::Mapping(entries) = &map.value else { return None };
    let index = entries.iter().position(|entry| entry.key == *key)?;
    if entries.len() == 1 && !way.is_empty() {
        // A map without entries might say something else than none.
        return rest_of(text, tree, way);
    }
    let entry = entries.get(index)?;
    let (start, end) =
        (at(entry.key_span.start.offset), at(entry.value.span.end.offset.max(entry.key_span.end.offset)));
    if text.get(at(map.span.start.offset)..)?.starts_with('{') {
        let next = entries.get(index + 1).map(|next| (start, at(next.key_span.start.offset)));
        let before = index.checked_sub(1).and_then(|index| entries.get(index));
        let (start, end) =
            next.or(before.map(|before| (at(before.value.span.end.offset), end))).unwrap_or((start, end));
        return Some((start, end, String::new()));
    }
    let line = text.get(..start)?.rfind('\n').map_or(0, |newline| newline + 1);
    let end = start + text.get(start..end)?.trim_end().len();
    let end = text.get(end..)?.find('\n').map_or(text.len(), |newline| end + newline + 1);
    Some((line, end, String::new()))
}

/// Sets a value on a way of keys, making maps that are missing.
pub fn put(json: &mut Value, path: &[&str], value: Value) {
    let mut here = json;
    for key in path {
        if !here.is_object() {
            *here = Value::Object(serde_json::Map::new());
        }
        let Some(object) = here.as_object_mut() else { return };
        here = object.entry(*key).or_insert(Value::Null);
    }
    *here = value;
}

/// Takes a value away, and maps that are empty without it.
fn take(json: &mut Value, path: &[&str]) {
    let Some((last, way)) = path.split_last() else { return };
    let Some(object) = way.iter().try_fold(&mut *json, |here, key| here.get_mut(key)).and_then(Value::as_object_mut)
    else {
        return;
    };
    take_out(object, last);
    if object.is_empty() {
        take(json, way);
    }
}

fn at(offset: u32) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# how long\ntimings:   # of pods\n  podReadyAfter: {median: 20s, p95: 40s}   # as measured\n  podGoneAfter: 10s\nevents:\n- at: 1m\n  cordon: {node: a}\n# the end\n";

    fn set_in(text: &str, path: &[&str], value: &str) -> String {
        set(text, path, Some(value)).unwrap_or_else(|| panic!("{text}"))
    }

    #[test]
    fn a_value_is_replaced_and_nothing_else() {
        assert_eq!(set_in(TEXT, &["timings", "podGoneAfter"], "1m"), TEXT.replace("10s", "1m"));
        let changed = set_in(TEXT, &["timings", "podReadyAfter", "p95"], "1m");
        assert_eq!(changed, TEXT.replace("40s", "1m"));
        assert_eq!(set_in(TEXT, &["timings", "podReadyAfter"], "5s"), TEXT.replace("{median: 20s, p95: 40s}", "5s"));
        let block = "timings:\n  podReadyAfter:\n    median: 20s\n    p95: 40s\nseed: 1\n";
        assert_eq!(set_in(block, &["timings", "podReadyAfter"], "5s"), "timings:\n  podReadyAfter:\n    5s\nseed: 1\n");
    }

    #[test]
    fn what_is_missing_is_written_where_it_belongs() {
        let changed = set_in(TEXT, &["timings", "orphanedPodsGoneAfter"], "1s");
        assert_eq!(changed, TEXT.replace("  podReadyAfter", "  orphanedPodsGoneAfter: 1s\n  podReadyAfter"));
        assert_eq!(set_in(TEXT, &["images", "bytes"], "5"), format!("{TEXT}images: {{bytes: 5}}\n"));
        assert_eq!(set_in("", &["seed"], "5"), "seed: 5\n");
        assert_eq!(set_in("# nothing yet", &["seed"], "5"), "# nothing yet\nseed: 5\n");
        assert_eq!(
            set_in("timings:\nseed: 1\n", &["timings", "podGoneAfter"], "5s"),
            "timings: {podGoneAfter: 5s}\nseed: 1\n"
        );
        assert_eq!(set_in("timings: ~\n", &["timings", "podGoneAfter"], "5s"), "timings: {podGoneAfter: 5s}\n");
        assert_eq!(set_in("{\"seed\": 1}", &["images", "bytes"], "5"), "{images: {bytes: 5}, \"seed\": 1}");
        assert_eq!(set_in("{}", &["seed"], "5"), "{seed: 5}");
    }

    #[test]
    fn what_is_taken_away_leaves_the_rest() {
        let without = |path: &[&str]| set(TEXT, path, None).unwrap();
        assert_eq!(without(&["timings", "podGoneAfter"]), TEXT.replace("  podGoneAfter: 10s\n", ""));
        assert_eq!(without(&["timings", "podReadyAfter", "p95"]), TEXT.replace(", p95: 40s", ""));
        assert_eq!(without(&["timings", "podReadyAfter", "median"]), TEXT.replace("median: 20s, ", ""));
        for images in ["images:\n  bytes: 5\n", "images: {bytes: 5}\n"] {
            assert_eq!(set(&format!("{images}seed: 1\n"), &["images", "bytes"], None).unwrap(), "seed: 1\n");
        }
        assert_eq!(set(TEXT, &["images", "bytes"], None), None);
    }

    #[test]
    fn what_would_not_read_back_is_not_written() {
        for text in ["timings: [", "timings: 5\n", "a: &x {b: 1}\ntimings: *x\n"] {
            assert_eq!(set(text, &["timings", "podGoneAfter"], Some("1s")), None, "{text}");
        }
        assert_eq!(set("- 1\n", &["seed"], Some("1")), None);
    }
}

//! A text → its documents, as far as that can be told without reading them.
//!
//! `---` at the start of a line ends a document wherever it stands, so that a fault in one cannot hide the next.

use super::super::Position;
use crate::json::Cursor;

/// A part of a text that is read by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chunk<'text> {
    pub(super) text: &'text str,
    /// Where it starts in the whole.
    pub(super) start: Position,
}

/// The parts of `text` that have content. A byte order mark at the start is no part of it.
pub(super) fn chunks(text: &str) -> Vec<Chunk<'_>> {
    let mut place = Position { offset: 0, line: 1, column: 1 };
    let mut rest = text;
    if let Some(behind) = text.strip_prefix('\u{feff}') {
        place.offset = 3;
        rest = behind;
    }
    let mut found = Vec::new();
    let mut length = 0;
    let (mut has_content, mut has_directive) = (false, false);
    let mut next = place;
    for line in lines(rest) {
        if is_separator(line) && !has_directive {
            let (chunk, behind) = rest.split_at_checked(length).unwrap_or((rest, ""));
            if has_content {
                push(&mut found, Chunk { text: chunk, start: place });
            }
            rest = behind;
            (place, length, has_content) = (next, 0, false);
        }
        // Directives belong to the separator behind them.
        has_directive = line.starts_with('%') && !has_content || has_directive && !is_separator(line);
        has_content |= is_content(line);
        length += line.len();
        next = end_of(next, line);
    }
    if has_content {
        push(&mut found, Chunk { text: rest, start: place });
    }
    found
}

/// Lines with their ends: a line feed, a carriage return, or both.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = match rest.find(['\n', '\r']) {
            Some(end) if rest.get(end..).is_some_and(|behind| behind.starts_with("\r\n")) => end + 2,
            Some(end) => end + 1,
            None => rest.len(),
        };
        let (line, behind) = rest.split_at_checked(end).filter(|(line, _)| !line.is_empty())?;
        rest = behind;
        Some(line)
    })
}

/// The place behind `text`, which starts at `start`.
pub(in crate::manifest) fn end_of(start: Position, text: &str) -> Position {
    let mut place = start;
    for line in lines(text) {
        place.offset = place.offset.saturating_add(u32::try_from(line.len()).unwrap_or(u32::MAX));
        if line.ends_with(['\n', '\r']) {
            place.line = place.line.saturating_add(1);
            place.column = 1;
        } else {
            let characters = line.chars().count();
            place.column = place.column.saturating_add(u32::try_from(characters).unwrap_or(u32::MAX));
        }
    }
    place
}

fn is_separator(line: &str) -> bool {
    line.strip_prefix("---").is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\n', '\r']))
}

/// Whether a line is more than a comment, a separator, an end mark or a directive.
fn is_content(line: &str) -> bool {
    let behind_mark = if is_separator(line) { line.get(3..).unwrap_or_default() } else { line };
    let trimmed = behind_mark.trim();
    !(trimmed.is_empty() || trimmed.starts_with('#') || line.starts_with('%') || trimmed == "...")
}

/// Splits JSON values that stand one after the other; everything else is one part.
fn push<'text>(found: &mut Vec<Chunk<'text>>, chunk: Chunk<'text>) {
    let mut chunk = chunk;
    if chunk.text.trim_start().starts_with(['{', '[']) {
        loop {
            let mut cursor = Cursor::new(chunk.text);
            if cursor.value().is_err() {
                break;
            }
            let Some((value, rest)) = chunk.text.split_at_checked(cursor.offset()) else { break };
            // What is behind a value of YAML's own, such as the colon of a key, goes on with it.
            if !rest.trim_start().starts_with(['{', '[']) {
                break;
            }
            let value = Chunk { text: value, start: chunk.start };
            chunk = Chunk { text: rest, start: end_of(chunk.start, value.text) };
            found.push(value);
        }
    }
    found.push(chunk);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<(u32, &str)> {
        chunks(text).into_iter().map(|chunk| (chunk.start.line, chunk.text)).collect()
    }

    #[test]
    fn documents_end_at_separators() {
        assert_eq!(parts("a: 1\n---\nb: 2\n"), [(1, "a: 1\n"), (2, "---\nb: 2\n")]);
        assert_eq!(parts("---\r\na: 1\r\n--- # x\r\nb: 2"), [(1, "---\r\na: 1\r\n"), (3, "--- # x\r\nb: 2")]);
        assert_eq!(parts("---a: 1\n----\n"), [(1, "---a: 1\n----\n")]);
        assert_eq!(parts("a: 1\r---\rb: 2"), [(1, "a: 1\r"), (2, "---\rb: 2")]);
    }

    #[test]
    fn documents_without_content_are_left_out() {
        assert!(parts("\n# a comment\n---\n\n---\n...\n# another\n").is_empty());
        assert_eq!(parts("---\n---\na: 1\n---\n"), [(2, "---\na: 1\n")]);
        assert_eq!(parts("%YAML 1.1\n---\na: 1\n"), [(1, "%YAML 1.1\n---\na: 1\n")]);
    }

    #[test]
    fn json_values_may_stand_one_after_the_other() {
        assert_eq!(parts("{\"a\":1}\n{\"b\":2} [3]\n"), [(1, "{\"a\":1}"), (1, "\n{\"b\":2}"), (2, " [3]\n")]);
        assert_eq!(parts("{a: 1}\n"), [(1, "{a: 1}\n")]);
        assert_eq!(parts("[1]: 2\n"), [(1, "[1]: 2\n")]);
        assert_eq!(chunks("{}{}").last().map(|chunk| chunk.start.column), Some(3));
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_text() {
        let found = chunks("\u{feff}a: 1\n");
        assert_eq!(found, [Chunk { text: "a: 1\n", start: Position { offset: 3, line: 1, column: 1 } }]);
    }
}

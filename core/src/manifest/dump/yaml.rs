//! YAML as kubectl prints it → JSON, line by line.
//!
//! Only what `kubectl get -o yaml` writes is understood: blocks of maps and lists, scalars on one line, literal text.
//! Everything else is left to the reader of documents, which is ten times as slow; the two agree (see the tests).

use memchr::memchr;

use super::super::yaml::{PlainScalar, resolve_plain};
use super::lines::Lines;

/// Why a part of a text was not rewritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rewrite {
    /// It is complete: what follows starts so many bytes on.
    Done(usize),
    /// The text ends before it is known whether the item does.
    Incomplete,
    /// It holds YAML of a kind that this does not understand.
    Unfamiliar,
}

/// An open map or list.
struct Block {
    indent: usize,
    is_list: bool,
    is_empty: bool,
}

/// Rewrites the item of a list whose dash stands in column `column` at the start of `text`, into `json`. `is_all` says
/// that no more text will come.
pub(super) fn rewrite_item(text: &str, column: usize, is_all: bool, json: &mut String) -> Rewrite {
    json.clear();
    let mut writer = Writer { json, open: Vec::new(), awaits_value: false };
    let mut lines = Lines::new(text, is_all);
    let mut is_first = true;
    loop {
        let start = lines.at;
        let Some(line) = lines.take() else {
            return if is_all { writer.finish(text.len()) } else { Rewrite::Incomplete };
        };
        let indent = line.bytes().take_while(|byte| *byte == b' ').count();
        let content = line.get(indent..).unwrap_or_default();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let content = if is_first {
            // The dash of the item itself.
            match content.strip_prefix("- ") {
                Some(behind) if indent == column && !behind.starts_with(' ') => behind,
                _ => return Rewrite::Unfamiliar,
            }
        } else if indent <= column {
            return writer.finish(start);
        } else {
            content
        };
        let indent = if is_first { indent + 2 } else { indent };
        let taken = if is_first {
            writer.open_block(indent, false);
            writer.member(content, indent, &mut lines)
        } else {
            writer.line(content, indent, &mut lines)
        };
        is_first = false;
        if let Err(outcome) = taken {
            return outcome;
        }
    }
}

struct Writer<'json> {
    json: &'json mut String,
    open: Vec<Block>,
    /// A key was written, its value was not.
    awaits_value: bool,
}

type Taken = Result<(), Rewrite>;

impl Writer<'_> {
    fn finish(mut self, end: usize) -> Rewrite {
        self.close_until(0);
        Rewrite::Done(end)
    }

    fn line(&mut self, content: &str, indent: usize, lines: &mut Lines<'_>) -> Taken {
        let is_entry = content.starts_with("- ") || content == "-";
        if self.awaits_value {
            let parent = self.open.last().map_or(0, |block| block.indent);
            if is_entry && indent >= parent {
                self.open_block(indent, true);
            } else if !is_entry && indent > parent {
                self.open_block(indent, false);
            } else {
                self.json.push_str("null");
                self.awaits_value = false;
            }
        }
        // A list may stand in the column of the key it belongs to, and ends where the next key does.
        while let Some(block) = self.open.last() {
            if block.indent < indent || block.indent == indent && (is_entry || !block.is_list) {
                break;
            }
            self.close();
        }
        match self.open.last() {
            Some(block) if block.indent == indent && block.is_list == is_entry => {}
            _ => return Err(Rewrite::Unfamiliar),
        }
        if !is_entry {
            return self.member(content, indent, lines);
        }
        let behind = content.get(1..).unwrap_or_default();
        let inner = behind.trim_start_matches(' ');
        let column = indent + 1 + (behind.len() - inner.len());
        self.separate();
        if inner.is_empty() || inner.starts_with("- ") || inner == "-" {
            return Err(Rewrite::Unfamiliar);
        }
        if key_end(inner).is_some() {
            self.awaits_value = true;
            self.open_block(column, false);
            return self.member(inner, column, lines);
        }
        self.scalar(inner, indent, lines)
    }

    /// `key: value`, or `key:` with its value in the lines below.
    fn member(&mut self, content: &str, indent: usize, lines: &mut Lines<'_>) -> Taken {
        let end = key_end(content).ok_or(Rewrite::Unfamiliar)?;
        let (key, behind) = content.split_at_checked(end).ok_or(Rewrite::Unfamiliar)?;
        self.separate();
        self.key(key)?;
        self.json.push(':');
        let value = behind.get(1..).unwrap_or_default().trim_start_matches(' ');
        if value.is_empty() {
            self.awaits_value = true;
            return Ok(());
        }
        self.scalar(value, indent, lines)
    }

    fn key(&mut self, key: &str) -> Taken {
        match key.as_bytes().first() {
            None => return Err(Rewrite::Unfamiliar),
            Some(b'"') => return self.double_quoted(key),
            Some(b'\'') => return self.single_quoted(key),
            Some(first) if is_indicator(*first) => return Err(Rewrite::Unfamiliar),
            Some(_) => {}
        }
        if key == "<<" || resolve_plain(key) != PlainScalar::Text || key.contains(" #") {
            return Err(Rewrite::Unfamiliar);
        }
        self.text(key);
        Ok(())
    }

    fn scalar(&mut self, value: &str, parent: usize, lines: &mut Lines<'_>) -> Taken {
        let value = value.trim_end_matches(' ');
        match value.as_bytes().first() {
            None => return Err(Rewrite::Unfamiliar),
            Some(b'"') => return self.double_quoted(value),
            Some(b'\'') => return self.single_quoted(value),
            Some(b'|') => return self.literal(value, parent, lines),
            Some(b'[' | b'{') if value == "[]" || value == "{}" => {
                self.json.push_str(value);
                return Ok(());
            }
            Some(b'-' | b'?' | b':') if value.as_bytes().get(1).is_none_or(|second| *second == b' ') => {
                return Err(Rewrite::Unfamiliar);
            }
            Some(first) if is_indicator(*first) => return Err(Rewrite::Unfamiliar),
            Some(_) => {}
        }
        if has_mark(value) {
            return Err(Rewrite::Unfamiliar);
        }
        match resolve_plain(value) {
            PlainScalar::Text => self.text(value),
            PlainScalar::Null => self.json.push_str("null"),
            PlainScalar::Bool(true) => self.json.push_str("true"),
            PlainScalar::Bool(false) => self.json.push_str("false"),
            // Numbers of JSON's own form; octal and the like are for the other reader.
            PlainScalar::Number if is_plain_decimal(value) => self.json.push_str(value),
            PlainScalar::Number => return Err(Rewrite::Unfamiliar),
        }
        Ok(())
    }

    /// `"…"` on one line, whose escapes JSON has as well.
    fn double_quoted(&mut self, quoted: &str) -> Taken {
        let inner = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).ok_or(Rewrite::Unfamiliar)?;
        let mut bytes = inner.bytes();
        while let Some(byte) = bytes.next() {
            let is_fine = match byte {
                b'"' | 0..=0x1f => false,
                b'\\' => matches!(bytes.next(), Some(b'"' | b'\\' | b'n' | b't' | b'r' | b'b' | b'f' | b'u')),
                _ => true,
            };
            if !is_fine {
                return Err(Rewrite::Unfamiliar);
            }
        }
        self.json.push_str(quoted);
        Ok(())
    }

    /// `'…'` on one line.
    fn single_quoted(&mut self, quoted: &str) -> Taken {
        let inner = quoted
            .strip_prefix('\'')
            .and_then(|rest| rest.strip_suffix('\''))
            .filter(|_| quoted.len() >= 2)
            .ok_or(Rewrite::Unfamiliar)?;
        if !inner.contains('\'') {
            self.text(inner);
            return Ok(());
        }
        if inner.replace("''", "").contains('\'') {
            return Err(Rewrite::Unfamiliar);
        }
        self.text(&inner.replace("''", "'"));
        Ok(())
    }

    /// `|`, `|-` and `|+` without a number; the text is indented by what its first line is.
    fn literal(&mut self, header: &str, parent: usize, lines: &mut Lines<'_>) -> Taken {
        if !matches!(header, "|" | "|-" | "|+") {
            return Err(Rewrite::Unfamiliar);
        }
        let mut text = String::new();
        let mut indent = None;
        let mut blank_lines = 0usize;
        loop {
            let start = lines.at;
            let Some(line) = lines.take() else {
                if lines.is_all {
                    break;
                }
                return Err(Rewrite::Incomplete);
            };
            let own = line.bytes().take_while(|byte| *byte == b' ').count();
            if own == line.len() && indent.is_none_or(|indent| own <= indent) {
                blank_lines += 1;
                continue;
            }
            let wanted = *indent.get_or_insert(own);
            if wanted <= parent || own < wanted {
                lines.at = start;
                break;
            }
            text.extend(std::iter::repeat_n('\n', std::mem::take(&mut blank_lines)));
            text.push_str(line.get(wanted..).unwrap_or_default());
            text.push('\n');
        }
        let ends_in_line_break = lines.at == 0 || lines.text.as_bytes().get(lines.at - 1) == Some(&b'\n');
        match header {
            "|" if !text.is_empty() && ends_in_line_break => {}
            "|-" => {
                text.pop();
            }
            _ => return Err(Rewrite::Unfamiliar),
        }
        self.text(&text);
        Ok(())
    }

    /// Text as a JSON string.
    fn text(&mut self, text: &str) {
        self.json.push('"');
        if text.bytes().any(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f)) {
            for character in text.chars() {
                match character {
                    '"' => self.json.push_str("\\\""),
                    '\\' => self.json.push_str("\\\\"),
                    '\n' => self.json.push_str("\\n"),
                    '\t' => self.json.push_str("\\t"),
                    other => self.json.push(other),
                }
            }
        } else {
            self.json.push_str(text);
        }
        self.json.push('"');
    }

    fn open_block(&mut self, indent: usize, is_list: bool) {
        self.awaits_value = false;
        self.json.push(if is_list { '[' } else { '{' });
        self.open.push(Block { indent, is_list, is_empty: true });
    }

    fn close(&mut self) {
        if let Some(block) = self.open.pop() {
            self.json.push(if block.is_list { ']' } else { '}' });
        }
    }

    fn close_until(&mut self, depth: usize) {
        if std::mem::take(&mut self.awaits_value) {
            self.json.push_str("null");
        }
        while self.open.len() > depth {
            self.close();
        }
    }

    /// Puts a comma before every member but the first.
    fn separate(&mut self) {
        if let Some(block) = self.open.last_mut()
            && !std::mem::take(&mut block.is_empty)
        {
            self.json.push(',');
        }
    }
}

/// Where the colon of a key stands: the first that a space or the end of the line follows.
fn key_end(content: &str) -> Option<usize> {
    let bytes = content.as_bytes();
    if let Some(quote @ (b'"' | b'\'')) = bytes.first() {
        // A quoted key without escapes; anything else is found unfamiliar later.
        let end = memchr(*quote, bytes.get(1..)?)? + 2;
        return (bytes.get(end) == Some(&b':') && bytes.get(end + 1).is_none_or(|byte| *byte == b' ')).then_some(end);
    }
    let mut at = 0;
    loop {
        at += memchr(b':', bytes.get(at..)?)?;
        if bytes.get(at + 1).is_none_or(|byte| *byte == b' ') {
            return Some(at);
        }
        at += 1;
    }
}

/// Whether a value without quotes holds what would end it: `: `, ` #`, a colon at its end, or a tab.
fn has_mark(value: &str) -> bool {
    let bytes = value.as_bytes();
    let mut before = 0;
    for (position, byte) in bytes.iter().enumerate() {
        match byte {
            b':' if bytes.get(position + 1).is_none_or(|next| *next == b' ') => return true,
            b'#' if before == b' ' => return true,
            0..=0x1f | 0x7f => return true,
            _ => {}
        }
        before = *byte;
    }
    false
}

/// Whether a byte means something to YAML at the start of a scalar.
fn is_indicator(byte: u8) -> bool {
    matches!(
        byte,
        b'&' | b'*' | b'!' | b'|' | b'>' | b'%' | b'@' | b'`' | b'[' | b']' | b'{' | b'}' | b',' | b'#' | b'"' | b'\''
    )
}

/// Whether a number of YAML is one of JSON that means the same.
fn is_plain_decimal(value: &str) -> bool {
    let digits = value.strip_prefix('-').unwrap_or(value);
    digits.bytes().all(|byte| byte.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0')) && digits.len() < 19
}

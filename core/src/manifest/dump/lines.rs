//! Where the parts of a YAML dump begin and end, told by the start of lines.

/// What stands at the start of a text, between documents.
#[derive(Debug, PartialEq)]
pub(super) enum Place<'text> {
    /// The head of a list, up to where its items begin.
    Items { end: usize, api_version: Option<&'text str>, kind: Option<&'text str> },
    /// A document of another kind, and where it ends.
    Document(usize),
    /// The text ends before that is known.
    Incomplete,
}

/// Lines without their ends, one after the other.
pub(super) struct Lines<'text> {
    pub(super) text: &'text str,
    /// Where the next one starts.
    pub(super) at: usize,
    /// Whether no more text will come.
    pub(super) is_all: bool,
}

impl<'text> Lines<'text> {
    pub(super) fn new(text: &'text str, is_all: bool) -> Self {
        Self { text, at: 0, is_all }
    }

    /// The next line; one that may go on in what is still to come is none.
    pub(super) fn take(&mut self) -> Option<&'text str> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let line = match memchr::memchr(b'\n', rest.as_bytes()) {
            Some(end) => {
                self.at += end + 1;
                rest.get(..end)?
            }
            None if self.is_all => {
                self.at = self.text.len();
                rest
            }
            None => return None,
        };
        Some(line.strip_suffix('\r').unwrap_or(line))
    }

    /// The next line of a kind, and where it starts.
    fn find(&mut self, is_one: &dyn Fn(&str) -> bool) -> Option<(usize, &'text str)> {
        loop {
            let start = self.at;
            let line = self.take()?;
            if is_one(line) {
                return Some((start, line));
            }
        }
    }
}

fn indent_of(line: &str) -> usize {
    line.bytes().take_while(|byte| *byte == b' ').count()
}

fn is_blank(line: &str) -> bool {
    let content = line.trim_start();
    content.is_empty() || content.starts_with('#')
}

fn is_separator(line: &str) -> bool {
    line.strip_prefix("---").is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
}

/// Tells a list, whose items are read one by one, from a document that is read as a whole.
pub(super) fn place_of(text: &str, is_all: bool) -> Place<'_> {
    let (mut api_version, mut kind) = (None, None);
    let mut has_content = false;
    let mut lines = Lines::new(text, is_all);
    loop {
        let start = lines.at;
        let Some(line) = lines.take() else { break };
        if is_separator(line) && start > 0 && has_content {
            return Place::Document(start);
        }
        if is_blank(line) || is_separator(line) || line.starts_with('%') {
            continue;
        }
        if line.starts_with("- ") && !has_content {
            return Place::Items { end: start, api_version: None, kind: None };
        }
        has_content = true;
        match line.split_once(':').map(|(key, value)| (key, value.trim())) {
            Some(("items", "")) => {
                let end = text.get(start..).and_then(|rest| rest.find('\n')).map_or(text.len(), |end| start + end + 1);
                return Place::Items { end, api_version, kind };
            }
            Some(("apiVersion", value)) => api_version = Some(value.trim_matches(['"', '\''])),
            Some(("kind", value)) => kind = Some(value.trim_matches(['"', '\''])),
            _ => {}
        }
    }
    if is_all { Place::Document(text.len()) } else { Place::Incomplete }
}

/// Where the first line with content starts, and its indentation.
pub(super) fn first_line(text: &str, is_all: bool) -> Option<(usize, usize)> {
    Lines::new(text, is_all).find(&|line| !is_blank(line)).map(|(start, line)| (start, indent_of(line)))
}

/// Where the item ends whose dash stands in `column` of the first line.
pub(super) fn item_end(text: &str, column: usize, is_all: bool) -> Option<usize> {
    let mut lines = Lines::new(text, is_all);
    lines.take();
    let end = lines.find(&|line| !is_blank(line) && indent_of(line) <= column);
    end.map(|(start, _)| start).or(is_all.then_some(text.len()))
}

/// Where the document ends that `text` is the rest of.
pub(super) fn document_end(text: &str, is_all: bool) -> Option<usize> {
    Lines::new(text, is_all).find(&is_separator).map(|(start, _)| start).or(is_all.then_some(text.len()))
}

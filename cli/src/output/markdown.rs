use std::fmt::Write;

use rollcast_core::message::Language;

/// A Markdown document, for a comment on a pull request; text that is put in stays text.
pub struct Markdown {
    pub language: Language,
    text: String,
}

impl Markdown {
    pub fn new(language: Language) -> Self {
        Self { language, text: String::new() }
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// A heading.
    pub fn heading(&mut self, text: &str) {
        self.paragraph(&format!("### {}", escaped(text)));
    }

    /// A paragraph in bold.
    pub fn strong(&mut self, text: &str) {
        self.paragraph(&format!("**{}**", escaped(text)));
    }

    /// A paragraph.
    pub fn text(&mut self, text: &str) {
        self.paragraph(&escaped(text));
    }

    /// A list; what is true of an item is set in bold.
    pub fn list(&mut self, items: Vec<(String, bool)>) {
        self.gap();
        for (text, is_strong) in items {
            let text = escaped(&text);
            let _ = if is_strong { writeln!(self.text, "- **{text}**") } else { writeln!(self.text, "- {text}") };
        }
    }

    /// A table: a row of names, then the others; what is true of a row is set in bold.
    pub fn table<const N: usize>(&mut self, names: [&str; N], rows: &[([String; N], bool)]) {
        self.gap();
        self.row(names.iter().map(|name| escaped(name)));
        self.row(names.iter().map(|_| "---".to_owned()));
        for (cells, is_strong) in rows {
            let cell = |cell: &String| match (is_strong, cell.is_empty()) {
                (true, false) => format!("**{}**", escaped(cell)),
                _ => escaped(cell),
            };
            self.row(cells.iter().map(cell));
        }
    }

    /// An item of a list.
    pub fn item(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.text, "{}- {}", "  ".repeat(depth), escaped(text));
    }

    /// A block of YAML.
    pub fn yaml(&mut self, text: &str) {
        self.gap();
        let _ = write!(self.text, "```yaml\n{text}```\n");
    }

    /// A part that is folded away under a title; what it holds follows, then [`Markdown::unfold`].
    pub fn fold(&mut self, title: &str) {
        self.gap();
        let _ = writeln!(self.text, "<details><summary>{}</summary>\n", escaped(title));
    }

    /// The end of a part that is folded away.
    pub fn unfold(&mut self) {
        self.text.push_str("\n</details>\n");
    }

    /// A paragraph of text that is Markdown already.
    fn paragraph(&mut self, text: &str) {
        self.gap();
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn row(&mut self, cells: impl Iterator<Item = String>) {
        self.text.push('|');
        for cell in cells {
            let _ = write!(self.text, " {cell} |");
        }
        self.text.push('\n');
    }

    /// An empty line, unless the document is empty or ends with one.
    pub fn gap(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }
}

/// Text of an input as text: nothing in it is a tag, a cell border, an emphasis, a link or a line end. What stands
/// between backquotes stays code.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let has_code = text.matches('`').count().is_multiple_of(2);
    let mut in_code = false;
    for next in text.chars() {
        match next {
            '`' if has_code => in_code = !in_code,
            '`' | '|' | '\\' => escaped.push('\\'),
            '*' | '_' | '[' | ']' if !in_code => escaped.push('\\'),
            _ => {}
        }
        match next {
            '<' if !in_code => escaped.push_str("&lt;"),
            next if next.is_control() => escaped.push(' '),
            next => escaped.push(next),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_an_input_stays_text() {
        assert_eq!(escaped("a|b <img src=x>\n*c* `maxUnavailable`"), "a\\|b &lt;img src=x> \\*c\\* `maxUnavailable`");
        assert_eq!(escaped("`<a_b>`"), "`<a_b>`");
        assert_eq!(escaped("one ` <b>"), "one \\` &lt;b>");
    }

    #[test]
    fn a_table_has_its_rule_and_bold_rows() {
        let mut markdown = Markdown::new(Language::English);
        markdown.heading("Title");
        markdown
            .table(["A", "B"], &[(["1".to_owned(), String::new()], true), (["2".to_owned(), "x".to_owned()], false)]);
        assert_eq!(markdown.as_str(), "### Title\n\n| A | B |\n| --- | --- |\n| **1** |  |\n| 2 | x |\n");
    }
}

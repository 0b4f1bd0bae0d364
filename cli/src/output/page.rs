use std::fmt::Write;

use anstyle::Style;
use rollcast_core::message::Language;
use unicode_width::UnicodeWidthStr;

/// The few styles there are. Colour never carries meaning alone.
pub mod style {
    use anstyle::{AnsiColor, Style};

    pub const PLAIN: Style = Style::new();
    pub const STRONG: Style = Style::new().bold();
    pub const FAINT: Style = Style::new().dimmed();
    pub const GOOD: Style = AnsiColor::Green.on_default();
    pub const WARN: Style = AnsiColor::Yellow.on_default();
    pub const BAD: Style = AnsiColor::Red.on_default().bold();
}

/// Lines for people, gathered and then printed in one go.
pub struct Page {
    pub language: Language,
    text: String,
}

impl Page {
    pub fn new(language: Language) -> Self {
        Self { language, text: String::new() }
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// An empty line, unless the page is empty or ends with one.
    pub fn gap(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// One line.
    pub fn line(&mut self, style: Style, text: &str) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.text, "{style}{}{style:#}", printable(text));
    }

    /// A heading, after a gap.
    pub fn heading(&mut self, text: &str) {
        self.gap();
        self.line(style::STRONG, text);
    }

    /// Text that is laid out already.
    pub fn verbatim(&mut self, text: &str) {
        self.text.push_str(text);
        if !text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    /// A table, indented by so many spaces.
    pub fn table(&mut self, table: &Table, indent: usize) {
        table.write(&mut self.text, indent);
    }
}

/// One cell of a table.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    text: String,
    style: Style,
    right: bool,
}

impl Cell {
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: printable(&text.into()), ..Self::default() }
    }

    /// A number, set flush right.
    pub fn number(number: impl std::fmt::Display) -> Self {
        Self { right: true, ..Self::new(format!("{number}")) }
    }

    pub fn style(mut self, style: Style) -> Self {
        self.style = style;
        self
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self::new(text)
    }
}

/// Rows of cells in aligned columns, as kubectl prints them: three spaces between columns, no rules.
#[derive(Clone, Debug, Default)]
pub struct Table {
    rows: Vec<Vec<Cell>>,
}

impl Table {
    const GAP: usize = 3;

    pub fn new() -> Self {
        Self::default()
    }

    /// A table that starts with a row of column names.
    pub fn with_header<const N: usize>(names: [&str; N]) -> Self {
        Self { rows: vec![names.iter().map(|name| Cell::new(*name).style(style::FAINT)).collect()] }
    }

    pub fn row<const N: usize>(&mut self, cells: [Cell; N]) {
        self.rows.push(cells.into());
    }

    fn write(&self, out: &mut String, indent: usize) {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns)
            .map(|column| {
                let cells = self.rows.iter().filter_map(|row| row.get(column));
                cells.map(|cell| cell.text.width()).max().unwrap_or(0)
            })
            .collect();
        // A column name stands over the numbers of its column as they stand.
        let right: Vec<bool> = (0..columns)
            .map(|column| self.rows.iter().skip(1).filter_map(|row| row.get(column)).any(|cell| cell.right))
            .collect();
        for row in &self.rows {
            let mut line = " ".repeat(indent);
            let mut owed = 0;
            for ((cell, width), right) in row.iter().zip(&widths).zip(&right) {
                let padding = width.saturating_sub(cell.text.width());
                let (before, after) = if *right { (padding, 0) } else { (0, padding) };
                if cell.text.is_empty() {
                    owed += width + Self::GAP;
                    continue;
                }
                line.extend(std::iter::repeat_n(' ', owed + before));
                let style = cell.style;
                // Writing to a String cannot fail.
                let _ = write!(line, "{style}{}{style:#}", cell.text);
                owed = after + Self::GAP;
            }
            out.push_str(line.trim_end_matches(' '));
            out.push('\n');
        }
    }
}

/// Text from an input without what would move the cursor, change the terminal or turn the reading order round.
pub fn printable(text: &str) -> String {
    let is_hostile = |c: char| {
        c.is_control() || matches!(c, '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().map(|c| if is_hostile(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(table: &Table, indent: usize) -> String {
        let mut text = String::new();
        table.write(&mut text, indent);
        anstream::adapter::strip_str(&text).to_string()
    }

    #[test]
    fn columns_are_aligned_also_where_characters_are_wide() {
        let mut table = Table::with_header(["NODES", "VERDICT", "NAMES"]);
        table.row([Cell::number(3), "运行".into(), "a, b, c".into()]);
        table.row([Cell::number(12), "left out".into(), "d".into()]);
        assert_eq!(
            plain(&table, 2),
            "  NODES   VERDICT    NAMES\n      3   运行       a, b, c\n     12   left out   d\n"
        );
    }

    #[test]
    fn an_empty_cell_leaves_its_column_empty_and_no_blanks_at_the_end() {
        let mut table = Table::new();
        table.row(["a".into(), "".into(), "c".into()]);
        table.row(["".into(), "bbb".into(), "".into()]);
        assert_eq!(plain(&table, 0), "a         c\n    bbb\n");
    }

    #[test]
    fn control_characters_of_an_input_never_reach_the_terminal() {
        let mut page = Page::new(Language::English);
        page.line(style::PLAIN, "a\x1b[2Jb\u{202e}c");
        assert!(!page.as_str().contains(['\x1b', '\u{202e}']));
    }
}

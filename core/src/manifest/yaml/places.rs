use granit_parser::Marker;

use super::super::Position;

/// Where the scanner's marks stand, which count characters.
pub(super) struct Places<'text> {
    text: &'text str,
    base: Position,
    /// How many characters there are before the last mark, and how many bytes.
    characters: usize,
    bytes: usize,
}

impl<'text> Places<'text> {
    pub(super) fn new(text: &'text str, base: Position) -> Self {
        Self { text, base, characters: 0, bytes: 0 }
    }

    /// Marks follow each other closely: the way from one to the next is short.
    pub(super) fn of(&mut self, marker: &Marker) -> Position {
        let (text, end) = (self.text, self.text.len());
        while self.characters < marker.index() && self.bytes < end {
            self.characters += 1;
            self.bytes += 1;
            while !text.is_char_boundary(self.bytes) {
                self.bytes += 1;
            }
        }
        while self.characters > marker.index() {
            self.characters -= 1;
            self.bytes = self.bytes.saturating_sub(1);
            while !text.is_char_boundary(self.bytes) {
                self.bytes -= 1;
            }
        }
        let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
        let line = number(marker.line());
        Position {
            offset: self.base.offset.saturating_add(number(self.bytes)),
            line: self.base.line.saturating_add(line.saturating_sub(1)),
            column: number(marker.col()).saturating_add(if line <= 1 { self.base.column } else { 1 }),
        }
    }
}

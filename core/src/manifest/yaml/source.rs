use granit_parser::{BorrowedInput, Input};

/// More than the scanner ever looks ahead at once.
const WINDOW: usize = 128;

/// The text of a document as the scanner takes it in, character by character.
///
/// It offers no pieces of the text and no byte offsets: scalars are copied into trees anyway, and without the ways of
/// borrowing them the scanner is a good deal smaller on the page.
pub(super) struct Source<'text> {
    rest: &'text str,
}

impl<'text> Source<'text> {
    pub(super) fn new(text: &'text str) -> Self {
        Self { rest: text }
    }
}

impl Input for Source<'_> {
    // All of the text is there at any time, and behind its end there is NUL.
    #[inline]
    fn lookahead(&mut self, _: usize) {}

    #[inline]
    fn buflen(&self) -> usize {
        WINDOW
    }

    #[inline]
    fn bufmaxlen(&self) -> usize {
        WINDOW
    }

    fn raw_read_ch(&mut self) -> char {
        let next = self.peek();
        self.skip();
        next
    }

    fn raw_read_non_breakz_ch(&mut self) -> Option<char> {
        let next = self.peek();
        if matches!(next, '\0' | '\n' | '\r') {
            return None;
        }
        self.skip();
        Some(next)
    }

    fn skip(&mut self) {
        let mut rest = self.rest.chars();
        rest.next();
        self.rest = rest.as_str();
    }

    fn skip_n(&mut self, count: usize) {
        for _ in 0..count {
            self.skip();
        }
    }

    fn peek(&self) -> char {
        self.rest.chars().next().unwrap_or('\0')
    }

    fn peek_nth(&self, n: usize) -> char {
        self.rest.chars().nth(n).unwrap_or('\0')
    }
}

impl<'text> BorrowedInput<'text> for Source<'text> {
    fn slice_borrowed(&self, _: usize, _: usize) -> Option<&'text str> {
        None
    }
}

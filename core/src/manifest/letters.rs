//! What texts may consist of.

/// What a text may consist of: letters, digits, and some others.
pub(super) struct Allowed {
    upper_case: bool,
    others: &'static [u8],
}

impl Allowed {
    /// Lower-case letters, digits, and these.
    pub const fn lower_case(others: &'static [u8]) -> Self {
        Self { upper_case: false, others }
    }

    /// Letters, digits, and these.
    pub const fn any_case(others: &'static [u8]) -> Self {
        Self { upper_case: true, others }
    }

    fn has_letter(&self, byte: u8) -> bool {
        byte.is_ascii_lowercase() || byte.is_ascii_digit() || (self.upper_case && byte.is_ascii_uppercase())
    }
}

/// Whether a text holds nothing else.
#[inline(never)]
pub(super) fn holds_only(text: &str, allowed: &Allowed) -> bool {
    text.bytes().all(|byte| allowed.has_letter(byte) || allowed.others.contains(&byte))
}

/// Whether a text holds one of these, all of which are ASCII.
#[inline(never)]
pub(super) fn holds_any(text: &str, these: &[u8]) -> bool {
    text.bytes().any(|byte| these.contains(&byte))
}

/// Whether a text starts and ends with a letter or digit, and holds only these and what else is allowed between them.
#[inline(never)]
pub(super) fn is_word(text: &str, allowed: &Allowed) -> bool {
    let is_end = |byte: Option<&u8>| byte.is_some_and(|byte| allowed.has_letter(*byte));
    is_end(text.as_bytes().first()) && is_end(text.as_bytes().last()) && holds_only(text, allowed)
}

/// Whether a text of at most so many bytes is a word, or several with one of these separators between two.
#[inline(never)]
pub(super) fn are_words(text: &str, longest: usize, separators: &[char], allowed: &Allowed) -> bool {
    text.len() <= longest && text.split(separators).all(|word| is_word(word, allowed))
}

/// Whether a text is a number of so many hexadecimal digits in lower case.
#[inline(never)]
pub(super) fn is_hexadecimal(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Whether a text is a number without a sign.
#[inline(never)]
pub(super) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

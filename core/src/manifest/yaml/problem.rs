use super::super::Severity;

/// What can be wrong with a text before it is known what it describes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextProblem {
    /// The text is larger than what is read as documents.
    TooLarge {
        /// Size, bytes.
        bytes: u64,
        /// Limit, bytes.
        limit: u64,
    },
    /// The bytes are not UTF-8.
    NotUtf8 {
        /// They look like UTF-16, as some shells on Windows write it.
        utf16: bool,
    },
    /// A character that YAML does not allow, such as NUL.
    ControlCharacter {
        /// Its code point.
        code: u32,
    },
    /// There is no document in the text.
    Nothing,
    /// The text has more documents than are read.
    TooManyDocuments {
        /// Limit.
        limit: u32,
    },
    /// The text has more problems than are reported.
    MoreProblems,
    /// The text breaks the grammar of YAML; the rest of the document is not read.
    Syntax(SyntaxFault),
    /// A template (`{{ }}` or `{% %}`) that was not rendered; said once a text.
    Unrendered,
    /// Values are nested too deep.
    TooDeep {
        /// Limit, levels.
        limit: u16,
    },
    /// Nearly all of the document would come from aliases.
    TooManyAliases,
    /// `*name` stands inside of `&name`.
    AliasInsideItself,
    /// A key is given twice in one map; the last one counts.
    RepeatedKey {
        /// The key.
        key: String,
        /// Line of the one before.
        first_line: u32,
        /// Line of this one.
        line: u32,
    },
    /// `<<` stands behind a key that it brings as well, and replaces it.
    MergeReplaces {
        /// The key.
        key: String,
    },
    /// What `<<` names is neither a map nor a list of maps.
    MergeOfNoMap,
    /// A key that JSON cannot have.
    UnusableKey {
        /// What it is.
        found: ValueKind,
    },
    /// `.inf` or `.nan`, which JSON cannot hold.
    NotFinite {
        /// The text.
        text: String,
    },
    /// A text that is not what its tag says.
    TagMismatch {
        /// The text, shortened.
        text: String,
        /// The tag.
        tag: &'static str,
    },
    /// `!!binary` that is not base64.
    NotBase64,
}

/// A kind of value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// `null`, `~` or nothing.
    Null,
    /// A boolean.
    Bool,
    /// A number.
    Number,
    /// Text.
    String,
    /// A list.
    Sequence,
    /// A map.
    Mapping,
}

/// How a text breaks the grammar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SyntaxFault {
    /// A tab where only spaces may indent.
    Tab,
    /// `: ` inside of a value that has no quotes, or a map begun where none may begin.
    ColonInValue,
    /// The line is indented unlike its neighbours.
    Indentation,
    /// A key without its colon.
    MissingColon,
    /// A bracket or brace that is never closed, or something other than a comma between its members.
    OpenBracket {
        /// `[` or `{`.
        open: char,
    },
    /// A bracket or brace closed by the other kind.
    MismatchedBracket {
        /// What was opened.
        open: char,
        /// What closes it.
        close: char,
    },
    /// A closing bracket or brace that nothing opened.
    StrayBracket,
    /// A quote that is never closed.
    OpenQuote,
    /// Something directly behind a closing quote.
    TextBehindQuote,
    /// A `\` escape that does not exist or is not complete.
    Escape,
    /// `*name` without a `&name` before it.
    UnknownAnchor,
    /// `&` or `*` without a name.
    AnchorName,
    /// A tag that is not well formed, or of an undeclared kind.
    Tag,
    /// A `%` directive that is not well formed.
    Directive,
    /// A comment without a space before it, or in the midst of a text.
    Comment,
    /// `|` or `>` followed by something it does not know.
    BlockHeader,
    /// A character that cannot stand here.
    Character {
        /// The character.
        character: char,
    },
    /// The text ends too early.
    End,
    /// Anything else.
    Other,
}

impl TextProblem {
    /// The stable name.
    pub fn code(&self) -> &'static str {
        match self {
            Self::TooLarge { .. } => "too-large",
            Self::NotUtf8 { .. } => "not-utf-8",
            Self::ControlCharacter { .. } => "control-character",
            Self::Nothing => "nothing-to-read",
            Self::TooManyDocuments { .. } => "too-many-documents",
            Self::MoreProblems => "more-problems",
            Self::Syntax(_) => "yaml-syntax",
            Self::Unrendered => "unrendered-template",
            Self::TooDeep { .. } => "too-deep",
            Self::TooManyAliases => "too-many-aliases",
            Self::AliasInsideItself => "alias-inside-itself",
            Self::RepeatedKey { .. } => "repeated-key",
            Self::MergeReplaces { .. } => "merge-replaces-key",
            Self::MergeOfNoMap => "merge-of-no-map",
            Self::UnusableKey { .. } => "unusable-key",
            Self::NotFinite { .. } => "not-finite",
            Self::TagMismatch { .. } => "tag-mismatch",
            Self::NotBase64 => "not-base64",
        }
    }

    /// How bad it is.
    pub fn severity(&self) -> Severity {
        match self {
            Self::MergeReplaces { .. } => Severity::Warning,
            Self::MoreProblems => Severity::Note,
            _ => Severity::Error,
        }
    }
}

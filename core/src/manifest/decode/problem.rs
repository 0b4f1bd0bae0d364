use crate::KubernetesVersion;
use crate::api::Text;
use crate::manifest::Severity;

/// Why a value cannot be decoded into the API's types, or is ignored by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DecodeProblem {
    /// The type has no such field.
    UnknownField {
        /// The name that stands there.
        name: Text,
        /// The field that was most likely meant.
        meant: Option<Text>,
        /// The way from here to the only field of that name further down, such as `updateStrategy.rollingUpdate`.
        belongs_in: Option<Text>,
        /// Decoding is lenient: the server drops the field and goes on.
        ignored: bool,
    },
    /// The type has such a field only in a later release.
    NewerField {
        /// The first release that knows it.
        since: KubernetesVersion,
        /// Decoding is lenient: the server drops the field and goes on.
        ignored: bool,
    },
    /// The value is of another kind than the field.
    WrongType {
        /// What the field holds.
        expected: Expected,
        /// What stands there.
        found: Found,
    },
    /// A number with a fraction, or beyond what a whole number can hold.
    NotAWholeNumber {
        /// The number as JSON writes it.
        written: Text,
        /// The size of the field's number, bits.
        bits: u8,
    },
    /// Text that is no amount.
    NotAQuantity {
        /// The text.
        written: Text,
    },
    /// Text that is no time.
    NotATime {
        /// The text.
        written: Text,
    },
    /// An API group or version in which this kind does not exist any more, or never did.
    WrongApiVersion {
        /// What stands there.
        written: Text,
    },
    /// Another kind than the one it is read as.
    WrongKind {
        /// What stands there.
        written: Text,
    },
    /// The object names another namespace than the request.
    OtherNamespace {
        /// The object's.
        written: Text,
        /// The request's.
        requested: Text,
    },
}

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Text.
    String,
    /// `true` or `false`.
    Bool,
    /// A whole number.
    Integer,
    /// A whole number or text.
    IntOrString,
    /// An amount.
    Quantity,
    /// A time.
    Time,
    /// A list.
    List,
    /// A map from names to values.
    Map,
    /// An object.
    Object,
}

/// What stands in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// A boolean; the text may read `yes` or `on`.
    Bool,
    /// A number.
    Number,
    /// Text.
    String,
    /// A list.
    List,
    /// A map.
    Map,
}

impl DecodeProblem {
    /// The stable name, for filters and links.
    pub fn code(&self) -> &'static str {
        match self {
            Self::UnknownField { .. } => "unknown-field",
            Self::NewerField { .. } => "newer-field",
            Self::WrongType { .. } => "wrong-type",
            Self::NotAWholeNumber { .. } => "not-a-whole-number",
            Self::NotAQuantity { .. } => "not-a-quantity",
            Self::NotATime { .. } => "not-a-time",
            Self::WrongApiVersion { .. } => "wrong-api-version",
            Self::WrongKind { .. } => "wrong-kind",
            Self::OtherNamespace { .. } => "other-namespace",
        }
    }

    /// How bad it is.
    pub fn severity(&self) -> Severity {
        match self {
            Self::UnknownField { ignored: true, .. } | Self::NewerField { ignored: true, .. } => Severity::Warning,
            _ => Severity::Error,
        }
    }
}

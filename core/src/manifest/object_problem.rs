use super::{ObjectKind, Severity, ValueKind};
use crate::api::Text;

/// What can be wrong with a document as an object of Kubernetes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObjectProblem {
    /// The document is no map.
    NotAnObject {
        /// What it is.
        found: ValueKind,
    },
    /// `apiVersion` or `kind` is missing or no text.
    MissingType {
        /// `apiVersion` is missing.
        api_version: bool,
        /// `kind` is missing.
        kind: bool,
    },
    /// A kind that is read, in a version that does not exist (any more); it is read all the same.
    WrongVersion {
        /// The kind.
        kind: ObjectKind,
        /// What stands there.
        written: Text,
        /// The release that no longer has it, when there was one that had.
        removed_in: Option<&'static str>,
    },
    /// Almost the name of a kind that is read; it is read as that.
    MisspeltKind {
        /// What stands there.
        written: Text,
        /// What is meant.
        meant: ObjectKind,
    },
    /// A DaemonSet of another project's API group, which Kubernetes' own controller does not run; it is skipped.
    ForeignDaemonSet {
        /// What stands there.
        api_version: Text,
    },
    /// `items` of a list is no list.
    ItemsNotAList {
        /// What it is.
        found: ValueKind,
    },
    /// The value does not fit the field that rules read.
    Unfit,
    /// An item of a dump that is not JSON or YAML; reading ends there.
    BrokenItem,
    /// An item larger than is read.
    ItemTooLarge {
        /// Limit, bytes.
        limit: u64,
    },
    /// The dump ends before it is complete.
    CutOff,
}

impl ObjectProblem {
    /// The stable name.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotAnObject { .. } => "not-an-object",
            Self::MissingType { .. } => "missing-type",
            Self::WrongVersion { .. } => "wrong-api-version",
            Self::MisspeltKind { .. } => "misspelt-kind",
            Self::ForeignDaemonSet { .. } => "foreign-daemon-set",
            Self::ItemsNotAList { .. } => "items-not-a-list",
            Self::Unfit => "unfit-value",
            Self::BrokenItem => "broken-item",
            Self::ItemTooLarge { .. } => "item-too-large",
            Self::CutOff => "cut-off",
        }
    }

    /// How bad it is.
    pub fn severity(&self) -> Severity {
        match self {
            Self::ForeignDaemonSet { .. } => Severity::Warning,
            _ => Severity::Error,
        }
    }
}

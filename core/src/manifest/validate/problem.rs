use super::Syntax;
use crate::api::Text;
use crate::manifest::Severity;

/// Why the API server refuses a value that it could read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValidationProblem {
    /// The field must have a value.
    Required,
    /// The field must have a value because another one asks for it.
    RequiredWith {
        /// The field and what it holds, such as `dnsPolicy: None`.
        other: &'static str,
    },
    /// One of these fields must be set.
    OneOfRequired {
        /// Their names.
        choices: &'static [&'static str],
    },
    /// Only one of several fields may be set.
    MoreThanOne,
    /// The same value stands in the list before.
    Duplicate {
        /// The value.
        value: Text,
    },
    /// A word that is not among those known here.
    NotSupported {
        /// The word.
        value: Text,
        /// The words that are.
        supported: &'static [&'static str],
        /// The one that was most likely meant.
        meant: Option<&'static str>,
    },
    /// A name that nothing in the list of its kind has.
    NotFound {
        /// The name.
        value: Text,
        /// Where it should be, such as `volumes`.
        among: &'static str,
    },
    /// Text of the wrong shape.
    Malformed {
        /// The text.
        value: Text,
        /// The shape it should have.
        syntax: Syntax,
    },
    /// A number outside its range.
    OutOfRange {
        /// The number.
        value: i64,
        /// The smallest that is allowed.
        minimum: i64,
        /// The largest that is allowed.
        maximum: i64,
    },
    /// A number below its minimum.
    BelowMinimum {
        /// The number.
        value: i64,
        /// The smallest that is allowed.
        minimum: i64,
    },
    /// A number that must be exactly this.
    MustBe {
        /// The only number that is allowed.
        only: i64,
    },
    /// Text, or all of a map, is longer than this many bytes.
    TooLong {
        /// The limit, bytes.
        limit: u32,
    },
    /// A list has more elements than this.
    TooMany {
        /// The limit.
        limit: u32,
    },
    /// The field may not be set beside another one.
    NotWith {
        /// The other field and what it holds, such as `hostNetwork: true`.
        other: &'static str,
    },
    /// The field may only be set beside another one.
    OnlyWith {
        /// The other field and what it holds, such as `effect: NoExecute`.
        other: &'static str,
    },
    /// The field must hold this word beside another one.
    MustBeWith {
        /// The word.
        word: &'static str,
        /// The other field.
        other: &'static str,
    },
    /// The field may not be set in this place.
    NotIn {
        /// The place.
        place: Place,
    },
    /// Two fields must hold the same.
    MustMatch {
        /// The other field, such as `containerPort`.
        other: &'static str,
    },
    /// An amount below zero.
    NegativeAmount,
    /// A resource that is only counted in whole numbers has a fraction.
    FractionalAmount,
    /// More is asked for than the limit allows.
    RequestAboveLimit {
        /// The resource.
        resource: Text,
        /// The limit.
        limit: Text,
    },
    /// A resource that cannot be shared is asked for in another amount than its limit.
    RequestNotLimit {
        /// The resource.
        resource: Text,
        /// The limit.
        limit: Text,
    },
    /// A resource that cannot be shared has no limit.
    LimitMissing {
        /// The resource.
        resource: Text,
    },
    /// Huge pages without cpu or memory.
    HugePagesAlone,
    /// An amount that is no multiple of the page size.
    NotWholePages {
        /// The resource, such as `hugepages-2Mi`.
        resource: Text,
    },
    /// A name that is no resource of containers.
    UnknownResource {
        /// The name.
        resource: Text,
    },
    /// The pod asks for less than its containers together, or a container may use more than the pod.
    ContainersExceedPod {
        /// What the containers add up to.
        containers: Text,
    },
    /// The selector does not match the labels of the template.
    SelectorMismatch,
    /// The selector matches everything.
    EmptySelector,
    /// A field that cannot change once the object exists.
    Immutable,
    /// `maxSurge` is not zero, and neither is `maxUnavailable`.
    SurgeBesideUnavailable {
        /// `maxUnavailable` is not written: it is 1 by default.
        by_default: bool,
    },
    /// `maxUnavailable` and `maxSurge` are both zero.
    NothingMayChange,
    /// A percentage above 100.
    AboveHundredPercent,
    /// An operator that takes no values has some, or one that needs them has none.
    ValuesOfOperator {
        /// How many it takes.
        takes: Takes,
    },
    /// A namespace reserved for Kubernetes.
    ReservedNamespace,
    /// A path that another entry writes to.
    ConflictingPath {
        /// The path.
        path: Text,
    },
    /// A kind that can own nothing.
    BannedOwner,
    /// Some containers of a pod use the Windows host, others do not.
    MixedHostProcess,
    /// Without privilege escalation, and privileged.
    EscalationContradiction,
    /// A sleep before stopping that is longer than the time there is for stopping, or negative.
    SleepOutOfRange {
        /// `terminationGracePeriodSeconds`.
        grace_period: i64,
    },
}

/// A place where some fields are not allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The template of a DaemonSet.
    DaemonSet,
    /// A pod template.
    PodTemplate,
    /// An init container that does not keep running.
    InitContainer,
    /// A container for debugging.
    EphemeralContainer,
    /// A pod for Linux.
    LinuxPod,
    /// A pod for Windows.
    WindowsPod,
    /// A container that is not privileged.
    UnprivilegedContainer,
    /// A claim template.
    ClaimTemplate,
    /// The pod's own resources.
    PodResources,
    /// Features that are off by default.
    DefaultFeatures,
}

/// How many values an operator takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// None: `Exists`, `DoesNotExist`.
    None,
    /// One.
    One,
    /// One or more: `In`, `NotIn`.
    Some,
}

impl ValidationProblem {
    /// The stable name, for filters and links.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Required | Self::RequiredWith { .. } => "required",
            Self::OneOfRequired { .. } => "one-of-required",
            Self::MoreThanOne => "more-than-one",
            Self::Duplicate { .. } => "duplicate",
            Self::NotSupported { .. } => "not-supported",
            Self::NotFound { .. } => "not-found",
            Self::Malformed { .. } => "malformed",
            Self::OutOfRange { .. } | Self::BelowMinimum { .. } | Self::MustBe { .. } => "out-of-range",
            Self::TooLong { .. } => "too-long",
            Self::TooMany { .. } => "too-many",
            Self::NotWith { .. } => "not-with",
            Self::OnlyWith { .. } | Self::MustBeWith { .. } => "only-with",
            Self::NotIn { .. } => "not-allowed-here",
            Self::MustMatch { .. } => "must-match",
            Self::NegativeAmount => "negative-amount",
            Self::FractionalAmount => "fractional-amount",
            Self::RequestAboveLimit { .. } => "request-above-limit",
            Self::RequestNotLimit { .. } => "request-not-limit",
            Self::LimitMissing { .. } => "limit-missing",
            Self::HugePagesAlone => "huge-pages-alone",
            Self::NotWholePages { .. } => "not-whole-pages",
            Self::UnknownResource { .. } => "unknown-resource",
            Self::ContainersExceedPod { .. } => "containers-exceed-pod",
            Self::SelectorMismatch => "selector-mismatch",
            Self::EmptySelector => "empty-selector",
            Self::Immutable => "immutable",
            Self::SurgeBesideUnavailable { .. } => "surge-beside-unavailable",
            Self::NothingMayChange => "nothing-may-change",
            Self::AboveHundredPercent => "above-hundred-percent",
            Self::ValuesOfOperator { .. } => "values-of-operator",
            Self::ReservedNamespace => "reserved-namespace",
            Self::ConflictingPath { .. } => "conflicting-path",
            Self::BannedOwner => "banned-owner",
            Self::MixedHostProcess => "mixed-host-process",
            Self::EscalationContradiction => "escalation-contradiction",
            Self::SleepOutOfRange { .. } => "sleep-out-of-range",
        }
    }

    /// How bad it is: always an error.
    pub fn severity(&self) -> Severity {
        Severity::Error
    }
}

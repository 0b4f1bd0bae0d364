use crate::api::Text;
use crate::manifest::Severity;

/// What the API server accepts and warns about (`pod.GetWarningsForPodTemplate`, Kubernetes 1.36).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AdmissionWarning {
    /// A node label that has a newer name, or none any more.
    DeprecatedNodeLabel {
        /// The label.
        key: Text,
        /// What to use instead.
        instead: Option<&'static str>,
    },
    /// A selector that is absent, and so matches no pod.
    NullSelector,
    /// An annotation that does nothing any more.
    DeadAnnotation {
        /// The field that does it now.
        instead: &'static str,
    },
    /// A kind of volume that does nothing any more, or soon.
    DeprecatedVolume,
    /// A value that no label can have.
    NoLabelValue {
        /// The value.
        value: Text,
    },
    /// The same thing twice.
    Repeated {
        /// The thing.
        value: Text,
    },
    /// A reference without a name.
    EmptyName,
    /// An amount of bytes with a fraction.
    FractionalBytes,
    /// A variable that hides an earlier one of the same name.
    HidesVariable {
        /// The name.
        name: Text,
    },
    /// An address of the host without a port of the host.
    HostIpWithoutHostPort,
    /// The same port as before.
    SamePort {
        /// The path of the other one.
        other: Text,
    },
    /// A port that contains another one, on the host or on one of its addresses.
    OverlappingPort {
        /// The path of the other one.
        other: Text,
    },
    /// The name of another port: who looks for it finds the first.
    SamePortName {
        /// The path of the other one.
        other: Text,
    },
    /// A time to stop below zero, which counts as 1 second.
    NegativeGracePeriod,
    /// An address that is not written the usual way.
    UnusualAddress {
        /// The usual way to write it.
        canonical: Text,
    },
    /// Two sources of a volume write to the same path.
    OverlappingPaths {
        /// The path.
        path: Text,
        /// The other one.
        other: Text,
    },
    /// A part of a volume that has nothing in it.
    EmptySource,
}

impl AdmissionWarning {
    /// The stable name, for filters and links.
    pub fn code(&self) -> &'static str {
        match self {
            Self::DeprecatedNodeLabel { .. } => "deprecated-node-label",
            Self::NullSelector => "null-selector",
            Self::DeadAnnotation { .. } => "dead-annotation",
            Self::DeprecatedVolume => "deprecated-volume",
            Self::NoLabelValue { .. } => "no-label-value",
            Self::Repeated { .. } => "repeated",
            Self::EmptyName => "empty-name",
            Self::FractionalBytes => "fractional-bytes",
            Self::HidesVariable { .. } => "hides-variable",
            Self::HostIpWithoutHostPort => "host-ip-without-host-port",
            Self::SamePort { .. } => "same-port",
            Self::OverlappingPort { .. } => "overlapping-port",
            Self::SamePortName { .. } => "same-port-name",
            Self::NegativeGracePeriod => "negative-grace-period",
            Self::UnusualAddress { .. } => "unusual-address",
            Self::OverlappingPaths { .. } => "overlapping-paths",
            Self::EmptySource => "empty-source",
        }
    }

    /// How bad it is: always a warning.
    pub fn severity(&self) -> Severity {
        Severity::Warning
    }
}

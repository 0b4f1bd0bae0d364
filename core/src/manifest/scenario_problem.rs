use super::{ObjectKind, Severity};
use crate::api::Text;

/// What can be wrong with a scenario file beyond its grammar and its types.
///
/// It stands here, beside the problems of manifests, because a reader reports all it finds in one list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScenarioProblem {
    /// The document is something else.
    NotAScenario {
        /// Its `kind`; empty when it has none.
        kind: Text,
    },
    /// A scenario in a version of the format that is not read.
    OtherVersion {
        /// What stands there.
        written: Text,
        /// What is read.
        known: &'static str,
    },
    /// A further document behind the scenario.
    SecondDocument,
    /// A key that has to be there.
    Missing {
        /// The key.
        key: &'static str,
    },
    /// One of several keys has to be there.
    MissingOneOf {
        /// The keys.
        keys: &'static [&'static str],
    },
    /// Two keys that exclude each other.
    Excludes {
        /// The key that stands there as well.
        other: Text,
    },
    /// Text that is no length of time.
    NotADuration {
        /// The text.
        written: Text,
    },
    /// A length of time below zero.
    NegativeDuration,
    /// A length of time finer than a microsecond, or beyond what is played.
    DurationOutOfRange {
        /// The longest that is taken, whole days.
        days: u32,
    },
    /// A number beyond what makes sense here.
    NumberOutOfRange {
        /// The smallest.
        least: u64,
        /// The largest.
        most: u64,
    },
    /// A word that is not one of those known here.
    UnknownWord {
        /// What stands there.
        written: Text,
        /// What was most likely meant.
        meant: Option<&'static str>,
        /// What is known.
        known: &'static [&'static str],
    },
    /// Text that has to say something.
    Empty,
    /// A uniform distribution whose shortest time is longer than its longest.
    LeastAboveMost,
    /// A log-normal distribution whose 95th percentile lies below its median.
    P95BelowMedian,
    /// A log-normal distribution about zero, which has no spread.
    MedianIsZero,
    /// The least, the median, the 95th percentile and the largest of what was measured, of which a later one is smaller.
    RanksFall,
    /// A name that no node can have.
    NodeName {
        /// The name.
        written: Text,
    },
    /// A label key or value that Kubernetes does not take.
    LabelSyntax {
        /// What stands there.
        written: Text,
    },
    /// A resource that Kubernetes does not know, and that is not an extended one.
    UnknownResource {
        /// What stands there.
        written: Text,
    },
    /// An amount below zero.
    NegativeAmount,
    /// More nodes than are played.
    TooManyNodes {
        /// How many there would be.
        count: u64,
        /// The most.
        limit: u32,
    },
    /// The cluster has no nodes, and none joins.
    NoNodes,
    /// Two nodes of one name.
    NodeTwice {
        /// The name.
        name: Text,
    },
    /// An object that is there twice.
    ObjectTwice {
        /// Its kind.
        kind: ObjectKind,
        /// Namespace and name.
        name: Text,
    },
    /// A node that there is not, or not at that time.
    UnknownNode {
        /// The name.
        name: Text,
        /// What was most likely meant.
        meant: Option<Text>,
    },
    /// A pod that there is not at the start, and whose name the controller would give to none.
    UnknownPod {
        /// The name.
        name: Text,
    },
    /// Neither the cluster nor the scenario has a DaemonSet to play.
    NoDaemonSet,
    /// The cluster has several DaemonSets, and none was chosen.
    SeveralDaemonSets {
        /// The first of them.
        names: Vec<Text>,
    },
    /// The cluster has no DaemonSet of that name.
    UnknownDaemonSet {
        /// Namespace and name.
        name: Text,
    },
    /// A change for another DaemonSet than the one that is played.
    OtherDaemonSet {
        /// Namespace and name in the change.
        written: Text,
        /// The one that is played.
        played: Text,
    },
    /// An object of another kind than belongs here.
    OtherKind {
        /// The kind that belongs here.
        wanted: ObjectKind,
    },
    /// The play starts from pods, and there are none.
    NoPods,
    /// An event that lies before the start.
    BeforeStart,
    /// The DaemonSet has been deleted by then, or never was there.
    NoDaemonSetThen,
    /// An object of the cluster from after the time that the play starts at.
    FromTheFuture {
        /// When the object was made or changed.
        at: Text,
    },
    /// A part of the scenario that has a text of its own where it is read in parts.
    StandsElsewhere,
    /// A further file, which whoever reads this cannot read.
    FilesNotRead,
    /// A further file that could not be read.
    FileNotRead {
        /// Its name.
        name: Text,
    },
}

impl ScenarioProblem {
    /// The stable name.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotAScenario { .. } => "not-a-scenario",
            Self::OtherVersion { .. } => "other-version",
            Self::SecondDocument => "second-document",
            Self::Missing { .. } | Self::MissingOneOf { .. } => "missing-key",
            Self::Excludes { .. } => "excludes-another-key",
            Self::NotADuration { .. } => "not-a-duration",
            Self::NegativeDuration => "negative-duration",
            Self::DurationOutOfRange { .. } => "duration-out-of-range",
            Self::NumberOutOfRange { .. } => "number-out-of-range",
            Self::UnknownWord { .. } => "unknown-word",
            Self::Empty => "empty-text",
            Self::LeastAboveMost | Self::P95BelowMedian | Self::MedianIsZero | Self::RanksFall => {
                "impossible-distribution"
            }
            Self::NodeName { .. } => "node-name",
            Self::LabelSyntax { .. } => "label-syntax",
            Self::UnknownResource { .. } => "unknown-resource",
            Self::NegativeAmount => "negative-amount",
            Self::TooManyNodes { .. } => "too-many-nodes",
            Self::NoNodes => "no-nodes",
            Self::NodeTwice { .. } | Self::ObjectTwice { .. } => "object-twice",
            Self::UnknownNode { .. } => "unknown-node",
            Self::UnknownPod { .. } => "unknown-pod",
            Self::NoDaemonSet => "no-daemon-set",
            Self::SeveralDaemonSets { .. } => "several-daemon-sets",
            Self::UnknownDaemonSet { .. } => "unknown-daemon-set",
            Self::OtherDaemonSet { .. } => "other-daemon-set",
            Self::OtherKind { .. } => "other-kind",
            Self::NoPods => "no-pods",
            Self::BeforeStart => "before-start",
            Self::NoDaemonSetThen => "no-daemon-set-then",
            Self::FromTheFuture { .. } => "from-the-future",
            Self::StandsElsewhere => "stands-elsewhere",
            Self::FilesNotRead => "files-not-read",
            Self::FileNotRead { .. } => "file-not-read",
        }
    }

    /// How bad it is: a scenario with any of these is not played.
    pub const fn severity(&self) -> Severity {
        Severity::Error
    }
}

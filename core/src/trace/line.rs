use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::api::{ObjectKey, Text};
use crate::sim::{Counters, DecisionKind, EventRefusal, MarkKind, Tile};

/// The version of the format that is read and written.
pub const TRACE_VERSION: &str = "rollcast.dev/v1alpha1";

/// The `kind` in a trace's header.
pub const TRACE_KIND: &str = "Trace";

/// The first line of a trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TraceHeader {
    /// [`TRACE_VERSION`].
    pub api_version: Text,
    /// [`TRACE_KIND`].
    pub kind: Text,
    /// The DaemonSet that was played.
    pub daemon_set: ObjectKey,
    /// The Kubernetes release whose behaviour was played, such as `1.36`.
    pub kubernetes_version: Text,
    /// The seed of the play.
    pub seed: u64,
    /// What the options of the play come to, seed and start apart: 16 hexadecimal digits.
    pub options_hash: Text,
    /// What the nodes showed at the start.
    pub nodes: Vec<TraceSight>,
}

/// Nodes that show the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TraceSight {
    /// What they show.
    #[serde(with = "tile_name")]
    pub shows: Tile,
    /// Their names.
    pub nodes: Vec<Text>,
}

/// A moment in which something changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TraceMoment {
    /// When, microseconds since the start.
    pub at: u64,
    /// What was done from outside since the moment before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub done: Vec<TraceMark>,
    /// What the controller decided, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decided: Vec<TraceDecision>,
    /// The nodes that show something else from now on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seen: Vec<TraceSight>,
    /// The numbers at the end of the moment.
    pub counters: TraceCounters,
}

/// Something that was done to the cluster from outside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TraceMark {
    /// When, microseconds since the start.
    pub at: u64,
    /// What was done.
    pub kind: MarkKind,
    /// To which node, pod or DaemonSet; empty where that says nothing.
    pub about: Text,
}

/// Decisions that share kind and reason.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TraceDecision {
    /// What was decided.
    pub kind: DecisionKind,
    /// The name of the reason.
    pub reason: Text,
    /// The numbers and names that the reason rests on.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub because: Value,
    /// How many decisions.
    pub count: u32,
    /// Among how many each was chosen; 1 where there was no choice.
    pub candidate_count: u32,
    /// The nodes they are about, in the order they were decided; empty for revisions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<Text>,
}

/// The numbers of one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TraceCounters {
    /// DESIRED, as the status says.
    pub desired: u32,
    /// CURRENT, as the status says.
    pub current: u32,
    /// READY, as the status says.
    pub ready: u32,
    /// UP-TO-DATE, as the status says.
    pub up_to_date: u32,
    /// AVAILABLE, as the status says.
    pub available: u32,
    /// `numberMisscheduled`, as the status says.
    pub misscheduled: u32,
    /// Old pods that are available and not being deleted.
    pub old_available: u32,
    /// Old pods that are not available and not being deleted.
    pub old_unavailable: u32,
    /// New pods that are available and not being deleted.
    pub new_available: u32,
    /// New pods that are not available and not being deleted.
    pub new_unavailable: u32,
    /// Pods being deleted.
    pub terminating: u32,
    /// `maxUnavailable`, resolved against DESIRED.
    pub max_unavailable: u32,
    /// `maxSurge`, resolved against DESIRED.
    pub max_surge: u32,
}

/// The last line of a trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TraceEnd {
    /// How it ended.
    pub end: TraceOutcome,
    /// When the last thing changed, microseconds since the start.
    pub at: u64,
    /// Nodes that should run the pod, at the end.
    pub eligible: u32,
    /// Of these, the ones with an available new pod.
    pub finished: u32,
    /// How many moments there are.
    pub moments: u32,
    /// What could not be done to the cluster.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<TraceRefusal>,
    /// The hash of all bytes before this line: 16 hexadecimal digits.
    pub hash: Text,
}

/// Something that could not be done to the cluster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TraceRefusal {
    /// When, microseconds since the start.
    pub at: u64,
    /// Why.
    pub why: EventRefusal,
}

/// How a play ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TraceOutcome {
    /// Every eligible node has an available new pod.
    Complete,
    /// Nothing is going to happen any more.
    Stuck,
    /// The same things happen again and again.
    Endless,
    /// There is no DaemonSet.
    NoDaemonSet,
    /// The play was ended before its end.
    Interrupted,
}

impl From<Counters> for TraceCounters {
    fn from(counters: Counters) -> Self {
        let Counters { desired, current, ready, up_to_date, available, misscheduled, .. } = counters;
        let Counters { old_available, old_unavailable, new_available, new_unavailable, .. } = counters;
        let Counters { terminating, max_unavailable, max_surge, .. } = counters;
        Self {
            desired,
            current,
            ready,
            up_to_date,
            available,
            misscheduled,
            old_available,
            old_unavailable,
            new_available,
            new_unavailable,
            terminating,
            max_unavailable,
            max_surge,
        }
    }
}

/// Tiles go by their names here: their numbers are those of the packed timeline.
mod tile_name {
    use serde::{Deserialize, Deserializer, Serializer, de};

    use super::Tile;
    use crate::api::Text;

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
    pub fn serialize<S: Serializer>(tile: &Tile, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(name(*tile))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Tile, D::Error> {
        let written = Text::deserialize(deserializer)?;
        let found = Tile::ALL.into_iter().find(|tile| name(*tile) == written);
        found.ok_or_else(|| de::Error::custom("nothing that a node shows"))
    }

    const fn name(tile: Tile) -> &'static str {
        match tile {
            Tile::NotEligible => "NotEligible",
            Tile::Missing => "Missing",
            Tile::Pending => "Pending",
            Tile::OldAvailable => "OldAvailable",
            Tile::OldUnavailable => "OldUnavailable",
            Tile::Terminating => "Terminating",
            Tile::NewStarting => "NewStarting",
            Tile::NewReady => "NewReady",
            Tile::NewAvailable => "NewAvailable",
            Tile::Surging => "Surging",
            Tile::Failed => "Failed",
            Tile::Misscheduled => "Misscheduled",
            Tile::Gone => "Gone",
        }
    }
}

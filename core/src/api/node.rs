use serde::{Deserialize, Serialize};

use super::{ObjectMeta, ResourceList, Text, is_default, null_is_default};
use crate::time::Timestamp;

/// A node of the cluster.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Node {
    /// Name, labels, UID.
    pub metadata: ObjectMeta,
    /// What was asked of the node.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub spec: NodeSpec,
    /// What the node reports.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub status: NodeStatus,
}

impl Node {
    /// The status of the `Ready` condition; `Unknown` when the node never reported one.
    pub fn ready(&self) -> ConditionStatus {
        self.status
            .conditions
            .iter()
            .find(|condition| condition.condition_type == "Ready")
            .map_or(ConditionStatus::Unknown, |condition| condition.status)
    }
}

/// `spec` of a node.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct NodeSpec {
    /// Cordoned: the scheduler keeps pods away that do not tolerate it.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub unschedulable: bool,
    /// Taints.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub taints: Vec<Taint>,
}

/// `status` of a node.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct NodeStatus {
    /// What pods may request in all; a resource that is not listed counts as zero.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub allocatable: ResourceList,
    /// Conditions.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub conditions: Vec<Condition>,
}

/// A condition of a node or a pod.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Condition {
    /// Type, such as `Ready`.
    #[serde(rename = "type", deserialize_with = "null_is_default")]
    pub condition_type: Text,
    /// Whether it holds.
    #[serde(deserialize_with = "null_is_default")]
    pub status: ConditionStatus,
    /// Since when it has had this status.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub last_transition_time: Option<Timestamp>,
    /// One word that says why.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub reason: Text,
    /// A sentence that says why.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub message: Text,
}

/// `True`, `False` or `Unknown`; any other text reads as `Unknown`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ConditionStatus {
    /// The condition holds.
    True,
    /// The condition does not hold.
    False,
    /// Nobody knows.
    #[default]
    #[serde(other)]
    Unknown,
}

/// A taint of a node.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Taint {
    /// Key.
    #[serde(deserialize_with = "null_is_default")]
    pub key: Text,
    /// Value; often empty.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub value: Text,
    /// What it does to pods that do not tolerate it.
    #[serde(deserialize_with = "null_is_default")]
    pub effect: TaintEffect,
}

impl std::fmt::Display for Taint {
    /// As kubectl writes it: `key=value:Effect`, without `=` when the value is empty.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.value.is_empty() {
            write!(formatter, "{}:{}", self.key, self.effect.as_str())
        } else {
            write!(formatter, "{}={}:{}", self.key, self.value, self.effect.as_str())
        }
    }
}

/// The effect of a taint, or the one a toleration is limited to.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "Text", into = "Text")]
pub enum TaintEffect {
    /// No effect named: in a toleration, every effect.
    #[default]
    Unset,
    /// New pods stay away.
    NoSchedule,
    /// New pods rather stay away.
    PreferNoSchedule,
    /// New pods stay away, running ones are evicted.
    NoExecute,
    /// A word that Kubernetes does not know; it equals only itself.
    Other(Text),
}

impl TaintEffect {
    /// The word as Kubernetes writes it; empty when unset.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Unset => "",
            Self::NoSchedule => "NoSchedule",
            Self::PreferNoSchedule => "PreferNoSchedule",
            Self::NoExecute => "NoExecute",
            Self::Other(word) => word,
        }
    }
}

impl From<Text> for TaintEffect {
    fn from(word: Text) -> Self {
        match word.as_str() {
            "" => Self::Unset,
            "NoSchedule" => Self::NoSchedule,
            "PreferNoSchedule" => Self::PreferNoSchedule,
            "NoExecute" => Self::NoExecute,
            _ => Self::Other(word),
        }
    }
}

impl From<TaintEffect> for Text {
    fn from(effect: TaintEffect) -> Self {
        match effect {
            TaintEffect::Other(word) => word,
            known => Self::new(known.as_str()),
        }
    }
}

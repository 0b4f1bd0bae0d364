use serde::Serialize;

use super::{ObjectMeta, ResourceList, Text, is_default};
use crate::json::{Cursor, JsonError, Read, deserialize, fields};
use crate::time::Timestamp;

/// A node of the cluster.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Node {
    /// Name, labels, UID.
    pub metadata: ObjectMeta,
    /// What was asked of the node.
    #[serde(skip_serializing_if = "is_default")]
    pub spec: NodeSpec,
    /// What the node reports.
    #[serde(skip_serializing_if = "is_default")]
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
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeSpec {
    /// Cordoned: the scheduler keeps pods away that do not tolerate it.
    #[serde(skip_serializing_if = "is_default")]
    pub unschedulable: bool,
    /// Taints.
    #[serde(skip_serializing_if = "is_default")]
    pub taints: Vec<Taint>,
}

/// `status` of a node.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeStatus {
    /// What pods may request in all; a resource that is not listed counts as zero.
    #[serde(skip_serializing_if = "is_default")]
    pub allocatable: ResourceList,
    /// Conditions.
    #[serde(skip_serializing_if = "is_default")]
    pub conditions: Vec<Condition>,
}

/// A condition of a node or a pod.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Condition {
    /// Type, such as `Ready`.
    #[serde(rename = "type")]
    pub condition_type: Text,
    /// Whether it holds.
    pub status: ConditionStatus,
    /// Since when it has had this status.
    #[serde(skip_serializing_if = "is_default")]
    pub last_transition_time: Option<Timestamp>,
    /// One word that says why.
    #[serde(skip_serializing_if = "is_default")]
    pub reason: Text,
    /// A sentence that says why.
    #[serde(skip_serializing_if = "is_default")]
    pub message: Text,
}

/// `True`, `False` or `Unknown`; any other text reads as `Unknown`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum ConditionStatus {
    /// The condition holds.
    True,
    /// The condition does not hold.
    False,
    /// Nobody knows.
    #[default]
    Unknown,
}

/// A taint of a node.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Taint {
    /// Key.
    pub key: Text,
    /// Value; often empty.
    #[serde(skip_serializing_if = "is_default")]
    pub value: Text,
    /// What it does to pods that do not tolerate it.
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
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(into = "Text")]
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

impl Read for ConditionStatus {
    fn read(&mut self, cursor: &mut Cursor<'_>) -> Result<(), JsonError> {
        *self = match cursor.text()?.as_ref() {
            "True" => Self::True,
            "False" => Self::False,
            _ => Self::Unknown,
        };
        Ok(())
    }
}

impl Read for TaintEffect {
    fn read(&mut self, cursor: &mut Cursor<'_>) -> Result<(), JsonError> {
        *self = Text::new(cursor.text()?).into();
        Ok(())
    }
}

deserialize!(ConditionStatus, TaintEffect);

fields! {
    Node { metadata: "metadata", spec: "spec", status: "status" }
    NodeSpec { unschedulable: "unschedulable", taints: "taints" }
    NodeStatus { allocatable: "allocatable", conditions: "conditions" }
    Condition {
        condition_type: "type", status: "status", last_transition_time: "lastTransitionTime", reason: "reason",
        message: "message",
    }
    Taint { key: "key", value: "value", effect: "effect" }
}

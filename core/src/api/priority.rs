use serde::{Deserialize, Serialize};

use super::{ObjectMeta, Text, is_default, null_is_default};

/// A named priority of pods (`scheduling.k8s.io/v1`).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PriorityClass {
    /// Name.
    pub metadata: ObjectMeta,
    /// The priority; higher pushes lower away.
    #[serde(deserialize_with = "null_is_default")]
    pub value: i32,
    /// Whether pods that name no class get this one.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub global_default: bool,
    /// `Never` keeps the pods from preempting others.
    #[serde(deserialize_with = "null_is_default", skip_serializing_if = "is_default")]
    pub preemption_policy: Text,
}

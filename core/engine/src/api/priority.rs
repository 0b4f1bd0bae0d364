use serde::Serialize;

use super::{ObjectMeta, Text, is_default};
use crate::json::fields;

/// A named priority of pods (`scheduling.k8s.io/v1`).
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PriorityClass {
    /// Name.
    pub metadata: ObjectMeta,
    /// The priority; higher pushes lower away.
    pub value: i32,
    /// Whether pods that name no class get this one.
    #[serde(skip_serializing_if = "is_default")]
    pub global_default: bool,
    /// `Never` keeps the pods from preempting others.
    #[serde(skip_serializing_if = "is_default")]
    pub preemption_policy: Text,
}

fields! {
    PriorityClass {
        metadata: "metadata", value: "value", global_default: "globalDefault", preemption_policy: "preemptionPolicy",
    }
}

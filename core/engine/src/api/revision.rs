use serde::Serialize;

use super::ObjectMeta;
use crate::json::fields;

/// A stored version of a DaemonSet's pod template (`apps/v1` ControllerRevision).
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ControllerRevision {
    /// Name, labels (with `controller-revision-hash`), owner.
    pub metadata: ObjectMeta,
    /// The patch that restores this version: `{"spec":{"template":{…,"$patch":"replace"}}}`, verbatim.
    pub data: serde_json::Value,
    /// The number; the highest is the newest.
    pub revision: i64,
}

fields! {
    ControllerRevision { metadata: "metadata", data: "data", revision: "revision" }
}

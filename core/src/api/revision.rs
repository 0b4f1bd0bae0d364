use serde::{Deserialize, Serialize};

use super::{ObjectMeta, null_is_default};

/// A stored version of a DaemonSet's pod template (`apps/v1` ControllerRevision).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ControllerRevision {
    /// Name, labels (with `controller-revision-hash`), owner.
    pub metadata: ObjectMeta,
    /// The patch that restores this version: `{"spec":{"template":{…,"$patch":"replace"}}}`, verbatim.
    pub data: serde_json::Value,
    /// The number; the highest is the newest.
    #[serde(deserialize_with = "null_is_default")]
    pub revision: i64,
}

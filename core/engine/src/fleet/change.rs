//! What taking in an object came to, for the handlers of events.

use super::Slot;
use crate::api::Text;

/// What an observed pod was before; what the handlers of events go by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PodBefore {
    /// Its owner's UID, if it has another owner now; empty for an orphan.
    pub former_owner: Option<Text>,
    pub ready: bool,
    pub labels_changed: bool,
}

/// What taking in a node came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NodeChange {
    pub slot: Slot,
    /// There was none of that name.
    pub is_new: bool,
    /// The DaemonSets for which it stands elsewhere now.
    pub moved: Vec<Slot>,
}

/// What taking in a pod came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PodChange {
    /// Seen before in this very version.
    Repeated,
    /// Not known until now.
    Added,
    /// Known; possibly under another UID, which then is gone.
    Updated(PodBefore),
}

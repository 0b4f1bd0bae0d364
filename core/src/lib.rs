//! Decides as the Kubernetes DaemonSet controller does: placement, rollout, simulation.
//!
//! Nothing in this crate reads a clock, a file, the environment or the network, starts a thread, or awaits. Time and
//! the outside world are arguments, decisions are values with reasons, and the same calls give the same bytes on every
//! target. See `CONTRIBUTING.md` for the map of the modules and the invariants.

pub mod api;
pub mod availability;
pub mod bitset;
pub mod budget;
pub mod controller;
pub mod decision;
pub mod fleet;
pub mod history;
pub mod json;
pub mod manage;
pub mod manifest;
pub mod message;
mod order;
pub mod ownership;
pub mod placement;
pub mod report;
pub mod rollout;
pub mod scenario;
pub mod scheduling;
pub mod sim;
pub mod status;
pub mod target;
pub mod time;

/// The Kubernetes release whose behaviour is reproduced.
///
/// Later releases are added here and nowhere else: a rule that changed takes this value as an argument.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum KubernetesVersion {
    /// Kubernetes 1.36.
    #[default]
    V1_36,
}

impl KubernetesVersion {
    /// The release as it is written, without a patch level: `1.36`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V1_36 => "1.36",
        }
    }
}

//! Decides as the Kubernetes DaemonSet controller does: placement, rollout, simulation.
//!
//! Nothing in this crate reads a clock, a file, the environment or the network, starts a thread, or awaits. Time and
//! the outside world are arguments, decisions are values with reasons, and the same calls give the same bytes on every
//! target. See `CONTRIBUTING.md` for the map of the modules and the invariants.

pub mod diagnose;
pub mod forecast;
pub mod manifest;
pub mod message;
pub mod path;
pub mod placement;
pub mod report;
pub mod scenario;
pub mod trace;

pub use rollcast_engine::{
    KubernetesVersion, api, availability, bitset, budget, controller, decision, fleet, history, json, manage, order,
    ownership, rollout, scheduling, status, target, time,
};
pub use rollcast_sim as sim;

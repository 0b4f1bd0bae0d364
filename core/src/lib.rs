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
pub mod diagnose;
pub mod fleet;
pub mod forecast;
pub mod history;
pub mod json;
pub mod manage;
pub mod manifest;
pub mod message;
pub mod order;
pub mod ownership;
pub mod placement;
pub mod report;
pub mod rollout;
pub mod scenario;
pub mod scheduling;
pub mod sim;
mod slot_index;
pub mod status;
pub mod target;
mod text;
pub mod time;
pub mod trace;
mod version;

pub use version::KubernetesVersion;

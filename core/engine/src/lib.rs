//! The deciding half of `rollcast-core`: objects, scheduling, placement, the controller, and the world it is played in.
//!
//! Here is what runs for every node, pod and event; what is read from text and told to people is in `rollcast-core`,
//! which gives these modules out again under their own names. They are two packages because they are compiled
//! differently for the page: this one for speed, the other for size.
//!
//! The promise is that of `rollcast-core`: no clock, file, environment, network or thread, and the same calls give the
//! same bytes on every target.

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
pub mod order;
pub mod ownership;
pub mod placement;
pub mod rollout;
pub mod scheduling;
pub mod sim;
mod slot_index;
pub mod status;
pub mod target;
mod text;
pub mod time;
mod version;

pub use version::KubernetesVersion;

//! The deciding half of `rollcast-core`: objects, scheduling, placement and the controller.
//!
//! Here is what runs for every node, pod and event. The world that the controller is played in is above it, in
//! `rollcast-sim`; what is read from text and told to people is in `rollcast-core`, which gives the modules of both out
//! again under their own names. They are three packages because they are compiled differently for the page: this one
//! for speed, the others for size.
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
pub mod slot_index;
pub mod status;
pub mod target;
pub mod text;
pub mod time;
mod version;

pub use version::KubernetesVersion;

//! A cluster that is played: API server, scheduler, kubelets and people around the very same controller.
//!
//! [`World`] plays one DaemonSet from a snapshot, or from a cluster in which it has long been rolled out, to the end of
//! what can happen; [`Timeline`] is what happened, [`Summary`] the same in a few numbers. Time is an argument, and what
//! is drawn at random depends on a seed alone: the same calls give the same timeline.
//!
//! This is the module `sim` of `rollcast-core`, as a package of its own because the page compiles it differently.

mod behaviour;
mod bucket;
mod building;
mod census;
mod commands;
mod control_plane;
mod counters;
mod distribution;
mod images;
mod kubelet;
mod line;
mod measures;
mod moments;
mod nodes;
mod options;
mod outages;
mod people;
mod pods;
mod queue;
mod random;
mod restarts;
mod room;
mod scenario;
mod server;
mod summary;
mod tile;
mod timeline;
mod world;

#[cfg(test)]
mod tests;

pub use behaviour::Behaviour;
pub use building::Building;
pub use control_plane::ControlPlane;
pub use counters::Counters;
pub use distribution::Distribution;
pub use images::Images;
pub use measures::{ExtraRequests, Measures, RegistryLoad};
pub use options::{Latencies, Options};
#[doc(hidden)]
pub use queue::Queue;
pub use scenario::{Cascade, EventRefusal, NodeSelection, PodSelection, ScenarioEvent};
pub use summary::{Ending, Gap, SecondCounts, Summary, per_second};
pub use tile::Tile;
pub use timeline::{DecisionGroup, DecisionKind, Mark, MarkKind, State, TileChange, Timeline};
pub use world::{PodView, Progress, World};

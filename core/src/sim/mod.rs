//! A cluster that is played: API server, scheduler, kubelets and people around the very same controller.

#[allow(dead_code, reason = "its writer, the world, follows")]
mod counters;
mod tile;
#[allow(dead_code, reason = "its writer, the world, follows")]
mod timeline;

pub use counters::Counters;
pub use tile::Tile;
pub use timeline::{DecisionGroup, DecisionKind, Mark, MarkKind, State, TileChange, Timeline};

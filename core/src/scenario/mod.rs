//! What to simulate: clusters made from short descriptions of node pools, and what an apply leaves of a live object.

mod apply;
mod model;
mod pool;

pub use apply::kept_by_apply;
pub use model::{Scenario, Start};
pub use pool::{NodePool, PoolLabel, PoolProblem};

//! What to simulate: for now clusters made from short descriptions of node pools.

mod apply;
mod pool;

pub use apply::kept_by_apply;
pub use pool::{NodePool, PoolLabel, PoolProblem};

//! What to simulate: for now clusters made from short descriptions of node pools.

mod pool;

pub use pool::{NodePool, PoolLabel, PoolProblem};

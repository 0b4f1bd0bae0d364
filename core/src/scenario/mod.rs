//! What to simulate: the scenario, the file it is written in, clusters made from short descriptions of node pools, and
//! what an apply leaves of a live object.

mod apply;
mod document;
mod model;
mod pool;

pub use apply::kept_by_apply;
pub use document::{
    DurationFault, PlannedEvent, ReadScenario, SCENARIO_KIND, SCENARIO_SCHEMA, SCENARIO_VERSION, ScenarioDocument,
    duration_text, parse_duration, read_scenario, read_scenario_with,
};
pub use model::{Scenario, Start};
pub use pool::{NodePool, PoolLabel, PoolProblem};

//! What to simulate: the scenario, the file it is written in, clusters made from short descriptions of node pools, and
//! what an apply leaves of a live object.

mod apply;
mod document;
mod measure;
mod measured;
mod model;
mod pool;
mod source;

pub use apply::kept_by_apply;
pub(crate) use document::options_text;
pub use document::{
    DurationFault, Elsewhere, PlannedEvent, ReadScenario, ReviewedManifest, SCENARIO_KIND, SCENARIO_SCHEMA,
    SCENARIO_VERSION, ScenarioDocument, distribution_text, duration_text, parse_duration, pool_json, read_cluster,
    read_scenario, read_scenario_with, read_world,
};
pub use measure::{Measurements, measure};
pub use measured::{Measured, MeasuredNumber, MeasuredTime};
pub use model::{Scenario, Start};
pub use pool::{NodePool, PoolLabel, PoolProblem};
pub use source::{ImageSources, Source, Sources};

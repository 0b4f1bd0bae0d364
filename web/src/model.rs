//! What the page shows, beyond what the core's own types say.

mod fleet;
mod inspection;
mod outlook;
mod problem;
mod rollout;

pub use fleet::{Fleet, LabelKey, NO_VALUE};
pub use inspection::{Check, Inspection, Mark, Place, PodLine, Tone};
pub use outlook::{Diagnosis, Figure, Finding, Forecast, Outlook, OutlookProgress, Remedy, Setting};
pub use problem::{Problem, Reviewed, Severity};
pub use rollout::{Ending, Happening, LAYERS, Layer, Rollout, Summary, budget, layers};

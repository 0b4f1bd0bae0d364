//! Many plays of one scenario: how long a rollout takes, how risky it is, and which setting meets a deadline.
//!
//! A [`Question`] says which plays it needs next and takes what came of them: [`Forecasting`], [`Comparing`],
//! [`Advising`]. Whoever asks plays the [`Batch`]es in slices ([`Slices`]), or play by play on as many threads as there
//! are: what came of them is put together in the order of seeds, so that the answer is the same.

mod advise;
mod answer;
mod assumption;
mod compare;
mod condition;
mod gaps;
mod percentile;
mod play;
mod question;
mod search;
mod setting;
mod stage;

pub use advise::{Advice, Advising, Bound, Deadline, DeadlineProblem, Found, PercentLimit, Trial, WaitsFor};
pub use answer::{EndingKind, FewestAvailable, FinishTimes, Forecast, Forecasting, Outage, UnfinishedGroup};
pub use assumption::{Assumed, Assumption, assumptions};
pub use compare::{Comparing, Comparison, ComparisonRow};
pub use condition::{Condition, ConditionField, ConditionProblem, ConditionProblemKind, ConditionUnit};
pub use gaps::GapCounts;
pub use play::Sample;
pub use question::{Batch, Progress, Question, Slices};
pub use setting::Setting;
pub use stage::Ground;

//! The controller as a state machine: told what was observed, asked for one sync at a time, told what came of it.
//!
//! `observe(change)` takes in one watch event or a whole snapshot; `step(now)` is one sync of one DaemonSet and never
//! fails or blocks; `complete(now, id, outcome)` reports what the executor did with a decision. The executor runs the
//! batches of a [`Step`] in order.

mod contract;

pub use contract::{
    Action, Batch, BatchKind, Change, Decision, DecisionId, EventReason, EventType, Outcome, PodKey, Reason, Rejection,
    Requeue, RequeueReason, Snapshot, Step, WaitingOn,
};

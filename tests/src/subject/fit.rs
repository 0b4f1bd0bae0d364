//! The scheduler's verdict on the daemon pod of one node.
//!
//! The answer: `fits`, `plugin`, `reasons`, `preemptionMightHelp`, `requestsMilliCpu`, `requestsMemoryBytes`.

use serde_json::{Value, json};

/// Answers one line.
pub fn answer(_line: &Value) -> Value {
    json!({})
}

//! A whole rollout in the ideal world.
//!
//! The answer: `steps` (each with `at`, `create`, `delete`), `complete`, `endsAtSecond`, `fewestAvailable`, `mostPods`.

use serde_json::{Value, json};

/// Answers one line.
pub fn answer(_line: &Value) -> Value {
    json!({})
}

//! The trace file: what was seen, decided and done in a play, moment by moment.
//!
//! A trace is JSON Lines in UTF-8. The first line is a header: the version, the DaemonSet, what the play depends on, and
//! what every node showed at the start. Each further line is a moment in which something changed. The last line says
//! how it ended, how many moments there are, and the hash of all bytes before it, so that a trace that was cut short or
//! edited is told from a whole one. `trace.schema.json` beside this file describes every key.
//!
//! The same play gives the same bytes: [`hash`] is what to compare.

mod line;
mod read;
mod write;

#[cfg(test)]
mod tests;

pub use line::{
    TRACE_KIND, TRACE_VERSION, TraceCounters, TraceDecision, TraceEnd, TraceHeader, TraceMark, TraceMoment,
    TraceOutcome, TraceRefusal, TraceSight,
};
pub use read::{Trace, TraceFault, TraceProblem, read_trace};
pub use write::{TraceHash, hash, options_hash, trace_of, write_trace};

/// The JSON Schema of one line of the format.
pub static TRACE_SCHEMA: &str = include_str!("trace.schema.json");

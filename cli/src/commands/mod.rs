//! One file per subcommand: arguments in, a report out.

pub mod advise;
pub mod check;
pub mod compare;
pub mod completions;
pub mod diagnose;
pub mod explain;
pub mod forecast;
pub mod import;
pub mod nodes;
pub mod plan;
mod plays;
pub mod serve;
pub mod simulate;
pub mod version;

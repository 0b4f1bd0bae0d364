//! One file per subcommand: arguments in, a report out.

pub mod check;
pub mod completions;
pub mod explain;
pub mod nodes;
pub mod plan;
pub mod serve;
pub mod version;

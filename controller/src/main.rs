//! Drives DaemonSet rollouts in a real cluster with the Rollcast core.
//!
//! For now it decides without a cluster: `--dry-run` reads what kubectl prints and says what one sync of every
//! DaemonSet would do.

mod dry_run;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};

/// The command line, or the choice of input, does not make sense.
const WRONG_USE: u8 = 2;
/// Something could not be read or written.
const UNREADABLE: u8 = 3;

/// Drives DaemonSet rollouts as Kubernetes 1.36 does
#[derive(Debug, Parser)]
#[command(
    name = "rollcast-controller",
    version,
    after_long_help = "\
Examples:
  kubectl get nodes,ds,pods,controllerrevisions -A -o json > cluster.json
  rollcast-controller --dry-run --from cluster.json
  rollcast-controller --dry-run --from cluster.json -o json

Exit codes:
  0  the decisions were printed
  2  wrong use: no DaemonSet in the input; without --dry-run, because driving
     a cluster comes with a later release
  3  something could not be read or written"
)]
struct Arguments {
    /// Print the decisions of one sync of each DaemonSet, and change nothing
    #[arg(long)]
    dry_run: bool,

    /// What kubectl printed, as JSON or YAML: a file, or - for standard input
    #[arg(long, value_name = "PATH", required_if_eq("dry_run", "true"))]
    from: Option<PathBuf>,

    /// How to print the decisions
    #[arg(short, long, value_enum, value_name = "FORMAT", default_value_t = Format::Table)]
    output: Format,
}

/// How to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Table,
    /// A versioned envelope, as `rollcast -o json` prints
    Json,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let Some(from) = arguments.from.filter(|_| arguments.dry_run) else {
        eprintln!(
            "error: driving a cluster comes with a later release of rollcast-controller\n\
             help: --dry-run --from PATH prints what it would decide about a cluster"
        );
        return ExitCode::from(WRONG_USE);
    };
    match dry_run::run(&from, arguments.output) {
        Ok(Answer::Printed) => ExitCode::SUCCESS,
        Ok(Answer::NoDaemonSet) => {
            eprintln!(
                "error: no DaemonSet in `{}`\n\
                 help: kubectl get nodes,ds,pods,controllerrevisions -A -o json",
                from.display()
            );
            ExitCode::from(WRONG_USE)
        }
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(UNREADABLE)
        }
    }
}

/// What became of the question.
enum Answer {
    /// The decisions were printed.
    Printed,
    /// There is nothing to decide about.
    NoDaemonSet,
}

/// Whoever read the output has gone: nothing is wrong.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let error = error.downcast_ref::<std::io::Error>();
    error.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

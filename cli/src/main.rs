//! Forecast and review Kubernetes DaemonSet rollouts from a terminal.
//!
//! `main` parses and dispatches. Each subcommand is one file under `commands`, `input` is the only module that reads,
//! `output` the only one that prints; what is decided is decided in `rollcast-core`.

mod arguments;
mod clock;
mod commands;
mod failure;
mod input;
mod interrupt;
mod language;
mod output;

use std::path::Path;
use std::process::ExitCode;

use clap::FromArgMatches;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use arguments::{Arguments, Command};
use failure::Failure;
use output::{Output, Verdict};

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(report_panic));
    match std::panic::catch_unwind(run) {
        Ok(code) => code,
        Err(_) => ExitCode::from(failure::INTERNAL),
    }
}

fn run() -> ExitCode {
    let command = arguments::command();
    // kubectl runs a plugin under the plugin's own file name; usage lines then read as they are typed.
    let command = if invoked_as_plugin() { command.bin_name("kubectl rollcast") } else { command };
    let arguments = match command.try_get_matches().and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(arguments) => arguments,
        Err(mut error) => {
            add_tip(&mut error);
            // A closed pipe under `--help | head` is nobody's failure.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(failure::WRONG_USE));
        }
    };
    arguments.color.write_global();
    let language = arguments.lang.map_or_else(language::from_environment, Into::into);
    let mut output = Output::new(language);
    let result = dispatch(arguments.command, &mut output).and_then(|verdict| {
        output.finish()?;
        Ok(verdict)
    });
    match result {
        Ok(Verdict::Fine) | Err(Failure::ClosedPipe) => ExitCode::SUCCESS,
        Ok(Verdict::Findings) => ExitCode::from(failure::FINDINGS),
        Ok(Verdict::Interrupted) => ExitCode::from(interrupt::INTERRUPTED),
        Err(failure) => {
            output::print_failure(&failure, language);
            ExitCode::from(failure.exit_code())
        }
    }
}

fn dispatch(command: Command, output: &mut Output) -> Result<Verdict, Failure> {
    match command {
        Command::Explain(arguments) => commands::explain::run(&arguments, output),
        Command::Plan(arguments) => commands::plan::run(&arguments, output),
        Command::Forecast(arguments) => commands::forecast::run(&arguments, output),
        Command::Compare(arguments) => commands::compare::run(&arguments, output),
        Command::Advise(arguments) => commands::advise::run(&arguments, output),
        Command::Check(arguments) => commands::check::run(&arguments, output),
        Command::Diagnose(arguments) => commands::diagnose::run(&arguments, output),
        Command::Nodes(arguments) => commands::nodes::run(&arguments, output),
        Command::Simulate(arguments) => commands::simulate::run(&arguments, output),
        Command::Import(arguments) => commands::import::run(&arguments, output),
        Command::Serve(arguments) => commands::serve::run(&arguments, output),
        Command::Completions(arguments) => commands::completions::run(&arguments, output),
        Command::Version(arguments) => commands::version::run(&arguments, output),
    }
}

/// Says how files are named to who names one as an argument.
fn add_tip(error: &mut clap::Error) {
    let is_file = |value: &ContextValue| matches!(value, ContextValue::String(text) if Path::new(text).exists());
    if error.kind() == ErrorKind::UnknownArgument && error.get(ContextKind::InvalidArg).is_some_and(is_file) {
        let tip = "files and directories are named with -f".into();
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    }
}

fn invoked_as_plugin() -> bool {
    std::env::args_os()
        .next()
        .and_then(|program| Path::new(&program).file_stem().map(|name| name == "kubectl-rollcast"))
        .unwrap_or(false)
}

/// Says that a panic is our fault and where it was; a backtrace would help nobody who did not write Rollcast.
fn report_panic(panic: &std::panic::PanicHookInfo<'_>) {
    let message = panic.payload_as_str().unwrap_or("no message");
    let place = panic.location().map(|place| format!(" at {}:{}", place.file(), place.line())).unwrap_or_default();
    anstream::eprintln!(
        "rollcast: internal error{place}: {message}\nThis is a fault in Rollcast; please report it with the input."
    );
}

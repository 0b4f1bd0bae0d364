use clap::CommandFactory;

use crate::arguments::{Arguments, CompletionsArguments};
use crate::failure::Failure;
use crate::output::{Output, Verdict};

/// Prints a completion script.
pub fn run(arguments: &CompletionsArguments, output: &mut Output) -> Result<Verdict, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "rollcast", &mut script);
    output.text(&String::from_utf8_lossy(&script))?;
    Ok(Verdict::Fine)
}

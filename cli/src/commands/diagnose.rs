use std::time::Duration;

use rollcast_core::diagnose::{Settings, diagnose};
use rollcast_core::report::diagnosis_report;
use rollcast_core::time::Timestamp;

use crate::arguments::DiagnoseArguments;
use crate::clock::now;
use crate::failure::Failure;
use crate::input;
use crate::output::{Kind, Output, Verdict};

mod page;

/// Says why a rollout does not move, and what frees it.
pub fn run(arguments: &DiagnoseArguments, output: &mut Output) -> Result<Verdict, Failure> {
    if arguments.input.filenames.is_empty() {
        return Err(Failure::NothingToRead);
    }
    let cluster = input::read_cluster(&arguments.input, output)?;
    let key = cluster.choose(arguments.daemon_set.daemon_set.as_deref())?;
    let snapshot = cluster.into_snapshot();
    if snapshot.nodes.is_empty() {
        return Err(Failure::NoNodes);
    }
    let moment = arguments.at.as_deref().map_or_else(|| Ok(now()), moment)?;
    let patience = Duration::from_secs(arguments.patience.into());
    let settings = Settings { now: moment, patience, version: arguments.kubernetes.kubernetes_version };
    let Some(diagnosis) = diagnose(&snapshot, &key, &settings) else {
        return Err(Failure::NoDaemonSet { found: Vec::new() });
    };
    let report = diagnosis_report(&diagnosis, &settings, output.language);
    output.comment(
        arguments.output,
        Kind::DiagnosisReport,
        &report,
        |page| page::show(page, &report),
        |markdown| page::write(markdown, &report),
    )?;
    Ok(Verdict::findings_if(report.stuck))
}

fn moment(text: &str) -> Result<Timestamp, Failure> {
    Timestamp::parse(text).ok_or_else(|| Failure::Moment { text: text.to_owned() })
}

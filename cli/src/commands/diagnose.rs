use std::path::Path;
use std::time::Duration;

use rollcast_core::api::{ObjectKey, Text};
use rollcast_core::controller::Snapshot;
use rollcast_core::diagnose::{Settings, diagnose};
use rollcast_core::message::Language;
use rollcast_core::report::{DiagnosisReport, diagnosis_report};
use rollcast_core::sim::Ending;
use rollcast_core::time::Timestamp;
use serde::Serialize;

use super::simulate;
use crate::arguments::DiagnoseArguments;
use crate::clock::now;
use crate::failure::Failure;
use crate::input;
use crate::interrupt::Interrupt;
use crate::output::{Kind, Output, Verdict, print_note};

mod page;

/// What is looked at.
struct Subject {
    daemon_set: ObjectKey,
    snapshot: Snapshot,
    settings: Settings,
    play: Option<Play>,
}

/// A play whose end is looked at.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Play {
    /// What the scenario is called; may be empty.
    scenario: Text,
    /// The seed of this play.
    seed: u64,
    /// How much of it was played, seconds.
    elapsed_seconds: u64,
    /// How much later it is looked at, seconds: nothing happens any more, and whoever waits has waited long enough.
    still_seconds: u64,
    /// Ctrl-C came before its end.
    interrupted: bool,
}

/// A diagnosis, and the play that led to it where there was one.
#[derive(Serialize)]
struct Answer {
    #[serde(flatten)]
    diagnosis: DiagnosisReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    play: Option<Play>,
}

/// Says why a rollout does not move, and what frees it.
pub fn run(arguments: &DiagnoseArguments, output: &mut Output) -> Result<Verdict, Failure> {
    let subject = match input::scenario_file(&arguments.input.filenames)? {
        Some(path) => end_of_play(path, arguments, output)?,
        None => of_cluster(arguments, output)?,
    };
    if subject.snapshot.nodes.is_empty() {
        return Err(Failure::NoNodes);
    }
    let Subject { daemon_set, snapshot, settings, play } = subject;
    let Some(diagnosis) = diagnose(&snapshot, &daemon_set, &settings) else {
        return Err(Failure::DaemonSetGone { daemon_set: daemon_set.to_string() });
    };
    let answer = Answer { diagnosis: diagnosis_report(&diagnosis, &settings, output.language), play };
    output.comment(
        arguments.output,
        Kind::DiagnosisReport,
        &answer,
        |page| page::show(page, &answer),
        |markdown| page::write(markdown, &answer),
    )?;
    let interrupted = answer.play.is_some_and(|play| play.interrupted);
    if interrupted {
        simulate::note_interruption(output.language);
    }
    Ok(if interrupted { Verdict::Interrupted } else { Verdict::findings_if(answer.diagnosis.stuck) })
}

/// What is there now, or was at the time that was named.
fn of_cluster(arguments: &DiagnoseArguments, output: &Output) -> Result<Subject, Failure> {
    let now = arguments.at.as_deref().map_or_else(|| Ok(now()), moment)?;
    let version = arguments.kubernetes_version.unwrap_or_default();
    let cluster = input::read_cluster(&arguments.input, version, output)?;
    let daemon_set = cluster.choose(arguments.daemon_set.wanted())?;
    let settings = Settings { now, patience: patience(arguments), version };
    Ok(Subject { daemon_set, snapshot: cluster.into_snapshot(), settings, play: None })
}

/// What is there when a scenario has been played, or as far as it got before Ctrl-C.
fn end_of_play(path: &Path, arguments: &DiagnoseArguments, output: &Output) -> Result<Subject, Failure> {
    let (document, scenario) = input::read_scenario(path, arguments.kubernetes_version, output)?;
    let daemon_set = scenario.daemon_set.clone();
    input::check_daemon_set(arguments.daemon_set.wanted(), &daemon_set)?;
    if arguments.at.is_some() {
        let text = match output.language {
            Language::English => "a scenario is looked at when it has been played: `--at` changes nothing",
            Language::Chinese => "场景在推演结束时诊断：`--at` 不起作用",
        };
        print_note(text, output.language);
    }
    let mut world = scenario.world();
    simulate::play(&mut world, &Interrupt::listen(), output.language);
    let mut play = Play {
        scenario: document.name,
        seed: scenario.options.seed,
        elapsed_seconds: world.elapsed().as_secs(),
        still_seconds: 0,
        interrupted: world.run(0).partial,
    };
    let version = scenario.options.version;
    let snapshot = world.snapshot();
    let mut settings = Settings { now: world.now(), patience: patience(arguments), version };
    if matches!(world.summary().ending, Some(Ending::Stuck { .. })) {
        settings = settings.once_still(&snapshot);
        play.still_seconds = settings.now.saturating_since(world.now()).as_secs();
    }
    Ok(Subject { daemon_set, snapshot, settings, play: Some(play) })
}

fn patience(arguments: &DiagnoseArguments) -> Duration {
    Duration::from_secs(arguments.patience.into())
}

fn moment(text: &str) -> Result<Timestamp, Failure> {
    Timestamp::parse(text).ok_or_else(|| Failure::Moment { text: text.to_owned() })
}

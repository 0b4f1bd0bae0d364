//! The decisions of one sync of each DaemonSet, from what kubectl printed.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;
use std::time::{Duration, SystemTime};

use anyhow::{anyhow, bail};
use rollcast_core::controller::{Change, Controller, Snapshot};
use rollcast_core::manifest::{Dump, DumpReader, Object, Severity};
use rollcast_core::message::{Language, Words, duration, names};
use rollcast_core::report::{DecisionReport, StepReport, step_report};
use rollcast_core::time::Timestamp;
use serde::Serialize;

use crate::{Answer, Format};

/// Bytes that are read at a time.
const CHUNK: usize = 1 << 20;

/// Reads, decides, prints.
pub fn run(from: &Path, format: Format) -> anyhow::Result<Answer> {
    let (snapshot, dump) = read(from)?;
    if let Some(problem) = dump.problems.iter().find(|problem| problem.kind.severity() == Severity::Error) {
        let line = problem.span.start.line;
        bail!("{}:{line}: {}", from.display(), problem.kind.words(Language::English));
    }
    if snapshot.daemon_sets.is_empty() {
        return Ok(Answer::NoDaemonSet);
    }
    let reports = decide(snapshot, now());
    let mut out = BufWriter::new(io::stdout().lock());
    match format {
        Format::Json => {
            let envelope = Envelope { api_version: "rollcast.dev/v1alpha1", kind: "StepReportList", report: &reports };
            serde_json::to_writer_pretty(&mut out, &envelope).map_err(io::Error::from)?;
            writeln!(out)?;
        }
        Format::Table => reports.iter().try_for_each(|report| print(&mut out, report))?,
    }
    out.flush()?;
    Ok(Answer::Printed)
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Envelope<'a> {
    api_version: &'static str,
    kind: &'static str,
    report: &'a [StepReport],
}

fn read(from: &Path) -> anyhow::Result<(Snapshot, Dump)> {
    let mut source: Box<dyn Read> = if from.as_os_str() == "-" {
        Box::new(io::stdin().lock())
    } else {
        Box::new(File::open(from).map_err(|error| unreadable(from, &error))?)
    };
    let mut snapshot = Snapshot::default();
    let mut reader = DumpReader::new(|object| match object {
        Object::DaemonSet(daemon_set) => snapshot.daemon_sets.push(*daemon_set),
        Object::Node(node) => snapshot.nodes.push(*node),
        Object::Pod(mut pod) => {
            pod.metadata.ensure_uid();
            snapshot.pods.push(*pod);
        }
        Object::ControllerRevision(revision) => snapshot.revisions.push(*revision),
        Object::PriorityClass(_) | Object::Event(_) => {}
    });
    let mut buffer = vec![0; CHUNK];
    loop {
        let length = match source.read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            result => result.map_err(|error| unreadable(from, &error))?,
        };
        match buffer.get(..length) {
            Some(piece) if !piece.is_empty() => reader.push(piece),
            _ => break,
        }
    }
    let dump = reader.finish();
    Ok((snapshot, dump))
}

/// The operating system's words without Rust's `(os error 2)`.
fn unreadable(from: &Path, error: &io::Error) -> anyhow::Error {
    let words = error.to_string();
    let words = words.split(" (os error").next().unwrap_or(&words);
    anyhow!("cannot read `{}`: {}", from.display(), words.to_lowercase())
}

/// One sync of every DaemonSet, as a controller would do right after its start.
fn decide(snapshot: Snapshot, now: Timestamp) -> Vec<StepReport> {
    let count = snapshot.daemon_sets.len();
    let mut controller = Controller::default();
    controller.observe(Change::Reset(Box::new(snapshot)));
    // A sync whose decisions are not reported keeps its DaemonSet from being synced again.
    let steps = (0..count).map(|_| controller.step(now));
    let mut reports: Vec<StepReport> = steps.filter_map(|step| step_report(&step, Language::English)).collect();
    reports.sort_by(|left, right| left.daemon_set.cmp(&right.daemon_set));
    reports.dedup_by(|later, earlier| later.daemon_set == earlier.daemon_set);
    reports
}

fn print(out: &mut impl Write, report: &StepReport) -> io::Result<()> {
    writeln!(out, "DaemonSet {}", report.daemon_set)?;
    if report.decisions.is_empty() {
        writeln!(out, "  nothing to do")?;
    }
    for decision in &report.decisions {
        writeln!(out, "  {}", what(decision))?;
        writeln!(out, "    {}", decision.reason.message)?;
    }
    for wait in &report.waiting_on {
        writeln!(out, "  waiting: {}", wait.message)?;
    }
    for requeue in &report.requeues {
        let after = duration(Duration::from_millis(requeue.after_milliseconds), Language::English);
        writeln!(out, "  again after {after}: {}", requeue.message)?;
    }
    writeln!(out)
}

/// The first decision in full, and of more of them the nodes or names.
fn what(decision: &DecisionReport) -> String {
    if decision.count == 1 {
        return decision.message.clone();
    }
    let objects = if decision.nodes.is_empty() { &decision.objects } else { &decision.nodes };
    let names = names(objects, decision.count, Language::English);
    let choice = if decision.candidate_count > decision.count {
        format!(" of {} candidates", decision.candidate_count)
    } else {
        String::new()
    };
    format!("{:?} × {}{choice}: {names}", decision.action, decision.count)
}

fn now() -> Timestamp {
    let since_epoch = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_seconds(i64::try_from(since_epoch.as_secs()).unwrap_or(i64::MAX))
}

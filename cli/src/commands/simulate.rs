use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;
use std::time::Instant;

use rollcast_core::api::Text;
use rollcast_core::message::{Language, duration, nodes};
use rollcast_core::report::{ExpectedTrace, PlanOutcome, Simulated, simulate_report};
use rollcast_core::scenario::{SCENARIO_SCHEMA, Scenario};
use rollcast_core::sim::World;
use rollcast_core::trace::{TRACE_SCHEMA, TraceHash, write_trace};

use crate::arguments::{SchemaName, SimulateArguments};
use crate::failure::Failure;
use crate::input;
use crate::interrupt::Interrupt;
use crate::output::{Kind, Output, Progress, Verdict, print_note};

mod live;
mod page;

/// Events and decisions that are played between two looks at the clock.
const SLICE: u32 = 20_000;

/// Plays a scenario once, and tells what happened.
pub fn run(arguments: &SimulateArguments, output: &mut Output) -> Result<Verdict, Failure> {
    match arguments.schema {
        Some(SchemaName::Scenario) => return output.text(SCENARIO_SCHEMA).map(|()| Verdict::Fine),
        Some(SchemaName::Trace) => return output.text(TRACE_SCHEMA).map(|()| Verdict::Fine),
        None => {}
    }
    let expected = arguments.expect.as_deref().map(input::read_expected).transpose()?;
    let path = arguments.filename.as_deref().ok_or(Failure::NothingToRead)?;
    let (document, mut scenario) = input::read_scenario(path, arguments.kubernetes_version, output)?;
    if let Some(seed) = arguments.seed {
        scenario.options.seed = seed;
    }
    let interrupt = Interrupt::listen();
    let mut world = scenario.world();
    match arguments.speed.filter(|_| io::stderr().is_terminal()) {
        Some(speed) => live::play(&mut world, speed, &interrupt, output.language),
        None => play(&mut world, &interrupt, output.language),
    }
    let interrupted = world.run(0).partial;
    let trace_hash = match &arguments.trace {
        Some(path) => Some(Text::from(trace(&world, &scenario, path)?.to_string())),
        None => None,
    };
    let expected = expected.map(|expected| ExpectedTrace { differs_in_line: difference(&world, &scenario, &expected) });
    let differs = expected.is_some_and(|expected| expected.differs_in_line.is_some());
    let name = &document.name;
    let simulated = Simulated { name, scenario: &scenario, world: &world, interrupted, trace_hash, expected };
    let report = simulate_report(&simulated, output.language);
    output.report(arguments.format.output, Kind::SimulateReport, &report, |page| {
        page::show(page, &report, arguments.all_steps);
    })?;
    if interrupted {
        note_interruption(output.language);
        return Ok(Verdict::Interrupted);
    }
    Ok(Verdict::findings_if(differs || report.plan.end.outcome != PlanOutcome::Finishes))
}

/// Says that an answer is of what was played until Ctrl-C.
pub(super) fn note_interruption(language: Language) {
    let text = match language {
        Language::English => "interrupted: this is what was played until then",
        Language::Chinese => "已中断：以上是此前推演的部分",
    };
    print_note(text, language);
}

/// Plays to the end, or to Ctrl-C, as fast as it goes.
pub(super) fn play(world: &mut World, interrupt: &Interrupt, language: Language) {
    let started = Instant::now();
    let mut progress = Progress::new("playing", "正在推演", language);
    while !interrupt.is_requested() {
        let done = world.run(SLICE);
        if !done.partial {
            return;
        }
        progress.at(|| {
            let played = duration(world.elapsed(), language);
            let left = f64::from(done.total.saturating_sub(done.done)) / f64::from(done.done.max(1));
            let left = duration(started.elapsed().mul_f64(left.min(1e6)), language);
            let all = nodes(done.total, language);
            match language {
                Language::English => format!("{} of {all}, {played} of the play, about {left} left", done.done),
                Language::Chinese => format!("{}/{all}，已推演 {played}，约剩 {left}", done.done),
            }
        });
    }
}

/// The first line, from 1, in which the trace of a play is not the one that is expected.
fn difference(world: &World, scenario: &Scenario, expected: &str) -> Option<u32> {
    let mut expected = expected.split_inclusive('\n');
    let (mut number, mut found) = (0_u32, None);
    let Scenario { daemon_set, options, .. } = scenario;
    write_trace(world.timeline(), world.refusals(), daemon_set, options, &world.summary(), &mut |line| {
        number = number.saturating_add(1);
        if expected.next() != Some(line) && found.is_none() {
            found = Some(number);
        }
    });
    found.or_else(|| expected.next().map(|_| number.saturating_add(1)))
}

/// Writes the trace of a play; its hash.
fn trace(world: &World, scenario: &Scenario, path: &Path) -> Result<TraceHash, Failure> {
    let failed = |error| Failure::WriteFile { name: format!("`{}`", path.display()), error };
    let mut file = BufWriter::new(File::create(path).map_err(failed)?);
    let mut hash = TraceHash::default();
    let mut written = Ok(());
    let Scenario { daemon_set, options, .. } = scenario;
    write_trace(world.timeline(), world.refusals(), daemon_set, options, &world.summary(), &mut |line| {
        hash.add(line.as_bytes());
        if written.is_ok() {
            written = file.write_all(line.as_bytes());
        }
    });
    written.and_then(|()| file.flush()).map_err(failed)?;
    Ok(hash)
}

//! What `forecast`, `compare` and `advise` have in common: what is played, and how it is played on all cores.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use rayon::prelude::*;
use rollcast_core::KubernetesVersion;
use rollcast_core::api::{DaemonSet, ObjectKey, Text};
use rollcast_core::controller::Snapshot;
use rollcast_core::forecast::{Forecast, Ground, Question, Sample};
use rollcast_core::message::{Language, grouped};
use rollcast_core::ownership::is_own;
use rollcast_core::report::PlayAssumptions;
use rollcast_core::scenario::{Measured, Scenario, Sources, Start};
use rollcast_core::sim::{Behaviour, NodeSelection, Options, ScenarioEvent};

use super::plan;
use crate::arguments::PlaysArguments;
use crate::clock::now;
use crate::failure::Failure;
use crate::input;
use crate::interrupt::Interrupt;
use crate::output::{Output, Progress, print_note};

pub mod markdown;
pub mod page;

/// Events and decisions of one play between two looks at whether it is to go on.
const SLICE: u32 = 20_000;

/// Something to play, ready to be played.
pub struct Subject {
    pub daemon_set: ObjectKey,
    pub ground: Ground,
    start: Start,
}

impl Subject {
    /// What an answer about it rests on, for so many plays of which one came to `forecast`.
    pub fn assumptions(&self, forecast: Option<&Forecast>, language: Language) -> PlayAssumptions {
        let (plays, eligible) = forecast.map_or((0, 0), |forecast| (forecast.planned, forecast.eligible));
        PlayAssumptions::of(&self.ground, self.start, plays, eligible, language)
    }
}

/// Reads what is to be played. Absent when the API server would refuse the change: why has been printed.
pub fn read(arguments: &PlaysArguments, output: &Output) -> Result<Option<Subject>, Failure> {
    let change = &arguments.change;
    let mut scenario = match input::scenario_file(&change.input.filenames)? {
        Some(path) if change.to.is_some() => {
            return Err(Failure::ScenarioAndChange { name: path.display().to_string() });
        }
        Some(path) => {
            let (_, scenario) = input::read_scenario(path, arguments.kubernetes_version, output)?;
            input::check_daemon_set(change.daemon_set.wanted(), &scenario.daemon_set)?;
            scenario
        }
        None => match of_cluster(arguments, output)? {
            Some(scenario) => scenario,
            None => return Ok(None),
        },
    };
    let seconds = |seconds: Option<u32>| seconds.map(|seconds| Duration::from_secs(seconds.into()));
    let Scenario { options, sources, .. } = &mut scenario;
    sources.give_times(options, seconds(arguments.ready_after), seconds(arguments.gone_after));
    if let Some(seed) = arguments.seed {
        scenario.options.seed = seed;
    }
    if !arguments.never_ready.is_empty() {
        for name in &arguments.never_ready {
            input::find_node(name, &scenario.cluster.nodes)?;
        }
        let nodes = NodeSelection::Named(arguments.never_ready.iter().map(Text::new).collect());
        let behaviour = Behaviour::never_ready(&scenario.options.latencies);
        scenario.events.insert(0, (Duration::ZERO, ScenarioEvent::Behave { nodes, behaviour }));
    }
    Ok(Some(Subject { daemon_set: scenario.daemon_set.clone(), start: scenario.start, ground: Ground::new(&scenario) }))
}

/// A scenario made of manifests and dumps, as `plan` takes them.
fn of_cluster(arguments: &PlaysArguments, output: &Output) -> Result<Option<Scenario>, Failure> {
    let version = arguments.kubernetes_version.unwrap_or_default();
    let subject = plan::read(&arguments.change, version, output)?;
    Ok(subject.map(|plan::Subject { key, after, snapshot }| scenario(key, snapshot, after, version)))
}

fn scenario(key: ObjectKey, cluster: Snapshot, after: Option<Box<DaemonSet>>, version: KubernetesVersion) -> Scenario {
    let before = cluster.daemon_sets.iter().find(|daemon_set| daemon_set.metadata.key() == key);
    let has_pods = before.is_some_and(|before| cluster.pods.iter().any(|pod| is_own(before, pod)));
    let start = if before.is_some() && !has_pods { Start::Settled } else { Start::Pods };
    Scenario {
        daemon_set: key,
        start,
        cluster,
        options: Options { version, ..Options::starting_at(now()) },
        sources: Sources::default(),
        measured: Measured::default(),
        events: after.into_iter().map(|after| (Duration::ZERO, ScenarioEvent::Apply(after))).collect(),
    }
}

/// Plays a question to its end, on all cores or as many threads as were asked for; says whether Ctrl-C came first.
///
/// What came of the plays is put together in the order of their seeds: the answer is the same on any number of threads.
pub fn ask(question: &mut dyn Question, threads: Option<u16>, language: Language) -> Result<bool, Failure> {
    let interrupt = Interrupt::listen();
    let threads = threads.map_or(0, usize::from);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| Failure::Threads { error: error.to_string() })?;
    let progress = Mutex::new(Progress::new("playing", "正在推演", language));
    let done = AtomicU32::new(0);
    let goes_on = || !interrupt.is_requested();
    while let Some(batch) = question.batch().filter(|_| goes_on()) {
        let (_, total) = question.plays();
        let play = |number: u32| -> Option<Sample> {
            let sample = batch.play_while(number, SLICE, &goes_on)?;
            let done = done.fetch_add(1, Ordering::Relaxed).saturating_add(1);
            if let Ok(mut progress) = progress.try_lock() {
                progress.at(|| format!("{}/{}", grouped(done), grouped(total)));
            }
            Some(sample)
        };
        let samples: Vec<Option<Sample>> = pool.install(|| (0..batch.plays()).into_par_iter().map(play).collect());
        question.take(samples.into_iter().flatten().collect());
    }
    drop(progress);
    let interrupted = question.batch().is_some() || !goes_on();
    if interrupted {
        let text = match language {
            Language::English => "interrupted: the answer is of what was played until then",
            Language::Chinese => "已中断：以下结果仅基于此前的推演",
        };
        print_note(text, language);
    }
    Ok(interrupted)
}

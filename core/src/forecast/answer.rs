use std::cmp::Reverse;
use std::time::Duration;

use super::percentile::{percentile, rank};
use super::question::count;
use super::{Batch, GapCounts, Ground, Question, Sample, Setting, WaitsFor};
use crate::decision::WaitingOn;
use crate::order::{sort_by, sort_by_key};
use crate::sim::{Ending, ExtraRequests, Gap, RegistryLoad};

/// What many plays of one rollout come to. Times of completion are since the change; times are exact unless it says
/// otherwise, and percentiles are values of a play (nearest rank).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Forecast {
    /// The seed of the first play; the others follow it one by one.
    pub first_seed: u64,
    /// Plays that were asked for.
    pub planned: u32,
    /// Plays that ended.
    pub plays: u32,
    /// Whether every play is the same whatever its seed, so that one is enough.
    pub deterministic: bool,
    /// Plays in which the rollout finished.
    pub finished: u32,
    /// When it finished in each of them, ascending.
    pub finishes: Vec<Duration>,
    /// When it finished, over those plays; absent where none did.
    pub finish: Option<FinishTimes>,
    /// Nodes that should run the pod at the end, the most of any play.
    pub eligible: u32,
    /// Pods available at the start.
    pub available_at_start: u32,
    /// The fewest available at any time.
    pub fewest_available: FewestAvailable,
    /// The most pods at any time of any play.
    pub most_pods: u32,
    /// The longest time that one node was without an available pod, over all plays.
    pub longest_gap: Option<Gap>,
    /// All of those times, of all plays.
    pub gaps: GapCounts,
    /// The sum of those times, by play.
    pub outage: Outage,
    /// The most that pods requested beyond what they did at the start, in any play.
    pub extra: ExtraRequests,
    /// The most that the registry had to give, in any play.
    pub registry: RegistryLoad,
    /// The most writes to the API server in any play.
    pub api_writes: u64,
    /// Why plays did not finish, the most frequent first.
    pub unfinished: Vec<UnfinishedGroup>,
}

/// When rollouts finish.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FinishTimes {
    /// Half of them by then.
    pub p50: Duration,
    /// Nine in ten.
    pub p90: Duration,
    /// Nineteen in twenty.
    pub p95: Duration,
    /// All of them.
    pub latest: Duration,
}

/// How few pods are available at the worst time of a play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FewestAvailable {
    /// In the worst play.
    pub worst: u32,
    /// In one play in twenty it is that few or fewer.
    pub p5: u32,
}

/// Times without an available pod, added up over the nodes of a play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outage {
    /// In half of the plays it is no more.
    pub p50: Duration,
    /// In the worst play.
    pub worst: Duration,
}

/// Plays that ended alike without finishing.
#[derive(Clone, Debug, PartialEq)]
pub struct UnfinishedGroup {
    /// How they ended.
    pub ending: EndingKind,
    /// How many.
    pub plays: u32,
    /// The first one's nodes with an available new pod.
    pub finished: u32,
    /// What the first one waited for, most important first.
    pub waiting_on: Vec<WaitingOn>,
}

/// How a play that did not finish ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndingKind {
    /// Nothing is going to happen any more.
    Stuck,
    /// Things keep happening without end.
    Endless,
    /// There is no DaemonSet any more.
    NoDaemonSet,
}

impl Forecast {
    /// Puts samples together; they must be in the order of their seeds.
    pub(super) fn of(samples: &[Sample], planned: u32, deterministic: bool) -> Self {
        let mut forecast = Self { planned, plays: count(samples), deterministic, ..Self::default() };
        let Some(first) = samples.first() else { return forecast };
        forecast.first_seed = first.seed;
        forecast.available_at_start = first.available_at_start;
        let (mut fewest, mut outages, mut finishes) = (Vec::new(), Vec::new(), Vec::new());
        for sample in samples {
            forecast.add(sample);
            fewest.push(sample.fewest_available);
            outages.push(sample.outage);
            if let Some(after) = finished_after(sample) {
                finishes.push(after);
            }
        }
        sort_by(&mut fewest, Ord::cmp);
        sort_by(&mut outages, Ord::cmp);
        sort_by(&mut finishes, Ord::cmp);
        forecast.fewest_available = FewestAvailable {
            worst: fewest.first().copied().unwrap_or_default(),
            p5: percentile(&fewest, 5).unwrap_or_default(),
        };
        forecast.outage = Outage {
            p50: percentile(&outages, 50).unwrap_or_default(),
            worst: outages.last().copied().unwrap_or_default(),
        };
        forecast.finished = count(&finishes);
        let at = |percent| percentile(&finishes, percent).unwrap_or_default();
        forecast.finish =
            finishes.last().map(|latest| FinishTimes { p50: at(50), p90: at(90), p95: at(95), latest: *latest });
        forecast.finishes = finishes;
        sort_by_key(&mut forecast.unfinished, |group| Reverse(group.plays));
        forecast
    }

    fn add(&mut self, sample: &Sample) {
        self.eligible = self.eligible.max(sample.eligible);
        self.most_pods = self.most_pods.max(sample.most_pods);
        if let Some(gap) = &sample.longest_gap
            && self.longest_gap.as_ref().is_none_or(|longest| gap.length > longest.length)
        {
            self.longest_gap = Some(gap.clone());
        }
        self.gaps.add(&sample.gaps);
        let (extra, registry) = (&mut self.extra, &mut self.registry);
        extra.pods = extra.pods.max(sample.extra.pods);
        extra.cpu_millis = extra.cpu_millis.max(sample.extra.cpu_millis);
        extra.memory_bytes = extra.memory_bytes.max(sample.extra.memory_bytes);
        registry.peak_bytes_per_second = registry.peak_bytes_per_second.max(sample.registry.peak_bytes_per_second);
        registry.total_bytes = registry.total_bytes.max(sample.registry.total_bytes);
        self.api_writes = self.api_writes.max(sample.api_writes);
        let (ending, waiting_on) = match &sample.ending {
            Some(Ending::Stuck { waiting_on }) => (EndingKind::Stuck, waiting_on.as_slice()),
            Some(Ending::Endless { waiting_on }) => (EndingKind::Endless, waiting_on.as_slice()),
            Some(Ending::NoDaemonSet) => (EndingKind::NoDaemonSet, &[][..]),
            Some(Ending::Complete) | None => return,
        };
        let rule = |waits: &[WaitingOn]| waits.first().map(std::mem::discriminant);
        let alike =
            |group: &&mut UnfinishedGroup| group.ending == ending && rule(&group.waiting_on) == rule(waiting_on);
        match self.unfinished.iter_mut().find(alike) {
            Some(group) => group.plays = group.plays.saturating_add(1),
            None => self.unfinished.push(UnfinishedGroup {
                ending,
                plays: 1,
                finished: sample.finished,
                waiting_on: waiting_on.to_vec(),
            }),
        }
    }

    /// When so many percent of all plays have finished; absent where not so many ever do.
    pub fn finished_by(&self, percent: u32) -> Option<Duration> {
        let rank = rank(u64::from(self.plays), percent);
        self.finishes.get(usize::try_from(rank.saturating_sub(1)).ok()?).copied()
    }

    /// Nodes that should run the pod less the fewest that are available at the worst time.
    pub fn most_missing(&self) -> u32 {
        self.eligible.saturating_sub(self.fewest_available.worst)
    }
}

/// When the rollout of a play finished.
fn finished_after(sample: &Sample) -> Option<Duration> {
    sample.completed_after.filter(|_| sample.ending == Some(Ending::Complete))
}

/// Asks how a rollout goes.
#[derive(Clone, Debug)]
pub struct Forecasting {
    batch: Option<Batch>,
    answer: Forecast,
}

impl Forecasting {
    /// Plays with so many seeds; one, where no play differs from another.
    pub fn new(ground: &Ground, seeds: u32) -> Self {
        let deterministic = ground.is_deterministic();
        let plays = if deterministic { 1 } else { seeds.max(1) };
        let batch = Batch::new(ground.stage(&Setting::Own).watching(WaitsFor::Rollout), plays);
        Self { batch: Some(batch), answer: Forecast { planned: plays, deterministic, ..Forecast::default() } }
    }

    /// What is known so far.
    pub fn answer(&self) -> &Forecast {
        &self.answer
    }
}

impl Question for Forecasting {
    fn batch(&self) -> Option<&Batch> {
        self.batch.as_ref()
    }

    fn take(&mut self, samples: Vec<Sample>) {
        self.batch = None;
        self.answer = Forecast::of(&samples, self.answer.planned, self.answer.deterministic);
    }

    fn plays(&self) -> (u32, u32) {
        (self.answer.plays, self.answer.planned)
    }
}

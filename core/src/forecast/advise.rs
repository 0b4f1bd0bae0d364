use std::time::Duration;

use super::percentile::rank;
use super::search::{Next, Search};
use super::setting::percent;
use super::{Batch, EndingKind, Forecast, Ground, Question, Sample, Setting};
use crate::api::IntOrString;
use crate::decision::WaitingOn;
use crate::target::min_ready;

/// Of a hundred plays, so many must meet a deadline.
const ENOUGH_PERCENT: u32 = 95;

/// By when something must have happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    within: Duration,
    waits_for: WaitsFor,
}

/// What has to be there in time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WaitsFor {
    /// The controller has seen the change, every pod is updated and available. `kubectl rollout status --timeout` waits
    /// for it, and so does `helm --wait` of Helm 4 (kstatus, which asks for ready pods besides: available ones are).
    #[default]
    Rollout,
    /// `helm --wait` of Helm 3: the controller has seen the change, every pod is updated, all but `maxUnavailable` of
    /// them are ready; nothing at all under `OnDelete`.
    Helm3,
}

/// Why something is no deadline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeadlineProblem {
    /// No time at all is left.
    Zero,
    /// It is over.
    Past,
}

impl Deadline {
    /// So long after the change.
    pub fn new(within: Duration, waits_for: WaitsFor) -> Result<Self, DeadlineProblem> {
        if within.is_zero() { Err(DeadlineProblem::Zero) } else { Ok(Self { within, waits_for }) }
    }

    /// How long after the change.
    pub fn within(&self) -> Duration {
        self.within
    }

    /// What has to be there by then.
    pub fn waits_for(&self) -> WaitsFor {
        self.waits_for
    }

    fn is_met_by(&self, sample: &Sample) -> bool {
        sample.met_after(self.waits_for).is_some_and(|after| after <= self.within)
    }
}

/// The least risky settings that meet a deadline.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The deadline.
    pub deadline: Deadline,
    /// Plays of every setting that was tried; nineteen in twenty of them must meet the deadline.
    pub plays: u32,
    /// The manifest's own strategy, played to the end.
    pub own: Option<Trial>,
    /// The smallest `maxUnavailable`.
    pub max_unavailable: Found,
    /// The smallest `maxSurge`.
    pub max_surge: Found,
    /// Settings that were tried.
    pub tried: u32,
}

/// A setting that was tried.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// The setting.
    pub setting: Setting,
    /// The limit in nodes; absent of the manifest's own strategy.
    pub nodes: Option<u32>,
    /// Plays that met the deadline.
    pub met: u32,
    /// Plays in all.
    pub plays: u32,
    /// What the plays came to; absent when they were stopped at the deadline.
    pub forecast: Option<Forecast>,
}

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Found {
    /// Nothing yet: the search was not finished.
    #[default]
    Unknown,
    /// The smallest limit that meets the deadline.
    Limit {
        /// Played to the end.
        answer: Box<Trial>,
        /// One node less, which does not meet it; absent where the answer is one node.
        below: Option<Box<Trial>>,
        /// The same as a percentage.
        percent: PercentLimit,
    },
    /// No limit meets it, not even all nodes at once.
    Nothing {
        /// All nodes at once, played to the end.
        at_most: Box<Trial>,
        /// What bounds it.
        bound: Bound,
    },
}

/// A limit as a percentage of the nodes that should run the pod, rounded up as Kubernetes does it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PercentLimit {
    /// The smallest percentage that gives at least the limit.
    pub percent: u32,
    /// What it comes to; more than the limit where no percentage gives it exactly.
    pub nodes: u32,
}

/// Why no limit meets a deadline.
#[derive(Clone, Debug, PartialEq)]
pub enum Bound {
    /// Too many plays do not finish at all.
    NeverFinishes {
        /// Plays that do not finish.
        unfinished: u32,
        /// Plays in all.
        plays: u32,
        /// How the most frequent of them end.
        ending: EndingKind,
        /// What those wait for.
        waiting_on: Vec<WaitingOn>,
    },
    /// One pod takes longer: until it is gone, until the next has its images and is ready, and `minReadySeconds`.
    OnePod {
        /// From the old pod's deletion to its being gone, 95th percentile.
        gone: Duration,
        /// The pulls of its images, with registry and node to itself.
        pulls: Duration,
        /// From then on to its being ready, 95th percentile.
        ready: Duration,
        /// `minReadySeconds`.
        min_ready: Duration,
    },
    /// The registry cannot give the images in time.
    Registry {
        /// Bytes to be pulled.
        bytes: u64,
        /// What the registry gives in a second.
        bytes_per_second: u64,
        /// How long that takes at least.
        least: Duration,
    },
    /// Even all at once it takes so long, 95th percentile of the plays that finish.
    Pace {
        /// How long.
        p95: Duration,
    },
}

/// Asks which settings meet a deadline.
///
/// The limit is doubled until it meets the deadline, then the range is halved; what is found was played, and so was one
/// node less. Nothing rests on larger limits being faster but that the range between two tries is not looked at.
#[derive(Clone, Debug)]
pub struct Advising {
    ground: Ground,
    batch: Option<Batch>,
    step: Step,
    done: u32,
    answer: Advice,
}

/// What the present batch is for.
#[derive(Clone, Debug)]
enum Step {
    Own,
    /// Plays are stopped at the deadline.
    Look {
        limit: Limit,
        nodes: u32,
        search: Search,
    },
    /// The answer, or all nodes at once, to the end.
    Settle {
        limit: Limit,
        nodes: u32,
        search: Search,
    },
    Done,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Limit {
    MaxUnavailable,
    MaxSurge,
}

impl Limit {
    fn setting(self, nodes: u32) -> Setting {
        let limit = IntOrString::Int(i32::try_from(nodes).unwrap_or(i32::MAX));
        match self {
            Self::MaxUnavailable => Setting::MaxUnavailable(limit),
            Self::MaxSurge => Setting::MaxSurge(limit),
        }
    }
}

impl Advising {
    /// Searches with so many seeds a setting.
    pub fn new(ground: Ground, deadline: Deadline, seeds: u32) -> Self {
        let plays = if ground.is_deterministic() { 1 } else { seeds.max(1) };
        let batch = Batch::new(ground.stage(&Setting::Own).watching(deadline.waits_for), plays);
        let answer =
            Advice { deadline, plays, own: None, max_unavailable: Found::Unknown, max_surge: Found::Unknown, tried: 0 };
        Self { ground, batch: Some(batch), step: Step::Own, done: 0, answer }
    }

    /// What is known so far.
    pub fn answer(&self) -> &Advice {
        &self.answer
    }

    /// Nodes that should run the pod.
    fn desired(&self) -> u32 {
        let own = self.answer.own.as_ref().and_then(|own| own.forecast.as_ref());
        own.map_or(0, |forecast| forecast.eligible)
    }

    fn trial(&self, setting: Setting, nodes: Option<u32>, samples: &[Sample], whole: bool) -> Trial {
        let met = samples.iter().filter(|sample| self.answer.deadline.is_met_by(sample)).count();
        let forecast = whole.then(|| Forecast::of(samples, self.answer.plays, self.ground.is_deterministic()));
        Trial {
            setting,
            nodes,
            met: u32::try_from(met).unwrap_or(u32::MAX),
            plays: super::question::count(samples),
            forecast,
        }
    }

    /// Goes on with the search for a limit.
    fn look(&mut self, limit: Limit, search: Search) {
        let (stage, nodes) = match search.next() {
            Next::Try(nodes) => {
                let deadline = self.answer.deadline;
                let stage = self.ground.stage(&limit.setting(nodes)).until(deadline.within, deadline.waits_for);
                self.step = Step::Look { limit, nodes, search };
                (stage, nodes)
            }
            Next::Found(nodes) | Next::Nothing(nodes) => {
                self.step = Step::Settle { limit, nodes, search };
                (self.ground.stage(&limit.setting(nodes)).watching(self.answer.deadline.waits_for), nodes)
            }
        };
        debug_assert!(nodes > 0, "a limit of no node is none");
        self.batch = Some(Batch::new(stage, self.answer.plays));
    }

    fn settled(&self, limit: Limit, nodes: u32, search: &Search, samples: &[Sample]) -> Found {
        let answer = self.trial(limit.setting(nodes), Some(nodes), samples, true);
        if matches!(search.next(), Next::Nothing(_)) {
            let bound = self.bound(&answer);
            return Found::Nothing { at_most: Box::new(answer), bound };
        }
        let below =
            nodes.checked_sub(1).filter(|below| *below > 0).and_then(|below| search.met(below).zip(Some(below)));
        let below = below.map(|(met, below)| Trial {
            setting: limit.setting(below),
            nodes: Some(below),
            met,
            plays: self.answer.plays,
            forecast: None,
        });
        let percent = percent_of(nodes, self.desired());
        Found::Limit { answer: Box::new(answer), below: below.map(Box::new), percent }
    }

    fn bound(&self, at_most: &Trial) -> Bound {
        let within = self.answer.deadline.within;
        let forecast = at_most.forecast.clone().unwrap_or_default();
        let unfinished = forecast.plays.saturating_sub(forecast.finished);
        if !is_enough(forecast.finished, forecast.plays)
            && let Some(group) = forecast.unfinished.into_iter().next()
        {
            return Bound::NeverFinishes {
                unfinished,
                plays: forecast.plays,
                ending: group.ending,
                waiting_on: group.waiting_on,
            };
        }
        let options = self.ground.options();
        let min_ready = self.ground.daemon_set().map(|daemon_set| min_ready(&daemon_set.spec));
        let min_ready = min_ready.filter(|_| self.answer.deadline.waits_for == WaitsFor::Rollout).unwrap_or_default();
        let ready = options.latencies.pod_ready_after.p95();
        // With surge the old pod goes last: until then its node does not count as updated.
        let gone = options.latencies.pod_gone_after.p95();
        let pulls = options.images.map_or(Duration::ZERO, |images| {
            let all = forecast.registry.total_bytes.checked_div(images.bytes).unwrap_or_default();
            images.time_alone().saturating_mul(pulls_of_most(all, forecast.eligible))
        });
        if gone.saturating_add(pulls).saturating_add(ready).saturating_add(min_ready) > within {
            return Bound::OnePod { gone, pulls, ready, min_ready };
        }
        if let Some((bytes_per_second, least)) = super::assumption::registry_time(options, forecast.registry)
            && least > within
        {
            return Bound::Registry { bytes: forecast.registry.total_bytes, bytes_per_second, least };
        }
        Bound::Pace { p95: forecast.finish.map(|finish| finish.p95).unwrap_or_default() }
    }

    fn finish_search(&mut self, limit: Limit, found: Found) {
        match limit {
            Limit::MaxUnavailable => {
                self.answer.max_unavailable = found;
                self.look(Limit::MaxSurge, Search::up_to(self.desired()));
            }
            Limit::MaxSurge => {
                self.answer.max_surge = found;
                self.step = Step::Done;
                self.batch = None;
            }
        }
    }
}

impl Question for Advising {
    fn batch(&self) -> Option<&Batch> {
        self.batch.as_ref()
    }

    fn take(&mut self, samples: Vec<Sample>) {
        let plays = super::question::count(&samples);
        self.done = self.done.saturating_add(plays);
        self.batch = None;
        let step = std::mem::replace(&mut self.step, Step::Done);
        if plays < self.answer.plays {
            return;
        }
        self.answer.tried = self.answer.tried.saturating_add(1);
        match step {
            Step::Own => {
                self.answer.own = Some(self.trial(Setting::Own, None, &samples, true));
                if self.desired() > 0 {
                    self.look(Limit::MaxUnavailable, Search::up_to(self.desired()));
                }
            }
            Step::Look { limit, nodes, mut search } => {
                let met = self.trial(limit.setting(nodes), Some(nodes), &samples, false).met;
                search.take(nodes, met, is_enough(met, plays));
                self.look(limit, search);
            }
            Step::Settle { limit, nodes, search } => {
                let found = self.settled(limit, nodes, &search, &samples);
                self.finish_search(limit, found);
            }
            Step::Done => {}
        }
    }

    fn plays(&self) -> (u32, u32) {
        // Own, then for each limit up to twice as many tries as the number of nodes has binary digits, and the answer.
        let tries = match (&self.step, self.desired()) {
            (Step::Done, _) => self.answer.tried,
            (_, desired) => 3 + 4 * (u32::BITS - desired.leading_zeros()).max(4),
        };
        (self.done, tries.saturating_mul(self.answer.plays))
    }
}

impl Advice {
    /// The setting to take: of those found the one that keeps more pods available, then the one with the shorter
    /// longest gap, then the one without surge, which needs no room for second pods.
    pub fn recommended(&self) -> Option<&Trial> {
        let risk = |trial: &&Trial| {
            let forecast = trial.forecast.as_ref();
            let missing = forecast.map_or(u32::MAX, Forecast::most_missing);
            (missing, forecast.and_then(|forecast| forecast.longest_gap.as_ref().map(|gap| gap.length)))
        };
        [&self.max_unavailable, &self.max_surge].into_iter().filter_map(Found::answer).min_by_key(risk)
    }

    /// Whether the manifest's own strategy meets the deadline as it is.
    pub fn own_is_enough(&self) -> bool {
        self.own.as_ref().is_some_and(|own| is_enough(own.met, own.plays))
    }
}

impl Found {
    /// The setting, where one was found.
    pub fn answer(&self) -> Option<&Trial> {
        match self {
            Self::Limit { answer, .. } => Some(answer),
            Self::Unknown | Self::Nothing { .. } => None,
        }
    }
}

impl PercentLimit {
    /// As it is written: `10%`.
    pub fn written(&self) -> IntOrString {
        percent(self.percent)
    }
}

/// Whether enough of the plays met a deadline: nineteen in twenty, rounded up.
fn is_enough(met: u32, plays: u32) -> bool {
    plays > 0 && u64::from(met) >= rank(u64::from(plays), ENOUGH_PERCENT)
}

/// How many pulls the pods of nineteen nodes in twenty get by with, where so many pulls are spread over all nodes.
fn pulls_of_most(pulls: u64, nodes: u32) -> u32 {
    let nodes = u64::from(nodes);
    let twentieths = pulls.saturating_mul(20).saturating_add(nodes.saturating_mul(19));
    let each = twentieths.saturating_sub(1).checked_div(nodes.saturating_mul(20)).unwrap_or_default();
    u32::try_from(each).unwrap_or(u32::MAX)
}

/// The smallest percentage of `desired` that comes to at least so many nodes.
fn percent_of(nodes: u32, desired: u32) -> PercentLimit {
    let below = u64::from(nodes.saturating_sub(1)).saturating_mul(100);
    let percent = below.checked_div(u64::from(desired)).unwrap_or_default().saturating_add(1).min(100);
    let nodes = percent.saturating_mul(u64::from(desired)).div_ceil(100);
    let narrow = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    PercentLimit { percent: narrow(percent), nodes: narrow(nodes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_written_as_the_smallest_percentage_that_gives_it() {
        let percent = |nodes, desired| {
            let PercentLimit { percent, nodes } = percent_of(nodes, desired);
            (percent, nodes)
        };
        assert_eq!(percent(1, 3), (1, 1));
        assert_eq!(percent(2, 3), (34, 2));
        assert_eq!(percent(3, 3), (67, 3));
        assert_eq!(percent(15, 288), (5, 15));
        assert_eq!(percent(29, 288), (10, 29));
        assert_eq!(percent(1, 250), (1, 3), "no percentage of 250 nodes is one node");
        assert_eq!(percent(5_000, 5_000), (100, 5_000));
    }

    #[test]
    fn a_pod_pulls_what_most_nodes_lack() {
        assert_eq!(pulls_of_most(0, 100), 0);
        assert_eq!(pulls_of_most(5, 100), 0, "nineteen in twenty need none");
        assert_eq!(pulls_of_most(6, 100), 1);
        assert_eq!((pulls_of_most(100, 100), pulls_of_most(200, 100)), (1, 2));
        assert_eq!(pulls_of_most(3, 0), 0);
    }

    #[test]
    fn nineteen_in_twenty_are_enough() {
        assert!(is_enough(19, 20) && !is_enough(18, 20));
        assert!(is_enough(1, 1) && !is_enough(0, 1));
        assert!(is_enough(10, 10) && !is_enough(9, 10));
        assert!(!is_enough(0, 0));
    }

    #[test]
    fn no_time_is_no_deadline() {
        assert_eq!(Deadline::new(Duration::ZERO, WaitsFor::Rollout), Err(DeadlineProblem::Zero));
        assert!(Deadline::new(Duration::from_secs(1), WaitsFor::Helm3).is_ok());
    }
}

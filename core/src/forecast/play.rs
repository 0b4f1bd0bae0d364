use std::time::Duration;

use super::{GapCounts, WaitsFor};
use crate::api::UpdateStrategyType;
use crate::budget::resolve;
use crate::sim::{Ending, ExtraRequests, Gap, Progress, RegistryLoad, World};

/// Events between two looks at the time, where nothing has to be seen at once.
const STRIDE: u32 = 64;

/// What is done and watched in a play besides the scenario.
#[derive(Clone, Debug)]
pub(super) struct Script {
    /// When a manifest is applied for the first time; the start where none is.
    pub changed_at: Duration,
    /// Whether it is noted when Helm 3 would stop waiting.
    pub watches_helm3: bool,
    /// The play ends so long after the change.
    pub stops_after: Option<Duration>,
}

/// One play: a world with a seed, and what is done and watched besides.
#[derive(Clone, Debug)]
pub(super) struct Play {
    seed: u64,
    world: World,
    script: Script,
    /// `metadata.generation` before the change.
    generation: Option<i64>,
    helm3_at: Option<Duration>,
}

/// What one play came to. Times of completion are since the change.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Its seed.
    pub seed: u64,
    /// How it ended; absent when it was stopped before.
    pub ending: Option<Ending>,
    /// When every eligible node had an available new pod, at last and for good.
    pub completed_after: Option<Duration>,
    /// When Helm 3 would have stopped waiting, where that was watched.
    pub helm3_after: Option<Duration>,
    /// Nodes that should run the pod, at the end.
    pub eligible: u32,
    /// Of these, the ones with an available new pod.
    pub finished: u32,
    /// Pods available at the start.
    pub available_at_start: u32,
    /// The fewest that were available at any time.
    pub fewest_available: u32,
    /// The most pods there were at any time.
    pub most_pods: u32,
    /// The longest time that one node was without an available pod.
    pub longest_gap: Option<Gap>,
    /// All of those times.
    pub gaps: GapCounts,
    /// The sum of those times.
    pub outage: Duration,
    /// The most that pods requested beyond what they did at the start.
    pub extra: ExtraRequests,
    /// What was pulled from the registry.
    pub registry: RegistryLoad,
    /// Writes to the API server.
    pub api_writes: u64,
}

impl Sample {
    /// When what is waited for was there, since the change.
    pub fn met_after(&self, waits_for: WaitsFor) -> Option<Duration> {
        match waits_for {
            WaitsFor::Rollout => self.completed_after,
            WaitsFor::Helm3 => self.helm3_after,
        }
    }
}

impl Play {
    pub fn new(seed: u64, world: World, script: Script) -> Self {
        let generation = world.daemon_set().map(|daemon_set| daemon_set.metadata.generation);
        Self { seed, world, script, generation, helm3_at: None }
    }

    /// Plays on for about so many events and decisions; says whether there is more to play.
    pub fn run(&mut self, budget: u32) -> bool {
        let by_step = self.script.watches_helm3;
        if !by_step && self.script.stops_after.is_none() {
            return self.world.run(budget).partial;
        }
        let stride = if by_step { 1 } else { STRIDE };
        let mut left = budget;
        while left > 0 {
            left = left.saturating_sub(stride);
            let progress = self.world.run(stride);
            if by_step && self.helm3_at.is_none() && self.helm3_is_content(&progress) {
                self.helm3_at = Some(self.world.elapsed());
            }
            if !progress.partial || self.is_over() {
                return false;
            }
        }
        true
    }

    /// What the play came to.
    pub fn sample(&self) -> Sample {
        let summary = self.world.summary();
        let measures = self.world.measures();
        let since_change = |at: Duration| at.saturating_sub(self.script.changed_at);
        Sample {
            seed: self.seed,
            ending: summary.ending,
            completed_after: summary.completed_at.map(since_change),
            helm3_after: self.helm3_at.map(since_change),
            eligible: summary.eligible,
            finished: summary.finished,
            available_at_start: measures.available_at_start,
            fewest_available: summary.fewest_available,
            most_pods: summary.most_pods,
            longest_gap: summary.longest_gap,
            gaps: GapCounts::of(&measures.gaps),
            outage: measures.outage,
            extra: measures.extra,
            registry: measures.registry,
            api_writes: measures.api_writes,
        }
    }

    fn is_over(&self) -> bool {
        let until = self.script.stops_after.map(|after| self.script.changed_at.saturating_add(after));
        until.is_some_and(|until| self.world.elapsed() > until)
    }

    /// Whether all that happens at a time has happened.
    fn is_past(&self, at: Duration, progress: &Progress) -> bool {
        self.world.elapsed() > at || !progress.partial
    }

    /// What `helm upgrade --wait` of Helm 3 waits for on a DaemonSet (`ReadyChecker.daemonSetReady`, Helm 3.18): the
    /// controller has seen the change; unless the strategy is another than `RollingUpdate`, every desired pod is
    /// updated and all but `maxUnavailable` of them are ready. Neither availability nor `minReadySeconds` matter to it.
    fn helm3_is_content(&self, progress: &Progress) -> bool {
        let Some(daemon_set) = self.world.daemon_set() else { return false };
        let status = &daemon_set.status;
        let is_changed = self.generation != Some(daemon_set.metadata.generation);
        if !(is_changed || self.is_past(self.script.changed_at, progress))
            || status.observed_generation != daemon_set.metadata.generation
        {
            return false;
        }
        let strategy = &daemon_set.spec.update_strategy;
        if strategy.strategy_type != UpdateStrategyType::RollingUpdate {
            return true;
        }
        let desired = u32::try_from(status.desired_number_scheduled).unwrap_or(0);
        let limit = resolve(&strategy.rolling_update.max_unavailable, desired).unwrap_or(desired);
        status.updated_number_scheduled == status.desired_number_scheduled
            && u32::try_from(status.number_ready).unwrap_or(0) >= desired.saturating_sub(limit)
    }
}

use std::time::Duration;

use super::assumption::{event_is_constant, options_are_constant};
use super::play::{Play, Script};
use super::{Setting, WaitsFor};
use crate::api::{DaemonSet, UpdateStrategy};
use crate::budget::resolve;
use crate::scenario::{Scenario, Sources};
use crate::sim::{Building, Options, ScenarioEvent, World};

/// A scenario at its start, before anything in it has happened: what every setting and every seed begins with.
#[derive(Clone, Debug)]
pub struct Ground {
    world: World,
    options: Options,
    sources: Sources,
    before: Option<DaemonSet>,
    events: Vec<(Duration, ScenarioEvent)>,
}

impl Ground {
    /// Makes the world of a scenario, which costs as much as a short play.
    pub fn new(scenario: &Scenario) -> Self {
        Self::of(Self::building(scenario).finish(), scenario)
    }

    /// The world of a scenario on its way to its start, for callers who make it in slices.
    pub fn building(scenario: &Scenario) -> Building {
        scenario.building_without_events(Options { timeline: false, ..scenario.options })
    }

    /// The ground that this came to.
    pub fn of(world: World, scenario: &Scenario) -> Self {
        Self {
            world,
            options: Options { timeline: false, ..scenario.options },
            sources: scenario.sources,
            before: scenario.cluster.daemon_set(&scenario.daemon_set).cloned(),
            events: scenario.events.clone(),
        }
    }

    /// How the world is played.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Where the options come from.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The DaemonSet as it becomes last: that of the last manifest which is applied, or else the one that is there.
    pub fn daemon_set(&self) -> Option<&DaemonSet> {
        self.applied().last().map(|(_, daemon_set)| daemon_set).or(self.before.as_ref())
    }

    /// `spec.updateStrategy` of the manifest.
    pub fn strategy(&self) -> UpdateStrategy {
        self.daemon_set().map(|daemon_set| daemon_set.spec.update_strategy.clone()).unwrap_or_default()
    }

    /// Whether every play is the same whatever its seed: no time is drawn, and nothing happens by odds.
    pub fn is_deterministic(&self) -> bool {
        options_are_constant(&self.options) && self.events.iter().all(|(_, event)| event_is_constant(event))
    }

    /// Ready to be played under a setting.
    pub(super) fn stage(&self, setting: &Setting) -> Stage {
        let mut world = self.world.clone();
        let mut events = self.events.clone();
        let own = self.strategy();
        if *setting != Setting::Own {
            let strategy = setting.strategy(&own);
            let applied = events.iter_mut().filter_map(|(_, event)| match event {
                ScenarioEvent::Apply(daemon_set) => Some(daemon_set),
                _ => None,
            });
            let mut any = false;
            for daemon_set in applied {
                daemon_set.spec.update_strategy = strategy.clone();
                any = true;
            }
            // Nothing is applied: the strategy of what runs now is changed, as a person would do it.
            if let (false, Some(before)) = (any, &self.before) {
                let mut changed = before.clone();
                changed.spec.update_strategy = strategy;
                events.insert(0, (Duration::ZERO, ScenarioEvent::Apply(Box::new(changed))));
            }
        }
        let (first, last) = (self.applied().next(), self.applied().last());
        for (at, event) in events {
            world.schedule(at, event);
        }
        if let Setting::OnDelete { batch } = setting {
            let at_once = resolve(batch, world.run(0).total).unwrap_or(1).max(1);
            let last = last.map(|(at, _)| at).unwrap_or_default();
            world.schedule(last, ScenarioEvent::DeleteOutdatedPods { at_once });
        }
        let script =
            Script { changed_at: first.map(|(at, _)| at).unwrap_or_default(), watches_helm3: false, stops_after: None };
        Stage { world, first_seed: self.options.seed, script }
    }

    fn applied(&self) -> impl Iterator<Item = (Duration, &DaemonSet)> {
        self.events.iter().filter_map(|(at, event)| match event {
            ScenarioEvent::Apply(daemon_set) => Some((*at, &**daemon_set)),
            _ => None,
        })
    }
}

/// A world at its start with everything planned: each of its plays is a copy with another seed.
#[derive(Clone, Debug)]
pub(super) struct Stage {
    world: World,
    first_seed: u64,
    script: Script,
}

impl Stage {
    /// Plays end once this is over, and take note of when what is waited for was there.
    pub fn until(mut self, within: Duration, waits_for: WaitsFor) -> Self {
        self.script.stops_after = Some(within);
        self.watching(waits_for)
    }

    /// Plays take note of when what is waited for was there.
    pub fn watching(mut self, waits_for: WaitsFor) -> Self {
        self.script.watches_helm3 = waits_for == WaitsFor::Helm3;
        self
    }

    /// The play of a number, from 0, at its beginning.
    pub fn begin(&self, number: u32) -> Play {
        let seed = self.first_seed.wrapping_add(u64::from(number));
        let mut world = self.world.clone();
        world.reseed(seed);
        Play::new(seed, world, self.script.clone())
    }
}

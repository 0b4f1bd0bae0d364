use std::time::Duration;

use super::{Measured, Sources};
use crate::api::ObjectKey;
use crate::controller::Snapshot;
use crate::ownership::is_own;
use crate::sim::{Building, Options, ScenarioEvent, World};

/// What to simulate: a cluster, how long things take in it, and what is done to it.
///
/// The command line, the page, lessons and tests all play this; `scenario` reads and writes it as a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// The DaemonSet that is played. It may be missing from the cluster until an event applies it.
    pub daemon_set: ObjectKey,
    /// The cluster at the start.
    pub cluster: Snapshot,
    /// What of the cluster's own pods the play starts from.
    pub start: Start,
    /// How the world is played. Its seed is the first of several.
    pub options: Options,
    /// Where the options come from.
    pub sources: Sources,
    /// What was measured in the cluster, be it used or not.
    pub measured: Measured,
    /// What is done to the cluster, with times since the start; in order of time.
    pub events: Vec<(Duration, ScenarioEvent)>,
}

/// What of the DaemonSet's own pods a play starts from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// The pods that the cluster holds.
    #[default]
    Pods,
    /// Every node that should run a pod has long had an available one of the present template.
    Settled,
}

impl Scenario {
    /// The world at its start, with the events planned.
    pub fn world(&self) -> World {
        self.building().finish()
    }

    /// The same in slices.
    pub fn building(&self) -> Building {
        let mut building = self.building_without_events(self.options);
        for (after_start, event) in &self.events {
            building = building.with_event(*after_start, event.clone());
        }
        building
    }

    /// The world at its start in slices, with no event planned, played as `options` say.
    pub fn building_without_events(&self, options: Options) -> Building {
        let Self { daemon_set: key, cluster, start, .. } = self;
        let before = cluster.daemon_set(key);
        match (start, before) {
            (Start::Settled, Some(before)) => {
                let others = cluster.pods.iter().filter(|pod| !is_own(before, pod)).cloned();
                Building::settled_among(before.clone(), cluster.nodes.clone(), others.collect(), options)
            }
            (Start::Pods, _) | (Start::Settled, None) => Building::new(cluster.clone(), key.clone(), options),
        }
    }
}

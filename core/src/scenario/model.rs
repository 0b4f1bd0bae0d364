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
        self.clone().into_building().finish()
    }

    /// The same in slices.
    pub fn into_building(self) -> Building {
        let Self { daemon_set, cluster, start, options, events, .. } = self;
        let before = cluster.daemon_sets.iter().find(|object| object.metadata.key() == daemon_set).cloned();
        let building = match (start, before) {
            (Start::Settled, Some(before)) => {
                let Snapshot { nodes, mut pods, .. } = cluster;
                pods.retain(|pod| !is_own(&before, pod));
                Building::settled_among(before, nodes, pods, options)
            }
            (Start::Pods, _) | (Start::Settled, None) => Building::new(cluster, daemon_set, options),
        };
        events.into_iter().fold(building, |building, (after_start, event)| building.with_event(after_start, event))
    }
}

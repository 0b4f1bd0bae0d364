//! What must hold whenever nothing is under way.

use std::time::Duration;

use rollcast_core::api::Text;
use rollcast_core::controller::{Action, Change, Controller, Decision, Expectations, PodKey, Reason};
use rollcast_core::sim::{Tile, World};
use rollcast_core::time::Timestamp;

use super::cluster::Setup;
use super::trouble::Kind;

/// Whoever has nothing to do for so long rests.
const REST: Duration = Duration::from_secs(20);

/// Nothing has happened since that moment: does the controller rest rightly?
///
/// It has seen everything. Unless answers are lost it expects nothing more. And when it does not mean to look again by
/// itself there is nothing to do: no pod is missing, none that is broken waits to be replaced, and a controller that
/// starts now would do nothing either.
pub fn check(setup: &Setup, world: &World, since: Timestamp) -> Result<(), String> {
    let rests = world.summary().ending.is_some() || world.now().saturating_since(since) >= REST;
    let Some(daemon_set) = world.daemon_set().filter(|daemon_set| !daemon_set.metadata.is_being_deleted()) else {
        return Ok(());
    };
    if !rests || !world.is_seen() {
        return Ok(());
    }
    let expectations = world.controller().expectations(&daemon_set.metadata.key());
    let Expectations { creations, deletions, .. } = expectations;
    if !setup.kinds.contains(&Kind::LostWrites) && (creations > 0 || deletions > 0) {
        return Err(format!("every answer has come, and {creations} creations, {deletions} deletions are expected"));
    }
    if world.wakes_at().is_some() {
        return Ok(());
    }
    let timeline = world.timeline();
    let state = timeline.state_at(timeline.len().saturating_sub(1));
    for (node, name) in (0..).zip(timeline.node_names()) {
        let is_wrong = match state.tile(node) {
            Tile::Missing => true,
            Tile::OldUnavailable => setup.rolls() && !setup.surges() && !nodes_change(setup),
            _ => false,
        };
        if is_wrong {
            return Err(format!("the controller rests, and {name} is {:?}", state.tile(node)));
        }
    }
    like_one_that_starts_now(setup, world, since)
}

/// What the status says is left out. And a node that changes and has a pod makes nobody look unless the pod is bound and
/// must go (Kubernetes 1.33 and later), so that where nodes change only missing and misplaced pods count.
fn like_one_that_starts_now(setup: &Setup, world: &World, since: Timestamp) -> Result<(), String> {
    let mut afresh = Controller::default();
    afresh.observe(Change::Reset(Box::new(world.snapshot())));
    let step = afresh.step(since);
    let is_free = |node: &Text| !world.pods().any(|pod| pod.spec.node_name == *node);
    let is_bound = |key: &PodKey| world.pods().any(|pod| pod.metadata.uid == key.uid && !pod.spec.node_name.is_empty());
    let counts = |decision: &&Decision| match (&decision.action, &decision.reason) {
        (Action::UpdateStatus(_) | Action::RecordEvent { .. }, _) => false,
        _ if !nodes_change(setup) => true,
        (Action::CreatePod { node, .. }, _) => is_free(node),
        (Action::DeletePod { pod, .. }, Reason::NodeMustNotRun(_)) => is_bound(pod),
        _ => false,
    };
    match step.batches.iter().flat_map(|batch| &batch.decisions).find(counts) {
        None => Ok(()),
        Some(decision) => Err(format!("the controller rests, and one that starts at {since} would do {decision:?}")),
    }
}

fn nodes_change(setup: &Setup) -> bool {
    let kinds = [Kind::Nodes, Kind::Labels, Kind::Taints, Kind::Kubelets, Kind::Reboots];
    setup.kinds.iter().any(|kind| kinds.contains(kind))
}

//! What must hold after every event.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use rollcast_core::api::{Pod, PodPhase};
use rollcast_core::decision::Reason;
use rollcast_core::sim::{DecisionKind, Tile, World};

use super::trouble::Kind;

/// What is remembered from one event to the next.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    /// Whether the controller sees late what happens. It may then take a pod for available that was ready and, unseen,
    /// has stopped being so.
    is_late: bool,
    /// Whether it may see late that pods are orphans.
    pub adopts_late: bool,
    /// Moments of the timeline that were looked at.
    moments: u32,
    /// Nodes whose available pod was deleted within the budget, and which have not had an available one since.
    down: BTreeSet<u32>,
    /// Nodes that got a second pod within the surge budget, and have not finished.
    surging: BTreeSet<u32>,
}

impl Watch {
    /// Nothing seen yet.
    pub fn new(kinds: &[Kind]) -> Self {
        let is_late = kinds.contains(&Kind::LateWatch);
        Self { is_late, adopts_late: is_late && kinds.contains(&Kind::Deletions), ..Self::default() }
    }

    /// Looks at every moment that has passed since, and tells it.
    pub fn seen(&mut self, world: &World, mut tell: impl FnMut(String)) -> Result<(), String> {
        let timeline = world.timeline();
        while self.moments < timeline.len() {
            let moment = self.moments;
            self.moments += 1;
            let state = timeline.state_at(moment);
            let mut text = format!("{} {:?}", timeline.at(moment).as_micros(), state.counters);
            let (mut max_unavailable, mut max_surge) = (None, None);
            for group in timeline.decisions(moment) {
                write!(text, " {:?} {:?} {}", group.kind, group.reason, group.count).expect("a string takes all");
                match (group.kind, group.reason) {
                    (DecisionKind::DeletePod, Reason::OutdatedWithinBudget { limit, .. }) => {
                        self.down.extend(group.nodes());
                        max_unavailable = max_unavailable.max(Some(*limit));
                    }
                    (DecisionKind::CreatePod, Reason::SurgeWithinBudget { limit, .. }) => {
                        self.surging.extend(group.nodes());
                        max_surge = max_surge.max(Some(*limit));
                    }
                    _ => {}
                }
            }
            for change in timeline.changes(moment) {
                write!(text, " {}:{:?}", change.node, change.to).expect("a string takes all");
            }
            tell(text);
            // A place may be given up and taken again within a moment: what counts is how the moment ends.
            self.down.retain(|&node| {
                let tile = state.tile(node);
                let may_seem_available = tile.is_available() || self.is_late && tile == Tile::NewReady;
                tile.is_eligible() && !may_seem_available
            });
            self.surging.retain(|&node| state.tile(node) == Tile::Surging);
            within("maxUnavailable", &self.down, max_unavailable)?;
            within("maxSurge", &self.surging, max_surge)?;
        }
        Ok(())
    }
}

/// The controller alone never takes more than it may: what others took is not in here. Without a limit nothing was
/// taken now.
fn within(what: &str, nodes: &BTreeSet<u32>, limit: Option<u32>) -> Result<(), String> {
    let Some(limit) = limit.filter(|&limit| u32::try_from(nodes.len()).expect("few") > limit) else { return Ok(()) };
    Err(format!("{what} is {limit}, and of its own choice the controller has {nodes:?} under way"))
}

/// No two pods of one name, and at most one live pod of a version on a node.
///
/// Not so where a DaemonSet is made again and the controller sees late that the pods of the last one are orphans: it makes
/// another before it adopts them, and then deletes one.
pub fn look(world: &World, adopts_late: bool) -> Result<(), String> {
    let mut names = BTreeSet::new();
    let mut live = BTreeSet::new();
    for pod in world.pod_views() {
        if !names.insert(pod.name) {
            return Err(format!("two pods are called {}", pod.name));
        }
        if pod.owned && pod.live && !adopts_late && !live.insert((pod.node, pod.revision_hash)) {
            return Err(format!("two live pods of version {:?} are on {}", pod.revision_hash, pod.node));
        }
    }
    Ok(())
}

/// Neither being deleted nor ended.
pub fn is_live(pod: &Pod) -> bool {
    pod.metadata.deletion_timestamp.is_none() && !matches!(pod.status.phase, PodPhase::Failed | PodPhase::Succeeded)
}

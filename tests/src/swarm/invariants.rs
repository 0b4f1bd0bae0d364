//! What must hold after every event.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write as _;
use std::time::Duration;

use rollcast_core::api::{Pod, PodPhase};
use rollcast_core::controller::{EXPECTATIONS_TIMEOUT, Reason};
use rollcast_core::sim::{DecisionKind, Tile, World};

use super::cluster::Setup;
use super::converged::{hash_of, own_revisions};
use super::trouble::Kind;

/// So many moments are shown of a play that failed.
const SHOWN: usize = 20;

/// What happens is seen after so long at the latest, unless the watch stands still.
const LONGEST_WATCH_DELAY: Duration = Duration::from_secs(5);

/// Longer waits between deletions of failed pods are not asked for.
const LONGEST_BACK_OFF: Duration = Duration::from_mins(15);

/// A back-off that was not used for so long is forgotten.
const FORGOTTEN: Duration = Duration::from_mins(30);

/// What is remembered from one event to the next.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent properties of the trouble that was drawn")]
pub struct Watch {
    /// Whether the controller sees late what happens. It may then take a pod for available that was ready and, unseen,
    /// has stopped being so.
    is_late: bool,
    /// For how long it may overlook what it has done itself: an expectation is met too soon by the end of another pod,
    /// which is counted when it is deleted and again when it is gone, and lapses while the watch stands still. It is
    /// the same in Kubernetes.
    overlooks: Duration,
    /// Whether it may see late that pods are orphans.
    pub adopts_late: bool,
    /// Whether a decision comes true in the moment in which it is taken, from what there is then.
    is_prompt: bool,
    /// Whether the DaemonSet is the same all the time.
    is_one: bool,
    /// Whether the controller remembers its back-off all the time, and none is begun afresh.
    backs_off: bool,
    /// Moments of the timeline that were looked at.
    moments: u32,
    /// DESIRED at the end of the last one.
    desired: u32,
    /// Nodes whose available pod was deleted within the budget, and which have not had an available one since; with when
    /// that was, and whether another pod's end could be taken for it.
    down: BTreeMap<u32, (Duration, bool)>,
    /// Nodes that got a second pod within the surge budget, and have not finished; likewise.
    surging: BTreeMap<u32, (Duration, bool)>,
    /// When pods were being deleted last, before the controller decided anything more.
    ending: Option<Duration>,
    /// Nodes whose failed pods were deleted: when last, and how long it has to be until the next time.
    failed: BTreeMap<u32, (Duration, Duration)>,
    /// The last moments, for whoever looks into a failure.
    pub recent: VecDeque<String>,
}

impl Watch {
    /// Nothing seen yet.
    pub fn new(kinds: &[Kind]) -> Self {
        let any = |of: &[Kind]| kinds.iter().any(|kind| of.contains(kind));
        let is_late = any(&[Kind::LateWatch, Kind::StalledWatch]);
        let is_one = !any(&[Kind::Deletions]);
        let is_prompt = !is_late && !any(&[Kind::SlowWrites, Kind::RefusedWrites, Kind::LostWrites]);
        let backs_off = is_prompt && is_one && !any(&[Kind::Applies, Kind::Undoes, Kind::Restarts]);
        let overlooks = match (any(&[Kind::StalledWatch]), is_late) {
            (true, _) => Duration::MAX,
            (false, true) => LONGEST_WATCH_DELAY,
            (false, false) => Duration::ZERO,
        };
        let adopts_late = is_late && !is_one;
        Self { is_late, overlooks, adopts_late, is_prompt, is_one, backs_off, ..Self::default() }
    }

    /// Looks at every moment that has passed since, and tells it.
    pub fn seen(&mut self, setup: &Setup, world: &World, mut tell: impl FnMut(&str)) -> Result<(), String> {
        let timeline = world.timeline();
        while self.moments < timeline.len() {
            let moment = self.moments;
            self.moments += 1;
            let (before, state) = (timeline.state_at(moment.saturating_sub(1)), timeline.state_at(moment));
            let mut text = format!("{} {:?}", timeline.at(moment).as_micros(), state.counters);
            let desired = [self.desired, state.counters.desired];
            self.desired = state.counters.desired;
            let at = timeline.at(moment);
            if before.counters.terminating > 0 {
                self.ending = Some(at);
            }
            let unsure = self.ending.is_some_and(|ending| at.saturating_sub(ending) < self.overlooks);
            let (mut max_unavailable, mut max_surge) = (None, None);
            for group in timeline.decisions(moment) {
                write!(text, " {:?} {:?} {}", group.kind, group.reason, group.count).expect("a string takes all");
                match (group.kind, group.reason) {
                    (DecisionKind::DeletePod, Reason::OutdatedWithinBudget { limit, .. }) => {
                        self.down.extend(group.nodes().map(|node| (node, (at, unsure))));
                        max_unavailable = max_unavailable.max(Some(*limit));
                    }
                    (DecisionKind::CreatePod, Reason::SurgeWithinBudget { limit, .. }) => {
                        self.surging.extend(group.nodes().map(|node| (node, (at, unsure))));
                        max_surge = max_surge.max(Some(*limit));
                    }
                    (DecisionKind::DeleteRevision, Reason::BeyondHistoryLimit) if self.is_prompt && self.is_one => {
                        enough_history(world)?;
                    }
                    (DecisionKind::DeletePod, Reason::FailedPod) if self.backs_off => {
                        // At the very beginning the generation rises.
                        for node in group.nodes().filter(|_| at > Duration::ZERO) {
                            self.back_off(node, at)?;
                        }
                    }
                    (DecisionKind::DeletePod, Reason::ReplacementAvailable) if self.is_prompt && self.is_one => {
                        for node in group.nodes() {
                            let tiles = [before.tile(node), state.tile(node)];
                            let may_run = tiles.iter().all(|tile| tile.is_eligible() && *tile != Tile::NewAvailable);
                            // Beside failed pods that wait for their back-off the tile does not show the replacement.
                            if may_run && !runs_a_ready_pod(world, node) {
                                return Err(format!("the old pod on {node} went, which was {tiles:?}"));
                            }
                        }
                    }
                    _ => {}
                }
            }
            for change in timeline.changes(moment) {
                write!(text, " {}:{:?}", change.node, change.to).expect("a string takes all");
            }
            tell(&text);
            self.recent.truncate(SHOWN - 1);
            self.recent.push_front(text);
            // A place may be given up and taken again within a moment: what counts is how the moment ends.
            self.down.retain(|&node, _| {
                let tile = state.tile(node);
                // One that failed may have been ready before, within the same moment.
                let may_have_been = self.is_late && matches!(tile, Tile::NewReady | Tile::Failed);
                let may_seem_available = tile.is_available() || may_have_been;
                tile.is_eligible() && !may_seem_available
            });
            self.surging.retain(|&node, _| state.tile(node) == Tile::Surging);
            let overlooks = self.overlooks;
            let known = |nodes: &BTreeMap<u32, (Duration, bool)>| -> BTreeSet<u32> {
                let is_known = |(since, unsure): (Duration, bool)| {
                    let lapsed = at.saturating_sub(since) >= EXPECTATIONS_TIMEOUT;
                    since == at || at.saturating_sub(since) >= overlooks || !unsure && !lapsed
                };
                nodes.iter().filter(|(_, when)| is_known(**when)).map(|(node, _)| *node).collect()
            };
            within("maxUnavailable", &known(&self.down), max_unavailable)?;
            within("maxSurge", &known(&self.surging), max_surge)?;
            if let Some(limit) = max_unavailable.max(max_surge).filter(|_| self.is_prompt) {
                let resolved = desired.map(|desired| setup.limit(desired));
                if !resolved.contains(&limit) {
                    return Err(format!("the limit is taken for {limit}, and is {resolved:?} of {desired:?} nodes"));
                }
            }
        }
        if self.is_prompt && self.is_one { no_version_lost(world) } else { Ok(()) }
    }

    /// Failed pods of a node are deleted at intervals of 1 s, 2 s, 4 s, … at least.
    fn back_off(&mut self, node: u32, at: Duration) -> Result<(), String> {
        let mut next = Duration::from_secs(1);
        if let Some((last, wait)) = self.failed.get(&node).filter(|(last, _)| at.saturating_sub(*last) <= FORGOTTEN) {
            if at < *last + *wait {
                return Err(format!(
                    "a failed pod on {node} was deleted {:?} after the last, not {wait:?}",
                    at.saturating_sub(*last)
                ));
            }
            next = LONGEST_BACK_OFF.min(2 * *wait);
        }
        self.failed.insert(node, (at, next));
        Ok(())
    }
}

/// The controller alone never takes more than it may: what others took is not in here. Without a limit nothing was
/// taken now.
fn within(what: &str, nodes: &BTreeSet<u32>, limit: Option<u32>) -> Result<(), String> {
    let Some(limit) = limit.filter(|&limit| u32::try_from(nodes.len()).expect("few") > limit) else { return Ok(()) };
    Err(format!("{what} is {limit}, and of its own choice the controller has {nodes:?} under way"))
}

/// Whether a pod there is ready and stays.
fn runs_a_ready_pod(world: &World, node: u32) -> bool {
    let name = usize::try_from(node).ok().and_then(|node| world.timeline().node_names().get(node));
    world.pods().any(|pod| is_live(&pod) && pod.is_ready() && Some(&pod.spec.node_name) == name)
}

/// After one was deleted because it is one too many, there still are as many old revisions as are to be kept.
fn enough_history(world: &World) -> Result<(), String> {
    let Some(daemon_set) = world.daemon_set() else { return Ok(()) };
    let limit = daemon_set.spec.revision_history_limit.unwrap_or(10);
    let kept = own_revisions(world).count();
    if i64::try_from(kept).expect("few") > i64::from(limit) {
        return Ok(());
    }
    Err(format!("revisionHistoryLimit is {limit}, and of the present and the old revisions {kept} are left"))
}

/// What a pod was made from can be looked up as long as the pod is there.
fn no_version_lost(world: &World) -> Result<(), String> {
    let known: Vec<_> = own_revisions(world).map(hash_of).collect();
    for pod in world.pod_views().filter(|pod| pod.owned && pod.live) {
        if !pod.revision_hash.is_some_and(|hash| known.contains(&hash)) {
            return Err(format!("the revision of {}, {:?}, is none of {known:?}", pod.name, pod.revision_hash));
        }
    }
    Ok(())
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

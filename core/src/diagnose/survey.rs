//! Every node that has no available new pod, with the reason.

use super::cause::{Cause, Effect, User};
use super::pending::Neighbours;
use super::problem::{Places, Problem};
use super::{Findings, Scene, Settings, pending, pod, remedies};
use crate::api::{Pod, Text, UpdateStrategyType};
use crate::availability::{PodFacts, availability};
use crate::fleet::{Mark, Slot};
use crate::order::sort_by;
use crate::target::Standing;

/// One node without an available new pod.
#[derive(Debug)]
pub(super) struct NodeState<'a> {
    /// Its rank in the index.
    pub rank: Slot,
    /// Its name.
    pub node: &'a Text,
    /// Whether it counts in DESIRED.
    pub eligible: bool,
    /// The pod that tells why, if there is one.
    pub pod: Option<&'a Pod>,
    /// Why.
    pub cause: Cause,
    /// Whether the pod is an old one that the controller replaces at once.
    pub replaced: bool,
}

impl NodeState<'_> {
    /// What it means for the rollout.
    pub(super) fn effect(&self) -> Effect {
        // An old pod that is replaced at once does not matter any more, unless its node keeps it.
        if self.replaced && !self.is_held() { Effect::Delays } else { self.cause.effect() }
    }

    fn is_held(&self) -> bool {
        matches!(self.cause, Cause::NodeDown { .. } | Cause::NodeGone)
    }

    /// The pod's name.
    pub(super) fn pod_name(&self) -> Option<&Text> {
        self.pod.map(|pod| &pod.metadata.name)
    }
}

/// Looks at every node that should have an available new pod and has none, and at those that take a place in the
/// budget, in order of their names.
pub(super) fn node_states<'a>(scene: &Scene<'a>) -> Vec<NodeState<'a>> {
    let aggregate = scene.view.aggregate();
    let rolls = scene.daemon_set.spec.update_strategy.strategy_type == UpdateStrategyType::RollingUpdate;
    let (holders, replaced_mark) = if scene.view.target().allows_surge {
        (Mark::Surging, Mark::SurgeNow)
    } else {
        (Mark::Unavailable, Mark::ReplaceNow)
    };
    let is_done =
        |rank: Slot| aggregate.nodes(Mark::Updated).contains(rank) && aggregate.nodes(Mark::Available).contains(rank);
    // An available old pod waits for its turn, or for a person; that is the budget's matter, or the strategy's.
    let waits =
        |rank: Slot| aggregate.nodes(Mark::Available).contains(rank) && !aggregate.nodes(Mark::Surging).contains(rank);
    let mut looked_at = scene.ranks(Mark::Desired);
    looked_at.extend(scene.ranks(holders));
    sort_by(&mut looked_at, Ord::cmp);
    looked_at.dedup();
    let mut judged: Vec<(Slot, Option<(&PodFacts, &'a Pod)>)> = Vec::new();
    let mut pods = Vec::new();
    for rank in looked_at {
        let takes_place = rolls && aggregate.nodes(holders).contains(rank);
        if takes_place || !(is_done(rank) || waits(rank)) {
            let telling = telling_pod(scene, rank);
            if let Some((_, pod)) = telling {
                pods.push(pod);
            }
            judged.push((rank, telling));
        }
    }
    let neighbours = Neighbours::of(&pods, scene.snapshot);
    let mut states = Vec::with_capacity(judged.len());
    for &(rank, telling) in &judged {
        let node = scene.node(rank);
        let eligible = scene.view.standing(rank).should_run();
        let cause = match telling {
            None => Cause::NoPod,
            Some(_) if is_crowded(scene, rank) => Cause::Excess,
            Some((facts, pod)) => match node.filter(|_| !facts.bound && !facts.deleting && !facts.is_terminal()) {
                Some(node) => pending::why(scene.daemon_set, pod, node, &neighbours, scene.settings),
                None => pod::why(pod, facts, node, eligible, scene.settings, scene.view.target().min_ready),
            },
        };
        let replaced = rolls && aggregate.nodes(replaced_mark).contains(rank);
        let pod = telling.map(|(_, pod)| pod);
        states.push(NodeState { rank, node: scene.fleet.node_name(rank), eligible, pod, cause, replaced });
    }
    states
}

/// The pod that tells why: the new one, else the old one; where that is available, or there is none, one that is being
/// deleted.
fn telling_pod<'a>(scene: &Scene<'a>, rank: Slot) -> Option<(&'a PodFacts, &'a Pod)> {
    let target = scene.view.target();
    let (mut new, mut old, mut leaving) = (None, None, None);
    for pod in scene.fleet.pods_on(scene.view, rank) {
        let kind = if pod.deleting {
            &mut leaving
        } else if target.is_updated(pod) {
            &mut new
        } else {
            &mut old
        };
        kind.get_or_insert(pod);
    }
    let best = new.or(old);
    let Settings { now, version, .. } = *scene.settings;
    let is_fine = |pod: &&PodFacts| availability(pod, target.min_ready, now, version).available;
    let facts = best.filter(|pod| !is_fine(pod)).or(leaving).or(best)?;
    Some((facts, scene.pod(&facts.name)?))
}

/// Whether there are more live pods than there may be.
fn is_crowded(scene: &Scene<'_>, rank: Slot) -> bool {
    let target = scene.view.target();
    let live = scene.fleet.pods_on(scene.view, rank).filter(|pod| !pod.deleting && !pod.is_terminal());
    let (mut new, mut old) = (0, 0);
    for pod in live {
        *(if target.is_updated(pod) { &mut new } else { &mut old }) += 1;
    }
    new > 1 || old > 1 || (new + old > 1 && !target.allows_surge)
}

/// Nodes with the same trouble and the same remedy.
struct Group<'a> {
    /// The first of them; its cause holds the figures that tell most of all.
    first: NodeState<'a>,
    effect: Effect,
    places: Places,
}

/// Gathers nodes with the same trouble and the same remedy.
///
/// `refused`: nodes without a pod have a finding of their own; `freed`: what to do about dead nodes is said already.
pub(super) fn find_causes(
    scene: &Scene<'_>,
    states: Vec<NodeState<'_>>,
    refused: bool,
    freed: bool,
    findings: &mut Findings,
) {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for state in states {
        if refused && matches!(state.cause, Cause::NoPod) {
            continue;
        }
        let effect = state.effect();
        let is_like = |group: &&mut Group<'_>| {
            let Group { first, effect: known, .. } = &**group;
            *known == effect && first.replaced == state.replaced && first.cause.is_like(&state.cause)
        };
        if let Some(group) = groups.iter_mut().find(is_like) {
            group.places.push(state.node, state.pod_name());
            group.first.cause.take_in(state.cause);
        } else {
            let mut places = Places::default();
            places.push(state.node, state.pod_name());
            groups.push(Group { first: state, effect, places });
        }
    }
    for Group { first, effect, places } in groups {
        let mut remedies = match effect {
            Effect::Blocks => remedies::of_cause(scene, &first),
            Effect::Delays | Effect::Explains => Vec::new(),
        };
        if freed && first.cause.user() == User::DeadNode {
            remedies.truncate(1);
        }
        let NodeState { cause, replaced, .. } = first;
        findings.add(Problem::NotAvailable { cause, places, replaced }, effect, remedies);
    }
}

/// Finds nodes with an old pod that nobody deletes, under another strategy than `RollingUpdate`.
pub(super) fn find_waiting_for_deletion(scene: &Scene<'_>, findings: &mut Findings) {
    let unknown = match &scene.daemon_set.spec.update_strategy.strategy_type {
        UpdateStrategyType::RollingUpdate => return,
        UpdateStrategyType::OnDelete => None,
        UpdateStrategyType::Other(word) => Some(word.clone()),
    };
    let places = places_of(scene, Mark::Outdated, Some(Standing::Run));
    if places.count > 0 {
        let remedies = remedies::of_waiting(&places);
        findings.add(Problem::WaitingForDeletion { places, unknown }, Effect::Blocks, remedies);
    }
}

/// Finds old pods on nodes that are gone, which surge does not get past.
pub(super) fn find_lost_nodes(scene: &Scene<'_>, findings: &mut Findings) {
    let places = places_of(scene, Mark::Lost, None);
    if !scene.view.target().allows_surge || places.count == 0 {
        return;
    }
    let remedies = vec![super::remedy::Remedy::ForceDeletePods { pods: places.pods.clone(), node_gone: true }];
    findings.add(Problem::LostNodes { places }, Effect::Delays, remedies);
}

/// Nodes that bear a mark, with the first of their pods; where a standing is given, those that stand so.
pub(super) fn places_of(scene: &Scene<'_>, mark: Mark, standing: Option<Standing>) -> Places {
    let mut places = Places::default();
    for rank in scene.ranks(mark) {
        if standing.is_none_or(|standing| scene.view.standing(rank) == standing) {
            let first = scene.first_pod_on(rank).map(|pod| &pod.name);
            places.push(scene.fleet.node_name(rank), first);
        }
    }
    places
}

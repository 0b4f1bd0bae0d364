//! Whose pods they are, and which version they are of.

use super::acting::{has_revisions, stored_hash};
use super::cause::Effect;
use super::problem::{Places, Problem};
use super::remedy::Remedy;
use super::{Findings, Scene};
use crate::api::{Container, DaemonSet, Pod, Text};
use crate::availability::PodFacts;
use crate::fleet::Mark;
use crate::ownership::{Claim, claim};
use crate::placement::target_node_of;

/// Finds what is about selectors, owners and revisions.
pub(super) fn find_belonging(scene: &Scene<'_>, findings: &mut Findings) {
    if let Some(problem) = counted_by_generation(scene) {
        findings.add(problem, Effect::Blocks, vec![Remedy::Restart]);
    }
    let (mut former, mut released) = (Places::default(), Places::default());
    for pod in scene.matching_pods().filter(|pod| is_of_a_former(scene, pod)) {
        take_in(&mut former, pod);
    }
    for pod in scene.controlled_pods().filter(|pod| claim(scene.daemon_set, &pod.metadata) == Claim::Release) {
        take_in(&mut released, pod);
    }
    findings.explain((former.count > 0).then_some(Problem::FormerPods { places: former }));
    findings.explain((released.count > 0).then_some(Problem::ReleasedPods { places: released }));
    findings.explain(unknown_revision(scene));
    let is_guessed = !has_revisions(scene) && scene.own_pods().next().is_some();
    findings.explain(is_guessed.then_some(Problem::NoRevisions));
    for other in &scene.snapshot.daemon_sets {
        findings.explain(is_rival(scene, other).then(|| Problem::Rival { other: other.metadata.key() }));
    }
}

fn take_in(places: &mut Places, pod: &Pod) {
    let node = target_node_of(pod).cloned().unwrap_or_default();
    places.push(&node, Some(&pod.metadata.name));
}

/// Whether a pod belongs to an earlier DaemonSet of the same name.
fn is_of_a_former(scene: &Scene<'_>, pod: &Pod) -> bool {
    let metadata = &scene.daemon_set.metadata;
    pod.metadata.controller_owner().is_some_and(|owner| {
        owner.kind == "DaemonSet"
            && owner.name == metadata.name
            && !metadata.uid.is_empty()
            && !owner.uid.is_empty()
            && owner.uid != metadata.uid
    })
}

/// Pods that count as updated by their generation label alone, and run another image than the template has.
fn counted_by_generation(scene: &Scene<'_>) -> Option<Problem> {
    let hash = stored_hash(scene)?;
    let mut places = Places::default();
    let mut first: Option<(&Container, &Container)> = None;
    for rank in scene.ranks(Mark::Updated) {
        let Some(facts) = scene.first_pod_on(rank) else { continue };
        let Some(pod) = scene.pod(&facts.name).filter(|_| facts.revision != *hash) else { continue };
        let Some(difference) = other_image(scene, pod) else { continue };
        first.get_or_insert(difference);
        places.push(scene.fleet.node_name(rank), Some(&facts.name));
    }
    let (found, wanted) = first?;
    let container = wanted.name.clone();
    let (found, wanted) = (found.image.clone(), wanted.image.clone());
    Some(Problem::CountedByGeneration { places, container, found, wanted })
}

/// The first container whose image is not that of the template: as it is, and as it is in the template.
fn other_image<'a>(scene: &Scene<'a>, pod: &'a Pod) -> Option<(&'a Container, &'a Container)> {
    let template = scene.daemon_set.spec.template.spec();
    template.containers.iter().find_map(|wanted| {
        let found = pod.spec.containers.iter().find(|container| container.name == wanted.name)?;
        (found.image != wanted.image).then_some((found, wanted))
    })
}

/// Old pods whose revision is not stored, although revisions are: nothing brings their version back.
fn unknown_revision(scene: &Scene<'_>) -> Option<Problem> {
    if !has_revisions(scene) {
        return None;
    }
    let is_stored = |hash: &str| {
        scene.revisions().any(|revision| {
            revision.metadata.labels.get(Pod::REVISION_HASH_LABEL).unwrap_or(&revision.metadata.name) == hash
        })
    };
    let mut places = Places::default();
    let mut first: Option<&Text> = None;
    // Pods are many, versions few.
    let mut known: Vec<(&Text, bool)> = Vec::new();
    for rank in scene.ranks(Mark::Outdated) {
        let Some(PodFacts { name, revision, .. }) = scene.first_pod_on(rank) else { continue };
        let found = known.iter().find(|(hash, _)| *hash == revision);
        let stored = found.map_or_else(|| is_stored(revision), |(_, stored)| *stored);
        if found.is_none() {
            known.push((revision, stored));
        }
        if !stored {
            first.get_or_insert(revision);
            places.push(scene.fleet.node_name(rank), Some(name));
        }
    }
    Some(Problem::UnknownRevision { hash: first?.clone(), places })
}

/// Whether another DaemonSet selects this one's pods.
fn is_rival(scene: &Scene<'_>, other: &DaemonSet) -> bool {
    let metadata = &scene.daemon_set.metadata;
    other.metadata.namespace == metadata.namespace
        && other.metadata.name != metadata.name
        && !other.spec.selector.is_empty()
        && other.spec.selector.matches(scene.daemon_set.spec.template.labels()) == Ok(true)
}

//! Nodes that do not run the pod, gathered by reason.

use super::cause::Effect;
use super::problem::{Places, Problem};
use super::remedy::Remedy;
use super::{Findings, Scene, remedies};
use crate::fleet::Mark;
use crate::order::sort_by_key;
use crate::placement::{Exclusion, Placement, place};

/// Nodes that are left out, or have a pod that they should not have, for the same reasons.
struct Group {
    exclusions: Vec<Exclusion>,
    has_pod: bool,
    stay: bool,
    places: Places,
}

/// Finds nodes that should not run the pod: those without one, and those with one.
pub(super) fn find_eligibility(scene: &Scene<'_>, findings: &mut Findings) {
    let mut groups: Vec<Group> = Vec::new();
    let with_pod = scene.view.aggregate().nodes(Mark::Misscheduled);
    for node in &scene.snapshot.nodes {
        let placement = place(scene.view.rules(), node);
        if placement == Placement::Run {
            continue;
        }
        let name = &node.metadata.name;
        let rank = scene.fleet.node_rank(name).filter(|rank| with_pod.contains(*rank));
        let pod = rank.and_then(|rank| scene.first_pod_on(rank)).map(|pod| &pod.name);
        let (has_pod, stay) = (rank.is_some(), matches!(placement, Placement::KeepRunning(_)));
        let exclusions = placement.exclusions();
        let known = groups.iter_mut().find(|group| {
            (group.has_pod, group.stay) == (has_pod, stay)
                && group.exclusions.len() == exclusions.len()
                && group.exclusions.iter().zip(exclusions).all(|(left, right)| are_like(left, right))
        });
        if let Some(group) = known {
            group.places.push(name, pod);
        } else {
            let mut places = Places::default();
            places.push(name, pod);
            groups.push(Group { exclusions: exclusions.to_vec(), has_pod, stay, places });
        }
    }
    sort_by_key(&mut groups, |group| std::cmp::Reverse(group.places.count));
    for group in groups {
        add(scene, group, findings);
    }
    if scene.view.aggregate().nodes(Mark::Desired).is_empty() {
        let nodes = u32::try_from(scene.snapshot.nodes.len()).unwrap_or(u32::MAX);
        findings.explain(Some(Problem::NoEligibleNode { nodes }));
    }
}

fn add(scene: &Scene<'_>, group: Group, findings: &mut Findings) {
    let Group { exclusions, has_pod, stay, places } = group;
    let mut remedies = remedies::of_exclusions(scene, &exclusions, &places);
    if !has_pod {
        findings.add(Problem::NotEligible { exclusions, places }, Effect::Explains, remedies);
        return;
    }
    if exclusions.iter().any(remedies::goes_with_a_condition) {
        // The node is down: when it is well again, the pod belongs there.
        remedies.truncate(1);
    } else if stay {
        remedies.extend(places.pods.first().map(|pod| Remedy::RemovePod { pod: pod.clone() }));
    }
    // Others than those that may stay are deleted by the controller.
    let effect = if stay { Effect::Explains } else { Effect::Delays };
    findings.add(Problem::Misscheduled { exclusions, places, stay }, effect, remedies);
}

/// Whether two reasons have the same remedy.
fn are_like(left: &Exclusion, right: &Exclusion) -> bool {
    match (left, right) {
        (
            Exclusion::NodeSelector { key: left, found: one, .. },
            Exclusion::NodeSelector { key: right, found: two, .. },
        ) => left == right && one.is_some() == two.is_some(),
        _ => left == right,
    }
}

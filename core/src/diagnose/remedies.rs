//! Which remedies go with which finding, the smallest change first.

use super::Scene;
use super::cause::{Cause, User};
use super::problem::Places;
use super::remedy::Remedy;
use super::survey::NodeState;
use crate::api::{IntOrString, Pod, Quantity, Taint, Text, Toleration};
use crate::availability::PodFacts;
use crate::fleet::Mark;
use crate::history::{Undo, rollout_history, rollout_undo};
use crate::placement::Exclusion;
use crate::scheduling::Refusal;

/// Back to the version that most available old pods are of, else to the one before the newest.
pub(super) fn roll_back(scene: &Scene<'_>) -> Option<Remedy> {
    let revisions = scene.fleet.revisions_in(&scene.daemon_set.metadata.namespace);
    let mut proven: Vec<(&Text, u32)> = Vec::new();
    for rank in scene.ranks(Mark::Available) {
        let Some(first) = scene.first_pod_on(rank) else { continue };
        if scene.view.target().is_updated(first) {
            continue;
        }
        match proven.iter_mut().find(|(hash, _)| **hash == first.revision) {
            Some((_, count)) => *count = count.saturating_add(1),
            None => proven.push((&first.revision, 1)),
        }
    }
    let best = proven.iter().max_by_key(|(_, count)| *count).map(|(hash, _)| *hash);
    let number_of = |hash: &Text| {
        let mut entries = rollout_history(scene.daemon_set, revisions).into_iter();
        entries.find(|entry| entry.revision.hash() == hash).map(|entry| entry.number)
    };
    let to = best.and_then(number_of).or_else(|| match rollout_undo(scene.daemon_set, revisions, 0) {
        Undo::RollBack { number, .. } => Some(number),
        Undo::AlreadyThere { .. } | Undo::NotFound { .. } => None,
    });
    to.map(|to| Remedy::RollBack { to })
}

/// What can be done about pods that are not available, and do not become so.
pub(super) fn of_cause(scene: &Scene<'_>, first: &NodeState<'_>) -> Vec<Remedy> {
    let Some(pod) = first.pod else { return Vec::new() };
    let (node, cause) = (|| first.node.clone(), &first.cause);
    let name = || pod.metadata.name.clone();
    let logs = |container: &Text, previous| Remedy::ReadLogs { pod: name(), container: container.clone(), previous };
    let mut cures = vec![match cause {
        Cause::NodeDown { .. } | Cause::TerminatingOnDeadNode { .. } => Remedy::DescribeNode { node: node() },
        Cause::CrashLoop { container, .. } => logs(container, true),
        Cause::InitContainer { container, .. } => logs(container, false),
        Cause::NoRoom { .. } => Remedy::MakeRoom { node: node() },
        Cause::HostPort { holder, .. } => Remedy::FreePort { holder: holder.clone() },
        Cause::BesideOldPod { .. } if scene.view.target().allows_surge => {
            let written = scene.daemon_set.spec.update_strategy.rolling_update.max_surge.clone();
            Remedy::ReplaceInsteadOfSurge { max_unavailable: written }
        }
        Cause::UntoleratedTaint { taint } => tolerate(scene, &[taint]),
        _ => Remedy::DescribePod { pod: name() },
    }];
    // A pod of an older version is not mended by going back, or by asking for less.
    let is_new = || scene.view.target().is_updated(&PodFacts::of(pod));
    if let Cause::NoRoom { refusals, .. } = cause {
        cures.extend(lower_request(pod, refusals).filter(|_| is_new()));
    }
    if let Cause::Finalizers { .. } = cause {
        cures.push(Remedy::RemoveFinalizers { pod: name() });
    }
    if let Cause::TerminatingOnDeadNode { eligible: false } = cause {
        cures.push(Remedy::ForceDeletePods { pods: vec![name()], node_gone: false });
    }
    if cause.user() == User::DeadNode {
        cures.push(Remedy::DeleteNodes { nodes: vec![node()] });
    }
    if cause.user() == User::BrokenPod && is_new() {
        // What a container says tells whether it is the version at all.
        let looks_first = matches!(
            cause,
            Cause::CrashLoop { .. } | Cause::InitContainer { .. } | Cause::NeverReady { gate: false, .. }
        );
        if let Some(back) = roll_back(scene) {
            cures.insert(if looks_first { cures.len() } else { 0 }, back);
        }
    }
    cures
}

/// Less of the only resource that is short, where one container asks for enough of it.
fn lower_request(pod: &Pod, refusals: &[Refusal]) -> Option<Remedy> {
    let [Refusal::Insufficient { resource, requested, used, allocatable }] = refusals else { return None };
    let missing = requested.saturating_sub(allocatable.saturating_sub(*used));
    if pod.spec.resources.is_some() || !pod.spec.init_containers.is_empty() {
        return None;
    }
    let amount = |quantity: Quantity| match resource.as_str() {
        "cpu" => quantity.millis_rounded_up(),
        _ => quantity.units_rounded_up(),
    };
    let asked = pod
        .spec
        .containers
        .iter()
        .map(|container| (container.resources.requests.get(resource).map_or(0, amount), container));
    let (most, container) = asked.max_by_key(|(amount, _)| *amount)?;
    let left = most.checked_sub(missing).filter(|left| *left > 0)?;
    let to = if resource == "cpu" { Quantity::from_millis(left) } else { Quantity::from_units(left) };
    let to = Text::from(to.to_string());
    Some(Remedy::LowerRequest { container: container.name.clone(), resource: resource.clone(), to })
}

/// Old pods that wait for someone: one of them first, or the controller does it.
pub(super) fn of_waiting(places: &Places) -> Vec<Remedy> {
    let mut cures = Vec::new();
    if let Some(pod) = places.pods.first() {
        cures.push(Remedy::DeletePod { pod: pod.clone() });
    }
    cures.push(Remedy::UseRollingUpdate);
    cures
}

/// What would make nodes run the pod, where one change is enough for all of them.
pub(super) fn of_exclusions(scene: &Scene<'_>, exclusions: &[Exclusion], places: &Places) -> Vec<Remedy> {
    let mut taints: Vec<&Taint> = Vec::new();
    for exclusion in exclusions {
        if let Exclusion::Taint(taint) = exclusion {
            taints.push(taint);
        }
    }
    if taints.len() == exclusions.len() {
        let Some(node) = places.nodes.first() else { return Vec::new() };
        let mut cures = Vec::new();
        let is_down = taints.iter().any(|taint| is_of_a_condition(&taint.key));
        if is_down {
            // It goes when the node is well again; tolerating it is right for what makes nodes well.
            cures.push(Remedy::DescribeNode { node: node.clone() });
        }
        cures.push(tolerate(scene, &taints));
        if let [taint] = taints.as_slice()
            && places.count == 1
            && !is_down
        {
            cures.push(Remedy::RemoveTaint { node: node.clone(), taint: taint.to_string().into() });
        }
        return cures;
    }
    match exclusions {
        [Exclusion::NodeSelector { key, wanted, found }] if places.count as usize == places.nodes.len() => {
            let overwrite = found.is_some();
            let (key, value) = (key.clone(), wanted.clone());
            vec![Remedy::LabelNodes { nodes: places.nodes.clone(), key, value, overwrite }]
        }
        _ => Vec::new(),
    }
}

/// Whether it is a taint that goes when the node is well again.
pub(super) fn goes_with_a_condition(exclusion: &Exclusion) -> bool {
    matches!(exclusion, Exclusion::Taint(taint) if is_of_a_condition(&taint.key))
}

/// Whether a taint stands for a condition of the node, and goes with it.
fn is_of_a_condition(key: &str) -> bool {
    matches!(
        key,
        "node.kubernetes.io/not-ready"
            | "node.kubernetes.io/unreachable"
            | "node.kubernetes.io/network-unavailable"
            | "node.cloudprovider.kubernetes.io/uninitialized"
    )
}

fn tolerate(scene: &Scene<'_>, taints: &[&Taint]) -> Remedy {
    let mut tolerations: Vec<Toleration> = Vec::new();
    for taint in taints {
        let Taint { key, value, effect } = (*taint).clone();
        let operator = Text::new_static(if value.is_empty() { "Exists" } else { "Equal" });
        let toleration = Toleration { key, operator, value, effect, toleration_seconds: None };
        if !tolerations.contains(&toleration) {
            tolerations.push(toleration);
        }
    }
    Remedy::Tolerate { tolerations, add: !scene.daemon_set.spec.template.spec().tolerations.is_empty() }
}

/// `minReadySeconds` as long as anybody waits.
pub(super) fn lower_min_ready(patience: u64) -> Option<Remedy> {
    i32::try_from(patience).ok().map(|to| Remedy::LowerMinReady { to })
}

/// Whether a limit is a percentage, and of how much.
pub(super) fn percent_of(written: &IntOrString) -> Option<u32> {
    match written {
        IntOrString::String(text) => text.strip_suffix('%')?.parse().ok(),
        IntOrString::Int(_) => None,
    }
}

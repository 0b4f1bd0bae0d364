//! Why a pod that is not bound to its node is not.

use super::Settings;
use super::cause::Cause;
use super::pod::{down, seconds_between, seconds_since};
use crate::api::{ConditionStatus, DaemonSet, Node, Pod, PodTemplate, Text};
use crate::controller::Snapshot;
use crate::order::sort_by;
use crate::ownership::is_own;
use crate::placement::{Fit, PlacementRules, Preemption, fits, preemption, target_node_of};
use crate::scheduling::{Refusal, priority_of};

/// A scheduler that runs has looked at a pod after so many seconds.
const LOOKED_AT_AFTER: u64 = 60;

/// The pods that take room on the nodes where a pod waits, sorted by node and name.
#[derive(Debug, Default)]
pub(super) struct Neighbours<'a>(Vec<&'a Pod>);

impl<'a> Neighbours<'a> {
    /// Gathers the pods that are bound to the nodes for which some of `waiting` wait.
    pub(super) fn of(waiting: &[&Pod], snapshot: &'a Snapshot) -> Self {
        let nodes = awaited(waiting);
        let mut pods: Vec<&Pod> = Vec::new();
        if !nodes.is_empty() {
            for pod in &snapshot.pods {
                if nodes.binary_search(&pod.spec.node_name.as_str()).is_ok() {
                    pods.push(pod);
                }
            }
            sort_by(&mut pods, |left, right| {
                let by_node = left.spec.node_name.cmp(&right.spec.node_name);
                by_node.then_with(|| left.metadata.name.cmp(&right.metadata.name))
            });
        }
        Self(pods)
    }

    fn on(&self, node: &str) -> &[&'a Pod] {
        let start = self.0.partition_point(|pod| pod.spec.node_name.as_str() < node);
        let end = self.0.partition_point(|pod| pod.spec.node_name.as_str() <= node);
        self.0.get(start..end).unwrap_or_default()
    }
}

/// The names of the nodes for which some of these pods wait, in order.
fn awaited<'a>(pods: &[&'a Pod]) -> Vec<&'a str> {
    let mut nodes = Vec::new();
    for pod in pods {
        if pod.spec.node_name.is_empty()
            && !pod.is_terminal()
            && let Some(node) = target_node_of(pod)
        {
            nodes.push(node.as_str());
        }
    }
    sort_by(&mut nodes, Ord::cmp);
    nodes
}

/// Why a pod of a DaemonSet that waits for its node is not bound to it.
pub(super) fn why(
    daemon_set: &DaemonSet,
    pod: &Pod,
    node: &Node,
    neighbours: &Neighbours<'_>,
    settings: &Settings,
) -> Cause {
    let condition = pod.status.condition("PodScheduled");
    if condition.is_some_and(|condition| condition.reason == "SchedulingGated") {
        return Cause::SchedulingGated;
    }
    // The pod's own spec, which may be of an older template; it is pinned and has the automatic tolerations.
    let rules = PlacementRules::of(&PodTemplate::of_pod(pod), settings.version);
    let namespace = &pod.metadata.namespace;
    let there = neighbours.on(&node.metadata.name);
    let (mut own, mut others) = (Vec::new(), Vec::new());
    for other in there {
        (if is_own(daemon_set, other) { &mut own } else { &mut others }).push(*other);
    }
    let fit = fits(&rules, namespace, node, there.iter().copied());
    if !fit.fits() && fits(&rules, namespace, node, others.iter().copied()).fits() {
        return beside_own(&own, fit, node, settings);
    }
    if let Some(cause) = refused(&rules, pod, node, &others, &fit) {
        return cause;
    }
    let age = seconds_since(settings.now, pod.metadata.creation_timestamp);
    match condition.filter(|condition| condition.status != ConditionStatus::True) {
        Some(condition) if !condition.message.is_empty() => told(&condition.message),
        _ if age >= LOOKED_AT_AFTER => {
            let spec = daemon_set.spec.template.json().get("spec");
            let scheduler = spec.and_then(|spec| spec.get("schedulerName")?.as_str()).unwrap_or("default-scheduler");
            Cause::NotLookedAt { scheduler: scheduler.into(), seconds: age }
        }
        _ => Cause::Starting { seconds: age },
    }
}

/// Only its own DaemonSet's pod is in the way: with surge both wait for each other, unless that one is being deleted.
fn beside_own(own: &[&Pod], fit: Fit, node: &Node, settings: &Settings) -> Cause {
    match own.iter().find(|other| other.metadata.is_being_deleted()) {
        Some(other) if down(node).is_none() => {
            let due = other.metadata.deletion_timestamp.unwrap_or(settings.now);
            Cause::Terminating { seconds: seconds_between(settings.now, due) }
        }
        _ => Cause::BesideOldPod { refusals: fit.refusals },
    }
}

fn refused(rules: &PlacementRules, pod: &Pod, node: &Node, others: &[&Pod], fit: &Fit) -> Option<Cause> {
    Some(match fit.refusals.first()? {
        Refusal::HostPort { wanted, holder, .. } => Cause::HostPort { port: wanted.clone(), holder: holder.clone() },
        Refusal::TooManyPods { .. } | Refusal::Insufficient { .. } => {
            let priority = priority_of(&pod.spec).unwrap_or_default();
            let namespace = &pod.metadata.namespace;
            let found = preemption(rules, priority, namespace, node, others.iter().copied(), fit);
            let preempts = matches!(found, Preemption::Victims(_));
            Cause::NoRoom { refusals: fit.refusals.clone(), preempts }
        }
        Refusal::Taint(taint) => Cause::UntoleratedTaint { taint: taint.clone() },
        refusal @ (Refusal::PodAffinity { .. }
        | Refusal::PodAntiAffinity { .. }
        | Refusal::ExistingPodAntiAffinity { .. }) => Cause::PodAffinity { refusal: refusal.clone() },
        refusal @ (Refusal::Unschedulable | Refusal::NodeName { .. } | Refusal::NodeAffinity) => {
            Cause::Unschedulable { message: refusal.reason(rules.version()).as_ref().into() }
        }
    })
}

/// What the scheduler said, where the input does not show why: pods of other namespaces may be missing in it.
fn told(message: &Text) -> Cause {
    let lower = message.to_ascii_lowercase();
    let message = message.clone();
    if lower.contains("volume") || lower.contains("persistentvolumeclaim") {
        Cause::Volume { message }
    } else {
        Cause::Unschedulable { message }
    }
}

//! For each node: is a pod missing, and which pods are too many, ended or misplaced.

mod back_off;
mod name;

use crate::KubernetesVersion;
use crate::api::{PodPhase, Text};
use crate::availability::PodFacts;
use crate::target::{Standing, Target};
use crate::time::Timestamp;

pub use back_off::{BackOff, FAILED_POD_BACK_OFF_INITIAL, FAILED_POD_BACK_OFF_MAXIMUM};
pub use name::pod_name;

/// How many creations, and how many deletions, one sync makes at most (`BurstReplicas`, Kubernetes 1.36).
pub const BURST: usize = 250;

/// What is to be done on one node, apart from failed pods, whose turn depends on their back-off.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodePlan<'a> {
    /// A pod is missing.
    pub create: bool,
    /// Pods to delete, each with its cause, in pod order.
    pub delete: Vec<(&'a PodFacts, Removal)>,
    /// Failed pods to delete as their back-off allows.
    pub failed: Vec<&'a PodFacts>,
}

/// Why manage deletes a pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Removal {
    /// It failed, and its back-off is over.
    Failed,
    /// It ended well.
    Succeeded,
    /// Another live pod has the better claim to the node.
    Excess,
    /// Surge: old and not ready, beside a new one.
    NotReadyBesideNew,
    /// Surge: old, beside a new one that is available.
    NewAvailable,
    /// The node must not run the pod.
    Misplaced,
    /// Never bound, and its node is gone.
    NodeGone,
}

/// Decides on one node (`podsShouldBeOnNode`, Kubernetes 1.36). `pods` are those that planning sees, in pod order.
/// Before 1.27 a pod that ended well counts as one that runs.
pub fn plan_node<'a>(
    standing: Standing,
    pods: impl Iterator<Item = &'a PodFacts> + Clone,
    target: &Target,
    now: Timestamp,
) -> NodePlan<'a> {
    let mut plan = NodePlan::default();
    let has_entry = pods.clone().next().is_some();
    match standing {
        Standing::Run if !has_entry => plan.create = true,
        Standing::Run | Standing::KeepRunning => {
            let replaces_succeeded = target.version >= KubernetesVersion::V1_27;
            let has_ended = move |pod: &PodFacts| match pod.phase {
                PodPhase::Failed => true,
                PodPhase::Succeeded => replaces_succeeded,
                PodPhase::Pending | PodPhase::Running | PodPhase::Unknown => false,
            };
            let mut live = pods.clone().filter(|pod| !pod.deleting && !has_ended(pod));
            for pod in pods.filter(|pod| !pod.deleting && has_ended(pod)) {
                if pod.phase == PodPhase::Failed {
                    plan.failed.push(pod);
                } else {
                    plan.delete.push((pod, Removal::Succeeded));
                }
            }
            if target.allows_surge {
                if live.clone().nth(1).is_some() {
                    prune_to_new_and_old(&mut plan, live, target, now);
                } else {
                    plan.create = standing.should_run() && live.next().is_none();
                }
            } else {
                plan.delete.extend(live.skip(1).map(|pod| (pod, Removal::Excess)));
            }
        }
        Standing::Exclude => {
            plan.delete.extend(pods.filter(|pod| !pod.deleting).map(|pod| (pod, Removal::Misplaced)));
        }
        // Also one that is being deleted already: upstream does not look (`getUnscheduledPodsWithoutNode`).
        Standing::Gone => plan.delete.extend(pods.filter(|pod| !pod.bound).map(|pod| (pod, Removal::NodeGone))),
    }
    plan
}

/// Keeps the first new and the first old pod, and the old one only while it is of use. Here, other than in the rolling
/// update, the hash label alone tells new from old.
fn prune_to_new_and_old<'a>(
    plan: &mut NodePlan<'a>,
    live: impl Iterator<Item = &'a PodFacts>,
    target: &Target,
    now: Timestamp,
) {
    let (mut new, mut old) = (None, None);
    for pod in live {
        let kept = if pod.revision == target.revision { &mut new } else { &mut old };
        if kept.is_some() {
            plan.delete.push((pod, Removal::Excess));
        } else {
            *kept = Some(pod);
        }
    }
    if let (Some(new), Some(old)) = (new, old) {
        if !old.ready {
            plan.delete.push((old, Removal::NotReadyBesideNew));
        } else if target.availability(new, now).available {
            plan.delete.push((old, Removal::NewAvailable));
        }
    }
}

/// The sizes of the batches in which `count` pods are created: 1, 2, 4, … (`slowStartBatch`, Kubernetes 1.36).
pub fn slow_start_batches(count: usize) -> impl Iterator<Item = usize> {
    let mut next = 1;
    let mut left = count;
    std::iter::from_fn(move || {
        let size = next.min(left);
        left -= size;
        next = size.saturating_mul(2);
        (size > 0).then_some(size)
    })
}

/// What a failed pod's back-off is kept under: a new observed generation starts afresh (`failedPodsBackoffKey`).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BackOffKey {
    /// `status.observedGeneration` of the DaemonSet.
    pub observed_generation: i64,
    /// The node.
    pub node: Text,
}

#[cfg(test)]
mod tests;

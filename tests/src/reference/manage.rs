//! Every node gets its pod, and not more than it may have.

use std::collections::BTreeSet;

use rollcast_core::KubernetesVersion;
use rollcast_core::api::{Pod, PodPhase, UpdateStrategyType};

use super::memory::Memory;
use super::{Choice, NodeView, Verdict, View, pods, rolling};

/// Decides node by node.
pub fn manage(view: &View<'_>, memory: &mut Memory, verdict: &mut Verdict) {
    let strategy = &view.daemon_set.spec.update_strategy;
    let surge_allowed = strategy.strategy_type == UpdateStrategyType::RollingUpdate
        && rolling::resolve(&strategy.rolling_update.max_surge, 1) > 0;
    let (mut create, mut delete) = (BTreeSet::new(), BTreeSet::new());
    // Of several failed pods on one node, which one goes first is free.
    let (mut one_of, mut ones) = (BTreeSet::new(), 0);

    for node in &view.nodes {
        let name = node.node.metadata.name.to_string();
        if node.eligible.should_run && node.pods.is_empty() {
            create.insert(name);
        } else if node.eligible.should_continue_running {
            let failed = ended(node, view, memory, verdict, &mut delete);
            ones += usize::from(failed.len() > 1);
            if failed.len() > 1 {
                one_of.extend(failed);
            } else {
                delete.extend(failed);
            }
            let live: Vec<&Pod> = node.pods.iter().copied().filter(|pod| is_live(view.version, pod)).collect();
            if !surge_allowed {
                delete.extend(live.into_iter().skip(1).map(name_of));
            } else if live.is_empty() && node.eligible.should_run {
                create.insert(name);
            } else if live.len() > 1 {
                delete.extend(prune_surge(&live, view));
            }
        } else {
            let staying = node.pods.iter().filter(|pod| pod.metadata.deletion_timestamp.is_none());
            delete.extend(staying.map(|pod| name_of(pod)));
        }
    }
    let known: BTreeSet<&str> = view.nodes.iter().map(|node| node.node.metadata.name.as_str()).collect();
    for (_, pods) in view.pods_by_node.iter().filter(|(node, _)| !known.contains(*node)) {
        delete.extend(pods.iter().filter(|pod| pod.spec.node_name.is_empty()).map(|pod| name_of(pod)));
    }

    verdict.create = Choice::first_then(BTreeSet::new(), &create, create.len());
    let all = delete.len() + ones;
    verdict.delete = if ones == 0 {
        Choice::first_then(BTreeSet::new(), &delete, all)
    } else {
        let must = if all > super::BURST { BTreeSet::new() } else { delete.clone() };
        Choice { count: all.min(super::BURST), must, among: delete.union(&one_of).cloned().collect() }
    };
}

/// Pods that ended: those that ended well go, of those that failed the first, unless the back-off keeps it. Returns the
/// failed ones of which one goes.
fn ended(
    node: &NodeView<'_>,
    view: &View<'_>,
    memory: &mut Memory,
    verdict: &mut Verdict,
    delete: &mut BTreeSet<String>,
) -> BTreeSet<String> {
    let key = (view.daemon_set.status.observed_generation, node.node.metadata.name.to_string());
    let staying = || node.pods.iter().filter(|pod| pod.metadata.deletion_timestamp.is_none());
    let replaced = view.version >= KubernetesVersion::V1_27;
    for pod in staying().filter(|pod| replaced && pod.status.phase == PodPhase::Succeeded) {
        delete.insert(name_of(pod));
        verdict.events.push("Normal SucceededDaemonPod".to_owned());
    }
    let failed: BTreeSet<String> =
        staying().filter(|pod| pod.status.phase == PodPhase::Failed).map(|pod| name_of(pod)).collect();
    let mut kept = failed.len();
    let mut going = BTreeSet::new();
    if kept > 0 && memory.in_back_off(&key, view.now).is_none() {
        memory.deleted_failed(key.clone(), view.now);
        verdict.events.push("Warning FailedDaemonPod".to_owned());
        going = failed;
        kept -= 1;
    }
    if kept > 0 {
        let wait = memory.in_back_off(&key, view.now).map_or(0, |wait| wait.as_secs());
        verdict.requeue_after_seconds.insert(wait);
    }
    going
}

/// Before 1.27 one that ended well was taken for one that runs.
fn is_live(version: KubernetesVersion, pod: &Pod) -> bool {
    let has_ended = match pod.status.phase {
        PodPhase::Failed => true,
        PodPhase::Succeeded => version >= KubernetesVersion::V1_27,
        _ => false,
    };
    pod.metadata.deletion_timestamp.is_none() && !has_ended
}

/// Of several live pods one with the current hash and one without may stay, and the second only as long as it is needed.
fn prune_surge(live: &[&Pod], view: &View<'_>) -> BTreeSet<String> {
    let (new, old): (Vec<&Pod>, Vec<&Pod>) =
        live.iter().copied().partition(|pod| pods::carries(pod, view.current_hash.as_deref()));
    let mut delete: BTreeSet<String> = new.iter().skip(1).chain(old.iter().skip(1)).map(|pod| name_of(pod)).collect();
    if let (Some(new), Some(old)) = (new.first(), old.first())
        && (!pods::is_ready(old) || view.is_available(new))
    {
        delete.insert(name_of(old));
    }
    delete
}

fn name_of(pod: &Pod) -> String {
    pod.metadata.name.to_string()
}

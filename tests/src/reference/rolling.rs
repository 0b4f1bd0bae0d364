//! Replacing old pods within the budget.

use std::collections::BTreeSet;

use rollcast_core::KubernetesVersion;
use rollcast_core::api::{IntOrString, Pod, UpdateStrategyType};

use super::{Choice, View};

/// A pod that must be judged is bound to a node that is gone.
pub struct NodeIsGone;

/// Which nodes get a second pod and which old pods go; none when the strategy is another.
pub fn update(view: &View<'_>) -> Option<Result<(Choice, Choice), NodeIsGone>> {
    let strategy = &view.daemon_set.spec.update_strategy;
    if strategy.strategy_type != UpdateStrategyType::RollingUpdate {
        return None;
    }
    let desired = view.desired();
    let surge = resolve(&strategy.rolling_update.max_surge, desired);
    let mut unavailable = resolve(&strategy.rolling_update.max_unavailable, desired);
    if desired > 0 && surge == 0 && unavailable == 0 {
        unavailable = 1;
    }
    Some(if surge == 0 {
        Ok((Choice::default(), in_place(view, unavailable)))
    } else {
        with_surge(view, surge, desired)
    })
}

/// A count as it is, a percentage of `total` rounded up.
pub fn resolve(value: &IntOrString, total: usize) -> usize {
    match value {
        IntOrString::Int(count) => usize::try_from(*count).unwrap_or(0),
        IntOrString::String(text) => {
            let percent: usize = text.strip_suffix('%').and_then(|digits| digits.parse().ok()).unwrap_or(0);
            (percent * total).div_ceil(100)
        }
    }
}

/// The pods of one node that are not being deleted, by age of template.
enum OnNode<'a> {
    Excess,
    Pods { new: Option<&'a Pod>, old: Option<&'a Pod> },
}

/// Every node that has a pod or should have one, with what is on it.
fn nodes<'a>(view: &View<'a>) -> Vec<(&'a str, OnNode<'a>)> {
    let with_pods = view.pods_by_node.iter().map(|(node, pods)| (*node, pods.clone()));
    let without = view.nodes.iter().filter(|node| node.eligible.should_run && node.pods.is_empty());
    let all = with_pods.chain(without.map(|node| (node.node.metadata.name.as_str(), Vec::new())));
    all.map(|(node, pods)| {
        let staying = pods.into_iter().filter(|pod| pod.metadata.deletion_timestamp.is_none());
        let (new, old): (Vec<&Pod>, Vec<&Pod>) = staying.partition(|pod| view.is_updated(pod));
        let content = if new.len() > 1 || old.len() > 1 {
            OnNode::Excess
        } else {
            OnNode::Pods { new: new.first().copied(), old: old.first().copied() }
        };
        (node, content)
    })
    .collect()
}

fn in_place(view: &View<'_>, max_unavailable: usize) -> Choice {
    let (mut replace_now, mut candidates, mut unavailable) = (BTreeSet::new(), BTreeSet::new(), 0);
    for (_, content) in nodes(view) {
        match content {
            OnNode::Pods { new: Some(new), old: None } => unavailable += usize::from(!view.is_available(new)),
            OnNode::Pods { new: None, old: Some(old) } if view.is_available(old) => {
                candidates.insert(old.metadata.name.to_string());
            }
            OnNode::Pods { new: None, old: Some(old) } => {
                replace_now.insert(old.metadata.name.to_string());
                unavailable += usize::from(view.version >= KubernetesVersion::V1_31);
            }
            OnNode::Excess | OnNode::Pods { .. } => unavailable += 1,
        }
    }
    Choice::first_then(replace_now, &candidates, max_unavailable.saturating_sub(unavailable))
}

fn with_surge(view: &View<'_>, max_surge: usize, desired: usize) -> Result<(Choice, Choice), NodeIsGone> {
    let (mut create_now, mut surge_candidates) = (BTreeSet::new(), BTreeSet::new());
    let (mut delete_now, mut sunset_candidates) = (BTreeSet::new(), BTreeSet::new());
    let (mut surge, mut available_nodes) = (0, 0);
    for (node, content) in nodes(view) {
        let OnNode::Pods { new, old } = content else {
            surge += 1;
            continue;
        };
        available_nodes += usize::from(old.or(new).is_some_and(|pod| view.is_available(pod)));
        let Some(old) = old else { continue };
        let name = old.metadata.name.to_string();
        if let Some(new) = new {
            if view.is_available(new) {
                delete_now.insert(name);
            } else {
                surge += 1;
            }
            continue;
        }
        if view.version < KubernetesVersion::V1_29 {
            // Whether the node should run the pod, or is there at all, was not asked.
            let creations = if view.is_available(old) { &mut surge_candidates } else { &mut create_now };
            creations.insert(node.to_owned());
            continue;
        }
        let known = view.nodes.iter().find(|known| known.node.metadata.name == node).ok_or(NodeIsGone)?;
        match (view.is_available(old), known.eligible.should_run) {
            (false, false) => delete_now.insert(name),
            (false, true) => create_now.insert(node.to_owned()),
            (true, false) => sunset_candidates.insert(name),
            (true, true) => surge_candidates.insert(node.to_owned()),
        };
    }
    let create = Choice::first_then(create_now, &surge_candidates, max_surge.saturating_sub(surge));
    let delete = Choice::first_then(delete_now, &sunset_candidates, available_nodes.saturating_sub(desired));
    Ok((create, delete))
}

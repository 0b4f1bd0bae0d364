//! Small worlds: a node with its pods as one of 198 cells, from which clusters are enumerated and drawn.

use rollcast_core::api::{
    Condition, ConditionStatus, ControllerRevision, DaemonSet, IntOrString, Labels, Node, NodeAffinity, NodeSelector,
    NodeSelectorRequirement, NodeSelectorTerm, OwnerReference, Pod, PodPhase, PodTemplate, RollingUpdate, Taint,
    TaintEffect, Text, UpdateStrategy, UpdateStrategyType,
};
use rollcast_core::time::Timestamp;
use serde_json::json;

/// The moment of all small worlds.
pub const NOW: Timestamp = Timestamp::from_seconds(1_767_225_600);
/// `minReadySeconds` of all small worlds.
pub const MIN_READY_SECONDS: i32 = 30;

/// How a node stands towards the template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// The pod should run.
    Run,
    /// The pod may stay.
    Stay,
    /// The pod must go.
    Go,
}

/// What a pod is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Age {
    /// The newest template.
    New,
    /// The one before.
    Old,
}

/// What became of a pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// Running, not ready.
    Unready,
    /// Ready, not for long enough.
    Ready,
    /// Ready for long enough.
    Available,
    /// Being deleted, still running.
    Terminating,
    /// Ended badly.
    Failed,
}

/// A node and its pods.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    /// How the node stands.
    pub standing: Standing,
    /// Its pods, at most two; the first is the older.
    pub pods: Vec<(Age, State)>,
}

/// Every cell: three standings; no pod, one of ten, or two of ten in whatever order.
pub fn all_cells() -> Vec<Cell> {
    let mut pods = Vec::new();
    for age in [Age::New, Age::Old] {
        for state in [State::Unready, State::Ready, State::Available, State::Terminating, State::Failed] {
            pods.push((age, state));
        }
    }
    let mut sets = vec![Vec::new()];
    for (index, pod) in pods.iter().enumerate() {
        sets.push(vec![*pod]);
        sets.extend(pods[index..].iter().map(|other| vec![*pod, *other]));
    }
    let with = |standing| sets.iter().map(move |pods| Cell { standing, pods: pods.clone() });
    [Standing::Run, Standing::Stay, Standing::Go].into_iter().flat_map(with).collect()
}

/// Every budget: in place and with surge, as counts and percentages; 0 with 0; `OnDelete`.
pub fn all_budgets() -> Vec<UpdateStrategy> {
    let amounts = || {
        let counts = [1, 2, 3].map(IntOrString::Int);
        counts.into_iter().chain(["1%", "34%", "50%", "67%", "100%"].map(|text| IntOrString::String(text.into())))
    };
    let zero = || IntOrString::Int(0);
    let rolling = |max_unavailable, max_surge| UpdateStrategy {
        strategy_type: UpdateStrategyType::RollingUpdate,
        rolling_update: RollingUpdate { max_unavailable, max_surge },
    };
    let mut budgets: Vec<UpdateStrategy> = amounts().map(|amount| rolling(amount, zero())).collect();
    budgets.extend(amounts().map(|amount| rolling(zero(), amount)));
    budgets.push(rolling(zero(), zero()));
    budgets.push(UpdateStrategy { strategy_type: UpdateStrategyType::OnDelete, ..UpdateStrategy::default() });
    budgets
}

/// The DaemonSet of all small worlds.
pub fn daemon_set(budget: UpdateStrategy) -> DaemonSet {
    let mut daemon_set = DaemonSet::default();
    daemon_set.metadata.name = "agent".into();
    daemon_set.metadata.namespace = "default".into();
    daemon_set.metadata.uid = "uid-agent".into();
    daemon_set.metadata.generation = 2;
    daemon_set.spec.selector.match_labels = Labels::from_iter([("app", "agent")]);
    daemon_set.spec.template = template("v2");
    daemon_set.spec.update_strategy = budget;
    daemon_set.spec.min_ready_seconds = MIN_READY_SECONDS;
    daemon_set.status.observed_generation = 2;
    daemon_set
}

/// The template with an image of that version.
pub fn template(version: &str) -> PodTemplate {
    PodTemplate::from_json(json!({
        "metadata": {"labels": {"app": "agent"}},
        "spec": {"containers": [{"name": "main", "image": format!("registry.example/agent:{version}")}]},
    }))
    .expect("a template")
}

/// The revision that holds a template.
pub fn revision(version: &str, number: i64) -> ControllerRevision {
    let mut revision = ControllerRevision { revision: number, ..ControllerRevision::default() };
    revision.metadata.name = format!("agent-{version}").into();
    revision.metadata.namespace = "default".into();
    revision.metadata.uid = format!("uid-agent-{version}").into();
    revision.metadata.labels = Labels::from_iter([("app", "agent"), (Pod::REVISION_HASH_LABEL, version)]);
    revision.metadata.owner_references = vec![owner()];
    let mut template = template(version).json().clone();
    template["$patch"] = json!("replace");
    revision.data = json!({"spec": {"template": template}});
    revision
}

/// The reference to the DaemonSet of all small worlds.
pub fn owner() -> OwnerReference {
    OwnerReference {
        api_version: "apps/v1".into(),
        kind: "DaemonSet".into(),
        name: "agent".into(),
        uid: "uid-agent".into(),
        controller: true,
        block_owner_deletion: true,
    }
}

/// The node of a cell.
pub fn node(name: &str, standing: Standing) -> Node {
    let mut node = Node::default();
    node.metadata.name = name.into();
    node.metadata.uid = format!("uid-{name}").into();
    let effect = match standing {
        Standing::Run => return node,
        Standing::Stay => TaintEffect::NoSchedule,
        Standing::Go => TaintEffect::NoExecute,
    };
    node.spec.taints = vec![Taint { key: "dedicated".into(), value: Text::default(), effect }];
    node
}

/// The pods of a cell; the first was created first.
pub fn pods(node: &str, cell: &Cell) -> Vec<Pod> {
    let pod = |(index, (age, state)): (usize, &(Age, State))| {
        let version = if *age == Age::New { "v2" } else { "v1" };
        let mut pod = pod(&format!("{node}-{index}"), node, version);
        pod.metadata.creation_timestamp = Some(before(3_600 - 60 * i64::try_from(index).expect("two pods")));
        set_state(&mut pod, *state);
        pod
    };
    cell.pods.iter().enumerate().map(pod).collect()
}

/// An own pod, bound, running and not ready.
pub fn pod(name: &str, node: &str, version: &str) -> Pod {
    let mut pod = Pod::default();
    pod.metadata.name = name.into();
    pod.metadata.namespace = "default".into();
    pod.metadata.uid = format!("uid-{name}").into();
    pod.metadata.labels = Labels::from_iter([("app", "agent"), (Pod::REVISION_HASH_LABEL, version)]);
    pod.metadata.owner_references = vec![owner()];
    pod.metadata.creation_timestamp = Some(NOW);
    pod.spec.node_name = node.into();
    pod.spec.affinity.node_affinity = pin(node);
    set_state(&mut pod, State::Unready);
    pod
}

/// The affinity that pins a pod to a node.
pub fn pin(node: &str) -> NodeAffinity {
    let requirement =
        NodeSelectorRequirement { key: "metadata.name".into(), operator: "In".into(), values: vec![node.into()] };
    let term = NodeSelectorTerm { match_fields: vec![requirement], ..NodeSelectorTerm::default() };
    NodeAffinity { required: Some(NodeSelector { node_selector_terms: vec![term] }) }
}

/// Sets phase, Ready condition and deletion of a pod.
pub fn set_state(pod: &mut Pod, state: State) {
    let (ready, since) = match state {
        State::Ready => (ConditionStatus::True, before(10)),
        State::Available | State::Terminating => (ConditionStatus::True, before(600)),
        State::Unready | State::Failed => (ConditionStatus::False, before(600)),
    };
    pod.status.phase = if state == State::Failed { PodPhase::Failed } else { PodPhase::Running };
    pod.metadata.deletion_timestamp = (state == State::Terminating).then(|| before(-30));
    pod.status.conditions = vec![Condition {
        condition_type: "Ready".into(),
        status: ready,
        last_transition_time: Some(since),
        ..Condition::default()
    }];
}

/// So many seconds before [`NOW`].
pub fn before(seconds: i64) -> Timestamp {
    Timestamp::from_seconds(NOW.as_seconds() - seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_24_million_small_worlds() {
        let (cells, budgets) = (all_cells().len(), all_budgets().len());
        assert_eq!((cells, budgets), (198, 18));
        let multisets = 1 + cells + cells * (cells + 1) / 2 + cells * (cells + 1) * (cells + 2) / 6;
        assert_eq!(multisets * budgets, 23_999_400);
    }
}

//! Fifty DaemonSets on one cluster: what one changed node costs, and where their pods go.
//!
//! `cargo bench -p rollcast-core --bench fleet`. A re-plan is a node event and every sync that it brings about; its
//! baseline plans all DaemonSets from a snapshot. Counting eligible nodes in the index has the node by node answer as
//! its baseline. The ratios are printed at the end.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a benchmark that cannot be set up stops; its parts are for nobody else"
)]

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use divan::Bencher;
use rollcast_core::KubernetesVersion;
use rollcast_core::api::{
    Condition, ConditionStatus, ControllerRevision, DaemonSet, Labels, Node, ObjectKey, OwnerReference, Pod, PodPhase,
    PodTemplate,
};
use rollcast_core::controller::{Action, Change, Controller, ExpectationsMode, Outcome, PodKey, Snapshot, Step};
use rollcast_core::history::{go_json, revision_hash, template_patch};
use rollcast_core::placement::{NodeIndex, PlacementRules, eligibility};
use rollcast_core::time::Timestamp;
use serde_json::{Value, json};

const DAEMON_SETS: u32 = 50;
/// DaemonSets that run everywhere; each of the others runs in a pool of its own.
const EVERYWHERE: u32 = 2;
const POOLS: u32 = DAEMON_SETS - EVERYWHERE;
const SMALL: u32 = 5_000;
const LARGE: u32 = 130_000;
const NOW: Timestamp = Timestamp::from_seconds(1_767_225_600);
const BEFORE: Timestamp = Timestamp::from_seconds(1_767_000_000);

static LARGE_CLUSTER: LazyLock<Vec<Node>> = LazyLock::new(|| cluster(LARGE));
static LARGE_INDEX: LazyLock<NodeIndex> = LazyLock::new(|| NodeIndex::build(LARGE_CLUSTER.iter()));
static RULES: LazyLock<Vec<PlacementRules>> = LazyLock::new(rules);

fn main() {
    divan::main();
    if std::env::args().skip(1).all(|argument| argument == "--bench") {
        print_ratios();
    }
}

// ---- the cluster ----

fn node(number: u32, pool: u32) -> Node {
    let name = format!("node-{number:06}");
    let zone = ["a", "b", "c"][usize::try_from(number % 3).unwrap()];
    let taints = if number % 50 == 7 { json!([{"key": "dedicated", "effect": "NoSchedule"}]) } else { json!([]) };
    serde_json::from_value(json!({
        "metadata": {"name": name, "uid": format!("uid-{name}"), "labels": {
            "kubernetes.io/hostname": name,
            "kubernetes.io/arch": if number.is_multiple_of(4) { "arm64" } else { "amd64" },
            "topology.kubernetes.io/zone": zone,
            "pool": format!("pool-{pool}"),
        }},
        "spec": {"taints": taints},
    }))
    .unwrap()
}

fn cluster(count: u32) -> Vec<Node> {
    (0..count).map(|number| node(number, number % POOLS)).collect()
}

fn template(number: u32, spec: &Value) -> PodTemplate {
    let mut spec = spec.clone();
    spec["containers"] = json!([{"name": "main", "image": "registry.example/agent:v1"}]);
    spec["tolerations"] = json!([{"key": "dedicated", "operator": "Exists"}]);
    PodTemplate::from_json(json!({"metadata": {"labels": {"app": format!("agent-{number}")}}, "spec": spec})).unwrap()
}

fn daemon_set(number: u32) -> DaemonSet {
    let name = format!("agent-{number}");
    let mut daemon_set = DaemonSet::default();
    daemon_set.metadata.name = name.as_str().into();
    daemon_set.metadata.namespace = "kube-system".into();
    daemon_set.metadata.uid = format!("uid-{name}").into();
    daemon_set.metadata.generation = 1;
    daemon_set.spec.selector.match_labels = Labels::from_iter([("app", name.as_str())]);
    let pool = number.checked_sub(EVERYWHERE);
    let selector = pool.map_or(json!({}), |pool| json!({"nodeSelector": {"pool": format!("pool-{pool}")}}));
    daemon_set.spec.template = template(number, &selector);
    daemon_set
}

/// Node selectors as above, and for every fifth DaemonSet a required affinity of three terms.
fn rules() -> Vec<PlacementRules> {
    let terms = |number: u32| {
        json!([
            {"matchExpressions": [{"key": "topology.kubernetes.io/zone", "operator": "In", "values": ["a", "b"]},
                                  {"key": "kubernetes.io/arch", "operator": "NotIn", "values": ["arm64"]}]},
            {"matchExpressions": [{"key": "pool", "operator": "In", "values": [format!("pool-{number}"), "pool-1"]}]},
            {"matchExpressions": [{"key": "kubernetes.io/arch", "operator": "Exists"},
                                  {"key": "gpu", "operator": "Exists"}]}])
    };
    let rules = (0..DAEMON_SETS).map(|number| {
        if number % 5 != 0 {
            return PlacementRules::of(&daemon_set(number).spec.template, KubernetesVersion::default());
        }
        let required = json!({"nodeSelectorTerms": terms(number)});
        let affinity = json!({"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}});
        PlacementRules::of(&template(number, &json!({ "affinity": affinity })), KubernetesVersion::default())
    });
    rules.collect()
}

fn owner(daemon_set: &DaemonSet) -> OwnerReference {
    rollcast_core::ownership::owner_reference(daemon_set)
}

fn revision(daemon_set: &DaemonSet) -> ControllerRevision {
    let data = template_patch(daemon_set.spec.template.json());
    let hash = revision_hash(&go_json(&data), None);
    let mut revision = ControllerRevision { data, revision: 1, ..ControllerRevision::default() };
    revision.metadata.name = format!("{}-{hash}", daemon_set.metadata.name).into();
    revision.metadata.namespace = daemon_set.metadata.namespace.clone();
    revision.metadata.labels = daemon_set.spec.template.labels().with(Pod::REVISION_HASH_LABEL, &hash);
    revision.metadata.owner_references = vec![owner(daemon_set)];
    revision
}

/// An available pod of a DaemonSet's revision on a node.
fn pod(daemon_set: &DaemonSet, labels: &Labels, node: &str, name: &str) -> Pod {
    let mut pod = Pod::default();
    pod.metadata.name = name.into();
    pod.metadata.namespace = daemon_set.metadata.namespace.clone();
    pod.metadata.uid = format!("uid-{name}").into();
    pod.metadata.labels = labels.clone();
    pod.metadata.creation_timestamp = Some(BEFORE);
    pod.metadata.owner_references = vec![owner(daemon_set)];
    pod.spec.node_name = node.into();
    pod.status.phase = PodPhase::Running;
    pod.status.conditions = vec![Condition {
        condition_type: "Ready".into(),
        status: ConditionStatus::True,
        last_transition_time: Some(BEFORE),
        ..Condition::default()
    }];
    pod
}

fn snapshot(nodes: Vec<Node>) -> Snapshot {
    let daemon_sets: Vec<DaemonSet> = (0..DAEMON_SETS).map(daemon_set).collect();
    let revisions: Vec<ControllerRevision> = daemon_sets.iter().map(revision).collect();
    let mut pods = Vec::new();
    for (daemon_set, revision) in daemon_sets.iter().zip(&revisions) {
        let rules = PlacementRules::of(&daemon_set.spec.template, KubernetesVersion::default());
        for node in nodes.iter().filter(|node| eligibility(&rules, node).should_run) {
            let name = format!("{}-{}", daemon_set.metadata.name, node.metadata.name);
            pods.push(pod(daemon_set, &revision.metadata.labels, &node.metadata.name, &name));
        }
    }
    Snapshot { daemon_sets, nodes, pods, revisions }
}

// ---- a controller on it ----

/// A controller that has seen all of it and has nothing to do.
struct Settled {
    controller: Controller,
    daemon_sets: Vec<DaemonSet>,
    revisions: Vec<ControllerRevision>,
    serial: u32,
    /// The node that changes, and the pool it is in.
    number: u32,
    pool: u32,
}

impl Settled {
    fn new(count: u32) -> Self {
        let snapshot = snapshot(cluster(count));
        let (daemon_sets, revisions) = (snapshot.daemon_sets.clone(), snapshot.revisions.clone());
        let mut controller = Controller::new(ExpectationsMode::Observed);
        controller.observe(Change::Reset(Box::new(snapshot)));
        let number = count / 2;
        let mut settled = Self { controller, daemon_sets, revisions, serial: 0, number, pool: number % POOLS };
        let steps = plan(&mut settled.controller);
        settled.carry_out(&steps);
        settled
    }

    /// The node moves to the next pool: two DaemonSets have something to do. Measures until they have decided.
    fn replan(&mut self) -> Duration {
        self.pool = (self.pool + 1) % POOLS;
        let node = Box::new(node(self.number, self.pool));
        let start = Instant::now();
        self.controller.observe(Change::Node(node));
        let steps = plan(&mut self.controller);
        let elapsed = start.elapsed();
        let decisions = || steps.iter().flat_map(|step| &step.batches).flat_map(|batch| &batch.decisions);
        let created = decisions().filter(|decision| matches!(decision.action, Action::CreatePod { .. })).count();
        let deleted = decisions().filter(|decision| matches!(decision.action, Action::DeletePod { .. })).count();
        assert_eq!((created, deleted), (1, 1), "one pod comes and one goes");
        self.carry_out(&steps);
        elapsed
    }

    /// Everything that was decided comes true and is seen, until there is nothing left to do.
    fn carry_out(&mut self, steps: &[Step]) {
        for step in steps {
            let key = step.daemon_set.clone().unwrap();
            for decision in step.batches.iter().flat_map(|batch| &batch.decisions) {
                self.controller.complete(NOW, decision.id, Outcome::Applied);
                self.perform(&key, &decision.action);
            }
        }
        let more = plan(&mut self.controller);
        if !more.is_empty() {
            self.carry_out(&more);
        }
    }

    fn perform(&mut self, key: &ObjectKey, action: &Action) {
        let place = self.daemon_sets.iter().position(|daemon_set| daemon_set.metadata.key() == *key).unwrap();
        let change = match action {
            Action::CreatePod { node, name, .. } => {
                self.serial += 1;
                let labels = &self.revisions[place].metadata.labels;
                let mut pod = pod(&self.daemon_sets[place], labels, node, name);
                pod.metadata.uid = format!("uid-{name}-{}", self.serial).into();
                Change::Pod(Box::new(pod))
            }
            Action::DeletePod { pod, .. } => {
                let PodKey { namespace, name, uid } = pod.clone();
                Change::PodGone(PodKey { namespace, name, uid })
            }
            Action::UpdateStatus(status) => {
                self.daemon_sets[place].status = status.clone();
                Change::DaemonSet(Box::new(self.daemon_sets[place].clone()))
            }
            Action::RecordEvent { .. } => return,
            other => panic!("nothing else is to be done: {other:?}"),
        };
        self.controller.observe(change);
    }
}

/// Every sync that is asked for now.
fn plan(controller: &mut Controller) -> Vec<Step> {
    std::iter::from_fn(|| Some(controller.step(NOW)).filter(|step| step.daemon_set.is_some())).collect()
}

// ---- benchmarks ----

#[divan::bench(args = [SMALL, LARGE], max_time = 2)]
fn replan_after_one_node_changes(bencher: Bencher, nodes: u32) {
    let mut settled = Settled::new(nodes);
    // With what makes it settled again, which is about as much once more.
    bencher.bench_local(move || settled.replan());
}

#[divan::bench(max_time = 2)]
fn plan_from_a_snapshot_of_5000_nodes(bencher: Bencher) {
    let snapshot = snapshot(cluster(SMALL));
    bencher.with_inputs(|| Box::new(snapshot.clone())).bench_local_values(from_snapshot);
}

fn from_snapshot(snapshot: Box<Snapshot>) -> usize {
    let mut controller = Controller::new(ExpectationsMode::Observed);
    controller.observe(Change::Reset(snapshot));
    plan(&mut controller).len()
}

#[divan::bench(max_time = 2)]
fn eligible_nodes_of_fifty_in_the_index(bencher: Bencher) {
    let (index, rules) = (&*LARGE_INDEX, &*RULES);
    bencher.bench(|| count_in_index(index, rules));
}

fn count_in_index(index: &NodeIndex, rules: &[PlacementRules]) -> u64 {
    rules.iter().map(|rules| u64::from(index.select(rules).counts.run)).sum()
}

fn count_node_by_node(nodes: &[Node], rules: &[PlacementRules]) -> u64 {
    let count = |rules| nodes.iter().filter(|node| eligibility(rules, node).should_run).count();
    rules.iter().map(|rules| u64::try_from(count(rules)).unwrap()).sum()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn print_ratios() {
    println!();
    let measured = [SMALL, LARGE].map(|nodes| {
        let mut settled = Settled::new(nodes);
        (0..200).for_each(|_| _ = settled.replan());
        median((0..2_001).map(|_| settled.replan()).collect())
    });
    let [small, large] = measured;
    let base = snapshot(cluster(SMALL));
    let scratch = median(
        (0..5)
            .map(|_| {
                let input = Box::new(base.clone());
                let start = Instant::now();
                assert_eq!(from_snapshot(input), usize::try_from(DAEMON_SETS).unwrap());
                start.elapsed()
            })
            .collect(),
    );
    let ratio = |left: Duration, right: Duration| left.as_secs_f64() / right.as_secs_f64();
    println!(
        "re-plan after one node changes, {DAEMON_SETS} DaemonSets: {small:?} with {SMALL} nodes, {large:?} with \
         {LARGE}, ratio {:.2}; from a snapshot of {SMALL} nodes {scratch:?}, ratio {:.0}",
        ratio(large, small),
        ratio(scratch, small),
    );
    let (index, rules) = (&*LARGE_INDEX, &*RULES);
    let start = Instant::now();
    let naive_count = count_node_by_node(&LARGE_CLUSTER, rules);
    let naive = start.elapsed();
    let indexed = median(
        (0..21)
            .map(|_| {
                let start = Instant::now();
                assert_eq!(count_in_index(index, rules), naive_count);
                start.elapsed()
            })
            .collect(),
    );
    println!(
        "eligible nodes of {DAEMON_SETS} DaemonSets among {LARGE}: index {indexed:?}, node by node {naive:?}, ratio {:.0}",
        ratio(naive, indexed)
    );
}

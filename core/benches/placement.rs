//! Placement over the largest cluster shown in public: 130,000 nodes with 20 labels each.
//!
//! `cargo bench -p rollcast-core --bench placement`. Each figure has its baseline, the same answer found node by node,
//! in the same run; the ratios are printed at the end.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a benchmark that cannot be set up stops; its parts are for nobody else"
)]

use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use divan::{Bencher, counter::ItemsCount};
use rollcast_core::KubernetesVersion;
use rollcast_core::api::{Node, PodTemplate};
use rollcast_core::placement::{NodeIndex, PlacementRules, eligibility, place};
use serde_json::json;

const NODES: u32 = 130_000;

static CLUSTER: LazyLock<Vec<Node>> = LazyLock::new(cluster);
static INDEX: LazyLock<NodeIndex> = LazyLock::new(|| NodeIndex::build(CLUSTER.iter()));
static RULES: LazyLock<PlacementRules> = LazyLock::new(six_terms);

fn main() {
    divan::main();
    print_ratios();
}

/// Nodes as a cloud has them: zones, pools and sizes in no order of name, a tenth of them tainted, each read from JSON
/// of its own, so that no two share a string.
fn cluster() -> Vec<Node> {
    let mut state = 1u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    (0..NODES)
        .map(|number| {
            let name = format!("ip-10-{}-{}-{}.compute.internal", number >> 16, number >> 8 & 255, number & 255);
            let zone = ["a", "b", "c", "d", "e", "f"][usize::try_from(random(6)).unwrap()];
            let disk = ["ssd", "hdd", "nvme"][usize::try_from(random(3)).unwrap()];
            let pool = random(40);
            let arch = if random(4) == 0 { "arm64" } else { "amd64" };
            let labels = json!({
                "beta.kubernetes.io/arch": arch,
                "beta.kubernetes.io/instance-type": format!("m{}.{}xlarge", random(7), 1 << random(5)),
                "beta.kubernetes.io/os": "linux",
                "failure-domain.beta.kubernetes.io/region": "eu-central-1",
                "failure-domain.beta.kubernetes.io/zone": format!("eu-central-1{zone}"),
                "kubernetes.io/arch": arch,
                "kubernetes.io/hostname": name,
                "kubernetes.io/os": if random(50) == 0 { "windows" } else { "linux" },
                "node.kubernetes.io/instance-type": format!("m{}.{}xlarge", random(7), 1 << random(5)),
                "topology.kubernetes.io/region": "eu-central-1",
                "topology.kubernetes.io/zone": format!("eu-central-1{zone}"),
                "topology.ebs.csi.aws.com/zone": format!("eu-central-1{zone}"),
                "example.com/pool": format!("pool-{pool}"),
                "example.com/team": format!("team-{}", random(200)),
                "example.com/generation": random(9).to_string(),
                "example.com/rack": format!("r{}", number / 40),
                "example.com/gpu": if random(20) == 0 { "yes" } else { "no" },
                "example.com/disk": disk,
                "example.com/kernel": format!("6.{}", random(12)),
                "example.com/lifecycle": if random(3) == 0 { "spot" } else { "on-demand" },
            });
            let taints = match random(100) {
                0..=4 => json!([{"key": "dedicated", "value": format!("t{}", random(30)), "effect": "NoSchedule"}]),
                5..=7 => json!([{"key": "node.kubernetes.io/unreachable", "effect": "NoSchedule"},
                                {"key": "node.kubernetes.io/unreachable", "effect": "NoExecute"}]),
                8..=9 => json!([{"key": "maintenance", "effect": "NoExecute"}]),
                _ => json!([]),
            };
            let node = json!({"metadata": {"name": name, "labels": labels}, "spec": {"taints": taints}}).to_string();
            serde_json::from_str(&node).unwrap()
        })
        .collect()
}

/// A DaemonSet whose required node affinity has six terms and that asks for one label besides.
fn six_terms() -> PlacementRules {
    let terms = json!([
        {"matchExpressions": [{"key": "topology.kubernetes.io/zone", "operator": "In", "values": ["eu-central-1a", "eu-central-1b"]},
                              {"key": "example.com/gpu", "operator": "NotIn", "values": ["yes"]}]},
        {"matchExpressions": [{"key": "example.com/pool", "operator": "In", "values": ["pool-1", "pool-2", "pool-3"]},
                              {"key": "kubernetes.io/arch", "operator": "In", "values": ["arm64"]}]},
        {"matchExpressions": [{"key": "example.com/generation", "operator": "Gt", "values": ["6"]},
                              {"key": "example.com/lifecycle", "operator": "In", "values": ["spot"]}]},
        {"matchExpressions": [{"key": "example.com/disk", "operator": "In", "values": ["nvme"]},
                              {"key": "topology.kubernetes.io/zone", "operator": "In", "values": ["eu-central-1c"]}]},
        {"matchExpressions": [{"key": "example.com/team", "operator": "In", "values": ["team-7", "team-8"]},
                              {"key": "example.com/absent", "operator": "DoesNotExist"}]},
        {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["ip-10-0-0-7.compute.internal"]}]}]);
    let spec = json!({
        "nodeSelector": {"kubernetes.io/os": "linux"},
        "tolerations": [{"key": "dedicated", "operator": "Equal", "value": "t1", "effect": "NoSchedule"}],
        "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}}});
    PlacementRules::of(&PodTemplate::from_json(json!({ "spec": spec })).unwrap(), KubernetesVersion::default())
}

#[divan::bench(max_time = 1)]
fn select_indexed(bencher: Bencher) {
    let (index, rules) = (&*INDEX, &*RULES);
    bencher.counter(ItemsCount::new(NODES)).bench(|| index.select(rules));
}

#[divan::bench(max_time = 1)]
fn select_node_by_node(bencher: Bencher) {
    let (nodes, rules) = (&*CLUSTER, &*RULES);
    bencher.counter(ItemsCount::new(NODES)).bench(|| select_naively(nodes, rules));
}

#[divan::bench(max_time = 1)]
fn reasons_indexed(bencher: Bencher) {
    let (index, rules) = (&*INDEX, &*RULES);
    bencher.counter(ItemsCount::new(NODES)).bench(|| index.reasons(rules));
}

#[divan::bench(max_time = 1)]
fn reasons_node_by_node(bencher: Bencher) {
    let (nodes, rules) = (&*CLUSTER, &*RULES);
    bencher.counter(ItemsCount::new(NODES)).bench(|| reasons_naively(nodes, rules));
}

#[divan::bench(max_time = 1)]
fn build_index(bencher: Bencher) {
    let nodes = &*CLUSTER;
    bencher.counter(ItemsCount::new(NODES)).bench(|| NodeIndex::build(nodes));
}

#[divan::bench(max_time = 1)]
fn build_tree_of_lists(bencher: Bencher) {
    let nodes = &*CLUSTER;
    bencher.counter(ItemsCount::new(NODES)).bench(|| index_naively(nodes));
}

#[divan::bench(max_time = 1)]
fn change_one_label_of_one_node(bencher: Bencher) {
    let mut index = INDEX.clone();
    let node = &CLUSTER[77_777];
    let mut changed = node.clone();
    changed.metadata.labels = changed.metadata.labels.with("example.com/pool", "pool-0");
    bencher.bench_local(move || {
        index.insert(&changed);
        index.insert(node)
    });
}

fn select_naively(nodes: &[Node], rules: &PlacementRules) -> (u32, u32) {
    let (mut run, mut keep_running) = (0, 0);
    for node in nodes {
        let eligibility = eligibility(rules, node);
        run += u32::from(eligibility.should_run);
        keep_running += u32::from(!eligibility.should_run && eligibility.should_continue_running);
    }
    (run, keep_running)
}

fn reasons_naively(nodes: &[Node], rules: &PlacementRules) -> usize {
    nodes.iter().map(|node| place(rules, node).exclusions().len()).sum()
}

/// The plain way to index labels: a tree from label to the nodes that have it.
fn index_naively(nodes: &[Node]) -> BTreeMap<(&str, &str), Vec<u32>> {
    let mut tree: BTreeMap<(&str, &str), Vec<u32>> = BTreeMap::new();
    for (rank, node) in (0..).zip(nodes) {
        for (key, value) in node.metadata.labels.iter() {
            tree.entry((key, value)).or_default().push(rank);
        }
    }
    tree
}

/// Medians of a few runs each, and how the index compares to its baseline.
fn print_ratios() {
    if std::env::args().any(|argument| argument == "--list" || argument == "--test") {
        return;
    }
    let (nodes, index, rules) = (&*CLUSTER, &*INDEX, &*RULES);
    println!();
    let line = |what: &str, ours: Duration, baseline: Duration| {
        let ratio = baseline.as_secs_f64() / ours.as_secs_f64();
        println!("{what}: {ours:.1?}, baseline {baseline:.1?}, {ratio:.1} times as fast");
    };
    line("select", median(|| index.select(rules)), median(|| select_naively(nodes, rules)));
    line("reasons", median(|| index.reasons(rules)), median(|| reasons_naively(nodes, rules)));
    line("build", median(|| NodeIndex::build(nodes)), median(|| index_naively(nodes)));
    let selection = index.select(rules);
    println!("{:?}, {} distinct reasons", selection.counts, index.reasons(rules).reasons.len());
    assert_eq!((selection.counts.run, selection.counts.keep_running), select_naively(nodes, rules));
}

fn median<T>(work: impl Fn() -> T) -> Duration {
    let mut times: Vec<Duration> = (0..9)
        .map(|_| {
            let start = Instant::now();
            black_box(work());
            start.elapsed()
        })
        .collect();
    times.sort();
    times[times.len() / 2]
}

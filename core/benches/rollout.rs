//! Whole rollouts in the ideal world, beside a loop of full scans over the same rules.
//!
//! The world syncs through the controller's index and keeps a timeline; the baseline keeps neither: each of its syncs
//! asks the rules about every node. Both start with an old available pod on every node, which is not measured.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::cast_precision_loss,
    reason = "a benchmark that panics has failed"
)]

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;
use std::time::{Duration, Instant};

use rollcast_core::KubernetesVersion;
use rollcast_core::api::{DaemonSet, Node, PodPhase, Text};
use rollcast_core::availability::PodFacts;
use rollcast_core::budget::{Budget, budget};
use rollcast_core::manage::{BURST, plan_node};
use rollcast_core::rollout::{Allowance, RolloutCounts, allowance, node_states, versions};
use rollcast_core::sim::{
    Behaviour, ControlPlane, Distribution, Ending, Latencies, NodeSelection, Options, ScenarioEvent, World,
};
use rollcast_core::target::{Standing, Target};
use rollcast_core::time::Timestamp;
use serde_json::{Value, json};

fn main() {
    divan::main();
    if std::env::args().skip(1).all(|argument| argument == "--bench") {
        print_ratios();
    }
}

/// A cluster and how it is updated.
#[derive(Clone, Copy)]
struct Case {
    nodes: u32,
    limits: Limits,
}

#[derive(Clone, Copy)]
enum Limits {
    TenPercent,
    SurgeTenPercent,
    OneAtATime,
}

const CASES: [Case; 5] = [
    Case { nodes: 5_000, limits: Limits::TenPercent },
    Case { nodes: 5_000, limits: Limits::SurgeTenPercent },
    Case { nodes: 5_000, limits: Limits::OneAtATime },
    Case { nodes: 130_000, limits: Limits::TenPercent },
    Case { nodes: 130_000, limits: Limits::SurgeTenPercent },
];

/// The baseline scans every node at every sync: these it finishes in seconds.
const SCANNED: [Case; 3] = [CASES[0], CASES[1], CASES[2]];

/// Also without a baseline.
const LARGEST: Case = Case { nodes: 130_000, limits: Limits::OneAtATime };

impl fmt::Display for Case {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limits = match self.limits {
            Limits::TenPercent => "maxUnavailable 10 %",
            Limits::SurgeTenPercent => "maxSurge 10 %",
            Limits::OneAtATime => "one at a time",
        };
        write!(formatter, "{} nodes, {limits}", self.nodes)
    }
}

impl Case {
    fn daemon_set(self, version: &str) -> DaemonSet {
        let rolling_update: Value = match self.limits {
            Limits::TenPercent => json!({"maxUnavailable": "10%"}),
            Limits::SurgeTenPercent => json!({"maxUnavailable": 0, "maxSurge": "10%"}),
            Limits::OneAtATime => json!({"maxUnavailable": 1}),
        };
        let template = json!({
            "metadata": {"labels": {"app": "agent"}},
            "spec": {"containers": [{
                "name": "main",
                "image": format!("registry.example/agent:{version}"),
                "resources": {"requests": {"cpu": "100m", "memory": "64Mi"}},
            }]},
        });
        serde_json::from_value(json!({
            "metadata": {"name": "agent", "namespace": "default"},
            "spec": {
                "selector": {"matchLabels": {"app": "agent"}},
                "template": template,
                "updateStrategy": {"rollingUpdate": rolling_update},
            },
        }))
        .unwrap()
    }

    /// The old version everywhere, and the new one just applied.
    fn world(self) -> World {
        self.world_with(Options { latencies: LATENCIES, ..Options::starting_at(START) })
    }

    /// The client keeps to kube-controller-manager's limits; of a thousand writes one is answered with 429, one is
    /// refused and two get no answer; of a thousand new pods ten fail once before they are ready.
    fn troubled_world(self) -> World {
        let control_plane = ControlPlane {
            too_many_requests_permille: 1,
            rejected_permille: 1,
            lost_done_permille: 1,
            lost_undone_permille: 1,
            ..ControlPlane::limited_as_upstream()
        };
        let mut world = self.world_with(Options { latencies: LATENCIES, control_plane, ..Options::starting_at(START) });
        let behaviour = Behaviour::fails(&LATENCIES, Duration::from_secs(5).into()).for_permille(10);
        world.apply(ScenarioEvent::Behave { nodes: NodeSelection::All, behaviour }).unwrap();
        world
    }

    fn world_with(self, options: Options) -> World {
        let nodes = (0..self.nodes).map(|number| -> Node {
            let name = format!("node-{number:06}");
            serde_json::from_value(json!({
                "metadata": {"name": name, "uid": name, "labels": {"kubernetes.io/hostname": name}},
                "status": {
                    "allocatable": {"cpu": "4", "memory": "8Gi", "pods": "110"},
                    "conditions": [{"type": "Ready", "status": "True"}],
                },
            }))
            .unwrap()
        });
        let mut world = World::settled(self.daemon_set("v1"), nodes.collect(), options);
        world.apply(ScenarioEvent::Apply(Box::new(self.daemon_set("v2")))).unwrap();
        world
    }
}

const START: Timestamp = Timestamp::from_seconds(1_700_000_000);

const READY_AFTER: Duration = Duration::from_secs(10);
const GONE_AFTER: Duration = Duration::from_secs(5);
const LATENCIES: Latencies = Latencies {
    pod_ready_after: Distribution::Constant(READY_AFTER),
    pod_gone_after: Distribution::Constant(GONE_AFTER),
    orphaned_pods_gone_after: Duration::from_mins(1),
};

#[divan::bench(args = CASES, min_time = 1)]
fn world(bencher: divan::Bencher<'_, '_>, case: Case) {
    bencher.with_inputs(|| case.world()).bench_local_values(play);
}

#[divan::bench(args = [LARGEST], sample_count = 1)]
fn world_without_baseline(bencher: divan::Bencher<'_, '_>, case: Case) {
    bencher.with_inputs(|| case.world()).bench_local_values(play);
}

#[divan::bench(args = SCANNED, sample_count = 1)]
fn full_scans(bencher: divan::Bencher<'_, '_>, case: Case) {
    bencher.with_inputs(|| Scans::new(case)).bench_local_values(scan);
}

fn play(mut world: World) -> World {
    let summary = world.run_to_end();
    assert_eq!(summary.ending, Some(Ending::Complete));
    world
}

fn scan(mut scans: Scans) -> Scans {
    scans.run();
    scans
}

/// The same once more, as the ratios that the README states.
fn print_ratios() {
    println!();
    for case in SCANNED {
        let mut times: Vec<Duration> = (0..5).map(|_| timed(case.world(), play).0).collect();
        times.sort();
        let (scanning, scans) = timed(Scans::new(case), scan);
        let (_, world) = timed(case.world(), play);
        assert_eq!(world.elapsed(), scans.elapsed(), "both must play the same rollout");
        let ratio = scanning.as_secs_f64() / times[2].as_secs_f64();
        println!("{case}: world {:?}, full scans {scanning:?}, ratio {ratio:.1}", times[2]);
    }
    let limits = [Limits::TenPercent, Limits::SurgeTenPercent, Limits::OneAtATime];
    for limits in limits {
        sizes(limits, "", Case::world);
    }
    for limits in &limits[..2] {
        sizes(*limits, ", client limits and failures", Case::troubled_world);
    }
    seeds();
}

/// The same rollout from 5,000 to 130,000 nodes: times, events a second, and how the times grow.
fn sizes(limits: Limits, remark: &str, world: fn(Case) -> World) {
    let sizes = [5_000, 20_000, 65_000, 130_000];
    let times = sizes.map(|nodes| {
        let case = Case { nodes, limits };
        let world = world(case);
        let (time, events) = (0..5).map(|_| played(world.clone())).min().unwrap();
        let a_second = events as f64 / time.as_secs_f64() / 1e6;
        println!("{case}{remark}: {time:?}, {a_second:.1} million events a second");
        time.as_secs_f64()
    });
    println!("log-log slope {:.2}", slope(sizes.map(f64::from), times));
}

/// Plays a world to its end: how long that takes, and how many events and decisions it had.
fn played(world: World) -> (Duration, u64) {
    let (time, world) = timed(world, play);
    (time, world.played())
}

/// By least squares, of the logarithms.
fn slope<const N: usize>(xs: [f64; N], ys: [f64; N]) -> f64 {
    let (xs, ys) = (xs.map(f64::ln), ys.map(f64::ln));
    let mean = |values: [f64; N]| values.iter().sum::<f64>() / values.len() as f64;
    let (x, y) = (mean(xs), mean(ys));
    let products = xs.iter().zip(ys).map(|(left, right)| (left - x) * (right - y)).sum::<f64>();
    products / xs.iter().map(|left| (left - x) * (left - x)).sum::<f64>()
}

/// What a forecast does: one settled world, cloned for every seed, without a timeline.
fn seeds() {
    let case = Case { nodes: 5_000, limits: Limits::TenPercent };
    let spread =
        |seconds, p95| Distribution::LogNormal { median: Duration::from_secs(seconds), p95: Duration::from_secs(p95) };
    let latencies = Latencies { pod_ready_after: spread(10, 40), pod_gone_after: spread(5, 15), ..LATENCIES };
    let world = case.world_with(Options { latencies, timeline: false, ..Options::starting_at(START) });
    let seeds = 40;
    let start = Instant::now();
    for seed in 0..seeds {
        let mut world = world.clone();
        world.reseed(seed.into());
        assert_eq!(world.run_to_end().ending, Some(Ending::Complete));
    }
    let each = start.elapsed() / seeds;
    let (cloning, ()) = timed((), |()| (0..seeds).for_each(|_| drop(divan::black_box(world.clone()))));
    println!("{case}, one seed of many, times drawn: {each:?}, of which its clone {:?}", cloning / seeds);
}

fn timed<T, R>(input: T, work: impl FnOnce(T) -> R) -> (Duration, R) {
    let start = Instant::now();
    let result = work(input);
    (start.elapsed(), result)
}

/// When, in which order of arrival, on which node, which pod, and whether it is gone then or else ready.
type Due = (Timestamp, u64, usize, Text, bool);

/// The baseline: all pods by node, and what is going to happen to them.
struct Scans {
    pods: Vec<Vec<PodFacts>>,
    target: Target,
    budget: Budget,
    now: Timestamp,
    queue: BinaryHeap<Reverse<Due>>,
    sequence: u64,
}

impl Scans {
    fn new(case: Case) -> Self {
        let daemon_set = case.daemon_set("v2");
        let old = |node: u32| PodFacts {
            name: format!("old-{node}").into(),
            uid: format!("old-{node}").into(),
            revision: "old".into(),
            ready: true,
            bound: true,
            phase: PodPhase::Running,
            ..PodFacts::default()
        };
        Self {
            pods: (0..case.nodes).map(|node| vec![old(node)]).collect(),
            target: Target::newest(&daemon_set, "new".into(), KubernetesVersion::default()),
            budget: budget(&daemon_set.spec, case.nodes).unwrap(),
            now: START,
            queue: BinaryHeap::new(),
            sequence: 0,
        }
    }

    fn elapsed(&self) -> Duration {
        self.now.saturating_since(START)
    }

    fn run(&mut self) {
        loop {
            while self.sync() {}
            let Some(Reverse((next, ..))) = self.queue.peek() else { break };
            self.now = *next;
            while let Some(Reverse((at, ..))) = self.queue.peek()
                && *at == self.now
            {
                let Some(Reverse((_, _, node, uid, gone))) = self.queue.pop() else { break };
                if gone {
                    self.pods[node].retain(|pod| pod.uid != uid);
                } else if let Some(pod) = self.pods[node].iter_mut().find(|pod| pod.uid == uid) {
                    pod.ready = true;
                    pod.ready_transition = Some(self.now);
                }
            }
        }
        assert!(self.pods.iter().all(|pods| pods.len() == 1 && pods[0].ready && pods[0].revision == "new"));
    }

    /// One sync; whether it did anything.
    fn sync(&mut self) -> bool {
        let (mut create, mut delete) = (Vec::new(), Vec::new());
        for (node, pods) in self.pods.iter().enumerate() {
            let plan = plan_node(Standing::Run, pods.iter(), &self.target, self.now);
            if plan.create {
                create.push(node);
            }
            delete.extend(plan.delete.into_iter().map(|(pod, _)| (node, pod.uid.clone())));
        }
        if create.is_empty() && delete.is_empty() {
            self.roll(&mut create, &mut delete);
        }
        create.truncate(BURST);
        delete.truncate(BURST);
        let acted = !create.is_empty() || !delete.is_empty();
        for node in create {
            self.create(node);
        }
        for (node, uid) in delete {
            self.delete(node, uid);
        }
        acted
    }

    fn roll(&self, create: &mut Vec<usize>, delete: &mut Vec<(usize, Text)>) {
        let mut counts = RolloutCounts { desired: u32::try_from(self.pods.len()).unwrap(), ..RolloutCounts::default() };
        let states = self
            .pods
            .iter()
            .map(|pods| node_states(Standing::Run, true, versions(pods.iter(), &self.target), &self.target, self.now));
        let states: Vec<_> = states.collect();
        for (replace, surge) in &states {
            counts.unavailable += u32::from(replace.unavailable);
            counts.candidates += u32::from(replace.candidate);
            counts.surging += u32::from(surge.surging);
            counts.available += u32::from(surge.available);
            counts.surge_candidates += u32::from(surge.candidate);
        }
        let old_on = |node: usize| {
            let mut pods = self.pods[node].iter();
            pods.find(|pod| !pod.deleting && !self.target.is_updated(pod)).map(|pod| (node, pod.uid.clone()))
        };
        match allowance(&counts, self.budget) {
            Allowance::Replace { candidates } => {
                let replace = states.iter().enumerate().filter(|(_, (replace, _))| replace.candidate);
                delete.extend(replace.take(candidates as usize).filter_map(|(node, _)| old_on(node)));
            }
            Allowance::Surge { candidates, .. } => {
                let surge = states.iter().enumerate().filter(|(_, (_, surge))| surge.candidate);
                create.extend(surge.take(candidates as usize).map(|(node, _)| node));
                let done = states.iter().enumerate().filter(|(_, (_, surge))| surge.delete_old);
                delete.extend(done.filter_map(|(node, _)| old_on(node)));
            }
            Allowance::NodeLost => {}
        }
    }

    fn create(&mut self, node: usize) {
        let uid: Text = format!("new-{node}").into();
        self.pods[node].push(PodFacts {
            name: uid.clone(),
            uid: uid.clone(),
            revision: "new".into(),
            creation: Some(self.now),
            bound: true,
            phase: PodPhase::Running,
            ..PodFacts::default()
        });
        self.plan(READY_AFTER, node, uid, false);
    }

    fn delete(&mut self, node: usize, uid: Text) {
        if let Some(pod) = self.pods[node].iter_mut().find(|pod| pod.uid == uid) {
            pod.deleting = true;
        }
        self.plan(GONE_AFTER, node, uid, true);
    }

    fn plan(&mut self, after: Duration, node: usize, uid: Text, gone: bool) {
        self.sequence += 1;
        self.queue.push(Reverse((self.now.saturating_add(after), self.sequence, node, uid, gone)));
    }
}

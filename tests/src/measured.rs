//! Work that is measured natively and as WASM.

use std::hash::Hasher;
use std::rc::Rc;
use std::time::Duration;

use rollcast_core::KubernetesVersion;
use rollcast_core::api::{DaemonSet, Node, Pod, PodTemplate, Text};
use rollcast_core::controller::{Action, Change, Controller, ExpectationsMode, Snapshot, Step};
use rollcast_core::placement::{NodeIndex, PlacementRules, eligibility, fits};
use rollcast_core::sim::{
    Behaviour, ControlPlane, Distribution, NodeSelection, Options, ScenarioEvent, Summary, World,
};
use rollcast_core::time::Timestamp;
use serde_json::{Value, json};

use crate::subject::{Kind, field, trajectory};

/// Work that can be done many times, each time from the same beginning.
pub struct Work {
    prepare: Box<dyn FnMut() -> Prepared>,
    prepared: Option<Prepared>,
}

/// Work that can be done once: what is read and copied before does not count.
type Prepared = Box<dyn FnOnce() -> u32>;

impl Work {
    /// The pieces of work there are, and the kind of vector that feeds them, if any does.
    pub const ALL: [(&str, Option<Kind>); 9] = [
        ("sync vectors", Some(Kind::Sync)),
        ("fit vectors", Some(Kind::Fit)),
        (PLACEMENT, None),
        ("rollout", Some(Kind::Trajectory)),
        (TEN_PERCENT, None),
        (SURGE, None),
        (TROUBLED, None),
        (TROUBLED_SURGE, None),
        (DRAWN, None),
    ];

    /// The work of that name, from the lines of a vector file.
    pub fn new(name: &str, lines: &str) -> Self {
        let (_, kind) = Self::ALL.into_iter().find(|(known, _)| *known == name).expect("a known name");
        let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
        let prepare = match kind {
            Some(Kind::Sync) => syncs(&lines),
            Some(Kind::Fit) => verdicts(&lines),
            Some(_) => rollouts(&lines),
            None if name == PLACEMENT => placements(),
            None => whole_rollouts(name),
        };
        Self { prepare, prepared: None }
    }

    /// Makes ready for one run.
    pub fn prepare(&mut self) {
        self.prepared = Some((self.prepare)());
    }

    /// Does what was prepared; natively and as WASM the result is the same.
    pub fn run(&mut self) -> u32 {
        let prepared = self.prepared.take().expect("prepared");
        prepared()
    }
}

/// One sync of each cluster: index, decisions.
fn syncs(lines: &[Value]) -> Box<dyn FnMut() -> Prepared> {
    let prepare = |line: &Value| {
        let now = line["now"].as_str().and_then(Timestamp::parse).expect("a time");
        let snapshot = Snapshot {
            daemon_sets: vec![field(line, "daemonSet")],
            nodes: field(line, "nodes"),
            pods: field(line, "pods"),
            revisions: field(line, "controllerRevisions"),
        };
        (now, snapshot)
    };
    let prepared: Vec<(Timestamp, Snapshot)> = lines.iter().map(prepare).collect();
    Box::new(move || {
        let prepared = prepared.clone();
        Box::new(move || {
            let mut sum = Checksum::default();
            for (now, snapshot) in prepared {
                let mut controller = Controller::new(ExpectationsMode::Observed);
                controller.observe(Change::Reset(Box::new(snapshot)));
                sum.add_step(&controller.step(now));
            }
            sum.0
        })
    })
}

/// Whether each pod belongs on its node, and whether it fits there.
fn verdicts(lines: &[Value]) -> Box<dyn FnMut() -> Prepared> {
    let prepare = |line: &Value| -> (DaemonSet, Node, Vec<Pod>) {
        (field(line, "daemonSet"), field(line, "node"), field(line, "pods"))
    };
    let prepared: Rc<[(DaemonSet, Node, Vec<Pod>)]> = lines.iter().map(prepare).collect();
    Box::new(move || {
        let prepared = Rc::clone(&prepared);
        Box::new(move || {
            let mut sum = Checksum::default();
            for (daemon_set, node, pods) in prepared.iter() {
                let rules = PlacementRules::of(&daemon_set.spec.template, KubernetesVersion::default());
                let found = eligibility(&rules, node);
                sum.write(&[found.should_run.into(), found.should_continue_running.into()]);
                for reason in fits(&rules, &daemon_set.metadata.namespace, node, pods).reasons(rules.version()) {
                    sum.write(reason.as_bytes());
                }
            }
            sum.0
        })
    })
}

const PLACEMENT: &str = "placement on 130,000 nodes";

/// Where a DaemonSet of six terms runs among indexed nodes, and why it does not on the others.
fn placements() -> Box<dyn FnMut() -> Prepared> {
    let node = |number: u32| -> Node {
        let labels = json!({
            "kubernetes.io/hostname": format!("node-{number:06}"),
            "kubernetes.io/os": if number.is_multiple_of(50) { "windows" } else { "linux" },
            "kubernetes.io/arch": if number % 4 == 1 { "arm64" } else { "amd64" },
            "topology.kubernetes.io/zone": format!("zone-{}", number % 6),
            "example.com/pool": format!("pool-{}", number % 41),
            "example.com/generation": (number % 9).to_string(),
            "example.com/rack": format!("rack-{}", number / 40),
            "example.com/disk": if number % 3 == 2 { "nvme" } else { "ssd" },
        });
        let taints = match number % 100 {
            0..5 => json!([{"key": "dedicated", "value": format!("team-{}", number % 30), "effect": "NoSchedule"}]),
            5..8 => json!([{"key": "node.kubernetes.io/unreachable", "effect": "NoExecute"}]),
            _ => json!([]),
        };
        let metadata = json!({"name": format!("node-{number:06}"), "labels": labels});
        serde_json::from_value(json!({"metadata": metadata, "spec": {"taints": taints}})).expect("a node")
    };
    let asks = |key: &str, operator: &str, values: &[&str]| json!({"key": key, "operator": operator, "values": values});
    let term = |expressions: [Value; 2]| json!({ "matchExpressions": expressions });
    let (zone, pool, disk) = ("topology.kubernetes.io/zone", "example.com/pool", "example.com/disk");
    let (arch, generation) = ("kubernetes.io/arch", "example.com/generation");
    let terms = json!([
        term([asks(zone, "In", &["zone-0", "zone-1"]), asks(disk, "NotIn", &["nvme"])]),
        term([asks(pool, "In", &["pool-1", "pool-2", "pool-3"]), asks(arch, "In", &["arm64"])]),
        term([asks(generation, "Gt", &["6"]), asks(pool, "In", &["pool-7"])]),
        term([asks(disk, "In", &["nvme"]), asks(zone, "In", &["zone-2"])]),
        term([asks(generation, "In", &["7", "8"]), asks("example.com/absent", "DoesNotExist", &[])]),
        {"matchFields": [asks("metadata.name", "In", &["node-000007"])]},
    ]);
    let spec = json!({
        "nodeSelector": {"kubernetes.io/os": "linux"},
        "tolerations": [{"key": "dedicated", "operator": "Equal", "value": "team-1", "effect": "NoSchedule"}],
        "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}},
    });
    let template = PodTemplate::from_json(json!({ "spec": spec })).expect("a template");
    let rules = PlacementRules::of(&template, KubernetesVersion::default());
    let nodes: Vec<Node> = (0..130_000).map(node).collect();
    let (index, rules) = (Rc::new(NodeIndex::build(&nodes)), Rc::new(rules));
    Box::new(move || {
        let (index, rules) = (Rc::clone(&index), Rc::clone(&rules));
        Box::new(move || {
            let mut sum = Checksum::default();
            let counts = index.select(&rules).counts;
            for count in [counts.run, counts.keep_running] {
                sum.write(&count.to_le_bytes());
            }
            sum.write(&index.reasons(&rules).reasons.len().to_le_bytes()[..4]);
            sum.0
        })
    })
}

/// Each rollout from its beginning to its end.
fn rollouts(lines: &[Value]) -> Box<dyn FnMut() -> Prepared> {
    let prepared: Vec<World> = lines.iter().map(trajectory::world).collect();
    Box::new(move || {
        let prepared = prepared.clone();
        Box::new(move || {
            let mut sum = Checksum::default();
            for mut world in prepared {
                sum.add_rollout(&world.run_to_end());
            }
            sum.0
        })
    })
}

const TEN_PERCENT: &str = "130,000 nodes at 10 %";
const SURGE: &str = "130,000 nodes, surge of 10 %";
const TROUBLED: &str = "130,000 nodes at 10 %, client limits and failures";
const TROUBLED_SURGE: &str = "130,000 nodes, surge of 10 %, client limits and failures";
const DRAWN: &str = "5,000 nodes at 10 %, times drawn";

/// A rollout on settled nodes, from the new manifest to its end.
fn whole_rollouts(name: &str) -> Box<dyn FnMut() -> Prepared> {
    let nodes = if name == DRAWN { 5_000 } else { 130_000 };
    let (surge, troubled) = ([SURGE, TROUBLED_SURGE].contains(&name), [TROUBLED, TROUBLED_SURGE].contains(&name));
    let limits = if surge { json!({"maxUnavailable": 0, "maxSurge": "10%"}) } else { json!({"maxUnavailable": "10%"}) };
    let daemon_set = move |version: u32| -> DaemonSet {
        let template = json!({
            "metadata": {"labels": {"app": "agent"}},
            "spec": {"containers": [{
                "name": "main",
                "image": format!("registry.example/agent:{version}"),
                "resources": {"requests": {"cpu": "100m", "memory": "64Mi"}},
            }]},
        });
        let spec = json!({
            "selector": {"matchLabels": {"app": "agent"}},
            "template": template,
            "updateStrategy": {"rollingUpdate": limits},
        });
        serde_json::from_value(json!({"metadata": {"name": "agent", "namespace": "default"}, "spec": spec}))
            .expect("a DaemonSet")
    };
    let node = |number: u32| -> Node {
        let name = format!("node-{number:06}");
        let allocatable = json!({"cpu": "4", "memory": "8Gi", "pods": "110"});
        serde_json::from_value(json!({"metadata": {"name": name, "uid": name}, "status": {"allocatable": allocatable}}))
            .expect("a node")
    };
    let mut options = Options::starting_at(Timestamp::from_seconds(1_700_000_000));
    if name == DRAWN {
        let spread = |seconds, p95| Distribution::LogNormal {
            median: Duration::from_secs(seconds),
            p95: Duration::from_secs(p95),
        };
        (options.latencies.pod_ready_after, options.latencies.pod_gone_after) = (spread(10, 40), spread(5, 15));
    }
    if troubled {
        options.control_plane = ControlPlane {
            too_many_requests_permille: 1,
            rejected_permille: 1,
            lost_done_permille: 1,
            lost_undone_permille: 1,
            ..ControlPlane::limited_as_upstream()
        };
    }
    let mut world = World::settled(daemon_set(1), (0..nodes).map(node).collect(), options);
    if troubled {
        let fails = Behaviour::fails(&options.latencies, Duration::from_secs(5).into()).for_permille(10);
        let event = ScenarioEvent::Behave { nodes: NodeSelection::All, behaviour: fails };
        world.apply(event).expect("pods fail");
    }
    world.apply(ScenarioEvent::Apply(Box::new(daemon_set(2)))).expect("the manifest is applied");
    Box::new(move || {
        let mut world = world.clone();
        Box::new(move || {
            let mut sum = Checksum::default();
            sum.add_rollout(&world.run_to_end());
            sum.0
        })
    })
}

/// FNV-1a, 32 bits.
struct Checksum(u32);

impl Default for Checksum {
    fn default() -> Self {
        Self(2_166_136_261)
    }
}

impl Checksum {
    fn add_rollout(&mut self, summary: &Summary) {
        self.write(&summary.ended_at.as_secs().to_le_bytes());
        for number in [summary.finished, summary.most_pods] {
            self.write(&number.to_le_bytes());
        }
    }

    fn add_step(&mut self, step: &Step) {
        for decision in step.batches.iter().flat_map(|batch| &batch.decisions) {
            let about: Option<&Text> = match &decision.action {
                Action::CreatePod { name, .. } => Some(name),
                Action::DeletePod { pod, .. } => Some(&pod.name),
                _ => None,
            };
            self.write(about.map_or(b"other", |text| text.as_bytes()));
        }
    }
}

impl Hasher for Checksum {
    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(16_777_619));
    }

    fn finish(&self) -> u64 {
        self.0.into()
    }
}

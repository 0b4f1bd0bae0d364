use std::fmt;
use std::time::Duration;

use rollcast_core::api::{DaemonSet, Node, Pod, Text};
use rollcast_core::sim::{ControlPlane, Distribution, Images, Latencies, Options, World};
use rollcast_core::time::Timestamp;
use serde_json::{Value, json};

use super::trouble::{KINDS, Kind};

const START: Timestamp = Timestamp::from_seconds(1_800_000_000);

/// Random choices of a seed.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// Dice that always fall the same way for a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// The next 64 bits (`SplitMix64`).
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let bits = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number from 0 up to, not including, `end`.
    pub fn below(&mut self, end: u32) -> u32 {
        u32::try_from(self.bits() % u64::from(end.max(1))).expect("below a u32")
    }

    /// True once in so many times.
    pub fn one_in(&mut self, times: u32) -> bool {
        self.below(times) == 0
    }

    /// One of several.
    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        let place = self.below(u32::try_from(of.len()).expect("few"));
        &of[usize::try_from(place).expect("small")]
    }
}

/// The cluster and DaemonSet of a seed, before trouble starts.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Names of the nodes at the start.
    pub nodes: Vec<Text>,
    /// The kinds of trouble that are on.
    pub kinds: Vec<Kind>,
    strategy: Value,
    min_ready_seconds: u32,
    tolerant: bool,
    host_port: bool,
    latencies: Latencies,
    control_plane: ControlPlane,
    images: Option<Images>,
}

impl Setup {
    /// Draws a cluster.
    pub fn draw(dice: &mut Dice) -> Self {
        let kinds: Vec<Kind> = KINDS.into_iter().filter(|_| dice.one_in(3)).collect();
        let count = 1 + dice.below(12);
        let limit = match dice.below(3) {
            0 => json!(1),
            1 => json!(1 + dice.below(4)),
            _ => json!(format!("{}%", 1 + dice.below(100))),
        };
        let strategy = match dice.below(8) {
            0 => json!({"type": "OnDelete"}),
            1..=3 => json!({"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 0, "maxSurge": limit}}),
            _ => json!({"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": limit}}),
        };
        let surges = strategy["rollingUpdate"]["maxSurge"] != Value::Null;
        let mut time = |most: u32| match dice.below(3) {
            0 => Distribution::Constant(seconds(dice.below(most))),
            1 => Distribution::Uniform { least: seconds(dice.below(most)), most: seconds(2 * most) },
            _ => Distribution::LogNormal { median: seconds(1 + dice.below(most)), p95: seconds(3 * most) },
        };
        let latencies = Latencies { pod_ready_after: time(20), pod_gone_after: time(10), ..Latencies::default() };
        let control_plane = control_plane(dice, &kinds);
        let images = kinds.contains(&Kind::Pulls).then(|| Images {
            registry_bytes_per_second: 50_000_000,
            cached_permille: 300,
            ..Images::default()
        });
        Self {
            kinds,
            control_plane,
            images,
            nodes: (1..=count).map(|number| Text::from(format!("node-{number:02}"))).collect(),
            strategy,
            min_ready_seconds: *dice.pick(&[0, 0, 5, 30]),
            tolerant: dice.one_in(3),
            // A second pod could never start beside the first one.
            host_port: !surges && dice.one_in(3),
            latencies,
        }
    }

    /// The DaemonSet with this image.
    pub fn daemon_set(&self, image: u32) -> DaemonSet {
        let tolerations = if self.tolerant { json!([{"operator": "Exists"}]) } else { json!([]) };
        let ports = if self.host_port { json!([{"containerPort": 80, "hostPort": 80}]) } else { json!([]) };
        serde_json::from_value(json!({
            "metadata": {"name": "agent", "namespace": "default"},
            "spec": {
                "selector": {"matchLabels": {"app": "agent"}},
                "minReadySeconds": self.min_ready_seconds,
                "revisionHistoryLimit": 2,
                "updateStrategy": self.strategy,
                "template": {
                    "metadata": {"labels": {"app": "agent"}},
                    "spec": {
                        "nodeSelector": {"pool": "a"},
                        "tolerations": tolerations,
                        "containers": [{
                            "name": "main", "image": format!("agent:{image}"), "ports": ports,
                            "resources": {"requests": {"cpu": "1"}},
                        }],
                    },
                },
            },
        }))
        .expect("a DaemonSet")
    }

    /// A node that the DaemonSet runs on.
    pub fn node(&self, name: &str) -> Node {
        serde_json::from_value(json!({
            "metadata": {"name": name, "uid": name, "labels": {"pool": "a", "kubernetes.io/hostname": name}},
            "status": {
                "allocatable": {"cpu": "4", "memory": "8Gi", "pods": "110"},
                "conditions": [{"type": "Ready", "status": "True"}],
            },
        }))
        .expect("a node")
    }

    /// A pod of someone else that leaves no room on a node, and holds its port 80.
    pub fn stranger(&self, node: &str) -> Pod {
        serde_json::from_value(json!({
            "metadata": {"name": format!("stranger-{node}"), "namespace": "others", "uid": format!("stranger-{node}")},
            "spec": {
                "nodeName": node,
                "containers": [{
                    "name": "main", "image": "stranger", "ports": [{"containerPort": 80, "hostPort": 80}],
                    "resources": {"requests": {"cpu": "3500m"}},
                }],
            },
            "status": {"phase": "Running"},
        }))
        .expect("a pod")
    }

    /// The first image runs everywhere.
    pub fn world(&self, seed: u64) -> World {
        let Self { latencies, control_plane, images, .. } = *self;
        let options = Options { latencies, control_plane, images, seed, ..Options::starting_at(START) };
        let nodes = self.nodes.iter().map(|name| self.node(name)).collect();
        World::settled(self.daemon_set(1), nodes, options)
    }

    /// How long things take when nothing is wrong.
    pub fn latencies(&self) -> &Latencies {
        &self.latencies
    }

    /// How the control plane is when nothing stalls.
    pub fn control_plane(&self) -> ControlPlane {
        self.control_plane
    }

    /// How many nodes of so many the controller may have under way, percentages rounded up.
    pub fn limit(&self, desired: u32) -> u32 {
        let limits = &self.strategy["rollingUpdate"];
        let written = if self.surges() { &limits["maxSurge"] } else { &limits["maxUnavailable"] };
        match written.as_str() {
            Some(percent) => {
                let percent: u32 = percent.trim_end_matches('%').parse().expect("a percentage");
                (desired * percent).div_ceil(100)
            }
            None => u32::try_from(written.as_u64().expect("a number")).expect("small"),
        }
    }

    /// Whether new pods come before old ones go.
    pub fn surges(&self) -> bool {
        self.strategy["rollingUpdate"]["maxSurge"] != Value::Null
    }

    /// Whether the controller replaces old pods.
    pub fn rolls(&self) -> bool {
        self.strategy["type"] == "RollingUpdate"
    }

    /// Whether a person has to delete the old pods.
    pub fn on_delete(&self) -> bool {
        self.strategy["type"] == "OnDelete"
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { nodes, kinds, strategy, min_ready_seconds, tolerant, host_port, latencies, control_plane, images } =
            self;
        write!(
            formatter,
            "{} nodes, {strategy}, minReadySeconds {min_ready_seconds}, tolerant {tolerant}, host port {host_port}, \
             {latencies:?}, {control_plane:?}, {images:?}, with {kinds:?}",
            nodes.len(),
        )
    }
}

/// Slow and lossy as far as the kinds that are on say so.
fn control_plane(dice: &mut Dice, kinds: &[Kind]) -> ControlPlane {
    let mut control_plane = ControlPlane::default();
    let mut millis = |most: u32| Distribution::Uniform {
        least: Duration::ZERO,
        most: Duration::from_millis(u64::from(1 + dice.below(most))),
    };
    if kinds.contains(&Kind::SlowWrites) {
        control_plane.write_latency = millis(2_000);
        (control_plane.qps, control_plane.burst) = (2, 3);
    }
    if kinds.contains(&Kind::LateWatch) {
        control_plane.watch_delay = millis(5_000);
    }
    if kinds.contains(&Kind::SlowScheduler) {
        control_plane.scheduling_delay = millis(5_000);
        control_plane.scheduler_pods_per_second = 1;
    }
    if kinds.contains(&Kind::RefusedWrites) {
        control_plane.rejected_permille = 50;
        control_plane.too_many_requests_permille = 100;
    }
    if kinds.contains(&Kind::LostWrites) {
        control_plane.lost_done_permille = 50;
        control_plane.lost_undone_permille = 50;
    }
    control_plane
}

fn seconds(seconds: u32) -> Duration {
    Duration::from_secs(seconds.into())
}

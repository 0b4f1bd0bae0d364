use std::fmt;
use std::time::Duration;

use rollcast_core::api::{DaemonSet, Node, Text};
use rollcast_core::sim::{Distribution, Latencies, Options, World};
use rollcast_core::time::Timestamp;
use serde_json::{Value, json};

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
    strategy: Value,
    min_ready_seconds: u32,
    tolerant: bool,
    host_port: bool,
    latencies: Latencies,
}

impl Setup {
    /// Draws a cluster.
    pub fn draw(dice: &mut Dice) -> Self {
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
        Self {
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

    /// The first image runs everywhere.
    pub fn world(&self, seed: u64) -> World {
        let options = Options { latencies: self.latencies, seed, ..Options::starting_at(START) };
        let nodes = self.nodes.iter().map(|name| self.node(name)).collect();
        World::settled(self.daemon_set(1), nodes, options)
    }

    /// How long things take when nothing is wrong.
    pub fn latencies(&self) -> &Latencies {
        &self.latencies
    }

    /// Whether a person has to delete the old pods.
    pub fn on_delete(&self) -> bool {
        self.strategy["type"] == "OnDelete"
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { nodes, strategy, min_ready_seconds, tolerant, host_port, latencies } = self;
        write!(
            formatter,
            "{} nodes, {strategy}, minReadySeconds {min_ready_seconds}, tolerant {tolerant}, host port {host_port}, \
             {latencies:?}",
            nodes.len(),
        )
    }
}

fn seconds(seconds: u32) -> Duration {
    Duration::from_secs(seconds.into())
}

//! `rollcast explain` on a dump of 5,000 nodes, as a person runs it: a cold process, wall time and the most memory.
//!
//! Beside it stands serde reading the same file into a slim type within this process, which shows how much of the time
//! is parsing. Run with `cargo bench -p rollcast`.

#![allow(clippy::unwrap_used, reason = "a measurement that cannot be made has no result")]
#![allow(clippy::cast_precision_loss, reason = "sizes are printed in megabytes")]

#[path = "../../core/benches/shared/dump.rs"]
#[allow(
    dead_code,
    clippy::cast_possible_truncation,
    clippy::indexing_slicing,
    clippy::manual_is_multiple_of,
    clippy::precedence,
    clippy::similar_names,
    reason = "shared with the core's benchmarks, which say why"
)]
mod dump;

use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde::Deserialize;

const NODES: u32 = 5_000;
const RUNS: usize = 9;

const AGENT: &str = "\
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent, namespace: monitoring}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec:
      nodeSelector: {kubernetes.io/os: linux}
      containers:
      - {name: main, image: registry.example/agent:v1, resources: {requests: {cpu: 500m, memory: 256Mi}}}
";

#[derive(Deserialize)]
struct SlimList {
    items: Vec<SlimNode>,
}

#[derive(Deserialize)]
#[allow(dead_code, reason = "read to be measured")]
struct SlimNode {
    metadata: SlimMetadata,
    status: SlimStatus,
}

#[derive(Deserialize)]
#[allow(dead_code, reason = "read to be measured")]
struct SlimMetadata {
    name: String,
    labels: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[allow(dead_code, reason = "read to be measured")]
struct SlimStatus {
    allocatable: BTreeMap<String, String>,
}

fn main() {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let agent = directory.join("agent.yaml");
    std::fs::write(&agent, AGENT).unwrap();
    println!("rollcast explain, {NODES} nodes, cold process, median of {RUNS}");
    let json = directory.join("nodes.json");
    std::fs::write(&json, dump::nodes_as_json(NODES)).unwrap();
    measure("JSON", &agent, &json, |text| serde_json::from_str::<SlimList>(text).unwrap().items.len());
    let yaml = directory.join("nodes.yaml");
    std::fs::write(&yaml, dump::nodes_as_yaml(NODES)).unwrap();
    measure("YAML", &agent, &yaml, |text| serde_yaml::from_str::<SlimList>(text).unwrap().items.len());
}

fn measure(name: &str, agent: &Path, dump: &Path, baseline: impl Fn(&str) -> usize) {
    let megabytes = std::fs::metadata(dump).unwrap().len() as f64 / 1e6;
    let runs: Vec<(Duration, u64)> = (0..RUNS).map(|_| explain(agent, dump)).collect();
    let wall = median(runs.iter().map(|(wall, _)| *wall));
    let memory = runs.iter().map(|(_, memory)| *memory).max().unwrap_or_default();
    let slim = median((0..RUNS.min(5)).map(|_| {
        let started = Instant::now();
        let text = std::fs::read_to_string(dump).unwrap();
        assert_eq!(black_box(baseline(&text)), NODES as usize);
        started.elapsed()
    }));
    println!(
        "{name} {megabytes:5.1} MB: {:6.0} ms, {:5.1} MB at most; serde into a slim type {:6.0} ms, ratio {:.2}",
        wall.as_secs_f64() * 1e3,
        memory as f64 / 1e6,
        slim.as_secs_f64() * 1e3,
        wall.as_secs_f64() / slim.as_secs_f64()
    );
}

fn explain(agent: &Path, dump: &Path) -> (Duration, u64) {
    let started = Instant::now();
    let mut process = Command::new(env!("CARGO_BIN_EXE_rollcast"))
        .args(["explain", "-f"])
        .arg(agent)
        .arg("-f")
        .arg(dump)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut memory = 0;
    let status = loop {
        memory = memory.max(peak_memory(process.id()));
        if let Some(status) = process.try_wait().unwrap() {
            break status;
        }
        std::thread::sleep(Duration::from_micros(500));
    };
    assert!(status.success(), "{status}");
    (started.elapsed(), memory)
}

/// The most memory that a process has held, bytes; 0 where procfs does not say.
fn peak_memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kibibytes.unwrap_or_default() * 1024
}

fn median(times: impl Iterator<Item = Duration>) -> Duration {
    let mut times: Vec<Duration> = times.collect();
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

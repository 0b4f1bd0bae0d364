//! `rollcast forecast` of 1,000 seeds on 5,000 nodes, as a person runs it: one thread and two, wall time.
//!
//! Both must print the same bytes. Run with `cargo bench -p rollcast --bench forecast`.

#![allow(clippy::unwrap_used, reason = "a measurement that cannot be made has no result")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const SEEDS: &str = "1000";

/// Ten per cent at a time, and every pod's times drawn.
const SCENARIO: &str = "\
apiVersion: rollcast.dev/v1alpha1
kind: Scenario
cluster:
  pools: [{name: worker, count: 5000}]
daemonSet:
  apiVersion: apps/v1
  kind: DaemonSet
  metadata: {name: agent, namespace: monitoring}
  spec:
    updateStrategy: {rollingUpdate: {maxUnavailable: 10%}}
    selector: {matchLabels: {app: agent}}
    template:
      metadata: {labels: {app: agent}}
      spec:
        containers:
        - {name: main, image: 'registry.example/agent:v1', resources: {requests: {cpu: 100m, memory: 64Mi}}}
change:
  apiVersion: apps/v1
  kind: DaemonSet
  metadata: {name: agent, namespace: monitoring}
  spec:
    updateStrategy: {rollingUpdate: {maxUnavailable: 10%}}
    selector: {matchLabels: {app: agent}}
    template:
      metadata: {labels: {app: agent}}
      spec:
        containers:
        - {name: main, image: 'registry.example/agent:v2', resources: {requests: {cpu: 100m, memory: 64Mi}}}
timings:
  podReadyAfter: {median: 20s, p95: 60s}
  podGoneAfter: {least: 2s, most: 10s}
";

fn main() {
    let scenario = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("forecast.yaml");
    std::fs::write(&scenario, SCENARIO).unwrap();
    println!("rollcast forecast, {SEEDS} seeds of 5,000 nodes, 10 % at a time, cold process");
    let (one, alone) = forecast(&scenario, "1");
    println!("1 thread  {:6.2} s", one.as_secs_f64());
    let (two, together) = forecast(&scenario, "2");
    println!("2 threads {:6.2} s, ratio {:.2}", two.as_secs_f64(), one.as_secs_f64() / two.as_secs_f64());
    assert_eq!(alone, together, "the answer depends on the number of threads");
}

fn forecast(scenario: &Path, threads: &str) -> (Duration, Vec<u8>) {
    let started = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_rollcast"))
        .args(["forecast", "-o", "json", "--seeds", SEEDS, "--threads", threads, "-f"])
        .arg(scenario)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    (started.elapsed(), output.stdout)
}

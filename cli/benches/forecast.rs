//! `rollcast forecast` of 1,000 seeds on 5,000 nodes, as a person runs it: one thread and two, wall time.
//!
//! Both must print the same bytes. Run with `cargo bench -p rollcast --bench forecast`; a number behind `--` is that of the
//! seeds.

#![allow(clippy::unwrap_used, reason = "a measurement that cannot be made has no result")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const SEEDS: u32 = 1_000;

/// Ten per cent at a time.
const AGENT: &str = "{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: agent, namespace: monitoring}, spec: {
    updateStrategy: {rollingUpdate: {maxUnavailable: 10%}}, selector: {matchLabels: {app: agent}},
    template: {metadata: {labels: {app: agent}}, spec: {containers: [
      {name: main, image: 'registry.example/agent:v1', resources: {requests: {cpu: 100m, memory: 64Mi}}}]}}}}";

/// Every pod's times are drawn.
fn scenario() -> String {
    format!(
        "apiVersion: rollcast.dev/v1alpha1\nkind: Scenario\ncluster: {{pools: [{{name: worker, count: 5000}}]}}\n\
         daemonSet: {AGENT}\nchange: {}\n\
         timings: {{podReadyAfter: {{median: 20s, p95: 60s}}, podGoneAfter: {{least: 2s, most: 10s}}}}\n",
        AGENT.replace("agent:v1", "agent:v2")
    )
}

fn main() {
    let seeds = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(SEEDS);
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("forecast.yaml");
    std::fs::write(&path, scenario()).unwrap();
    println!("rollcast forecast, {seeds} seeds of 5,000 nodes, 10 % at a time, cold process");
    let (one, alone) = forecast(&path, seeds, "1");
    println!("1 thread  {:6.2} s", one.as_secs_f64());
    let (two, together) = forecast(&path, seeds, "2");
    println!("2 threads {:6.2} s, ratio {:.2}", two.as_secs_f64(), one.as_secs_f64() / two.as_secs_f64());
    assert_eq!(alone, together, "the answer depends on the number of threads");
}

fn forecast(scenario: &Path, seeds: u32, threads: &str) -> (Duration, Vec<u8>) {
    let started = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_rollcast"))
        .args(["forecast", "-o", "json", "--seeds", &seeds.to_string(), "--threads", threads, "-f"])
        .arg(scenario)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    (started.elapsed(), output.stdout)
}

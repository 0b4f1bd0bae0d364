//! Forecast and review Kubernetes DaemonSet rollouts from a terminal.

fn main() {}

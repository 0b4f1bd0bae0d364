//! Drives DaemonSet rollouts in a real cluster with the Rollcast core.

fn main() {}

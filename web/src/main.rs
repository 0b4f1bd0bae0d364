//! The Rollcast playground: a page that shows where a DaemonSet runs and how its rollout goes.

fn main() {}

//! What the page opens with: a log agent on 288 nodes gets a new image.

use std::rc::Rc;

/// The DaemonSet as it runs.
const DAEMON_SET: &str = include_str!("scenario/daemonset.yaml");
/// The cluster: three zones of 96 nodes, and three control-plane nodes.
const CLUSTER: &str = include_str!("scenario/cluster.txt");

/// How long things take.
const WORLD: &str = include_str!("scenario/world.yaml");

/// The documents of the built-in scenario.
pub fn documents() -> [Rc<str>; 4] {
    let change = DAEMON_SET.replace("agent:2.3.1", "agent:2.4.0");
    [DAEMON_SET, &change, CLUSTER, WORLD].map(Rc::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_change_differs_from_what_runs_in_the_image_alone() {
        let [before, change, ..] = documents();
        let differing: Vec<_> = before.lines().zip(change.lines()).filter(|(old, new)| old != new).collect();
        assert_eq!(differing.len(), 1);
        assert!(differing[0].1.contains("image:"));
    }
}

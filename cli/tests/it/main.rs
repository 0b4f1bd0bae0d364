//! The command line as a person meets it: the binary is run, and what it prints and how it ends is looked at.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "helpers of tests are tests")]

mod bad_input;
mod check;
mod command_line;
mod diagnose;
mod dumps;
mod explain;
mod forecast;
mod hostile;
mod import;
mod nodes;
mod plan;
#[cfg(unix)]
mod readme;
mod release;
mod serve;
mod simulate;

/// The binary in a known surrounding: English, no colour, nothing from the locale of who runs the tests.
fn rollcast<const N: usize>(arguments: [&str; N]) -> assert_cmd::Command {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("rollcast");
    command.env_clear().env("LANG", "en_GB.UTF-8").args(arguments);
    command
}

/// A directory with these files, and the binary set to work in it.
struct Directory(tempfile::TempDir);

impl Directory {
    fn with<const N: usize>(files: [(&str, &str); N]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = directory.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        Self(directory)
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    fn rollcast<const N: usize>(&self, arguments: [&str; N]) -> assert_cmd::Command {
        let mut command = rollcast(arguments);
        command.current_dir(self.0.path());
        command
    }
}

/// What a command prints, checked for its exit code.
fn printed(command: &mut assert_cmd::Command, code: i32) -> String {
    let output = command.assert().code(code).get_output().clone();
    String::from_utf8(output.stdout).unwrap()
}

const AGENT: &str = "\
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent, namespace: monitoring}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec:
      containers:
      - name: main
        image: registry.example/agent:v1
        resources: {requests: {cpu: 500m, memory: 256Mi}}
        ports: [{containerPort: 9100, hostPort: 9100}]
";

/// Three plain nodes, one small one, one whose port is taken, one for batch work, one dead.
const CLUSTER: &str = r#"
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Node, metadata: {name: w-1, labels: {zone: a}}, status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}}
- {apiVersion: v1, kind: Node, metadata: {name: w-2, labels: {zone: b}}, status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}}
- {apiVersion: v1, kind: Node, metadata: {name: w-3, labels: {zone: b}}, status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}}
- {apiVersion: v1, kind: Node, metadata: {name: small}, status: {allocatable: {cpu: 250m, memory: 8Gi, pods: "110"}}}
- {apiVersion: v1, kind: Node, metadata: {name: taken}, status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}}
- apiVersion: v1
  kind: Node
  metadata: {name: batch}
  spec: {taints: [{key: dedicated, value: batch, effect: NoSchedule}]}
  status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}
- apiVersion: v1
  kind: Node
  metadata: {name: dead}
  spec:
    taints:
    - {key: node.kubernetes.io/unreachable, effect: NoSchedule}
    - {key: node.kubernetes.io/unreachable, effect: NoExecute}
  status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}
- apiVersion: v1
  kind: Pod
  metadata: {name: exporter-x, namespace: kube-system}
  spec: {nodeName: taken, containers: [{name: main, image: e, ports: [{containerPort: 9100, hostPort: 9100}]}]}
  status: {phase: Running}
- apiVersion: v1
  kind: Pod
  metadata:
    name: agent-d
    namespace: monitoring
    labels: {app: agent}
    ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: agent, uid: u, controller: true}]
  spec: {nodeName: dead, containers: [{name: main, image: e}]}
  status: {phase: Running}
"#;

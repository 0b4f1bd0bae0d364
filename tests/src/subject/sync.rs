//! One sync of the controller: `Reset(snapshot)`, one step, and what it decided.
//!
//! The answer: `eligibility` (by node: `shouldRun`, `shouldContinueRunning`), `createOnNodes` and `deletePods` (names of
//! what was chosen), `patchPods`, `relabelPods` (names), `revisions` (`created`, `createdRevision`, `updated`,
//! `deleted`), `status` (what the sync writes; absent when it writes none), `eventReasons` ("type reason"), `error`.

use std::collections::BTreeMap;

use rollcast_core::KubernetesVersion;
use rollcast_core::api::DaemonSet;
use rollcast_core::controller::{Action, Change, Controller, ExpectationsMode, Snapshot};
use rollcast_core::placement::{PlacementRules, eligibility};
use rollcast_core::time::Timestamp;
use serde_json::{Value, json};

use super::field;

/// Answers one line.
pub fn answer(line: &Value) -> Value {
    let daemon_set: DaemonSet = field(line, "daemonSet");
    let now = line["now"].as_str().and_then(Timestamp::parse).unwrap_or_else(|| panic!("`now`: {}", line["now"]));
    let rules = PlacementRules::of(&daemon_set.spec.template, KubernetesVersion::default());
    let snapshot = Snapshot {
        daemon_sets: vec![daemon_set],
        nodes: field(line, "nodes"),
        pods: field(line, "pods"),
        revisions: field(line, "controllerRevisions"),
    };
    let standings: BTreeMap<String, Value> = snapshot
        .nodes
        .iter()
        .map(|node| {
            let found = eligibility(&rules, node);
            let pair = json!({
                "shouldRun": found.should_run,
                "shouldContinueRunning": found.should_continue_running,
            });
            (node.metadata.name.to_string(), pair)
        })
        .collect();

    let mut controller = Controller::new(ExpectationsMode::Observed);
    controller.observe(Change::Reset(Box::new(snapshot)));
    let step = controller.step(now);

    let mut decided = Decided::default();
    for decision in step.batches.iter().flat_map(|batch| &batch.decisions) {
        decided.take(&decision.action);
    }
    json!({
        "eligibility": standings,
        "createOnNodes": decided.create_on_nodes,
        "deletePods": decided.delete_pods,
        "patchPods": decided.patch_pods,
        "relabelPods": decided.relabel_pods,
        "revisions": {
            "created": decided.created_revision.is_some(),
            "createdRevision": decided.created_revision,
            "updated": decided.updated_revisions,
            "deleted": decided.deleted_revisions,
        },
        "status": decided.status,
        "eventReasons": decided.event_reasons,
        "error": step.error.is_some(),
    })
}

#[derive(Default)]
struct Decided {
    create_on_nodes: Vec<String>,
    delete_pods: Vec<String>,
    patch_pods: Vec<String>,
    relabel_pods: Vec<String>,
    created_revision: Option<i64>,
    updated_revisions: Vec<String>,
    deleted_revisions: Vec<String>,
    status: Option<Value>,
    event_reasons: Vec<String>,
}

impl Decided {
    fn take(&mut self, action: &Action) {
        match action {
            Action::CreatePod { node, .. } => self.create_on_nodes.push(node.to_string()),
            Action::DeletePod { pod, .. } => self.delete_pods.push(pod.name.to_string()),
            Action::AdoptPod { pod } | Action::ReleasePod { pod } => self.patch_pods.push(pod.name.to_string()),
            Action::RelabelPod { pod, .. } => self.relabel_pods.push(pod.name.to_string()),
            Action::CreateRevision(revision) => self.created_revision = Some(revision.revision),
            Action::AdoptRevision(key)
            | Action::ReleaseRevision(key)
            | Action::LabelRevision(key)
            | Action::RenumberRevision { revision: key, .. } => self.updated_revisions.push(key.name.to_string()),
            Action::DeleteRevision(key) => self.deleted_revisions.push(key.name.to_string()),
            Action::UpdateStatus(status) => {
                self.status = Some(serde_json::to_value(status).expect("numbers"));
            }
            Action::RecordEvent { event_type, event, .. } => {
                self.event_reasons.push(format!("{} {}", event_type.as_str(), event.as_str()));
            }
        }
    }
}

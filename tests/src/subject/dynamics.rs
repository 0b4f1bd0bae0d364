//! A controller with expectations, back-off and slow start, told things step by step.
//!
//! The answer: `script`, one element for each of the line's: for `sync` the fields of its `expect`, for
//! `podsBecomeReady` `requeueAfterSeconds`, for the others nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use rollcast_core::api::{
    Condition, ConditionStatus, ControllerRevision, DaemonSet, Node, ObjectKey, ObjectMeta, OwnerReference, Pod,
    PodPhase, PodTemplate,
};
use rollcast_core::controller::{
    Action, BatchKind, Change, Controller, ExpectationsMode, Outcome, PodKey, Rejection, Requeue, RequeueReason,
    Snapshot,
};
use rollcast_core::history::template_patch;
use rollcast_core::time::Timestamp;
use serde_json::{Value, json};

/// Answers one line.
pub fn answer(line: &Value) -> Value {
    let mut world = World::new(line);
    let steps: Vec<Value> = line["script"].as_array().into_iter().flatten().map(|step| world.play(step)).collect();
    json!({ "script": steps })
}

/// What the script acts upon, and what the controller sees of it.
struct World {
    controller: Controller,
    now: Timestamp,
    key: ObjectKey,
    daemon_set: DaemonSet,
    revisions: BTreeMap<ObjectKey, ControllerRevision>,
    nodes: u64,
    /// Created and not yet seen, in order.
    unseen: Vec<Pod>,
    /// Seen and not yet gone, by appearance.
    seen: Vec<Pod>,
    /// Deleted by the controller and not yet gone, in order.
    deleted: Vec<PodKey>,
    /// How many of `deleted` were seen terminating.
    terminating: usize,
    pods_made: u64,
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_default()
}

fn count(step: &Value) -> usize {
    usize::try_from(number(&step["count"])).expect("a small number")
}

fn template(version: &str) -> PodTemplate {
    let json = json!({
        "metadata": {"labels": {"app": "agent"}},
        "spec": {"containers": [{"name": "main", "image": format!("registry.example/agent:{version}")}]},
    });
    PodTemplate::from_json(json).expect("a template")
}

fn version_of(pod: &Pod) -> String {
    pod.metadata.annotations.get("version").map(ToString::to_string).unwrap_or_default()
}

impl World {
    fn new(line: &Value) -> Self {
        let now = Timestamp::parse("2026-01-01T00:00:00Z").expect("a time");
        let mut daemon_set: DaemonSet = serde_json::from_value(json!({
            "metadata": {"name": "agent", "namespace": "default", "uid": "ds-uid", "generation": 1},
            "spec": {
                "selector": {"matchLabels": {"app": "agent"}},
                "updateStrategy": line["updateStrategy"],
                "minReadySeconds": line["minReadySeconds"],
            },
        }))
        .expect("a DaemonSet");
        daemon_set.spec.template = template("v1");
        let mut world = Self {
            controller: Controller::new(ExpectationsMode::Observed),
            now,
            key: daemon_set.metadata.key(),
            daemon_set,
            revisions: BTreeMap::new(),
            nodes: number(&line["nodes"]),
            unseen: Vec::new(),
            seen: Vec::new(),
            deleted: Vec::new(),
            terminating: 0,
            pods_made: 0,
        };
        if line["start"] == "old" {
            let revision = ControllerRevision {
                metadata: ObjectMeta {
                    name: "agent-first".into(),
                    labels: [("app", "agent"), (Pod::REVISION_HASH_LABEL, "first")].into_iter().collect(),
                    ..world.owned("agent-first", "revision-first")
                },
                data: template_patch(template("v1").json()),
                revision: 1,
            };
            world.revisions.insert(revision.metadata.key(), revision);
            let long_ago = Timestamp::parse("2025-12-01T00:00:00Z").expect("a time");
            for node in 0..world.nodes {
                let mut pod = world.pod(&format!("old-{node}"), &node_name(node), "first");
                pod.metadata.creation_timestamp = Some(long_ago);
                set_ready(&mut pod, true, long_ago);
                world.seen.push(pod);
            }
        }
        let snapshot = Snapshot {
            daemon_sets: vec![world.daemon_set.clone()],
            nodes: (0..world.nodes).map(node).collect(),
            pods: world.seen.clone(),
            revisions: world.revisions.values().cloned().collect(),
        };
        world.controller.observe(Change::Reset(Box::new(snapshot)));
        world
    }

    fn owned(&self, name: &str, uid: &str) -> ObjectMeta {
        ObjectMeta {
            name: name.into(),
            namespace: self.key.namespace.clone(),
            uid: uid.into(),
            owner_references: vec![OwnerReference {
                api_version: "apps/v1".into(),
                kind: "DaemonSet".into(),
                name: self.key.name.clone(),
                uid: self.daemon_set.metadata.uid.clone(),
                controller: true,
                block_owner_deletion: true,
            }],
            ..ObjectMeta::default()
        }
    }

    /// A bound, running pod of the present version.
    fn pod(&mut self, name: &str, node: &str, revision: &str) -> Pod {
        self.pods_made += 1;
        let version = self.daemon_set.spec.template.spec().containers[0].image.rsplit(':').next().unwrap_or_default();
        let mut pod = Pod {
            metadata: ObjectMeta {
                labels: [("app", "agent"), (Pod::REVISION_HASH_LABEL, revision)].into_iter().collect(),
                annotations: [("version", version)].into_iter().collect(),
                ..self.owned(name, &format!("uid-{}", self.pods_made))
            },
            ..Pod::default()
        };
        pod.spec.node_name = node.into();
        pod.status.phase = PodPhase::Running;
        pod
    }

    fn play(&mut self, step: &Value) -> Value {
        match step["do"].as_str().unwrap_or_default() {
            "sync" => return self.sync(step),
            "podsBecomeReady" => {
                let mut asked = None;
                for index in self.running(|pod| !pod.is_ready()).into_iter().take(count(step)) {
                    let now = self.now;
                    set_ready(&mut self.seen[index], true, now);
                    asked = self.show(index);
                }
                return json!({ "requeueAfterSeconds": seconds(asked.iter()) });
            }
            "podsObserved" => {
                for mut pod in drain_first(&mut self.unseen, count(step)) {
                    pod.metadata.creation_timestamp = Some(self.now);
                    set_ready(&mut pod, false, self.now);
                    self.seen.push(pod);
                    self.show(self.seen.len() - 1);
                }
            }
            "newestPodsFail" => {
                for index in self.running(|_| true).into_iter().rev().take(count(step)) {
                    let now = self.now;
                    self.seen[index].status.phase = PodPhase::Failed;
                    set_ready(&mut self.seen[index], false, now);
                    self.show(index);
                }
            }
            "deletedPodsSeenTerminating" => {
                let next = self.terminating..self.deleted.len();
                for key in self.deleted[next].iter().take(count(step)).cloned().collect::<Vec<_>>() {
                    self.terminating += 1;
                    if let Some(index) = self.seen.iter().position(|pod| pod.metadata.uid == key.uid) {
                        self.seen[index].metadata.deletion_timestamp = Some(self.now);
                        self.show(index);
                    }
                }
            }
            "deletedPodsGone" => {
                for key in drain_first(&mut self.deleted, count(step)) {
                    self.terminating = self.terminating.saturating_sub(1);
                    self.seen.retain(|pod| pod.metadata.uid != key.uid);
                    self.controller.observe(Change::PodGone(key));
                }
            }
            "secondsPass" => self.now = self.now.saturating_add(Duration::from_secs(number(&step["count"]))),
            "templateChanges" => {
                self.daemon_set.spec.template = template(step["which"].as_str().unwrap_or_default());
                self.daemon_set.metadata.generation += 1;
                self.controller.observe(Change::DaemonSet(Box::new(self.daemon_set.clone())));
            }
            "nodeJoins" => {
                for _ in 0..count(step) {
                    self.controller.observe(Change::Node(Box::new(node(self.nodes))));
                    self.nodes += 1;
                }
            }
            unknown => panic!("the script says `{unknown}`"),
        }
        json!({})
    }

    /// Indexes of the pods that are running and not deleted, by appearance.
    fn running(&self, which: impl Fn(&Pod) -> bool) -> Vec<usize> {
        let deleted: BTreeSet<&str> = self.deleted.iter().map(|key| key.uid.as_str()).collect();
        let is_running = |pod: &Pod| {
            pod.status.phase == PodPhase::Running && !deleted.contains(pod.metadata.uid.as_str()) && which(pod)
        };
        (0..self.seen.len()).filter(|index| is_running(&self.seen[*index])).collect()
    }

    fn show(&mut self, index: usize) -> Option<Requeue> {
        self.controller.observe(Change::Pod(Box::new(self.seen[index].clone())))
    }

    fn sync(&mut self, step: &Value) -> Value {
        let left = |limit: &Value| limit.as_u64().unwrap_or(u64::MAX);
        let (mut creations_left, mut deletions_left) =
            (left(&step["creationsThatSucceed"]), left(&step["deletionsThatSucceed"]));
        self.controller.enqueue(&self.key);
        let decided = self.controller.step(self.now);

        let (mut creations, mut created, mut deletions) = (0, 0, 0);
        let mut deleted: BTreeMap<String, u64> = BTreeMap::new();
        let mut error = decided.error.is_some();
        let mut creation_failed = false;
        let mut status = None;
        let mut seen_next = Vec::new();
        for batch in &decided.batches {
            let skipped =
                batch.kind == BatchKind::Create && creation_failed || batch.kind == BatchKind::CleanUp && error;
            for decision in &batch.decisions {
                let refused = Outcome::Rejected(Rejection::Forbidden);
                let outcome = match &decision.action {
                    _ if skipped => Outcome::Skipped,
                    Action::CreatePod { node, name, revision } => {
                        creations += 1;
                        if creations_left > 0 {
                            creations_left -= 1;
                            created += 1;
                            let pod = self.pod(name, node, revision);
                            self.unseen.push(pod);
                            Outcome::Applied
                        } else {
                            creation_failed = true;
                            refused
                        }
                    }
                    Action::DeletePod { pod, .. } => {
                        deletions += 1;
                        if deletions_left > 0 {
                            deletions_left -= 1;
                            let version = self.seen.iter().find(|seen| seen.metadata.uid == pod.uid).map(version_of);
                            *deleted.entry(version.unwrap_or_default()).or_default() += 1;
                            self.deleted.push(pod.clone());
                            Outcome::Applied
                        } else {
                            refused
                        }
                    }
                    Action::CreateRevision(revision) => {
                        self.revisions.insert(revision.metadata.key(), (**revision).clone());
                        seen_next.push(Change::Revision(revision.clone()));
                        Outcome::Applied
                    }
                    Action::RenumberRevision { revision, number } => {
                        if let Some(stored) = self.revisions.get_mut(revision) {
                            stored.revision = *number;
                            seen_next.push(Change::Revision(Box::new(stored.clone())));
                        }
                        Outcome::Applied
                    }
                    Action::DeleteRevision(key) => {
                        self.revisions.remove(key);
                        seen_next.push(Change::RevisionGone(key.clone()));
                        Outcome::Applied
                    }
                    Action::UpdateStatus(written) => {
                        self.daemon_set.status = written.clone();
                        status = Some(serde_json::to_value(written).expect("numbers"));
                        seen_next.push(Change::DaemonSet(Box::new(self.daemon_set.clone())));
                        Outcome::Applied
                    }
                    _ => Outcome::Applied,
                };
                error |= matches!(outcome, Outcome::Rejected(_));
                self.controller.complete(self.now, decision.id, outcome);
            }
        }
        for change in seen_next {
            self.controller.observe(change);
        }
        let expected = self.controller.expectations(&self.key);
        json!({
            "creationAttempts": creations,
            "created": created,
            "deletionAttempts": deletions,
            "deleted": deleted,
            "error": error,
            "expectedCreations": expected.creations,
            "expectedDeletions": expected.deletions,
            "status": status,
            "requeueAfterSeconds": seconds(decided.requeues.iter()),
        })
    }
}

fn node_name(index: u64) -> String {
    format!("node-{index:05}")
}

fn node(index: u64) -> Node {
    let metadata = ObjectMeta { name: node_name(index).into(), ..ObjectMeta::default() };
    Node { metadata, ..Node::default() }
}

fn set_ready(pod: &mut Pod, ready: bool, since: Timestamp) {
    pod.status.conditions = vec![Condition {
        condition_type: "Ready".into(),
        status: if ready { ConditionStatus::True } else { ConditionStatus::False },
        last_transition_time: Some(since),
        ..Condition::default()
    }];
}

fn drain_first<T>(list: &mut Vec<T>, count: usize) -> Vec<T> {
    list.drain(..count.min(list.len())).collect()
}

/// The distinct lengths that upstream's handlers and phases ask for; retries and lapses are not among them.
fn seconds<'a>(requeues: impl Iterator<Item = &'a Requeue>) -> Vec<u64> {
    let asked = requeues.filter(|requeue| {
        matches!(requeue.reason, RequeueReason::FailedPodBackOff | RequeueReason::PodBecomesAvailable)
    });
    let distinct: BTreeSet<u64> = asked.map(|requeue| requeue.after.as_secs()).collect();
    distinct.into_iter().collect()
}

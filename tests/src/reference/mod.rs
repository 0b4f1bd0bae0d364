//! The rules once more, from scratch: what one sync of the DaemonSet controller decides.
//!
//! Written from the description of upstream's behaviour alone, as plainly as possible: every sync looks at everything,
//! nothing is indexed, no code is shared with `core` but the types that hold Kubernetes objects. Where upstream is free
//! to choose, a [`Choice`] says what must be taken, from what, and how many.

mod eligibility;
mod history;
mod manage;
mod memory;
mod pods;
mod rolling;
mod status;

use std::collections::{BTreeMap, BTreeSet};

use rollcast_core::KubernetesVersion;
use rollcast_core::api::{DaemonSet, DaemonSetStatus, Node, Pod};
use rollcast_core::controller::Snapshot;
use rollcast_core::time::Timestamp;
use serde_json::{Value, json};

pub use eligibility::{Eligible, eligibility};
pub use memory::{BackOff, Expectations, Memory};
pub use pods::is_available;
pub use rolling::resolve;

/// At most so many creations, and so many deletions, in one sync.
pub const BURST: usize = 250;

/// What is taken of several: all of `must`, the rest from `among`, `count` in all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// How many.
    pub count: usize,
    /// Taken in any case.
    pub must: BTreeSet<String>,
    /// What may be taken, `must` included.
    pub among: BTreeSet<String>,
}

impl Choice {
    fn all(names: BTreeSet<String>) -> Self {
        Self { count: names.len(), must: names.clone(), among: names }
    }

    /// All of `first`, then `count` of `then`; the first [`BURST`] of that.
    fn first_then(first: BTreeSet<String>, then: &BTreeSet<String>, count: usize) -> Self {
        let count = first.len() + count.min(then.len());
        let all = || first.union(then).cloned().collect::<BTreeSet<_>>();
        if first.len() > BURST {
            return Self { count: BURST, must: BTreeSet::new(), among: first };
        }
        let capped = count.min(BURST);
        if count == first.len() {
            Self::all(first)
        } else if capped == first.len() + then.len() {
            Self::all(all())
        } else {
            Self { count: capped, among: all(), must: first }
        }
    }

    fn to_json(&self) -> Value {
        json!({"count": self.count, "must": self.must, "among": self.among})
    }
}

/// What one sync decides.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// By node: should run, should continue running.
    pub eligibility: BTreeMap<String, Eligible>,
    /// Nodes that get a pod.
    pub create: Choice,
    /// Pods that are deleted.
    pub delete: Choice,
    /// Orphans that are adopted and own pods that are released.
    pub patch: BTreeSet<String>,
    /// Pods that get another `controller-revision-hash`.
    pub relabel: BTreeSet<String>,
    /// The number of the revision that is created.
    pub created_revision: Option<i64>,
    /// Revisions that change: adopted, released, labelled, renumbered.
    pub updated_revisions: BTreeSet<String>,
    /// Revisions that are deleted.
    pub deleted_revisions: BTreeSet<String>,
    /// The status that is written.
    pub status: Option<DaemonSetStatus>,
    /// "type reason", one for each event.
    pub events: Vec<String>,
    /// Whether the sync ends with an error.
    pub error: bool,
    /// After how many seconds the DaemonSet is looked at again.
    pub requeue_after_seconds: BTreeSet<u64>,
}

impl Verdict {
    /// The verdict as the `expect` of a sync vector.
    pub fn to_expect(&self) -> Value {
        let eligibility: BTreeMap<_, _> = self
            .eligibility
            .iter()
            .map(|(node, eligible)| {
                let Eligible { should_run, should_continue_running } = eligible;
                (node, json!({"shouldRun": should_run, "shouldContinueRunning": should_continue_running}))
            })
            .collect();
        json!({
            "eligibility": eligibility,
            "createOnNodes": self.create.to_json(),
            "deletePods": self.delete.to_json(),
            "patchPods": self.patch,
            "relabelPods": self.relabel,
            "revisions": {
                "created": self.created_revision.is_some(),
                "createdRevision": self.created_revision,
                "updated": self.updated_revisions,
                "deleted": self.deleted_revisions,
            },
            "status": self.status,
            "eventReasons": self.events,
            "error": self.error,
        })
    }
}

/// One node, what the template says about it, and the pods that count for it.
struct NodeView<'a> {
    node: &'a Node,
    eligible: Eligible,
    pods: Vec<&'a Pod>,
}

/// One sync: the steps of `syncDaemonSet`, in order.
pub fn sync(now: Timestamp, daemon_set: &DaemonSet, snapshot: &Snapshot, memory: &mut Memory) -> Verdict {
    sync_at(KubernetesVersion::default(), now, daemon_set, snapshot, memory, None)
}

/// The same, `created_hash` being the one that a revision gets that is created in this sync: how a hash is computed is
/// no rule, but pods may carry it from a time when that revision existed.
pub fn sync_at(
    version: KubernetesVersion,
    now: Timestamp,
    daemon_set: &DaemonSet,
    snapshot: &Snapshot,
    memory: &mut Memory,
    created_hash: Option<&str>,
) -> Verdict {
    let mut verdict = Verdict::default();
    for node in &snapshot.nodes {
        let eligible = eligibility(&daemon_set.spec.template, node);
        verdict.eligibility.insert(node.metadata.name.to_string(), eligible);
    }

    if daemon_set.spec.selector.is_empty() {
        verdict.events.push("Warning SelectingAll".to_owned());
        return verdict;
    }
    if daemon_set.metadata.is_being_deleted() {
        return verdict;
    }

    let own_pods = pods::claim(daemon_set, &snapshot.pods, &mut verdict.patch);
    let history = history::build(daemon_set, &snapshot.revisions, &own_pods, &mut verdict);
    let pods_by_node = pods::by_node(version, &own_pods);
    let nodes: Vec<NodeView<'_>> = snapshot
        .nodes
        .iter()
        .map(|node| {
            let name = node.metadata.name.as_str();
            let eligible = verdict.eligibility[name];
            NodeView { node, eligible, pods: pods_by_node.get(name).cloned().unwrap_or_default() }
        })
        .collect();
    let view = View {
        version,
        now,
        daemon_set,
        current_hash: history.current_hash.clone().or_else(|| created_hash.map(str::to_owned)),
        nodes,
        pods_by_node,
    };

    let expected = memory.expectations.is_satisfied(now);
    if expected {
        manage::manage(&view, memory, &mut verdict);
        memory.expectations.set(verdict.create.count, verdict.delete.count, now);
        if memory.expectations.is_satisfied(now) {
            match rolling::update(&view) {
                Some(Ok((create, delete))) => {
                    memory.expectations.set(create.count, delete.count, now);
                    (verdict.create, verdict.delete) = (create, delete);
                }
                Some(Err(rolling::NodeIsGone)) => verdict.error = true,
                None => {}
            }
        }
        if !verdict.error {
            history::clean_up(daemon_set, &history, &own_pods, &mut verdict);
        }
    }
    // Before 1.27 the first error was the end of it.
    if !verdict.error || version >= KubernetesVersion::V1_27 {
        status::update(&view, expected, &mut verdict);
    }
    verdict
}

/// What the parts of a sync look at.
struct View<'a> {
    version: KubernetesVersion,
    now: Timestamp,
    daemon_set: &'a DaemonSet,
    /// None when the revision is created in this very sync and its hash is not known.
    current_hash: Option<String>,
    nodes: Vec<NodeView<'a>>,
    pods_by_node: BTreeMap<&'a str, Vec<&'a Pod>>,
}

impl View<'_> {
    fn desired(&self) -> usize {
        self.nodes.iter().filter(|view| view.eligible.should_run).count()
    }

    fn is_updated(&self, pod: &Pod) -> bool {
        pods::is_updated(self.version, self.daemon_set, self.current_hash.as_deref(), pod)
    }

    fn is_available(&self, pod: &Pod) -> bool {
        let seconds = self.daemon_set.spec.min_ready_seconds;
        if self.version < KubernetesVersion::V1_34 && seconds > 0 {
            // Longer than that: not at the very moment.
            let just_before = Timestamp::from_micros(self.now.as_micros() - 1);
            return is_available(pod, seconds, just_before);
        }
        is_available(pod, seconds, self.now)
    }
}

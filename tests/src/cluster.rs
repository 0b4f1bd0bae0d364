//! A cluster that a test plays step by step: API server, scheduler and kubelets around one `Controller`.
//!
//! Everything is seen at once and nothing fails unless the test says so. Time moves only when told to. A pod is bound
//! as soon as it fits, is ready `ready_after` seconds later and gone `gone_after` seconds after its deletion.

mod kubelet;
mod objects;
mod sync;

use std::collections::BTreeSet;
use std::time::Duration;

use rollcast_core::KubernetesVersion;
use rollcast_core::api::{ConditionStatus, DaemonSet, DaemonSetStatus, Node, ObjectKey, Pod, PodTemplate, Text};
use rollcast_core::controller::{Change, Controller, ExpectationsMode, PodKey, Snapshot};
use rollcast_core::time::Timestamp;
use serde_json::Value;

pub use objects::{
    agent, agent_with, edit_template, foreign_pod, image, labelled, node, nodes, on_delete, own_pod, ready_since,
    requesting, revision, set_ready, surge, taint, tainted, template_with, unavailable, with_condition, with_image,
    with_memory,
};
pub use sync::{Deleted, Synced};

/// Second 0 of every test.
pub const START: Timestamp = Timestamp::from_seconds(1_767_225_600);

/// The cluster.
pub struct Cluster {
    /// The moment.
    pub now: Timestamp,
    /// The engine under test.
    pub controller: Controller,
    /// Everything there is.
    pub snapshot: Snapshot,
    /// How long a bound pod takes to be ready; none: it never is.
    pub ready_after: Option<Duration>,
    /// How long a deleted pod takes to be gone; none: at once, without being seen terminating.
    pub gone_after: Option<Duration>,
    /// Images that never become ready.
    pub broken_images: BTreeSet<String>,
    /// Nodes whose kubelet does not answer: pods there neither become ready nor end.
    pub lost_nodes: BTreeSet<Text>,
    /// The API server admits pods of the DaemonSet until there are so many.
    pub quota: Option<usize>,
    /// Whether nothing can be adopted: a live read says that the DaemonSet is being deleted.
    pub refuses_adoption: bool,
    /// Whether the status cannot be written.
    pub refuses_status: bool,
    /// What was done, by second.
    pub log: Vec<Logged>,
    /// The fewest available pods at any moment since the log was cleared.
    pub fewest_available: usize,
    mode: ExpectationsMode,
    version: KubernetesVersion,
    origin: Timestamp,
    daemon_set: ObjectKey,
    wake_at: Option<Timestamp>,
    serial: u32,
}

/// What was done at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logged {
    /// The second, as [`Cluster::second`] counts.
    pub at: i64,
    /// Nodes that got a pod.
    pub created: Vec<Text>,
    /// Nodes whose pod was deleted.
    pub deleted: Vec<Text>,
}

impl Cluster {
    /// A cluster with nodes and one DaemonSet, seen by a controller with real expectations.
    pub fn new(daemon_set: DaemonSet, nodes: Vec<Node>) -> Self {
        Self::with_mode(ExpectationsMode::Observed, daemon_set, nodes)
    }

    /// The same as upstream's unit tests see it: creations and deletions are seen within the sync, pods vanish at once
    /// and become ready only when told to.
    pub fn of_unit_test(daemon_set: DaemonSet, nodes: Vec<Node>) -> Self {
        let mut cluster = Self::with_mode(ExpectationsMode::MetAtOnce, daemon_set, nodes);
        cluster.ready_after = None;
        cluster.gone_after = None;
        cluster
    }

    fn with_mode(mode: ExpectationsMode, mut daemon_set: DaemonSet, nodes: Vec<Node>) -> Self {
        objects::store(&mut daemon_set);
        let key = daemon_set.metadata.key();
        let mut cluster = Self {
            now: START,
            controller: Controller::new(mode),
            snapshot: Snapshot { daemon_sets: vec![daemon_set], ..Snapshot::default() },
            ready_after: Some(Duration::from_secs(5)),
            gone_after: Some(Duration::from_secs(2)),
            broken_images: BTreeSet::new(),
            lost_nodes: BTreeSet::new(),
            quota: None,
            refuses_adoption: false,
            refuses_status: false,
            log: Vec::new(),
            fewest_available: usize::MAX,
            mode,
            version: KubernetesVersion::default(),
            origin: START,
            daemon_set: key,
            wake_at: None,
            serial: 0,
        };
        cluster.snapshot.nodes = nodes;
        cluster.restart();
        cluster
    }

    /// The same under a controller of another release, which has just started.
    #[must_use]
    pub fn at(mut self, version: KubernetesVersion) -> Self {
        self.version = version;
        self.restart();
        self
    }

    /// Starts the controller anew: it knows what is there and nothing of what was.
    pub fn restart(&mut self) {
        self.controller = Controller::new(self.mode).with_version(self.version);
        self.controller.observe(Change::Reset(Box::new(self.snapshot.clone())));
    }

    /// Plays until every node that should run a pod has one that is available, then forgets what was done.
    #[must_use]
    pub fn rolled_out(mut self) -> Self {
        self.run_for(Duration::from_mins(10));
        assert_eq!(self.status().number_available, self.status().desired_number_scheduled, "{:?}", self.status());
        self.forget_log();
        self
    }

    /// Forgets what was done and how few pods were available; the present moment is second 0.
    pub fn forget_log(&mut self) {
        self.origin = self.now;
        self.log.clear();
        self.fewest_available = usize::MAX;
    }

    /// Seconds since [`START`], or since the log was forgotten.
    pub fn second(&self) -> i64 {
        self.now.as_seconds() - self.origin.as_seconds()
    }

    /// The DaemonSet.
    pub fn daemon_set(&self) -> &DaemonSet {
        let found = self.snapshot.daemon_sets.iter().find(|daemon_set| daemon_set.metadata.key() == self.daemon_set);
        found.expect("the DaemonSet is there")
    }

    /// What its status says.
    pub fn status(&self) -> &DaemonSetStatus {
        &self.daemon_set().status
    }

    /// DESIRED, CURRENT, READY, UP-TO-DATE, AVAILABLE, as kubectl prints them.
    pub fn columns(&self) -> [i32; 5] {
        let status = self.status();
        [
            status.desired_number_scheduled,
            status.current_number_scheduled,
            status.number_ready,
            status.updated_number_scheduled,
            status.number_available,
        ]
    }

    /// Changes the DaemonSet as the API server lets a person do: a changed spec raises the generation, a changed
    /// template the template's generation.
    pub fn change(&mut self, edit: impl FnOnce(&mut DaemonSet)) {
        let before = self.daemon_set().clone();
        let mut after = before.clone();
        edit(&mut after);
        objects::raise_generations(&before, &mut after);
        self.put_daemon_set(after);
    }

    /// Sets the image of the first container.
    pub fn set_image(&mut self, version: &str) {
        self.change(|daemon_set| *daemon_set = with_image(daemon_set.clone(), version));
    }

    /// Changes the template's JSON.
    pub fn change_template(&mut self, edit: impl FnOnce(&mut Value)) {
        self.change(|daemon_set| edit_template(daemon_set, edit));
    }

    /// Puts a DaemonSet as it is.
    pub fn put_daemon_set(&mut self, daemon_set: DaemonSet) {
        let key = daemon_set.metadata.key();
        self.snapshot.daemon_sets.retain(|other| other.metadata.key() != key);
        self.snapshot.daemon_sets.push(daemon_set.clone());
        self.controller.observe(Change::DaemonSet(Box::new(daemon_set)));
    }

    /// Deletes a DaemonSet and leaves its pods and revisions, which lose their owner when they are orphaned.
    pub fn delete_daemon_set(&mut self, orphan: bool) {
        let (key, uid) = (self.daemon_set.clone(), self.daemon_set().metadata.uid.clone());
        self.snapshot.daemon_sets.retain(|daemon_set| daemon_set.metadata.key() != key);
        self.controller.observe(Change::DaemonSetGone(key));
        if orphan {
            for pod in self.snapshot.pods.clone() {
                self.change_pod(&pod.metadata.name, |pod| {
                    pod.metadata.owner_references.retain(|owner| owner.uid != uid);
                });
            }
            for mut revision in self.snapshot.revisions.clone() {
                revision.metadata.owner_references.retain(|owner| owner.uid != uid);
                self.put_revision(revision);
            }
        }
    }

    /// Stores the revision of the present template under the hash `current`, and makes `count` own pods of it on a node.
    pub fn add_own_pods(&mut self, node: &str, count: usize) {
        if self.snapshot.revisions.is_empty() {
            self.put_revision(revision(self.daemon_set(), "current", 1));
        }
        for _ in 0..count {
            self.serial += 1;
            let name = format!("own-{}", self.serial);
            let mut pod = own_pod(self.daemon_set(), node, &name);
            pod.metadata.labels = pod.metadata.labels.with(Pod::REVISION_HASH_LABEL, "current");
            self.put_pod(pod);
        }
    }

    /// The node of that name.
    pub fn node(&self, name: &str) -> &Node {
        self.snapshot.nodes.iter().find(|node| node.metadata.name == name).unwrap_or_else(|| panic!("no node {name}"))
    }

    /// Adds a node, or replaces the one of that name.
    pub fn put_node(&mut self, node: Node) {
        self.snapshot.nodes.retain(|other| other.metadata.name != node.metadata.name);
        self.snapshot.nodes.push(node.clone());
        self.snapshot.nodes.sort_by(|left, right| left.metadata.name.cmp(&right.metadata.name));
        self.controller.observe(Change::Node(Box::new(node)));
    }

    /// Changes a node.
    pub fn change_node(&mut self, name: &str, edit: impl FnOnce(&mut Node)) {
        let mut node = self.node(name).clone();
        edit(&mut node);
        self.put_node(node);
    }

    /// Removes a node; its pods stay.
    pub fn remove_node(&mut self, name: &str) {
        self.snapshot.nodes.retain(|node| node.metadata.name != name);
        self.controller.observe(Change::NodeGone(name.into()));
    }

    /// The pod of that name.
    pub fn pod(&self, name: &str) -> &Pod {
        self.snapshot.pods.iter().find(|pod| pod.metadata.name == name).unwrap_or_else(|| panic!("no pod {name}"))
    }

    /// Own pods of a node, bound or pinned to it, in order of creation.
    pub fn pods_on(&self, node: &str) -> Vec<&Pod> {
        let uid = self.daemon_set().metadata.uid.clone();
        let is_own = |pod: &&Pod| pod.metadata.controller_owner().is_some_and(|owner| owner.uid == uid);
        let target = |pod: &&Pod| rollcast_core::placement::target_node_of(pod).is_some_and(|target| target == node);
        let mut pods: Vec<&Pod> = self.snapshot.pods.iter().filter(is_own).filter(target).collect();
        pods.sort_by_key(|pod| (pod.metadata.creation_timestamp, pod.metadata.name.clone()));
        pods
    }

    /// The only own pod of a node.
    pub fn pod_on(&self, node: &str) -> &Pod {
        match self.pods_on(node).as_slice() {
            [pod] => pod,
            pods => panic!("{} pods on {node}", pods.len()),
        }
    }

    /// Adds a pod, or replaces the one of that name.
    pub fn put_pod(&mut self, pod: Pod) {
        let same = |other: &Pod| {
            other.metadata.name == pod.metadata.name && other.metadata.namespace == pod.metadata.namespace
        };
        match self.snapshot.pods.iter_mut().find(|other| same(other)) {
            Some(place) => *place = pod.clone(),
            None => self.snapshot.pods.push(pod.clone()),
        }
        self.controller.observe(Change::Pod(Box::new(pod)));
    }

    /// Changes a pod.
    pub fn change_pod(&mut self, name: &str, edit: impl FnOnce(&mut Pod)) {
        let mut pod = self.pod(name).clone();
        edit(&mut pod);
        self.put_pod(pod);
    }

    /// Removes a pod for good.
    pub fn remove_pod(&mut self, name: &str) {
        let pod = self.pod(name).clone();
        self.snapshot.pods.retain(|other| other.metadata.uid != pod.metadata.uid);
        let (namespace, name, uid) = (pod.metadata.namespace, pod.metadata.name, pod.metadata.uid);
        self.controller.observe(Change::PodGone(PodKey { namespace, name, uid }));
    }

    /// Deletes a pod as a person does: it ends within the time that pods take.
    pub fn delete_pod(&mut self, name: &str) {
        match self.gone_after.filter(|_| !self.pod(name).spec.node_name.is_empty()) {
            // Nobody runs it, or pods vanish in this test.
            None => self.remove_pod(name),
            Some(duration) => {
                let due = self.now.saturating_add(duration);
                self.change_pod(name, |pod| pod.metadata.deletion_timestamp = Some(due));
            }
        }
    }

    /// The kubelet of a node answers no more: its taints say so, its pods are not ready.
    pub fn lose_node(&mut self, name: &str) {
        self.lost_nodes.insert(name.into());
        self.change_node(name, |node| {
            let effects = ["NoSchedule", "NoExecute"];
            node.spec.taints.retain(|taint| taint.key != "node.kubernetes.io/unreachable");
            node.spec.taints.extend(effects.map(|effect| taint(&format!("node.kubernetes.io/unreachable:{effect}"))));
        });
        let now = self.now;
        let pods: Vec<_> = self.pods_on(name).iter().map(|pod| pod.metadata.name.clone()).collect();
        for pod in pods {
            self.change_pod(&pod, |pod| {
                pod.status.conditions = vec![objects::ready_condition(ConditionStatus::False, now)];
            });
        }
    }

    /// Makes every pod of the DaemonSet that is not ready ready now, and binds it.
    pub fn make_all_ready(&mut self) {
        let now = self.now;
        for pod in self.snapshot.pods.clone() {
            if !pod.is_ready() {
                self.change_pod(&pod.metadata.name, |pod| set_ready(pod, now));
            }
        }
    }

    /// Adds a revision, or replaces the one of that name.
    pub fn put_revision(&mut self, revision: rollcast_core::api::ControllerRevision) {
        self.snapshot.revisions.retain(|other| other.metadata.key() != revision.metadata.key());
        self.snapshot.revisions.push(revision.clone());
        self.controller.observe(Change::Revision(Box::new(revision)));
    }

    /// Numbers of the revisions, ascending.
    pub fn revision_numbers(&self) -> Vec<i64> {
        let mut numbers: Vec<i64> = self.snapshot.revisions.iter().map(|revision| revision.revision).collect();
        numbers.sort_unstable();
        numbers
    }

    /// The images of a node's own pods, in order of creation.
    pub fn images_on(&self, node: &str) -> Vec<String> {
        self.pods_on(node).into_iter().map(image).collect()
    }

    /// Own pods that are available now, being deleted or not.
    pub fn available(&self) -> usize {
        let minimum = self.daemon_set().spec.min_ready_seconds;
        let uid = &self.daemon_set().metadata.uid;
        let is_own = |pod: &&Pod| pod.metadata.controller_owner().is_some_and(|owner| owner.uid == *uid);
        let own = self.snapshot.pods.iter().filter(is_own);
        own.filter(|pod| crate::reference::is_available(pod, minimum, self.now)).count()
    }

    fn template_of(&self, hash: &str) -> PodTemplate {
        let carries = |label: Option<&Text>| label.is_some_and(|label| label == hash);
        let revision = self
            .snapshot
            .revisions
            .iter()
            .find(|revision| carries(revision.metadata.labels.get(Pod::REVISION_HASH_LABEL)))
            .unwrap_or_else(|| panic!("no revision with the hash {hash}"));
        let mut template = revision.data["spec"]["template"].clone();
        template.as_object_mut().expect("a template").remove("$patch");
        PodTemplate::from_json(template).expect("a template")
    }

    fn next_uid(&mut self) -> Text {
        self.serial += 1;
        format!("uid-{}", self.serial).into()
    }
}

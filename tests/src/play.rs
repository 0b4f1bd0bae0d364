//! A cluster that is edited at random, observed late, and synced by engine and reference side by side.
//!
//! What there is and what the controller has seen are two things here: every change of pods and nodes waits in a queue
//! until it is observed. Status and revisions are seen at once.

use std::collections::VecDeque;
use std::time::Duration;

use rollcast_core::KubernetesVersion;
use rollcast_core::api::{
    ControllerRevision, DaemonSet, DaemonSetStatus, ObjectKey, Pod, PodPhase, Text, UpdateStrategy,
};
use rollcast_core::controller::{
    Action, Change, Controller, DecisionId, ExpectationsMode, Outcome, PodKey, Snapshot, Step,
};
use rollcast_core::placement::target_node_of;
use rollcast_core::time::Timestamp;

use crate::cells::{self, Age, NOW, Standing, State};
use crate::decided::Decided;
use crate::executor::{self, Cluster as _, put};
use crate::reference::{self, Memory, Verdict};

pub use crate::executor::Fate;

/// One thing that happens. Numbers choose among what there is, modulo.
#[derive(Clone, Debug)]
pub enum Edit {
    /// A node appears.
    NodeJoins(Standing),
    /// A node stands otherwise towards the pod.
    NodeChanges(usize, Standing),
    /// A node is gone; its pods stay.
    NodeLeaves(usize),
    /// A pod that is not being deleted becomes ready, fails, …
    PodBecomes(usize, State),
    /// A pod ends well.
    PodSucceeds(usize),
    /// An unbound pod is bound to the node it is pinned to.
    PodIsBound(usize),
    /// A pod that is being deleted is gone, or any pod when none is.
    PodIsGone(usize),
    /// A pod loses or gets the label that the selector asks for.
    PodIsRelabelled(usize),
    /// A pod appears that nobody owns.
    OrphanAppears(usize, Age),
    /// Another template; the number is its version.
    Template(u8),
    /// Another strategy.
    Strategy(usize),
    /// Another `minReadySeconds`.
    MinReadySeconds(u8),
    /// Another `revisionHistoryLimit`.
    HistoryLimit(u8),
    /// The DaemonSet is deleted and created again.
    Recreated,
    /// Time passes.
    SecondsPass(u16),
    /// So many of the waiting changes are observed.
    Observed(u8),
    /// The controller starts anew and reads everything.
    Restart,
    /// A sync; what becomes of its decisions.
    Sync(Fate),
}

/// The cluster, the engine, and what the reference remembers.
#[derive(Clone)]
pub struct Play {
    /// The moment.
    pub now: Timestamp,
    /// The engine under test.
    pub controller: Controller,
    /// What there is.
    pub truth: Snapshot,
    /// What was observed.
    pub seen: Snapshot,
    /// What the reference remembers.
    pub memory: Memory,
    version: KubernetesVersion,
    waiting: VecDeque<Change>,
    serial: u32,
}

/// A sync of both.
pub struct Synced {
    /// The step of the engine.
    pub step: Step,
    /// What it decided.
    pub decided: Decided,
    /// What the reference says.
    pub verdict: Verdict,
}

impl Play {
    /// A cluster without nodes.
    pub fn new(budget: UpdateStrategy) -> Self {
        Self::at(KubernetesVersion::default(), budget)
    }

    /// The same of another release.
    pub fn at(version: KubernetesVersion, budget: UpdateStrategy) -> Self {
        let mut daemon_set = cells::daemon_set(budget);
        daemon_set.spec.min_ready_seconds = 0;
        let truth = Snapshot { daemon_sets: vec![daemon_set], ..Snapshot::default() };
        let mut play = Self {
            now: NOW,
            controller: controller(version),
            version,
            seen: truth.clone(),
            truth,
            memory: Memory::default(),
            waiting: VecDeque::new(),
            serial: 0,
        };
        play.controller.observe(Change::Reset(Box::new(play.seen.clone())));
        play
    }

    /// The DaemonSet.
    pub fn daemon_set(&self) -> &DaemonSet {
        &self.truth.daemon_sets[0]
    }

    /// Plays one edit; a sync is returned.
    pub fn edit(&mut self, edit: &Edit) -> Option<Synced> {
        match edit {
            Edit::NodeJoins(standing) => {
                let name = format!("node-{}", self.next());
                self.put_node(&name, *standing);
            }
            Edit::NodeChanges(choice, standing) => {
                if let Some(name) = self.node(*choice) {
                    self.put_node(&name, *standing);
                }
            }
            Edit::NodeLeaves(choice) => {
                if let Some(name) = self.node(*choice) {
                    self.truth.nodes.retain(|node| node.metadata.name != name);
                    self.waiting.push_back(Change::NodeGone(name));
                }
            }
            // What has ended does not come back.
            Edit::PodBecomes(choice, state) => self.change_pod(*choice, |pod, now| {
                if !pod.is_terminal() {
                    become_state(pod, *state, now);
                }
            }),
            Edit::PodSucceeds(choice) => self.change_pod(*choice, |pod, _| pod.status.phase = PodPhase::Succeeded),
            Edit::PodIsBound(choice) => self.change_pod(*choice, |pod, _| {
                if let Some(node) = target_node_of(pod).cloned() {
                    pod.spec.node_name = node;
                }
            }),
            Edit::PodIsGone(choice) => self.remove_some_pod(*choice),
            Edit::PodIsRelabelled(choice) => self.change_pod(*choice, |pod, _| {
                let other =
                    if pod.metadata.labels.get("app").is_some_and(|app| app == "agent") { "other" } else { "agent" };
                pod.metadata.labels = pod.metadata.labels.with("app", other);
            }),
            Edit::OrphanAppears(choice, age) => {
                if let Some(node) = self.node(*choice) {
                    let hash = self.hash_of(*age);
                    let mut pod = cells::pod(&format!("orphan-{}", self.next()), &node, &hash);
                    pod.metadata.creation_timestamp = Some(self.now);
                    pod.metadata.owner_references.clear();
                    self.put_pod(pod);
                }
            }
            Edit::Template(version) => {
                self.change_daemon_set(|daemon_set| daemon_set.spec.template = cells::template(&format!("v{version}")));
            }
            Edit::Strategy(choice) => {
                let budgets = cells::all_budgets();
                let strategy = budgets[choice % budgets.len()].clone();
                self.change_daemon_set(|daemon_set| daemon_set.spec.update_strategy = strategy);
            }
            Edit::MinReadySeconds(seconds) => {
                self.change_daemon_set(|daemon_set| daemon_set.spec.min_ready_seconds = (*seconds).into());
            }
            Edit::HistoryLimit(limit) => {
                self.change_daemon_set(|daemon_set| daemon_set.spec.revision_history_limit = Some((*limit).into()));
            }
            Edit::Recreated => self.recreate(),
            Edit::SecondsPass(seconds) => {
                self.now = self.now.saturating_add(Duration::from_secs((*seconds).into()));
            }
            Edit::Observed(count) => (0..*count).for_each(|_| self.observe_next()),
            Edit::Restart => {
                self.observe_all();
                self.controller = controller(self.version);
                self.controller.observe(Change::Reset(Box::new(self.seen.clone())));
                self.memory = Memory::default();
            }
            Edit::Sync(fate) => return Some(self.sync(*fate)),
        }
        None
    }

    /// Observes everything that waits.
    pub fn observe_all(&mut self) {
        while !self.waiting.is_empty() {
            self.observe_next();
        }
    }

    /// One sync of both; the decisions are carried out.
    pub fn sync(&mut self, fate: Fate) -> Synced {
        let synced = self.decide();
        self.carry_out(&synced.step, fate);
        synced
    }

    /// One sync of both; nothing is carried out yet.
    pub fn decide(&mut self) -> Synced {
        let daemon_set = self.seen.daemon_sets[0].clone();
        self.controller.enqueue(&daemon_set.metadata.key());
        let step = self.controller.step(self.now);
        let created_hash = step.batches.iter().flat_map(|batch| &batch.decisions).find_map(|decision| {
            let Action::CreateRevision(revision) = &decision.action else { return None };
            revision.metadata.labels.get(Pod::REVISION_HASH_LABEL).map(Text::as_str)
        });
        let verdict =
            reference::sync_at(self.version, self.now, &daemon_set, &self.seen, &mut self.memory, created_hash);
        Synced { decided: Decided::of(&step), step, verdict }
    }

    /// Carries decisions out as an executor does.
    pub fn carry_out(&mut self, step: &Step, fate: Fate) {
        let daemon_set = self.daemon_set().clone();
        executor::carry_out(self, self.version, &daemon_set, step, fate);
    }

    /// What a controller without a past would decide now.
    pub fn decided_afresh(&self) -> Decided {
        let mut controller = controller(self.version);
        controller.observe(Change::Reset(Box::new(self.seen.clone())));
        Decided::of(&controller.step(self.now))
    }

    /// Whether the reference remembers nothing that holds a decision back.
    pub fn has_no_past(&self) -> bool {
        self.memory.expectations.is_satisfied(self.now) && self.memory.back_off.is_empty()
    }

    /// Kubelets and the pod garbage collector do their work: what is bound or can be is available, what is being
    /// deleted or bound to a node that is gone goes.
    pub fn heal(&mut self) {
        for pod in self.truth.pods.clone() {
            let target = target_node_of(&pod);
            let is_lost =
                !self.truth.nodes.iter().any(|node| target.is_some_and(|target| node.metadata.name == *target));
            let is_bound = !pod.spec.node_name.is_empty();
            if pod.metadata.deletion_timestamp.is_some() || (is_lost && is_bound) {
                self.remove_pod(&pod.metadata.uid);
            } else if is_lost {
                // The controller deletes what waits for a node that is gone.
            } else if !pod.is_terminal() && !pod.is_ready() {
                let mut pod = pod;
                become_state(&mut pod, State::Available, self.now);
                self.put_pod(pod);
            }
        }
    }

    fn node(&self, choice: usize) -> Option<Text> {
        let nodes = &self.truth.nodes;
        Some(nodes.get(choice.checked_rem(nodes.len())?)?.metadata.name.clone())
    }

    fn put_node(&mut self, name: &str, standing: Standing) {
        let node = cells::node(name, standing);
        put(&mut self.truth.nodes, node.clone(), |node| node.metadata.name.clone());
        self.waiting.push_back(Change::Node(Box::new(node)));
    }

    /// Changes one of the pods that are not being deleted.
    fn change_pod(&mut self, choice: usize, edit: impl FnOnce(&mut Pod, Timestamp)) {
        let staying = |pod: &&Pod| pod.metadata.deletion_timestamp.is_none();
        let pods: Vec<&Pod> = self.truth.pods.iter().filter(staying).collect();
        let Some(index) = choice.checked_rem(pods.len()) else { return };
        let mut pod = pods[index].clone();
        edit(&mut pod, self.now);
        self.put_pod(pod);
    }

    fn remove_some_pod(&mut self, choice: usize) {
        let ending: Vec<&Pod> =
            self.truth.pods.iter().filter(|pod| pod.metadata.deletion_timestamp.is_some()).collect();
        let pods = if ending.is_empty() { self.truth.pods.iter().collect() } else { ending };
        let Some(index) = choice.checked_rem(pods.len()) else { return };
        let uid = pods[index].metadata.uid.clone();
        self.remove_pod(&uid);
    }

    fn change_daemon_set(&mut self, edit: impl FnOnce(&mut DaemonSet)) {
        let mut daemon_set = self.daemon_set().clone();
        let before = daemon_set.spec.clone();
        edit(&mut daemon_set);
        if daemon_set.spec != before {
            daemon_set.metadata.generation += 1;
        }
        self.put_daemon_set(daemon_set);
    }

    /// With another UID, what the old one owned being orphaned; pods that are being deleted go with it.
    fn recreate(&mut self) {
        let mut daemon_set = self.daemon_set().clone();
        daemon_set.metadata.uid = format!("uid-agent-{}", self.next()).into();
        daemon_set.metadata.generation = 1;
        daemon_set.status = DaemonSetStatus::default();
        self.memory = Memory::default();
        self.put_daemon_set(daemon_set);
        for mut revision in self.truth.revisions.clone() {
            revision.metadata.owner_references.clear();
            self.put_revision(revision);
        }
        for mut pod in self.truth.pods.clone() {
            if pod.metadata.deletion_timestamp.is_none() {
                pod.metadata.owner_references.clear();
                self.put_pod(pod);
            }
        }
    }

    fn hash_of(&self, age: Age) -> String {
        let mut revisions: Vec<_> = self.truth.revisions.iter().collect();
        revisions.sort_by_key(|revision| revision.revision);
        let found = if age == Age::New { revisions.last() } else { revisions.first() };
        let hash = found.and_then(|revision| revision.metadata.labels.get(Pod::REVISION_HASH_LABEL));
        hash.map_or_else(|| "none".to_owned(), ToString::to_string)
    }

    fn observe_next(&mut self) {
        let Some(change) = self.waiting.pop_front() else { return };
        match &change {
            Change::Node(node) => put(&mut self.seen.nodes, (**node).clone(), |node| node.metadata.name.clone()),
            Change::NodeGone(name) => self.seen.nodes.retain(|node| node.metadata.name != *name),
            Change::Pod(pod) => {
                let before = self.seen.pods.iter().find(|other| other.metadata.name == pod.metadata.name).cloned();
                self.expect(before.as_ref(), Some(pod));
                put(&mut self.seen.pods, (**pod).clone(), |pod| pod.metadata.name.clone());
            }
            Change::PodGone(key) => {
                let index =
                    self.seen.pods.iter().position(|pod| pod.metadata.uid == key.uid).expect("a pod that was seen");
                let before = self.seen.pods.remove(index);
                self.expect(Some(&before), None);
            }
            _ => unreachable!("only pods and nodes wait"),
        }
        self.controller.observe(change);
    }

    /// A creation is seen when the pod appears, a deletion when it is being deleted and again when it is gone.
    fn expect(&mut self, before: Option<&Pod>, after: Option<&Pod>) {
        let uid = self.daemon_set().metadata.uid.clone();
        let is_own = |pod: &Pod| pod.metadata.controller_owner().is_some_and(|owner| owner.uid == uid);
        let is_ending = |pod: &Pod| pod.metadata.deletion_timestamp.is_some();
        let expectations = &mut self.memory.expectations;
        match (before, after) {
            (None, Some(after)) if is_own(after) && !is_ending(after) => expectations.creations -= 1,
            (_, Some(after)) if is_own(after) && is_ending(after) => expectations.deletions -= 1,
            (Some(before), None) if is_own(before) => expectations.deletions -= 1,
            _ => {}
        }
    }

    /// Own pods that live and are not being deleted, as (node, revision).
    pub fn live_pods(&self) -> Vec<(Text, Text)> {
        let uid = &self.daemon_set().metadata.uid;
        let is_own = |pod: &&Pod| pod.metadata.controller_owner().is_some_and(|owner| owner.uid == *uid);
        let is_live = |pod: &&Pod| !pod.is_terminal() && pod.metadata.deletion_timestamp.is_none();
        let what = |pod: &Pod| {
            let revision = pod.metadata.labels.get(Pod::REVISION_HASH_LABEL).cloned().unwrap_or_default();
            (target_node_of(pod).cloned().unwrap_or_default(), revision)
        };
        self.truth.pods.iter().filter(is_own).filter(is_live).map(what).collect()
    }
}

impl executor::Cluster for Play {
    fn now(&self) -> Timestamp {
        self.now
    }

    fn truth(&self) -> &Snapshot {
        &self.truth
    }

    fn next(&mut self) -> u32 {
        self.serial += 1;
        self.serial
    }

    fn put_pod(&mut self, mut pod: Pod) {
        pod.metadata.resource_version = self.next().to_string().into();
        put(&mut self.truth.pods, pod.clone(), |pod| pod.metadata.name.clone());
        self.waiting.push_back(Change::Pod(Box::new(pod)));
    }

    fn remove_pod(&mut self, uid: &Text) {
        let Some(index) = self.truth.pods.iter().position(|pod| pod.metadata.uid == *uid) else { return };
        let metadata = self.truth.pods.remove(index).metadata;
        let key = PodKey { namespace: metadata.namespace, name: metadata.name, uid: metadata.uid };
        self.waiting.push_back(Change::PodGone(key));
    }

    fn put_revision(&mut self, revision: ControllerRevision) {
        let key = |revision: &ControllerRevision| revision.metadata.name.clone();
        put(&mut self.truth.revisions, revision.clone(), key);
        put(&mut self.seen.revisions, revision.clone(), key);
        self.controller.observe(Change::Revision(Box::new(revision)));
    }

    fn remove_revision(&mut self, key: &ObjectKey) {
        self.truth.revisions.retain(|revision| revision.metadata.key() != *key);
        self.seen.revisions.retain(|revision| revision.metadata.key() != *key);
        self.controller.observe(Change::RevisionGone(key.clone()));
    }

    fn put_daemon_set(&mut self, daemon_set: DaemonSet) {
        self.truth.daemon_sets = vec![daemon_set.clone()];
        self.seen.daemon_sets = vec![daemon_set.clone()];
        self.controller.observe(Change::DaemonSet(Box::new(daemon_set)));
    }

    fn complete(&mut self, _: &DaemonSet, decision: DecisionId, outcome: Outcome, is_expected_no_more: bool) {
        self.memory.expectations.creations -= i64::from(is_expected_no_more);
        self.controller.complete(self.now, decision, outcome);
    }
}

fn controller(version: KubernetesVersion) -> Controller {
    Controller::new(ExpectationsMode::Observed).with_version(version)
}

/// Sets the state of a pod that has not ended relative to the present moment; binds it, as nothing runs unbound.
fn become_state(pod: &mut Pod, state: State, now: Timestamp) {
    if pod.is_terminal() {
        // What has ended never runs again.
        if state == State::Terminating {
            pod.metadata.deletion_timestamp = Some(now.saturating_add(Duration::from_secs(30)));
        }
        return;
    }
    if let Some(node) = target_node_of(pod).cloned() {
        pod.spec.node_name = node;
    }
    cells::set_state(pod, state);
    let ago = if state == State::Available { 600 } else { 0 };
    let since = Timestamp::from_seconds(now.as_seconds() - ago);
    for condition in &mut pod.status.conditions {
        condition.last_transition_time = Some(since);
    }
    if state == State::Terminating {
        pod.metadata.deletion_timestamp = Some(now.saturating_add(Duration::from_secs(30)));
    }
}

//! Several DaemonSets on one cluster that is edited at random; whatever one of them decides is held against the
//! reference, and against an engine that has just started.
//!
//! Everything is seen at once: what is seen late is the matter of [`play`](crate::play).

use std::collections::BTreeMap;
use std::time::Duration;

use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any};
use proptest::prop_oneof;
use rollcast_core::KubernetesVersion;
use rollcast_core::api::{
    ControllerRevision, DaemonSet, Labels, Node, ObjectKey, OwnerReference, Pod, PodTemplate, Text,
};
use rollcast_core::controller::{
    Action, Change, Controller, Decision, DecisionId, ExpectationsMode, Outcome, PodKey, Rejection, Snapshot,
};
use rollcast_core::placement::target_node_of;
use rollcast_core::time::Timestamp;
use serde_json::{Value, json};

use crate::cells::{self, NOW, State};
use crate::decided::Decided;
use crate::executor::{self, Cluster as _, Fate, put};
use crate::reference::{self, Memory};

/// How many DaemonSets there are.
const COUNT: usize = 3;

/// One thing that happens. Numbers choose among what there is, modulo.
#[derive(Clone, Debug)]
pub enum Edit {
    /// One of nine nodes appears, or changes: its pool, its zone, its taint.
    Node(usize, u8, u8, u8),
    /// A node is gone; its pods stay.
    NodeLeaves(usize),
    /// What became of a pod.
    PodBecomes(usize, State),
    /// A pod is gone.
    PodIsGone(usize),
    /// A pod carries the label that another DaemonSet selects by.
    PodIsRelabelled(usize, usize),
    /// A pod appears that somebody else made, an orphan.
    OrphanAppears(usize, usize),
    /// A DaemonSet gets another template: a version, and where its pods go.
    Template(usize, u8, u8),
    /// A DaemonSet gets another strategy.
    Strategy(usize, usize),
    /// A DaemonSet is deleted with all that is its own, and created again.
    Recreated(usize),
    /// Time passes.
    SecondsPass(u16),
    /// Creations of the following sync are refused after so many.
    CreationsRefused(u8),
    /// The controller starts anew.
    Restart,
    /// A DaemonSet is synced whether or not it asks for it.
    Sync(usize),
}

/// Random edits.
pub fn edits(count: usize) -> impl Strategy<Value = Vec<Edit>> {
    let choice = any::<usize>;
    let state = prop_oneof![
        2 => Just(State::Unready), 2 => Just(State::Ready), 5 => Just(State::Available),
        1 => Just(State::Terminating), 1 => Just(State::Failed),
    ];
    let node = || {
        (choice(), 0..3_u8, 0..2_u8, 0..4_u8).prop_map(|(name, pool, zone, taint)| Edit::Node(name, pool, zone, taint))
    };
    let edit = prop_oneof![
        6 => node(),
        1 => choice().prop_map(Edit::NodeLeaves),
        8 => (choice(), state).prop_map(|(pod, state)| Edit::PodBecomes(pod, state)),
        4 => choice().prop_map(Edit::PodIsGone),
        1 => (choice(), choice()).prop_map(|(pod, to)| Edit::PodIsRelabelled(pod, to)),
        1 => (choice(), choice()).prop_map(|(node, of)| Edit::OrphanAppears(node, of)),
        3 => (choice(), 0..3_u8, 0..4_u8).prop_map(|(of, version, place)| Edit::Template(of, version, place)),
        1 => (choice(), choice()).prop_map(|(of, strategy)| Edit::Strategy(of, strategy)),
        1 => choice().prop_map(Edit::Recreated),
        3 => prop_oneof![Just(1), Just(30), Just(301), 0..900_u16].prop_map(Edit::SecondsPass),
        1 => (0..3_u8).prop_map(Edit::CreationsRefused),
        1 => Just(Edit::Restart),
        3 => choice().prop_map(Edit::Sync),
    ];
    (vec(node(), 0..6), vec(edit, 1..count)).prop_map(|(nodes, edits)| nodes.into_iter().chain(edits).collect())
}

/// The cluster, the engine, and what the reference remembers of each DaemonSet.
pub struct Several {
    now: Timestamp,
    version: KubernetesVersion,
    controller: Controller,
    truth: Snapshot,
    /// By UID of the DaemonSet.
    memories: BTreeMap<Text, Memory>,
    refused_after: Option<u8>,
    serial: u32,
    /// How many syncs were compared.
    pub syncs: u32,
}

impl Several {
    /// A cluster without nodes.
    pub fn new(version: KubernetesVersion, strategies: [usize; COUNT]) -> Self {
        let mut several = Self {
            now: NOW,
            version,
            controller: Controller::new(ExpectationsMode::Observed).with_version(version),
            truth: Snapshot::default(),
            memories: BTreeMap::new(),
            refused_after: None,
            serial: 0,
            syncs: 0,
        };
        for (number, strategy) in strategies.into_iter().enumerate() {
            let daemon_set = several.daemon_set(number, strategy);
            several.put_daemon_set(daemon_set);
        }
        several
    }

    /// Plays one edit, then everything that the controller asks for; the first disagreement.
    pub fn edit(&mut self, edit: &Edit) -> Result<(), String> {
        match edit {
            Edit::Node(name, pool, zone, taint) => {
                let node = node(&format!("node-{}", name % 9), *pool, *zone, *taint);
                put(&mut self.truth.nodes, node.clone(), |node| node.metadata.name.clone());
                self.controller.observe(Change::Node(Box::new(node)));
            }
            Edit::NodeLeaves(choice) => {
                if let Some(index) = choice.checked_rem(self.truth.nodes.len()) {
                    let node = self.truth.nodes.remove(index);
                    self.controller.observe(Change::NodeGone(node.metadata.name));
                }
            }
            Edit::PodBecomes(choice, state) => {
                let now = self.now;
                self.change_pod(*choice, |pod| become_state(pod, *state, now));
            }
            Edit::PodIsGone(choice) => {
                if let Some(index) = choice.checked_rem(self.truth.pods.len()) {
                    let uid = self.truth.pods[index].metadata.uid.clone();
                    self.remove_pod(&uid);
                }
            }
            Edit::PodIsRelabelled(choice, to) => {
                let app = format!("agent-{}", to % COUNT);
                self.change_pod(*choice, |pod| pod.metadata.labels = pod.metadata.labels.with("app", &app));
            }
            Edit::OrphanAppears(choice, of) => {
                if let Some(index) = choice.checked_rem(self.truth.nodes.len()) {
                    let node = self.truth.nodes[index].metadata.name.clone();
                    let mut pod = cells::pod(&format!("orphan-{}", self.next()), &node, "unknown");
                    pod.metadata.labels = pod.metadata.labels.with("app", &format!("agent-{}", of % COUNT));
                    pod.metadata.owner_references.clear();
                    self.put_pod(pod);
                }
            }
            Edit::Template(of, version, place) => {
                let mut daemon_set = self.truth.daemon_sets[of % COUNT].clone();
                daemon_set.spec.template = template(of % COUNT, *version, *place);
                daemon_set.metadata.generation += 1;
                self.put_daemon_set(daemon_set);
            }
            Edit::Strategy(of, strategy) => {
                let mut daemon_set = self.truth.daemon_sets[of % COUNT].clone();
                let budgets = cells::all_budgets();
                daemon_set.spec.update_strategy = budgets[strategy % budgets.len()].clone();
                daemon_set.metadata.generation += 1;
                self.put_daemon_set(daemon_set);
            }
            Edit::Recreated(of) => self.recreate(of % COUNT),
            Edit::SecondsPass(seconds) => self.now = self.now.saturating_add(Duration::from_secs((*seconds).into())),
            Edit::CreationsRefused(limit) => self.refused_after = Some(*limit),
            Edit::Restart => {
                self.controller = Controller::new(ExpectationsMode::Observed).with_version(self.version);
                self.controller.observe(Change::Reset(Box::new(self.truth.clone())));
                self.memories.values_mut().for_each(|memory| *memory = Memory::default());
            }
            Edit::Sync(of) => self.controller.enqueue(&self.truth.daemon_sets[of % COUNT].metadata.key()),
        }
        self.settle()
    }

    /// Syncs whatever is to be looked at, until nothing is, and then nobody may lack a pod.
    fn settle(&mut self) -> Result<(), String> {
        for _ in 0..200 {
            let afresh = self.truth.clone();
            let step = self.controller.step(self.now);
            let Some(key) = &step.daemon_set else { return self.nobody_was_forgotten() };
            self.syncs += 1;
            let daemon_set = afresh.daemon_sets.iter().find(|daemon_set| daemon_set.metadata.key() == *key);
            let daemon_set = daemon_set.expect("a DaemonSet that is there").clone();
            let memory = self.memories.entry(daemon_set.metadata.uid.clone()).or_default();
            let has_no_past = memory.expectations.is_satisfied(self.now) && memory.back_off.is_empty();
            let created_hash = step.batches.iter().flat_map(|batch| &batch.decisions).find_map(created_hash);
            let verdict = reference::sync_at(self.version, self.now, &daemon_set, &afresh, memory, created_hash);
            let decided = Decided::of(&step);
            if let Some(difference) = decided.disagrees_with(&verdict) {
                return Err(format!("{key}: {difference}"));
            }
            if has_no_past {
                let fresh = decided_afresh(self.version, self.now, &daemon_set, afresh);
                if fresh != decided {
                    return Err(format!("{key}: one that has just started decides {fresh:?}, this one {decided:?}"));
                }
            }
            let fate = self.refused_after.take().map_or(Fate::Applied, Fate::CreationsRefused);
            executor::carry_out(self, self.version, &daemon_set, &step, fate);
        }
        Ok(())
    }

    /// Nothing being left to look at, no DaemonSet would create a pod on a node that has none.
    fn nobody_was_forgotten(&self) -> Result<(), String> {
        for daemon_set in &self.truth.daemon_sets {
            let uid = &daemon_set.metadata.uid;
            let mut memory = self.memories.get(uid).cloned().unwrap_or_default();
            let verdict = reference::sync_at(self.version, self.now, daemon_set, &self.truth, &mut memory, None);
            let is_served =
                |node: &String| self.truth.pods.iter().any(|pod| target_node_of(pod) == Some(&Text::new(node)));
            let missing: Vec<&String> = verdict.create.among.iter().filter(|node| !is_served(node)).collect();
            // A refused creation is tried again after a while.
            let waits = self.controller.clone().step(self.now).wake_at.is_some();
            if !missing.is_empty() && !waits {
                return Err(format!("{} has no pod on {missing:?}, and nobody looks", daemon_set.metadata.key()));
            }
        }
        Ok(())
    }

    fn daemon_set(&mut self, number: usize, strategy: usize) -> DaemonSet {
        let budgets = cells::all_budgets();
        let mut daemon_set = cells::daemon_set(budgets[strategy % budgets.len()].clone());
        daemon_set.metadata.name = format!("agent-{number}").into();
        daemon_set.metadata.uid = format!("uid-{number}-{}", self.next()).into();
        daemon_set.metadata.generation = 1;
        daemon_set.status = rollcast_core::api::DaemonSetStatus::default();
        daemon_set.spec.selector.match_labels = Labels::from_iter([("app", format!("agent-{number}").as_str())]);
        daemon_set.spec.template = template(number, 0, u8::try_from(number).expect("a few"));
        daemon_set.spec.min_ready_seconds = if number == 1 { 30 } else { 0 };
        daemon_set
    }

    fn recreate(&mut self, number: usize) {
        let before = self.truth.daemon_sets[number].metadata.clone();
        self.memories.remove(&before.uid);
        self.controller.observe(Change::DaemonSetGone(before.key()));
        let is_its = |owners: &[OwnerReference]| owners.iter().any(|owner| owner.uid == before.uid);
        let own = self.truth.pods.iter().filter(|pod| is_its(&pod.metadata.owner_references));
        for uid in own.map(|pod| pod.metadata.uid.clone()).collect::<Vec<_>>() {
            self.remove_pod(&uid);
        }
        let (gone, kept): (Vec<ControllerRevision>, Vec<ControllerRevision>) =
            std::mem::take(&mut self.truth.revisions)
                .into_iter()
                .partition(|revision| is_its(&revision.metadata.owner_references));
        self.truth.revisions = kept;
        for revision in gone {
            self.controller.observe(Change::RevisionGone(revision.metadata.key()));
        }
        let daemon_set = self.daemon_set(number, number);
        self.put_daemon_set(daemon_set);
    }

    fn change_pod(&mut self, choice: usize, edit: impl FnOnce(&mut Pod)) {
        let staying = |pod: &&Pod| pod.metadata.deletion_timestamp.is_none();
        let pods: Vec<&Pod> = self.truth.pods.iter().filter(staying).collect();
        if let Some(index) = choice.checked_rem(pods.len()) {
            let mut pod = pods[index].clone();
            edit(&mut pod);
            self.put_pod(pod);
        }
    }

    fn memory_of(&mut self, pod: &Pod) -> Option<&mut Memory> {
        let uid = &pod.metadata.controller_owner()?.uid;
        let is_there = self.truth.daemon_sets.iter().any(|daemon_set| daemon_set.metadata.uid == *uid);
        is_there.then(|| self.memories.entry(uid.clone()).or_default())
    }
}

impl executor::Cluster for Several {
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
        let is_new = !self.truth.pods.iter().any(|other| other.metadata.name == pod.metadata.name);
        let is_ending = pod.metadata.deletion_timestamp.is_some();
        if let Some(memory) = self.memory_of(&pod) {
            memory.expectations.creations -= i64::from(is_new && !is_ending);
            memory.expectations.deletions -= i64::from(is_ending);
        }
        put(&mut self.truth.pods, pod.clone(), |pod| pod.metadata.name.clone());
        self.controller.observe(Change::Pod(Box::new(pod)));
    }

    fn remove_pod(&mut self, uid: &Text) {
        let Some(index) = self.truth.pods.iter().position(|pod| pod.metadata.uid == *uid) else { return };
        let pod = self.truth.pods.remove(index);
        if let Some(memory) = self.memory_of(&pod) {
            memory.expectations.deletions -= 1;
        }
        let (namespace, name, uid) = (pod.metadata.namespace, pod.metadata.name, pod.metadata.uid);
        self.controller.observe(Change::PodGone(PodKey { namespace, name, uid }));
    }

    fn put_revision(&mut self, revision: ControllerRevision) {
        put(&mut self.truth.revisions, revision.clone(), |revision| revision.metadata.name.clone());
        self.controller.observe(Change::Revision(Box::new(revision)));
    }

    fn remove_revision(&mut self, key: &ObjectKey) {
        self.truth.revisions.retain(|revision| revision.metadata.key() != *key);
        self.controller.observe(Change::RevisionGone(key.clone()));
    }

    fn put_daemon_set(&mut self, daemon_set: DaemonSet) {
        put(&mut self.truth.daemon_sets, daemon_set.clone(), |daemon_set| daemon_set.metadata.name.clone());
        self.controller.observe(Change::DaemonSet(Box::new(daemon_set)));
    }

    fn complete(&mut self, of: &DaemonSet, decision: DecisionId, outcome: Outcome, is_expected_no_more: bool) {
        assert_ne!(outcome, Outcome::Rejected(Rejection::AlreadyExists), "everything is seen at once");
        let memory = self.memories.entry(of.metadata.uid.clone()).or_default();
        memory.expectations.creations -= i64::from(is_expected_no_more);
        self.controller.complete(self.now, decision, outcome);
    }
}

/// What an engine that knows only what there is now decides for one DaemonSet.
fn decided_afresh(version: KubernetesVersion, now: Timestamp, daemon_set: &DaemonSet, truth: Snapshot) -> Decided {
    let mut controller = Controller::new(ExpectationsMode::Observed).with_version(version);
    controller.observe(Change::Reset(Box::new(truth)));
    let key = daemon_set.metadata.key();
    loop {
        let step = controller.step(now);
        if step.daemon_set.as_ref() == Some(&key) {
            return Decided::of(&step);
        }
        assert!(step.daemon_set.is_some(), "{key} is not looked at after a reset");
    }
}

fn created_hash(decision: &Decision) -> Option<&str> {
    let Action::CreateRevision(revision) = &decision.action else { return None };
    revision.metadata.labels.get(Pod::REVISION_HASH_LABEL).map(Text::as_str)
}

/// `place`: anywhere, the blue pool, zone a by affinity and tolerating the taint, or one node by name.
fn template(number: usize, version: u8, place: u8) -> PodTemplate {
    let mut spec = json!({"containers": [{"name": "main", "image": format!("registry.example/agent:v{version}")}]});
    let Value::Object(fields) = (match place {
        0 => json!({}),
        1 => json!({"nodeSelector": {"pool": "blue"}}),
        2 => json!({
            "tolerations": [{"key": "dedicated", "operator": "Exists"}],
            "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
                {"matchExpressions": [{"key": "zone", "operator": "In", "values": ["a"]}]}]}}},
        }),
        _ => json!({"nodeName": "node-3"}),
    }) else {
        unreachable!("a map")
    };
    for (field, value) in fields {
        spec[field] = value;
    }
    let labels = json!({"app": format!("agent-{number}")});
    PodTemplate::from_json(json!({"metadata": {"labels": labels}, "spec": spec})).expect("a template")
}

fn node(name: &str, pool: u8, zone: u8, taint: u8) -> Node {
    let standing = [cells::Standing::Run, cells::Standing::Run, cells::Standing::Stay, cells::Standing::Go];
    let mut node = cells::node(name, standing[usize::from(taint)]);
    let pool = ["blue", "red", "green"][usize::from(pool)];
    node.metadata.labels = Labels::from_iter([("pool", pool), ("zone", ["a", "b"][usize::from(zone)])]);
    node
}

/// Sets the state of a pod that has not ended relative to the present moment; binds it, as nothing runs unbound.
fn become_state(pod: &mut Pod, state: State, now: Timestamp) {
    if pod.is_terminal() {
        return;
    }
    if let Some(node) = target_node_of(pod).cloned() {
        pod.spec.node_name = node;
    }
    cells::set_state(pod, state);
    let ago = if state == State::Available { 600 } else { 0 };
    for condition in &mut pod.status.conditions {
        condition.last_transition_time = Some(Timestamp::from_seconds(now.as_seconds() - ago));
    }
}

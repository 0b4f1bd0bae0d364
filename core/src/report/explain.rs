use std::collections::BTreeMap;

use serde::Serialize;

use super::{NAMES_SHOWN, NameList, NodeReport, Said, node_report};
use crate::KubernetesVersion;
use crate::api::{DaemonSet, DaemonSetStatus, Node, ObjectKey, Pod, PriorityClass, Taint, Text, Toleration};
use crate::budget::allows_surge;
use crate::controller::{Change, Controller, Snapshot};
use crate::decision::{Action, WaitingOn};
use crate::message::{Language, Words};
use crate::order::sort_by_key;
use crate::ownership::is_own;
use crate::placement::{
    Check, CheckOutcome, CheckSubject, Exclusion, Fit, Placement, PlacementRules, Preemption, fit_among, place,
    preemption, target_node_of, trace, unschedulable_message,
};
use crate::scheduling::{
    NodeUsage, PodAffinityState, PodDemand, PodIdentity, Refusal, priority_class_of, priority_of, takes_room,
};
use crate::status::rollout_status;
use crate::time::Timestamp;

/// What `rollcast explain` answers: which nodes run a DaemonSet's pods, why the others do not, and whether they fit.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExplainReport {
    /// The DaemonSet.
    pub daemon_set: ObjectKey,
    /// The nodes by verdict.
    pub counts: VerdictCounts,
    /// The numbers of its status as they are now; absent where the input holds none of its pods.
    pub status: Option<StatusReport>,
    /// Nodes with the same verdict for the same reasons, the most favourable verdict first, large groups first.
    pub groups: Vec<NodeGroup>,
    /// The nodes that were asked about by name, check by check.
    pub nodes: Vec<NodeReport>,
}

/// A DaemonSet's status as its controller would write it now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StatusReport {
    /// The numbers.
    #[serde(flatten)]
    pub numbers: DaemonSetStatus,
    /// What `kubectl rollout status` would say.
    pub rollout_status: String,
    /// What keeps a rollout from going on, most important first.
    pub waiting_on: Vec<Said<WaitingOn>>,
}

/// How many nodes there are of each verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct VerdictCounts {
    /// All nodes that were looked at.
    pub nodes: u32,
    /// DESIRED: nodes that should run the pod, whether or not it fits.
    pub desired: u32,
    /// Of these, the ones where a new pod would stay `Pending`.
    pub without_room: u32,
    /// Nodes that get no new pod, and where one that is there stays.
    pub keep_running: u32,
    /// Nodes that get no pod, and where one that is there is deleted.
    pub excluded: u32,
    /// Nodes that should not run the pod and have one.
    pub misscheduled: u32,
}

/// What becomes of a DaemonSet's pod on a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum Verdict {
    /// It runs here, or would.
    Run,
    /// It runs here; its successor would not fit beside it, as `maxSurge` needs it.
    NoRoomToSurge,
    /// It runs here; its successor would not fit in its place.
    NoRoomForSuccessor,
    /// It belongs here, and stays `Pending` because it does not fit.
    NoRoom,
    /// No new pod comes here; one that is here stays.
    KeepRunning,
    /// No pod comes here; one that is here is deleted.
    Exclude,
}

impl Verdict {
    /// Whether it needs attention: a pod that is wanted here would not get its place.
    pub const fn is_finding(self) -> bool {
        matches!(self, Self::NoRoomToSurge | Self::NoRoomForSuccessor | Self::NoRoom)
    }
}

/// Why a node has its verdict.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Obstacle {
    /// The DaemonSet controller makes no pod for it.
    Excluded(Exclusion),
    /// The scheduler does not bind the pod.
    Refused(Refusal),
}

/// Nodes with the same verdict for the same reasons.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeGroup {
    /// The verdict.
    pub verdict: Verdict,
    /// Every reason, those of the first node; empty where the pod simply runs.
    pub obstacles: Vec<Said<Obstacle>>,
    /// What fails on the first of the nodes where a reason has parts: the requirements of node affinity.
    pub details: Vec<String>,
    /// Whether figures in the reasons, such as how much is free, differ from node to node.
    pub figures_differ: bool,
    /// What preemption would do for a pod without room, in words, on the first of the nodes.
    pub preemption: Option<String>,
    /// How many of the nodes have a pod of this DaemonSet.
    pub with_pod: u32,
    /// The tolerations with which these nodes would run the pod; absent where something else than taints is in the way.
    pub tolerations: Option<Vec<Toleration>>,
    /// The nodes.
    #[serde(flatten)]
    pub nodes: NameList,
}

/// One node with everything that was found out about it.
#[derive(Clone, Debug)]
pub struct Judgement<'a> {
    /// The node.
    pub node: &'a Node,
    /// What the controller says.
    pub placement: Placement,
    /// What the scheduler says to a new pod once the present one is gone.
    pub fit: Fit,
    /// What the scheduler says to a new pod beside the present one; absent when there is none, or no surge.
    pub fit_beside: Option<Fit>,
    /// The DaemonSet's pods on the node, and those pinned to it.
    pub own_pods: Vec<&'a Pod>,
    /// The verdict of all this.
    pub verdict: Verdict,
}

/// Looks at nodes on behalf of one DaemonSet.
#[derive(Debug)]
pub struct Judge<'a> {
    daemon_set: &'a DaemonSet,
    rules: PlacementRules,
    node_count: u32,
    surges: bool,
    priority: i32,
    /// Whether its pods may push others away.
    preempts: bool,
    own: BTreeMap<&'a str, Vec<&'a Pod>>,
    foreign: BTreeMap<&'a str, Vec<&'a Pod>>,
    others: PodAffinityState,
}

impl<'a> Judge<'a> {
    /// Reads the template as this release does and sorts the pods by node.
    pub fn new(daemon_set: &'a DaemonSet, snapshot: &'a Snapshot, version: KubernetesVersion) -> Self {
        let rules = PlacementRules::of(&daemon_set.spec.template, version);
        let mut own: BTreeMap<&str, Vec<&Pod>> = BTreeMap::new();
        let mut foreign: BTreeMap<&str, Vec<&Pod>> = BTreeMap::new();
        for pod in &snapshot.pods {
            let by_node = if is_own(daemon_set, pod) { &mut own } else { &mut foreign };
            if let Some(node) = target_node_of(pod) {
                by_node.entry(node.as_str()).or_default().push(pod);
            }
        }
        let identity =
            PodIdentity { namespace: &daemon_set.metadata.namespace, labels: daemon_set.spec.template.labels() };
        let placed = snapshot.nodes.iter().flat_map(|node| {
            let pods = foreign.get(node.metadata.name.as_str()).into_iter().flatten();
            pods.map(move |pod| (node, *pod))
        });
        let others = PodAffinityState::of(rules.template().spec(), identity, placed);
        let surges = allows_surge(&daemon_set.spec);
        let node_count = u32::try_from(snapshot.nodes.len()).unwrap_or(u32::MAX);
        let spec = rules.template().spec();
        let priority = priority_of(spec).unwrap_or_default();
        let preempts = spec.preemption_policy != "Never";
        Self { daemon_set, rules, node_count, surges, priority, preempts, own, foreign, others }
    }

    /// Gives its pods the priority that the cluster's classes make of the name in the template.
    #[must_use]
    pub fn with_priority_classes(mut self, classes: &[PriorityClass]) -> Self {
        let spec = self.rules.template().spec();
        if let Some(class) = priority_class_of(spec, classes).filter(|_| spec.priority.is_none()) {
            self.priority = class.value;
            self.preempts &= class.preemption_policy != "Never" || !spec.preemption_policy.is_empty();
        }
        self
    }

    /// The rules of the template.
    pub fn rules(&self) -> &PlacementRules {
        &self.rules
    }

    /// The DaemonSet.
    pub fn daemon_set(&self) -> &'a DaemonSet {
        self.daemon_set
    }

    /// Everything about one node.
    pub fn judge(&self, node: &'a Node) -> Judgement<'a> {
        let name = node.metadata.name.as_str();
        let placement = place(&self.rules, node);
        let own_pods = self.own.get(name).cloned().unwrap_or_default();
        let mut usage = self.foreign_usage(node);
        let fit = fit_among(&self.rules, node, &usage, &self.others);
        let bound = own_pods.iter().any(|pod| takes_room(pod, name));
        let fit_beside = (self.surges && bound).then(|| {
            for pod in own_pods.iter().filter(|pod| takes_room(pod, name)) {
                usage.add(&pod.metadata.key(), &PodDemand::of_pod(pod, self.rules.version()));
            }
            fit_among(&self.rules, node, &usage, &self.others)
        });
        let verdict = match (&placement, fit.fits(), fit_beside.as_ref().is_none_or(Fit::fits)) {
            (Placement::Run, true, true) => Verdict::Run,
            (Placement::Run, true, false) => Verdict::NoRoomToSurge,
            (Placement::Run, false, _) if bound => Verdict::NoRoomForSuccessor,
            (Placement::Run, false, _) => Verdict::NoRoom,
            (Placement::KeepRunning(_), ..) => Verdict::KeepRunning,
            (Placement::Exclude(_), ..) => Verdict::Exclude,
        };
        Judgement { node, placement, fit, fit_beside, own_pods, verdict }
    }
}

impl Judge<'_> {
    /// Everything that is looked at for one node, in Kubernetes' order; the DaemonSet's own pods are left out, since
    /// the new one takes their place.
    pub fn trace<'n>(&'n self, node: &'n Node) -> Vec<Check<'n>> {
        trace(&self.rules, node, &self.foreign_usage(node), &self.others)
    }

    /// The requirements of node affinity that do not hold on a node, where that is an obstacle.
    fn details(&self, node: &Node, obstacles: &[Obstacle], language: Language) -> Vec<String> {
        let by_affinity = |obstacle: &Obstacle| matches!(obstacle, Obstacle::Excluded(Exclusion::NodeAffinity { .. }));
        if !obstacles.iter().any(by_affinity) {
            return Vec::new();
        }
        let failed = self.trace(node).into_iter().filter(|check| {
            check.outcome == CheckOutcome::Failed && matches!(check.subject, CheckSubject::AffinityRequirement { .. })
        });
        failed.take(NAMES_SHOWN).map(|check| check.words(language)).collect()
    }

    /// What kube-scheduler says to a pod that does not fit; absent where it does, or where none is made.
    pub fn scheduler_message(&self, judgement: &Judgement<'_>) -> Option<String> {
        let preemption = self.preemption(judgement)?;
        let pinned = Some((judgement.node.metadata.name.as_str(), &judgement.fit));
        Some(unschedulable_message(self.node_count, pinned, &preemption, self.rules.version()))
    }

    /// What preemption would do for a pod that does not fit; absent where it does, or where none is made.
    pub fn preemption(&self, judgement: &Judgement<'_>) -> Option<Preemption> {
        if judgement.verdict != Verdict::NoRoom {
            return None;
        }
        let node = judgement.node;
        let pods = self.foreign.get(node.metadata.name.as_str()).into_iter().flatten().copied();
        if !self.preempts {
            return Some(Preemption::NotAllowed);
        }
        let namespace = &self.daemon_set.metadata.namespace;
        Some(preemption(&self.rules, self.priority, namespace, node, pods, &judgement.fit))
    }

    fn foreign_usage(&self, node: &Node) -> NodeUsage {
        let name = node.metadata.name.as_str();
        NodeUsage::of(name, self.foreign.get(name).into_iter().flatten().copied(), self.rules.version())
    }
}

impl Judgement<'_> {
    /// Every reason for the verdict.
    pub fn obstacles(&self) -> Vec<Obstacle> {
        let refused = |fit: &Fit| fit.refusals.iter().cloned().map(Obstacle::Refused).collect();
        match self.verdict {
            Verdict::Run => Vec::new(),
            Verdict::NoRoomToSurge => self.fit_beside.as_ref().map(refused).unwrap_or_default(),
            Verdict::NoRoomForSuccessor | Verdict::NoRoom => refused(&self.fit),
            Verdict::KeepRunning | Verdict::Exclude => {
                self.placement.exclusions().iter().cloned().map(Obstacle::Excluded).collect()
            }
        }
    }
}

/// The status of a DaemonSet as its controller of this release would write it now; absent where the snapshot holds none of its pods.
pub fn status_report(
    daemon_set: &DaemonSet,
    snapshot: &Snapshot,
    now: Timestamp,
    version: KubernetesVersion,
    language: Language,
) -> Option<StatusReport> {
    if !snapshot.pods.iter().any(|pod| is_own(daemon_set, pod)) {
        return None;
    }
    let key = daemon_set.metadata.key();
    let mut controller = Controller::default().with_version(version);
    controller.observe(Change::Reset(Box::new(Snapshot { daemon_sets: vec![daemon_set.clone()], ..snapshot.clone() })));
    let step = controller.step(now);
    let written = step.batches.iter().flat_map(|batch| &batch.decisions).find_map(|decision| match &decision.action {
        Action::UpdateStatus(status) => Some(status.clone()),
        _ => None,
    });
    let mut present = daemon_set.clone();
    present.status = written.unwrap_or_else(|| daemon_set.status.clone());
    let waits = controller.waiting_on(&key).iter();
    Some(StatusReport {
        rollout_status: rollout_status(&present).words(language),
        waiting_on: waits.map(|wait| Said::new(wait.clone(), language)).collect(),
        numbers: present.status,
    })
}

/// Explains the nodes of a snapshot that `wanted` takes, and in full those in `named`.
pub fn explain(
    judge: &Judge<'_>,
    nodes: &[Node],
    wanted: impl Fn(&Node) -> bool,
    named: &[Text],
    language: Language,
) -> ExplainReport {
    let mut counts = VerdictCounts::default();
    let mut groups: BTreeMap<GroupKey, NodeGroup> = BTreeMap::new();
    let mut reports = Vec::new();
    for node in nodes.iter().filter(|node| wanted(node)) {
        let judgement = judge.judge(node);
        counts.add(&judgement);
        if named.contains(&node.metadata.name) {
            reports.push(node_report(judge, &judgement, language));
        }
        let obstacles = judgement.obstacles();
        let key = GroupKey { verdict: judgement.verdict, likenesses: obstacles.iter().map(likeness).collect() };
        let group = groups.entry(key).or_insert_with(|| NodeGroup {
            verdict: judgement.verdict,
            obstacles: obstacles.iter().map(|obstacle| Said::new(obstacle.clone(), language)).collect(),
            details: judge.details(node, &obstacles, language),
            figures_differ: false,
            preemption: judge.preemption(&judgement).map(|preemption| preemption.words(language)),
            with_pod: 0,
            tolerations: missing_tolerations(&obstacles),
            nodes: NameList::default(),
        });
        group.figures_differ |= !group.obstacles.iter().map(|said| &said.reason).eq(&obstacles);
        group.with_pod = group.with_pod.saturating_add(u32::from(!judgement.own_pods.is_empty()));
        group.nodes.push(&node.metadata.name);
    }
    let mut groups: Vec<NodeGroup> = groups.into_values().collect();
    sort_by_key(&mut groups, |group| (group.verdict, std::cmp::Reverse(group.nodes.count)));
    ExplainReport { daemon_set: judge.daemon_set.metadata.key(), counts, status: None, groups, nodes: reports }
}

/// The tolerations that are missing, where taints are all there is.
fn missing_tolerations(obstacles: &[Obstacle]) -> Option<Vec<Toleration>> {
    let missing = obstacles.iter().map(|obstacle| match obstacle {
        Obstacle::Excluded(Exclusion::Taint(taint)) => {
            let operator = if taint.value.is_empty() { "Exists" } else { "Equal" };
            let Taint { key, value, effect } = taint.clone();
            Some(Toleration { key, value, effect, operator: Text::new_static(operator), toleration_seconds: None })
        }
        Obstacle::Excluded(_) | Obstacle::Refused(_) => None,
    });
    missing.collect::<Option<Vec<_>>>().filter(|missing| !missing.is_empty())
}

impl VerdictCounts {
    fn add(&mut self, judgement: &Judgement<'_>) {
        let count = |counter: &mut u32, holds: bool| *counter = counter.saturating_add(u32::from(holds));
        let eligible = judgement.placement == Placement::Run;
        count(&mut self.nodes, true);
        count(&mut self.desired, eligible);
        count(&mut self.without_room, judgement.verdict == Verdict::NoRoom);
        count(&mut self.keep_running, judgement.verdict == Verdict::KeepRunning);
        count(&mut self.excluded, judgement.verdict == Verdict::Exclude);
        count(&mut self.misscheduled, !eligible && !judgement.own_pods.is_empty());
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct GroupKey {
    verdict: Verdict,
    likenesses: Vec<Obstacle>,
}

/// An obstacle without what differs from node to node although the remedy is the same: found values and free amounts.
fn likeness(obstacle: &Obstacle) -> Obstacle {
    let mut like = obstacle.clone();
    match &mut like {
        Obstacle::Excluded(Exclusion::NodeSelector { found, .. }) => {
            *found = found.as_ref().map(|_| Text::default());
        }
        Obstacle::Excluded(Exclusion::Taint(taint)) | Obstacle::Refused(Refusal::Taint(taint)) => {
            taint.value = Text::default();
        }
        Obstacle::Refused(Refusal::TooManyPods { pods, allocatable }) => (*pods, *allocatable) = (0, 0),
        Obstacle::Refused(Refusal::Insufficient { used, allocatable, requested, .. }) => {
            // Whether preemption might help is a difference that matters.
            (*used, *allocatable) = (0, i64::from(*requested <= *allocatable));
        }
        Obstacle::Refused(Refusal::HostPort { taken, holder, wanted }) => {
            *taken = wanted.clone();
            *holder = ObjectKey::default();
        }
        Obstacle::Refused(Refusal::ExistingPodAntiAffinity { pod }) => *pod = ObjectKey::default(),
        Obstacle::Excluded(Exclusion::NodeName { .. } | Exclusion::NodeAffinity { .. })
        | Obstacle::Refused(
            Refusal::Unschedulable
            | Refusal::NodeName { .. }
            | Refusal::NodeAffinity
            | Refusal::PodAffinity { .. }
            | Refusal::PodAntiAffinity { .. },
        ) => {}
    }
    like
}

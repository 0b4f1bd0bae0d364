//! One sync of one DaemonSet, phase by phase (`syncDaemonSet`, Kubernetes 1.36).

use std::sync::Arc;

use super::ExpectationsMode;
use super::contract::{Batch, BatchKind};
use super::expectations::Expectations;
use super::names::GivenNames;
use super::waiting::{Outlook, Taken};
use crate::KubernetesVersion;
use crate::api::{DaemonSet, DaemonSetStatus, ObjectMeta, Text, UpdateStrategyType};
use crate::availability::PodFacts;
use crate::budget::{MalformedLimit, budget};
use crate::decision::{
    Action, Decision, DecisionId, EventReason, EventType, PodKey, Reason, Requeue, RequeueReason, SyncError, WaitingOn,
};
use crate::fleet::{Fleet, Mark, Slot, View};
use crate::history::{History, RevisionChange, history, revisions_to_delete};
use crate::manage::{BURST, BackOff, BackOffKey, Removal, plan_node, pod_name, slow_start_batches};
use crate::placement::place;
use crate::rollout::{Allowance, Versions, allowance, versions};
use crate::status::{Observed, status};
use crate::target::Standing;
use crate::time::Timestamp;

/// What a sync comes to.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub batches: Vec<Batch>,
    /// The number of the next decision.
    pub next_id: u64,
    pub requeues: Vec<Requeue>,
    /// When something may be decided that could not be now, apart from classes that change by time.
    pub due: Option<Timestamp>,
    pub outlook: Outlook,
    pub error: Option<SyncError>,
}

impl Draft {
    /// Adds a batch, and numbers its decisions.
    fn push(&mut self, kind: BatchKind, mut decisions: Vec<Decision>) {
        for decision in &mut decisions {
            decision.id = DecisionId(self.next_id);
            self.next_id += 1;
        }
        if !decisions.is_empty() {
            self.batches.push(Batch { kind, decisions });
        }
    }

    fn requeue(&mut self, requeue: Requeue) {
        if !self.requeues.contains(&requeue) {
            self.requeues.push(requeue);
        }
    }

    fn look_at(&mut self, moment: Timestamp) {
        self.due = Some(self.due.map_or(moment, |due| due.min(moment)));
    }
}

/// A decision that there was no choice about. Its number comes with its batch.
fn decision(action: Action, reason: Reason) -> Decision {
    Decision { id: DecisionId::default(), action, reason, candidate_count: 1 }
}

/// What a DaemonSet's syncs remember from one to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    pub expectations: Expectations,
    pub back_off: BackOff,
    pub names: GivenNames,
}

/// Syncs one DaemonSet; its decisions are numbered from `first_id`.
pub(super) fn sync(
    fleet: &mut Fleet,
    slot: Slot,
    memory: &mut Memory,
    mode: ExpectationsMode,
    first_id: u64,
    now: Timestamp,
) -> Draft {
    let Memory { expectations, back_off, names } = memory;
    let mut draft = Draft { next_id: first_id, ..Draft::default() };
    let Some(view) = fleet.view(slot) else { return draft };
    let daemon_set = view.daemon_set();
    let stop = if daemon_set.spec.selector.is_empty() {
        let event = event(EventType::Warning, EventReason::SelectingAll, Text::default());
        draft.push(BatchKind::Event, vec![event]);
        Some(WaitingOn::EmptySelector)
    } else if daemon_set.metadata.is_being_deleted() {
        Some(WaitingOn::BeingDeleted)
    } else {
        None
    };
    if let Some(wait) = stop {
        let revision = view.target().revision.clone();
        fleet.refresh(slot, &revision, now);
        draft.outlook = Outlook::Stopped(Box::new(wait));
        return draft;
    }

    let history = match view.known_history() {
        Some(known) => Arc::clone(known),
        None => Arc::new(history(daemon_set, view.patch(), fleet.revisions_in(&view.key().namespace))),
    };
    // After a collision the sync ends, and no revision is current.
    let revision = if history.collision.is_some() { view.target().revision.clone() } else { history.current.clone() };
    fleet.remember_history(slot, &history);
    fleet.refresh(slot, &revision, now);
    let Some(view) = fleet.view(slot) else { return draft };
    if !write_history(&mut draft, fleet, view, &history) {
        return draft;
    }

    if !expectations.are_met(now) {
        if let Some(lapse) = expectations.lapse() {
            draft.look_at(lapse);
            draft.requeue(Requeue { after: lapse.saturating_since(now), reason: RequeueReason::ExpectationsLapse });
        }
        let Expectations { creations, deletions, .. } = *expectations;
        draft.outlook = Outlook::Expecting { creations, deletions };
        write_status(&mut draft, view, Observed::Nothing);
        return draft;
    }
    let namespace = &view.key().namespace;
    names.lapse(|name| fleet.knows_pod(namespace, name), |node| fleet.knows_node(node));

    let mut events = Vec::new();
    let (managed, held_back) = manage(&mut draft, fleet, view, back_off, &mut events, now);
    *expectations = managed.expectations(mode, now);
    let acted = !managed.is_empty();
    let mut taken = Taken { failed_held_back: held_back, ..Taken::default() };
    let mut changes = (mode == ExpectationsMode::MetAtOnce).then(Changes::default);
    propose(&mut draft, fleet, view, managed, names, &mut changes);
    meet_at_once(fleet, slot, &mut changes, now);

    let Some(view) = fleet.view(slot) else { return draft };
    let rolls = view.daemon_set().spec.update_strategy.strategy_type == UpdateStrategyType::RollingUpdate;
    if rolls && (!acted || mode == ExpectationsMode::MetAtOnce) {
        match roll(fleet, view, &mut taken) {
            Ok(rolled) => {
                *expectations = rolled.expectations(mode, now);
                propose(&mut draft, fleet, view, rolled, names, &mut changes);
            }
            Err(error) => draft.error = Some(error),
        }
        meet_at_once(fleet, slot, &mut changes, now);
    }

    let Some(view) = fleet.view(slot) else { return draft };
    if draft.error.is_none() {
        let limit = view.daemon_set().spec.revision_history_limit;
        let unused = revisions_to_delete(&history.old, limit, view.pods_by_hash());
        let deletions =
            unused.map(|revision| decision(Action::DeleteRevision(revision.key.clone()), Reason::BeyondHistoryLimit));
        draft.push(BatchKind::CleanUp, deletions.collect());
    }
    draft.outlook = Outlook::Decided(taken);
    // Other failures come to light only when the decisions are carried out.
    if draft.error.is_none() || fleet.version() >= KubernetesVersion::V1_27 {
        write_status(&mut draft, view, Observed::Generation);
    }
    draft.push(BatchKind::Event, events);
    draft
}

// ---- history ----

/// Whether the sync goes on.
fn write_history(draft: &mut Draft, fleet: &Fleet, view: &View, history: &History) -> bool {
    if history.changes.is_empty() && history.collision.is_none() && !history.relabel_pods && !view.has_claims() {
        return true;
    }
    let (mut ownership, mut relabelled, mut revisions) = (Vec::new(), Vec::new(), Vec::new());
    for change in &history.changes {
        let (action, reason) = match change {
            RevisionChange::Adopt(key) => (Action::AdoptRevision(key.clone()), Reason::MatchesSelector),
            RevisionChange::Release(key) => (Action::ReleaseRevision(key.clone()), Reason::NoLongerMatchesSelector),
            RevisionChange::Label(key) => (Action::LabelRevision(key.clone()), Reason::MissingHashLabel),
            RevisionChange::DeleteDuplicate(key) => (Action::DeleteRevision(key.clone()), Reason::DuplicateRevision),
            RevisionChange::Renumber { revision, number } => {
                let action = Action::RenumberRevision { revision: revision.clone(), number: *number };
                (action, Reason::TemplateSeenBefore)
            }
            RevisionChange::Create(revision) => (Action::CreateRevision(revision.clone()), Reason::NewTemplate),
        };
        let is_claim = matches!(change, RevisionChange::Adopt(_) | RevisionChange::Release(_));
        let batch = if is_claim { &mut ownership } else { &mut revisions };
        batch.push(decision(action, reason));
    }
    if let Some(count) = history.collision {
        draft.push(BatchKind::History, ownership);
        let status = DaemonSetStatus { collision_count: Some(count), ..view.daemon_set().status.clone() };
        draft.push(BatchKind::Status, vec![decision(Action::UpdateStatus(status), Reason::NameCollision)]);
        let revision = history.collision_name.clone();
        draft.error = Some(SyncError::NameCollision { revision });
        return false;
    }
    for pod in fleet.adoptions(view) {
        ownership.push(decision(Action::AdoptPod { pod: pod.key() }, Reason::MatchesSelector));
    }
    for pod in fleet.releases(view) {
        ownership.push(decision(Action::ReleasePod { pod: pod.key() }, Reason::NoLongerMatchesSelector));
    }
    if history.relabel_pods {
        for pod in fleet.owned(view).into_iter().filter(|pod| pod.facts.revision != history.current) {
            let action = Action::RelabelPod { pod: pod.key(), revision: history.current.clone() };
            relabelled.push(decision(action, Reason::DuplicateRevision));
        }
    }
    // Pods carry the kept revision's hash before its duplicates go.
    draft.push(BatchKind::History, ownership);
    draft.push(BatchKind::History, relabelled);
    draft.push(BatchKind::History, revisions);
    true
}

// ---- creations and deletions ----

/// What one phase creates and deletes.
#[derive(Default)]
struct Plan<'a> {
    create: Vec<(Slot, Reason)>,
    create_candidates: u32,
    delete: Vec<(Slot, &'a PodFacts, Reason, u32)>,
}

impl Plan<'_> {
    const fn is_empty(&self) -> bool {
        self.create.is_empty() && self.delete.is_empty()
    }

    fn expectations(&self, mode: ExpectationsMode, now: Timestamp) -> Expectations {
        match mode {
            ExpectationsMode::Observed => Expectations::expect(self.create.len(), self.delete.len(), now),
            ExpectationsMode::MetAtOnce => Expectations::expect(0, 0, now),
        }
    }
}

/// Missing pods, and pods that are too many, ended or misplaced; and on which nodes failed pods are left for now.
fn manage<'a>(
    draft: &mut Draft,
    fleet: &'a Fleet,
    view: &'a View,
    back_off: &mut BackOff,
    events: &mut Vec<Decision>,
    now: Timestamp,
) -> (Plan<'a>, Vec<Slot>) {
    let aggregate = view.aggregate();
    let missing = aggregate.nodes(Mark::Missing);
    let mut plan = Plan {
        create: missing.iter().take(BURST).map(|rank| (rank, Reason::MissingPod)).collect(),
        create_candidates: missing.count(),
        delete: Vec::new(),
    };
    let mut held_back = Vec::new();
    let (prune, failed) = (aggregate.nodes(Mark::Prune), aggregate.nodes(Mark::Failed));
    back_off.collect(now);
    for rank in prune.union(failed) {
        if plan.delete.len() >= BURST && !failed.contains(rank) {
            continue;
        }
        let pods: Vec<&PodFacts> = fleet.pods_on(view, rank).collect();
        let node = plan_node(view.standing(rank), pods.iter().copied(), view.target(), now);
        for pod in node.failed {
            let observed_generation = view.daemon_set().status.observed_generation;
            let key = BackOffKey { observed_generation, node: fleet.node_name(rank).clone() };
            if let Some((wait, end)) = back_off.waiting(&key, now) {
                draft.requeue(Requeue { after: wait, reason: RequeueReason::FailedPodBackOff });
                draft.look_at(end);
                held_back.push(rank);
                continue;
            }
            back_off.next(key, now);
            events.push(event(EventType::Warning, EventReason::FailedDaemonPod, pod.name.clone()));
            plan.delete.push((rank, pod, Reason::FailedPod, 1));
        }
        for (pod, removal) in node.delete {
            if removal == Removal::Succeeded {
                events.push(event(EventType::Normal, EventReason::SucceededDaemonPod, pod.name.clone()));
            }
            plan.delete.push((rank, pod, removal_reason(fleet, view, rank, removal), 1));
        }
    }
    plan.delete.truncate(BURST);
    held_back.dedup();
    (plan, held_back)
}

fn removal_reason(fleet: &Fleet, view: &View, rank: Slot, removal: Removal) -> Reason {
    match removal {
        Removal::Failed => Reason::FailedPod,
        Removal::Succeeded => Reason::SucceededPod,
        Removal::Excess => Reason::ExcessPod,
        Removal::NotReadyBesideNew => Reason::NotReadyBesideReplacement,
        Removal::NewAvailable => Reason::ReplacementAvailable,
        Removal::Misplaced => {
            let exclusions = fleet.node(rank).map(|node| place(view.rules(), &node).exclusions().to_vec());
            Reason::NodeMustNotRun(exclusions.unwrap_or_default())
        }
        Removal::NodeGone => Reason::NodeGone,
    }
}

/// The rolling update.
fn roll<'a>(fleet: &'a Fleet, view: &'a View, taken: &mut Taken) -> Result<Plan<'a>, SyncError> {
    let aggregate = view.aggregate();
    let counts = aggregate.rollout_counts();
    let limits = budget(&view.daemon_set().spec, counts.desired)
        .map_err(|MalformedLimit(limit)| SyncError::MalformedLimit { limit })?;
    let mut plan = Plan::default();
    let mut delete = |rank: Slot, reason: &Reason, candidates: u32| {
        if let Some(pod) = old_pod(fleet, view, rank) {
            plan.delete.push((rank, pod, reason.clone(), candidates));
        }
    };
    match allowance(&counts, limits) {
        Allowance::NodeLost => {
            let first = aggregate.nodes(Mark::Lost).iter().next();
            let node = first.map(|rank| fleet.node_name(rank).clone()).unwrap_or_default();
            return Err(SyncError::NodeLost { node });
        }
        Allowance::Replace { candidates } => {
            for rank in aggregate.nodes(Mark::ReplaceNow).iter().take(BURST) {
                delete(rank, &Reason::OutdatedAndUnavailable, 1);
            }
            let reason =
                Reason::OutdatedWithinBudget { unavailable: counts.unavailable, limit: limits.max_unavailable };
            let room = room_within_burst(aggregate.count(Mark::ReplaceNow), candidates);
            for rank in aggregate.nodes(Mark::Candidate).iter().take(room) {
                delete(rank, &reason, counts.candidates);
                taken.candidates.push(rank);
            }
        }
        Allowance::Surge { candidates, sunset } => {
            let delete_old = aggregate.nodes(Mark::DeleteOld);
            for rank in delete_old.iter().take(BURST) {
                let is_alone =
                    !aggregate.nodes(Mark::Desired).contains(rank) && aggregate.nodes(Mark::ReplaceNow).contains(rank);
                let reason = if is_alone { Reason::OutdatedOnIneligibleNode } else { Reason::ReplacementAvailable };
                delete(rank, &reason, 1);
            }
            let reason = Reason::EnoughAvailableElsewhere { available: counts.available, desired: counts.desired };
            let room = room_within_burst(delete_old.count(), sunset);
            for rank in aggregate.nodes(Mark::Sunset).iter().take(room) {
                delete(rank, &reason, counts.sunset);
            }
            let surge_now = aggregate.nodes(Mark::SurgeNow);
            let at_once = surge_now.iter().take(BURST);
            plan.create.extend(at_once.map(|rank| (rank, Reason::SurgeForUnavailable)));
            let reason = Reason::SurgeWithinBudget { under_way: counts.surging, limit: limits.max_surge };
            let room = room_within_burst(surge_now.count(), candidates);
            for rank in aggregate.nodes(Mark::SurgeCandidate).iter().take(room) {
                plan.create.push((rank, reason.clone()));
                taken.candidates.push(rank);
            }
            plan.create_candidates = counts.surge_candidates;
        }
    }
    Ok(plan)
}

/// The pod of an earlier revision on a node that has one pod of each at most.
fn old_pod<'a>(fleet: &'a Fleet, view: &'a View, rank: Slot) -> Option<&'a PodFacts> {
    match versions(fleet.pods_on(view, rank), view.target()) {
        Versions::Pods { old, .. } => old,
        Versions::Excess => None,
    }
}

/// How many of `count` more fit into one sync's burst.
fn room_within_burst(first: u32, count: u32) -> usize {
    let room = BURST.saturating_sub(usize::try_from(first).unwrap_or(usize::MAX));
    room.min(usize::try_from(count).unwrap_or(usize::MAX))
}

/// What a sync has decided, to be shown at once where expectations are met at once.
#[derive(Default)]
struct Changes {
    created: Vec<(Slot, Text)>,
    deleted: Vec<PodKey>,
}

/// Turns a plan into batches.
fn propose(
    draft: &mut Draft,
    fleet: &Fleet,
    view: &View,
    plan: Plan<'_>,
    names: &mut GivenNames,
    changes: &mut Option<Changes>,
) {
    let revision = &view.target().revision;
    names.start(draft.next_id, revision);
    if plan.is_empty() {
        return;
    }
    let daemon_set = view.daemon_set();
    let is_cut = u32::try_from(plan.create.len()).unwrap_or(u32::MAX) < plan.create_candidates;
    let sizes = slow_start_batches(plan.create.len());
    let mut creations = plan.create.into_iter();
    for size in sizes {
        let mut batch = Vec::with_capacity(size);
        while batch.len() < size
            && let Some((rank, reason)) = creations.next()
        {
            let node = fleet.node_name(rank).clone();
            let name = names.give(&node, || new_pod_name(fleet, daemon_set, rank, revision));
            if let Some(changes) = changes.as_mut() {
                changes.created.push((rank, name.clone()));
            }
            let is_chosen = is_cut && reason != Reason::SurgeForUnavailable;
            let candidate_count = if is_chosen { plan.create_candidates } else { 1 };
            let action = Action::CreatePod { node, name, revision: revision.clone() };
            batch.push(Decision { id: DecisionId::default(), action, reason, candidate_count });
        }
        draft.push(BatchKind::Create, batch);
    }
    let namespace = &view.key().namespace;
    let mut deletions = Vec::with_capacity(plan.delete.len());
    for (rank, pod, reason, candidate_count) in plan.delete {
        let key = PodKey { namespace: namespace.clone(), name: pod.name.clone(), uid: pod.uid.clone() };
        if let Some(changes) = changes.as_mut() {
            changes.deleted.push(key.clone());
        }
        let action = Action::DeletePod { pod: key, node: fleet.node_name(rank).clone() };
        deletions.push(Decision { id: DecisionId::default(), action, reason, candidate_count });
    }
    draft.push(BatchKind::Delete, deletions);
}

fn new_pod_name(fleet: &Fleet, daemon_set: &DaemonSet, rank: Slot, revision: &str) -> Text {
    let ObjectMeta { namespace, name, .. } = &daemon_set.metadata;
    // A node that was never stored has no UID; its name tells it apart as well.
    let node = fleet.node_uid(rank).map_or("", |uid| if uid.is_empty() { fleet.node_name(rank) } else { uid });
    let mut number = 0;
    loop {
        let candidate = pod_name(name, &daemon_set.metadata.uid, node, revision, number);
        // Ends at the latest when every known pod was passed over.
        if number == u32::MAX || !fleet.knows_pod(namespace, &candidate) {
            return candidate;
        }
        number += 1;
    }
}

fn meet_at_once(fleet: &mut Fleet, slot: Slot, changes: &mut Option<Changes>, now: Timestamp) {
    let Some(Changes { created, deleted }) = changes.as_mut().map(std::mem::take) else { return };
    for (rank, name) in created {
        fleet.pretend_created(slot, rank, &name, now);
    }
    for pod in deleted {
        fleet.remove_pod(&pod.namespace, &pod.name, &pod.uid);
    }
    let revision = fleet.view(slot).map(|view| view.target().revision.clone()).unwrap_or_default();
    fleet.refresh(slot, &revision, now);
}

// ---- status and events ----

fn write_status(draft: &mut Draft, view: &View, observed: Observed) {
    let counts = view.aggregate().status_counts();
    if let Some(status) = status(view.daemon_set(), &counts, observed) {
        draft.push(BatchKind::Status, vec![decision(Action::UpdateStatus(status), Reason::StatusChanged)]);
    }
    let min_ready = view.target().min_ready;
    if !min_ready.is_zero() && counts.ready != counts.available {
        draft.requeue(Requeue { after: min_ready, reason: RequeueReason::PodBecomesAvailable });
    }
}

fn event(event_type: EventType, event: EventReason, about: Text) -> Decision {
    decision(Action::RecordEvent { event_type, event, about }, Reason::Announcement)
}

/// Whether a node's change concerns a DaemonSet (`syncNodeUpdate`, Kubernetes 1.33 and later). While pods are
/// misscheduled, every node with a pod does, so that their number is counted anew (1.35 and later).
pub(super) fn concerns(fleet: &Fleet, view: &View, node: Slot) -> bool {
    let is_scheduled = fleet.has_bound_pod(view, node);
    match view.standing(node) {
        Standing::Run if !is_scheduled => true,
        Standing::Exclude if is_scheduled => true,
        _ => {
            let recounts = fleet.version() >= KubernetesVersion::V1_35;
            recounts && is_scheduled && view.daemon_set().status.number_misscheduled > 0
        }
    }
}

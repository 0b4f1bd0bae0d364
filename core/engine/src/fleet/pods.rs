//! Pods in a slab, found by namespace and name.

use std::sync::Arc;

use super::{NOWHERE, Slot};
use crate::api::{ConditionStatus, ObjectMeta, OwnerReference, Pod, PodPhase, Text};
use crate::availability::PodFacts;
use crate::decision::PodKey;
use crate::ownership::Claim;
use crate::slot_index::{SlotIndex, hash_of};
use crate::text::same;
use crate::time::Timestamp;

/// A pod as the index keeps it.
#[derive(Clone, Debug, Default)]
pub struct PodRecord {
    /// What rules read.
    pub facts: PodFacts,
    /// What it has in common with most others.
    pub(super) kin: Arc<Kin>,
    /// Version of the stored object, to tell a repeated event.
    pub(super) resource_version: Text,
    /// The node it is on or pinned to, or [`NOWHERE`].
    pub(super) node: Slot,
    /// The DaemonSet that counts it, or gives it up, or [`NOWHERE`].
    pub(super) view: Slot,
    /// How that DaemonSet stands to it.
    pub(super) claim: Claim,
}

/// What most pods have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Kin {
    pub namespace: Text,
    /// UID of the controlling owner; empty for an orphan.
    pub owner: Text,
}

/// What changes in the life of a pod once it is bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PodLife {
    /// Its phase.
    pub phase: PodPhase,
    /// Whether its `Ready` condition is true.
    pub ready: bool,
    /// Since when the `Ready` condition has had its status.
    pub ready_transition: Option<Timestamp>,
    /// Whether its deletion has begun.
    pub deleting: bool,
}

impl PodLife {
    pub(super) fn of(pod: &Pod) -> Self {
        let condition = pod.ready_condition();
        Self {
            phase: pod.status.phase,
            ready: condition.is_some_and(|condition| condition.status == ConditionStatus::True),
            ready_transition: condition.and_then(|condition| condition.last_transition_time),
            deleting: pod.metadata.is_being_deleted(),
        }
    }
}

impl PodRecord {
    /// Takes in what the pod's life brought; whether anything changed.
    pub(super) fn live(&mut self, life: PodLife) -> bool {
        let facts = &mut self.facts;
        let PodLife { phase, ready, ready_transition, deleting } = life;
        let before = PodLife {
            phase: std::mem::replace(&mut facts.phase, phase),
            ready: std::mem::replace(&mut facts.ready, ready),
            ready_transition: std::mem::replace(&mut facts.ready_transition, ready_transition),
            deleting: std::mem::replace(&mut facts.deleting, deleting),
        };
        before != life
    }

    pub(super) fn of(pod: &Pod, revision: Text, node: Slot, kin: Arc<Kin>) -> Self {
        Self {
            facts: PodFacts::with_revision(pod, revision),
            kin,
            resource_version: pod.metadata.resource_version.clone(),
            node,
            view: NOWHERE,
            claim: Claim::Ignore,
        }
    }

    /// Namespace, name and UID.
    pub fn key(&self) -> PodKey {
        PodKey { namespace: self.kin.namespace.clone(), name: self.facts.name.clone(), uid: self.facts.uid.clone() }
    }

    /// What a claim reads of it.
    pub(super) fn metadata(&self) -> ObjectMeta {
        let owner = || OwnerReference { uid: self.kin.owner.clone(), controller: true, ..OwnerReference::default() };
        ObjectMeta {
            namespace: self.kin.namespace.clone(),
            name: self.facts.name.clone(),
            labels: self.facts.labels.clone(),
            deletion_timestamp: self.facts.deleting.then(Timestamp::default),
            owner_references: if self.kin.owner.is_empty() { Vec::new() } else { vec![owner()] },
            ..ObjectMeta::default()
        }
    }
}

/// All pods that are, or could become, a DaemonSet's.
#[derive(Clone, Debug, Default)]
pub(super) struct PodTable {
    records: Vec<Option<PodRecord>>,
    free: Vec<Slot>,
    by_name: SlotIndex,
}

impl PodTable {
    pub fn get(&self, slot: Slot) -> Option<&PodRecord> {
        self.records.get(slot as usize)?.as_ref()
    }

    pub fn get_mut(&mut self, slot: Slot) -> Option<&mut PodRecord> {
        self.records.get_mut(slot as usize)?.as_mut()
    }

    pub fn find(&self, namespace: &str, name: &str) -> Option<Slot> {
        let is_it = |slot: Slot| {
            self.get(slot)
                .is_some_and(|record| same(&record.facts.name, name) && same(&record.kin.namespace, namespace))
        };
        self.by_name.find(hash_of(&[namespace, name]), is_it)
    }

    pub fn insert(&mut self, record: PodRecord) -> Slot {
        let free = self.free.pop();
        let slot = free.unwrap_or_else(|| u32::try_from(self.records.len()).unwrap_or(NOWHERE));
        self.by_name.insert(hash_of(&[&record.kin.namespace, &record.facts.name]), slot);
        match free.and_then(|slot| self.records.get_mut(slot as usize)) {
            Some(place) => *place = Some(record),
            None => self.records.push(Some(record)),
        }
        slot
    }

    pub fn remove(&mut self, slot: Slot) {
        let Some(place) = self.records.get_mut(slot as usize) else { return };
        let Some(record) = place else { return };
        self.by_name.remove(hash_of(&[&record.kin.namespace, &record.facts.name]), slot);
        *place = None;
        self.free.push(slot);
    }

    /// Every pod, in order of slots.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Slot, &mut PodRecord)> {
        (0..).zip(&mut self.records).filter_map(|(slot, record)| Some((slot, record.as_mut()?)))
    }

    /// Every pod, in order of slots.
    pub fn iter(&self) -> impl Iterator<Item = (Slot, &PodRecord)> {
        (0..).zip(&self.records).filter_map(|(slot, record)| Some((slot, record.as_ref()?)))
    }
}

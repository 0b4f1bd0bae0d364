//! Nodes by rank: the order of their names.

use super::Slot;
use crate::api::{Labels, Node, Taint, Text};
use crate::order::sort_by_text;
use crate::slot_index::{SlotIndex, hash_of};
use crate::text::same;

/// A node, or only the name of one that a pod is on.
#[derive(Clone, Debug)]
pub(super) struct NodeEntry {
    pub name: Text,
    /// Absent when the node is gone, or was never there.
    pub facts: Option<NodeFacts>,
}

/// What the rules of a sync read of a node: a seventh of the object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NodeFacts {
    pub uid: Text,
    pub labels: Labels,
    pub taints: Box<[Taint]>,
}

impl NodeFacts {
    pub fn of(node: &Node) -> Self {
        Self {
            uid: node.metadata.uid.clone(),
            labels: node.metadata.labels.clone(),
            taints: node.spec.taints.as_slice().into(),
        }
    }
}

impl NodeEntry {
    /// Fills in an object with what the rules of a sync read of this node; whether it is there.
    pub fn fill(&self, node: &mut Node) -> bool {
        let Some(facts) = &self.facts else { return false };
        node.metadata.name.clone_from(&self.name);
        node.metadata.uid.clone_from(&facts.uid);
        node.metadata.labels.clone_from(&facts.labels);
        node.spec.taints.clear();
        node.spec.taints.extend_from_slice(&facts.taints);
        true
    }
}

/// The nodes. A slot is a rank as soon as [`NodeTable::is_ranked`]; a new node whose name is not the last one gets a
/// slot at the end until the index is ranked again.
#[derive(Clone, Debug, Default)]
pub(super) struct NodeTable {
    entries: Vec<NodeEntry>,
    by_name: SlotIndex,
    unranked: bool,
    /// The slot of the name that was asked for last: pods are created node after node, so that the next one often
    /// comes next.
    last: Slot,
}

impl NodeTable {
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn get(&self, slot: Slot) -> Option<&NodeEntry> {
        self.entries.get(slot as usize)
    }

    pub fn get_mut(&mut self, slot: Slot) -> Option<&mut NodeEntry> {
        self.entries.get_mut(slot as usize)
    }

    pub fn find(&self, name: &str) -> Option<Slot> {
        self.by_name.find(hash_of(&[name]), |slot| self.get(slot).is_some_and(|entry| same(&entry.name, name)))
    }

    /// The slot of a name, which is made when there is none; whether it was.
    pub fn slot_of(&mut self, name: &Text) -> (Slot, bool) {
        let is_it = |slot: &Slot| self.get(*slot).is_some_and(|entry| same(&entry.name, name));
        let near = [self.last.wrapping_add(1), self.last].into_iter().find(is_it);
        if let Some(slot) = near.or_else(|| self.find(name)) {
            self.last = slot;
            return (slot, false);
        }
        let slot = u32::try_from(self.entries.len()).unwrap_or(super::NOWHERE);
        self.unranked |= self.entries.last().is_some_and(|last| last.name > *name);
        self.entries.push(NodeEntry { name: name.clone(), facts: None });
        self.by_name.insert(hash_of(&[name]), slot);
        (slot, true)
    }

    /// Whether slots are ranks.
    pub const fn is_ranked(&self) -> bool {
        !self.unranked
    }

    pub fn iter(&self) -> impl Iterator<Item = &NodeEntry> {
        self.entries.iter()
    }

    /// Sorts by name, dropping entries that nothing refers to; the new slot of every old one.
    pub fn rank(&mut self, is_used: impl Fn(Slot, &NodeEntry) -> bool) -> Vec<Option<Slot>> {
        let mut moved = vec![None; self.entries.len()];
        let mut kept: Vec<(Slot, NodeEntry)> =
            (0..).zip(std::mem::take(&mut self.entries)).filter(|(slot, entry)| is_used(*slot, entry)).collect();
        sort_by_text(&mut kept, |(_, entry)| &entry.name);
        self.by_name.clear();
        for (rank, (slot, entry)) in (0..).zip(kept) {
            if let Some(moved) = moved.get_mut(slot as usize) {
                *moved = Some(rank);
            }
            self.by_name.insert(hash_of(&[&entry.name]), rank);
            self.entries.push(entry);
        }
        self.unranked = false;
        moved
    }
}

//! Nodes, indexed by name, label and taint, so that a template's nodes are found by set algebra.

mod columns;
mod reasons;
mod select;
mod taints;
#[cfg(test)]
mod tests;

use columns::{Columns, LabelId, index};
pub use reasons::{NodeReasons, Obstacle, ReasonId, RejectionReason};
pub use select::{Selection, SelectionCounts};
use taints::TaintSets;

use crate::api::{Node, Text};
use crate::bitset::Bitset;
use crate::order::sort_by_text;

/// Nodes by number (*rank*), with what placement looks at: name, labels, taints that keep new pods away.
///
/// A node keeps its rank while it is known. Built at once, ranks are the order of names; a node that comes later takes
/// a free rank, and [`NodeIndex::in_name_order`] still goes by name.
#[derive(Clone, Debug, Default)]
pub struct NodeIndex {
    /// By rank; empty where no node has the rank.
    names: Vec<Text>,
    /// By rank.
    labels: Vec<Box<[LabelId]>>,
    /// By rank.
    taint_sets: Vec<u32>,
    present: Bitset,
    free: Vec<u32>,
    /// Ranks in order of name.
    order: Vec<u32>,
    /// Whether `order` is not ascending.
    shuffled: bool,
    columns: Columns,
    taints: TaintSets,
    scratch: Vec<LabelId>,
}

/// What [`NodeIndex::insert`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inserted {
    /// The node's rank.
    pub rank: u32,
    /// Whether anything that placement looks at is new; a heartbeat changes nothing.
    pub changed: bool,
}

impl NodeIndex {
    /// Indexes nodes; of several with one name the last counts.
    pub fn build<'a>(nodes: impl IntoIterator<Item = &'a Node>) -> Self {
        let mut nodes: Vec<&Node> = nodes.into_iter().collect();
        if !nodes.is_sorted_by(|left, right| left.metadata.name <= right.metadata.name) {
            sort_by_text(&mut nodes, |node| &node.metadata.name);
        }
        let mut built = Self::default();
        built.names.reserve(nodes.len());
        built.labels.reserve(nodes.len());
        built.taint_sets.reserve(nodes.len());
        built.order.reserve(nodes.len());
        let universe = nodes.len();
        for node in nodes {
            built.insert_among(node, universe);
        }
        built
    }

    /// Takes in a node that is new or has changed.
    pub fn insert(&mut self, node: &Node) -> Inserted {
        self.insert_among(node, self.names.len())
    }

    /// Takes out a node; says which rank it had.
    pub fn remove(&mut self, name: &str) -> Option<u32> {
        let position = self.position(name).ok()?;
        let rank = *self.order.get(position)?;
        self.order.remove(position);
        let universe = self.names.len();
        let labels = self.labels.get_mut(index(rank)).map(std::mem::take).unwrap_or_default();
        self.columns.replace(rank, &labels, &[], universe);
        if let Some(set) = self.taint_sets.get_mut(index(rank)) {
            self.taints.replace(rank, std::mem::take(set), TaintSets::NO_TAINTS, universe);
        }
        if let Some(name) = self.names.get_mut(index(rank)) {
            *name = Text::default();
        }
        self.present.remove(rank);
        self.free.push(rank);
        Some(rank)
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The ranks of all nodes.
    pub fn all(&self) -> &Bitset {
        &self.present
    }

    /// The rank of a node.
    pub fn rank(&self, name: &str) -> Option<u32> {
        self.position(name).ok().and_then(|position| self.order.get(position)).copied()
    }

    /// The name of the node of a rank.
    pub fn name(&self, rank: u32) -> Option<&Text> {
        self.names.get(index(rank)).filter(|_| self.present.contains(rank))
    }

    /// The nodes of a set by name.
    pub fn in_name_order<'a>(&'a self, set: &'a Bitset) -> impl Iterator<Item = (u32, &'a Text)> + 'a {
        let as_they_are = (!self.shuffled).then(|| set.iter()).into_iter().flatten();
        let by_name = self.shuffled.then_some(&self.order).into_iter().flatten().copied();
        let by_name = by_name.filter(|rank| set.contains(*rank));
        as_they_are.chain(by_name).filter_map(|rank| Some((rank, self.name(rank)?)))
    }

    /// `universe` is how many ranks there are going to be at least.
    fn insert_among(&mut self, node: &Node, universe: usize) -> Inserted {
        match self.position(&node.metadata.name) {
            Ok(position) => {
                let rank = self.order.get(position).copied().unwrap_or_default();
                let changed = self.record(rank, node, Some(rank), universe);
                Inserted { rank, changed }
            }
            Err(position) => {
                let rank = self.new_rank(&node.metadata.name);
                let neighbour = position.checked_sub(1).and_then(|before| self.order.get(before)).copied();
                let next = self.order.get(position).copied();
                self.shuffled |= neighbour.is_some_and(|before| before > rank) || next.is_some_and(|next| next < rank);
                self.order.insert(position, rank);
                self.present.insert(rank);
                self.record(rank, node, neighbour, universe);
                Inserted { rank, changed: true }
            }
        }
    }

    fn new_rank(&mut self, name: &Text) -> u32 {
        if let Some(rank) = self.free.pop() {
            if let Some(slot) = self.names.get_mut(index(rank)) {
                *slot = name.clone();
            }
            return rank;
        }
        self.names.push(name.clone());
        self.labels.push(Box::default());
        self.taint_sets.push(TaintSets::NO_TAINTS);
        u32::try_from(self.names.len() - 1).unwrap_or(u32::MAX)
    }

    /// Notes labels and taints of the node of `rank`; `alike` is a node that is likely to have much the same labels.
    fn record(&mut self, rank: u32, node: &Node, alike: Option<u32>, universe: usize) -> bool {
        let mut ids = std::mem::take(&mut self.scratch);
        let alike = alike.and_then(|alike| self.labels.get(index(alike))).map_or(&[][..], |labels| labels);
        self.columns.intern(&node.metadata.labels, alike, universe, &mut ids);
        let mut changed = false;
        if let Some(labels) = self.labels.get_mut(index(rank))
            && **labels != *ids
        {
            self.columns.replace(rank, labels, &ids, universe);
            *labels = ids.as_slice().into();
            changed = true;
        }
        self.scratch = ids;
        let after = self.taints.intern(&node.spec.taints);
        if let Some(set) = self.taint_sets.get_mut(index(rank)) {
            changed |= *set != after;
            self.taints.replace(rank, *set, after, universe);
            *set = after;
        }
        changed
    }

    /// Where a name stands in `order`, or would.
    fn position(&self, name: &str) -> Result<usize, usize> {
        let name_of = |rank: &u32| self.names.get(index(*rank)).map_or("", Text::as_str);
        // Indexing many nodes in order of name must not search for each.
        if self.order.last().is_none_or(|last| name_of(last) < name) {
            return Err(self.order.len());
        }
        self.order.binary_search_by(|rank| name_of(rank).cmp(name))
    }
}

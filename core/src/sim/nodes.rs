use super::pods::{NO_POD, index, number};
use super::{Behaviour, Tile};
use crate::api::{ConditionStatus, Node, Pod, Text};
use crate::placement::Eligibility;
use crate::scheduling::NodeUsage;
use crate::time::Timestamp;

/// A node as the world keeps it, and what is on it.
#[derive(Clone, Debug)]
pub(super) struct NodeState {
    pub name: Text,
    /// The object; absent when there is no such node (any more) and pods still name it.
    pub object: Option<Box<Node>>,
    pub eligibility: Eligibility,
    /// The first of its pods that are kept in `Pods`, or `NO_POD`.
    pub first_pod: u32,
    /// Its other pods: they take up room and never change.
    pub others: Vec<Pod>,
    /// What those take up.
    pub usage: NodeUsage,
    /// What becomes of pods made for it, where that differs from the rest of the cluster.
    pub behaviour: Option<Behaviour>,
    pub tile: Tile,
    /// How many times were drawn for it.
    pub draws: u32,
    /// Whether something about it changed in this moment.
    pub touched: bool,
    /// Since when an eligible node has been without an available pod.
    pub gap_since: Option<Timestamp>,
}

/// Whether a node's kubelet does what it is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Health {
    /// Pods start and stop.
    Ready,
    /// Pods stop, and those that do not use the node's own network never become ready.
    NotReady,
    /// Nobody answers: pods neither start nor go.
    Dead,
}

impl NodeState {
    pub fn new(name: Text, object: Option<Box<Node>>) -> Self {
        Self {
            name,
            object,
            eligibility: Eligibility::default(),
            first_pod: NO_POD,
            others: Vec::new(),
            usage: NodeUsage::default(),
            behaviour: None,
            tile: Tile::Gone,
            draws: 0,
            touched: false,
            gap_since: None,
        }
    }

    /// Read from the `Ready` condition; a node without one, as a person writes it, is ready.
    pub fn health(&self) -> Health {
        let Some(node) = &self.object else { return Health::Dead };
        let mut conditions = node.status.conditions.iter();
        match conditions.find(|condition| condition.condition_type == "Ready").map(|condition| condition.status) {
            None | Some(ConditionStatus::True) => Health::Ready,
            Some(ConditionStatus::False) => Health::NotReady,
            Some(ConditionStatus::Unknown) => Health::Dead,
        }
    }
}

/// The nodes by number: in order of their names at the start, later ones at the end.
#[derive(Clone, Debug, Default)]
pub(super) struct Nodes {
    list: Vec<NodeState>,
    /// Numbers in order of names.
    by_name: Vec<u32>,
    /// The place in `by_name` of the node that was found last: the controller names nodes in order, so that the next
    /// one is often the one wanted next.
    last_found: usize,
}

impl Nodes {
    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn get(&self, node: u32) -> Option<&NodeState> {
        self.list.get(index(node))
    }

    pub fn get_mut(&mut self, node: u32) -> Option<&mut NodeState> {
        self.list.get_mut(index(node))
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = &NodeState> {
        self.list.iter()
    }

    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = &mut NodeState> {
        self.list.iter_mut()
    }

    pub fn numbers(&self) -> impl Iterator<Item = u32> + use<> {
        0..number(self.list.len())
    }

    /// Replaces all nodes; of equal names the last one counts.
    pub fn fill(&mut self, mut list: Vec<NodeState>) {
        list.sort_by(|left, right| left.name.cmp(&right.name));
        list.dedup_by(|later, earlier| {
            let same = later.name == earlier.name;
            if same {
                std::mem::swap(later, earlier);
            }
            same
        });
        self.by_name = (0..number(list.len())).collect();
        self.list = list;
    }

    /// The number of a node.
    pub fn find(&mut self, name: &str) -> Option<u32> {
        for place in [self.last_found.wrapping_add(1), self.last_found] {
            if let Some(&node) = self.by_name.get(place)
                && self.get(node).is_some_and(|state| state.name == name)
            {
                self.last_found = place;
                return Some(node);
            }
        }
        self.last_found = self.place(name).ok()?;
        self.by_name.get(self.last_found).copied()
    }

    /// The number of a node, which joins when there is none of that name.
    pub fn find_or_add(&mut self, name: &Text) -> u32 {
        match self.place(name) {
            Ok(place) => self.by_name.get(place).copied().unwrap_or_default(),
            Err(place) => {
                let node = number(self.list.len());
                self.list.push(NodeState::new(name.clone(), None));
                self.by_name.insert(place, node);
                node
            }
        }
    }

    fn place(&self, name: &str) -> Result<usize, usize> {
        self.by_name.binary_search_by(|&node| self.get(node).map_or("", |state| state.name.as_str()).cmp(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_found_by_name_in_any_order_and_later_ones_keep_the_numbers_of_the_others() {
        let mut nodes = Nodes::default();
        nodes.fill(["c", "a", "b", "a"].map(|name| NodeState::new(name.into(), None)).to_vec());
        assert_eq!(nodes.len(), 3);
        assert_eq!(["a", "b", "c"].map(|name| nodes.find(name)), [Some(0), Some(1), Some(2)]);
        assert_eq!(["c", "a", "z"].map(|name| nodes.find(name)), [Some(2), Some(0), None]);
        assert_eq!(nodes.find_or_add(&"aa".into()), 3);
        assert_eq!(["aa", "b", "c"].map(|name| nodes.find(name)), [Some(3), Some(1), Some(2)]);
    }
}

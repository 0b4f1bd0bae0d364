use rustc_hash::FxHashMap;

use crate::api::{Labels, Text};
use crate::bitset::Bitset;
use crate::scheduling::whole_number;

/// Below so many nodes a posting is a list, whatever the size of the cluster.
const SHORT_LIST: usize = 64;
/// A list that is longer than one in so many nodes becomes a bitset.
const LIST_SHARE: usize = 64;

/// Which nodes have something: a list while they are few, a bitset when they are many.
#[derive(Clone, Debug, Default)]
pub(super) enum Posting {
    #[default]
    None,
    One(u32),
    Few(Vec<u32>),
    Many(Bitset),
}

impl Posting {
    /// Adds a rank that is not in; `universe` is how many ranks there are.
    pub(super) fn add(&mut self, rank: u32, universe: usize) {
        match self {
            Self::None => *self = Self::One(rank),
            Self::One(first) => *self = Self::Few(vec![*first, rank]),
            Self::Few(ranks) if ranks.len() < longest_list(universe) => ranks.push(rank),
            Self::Few(ranks) => {
                let mut set: Bitset = ranks.iter().copied().collect();
                set.insert(rank);
                *self = Self::Many(set);
            }
            Self::Many(set) => _ = set.insert(rank),
        }
    }

    /// Takes out a rank that is in.
    pub(super) fn remove(&mut self, rank: u32, universe: usize) {
        match self {
            Self::None => {}
            Self::One(_) => *self = Self::None,
            Self::Few(ranks) => {
                ranks.retain(|other| *other != rank);
                if ranks.is_empty() {
                    *self = Self::None;
                }
            }
            Self::Many(set) => {
                set.remove(rank);
                // Half the length at which a list becomes a bitset, so that one node coming and going changes nothing.
                if index(set.count()) < longest_list(universe) / 2 {
                    *self = Self::Few(set.iter().collect());
                }
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        matches!(self, Self::None)
    }
}

fn longest_list(universe: usize) -> usize {
    SHORT_LIST.max(universe / LIST_SHARE)
}

/// A label of a node, as numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LabelId {
    pub(super) column: u32,
    pub(super) value: u32,
}

/// One label key: its values, and which nodes have each.
#[derive(Clone, Debug)]
pub(super) struct Column {
    key: Text,
    /// Nodes that have the label.
    pub(super) nodes: Bitset,
    /// How many they are.
    node_count: usize,
    values: Vec<Value>,
    by_text: FxHashMap<Text, u32>,
    free: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Value {
    text: Text,
    nodes: Posting,
}

impl Column {
    /// Nodes whose label has exactly this value.
    pub(super) fn with_value(&self, text: &str) -> Option<&Posting> {
        self.by_text.get(text).and_then(|value| self.values.get(index(*value))).map(|value| &value.nodes)
    }

    /// Postings of the values that are whole numbers accepted by `accept`.
    pub(super) fn with_numbers(&self, accept: impl Fn(i64) -> bool) -> impl Iterator<Item = &Posting> {
        let accepted = move |value: &&Value| whole_number(&value.text).is_some_and(&accept);
        self.values.iter().filter(accepted).map(|value| &value.nodes)
    }

    #[cfg(test)]
    pub(super) fn value_slots(&self) -> usize {
        self.values.len()
    }

    fn intern(&mut self, text: &Text, universe: usize) -> u32 {
        if let Some(value) = self.by_text.get(text.as_str()) {
            return *value;
        }
        let known = self.by_text.len();
        if known == self.by_text.capacity() && known > SHORT_LIST && known > self.node_count / 2 {
            // Nearly every node has a value of its own, and so will the others: growing step by step costs more.
            self.by_text.reserve(universe.saturating_sub(known));
            self.values.reserve(universe.saturating_sub(self.values.len()));
        }
        let entry = Value { text: text.clone(), nodes: Posting::None };
        let reused = self.free.pop().and_then(|value| Some((value, self.values.get_mut(index(value))?)));
        let value = if let Some((value, slot)) = reused {
            *slot = entry;
            value
        } else {
            self.values.push(entry);
            u32::try_from(self.values.len() - 1).unwrap_or(u32::MAX)
        };
        self.by_text.insert(text.clone(), value);
        value
    }

    fn remove(&mut self, value: u32, rank: u32, universe: usize) {
        let Some(entry) = self.values.get_mut(index(value)) else { return };
        entry.nodes.remove(rank, universe);
        if entry.nodes.is_empty() {
            self.by_text.remove(entry.text.as_str());
            entry.text = Text::default();
            self.free.push(value);
        }
    }
}

/// All label keys that were ever seen; values that no node has any more are forgotten.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    list: Vec<Column>,
    by_key: FxHashMap<Text, u32>,
}

impl Columns {
    pub(super) fn get(&self, key: &str) -> Option<&Column> {
        self.by_key.get(key).and_then(|column| self.list.get(index(*column)))
    }

    /// Numbers for `labels`, into `ids`. `alike` are the labels of a node that is likely to have much the same: where it
    /// has, no look-up is needed. Both are in ascending order of key.
    pub(super) fn intern(&mut self, labels: &Labels, alike: &[LabelId], universe: usize, ids: &mut Vec<LabelId>) {
        ids.clear();
        let mut alike = alike;
        for (key, text) in labels.iter() {
            let mut guess = None;
            while let Some((id, rest)) = alike.split_first() {
                let Some(column) = self.list.get(index(id.column)) else { break };
                if column.key == *key {
                    guess = Some(*id);
                    alike = rest;
                    break;
                }
                if column.key > *key {
                    break;
                }
                alike = rest;
            }
            let column = match guess {
                Some(id) => id.column,
                None => self.column(key),
            };
            let Some(entry) = self.list.get_mut(index(column)) else { continue };
            let guessed = guess.filter(|id| entry.values.get(index(id.value)).is_some_and(|value| value.text == *text));
            let value = match guessed {
                Some(id) => id.value,
                None => entry.intern(text, universe),
            };
            ids.push(LabelId { column, value });
        }
    }

    /// Records that the node of `rank`, which had the labels `before`, has the labels `after`.
    pub(super) fn replace(&mut self, rank: u32, before: &[LabelId], after: &[LabelId], universe: usize) {
        for id in before.iter().filter(|id| !after.contains(id)) {
            if let Some(column) = self.list.get_mut(index(id.column)) {
                column.remove(id.value, rank, universe);
                if !after.iter().any(|other| other.column == id.column) {
                    column.nodes.remove(rank);
                    column.node_count -= 1;
                }
            }
        }
        let is_new = |id: &&LabelId| before.is_empty() || !before.contains(id);
        for id in after.iter().filter(is_new) {
            if let Some(column) = self.list.get_mut(index(id.column)) {
                column.node_count += usize::from(column.nodes.insert(rank));
                if let Some(value) = column.values.get_mut(index(id.value)) {
                    value.nodes.add(rank, universe);
                }
            }
        }
    }

    fn column(&mut self, key: &Text) -> u32 {
        if let Some(column) = self.by_key.get(key.as_str()) {
            return *column;
        }
        let column = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
        self.list.push(Column {
            key: key.clone(),
            nodes: Bitset::new(),
            node_count: 0,
            values: Vec::new(),
            by_text: FxHashMap::default(),
            free: Vec::new(),
        });
        self.by_key.insert(key.clone(), column);
        column
    }
}

/// Numbers of this module fit in both 32-bit and 64-bit address spaces.
pub(super) const fn index(number: u32) -> usize {
    number as usize
}

use rustc_hash::FxHashMap;

use super::columns::{Posting, index};
use crate::api::Taint;
use crate::scheduling::keeps_new_pods_away;

/// The distinct lists of taints that keep new pods away, and which nodes have each.
#[derive(Clone, Debug, Default)]
pub(super) struct TaintSets {
    sets: Vec<TaintSet>,
    by_taints: FxHashMap<Box<[Taint]>, u32>,
    free: Vec<u32>,
}

/// One such list.
#[derive(Clone, Debug, Default)]
pub(super) struct TaintSet {
    /// The taints in the order of the node, without those that are mere preferences.
    pub(super) taints: Box<[Taint]>,
    /// Nodes that have exactly these.
    pub(super) nodes: Posting,
}

impl TaintSets {
    /// The number of a node without such taints.
    pub(super) const NO_TAINTS: u32 = 0;

    /// The number of the list that `taints` amount to.
    pub(super) fn intern(&mut self, taints: &[Taint]) -> u32 {
        if !taints.iter().any(keeps_new_pods_away) {
            return Self::NO_TAINTS;
        }
        let kept: Box<[Taint]> = taints.iter().filter(|taint| keeps_new_pods_away(taint)).cloned().collect();
        if let Some(number) = self.by_taints.get(&kept) {
            return *number;
        }
        let set = TaintSet { taints: kept.clone(), nodes: Posting::None };
        let reused = self.free.pop().and_then(|number| Some((number, self.sets.get_mut(index(number - 1))?)));
        let number = if let Some((number, slot)) = reused {
            *slot = set;
            number
        } else {
            self.sets.push(set);
            u32::try_from(self.sets.len()).unwrap_or(u32::MAX)
        };
        self.by_taints.insert(kept, number);
        number
    }

    /// Records that the node of `rank`, which had the list `before`, has the list `after`.
    pub(super) fn replace(&mut self, rank: u32, before: u32, after: u32, universe: usize) {
        if before == after {
            return;
        }
        if let Some(set) = self.get_mut(after) {
            set.nodes.add(rank, universe);
        }
        let Some(set) = self.get_mut(before) else { return };
        set.nodes.remove(rank, universe);
        if set.nodes.is_empty() {
            let taints = std::mem::take(&mut set.taints);
            self.by_taints.remove(&taints);
            self.free.push(before);
        }
    }

    /// Numbers and lists that some node has.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &TaintSet)> {
        (1..).zip(&self.sets).filter(|(_, set)| !set.nodes.is_empty())
    }

    #[cfg(test)]
    pub(super) fn slots(&self) -> usize {
        self.sets.len()
    }

    fn get_mut(&mut self, number: u32) -> Option<&mut TaintSet> {
        number.checked_sub(1).and_then(|position| self.sets.get_mut(index(position)))
    }
}

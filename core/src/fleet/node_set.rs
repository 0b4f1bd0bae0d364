//! Sets of nodes by rank.

/// A set of nodes, one bit per rank, that knows its size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeSet {
    words: Vec<u64>,
    count: u32,
}

impl NodeSet {
    /// How many nodes are in it.
    pub const fn count(&self) -> u32 {
        self.count
    }

    /// Whether it is empty.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether the node of this rank is in it.
    pub fn contains(&self, rank: u32) -> bool {
        let (word, bit) = place(rank);
        self.words.get(word).is_some_and(|word| word & bit != 0)
    }

    /// Ranks in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        ranks(self.words.iter().copied())
    }

    /// Ranks that are in either set, in ascending order.
    pub fn union<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = u32> + 'a {
        let length = self.words.len().max(other.words.len());
        let word = |set: &Self, index: usize| set.words.get(index).copied().unwrap_or(0);
        ranks((0..length).map(move |index| word(self, index) | word(other, index)))
    }

    /// Takes a node in that is not in it.
    pub(super) fn insert(&mut self, rank: u32) {
        let (word, bit) = place(rank);
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        if let Some(word) = self.words.get_mut(word) {
            self.count += u32::from(*word & bit == 0);
            *word |= bit;
        }
    }

    /// Takes a node out.
    pub(super) fn remove(&mut self, rank: u32) {
        let (word, bit) = place(rank);
        if let Some(word) = self.words.get_mut(word) {
            self.count -= u32::from(*word & bit != 0);
            *word &= !bit;
        }
    }

    /// Empties it.
    pub(super) fn clear(&mut self) {
        self.words.clear();
        self.count = 0;
    }
}

fn ranks(words: impl Iterator<Item = u64>) -> impl Iterator<Item = u32> {
    (0u32..).step_by(64).zip(words).flat_map(|(base, word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let bit = rest.trailing_zeros();
            // Clears the lowest bit; nothing is left of zero.
            rest &= rest.wrapping_sub(1);
            (bit < 64).then_some(base + bit)
        })
    })
}

const fn place(rank: u32) -> (usize, u64) {
    ((rank / 64) as usize, 1 << (rank % 64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_yields_its_ranks_in_order() {
        let mut set = NodeSet::default();
        for rank in [130, 0, 63, 64, 130, 5] {
            set.insert(rank);
        }
        set.remove(5);
        set.remove(1_000);
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 63, 64, 130]);
        assert_eq!((set.count(), set.contains(63), set.contains(5)), (4, true, false));
        set.clear();
        assert!(set.is_empty());
    }
}

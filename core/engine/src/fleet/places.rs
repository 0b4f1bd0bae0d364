//! A short list of places.

use super::Slot;

/// The places of a node's pods, in order. A node has one pod of a DaemonSet, two while that is replaced, seldom more:
/// up to two need no memory of their own.
#[derive(Clone, Debug, Default)]
pub(super) enum Places {
    #[default]
    None,
    One([Slot; 1]),
    Two([Slot; 2]),
    More(Box<[Slot]>),
}

impl Places {
    pub fn as_slice(&self) -> &[Slot] {
        match self {
            Self::None => &[],
            Self::One(places) => places,
            Self::Two(places) => places,
            Self::More(places) => places,
        }
    }

    /// Puts a place in before the one at `index`, or at the end.
    pub fn insert(&mut self, index: usize, slot: Slot) {
        *self = match (&*self, index) {
            (Self::None, _) => Self::One([slot]),
            (Self::One([other]), 0) => Self::Two([slot, *other]),
            (Self::One([other]), _) => Self::Two([*other, slot]),
            (several, _) => {
                let mut list = several.as_slice().to_vec();
                list.insert(index.min(list.len()), slot);
                Self::More(list.into())
            }
        };
    }

    /// Takes a place out.
    pub fn remove(&mut self, slot: Slot) {
        let rest = |slots: &[Slot]| slots.iter().copied().filter(|other| *other != slot).collect::<Box<[Slot]>>();
        *self = match &*self {
            Self::One([one]) if *one == slot => Self::None,
            Self::Two([one, other]) if *one == slot => Self::One([*other]),
            Self::Two([other, one]) if *one == slot => Self::One([*other]),
            Self::None | Self::One(_) | Self::Two(_) => return,
            Self::More(places) => match *rest(places) {
                [one, other] => Self::Two([one, other]),
                _ => Self::More(rest(places)),
            },
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_keep_their_order() {
        let mut places = Places::default();
        let mut list: Vec<Slot> = Vec::new();
        for (index, slot) in [(0, 5), (0, 4), (1, 9), (3, 7), (0, 1)] {
            places.insert(index, slot);
            list.insert(index, slot);
            assert_eq!(places.as_slice(), list);
        }
        for slot in [9, 8, 1, 7, 5, 4, 4] {
            places.remove(slot);
            list.retain(|other| *other != slot);
            assert_eq!(places.as_slice(), list);
        }
    }
}

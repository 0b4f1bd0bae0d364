use crate::api::Text;

/// So many texts are kept in one piece; twice as many are cut in two.
const PIECE: usize = 256;

/// Texts in order, each with a number.
///
/// Readers and rules share this one type: every map of the standard library would be one more copy of its code in the
/// page. Two levels are enough for the texts of the largest document.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// In order, each in order, none of them empty.
    pieces: Vec<Vec<(Text, u32)>>,
}

impl Tally {
    /// The number of a text.
    pub fn get(&self, text: &str) -> Option<u32> {
        let piece = self.pieces.get(self.piece_of(text))?;
        let place = piece.binary_search_by(|(known, _)| known.as_str().cmp(text)).ok()?;
        piece.get(place).map(|(_, number)| *number)
    }

    /// Gives a text a number, and returns the one it had.
    pub fn set(&mut self, text: &str, number: u32) -> Option<u32> {
        let at = self.piece_of(text);
        let Some(piece) = self.pieces.get_mut(at) else {
            self.pieces.push(vec![(Text::new(text), number)]);
            return None;
        };
        match piece.binary_search_by(|(known, _)| known.as_str().cmp(text)) {
            Ok(place) => piece.get_mut(place).map(|(_, known)| std::mem::replace(known, number)),
            Err(place) => {
                piece.insert(place, (Text::new(text), number));
                if piece.len() >= 2 * PIECE {
                    let behind = piece.split_off(PIECE);
                    self.pieces.insert(at + 1, behind);
                }
                None
            }
        }
    }

    /// Raises the number of a text, which is 0 at first.
    pub fn add(&mut self, text: &str, more: u32) {
        let number = self.get(text).unwrap_or(0).saturating_add(more);
        self.set(text, number);
    }

    /// The first text, in order, that starts like this.
    pub fn first_below(&self, start: &str) -> Option<&Text> {
        let at = self.piece_of(start);
        let piece = self.pieces.get(at)?;
        let place = piece.partition_point(|(text, _)| text.as_str() < start);
        let (text, _) = piece.get(place).or_else(|| self.pieces.get(at + 1)?.first())?;
        Some(text).filter(|text| text.starts_with(start))
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&Text, u32)> {
        self.pieces.iter().flatten().map(|(text, number)| (text, *number))
    }

    /// The last piece that does not start behind a text, else the first.
    fn piece_of(&self, text: &str) -> usize {
        let starts_before = |piece: &Vec<(Text, u32)>| piece.first().is_some_and(|(first, _)| first.as_str() <= text);
        self.pieces.partition_point(starts_before).saturating_sub(1)
    }
}

impl PartialEq for Tally {
    /// Equal when the same texts have the same numbers, wherever they were cut.
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::ops::Bound;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_is_a_map(texts in prop::collection::vec("[a-c]{0,6}", 0..2_000)) {
            let (mut tally, mut map) = (Tally::default(), BTreeMap::new());
            for (number, text) in (0..).zip(&texts) {
                prop_assert_eq!(tally.set(text, number), map.insert(text.clone(), number));
            }
            prop_assert!(tally.iter().map(|(text, number)| (text.as_str(), number)).eq(
                map.iter().map(|(text, number)| (text.as_str(), *number))
            ));
            for start in ["", "a", "bb", "ccc", "cccccc", "d"] {
                prop_assert_eq!(tally.get(start), map.get(start).copied());
                let from = map.range::<str, _>((Bound::Included(start), Bound::Unbounded)).next();
                let expected = from.map(|(text, _)| text.as_str()).filter(|text| text.starts_with(start));
                prop_assert_eq!(tally.first_below(start).map(Text::as_str), expected);
            }
            let again = map.iter().fold(Tally::default(), |mut again, (text, number)| {
                again.add(text, *number);
                again
            });
            prop_assert_eq!(tally, again);
        }
    }
}

//! Sorting by one copy of code.
//!
//! The standard library's sorts are copied for every type of element, 4 kB each, which the page pays for. Here what is
//! copied compares two elements and swaps them. Slower by a call for each comparison: for lists that are short, or
//! sorted once.

use std::cmp::Ordering;

/// So many elements are sorted by moving each to its place, without memory of their own.
const FEW: usize = 20;

/// Sorts by a comparison; what is equal keeps its order.
pub(crate) fn sort_by<T>(items: &mut [T], compare: impl FnMut(&T, &T) -> Ordering) {
    sort(&mut Slice { items, compare });
}

/// Sorts by a key; what is equal keeps its order.
pub(crate) fn sort_by_key<T, K: Ord>(items: &mut [T], mut key: impl FnMut(&T) -> K) {
    sort_by(items, |left, right| key(left).cmp(&key(right)));
}

trait Sortable {
    fn count(&self) -> usize;
    fn compare(&mut self, left: usize, right: usize) -> Ordering;
    fn swap(&mut self, left: usize, right: usize);
}

struct Slice<'a, T, F> {
    items: &'a mut [T],
    compare: F,
}

impl<T, F: FnMut(&T, &T) -> Ordering> Sortable for Slice<'_, T, F> {
    fn count(&self) -> usize {
        self.items.len()
    }

    fn compare(&mut self, left: usize, right: usize) -> Ordering {
        match (self.items.get(left), self.items.get(right)) {
            (Some(left), Some(right)) => (self.compare)(left, right),
            _ => Ordering::Equal,
        }
    }

    fn swap(&mut self, left: usize, right: usize) {
        self.items.swap(left, right);
    }
}

fn sort(items: &mut dyn Sortable) {
    let count = items.count();
    if count <= FEW {
        for end in 1..count {
            let mut here = end;
            while here > 0 && items.compare(here - 1, here).is_gt() {
                items.swap(here - 1, here);
                here -= 1;
            }
        }
        return;
    }
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|left, right| items.compare(*left, *right));
    // Each place takes in what belongs there, along the circle of those that change places.
    for start in 0..count {
        let mut here = start;
        while let Some(from) = order.get_mut(here).map(|from| std::mem::replace(from, here))
            && from != start
            && from != here
        {
            items.swap(here, from);
            here = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_sorts_as_the_standard_library_does(mut items in prop::collection::vec((0..20_u8, any::<u16>()), 0..100)) {
            let mut expected = items.clone();
            expected.sort_by_key(|(key, _)| *key);
            sort_by_key(&mut items, |(key, _)| *key);
            prop_assert_eq!(items, expected);
        }
    }
}

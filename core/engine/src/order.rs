//! Sorting by one copy of code.
//!
//! The standard library's sorts are copied for every type of element, 4 kB each, which the page pays for. Here what is
//! copied compares two elements and swaps them. Slower by a call for each comparison: for lists that are short, or
//! sorted once.

use std::cmp::Ordering;

use smol_str::SmolStr as Text;

/// So many elements are sorted by moving each to its place, without memory of their own.
const FEW: usize = 20;

/// Sorts by a comparison; what is equal keeps its order.
pub fn sort_by<T>(items: &mut [T], compare: impl FnMut(&T, &T) -> Ordering) {
    sort(&mut Slice { items, compare });
}

/// Sorts by a key; what is equal keeps its order.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], mut key: impl FnMut(&T) -> K) {
    sort_by(items, |left, right| key(left).cmp(&key(right)));
}

/// Sorts by a text, such as a name; what is equal keeps its order.
pub fn sort_by_text<T>(items: &mut [T], text: impl Fn(&T) -> &Text) {
    sort_by(items, |left, right| compare_texts(text(left), text(right)));
}

/// Compares by one copy of the code, which looks for both where a short or a long text lies.
#[inline(never)]
pub(crate) fn compare_texts(left: &Text, right: &Text) -> Ordering {
    left.cmp(right)
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
    let mut order = merged(count, items);
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

/// The positions of all elements in order: runs of 1, 2, 4, … that are in order are merged until one is left.
fn merged(count: usize, items: &mut dyn Sortable) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    let mut next = Vec::with_capacity(count);
    let mut length = 1;
    while length < count {
        for pair in order.chunks(2 * length) {
            let (mut left, mut right) = pair.split_at(length.min(pair.len()));
            // What is in order already costs one comparison a pair.
            let is_split =
                left.last().zip(right.first()).is_some_and(|(last, first)| items.compare(*last, *first).is_gt());
            while let ([first, behind @ ..], [second, after @ ..]) = (left, right)
                && is_split
            {
                if items.compare(*first, *second).is_gt() {
                    next.push(*second);
                    right = after;
                } else {
                    next.push(*first);
                    left = behind;
                }
            }
            next.extend_from_slice(left);
            next.extend_from_slice(right);
        }
        std::mem::swap(&mut order, &mut next);
        next.clear();
        length *= 2;
    }
    order
}

/// Sorts numbers byte by byte, from the lowest to the highest that differs.
pub fn sort_numbers(numbers: &mut Vec<u64>) {
    let mut sorted = vec![0; numbers.len()];
    for shift in (0..u64::BITS).step_by(8) {
        let byte = |number: u64| (number >> shift & 0xff) as usize;
        // Where the next number with a byte goes.
        let mut places = [0; 257];
        for number in numbers.iter() {
            if let Some(count) = places.get_mut(byte(*number) + 1) {
                *count += 1;
            }
        }
        if places.contains(&numbers.len()) {
            continue;
        }
        let mut before = 0;
        for place in &mut places {
            before += *place;
            *place = before;
        }
        for number in numbers.iter() {
            if let Some(place) = places.get_mut(byte(*number)) {
                if let Some(to) = sorted.get_mut(*place) {
                    *to = *number;
                }
                *place += 1;
            }
        }
        std::mem::swap(numbers, &mut sorted);
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

        #[test]
        fn numbers_are_sorted_as_the_standard_library_does(mut numbers in prop::collection::vec(
            prop_oneof![any::<u64>(), 0..3_u64, 1_000_000..70_000_000_u64], 0..300)
        ) {
            let mut expected = numbers.clone();
            expected.sort_unstable();
            sort_numbers(&mut numbers);
            prop_assert_eq!(numbers, expected);
        }
    }
}

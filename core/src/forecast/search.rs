/// The search for the smallest limit that is enough: doubled until one is, then halved between the last two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Search {
    most: u32,
    /// The largest limit below all that are enough which was tried and is not; 0 counts as tried.
    too_small: u32,
    /// The smallest limit that is enough.
    enough: Option<u32>,
    /// What was tried, with how many plays met the deadline.
    tried: Vec<(u32, u32)>,
}

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// Try this one.
    Try(u32),
    /// This one is enough, and one less is not.
    Found(u32),
    /// Not even this one, the largest there is, is enough.
    Nothing(u32),
}

impl Search {
    /// From one up to a number of nodes, at least one.
    pub fn up_to(most: u32) -> Self {
        Self { most: most.max(1), too_small: 0, enough: None, tried: Vec::new() }
    }

    pub fn next(&self) -> Next {
        match self.enough {
            Some(enough) if enough.saturating_sub(self.too_small) <= 1 => Next::Found(enough),
            Some(enough) => Next::Try(self.too_small.midpoint(enough)),
            None if self.too_small >= self.most => Next::Nothing(self.most),
            None => Next::Try(self.too_small.saturating_mul(2).clamp(1, self.most)),
        }
    }

    /// Takes note of what became of a try.
    pub fn take(&mut self, limit: u32, met: u32, is_enough: bool) {
        self.tried.push((limit, met));
        if is_enough {
            self.enough = Some(self.enough.map_or(limit, |enough| enough.min(limit)));
        } else {
            self.too_small = self.too_small.max(limit);
        }
    }

    /// How many plays met the deadline with a limit; absent when it was not tried.
    pub fn met(&self, limit: u32) -> Option<u32> {
        self.tried.iter().find(|(tried, _)| *tried == limit).map(|(_, met)| *met)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is found, and how many tries it took, where limits from `least` on are enough.
    fn found(most: u32, least: u32) -> (Next, usize, Search) {
        let mut search = Search::up_to(most);
        loop {
            match search.next() {
                Next::Try(limit) => search.take(limit, 0, limit >= least),
                next => return (next, search.tried.len(), search),
            }
        }
    }

    #[test]
    fn the_smallest_limit_is_found_with_one_less_tried() {
        for most in [1, 2, 3, 7, 250] {
            for least in 1..=most {
                let (next, _, search) = found(most, least);
                assert_eq!(next, Next::Found(least), "{least} of {most}");
                assert!(least == 1 || search.met(least - 1).is_some(), "{least} of {most}");
            }
        }
    }

    #[test]
    fn few_tries_are_enough_also_on_many_nodes() {
        assert!(found(130_000, 97_123).1 <= 34);
        assert_eq!(found(130_000, 1).1, 1);
    }

    #[test]
    fn where_no_limit_is_enough_the_largest_was_tried() {
        for most in [1, 5, 64, 250] {
            let (next, _, search) = found(most, most + 1);
            assert_eq!(next, Next::Nothing(most));
            assert!(search.met(most).is_some());
        }
    }
}

//! First come, first served.

/// A queue in two lists, each with its end open: `VecDeque` costs the page twice as much for every type in it.
#[derive(Clone, Debug)]
pub(crate) struct Line<T> {
    /// The first ones, the very first at the end.
    head: Vec<T>,
    /// Those behind them, the last at the end.
    tail: Vec<T>,
}

impl<T> Default for Line<T> {
    fn default() -> Self {
        Self { head: Vec::new(), tail: Vec::new() }
    }
}

impl<T> Line<T> {
    pub fn push(&mut self, item: T) {
        self.tail.push(item);
    }

    /// Takes the first one out.
    pub fn pop(&mut self) -> Option<T> {
        if self.head.is_empty() {
            std::mem::swap(&mut self.head, &mut self.tail);
            self.head.reverse();
        }
        self.head.pop()
    }

    pub fn first(&self) -> Option<&T> {
        self.head.last().or_else(|| self.tail.first())
    }

    pub fn last(&self) -> Option<&T> {
        self.tail.last().or_else(|| self.head.first())
    }

    pub fn len(&self) -> usize {
        self.head.len() + self.tail.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_to_come_is_the_first_to_go() {
        let mut line = Line::default();
        assert_eq!((line.first(), line.last()), (None, None));
        assert_eq!(line.pop(), None);
        for number in 0..3 {
            line.push(number);
        }
        assert_eq!((line.first(), line.last(), line.len()), (Some(&0), Some(&2), 3));
        assert_eq!(line.pop(), Some(0));
        line.push(3);
        assert_eq!((line.first(), line.last(), line.len()), (Some(&1), Some(&3), 3));
        assert_eq!([line.pop(), line.pop(), line.pop(), line.pop()], [Some(1), Some(2), Some(3), None]);
        line.push(4);
        line.push(5);
        line.pop();
        assert_eq!((line.first(), line.last()), (Some(&5), Some(&5)));
    }
}

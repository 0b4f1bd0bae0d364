use super::super::Tally;
use super::node::Node;
use crate::api::Text;

/// Texts that were met, each with a number.
#[derive(Default)]
pub(super) struct Names(Tally);

impl Names {
    /// What the elements of a list hold in a field.
    pub fn of(list: &Node<'_>, field: &str) -> Self {
        let mut names = Self::default();
        names.add(list, field);
        names
    }

    /// Adds what the elements of a list hold in a field.
    pub fn add(&mut self, list: &Node<'_>, field: &str) {
        for item in list.items() {
            self.insert(item.text(field));
        }
    }

    /// Adds a text; whether it is new.
    pub fn insert(&mut self, text: &str) -> bool {
        self.set(text, 0).is_none()
    }

    /// Gives a text a number, and returns the one it had.
    pub fn set(&mut self, text: &str, number: u32) -> Option<u32> {
        self.0.set(text, number)
    }

    /// Gives a text a number unless it has one.
    pub fn set_first(&mut self, text: &str, number: u32) {
        if !self.contains(text) {
            self.set(text, number);
        }
    }

    /// The number of a text.
    pub fn get(&self, text: &str) -> Option<u32> {
        self.0.get(text)
    }

    /// Whether a text was met.
    pub fn contains(&self, text: &str) -> bool {
        self.get(text).is_some()
    }

    /// The first text, in order, that starts like this.
    pub fn first_below(&self, start: &str) -> Option<&Text> {
        self.0.first_below(start)
    }
}

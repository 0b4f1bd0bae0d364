//! What the page opens with.

use std::rc::Rc;

/// The documents of the built-in scenario.
pub fn documents() -> [Rc<str>; 3] {
    ["", "", ""].map(Rc::from)
}

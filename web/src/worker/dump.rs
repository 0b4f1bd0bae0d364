//! A cluster of any size: what `kubectl get nodes,pods -A -o json` prints, read a piece at a time.

use std::cell::RefCell;
use std::rc::Rc;

use rollcast_core::manifest::{DumpReader, Object, is_dump};

use super::reading::Reading;

/// Bytes that are read before the clock is looked at again: a millisecond or two.
const PIECE: usize = 64 << 10;

/// A dump that is being read.
pub struct Gathering {
    reader: DumpReader<Box<dyn FnMut(Object)>>,
    /// What the reader has handed out.
    found: Rc<RefCell<Vec<Object>>>,
    read: usize,
}

impl Gathering {
    /// A dump of which nothing has been read; nothing for a text that is small enough to be read at once.
    pub fn of(text: &str) -> Option<Self> {
        if !is_dump(text.len() as u64) {
            return None;
        }
        let found = Rc::new(RefCell::new(Vec::new()));
        let keep = Rc::clone(&found);
        let reader = DumpReader::new(Box::new(move |object| keep.borrow_mut().push(object)) as Box<dyn FnMut(Object)>);
        Some(Self { reader, found, read: 0 })
    }

    /// Reads a little further; how many bytes have been read, or nothing at the end.
    pub fn advance(&mut self, text: &str, reading: &mut Reading) -> Option<usize> {
        let rest = text.as_bytes().get(self.read..).filter(|rest| !rest.is_empty())?;
        let piece = rest.get(..PIECE).unwrap_or(rest);
        self.reader.push(piece);
        self.read += piece.len();
        for object in self.found.take() {
            reading.take_in(object);
        }
        Some(self.read)
    }

    /// Takes in what was found last, and what is wrong.
    pub fn finish(self, reading: &mut Reading) {
        let Self { reader, found, .. } = self;
        let dump = reader.finish();
        for object in found.take() {
            reading.take_in(object);
        }
        reading.cluster_problems(dump.problems);
    }
}

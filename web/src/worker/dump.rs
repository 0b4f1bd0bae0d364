//! A cluster of any size: what `kubectl get nodes,pods -A -o json` prints, read a piece at a time.

use std::cell::RefCell;
use std::rc::Rc;

use rollcast_core::manifest::{DumpReader, Object, is_dump};

use super::reading::Reading;
use crate::protocol::Input;

/// Bytes that are read before the clock is looked at again: a millisecond or two.
const PIECE: u64 = 64 << 10;

/// What a dump is read from.
pub trait Source {
    /// So many bytes from a place on, or as many as there are; nothing where it cannot be read.
    fn piece(&self, from: u64, length: u64) -> Option<Vec<u8>>;
}

/// A dump that is being read.
pub struct Gathering {
    reader: DumpReader<Box<dyn FnMut(Object)>>,
    /// What the reader has handed out.
    found: Rc<RefCell<Vec<Object>>>,
    /// Absent: the text of the cluster itself, which is too large for a document.
    source: Option<Rc<dyn Source>>,
    read: u64,
    total: u64,
}

impl Gathering {
    /// A dump of which nothing has been read; nothing where the cluster is a text that is small enough to be read at once.
    pub fn of(input: &Input, source: Option<&Rc<dyn Source>>) -> Option<Self> {
        let [_, _, text, _] = &input.documents;
        let (source, total) = match &input.dump {
            Some(dump) => (Some(Rc::clone(source?)), dump.bytes),
            None if is_dump(text.len() as u64) => (None, text.len() as u64),
            None => return None,
        };
        let found = Rc::new(RefCell::new(Vec::new()));
        let keep = Rc::clone(&found);
        let reader = DumpReader::new(Box::new(move |object| keep.borrow_mut().push(object)) as Box<dyn FnMut(Object)>);
        Some(Self { reader, found, source, read: 0, total })
    }

    /// Reads a little further; how many bytes of how many have been read, or nothing at the end.
    pub fn advance(&mut self, input: &Input, reading: &mut Reading) -> Option<(u64, u64)> {
        let [_, _, text, _] = &input.documents;
        let piece = match &self.source {
            Some(source) => source.piece(self.read, PIECE)?,
            None => of_text(text, self.read)?.to_vec(),
        };
        if piece.is_empty() {
            return None;
        }
        self.reader.push(&piece);
        self.read += piece.len() as u64;
        for object in self.found.take() {
            reading.take_in(object);
        }
        Some((self.read, self.total))
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

/// The next piece of a text.
fn of_text(text: &str, from: u64) -> Option<&[u8]> {
    let rest = text.as_bytes().get(usize::try_from(from).ok()?..)?;
    Some(rest.get(..usize::try_from(PIECE).ok()?).unwrap_or(rest))
}

//! Work that is measured natively and as WASM.

use serde_json::Value;

use crate::subject::{self, Kind};

/// Work, prepared: what is read and built before does not count.
pub struct Work(Box<dyn FnMut() -> u32>);

impl Work {
    /// The pieces of work there are, and the kind of vector that feeds them.
    pub const ALL: [(&str, Kind); 3] =
        [("sync vectors", Kind::Sync), ("placement", Kind::Fit), ("rollout", Kind::Trajectory)];

    /// Prepares the work of that name from the lines of a vector file.
    pub fn new(name: &str, lines: &str) -> Self {
        let (_, kind) = Self::ALL.into_iter().find(|(known, _)| *known == name).expect("a known name");
        let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
        Self(Box::new(move || {
            lines.iter().fold(0, |sum: u32, line| {
                sum.wrapping_mul(31).wrapping_add(checksum(&subject::canonical(&subject::answer(kind, line))))
            })
        }))
    }

    /// Does it once.
    pub fn run(&mut self) -> u32 {
        (self.0)()
    }
}

fn checksum(text: &str) -> u32 {
    text.bytes().fold(2_166_136_261, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(16_777_619))
}

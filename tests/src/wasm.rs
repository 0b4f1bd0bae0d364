//! What the WASM build offers to Node: the same answers, and the same work to be measured.

use wasm_bindgen::prelude::wasm_bindgen;

use crate::measured;
use crate::subject::{self, Kind};
use crate::swarm;

/// Answers one line of a vector file; the answer is canonical JSON text.
#[wasm_bindgen]
pub fn answer(kind: &str, line: &str) -> String {
    let kind = Kind::parse(kind).expect("a known kind");
    let line = serde_json::from_str(line).expect("a line of JSON");
    subject::canonical(&subject::answer(kind, &line))
}

/// Plays seeds with faults; the hash of everything seen in each, one a line.
#[wasm_bindgen]
pub fn simulate(first: u32, count: u32) -> String {
    swarm::hashes(first, count)
}

/// Work to be measured.
#[wasm_bindgen]
pub struct Work(measured::Work);

#[wasm_bindgen]
impl Work {
    /// The work of that name.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str, lines: &str) -> Self {
        Self(measured::Work::new(name, lines))
    }

    /// Makes ready for one run.
    pub fn prepare(&mut self) {
        self.0.prepare();
    }

    /// Does what was prepared; the result is the same natively.
    pub fn run(&mut self) -> u32 {
        self.0.run()
    }
}

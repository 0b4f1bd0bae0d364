//! Maps that are looked up, never walked: their order cannot show.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map for look-ups by key. Nothing iterates over it.
pub(super) type LookUp<Key, Value> = HashMap<Key, Value, BuildHasherDefault<WordHasher>>;

/// Multiplies and rotates word by word; the same on every target. Not against an adversary: names in a cluster come
/// from its operator.
#[derive(Clone, Copy, Default)]
pub(super) struct WordHasher(u64);

impl WordHasher {
    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
}

impl Hasher for WordHasher {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.add(u64::from_le_bytes(*word));
        }
        if !rest.is_empty() {
            let mut word = [0; 8];
            for (into, byte) in word.iter_mut().zip(rest) {
                *into = *byte;
            }
            self.add(u64::from_le_bytes(word) ^ (bytes.len() as u64));
        }
    }

    fn write_u8(&mut self, byte: u8) {
        self.add(u64::from(byte));
    }

    fn finish(&self) -> u64 {
        // The map takes its bucket from the low bits and a tag from the high ones.
        self.0.rotate_left(26)
    }
}

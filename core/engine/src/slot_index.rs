//! Places found by a hash of what is at them.

/// No place.
pub const NOWHERE: u32 = u32::MAX;

/// Finds places by hash. Whether the right thing is at a place only its owner can say, so that keys are not kept twice:
/// 16 bytes a thing at most, and looking for something that is not there touches nothing else.
///
/// Open addressing with linear probing; what follows a removed entry moves up, so that no graves are left.
#[derive(Clone, Debug, Default)]
pub struct SlotIndex {
    table: Vec<Entry>,
    count: usize,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    hash: u32,
    slot: u32,
}

const VACANT: Entry = Entry { hash: 0, slot: NOWHERE };

impl SlotIndex {
    /// The place with this hash for which `is_it` holds.
    pub fn find(&self, hash: u32, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        let mut at = self.home(hash)?;
        loop {
            let entry = self.table.get(at).filter(|entry| entry.slot != NOWHERE)?;
            if entry.hash == hash && is_it(entry.slot) {
                return Some(entry.slot);
            }
            at = self.after(at);
        }
    }

    /// Takes in a place that is not in yet.
    pub fn insert(&mut self, hash: u32, slot: u32) {
        if self.count >= self.table.len() / 4 * 3 {
            let larger = (self.table.len() * 2).max(8);
            for entry in std::mem::replace(&mut self.table, vec![VACANT; larger]) {
                if entry.slot != NOWHERE {
                    self.put(entry);
                }
            }
        }
        self.put(Entry { hash, slot });
        self.count += 1;
    }

    /// Takes a place out.
    pub fn remove(&mut self, hash: u32, slot: u32) {
        let Some(mut hole) = self.home(hash) else { return };
        loop {
            match self.table.get(hole) {
                Some(entry) if entry.slot == slot => break,
                Some(entry) if entry.slot != NOWHERE => hole = self.after(hole),
                _ => return,
            }
        }
        self.count -= 1;
        let mask = self.table.len() - 1;
        let mut at = hole;
        loop {
            at = self.after(at);
            let Some(entry) = self.table.get(at).copied().filter(|entry| entry.slot != NOWHERE) else { break };
            // It may fill the hole unless the place where it is looked for first lies behind that.
            let first = entry.hash as usize & mask;
            if at.wrapping_sub(first) & mask >= at.wrapping_sub(hole) & mask {
                self.set(hole, entry);
                hole = at;
            }
        }
        self.set(hole, VACANT);
    }

    /// Takes everything out.
    pub fn clear(&mut self) {
        self.table.clear();
        self.count = 0;
    }

    fn put(&mut self, entry: Entry) {
        let Some(mut at) = self.home(entry.hash) else { return };
        while self.table.get(at).is_some_and(|other| other.slot != NOWHERE) {
            at = self.after(at);
        }
        self.set(at, entry);
    }

    fn set(&mut self, at: usize, entry: Entry) {
        if let Some(place) = self.table.get_mut(at) {
            *place = entry;
        }
    }

    // INVARIANT: the table's length is a power of two or zero, and a quarter of it is vacant.

    fn home(&self, hash: u32) -> Option<usize> {
        self.table.len().checked_sub(1).map(|mask| hash as usize & mask)
    }

    fn after(&self, at: usize) -> usize {
        (at + 1) & (self.table.len().wrapping_sub(1))
    }
}

/// A hash of some texts in order: multiplies and rotates word by word, the same on every target. Not against an
/// adversary: names in a cluster come from its operator.
pub fn hash_of(texts: &[&str]) -> u32 {
    let mut hash = 0_u64;
    let mut add = |word: u64| hash = (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    for text in texts {
        let (words, rest) = text.as_bytes().as_chunks::<8>();
        for word in words {
            add(u64::from_le_bytes(*word));
        }
        if !rest.is_empty() {
            let mut word = [0; 8];
            for (into, byte) in word.iter_mut().zip(rest) {
                *into = *byte;
            }
            add(u64::from_le_bytes(word) ^ (text.len() as u64));
        }
        add(0xff);
    }
    let [a, b, c, d, ..] = hash.rotate_left(26).to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_while_others_come_and_go() {
        let names: Vec<String> = (0..2_000).map(|number| format!("name-{number}")).collect();
        // Few hashes, so that many meet.
        let hash = |name: &str| hash_of(&[name]) % 300;
        let mut index = SlotIndex::default();
        let find = |index: &SlotIndex, slot: usize| {
            index.find(hash(&names[slot]), |other| names[other as usize] == names[slot]).map(|found| found as usize)
        };
        assert_eq!(find(&index, 7), None);
        for slot in 0..2_000 {
            index.insert(hash(&names[slot as usize]), slot);
        }
        for gone in (0..2_000).filter(|slot| slot % 3 == 0) {
            index.remove(hash(&names[gone as usize]), gone);
            index.remove(hash(&names[gone as usize]), gone);
        }
        for slot in 0..2_000 {
            assert_eq!(find(&index, slot), (slot % 3 != 0).then_some(slot), "{slot}");
        }
        index.insert(hash(&names[0]), 0);
        assert_eq!(find(&index, 0), Some(0));
        index.clear();
        assert_eq!(find(&index, 1), None);
    }

    #[test]
    fn hashes_of_like_names_are_spread() {
        let mut homes: Vec<u32> =
            (0..4_096).map(|number| hash_of(&["default", &format!("node-{number:06}")]) % 8_192).collect();
        homes.sort_unstable();
        homes.dedup();
        // Thrown at random, 4,096 would hit about 3,220 of 8,192.
        assert!(homes.len() > 2_800, "{}", homes.len());
    }
}

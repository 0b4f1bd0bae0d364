//! Names of created pods.

use smol_str::SmolStrBuilder;

use crate::api::Text;
use crate::history::safe_letter;

/// How much of the DaemonSet's name is kept, so that the whole is at most 63 characters long.
const PREFIX_LENGTH: usize = 52;

/// How many letters follow.
const SUFFIX_LENGTH: usize = 10;

/// The name of the pod that a DaemonSet creates for a node from a revision: the same each time it is asked for, so
/// that a creation whose answer was lost cannot become a second pod. Upstream draws five random characters.
///
/// `number` is the lowest for which no pod of that name exists.
pub fn pod_name(daemon_set: &str, daemon_set_uid: &str, node: &str, revision: &str, number: u32) -> Text {
    let mut hash = [daemon_set_uid, node, revision].into_iter().fold(0, absorb);
    hash = mix(hash ^ u64::from(number));
    let prefix = daemon_set.get(..daemon_set.floor_char_boundary(PREFIX_LENGTH)).unwrap_or(daemon_set);
    let prefix = prefix.trim_end_matches(['-', '.']);
    let mut suffix = [b'-'; 1 + SUFFIX_LENGTH];
    for letter in suffix.iter_mut().skip(1) {
        *letter = safe_letter(u8::try_from(hash % 27).unwrap_or(0));
        hash /= 27;
    }
    let mut name = SmolStrBuilder::new();
    name.push_str(prefix);
    name.push_str(str::from_utf8(&suffix).unwrap_or_default());
    name.finish()
}

/// Takes a text into the hash, eight bytes at a time, then its length: `a`, `bc` is not `ab`, `c`.
fn absorb(hash: u64, text: &str) -> u64 {
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    let mut last = [0; 8];
    for (into, byte) in last.iter_mut().zip(rest) {
        *into = *byte;
    }
    let words = words.iter().chain(std::iter::once(&last)).map(|word| u64::from_le_bytes(*word));
    let hash = words.fold(hash, |hash, word| mix(hash ^ word));
    mix(hash ^ text.len() as u64)
}

/// Spreads every input bit over the whole word (the step of `SplitMix64`).
fn mix(hash: u64) -> u64 {
    let hash = hash.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pod_name_is_the_same_each_time_and_differs_by_every_part() {
        let name = pod_name("agent", "uid", "node", "rev", 0);
        assert_eq!(name, "agent-t49z96jdrj", "a controller of another build must give the same name");
        assert_eq!(name, pod_name("agent", "uid", "node", "rev", 0));
        for other in [
            pod_name("agent", "uid2", "node", "rev", 0),
            pod_name("agent", "uid", "node2", "rev", 0),
            pod_name("agent", "uid", "node", "rev2", 0),
            pod_name("agent", "uid", "node", "rev", 1),
        ] {
            assert_ne!(name, other);
        }
    }

    #[test]
    fn a_pod_name_is_a_label_of_at_most_63_characters() {
        let name = pod_name(&"a".repeat(80), "uid", "node", "rev", 0);
        assert_eq!(name.len(), 63);
        assert!(pod_name(&format!("{}-b", "a".repeat(51)), "u", "n", "r", 0).starts_with(&"a".repeat(51)));
    }
}

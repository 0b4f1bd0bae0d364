//! Names of created pods.

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
    let mut hash = FNV_OFFSET;
    for part in [daemon_set_uid, node, revision] {
        hash = fnv1a(hash, part.as_bytes());
        // Not part of any name: keeps "a", "bc" apart from "ab", "c".
        hash = fnv1a(hash, &[0xff]);
    }
    let mut rest = mix(fnv1a(hash, &number.to_le_bytes()));
    // Names are ASCII; were one not, the cut moves to the next boundary.
    let cut = daemon_set.char_indices().map(|(index, _)| index).find(|index| *index >= PREFIX_LENGTH);
    let prefix = cut.and_then(|cut| daemon_set.get(..cut)).unwrap_or(daemon_set).trim_end_matches(['-', '.']);
    let letters = (0..SUFFIX_LENGTH).map(|_| {
        let letter = safe_letter(u8::try_from(rest % 27).unwrap_or(0));
        rest /= 27;
        letter
    });
    prefix.chars().chain(std::iter::once('-')).chain(letters).collect()
}

const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;

fn fnv1a(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Spreads every input bit over the whole word (the last step of `SplitMix64`).
fn mix(mut hash: u64) -> u64 {
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pod_name_is_the_same_each_time_and_differs_by_every_part() {
        let name = pod_name("agent", "uid", "node", "rev", 0);
        assert_eq!(name.len(), 16);
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

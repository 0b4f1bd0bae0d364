//! Equality of short texts.

/// Whether two texts are equal, eight bytes at a time and the last ones first: names differ at their ends.
///
/// For texts that are compared in great numbers. WASM has no instruction for it, and the standard library goes byte by
/// byte there, behind a call.
pub(crate) fn same(left: &str, right: &str) -> bool {
    if left.len() != right.len() {
        return false;
    }
    match (left.as_bytes().last_chunk(), right.as_bytes().last_chunk()) {
        (Some(left_end), Some(right_end)) => {
            let (left, _) = left.as_bytes().as_chunks();
            let (right, _) = right.as_bytes().as_chunks();
            word(*left_end) == word(*right_end)
                && left.iter().zip(right).all(|(left, right)| word(*left) == word(*right))
        }
        _ => left.bytes().zip(right.bytes()).all(|(left, right)| left == right),
    }
}

fn word(bytes: [u8; 8]) -> u64 {
    u64::from_le_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_the_same_when_every_byte_is() {
        let text = "node-000017.eu-west-3.compute.internal";
        for length in 0..=text.len() {
            let one = &text[..length];
            assert!(same(one, one), "{one}");
            assert!(!same(one, &format!("{one}-")), "{one}");
            for place in 0..length {
                let mut other = one.to_owned();
                other.replace_range(place..=place, "_");
                assert!(!same(one, &other), "{one} {other}");
            }
        }
    }
}

//! Equality of short texts.

/// Whether two texts are equal, four or eight bytes at a time and the last ones first: names differ at their ends.
///
/// For texts that are compared in great numbers. WASM has no instruction for it, and the standard library goes byte by
/// byte there, behind a call.
#[inline]
pub fn same(left: &str, right: &str) -> bool {
    left.len() == right.len() && same_bytes(left.as_bytes(), right.as_bytes())
}

/// [`same`] for texts of one length.
fn same_bytes(left: &[u8], right: &[u8]) -> bool {
    if let (Some(left_end), Some(right_end)) = (left.last_chunk(), right.last_chunk()) {
        let ((left, _), (right, _)) = (left.as_chunks(), right.as_chunks());
        return word(*left_end) == word(*right_end)
            && left.iter().zip(right).all(|(left, right)| word(*left) == word(*right));
    }
    if let (Some(left_end), Some(right_end)) = (left.last_chunk::<4>(), right.last_chunk::<4>()) {
        return left_end == right_end && left.first_chunk::<4>() == right.first_chunk::<4>();
    }
    left == right
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

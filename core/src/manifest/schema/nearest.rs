use super::{Field, TypeId, fields};

/// A misspelling differs from what was meant by at most this many letters.
const MOST_EDITS: usize = 2;
/// Longer words are no field names, and are not compared.
const LONGEST_WORD: usize = 64;

/// The field of a type that was most likely meant by a name it does not have, and how many letters differ.
///
/// Only one that stands out is named: no answer when two are equally near.
pub fn nearest(id: TypeId, word: &str) -> Option<(&'static Field, usize)> {
    let mut best: Option<(&'static Field, usize)> = None;
    let mut tie = false;
    for field in fields(id) {
        let Some(edits) = edits_between(word, field.name) else { continue };
        match best {
            Some((_, fewest)) if edits > fewest => {}
            Some((_, fewest)) if edits == fewest => tie = true,
            _ => {
                best = Some((field, edits));
                tie = false;
            }
        }
    }
    best.filter(|_| !tie)
}

/// The word of a list that was most likely meant, such as `NoSchedule` for `noSchedule`.
pub fn is_probably<'a>(word: &str, mut known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // One copy of the loop for all callers.
    nearest_word(word, &mut known)
}

fn nearest_word<'a>(word: &str, known: &mut dyn Iterator<Item = &'a str>) -> Option<&'a str> {
    let mut best: Option<(&str, usize)> = None;
    for candidate in known {
        if let Some(edits) = edits_between(word, candidate)
            && best.is_none_or(|(_, fewest)| edits < fewest)
        {
            best = Some((candidate, edits));
        }
    }
    best.map(|(candidate, _)| candidate)
}

/// How many letters must be added, left out, replaced or swapped with a neighbour; case does not count.
/// Nothing when the words are too far apart for a misspelling.
fn edits_between(left: &str, right: &str) -> Option<usize> {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    let shortest = left.len().min(right.len());
    if left.len().max(right.len()) > LONGEST_WORD || left.len().abs_diff(right.len()) > MOST_EDITS {
        return None;
    }
    let allowed = MOST_EDITS.min(shortest / 3);
    let width = right.len() + 1;
    let mut before_last: Vec<usize> = vec![0; width];
    let mut last: Vec<usize> = (0..width).collect();
    let mut previous_letter = 0;
    for (row, letter) in left.iter().map(u8::to_ascii_lowercase).enumerate() {
        let mut current = Vec::with_capacity(width);
        current.push(row + 1);
        let mut previous_candidate = 0;
        for (column, candidate) in right.iter().map(u8::to_ascii_lowercase).enumerate() {
            let at = |row: &[usize], column: usize| row.get(column).copied().unwrap_or(usize::MAX / 2);
            let replaced = at(&last, column) + usize::from(letter != candidate);
            let mut edits = replaced.min(at(&last, column + 1) + 1).min(at(&current, column) + 1);
            if column > 0 && letter == previous_candidate && candidate == previous_letter && row > 0 {
                edits = edits.min(at(&before_last, column - 1) + 1);
            }
            current.push(edits);
            previous_candidate = candidate;
        }
        previous_letter = letter;
        before_last = std::mem::replace(&mut last, current);
    }
    last.last().copied().filter(|edits| *edits <= allowed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::schema::type_named;

    fn meant(kind: &str, word: &str) -> Option<&'static str> {
        nearest(type_named(kind).unwrap(), word).map(|(field, _)| field.name)
    }

    #[test]
    fn a_misspelt_field_finds_its_name() {
        assert_eq!(meant("PodSpec", "toleration"), Some("tolerations"));
        assert_eq!(meant("PodSpec", "nodeselector"), Some("nodeSelector"));
        assert_eq!(meant("RollingUpdateDaemonSet", "maxUnavaliable"), Some("maxUnavailable"));
        assert_eq!(meant("Container", "imagePullpolicy"), Some("imagePullPolicy"));
        assert_eq!(meant("ObjectMeta", "lables"), Some("labels"));
    }

    #[test]
    fn what_resembles_nothing_is_left_alone() {
        assert_eq!(meant("PodSpec", "replicas"), None);
        assert_eq!(meant("Container", "x"), None);
        assert_eq!(meant("DaemonSetSpec", "strategy"), None);
        assert_eq!(meant("PodSpec", ""), None);
    }

    #[test]
    fn a_known_word_is_recognised_in_another_case() {
        assert_eq!(is_probably("noschedule", ["NoSchedule", "NoExecute"].into_iter()), Some("NoSchedule"));
        assert_eq!(is_probably("Recreate", ["RollingUpdate", "OnDelete"].into_iter()), None);
    }
}

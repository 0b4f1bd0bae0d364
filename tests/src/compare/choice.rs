//! Upstream walks a hash map, so that which candidates it picks is free: how many is not.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Difference, differ, elements};

/// Reports a choice that misses one of `must`, goes outside `among`, or has not `count` members. Without `among` there
/// is no choice: the answer is exactly `must`.
pub fn chosen(path: &str, expected: &Value, actual: &Value, found: &mut Vec<Difference>) {
    let must = counted(&expected["must"]);
    let got = counted(actual);
    let among = if expected["among"].is_array() { counted(&expected["among"]) } else { must.clone() };
    let count = expected["count"].as_u64().unwrap_or_default();
    let conforms = elements(actual).len() as u64 == count
        && (actual.is_array() || count == 0)
        && is_part(&must, &got)
        && is_part(&got, &among);
    if !conforms {
        differ(path, expected, actual, found);
    }
}

fn counted(list: &Value) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for element in elements(list) {
        *counts.entry(element.to_string()).or_default() += 1;
    }
    counts
}

fn is_part(part: &BTreeMap<String, usize>, whole: &BTreeMap<String, usize>) -> bool {
    part.iter().all(|(element, times)| whole.get(element).is_some_and(|limit| times <= limit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn conforms(expected: &Value, actual: &Value) -> bool {
        let mut found = Vec::new();
        chosen("x", expected, actual, &mut found);
        found.is_empty()
    }

    #[test]
    fn a_choice_holds_all_that_must_be_and_nothing_from_elsewhere() {
        let expected = json!({"count": 2, "must": ["a"], "among": ["a", "b", "c"]});
        assert!(conforms(&expected, &json!(["a", "c"])));
        assert!(conforms(&expected, &json!(["b", "a"])));
        assert!(!conforms(&expected, &json!(["b", "c"])), "a must be chosen");
        assert!(!conforms(&expected, &json!(["a", "d"])), "d is no candidate");
        assert!(!conforms(&expected, &json!(["a", "b", "c"])), "two are chosen");
        assert!(!conforms(&expected, &json!(["a", "a"])), "a can be chosen once");
    }

    #[test]
    fn without_candidates_there_is_no_choice() {
        let expected = json!({"count": 1, "must": ["a"]});
        assert!(conforms(&expected, &json!(["a"])));
        assert!(!conforms(&expected, &json!(["b"])));
        assert!(!conforms(&expected, &json!(null)));
        assert!(conforms(&json!({"count": 0, "must": []}), &json!(null)));
    }
}

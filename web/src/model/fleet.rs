//! The nodes of the cluster, as the map groups and names them.

use crate::pack::pack_struct;

/// Stands in [`LabelKey::of_node`] for a node that does not carry the label.
pub const NO_VALUE: u8 = u8::MAX;

/// One label key with so few values that nodes can be grouped by it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabelKey {
    pub key: String,
    /// Distinct values in sorted order; fewer than [`NO_VALUE`].
    pub values: Vec<String>,
    /// Index into `values` per node, or [`NO_VALUE`].
    pub of_node: Vec<u8>,
}

pack_struct!(LabelKey { key, values, of_node });

/// The nodes in order of their names, with what the map needs to draw them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fleet {
    pub names: Vec<String>,
    /// Per node the initial of the reason it is not eligible; a space where it is.
    pub initials: String,
    pub labels: Vec<LabelKey>,
}

pack_struct!(Fleet { names, initials, labels });

impl Fleet {
    /// Node indices gathered by the value of a label; nodes without the label come last, under an empty title.
    pub fn groups(&self, key: Option<&str>) -> Vec<(String, Vec<u32>)> {
        let label = key.and_then(|key| self.labels.iter().find(|label| label.key == key));
        let titles = label.map(|label| label.values.as_slice()).unwrap_or_default();
        let mut groups = Vec::new();
        for title in titles.iter().map(String::as_str).chain([""]) {
            groups.push((title.to_owned(), Vec::new()));
        }
        for (node, number) in (0..self.names.len()).zip(0..) {
            let value = label.and_then(|label| label.of_node.get(node)).copied().unwrap_or(NO_VALUE);
            if let Some((_, members)) = groups.get_mut(usize::from(value).min(titles.len())) {
                members.push(number);
            }
        }
        groups.retain(|(_, members)| !members.is_empty());
        groups
    }

    /// The first node whose name is, or failing that contains, the text.
    pub fn find(&self, text: &str) -> Option<u32> {
        let exact = self.names.iter().position(|name| name == text);
        let found = exact.or_else(|| self.names.iter().position(|name| name.contains(text)))?;
        u32::try_from(found).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fleet() -> Fleet {
        Fleet {
            names: ["node-1", "node-10", "node-2"].map(String::from).to_vec(),
            initials: "   ".into(),
            labels: vec![LabelKey {
                key: "zone".into(),
                values: vec!["a".into(), "b".into()],
                of_node: vec![1, NO_VALUE, 1],
            }],
        }
    }

    #[test]
    fn nodes_without_the_label_come_last() {
        assert_eq!(fleet().groups(Some("zone")), vec![("b".into(), vec![0, 2]), (String::new(), vec![1])]);
        assert_eq!(fleet().groups(None), vec![(String::new(), vec![0, 1, 2])]);
        assert_eq!(fleet().groups(Some("unknown")).len(), 1);
    }

    #[test]
    fn a_whole_name_is_found_before_a_part_of_one() {
        assert_eq!(fleet().find("node-2"), Some(2));
        assert_eq!(fleet().find("-10"), Some(1));
        assert_eq!(fleet().find("x"), None);
    }
}

//! The nodes as the map groups and names them, gathered a few at a time.

use rollcast_core::api::{Node, Text};
use rollcast_core::order::sort_by_text;
use rollcast_core::placement::{Exclusion, PlacementRules, place};

use crate::model::{Fleet, LabelKey, NO_VALUE};

/// Labels with more values than this make no groups.
const VALUES: usize = 64;

/// A fleet that is being gathered.
#[derive(Debug, Default)]
pub struct Survey {
    names: Vec<String>,
    initials: String,
    /// Sorted by key.
    labels: Vec<Label>,
}

/// A key of labels, and what nodes have there.
#[derive(Debug, Default)]
struct Label {
    key: Text,
    /// In the order in which they were met; where they are more than [`VALUES`], no more are taken in.
    values: Vec<Text>,
    /// Indexes of those, node by node.
    of_node: Vec<u8>,
}

impl Survey {
    /// How many nodes were taken in.
    pub fn count(&self) -> usize {
        self.names.len()
    }

    /// Takes in one more node.
    pub fn add(&mut self, node: &Node, rules: &PlacementRules) {
        let number = self.names.len();
        self.names.push(node.metadata.name.to_string());
        self.initials.push(place(rules, node).exclusions().first().map_or(' ', initial));
        for (key, value) in node.metadata.labels.iter() {
            let at = self.labels.binary_search_by(|label| label.key.cmp(key)).unwrap_or_else(|at| {
                self.labels.insert(at, Label { key: key.clone(), ..Label::default() });
                at
            });
            if let Some(label) = self.labels.get_mut(at) {
                label.add(number, value);
            }
        }
    }

    /// The fleet of all nodes that were added.
    pub fn finish(self) -> Fleet {
        let count = self.names.len();
        let mut labels = Vec::new();
        for label in self.labels {
            labels.extend(label.sorted(count));
        }
        Fleet { labels, names: self.names, initials: self.initials }
    }
}

impl Label {
    /// Takes in what a node has.
    fn add(&mut self, node: usize, value: &Text) {
        let met = self.values.len();
        if met > VALUES {
            return;
        }
        let number = self.values.iter().position(|known| known == value).unwrap_or(met);
        if number == met {
            self.values.push(value.clone());
        }
        self.of_node.resize(node, NO_VALUE);
        self.of_node.push(u8::try_from(number).unwrap_or(NO_VALUE));
    }

    /// The label with its values in sorted order; nothing where they are too many.
    fn sorted(mut self, count: usize) -> Option<LabelKey> {
        if self.values.len() > VALUES {
            return None;
        }
        let mut values = self.values.clone();
        sort_by_text(&mut values, |value| value);
        self.of_node.resize(count, NO_VALUE);
        for number in &mut self.of_node {
            let place = self.values.get(usize::from(*number)).and_then(|value| values.binary_search(value).ok());
            *number = place.and_then(|place| u8::try_from(place).ok()).unwrap_or(NO_VALUE);
        }
        let mut texts = Vec::new();
        for value in &values {
            texts.push(value.to_string());
        }
        Some(LabelKey { key: self.key.to_string(), of_node: self.of_node, values: texts })
    }
}

/// The letter on a tile that is not eligible.
fn initial(exclusion: &Exclusion) -> char {
    match exclusion {
        Exclusion::NodeName { .. } => 'N',
        Exclusion::NodeSelector { .. } => 'S',
        Exclusion::NodeAffinity { .. } => 'A',
        Exclusion::Taint(_) => 'T',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rollcast_core::KubernetesVersion;
    use rollcast_core::api::PodTemplate;
    use rollcast_core::scenario::NodePool;

    #[test]
    fn a_survey_groups_by_labels_of_few_values_and_marks_who_is_not_eligible() {
        let rules = PlacementRules::of(
            &PodTemplate::from_json(serde_json::json!({"spec": {"containers": []}})).unwrap(),
            KubernetesVersion::default(),
        );
        let mut survey = Survey::default();
        let pools = ["name=w,count=100,label=zone=b/a", "name=m,count=1,taint=master:NoSchedule,label=role=master"];
        for pool in pools.map(|pool| NodePool::parse(pool).unwrap()) {
            pool.nodes().for_each(|node| survey.add(&node, &rules));
        }
        let fleet = survey.finish();
        assert_eq!(fleet.names.len(), 101);
        assert_eq!(fleet.initials, format!("{}T", " ".repeat(100)));
        assert!(fleet.labels.iter().all(|label| label.key != "kubernetes.io/hostname"), "one value a node");
        let zones = fleet.groups(Some("zone"));
        let sizes: Vec<_> = zones.iter().map(|(title, members)| (title.as_str(), members.len())).collect();
        assert_eq!(sizes, [("a", 50), ("b", 50), ("", 1)]);
        assert_eq!(zones[1].1[0], 0, "the first node has the first value that was given");
        assert_eq!(fleet.groups(Some("role"))[1].1.len(), 100);
    }
}

//! The nodes as the map groups and names them, gathered a few at a time.

use rollcast_core::api::{Node, Text};
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
    labels: Vec<(Text, Option<Values>)>,
}

/// Values of one key.
#[derive(Debug, Default)]
struct Values {
    /// Sorted by value, each with its number: how many were met before it.
    numbers: Vec<(Text, u8)>,
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
            let at = self.labels.binary_search_by(|(known, _)| known.cmp(key)).unwrap_or_else(|at| {
                self.labels.insert(at, (key.clone(), Some(Values::default())));
                at
            });
            let Some((_, entry)) = self.labels.get_mut(at) else { continue };
            let Some(values) = entry else { continue };
            let met = values.numbers.len();
            let value = match values.numbers.binary_search_by(|(known, _)| known.cmp(value)) {
                Ok(at) => values.numbers.get(at).map_or(NO_VALUE, |(_, number)| *number),
                Err(at) if met < VALUES => {
                    let next = u8::try_from(met).unwrap_or(NO_VALUE);
                    values.numbers.insert(at, (value.clone(), next));
                    next
                }
                Err(_) => {
                    *entry = None;
                    continue;
                }
            };
            values.of_node.resize(number, NO_VALUE);
            values.of_node.push(value);
        }
    }

    /// The fleet of all nodes that were added.
    pub fn finish(self) -> Fleet {
        let count = self.names.len();
        let mut labels = Vec::new();
        for (key, values) in self.labels {
            labels.extend(values.map(|values| values.sorted(&key, count)));
        }
        Fleet { labels, names: self.names, initials: self.initials }
    }
}

impl Values {
    /// The values in sorted order.
    fn sorted(mut self, key: &str, count: usize) -> LabelKey {
        self.of_node.resize(count, NO_VALUE);
        let mut places = [NO_VALUE; VALUES];
        for (place, (_, number)) in (0..).zip(&self.numbers) {
            if let Some(entry) = places.get_mut(usize::from(*number)) {
                *entry = place;
            }
        }
        for number in &mut self.of_node {
            *number = places.get(usize::from(*number)).copied().unwrap_or(NO_VALUE);
        }
        LabelKey {
            key: key.to_owned(),
            of_node: self.of_node,
            values: self.numbers.iter().map(|(value, _)| value.to_string()).collect(),
        }
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

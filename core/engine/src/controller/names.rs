//! Names of created pods that may be out there unseen.

use crate::api::Text;

/// What a DaemonSet's creations were called, as far as it still matters.
///
/// Expectations lapse after five minutes, also while a watch stands still. A creation that is decided again must then
/// have its former name, although a lower number may be free by now. And a pod that is seen at last need not be the
/// newest one of its name: when that one ends and another is wanted, it may already be there, under the same name. So a
/// name whose pods are not all accounted for is given again until the API server says that no live pod has it.
///
/// Nothing is remembered of a creation whose pod is seen in time.
#[derive(Clone, Debug, Default)]
pub(super) struct GivenNames {
    /// The creations that the present expectations are about, numbered like their decisions from `first`.
    latest: Vec<Given>,
    first: u64,
    /// What they are made from.
    revision: Text,
    /// Earlier ones that were not seen, in order of their nodes: at most one for each revision of each node.
    unaccounted: Vec<Unaccounted>,
}

#[derive(Clone, Debug)]
struct Given {
    node: Text,
    /// Empty when there is nothing to remember.
    name: Text,
}

#[derive(Clone, Debug)]
struct Unaccounted {
    given: Given,
    revision: Text,
    /// How many pods may have got the name and were not seen.
    pods: u32,
    /// The number of the decision that gave it last.
    decision: u64,
}

impl GivenNames {
    /// Other expectations than before are about to be set, by decisions that are numbered from `first`, from a revision.
    pub fn start(&mut self, first: u64, revision: &Text) {
        self.latest.clear();
        self.first = first;
        self.revision.clone_from(revision);
    }

    /// The next creation, in order of the decisions; `new_name` is asked unless an earlier name is to be given again.
    pub fn give(&mut self, node: &Text, new_name: impl FnOnce() -> Text) -> Text {
        let decision = self.first.saturating_add(self.latest.len() as u64);
        let again = self.place(node, &self.revision).ok().and_then(|place| self.unaccounted.get_mut(place));
        let (name, remembered) = if let Some(again) = again {
            again.pods = again.pods.saturating_add(1);
            again.decision = decision;
            (again.given.name.clone(), Text::default())
        } else {
            let name = new_name();
            (name.clone(), name)
        };
        self.latest.push(Given { node: node.clone(), name: remembered });
        name
    }

    /// The expectations count as met. Pods that nobody has seen may be there, on nodes that are: expectations lapse, and
    /// a pod of an earlier lapsed creation is taken for one that is waited for now.
    pub fn lapse(&mut self, was_seen: impl Fn(&str) -> bool, is_there: impl Fn(&str) -> bool) {
        self.unaccounted.retain(|unaccounted| is_there(&unaccounted.given.node));
        let mut latest = std::mem::take(&mut self.latest);
        for (decision, given) in (self.first..).zip(latest.drain(..)) {
            if !given.name.is_empty() && !was_seen(&given.name) {
                self.keep(given, decision);
            }
        }
        // Emptied, and kept for its memory.
        self.latest = latest;
    }

    /// A pod was seen for the first time.
    pub fn see(&mut self, name: &str) {
        if let Some(place) = self.unaccounted.iter().position(|unaccounted| unaccounted.given.name == name) {
            self.account(place);
        }
    }

    /// A creation was refused or left out: it made no pod.
    pub fn take_back(&mut self, decision: u64) {
        if let Some(given) = self.latest_of(decision) {
            given.name = Text::default();
        }
        if let Some(place) = self.decided_by(decision) {
            self.account(place);
        }
    }

    /// A creation was refused because its name is taken, and not by a live pod of the DaemonSet. Unless the pod that has
    /// it was seen it will be, and must not be taken then for one that is made under this name after it.
    pub fn refuse(&mut self, decision: u64, was_seen: impl Fn(&str) -> bool) {
        let new = self
            .latest_of(decision)
            .map(|given| Given { node: given.node.clone(), name: std::mem::take(&mut given.name) });
        if let Some(given) = new.filter(|given| !given.name.is_empty()) {
            if !was_seen(&given.name) {
                self.keep(given, decision);
            }
        } else if let Some(place) = self.decided_by(decision)
            && let Some(again) = self.unaccounted.get_mut(place)
        {
            again.pods = again.pods.saturating_sub(1).max(1);
            if was_seen(&again.given.name) {
                self.unaccounted.remove(place);
            }
        }
    }

    /// Remembers what one of the latest creations was called, unless an earlier name is remembered for its node.
    fn keep(&mut self, given: Given, decision: u64) {
        if let Err(place) = self.place(&given.node, &self.revision) {
            let revision = self.revision.clone();
            self.unaccounted.insert(place, Unaccounted { given, revision, pods: 1, decision });
        }
    }

    fn account(&mut self, place: usize) {
        if let Some(unaccounted) = self.unaccounted.get_mut(place) {
            unaccounted.pods = unaccounted.pods.saturating_sub(1);
            if unaccounted.pods == 0 {
                self.unaccounted.remove(place);
            }
        }
    }

    fn latest_of(&mut self, decision: u64) -> Option<&mut Given> {
        let place = usize::try_from(decision.checked_sub(self.first)?).ok()?;
        self.latest.get_mut(place)
    }

    fn decided_by(&self, decision: u64) -> Option<usize> {
        self.unaccounted.iter().position(|unaccounted| unaccounted.decision == decision)
    }

    fn place(&self, node: &str, revision: &str) -> Result<usize, usize> {
        let key = |unaccounted: &Unaccounted| {
            unaccounted.given.node.as_str().cmp(node).then_with(|| unaccounted.revision.as_str().cmp(revision))
        };
        self.unaccounted.binary_search_by(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(names: &mut GivenNames, first: u64) {
        names.start(first, &"revision".into());
    }

    fn give(names: &mut GivenNames, node: &str, new_name: &str) -> String {
        names.give(&node.into(), || new_name.into()).to_string()
    }

    fn lapse(names: &mut GivenNames, seen: &[&str]) {
        names.lapse(|name| seen.contains(&name), |node| node != "gone");
    }

    #[test]
    fn a_name_is_given_again_after_a_lapse_until_its_pod_is_seen() {
        let mut names = GivenNames::default();
        start(&mut names, 7);
        assert_eq!(give(&mut names, "b", "b-1"), "b-1");
        assert_eq!(give(&mut names, "a", "a-1"), "a-1");
        lapse(&mut names, &["a-1"]);
        start(&mut names, 9);
        assert_eq!([give(&mut names, "a", "a-0"), give(&mut names, "b", "b-0")], ["a-0", "b-1"]);
        names.see("b-1");
        start(&mut names, 11);
        assert_eq!(give(&mut names, "b", "b-0"), "b-1", "it was given twice");
        names.see("b-1");
        names.see("b-1");
        start(&mut names, 12);
        assert_eq!(give(&mut names, "b", "b-0"), "b-0");
    }

    #[test]
    fn a_creation_that_was_refused_or_left_out_made_no_pod() {
        let mut names = GivenNames::default();
        start(&mut names, 0);
        give(&mut names, "a", "a-1");
        give(&mut names, "b", "b-1");
        names.take_back(0);
        lapse(&mut names, &[]);
        start(&mut names, 2);
        assert_eq!([give(&mut names, "a", "a-0"), give(&mut names, "b", "b-0")], ["a-0", "b-1"]);
        // The first one may still be there.
        names.take_back(3);
        start(&mut names, 4);
        assert_eq!(give(&mut names, "b", "b-0"), "b-1");
        names.refuse(4, |_| true);
        start(&mut names, 5);
        assert_eq!(give(&mut names, "b", "b-0"), "b-0");
    }

    #[test]
    fn a_name_that_is_taken_by_an_unseen_pod_is_given_until_all_that_had_it_were_seen() {
        let mut names = GivenNames::default();
        start(&mut names, 0);
        give(&mut names, "a", "a-1");
        names.refuse(0, |_| false);
        lapse(&mut names, &[]);
        // The pod that had the name is gone, unseen, and this makes one.
        start(&mut names, 1);
        assert_eq!(give(&mut names, "a", "a-1"), "a-1");
        names.see("a-1");
        lapse(&mut names, &["a-1"]);
        start(&mut names, 2);
        assert_eq!(give(&mut names, "a", "a-2"), "a-1", "only the first was seen");
        names.refuse(2, |_| false);
        start(&mut names, 3);
        assert_eq!(give(&mut names, "a", "a-2"), "a-1");
        names.refuse(3, |name| name == "a-1");
        start(&mut names, 4);
        assert_eq!(give(&mut names, "a", "a-2"), "a-2");
    }

    #[test]
    fn what_was_given_on_a_node_that_is_gone_is_forgotten_at_the_next_lapse() {
        let mut names = GivenNames::default();
        start(&mut names, 0);
        give(&mut names, "gone", "gone-1");
        lapse(&mut names, &[]);
        lapse(&mut names, &[]);
        assert!(names.unaccounted.is_empty());
    }
}

use std::borrow::Cow;

use super::NodeIndex;
use super::columns::Posting;
use crate::api::{TaintEffect, Text};
use crate::bitset::{Bitset, Block, count_block, intersect_block, subtract_block, union_block};
use crate::placement::PlacementRules;
use crate::scheduling::{NodeProperty, NodeRequirement, NodeTerm, Test};

/// The nodes of a template, by rank.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Nodes that should run the pod.
    pub run: Bitset,
    /// Nodes that get no new pod and keep one that is there.
    pub keep_running: Bitset,
    /// How many of each.
    pub counts: SelectionCounts,
}

/// How many nodes stand where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SelectionCounts {
    /// Nodes that should run the pod.
    pub run: u32,
    /// Nodes that get no new pod and keep one that is there.
    pub keep_running: u32,
    /// All other nodes.
    pub exclude: u32,
}

impl NodeIndex {
    /// Which nodes should run the pod, or may keep one: [`eligibility`](crate::placement::eligibility) of every node
    /// at once.
    pub fn select(&self, rules: &PlacementRules) -> Selection {
        let query = Query::new(self, rules);
        let blocks = self.all().blocks();
        let mut run = Vec::with_capacity(blocks.len());
        let mut keep_running = Vec::with_capacity(blocks.len());
        let mut counts = SelectionCounts::default();
        for (position, present) in blocks.iter().enumerate() {
            let mut matching = *present;
            for step in &query.all_of {
                step.apply(&mut matching, position);
            }
            query.intersect_with_terms(&mut matching, position);
            query.no_execute.subtract_from(&mut matching, position);
            let mut only_new_kept_away = matching;
            query.no_schedule.subtract_from(&mut matching, position);
            subtract_block(&mut only_new_kept_away, &matching);
            counts.run += count_block(&matching);
            counts.keep_running += count_block(&only_new_kept_away);
            run.push(matching);
            keep_running.push(only_new_kept_away);
        }
        let all = u32::try_from(self.len()).unwrap_or(u32::MAX);
        counts.exclude = all.saturating_sub(counts.run).saturating_sub(counts.keep_running);
        Selection {
            run: Bitset::with_blocks(run, counts.run),
            keep_running: Bitset::with_blocks(keep_running, counts.keep_running),
            counts,
        }
    }
}

/// The rules of a template as algebra over the sets of an index.
pub(super) struct Query<'a> {
    /// `nodeName` and `nodeSelector`: all must hold.
    pub(super) all_of: Vec<Step<'a>>,
    /// Required node affinity: one of these must hold entirely; absent when nothing is asked.
    terms: Option<Vec<Vec<Step<'a>>>>,
    /// Nodes with an untolerated `NoExecute` taint.
    pub(super) no_execute: AnyOf<'a>,
    /// Nodes with untolerated `NoSchedule` taints and no untolerated `NoExecute` taint.
    pub(super) no_schedule: AnyOf<'a>,
}

/// One restriction.
pub(super) enum Step<'a> {
    /// Keep what is in one of these.
    Keep(AnyOf<'a>),
    /// Drop what is in one of these.
    Drop(AnyOf<'a>),
}

/// A union of sets: those of many nodes as they are, those of few melted into one.
#[derive(Default)]
pub(super) struct AnyOf<'a> {
    sets: Vec<Cow<'a, Bitset>>,
}

impl<'a> Query<'a> {
    pub(super) fn new(index: &'a NodeIndex, rules: &PlacementRules) -> Self {
        let mut all_of = Vec::new();
        if !rules.node_name().is_empty() {
            all_of.push(Step::Keep(AnyOf::node(index, rules.node_name())));
        }
        let requirements = rules.requirements();
        for (key, value) in requirements.node_selector().iter() {
            let posting = index.columns.get(key).and_then(|column| column.with_value(value));
            all_of.push(Step::Keep(AnyOf::postings(posting)));
        }
        let steps = |term: &NodeTerm| {
            term.requirements().iter().filter_map(|requirement| step(index, requirement)).collect::<Vec<_>>()
        };
        let terms = requirements.terms().map(|terms| terms.iter().filter(|term| term.is_usable()).map(steps).collect());
        let mut no_execute = Vec::new();
        let mut no_schedule = Vec::new();
        for (_, set) in index.taints.iter() {
            let untolerated = || set.taints.iter().filter(|taint| !rules.tolerate(taint));
            if untolerated().any(|taint| taint.effect == TaintEffect::NoExecute) {
                no_execute.push(&set.nodes);
            } else if untolerated().next().is_some() {
                no_schedule.push(&set.nodes);
            }
        }
        Self { all_of, terms, no_execute: AnyOf::postings(no_execute), no_schedule: AnyOf::postings(no_schedule) }
    }

    /// Keeps the nodes on which the required node affinity holds.
    pub(super) fn intersect_with_terms(&self, block: &mut Block, position: usize) {
        let Some(terms) = &self.terms else { return };
        let mut some_term_holds = Block::default();
        for steps in terms {
            let mut term = *block;
            for step in steps {
                step.apply(&mut term, position);
            }
            union_block(&mut some_term_holds, &term);
        }
        *block = some_term_holds;
    }
}

impl Step<'_> {
    pub(super) fn apply(&self, block: &mut Block, position: usize) {
        match self {
            Self::Keep(any) => any.intersect_with(block, position),
            Self::Drop(any) => any.subtract_from(block, position),
        }
    }
}

impl<'a> AnyOf<'a> {
    pub(super) fn node(index: &NodeIndex, name: &str) -> Self {
        Self { sets: index.rank(name).map(|rank| Cow::Owned(std::iter::once(rank).collect())).into_iter().collect() }
    }

    pub(super) fn postings(postings: impl IntoIterator<Item = &'a Posting>) -> Self {
        let mut sets = Vec::new();
        let mut few = Bitset::new();
        for posting in postings {
            match posting {
                Posting::None => {}
                Posting::One(rank) => few.extend([*rank]),
                Posting::Few(ranks) => few.extend(ranks.iter().copied()),
                Posting::Many(set) => sets.push(Cow::Borrowed(set)),
            }
        }
        if !few.is_empty() {
            sets.push(Cow::Owned(few));
        }
        Self { sets }
    }

    pub(super) fn set(set: &'a Bitset) -> Self {
        Self { sets: vec![Cow::Borrowed(set)] }
    }

    pub(super) fn union_into(&self, block: &mut Block, position: usize) {
        for set in &self.sets {
            union_block(block, set.block(position));
        }
    }

    pub(super) fn intersect_with(&self, block: &mut Block, position: usize) {
        match self.sets.as_slice() {
            [set] => intersect_block(block, set.block(position)),
            sets => {
                let mut union = Block::default();
                for set in sets {
                    union_block(&mut union, set.block(position));
                }
                intersect_block(block, &union);
            }
        }
    }

    pub(super) fn subtract_from(&self, block: &mut Block, position: usize) {
        for set in &self.sets {
            subtract_block(block, set.block(position));
        }
    }
}

/// A requirement of a usable term; absent when every node passes.
fn step<'a>(index: &'a NodeIndex, requirement: &NodeRequirement) -> Option<Step<'a>> {
    let nothing = || Step::Keep(AnyOf::default());
    let key = match &requirement.property {
        NodeProperty::Label(key) => key,
        NodeProperty::Field(name) if name == NodeProperty::NAME => {
            return Some(match &requirement.test {
                Test::In(names) => names.first().map_or_else(nothing, |name| Step::Keep(AnyOf::node(index, name))),
                Test::NotIn(names) => names.first().map_or_else(nothing, |name| Step::Drop(AnyOf::node(index, name))),
                _ => nothing(),
            });
        }
        NodeProperty::Field(_) => return (!requirement.test.passes(Some(""))).then(nothing),
    };
    let Some(column) = index.columns.get(key) else {
        return (!requirement.test.passes(None)).then(nothing);
    };
    let present = || AnyOf::set(&column.nodes);
    let with_values = |values: &[Text]| AnyOf::postings(values.iter().filter_map(|value| column.with_value(value)));
    Some(match &requirement.test {
        Test::In(values) => Step::Keep(with_values(values)),
        Test::NotIn(values) => Step::Drop(with_values(values)),
        Test::Exists => Step::Keep(present()),
        Test::DoesNotExist => Step::Drop(present()),
        Test::GreaterThan(bound) => Step::Keep(AnyOf::postings(column.with_numbers(|number| number > *bound))),
        Test::LessThan(bound) => Step::Keep(AnyOf::postings(column.with_numbers(|number| number < *bound))),
        Test::Malformed(_) => nothing(),
    })
}

use rustc_hash::FxHashMap;

use super::NodeIndex;
use super::columns::index;
use super::select::{AnyOf, Query};
use crate::api::{Taint, Text};
use crate::bitset::{Bitset, Block, bits, intersect_block, subtract_block};
use crate::placement::PlacementRules;

/// Why nodes do not run the pod: a number for each node, and what the numbers mean.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeReasons {
    /// By rank; [`ReasonId::RUNS`] also where no node has the rank.
    pub of_node: Vec<ReasonId>,
    /// The distinct reasons, in the order in which they first appear by name of node; the first has number 1.
    pub reasons: Vec<RejectionReason>,
    /// Nodes whose reason is one too many to be numbered.
    pub unnumbered: u32,
}

/// A number for a [`RejectionReason`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReasonId(pub u16);

impl ReasonId {
    /// No reason: the node runs the pod.
    pub const RUNS: Self = Self(0);
    /// There are more distinct reasons than numbers; [`place`](crate::placement::place) tells this one.
    pub const UNNUMBERED: Self = Self(u16::MAX);
}

/// All that stands in the way on some nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectionReason {
    /// Every obstacle, in the order of [`place`](crate::placement::place).
    pub obstacles: Vec<Obstacle>,
    /// How many nodes have exactly these.
    pub nodes: u32,
}

/// What stands in the way: an [`Exclusion`](crate::placement::Exclusion) without what differs from node to node.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Obstacle {
    /// `spec.nodeName` of the template names another node.
    NodeName {
        /// The node it names.
        wanted: Text,
    },
    /// `spec.nodeSelector` asks for a label that the node does not have.
    LabelMissing {
        /// Label key.
        key: Text,
        /// The value asked for.
        wanted: Text,
    },
    /// `spec.nodeSelector` asks for another value of a label.
    LabelDiffers {
        /// Label key.
        key: Text,
        /// The value asked for.
        wanted: Text,
    },
    /// No term of the required node affinity holds.
    NodeAffinity {
        /// How many terms there are.
        terms: u32,
    },
    /// A taint that nothing tolerates.
    Taint(Taint),
}

impl NodeReasons {
    /// Why the node of a rank does not run the pod; absent when it does, and when the reason has no number.
    pub fn of(&self, rank: u32) -> Option<&RejectionReason> {
        let ReasonId(number) = *self.of_node.get(index(rank))?;
        number.checked_sub(1).and_then(|position| self.reasons.get(usize::from(position)))
    }
}

impl NodeIndex {
    /// Why each node that does not run the pod does not, with every obstacle.
    pub fn reasons(&self, rules: &PlacementRules) -> NodeReasons {
        let query = Query::new(self, rules);
        let checks = label_checks(self, rules);
        let first_class = u32::try_from(checks.len()).unwrap_or(u32::MAX);
        let classes = TaintClasses::new(self, rules);
        let mut ways = Ways::default();
        let mut numbering = Numbering::new(self.present.blocks().len() * BLOCK_WORDS);
        let mut failed: Vec<Block> = Vec::with_capacity(checks.len());
        let mut pieces: Vec<(u32, u64)> = Vec::new();
        let mut ended: Vec<(u32, u64)> = Vec::new();
        for (position, present) in self.present.blocks().iter().enumerate() {
            failed.clear();
            failed.extend(checks.iter().map(|check| check.failed_block(&query, present, position)));
            let mut untolerated = Block::default();
            query.no_execute.union_into(&mut untolerated, position);
            query.no_schedule.union_into(&mut untolerated, position);
            for (word, (present, tainted)) in present.iter().copied().zip(untolerated).enumerate() {
                // Nodes of one word that fail the same checks stay together as long as they do.
                pieces.clear();
                pieces.push((Ways::START, present));
                for (check, block) in (0u32..).zip(&failed) {
                    let failing = block.get(word).copied().unwrap_or_default();
                    if failing != 0 {
                        split(&mut pieces, failing, |way| ways.then(way, check));
                    }
                }
                let chunk = position * BLOCK_WORDS + word;
                ended.clear();
                for (way, nodes) in pieces.iter().copied() {
                    if way != Ways::START {
                        ended.push((way, nodes & !tainted));
                    }
                    for bit in bits(nodes & tainted) {
                        let set = self.taint_sets.get(chunk * 64 + index(bit)).copied().unwrap_or_default();
                        let class = classes.of_set.get(index(set)).copied().unwrap_or_default();
                        let way = ways.then(way, first_class + class);
                        match ended.last_mut() {
                            Some((last, nodes)) if *last == way => *nodes |= 1 << bit,
                            _ => ended.push((way, 1 << bit)),
                        }
                    }
                }
                numbering.record(&mut ended, chunk);
            }
        }
        let obstacles_of = |way: u32| {
            let obstacles_at = |step: u32| match step.checked_sub(first_class) {
                None => checks.get(index(step)).map(|check| vec![check.obstacle.clone()]).unwrap_or_default(),
                Some(class) => classes.obstacles.get(index(class)).cloned().unwrap_or_default(),
            };
            ways.steps_to(way).into_iter().flat_map(obstacles_at).collect()
        };
        numbering.finish(self, obstacles_of)
    }
}

const BLOCK_WORDS: usize = 8;

/// A check on labels or name that nodes fail as sets.
struct LabelCheck<'a> {
    obstacle: Obstacle,
    fails: Fails<'a>,
}

/// Which nodes fail a check.
enum Fails<'a> {
    /// Those outside.
    Outside(AnyOf<'a>),
    /// Those in the first set and outside the second.
    InAndOutside(&'a Bitset, AnyOf<'a>),
    /// Those on which no term of the required node affinity holds.
    Affinity,
}

fn label_checks<'a>(nodes: &'a NodeIndex, rules: &PlacementRules) -> Vec<LabelCheck<'a>> {
    let mut checks = Vec::new();
    if !rules.node_name().is_empty() {
        let wanted = rules.node_name().clone();
        let fails = Fails::Outside(AnyOf::node(nodes, &wanted));
        checks.push(LabelCheck { obstacle: Obstacle::NodeName { wanted }, fails });
    }
    let requirements = rules.requirements();
    for (key, wanted) in requirements.node_selector().iter() {
        let (key, wanted) = (key.clone(), wanted.clone());
        let column = nodes.columns.get(&key);
        checks.push(LabelCheck {
            obstacle: Obstacle::LabelMissing { key: key.clone(), wanted: wanted.clone() },
            fails: Fails::Outside(column.map_or_else(AnyOf::default, |column| AnyOf::set(&column.nodes))),
        });
        if let Some(column) = column {
            let fails = Fails::InAndOutside(&column.nodes, AnyOf::postings(column.with_value(&wanted)));
            checks.push(LabelCheck { obstacle: Obstacle::LabelDiffers { key, wanted }, fails });
        }
    }
    if let Some(terms) = requirements.terms() {
        let terms = u32::try_from(terms.len()).unwrap_or(u32::MAX);
        checks.push(LabelCheck { obstacle: Obstacle::NodeAffinity { terms }, fails: Fails::Affinity });
    }
    checks
}

impl LabelCheck<'_> {
    fn failed_block(&self, query: &Query<'_>, present: &Block, position: usize) -> Block {
        let mut failed = *present;
        match &self.fails {
            Fails::Outside(passing) => passing.subtract_from(&mut failed, position),
            Fails::InAndOutside(nodes, passing) => {
                intersect_block(&mut failed, nodes.block(position));
                passing.subtract_from(&mut failed, position);
            }
            Fails::Affinity => {
                let mut passing = *present;
                query.intersect_with_terms(&mut passing, position);
                subtract_block(&mut failed, &passing);
            }
        }
        failed
    }
}

/// What of each taint list is not tolerated; lists of which the same is left are one class.
struct TaintClasses {
    /// By number of the list.
    of_set: Vec<u32>,
    /// By class.
    obstacles: Vec<Vec<Obstacle>>,
}

impl TaintClasses {
    fn new(nodes: &NodeIndex, rules: &PlacementRules) -> Self {
        let mut classes = Self { of_set: Vec::new(), obstacles: Vec::new() };
        let mut seen: FxHashMap<Vec<&Taint>, u32> = FxHashMap::default();
        for (number, set) in nodes.taints.iter() {
            let left: Vec<&Taint> = set.taints.iter().filter(|taint| !rules.tolerate(taint)).collect();
            let next = u32::try_from(classes.obstacles.len()).unwrap_or(u32::MAX);
            let class = *seen.entry(left).or_insert_with_key(|left| {
                classes.obstacles.push(left.iter().map(|taint| Obstacle::Taint((*taint).clone())).collect());
                next
            });
            if classes.of_set.len() <= index(number) {
                classes.of_set.resize(index(number) + 1, 0);
            }
            if let Some(slot) = classes.of_set.get_mut(index(number)) {
                *slot = class;
            }
        }
        classes
    }
}

/// Which checks failed, in order, as a tree: a way leads from the start over one failed check after the other.
#[derive(Default)]
struct Ways {
    /// By number of the way, from 1: the way it goes on from, and the check it adds.
    steps: Vec<(u32, u32)>,
    onwards: FxHashMap<(u32, u32), u32>,
    latest: Option<((u32, u32), u32)>,
}

impl Ways {
    /// Nothing has failed.
    const START: u32 = 0;

    /// The way that goes on from `way` over `check`.
    fn then(&mut self, way: u32, check: u32) -> u32 {
        let step = (way, check);
        if let Some((latest, onward)) = self.latest
            && latest == step
        {
            return onward;
        }
        let onward = *self.onwards.entry(step).or_insert_with(|| {
            self.steps.push(step);
            u32::try_from(self.steps.len()).unwrap_or(u32::MAX)
        });
        self.latest = Some((step, onward));
        onward
    }

    /// The checks on a way, in order.
    fn steps_to(&self, way: u32) -> Vec<u32> {
        let step_of = |way: u32| way.checked_sub(1).and_then(|position| self.steps.get(index(position)));
        let mut checks: Vec<u32> =
            std::iter::successors(step_of(way), |(before, _)| step_of(*before)).map(|(_, check)| *check).collect();
        checks.reverse();
        checks
    }
}

/// Parts every piece into those that are failing, which go `onwards`, and the rest.
fn split(pieces: &mut Vec<(u32, u64)>, failing: u64, mut onwards: impl FnMut(u32) -> u32) {
    for position in 0..pieces.len() {
        let Some((way, nodes)) = pieces.get_mut(position) else { continue };
        let failed = *nodes & failing;
        if failed == 0 {
            continue;
        }
        let onward = onwards(*way);
        if failed == *nodes {
            *way = onward;
        } else {
            *nodes &= !failing;
            pieces.push((onward, failed));
        }
    }
}

/// Hands out numbers to ways as they first appear.
struct Numbering {
    of_node: Vec<ReasonId>,
    of_way: Vec<ReasonId>,
    /// By number, from 1.
    ways: Vec<(u32, u32)>,
    unnumbered: u32,
}

impl Numbering {
    fn new(words: usize) -> Self {
        Self { of_node: vec![ReasonId::RUNS; words * 64], of_way: Vec::new(), ways: Vec::new(), unnumbered: 0 }
    }

    /// Records the ways that nodes of the 64 that `chunk` stands for ended on.
    fn record(&mut self, ended: &mut Vec<(u32, u64)>, chunk: usize) {
        ended.retain(|(_, nodes)| *nodes != 0);
        if !ended.iter().all(|(way, _)| self.is_numbered(*way)) {
            // Numbers go by the first node on a way, whatever way was found first.
            ended.sort_unstable_by_key(|(_, nodes)| nodes.trailing_zeros());
        }
        for (way, nodes) in ended.iter().copied() {
            self.record_way(way, chunk, nodes);
        }
    }

    fn record_way(&mut self, way: u32, chunk: usize, nodes: u64) {
        let number = self.number_of(way);
        match self.ways.get_mut(usize::from(number.0.wrapping_sub(1))) {
            Some((_, count)) => *count += nodes.count_ones(),
            None => self.unnumbered += nodes.count_ones(),
        }
        let (chunks, _) = self.of_node.as_chunks_mut::<64>();
        let Some(chunk) = chunks.get_mut(chunk) else { return };
        if nodes == u64::MAX {
            chunk.fill(number);
            return;
        }
        for bit in bits(nodes) {
            if let Some(slot) = chunk.get_mut(index(bit)) {
                *slot = number;
            }
        }
    }

    fn is_numbered(&self, way: u32) -> bool {
        self.of_way.get(index(way)).is_some_and(|number| *number != ReasonId::RUNS)
    }

    fn number_of(&mut self, way: u32) -> ReasonId {
        if let Some(number) = self.of_way.get(index(way)).copied().filter(|number| *number != ReasonId::RUNS) {
            return number;
        }
        let number = match u16::try_from(self.ways.len() + 1) {
            Ok(number) if ReasonId(number) != ReasonId::UNNUMBERED => {
                self.ways.push((way, 0));
                ReasonId(number)
            }
            _ => ReasonId::UNNUMBERED,
        };
        if self.of_way.len() <= index(way) {
            self.of_way.resize(index(way) + 1, ReasonId::RUNS);
        }
        if let Some(slot) = self.of_way.get_mut(index(way)) {
            *slot = number;
        }
        number
    }

    fn finish(mut self, nodes: &NodeIndex, obstacles_of: impl Fn(u32) -> Vec<Obstacle>) -> NodeReasons {
        self.of_node.truncate(nodes.names.len());
        if nodes.shuffled {
            self.renumber(&nodes.order);
        }
        let reasons =
            self.ways.iter().map(|(way, nodes)| RejectionReason { obstacles: obstacles_of(*way), nodes: *nodes });
        NodeReasons { reasons: reasons.collect(), of_node: self.of_node, unnumbered: self.unnumbered }
    }

    /// Numbers anew in the order in which reasons appear along `order`.
    fn renumber(&mut self, order: &[u32]) {
        let mut renumbered = vec![ReasonId::RUNS; self.ways.len() + 1];
        let mut ways = Vec::with_capacity(self.ways.len());
        for rank in order {
            let Some(id) = self.of_node.get_mut(index(*rank)) else { continue };
            let Some(way) = self.ways.get(usize::from(id.0.wrapping_sub(1))) else { continue };
            let Some(slot) = renumbered.get_mut(usize::from(id.0)) else { continue };
            if *slot == ReasonId::RUNS {
                ways.push(*way);
                *slot = ReasonId(u16::try_from(ways.len()).unwrap_or(u16::MAX));
            }
            *id = *slot;
        }
        self.ways = ways;
    }
}

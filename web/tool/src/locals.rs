//! Numbers a function's locals as functions before it numbered theirs, so that code that is alike becomes equal.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::convert::Infallible;
use std::mem;
use std::ops::Range;

use anyhow::Result;
use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{Encode, MemArg};
use wasmparser::{FunctionBody, Operator, ValType};

/// Where a function's own locals of a type begin, unless its parameters reach further.
const FIRST: [(ValType, u32); 2] = [(ValType::I32, 8), (ValType::I64, 24)];
/// Indices below this take one byte.
const SHORT: usize = 128;
/// What is looked at around a local: how many operators before it, how many from it on, and what that weighs.
const SURROUNDINGS: [(usize, usize, u64); 4] = [(3, 4, 4), (2, 2, 2), (0, 3, 2), (1, 1, 1)];
/// The votes of surroundings that always had one number.
const VOTE: u64 = 1 << 20;

/// How a function's locals are numbered anew.
#[derive(Default)]
pub struct Locals {
    /// Their types.
    pub declared: Vec<ValType>,
    /// The new index of each by its old one. Parameters, which stay, are not in it.
    pub places: BTreeMap<u32, u32>,
}

/// What was learnt from the functions that were numbered. The maps are looked into, never walked.
#[derive(Default)]
pub struct Numbering {
    /// A number for each operator, whichever local or function it names.
    shapes: HashMap<Vec<u8>, u32>,
    /// How often which local stood in which surroundings.
    seen: HashMap<Surroundings, BTreeMap<u32, u64>>,
}

/// Which of `SURROUNDINGS`, and the shapes there.
type Surroundings = (usize, Vec<u32>);

/// What speaks for giving a local, by its old index, a new one.
type Votes = BTreeMap<(u32, u32), u64>;

/// A local that is read or written, by its old index.
struct Use {
    index: u32,
    surroundings: Vec<Surroundings>,
}

impl Numbering {
    /// Numbers the locals of one more function.
    ///
    /// Those of a type stand together, those that are never used nowhere. Each gets the number that locals in its
    /// surroundings had; where nothing speaks for one, the most used has the lowest. They begin at the same number whatever
    /// the parameters: locals that nobody uses fill the gap, as long as no index becomes longer.
    pub fn locals(&mut self, body: &FunctionBody<'_>, parameters: u32) -> Result<Locals> {
        let uses = self.uses(body)?;
        let votes = self.votes(&uses);
        let groups = groups(body, parameters, &uses)?;
        let count: usize = groups.values().map(Vec::len).sum();
        let mut locals = Locals::default();
        let mut next = parameters;
        for (kind, group) in groups {
            let first = FIRST.iter().find(|(of, _)| *of == kind).map_or(0, |(_, first)| *first);
            if first as usize + count <= SHORT {
                next = next.max(first);
            }
            let end = next + u32::try_from(group.len())?;
            locals.place(&group, next..end, &votes);
            locals.declared.resize((end - parameters) as usize, kind);
            next = end;
        }
        for used in uses {
            let index = *locals.places.get(&used.index).unwrap_or(&used.index);
            for surroundings in used.surroundings {
                *self.seen.entry(surroundings).or_default().entry(index).or_default() += 1;
            }
        }
        Ok(locals)
    }

    fn uses(&mut self, body: &FunctionBody<'_>) -> Result<Vec<Use>> {
        let mut shapes = Vec::new();
        let mut named = Vec::new();
        for operator in body.get_operators_reader()? {
            let mut operator = operator?;
            if let Some(index) = local(&mut operator) {
                named.push((shapes.len(), mem::take(index)));
            }
            let mut bytes = Vec::new();
            Shape.instruction(operator)?.encode(&mut bytes);
            let unknown = u32::try_from(self.shapes.len())?;
            shapes.push(*self.shapes.entry(bytes).or_insert(unknown));
        }
        let around = |place: usize, before: usize, from: usize| {
            let range = place.saturating_sub(before)..shapes.len().min(place + from);
            shapes.get(range).unwrap_or_default().to_vec()
        };
        let surroundings = |place| {
            let each = SURROUNDINGS.iter().enumerate();
            each.map(|(which, (before, from, _))| (which, around(place, *before, *from))).collect()
        };
        Ok(named.into_iter().map(|(place, index)| Use { index, surroundings: surroundings(place) }).collect())
    }

    fn votes(&self, uses: &[Use]) -> Votes {
        let mut votes = Votes::new();
        for used in uses {
            for (surroundings, (.., weight)) in used.surroundings.iter().zip(SURROUNDINGS) {
                let Some(seen) = self.seen.get(surroundings) else { continue };
                let all: u64 = seen.values().sum();
                for (number, times) in seen {
                    *votes.entry((used.index, *number)).or_default() += weight * VOTE * times / (all + 1);
                }
            }
        }
        votes
    }
}

impl Locals {
    /// Gives the locals of one type their numbers: the clearest vote first, then by use.
    fn place(&mut self, group: &[u32], numbers: Range<u32>, votes: &Votes) {
        let mut wishes = Vec::new();
        for index in group {
            for ((_, number), vote) in votes.range((*index, numbers.start)..(*index, numbers.end)) {
                wishes.push((Reverse(*vote), *number, *index));
            }
        }
        wishes.sort_unstable();
        let mut free: BTreeSet<u32> = numbers.collect();
        for (_, number, index) in wishes {
            if !self.places.contains_key(&index) && free.remove(&number) {
                self.places.insert(index, number);
            }
        }
        for index in group {
            if !self.places.contains_key(index) {
                self.places.extend(free.pop_first().map(|number| (*index, number)));
            }
        }
    }
}

/// A function's own locals that are used, by type, the most used first.
fn groups(body: &FunctionBody<'_>, parameters: u32, uses: &[Use]) -> Result<BTreeMap<ValType, Vec<u32>>> {
    let mut times = BTreeMap::<u32, u32>::new();
    for used in uses {
        *times.entry(used.index).or_default() += 1;
    }
    let mut groups = BTreeMap::<ValType, Vec<u32>>::new();
    let mut next = parameters;
    for declared in body.get_locals_reader()? {
        let (count, kind) = declared?;
        let named = (next..next + count).filter(|index| times.contains_key(index));
        groups.entry(kind).or_default().extend(named);
        next += count;
    }
    groups.retain(|_, group| !group.is_empty());
    for group in groups.values_mut() {
        group.sort_by_key(|index| Reverse(times.get(index)));
    }
    Ok(groups)
}

/// Writes operators without telling which function they name.
struct Shape;

impl Reencode for Shape {
    type Error = Infallible;

    fn function_index(&mut self, _: u32) -> Result<u32, Error> {
        Ok(0)
    }

    fn mem_arg(&mut self, access: wasmparser::MemArg) -> Result<MemArg, Error> {
        unaligned(self, access)
    }
}

/// An access without a promise of alignment: that is a hint, and engines for today's processors do not ask for it.
pub fn unaligned(writer: &mut impl Reencode<Error = Infallible>, access: wasmparser::MemArg) -> Result<MemArg, Error> {
    Ok(MemArg { align: 0, ..utils::mem_arg(writer, access)? })
}

/// The local that an operator reads or writes.
pub fn local<'a>(operator: &'a mut Operator<'_>) -> Option<&'a mut u32> {
    match operator {
        Operator::LocalGet { local_index }
        | Operator::LocalSet { local_index }
        | Operator::LocalTee { local_index } => Some(local_index),
        _ => None,
    }
}

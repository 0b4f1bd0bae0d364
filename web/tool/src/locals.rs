//! Numbers a function's locals, and says which one an operator names.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use anyhow::Result;
use wasmparser::{FunctionBody, Operator, ValType};

/// Where a function's own locals of a type begin, unless its parameters reach further.
const FIRST: [(ValType, u32); 2] = [(ValType::I32, 8), (ValType::I64, 24)];
/// Indices below this take one byte.
const SHORT: usize = 128;

/// How a function's locals are numbered anew.
pub struct Locals {
    /// Their types.
    pub declared: Vec<ValType>,
    /// The new index of each by its old one. Parameters, which stay, are not in it.
    pub places: BTreeMap<u32, u32>,
}

impl Locals {
    /// Those of a type together, the most used first, and those that are never used not at all.
    ///
    /// However many parameters it has, the most used local of a function has the same number: locals that nobody uses fill
    /// the gap, as long as that makes no index longer.
    pub fn of(body: &FunctionBody<'_>, parameters: u32) -> Result<Self> {
        let mut uses = BTreeMap::<u32, u32>::new();
        for operator in body.get_operators_reader()? {
            if let Some(index) = local(&mut operator?) {
                *uses.entry(*index).or_default() += 1;
            }
        }
        let mut kept = Vec::new();
        let mut index = parameters;
        for declared in body.get_locals_reader()? {
            let (count, kind) = declared?;
            for index in index..index + count {
                kept.extend(uses.get(&index).map(|times| (kind, Reverse(*times), index)));
            }
            index += count;
        }
        kept.sort_unstable();
        let mut locals = Self { declared: Vec::new(), places: BTreeMap::new() };
        let mut next = parameters;
        for (kind, _, index) in &kept {
            let first = FIRST.iter().find(|(of, _)| of == kind).map_or(0, |(_, first)| *first);
            if first as usize + kept.len() <= SHORT {
                let gap = first.saturating_sub(next);
                locals.declared.extend((0..gap).map(|_| *kind));
                next += gap;
            }
            locals.declared.push(*kind);
            locals.places.insert(*index, next);
            next += 1;
        }
        Ok(locals)
    }
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

//! Numbers a function's locals, and says which one an operator names.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use anyhow::Result;
use wasmparser::{FunctionBody, Operator, ValType};

/// How a function's locals are numbered anew.
pub struct Locals {
    /// Their types.
    pub declared: Vec<ValType>,
    /// The new index of each by its old one. Parameters, which stay, are not in it.
    pub places: BTreeMap<u32, u32>,
}

impl Locals {
    /// Those of a type together, the most used first, and those that are never used not at all.
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
        Ok(Self {
            declared: kept.iter().map(|(kind, ..)| *kind).collect(),
            places: kept.iter().map(|(.., index)| *index).zip(parameters..).collect(),
        })
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

//! Tables of fields: which keys a map of the document has, what kind of value each takes, and where it goes.
//!
//! One table serves reader and printer. What is special about a map (keys that exclude each other, values that
//! contradict each other) stands beside its table.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::durations::{distribution_json, duration_text};
use super::fields::{Here, Keys, Reader};
use super::measured::{number_json, time_json};
use crate::api::{ObjectKey, ResourceList, Taint, TaintEffect, Text};
use crate::json::gathered;
use crate::manifest::ScenarioProblem;
use crate::scenario::pool::is_node_name;
use crate::scenario::{MeasuredNumber, MeasuredTime, PoolLabel, Source, Start};
use crate::sim::{Cascade, Distribution};
use crate::time::Timestamp;

/// A key of a map.
pub(super) struct Field<'a> {
    pub key: &'static str,
    need: Need,
    slot: Slot<'a>,
    /// Where the value comes from, if that is kept.
    pub source: Option<&'a mut Source>,
}

/// What comes of a map in which a key is absent or wrong.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    /// Nothing: it has to be there.
    Required,
    /// Nothing if it is wrong; without it, what is in its slot stays.
    Right,
    /// What is in its slot stays, and the other keys count.
    Optional,
}

/// Where a value goes, and so what kind of value it has to be.
pub(super) enum Slot<'a> {
    Text(&'a mut Text),
    /// Text that is not empty.
    Word(&'a mut Text),
    NodeName(&'a mut Text),
    LabelValue(&'a mut Text),
    Flag(&'a mut bool),
    /// A flag that is `false` unless it is said.
    Mark(&'a mut bool),
    Number {
        to: &'a mut u32,
        least: u32,
        most: u32,
    },
    /// A limit of at least 1.
    Limit(&'a mut Option<u32>),
    /// So many of a thousand.
    Permille(&'a mut u16),
    LargeNumber {
        to: &'a mut u64,
        least: u32,
    },
    Revision(&'a mut Option<i64>),
    Moment(&'a mut Option<Timestamp>),
    Duration(&'a mut Duration),
    Distribution(&'a mut Distribution),
    DistributionOrNever(&'a mut Option<Distribution>),
    MeasuredTime(&'a mut Option<MeasuredTime>),
    MeasuredNumber {
        to: &'a mut Option<MeasuredNumber>,
        least: u32,
    },
    Start(&'a mut Option<Start>),
    Cascade(&'a mut Cascade),
    Effect(&'a mut TaintEffect),
    /// Amounts on top of those that are there.
    Resources(&'a mut ResourceList),
    Labels(&'a mut Vec<PoolLabel>),
    Taints(&'a mut Vec<Taint>),
}

/// A key that has to be there.
pub(super) fn required<'a>(key: &'static str, slot: Slot<'a>) -> Field<'a> {
    Field { key, need: Need::Required, slot, source: None }
}

/// A key that may be absent; nothing comes of the map when it is wrong.
pub(super) fn right<'a>(key: &'static str, slot: Slot<'a>) -> Field<'a> {
    Field { key, need: Need::Right, slot, source: None }
}

/// A key that may be absent, and counts for nothing when it is wrong.
pub(super) fn optional<'a>(key: &'static str, slot: Slot<'a>) -> Field<'a> {
    Field { key, need: Need::Optional, slot, source: None }
}

impl<'a> Field<'a> {
    /// Keeps where the value comes from.
    pub fn from(self, source: &'a mut Source) -> Self {
        Self { source: Some(source), ..self }
    }
}

/// A pod of another workload, or a DaemonSet.
pub(super) fn object_key_fields(key: &mut ObjectKey) -> [Field<'_>; 2] {
    let ObjectKey { namespace, name } = key;
    [right("namespace", Slot::Word(namespace)), required("name", Slot::Word(name))]
}

pub(super) fn taint_fields(taint: &mut Taint) -> [Field<'_>; 3] {
    let Taint { key, value, effect } = taint;
    [required("key", Slot::Word(key)), right("value", Slot::Text(value)), required("effect", Slot::Effect(effect))]
}

/// What stands for a length of time without end.
const NEVER: &str = "Never";

const STARTS: [&str; 2] = ["Pods", "Settled"];
const CASCADES: [&str; 3] = ["Background", "Foreground", "Orphan"];
const EFFECTS: [&str; 3] = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/// A thousand of a thousand.
const ALL: u32 = 1_000;

impl<'t> Reader<'t> {
    /// Reads a map that has no other keys than these; whether something comes of it.
    pub fn fields(&mut self, here: &Here<'t>, fields: &mut [Field<'_>]) -> bool {
        let keys = self.keys(here, &keys_of(&[], fields));
        keys.is_some_and(|keys| self.read(&keys, fields))
    }

    /// Reads the fields of a map whose keys have been looked at; whether something comes of it.
    pub fn read(&mut self, keys: &Keys<'t>, fields: &mut [Field<'_>]) -> bool {
        let mut is_right = true;
        for Field { key, need, slot, source } in fields {
            let here = if *need == Need::Required { self.required(keys, key) } else { keys.get(key) };
            let Some(here) = here else {
                is_right &= *need != Need::Required;
                continue;
            };
            if let Some(source) = source {
                **source = Source::File;
            }
            is_right &= self.value(&here, slot).is_some() || *need == Need::Optional;
        }
        is_right
    }

    /// Puts a value where it goes; nothing where it is none of its kind.
    fn value(&mut self, here: &Here<'t>, slot: &mut Slot<'_>) -> Option<()> {
        match slot {
            Slot::Text(to) => **to = self.text(here)?,
            Slot::Word(to) => **to = self.word(here)?,
            Slot::NodeName(to) => {
                **to = self.word(here)?;
                if !is_node_name(to) {
                    self.report(here, ScenarioProblem::NodeName { written: to.clone() });
                }
            }
            Slot::LabelValue(to) => **to = self.label_value(here)?,
            Slot::Flag(to) | Slot::Mark(to) => **to = self.flag(here)?,
            Slot::Number { to, least, most } => **to = self.small_number(here, *least, *most)?,
            Slot::Limit(to) => **to = Some(self.small_number(here, 1, u32::MAX)?),
            Slot::Permille(to) => **to = u16::try_from(self.small_number(here, 0, ALL)?).ok()?,
            Slot::LargeNumber { to, least } => **to = self.number(here, u64::from(*least), u64::MAX)?,
            Slot::Revision(to) => **to = Some(i64::try_from(self.number(here, 0, u64::MAX >> 1)?).ok()?),
            Slot::Moment(to) => **to = Some(self.moment(here)?),
            Slot::Duration(to) => **to = self.duration(here)?,
            Slot::Distribution(to) => **to = self.distribution(here)?,
            Slot::DistributionOrNever(to) if here.tree.as_str() == Some(NEVER) => **to = None,
            Slot::DistributionOrNever(to) => **to = Some(self.distribution(here)?),
            Slot::MeasuredTime(to) => **to = self.measured_time(here),
            Slot::MeasuredNumber { to, least } => **to = self.measured_number(here, *least),
            Slot::Start(to) => **to = Some(if self.one_of(here, &STARTS)? == 0 { Start::Pods } else { Start::Settled }),
            Slot::Cascade(to) => {
                **to = match self.one_of(here, &CASCADES)? {
                    0 => Cascade::Background,
                    1 => Cascade::Foreground,
                    _ => Cascade::Orphan,
                }
            }
            Slot::Effect(to) => {
                **to = match self.one_of(here, &EFFECTS)? {
                    0 => TaintEffect::NoSchedule,
                    1 => TaintEffect::PreferNoSchedule,
                    _ => TaintEffect::NoExecute,
                }
            }
            Slot::Resources(to) => self.resources(here, to),
            Slot::Labels(to) => **to = self.pool_labels(here)?,
            Slot::Taints(to) => {
                for here in self.list(here)? {
                    let mut taint = Taint::default();
                    if self.fields(&here, &mut taint_fields(&mut taint)) {
                        to.push(taint);
                    }
                }
            }
        }
        Some(())
    }
}

/// Some keys, and those of a table.
pub(super) fn keys_of(others: &[&'static str], fields: &[Field<'_>]) -> Vec<&'static str> {
    let mut keys = others.to_vec();
    for field in fields {
        keys.push(field.key);
    }
    keys
}

/// The map that reads back to what is in the slots. What need not be said is left out.
pub(super) fn fields_json(fields: &[Field<'_>]) -> Map<String, Value> {
    gathered(&mut fields.iter().filter_map(|field| Some((field.key.to_owned(), slot_json(&field.slot)?))))
}

fn slot_json(slot: &Slot<'_>) -> Option<Value> {
    Some(match slot {
        Slot::Text(text) => return (!text.is_empty()).then(|| json!(text)),
        Slot::Word(text) | Slot::NodeName(text) | Slot::LabelValue(text) => json!(text),
        // Pools, with their labels and taints, are written by `pool_json`.
        Slot::Mark(false) | Slot::Effect(TaintEffect::Unset) | Slot::Labels(_) | Slot::Taints(_) => return None,
        Slot::Flag(flag) | Slot::Mark(flag) => json!(flag),
        Slot::Number { to: number, .. } => json!(number),
        Slot::Limit(limit) => json!((**limit)?),
        Slot::Permille(number) => json!(number),
        Slot::LargeNumber { to: number, .. } => json!(number),
        Slot::Revision(number) => json!((**number)?),
        Slot::Moment(at) => json!((**at)?),
        Slot::Duration(time) => duration_text(**time).into(),
        Slot::Distribution(time) => distribution_json(**time),
        Slot::DistributionOrNever(time) => time.map_or_else(|| NEVER.into(), distribution_json),
        Slot::MeasuredTime(time) => time_json((**time)?),
        Slot::MeasuredNumber { to: number, .. } => number_json((**number)?),
        Slot::Start(start) => match (**start)? {
            Start::Pods => "Pods".into(),
            Start::Settled => "Settled".into(),
        },
        Slot::Cascade(cascade) => match cascade {
            Cascade::Background => "Background".into(),
            Cascade::Foreground => "Foreground".into(),
            Cascade::Orphan => "Orphan".into(),
        },
        Slot::Effect(effect) => json!(effect),
        Slot::Resources(resources) => json!(resources),
    })
}

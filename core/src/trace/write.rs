use std::fmt;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;

use super::line::{
    TRACE_KIND, TRACE_VERSION, TraceDecision, TraceEnd, TraceHeader, TraceMark, TraceMoment, TraceOutcome,
    TraceRefusal, TraceSight,
};
use crate::api::{ObjectKey, Text};
use crate::sim::{DecisionGroup, Ending, EventRefusal, Mark, Options, Summary, Tile, Timeline, World};
use crate::time::micros;

/// A hash of bytes with the same 64 bits on every target (FNV-1a).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceHash(u64);

impl Default for TraceHash {
    /// Of no bytes.
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl TraceHash {
    /// The hash with these bytes behind those before.
    pub fn add(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
    }
}

impl fmt::Display for TraceHash {
    /// 16 hexadecimal digits.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:016x}", self.0)
    }
}

/// The hash of these bytes.
pub fn hash(bytes: &[u8]) -> TraceHash {
    let mut hash = TraceHash::default();
    hash.add(bytes);
    hash
}

/// The hash of what a play depends on besides its cluster, its events and its seed.
pub fn options_hash(options: &Options) -> TraceHash {
    hash(crate::scenario::options_text(options).as_bytes())
}

/// The trace of a play, as one text.
pub fn trace_of(world: &World, key: &ObjectKey, options: &Options, summary: &Summary) -> String {
    let mut text = String::new();
    write_trace(world.timeline(), world.refusals(), key, options, summary, &mut |line| text.push_str(line));
    text
}

/// Writes the trace of a play, line by line, each with its line end.
///
/// A play that has not ended leaves a whole trace that says so.
pub fn write_trace(
    timeline: &Timeline,
    refusals: &[(Duration, EventRefusal)],
    daemon_set: &ObjectKey,
    options: &Options,
    summary: &Summary,
    out: &mut dyn FnMut(&str),
) {
    let mut writer = Writer { hash: TraceHash::default(), out };
    let names = timeline.node_names();
    let initial = (0..timeline.node_count()).map(|node| (timeline.initial_tile(node), node));
    writer.line(&TraceHeader {
        api_version: Text::new_static(TRACE_VERSION),
        kind: Text::new_static(TRACE_KIND),
        daemon_set: daemon_set.clone(),
        kubernetes_version: Text::new_static(options.version.as_str()),
        seed: options.seed,
        options_hash: Text::from(options_hash(options).to_string()),
        nodes: sights(initial.filter(|(tile, _)| *tile != Tile::Gone), names),
    });
    let mut marks = timeline.marks().iter().peekable();
    for (moment, counters) in (0..timeline.len()).zip(timeline.counters_from(0)) {
        let at = micros(timeline.at(moment));
        let mut done = Vec::new();
        while let Some(Mark { at, kind, about }) = marks.next_if(|mark| mark.at <= at) {
            done.push(TraceMark { at: *at, kind: *kind, about: about.clone() });
        }
        let decided = timeline.decisions(moment).map(|group| decision(&group, names)).collect();
        let seen = sights(timeline.changes(moment).map(|change| (change.to, change.node)), names);
        writer.line(&TraceMoment { at, done, decided, seen, counters: counters.into() });
    }
    let end = match &summary.ending {
        Some(Ending::Complete) => TraceOutcome::Complete,
        Some(Ending::Stuck { .. }) => TraceOutcome::Stuck,
        Some(Ending::Endless { .. }) => TraceOutcome::Endless,
        Some(Ending::NoDaemonSet) => TraceOutcome::NoDaemonSet,
        None => TraceOutcome::Interrupted,
    };
    let refused = refusals.iter().map(|(at, why)| TraceRefusal { at: micros(*at), why: why.clone() });
    let hash = Text::from(writer.hash.to_string());
    writer.line(&TraceEnd {
        end,
        at: micros(summary.ended_at),
        eligible: summary.eligible,
        finished: summary.finished,
        moments: timeline.len(),
        refused: refused.collect(),
        hash,
    });
}

struct Writer<'a> {
    hash: TraceHash,
    out: &'a mut dyn FnMut(&str),
}

impl Writer<'_> {
    fn line<T: Serialize>(&mut self, line: &T) {
        // Numbers, names and enums always have a form in JSON.
        let mut text = serde_json::to_string(line).unwrap_or_default();
        text.push('\n');
        self.hash.add(text.as_bytes());
        (self.out)(&text);
    }
}

/// Nodes by what they show, in the order of the tiles' numbers and then of the nodes.
fn sights(shown: impl Iterator<Item = (Tile, u32)>, names: &[Text]) -> Vec<TraceSight> {
    let mut shown: Vec<(Tile, u32)> = shown.collect();
    shown.sort_unstable_by_key(|(tile, node)| (tile.number(), *node));
    let mut sights: Vec<TraceSight> = Vec::new();
    for (tile, node) in shown {
        let Some(name) = name_of(names, node) else { continue };
        match sights.last_mut().filter(|sight| sight.shows == tile) {
            Some(sight) => sight.nodes.push(name),
            None => sights.push(TraceSight { shows: tile, nodes: vec![name] }),
        }
    }
    sights
}

fn name_of(names: &[Text], node: u32) -> Option<Text> {
    names.get(usize::try_from(node).ok()?).cloned()
}

fn decision(group: &DecisionGroup<'_>, names: &[Text]) -> TraceDecision {
    // Enums are written as their name, or as a map from the name to what it holds.
    let (reason, because) = match serde_json::to_value(group.reason).unwrap_or_default() {
        Value::String(name) => (Text::from(name), Value::Null),
        Value::Object(map) => {
            map.into_iter().next().map_or((Text::default(), Value::Null), |(name, because)| (Text::from(name), because))
        }
        _ => (Text::default(), Value::Null),
    };
    TraceDecision {
        kind: group.kind,
        reason,
        because,
        count: group.count,
        candidate_count: group.candidate_count,
        nodes: group.nodes().filter_map(|node| name_of(names, node)).collect(),
    }
}

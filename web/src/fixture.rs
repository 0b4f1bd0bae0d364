//! A timeline for tests that need one and no controller: nodes are replaced a batch at a time.
#![allow(clippy::cast_possible_truncation, reason = "small clusters")]

use rollcast_core::sim::{Counters, Tile, Timeline};
use serde_json::json;

use crate::model::{Ending, Rollout, Summary};
use crate::protocol::{Message, Reply};
use crate::state::{Effect, State, receive};

/// Seconds a node takes in each of its four steps.
const STEP: u64 = 10;

/// The worker says something about an input.
pub fn hear_of(state: &mut State, generation: u32, reply: Reply) -> Vec<Effect> {
    receive(state, Message { generation, head: Box::new(reply) }, &[])
}

/// The worker says something about the input that the state holds.
pub fn hear(state: &mut State, reply: Reply) -> Vec<Effect> {
    let generation = state.generation;
    hear_of(state, generation, reply)
}

/// The worker has played a rollout of the input that the state holds.
pub fn hear_rollout(state: &mut State, (summary, body): (Summary, Vec<u8>)) -> Vec<Effect> {
    let head = Box::new(Reply::Rollout(summary));
    let generation = state.generation;
    receive(state, Message { generation, head }, &body)
}

/// `nodes` nodes, `batch` of them replaced at a time, 40 seconds a batch; as the worker sends it.
pub fn rollout(nodes: u32, batch: u32) -> (Summary, Vec<u8>) {
    let mut columns = Columns { last_change: vec![u32::MAX; nodes as usize], ..Columns::default() };
    let steps = [Tile::Terminating, Tile::Missing, Tile::NewStarting, Tile::NewAvailable];
    for first in (0..nodes).step_by(batch as usize) {
        let members: Vec<u32> = (first..nodes.min(first + batch)).collect();
        for (step, tile) in (0..).zip(steps) {
            let (unavailable, done) = (members.len() as u32, first);
            let counters = Counters {
                desired: nodes,
                current: nodes,
                ready: nodes - if step == 3 { 0 } else { unavailable },
                available: nodes - if step == 3 { 0 } else { unavailable },
                up_to_date: done + if step == 3 { unavailable } else { 0 },
                old_available: nodes - done - unavailable,
                new_available: done + if step == 3 { unavailable } else { 0 },
                new_unavailable: if step == 2 { unavailable } else { 0 },
                terminating: if step == 0 { unavailable } else { 0 },
                max_unavailable: batch,
                ..Counters::default()
            };
            let kind = match tile {
                Tile::Terminating => Some("DeletePod"),
                Tile::NewStarting => Some("CreatePod"),
                _ => None,
            };
            columns.moment(u64::from(first / batch) * 4 * STEP + step * STEP, &members, tile, kind, counters);
        }
    }
    let timeline: Timeline = serde_json::from_value(columns.json(nodes)).unwrap();
    let summary = Summary {
        ending: Ending::Finished,
        fewest_available: nodes.saturating_sub(batch),
        most_pods: nodes,
        floor: Some(nodes.saturating_sub(batch)),
        written: ["10%".into(), "0".into(), "30".into()],
        diagnosis: None,
        events: Vec::new(),
    };
    (summary, Rollout::to_bytes(&timeline))
}

#[derive(Default)]
struct Columns {
    at: Vec<u64>,
    first_change: Vec<u32>,
    first_group: Vec<u32>,
    last_change: Vec<u32>,
    change_node: Vec<u32>,
    change_tile: Vec<u8>,
    change_before: Vec<u32>,
    groups: Vec<serde_json::Value>,
    group_nodes: Vec<u32>,
    keyframes: Vec<serde_json::Value>,
    last: Counters,
}

impl Columns {
    fn moment(&mut self, at: u64, nodes: &[u32], tile: Tile, kind: Option<&str>, counters: Counters) {
        self.at.push(at * 1_000_000);
        self.first_change.push(self.change_node.len() as u32);
        self.first_group.push(self.groups.len() as u32);
        if let Some(kind) = kind {
            let first_node = self.group_nodes.len();
            self.groups.push(json!({"kind": kind, "reason": 0, "candidate_count": 1, "first_node": first_node}));
            self.group_nodes.extend(nodes);
        }
        for node in nodes {
            let change = self.change_node.len() as u32;
            self.change_node.push(*node);
            self.change_tile.push(tile.number());
            self.change_before.push(std::mem::replace(&mut self.last_change[*node as usize], change));
        }
        self.keyframes.push(json!({"offset": 0, "counters": counters}));
        self.last = counters;
    }

    fn json(self, nodes: u32) -> serde_json::Value {
        let names: Vec<String> = (0..nodes).map(|node| format!("node-{node}")).collect();
        json!({
            "nodes": names, "initial": vec![Tile::OldAvailable.number(); nodes as usize],
            "last_change": self.last_change, "at": self.at, "first_change": self.first_change,
            "first_group": self.first_group,
            "counters": {"spacing": 1, "moments": self.at.len(), "last": self.last, "stream": [],
                "keyframes": self.keyframes},
            "change_node": self.change_node, "change_tile": self.change_tile, "change_before": self.change_before,
            "groups": self.groups, "group_nodes": self.group_nodes, "reasons": ["MissingPod"], "marks": [],
        })
    }
}

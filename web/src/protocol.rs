//! What the page and its worker say to each other.
//!
//! Every message is a JavaScript array `[generation, head, body]`. `head` is a `Uint8Array` of JSON; `body` is what
//! the head announces: a timeline as bytes, or JavaScript objects for the editor, or nothing. Buffers are
//! transferred, not copied.

use serde::{Deserialize, Serialize};

use crate::model::{Fleet, Inspection, Summary};
use crate::state::{Knobs, Language};

/// Everything that a computation follows from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// The DaemonSet as it runs, the change, the cluster.
    pub documents: [String; 3],
    pub knobs: Knobs,
    pub language: Language,
}

/// From the page to the worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Request {
    /// Read the documents, place the pods, play the rollout. Drops every older request.
    Compute(Box<Input>),
    /// Explain a node at a second of the rollout computed last.
    Inspect { node: u32, at: u32 },
    /// Say the words of the last computation again in another language.
    Translate(Language),
    /// Panic, so that tests see the very worker that ships fall and rise again. The page never sends it.
    Panic(String),
}

/// From the worker to the page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reply {
    /// The worker listens.
    Ready,
    /// So much of the work is done.
    Progress {
        phase: Phase,
        done: u64,
        total: u64,
    },
    /// The body holds the problems of the three documents as JavaScript objects; beside them what is wrong with the
    /// knobs for `maxUnavailable`, `maxSurge` and `minReadySeconds`.
    Problems {
        knobs: [Option<String>; 3],
    },
    /// The cluster; the rollout follows.
    Fleet(Fleet),
    /// The rollout; the body holds the core's timeline as bytes.
    Rollout(Summary),
    /// The words of the rollout computed last, in another language.
    Words(Summary),
    /// There is nothing to show, and why.
    Nothing(Nothing),
    Inspection(Box<Inspection>),
    /// The worker has panicked with this text and answers no more.
    Panicked(String),
}

/// What the worker is busy with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    Reading,
    Placing,
    Playing,
}

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Nothing {
    /// No DaemonSet stands in the documents.
    NoDaemonSet,
    /// The API server would refuse the change.
    Refused,
    /// The cluster has no nodes.
    NoNodes,
    /// More nodes than the page plays.
    TooBig { nodes: u64, limit: u64 },
}

/// A message with the generation of the input it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message<T> {
    pub generation: u32,
    pub head: T,
}

//! What the page and its worker say to each other.
//!
//! Every message is a JavaScript array `[generation, head, body]` of a number and two `Uint8Array`s. `head` is packed as
//! [`crate::pack`] says; `body` is what the head announces in bulk, or empty. Buffers are transferred, not copied.

use crate::model::{Fleet, Inspection, Outlook, Reviewed, Summary};
use crate::pack::{pack_enum, pack_struct};
use crate::state::{Dump, Knobs, Language};

/// Everything that a computation follows from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// The DaemonSet as it runs, the change, the cluster, the world.
    pub documents: [String; 4],
    pub knobs: Knobs,
    pub language: Language,
    /// The cluster is read from a dump that goes with the message, and not from its document.
    pub dump: Option<Dump>,
    /// The world holds a whole scenario that is to be taken apart.
    pub whole: bool,
}

pack_struct!(Input { documents, knobs, language, dump, whole });

/// From the page to the worker.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Request {
    /// Read the documents, place the pods, play the rollout. Drops every older request.
    Compute(Box<Input>),
    /// Explain a node at a second of the rollout computed last.
    Inspect { node: u32, at: u32 },
    /// Say the words of the last computation again in another language.
    Translate(Language),
    /// Play the rollout no more times.
    #[default]
    Stop,
    /// Panic, so that tests see the very worker that ships fall and rise again. The page never sends it.
    Panic(String),
}

pack_enum!(Request { 0 => Compute(input), 1 => Inspect { node, at }, 2 => Translate(language), 3 => Panic(text), 4 => Stop });

/// From the worker to the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Reply {
    /// The worker listens.
    #[default]
    Ready,
    /// So much of the work is done.
    Progress {
        phase: Phase,
        done: u64,
        total: u64,
    },
    /// What the documents say beside the cluster and the rollout, and what is wrong with them.
    Reviewed(Reviewed),
    /// The documents that a whole scenario was taken apart into; nothing else was done.
    TakenApart([String; 4]),
    /// The cluster; the rollout follows.
    Fleet(Fleet),
    /// The rollout; the body holds what [`Rollout::to_bytes`](crate::model::Rollout::to_bytes) made.
    Rollout(Summary),
    /// The words of the rollout computed last, in another language.
    Words(Summary),
    /// There is nothing to show, and why.
    Nothing(Nothing),
    Inspection(Box<Inspection>),
    /// What is known of many plays of the rollout computed last; more follows while they are played.
    Outlook(Box<Outlook>),
    /// The worker has panicked with this text and answers no more.
    Panicked(String),
}

pack_enum!(Reply {
    0 => Ready,
    1 => Progress { phase, done, total },
    2 => Reviewed(reviewed),
    3 => Fleet(fleet),
    4 => Rollout(summary),
    5 => Words(summary),
    6 => Nothing(nothing),
    7 => Inspection(inspection),
    8 => Panicked(text),
    9 => Outlook(outlook),
    10 => TakenApart(documents),
});

/// What a person is told where the worker sent what is no [`Reply`].
pub const NO_REPLY: &str = "the worker sent something that is no answer";

/// What the worker is busy with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    #[default]
    Reading,
    Placing,
    Playing,
}

pack_enum!(Phase { 0 => Reading, 1 => Placing, 2 => Playing });

/// Why there is no picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Nothing {
    /// No DaemonSet stands in the documents.
    #[default]
    NoDaemonSet,
    /// The API server would refuse the change.
    Refused,
    /// The scenario has errors.
    Faulty,
    /// The cluster has no nodes.
    NoNodes,
    /// More nodes than the page plays.
    TooBig { nodes: u64, limit: u64 },
}

pack_enum!(Nothing { 0 => NoDaemonSet, 1 => Refused, 2 => NoNodes, 3 => TooBig { nodes, limit }, 4 => Faulty });

/// A message with the generation of the input it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message<T> {
    pub generation: u32,
    pub head: T,
}

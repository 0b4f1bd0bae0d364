//! What the inspector shows about one node at one moment.

use crate::pack::{pack_enum, pack_struct};
use crate::state::DocumentId;

/// The colour of a verdict; its words say the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    Good,
    Waiting,
    Bad,
    #[default]
    Neutral,
}

pack_enum!(Tone { 0 => Good, 1 => Waiting, 2 => Bad, 3 => Neutral });

/// How one check ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mark {
    Passed,
    Failed,
    /// An earlier check decided, or nothing asks for this one.
    #[default]
    NotAsked,
}

pack_enum!(Mark { 0 => Passed, 1 => Failed, 2 => NotAsked });

/// A place in a document that the editor can jump to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    pub document: DocumentId,
    pub line: u32,
    /// Start and end in UTF-16 units.
    pub from: u32,
    pub to: u32,
}

pack_struct!(Place { document, line, from, to });

/// One line of the decision trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Check {
    pub mark: Mark,
    pub name: String,
    /// The sentence below, when there is one.
    pub detail: String,
    pub place: Option<Place>,
}

pack_struct!(Check { mark, name, detail, place });

/// One pod of the node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PodLine {
    pub name: String,
    pub description: String,
}

pack_struct!(PodLine { name, description });

/// Everything the inspector says about a node; the words are already in the person's language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inspection {
    pub node: u32,
    pub name: String,
    /// The second of the rollout that this describes.
    pub at: u32,
    pub tone: Tone,
    pub verdict: String,
    pub explanation: String,
    pub chips: Vec<String>,
    pub checks: Vec<Check>,
    pub pods: Vec<PodLine>,
    pub next: String,
}

pack_struct!(Inspection { node, name, at, tone, verdict, explanation, chips, checks, pods, next });

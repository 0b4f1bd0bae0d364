//! What the inspector shows about one node at one moment.

use serde::{Deserialize, Serialize};

use crate::state::DocumentId;

/// The colour of a verdict; its words say the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tone {
    Good,
    Waiting,
    Bad,
    Neutral,
}

/// How one check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mark {
    Passed,
    Failed,
    /// An earlier check decided, or nothing asks for this one.
    NotAsked,
}

/// A place in a document that the editor can jump to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    pub document: DocumentId,
    pub line: u32,
    /// Start and end in UTF-16 units.
    pub from: u32,
    pub to: u32,
}

/// One line of the decision trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    pub mark: Mark,
    pub name: String,
    /// The sentence below, when there is one.
    pub detail: String,
    pub place: Option<Place>,
}

/// One pod of the node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PodLine {
    pub name: String,
    pub description: String,
}

/// Everything the inspector says about a node; the words are already in the person's language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

//! How long a rollout takes and how risky it is, over many plays, and why one that stops does; in the person's language.

use crate::pack::{pack_enum, pack_struct};

/// What is known of many plays so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outlook {
    pub progress: OutlookProgress,
    /// So few, because the cluster is large, that the tails say little.
    pub few_plays: bool,
    /// The scenario as it is; absent until its plays have ended.
    pub forecast: Option<Forecast>,
    /// Settings side by side, as far as they have been played.
    pub settings: Vec<Setting>,
    /// What all of it rests on.
    pub assumptions: Vec<String>,
}

pack_struct!(Outlook { progress, few_plays, forecast, settings, assumptions });

/// How far the plays have come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutlookProgress {
    Playing {
        done: u32,
        total: u32,
    },
    /// So many were played.
    Done(u32),
    /// The person has stopped them after so many.
    Stopped(u32),
}

impl Default for OutlookProgress {
    /// Nothing has been played.
    fn default() -> Self {
        Self::Playing { done: 0, total: 0 }
    }
}

pack_enum!(OutlookProgress { 0 => Playing { done, total }, 1 => Done(plays), 2 => Stopped(plays) });

/// The scenario as it is, over its plays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Forecast {
    pub headline: String,
    /// Names and values, in the order in which they are read.
    pub figures: Vec<Figure>,
}

pack_struct!(Forecast { headline, figures });

/// A figure and what it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figure {
    pub name: String,
    pub value: String,
}

pack_struct!(Figure { name, value });

/// One setting of the strategy, over its plays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setting {
    pub name: String,
    /// It is the one that the change has.
    pub own: bool,
    /// Seconds until half of the plays have finished; absent where none does.
    pub p50: Option<u32>,
    /// Seconds until nineteen in twenty have.
    pub p95: Option<u32>,
    /// Pods available at the worst time.
    pub fewest_available: u32,
    pub plays: u32,
    /// Plays in which it finishes.
    pub finished: u32,
    /// Why it does not in the others.
    pub reason: Option<String>,
}

pack_struct!(Setting { name, own, p50, p95, fewest_available, plays, finished, reason });

/// Why a rollout does not move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnosis {
    pub headline: String,
    /// Most important first.
    pub findings: Vec<Finding>,
}

pack_struct!(Diagnosis { headline, findings });

/// One thing that keeps it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finding {
    pub title: String,
    /// The rule, the nodes and the arithmetic.
    pub message: String,
    /// The smallest change first.
    pub remedies: Vec<Remedy>,
}

pack_struct!(Finding { title, message, remedies });

/// Something that can be done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Remedy {
    pub message: String,
    /// The command that does it.
    pub command: Option<String>,
    /// What it costs or risks.
    pub warning: Option<String>,
}

pack_struct!(Remedy { message, command, warning });

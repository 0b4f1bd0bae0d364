//! A rollout as the page shows it: the core's timeline, how it ends, and the stacked picture of its pods.

use std::rc::Rc;
use std::time::Duration;

use rollcast_core::sim::{Counters, DecisionKind, Timeline};

use super::Diagnosis;
use crate::pack::{pack_enum, pack_struct, packed, unpacked_first};

/// Number of layers in the stacked picture.
pub const LAYERS: usize = 6;

/// One layer of the stacked picture, from the bottom up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Layer {
    NewAvailable = 0,
    NewStarting = 1,
    OldAvailable = 2,
    Terminating = 3,
    OldUnavailable = 4,
    /// What is missing to the desired number.
    Missing = 5,
}

impl Layer {
    /// The layers from the bottom up.
    pub const ALL: [Self; LAYERS] = [
        Self::NewAvailable,
        Self::NewStarting,
        Self::OldAvailable,
        Self::Terminating,
        Self::OldUnavailable,
        Self::Missing,
    ];
}

/// Pods per [`Layer`].
pub fn layers(counters: &Counters) -> [u32; LAYERS] {
    [
        counters.new_available,
        counters.new_unavailable,
        counters.old_available,
        counters.terminating,
        counters.old_unavailable,
        counters.desired.saturating_sub(counters.pods()),
    ]
}

/// How much of the strategy's budget is in use, and how much there is: nodes without an available pod that stays, or
/// where pods may be added, added ones.
pub fn budget(counters: &Counters) -> (u32, u32) {
    if counters.max_surge > 0 {
        (counters.new_unavailable.min(counters.pods().saturating_sub(counters.desired)), counters.max_surge)
    } else {
        (counters.desired.saturating_sub(counters.available_pods()), counters.max_unavailable)
    }
}

/// How the rollout ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// Every eligible node has an available new pod.
    #[default]
    Finished,
    /// Nothing will change any more, and so many nodes lack an available new pod.
    Stopped { nodes: u32, reason: String, advice: String },
    /// The same things happen again and again, and so many nodes lack an available new pod.
    Endless { nodes: u32, reason: String },
}

pack_enum!(Ending { 0 => Finished, 1 => Stopped { nodes, reason, advice }, 2 => Endless { nodes, reason } });

/// The few figures that sum a rollout up; the words are in the person's language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    pub ending: Ending,
    pub fewest_available: u32,
    pub most_pods: u32,
    /// The fewest available pods the strategy allows, when it states a limit.
    pub floor: Option<u32>,
    /// `maxUnavailable`, `maxSurge` and `minReadySeconds` as the change states them.
    pub written: [String; 3],
    /// Why it does not finish, and what can be done.
    pub diagnosis: Option<Diagnosis>,
    /// What is done to the cluster on the way, in order of time.
    pub events: Vec<Happening>,
}

pack_struct!(Summary { ending, fewest_available, most_pods, floor, written, diagnosis, events });

/// Something that is done to the cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Happening {
    /// In which second.
    pub at: u32,
    /// What, and to which node or pod.
    pub message: String,
}

pack_struct!(Happening { at, message });

/// A rollout from the moment the change is applied until it comes to rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rollout {
    /// Tiles and counters; the decisions' nodes and reasons are with the worker.
    pub timeline: Rc<Timeline>,
    pub summary: Summary,
    decisions: Rc<Decisions>,
}

/// Pods that are created and deleted, one entry a second in which any are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Decisions {
    seconds: Vec<u32>,
    created: Vec<u32>,
    deleted: Vec<u32>,
}

pack_struct!(Decisions { seconds, created, deleted });

impl Rollout {
    /// What the page needs of a timeline, for [`Rollout::from_bytes`].
    pub fn to_bytes(timeline: &Timeline) -> Vec<u8> {
        let mut bytes = packed(&mut Decisions::of(timeline));
        bytes.append(&mut timeline.to_picture());
        bytes
    }

    /// A rollout from what the worker sent; `None` when that is something else.
    pub fn from_bytes(bytes: &[u8], summary: Summary) -> Option<Self> {
        let (decisions, picture) = unpacked_first(bytes)?;
        Some(Self { timeline: Rc::new(Timeline::from_picture(picture)?), summary, decisions: Rc::new(decisions) })
    }

    /// The same rollout summed up in other words.
    #[must_use]
    pub fn with_summary(&self, summary: Summary) -> Self {
        Self { timeline: Rc::clone(&self.timeline), summary, decisions: Rc::clone(&self.decisions) }
    }

    /// The second of the last change.
    pub fn ends_at(&self) -> u32 {
        seconds(self.timeline.at(self.timeline.len().saturating_sub(1)))
    }

    /// The moment that is in force at a second.
    pub fn moment(&self, second: u32) -> u32 {
        self.timeline.moment_at(Duration::from_secs(second.into())).unwrap_or_default()
    }

    /// The numbers of a second.
    pub fn counters(&self, second: u32) -> Counters {
        self.timeline.state_at(self.moment(second)).counters
    }

    /// Seconds at which pods are created or deleted.
    pub fn decisions(&self) -> &[u32] {
        &self.decisions.seconds
    }

    /// The next such second.
    pub fn next_decision(&self, second: u32) -> Option<u32> {
        let seconds = self.decisions();
        seconds.get(seconds.partition_point(|at| *at <= second)).copied()
    }

    /// The last such second before this one.
    pub fn previous_decision(&self, second: u32) -> Option<u32> {
        let seconds = self.decisions();
        seconds.get(seconds.partition_point(|at| *at < second).checked_sub(1)?).copied()
    }

    /// What is done to the cluster near a second, as near as can be told apart in a picture.
    pub fn happening(&self, second: u32) -> Option<&Happening> {
        let near = self.ends_at() / 200;
        let found = self.summary.events.iter().filter(|event| event.at.abs_diff(second) <= near);
        found.min_by_key(|event| event.at.abs_diff(second))
    }

    /// Pods created and deleted in a second.
    pub fn decided(&self, second: u32) -> (u32, u32) {
        let Ok(index) = self.decisions().binary_search(&second) else { return (0, 0) };
        let count = |column: &[u32]| column.get(index).copied().unwrap_or_default();
        (count(&self.decisions.created), count(&self.decisions.deleted))
    }
}

impl Decisions {
    fn of(timeline: &Timeline) -> Self {
        let mut all = Self::default();
        for moment in 0..timeline.len() {
            let (created, deleted) = pods_decided(timeline, moment);
            if created + deleted == 0 {
                continue;
            }
            let at = seconds(timeline.at(moment));
            if all.seconds.last() != Some(&at) {
                all.seconds.push(at);
                all.created.push(0);
                all.deleted.push(0);
            }
            if let (Some(all_created), Some(all_deleted)) = (all.created.last_mut(), all.deleted.last_mut()) {
                *all_created += created;
                *all_deleted += deleted;
            }
        }
        all
    }
}

fn pods_decided(timeline: &Timeline, moment: u32) -> (u32, u32) {
    timeline.decisions(moment).fold((0, 0), |(created, deleted), group| match group.kind {
        DecisionKind::CreatePod => (created + group.count, deleted),
        DecisionKind::DeletePod => (created, deleted + group.count),
        _ => (created, deleted),
    })
}

fn seconds(duration: Duration) -> u32 {
    u32::try_from(duration.as_secs()).unwrap_or(u32::MAX)
}

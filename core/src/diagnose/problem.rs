//! What can be found out about a rollout that does not move.

use serde::Serialize;

use super::cause::{Cause, Effect, User};
use super::remedy::Remedy;
use crate::api::{IntOrString, ObjectKey, Text};
use crate::placement::Exclusion;

/// How many names a list holds.
pub(super) const NAMES: usize = 10;

/// One thing that was found: what, what it means for the rollout, and what can be done about it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// What it is.
    pub problem: Problem,
    /// What it means.
    pub effect: Effect,
    /// What can be done, the smallest change first.
    pub remedies: Vec<Remedy>,
}

/// Nodes, and the pods on them that it is about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Places {
    /// How many nodes.
    pub count: u32,
    /// The first ten of them.
    pub nodes: Vec<Text>,
    /// The pods on these, where there are any.
    pub pods: Vec<Text>,
}

impl Places {
    /// Takes one more.
    pub(super) fn push(&mut self, node: &Text, pod: Option<&Text>) {
        self.count = self.count.saturating_add(1);
        if self.nodes.len() < NAMES {
            self.nodes.push(node.clone());
            self.pods.extend(pod.cloned());
        }
    }
}

/// A place in a budget, and what has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BudgetUser {
    /// What has it.
    pub user: User,
    /// How many.
    pub count: u32,
}

/// A budget, and what uses it up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BudgetUse {
    /// The limit as it is written.
    pub written: IntOrString,
    /// The limit in nodes.
    pub limit: u32,
    /// DESIRED, of which a percentage is taken.
    pub desired: u32,
    /// How many places are taken.
    pub used: u32,
    /// How many of them are never given back by themselves.
    pub stuck: u32,
    /// What has them, the most numerous first.
    pub users: Vec<BudgetUser>,
    /// The nodes that have them, the stuck ones first.
    pub places: Places,
    /// Nodes with an available old pod that wait.
    pub waiting: u32,
}

/// Which limit of a rolling update.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum LimitField {
    /// `maxUnavailable`.
    MaxUnavailable,
    /// `maxSurge`.
    MaxSurge,
}

impl LimitField {
    /// The name of the field.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MaxUnavailable => "maxUnavailable",
            Self::MaxSurge => "maxSurge",
        }
    }
}

/// What shows that no controller acts. Each is enough alone; a status that is merely behind is not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all_fields = "camelCase")]
pub enum Inaction {
    /// Created so long ago, and never observed.
    NeverObserved {
        /// Its age.
        seconds: u64,
    },
    /// Restarted so long ago (`kubectl rollout restart` writes when), and no revision was made.
    RestartIgnored {
        /// How long ago.
        seconds: u64,
    },
    /// Nothing has changed for so long, and pods are due to be created or deleted.
    Undone {
        /// Pods that a controller would create now.
        creations: u32,
        /// Pods that a controller would delete now.
        deletions: u32,
        /// How long nothing has changed.
        seconds: u64,
    },
}

/// What is the matter.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all_fields = "camelCase")]
pub enum Problem {
    /// The selector is empty, so that the controller ignores the DaemonSet.
    EmptySelector,
    /// The selector does not match the template's labels, so that the pods would not be its own.
    TemplateNotSelected,
    /// The DaemonSet is being deleted.
    BeingDeleted {
        /// Who must agree first.
        finalizers: Vec<Text>,
        /// Its pods that are left.
        pods: u32,
        /// How long ago it was deleted.
        seconds: u64,
    },
    /// A limit is neither a count nor a percentage.
    MalformedLimit {
        /// Which.
        field: LimitField,
        /// What is written there.
        limit: Text,
    },
    /// No controller acts.
    ControllerNotActing(Inaction),
    /// The controller has not acted upon the present spec yet.
    SpecNotObserved {
        /// `metadata.generation`.
        generation: i64,
        /// `status.observedGeneration`.
        observed: i64,
    },
    /// The controller has counted nodes that have no pod: its creations are refused.
    CreationRefused {
        /// They.
        places: Places,
    },
    /// Another template has the name that the new revision would get.
    NameCollision {
        /// The name.
        revision: Text,
    },
    /// `maxUnavailable` is used up.
    UnavailableBudget(BudgetUse),
    /// `maxSurge` is used up.
    SurgeBudget(BudgetUse),
    /// Surge: old pods are bound to nodes that are gone, and until those pods are no pod is updated.
    LostNodes {
        /// They.
        places: Places,
    },
    /// Strategy `OnDelete`: old pods stay until someone deletes them.
    WaitingForDeletion {
        /// They.
        places: Places,
        /// The strategy's word, if it is none that Kubernetes knows.
        unknown: Option<Text>,
    },
    /// Nodes without an available new pod, for one reason.
    NotAvailable {
        /// Why.
        cause: Cause,
        /// Where.
        places: Places,
        /// Whether the pods are old ones that are replaced at once.
        replaced: bool,
    },
    /// Pods count as updated by their generation label although the template is another one.
    CountedByGeneration {
        /// They.
        places: Places,
        /// A container.
        container: Text,
        /// The image that runs.
        found: Text,
        /// The image of the template.
        wanted: Text,
    },
    /// The spec was changed, the template was not.
    NothingToReplace {
        /// How many changes left the template as it was.
        changes: i64,
    },
    /// `minReadySeconds` is longer than anybody waits.
    LongMinReady {
        /// It.
        min_ready_seconds: u64,
        /// How long is waited for a pod.
        patience: u64,
        /// What the nodes that are left take at least.
        at_least: u64,
    },
    /// A percentage comes to much more than it says, because nodes are whole.
    PercentRoundsUp {
        /// Which limit.
        field: LimitField,
        /// The limit as it is written.
        written: IntOrString,
        /// DESIRED.
        desired: u32,
        /// The limit in nodes.
        limit: u32,
    },
    /// No node should run the pod.
    NoEligibleNode {
        /// How many there are.
        nodes: u32,
    },
    /// Nodes that get no pod.
    NotEligible {
        /// Every reason, those of the first node.
        exclusions: Vec<Exclusion>,
        /// They.
        places: Places,
    },
    /// Nodes that have a pod and should not.
    Misscheduled {
        /// Every reason, those of the first node.
        exclusions: Vec<Exclusion>,
        /// They.
        places: Places,
        /// Whether the pods stay until someone deletes them.
        stay: bool,
    },
    /// The stored status says something else than what is there.
    StatusBehind {
        /// DESIRED as stored.
        desired: i32,
        /// DESIRED as it is.
        desired_now: i32,
        /// Misscheduled as stored.
        misscheduled: i32,
        /// Misscheduled as it is.
        misscheduled_now: i32,
    },
    /// Another DaemonSet's selector matches these pods' labels.
    Rival {
        /// It.
        other: ObjectKey,
    },
    /// Pods of an earlier DaemonSet of the same name.
    FormerPods {
        /// They.
        places: Places,
    },
    /// Owned pods whose labels no longer match the selector: they are given up.
    ReleasedPods {
        /// They.
        places: Places,
    },
    /// Pods of a revision that is not stored.
    UnknownRevision {
        /// They.
        places: Places,
        /// The first one's `controller-revision-hash`; empty when it has none.
        hash: Text,
    },
    /// The input holds no revisions, so that old and new are told by a label alone.
    NoRevisions,
}

impl Problem {
    /// A stable word for it; for pods, that of the cause.
    pub const fn id(&self) -> &'static str {
        match self {
            Self::EmptySelector => "EmptySelector",
            Self::TemplateNotSelected => "TemplateNotSelected",
            Self::BeingDeleted { .. } => "BeingDeleted",
            Self::MalformedLimit { .. } => "MalformedLimit",
            Self::ControllerNotActing(_) => "ControllerNotActing",
            Self::SpecNotObserved { .. } => "SpecNotObserved",
            Self::CreationRefused { .. } => "CreationRefused",
            Self::NameCollision { .. } => "NameCollision",
            Self::UnavailableBudget(_) => "UnavailableBudget",
            Self::SurgeBudget(_) => "SurgeBudget",
            Self::LostNodes { .. } => "LostNodes",
            Self::WaitingForDeletion { .. } => "WaitingForDeletion",
            Self::NotAvailable { cause, .. } => cause.id(),
            Self::CountedByGeneration { .. } => "CountedByGeneration",
            Self::NothingToReplace { .. } => "NothingToReplace",
            Self::LongMinReady { .. } => "LongMinReady",
            Self::PercentRoundsUp { .. } => "PercentRoundsUp",
            Self::NoEligibleNode { .. } => "NoEligibleNode",
            Self::NotEligible { .. } => "NotEligible",
            Self::Misscheduled { .. } => "Misscheduled",
            Self::StatusBehind { .. } => "StatusBehind",
            Self::Rival { .. } => "Rival",
            Self::FormerPods { .. } => "FormerPods",
            Self::ReleasedPods { .. } => "ReleasedPods",
            Self::UnknownRevision { .. } => "UnknownRevision",
            Self::NoRevisions => "NoRevisions",
        }
    }

    /// Where it is, if it is about nodes.
    pub const fn places(&self) -> Option<&Places> {
        match self {
            Self::CreationRefused { places }
            | Self::UnavailableBudget(BudgetUse { places, .. })
            | Self::SurgeBudget(BudgetUse { places, .. })
            | Self::LostNodes { places }
            | Self::WaitingForDeletion { places, .. }
            | Self::NotAvailable { places, .. }
            | Self::CountedByGeneration { places, .. }
            | Self::NotEligible { places, .. }
            | Self::Misscheduled { places, .. }
            | Self::FormerPods { places }
            | Self::ReleasedPods { places }
            | Self::UnknownRevision { places, .. } => Some(places),
            Self::EmptySelector
            | Self::TemplateNotSelected
            | Self::BeingDeleted { .. }
            | Self::MalformedLimit { .. }
            | Self::ControllerNotActing(_)
            | Self::SpecNotObserved { .. }
            | Self::NameCollision { .. }
            | Self::NothingToReplace { .. }
            | Self::LongMinReady { .. }
            | Self::PercentRoundsUp { .. }
            | Self::NoEligibleNode { .. }
            | Self::StatusBehind { .. }
            | Self::Rival { .. }
            | Self::NoRevisions => None,
        }
    }

    /// The order among findings of equal effect, the root of the trouble first.
    pub(super) fn rank(&self) -> u8 {
        match self {
            Self::EmptySelector | Self::TemplateNotSelected | Self::BeingDeleted { .. } => 0,
            Self::ControllerNotActing(_) | Self::MalformedLimit { .. } => 1,
            Self::SpecNotObserved { .. } | Self::NameCollision { .. } | Self::CreationRefused { .. } => 2,
            Self::LostNodes { .. } | Self::WaitingForDeletion { .. } => 3,
            // What a dead node takes is given back by a larger budget; a broken pod is not mended by one.
            Self::UnavailableBudget(budget) | Self::SurgeBudget(budget) => match budget.main_user() {
                User::DeadNode | User::StuckTerminating => 4,
                User::BrokenPod | User::NoPlace | User::NoPod | User::OnItsWay => 6,
            },
            Self::NotAvailable { .. } | Self::CountedByGeneration { .. } => 5,
            Self::NoEligibleNode { .. } => 7,
            Self::LongMinReady { .. } | Self::PercentRoundsUp { .. } | Self::NothingToReplace { .. } => 8,
            Self::Misscheduled { .. } => 9,
            Self::NotEligible { .. } => 10,
            Self::StatusBehind { .. } | Self::ReleasedPods { .. } | Self::FormerPods { .. } => 11,
            Self::UnknownRevision { .. } | Self::NoRevisions | Self::Rival { .. } => 12,
        }
    }
}

impl BudgetUse {
    /// What most of its places have.
    pub fn main_user(&self) -> User {
        self.users.first().map_or(User::OnItsWay, |first| first.user)
    }
}

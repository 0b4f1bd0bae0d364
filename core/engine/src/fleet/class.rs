//! What one node means to a sync, as marks; and how many nodes bear each mark.

use crate::availability::PodFacts;
use crate::bitset::Bitset;
use crate::manage::plan_node;
use crate::rollout::{RolloutCounts, Versions, node_states, versions};
use crate::status::{StatusCounts, node_status};
use crate::target::{Standing, Target};
use crate::time::Timestamp;

/// Something that is so on a node and that decisions over the fleet rest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// Should run the pod.
    Desired,
    /// Should, and has one.
    Scheduled,
    /// Should not, and has one.
    Misscheduled,
    /// Its first pod is ready.
    Ready,
    /// Its first pod is available.
    Available,
    /// Its first pod is of the newest revision.
    Updated,
    /// Manage creates a pod here.
    Missing,
    /// Manage deletes pods here.
    Prune,
    /// Manage deletes failed pods here as their back-off allows.
    Failed,
    /// Counts against maxUnavailable.
    Unavailable,
    /// Without surge: the old pod is not available.
    ReplaceNow,
    /// Without surge: the old pod is available.
    Candidate,
    /// Counts against maxSurge.
    Surging,
    /// With surge: counts as available.
    SurgeAvailable,
    /// With surge: the old pod is not available.
    SurgeNow,
    /// With surge: the old pod is available.
    SurgeCandidate,
    /// With surge: the old pod goes at once.
    DeleteOld,
    /// With surge: the old pod goes when enough others are available.
    Sunset,
    /// With surge: the old pod is bound to a node that is gone.
    Lost,
    /// Nothing but pods that are being deleted.
    Terminating,
    /// Has a new pod that is not available.
    NewUnavailable,
    /// Has an old pod that is not being deleted.
    Outdated,
}

impl Mark {
    const ALL: [Self; 22] = [
        Self::Desired,
        Self::Scheduled,
        Self::Misscheduled,
        Self::Ready,
        Self::Available,
        Self::Updated,
        Self::Missing,
        Self::Prune,
        Self::Failed,
        Self::Unavailable,
        Self::ReplaceNow,
        Self::Candidate,
        Self::Surging,
        Self::SurgeAvailable,
        Self::SurgeNow,
        Self::SurgeCandidate,
        Self::DeleteOld,
        Self::Sunset,
        Self::Lost,
        Self::Terminating,
        Self::NewUnavailable,
        Self::Outdated,
    ];
}

/// The marks of one node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NodeClass(u32);

impl NodeClass {
    /// Whether the node bears a mark.
    pub const fn has(self, mark: Mark) -> bool {
        self.0 & (1 << mark as u32) != 0
    }

    fn set(&mut self, mark: Mark, holds: bool) {
        self.0 |= u32::from(holds) << mark as u32;
    }
}

/// Classifies one node: its standing, the pods that planning sees there in pod order, what they are judged by, the
/// time. Also says when the class may change by time alone.
pub fn classify(
    standing: Standing,
    pods: &[&PodFacts],
    target: &Target,
    now: Timestamp,
) -> (NodeClass, Option<Timestamp>) {
    let mut class = NodeClass::default();
    let first = pods.first().copied();
    let pods = pods.iter().copied();

    let status = node_status(standing, first, target, now);
    class.set(Mark::Desired, status.desired);
    class.set(Mark::Scheduled, status.scheduled);
    class.set(Mark::Misscheduled, status.misscheduled);
    class.set(Mark::Ready, status.ready);
    class.set(Mark::Available, status.available);
    class.set(Mark::Updated, status.updated);

    let plan = plan_node(standing, pods.clone(), target, now);
    class.set(Mark::Missing, plan.create);
    class.set(Mark::Prune, !plan.delete.is_empty());
    class.set(Mark::Failed, !plan.failed.is_empty());

    let versions = versions(pods.clone(), target);
    let (replace, surge) = node_states(standing, first.is_some(), versions, target, now);
    class.set(Mark::Unavailable, replace.unavailable);
    class.set(Mark::ReplaceNow, replace.replace_now);
    class.set(Mark::Candidate, replace.candidate);
    class.set(Mark::Surging, surge.surging);
    class.set(Mark::SurgeAvailable, surge.available);
    class.set(Mark::SurgeNow, surge.create_now);
    class.set(Mark::SurgeCandidate, surge.candidate);
    class.set(Mark::DeleteOld, surge.delete_old);
    class.set(Mark::Sunset, surge.sunset);
    class.set(Mark::Lost, surge.lost);

    class.set(Mark::Terminating, first.is_some() && pods.clone().all(|pod| pod.deleting));
    if let Versions::Pods { new, old } = versions {
        let is_waiting = |pod: &PodFacts| !target.availability(pod, now).available;
        class.set(Mark::NewUnavailable, new.is_some_and(is_waiting));
        class.set(Mark::Outdated, old.is_some());
    }
    let valid_until = if target.min_ready.is_zero() {
        None
    } else {
        pods.filter_map(|pod| target.availability(pod, now).valid_until).min()
    };
    (class, valid_until)
}

/// Which nodes bear which mark: all that decisions over the fleet rest on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aggregate {
    sets: [Bitset; Mark::ALL.len()],
}

impl Aggregate {
    /// The nodes that bear a mark.
    pub fn nodes(&self, mark: Mark) -> &Bitset {
        #[expect(clippy::indexing_slicing, reason = "one set for every mark")]
        &self.sets[mark as usize]
    }

    /// How many nodes bear a mark.
    pub fn count(&self, mark: Mark) -> u32 {
        self.nodes(mark).count()
    }

    /// The numbers for the status.
    pub fn status_counts(&self) -> StatusCounts {
        StatusCounts {
            desired: self.count(Mark::Desired),
            scheduled: self.count(Mark::Scheduled),
            misscheduled: self.count(Mark::Misscheduled),
            ready: self.count(Mark::Ready),
            available: self.count(Mark::Available),
            updated: self.count(Mark::Updated),
        }
    }

    /// The numbers for the rolling update.
    pub fn rollout_counts(&self) -> RolloutCounts {
        RolloutCounts {
            desired: self.count(Mark::Desired),
            unavailable: self.count(Mark::Unavailable),
            candidates: self.count(Mark::Candidate),
            surging: self.count(Mark::Surging),
            available: self.count(Mark::SurgeAvailable),
            surge_candidates: self.count(Mark::SurgeCandidate),
            sunset: self.count(Mark::Sunset),
            lost: self.count(Mark::Lost),
        }
    }

    /// Moves a node from one class to another.
    pub(super) fn reclassify(&mut self, rank: u32, before: NodeClass, after: NodeClass) {
        let mut changed = before.0 ^ after.0;
        while changed != 0 {
            let mark = changed.trailing_zeros();
            changed &= changed - 1;
            if let Some(set) = self.sets.get_mut(mark as usize) {
                if after.0 & (1 << mark) == 0 {
                    set.remove(rank);
                } else {
                    set.insert(rank);
                }
            }
        }
    }

    pub(super) fn clear(&mut self) {
        self.sets.iter_mut().for_each(Bitset::clear);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mark_has_its_own_place() {
        for (index, mark) in Mark::ALL.into_iter().enumerate() {
            assert_eq!(mark as usize, index);
        }
    }

    #[test]
    fn the_aggregate_follows_the_classes() {
        let target = Target { revision: "new".into(), ..Target::default() };
        let old = PodFacts { revision: "old".into(), ready: true, bound: true, ..PodFacts::default() };
        let now = Timestamp::from_seconds(1);
        let (with_old, _) = classify(Standing::Run, &[&old], &target, now);
        let (empty, _) = classify(Standing::Run, &[], &target, now);
        let mut aggregate = Aggregate::default();
        aggregate.reclassify(7, NodeClass::default(), with_old);
        assert_eq!(aggregate.nodes(Mark::Candidate).iter().collect::<Vec<_>>(), [7]);
        assert_eq!(aggregate.count(Mark::Unavailable), 0);
        aggregate.reclassify(7, with_old, empty);
        assert_eq!((aggregate.count(Mark::Candidate), aggregate.count(Mark::Unavailable)), (0, 1));
        assert_eq!((aggregate.count(Mark::Missing), aggregate.count(Mark::Desired)), (1, 1));
    }
}

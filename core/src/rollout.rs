//! The rolling update: new and old pods, the budgets, and how many old pods go or new ones come now.

use std::time::Duration;

use crate::api::{DaemonSet, DaemonSetSpec, IntOrString, Pod, PodTemplate, Text, UpdateStrategyType};
use crate::availability::{PodFacts, availability};
use crate::manage::Standing;
use crate::time::Timestamp;

/// What a node's pods are to become, and what they are judged by: a DaemonSet, one of its revisions, that revision's
/// template. Upstream gives every node the newest one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Target {
    /// The `controller-revision-hash` of the revision.
    pub revision: Text,
    /// The template's generation as the label `pod-template-generation` holds it; absent where the annotation is
    /// missing or no number, and for every revision but the newest.
    pub template_generation: Option<Text>,
    /// The template.
    pub template: PodTemplate,
    /// How long a pod must have been ready to be available.
    pub min_ready: Duration,
    /// Whether a node may have a second, newer pod for a while.
    pub allows_surge: bool,
}

impl Target {
    /// The newest revision of a DaemonSet, which upstream gives to every node.
    pub fn newest(daemon_set: &DaemonSet, revision: Text) -> Self {
        Self {
            revision,
            template_generation: daemon_set.template_generation().map(|generation| generation.to_string().into()),
            template: daemon_set.spec.template.clone(),
            min_ready: min_ready(&daemon_set.spec),
            allows_surge: allows_surge(&daemon_set.spec),
        }
    }

    /// Whether a pod is of this revision: by its hash, or by the template's generation (`util.IsPodUpdated`,
    /// Kubernetes 1.28 and later).
    pub fn is_updated(&self, pod: &PodFacts) -> bool {
        let by_hash = !self.revision.is_empty() && pod.revision == self.revision;
        by_hash
            || self.template_generation.as_ref().is_some_and(|generation| {
                pod.labels.get(Pod::TEMPLATE_GENERATION_LABEL).is_some_and(|label| label == generation)
            })
    }
}

/// `spec.minReadySeconds` as a length of time; negative counts as none.
pub fn min_ready(spec: &DaemonSetSpec) -> Duration {
    Duration::from_secs(u64::try_from(spec.min_ready_seconds).unwrap_or(0))
}

/// The two limits of a rolling update, resolved to counts of nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// How many nodes may have a second, newer pod.
    pub max_surge: u32,
    /// How many nodes may be without an available pod.
    pub max_unavailable: u32,
}

/// A limit that is neither a count nor a percentage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MalformedLimit(pub Text);

/// Resolves the limits against the number of nodes that should run the pod. Percentages round up; both zero with nodes
/// there makes one unavailable (`updatedDesiredNodeCounts`, Kubernetes 1.36).
pub fn budget(spec: &DaemonSetSpec, desired: u32) -> Result<Budget, MalformedLimit> {
    if spec.update_strategy.strategy_type != UpdateStrategyType::RollingUpdate {
        return Ok(Budget::default());
    }
    let limits = &spec.update_strategy.rolling_update;
    let max_surge = resolve(&limits.max_surge, desired)?;
    let max_unavailable = resolve(&limits.max_unavailable, desired)?;
    let neither = desired > 0 && max_surge == 0 && max_unavailable == 0;
    Ok(Budget { max_surge, max_unavailable: if neither { 1 } else { max_unavailable } })
}

/// Whether a node may have a second, newer pod at all (`util.AllowsSurge`, Kubernetes 1.36).
pub fn allows_surge(spec: &DaemonSetSpec) -> bool {
    budget(spec, 1).is_ok_and(|budget| budget.max_surge > 0)
}

/// A count as it is, or a percentage of `total` rounded up (`intstr.GetScaledValueFromIntOrPercent`).
pub fn resolve(limit: &IntOrString, total: u32) -> Result<u32, MalformedLimit> {
    match limit {
        IntOrString::Int(count) => Ok(u32::try_from(*count).unwrap_or(0)),
        IntOrString::String(text) => {
            let percent = text.strip_suffix('%').and_then(|digits| digits.parse::<i32>().ok());
            let percent = percent.ok_or_else(|| MalformedLimit(text.clone()))?;
            let scaled = u64::try_from(percent).unwrap_or(0).saturating_mul(u64::from(total)).div_ceil(100);
            Ok(u32::try_from(scaled).unwrap_or(u32::MAX))
        }
    }
}

/// The pods of one node by version, terminating ones left out (`findUpdatedPodsOnNode`, Kubernetes 1.36).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Versions<'a> {
    /// Two or more new ones, or two or more old ones.
    Excess,
    /// At most one of each.
    Pods {
        /// Of the target's revision.
        new: Option<&'a PodFacts>,
        /// Of any other.
        old: Option<&'a PodFacts>,
    },
}

/// Sorts the pods of a node into new and old.
pub fn versions<'a>(pods: impl Iterator<Item = &'a PodFacts>, target: &Target) -> Versions<'a> {
    let (mut new, mut old) = (None, None);
    for pod in pods.filter(|pod| !pod.deleting) {
        let slot = if target.is_updated(pod) { &mut new } else { &mut old };
        if slot.is_some() {
            return Versions::Excess;
        }
        *slot = Some(pod);
    }
    Versions::Pods { new, old }
}

/// What a node means to a rolling update without surge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReplaceState {
    /// It counts against maxUnavailable.
    pub unavailable: bool,
    /// Its old pod is not available, and goes at once.
    pub replace_now: bool,
    /// Its old pod is available, and goes when the budget allows.
    pub candidate: bool,
}

/// What a node means to a rolling update with surge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about a node, each counted by itself")]
pub struct SurgeState {
    /// It counts against maxSurge.
    pub surging: bool,
    /// It has an available pod.
    pub available: bool,
    /// Its old pod is not available: the new one comes at once.
    pub create_now: bool,
    /// Its old pod is available: the new one comes when the budget allows.
    pub candidate: bool,
    /// Its old pod goes at once.
    pub delete_old: bool,
    /// It should not run the pod, and its old one goes when enough others are available.
    pub sunset: bool,
    /// It is gone, and its old pod makes the rolling update fail.
    pub lost: bool,
}

/// Both views of one node. `has_entry` says whether any pod is there that planning sees.
pub fn node_states(
    standing: Standing,
    has_entry: bool,
    versions: Versions<'_>,
    target: &Target,
    now: Timestamp,
) -> (ReplaceState, SurgeState) {
    let mut replace = ReplaceState::default();
    let mut surge = SurgeState::default();
    if !has_entry && !standing.should_run() {
        return (replace, surge);
    }
    let Versions::Pods { new, old } = versions else {
        replace.unavailable = true;
        surge.surging = true;
        return (replace, surge);
    };
    let judge = |pod: &PodFacts| availability(pod, target.min_ready, now).available;
    let (new, old) = (new.map(judge), old.map(judge));
    match (new, old) {
        (None, None) => replace.unavailable = true,
        (Some(new), None) => {
            replace.unavailable = !new;
            surge.available = new;
        }
        (None, Some(old)) => {
            replace.unavailable = !old;
            replace.replace_now = !old;
            replace.candidate = old;
            surge.available = old;
            match (standing, old) {
                (Standing::Gone, _) => surge.lost = true,
                (Standing::Run, false) => surge.create_now = true,
                (Standing::Run, true) => surge.candidate = true,
                (Standing::KeepRunning | Standing::Exclude, false) => surge.delete_old = true,
                (Standing::KeepRunning | Standing::Exclude, true) => surge.sunset = true,
            }
        }
        (Some(new), Some(old)) => {
            replace.unavailable = true;
            surge.available = old;
            surge.surging = !new;
            surge.delete_old = new;
        }
    }
    (replace, surge)
}

/// How many nodes are in which state: all that the decisions over the fleet rest on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RolloutCounts {
    /// Nodes that should run the pod.
    pub desired: u32,
    /// [`ReplaceState::unavailable`].
    pub unavailable: u32,
    /// [`ReplaceState::candidate`].
    pub candidates: u32,
    /// [`SurgeState::surging`].
    pub surging: u32,
    /// [`SurgeState::available`].
    pub available: u32,
    /// [`SurgeState::candidate`].
    pub surge_candidates: u32,
    /// [`SurgeState::sunset`].
    pub sunset: u32,
    /// [`SurgeState::lost`].
    pub lost: u32,
}

/// What a rolling update does now; nodes marked for "now" come before the counted ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allowance {
    /// Without surge: delete all of `replace_now` and so many candidates.
    Replace {
        /// How many.
        candidates: u32,
    },
    /// With surge: create for all of `create_now` and so many candidates, delete all of `delete_old` and so many
    /// of `sunset`.
    Surge {
        /// How many creations beyond `create_now`.
        candidates: u32,
        /// How many deletions beyond `delete_old`.
        sunset: u32,
    },
    /// An old pod is bound to a node that is gone: nothing is done, and the sync fails.
    NodeLost,
}

/// Decides over the fleet (`rollingUpdate`, Kubernetes 1.36).
pub fn allowance(counts: &RolloutCounts, budget: Budget) -> Allowance {
    if budget.max_surge == 0 {
        let room = budget.max_unavailable.saturating_sub(counts.unavailable);
        return Allowance::Replace { candidates: room.min(counts.candidates) };
    }
    if counts.lost > 0 {
        return Allowance::NodeLost;
    }
    Allowance::Surge {
        candidates: budget.max_surge.saturating_sub(counts.surging).min(counts.surge_candidates),
        sunset: counts.available.saturating_sub(counts.desired).min(counts.sunset),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(rolling_update: &str) -> DaemonSetSpec {
        serde_json::from_str(&format!(r#"{{"updateStrategy":{{"rollingUpdate":{rolling_update}}}}}"#)).unwrap()
    }

    #[test]
    fn percentages_round_up_and_counts_stay() {
        let resolved = |limits: &str, desired| {
            let budget = budget(&spec(limits), desired).unwrap();
            (budget.max_surge, budget.max_unavailable)
        };
        assert_eq!(resolved(r#"{"maxUnavailable":"10%"}"#, 288), (0, 29));
        assert_eq!(resolved(r#"{"maxUnavailable":"50%"}"#, 3), (0, 2));
        assert_eq!(resolved(r#"{"maxUnavailable":7}"#, 3), (0, 7));
        assert_eq!(resolved(r#"{"maxSurge":"50%","maxUnavailable":0}"#, 2), (1, 0));
        assert_eq!(resolved(r#"{"maxSurge":"100%","maxUnavailable":0}"#, 2), (2, 0));
        assert_eq!(resolved(r#"{"maxUnavailable":0}"#, 2), (0, 1));
        assert_eq!(resolved(r#"{"maxUnavailable":"0%"}"#, 0), (0, 0));
        assert_eq!(resolved(r#"{"maxUnavailable":"10%"}"#, 0), (0, 0));
        assert_eq!(budget(&spec(r#"{"maxUnavailable":"ten"}"#), 2), Err(MalformedLimit("ten".into())));
    }

    #[test]
    fn surge_is_allowed_by_any_share_above_nothing() {
        assert!(allows_surge(&spec(r#"{"maxSurge":"1%","maxUnavailable":0}"#)));
        assert!(!allows_surge(&spec(r#"{"maxSurge":"0%","maxUnavailable":1}"#)));
        let on_delete = r#"{"updateStrategy":{"type":"OnDelete","rollingUpdate":{"maxSurge":1}}}"#;
        assert!(!allows_surge(&serde_json::from_str(on_delete).unwrap()));
    }

    #[test]
    fn a_pod_is_new_by_hash_or_by_generation() {
        let target = Target { revision: "h".into(), template_generation: Some("4".into()), ..Target::default() };
        let pod = |labels: &[(&str, &str)]| PodFacts {
            labels: labels.iter().copied().collect(),
            revision: labels
                .iter()
                .find(|(key, _)| *key == Pod::REVISION_HASH_LABEL)
                .map(|(_, value)| Text::new(value))
                .unwrap_or_default(),
            ..PodFacts::default()
        };
        let (hash, generation) = (Pod::REVISION_HASH_LABEL, Pod::TEMPLATE_GENERATION_LABEL);
        assert!(target.is_updated(&pod(&[(hash, "h"), (generation, "4")])));
        assert!(target.is_updated(&pod(&[(hash, "other"), (generation, "4")])));
        assert!(target.is_updated(&pod(&[(generation, "4")])));
        assert!(target.is_updated(&pod(&[(hash, "h"), (generation, "3")])));
        assert!(!target.is_updated(&pod(&[(hash, "other"), (generation, "3")])));
        assert!(!target.is_updated(&pod(&[])));
        assert!(!Target::default().is_updated(&pod(&[])));
    }

    #[test]
    fn the_allowance_is_what_the_budget_leaves() {
        let counts = RolloutCounts { desired: 10, unavailable: 2, candidates: 5, ..RolloutCounts::default() };
        let replace = |max_unavailable| allowance(&counts, Budget { max_surge: 0, max_unavailable });
        assert_eq!(replace(1), Allowance::Replace { candidates: 0 });
        assert_eq!(replace(4), Allowance::Replace { candidates: 2 });
        assert_eq!(replace(40), Allowance::Replace { candidates: 5 });
        let counts = RolloutCounts {
            desired: 10,
            available: 11,
            surging: 1,
            surge_candidates: 5,
            sunset: 3,
            ..RolloutCounts::default()
        };
        let surge = allowance(&counts, Budget { max_surge: 3, max_unavailable: 0 });
        assert_eq!(surge, Allowance::Surge { candidates: 2, sunset: 1 });
    }
}

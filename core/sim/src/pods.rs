use std::num::NonZeroU16;
use std::sync::Arc;
use std::time::Duration;

use rollcast_engine::KubernetesVersion;
use rollcast_engine::api::{
    Affinity, Condition, ConditionStatus, Labels, NodeAffinity, NodeSelector, NodeSelectorRequirement,
    NodeSelectorTerm, OwnerReference, Pod, PodPhase, PodSpec, Text,
};
use rollcast_engine::fleet::{PodLife, Slot};
use rollcast_engine::order::sort_by_text;
use rollcast_engine::scheduling::PodDemand;
use rollcast_engine::text::same;
use rollcast_engine::time::Timestamp;

/// Stands for "no pod" in links between pods.
pub(crate) const NO_POD: u32 = u32::MAX;

/// A pod of the DaemonSet, or one that could become so, as the world keeps it: only what differs between pods.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about one pod")]
pub(crate) struct PodState {
    pub name: Text,
    pub uid: Text,
    /// Number of the node it is bound or pinned to.
    pub node: u32,
    /// Index of its [`Make`].
    pub make: u32,
    /// The next pod of the same node, or [`NO_POD`].
    pub next: u32,
    /// Rises when the place is given to another pod.
    pub generation: u32,
    /// Where the controller's index has it, once it was shown.
    pub indexed_at: Slot,
    pub created: Option<Timestamp>,
    /// Since when it has been ready, or not.
    pub ready_since: Option<Timestamp>,
    /// When it was due to be gone, once it is deleted.
    pub deleted: Option<Timestamp>,
    pub phase: PodPhase,
    pub bound: bool,
    pub ready: bool,
    /// Ready for `minReadySeconds`.
    pub available: bool,
    /// Whether its containers were up when its node was last heard of.
    pub started: bool,
    /// Never goes by itself once deleted.
    pub wedged: bool,
    /// Becomes ready only when someone says so.
    pub never_ready: bool,
    pub attempt: Attempt,
}

/// How its kubelet has fared with a pod.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Attempt {
    /// Number of the present run: what was to come of earlier ones no longer does.
    pub run: u16,
    /// How often the containers were started again.
    pub restarts: u16,
    /// A number from 1 to 1,000 that says for which behaviours it is chosen; absent until it is asked for.
    pub lot: Option<NonZeroU16>,
    /// How often a pull or a start was tried again; the delays grow with it.
    pub tries: u8,
    pub wait: Wait,
    /// Whether the scheduler is going to look at it.
    pub is_queued: bool,
}

/// What a pod's containers wait for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Wait {
    /// They run, or did.
    #[default]
    Nothing,
    /// An image that is being pulled.
    ContainerCreating,
    /// The next try to pull an image.
    ImagePullBackOff,
    /// The next start after a crash.
    CrashLoopBackOff,
}

impl Wait {
    /// The kubelet's word, as kubectl shows it; empty for nothing.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Nothing => "",
            Self::ContainerCreating => "ContainerCreating",
            Self::ImagePullBackOff => "ImagePullBackOff",
            Self::CrashLoopBackOff => "CrashLoopBackOff",
        }
    }

    /// Whether it is an image that is waited for.
    pub const fn is_for_image(self) -> bool {
        matches!(self, Self::ContainerCreating | Self::ImagePullBackOff)
    }

    /// Whether it is the time of the next try that is waited for.
    pub const fn is_back_off(self) -> bool {
        matches!(self, Self::ImagePullBackOff | Self::CrashLoopBackOff)
    }
}

impl PodState {
    pub fn is_live(&self) -> bool {
        self.deleted.is_none()
    }

    pub fn is_terminal(&self) -> bool {
        matches!(self.phase, PodPhase::Failed | PodPhase::Succeeded)
    }

    /// What the controller sees change once the pod is bound.
    pub fn life(&self) -> PodLife {
        PodLife {
            phase: self.phase,
            ready: self.ready,
            ready_transition: self.ready_since,
            deleting: self.deleted.is_some(),
        }
    }
}

/// What many pods have in common: the DaemonSet version they were made from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Make {
    pub namespace: Text,
    pub labels: Labels,
    pub owners: Vec<OwnerReference>,
    /// What was asked for, without the node.
    pub spec: PodSpec,
}

/// Pods of one make.
#[derive(Debug)]
struct Kind {
    make: Make,
    /// What one of them takes up.
    demand: PodDemand,
}

/// A pod, and which one of those that had its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PodRef {
    pub slot: u32,
    pub generation: u32,
}

/// The pods of the world, in reusable places.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pods {
    places: Vec<Option<PodState>>,
    generations: Vec<u32>,
    free: Vec<u32>,
    /// By make; shared with clones of the world.
    kinds: Vec<Arc<Kind>>,
    /// UIDs that this world did not give, sorted, with where their pods are.
    foreign_uids: Vec<(Text, PodRef)>,
    foreign_uids_sorted: bool,
}

/// How many makes are compared before an equal one is stored again.
const MAKES_COMPARED: usize = 16;

impl Pods {
    /// Stores a pod; an empty UID is filled in with one of this world.
    pub fn insert(&mut self, mut pod: PodState) -> PodRef {
        let free = self.free.pop();
        let slot = free.unwrap_or_else(|| {
            self.generations.push(0);
            number(self.places.len())
        });
        let generation = self.generations.get(index(slot)).copied().unwrap_or_default();
        let reference = PodRef { slot, generation };
        if pod.uid.is_empty() {
            pod.uid = uid(reference);
        } else {
            self.foreign_uids.push((pod.uid.clone(), reference));
            self.foreign_uids_sorted = false;
        }
        pod.generation = generation;
        match free.and_then(|slot| self.places.get_mut(index(slot))) {
            Some(place) => *place = Some(pod),
            None => self.places.push(Some(pod)),
        }
        reference
    }

    pub fn remove(&mut self, slot: u32) -> Option<PodState> {
        let pod = self.places.get_mut(index(slot))?.take()?;
        if let Some(generation) = self.generations.get_mut(index(slot)) {
            *generation = generation.wrapping_add(1);
        }
        self.free.push(slot);
        Some(pod)
    }

    pub fn get(&self, slot: u32) -> Option<&PodState> {
        self.places.get(index(slot))?.as_ref()
    }

    pub fn get_mut(&mut self, slot: u32) -> Option<&mut PodState> {
        self.places.get_mut(index(slot))?.as_mut()
    }

    /// The place of a pod that may be gone meanwhile.
    pub fn resolve(&self, reference: PodRef) -> Option<u32> {
        let pod = self.get(reference.slot)?;
        (pod.generation == reference.generation).then_some(reference.slot)
    }

    /// The places of all pods, ascending.
    pub fn slots(&self) -> impl Iterator<Item = u32> + use<> {
        0..self.end()
    }

    /// The number behind the last place.
    pub fn end(&self) -> u32 {
        number(self.places.len())
    }

    /// The places of such pods, ascending.
    pub fn slots_of(&self, such: &dyn Fn(&PodState) -> bool) -> Vec<u32> {
        self.iter().filter(|(_, pod)| such(pod)).map(|(slot, _)| slot).collect()
    }

    pub fn iter(&self) -> impl Iterator<Item = (u32, &PodState)> {
        (0..).zip(&self.places).filter_map(|(slot, pod)| Some((slot, pod.as_ref()?)))
    }

    /// Where the pod with a UID is, wherever it runs.
    pub fn find(&mut self, wanted: &str) -> Option<u32> {
        let own = parse_uid(wanted).and_then(|reference| self.resolve(reference));
        let own = own.filter(|&slot| self.get(slot).is_some_and(|pod| same(&pod.uid, wanted)));
        if own.is_some() {
            return own;
        }
        if !self.foreign_uids_sorted {
            sort_by_text(&mut self.foreign_uids, |(uid, _)| uid);
            self.foreign_uids_sorted = true;
        }
        let place = self.foreign_uids.binary_search_by(|(uid, _)| uid.as_str().cmp(wanted)).ok()?;
        self.foreign_uids.get(place).and_then(|(_, reference)| self.resolve(*reference))
    }

    pub fn make(&self, make: u32) -> Option<&Make> {
        Some(&self.kinds.get(index(make))?.make)
    }

    /// What pods of a make take up on a node.
    pub fn demand(&self, make: u32) -> Option<&PodDemand> {
        Some(&self.kinds.get(index(make))?.demand)
    }

    pub fn makes(&self) -> impl Iterator<Item = &Make> {
        self.kinds.iter().map(|kind| &kind.make)
    }

    /// The number of a make, stored when it is new, with what its pods take up in this release.
    pub fn intern(&mut self, make: Make, version: KubernetesVersion) -> u32 {
        let known = self.kinds.iter().rev().take(MAKES_COMPARED).position(|known| known.make == make);
        if let Some(back) = known {
            return number(self.kinds.len() - 1 - back);
        }
        let demand = PodDemand::of(&make.spec, version);
        self.kinds.push(Arc::new(Kind { make, demand }));
        number(self.kinds.len() - 1)
    }

    /// How long a pod may take to end: its deletion timestamp lies that far ahead of its deletion.
    pub fn grace(&self, pod: &PodState) -> Duration {
        const DEFAULT_SECONDS: i64 = 30;
        let seconds = self.make(pod.make).and_then(|make| make.spec.termination_grace_period_seconds);
        Duration::from_secs(u64::try_from(seconds.unwrap_or(DEFAULT_SECONDS)).unwrap_or_default())
    }

    /// The object that the API server has, with everything that rules read.
    pub fn object(&self, pod: &PodState, node: &Text) -> Pod {
        let mut shown = Shown::default();
        shown.of(self, pod, node);
        let mut object = shown.object;
        if let Some(make) = self.make(pod.make) {
            let placed = std::mem::replace(&mut object.spec, make.spec.clone());
            object.spec.node_name = placed.node_name;
            object.spec.affinity.node_affinity = placed.affinity.node_affinity;
        }
        object
    }
}

/// A pod object that is filled again and again: what watchers keep of it, so that containers and the like are left out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shown {
    object: Pod,
    make: Option<u32>,
}

impl Shown {
    /// The object of a pod.
    pub fn of(&mut self, pods: &Pods, pod: &PodState, node: &Text) -> &Pod {
        let Pod { metadata, spec, status } = &mut self.object;
        if self.make != Some(pod.make) {
            self.make = Some(pod.make);
            if let Some(make) = pods.make(pod.make) {
                metadata.namespace.clone_from(&make.namespace);
                metadata.labels.clone_from(&make.labels);
                #[expect(clippy::assigning_clones, reason = "seldom done: filling in the old list is code of its own")]
                {
                    metadata.owner_references = make.owners.clone();
                }
            }
        }
        metadata.name.clone_from(&pod.name);
        metadata.uid.clone_from(&pod.uid);
        metadata.creation_timestamp = pod.created;
        metadata.deletion_timestamp = pod.deleted;
        if pod.bound {
            spec.node_name.clone_from(node);
            spec.affinity.node_affinity.required = None;
        } else {
            spec.node_name = Text::default();
            spec.affinity = pin(node);
        }
        status.phase = pod.phase;
        // A pod that was never ready needs no condition to say so.
        status.conditions.truncate(usize::from(pod.ready || pod.ready_since.is_some()));
        if pod.ready || pod.ready_since.is_some() {
            if status.conditions.is_empty() {
                status.conditions.push(Condition { condition_type: Text::new_static("Ready"), ..Condition::default() });
            }
            for condition in &mut status.conditions {
                condition.status = if pod.ready { ConditionStatus::True } else { ConditionStatus::False };
                condition.last_transition_time = pod.ready_since;
            }
        }
        &self.object
    }
}

/// What pods of all nodes ask for alike.
pub(crate) fn without_node(mut spec: PodSpec) -> PodSpec {
    spec.node_name = Text::default();
    spec.affinity.node_affinity = NodeAffinity::default();
    spec
}

/// The affinity by which a pod is pinned to a node.
pub(crate) fn pin(node: &Text) -> Affinity {
    let requirement = NodeSelectorRequirement {
        key: Text::new_static("metadata.name"),
        operator: Text::new_static("In"),
        values: vec![node.clone()],
    };
    let term = NodeSelectorTerm { match_fields: vec![requirement], ..NodeSelectorTerm::default() };
    let required = Some(NodeSelector { node_selector_terms: vec![term] });
    Affinity { node_affinity: NodeAffinity { required }, ..Affinity::default() }
}

const UID_DIGITS: usize = 8;

/// A UID that says where the pod is: eight hexadecimal digits each for generation and place.
fn uid(reference: PodRef) -> Text {
    const HEXADECIMAL: &[u8; 16] = b"0123456789abcdef";
    let mut text = [b'-'; 2 * UID_DIGITS + 1];
    for (start, number) in [(0, reference.generation), (UID_DIGITS + 1, reference.slot)] {
        let shifts = (0..32).step_by(4).rev();
        for (digit, shift) in text.iter_mut().skip(start).zip(shifts) {
            *digit = HEXADECIMAL.get(index(number >> shift & 15)).copied().unwrap_or_default();
        }
    }
    std::str::from_utf8(&text).map(Text::new).unwrap_or_default()
}

fn parse_uid(text: &str) -> Option<PodRef> {
    let (generation, slot) = text.split_once('-')?;
    let number = |digits: &str| (digits.len() == UID_DIGITS).then(|| u32::from_str_radix(digits, 16).ok())?;
    Some(PodRef { generation: number(generation)?, slot: number(slot)? })
}

pub(crate) fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

pub(crate) fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uid_leads_back_to_its_pod() {
        let reference = PodRef { slot: 0x12_abcd, generation: 7 };
        assert_eq!(uid(reference), "00000007-0012abcd");
        assert_eq!(parse_uid(&uid(reference)), Some(reference));
        assert_eq!(parse_uid("6c1f2b5e-0000-0000"), None);
    }
}

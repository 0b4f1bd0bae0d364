use std::sync::Arc;

use rollcast_engine::KubernetesVersion;
use rollcast_engine::api::{ConditionStatus, Node, Pod, Text};
use rollcast_engine::order::sort_by_text;
use rollcast_engine::placement::Eligibility;
use rollcast_engine::scheduling::{NodeUsage, ResourceTotals};
use rollcast_engine::slot_index::{SlotIndex, hash_of};
use rollcast_engine::text::same;
use rollcast_engine::time::Timestamp;

use crate::pods::{NO_POD, index, number};
use crate::{Behaviour, Tile};

/// A node as the world keeps it, and what is on it.
#[derive(Clone, Debug)]
pub(crate) struct NodeState {
    pub name: Text,
    object: Option<Arc<Node>>,
    /// What only some nodes have; shared with clones of the world until it changes.
    particulars: Option<Arc<Particulars>>,
    /// The first of its pods that are kept in `Pods`, or `NO_POD`.
    pub first_pod: u32,
    /// How many times were drawn for it.
    pub draws: u32,
    /// Since when an eligible node has been without an available pod.
    pub gap_since: Option<Timestamp>,
    pub eligibility: Eligibility,
    health: Health,
    pub tile: Tile,
    /// Whether something about it changed in this moment.
    pub touched: bool,
}

/// What only some nodes have.
#[derive(Clone, Debug, Default)]
struct Particulars {
    /// Its other pods: they take up room.
    others: Vec<Pod>,
    /// What those take up.
    usage: NodeUsage,
    /// What becomes of pods made for it, where that differs from the rest of the cluster.
    behaviour: Option<Behaviour>,
    /// How many lots of pods were drawn for it.
    lots: u32,
    /// Until when no pod on it becomes ready.
    unready_until: Option<Timestamp>,
    /// When it is up again after a reboot; absent while it runs.
    down_until: Option<Timestamp>,
    /// Rises when evictions that were planned are called off.
    evictions: u16,
}

static UNUSED: NodeUsage = NodeUsage {
    pods: 0,
    requested: ResourceTotals { milli_cpu: 0, memory: 0, ephemeral_storage: 0, others: Vec::new() },
    host_ports: Vec::new(),
};

/// Whether a node's kubelet does what it is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Health {
    /// Pods start and stop.
    Ready,
    /// Pods stop, and those that do not use the node's own network never become ready.
    NotReady,
    /// Nobody answers: pods neither start nor go.
    Dead,
}

impl NodeState {
    pub fn new(name: Text, object: Option<Arc<Node>>) -> Self {
        Self {
            name,
            health: health_of(object.as_deref()),
            object,
            particulars: None,
            first_pod: NO_POD,
            draws: 0,
            gap_since: None,
            eligibility: Eligibility::default(),
            tile: Tile::Gone,
            touched: false,
        }
    }

    /// The object; absent when there is no such node (any more) and pods still name it.
    pub fn object(&self) -> Option<&Arc<Node>> {
        self.object.as_ref()
    }

    pub fn set_object(&mut self, object: Option<Arc<Node>>) {
        self.object = object;
        self.look_at_health();
    }

    fn look_at_health(&mut self) {
        let is_down = self.down_until().is_some();
        self.health = if is_down { Health::Dead } else { health_of(self.object.as_deref()) };
    }

    pub fn health(&self) -> Health {
        self.health
    }

    fn particulars_mut(&mut self) -> &mut Particulars {
        Arc::make_mut(self.particulars.get_or_insert_default())
    }

    /// Its pods that are not kept in `Pods`: they take up room.
    pub fn others(&self) -> &[Pod] {
        self.particulars.as_ref().map_or(&[], |particulars| &particulars.others)
    }

    /// What those take up.
    pub fn usage(&self) -> &NodeUsage {
        self.particulars.as_ref().map_or(&UNUSED, |particulars| &particulars.usage)
    }

    /// Puts one of them on the node.
    pub fn add_other(&mut self, pod: Pod) {
        self.particulars_mut().others.push(pod);
    }

    /// Works out what they take up as this release counts it, after the last of them was added.
    pub fn add_up_others(&mut self, version: KubernetesVersion) {
        if let Some(particulars) = self.particulars.as_mut().map(Arc::make_mut) {
            particulars.usage = NodeUsage::of(&self.name, &particulars.others, version);
        }
    }

    /// Takes some of them from the node.
    pub fn remove_others(&mut self, version: KubernetesVersion, mut such: impl FnMut(&Pod) -> bool) {
        if let Some(particulars) = self.particulars.as_mut().map(Arc::make_mut) {
            particulars.others.retain(|pod| !such(pod));
        }
        self.add_up_others(version);
    }

    /// The number of the next lot that is drawn for one of its pods.
    pub fn next_lot(&mut self) -> u32 {
        let lots = &mut self.particulars_mut().lots;
        let next = *lots;
        *lots = next.wrapping_add(1);
        next
    }

    /// Until when no pod on it becomes ready.
    pub fn unready_until(&self) -> Option<Timestamp> {
        self.particulars.as_ref()?.unready_until
    }

    pub fn set_unready_until(&mut self, until: Option<Timestamp>) {
        if until != self.unready_until() {
            self.particulars_mut().unready_until = until;
        }
    }

    /// When it is up again after a reboot; absent while it runs.
    pub fn down_until(&self) -> Option<Timestamp> {
        self.particulars.as_ref()?.down_until
    }

    pub fn set_down_until(&mut self, until: Option<Timestamp>) {
        if until != self.down_until() {
            self.particulars_mut().down_until = until;
            self.look_at_health();
        }
    }

    /// How often evictions that were planned on it were called off.
    pub fn evictions(&self) -> u16 {
        self.particulars.as_ref().map_or(0, |particulars| particulars.evictions)
    }

    pub fn call_off_evictions(&mut self) {
        let evictions = &mut self.particulars_mut().evictions;
        *evictions = evictions.wrapping_add(1);
    }

    /// What becomes of pods made for it, where that differs from the rest of the cluster.
    pub fn behaviour(&self) -> Option<&Behaviour> {
        self.particulars.as_ref()?.behaviour.as_ref()
    }

    pub fn set_behaviour(&mut self, behaviour: Option<Behaviour>) {
        if behaviour.is_some() || self.behaviour().is_some() {
            self.particulars_mut().behaviour = behaviour;
        }
    }
}

/// Read from the `Ready` condition; a node without one, as a person writes it, is ready.
fn health_of(object: Option<&Node>) -> Health {
    let Some(node) = object else { return Health::Dead };
    let mut conditions = node.status.conditions.iter();
    match conditions.find(|condition| condition.condition_type == "Ready").map(|condition| condition.status) {
        None | Some(ConditionStatus::True) => Health::Ready,
        Some(ConditionStatus::False) => Health::NotReady,
        Some(ConditionStatus::Unknown) => Health::Dead,
    }
}

/// The nodes by number: in order of their names at the start, later ones at the end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nodes {
    list: Vec<NodeState>,
    by_name: SlotIndex,
    /// The node that was found last: the controller names nodes in order, so that the next one is often the one wanted
    /// next.
    last_found: u32,
    /// The node that something happened to last: often the one that something is decided about next.
    recent: u32,
}

impl Nodes {
    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn get(&self, node: u32) -> Option<&NodeState> {
        self.list.get(index(node))
    }

    /// Notes that something happened to a node.
    pub fn note(&mut self, node: u32) {
        self.recent = node;
    }

    pub fn get_mut(&mut self, node: u32) -> Option<&mut NodeState> {
        self.list.get_mut(index(node))
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = &NodeState> {
        self.list.iter()
    }

    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = &mut NodeState> {
        self.list.iter_mut()
    }

    pub fn numbers(&self) -> impl Iterator<Item = u32> + use<> {
        0..number(self.list.len())
    }

    /// Replaces all nodes; of equal names the last one counts.
    pub fn fill(&mut self, mut list: Vec<NodeState>) {
        sort_by_text(&mut list, |node| &node.name);
        list.dedup_by(|later, earlier| {
            let same = later.name == earlier.name;
            if same {
                std::mem::swap(later, earlier);
            }
            same
        });
        self.by_name.clear();
        for (node, state) in (0..).zip(&list) {
            self.by_name.insert(hash_of(&[&state.name]), node);
        }
        self.list = list;
    }

    /// The number of a node.
    pub fn find(&mut self, name: &str) -> Option<u32> {
        let is_it = |node: u32| self.get(node).is_some_and(|state| same(&state.name, name));
        if is_it(self.recent) {
            return Some(self.recent);
        }
        let near = [self.last_found.wrapping_add(1), self.last_found].into_iter().find(|&node| is_it(node));
        let node = near.or_else(|| self.by_name.find(hash_of(&[name]), is_it))?;
        self.last_found = node;
        Some(node)
    }

    /// The number of a node, which joins when there is none of that name.
    pub fn find_or_add(&mut self, name: &Text) -> u32 {
        if let Some(node) = self.find(name) {
            return node;
        }
        let node = number(self.list.len());
        self.list.push(NodeState::new(name.clone(), None));
        self.by_name.insert(hash_of(&[name]), node);
        node
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_found_by_name_in_any_order_and_later_ones_keep_the_numbers_of_the_others() {
        let mut nodes = Nodes::default();
        nodes.fill(["c", "a", "b", "a"].map(|name| NodeState::new(name.into(), None)).to_vec());
        assert_eq!(nodes.len(), 3);
        assert_eq!(["a", "b", "c"].map(|name| nodes.find(name)), [Some(0), Some(1), Some(2)]);
        assert_eq!(["c", "a", "z"].map(|name| nodes.find(name)), [Some(2), Some(0), None]);
        assert_eq!(nodes.find_or_add(&"aa".into()), 3);
        assert_eq!(["aa", "b", "c"].map(|name| nodes.find(name)), [Some(3), Some(1), Some(2)]);
    }
}

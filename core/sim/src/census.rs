//! Which pods there are, whose they are, and how many of which kind.

use rollcast_engine::api::Pod;

use crate::World;
use crate::measures::Requested;
use crate::pods::{Make, NO_POD, PodRef, PodState, index, number};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Class {
    pub owned: bool,
    pub new: bool,
    /// What one pod requests.
    pub requests: Requested,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PodClass {
    OldAvailable,
    OldUnavailable,
    NewAvailable,
    NewUnavailable,
    Terminating,
}

impl World {
    /// Adds a pod to its node and to the counts.
    pub(crate) fn add_pod(&mut self, mut pod: PodState) -> PodRef {
        let node = pod.node;
        pod.next = self.nodes.get(node).map_or(NO_POD, |state| state.first_pod);
        let reference = self.pods.insert(pod);
        if let Some(state) = self.nodes.get_mut(node) {
            state.first_pod = reference.slot;
        }
        self.count(reference.slot, 1);
        self.touch(node);
        reference
    }

    /// Takes a pod out of its node and the counts.
    pub(crate) fn take_out(&mut self, slot: u32) -> Option<PodState> {
        self.count(slot, u32::MAX);
        let node = self.pods.get(slot)?.node;
        let before = self.pods_on(node).find(|&other| self.pods.get(other).is_some_and(|pod| pod.next == slot));
        let removed = self.pods.remove(slot)?;
        let link = match before {
            Some(before) => self.pods.get_mut(before).map(|pod| &mut pod.next),
            None => self.nodes.get_mut(node).map(|state| &mut state.first_pod),
        };
        if let Some(link) = link {
            *link = removed.next;
        }
        self.touch(node);
        Some(removed)
    }

    /// Changes a pod, and the counts with it.
    pub(crate) fn change_pod(&mut self, slot: u32, change: impl FnOnce(&mut PodState)) {
        if let Some(pod) = self.discounted(slot) {
            change(pod);
            self.count_changed(slot);
        }
    }

    // What every change has in common is kept out of the many places where pods are changed.

    /// A pod that is about to change, and counts no more.
    #[inline(never)]
    fn discounted(&mut self, slot: u32) -> Option<&mut PodState> {
        self.count(slot, u32::MAX);
        self.pods.get_mut(slot)
    }

    /// A pod has changed, and counts as what it is now.
    #[inline(never)]
    fn count_changed(&mut self, slot: u32) {
        self.count(slot, 1);
        if let Some(node) = self.pods.get(slot).map(|pod| pod.node) {
            self.touch(node);
        }
    }

    /// Adds a step, modulo 2^32, to the count that a pod belongs to.
    fn count(&mut self, slot: u32, step: u32) {
        let Some(pod) = self.pods.get(slot) else { return };
        let class = self.class(pod.make);
        if !class.owned {
            return;
        }
        if pod.bound && !pod.is_terminal() {
            self.requested.count(class.requests, step == 1);
        }
        let class = match (pod.is_live(), class.new, pod.available) {
            (false, ..) => PodClass::Terminating,
            (true, false, true) => PodClass::OldAvailable,
            (true, false, false) => PodClass::OldUnavailable,
            (true, true, true) => PodClass::NewAvailable,
            (true, true, false) => PodClass::NewUnavailable,
        };
        if let Some(count) = self.counts.get_mut(class as usize) {
            *count = count.wrapping_add(step);
        }
    }

    /// The number of a make, classed when it is new.
    pub(crate) fn intern(&mut self, make: Make) -> u32 {
        let make = self.pods.intern(make, self.options.version);
        while let Some(unclassed) = self.pods.make(number(self.classes.len())) {
            self.classes.push(self.class_of(unclassed, number(self.classes.len())));
        }
        make
    }

    pub(crate) fn class(&self, make: u32) -> Class {
        self.classes.get(index(make)).copied().unwrap_or_default()
    }

    /// Whether pods of a make are controlled by the DaemonSet that is played.
    pub(crate) fn owns(&self, make: u32) -> bool {
        self.class(make).owned
    }

    /// New is: of the current hash, or of the template's generation (semantics of upstream's `isPodUpdated`).
    fn class_of(&self, make: &Make, number: u32) -> Class {
        let Some(daemon_set) = self.daemon_set.as_deref() else { return Class::default() };
        let mut owners = make.owners.iter().filter(|owner| owner.controller);
        let owned = owners.next().is_some_and(|owner| owner.uid == daemon_set.metadata.uid);
        let hash = make.labels.get(Pod::REVISION_HASH_LABEL);
        let made_at = make.labels.get(Pod::TEMPLATE_GENERATION_LABEL);
        let generation = daemon_set.template_generation().map(|generation| generation.to_string());
        let new = hash.is_some_and(|hash| !hash.is_empty() && *hash == self.current)
            || made_at.is_some_and(|made_at| generation.is_some_and(|generation| *made_at == generation));
        let requests = self.pods.demand(number).map(|demand| &demand.requests);
        let amount = |amount: i64| u64::try_from(amount).unwrap_or_default();
        let requests = requests.map_or(Requested::default(), |requests| Requested {
            cpu_millis: amount(requests.milli_cpu),
            memory_bytes: amount(requests.memory),
        });
        Class { owned, new, requests }
    }

    /// What is new has changed: classes and counts are made anew.
    pub(crate) fn classify(&mut self) {
        self.made = None;
        let classes: Vec<Class> =
            (0..).zip(self.pods.makes()).map(|(number, make)| self.class_of(make, number)).collect();
        if classes == self.classes {
            return;
        }
        self.classes = classes;
        self.counts = [0; 5];
        self.requested = Requested::default();
        for slot in self.pods.slots() {
            self.count(slot, 1);
        }
        for node in self.nodes.numbers() {
            self.touch(node);
        }
    }
}

use std::sync::Arc;
use std::time::Duration;

use rollcast_engine::api::{ControllerRevision, DaemonSet, Node, ObjectKey, Pod, Text};
use rollcast_engine::controller::{Controller, Snapshot};
use rollcast_engine::placement::{Eligibility, PlacementRules, eligibility, target_node_of};
use rollcast_engine::scheduling::PodAffinityState;
use rollcast_engine::target::min_ready;
use rollcast_engine::time::Timestamp;

use crate::census::Class;
use crate::commands::ByHand;
use crate::control_plane::{Traffic, Write};
use crate::images::Pulls;
use crate::measures::{Meter, Requested};
use crate::moments::Tally;
use crate::nodes::Nodes;
use crate::pods::{Attempt, Make, NO_POD, PodRef, PodState, Pods, Shown, without_node};
use crate::queue::Queue;
use crate::room::{LastFit, Reach};
use crate::timeline::Recorder;
use crate::{Behaviour, Building, Ending, EventRefusal, Options, ScenarioEvent, Summary, Tile, Timeline};

/// A cluster with one DaemonSet that is played around the very controller that runs in a real one.
///
/// The world is ideal unless [`Options`] or a [`ScenarioEvent`] say otherwise: the API server answers at once, what was
/// written is seen at once, images are there, and pods start and stop after the times that are stated. Within a moment
/// the controller syncs until a sync does nothing; then time moves on to the next thing that happens.
///
/// Other workloads do what they are told: their pods take up room, and come and go by events. Nothing is preempted.
#[derive(Clone, Debug)]
pub struct World {
    pub(crate) options: Options,
    pub(crate) now: Timestamp,
    pub(crate) controller: Controller,
    /// The DaemonSet that is played, whether or not it exists.
    pub(crate) key: ObjectKey,
    pub(crate) daemon_set: Option<Box<DaemonSet>>,
    pub(crate) revisions: Vec<ControllerRevision>,
    // What is put in place of these, and never changed, is shared with clones.
    pub(crate) rules: Option<Arc<PlacementRules>>,
    pub(crate) nodes: Nodes,
    pub(crate) pods: Pods,
    /// What becomes of pods where no node says otherwise.
    pub(crate) behaviour: Option<Behaviour>,
    pub(crate) queue: Queue<Event>,
    pub(crate) recorder: Recorder,
    pub(crate) refusals: Vec<(Duration, EventRefusal)>,
    /// What other workloads' pods mean for this one's affinity to pods; absent until it is asked for.
    pub(crate) others: Option<Arc<PodAffinityState>>,
    /// Which of its own pods that affinity can see.
    pub(crate) reach: Reach,
    /// The scheduler's last answer, as long as the template stays.
    pub(crate) last_fit: Option<Arc<LastFit>>,
    /// The pod that was shown to the controller last, for its memory.
    pub(crate) shown: Shown,
    /// The last revision that pods were made from, and their make.
    pub(crate) made: Option<(Text, u32)>,
    /// How many objects other than pods got their UID here.
    pub(crate) uids: u32,
    /// The `controller-revision-hash` of the newest revision; empty when none is known.
    pub(crate) current: Text,
    /// Per make of pods: whose they are, and whether they are new.
    pub(crate) classes: Vec<Class>,
    /// Pods by class: old available, old unavailable, new available, new unavailable, terminating.
    pub(crate) counts: [u32; 5],
    /// Nodes by tile.
    pub(crate) tiles: [u32; Tile::ALL.len()],
    /// Nodes about which something changed in this moment.
    pub(crate) touched: Vec<u32>,
    pub(crate) wake_at: Option<Timestamp>,
    /// Syncs of this moment that changed nothing.
    pub(crate) idle_syncs: u32,
    pub(crate) tally: Tally,
    pub(crate) meter: Meter,
    /// What the DaemonSet's pods on nodes request now.
    pub(crate) requested: Requested,
    /// Which nodes hold which images, and pulls under way; absent as long as nothing has to be pulled.
    pub(crate) pulls: Option<Box<Pulls>>,
    /// How often the controller was started anew.
    pub(crate) starts: u32,
    pub(crate) is_controller_down: bool,
    pub(crate) by_hand: ByHand,
    /// What is under way between controller and API server; absent as long as no time passes there.
    pub(crate) traffic: Option<Box<Traffic>>,
}

/// What is going to happen by itself, or was planned.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// A pod's containers are up, if they still are in that run.
    Ready { pod: PodRef, run: u16 },
    /// A pod has been ready for `minReadySeconds`.
    Available(PodRef),
    /// A pod's containers have stopped.
    Gone(PodRef),
    /// A pod fails.
    Fails(PodRef),
    /// A pod's containers end.
    Crash { pod: PodRef, run: u16 },
    /// A pod's pulls, or its containers' start, are tried again.
    TryAgain { pod: PodRef, run: u16 },
    /// A pod no longer bears its node's taints, unless evictions were called off since.
    Evict { pod: PodRef, evictions: u16 },
    /// A node that is down is noticed.
    NodeLost(u32),
    /// A node is up again.
    NodeBoots(u32),
    /// A new controller starts, unless there was yet another end.
    ControllerStarts(u32),
    /// A write of the controller reaches the API server.
    Write(Arc<Write>),
    /// The scheduler looks at a pod.
    Schedule(PodRef),
    /// The pods of a node that no longer exists are cleaned up.
    Collect(u32),
    /// Something from outside.
    Outside(Arc<ScenarioEvent>),
}

/// How far a play has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Eligible nodes with an available new pod.
    pub done: u32,
    /// Eligible nodes.
    pub total: u32,
    /// Whether the play goes on: what can be read so far is a part of it.
    pub partial: bool,
}

/// A pod of a world, by reference.
#[derive(Clone, Copy, Debug)]
pub struct PodView<'a> {
    /// Its name.
    pub name: &'a Text,
    /// The node it is bound or pinned to.
    pub node: &'a Text,
    /// Its `controller-revision-hash`.
    pub revision_hash: Option<&'a Text>,
    /// Whether the DaemonSet that is played controls it.
    pub owned: bool,
    /// Neither being deleted nor ended.
    pub live: bool,
}

const END_OF_TIME: Timestamp = Timestamp::from_micros(i64::MAX);

/// After so many syncs without effect in one moment, time moves on.
const IDLE_SYNCS: u32 = 8;

impl World {
    /// A world that starts with what a snapshot holds and plays the DaemonSet `key`, which may be missing.
    ///
    /// Pods that have had their time and are not ready stay so, as do pods whose deletion is long overdue. A
    /// [`Building`] does it in slices.
    pub fn new(snapshot: Snapshot, key: ObjectKey, options: Options) -> Self {
        Building::new(snapshot, key, options).finish()
    }

    /// A world in which the DaemonSet has long been rolled out on all nodes that it can run on.
    ///
    /// It is played up to there by the controller itself, without latencies, a day before the start.
    pub fn settled(daemon_set: DaemonSet, nodes: Vec<Node>, options: Options) -> Self {
        Self::settled_among(daemon_set, nodes, Vec::new(), options)
    }

    /// A settled world as [`World::settled`] makes it, on nodes where these pods of others take up room.
    pub fn settled_among(daemon_set: DaemonSet, nodes: Vec<Node>, others: Vec<Pod>, options: Options) -> Self {
        Building::settled_among(daemon_set, nodes, others, options).finish()
    }

    /// A world in which there is nothing.
    pub(crate) fn empty(key: ObjectKey, options: Options) -> Self {
        let options = Options { start: options.start.truncate_to_seconds(), ..options };
        Self {
            now: options.start,
            controller: Controller::default().with_version(options.version),
            key,
            daemon_set: None,
            revisions: Vec::new(),
            rules: None,
            nodes: Nodes::default(),
            pods: Pods::default(),
            behaviour: None,
            queue: Queue::default(),
            recorder: Recorder::default(),
            refusals: Vec::new(),
            others: None,
            reach: Reach::Nothing,
            last_fit: None,
            shown: Shown::default(),
            made: None,
            uids: 0,
            current: Text::default(),
            classes: Vec::new(),
            counts: [0; 5],
            tiles: [0; Tile::ALL.len()],
            touched: Vec::new(),
            wake_at: None,
            idle_syncs: 0,
            tally: Tally::default(),
            meter: Meter::default(),
            requested: Requested::default(),
            pulls: None,
            starts: 0,
            is_controller_down: false,
            by_hand: ByHand::default(),
            traffic: None,
            options,
        }
    }

    /// From here on everything is drawn with another seed.
    ///
    /// With a clone of a world that is ready to start, many seeds are played for the cost of one beginning.
    pub fn reseed(&mut self, seed: u64) {
        self.options.seed = seed;
    }

    /// Plans something for later; what cannot be done then is listed by [`World::refusals`].
    pub fn schedule(&mut self, after_start: Duration, event: ScenarioEvent) {
        let at = self.options.start.saturating_add(after_start).max(self.now);
        self.queue.push(at, Event::Outside(Arc::new(event)));
        self.tally.ending = None;
    }

    /// Plays on for about `budget` events and decisions.
    pub fn run(&mut self, budget: u32) -> Progress {
        let mut spent = 0_u32;
        while self.tally.ending.is_none() && spent < budget {
            let work = self.advance(END_OF_TIME).unwrap_or(1);
            spent = spent.saturating_add(work);
            self.tally.played = self.tally.played.saturating_add(work.into());
        }
        Progress { done: self.finished(), total: self.eligible(), partial: self.tally.ending.is_none() }
    }

    /// Plays everything that happens up to a time and in it.
    pub fn run_until(&mut self, after_start: Duration) {
        let until = self.options.start.saturating_add(after_start);
        while self.tally.ending.is_none()
            && let Some(work) = self.advance(until)
        {
            self.tally.played = self.tally.played.saturating_add(work.into());
        }
    }

    /// Plays to the end; every play has one.
    pub fn run_to_end(&mut self) -> Summary {
        while self.run(u32::MAX).partial {}
        self.summary()
    }

    /// How much was played since the start: events, syncs and decisions, each counted once.
    pub fn played(&self) -> u64 {
        self.tally.played
    }

    /// Everything that happened so far.
    pub fn timeline(&self) -> &Timeline {
        self.recorder.timeline()
    }

    /// Takes out everything that happened: the world is at its end. It goes as a whole, since taken apart each of its parts
    /// would be freed where that is done.
    pub fn take_timeline(&mut self) -> Timeline {
        self.recorder.take_timeline()
    }

    /// What could not be done, with its time since the start.
    pub fn refusals(&self) -> &[(Duration, EventRefusal)] {
        &self.refusals
    }

    /// The DaemonSet as the API server has it, with its status.
    pub fn daemon_set(&self) -> Option<&DaemonSet> {
        self.daemon_set.as_deref()
    }

    /// The ControllerRevisions of its namespace.
    pub fn revisions(&self) -> &[ControllerRevision] {
        &self.revisions
    }

    /// The nodes as they are now.
    pub fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter().filter_map(|state| state.object().map(|object| &**object))
    }

    /// The DaemonSet's pods as they are now, those of an earlier one of its name included.
    pub fn pods(&self) -> impl Iterator<Item = Pod> + '_ {
        self.pods.iter().filter_map(|(slot, pod)| self.pod_object(slot, pod))
    }

    /// Everything there is now, as a dump of the cluster would show it: the pods of others included, and of pods that
    /// wait, what for.
    pub fn snapshot(&self) -> Snapshot {
        // In order of places, as the pods are.
        let mut waiting = self.unscheduled_conditions().into_iter().peekable();
        let mut pods = Vec::new();
        for (slot, pod) in self.pods.iter() {
            let Some(mut object) = self.pod_object(slot, pod) else { continue };
            object.status.conditions.extend(waiting.next_if(|(waiting, _)| *waiting == slot).map(|(_, why)| why));
            pods.push(object);
        }
        for state in self.nodes.iter().filter(|state| state.object().is_some()) {
            pods.extend_from_slice(state.others());
        }
        Snapshot {
            daemon_sets: self.daemon_set().into_iter().cloned().collect(),
            nodes: self.nodes().cloned().collect(),
            pods,
            revisions: self.revisions.clone(),
        }
    }

    /// What can be said of the same pods without making their objects.
    pub fn pod_views(&self) -> impl Iterator<Item = PodView<'_>> {
        self.pods.iter().filter_map(|(_, pod)| {
            Some(PodView {
                name: &pod.name,
                node: &self.nodes.get(pod.node)?.name,
                revision_hash: self.pods.make(pod.make).and_then(|make| make.labels.get(Pod::REVISION_HASH_LABEL)),
                owned: self.owns(pod.make),
                live: pod.is_live() && !pod.is_terminal(),
            })
        })
    }

    /// The moment that is played.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// The controller that is played, with what it has seen.
    pub fn controller(&self) -> &Controller {
        &self.controller
    }

    /// When the controller looks again although it sees nothing new, as of its last look.
    pub fn wakes_at(&self) -> Option<Timestamp> {
        self.wake_at
    }

    /// Whether the controller runs, has seen all there is, and waits for no answer.
    pub fn is_seen(&self) -> bool {
        !self.is_controller_down && !self.is_syncing() && self.next_sight().is_none()
    }

    fn pod_object(&self, slot: u32, pod: &PodState) -> Option<Pod> {
        let mut object = self.pods.object(pod, &self.nodes.get(pod.node)?.name);
        object.status.container_statuses = self.container_statuses(slot);
        Some(object)
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.now.saturating_since(self.options.start)
    }

    /// One thing, or one sync, or one step in time; says how much work it was. `None`: the next step in time would go
    /// beyond `until`.
    fn advance(&mut self, until: Timestamp) -> Option<u32> {
        if self.next_pull_end().is_some_and(|end| end <= self.now) {
            self.finish_pulls();
            self.idle_syncs = 0;
            return Some(1);
        }
        if self.next_sight().is_some_and(|at| at <= self.now) {
            self.see_next();
            self.idle_syncs = 0;
            return Some(1);
        }
        if let Some(event) = self.queue.pop(self.now) {
            self.happen(event);
            self.idle_syncs = 0;
            return Some(1);
        }
        if self.idle_syncs < IDLE_SYNCS
            && let Some(work) = self.sync()
        {
            return Some(work);
        }
        self.idle_syncs = 0;
        if self.delete_next_batch() {
            return Some(1);
        }
        self.close_moment();
        let wake_at = self.wake_at.filter(|&at| at > self.now);
        match self
            .queue
            .next_time()
            .into_iter()
            .chain(wake_at)
            .chain(self.next_pull_end())
            .chain(self.next_sight())
            .min()
        {
            Some(next) if next > until => return None,
            None => self.tally.ending = Some(self.ending(false)),
            Some(next) if self.is_out_of_patience(next) => self.tally.ending = Some(self.ending(true)),
            Some(next) => self.now = next,
        }
        Some(1)
    }

    /// Something is going to happen after a while.
    pub(crate) fn plan(&mut self, after: Duration, event: Event) {
        self.queue.push(self.now.saturating_add(after), event);
    }

    /// When the next pull of an image ends.
    fn next_pull_end(&self) -> Option<Timestamp> {
        self.pulls.as_deref().and_then(Pulls::next_end)
    }

    fn happen(&mut self, event: Event) {
        match event {
            Event::Ready { pod, run } => self.pod_starts(pod, run),
            Event::Available(pod) => self.pod_becomes_available(pod),
            Event::Gone(pod) => self.pod_stops(pod),
            Event::Fails(pod) => self.pod_fails(pod),
            Event::Crash { pod, run } => self.pod_crashes(pod, run),
            Event::TryAgain { pod, run } => self.try_now(pod, run),
            Event::Evict { pod, evictions } => self.evict(pod, evictions),
            Event::NodeLost(node) => self.lose_node(node),
            Event::NodeBoots(node) => self.node_boots(node),
            Event::ControllerStarts(start) => self.start_controller(start),
            Event::Write(write) => self.write_lands(&write),
            Event::Schedule(pod) => self.schedule_pod(pod),
            Event::Collect(node) => self.collect(node),
            Event::Outside(event) => {
                self.carry_out_or_refuse(&event);
            }
        }
    }

    /// Something from outside happened: patience starts afresh, and an ended play goes on.
    pub(crate) fn stir(&mut self) {
        self.tally.progressed_at = self.now;
        self.tally.ending = None;
    }

    fn is_out_of_patience(&self, next: Timestamp) -> bool {
        let latencies = &self.options.latencies;
        let min_ready = self.min_ready();
        let (ready, gone) = (latencies.pod_ready_after.p95(), latencies.pod_gone_after.p95());
        let one_pod = min_ready.saturating_add(ready).saturating_add(gone);
        let patience = self.options.patience.max(one_pod.saturating_mul(2));
        next.saturating_since(self.tally.progressed_at) > patience
            && self.next_pull_end().is_none()
            && !self.queue.any(|event| matches!(event, Event::Outside(_) | Event::ControllerStarts(_)))
    }

    fn ending(&self, endless: bool) -> Ending {
        if self.daemon_set.is_none() {
            return Ending::NoDaemonSet;
        }
        let waiting_on = self.controller.fleet().find(&self.key).map(|slot| self.controller.explain(slot));
        let waiting_on = waiting_on.unwrap_or_default();
        match (self.is_complete(), endless) {
            (true, _) => Ending::Complete,
            (false, false) => Ending::Stuck { waiting_on },
            (false, true) => Ending::Endless { waiting_on },
        }
    }

    /// Takes over a pod of a snapshot; returns it when the controller is told about it.
    pub(crate) fn take_in(&mut self, pod: Pod) -> Option<Pod> {
        let owner = pod.metadata.controller_owner();
        let could_be_own = pod.metadata.namespace == self.key.namespace
            && owner.is_none_or(|owner| owner.kind == "DaemonSet" && owner.name == self.key.name);
        let target = target_node_of(&pod).cloned();
        match target.map(|target| self.nodes.find_or_add(&target)) {
            Some(node) if could_be_own => self.take_pod(&pod, node),
            Some(node) => {
                if let Some(state) = self.nodes.get_mut(node) {
                    state.add_other(pod);
                }
                return None;
            }
            None => {}
        }
        could_be_own.then_some(pod)
    }

    fn take_pod(&mut self, pod: &Pod, node: u32) {
        let make = self.intern(Make {
            namespace: pod.metadata.namespace.clone(),
            labels: pod.metadata.labels.clone(),
            owners: pod.metadata.owner_references.clone(),
            spec: without_node(pod.spec.clone()),
        });
        let ready = pod.is_ready();
        self.add_pod(PodState {
            name: pod.metadata.name.clone(),
            uid: pod.metadata.uid.clone(),
            node,
            make,
            next: NO_POD,
            generation: 0,
            indexed_at: NO_POD,
            created: pod.metadata.creation_timestamp,
            ready_since: pod.ready_condition().and_then(|condition| condition.last_transition_time),
            deleted: pod.metadata.deletion_timestamp,
            phase: pod.status.phase,
            bound: !pod.spec.node_name.is_empty(),
            ready,
            available: false,
            started: ready,
            wedged: false,
            never_ready: false,
            attempt: Attempt::default(),
        });
    }

    pub(crate) fn min_ready(&self) -> Duration {
        self.daemon_set.as_deref().map_or(Duration::ZERO, |daemon_set| min_ready(&daemon_set.spec))
    }

    /// Something about a node changed.
    pub(crate) fn touch(&mut self, node: u32) {
        if let Some(state) = self.nodes.get_mut(node)
            && !std::mem::replace(&mut state.touched, true)
        {
            self.touched.push(node);
        }
    }

    /// The places of a node's pods.
    pub(crate) fn pods_on(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let first = self.nodes.get(node).map_or(NO_POD, |state| state.first_pod);
        let existing = |slot: u32| (slot != NO_POD).then_some(slot);
        std::iter::successors(existing(first), move |&slot| existing(self.pods.get(slot)?.next))
    }

    /// The places of those of a node's pods, as a list: what is done to one may take it out, or others in.
    pub(crate) fn slots_on(&self, node: u32, such: &dyn Fn(&PodState) -> bool) -> Vec<u32> {
        let mut slots = Vec::new();
        for slot in self.pods_on(node) {
            if self.pods.get(slot).is_some_and(such) {
                slots.push(slot);
            }
        }
        slots
    }

    /// The DaemonSet has changed: everything that follows from it is made anew.
    pub(crate) fn refresh_daemon_set(&mut self) {
        if self.follow_template() {
            for node in self.nodes.numbers() {
                self.refresh_node(node);
            }
        }
        self.follow_classes();
        for slot in self.pods.slots() {
            self.refresh_availability(slot);
        }
    }

    /// Reads the DaemonSet's template; whether it has changed, and every node is to be judged anew.
    pub(crate) fn follow_template(&mut self) -> bool {
        let template = self.daemon_set.as_deref().map(|daemon_set| &daemon_set.spec.template);
        if self.rules.as_deref().map(PlacementRules::template) == template {
            return false;
        }
        self.rules = template.map(|template| Arc::new(PlacementRules::of(template, self.options.version)));
        self.others = None;
        self.last_fit = None;
        true
    }

    /// Tells pods apart by the DaemonSet as it is.
    pub(crate) fn follow_classes(&mut self) {
        self.classify();
        let specs = self.pods.makes().map(|make| &make.spec);
        self.reach = specs
            .chain(self.rules.iter().map(|rules| rules.template().spec()))
            .map(Reach::of)
            .max()
            .unwrap_or_default();
    }

    /// The options say from now on how images are pulled and how the control plane is.
    pub(crate) fn take_stock(&mut self) {
        if self.options.images.is_some() {
            self.stock_images();
        }
        self.follow_control_plane();
    }

    /// A node has changed, or what is asked of nodes.
    pub(crate) fn refresh_node(&mut self, node: u32) {
        if let Some(state) = self.nodes.get_mut(node) {
            let both = self.rules.as_ref().zip(state.object());
            let standing = both.map_or(Eligibility::default(), |(rules, object)| eligibility(rules, object));
            state.eligibility = standing;
        }
        // Labels make the domains of affinity to pods.
        self.others = None;
        self.touch(node);
    }
}

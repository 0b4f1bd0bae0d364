//! What a document comes to, and what in it contradicts itself.

use std::time::Duration;

use serde_json::Value;

use super::events::ReadEvent;
use super::fields::{Here, Reader};
use super::happenings::{Whom, whom};
use super::objects::{Manifest, default_namespace};
use super::{DEFAULT_START, ReviewedManifest, ScenarioDocument};
use crate::api::{DaemonSet, ObjectKey, ObjectMeta, Pod, Text};
use crate::controller::Snapshot;
use crate::manifest::schema::is_probably;
use crate::manifest::{Documents, Located, Object, ObjectKind, ScenarioProblem, read_object};
use crate::order::sort_by;
use crate::ownership::is_own;
use crate::scenario::{NodePool, Scenario, Start, kept_by_apply};
use crate::sim::{NodeSelection, Options, PodSelection, ScenarioEvent};
use crate::time::Timestamp;

/// Among so many names a likely one is looked for.
const NAMES_COMPARED: usize = 5000;

/// Names of DaemonSets that a message lists.
const NAMES_SHOWN: usize = 5;

/// What a document says, with the places of what may contradict something else.
pub(super) struct Parts<'t> {
    pub document: ScenarioDocument,
    pub root: Here<'t>,
    pub cluster: Here<'t>,
    pub pools: Here<'t>,
    pub objects: Vec<Here<'t>>,
    pub files: Vec<(Text, Here<'t>)>,
    pub daemon_set: Option<(Box<DaemonSet>, Manifest<'t>)>,
    pub change: Option<(Box<DaemonSet>, Manifest<'t>)>,
    /// The change, where it was read and reviewed in a text of its own.
    pub reviewed_change: Option<(ReviewedManifest, Here<'t>)>,
    /// DaemonSets of included snapshots as the API server would return them.
    pub reviewed: Vec<(ObjectKey, Value)>,
    pub events: Vec<ReadEvent<'t>>,
}

impl<'t> Parts<'t> {
    /// Nothing yet, of a document that starts here.
    pub fn of(root: Here<'t>) -> Self {
        Self {
            document: ScenarioDocument::default(),
            root,
            cluster: root,
            pools: root,
            objects: Vec::new(),
            files: Vec::new(),
            daemon_set: None,
            change: None,
            reviewed_change: None,
            reviewed: Vec::new(),
            events: Vec::new(),
        }
    }
}

/// The objects of the cluster, and where each came from.
#[derive(Default)]
pub(super) struct Gathered<'t> {
    pub snapshot: Snapshot,
    /// DaemonSets as the API server would return them.
    pub reviewed: Vec<(ObjectKey, Value)>,
    /// Where the objects came from: those behind so many of each of [`KINDS`] stood at the place beside them.
    places: Vec<([usize; 3], Here<'t>)>,
}

/// Kinds of which no two objects may have the same name.
const KINDS: [ObjectKind; 3] = [ObjectKind::Node, ObjectKind::Pod, ObjectKind::DaemonSet];

/// What the document comes to. Contradictions are reported; nothing comes of a document with errors.
pub(super) fn build<'t>(
    parts: &mut Parts<'t>,
    included: Vec<(Snapshot, Here<'t>)>,
    reader: &mut Reader<'t>,
) -> Option<Scenario> {
    let mut gathered = gather(parts, included, reader)?;
    let key = played(parts, &gathered, reader);
    let mut current = Current::default();
    if let Some((daemon_set, manifest)) = parts.daemon_set.take() {
        reader.take_over(manifest.problems);
        gathered.reviewed.extend(manifest.created.map(|reviewed| (daemon_set.metadata.key(), reviewed)));
        gathered.stand_at(manifest.here);
        gathered.snapshot.daemon_sets.push(*daemon_set);
    }
    gathered.name(reader);
    let Gathered { snapshot: mut cluster, reviewed, .. } = gathered;
    let key = key?;
    current.reviewed = reviewed.into_iter().find(|(reviewed, _)| *reviewed == key).map(|(_, reviewed)| reviewed);
    current.daemon_set = give_owner(&key, &mut cluster).cloned();

    let own = |pod: &Pod| current.daemon_set.as_ref().is_some_and(|daemon_set| is_own(daemon_set, pod));
    let has_pods = cluster.pods.iter().any(own);
    if parts.document.start == Some(Start::Pods) && !has_pods && current.daemon_set.is_some() {
        reader.report(&parts.root.at("start"), ScenarioProblem::NoPods);
    }
    let start = parts.document.start.unwrap_or(if has_pods { Start::Pods } else { Start::Settled });
    let starts_at = starts_at(parts, &cluster, reader);

    let mut names = Names::of(&cluster);
    let mut events = Vec::new();
    if let Some((ReviewedManifest { daemon_set, reviewed }, here)) = parts.reviewed_change.take()
        && is_played(&daemon_set, &key, &here, reader)
    {
        events.push((Duration::ZERO, current.becomes(*daemon_set, reviewed)));
    }
    if let Some((daemon_set, manifest)) = parts.change.take() {
        events.extend(current.apply(&key, *daemon_set, manifest, reader).map(|event| (Duration::ZERO, event)));
    }
    for ReadEvent { planned, here, manifest } in std::mem::take(&mut parts.events) {
        let at = planned.at;
        let event = match (planned.event, manifest) {
            (ScenarioEvent::Apply(daemon_set), Some(manifest)) => current.apply(&key, *daemon_set, manifest, reader),
            (mut event, _) => {
                check(&mut event, &key, &here, &mut names, &mut current, reader);
                Some(event)
            }
        };
        events.extend(event.map(|event| (at, event)));
    }
    let ScenarioDocument { options, sources, measured, .. } = parts.document;
    let options = Options { start: starts_at, ..options };
    Some(Scenario { daemon_set: key, cluster, start, options, sources, measured, events })
}

/// Every object of the cluster; absent when there would be too many nodes to make.
pub(super) fn gather<'t>(
    parts: &mut Parts<'t>,
    included: Vec<(Snapshot, Here<'t>)>,
    reader: &mut Reader<'t>,
) -> Option<Gathered<'t>> {
    let mut gathered = Gathered { reviewed: std::mem::take(&mut parts.reviewed), ..Gathered::default() };
    for here in &parts.objects {
        let Documents { objects, problems, .. } =
            read_object(here.tree.clone(), &here.path(), reader.text, None, reader.version);
        reader.take_over(problems);
        gathered.stand_at(*here);
        for Located { object, reviewed, .. } in objects {
            let snapshot = &mut gathered.snapshot;
            match object {
                Object::Node(node) => snapshot.nodes.push(*node),
                Object::Pod(pod) => snapshot.pods.push(*pod),
                Object::DaemonSet(mut daemon_set) => {
                    default_namespace(&mut daemon_set.metadata.namespace);
                    gathered.reviewed.extend(reviewed.map(|reviewed| (daemon_set.metadata.key(), reviewed)));
                    snapshot.daemon_sets.push(*daemon_set);
                }
                Object::ControllerRevision(revision) => snapshot.revisions.push(*revision),
                Object::PriorityClass(_) | Object::Event(_) => {}
            }
        }
    }
    for (Snapshot { mut daemon_sets, mut nodes, mut pods, mut revisions }, here) in included {
        gathered.stand_at(here);
        let snapshot = &mut gathered.snapshot;
        snapshot.nodes.append(&mut nodes);
        snapshot.pods.append(&mut pods);
        snapshot.daemon_sets.append(&mut daemon_sets);
        snapshot.revisions.append(&mut revisions);
    }
    let pools = &parts.document.pools;
    let others = u64::try_from(gathered.snapshot.nodes.len()).unwrap_or(u64::MAX);
    let count = pools.iter().fold(others, |count, pool| count.saturating_add(pool.count.into()));
    if count > NodePool::LARGEST.into() {
        let problem = ScenarioProblem::TooManyNodes { count, limit: NodePool::LARGEST };
        reader.report(&parts.cluster, problem);
        return None;
    }
    gathered.begin_with(pools, parts.pools);
    Some(gathered)
}

impl<'t> Gathered<'t> {
    /// The objects that come next stand here.
    fn stand_at(&mut self, here: Here<'t>) {
        let Snapshot { nodes, pods, daemon_sets, .. } = &self.snapshot;
        self.places.push(([nodes.len(), pods.len(), daemon_sets.len()], here));
    }

    /// Puts the nodes of pools before all others.
    fn begin_with(&mut self, pools: &[NodePool], here: Here<'t>) {
        let mut others = std::mem::take(&mut self.snapshot.nodes);
        let nodes = &mut self.snapshot.nodes;
        for pool in pools {
            nodes.extend(pool.nodes());
        }
        for ([before, ..], _) in &mut self.places {
            *before = before.saturating_add(nodes.len());
        }
        self.places.insert(0, ([0; 3], here));
        nodes.append(&mut others);
    }

    /// Completes names and reports those that several objects have.
    fn name(&mut self, reader: &mut Reader<'_>) {
        let Self { snapshot: Snapshot { nodes, pods, daemon_sets, revisions }, places, .. } = self;
        for pod in &mut *pods {
            default_namespace(&mut pod.metadata.namespace);
            pod.metadata.ensure_uid();
        }
        for revision in revisions {
            default_namespace(&mut revision.metadata.namespace);
        }
        report_twice(0, &mut nodes.iter().map(|node| &node.metadata), places, reader);
        report_twice(1, &mut pods.iter().map(|pod| &pod.metadata), places, reader);
        report_twice(2, &mut daemon_sets.iter().map(|daemon_set| &daemon_set.metadata), places, reader);
    }
}

/// Reports those of several objects of the same name that come later in the text. Their kind is this one of [`KINDS`].
fn report_twice(
    kind: usize,
    objects: &mut dyn Iterator<Item = &ObjectMeta>,
    places: &[([usize; 3], Here<'_>)],
    reader: &mut Reader<'_>,
) {
    let mut named: Vec<(&ObjectMeta, &Here<'_>)> = Vec::new();
    for (index, metadata) in objects.enumerate() {
        let behind = places.partition_point(|(before, _)| before.get(kind).is_some_and(|before| *before <= index));
        let place = behind.checked_sub(1).and_then(|last| places.get(last));
        named.extend(place.map(|(_, here)| (metadata, here)));
    }
    sort_by(&mut named, |(one, here), (other, there)| one.compare_keys(other).then_with(|| here.span.cmp(&there.span)));
    for pair in named.windows(2) {
        let [(one, _), (other, here)] = pair else { continue };
        if one.compare_keys(other).is_ne() {
            continue;
        }
        reader.report(
            here,
            match KINDS.get(kind) {
                Some(kind) if *kind != ObjectKind::Node => {
                    ScenarioProblem::ObjectTwice { kind: *kind, name: Text::from(other.key().to_string()) }
                }
                _ => ScenarioProblem::NodeTwice { name: other.name.clone() },
            },
        );
    }
}

/// The DaemonSet that is played.
fn played(parts: &Parts<'_>, gathered: &Gathered<'_>, reader: &mut Reader<'_>) -> Option<ObjectKey> {
    if parts.document.daemon_set.is_some() {
        return parts.daemon_set.as_ref().map(|(daemon_set, _)| daemon_set.metadata.key());
    }
    let Gathered { snapshot, .. } = gathered;
    if let Some(wanted) = &parts.document.daemon_set_ref {
        if snapshot.daemon_set(wanted).is_some() {
            return Some(wanted.clone());
        }
        let problem = ScenarioProblem::UnknownDaemonSet { name: Text::from(wanted.to_string()) };
        reader.report(&parts.root.at("daemonSetRef"), problem);
        return None;
    }
    let changed = parts.change.as_ref().map(|(daemon_set, _)| daemon_set);
    let changed = changed.or(parts.reviewed_change.as_ref().map(|(change, _)| &change.daemon_set));
    let changed = changed.map(|daemon_set| daemon_set.metadata.key());
    match snapshot.daemon_sets.as_slice() {
        [only] => return Some(only.metadata.key()),
        several @ [_, _, ..] => {
            if let Some(changed) = changed.filter(|changed| snapshot.daemon_set(changed).is_some()) {
                return Some(changed);
            }
            let some = several.iter().take(NAMES_SHOWN);
            let names = some.map(|daemon_set| Text::from(daemon_set.metadata.key().to_string())).collect();
            reader.report(&parts.cluster, ScenarioProblem::SeveralDaemonSets { names });
        }
        [] => {
            let installed = parts.events.iter().find_map(|event| match &event.planned.event {
                ScenarioEvent::Apply(daemon_set) => Some(daemon_set.metadata.key()),
                _ => None,
            });
            if let Some(key) = changed.or(installed) {
                return Some(key);
            }
            // A manifest that cannot be read says so itself.
            if parts.document.change.is_none() {
                reader.report(&parts.root, ScenarioProblem::NoDaemonSet);
            }
        }
    }
    None
}

/// Gives a DaemonSet from a manifest the UID that its pods and revisions name as their owner's.
fn give_owner<'a>(key: &ObjectKey, cluster: &'a mut Snapshot) -> Option<&'a DaemonSet> {
    let Snapshot { daemon_sets, pods, revisions, .. } = cluster;
    let daemon_set = daemon_sets.iter_mut().find(|daemon_set| daemon_set.metadata.is_named(key))?;
    if daemon_set.metadata.uid.is_empty() {
        let owner_of = |metadata: &ObjectMeta| {
            let owner = metadata.controller_owner()?;
            let is_named = owner.kind == "DaemonSet" && owner.name == key.name && metadata.namespace == key.namespace;
            is_named.then(|| owner.uid.clone())
        };
        let uid = pods.iter().find_map(|pod| owner_of(&pod.metadata));
        let uid = uid.or_else(|| revisions.iter().find_map(|revision| owner_of(&revision.metadata)));
        daemon_set.metadata.uid = uid.unwrap_or_default();
    }
    Some(daemon_set)
}

/// When the play starts: as the document says, or when nothing in the cluster lies ahead.
fn starts_at(parts: &Parts<'_>, cluster: &Snapshot, reader: &mut Reader<'_>) -> Timestamp {
    let mut newest = None;
    for pod in &cluster.pods {
        newest = newest.max(pod.metadata.creation_timestamp);
        for condition in &pod.status.conditions {
            newest = newest.max(condition.last_transition_time);
        }
    }
    for daemon_set in &cluster.daemon_sets {
        newest = newest.max(daemon_set.metadata.creation_timestamp);
    }
    match (parts.document.starts_at, newest) {
        (Some(at), Some(newest)) if newest > at => {
            let problem = ScenarioProblem::FromTheFuture { at: Text::from(newest.to_string()) };
            reader.report(&parts.root.at("startsAt"), problem);
            at
        }
        (Some(at), _) => at,
        (None, newest) => newest.unwrap_or(DEFAULT_START).max(DEFAULT_START),
    }
}

/// The DaemonSet as it is after the events so far.
#[derive(Default)]
struct Current {
    daemon_set: Option<DaemonSet>,
    /// As the API server would return it: what an update is reviewed against.
    reviewed: Option<Value>,
}

impl Current {
    fn apply(
        &mut self,
        key: &ObjectKey,
        daemon_set: DaemonSet,
        manifest: Manifest<'_>,
        reader: &mut Reader<'_>,
    ) -> Option<ScenarioEvent> {
        if !is_played(&daemon_set, key, &manifest.here, reader) {
            reader.take_over(manifest.problems);
            return None;
        }
        let (reviewed, problems) = match &self.reviewed {
            Some(before) => manifest.updated(reader, before),
            None => (manifest.created, manifest.problems),
        };
        reader.take_over(problems);
        Some(self.becomes(daemon_set, reviewed))
    }

    /// Takes the DaemonSet as it is once a manifest has been applied.
    fn becomes(&mut self, mut daemon_set: DaemonSet, reviewed: Option<Value>) -> ScenarioEvent {
        if let Some(before) = &self.daemon_set {
            daemon_set.spec.template = kept_by_apply(before, &daemon_set.spec.template);
        }
        self.reviewed = reviewed.or(self.reviewed.take());
        self.daemon_set = Some(daemon_set.clone());
        ScenarioEvent::Apply(Box::new(daemon_set))
    }
}

/// Whether a manifest is one of the DaemonSet that is played; reports it when it is not.
fn is_played(daemon_set: &DaemonSet, key: &ObjectKey, here: &Here<'_>, reader: &mut Reader<'_>) -> bool {
    let written = daemon_set.metadata.key();
    if written == *key {
        return true;
    }
    let (written, played) = (Text::from(written.to_string()), Text::from(key.to_string()));
    reader.report(here, ScenarioProblem::OtherDaemonSet { written, played });
    false
}

/// Whether what an event names is there by then. (Pods of others come and go by name only.)
fn check(
    event: &mut ScenarioEvent,
    key: &ObjectKey,
    here: &Here<'_>,
    names: &mut Names,
    current: &mut Current,
    reader: &mut Reader<'_>,
) {
    match whom(event) {
        Whom::Node(node) | Whom::Pods(PodSelection::OnNode(node)) => names.expect(node, here, reader),
        Whom::Nodes(NodeSelection::Named(nodes)) => {
            for node in nodes {
                names.expect(node, here, reader);
            }
        }
        Whom::Pods(PodSelection::Named(pod)) => {
            // Pods that the controller makes are called after the DaemonSet.
            let made = pod.strip_prefix(key.name.as_str()).is_some_and(|rest| rest.starts_with('-'));
            if !made && names.pods.binary_search(pod).is_err() {
                reader.report(here, ScenarioProblem::UnknownPod { name: pod.clone() });
            }
        }
        Whom::Nodes(NodeSelection::All) | Whom::Nobody => {}
    }
    match event {
        ScenarioEvent::AddPod(pod) => names.expect(&pod.spec.node_name, here, reader),
        ScenarioEvent::AddNode(node) => {
            let name = &node.metadata.name;
            if names.has(name) {
                reader.report(here, ScenarioProblem::NodeTwice { name: name.clone() });
            }
            names.set(name, true);
        }
        ScenarioEvent::RemoveNode(node) => names.set(node, false),
        ScenarioEvent::Undo { .. } | ScenarioEvent::Restart | ScenarioEvent::DeleteDaemonSet(_) => {
            if current.daemon_set.is_none() {
                reader.report(here, ScenarioProblem::NoDaemonSetThen);
            }
            if let ScenarioEvent::DeleteDaemonSet(_) = event {
                *current = Current::default();
            }
        }
        _ => {}
    }
}

/// Names of the nodes that there are by now, and of the pods at the start.
struct Names {
    nodes: Vec<Text>,
    pods: Vec<Text>,
    /// Nodes that joined or went since the start.
    changed: Vec<(Text, bool)>,
}

impl Names {
    fn of(cluster: &Snapshot) -> Self {
        Self {
            nodes: sorted_names(&mut cluster.nodes.iter().map(|node| &node.metadata)),
            pods: sorted_names(&mut cluster.pods.iter().map(|pod| &pod.metadata)),
            changed: Vec::new(),
        }
    }

    fn has(&self, name: &Text) -> bool {
        match self.changed.binary_search_by(|(candidate, _)| candidate.cmp(name)) {
            Ok(index) => self.changed.get(index).is_some_and(|(_, is_there)| *is_there),
            Err(_) => self.nodes.binary_search(name).is_ok(),
        }
    }

    fn set(&mut self, name: &Text, is_there: bool) {
        match self.changed.binary_search_by(|(candidate, _)| candidate.cmp(name)) {
            Ok(index) => self.changed.iter_mut().skip(index).take(1).for_each(|(_, known)| *known = is_there),
            Err(index) => self.changed.insert(index, (name.clone(), is_there)),
        }
    }

    fn expect(&self, name: &Text, here: &Here<'_>, reader: &mut Reader<'_>) {
        if self.has(name) {
            return;
        }
        // One that has gone is meant as it is written.
        let was_there = self.nodes.binary_search(name).is_ok();
        let nodes = self.nodes.iter().take(NAMES_COMPARED).map(Text::as_str);
        let meant = is_probably(name, nodes).filter(|_| !was_there).map(Text::new);
        reader.report(here, ScenarioProblem::UnknownNode { name: name.clone(), meant });
    }
}

fn sorted_names(objects: &mut dyn Iterator<Item = &ObjectMeta>) -> Vec<Text> {
    let mut names: Vec<Text> = objects.map(|metadata| metadata.name.clone()).collect();
    sort_by(&mut names, Ord::cmp);
    names
}

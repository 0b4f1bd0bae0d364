//! What a document comes to, and what in it contradicts itself.

use std::time::Duration;

use serde_json::Value;

use super::apart::elsewhere_at;
use super::events::ReadEvent;
use super::fields::{Here, Place, Reader};
use super::objects::{Manifest, default_namespace};
use super::{DEFAULT_START, ReviewedManifest, ScenarioDocument};
use crate::api::{DaemonSet, Node, ObjectKey, ObjectMeta, Pod, Text};
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
#[derive(Default)]
pub(super) struct Parts<'t> {
    pub document: ScenarioDocument,
    pub root: Place,
    pub cluster: Place,
    pub pools: Place,
    pub objects: Vec<Here<'t>>,
    pub files: Vec<(Text, Place)>,
    pub daemon_set: Option<(Box<DaemonSet>, Manifest<'t>)>,
    pub daemon_set_ref: Place,
    pub change: Option<(Box<DaemonSet>, Manifest<'t>)>,
    /// The change, where it was read and reviewed in a text of its own.
    pub reviewed_change: Option<ReviewedManifest>,
    /// DaemonSets of included snapshots as the API server would return them.
    pub reviewed: Vec<(ObjectKey, Value)>,
    pub start: Place,
    pub starts_at: Place,
    pub events: Vec<ReadEvent<'t>>,
}

/// The objects of the cluster, and where each came from.
#[derive(Default)]
pub(super) struct Gathered {
    nodes: Vec<(Node, Place)>,
    pods: Vec<(Pod, Place)>,
    daemon_sets: Vec<(DaemonSet, Place)>,
    /// DaemonSets as the API server would return them.
    pub reviewed: Vec<(ObjectKey, Value)>,
    snapshot: Snapshot,
}

/// What the document comes to. Contradictions are reported; nothing comes of a document with errors.
pub(super) fn build(
    parts: &mut Parts<'_>,
    included: Vec<(Snapshot, Place)>,
    reader: &mut Reader<'_>,
) -> Option<Scenario> {
    let mut gathered = gather(parts, included, reader)?;
    let key = played(parts, &gathered, reader);
    let mut current = Current::default();
    if let Some((daemon_set, manifest)) = parts.daemon_set.take() {
        reader.take_over(manifest.problems);
        let place = manifest.here.place();
        gathered.reviewed.extend(manifest.created.map(|reviewed| (daemon_set.metadata.key(), reviewed)));
        gathered.daemon_sets.push((*daemon_set, place));
    }
    let mut cluster = gathered.into_snapshot(reader, &mut current.reviewed, key.as_ref());
    let key = key?;
    current.daemon_set = give_owner(&key, &mut cluster).cloned();

    let own = |pod: &Pod| current.daemon_set.as_ref().is_some_and(|daemon_set| is_own(daemon_set, pod));
    let has_pods = cluster.pods.iter().any(own);
    if parts.document.start == Some(Start::Pods) && !has_pods && current.daemon_set.is_some() {
        reader.report_at(&parts.start, ScenarioProblem::NoPods);
    }
    let start = parts.document.start.unwrap_or(if has_pods { Start::Pods } else { Start::Settled });
    let starts_at = starts_at(parts, &cluster, reader);

    let mut names = Names::of(&cluster);
    let mut events = Vec::new();
    if let Some(ReviewedManifest { daemon_set, reviewed }) = parts.reviewed_change.take()
        && is_played(&daemon_set, &key, &elsewhere_at("change"), reader)
    {
        events.push((Duration::ZERO, current.becomes(*daemon_set, reviewed)));
    }
    if let Some((daemon_set, manifest)) = parts.change.take() {
        events.extend(current.apply(&key, *daemon_set, manifest, reader).map(|event| (Duration::ZERO, event)));
    }
    for ReadEvent { planned, place, manifest } in parts.events.drain(..) {
        let at = planned.at;
        let event = match (planned.event, manifest) {
            (ScenarioEvent::Apply(daemon_set), Some(manifest)) => current.apply(&key, *daemon_set, manifest, reader),
            (event, _) => {
                check(&event, &key, &place, &mut names, &mut current, reader);
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
pub(super) fn gather(
    parts: &mut Parts<'_>,
    included: Vec<(Snapshot, Place)>,
    reader: &mut Reader<'_>,
) -> Option<Gathered> {
    let mut gathered = Gathered { reviewed: std::mem::take(&mut parts.reviewed), ..Gathered::default() };
    let mut others = Vec::new();
    for here in &parts.objects {
        let Documents { objects, problems, .. } =
            read_object(here.tree.clone(), &here.path, reader.text, None, reader.version);
        reader.take_over(problems);
        for Located { object, reviewed, .. } in objects {
            let place = here.place();
            match object {
                Object::Node(node) => others.push((*node, place)),
                Object::Pod(pod) => gathered.pods.push((*pod, place)),
                Object::DaemonSet(mut daemon_set) => {
                    default_namespace(&mut daemon_set.metadata.namespace);
                    gathered.reviewed.extend(reviewed.map(|reviewed| (daemon_set.metadata.key(), reviewed)));
                    gathered.daemon_sets.push((*daemon_set, place));
                }
                Object::ControllerRevision(revision) => gathered.snapshot.revisions.push(*revision),
                Object::PriorityClass(_) | Object::Event(_) => {}
            }
        }
    }
    for (Snapshot { daemon_sets, nodes, pods, revisions }, place) in included {
        others.extend(nodes.into_iter().map(|node| (node, place.clone())));
        gathered.pods.extend(pods.into_iter().map(|pod| (pod, place.clone())));
        gathered.daemon_sets.extend(daemon_sets.into_iter().map(|daemon_set| (daemon_set, place.clone())));
        gathered.snapshot.revisions.extend(revisions);
    }
    let pools = &parts.document.pools;
    let count = pools.iter().map(|pool| u64::from(pool.count)).sum::<u64>();
    let count = count.saturating_add(u64::try_from(others.len()).unwrap_or(u64::MAX));
    if count > NodePool::LARGEST.into() {
        let problem = ScenarioProblem::TooManyNodes { count, limit: NodePool::LARGEST };
        reader.report_at(&parts.cluster, problem);
        return None;
    }
    let of_pools = pools.iter().flat_map(NodePool::nodes).map(|node| (node, parts.pools.clone()));
    gathered.nodes = of_pools.chain(others).collect();
    Some(gathered)
}

impl Gathered {
    /// The objects alone, to be looked at with others later.
    pub fn into_objects(self) -> (Snapshot, Vec<(ObjectKey, Value)>) {
        let Self { nodes, pods, daemon_sets, reviewed, mut snapshot } = self;
        snapshot.nodes = nodes.into_iter().map(|(node, _)| node).collect();
        snapshot.pods = pods.into_iter().map(|(pod, _)| pod).collect();
        snapshot.daemon_sets = daemon_sets.into_iter().map(|(daemon_set, _)| daemon_set).collect();
        (snapshot, reviewed)
    }

    fn into_snapshot(
        self,
        reader: &mut Reader<'_>,
        reviewed: &mut Option<Value>,
        played: Option<&ObjectKey>,
    ) -> Snapshot {
        let Self { nodes, mut pods, daemon_sets, reviewed: all_reviewed, mut snapshot } = self;
        for (pod, _) in &mut pods {
            default_namespace(&mut pod.metadata.namespace);
            pod.metadata.ensure_uid();
        }
        for revision in &mut snapshot.revisions {
            default_namespace(&mut revision.metadata.namespace);
        }
        let names: Vec<(ObjectKey, &Place)> = nodes.iter().map(|(node, at)| (node.metadata.key(), at)).collect();
        report_twice(names, reader, |key| ScenarioProblem::NodeTwice { name: key.name });
        let names: Vec<(ObjectKey, &Place)> = pods.iter().map(|(pod, at)| (pod.metadata.key(), at)).collect();
        report_twice(names, reader, |key| twice(ObjectKind::Pod, &key));
        let names: Vec<(ObjectKey, &Place)> = daemon_sets.iter().map(|(it, at)| (it.metadata.key(), at)).collect();
        report_twice(names, reader, |key| twice(ObjectKind::DaemonSet, &key));
        *reviewed = all_reviewed.into_iter().find(|(key, _)| Some(key) == played).map(|(_, reviewed)| reviewed);
        snapshot.nodes = nodes.into_iter().map(|(node, _)| node).collect();
        snapshot.pods = pods.into_iter().map(|(pod, _)| pod).collect();
        snapshot.daemon_sets = daemon_sets.into_iter().map(|(daemon_set, _)| daemon_set).collect();
        snapshot
    }
}

fn twice(kind: ObjectKind, key: &ObjectKey) -> ScenarioProblem {
    ScenarioProblem::ObjectTwice { kind, name: Text::from(key.to_string()) }
}

/// Reports the later ones of objects of the same name.
fn report_twice(
    mut names: Vec<(ObjectKey, &Place)>,
    reader: &mut Reader<'_>,
    problem: impl Fn(ObjectKey) -> ScenarioProblem,
) {
    sort_by(&mut names, |(one, at), (other, other_at)| one.cmp(other).then(at.span.cmp(&other_at.span)));
    let mut before: Option<ObjectKey> = None;
    for (key, place) in names {
        if before.as_ref() == Some(&key) {
            reader.report_at(place, problem(key));
        } else {
            before = Some(key);
        }
    }
}

/// The DaemonSet that is played.
fn played(parts: &Parts<'_>, gathered: &Gathered, reader: &mut Reader<'_>) -> Option<ObjectKey> {
    if parts.document.daemon_set.is_some() {
        return parts.daemon_set.as_ref().map(|(daemon_set, _)| daemon_set.metadata.key());
    }
    let keys = || gathered.daemon_sets.iter().map(|(daemon_set, _)| daemon_set.metadata.key());
    if let Some(wanted) = &parts.document.daemon_set_ref {
        if keys().any(|key| key == *wanted) {
            return Some(wanted.clone());
        }
        let problem = ScenarioProblem::UnknownDaemonSet { name: Text::from(wanted.to_string()) };
        reader.report_at(&parts.daemon_set_ref, problem);
        return None;
    }
    let changed = parts.change.as_ref().map(|(daemon_set, _)| daemon_set);
    let changed = changed.or(parts.reviewed_change.as_ref().map(|change| &change.daemon_set));
    let changed = changed.map(|daemon_set| daemon_set.metadata.key());
    let mut found = keys();
    match (found.next(), found.next()) {
        (Some(only), None) => return Some(only),
        (Some(_), Some(_)) => {
            if let Some(changed) = changed.filter(|changed| keys().any(|key| key == *changed)) {
                return Some(changed);
            }
            let names = keys().take(NAMES_SHOWN).map(|key| Text::from(key.to_string())).collect();
            reader.report_at(&parts.cluster, ScenarioProblem::SeveralDaemonSets { names });
        }
        (None, _) => {
            let installed = parts.events.iter().find_map(|event| match &event.planned.event {
                ScenarioEvent::Apply(daemon_set) => Some(daemon_set.metadata.key()),
                _ => None,
            });
            if let Some(key) = changed.or(installed) {
                return Some(key);
            }
            // A manifest that cannot be read says so itself.
            if parts.document.change.is_none() {
                reader.report_at(&parts.root, ScenarioProblem::NoDaemonSet);
            }
        }
    }
    None
}

/// Gives a DaemonSet from a manifest the UID that its pods and revisions name as their owner's.
fn give_owner<'a>(key: &ObjectKey, cluster: &'a mut Snapshot) -> Option<&'a DaemonSet> {
    let Snapshot { daemon_sets, pods, revisions, .. } = cluster;
    let daemon_set = daemon_sets.iter_mut().find(|daemon_set| daemon_set.metadata.key() == *key)?;
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
    let of_pods = cluster.pods.iter().flat_map(|pod| {
        let conditions = pod.status.conditions.iter().filter_map(|condition| condition.last_transition_time);
        pod.metadata.creation_timestamp.into_iter().chain(conditions)
    });
    let of_daemon_sets = cluster.daemon_sets.iter().filter_map(|daemon_set| daemon_set.metadata.creation_timestamp);
    let newest = of_pods.chain(of_daemon_sets).max();
    match (parts.document.starts_at, newest) {
        (Some(at), Some(newest)) if newest > at => {
            let problem = ScenarioProblem::FromTheFuture { at: Text::from(newest.to_string()) };
            reader.report_at(&parts.starts_at, problem);
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
        if !is_played(&daemon_set, key, &manifest.here.place(), reader) {
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
fn is_played(daemon_set: &DaemonSet, key: &ObjectKey, place: &Place, reader: &mut Reader<'_>) -> bool {
    let written = daemon_set.metadata.key();
    if written == *key {
        return true;
    }
    let (written, played) = (Text::from(written.to_string()), Text::from(key.to_string()));
    reader.report_at(place, ScenarioProblem::OtherDaemonSet { written, played });
    false
}

/// Whether what an event names is there by then.
fn check(
    event: &ScenarioEvent,
    key: &ObjectKey,
    place: &Place,
    names: &mut Names,
    current: &mut Current,
    reader: &mut Reader<'_>,
) {
    match event {
        // Manifests are looked at where they are applied.
        ScenarioEvent::Apply(_)
        | ScenarioEvent::Behave { nodes: NodeSelection::All, .. }
        | ScenarioEvent::Heal(NodeSelection::All)
        | ScenarioEvent::FailReadiness { nodes: NodeSelection::All, .. }
        | ScenarioEvent::RestartController { .. }
        | ScenarioEvent::SetControlPlane(_)
        | ScenarioEvent::DeleteOutdatedPods { .. }
        // Pods of others come and go by name only.
        | ScenarioEvent::RemovePod(_) => {}
        ScenarioEvent::AddPod(pod) => names.expect(&pod.spec.node_name, place, reader),
        ScenarioEvent::Undo { .. } | ScenarioEvent::Restart => {
            if current.daemon_set.is_none() {
                reader.report_at(place, ScenarioProblem::NoDaemonSetThen);
            }
        }
        ScenarioEvent::AddNode(node) => {
            let name = &node.metadata.name;
            if names.has(name) {
                reader.report_at(place, ScenarioProblem::NodeTwice { name: name.clone() });
            }
            names.set(name, true);
        }
        ScenarioEvent::RemoveNode(node) => {
            names.expect(node, place, reader);
            names.set(node, false);
        }
        ScenarioEvent::SetLabel { node, .. }
        | ScenarioEvent::AddTaint { node, .. }
        | ScenarioEvent::RemoveTaint { node, .. }
        | ScenarioEvent::SetUnschedulable { node, .. }
        | ScenarioEvent::SetAllocatable { node, .. }
        | ScenarioEvent::RebootNode { node, .. }
        | ScenarioEvent::SetNodeReady { node, .. } => names.expect(node, place, reader),
        ScenarioEvent::DeletePods { pods, .. }
        | ScenarioEvent::FailPods(pods)
        | ScenarioEvent::WedgePods(pods)
        | ScenarioEvent::SetPodsReady { pods, .. } => match pods {
            PodSelection::OnNode(node) => names.expect(node, place, reader),
            PodSelection::Named(pod) => {
                // Pods that the controller makes are called after the DaemonSet.
                let made = pod.strip_prefix(key.name.as_str()).is_some_and(|rest| rest.starts_with('-'));
                if !made && names.pods.binary_search(pod).is_err() {
                    reader.report_at(place, ScenarioProblem::UnknownPod { name: pod.clone() });
                }
            }
        },
        ScenarioEvent::Behave { nodes: NodeSelection::Named(nodes), .. }
        | ScenarioEvent::Heal(NodeSelection::Named(nodes))
        | ScenarioEvent::FailReadiness { nodes: NodeSelection::Named(nodes), .. } => {
            for node in nodes {
                names.expect(node, place, reader);
            }
        }
        ScenarioEvent::DeleteDaemonSet(_) => {
            if current.daemon_set.is_none() {
                reader.report_at(place, ScenarioProblem::NoDaemonSetThen);
            }
            *current = Current::default();
        }
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
        let mut nodes: Vec<Text> = cluster.nodes.iter().map(|node| node.metadata.name.clone()).collect();
        let mut pods: Vec<Text> = cluster.pods.iter().map(|pod| pod.metadata.name.clone()).collect();
        sort_by(&mut nodes, Ord::cmp);
        sort_by(&mut pods, Ord::cmp);
        Self { nodes, pods, changed: Vec::new() }
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

    fn expect(&self, name: &Text, place: &Place, reader: &mut Reader<'_>) {
        if self.has(name) {
            return;
        }
        // One that has gone is meant as it is written.
        let was_there = self.nodes.binary_search(name).is_ok();
        let nodes = self.nodes.iter().take(NAMES_COMPARED).map(Text::as_str);
        let meant = is_probably(name, nodes).filter(|_| !was_there).map(Text::new);
        reader.report_at(place, ScenarioProblem::UnknownNode { name: name.clone(), meant });
    }
}

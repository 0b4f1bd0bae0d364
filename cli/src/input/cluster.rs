use std::collections::BTreeMap;

use rollcast_core::KubernetesVersion;
use rollcast_core::api::{ControllerRevision, DaemonSet, Event, Node, ObjectKey, ObjectMeta, Pod, PriorityClass, Text};
use rollcast_core::controller::Snapshot;
use rollcast_core::manifest::{Documents, Located, Object, ObjectKind, Problem, Severity};
use rollcast_core::message::Language;
use rollcast_core::report::KindCount;
use rollcast_core::scenario::SCENARIO_KIND;
use serde_json::Value;

use crate::failure::Failure;
use crate::output::print_note;

/// The objects of a cluster, gathered from one or several texts.
#[derive(Debug, Default)]
pub struct Cluster {
    pub priority_classes: Vec<PriorityClass>,
    /// What components told of pods and other objects.
    pub events: Vec<Event>,
    /// DaemonSets as the API server would return them, for those that came in a text of their own.
    pub reviewed: BTreeMap<ObjectKey, Value>,
    /// Texts that hold a DaemonSet which the API server would refuse, and how many errors there are.
    pub refused: Vec<(String, usize)>,
    daemon_sets: BTreeMap<ObjectKey, DaemonSet>,
    nodes: BTreeMap<Text, Node>,
    pods: BTreeMap<ObjectKey, Pod>,
    revisions: BTreeMap<ObjectKey, ControllerRevision>,
    skipped: BTreeMap<Text, u64>,
}

impl Cluster {
    /// Takes in one object; one of the same name gives way to it.
    pub fn add(&mut self, object: Object) {
        match object {
            Object::DaemonSet(daemon_set) => self.add_daemon_set(*daemon_set),
            Object::Node(node) => {
                self.nodes.insert(node.metadata.name.clone(), *node);
            }
            Object::Pod(mut pod) => {
                default_namespace(&mut pod.metadata.namespace);
                pod.metadata.ensure_uid();
                self.pods.insert(pod.metadata.key(), *pod);
            }
            Object::ControllerRevision(mut revision) => {
                default_namespace(&mut revision.metadata.namespace);
                self.revisions.insert(revision.metadata.key(), *revision);
            }
            Object::PriorityClass(class) => self.priority_classes.push(*class),
            Object::Event(event) => self.events.push(*event),
        }
    }

    /// A manifest has no UID: the object it changes keeps its own, and with it its pods.
    fn add_daemon_set(&mut self, mut daemon_set: DaemonSet) {
        default_namespace(&mut daemon_set.metadata.namespace);
        let key = daemon_set.metadata.key();
        if let Some(earlier) = self.daemon_sets.get(&key)
            && daemon_set.metadata.uid.is_empty()
        {
            daemon_set.metadata.uid = earlier.metadata.uid.clone();
        }
        self.daemon_sets.insert(key, daemon_set);
    }

    /// Takes in what was read of a text.
    pub fn add_documents(&mut self, name: &str, documents: Documents) {
        let Documents { objects, skipped, problems } = documents;
        let errors = problems.iter().filter(|problem: &&Problem| problem.kind.severity() == Severity::Error).count();
        if errors > 0 {
            self.refused.push((name.to_owned(), errors));
        }
        for (kind, count) in skipped.iter() {
            self.skip(kind.clone(), u64::from(count));
        }
        for Located { object, reviewed, .. } in objects {
            if let (Object::DaemonSet(daemon_set), Some(reviewed)) = (&object, reviewed) {
                self.reviewed.insert(key_in_default_namespace(&daemon_set.metadata), reviewed);
            }
            self.add(object);
        }
    }

    /// Counts objects of a kind that is not read.
    pub fn skip(&mut self, kind: Text, count: u64) {
        let counter = self.skipped.entry(kind).or_default();
        *counter = counter.saturating_add(count);
    }

    /// Says on standard error what the answer has to do without, or takes as it is although the API server would not.
    pub fn note_what_was_left_out(&self, version: KubernetesVersion, language: Language) {
        for (name, errors) in &self.refused {
            print_note(&refusal_note(name, *errors, version, language), language);
        }
        if self.skipped.contains_key(SCENARIO_KIND) && !self.daemon_sets.is_empty() {
            let text = match language {
                Language::English => "the scenario in the input is left out: one is given by itself, with one -f",
                Language::Chinese => "输入中的场景未被采用：场景须单独用一个 -f 给出",
            };
            print_note(text, language);
        }
    }

    /// Everything there is, by kind.
    pub fn kinds(&self) -> Vec<KindCount> {
        let read = [
            ("DaemonSet", self.daemon_sets.len()),
            ("Node", self.nodes.len()),
            ("Pod", self.pods.len()),
            ("ControllerRevision", self.revisions.len()),
            ("PriorityClass", self.priority_classes.len()),
            ("Event", self.events.len()),
        ];
        let read = read.into_iter().map(|(kind, count)| (kind.to_owned(), u64::try_from(count).unwrap_or(u64::MAX)));
        let skipped = self.skipped.iter().map(|(kind, count)| {
            let is_foreign = ObjectKind::ALL.iter().any(|known| known.name() == kind.as_str());
            (if is_foreign { format!("{kind} (of another API group)") } else { kind.to_string() }, *count)
        });
        let all = read.chain(skipped).filter(|(_, count)| *count > 0);
        all.map(|(kind, count)| KindCount { kind, count }).collect()
    }

    /// The DaemonSet that is meant: the one of that name, or the only one there is.
    pub fn choose(&self, wanted: Option<&str>) -> Result<ObjectKey, Failure> {
        let names = |keys: &mut dyn Iterator<Item = &ObjectKey>| keys.map(ToString::to_string).collect::<Vec<_>>();
        if self.daemon_sets.is_empty() {
            return Err(Failure::NoDaemonSet { found: self.kinds() });
        }
        let Some(wanted) = wanted else {
            let mut keys = self.daemon_sets.keys();
            return match (keys.next(), keys.next()) {
                (Some(only), None) => Ok(only.clone()),
                _ => Err(Failure::SeveralDaemonSets { names: names(&mut self.daemon_sets.keys()) }),
            };
        };
        let matches = |key: &&ObjectKey| match wanted.split_once('/') {
            Some((namespace, name)) => key.namespace == namespace && key.name == name,
            None => key.name == wanted,
        };
        let found: Vec<&ObjectKey> = self.daemon_sets.keys().filter(matches).collect();
        match found.as_slice() {
            [only] => Ok((*only).clone()),
            [] => {
                Err(Failure::UnknownDaemonSet { wanted: wanted.to_owned(), names: names(&mut self.daemon_sets.keys()) })
            }
            several => Err(Failure::SeveralDaemonSets { names: names(&mut several.iter().copied()) }),
        }
    }

    /// Gives DaemonSets from manifests the UID that pods and revisions name as their owner's.
    pub fn find_owners(&mut self) {
        for (key, daemon_set) in &mut self.daemon_sets {
            if !daemon_set.metadata.uid.is_empty() {
                continue;
            }
            let pods = self.pods.values().map(|pod| &pod.metadata);
            let mut objects = pods.chain(self.revisions.values().map(|revision| &revision.metadata));
            let uid = objects.find_map(|metadata| {
                let controller = metadata.controller_owner()?;
                let is_named = controller.kind == "DaemonSet" && controller.name == key.name;
                (is_named && metadata.namespace == key.namespace).then(|| controller.uid.clone())
            });
            daemon_set.metadata.uid = uid.unwrap_or_default();
        }
    }

    /// Whether the DaemonSet of that name, if there is one, selects the pods that it makes.
    pub fn check_playable(&self, key: &ObjectKey) -> Result<(), Failure> {
        let mismatched =
            |daemon_set: &DaemonSet| daemon_set.spec.selector.matches(daemon_set.spec.template.labels()) == Ok(false);
        match self.daemon_set(key) {
            Some(daemon_set) if mismatched(daemon_set) => {
                Err(Failure::SelectorMismatch { daemon_set: key.to_string() })
            }
            _ => Ok(()),
        }
    }

    /// A DaemonSet by name.
    pub fn daemon_set(&self, key: &ObjectKey) -> Option<&DaemonSet> {
        self.daemon_sets.get(key)
    }

    /// Everything that decisions rest on, in order of names.
    pub fn into_snapshot(self) -> Snapshot {
        Snapshot {
            daemon_sets: self.daemon_sets.into_values().collect(),
            nodes: self.nodes.into_values().collect(),
            pods: self.pods.into_values().collect(),
            revisions: self.revisions.into_values().collect(),
        }
    }
}

fn refusal_note(name: &str, errors: usize, version: KubernetesVersion, language: Language) -> String {
    let is_default = version == KubernetesVersion::default();
    let release = if is_default { String::new() } else { format!(" --kubernetes-version {version}") };
    match language {
        Language::English => {
            let errors = if errors == 1 { "an error".to_owned() } else { format!("{errors} errors") };
            format!("the API server would refuse `{name}`, which has {errors}: rollcast check {name}{release}")
        }
        Language::Chinese => {
            format!("API server 会拒绝 `{name}`，其中有 {errors} 个错误：rollcast check {name}{release}")
        }
    }
}

/// The key of an object as kubectl would apply it without `-n`.
pub fn key_in_default_namespace(metadata: &ObjectMeta) -> ObjectKey {
    let mut key = metadata.key();
    default_namespace(&mut key.namespace);
    key
}

/// kubectl's default.
fn default_namespace(namespace: &mut Text) {
    if namespace.is_empty() {
        *namespace = Text::new_static("default");
    }
}

//! Objects of Kubernetes in a scenario: pools of nodes in a few words, manifests as they are applied.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::fields::{Here, Reader};
use super::table::{Field, Slot, optional, required, right};
use crate::api::{DaemonSet, ResourceList, Taint, Text};
use crate::json::gathered;
use crate::manifest::{
    Documents, Located, Object, ObjectKind, Problem, ScenarioProblem, Severity, TreeValue, read_object,
};
use crate::order::sort_by;
use crate::scenario::pool::is_resource;
use crate::scenario::{NodePool, PoolLabel};

/// An object as it was written, and what the API server says to it.
#[derive(Debug)]
pub(super) struct Manifest<'t> {
    pub here: Here<'t>,
    /// The DaemonSet with its defaults, as the API server would return it when it is created.
    pub created: Option<Value>,
    /// What is wrong with it as a new object.
    pub problems: Vec<Problem>,
}

impl Manifest<'_> {
    /// The object as it was written.
    pub fn written(&self) -> Value {
        self.here.tree.to_json()
    }

    /// Reviews a DaemonSet as an update of one that exists: as it would be returned, and what is wrong.
    pub fn updated(&self, reader: &Reader<'_>, before: &Value) -> (Option<Value>, Vec<Problem>) {
        let Reader { text, version, .. } = *reader;
        let Documents { objects, problems, .. } =
            read_object(self.here.tree.clone(), &self.here.path(), text, Some(before), version);
        (objects.into_iter().find_map(|located| located.reviewed), problems)
    }
}

impl<'t> Reader<'t> {
    /// A DaemonSet's manifest.
    pub fn daemon_set(&mut self, here: &Here<'t>) -> Option<(Box<DaemonSet>, Manifest<'t>)> {
        match self.object(here, ObjectKind::DaemonSet)? {
            (Object::DaemonSet(daemon_set), manifest) => Some((daemon_set, manifest)),
            _ => None,
        }
    }

    /// The manifest of an object: a DaemonSet, a node, or a pod of another workload, which says on which node it is.
    pub fn object(&mut self, here: &Here<'t>, wanted: ObjectKind) -> Option<(Object, Manifest<'t>)> {
        let Documents { objects, problems, .. } =
            read_object(here.tree.clone(), &here.path(), self.text, None, self.version);
        let mut objects = objects.into_iter();
        match (objects.next(), objects.next()) {
            (Some(Located { mut object, reviewed, .. }), None)
                if object.kind() == wanted && here.tree.get("items").is_none() =>
            {
                let mut manifest = Manifest { here: *here, created: reviewed, problems };
                if let Object::DaemonSet(daemon_set) = &mut object {
                    // What the API server says to it is not reported yet: it may be an update.
                    default_namespace(&mut daemon_set.metadata.namespace);
                    return Some((object, manifest));
                }
                self.take_over(std::mem::take(&mut manifest.problems));
                if let Object::Pod(pod) = &mut object {
                    default_namespace(&mut pod.metadata.namespace);
                    if pod.spec.node_name.is_empty() {
                        self.report(here, ScenarioProblem::Missing { key: "spec.nodeName" });
                        return None;
                    }
                }
                Some((object, manifest))
            }
            (found, _) => {
                let unreadable = problems.iter().any(|problem| problem.kind.severity() == Severity::Error);
                if found.is_some() || !unreadable {
                    self.report(here, ScenarioProblem::OtherKind { wanted });
                }
                self.take_over(problems);
                None
            }
        }
    }

    /// Pools of nodes.
    pub fn pools(&mut self, here: &Here<'t>) -> Vec<NodePool> {
        let items = self.list(here).unwrap_or_default();
        items.iter().filter_map(|here| self.pool(here)).collect()
    }

    fn pool(&mut self, here: &Here<'t>) -> Option<NodePool> {
        let mut pool = NodePool::default();
        self.fields(here, &mut pool_fields(&mut pool)).then_some(pool)
    }

    /// Keys with a value, or with a list of values that are dealt out in turn; sorted by key.
    pub fn pool_labels(&mut self, here: &Here<'t>) -> Option<Vec<PoolLabel>> {
        let keys = self.map(here)?;
        let mut labels = Vec::new();
        for (entry, here) in keys.iter() {
            self.check_label_key(&here, &entry.key);
            let mut values: Vec<Text> = Vec::new();
            if let TreeValue::Sequence(_) = &here.tree.value {
                let items = self.list(&here).unwrap_or_default();
                if items.is_empty() {
                    self.report(&here, ScenarioProblem::Empty);
                }
                for here in &items {
                    values.extend(self.label_value(here));
                }
            } else {
                values.extend(self.label_value(&here));
            }
            if !values.is_empty() {
                labels.push(PoolLabel { key: Text::new(&entry.key), values });
            }
        }
        sort_by(&mut labels, |one, other| one.key.cmp(&other.key));
        Some(labels)
    }

    /// Amounts of resources on top of those that are there.
    pub fn resources(&mut self, here: &Here<'t>, resources: &mut ResourceList) {
        let Some(keys) = self.map(here) else { return };
        for (entry, here) in keys.iter() {
            if !is_resource(&entry.key) {
                self.report(&here, ScenarioProblem::UnknownResource { written: Text::new(&entry.key) });
            } else if let Some(quantity) = self.quantity(&here) {
                resources.set(Text::new(&entry.key), quantity);
            }
        }
    }
}

fn pool_fields(pool: &mut NodePool) -> [Field<'_>; 7] {
    let NodePool { name, count, allocatable, labels, taints, cordoned, not_ready } = pool;
    [
        required("name", Slot::NodeName(name)),
        right("count", Slot::Number { to: count, least: 1, most: NodePool::LARGEST }),
        optional("allocatable", Slot::Resources(allocatable)),
        optional("labels", Slot::Labels(labels)),
        optional("taints", Slot::Taints(taints)),
        optional("cordoned", Slot::Mark(cordoned)),
        optional("notReady", Slot::Mark(not_ready)),
    ]
}

/// A pool as a scenario file writes it. (The page writes nothing else of one: this spares it the printer of tables, and
/// with `json!` what could go wrong with a value that is not plain.)
pub fn pool_json(pool: &NodePool) -> Value {
    let NodePool { name, count, allocatable, labels, taints, cordoned, not_ready } = pool;
    let mut json = Map::new();
    let mut put = |key: &str, value: Value| drop(json.insert(key.to_owned(), value));
    put("name", string(name));
    put("count", Value::from(*count));
    let mut amounts =
        allocatable.iter().map(|(resource, amount)| (resource.to_string(), Value::String(amount.to_string())));
    put("allocatable", Value::Object(gathered(&mut amounts)));
    if !labels.is_empty() {
        let values = |label: &PoolLabel| match label.values.as_slice() {
            [only] => string(only),
            values => values.iter().map(string).collect(),
        };
        let mut labels = labels.iter().map(|label| (label.key.to_string(), values(label)));
        put("labels", Value::Object(gathered(&mut labels)));
    }
    if !taints.is_empty() {
        put("taints", taints.iter().map(taint_json).collect());
    }
    if *cordoned {
        put("cordoned", Value::Bool(true));
    }
    if *not_ready {
        put("notReady", Value::Bool(true));
    }
    Value::Object(json)
}

fn taint_json(taint: &Taint) -> Value {
    let Taint { key, value, effect } = taint;
    let mut json = Map::new();
    json.insert("key".to_owned(), string(key));
    if !value.is_empty() {
        json.insert("value".to_owned(), string(value));
    }
    json.insert("effect".to_owned(), Value::String(effect.as_str().to_owned()));
    Value::Object(json)
}

fn string(text: &Text) -> Value {
    Value::String(text.to_string())
}

/// An object with its `apiVersion` and `kind`.
pub(super) fn object_json<T: Serialize>(kind: ObjectKind, object: &T) -> Value {
    let mut json = json!(object);
    if let Some(json) = json.as_object_mut() {
        json.insert("apiVersion".to_owned(), kind.api_version().into());
        json.insert("kind".to_owned(), kind.name().into());
    }
    json
}

/// kubectl's default.
pub(super) fn default_namespace(namespace: &mut Text) {
    if namespace.is_empty() {
        *namespace = Text::new_static("default");
    }
}

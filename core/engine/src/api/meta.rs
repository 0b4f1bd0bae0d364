use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize, Serializer};

use super::{Text, is_default};
use crate::json::{Cursor, JsonError, Read, deserialize, fields};
use crate::order::{compare_texts, sort_by_text};
use crate::time::Timestamp;

/// The part of `metav1.ObjectMeta` that rules read.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ObjectMeta {
    /// The name, unique within kind and namespace.
    #[serde(skip_serializing_if = "is_default")]
    pub name: Text,
    /// The prefix that the API server makes a name from when there is none.
    #[serde(skip_serializing_if = "is_default")]
    pub generate_name: Text,
    /// The namespace; empty for cluster-wide kinds.
    #[serde(skip_serializing_if = "is_default")]
    pub namespace: Text,
    /// The identity across time: a recreated object has another one.
    #[serde(skip_serializing_if = "is_default")]
    pub uid: Text,
    /// The version of the stored object.
    #[serde(skip_serializing_if = "is_default")]
    pub resource_version: Text,
    /// Rises by one with every change of the spec.
    #[serde(skip_serializing_if = "is_default")]
    pub generation: i64,
    /// When the object was stored, in whole seconds.
    #[serde(skip_serializing_if = "is_default")]
    pub creation_timestamp: Option<Timestamp>,
    /// When the object is due to be gone; set means it is being deleted.
    #[serde(skip_serializing_if = "is_default")]
    pub deletion_timestamp: Option<Timestamp>,
    /// Who must agree before the object, once it is deleted, is gone.
    #[serde(skip_serializing_if = "is_default")]
    pub finalizers: Box<[Text]>,
    /// Labels.
    #[serde(skip_serializing_if = "is_default")]
    pub labels: Labels,
    /// Annotations.
    #[serde(skip_serializing_if = "is_default")]
    pub annotations: Labels,
    /// The objects this one belongs to.
    #[serde(skip_serializing_if = "is_default")]
    pub owner_references: Vec<OwnerReference>,
}

impl ObjectMeta {
    /// Namespace and name.
    pub fn key(&self) -> ObjectKey {
        ObjectKey { namespace: self.namespace.clone(), name: self.name.clone() }
    }

    /// Orders objects as their keys are ordered, without making those.
    pub fn compare_keys(&self, other: &Self) -> Ordering {
        compare_texts(&self.namespace, &other.namespace).then_with(|| compare_texts(&self.name, &other.name))
    }

    /// Whether these are the object's namespace and name.
    pub fn is_named(&self, key: &ObjectKey) -> bool {
        self.name == key.name && self.namespace == key.namespace
    }

    /// The owner that controls this object, if any (`metav1.GetControllerOf`).
    pub fn controller_owner(&self) -> Option<&OwnerReference> {
        self.owner_references.iter().find(|owner| owner.controller)
    }

    /// Gives an object that a person wrote, without a UID, one of its own: namespace and name. Pods are told apart by it.
    pub fn ensure_uid(&mut self) {
        if self.uid.is_empty() {
            self.uid = Text::from(self.key().to_string());
        }
    }

    /// Whether a deletion timestamp is set.
    pub fn is_being_deleted(&self) -> bool {
        self.deletion_timestamp.is_some()
    }
}

/// Namespace and name of an object; the kind is known from the context.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObjectKey {
    /// The namespace; empty for cluster-wide kinds.
    pub namespace: Text,
    /// The name.
    pub name: Text,
}

impl fmt::Display for ObjectKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.namespace.is_empty() {
            formatter.write_str(&self.name)
        } else {
            write!(formatter, "{}/{}", self.namespace, self.name)
        }
    }
}

/// One entry of `metadata.ownerReferences`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OwnerReference {
    /// Group and version, such as `apps/v1`.
    pub api_version: Text,
    /// Kind, such as `DaemonSet`.
    pub kind: Text,
    /// Name of the owner.
    pub name: Text,
    /// UID of the owner.
    pub uid: Text,
    /// Whether the owner manages this object.
    #[serde(skip_serializing_if = "is_default")]
    pub controller: bool,
    /// Whether a foreground deletion of the owner waits for this object.
    #[serde(skip_serializing_if = "is_default")]
    pub block_owner_deletion: bool,
}

/// A map from text to text, sorted by key: labels and annotations. Clones in constant time.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Labels(Arc<[(Text, Text)]>);

impl Labels {
    /// The value of `key`.
    pub fn get(&self, key: &str) -> Option<&Text> {
        let index = self.0.binary_search_by(|(candidate, _)| candidate.as_str().cmp(key)).ok()?;
        self.0.get(index).map(|(_, value)| value)
    }

    /// Pairs in ascending order of key.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Text, &Text)> + Clone {
        self.0.iter().map(|(key, value)| (key, value))
    }

    /// Number of pairs.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no pairs.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The same map with `key` set to `value`.
    #[must_use]
    pub fn with(&self, key: &str, value: &str) -> Self {
        let mut pairs = self.0.to_vec();
        pairs.push((Text::new(key), Text::new(value)));
        Self::of(pairs)
    }

    /// The same map without `key`.
    #[must_use]
    pub fn without(&self, key: &str) -> Self {
        self.0.iter().filter(|(candidate, _)| candidate != key).cloned().collect()
    }

    /// Sorts by key; of equal keys the last one given wins, as in a decoded JSON object.
    fn of(mut pairs: Vec<(Text, Text)>) -> Self {
        if !pairs.is_sorted_by(|(left, _), (right, _)| left < right) {
            sort_by_text(&mut pairs, |(key, _)| key);
            pairs.dedup_by(|later, earlier| {
                let same = later.0 == earlier.0;
                if same {
                    std::mem::swap(later, earlier);
                }
                same
            });
        }
        Self(pairs.into())
    }
}

impl FromIterator<(Text, Text)> for Labels {
    /// Sorts by key; of equal keys the last one given wins.
    fn from_iter<I: IntoIterator<Item = (Text, Text)>>(pairs: I) -> Self {
        Self::of(pairs.into_iter().collect())
    }
}

impl<'a> FromIterator<(&'a str, &'a str)> for Labels {
    fn from_iter<I: IntoIterator<Item = (&'a str, &'a str)>>(pairs: I) -> Self {
        pairs.into_iter().map(|(key, value)| (Text::new(key), Text::new(value))).collect()
    }
}

impl fmt::Debug for Labels {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_map().entries(self.iter()).finish()
    }
}

impl Serialize for Labels {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl Read for Labels {
    fn read(&mut self, cursor: &mut Cursor<'_>) -> Result<(), JsonError> {
        let mut pairs: Vec<(Text, Text)> = Vec::with_capacity(24);
        cursor.members(&mut |key, cursor| {
            let mut value = Text::default();
            cursor.read(&mut value)?;
            pairs.push((Text::new(key), value));
            Ok(())
        })?;
        *self = Self::of(pairs);
        Ok(())
    }
}

deserialize!(Labels);

fields! {
    ObjectMeta {
        name: "name", generate_name: "generateName", namespace: "namespace", uid: "uid",
        resource_version: "resourceVersion", generation: "generation", creation_timestamp: "creationTimestamp",
        deletion_timestamp: "deletionTimestamp", finalizers: "finalizers", labels: "labels", annotations: "annotations",
        owner_references: "ownerReferences",
    }
    OwnerReference {
        api_version: "apiVersion", kind: "kind", name: "name", uid: "uid", controller: "controller",
        block_owner_deletion: "blockOwnerDeletion",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_sorted_and_the_last_of_equal_keys_wins() {
        let labels: Labels = [("b", "1"), ("a", "2"), ("b", "3")].into_iter().collect();
        assert_eq!(labels.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>(), ["a=2", "b=3"]);
        assert_eq!(labels.get("b").map(Text::as_str), Some("3"));
        assert_eq!(labels.with("a", "9").get("a").map(Text::as_str), Some("9"));
        assert_eq!(labels.without("a").len(), 1);
    }

    #[test]
    fn null_fields_read_as_absent_ones() {
        let metadata: ObjectMeta =
            serde_json::from_str(r#"{"name":"a","labels":null,"creationTimestamp":null,"ownerReferences":null}"#)
                .unwrap();
        assert_eq!(metadata, ObjectMeta { name: "a".into(), ..ObjectMeta::default() });
        assert_eq!(serde_json::to_string(&metadata).unwrap(), r#"{"name":"a"}"#);
    }
}

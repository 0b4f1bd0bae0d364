use serde::Serialize;

use super::{ObjectKey, Text, is_default};
use crate::json::fields;
use crate::time::Timestamp;

/// Something that a component of the cluster told about an object (`v1` Event); the API server keeps it for an hour.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// What it is about.
    pub involved_object: EventObject,
    /// One word, such as `Pulled`.
    pub reason: Text,
    /// A sentence.
    #[serde(skip_serializing_if = "is_default")]
    pub message: Text,
    /// When it was told first.
    #[serde(skip_serializing_if = "is_default")]
    pub first_timestamp: Option<Timestamp>,
    /// When it was told last; the same thing told again is one event.
    #[serde(skip_serializing_if = "is_default")]
    pub last_timestamp: Option<Timestamp>,
    /// When it was told, by components that leave the other two out.
    #[serde(skip_serializing_if = "is_default")]
    pub event_time: Option<Timestamp>,
    /// Who told it.
    #[serde(skip_serializing_if = "is_default")]
    pub source: EventSource,
}

/// The object that an event is about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct EventObject {
    /// Its kind.
    pub kind: Text,
    /// Its namespace.
    #[serde(skip_serializing_if = "is_default")]
    pub namespace: Text,
    /// Its name.
    pub name: Text,
}

/// Who told an event.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct EventSource {
    /// The component, such as `kubelet`.
    #[serde(skip_serializing_if = "is_default")]
    pub component: Text,
    /// The node it runs on.
    #[serde(skip_serializing_if = "is_default")]
    pub host: Text,
}

impl Event {
    /// When it was told last.
    pub fn last_told(&self) -> Option<Timestamp> {
        self.last_timestamp.or(self.event_time).or(self.first_timestamp)
    }
}

impl EventObject {
    /// Namespace and name.
    pub fn key(&self) -> ObjectKey {
        ObjectKey { namespace: self.namespace.clone(), name: self.name.clone() }
    }
}

fields! {
    Event {
        involved_object: "involvedObject", reason: "reason", message: "message", first_timestamp: "firstTimestamp",
        last_timestamp: "lastTimestamp", event_time: "eventTime", source: "source",
    }
    EventObject { kind: "kind", namespace: "namespace", name: "name" }
    EventSource { component: "component", host: "host" }
}

//! Events of fate, of other workloads, of the control plane and of kubectl: each is read and written here, side by side.

use serde_json::{Value, json};

use super::durations::duration_text;
use super::fields::{Here, Reader};
use super::surroundings::control_plane_json;
use crate::api::{ObjectKey, Text};
use crate::sim::{ControlPlane, NodeSelection, ScenarioEvent};

impl<'t> Reader<'t> {
    /// One of these events, by its word; those about named nodes and those with objects are read elsewhere.
    pub fn happening(&mut self, name: &str, here: &Here<'t>) -> Option<ScenarioEvent> {
        Some(match name {
            "heal" => {
                let keys = self.keys(here, &["node", "nodes"])?;
                ScenarioEvent::Heal(self.node_names(&keys).map_or(NodeSelection::All, NodeSelection::Named))
            }
            "failReadiness" => {
                let keys = self.keys(here, &["node", "nodes", "lasts"])?;
                let nodes = self.node_names(&keys).map_or(NodeSelection::All, NodeSelection::Named);
                let lasts = self.required(&keys, "lasts").and_then(|here| self.duration(&here))?;
                ScenarioEvent::FailReadiness { nodes, lasts }
            }
            "removePod" => {
                let keys = self.keys(here, &["namespace", "name"])?;
                let namespace = match keys.get("namespace") {
                    Some(here) => self.word(&here)?,
                    None => Text::new_static("default"),
                };
                ScenarioEvent::RemovePod(ObjectKey { namespace, name: self.required_word(&keys, "name")? })
            }
            "restartController" => {
                let keys = self.keys(here, &["lasts"])?;
                let lasts = match keys.get("lasts") {
                    Some(here) => self.duration(&here)?,
                    None => std::time::Duration::ZERO,
                };
                ScenarioEvent::RestartController { lasts }
            }
            "setControlPlane" => {
                let mut control_plane = ControlPlane::default();
                self.control_plane(here, &mut control_plane);
                ScenarioEvent::SetControlPlane(control_plane)
            }
            "undo" => {
                let keys = self.keys(here, &["toRevision"])?;
                let to_revision = match keys.get("toRevision") {
                    Some(here) => Some(i64::try_from(self.number(&here, 0, u64::MAX >> 1)?).unwrap_or(i64::MAX)),
                    None => None,
                };
                ScenarioEvent::Undo { to_revision }
            }
            "restart" => {
                self.keys(here, &[])?;
                ScenarioEvent::Restart
            }
            _ => {
                let keys = self.keys(here, &["atOnce"])?;
                let at_once = self.required(&keys, "atOnce").and_then(|here| self.small_number(&here, 0, u32::MAX))?;
                ScenarioEvent::DeleteOutdatedPods { at_once }
            }
        })
    }
}

/// The word and the keys of one of these events; nothing for others.
pub(super) fn happening_json(event: &ScenarioEvent) -> Option<(&'static str, Value)> {
    Some(match event {
        ScenarioEvent::Heal(nodes) => ("heal", with_nodes(nodes, json!({}))),
        ScenarioEvent::FailReadiness { nodes, lasts } => {
            ("failReadiness", with_nodes(nodes, json!({"lasts": duration_text(*lasts)})))
        }
        ScenarioEvent::RebootNode { node, lasts } => {
            ("rebootNode", json!({"node": node, "lasts": duration_text(*lasts)}))
        }
        ScenarioEvent::RemovePod(ObjectKey { namespace, name }) => {
            ("removePod", json!({"namespace": namespace, "name": name}))
        }
        ScenarioEvent::RestartController { lasts } => ("restartController", json!({"lasts": duration_text(*lasts)})),
        ScenarioEvent::SetControlPlane(control_plane) => ("setControlPlane", control_plane_json(control_plane)),
        ScenarioEvent::Undo { to_revision: Some(number) } => ("undo", json!({"toRevision": number})),
        ScenarioEvent::Undo { to_revision: None } => ("undo", json!({})),
        ScenarioEvent::Restart => ("restart", json!({})),
        ScenarioEvent::DeleteOutdatedPods { at_once } => ("deleteOutdatedPods", json!({"atOnce": at_once})),
        _ => return None,
    })
}

/// Names the nodes that are meant, unless it is all of them.
pub(super) fn with_nodes(nodes: &NodeSelection, mut what: Value) -> Value {
    if let (NodeSelection::Named(names), Some(what)) = (nodes, what.as_object_mut()) {
        what.insert("nodes".to_owned(), json!(names));
    }
    what
}

//! What a person does with kubectl besides applying: undo, restart, and pods deleted by hand.

use rollcast_engine::api::PodTemplate;
use rollcast_engine::history::template_of;
use rollcast_engine::order::sort_by_key;
use serde_json::{Map, Value};

use crate::people::changed;
use crate::pods::number;
use crate::{EventRefusal, MarkKind, Tile, World};

/// A person who deletes outdated pods, so many at a time, whenever the ones that came in their place are available.
#[derive(Clone, Debug, Default)]
pub(crate) struct ByHand {
    /// How many at a time; 0 for nobody.
    at_once: u32,
    /// Nodes of the last batch.
    batch: Vec<u32>,
    /// The node to go on with.
    next: u32,
}

impl World {
    /// `kubectl rollout undo`: the template of an earlier revision is applied (semantics 3.4).
    pub(crate) fn undo(&mut self, to_revision: Option<i64>) -> Result<(), EventRefusal> {
        let daemon_set = self.daemon_set().ok_or(EventRefusal::NoDaemonSet)?;
        let uid = &daemon_set.metadata.uid;
        let is_own = |owner: &rollcast_engine::api::OwnerReference| owner.uid == *uid;
        let mut own: Vec<_> = self
            .revisions
            .iter()
            .filter(|revision| revision.metadata.controller_owner().is_some_and(is_own))
            .filter(|revision| matches!(daemon_set.spec.selector.matches(&revision.metadata.labels), Ok(true)))
            .collect();
        sort_by_key(&mut own, |revision| revision.revision);
        let found = match to_revision {
            None | Some(0) => own.iter().rev().nth(1).ok_or(EventRefusal::NoEarlierRevision)?,
            Some(wanted) => {
                own.iter().find(|revision| revision.revision == wanted).ok_or(EventRefusal::NoSuchRevision(wanted))?
            }
        };
        let number = found.revision;
        let template = template_of(found).ok_or(EventRefusal::NoSuchRevision(number))?;
        if daemon_set.spec.template == template {
            return Err(EventRefusal::AlreadyAtRevision(number));
        }
        self.replace_template(template);
        Ok(())
    }

    /// `kubectl rollout restart`: an annotation of the template changes, and so every pod is replaced.
    pub(crate) fn restart_rollout(&mut self) -> Result<(), EventRefusal> {
        let daemon_set = self.daemon_set().ok_or(EventRefusal::NoDaemonSet)?;
        let mut json = daemon_set.spec.template.json().clone();
        let now = self.now.truncate_to_seconds().to_string();
        set_annotation(&mut json, "kubectl.kubernetes.io/restartedAt", now);
        if let Ok(template) = PodTemplate::from_json(json) {
            self.replace_template(template);
        }
        Ok(())
    }

    fn replace_template(&mut self, template: PodTemplate) {
        if let Some(stored) = self.daemon_set.take() {
            let mut wanted = (*stored).clone();
            wanted.spec.template = template;
            self.daemon_set = Some(Box::new(changed(*stored, wanted)));
            self.refresh_daemon_set();
            self.observe_daemon_set();
        }
    }

    /// From now on a person deletes outdated pods, so many at a time; 0 ends it.
    pub(crate) fn delete_by_hand(&mut self, at_once: u32) {
        self.by_hand = ByHand { at_once, ..ByHand::default() };
    }

    /// Something from outside happened: every node is worth another look.
    pub(crate) fn look_at_all_nodes_again(&mut self) {
        self.by_hand.next = 0;
    }

    /// The person by hand has a look; says whether something was deleted.
    pub(crate) fn delete_next_batch(&mut self) -> bool {
        if self.by_hand.at_once == 0 || self.daemon_set.is_none() {
            return false;
        }
        let is_done = |node: &u32| matches!(self.tile_of(*node), Tile::NewAvailable | Tile::NotEligible | Tile::Gone);
        if !self.by_hand.batch.iter().all(is_done) {
            return false;
        }
        self.by_hand.batch.clear();
        let mut chosen: Vec<(u32, u32)> = Vec::new();
        let mut node = self.by_hand.next;
        while node < number(self.nodes.len()) && number(self.by_hand.batch.len()) < self.by_hand.at_once {
            let should_run = self.nodes.get(node).is_some_and(|state| state.eligibility.should_run);
            if should_run && self.is_in_reach(node) {
                let live = self.live_pods_on(node);
                let is_outdated = |slot: &u32| {
                    let class = self.pods.get(*slot).map(|pod| self.class(pod.make));
                    class.is_some_and(|class| class.owned && !class.new)
                };
                let outdated = live.into_iter().filter(is_outdated);
                let before = chosen.len();
                chosen.extend(outdated.map(|slot| (node, slot)));
                if chosen.len() > before {
                    self.by_hand.batch.push(node);
                }
            }
            node += 1;
        }
        self.by_hand.next = node;
        let Some((first, _)) = chosen.first() else { return false };
        let name = self.nodes.get(*first).map(|state| state.name.clone()).unwrap_or_default();
        self.recorder.mark(self.elapsed(), MarkKind::PodDeleted, name);
        for (_, slot) in chosen {
            self.delete(slot);
        }
        true
    }
}

/// Sets an annotation of an object; its metadata and annotations may be absent or null.
fn set_annotation(object: &mut Value, key: &str, value: String) {
    let annotations = member(object, "metadata").and_then(|metadata| member(metadata, "annotations"));
    if let Some(annotations) = annotations.and_then(Value::as_object_mut) {
        annotations.insert(key.to_owned(), Value::String(value));
    }
}

/// The member of a map that is a map itself, made when it is not there.
fn member<'a>(value: &'a mut Value, key: &str) -> Option<&'a mut Value> {
    let map = value.as_object_mut()?;
    if !map.get(key).is_some_and(Value::is_object) {
        map.insert(key.to_owned(), Value::Object(Map::new()));
    }
    map.get_mut(key)
}

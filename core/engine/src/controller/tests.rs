use std::time::Duration;

use serde_json::json;

use super::*;
use crate::api::{ControllerRevision, DaemonSet, Node, Pod};

const NOW: Timestamp = Timestamp::from_seconds(1_000_000);

fn later(seconds: u64) -> Timestamp {
    NOW.saturating_add(Duration::from_secs(seconds))
}

fn daemon_set(name: &str) -> DaemonSet {
    serde_json::from_value(json!({
        "metadata": {"name": name, "namespace": "a", "uid": format!("uid-{name}"), "generation": 1},
        "spec": {
            "selector": {"matchLabels": {"app": "agent"}},
            "template": {
                "metadata": {"labels": {"app": "agent"}},
                "spec": {"containers": [{"name": "main", "image": "v1"}], "nodeSelector": {"pool": "blue"}},
            },
        },
    }))
    .unwrap()
}

fn node(name: &str, pool: &str) -> Node {
    serde_json::from_value(json!({"metadata": {"name": name, "uid": name, "labels": {"pool": pool}}})).unwrap()
}

fn pod(name: &str, node: &str, owner: Option<&str>) -> Pod {
    let owners = owner
        .map(|name| json!([{"kind": "DaemonSet", "name": name, "uid": format!("uid-{name}"), "controller": true}]));
    serde_json::from_value(json!({
        "metadata": {"name": name, "namespace": "a", "uid": format!("uid-{name}"), "labels": {"app": "agent"},
                     "ownerReferences": owners},
        "spec": {"nodeName": node}, "status": {"phase": "Running"},
    }))
    .unwrap()
}

fn key(name: &str) -> ObjectKey {
    ObjectKey { namespace: "a".into(), name: name.into() }
}

fn snapshot(daemon_sets: &[&str], nodes: Vec<Node>) -> Change {
    let daemon_sets = daemon_sets.iter().map(|name| daemon_set(name)).collect();
    Change::Reset(Box::new(Snapshot { daemon_sets, nodes, ..Snapshot::default() }))
}

/// A controller that has looked at everything, its decisions reported with `outcome`.
fn settled(change: Change, outcome: &Outcome) -> Controller {
    let mut controller = Controller::default();
    controller.observe(change);
    while finish(&mut controller, NOW, outcome).is_some() {}
    controller
}

/// One sync; its decisions reported with `outcome`, the revision it creates and the status it writes seen.
fn finish(controller: &mut Controller, now: Timestamp, outcome: &Outcome) -> Option<Step> {
    let step = controller.step(now);
    let daemon_set = step.daemon_set.clone()?;
    for decision in step.batches.iter().flat_map(|batch| &batch.decisions) {
        controller.complete(now, decision.id, outcome.clone());
        match &decision.action {
            Action::CreateRevision(revision) => _ = controller.observe(Change::Revision(revision.clone())),
            Action::UpdateStatus(status) => {
                let mut object = controller.view(&daemon_set).unwrap().daemon_set().clone();
                object.status = status.clone();
                if object.status != controller.view(&daemon_set).unwrap().daemon_set().status {
                    controller.observe(Change::DaemonSet(Box::new(object)));
                }
            }
            _ => {}
        }
    }
    Some(step)
}

fn is_enqueued(controller: &mut Controller, daemon_set: &str) -> bool {
    controller.step(NOW).daemon_set == Some(key(daemon_set))
}

fn created(step: &Step) -> Vec<(String, String)> {
    let decisions = step.batches.iter().flat_map(|batch| &batch.decisions);
    decisions
        .filter_map(|decision| match &decision.action {
            Action::CreatePod { node, name, .. } => Some((node.to_string(), name.to_string())),
            _ => None,
        })
        .collect()
}

#[test]
fn a_node_update_enqueues_only_those_whom_its_labels_or_taints_concern() {
    let base = || settled(snapshot(&["agent"], vec![node("n", "red")]), &Outcome::Applied);
    let after = |changed: Node| {
        let mut controller = base();
        controller.observe(Change::Node(Box::new(changed)));
        is_enqueued(&mut controller, "agent")
    };
    assert!(!after(node("n", "red")), "nothing changed");
    assert!(!after(node("n", "green")), "still not its node");
    assert!(after(node("n", "blue")), "a pod belongs there");
    let mut cordoned = node("n", "red");
    cordoned.spec.unschedulable = true;
    assert!(!after(cordoned));
}

#[test]
fn a_node_that_must_not_run_the_pod_any_more_enqueues_its_owner() {
    let mut controller = settled(snapshot(&["agent"], vec![node("n", "blue")]), &Outcome::Applied);
    let revision = controller.view(&key("agent")).unwrap().target().revision.clone();
    let mut new = pod("p", "n", Some("agent"));
    new.metadata.labels = new.metadata.labels.with(Pod::REVISION_HASH_LABEL, &revision);
    controller.observe(Change::Pod(Box::new(new)));
    while finish(&mut controller, NOW, &Outcome::Applied).is_some() {}
    controller.observe(Change::Node(Box::new(node("n", "red"))));
    let step = finish(&mut controller, NOW, &Outcome::Applied).unwrap();
    let deleted = step.batches.iter().find(|batch| batch.kind == BatchKind::Delete).unwrap();
    assert!(matches!(&deleted.decisions[0].reason, Reason::NodeMustNotRun(why) if why.len() == 1));
}

#[test]
fn an_orphan_wakes_those_who_select_it_and_is_adopted_by_the_first() {
    let mut controller = settled(snapshot(&["one", "two"], vec![]), &Outcome::Applied);
    controller.observe(Change::Pod(Box::new(pod("p", "n", None))));
    let adopts = |step: &Step| {
        step.batches
            .iter()
            .flat_map(|batch| &batch.decisions)
            .any(|decision| matches!(&decision.action, Action::AdoptPod { pod } if pod.name == "p"))
    };
    let first = finish(&mut controller, NOW, &Outcome::Applied).unwrap();
    let second = finish(&mut controller, NOW, &Outcome::Applied).unwrap();
    assert_eq!((first.daemon_set.clone(), adopts(&first)), (Some(key("one")), true));
    assert_eq!((second.daemon_set.clone(), adopts(&second)), (Some(key("two")), false));

    while finish(&mut controller, NOW, &Outcome::Applied).is_some() {}
    controller.observe(Change::Pod(Box::new(pod("p", "n", None))));
    assert!(!is_enqueued(&mut controller, "one"), "neither labels nor owner changed");
    controller.observe(Change::PodGone(PodKey { namespace: "a".into(), name: "p".into(), uid: "uid-p".into() }));
    assert_eq!(controller.step(NOW).daemon_set, None, "an orphan's end concerns nobody");
}

#[test]
fn a_pod_that_changes_its_owner_wakes_both() {
    let mut controller = settled(snapshot(&["one", "two"], vec![]), &Outcome::Applied);
    controller.observe(Change::Pod(Box::new(pod("p", "n", Some("two")))));
    while finish(&mut controller, NOW, &Outcome::Applied).is_some() {}
    controller.observe(Change::Pod(Box::new(pod("p", "n", Some("one")))));
    let mut woken = [controller.step(NOW), controller.step(NOW)].map(|step| step.daemon_set.unwrap().name);
    woken.sort();
    assert_eq!(woken, ["one", "two"]);
}

#[test]
fn a_refused_decision_repeats_the_sync_after_a_rising_delay() {
    let mut controller = Controller::default();
    controller.observe(snapshot(&["agent"], vec![node("n", "blue")]));
    let mut now = NOW;
    for expected in [5, 10, 20] {
        let step = controller.step(now);
        assert!(controller.step(now).daemon_set.is_none(), "not again before its outcomes are reported");
        let mut asked = None;
        for decision in step.batches.iter().flat_map(|batch| &batch.decisions) {
            asked = controller.complete(now, decision.id, Outcome::Rejected(Rejection::Forbidden));
        }
        let after = Duration::from_millis(expected);
        assert_eq!(asked, Some(Requeue { after, reason: RequeueReason::Error }));
        assert_eq!(controller.step(now).wake_at, Some(now.saturating_add(after)));
        now = now.saturating_add(after);
    }
}

#[test]
fn the_same_creation_has_the_same_name_until_it_is_seen() {
    let mut controller = Controller::default();
    controller.observe(snapshot(&["agent"], vec![node("n", "blue")]));
    let first = created(&finish(&mut controller, NOW, &Outcome::Unknown).unwrap());
    assert_eq!(first.len(), 1);
    while finish(&mut controller, NOW, &Outcome::Unknown).is_some() {}
    let wait = controller.waiting_on(&key("agent")).first().cloned();
    assert_eq!(wait, Some(WaitingOn::Expectations { creations: 1, deletions: 0 }));
    // Nobody saw it for five minutes.
    let step = finish(&mut controller, later(301), &Outcome::Unknown).unwrap();
    assert_eq!(created(&step), first);

    let name = first[0].1.as_str();
    controller.observe(Change::Pod(Box::new(pod(name, "n", Some("agent")))));
    assert!(created(&finish(&mut controller, later(302), &Outcome::Applied).unwrap()).is_empty());
    // While it is being deleted its name is taken.
    let mut ended = pod(name, "n", Some("agent"));
    ended.metadata.deletion_timestamp = Some(NOW);
    ended.status.phase = crate::api::PodPhase::Failed;
    controller.observe(Change::Pod(Box::new(ended)));
    let taken = Outcome::Rejected(Rejection::AlreadyExists);
    let second = created(&finish(&mut controller, later(303), &taken).unwrap());
    assert_eq!(second, first, "it was given twice: another pod may have it");
    let third = created(&finish(&mut controller, later(304), &Outcome::Applied).unwrap());
    assert_eq!((third.len(), third[0].1 == name), (1, false));
}

/// A surging DaemonSet on one node, where a creation was decided and not seen for five minutes.
fn lapsed_with_surge() -> (Controller, String) {
    let mut object = daemon_set("agent");
    object.spec.update_strategy.rolling_update.max_unavailable = crate::api::IntOrString::Int(0);
    object.spec.update_strategy.rolling_update.max_surge = crate::api::IntOrString::Int(1);
    let mut controller = Controller::default();
    let (daemon_sets, nodes) = (vec![object], vec![node("n", "blue")]);
    controller.observe(Change::Reset(Box::new(Snapshot { daemon_sets, nodes, ..Snapshot::default() })));
    let name = created(&finish(&mut controller, NOW, &Outcome::Applied).unwrap())[0].1.clone();
    while finish(&mut controller, NOW, &Outcome::Applied).is_some() {}
    controller.enqueue(&key("agent"));
    (controller, name)
}

fn see(controller: &mut Controller, name: &str, uid: &str, deleting: bool) {
    let mut seen = pod(name, "n", Some("agent"));
    let revision = controller.view(&key("agent")).unwrap().target().revision.clone();
    seen.metadata.labels = seen.metadata.labels.with(Pod::REVISION_HASH_LABEL, &revision);
    seen.metadata.uid = uid.into();
    seen.metadata.deletion_timestamp = deleting.then_some(NOW);
    controller.observe(Change::Pod(Box::new(seen)));
}

fn is_gone(controller: &mut Controller, name: &str, uid: &str) {
    controller.observe(Change::PodGone(PodKey { namespace: "a".into(), name: name.into(), uid: uid.into() }));
}

#[test]
fn a_pod_seen_at_last_may_not_be_the_newest_of_its_name() {
    let (mut controller, name) = lapsed_with_surge();
    // The first pod is gone by now, and another one takes its name.
    assert_eq!(created(&finish(&mut controller, later(301), &Outcome::Applied).unwrap())[0].1, name);
    see(&mut controller, &name, "first", false);
    see(&mut controller, &name, "first", true);
    let again = created(&finish(&mut controller, later(302), &Outcome::Applied).unwrap());
    assert_eq!(again.len(), 1);
    assert_eq!(again[0].1, name, "the second pod may be there");
    is_gone(&mut controller, &name, "first");
    see(&mut controller, &name, "second", false);
    assert!(created(&finish(&mut controller, later(303), &Outcome::Applied).unwrap()).is_empty());
}

#[test]
fn a_name_that_an_ending_pod_has_is_not_given_for_ever() {
    let (mut controller, name) = lapsed_with_surge();
    assert_eq!(created(&finish(&mut controller, later(301), &Outcome::Applied).unwrap())[0].1, name);
    see(&mut controller, &name, "first", true);
    let taken = Outcome::Rejected(Rejection::AlreadyExists);
    assert_eq!(created(&finish(&mut controller, later(602), &taken).unwrap())[0].1, name);
    let other = created(&finish(&mut controller, later(603), &Outcome::Applied).unwrap());
    assert_eq!((other.len(), other[0].1 == name), (1, false));
}

#[test]
fn a_later_name_is_kept_although_an_earlier_one_is_free_again() {
    let (mut controller, first) = lapsed_with_surge();
    see(&mut controller, &first, "first", false);
    see(&mut controller, &first, "first", true);
    let second = created(&finish(&mut controller, later(1), &Outcome::Unknown).unwrap());
    assert_ne!(second[0].1, first);
    is_gone(&mut controller, &first, "first");
    while finish(&mut controller, later(1), &Outcome::Applied).is_some() {}
    assert_eq!(created(&finish(&mut controller, later(302), &Outcome::Applied).unwrap()), second);
    see(&mut controller, &second[0].1, "second", false);
    see(&mut controller, &second[0].1, "third", true);
    let last = created(&finish(&mut controller, later(303), &Outcome::Applied).unwrap());
    assert_eq!(last[0].1, first, "all are accounted for");
}

#[test]
fn a_daemon_set_made_anew_under_the_same_name_expects_nothing() {
    let mut controller = settled(snapshot(&["agent"], vec![node("n", "blue")]), &Outcome::Applied);
    assert_eq!(controller.expectations(&key("agent")).creations, 1);
    let mut again = daemon_set("agent");
    again.metadata.uid = "another".into();
    controller.observe(Change::DaemonSet(Box::new(again)));
    assert_eq!(controller.expectations(&key("agent")), Expectations::default());
    assert_eq!(created(&controller.step(NOW)).len(), 1);
}

#[test]
fn a_revision_name_that_is_taken_raises_the_collision_count_and_ends_the_sync() {
    let mut controller = Controller::default();
    controller.observe(snapshot(&["agent"], vec![node("n", "blue")]));
    let step = controller.step(NOW);
    let Action::CreateRevision(wanted) = &step.batches[0].decisions[0].action else { panic!("{step:?}") };
    let mut taken: ControllerRevision = (**wanted).clone();
    taken.metadata.owner_references.clear();
    taken.metadata.labels = [("app", "other")].into_iter().collect();
    taken.data = json!({"spec": {"template": {}}});

    let mut controller = Controller::default();
    controller.observe(snapshot(&["agent"], vec![node("n", "blue")]));
    controller.observe(Change::Revision(Box::new(taken)));
    let step = finish(&mut controller, NOW, &Outcome::Applied).unwrap();
    assert_eq!(step.error, Some(SyncError::NameCollision { revision: wanted.metadata.name.clone() }));
    assert!(created(&step).is_empty());
    assert_eq!(step.requeues.last().unwrap().reason, RequeueReason::Error);
    let next = finish(&mut controller, NOW, &Outcome::Applied).unwrap();
    assert_eq!((&next.error, created(&next).len()), (&None, 1));
}

#[test]
fn nodes_are_taken_in_order_of_their_names_however_they_came() {
    let mut controller = settled(snapshot(&["agent"], vec![]), &Outcome::Applied);
    for name in ["m", "z", "a", "k"] {
        controller.observe(Change::Node(Box::new(node(name, "blue"))));
    }
    let nodes = |step: &Step| created(step).into_iter().map(|(node, _)| node).collect::<Vec<_>>();
    let step = finish(&mut controller, NOW, &Outcome::Rejected(Rejection::Forbidden)).unwrap();
    assert_eq!(nodes(&step), ["a", "k", "m", "z"]);
    controller.observe(Change::NodeGone("k".into()));
    controller.observe(Change::Node(Box::new(node("b", "blue"))));
    let step = finish(&mut controller, later(1), &Outcome::Applied).unwrap();
    assert_eq!(nodes(&step), ["a", "b", "m", "z"]);
    let sizes: Vec<usize> = step
        .batches
        .iter()
        .filter(|batch| batch.kind == BatchKind::Create)
        .map(|batch| batch.decisions.len())
        .collect();
    assert_eq!(sizes, [1, 2, 1]);
}

#[test]
fn a_pod_wakes_the_controller_at_the_moment_it_becomes_available() {
    let mut object = daemon_set("agent");
    object.spec.min_ready_seconds = 30;
    let mut controller = settled(
        Change::Reset(Box::new(Snapshot {
            daemon_sets: vec![object],
            nodes: vec![node("n", "blue")],
            ..Snapshot::default()
        })),
        &Outcome::Applied,
    );
    let running = pod("p", "n", Some("agent"));
    controller.observe(Change::Pod(Box::new(running.clone())));
    let mut ready = running;
    ready.status.conditions =
        serde_json::from_value(json!([{"type": "Ready", "status": "True", "lastTransitionTime": NOW}])).unwrap();
    let asked = controller.observe(Change::Pod(Box::new(ready)));
    assert_eq!(asked.map(|requeue| requeue.after), Some(Duration::from_secs(31)));
    while finish(&mut controller, NOW, &Outcome::Applied).is_some() {}
    assert_eq!(controller.step(NOW).wake_at, Some(later(30)));
    assert_eq!(controller.step(later(29)).daemon_set, None);
    let step = controller.step(later(30));
    let status = step.batches.iter().flat_map(|batch| &batch.decisions).find_map(|decision| match &decision.action {
        Action::UpdateStatus(status) => Some(status.number_available),
        _ => None,
    });
    assert_eq!(status, Some(1));
}

#[test]
fn events_go_with_outcomes() {
    let create = Action::CreatePod { node: "n".into(), name: "p".into(), revision: "r".into() };
    let delete = Action::DeletePod { pod: PodKey::default(), node: "n".into() };
    let event = |action, outcome| event_of(action, &outcome).map(|(_, event)| event.as_str());
    assert_eq!(event(&create, Outcome::Applied), Some("SuccessfulCreate"));
    assert_eq!(event(&create, Outcome::Rejected(Rejection::Forbidden)), Some("FailedCreate"));
    assert_eq!(event(&create, Outcome::Rejected(Rejection::NamespaceTerminating)), None);
    assert_eq!(event(&delete, Outcome::Applied), Some("SuccessfulDelete"));
    assert_eq!(event(&delete, Outcome::Rejected(Rejection::NotFound)), None);
    assert_eq!(event(&delete, Outcome::Rejected(Rejection::Other)), Some("FailedDelete"));
    assert_eq!(event(&delete, Outcome::Skipped), None);
}

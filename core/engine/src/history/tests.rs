use serde_json::json;

use super::*;

fn daemon_set(image: &str) -> DaemonSet {
    serde_json::from_value(json!({
        "metadata": {"name": "agent", "namespace": "a", "uid": "1", "annotations": {"kubernetes.io/change-cause": "why"}},
        "spec": {
            "selector": {"matchLabels": {"app": "agent"}},
            "template": {"metadata": {"labels": {"app": "agent"}}, "spec": {"containers": [{"name": "main", "image": image}]}},
        },
    }))
    .unwrap()
}

/// A revision of an image, owned by the DaemonSet, with a hash that is its number in words.
fn revision(number: i64, hash: &str, image: &str) -> StoredRevision {
    let daemon_set = daemon_set(image);
    StoredRevision::of(ControllerRevision {
        metadata: ObjectMeta {
            name: format!("agent-{hash}").into(),
            namespace: "a".into(),
            labels: [("app", "agent"), (Pod::REVISION_HASH_LABEL, hash)].into_iter().collect(),
            owner_references: vec![owner_reference(&daemon_set)],
            ..ObjectMeta::default()
        },
        data: template_patch(daemon_set.spec.template.json()),
        revision: number,
    })
}

fn built(daemon_set: &DaemonSet, revisions: &[StoredRevision]) -> History {
    let patch = go_json(&template_patch(daemon_set.spec.template.json()));
    history(daemon_set, &patch, revisions)
}

fn key(name: &str) -> ObjectKey {
    ObjectKey { namespace: "a".into(), name: name.into() }
}

#[test]
fn a_new_template_gets_a_revision_with_the_next_number() {
    let history = built(&daemon_set("v2"), &[revision(4, "one", "v1")]);
    let [RevisionChange::Create(created)] = history.changes.as_slice() else { panic!("{:?}", history.changes) };
    assert_eq!(created.revision, 5);
    assert_eq!(created.metadata.name, format!("agent-{}", history.current));
    assert_eq!(created.metadata.labels.get("app").unwrap(), "agent");
    assert_eq!(created.metadata.labels.get(Pod::REVISION_HASH_LABEL), Some(&history.current));
    assert_eq!(created.metadata.annotations.get("kubernetes.io/change-cause").unwrap(), "why");
    assert_eq!(created.metadata.controller_owner().unwrap().uid, "1");
    assert_eq!(StoredRevision::of((**created).clone()).template().unwrap().labels().len(), 1);
}

#[test]
fn the_first_revision_has_number_1() {
    let history = built(&daemon_set("v1"), &[]);
    assert!(matches!(history.changes.as_slice(), [RevisionChange::Create(created)] if created.revision == 1));
}

#[test]
fn a_template_that_is_back_renumbers_its_revision() {
    let history = built(&daemon_set("v1"), &[revision(1, "one", "v1"), revision(2, "two", "v2")]);
    assert_eq!(history.current, "one");
    assert_eq!(history.changes, [RevisionChange::Renumber { revision: key("agent-one"), number: 3 }]);
    assert_eq!(history.old.iter().map(|old| old.number).collect::<Vec<_>>(), [2]);
}

#[test]
fn of_two_revisions_with_one_template_the_higher_is_kept_and_pods_relabelled() {
    let revisions = [revision(1, "one", "v1"), revision(2, "other", "v0"), revision(3, "three", "v1")];
    let history = built(&daemon_set("v1"), &revisions);
    assert_eq!((history.current.as_str(), history.relabel_pods), ("three", true));
    assert_eq!(history.changes, [RevisionChange::DeleteDuplicate(key("agent-one"))]);
}

#[test]
fn of_equal_numbers_the_last_by_name_is_kept() {
    let history = built(&daemon_set("v1"), &[revision(1, "a", "v1"), revision(1, "b", "v1")]);
    assert_eq!(history.current, "b");
}

#[test]
fn matching_orphans_are_adopted_and_others_released() {
    let mut orphan = revision(1, "one", "v1");
    orphan.object.metadata.owner_references.clear();
    let mut other = revision(2, "two", "v2");
    other.object.metadata.labels = other.object.metadata.labels.with("app", "other");
    let mut foreign = revision(3, "three", "v3");
    foreign.object.metadata.owner_references[0].uid = "2".into();
    let mut elsewhere = revision(4, "four", "v4");
    elsewhere.object.metadata.namespace = "b".into();
    let history = built(&daemon_set("v1"), &[orphan, other, foreign, elsewhere]);
    assert_eq!(history.changes, [RevisionChange::Adopt(key("agent-one")), RevisionChange::Release(key("agent-two"))]);
    assert_eq!((history.current.as_str(), history.old.len()), ("one", 0));
}

#[test]
fn a_revision_without_a_hash_label_is_labelled_with_its_name() {
    let mut unlabelled = revision(1, "one", "v1");
    unlabelled.object.metadata.labels = unlabelled.object.metadata.labels.without(Pod::REVISION_HASH_LABEL);
    let history = built(&daemon_set("v1"), &[unlabelled]);
    assert_eq!(history.changes, [RevisionChange::Label(key("agent-one"))]);
    assert_eq!(history.current, "agent-one");
}

#[test]
fn a_name_taken_by_another_template_is_a_collision_and_the_next_name_differs() {
    let mut daemon_set = daemon_set("v2");
    let taken = |daemon_set: &DaemonSet, image: &str| {
        let patch = go_json(&template_patch(daemon_set.spec.template.json()));
        let mut taken = revision(1, &revision_hash(&patch, daemon_set.status.collision_count), image);
        taken.object.metadata.owner_references[0].uid = "2".into();
        taken
    };
    let occupant = taken(&daemon_set, "v1");
    let history = built(&daemon_set, std::slice::from_ref(&occupant));
    assert_eq!(history.collision, Some(1));
    assert_eq!(history.collision_name, occupant.object.metadata.name);
    assert_eq!(history.current, "");

    daemon_set.status.collision_count = Some(1);
    let history = built(&daemon_set, std::slice::from_ref(&occupant));
    assert_eq!(history.collision, None);
    assert!(matches!(history.changes.as_slice(), [RevisionChange::Create(_)]));

    // Of the same template it is used as it is, whoever owns it.
    daemon_set.status.collision_count = None;
    let occupant = taken(&daemon_set, "v2");
    let history = built(&daemon_set, std::slice::from_ref(&occupant));
    assert_eq!((history.collision, &history.current), (None, occupant.hash()));
    assert_eq!(history.changes, []);
}

#[test]
fn unused_revisions_beyond_the_limit_go_oldest_first() {
    let old: Vec<OldRevision> = (1..=5)
        .map(|number| OldRevision { key: key(&format!("agent-{number}")), number, hash: number.to_string().into() })
        .collect();
    let in_use = [(Text::new("1"), 3)];
    let deleted =
        |limit| -> Vec<i64> { revisions_to_delete(&old, limit, &in_use).map(|revision| revision.number).collect() };
    assert_eq!(deleted(Some(3)), [2, 3]);
    assert_eq!(deleted(Some(0)), [2, 3, 4, 5]);
    assert_eq!(deleted(Some(5)), [] as [i64; 0]);
    assert_eq!(deleted(None), [] as [i64; 0]);
}

#[test]
fn rollout_history_lists_its_own_revisions_in_order() {
    let mut described = revision(2, "two", "v2");
    described.object.metadata.annotations = [("kubernetes.io/change-cause", "because")].into_iter().collect();
    let mut foreign = revision(3, "three", "v3");
    foreign.object.metadata.owner_references[0].uid = "2".into();
    let revisions = [described, foreign, revision(1, "one", "v1")];
    let entries = rollout_history(&daemon_set("v2"), &revisions);
    let lines: Vec<(i64, Option<&str>)> =
        entries.iter().map(|entry| (entry.number, entry.change_cause.map(Text::as_str))).collect();
    assert_eq!(lines, [(1, None), (2, Some("because"))]);
}

#[test]
fn rollout_undo_goes_back_to_the_revision_before_the_newest_or_to_the_one_asked_for() {
    let revisions = [revision(1, "one", "v1"), revision(3, "three", "v3"), revision(4, "four", "v4")];
    let undone = |number| match rollout_undo(&daemon_set("v4"), &revisions, number) {
        Undo::RollBack { number, template } => Ok((number, template.spec().containers[0].image.to_string())),
        other => Err(other),
    };
    assert_eq!(undone(0), Ok((3, "v3".to_owned())));
    assert_eq!(undone(1), Ok((1, "v1".to_owned())));
    assert_eq!(undone(4), Err(Undo::AlreadyThere { number: 4 }));
    assert_eq!(undone(2), Err(Undo::NotFound { number: 2 }));
    assert_eq!(undone(-1), Err(Undo::NotFound { number: -1 }));
    assert_eq!(rollout_undo(&daemon_set("v1"), &revisions[..1], 0), Undo::NotFound { number: 0 });
}

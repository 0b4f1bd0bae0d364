use std::time::Duration;

use super::*;

fn pod(name: &str, revision: &str) -> PodFacts {
    PodFacts {
        name: name.into(),
        revision: revision.into(),
        phase: PodPhase::Running,
        bound: true,
        ready: true,
        ready_transition: Some(Timestamp::from_seconds(100)),
        ..PodFacts::default()
    }
}

fn planned(standing: Standing, pods: &[PodFacts], target: &Target) -> (bool, Vec<(String, Removal)>, Vec<String>) {
    let plan = plan_node(standing, pods.iter(), target, Timestamp::from_seconds(110));
    let delete = plan.delete.iter().map(|(pod, removal)| (pod.name.to_string(), *removal)).collect();
    (plan.create, delete, plan.failed.iter().map(|pod| pod.name.to_string()).collect())
}

fn target(allows_surge: bool) -> Target {
    Target { revision: "new".into(), allows_surge, min_ready: Duration::from_secs(15), ..Target::default() }
}

fn deletes(name: &str, removal: Removal) -> (bool, Vec<(String, Removal)>, Vec<String>) {
    (false, vec![(name.to_owned(), removal)], Vec::new())
}

const NOTHING: (bool, Vec<(String, Removal)>, Vec<String>) = (false, Vec::new(), Vec::new());

#[test]
fn an_empty_node_gets_a_pod_only_where_it_should_run() {
    for (standing, creates) in
        [(Standing::Run, true), (Standing::KeepRunning, false), (Standing::Exclude, false), (Standing::Gone, false)]
    {
        assert_eq!(planned(standing, &[], &target(false)).0, creates);
    }
}

#[test]
fn without_surge_nothing_is_created_beside_a_pod_that_goes() {
    let terminating = PodFacts { deleting: true, ..pod("a", "old") };
    let failed = PodFacts { phase: PodPhase::Failed, ..pod("a", "old") };
    assert_eq!(planned(Standing::Run, std::slice::from_ref(&terminating), &target(false)), NOTHING);
    assert!(planned(Standing::Run, &[terminating], &target(true)).0);
    let left = (false, Vec::new(), vec!["a".to_owned()]);
    assert_eq!(planned(Standing::Run, std::slice::from_ref(&failed), &target(false)), left);
    assert_eq!(planned(Standing::Run, &[failed], &target(true)), (true, Vec::new(), vec!["a".to_owned()]));
}

#[test]
fn a_pod_that_ended_well_is_deleted_at_once() {
    let succeeded = PodFacts { phase: PodPhase::Succeeded, ..pod("a", "new") };
    assert_eq!(planned(Standing::KeepRunning, &[succeeded], &target(false)), deletes("a", Removal::Succeeded));
}

#[test]
fn without_surge_only_the_first_live_pod_stays() {
    let pods = [pod("a", "old"), pod("b", "new")];
    assert_eq!(planned(Standing::Run, &pods, &target(false)), deletes("b", Removal::Excess));
}

#[test]
fn with_surge_the_old_pod_stays_until_the_new_one_is_available() {
    let new = pod("b", "new");
    assert_eq!(planned(Standing::Run, &[pod("a", "old"), new.clone()], &target(true)), NOTHING);
    let quick = Target { min_ready: Duration::from_secs(10), ..target(true) };
    assert_eq!(planned(Standing::Run, &[pod("a", "old"), new.clone()], &quick), deletes("a", Removal::NewAvailable));
    let unready = PodFacts { ready: false, ..pod("a", "old") };
    assert_eq!(planned(Standing::Run, &[unready, new], &target(true)), deletes("a", Removal::NotReadyBesideNew));
}

#[test]
fn where_no_pod_may_be_all_go_but_those_that_are_going() {
    let pods = [pod("a", "new"), PodFacts { deleting: true, ..pod("b", "new") }];
    assert_eq!(planned(Standing::Exclude, &pods, &target(false)), deletes("a", Removal::Misplaced));
}

#[test]
fn on_a_node_that_is_gone_only_pods_that_were_never_bound_are_deleted() {
    let pods = [pod("a", "new"), PodFacts { bound: false, ..pod("b", "new") }];
    assert_eq!(planned(Standing::Gone, &pods, &target(false)), deletes("b", Removal::NodeGone));
}

#[test]
fn creations_start_slowly() {
    assert_eq!(slow_start_batches(11).collect::<Vec<_>>(), [1, 2, 4, 4]);
    assert_eq!(slow_start_batches(0).count(), 0);
    assert_eq!(slow_start_batches(1).collect::<Vec<_>>(), [1]);
}

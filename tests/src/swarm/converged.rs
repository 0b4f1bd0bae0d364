//! What must hold once nothing is wrong any more and the rollout is over.

use rollcast_core::KubernetesVersion;
use rollcast_core::api::{ControllerRevision, DaemonSet, Pod, Text};
use rollcast_core::controller::{Change, Controller};
use rollcast_core::placement::{PlacementRules, eligibility, target_node_of};
use rollcast_core::sim::World;

use super::invariants::is_live;

/// Every node that should run the pod runs exactly one, new and ready; no other does; the status adds up; and a
/// controller that starts now finds nothing to do.
pub fn check(world: &World) -> Result<(), String> {
    let daemon_set = world.daemon_set().ok_or("there is no DaemonSet")?;
    let uid = &daemon_set.metadata.uid;
    let hash = newest_hash(world).ok_or("there is no revision")?;
    let generation = daemon_set.metadata.annotations.get(DaemonSet::TEMPLATE_GENERATION_ANNOTATION);
    // Upstream takes an adopted pod of the same generation for an updated one, whatever it was made from.
    let is_new = |pod: &Pod| {
        let labels = &pod.metadata.labels;
        labels.get(Pod::REVISION_HASH_LABEL) == Some(&hash)
            || generation.is_some() && labels.get(Pod::TEMPLATE_GENERATION_LABEL) == generation
    };
    let rules = PlacementRules::of(&daemon_set.spec.template, KubernetesVersion::default());
    let pods: Vec<_> = world.pods().collect();
    let mut eligible = 0;
    for node in world.nodes() {
        let name = &node.metadata.name;
        let wanted = u32::from(eligibility(&rules, node).should_run);
        eligible += i32::try_from(wanted).expect("0 or 1");
        let here: Vec<_> = pods
            .iter()
            .filter(|pod| target_node_of(pod) == Some(name))
            .filter(|pod| pod.metadata.controller_owner().is_some_and(|owner| owner.uid == *uid))
            .collect();
        let good = here.iter().filter(|pod| is_live(pod) && pod.is_ready() && is_new(pod));
        if good.count() != here.len() || u32::try_from(here.len()) != Ok(wanted) {
            let names: Vec<&Text> = here.iter().map(|pod| &pod.metadata.name).collect();
            return Err(format!("{name} should run {wanted} new ready pod, and has {names:?}"));
        }
    }
    let status = &daemon_set.status;
    let columns = [
        status.desired_number_scheduled,
        status.current_number_scheduled,
        status.number_ready,
        status.updated_number_scheduled,
        status.number_available,
    ];
    if columns.iter().any(|&column| column != eligible) || status.number_misscheduled != 0 {
        return Err(format!("{eligible} nodes are eligible, and the status says {status:?}"));
    }
    // A status that was meant for a DaemonSet of the same name that is gone may have brought a higher one, which upstream
    // takes for good: `storeDaemonSetStatus` asks for `>=`, as `kubectl rollout status` does.
    if status.observed_generation < daemon_set.metadata.generation {
        return Err("the status is of an older generation".into());
    }
    let mut afresh = Controller::default();
    afresh.observe(Change::Reset(Box::new(world.snapshot())));
    let step = afresh.step(world.now());
    if step.batches.is_empty() { Ok(()) } else { Err(format!("a new controller would still do {:?}", step.batches)) }
}

/// The `controller-revision-hash` of the newest revision that is the DaemonSet's.
pub fn newest_hash(world: &World) -> Option<Text> {
    own_revisions(world).max_by_key(|revision| revision.revision).map(hash_of).cloned()
}

/// The DaemonSet's revisions.
pub fn own_revisions(world: &World) -> impl Iterator<Item = &ControllerRevision> {
    let uid = world.daemon_set().map(|daemon_set| &daemon_set.metadata.uid);
    world.revisions().iter().filter(move |revision| {
        let owner = revision.metadata.controller_owner().map(|owner| &owner.uid);
        owner.is_some() && owner == uid
    })
}

/// The `controller-revision-hash` of pods that are made from it.
pub fn hash_of(revision: &ControllerRevision) -> &Text {
    revision.metadata.labels.get(Pod::REVISION_HASH_LABEL).unwrap_or(&revision.metadata.name)
}

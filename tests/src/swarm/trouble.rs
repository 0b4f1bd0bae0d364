//! What goes wrong, and how it is put right.

use std::time::Duration;

use rollcast_core::api::{ConditionStatus, Pod, Quantity, ResourceList, Taint, TaintEffect, Text};
use rollcast_core::controller::EXPECTATIONS_TIMEOUT;
use rollcast_core::sim::{
    Behaviour, Cascade, ControlPlane, Distribution, NodeSelection, PodSelection, ScenarioEvent, World,
};

use super::cluster::{Dice, Setup};
use super::converged::newest_hash;
use super::invariants::is_live;

/// A kind of trouble that is on or off for a whole play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The template is changed again, forwards or back.
    Applies,
    /// The template is rolled back, or every pod restarted.
    Undoes,
    /// The DaemonSet is deleted, its pods with it or not, and applied again.
    Deletions,
    /// Nodes join and leave.
    Nodes,
    /// Nodes get a label that the selector does not match.
    Labels,
    /// Nodes get taints, or are cordoned.
    Taints,
    /// Kubelets stop being heard of, or say that they are not ready.
    Kubelets,
    /// Nodes are rebooted.
    Reboots,
    /// Nodes have no room for the pod.
    Room,
    /// Pods of others take room and host ports.
    Strangers,
    /// Pods are deleted by hand.
    Hands,
    /// Pods fail.
    Failures,
    /// Pods are stuck terminating.
    Wedged,
    /// Pods stop being ready.
    Readiness,
    /// A dependency is away: no pod is ready for a while.
    Blips,
    /// New pods never become ready, fail or crash after a while, or never go.
    Behaviours,
    /// Images are pulled from a slow registry, which refuses for a while.
    Pulls,
    /// The controller forgets everything and starts anew.
    Restarts,
    /// Writes take time, and the client sends few a second.
    SlowWrites,
    /// What happens is seen late.
    LateWatch,
    /// For longer than expectations are waited for, nothing is seen of what happens.
    StalledWatch,
    /// Pods are bound late.
    SlowScheduler,
    /// Writes are refused or put off.
    RefusedWrites,
    /// Writes get no answer.
    LostWrites,
}

/// Every kind.
pub const KINDS: [Kind; 24] = [
    Kind::Applies,
    Kind::Undoes,
    Kind::Deletions,
    Kind::Nodes,
    Kind::Labels,
    Kind::Taints,
    Kind::Kubelets,
    Kind::Reboots,
    Kind::Room,
    Kind::Strangers,
    Kind::Hands,
    Kind::Failures,
    Kind::Wedged,
    Kind::Readiness,
    Kind::Blips,
    Kind::Behaviours,
    Kind::Pulls,
    Kind::Restarts,
    Kind::SlowWrites,
    Kind::LateWatch,
    Kind::StalledWatch,
    Kind::SlowScheduler,
    Kind::RefusedWrites,
    Kind::LostWrites,
];

/// Plans the first change and the trouble of a seed.
pub fn plan(dice: &mut Dice, setup: &Setup, world: &mut World, end: Duration) {
    let kinds = &setup.kinds;
    world.schedule(Duration::ZERO, ScenarioEvent::Apply(Box::new(setup.daemon_set(2))));
    if !kinds.is_empty() {
        for _ in 0..dice.below(24) {
            let kind = *dice.pick(kinds);
            // Most of it soon, while the rollout is under way.
            let seconds = if dice.one_in(3) { dice.below(400) } else { dice.below(120) };
            let at = Duration::from_secs(seconds.into()).min(end);
            for (later, event) in events(dice, setup, kind) {
                world.schedule(at + later, event);
            }
        }
    }
}

fn events(dice: &mut Dice, setup: &Setup, kind: Kind) -> Vec<(Duration, ScenarioEvent)> {
    let node = dice.pick(&setup.nodes).clone();
    let later = Duration::from_secs(dice.below(90).into());
    let now = |event| vec![(Duration::ZERO, event)];
    let on = |node: &Text| PodSelection::OnNode(node.clone());
    match kind {
        Kind::Applies => now(ScenarioEvent::Apply(Box::new(setup.daemon_set(1 + dice.below(4))))),
        Kind::Undoes => now(match dice.below(2) {
            0 => ScenarioEvent::Undo { to_revision: None },
            _ => ScenarioEvent::Restart,
        }),
        Kind::Deletions => {
            let cascade = *dice.pick(&[Cascade::Background, Cascade::Foreground, Cascade::Orphan]);
            let again = ScenarioEvent::Apply(Box::new(setup.daemon_set(1 + dice.below(4))));
            vec![(Duration::ZERO, ScenarioEvent::DeleteDaemonSet(cascade)), (later, again)]
        }
        Kind::Nodes => {
            let back = setup.node(&node);
            vec![(Duration::ZERO, ScenarioEvent::RemoveNode(node)), (later, ScenarioEvent::AddNode(Box::new(back)))]
        }
        Kind::Labels => {
            let set = |value: &'static str| ScenarioEvent::SetLabel {
                node: node.clone(),
                key: Text::new_static("pool"),
                value: Some(Text::new_static(value)),
            };
            vec![(Duration::ZERO, set("b")), (later, set("a"))]
        }
        Kind::Taints => match dice.below(3) {
            0 => now(ScenarioEvent::SetUnschedulable { node, unschedulable: dice.one_in(2) }),
            effect => {
                let effect = if effect == 1 { TaintEffect::NoSchedule } else { TaintEffect::NoExecute };
                let key = Text::new_static("maintenance");
                let taint = Taint { key: key.clone(), value: Text::default(), effect: effect.clone() };
                let gone = ScenarioEvent::RemoveTaint { node: node.clone(), key, effect };
                vec![(Duration::ZERO, ScenarioEvent::AddTaint { node, taint }), (later, gone)]
            }
        },
        Kind::Kubelets => {
            let ready = *dice.pick(&[ConditionStatus::False, ConditionStatus::Unknown]);
            let lost = ScenarioEvent::SetNodeReady { node: node.clone(), ready };
            let back = ScenarioEvent::SetNodeReady { node, ready: ConditionStatus::True };
            if dice.one_in(3) { now(lost) } else { vec![(Duration::ZERO, lost), (later, back)] }
        }
        Kind::Reboots => now(ScenarioEvent::RebootNode { node, lasts: later }),
        Kind::Strangers => {
            let pod = setup.stranger(&node);
            let key = pod.metadata.key();
            vec![(Duration::ZERO, ScenarioEvent::AddPod(Box::new(pod))), (later, ScenarioEvent::RemovePod(key))]
        }
        Kind::Blips => {
            let nodes = if dice.one_in(2) { NodeSelection::All } else { NodeSelection::Named(vec![node]) };
            now(ScenarioEvent::FailReadiness { nodes, lasts: later })
        }
        Kind::Pulls => {
            let nodes = if dice.one_in(2) { NodeSelection::All } else { NodeSelection::Named(vec![node]) };
            let behave = |behaviour| ScenarioEvent::Behave { nodes: nodes.clone(), behaviour };
            let latencies = setup.latencies();
            vec![
                (Duration::ZERO, behave(Behaviour::pulls_fail(latencies))),
                (later, behave(Behaviour::healthy(latencies))),
            ]
        }
        // Long enough that what the last one sent has arrived.
        Kind::Restarts => now(ScenarioEvent::RestartController { lasts: Duration::from_secs(30) }),
        // What happens later is seen after what happened before, and the controller looks in between.
        Kind::StalledWatch => {
            let usual = setup.control_plane();
            let least = EXPECTATIONS_TIMEOUT + Duration::from_secs(1);
            let watch_delay = Distribution::Uniform { least, most: least + Duration::from_mins(3) };
            let mut events = vec![
                (Duration::ZERO, ScenarioEvent::SetControlPlane(ControlPlane { watch_delay, ..usual })),
                (Duration::from_mins(2), ScenarioEvent::SetControlPlane(usual)),
            ];
            // Pods that the controller has not seen yet may be gone when it decides the same again.
            for _ in 0..dice.below(4) {
                let pods = on(dice.pick(&setup.nodes));
                let meanwhile = Duration::from_secs((1 + dice.below(100)).into());
                events.push((meanwhile, ScenarioEvent::DeletePods { pods, force: dice.one_in(3) }));
            }
            events
        }
        // They hold for the whole play.
        Kind::SlowWrites | Kind::LateWatch | Kind::SlowScheduler | Kind::RefusedWrites | Kind::LostWrites => Vec::new(),
        Kind::Room => {
            let set = |cpu| ScenarioEvent::SetAllocatable { node: node.clone(), allocatable: room(cpu) };
            vec![(Duration::ZERO, set(0)), (later, set(4))]
        }
        Kind::Hands => now(ScenarioEvent::DeletePods { pods: on(&node), force: dice.one_in(3) }),
        Kind::Failures => now(ScenarioEvent::FailPods(on(&node))),
        Kind::Wedged => now(ScenarioEvent::WedgePods(on(&node))),
        Kind::Readiness => {
            let ready = |ready| ScenarioEvent::SetPodsReady { pods: on(&node), ready };
            vec![(Duration::ZERO, ready(false)), (later, ready(true))]
        }
        Kind::Behaviours => {
            let latencies = setup.latencies();
            let soon = Distribution::Constant(Duration::from_secs((5 + dice.below(20)).into()));
            let behaviour = match dice.below(4) {
                0 => Behaviour::never_ready(latencies),
                1 => Behaviour::fails(latencies, soon),
                2 => Behaviour::crash_loop(latencies, soon),
                _ => Behaviour::never_gone(latencies),
            };
            let behaviour = if dice.one_in(2) { behaviour.for_permille(300) } else { behaviour };
            let nodes = if dice.one_in(3) { NodeSelection::All } else { NodeSelection::Named(vec![node]) };
            now(ScenarioEvent::Behave { nodes, behaviour })
        }
    }
}

fn room(cpu: i64) -> ResourceList {
    [
        (Text::new_static("cpu"), Quantity::from_units(cpu)),
        (Text::new_static("memory"), Quantity::from_units(8 << 30)),
        (Text::new_static("pods"), Quantity::from_units(110)),
    ]
    .into_iter()
    .collect()
}

/// Everything is put right that went wrong: nodes as they were, pods that can start and stop.
pub fn heal(setup: &Setup, world: &mut World) {
    // What is right already is refused, and that is fine.
    let mut carry_out = |event| drop(world.apply(event));
    let healthy = Behaviour::healthy(setup.latencies());
    carry_out(ScenarioEvent::SetControlPlane(ControlPlane::default()));
    carry_out(ScenarioEvent::Behave { nodes: NodeSelection::All, behaviour: healthy });
    for name in &setup.nodes {
        carry_out(ScenarioEvent::AddNode(Box::new(setup.node(name))));
        carry_out(ScenarioEvent::Behave { nodes: NodeSelection::Named(vec![name.clone()]), behaviour: healthy });
        carry_out(ScenarioEvent::SetNodeReady { node: name.clone(), ready: ConditionStatus::True });
        carry_out(ScenarioEvent::SetUnschedulable { node: name.clone(), unschedulable: false });
        let key = Text::new_static("maintenance");
        carry_out(ScenarioEvent::RemoveTaint { node: name.clone(), key, effect: TaintEffect::Unset });
        let (key, value) = (Text::new_static("pool"), Some(Text::new_static("a")));
        carry_out(ScenarioEvent::SetLabel { node: name.clone(), key, value });
        carry_out(ScenarioEvent::SetAllocatable { node: name.clone(), allocatable: room(4) });
        carry_out(ScenarioEvent::RemovePod(setup.stranger(name).metadata.key()));
    }
}

/// What only a person can put right: a DaemonSet that was deleted, pods that are stuck or wait to be deleted. Says whether anything was done.
pub fn help_out(setup: &Setup, world: &mut World) -> bool {
    let pods: Vec<_> = world.pods().collect();
    let newest = newest_hash(world);
    let mut done = false;
    if world.daemon_set().is_none() {
        done |= world.apply(ScenarioEvent::Apply(Box::new(setup.daemon_set(2)))).is_ok();
    }
    for pod in pods {
        let name = PodSelection::Named(pod.metadata.name.clone());
        let event = if pod.metadata.deletion_timestamp.is_some() {
            ScenarioEvent::DeletePods { pods: name, force: true }
        } else if !is_live(&pod) && setup.surges() {
            // With surge, failed pods pile up faster than their back-off lets the controller delete them.
            ScenarioEvent::DeletePods { pods: name, force: false }
        } else if is_live(&pod) && !pod.is_ready() {
            ScenarioEvent::SetPodsReady { pods: name, ready: true }
        } else if setup.on_delete()
            && is_live(&pod)
            && pod.metadata.labels.get(Pod::REVISION_HASH_LABEL) != newest.as_ref()
        {
            ScenarioEvent::DeletePods { pods: name, force: false }
        } else {
            continue;
        };
        done |= world.apply(event).is_ok();
    }
    done
}

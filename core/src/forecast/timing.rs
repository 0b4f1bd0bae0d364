use std::time::Duration;

use crate::sim::{Behaviour, ControlPlane, Distribution, Latencies, Options, RegistryLoad, ScenarioEvent};

/// One of the times that every play rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// Which.
    pub kind: TimingKind,
    /// How long.
    pub time: Distribution,
    /// Where that comes from.
    pub source: TimingSource,
}

/// What takes time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimingKind {
    /// From a pod's being bound to its being ready.
    PodReady,
    /// From a pod's deletion to its being gone.
    PodGone,
    /// From a node's removal to that of the pods bound to it.
    OrphanedPodsGone,
}

/// Where a time comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimingSource {
    /// It is what is taken where nothing is said.
    Default,
    /// It was given, or measured.
    Given,
}

/// All of the times that a play rests on.
pub fn timings(options: &Options) -> Vec<Timing> {
    let default = Latencies::default();
    let one = |kind, time: Distribution, default: Distribution| Timing {
        kind,
        time,
        source: if time == default { TimingSource::Default } else { TimingSource::Given },
    };
    let Latencies { pod_ready_after, pod_gone_after, orphaned_pods_gone_after } = options.latencies;
    vec![
        one(TimingKind::PodReady, pod_ready_after, default.pod_ready_after),
        one(TimingKind::PodGone, pod_gone_after, default.pod_gone_after),
        one(TimingKind::OrphanedPodsGone, orphaned_pods_gone_after.into(), default.orphaned_pods_gone_after.into()),
    ]
}

/// Whether nothing about the world is drawn.
pub(super) fn options_are_constant(options: &Options) -> bool {
    let ControlPlane {
        write_latency,
        watch_delay,
        qps: _,
        burst: _,
        too_many_requests_permille,
        rejected_permille,
        lost_done_permille,
        lost_undone_permille,
        scheduling_delay,
        scheduler_pods_per_second: _,
    } = options.control_plane;
    let times = [write_latency, watch_delay, scheduling_delay];
    let odds = [too_many_requests_permille, rejected_permille, lost_done_permille, lost_undone_permille];
    let cached = options.images.map(|images| images.cached_permille);
    timings(options).iter().map(|timing| timing.time).chain(times).all(Distribution::is_constant)
        && odds.into_iter().chain(cached).all(is_certain)
}

/// Whether nothing is drawn because of an event.
pub(super) fn event_is_constant(event: &ScenarioEvent) -> bool {
    let ScenarioEvent::Behave { behaviour, .. } = event else { return true };
    let Behaviour { ready_after, gone_after, fails_after, crashes_after, pulls_fail: _, permille } = *behaviour;
    let times = [ready_after, gone_after, fails_after, crashes_after];
    is_certain(permille) && times.into_iter().flatten().all(Distribution::is_constant)
}

/// Whether so many of a thousand are none or all.
fn is_certain(permille: u16) -> bool {
    permille == 0 || permille >= 1000
}

/// What the registry gives in a second, and how long it is busy at least; absent where nothing is pulled.
pub(super) fn registry_time(options: &Options, load: RegistryLoad) -> Option<(u64, Duration)> {
    let rate = options.images?.registry_bytes_per_second;
    let seconds = load.total_bytes.checked_div(rate)?;
    Some((rate, Duration::from_secs(seconds)))
}

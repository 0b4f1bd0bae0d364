use std::time::Duration;

use crate::sim::{Distribution, Latencies, Options, RegistryLoad, ScenarioEvent};

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

/// Whether no time of the world is drawn.
pub(super) fn options_are_constant(options: &Options) -> bool {
    let images_are = options.images.is_none_or(|images| images.is_constant());
    timings(options).iter().all(|timing| timing.time.is_constant()) && options.control_plane.is_constant() && images_are
}

/// Whether nothing is drawn because of an event.
pub(super) fn event_is_constant(event: &ScenarioEvent) -> bool {
    match event {
        ScenarioEvent::Behave { behaviour, .. } => behaviour.is_constant(),
        ScenarioEvent::SetControlPlane(control_plane) => control_plane.is_constant(),
        _ => true,
    }
}

/// What the registry gives in a second, and how long it is busy at least; absent where it has no limit.
pub(super) fn registry_time(options: &Options, load: RegistryLoad) -> Option<(u64, Duration)> {
    let rate = options.images?.registry_bytes_per_second;
    let micros = u128::from(load.total_bytes) * 1_000_000 / u128::from(rate.max(1));
    Some((rate, Duration::from_micros(u64::try_from(micros).unwrap_or(u64::MAX))))
}

use std::time::Duration;

use crate::scenario::{Source, Sources};
use crate::sim::{Behaviour, ControlPlane, Distribution, Images, Latencies, Options, RegistryLoad, ScenarioEvent};

/// Something that every play rests on, and where it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assumption {
    /// What.
    pub assumed: Assumed,
    /// Where it comes from.
    pub source: Source,
}

/// Something that every play rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assumed {
    /// From a pod's being bound to its being ready.
    PodReady(Distribution),
    /// From a pod's deletion to its being gone.
    PodGone(Distribution),
    /// From a node's removal to that of the pods bound to it.
    OrphanedPodsGone(Duration),
    /// How fast and reliable API server, client and scheduler are.
    ControlPlane(ControlPlane),
    /// Every node holds every image.
    ImagesHeld,
    /// The size of images, bytes.
    ImageBytes(u64),
    /// What the registry serves, bytes a second.
    RegistryBytesPerSecond(u64),
    /// The most that one pull gets, bytes a second.
    NodeBytesPerSecond(u64),
    /// How many pulls the registry serves at once; absent: any number.
    ParallelPulls(Option<u32>),
    /// Of a thousand nodes, how many hold an image already.
    CachedPermille(u16),
}

impl Assumed {
    /// Its name in reports.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::PodReady(_) => "podReady",
            Self::PodGone(_) => "podGone",
            Self::OrphanedPodsGone(_) => "orphanedPodsGone",
            Self::ControlPlane(_) => "controlPlane",
            Self::ImagesHeld => "imagesHeld",
            Self::ImageBytes(_) => "imageBytes",
            Self::RegistryBytesPerSecond(_) => "registryBytesPerSecond",
            Self::NodeBytesPerSecond(_) => "nodeBytesPerSecond",
            Self::ParallelPulls(_) => "parallelPulls",
            Self::CachedPermille(_) => "cachedPermille",
        }
    }

    /// How long it takes, where it is about that.
    pub fn time(&self) -> Option<Distribution> {
        match self {
            Self::PodReady(time) | Self::PodGone(time) => Some(*time),
            Self::OrphanedPodsGone(time) => Some((*time).into()),
            _ => None,
        }
    }

    /// Whether it is measured at pulls of images, not at pods.
    pub const fn is_about_images(&self) -> bool {
        matches!(self, Self::ImageBytes(_) | Self::NodeBytesPerSecond(_))
    }
}

/// Everything that a play rests on, but the cluster and what is done to it.
pub fn assumptions(options: &Options, sources: &Sources) -> Vec<Assumption> {
    let Latencies { pod_ready_after, pod_gone_after, orphaned_pods_gone_after } = options.latencies;
    let one = |assumed, source| Assumption { assumed, source };
    let mut all = vec![
        one(Assumed::PodReady(pod_ready_after), sources.pod_ready_after),
        one(Assumed::PodGone(pod_gone_after), sources.pod_gone_after),
        one(Assumed::OrphanedPodsGone(orphaned_pods_gone_after), sources.orphaned_pods_gone_after),
        one(Assumed::ControlPlane(options.control_plane), sources.control_plane),
    ];
    let Some(images) = options.images else {
        all.push(one(Assumed::ImagesHeld, Source::Default));
        return all;
    };
    let Images { bytes, registry_bytes_per_second, node_bytes_per_second, parallel_pulls, cached_permille } = images;
    let of = sources.images;
    all.extend([
        one(Assumed::ImageBytes(bytes), of.bytes),
        one(Assumed::RegistryBytesPerSecond(registry_bytes_per_second), of.registry_bytes_per_second),
        one(Assumed::NodeBytesPerSecond(node_bytes_per_second), of.node_bytes_per_second),
        one(Assumed::ParallelPulls(parallel_pulls), of.parallel_pulls),
        one(Assumed::CachedPermille(cached_permille), of.cached_permille),
    ]);
    all
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
    } = &options.control_plane;
    let Latencies { pod_ready_after, pod_gone_after, orphaned_pods_gone_after: _ } = &options.latencies;
    let times = [pod_ready_after, pod_gone_after, write_latency, watch_delay, scheduling_delay];
    let odds = [too_many_requests_permille, rejected_permille, lost_done_permille, lost_undone_permille];
    times.iter().all(|time| time.is_constant())
        && odds.iter().all(|permille| is_certain(**permille))
        && options.images.as_ref().is_none_or(|images| is_certain(images.cached_permille))
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

//! `timings`, `controlPlane` and `images`: how long things take, and what surrounds controller and nodes.

use super::table::{Field, Slot, optional};
use crate::scenario::{ImageSources, Sources};
use crate::sim::{ControlPlane, Images, Latencies};

/// What is absent stays as it is.
pub(super) fn timing_fields<'a>(latencies: &'a mut Latencies, sources: &'a mut Sources) -> [Field<'a>; 3] {
    let Latencies { pod_ready_after, pod_gone_after, orphaned_pods_gone_after } = latencies;
    [
        optional("podReadyAfter", Slot::Distribution(pod_ready_after)).from(&mut sources.pod_ready_after),
        optional("podGoneAfter", Slot::Distribution(pod_gone_after)).from(&mut sources.pod_gone_after),
        optional("orphanedPodsGoneAfter", Slot::Duration(orphaned_pods_gone_after))
            .from(&mut sources.orphaned_pods_gone_after),
    ]
}

/// What is absent is ideal.
pub(super) fn control_plane_fields(control_plane: &mut ControlPlane) -> [Field<'_>; 10] {
    let ControlPlane {
        write_latency,
        watch_delay,
        qps,
        burst,
        too_many_requests_permille,
        rejected_permille,
        lost_done_permille,
        lost_undone_permille,
        scheduling_delay,
        scheduler_pods_per_second,
    } = control_plane;
    let number = |to| Slot::Number { to, least: 0, most: u32::MAX };
    [
        optional("writeLatency", Slot::Distribution(write_latency)),
        optional("watchDelay", Slot::Distribution(watch_delay)),
        optional("qps", number(qps)),
        optional("burst", number(burst)),
        optional("tooManyRequestsPermille", Slot::Permille(too_many_requests_permille)),
        optional("rejectedPermille", Slot::Permille(rejected_permille)),
        optional("lostDonePermille", Slot::Permille(lost_done_permille)),
        optional("lostUndonePermille", Slot::Permille(lost_undone_permille)),
        optional("schedulingDelay", Slot::Distribution(scheduling_delay)),
        optional("schedulerPodsPerSecond", number(scheduler_pods_per_second)),
    ]
}

/// What is absent stays as it is.
pub(super) fn image_fields<'a>(images: &'a mut Images, sources: &'a mut ImageSources) -> [Field<'a>; 5] {
    let Images { bytes, registry_bytes_per_second, node_bytes_per_second, parallel_pulls, cached_permille } = images;
    let rate = |to| Slot::LargeNumber { to, least: 1 };
    [
        optional("bytes", Slot::LargeNumber { to: bytes, least: 0 }).from(&mut sources.bytes),
        optional("registryBytesPerSecond", rate(registry_bytes_per_second))
            .from(&mut sources.registry_bytes_per_second),
        optional("nodeBytesPerSecond", rate(node_bytes_per_second)).from(&mut sources.node_bytes_per_second),
        optional("parallelPulls", Slot::Limit(parallel_pulls)).from(&mut sources.parallel_pulls),
        optional("cachedPermille", Slot::Permille(cached_permille)).from(&mut sources.cached_permille),
    ]
}

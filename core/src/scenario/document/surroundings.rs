//! `controlPlane` and `images`: what surrounds controller and nodes, read and written side by side.

use serde_json::{Value, json};

use super::durations::distribution_json;
use super::fields::{Here, Keys, Reader};
use crate::scenario::{ImageSources, Source};
use crate::sim::{ControlPlane, Images};

/// A thousand of a thousand.
const ALL: u32 = 1_000;

impl<'t> Reader<'t> {
    /// What is absent is ideal.
    pub fn control_plane(&mut self, here: &Here<'t>, control_plane: &mut ControlPlane) {
        const KEYS: [&str; 10] = [
            "writeLatency",
            "watchDelay",
            "qps",
            "burst",
            "tooManyRequestsPermille",
            "rejectedPermille",
            "lostDonePermille",
            "lostUndonePermille",
            "schedulingDelay",
            "schedulerPodsPerSecond",
        ];
        let Some(keys) = self.keys(here, &KEYS) else { return };
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
        let times =
            [("writeLatency", write_latency), ("watchDelay", watch_delay), ("schedulingDelay", scheduling_delay)];
        for (key, time) in times {
            *time = keys.get(key).and_then(|here| self.distribution(&here)).unwrap_or(*time);
        }
        for (key, number) in [("qps", qps), ("burst", burst), ("schedulerPodsPerSecond", scheduler_pods_per_second)] {
            *number = keys.get(key).and_then(|here| self.small_number(&here, 0, u32::MAX)).unwrap_or(*number);
        }
        self.permille(&keys, "tooManyRequestsPermille", too_many_requests_permille);
        self.permille(&keys, "rejectedPermille", rejected_permille);
        self.permille(&keys, "lostDonePermille", lost_done_permille);
        self.permille(&keys, "lostUndonePermille", lost_undone_permille);
    }

    /// What is absent stays as it is.
    pub fn images(&mut self, here: &Here<'t>, images: &mut Images, sources: &mut ImageSources) {
        const KEYS: [&str; 5] =
            ["bytes", "registryBytesPerSecond", "nodeBytesPerSecond", "parallelPulls", "cachedPermille"];
        let Some(keys) = self.keys(here, &KEYS) else { return };
        let Images { bytes, registry_bytes_per_second, node_bytes_per_second, parallel_pulls, cached_permille } =
            images;
        let numbers = [
            ("bytes", 0, bytes),
            ("registryBytesPerSecond", 1, registry_bytes_per_second),
            ("nodeBytesPerSecond", 1, node_bytes_per_second),
        ];
        for (key, least, number) in numbers {
            *number = keys.get(key).and_then(|here| self.number(&here, least, u64::MAX)).unwrap_or(*number);
        }
        *parallel_pulls = keys.get("parallelPulls").and_then(|here| self.small_number(&here, 1, u32::MAX));
        self.permille(&keys, "cachedPermille", cached_permille);
        for (key, source) in image_sources(sources) {
            if keys.get(key).is_some() {
                *source = Source::File;
            }
        }
    }

    /// So many of a thousand.
    pub fn permille(&mut self, keys: &Keys<'t>, key: &str, permille: &mut u16) {
        let number = keys.get(key).and_then(|here| self.small_number(&here, 0, ALL));
        *permille = number.and_then(|number| u16::try_from(number).ok()).unwrap_or(*permille);
    }
}

/// The keys of `images`, and where what they say comes from.
pub(super) fn image_sources(sources: &mut ImageSources) -> [(&'static str, &mut Source); 5] {
    let ImageSources { bytes, registry_bytes_per_second, node_bytes_per_second, parallel_pulls, cached_permille } =
        sources;
    [
        ("bytes", bytes),
        ("registryBytesPerSecond", registry_bytes_per_second),
        ("nodeBytesPerSecond", node_bytes_per_second),
        ("parallelPulls", parallel_pulls),
        ("cachedPermille", cached_permille),
    ]
}

pub(super) fn control_plane_json(control_plane: &ControlPlane) -> Value {
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
    json!({
        "writeLatency": distribution_json(*write_latency),
        "watchDelay": distribution_json(*watch_delay),
        "qps": qps,
        "burst": burst,
        "tooManyRequestsPermille": too_many_requests_permille,
        "rejectedPermille": rejected_permille,
        "lostDonePermille": lost_done_permille,
        "lostUndonePermille": lost_undone_permille,
        "schedulingDelay": distribution_json(*scheduling_delay),
        "schedulerPodsPerSecond": scheduler_pods_per_second,
    })
}

pub(super) fn images_json(images: &Images) -> Value {
    let Images { bytes, registry_bytes_per_second, node_bytes_per_second, parallel_pulls, cached_permille } = images;
    let mut json = json!({
        "bytes": bytes,
        "registryBytesPerSecond": registry_bytes_per_second,
        "nodeBytesPerSecond": node_bytes_per_second,
        "cachedPermille": cached_permille,
    });
    if let (Some(limit), Some(json)) = (parallel_pulls, json.as_object_mut()) {
        json.insert("parallelPulls".to_owned(), json!(limit));
    }
    json
}

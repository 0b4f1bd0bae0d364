//! `measured`: what was measured in a cluster, read and written side by side, and what beside it has to be said.

use serde_json::{Map, Value, json};

use super::durations::duration_text;
use super::fields::{Here, Keys, Reader};
use super::surroundings::{control_plane_json, image_sources, images_json};
use super::timings_json;
use crate::manifest::ScenarioProblem;
use crate::scenario::{Measured, MeasuredNumber, MeasuredTime, Source, Sources};
use crate::sim::Options;

const KEYS: [&str; 4] = ["podReadyAfter", "podGoneAfter", "imageBytes", "pullBytesPerSecond"];
const RANKS: [&str; 4] = ["least", "median", "p95", "most"];

impl<'t> Reader<'t> {
    pub fn measured(&mut self, here: &Here<'t>) -> Measured {
        let Some(keys) = self.keys(here, &KEYS) else { return Measured::default() };
        Measured {
            pod_ready_after: keys.get("podReadyAfter").and_then(|here| self.measured_time(&here)),
            pod_gone_after: keys.get("podGoneAfter").and_then(|here| self.measured_time(&here)),
            image_bytes: keys.get("imageBytes").and_then(|here| self.measured_number(&here, 0)),
            pull_bytes_per_second: keys.get("pullBytesPerSecond").and_then(|here| self.measured_number(&here, 1)),
        }
    }

    fn measured_time(&mut self, here: &Here<'t>) -> Option<MeasuredTime> {
        let (count, [least, median, p95, most]) = self.ranks(here, Self::duration)?;
        Some(MeasuredTime { count, least, median, p95, most })
    }

    fn measured_number(&mut self, here: &Here<'t>, smallest: u64) -> Option<MeasuredNumber> {
        let number = |reader: &mut Self, here: &Here<'t>| reader.number(here, smallest, u64::MAX);
        let (count, [least, median, p95, most]) = self.ranks(here, number)?;
        Some(MeasuredNumber { count, least, median, p95, most })
    }

    /// How often something was measured, and four values that must not fall.
    fn ranks<T: Copy + Default + PartialOrd>(
        &mut self,
        here: &Here<'t>,
        read: impl Fn(&mut Self, &Here<'t>) -> Option<T>,
    ) -> Option<(u32, [T; 4])> {
        let keys: Keys<'t> = self.keys(here, &["count", "least", "median", "p95", "most"])?;
        let count = self.required(&keys, "count").and_then(|here| self.small_number(&here, 1, u32::MAX));
        let ranks = RANKS.map(|key| self.required(&keys, key).and_then(|here| read(self, &here)));
        let count = count?;
        if ranks.iter().any(Option::is_none) {
            return None;
        }
        let ranks = ranks.map(Option::unwrap_or_default);
        if !ranks.is_sorted() {
            self.report(here, ScenarioProblem::RanksFall);
            return None;
        }
        Some((count, ranks))
    }
}

/// What was measured as the document writes it; nothing where nothing was.
pub(super) fn measured_json(measured: &Measured) -> Option<Value> {
    let Measured { pod_ready_after, pod_gone_after, image_bytes, pull_bytes_per_second } = measured;
    let mut json = Map::new();
    for (key, time) in [("podReadyAfter", pod_ready_after), ("podGoneAfter", pod_gone_after)] {
        if let Some(MeasuredTime { count, least, median, p95, most }) = time {
            let [least, median, p95, most] = [least, median, p95, most].map(|time| duration_text(*time));
            let time = json!({"count": count, "least": least, "median": median, "p95": p95, "most": most});
            json.insert(key.to_owned(), time);
        }
    }
    for (key, number) in [("imageBytes", image_bytes), ("pullBytesPerSecond", pull_bytes_per_second)] {
        if let Some(MeasuredNumber { count, least, median, p95, most }) = number {
            let number = json!({"count": count, "least": least, "median": median, "p95": p95, "most": most});
            json.insert(key.to_owned(), number);
        }
    }
    (!json.is_empty()).then_some(Value::Object(json))
}

/// Leaves of the options only what is not read back by itself: defaults, and what was measured, need not be said.
pub(super) fn leave_what_is_said(
    options: &Options,
    sources: &Sources,
    measured: &Measured,
    json: &mut Map<String, Value>,
) {
    let mut unsaid = Options::starting_at(options.start);
    Sources::default().take(measured, &mut unsaid);
    let mut sources = *sources;
    let Sources { pod_ready_after, pod_gone_after, orphaned_pods_gone_after, .. } = sources;
    let timings = [
        ("podReadyAfter", pod_ready_after),
        ("podGoneAfter", pod_gone_after),
        ("orphanedPodsGoneAfter", orphaned_pods_gone_after),
    ];
    if let Some(said) = json.get_mut("timings").and_then(Value::as_object_mut) {
        leave(said, &timings_json(&unsaid.latencies), timings);
        if said.is_empty() {
            json.remove("timings");
        }
    }
    let held = images_json(&unsaid.images.unwrap_or_default());
    let images = image_sources(&mut sources.images).map(|(key, source)| (key, *source));
    if let Some(said) = json.get_mut("images").and_then(Value::as_object_mut) {
        leave(said, &held, images);
        // Without anything else `images: {}` still says that there are some.
        if said.is_empty() && unsaid.images.is_some() {
            json.remove("images");
        }
    }
    if is_said(sources.control_plane) {
        json.insert("controlPlane".to_owned(), control_plane_json(&options.control_plane));
    }
}

fn leave<const N: usize>(said: &mut Map<String, Value>, unsaid: &Value, sources: [(&str, Source); N]) {
    for (key, source) in sources {
        if !is_said(source) && said.get(key) == unsaid.get(key) {
            said.remove(key);
        }
    }
}

const fn is_said(source: Source) -> bool {
    matches!(source, Source::File | Source::Given)
}

//! `measured`: what was measured in a cluster, and what beside it has to be said.

use std::time::Duration;

use serde_json::{Map, Value};

use super::fields::{Here, Reader};
use super::surroundings::{control_plane_fields, image_fields, timing_fields};
use super::table::{Field, Slot, fields_json, optional, required};
use crate::manifest::ScenarioProblem;
use crate::scenario::{Measured, MeasuredNumber, MeasuredTime, Source, Sources};
use crate::sim::Options;

pub(super) fn measured_fields(measured: &mut Measured) -> [Field<'_>; 4] {
    let Measured { pod_ready_after, pod_gone_after, image_bytes, pull_bytes_per_second } = measured;
    [
        optional("podReadyAfter", Slot::MeasuredTime(pod_ready_after)),
        optional("podGoneAfter", Slot::MeasuredTime(pod_gone_after)),
        optional("imageBytes", Slot::MeasuredNumber { to: image_bytes, least: 0 }),
        optional("pullBytesPerSecond", Slot::MeasuredNumber { to: pull_bytes_per_second, least: 1 }),
    ]
}

fn count_field(count: &mut u32) -> Field<'_> {
    required("count", Slot::Number { to: count, least: 1, most: u32::MAX })
}

fn time_fields(time: &mut MeasuredTime) -> [Field<'_>; 5] {
    let MeasuredTime { count, least, median, p95, most } = time;
    [
        count_field(count),
        required("least", Slot::Duration(least)),
        required("median", Slot::Duration(median)),
        required("p95", Slot::Duration(p95)),
        required("most", Slot::Duration(most)),
    ]
}

fn number_fields(number: &mut MeasuredNumber, smallest: u32) -> [Field<'_>; 5] {
    let MeasuredNumber { count, least, median, p95, most } = number;
    let number = |to| Slot::LargeNumber { to, least: smallest };
    [
        count_field(count),
        required("least", number(least)),
        required("median", number(median)),
        required("p95", number(p95)),
        required("most", number(most)),
    ]
}

impl<'t> Reader<'t> {
    /// A time that was measured; later ranks are no shorter.
    pub fn measured_time(&mut self, here: &Here<'t>) -> Option<MeasuredTime> {
        let zero = Duration::ZERO;
        let mut time = MeasuredTime { count: 0, least: zero, median: zero, p95: zero, most: zero };
        let is_read = self.fields(here, &mut time_fields(&mut time));
        let MeasuredTime { least, median, p95, most, .. } = time;
        (is_read && self.rises(here, least <= median && median <= p95 && p95 <= most)).then_some(time)
    }

    /// A number that was measured, from `smallest` on; later ranks are no smaller.
    pub fn measured_number(&mut self, here: &Here<'t>, smallest: u32) -> Option<MeasuredNumber> {
        let mut number = MeasuredNumber { count: 0, least: 0, median: 0, p95: 0, most: 0 };
        let is_read = self.fields(here, &mut number_fields(&mut number, smallest));
        let MeasuredNumber { least, median, p95, most, .. } = number;
        (is_read && self.rises(here, least <= median && median <= p95 && p95 <= most)).then_some(number)
    }

    /// Reports ranks of which a later one is smaller.
    fn rises(&mut self, here: &Here<'t>, rises: bool) -> bool {
        if !rises {
            self.report(here, ScenarioProblem::RanksFall);
        }
        rises
    }
}

/// What was measured as the document writes it; nothing where nothing was.
pub(super) fn measured_json(measured: &Measured) -> Option<Value> {
    let json = fields_json(&measured_fields(&mut { *measured }));
    (!json.is_empty()).then_some(Value::Object(json))
}

pub(super) fn time_json(mut time: MeasuredTime) -> Value {
    Value::Object(fields_json(&time_fields(&mut time)))
}

pub(super) fn number_json(mut number: MeasuredNumber) -> Value {
    Value::Object(fields_json(&number_fields(&mut number, 0)))
}

/// Leaves of the options only what is not read back by itself: defaults, and what was measured, need not be said.
pub(super) fn leave_what_is_said(
    options: &Options,
    mut sources: Sources,
    measured: &Measured,
    json: &mut Map<String, Value>,
) {
    let mut unsaid = Options::starting_at(options.start);
    Sources::default().take(measured, &mut unsaid);
    if is_said(sources.control_plane) {
        let control_plane = fields_json(&control_plane_fields(&mut { options.control_plane }));
        json.insert("controlPlane".to_owned(), Value::Object(control_plane));
    }
    if let Some(said) = json.get_mut("timings").and_then(Value::as_object_mut) {
        leave(said, &timing_fields(&mut unsaid.latencies, &mut sources));
        if said.is_empty() {
            json.remove("timings");
        }
    }
    if let Some(said) = json.get_mut("images").and_then(Value::as_object_mut) {
        leave(said, &image_fields(&mut unsaid.images.unwrap_or_default(), &mut sources.images));
        // Without anything else `images: {}` still says that there are some.
        if said.is_empty() && unsaid.images.is_some() {
            json.remove("images");
        }
    }
}

/// Leaves out what says no more than these fields hold anyway.
fn leave(said: &mut Map<String, Value>, unsaid: &[Field<'_>]) {
    let held = fields_json(unsaid);
    for field in unsaid {
        let is_said = field.source.as_ref().is_some_and(|source| is_said(**source));
        if !is_said && said.get(field.key) == held.get(field.key) {
            said.remove(field.key);
        }
    }
}

const fn is_said(source: Source) -> bool {
    matches!(source, Source::File | Source::Given)
}

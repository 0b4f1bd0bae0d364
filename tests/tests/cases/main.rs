//! Public reports with a known right answer: the input as it was restated, and what has to come out.
//!
//! Inputs are in `tests/cases/<id>/`. What the issues of review and forecast are to say about them is listed at the
//! end and left to those issues; everything else is here.

mod diagnosis;
mod input;
mod placement;
mod review;
mod rollout;
mod rollout_status;
mod room;
mod status;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use rollcast_tests::say::say;

/// Cases of which a part is a finding of review: left to its issue.
const LEFT_TO_REVIEW: [&str; 19] = [
    "P03", "P05", "P10", "P13", "P14", "P18", "P20", "P22", "P25", "P26", "L02", "L04", "L05", "L06", "L07", "L08",
    "R06", "R15", "R20",
];

/// Files of this folder, and the cases that their tests name.
const TESTED: [(&str, &str); 7] = [
    ("diagnosis", include_str!("diagnosis.rs")),
    ("placement", include_str!("placement.rs")),
    ("review", include_str!("review.rs")),
    ("room", include_str!("room.rs")),
    ("rollout", include_str!("rollout.rs")),
    ("rollout_status", include_str!("rollout_status.rs")),
    ("status", include_str!("status.rs")),
];

#[test]
fn every_case_is_tested() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let given: BTreeSet<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(given.len(), 44);
    let named = |id: &str| TESTED.iter().any(|(_, text)| text.contains(&format!("/// {id}")));
    let missing: Vec<&String> = given.iter().filter(|id| !named(id)).collect();
    assert!(missing.is_empty(), "no test for {missing:?}");
    say(&format!(
        "cases: {} of {} tested; findings of review are left to its issue in {}",
        given.len(),
        given.len(),
        LEFT_TO_REVIEW.join(" ")
    ));
}

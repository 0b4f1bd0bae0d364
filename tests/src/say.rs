//! Words of a test that are shown even when it passes.

use std::env;
use std::io::{self, Write as _};

/// Prints past the test harness, which keeps to itself what a passing test prints.
pub fn say(text: &str) {
    let mut out = io::stdout().lock();
    writeln!(out, "{}", text.trim_end()).expect("stdout is open");
}

/// Says loudly that something was not tested and why; fails where nothing may be left out.
pub fn skip(what: &str, why: &str) {
    assert!(env::var("CI").as_deref() != Ok("true"), "under CI nothing may be skipped, but {what}: {why}");
    say(&format!("SKIPPED {what}: {why}"));
}

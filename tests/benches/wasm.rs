//! WASM against native: the same work under Node and in this process, and the ratio of the shortest times.
//!
//! ```sh
//! cargo bench --package rollcast-tests --bench wasm                # all of it
//! cargo bench --package rollcast-tests --bench wasm -- placement   # what has this in its name
//! ```
//!
//! At most 2 is wanted of each, 1.3 is the goal.

use std::io::Write as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

use rollcast_tests::measured::Work;
use rollcast_tests::say::{say, skip};
use rollcast_tests::{vectors, wasm_build};

/// Most that WASM may take, native being 1.
const FLOOR: f64 = 2.0;
/// Each work is done so often at least, and for so long: WASM is compiled well only after a while.
const ROUNDS: u32 = 20;
const TIME: Duration = Duration::from_secs(2);

fn main() {
    // Cargo runs benchmarks as tests too, without `--bench`: nothing is measured then.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let bindings = match wasm_build::build() {
        Ok(bindings) => bindings,
        Err(missing) => return skip("WASM against native", &missing),
    };
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    if wanted.is_empty() {
        same_traces(&bindings);
    }
    let files = vectors::files();
    let mut missed = Vec::new();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|part| name.contains(part.as_str()));
    for (name, kind) in Work::ALL.into_iter().filter(|(name, _)| is_wanted(name)) {
        let file = kind.map(|kind| files.iter().find(|file| file.kind == Some(kind)).expect("vectors of every kind"));
        let lines = file.map(|file| file.lines.join("\n")).unwrap_or_default();
        let mut work = Work::new(name, &lines);
        work.prepare();
        let result = work.run();
        let native = shortest(&mut work);

        let (wasm_result, wasm) = under_node(name, &lines, &bindings);
        assert_eq!(result, wasm_result, "{name}: native and WASM differ");
        let ratio = wasm / native;
        say(&format!("{name}: native {:.2} ms, WASM {:.2} ms, ratio {ratio:.2}", native / 1e6, wasm / 1e6));
        if ratio > FLOOR {
            missed.push(name);
        }
    }
    assert!(missed.is_empty(), "above {FLOOR}: {missed:?}");
}

/// An optimised native build leaves the trace that WASM leaves, and so that of the tests' build with its checks.
fn same_traces(bindings: &std::path::Path) {
    let output = wasm_build::node("simulate.js", bindings).args(["0", "500"]).output().expect("node starts");
    assert!(output.status.success(), "node failed ({})", output.status);
    assert_eq!(String::from_utf8(output.stdout).expect("hashes"), rollcast_tests::swarm::hashes(0, 500));
    say("traces of 500 plays with faults: equal in an optimised native build and as WASM");
}

/// Nanoseconds of the shortest run.
fn shortest(work: &mut Work) -> f64 {
    let (start, mut rounds, mut shortest) = (Instant::now(), 0, f64::INFINITY);
    while rounds < ROUNDS || start.elapsed() < TIME {
        shortest = shortest.min(time(work));
        rounds += 1;
    }
    shortest
}

/// Nanoseconds of one run.
fn time(work: &mut Work) -> f64 {
    work.prepare();
    let start = Instant::now();
    work.run();
    start.elapsed().as_secs_f64() * 1e9
}

/// The result and the shortest time, nanoseconds.
fn under_node(name: &str, lines: &str, bindings: &std::path::Path) -> (u32, f64) {
    let mut node = wasm_build::node("measure.js", bindings);
    let node = node
        .arg(name)
        .arg(ROUNDS.to_string())
        .arg(TIME.as_millis().to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut node = node.spawn().expect("node starts");
    node.stdin.take().expect("stdin").write_all(lines.as_bytes()).expect("node reads");
    let output = node.wait_with_output().expect("node ends");
    assert!(output.status.success(), "{name}: node failed");
    let text = String::from_utf8(output.stdout).expect("text");
    let (result, time) = text.trim().split_once(' ').expect("two numbers");
    (result.parse().expect("a result"), time.parse().expect("a time"))
}

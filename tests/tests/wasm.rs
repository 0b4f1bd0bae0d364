//! The same vectors through the WASM build under Node: the same answers, byte by byte.

use std::process::Stdio;

use rollcast_tests::say::{say, skip};
use rollcast_tests::subject::{answer, canonical};
use rollcast_tests::{swarm, vectors, wasm_build};

#[test]
fn native_and_wasm_give_the_same_bytes() {
    let bindings = match wasm_build::build() {
        Ok(bindings) => bindings,
        Err(missing) => return skip("the vectors through WASM", &missing),
    };
    let mut different = 0;
    for file in vectors::files() {
        let Some(kind) = file.kind else { continue };
        let mut node = wasm_build::node("answer.js", &bindings);
        let node = node.arg(kind.as_str()).arg(&file.path).stdout(Stdio::piped()).spawn().expect("node starts");
        let native = vectors::in_parallel(&file.lines, |line| {
            canonical(&answer(kind, &serde_json::from_str(line).expect("a line of JSON")))
        });
        let output = node.wait_with_output().expect("node ends");
        assert!(output.status.success(), "{}: node failed ({})", file.name(), output.status);
        let wasm = String::from_utf8(output.stdout).expect("answers are text");
        let wasm: Vec<&str> = wasm.lines().collect();
        assert_eq!(native.len(), wasm.len(), "{}: as many answers as lines", file.name());

        let unequal: Vec<usize> = (0..native.len()).filter(|index| native[*index] != wasm[*index]).collect();
        let bytes: usize = native.iter().map(String::len).sum();
        let equal = native.len() - unequal.len();
        say(&format!("{} as WASM: {equal} equal to native ({bytes} bytes), {} not", file.name(), unequal.len()));
        for index in unequal.iter().take(3) {
            say(&format!("  line {}\n    native {}\n    WASM   {}", index + 1, native[*index], wasm[*index]));
        }
        different += unequal.len();
    }
    assert_eq!(different, 0);
}

/// How many seeds are played on both.
const SEEDS: u32 = 500;

#[test]
fn plays_with_faults_leave_the_same_trace_natively_and_as_wasm() {
    let bindings = match wasm_build::build() {
        Ok(bindings) => bindings,
        Err(missing) => return skip("traces as WASM", &missing),
    };
    let mut node = wasm_build::node("simulate.js", &bindings);
    let node = node.args(["0", &SEEDS.to_string()]).stdout(Stdio::piped()).spawn().expect("node starts");
    let native = swarm::hashes(0, SEEDS);
    let output = node.wait_with_output().expect("node ends");
    assert!(output.status.success(), "node failed ({})", output.status);
    let wasm = String::from_utf8(output.stdout).expect("hashes are text");
    for (seed, (native, wasm)) in native.lines().zip(wasm.lines()).enumerate() {
        assert_eq!(native, wasm, "seed {seed}");
    }
    assert_eq!(native.lines().count(), wasm.lines().count());
    say(&format!("traces of {SEEDS} plays with faults: equal natively and as WASM"));
}

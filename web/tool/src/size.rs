//! What the page weighs on the wire, held against the committed figures in `web/size.json`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::web_folder;

/// More than the committed figure by this many percent is a failure under `--check-size`.
const TOLERANCE_PERCENT: u64 = 2;

/// What to do with the measured sizes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Ratchet {
    Print,
    Check,
    Write,
}

/// Sizes in bytes after brotli at quality 11.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Sizes {
    wasm: u64,
    script_and_style: u64,
    editor: u64,
}

/// Prints the sizes of `web/dist` beside the committed ones; checks them or writes them down when asked.
pub fn report(ratchet: Ratchet) -> Result<()> {
    let web = web_folder();
    let dist = web.join("dist");
    let measured = Sizes {
        wasm: compressed(&dist.join("rollcast_bg.wasm"))?,
        script_and_style: compressed(&dist.join("start.js"))? + compressed(&dist.join("style.css"))?,
        editor: compressed(&dist.join("editor.js"))?,
    };
    let file = web.join("size.json");
    if ratchet == Ratchet::Write {
        let text = serde_json::to_string_pretty(&measured).context("writing sizes")?;
        fs::write(&file, text + "\n").context("writing size.json")?;
    }
    let committed: Sizes =
        serde_json::from_slice(&fs::read(&file).context("reading size.json")?).context("reading size.json")?;
    let mut grown = Vec::new();
    println!("{:<24} {:>10} {:>10}", "brotli, bytes", "measured", "committed");
    for (name, measured, committed) in [
        ("WASM", measured.wasm, committed.wasm),
        ("JS + CSS, no editor", measured.script_and_style, committed.script_and_style),
        ("editor", measured.editor, committed.editor),
    ] {
        println!("{name:<24} {measured:>10} {committed:>10}");
        if exceeds(measured, committed) {
            grown.push(name);
        }
    }
    ensure!(
        ratchet != Ratchet::Check || grown.is_empty(),
        "grown by more than {TOLERANCE_PERCENT} %: {}; make it smaller, or commit `cargo web build --write-size`",
        grown.join(", ")
    );
    Ok(())
}

fn exceeds(measured: u64, committed: u64) -> bool {
    measured * 100 > committed * (100 + TOLERANCE_PERCENT)
}

fn compressed(file: &Path) -> Result<u64> {
    let bytes = fs::read(file).with_context(|| format!("reading {}", file.display()))?;
    let parameters = brotli::enc::BrotliEncoderParams { quality: 11, lgwin: 22, ..Default::default() };
    let mut out = Vec::new();
    brotli::BrotliCompress(&mut bytes.as_slice(), &mut out, &parameters).context("compressing")?;
    Ok(out.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_percent_more_passes_and_a_byte_beyond_fails() {
        assert!(!exceeds(102_000, 100_000));
        assert!(exceeds(102_001, 100_000));
        assert!(!exceeds(50, 100_000));
    }

    #[test]
    fn a_repetitive_file_compresses_well_below_its_length() {
        let file = std::env::temp_dir().join(format!("rollcast-size-{}", std::process::id()));
        fs::write(&file, vec![b'a'; 100_000]).unwrap();
        let size = compressed(&file).unwrap();
        fs::remove_file(&file).unwrap();
        assert!(size > 0 && size < 100, "{size}");
    }
}

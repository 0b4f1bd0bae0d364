//! Builds, measures and serves the page, and runs its browser tests: `cargo web build|serve|test-runner|bind`.
//!
//! It links wasm-bindgen's command line as a library, so that its version sits in `Cargo.lock` beside the one the page
//! is compiled against, and nothing has to be installed.

mod build;
mod layout;
mod locals;
mod names;
mod serve;
mod size;

use std::ffi::OsString;
use std::iter::once;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

const USAGE: &str = "\
usage: cargo web build [--release|--dev] [--check-size|--write-size]   build web/dist
       cargo web serve [--release|--dev] [--no-build] [--port N]       build, then serve it on 127.0.0.1
       cargo web test-runner …                                         run wasm-bindgen tests (cargo calls this)
       cargo web bind MODULE FOLDER                                    write a WASM module's bindings for Node";

fn main() -> Result<()> {
    let mut arguments = std::env::args_os().skip(1);
    let command = arguments.next().and_then(|argument| argument.into_string().ok()).unwrap_or_default();
    match command.as_str() {
        "build" => {
            let options = Options::parse(arguments)?;
            build::build(&options.profile)?;
            size::report(options.ratchet)
        }
        "serve" => {
            let options = Options::parse(arguments)?;
            if !options.no_build {
                build::build(&options.profile)?;
            }
            serve::serve(&web_folder().join("dist"), options.port)
        }
        "test-runner" => wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(
            once(OsString::from("wasm-bindgen-test-runner")).chain(arguments),
        ),
        "bind" => {
            let (Some(module), Some(folder)) = (arguments.next(), arguments.next()) else { bail!("{USAGE}") };
            build::bind_for_node(Path::new(&module), Path::new(&folder))
        }
        _ => bail!("{USAGE}"),
    }
}

/// What the command line asks of a build or of the server.
struct Options {
    profile: String,
    ratchet: size::Ratchet,
    no_build: bool,
    port: u16,
}

impl Options {
    fn parse(mut arguments: impl Iterator<Item = OsString>) -> Result<Self> {
        let mut options =
            Self { profile: "wasm-release".into(), ratchet: size::Ratchet::Print, no_build: false, port: 0 };
        while let Some(argument) = arguments.next() {
            match argument.to_str() {
                Some("--release") => options.profile = "wasm-release".into(),
                Some("--dev") => options.profile = "dev".into(),
                Some("--check-size") => options.ratchet = size::Ratchet::Check,
                Some("--write-size") => options.ratchet = size::Ratchet::Write,
                Some("--no-build") => options.no_build = true,
                Some("--port") => {
                    let port = arguments.next().context("`--port` needs a number")?;
                    options.port =
                        port.to_str().and_then(|text| text.parse().ok()).context("`--port` needs a number")?;
                }
                _ => bail!("unknown option `{}`\n{USAGE}", argument.to_string_lossy()),
            }
        }
        Ok(options)
    }
}

/// The folder of the page, which this tool is compiled in.
fn web_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(PathBuf::new, Path::to_path_buf)
}

//! The WASM build of this crate, for Node.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiles this crate to WASM as the page is compiled, writes bindings for Node, and returns their path.
///
/// What is missing on this machine is said in the error.
pub fn build() -> Result<PathBuf, String> {
    run(Command::new("node").arg("--version").stdout(std::process::Stdio::null()))?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests are a folder of the repository");
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let module = target.join("wasm32-unknown-unknown/wasm-release/rollcast_tests.wasm");
    let folder = target.join("wasm-node");

    let cargo = || {
        let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.current_dir(root).env_remove("CARGO_ENCODED_RUSTFLAGS").env_remove("RUSTFLAGS");
        command
    };
    run(cargo().args(["build", "--quiet", "--package", "rollcast-tests", "--lib"]).args([
        "--target",
        "wasm32-unknown-unknown",
        "--profile",
        "wasm-release",
    ]))?;
    run(cargo().args(["run", "--quiet", "--package", "rollcast-web-tool", "--", "bind"]).arg(&module).arg(&folder))?;
    Ok(folder.join("rollcast_tests.js"))
}

/// A script of this crate under Node, with the bindings as its first argument.
pub fn node(script: &str, bindings: &Path) -> Command {
    let mut command = Command::new("node");
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("node").join(script)).arg(bindings);
    command
}

fn run(command: &mut Command) -> Result<(), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{program}` failed ({status})")),
        Err(error) => Err(format!("`{program}` cannot be started: {error}")),
    }
}

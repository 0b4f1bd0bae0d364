//! Turns the sources into `web/dist`: the same commit, lock files and toolchain give the same bytes.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::{layout, names, web_folder};

/// Files that are copied as they are, from `web/static`.
const STATIC: [&str; 2] = ["index.html", "icon.svg"];

/// Fonts (SIL Open Font License) that are copied from their npm packages, with their licences.
const FONTS: [(&str, &str); 4] = [
    ("@fontsource-variable/inter/files/inter-latin-wght-normal.woff2", "inter.woff2"),
    ("@fontsource-variable/inter/LICENSE", "inter-license.txt"),
    ("@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2", "jetbrains-mono.woff2"),
    ("@fontsource-variable/jetbrains-mono/LICENSE", "jetbrains-mono-license.txt"),
];

/// Builds the page with a cargo profile into `web/dist`.
pub fn build(profile: &str) -> Result<()> {
    let web = web_folder();
    let staging = target_folder(&web).join("web-staging");
    let dist = web.join("dist");
    recreate(&staging)?;
    recreate(&dist)?;

    let wasm = compile(&web, profile)?;
    bind(&wasm, &staging)?;
    if profile != "dev" {
        compact(&staging)?;
    }
    install_packages(&web)?;

    fs::copy(web.join("static/start.js"), staging.join("start.js")).context("copying start.js")?;
    bundle(&web, &staging.join("start.js"), &dist.join("start.js"))?;
    bundle(&web, &web.join("editor/editor.js"), &dist.join("editor.js"))?;
    bundle(&web, &web.join("static/style.css"), &dist.join("style.css"))?;
    fs::copy(staging.join("rollcast_bg.wasm"), dist.join("rollcast_bg.wasm")).context("copying the WASM")?;
    for name in STATIC {
        fs::copy(web.join("static").join(name), dist.join(name)).with_context(|| format!("copying {name}"))?;
    }
    for (from, to) in FONTS {
        fs::copy(web.join("node_modules").join(from), dist.join(to)).with_context(|| format!("copying {to}"))?;
    }
    Ok(())
}

fn recreate(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("emptying {}", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("creating {}", folder.display()))
}

fn target_folder(web: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| web.join("../target"), PathBuf::from)
}

/// Compiles the page for wasm32 and returns the module's path.
fn compile(web: &Path, profile: &str) -> Result<PathBuf> {
    let target = target_folder(web);
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    run(Command::new(cargo)
        .current_dir(web)
        .args(["build", "--package", "rollcast-web", "--bin", "rollcast-web"])
        .args(["--target", "wasm32-unknown-unknown", "--profile", profile])
        .args(["--config", &remapping(web)])
        // They would be taken instead of those of `.cargo/config.toml`.
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env_remove("RUSTFLAGS"))?;
    let folder = if profile == "dev" { "debug" } else { profile };
    Ok(target.join("wasm32-unknown-unknown").join(folder).join("rollcast-web.wasm"))
}

/// Panic messages hold source paths: without this the bytes would depend on where the clone and cargo's cache are. Cargo
/// joins these flags to those of `.cargo/config.toml`.
fn remapping(web: &Path) -> String {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| {
        let home = std::env::var_os("HOME")?;
        Some(Path::new(&home).join(".cargo"))
    });
    let root = web.parent().unwrap_or(web);
    let flag = |from: &Path, to: &str| format!("{:?}", format!("--remap-path-prefix={}={to}", from.display()));
    let home = flag(&home.unwrap_or_default(), "/cargo");
    format!("target.wasm32-unknown-unknown.rustflags=[{home},{}]", flag(root, "/rollcast"))
}

/// Writes `rollcast.js` and `rollcast_bg.wasm` into a folder.
fn bind(wasm: &Path, folder: &Path) -> Result<()> {
    let arguments = [
        "wasm-bindgen".into(),
        wasm.as_os_str().to_owned(),
        "--target".into(),
        "web".into(),
        "--no-typescript".into(),
        "--remove-name-section".into(),
        "--out-name".into(),
        "rollcast".into(),
        "--out-dir".into(),
        folder.as_os_str().to_owned(),
    ];
    wasm_bindgen_cli::wasm_bindgen::run_cli_with_args(arguments).context("wasm-bindgen failed")
}

/// Rewrites the module and its script so that they compress better.
fn compact(folder: &Path) -> Result<()> {
    let (module, script) = (folder.join("rollcast_bg.wasm"), folder.join("rollcast.js"));
    let bytes = fs::read(&module).context("reading the WASM")?;
    let text = fs::read_to_string(&script).context("reading the WASM's script")?;
    let (bytes, text) = names::shorten(&layout::lay_out(&bytes)?, &text)?;
    fs::write(module, bytes).context("writing the WASM")?;
    fs::write(script, text).context("writing the WASM's script")
}

/// Writes what Node needs to load a module: the tests run the core as WASM without a browser.
pub fn bind_for_node(module: &Path, folder: &Path) -> Result<()> {
    let arguments = [
        "wasm-bindgen".into(),
        module.as_os_str().to_owned(),
        "--target".into(),
        "nodejs".into(),
        "--no-typescript".into(),
        "--out-dir".into(),
        folder.as_os_str().to_owned(),
    ];
    wasm_bindgen_cli::wasm_bindgen::run_cli_with_args(arguments).context("wasm-bindgen failed")
}

/// Installs the npm packages when the lock file differs from the one they were installed from.
fn install_packages(web: &Path) -> Result<()> {
    let lock = fs::read(web.join("package-lock.json")).context("reading package-lock.json")?;
    let stamp = web.join("node_modules/.installed-lock.json");
    if fs::read(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    run(Command::new("npm").current_dir(web).args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]))?;
    fs::write(&stamp, lock).context("writing the stamp of the installed packages")
}

/// Bundles and minifies a script or a style sheet with everything it imports.
fn bundle(web: &Path, from: &Path, to: &Path) -> Result<()> {
    let mut outfile = OsString::from("--outfile=");
    outfile.push(to);
    run(Command::new("node")
        .current_dir(web)
        .arg("node_modules/esbuild/bin/esbuild")
        .arg(from)
        .args(["--bundle", "--minify", "--format=esm", "--target=es2022", "--legal-comments=none"])
        .args(["--external:*.woff2", "--log-level=warning"])
        .arg(outfile))
}

fn run(command: &mut Command) -> Result<()> {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command.status().with_context(|| format!("`{program}` cannot be started: is it installed?"))?;
    ensure!(status.success(), "`{program}` failed ({status})");
    Ok(())
}

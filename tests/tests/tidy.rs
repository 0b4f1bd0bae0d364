//! What review would have to repeat: who depends on whom, what core may not call, what must not be left lying about.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Longest source file: past 400 lines there is a second subject in it, past this it is past arguing.
const LINES_AT_MOST: usize = 700;
/// Largest file in the repository.
const BYTES_AT_MOST: u64 = 1_500_000;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests are a folder of the repository")
}

/// Every file of the repository, relative to its root: what git has or would take.
fn files() -> Vec<PathBuf> {
    let listed = Command::new("git")
        .current_dir(root())
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .output()
        .ok()
        .filter(|output| output.status.success());
    let mut files: Vec<PathBuf> = match listed {
        Some(output) => {
            let text = String::from_utf8(output.stdout).expect("file names are text");
            text.split('\0').filter(|name| !name.is_empty()).map(PathBuf::from).collect()
        }
        None => walk(Path::new("")),
    };
    files.retain(|file| root().join(file).is_file());
    files.sort();
    files.dedup();
    files
}

/// The same without git, in an unpacked archive.
fn walk(folder: &Path) -> Vec<PathBuf> {
    let ignored = ["target", "node_modules", "dist", ".git"];
    let entries = fs::read_dir(root().join(folder)).expect("a folder");
    entries
        .map(|entry| folder.join(entry.expect("an entry").file_name()))
        .filter(|path| !ignored.iter().any(|name| path.ends_with(name)))
        .flat_map(|path| if root().join(&path).is_dir() { walk(&path) } else { vec![path] })
        .collect()
}

fn read(file: &Path) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

fn has_extension(file: &Path, extensions: &[&str]) -> bool {
    file.extension().is_some_and(|found| extensions.iter().any(|extension| found == *extension))
}

/// The lines of a Rust file with their numbers, without comments and without what follows `#[cfg(test)]`.
fn code_lines(text: &str) -> Vec<(usize, String)> {
    let product = text.split("#[cfg(test)]\nmod ").next().unwrap_or(text);
    let code = |line: &str| line.split("//").next().unwrap_or(line).to_owned();
    product.lines().enumerate().map(|(index, line)| (index + 1, code(line))).collect()
}

/// The packages that make up the core, each above the next one's rules.
const CORE: [&str; 3] = ["core", "core/sim", "core/engine"];

fn core_sources() -> Vec<PathBuf> {
    let is_test = |file: &PathBuf| file.iter().any(|part| part == "tests" || part == "tests.rs");
    let mut sources = files();
    let is_core = |file: &PathBuf| CORE.iter().any(|package| file.starts_with(Path::new(package).join("src")));
    sources.retain(|file| is_core(file) && has_extension(file, &["rs"]) && !is_test(file));
    sources
}

/// Dependencies of a package by section of its manifest; target-specific sections count as what they are.
fn dependencies(package: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut sections: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut section = String::new();
    for line in read(&Path::new(package).join("Cargo.toml")).lines() {
        if let Some(header) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            header.rsplit('.').next().unwrap_or(header).clone_into(&mut section);
        } else if section.ends_with("dependencies") && line.contains('=') && !line.starts_with([' ', '#']) {
            let name = line.split(['=', '.']).next().unwrap_or(line).trim().trim_matches('"');
            sections.entry(section.clone()).or_default().insert(name.to_owned());
        }
    }
    sections
}

#[test]
fn dependencies_point_to_the_core_only() {
    let packages = [
        ("core/engine", "rollcast-engine", vec![]),
        ("core/sim", "rollcast-sim", vec!["rollcast-engine"]),
        ("core", "rollcast-core", vec!["rollcast-engine", "rollcast-sim"]),
        ("cli", "rollcast", vec!["rollcast-core"]),
        ("web", "rollcast-web", vec!["rollcast-core"]),
        ("controller", "rollcast-controller", vec!["rollcast-core"]),
        ("web/tool", "rollcast-web-tool", vec![]),
        ("tests", "rollcast-tests", vec!["rollcast-core"]),
    ];
    let names: BTreeSet<&str> = packages.iter().map(|(_, name, _)| *name).collect();
    for (folder, name, allowed) in &packages {
        let found: BTreeSet<String> = dependencies(folder)
            .into_iter()
            .filter(|(section, _)| *section != "dev-dependencies")
            .flat_map(|(_, dependencies)| dependencies)
            .filter(|dependency| names.contains(dependency.as_str()))
            .collect();
        assert_eq!(found, allowed.iter().map(ToString::to_string).collect(), "what {name} depends on");
    }
}

#[test]
fn the_core_depends_on_nothing_that_does_io() {
    let banned =
        ["tokio", "kube", "kube-client", "kube-runtime", "reqwest", "hyper", "rayon", "rand", "futures", "web-sys"];
    for package in CORE {
        let dependencies = dependencies(package).remove("dependencies").unwrap_or_default();
        assert!(!dependencies.is_empty(), "the manifest of {package} was not understood");
        for name in banned {
            assert!(!dependencies.contains(name), "{package} depends on {name}");
        }
    }
}

/// Modules that may know each other: what people are shown, and the words for it.
const VIEW_MODELS_AND_WORDS: [&str; 2] = ["report", "message"];

#[test]
fn between_modules_of_the_core_arrows_point_one_way() {
    for (folder, prefixes) in [
        ("core/engine/src", &["crate::"][..]),
        ("core/src", &["crate::"]),
        ("core/src/manifest", &["super::", "crate::manifest::"]),
    ] {
        let mut arrows: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for file in core_sources().iter().filter(|file| file.starts_with(folder)) {
            let inside = file.strip_prefix(folder).expect("a file of the folder");
            let module = inside.iter().next().expect("a module").to_string_lossy().trim_end_matches(".rs").to_owned();
            let text: String = code_lines(&read(file)).into_iter().map(|(_, line)| line + " ").collect();
            // `super` means the folder only in the module's own file.
            let is_own_file = inside.iter().count() == 1 || inside.ends_with("mod.rs") && inside.iter().count() == 2;
            for prefix in prefixes.iter().filter(|prefix| is_own_file || **prefix != "super::") {
                arrows.entry(module.clone()).or_default().extend(named_after(&text, prefix));
            }
        }
        let modules: BTreeSet<String> =
            arrows.keys().filter(|module| !["lib", "mod"].contains(&module.as_str())).cloned().collect();
        assert!(modules.len() > 5, "the modules of {folder} were not understood: {modules:?}");
        for to in arrows.values_mut() {
            to.retain(|module| modules.contains(module));
        }
        for (from, to) in &arrows {
            for to in to.iter().filter(|to| *to != from) {
                let are_one = [from, to].iter().all(|module| VIEW_MODELS_AND_WORDS.contains(&module.as_str()));
                let back = if are_one { None } else { way(&arrows, to, from) };
                assert_eq!(back, None, "{folder}: {from} uses {to}, which leads back to it");
            }
        }
    }
}

/// The modules in `prefix::module` and `prefix::{module::…, …}`.
fn named_after(text: &str, prefix: &str) -> BTreeSet<String> {
    let word = |text: &str| -> String {
        text.chars().take_while(|character| character.is_alphanumeric() || *character == '_').collect()
    };
    let mut found = BTreeSet::new();
    for (at, _) in text.match_indices(prefix) {
        let before = text[..at].chars().next_back();
        if before.is_some_and(|before| before.is_alphanumeric() || before == ':' || before == '_') {
            continue;
        }
        let rest = &text[at + prefix.len()..];
        let Some(list) = rest.strip_prefix('{') else {
            found.insert(word(rest));
            continue;
        };
        let mut depth = 1;
        let end = list.find(|character| {
            depth += i32::from(character == '{') - i32::from(character == '}');
            depth == 0
        });
        found.extend(list[..end.unwrap_or(list.len())].split([',', '{', '}']).map(|item| word(item.trim())));
    }
    found
}

/// A way along the arrows, as the modules on it.
fn way(arrows: &BTreeMap<String, BTreeSet<String>>, from: &str, to: &str) -> Option<Vec<String>> {
    let mut ways = vec![vec![from.to_owned()]];
    let mut seen = BTreeSet::from([from.to_owned()]);
    while let Some(taken) = ways.pop() {
        let here = taken.last().expect("a way has a start");
        if here == to {
            return Some(taken);
        }
        for next in arrows.get(here).into_iter().flatten() {
            if seen.insert(next.clone()) {
                ways.push(taken.iter().cloned().chain([next.clone()]).collect());
            }
        }
    }
    None
}

#[test]
fn an_arrow_is_found_however_it_is_written() {
    let names = |text: &str| named_after(text, "crate::").into_iter().collect::<Vec<_>>().join(" ");
    assert_eq!(names("use crate::manage::{Standing, plan};"), "manage");
    assert_eq!(names("use crate::{api::{Node, Pod}, time};"), " Node Pod api time");
    assert_eq!(names("rollcast_crate::no"), "");
    let arrows = BTreeMap::from([
        ("a".to_owned(), BTreeSet::from(["b".to_owned()])),
        ("b".to_owned(), BTreeSet::from(["c".to_owned()])),
    ]);
    assert_eq!(way(&arrows, "a", "c").map(|way| way.join(" ")).as_deref(), Some("a b c"));
    assert_eq!(way(&arrows, "c", "a"), None);
}

#[test]
fn the_core_asks_the_outside_world_nothing() {
    let banned = [
        ("SystemTime", "time is an argument"),
        ("Instant::now", "time is an argument"),
        ("Timestamp::now", "time is an argument"),
        ("Zoned::now", "time is an argument"),
        ("std::env", "the environment belongs to the shells"),
        ("env::var", "the environment belongs to the shells"),
        ("std::fs", "files belong to the shells"),
        ("File::open", "files belong to the shells"),
        ("TcpStream", "the network belongs to the shells"),
        ("TcpListener", "the network belongs to the shells"),
        ("UdpSocket", "the network belongs to the shells"),
        ("ToSocketAddrs", "the network belongs to the shells"),
        ("std::process", "processes belong to the shells"),
        ("std::thread", "threads belong to the shells"),
        ("thread::", "threads belong to the shells"),
        ("std::sync::Mutex", "without threads there is nothing to lock"),
        ("async fn", "the core never waits"),
        (".await", "the core never waits"),
        ("println!", "text is returned, not printed"),
        ("RandomState", "its order differs from run to run"),
        (".exp()", "std's transcendental functions differ between targets: libm"),
        (".ln()", "std's transcendental functions differ between targets: libm"),
        (".powf(", "std's transcendental functions differ between targets: libm"),
        (".sin()", "std's transcendental functions differ between targets: libm"),
        (".cos()", "std's transcendental functions differ between targets: libm"),
    ];
    let mut found = Vec::new();
    for file in core_sources() {
        for (number, line) in code_lines(&read(&file)) {
            for (call, why) in banned {
                if ends_a_word(&line, call) {
                    found.push(format!("{}:{number}: `{call}`: {why}", file.display()));
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_core_iterates_no_hash_map() {
    let mut found = Vec::new();
    for file in core_sources() {
        let lines = code_lines(&read(&file));
        let maps: BTreeSet<String> = lines.iter().filter_map(|(_, line)| declared_hash_map(line)).collect();
        for (number, line) in &lines {
            for map in maps.iter().filter(|map| is_iterated(line, map)) {
                found.push(format!(
                    "{}:{number}: `{map}` is a hash map, its order differs from run to run",
                    file.display()
                ));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// The name in `name: HashMap<…>`, `name: FxHashSet<…>`, `let name = HashMap::new()`.
fn declared_hash_map(line: &str) -> Option<String> {
    let at = ["HashMap<", "HashSet<", "HashMap::", "HashSet::"].iter().filter_map(|word| line.find(word)).min()?;
    let before = line[..at]
        .trim_end_matches(|character: char| character.is_alphanumeric() || character == '_' || character == ':');
    let before = before.trim_end().trim_end_matches([':', '=', '&']).trim_end();
    let start =
        before.rfind(|character: char| !(character.is_alphanumeric() || character == '_')).map_or(0, |at| at + 1);
    let name = &before[start..];
    (!name.is_empty() && name != "use" && name != "type").then(|| name.to_owned())
}

fn is_iterated(line: &str, map: &str) -> bool {
    let calls =
        ["iter()", "iter_mut()", "keys()", "values()", "values_mut()", "into_iter()", "into_values()", "drain("];
    calls.iter().any(|call| contains_word(line, &format!("{map}.{call}")))
        || ["in &", "in &mut ", "in ", "in &self.", "in self."].iter().any(|before| {
            line.trim_end().strip_suffix('{').is_some_and(|line| line.trim_end().ends_with(&format!(" {before}{map}")))
        })
}

fn ends_a_word(line: &str, call: &str) -> bool {
    let next = |at: usize| line[at + call.len()..].chars().next();
    let open = |character: char| character.is_alphanumeric() || character == '_';
    line.match_indices(call).any(|(at, _)| call.ends_with("::") || !next(at).is_some_and(open))
}

fn contains_word(line: &str, word: &str) -> bool {
    line.match_indices(word)
        .any(|(at, _)| !line[..at].chars().next_back().is_some_and(|before| before.is_alphanumeric() || before == '_'))
}

#[test]
fn a_hash_map_that_is_iterated_is_noticed() {
    assert_eq!(declared_hash_map("    by_name: HashMap<Text, u32>,").as_deref(), Some("by_name"));
    assert_eq!(declared_hash_map("let mut seen = HashSet::new();").as_deref(), Some("seen"));
    assert_eq!(declared_hash_map("use std::collections::HashMap;"), None);
    assert!(is_iterated("for (name, rank) in &self.by_name {", "by_name"));
    assert!(is_iterated("self.by_name.values().max()", "by_name"));
    assert!(!is_iterated("self.sorted_by_name.values().max()", "by_name"));
    assert!(!is_iterated("self.by_name.get(name)", "by_name"));
}

#[test]
fn nothing_unfinished_is_left() {
    // In two parts, so that this file does not find itself.
    let words = [
        ("TO", "DO"),
        ("FIX", "ME"),
        ("XX", "X"),
        ("HA", "CK"),
        ("dbg", "!("),
        ("todo", "!("),
        ("unimplemented", "!("),
    ]
    .map(|(start, end)| format!("{start}{end}"));
    let extensions = ["rs", "toml", "md", "js", "mjs", "css", "html", "yml", "yaml", "sh"];
    let mut found = Vec::new();
    for file in files().iter().filter(|file| has_extension(file, &extensions) || file.starts_with(".ci")) {
        if file.starts_with("tests/cases") || file.ends_with("clippy.toml") {
            continue;
        }
        for (index, line) in read(file).lines().enumerate() {
            for word in words.iter().filter(|word| contains_word(line, word)) {
                found.push(format!("{}:{}: {word}", file.display(), index + 1));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn no_file_is_too_long_or_too_large() {
    let mut found = Vec::new();
    for file in files() {
        let bytes = fs::metadata(root().join(&file)).expect("a file").len();
        if bytes > BYTES_AT_MOST {
            found.push(format!("{}: {bytes} bytes, at most {BYTES_AT_MOST}", file.display()));
        }
        let generated = file.starts_with("core/src/manifest/schema");
        if has_extension(&file, &["rs", "js", "css"]) && !generated {
            let lines = read(&file).lines().count();
            if lines > LINES_AT_MOST {
                found.push(format!("{}: {lines} lines, at most {LINES_AT_MOST}", file.display()));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_top_level_is_as_designed() {
    let folders = ["core", "web", "cli", "controller", "tests"];
    let texts = [
        "Cargo.toml",
        "Cargo.lock",
        "README.md",
        "rust-toolchain.toml",
        "rustfmt.toml",
        "clippy.toml",
        "deny.toml",
        "LICENSE",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "Makefile",
    ];
    for file in files() {
        let top = file.components().next().expect("a path").as_os_str().to_string_lossy().into_owned();
        let known = folders.contains(&top.as_str()) || texts.contains(&top.as_str()) || top.starts_with('.');
        assert!(known, "{} has no place at the top level", file.display());
    }
    for folder in folders {
        assert!(root().join(folder).join("Cargo.toml").is_file(), "{folder} is a package");
    }
}

/// Lines of the code blocks of a Markdown text, and what stands between backticks.
fn commands(text: &str) -> Vec<String> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            inside = !inside;
        } else if inside {
            found.push(line.trim().trim_start_matches("$ ").to_owned());
        } else {
            found.extend(line.split('`').skip(1).step_by(2).map(str::to_owned));
        }
    }
    found
}

#[test]
fn commands_in_the_documents_exist() {
    let makefile = read(Path::new("Makefile"));
    let targets: BTreeSet<&str> =
        makefile.lines().filter_map(|line| line.split_once(':').map(|(target, _)| target)).collect();
    let documents = ["README.md", "CONTRIBUTING.md"].map(Path::new);
    let mut checked = 0;
    for document in documents.into_iter().filter(|document| root().join(document).is_file()) {
        for command in commands(&read(document)) {
            let mut words = command.split_whitespace();
            match (words.next(), words.next()) {
                (Some("make"), Some(target)) => {
                    assert!(targets.contains(target), "{}: `make {target}` is no target", document.display());
                    checked += 1;
                }
                (Some(script), _) if script.starts_with(".ci/") && document == Path::new("README.md") => {
                    assert!(root().join(script).is_file(), "{}: `{script}` does not exist", document.display());
                    checked += 1;
                }
                _ => {}
            }
        }
    }
    assert!(checked > 0, "the documents show no command: were they not understood?");
}

#[test]
fn every_package_inherits_what_the_workspace_settles() {
    for package in CORE.into_iter().chain(["cli", "web", "controller", "tests", "web/tool"]) {
        let manifest = read(&Path::new(package).join("Cargo.toml"));
        for line in ["version.workspace = true", "edition.workspace = true", "license.workspace = true"] {
            assert!(manifest.contains(line), "{package}/Cargo.toml lacks `{line}`");
        }
        assert!(manifest.contains("[lints"), "{package}/Cargo.toml has no lints");
    }
}

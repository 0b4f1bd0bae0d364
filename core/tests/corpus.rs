//! Reads published manifests, where `ROLLCAST_CORPUS` names a folder of them: no panic, no hang, and what parses.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rollcast_core::manifest::{Documents, Object, read_documents};

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| ["yaml", "yml", "json"].iter().any(|known| end == *known)))
        .collect();
    found.sort();
    found
}

/// What the index of a folder says of each file: the line's fields by the names in its first line.
fn index(folder: &Path) -> BTreeMap<String, BTreeMap<String, String>> {
    let text = std::fs::read_to_string(folder.join("INDEX.tsv")).unwrap();
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split('\t').collect();
    lines
        .map(|line| {
            let fields: BTreeMap<String, String> = names
                .iter()
                .zip(line.split('\t'))
                .map(|(name, field)| ((*name).to_owned(), field.to_owned()))
                .collect();
            (fields["file"].clone(), fields)
        })
        .collect()
}

fn read(path: &Path) -> Documents {
    let started = Instant::now();
    let documents = read_documents(&std::fs::read(path).unwrap());
    let took = started.elapsed();
    assert!(took < Duration::from_secs(20), "{} took {took:?}", path.display());
    documents
}

fn daemon_sets(documents: &Documents) -> usize {
    documents.objects.iter().filter(|located| matches!(located.object, Object::DaemonSet(_))).count()
}

#[test]
fn published_manifests_are_read() {
    let Some(folder) = std::env::var_os("ROLLCAST_CORPUS").map(PathBuf::from) else {
        println!("skipped: ROLLCAST_CORPUS does not name a folder of manifests");
        return;
    };
    let index = index(&folder);
    let mut codes: BTreeMap<&str, BTreeMap<String, usize>> = BTreeMap::new();
    let (mut with_daemon_sets, mut templates, mut wrong) = (0, 0, Vec::new());
    for path in files(&folder) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let documents = read(&path);
        for problem in &documents.problems {
            *codes.entry(problem.kind.code()).or_default().entry(name.clone()).or_default() += 1;
        }
        let count = daemon_sets(&documents);
        with_daemon_sets += usize::from(count > 0);
        let entry = &index[&name];
        let is_template = entry["special"].contains("templating-residue");
        let unrendered =
            documents.problems.iter().filter(|problem| problem.kind.code() == "unrendered-template").count();
        templates += usize::from(is_template && unrendered == 1);
        // Another project's DaemonSet is none of ours.
        let is_foreign = entry["special"].contains("api=apps.kruise.io");
        let expected: usize = if is_foreign { 0 } else { entry["parsed_daemonsets"].parse().unwrap() };
        if count != expected || unrendered != usize::from(is_template) {
            wrong.push(format!("{name}: {count} DaemonSets of {expected}, {unrendered} unrendered"));
        }
    }
    println!("{with_daemon_sets} files with DaemonSets, {templates} templates");
    for (code, files) in codes {
        println!("{code}: {} in {} files", files.values().sum::<usize>(), files.len());
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn published_node_lists_are_read() {
    let Some(folder) = std::env::var_os("ROLLCAST_CORPUS").map(|folder| PathBuf::from(folder).join("nodes")) else {
        println!("skipped: ROLLCAST_CORPUS does not name a folder of manifests");
        return;
    };
    let mut nodes = 0;
    let files = files(&folder);
    for path in &files {
        let documents = read(path);
        let here = documents.objects.iter().filter(|located| matches!(located.object, Object::Node(_))).count();
        assert!(here > 0, "{} has no nodes: {:?}", path.display(), documents.problems);
        nodes += here;
        for problem in &documents.problems {
            println!("{}:{}: {}", path.display(), problem.span.start.line, problem.kind.code());
        }
    }
    println!("{nodes} nodes in {} files", files.len());
}

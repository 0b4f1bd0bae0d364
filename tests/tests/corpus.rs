//! Published manifests and node lists, read in place where `ROLLCAST_CORPUS` names them: no panic, no hang, and for each
//! file the counts and problem codes that were reviewed by eye.
//!
//! The snapshot `tests/corpus/read.tsv` holds counts and codes, never text of a file. To write it anew:
//!
//! ```sh
//! ROLLCAST_CORPUS=… ROLLCAST_UPDATE=1 cargo test --package rollcast-tests --test corpus
//! ```

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, fs};

use rollcast_core::KubernetesVersion;
use rollcast_core::manifest::read_documents;
use rollcast_tests::say::{say, skip};
use rollcast_tests::vectors::in_parallel;

/// No file of the corpus may take so long, on whatever machine.
const LONGEST: Duration = Duration::from_secs(20);

fn manifests(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let is_manifest =
        |path: &Path| path.extension().is_some_and(|found| ["yaml", "yml", "json"].iter().any(|known| found == *known));
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            found.extend(manifests(&path));
        } else if is_manifest(&path) {
            found.push(path);
        }
    }
    found
}

/// One line: file, objects by kind, objects skipped, problems by severity and code.
fn line_of(root: &Path, path: &Path) -> (String, Duration) {
    let bytes = fs::read(path).expect("a file");
    let start = Instant::now();
    let read = read_documents(&bytes, KubernetesVersion::default());
    let elapsed = start.elapsed();
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for located in &read.objects {
        *kinds.entry(located.object.kind().name()).or_default() += 1;
    }
    let mut codes: BTreeMap<String, usize> = BTreeMap::new();
    for problem in &read.problems {
        let severity = format!("{:?}", problem.kind.severity()).to_lowercase();
        *codes.entry(format!("{severity}:{}", problem.kind.code())).or_default() += 1;
    }
    let counted = |counts: &mut dyn Iterator<Item = (String, usize)>| {
        counts.map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ")
    };
    let name = path.strip_prefix(root).expect("within the corpus").display().to_string();
    let kinds = counted(&mut kinds.into_iter().map(|(name, count)| (name.to_owned(), count)));
    let skipped: u32 = read.skipped.iter().map(|(_, count)| count).sum();
    let codes = counted(&mut codes.into_iter());
    (format!("{name}\t{kinds}\t{skipped}\t{codes}"), elapsed)
}

#[test]
fn every_file_of_the_corpus_is_read_as_reviewed() {
    let Some(root) = env::var_os("ROLLCAST_CORPUS").filter(|value| !value.is_empty()).map(PathBuf::from) else {
        return say("SKIPPED the corpus: ROLLCAST_CORPUS names no directory");
    };
    if !root.is_dir() {
        return skip("the corpus", &format!("{} is no directory", root.display()));
    }
    let files = manifests(&root);
    let lines = in_parallel(&files, |path| line_of(&root, path));
    let (slowest, longest) =
        lines.iter().map(|(line, elapsed)| (line, *elapsed)).max_by_key(|(_, elapsed)| *elapsed).expect("files");
    assert!(longest < LONGEST, "{longest:?}: {slowest}");

    let mut found = String::from("file\tobjects\tskipped\tproblems\n");
    for (line, _) in &lines {
        writeln!(found, "{line}").unwrap();
    }
    let snapshot = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/read.tsv");
    if env::var_os("ROLLCAST_UPDATE").is_some() {
        fs::write(&snapshot, &found).expect("the snapshot is written");
    }
    let reviewed = fs::read_to_string(&snapshot).expect("the snapshot");
    let differences: Vec<String> = found
        .lines()
        .filter(|line| !reviewed.lines().any(|other| other == *line))
        .map(|line| format!("now       {line}"))
        .chain(
            reviewed
                .lines()
                .filter(|line| !found.lines().any(|other| other == *line))
                .map(|line| format!("reviewed  {line}")),
        )
        .collect();
    let daemon_sets = lines.iter().filter(|(line, _)| line.contains("DaemonSet ")).count();
    say(&format!(
        "corpus: {} files read, {daemon_sets} with DaemonSets, slowest {} ms, {} lines differ from the reviewed ones",
        files.len(),
        longest.as_millis(),
        differences.len()
    ));
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

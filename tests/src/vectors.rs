//! Reads vector files, asks a subject on both cores, prints passed and failed per file.
//!
//! Files come from `tests/vectors/` and from the directory that the environment variable `ROLLCAST_VECTORS` names:
//! every `.jsonl` and `.jsonl.gz` in it, whatever it is called. The kind of a file is told by the fields of its lines.

use std::fmt::Write as _;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, io, thread};

use flate2::read::GzDecoder;
use serde_json::Value;

use crate::compare::{Difference, differences};
use crate::say::say;
use crate::subject::{self, Kind};

/// A vector file, read.
pub struct VectorFile {
    /// Where it is.
    pub path: PathBuf,
    /// What its lines are; none when the first line is of no known kind.
    pub kind: Option<Kind>,
    /// Its lines.
    pub lines: Vec<String>,
}

impl VectorFile {
    /// The name without folders and `.gz`.
    pub fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        name.strip_suffix(".gz").unwrap_or(&name).to_owned()
    }
}

/// What came of one file.
pub struct FileReport {
    /// File name.
    pub name: String,
    /// Lines that conform.
    pub passed: usize,
    /// The others, in the order of the file.
    pub failed: Vec<LineReport>,
}

/// A line whose answer does not conform.
pub struct LineReport {
    /// The line's own name.
    pub name: String,
    /// Where it does not conform.
    pub differences: Vec<Difference>,
}

impl FileReport {
    /// `sync.jsonl: 1999 passed, 1 failed` and the differences of the first few lines.
    pub fn to_text(&self) -> String {
        const LINES_SHOWN: usize = 10;
        const FIELDS_SHOWN: usize = 5;
        let mut text = format!("{}: {} passed, {} failed\n", self.name, self.passed, self.failed.len());
        for line in self.failed.iter().take(LINES_SHOWN) {
            for difference in line.differences.iter().take(FIELDS_SHOWN) {
                writeln!(text, "  {}: {difference}", line.name).unwrap();
            }
            if line.differences.len() > FIELDS_SHOWN {
                writeln!(text, "  {}: and {} more fields", line.name, line.differences.len() - FIELDS_SHOWN).unwrap();
            }
        }
        if self.failed.len() > LINES_SHOWN {
            writeln!(text, "  and {} more lines", self.failed.len() - LINES_SHOWN).unwrap();
        }
        text
    }
}

/// Asks the library about every line of this kind, prints the reports, and panics when any line failed.
pub fn check(kind: Kind) {
    let reports = reports(kind);
    let failed: usize = reports.iter().map(|report| report.failed.len()).sum();
    assert!(reports.iter().map(|report| report.passed).sum::<usize>() + failed > 0, "no {} vectors", kind.as_str());
    assert_eq!(failed, 0, "{failed} lines do not conform");
}

/// Asks the library about every line of this kind and prints the reports.
pub fn reports(kind: Kind) -> Vec<FileReport> {
    let reports: Vec<FileReport> = files()
        .into_iter()
        .filter(|file| file.kind == Some(kind))
        .map(|file| report(kind, &file, subject::answer))
        .collect();
    for report in &reports {
        say(&report.to_text());
    }
    reports
}

/// Asks `answer` about every line of a file, on all cores.
pub fn report(kind: Kind, file: &VectorFile, answer: fn(Kind, &Value) -> Value) -> FileReport {
    let outcomes = in_parallel(&file.lines, |text| {
        let line: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{}: {error}", file.path.display()));
        let differences = differences(kind, &line, &answer(kind, &line));
        let name = line["name"].as_str().unwrap_or("(no name)").to_owned();
        LineReport { name, differences }
    });
    let total = outcomes.len();
    let failed: Vec<LineReport> = outcomes.into_iter().filter(|line| !line.differences.is_empty()).collect();
    FileReport { name: file.name(), passed: total - failed.len(), failed }
}

/// Every vector file there is: the repository's own, and those of the directory that `ROLLCAST_VECTORS` names.
pub fn files() -> Vec<VectorFile> {
    let own = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/vectors"));
    let added = env::var_os("ROLLCAST_VECTORS").filter(|value| !value.is_empty()).map(PathBuf::from);
    std::iter::once(own).chain(added).flat_map(|directory| files_in(&directory)).collect()
}

/// The vector files of one directory, in order of name.
pub fn files_in(directory: &Path) -> Vec<VectorFile> {
    let entries = fs::read_dir(directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.unwrap().path()).filter(|path| is_vector_file(path)).collect();
    paths.sort();
    paths.into_iter().map(|path| read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))).collect()
}

fn is_vector_file(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".jsonl") || name.ends_with(".jsonl.gz")
}

fn read(path: &Path) -> io::Result<VectorFile> {
    let mut text = String::new();
    if path.extension().is_some_and(|extension| extension == "gz") {
        GzDecoder::new(fs::File::open(path)?).read_to_string(&mut text)?;
    } else {
        text = fs::read_to_string(path)?;
    }
    let lines: Vec<String> = text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect();
    let kind = lines.first().and_then(|line| Kind::of(&serde_json::from_str(line).ok()?));
    Ok(VectorFile { path: path.to_owned(), kind, lines })
}

/// Maps every item on all cores; results keep the order of the items. A panic in `work` names no item: it ends the test.
pub fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let threads = thread::available_parallelism().map_or(2, usize::from).min(items.len().max(1));
    let mut results: Vec<(usize, R)> = thread::scope(|scope| {
        let run = || {
            let mut done = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(index) else { return done };
                done.push((index, work(item)));
            }
        };
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
        running
            .into_iter()
            .flat_map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

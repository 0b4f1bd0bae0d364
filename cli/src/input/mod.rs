//! The only module that reads: files, directories and standard input become the objects of a cluster.
//!
//! A text of up to 4 MiB is read as documents, with every problem and its place. Anything longer is a dump: it is read
//! in chunks and never held as a whole.

mod cluster;
mod scenario;
mod sources;

pub use cluster::{Cluster, key_in_default_namespace};
pub use scenario::read_scenario;

use std::io::Read;
use std::path::{Path, PathBuf};

use rollcast_core::KubernetesVersion;
use rollcast_core::api::{Node, ObjectKey};
use rollcast_core::manifest::schema::is_probably;
use rollcast_core::manifest::{Documents, Dump, DumpReader, Problem, Severity, TEXT_LIMIT, read_documents};
use rollcast_core::message::Language;
use rollcast_core::scenario::SCENARIO_KIND;
use rollcast_core::trace::{TRACE_KIND, read_trace};

use crate::arguments::{ChangeArguments, InputArguments};
use crate::failure::Failure;
use crate::output::{self, Output, Progress};
use sources::{Source, sources};

/// Bytes that are read at a time.
const CHUNK: usize = 1 << 20;

/// Problems of a dump that are printed.
const DUMP_PROBLEMS_SHOWN: usize = 5;

/// What is left to read of a source.
type Rest = Box<dyn Read>;

/// A text of a size that a person edits, read.
pub struct ReadText {
    pub name: String,
    /// The text, with what is not UTF-8 replaced; problems then have no place in it but the start.
    pub text: String,
    pub documents: Documents,
}

/// Reads every text that the paths name as documents, reviewed by the API server of this release.
pub fn read_texts(paths: &[PathBuf], recursive: bool, version: KubernetesVersion) -> Result<Vec<ReadText>, Failure> {
    sources(paths, recursive)?.iter().map(|source| read_text(source, version)).collect()
}

fn read_text(source: &Source, version: KubernetesVersion) -> Result<ReadText, Failure> {
    let bytes = read_up_to(source, usize::MAX)?.0;
    refuse_trace(source, &bytes)?;
    let documents = read_documents(&bytes, version);
    Ok(ReadText { name: source.name(), text: lossy(bytes), documents })
}

/// Reads everything that the arguments name into one cluster of this release. Later texts win over earlier ones.
pub fn read_cluster(
    arguments: &InputArguments,
    version: KubernetesVersion,
    output: &Output,
) -> Result<Cluster, Failure> {
    if arguments.filenames.is_empty() {
        return Err(Failure::NothingToRead);
    }
    let mut cluster = Cluster::default();
    add_to_cluster(&mut cluster, &arguments.filenames, arguments.recursive, version, output)?;
    cluster.find_owners();
    cluster.note_what_was_left_out(version, output.language);
    Ok(cluster)
}

/// Whether the arguments read standard input once at most.
pub fn check_change(arguments: &ChangeArguments) -> Result<(), Failure> {
    let paths = arguments.input.filenames.iter().chain(&arguments.to);
    let pipes = paths.filter(|path| path.as_os_str() == "-").count();
    if pipes > 1 { Err(Failure::StandardInputTwice) } else { Ok(()) }
}

/// Reads everything that the paths name into a cluster of this release.
pub fn add_to_cluster(
    cluster: &mut Cluster,
    paths: &[PathBuf],
    recursive: bool,
    version: KubernetesVersion,
    output: &Output,
) -> Result<(), Failure> {
    let limit = usize::try_from(TEXT_LIMIT).unwrap_or(usize::MAX);
    for source in sources(paths, recursive)? {
        let (bytes, rest) = read_up_to(&source, limit)?;
        refuse_trace(&source, &bytes)?;
        match rest {
            None => {
                let documents = read_documents(&bytes, version);
                add_documents(
                    cluster,
                    ReadText { name: source.name(), text: lossy(bytes), documents },
                    output.language,
                )?;
            }
            Some(rest) => read_dump(cluster, &source, bytes, rest, output.language)?,
        }
    }
    Ok(())
}

fn add_documents(cluster: &mut Cluster, read: ReadText, language: Language) -> Result<(), Failure> {
    let ReadText { name, text, documents } = read;
    // Objects with errors say themselves what can be made of them; text without any object says nothing.
    if documents.objects.is_empty() && documents.has_errors() {
        for problem in documents.problems.iter().filter(|problem| is_error(problem)) {
            output::print_problem(&name, &text, problem, language);
        }
        return Err(Failure::NotRead { name: format!("`{name}`") });
    }
    cluster.add_documents(&name, documents);
    Ok(())
}

fn read_dump(
    cluster: &mut Cluster,
    source: &Source,
    start: Vec<u8>,
    mut rest: Rest,
    language: Language,
) -> Result<(), Failure> {
    let mut progress = Progress::new("reading", "正在读取", language);
    let mut reader = DumpReader::new(|object| cluster.add(object));
    let mut done = start.len();
    for piece in start.chunks(CHUNK) {
        reader.push(piece);
    }
    drop(start);
    let mut buffer = vec![0; CHUNK];
    loop {
        let length = read_once(&mut rest, &mut buffer).map_err(|error| failed(source, error))?;
        let Some(piece) = buffer.get(..length).filter(|piece| !piece.is_empty()) else { break };
        reader.push(piece);
        done += length;
        progress.at(|| format!("{} MiB", done >> 20));
    }
    drop(progress);
    let Dump { objects, skipped, problems } = reader.finish();
    for (kind, count) in skipped.iter() {
        cluster.skip(kind.clone(), u64::from(count));
    }
    let name = source.name();
    let errors: Vec<&Problem> = problems.iter().filter(|problem| is_error(problem)).collect();
    for problem in errors.iter().take(DUMP_PROBLEMS_SHOWN) {
        output::print_problem_without_text(&name, problem, language);
    }
    // What was cut off or broke in the middle is not the cluster that was asked about.
    if objects == 0 || !errors.is_empty() {
        return Err(Failure::NotRead { name: format!("`{name}`") });
    }
    Ok(())
}

/// Reads up to `limit` bytes; if there is more, comes with what is left to read.
fn read_up_to(source: &Source, limit: usize) -> Result<(Vec<u8>, Option<Rest>), Failure> {
    let mut reader = source.open()?;
    let mut bytes = Vec::new();
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    reader.by_ref().take(most).read_to_end(&mut bytes).map_err(|error| failed(source, error))?;
    let rest = (bytes.len() > limit).then_some(reader);
    Ok((bytes, rest))
}

fn read_once(reader: &mut dyn Read, buffer: &mut [u8]) -> std::io::Result<usize> {
    loop {
        match reader.read(buffer) {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

fn failed(source: &Source, error: std::io::Error) -> Failure {
    Failure::Read { name: format!("`{}`", source.name()), error }
}

fn lossy(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Says of a trace that it is one: as YAML it is nothing but problems.
fn refuse_trace(source: &Source, start: &[u8]) -> Result<(), Failure> {
    let first_line = start.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let kind = format!("\"kind\":\"{TRACE_KIND}\"");
    let is_trace = first_line.starts_with(b"{") && String::from_utf8_lossy(first_line).replace(' ', "").contains(&kind);
    if is_trace { Err(Failure::Trace { name: source.name(), fault: read_trace(start).err() }) } else { Ok(()) }
}

/// A trace that a play is to be compared with, as its text.
pub fn read_expected(path: &Path) -> Result<String, Failure> {
    let source = Source::File(path.to_owned());
    let bytes = read_up_to(&source, usize::MAX)?.0;
    match read_trace(&bytes) {
        Ok(_) => Ok(lossy(bytes)),
        Err(fault) => Err(Failure::UnusableTrace { name: source.name(), fault }),
    }
}

/// Whether a scenario plays the DaemonSet that is asked for, if one is.
pub fn check_daemon_set(wanted: Option<&str>, played: &ObjectKey) -> Result<(), Failure> {
    match wanted {
        Some(wanted) if *wanted != played.to_string() && played.name != wanted => {
            Err(Failure::UnknownDaemonSet { wanted: wanted.to_owned(), names: vec![played.to_string()] })
        }
        _ => Ok(()),
    }
}

/// The scenario file that the paths name, when they name one and nothing else. Standard input never counts as one: it can
/// be read only once.
pub fn scenario_file(paths: &[PathBuf]) -> Result<Option<&PathBuf>, Failure> {
    let [path] = paths else { return Ok(None) };
    if path.as_os_str() == "-" || path.is_dir() {
        return Ok(None);
    }
    let limit = usize::try_from(TEXT_LIMIT).unwrap_or(usize::MAX);
    let (bytes, rest) = read_up_to(&Source::File(path.clone()), limit)?;
    let kinds = || read_documents(&bytes, KubernetesVersion::default()).skipped;
    let is_scenario = rest.is_none() && kinds().iter().any(|(kind, _)| kind.as_str() == SCENARIO_KIND);
    Ok(is_scenario.then_some(path))
}

/// Whether a problem keeps the API server from taking the object.
pub fn is_error(problem: &Problem) -> bool {
    problem.kind.severity() == Severity::Error
}

/// The node of that name.
pub fn find_node<'a>(wanted: &str, nodes: &'a [Node]) -> Result<&'a Node, Failure> {
    if let Some(found) = nodes.iter().find(|node| node.metadata.name == wanted) {
        return Ok(found);
    }
    let all = nodes.iter().map(|node| node.metadata.name.as_str());
    let similar = all.clone().find(|name| name.contains(wanted) || wanted.contains(name));
    let similar = similar.or_else(|| is_probably(wanted, all)).map(str::to_owned);
    Err(Failure::UnknownNode { wanted: wanted.to_owned(), similar, count: nodes.len() })
}

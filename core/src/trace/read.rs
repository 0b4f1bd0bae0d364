use serde::de::DeserializeOwned;
use serde_json::Value;

use super::line::{TRACE_KIND, TRACE_VERSION, TraceEnd, TraceHeader, TraceMoment};
use super::write::TraceHash;
use crate::KubernetesVersion;
use crate::api::Text;

/// A trace that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// What was played.
    pub header: TraceHeader,
    /// What happened.
    pub moments: Vec<TraceMoment>,
    /// How it ended.
    pub end: TraceEnd,
}

/// Why a text is no trace that can be used, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceFault {
    /// The line, from 1.
    pub line: u32,
    /// What is wrong with it.
    pub problem: TraceProblem,
}

/// What can be wrong with a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TraceProblem {
    /// The text is something else.
    NotATrace,
    /// A trace in a version of the format that is not read.
    OtherVersion {
        /// What stands there.
        written: Text,
    },
    /// The text is not UTF-8.
    NotUtf8,
    /// A line that is no moment and no end.
    BadLine {
        /// What the reader of JSON says.
        detail: Text,
    },
    /// A moment that lies before the one above it.
    BackInTime,
    /// Something stands behind the end.
    BehindTheEnd,
    /// The text ends before the trace does.
    CutShort,
    /// The end speaks of another number of moments than there are.
    MomentsMissing {
        /// As the end says.
        written: u32,
        /// As there are.
        found: u32,
    },
    /// The lines are not those that were written.
    HashDiffers,
}

/// Reads a trace and checks that it is whole.
///
/// # Errors
/// The first fault.
pub fn read_trace(bytes: &[u8]) -> Result<Trace, TraceFault> {
    let at = |line: u32, problem: TraceProblem| TraceFault { line, problem };
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let lines = memchr::memchr_iter(b'\n', before).count();
        at(u32::try_from(lines).unwrap_or(u32::MAX).saturating_add(1), TraceProblem::NotUtf8)
    })?;
    let mut lines = (1..).zip(text.split_inclusive('\n'));
    let (_, first) = lines.next().ok_or(at(1, TraceProblem::NotATrace))?;
    let header = read_header(first).map_err(|problem| at(1, problem))?;
    let mut hash = TraceHash::default();
    hash.add(first.as_bytes());
    let mut moments: Vec<TraceMoment> = Vec::new();
    let mut last_line = 1;
    while let Some((number, line)) = lines.next() {
        last_line = number;
        // A line without its end was cut, whatever can be read of it.
        if !line.ends_with('\n') {
            break;
        }
        if line.starts_with("{\"end\"") {
            let end: TraceEnd = read_line(line).map_err(|problem| at(number, problem))?;
            if let Some((number, _)) = lines.next() {
                return Err(at(number, TraceProblem::BehindTheEnd));
            }
            let found = u32::try_from(moments.len()).unwrap_or(u32::MAX);
            if end.moments != found {
                return Err(at(number, TraceProblem::MomentsMissing { written: end.moments, found }));
            }
            if end.hash != hash.to_string().as_str() {
                return Err(at(number, TraceProblem::HashDiffers));
            }
            return Ok(Trace { header, moments, end });
        }
        hash.add(line.as_bytes());
        let moment: TraceMoment = read_line(line).map_err(|problem| at(number, problem))?;
        if moments.last().is_some_and(|before| before.at > moment.at) {
            return Err(at(number, TraceProblem::BackInTime));
        }
        moments.push(moment);
    }
    Err(at(last_line, TraceProblem::CutShort))
}

fn read_header(line: &str) -> Result<TraceHeader, TraceProblem> {
    let value: Value = serde_json::from_str(line).map_err(|error| {
        let cut = error.is_eof() && line.trim_start().starts_with("{\"apiVersion\"");
        if cut { TraceProblem::CutShort } else { TraceProblem::NotATrace }
    })?;
    let text = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default();
    if text("kind") != TRACE_KIND {
        return Err(TraceProblem::NotATrace);
    }
    if text("apiVersion") != TRACE_VERSION {
        return Err(TraceProblem::OtherVersion { written: Text::new(text("apiVersion")) });
    }
    let header: TraceHeader = read_line(line)?;
    let is_hash = header.options_hash.len() == 16
        && header.options_hash.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
    let detail = match (is_hash, KubernetesVersion::NAMES.contains(&header.kubernetes_version.as_str())) {
        (true, true) => return Ok(header),
        (false, _) => "`optionsHash` is not 16 hexadecimal digits",
        (true, false) => "`kubernetesVersion` is no release that is known",
    };
    Err(TraceProblem::BadLine { detail: Text::new_static(detail) })
}

fn read_line<T: DeserializeOwned>(line: &str) -> Result<T, TraceProblem> {
    serde_json::from_str(line).map_err(|error| {
        // The line number is ours to say; what is read is one line.
        let detail = error.to_string();
        TraceProblem::BadLine { detail: Text::new(detail.split(" at line ").next().unwrap_or_default()) }
    })
}

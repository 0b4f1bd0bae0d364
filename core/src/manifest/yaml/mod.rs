//! YAML and JSON text → [`Tree`]s, as kubectl and the API server understand it.

mod build;
mod grammar;
mod places;
mod problem;
mod scalar;
mod source;
mod split;
mod syntax;

pub use problem::{SyntaxFault, TextProblem, ValueKind};
pub(super) use scalar::{PlainScalar, resolve_plain};

use super::{Path, Position, Problem, ProblemKind, Span, Tree};
use grammar::read;
use split::{Chunk, chunks, end_of};

#[cfg(test)]
mod tests;

/// The most that is read as documents, bytes.
pub const TEXT_LIMIT: u64 = 4 << 20;
/// The most documents that are read of one text.
pub const DOCUMENT_LIMIT: u32 = 10_000;
/// The most problems that are reported of one text.
pub const PROBLEM_LIMIT: u32 = 1_000;

/// Where a text starts.
const START: Position = Position { offset: 0, line: 1, column: 1 };

/// One document of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// Its value; nothing when the document could not be read to its end.
    pub tree: Option<Tree>,
    /// What is wrong with it, in order of place.
    pub problems: Vec<Problem>,
}

/// Reads every document of a text: YAML, JSON, or JSON values one after the other.
///
/// Documents without content are left out. A fault of grammar ends its document, not those behind it. A text that
/// cannot be read at all comes back as one document without a value.
pub fn read_trees(bytes: &[u8]) -> Vec<Document> {
    let text = match checked_text(bytes) {
        Ok(text) => text,
        Err((kind, place)) => return vec![unreadable(kind, place)],
    };
    let mut documents = Vec::new();
    let mut unrendered_was_said = false;
    for chunk in chunks(text) {
        if documents.len() >= usize::try_from(DOCUMENT_LIMIT).unwrap_or(usize::MAX) {
            documents.push(unreadable(TextProblem::TooManyDocuments { limit: DOCUMENT_LIMIT }, chunk.start));
            break;
        }
        let mut read = read_chunk(chunk);
        for document in &mut read {
            // It is the only problem of its document.
            let is_unrendered = |problem: &Problem| matches!(problem.kind, ProblemKind::Text(TextProblem::Unrendered));
            if document.problems.iter().any(is_unrendered) && std::mem::replace(&mut unrendered_was_said, true) {
                document.problems.clear();
            }
        }
        documents.append(&mut read);
    }
    if documents.is_empty() {
        return vec![unreadable(TextProblem::Nothing, START)];
    }
    limit_problems(&mut documents);
    number_documents(&mut documents);
    documents
}

/// Reads the first document of a text that starts at `start` of a larger one.
pub(super) fn read_tree(text: &str, start: Position) -> (Option<Tree>, Vec<Problem>) {
    match read_chunk(Chunk { text, start }).into_iter().next() {
        Some(Document { tree, problems }) => (tree, problems),
        None => (None, Vec::new()),
    }
}

/// A document of which nothing can be told but why.
#[inline(never)]
fn unreadable(kind: TextProblem, place: Position) -> Document {
    Document { tree: None, problems: vec![text_problem(kind, place, place)] }
}

fn text_problem(kind: TextProblem, start: Position, end: Position) -> Problem {
    Problem { kind: ProblemKind::Text(kind), document: 0, path: Path::default(), span: Span { start, end }, fix: None }
}

/// The text, when it is small enough and UTF-8; else what is wrong, and where.
fn checked_text(bytes: &[u8]) -> Result<&str, (TextProblem, Position)> {
    let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    if size > TEXT_LIMIT {
        return Err((TextProblem::TooLarge { bytes: size, limit: TEXT_LIMIT }, START));
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let utf16 = matches!(bytes, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]);
        let readable = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let place = end_of(START, std::str::from_utf8(readable).unwrap_or_default());
        (TextProblem::NotUtf8 { utf16 }, place)
    })
}

fn read_chunk(chunk: Chunk<'_>) -> Vec<Document> {
    if let Some((offset, character)) = chunk.text.char_indices().find(|(_, character)| !is_allowed(*character)) {
        let place = end_of(chunk.start, chunk.text.get(..offset).unwrap_or_default());
        return vec![unreadable(TextProblem::ControlCharacter { code: character.into() }, place)];
    }
    let mut documents = read(chunk.text, chunk.start);
    for document in &mut documents {
        if document.tree.is_none() {
            blame_template(document, chunk);
        }
        Problem::sort(&mut document.problems);
    }
    documents
}

/// `reader.go` of `go.yaml.in/yaml/v2`: what a stream may contain.
fn is_allowed(character: char) -> bool {
    matches!(
        character,
        '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..
    )
}

/// A document with a template in it is not broken YAML but an unrendered template: one problem instead of its faults.
fn blame_template(document: &mut Document, chunk: Chunk<'_>) {
    let is_syntax =
        |problem: &Problem| matches!(problem.kind, ProblemKind::Text(TextProblem::Syntax(_) | TextProblem::Unrendered));
    if !document.problems.iter().any(is_syntax) {
        return;
    }
    let Some(offset) = first_placeholder(chunk.text) else { return };
    let start = end_of(chunk.start, chunk.text.get(..offset).unwrap_or_default());
    let end = Position { offset: start.offset + 2, line: start.line, column: start.column + 2 };
    document.problems.clear();
    document.problems.push(text_problem(TextProblem::Unrendered, start, end));
}

/// Where the first `{{` or `{%` outside of comments stands.
fn first_placeholder(text: &str) -> Option<usize> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let is_comment = line.trim_start().starts_with('#');
        let found = line.find("{{").into_iter().chain(line.find("{%")).min();
        if let (false, Some(column)) = (is_comment, found) {
            return Some(start + column);
        }
        start += line.len();
    }
    None
}

fn number_documents(documents: &mut [Document]) {
    for (index, document) in (0..).zip(documents) {
        for problem in &mut document.problems {
            problem.document = index;
        }
    }
}

fn limit_problems(documents: &mut [Document]) {
    let mut left = usize::try_from(PROBLEM_LIMIT).unwrap_or(usize::MAX);
    for document in documents {
        let cut = document.problems.get(left..).and_then(|behind| behind.first()).map(|problem| problem.span);
        document.problems.truncate(left);
        left -= document.problems.len();
        if let Some(Span { start, end }) = cut {
            document.problems.push(text_problem(TextProblem::MoreProblems, start, end));
        }
    }
}

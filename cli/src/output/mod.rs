//! The only module that prints: an answer as a table for people, or as JSON or YAML in one versioned envelope.

mod envelope;
mod excerpt;
mod markdown;
mod page;
mod progress;

use std::io::{self, Write};

use rollcast_core::manifest::Problem;
use rollcast_core::message::{Language, Words};
use serde::Serialize;

use crate::arguments::{CommentFormat, Format};
use crate::failure::Failure;

pub use envelope::Kind;
pub use excerpt::excerpt;
pub use markdown::Markdown;
use page::printable;
pub use page::{Cell, Page, Table, style};
pub use progress::Progress;

/// Whether an answer needs attention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Fine,
    Findings,
    /// Stopped by Ctrl-C; the answer is of what was known by then.
    Interrupted,
}

impl Verdict {
    /// Findings when there are any.
    pub fn findings_if(any: bool) -> Self {
        if any { Self::Findings } else { Self::Fine }
    }
}

/// Where answers go.
pub struct Output {
    pub language: Language,
    stdout: io::BufWriter<anstream::AutoStream<io::StdoutLock<'static>>>,
}

impl Output {
    pub fn new(language: Language) -> Self {
        let stdout = anstream::AutoStream::auto(io::stdout().lock());
        Self { language, stdout: io::BufWriter::with_capacity(64 * 1024, stdout) }
    }

    /// Prints a report: the page that `page` lays out, or the report itself in its envelope.
    pub fn report<T: Serialize>(
        &mut self,
        format: Format,
        kind: Kind,
        report: &T,
        page: impl FnOnce(&mut Page),
    ) -> Result<(), Failure> {
        match format {
            Format::Table => {
                let mut laid_out = Page::new(self.language);
                page(&mut laid_out);
                self.text(laid_out.as_str())
            }
            Format::Json => self.json(&envelope::Envelope::new(kind, report)),
            Format::Yaml => {
                // By way of JSON, so that both say the same: YAML has tags of its own for enums.
                let value = serde_json::to_value(envelope::Envelope::new(kind, report)).map_err(io::Error::from)?;
                self.yaml(&value)
            }
        }
    }

    /// Prints a report that may become a comment on a pull request.
    pub fn comment<T: Serialize>(
        &mut self,
        format: CommentFormat,
        kind: Kind,
        report: &T,
        page: impl FnOnce(&mut Page),
        markdown: impl FnOnce(&mut Markdown),
    ) -> Result<(), Failure> {
        let format = match format {
            CommentFormat::Table => Format::Table,
            CommentFormat::Json => Format::Json,
            CommentFormat::Yaml => Format::Yaml,
            CommentFormat::Markdown => {
                let mut document = Markdown::new(self.language);
                markdown(&mut document);
                return self.text(document.as_str());
            }
        };
        self.report(format, kind, report, page)
    }

    /// Prints text as it is; colour is taken out where the stream has none.
    pub fn text(&mut self, text: &str) -> Result<(), Failure> {
        Ok(self.stdout.write_all(text.as_bytes())?)
    }

    /// Prints a value as JSON, indented, with a line end.
    pub fn json<T: Serialize>(&mut self, value: &T) -> Result<(), Failure> {
        serde_json::to_writer_pretty(&mut self.stdout, value).map_err(io::Error::from)?;
        Ok(self.stdout.write_all(b"\n")?)
    }

    /// Prints a value as a YAML document.
    pub fn yaml<T: Serialize>(&mut self, value: &T) -> Result<(), Failure> {
        let text = serde_yaml::to_string(value).map_err(io::Error::other)?;
        self.text(&text)
    }

    /// Writes out what is still held back.
    pub fn finish(&mut self) -> Result<(), Failure> {
        Ok(self.stdout.flush()?)
    }
}

/// Says on standard error why there is no answer, and what to do.
pub fn print_failure(failure: &Failure, language: Language) {
    let (error, help) = match language {
        Language::English => ("error", "help"),
        Language::Chinese => ("错误", "提示"),
    };
    anstream::eprintln!("{}{error}{:#}: {}", style::BAD, style::BAD, printable(&failure.words(language)));
    if let Some(text) = failure.help(language) {
        // Only the mark under a condition stands in a line of its own.
        let text = text.split('\n').map(printable).collect::<Vec<_>>().join("\n");
        anstream::eprintln!("{}{help}{:#}: {text}", style::STRONG, style::STRONG);
    }
}

/// Prints a problem of the input on standard error.
pub fn print_problem(name: &str, text: &str, problem: &Problem, language: Language) {
    anstream::eprintln!("{}", excerpt(name, text, problem, language));
}

/// Prints a problem of a dump, whose text is not kept, on standard error.
pub fn print_problem_without_text(name: &str, problem: &Problem, language: Language) {
    let (line, column) = (problem.span.start.line, problem.span.start.column);
    let path = problem.path.to_string();
    let field = if path.is_empty() { String::new() } else { format!(" ({path})") };
    anstream::eprintln!(
        "{0}{1}{0:#}: {name}:{line}:{column}: {2}{field}",
        style::BAD,
        problem.kind.code(),
        problem.kind.words(language)
    );
}

/// Says something on standard error that the answer depends on, such as input that was left out.
pub fn print_note(text: &str, language: Language) {
    let note = match language {
        Language::English => "note",
        Language::Chinese => "注意",
    };
    anstream::eprintln!("{}{note}{:#}: {}", style::STRONG, style::STRONG, printable(text));
}

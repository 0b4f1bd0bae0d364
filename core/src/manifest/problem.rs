use super::{
    AdmissionWarning, DecodeProblem, ObjectProblem, Path, ScenarioProblem, Span, TextProblem, ValidationProblem,
};
use crate::order::sort_by_key;

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The API server refuses it, or it cannot be read.
    Error,
    /// Accepted, and most likely not what was meant.
    Warning,
    /// Worth knowing.
    Note,
}

/// Something wrong with a text, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// What is wrong, with all that its message needs.
    pub kind: ProblemKind,
    /// Which document of the text, or which item of a list, from 0.
    pub document: u32,
    /// The field; empty for a problem of the text itself.
    pub path: Path,
    /// The place in the text; for a missing field the nearest thing that exists.
    pub span: Span,
    /// The repair, where it is certain.
    pub fix: Option<Fix>,
}

impl Problem {
    /// Puts problems in the order of the text.
    pub(crate) fn sort(problems: &mut [Self]) {
        sort_by_key(problems, |problem| problem.span.start);
    }
}

/// A repair: replace what stands at `span`.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Fix {
    /// What to replace; empty range to insert.
    pub span: Span,
    /// The new text.
    pub replacement: String,
}

/// What can be wrong, by the step that found it. [`ProblemKind::code`] is stable; words are in `message`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ProblemKind {
    /// It does not fit the API's types.
    Decode(DecodeProblem),
    /// The text cannot be read, or not as it was meant.
    Text(TextProblem),
    /// It is no object of a kind that is read.
    Object(ObjectProblem),
    /// The API server refuses it.
    Validation(ValidationProblem),
    /// The API server accepts it with a warning.
    Admission(AdmissionWarning),
    /// A scenario file that cannot be played as it stands.
    Scenario(ScenarioProblem),
}

impl ProblemKind {
    /// The stable name, for filters and links.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Decode(problem) => problem.code(),
            Self::Text(problem) => problem.code(),
            Self::Object(problem) => problem.code(),
            Self::Validation(problem) => problem.code(),
            Self::Admission(warning) => warning.code(),
            Self::Scenario(problem) => problem.code(),
        }
    }

    /// How bad it is.
    pub fn severity(&self) -> Severity {
        match self {
            Self::Decode(problem) => problem.severity(),
            Self::Text(problem) => problem.severity(),
            Self::Object(problem) => problem.severity(),
            Self::Validation(problem) => problem.severity(),
            Self::Admission(warning) => warning.severity(),
            Self::Scenario(problem) => problem.severity(),
        }
    }
}

use super::{Language, Words};
use crate::manifest::{Problem, ProblemKind};

impl Words for Problem {
    fn words(&self, language: Language) -> String {
        self.kind.words(language)
    }
}

impl Words for ProblemKind {
    fn words(&self, language: Language) -> String {
        match self {
            Self::Text(problem) => problem.words(language),
            Self::Object(problem) => problem.words(language),
            Self::Decode(problem) => problem.words(language),
            Self::Validation(problem) => problem.words(language),
            Self::Admission(warning) => warning.words(language),
            Self::Scenario(problem) => problem.words(language),
        }
    }
}

use super::{Telling, Words};
use crate::manifest::{Problem, ProblemKind};

impl Words for Problem {
    fn tell(&self, to: &mut Telling) {
        self.kind.tell(to);
    }
}

impl Words for ProblemKind {
    fn tell(&self, to: &mut Telling) {
        match self {
            Self::Text(problem) => problem.tell(to),
            Self::Object(problem) => problem.tell(to),
            Self::Decode(problem) => problem.tell(to),
            Self::Validation(problem) => problem.tell(to),
            Self::Admission(warning) => warning.tell(to),
            Self::Scenario(problem) => problem.tell(to),
        }
    }
}

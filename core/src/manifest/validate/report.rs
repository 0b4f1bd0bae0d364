use super::node::Node;
use super::place::place_of;
use super::problem::Place;
use super::{AdmissionWarning, Syntax, ValidationProblem};
use crate::api::Text;
use crate::manifest::at::At;
use crate::manifest::decode::{DecodeProblem, MOST_PROBLEMS};
use crate::manifest::{Fix, Path, Problem, ProblemKind, Tree, TreeValue, schema};

/// Collects what the rules find.
pub(super) struct Report<'a> {
    document: &'a Tree,
    number: u32,
    /// What was found before: about fields that could not be read, what is in them or what holds them, rules say
    /// nothing new.
    earlier: &'a [Problem],
    problems: Vec<Problem>,
    attempts: usize,
}

impl<'a> Report<'a> {
    /// An empty report on a document, some of whose fields could not be read, as was found before.
    pub fn new(document: &'a Tree, number: u32, earlier: &'a [Problem]) -> Self {
        Self { document, number, earlier, problems: Vec::new(), attempts: 0 }
    }

    /// What was found, in the order it was found.
    pub fn into_problems(self) -> Vec<Problem> {
        self.problems
    }

    /// Whether nothing was found yet.
    pub fn is_empty(&self) -> bool {
        self.attempts == 0
    }

    /// How much was found so far, be it kept or not.
    pub fn attempts(&self) -> usize {
        self.attempts
    }

    /// Whether the document holds the field: it was not filled in by default.
    pub fn is_written(&self, node: &Node<'_>) -> bool {
        self.document.find(&node.at.path()).1
    }

    /// Whether a list is written, be it an empty one, which the decoded object does not hold.
    pub fn has_list(&self, node: &Node<'_>) -> bool {
        let (found, exists) = self.document.find(&node.at.path());
        exists && matches!(found.value, TreeValue::Sequence(_))
    }

    /// Reports a field.
    #[inline(never)]
    pub fn error(&mut self, node: &Node<'_>, problem: ValidationProblem) {
        self.error_at(node, &node.named, problem);
    }

    /// Reports a field of an object.
    #[inline(never)]
    pub fn error_in(&mut self, owner: &Node<'_>, field: &str, problem: ValidationProblem) {
        self.error(&owner.field(field), problem);
    }

    /// Reports text that stands in the list before.
    #[inline(never)]
    pub fn duplicate(&mut self, node: &Node<'_>, text: &str) {
        self.error(node, ValidationProblem::Duplicate { value: Text::new(text) });
    }

    /// Reports a name that nothing in the list of its kind has.
    #[inline(never)]
    pub fn not_found(&mut self, node: &Node<'_>, among: &'static str) {
        self.error(node, ValidationProblem::NotFound { value: Text::new(node.as_text()), among });
    }

    /// Reports a field under the path that the API server gives it, which is not always its own.
    #[inline(never)]
    pub fn error_at(&mut self, node: &Node<'_>, named: &At<'_>, problem: ValidationProblem) {
        self.push(node, named, ProblemKind::Validation(problem), None);
    }

    /// Reports a field that can be put right by writing something else there.
    #[inline(never)]
    pub fn error_with_fix(&mut self, node: &Node<'_>, problem: ValidationProblem, replacement: String) {
        self.push(node, &node.named, ProblemKind::Validation(problem), Some(replacement));
    }

    /// Reports what the API server accepts with a warning.
    #[inline(never)]
    pub fn warning(&mut self, node: &Node<'_>, warning: AdmissionWarning) {
        self.push(node, &node.named, ProblemKind::Admission(warning), None);
    }

    #[inline(never)]
    fn push(&mut self, node: &Node<'_>, named: &At<'_>, kind: ProblemKind, replacement: Option<String>) {
        self.attempts += 1;
        if self.problems.len() >= MOST_PROBLEMS {
            return;
        }
        let place = node.at.path();
        for Problem { path: Path(unreadable), .. } in self.earlier.iter().filter(|problem| is_unreadable(problem)) {
            if unreadable.starts_with(&place.0) || place.0.starts_with(unreadable) {
                return;
            }
        }
        let span = place_of(self.document, &place);
        let fix = replacement.filter(|_| self.document.find(&place).1).map(|replacement| Fix { span, replacement });
        self.problems.push(Problem { kind, document: self.number, path: named.path(), span, fix });
    }

    /// Reports a field without a value.
    #[inline(never)]
    pub fn require(&mut self, node: &Node<'_>) {
        let missing = match node.value {
            serde_json::Value::Null => true,
            serde_json::Value::String(text) => text.is_empty(),
            serde_json::Value::Array(items) => items.is_empty(),
            _ => false,
        };
        if missing {
            self.error(node, ValidationProblem::Required);
        }
    }

    /// Reports text that has not the shape it should have.
    #[inline(never)]
    pub fn check(&mut self, node: &Node<'_>, syntax: Syntax) {
        self.check_text(node, node.as_text(), syntax);
    }

    /// Reports a field for a text that it holds or leads to.
    #[inline(never)]
    pub fn check_text(&mut self, node: &Node<'_>, text: &str, syntax: Syntax) {
        self.check_text_at(node, &node.named, text, syntax);
    }

    /// Reports a field for a text that it holds or leads to, under another path.
    #[inline(never)]
    pub fn check_text_at(&mut self, node: &Node<'_>, named: &At<'_>, text: &str, syntax: Syntax) {
        if !syntax.matches(text) {
            self.error_at(node, named, ValidationProblem::Malformed { value: Text::new(text), syntax });
        }
    }

    /// Reports text that is missing or has not the shape it should have.
    #[inline(never)]
    pub fn require_and_check(&mut self, node: &Node<'_>, syntax: Syntax) {
        if node.as_text().is_empty() {
            self.error(node, ValidationProblem::Required);
        } else {
            self.check(node, syntax);
        }
    }

    /// Reports a word that is not one of these.
    #[inline(never)]
    pub fn check_word(&mut self, node: &Node<'_>, supported: &'static [&'static str]) {
        self.check_word_at(node, &node.named, supported);
    }

    /// Reports a word that is not one of these, under another path.
    #[inline(never)]
    pub fn check_word_at(&mut self, node: &Node<'_>, named: &At<'_>, supported: &'static [&'static str]) {
        let word = node.as_text();
        if supported.contains(&word) {
            return;
        }
        let meant = schema::is_probably(word, supported.iter().copied().filter(|word| !word.is_empty()));
        let problem = ValidationProblem::NotSupported { value: Text::new(word), supported, meant };
        // Only the case is wrong: it cannot mean anything else.
        let certain = meant.filter(|meant| meant.eq_ignore_ascii_case(word)).map(str::to_owned);
        self.push(node, named, ProblemKind::Validation(problem), certain);
    }

    /// Reports a word that is missing or not one of these.
    #[inline(never)]
    pub fn require_word(&mut self, node: &Node<'_>, supported: &'static [&'static str]) {
        if node.as_text().is_empty() {
            self.error(node, ValidationProblem::Required);
        } else {
            self.check_word(node, supported);
        }
    }

    /// Reports a number that is below a minimum, when there is a number.
    #[inline(never)]
    pub fn check_minimum(&mut self, node: &Node<'_>, number: Option<i64>, minimum: i64) {
        if let Some(value) = number.filter(|value| *value < minimum) {
            self.error(node, ValidationProblem::BelowMinimum { value, minimum });
        }
    }

    /// Reports a number outside a range, when there is a number.
    #[inline(never)]
    pub fn check_range(&mut self, node: &Node<'_>, number: Option<i64>, minimum: i64, maximum: i64) {
        if let Some(value) = number.filter(|value| !(minimum..=maximum).contains(value)) {
            self.error(node, ValidationProblem::OutOfRange { value, minimum, maximum });
        }
    }

    /// Reports the fields of an object that have no place there.
    #[inline(never)]
    pub fn forbid(&mut self, owner: &Node<'_>, fields: &[&str], place: Place) {
        for field in fields.iter().filter(|field| owner.has(field)) {
            self.error_in(owner, field, ValidationProblem::NotIn { place });
        }
    }

    /// Reports an object in which not exactly one of several fields is given.
    #[inline(never)]
    pub fn check_one_of(&mut self, owner: &Node<'_>, named: &At<'_>, choices: &'static [&'static str]) {
        match choices.iter().filter(|choice| owner.has(choice)).count() {
            0 => self.error_at(owner, named, ValidationProblem::OneOfRequired { choices }),
            1 => {}
            _ => self.error_at(owner, named, ValidationProblem::MoreThanOne),
        }
    }
}

/// Whether a field could not be read, so that rules about it would only repeat that.
fn is_unreadable(problem: &Problem) -> bool {
    !matches!(
        &problem.kind,
        ProblemKind::Decode(
            DecodeProblem::UnknownField { .. }
                | DecodeProblem::NewerField { .. }
                | DecodeProblem::OtherNamespace { .. }
        )
    )
}

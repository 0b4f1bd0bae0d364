use std::cell::RefCell;

use crate::KubernetesVersion;
use crate::api::{Quantity, Text};
use crate::json::number_text;
use crate::manifest::schema::is_probably;
use crate::manifest::{
    DecodeProblem, Entry, Expected, Fix, Found, Path, PathStep, Problem, ProblemKind, ScenarioProblem, Severity, Span,
    Tree, TreeValue,
};
use crate::scheduling::{is_label_value, is_qualified_name};
use crate::time::Timestamp;

/// Gathers what is wrong with a document while its values are taken out of the tree.
pub(super) struct Reader<'t> {
    /// The text that the tree was read from, for fixes that quote it.
    pub text: &'t str,
    /// The release whose API server reviews the manifests in it.
    pub version: KubernetesVersion,
    pub problems: Vec<Problem>,
}

/// A value of the document, where it stands and the way to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Here<'t> {
    pub tree: &'t Tree,
    pub span: Span,
    ways: &'t Ways,
    way: usize,
}

/// The ways to all values that were looked at: each is a step behind another. So a place is copied as a number, and a path
/// is only made of it where something is wrong.
#[derive(Debug, Default)]
pub(super) struct Ways(RefCell<Vec<(usize, PathStep)>>);

impl Ways {
    /// The number of the way with one more step. (0 is the way to the whole document.)
    fn with(&self, way: usize, step: PathStep) -> usize {
        let mut ways = self.0.borrow_mut();
        ways.push((way, step));
        ways.len()
    }

    fn path(&self, mut way: usize) -> Path {
        let ways = self.0.borrow();
        let mut steps = Vec::new();
        while let Some((before, step)) = way.checked_sub(1).and_then(|index| ways.get(index)) {
            steps.push(step.clone());
            way = *before;
        }
        steps.reverse();
        Path(steps)
    }
}

/// A map whose keys have been looked at.
#[derive(Clone, Debug)]
pub(super) struct Keys<'t> {
    entries: &'t [Entry],
    /// Where the map stands.
    pub here: Here<'t>,
}

impl<'t> Here<'t> {
    pub const fn root(tree: &'t Tree, ways: &'t Ways) -> Self {
        Self { tree, span: tree.span, ways, way: 0 }
    }

    pub fn path(&self) -> Path {
        self.ways.path(self.way)
    }

    fn below(&self, entry: &'t Entry) -> Self {
        Self { tree: &entry.value, span: entry.value.span, ..self.step(&entry.key) }
    }

    fn element(&self, index: usize, tree: &'t Tree) -> Self {
        let way = self.ways.with(self.way, PathStep::Index(u32::try_from(index).unwrap_or(u32::MAX)));
        Self { tree, span: tree.span, way, ..*self }
    }

    /// The same place, one step further on the way: of what is not there, or stands in another text.
    pub fn step(&self, key: &str) -> Self {
        let way = self.ways.with(self.way, PathStep::Field(Text::new(key)));
        Self { way, ..*self }
    }

    /// The start of a value that may be the whole document.
    pub fn head(&self) -> Self {
        let span = match &self.tree.value {
            TreeValue::Mapping(entries) => entries.first().map_or(self.span, |entry| entry.key_span),
            _ => self.span,
        };
        Self { span, ..*self }
    }

    /// The value of a key; of an absent one this place.
    pub fn at(&self, key: &str) -> Self {
        let TreeValue::Mapping(entries) = &self.tree.value else { return *self };
        Keys { entries, here: *self }.get(key).unwrap_or(*self)
    }
}

impl<'t> Keys<'t> {
    /// The value of a key; `null` is as good as absent.
    pub fn get(&self, key: &str) -> Option<Here<'t>> {
        let entry = self.entry(key)?;
        (entry.value.value != TreeValue::Null).then(|| self.here.below(entry))
    }

    /// The value of a key that is there, be it `null`.
    pub fn given(&self, key: &str) -> Option<Here<'t>> {
        self.entry(key).map(|entry| self.here.below(entry))
    }

    fn entry(&self, key: &str) -> Option<&'t Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    /// Every entry, in the order of the document.
    pub fn iter(&self) -> impl Iterator<Item = (&'t Entry, Here<'t>)> + '_ {
        self.entries.iter().map(|entry| (entry, self.here.below(entry)))
    }
}

impl<'t> Reader<'t> {
    pub fn report(&mut self, here: &Here<'_>, problem: ScenarioProblem) {
        self.push(ProblemKind::Scenario(problem), here.path(), here.span, None);
    }

    pub fn take_over(&mut self, problems: Vec<Problem>) {
        self.problems.extend(problems);
    }

    pub fn has_errors(&self) -> bool {
        self.problems.iter().any(|problem| problem.kind.severity() == Severity::Error)
    }

    fn push(&mut self, kind: ProblemKind, path: Path, span: Span, fix: Option<Fix>) {
        self.problems.push(Problem { kind, document: 0, path, span, fix });
    }

    fn wrong_type(&mut self, here: &Here<'_>, expected: Expected, fix: Option<Fix>) {
        let found = match &here.tree.value {
            TreeValue::Bool(_) => Found::Bool,
            TreeValue::Number(_) => Found::Number,
            TreeValue::Sequence(_) => Found::List,
            TreeValue::Mapping(_) => Found::Map,
            TreeValue::String(_) | TreeValue::Null => Found::String,
        };
        let kind = ProblemKind::Decode(DecodeProblem::WrongType { expected, found });
        self.push(kind, here.path(), here.tree.span, fix);
    }

    /// A map with no other keys than these; others are reported, with the likely one.
    pub fn keys(&mut self, here: &Here<'t>, known: &[&'static str]) -> Option<Keys<'t>> {
        let keys = self.map(here)?;
        for entry in keys.entries {
            if known.contains(&entry.key.as_str()) {
                continue;
            }
            let unused = known.iter().copied().filter(|key| keys.entry(key).is_none());
            let meant = is_probably(&entry.key, unused);
            let problem = DecodeProblem::UnknownField {
                name: Text::new(&entry.key),
                meant: meant.map(Text::new),
                belongs_in: None,
                ignored: false,
            };
            // Only another case: it cannot mean anything else.
            let fix = meant.filter(|meant| meant.eq_ignore_ascii_case(&entry.key));
            let fix = fix.map(|meant| Fix { span: entry.key_span, replacement: meant.to_owned() });
            self.push(ProblemKind::Decode(problem), here.below(entry).path(), entry.key_span, fix);
        }
        Some(keys)
    }

    /// A map whose keys are the person's own.
    pub fn map(&mut self, here: &Here<'t>) -> Option<Keys<'t>> {
        if let TreeValue::Mapping(entries) = &here.tree.value {
            return Some(Keys { entries, here: *here });
        }
        self.wrong_type(here, Expected::Map, None);
        None
    }

    /// The elements of a list.
    pub fn list(&mut self, here: &Here<'t>) -> Option<Vec<Here<'t>>> {
        if let TreeValue::Sequence(items) = &here.tree.value {
            return Some(items.iter().enumerate().map(|(index, tree)| here.element(index, tree)).collect());
        }
        self.wrong_type(here, Expected::List, None);
        None
    }

    /// The value of a key that has to be there.
    pub fn required(&mut self, keys: &Keys<'t>, key: &'static str) -> Option<Here<'t>> {
        let found = keys.get(key);
        if found.is_none() {
            self.report(&keys.here.head().step(key), ScenarioProblem::Missing { key });
        }
        found
    }

    /// Text.
    pub fn text(&mut self, here: &Here<'t>) -> Option<Text> {
        match &here.tree.value {
            TreeValue::String(text) => return Some(Text::new(text)),
            TreeValue::Bool(_) | TreeValue::Number(_) => {
                let fix = self.written(here.tree.span).map(|plain| format!("\"{plain}\""));
                let fix = fix.map(|replacement| Fix { span: here.tree.span, replacement });
                self.wrong_type(here, Expected::String, fix);
            }
            _ => self.wrong_type(here, Expected::String, None),
        }
        None
    }

    /// Text that is not empty, such as a name.
    pub fn word(&mut self, here: &Here<'t>) -> Option<Text> {
        let text = self.text(here)?;
        if text.is_empty() {
            self.report(here, ScenarioProblem::Empty);
            return None;
        }
        Some(text)
    }

    /// A label's value.
    pub fn label_value(&mut self, here: &Here<'t>) -> Option<Text> {
        let written = self.text(here)?;
        if is_label_value(&written) {
            return Some(written);
        }
        self.report(here, ScenarioProblem::LabelSyntax { written });
        None
    }

    /// Reports a label's key that Kubernetes does not take.
    pub fn check_label_key(&mut self, here: &Here<'t>, key: &str) {
        if !is_qualified_name(key) {
            self.report(here, ScenarioProblem::LabelSyntax { written: Text::new(key) });
        }
    }

    /// One of the words that are known here: its position among them.
    pub fn one_of(&mut self, here: &Here<'t>, known: &'static [&'static str]) -> Option<usize> {
        let written = self.text(here)?;
        let position = known.iter().position(|word| *word == written);
        if position.is_none() {
            let meant = is_probably(&written, known.iter().copied());
            let fix = meant.filter(|meant| meant.eq_ignore_ascii_case(&written));
            let fix = fix.map(|meant| Fix { span: here.tree.span, replacement: meant.to_owned() });
            let problem = ScenarioProblem::UnknownWord { written, meant, known };
            self.push(ProblemKind::Scenario(problem), here.path(), here.tree.span, fix);
        }
        position
    }

    /// `true` or `false`.
    pub fn flag(&mut self, here: &Here<'t>) -> Option<bool> {
        if let TreeValue::Bool(value) = here.tree.value {
            return Some(value);
        }
        self.wrong_type(here, Expected::Bool, None);
        None
    }

    /// A whole number from `least` to `most`.
    pub fn number(&mut self, here: &Here<'t>, least: u64, most: u64) -> Option<u64> {
        let TreeValue::Number(number) = &here.tree.value else {
            self.wrong_type(here, Expected::Integer, None);
            return None;
        };
        let number = number.as_u64().filter(|number| (least..=most).contains(number));
        if number.is_none() {
            self.report(here, ScenarioProblem::NumberOutOfRange { least, most });
        }
        number
    }

    /// A whole number of 32 bits from `least` to `most`.
    pub fn small_number(&mut self, here: &Here<'t>, least: u32, most: u32) -> Option<u32> {
        self.number(here, least.into(), most.into()).and_then(|number| u32::try_from(number).ok())
    }

    /// An amount that is not below zero.
    pub fn quantity(&mut self, here: &Here<'t>) -> Option<Quantity> {
        let written = match &here.tree.value {
            TreeValue::String(text) => Text::new(text),
            TreeValue::Number(number) => Text::from(number_text(number)),
            _ => {
                self.wrong_type(here, Expected::Quantity, None);
                return None;
            }
        };
        match Quantity::parse(&written) {
            Ok(quantity) if quantity.is_negative() => self.report(here, ScenarioProblem::NegativeAmount),
            Ok(quantity) => return Some(quantity),
            Err(_) => {
                let kind = ProblemKind::Decode(DecodeProblem::NotAQuantity { written });
                self.push(kind, here.path(), here.tree.span, None);
            }
        }
        None
    }

    /// A moment.
    pub fn moment(&mut self, here: &Here<'t>) -> Option<Timestamp> {
        let written = self.text(here)?;
        let moment = Timestamp::parse(&written);
        if moment.is_none() {
            let kind = ProblemKind::Decode(DecodeProblem::NotATime { written });
            self.push(kind, here.path(), here.tree.span, None);
        }
        moment
    }

    /// What stands at a place, when it is plain enough to be quoted as it is.
    fn written(&self, span: Span) -> Option<&'t str> {
        let range = usize::try_from(span.start.offset).ok()?..usize::try_from(span.end.offset).ok()?;
        let is_plain = |text: &&str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".+-_".contains(&byte));
        self.text.get(range).filter(|text| !text.is_empty()).filter(is_plain)
    }
}

//! View-models for people: what `explain`, `plan` and `check` answer, the same for the terminal and the page.
//!
//! A report is plain data in the reader's order, with lists cut at ten names and a count, and every reason beside its
//! sentence in the language it was asked for.

mod advise;
mod assumed;
mod change;
mod check;
mod compare;
mod diagnosis;
mod explain;
mod forecast;
mod node;
mod plan;
mod simulate;
mod step;

pub use advise::{AdviseReport, SettingAdvice, TrialLine, WaitsForKind, advise_report};
pub use assumed::{AssumedLine, AssumedTime, PlayAssumptions, SettingKind, assumption_lines};
pub use change::{FieldChange, field_changes};
pub use check::{CheckReport, CheckedText, KindCount, ProblemReport};
pub use compare::{CompareReport, CompareRow, compare_report};
pub use diagnosis::{DiagnosisReport, FindingReport, RemedyReport, diagnosis_report};
pub use explain::{
    ExplainReport, Judge, Judgement, NodeGroup, Obstacle, StatusReport, Verdict, VerdictCounts, explain, status_report,
};
pub use forecast::{
    ConditionLine, FinishLine, ForecastNumbers, ForecastReport, NumberLine, UnfinishedKind, UnfinishedLine,
    forecast_headline, forecast_lines, forecast_report,
};
pub use node::{CheckLine, CheckedBy, NodeReport, PodLine, node_report};
pub use plan::{
    Assumptions, CounterLine, DecisionLine, GapLine, PlanEnd, PlanOutcome, PlanReport, PlanStart, PlanStep,
    PlanStrategy, Played, WaitLine, plan_report,
};
pub use simulate::{ExpectedTrace, MarkLine, RefusedLine, SimulateReport, Simulated, simulate_report};
pub use step::{ActionKind, DecisionReport, RequeueReport, StepReport, step_report};

use serde::Serialize;

use crate::api::Text;
use crate::message::{Language, Words};

/// How many names a list of a report holds; its count is the whole number.
pub const NAMES_SHOWN: usize = 10;

/// A reason, and the sentence that says it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Said<T> {
    /// The reason as data.
    pub reason: T,
    /// The reason in words.
    pub message: String,
}

impl<T: Words> Said<T> {
    /// A reason in the words of a language.
    pub fn new(reason: T, language: Language) -> Self {
        let message = reason.words(language);
        Self { reason, message }
    }
}

/// Some names and how many there are in all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NameList {
    /// How many there are.
    pub count: u32,
    /// The first [`NAMES_SHOWN`] of them.
    pub names: Vec<Text>,
}

impl NameList {
    /// Takes one more.
    pub fn push(&mut self, name: &Text) {
        self.count = self.count.saturating_add(1);
        if self.names.len() < NAMES_SHOWN {
            self.names.push(name.clone());
        }
    }

    /// The list in words: `a, b and 12 more`.
    pub fn words(&self, language: Language) -> String {
        crate::message::names(&self.names, self.count, language)
    }
}

impl<'a> FromIterator<&'a Text> for NameList {
    fn from_iter<I: IntoIterator<Item = &'a Text>>(names: I) -> Self {
        let mut list = Self::default();
        names.into_iter().for_each(|name| list.push(name));
        list
    }
}

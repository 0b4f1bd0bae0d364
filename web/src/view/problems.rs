//! The list below the text: what is wrong, and where.

use yew::{Html, html};

use super::{Voice, rich};
use crate::model::{Place, Problem, Severity};
use crate::state::{Message, State};
use crate::words::{self, Word};

/// More problems than this are counted, not listed.
const LISTED: usize = 100;

/// The problems of the document that is chosen.
pub fn list(state: &State, voice: &Voice) -> Html {
    let problems = &state.document(state.tab).problems;
    let count = |severity| problems.iter().filter(|problem| problem.severity == severity).count();
    let counts = [Severity::Error, Severity::Warning, Severity::Info].map(|severity| (count(severity), severity));
    html! {
        <div class="problems" aria-live="polite">
            <h2>
                { voice.say(Word::Problems) }
                <span class="space"></span>
                { for counts.into_iter().filter(|(count, _)| *count > 0).map(|(count, severity)| html! {
                    <span class="count"><i class={format!("mark {}", class(severity))} aria-hidden="true"></i>
                        { words::problems(count, severity, voice.language) }</span>
                }) }
            </h2>
            if problems.is_empty() {
                <p class="empty">{ voice.say(Word::NoProblems) }</p>
            }
            <ul>
                { for problems.iter().take(LISTED).map(|problem| item(problem, state, voice)) }
            </ul>
            if let Some(more) = problems.len().checked_sub(LISTED).filter(|more| *more > 0) {
                <p class="empty">{ words::more_problems(more, voice.language) }</p>
            }
        </div>
    }
}

fn item(problem: &Problem, state: &State, voice: &Voice) -> Html {
    let word = words::severity_word(problem.severity);
    let place = Place { document: state.tab, line: problem.line, from: problem.from, to: problem.to };
    html! {
        <li>
            <button onclick={voice.on(Message::PlaceChosen(place))} title={problem.code.clone()}>
                <i class={format!("mark {}", class(problem.severity))} role="img" aria-label={voice.say(word)}></i>
                <span class="message">
                    { rich(&problem.message) }
                    if !problem.path.is_empty() {
                        <span class="path">{ &problem.path }</span>
                    }
                </span>
                <span class="place">{ format!("{}:{}", problem.line, problem.column) }</span>
            </button>
        </li>
    }
}

fn class(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    }
}

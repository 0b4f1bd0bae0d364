//! The list below the text: what is wrong, and where.

use yew::{Html, html};

use super::Voice;
use crate::model::{Place, Problem, Severity};
use crate::state::{Message, State};
use crate::words::{self, Word};

/// More problems than this are counted, not listed.
const LISTED: usize = 100;

/// The problems of the document that is chosen.
pub fn list(state: &State, voice: &Voice) -> Html {
    let problems = &state.document(state.tab).problems;
    let count = |severity| problems.iter().filter(|problem| problem.severity == severity).count();
    let counts = [
        (count(Severity::Error), Word::Errors, "error"),
        (count(Severity::Warning), Word::Warnings, "warning"),
        (count(Severity::Info), Word::Notes, "info"),
    ];
    html! {
        <div class="problems" aria-live="polite">
            <h2>
                { voice.say(Word::Problems) }
                <span class="space"></span>
                { for counts.into_iter().filter(|(count, ..)| *count > 0).map(|(count, word, class)| html! {
                    <span class="count"><i class={format!("mark {class}")} aria-hidden="true"></i>
                        { format!("{count} {}", voice.say(word)) }</span>
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
    let (class, word) = match problem.severity {
        Severity::Error => ("error", Word::Errors),
        Severity::Warning => ("warning", Word::Warnings),
        Severity::Info => ("info", Word::Notes),
    };
    let place = Place { document: state.tab, line: problem.line, from: problem.from, to: problem.to };
    html! {
        <li>
            <button onclick={voice.on(Message::PlaceChosen(place))} title={problem.code.clone()}>
                <i class={format!("mark {class}")} role="img" aria-label={voice.say(word)}></i>
                <span class="message">
                    { &problem.message }
                    if !problem.path.is_empty() {
                        <span class="path">{ &problem.path }</span>
                    }
                </span>
                <span class="place">{ format!("{}:{}", problem.line, problem.column) }</span>
            </button>
        </li>
    }
}

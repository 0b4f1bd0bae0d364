//! The list below the text: what is wrong, and where.

use super::Voice;
use super::element::{Element, element};
use crate::model::{Place, Problem, Severity};
use crate::state::{Message, State};
use crate::words::{self, Word};

/// More problems than this are counted, not listed.
const LISTED: usize = 100;

/// The problems of the document that is chosen.
pub fn list(state: &State, voice: &Voice) -> Element {
    let problems = &state.document(state.tab).problems;
    let mut title = element("h2").say(Word::Problems, voice).with(element("span.space"));
    for severity in [Severity::Error, Severity::Warning, Severity::Info] {
        let count = problems.iter().filter(|problem| problem.severity == severity).count();
        if count > 0 {
            let mark = mark(severity).attr("aria-hidden", "true");
            let text = words::problems(count, severity, voice.language);
            title = title.with(element("span.count").with(mark).text(&text));
        }
    }
    let shown = problems.iter().take(LISTED);
    let items = shown.fold(element("ul"), |list, problem| list.with(item(problem, state, voice)));
    let more = problems.len().checked_sub(LISTED).filter(|more| *more > 0);
    element("div.problems[aria-live=polite]")
        .with(title)
        .maybe(problems.is_empty().then(|| element("p.empty").say(Word::NoProblems, voice)))
        .with(items)
        .maybe(more.map(|more| element("p.empty").text(&words::more_problems(more, voice.language))))
}

fn item(problem: &Problem, state: &State, voice: &Voice) -> Element {
    let place = Place { document: state.tab, line: problem.line, from: problem.from, to: problem.to };
    let mark = mark(problem.severity).attr("role", "img");
    let path = (!problem.path.is_empty()).then(|| element("span.path").text(&problem.path));
    let button = element("button")
        .tells(Message::PlaceChosen(place), voice)
        .attr("title", &problem.code)
        .with(mark.word("aria-label", words::severity_word(problem.severity), voice))
        .with(element("span.message").rich(&problem.message).maybe(path))
        .with(element("span.place").text(&format!("{}:{}", problem.line, problem.column)));
    element("li").with(button)
}

fn mark(severity: Severity) -> Element {
    element(match severity {
        Severity::Error => "i.mark.error",
        Severity::Warning => "i.mark.warning",
        Severity::Info => "i.mark.info",
    })
}

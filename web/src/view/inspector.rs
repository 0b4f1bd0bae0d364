//! Why one node has a pod, or why not.

use super::element::{Element, element};
use super::{Voice, diagnosis};
use crate::model::{Check, Inspection, Mark, Tone};
use crate::state::{Message, State};
use crate::words::Word;

/// The pane beside the map.
pub fn pane(state: &State, voice: &Voice) -> Element {
    let pane = element("section.pane.inspector[aria-live=polite]").word("aria-label", Word::Inspector, voice);
    let shown = state.inspection.as_ref().filter(|inspection| Some(inspection.node) == state.selected);
    let diagnosis = state.rollout.as_ref().and_then(|rollout| rollout.summary.diagnosis.as_ref());
    match (shown, diagnosis) {
        (Some(inspection), _) => inspected(pane, inspection, voice),
        // Where no node is chosen, a rollout that stops says why.
        (None, Some(diagnosis)) => pane.with(diagnosis::list(diagnosis, state, voice)),
        (None, None) => pane.with(invitation(voice)),
    }
}

fn invitation(voice: &Voice) -> Element {
    element("div.invitation")
        .with(element("p").say(Word::PickNode, voice))
        .with(element("p.second").say(Word::PickNodeHelp, voice))
}

fn inspected(pane: Element, inspection: &Inspection, voice: &Voice) -> Element {
    let callout = element(match inspection.tone {
        Tone::Good => "div.callout.good",
        Tone::Waiting => "div.callout.waiting",
        Tone::Bad => "div.callout.bad",
        Tone::Neutral => "div.callout.neutral",
    });
    let name = element("h2.name").with(element("span").text(&inspection.name));
    let explanation = &inspection.explanation;
    let checks = element("ol.checks").word("aria-label", Word::Checks, voice);
    let checks = inspection.checks.iter().fold(checks, |list, check| list.with(line(check, voice)));
    let mut pods = element("dd");
    if inspection.pods.is_empty() {
        pods = pods.with(element("span.second").say(Word::NoPod, voice));
    }
    for pod in &inspection.pods {
        let name = element("span.mono").text(&pod.name);
        let description = element("span.second").text(" · ").text(&pod.description);
        pods = pods.with(element("p").with(name).with(description));
    }
    let facts = element("dl.facts")
        .with(element("dt").say(Word::Pod, voice))
        .with(pods)
        .with(element("dt").say(Word::Next, voice))
        .with(element("dd").rich(&inspection.next));
    let verdict = callout.with(element("p.verdict").text(&inspection.verdict));
    pane.with(inspection.chips.iter().fold(name, |name, chip| name.with(element("span.chip").text(chip))))
        .with(verdict.maybe((!explanation.is_empty()).then(|| element("p").rich(explanation))))
        .maybe((!inspection.checks.is_empty()).then_some(checks))
        .with(facts)
}

fn line(check: &Check, voice: &Voice) -> Element {
    let (selector, sign, word) = match check.mark {
        Mark::Passed => ("li.passed", "✓", Word::Passed),
        Mark::Failed => ("li.failed", "✗", Word::Failed),
        Mark::NotAsked => ("li.not-asked", "–", Word::NotAsked),
    };
    let reference = check.place.as_ref().map(|place| {
        let button = element("button.reference").tells(Message::PlaceChosen(place.clone()), voice);
        button.text(&format!("{} {}", voice.say(Word::Line), place.line))
    });
    let detail = (!check.detail.is_empty()).then(|| element("span.detail").rich(&check.detail));
    element(selector)
        .with(element("span.sign[role=img]").word("aria-label", word, voice).text(sign))
        .with(element("span.what").rich(&check.name))
        .maybe(reference)
        .maybe(detail)
}

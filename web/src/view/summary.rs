//! How the rollout goes: over many plays, and in an ideal world.

use std::fmt::Display;

use yew::Html;

use super::element::{Element, element, group};
use super::{Voice, outlook};
use crate::chart::clock;
use crate::model::{Ending, Rollout};
use crate::state::{Message, State};
use crate::words::Word;

/// The corner below the inspector.
pub fn pane(state: &State, voice: &Voice) -> Element {
    let mut title = element("h2").say(Word::Outlook, voice).with(element("span.space"));
    let (mut settings, mut forecast) = (Html::default(), Html::default());
    if let Some(outlook) = state.outlook.as_ref().filter(|_| state.rollout.is_some()) {
        title = outlook::progress(title, outlook, voice);
        settings = outlook::settings(outlook, voice);
        forecast = outlook::figures(outlook, voice);
    }
    let note = element("span.second").say(Word::SummaryNote, voice);
    element("aside.summary")
        .word("aria-label", Word::Outlook, voice)
        .with(title)
        .html(settings)
        .html(forecast)
        .with(element("h2").say(Word::Summary, voice).with(element("span.space")).with(note))
        .html(state.rollout.as_ref().map(|rollout| figures(rollout, voice)).unwrap_or_default())
}

fn figures(rollout: &Rollout, voice: &Voice) -> Html {
    let summary = &rollout.summary;
    let row = |list: Element, word, value: &dyn Display| {
        list.with(element("dt").say(word, voice)).with(element("dd").figure(value))
    };
    let list = element("dl.figures");
    let never = |list: Element| list.with(element("dt.never").say(Word::NeverFinishes, voice)).with(element("dd"));
    let ends_at = clock(rollout.ends_at());
    let (list, reason, advice) = match &summary.ending {
        Ending::Finished if rollout.decisions().is_empty() => {
            return element("p.second").say(Word::NothingHappens, voice).into();
        }
        Ending::Finished => (row(list, Word::Finishes, &ends_at), "", ""),
        Ending::Endless { nodes, reason } => (row(never(list), Word::NodesLeft, nodes), reason.as_str(), ""),
        Ending::Stopped { nodes, reason, advice } => {
            let list = row(never(list), Word::StopsAt, &ends_at);
            (row(list, Word::NodesLeft, nodes), reason.as_str(), advice.as_str())
        }
    };
    let list = row(list, Word::FewestAvailable, &summary.fewest_available);
    let list = row(list, Word::MostPods, &summary.most_pods);
    let list = row(list, Word::Decisions, &rollout.decisions().len());
    let mut nodes = vec![list.into()];
    for (selector, text) in [("p.reason", reason), ("p.second", advice)] {
        if !text.is_empty() {
            nodes.push(element(selector).rich(text).into());
        }
    }
    if summary.diagnosis.is_some() {
        nodes.push(element("button.small#why").tells(Message::WhyAsked, voice).say(Word::Why, voice).into());
    }
    group(nodes)
}

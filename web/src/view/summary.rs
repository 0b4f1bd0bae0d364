//! How the rollout goes: over many plays, and in an ideal world.

use yew::{Html, html};

use super::{Voice, outlook, rich};
use crate::chart::clock;
use crate::model::{Ending, Rollout};
use crate::state::{Message, State};
use crate::words::Word;

/// The corner below the inspector.
pub fn pane(state: &State, voice: &Voice) -> Html {
    let outlook = state.outlook.as_ref().filter(|_| state.rollout.is_some());
    html! {
        <aside class="summary" aria-label={voice.say(Word::Outlook)}>
            <h2>{ voice.say(Word::Outlook) }<span class="space"></span>
                { outlook.map(|outlook| outlook::progress(outlook, voice)) }</h2>
            { outlook.map(|outlook| outlook::settings(outlook, voice)) }
            { outlook.map(|outlook| outlook::figures(outlook, voice)) }
            <h2>{ voice.say(Word::Summary) }<span class="space"></span>
                <span class="second">{ voice.say(Word::SummaryNote) }</span></h2>
            { state.rollout.as_ref().map(|rollout| figures(rollout, voice)).unwrap_or_default() }
        </aside>
    }
}

fn figures(rollout: &Rollout, voice: &Voice) -> Html {
    let summary = &rollout.summary;
    let row = |word: Word, value: String| {
        html! { <><dt>{ voice.say(word) }</dt><dd>{ value }</dd></> }
    };
    if rollout.decisions().is_empty() && summary.ending == Ending::Finished {
        return html! { <p class="second">{ voice.say(Word::NothingHappens) }</p> };
    }
    let (outcome, reason) = match &summary.ending {
        Ending::Finished => (row(Word::Finishes, clock(rollout.ends_at())), Html::default()),
        Ending::Endless { nodes, reason } => (
            html! {
                <>
                    <dt class="never">{ voice.say(Word::NeverFinishes) }</dt><dd></dd>
                    { row(Word::NodesLeft, nodes.to_string()) }
                </>
            },
            html! { <p class="reason">{ rich(reason) }</p> },
        ),
        Ending::Stopped { nodes, reason, advice } => (
            html! {
                <>
                    <dt class="never">{ voice.say(Word::NeverFinishes) }</dt><dd></dd>
                    { row(Word::StopsAt, clock(rollout.ends_at())) }
                    { row(Word::NodesLeft, nodes.to_string()) }
                </>
            },
            html! {
                <>
                    <p class="reason">{ rich(reason) }</p>
                    if !advice.is_empty() {
                        <p class="second">{ rich(advice) }</p>
                    }
                </>
            },
        ),
    };
    html! {
        <>
            <dl class="figures">
                { outcome }
                { row(Word::FewestAvailable, summary.fewest_available.to_string()) }
                { row(Word::MostPods, summary.most_pods.to_string()) }
                { row(Word::Decisions, rollout.decisions().len().to_string()) }
            </dl>
            { reason }
            if summary.diagnosis.is_some() {
                <button class="small" id="why" onclick={voice.on(Message::WhyAsked)}>{ voice.say(Word::Why) }</button>
            }
        </>
    }
}

//! Why one node has a pod, or why not.

use yew::{Html, html};

use super::{Voice, diagnosis, rich};
use crate::model::{Check, Inspection, Mark, Tone};
use crate::state::{Message, State};
use crate::words::Word;

/// The pane beside the map.
pub fn pane(state: &State, voice: &Voice) -> Html {
    let shown = state.inspection.as_ref().filter(|inspection| Some(inspection.node) == state.selected);
    html! {
        <section class="pane inspector" aria-label={voice.say(Word::Inspector)} aria-live="polite">
            { shown.map_or_else(|| nothing_chosen(state, voice), |inspection| inspected(inspection, voice)) }
        </section>
    }
}

/// Where no node is chosen, a rollout that stops says why.
fn nothing_chosen(state: &State, voice: &Voice) -> Html {
    let diagnosis = state.rollout.as_ref().and_then(|rollout| rollout.summary.diagnosis.as_ref());
    diagnosis.map_or_else(|| invitation(voice), |diagnosis| diagnosis::list(diagnosis, state, voice))
}

fn invitation(voice: &Voice) -> Html {
    html! {
        <div class="invitation">
            <p>{ voice.say(Word::PickNode) }</p>
            <p class="second">{ voice.say(Word::PickNodeHelp) }</p>
        </div>
    }
}

fn inspected(inspection: &Inspection, voice: &Voice) -> Html {
    let tone = match inspection.tone {
        Tone::Good => "good",
        Tone::Waiting => "waiting",
        Tone::Bad => "bad",
        Tone::Neutral => "neutral",
    };
    html! {
        <>
            <h2 class="name">
                <span>{ &inspection.name }</span>
                { for inspection.chips.iter().map(|chip| html! { <span class="chip">{ chip }</span> }) }
            </h2>
            <div class={format!("callout {tone}")}>
                <p class="verdict">{ &inspection.verdict }</p>
                if !inspection.explanation.is_empty() {
                    <p>{ rich(&inspection.explanation) }</p>
                }
            </div>
            if !inspection.checks.is_empty() {
                <ol class="checks" aria-label={voice.say(Word::Checks)}>
                    { for inspection.checks.iter().map(|check| line(check, voice)) }
                </ol>
            }
            <dl class="facts">
                <dt>{ voice.say(Word::Pod) }</dt>
                <dd>
                    if inspection.pods.is_empty() {
                        <span class="second">{ voice.say(Word::NoPod) }</span>
                    }
                    { for inspection.pods.iter().map(|pod| html! {
                        <p><span class="mono">{ &pod.name }</span>
                        <span class="second">{ format!(" · {}", pod.description) }</span></p>
                    }) }
                </dd>
                <dt>{ voice.say(Word::Next) }</dt>
                <dd>{ rich(&inspection.next) }</dd>
            </dl>
        </>
    }
}

fn line(check: &Check, voice: &Voice) -> Html {
    let (class, sign, word) = match check.mark {
        Mark::Passed => ("passed", "✓", Word::Passed),
        Mark::Failed => ("failed", "✗", Word::Failed),
        Mark::NotAsked => ("not-asked", "–", Word::NotAsked),
    };
    html! {
        <li class={class}>
            <span class="sign" role="img" aria-label={voice.say(word)}>{ sign }</span>
            <span class="what">{ rich(&check.name) }</span>
            if let Some(place) = &check.place {
                <button class="reference" onclick={voice.on(Message::PlaceChosen(place.clone()))}>
                    { format!("{} {}", voice.say(Word::Line), place.line) }
                </button>
            }
            if !check.detail.is_empty() {
                <span class="detail">{ rich(&check.detail) }</span>
            }
        </li>
    }
}

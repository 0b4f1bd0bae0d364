//! Why a rollout stops, and what can be done: shown where no node is.

use std::rc::Rc;

use yew::{Html, html};

use super::{Voice, rich};
use crate::model::{Diagnosis, Finding, Remedy};
use crate::state::{Message, State};
use crate::words::Word;

/// The diagnosis of the rollout that is shown.
pub fn list(diagnosis: &Diagnosis, state: &State, voice: &Voice) -> Html {
    html! {
        <div class="diagnosis">
            <div class="callout bad"><p class="verdict">{ rich(&diagnosis.headline) }</p></div>
            { for diagnosis.findings.iter().map(|finding| one(finding, state, voice)) }
            <p class="second">{ voice.say(Word::PickNode) }</p>
        </div>
    }
}

fn one(finding: &Finding, state: &State, voice: &Voice) -> Html {
    html! {
        <section class="finding">
            <h3>{ rich(&finding.title) }</h3>
            <p>{ rich(&finding.message) }</p>
            if !finding.remedies.is_empty() {
                <ul aria-label={voice.say(Word::WhatToDo)}>
                    { for finding.remedies.iter().map(|remedy| line(remedy, state, voice)) }
                </ul>
            }
        </section>
    }
}

fn line(remedy: &Remedy, state: &State, voice: &Voice) -> Html {
    html! {
        <li>
            <p>{ rich(&remedy.message) }</p>
            { remedy.command.as_ref().map(|command| copied(command, state, voice)) }
            { remedy.warning.as_ref().map(|warning| html! { <p class="second">{ rich(warning) }</p> }) }
        </li>
    }
}

fn copied(command: &str, state: &State, voice: &Voice) -> Html {
    let is_copied = state.copied.as_deref() == Some(command);
    let copy = voice.on(Message::CopyAsked(Rc::from(command)));
    html! {
        <div class="command">
            <code>{ command.to_owned() }</code>
            <button class="small" onclick={copy}>
                { voice.say(if is_copied { Word::Copied } else { Word::Copy }) }
            </button>
        </div>
    }
}

//! Why a rollout stops, and what can be done: shown where no node is.

use std::rc::Rc;

use super::Voice;
use super::element::{Element, element};
use crate::model::{Diagnosis, Finding, Remedy};
use crate::state::{Message, State};
use crate::words::Word;

/// The diagnosis of the rollout that is shown.
pub fn list(diagnosis: &Diagnosis, state: &State, voice: &Voice) -> Element {
    let verdict = element("p.verdict").rich(&diagnosis.headline);
    let list = element("div.diagnosis").with(element("div.callout.bad").with(verdict));
    let list = diagnosis.findings.iter().fold(list, |list, finding| list.with(one(finding, state, voice)));
    list.with(element("p.second").say(Word::PickNode, voice))
}

fn one(finding: &Finding, state: &State, voice: &Voice) -> Element {
    let section =
        element("section.finding").with(element("h3").rich(&finding.title)).with(element("p").rich(&finding.message));
    if finding.remedies.is_empty() {
        return section;
    }
    let list = element("ul").word("aria-label", Word::WhatToDo, voice);
    section.with(finding.remedies.iter().fold(list, |list, remedy| list.with(line(remedy, state, voice))))
}

fn line(remedy: &Remedy, state: &State, voice: &Voice) -> Element {
    element("li")
        .with(element("p").rich(&remedy.message))
        .maybe(remedy.command.as_ref().map(|command| copied(command, state, voice)))
        .maybe(remedy.warning.as_ref().map(|warning| element("p.second").rich(warning)))
}

fn copied(command: &str, state: &State, voice: &Voice) -> Element {
    let is_copied = state.copied.as_deref() == Some(command);
    let copy = element("button.small").tells(Message::CopyAsked(Rc::from(command)), voice);
    element("div.command")
        .with(element("code").text(command))
        .with(copy.say(if is_copied { Word::Copied } else { Word::Copy }, voice))
}

//! The page, drawn from the state. Every wish of a person leaves as a [`Message`](crate::state::Message).

mod app;
mod canvas;
mod diagnosis;
mod editor;
mod element;
pub mod inspector;
pub mod map;
mod outlook;
pub mod parts;
pub mod problems;
pub mod shell;
pub mod summary;
pub mod timeline;

pub use app::App;

use web_sys::{Event, HtmlSelectElement};
use yew::Callback;

use crate::state::{Language, Message};
use crate::words::Word;
use element::{Deed, Element, element, target};

/// What every part of the page needs to speak and to be heard.
#[derive(Clone, PartialEq)]
pub struct Voice {
    pub language: Language,
    pub emit: Callback<Message>,
}

impl Voice {
    /// A word in the person's language.
    pub fn say(&self, word: Word) -> &'static str {
        word.in_language(self.language)
    }
}

/// A button that shows a sign and has its word for those who point at it or cannot see it.
fn sign(selector: &'static str, word: Word, voice: &Voice) -> Element {
    element(selector).word("title", word, voice).word("aria-label", word, voice)
}

/// A list to choose from: a title each, and what choosing it means.
fn choice(label: &str, chosen: Option<usize>, choices: Vec<(String, Message)>, voice: &Voice) -> Element {
    let select = element("select").attr("aria-label", label);
    let select = choices.iter().enumerate().fold(select, |select, (index, (title, _))| {
        select.with(element("option").flag("selected", Some(index) == chosen).text(title))
    });
    let emit = voice.emit.clone();
    let act = move |event: Event| {
        let index =
            target::<HtmlSelectElement>(&event).and_then(|select| usize::try_from(select.selected_index()).ok());
        if let Some((_, message)) = index.and_then(|index| choices.get(index)) {
            emit.emit(message.clone());
        }
    };
    select.on(Deed::Change, Callback::from(act))
}

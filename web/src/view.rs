//! The page, drawn from the state. Every wish of a person leaves as a [`Message`](crate::state::Message).

mod app;
mod canvas;
mod diagnosis;
mod editor;
pub mod inspector;
pub mod map;
mod outlook;
pub mod parts;
pub mod problems;
pub mod shell;
pub mod summary;
pub mod timeline;

pub use app::App;

use yew::{Callback, Html, html};

use crate::state::{Language, Message};
use crate::words::Word;

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

    /// A callback that emits one message, whatever happened.
    pub fn on<E: 'static>(&self, message: Message) -> Callback<E> {
        self.emit.reform(move |_: E| message.clone())
    }
}

/// Words with `code` in them. The text stays text: nothing in it becomes markup.
fn rich(text: &str) -> Html {
    let pieces = text.split('`').enumerate().map(|(place, piece)| {
        if place % 2 == 1 {
            html! { <code>{ piece.to_owned() }</code> }
        } else {
            html! { { piece.to_owned() } }
        }
    });
    html! { { for pieces } }
}

/// A list to choose from, by place.
fn choice(
    label: &'static str,
    chosen: Option<usize>,
    titles: &[String],
    choose: impl Fn(usize) -> Message + 'static,
    voice: &Voice,
) -> Html {
    select(label, chosen, titles, voice.emit.reform(choose))
}

fn select(label: &'static str, chosen: Option<usize>, titles: &[String], choose: Callback<usize>) -> Html {
    use wasm_bindgen::JsCast;
    let onchange = Callback::from(move |event: yew::Event| {
        let select = event.target().and_then(|target| target.dyn_into::<web_sys::HtmlSelectElement>().ok());
        if let Some(index) = select.and_then(|select| usize::try_from(select.selected_index()).ok()) {
            choose.emit(index);
        }
    });
    html! {
        <select aria-label={label} {onchange}>
            { for titles.iter().enumerate().map(|(index, title)| html! {
                <option selected={Some(index) == chosen}>{ title }</option>
            }) }
        </select>
    }
}

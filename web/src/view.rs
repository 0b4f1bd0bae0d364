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

/// A list to choose from; `options` are values with their titles.
fn choice<T: Copy + PartialEq + 'static>(
    label: &str,
    chosen: T,
    options: &[(T, String)],
    choose: impl Fn(T) -> Message + 'static,
    voice: &Voice,
) -> Html {
    use wasm_bindgen::JsCast;
    let values: Vec<T> = options.iter().map(|(value, _)| *value).collect();
    let emit = voice.emit.clone();
    let onchange = Callback::from(move |event: yew::Event| {
        let select = event.target().and_then(|target| target.dyn_into::<web_sys::HtmlSelectElement>().ok());
        let index = select.and_then(|select| usize::try_from(select.selected_index()).ok());
        if let Some(value) = index.and_then(|index| values.get(index)) {
            emit.emit(choose(*value));
        }
    });
    html! {
        <select aria-label={label.to_owned()} {onchange}>
            { for options.iter().map(|(value, title)| html! {
                <option selected={*value == chosen}>{ title }</option>
            }) }
        </select>
    }
}

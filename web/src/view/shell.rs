//! The header, the pane tabs of narrow windows, notices and the list of keys.

use yew::{Html, html};

use super::{Voice, rich};
use crate::state::{Language, Message, Note, Pane, State, Work};
use crate::words::{self, Word};

/// The line on top of the page; `open` is how a scenario file is opened.
pub fn header(state: &State, dark: bool, open: Html, voice: &Voice) -> Html {
    let language = match state.language {
        Language::English => html! { <><b>{ "EN" }</b>{ " / 中文" }</> },
        Language::Chinese => html! { <>{ "EN / " }<b>{ "中文" }</b></> },
    };
    html! {
        <header class="header">
            <img src="icon.svg" width="18" height="18" alt="" />
            <h1>{ "Rollcast" }</h1>
            <span class="scenario"><span class="slash">{ "/" }</span>{ name(state, voice) }</span>
            <span class="space"></span>
            { open }
            <button class="quiet" id="save" title={voice.say(Word::SaveHelp)} onclick={voice.on(Message::SaveAsked)}>
                { voice.say(Word::Save) }</button>
            <button class="quiet" id="language" title={voice.say(Word::Language)} aria-label={voice.say(Word::Language)}
                onclick={voice.on(Message::LanguageToggled)}>{ language }</button>
            <button class="quiet" id="theme" title={voice.say(Word::Theme)} aria-label={voice.say(Word::Theme)}
                aria-pressed={dark.to_string()} onclick={voice.on(Message::ThemeToggled)}>{ half_moon() }</button>
            <button class="quiet" id="help" title={voice.say(Word::Help)} aria-label={voice.say(Word::Help)}
                onclick={voice.on(Message::HelpToggled)}>{ "?" }</button>
        </header>
    }
}

/// What the scenario is called: by its file, or by what the page opens with.
fn name(state: &State, voice: &Voice) -> String {
    let word = if state.opened { Word::Unnamed } else { Word::Scenario };
    if state.name.is_empty() { voice.say(word).to_owned() } else { state.name.to_string() }
}

fn half_moon() -> Html {
    html! {
        <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
            <circle cx="7" cy="7" r="5.5" fill="none" stroke="currentColor" />
            <path d="M7 1.5a5.5 5.5 0 0 0 0 11z" fill="currentColor" />
        </svg>
    }
}

/// Tabs that choose the pane where there is room for one.
pub fn panes(chosen: Pane, voice: &Voice) -> Html {
    let title = |pane| match pane {
        Pane::Editor => voice.say(Word::Editor),
        Pane::Map => voice.say(Word::Map),
        Pane::Inspector => voice.say(Word::Inspector),
    };
    html! {
        <nav class="panes" aria-label={voice.say(Word::Panes)}>
            { for Pane::ALL.map(|pane| html! {
                <button aria-current={(pane == chosen).to_string()} onclick={voice.on(Message::PaneChosen(pane))}>
                    { title(pane) }
                </button>
            }) }
        </nav>
    }
}

/// What a person is told about a fall of the worker, or about something that was not done.
pub fn notice(state: &State, voice: &Voice) -> Html {
    let stopped = state.work == Work::Stopped;
    let (class, message, detail, close) = match (&state.note, state.fall.as_ref().filter(|_| !state.fall_seen)) {
        (Some(note), _) => {
            let message = match note {
                Note::TooLarge(bytes) => words::too_large(*bytes, voice.language),
                Note::NoScenario => voice.say(Word::NoScenario).to_owned(),
            };
            ("notice", message, "", Some(Message::NoteDismissed))
        }
        (None, Some(fall)) => {
            let word = if stopped { Word::FellTwice } else { Word::Fell };
            let close = (!stopped).then_some(Message::NoticeDismissed);
            (if stopped { "notice bad" } else { "notice" }, voice.say(word).to_owned(), &*fall.text, close)
        }
        (None, None) => return Html::default(),
    };
    html! {
        <div {class} role="alert">
            <p>{ rich(&message) }</p>
            if !detail.is_empty() {
                <p class="mono">{ detail.to_owned() }</p>
            }
            if let Some(close) = close {
                <button onclick={voice.on(close)}>{ voice.say(Word::Dismiss) }</button>
            }
        </div>
    }
}

/// The list of keys.
pub fn help(state: &State, voice: &Voice) -> Html {
    if !state.help {
        return Html::default();
    }
    let keys = [
        ("Space", Word::HelpPlay),
        ("← →", Word::HelpStep),
        ("Home End", Word::HelpEnds),
        ("1 2 3 4", Word::HelpTabs),
        ("o s", Word::HelpFiles),
        ("m", Word::HelpMap),
        ("+ −", Word::HelpZoom),
        ("/", Word::HelpFind),
        ("l", Word::HelpLanguage),
        ("d", Word::HelpTheme),
        ("Esc Tab", Word::HelpLeave),
        ("?", Word::HelpHelp),
    ];
    html! {
        <div class="veil" onclick={voice.on(Message::HelpToggled)}>
            <div class="dialog" role="dialog" aria-modal="true" aria-label={voice.say(Word::Help)}>
                <h2>{ voice.say(Word::Help) }</h2>
                <dl>
                    { for keys.map(|(key, word)| html! {
                        <><dt>{ for key.split(' ').map(|key| html! { <kbd>{ key }</kbd> }) }</dt>
                        <dd>{ voice.say(word) }</dd></>
                    }) }
                </dl>
                <button onclick={voice.on(Message::HelpToggled)}>{ voice.say(Word::Close) }</button>
            </div>
        </div>
    }
}

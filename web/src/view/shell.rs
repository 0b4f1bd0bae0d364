//! The header, the pane tabs of narrow windows, notices and the list of keys.

use yew::{Html, classes, html};

use super::Voice;
use crate::state::{Language, Message, Pane, State, Work};
use crate::words::Word;

/// The line on top of the page.
pub fn header(state: &State, dark: bool, voice: &Voice) -> Html {
    let language = match state.language {
        Language::English => html! { <><b>{ "EN" }</b>{ " / 中文" }</> },
        Language::Chinese => html! { <>{ "EN / " }<b>{ "中文" }</b></> },
    };
    html! {
        <header class="header">
            <img src="icon.svg" width="18" height="18" alt="" />
            <h1>{ "Rollcast" }</h1>
            <span class="scenario"><span class="slash">{ "/" }</span>{ voice.say(Word::Scenario) }</span>
            <span class="space"></span>
            <button class="quiet" id="language" title={voice.say(Word::Language)} aria-label={voice.say(Word::Language)}
                onclick={voice.on(Message::LanguageToggled)}>{ language }</button>
            <button class="quiet" id="theme" title={voice.say(Word::Theme)} aria-label={voice.say(Word::Theme)}
                aria-pressed={dark.to_string()} onclick={voice.on(Message::ThemeToggled)}>{ half_moon() }</button>
            <button class="quiet" id="help" title={voice.say(Word::Help)} aria-label={voice.say(Word::Help)}
                onclick={voice.on(Message::HelpToggled)}>{ "?" }</button>
        </header>
    }
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

/// What a person is told about a fall of the worker.
pub fn notice(state: &State, voice: &Voice) -> Html {
    let stopped = state.work == Work::Stopped;
    let Some(fall) = state.fall.as_ref().filter(|_| !state.fall_seen) else { return Html::default() };
    html! {
        <div class={classes!("notice", stopped.then_some("bad"))} role="alert">
            <p>{ voice.say(if stopped { Word::FellTwice } else { Word::Fell }) }</p>
            <p class="mono">{ &*fall.text }</p>
            if !stopped {
                <button onclick={voice.on(Message::NoticeDismissed)}>{ voice.say(Word::Dismiss) }</button>
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
        ("1 2 3", Word::HelpTabs),
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

//! The header, the pane tabs of narrow windows, notices and the list of keys.

use super::element::{Element, element};
use super::{Voice, sign};
use crate::state::{Language, Message, Note, Pane, State, Work};
use crate::words::{self, Word};

/// The line on top of the page; `open` is how a scenario file is opened.
pub fn header(state: &State, dark: bool, open: Element, voice: &Voice) -> Element {
    let language = sign("button.quiet#language", Word::Language, voice).tells(Message::LanguageToggled, voice);
    let language = match state.language {
        Language::English => language.with(element("b").text("EN")).text(" / 中文"),
        Language::Chinese => language.text("EN / ").with(element("b").text("中文")),
    };
    let save = element("button.quiet#save").word("title", Word::SaveHelp, voice).tells(Message::SaveAsked, voice);
    let theme = sign("button.quiet#theme", Word::Theme, voice).tells(Message::ThemeToggled, voice);
    let help = sign("button.quiet#help", Word::Help, voice).tells(Message::HelpToggled, voice);
    element("header.header")
        .with(element("img[src=icon.svg][width=18][height=18][alt=]"))
        .with(element("h1").text("Rollcast"))
        .with(element("span.scenario").with(element("span.slash").text("/")).text(&name(state, voice)))
        .with(element("span.space"))
        .with(open)
        .with(save.say(Word::Save, voice))
        .with(language)
        .with(theme.truth("aria-pressed", dark).with(half_moon()))
        .with(help.text("?"))
}

/// What the scenario is called: by its file, or by what the page opens with.
fn name(state: &State, voice: &Voice) -> String {
    let word = if state.opened { Word::Unnamed } else { Word::Scenario };
    if state.name.is_empty() { voice.say(word).to_owned() } else { state.name.to_string() }
}

fn half_moon() -> Element {
    element("svg[width=14][height=14][viewBox=0 0 14 14][aria-hidden=true]")
        .with(element("circle[cx=7][cy=7][r=5.5][fill=none][stroke=currentColor]"))
        .with(element("path[d=M7 1.5a5.5 5.5 0 0 0 0 11z][fill=currentColor]"))
}

/// Tabs that choose the pane where there is room for one.
pub fn panes(chosen: Pane, voice: &Voice) -> Element {
    let tabs = element("nav.panes").word("aria-label", Word::Panes, voice);
    Pane::ALL.into_iter().fold(tabs, |tabs, pane| {
        let title = match pane {
            Pane::Editor => Word::Editor,
            Pane::Map => Word::Map,
            Pane::Inspector => Word::Inspector,
        };
        let tab = element("button").truth("aria-current", pane == chosen).tells(Message::PaneChosen(pane), voice);
        tabs.with(tab.say(title, voice))
    })
}

/// What a person is told about a fall of the worker, or about something that was not done.
pub fn notice(state: &State, voice: &Voice) -> Option<Element> {
    let stopped = state.work == Work::Stopped;
    let fall = state.fall.as_ref().filter(|_| !state.fall_seen);
    let is_bad = stopped && state.note.is_none();
    let notice = element(if is_bad { "div.notice.bad[role=alert]" } else { "div.notice[role=alert]" });
    let (notice, close) = match (&state.note, fall) {
        (Some(note), _) => {
            let message = match note {
                Note::TooLarge(bytes) => &words::too_large(*bytes, voice.language),
                Note::NoScenario => voice.say(Word::NoScenario),
            };
            (notice.with(element("p").rich(message)), Some(Message::NoteDismissed))
        }
        (None, Some(fall)) => {
            let said = element("p").rich(voice.say(if stopped { Word::FellTwice } else { Word::Fell }));
            let detail = (!fall.text.is_empty()).then(|| element("p.mono").text(&fall.text));
            (notice.with(said).maybe(detail), (!stopped).then_some(Message::NoticeDismissed))
        }
        (None, None) => return None,
    };
    Some(notice.maybe(close.map(|close| element("button").tells(close, voice).say(Word::Dismiss, voice))))
}

/// The keys, several separated by spaces, and what they do.
const KEYS: [(&str, Word); 12] = [
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

/// The list of keys.
pub fn help(state: &State, voice: &Voice) -> Option<Element> {
    if !state.help {
        return None;
    }
    let list = KEYS.iter().fold(element("dl"), |list, (keys, word)| {
        let keys = keys.split(' ').fold(element("dt"), |keys, key| keys.with(element("kbd").text(key)));
        list.with(keys).with(element("dd").say(*word, voice))
    });
    // A click on it is one on the veil, too: that closes.
    let close = element("button").say(Word::Close, voice);
    let dialog = element("div.dialog[role=dialog][aria-modal=true]")
        .word("aria-label", Word::Help, voice)
        .with(element("h2").say(Word::Help, voice))
        .with(list)
        .with(close);
    Some(element("div.veil").tells(Message::HelpToggled, voice).with(dialog))
}

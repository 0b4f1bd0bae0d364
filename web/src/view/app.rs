//! The root: holds the state, runs the effects, lays out the panes.

use std::rc::Rc;

use gloo::events::EventListener;
use gloo::render::{AnimationFrame, request_animation_frame};
use gloo::timers::callback::Timeout;
use gloo::utils::{document_element, window};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::{Closure, JsValue};
use web_sys::{Element, HtmlElement, KeyboardEvent};
use yew::{Callback, Component, Context, Html};

use super::element::element;
use super::parts::{PartEvent, Parts};
use super::{Voice, editor, inspector, map, problems, shell, summary, timeline};
use crate::link::{Heard, Link};
use crate::protocol::Request;
use crate::scenario;
use crate::state::{DocumentId, Effect, Language, Message, Pane, State, Theme, Work, receive, reduce};

/// How long a person must pause before the text is computed, in milliseconds.
const PAUSE: u32 = 150;
/// The key under which language and theme are remembered.
const MEMORY: &str = "rollcast";

/// What can reach the root.
pub enum Event {
    Told(Message),
    Heard(Heard),
    /// A frame is about to be drawn, at this time in milliseconds.
    Frame(f64),
    /// The person has paused typing.
    Paused,
    Part(PartEvent),
}

/// The page.
pub struct App {
    state: State,
    parts: Parts,
    link: Link,
    pause: Option<Timeout>,
    frame: Option<AnimationFrame>,
    /// When the last frame was drawn, in milliseconds.
    drawn_at: Option<f64>,
    /// Takes a text that is on the clipboard.
    copied: Closure<dyn Fn(JsValue)>,
    _listeners: Vec<EventListener>,
}

impl Component for App {
    type Message = Event;
    type Properties = ();

    fn create(context: &Context<Self>) -> Self {
        let (language, theme) = remembered().unwrap_or((browser_language(), Theme::System));
        let mut state = State::new(scenario::documents(), language, theme);
        let link = Link::start(&context.link().callback(Event::Heard));
        let system = window().match_media("(prefers-color-scheme: dark)").ok().flatten();
        let tell = context.link().callback(Event::Told);
        let mut listeners = vec![listen_to_keys(tell.clone())];
        if let Some(system) = &system {
            state.system_dark = system.matches();
            let (tell, asked) = (tell.clone(), system.clone());
            listeners.push(EventListener::new(system, "change", move |_| {
                tell.emit(Message::SystemThemeSeen { dark: asked.matches() });
            }));
        }
        let parts = Parts::new(&context.link().callback(Event::Part));
        let copied = Closure::new(move |text: JsValue| {
            let text = text.as_string().unwrap_or_default();
            tell.emit(Message::Copied(Rc::from(text)));
        });
        let app = Self { state, parts, link, pause: None, frame: None, drawn_at: None, copied, _listeners: listeners };
        app.dress();
        app
    }

    fn update(&mut self, context: &Context<Self>, event: Event) -> bool {
        match event {
            Event::Told(message) => self.tell(context, message),
            Event::Heard(Heard::Answer(answer, body)) => {
                let effects = receive(&mut self.state, answer, &body);
                self.carry_out(context, effects)
            }
            Event::Heard(Heard::Fall(text)) => self.tell(context, Message::WorkerFell(text)),
            Event::Frame(now) => {
                let passed = self.drawn_at.map_or(0.0, |before| now - before);
                self.drawn_at = Some(now);
                self.frame = None;
                self.tell(context, Message::Ticked(passed))
            }
            Event::Paused => {
                self.pause = None;
                self.send(self.state.generation, Request::Compute(Box::new(self.state.input())));
                false
            }
            Event::Part(event) => {
                let (changed, wish) = self.parts.update(event, &self.state);
                wish.is_some_and(|message| self.tell(context, message)) || changed
            }
        }
    }

    fn rendered(&mut self, _context: &Context<Self>, _first: bool) {
        self.parts.follow(&self.state);
    }

    fn view(&self, context: &Context<Self>) -> Html {
        let state = &self.state;
        let voice = Voice { language: state.language, emit: context.link().callback(Event::Told) };
        let pane = match state.pane {
            Pane::Editor => "show-editor",
            Pane::Map => "show-map",
            Pane::Inspector => "show-inspector",
        };
        let out_of_date = state.rollout.is_some() && state.work != Work::Done;
        let Parts { editor, map, picture, .. } = &self.parts;
        let desk = element("main.desk")
            .with(editor.view(editor::tabs(state, &voice), problems::list(state, &voice), state, &voice))
            .with(map::pane(state, map, &voice))
            .with(inspector::pane(state, &voice));
        element("div")
            .attr("class", &["frame ", pane, if out_of_date { " stale" } else { "" }].concat())
            .with(shell::header(state, state.is_dark(), editor.open(&voice), &voice))
            .with(shell::panes(state.pane, &voice))
            .with(desk)
            .with(timeline::pane(state, picture, &voice))
            .with(summary::pane(state, &voice))
            .maybe(shell::notice(state, &voice))
            .maybe(shell::help(state, &voice))
            .into()
    }
}

impl App {
    /// Passes a message through the state and does what follows from it.
    fn tell(&mut self, context: &Context<Self>, message: Message) -> bool {
        let effects = reduce(&mut self.state, message);
        self.carry_out(context, effects)
    }

    fn carry_out(&mut self, context: &Context<Self>, effects: Vec<Effect>) -> bool {
        for effect in effects {
            match effect {
                Effect::Send(generation, request) => self.send(generation, request),
                Effect::ComputeSoon => {
                    let link = context.link().clone();
                    self.pause = Some(Timeout::new(PAUSE, move || link.send_message(Event::Paused)));
                }
                Effect::RestartWorker => self.link = Link::start(&context.link().callback(Event::Heard)),
                Effect::Remember => {
                    remember(&self.state);
                    self.dress();
                }
                Effect::Dress => self.dress(),
                Effect::Save(text) => drop(editor::save_file("scenario.yaml", &text)),
                Effect::Copy(text) => editor::copy_text(&text, self.copied.as_ref()),
                Effect::Animate => {
                    let link = context.link().clone();
                    self.frame = Some(request_animation_frame(move |now| link.send_message(Event::Frame(now))));
                }
            }
        }
        if !self.state.playback.playing {
            self.drawn_at = None;
            self.frame = None;
        }
        true
    }

    /// Sends a request, with the dump where the cluster is read from one.
    fn send(&self, generation: u32, request: Request) {
        let dump =
            self.parts.editor.dump().filter(|_| matches!(&request, Request::Compute(input) if input.dump.is_some()));
        self.link.send(generation, request, dump);
    }

    /// Tells the document its language and theme.
    fn dress(&self) {
        let root = document_element();
        let theme = if self.state.is_dark() { "dark" } else { "light" };
        root.set_attribute("lang", tag(self.state.language)).ok();
        root.set_attribute("data-theme", theme).ok();
    }
}

/// A language as HTML names it.
fn tag(language: Language) -> &'static str {
    match language {
        Language::English => "en",
        Language::Chinese => "zh-Hans",
    }
}

/// Keeps language and theme for the next visit, as `zh-Hans dark`; without storage, nothing is kept.
fn remember(state: &State) {
    let theme = match state.theme {
        Theme::System => "system",
        Theme::Light => "light",
        Theme::Dark => "dark",
    };
    if let Ok(Some(storage)) = window().local_storage() {
        storage.set_item(MEMORY, &[tag(state.language), theme].join(" ")).ok();
    }
}

/// Language and theme of the last visit.
fn remembered() -> Option<(Language, Theme)> {
    let kept = window().local_storage().ok()??.get_item(MEMORY).ok()??;
    let (language, theme) = kept.split_once(' ')?;
    let language = [Language::English, Language::Chinese].into_iter().find(|known| tag(*known) == language)?;
    let theme = match theme {
        "light" => Theme::Light,
        "dark" => Theme::Dark,
        _ => Theme::System,
    };
    Some((language, theme))
}

fn browser_language() -> Language {
    match window().navigator().language() {
        Some(language) if language.starts_with("zh") => Language::Chinese,
        _ => Language::English,
    }
}

/// Keys that work anywhere but in a text, what they mean, and what has a use of its own for them.
const KEYS: &[(&str, Message, Option<&str>)] = &[
    (" ", Message::PlayToggled, Some("BUTTON")),
    ("k", Message::PlayToggled, None),
    (",", Message::StepBack, None),
    (".", Message::StepForward, None),
    ("ArrowLeft", Message::StepBack, Some("CANVAS")),
    ("ArrowRight", Message::StepForward, Some("CANVAS")),
    ("Home", Message::JumpToStart, Some("CANVAS")),
    ("End", Message::JumpToEnd, Some("CANVAS")),
    ("1", Message::TabChosen(DocumentId::DaemonSet), None),
    ("2", Message::TabChosen(DocumentId::Change), None),
    ("3", Message::TabChosen(DocumentId::Cluster), None),
    ("4", Message::TabChosen(DocumentId::World), None),
    ("s", Message::SaveAsked, None),
    ("?", Message::HelpToggled, None),
    ("l", Message::LanguageToggled, None),
    ("d", Message::ThemeToggled, None),
];

/// Acts on a key: what a person wishes by it.
fn on_key(event: &KeyboardEvent) -> Option<Message> {
    // Inside the editor's shadow root the target is the host.
    let target = event.composed_path().get(0).dyn_into::<Element>().ok();
    let writing = target.as_ref().is_some_and(|target| {
        target.closest("input, select, textarea, [contenteditable=true]").ok().flatten().is_some()
    });
    if writing || event.ctrl_key() || event.meta_key() || event.alt_key() || event.default_prevented() {
        return None;
    }
    let key = event.key();
    let focus = |element: &HtmlElement| drop(element.focus());
    match key.as_str() {
        "m" => with("map", focus),
        "o" => with("open", HtmlElement::click),
        "/" => {
            event.prevent_default();
            with("find", focus);
        }
        _ => {}
    }
    let (_, message, user) = KEYS.iter().find(|(known, ..)| *known == key)?;
    if user.is_some() && target.map(|target| target.tag_name()).as_deref() == *user {
        return None;
    }
    if matches!(message, Message::PlayToggled) {
        event.prevent_default();
    }
    Some(message.clone())
}

/// Tells what a person wishes by keys.
fn listen_to_keys(tell: Callback<Message>) -> EventListener {
    let options = gloo::events::EventListenerOptions::enable_prevent_default();
    EventListener::new_with_options(&window(), "keydown", options, move |event| {
        if let Some(message) = event.dyn_ref().and_then(on_key) {
            tell.emit(message);
        }
    })
}

/// Does something with an element of the page.
fn with(id: &str, act: fn(&HtmlElement)) {
    if let Some(element) = gloo::utils::document().get_element_by_id(id) {
        act(element.unchecked_ref());
    }
}

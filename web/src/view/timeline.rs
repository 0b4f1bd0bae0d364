//! The pane at the bottom: playing, the knobs, the stacked picture.

use std::rc::Rc;

use rollcast_core::KubernetesVersion;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement, KeyboardEvent, PointerEvent};
use yew::Callback;

use super::canvas::{Surface, Touch, place};
use super::element::{Deed, Element, element, target};
use super::{Voice, choice, sign};
use crate::chart::{Columns, clock, columns};
use crate::model::Rollout;
use crate::paint::{Chart, Palette};
use crate::state::{Knob, Knobs, Message, SPEEDS, State, WORLD_KNOBS};
use crate::words::{self, Word};

/// The whole pane.
pub fn pane(state: &State, picture: &Picture, voice: &Voice) -> Element {
    let controls = controls(state, voice).with(element("span.space")).with(knobs(state, voice));
    element("section.timeline")
        .word("aria-label", Word::Timeline, voice)
        .with(controls)
        .maybe(state.rollout.as_ref().map(|rollout| picture.view(rollout, state, voice)))
}

fn controls(state: &State, voice: &Voice) -> Element {
    let second = state.playback.second();
    let rollout = state.rollout.as_ref();
    let ends_at = clock(rollout.map(|rollout| rollout.ends_at()).unwrap_or_default());
    let (created, deleted) = rollout.map(|rollout| rollout.decided(second)).unwrap_or_default();
    let (word, path) = if state.playback.playing {
        (Word::Pause, element("path[d=M3 2h2.6v10H3zM8.4 2H11v10H8.4z][fill=currentColor]"))
    } else {
        (Word::Play, element("path[d=M4 1.8v10.4L12 7z][fill=currentColor]"))
    };
    let button = |selector, word, message, path| {
        let picture = element("svg[width=14][height=14][viewBox=0 0 14 14][aria-hidden=true]").with(path);
        sign(selector, word, voice).flag("disabled", rollout.is_none()).tells(message, voice).with(picture)
    };
    let back = element("path[d=M12 7H4M7 3.5 3.5 7 7 10.5M1.5 3v8][fill=none][stroke=currentColor][stroke-width=1.4]");
    let forward =
        element("path[d=M2 7h8M7 3.5 10.5 7 7 10.5M12.5 3v8][fill=none][stroke=currentColor][stroke-width=1.4]");
    let speed = SPEEDS.iter().position(|speed| *speed == state.playback.speed);
    let speeds = SPEEDS.map(|speed| (format!("{speed}×"), Message::SpeedChosen(speed)));
    let decided = (created + deleted > 0)
        .then(|| element("span.decided#decided").text(&words::moment(created, deleted, voice.language)));
    let clock = element("span.clock")
        .with(element("b#now").text(&clock(second)))
        .with(element("span.second").text(" / ").text(&ends_at));
    element("div.controls")
        .with(button("button.play#play", word, Message::PlayToggled, path))
        .with(button("button.quiet#back", Word::StepBack, Message::StepBack, back))
        .with(button("button.quiet#forward", Word::StepForward, Message::StepForward, forward))
        .with(clock)
        .with(choice(voice.say(Word::Speed), speed, speeds.into(), voice))
        .maybe(decided)
}

fn knobs(state: &State, voice: &Voice) -> Element {
    let sheet = WORLD_KNOBS.iter().enumerate();
    let sheet =
        sheet.fold(element("div.sheet"), |sheet, (place, knob)| sheet.with(of_world(*knob, place, state, voice)));
    let group = element("div.knobs[role=group]").word("aria-label", Word::Settings, voice);
    let group =
        SETTINGS.iter().enumerate().fold(group, |group, (place, knob)| group.with(setting(*knob, place, state, voice)));
    group.with(element("details.more").with(element("summary").say(Word::More, voice)).with(sheet))
}

/// The knobs that are fields of the change.
const SETTINGS: [Knob; 3] = [Knob::MaxUnavailable, Knob::MaxSurge, Knob::MinReadySeconds];

fn setting(knob: Knob, place: usize, state: &State, voice: &Voice) -> Element {
    let Knobs { max_unavailable, max_surge, min_ready_seconds } = &state.knobs;
    let value = [max_unavailable, max_surge, min_ready_seconds].get(place).and_then(|turned| turned.as_deref());
    let written = state.rollout.as_ref().and_then(|rollout| rollout.summary.written.get(place));
    let wrong = state.knob_problems.get(place).and_then(|problem| problem.as_deref());
    let input = turn(knob, value.unwrap_or_default(), written.map_or("", String::as_str), wrong, state, voice);
    element("label.field").with(element("span").text(words::knob(knob, voice.language))).with(input)
}

/// A knob that edits the world, with its unit; what holds where the world says nothing is shown in its place.
fn of_world(knob: Knob, place: usize, state: &State, voice: &Voice) -> Element {
    let [value, default] = [&state.world, &state.holding].map(|all| all.get(place).map_or("", String::as_str));
    let unit = match knob {
        Knob::ImageSize => "MB",
        Knob::Registry => "MB/s",
        Knob::NeverReady => "‰",
        _ => "",
    };
    let name = words::knob(knob, voice.language);
    let input = if knob == Knob::Version {
        let chosen = if value.is_empty() { default } else { value };
        let chosen = KubernetesVersion::NAMES.iter().position(|name| *name == chosen);
        let choices = KubernetesVersion::NAMES.iter();
        let choices = choices.map(|name| ((*name).to_owned(), Message::KnobTurned(Knob::Version, Rc::from(*name))));
        choice(name, chosen, choices.collect(), voice)
    } else {
        turn(knob, value, default, None, state, voice)
    };
    element("label").with(element("span").text(name)).with(input).with(element("span.unit").text(unit))
}

/// The place to write a knob's value into.
fn turn(knob: Knob, value: &str, default: &str, wrong: Option<&str>, state: &State, voice: &Voice) -> Element {
    let draft = state.knob_draft.as_ref().filter(|(written, _)| *written == knob);
    let says = |message: fn(Knob, Rc<str>) -> Message| {
        let emit = voice.emit.clone();
        Callback::from(move |event: Event| {
            if let Some(input) = target::<HtmlInputElement>(&event) {
                emit.emit(message(knob, Rc::from(input.value())));
            }
        })
    };
    element("input[size=4][maxlength=8][autocomplete=off][spellcheck=false]")
        .value(draft.map_or(value, |(_, text)| text))
        .attr("placeholder", default)
        .attr("title", wrong.unwrap_or_else(|| voice.say(Word::AsWritten)))
        .attr_if("aria-invalid", wrong.map(|_| "true"))
        .on(Deed::Input, says(Message::KnobWritten))
        .on(Deed::Change, says(Message::KnobTurned))
}

/// The canvas with the stacked areas.
pub struct Picture {
    surface: Surface,
    /// The picture of a rollout at a width.
    columns: Option<(Rc<Rollout>, u32, Columns)>,
    hovered: Option<u32>,
    pressed: bool,
}

impl Picture {
    /// A picture that tells what happens to it.
    pub fn new(tell: Callback<Touch>) -> Self {
        Self { surface: Surface::new(tell), columns: None, hovered: None, pressed: false }
    }

    /// Takes in what happened: whether it looks different, and what the person wishes by it.
    pub fn update(&mut self, touch: Touch, state: &State) -> (bool, Option<Message>) {
        let (Some(rollout), Some(canvas)) = (&state.rollout, self.surface.canvas()) else { return (false, None) };
        let event = match touch {
            Touch::Event(event) => event,
            Touch::Resized | Touch::Zoom(_) => return (true, None),
        };
        let kind = event.type_();
        if kind == "keydown" {
            let message = match event.unchecked_ref::<KeyboardEvent>().key().as_str() {
                "ArrowLeft" | "ArrowDown" => Message::StepBack,
                "ArrowRight" | "ArrowUp" => Message::StepForward,
                "Home" => Message::JumpToStart,
                "End" => Message::JumpToEnd,
                _ => return (false, None),
            };
            event.prevent_default();
            return (false, Some(message));
        }
        let pointer: &PointerEvent = event.unchecked_ref();
        let at = Chart::second_at(place(pointer, &canvas).0, f64::from(canvas.client_width()), rollout.ends_at());
        match kind.as_str() {
            "pointerdown" => {
                self.pressed = true;
                canvas.set_pointer_capture(pointer.pointer_id()).ok();
                (false, Some(Message::ScrubbedTo(at)))
            }
            "pointermove" => {
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
                let whole = at as u32;
                self.hovered = Some(whole);
                (true, self.pressed.then_some(Message::ScrubbedTo(at)))
            }
            "pointerup" => {
                self.pressed = false;
                (false, None)
            }
            "pointerleave" => (self.hovered.take().is_some(), None),
            _ => (false, None),
        }
    }

    fn view(&self, rollout: &Rollout, state: &State, voice: &Voice) -> Element {
        let second = state.playback.second();
        let tip = self.hovered.map(|second| element("span.tip").text(&describe(rollout, second, voice)));
        let name = [voice.say(Word::Timeline), ". ", voice.say(Word::TimelineHelp)].concat();
        let canvas = element("canvas#timeline[tabindex=0][role=slider][aria-valuemin=0]")
            .known(&self.surface.node)
            .attr("aria-label", &name)
            .attr("aria-valuemax", &rollout.ends_at().to_string())
            .attr("aria-valuenow", &second.to_string())
            .attr("aria-valuetext", &describe(rollout, second, voice));
        element("div.picture").with(canvas).maybe(tip)
    }

    /// Draws the canvas as the state wants it.
    pub fn draw(&mut self, state: &State, palette: &Palette) {
        let (Some(rollout), Some(canvas)) = (&state.rollout, self.surface.canvas()) else { return };
        let width = Chart::inner_width(f64::from(canvas.client_width()));
        let drawn = self.columns.as_ref();
        if !drawn.is_some_and(|(of, of_width, _)| Rc::ptr_eq(of, rollout) && *of_width == width) {
            self.columns = Some((Rc::clone(rollout), width, columns(&rollout.timeline, width)));
        }
        let Some((_, _, columns)) = &self.columns else { return };
        Chart {
            rollout,
            columns,
            at: state.playback.at,
            hovered: self.hovered,
            language: state.language,
            colour_by: state.colour_by,
            palette,
        }
        .draw(&canvas);
    }
}

/// A second in words: when, what the counters say, what is decided.
fn describe(rollout: &Rollout, second: u32, voice: &Voice) -> String {
    let counters = rollout.counters(second);
    let (created, deleted) = rollout.decided(second);
    let mut text = format!(
        "{} · {} {} · {} {}",
        clock(second),
        voice.say(Word::LegendAvailable),
        counters.available,
        voice.say(Word::UpToDate),
        counters.up_to_date
    );
    if (created, deleted) != (0, 0) {
        text += " · ";
        text += &words::moment(created, deleted, voice.language);
    }
    if let Some(event) = rollout.happening(second) {
        text += " · ";
        text += &event.message;
    }
    text
}

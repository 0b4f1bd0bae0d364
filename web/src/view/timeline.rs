//! The pane at the bottom: playing, the knobs, the stacked picture.

use std::rc::Rc;

use rollcast_core::KubernetesVersion;
use wasm_bindgen::JsCast;
use web_sys::{EventTarget, HtmlInputElement, KeyboardEvent, PointerEvent};
use yew::{Callback, Html, InputEvent, html};

use super::canvas::{Surface, Touch, place};
use super::{Voice, choice};
use crate::chart::{Columns, clock, columns};
use crate::model::Rollout;
use crate::paint::{Chart, Palette};
use crate::state::{Knob, Knobs, Message, SPEEDS, State, WORLD_KNOBS};
use crate::words::{self, Word};

/// The whole pane.
pub fn pane(state: &State, picture: &Picture, voice: &Voice) -> Html {
    html! {
        <section class="timeline" aria-label={voice.say(Word::Timeline)}>
            <div class="controls">
                { controls(state, voice) }
                <span class="space"></span>
                { knobs(state, voice) }
            </div>
            { state.rollout.as_ref().map(|rollout| picture.view(rollout, state, voice)).unwrap_or_default() }
        </section>
    }
}

fn controls(state: &State, voice: &Voice) -> Html {
    let playing = state.playback.playing;
    let idle = state.rollout.is_none();
    let ends_at = state.rollout.as_ref().map(|rollout| rollout.ends_at()).unwrap_or_default();
    let second = state.playback.second();
    let decided = state.rollout.as_ref().map(|rollout| rollout.decided(second)).unwrap_or_default();
    let word = voice.say(if playing { Word::Pause } else { Word::Play });
    let speeds = SPEEDS.map(|speed| format!("{speed}×"));
    let speed = SPEEDS.iter().position(|speed| *speed == state.playback.speed);
    let choose_speed = |place: usize| Message::SpeedChosen(SPEEDS.get(place).copied().unwrap_or(1));
    let sign = if playing {
        html! { <path d="M3 2h2.6v10H3zM8.4 2H11v10H8.4z" fill="currentColor" /> }
    } else {
        html! { <path d="M4 1.8v10.4L12 7z" fill="currentColor" /> }
    };
    html! {
        <>
            <button class="play" id="play" aria-label={word} title={word} disabled={idle}
                onclick={voice.on(Message::PlayToggled)}>
                <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">{ sign }</svg>
            </button>
            <button class="quiet" id="back" aria-label={voice.say(Word::StepBack)} title={voice.say(Word::StepBack)}
                disabled={idle} onclick={voice.on(Message::StepBack)}>{ arrow("M12 7H4M7 3.5 3.5 7 7 10.5M1.5 3v8") }</button>
            <button class="quiet" id="forward" aria-label={voice.say(Word::StepForward)} title={voice.say(Word::StepForward)}
                disabled={idle} onclick={voice.on(Message::StepForward)}>{ arrow("M2 7h8M7 3.5 10.5 7 7 10.5M12.5 3v8") }</button>
            <span class="clock"><b id="now">{ clock(second) }</b><span class="second">{ format!(" / {}", clock(ends_at)) }</span></span>
            { choice(voice.say(Word::Speed), speed, &speeds, choose_speed, voice) }
            if decided != (0, 0) {
                <span class="decided" id="decided">{ words::moment(decided.0, decided.1, voice.language) }</span>
            }
        </>
    }
}

fn arrow(path: &'static str) -> Html {
    html! {
        <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
            <path d={path} fill="none" stroke="currentColor" stroke-width="1.4" />
        </svg>
    }
}

fn knobs(state: &State, voice: &Voice) -> Html {
    html! {
        <div class="knobs" role="group" aria-label={voice.say(Word::Settings)}>
            { for SETTINGS.iter().enumerate().map(|(place, knob)| setting(*knob, place, state, voice)) }
            <details class="more">
                <summary>{ voice.say(Word::More) }</summary>
                <div class="sheet">
                    { for WORLD_KNOBS.iter().enumerate().map(|(place, knob)| of_world(*knob, place, state, voice)) }
                </div>
            </details>
        </div>
    }
}

/// The knobs that are fields of the change.
const SETTINGS: [Knob; 3] = [Knob::MaxUnavailable, Knob::MaxSurge, Knob::MinReadySeconds];

fn setting(knob: Knob, place: usize, state: &State, voice: &Voice) -> Html {
    let Knobs { max_unavailable, max_surge, min_ready_seconds } = &state.knobs;
    let value = [max_unavailable, max_surge, min_ready_seconds].get(place).and_then(|turned| turned.as_deref());
    let written = state.rollout.as_ref().and_then(|rollout| rollout.summary.written.get(place));
    let wrong = state.knob_problems.get(place).and_then(|problem| problem.as_deref());
    html! {
        <label class="field">
            <span>{ words::knob(knob, voice.language) }</span>
            { turn(knob, value.unwrap_or_default(), written.map_or("", String::as_str), wrong, state, voice) }
        </label>
    }
}

/// A knob that edits the world, with its unit; what holds where the world says nothing is shown in its place.
fn of_world(knob: Knob, place: usize, state: &State, voice: &Voice) -> Html {
    let said = |all: &[String]| all.get(place).cloned().unwrap_or_default();
    let (value, default) = (said(&state.world), said(&state.holding));
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
        let choose = |place: usize| {
            Message::KnobTurned(Knob::Version, KubernetesVersion::NAMES.get(place).copied().unwrap_or_default().into())
        };
        choice(name, chosen, &KubernetesVersion::NAMES.map(str::to_owned), choose, voice)
    } else {
        turn(knob, &value, &default, None, state, voice)
    };
    html! {
        <label><span>{ name }</span>{ input }<span class="unit">{ unit }</span></label>
    }
}

/// The place to write a knob's value into.
fn turn(knob: Knob, value: &str, default: &str, wrong: Option<&str>, state: &State, voice: &Voice) -> Html {
    let draft = state.knob_draft.as_ref().filter(|(written, _)| *written == knob);
    let value = draft.map_or(value, |(_, text)| text).to_owned();
    let says = |message: fn(Knob, Rc<str>) -> Message| {
        let emit = voice.emit.clone();
        move |target: Option<EventTarget>| {
            if let Some(input) = target.and_then(|target| target.dyn_into::<HtmlInputElement>().ok()) {
                emit.emit(message(knob, Rc::from(input.value())));
            }
        }
    };
    let (write, turn) = (says(Message::KnobWritten), says(Message::KnobTurned));
    let oninput = Callback::from(move |event: InputEvent| write(event.target()));
    let onchange = Callback::from(move |event: yew::Event| turn(event.target()));
    let title = wrong.unwrap_or_else(|| voice.say(Word::AsWritten)).to_owned();
    html! {
        <input {value} placeholder={default.to_owned()} {oninput} {onchange} {title} size="4" maxlength="8"
            autocomplete="off" spellcheck="false" aria-invalid={wrong.is_some().then_some("true")} />
    }
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
        if let Some(key) = event.dyn_ref::<KeyboardEvent>() {
            let message = match key.key().as_str() {
                "ArrowLeft" | "ArrowDown" => Message::StepBack,
                "ArrowRight" | "ArrowUp" => Message::StepForward,
                "Home" => Message::JumpToStart,
                "End" => Message::JumpToEnd,
                _ => return (false, None),
            };
            key.prevent_default();
            return (false, Some(message));
        }
        let Some(pointer) = event.dyn_ref::<PointerEvent>() else { return (false, None) };
        let at = Chart::second_at(place(pointer, &canvas).0, f64::from(canvas.client_width()), rollout.ends_at());
        match event.type_().as_str() {
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
            _ => (self.hovered.take().is_some(), None),
        }
    }

    fn view(&self, rollout: &Rollout, state: &State, voice: &Voice) -> Html {
        let second = state.playback.second();
        let tip = self.hovered.map(|second| describe(rollout, second, voice));
        html! {
            <div class="picture">
                <canvas id="timeline" ref={self.surface.node.clone()} tabindex="0" role="slider"
                    aria-label={format!("{}. {}", voice.say(Word::Timeline), voice.say(Word::TimelineHelp))}
                    aria-valuemin="0" aria-valuemax={rollout.ends_at().to_string()} aria-valuenow={second.to_string()}
                    aria-valuetext={describe(rollout, second, voice)}></canvas>
                if let Some(tip) = tip {
                    <span class="tip">{ tip }</span>
                }
            </div>
        }
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

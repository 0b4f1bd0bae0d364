//! The pure step from one state to the next.

use std::rc::Rc;

use super::{
    Document, DocumentId, Dump, Effect, Fall, Jump, Knob, Knobs, Language, Message, Note, Pane, State, Theme, Work,
};
use crate::file::{compose, is_scenario};
use crate::knobs;
use crate::model::Fleet;
use crate::protocol::{Nothing, Phase, Request};
use crate::words::ZONE_LABEL;

/// A frame that took longer than this, in milliseconds, moves the playhead no further: the page was hidden.
const LONGEST_FRAME: f64 = 250.0;

/// Applies a message, in place, and says what must be done outside.
pub fn reduce(state: &mut State, message: Message) -> Vec<Effect> {
    match message {
        Message::Edited(id, text) => {
            if state.document(id).text == text {
                return Vec::new();
            }
            if id == DocumentId::World {
                state.whole &= is_scenario(&text);
            }
            state.document_mut(id).text = text;
            // Nothing moves while a person types.
            state.playback.playing = false;
            input_changed(state)
        }
        Message::KnobWritten(knob, text) => {
            state.knob_draft = Some((knob, text));
            Vec::new()
        }
        Message::KnobTurned(knob, text) => {
            state.knob_draft = None;
            turn(state, knob, text.trim())
        }
        Message::Opened(text) => {
            if !is_scenario(&text) {
                state.note = Some(Note::NoScenario);
                return Vec::new();
            }
            state.document_mut(DocumentId::World).text = text;
            (state.whole, state.opened, state.note) = (true, true, None);
            state.tab = DocumentId::World;
            state.playback.playing = false;
            input_changed(state)
        }
        Message::TakenApart(generation, texts) => {
            if generation != state.generation {
                return Vec::new();
            }
            state.documents = texts.map(|text| Document { text: Rc::from(text), problems: Rc::default() });
            (state.whole, state.dump, state.knobs) = (false, None, Knobs::default());
            input_changed(state)
        }
        Message::TooLarge(bytes) => {
            state.note = Some(Note::TooLarge(bytes));
            Vec::new()
        }
        Message::NoteDismissed => {
            state.note = None;
            Vec::new()
        }
        Message::SaveAsked => vec![Effect::Save(compose(&state.input()))],
        Message::DumpGiven(bytes, name) => {
            state.dumps_given = state.dumps_given.wrapping_add(1);
            state.dump = Some(Dump { number: state.dumps_given, bytes, name });
            state.playback.playing = false;
            input_changed(state)
        }
        Message::DumpRemoved => {
            state.dump = None;
            input_changed(state)
        }
        Message::TabChosen(tab) => {
            state.tab = tab;
            Vec::new()
        }
        Message::PaneChosen(pane) => {
            state.pane = pane;
            Vec::new()
        }
        Message::LanguageToggled => {
            let language = match state.language {
                Language::English => Language::Chinese,
                Language::Chinese => Language::English,
            };
            state.language = language;
            let mut effects = vec![Effect::Remember];
            if matches!(state.work, Work::Done | Work::Nothing(_)) {
                effects.push(Effect::Send(state.generation, Request::Translate(language)));
                effects.extend(inspect(state));
            } else {
                effects.extend(input_changed(state));
            }
            effects
        }
        Message::ThemeToggled => {
            state.theme = if state.is_dark() { Theme::Light } else { Theme::Dark };
            vec![Effect::Remember]
        }
        Message::SystemThemeSeen { dark } => {
            state.system_dark = dark;
            vec![Effect::Dress]
        }
        Message::GroupingChosen(key) => {
            state.group_by = key;
            Vec::new()
        }
        Message::ColouringChosen(colour_by) => {
            state.colour_by = colour_by;
            Vec::new()
        }
        Message::NodeChosen(node) => {
            state.selected = node;
            if node.is_none() {
                state.inspection = None;
            }
            inspect(state)
        }
        Message::Searched(text) => {
            state.search = text;
            let fleet = state.fleet.as_ref().filter(|_| !state.search.is_empty());
            match fleet.and_then(|fleet| fleet.find(&state.search)) {
                Some(node) if state.selected != Some(node) => {
                    state.selected = Some(node);
                    inspect(state)
                }
                _ => Vec::new(),
            }
        }
        Message::PlaceChosen(place) => {
            state.tab = place.document;
            state.pane = Pane::Editor;
            let number = state.jump.as_ref().map_or(0, |jump| jump.number).wrapping_add(1);
            state.jump = Some(Jump { number, place });
            Vec::new()
        }
        Message::PlayToggled => toggle(state),
        Message::SpeedChosen(speed) => {
            state.playback.speed = speed;
            Vec::new()
        }
        Message::Ticked(milliseconds) => tick(state, milliseconds),
        Message::ScrubbedTo(at) => move_to(state, at),
        Message::StepForward => {
            let second = state.playback.second();
            let next = state
                .rollout
                .as_ref()
                .map(|rollout| rollout.next_decision(second).unwrap_or_else(|| rollout.ends_at()));
            next.map_or_else(Vec::new, |at| move_to(state, f64::from(at)))
        }
        Message::StepBack => {
            let second = state.playback.second();
            let previous = state.rollout.as_ref().map(|rollout| rollout.previous_decision(second).unwrap_or_default());
            previous.map_or_else(Vec::new, |at| move_to(state, f64::from(at)))
        }
        Message::JumpToStart => move_to(state, 0.0),
        Message::JumpToEnd => end(state).map_or_else(Vec::new, |at| move_to(state, at)),
        Message::HelpToggled => {
            state.help = !state.help;
            Vec::new()
        }
        Message::NoticeDismissed => {
            if state.work != Work::Stopped {
                state.fall_seen = true;
            }
            Vec::new()
        }
        Message::WorkerReady => {
            state.work = Work::Running { phase: Phase::Reading, done: 0, total: 0 };
            vec![Effect::Send(state.generation, Request::Compute(Box::new(state.input())))]
        }
        Message::Progress(generation, phase, done, total) => {
            if generation == state.generation && matches!(state.work, Work::Running { .. }) {
                state.work = Work::Running { phase, done, total };
            }
            Vec::new()
        }
        Message::Reviewed(generation, reviewed) => {
            if generation == state.generation {
                for (document, problems) in state.documents.iter_mut().zip(reviewed.problems) {
                    document.problems = Rc::from(problems);
                }
                (state.knob_problems, state.world, state.holding) = (reviewed.knobs, reviewed.world, reviewed.holding);
                state.name = Rc::from(reviewed.name);
            }
            Vec::new()
        }
        Message::FleetArrived(generation, fleet) => {
            if generation == state.generation {
                fleet_arrived(state, fleet);
            }
            Vec::new()
        }
        Message::RolloutArrived(generation, rollout) => {
            if generation != state.generation {
                return Vec::new();
            }
            state.playback.at = state.playback.at.min(f64::from(rollout.ends_at()));
            state.rollout = Some(rollout);
            (state.outlook, state.copied) = (None, None);
            state.work = Work::Done;
            inspect(state)
        }
        Message::WordsArrived(generation, summary) => {
            if generation == state.generation
                && let Some(rollout) = &mut state.rollout
            {
                *rollout = Rc::new(rollout.with_summary(summary));
            }
            Vec::new()
        }
        Message::NothingToShow(generation, nothing) => {
            if generation == state.generation {
                // While a change is being written it is often refused: the last picture stays, and says so.
                if !matches!(nothing, Nothing::Refused | Nothing::Faulty) {
                    state.rollout = None;
                    state.fleet = None;
                    (state.inspection, state.outlook) = (None, None);
                    state.playback.at = 0.0;
                }
                state.playback.playing = false;
                state.work = Work::Nothing(nothing);
            }
            Vec::new()
        }
        Message::Inspected(generation, inspection) => {
            if generation == state.generation && state.selected == Some(inspection.node) {
                state.inspection = Some(inspection);
            }
            Vec::new()
        }
        Message::OutlookArrived(generation, outlook) => {
            if generation == state.generation && state.rollout.is_some() {
                state.outlook = Some(outlook);
            }
            Vec::new()
        }
        Message::OutlookStopped => vec![Effect::Send(state.generation, Request::Stop)],
        Message::WhyAsked => {
            state.pane = Pane::Inspector;
            (state.selected, state.inspection) = (None, None);
            Vec::new()
        }
        Message::CopyAsked(text) => vec![Effect::Copy(text)],
        Message::Copied(text) => {
            state.copied = Some(text);
            Vec::new()
        }
        Message::WorkerFell(text) => fell(state, text),
    }
}

/// The input is another one: what was computed is out of date.
fn input_changed(state: &mut State) -> Vec<Effect> {
    state.generation = state.generation.wrapping_add(1);
    match state.work {
        // The worker that fell is gone; the new input deserves a new one.
        Work::Stopped => {
            state.work = Work::Starting;
            state.fall = None;
            vec![Effect::RestartWorker]
        }
        // The worker computes whatever the state holds when it first speaks.
        Work::Starting => Vec::new(),
        _ => {
            state.work = Work::Running { phase: Phase::Reading, done: 0, total: 0 };
            vec![Effect::ComputeSoon]
        }
    }
}

fn turn(state: &mut State, knob: Knob, wish: &str) -> Vec<Effect> {
    let Knobs { max_unavailable, max_surge, min_ready_seconds } = &mut state.knobs;
    let setting = match knob {
        Knob::MaxUnavailable => max_unavailable,
        Knob::MaxSurge => max_surge,
        Knob::MinReadySeconds => min_ready_seconds,
        _ => {
            let Some(text) = knobs::turn(&state.document(DocumentId::World).text, knob, wish) else {
                return Vec::new();
            };
            // Until the worker has read it, the knob shows what was said.
            state.world = knobs::values(&text);
            return reduce(state, Message::Edited(DocumentId::World, Rc::from(text)));
        }
    };
    let stated = (!wish.is_empty()).then(|| wish.to_owned());
    if *setting == stated {
        return Vec::new();
    }
    *setting = stated;
    input_changed(state)
}

fn fleet_arrived(state: &mut State, fleet: Rc<Fleet>) {
    let known = |key: &str| fleet.labels.iter().any(|label| label.key == key);
    let gone = state.group_by.as_deref().is_some_and(|key| !known(key));
    let first_look = state.fleet.is_none() && state.group_by.is_none();
    if gone || first_look {
        state.group_by = known(ZONE_LABEL).then(|| Rc::from(ZONE_LABEL));
    }
    let unchanged = state.fleet.as_ref().is_some_and(|old| old.names == fleet.names);
    if !unchanged {
        // The same node keeps the attention when the cluster around it changes.
        let name = state
            .selected
            .zip(state.fleet.as_ref())
            .and_then(|(node, old)| old.names.get(usize::try_from(node).ok()?).cloned());
        state.selected = name.and_then(|name| {
            let found = fleet.names.iter().position(|other| *other == name)?;
            u32::try_from(found).ok()
        });
        (state.inspection, state.outlook) = (None, None);
        // A rollout of another cluster must not be drawn on this one.
        state.rollout = None;
    }
    state.fleet = Some(fleet);
}

fn end(state: &State) -> Option<f64> {
    state.rollout.as_ref().map(|rollout| f64::from(rollout.ends_at()))
}

fn toggle(state: &mut State) -> Vec<Effect> {
    let Some(end) = end(state) else { return Vec::new() };
    state.playback.playing = !state.playback.playing;
    if !state.playback.playing {
        return inspect(state);
    }
    if state.playback.at >= end {
        state.playback.at = 0.0;
    }
    vec![Effect::Animate]
}

fn tick(state: &mut State, milliseconds: f64) -> Vec<Effect> {
    let Some(end) = end(state).filter(|_| state.playback.playing) else {
        state.playback.playing = false;
        return Vec::new();
    };
    let before = state.playback.second();
    let passed = if milliseconds > LONGEST_FRAME { 0.0 } else { milliseconds.max(0.0) };
    state.playback.at += passed / 1000.0 * f64::from(state.playback.speed);
    if state.playback.at >= end {
        state.playback.at = end;
        state.playback.playing = false;
        return inspect(state);
    }
    let mut effects = vec![Effect::Animate];
    if state.playback.second() != before {
        effects.extend(inspect(state));
    }
    effects
}

fn move_to(state: &mut State, at: f64) -> Vec<Effect> {
    let Some(end) = end(state) else { return Vec::new() };
    state.playback.playing = false;
    state.playback.at = if at.is_finite() { at.max(0.0).min(end) } else { 0.0 };
    inspect(state)
}

/// Asks about the selected node, where there is one and something to ask about.
fn inspect(state: &State) -> Vec<Effect> {
    match (state.selected, &state.rollout, &state.work) {
        (Some(node), Some(_), Work::Done) => {
            vec![Effect::Send(state.generation, Request::Inspect { node, at: state.playback.second() })]
        }
        _ => Vec::new(),
    }
}

fn fell(state: &mut State, text: Rc<str>) -> Vec<Effect> {
    let again = state.fall.as_ref().is_some_and(|fall| fall.generation == state.generation);
    state.fall = Some(Fall { generation: state.generation, text });
    state.fall_seen = false;
    state.playback.playing = false;
    if again {
        state.work = Work::Stopped;
        Vec::new()
    } else {
        state.work = Work::Starting;
        vec![Effect::RestartWorker]
    }
}

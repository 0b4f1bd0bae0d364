//! The pure step from one state to the next.

use std::rc::Rc;

use super::{
    Document, DocumentId, Dump, Effect, Fall, Jump, Knob, Knobs, Language, Message, Note, Pane, State, Theme, Work,
};
use crate::file::{compose, is_scenario};
use crate::knobs;
use crate::model::{Fleet, Reviewed, Rollout};
use crate::protocol::{Message as Envelope, NO_REPLY, Nothing, Phase, Reply, Request};
use crate::words::ZONE_LABEL;

/// A frame that took longer than this, in milliseconds, moves the playhead no further: the page was hidden.
const LONGEST_FRAME: f64 = 250.0;

/// Applies a message, in place, and says what must be done outside.
pub fn reduce(state: &mut State, message: Message) -> Vec<Effect> {
    let mut effects = Vec::new();
    apply(state, message, &mut effects);
    effects
}

/// Applies what the worker says, in place, and says what must be done outside. An answer to an older input is dropped.
/// The body is what the reply announces in bulk, or empty.
pub fn receive(state: &mut State, answer: Envelope<Box<Reply>>, body: &[u8]) -> Vec<Effect> {
    let mut effects = Vec::new();
    answered(state, answer, body, &mut effects);
    effects
}

fn apply(state: &mut State, message: Message, effects: &mut Vec<Effect>) {
    match message {
        Message::Edited(id, text) => edit(state, id, text, effects),
        Message::KnobWritten(knob, text) => state.knob_draft = Some((knob, text)),
        Message::KnobTurned(knob, text) => {
            state.knob_draft = None;
            turn(state, knob, text.trim(), effects);
        }
        Message::Opened(text) => {
            if !is_scenario(&text) {
                state.note = Some(Note::NoScenario);
                return;
            }
            state.document_mut(DocumentId::World).text = text;
            (state.whole, state.opened, state.note) = (true, true, None);
            state.tab = DocumentId::World;
            state.playback.playing = false;
            input_changed(state, effects);
        }
        Message::TooLarge(bytes) => state.note = Some(Note::TooLarge(bytes)),
        Message::NoteDismissed => state.note = None,
        Message::SaveAsked => effects.push(Effect::Save(compose(&state.input()))),
        Message::DumpGiven(bytes, name) => {
            state.dumps_given = state.dumps_given.wrapping_add(1);
            state.dump = Some(Dump { number: state.dumps_given, bytes, name: name.to_string() });
            state.playback.playing = false;
            input_changed(state, effects);
        }
        Message::DumpRemoved => {
            state.dump = None;
            input_changed(state, effects);
        }
        Message::TabChosen(tab) => state.tab = tab,
        Message::PaneChosen(pane) => state.pane = pane,
        Message::LanguageToggled => {
            let language = match state.language {
                Language::English => Language::Chinese,
                Language::Chinese => Language::English,
            };
            state.language = language;
            effects.push(Effect::Remember);
            if matches!(state.work, Work::Done | Work::Nothing(_)) {
                effects.push(Effect::Send(state.generation, Request::Translate(language)));
                inspect(state, effects);
            } else {
                input_changed(state, effects);
            }
        }
        Message::ThemeToggled => {
            state.theme = if state.is_dark() { Theme::Light } else { Theme::Dark };
            effects.push(Effect::Remember);
        }
        Message::SystemThemeSeen { dark } => {
            state.system_dark = dark;
            effects.push(Effect::Dress);
        }
        Message::GroupingChosen(key) => state.group_by = key,
        Message::ColouringChosen(colour_by) => state.colour_by = colour_by,
        Message::NodeChosen(node) => {
            state.selected = node;
            if node.is_none() {
                state.inspection = None;
            }
            inspect(state, effects);
        }
        Message::Searched(text) => {
            state.search = text;
            let fleet = state.fleet.as_ref().filter(|_| !state.search.is_empty());
            let found = fleet.and_then(|fleet| fleet.find(&state.search));
            if found.is_some() && state.selected != found {
                state.selected = found;
                inspect(state, effects);
            }
        }
        Message::PlaceChosen(place) => {
            state.tab = place.document;
            state.pane = Pane::Editor;
            let number = state.jump.as_ref().map_or(0, |jump| jump.number).wrapping_add(1);
            state.jump = Some(Jump { number, place });
        }
        Message::PlayToggled => toggle(state, effects),
        Message::SpeedChosen(speed) => state.playback.speed = speed,
        Message::Ticked(milliseconds) => tick(state, milliseconds, effects),
        Message::ScrubbedTo(at) => move_to(state, at, effects),
        Message::StepForward => {
            if let Some(rollout) = &state.rollout {
                let next = rollout.next_decision(state.playback.second()).unwrap_or_else(|| rollout.ends_at());
                move_to(state, f64::from(next), effects);
            }
        }
        Message::StepBack => {
            if let Some(rollout) = &state.rollout {
                let previous = rollout.previous_decision(state.playback.second()).unwrap_or_default();
                move_to(state, f64::from(previous), effects);
            }
        }
        Message::JumpToStart => move_to(state, 0.0, effects),
        Message::JumpToEnd => {
            if let Some(end) = end(state) {
                move_to(state, end, effects);
            }
        }
        Message::HelpToggled => state.help = !state.help,
        Message::NoticeDismissed => state.fall_seen |= state.work != Work::Stopped,
        Message::OutlookStopped => effects.push(Effect::Send(state.generation, Request::Stop)),
        Message::WhyAsked => {
            state.pane = Pane::Inspector;
            (state.selected, state.inspection) = (None, None);
        }
        Message::CopyAsked(text) => effects.push(Effect::Copy(text)),
        Message::Copied(text) => state.copied = Some(text),
        Message::WorkerFell(text) => fell(state, text, effects),
    }
}

fn answered(state: &mut State, answer: Envelope<Box<Reply>>, body: &[u8], effects: &mut Vec<Effect>) {
    match *answer.head {
        Reply::Ready => {
            state.work = Work::Running { phase: Phase::Reading, done: 0, total: 0 };
            effects.push(Effect::Send(state.generation, Request::Compute(Box::new(state.input()))));
        }
        Reply::Panicked(text) => fell(state, Rc::from(text), effects),
        _ if answer.generation != state.generation => {}
        Reply::Progress { phase, done, total } => {
            if matches!(state.work, Work::Running { .. }) {
                state.work = Work::Running { phase, done, total };
            }
        }
        Reply::Reviewed(Reviewed { problems, knobs, name, world, holding }) => {
            for (document, problems) in state.documents.iter_mut().zip(problems) {
                document.problems = Rc::new(problems);
            }
            (state.knob_problems, state.world, state.holding) = (knobs, world, holding);
            state.name = Rc::from(name);
        }
        Reply::TakenApart(texts) => {
            for (document, text) in state.documents.iter_mut().zip(texts) {
                *document = Document { text: Rc::from(text), problems: Rc::default() };
            }
            (state.whole, state.dump, state.knobs) = (false, None, Knobs::default());
            input_changed(state, effects);
        }
        Reply::Fleet(fleet) => fleet_arrived(state, fleet),
        Reply::Rollout(summary) => {
            let Some(rollout) = Rollout::from_bytes(body, summary) else {
                return fell(state, Rc::from(NO_REPLY), effects);
            };
            state.playback.at = state.playback.at.min(f64::from(rollout.ends_at()));
            state.rollout = Some(Rc::new(rollout));
            (state.outlook, state.copied) = (None, None);
            state.work = Work::Done;
            inspect(state, effects);
        }
        Reply::Words(summary) => {
            if let Some(rollout) = &mut state.rollout {
                *rollout = Rc::new(rollout.with_summary(summary));
            }
        }
        Reply::Nothing(nothing) => {
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
        Reply::Inspection(inspection) => {
            if state.selected == Some(inspection.node) {
                state.inspection = Some(inspection);
            }
        }
        Reply::Outlook(outlook) => {
            if state.rollout.is_some() {
                state.outlook = Some(outlook);
            }
        }
    }
}

fn edit(state: &mut State, id: DocumentId, text: Rc<str>, effects: &mut Vec<Effect>) {
    if state.document(id).text == text {
        return;
    }
    if id == DocumentId::World {
        state.whole &= is_scenario(&text);
    }
    state.document_mut(id).text = text;
    // Nothing moves while a person types.
    state.playback.playing = false;
    input_changed(state, effects);
}

/// The input is another one: what was computed is out of date.
fn input_changed(state: &mut State, effects: &mut Vec<Effect>) {
    state.generation = state.generation.wrapping_add(1);
    match state.work {
        // The worker that fell is gone; the new input deserves a new one.
        Work::Stopped => {
            state.work = Work::Starting;
            state.fall = None;
            effects.push(Effect::RestartWorker);
        }
        // The worker computes whatever the state holds when it first speaks.
        Work::Starting => {}
        _ => {
            state.work = Work::Running { phase: Phase::Reading, done: 0, total: 0 };
            effects.push(Effect::ComputeSoon);
        }
    }
}

fn turn(state: &mut State, knob: Knob, wish: &str, effects: &mut Vec<Effect>) {
    let Knobs { max_unavailable, max_surge, min_ready_seconds } = &mut state.knobs;
    let setting = match knob {
        Knob::MaxUnavailable => max_unavailable,
        Knob::MaxSurge => max_surge,
        Knob::MinReadySeconds => min_ready_seconds,
        _ => {
            if let Some(text) = knobs::turn(&state.document(DocumentId::World).text, knob, wish) {
                // Until the worker has read it, the knob shows what was said.
                state.world = knobs::values(&text);
                edit(state, DocumentId::World, Rc::from(text), effects);
            }
            return;
        }
    };
    let stated = (!wish.is_empty()).then(|| wish.to_owned());
    if *setting != stated {
        *setting = stated;
        input_changed(state, effects);
    }
}

fn fleet_arrived(state: &mut State, fleet: Fleet) {
    let known = |key: &str| fleet.labels.iter().any(|label| label.key == key);
    let gone = state.group_by.as_deref().is_some_and(|key| !known(key));
    let first_look = state.fleet.is_none() && state.group_by.is_none();
    if gone || first_look {
        state.group_by = known(ZONE_LABEL).then(|| Rc::from(ZONE_LABEL));
    }
    let unchanged = state.fleet.as_ref().is_some_and(|old| old.names == fleet.names);
    if !unchanged {
        // The same node keeps the attention when the cluster around it changes.
        let chosen = state.selected.zip(state.fleet.as_ref());
        let name = chosen.and_then(|(node, old)| old.names.get(usize::try_from(node).ok()?));
        state.selected = name.and_then(|name| {
            let found = fleet.names.iter().position(|other| other == name)?;
            u32::try_from(found).ok()
        });
        (state.inspection, state.outlook) = (None, None);
        // A rollout of another cluster must not be drawn on this one.
        state.rollout = None;
    }
    state.fleet = Some(Rc::new(fleet));
}

fn end(state: &State) -> Option<f64> {
    state.rollout.as_ref().map(|rollout| f64::from(rollout.ends_at()))
}

fn toggle(state: &mut State, effects: &mut Vec<Effect>) {
    let Some(end) = end(state) else { return };
    state.playback.playing = !state.playback.playing;
    if !state.playback.playing {
        return inspect(state, effects);
    }
    if state.playback.at >= end {
        state.playback.at = 0.0;
    }
    effects.push(Effect::Animate);
}

fn tick(state: &mut State, milliseconds: f64, effects: &mut Vec<Effect>) {
    let Some(end) = end(state).filter(|_| state.playback.playing) else {
        state.playback.playing = false;
        return;
    };
    let before = state.playback.second();
    let passed = if milliseconds > LONGEST_FRAME { 0.0 } else { milliseconds.max(0.0) };
    state.playback.at += passed / 1000.0 * f64::from(state.playback.speed);
    if state.playback.at >= end {
        state.playback.at = end;
        state.playback.playing = false;
        return inspect(state, effects);
    }
    effects.push(Effect::Animate);
    if state.playback.second() != before {
        inspect(state, effects);
    }
}

fn move_to(state: &mut State, at: f64, effects: &mut Vec<Effect>) {
    let Some(end) = end(state) else { return };
    state.playback.playing = false;
    state.playback.at = if at.is_finite() { at.max(0.0).min(end) } else { 0.0 };
    inspect(state, effects);
}

/// Asks about the selected node, where there is one and something to ask about.
fn inspect(state: &State, effects: &mut Vec<Effect>) {
    if let (Some(node), Some(_), Work::Done) = (state.selected, &state.rollout, &state.work) {
        effects.push(Effect::Send(state.generation, Request::Inspect { node, at: state.playback.second() }));
    }
}

fn fell(state: &mut State, text: Rc<str>, effects: &mut Vec<Effect>) {
    let again = state.fall.as_ref().is_some_and(|fall| fall.generation == state.generation);
    state.fall = Some(Fall { generation: state.generation, text });
    state.fall_seen = false;
    state.playback.playing = false;
    if again {
        state.work = Work::Stopped;
    } else {
        state.work = Work::Starting;
        effects.push(Effect::RestartWorker);
    }
}

//! The pane in the middle: what to see, the counters, the map, the legend.

use std::rc::Rc;

use rollcast_core::sim::{Counters, Tile};
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement, KeyboardEvent, PointerEvent, WheelEvent};
use yew::Callback;

use super::canvas::{Surface, Touch, place};
use super::element::{Deed, Element, element, target};
use super::{Voice, choice, sign};
use crate::layout::{Direction, Layout, View, corner, hit, lay_out, neighbour};
use crate::model::{Fleet, Rollout, budget};
use crate::paint::{Map as Painter, Palette, Scene};
use crate::protocol::{Nothing, Phase};
use crate::state::{ColourBy, Language, Message, State, Work};
use crate::words::{self, Word};

/// A pointer that moved less than this, in pixels, has clicked and not dragged.
const CLICK: f64 = 4.0;

/// The whole pane.
pub fn pane(state: &State, map: &NodeMap, voice: &Voice) -> Element {
    let counters = state.rollout.as_ref().map(|rollout| rollout.counters(state.playback.second()));
    let picture = match (&state.fleet, &counters) {
        (Some(fleet), Some(counters)) => map.view(fleet, counters, state.selected, voice),
        _ => element("div.stage").maybe(nothing(state, voice)),
    };
    element("section.pane.map")
        .word("aria-label", Word::Map, voice)
        .with(tools(state, voice))
        .with(counted(counters.as_ref(), voice))
        .with(picture.maybe(banner(state, voice)))
        .with(legend(state, voice))
}

/// What is seen is from before.
fn banner(state: &State, voice: &Voice) -> Option<Element> {
    let word = match state.work {
        Work::Nothing(Nothing::Refused) => Word::RefusedBefore,
        Work::Nothing(Nothing::Faulty) => Word::FaultyBefore,
        _ => return None,
    };
    state.rollout.is_some().then(|| element("p.banner[role=status]").say(word, voice))
}

/// Why there is no map.
fn nothing(state: &State, voice: &Voice) -> Option<Element> {
    let Work::Nothing(nothing) = &state.work else { return None };
    let (title, help) = match nothing {
        Nothing::NoDaemonSet => (Word::NoDaemonSet, Word::NoDaemonSetHelp),
        Nothing::Refused => (Word::Refused, Word::RefusedHelp),
        Nothing::Faulty => (Word::Faulty, Word::RefusedHelp),
        Nothing::NoNodes => (Word::NoNodes, Word::NoNodesHelp),
        Nothing::TooBig { .. } => (Word::TooBig, Word::TooBigHelp),
    };
    let text = element("p.second");
    let text = match nothing {
        Nothing::TooBig { nodes, limit } => text.text(&words::too_big(*nodes, *limit, voice.language)).text(" "),
        _ => text,
    };
    Some(element("div.nothing").with(element("p").say(title, voice)).with(text.say(help, voice)))
}

fn progress(state: &State, voice: &Voice) -> Option<Element> {
    let (word, share) = match &state.work {
        Work::Starting => (Word::Loading, None),
        Work::Running { phase, done, total } => {
            let word = match phase {
                Phase::Reading => Word::Reading,
                Phase::Placing => Word::Placing,
                Phase::Playing => Word::Playing,
            };
            (word, done.saturating_mul(100).checked_div(*total))
        }
        Work::Done | Work::Nothing(_) | Work::Stopped => return None,
    };
    let share = share.map(|share| share.to_string());
    let bar = element("progress[max=100]").attr_if("value", share.as_deref()).word("aria-label", word, voice);
    Some(element("div.progress[role=status]").with(element("span").say(word, voice)).with(bar))
}

fn tools(state: &State, voice: &Voice) -> Element {
    let labels = state.fleet.as_ref().map(|fleet| fleet.labels.as_slice()).unwrap_or_default();
    // The first choice is none.
    let mut groupings = vec![(voice.say(Word::NoGrouping).to_owned(), Message::GroupingChosen(None))];
    let key = |key: &str| (short(key).to_owned(), Message::GroupingChosen(Some(Rc::from(key))));
    groupings.extend(labels.iter().map(|label| key(&label.key)));
    let grouped = match &state.group_by {
        Some(key) => labels.iter().position(|label| *label.key == **key).map(|place| place + 1),
        None => Some(0),
    };
    let colours = [(Word::ColourRevision, ColourBy::Revision), (Word::ColourState, ColourBy::State)];
    let coloured = colours.iter().position(|(_, colour)| *colour == state.colour_by);
    let colours = colours.map(|(word, colour)| (voice.say(word).to_owned(), Message::ColouringChosen(colour)));
    let chooser = |word: Word, chosen, choices| {
        element("label").say(word, voice).with(choice(voice.say(word), chosen, choices, voice))
    };
    let emit = voice.emit.clone();
    let search = move |event: Event| {
        if let Some(input) = target::<HtmlInputElement>(&event) {
            emit.emit(Message::Searched(Rc::from(input.value().trim())));
        }
    };
    let find = element("input#find[type=search][autocomplete=off][spellcheck=false]")
        .word("placeholder", Word::FindNode, voice)
        .word("aria-label", Word::FindNode, voice)
        .on(Deed::Input, Callback::from(search));
    element("div.tools")
        .with(chooser(Word::GroupBy, grouped, groupings))
        .with(chooser(Word::ColourBy, coloured, colours.into()))
        .with(element("span.space"))
        .maybe(progress(state, voice))
        .with(find)
}

/// The part of a label key that tells it from others.
fn short(key: &str) -> &str {
    key.rsplit_once('/').map_or(key, |(_, name)| name)
}

/// What `kubectl get daemonset` prints, and the budget beside it.
fn counted(counters: Option<&Counters>, voice: &Voice) -> Element {
    let number = |number: Option<u32>| number.map_or_else(|| "–".to_owned(), |number| number.to_string());
    let all = counters.map(|all| [all.desired, all.current, all.ready, all.up_to_date, all.available]);
    let share = counters.and_then(|all| (u64::from(all.up_to_date) * 100).checked_div(all.desired.into()));
    let share = share.map(|share| format!("{share} %")).unwrap_or_default();
    let names = ["DESIRED", "CURRENT", "READY", "UP-TO-DATE", "AVAILABLE"];
    let list = names.into_iter().enumerate().fold(element("dl.counters"), |list, (place, name)| {
        let note = (name == "UP-TO-DATE").then_some(share.as_str());
        list.with(counter(name, &number(all.and_then(|all| all.get(place).copied())), note))
    });
    let budget = counters.map(|all| {
        let (used, limit) = budget(all);
        counter(voice.say(Word::Budget), &used.to_string(), Some(&words::budget_used(limit, voice.language)))
    });
    list.maybe(budget)
}

fn counter(name: &str, number: &str, note: Option<&str>) -> Element {
    let mut value = element("dd").text(number);
    if let Some(note) = note {
        value = value.text(" ").with(element("small").text(note));
    }
    element("div").with(element("dt").text(name)).with(value)
}

/// The swatches of the legend and what they stand for.
const BY_REVISION: &[(&str, Word)] = &[
    ("i.swatch.new[aria-hidden=true]", Word::LegendNewAvailable),
    ("i.swatch.starting[aria-hidden=true]", Word::LegendNewStarting),
    ("i.swatch.old[aria-hidden=true]", Word::LegendOld),
    ("i.swatch.terminating[aria-hidden=true]", Word::LegendTerminating),
    ("i.swatch.unavailable[aria-hidden=true]", Word::LegendUnavailable),
    ("i.swatch.missing[aria-hidden=true]", Word::LegendMissing),
    ("i.swatch.not-eligible[aria-hidden=true]", Word::LegendNotEligible),
];
const BY_STATE: &[(&str, Word)] = &[
    ("i.swatch.available[aria-hidden=true]", Word::LegendAvailable),
    ("i.swatch.starting[aria-hidden=true]", Word::LegendNewStarting),
    ("i.swatch.terminating[aria-hidden=true]", Word::LegendTerminating),
    ("i.swatch.unavailable[aria-hidden=true]", Word::LegendUnavailable),
    ("i.swatch.missing[aria-hidden=true]", Word::LegendMissing),
    ("i.swatch.not-eligible[aria-hidden=true]", Word::LegendNotEligible),
];

fn legend(state: &State, voice: &Voice) -> Element {
    let entries = match state.colour_by {
        ColourBy::Revision => BY_REVISION,
        ColourBy::State => BY_STATE,
    };
    let list = element("ul.legend").word("aria-label", Word::Legend, voice);
    entries.iter().fold(list, |list, (swatch, word)| list.with(element("li").with(element(swatch)).say(*word, voice)))
}

/// The words for what a node shows.
fn tile_words(tile: Tile) -> Word {
    match tile {
        Tile::NotEligible => Word::LegendNotEligible,
        Tile::Missing | Tile::Gone => Word::LegendMissing,
        Tile::Pending => Word::LegendPending,
        Tile::OldAvailable => Word::LegendOld,
        Tile::OldUnavailable => Word::LegendUnavailable,
        Tile::Terminating => Word::LegendTerminating,
        Tile::NewStarting => Word::LegendNewStarting,
        Tile::NewReady => Word::LegendNewReady,
        Tile::NewAvailable => Word::LegendNewAvailable,
        Tile::Surging => Word::LegendSurging,
        Tile::Failed => Word::LegendFailed,
        Tile::Misscheduled => Word::LegendMisscheduled,
    }
}

/// The canvas with the tiles.
pub struct NodeMap {
    surface: Surface,
    painter: Painter,
    groups: Vec<(String, Vec<u32>)>,
    /// What the groups were gathered from.
    groups_of: Option<(Rc<Fleet>, Option<Rc<str>>)>,
    layout: Layout,
    size: (f64, f64),
    view: View,
    /// Tiles of the moment that is shown.
    tiles: Vec<u8>,
    tiles_of: Option<(Rc<Rollout>, u32)>,
    hovered: Option<(usize, u32)>,
    /// Where a press began and where it last was.
    pressed: Option<((f64, f64), (f64, f64))>,
    /// What the canvas shows, apart from groups and tiles.
    drawn: Option<Drawn>,
}

/// What a drawing follows from, apart from groups and tiles.
#[derive(Clone, PartialEq)]
struct Drawn {
    size: (f64, f64),
    view: View,
    hovered: Option<(usize, u32)>,
    selected: Option<u32>,
    colour_by: ColourBy,
    language: Language,
    dark: bool,
}

impl NodeMap {
    /// A map that tells what happens to it.
    pub fn new(tell: Callback<Touch>) -> Self {
        Self {
            surface: Surface::new(tell),
            painter: Painter::default(),
            groups: Vec::new(),
            groups_of: None,
            layout: Layout::default(),
            size: (0.0, 0.0),
            view: View::default(),
            tiles: Vec::new(),
            tiles_of: None,
            hovered: None,
            pressed: None,
            drawn: None,
        }
    }

    /// Takes in what happened: whether it looks different, and what the person wishes by it.
    pub fn update(&mut self, touch: Touch, state: &State) -> (bool, Option<Message>) {
        let Some(canvas) = self.surface.canvas() else { return (false, None) };
        let event = match touch {
            Touch::Event(event) => event,
            Touch::Resized => {
                self.drawn = None;
                return (true, None);
            }
            Touch::Zoom(factor) => {
                let (width, height) = self.size;
                self.zoom(factor, width / 2.0, height / 2.0);
                return (true, None);
            }
        };
        let kind = event.type_();
        if kind == "keydown" {
            return self.key(event.unchecked_ref(), state);
        }
        let at = place(event.unchecked_ref(), &canvas);
        match kind.as_str() {
            "pointerdown" => {
                self.pressed = Some((at, at));
                canvas.set_pointer_capture(event.unchecked_ref::<PointerEvent>().pointer_id()).ok();
                (false, None)
            }
            "pointermove" => (self.point(at), None),
            "pointerup" => {
                let clicked = self.pressed.take().is_some_and(|(from, _)| (from.0 - at.0).hypot(from.1 - at.1) < CLICK);
                let node = hit(&self.layout, self.view, at.0, at.1).and_then(|at| self.node(at));
                (false, clicked.then_some(Message::NodeChosen(node)))
            }
            "wheel" => (self.wheel(event.unchecked_ref(), at), None),
            _ => (self.hovered.take().is_some(), None),
        }
    }

    fn view(&self, fleet: &Fleet, counters: &Counters, selected: Option<u32>, voice: &Voice) -> Element {
        let summary = words::map_summary(
            fleet.names.len(),
            counters.desired,
            counters.up_to_date,
            counters.available,
            voice.language,
        );
        let describe = |node| self.describe(node, fleet, voice);
        let tip = self.hovered.and_then(|at| self.node(at)).map(|node| element("span.tip").text(&describe(node)));
        let chosen = selected.map(describe).unwrap_or_default();
        let zoom =
            |word, text, factor| sign("button", word, voice).on(Deed::Click, self.surface.on_zoom(factor)).text(text);
        let canvas = element("canvas#map[tabindex=0][role=application]")
            .known(&self.surface.node)
            .attr("aria-label", &[&summary, ". ", voice.say(Word::MapHelp)].concat());
        let corner = element("div.corner")
            .maybe(tip)
            .with(zoom(Word::ZoomOut, "−", 0.5).flag("disabled", self.view.zoom <= 1.0))
            .with(zoom(Word::ZoomIn, "+", 2.0));
        element("div.stage").with(canvas).with(element("p.unseen[role=status]").text(&chosen)).with(corner)
    }

    /// Draws the canvas as the state wants it.
    pub fn draw(&mut self, state: &State, palette: &Rc<Palette>) {
        let (Some(fleet), Some(rollout), Some(canvas)) = (&state.fleet, &state.rollout, self.surface.canvas()) else {
            // The next canvas is another one.
            self.drawn = None;
            return;
        };
        self.gather(fleet, state.group_by.as_ref());
        let size = (f64::from(canvas.client_width()), f64::from(canvas.client_height()));
        if size.0 <= 0.0 || size.1 <= 0.0 {
            return;
        }
        if size != self.size {
            self.size = size;
            let counts: Vec<u32> =
                self.groups.iter().map(|(_, members)| u32::try_from(members.len()).unwrap_or(u32::MAX)).collect();
            // Room for the outline of a chosen tile at the edges.
            self.layout = lay_out(&counts, size.0 - 4.0, size.1 - 4.0);
        }
        self.view = self.view.kept(&self.layout, size.0, size.1);
        let moment = rollout.moment(state.playback.second());
        let shown = self.tiles_of.as_ref();
        if !shown.is_some_and(|(of, of_moment)| Rc::ptr_eq(of, rollout) && *of_moment == moment) {
            self.tiles.clear();
            self.tiles.extend(rollout.timeline.state_at(moment).tiles().map(Tile::number));
            self.tiles_of = Some((Rc::clone(rollout), moment));
            self.drawn = None;
        }
        let drawn = Drawn {
            size,
            view: self.view,
            hovered: self.hovered,
            selected: state.selected,
            colour_by: state.colour_by,
            language: state.language,
            dark: state.is_dark(),
        };
        if self.drawn.as_ref() == Some(&drawn) {
            return;
        }
        let titles = self.titles(state.language);
        let scene = Scene {
            layout: &self.layout,
            view: self.view,
            groups: &self.groups,
            titles: &titles,
            tiles: &self.tiles,
            initials: fleet.initials.as_bytes(),
            colour_by: state.colour_by,
            chosen: state.selected.and_then(|node| self.find(node)),
            hovered: self.hovered,
            palette,
        };
        self.painter.draw(&canvas, &scene);
        self.drawn = Some(drawn);
    }

    /// Gathers the groups again when they are others.
    fn gather(&mut self, fleet: &Rc<Fleet>, key: Option<&Rc<str>>) {
        let gathered = self.groups_of.as_ref();
        if gathered.is_some_and(|(of, of_key)| Rc::ptr_eq(of, fleet) && of_key.as_ref() == key) {
            return;
        }
        self.groups = fleet.groups(key.map(|key| &**key));
        self.groups_of = Some((Rc::clone(fleet), key.cloned()));
        self.hovered = None;
        self.size = (0.0, 0.0);
        self.drawn = None;
    }
}

impl NodeMap {
    fn node(&self, (group, at): (usize, u32)) -> Option<u32> {
        self.groups.get(group)?.1.get(usize::try_from(at).ok()?).copied()
    }

    fn find(&self, node: u32) -> Option<(usize, u32)> {
        self.groups.iter().enumerate().find_map(|(group, (_, members))| {
            let at = members.binary_search(&node).ok()?;
            Some((group, u32::try_from(at).ok()?))
        })
    }

    fn describe(&self, node: u32, fleet: &Fleet, voice: &Voice) -> String {
        let index = usize::try_from(node).unwrap_or(usize::MAX);
        let name = fleet.names.get(index).map_or("", String::as_str);
        let tile = self.tiles.get(index).map_or(Tile::Gone, |number| Tile::from_number(*number));
        format!("{name} · {}", voice.say(tile_words(tile)))
    }

    /// The pointer is here: the map moves with it when it is pressed and zoomed in.
    fn point(&mut self, at: (f64, f64)) -> bool {
        if let Some((_, last)) = &mut self.pressed {
            let by = (last.0 - at.0, last.1 - at.1);
            *last = at;
            if self.view.zoom > 1.0 {
                self.view = self.view.moved(by.0, by.1);
                self.hovered = None;
                return true;
            }
        }
        let hovered = hit(&self.layout, self.view, at.0, at.1);
        std::mem::replace(&mut self.hovered, hovered) != hovered
    }

    fn zoom(&mut self, factor: f64, x: f64, y: f64) {
        self.view = self.view.zoomed(factor, x, y);
        self.hovered = None;
    }

    fn wheel(&mut self, event: &WheelEvent, (x, y): (f64, f64)) -> bool {
        // A plain wheel scrolls the page's panes; together with Ctrl (also a pinch), or zoomed in, it is ours.
        if !event.ctrl_key() && self.view.zoom <= 1.0 {
            return false;
        }
        event.prevent_default();
        if event.ctrl_key() {
            self.zoom((-event.delta_y() / 200.0).exp(), x, y);
        } else {
            self.view = self.view.moved(event.delta_x(), event.delta_y());
        }
        true
    }

    fn key(&mut self, event: &KeyboardEvent, state: &State) -> (bool, Option<Message>) {
        let direction = match event.key().as_str() {
            "ArrowLeft" => Direction::Left,
            "ArrowRight" => Direction::Right,
            "ArrowUp" => Direction::Up,
            "ArrowDown" => Direction::Down,
            "Escape" => return (false, Some(Message::NodeChosen(None))),
            key @ ("+" | "=" | "-") => {
                let (width, height) = self.size;
                self.zoom(if key == "-" { 0.5 } else { 2.0 }, width / 2.0, height / 2.0);
                return (true, None);
            }
            _ => return (false, None),
        };
        event.prevent_default();
        let next = match state.selected.and_then(|node| self.find(node)) {
            Some((group, at)) => neighbour(&self.layout, group, at, direction),
            None => Some((0, 0)),
        };
        let node = next.and_then(|next| self.node(next));
        if let Some(next) = next.filter(|_| node.is_some()) {
            self.bring_into_sight(next);
        }
        (false, node.map(|node| Message::NodeChosen(Some(node))))
    }

    fn bring_into_sight(&mut self, (group, at): (usize, u32)) {
        let Some((x, y)) = corner(&self.layout, group, at) else { return };
        let (x, y, pitch) = (x * self.view.zoom, y * self.view.zoom, self.layout.pitch * self.view.zoom);
        let (width, height) = self.size;
        if x < self.view.x || x + pitch > self.view.x + width {
            self.view.x = x - width / 2.0;
        }
        if y < self.view.y || y + pitch > self.view.y + height {
            self.view.y = y - height / 2.0;
        }
    }

    /// A group's title and how far it is.
    fn titles(&self, language: Language) -> Vec<(String, String)> {
        self.groups
            .iter()
            .map(|(title, members)| {
                let (mut eligible, mut new) = (0_u32, 0_u32);
                for node in members {
                    let number = usize::try_from(*node).ok().and_then(|node| self.tiles.get(node));
                    let tile = number.map_or(Tile::Gone, |number| Tile::from_number(*number));
                    eligible += u32::from(tile.is_eligible());
                    new += u32::from(tile == Tile::NewAvailable);
                }
                let all = u32::try_from(members.len()).unwrap_or(u32::MAX);
                let note = words::group_progress(new, eligible, all - eligible, language);
                let unnamed = title.is_empty() && self.groups.len() > 1;
                (if unnamed { Word::WithoutLabel.in_language(language).to_owned() } else { title.clone() }, note)
            })
            .collect()
    }
}

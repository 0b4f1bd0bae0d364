//! The parts of the page in a real browser: what they show, and what they say when they are touched.
#![allow(clippy::cast_possible_truncation, reason = "places on a screen")]

use std::cell::RefCell;
use std::rc::Rc;

use gloo::timers::future::TimeoutFuture;
use gloo::utils::{body, document, document_element};
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{
    CanvasRenderingContext2d, Element, HtmlCanvasElement, HtmlElement, HtmlInputElement, PointerEvent, PointerEventInit,
};
use yew::{Callback, Component, Context, Html, Properties};

use crate::fixture::{hear, hear_rollout, rollout};
use crate::layout::{TITLE, lay_out};
use crate::model::{
    Check, Diagnosis, Figure, Finding, Fleet, Forecast, Inspection, LabelKey, Mark, NO_VALUE, Outlook, OutlookProgress,
    Place, PodLine, Problem, Remedy, Reviewed, Setting, Severity, Tone,
};
use crate::protocol::{Message as Envelope, Reply, Request};
use crate::state::{DocumentId, Fall, Knob, Language, Message, State, Theme, Work, reduce};
use crate::view::parts::{PartEvent, Parts};
use crate::view::{Voice, inspector, map, problems, shell, summary, timeline};
use crate::wire;
use crate::words::ZONE_LABEL;

wasm_bindgen_test_configure!(run_in_browser);

/// Draws a part of the page.
type Part = fn(&State, &Parts, &Voice) -> Html;

#[derive(Clone, Properties)]
struct ShownProperties {
    state: State,
    part: Part,
    voice: Voice,
}

impl PartialEq for ShownProperties {
    /// They are given once.
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

/// A part of the page, drawn and touched as the root does it.
struct Shown(Parts);

impl Component for Shown {
    type Message = PartEvent;
    type Properties = ShownProperties;

    fn create(context: &Context<Self>) -> Self {
        Self(Parts::new(&context.link().callback(|event| event)))
    }

    fn update(&mut self, context: &Context<Self>, event: PartEvent) -> bool {
        let properties = context.props();
        let (changed, wish) = self.0.update(event, &properties.state);
        if let Some(message) = wish {
            properties.voice.emit.emit(message);
        }
        changed
    }

    fn view(&self, context: &Context<Self>) -> Html {
        let properties = context.props();
        (properties.part)(&properties.state, &self.0, &properties.voice)
    }

    fn rendered(&mut self, context: &Context<Self>, _first: bool) {
        self.0.follow(&context.props().state);
    }
}

/// A part of the page on a page of its own, and what it said so far.
struct Stage {
    root: Element,
    said: Rc<RefCell<Vec<Message>>>,
}

impl Stage {
    async fn show(state: &State, part: Part) -> Self {
        let said = Rc::new(RefCell::new(Vec::new()));
        let heard = Rc::clone(&said);
        let emit = Callback::from(move |message| heard.borrow_mut().push(message));
        let voice = Voice { language: state.language, emit };
        // The runner reads its results from the body: only the stage is ours.
        if let Ok(Some(last)) = body().query_selector("#theatre") {
            last.remove();
        }
        let theatre = document().create_element("div").unwrap();
        theatre.set_id("theatre");
        theatre.set_inner_html("<style id=style></style><div id=stage></div>");
        body().append_child(&theatre).unwrap();
        find(&theatre, "#style").set_text_content(Some(include_str!("../static/style.css")));
        let theme = if state.is_dark() { "dark" } else { "light" };
        document_element().set_attribute("data-theme", theme).unwrap();
        let root = find(&body(), "#stage");
        let properties = ShownProperties { state: state.clone(), part, voice };
        yew::Renderer::<Shown>::with_root_and_props(root.clone(), properties).render();
        TimeoutFuture::new(50).await;
        Self { root, said }
    }

    fn said(&self) -> Vec<Message> {
        self.said.borrow().clone()
    }

    fn find(&self, selector: &str) -> Element {
        find(&self.root, selector)
    }

    fn texts(&self, selector: &str) -> Vec<String> {
        let found = self.root.query_selector_all(selector).unwrap();
        (0..found.length()).map(|index| found.item(index).unwrap().text_content().unwrap()).collect()
    }

    fn click(&self, selector: &str) {
        self.find(selector).dyn_into::<HtmlElement>().unwrap().click();
    }
}

fn find(root: &Element, selector: &str) -> Element {
    root.query_selector(selector).unwrap().unwrap_or_else(|| panic!("no {selector} in {}", root.inner_html()))
}

fn point(canvas: &HtmlCanvasElement, kind: &str, x: f64, y: f64) {
    let edge = canvas.get_bounding_client_rect();
    let options = PointerEventInit::new();
    options.set_bubbles(true);
    options.set_client_x((edge.left() + x).round() as i32);
    options.set_client_y((edge.top() + y).round() as i32);
    let event = PointerEvent::new_with_event_init_dict(kind, &options).unwrap();
    canvas.dispatch_event(&event).unwrap();
}

fn pixel(canvas: &HtmlCanvasElement, x: f64, y: f64) -> [u8; 3] {
    let scale = f64::from(canvas.width()) / f64::from(canvas.client_width());
    let context: CanvasRenderingContext2d = canvas.get_context("2d").unwrap().unwrap().dyn_into().unwrap();
    let data = context.get_image_data(x * scale, y * scale, 1.0, 1.0).unwrap().data().0;
    [data[0], data[1], data[2]]
}

/// A rollout on twenty nodes in two zones and one that is not eligible, two at a time.
fn computed() -> State {
    let mut state =
        State::new(["daemonset", "change", "cluster", "world: 1"].map(Rc::from), Language::English, Theme::Light);
    hear(&mut state, Reply::Ready);
    let of_node = (0..20).map(|node| u8::from(node >= 10)).collect();
    let fleet = Fleet {
        names: (0..20).map(|node| format!("node-{node}")).collect(),
        initials: " ".repeat(20),
        labels: vec![LabelKey { key: ZONE_LABEL.into(), values: vec!["a".into(), "b".into()], of_node }],
    };
    hear(&mut state, Reply::Fleet(fleet));
    hear_rollout(&mut state, rollout(20, 2));
    state
}

/// The map in a frame of a known size.
async fn map_of(state: &State) -> (Stage, HtmlCanvasElement) {
    let stage = Stage::show(state, |state, parts, voice| {
        let pane = Html::from(map::pane(state, &parts.map, voice));
        yew::html! { <div id="sized" class="show-map">{ pane }</div> }
    })
    .await;
    let sized: HtmlElement = stage.find("#sized").dyn_into().unwrap();
    for (name, value) in [("display", "flex"), ("width", "640px"), ("height", "480px")] {
        sized.style().set_property(name, value).unwrap();
    }
    let pane: HtmlElement = stage.find(".pane").dyn_into().unwrap();
    pane.style().set_property("flex", "1").unwrap();
    TimeoutFuture::new(100).await;
    let canvas = stage.find("canvas").dyn_into().unwrap();
    (stage, canvas)
}

/// The middle of a tile on a canvas.
fn middle(canvas: &HtmlCanvasElement, group: usize, place: u32) -> (f64, f64) {
    let (width, height) = (f64::from(canvas.client_width()), f64::from(canvas.client_height()));
    let layout = lay_out(&[10, 10], width - 4.0, height - 4.0);
    let block = &layout.blocks[group];
    let (row, column) = (place / block.columns, place % block.columns);
    // Left of the middle: a tile's gap is at its right.
    let offset = layout.pitch * 0.4;
    (block.x + f64::from(column) * layout.pitch + offset, block.y + TITLE + f64::from(row) * layout.pitch + offset)
}

#[wasm_bindgen_test]
async fn the_counters_stand_in_kubectls_columns() {
    let mut state = computed();
    reduce(&mut state, Message::ScrubbedTo(95.0));
    let (stage, _) = map_of(&state).await;
    let columns = stage.texts(".counters dt");
    assert_eq!(columns, ["DESIRED", "CURRENT", "READY", "UP-TO-DATE", "AVAILABLE", "BUDGET"]);
    let numbers = stage.texts(".counters dd");
    assert_eq!(numbers[0], "20");
    assert!(numbers[3].starts_with('4') && numbers[3].contains("20 %"), "{numbers:?}");
}

#[wasm_bindgen_test]
async fn a_click_on_a_tile_chooses_its_node_and_one_beside_lets_go() {
    let (stage, canvas) = map_of(&computed()).await;
    for (group, place, node) in [(0, 0, 0), (0, 9, 9), (1, 3, 13)] {
        let (x, y) = middle(&canvas, group, place);
        point(&canvas, "pointerdown", x, y);
        point(&canvas, "pointerup", x, y);
        TimeoutFuture::new(0).await;
        assert_eq!(stage.said().last(), Some(&Message::NodeChosen(Some(node))));
    }
    point(&canvas, "pointerdown", 3.0, 2.0);
    point(&canvas, "pointerup", 3.0, 2.0);
    TimeoutFuture::new(0).await;
    assert_eq!(stage.said().last(), Some(&Message::NodeChosen(None)));
}

#[wasm_bindgen_test]
async fn a_drag_on_the_map_chooses_nothing() {
    let (stage, canvas) = map_of(&computed()).await;
    let (x, y) = middle(&canvas, 0, 0);
    point(&canvas, "pointerdown", x, y);
    point(&canvas, "pointermove", x + 30.0, y);
    point(&canvas, "pointerup", x + 30.0, y);
    TimeoutFuture::new(0).await;
    assert_eq!(stage.said(), []);
}

#[wasm_bindgen_test]
async fn old_and_new_pods_have_the_colours_of_the_theme() {
    let mut state = computed();
    reduce(&mut state, Message::ScrubbedTo(39.0));
    let colours = |canvas: &HtmlCanvasElement| {
        [0, 9].map(|place| {
            let (x, y) = middle(canvas, 0, place);
            pixel(canvas, x, y)
        })
    };
    let (_, canvas) = map_of(&state).await;
    assert_eq!(colours(&canvas), [[0x2f, 0x6f, 0xde], [0x9a, 0xa7, 0xbb]], "light: new, old");
    reduce(&mut state, Message::ThemeToggled);
    let (_, canvas) = map_of(&state).await;
    assert_eq!(colours(&canvas), [[0x5c, 0x95, 0xf7], [0x5f, 0x6b, 0x7d]], "dark: new, old");
}

#[wasm_bindgen_test]
async fn many_nodes_are_pixels_and_still_each_its_own() {
    let mut state = computed();
    let fleet = Fleet {
        names: (0..30_000).map(|node| format!("node-{node}")).collect(),
        initials: " ".repeat(30_000),
        labels: vec![LabelKey { key: "x".into(), values: Vec::new(), of_node: vec![NO_VALUE; 30_000] }],
    };
    hear(&mut state, Reply::Fleet(fleet));
    hear_rollout(&mut state, rollout(30_000, 15_000));
    reduce(&mut state, Message::ScrubbedTo(39.0));
    let (_, canvas) = map_of(&state).await;
    let (width, height) = (f64::from(canvas.client_width()), f64::from(canvas.client_height()));
    let layout = lay_out(&[30_000], width - 4.0, height - 4.0);
    let block = &layout.blocks[0];
    let bottom = TITLE + (f64::from(block.rows()) - 1.5) * layout.pitch;
    assert_eq!(pixel(&canvas, 1.0, TITLE + layout.pitch * 1.5), [0x2f, 0x6f, 0xde], "the first half is new");
    assert_eq!(pixel(&canvas, 1.0, bottom), [0x9a, 0xa7, 0xbb], "the second half is old");
}

#[wasm_bindgen_test]
async fn a_press_on_the_timeline_scrubs_there() {
    let stage = Stage::show(&computed(), |state, parts, voice| {
        let pane = Html::from(timeline::pane(state, &parts.picture, voice));
        yew::html! { <div class="frame">{ pane }</div> }
    })
    .await;
    TimeoutFuture::new(100).await;
    let canvas: HtmlCanvasElement = stage.find("canvas#timeline").dyn_into().unwrap();
    point(&canvas, "pointerdown", 52.0 + (f64::from(canvas.client_width()) - 68.0) / 2.0, 40.0);
    TimeoutFuture::new(0).await;
    let said = stage.said();
    // The rollout ends at 390 seconds.
    assert!(matches!(said[..], [Message::ScrubbedTo(at)] if (at - 195.0).abs() < 2.0), "{said:?}");
}

#[wasm_bindgen_test]
async fn buttons_and_knobs_say_what_they_are_for() {
    let stage =
        Stage::show(&computed(), |state, parts, voice| timeline::pane(state, &parts.picture, voice).into()).await;
    stage.click("#play");
    stage.click("#forward");
    stage.click("#back");
    let knob: HtmlInputElement = stage.find(".knobs input").dyn_into().unwrap();
    assert_eq!(knob.placeholder(), "10%", "an empty knob shows what the change says");
    knob.set_value("3");
    knob.dispatch_event(&web_sys::Event::new("change").unwrap()).unwrap();
    TimeoutFuture::new(0).await;
    let turned = Message::KnobTurned(Knob::MaxUnavailable, Rc::from("3"));
    assert_eq!(stage.said(), [Message::PlayToggled, Message::StepForward, Message::StepBack, turned]);
}

#[wasm_bindgen_test]
async fn text_from_a_manifest_is_never_markup_and_a_problem_leads_to_its_place() {
    let mut state = computed();
    let problem = Problem {
        severity: Severity::Error,
        code: "x".into(),
        message: "`<img src=x>` is no <b>field</b>".into(),
        path: "spec.<i>".into(),
        line: 3,
        column: 5,
        from: 20,
        to: 24,
    };
    let problems = [vec![], vec![problem], vec![], vec![]];
    hear(&mut state, Reply::Reviewed(Reviewed { problems, ..Reviewed::default() }));
    let stage = Stage::show(&state, |state, _, voice| problems::list(state, voice).into()).await;
    assert!(stage.root.query_selector("img, b, li i:not(.mark)").unwrap().is_none());
    assert_eq!(stage.texts(".message"), ["<img src=x> is no <b>field</b>spec.<i>"]);
    assert_eq!(stage.texts(".place"), ["3:5"]);
    stage.click("li button");
    TimeoutFuture::new(0).await;
    let place = Place { document: DocumentId::Change, line: 3, from: 20, to: 24 };
    assert_eq!(stage.said(), [Message::PlaceChosen(place)]);
}

#[wasm_bindgen_test]
async fn the_inspector_lists_checks_and_leads_to_their_fields() {
    let mut state = computed();
    let place = Place { document: DocumentId::Change, line: 9, from: 100, to: 105 };
    let check = |mark, name: &str, place| Check { mark, name: name.into(), detail: String::new(), place };
    let inspection = Inspection {
        node: 4,
        name: "node-4".into(),
        at: 0,
        tone: Tone::Waiting,
        verdict: "Waiting".into(),
        explanation: "2 of 2".into(),
        chips: vec!["zone-a".into()],
        checks: vec![check(Mark::Passed, "selector", Some(place.clone())), check(Mark::Failed, "taint `a`", None)],
        pods: vec![PodLine { name: "old".into(), description: "available".into() }],
        next: "delete".into(),
    };
    let invitation = Stage::show(&state, |state, _, voice| inspector::pane(state, voice).into()).await;
    assert!(invitation.root.query_selector(".callout").unwrap().is_none());
    reduce(&mut state, Message::NodeChosen(Some(4)));
    hear(&mut state, Reply::Inspection(Box::new(inspection)));
    let stage = Stage::show(&state, |state, _, voice| inspector::pane(state, voice).into()).await;
    assert_eq!(stage.texts(".sign"), ["✓", "✗"]);
    assert_eq!(stage.find(".failed .sign").get_attribute("aria-label").as_deref(), Some("failed"));
    assert_eq!(stage.texts(".failed code"), ["a"]);
    stage.click(".reference");
    TimeoutFuture::new(0).await;
    assert_eq!(stage.said(), [Message::PlaceChosen(place)]);
}

#[wasm_bindgen_test]
async fn a_rollout_that_never_finishes_says_so_in_words() {
    let mut state = computed();
    let (mut summary, body) = rollout(20, 2);
    summary.ending =
        crate::model::Ending::Stopped { nodes: 7, reason: "the budget is used up".into(), advice: String::new() };
    hear_rollout(&mut state, (summary, body));
    let stage = Stage::show(&state, |state, _, voice| summary::pane(state, voice).into()).await;
    let text = stage.root.text_content().unwrap();
    assert!(text.contains("never finishes") && text.contains('7') && text.contains("the budget is used up"), "{text}");
}

#[wasm_bindgen_test]
async fn settings_stand_side_by_side_and_one_that_never_finishes_says_so() {
    let mut state = computed();
    let setting = |name: &str, own, finished, reason: Option<&str>| Setting {
        name: name.into(),
        own,
        p50: (finished > 0).then_some(340),
        p95: (finished > 0).then_some(372),
        fewest_available: 18,
        plays: 40,
        finished,
        reason: reason.map(Into::into),
    };
    let outlook = Outlook {
        progress: OutlookProgress::Playing { done: 3, total: 9 },
        few_plays: false,
        forecast: Some(Forecast {
            headline: "finishes after 5 min 40 s".into(),
            figures: vec![Figure { name: "API writes".into(), value: "60".into() }],
        }),
        settings: vec![
            setting("maxUnavailable 1", false, 40, None),
            setting("maxUnavailable 10%", true, 30, Some("the `budget` is used up")),
            setting("maxSurge 1", false, 0, Some("a port is taken")),
        ],
        assumptions: vec!["RollingUpdate".into()],
    };
    hear(&mut state, Reply::Outlook(Box::new(outlook)));
    let stage = Stage::show(&state, |state, _, voice| summary::pane(state, voice).into()).await;
    assert_eq!(stage.texts(".settings tbody th"), ["maxUnavailable 1", "maxUnavailable 10%", "maxSurge 1"]);
    assert_eq!(stage.texts(".settings .own td"), ["5:40", "75 %", "18"]);
    assert_eq!(stage.texts(".settings tr:last-child td"), ["never finishes", "18"]);
    assert_eq!(stage.texts(".reason"), ["maxUnavailable 10%: the budget is used up"]);
    assert_eq!(stage.texts(".outlook dd"), ["60"]);
    assert_eq!(stage.find("progress").get_attribute("value").as_deref(), Some("3"));
    stage.click("#stop");
    TimeoutFuture::new(0).await;
    assert_eq!(stage.said(), [Message::OutlookStopped]);
}

#[wasm_bindgen_test]
async fn a_diagnosis_stands_where_no_node_is_and_its_command_can_be_copied() {
    let mut state = computed();
    let (mut summary, body) = rollout(20, 2);
    let remedy = Remedy {
        message: "Raise the limit.".into(),
        command: Some("kubectl patch <b>x</b>".into()),
        warning: Some("More pods are down.".into()),
    };
    summary.diagnosis = Some(Diagnosis {
        headline: "blocked".into(),
        findings: vec![Finding { title: "budget".into(), message: "20 ≥ 15".into(), remedies: vec![remedy] }],
    });
    hear_rollout(&mut state, (summary, body));
    let show = |state: &State, _: &Parts, voice: &Voice| inspector::pane(state, voice).into();
    let stage = Stage::show(&state, show).await;
    assert_eq!(stage.texts(".verdict, .finding h3, .command code"), ["blocked", "budget", "kubectl patch <b>x</b>"]);
    stage.click(".command button");
    TimeoutFuture::new(0).await;
    let command: Rc<str> = Rc::from("kubectl patch <b>x</b>");
    assert_eq!(stage.said(), [Message::CopyAsked(Rc::clone(&command))]);
    reduce(&mut state, Message::Copied(command));
    assert_eq!(Stage::show(&state, show).await.texts(".command button"), ["Copied"]);
    reduce(&mut state, Message::NodeChosen(Some(1)));
    let stage = Stage::show(&state, |state, _, voice| summary::pane(state, voice).into()).await;
    stage.click("#why");
    TimeoutFuture::new(0).await;
    assert_eq!(stage.said(), [Message::WhyAsked]);
}

#[wasm_bindgen_test]
async fn a_fall_is_told_and_a_final_one_cannot_be_dismissed() {
    let mut state = computed();
    state.fall = Some(Fall { generation: 1, text: Rc::from("<b>boom</b>") });
    let stage = Stage::show(&state, |state, _, voice| shell::notice(state, voice).unwrap().into()).await;
    assert_eq!(stage.texts(".notice .mono"), ["<b>boom</b>"]);
    stage.click(".notice button");
    TimeoutFuture::new(0).await;
    assert_eq!(stage.said(), [Message::NoticeDismissed]);
    state.work = Work::Stopped;
    let stage = Stage::show(&state, |state, _, voice| shell::notice(state, voice).unwrap().into()).await;
    assert!(stage.root.query_selector(".notice.bad").unwrap().is_some());
    assert!(stage.root.query_selector("button").unwrap().is_none());
}

#[wasm_bindgen_test]
async fn the_list_of_keys_is_closed_by_its_button() {
    let mut state = computed();
    state.help = true;
    let stage = Stage::show(&state, |state, _, voice| shell::help(state, voice).unwrap().into()).await;
    assert_eq!(stage.texts("dt")[2], "HomeEnd");
    stage.click(".dialog button");
    TimeoutFuture::new(0).await;
    assert_eq!(stage.said(), [Message::HelpToggled], "once: twice would open it again");
}

#[wasm_bindgen_test]
async fn every_pane_has_names_for_those_who_cannot_see_it() {
    let state = computed();
    let (stage, canvas) = map_of(&state).await;
    let label = canvas.get_attribute("aria-label").unwrap();
    assert!(label.contains("20 nodes"), "{label}");
    let unnamed = stage.root.query_selector_all("button:not([aria-label]):empty, input:not([aria-label])").unwrap();
    assert_eq!(unnamed.length(), 0);
    let stage = Stage::show(&state, |state, parts, voice| timeline::pane(state, &parts.picture, voice).into()).await;
    let slider = stage.find("canvas#timeline");
    assert_eq!(slider.get_attribute("role").as_deref(), Some("slider"));
    assert_eq!(slider.get_attribute("aria-valuemax").as_deref(), Some("390"));
}

#[wasm_bindgen_test]
fn a_message_crosses_as_bytes_and_comes_back_the_same() {
    let request = Request::Compute(Box::new(computed().input()));
    let mut message = Envelope { generation: 7, head: request };
    let (sent, transfer) = wire::encode(&mut message, &[1, 2, 3]);
    assert_eq!(transfer.length(), 2, "head and body are transferred");
    assert_eq!(wire::decode::<Request>(&sent), Some((message, vec![1, 2, 3])));
    for nonsense in [&wasm_bindgen::JsValue::NULL, &"text".into(), &js_sys::Array::new().into()] {
        assert!(wire::decode::<Request>(nonsense).is_none());
    }
}

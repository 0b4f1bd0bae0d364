//! The text editor: tabs, and the `CodeMirror` view behind a small bridge.

use std::rc::Rc;

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::{Closure, JsValue, wasm_bindgen};
use web_sys::HtmlElement;
use yew::{Callback, Component, Context, Html, NodeRef, Properties, html};

use super::Voice;
use crate::model::{Problem, Severity};
use crate::state::{DocumentId, Jump, Language, Message, State};
use crate::words::{self, EDITOR_PHRASES, Word};

#[wasm_bindgen(inline_js = "export const load_editor = () => import(new URL('editor.js', document.baseURI).href);")]
extern "C" {
    /// The editor's script, fetched when it is first needed.
    #[wasm_bindgen(catch)]
    async fn load_editor() -> Result<JsValue, JsValue>;

    type Script;
    #[wasm_bindgen(method, catch)]
    fn create(this: &Script, host: &HtmlElement, changed: &JsValue) -> Result<View, JsValue>;

    /// The editor on the page.
    #[derive(Clone)]
    type View;
    #[wasm_bindgen(method, catch)]
    fn show(this: &View, name: &str, text: &str, title: &str) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = setProblems)]
    fn set_problems(this: &View, problems: &JsValue) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = setPhrases)]
    fn set_phrases(this: &View, phrases: &JsValue) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    fn jump(this: &View, from: u32, to: u32) -> Result<(), JsValue>;
    #[wasm_bindgen(method)]
    fn destroy(this: &View);
}

/// The tabs of the three documents, with the worst of what is wrong in each.
pub fn tabs(state: &State, voice: &Voice) -> Html {
    html! {
        <div class="tabs" role="tablist" aria-label={voice.say(Word::Documents)}>
            { for DocumentId::ALL.map(|id| {
                let errors = state.document(id).problems.iter().filter(|problem| problem.severity == Severity::Error);
                let errors = errors.count();
                html! {
                    <button role="tab" aria-selected={(state.tab == id).to_string()}
                        onclick={voice.on(Message::TabChosen(id))}>
                        { words::document(id, voice.language) }
                        if errors > 0 {
                            <span class="badge" aria-label={words::problems(errors, Severity::Error, voice.language)}>
                                { errors }
                            </span>
                        }
                    </button>
                }
            }) }
        </div>
    }
}

/// The text of the document that is chosen.
pub fn texts(state: &State, voice: &Voice) -> Html {
    let document = state.document(state.tab);
    html! {
        <Editor document={state.tab} text={Rc::clone(&document.text)} problems={Rc::clone(&document.problems)}
            jump={state.jump.clone()} voice={voice.clone()} />
    }
}

#[derive(Clone, PartialEq, Properties)]
struct EditorProperties {
    document: DocumentId,
    text: Rc<str>,
    problems: Rc<[Problem]>,
    jump: Option<Jump>,
    voice: Voice,
}

enum Loaded {
    Script(Script),
    Failed,
}

/// The `CodeMirror` view, kept in step with the properties.
struct Editor {
    host: NodeRef,
    view: Option<View>,
    changed: Closure<dyn Fn(String, String)>,
    failed: bool,
    language: Option<Language>,
    jumped: Option<u32>,
    diagnosed: Option<(DocumentId, Rc<[Problem]>)>,
}

impl Component for Editor {
    type Message = Loaded;
    type Properties = EditorProperties;

    fn create(context: &Context<Self>) -> Self {
        context.link().send_future(async {
            match load_editor().await {
                Ok(script) => Loaded::Script(script.unchecked_into()),
                Err(_) => Loaded::Failed,
            }
        });
        Self {
            host: NodeRef::default(),
            view: None,
            changed: listen(context.props().voice.emit.clone()),
            failed: false,
            language: None,
            jumped: None,
            diagnosed: None,
        }
    }

    fn update(&mut self, context: &Context<Self>, loaded: Loaded) -> bool {
        let view = match (loaded, self.host.cast::<HtmlElement>()) {
            (Loaded::Script(script), Some(host)) => script.create(&host, self.changed.as_ref()).ok(),
            _ => None,
        };
        self.failed = view.is_none();
        self.view = view;
        self.follow(context.props());
        true
    }

    fn changed(&mut self, context: &Context<Self>, _before: &EditorProperties) -> bool {
        self.follow(context.props());
        false
    }

    fn view(&self, context: &Context<Self>) -> Html {
        let voice = &context.props().voice;
        html! {
            <div class="text">
                <div class="host" ref={self.host.clone()}></div>
                if self.failed {
                    <p class="empty" role="alert">{ voice.say(Word::EditorFailed) }</p>
                } else if self.view.is_none() {
                    <p class="empty">{ voice.say(Word::Loading) }</p>
                }
            </div>
        }
    }

    fn destroy(&mut self, _context: &Context<Self>) {
        if let Some(view) = &self.view {
            view.destroy();
        }
    }
}

impl Editor {
    /// Brings the view up to the properties. Its calls fail only when the script itself is broken, and then the text
    /// in the state remains the truth.
    fn follow(&mut self, properties: &EditorProperties) {
        let Some(view) = &self.view else { return };
        let EditorProperties { document, text, problems, jump, voice } = properties;
        if self.language != Some(voice.language) {
            self.language = Some(voice.language);
            let phrases: &[(&str, &str)] = match voice.language {
                Language::English => &[],
                Language::Chinese => EDITOR_PHRASES,
            };
            if let Ok(phrases) = serde_wasm_bindgen::to_value(phrases) {
                view.set_phrases(&phrases).ok();
            }
        }
        view.show(name(*document), text, words::document(*document, voice.language)).ok();
        let shown = self.diagnosed.as_ref();
        if !shown.is_some_and(|(id, shown)| id == document && Rc::ptr_eq(shown, problems)) {
            self.diagnosed = Some((*document, Rc::clone(problems)));
            if let Ok(problems) = serde_wasm_bindgen::to_value(&**problems) {
                view.set_problems(&problems).ok();
            }
        }
        if let Some(jump) = jump.as_ref().filter(|jump| Some(jump.number) != self.jumped) {
            self.jumped = Some(jump.number);
            view.jump(jump.place.from, jump.place.to).ok();
        }
    }
}

fn listen(emit: Callback<Message>) -> Closure<dyn Fn(String, String)> {
    Closure::new(move |document: String, text: String| {
        if let Some(id) = DocumentId::ALL.into_iter().find(|id| name(*id) == document) {
            emit.emit(Message::Edited(id, Rc::from(text)));
        }
    })
}

/// What the script calls a document.
fn name(id: DocumentId) -> &'static str {
    match id {
        DocumentId::DaemonSet => "daemonset",
        DocumentId::Change => "change",
        DocumentId::Cluster => "cluster",
    }
}

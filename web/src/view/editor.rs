//! The text editor: tabs, and the `CodeMirror` view behind a small bridge.

use std::rc::Rc;

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::{Closure, JsValue, wasm_bindgen};
use web_sys::{Blob, Event, File, HtmlInputElement, Node};
use yew::{Callback, NodeRef};

use super::Voice;
use super::element::{Deed, Element, element, target};
use crate::model::{Problem, Severity};
use crate::state::{Document, DocumentId, Language, Message, State};
use crate::words::{self, EDITOR_PHRASES, Word};

#[wasm_bindgen(inline_js = r"
export const load_editor = (loaded) =>
  import(new URL('editor.js', document.baseURI).href).then(loaded, () => loaded());
export const save_file = (name, text) => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 9e3);
};
export const copy_text = (text, copied) => {
  if (isSecureContext) navigator.clipboard.writeText(text).then(() => copied(text), () => {});
};")]
extern "C" {
    /// Fetches the editor's script and hands it over; nothing where it cannot be had.
    fn load_editor(loaded: &JsValue);

    /// Hands a text out as a file.
    #[wasm_bindgen(catch)]
    pub fn save_file(name: &str, text: &str) -> Result<(), JsValue>;

    /// Puts a text on the clipboard, and says when it is there. Where there is no clipboard, it can still be selected.
    pub fn copy_text(text: &str, copied: &JsValue);

    type Script;
    #[wasm_bindgen(method, catch)]
    fn create(this: &Script, host: &Node, tell: &JsValue) -> Result<View, JsValue>;

    /// The editor on the page.
    type View;
    #[wasm_bindgen(method, catch)]
    fn show(this: &View, name: &str, text: &str, title: &str) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = setProblems)]
    fn set_problems(this: &View, problems: &JsValue) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = setPhrases)]
    fn set_phrases(this: &View, phrases: &str) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    fn open(this: &View, file: &Blob) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    fn jump(this: &View, from: u32, to: u32) -> Result<(), JsValue>;
}

/// The tabs of the documents, with the worst of what is wrong in each.
pub fn tabs(state: &State, voice: &Voice) -> Element {
    let tabs = element("div.tabs[role=tablist]").word("aria-label", Word::Documents, voice);
    DocumentId::ALL.into_iter().fold(tabs, |tabs, id| {
        let problems = &state.document(id).problems;
        let errors = problems.iter().filter(|problem| problem.severity == Severity::Error).count();
        let badge = (errors > 0).then(|| {
            let name = words::problems(errors, Severity::Error, voice.language);
            element("span.badge").attr("aria-label", &name).figure(&errors)
        });
        let tab = element("button[role=tab]")
            .truth("aria-selected", state.tab == id)
            .tells(Message::TabChosen(id), voice)
            .text(words::document(id, voice.language));
        tabs.with(tab.maybe(badge))
    })
}

/// What the editor's script tells.
pub enum Told {
    /// It has been fetched; nothing where it cannot be.
    Loaded(JsValue),
    /// A document has another text.
    Changed(String, Rc<str>),
    /// Something too large for a text was given to a document: its name, what was given, and what that is called.
    Handed(String, Blob, Rc<str>),
    /// A text that may be a scenario was dropped or pasted.
    Opened(Rc<str>),
    /// A file was chosen that may hold one.
    Picked(Blob),
}

/// The `CodeMirror` view, kept in step with the state.
pub struct Editor {
    host: NodeRef,
    script: Option<Script>,
    view: Option<View>,
    tell: Callback<Told>,
    _loaded: Closure<dyn Fn(JsValue)>,
    /// Takes a document's name, a text, and perhaps what is no text.
    told: Closure<dyn Fn(String, String, Option<Blob>)>,
    /// What the cluster is read from when it is no text.
    dump: Option<Blob>,
    failed: bool,
    language: Option<Language>,
    jumped: Option<u32>,
    shown: Option<(DocumentId, Rc<str>)>,
    diagnosed: Option<(DocumentId, Rc<Vec<Problem>>)>,
}

impl Editor {
    /// An editor whose script is being fetched.
    pub fn new(tell: Callback<Told>) -> Self {
        let emit = tell.clone();
        let loaded: Closure<dyn Fn(JsValue)> = Closure::new(move |script| emit.emit(Told::Loaded(script)));
        load_editor(loaded.as_ref());
        let emit = tell.clone();
        let told = Closure::new(move |document: String, text: String, blob| {
            emit.emit(match blob {
                Some(blob) => Told::Handed(document, blob, Rc::from(text)),
                None if document.is_empty() => Told::Opened(Rc::from(text)),
                None => Told::Changed(document, Rc::from(text)),
            });
        });
        Self {
            host: NodeRef::default(),
            script: None,
            view: None,
            tell,
            _loaded: loaded,
            told,
            dump: None,
            failed: false,
            language: None,
            jumped: None,
            shown: None,
            diagnosed: None,
        }
    }

    /// Takes in what the script tells.
    pub fn update(&mut self, told: Told) -> (bool, Option<Message>) {
        match told {
            Told::Loaded(script) => {
                self.failed = script.is_undefined();
                self.script = (!self.failed).then(|| script.unchecked_into());
                (true, None)
            }
            Told::Changed(document, text) => {
                let id = DocumentId::ALL.into_iter().find(|id| name(*id) == document);
                (false, id.map(|id| Message::Edited(id, text)))
            }
            Told::Handed(document, blob, called) => {
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
                let bytes = blob.size() as u64;
                if document != name(DocumentId::Cluster) {
                    return (false, Some(Message::TooLarge(bytes)));
                }
                self.dump = Some(blob);
                (false, Some(Message::DumpGiven(bytes, called)))
            }
            Told::Opened(text) => (false, Some(Message::Opened(text))),
            Told::Picked(file) => {
                if let Some(view) = &self.view {
                    view.open(&file).ok();
                }
                (false, None)
            }
        }
    }

    /// What the cluster is read from when it is no text.
    pub fn dump(&self) -> Option<&Blob> {
        self.dump.as_ref()
    }

    /// Puts what opens a file into a label.
    fn opener(&self, label: Element, input: Element, told: fn(File) -> Told) -> Element {
        let tell = self.tell.clone();
        let act = move |event: Event| {
            let Some(input) = target::<HtmlInputElement>(&event) else { return };
            if let Some(file) = input.files().and_then(|files| files.get(0)) {
                tell.emit(told(file));
            }
            // The same file can be chosen again.
            input.set_value("");
        };
        label.with(input.on(Deed::Change, Callback::from(act)))
    }

    /// Opens a scenario.
    pub fn open(&self, voice: &Voice) -> Element {
        let input = element("input.unseen#open[type=file][accept=.json,.yaml,.yml]");
        let label = element("label.quiet.open").say(Word::Open, voice);
        self.opener(label, input, |file| Told::Picked(file.into()))
    }

    /// The line above the cluster's text: a file can be opened, and what was given be taken away.
    fn source(&self, state: &State, voice: &Voice) -> Element {
        let source = element("div.source");
        if let Some(dump) = &state.dump {
            let given = element("span[role=status]").text(&words::dump_given(dump.bytes, voice.language));
            let remove = element("button.small").tells(Message::DumpRemoved, voice).say(Word::Remove, voice);
            return source.with(given).with(remove);
        }
        let input = element("input.unseen#dump[type=file][accept=.json,.yaml,.yml]");
        let opener = self.opener(element("label.open").say(Word::OpenDump, voice), input, |file| {
            let called = Rc::from(file.name());
            Told::Handed(name(DocumentId::Cluster).to_owned(), file.into(), called)
        });
        source.with(opener).with(element("span.second").rich(voice.say(Word::OpenDumpHelp)))
    }

    /// The pane with the text, between what stands above and below it.
    pub fn view(&self, above: Element, below: Element, state: &State, voice: &Voice) -> Element {
        let source = (state.tab == DocumentId::Cluster).then(|| self.source(state, voice));
        let note = if self.failed {
            Some(element("p.empty[role=alert]").say(Word::EditorFailed, voice))
        } else {
            self.script.is_none().then(|| element("p.empty").say(Word::Loading, voice))
        };
        element("section.pane.editor")
            .word("aria-label", Word::Documents, voice)
            .with(above)
            .maybe(source)
            .with(element("div.text").with(element("div.host").known(&self.host)).maybe(note))
            .with(below)
    }

    /// Brings the view up to the state. Its calls fail only when the script itself is broken, and then the text in the
    /// state remains the truth.
    pub fn follow(&mut self, state: &State) {
        if self.view.is_none()
            && let (Some(script), Some(host)) = (&self.script, self.host.get())
        {
            self.view = script.create(&host, self.told.as_ref()).ok();
            if self.view.is_none() {
                (self.script, self.failed) = (None, true);
            }
        }
        let Some(view) = &self.view else { return };
        let (id, language) = (state.tab, state.language);
        let Document { text, problems } = state.document(id);
        let spoken = self.language.replace(language);
        if spoken != Some(language) {
            let phrases = match language {
                Language::English => "",
                Language::Chinese => EDITOR_PHRASES,
            };
            view.set_phrases(phrases).ok();
        }
        let shown = self.shown.as_ref().is_some_and(|(shown, of)| *shown == id && Rc::ptr_eq(of, text));
        if !shown || spoken != Some(language) {
            self.shown = Some((id, Rc::clone(text)));
            view.show(name(id), text, words::document(id, language)).ok();
        }
        if !self.diagnosed.as_ref().is_some_and(|(shown, of)| *shown == id && Rc::ptr_eq(of, problems)) {
            self.diagnosed = Some((id, Rc::clone(problems)));
            if let Ok(problems) = serde_wasm_bindgen::to_value(&**problems) {
                view.set_problems(&problems).ok();
            }
        }
        if let Some(jump) = state.jump.as_ref().filter(|jump| Some(jump.number) != self.jumped) {
            self.jumped = Some(jump.number);
            view.jump(jump.place.from, jump.place.to).ok();
        }
    }
}

/// What the script calls a document.
fn name(id: DocumentId) -> &'static str {
    match id {
        DocumentId::DaemonSet => "daemonset",
        DocumentId::Change => "change",
        DocumentId::Cluster => "cluster",
        DocumentId::World => "world",
    }
}

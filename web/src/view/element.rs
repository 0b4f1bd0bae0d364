//! Elements of the page, put together a piece at a time.
//!
//! What never changes about an element is data, its selector; everything else is a call. Written out by a macro, every
//! element is the code that fills all fields of a virtual node: five times as much WASM.

use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::Event;
use yew::virtual_dom::{AttrValue, Listener, ListenerKind, VList, VTag, VText};
use yew::{Callback, Html, NodeRef};

use super::Voice;
use crate::state::Message;
use crate::words::Word;

/// An element that is being put together.
#[must_use]
pub struct Element(Box<VTag>);

/// An element as a CSS selector describes it: `button.quiet.small#save[role=tab][aria-pressed=true]`, in this order. A value
/// stands without quotes and may hold anything but brackets.
pub fn element(selector: &'static str) -> Element {
    let (name, attributes) = selector.split_once('[').unwrap_or((selector, ""));
    let (name, id) = name.split_once('#').unwrap_or((name, ""));
    let (name, class) = name.split_once('.').unwrap_or((name, ""));
    let mut tag = VTag::new(name);
    if !id.is_empty() {
        tag.add_attribute("id", id);
    }
    if !class.is_empty() {
        tag.add_attribute("class", class.replace('.', " "));
    }
    for attribute in attributes.split(['[', ']']) {
        if let Some((name, value)) = attribute.split_once('=') {
            tag.add_attribute(name, value);
        }
    }
    Element(Box::new(tag))
}

/// Nodes that stand beside each other and count as one among others.
pub fn group(nodes: Vec<Html>) -> Html {
    VList::with_children(nodes, None).into()
}

/// The element that an event happened to.
pub fn target<T: JsCast>(event: &Event) -> Option<T> {
    event.target()?.dyn_into().ok()
}

impl Element {
    /// With an attribute.
    pub fn attr(mut self, name: &'static str, value: &str) -> Self {
        self.0.add_attribute(name, AttrValue::Rc(Rc::from(value)));
        self
    }

    /// With an attribute, or without it.
    pub fn attr_if(self, name: &'static str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.attr(name, value),
            None => self,
        }
    }

    /// With an attribute that says whether something is so, as ARIA's do.
    pub fn truth(self, name: &'static str, is_so: bool) -> Self {
        self.attr(name, if is_so { "true" } else { "false" })
    }

    /// With an attribute that is there when something is so, as HTML's own are.
    pub fn flag(self, name: &'static str, is_so: bool) -> Self {
        self.attr_if(name, is_so.then_some(name))
    }

    /// With an attribute in the person's language.
    pub fn word(self, name: &'static str, word: Word, voice: &Voice) -> Self {
        self.attr(name, voice.say(word))
    }

    /// With what stands in an input.
    pub fn value(mut self, value: &str) -> Self {
        self.0.set_value(AttrValue::Rc(Rc::from(value)));
        self
    }

    /// Known to others by a reference.
    pub fn known(mut self, by: &NodeRef) -> Self {
        self.0.node_ref = by.clone();
        self
    }

    /// Acts on an event.
    pub fn on(mut self, kind: ListenerKind, act: Callback<Event>) -> Self {
        self.0.add_listener(Rc::new(Hearing { kind, act }));
        self
    }

    /// Emits a message when it is clicked.
    pub fn tells(self, message: Message, voice: &Voice) -> Self {
        self.on(ListenerKind::onclick, voice.emit.reform(move |_| message.clone()))
    }

    /// Goes on with a text. It stays text: nothing in it becomes markup.
    pub fn text(self, text: &str) -> Self {
        self.html(VText::new(AttrValue::Rc(Rc::from(text))).into())
    }

    /// Goes on with a word in the person's language.
    pub fn say(self, word: Word, voice: &Voice) -> Self {
        self.text(voice.say(word))
    }

    /// Goes on with words that have `code` in them.
    pub fn rich(self, text: &str) -> Self {
        text.split('`').enumerate().fold(self, |all, (place, piece)| {
            if place % 2 == 1 { all.with(element("code").text(piece)) } else { all.text(piece) }
        })
    }

    /// Goes on with an element.
    pub fn with(self, child: Self) -> Self {
        self.html(child.into())
    }

    /// Goes on with an element, or keeps its place free: what follows stays the same in the browser.
    pub fn maybe(self, child: Option<Self>) -> Self {
        self.html(child.map(Html::from).unwrap_or_default())
    }

    /// Goes on with any node.
    pub fn html(mut self, node: Html) -> Self {
        self.0.add_child(node);
        self
    }
}

impl From<Element> for Html {
    fn from(element: Element) -> Self {
        (*element.0).into()
    }
}

/// Any kind of event, and what is done about it.
struct Hearing {
    kind: ListenerKind,
    act: Callback<Event>,
}

impl Listener for Hearing {
    fn kind(&self) -> ListenerKind {
        self.kind.clone()
    }

    fn handle(&self, event: Event) {
        self.act.emit(event);
    }

    fn passive(&self) -> bool {
        false
    }
}

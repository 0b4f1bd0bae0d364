//! Elements of the page, put together a piece at a time.
//!
//! What never changes about an element is data, its selector; everything else is a call. Written out by a macro, every
//! element is the code that fills all fields of a virtual node: five times as much WASM.

use std::fmt::Display;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::Event;
use yew::virtual_dom::{AttrValue, AttributeOrProperty, Attributes, Listener, ListenerKind, VList, VTag, VText};
use yew::{Callback, Html, NodeRef};

use super::Voice;
use crate::state::Message;
use crate::words::Word;

/// An element that is being put together.
#[must_use]
pub struct Element(Box<Parts>);

/// What an element is put together from. Yew's own ways to add to a tag also change one that was made otherwise.
struct Parts {
    tag: VTag,
    children: Vec<Html>,
    listeners: Vec<Option<Rc<dyn Listener>>>,
}

/// What a person does to an element that is heard. Yew's list of a hundred kinds is copied by a branch for each.
#[derive(Clone, Copy)]
pub enum Deed {
    Click,
    Input,
    Change,
}

/// An element as a CSS selector describes it: `button.quiet.small#save[role=tab][aria-pressed=true]`, in this order. A value
/// stands without quotes and may hold anything but brackets.
pub fn element(selector: &'static str) -> Element {
    let (name, attributes) = selector.split_once('[').unwrap_or((selector, ""));
    let (name, id) = name.split_once('#').unwrap_or((name, ""));
    let (name, class) = name.split_once('.').unwrap_or((name, ""));
    let mut tag = VTag::new(name);
    tag.attributes = Attributes::IndexMap(Rc::default());
    let mut parts = Parts { tag, children: Vec::new(), listeners: Vec::new() };
    if !id.is_empty() {
        parts.set("id", AttrValue::Static(id));
    }
    if !class.is_empty() {
        parts.set("class", class.replace('.', " ").into());
    }
    for attribute in attributes.split(['[', ']']) {
        if let Some((name, value)) = attribute.split_once('=') {
            parts.set(name, AttrValue::Static(value));
        }
    }
    Element(Box::new(parts))
}

/// Nodes that stand beside each other and count as one among others.
pub fn group(nodes: Vec<Html>) -> Html {
    VList::with_children(nodes, None).into()
}

/// The element that an event happened to, of which is known what it is: the one that listens, and without children.
pub fn target<T: JsCast>(event: &Event) -> Option<T> {
    event.target().map(JsCast::unchecked_into)
}

impl Parts {
    fn set(&mut self, name: &'static str, value: AttrValue) {
        if let Attributes::IndexMap(attributes) = &mut self.tag.attributes
            && let Some(attributes) = Rc::get_mut(attributes)
        {
            attributes.insert(AttrValue::Static(name), AttributeOrProperty::Attribute(value));
        }
    }
}

impl Element {
    /// With an attribute.
    pub fn attr(mut self, name: &'static str, value: &str) -> Self {
        self.0.set(name, AttrValue::Rc(Rc::from(value)));
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
        self.0.tag.set_value(AttrValue::Rc(Rc::from(value)));
        self
    }

    /// Known to others by a reference.
    pub fn known(mut self, by: &NodeRef) -> Self {
        self.0.tag.node_ref = by.clone();
        self
    }

    /// Acts on what a person does to it.
    pub fn on(mut self, deed: Deed, act: Callback<Event>) -> Self {
        self.0.listeners.push(Some(Rc::new(Hearing { deed, act })));
        self
    }

    /// Emits a message when it is clicked.
    pub fn tells(self, message: Message, voice: &Voice) -> Self {
        let emit = voice.emit.clone();
        self.on(Deed::Click, Callback::from(move |_| emit.emit(message.clone())))
    }

    /// Goes on with a text. It stays text: nothing in it becomes markup.
    pub fn text(self, text: &str) -> Self {
        self.html(VText::new(AttrValue::Rc(Rc::from(text))).into())
    }

    /// Goes on with a figure.
    pub fn figure(self, figure: &dyn Display) -> Self {
        self.text(&figure.to_string())
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
        self.0.children.push(node);
        self
    }
}

impl From<Element> for Html {
    fn from(element: Element) -> Self {
        let Parts { mut tag, children, listeners } = *element.0;
        if let Some(place) = tag.children_mut() {
            *place = group(children);
        }
        if !listeners.is_empty() {
            tag.set_listeners(listeners.into());
        }
        tag.into()
    }
}

/// Something done to an element, and what is done about it.
struct Hearing {
    deed: Deed,
    act: Callback<Event>,
}

impl Listener for Hearing {
    fn kind(&self) -> ListenerKind {
        match self.deed {
            Deed::Click => ListenerKind::onclick,
            Deed::Input => ListenerKind::oninput,
            Deed::Change => ListenerKind::onchange,
        }
    }

    fn handle(&self, event: Event) {
        self.act.emit(event);
    }

    fn passive(&self) -> bool {
        false
    }
}

//! The parts of the page that live on from one drawing to the next: the editor and the two canvases.
//!
//! They are plain values that the root holds, not components of their own: each would bring Yew's whole life cycle
//! into the WASM once more, and they follow the one [`State`] anyway.

use std::rc::Rc;

use yew::Callback;

use super::canvas::Touch;
use super::editor::{Editor, Told};
use super::map::NodeMap;
use super::timeline::Picture;
use crate::paint::Palette;
use crate::state::{Message, State};

/// Something that happened to one of the parts.
pub enum PartEvent {
    Editor(Told),
    Map(Touch),
    Picture(Touch),
}

/// The parts.
pub struct Parts {
    pub editor: Editor,
    pub map: NodeMap,
    pub picture: Picture,
    /// The colours of the theme, dark or not.
    palette: Option<(bool, Rc<Palette>)>,
}

impl Parts {
    /// Parts that tell what happens to them.
    pub fn new(tell: &Callback<PartEvent>) -> Self {
        Self {
            editor: Editor::new(tell.reform(PartEvent::Editor)),
            map: NodeMap::new(tell.reform(PartEvent::Map)),
            picture: Picture::new(tell.reform(PartEvent::Picture)),
            palette: None,
        }
    }

    /// Takes in what happened: whether something looks different, and what the person wishes by it.
    pub fn update(&mut self, event: PartEvent, state: &State) -> (bool, Option<Message>) {
        match event {
            PartEvent::Editor(told) => self.editor.update(told),
            PartEvent::Map(touch) => self.map.update(touch, state),
            PartEvent::Picture(touch) => self.picture.update(touch, state),
        }
    }

    /// Brings the parts up to the state, after Yew has drawn around them.
    pub fn follow(&mut self, state: &State) {
        self.editor.follow(state);
        let palette = Palette::kept(&mut self.palette, state.is_dark());
        self.map.draw(state, palette);
        self.picture.draw(state, palette);
    }
}

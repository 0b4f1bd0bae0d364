//! What both canvases need: to hear what happens on them, and where a pointer is.

use js_sys::Array;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::{Closure, JsValue};
use web_sys::{Event, HtmlCanvasElement, MouseEvent, ResizeObserver};
use yew::{Callback, NodeRef};

/// The events that canvases act on.
const EVENTS: [&str; 6] = ["pointerdown", "pointermove", "pointerup", "pointerleave", "wheel", "keydown"];

/// Something that happened to a canvas.
pub enum Touch {
    /// Its size is another one.
    Resized,
    /// One of [`EVENTS`].
    Event(Event),
    /// A button beside it asks for a larger picture, or with a factor below 1 for a smaller one.
    Zoom(f64),
}

/// A canvas that comes and goes with what Yew draws.
pub struct Surface {
    /// Where Yew puts the canvas.
    pub node: NodeRef,
    tell: Callback<Touch>,
    hear: Closure<dyn Fn(JsValue)>,
    observer: Option<ResizeObserver>,
    /// The canvas that is listened to.
    heard: Option<HtmlCanvasElement>,
}

impl Surface {
    /// A canvas that tells what happens to it.
    pub fn new(tell: Callback<Touch>) -> Self {
        let emit = tell.clone();
        // Events arrive here, and the observer's list of entries.
        let hear: Closure<dyn Fn(JsValue)> = Closure::new(move |told: JsValue| {
            emit.emit(if told.has_type::<Array>() { Touch::Resized } else { Touch::Event(told.unchecked_into()) });
        });
        let observer = ResizeObserver::new(hear.as_ref().unchecked_ref()).ok();
        Self { node: NodeRef::default(), tell, hear, observer, heard: None }
    }

    /// The canvas, if it is on the page; a new one is listened to.
    pub fn canvas(&mut self) -> Option<HtmlCanvasElement> {
        let canvas: HtmlCanvasElement = self.node.get()?.unchecked_into();
        if self.heard.as_ref() != Some(&canvas) {
            for event in EVENTS {
                canvas.add_event_listener_with_callback(event, self.hear.as_ref().unchecked_ref()).ok();
            }
            if let Some(observer) = &self.observer {
                observer.disconnect();
                observer.observe(&canvas);
            }
            self.heard = Some(canvas.clone());
        }
        Some(canvas)
    }

    /// A callback of a button that asks for another size.
    pub fn on_zoom(&self, factor: f64) -> Callback<Event> {
        self.tell.reform(move |_| Touch::Zoom(factor))
    }
}

impl Drop for Surface {
    fn drop(&mut self) {
        if let Some(observer) = &self.observer {
            observer.disconnect();
        }
    }
}

/// Where a pointer is, in CSS pixels from the canvas's corner.
pub fn place(event: &MouseEvent, canvas: &HtmlCanvasElement) -> (f64, f64) {
    let edge = canvas.get_bounding_client_rect();
    (f64::from(event.client_x()) - edge.left(), f64::from(event.client_y()) - edge.top())
}

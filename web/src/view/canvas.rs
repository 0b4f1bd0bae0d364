//! What both canvases need: to be told when their size changes, and where a pointer is on them.

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{HtmlCanvasElement, MouseEvent, ResizeObserver};
use yew::Callback;

/// Tells when an element's size changes, as long as it lives.
pub struct SizeWatch {
    observer: ResizeObserver,
    _closure: Closure<dyn Fn()>,
}

impl SizeWatch {
    /// Watches a canvas.
    pub fn new(canvas: &HtmlCanvasElement, changed: Callback<()>) -> Option<Self> {
        let closure: Closure<dyn Fn()> = Closure::new(move || changed.emit(()));
        let observer = ResizeObserver::new(closure.as_ref().unchecked_ref()).ok()?;
        observer.observe(canvas);
        Some(Self { observer, _closure: closure })
    }
}

impl Drop for SizeWatch {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

/// Where a pointer is, in CSS pixels from the canvas's corner.
pub fn place(event: &MouseEvent, canvas: &HtmlCanvasElement) -> (f64, f64) {
    let edge = canvas.get_bounding_client_rect();
    (f64::from(event.client_x()) - edge.left(), f64::from(event.client_y()) - edge.top())
}

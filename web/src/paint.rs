//! Drawing on canvases: outside Yew's own rendering, never one element per node.

mod chart;
mod map;
mod palette;

pub use chart::Chart;
pub use map::{Map, Scene};
pub use palette::Palette;

use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

/// The 2D context of a canvas.
fn context(canvas: &HtmlCanvasElement) -> Option<CanvasRenderingContext2d> {
    canvas.get_context("2d").ok().flatten()?.dyn_into().ok()
}

/// A canvas that is not on the page.
fn off_screen(width: u32, height: u32) -> Option<HtmlCanvasElement> {
    let canvas: HtmlCanvasElement = gloo::utils::document().create_element("canvas").ok()?.dyn_into().ok()?;
    canvas.set_width(width.max(1));
    canvas.set_height(height.max(1));
    Some(canvas)
}

/// Device pixels per CSS pixel.
fn density() -> f64 {
    gloo::utils::window().device_pixel_ratio().clamp(1.0, 4.0)
}

/// Gives a canvas as many pixels as it covers and returns its size in CSS pixels.
fn fit(canvas: &HtmlCanvasElement) -> (f64, f64) {
    let (width, height) = (f64::from(canvas.client_width()), f64::from(canvas.client_height()));
    let density = density();
    let (pixels_x, pixels_y) = (whole(width * density), whole(height * density));
    // Setting a size clears the canvas even when it is the same.
    if canvas.width() != pixels_x {
        canvas.set_width(pixels_x);
    }
    if canvas.height() != pixels_y {
        canvas.set_height(pixels_y);
    }
    (width, height)
}

/// A length in whole pixels.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
fn whole(length: f64) -> u32 {
    length.round() as u32
}

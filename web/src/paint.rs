//! Drawing on canvases: outside Yew's own rendering, never one element per node.

mod chart;
mod map;
mod palette;

pub use chart::Chart;
pub use map::{Map, Scene};
pub use palette::Palette;

use std::f64::consts::TAU;

use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

use palette::Colour;

/// A canvas that is drawn on, in CSS pixels and the colours of the theme. Calls fail for figures that are none, and then
/// draw nothing.
struct Pen<'a> {
    context: CanvasRenderingContext2d,
    palette: &'a Palette,
}

impl<'a> Pen<'a> {
    /// A pen for a canvas, whatever its size.
    fn new(canvas: &HtmlCanvasElement, palette: &'a Palette) -> Option<Self> {
        Some(Self { context: context(canvas)?, palette })
    }

    /// A pen for a canvas on the page, which is emptied and gets as many pixels as it covers; and its size.
    fn on_page(canvas: &HtmlCanvasElement, palette: &'a Palette) -> Option<(Self, f64, f64)> {
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
        let pen = Self::new(canvas, palette)?;
        pen.context.set_transform(density, 0.0, 0.0, density, 0.0, 0.0).ok();
        pen.context.clear_rect(0.0, 0.0, width, height);
        Some((pen, width, height))
    }

    /// What is filled from now on has a colour.
    fn dip(&self, colour: Colour) {
        self.context.set_fill_style_str(self.palette.get(colour));
    }

    /// Fills a rectangle.
    fn rectangle(&self, x: f64, y: f64, width: f64, height: f64) {
        self.context.fill_rect(x, y, width, height);
    }

    /// Begins a rectangle with round corners, to be filled, stroked or cut out.
    fn rounded(&self, x: f64, y: f64, width: f64, height: f64, radius: f64) {
        self.context.begin_path();
        self.context.round_rect_with_f64(x, y, width, height, radius).ok();
    }

    /// Fills a circle.
    fn dot(&self, x: f64, y: f64, radius: f64) {
        self.context.begin_path();
        self.context.arc(x, y, radius, 0.0, TAU).ok();
        self.context.fill();
    }

    /// Begins a path from corner to corner, whose places count from a point.
    fn path(&self, x: f64, y: f64, corners: &[(f64, f64)]) {
        self.context.begin_path();
        for (right, down) in corners {
            // The first line of a path only moves to its end.
            self.context.line_to(x + right, y + down);
        }
    }

    /// Fills a shape with corners that count from a point.
    fn shape(&self, x: f64, y: f64, corners: &[(f64, f64)]) {
        self.path(x, y, corners);
        self.context.fill();
    }

    /// Strokes what has been begun.
    fn stroke(&self, colour: Colour, width: f64) {
        self.context.set_stroke_style_str(self.palette.get(colour));
        self.context.set_line_width(width);
        self.context.stroke();
    }

    /// Draws a line.
    fn line(&self, colour: Colour, width: f64, from: (f64, f64), to: (f64, f64)) {
        self.path(0.0, 0.0, &[from, to]);
        self.stroke(colour, width);
    }

    /// Copies a part of another canvas, of which the left edge, the width and the height are given, to a place of a size.
    fn copy(&self, from: &HtmlCanvasElement, part: (f64, f64, f64), (x, y, width, height): (f64, f64, f64, f64)) {
        let (left, across, down) = part;
        self.context
            .draw_image_with_html_canvas_element_and_sw_and_sh_and_dx_and_dy_and_dw_and_dh(
                from, left, 0.0, across, down, x, y, width, height,
            )
            .ok();
    }

    /// What is written from now on stands so to its place.
    fn align(&self, across: &str, along: &str) {
        self.context.set_text_align(across);
        self.context.set_text_baseline(along);
    }

    /// What is written from now on has a size and, before it, a weight: `500 11`.
    fn font(&self, size: &str) {
        self.context.set_font(&[size, "px ", &self.palette.sans].concat());
    }

    /// Writes.
    fn text(&self, text: &str, x: f64, y: f64) {
        self.context.fill_text(text, x, y).ok();
    }

    /// How wide a text is.
    fn width_of(&self, text: &str) -> f64 {
        self.context.measure_text(text).map_or(0.0, |metrics| metrics.width())
    }
}

/// The 2D context of a canvas.
fn context(canvas: &HtmlCanvasElement) -> Option<CanvasRenderingContext2d> {
    canvas.get_context("2d").ok().flatten().map(JsCast::unchecked_into)
}

/// A canvas that is not on the page.
fn off_screen(width: u32, height: u32) -> Option<HtmlCanvasElement> {
    let canvas: HtmlCanvasElement = gloo::utils::document().create_element("canvas").ok()?.unchecked_into();
    canvas.set_width(width.max(1));
    canvas.set_height(height.max(1));
    Some(canvas)
}

/// Device pixels per CSS pixel.
fn density() -> f64 {
    gloo::utils::window().device_pixel_ratio().clamp(1.0, 4.0)
}

/// A length in whole pixels.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
fn whole(length: f64) -> u32 {
    length.round() as u32
}

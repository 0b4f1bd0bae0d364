//! The timeline's picture: stacked areas, the past solid, the future at half strength.

use rollcast_core::message::grouped;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

use super::{Palette, context, density, fit, whole};
use crate::chart::{Columns, clock, ticks};
use crate::model::{Layer, Rollout};
use crate::state::{ColourBy, Language};
use crate::words;

/// Space left of the areas, for the figures.
const GUTTER: f64 = 52.0;
/// Space right of the areas.
const RIGHT: f64 = 16.0;
/// Space above the areas, for marks.
const TOP: f64 = 14.0;
/// Space below, for the axis.
const BOTTOM: f64 = 20.0;

/// What is to be seen.
pub struct Chart<'a> {
    pub rollout: &'a Rollout,
    /// The picture at the width of [`Chart::inner_width`].
    pub columns: &'a Columns,
    /// The playhead, in seconds.
    pub at: f64,
    /// The second under the pointer.
    pub hovered: Option<u32>,
    pub language: Language,
    pub colour_by: ColourBy,
    pub palette: &'a Palette,
}

impl Chart<'_> {
    /// Draws on a canvas.
    pub fn draw(&self, canvas: &HtmlCanvasElement) {
        let (width, height) = fit(canvas);
        let Some(context) = context(canvas) else { return };
        let density = density();
        let _ = context.set_transform(density, 0.0, 0.0, density, 0.0, 0.0);
        context.clear_rect(0.0, 0.0, width, height);
        let inner = Inner { width: (width - GUTTER - RIGHT).max(1.0), height: (height - TOP - BOTTOM).max(1.0) };
        let ends_at = f64::from(self.rollout.ends_at().max(1));
        let playhead = GUTTER + (self.at / ends_at).clamp(0.0, 1.0) * inner.width;

        self.areas(&context, &inner, playhead);
        self.axis(&context, &inner, ends_at);
        self.marks(&context, &inner, ends_at);
        self.limit(&context, &inner);
        if let Some(second) = self.hovered {
            let x = GUTTER + f64::from(second) / ends_at * inner.width;
            line(&context, &self.palette.text_2, 1.0, (x, TOP), (x, TOP + inner.height));
        }
        line(&context, &self.palette.text, 1.5, (playhead, 8.0), (playhead, TOP + inner.height + 3.0));
        context.set_fill_style_str(&self.palette.text);
        context.begin_path();
        let _ = context.arc(playhead, 7.0, 4.0, 0.0, std::f64::consts::TAU);
        context.fill();
    }

    /// The highest stack at any moment.
    fn most(&self) -> f64 {
        f64::from(self.columns.most.max(1))
    }

    fn areas(&self, context: &CanvasRenderingContext2d, inner: &Inner, playhead: f64) {
        let columns = &self.columns.layers;
        let scale = inner.height / self.most();
        let bottom = TOP + inner.height;
        for (from, to, strength) in [(GUTTER, playhead, 1.0), (playhead, GUTTER + inner.width, 0.5)] {
            context.save();
            context.begin_path();
            context.rect(from, 0.0, to - from, TOP + inner.height);
            context.clip();
            context.set_global_alpha(strength);
            for (place, layer) in Layer::ALL.into_iter().enumerate() {
                context.set_fill_style_str(self.palette.layer(layer, self.colour_by));
                context.begin_path();
                // Runs of columns that show the same are one rectangle.
                let mut run: Option<(usize, u32, u32)> = None;
                let spans = columns.iter().map(|layers| {
                    let below: u32 = layers.iter().take(place).sum();
                    (below, layers.get(place).copied().unwrap_or_default())
                });
                let draw = |start: usize, end: usize, below: u32, height: u32| {
                    if height > 0 {
                        #[expect(clippy::cast_precision_loss, reason = "a column of a screen")]
                        let (x, wide) = (GUTTER + start as f64, (end - start) as f64);
                        let top = bottom - f64::from(below + height) * scale;
                        context.rect(x, top, wide, f64::from(height) * scale);
                    }
                };
                for (column, (below, height)) in spans.enumerate() {
                    match run {
                        Some((_, lower, upper)) if (lower, upper) == (below, height) => {}
                        Some((start, lower, upper)) => {
                            draw(start, column, lower, upper);
                            run = Some((column, below, height));
                        }
                        None => run = Some((column, below, height)),
                    }
                }
                if let Some((start, below, height)) = run {
                    draw(start, columns.len(), below, height);
                }
                context.fill();
            }
            context.restore();
        }
    }

    fn axis(&self, context: &CanvasRenderingContext2d, inner: &Inner, ends_at: f64) {
        let bottom = TOP + inner.height;
        context.set_font(&format!("11px {}", self.palette.sans));
        context.set_fill_style_str(&self.palette.text_2);
        context.set_text_baseline("middle");
        context.set_text_align("right");
        let _ = context.fill_text(&grouped(self.columns.most.max(1)), GUTTER - 8.0, TOP + 4.0);
        let _ = context.fill_text("0", GUTTER - 8.0, bottom - 3.0);
        context.set_text_align("center");
        for tick in ticks(self.rollout.ends_at(), inner.width, 84.0) {
            let x = GUTTER + f64::from(tick) / ends_at * inner.width;
            let _ = context.fill_text(&clock(tick), x.max(GUTTER + 8.0), bottom + 12.0);
        }
        line(context, &self.palette.line, 1.0, (GUTTER, bottom + 0.5), (GUTTER + inner.width, bottom + 0.5));
    }

    /// A mark above every decision, as long as they do not run into each other.
    fn marks(&self, context: &CanvasRenderingContext2d, inner: &Inner, ends_at: f64) {
        context.set_fill_style_str(&self.palette.text_2);
        let mut last = f64::NEG_INFINITY;
        for &at in self.rollout.decisions() {
            let x = GUTTER + f64::from(at) / ends_at * inner.width;
            if x - last < 7.0 {
                continue;
            }
            last = x;
            context.begin_path();
            context.move_to(x - 3.0, TOP - 2.5);
            context.line_to(x + 3.0, TOP - 2.5);
            context.line_to(x, TOP - 7.5);
            context.fill();
        }
        // What is done to the cluster stands out, by its form too.
        context.set_fill_style_str(&self.palette.text);
        for event in &self.rollout.summary.events {
            let x = GUTTER + f64::from(event.at) / ends_at * inner.width;
            context.begin_path();
            context.move_to(x, TOP - 11.0);
            context.line_to(x + 5.0, TOP - 6.0);
            context.line_to(x, TOP - 1.0);
            context.line_to(x - 5.0, TOP - 6.0);
            context.fill();
        }
    }

    /// The fewest available pods the strategy allows, as a dashed line with its number.
    fn limit(&self, context: &CanvasRenderingContext2d, inner: &Inner) {
        let Some(floor) = self.rollout.summary.floor else { return };
        let y = (TOP + inner.height - f64::from(floor) * inner.height / self.most()).round() + 0.5;
        context.save();
        let dash = js_sys::Array::of2(&5.0.into(), &4.0.into());
        let _ = context.set_line_dash(&dash);
        line(context, &self.palette.text, 1.2, (GUTTER, y), (GUTTER + inner.width, y));
        context.restore();

        let text = words::floor(floor, self.language);
        context.set_font(&format!("500 11px {}", self.palette.sans));
        let wide = context.measure_text(&text).map_or(120.0, |metrics| metrics.width());
        let below = y + 12.0 < TOP + inner.height - 4.0;
        let middle = if below { y + 11.0 } else { y - 11.0 };
        let right = GUTTER + inner.width - 10.0;
        context.set_fill_style_str(&self.palette.background);
        context.set_global_alpha(0.85);
        context.begin_path();
        let _ = context.round_rect_with_f64(right - wide - 5.0, middle - 7.5, wide + 10.0, 15.0, 3.0);
        context.fill();
        context.set_global_alpha(1.0);
        context.set_fill_style_str(&self.palette.text);
        context.set_text_align("right");
        context.set_text_baseline("middle");
        let _ = context.fill_text(&text, right, middle + 0.5);
    }
}

/// The size of the areas.
struct Inner {
    width: f64,
    height: f64,
}

impl Chart<'_> {
    /// Columns of pixels that the areas take on a canvas of a width.
    pub fn inner_width(width: f64) -> u32 {
        whole((width - GUTTER - RIGHT).max(1.0))
    }

    /// The second of the rollout at a distance from the left edge of a canvas of a width.
    pub fn second_at(x: f64, width: f64, ends_at: u32) -> f64 {
        let inner = (width - GUTTER - RIGHT).max(1.0);
        ((x - GUTTER) / inner).clamp(0.0, 1.0) * f64::from(ends_at)
    }
}

fn line(context: &CanvasRenderingContext2d, colour: &str, width: f64, from: (f64, f64), to: (f64, f64)) {
    context.set_stroke_style_str(colour);
    context.set_line_width(width);
    context.begin_path();
    context.move_to(from.0, from.1);
    context.line_to(to.0, to.1);
    context.stroke();
}

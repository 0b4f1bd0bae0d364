//! The timeline's picture: stacked areas, the past solid, the future at half strength.

use rollcast_core::message::grouped;
use web_sys::HtmlCanvasElement;

use super::palette::{Colour, layer_colour};
use super::{Palette, Pen, whole};
use crate::chart::{Columns, clock, ticks};
use crate::model::{LAYERS, Layer, Rollout};
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

/// The mark of a decision, from the middle of the areas' upper edge.
const DECISION: [(f64, f64); 3] = [(-3.0, -2.5), (3.0, -2.5), (0.0, -7.5)];
/// The mark of what is done to the cluster, which stands out by its form too.
const EVENT: [(f64, f64); 4] = [(0.0, -11.0), (5.0, -6.0), (0.0, -1.0), (-5.0, -6.0)];

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
        let Some((pen, width, height)) = Pen::on_page(canvas, self.palette) else { return };
        let inner = Inner {
            width: (width - GUTTER - RIGHT).max(1.0),
            height: (height - TOP - BOTTOM).max(1.0),
            ends_at: f64::from(self.rollout.ends_at().max(1)),
        };
        let playhead = GUTTER + (self.at / inner.ends_at).clamp(0.0, 1.0) * inner.width;

        self.areas(&pen, &inner, playhead);
        self.axis(&pen, &inner);
        self.marks(&pen, &inner);
        self.limit(&pen, &inner);
        if let Some(second) = self.hovered {
            let x = inner.x(second);
            pen.line(Colour::Text2, 1.0, (x, TOP), (x, TOP + inner.height));
        }
        pen.line(Colour::Text, 1.5, (playhead, 8.0), (playhead, TOP + inner.height + 3.0));
        pen.dip(Colour::Text);
        pen.dot(playhead, 7.0, 4.0);
    }

    /// The highest stack at any moment.
    fn most(&self) -> f64 {
        f64::from(self.columns.most.max(1))
    }

    fn areas(&self, pen: &Pen<'_>, inner: &Inner, playhead: f64) {
        let scale = inner.height / self.most();
        let bottom = TOP + inner.height;
        for (from, to, strength) in [(GUTTER, playhead, 1.0), (playhead, GUTTER + inner.width, 0.5)] {
            pen.context.save();
            pen.context.begin_path();
            pen.context.rect(from, 0.0, to - from, bottom);
            pen.context.clip();
            pen.context.set_global_alpha(strength);
            for (place, layer) in Layer::ALL.into_iter().enumerate() {
                // What is below a layer in a column, and how high it is itself.
                let span = |column: &[u32; LAYERS]| {
                    let below: u32 = column.iter().take(place).sum();
                    (below, column.get(place).copied().unwrap_or_default())
                };
                pen.dip(layer_colour(layer, self.colour_by));
                pen.context.begin_path();
                let mut x = GUTTER;
                // Runs of columns that show the same are one rectangle.
                for run in self.columns.layers.chunk_by(|column, next| span(column) == span(next)) {
                    #[expect(clippy::cast_precision_loss, reason = "columns of a screen")]
                    let wide = run.len() as f64;
                    let (below, height) = run.first().map(span).unwrap_or_default();
                    if height > 0 {
                        let top = bottom - f64::from(below + height) * scale;
                        pen.context.rect(x, top, wide, f64::from(height) * scale);
                    }
                    x += wide;
                }
                pen.context.fill();
            }
            pen.context.restore();
        }
    }

    fn axis(&self, pen: &Pen<'_>, inner: &Inner) {
        let bottom = TOP + inner.height;
        pen.font("11");
        pen.dip(Colour::Text2);
        pen.align("right", "middle");
        pen.text(&grouped(self.columns.most.max(1)), GUTTER - 8.0, TOP + 4.0);
        pen.text("0", GUTTER - 8.0, bottom - 3.0);
        pen.align("center", "middle");
        for tick in ticks(self.rollout.ends_at(), inner.width, 84.0) {
            pen.text(&clock(tick), inner.x(tick).max(GUTTER + 8.0), bottom + 12.0);
        }
        pen.line(Colour::Line, 1.0, (GUTTER, bottom + 0.5), (GUTTER + inner.width, bottom + 0.5));
    }

    /// A mark above every decision, as long as they do not run into each other.
    fn marks(&self, pen: &Pen<'_>, inner: &Inner) {
        pen.dip(Colour::Text2);
        let mut last = f64::NEG_INFINITY;
        for &at in self.rollout.decisions() {
            let x = inner.x(at);
            if x - last >= 7.0 {
                last = x;
                pen.shape(x, TOP, &DECISION);
            }
        }
        pen.dip(Colour::Text);
        for event in &self.rollout.summary.events {
            pen.shape(inner.x(event.at), TOP, &EVENT);
        }
    }

    /// The fewest available pods the strategy allows, as a dashed line with its number.
    fn limit(&self, pen: &Pen<'_>, inner: &Inner) {
        let Some(floor) = self.rollout.summary.floor else { return };
        let y = (TOP + inner.height - f64::from(floor) * inner.height / self.most()).round() + 0.5;
        pen.context.save();
        pen.context.set_line_dash(&js_sys::Array::of2(&5.0.into(), &4.0.into())).ok();
        pen.line(Colour::Text, 1.2, (GUTTER, y), (GUTTER + inner.width, y));
        pen.context.restore();

        let text = words::floor(floor, self.language);
        pen.font("500 11");
        let wide = pen.width_of(&text);
        let below = y + 12.0 < TOP + inner.height - 4.0;
        let middle = if below { y + 11.0 } else { y - 11.0 };
        let right = GUTTER + inner.width - 10.0;
        pen.dip(Colour::Background);
        pen.context.set_global_alpha(0.85);
        pen.rounded(right - wide - 5.0, middle - 7.5, wide + 10.0, 15.0, 3.0);
        pen.context.fill();
        pen.context.set_global_alpha(1.0);
        pen.dip(Colour::Text);
        pen.align("right", "middle");
        pen.text(&text, right, middle + 0.5);
    }
}

/// The size of the areas, and the second at their right edge.
struct Inner {
    width: f64,
    height: f64,
    ends_at: f64,
}

impl Inner {
    /// Where a second is.
    fn x(&self, second: u32) -> f64 {
        GUTTER + f64::from(second) / self.ends_at * self.width
    }
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

//! Colours as the style sheet has them, so that the canvases follow the theme.

use std::rc::Rc;

use gloo::utils::{document, window};
use rollcast_core::sim::Tile;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use crate::model::Layer;
use crate::state::ColourBy;

/// What canvases use a colour for.
#[derive(Clone, Copy)]
pub enum Colour {
    Text,
    Text2,
    Line,
    Background,
    Old,
    New,
    Starting,
    Bad,
    Terminating,
    Missing,
    Hatch,
    HatchLine,
    Good,
    OnBad,
}

/// What the style sheet calls the colours, in the order of [`Colour`].
const NAMES: [&str; 14] = [
    "text",
    "text-2",
    "line",
    "background",
    "pod-old",
    "pod-new",
    "pod-starting",
    "pod-unavailable",
    "pod-terminating",
    "pod-missing",
    "hatch",
    "hatch-line",
    "pod-available",
    "on-bad",
];

/// The colours that canvases use, as CSS writes them: `rgb(…)`; and the font.
#[derive(Default)]
pub struct Palette {
    colours: Vec<String>,
    pub sans: String,
}

impl Palette {
    /// The colours of the theme that is in force, dark or not; read again when it is another one.
    pub fn kept(kept: &mut Option<(bool, Rc<Self>)>, dark: bool) -> &Rc<Self> {
        let fresh = kept.take().filter(|(of_dark, _)| *of_dark == dark);
        &kept.insert(fresh.unwrap_or_else(|| (dark, Rc::new(Self::read())))).1
    }

    /// Reads the colours off an element that nobody sees.
    fn read() -> Self {
        let mut palette = Self::default();
        let (Some(body), Ok(probe)) = (document().body(), document().create_element("i")) else { return palette };
        let probe: HtmlElement = probe.unchecked_into();
        probe.set_attribute("hidden", "").ok();
        body.insert_before(&probe, None).ok();
        let computed = |property| {
            let style = window().get_computed_style(&probe).ok().flatten();
            style.and_then(|style| style.get_property_value(property).ok()).unwrap_or_default()
        };
        palette.sans = computed("font-family");
        for name in NAMES {
            probe.style().set_property("color", &["var(--", name, ")"].concat()).ok();
            palette.colours.push(computed("color"));
        }
        body.remove_child(&probe).ok();
        palette
    }

    /// A colour as CSS writes it.
    pub fn get(&self, colour: Colour) -> &str {
        self.colours.get(colour as usize).map_or("", String::as_str)
    }
}

/// The colour of a layer of the timeline.
pub fn layer_colour(layer: Layer, colour_by: ColourBy) -> Colour {
    match (layer, colour_by) {
        (Layer::NewAvailable | Layer::OldAvailable, ColourBy::State) => Colour::Good,
        (Layer::NewAvailable, ColourBy::Revision) => Colour::New,
        (Layer::NewStarting, _) => Colour::Starting,
        (Layer::OldAvailable, ColourBy::Revision) => Colour::Old,
        (Layer::Terminating, _) => Colour::Terminating,
        (Layer::Missing, _) => Colour::Missing,
        (Layer::OldUnavailable, _) => Colour::Bad,
    }
}

/// The ground colour of a tile.
pub fn tile_colour(tile: Tile, colour_by: ColourBy) -> Colour {
    match (tile, colour_by) {
        (Tile::NotEligible, _) => Colour::Hatch,
        (Tile::Missing | Tile::Gone, _) => Colour::Missing,
        (Tile::OldAvailable | Tile::NewAvailable | Tile::Surging, ColourBy::State) => Colour::Good,
        (Tile::OldAvailable | Tile::Surging, ColourBy::Revision) => Colour::Old,
        (Tile::NewAvailable, ColourBy::Revision) => Colour::New,
        (Tile::NewStarting | Tile::NewReady, _) => Colour::Starting,
        (Tile::Terminating, _) => Colour::Terminating,
        (Tile::OldUnavailable | Tile::Pending | Tile::Failed | Tile::Misscheduled, _) => Colour::Bad,
    }
}

/// Red, green, blue and full opacity of a colour as the browser computes it: `rgb(1, 2, 3)`.
pub fn components(colour: &str) -> [u8; 4] {
    let numbers = colour.split(|sign: char| !sign.is_ascii_digit() && sign != '.').filter(|number| !number.is_empty());
    let mut components = [0, 0, 0, 255];
    for (component, number) in components.iter_mut().take(3).zip(numbers) {
        // A fraction of a 255th is not seen.
        *component = number.split_once('.').map_or(number, |(whole, _)| whole).parse().unwrap_or_default();
    }
    components
}

#[cfg(test)]
mod tests {
    use super::components;

    #[test]
    fn a_computed_colour_has_three_components() {
        assert_eq!(components("rgb(47, 111, 222)"), [47, 111, 222, 255]);
        assert_eq!(components("rgba(0, 0, 0, 0.5)"), [0, 0, 0, 255]);
        assert_eq!(components(""), [0, 0, 0, 255]);
    }
}

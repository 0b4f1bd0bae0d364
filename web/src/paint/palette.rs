//! Colours as the style sheet has them, so that the canvases follow the theme.

use gloo::utils::{document, window};
use rollcast_core::sim::Tile;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use crate::model::Layer;
use crate::state::ColourBy;

/// The colours that canvases use, as CSS writes them: `rgb(…)`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Palette {
    pub text: String,
    pub text_2: String,
    pub line: String,
    pub background: String,
    pub old: String,
    pub new: String,
    pub starting: String,
    pub bad: String,
    pub terminating: String,
    pub missing: String,
    pub hatch: String,
    pub hatch_line: String,
    pub good: String,
    pub on_bad: String,
    pub sans: String,
}

impl Palette {
    /// The colours of the theme that is in force, dark or not; read again when it is another one.
    pub fn kept(kept: &mut Option<(bool, Self)>, dark: bool) -> &Self {
        let fresh = kept.take().filter(|(of_dark, _)| *of_dark == dark);
        &kept.insert(fresh.unwrap_or_else(|| (dark, Self::read()))).1
    }

    fn read() -> Self {
        let Some(probe) = probe() else { return Self::default() };
        let colour = |name: &str| {
            probe.style().set_property("color", &format!("var(--{name})")).ok();
            let style = window().get_computed_style(&probe).ok().flatten();
            style.and_then(|style| style.get_property_value("color").ok()).unwrap_or_default()
        };
        let sans = window()
            .get_computed_style(&probe)
            .ok()
            .flatten()
            .and_then(|style| style.get_property_value("font-family").ok())
            .unwrap_or_else(|| "sans-serif".into());
        let palette = Self {
            text: colour("text"),
            text_2: colour("text-2"),
            line: colour("line"),
            background: colour("background"),
            old: colour("pod-old"),
            new: colour("pod-new"),
            starting: colour("pod-starting"),
            bad: colour("pod-unavailable"),
            terminating: colour("pod-terminating"),
            missing: colour("pod-missing"),
            hatch: colour("hatch"),
            hatch_line: colour("hatch-line"),
            good: colour("pod-available"),
            on_bad: colour("on-bad"),
            sans,
        };
        probe.remove();
        palette
    }

    /// The colour of a layer of the timeline.
    pub fn layer(&self, layer: Layer, colour_by: ColourBy) -> &str {
        match (layer, colour_by) {
            (Layer::NewAvailable | Layer::OldAvailable, ColourBy::State) => &self.good,
            (Layer::NewAvailable, ColourBy::Revision) => &self.new,
            (Layer::NewStarting, _) => &self.starting,
            (Layer::OldAvailable, ColourBy::Revision) => &self.old,
            (Layer::Terminating, _) => &self.terminating,
            (Layer::Missing, _) => &self.missing,
            (Layer::OldUnavailable, _) => &self.bad,
        }
    }
}

fn probe() -> Option<HtmlElement> {
    let probe: HtmlElement = document().create_element("i").ok()?.dyn_into().ok()?;
    probe.set_hidden(true);
    document().body()?.append_child(&probe).ok()?;
    Some(probe)
}

/// The ground colour of a tile.
pub fn tile_colour(palette: &Palette, tile: Tile, colour_by: ColourBy) -> &str {
    match (tile, colour_by) {
        (Tile::NotEligible, _) => &palette.hatch,
        (Tile::Missing | Tile::Gone, _) => &palette.missing,
        (Tile::OldAvailable | Tile::NewAvailable | Tile::Surging, ColourBy::State) => &palette.good,
        (Tile::OldAvailable | Tile::Surging, ColourBy::Revision) => &palette.old,
        (Tile::NewAvailable, ColourBy::Revision) => &palette.new,
        (Tile::NewStarting | Tile::NewReady, _) => &palette.starting,
        (Tile::Terminating, _) => &palette.terminating,
        (Tile::OldUnavailable | Tile::Pending | Tile::Failed | Tile::Misscheduled, _) => &palette.bad,
    }
}

/// Red, green, blue and full opacity of a colour as the browser computes it: `rgb(1, 2, 3)`.
pub fn components(colour: &str) -> [u8; 4] {
    let inner = colour.split_once('(').and_then(|(_, rest)| rest.split_once(')')).map_or("", |(inner, _)| inner);
    let mut parts = inner.split([',', ' ', '/']).filter(|part| !part.is_empty());
    // A fraction of a 255th is not seen.
    let mut next = || parts.next().and_then(|part| part.split('.').next()?.parse().ok()).unwrap_or_default();
    [next(), next(), next(), 255]
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

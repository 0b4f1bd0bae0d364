//! The node map: drawn tiles where they are few, one pixel a tile scaled up where they are many.

use std::rc::Rc;

use rollcast_core::sim::Tile;
use wasm_bindgen::Clamped;
use web_sys::{HtmlCanvasElement, ImageData};

use super::palette::{Colour, components, tile_colour};
use super::{Palette, Pen, density, off_screen, whole};
use crate::layout::{DRAWN_FROM, Layout, TITLE, View, corner};
use crate::state::ColourBy;

/// What is to be seen.
pub struct Scene<'a> {
    pub layout: &'a Layout,
    pub view: View,
    /// Node indices per group.
    pub groups: &'a [(String, Vec<u32>)],
    /// A title and a note per group.
    pub titles: &'a [(String, String)],
    /// Numbers of [`Tile`], one a node.
    pub tiles: &'a [u8],
    /// Initials of the reasons of those that are not eligible.
    pub initials: &'a [u8],
    pub colour_by: ColourBy,
    /// Group and place of the node that is chosen, and of the one under the pointer.
    pub chosen: Option<(usize, u32)>,
    pub hovered: Option<(usize, u32)>,
    pub palette: &'a Rc<Palette>,
}

/// What is kept from one drawing to the next.
#[derive(Default)]
pub struct Map {
    sprites: Option<Sprites>,
    pixels: Option<HtmlCanvasElement>,
}

/// How far a group's note may reach into the space before the next group, in pixels.
const SLACK: f64 = 16.0;

/// Space between two sprites, so that none shows at the edge of its neighbour.
const APART: u32 = 2;

/// Every kind of tile, drawn once.
struct Sprites {
    canvas: HtmlCanvasElement,
    /// Edge of a tile in device pixels.
    size: u32,
    colour_by: ColourBy,
    palette: Rc<Palette>,
}

impl Map {
    /// Draws the scene on a canvas.
    pub fn draw(&mut self, canvas: &HtmlCanvasElement, scene: &Scene<'_>) {
        let Some((pen, width, height)) = Pen::on_page(canvas, scene.palette) else { return };
        let pitch = scene.layout.pitch * scene.view.zoom;
        if pitch >= DRAWN_FROM {
            self.draw_tiles(&pen, scene, width, height, pitch);
        } else {
            self.draw_pixels(&pen, scene, pitch);
        }
        draw_titles(&pen, scene, width);
        if let Some(at) = scene.hovered.filter(|_| scene.hovered != scene.chosen) {
            outline(&pen, scene, at, pitch, Colour::Text2, 1.0);
        }
        if let Some(at) = scene.chosen {
            outline(&pen, scene, at, pitch, Colour::Text, 2.0);
        }
    }

    fn draw_tiles(&mut self, pen: &Pen<'_>, scene: &Scene<'_>, width: f64, height: f64, pitch: f64) {
        let edge = tile_edge(pitch);
        let size = whole(edge * density());
        let fresh = self.sprites.as_ref().is_some_and(|sprites| {
            sprites.size == size && sprites.colour_by == scene.colour_by && Rc::ptr_eq(&sprites.palette, scene.palette)
        });
        if !fresh {
            self.sprites = Sprites::draw(size, scene.colour_by, scene.palette);
        }
        let Some(sprites) = &self.sprites else { return };
        pen.align("center", "middle");
        pen.font(&["600 ", &whole((edge * 0.6).clamp(6.0, 16.0)).to_string()].concat());
        pen.dip(Colour::Text2);
        for (block, (_, members)) in scene.layout.blocks.iter().zip(scene.groups) {
            let (left, top) = scene.place(block.x, block.y + TITLE);
            let columns = usize::try_from(block.columns.max(1)).unwrap_or(1);
            let mut y = top;
            for nodes in members.chunks(columns) {
                // Only the rows in sight.
                if y > -pitch && y < height {
                    let mut x = left;
                    for &node in nodes {
                        if x > -pitch && x < width {
                            let tile = at(scene.tiles, node);
                            sprites.stamp(pen, tile, x, y, edge);
                            if Tile::from_number(tile) == Tile::NotEligible && edge >= 10.0 {
                                let initial = char::from(at(scene.initials, node));
                                let (across, down) = (x + edge / 2.0, y + edge / 2.0 + 0.5);
                                pen.text(initial.encode_utf8(&mut [0; 4]), across, down);
                            }
                        }
                        x += pitch;
                    }
                }
                y += pitch;
            }
        }
    }

    fn draw_pixels(&mut self, pen: &Pen<'_>, scene: &Scene<'_>, pitch: f64) {
        let colours = Tile::ALL.map(|tile| components(scene.palette.get(tile_colour(tile, scene.colour_by))));
        pen.context.set_image_smoothing_enabled(false);
        for (block, (_, members)) in scene.layout.blocks.iter().zip(scene.groups) {
            let (columns, rows) = (block.columns.max(1), block.rows());
            let mut bytes = Vec::with_capacity(columns as usize * rows as usize * 4);
            for &node in members {
                bytes.extend(colours.get(usize::from(at(scene.tiles, node))).copied().unwrap_or_default());
            }
            bytes.resize(columns as usize * rows as usize * 4, 0);
            if self.put(&bytes, columns, rows, scene.palette).is_none() {
                continue;
            }
            let (left, top) = scene.place(block.x, block.y + TITLE);
            let (across, down) = (f64::from(columns), f64::from(rows));
            if let Some(pixels) = &self.pixels {
                pen.copy(pixels, (0.0, across, down), (left, top, across * pitch, down * pitch));
            }
            if pitch >= 4.0 {
                pen.dip(Colour::Background);
                for column in 1..=columns {
                    pen.rectangle(left + f64::from(column) * pitch - 1.0, top, 1.0, down * pitch);
                }
                for row in 1..=rows {
                    pen.rectangle(left, top + f64::from(row) * pitch - 1.0, across * pitch, 1.0);
                }
            }
        }
    }

    /// Puts the pixels of one group on the hidden canvas, which grows as needed.
    fn put(&mut self, bytes: &[u8], columns: u32, rows: u32, palette: &Palette) -> Option<()> {
        if rows == 0 {
            return None;
        }
        let large_enough =
            self.pixels.as_ref().is_some_and(|canvas| canvas.width() >= columns && canvas.height() >= rows);
        if !large_enough {
            self.pixels = off_screen(columns, rows);
        }
        let data = ImageData::new_with_u8_clamped_array_and_sh(Clamped(bytes), columns, rows).ok()?;
        Pen::new(self.pixels.as_ref()?, palette)?.context.put_image_data(&data, 0.0, 0.0).ok()
    }
}

fn at(bytes: &[u8], node: u32) -> u8 {
    usize::try_from(node).ok().and_then(|node| bytes.get(node)).copied().unwrap_or_default()
}

/// The edge of a tile: the rest of the pitch is the gap.
fn tile_edge(pitch: f64) -> f64 {
    if pitch >= 18.0 {
        pitch - 5.0
    } else if pitch >= 12.0 {
        pitch - 3.0
    } else {
        pitch - 2.0
    }
}

fn draw_titles(pen: &Pen<'_>, scene: &Scene<'_>, width: f64) {
    pen.align("left", "alphabetic");
    for (block, (title, note)) in scene.layout.blocks.iter().zip(scene.titles) {
        let (x, y) = scene.place(block.x, block.y + TITLE);
        let (x, y) = (x.max(0.0), y - 10.0);
        if y < 0.0 || x > width {
            continue;
        }
        let room = f64::from(block.columns) * scene.layout.pitch * scene.view.zoom;
        pen.font("500 12.5");
        pen.dip(Colour::Text);
        pen.context.fill_text_with_max_width(title, x, y, room.max(72.0)).ok();
        let gap = if title.is_empty() { 0.0 } else { 8.0 };
        let used = pen.width_of(title) + gap;
        pen.font("12.5");
        pen.dip(Colour::Text2);
        // The whole note, or its first part, or none: never a squeezed one.
        let short = note.split(" · ").next().unwrap_or_default();
        let fits = |text: &&str| used + pen.width_of(text) <= room + SLACK;
        if let Some(note) = [note.as_str(), short].into_iter().find(fits) {
            pen.text(note, x + used, y);
        }
    }
}

fn outline(pen: &Pen<'_>, scene: &Scene<'_>, (group, place): (usize, u32), pitch: f64, colour: Colour, thickness: f64) {
    let Some((x, y)) = corner(scene.layout, group, place) else { return };
    let edge = if pitch >= DRAWN_FROM { tile_edge(pitch) } else { pitch };
    let (x, y) = scene.place(x, y);
    // A tile of a few pixels needs a ring around it to be seen at all.
    let room = if pitch < DRAWN_FROM { 4.0 } else { 1.0 };
    pen.rounded(x - room, y - room, edge + 2.0 * room, edge + 2.0 * room, 4.0);
    pen.stroke(colour, thickness);
}

impl Scene<'_> {
    /// Where a place of the map is on the canvas.
    fn place(&self, x: f64, y: f64) -> (f64, f64) {
        (x * self.view.zoom - self.view.x, y * self.view.zoom - self.view.y)
    }
}

impl Sprites {
    fn draw(size: u32, colour_by: ColourBy, palette: &Rc<Palette>) -> Option<Self> {
        let canvas = off_screen((size + APART) * u32::try_from(Tile::ALL.len()).unwrap_or(1), size)?;
        let pen = Pen::new(&canvas, palette)?;
        let edge = f64::from(size);
        for tile in Tile::ALL {
            pen.context.save();
            pen.context.translate(f64::from(tile.number()) * (edge + f64::from(APART)), 0.0).ok();
            pen.rounded(0.0, 0.0, edge, edge, corner_radius(edge));
            pen.context.clip();
            paint_tile(&pen, tile, edge, colour_by);
            pen.context.restore();
        }
        Some(Self { canvas, size, colour_by, palette: Rc::clone(palette) })
    }

    fn stamp(&self, pen: &Pen<'_>, tile: u8, x: f64, y: f64, edge: f64) {
        let size = f64::from(self.size);
        pen.copy(&self.canvas, (f64::from(tile) * (size + f64::from(APART)), size, size), (x, y, edge, edge));
    }
}

fn corner_radius(edge: f64) -> f64 {
    (edge * 0.18).clamp(1.0, 6.0)
}

/// One tile at the origin: colour never stands alone, every state has a shape of its own.
fn paint_tile(pen: &Pen<'_>, tile: Tile, edge: f64, colour_by: ColourBy) {
    pen.dip(tile_colour(tile, colour_by));
    pen.rectangle(0.0, 0.0, edge, edge);
    match tile {
        Tile::NewAvailable if colour_by == ColourBy::State => dot(pen, edge),
        Tile::OldAvailable | Tile::NewAvailable => {}
        Tile::NewStarting => fill_from_below(pen, edge, 0.35, Colour::New),
        Tile::NewReady => fill_from_below(pen, edge, 0.7, Colour::New),
        Tile::Surging => fill_from_below(pen, edge, 0.4, Colour::Starting),
        Tile::Terminating => hatch(pen, edge, Colour::OnBad, 0.75),
        Tile::NotEligible => hatch(pen, edge, Colour::HatchLine, 1.0),
        Tile::OldUnavailable | Tile::Failed | Tile::Misscheduled => cross(pen, edge),
        Tile::Pending => dot(pen, edge),
        Tile::Missing | Tile::Gone => {
            pen.rounded(0.0, 0.0, edge, edge, corner_radius(edge));
            pen.stroke(Colour::Text2, (edge / 10.0).max(1.0) * 2.0);
        }
    }
}

fn fill_from_below(pen: &Pen<'_>, edge: f64, share: f64, colour: Colour) {
    pen.dip(colour);
    pen.rectangle(0.0, edge * (1.0 - share), edge, edge * share);
}

fn hatch(pen: &Pen<'_>, edge: f64, colour: Colour, strength: f64) {
    pen.context.set_global_alpha(strength);
    let step = (edge / 3.4).max(3.0);
    let mut offset = -edge;
    while offset < edge {
        pen.line(colour, (step / 3.2).max(1.0), (offset, edge), (offset + edge, 0.0));
        offset += step;
    }
    pen.context.set_global_alpha(1.0);
}

fn cross(pen: &Pen<'_>, edge: f64) {
    pen.context.set_line_cap("round");
    let (low, high) = (edge * 0.34, edge * 0.66);
    for (left, right) in [(low, high), (high, low)] {
        pen.line(Colour::OnBad, (edge / 9.0).max(1.0), (left, low), (right, high));
    }
}

fn dot(pen: &Pen<'_>, edge: f64) {
    pen.dip(Colour::OnBad);
    pen.dot(edge / 2.0, edge / 2.0, edge * 0.15);
}

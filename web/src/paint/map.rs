//! The node map: drawn tiles where they are few, one pixel a tile scaled up where they are many.

use rollcast_core::sim::Tile;
use wasm_bindgen::Clamped;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, ImageData};

use super::palette::{components, tile_colour};
use super::{Palette, context, density, fit, off_screen, whole};
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
    pub palette: &'a Palette,
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
    palette: Palette,
}

impl Map {
    /// Draws the scene on a canvas.
    pub fn draw(&mut self, canvas: &HtmlCanvasElement, scene: &Scene<'_>) {
        let (width, height) = fit(canvas);
        let Some(context) = context(canvas) else { return };
        let density = density();
        let _ = context.set_transform(density, 0.0, 0.0, density, 0.0, 0.0);
        context.clear_rect(0.0, 0.0, width, height);
        let pitch = scene.layout.pitch * scene.view.zoom;
        if pitch >= DRAWN_FROM {
            self.draw_tiles(&context, scene, width, height, pitch);
        } else {
            self.draw_pixels(&context, scene, pitch);
        }
        draw_titles(&context, scene, width);
        if let Some(at) = scene.hovered.filter(|_| scene.hovered != scene.chosen) {
            outline(&context, scene, at, pitch, &scene.palette.text_2, 1.0);
        }
        if let Some(at) = scene.chosen {
            outline(&context, scene, at, pitch, &scene.palette.text, 2.0);
        }
    }

    fn draw_tiles(
        &mut self,
        context: &CanvasRenderingContext2d,
        scene: &Scene<'_>,
        width: f64,
        height: f64,
        pitch: f64,
    ) {
        let size = whole(tile_edge(pitch) * density());
        let fresh = self.sprites.as_ref().is_some_and(|sprites| {
            sprites.size == size && sprites.colour_by == scene.colour_by && sprites.palette == *scene.palette
        });
        if !fresh {
            self.sprites = Sprites::draw(size, scene.colour_by, scene.palette);
        }
        let Some(sprites) = &self.sprites else { return };
        let edge = tile_edge(pitch);
        context.set_text_align("center");
        context.set_text_baseline("middle");
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 6 to 16")]
        let letters = (edge * 0.6).clamp(6.0, 16.0).round() as u32;
        context.set_font(&format!("600 {letters}px {}", scene.palette.sans));
        context.set_fill_style_str(&scene.palette.text_2);
        for (block, (_, members)) in scene.layout.blocks.iter().zip(scene.groups) {
            let left = block.x * scene.view.zoom - scene.view.x;
            let top = (block.y + TITLE) * scene.view.zoom - scene.view.y;
            let columns = usize::try_from(block.columns.max(1)).unwrap_or(1);
            // Only the rows in sight.
            let first = whole((-top / pitch).floor().max(0.0));
            let last = whole(((height - top) / pitch).ceil().max(0.0));
            let rows = members.chunks(columns).enumerate();
            for (row, nodes) in rows.take(last as usize).skip(first as usize) {
                #[expect(clippy::cast_precision_loss, reason = "far fewer rows than f64 counts exactly")]
                let y = top + row as f64 * pitch;
                let mut x = left;
                for &node in nodes {
                    if x > -pitch && x < width {
                        let tile = at(scene.tiles, node);
                        sprites.stamp(context, tile, x, y, edge);
                        if Tile::from_number(tile) == Tile::NotEligible && edge >= 10.0 {
                            let initial = char::from(at(scene.initials, node));
                            let mut buffer = [0; 4];
                            let text = initial.encode_utf8(&mut buffer);
                            let _ = context.fill_text(text, x + edge / 2.0, y + edge / 2.0 + 0.5);
                        }
                    }
                    x += pitch;
                }
            }
        }
    }

    fn draw_pixels(&mut self, context: &CanvasRenderingContext2d, scene: &Scene<'_>, pitch: f64) {
        let colours = Tile::ALL.map(|tile| components(tile_colour(scene.palette, tile, scene.colour_by)));
        context.set_image_smoothing_enabled(false);
        for (block, (_, members)) in scene.layout.blocks.iter().zip(scene.groups) {
            let (columns, rows) = (block.columns.max(1), block.rows());
            let mut bytes = Vec::with_capacity(columns as usize * rows as usize * 4);
            for &node in members {
                bytes.extend(colours.get(usize::from(at(scene.tiles, node))).copied().unwrap_or_default());
            }
            bytes.resize(columns as usize * rows as usize * 4, 0);
            if self.put(&bytes, columns, rows).is_none() {
                continue;
            }
            let left = block.x * scene.view.zoom - scene.view.x;
            let top = (block.y + TITLE) * scene.view.zoom - scene.view.y;
            let (across, down) = (f64::from(columns), f64::from(rows));
            if let Some(pixels) = &self.pixels {
                let _ = context.draw_image_with_html_canvas_element_and_sw_and_sh_and_dx_and_dy_and_dw_and_dh(
                    pixels,
                    0.0,
                    0.0,
                    across,
                    down,
                    left,
                    top,
                    across * pitch,
                    down * pitch,
                );
            }
            if pitch >= 4.0 {
                grid(context, &scene.palette.background, (left, top), pitch, (columns, rows));
            }
        }
    }

    /// Puts the pixels of one group on the hidden canvas, which grows as needed.
    fn put(&mut self, bytes: &[u8], columns: u32, rows: u32) -> Option<()> {
        if rows == 0 {
            return None;
        }
        let large_enough =
            self.pixels.as_ref().is_some_and(|canvas| canvas.width() >= columns && canvas.height() >= rows);
        if !large_enough {
            self.pixels = off_screen(columns, rows);
        }
        let data = ImageData::new_with_u8_clamped_array_and_sh(Clamped(bytes), columns, rows).ok()?;
        context(self.pixels.as_ref()?)?.put_image_data(&data, 0.0, 0.0).ok()
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

fn grid(
    context: &CanvasRenderingContext2d,
    colour: &str,
    (left, top): (f64, f64),
    pitch: f64,
    (columns, rows): (u32, u32),
) {
    context.set_fill_style_str(colour);
    let (width, height) = (f64::from(columns) * pitch, f64::from(rows) * pitch);
    for column in 1..=columns {
        context.fill_rect(left + f64::from(column) * pitch - 1.0, top, 1.0, height);
    }
    for row in 1..=rows {
        context.fill_rect(left, top + f64::from(row) * pitch - 1.0, width, 1.0);
    }
}

fn draw_titles(context: &CanvasRenderingContext2d, scene: &Scene<'_>, width: f64) {
    context.set_text_align("left");
    context.set_text_baseline("alphabetic");
    for (block, (title, note)) in scene.layout.blocks.iter().zip(scene.titles) {
        let x = (block.x * scene.view.zoom - scene.view.x).max(0.0);
        let y = block.y * scene.view.zoom - scene.view.y + TITLE * scene.view.zoom - 10.0;
        if y < 0.0 || x > width {
            continue;
        }
        let room = f64::from(block.columns) * scene.layout.pitch * scene.view.zoom;
        context.set_font(&format!("500 12.5px {}", scene.palette.sans));
        context.set_fill_style_str(&scene.palette.text);
        let _ = context.fill_text_with_max_width(title, x, y, room.max(72.0));
        let gap = if title.is_empty() { 0.0 } else { 8.0 };
        let used = context.measure_text(title).map_or(0.0, |metrics| metrics.width()) + gap;
        context.set_font(&format!("12.5px {}", scene.palette.sans));
        context.set_fill_style_str(&scene.palette.text_2);
        // The whole note, or its first part, or none: never a squeezed one.
        let short = note.split(" · ").next().unwrap_or_default();
        let fits = |text: &&str| context.measure_text(text).is_ok_and(|metrics| used + metrics.width() <= room + SLACK);
        if let Some(note) = [note.as_str(), short].into_iter().find(fits) {
            let _ = context.fill_text(note, x + used, y);
        }
    }
}

fn outline(
    context: &CanvasRenderingContext2d,
    scene: &Scene<'_>,
    (group, place): (usize, u32),
    pitch: f64,
    colour: &str,
    thickness: f64,
) {
    let Some((x, y)) = corner(scene.layout, group, place) else { return };
    let edge = if pitch >= DRAWN_FROM { tile_edge(pitch) } else { pitch };
    let (x, y) = (x * scene.view.zoom - scene.view.x, y * scene.view.zoom - scene.view.y);
    // A tile of a few pixels needs a ring around it to be seen at all.
    let room = if pitch < DRAWN_FROM { 4.0 } else { 1.0 };
    context.set_stroke_style_str(colour);
    context.set_line_width(thickness);
    context.begin_path();
    let _ = context.round_rect_with_f64(x - room, y - room, edge + 2.0 * room, edge + 2.0 * room, 4.0);
    context.stroke();
}

impl Sprites {
    fn draw(size: u32, colour_by: ColourBy, palette: &Palette) -> Option<Self> {
        let canvas = off_screen((size + APART) * u32::try_from(Tile::ALL.len()).unwrap_or(1), size)?;
        let context = context(&canvas)?;
        let edge = f64::from(size);
        for tile in Tile::ALL {
            context.save();
            let _ = context.translate(f64::from(tile.number()) * (edge + f64::from(APART)), 0.0);
            context.begin_path();
            let _ = context.round_rect_with_f64(0.0, 0.0, edge, edge, (edge * 0.18).clamp(1.0, 6.0));
            context.clip();
            paint_tile(&context, tile, edge, colour_by, palette);
            context.restore();
        }
        Some(Self { canvas, size, colour_by, palette: palette.clone() })
    }

    fn stamp(&self, context: &CanvasRenderingContext2d, tile: u8, x: f64, y: f64, edge: f64) {
        let size = f64::from(self.size);
        let _ = context.draw_image_with_html_canvas_element_and_sw_and_sh_and_dx_and_dy_and_dw_and_dh(
            &self.canvas,
            f64::from(tile) * (size + f64::from(APART)),
            0.0,
            size,
            size,
            x,
            y,
            edge,
            edge,
        );
    }
}

/// One tile at the origin: colour never stands alone, every state has a shape of its own.
fn paint_tile(context: &CanvasRenderingContext2d, tile: Tile, edge: f64, colour_by: ColourBy, palette: &Palette) {
    context.set_fill_style_str(tile_colour(palette, tile, colour_by));
    context.fill_rect(0.0, 0.0, edge, edge);
    match tile {
        Tile::OldAvailable | Tile::NewAvailable => {
            if colour_by == ColourBy::State && tile == Tile::NewAvailable {
                dot(context, edge, &palette.on_bad);
            }
        }
        Tile::NewStarting => fill_from_below(context, edge, 0.35, &palette.new),
        Tile::NewReady => fill_from_below(context, edge, 0.7, &palette.new),
        Tile::Surging => fill_from_below(context, edge, 0.4, &palette.starting),
        Tile::Terminating => hatch(context, edge, &palette.on_bad, 0.75),
        Tile::NotEligible => hatch(context, edge, &palette.hatch_line, 1.0),
        Tile::OldUnavailable | Tile::Failed | Tile::Misscheduled => cross(context, edge, &palette.on_bad),
        Tile::Pending => dot(context, edge, &palette.on_bad),
        Tile::Missing | Tile::Gone => frame(context, edge, &palette.text_2),
    }
}

fn fill_from_below(context: &CanvasRenderingContext2d, edge: f64, share: f64, colour: &str) {
    context.set_fill_style_str(colour);
    context.fill_rect(0.0, edge * (1.0 - share), edge, edge * share);
}

fn hatch(context: &CanvasRenderingContext2d, edge: f64, colour: &str, strength: f64) {
    context.set_stroke_style_str(colour);
    context.set_global_alpha(strength);
    let step = (edge / 3.4).max(3.0);
    context.set_line_width((step / 3.2).max(1.0));
    let mut offset = -edge;
    while offset < edge {
        context.begin_path();
        context.move_to(offset, edge);
        context.line_to(offset + edge, 0.0);
        context.stroke();
        offset += step;
    }
    context.set_global_alpha(1.0);
}

fn cross(context: &CanvasRenderingContext2d, edge: f64, colour: &str) {
    context.set_stroke_style_str(colour);
    context.set_line_width((edge / 9.0).max(1.0));
    context.set_line_cap("round");
    let (low, high) = (edge * 0.34, edge * 0.66);
    context.begin_path();
    context.move_to(low, low);
    context.line_to(high, high);
    context.move_to(high, low);
    context.line_to(low, high);
    context.stroke();
}

fn dot(context: &CanvasRenderingContext2d, edge: f64, colour: &str) {
    context.set_fill_style_str(colour);
    context.begin_path();
    let _ = context.arc(edge / 2.0, edge / 2.0, edge * 0.15, 0.0, std::f64::consts::TAU);
    context.fill();
}

fn frame(context: &CanvasRenderingContext2d, edge: f64, colour: &str) {
    context.set_stroke_style_str(colour);
    let width = (edge / 10.0).max(1.0);
    context.set_line_width(width * 2.0);
    context.begin_path();
    let _ = context.round_rect_with_f64(0.0, 0.0, edge, edge, (edge * 0.18).clamp(1.0, 6.0));
    context.stroke();
}

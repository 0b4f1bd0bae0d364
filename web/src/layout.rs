//! Where tiles stand on the map: pure geometry, in CSS pixels.

/// Height of a group's title with the space under it.
pub const TITLE: f64 = 24.0;
/// Space between groups.
const GAP: f64 = 24.0;
/// From this pitch on, tiles are drawn one by one with pattern and letter; below, they are pixels of an image.
pub const DRAWN_FROM: f64 = 9.0;
/// Pitches that are tried, from the largest; whole numbers, because tiles of a fraction of a pixel come out uneven.
const PITCHES: [u32; 17] = [44, 36, 30, 26, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 3, 2, 1];

/// One group of tiles.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Left edge of tiles and title.
    pub x: f64,
    /// Top of the title.
    pub y: f64,
    pub columns: u32,
    pub count: u32,
}

impl Block {
    /// Number of rows.
    pub fn rows(&self) -> u32 {
        self.count.div_ceil(self.columns.max(1))
    }
}

/// The whole map at zoom 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// Distance from one tile to the next.
    pub pitch: f64,
    pub blocks: Vec<Block>,
    /// Height of everything.
    pub height: f64,
}

/// A zoomed and moved view of the map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    pub zoom: f64,
    /// What stands at the left edge of the canvas.
    pub x: f64,
    pub y: f64,
}

impl Default for View {
    fn default() -> Self {
        Self { zoom: 1.0, x: 0.0, y: 0.0 }
    }
}

impl View {
    /// The view zoomed by a factor around a point of the canvas; never smaller than the whole map.
    #[must_use]
    pub fn zoomed(self, factor: f64, x: f64, y: f64) -> Self {
        let zoom = (self.zoom * factor).clamp(1.0, 64.0);
        let grown = zoom / self.zoom;
        Self { zoom, x: (self.x + x) * grown - x, y: (self.y + y) * grown - y }
    }

    /// The view moved by so many pixels.
    #[must_use]
    pub fn moved(self, x: f64, y: f64) -> Self {
        Self { x: self.x + x, y: self.y + y, ..self }
    }

    /// The view kept on the map.
    #[must_use]
    pub fn kept(self, layout: &Layout, width: f64, height: f64) -> Self {
        let right = (width * self.zoom - width).max(0.0);
        let bottom = (layout.height * self.zoom - height).max(0.0);
        // `clamp` by what is not constant may panic, and its message brings the printing of numbers into the page.
        Self { x: self.x.max(0.0).min(right), y: self.y.max(0.0).min(bottom), ..self }
    }
}

/// Chooses the largest tiles with which all groups fit, side by side where that helps.
pub fn lay_out(counts: &[u32], width: f64, height: f64) -> Layout {
    let total: u32 = counts.iter().sum();
    let largest = match total {
        0..=24 => 44,
        25..=60 => 36,
        61..=150 => 30,
        151..=400 => 26,
        _ => 22,
    };
    let mut best = Layout::default();
    for pitch in PITCHES.into_iter().filter(|pitch| *pitch <= largest) {
        best = best_at(counts, width, f64::from(pitch));
        if best.height <= height {
            break;
        }
    }
    best
}

/// The lowest arrangement at one pitch.
fn best_at(counts: &[u32], width: f64, pitch: f64) -> Layout {
    let mut best: Option<Layout> = None;
    for across in 1..=counts.len().clamp(1, 12) {
        let Some(layout) = arrange(counts, across, width, pitch) else { continue };
        if best.as_ref().is_none_or(|best| layout.height < best.height - 0.5) {
            best = Some(layout);
        }
    }
    best.unwrap_or_default()
}

fn arrange(counts: &[u32], across: usize, width: f64, pitch: f64) -> Option<Layout> {
    #[expect(clippy::cast_precision_loss, reason = "at most twelve groups side by side")]
    let groups = across as f64;
    // Whole pixels: a tile between two of them is blurred.
    let group_width = ((width - GAP * (groups - 1.0)) / groups).floor();
    // A title needs some room of its own.
    if across > 1 && group_width < 96.0 {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
    let columns = ((group_width / pitch).floor() as u32).max(1);
    let mut blocks = Vec::with_capacity(counts.len());
    let mut y = 0.0;
    for row in counts.chunks(across) {
        let mut x = 0.0;
        let mut tallest = 0;
        for &count in row {
            let block = Block { x, y, columns, count };
            tallest = tallest.max(block.rows());
            blocks.push(block);
            x += (f64::from(columns) * pitch).max(group_width) + GAP;
        }
        y += TITLE + f64::from(tallest) * pitch + GAP;
    }
    Some(Layout { pitch, blocks, height: (y - GAP).max(0.0) })
}

/// The group and the place in it under a point of the canvas.
pub fn hit(layout: &Layout, view: View, x: f64, y: f64) -> Option<(usize, u32)> {
    let (x, y) = ((x + view.x) / view.zoom, (y + view.y) / view.zoom);
    layout.blocks.iter().enumerate().find_map(|(index, block)| {
        let column = ((x - block.x) / layout.pitch).floor();
        let row = ((y - block.y - TITLE) / layout.pitch).floor();
        let inside = column >= 0.0 && column < f64::from(block.columns) && row >= 0.0 && row < f64::from(block.rows());
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be inside the block")]
        let place = inside.then(|| row as u32 * block.columns + column as u32)?;
        (place < block.count).then_some((index, place))
    })
}

/// The top left corner of a tile in the coordinates of the map.
pub fn corner(layout: &Layout, group: usize, place: u32) -> Option<(f64, f64)> {
    let block = layout.blocks.get(group)?;
    let (row, column) = (place / block.columns, place % block.columns);
    Some((block.x + f64::from(column) * layout.pitch, block.y + TITLE + f64::from(row) * layout.pitch))
}

/// Where an arrow key leads from a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Left,
    Right,
    Up,
    Down,
}

/// The tile next to one, over the edges of groups where there is no other.
pub fn neighbour(layout: &Layout, group: usize, place: u32, direction: Direction) -> Option<(usize, u32)> {
    let block = layout.blocks.get(group)?;
    let last = |group: usize| Some((group, layout.blocks.get(group)?.count.checked_sub(1)?));
    match direction {
        Direction::Right if place + 1 < block.count => Some((group, place + 1)),
        Direction::Right => last(group + 1).map(|_| (group + 1, 0)),
        Direction::Left if place > 0 => Some((group, place - 1)),
        Direction::Down if place + block.columns < block.count => Some((group, place + block.columns)),
        Direction::Down => last(group + 1).map(|(group, last)| (group, (place % block.columns).min(last))),
        Direction::Up if place >= block.columns => Some((group, place - block.columns)),
        Direction::Left | Direction::Up => last(group.checked_sub(1)?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_zones_stand_side_by_side_as_drawn_tiles() {
        let layout = lay_out(&[97, 97, 97], 656.0, 480.0);
        assert!(layout.pitch >= DRAWN_FROM, "{layout:?}");
        assert!(layout.height <= 480.0);
        assert_eq!(layout.blocks.len(), 3);
    }

    #[test]
    fn the_largest_known_cluster_fits_without_scrolling() {
        let layout = lay_out(&[43_334, 43_333, 43_333], 656.0, 560.0);
        assert!(layout.height <= 560.0, "{}", layout.height);
        let drawn: u32 = layout.blocks.iter().map(|block| block.count).sum();
        assert_eq!(drawn, 130_000);
    }

    #[test]
    fn every_tile_is_found_under_its_own_middle() {
        let layout = lay_out(&[97, 5, 40], 656.0, 480.0);
        for view in [View::default(), View { zoom: 3.0, x: 40.0, y: 17.0 }] {
            for (group, block) in layout.blocks.iter().enumerate() {
                for place in 0..block.count {
                    let (x, y) = corner(&layout, group, place).unwrap();
                    let middle = |edge: f64, moved| (edge + layout.pitch / 2.0) * view.zoom - moved;
                    assert_eq!(hit(&layout, view, middle(x, view.x), middle(y, view.y)), Some((group, place)));
                }
            }
        }
        assert_eq!(hit(&layout, View::default(), 2.0, 2.0), None, "a title is no tile");
    }

    #[test]
    fn zooming_keeps_the_point_under_the_pointer() {
        let view = View { zoom: 2.0, x: 100.0, y: 50.0 };
        let near = view.zoomed(1.5, 300.0, 200.0);
        assert!(((300.0 + view.x) / view.zoom - (300.0 + near.x) / near.zoom).abs() < 1e-9);
        assert!((View::default().zoomed(0.1, 5.0, 5.0).zoom - 1.0).abs() < f64::EPSILON);
    }

    #[test]
    fn arrows_reach_every_tile_and_end_at_the_ends() {
        let layout = lay_out(&[7, 3], 200.0, 400.0);
        let mut at = (0, 0);
        let mut seen = vec![at];
        while let Some(next) = neighbour(&layout, at.0, at.1, Direction::Right) {
            at = next;
            seen.push(at);
        }
        assert_eq!(seen.len(), 10);
        while let Some(next) = neighbour(&layout, at.0, at.1, Direction::Left) {
            at = next;
        }
        assert_eq!(at, (0, 0));
        assert_eq!(neighbour(&layout, 0, 0, Direction::Up), None);
    }

    #[test]
    fn an_empty_cluster_has_an_empty_map() {
        assert!(lay_out(&[], 600.0, 400.0).blocks.is_empty());
        assert_eq!(hit(&Layout::default(), View::default(), 1.0, 1.0), None);
    }
}

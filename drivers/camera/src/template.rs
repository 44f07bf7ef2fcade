//! A card as pictures are compared with it.

use sabot_words::Card;

use crate::align::{Aligned, Pose};
use crate::deck::{Geometry, Rect};
use crate::frame::Frame;
use crate::plane::{Plane, dot};
use crate::view::unit;

/// Points that an index is compared by; a smaller one is resampled to so many too.
const POINTS: f32 = 1100.0;
/// Paper is looked for within so many points: more than the widest ink of a corner.
const PAPER_REACH: usize = 9;
/// Light weaker than this part of the deck's is not made up for.
const FLOOR: f32 = 0.22;
/// A point so bright shows no ink, nor do those beside it: the camera's exposure keeps paper below.
const WHITE: f32 = 244.0;
const HALO: usize = 1;
/// Points around, by which contrast is known; what is added to theirs, so that noise on paper is none, in parts of
/// paper's brightness; and the contrast that ink mostly has.
const AROUND: usize = 4;
const LITTLE: f32 = 0.08;
const CONTRAST: f32 = 0.4;
/// Turns, in radians, at which an index is looked for before it is laid over exactly.
const TURNS: [f32; 5] = [-0.10, -0.05, 0.0, 0.05, 0.10];

/// How pictures are brought to the size in which they are compared.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scale {
    pub(crate) area: Rect,
    /// Size of the area, in points.
    pub(crate) size: (usize, usize),
    /// Size of the index.
    pub(crate) tile: (usize, usize),
    /// The middle of the index within the area.
    pub(crate) middle: [f32; 2],
    /// How bright paper is.
    pub(crate) paper: f32,
}

impl Scale {
    pub(crate) fn of(geometry: &Geometry, paper: f32) -> Self {
        let (index, area) = (geometry.index, geometry.area());
        let scale = (POINTS / (index.width * index.height) as f32).sqrt();
        let points = |pixels: usize| ((pixels as f32 * scale).round() as usize).max(8);
        let (size, tile) = ((points(area.width), points(area.height)), (points(index.width), points(index.height)));
        let middle = |from: usize, side: usize, points: usize, of: usize| {
            (from as f32 + side as f32 / 2.0) * points as f32 / of as f32 - 0.5
        };
        let x = middle(index.x - area.x, index.width, size.0, area.width);
        let y = middle(index.y - area.y, index.height, size.1, area.height);
        Self { area, size, tile, middle: [x, y], paper }
    }

    /// A picture's area, as bright as it is.
    pub(crate) fn light(&self, frame: &Frame) -> Plane {
        Plane::of(frame, self.area, self.size.0, self.size.1)
    }

    /// The area of the deck's sheet.
    pub(crate) fn light_of_area(&self, area: &Frame) -> Plane {
        let whole = Rect { x: 0, y: 0, ..self.area };
        Plane::of(area, whole, self.size.0, self.size.1)
    }

    /// What lies where an index does at rest.
    pub(crate) fn at_rest(&self, light: &Plane) -> Plane {
        sampled(light, &Pose::turned(0.0, self.middle), self.tile)
    }

    /// How much of the light each point gives back, and the points in which no ink would be seen.
    pub(crate) fn ink(&self, light: &Plane) -> (Plane, Vec<bool>) {
        let paper = light.paper(PAPER_REACH);
        let mut white = paper.clone();
        white.at.iter_mut().zip(&light.at).for_each(|(white, light)| *white = light.max(*white));
        // ink at the edge of glare is paler than it is
        let blind = white.dilated(HALO).at.iter().map(|at| *at > WHITE).collect();
        (light.reflectance(&paper, self.paper * FLOOR), blind)
    }

    /// What light does to a place falls away: how each point differs from those around it, beside how much those differ
    /// among themselves. Of glare, which ink takes nothing of, and of shadows nothing is left but their edges.
    pub(crate) fn contrast(&self, light: &Plane) -> Plane {
        let mut squares = light.clone();
        let mean = light.blurred(AROUND);
        squares.at.iter_mut().zip(&mean.at).for_each(|(at, mean)| *at = (*at - mean) * (*at - mean));
        let spread = squares.blurred(AROUND);
        let mut contrast = light.clone();
        let around = mean.at.iter().zip(&spread.at);
        for (at, (mean, spread)) in contrast.at.iter_mut().zip(around) {
            *at = CONTRAST * (*at - mean) / (spread.sqrt() + self.paper * LITTLE);
        }
        contrast
    }
}

/// What a card's index looks like, at half its size, at each turn: for finding it.
#[derive(Debug, Clone)]
pub(crate) struct Coarse {
    looks: Vec<Vec<f32>>,
    size: (usize, usize),
}

/// Where an index may be, and how alike it is there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    pub(crate) likeness: f32,
    pub(crate) pose: Pose,
}

impl Coarse {
    /// From the area of a card, `ink`.
    pub(crate) fn new(ink: &Plane, scale: &Scale) -> Self {
        let tile = |turn: f32| {
            let back = Pose::turned(-turn, scale.middle);
            unit(&sampled(ink, &back, scale.tile).halved())
        };
        let looks: Vec<Vec<f32>> = TURNS.iter().map(|turn| tile(*turn)).collect();
        Self { looks, size: ((scale.tile.0 / 2).max(1), (scale.tile.1 / 2).max(1)) }
    }

    /// The best place in each of the windows of a picture.
    pub(crate) fn best(&self, windows: &Windows) -> Place {
        let mut best = Place { likeness: f32::MIN, pose: Pose::turned(0.0, [0.0; 2]) };
        for (turn, look) in TURNS.iter().zip(&self.looks) {
            for (at, window) in &windows.0 {
                let likeness = dot(look, window);
                if likeness > best.likeness {
                    // the middle of the window, in points of the whole size
                    let middle = |at: usize, side: usize| (2 * at + side) as f32 - 0.5;
                    let t = [middle(at.0, self.size.0), middle(at.1, self.size.1)];
                    best = Place { likeness, pose: Pose::turned(*turn, t) };
                }
            }
        }
        best
    }
}

/// All windows of the size of an index in a picture of half its size, each of mean 0 and length 1.
pub(crate) struct Windows(Vec<((usize, usize), Vec<f32>)>);

impl Windows {
    pub(crate) fn of(ink: &Plane, tile: (usize, usize)) -> Self {
        let half = ink.halved();
        let (width, height) = ((tile.0 / 2).max(1), (tile.1 / 2).max(1));
        let mut windows = Vec::new();
        for y in 0..(half.height + 1).saturating_sub(height) {
            for x in 0..(half.width + 1).saturating_sub(width) {
                let mut window = Plane::new(width, height);
                for row in 0..height {
                    let from = (y + row) * half.width + x;
                    window.at[row * width..(row + 1) * width].copy_from_slice(&half.at[from..from + width]);
                }
                windows.push(((x, y), unit(&window)));
            }
        }
        Self(windows)
    }
}

/// A tile of a plane, laid as the pose says.
pub(crate) fn sampled(plane: &Plane, pose: &Pose, (width, height): (usize, usize)) -> Plane {
    let mut tile = Plane::new(width, height);
    for y in 0..height {
        for x in 0..width {
            let (cx, cy) = (x as f32 - (width - 1) as f32 / 2.0, y as f32 - (height - 1) as f32 / 2.0);
            let u = pose.a[0][0] * cx + pose.a[0][1] * cy + pose.t[0];
            let v = pose.a[1][0] * cx + pose.a[1][1] * cy + pose.t[1];
            tile.at[y * width + x] = plane.between(u, v);
        }
    }
    tile
}

/// A card as pictures are compared with it.
#[derive(Debug, Clone)]
pub(crate) struct Template {
    pub(crate) card: Card,
    pub(crate) coarse: Coarse,
    pub(crate) fine: Aligned,
    /// The cards that look most like it.
    pub(crate) lookalikes: Vec<Card>,
}

/// Cards that one is always held against, those of its rank aside.
const LOOKALIKES: usize = 4;

/// Tells each card which others look most like it.
pub(crate) fn find_lookalikes(cards: &mut [Template]) {
    let looks: Vec<(Card, Vec<f32>)> = cards.iter().map(|card| (card.card, unit(&card.fine.tile))).collect();
    for (card, (_, own)) in cards.iter_mut().zip(&looks) {
        let mut alike: Vec<(f32, Card)> = looks.iter().map(|(other, look)| (dot(own, look), *other)).collect();
        alike.retain(|(_, other)| *other != card.card);
        alike.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        card.lookalikes = alike.into_iter().take(LOOKALIKES).map(|(_, other)| other).collect();
    }
}

impl Template {
    /// Nothing where the card's corner has no shape.
    pub(crate) fn new(card: Card, seen: &Plane, scale: &Scale) -> Option<Self> {
        let fine = Aligned::new(sampled(seen, &Pose::turned(0.0, scale.middle), scale.tile))?;
        Some(Self { card, coarse: Coarse::new(seen, scale), fine, lookalikes: Vec::new() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawn::geometry;

    #[test]
    fn contrast_is_nearly_the_same_under_glare_in_shadow_and_beside_them() {
        let scale = Scale::of(&geometry(), 200.0);
        let mut plain = Plane::new(scale.size.0, scale.size.1);
        let width = plain.width;
        plain.at.iter_mut().enumerate().for_each(|(n, at)| *at = if n % width % 8 < 3 { 20.0 } else { 100.0 });
        let lit = |light: &dyn Fn(f32, f32, f32) -> f32| {
            let mut plane = plain.clone();
            let at = |n: usize| ((n % width) as f32 - 20.0, (n / width) as f32 - 30.0);
            plane.at.iter_mut().enumerate().for_each(|(n, light_at)| *light_at = light(at(n).0, at(n).1, *light_at));
            plane
        };
        let glaring = lit(&|x, y, at| at + 90.0 * (-(x * x + y * y) / 80.0).exp());
        let shaded = lit(&|_, _, at| at * 0.6);
        let seen = scale.contrast(&plain);
        // in the bar beside the middle of the glare
        let off = |plane: &Plane| (scale.contrast(plane).at[30 * width + 17] - seen.at[30 * width + 17]).abs();
        let by_ink =
            |plane: &Plane| (scale.ink(plane).0.at[30 * width + 17] - scale.ink(&plain).0.at[30 * width + 17]).abs();
        assert!(seen.at[30 * width + 17] < -0.3, "{}", seen.at[30 * width + 17]);
        assert!(off(&glaring) < 0.1 && off(&shaded) < 0.1, "{} {}", off(&glaring), off(&shaded));
        assert!(by_ink(&glaring) > 0.3, "{}", by_ink(&glaring));
    }
}

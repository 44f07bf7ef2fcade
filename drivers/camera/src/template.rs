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
/// Light is uneven where paper is so much brighter than it mostly is.
const GLARE: f32 = 1.15;
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

    /// The same, taken that where paper is brighter than it mostly is glare has been added, of which ink takes nothing.
    /// None where it is nowhere so.
    pub(crate) fn ink_in_glare(&self, light: &Plane) -> Option<Plane> {
        let mut paper = light.paper(PAPER_REACH);
        let even = paper.percentile(50);
        paper.at.iter().any(|at| *at > even * GLARE).then(|| {
            let mut without = light.clone();
            for (light, paper) in without.at.iter_mut().zip(&mut paper.at) {
                let glare = (*paper - even).max(0.0);
                (*light, *paper) = (*light - glare, *paper - glare);
            }
            without.reflectance(&paper, self.paper * FLOOR)
        })
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
}

impl Template {
    /// Nothing where the card's corner has no shape.
    pub(crate) fn new(card: Card, area: &Frame, scale: &Scale) -> Option<Self> {
        let (ink, _) = scale.ink(&scale.light_of_area(area));
        let fine = Aligned::new(sampled(&ink, &Pose::turned(0.0, scale.middle), scale.tile))?;
        Some(Self { card, coarse: Coarse::new(&ink, scale), fine })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawn::geometry;

    #[test]
    fn ink_under_glare_is_nearly_as_dark_as_ink_beside_it() {
        let scale = Scale::of(&geometry(), 200.0);
        let mut plain = Plane::new(scale.size.0, scale.size.1);
        let width = plain.width;
        plain.at.iter_mut().enumerate().for_each(|(n, at)| *at = if n % width % 8 < 3 { 20.0 } else { 100.0 });
        let mut glaring = plain.clone();
        for (n, at) in glaring.at.iter_mut().enumerate() {
            let (x, y) = ((n % width) as f32 - 20.0, (n / width) as f32 - 30.0);
            *at += 90.0 * (-(x * x + y * y) / 80.0).exp();
        }
        let plain_ink = scale.ink(&plain).0;
        // in the bar beside the middle of the glare
        let off = |ink: &Plane| (ink.at[30 * width + 17] - plain_ink.at[30 * width + 17]).abs();
        let (in_part, without) = (off(&scale.ink(&glaring).0), off(&scale.ink_in_glare(&glaring).unwrap()));
        assert!(in_part > 0.3 && without < 0.2, "{in_part} {without}");
        assert!(scale.ink_in_glare(&plain).is_none());
    }
}

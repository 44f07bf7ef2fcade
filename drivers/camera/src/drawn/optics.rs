//! A camera that looks at a drawn card, with all that goes wrong.

use std::borrow::Borrow;

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::{CARD, CORNER, Design, MARK, PER_MM, PICTURE, Texture, geometry};
use crate::deck::Shown;
use crate::frame::Frame;

/// A spot of glare.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Glare {
    /// Where in the picture, mm.
    pub at: (f32, f32),
    /// Its radius, mm.
    pub radius: f32,
    /// How strong, in parts of paper's brightness.
    pub strength: f32,
}

/// How the light falls.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Light {
    /// How strong, 1 as the deck was learnt.
    pub strength: f32,
    /// How much stronger at one side than in the middle, and towards which side, radians.
    pub slope: (f32, f32),
    /// A shadow: where its edge is from the picture's middle (mm), its direction (radians), how much of the light it
    /// leaves.
    pub shadow: Option<(f32, f32, f32)>,
    /// Spots of glare.
    pub glare: [Option<Glare>; 2],
    /// What red, green and blue count for.
    pub cast: [f32; 3],
    /// Noise of the sensor, steps of 255.
    pub noise: f32,
}

/// How a card lies before the lens, and what lies upon it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// How far it is from its place at rest, mm to the right and down.
    pub shift: (f32, f32),
    /// Turned, radians.
    pub turn: f32,
    /// Larger or smaller.
    pub size: f32,
    /// Perspective: how much nearer one side is than the other, in parts, across and down.
    pub tilt: (f32, f32),
    /// How far it moves while the picture is exposed, mm down.
    pub motion: f32,
    /// How far it moves while the sensor is read from top to bottom, mm down.
    pub rolling: f32,
    /// Out of focus: radius in pixels.
    pub blur: f32,
    /// A thumb: where its middle is in the picture (mm), and its radius.
    pub thumb: Option<((f32, f32), f32)>,
    /// Specks and scratches.
    pub dirt: u32,
    /// The light.
    pub light: Light,
    /// Quality of the JPEG, nothing where the picture is sent as it is.
    pub jpeg: Option<u8>,
}

/// A picture, and whether its index can be read.
#[derive(Debug, Clone)]
pub struct Picture {
    /// The picture.
    pub frame: Frame,
    /// The index lies where it is looked for, and at most a tenth of it is covered by thumb, dirt or light that the
    /// sensor cannot show.
    pub readable: bool,
}

/// A mouth with a camera.
#[derive(Debug)]
pub struct Scene<D> {
    design: D,
    random: ChaCha8Rng,
}

/// How bright paper is in good light, of 255.
const PAPER: f32 = 205.0;
/// So much of an index may be covered in a picture that counts as readable.
const COVERED: f32 = 0.10;
/// How far an index may be from its place at rest, in parts of its size, to be looked for.
const REACH: f32 = 0.30;

impl Light {
    /// As the deck was learnt.
    #[must_use]
    pub const fn even() -> Self {
        let cast = [0.299, 0.587, 0.114];
        Self { strength: 1.0, slope: (0.0, 0.0), shadow: None, glare: [None; 2], cast, noise: 1.2 }
    }

    /// At a place of the picture, in parts of paper's brightness.
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        let (mx, my) = (PICTURE.0 as f32 / 2.0 / PER_MM, PICTURE.1 as f32 / 2.0 / PER_MM);
        let (slope, towards) = self.slope;
        let mut light = self.strength * (1.0 + slope * ((x - mx) * towards.cos() + (y - my) * towards.sin()) / my);
        if let Some((edge, towards, leaves)) = self.shadow {
            let inside = ((x - mx) * towards.cos() + (y - my) * towards.sin() - edge).clamp(-1.0, 1.0) / 2.0 + 0.5;
            light *= 1.0 - inside * (1.0 - leaves);
        }
        let glare = self.glare.iter().flatten().map(|Glare { at, radius, strength }| {
            strength * (-((x - at.0).powi(2) + (y - at.1).powi(2)) / (radius * radius)).exp()
        });
        (light, glare.sum())
    }
}

impl Look {
    /// A card at rest in good light.
    #[must_use]
    pub const fn at_rest() -> Self {
        Self {
            shift: (0.0, 0.0),
            turn: 0.0,
            size: 1.0,
            tilt: (0.0, 0.0),
            motion: 0.0,
            rolling: 0.0,
            blur: 0.4,
            thumb: None,
            dirt: 0,
            light: Light::even(),
            jpeg: None,
        }
    }

    fn is_thumb(&self, x: f32, y: f32) -> bool {
        self.thumb.is_some_and(|((tx, ty), radius)| ((x - tx) / 0.8).hypot(y - ty) < radius)
    }
}

impl<D: Borrow<Design>> Scene<D> {
    /// A mouth out of which that deck is dealt; noise follows from the seed.
    #[must_use]
    pub fn new(design: D, seed: u64) -> Self {
        Self { design, random: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// A way in which a card may be seen: everything a little, one or two things badly.
    pub fn chance(&mut self) -> Look {
        let r = &mut self.random;
        let mut some = |most: f32| r.random_range(-1.0..1.0_f32) * most;
        let mut look = Look {
            shift: (some(1.6), some(4.5)),
            turn: some(0.035),
            size: 1.0 + some(0.02),
            tilt: (some(0.02), some(0.02)),
            motion: some(0.15).abs(),
            rolling: some(0.25),
            blur: 0.4 + some(0.3).abs(),
            ..Look::at_rest()
        };
        look.light.strength = 1.0 + some(0.12);
        look.light.slope = (some(0.1), some(3.2));
        look.light.noise = 1.5 + some(1.5).abs();
        look.jpeg = Some((80.0 + some(10.0)) as u8);
        for _ in 0..r.random_range(1..=2) {
            self.spoil(&mut look);
        }
        look
    }

    /// One thing goes wrong.
    fn spoil(&mut self, look: &mut Look) {
        let r = &mut self.random;
        let mut within = |from: f32, to: f32| r.random_range(from..to);
        let side = if within(0.0, 1.0) < 0.5 { -1.0 } else { 1.0 };
        match within(0.0, 12.0) as u32 {
            0 => look.turn = side * within(0.04, 0.10),
            1 => look.tilt = (side * within(0.02, 0.07), within(-0.07, 0.07)),
            2 => look.motion = within(0.3, 1.0),
            3 => look.rolling = side * within(0.3, 1.0),
            4 => {
                let at = (within(6.0, 30.0), within(4.0, 36.0));
                look.light.glare[0] = Some(Glare { at, radius: within(1.5, 6.0), strength: within(0.3, 1.2) });
                let at = (at.0 + 5.0, at.1 - 7.0);
                look.light.glare[1] = Some(Glare { at, radius: within(1.0, 3.0), strength: within(0.2, 0.8) });
            }
            5 => look.light.shadow = Some((within(-8.0, 8.0), within(0.0, 6.3), within(0.45, 0.8))),
            6 => look.thumb = Some(((within(18.0, 34.0), within(2.0, 38.0)), within(4.0, 9.0))),
            7 => look.dirt = within(5.0, 30.0) as u32,
            8 => {
                look.light.strength = within(0.5, 0.75);
                look.light.noise = within(4.0, 8.0);
            }
            9 => {
                let (red, green) = (within(0.15, 0.5), within(0.3, 0.6));
                look.light.cast = [red, green, 1.0 - red - green];
            }
            10 => look.jpeg = Some(within(35.0, 60.0) as u8),
            _ => look.blur = within(0.9, 1.6),
        }
    }

    /// Takes a picture.
    pub fn picture(&mut self, what: Shown, look: &Look) -> Picture {
        let (width, height) = PICTURE;
        let texture = self.design.borrow().texture(what);
        let mut plane = vec![0.0_f32; width * height];
        let steps = 1 + (look.motion * PER_MM).ceil() as usize;
        for (n, at) in plane.iter_mut().enumerate() {
            let (u, v) = ((n % width) as f32 + 0.5, (n / width) as f32 + 0.5);
            let sum: f32 = (0..steps)
                .map(|step| {
                    let moved = look.motion * (step as f32 / steps as f32 - 0.5) * PER_MM;
                    reflected(texture, look, u, v - moved)
                })
                .sum();
            *at = sum / steps as f32;
        }
        let covered = self.lay_upon(look, &mut plane);
        blur(&mut plane, look.blur);
        let mut luma = Vec::with_capacity(plane.len());
        for (n, at) in plane.iter().enumerate() {
            let (x, y) = ((n % width) as f32 / PER_MM, (n / width) as f32 / PER_MM);
            let (light, glare) = look.light.at(x, y);
            let noise: f32 = (0..4).map(|_| self.random.random_range(-1.0..1.0_f32)).sum();
            let seen = PAPER * (at * light + glare) + noise * look.light.noise * 0.87;
            luma.push(seen.round().clamp(0.0, 255.0) as u8);
        }
        let mut frame = Frame::new(width, height, luma).unwrap_or_else(|_| unreachable!("it has that size"));
        if let Some(quality) = look.jpeg
            && let Ok(sent) = frame.jpeg(quality).and_then(|jpeg| Frame::decode(&jpeg))
        {
            frame = sent;
        }
        let index = geometry().index;
        let off = |shift: f32, side: usize| (shift * PER_MM / side as f32).abs() <= REACH;
        let in_place = off(look.shift.0, index.width) && off(look.shift.1, index.height);
        Picture { frame, readable: in_place && covered <= COVERED }
    }

    /// Dirt and the thumb. How much of the index they and the glare cover.
    fn lay_upon(&mut self, look: &Look, plane: &mut [f32]) -> f32 {
        let (width, height) = PICTURE;
        let mut hidden = vec![false; plane.len()];
        for _ in 0..look.dirt {
            let r = &mut self.random;
            let (x, y) = (r.random_range(0.0..width as f32), r.random_range(0.0..height as f32));
            let (radius, long, dark) =
                (r.random_range(0.6..2.6_f32), r.random_range(1.0..5.0_f32), r.random_range(0.2..0.7));
            for (n, at) in plane.iter_mut().enumerate() {
                let (dx, dy) = ((n % width) as f32 - x, (n / width) as f32 - y);
                if (dx / long).hypot(dy) < radius {
                    *at = at.min(dark);
                    hidden[n] = true;
                }
            }
        }
        let index = geometry().index;
        let (sx, sy) = (look.shift.0 * PER_MM, look.shift.1 * PER_MM);
        let (mut inside, mut covered) = (0.0_f32, 0.0_f32);
        for (n, at) in plane.iter_mut().enumerate() {
            let (u, v) = ((n % width) as f32, (n / width) as f32);
            let (x, y) = (u / PER_MM, v / PER_MM);
            let (light, glare) = look.light.at(x, y);
            let is_thumb = look.is_thumb(x, y);
            let is_hidden = is_thumb || PAPER * (0.98 * light + glare) >= 255.0;
            if is_thumb {
                *at = 0.45;
            }
            let (iu, iv) = (u - sx - index.x as f32, v - sy - index.y as f32);
            if iu >= 0.0 && iv >= 0.0 && iu < index.width as f32 && iv < index.height as f32 {
                inside += 1.0;
                covered += f32::from(u8::from(is_hidden || hidden[n]));
            }
        }
        // what has left the picture is covered too
        let whole = (index.width * index.height) as f32;
        (covered + (whole - inside).max(0.0)) / whole
    }
}

/// What the mouth gives back at a pixel: the mark, the card, or the dark behind.
fn reflected(texture: Option<&Texture>, look: &Look, u: f32, v: f32) -> f32 {
    let (mx, my) = (u - MARK.x as f32, v - MARK.y as f32);
    if mx >= 0.0 && my >= 0.0 && mx < MARK.width as f32 && my < MARK.height as f32 {
        return if (mx as usize / 5).is_multiple_of(2) { 0.95 } else { 0.08 };
    }
    let dark = 0.06;
    let Some(texture) = texture else { return dark };
    // turned and tilted about the middle of the index
    let index = geometry().index;
    let middle = (index.x as f32 + index.width as f32 / 2.0, index.y as f32 + index.height as f32 / 2.0);
    let rolled = look.rolling * PER_MM * (v / PICTURE.1 as f32 - 0.5);
    let (x, y) = (u - middle.0 - look.shift.0 * PER_MM, v - middle.1 - look.shift.1 * PER_MM - rolled);
    let depth = (1.0 + look.tilt.0 * x / 60.0 + look.tilt.1 * y / 60.0) * look.size;
    let (sin, cos) = look.turn.sin_cos();
    let (x, y) = ((cos * x + sin * y) / depth, (-sin * x + cos * y) / depth);
    let (x, y) = (x + middle.0 - CORNER.0, y + middle.1 - CORNER.1);
    if x < 0.0 || y < 0.0 || x >= (CARD.0 - 1) as f32 || y >= (CARD.1 - 1) as f32 {
        return dark;
    }
    let (left, top) = (x as usize, y as usize);
    let (dx, dy) = (x - left as f32, y - top as f32);
    let grey = |x: usize, y: usize| {
        let rgb = texture.rgb.get(y * texture.width + x).copied().unwrap_or_default();
        rgb.iter().zip(look.light.cast).map(|(colour, weight)| f32::from(*colour) * weight).sum::<f32>() / 255.0
    };
    let upper = grey(left, top) * (1.0 - dx) + grey(left + 1, top) * dx;
    let lower = grey(left, top + 1) * (1.0 - dx) + grey(left + 1, top + 1) * dx;
    upper * (1.0 - dy) + lower * dy
}

/// Out of focus, nearly as a lens does it: twice a box.
fn blur(plane: &mut [f32], radius: f32) {
    let (width, height) = PICTURE;
    let edge = radius.min(2.0) / (1.0 + 2.0 * radius.min(2.0));
    for _ in 0..2 {
        let from = plane.to_vec();
        let at = |x: usize, y: usize| from[y.min(height - 1) * width + x.min(width - 1)];
        for (n, place) in plane.iter_mut().enumerate() {
            let (x, y) = (n % width, n / width);
            *place = at(x, y) * (1.0 - 2.0 * edge) + edge * (at(x.saturating_sub(1), y) + at(x + 1, y));
        }
        let from = plane.to_vec();
        let at = |x: usize, y: usize| from[y.min(height - 1) * width + x];
        for (n, place) in plane.iter_mut().enumerate() {
            let (x, y) = (n % width, n / width);
            *place = at(x, y) * (1.0 - 2.0 * edge) + edge * (at(x, y.saturating_sub(1)) + at(x, y + 1));
        }
    }
}

//! Whether the camera sees at all: by the mark beside the cards, which is in every picture.

use std::fmt;

use crate::deck::{Deck, Rect};
use crate::frame::Frame;
use crate::plane::{Plane, dot};

/// Points of a mark's side, as it is compared.
const SIDE: usize = 24;
/// Pictures that are the same to the last bit, one after the other: a sensor always has some noise.
const FROZEN: u32 = 30;
/// Pictures of a kind before a trouble is one, and before it is over.
const SURE: u32 = 5;
/// The light on the mark, beside what it was when the deck was learnt.
const DARK: f32 = 0.45;
const BRIGHT: f32 = 1.6;
/// How alike the mark is to what it was.
const COVERED: f32 = 0.55;
/// How steep its edges are, beside what they were.
const BLURRED: f32 = 0.5;

/// Why a camera's pictures cannot be believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// The same picture comes again and again.
    Frozen,
    /// Too little light.
    Dark,
    /// Too much light.
    Bright,
    /// The mark is not where it was.
    Covered,
    /// The mark's edges are not sharp.
    Blurred,
    /// The pictures have another size than those that the deck was learnt from.
    Size,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Frozen => "the camera sends the same picture again and again: take its power away and give it back",
            Self::Dark => "the camera sees too little light: look at its lamp, its exposure and the lens",
            Self::Bright => {
                "the camera sees too much light: look at its exposure, and at lamps that shine into the mouth"
            }
            Self::Covered => "the camera does not see its mark: the lens is covered, or camera or shoe have been moved",
            Self::Blurred => "the camera's picture is not sharp: clean the lens, and see to its focus",
            Self::Size => {
                "the camera's pictures have another size than those of the deck: set it as it was, or learn anew"
            }
        })
    }
}

/// Watches pictures.
#[derive(Debug, Clone)]
pub struct View {
    mark: Rect,
    picture: (usize, usize),
    learnt: Vec<f32>,
    light: f32,
    steepness: f32,
    last: Option<(u64, u32)>,
    /// What the last pictures showed, and how many of them.
    lately: (Option<Trouble>, u32),
    now: Option<Trouble>,
}

impl View {
    /// By the mark of a deck.
    #[must_use]
    pub fn new(deck: &Deck) -> Self {
        let mark = deck.geometry().mark;
        let whole = Rect { x: 0, y: 0, ..mark };
        let plane = Plane::of(deck.mark(), whole, SIDE, SIDE);
        Self {
            mark,
            picture: deck.geometry().picture,
            light: plane.percentile(90),
            steepness: relative_steepness(&plane),
            learnt: unit(&plane),
            last: None,
            lately: (None, 0),
            now: None,
        }
    }

    /// Whether a mark can be watched: it has light and dark.
    pub(crate) fn is_of_use(&self) -> bool {
        self.light > 60.0 && self.steepness > 0.05
    }

    /// Takes the next picture. What is wrong, once it is sure.
    pub fn take(&mut self, frame: &Frame) -> Option<Trouble> {
        let found = self.found(frame);
        let (before, count) = self.lately;
        let count = if before == found { count.saturating_add(1) } else { 1 };
        self.lately = (found, count);
        // the same picture so often is sure already
        if count >= SURE || found == Some(Trouble::Frozen) {
            self.now = found;
        }
        self.now
    }

    fn found(&mut self, frame: &Frame) -> Option<Trouble> {
        if frame.size() != self.picture {
            return Some(Trouble::Size);
        }
        let sum = fingerprint(frame.pixels());
        let same = self.last.filter(|(before, _)| *before == sum).map_or(0, |(_, count)| count.saturating_add(1));
        self.last = Some((sum, same));
        if same >= FROZEN {
            return Some(Trouble::Frozen);
        }
        let plane = Plane::of(frame, self.mark, SIDE, SIDE);
        let light = plane.percentile(90) / self.light.max(1.0);
        let alike = dot(&unit(&plane), &self.learnt);
        let signs = [
            (light < DARK, Trouble::Dark),
            (light > BRIGHT, Trouble::Bright),
            (alike < COVERED, Trouble::Covered),
            (relative_steepness(&plane) < BLURRED * self.steepness, Trouble::Blurred),
        ];
        signs.into_iter().find_map(|(is_so, trouble)| is_so.then_some(trouble))
    }
}

/// FNV-1a over words.
fn fingerprint(pixels: &[u8]) -> u64 {
    let mut sum = 0xCBF2_9CE4_8422_2325_u64;
    for word in pixels.chunks(8) {
        let word = word.iter().fold(0_u64, |word, byte| word << 8 | u64::from(*byte));
        sum = (sum ^ word).wrapping_mul(0x0000_0100_0000_01B3);
    }
    sum
}

fn relative_steepness(plane: &Plane) -> f32 {
    plane.steepness() / plane.percentile(90).max(1.0)
}

/// Its numbers, of mean 0 and length 1.
pub(crate) fn unit(plane: &Plane) -> Vec<f32> {
    let mean = plane.mean();
    let mut at: Vec<f32> = plane.at.iter().map(|at| at - mean).collect();
    let length = dot(&at, &at).sqrt().max(1e-6);
    at.iter_mut().for_each(|at| *at /= length);
    at
}

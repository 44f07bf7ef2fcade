//! A camera that looks on while cards are drawn.

use std::borrow::Borrow;
use std::collections::VecDeque;

use super::{Design, Look, Scene};
use crate::deck::Shown;
use crate::frame::Frame;

/// Cards that are drawn before a camera, one after the other.
#[derive(Debug)]
pub struct Video<D> {
    scene: Scene<D>,
    /// What is in the mouth: how it is seen, and how far its index is from its place at rest (mm).
    passing: Option<(Shown, Look, f32)>,
    waiting: VecDeque<Shown>,
    /// Pictures of the empty mouth before the next card.
    gap: u32,
    /// Nobody sees anything: a hand is on the lens.
    covered: bool,
    /// The picture that comes again and again.
    frozen: Option<Frame>,
}

/// How far a card moves from picture to picture, mm; where its index is when it comes, and when it has left.
const STEP: f32 = 3.5;
const COMES: f32 = 36.0;
const LEFT: f32 = -98.0;
/// The least light of a table, as the deck was learnt 1, and what a shadow leaves of it at the least.
const LIGHT: f32 = 0.8;
const SHADOW: f32 = 0.65;
/// Pictures of the empty mouth between two cards.
const BETWEEN: u32 = 4;

impl<D: Borrow<Design>> Video<D> {
    /// Out of a deck of that design.
    #[must_use]
    pub fn new(design: D, seed: u64) -> Self {
        let scene = Scene::new(design, seed);
        Self { scene, passing: None, waiting: VecDeque::new(), gap: 0, covered: false, frozen: None }
    }

    /// A card is drawn, its face or its back to the lens.
    pub fn draw(&mut self, what: Shown) {
        self.waiting.push_back(what);
    }

    /// A hand on the lens, or away from it.
    pub fn cover(&mut self, covered: bool) {
        self.covered = covered;
    }

    /// The same picture again and again, or not.
    pub fn freeze(&mut self, frozen: bool) {
        self.frozen = frozen.then(|| self.next_frame());
    }

    /// Whether every card has left.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.passing.is_none() && self.waiting.is_empty() && self.gap == 0
    }

    /// The next picture.
    pub fn next_frame(&mut self) -> Frame {
        if let Some(frozen) = &self.frozen {
            return frozen.clone();
        }
        self.gap = self.gap.saturating_sub(1);
        if self.passing.is_none() && self.gap == 0 {
            self.passing = self.waiting.pop_front().map(|what| {
                let look = Look { rolling: STEP * 0.1, motion: STEP * 0.1, ..self.scene.chance() };
                // the dealer's thumb and badly dirty cards are the reader's to be measured by, not the table's
                let mut look = Look { thumb: None, dirt: look.dirt.min(3), ..look };
                // so is light so weak that the camera would be said not to see
                look.light.strength = look.light.strength.max(LIGHT);
                look.light.shadow = look.light.shadow.map(|(edge, to, leaves)| (edge, to, leaves.max(SHADOW)));
                (what, look, COMES)
            });
        }
        let (what, look) = match &mut self.passing {
            Some((what, look, at)) => {
                *at -= STEP;
                (*what, Look { shift: (look.shift.0, *at), ..*look })
            }
            None => (Shown::Nothing, Look { jpeg: Some(85), ..Look::at_rest() }),
        };
        if self.passing.as_ref().is_some_and(|(_, _, at)| *at < LEFT) {
            (self.passing, self.gap) = (None, BETWEEN);
        }
        let mut look = look;
        if self.covered {
            (look.light.strength, look.light.glare, look.light.shadow) = (0.02, [None; 2], None);
        }
        self.scene.picture(what, &look).frame
    }
}

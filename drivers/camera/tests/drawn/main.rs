//! The reader before cards that are drawn: a design of our own, and those of games that Debian has.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

mod doubtful;
mod learning;
mod measure;
mod passing;
mod seeing;

use sabot_camera::drawn::{Design, geometry, lesson};
use sabot_camera::{Deck, Lessons, Shown};

/// A deck of that design, learnt.
fn learnt(design: &Design) -> Deck {
    let mut lessons = Lessons::new(geometry());
    Shown::all().for_each(|what| lessons.show(what, lesson(design, what, 5)).unwrap());
    lessons.learnt().unwrap()
}

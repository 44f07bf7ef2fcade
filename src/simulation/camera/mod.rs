//! `sabot twin camera`: a camera that looks on while drawn cards are dealt, as MJPEG on a TCP port.

mod levers;

use std::net::SocketAddr;
use std::path::Path;

pub use levers::{LEVERS, Lever};
use sabot_camera::drawn::{Design, Video, lesson};
use sabot_camera::{DeckError, Shown};

use super::third_party::{Model, Port, ThirdPartyTwin, ThirdPartyTwinError};

/// Between two pictures, milliseconds: fifty a second.
const PICTURE_MS: u64 = 20;
/// Quality of its JPEGs.
const QUALITY: u8 = 85;

/// A camera that runs in a thread of its own until this is dropped.
pub type CameraTwin = ThirdPartyTwin<Lever>;

impl CameraTwin {
    /// Starts a camera on a TCP port before a deck of that design. How its cards lie, and its noise, follow from
    /// `seed`.
    ///
    /// # Errors
    /// When the port or the thread cannot be had.
    pub fn start(at: SocketAddr, design: Design, seed: u64) -> Result<Self, ThirdPartyTwinError> {
        let camera = Camera { video: Video::new(design, seed), next: 0 };
        Self::run("camera", &Port::Tcp(at), camera, LEVERS, seed)
    }
}

/// Writes the pictures that a deck is learnt from into a folder, each named by what it shows.
///
/// # Errors
/// When a file cannot be written.
pub fn lessons(design: &Design, folder: &Path, seed: u64) -> Result<(), DeckError> {
    for (n, what) in (0..).zip(Shown::all()) {
        let path = folder.join(format!("{what}.jpg"));
        let jpeg = lesson(design, what, seed + n).jpeg(95);
        let jpeg = jpeg.map_err(|why| DeckError::Picture { what: what.to_string(), why })?;
        std::fs::write(&path, jpeg).map_err(|why| DeckError::File { path, why })?;
    }
    Ok(())
}

#[derive(Debug)]
struct Camera {
    video: Video<Design>,
    /// When the next picture is due.
    next: u64,
}

impl Model for Camera {
    type Lever = Lever;

    fn obey(&mut self, _: u64, lever: Lever) -> Vec<Vec<u8>> {
        match lever {
            Lever::Draw(what) => self.video.draw(what),
            Lever::Cover(covered) => self.video.cover(covered),
            Lever::Freeze(frozen) => self.video.freeze(frozen),
        }
        Vec::new()
    }

    /// It hears nothing.
    fn receive(&mut self, _: u64, _: &[u8]) -> Vec<Vec<u8>> {
        Vec::new()
    }

    fn tick(&mut self, now: u64) -> Vec<Vec<u8>> {
        if now < self.next {
            return Vec::new();
        }
        // a machine that was held up does not catch up: a camera's pictures are of the moment
        self.next = now + PICTURE_MS;
        self.video.next_frame().jpeg(QUALITY).into_iter().collect()
    }

    fn sent(&mut self, _: u64) {}

    fn restart(&mut self) {}
}

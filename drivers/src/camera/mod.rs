//! A camera at the mouth of the shoe. `docs/drivers.md` says where its pictures come from, and what this driver tells.
//!
//! A thread of its own takes the pictures and reads them, as that takes milliseconds; the session hears what each of
//! them showed, and tells cards.

mod device;
mod seen;
mod session;
mod source;

use std::path::PathBuf;
use std::sync::Arc;

use sabot_camera::{Out, Reader, View};
use sabot_wire::message::Role;
use tokio::net::UnixStream;
use tokio::sync::{mpsc, watch};

use crate::link::{Link, LinkReport, spawn_machine};
use crate::transport::{Connect, OpenError};

pub use device::{DeviceError, Running, Wanted};
pub use session::CameraSession;
pub use source::{Source, SourceError, pictures};

/// A table's camera.
#[derive(Debug, Clone)]
pub struct CameraConfig {
    /// Where its pictures come from.
    pub port: PathBuf,
    /// The side of the picture that cards leave to.
    pub out: Out,
    /// The file of the deck that it was shown.
    pub deck: PathBuf,
    /// What is asked of a camera at a device file.
    pub wanted: Wanted,
    /// What reads by that deck.
    pub eyes: Eyes,
}

/// What reads the pictures.
#[derive(Debug, Clone)]
pub struct Eyes {
    /// Cards.
    pub reader: Arc<Reader>,
    /// Whether it sees at all.
    pub view: View,
}

/// Where it is, and what it knows.
impl PartialEq for CameraConfig {
    fn eq(&self, other: &Self) -> bool {
        (&self.port, self.out, &self.deck, self.wanted) == (&other.port, other.out, &other.deck, other.wanted)
    }
}

impl Eq for CameraConfig {}

/// Starts the task of a camera. It ends when `shutdown` becomes true or its sender is dropped, or when nobody takes the
/// reports any more. Must be called within a tokio runtime.
pub fn spawn(
    config: &CameraConfig,
    reports: mpsc::Sender<(Role, LinkReport)>,
    shutdown: watch::Receiver<bool>,
) -> Link {
    let session = CameraSession::new(config.out);
    spawn_machine(CameraPort::of(config), Role::Shoe, session, reports, shutdown)
}

/// Where a camera's pictures come from, and what reads them.
#[derive(Debug)]
pub struct CameraPort {
    source: Source,
    eyes: Eyes,
}

impl CameraPort {
    /// Of a table's camera.
    #[must_use]
    pub fn of(config: &CameraConfig) -> Self {
        Self { source: Source::of(&config.port, config.wanted), eyes: config.eyes.clone() }
    }
}

impl Connect for CameraPort {
    type Stream = UnixStream;

    async fn connect(&mut self) -> Result<UnixStream, OpenError> {
        let failed = |why: String| OpenError::Other { place: self.source.to_string(), why };
        let (ours, theirs) = std::os::unix::net::UnixStream::pair().map_err(|why| failed(why.to_string()))?;
        ours.set_nonblocking(true).map_err(|why| failed(why.to_string()))?;
        let ours = UnixStream::from_std(ours).map_err(|why| failed(why.to_string()))?;
        let (source, eyes) = (self.source.clone(), self.eyes.clone());
        let opening = tokio::task::spawn_blocking(move || source.open().map(|open| (open, eyes))).await;
        let (open, eyes) = opening.map_err(|why| failed(why.to_string()))?.map_err(|why| failed(why.to_string()))?;
        let look = move || seen::look(open, eyes, theirs);
        std::thread::Builder::new().name("camera".to_owned()).spawn(look).map_err(|why| failed(why.to_string()))?;
        Ok(ours)
    }

    fn place(&self) -> String {
        self.source.to_string()
    }
}

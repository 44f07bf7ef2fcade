//! A numeric pad on USB, or another keyboard, as the kernel's evdev shows it. `docs/drivers.md` says what its keys mean
//! and what this driver promises.

mod events;
mod session;

use std::os::unix::fs::FileTypeExt as _;
use std::path::{Path, PathBuf};

use sabot_wire::message::Role;
use tokio::io::{Join, Sink, join, sink};
use tokio::net::unix::pipe::{OpenOptions, Receiver};
use tokio::sync::{mpsc, watch};

use crate::link::{Link, LinkReport, spawn_machine};
use crate::transport::{Connect, Holder, OpenError};

pub use events::EVENT;
pub use session::PadSession;

/// A table's pad.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PadConfig {
    /// Its device file; or a named pipe, through which what such a file gives is played.
    pub port: PathBuf,
}

/// Starts the task of a pad. It ends when `shutdown` becomes true or its sender is dropped, or when nobody takes the
/// reports any more. Must be called within a tokio runtime.
pub fn spawn(config: PadConfig, reports: mpsc::Sender<(Role, LinkReport)>, shutdown: watch::Receiver<bool>) -> Link {
    spawn_machine(PadPort::new(config.port), Role::Keypad, PadSession::default(), reports, shutdown)
}

/// Where a pad is.
#[derive(Debug, Clone)]
pub struct PadPort(PathBuf);

impl PadPort {
    /// At a device file, or a named pipe.
    pub fn new(port: impl Into<PathBuf>) -> Self {
        Self(port.into())
    }
}

impl Connect for PadPort {
    /// A pad is told nothing.
    type Stream = Join<Receiver, Sink>;

    async fn connect(&mut self) -> Result<Self::Stream, OpenError> {
        let is_played = std::fs::metadata(&self.0).is_ok_and(|what| what.file_type().is_fifo());
        if !is_played {
            OpenError::before_opening(&self.0)?;
        }
        let failed = |why: std::io::Error| OpenError::Other { place: self.place(), why: why.to_string() };
        let receiver = OpenOptions::new().unchecked(true).open_receiver(&self.0).map_err(failed)?;
        if !is_played {
            grab(&self.0, &receiver)?;
        }
        Ok(join(receiver, sink()))
    }

    fn place(&self) -> String {
        self.0.display().to_string()
    }
}

/// Takes the pad for this program alone: its keys reach no console and no other program, until it is closed.
#[cfg(target_os = "linux")]
fn grab(path: &Path, open: &Receiver) -> Result<(), OpenError> {
    use std::io::ErrorKind;
    use std::os::fd::AsFd;

    let place = || path.display().to_string();
    let device = open.as_fd().try_clone_to_owned().and_then(evdev::Device::from_fd);
    let mut device = device.map_err(|why| OpenError::Other {
        place: place(),
        why: format!("it is no keyboard ({why}); name the pad's device file, under /dev/input/by-id"),
    })?;
    device.grab().map_err(|why| match why.kind() {
        ErrorKind::ResourceBusy => OpenError::InUse { place: place(), holder: Holder::UNKNOWN },
        _ => OpenError::Other { place: place(), why: why.to_string() },
    })
}

#[cfg(not(target_os = "linux"))]
fn grab(path: &Path, _: &Receiver) -> Result<(), OpenError> {
    let place = path.display().to_string();
    Err(OpenError::Other { place, why: "a pad is read on Linux alone".to_owned() })
}

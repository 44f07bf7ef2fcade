//! What bytes travel over: serial ports, TCP, a pipe in memory, and any of them with faults.

pub mod error;
pub mod faulty;
pub mod lock;
pub mod memory;
pub mod name;
mod process;
pub mod serial;
pub mod sysfs;
pub mod tcp;

use std::future::Future;
use std::path::Path;

use tokio::io::{AsyncRead, AsyncWrite};

pub use error::OpenError;
pub use faulty::{FaultCounts, FaultInjector, Faults, Faulty, FaultyPlace};
pub use memory::{MemoryPort, MemorySocket, memory};
pub use name::PortName;
pub use process::Holder;
pub use serial::SerialPort;
pub use sysfs::Sysfs;
pub use tcp::TcpPort;

/// Who has the lock of a port (a path without links), as its lock file tells. Nothing is opened, nobody disturbed.
#[must_use]
pub fn lock_holder(real: &Path) -> Option<Holder> {
    lock::PortLock::holder(real)
}

/// Who has a port (a path without links): by its lock file, or else by what processes have open, as far as the system
/// shows it.
#[must_use]
pub fn holder_of(real: &Path) -> Option<Holder> {
    lock_holder(real).or_else(|| process::holder_of(real))
}

/// A place a device can be reached at, again and again: each call of [`Connect::connect`] opens it anew.
pub trait Connect: Send + 'static {
    /// What is read from and written to. Dropping it closes it.
    type Stream: AsyncRead + AsyncWrite + Unpin + Send;

    /// Opens the place once; does not wait for a device to appear.
    ///
    /// # Errors
    /// When it cannot be opened now: absence is a state, the caller tries again.
    fn connect(&mut self) -> impl Future<Output = Result<Self::Stream, OpenError>> + Send;

    /// The place, as a person would name it.
    fn place(&self) -> String;
}

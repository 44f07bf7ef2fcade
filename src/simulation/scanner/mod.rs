//! `sabot twin scanner`: a card scanner on a pseudo-terminal, with levers for what passes it and for its faults.

mod levers;
mod model;

use std::path::PathBuf;

pub use levers::{LEVERS, Lever};
pub use sabot_drivers::scanner::Protocol;

use super::third_party::{BareDevice, Port, ThirdPartyTwin, ThirdPartyTwinError};
use model::Scanner;

/// A scanner that runs in a thread of its own until this is dropped.
pub type ScannerTwin = ThirdPartyTwin<Lever>;

impl ScannerTwin {
    /// Starts a scanner; `link` becomes a symbolic link to its port. What noise does follows from `seed`.
    ///
    /// # Errors
    /// When the port or the thread cannot be had.
    pub fn start(link: PathBuf, protocol: Protocol, seed: u64) -> Result<Self, ThirdPartyTwinError> {
        Self::run("scanner", &Port::Serial(link), Scanner::new(protocol), LEVERS, seed)
    }
}

/// A scanner without a thread.
#[must_use]
pub fn bare(protocol: Protocol) -> BareDevice<Lever> {
    BareDevice::new(Scanner::new(protocol))
}

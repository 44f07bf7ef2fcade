//! `sabot twin feig`: FEIG readers on a pseudo-terminal or a TCP port, with levers for their tags and their faults.

mod air;
mod levers;
mod model;

pub use super::third_party::{BareDevice, Port};
pub use levers::{LEVERS, Lever};

use super::third_party::{ThirdPartyTwin, ThirdPartyTwinError};
use model::Bus;

/// FEIG readers that run in a thread of their own until this is dropped.
pub type FeigTwin = ThirdPartyTwin<Lever>;

impl FeigTwin {
    /// Starts that many readers on one line, addressed from 0. What noise does, and which tags are missed, follows from
    /// `seed`.
    ///
    /// # Errors
    /// When the port or the thread cannot be had.
    pub fn start(port: &Port, readers: u8, seed: u64) -> Result<Self, ThirdPartyTwinError> {
        Self::run("feig", port, Bus::new(readers, matches!(port, Port::Serial(_)), seed), LEVERS, seed)
    }
}

/// That many readers on one line of a network, without a thread.
#[must_use]
pub fn bare(readers: u8, seed: u64) -> BareDevice<Lever> {
    BareDevice::new(Bus::new(readers, false, seed))
}

/// The same on a serial line.
#[must_use]
pub fn bare_serial(readers: u8, seed: u64) -> BareDevice<Lever> {
    BareDevice::new(Bus::new(readers, true, seed))
}

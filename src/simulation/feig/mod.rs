//! `sabot twin feig`: FEIG readers on a pseudo-terminal or a TCP port, with levers for their tags and their faults.

mod levers;
mod model;

use std::io::BufRead;
use std::net::SocketAddr;

pub use super::third_party::Port;
pub use levers::{BadLever, Lever};

use super::third_party::{ThirdPartyTwin, ThirdPartyTwinError};
use model::Bus;

/// FEIG readers that run in a thread of their own until this is dropped.
#[derive(Debug)]
pub struct FeigTwin(ThirdPartyTwin<Lever>);

impl FeigTwin {
    /// Starts that many readers on one line, addressed from 0. What noise does follows from `seed`.
    ///
    /// # Errors
    /// When the port or the thread cannot be had.
    pub fn start(port: &Port, readers: u8, seed: u64) -> Result<Self, ThirdPartyTwinError> {
        let bus = Bus::new(readers, matches!(port, Port::Serial(_)));
        ThirdPartyTwin::start("feig", port, bus, seed).map(Self)
    }

    /// Where it listens, on TCP.
    #[must_use]
    pub const fn address(&self) -> Option<SocketAddr> {
        self.0.address()
    }

    /// Pulls a lever. Returns at once.
    pub fn pull(&self, lever: Lever) {
        self.0.pull(lever);
    }

    /// Pulls the levers that lines name, until they end; `complain` gets each line that names none.
    ///
    /// # Errors
    /// When the lines cannot be read.
    pub fn obey(&self, lines: impl BufRead, complain: impl FnMut(usize, BadLever)) -> Result<(), ThirdPartyTwinError> {
        self.0.obey(lines, levers::parse, complain)
    }
}

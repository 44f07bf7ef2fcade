//! `sabot twin scanner`: a card scanner on a pseudo-terminal, with levers for what passes it and for its faults.

mod levers;
mod model;

use std::io::BufRead;
use std::path::PathBuf;

pub use levers::{BadLever, Lever};
pub use sabot_drivers::scanner::Protocol;

use super::third_party::{Port, ThirdPartyTwin, ThirdPartyTwinError};
use model::Scanner;

/// A scanner that runs in a thread of its own until this is dropped.
#[derive(Debug)]
pub struct ScannerTwin(ThirdPartyTwin<Lever>);

impl ScannerTwin {
    /// Starts a scanner; `link` becomes a symbolic link to its port. What noise does follows from `seed`.
    ///
    /// # Errors
    /// When the port or the thread cannot be had.
    pub fn start(link: PathBuf, protocol: Protocol, seed: u64) -> Result<Self, ThirdPartyTwinError> {
        ThirdPartyTwin::start("scanner", &Port::Serial(link), Scanner::new(protocol), seed).map(Self)
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

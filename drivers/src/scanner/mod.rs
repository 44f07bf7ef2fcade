//! Card scanners on a serial port: bought equipment in the place of the shoe. `docs/drivers.md` says which settings,
//! timings and limits this driver has.

pub mod line;
pub mod packet;
mod reads;
mod ssi;
mod symbols;
mod text;

use std::path::PathBuf;
use std::sync::Arc;

use sabot_wire::message::{Role, ShoeSaw};
use tokio::sync::{mpsc, watch};

use crate::link::{Link, LinkReport, spawn_machine};
use crate::transport::{Connect, SerialPort};

pub use ssi::{ProtocolFault, SsiSession};
pub use symbols::{BadSymbol, MAX_SYMBOL, Symbols};
pub use text::TextSession;

/// Bits a second where nothing else is configured; 8 data bits, no parity, 1 stop bit.
pub const DEFAULT_BAUD: u32 = 9600;
/// Milliseconds within which the same symbol is the same card seen twice, where equal cards have equal symbols and
/// nothing else is configured. Two cards do not leave a shoe so quickly.
pub const DEFAULT_DUPLICATE_MS: u64 = 400;
/// The same where every card has a symbol of its own.
pub const DEFAULT_DUPLICATE_UNIQUE_MS: u64 = 5000;

/// What a scanner that sends lines says of a card that it could not read, where nothing else is configured.
pub const NO_READ_LINES: &str = "NOREAD";
/// What one that speaks SSI says of it.
pub const NO_READ_SSI: &str = "NR";

/// What a scanner speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// A line of text a card.
    Lines {
        /// The scanner waits for an ACK (06) after each line, and sends it again after a NAK (15).
        ack: bool,
    },
    /// Zebra's Simple Serial Interface.
    Ssi,
}

/// What a session is to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// What the scanner speaks.
    pub protocol: Protocol,
    /// What its symbols mean.
    pub symbols: Arc<Symbols>,
    /// The same symbol again within so many milliseconds is the same card seen again; 0: never.
    pub duplicate_ms: u64,
    /// What the scanner sends for a card that it could not read.
    pub no_read: Option<String>,
    /// The serial number the scanner must answer with (SSI): `SSI-` and the first word of its software's revision.
    pub serial: Option<String>,
    /// The last thing on record that the shoe saw: a scanner may be sending it still.
    pub last: Option<ShoeSaw>,
}

/// A table's scanner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScannerConfig {
    /// Its serial port.
    pub port: PathBuf,
    /// Speed of the port, bits a second.
    pub baud: u32,
    /// What it is to do.
    pub setup: Setup,
}

/// Starts the task of a scanner. It ends when `shutdown` becomes true or its sender is dropped, or when nobody takes
/// the reports any more. Must be called within a tokio runtime.
pub fn spawn(
    config: ScannerConfig,
    reports: mpsc::Sender<(Role, LinkReport)>,
    shutdown: watch::Receiver<bool>,
) -> Link {
    spawn_over(SerialPort::new(config.port, config.baud), config.setup, reports, shutdown)
}

/// [`spawn`], over any place: a pipe in memory, a line with faults.
pub fn spawn_over<C: Connect>(
    place: C,
    setup: Setup,
    reports: mpsc::Sender<(Role, LinkReport)>,
    shutdown: watch::Receiver<bool>,
) -> Link {
    match setup.protocol {
        Protocol::Lines { ack } => spawn_machine(place, Role::Shoe, TextSession::new(setup, ack), reports, shutdown),
        Protocol::Ssi => spawn_machine(place, Role::Shoe, SsiSession::new(setup), reports, shutdown),
    }
}

//! FEIG OBID i-scan readers over their ISO host protocol, for chips with ISO 15693 tags. `docs/drivers.md` says which
//! settings, timings and limits this driver has.

pub mod frame;
pub mod message;
pub mod session;
mod spots;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use sabot_wire::message::{BetSpot, Role};
use tokio::sync::{mpsc, watch};

use crate::link::{Link, LinkReport, spawn_machine};
use crate::transport::{Connect, SerialPort, TcpPort};
use session::Session;

/// Bits a second where nothing else is configured; even parity, 8 data bits, 1 stop bit.
pub const DEFAULT_BAUD: u32 = 38_400;
/// TCP port of a reader where nothing else is configured.
pub const DEFAULT_TCP_PORT: u16 = 10_001;
/// Milliseconds between two rounds of the readers where nothing else is configured.
pub const DEFAULT_POLL_MS: u64 = 100;
/// Milliseconds for which a tag that a buffered reader has seen lies there, where nothing else is configured.
pub const DEFAULT_HOLD_MS: u64 = 2000;

/// A betting spot and what sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot {
    /// Betting box, from 1.
    pub box_no: u8,
    /// Hand within the box, from 0.
    pub hand: u8,
    /// Spot within the box.
    pub spot: BetSpot,
    /// Address of its reader on the bus; none: the only reader of the line, whatever its address.
    pub reader: Option<u8>,
    /// Which of its reader's antennas, in buffered mode; none: every one.
    pub antenna: Option<u8>,
}

/// Whence a chip's value is known.
#[derive(Clone, PartialEq, Eq)]
pub enum Values {
    /// By the identifier of its tag; a tag that is not here is worth nothing.
    Known(Arc<HashMap<u64, u32>>),
    /// From this block of its tag: four bytes, the highest first.
    Block(u8),
}

/// Chips' identifiers are in no log.
impl std::fmt::Debug for Values {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Known(known) => write!(f, "Known({} chips)", known.len()),
            Self::Block(block) => write!(f, "Block({block})"),
        }
    }
}

/// Times that depend on the line, milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timing {
    /// Silence before a frame is sent.
    pub idle_ms: u64,
    /// Silence after which the rest of a frame will not come.
    pub gap_ms: u64,
}

impl Timing {
    /// A serial line: 5 ms of silence before a frame, 12 ms at the most between two bytes, and the 16 ms for which a
    /// USB adapter may hold bytes back.
    pub const SERIAL: Self = Self { idle_ms: 5, gap_ms: 12 + 16 };
    /// A network keeps no time between bytes; a frame in two packets takes longer when the first try is lost.
    pub const TCP: Self = Self { idle_ms: 0, gap_ms: 250 };
}

/// What a session is to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// Every spot, with its reader.
    pub spots: Vec<Spot>,
    /// What chips are worth.
    pub values: Values,
    /// The readers watch by themselves and keep records of what they saw.
    pub buffered: bool,
    /// The serial number of the reader with the lowest address, where only that one may be there: `FEIG-` and 8 digits.
    pub serial: Option<String>,
    /// Milliseconds between two rounds of the readers.
    pub poll_ms: u64,
    /// Milliseconds for which a tag that a buffered reader has seen lies there.
    pub hold_ms: u64,
    /// Times of the line.
    pub timing: Timing,
}

/// Where the readers are reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A serial port, and its speed in bits a second.
    Serial(PathBuf, u32),
    /// Host and TCP port.
    Tcp(String),
}

/// The readers of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeigConfig {
    /// Where.
    pub place: Place,
    /// What they are to do.
    pub setup: Setup,
}

/// Starts the task of the readers on one line. It ends when `shutdown` becomes true or its sender is dropped, or when
/// nobody takes the reports any more. Must be called within a tokio runtime.
pub fn spawn(config: FeigConfig, reports: mpsc::Sender<(Role, LinkReport)>, shutdown: watch::Receiver<bool>) -> Link {
    match config.place {
        Place::Serial(port, baud) => spawn_over(SerialPort::new(port, baud).even(), config.setup, reports, shutdown),
        Place::Tcp(address) => spawn_over(TcpPort::new(address), config.setup, reports, shutdown),
    }
}

/// [`spawn`], over any place: a pipe in memory, a line with faults.
pub fn spawn_over<C: Connect>(
    place: C,
    setup: Setup,
    reports: mpsc::Sender<(Role, LinkReport)>,
    shutdown: watch::Receiver<bool>,
) -> Link {
    spawn_machine(place, Role::Chips, Session::new(setup), reports, shutdown)
}

//! FEIG OBID i-scan readers over their ISO host protocol, for chips and cards with ISO 15693 tags. `docs/drivers.md`
//! says which settings, timings and limits this driver has.

pub mod frame;
mod lines;
pub mod message;
pub mod records;
pub mod session;
mod setup_check;
mod shared;
mod spots;

use std::collections::HashSet;
use std::path::PathBuf;

use sabot_wire::message::Role;
use tokio::sync::{mpsc, watch};

use crate::link::{Link, LinkReport, spawn_machine};
use crate::saw::Pad;
use crate::transport::{Connect, SerialPort, TcpPort};
use records::AntennaByte;
use session::Session;
pub use shared::{CardTags, ChipValues, ReaderLines};

/// Bits a second where nothing else is configured; even parity, 8 data bits, 1 stop bit.
pub const DEFAULT_BAUD: u32 = 38_400;
/// TCP port of a reader where nothing else is configured.
pub const DEFAULT_TCP_PORT: u16 = 10_001;
/// Milliseconds between two rounds of the readers where nothing else is configured.
pub const DEFAULT_POLL_MS: u64 = 100;
/// Milliseconds for which a tag that a buffered reader has seen lies there, where nothing else is configured.
pub const DEFAULT_HOLD_MS: u64 = 2000;

/// A place of the felt and what sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot {
    /// Which.
    pub at: Pad,
    /// Address of its reader on the bus; none: the only reader of the line, whatever its address.
    pub reader: Option<u8>,
    /// Which of its reader's antennas, in buffered mode; none: every one.
    pub antenna: Option<u8>,
}

/// Whence a chip's value is known.
#[derive(Clone, PartialEq, Eq)]
pub enum Values {
    /// By the identifier of its tag; a tag that is not here is worth nothing.
    Known(ChipValues),
    /// From this block of its tag: four bytes, the highest first.
    Block(u8),
}

/// Chips' identifiers are in no log.
impl std::fmt::Debug for Values {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Known(known) => known.fmt(f),
            Self::Block(block) => write!(f, "Block({block})"),
        }
    }
}

/// When a tag of a polled spot lies there, and when it is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hysteresis {
    /// The last rounds that count for a tag that comes; and so many without one more tag make a spot told. 1 to 31.
    pub rounds: u32,
    /// In so many of them it must have been read.
    pub appear: u32,
    /// In so many rounds in a row it must have been missed to be gone …
    pub missed: u32,
    /// … and for so long, milliseconds.
    pub vanish_ms: u64,
}

impl Hysteresis {
    /// Where nothing else is configured. At 97 % a tag and round, a stack of 60 that lies still loses one in 1.4
    /// million hours of five rounds a second.
    pub const DEFAULT: Self = Self { rounds: 5, appear: 2, missed: 8, vanish_ms: 1500 };
    /// Of the antenna at the shoe, unless configured: a card passes it in less than two rounds, and none lies there.
    pub const PASSING: Self = Self { appear: 1, ..Self::DEFAULT };
    /// Of a buffered reader: the time for which a record holds takes the place of rounds.
    const BUFFERED: Self = Self { appear: 1, missed: 1, vanish_ms: 0, ..Self::DEFAULT };
}

/// Times that depend on the line, milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timing {
    /// Silence before a frame is sent.
    pub idle_ms: u64,
    /// Silence after which the rest of a frame will not come.
    pub gap_ms: u64,
    /// The longest answer that is asked for is under way for so long.
    pub answer_ms: u64,
}

/// Bytes of the longest answer that is asked for, 64 records or 60 tags, at the most.
const LONG_ANSWER: u64 = 1024;
/// Bits that a byte takes on the line: start, eight, parity and stop.
const BITS_A_BYTE: u64 = 11;

impl Timing {
    /// A network keeps no time between bytes; a frame in two packets takes longer when the first try is lost.
    pub const TCP: Self = Self { idle_ms: 0, gap_ms: 250, answer_ms: 250 };

    /// A serial line: 5 ms of silence before a frame, 12 ms at the most between two bytes, and the 16 ms for which a
    /// USB adapter may hold bytes back.
    #[must_use]
    pub const fn serial(baud: u32) -> Self {
        let baud = if baud == 0 { 1 } else { baud as u64 };
        Self { idle_ms: 5, gap_ms: 12 + 16, answer_ms: 100 + LONG_ANSWER * BITS_A_BYTE * 1000 / baud }
    }
}

/// So many readers that are polled on one line tell chips within three seconds; more take longer than a dealer takes
/// for his next act.
pub const READERS_A_LINE: usize = 7;

/// What a session is to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// Every spot, with its reader.
    pub spots: Vec<Spot>,
    /// What chips are worth.
    pub values: Values,
    /// Which tags are in cards.
    pub cards: CardTags,
    /// The readers watch by themselves and keep records of what they saw.
    pub buffered: bool,
    /// The serial number of the reader with the lowest address, where only that one may be there: `FEIG-` and 8 digits.
    pub serial: Option<String>,
    /// Milliseconds between two rounds of the readers.
    pub poll_ms: u64,
    /// Milliseconds for which a tag that a buffered reader has seen lies there, at the least.
    pub hold_ms: u64,
    /// How records name the antenna.
    pub antennas: AntennaByte,
    /// When a tag of a polled spot lies there.
    pub hysteresis: Hysteresis,
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

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Serial(port, _) => port.display().fmt(f),
            Self::Tcp(address) => address.fmt(f),
        }
    }
}

/// The readers of one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeigLine {
    /// Where.
    pub place: Place,
    /// What they are to do.
    pub setup: Setup,
}

impl Setup {
    /// What its readers are at the table: one that sees cards leave the shoe is the shoe.
    #[must_use]
    pub fn role(&self) -> Role {
        let is_shoe = self.spots.iter().any(|spot| spot.at == Pad::Cards(sabot_wire::message::Place::Shoe));
        if is_shoe { Role::Shoe } else { Role::Chips }
    }
}

impl FeigLine {
    /// The places where its antennas see cards.
    pub fn places(&self) -> impl Iterator<Item = sabot_wire::message::Place> {
        self.setup.spots.iter().map(|spot| spot.at.place())
    }

    /// That more readers are asked one after the other than tell a payment in time, in words with a way out. Readers
    /// that watch by themselves are asked for what they have seen, which is quick.
    #[must_use]
    pub fn crowded(&self) -> Option<String> {
        let readers: HashSet<u8> = self.setup.spots.iter().filter_map(|spot| spot.reader).collect();
        let count = readers.len();
        (count > READERS_A_LINE && !self.setup.buffered).then(|| {
            format!(
                "{count} readers share this line, and a payment is told too late: {READERS_A_LINE} at the most, the \
                 others on a line of their own, or buffered readers (docs/build, what reading costs in time)"
            )
        })
    }
}

/// What is wrong where readers on two lines tell one serial number, with the way out.
fn on_two_lines(serial: &str, first: &str, second: &str) -> String {
    format!(
        "the reader {serial} answers on {first} and on {second}: one reader is configured twice, or one of the two is a \
         copy; name at each line the port of a reader of its own, and take a copy away"
    )
}

/// What cannot be told where a reader has no serial number of its own.
pub const NO_SERIAL: &str = "the reader tells no serial number: that it is configured twice, or another is in its place, \
                             cannot be noticed";

/// The serial number of a reader that has one of its own.
#[must_use]
pub fn own_serial(serial: &str) -> Option<&str> {
    Some(serial).filter(|serial| *serial != session::NAMELESS)
}

/// Starts the tasks of a table's readers, on one line or several: together they are one device. `known` says which
/// readers answer on the table's lines, those of other devices too: of two with one serial number the later is refused.
/// They end when `shutdown` becomes true or its sender is dropped, or when nobody takes the reports any more. Must be
/// called within a tokio runtime.
pub fn spawn(
    lines: Vec<FeigLine>,
    known: &ReaderLines,
    reports: mpsc::Sender<(Role, LinkReport)>,
    shutdown: watch::Receiver<bool>,
) -> Link {
    lines::spawn(lines, known, reports, shutdown)
}

/// Starts the task of the readers on one line.
fn spawn_line(
    line: FeigLine,
    known: &ReaderLines,
    reports: mpsc::Sender<(Role, LinkReport)>,
    shutdown: watch::Receiver<bool>,
) -> Link {
    let (role, name) = (line.setup.role(), line.place.to_string());
    let session = Session::new(line.setup).among(name, known.clone());
    match line.place {
        Place::Serial(port, baud) => {
            spawn_machine(SerialPort::new(port, baud).even(), role, session, reports, shutdown)
        }
        Place::Tcp(address) => spawn_machine(TcpPort::new(address), role, session, reports, shutdown),
    }
}

/// The readers of one line, over any place: a pipe in memory, a line with faults.
pub fn spawn_over<C: Connect>(
    place: C,
    setup: Setup,
    reports: mpsc::Sender<(Role, LinkReport)>,
    shutdown: watch::Receiver<bool>,
) -> Link {
    spawn_machine(place, setup.role(), Session::new(setup), reports, shutdown)
}

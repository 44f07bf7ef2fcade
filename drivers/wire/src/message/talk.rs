//! What the two ends say to each other: who they are, that they share a key, what was seen, what is to be shown.

use heapless::String;
use serde::{Deserialize, Serialize};

use super::{Image, Key, LINE_BYTES, Nonce, Observation, Point, Role, SERIAL_BYTES};

/// What a device says when a session begins, and whenever the host says hello.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceHello {
    /// Version of the link.
    pub protocol: u8,
    /// Role.
    pub role: Role,
    /// Serial number, as printed on the housing.
    pub serial: String<SERIAL_BYTES>,
    /// Firmware version, major minor patch.
    pub firmware: [u8; 3],
    /// Hash of the message schema this device was built with.
    pub schema: u32,
    /// Times the device has started.
    pub boots: u32,
    /// Number of the ring of events: it changes when the ring was lost, and sequence numbers begin again at 1.
    pub epoch: u32,
    /// Oldest event still held, or the next to come where none is held.
    pub oldest: u32,
}

/// Bytes of the name of a source file, at the most.
pub const FILE_BYTES: usize = 24;

/// Why a device has started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Started {
    /// It got power.
    Power,
    /// Its reset button, or a programmer.
    Reset,
    /// Its watchdog was not fed: some duty hung.
    Watchdog,
    /// It found a mistake of its own and gave up.
    Panic {
        /// Source file, its last bytes where the name is longer.
        file: String<FILE_BYTES>,
        /// Line in it.
        line: u32,
    },
    /// It does not know.
    Unknown,
}

impl Started {
    /// The same, where the name of a file can be shown: printable ASCII. It is told by a device.
    pub(crate) fn in_print(self) -> Self {
        match self {
            Self::Panic { file, line } if !file.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ') => {
                let shown = file.chars().map(|letter| if letter.is_ascii_graphic() { letter } else { '?' });
                Self::Panic { file: shown.collect(), line }
            }
            _ => self,
        }
    }
}

/// What a device says first in a sealed session: its hello once more, now believable, and what else the host must know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ready {
    /// Its hello.
    pub hello: DeviceHello,
    /// Why it has started.
    pub started: Started,
    /// First event of this start, or the next to come: the times of those before it are of an earlier start's clock.
    pub fresh: u32,
    /// Its clock now, milliseconds since its start.
    pub at_ms: u32,
}

/// From a device to the host. Clear: [`ToHost::Hello`], [`ToHost::Answer`], [`ToHost::Unpaired`], [`ToHost::Exchange`];
/// all else only sealed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToHost {
    /// An observation. Kept by the device until acknowledged.
    Event {
        /// Sequence number within the epoch, from 1, without gaps.
        seq: u32,
        /// The device's clock, milliseconds since its start.
        at_ms: u32,
        /// What was seen.
        saw: Observation,
    },
    /// Who the device is.
    Hello(DeviceHello),
    /// Answer to a ping in version 1.
    Pong(u32),
    /// Answer to a challenge: in versions 2 and 3 the device seals from here on what it sends.
    Answer {
        /// The challenge.
        to: Nonce,
        /// The device's part of the session's keys.
        nonce: Nonce,
        /// Drawn with them: only who holds the device's key can know it.
        proof: [u8; 16],
    },
    /// Answer to a challenge by a device that was never given a key.
    Unpaired,
    /// In versions 2 and 3 the first sealed message, and the answer to a sealed hello.
    Ready(Ready),
    /// Answer to a ping in version 2.
    Time {
        /// Number of the ping.
        ping: u32,
        /// The device's clock, milliseconds since its start.
        at_ms: u32,
    },
    /// Answer to a ping.
    Clock {
        /// Number of the ping.
        ping: u32,
        /// The device's clock, milliseconds since its start.
        at_ms: u32,
        /// The newest event of the ring, whether it is still held or acknowledged; 0 before the first.
        newest: u32,
    },
    /// Answer to the host's share: from here on the device seals what it sends.
    Exchange {
        /// The device's answer to the challenge.
        to: Nonce,
        /// Its share of the session's keys.
        share: Point,
        /// Drawn with them.
        proof: [u8; 16],
    },
    /// The first sealed message, and the answer to a sealed hello.
    Running {
        /// That the device is in the session, and since when.
        ready: Ready,
        /// What it runs.
        image: Image,
    },
}

/// What the pit display shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Show {
    /// One line of text.
    Line {
        /// Row, from 0.
        row: u8,
        /// Text, UTF-8.
        text: String<LINE_BYTES>,
    },
    /// The lamp.
    Lamp(Lamp),
    /// The buzzer, milliseconds; 0 silences it.
    Buzz(u16),
}

/// The lamp of the pit display.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Lamp {
    /// Dark: nothing to say.
    Off,
    /// Green: by the book.
    Green,
    /// Amber: a notice.
    Amber,
    /// Red: an irregularity or an integrity finding.
    Red,
}

/// From the host to a device. Clear: [`ToDevice::Hello`], [`ToDevice::Challenge`], [`ToDevice::Pair`],
/// [`ToDevice::Exchange`]; all else only sealed, and a hello may be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToDevice {
    /// Every event up to and with `seq` of `epoch` is durable: forget it.
    Ack {
        /// Epoch of the ring.
        epoch: u32,
        /// Sequence number.
        seq: u32,
    },
    /// Say hello. Sealed: say that you are ready, then send every event you hold.
    Hello {
        /// Version of the link.
        protocol: u8,
        /// Schema hash of the host.
        schema: u32,
    },
    /// Answer with your time.
    Ping(u32),
    /// For the display.
    Show(Show),
    /// Prove that you hold the key.
    Challenge(Nonce),
    /// Your key from now on. Obeyed by a device that has none, and by one that was told by hand to be paired.
    Pair(Key),
    /// The host's share of the session's keys, once the device has answered.
    Exchange {
        /// The device's answer to the challenge.
        to: Nonce,
        /// The share.
        share: Point,
        /// Only who holds the device's key can know it.
        proof: [u8; 16],
    },
}

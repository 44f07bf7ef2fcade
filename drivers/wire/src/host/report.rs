//! What a session is told at its beginning, and what it tells.

use heapless::String;

use crate::message::{DeviceHello, Image, Key, Observation, Role, SERIAL_BYTES, Started};
use crate::witness::Keeps;
use crate::{PROTOCOL, SCHEMA_4, Version};

/// Which device belongs on the port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expect {
    /// Its role.
    pub role: Role,
    /// Its serial number, where it is pinned.
    pub serial: Option<String<SERIAL_BYTES>>,
}

impl Expect {
    /// The version that a device speaks which says this; or why it is not the one. Whether it holds its key is not
    /// asked here.
    ///
    /// # Errors
    /// When it is another than this, or says what no device may.
    pub fn version(&self, hello: &DeviceHello) -> Result<Version, Refusal> {
        if !is_serial(&hello.serial) {
            return Err(Refusal::Name);
        }
        let version = Version::of(hello.protocol).ok_or(Refusal::Protocol { found: hello.protocol })?;
        self.refusal(hello, version).map_or(Ok(version), Err)
    }

    fn refusal(&self, hello: &DeviceHello, version: Version) -> Option<Refusal> {
        if hello.role != self.role {
            return Some(Refusal::Role { expected: self.role, found: hello.role });
        }
        if !version.understands(hello.role, hello.schema) {
            return Some(Refusal::Schema { found: hello.schema });
        }
        if hello.oldest == 0 {
            return Some(Refusal::Numbers { serial: hello.serial.clone() });
        }
        match &self.serial {
            Some(pinned) if *pinned != hello.serial => {
                Some(Refusal::Serial { expected: pinned.clone(), found: hello.serial.clone() })
            }
            _ => None,
        }
    }
}

/// Whether a serial number is one: printable ASCII. Anything else could write over a terminal or a log.
#[must_use]
pub fn is_serial(serial: &str) -> bool {
    !serial.is_empty() && serial.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ')
}

/// The keys of the devices that may be used.
pub trait Keyring {
    /// The key of the device with this serial number, where it was paired.
    fn key(&self, serial: &str) -> Option<Key>;

    /// A key that it may have taken instead: its pairing was not heard to the end.
    fn next(&self, _serial: &str) -> Option<Key> {
        None
    }

    /// The device with this serial number has used the key that was kept beside its own: that one is its own now.
    fn took_next(&self, _serial: &str) {}

    /// The device of this role is to be paired. Where its serial number is known to be that of another role's, that
    /// role: the other's key would be lost.
    fn held_by(&self, _serial: &str, _role: Role) -> Option<Role> {
        None
    }

    /// A device of this role has proved that it holds the key of this serial number. Where another of the table's
    /// devices goes by it, that one's role: no two may.
    fn met(&self, _serial: &str, _role: Role) -> Option<Role> {
        None
    }

    /// Keeps a key that the device with this serial number is about to take, beside the one it has. False where it
    /// cannot be kept: the device is not told to take it.
    fn keeps(&self, _serial: &str, _key: &Key) -> bool {
        true
    }
}

/// One key for whatever device is there: for a bench, and for pairing.
impl Keyring for Key {
    fn key(&self, _: &str) -> Option<Key> {
        Some(self.clone())
    }
}

/// The last durable event of a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resume {
    /// The device's serial number.
    pub serial: String<SERIAL_BYTES>,
    /// Epoch of its ring.
    pub epoch: u32,
    /// Sequence number of the event.
    pub seq: u32,
    /// How often the device had started when it was last here, or less; none where that is not known.
    pub boots: Option<u32>,
}

/// Why a device that says hello is not the one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It speaks another version of the link.
    #[error("the device speaks version {found} of the link, this program version {PROTOCOL}: update the older one")]
    Protocol {
        /// The device's version.
        found: u8,
    },
    /// It has spoken a newer version to this host before.
    #[error(
        "the device with serial number {serial} speaks version {found} of the link and has spoken a newer one: an older \
         program was flashed, or somebody stands in between"
    )]
    Downgraded {
        /// Its serial number.
        serial: String<SERIAL_BYTES>,
        /// The version it speaks.
        found: u8,
    },
    /// Its serial number is none, and is not repeated here.
    #[error("the device gives a serial number that is empty or has other characters than printable ASCII")]
    Name,
    /// Its messages have another shape.
    #[error(
        "the device was built with message schema {found:08x}, this program with {SCHEMA_4:08x}: update the older one"
    )]
    Schema {
        /// The device's schema hash.
        found: u32,
    },
    /// It is something else.
    #[error("a {found} answers where the configuration names a {expected}: swap the cables or the ports")]
    Role {
        /// What the caller expects.
        expected: Role,
        /// What the device is.
        found: Role,
    },
    /// It is another of its kind.
    #[error("the device with serial number {found} answers where the configuration pins {expected}")]
    Serial {
        /// The pinned serial number.
        expected: String<SERIAL_BYTES>,
        /// The device's.
        found: String<SERIAL_BYTES>,
    },
    /// This station has no key of it, or it has none itself.
    #[error("the device with serial number {serial} is not paired with this station: run `sabot device pair`")]
    Unpaired {
        /// The device's serial number.
        serial: String<SERIAL_BYTES>,
    },
    /// It counts its events otherwise than agreed: what it sees could be taken for what came before.
    #[error("the device with serial number {serial} numbers an event 0, and the first is 1: its program is wrong")]
    Numbers {
        /// The device's serial number.
        serial: String<SERIAL_BYTES>,
    },
    /// It does not know the code that was typed.
    #[error(
        "the device with serial number {serial} does not know the code: it was mistyped, is another device's, or \
         somebody stands in between"
    )]
    Code {
        /// Its serial number.
        serial: String<SERIAL_BYTES>,
    },
    /// The key that it was about to take cannot be kept here.
    #[error("the key of {serial} cannot be kept here, and the device has the one that it had; the log says why")]
    Unkept {
        /// Its serial number.
        serial: String<SERIAL_BYTES>,
    },
    /// Another device of the table goes by its serial number, and has the same key.
    #[error(
        "the {role} of this table calls itself {serial} too, and has the same key: one is a copy of the other. Give this \
         one a serial number of its own, and pair it"
    )]
    Doubled {
        /// The serial number of both.
        serial: String<SERIAL_BYTES>,
        /// What the other one is.
        role: Role,
    },
    /// It is to be paired under the serial number of another of the station's devices.
    #[error(
        "the {role} that is paired with this station has serial number {serial} too: give this device one of its own, \
         or remove the line of {serial} from the file of keys, where that {role} is gone"
    )]
    Taken {
        /// The serial number of both.
        serial: String<SERIAL_BYTES>,
        /// What the other one is.
        role: Role,
    },
    /// It has proved that it holds its key, and what it says then is no message.
    #[error(
        "what the device with serial number {serial} says of its start (`Running`) is no message of the link: its \
         program is wrong; `sabot device conform` examines it"
    )]
    Senseless {
        /// Its serial number.
        serial: String<SERIAL_BYTES>,
    },
    /// It does not hold the key that this station has for it.
    #[error(
        "the device that calls itself {serial} does not hold the key of {serial}: it was swapped, paired with another \
         station, or another device of that serial number was paired after it"
    )]
    Key {
        /// The serial number it gives.
        serial: String<SERIAL_BYTES>,
    },
}

impl Refusal {
    /// A bit for each kind.
    pub(super) const fn kind(&self) -> u16 {
        match self {
            Self::Protocol { .. } => 1,
            Self::Name => 1 << 1,
            Self::Schema { .. } => 1 << 2,
            Self::Role { .. } => 1 << 3,
            Self::Serial { .. } => 1 << 4,
            Self::Unpaired { .. } => 1 << 5,
            Self::Numbers { .. } => 1 << 6,
            Self::Key { .. } => 1 << 7,
            Self::Downgraded { .. } => 1 << 8,
            Self::Code { .. } => 1 << 9,
            Self::Unkept { .. } => 1 << 10,
            Self::Doubled { .. } => 1 << 11,
            Self::Taken { .. } => 1 << 12,
            Self::Senseless { .. } => 1 << 13,
        }
    }
}

/// Events the device gave up, or acknowledged by somebody else, before this session had them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missed {
    /// The device lost its ring. What it held after the last event of the old epoch is unknown. It may use that epoch
    /// again, though it should not: it has started anew and numbers its events from below those that came.
    RingLost {
        /// The old epoch.
        epoch: u32,
        /// The last event of it that came.
        last: u32,
    },
    /// The device no longer holds these.
    Forgotten {
        /// First missing sequence number.
        from: u32,
        /// Last missing sequence number.
        to: u32,
    },
    /// Its ring goes on under its epoch, and its count of starts has gone back: its memory was put back, or another
    /// device has its key and its ring. Whether it has seen something that never comes is unknown.
    WentBack {
        /// The start that was here.
        from: u32,
        /// The start that is here now.
        to: u32,
    },
}

/// What does not come from a device, though it must be there: somebody stands in between, or its program is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Withheld {
    /// Events that the device says it has.
    Events {
        /// First of them.
        from: u32,
        /// Last of them.
        to: u32,
    },
    /// Its answers to pings, while other frames of it come.
    Answers,
}

/// What a session tells its caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Report {
    /// The device said hello and is the right one; said again when it has restarted.
    Online {
        /// What it said.
        hello: DeviceHello,
        /// Why it has started.
        started: Started,
        /// What it runs, from version 4 on.
        image: Option<Image>,
        /// Events that will never come, where some will not.
        missed: Option<Missed>,
    },
    /// Everything that the device kept before it came into session has been told. Said once after each
    /// [`Report::Online`], unless the session ends before.
    CaughtUp,
    /// The device said hello and is not the right one.
    Refused(Refusal),
    /// The next event, each exactly once and in order.
    Saw {
        /// Epoch of the device's ring.
        epoch: u32,
        /// Sequence number.
        seq: u32,
        /// The device's clock, milliseconds since its start.
        at_ms: u32,
        /// How long ago it was seen, milliseconds; none where the device's clock of then is not known.
        age_ms: Option<u32>,
        /// What it saw; none where what it says of that means nothing: its program is wrong.
        saw: Option<Observation>,
    },
    /// A frame came that neither the device nor the line can have made: it was recorded and played again, or invented.
    /// Said once a session.
    Forged,
    /// Events that will never come, found out within the session: the device has fewer than it once told.
    Missed(Missed),
    /// Something that the device has said does not come, and most of what was lost came damaged: what it says is no
    /// longer taken until it is [`Report::Online`] again, in the same session.
    Garbled,
    /// Something that the device has said does not come. Said once until all has.
    Withheld(Withheld),
    /// The event just told was seen so long before, in session, and nothing here held it up. Said once until one comes
    /// in time, and once more beyond [`HELD_BACK_MS`](crate::HELD_BACK_MS).
    Late {
        /// How long ago, milliseconds.
        age_ms: u32,
    },
    /// The device's clock has gone back within one start: its times are not used. Said once a start.
    ClockWentBack,
    /// The device says which checkpoints of records it keeps.
    Keeps(Keeps),
    /// The device was in session and has said nothing for [`SILENCE_MS`](crate::SILENCE_MS).
    Silent,
}

/// What came over the line, since the session was made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counters {
    /// Events reported.
    pub events: u64,
    /// Frames that were damaged or too long, and clear ones that made no sense.
    pub bad_frames: u64,
    /// Sealed frames that made no sense: the device's program is wrong.
    pub senseless: u64,
    /// Events that came again and were dropped.
    pub repeats: u64,
    /// Sealed frames that came once more, byte for byte, and were dropped: somebody or something plays them again.
    pub replayed: u64,
    /// Sealed frames that never came: numbers missing between those that did.
    pub missing: u64,
    /// Frames of the host's own that the line gave back.
    pub echoes: u64,
    /// Events that came before their turn and were dropped; the device was asked to send again.
    pub gaps: u64,
    /// Sound messages outside a session, and stale hellos.
    pub ignored: u64,
    /// Undamaged frames that do not open in the session: replayed or invented.
    pub forged: u64,
}

//! The link to one device: a task that keeps the port open against all comings and goings, and the handle to it.
//!
//! The task tells the station what it sees over a bounded channel, each event exactly once and in order. While that
//! channel is full it reads no more from the port: the device keeps its events in its ring, and nothing is lost. The
//! handle never blocks; what it is given (acknowledgements, texts) is state, replaced by what is newer.

mod counting;
pub mod machine;
mod mailbox;
pub mod pair;
mod presence;
pub mod quality;
mod supervise;

use std::path::PathBuf;
use std::sync::Arc;

use sabot_wire::clock::Clock;
use sabot_wire::host::{self, Expect, Host, Keyring, Missed, Withheld};
use sabot_wire::message::{DeviceHello, Image, Role, Show, Started};
use sabot_wire::witness::{Checkpoint, Keeps};
use sabot_words::Times;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use crate::saw::{Picture, ReadRate, Saw};
use crate::transport::{Connect, SerialPort};
use counting::CountingHost;
use machine::{Distrust, Machine};
use mailbox::Mailbox;
use quality::Quality;
use supervise::{Reports, Supervisor};

/// Which device, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkConfig {
    /// What it is for.
    pub role: Role,
    /// Its serial port; best a link that names the device, not the order of plugging.
    pub port: PathBuf,
    /// Speed of the port, bits a second.
    pub baud: u32,
    /// The device's own serial number, when only that one device may be there.
    pub serial: Option<String>,
    /// What it is to run, where that is pinned. One that runs something else is not refused: it is told.
    pub image: Option<Image>,
}

/// The last event of a device that is on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resume {
    /// Serial number of the device.
    pub serial: String,
    /// Epoch of its ring.
    pub epoch: u32,
    /// Sequence number within the epoch.
    pub seq: u32,
    /// How often the device had started then, or less; none where that is not known.
    pub boots: Option<u32>,
}

/// What a link tells the station.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "nearly every report is the large one, and a box each would be slower")]
pub enum LinkReport {
    /// The device is not there; why, in words. SessionReport again when the reason changes.
    Absent(String),
    /// The port is open; the device has not said hello yet.
    Connecting,
    /// In session. SessionReport again when the device has restarted.
    Online {
        /// What it says of itself.
        hello: DeviceHello,
        /// Why it has started.
        started: Started,
        /// What it runs, where its protocol tells.
        image: Option<Image>,
        /// It keeps what it sees while nobody hears it: [`LinkReport::CaughtUp`] follows once all that is told.
        keeps: bool,
    },
    /// Everything that the device kept while nobody heard it has been told.
    CaughtUp,
    /// Events of the device that will never come. Most often it follows [`LinkReport::Online`].
    Missed(Missed),
    /// Another device than the configured one answers.
    Refused {
        /// Why it is refused, in words.
        why: String,
        /// What of that makes it suspect.
        distrust: Option<Distrust>,
    },
    /// A frame was played again or invented: somebody is at the cable. SessionReport once a session.
    Forged,
    /// Something of the device's own setting does not fit; what, and what to change, in words.
    Advice(String),
    /// Something that the device has said does not come: somebody stands in between. Said once until all has.
    Withheld(Withheld),
    /// The event just told was seen so long before, and nothing here held it up. Said once until one comes in time.
    Late {
        /// How long, milliseconds.
        age_ms: u32,
    },
    /// The device's clock has gone back within one start: its times are not used until the next.
    ClockWentBack,
    /// It says which checkpoints of records it keeps.
    Keeps(Keeps),
    /// An event.
    Saw(Seen),
    /// What the card of an event looked like. It comes after the event, once the card has left.
    Picture {
        /// Serial number of the device that told the event.
        serial: String,
        /// Epoch of the event.
        epoch: u32,
        /// Its number.
        seq: u32,
        /// The picture.
        jpeg: Picture,
    },
    /// The line has become poor, or good again.
    Quality(Quality),
}

/// An event of a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// Role of the device.
    pub role: Role,
    /// Its serial number.
    pub serial: String,
    /// Epoch of its ring.
    pub epoch: u32,
    /// Sequence number within the epoch.
    pub seq: u32,
    /// The device's clock, milliseconds since its start.
    pub at_ms: u32,
    /// What it saw; none where what it says of that means nothing: its program is wrong, not the cable.
    pub saw: Option<Saw>,
    /// When, as far as that is known.
    pub when: Option<When>,
}

/// When a device saw something, by the host's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct When {
    /// When it was received.
    pub received: Instant,
    /// How long before that it was seen, milliseconds.
    pub age_ms: u32,
    /// How wrong that may be, milliseconds either way.
    pub error_ms: u32,
}

impl When {
    /// Received now, and seen `age_ms` ago give or take `error_ms`, but not later than it came. A device that answers
    /// slowly, or a machine that is busy, leaves its clock known badly, and by that alone a card could have been drawn
    /// after it was told.
    fn received_now(age_ms: u32, error_ms: u32) -> Self {
        let longest = age_ms.saturating_add(error_ms);
        let (age_ms, error_ms) =
            if age_ms < error_ms { (longest / 2, longest.div_ceil(2)) } else { (age_ms, error_ms) };
        Self { received: Instant::now(), age_ms, error_ms }
    }
}

/// What a link has found out of its line and its device's clock.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LineState {
    /// What came so far.
    pub counters: Counters,
    /// How good the line is, with the newest figures.
    pub quality: Quality,
    /// The device's clock beside the session's, while it is in session and its protocol tells its time.
    pub clock: Option<Clock>,
    /// How well the tags of each spot are read, where it reads any.
    pub read_rates: Vec<ReadRate>,
    /// How long it took each time to ask every reader, where there are any.
    pub rounds: Option<Times>,
}

impl LineState {
    fn and(mut self, other: Self) -> Self {
        self.counters = self.counters.and(&other.counters);
        if self.quality == Quality::Good {
            self.quality = other.quality;
        }
        self.clock = self.clock.or(other.clock);
        self.read_rates.extend(other.read_rates);
        self.rounds = match (self.rounds, other.rounds) {
            (Some(one), Some(other)) => Some(one.and(&other)),
            (one, other) => one.or(other),
        };
        self
    }
}

/// What came over a link since it was spawned.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counters {
    /// Events told to the station.
    pub events: u64,
    /// Frames that were damaged or made no sense.
    pub bad_frames: u64,
    /// Those of them that came as the device sent them, and made no sense: its program is wrong, not its cable.
    pub senseless: u64,
    /// Events that came again and were dropped.
    pub repeats: u64,
    /// Sealed frames that came once more, byte for byte, and were dropped.
    pub replayed: u64,
    /// Frames of the station's own that the line gave back.
    pub echoes: u64,
    /// Events that came before their turn and were dropped; the device was asked to send again.
    pub gaps: u64,
    /// Sound messages outside a session, and stale hellos.
    pub ignored: u64,
    /// Frames received, sound or not; 0 where the protocol has none to be counted.
    pub frames: u64,
    /// Times one or more frames were missing between others.
    pub lost: u64,
    /// Events that came again though all were acknowledged: the acknowledgement did not arrive.
    pub unheard: u64,
    /// Sealed frames that never came: numbers missing between those that did.
    pub missing: u64,
    /// Undamaged frames that do not open in the session: replayed or invented.
    pub forged: u64,
    /// Times the device came back into session, a restart of it included.
    pub reconnects: u64,
}

impl Counters {
    const fn and(&self, other: &Self) -> Self {
        Self {
            events: self.events + other.events,
            bad_frames: self.bad_frames + other.bad_frames,
            senseless: self.senseless + other.senseless,
            repeats: self.repeats + other.repeats,
            gaps: self.gaps + other.gaps,
            ignored: self.ignored + other.ignored,
            frames: self.frames + other.frames,
            lost: self.lost + other.lost,
            unheard: self.unheard + other.unheard,
            missing: self.missing + other.missing,
            forged: self.forged + other.forged,
            reconnects: self.reconnects + other.reconnects,
            echoes: self.echoes + other.echoes,
            replayed: self.replayed + other.replayed,
        }
    }
}

/// A handle to a link; cheap to clone, never blocks.
#[derive(Debug, Clone)]
pub struct Link {
    /// One of each line: nearly every device has but one.
    mailboxes: Vec<Arc<Mailbox>>,
}

impl Link {
    /// Every event up to and with `seq` of `epoch` is on disk: the device may forget it.
    pub fn ack(&self, epoch: u32, seq: u32) {
        self.mailboxes.iter().for_each(|mailbox| mailbox.ack(epoch, seq));
    }

    /// What the display is to show from now on. Kept while it is away; rows from
    /// [`DISPLAY_ROWS`](sabot_wire::message::DISPLAY_ROWS) on are left out.
    pub fn show(&self, show: Show) {
        self.mailboxes.iter().for_each(|mailbox| mailbox.show(show.clone()));
    }

    /// Shows the device a checkpoint of the record, to be kept, or asks which one it keeps: [`LinkReport::Keeps`]
    /// follows where it answers that, or does not take what it was shown. Only while the device is in session.
    pub fn witness(&self, shown: Option<Checkpoint>) {
        self.mailboxes.iter().for_each(|mailbox| mailbox.witness(shown));
    }

    /// What came so far.
    #[must_use]
    pub fn counters(&self) -> Counters {
        self.line().counters
    }

    /// The line and the device's clock, as they are now. Of several lines what was counted is summed up, and a poor one
    /// speaks for all.
    #[must_use]
    pub fn line(&self) -> LineState {
        self.mailboxes.iter().map(|mailbox| mailbox.line()).reduce(LineState::and).unwrap_or_default()
    }

    /// The links of several lines as one.
    pub(crate) fn of_all(links: &[Self]) -> Self {
        Self { mailboxes: links.iter().flat_map(|link| &link.mailboxes).cloned().collect() }
    }
}

/// Starts the task of one device on its serial port. It ends when `shutdown` becomes true or its sender is dropped, or
/// when nobody takes the reports any more; nothing else ends it.
///
/// Must be called within a tokio runtime.
pub fn spawn(
    config: LinkConfig,
    keys: impl Keyring + Send + 'static,
    resume: Option<Resume>,
    reports: mpsc::Sender<(Role, LinkReport)>,
    shutdown: watch::Receiver<bool>,
) -> Link {
    let place = SerialPort::new(&config.port, config.baud);
    spawn_over(place, Expected { role: config.role, serial: config.serial, keys }, resume, reports, shutdown)
}

/// The device that belongs on a port.
#[derive(Debug)]
pub struct Expected<K> {
    /// What it is for.
    pub role: Role,
    /// Its serial number, when only that one device may be there.
    pub serial: Option<String>,
    /// The keys of the devices that may be used.
    pub keys: K,
}

/// [`spawn`], over any place: a pipe in memory, a line with faults.
pub fn spawn_over<C: Connect>(
    place: C,
    expected: Expected<impl Keyring + Send + 'static>,
    resume: Option<Resume>,
    reports: mpsc::Sender<(Role, LinkReport)>,
    shutdown: watch::Receiver<bool>,
) -> Link {
    let Expected { role, serial, keys } = expected;
    let serial = serial.as_deref().map(heapless::String::try_from).transpose().map_err(|_| {
        format!(
            "the configuration pins serial number `{}`, and those have 16 bytes at the most",
            serial.as_deref().unwrap_or_default()
        )
    });
    let (entropy, serial) = match entropy().and_then(|entropy| Ok((entropy, serial?))) {
        Ok(both) => both,
        Err(why) => {
            tokio::spawn(supervise::refuse_for_good(Reports::new(role, reports), shutdown, why));
            return Link { mailboxes: Vec::new() };
        }
    };
    let resume = resume.and_then(|Resume { serial, epoch, seq, boots }| {
        let serial = heapless::String::try_from(serial.as_str()).ok()?;
        Some(host::Resume { serial, epoch, seq, boots })
    });
    let host = CountingHost::new(Host::new(Expect { role, serial }, keys, &entropy, resume));
    spawn_machine(place, role, host, reports, shutdown)
}

/// What a session's numbers are drawn from.
pub(crate) fn entropy() -> Result<[u8; 32], String> {
    let mut entropy = [0; 32];
    getrandom::fill(&mut entropy).map_err(|error| format!("the system gives no random numbers: {error}"))?;
    Ok(entropy)
}

/// Starts the task of one device that speaks any protocol: the supervision is the same for all.
pub fn spawn_machine<C: Connect>(
    place: C,
    role: Role,
    machine: impl Machine,
    reports: mpsc::Sender<(Role, LinkReport)>,
    shutdown: watch::Receiver<bool>,
) -> Link {
    let mailbox = Arc::new(Mailbox::default());
    let link = Link { mailboxes: vec![Arc::clone(&mailbox)] };
    tokio::spawn(Supervisor::new(place, machine, mailbox, Reports::new(role, reports), shutdown).run());
    link
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_was_seen_after_it_came() {
        for (age_ms, error_ms, dated) in [
            (100, 3, (100, 3)),
            (344, 344, (344, 344)),
            (101, 344, (222, 223)),
            (0, 7, (3, 4)),
            (0, 0, (0, 0)),
            (5, u32::MAX, (u32::MAX / 2, u32::MAX / 2 + 1)),
        ] {
            let when = When::received_now(age_ms, error_ms);
            assert_eq!((when.age_ms, when.error_ms), dated, "{age_ms} {error_ms}");
        }
    }
}

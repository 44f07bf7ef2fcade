//! The link to one device: a task that keeps the port open against all comings and goings, and the handle to it.
//!
//! The task tells the station what it sees over a bounded channel, each event exactly once and in order. While that
//! channel is full it reads no more from the port: the device keeps its events in its ring, and nothing is lost. The
//! handle never blocks; what it is given (acknowledgements, texts) is state, replaced by what is newer.

mod desk;
pub mod machine;
mod presence;
pub mod quality;
mod supervise;
mod watched;

use std::path::PathBuf;
use std::sync::Arc;

use sabot_wire::host::{self, Expect, Host, Missed};
use sabot_wire::message::{DeviceHello, Observation, Role, Show};
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use crate::transport::{Connect, SerialPort};
use desk::Desk;
use machine::Machine;
use quality::Quality;
use supervise::{Reports, Supervisor};
use watched::Watched;

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
}

/// What a link tells the station.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "nearly every report is the large one, and a box each would be slower")]
pub enum LinkReport {
    /// The device is not there; why, in words. Said again when the reason changes.
    Absent(String),
    /// The port is open; the device has not said hello yet.
    Connecting,
    /// In session. Said again when the device has restarted.
    Online(DeviceHello),
    /// Events of the device that will never come. Follows [`LinkReport::Online`].
    Missed(Missed),
    /// Another device than the configured one answers; in words.
    Refused(String),
    /// An event.
    Saw(Seen),
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
    /// What it saw.
    pub saw: Observation,
    /// When, as far as that is known.
    pub when: Option<When>,
}

/// When a device saw something, by the host's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct When {
    /// When it was received.
    pub received: Instant,
    /// How long before that it was seen, milliseconds.
    pub age_ms: u64,
    /// How wrong that may be, milliseconds either way.
    pub error_ms: u32,
}

/// What a link has found out of its line and its device's clock.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LineState {
    /// What came so far.
    pub counters: Counters,
    /// How good the line is, with the newest figures.
    pub quality: Quality,
}

/// What came over a link since it was spawned.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counters {
    /// Events told to the station.
    pub events: u64,
    /// Frames that were damaged or made no sense.
    pub bad_frames: u64,
    /// Events that came again and were dropped.
    pub repeats: u64,
    /// Events that came before their turn and were dropped; the device was asked to send again.
    pub gaps: u64,
    /// Sound events outside a session, and stale hellos.
    pub ignored: u64,
    /// Frames received, sound or not; 0 where the protocol has none to be counted.
    pub frames: u64,
    /// Times one or more frames were missing between others.
    pub lost: u64,
    /// Events that came again though all were acknowledged: the acknowledgement did not arrive.
    pub unheard: u64,
    /// Frames that were whole and not of this device and session: replayed, put in, or of another key.
    pub forged: u64,
    /// Times the device came back into session, a restart of it included.
    pub reconnects: u64,
}

/// A handle to a link; cheap to clone, never blocks.
#[derive(Debug, Clone)]
pub struct Link {
    desk: Arc<Desk>,
}

impl Link {
    /// Every event up to and with `seq` of `epoch` is on disk: the device may forget it.
    pub fn ack(&self, epoch: u32, seq: u32) {
        self.desk.ack(epoch, seq);
    }

    /// What the display is to show from now on. Kept while it is away; rows from
    /// [`DISPLAY_ROWS`](sabot_wire::message::DISPLAY_ROWS) on are left out.
    pub fn show(&self, show: Show) {
        self.desk.show(show);
    }

    /// What came so far.
    #[must_use]
    pub fn counters(&self) -> Counters {
        self.line().counters
    }

    /// The line and the device's clock, as they are now.
    #[must_use]
    pub fn line(&self) -> LineState {
        self.desk.line()
    }
}

/// Starts the task of one device on its serial port. It ends when `shutdown` becomes true or its sender is dropped, or
/// when nobody takes the reports any more; nothing else ends it.
///
/// Must be called within a tokio runtime.
pub fn spawn(
    config: LinkConfig,
    resume: Option<Resume>,
    reports: mpsc::Sender<(Role, LinkReport)>,
    shutdown: watch::Receiver<bool>,
) -> Link {
    let place = SerialPort::new(&config.port, config.baud);
    spawn_over(place, config.role, config.serial, resume, reports, shutdown)
}

/// [`spawn`], over any place: a pipe in memory, a line with faults.
pub fn spawn_over<C: Connect>(
    place: C,
    role: Role,
    serial: Option<String>,
    resume: Option<Resume>,
    reports: mpsc::Sender<(Role, LinkReport)>,
    shutdown: watch::Receiver<bool>,
) -> Link {
    let pinned = match serial.as_deref().map(heapless::String::try_from).transpose() {
        Ok(pinned) => pinned,
        Err(_) => {
            let serial = serial.unwrap_or_default();
            tokio::spawn(supervise::refuse_for_good(Reports::new(role, reports), shutdown, serial));
            return Link { desk: Arc::default() };
        }
    };
    let resume = resume.and_then(|Resume { serial, epoch, seq }| {
        let serial = heapless::String::try_from(serial.as_str()).ok()?;
        Some(host::Resume { serial, epoch, seq })
    });
    let host = Watched::new(Host::new(Expect { role, serial: pinned }, resume));
    spawn_machine(place, role, host, reports, shutdown)
}

/// Starts the task of one device that speaks any protocol: the supervision is the same for all.
pub fn spawn_machine<C: Connect>(
    place: C,
    role: Role,
    machine: impl Machine,
    reports: mpsc::Sender<(Role, LinkReport)>,
    shutdown: watch::Receiver<bool>,
) -> Link {
    let desk = Arc::new(Desk::default());
    let link = Link { desk: Arc::clone(&desk) };
    tokio::spawn(Supervisor::new(place, machine, desk, Reports::new(role, reports), shutdown).run());
    link
}

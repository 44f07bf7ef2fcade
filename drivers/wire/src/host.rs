//! The host's side of a session: bytes and milliseconds in, frames and reports out. No port, no clock, no allocation.
//!
//! A device is believed once it has said hello as what the caller expects. From then on its events are reported exactly
//! once and in order, whatever the line repeats, loses or swaps, and across restarts of either side as long as the
//! caller keeps the last durable event of each device ([`Resume`]).

use heapless::{String, Vec};

use crate::frame::{Decoder, MAX_FRAME, encode};
use crate::message::{
    DISPLAY_ROWS, DeviceHello, LINE_BYTES, Lamp, Observation, Role, SERIAL_BYTES, Show, ToDevice, ToHost,
};
use crate::{GAP_HELLO_MS, HOST_HELLO_MS, PING_MS, PROTOCOL, REFRESH_MS, SCHEMA, SILENCE_MS};

/// Devices whose last event is remembered while they come and go on one port.
const REMEMBERED: usize = 4;

/// Which device belongs on the port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expect {
    /// Its role.
    pub role: Role,
    /// Its serial number, where it is pinned.
    pub serial: Option<String<SERIAL_BYTES>>,
}

impl Expect {
    /// Why a device that says this is not the one, where it is not.
    #[must_use]
    pub fn refusal(&self, hello: &DeviceHello) -> Option<Refusal> {
        if hello.protocol != PROTOCOL {
            return Some(Refusal::Protocol { found: hello.protocol });
        }
        if hello.role != self.role {
            return Some(Refusal::Role { expected: self.role, found: hello.role });
        }
        if hello.schema != SCHEMA {
            return Some(Refusal::Schema { found: hello.schema });
        }
        match &self.serial {
            Some(pinned) if *pinned != hello.serial => {
                Some(Refusal::Serial { expected: pinned.clone(), found: hello.serial.clone() })
            }
            _ => None,
        }
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
    /// Its messages have another shape.
    #[error(
        "the device was built with message schema {found:08x}, this program with {SCHEMA:08x}: update the older one"
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
}

/// Events the device gave up, or acknowledged by somebody else, before this session had them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missed {
    /// The device lost its ring. What it held after the last event of the old epoch is unknown.
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
}

/// What a session tells its caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Report {
    /// The device said hello and is the right one; said again when it has restarted.
    Online {
        /// What it said.
        hello: DeviceHello,
        /// Events that will never come, where some will not.
        missed: Option<Missed>,
    },
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
        /// What it saw.
        saw: Observation,
    },
    /// The device was in session and has said nothing for [`SILENCE_MS`].
    Silent,
}

/// What came over the line, since the session was made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counters {
    /// Events reported.
    pub events: u64,
    /// Frames that were damaged, too long or made no sense.
    pub bad_frames: u64,
    /// Events that came again and were dropped.
    pub repeats: u64,
    /// Events that came before their turn and were dropped; the device was asked to send again.
    pub gaps: u64,
    /// Sound events outside a session, and stale hellos.
    pub ignored: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum State {
    /// The port is closed.
    Closed,
    /// Hellos go out until one comes back.
    Asking,
    /// The device is not the right one; hellos still go out, in case it is replaced.
    Refused(Refusal),
    /// In session with the device first among the known.
    Online { boots: u32 },
}

#[derive(Debug, Clone)]
struct Known {
    serial: String<SERIAL_BYTES>,
    epoch: u32,
    /// Last event reported.
    delivered: u32,
    /// Last event the caller has called durable.
    durable: u32,
}

/// A host's session with the device on one port.
#[derive(Debug)]
pub struct Host {
    expect: Expect,
    state: State,
    /// Most recent first.
    known: Vec<Known, REMEMBERED>,
    decoder: Decoder,
    counters: Counters,
    screen: Screen,
    hello_due: bool,
    hello_at: Option<u64>,
    ack_due: bool,
    heard_at: u64,
    ping_at: u64,
    pings: u32,
}

impl Host {
    /// A session whose port is still closed. `resume` names the last durable event of devices met before.
    pub fn new(expect: Expect, resume: impl IntoIterator<Item = Resume>) -> Self {
        let mut known = Vec::new();
        for Resume { serial, epoch, seq } in resume.into_iter().take(REMEMBERED) {
            let _ = known.push(Known { serial, epoch, delivered: seq, durable: seq });
        }
        Self {
            expect,
            state: State::Closed,
            known,
            decoder: Decoder::new(),
            counters: Counters::default(),
            screen: Screen::default(),
            hello_due: false,
            hello_at: None,
            ack_due: false,
            heard_at: 0,
            ping_at: 0,
            pings: 0,
        }
    }

    /// The port was opened: a session begins with a hello. `now_ms` here and below is any clock that never goes back.
    pub fn opened(&mut self, now_ms: u64) {
        self.decoder.restart();
        self.ask(now_ms);
    }

    /// The port was closed or has gone.
    pub fn closed(&mut self) {
        self.decoder.restart();
        self.state = State::Closed;
    }

    fn ask(&mut self, now_ms: u64) {
        self.state = State::Asking;
        self.hello_due = true;
        self.hello_at = None;
        self.ack_due = false;
        self.heard_at = now_ms;
    }

    /// Whether the right device is in session.
    #[must_use]
    pub const fn online(&self) -> bool {
        matches!(self.state, State::Online { .. })
    }

    /// What came over the line so far.
    #[must_use]
    pub fn counters(&self) -> Counters {
        Counters { bad_frames: self.decoder.bad(), ..self.counters }
    }

    /// Every event up to and with `seq` of `epoch` is durable: the device is told so by the next
    /// [`Host::transmit`]. An event that was never reported is not acknowledged.
    pub fn durable(&mut self, epoch: u32, seq: u32) {
        let online = self.online();
        let Some(at) = self.known.iter().position(|known| known.epoch == epoch) else { return };
        let Some(known) = self.known.get_mut(at) else { return };
        if seq > known.durable && seq <= known.delivered {
            known.durable = seq;
            self.ack_due |= online && at == 0;
        }
    }

    /// What the display is to show. The newest text of each row and the newest lamp are kept and sent again after each
    /// hello and every [`REFRESH_MS`]; a buzz is sent once. A row from [`DISPLAY_ROWS`] on is not kept.
    pub fn show(&mut self, show: Show) {
        self.screen.set(show);
    }

    /// Takes received bytes and gives the next report they hold. Call it until it gives `None`; `input` is used up then.
    pub fn receive(&mut self, now_ms: u64, input: &mut &[u8]) -> Option<Report> {
        while let Some(message) = self.decoder.next(input) {
            self.heard_at = now_ms;
            let report = match message {
                ToHost::Hello(hello) => self.greeted(now_ms, hello),
                ToHost::Event { seq, at_ms, saw } => self.event(seq, at_ms, saw),
                ToHost::Pong(_) => None,
            };
            if report.is_some() {
                return report;
            }
        }
        None
    }

    fn greeted(&mut self, now_ms: u64, hello: DeviceHello) -> Option<Report> {
        if self.state == State::Closed {
            self.counters.ignored += 1;
            return None;
        }
        if let Some(refusal) = self.expect.refusal(&hello) {
            let news = self.state != State::Refused(refusal.clone());
            self.state = State::Refused(refusal.clone());
            self.hello_due = true;
            return news.then_some(Report::Refused(refusal));
        }
        let same_device = self.known.first().is_some_and(|known| known.serial == hello.serial);
        let again = match self.state {
            State::Online { boots } if same_device && hello.boots < boots => {
                self.counters.ignored += 1; // from before a restart: the line kept it back
                return None;
            }
            State::Online { boots } => same_device && hello.boots == boots,
            _ => false,
        };
        let missed = self.meet(&hello);
        self.state = State::Online { boots: hello.boots };
        self.ack_due = true; // the device waits for it before it sends events
        if again && missed.is_none() {
            return None;
        }
        self.hello_due = false;
        self.ping_at = now_ms;
        self.screen.send_all(now_ms);
        Some(Report::Online { hello, missed })
    }

    /// Puts the device first among the known and says what will never come from it.
    fn meet(&mut self, hello: &DeviceHello) -> Option<Missed> {
        let before = hello.oldest.saturating_sub(1);
        let fresh = Known { serial: hello.serial.clone(), epoch: hello.epoch, delivered: before, durable: before };
        let Some(at) = self.known.iter().position(|known| known.serial == hello.serial) else {
            if self.known.is_full() {
                self.known.pop();
            }
            let _ = self.known.insert(0, fresh);
            return None;
        };
        if let Some(upto) = self.known.get_mut(..=at) {
            upto.rotate_right(1);
        }
        let known = self.known.first_mut()?;
        if known.epoch != hello.epoch {
            let missed = Missed::RingLost { epoch: known.epoch, last: known.delivered };
            *known = fresh;
            return Some(missed);
        }
        if before <= known.delivered {
            return None;
        }
        let missed = Missed::Forgotten { from: known.delivered + 1, to: before };
        known.delivered = before;
        known.durable = before;
        Some(missed)
    }

    fn event(&mut self, seq: u32, at_ms: u32, saw: Observation) -> Option<Report> {
        let (State::Online { .. }, Some(known)) = (&self.state, self.known.first_mut()) else {
            self.counters.ignored += 1;
            return None;
        };
        if seq <= known.delivered {
            self.counters.repeats += 1;
            self.ack_due |= seq <= known.durable;
            return None;
        }
        if seq != known.delivered + 1 {
            self.counters.gaps += 1;
            self.hello_due = true;
            return None;
        }
        known.delivered = seq;
        let epoch = known.epoch;
        self.counters.events += 1;
        Some(Report::Saw { epoch, seq, at_ms, saw })
    }

    /// Notices silence. Call it at [`Host::wake_at`], or more often.
    pub fn tick(&mut self, now_ms: u64) -> Option<Report> {
        if self.online() && now_ms.saturating_sub(self.heard_at) >= SILENCE_MS {
            self.ask(now_ms);
            return Some(Report::Silent);
        }
        None
    }

    /// The next frame to send, if any is due. Call it again once the frame is written, until it gives `None`: after
    /// [`Host::opened`], after every [`Host::receive`], [`Host::durable`] and [`Host::show`], and at [`Host::wake_at`].
    pub fn transmit<'o>(&mut self, now_ms: u64, out: &'o mut [u8; MAX_FRAME]) -> Option<&'o [u8]> {
        if self.hello_wanted_at().is_some_and(|at| at <= now_ms) {
            self.hello_due = !self.online();
            self.hello_at = Some(now_ms);
            return encode(&ToDevice::Hello { protocol: PROTOCOL, schema: SCHEMA }, out).ok();
        }
        if !self.online() {
            return None;
        }
        if self.ack_due {
            self.ack_due = false;
            let known = self.known.first()?;
            return encode(&ToDevice::Ack { epoch: known.epoch, seq: known.durable }, out).ok();
        }
        if let Some(show) = self.screen.next(now_ms) {
            return encode(&ToDevice::Show(show), out).ok();
        }
        if now_ms >= self.ping_wanted_at() {
            self.ping_at = now_ms;
            self.pings = self.pings.wrapping_add(1);
            return encode(&ToDevice::Ping(self.pings), out).ok();
        }
        None
    }

    fn hello_wanted_at(&self) -> Option<u64> {
        if !self.hello_due || self.state == State::Closed {
            return None;
        }
        let gap = if self.online() { GAP_HELLO_MS } else { HOST_HELLO_MS };
        Some(self.hello_at.map_or(0, |at| at + gap))
    }

    fn ping_wanted_at(&self) -> u64 {
        self.ping_at.max(self.heard_at) + PING_MS
    }

    /// When [`Host::tick`] and [`Host::transmit`] next have something to do by themselves; `None` while the port is
    /// closed.
    #[must_use]
    pub fn wake_at(&self) -> Option<u64> {
        let hello = self.hello_wanted_at();
        if !self.online() {
            return hello;
        }
        let mut at = self.ping_wanted_at().min(self.heard_at + SILENCE_MS);
        if let Some(refresh) = self.screen.refresh_at() {
            at = at.min(refresh);
        }
        Some(hello.map_or(at, |hello| hello.min(at)))
    }
}

/// What the display is to show, and which parts of it are still to be sent.
#[derive(Debug, Default)]
struct Screen {
    lines: [Option<String<LINE_BYTES>>; DISPLAY_ROWS],
    stale: [bool; DISPLAY_ROWS],
    lamp: Option<Lamp>,
    lamp_stale: bool,
    buzz: Option<u16>,
    /// When all of it was last sent.
    sent_at: u64,
}

impl Screen {
    fn set(&mut self, show: Show) {
        match show {
            Show::Line { row, text } => {
                let row = usize::from(row);
                if let (Some(line), Some(stale)) = (self.lines.get_mut(row), self.stale.get_mut(row)) {
                    *line = Some(text);
                    *stale = true;
                }
            }
            Show::Lamp(lamp) => {
                self.lamp = Some(lamp);
                self.lamp_stale = true;
            }
            Show::Buzz(ms) => self.buzz = Some(ms),
        }
    }

    fn send_all(&mut self, now_ms: u64) {
        self.sent_at = now_ms;
        for (stale, line) in self.stale.iter_mut().zip(&self.lines) {
            *stale = line.is_some();
        }
        self.lamp_stale = self.lamp.is_some();
    }

    fn refresh_at(&self) -> Option<u64> {
        let anything = self.lamp.is_some() || self.lines.iter().any(Option::is_some);
        anything.then_some(self.sent_at + REFRESH_MS)
    }

    /// The next part to send: the lamp and the buzzer first, they call people.
    fn next(&mut self, now_ms: u64) -> Option<Show> {
        if self.refresh_at().is_some_and(|at| at <= now_ms) {
            self.send_all(now_ms);
        }
        if self.lamp_stale {
            self.lamp_stale = false;
            return self.lamp.map(Show::Lamp);
        }
        if let Some(ms) = self.buzz.take() {
            return Some(Show::Buzz(ms));
        }
        let row = self.stale.iter().position(|stale| *stale)?;
        *self.stale.get_mut(row)? = false;
        let text = self.lines.get(row)?.clone()?;
        Some(Show::Line { row: u8::try_from(row).ok()?, text })
    }
}

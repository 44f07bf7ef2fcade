//! The host's side of a session: bytes and milliseconds in, frames and reports out. No port, no clock, no allocation.
//!
//! A device is believed once it has said hello as what the caller expects and has proved that it holds the key which
//! the caller knows for it. From then on its events are reported exactly once and in order, whatever the line repeats,
//! loses or invents, and across restarts of either side as long as the caller keeps the last durable event of each
//! device ([`Resume`]).

mod backlog;
mod echo;
mod handshake;
mod known;
mod pairs;
mod report;
mod sending;
mod watch;
mod witness;

use heapless::Deque;

use crate::clock::{Clock, Clocks, Told};
use crate::display_state::DisplayState;
use crate::frame::{Decoder, Got};
use crate::message::{DeviceHello, Image, KEY_BYTES, Key, Observation, Ready, Show, ToHost};
use crate::seal::{Channel, Nonces};
use crate::{HANDSHAKE_MS, Version, WINDOW};

use backlog::Backlog;
use echo::Echo;
use handshake::Handshake;
pub use handshake::Reached;
use known::KnownDevices;
use pairs::Pairs;
pub use report::{Counters, Expect, Keyring, Missed, Refusal, Report, Resume, Withheld, is_serial};
use watch::{Losses, Overdue, Watch};
use witness::Witness;

#[derive(Debug, Clone, PartialEq, Eq)]
enum State {
    /// The port is closed.
    Closed,
    /// Hellos go out until a device is ready.
    Asking,
    /// The device is not the right one; hellos still go out, in case it is replaced.
    Refused(Refusal),
    /// In session with the device first among the known.
    Online { boots: u32, epoch: u32 },
}

/// A host's session with the device on one port, the devices' keys in `K`.
#[derive(Debug)]
pub struct Host<K> {
    expect: Expect,
    keys: K,
    /// How the device is to be given its key first.
    pair: Option<Pairs>,
    nonces: Nonces,
    state: State,
    handshake: Option<Handshake>,
    /// How far the device has come since it was last asked from the beginning.
    reached: Reached,
    /// A device was in session since the port was opened.
    lived: bool,
    channel: Option<Channel>,
    /// The version that the device of the channel speaks.
    version: Version,
    /// Until when frames may come of the session before this one, which lived, and how many.
    former: (u64, u32),
    watch: Watch,
    witness: Witness,
    /// Nothing but an answer has come over this channel: its device has not said yet that it is ready.
    unready: bool,
    /// [`Report::Garbled`] was said, and the device has not said since that it is ready.
    garbled: bool,
    /// When the device of the channel was challenged first: what it answered was said after that.
    challenged_at: u64,
    /// The number of the last frame that was opened.
    opened: u64,
    /// What the device kept, until all of it has been told.
    backlog: Option<Backlog>,
    /// What is reported before anything more is read.
    next_reports: Deque<Report, 4>,
    known: KnownDevices,
    decoder: Decoder,
    echo: Echo,
    /// What was refused since the port was opened or a device was in session: each kind is told once.
    told: u16,
    counters: Counters,
    display: DisplayState,
    clocks: Clocks,
    hello_due: bool,
    hello_at: Option<u64>,
    /// When an event last came in its turn, or again: the device is sending what it holds.
    sends_at: Option<u64>,
    ack_due: bool,
    forged: bool,
    heard_at: u64,
    /// When the first ping went out that nothing has come after.
    asked_at: Option<u64>,
    ping_at: u64,
    pings: u32,
}

impl<K: Keyring> Host<K> {
    /// A session whose port is still closed. `resume` names the last durable event of devices met before; `entropy` is
    /// random, and new for each.
    pub fn new(expect: Expect, keys: K, entropy: &[u8; 32], resume: impl IntoIterator<Item = Resume>) -> Self {
        Self {
            expect,
            keys,
            pair: None,
            nonces: Nonces::new(&[entropy]),
            state: State::Closed,
            handshake: None,
            reached: Reached::Nothing,
            lived: false,
            channel: None,
            version: Version::NEWEST,
            former: (0, 0),
            watch: Watch::default(),
            witness: Witness::default(),
            unready: false,
            garbled: false,
            challenged_at: 0,
            opened: 0,
            backlog: None,
            next_reports: Deque::new(),
            known: KnownDevices::resumed(resume),
            decoder: Decoder::new(),
            echo: Echo::default(),
            told: 0,
            counters: Counters::default(),
            display: DisplayState::default(),
            clocks: Clocks::default(),
            hello_due: false,
            hello_at: None,
            sends_at: None,
            ack_due: false,
            forged: false,
            heard_at: 0,
            asked_at: None,
            ping_at: 0,
            pings: 0,
        }
    }

    /// The device that is there is given this key first, which the keyring must know for it. It takes it when it has
    /// none, or was told by hand to take one; it is in session then, and refused ([`Refusal::Key`]) otherwise.
    #[must_use]
    pub fn pairing(mut self, key: Key) -> Self {
        self.pair = Some(Pairs::InClear(key));
        self
    }

    /// The port was opened: a session begins with a hello. `now_ms` here and below is any clock that never goes back.
    pub fn opened(&mut self, now_ms: u64) {
        self.decoder.restart();
        (self.told, self.lived) = (0, false);
        self.ask(now_ms);
    }

    /// The port was closed or has gone.
    pub fn closed(&mut self) {
        self.decoder.restart();
        self.state = State::Closed;
        (self.handshake, self.channel, self.backlog) = (None, None, None);
    }

    fn ask(&mut self, now_ms: u64) {
        self.state = State::Asking;
        (self.garbled, self.reached) = (false, Reached::Nothing);
        (self.handshake, self.channel, self.backlog) = (None, None, None);
        self.hello_due = true;
        self.hello_at = None;
        self.ack_due = false;
        (self.heard_at, self.asked_at) = (now_ms, None);
    }

    /// Whether the right device is in session.
    #[must_use]
    pub const fn online(&self) -> bool {
        matches!(self.state, State::Online { .. })
    }

    /// Whether [`Report::Withheld`] was said, and no answer has shown since that all has come which was missing then.
    #[must_use]
    pub const fn is_withheld(&self) -> bool {
        self.watch.stands() && !self.garbled
    }

    /// What came over the line so far.
    #[must_use]
    pub fn counters(&self) -> Counters {
        Counters { bad_frames: self.decoder.bad(), echoes: self.echo.heard(), ..self.counters }
    }

    /// The clock of the device in session beside this one's.
    #[must_use]
    pub fn clock(&self) -> Option<Clock> {
        self.clocks.now().filter(|_| self.online())
    }

    /// `now_ms` has stood still for so many milliseconds while the world went on.
    pub fn stood_still(&mut self, now_ms: u64, ms: u64) {
        self.watch.stood_still(now_ms, ms);
        self.clocks.shift(ms);
    }

    /// Every event up to and with `seq` of `epoch` is durable: the device is told so by the next
    /// [`Host::transmit`]. An event that was never reported is not acknowledged.
    pub fn durable(&mut self, epoch: u32, seq: u32) {
        let online = self.online();
        self.ack_due |= self.known.durable(epoch, seq) && online;
    }

    /// What the display is to show. The newest text of each row and the newest lamp are kept and sent again after each
    /// hello and every [`REFRESH_MS`](crate::REFRESH_MS); a buzz is sent once. A row from
    /// [`DISPLAY_ROWS`](crate::message::DISPLAY_ROWS) on is not kept.
    pub fn show(&mut self, show: Show) {
        self.display.set(show);
    }

    /// Takes received bytes and gives the next report they hold. Call it until it gives `None`; `input` is used up
    /// then.
    pub fn receive(&mut self, now_ms: u64, input: &mut &[u8]) -> Option<Report> {
        loop {
            if let Some(report) = self.next_reports.pop_front() {
                return Some(report);
            }
            let echo = &mut self.echo;
            let got = self.decoder.next_of(input, [self.channel.as_mut(), None], |frame| echo.is_own(frame))?;
            if matches!(got, Got::Sealed(_) | Got::Witness(_) | Got::Senseless { .. }) {
                self.has_taken();
            }
            let report = match got {
                Got::Sealed(message) => {
                    (self.heard_at, self.asked_at) = (now_ms, None);
                    self.count_opened();
                    self.sealed_message(now_ms, message)
                }
                Got::Witness(kept) => self.keeps(now_ms, kept),
                Got::Senseless { event } => self.senseless(now_ms, event),
                Got::Clear(message) => self.clear_message(now_ms, message),
                Got::Pairing(said) => self.pairing_said(now_ms, said),
                Got::Repeated => {
                    self.counters.replayed += 1;
                    None
                }
                Got::Unopened => self.unopened(now_ms),
            };
            if report.is_some() {
                return report;
            }
        }
    }

    /// Notes whether frames were lost before the one that was just opened.
    fn count_opened(&mut self) {
        let opened = self.channel.as_ref().map_or(0, Channel::opened);
        let missing = opened.saturating_sub(self.opened + 1);
        self.counters.missing += missing;
        if missing > 0
            && let Some(backlog) = &mut self.backlog
        {
            backlog.lost();
        }
        self.opened = opened;
    }

    /// A message in clear: anybody may have sent it.
    fn clear_message(&mut self, now_ms: u64, message: ToHost) -> Option<Report> {
        match message {
            ToHost::Hello(hello) => self.hello(now_ms, hello),
            ToHost::Answer { to, nonce, proof } => self.answered(now_ms, to, nonce, proof),
            ToHost::Exchange { to, share, proof } => {
                self.exchanged(now_ms, to, &share, &proof);
                None
            }
            ToHost::Unpaired if !self.online() && !self.pairs_by_code() => {
                let serial = self.handshake.take()?.serial;
                self.refuse(Refusal::Unpaired { serial })
            }
            _ => {
                self.counters.ignored += 1;
                None
            }
        }
    }

    /// A sealed message: only the device can have sent it.
    fn sealed_message(&mut self, now_ms: u64, message: ToHost) -> Option<Report> {
        match message {
            ToHost::Ready(ready) if self.version < Version::Four => self.ready(now_ms, ready, None),
            ToHost::Running { ready, image } if self.version == Version::Four => self.ready(now_ms, ready, Some(image)),
            _ if !self.is_ready() => None,
            ToHost::Event { seq, at_ms, saw } => self.event(now_ms, seq, at_ms, Some(saw)),
            ToHost::Time { ping, at_ms } if self.version == Version::Two => self.answer(now_ms, ping, at_ms, None),
            ToHost::Clock { ping, at_ms, newest } if self.version > Version::Two => {
                let report = self.newest(now_ms, ping, newest);
                self.answer(now_ms, ping, at_ms, report)
            }
            _ => None,
        }
    }

    /// What was asked at `sent_at` was answered now by the device's clock.
    fn sampled(&self, sent_at: u64, now_ms: u64, at_ms: u32) -> Clock {
        Clock::sampled(sent_at, now_ms, at_ms).while_standing(self.watch.stood_since(sent_at))
    }

    /// A ping was answered by the device's clock, and that led to `report`.
    fn answer(&mut self, now_ms: u64, ping: u32, at_ms: u32, report: Option<Report>) -> Option<Report> {
        let went_back = self.clocks.told(Told::Answer, at_ms);
        if let Some(sent_at) = self.watch.sent_at(ping) {
            self.clocks.take(self.sampled(sent_at, now_ms, at_ms));
        }
        let over = self.backlog.take_if(|backlog| backlog.answered(ping, now_ms)).map(|_| Report::CaughtUp);
        let (first, second) = if report.is_some() { (report, over) } else { (over, None) };
        if let Some(second) = second {
            let _ = self.next_reports.push_back(second);
        }
        self.with_clock(went_back, first)
    }

    /// The device has said what its newest event is. One that has as much under way as it may waits for the record.
    fn newest(&mut self, now_ms: u64, ping: u32, newest: u32) -> Option<Report> {
        let losses = self.losses();
        let known = self.known.first_mut()?;
        let (epoch, delivered, held) = (known.epoch, known.delivered, known.delivered.saturating_sub(known.durable));
        if newest < delivered {
            // it has lost its ring and uses the epoch a second time
            (known.delivered, known.durable) = (newest, newest);
            return Some(Report::Missed(Missed::RingLost { epoch, last: delivered }));
        }
        self.hello_due |= self.watch.answered(ping, newest, delivered) && held < WINDOW;
        if held >= WINDOW {
            self.watch.rests(now_ms, losses);
        }
        None
    }

    /// Whether the device has said ready in the session that the keys are of. Where the line lost that, nothing it
    /// says is understood: it may have started again, with another epoch and another clock. It is asked to say so.
    fn is_ready(&mut self) -> bool {
        if self.unready {
            self.counters.ignored += 1;
            self.hello_due = true;
        }
        !self.unready
    }

    /// A frame that does not open. Where a device was challenged, it may be of the session that its lost answer began;
    /// right after a session that lived, it may be of that.
    fn unopened(&mut self, now_ms: u64) -> Option<Report> {
        let (until, former) = &mut self.former;
        let is_former = *former > 0 && now_ms < *until;
        *former -= u32::from(is_former);
        let excused = is_former || self.handshake.as_mut().is_some_and(Handshake::excuses);
        if !self.online() || excused {
            self.counters.ignored += 1;
            return None;
        }
        self.counters.forged += 1;
        let first = !self.forged;
        self.forged = true;
        first.then_some(Report::Forged)
    }

    /// A device says who it is. Nothing of that is believed but that it may be worth a challenge.
    fn hello(&mut self, now_ms: u64, hello: DeviceHello) -> Option<Report> {
        if self.state == State::Closed || self.is_stale(&hello) {
            self.counters.ignored += 1;
            self.ack_due |= self.online(); // a device says hello again when the first acknowledgement was lost
            return None;
        }
        let (version, key) = match self.key_for(&hello) {
            Ok(known) => known,
            Err(_) if self.online() => {
                self.counters.ignored += 1; // a device that is in session is not ended by words: it falls silent first
                return None;
            }
            Err(refusal) => return self.refuse(refusal),
        };
        if self.online() && self.known.first().is_some_and(|known| known.serial != hello.serial) {
            self.counters.ignored += 1; // nor is it replaced by them
            return None;
        }
        if self.handshake.as_ref().is_some_and(|begun| begun.serial == hello.serial && begun.over_at() > now_ms) {
            return None; // it is being asked already
        }
        let challenge = self.nonces.next();
        let serial = hello.serial;
        if let Err(refusal) = self.keeps_given(&serial) {
            return self.refuse(refusal);
        }
        self.reached = self.reached.max(if self.pairs_by_code() { Reached::Offered } else { Reached::Hello });
        let (key, confirm) = self.kept_for(&serial).map_or((key, None), |(key, proof)| (key, Some(proof)));
        self.handshake = Some(Handshake {
            version,
            serial,
            key,
            challenge,
            begun_at: now_ms,
            sent_at: None,
            pair_due: self.pair.is_some(),
            by_next: false,
            confirm,
            turn: None,
            exchange_due: false,
            answer: None,
            excused: 0,
        });
        None
    }

    /// Version and key of the device that says this, where it is the right one.
    fn key_for(&self, hello: &DeviceHello) -> Result<(Version, Key), Refusal> {
        let version = self.expect.version(hello)?;
        let serial = hello.serial.clone();
        if self.known.spoke(&serial).is_some_and(|spoke| spoke > version) {
            return Err(Refusal::Downgraded { serial, found: hello.protocol });
        }
        if self.known.misnumbers(hello) {
            return Err(Refusal::Numbers { serial });
        }
        if let Some(pair) = &self.pair {
            if let Some(role) = self.keys.held_by(&serial, hello.role) {
                return Err(Refusal::Taken { serial, role });
            }
            // by a code there is none until both have drawn it, and nothing is sealed
            return Ok((version, pair.given().unwrap_or_else(|| Key::new([0; KEY_BYTES]))));
        }
        let key = self.keys.key(&serial).or_else(|| self.keys.next(&serial));
        key.map(|key| (version, key)).ok_or(Refusal::Unpaired { serial })
    }

    /// Whether a hello is of the start that is in session, or of one before it: the line kept it back.
    fn is_stale(&self, hello: &DeviceHello) -> bool {
        let State::Online { boots, epoch } = self.state else { return false };
        let same = self.known.first().is_some_and(|known| known.serial == hello.serial);
        same && (hello.boots < boots && hello.epoch == epoch || (hello.boots, hello.epoch) == (boots, epoch))
    }

    /// The device has proved that it holds its key, and says who it is once more; or it says so again within the
    /// session.
    fn ready(&mut self, now_ms: u64, ready: Ready, image: Option<Image>) -> Option<Report> {
        let Ready { hello, started, fresh, at_ms } = ready;
        let started = started.in_print();
        match self.expect.version(&hello) {
            Ok(version) if version == self.version => {}
            Ok(_) => return self.refuse(Refusal::Protocol { found: hello.protocol }),
            Err(refusal) => return self.refuse(refusal),
        }
        if let Some(role) = self.keys.met(&hello.serial, hello.role) {
            return self.refuse(Refusal::Doubled { serial: hello.serial, role });
        }
        let handshake = self.handshake.take_if(|handshake| handshake.answer.is_some());
        // the line may have kept it back until the handshake was given up
        let was_garbled = core::mem::take(&mut self.garbled);
        let again = !core::mem::take(&mut self.unready) || was_garbled;
        // a hello that anybody may have said has led to another session of the same start: that is no restart
        let goes_on = self.state == State::Online { boots: hello.boots, epoch: hello.epoch };
        if core::mem::replace(&mut self.lived, true) && !again {
            self.former = (now_ms + HANDSHAKE_MS, WINDOW);
        }
        let last = self.known.first().filter(|known| known.serial == hello.serial);
        let starts = last.and_then(|known| known.boots).map(|boots| hello.boots.wrapping_sub(boots));
        let is_same_start = starts == Some(0);
        let ago_ms = if again { 0 } else { now_ms.saturating_sub(self.challenged_at) };
        let has_restarted = is_same_start
            && self.clocks.is_begun()
            && (self.clocks.fresh() != fresh || self.clocks.has_restarted(at_ms, ago_ms));
        // anybody can have the two make a new session: what was missing before it is missing still
        if !goes_on || has_restarted || was_garbled {
            self.watch.begin(now_ms, self.losses());
        }
        if !again {
            let starts = if has_restarted { u32::MAX } else { starts.unwrap_or(u32::MAX) };
            let asked_at = handshake.and_then(|handshake| handshake.sent_at);
            let sampled = asked_at.map(|sent_at| self.sampled(sent_at, now_ms, at_ms));
            self.clocks.begin(starts, fresh, at_ms, sampled);
        }
        let [missed, went_back] = self.known.remember(&hello, fresh, has_restarted, self.version);
        self.state = State::Online { boots: hello.boots, epoch: hello.epoch };
        self.ack_due = true; // the device waits for it before it sends events
        if (again || goes_on && !has_restarted) && missed.is_none() && !was_garbled {
            self.backlog = self.backlog.map(|backlog| backlog.ready_again(now_ms, hello.oldest));
            return went_back.map(Report::Missed);
        }
        if let Some(went_back) = went_back {
            let _ = self.next_reports.push_back(Report::Missed(went_back));
        }
        self.backlog = Some(Backlog::since(now_ms, fresh, at_ms));
        self.told = 0;
        self.hello_due = false;
        self.forged = false;
        self.pair = None;
        self.ping_at = now_ms;
        self.witness = Witness::default();
        self.display.send_all(now_ms);
        Some(Report::Online { hello, started, image, missed })
    }

    /// An event has come. Nothing before an event numbered 0 could be told from it: its device is refused.
    fn event(&mut self, now_ms: u64, seq: u32, at_ms: u32, saw: Option<Observation>) -> Option<Report> {
        let (State::Online { .. }, Some(known)) = (&self.state, self.known.first_mut()) else {
            self.counters.ignored += 1;
            return None;
        };
        if seq == 0 {
            known.misnumbers = true;
            let serial = known.serial.clone();
            return self.refuse(Refusal::Numbers { serial });
        }
        // after the last number there is none: whatever comes then has come before
        let next = known.delivered.saturating_add(1);
        if let Some(backlog) = &mut self.backlog {
            backlog.came(now_ms, seq == next);
        }
        if seq <= next {
            self.sends_at = Some(now_ms);
        }
        if seq <= known.delivered {
            self.counters.repeats += 1;
            self.ack_due |= seq <= known.durable;
            if seq > known.durable {
                self.watch.comes_again(now_ms, seq);
            }
            return None;
        }
        if seq != next {
            self.counters.gaps += 1;
            self.hello_due = true;
            return None;
        }
        known.delivered = seq;
        let epoch = known.epoch;
        self.watch.moves(now_ms, seq, self.backlog.is_some());
        let is_last = seq.saturating_sub(known.durable) >= WINDOW;
        self.counters.events += 1;
        let went_back = seq >= self.clocks.fresh() && self.clocks.told(Told::Event, at_ms);
        let age_ms = self.clocks.of(seq).map(|clock| clock.age_ms(now_ms, at_ms));
        let saw = Report::Saw { epoch, seq, at_ms, age_ms, saw };
        let in_session = self.backlog.is_none() && seq >= self.clocks.fresh();
        if let Some(age_ms) = age_ms.filter(|age_ms| in_session && self.watch.came(now_ms, *age_ms)) {
            let _ = self.next_reports.push_back(Report::Late { age_ms });
        }
        // what comes after this one waits for the record, though this one came in time
        if is_last {
            self.watch.holds_up();
        }
        if self.backlog.take_if(|backlog| backlog.is_over_at(seq, at_ms)).is_none() {
            return self.with_clock(went_back, Some(saw));
        }
        let _ = self.next_reports.push_back(saw);
        self.with_clock(went_back, Some(Report::CaughtUp))
    }

    /// What is reported, and before it that the device's clock has just gone back.
    fn with_clock(&mut self, went_back: bool, report: Option<Report>) -> Option<Report> {
        if !went_back {
            return report;
        }
        if let Some(report) = report {
            let _ = self.next_reports.push_front(report);
        }
        Some(Report::ClockWentBack)
    }

    /// Notices silence. Call it at [`Host::wake_at`], or more often.
    pub fn tick(&mut self, now_ms: u64) -> Option<Report> {
        if self.online() && self.silent_at().is_some_and(|at| at <= now_ms) {
            self.ask(now_ms);
            return Some(Report::Silent);
        }
        let _ = self.handshake.take_if(|begun| begun.over_at() <= now_ms);
        let delivered = self.known.first().filter(|_| self.is_watched())?.delivered;
        match self.watch.overdue(now_ms, delivered, self.losses())? {
            Overdue::Withheld(what) => Some(Report::Withheld(what)),
            Overdue::Garbled => {
                (self.garbled, self.unready, self.hello_due, self.backlog) = (true, true, true, None);
                Some(Report::Garbled)
            }
        }
    }

    /// What the line has done to the device's frames so far.
    const fn losses(&self) -> Losses {
        Losses { damaged: self.decoder.bad(), missing: self.counters.missing }
    }

    /// Whether the device in session says what its newest event is.
    fn is_watched(&self) -> bool {
        self.online() && self.version > Version::Two
    }
}

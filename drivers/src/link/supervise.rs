//! The task of one device: opens, speaks, notices the end, opens again.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use sabot_wire::frame::MAX_FRAME;
use sabot_wire::host::Missed;
use sabot_wire::message::{DeviceHello, Role};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep, sleep_until};

use super::machine::{Machine, SessionReport};
use super::mailbox::Mailbox;
use super::presence::{Port, Presence};
use super::quality::Judge;
use super::{Counters, LineState, LinkReport, Seen, When};
use crate::backoff::Backoff;
use crate::outgoing::Outgoing;
use crate::panic_guard::{self, Panicked, guarded, guarded_call};
use crate::transport::Connect;

/// An open port without a hello for so long is no device.
const ANSWER_WITHIN: Duration = Duration::from_secs(1);
/// A device that has proved its key may take so much longer for its share.
const SHARE_WITHIN: Duration = Duration::from_millis(sabot_wire::EXCHANGE_MS);
/// An open port without a device for so long is opened anew, unless one has proved itself and only the rest of its
/// handshake is lost: a new port would begin that anew.
const REOPEN_AFTER: Duration = Duration::from_secs(5);
/// The sample by which an event is dated is so old at the most.
const SAMPLED: Duration = Duration::from_millis(8 * sabot_wire::WATCH_MS);
/// A round that begins so much too late is the station's own doing: it was stopped, or had no processor.
const HELD_UP: Duration = Duration::from_millis(250);
/// How far two clocks may drift apart, parts of a million: of two crystals, with some to spare.
const DRIFT_PPM: u128 = 200;
/// Bytes read at once: what is due goes out between two readings, also while somebody floods the line.
const READ_BYTES: usize = 256;

/// Why a port is no longer read.
#[derive(Debug)]
enum End {
    /// The station stops.
    Stop,
    /// The device, the cable or the port is gone.
    Gone(String),
    /// The port is there, and nothing sensible comes from it.
    Unanswered(String),
}

pub(super) struct Supervisor<C, M> {
    place: C,
    host: M,
    mailbox: Arc<Mailbox>,
    reports: Reports,
    shutdown: watch::Receiver<bool>,
    presence: Presence,
    clock: Clock,
    backoff: Backoff,
    failures: Backoff,
    judge: Judge,
    /// Since when the device is in session, and when the one before ended.
    online_since: Option<Instant>,
    ended: Option<Instant>,
    serial: String,
    /// Bytes that came so far.
    heard: u64,
}

impl<C: Connect, M: Machine> Supervisor<C, M> {
    pub(super) fn new(
        place: C,
        host: M,
        mailbox: Arc<Mailbox>,
        reports: Reports,
        shutdown: watch::Receiver<bool>,
    ) -> Self {
        let presence = Presence::new(reports.role, place.place());
        let (clock, backoff, judge) = (Clock::start(), Backoff::new(), Judge::default());
        Self {
            place,
            host,
            mailbox,
            reports,
            shutdown,
            presence,
            clock,
            backoff,
            failures: Backoff::after_failure(),
            judge,
            online_since: None,
            ended: None,
            serial: String::new(),
            heard: 0,
        }
    }

    pub(super) async fn run(mut self) {
        loop {
            let mut stop = self.shutdown.clone();
            let opened = tokio::select! {
                _ = stop.wait_for(|stop| *stop) => return,
                opened = self.place.connect() => opened,
            };
            let pause = match opened {
                Ok(stream) => match guarded(self.session(stream)).await {
                    Ok(End::Stop) => return,
                    Ok(End::Gone(why)) => self.ended(&why, Port::Closed),
                    Ok(End::Unanswered(why)) => self.ended(&why, Port::Open),
                    Err(Panicked) => self.failed(),
                },
                Err(error) => {
                    self.absent(&error.to_string(), Port::Closed);
                    self.backoff.next()
                }
            };
            tokio::select! {
                _ = stop.wait_for(|stop| *stop) => return,
                delivered = self.reports.deliver_all() => if delivered.is_err() {
                    return;
                },
            }
            tokio::select! {
                _ = stop.wait_for(|stop| *stop) => return,
                () = sleep(pause) => {}
            }
        }
    }

    /// A session has ended by itself. Gives how long to wait.
    fn ended(&mut self, why: &str, port: Port) -> Duration {
        self.failures.reset();
        self.absent(why, port);
        self.backoff.next()
    }

    /// The session has panicked. What it knew of the last events stays, so that none is told twice; the port is closed
    /// already, and the device begins anew with a hello. Gives how long to wait.
    fn failed(&mut self) -> Duration {
        let pause = self.failures.next();
        let (role, again_ms) = (self.reports.role, pause.as_millis());
        tracing::error!(%role, again_ms, "the driver of a device has failed and is started anew");
        self.clock.stand_still(false);
        let closed = guarded_call(|| self.host.closed());
        if closed.is_err() {
            tracing::debug!(%role, "it failed in closing, too");
        }
        self.absent(panic_guard::WHY, Port::Closed);
        pause
    }

    /// Speaks with whatever is on the port until it ends. The port is closed when this returns.
    async fn session(&mut self, stream: C::Stream) -> End {
        let (mut reader, mut writer) = tokio::io::split(stream);
        let mut stop = self.shutdown.clone();
        let mut buffer = [0; READ_BYTES];
        let mut outgoing = Outgoing::new();
        let mut watchdog = Watchdog { since: Instant::now(), heard: self.heard };
        self.host.opened(self.clock.now_ms());
        if self.presence.opened() {
            self.reports.queue.push_back(LinkReport::Connecting);
        }
        let end = loop {
            self.reports.offer();
            let blocked = self.reports.waiting();
            if let Some(stood) = self.clock.stand_still(blocked) {
                self.host.stood_still(self.clock.now_ms(), stood);
            }
            self.mailbox.hand_over(&mut self.host);
            self.fill(&mut outgoing);
            let wake_at = self.wake_at(&outgoing, &watchdog);
            // no earlier than the session last had the time: that never goes back
            let (due, mut came) = (wake_at.max(Instant::now()), 0);
            tokio::select! {
                biased;
                _ = stop.wait_for(|stop| *stop) => break End::Stop,
                delivered = self.reports.deliver_one(), if blocked => if delivered.is_err() {
                    break End::Stop;
                },
                written = writer.write(outgoing.rest()), if outgoing.waiting() => match written {
                    Ok(count) if count > 0 => outgoing.took(count),
                    Ok(_) => break End::Gone("the port takes no more bytes".to_owned()),
                    Err(error) => break End::Gone(gone(&error)),
                },
                // while the station is slow nothing is read: the device keeps its events
                read = reader.read(&mut buffer), if !blocked => match read {
                    Ok(0) => break End::Gone("the port has closed: the device or its cable is gone".to_owned()),
                    Ok(count) => came = count,
                    Err(error) => break End::Gone(gone(&error)),
                },
                () = self.mailbox.wait() => {}
                () = sleep_until(wake_at) => {}
            }
            if !blocked {
                self.was_held_up(due, &mut watchdog);
            }
            self.received(buffer.get(..came).unwrap_or_default());
            if outgoing.deadline().is_some_and(|at| at <= Instant::now()) {
                break End::Gone("nobody takes what is sent: the device hangs".to_owned());
            }
            if !blocked && let Some(why) = self.check(&mut watchdog) {
                break End::Unanswered(why);
            }
            self.judge();
        };
        self.clock.stand_still(false);
        self.host.closed();
        self.judge();
        end
    }

    /// A round was due at `due`, and begins now. Where that is much later the station itself was held up: what the
    /// device said meanwhile is late for no fault of its own, and it had nothing to answer.
    fn was_held_up(&mut self, due: Instant, watchdog: &mut Watchdog) {
        let held = due.elapsed();
        if held < HELD_UP {
            return;
        }
        let held_ms = u64::try_from(held.as_millis()).unwrap_or(u64::MAX);
        self.host.stood_still(self.clock.now_ms().saturating_sub(held_ms), held_ms);
        self.clock.stood += held;
        watchdog.since += held;
        if held >= ANSWER_WITHIN {
            let role = self.reports.role;
            tracing::warn!(%role, held_ms, "the station itself was held up: what devices said meanwhile comes late");
        }
    }

    /// Takes the next frame of the session once the last one is with the port.
    fn fill(&mut self, outgoing: &mut Outgoing) {
        if !outgoing.waiting() {
            let mut frame = [0; MAX_FRAME];
            let next = self.host.transmit(self.clock.now_ms(), &mut frame).unwrap_or_default();
            outgoing.refill().extend_from_slice(next);
        }
    }

    /// Holds what was counted against what a good line does.
    fn judge(&mut self) {
        let counters = Counters { reconnects: self.presence.reconnects(), ..self.host.counters() };
        if let Some(quality) = self.judge.take(self.clock.now_ms(), &counters) {
            self.presence.judged(&quality);
            self.reports.queue.push_back(LinkReport::Quality(quality));
        }
        let (clock, read_rates, rounds) = (self.host.clock(), self.host.read_rates(), self.host.rounds());
        self.mailbox.set_line(LineState { counters, quality: self.judge.quality(), clock, read_rates, rounds });
    }

    /// Takes bytes from the port.
    fn received(&mut self, mut input: &[u8]) {
        self.heard += input.len() as u64;
        while let Some(report) = self.host.receive(self.clock.now_ms(), &mut input) {
            self.report(report);
        }
    }

    fn report(&mut self, report: SessionReport) {
        match report {
            SessionReport::Online { hello, started, image, missed, keeps } => {
                self.online(&hello, missed);
                self.reports.queue.push_back(LinkReport::Online { hello, started, image, keeps });
                self.reports.queue.extend(missed.map(LinkReport::Missed));
            }
            SessionReport::CaughtUp => self.reports.queue.push_back(LinkReport::CaughtUp),
            SessionReport::Refused { why, distrust } => {
                self.presence.refused(&why);
                self.reports.queue.push_back(LinkReport::Refused { why, distrust });
            }
            SessionReport::Forged => {
                tracing::error!(role = %self.reports.role, serial = %self.serial, "a frame was replayed or invented: look at the cable");
                self.reports.queue.push_back(LinkReport::Forged);
            }
            SessionReport::Advice(what) => {
                tracing::warn!(role = %self.reports.role, serial = %self.serial, what, "the device is not set up as it should be");
                self.reports.queue.push_back(LinkReport::Advice(what));
            }
            SessionReport::Missed(missed) => {
                tracing::error!(role = %self.reports.role, serial = %self.serial, ?missed, "events of the device are lost, or may be");
                self.reports.queue.push_back(LinkReport::Missed(missed));
            }
            SessionReport::Withheld(what) => {
                tracing::error!(role = %self.reports.role, serial = %self.serial, ?what, "somebody withholds what the device says: look at the cable");
                self.reports.queue.push_back(LinkReport::Withheld(what));
            }
            SessionReport::Picture { epoch, seq, jpeg } => {
                let serial = self.serial.clone();
                self.reports.queue.push_back(LinkReport::Picture { serial, epoch, seq, jpeg });
            }
            SessionReport::Late { age_ms } => self.reports.queue.push_back(LinkReport::Late { age_ms }),
            SessionReport::ClockWentBack => self.reports.queue.push_back(LinkReport::ClockWentBack),
            SessionReport::Keeps(kept) => self.reports.queue.push_back(LinkReport::Keeps(kept)),
            SessionReport::Saw { epoch, seq, at_ms, age_ms, saw } => {
                let (role, serial) = (self.reports.role, self.serial.clone());
                let when = age_ms.and_then(|age_ms| self.when(age_ms));
                self.reports.queue.push_back(LinkReport::Saw(Seen { role, serial, epoch, seq, at_ms, saw, when }));
            }
            SessionReport::Silent(why) => self.absent(&why, Port::Open),
        }
    }

    /// When an event that has just come was seen, so many milliseconds ago by what is known of the device's clock.
    fn when(&self, age_ms: u32) -> Option<When> {
        let (within_ms, age) = (self.host.ages_within_ms()?, Duration::from_millis(age_ms.into()));
        let strays = self.host.clock().map_or(0, |clock| u128::from(clock.strays_ppm));
        // what was kept through an absence may be dated by what was known before it
        let was_kept = self.online_since.is_none_or(|since| since.elapsed() < age);
        let apart = self.ended.filter(|_| was_kept).map_or(age, |ended| ended.elapsed().max(age));
        let drifted = (apart.as_millis() * DRIFT_PPM + (apart + SAMPLED).as_millis() * strays) / 1_000_000;
        let error_ms = within_ms.saturating_add(u32::try_from(drifted).unwrap_or(u32::MAX)).saturating_add(1);
        Some(When::received_now(age_ms, error_ms))
    }

    fn online(&mut self, hello: &DeviceHello, missed: Option<Missed>) {
        self.presence.online(hello);
        self.offline();
        self.online_since = Some(Instant::now());
        self.backoff.reset();
        self.serial.clear();
        self.serial.push_str(&hello.serial);
        if let Some(missed) = missed {
            tracing::error!(role = %self.reports.role, serial = %hello.serial, ?missed, "events of the device are lost, or may be");
        }
    }

    /// A session ends, where there was one.
    fn offline(&mut self) {
        if self.online_since.take().is_some() {
            self.ended = Some(Instant::now());
        }
    }

    fn absent(&mut self, why: &str, port: Port) {
        self.offline();
        if self.presence.absent(why, port) {
            self.reports.queue.push_back(LinkReport::Absent(why.to_owned()));
        }
    }

    /// Watches an open port from which nothing sensible comes. Gives why it is to be opened anew.
    fn check(&mut self, watchdog: &mut Watchdog) -> Option<String> {
        if let Some(report) = self.host.tick(self.clock.now_ms()) {
            self.report(report);
        }
        if self.host.online() || self.presence.is_refused() {
            watchdog.since = Instant::now();
            watchdog.heard = self.heard;
            return None;
        }
        let unanswered = watchdog.since.elapsed();
        let within = ANSWER_WITHIN + if self.host.is_answered() { SHARE_WITHIN } else { Duration::ZERO };
        if unanswered < within {
            return None;
        }
        // bad frames would not do: text has none, for it has no ends of frames
        let guess = match self.host.stops_at() {
            Some(stops_at) => stops_at,
            None if self.heard > watchdog.heard => "what comes makes no sense: check the speed",
            None => "check power and cable",
        };
        let why = format!("no answer, though the port is open: {guess}");
        if self.presence.is_connecting() {
            self.absent(&why, Port::Open);
        }
        (unanswered >= REOPEN_AFTER && !self.host.is_answered()).then_some(why)
    }

    fn wake_at(&self, outgoing: &Outgoing, watchdog: &Watchdog) -> Instant {
        let now = Instant::now();
        let mut wake = now + REOPEN_AFTER;
        // the session's time stands still while nothing is read; and what is due while a frame is on its way waits for
        // the port, not for the clock
        if !self.reports.waiting() && !outgoing.waiting() {
            wake = self.host.wake_at().map_or(wake, |at_ms| self.clock.instant(at_ms));
        }
        for after in [ANSWER_WITHIN, REOPEN_AFTER] {
            let at = watchdog.since + after;
            if !self.host.online() && at > now {
                wake = wake.min(at);
            }
        }
        outgoing.deadline().map_or(wake, |at| wake.min(at))
    }
}

/// Since when an open port has given no sign of a device.
#[derive(Debug)]
struct Watchdog {
    since: Instant,
    heard: u64,
}

/// The session's milliseconds. They stand still while nothing is read from the port: a device is not silent while
/// nobody listens.
#[derive(Debug)]
struct Clock {
    start: Instant,
    stood: Duration,
    standing: Option<Instant>,
}

impl Clock {
    fn start() -> Self {
        Self { start: Instant::now(), stood: Duration::ZERO, standing: None }
    }

    /// Gives for how many milliseconds they stood, when they go on.
    fn stand_still(&mut self, still: bool) -> Option<u64> {
        if still {
            self.standing.get_or_insert_with(Instant::now);
            return None;
        }
        let stood = self.standing.take()?.elapsed();
        self.stood += stood;
        u64::try_from(stood.as_millis()).ok()
    }

    fn now_ms(&self) -> u64 {
        let now = self.standing.unwrap_or_else(Instant::now);
        let ms = now.saturating_duration_since(self.start).saturating_sub(self.stood).as_millis();
        u64::try_from(ms).unwrap_or(u64::MAX)
    }

    fn instant(&self, at_ms: u64) -> Instant {
        self.start + self.stood + Duration::from_millis(at_ms)
    }
}

/// The way to the station. What is queued here came from one reading of the port, at the most: nothing more is read
/// until it is empty.
#[derive(Debug)]
pub(super) struct Reports {
    pub(super) role: Role,
    queue: VecDeque<LinkReport>,
    sender: mpsc::Sender<(Role, LinkReport)>,
}

/// Nobody takes reports any more.
#[derive(Debug)]
struct StationGone;

impl Reports {
    pub(super) fn new(role: Role, sender: mpsc::Sender<(Role, LinkReport)>) -> Self {
        Self { role, queue: VecDeque::new(), sender }
    }

    fn waiting(&self) -> bool {
        !self.queue.is_empty()
    }

    /// Delivers as much as there is room for, without waiting.
    fn offer(&mut self) {
        while let Some(report) = self.queue.pop_front() {
            if let Err(TrySendError::Full((_, report)) | TrySendError::Closed((_, report))) =
                self.sender.try_send((self.role, report))
            {
                self.queue.push_front(report);
                return;
            }
        }
    }

    /// Delivers one report, waiting for room; nothing is lost when the wait is given up.
    async fn deliver_one(&mut self) -> Result<(), StationGone> {
        let room = self.sender.reserve().await.map_err(|_| StationGone)?;
        if let Some(report) = self.queue.pop_front() {
            room.send((self.role, report));
        }
        Ok(())
    }

    async fn deliver_all(&mut self) -> Result<(), StationGone> {
        while self.waiting() {
            self.deliver_one().await?;
        }
        if self.sender.is_closed() { Err(StationGone) } else { Ok(()) }
    }
}

/// For what no device can mend.
pub(super) async fn refuse_for_good(mut reports: Reports, mut shutdown: watch::Receiver<bool>, why: String) {
    let role = reports.role;
    tracing::warn!(%role, why, "device is not there");
    reports.queue.push_back(LinkReport::Refused { why, distrust: None });
    tokio::select! {
        _ = shutdown.wait_for(|stop| *stop) => {}
        _ = reports.deliver_all() => {}
    }
}

fn gone(error: &io::Error) -> String {
    format!("the device or its cable is gone ({error})")
}

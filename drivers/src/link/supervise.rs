//! The task of one device: opens, speaks, notices the end, opens again.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use sabot_wire::frame::MAX_FRAME;
use sabot_wire::host::Missed;
use sabot_wire::message::{DeviceHello, Role, Started};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep, sleep_until};

use super::desk::Desk;
use super::machine::{Machine, Said};
use super::presence::{Port, Presence};
use super::{LinkReport, Seen};
use crate::backoff::Backoff;
use crate::transport::Connect;

/// An open port without a hello for so long is no device.
const ANSWER_WITHIN: Duration = Duration::from_secs(1);
/// An open port without a hello for so long is opened anew.
const REOPEN_AFTER: Duration = Duration::from_secs(5);
/// A frame not taken for so long: nobody reads at the other end.
const WRITE_WITHIN: Duration = Duration::from_secs(1);
/// Bytes read at once.
const READ_BYTES: usize = 1024;

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
    desk: Arc<Desk>,
    reports: Reports,
    shutdown: watch::Receiver<bool>,
    presence: Presence,
    clock: Clock,
    backoff: Backoff,
    serial: String,
}

impl<C: Connect, M: Machine> Supervisor<C, M> {
    pub(super) fn new(place: C, host: M, desk: Arc<Desk>, reports: Reports, shutdown: watch::Receiver<bool>) -> Self {
        let presence = Presence::new(reports.role, place.place());
        let (clock, backoff, serial) = (Clock::start(), Backoff::new(), String::new());
        Self { place, host, desk, reports, shutdown, presence, clock, backoff, serial }
    }

    pub(super) async fn run(mut self) {
        loop {
            let mut stop = self.shutdown.clone();
            let opened = tokio::select! {
                _ = stop.wait_for(|stop| *stop) => return,
                opened = self.place.connect() => opened,
            };
            match opened {
                Ok(stream) => match self.session(stream).await {
                    End::Stop => return,
                    End::Gone(why) => self.absent(&why, Port::Closed),
                    End::Unanswered(why) => self.absent(&why, Port::Open),
                },
                Err(error) => self.absent(&error.to_string(), Port::Closed),
            }
            let pause = self.backoff.next();
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

    /// Speaks with whatever is on the port until it ends. The port is closed when this returns.
    async fn session(&mut self, stream: C::Stream) -> End {
        let (mut reader, mut writer) = tokio::io::split(stream);
        let mut stop = self.shutdown.clone();
        let mut buffer = [0; READ_BYTES];
        let mut outgoing = Outgoing::new();
        let mut watchdog = Watchdog { since: Instant::now(), bad_frames: self.host.counters().bad_frames };
        self.host.opened(self.clock.now_ms());
        if self.presence.opened() {
            self.reports.queue.push_back(LinkReport::Connecting);
        }
        let end = loop {
            self.reports.offer();
            let blocked = self.reports.waiting();
            if let Some(stood) = self.clock.stand_still(blocked) {
                self.host.stood_still(stood);
            }
            self.desk.hand_over(&mut self.host);
            outgoing.fill(&mut self.host, self.clock.now_ms());
            let wake_at = self.wake_at(&outgoing, &watchdog);
            tokio::select! {
                biased;
                _ = stop.wait_for(|stop| *stop) => break End::Stop,
                delivered = self.reports.deliver_one(), if blocked => if delivered.is_err() {
                    break End::Stop;
                },
                written = writer.write(outgoing.rest()), if outgoing.waiting() => match written {
                    Ok(count) if count > 0 => outgoing.at += count,
                    Ok(_) => break End::Gone("the port takes no more bytes".to_owned()),
                    Err(error) => break End::Gone(gone(&error)),
                },
                // while the station is slow nothing is read: the device keeps its events
                read = reader.read(&mut buffer), if !blocked => match read {
                    Ok(0) => break End::Gone("the port has closed: the device or its cable is gone".to_owned()),
                    Ok(count) => self.received(buffer.get(..count).unwrap_or_default()),
                    Err(error) => break End::Gone(gone(&error)),
                },
                () = self.desk.orders() => {}
                () = sleep_until(wake_at) => {}
            }
            if outgoing.deadline().is_some_and(|at| at <= Instant::now()) {
                break End::Gone("nobody takes what is sent: the device hangs".to_owned());
            }
            if !blocked && let Some(why) = self.check(&mut watchdog) {
                break End::Unanswered(why);
            }
        };
        self.clock.stand_still(false);
        self.host.closed();
        self.desk.count(&self.host, self.presence.reconnects());
        end
    }

    /// Takes bytes from the port.
    fn received(&mut self, mut input: &[u8]) {
        while let Some(report) = self.host.receive(self.clock.now_ms(), &mut input) {
            self.report(report);
        }
        self.desk.count(&self.host, self.presence.reconnects());
    }

    fn report(&mut self, report: Said) {
        match report {
            Said::Online { hello, started, missed } => self.online(hello, started, missed),
            Said::Refused { why, distrust } => {
                self.presence.refused(&why);
                self.reports.queue.push_back(LinkReport::Refused { why, distrust });
            }
            Said::Forged => {
                tracing::error!(role = %self.reports.role, serial = %self.serial, "a frame was replayed or invented: look at the cable");
                self.reports.queue.push_back(LinkReport::Forged);
            }
            Said::Saw { epoch, seq, at_ms, age_ms, saw } => {
                let (role, serial) = (self.reports.role, self.serial.clone());
                self.reports.queue.push_back(LinkReport::Saw(Seen { role, serial, epoch, seq, at_ms, age_ms, saw }));
            }
            Said::Silent(why) => self.absent(&why, Port::Open),
        }
    }

    fn online(&mut self, hello: DeviceHello, started: Started, missed: Option<Missed>) {
        self.presence.online(&hello);
        self.backoff.reset();
        self.serial.clear();
        self.serial.push_str(&hello.serial);
        if let Some(missed) = missed {
            tracing::error!(role = %self.reports.role, serial = %hello.serial, ?missed, "events of the device are lost");
        }
        self.reports.queue.push_back(LinkReport::Online { hello, started });
        self.reports.queue.extend(missed.map(LinkReport::Missed));
    }

    fn absent(&mut self, why: &str, port: Port) {
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
            watchdog.bad_frames = self.host.counters().bad_frames;
            return None;
        }
        let unanswered = watchdog.since.elapsed();
        if unanswered < ANSWER_WITHIN {
            return None;
        }
        let noise = self.host.counters().bad_frames > watchdog.bad_frames;
        let guess = if noise { "what comes makes no sense: check the speed" } else { "check power and cable" };
        let why = format!("no answer, though the port is open: {guess}");
        if self.presence.is_connecting() {
            self.absent(&why, Port::Open);
        }
        (unanswered >= REOPEN_AFTER).then_some(why)
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
    bad_frames: u64,
}

/// The frame on its way to the port.
#[derive(Debug)]
struct Outgoing {
    frame: [u8; MAX_FRAME],
    at: usize,
    end: usize,
    since: Instant,
}

impl Outgoing {
    fn new() -> Self {
        Self { frame: [0; MAX_FRAME], at: 0, end: 0, since: Instant::now() }
    }

    fn waiting(&self) -> bool {
        self.at < self.end
    }

    fn rest(&self) -> &[u8] {
        self.frame.get(self.at..self.end).unwrap_or_default()
    }

    /// Takes the next frame of the session once the last one is with the port.
    fn fill(&mut self, host: &mut impl Machine, now_ms: u64) {
        if !self.waiting() {
            self.at = 0;
            self.end = host.transmit(now_ms, &mut self.frame).map_or(0, <[u8]>::len);
            self.since = Instant::now();
        }
    }

    fn deadline(&self) -> Option<Instant> {
        self.waiting().then(|| self.since + WRITE_WITHIN)
    }
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

/// The way to the station. What is queued here came from one reading of the port, at the most: nothing more is read until
/// it is empty.
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

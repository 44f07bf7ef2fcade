//! The task of one signal: opens, shows, notices the end, opens again.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::watch;
use tokio::time::{Instant, sleep, sleep_until};

use super::{LineFault, Session, SignalContent, SignalCounters, SignalState, Trouble};
use crate::backoff::Backoff;
use crate::outgoing::Outgoing;
use crate::panic_guard::{self, Panicked, guarded};
use crate::transport::Connect;

/// Bytes read at once.
const READ_BYTES: usize = 256;

/// Why a line is no longer used.
enum End {
    /// The station stops.
    Stop,
    Trouble(Trouble),
}

impl<T: Into<Trouble>> From<T> for End {
    fn from(trouble: T) -> Self {
        Self::Trouble(trouble.into())
    }
}

pub(super) struct Supervisor<C, S> {
    place: C,
    name: &'static str,
    session: S,
    wanted: watch::Receiver<SignalContent>,
    told: watch::Sender<(SignalState, SignalCounters)>,
    shutdown: watch::Receiver<bool>,
    started: Instant,
    backoff: Backoff,
    failures: Backoff,
    counters: SignalCounters,
    /// Since when it has not been there, once that was logged.
    away: Option<Instant>,
    /// Whether it has ever been there.
    met: bool,
}

impl<C: Connect, S: Session> Supervisor<C, S> {
    pub(super) fn new(
        place: C,
        name: &'static str,
        session: S,
        wanted: watch::Receiver<SignalContent>,
        told: watch::Sender<(SignalState, SignalCounters)>,
        shutdown: watch::Receiver<bool>,
    ) -> Self {
        let (started, backoff, counters) = (Instant::now(), Backoff::new(), SignalCounters::default());
        let failures = Backoff::after_failure();
        Self {
            place,
            name,
            session,
            wanted,
            told,
            shutdown,
            started,
            backoff,
            failures,
            counters,
            away: None,
            met: false,
        }
    }

    pub(super) async fn run(mut self) {
        let (stop, handles) = (self.shutdown.clone(), self.wanted.clone());
        tokio::select! {
            () = stopped(stop) => {}
            () = abandoned(handles) => {}
            () = self.serve() => {}
        }
    }

    async fn serve(&mut self) {
        loop {
            let pause = match self.place.connect().await {
                Ok(stream) => match guarded(self.show_on(stream)).await {
                    Ok(End::Stop) => return,
                    Ok(End::Trouble(trouble)) => {
                        self.counters.bad_answers += u64::from(matches!(trouble, Trouble::Protocol(_)));
                        self.failures.reset();
                        self.absent(trouble.to_string());
                        self.backoff.next()
                    }
                    Err(Panicked) => {
                        let pause = self.failures.next();
                        let again_ms = pause.as_millis();
                        tracing::error!(
                            signal = self.name,
                            again_ms,
                            "the driver of a signal has failed and is started anew"
                        );
                        self.absent(panic_guard::WHY.to_owned());
                        pause
                    }
                },
                Err(error) => {
                    self.absent(error.to_string());
                    self.backoff.next()
                }
            };
            sleep(pause).await;
        }
    }

    /// Shows what is wanted until the line ends. It is closed when this returns.
    async fn show_on(&mut self, stream: C::Stream) -> End {
        let (mut reader, mut writer) = tokio::io::split(stream);
        let mut buffer = [0; READ_BYTES];
        let mut out = Outgoing::new();
        self.session.opened(self.now_ms());
        let picture = self.wanted.borrow_and_update().clone();
        self.session.show(&picture);
        self.opened();
        loop {
            if !out.waiting()
                && let Err(trouble) = self.session.transmit(self.now_ms(), out.refill())
            {
                return trouble.into();
            }
            if !out.waiting() {
                self.tell();
            }
            let session_wakes = self.started + Duration::from_millis(self.session.wake_at());
            let wake_at = out.deadline().unwrap_or(session_wakes);
            tokio::select! {
                changed = self.wanted.changed() => {
                    if changed.is_err() {
                        return End::Stop;
                    }
                    let picture = self.wanted.borrow_and_update().clone();
                    self.session.show(&picture);
                }
                written = writer.write(out.rest()), if out.waiting() => match written {
                    Ok(count) if count > 0 => out.took(count),
                    Ok(_) => return LineFault::Closed.into(),
                    Err(error) => return gone(&error).into(),
                },
                read = reader.read(&mut buffer) => match read {
                    Ok(0) => return LineFault::Closed.into(),
                    Ok(count) => {
                        let now = self.now_ms();
                        if let Err(trouble) = self.session.receive(now, buffer.get(..count).unwrap_or_default()) {
                            return trouble.into();
                        }
                    }
                    Err(error) => return gone(&error).into(),
                },
                () = sleep_until(wake_at) => if out.waiting() {
                    return LineFault::Stuck.into();
                },
            }
        }
    }

    fn now_ms(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// The line is open; a device that was away is away until it is known to be there.
    fn opened(&self) {
        if self.away.is_none() {
            self.say(SignalState::Connecting);
        }
    }

    fn absent(&mut self, why: String) {
        let place = self.place.place();
        if self.away.is_none() {
            self.away = Some(Instant::now());
            tracing::warn!(signal = self.name, place, why, "signal is not there");
        } else {
            tracing::debug!(signal = self.name, place, why, "signal is still not there");
        }
        self.say(SignalState::Absent(why));
    }

    /// Tells the station, and the log, how the device is.
    fn tell(&mut self) {
        if !self.session.there() {
            return;
        }
        let before = matches!(self.told.borrow().0, SignalState::Shows | SignalState::Faulty(_));
        if !before {
            self.back();
        }
        self.counters.corrected = self.session.corrected();
        let fault = self.session.fault();
        if let Some(fault) = fault
            && self.told.borrow().0 == SignalState::Shows
        {
            tracing::warn!(signal = self.name, place = self.place.place(), %fault, "signal reports a fault");
        }
        self.say(fault.map_or(SignalState::Shows, SignalState::Faulty));
    }

    fn back(&mut self) {
        self.backoff.reset();
        let place = self.place.place();
        match self.away.take() {
            Some(since) => {
                let away_ms = since.elapsed().as_millis();
                tracing::info!(signal = self.name, place, away_ms, "signal is back");
            }
            None => tracing::info!(signal = self.name, place, "signal is there"),
        }
        self.counters.reconnects += u64::from(std::mem::replace(&mut self.met, true));
    }

    fn say(&self, state: SignalState) {
        let counters = self.counters;
        self.told.send_if_modified(|(before, counted)| {
            let news = *before != state || *counted != counters;
            (*before, *counted) = (state, counters);
            news
        });
    }
}

async fn stopped(mut shutdown: watch::Receiver<bool>) {
    // an error is a sender that is gone, which stops too
    let _ = shutdown.wait_for(|stop| *stop).await;
}

async fn abandoned(mut handles: watch::Receiver<SignalContent>) {
    while handles.changed().await.is_ok() {}
}

fn gone(error: &io::Error) -> LineFault {
    match error.kind() {
        io::ErrorKind::TimedOut => LineFault::Stuck,
        _ => LineFault::Io(error.to_string()),
    }
}

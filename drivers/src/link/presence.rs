//! Whether the device is there, as the log and the station are told: one line when it goes, one when it is back.

use std::time::Instant;

use sabot_wire::message::{DeviceHello, Role};

use super::quality::Quality;

/// Whether the port is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Port {
    /// It is; what is missing is an answer.
    Open,
    /// It is not.
    Closed,
}

/// What the log was last told.
#[derive(Debug, PartialEq, Eq)]
enum State {
    Unknown,
    Absent(String, Port),
    Connecting,
    Refused(String),
    Online,
}

#[derive(Debug)]
pub(super) struct Presence {
    role: Role,
    place: String,
    state: State,
    // since when it has not been in session, once that was logged
    away: Option<Instant>,
    sessions: u64,
}

impl Presence {
    pub(super) fn new(role: Role, place: String) -> Self {
        Self { role, place, state: State::Unknown, away: None, sessions: 0 }
    }

    /// The device is not there. Gives whether that is news.
    pub(super) fn absent(&mut self, why: &str, port: Port) -> bool {
        let news = !matches!(&self.state, State::Absent(before, _) if before == why);
        let (role, place) = (self.role, &self.place);
        if self.away.is_none() {
            self.away = Some(Instant::now());
            tracing::warn!(%role, port = %place, why, "device is not there");
        } else if news {
            tracing::debug!(%role, port = %place, why, "device is still not there");
        }
        self.state = State::Absent(why.to_owned(), port);
        news
    }

    /// The port was opened. Gives whether that is news: a port that was open before without an answer is none.
    pub(super) fn opened(&mut self) -> bool {
        let news = !matches!(self.state, State::Absent(_, Port::Open));
        if news {
            self.state = State::Connecting;
        }
        news
    }

    /// Another device answers.
    pub(super) fn refused(&mut self, why: &str) {
        let (role, place) = (self.role, &self.place);
        tracing::warn!(%role, port = %place, why, "device is refused");
        self.away.get_or_insert_with(Instant::now);
        self.state = State::Refused(why.to_owned());
    }

    pub(super) fn is_refused(&self) -> bool {
        matches!(self.state, State::Refused(_))
    }

    pub(super) fn is_connecting(&self) -> bool {
        self.state == State::Connecting
    }

    pub(super) fn online(&mut self, hello: &DeviceHello) {
        let (role, place) = (self.role, &self.place);
        let (serial, boots) = (&hello.serial, hello.boots);
        match (self.away.take(), &self.state) {
            (Some(since), _) => {
                let away_ms = since.elapsed().as_millis();
                tracing::info!(%role, port = %place, %serial, boots, away_ms, "device is back");
            }
            (None, State::Online) => tracing::info!(%role, port = %place, %serial, boots, "device has restarted"),
            (None, _) => tracing::info!(%role, port = %place, %serial, boots, "device is there"),
        }
        self.state = State::Online;
        self.sessions += 1;
    }

    /// The line has become poor, or good again.
    pub(super) fn judged(&self, quality: &Quality) {
        let (role, place) = (self.role, &self.place);
        match quality {
            Quality::Poor(why) => tracing::warn!(%role, port = %place, %why, "the line of the device is poor"),
            Quality::Good => tracing::info!(%role, port = %place, "the line of the device is good again"),
        }
    }

    /// Times it came into session after the first.
    pub(super) fn reconnects(&self) -> u64 {
        self.sessions.saturating_sub(1)
    }
}

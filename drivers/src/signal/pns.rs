//! PATLITE towers over PNS (TCP, port 10000): each request waits for its answer, and the state that is read back is
//! held against what was asked.
//!
//! Before anything is set the state is read: what does not answer with one is no tower, and is told nothing.

use super::content::{Light, Look, SignalContent};
use super::{DeviceFault, LineFault, ProtocolFault, Session, Trouble};

/// Port a tower listens on.
pub const PORT: u16 = 10_000;
/// The tower takes the request.
pub const ACK: u8 = 0x06;
/// It does not.
pub const NAK: u8 = 0x15;
/// Keeps what a lamp does.
pub const KEEP: u8 = 9;
/// Red, amber, green, blue, white, buzzer: 0 off, 1 on, 2 to 4 blinking.
pub type Tower = [u8; 6];

/// Bytes of an answer that is the state alone.
const SHORT: usize = 6;
/// Bytes of an answer of models that put 8 inputs and their mode before it.
const LONG: usize = 15;
/// An unanswered request for so long is a silent tower.
const ANSWER_MS: u64 = 500;
/// The state is read so often while nothing changes.
const POLL_MS: u64 = 400;
/// Nothing more for so long, and a first state is whole: its length tells the model.
const SETTLE_MS: u64 = 100;
/// Wait before a tower that showed something else, or refused, is told again.
const AGAIN_MS: u64 = 250;
/// Times in a row that it may show something else before that is its fault, not the line's.
const PATIENCE: u32 = 3;

/// A request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request {
    /// Show this.
    Set(Tower),
    /// Everything off.
    Clear,
    /// What is shown?
    Get,
}

impl Request {
    /// Appends its bytes.
    pub fn write(self, out: &mut Vec<u8>) {
        let (command, data): (u8, &[u8]) = match &self {
            Self::Set(tower) => (b'S', tower),
            Self::Clear => (b'C', &[]),
            Self::Get => (b'G', &[]),
        };
        out.extend([b'A', b'B', command, 0, 0, u8::try_from(data.len()).unwrap_or(0)]);
        out.extend(data);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Waiting {
    Nothing,
    /// For the acknowledgement of a state.
    Acknowledgement(Tower),
    State,
}

/// The host's side of one tower.
#[derive(Debug)]
pub struct Pns {
    look: Look,
    wanted: Tower,
    /// Acknowledged, not read back yet.
    told: Option<Tower>,
    /// What it showed when it was last asked; `None` until it has been.
    shows: Option<Tower>,
    waiting: Waiting,
    since: u64,
    not_before: u64,
    poll_at: u64,
    answer: Vec<u8>,
    answer_at: u64,
    state_len: Option<usize>,
    strikes: u32,
    fault: Option<DeviceFault>,
    corrected: u64,
}

impl Pns {
    /// A tower that shows pictures so.
    #[must_use]
    pub fn new(look: Look) -> Self {
        Self {
            look,
            wanted: tower(&look, &SignalContent::default()),
            told: None,
            shows: None,
            waiting: Waiting::Nothing,
            since: 0,
            not_before: 0,
            poll_at: 0,
            answer: Vec::with_capacity(LONG + 1),
            answer_at: 0,
            state_len: None,
            strikes: 0,
            fault: None,
            corrected: 0,
        }
    }

    fn ask(&mut self, now_ms: u64, request: Request, out: &mut Vec<u8>) {
        request.write(out);
        self.waiting = match request {
            Request::Set(tower) => Waiting::Acknowledgement(tower),
            Request::Clear => Waiting::Acknowledgement([0; 6]),
            Request::Get => Waiting::State,
        };
        self.since = now_ms;
        self.answer.clear();
    }

    fn acknowledged(&mut self, now_ms: u64, tower: Tower, answer: u8) -> Result<(), Trouble> {
        self.waiting = Waiting::Nothing;
        match answer {
            ACK => self.told = Some(tower),
            NAK => self.strike(now_ms, DeviceFault::Refused),
            other => return Err(ProtocolFault::NoAcknowledgement(other).into()),
        }
        Ok(())
    }

    /// A whole state, if it is one.
    fn state(&mut self, now_ms: u64) -> Result<(), Trouble> {
        let strange = ProtocolFault::NoState(self.answer.len());
        let Some(shows) = self.answer.last_chunk::<6>().copied() else { return Err(strange.into()) };
        if shows.iter().take(5).any(|&lamp| lamp > 4) {
            return Err(strange.into());
        }
        self.state_len = Some(self.answer.len());
        self.waiting = Waiting::Nothing;
        self.poll_at = now_ms + POLL_MS;
        match self.told.take() {
            Some(told) if told != shows => self.strike(now_ms, DeviceFault::Differs { told, shows }),
            Some(_) => self.sound(),
            // somebody else has changed it since
            None if self.shows.is_some_and(|before| before != shows) => self.corrected += 1,
            None if shows == self.wanted => self.sound(),
            None => {}
        }
        self.shows = Some(shows);
        Ok(())
    }

    fn sound(&mut self) {
        self.strikes = 0;
        self.fault = None;
    }

    fn strike(&mut self, now_ms: u64, fault: DeviceFault) {
        self.corrected += 1;
        self.strikes = self.strikes.saturating_add(1);
        self.not_before = now_ms + AGAIN_MS;
        if self.strikes >= PATIENCE {
            self.fault = Some(fault);
        }
    }

    /// Whether a first answer is a state of the short kind: nothing has come after it.
    fn is_short(&self, now_ms: u64) -> bool {
        self.state_len.is_none() && self.answer.len() == SHORT && now_ms >= self.answer_at + SETTLE_MS
    }
}

impl Session for Pns {
    fn opened(&mut self, now_ms: u64) {
        (self.told, self.shows, self.state_len) = (None, None, None);
        (self.waiting, self.strikes, self.fault) = (Waiting::Nothing, 0, None);
        (self.not_before, self.poll_at) = (now_ms, now_ms);
        self.answer.clear();
    }

    fn show(&mut self, picture: &SignalContent) {
        self.wanted = tower(&self.look, picture);
    }

    fn receive(&mut self, now_ms: u64, bytes: &[u8]) -> Result<(), Trouble> {
        for &byte in bytes {
            match self.waiting {
                Waiting::Nothing => return Err(ProtocolFault::Unasked.into()),
                Waiting::Acknowledgement(tower) => self.acknowledged(now_ms, tower, byte)?,
                Waiting::State if byte == NAK && self.answer.is_empty() => {
                    self.waiting = Waiting::Nothing;
                    self.poll_at = now_ms + POLL_MS;
                    self.strike(now_ms, DeviceFault::Refused);
                }
                Waiting::State => {
                    self.answer.push(byte);
                    self.answer_at = now_ms;
                    if self.answer.len() == self.state_len.unwrap_or(LONG) {
                        self.state(now_ms)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn transmit(&mut self, now_ms: u64, out: &mut Vec<u8>) -> Result<(), Trouble> {
        if self.waiting == Waiting::State && self.is_short(now_ms) {
            self.state(now_ms)?;
        }
        if self.waiting != Waiting::Nothing {
            let silent = now_ms >= self.since + ANSWER_MS;
            return match (silent, self.answer.len()) {
                (false, _) => Ok(()),
                (true, 0) => Err(LineFault::Silent(ANSWER_MS).into()),
                (true, some) => Err(ProtocolFault::NoState(some).into()),
            };
        }
        let due = now_ms >= self.not_before;
        match self.shows {
            Some(_) if self.told.is_some() => self.ask(now_ms, Request::Get, out),
            Some(shows) if shows != self.wanted && due => {
                let request = if self.wanted == [0; 6] { Request::Clear } else { Request::Set(self.wanted) };
                self.ask(now_ms, request, out);
            }
            _ if now_ms >= self.poll_at => self.ask(now_ms, Request::Get, out),
            _ => {}
        }
        Ok(())
    }

    fn wake_at(&self) -> u64 {
        match self.waiting {
            Waiting::State if self.answer.len() == SHORT && self.state_len.is_none() => self.answer_at + SETTLE_MS,
            Waiting::State | Waiting::Acknowledgement(_) => self.since + ANSWER_MS,
            Waiting::Nothing if self.shows.is_some_and(|shows| shows != self.wanted) => {
                self.not_before.min(self.poll_at)
            }
            Waiting::Nothing => self.poll_at,
        }
    }

    fn there(&self) -> bool {
        self.shows.is_some()
    }

    fn fault(&self) -> Option<DeviceFault> {
        self.fault
    }

    fn corrected(&self) -> u64 {
        self.corrected
    }
}

fn tower(look: &Look, picture: &SignalContent) -> Tower {
    let (lights, sounds) = look.of(picture);
    let [red, amber, green, blue, white] = lights.in_order().map(|light| match light {
        Light::Off => 0,
        Light::On => 1,
        Light::Blink => 2,
    });
    [red, amber, green, blue, white, u8::from(sounds)]
}

#[cfg(test)]
#[path = "pns_tests.rs"]
mod tests;

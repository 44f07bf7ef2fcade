//! The session with a pad. Bytes in, keys out; time is an argument.
//!
//! A pad cannot be asked anything. That its device file is open is all that is known of it.

use std::collections::VecDeque;
use std::hash::{BuildHasher, Hasher, RandomState};

use sabot_wire::message::{Role, Show};

use super::events::Decoder;
use crate::link::Counters;
use crate::link::machine::{Frame, Machine, SessionReport};
use crate::saw::{PadKey, Saw};

/// What a pad is called, as it cannot say who it is.
const NAME: &str = "PAD";

/// A session with a pad; it begins with [`Machine::opened`].
#[derive(Debug)]
pub struct PadSession {
    decoder: Decoder,
    is_open: bool,
    epoch: u32,
    seq: u32,
    said: VecDeque<SessionReport>,
}

impl Default for PadSession {
    fn default() -> Self {
        let epoch = RandomState::new().build_hasher().finish() as u32 | 1;
        Self { decoder: Decoder::default(), is_open: false, epoch, seq: 0, said: VecDeque::new() }
    }
}

impl PadSession {
    fn pressed(&mut self, now_ms: u64, key: PadKey) -> SessionReport {
        self.seq = self.seq.wrapping_add(1);
        let at_ms = u32::try_from(now_ms & u64::from(u32::MAX)).unwrap_or(0);
        SessionReport::Saw { epoch: self.epoch, seq: self.seq, at_ms, age_ms: Some(0), saw: Some(Saw::Key(key)) }
    }
}

impl Machine for PadSession {
    fn opened(&mut self, _: u64) {
        self.decoder.restart();
        self.is_open = true;
        let online = SessionReport::online_numbered_here(Role::Keypad, NAME, [0; 3], self.epoch, self.seq + 1);
        self.said.push_back(online);
    }

    fn closed(&mut self) {
        self.decoder.restart();
        self.said.clear();
        self.is_open = false;
    }

    fn receive(&mut self, now_ms: u64, input: &mut &[u8]) -> Option<SessionReport> {
        self.said.pop_front().or_else(|| self.decoder.next_key(input).map(|key| self.pressed(now_ms, key)))
    }

    fn tick(&mut self, _: u64) -> Option<SessionReport> {
        self.said.pop_front()
    }

    /// It is told nothing.
    fn transmit<'o>(&mut self, _: u64, _: &'o mut Frame) -> Option<&'o [u8]> {
        None
    }

    fn wake_at(&self) -> Option<u64> {
        (!self.said.is_empty()).then_some(0)
    }

    fn online(&self) -> bool {
        self.is_open
    }

    fn counters(&self) -> Counters {
        Counters { events: self.seq.into(), gaps: self.decoder.dropped, ..Counters::default() }
    }

    /// It keeps nothing that could be forgotten.
    fn durable(&mut self, _: u32, _: u32) {}

    /// It shows nothing.
    fn show(&mut self, _: Show) {}
}

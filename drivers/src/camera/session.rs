//! The session with a camera. What pictures showed in, cards out; time is an argument.

use std::collections::VecDeque;
use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};

use sabot_camera::{Out, Passages, Told, Trouble};
use sabot_wire::message::{Card, DeviceState, Observation, Role, ShoeSaw, Show};

use super::seen::{RECORD, Shown, decode};
use crate::link::Counters;
use crate::link::machine::{Frame, Machine, SessionReport};

/// What a camera is called, as it cannot say who it is.
const NAME: &str = "CAMERA";
/// Sound pictures in a row before a camera is there.
const SOUND: u32 = 5;
/// No picture for so long is a camera that does not see, milliseconds.
const PICTURE_WITHIN_MS: u64 = 1000;

/// A session with a camera; it begins with [`Machine::opened`].
pub struct CameraSession {
    out: Out,
    passages: Passages,
    epoch: u32,
    seq: u32,
    record: [u8; RECORD],
    filled: usize,
    is_open: bool,
    online: bool,
    /// Sound pictures in a row.
    sound: u32,
    trouble: Option<Trouble>,
    /// When the last picture came.
    last: u64,
    damaged: u64,
    said: VecDeque<SessionReport>,
}

/// Nothing of what was seen is shown.
impl fmt::Debug for CameraSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seq, online, trouble, .. } = self;
        f.debug_struct("CameraSession").field("seq", seq).field("online", online).field("trouble", trouble).finish()
    }
}

impl CameraSession {
    /// A session with a camera before which cards leave towards that side.
    #[must_use]
    pub fn new(out: Out) -> Self {
        Self {
            out,
            passages: Passages::new(out),
            epoch: RandomState::new().build_hasher().finish() as u32 | 1,
            seq: 0,
            record: [0; RECORD],
            filled: 0,
            is_open: false,
            online: false,
            sound: 0,
            trouble: None,
            last: 0,
            damaged: 0,
            said: VecDeque::new(),
        }
    }

    fn shown(&mut self, now: u64, shown: Shown) {
        self.last = now;
        match shown {
            Shown::Damaged => {
                self.damaged += 1;
                self.sound = 0;
            }
            Shown::Trouble(trouble) => {
                if self.trouble != Some(trouble) {
                    self.blind(now, &trouble.to_string());
                }
                self.trouble = Some(trouble);
            }
            Shown::Seen(seen) => {
                self.trouble = None;
                self.sound = self.sound.saturating_add(1);
                if !self.online && self.sound >= SOUND {
                    self.online = true;
                    self.said.push_back(SessionReport::online_numbered_here(
                        Role::Shoe,
                        NAME,
                        [0; 3],
                        self.epoch,
                        self.seq + 1,
                    ));
                }
                if self.online {
                    self.passages.take(now, seen);
                    self.tell(now);
                }
            }
        }
    }

    /// It does not see. What was in the mouth is told as far as it was read.
    fn blind(&mut self, now: u64, why: &str) {
        if self.online {
            self.passages.ends();
            self.tell(now);
        }
        self.passages = Passages::new(self.out);
        (self.online, self.sound) = (false, 0);
        self.said.push_back(SessionReport::Silent(why.to_owned()));
    }

    fn tell(&mut self, now: u64) {
        while let Some(told) = self.passages.next_told() {
            let saw = match told {
                Told::Card(card) => Observation::Shoe(ShoeSaw::Drawn(card)),
                Told::Unread => Observation::Shoe(ShoeSaw::Drawn(Card::UNREAD)),
                Told::CutCard => Observation::Shoe(ShoeSaw::CutCard),
                Told::Together => {
                    tracing::warn!("two cards have left the shoe together");
                    Observation::Device(DeviceState::Jam)
                }
            };
            self.seq = self.seq.wrapping_add(1);
            let at_ms = u32::try_from(now & u64::from(u32::MAX)).unwrap_or(0);
            let (epoch, seq) = (self.epoch, self.seq);
            self.said.push_back(SessionReport::Saw { epoch, seq, at_ms, age_ms: Some(0), saw: Some(saw.into()) });
        }
    }
}

impl Machine for CameraSession {
    fn opened(&mut self, now_ms: u64) {
        (self.filled, self.last, self.is_open) = (0, now_ms, true);
    }

    fn closed(&mut self) {
        self.passages = Passages::new(self.out);
        (self.filled, self.sound, self.is_open, self.online, self.trouble) = (0, 0, false, false, None);
        self.said.clear();
    }

    fn receive(&mut self, now_ms: u64, input: &mut &[u8]) -> Option<SessionReport> {
        while self.said.is_empty() {
            let (&byte, rest) = input.split_first()?;
            *input = rest;
            if let Some(place) = self.record.get_mut(self.filled) {
                *place = byte;
            }
            self.filled += 1;
            if self.filled == RECORD {
                self.filled = 0;
                self.shown(now_ms, decode(self.record));
            }
        }
        self.said.pop_front()
    }

    fn tick(&mut self, now_ms: u64) -> Option<SessionReport> {
        if self.online && now_ms >= self.last + PICTURE_WITHIN_MS {
            self.blind(now_ms, "the camera sends no pictures: look at its cable and its power");
        }
        self.said.pop_front()
    }

    /// It is told nothing.
    fn transmit<'o>(&mut self, _: u64, _: &'o mut Frame) -> Option<&'o [u8]> {
        None
    }

    fn wake_at(&self) -> Option<u64> {
        if !self.said.is_empty() {
            return Some(0);
        }
        (self.is_open && self.online).then_some(self.last + PICTURE_WITHIN_MS)
    }

    fn online(&self) -> bool {
        self.online
    }

    fn counters(&self) -> Counters {
        Counters { events: self.seq.into(), bad_frames: self.damaged, ..Counters::default() }
    }

    /// It keeps nothing that could be forgotten.
    fn durable(&mut self, _: u32, _: u32) {}

    /// It shows nothing.
    fn show(&mut self, _: Show) {}
}

#[cfg(test)]
#[path = "session_tests.rs"]
mod tests;

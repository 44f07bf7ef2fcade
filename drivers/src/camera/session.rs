//! The session with a camera. What pictures showed in, cards out; time is an argument.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};

use sabot_camera::{Out, Passages, Seen, Told, Trouble};
use sabot_wire::message::{Card, DeviceState, Observation, Role, ShoeSaw, Show};

use super::seen::{Looked, MAX_CORNER, RECORD, Shown, decode};
use crate::link::Counters;
use crate::link::machine::{Frame, Machine, SessionReport};
use crate::saw::Picture;

/// What a camera is called, as it cannot say who it is.
const NAME: &str = "CAMERA";
/// Sound pictures in a row before a camera is there.
const SOUND: u32 = 5;
/// No picture for so long is a camera that does not see, milliseconds.
const PICTURE_WITHIN_MS: u64 = 1000;

/// Different cards that are taken for what is in the mouth, of which a corner is kept.
const CORNERS: usize = 4;

/// The corners of what is in the mouth, and what was told of it.
#[derive(Default)]
struct Corners {
    /// The best of each card that it was taken for, and of those in which it was not read.
    best: BTreeMap<Option<u8>, (u8, Vec<u8>)>,
    /// The card that was told, and under which number.
    told: Option<(Option<u8>, u32)>,
    /// Another came without a gap: in a picture of the one the other may be seen.
    together: bool,
}

impl Corners {
    fn take(&mut self, card: Option<u8>, worth: u8, corner: Vec<u8>) {
        let is_better = self.best.get(&card).map_or(self.best.len() < CORNERS, |(best, _)| *best < worth);
        if is_better && !corner.is_empty() {
            self.best.insert(card, (worth, corner));
        }
    }

    /// The corner of the card that was told, once it has left the mouth; none where another card may be seen in it,
    /// which may lie covered, and none of a card that was not read, which may be two.
    fn left(mut self) -> Option<(u32, Vec<u8>)> {
        let (card, seq) = self.told.filter(|(card, _)| card.is_some() && !self.together)?;
        let corner = self.best.remove(&card)?.1;
        self.best.keys().flatten().next().is_none().then_some((seq, corner))
    }
}

/// A session with a camera; it begins with [`Machine::opened`].
pub struct CameraSession {
    out: Out,
    passages: Passages,
    epoch: u32,
    seq: u32,
    record: [u8; RECORD],
    filled: usize,
    /// Where the bytes of a corner are coming: what the picture showed, and how many are to come.
    coming: Option<(Looked, usize)>,
    corners: Corners,
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
            coming: None,
            corners: Corners::default(),
            is_open: false,
            online: false,
            sound: 0,
            trouble: None,
            last: 0,
            damaged: 0,
            said: VecDeque::new(),
        }
    }

    fn shown(&mut self, now: u64, Looked { shown, worth, corner }: Looked) {
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
                    match seen {
                        Seen::Card(card, _) => self.corners.take(Some(card.code()), worth, corner),
                        Seen::Unread => self.corners.take(None, worth, corner),
                        _ => {}
                    }
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
        (self.passages, self.corners) = (Passages::new(self.out), Corners::default());
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
                    self.corners.together = true;
                    tracing::warn!("two cards have left the shoe together");
                    Observation::Device(DeviceState::Jam)
                }
            };
            self.seq = self.seq.wrapping_add(1);
            let at_ms = u32::try_from(now & u64::from(u32::MAX)).unwrap_or(0);
            let (epoch, seq) = (self.epoch, self.seq);
            match told {
                Told::Card(card) => self.corners.told = Some((Some(card.code()), seq)),
                Told::Unread => self.corners.told = Some((None, seq)),
                Told::CutCard | Told::Together => {}
            }
            self.said.push_back(SessionReport::Saw { epoch, seq, at_ms, age_ms: Some(0), saw: Some(saw.into()) });
        }
        if self.passages.is_empty()
            && let Some((seq, jpeg)) = std::mem::take(&mut self.corners).left()
        {
            self.said.push_back(SessionReport::Picture { epoch: self.epoch, seq, jpeg: Picture(jpeg) });
        }
    }
}

impl Machine for CameraSession {
    fn opened(&mut self, now_ms: u64) {
        (self.filled, self.coming, self.last, self.is_open) = (0, None, now_ms, true);
    }

    fn closed(&mut self) {
        (self.passages, self.corners, self.coming) = (Passages::new(self.out), Corners::default(), None);
        (self.filled, self.sound, self.is_open, self.online, self.trouble) = (0, 0, false, false, None);
        self.said.clear();
    }

    fn receive(&mut self, now_ms: u64, input: &mut &[u8]) -> Option<SessionReport> {
        while self.said.is_empty() {
            if let Some((mut looked, wanted)) = self.coming.take() {
                let (corner, rest) = input.split_at(input.len().min(wanted - looked.corner.len()));
                *input = rest;
                looked.corner.extend_from_slice(corner);
                if looked.corner.len() < wanted {
                    self.coming = Some((looked, wanted));
                    return None;
                }
                self.shown(now_ms, looked);
                continue;
            }
            let (&byte, rest) = input.split_first()?;
            *input = rest;
            if let Some(place) = self.record.get_mut(self.filled) {
                *place = byte;
            }
            self.filled += 1;
            if self.filled == RECORD {
                self.filled = 0;
                let (shown, worth, wanted) = decode(self.record);
                self.coming = Some((Looked { worth, ..Looked::of(shown) }, wanted.min(MAX_CORNER)));
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

//! What was read becomes what the shoe saw, once: a card that is seen twice, and a text that is sent again, are one.

use std::collections::{HashSet, VecDeque};
use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};

use sabot_wire::message::{Card, DeviceState, Observation, Role, ShoeSaw};

use super::Setup;
use crate::link::Counters;
use crate::link::machine::SessionReport;

/// A scanner that has not heard the acknowledgement sends again within so long, milliseconds: its own time for that, 2
/// s unless it was set otherwise, and some more.
pub(super) const HEARD_MS: u64 = 2500;
/// And it gives up, milliseconds after it first sent: it sends three times.
pub(super) const GIVE_UP_MS: u64 = 6500;

/// The last thing that passed.
struct Last {
    /// As it was sent; none: read from the record.
    text: Option<Box<[u8]>>,
    saw: ShoeSaw,
    /// When the scanner last sent it as something new.
    seen: Option<u64>,
    /// Its event, where this session told it.
    seq: u32,
    /// Until when what is sent again is this. Never over while it is not acknowledged and the line is up.
    until: u64,
}

/// What has passed the scanner, and how far that is on disk.
pub(super) struct Reads {
    setup: Setup,
    epoch: u32,
    seq: u32,
    acked: u32,
    last: Option<Last>,
    /// Symbols that have passed since the shoe was loaded, where each is one card's alone.
    passed: HashSet<Box<[u8]>>,
    pub(super) said: VecDeque<SessionReport>,
    pub(super) counters: Counters,
}

/// Nothing of what was read is shown.
impl fmt::Debug for Reads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reads").field("seq", &self.seq).field("acked", &self.acked).finish_non_exhaustive()
    }
}

impl Reads {
    pub(super) fn new(setup: Setup) -> Self {
        let last = setup.last.map(|saw| Last { text: None, saw, seen: None, seq: 0, until: GIVE_UP_MS });
        let epoch = RandomState::new().build_hasher().finish() as u32 | 1;
        Self {
            setup,
            epoch,
            seq: 0,
            acked: 0,
            last,
            passed: HashSet::new(),
            said: VecDeque::new(),
            counters: Counters::default(),
        }
    }

    /// What a text means; `None` where it is neither a symbol nor the text for a card that could not be read.
    pub(super) fn meaning(&self, text: &[u8]) -> Option<ShoeSaw> {
        let unread = self.setup.no_read.as_ref().is_some_and(|no_read| no_read.as_bytes() == text);
        if unread { Some(ShoeSaw::Drawn(Card::UNREAD)) } else { self.setup.symbols.meaning(text) }
    }

    /// Takes a sound text, at `now`; `again` where the scanner says that it sends it once more. Gives the event that is
    /// to be on disk before it is acknowledged.
    pub(super) fn take(&mut self, now: u64, text: &[u8], again: bool) -> u32 {
        let saw = self.meaning(text).unwrap_or(ShoeSaw::Drawn(Card::UNREAD));
        let window = self.setup.duplicate_ms;
        if let Some(last) = &mut self.last {
            let same = last.text.as_ref().map_or(last.saw == saw, |before| **before == *text);
            let seen_twice = same && last.seen.is_some_and(|seen| now.saturating_sub(seen) < window);
            if seen_twice || (same && again && now <= last.until) {
                // a card that stays before the scanner is the same one for as long as it does
                last.seen = last.seen.map(|_| now);
                last.text.get_or_insert_with(|| text.into());
                self.counters.repeats += 1;
                return last.seq;
            }
        }
        let twice = self.setup.symbols.unique() && self.has_passed(text, saw);
        // what is sent again was read some time ago
        let age_ms = (!again).then_some(0);
        self.saw(now, age_ms, Observation::Shoe(saw));
        if twice {
            tracing::warn!("a symbol that is one card's alone has passed twice since the shoe was loaded");
            self.saw(now, age_ms, Observation::Device(DeviceState::ReadError));
        }
        let seq = self.seq;
        self.last = Some(Last { text: Some(text.into()), saw, seen: Some(now), seq, until: u64::MAX });
        seq
    }

    /// Notes a symbol; whether it has passed before in this shoe.
    fn has_passed(&mut self, text: &[u8], saw: ShoeSaw) -> bool {
        match saw {
            ShoeSaw::Loaded { .. } => {
                self.passed.clear();
                false
            }
            // what is in no table, and what is no card, has no symbol of its own: so this is no longer than the table
            ShoeSaw::Drawn(Card::UNREAD) | ShoeSaw::CutCard | ShoeSaw::Empty => false,
            ShoeSaw::Drawn(_) => !self.passed.insert(text.into()),
        }
    }

    /// Something came that cannot be understood, and may have been a card.
    pub(super) fn trouble(&mut self, now: u64) {
        self.saw(now, Some(0), Observation::Device(DeviceState::ReadError));
    }

    fn saw(&mut self, now: u64, age_ms: Option<u32>, saw: Observation) {
        self.seq += 1;
        self.counters.events += 1;
        let at_ms = u32::try_from(now & u64::from(u32::MAX)).unwrap_or(0);
        self.said.push_back(SessionReport::Saw {
            epoch: self.epoch,
            seq: self.seq,
            at_ms,
            age_ms,
            saw: Some(saw.into()),
        });
    }

    /// The acknowledgement goes out.
    pub(super) fn acknowledged(&mut self, now: u64) {
        // where each card has a symbol of its own, no other one is mistaken for it
        let again_within = if self.setup.symbols.unique() { GIVE_UP_MS } else { HEARD_MS };
        if let Some(last) = &mut self.last {
            last.until = now + again_within;
        }
    }

    /// The line is lost: whether the last acknowledgement was heard is not known, and the scanner will give up.
    pub(super) fn lost(&mut self, now: u64) {
        if let Some(last) = &mut self.last
            && last.until >= now
        {
            last.until = now + GIVE_UP_MS;
        }
    }

    pub(super) const fn is_durable(&self, seq: u32) -> bool {
        self.acked >= seq
    }

    pub(super) fn durable(&mut self, epoch: u32, seq: u32) {
        if epoch == self.epoch && seq <= self.seq {
            self.acked = self.acked.max(seq);
        }
    }

    /// The scanner is there.
    pub(super) fn online(&mut self, serial: &str) {
        let online = SessionReport::online_numbered_here(Role::Shoe, serial, [0; 3], self.epoch, self.seq + 1);
        self.said.push_back(online);
    }

    pub(super) fn pinned(&self) -> Option<&str> {
        self.setup.serial.as_deref()
    }
}

#[cfg(test)]
impl Reads {
    pub(super) const fn epoch(&self) -> u32 {
        self.epoch
    }
}

#[cfg(test)]
#[path = "reads_tests.rs"]
pub(super) mod tests;

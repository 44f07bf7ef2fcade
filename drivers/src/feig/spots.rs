//! What lies on a betting spot: told when it has stopped changing, and only when it has changed.

use sabot_wire::message::{Chip, ChipsSaw, DeviceState, MAX_CHIPS, Observation};

use super::Spot;
use super::message::ANY_READER;

/// Inventories in a row that must find the same tags: one tag may be missed while a hand moves.
const ALIKE: u32 = 2;

/// One spot, as it is watched.
#[derive(Debug)]
pub(super) struct Watch {
    spot: Spot,
    alike_needed: u32,
    candidate: Vec<u64>,
    alike: u32,
    told: Option<Vec<u64>>,
    told_too_many: bool,
}

impl Watch {
    /// A spot of which nothing is known. In buffered mode the time a tag is remembered takes the place of a second
    /// look.
    pub(super) const fn new(spot: Spot, buffered: bool) -> Self {
        let alike_needed = if buffered { 1 } else { ALIKE };
        Self { spot, alike_needed, candidate: Vec::new(), alike: 0, told: None, told_too_many: false }
    }

    /// Address of its reader.
    pub(super) fn reader(&self) -> u8 {
        self.spot.reader.unwrap_or(ANY_READER)
    }

    pub(super) fn is_seen_by(&self, reader: u8, antenna: Option<u8>) -> bool {
        self.reader() == reader && (self.spot.antenna.is_none() || self.spot.antenna == antenna)
    }

    /// Whether a tag that was there is not among those found.
    pub(super) fn lacks(&self, found: &[u64]) -> bool {
        self.told.iter().flatten().chain(&self.candidate).any(|uid| !found.contains(uid))
    }

    /// These tags lie there now. Gives what is to be told, where that is news.
    pub(super) fn found(&mut self, mut found: Vec<u64>, value: impl Fn(u64) -> u32) -> Option<Observation> {
        found.sort_unstable();
        if self.alike == 0 || found != self.candidate {
            self.alike = 0;
            self.candidate = found;
        }
        self.alike = self.alike.saturating_add(1);
        if self.alike < self.alike_needed {
            return None;
        }
        let chips = self.candidate.iter().map(|&uid| Chip { uid, value: value(uid) });
        if self.candidate.len() > MAX_CHIPS {
            // a sum without the rest would be a wrong stake
            let news = !std::mem::replace(&mut self.told_too_many, true);
            return news.then_some(Observation::Device(DeviceState::ReadError));
        }
        self.told_too_many = false;
        if self.told.as_ref() == Some(&self.candidate) {
            return None;
        }
        let Spot { box_no, hand, spot, .. } = self.spot;
        let saw = ChipsSaw::Spot { box_no, hand, spot, chips: chips.collect() };
        self.told = Some(self.candidate.clone());
        Some(Observation::Chips(saw))
    }
}

//! What lies over an antenna, tag by tag.
//!
//! Under stacks and hands tags are missed at random. So a tag lies there once it was read in some of the last rounds,
//! and is gone once it was missed in many and for a time. A card is told at once when it comes and when it is gone.
//! Chips are told all together, when none of them is in doubt: a part of a stack would be a wrong stake.

use std::collections::{BTreeSet, HashMap};

use sabot_wire::message::{Chip, Place};

use super::message::{ANY_READER, MAX_TAGS};
use super::{CardTags, Hysteresis, Spot};
use crate::saw::{MAX_STACK, Pad, ReadRate, TagsSaw, Unreadable};

/// Rounds in a row in which a tag is missed without a doubt that it lies there: 27 in a million at 3 % a round.
const DOUBT: u32 = 3;

#[derive(Debug)]
struct Tag {
    /// A bit for each of the last rounds in which it was read, the lowest for the last.
    read: u32,
    missed: u32,
    last_ms: u64,
    lies: bool,
}

/// What the station knows of a spot.
#[derive(Debug, PartialEq, Eq)]
enum Told {
    Stack(Vec<u64>),
    Unreadable(Unreadable),
}

/// One spot, as it is watched.
#[derive(Debug)]
pub(super) struct Watch {
    spot: Spot,
    hysteresis: Hysteresis,
    cards: CardTags,
    tags: HashMap<u64, Tag>,
    /// Rounds since a chip was first read.
    quiet: u32,
    told: Option<Told>,
    /// The cards that the station has been told lie there.
    told_cards: BTreeSet<u64>,
    rate: ReadRate,
}

impl Watch {
    /// A spot of which nothing is known.
    pub(super) fn new(spot: Spot, hysteresis: Hysteresis, cards: CardTags) -> Self {
        let rate = ReadRate { at: spot.at, tags: 0, tries: 0, reads: 0, inventory_ms: 0 };
        let told_cards = BTreeSet::new();
        Self { spot, hysteresis, cards, tags: HashMap::new(), quiet: 0, told: None, told_cards, rate }
    }

    /// Whether a tag there is in a card.
    fn is_card(&self, tag: u64) -> bool {
        matches!(self.spot.at, Pad::Cards(_)) || self.cards.has(tag)
    }

    /// Address of its reader.
    pub(super) fn reader(&self) -> u8 {
        self.spot.reader.unwrap_or(ANY_READER)
    }

    /// Which antenna of it; none: every one.
    pub(super) const fn antenna(&self) -> Option<u8> {
        self.spot.antenna
    }

    /// Whether a tag was read there lately.
    pub(super) fn knows(&self, uid: u64) -> bool {
        self.tags.contains_key(&uid)
    }

    /// Whether the last round missed a tag that was read lately.
    pub(super) fn misses_any(&self) -> bool {
        self.tags.values().any(|tag| tag.missed > 0)
    }

    pub(super) const fn rate(&self) -> ReadRate {
        self.rate
    }

    /// A round has read these tags.
    pub(super) fn round(&mut self, now: u64, found: &[u64], took_ms: u64) {
        let Hysteresis { rounds, appear, missed, vanish_ms } = self.hysteresis;
        self.quiet = self.quiet.saturating_add(1);
        self.rate.inventory_ms = took_ms;
        for &uid in found {
            if !self.tags.contains_key(&uid) && self.tags.len() < MAX_TAGS {
                self.tags.insert(uid, Tag { read: 0, missed: 0, last_ms: now, lies: false });
                self.quiet = if self.is_card(uid) { self.quiet } else { 0 };
            }
        }
        let window = 1_u32.checked_shl(rounds).map_or(u32::MAX, |bit| bit - 1);
        for (uid, tag) in &mut self.tags {
            let is_read = found.contains(uid);
            tag.read = tag.read << 1 | u32::from(is_read);
            (tag.missed, tag.last_ms) = if is_read { (0, now) } else { (tag.missed.saturating_add(1), tag.last_ms) };
            if tag.lies {
                self.rate.tries += 1;
                self.rate.reads += u64::from(is_read);
            }
            tag.lies |= (tag.read & window).count_ones() >= appear;
        }
        self.tags.retain(|_, tag| {
            let is_gone = if tag.lies {
                tag.missed >= missed && now.saturating_sub(tag.last_ms) >= vanish_ms
            } else {
                tag.read & window == 0
            };
            !is_gone
        });
        self.rate.tags = u32::try_from(self.lying().count()).unwrap_or(u32::MAX);
    }

    /// The tags that lie there.
    fn lying(&self) -> impl Iterator<Item = u64> {
        self.tags.iter().filter(|(_, tag)| tag.lies).map(|(&uid, _)| uid)
    }

    /// The chips that lie there.
    pub(super) fn chips(&self) -> impl Iterator<Item = u64> {
        self.lying().filter(|uid| !self.is_card(*uid))
    }

    /// Whether no chip is in doubt, nor another likely to come.
    pub(super) fn is_settled(&self) -> bool {
        let in_doubt = |tag: &Tag| !tag.lies || (self.hysteresis.missed > DOUBT && tag.missed >= DOUBT);
        let mut chips = self.tags.iter().filter(|(uid, _)| !self.is_card(**uid));
        self.quiet + 1 >= self.hysteresis.rounds && !chips.any(|(_, tag)| in_doubt(tag))
    }

    /// Nobody has looked for a while: what lies there is learnt anew. What was told stands until it is found otherwise.
    pub(super) fn forget(&mut self) {
        let told = &self.told_cards;
        self.tags.retain(|uid, tag| {
            tag.missed = 0;
            told.contains(uid)
        });
        self.quiet = 0;
    }

    /// A card that came or went, where that is news.
    pub(super) fn card_news(&mut self) -> Option<TagsSaw> {
        let at = self.spot.at.place();
        let lies = |tag: &u64| self.tags.get(tag).is_some_and(|tag| tag.lies);
        if let Some(tag) = self.told_cards.iter().copied().find(|tag| !lies(tag)) {
            self.told_cards.remove(&tag);
            if at == Place::Shoe {
                return self.card_news(); // it has passed: that was told as it came
            }
            return Some(TagsSaw::Card { at, tag, lies: false });
        }
        let came = self.lying().filter(|tag| self.is_card(*tag) && !self.told_cards.contains(tag));
        let tag = came.min()?;
        self.told_cards.insert(tag);
        if at == Place::Shoe {
            return Some(TagsSaw::Passed { tag });
        }
        Some(TagsSaw::Card { at, tag, lies: true })
    }

    /// What is to be told of a spot's chips together, where that is news and none is in doubt.
    pub(super) fn news(&mut self, value: impl Fn(u64) -> u32) -> Option<TagsSaw> {
        let at = match self.spot.at {
            Pad::Stake(at) => at,
            // of cards all is told that is read; that they were not read is over
            Pad::Cards(at) => return self.told.take().map(|_| TagsSaw::Readable { at }),
        };
        if !self.is_settled() {
            return None;
        }
        let mut uids: Vec<u64> = self.chips().collect();
        if uids.len() > MAX_STACK {
            return self.unreadable(Unreadable::TooMany); // a sum without the rest would be a wrong stake
        }
        uids.sort_unstable();
        if matches!(&self.told, Some(Told::Stack(told)) if *told == uids) {
            return None;
        }
        let chips = uids.iter().map(|&uid| Chip { uid, value: value(uid) }).collect();
        self.told = Some(Told::Stack(uids));
        Some(TagsSaw::Stack { at, chips })
    }

    /// What lies there is not known any more; what is to be told of that, once.
    pub(super) fn unreadable(&mut self, why: Unreadable) -> Option<TagsSaw> {
        if why == Unreadable::Reader {
            self.forget(); // what was taken away meanwhile must not be told once more
        }
        let told = Told::Unreadable(why);
        if self.told.as_ref() == Some(&told) {
            return None;
        }
        self.told = Some(told);
        Some(TagsSaw::Unreadable { at: self.spot.at, why })
    }
}

#[cfg(test)]
#[path = "spots_tests.rs"]
mod tests;

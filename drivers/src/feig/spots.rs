//! What lies over an antenna, tag by tag.
//!
//! Under stacks and hands tags are missed at random. So a tag lies there once it was read in some of the last rounds,
//! and is gone once it was missed in many and for a time. A card is told at once when it comes and when it is gone.
//! Chips are told all together, when none of them is in doubt and another one would have been read by now: a part of a
//! stack would be a wrong stake. Rounds in which many are missed, under a hand, say little of what was not read yet.

use std::collections::{BTreeSet, HashMap};

use sabot_wire::message::{Chip, Place};

use super::message::{ANY_READER, MAX_TAGS};
use super::{CardTags, Hysteresis, Spot};
use crate::saw::{MAX_STACK, Pad, ReadRate, Stake, TagsSaw, Unreadable};

/// Rounds in a row in which a tag is missed without a doubt that it lies there: 27 in a million at 3 % a round.
const DOUBT: u32 = 3;
/// Chips are told once it is so unlikely that another was never read as if each round had missed this part of them: one
/// in ten million for five rounds.
const FAIR: f64 = 0.04;
/// A tag is gone once it is as unlikely that it lay there and was missed in all rounds since. Where a spot is read
/// badly that takes more rounds than the hysteresis asks for.
const GONE: f64 = 1e-11;
/// A tag that was told is in doubt once it is as unlikely as this that it lies there.
const IN_DOUBT: f64 = 1e-8;
/// So many rounds are enough however badly a spot is read.
const MOST_MISSED: u32 = 32;
/// A stack that is not what was told last is said to be in doubt after so long, milliseconds.
const IN_DOUBT_MS: u64 = 2000;
/// How a spot is read is taken for this before it is known: three of a hundred tags are missed.
const MISSED_BEFORE: u32 = 3;
const TRIED_BEFORE: u32 = 100;

#[derive(Debug)]
struct Tag {
    /// A bit for each of the last rounds in which it was read, the lowest for the last.
    read: u32,
    missed: u32,
    first_ms: u64,
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
    /// How likely a chip that lies there was missed in all of them.
    unread: f64,
    /// How often tags were tried that were read before and after, and how often missed.
    tried: (u64, u64),
    told: Option<Told>,
    /// When the last chip was read of those that went since that was told; of several the first.
    went_ms: Option<u64>,
    /// Since when what was told last was so.
    since_ms: u64,
    /// Since when another stack lies there than was told, of which it is not sure, and whether that was told.
    doubt: Option<(u64, bool)>,
    /// The cards that the station has been told lie there.
    told_cards: BTreeSet<u64>,
    rate: ReadRate,
}

impl Watch {
    /// A spot of which nothing is known.
    pub(super) fn new(spot: Spot, hysteresis: Hysteresis, cards: CardTags) -> Self {
        let rate = ReadRate { at: spot.at, tags: 0, tries: 0, reads: 0, inventory_ms: 0 };
        Self {
            spot,
            hysteresis,
            cards,
            tags: HashMap::new(),
            quiet: 0,
            tried: (0, 0),
            unread: f64::from(MISSED_BEFORE) / f64::from(TRIED_BEFORE),
            told: None,
            went_ms: None,
            since_ms: 0,
            doubt: None,
            told_cards: BTreeSet::new(),
            rate,
        }
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
                self.tags.insert(uid, Tag { read: 0, missed: 0, first_ms: now, last_ms: now, lies: false });
                (self.quiet, self.unread) = if self.is_card(uid) { (self.quiet, self.unread) } else { (0, 1.0) };
            }
        }
        self.unread *= self.missed_of(found);
        let window = 1_u32.checked_shl(rounds).map_or(u32::MAX, |bit| bit - 1);
        for (uid, tag) in &mut self.tags {
            let is_read = found.contains(uid);
            if is_read && tag.lies {
                self.tried.0 += u64::from(tag.missed) + 1;
                self.tried.1 += u64::from(tag.missed);
            }
            tag.read = tag.read << 1 | u32::from(is_read);
            (tag.missed, tag.last_ms) = if is_read { (0, now) } else { (tag.missed.saturating_add(1), tag.last_ms) };
            if tag.lies {
                self.rate.tries += 1;
                self.rate.reads += u64::from(is_read);
            }
            tag.lies |= (tag.read & window).count_ones() >= appear;
        }
        let missed = self.missed_to_be_gone(missed);
        let (went_ms, cards, at) = (&mut self.went_ms, &self.cards, self.spot.at);
        self.tags.retain(|uid, tag| {
            let is_gone = if tag.lies {
                tag.missed >= missed && now.saturating_sub(tag.last_ms) >= vanish_ms
            } else {
                tag.read & window == 0
            };
            if is_gone && tag.lies && matches!(at, Pad::Stake(_)) && !cards.has(*uid) {
                *went_ms = Some(went_ms.map_or(tag.last_ms, |before| before.min(tag.last_ms)));
            }
            !is_gone
        });
        self.rate.tags = u32::try_from(self.lying().count()).unwrap_or(u32::MAX);
    }

    /// What part of the tags a round has missed, by those that lie there without a doubt and by how the spot is read at
    /// other times. Where all are in doubt the round says nothing.
    fn missed_of(&self, found: &[u64]) -> f64 {
        let (mut known, mut missed) = (0.0, 0.0);
        for (uid, _) in self.tags.iter().filter(|(_, tag)| tag.missed < DOUBT) {
            known += 1.0;
            missed += f64::from(u8::from(!found.contains(uid)));
        }
        let usual = self.usually_missed();
        if known == 0.0 && !self.tags.is_empty() { 1.0 } else { usual.max((missed + usual) / (known + 1.0)) }
    }

    /// In how many rounds in a row a tag must have been missed to be gone: so many at the least. Where a single look is
    /// enough, as a reader that watches by itself has it, none are added.
    fn missed_to_be_gone(&self, least: u32) -> u32 {
        let usual = self.usually_missed();
        let is_enough = |missed: &u32| usual.powf(f64::from(*missed)) <= GONE;
        if least <= DOUBT { least } else { (least..MOST_MISSED).find(is_enough).unwrap_or(least.max(MOST_MISSED)) }
    }

    /// What part of the tags is missed there as a rule.
    #[expect(clippy::cast_precision_loss, reason = "a table does not stand for so long")]
    fn usually_missed(&self) -> f64 {
        let (tried, missed) = self.tried;
        (missed as f64 + f64::from(MISSED_BEFORE)) / (tried as f64 + f64::from(TRIED_BEFORE))
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
        let Hysteresis { rounds, .. } = self.hysteresis;
        let is_quiet = self.quiet + 1 >= rounds && self.unread <= FAIR.powf(f64::from(rounds));
        is_quiet && !chips.any(|(_, tag)| in_doubt(tag))
    }

    /// Nobody has looked for a while: what lies there is learnt anew. What was told stands until it is found otherwise.
    pub(super) fn forget(&mut self) {
        let told = &self.told_cards;
        self.tags.retain(|uid, tag| {
            tag.missed = 0;
            told.contains(uid)
        });
        (self.quiet, self.unread, self.went_ms) = (0, self.usually_missed(), None);
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
    pub(super) fn news(&mut self, now: u64, value: impl Fn(u64) -> u32) -> Option<TagsSaw> {
        let at = match self.spot.at {
            Pad::Stake(at) => at,
            // of cards all is told that is read; that they were not read is over
            Pad::Cards(at) => return self.told.take().map(|_| TagsSaw::Readable { at }),
        };
        let mut uids: Vec<u64> = self.chips().collect();
        if !self.is_settled() {
            return self.doubts(now, at, &uids);
        }
        let was_doubted = self.doubt.take().is_some_and(|(_, is_told)| is_told);
        if uids.len() > MAX_STACK {
            return self.unreadable(Unreadable::TooMany); // a sum without the rest would be a wrong stake
        }
        uids.sort_unstable();
        if !was_doubted && matches!(&self.told, Some(Told::Stack(told)) if *told == uids) {
            return None;
        }
        let before = match &self.told {
            Some(Told::Stack(told)) => told.as_slice(),
            _ => &[],
        };
        let came = uids.iter().filter(|uid| !before.contains(uid)).filter_map(|uid| self.tags.get(uid));
        let since = came.map(|tag| tag.first_ms).chain(self.went_ms.take()).min();
        self.since_ms = since.unwrap_or(now);
        let chips = uids.iter().map(|&uid| Chip { uid, value: value(uid) }).collect();
        self.told = Some(Told::Stack(uids));
        Some(TagsSaw::Stack { at, chips })
    }

    /// That it is not sure of a stack that is not the one it told last, or of which chips are missed that may be gone;
    /// once, and not at once.
    fn doubts(&mut self, now: u64, at: Stake, uids: &[u64]) -> Option<TagsSaw> {
        let Some(Told::Stack(told)) = &self.told else { return None };
        let usual = self.usually_missed();
        let may_be_gone = |tag: &&Tag| tag.missed >= DOUBT && usual.powf(f64::from(tag.missed)) <= IN_DOUBT;
        let last_read =
            uids.iter().filter_map(|uid| self.tags.get(uid)).filter(may_be_gone).map(|tag| tag.last_ms).min();
        let is_as_told = last_read.is_none() && told.len() == uids.len() && uids.iter().all(|uid| told.contains(uid));
        match &mut self.doubt {
            Some((_, true)) => None,
            doubt if is_as_told => {
                *doubt = None;
                None
            }
            doubt => {
                let (since, is_told) = doubt.get_or_insert((last_read.unwrap_or(now), false));
                *is_told = now.saturating_sub(*since) >= IN_DOUBT_MS;
                is_told.then_some(TagsSaw::InDoubt { at })
            }
        }
    }

    /// How long ago the change began that was told last of a spot's chips.
    pub(super) const fn age_ms(&self, now: u64) -> u64 {
        now.saturating_sub(self.since_ms)
    }

    /// How long ago the first of the chips was read that lie there and were not told.
    pub(super) fn doubt_age_ms(&self, now: u64) -> u64 {
        let told: &[u64] = match &self.told {
            Some(Told::Stack(told)) => told,
            _ => &[],
        };
        let new = self.tags.iter().filter(|(uid, tag)| tag.lies && !self.is_card(**uid) && !told.contains(uid));
        let since = self.doubt.map(|(since, _)| since).into_iter().chain(new.map(|(_, tag)| tag.first_ms)).min();
        now.saturating_sub(since.unwrap_or(now))
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

//! Cards that are taken from one place to another, as their tags tell.
//!
//! Of a card that is carried two antennas tell: the one hears it, the other misses it, in either order and seconds
//! apart. On its way it may be heard at a third, or be missed for a moment where it lies. So a card counts as moved
//! once its antenna has missed it and it has rested elsewhere for longer than any antenna needs to miss one that was
//! carried across. Two moves are plain before that: into the burn tray where a card is to be burned, and what the
//! procedure provides for once bets are settled.
//!
//! Cards are cleared in a fixed order, and antennas tell of that in any. What is missed within their time is therefore
//! told in the order of the procedure, and what no antenna has ever heard goes with it.
//!
//! Of a covered card it is told that it moved, and not which it is.

use std::collections::HashMap;

use super::{TaggedCards, is_same_box, is_tray};
use crate::sourced_event::device_event;
use crate::table::Table;
use crate::timeline;
use sabot_journal::SeenAt;
use sabot_law::table::{Card, Event, HandId, LineNo, Moved, Name, Place};
use sabot_wire::message::Role;
use smol_str::format_smolstr;

/// A card rests where it is heard for so long before it counts as moved, milliseconds.
const RESTS_MS: u64 = 6000;
/// The same at the end of a pass: an antenna that reads badly needs so long to be sure that a card has gone.
const GONE_MS: u64 = 12_000;
/// The same in a tray while hands are played: by then the chips that went with it have been told.
const IN_TRAY_MS: u64 = 3000;
/// A card is heard in a tray so long after it left its place, at the most, milliseconds.
const HEARD_MS: u32 = 3000;
/// The status of an antenna that still reads cards of a pass that has ended.
const CARDS_LEFT: &str = "cards_left";

/// Cards that were told to be cleared when the pass ended, and that an antenna still read.
struct Doubtful {
    /// The line that told it.
    line: LineNo,
    from: Place,
    tags: Vec<u64>,
    until: u64,
}

/// Where the record has each card whose tag was heard, and since when.
#[derive(Default)]
pub(super) struct Moves {
    at: HashMap<u64, (Place, u64)>,
    doubtful: Vec<Doubtful>,
    /// When the first card of the pass was drawn, as near as that is known.
    began: u64,
    /// When it was last looked at what has moved.
    looked: u64,
    /// Chips that are about to be told as taken were read until then.
    stayed_until: u64,
}

/// Identifiers are in no log.
impl std::fmt::Debug for Moves {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Moves({})", self.at.len())
    }
}

impl Moves {
    /// A card was told to go from the shoe into a tray.
    pub(super) fn dealt_into(&mut self, tray: Place, tag: u64, since: u64) {
        self.at.insert(tag, (tray, since));
    }

    /// The first card of a pass is drawn.
    pub(super) const fn begin_pass(&mut self) {
        self.began = self.looked;
    }

    /// The shoe is loaded: only these cards stay where they are.
    pub(super) fn keep(&mut self, stays: impl Fn(&u64) -> bool) {
        self.at.retain(|tag, _| stays(tag));
    }
}

/// A card that was heard elsewhere, or is missed where a card is to be burned.
struct Taken {
    tag: u64,
    card: Card,
    from: Place,
    to: Place,
    since: u64,
    /// Another antenna has heard it.
    is_heard: bool,
}

impl TaggedCards {
    /// Chips are about to be told as taken that were read until then: a card that had gone by that time goes first.
    pub(crate) fn chips_stayed_until(&mut self, seen: Option<SeenAt>) {
        self.moves.stayed_until = seen.and_then(|seen| u64::try_from(seen.at_ms).ok()).unwrap_or_default();
    }

    /// The next move that is to be told, and when its cards left their place, where one was heard elsewhere; it is told
    /// before this is asked again. No time: the pass is about to end.
    pub(crate) fn next_move(&mut self, now: Option<u64>, table: &impl Table) -> Option<(Event, Option<SeenAt>)> {
        let ends = now.is_none();
        let now = now.unwrap_or(self.moves.looked);
        self.moves.looked = now;
        if !self.tells_moves || !self.is_mid_pass {
            return None;
        }
        self.find_on_felt(now, table);
        self.find_in_trays(now, ends, table);
        let mut taken = self.taken(now, ends, table);
        taken.sort_unstable_by_key(|taken| (taken.to != Place::Burn, taken.since, taken.tag));
        let first = taken.into_iter().next();
        match first {
            Some(taken) if taken.to == Place::Burn => self.tell_first(&taken, now, table),
            first => {
                let cleared = self.cleared(now, ends, table);
                cleared.or_else(|| first.and_then(|taken| self.tell_first(&taken, now, table)))
            }
        }
    }

    fn tell_first(&mut self, taken: &Taken, now: u64, table: &impl Table) -> Option<(Event, Option<SeenAt>)> {
        let seen = taken.is_heard.then(|| left_at(taken.since));
        self.tell_taken(taken, now, table).map(|event| (event, seen))
    }

    /// The pass is over: what lay on the felt is nowhere, and what is heard in a tray belongs there.
    pub(super) fn end_moves(&mut self) {
        let looked = self.moves.looked;
        self.moves.at.retain(|_, (place, _)| is_tray(*place));
        for (tag, tray) in self.lying.all().filter(|(_, place)| is_tray(*place)) {
            self.moves.at.entry(tag).or_insert((tray, looked));
        }
    }

    /// When [`TaggedCards::next_move`] or [`TaggedCards::left`] has something to do, at the earliest.
    pub(super) fn moves_deadline(&self) -> Option<u64> {
        let rests = |(tag, at, _): &(u64, Place, u64)| match self.moves.at.get(tag) {
            Some((from, _)) => !is_same_box(*from, *at),
            None => is_tray(*at),
        };
        let resting = self.lying.all_since().filter(|lying| self.tells_moves && self.is_mid_pass && rests(lying));
        let resting = resting.flat_map(|(_, _, since)| [since + IN_TRAY_MS, since + RESTS_MS]);
        let doubtful = self.moves.doubtful.iter().map(|doubtful| doubtful.until);
        resting.filter(|at| *at > self.moves.looked).chain(doubtful).min()
    }

    /// Takes note of where cards lie that the record has there too.
    fn find_on_felt(&mut self, now: u64, table: &impl Table) {
        let is_new = |(tag, at): &(u64, Place)| !is_tray(*at) && !self.moves.at.contains_key(tag);
        let mut new: Vec<(u64, Place)> = self.lying.all().filter(is_new).collect();
        new.sort_unstable();
        for (tag, at) in new {
            if self.card(tag).is_some_and(|card| self.is_unheard(at, card, table)) {
                self.moves.at.insert(tag, (at, now));
            }
        }
    }

    /// A card that was never heard on the felt, and is in a tray: it is the one that the record has at one place, and
    /// no antenna has heard there.
    fn find_in_trays(&mut self, now: u64, ends: bool, table: &impl Table) {
        if table.to_clear().is_some() {
            return; // a hand that is cleared goes whole
        }
        // one that was heard before may be of the last pass
        let is_new = |(tag, at, since): &(u64, Place, u64)| {
            is_tray(*at) && *since > self.moves.began + RESTS_MS && !self.moves.at.contains_key(tag)
        };
        let mut new: Vec<(u64, Place, u64)> = self.lying.all_since().filter(is_new).collect();
        new.sort_unstable();
        for (tag, tray, since) in new {
            let Some(card) = self.card(tag) else { continue };
            let boxes = (1..=self.boxes).map(|box_no| Place::from(HandId::first(box_no)));
            let mut places = boxes.chain([Place::Bank]).filter(|at| self.is_unheard(*at, card, table));
            let (Some(from), None) = (places.next(), places.next()) else { continue };
            let is_due = || tray == Place::Burn && burns(from, card, table);
            if ends || since + RESTS_MS <= now || is_due() {
                self.moves.at.insert(tag, (from, 0));
            }
        }
    }

    /// Whether the record has a card there that no antenna has heard.
    fn is_unheard(&self, at: Place, card: Card, table: &impl Table) -> bool {
        let is_like_it =
            |(tag, (place, _)): &(&u64, &(Place, u64))| is_same_box(*place, at) && self.card(**tag) == Some(card);
        table.lying(at, card) > self.moves.at.iter().filter(is_like_it).count()
    }

    /// The cards that count as taken elsewhere.
    fn taken(&self, now: u64, ends: bool, table: &impl Table) -> Vec<Taken> {
        let rests_ms = |to| if is_tray(to) && table.to_clear().is_none() { IN_TRAY_MS } else { RESTS_MS };
        let is_taken = |taken: &Taken| {
            let Taken { tag, card, from, to, since, .. } = *taken;
            let is_missed = || self.lying.all().all(|(other, at)| other != tag || !is_same_box(at, from));
            let had_gone = || is_tray(to) && since <= self.moves.stayed_until;
            (to == Place::Burn && burns(from, card, table))
                || (ends && is_tray(to))
                || (is_missed() && (since + rests_ms(to) <= now || had_gone()))
        };
        let at = self.moves.at.iter();
        at.filter_map(|(&tag, &(from, told))| self.heard_elsewhere(tag, from, told, table)).filter(is_taken).collect()
    }

    fn heard_elsewhere(&self, tag: u64, from: Place, told: u64, table: &impl Table) -> Option<Taken> {
        let card = self.card(tag)?;
        let (to, since, is_heard) = match self.lying.last_of(tag) {
            Some((to, since)) => (to, since, true),
            // its antenna misses it, and no other hears it
            None if !is_tray(from) && burns(from, card, table) => (Place::Burn, told + 1, false),
            None => return None,
        };
        (!is_same_box(to, from) && since > told).then_some(Taken { tag, card, from, to, since, is_heard })
    }

    /// Tells of one card; of a hand's that went to be discarded, of those that went with it too.
    fn tell_taken(&mut self, taken: &Taken, now: u64, table: &impl Table) -> Option<Event> {
        let Taken { tag, card, from, to, is_heard, .. } = *taken;
        self.moves.at.remove(&tag);
        if is_heard {
            self.moves.at.insert(tag, (to, now));
        }
        let (from, is_covered) = if is_tray(from) { (from, true) } else { table.held(from, card)? };
        if is_covered {
            // of several that lie there the last is the covered one
            return Some(Event::Move { from, to, cards: Some(Moved::Count(1)) });
        }
        let mut cards = vec![card];
        for (other, card) in self.gone_with(from, to, table) {
            if !cards.contains(&card) {
                cards.push(card);
                self.moves.at.insert(other, (to, now));
            }
        }
        Some(Event::Move { from, to, cards: Some(Moved::Cards(cards)) })
    }

    /// The other uncovered cards of a hand that are heard among the discarded ones, in the order in which they came.
    fn gone_with(&self, hand: Place, to: Place, table: &impl Table) -> Vec<(u64, Card)> {
        if to != Place::Discard {
            return Vec::new();
        }
        let at = self.moves.at.iter().filter(|(_, (at, _))| is_same_box(*at, hand));
        let heard = at.filter_map(|(&tag, &(from, told))| self.heard_elsewhere(tag, from, told, table));
        let mut gone: Vec<Taken> = heard.filter(|taken| taken.is_heard && taken.to == to).collect();
        gone.retain(|taken| table.held_at(hand, taken.card).is_some_and(|(_, is_covered)| !is_covered));
        gone.sort_unstable_by_key(|taken| (taken.since, taken.tag));
        gone.into_iter().map(|taken| (taken.tag, taken.card)).collect()
    }

    /// A card came to lie where none is due: one of that place that is heard among the burned ones was burned before,
    /// though nobody had ordered it.
    pub(super) fn burned_before(&mut self, at: Place, table: &impl Table) -> Option<Event> {
        if !self.tells_moves || is_tray(at) || table.card_due() == Some(self.served(at, table)) {
            return None;
        }
        let there = self.moves.at.iter().filter(|(_, (from, _))| is_same_box(*from, at));
        let heard = there.filter_map(|(&tag, &(from, told))| self.heard_elsewhere(tag, from, told, table));
        let burned = heard.filter(|taken| taken.to == Place::Burn && taken.is_heard);
        let first = burned.min_by_key(|taken| (taken.since, taken.tag))?;
        self.tell_taken(&first, self.moves.looked, table)
    }

    /// The cards of a place whose turn it is to be cleared, once no antenna reads any of them there.
    fn cleared(&mut self, now: u64, ends: bool, table: &impl Table) -> Option<(Event, Option<SeenAt>)> {
        let from = table.to_clear()?;
        let is_of_it = |tag: &u64| {
            let at = self.moves.at.get(tag).is_some_and(|(at, _)| is_same_box(*at, from));
            at && self.card(*tag).and_then(|card| table.held_at(from, card)).is_some()
        };
        let tags: Vec<u64> = self.moves.at.keys().copied().filter(is_of_it).collect();
        let is_there = |tag: &u64| self.lying.last_of(*tag).is_some_and(|(at, _)| is_same_box(at, from));
        let there: Vec<u64> = tags.iter().copied().filter(is_there).collect();
        if !there.is_empty() && !ends {
            return None;
        }
        let heard = tags.iter().filter_map(|tag| self.lying.last_of(*tag)).filter(|(at, _)| is_tray(*at));
        let seen = heard.map(|(_, since)| since).min().map(left_at);
        self.moves.at.extend(tags.iter().map(|tag| (*tag, (Place::Discard, now))));
        if !there.is_empty() {
            let doubtful = Doubtful { line: table.line() + 1, from, tags: there, until: now + GONE_MS };
            self.moves.doubtful.push(doubtful);
        }
        Some((Event::Move { from, to: Place::Discard, cards: None }, seen))
    }

    /// What is to be told of cards that lie there still, though the pass ended long enough ago. The station says so
    /// itself where it may.
    pub(super) fn left(&mut self, now: u64, table: &impl Table) -> Vec<Event> {
        let lying = &self.lying;
        let is_left = |doubtful: &Doubtful| {
            let Doubtful { from, tags, .. } = doubtful;
            tags.iter().any(|tag| lying.all().any(|(other, at)| other == *tag && is_same_box(at, *from)))
        };
        let over = self.moves.doubtful.extract_if(.., |doubtful| doubtful.until <= now || !is_left(doubtful));
        let station = || Name::new_static(timeline::STATION);
        let told = over.filter(is_left).map(|Doubtful { line, from, .. }| {
            if table.may_correct(timeline::STATION) {
                let (by, role) = (station(), station());
                return Event::Correct { by, role, line: Some(line), after: None, event: None };
            }
            device_event(Role::Chips, CARDS_LEFT, Some(format_smolstr!("{from}")))
        });
        told.collect()
    }
}

/// When a card left its place that a tray has heard since then.
fn left_at(since: u64) -> SeenAt {
    SeenAt { at_ms: i64::try_from(since).unwrap_or(i64::MAX), error_ms: HEARD_MS }
}

/// Whether a card is to be burned where one like this lies.
fn burns(at: Place, card: Card, table: &impl Table) -> bool {
    table.held(at, card).is_some_and(|(hand, _)| table.burns(hand))
}

//! Cards with tags: which of them lies where, and which are not to be trusted. Without I/O; time is an argument.
//!
//! An antenna names the card that it sees. So a drawn card is paired with the place where this very card lies, whatever
//! else was seen meanwhile; when it was seen decides nothing. The shoe tells rank and suit alone, and two cards alike
//! may be on their way at once: then the one goes where a card is due.
//!
//! What is told to the record of a tag is its place and no more. An antenna reads a covered card like any other, and
//! whoever has the registry would know it by its tag or its deck.

mod decks;
mod moves;

use std::collections::{HashMap, HashSet, VecDeque};
use std::time::Duration;

use sabot_wire::message::{Role, ShoeSaw};
use smol_str::format_smolstr;

use super::kept_tags::KeptCards;
use super::lying::{DOUBLED_MS, Lying};
use super::placement::{is_before, late_place, unexplained};
use super::registry::{DeckCard, Entry, Registry, State};
use super::sourced_event::{EventSource, SourcedEvent, device_event};
use super::table::Table;
use super::timeline;
use decks::Decks;
use moves::Moves;
use sabot_journal::SeenAt;
use sabot_law::table::{Card, Event, Header, LineNo, Name, Place};

/// How long a card that lies somewhere waits for the shoe to tell of it, milliseconds: longer than a device takes to
/// resume.
const EARLY_MS: u64 = 5000;

/// The status of an antenna that sees a card which came to lie there.
pub(super) const LIES: &str = "card_lies";
/// The same of a card that lies there no more.
pub(super) const LEFT: &str = "card_left";
const UNKNOWN: &str = "card_unknown";
const CANCELLED: &str = "card_cancelled";
const OTHER_TABLE: &str = "card_other_table";
const DOUBLED: &str = "card_doubled";
const REPORTS: [&str; 4] = [UNKNOWN, CANCELLED, OTHER_TABLE, DOUBLED];

/// A card that left the shoe.
#[derive(Debug)]
struct Drawn {
    card: Card,
    /// Its tag, where the shoe has an antenna.
    tag: Option<u64>,
    source: EventSource,
    /// When the shoe told of it, and until when it waits.
    at: u64,
    until: u64,
    /// For the antenna that sees it.
    waits: bool,
}

impl Drawn {
    /// When it left the shoe. A scanner tells of it at once, and has no clock.
    fn seen(&self) -> SeenAt {
        self.source.seen.unwrap_or_else(|| timeline::at_once(self.at))
    }
}

/// A card that came to lie somewhere, before the shoe has told of it.
#[derive(Debug)]
struct Arrived {
    tag: u64,
    card: Card,
    at: Place,
    since: u64,
    /// The record has been told that nothing explains it.
    is_told: bool,
}

/// A card that was told without a place.
#[derive(Debug)]
struct Unplaced {
    card: Card,
    line: LineNo,
}

/// The cards of a table whose house has a registry of decks.
#[derive(Debug)]
pub(super) struct TaggedCards {
    registry: Registry<DeckCard>,
    decks: Decks,
    table: Name,
    /// The table's record tells where cards lie; for so long a drawn one waits for that.
    wait_ms: Option<u64>,
    /// And tells where they are taken.
    tells_moves: bool,
    boxes: u8,
    moves: Moves,
    antennas_there: bool,
    /// Where an antenna is.
    pads: HashSet<Place>,
    lying: Lying<Place>,
    /// The tags that antennas have heard since the shoe was loaded.
    known: HashSet<u64>,
    /// How often each card was drawn since then.
    told: HashMap<Card, usize>,
    /// How many more were before this start, which does not know them: nobody may.
    hidden: usize,
    is_mid_pass: bool,
    /// The tag of the card that is about to be told as drawn.
    passing: Option<u64>,
    /// In the order in which they were drawn.
    drawn: VecDeque<Drawn>,
    arrived: Vec<Arrived>,
    unplaced: Vec<Unplaced>,
    reported: HashSet<(&'static str, Place)>,
}

impl TaggedCards {
    /// For a table with antennas at these places; `place_wait` is how long a drawn card waits for one of them.
    pub(super) fn new(
        registry: Registry<DeckCard>,
        header: &Header,
        pads: HashSet<Place>,
        place_wait: Duration,
    ) -> Self {
        let wait_ms = u64::try_from(place_wait.as_millis()).ok().filter(|_| header.observes.places);
        Self {
            decks: Decks::of(&registry),
            registry,
            table: header.table.clone(),
            wait_ms,
            tells_moves: wait_ms.is_some() && header.observes.moves,
            boxes: header.boxes,
            moves: Moves::default(),
            antennas_there: false,
            pads,
            lying: Lying::default(),
            known: HashSet::new(),
            told: HashMap::new(),
            hidden: 0,
            is_mid_pass: false,
            passing: None,
            drawn: VecDeque::new(),
            arrived: Vec::new(),
            unplaced: Vec::new(),
            reported: HashSet::new(),
        }
    }

    /// The registry has changed. What was heard, and where cards lie, stays.
    pub(super) fn goes_by(&mut self, registry: Registry<DeckCard>) {
        self.decks.goes_by(&registry);
        self.registry = registry;
    }

    /// Takes note of an event of the record.
    pub(super) fn note(&mut self, event: &Event) {
        match event {
            Event::Load { cards, .. } => {
                if !self.is_mid_pass {
                    self.decks.loaded(*cards, &self.known);
                }
                // where the cards ran out in mid-pass, those on the felt stay drawn
                let on_felt = |tag: &u64| self.lying.all().any(|(other, at)| other == *tag && !is_tray(at));
                self.known.retain(|tag| self.is_mid_pass && on_felt(tag));
                let known = &self.known;
                self.moves.keep(|tag| known.contains(tag));
                self.told.clear();
                self.hidden = 0;
                for card in self.known.iter().filter_map(|tag| card(&self.registry, *tag)) {
                    *self.told.entry(card).or_default() += 1;
                }
                self.arrived.clear();
            }
            Event::Draw { card, .. } => {
                if !std::mem::replace(&mut self.is_mid_pass, true) {
                    self.moves.begin_pass();
                }
                *self.told.entry(*card).or_default() += 1;
            }
            Event::End {} => {
                self.is_mid_pass = false;
                self.end_moves();
                self.unplaced.clear();
                self.arrived.clear();
                self.reported.clear();
            }
            Event::Device { device, status, detail: Some(detail), .. } if device == Role::Chips.name() => {
                let report = REPORTS.iter().find(|report| *report == status);
                self.reported.extend(report.copied().zip(detail.parse().ok()));
            }
            _ => {}
        }
    }

    /// What is to be kept of it at the end of a pass.
    pub(super) fn kept(&self) -> KeptCards {
        let told = self.told.iter().map(|(card, count)| (*card, *count)).collect();
        KeptCards { decks: self.decks.in_shoe, told, hidden: self.hidden }
    }

    /// Goes on from that.
    pub(super) fn restore(&mut self, KeptCards { decks, told, hidden }: KeptCards) {
        self.decks.in_shoe = decks;
        (self.told, self.hidden) = (told.into_iter().collect(), hidden);
    }

    /// What of the decks in the shoe that is over is not as the registry has it, once.
    pub(super) fn take_found(&mut self) -> Vec<Name> {
        self.decks.take_found()
    }

    /// Nothing waits.
    pub(super) fn is_as_new(&self) -> bool {
        self.drawn.is_empty() && self.arrived.is_empty() && self.unplaced.is_empty()
    }

    /// Whether a drawn card waits for its antenna.
    pub(super) fn holds(&self) -> bool {
        !self.drawn.is_empty()
    }

    /// The antennas have come, or gone: then no card waits for them.
    pub(super) fn antennas(&mut self, there: bool) {
        self.antennas_there = there;
        if !there {
            self.drawn.iter_mut().for_each(|drawn| drawn.waits = false);
        }
    }

    /// Something else was seen: what waits goes before it, but for a card that was drawn after that.
    pub(super) fn give_way(&mut self, seen: Option<SeenAt>) {
        let first = self.drawn.iter_mut().take_while(|drawn| !is_before(seen, Some(drawn.seen()), 0));
        first.for_each(|drawn| drawn.waits = false);
    }

    /// Whether there are antennas that tell where cards lie.
    pub(super) fn tells_places(&self) -> bool {
        !self.pads.is_empty()
    }

    /// A tag has passed the antenna of the shoe: what the shoe tells of it, and what is wrong with it.
    pub(super) fn passed(&mut self, tag: u64) -> (ShoeSaw, Option<Event>) {
        let saw = self.registry.get(tag).map_or(ShoeSaw::Drawn(Card::UNREAD), |entry| entry.what.card);
        self.passing = matches!(saw, ShoeSaw::Drawn(_)).then_some(tag);
        let wrong = self.distrust(tag).map(|status| device_event(Role::Shoe, status, None));
        (saw, wrong)
    }

    /// A card left the shoe.
    pub(super) fn drawn(&mut self, card: Card, source: EventSource, now: u64) {
        let wait = self.wait_ms.filter(|ms| *ms > 0 && self.antennas_there);
        let tag = self.passing.take();
        let (until, waits) = (now + wait.unwrap_or(0), wait.is_some());
        self.drawn.push_back(Drawn { card, tag, source, at: now, until, waits });
    }

    /// An antenna saw a card come or go; what is to be told of that.
    pub(super) fn saw(&mut self, at: Place, tag: u64, lies: bool, now: u64, table: &impl Table) -> Vec<Event> {
        if !lies {
            self.lying.take(tag, at);
            self.arrived.retain(|arrived| (arrived.tag, arrived.at) != (tag, at));
            return Vec::new();
        }
        self.lying.lay(tag, at, now);
        let mut told: Vec<Event> = self.distrusted(at, tag).into_iter().collect();
        if self.known.insert(tag)
            && let Some(card) = self.card(tag).filter(|_| self.wait_ms.is_some())
        {
            told.extend(self.came(tag, card, at, now, table));
        }
        told
    }

    /// What is wrong with a tag, where the record has not been told of such a one there in this pass.
    fn distrusted(&mut self, at: Place, tag: u64) -> Option<Event> {
        let status = self.distrust(tag)?;
        self.report(status, at)
    }

    fn distrust(&self, tag: u64) -> Option<&'static str> {
        match self.registry.get(tag) {
            None => Some(UNKNOWN),
            Some(Entry { state: State::Cancelled, .. }) => Some(CANCELLED),
            Some(Entry { table: Some(table), .. }) if *table != self.table => Some(OTHER_TABLE),
            Some(_) => None,
        }
    }

    fn report(&mut self, status: &'static str, at: Place) -> Option<Event> {
        self.reported.insert((status, at)).then(|| device_event(Role::Chips, status, Some(format_smolstr!("{at}"))))
    }

    fn card(&self, tag: u64) -> Option<Card> {
        card(&self.registry, tag)
    }

    /// A card that no antenna has heard since the shoe was loaded came to lie there.
    fn came(&mut self, tag: u64, card: Card, at: Place, now: u64, table: &impl Table) -> Option<Event> {
        let is_like_it = |&(other, place): &(u64, Place)| is_same_box(place, at) && self.card(other) == Some(card);
        let is_as_told = table.lying(at, card) >= self.lying.all().filter(is_like_it).count();
        let unplaced = self.unplaced.iter().position(|unplaced| unplaced.card == card);
        if let Some(nth) = unplaced.filter(|_| is_as_told) {
            self.unplaced.remove(nth);
            return None;
        }
        let heard = self.known.iter().filter(|tag| self.card(**tag) == Some(card)).count();
        let is_told = heard <= self.told.get(&card).copied().unwrap_or(0) + self.hidden;
        let is_awaited = self.drawn.iter().any(|drawn| [card, Card::UNREAD].contains(&drawn.card));
        // in a tray a card may be heard for the first time long after it was drawn
        if !is_told || (is_awaited && !is_tray(at)) {
            self.arrived.push(Arrived { tag, card, at, since: now, is_told: false });
            return None;
        }
        let Unplaced { line, .. } = self.unplaced.remove(unplaced?);
        (!is_tray(at)).then(|| self.late(card, line, at, table))
    }

    /// A card that was told without a place lies elsewhere than was taken for granted. The station says so itself where
    /// it may.
    fn late(&self, card: Card, line: LineNo, at: Place, table: &impl Table) -> Event {
        if !table.may_correct(timeline::STATION) || self.served(at, table) != at {
            return late_place(at);
        }
        Event::Correct {
            by: Name::new_static(timeline::STATION),
            role: Name::new_static(timeline::STATION),
            line: Some(line),
            after: None,
            event: Some(Box::new(Event::Draw { card, to: Some(at), face: None })),
        }
    }

    /// The next card whose place is known, or that waits no longer, and when it left the shoe; to be told before this
    /// is asked again.
    pub(super) fn next(&mut self, table: &impl Table) -> Option<(SourcedEvent, Option<SeenAt>)> {
        let place = self.place_of_first(table);
        self.drawn.front().filter(|first| place.is_some() || !first.waits)?;
        if let Some(event) = place.and_then(|nth| self.burned_before(self.arrived.get(nth)?.at, table)) {
            return Some((SourcedEvent { event, source: None, paired: None, entered: None }, None));
        }
        let drawn = self.drawn.pop_front()?;
        let seen = drawn.seen();
        let Drawn { card, source, .. } = drawn;
        let (card, to) = match place.map(|nth| self.arrived.remove(nth)) {
            Some(Arrived { tag, card, at, since, .. }) => {
                if is_tray(at) {
                    self.moves.dealt_into(at, tag, since);
                }
                (card, Some(self.served(at, table)))
            }
            None => (card, None),
        };
        if to.is_none() && self.wait_ms.is_some() {
            self.unplaced.push(Unplaced { card, line: table.line() + 1 });
        }
        let event = Event::Draw { card, to, face: None };
        Some((SourcedEvent { event, source: Some(source), paired: None, entered: None }, Some(seen)))
    }

    /// Which of those that arrived the first drawn card is. Of two alike it is the one that lies where a card is due.
    /// One that lies elsewhere may be another like it while not every card that was drawn has arrived.
    fn place_of_first(&self, table: &impl Table) -> Option<usize> {
        let first = self.drawn.front()?;
        let is_it = |card: Card| match first.card {
            Card::UNREAD => self.drawn.iter().all(|drawn| drawn.card != card),
            drawn => drawn == card,
        };
        let due = table.card_due();
        // where the shoe has told the tag, no other card is it
        let is_this = |arrived: &Arrived| first.tag.map_or_else(|| is_it(arrived.card), |tag| tag == arrived.tag);
        let alike = self.arrived.iter().enumerate().filter(|(_, arrived)| is_this(arrived));
        let is_due = |at: Place| due == Some(self.served(at, table));
        let unexplained = self.arrived.iter().filter(|arrived| !arrived.is_told).count();
        let others = self.drawn.iter().filter(|drawn| is_it(drawn.card)).count();
        let is_clear = first.tag.is_some()
            || if first.waits { unexplained >= self.drawn.len() } else { alike.clone().count() >= others };
        let elsewhere = alike.clone().filter(|(_, arrived)| is_clear || (arrived.is_told && !is_tray(arrived.at)));
        let mut nths = alike.filter(|(_, arrived)| is_due(arrived.at)).chain(elsewhere);
        nths.next().map(|(nth, _)| nth)
    }

    /// The hand to which a card goes that lies there: where one antenna sees all hands of a box, the one that is due a
    /// card.
    fn served(&self, at: Place, table: &impl Table) -> Place {
        let is_alone = self.pads.iter().filter(|pad| is_same_box(**pad, at)).count() <= 1;
        table.card_due().filter(|due| is_alone && is_same_box(*due, at)).unwrap_or(at)
    }

    /// When [`TaggedCards::tick`] has something to do, at the earliest.
    pub(super) fn deadline(&self) -> Option<u64> {
        let drawn = self.drawn.iter().filter(|drawn| drawn.waits).map(|drawn| drawn.until);
        let early = self.arrived.iter().filter(|arrived| !arrived.is_told).map(|arrived| arrived.since + EARLY_MS);
        let doubled = self.doubled().map(|(_, at)| at + DOUBLED_MS);
        drawn.chain(early).chain(doubled).chain(self.moves_deadline()).min()
    }

    /// Time has passed; what is to be told of that.
    pub(super) fn tick(&mut self, now: u64, table: &impl Table) -> Vec<Event> {
        self.drawn.iter_mut().filter(|drawn| drawn.until <= now).for_each(|drawn| drawn.waits = false);
        let mut told = Vec::new();
        for arrived in self.arrived.iter_mut().filter(|arrived| !arrived.is_told && arrived.since + EARLY_MS <= now) {
            arrived.is_told = true;
            told.push(unexplained(arrived.at));
        }
        let mut doubled: Vec<Place> =
            self.doubled().filter(|(_, at)| at + DOUBLED_MS <= now).map(|(place, _)| place).collect();
        doubled.sort_unstable();
        told.extend(doubled.into_iter().filter_map(|place| self.report(DOUBLED, place)));
        told.extend(self.left(now, table));
        told
    }

    /// Where tags came to lie that lie at another place too, and when, as far as that was not reported.
    fn doubled(&self) -> impl Iterator<Item = (Place, u64)> {
        let doubled = self.lying.doubled().map(|(_, place, at)| (place, at));
        doubled.filter(|(place, _)| !self.reported.contains(&(DOUBLED, *place)))
    }
}

/// The card that a tag is in; none of what the shoe is shown in place of words.
fn card(registry: &Registry<DeckCard>, tag: u64) -> Option<Card> {
    match registry.get(tag)?.what.card {
        ShoeSaw::Drawn(card) => Some(card),
        _ => None,
    }
}

const fn is_tray(at: Place) -> bool {
    !matches!(at, Place::Hand(_) | Place::Bank)
}

/// Whether both are the same place, or hands of one box.
fn is_same_box(one: Place, other: Place) -> bool {
    match (one, other) {
        (Place::Hand(one), Place::Hand(other)) => one.box_no == other.box_no,
        _ => one == other,
    }
}

#[cfg(test)]
#[path = "tagged_cards_of_tests.rs"]
pub(crate) mod of_tests;

#[cfg(test)]
#[path = "tagged_cards_tests.rs"]
mod tests;

//! What devices observe becomes what happened at the table. No I/O and no clock: time is an argument, and the table an
//! interface. Every observation is told by exactly one event, so that a record shows whether one is missing.
//!
//! A drawn card and the antenna that sees it arrive make one `draw`. The card is held back until an antenna speaks, any
//! other observation comes, or the wait is over; then it goes without a place, and its antenna, when it speaks after
//! all, is **late**: it must not be taken for the next card's. Two ports have no common order, so an antenna may also be
//! **early**, by moments, or by seconds while the shoe's cable is out.

use std::collections::{HashSet, VecDeque};
use std::time::Duration;

use sabot_wire::message::{
    self as wire, CardCode, ChipsSaw, DeviceState, KeypadSaid, Observation, Role, ShoeSaw, ShufflerSaw,
};
use smol_str::format_smolstr;

use super::chips::{Book, spot_word};
use super::entries::{self, BadReport};
use crate::journal::Origin;
use crate::table::event::{Chip, Face};
use crate::table::felt::HandState;
use crate::table::place::MAX_BOXES;
use crate::table::{BetSpot, Card, Cents, Event, HandId, Header, Moved, Name, Place};

/// How long an antenna's report waits for its card while the shoe is there, milliseconds: the skew of two ports.
const EARLY_MS: u64 = 250;
/// The same while the shoe is away: longer than a device takes to resume.
const EARLY_SHOE_AWAY_MS: u64 = 5000;
/// How long after its card was told without a place an antenna may still speak, milliseconds, at the least.
const LATE_MS: u64 = 1000;
/// While the chip reader is away its reports wait with it.
const UNTIL_CHIPS_ARE_BACK: u64 = u64::MAX;
/// Most cards whose antenna is still awaited.
const MAX_LATE: usize = 64;

/// An event, and which observations it tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// What happened.
    pub event: Event,
    /// The observation; none where the station itself saw it.
    pub origin: Option<Origin>,
    /// A second observation told by the same event.
    pub paired: Option<Origin>,
}

/// The table, as far as observations need it: they mean different things while stakes are settled.
pub trait Table {
    /// Whether the stake of a hand is being settled: chips taken from it are collected, chips laid to it are paid. In
    /// some houses a hand is settled as soon as it is decided.
    fn settling(&self, hand: HandId) -> bool;
    /// The stake of a hand that counts, where it was split off: its chips were laid beside the hand that was split.
    fn split_off(&self, hand: HandId) -> Option<Cents>;
    /// How a hand stands, where it is in the pass.
    fn hand_state(&self, hand: HandId) -> Option<HandState>;
    /// Whose bet a box has in this pass.
    fn bettor(&self, box_no: u8) -> Option<Name>;
    /// What was added to a hand's stake by doubling, as far as it counts.
    fn doubled(&self, hand: HandId) -> Cents;
    /// Whether a hand is insured: chips may also lie on its insurance that do not count and are to be given back.
    fn insured(&self, hand: HandId) -> bool;
    /// What lies on a spot, as the events so far say.
    fn on_spot(&self, hand: HandId, spot: BetSpot) -> Cents;
    /// Something happened; it counts before the next question.
    fn apply(&mut self, told: Told);
}

#[derive(Debug)]
struct Drawn {
    card: Card,
    origin: Origin,
    until: u64,
}

#[derive(Debug)]
struct Arrival {
    place: Place,
    face: Option<Face>,
    origin: Origin,
    at: u64,
}

/// Turns observations into events, in order; holds what waits.
#[derive(Debug)]
pub struct Observer {
    boxes: u8,
    sees_places: bool,
    wait_ms: u64,
    shoe_there: bool,
    chips_there: bool,
    /// When shoe and chip reader last met: each may still tell what it kept while the other was away.
    met_at: u64,
    /// Cards that wait for their antenna, in the order in which they were drawn.
    drawn: VecDeque<Drawn>,
    early: VecDeque<Arrival>,
    /// Until when the antenna of each card told without a place may still speak.
    late: VecDeque<u64>,
    bettors: [Option<Name>; MAX_BOXES],
    settled: HashSet<(HandId, BetSpot)>,
    /// Where the house keeps a registry of its chips.
    book: Option<Book>,
}

impl Observer {
    /// For a table; `place_wait` is how long a drawn card waits for an antenna.
    #[must_use]
    pub fn new(header: &Header, place_wait: Duration) -> Self {
        Self {
            boxes: header.boxes,
            sees_places: header.observes.places,
            wait_ms: u64::try_from(place_wait.as_millis()).unwrap_or(u64::MAX),
            shoe_there: false,
            chips_there: false,
            drawn: VecDeque::new(),
            met_at: 0,
            early: VecDeque::new(),
            late: VecDeque::new(),
            bettors: Default::default(),
            settled: HashSet::new(),
            book: None,
        }
    }

    /// Holds every chip against the house's registry.
    pub(super) fn with_chips(self, book: Book) -> Self {
        Self { book: Some(book), ..self }
    }

    /// Takes note of an event of a record that is continued.
    pub fn recall(&mut self, event: &Event) {
        match event {
            Event::Draw { to: None, .. } => self.told_without_place(0),
            Event::Device { device, status, .. } if device == "chips" && status == "late_place" => {
                self.late.pop_front();
            }
            _ => {}
        }
        if let Some(book) = &mut self.book {
            book.recall(event);
        }
        self.note(event);
    }

    fn note(&mut self, event: &Event) {
        match event {
            Event::Collect { hand, spot, .. } | Event::Pay { hand, spot, .. } => {
                self.settled.insert((*hand, if *spot == BetSpot::Insurance { *spot } else { BetSpot::Main }));
            }
            Event::End {} => {
                if let Some(book) = &mut self.book {
                    book.recall(event);
                }
                self.settled.clear();
                self.late.clear();
                self.bettors = Default::default();
            }
            Event::Device { device, status, detail: Some(detail) } if device == "keypad" && status == "bettor" => {
                if let Some((box_no, player)) = detail.split_once(' ')
                    && let Some(bettor) =
                        box_no.parse().ok().and_then(|n: usize| self.bettors.get_mut(n.checked_sub(1)?))
                {
                    *bettor = Some(Name::new(player));
                }
            }
            _ => {}
        }
    }

    /// When [`Observer::tick`] has something to do, at the earliest: milliseconds of the record's clock.
    #[must_use]
    pub fn deadline(&self) -> Option<u64> {
        let drawn = self.drawn.front().map(|drawn| drawn.until);
        let early = self.early.front().map(|arrival| arrival.at + self.patience());
        let doubled = self.book.as_ref().and_then(Book::deadline);
        drawn.into_iter().chain(early).chain(doubled).min()
    }

    /// Time has passed: what waited long enough goes.
    pub fn tick(&mut self, now: u64, table: &mut impl Table) {
        while self.drawn.front().is_some_and(|drawn| drawn.until <= now) {
            self.tell_first_drawn(now, table);
        }
        while self.early.front().is_some_and(|arrival| arrival.at + self.patience() <= now) {
            self.tell_first_early(table);
        }
        for (status, detail) in self.book.as_mut().map(|book| book.tick(now)).unwrap_or_default() {
            self.note_device(Role::Chips, status, Some(detail), table);
        }
    }

    /// A device came (`online`) or went (anything else).
    pub fn device(&mut self, role: Role, status: &str, detail: Option<Name>, now: u64, table: &mut impl Table) {
        let there = status == "online";
        match role {
            Role::Shoe if self.shoe_there != there => {
                self.shoe_there = there;
                // what is early waits for the shoe's backlog from the moment it is back
                self.early.iter_mut().for_each(|arrival| arrival.at = now);
            }
            Role::Chips => {
                self.chips_there = there;
                if there {
                    let until = now + self.wait_ms.max(LATE_MS);
                    self.late.iter_mut().for_each(|late| *late = (*late).min(until));
                }
            }
            _ => {}
        }
        if there && matches!(role, Role::Shoe | Role::Chips) {
            self.met_at = now;
        }
        self.note_device(role, status, detail, table);
    }

    /// Whether cards drawn one after the other may each have an antenna that has yet to speak: one device tells what it kept
    /// before the other does.
    const fn catching_up(&self, now: u64) -> bool {
        !self.chips_there || now < self.met_at + EARLY_MS
    }

    /// Something about a device that has not come or gone.
    pub fn note_device(&mut self, role: Role, status: &str, detail: Option<Name>, table: &mut impl Table) {
        self.tell(device_event(role, status, detail), None, None, table);
    }

    /// A device observed something.
    pub fn take(&mut self, role: Role, saw: &Observation, origin: Origin, now: u64, table: &mut impl Table) {
        if let Observation::Chips(ChipsSaw::CardArrived { place, face }) = saw
            && role == Role::Chips
            && let Ok(place) = entries::place(*place, self.boxes)
        {
            return self.arrived(Arrival { place, face: face.map(entries::face), origin, at: now }, now, table);
        }
        if !matches!(saw, Observation::Shoe(ShoeSaw::Drawn(_))) || !self.catching_up(now) {
            self.tell_drawn(now, table);
        }
        if role == Role::Chips {
            while !self.early.is_empty() {
                self.tell_first_early(table); // a device's events are told in its own order
            }
        }
        match (role, saw) {
            (Role::Shoe, Observation::Shoe(saw)) => self.shoe(*saw, origin, now, table),
            (Role::Shuffler, Observation::Shuffler(saw)) => self.shuffler(*saw, origin, table),
            (Role::Chips, Observation::Chips(saw)) => self.chips(saw, origin, now, table),
            (Role::Keypad, Observation::Keypad(said)) => self.keypad(said, origin, now, table),
            (_, Observation::Device(state)) => {
                self.tell(device_event(role, state_word(*state), None), Some(origin), None, table);
            }
            _ => self.bad_report(role, &BadReport("another device's observation".into()), origin, table),
        }
    }

    fn tell(&mut self, event: Event, origin: Option<Origin>, paired: Option<Origin>, table: &mut impl Table) {
        self.note(&event);
        table.apply(Told { event, origin, paired });
    }

    /// The device says what cannot be, such as a box this table does not have: told, and nothing made of it.
    fn bad_report(&mut self, role: Role, bad: &BadReport, origin: Origin, table: &mut impl Table) {
        self.tell(device_event(role, "bad_report", Some(Name::new(&bad.0))), Some(origin), None, table);
    }

    fn shoe(&mut self, saw: ShoeSaw, origin: Origin, now: u64, table: &mut impl Table) {
        let event = match saw {
            ShoeSaw::Drawn(code) => return self.drew(code, origin, now, table),
            ShoeSaw::CutCard => Event::CutCard {},
            ShoeSaw::Empty => device_event(Role::Shoe, "empty", None),
            ShoeSaw::Loaded { cards, cut_card } => Event::Load { cards: cards.into(), cut_card: cut_card.into() },
        };
        self.tell(event, Some(origin), None, table);
    }

    fn drew(&mut self, CardCode(code): CardCode, origin: Origin, now: u64, table: &mut impl Table) {
        let card = Card::from_index(code).unwrap_or(Card::UNREAD);
        if let Some(arrival) = self.early.pop_front() {
            let event = Event::Draw { card, to: Some(arrival.place), face: arrival.face };
            return self.tell(event, Some(origin), Some(arrival.origin), table);
        }
        if self.sees_places && self.wait_ms > 0 {
            self.drawn.push_back(Drawn { card, origin, until: now + self.wait_ms });
        } else {
            self.told_without_place(now);
            self.tell(Event::Draw { card, to: None, face: None }, Some(origin), None, table);
        }
    }

    /// The held cards go without a place.
    fn tell_drawn(&mut self, now: u64, table: &mut impl Table) {
        while !self.drawn.is_empty() {
            self.tell_first_drawn(now, table);
        }
    }

    fn tell_first_drawn(&mut self, now: u64, table: &mut impl Table) {
        if let Some(Drawn { card, origin, .. }) = self.drawn.pop_front() {
            self.told_without_place(now);
            self.tell(Event::Draw { card, to: None, face: None }, Some(origin), None, table);
        }
    }

    fn told_without_place(&mut self, now: u64) {
        if self.sees_places && self.late.len() < MAX_LATE {
            let until = if self.chips_there { now + self.wait_ms.max(LATE_MS) } else { UNTIL_CHIPS_ARE_BACK };
            self.late.push_back(until);
        }
    }

    fn arrived(&mut self, arrival: Arrival, now: u64, table: &mut impl Table) {
        while self.late.front().is_some_and(|until| *until < now) {
            self.late.pop_front();
        }
        if self.late.pop_front().is_some() {
            self.tell(arrived_event("late_place", &arrival), Some(arrival.origin), None, table);
        } else if let Some(Drawn { card, origin, .. }) = self.drawn.pop_front() {
            let event = Event::Draw { card, to: Some(arrival.place), face: arrival.face };
            self.tell(event, Some(origin), Some(arrival.origin), table);
        } else {
            self.early.push_back(arrival);
        }
    }

    /// An antenna saw a card that no shoe has told of.
    fn tell_first_early(&mut self, table: &mut impl Table) {
        if let Some(arrival) = self.early.pop_front() {
            self.tell(arrived_event("unexplained_card", &arrival), Some(arrival.origin), None, table);
        }
    }

    const fn patience(&self) -> u64 {
        if self.shoe_there { EARLY_MS } else { EARLY_SHOE_AWAY_MS }
    }

    fn shuffler(&mut self, saw: ShufflerSaw, origin: Origin, table: &mut impl Table) {
        let event = match saw {
            ShufflerSaw::Done { decks, cards } => Event::Shuffle { decks: decks.into(), cards: cards.into() },
            ShufflerSaw::DoorOpen => device_event(Role::Shuffler, "door_open", None),
            ShufflerSaw::DoorClosed => device_event(Role::Shuffler, "door_closed", None),
            ShufflerSaw::Jam => device_event(Role::Shuffler, "jam", None),
        };
        self.tell(event, Some(origin), None, table);
    }

    fn chips(&mut self, saw: &ChipsSaw, origin: Origin, now: u64, table: &mut impl Table) {
        match self.chips_event(saw, table) {
            Ok(event) => self.tell(event, Some(origin), None, table),
            Err(bad) => return self.bad_report(Role::Chips, &bad, origin, table),
        }
        if let ChipsSaw::Spot { box_no, hand, spot, chips } = saw
            && let Some(book) = &mut self.book
        {
            let at = (HandId { box_no: *box_no, hand: *hand }, entries::spot(*spot));
            for (status, detail) in book.found(at, chips, now) {
                self.note_device(Role::Chips, status, Some(detail), table);
            }
        }
    }

    fn chips_event(&self, saw: &ChipsSaw, table: &impl Table) -> Result<Event, BadReport> {
        Ok(match saw {
            ChipsSaw::Spot { box_no, hand, spot, chips } => {
                let hand = entries::hand(*box_no, *hand, self.boxes)?;
                self.spot(hand, entries::spot(*spot), chips, table)
            }
            ChipsSaw::CardTurned { place } => Event::Reveal { at: entries::place(*place, self.boxes)?, card: None },
            ChipsSaw::CardsMoved { from, to, cards } => Event::Move {
                from: entries::place(*from, self.boxes)?,
                to: entries::place(*to, self.boxes)?,
                cards: cards.map(|cards| Moved::Count(cards.into())),
            },
            // one at a place of this table was paired before it came here
            ChipsSaw::CardArrived { place, .. } => {
                let place = entries::place(*place, self.boxes)?;
                return Err(BadReport(format!("a card at {place}")));
            }
        })
    }

    /// What now lies on a spot: a bet, or in settlement what was taken from it or laid to it.
    fn spot(&self, hand: HandId, spot: BetSpot, chips: &[wire::Chip], table: &impl Table) -> Event {
        let now: Cents = chips.iter().map(|chip| Cents::from(chip.value)).sum();
        let before = table.on_spot(hand, spot);
        if table.settling(self.settles(hand, spot))
            && let Some(event) = self.settlement(hand, spot, now, table)
        {
            return event;
        }
        // the field of a hand that was split off: its stake was bet beside the hand it came from
        let of_split = hand.hand > 0 && spot == BetSpot::Main && before == 0;
        if of_split || (now == 0 && before == 0) {
            return left_alone(hand, spot, now); // a bettor takes what was paid, after the end of the pass
        }
        // a badge is read before chips are laid; what is taken away was the bettor's, or is given back
        let player = if now > before {
            self.bettors.get(usize::from(hand.box_no - 1)).cloned().flatten()
        } else {
            table.bettor(hand.box_no)
        };
        let chips =
            chips.iter().map(|chip| Chip { id: format_smolstr!("{:016X}", chip.uid), value: chip.value.into() });
        Event::Bet { hand, spot, amount: now, player, chips: chips.collect() }
    }

    /// Whose stake lies on a spot: the equal bet of a split is laid at the first hand, and is the second hand's.
    const fn settles(&self, at: HandId, spot: BetSpot) -> HandId {
        if matches!(spot, BetSpot::Split) && at.hand == 0 { HandId { hand: 1, ..at } } else { at }
    }

    /// Chips taken from or laid to a stake in play; none where there was no stake, or it is a void bet's.
    fn settlement(&self, at: HandId, spot: BetSpot, now: Cents, table: &impl Table) -> Option<Event> {
        let hand = self.settles(at, spot);
        let main = match table.on_spot(hand, BetSpot::Main) {
            0 => table.split_off(hand).unwrap_or(0),
            main => main,
        };
        let (bet, stake, before) = match spot {
            BetSpot::Insurance => {
                let lying = table.on_spot(hand, spot);
                (spot, if table.insured(hand) { lying } else { 0 }, lying)
            }
            BetSpot::Double => (BetSpot::Main, main + table.doubled(hand), table.on_spot(hand, spot)),
            BetSpot::Main | BetSpot::Split => (BetSpot::Main, main + table.doubled(hand), main),
        };
        if self.settled.contains(&(hand, bet)) {
            return Some(left_alone(at, spot, now));
        }
        let in_play = table.hand_state(hand).is_some_and(|state| state != HandState::Void);
        if stake == 0 || !in_play || before == 0 {
            return None;
        }
        Some(match now {
            0 => Event::Collect { hand, amount: stake, spot: bet },
            _ if now > before => Event::Pay { hand, amount: now - before, spot: bet },
            _ if now < before => Event::Collect { hand, amount: before - now, spot: bet },
            _ => left_alone(at, spot, now),
        })
    }

    fn keypad(&mut self, said: &KeypadSaid, origin: Origin, now: u64, table: &mut impl Table) {
        match entries::entry(said, self.boxes, now) {
            Ok(event) => self.tell(event, Some(origin), None, table),
            Err(bad) => self.bad_report(Role::Keypad, &bad, origin, table),
        }
    }
}

fn device_event(role: Role, status: &str, detail: Option<Name>) -> Event {
    Event::Device { device: Name::new_static(role.name()), status: Name::new(status), detail }
}

/// Chips that were moved without meaning for the pass. Recorded all the same: a record without gaps in a device's
/// sequence numbers is one in which nothing is missing.
fn left_alone(hand: HandId, spot: BetSpot, amount: Cents) -> Event {
    let spot = spot_word(spot);
    device_event(Role::Chips, "spot", Some(format_smolstr!("{hand} {spot} {amount}")))
}

fn arrived_event(status: &str, arrival: &Arrival) -> Event {
    device_event(Role::Chips, status, Some(format_smolstr!("{}", arrival.place)))
}

const fn state_word(state: DeviceState) -> &'static str {
    match state {
        DeviceState::LidOpen => "door_open",
        DeviceState::LidClosed => "door_closed",
        DeviceState::ReadError => "read_error",
        DeviceState::Jam => "jam",
        DeviceState::Tamper => "tamper",
        DeviceState::RingFull => "ring_full",
        DeviceState::RingFree => "ring_free",
    }
}

#[cfg(test)]
#[path = "observe_tests.rs"]
mod tests;

//! What devices observe becomes what happened at the table. No I/O and no clock: time is an argument, and the table an
//! interface. Every observation is told by exactly one event, so that a record shows whether one is missing.
//!
//! Which antenna saw which drawn card is the matter of `placement`, and where cards have tags, of `tagged_cards`.

mod claims;
mod doubt;
mod ending;
mod kept;
mod shared_pads;
mod stakes;
mod tags;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::time::Duration;

use sabot_drivers::saw::{Pad, Stake};
use sabot_wire::message::{self as wire, ChipsSaw, DeviceState, KeypadSaid, Observation, Role, ShoeSaw, ShufflerSaw};

use super::bettors::Bettors;
use super::chip_tracker::ChipTracker;
use super::composition;
use super::entries::{self, BadReport, Correcting};
use super::placement::Placement;
use super::registry::Registries;
use super::sourced_event::{DOOR_CLOSED, DOOR_OPEN, EventSource, RING_FREE, RING_FULL, SourcedEvent, device_event};
pub use super::table::Table;
use super::tagged_cards::TaggedCards;
use super::timeline::{self, Timeline};
use claims::Claims;
use ending::HeldEnd;
use sabot_journal::SeenAt;
use sabot_law::table::event::Face;
use sabot_law::table::felt::Words;
use sabot_law::table::{BetSpot, Cents, Event, HandId, Header, Name};

/// No shoe holds so many: twice the cards of eight decks.
const MOST_CARDS: u16 = 832;
/// What a chip reader has missed that could not read, or whose words mean nothing.
const UNREAD: &str = "what it could not read";
/// The status of chips that were moved without meaning.
const SPOT: &str = "spot";

/// Turns observations into events, in order; holds what waits.
#[derive(Debug)]
pub struct Observer {
    header: Header,
    placement: Placement,
    bettors: Bettors,
    /// What the next entry on the keypad corrects.
    correcting: Option<Correcting>,
    /// What the last entry on the keypad could not mean.
    refused: Option<Words>,
    /// What is entered in somebody's name.
    claims: Claims,
    settled: HashSet<(HandId, BetSpot)>,
    /// What lies on the fields of hands that were split off: a stake laid in two parts may be only in part there.
    fields: HashMap<HandId, Cents>,
    /// Nobody enters the end of a pass: it has ended when nothing else is left of it.
    ends_passes: bool,
    /// Spots of which it is not known what lies there.
    unreadable: Vec<Pad>,
    /// Spots where other chips lie than were told, and the reader is not sure of them yet.
    in_doubt: Vec<Stake>,
    /// Stacks that are told once it is known what lies at those in doubt.
    waiting: Vec<doubt::Waiting>,
    /// Advances to the bank in this pass that something was found of.
    advances: Vec<doubt::Advance>,
    /// What was not seen in this pass.
    missed: Vec<Pad>,
    /// Boxes with a card in this pass that may lie in another hand of it than was told.
    shared_cards: BTreeSet<u8>,
    /// Spots that bought readers see.
    spots: Vec<Stake>,
    /// The chips that lie on each spot, as they were last read in this pass.
    lying: HashMap<Stake, Vec<wire::Chip>>,
    /// Where the house keeps a registry of its chips.
    chip_tracker: Option<ChipTracker>,
    /// Where it keeps one of its decks, and antennas read the cards' tags.
    tagged_cards: Option<TaggedCards>,
    timeline: Timeline,
    /// The end of the pass, which waits for what was seen before it.
    held_end: Option<HeldEnd>,
    /// When the end of a pass was entered that nothing has followed.
    ended_at: Option<i64>,
    /// A device of ours tells of chips and cards.
    has_antennas: bool,
}

impl Observer {
    /// For a table; `place_wait` is how long a drawn card waits for an antenna.
    #[must_use]
    pub fn new(header: &Header, place_wait: Duration) -> Self {
        Self {
            header: header.clone(),
            placement: Placement::new(header, place_wait),
            bettors: Bettors::default(),
            settled: HashSet::new(),
            fields: HashMap::new(),
            unreadable: Vec::new(),
            in_doubt: Vec::new(),
            waiting: Vec::new(),
            advances: Vec::new(),
            missed: Vec::new(),
            shared_cards: BTreeSet::new(),
            spots: Vec::new(),
            lying: HashMap::new(),
            correcting: None,
            refused: None,
            claims: Claims::default(),
            ends_passes: false,
            chip_tracker: None,
            tagged_cards: None,
            timeline: Timeline::default(),
            held_end: None,
            ended_at: None,
            has_antennas: false,
        }
    }

    /// Nothing is remembered of what was seen.
    pub(super) fn is_as_new(&self) -> bool {
        let no_card = self.placement.is_as_new() && self.tagged_cards.as_ref().is_none_or(TaggedCards::is_as_new);
        let no_chips = self.settled.is_empty() && self.waiting.is_empty();
        no_chips && self.correcting.is_none() && self.bettors.is_as_new() && no_card
    }

    /// What was settled in this pass.
    pub(super) fn settled(&self) -> &HashSet<(HandId, BetSpot)> {
        &self.settled
    }

    /// Tells the end of a pass itself, once everything of it is settled and cleared.
    pub(super) fn ending_passes(self, ends_passes: bool) -> Self {
        Self { ends_passes, ..self }
    }

    /// Holds every chip against the house's registry.
    pub(super) fn with_chip_tracker(self, tracker: ChipTracker) -> Self {
        Self { chip_tracker: Some(tracker), ..self }
    }

    /// The house's registries have changed. One that is not there leaves the one before.
    pub(super) fn goes_by(&mut self, Registries { chips, decks }: Registries) {
        if let Some((tracker, chips)) = self.chip_tracker.as_mut().zip(chips) {
            tracker.goes_by(chips);
        }
        if let Some((cards, decks)) = self.tagged_cards.as_mut().zip(decks) {
            cards.goes_by(decks);
        }
    }

    /// Pairs cards and antennas by the cards' tags, where they have some.
    pub(super) fn with_tagged_cards(self, cards: Option<TaggedCards>) -> Self {
        Self { tagged_cards: cards, ..self }
    }

    /// Takes note of an event of a record that is continued.
    pub fn recall(&mut self, event: &Event) {
        self.placement.recall(event);
        if let Some(tracker) = &mut self.chip_tracker {
            tracker.recall(event);
        }
        self.note(event);
    }

    fn note(&mut self, event: &Event) {
        if let Some(cards) = &mut self.tagged_cards {
            cards.note(event);
        }
        self.bettors.note(event);
        // chips that the station put into their place are settled like any other
        let told = match event {
            Event::Correct { role, line: None, event: Some(event), .. } if role == timeline::STATION => event,
            event => event,
        };
        match told {
            Event::Collect { hand, spot, .. } | Event::Pay { hand, spot, .. } => {
                self.settled.insert((*hand, if *spot == BetSpot::Insurance { *spot } else { BetSpot::Main }));
            }
            Event::End {} => {
                if let Some(tracker) = &mut self.chip_tracker {
                    tracker.recall(event);
                }
                self.settled.clear();
                self.fields.clear();
                self.lying.clear();
                self.missed.clear();
                self.advances.clear();
                self.shared_cards.clear();
                self.placement.end_pass();
            }
            Event::Device { device, status, detail: Some(detail), .. } if device == "chips" && status == SPOT => {
                self.fields.extend(stakes::field(detail));
            }
            Event::Device { device, status, detail: Some(detail), .. }
                if device == "keypad" && status == entries::CORRECTING =>
            {
                self.correcting = Correcting::parse(detail);
            }
            Event::Correct { role, event: Some(_), .. } if role != timeline::STATION => self.correcting = None,
            _ => {}
        }
    }

    /// When [`Observer::tick`] has something to do, at the earliest: milliseconds of the record's clock.
    #[must_use]
    pub fn deadline(&self) -> Option<u64> {
        let chips = self.chip_tracker.as_ref().and_then(ChipTracker::deadline);
        let cards = self.tagged_cards.as_ref().and_then(TaggedCards::deadline);
        let held_end = self.held_end.as_ref().map(|held| held.until);
        let told = self.placement.deadline().into_iter().chain(self.claims.deadline()).chain(self.waits_until());
        told.chain(chips).chain(cards).chain(held_end).min()
    }

    /// Time has passed: what waited long enough goes.
    pub fn tick(&mut self, now: u64, table: &mut impl Table) {
        self.tell_waiting(now, table);
        self.placement.tick(now);
        if self.held_end.as_ref().is_some_and(|held| held.until <= now) {
            self.tell_end(now, table);
        }
        let of_cards = self.tagged_cards.as_mut().map(|cards| cards.tick(now, table)).unwrap_or_default();
        self.tell_pairs(now, table);
        of_cards.into_iter().for_each(|event| self.tell(event, None, table));
        self.tell_moves(Some(now), table);
        for (status, detail) in self.chip_tracker.as_mut().map(|tracker| tracker.tick(now)).unwrap_or_default() {
            self.note_device(Role::Chips, status, Some(detail), table);
        }
        self.leave_unsigned(now, table);
    }

    /// A device came (`online`) or went (anything else).
    pub fn device(&mut self, role: Role, status: &str, detail: Option<Name>, now: u64, table: &mut impl Table) {
        self.there(role, status == "online", now);
        self.tell_pairs(now, table);
        self.note_device(role, status, detail, table);
        if role == Role::Chips {
            self.tell_end(now, table); // who is away tells nothing in time
        }
    }

    /// A device is in session again and tells what it kept. That it is back is told by [`Observer::returned`].
    pub fn returns(&mut self, role: Role, now: u64) {
        self.there(role, true, now);
    }

    fn there(&mut self, role: Role, there: bool, now: u64) {
        self.placement.device(role, there, now);
        if let Some(cards) = self.tagged_cards.as_mut().filter(|_| role == Role::Chips) {
            cards.antennas(there);
        }
    }

    /// What the next entry on the keypad corrects.
    pub(super) const fn correcting(&self) -> Option<&Correcting> {
        self.correcting.as_ref()
    }

    /// What the last entry on the keypad could not mean, until the next.
    #[must_use]
    pub fn refused(&self) -> Option<&Words> {
        self.refused.as_ref()
    }

    /// What was pressed at a pad could not be entered, or was.
    pub(super) fn refuse(&mut self, refused: Option<Words>) {
        self.refused = refused;
    }

    /// Whether an observation of the device waits for one of another.
    #[must_use]
    pub fn holds(&self, role: Role) -> bool {
        let holds_card = role == Role::Shoe && self.tagged_cards.as_ref().is_some_and(TaggedCards::holds);
        let holds_chips = role == Role::Chips && !self.waiting.is_empty();
        let holds_end = role == Role::Keypad && self.held_end.is_some();
        holds_card || holds_chips || holds_end || self.placement.holds(role)
    }

    /// A device has told what it kept while it was away; `complete`: everything that it saw.
    pub fn returned(&mut self, role: Role, detail: Name, complete: bool, table: &mut impl Table) {
        let (device, status) = (Name::new_static(role.name()), Name::new_static("online"));
        self.tell(Event::Device { device, status, detail: Some(detail), complete }, None, table);
    }

    /// Something about a device that has not come or gone.
    pub fn note_device(&mut self, role: Role, status: &str, detail: Option<Name>, table: &mut impl Table) {
        self.tell(device_event(role, status, detail), None, table);
    }

    /// Somebody is about to act on a screen: what waits for its place on the felt happened before.
    pub fn give_way(&mut self, now: u64, table: &mut impl Table) {
        self.give_way_to(Role::Keypad, None, now, table);
        self.tell_end(now, table);
    }

    /// A device saw something that no card waits for.
    fn give_way_to(&mut self, role: Role, seen: Option<SeenAt>, now: u64, table: &mut impl Table) {
        self.placement.give_way(role, seen, now);
        if let Some(cards) = &mut self.tagged_cards {
            cards.give_way(seen);
        }
        self.tell_pairs(now, table);
    }

    /// Somebody acts on a screen; `entered` is who, where the event does not say it.
    pub fn person(&mut self, event: Event, entered: Option<Name>, now: u64, table: &mut impl Table) {
        let told = SourcedEvent { event, source: None, paired: None, entered };
        self.apply_seen(told, Some(timeline::at_once(now)), table);
    }

    /// Whether what is entered tells no card that is still covered, and is of this table's boxes.
    ///
    /// # Errors
    /// Why it cannot be entered.
    pub fn may_be_told(&self, event: &Event, table: &impl Table) -> Result<(), Words> {
        for (_, box_no) in event.boxes() {
            entries::hand(box_no, 0, self.header.boxes).map_err(|bad| bad.0)?;
        }
        match event {
            Event::Reveal { at, card: Some(card) } => {
                entries::card_at(*card, Some(*at), self.header.boxes).map_err(|bad| bad.0)?;
                entries::of_seen(*at, table.is_covered(Some(*at)), table.is_unread(*at)).map_err(|bad| bad.0)
            }
            _ => Ok(()),
        }
    }

    /// A device observed something.
    pub fn take(&mut self, role: Role, saw: &Observation, source: EventSource, now: u64, table: &mut impl Table) {
        self.end_gives_way(role, source.seen, now, table);
        if self.ends(saw, &source, now, table) {
            return;
        }
        if let Observation::Chips(ChipsSaw::CardArrived { place, face }) = saw
            && role == Role::Chips
            && let Ok(place) = entries::place(*place, self.header.boxes)
        {
            self.placement.arrived(place, *face, source, now);
            return self.tell_pairs(now, table);
        }
        if !matches!((role, saw), (Role::Shoe, Observation::Shoe(ShoeSaw::Drawn(_)))) {
            self.give_way_to(role, source.seen, now, table);
        }
        match (role, saw) {
            (Role::Shoe, Observation::Shoe(saw)) => self.shoe(*saw, source, now, table),
            (Role::Shuffler, Observation::Shuffler(saw)) => self.shuffler(*saw, source, table),
            (Role::Chips, Observation::Chips(saw)) => self.chips(saw, source, now, table),
            (Role::Keypad, Observation::Keypad(said)) => self.keypad(said, source, now, table),
            (_, Observation::Device(state)) => {
                self.tell(device_event(role, state_word(*state), None), Some(source), table);
                if *state == DeviceState::ReadError {
                    self.misses_unread(role, table);
                }
            }
            _ => self.bad_report(
                role,
                &BadReport::new("observación de otro aparato", "another device's observation"),
                source,
                table,
            ),
        }
        self.tell_moves(Some(now), table);
        self.end_may_be_told(now, table);
    }

    /// Tells of the cards and antennas that waited for each other and wait no longer.
    fn tell_pairs(&mut self, now: u64, table: &mut impl Table) {
        // where no places are seen a card waits for nothing
        let at_once = (!self.header.observes.places).then(|| timeline::at_once(now));
        for told in self.placement.take_ready() {
            let seen = told.source.as_ref().and_then(|source| source.seen).or(at_once);
            self.apply_seen(told, seen, table);
        }
        while let Some((told, seen)) = self.tagged_cards.as_mut().and_then(|cards| cards.next(table)) {
            self.apply_seen(told, seen, table);
        }
    }

    /// Tells of the cards that were taken elsewhere by now, or by the end of the pass.
    fn tell_moves(&mut self, now: Option<u64>, table: &mut impl Table) {
        while let Some((event, seen)) = self.tagged_cards.as_mut().and_then(|cards| cards.next_move(now, table)) {
            self.apply_seen(SourcedEvent { event, source: None, paired: None, entered: None }, seen, table);
        }
    }

    fn tell(&mut self, event: Event, source: Option<EventSource>, table: &mut impl Table) {
        self.apply(SourcedEvent { event, source, paired: None, entered: None }, table);
    }

    fn apply(&mut self, told: SourcedEvent, table: &mut impl Table) {
        let seen = told.source.as_ref().and_then(|source| source.seen);
        self.apply_seen(told, seen, table);
    }

    fn apply_seen(&mut self, told: SourcedEvent, seen: Option<SeenAt>, table: &mut impl Table) {
        self.tell_before(&told.event, table);
        if matches!(told.event, Event::End {}) {
            self.miss_doubtful(table);
            self.tell_moves(None, table);
        }
        for at in self.settled_unseen(&told.event, table) {
            self.miss(at.into(), table);
        }
        self.miss_shared_cards(&told.event, table);
        self.note_shared_card(&told.event, table);
        self.note_advance(&told.event, seen, table);
        self.note(&told.event);
        self.timeline.told(&told.event, table.line(), seen);
        self.note_touch(&told.event, seen);
        let ends = matches!(told.event, Event::End {});
        table.apply(told);
        for what in self.tagged_cards.as_mut().map(TaggedCards::take_found).unwrap_or_default() {
            self.note_device(Role::Shoe, composition::STATUS, Some(what), table);
        }
        if self.ends_passes && table.is_over() {
            self.tell(Event::End {}, None, table);
        }
        // what still cannot be read is missed of the next pass too
        if let Some(at) = self.unreadable.first().copied().filter(|_| ends) {
            self.miss(at, table);
        }
    }

    /// The device has told of an event in a way that means nothing.
    pub fn senseless(&mut self, role: Role, source: EventSource, table: &mut impl Table) {
        let seq = source.origin.2;
        let bad = BadReport::new(
            format!("el suceso {seq} no se entiende: falla el programa del aparato, no el cable"),
            format!("event {seq} means nothing: the device's program is wrong, not the cable"),
        );
        self.tell(device_event(role, "bad_report", Some(Name::new(&bad.0.en))), Some(source), table);
    }

    /// The device says what cannot be, such as a box this table does not have: told, and nothing made of it.
    fn bad_report(&mut self, role: Role, bad: &BadReport, source: EventSource, table: &mut impl Table) {
        self.tell(device_event(role, "bad_report", Some(Name::new(&bad.0.en))), Some(source), table);
        self.misses_unread(role, table);
    }

    /// A chip reader that could not read, or whose words mean nothing, has not seen what lies there.
    fn misses_unread(&mut self, role: Role, table: &mut impl Table) {
        if role == Role::Chips {
            self.note_device(role, "events_missed", Some(Name::new_static(UNREAD)), table);
        }
    }

    fn shoe(&mut self, saw: ShoeSaw, source: EventSource, now: u64, table: &mut impl Table) {
        let event = match saw {
            ShoeSaw::Drawn(card) => {
                match &mut self.tagged_cards {
                    Some(cards) if cards.tells_places() => cards.drawn(card, source, now),
                    _ => self.placement.drawn(card, source, now),
                }
                return self.tell_pairs(now, table);
            }
            ShoeSaw::CutCard => Event::CutCard {},
            ShoeSaw::Empty => device_event(Role::Shoe, "empty", None),
            ShoeSaw::Loaded { cards, cut_card } if !(1..=MOST_CARDS).contains(&cards) || cut_card > cards => {
                let bad = BadReport::new(
                    format!("sabot cargado con {cards} cartas, {cut_card} tras la de corte: no puede ser"),
                    format!("a shoe loaded with {cards} cards, {cut_card} behind the cut card: it cannot be"),
                );
                return self.bad_report(Role::Shoe, &bad, source, table);
            }
            ShoeSaw::Loaded { cards, cut_card } => Event::Load { cards: cards.into(), cut_card: cut_card.into() },
        };
        self.tell(event, Some(source), table);
    }

    fn shuffler(&mut self, saw: ShufflerSaw, source: EventSource, table: &mut impl Table) {
        let event = match saw {
            ShufflerSaw::Done { decks, cards } => Event::Shuffle { decks: decks.into(), cards: cards.into() },
            ShufflerSaw::DoorOpen => device_event(Role::Shuffler, DOOR_OPEN, None),
            ShufflerSaw::DoorClosed => device_event(Role::Shuffler, DOOR_CLOSED, None),
            ShufflerSaw::Jam => device_event(Role::Shuffler, "jam", None),
        };
        self.tell(event, Some(source), table);
    }

    fn chips(&mut self, saw: &ChipsSaw, source: EventSource, now: u64, table: &mut impl Table) {
        if let ChipsSaw::Spot { box_no, hand, spot, chips } = saw {
            let at = Stake { box_no: *box_no, hand: *hand, spot: *spot };
            return self.stack(at, chips, source.seen, source, now, table);
        }
        match self.card_event(saw) {
            Ok(event) if table.may_correct(timeline::STATION) => {
                let event = self.timeline.before_later(event, source.seen);
                self.tell(event, Some(source), table);
            }
            Ok(event) => self.tell(event, Some(source), table),
            Err(bad) => self.bad_report(Role::Chips, &bad, source, table),
        }
    }

    /// What the antennas saw of cards.
    fn card_event(&self, saw: &ChipsSaw) -> Result<Event, BadReport> {
        Ok(match saw {
            ChipsSaw::CardTurned { place } => entries::turned(*place, self.header.boxes)?,
            ChipsSaw::CardsMoved { from, to, cards } => entries::moved(*from, *to, *cards, self.header.boxes)?,
            // one at a place of this table was paired before it came here, and chips are told as a stack
            ChipsSaw::CardArrived { place, .. } => {
                let place = entries::place(*place, self.header.boxes)?;
                return Err(BadReport::new(format!("una carta en {place}"), format!("a card at {place}")));
            }
            ChipsSaw::Spot { box_no, .. } => {
                return Err(BadReport::new(format!("fichas en {box_no}"), format!("chips at {box_no}")));
            }
        })
    }

    /// What is entered of a card is of one that everybody sees: a covered card's value waits until it is turned up. The
    /// words name no card.
    fn card_is_seen(&self, event: &Event, table: &impl Table) -> Result<(), BadReport> {
        let is_correction = self.correcting.is_some();
        match event {
            Event::Draw { .. } if !is_correction => Err(entries::dealt_unasked()),
            Event::Draw { to, face, .. } if *face != Some(Face::Up) && table.is_covered(*to) => {
                Err(entries::still_covered(*to))
            }
            Event::Reveal { at, .. } if table.is_covered(Some(*at)) => Err(entries::still_covered(Some(*at))),
            Event::Reveal { at, .. } if !is_correction && !table.is_unread(*at) => Err(entries::all_read(*at)),
            _ => Ok(()),
        }
    }

    fn keypad(&mut self, said: &KeypadSaid, source: EventSource, now: u64, table: &mut impl Table) {
        if let Some(signature) = said.signature() {
            self.signs(signature, source, table);
        } else if self.claims.is_of_nobody(said) {
            self.not_entered(claims::nobody_is_known(), Some(source), table);
        } else if self.claims.asks(said) {
            self.claimed(said, source, now, table);
        } else if self.claims.knows_people() && self.correcting.is_some() {
            self.corrects(said, source, now, table);
        } else {
            self.entered(said, None, Some(source), now, table);
        }
    }

    /// Something was entered; `by` has signed it, where people are known.
    fn entered(
        &mut self,
        said: &KeypadSaid,
        by: Option<Name>,
        source: Option<EventSource>,
        now: u64,
        table: &mut impl Table,
    ) {
        let entry = entries::entry(said, by, self.header.boxes, now, |number| table.article(number));
        match entry.and_then(|event| self.card_is_seen(&event, table).map(|()| event)) {
            Ok(event) => {
                self.refused = entries::doubt(said, |number| table.article(number));
                let seen = source.as_ref().and_then(|source| source.seen);
                let event = match &self.correcting {
                    Some(correcting) => correcting.with(event).unwrap_or_else(|event| event),
                    None if table.may_correct(timeline::STATION) => self.timeline.in_its_place(event, seen),
                    None => event,
                };
                self.tell(event, source, table);
                self.note_correction(now);
            }
            Err(bad) => self.not_entered(bad, source, table),
        }
    }

    /// What was entered cannot be meant, or is nobody's to enter.
    fn not_entered(&mut self, bad: BadReport, source: Option<EventSource>, table: &mut impl Table) {
        self.tell(device_event(Role::Keypad, "bad_report", Some(Name::new(&bad.0.en))), source, table);
        self.refused = Some(bad.0);
    }
}

const fn state_word(state: DeviceState) -> &'static str {
    match state {
        DeviceState::LidOpen => DOOR_OPEN,
        DeviceState::LidClosed => DOOR_CLOSED,
        DeviceState::ReadError => "read_error",
        DeviceState::Jam => "jam",
        DeviceState::Tamper => "tamper",
        DeviceState::RingFull => RING_FULL,
        DeviceState::RingFree => RING_FREE,
    }
}

#[cfg(test)]
#[path = "observe_tests.rs"]
mod tests;

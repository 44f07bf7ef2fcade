//! Which antenna saw which drawn card.
//!
//! A drawn card and the antenna that sees it arrive make one `draw`. The card is held back until an antenna speaks, any
//! other observation comes, or the wait is over. After that it is told without a place.
//!
//! Two ports have no common order. An antenna may therefore be
//!
//! - **late**: its card has been told without a place. It must not be taken for the antenna of the next card.
//! - **early**: its card has not been told yet. That lasts moments, or as long as a bad line needs to send a frame
//!   again, or seconds while the shoe's cable is out.
//! - **unexplained**: it was early, and its card was not told in time. A card that comes after all lies there, if it
//!   was drawn before that antenna saw one.
//!
//! Two rules tell whose card an antenna saw. No card lies anywhere before it is drawn: what was seen before is not that
//! card. A card is laid before the next one is drawn: what was seen well after that is the next card.

use std::collections::VecDeque;
use std::time::Duration;

use sabot_wire::message::Role;
use smol_str::format_smolstr;

use super::sourced_event::{EventSource, SourcedEvent, device_event};
use sabot_journal::{Origin, SeenAt};
use sabot_law::table::event::Face;
use sabot_law::table::{Card, Event, Header, Place};

/// How far apart shoe and chip reader may begin to tell what they kept, milliseconds.
pub(super) const SKEW_MS: u64 = 250;
/// How long an antenna's report waits for its card while the shoe is there, milliseconds: three tries of its frame.
pub(super) const EARLY_MS: u64 = 900;
/// The same while the shoe is away: longer than a device takes to resume.
const EARLY_SHOE_AWAY_MS: u64 = 5000;
/// What was seen so long ago waits for nothing more, milliseconds, where no longer wait is configured: the record has
/// word of it within two seconds, whoever held it back on its way.
const TOLD_WITHIN_MS: u64 = 1850;
/// How long after its card was told without a place an antenna may still speak, milliseconds, at the least.
pub(super) const LATE_MS: u64 = 1000;
/// While the chip reader is away its reports wait with it.
const UNTIL_CHIPS_ARE_BACK: u64 = u64::MAX;
/// Most cards whose antenna is still awaited, and most antennas whose card is.
const MAX_LATE: usize = 64;
/// How far the times of two devices may be out of order beside what is known of their clocks, milliseconds: a head
/// reads a card that already lies, a processor was held up.
const OUT_OF_ORDER_MS: i64 = 500;
/// A hand takes so long from the shoe to the felt, milliseconds: what an antenna sees sooner after a card was drawn may
/// still be the card before.
const HAND_MS: i64 = 150;

#[derive(Debug)]
struct Drawn {
    card: Card,
    source: EventSource,
    until: u64,
}

/// A card that was told without a place.
#[derive(Debug)]
struct Unplaced {
    /// Until when its antenna may still speak.
    until: u64,
    seen: Option<SeenAt>,
}

#[derive(Debug)]
struct Arrival {
    place: Place,
    face: Option<Face>,
    source: EventSource,
    /// When it was told.
    at: u64,
    until: u64,
}

impl Arrival {
    /// The card that lies there.
    const fn draw(&self, card: Card) -> Event {
        Event::Draw { card, to: Some(self.place), face: self.face }
    }
}

/// Cards and antennas that wait for each other. Times are milliseconds of the record's clock.
#[derive(Debug)]
pub(super) struct Placement {
    sees_places: bool,
    wait_ms: u64,
    shoe_there: bool,
    chips_there: bool,
    /// When shoe and chip reader last met: each may still tell what it kept while the other was away.
    met_at: u64,
    /// Cards that wait for their antenna, in the order in which they were drawn.
    drawn: VecDeque<Drawn>,
    early: VecDeque<Arrival>,
    late: VecDeque<Unplaced>,
    /// What was told without a card, and may yet be explained by one that was drawn before it.
    unexplained: VecDeque<Arrival>,
    /// Events that wait for nothing any more, in order.
    ready: Vec<SourcedEvent>,
}

impl Placement {
    /// For a table; `place_wait` is how long a drawn card waits for an antenna.
    pub(super) fn new(header: &Header, place_wait: Duration) -> Self {
        Self {
            sees_places: header.observes.places,
            wait_ms: u64::try_from(place_wait.as_millis()).unwrap_or(u64::MAX),
            shoe_there: false,
            chips_there: false,
            met_at: 0,
            drawn: VecDeque::new(),
            early: VecDeque::new(),
            late: VecDeque::new(),
            unexplained: VecDeque::new(),
            ready: Vec::new(),
        }
    }

    /// Takes note of an event of a record that is continued.
    pub(super) fn recall(&mut self, event: &Event) {
        match event {
            Event::Draw { to: None, .. } => self.told_without_place(None, 0),
            Event::Device { device, status, .. } if device == "chips" && status == "late_place" => {
                self.late.pop_front();
            }
            _ => {}
        }
    }

    /// Nothing waits, and nothing is remembered.
    pub(super) fn is_as_new(&self) -> bool {
        self.drawn.is_empty() && self.early.is_empty() && self.late.is_empty() && self.unexplained.is_empty()
    }

    /// The pass is over: nobody asks any more where its cards lay.
    pub(super) fn end_pass(&mut self) {
        self.late.clear();
        self.unexplained.clear();
    }

    /// Takes the events that wait for nothing any more, in order. The caller tells them before anything else.
    pub(super) fn take_ready(&mut self) -> Vec<SourcedEvent> {
        std::mem::take(&mut self.ready)
    }

    /// When [`Placement::tick`] has something to do, at the earliest.
    pub(super) fn deadline(&self) -> Option<u64> {
        let drawn = self.drawn.front().map(|drawn| drawn.until);
        let early = self.early.front().map(|arrival| arrival.until);
        drawn.into_iter().chain(early).min()
    }

    /// Time has passed: what waited long enough goes.
    pub(super) fn tick(&mut self, now: u64) {
        while self.drawn.front().is_some_and(|drawn| drawn.until <= now) {
            self.tell_first_drawn(now);
        }
        while self.early.front().is_some_and(|arrival| arrival.until <= now) {
            self.tell_first_early();
        }
    }

    /// A device came or went.
    pub(super) fn device(&mut self, role: Role, there: bool, now: u64) {
        match role {
            Role::Shoe if self.shoe_there != there => {
                self.shoe_there = there;
                // what is early waits for the shoe's backlog from when it is back, and for a flapping cable no longer
                for arrival in &mut self.early {
                    let most = arrival.at + EARLY_SHOE_AWAY_MS;
                    arrival.until = if there { most.min(now + EARLY_MS) } else { most };
                }
            }
            Role::Chips => {
                self.chips_there = there;
                if there {
                    let until = now + self.wait_ms.max(LATE_MS);
                    self.late.iter_mut().for_each(|late| late.until = late.until.min(until));
                }
            }
            _ => {}
        }
        if there && matches!(role, Role::Shoe | Role::Chips) {
            self.met_at = now;
        }
    }

    /// Whether an observation of the device waits for one of another.
    pub(super) fn holds(&self, role: Role) -> bool {
        match role {
            Role::Shoe => !self.drawn.is_empty(),
            Role::Chips => !self.early.is_empty(),
            _ => false,
        }
    }

    /// A device tells of something else than a drawn card or one that arrives: what waits goes before it, but for a
    /// card that was drawn after it was seen.
    pub(super) fn give_way(&mut self, role: Role, seen: Option<SeenAt>, now: u64) {
        while self.drawn.front().is_some_and(|drawn| !is_before(seen, drawn.source.seen, 0)) {
            self.tell_first_drawn(now);
        }
        while role == Role::Chips && !self.early.is_empty() {
            self.tell_first_early(); // a device's events are told in its own order
        }
    }

    /// A card left the shoe.
    pub(super) fn drawn(&mut self, card: Card, source: EventSource, now: u64) {
        while !self.drawn.is_empty() && !self.catching_up(now) {
            self.tell_first_drawn(now);
        }
        if self.drawn.is_empty()
            && let Some(arrival) = self.explains(source.seen)
        {
            return self.tell(arrival.draw(card), source, None); // the antenna's own report has been told
        }
        while self.early.front().is_some_and(|arrival| is_before(arrival.source.seen, source.seen, OUT_OF_ORDER_MS)) {
            self.tell_first_early();
        }
        if let Some(arrival) = self.early.pop_front() {
            self.tell(arrival.draw(card), source, Some(arrival.source.origin));
        } else if self.sees_places && self.wait_ms > 0 {
            let until = waits_until(now, self.wait_ms, source.seen);
            self.drawn.push_back(Drawn { card, source, until });
        } else {
            self.tell_without_place(card, source, now);
        }
    }

    /// An antenna saw a card come to lie there.
    pub(super) fn arrived(&mut self, place: Place, face: Option<Face>, source: EventSource, now: u64) {
        let until = if self.shoe_there { waits_until(now, EARLY_MS, source.seen) } else { now + EARLY_SHOE_AWAY_MS };
        let arrival = Arrival { place, face, source, at: now, until };
        while self.late.front().is_some_and(|late| late.until < now) {
            self.late.pop_front();
        }
        while self.late_was_missed(arrival.source.seen) {
            self.late.pop_front();
        }
        let late = self.late.front().map(|late| late.seen);
        let first = late.or_else(|| self.drawn.front().map(|drawn| drawn.source.seen));
        if first.is_some_and(|drawn| is_before(arrival.source.seen, drawn, OUT_OF_ORDER_MS)) {
            self.tell_arrival(unexplained, &arrival); // the shoe tells in its order: no earlier card is to come
        } else if self.late.pop_front().is_some() {
            self.tell_arrival(late_place, &arrival);
        } else if let Some(Drawn { card, source, .. }) = self.drawn.pop_front() {
            self.tell(arrival.draw(card), source, Some(arrival.source.origin));
        } else {
            self.early.push_back(arrival);
        }
    }

    /// Whether no antenna has seen the first of the late cards, nor will: one saw another only now, after the next card
    /// was drawn.
    fn late_was_missed(&self, now_seen: Option<SeenAt>) -> bool {
        let next = self.late.get(1).map(|late| late.seen).or_else(|| self.drawn.front().map(|drawn| drawn.source.seen));
        !self.late.is_empty() && next.is_some_and(|next| is_before(next, now_seen, HAND_MS))
    }

    /// Whether cards drawn one after the other may each have an antenna that has yet to speak: one device tells what it
    /// kept before the other does.
    const fn catching_up(&self, now: u64) -> bool {
        !self.chips_there || now < self.met_at + SKEW_MS
    }

    /// The antenna that was told without a card, and saw this one: the first that saw anything once it was drawn.
    fn explains(&mut self, drawn: Option<SeenAt>) -> Option<Arrival> {
        drawn?;
        while self.unexplained.front().is_some_and(|arrival| is_before(arrival.source.seen, drawn, OUT_OF_ORDER_MS)) {
            self.unexplained.pop_front();
        }
        self.unexplained.pop_front()
    }

    fn told_without_place(&mut self, seen: Option<SeenAt>, now: u64) {
        if self.sees_places && self.late.len() < MAX_LATE {
            let until = if self.chips_there { now + self.wait_ms.max(LATE_MS) } else { UNTIL_CHIPS_ARE_BACK };
            self.late.push_back(Unplaced { until, seen });
        }
    }

    /// The card that waited longest goes without a place.
    fn tell_first_drawn(&mut self, now: u64) {
        if let Some(Drawn { card, source, .. }) = self.drawn.pop_front() {
            self.tell_without_place(card, source, now);
        }
    }

    fn tell_without_place(&mut self, card: Card, source: EventSource, now: u64) {
        self.told_without_place(source.seen, now);
        self.tell(Event::Draw { card, to: None, face: None }, source, None);
    }

    /// An antenna saw a card that no shoe has told of.
    fn tell_first_early(&mut self) {
        if let Some(arrival) = self.early.pop_front() {
            self.tell_arrival(unexplained, &arrival);
            if arrival.source.seen.is_some() && self.unexplained.len() < MAX_LATE {
                self.unexplained.push_back(arrival);
            }
        }
    }

    fn tell_arrival(&mut self, what: fn(Place) -> Event, arrival: &Arrival) {
        self.tell(what(arrival.place), arrival.source.clone(), None);
    }

    fn tell(&mut self, event: Event, source: EventSource, paired: Option<Origin>) {
        self.ready.push(SourcedEvent { event, source: Some(source), paired, entered: None });
    }
}

/// A card came to lie there that was told without a place.
pub(super) fn late_place(at: Place) -> Event {
    device_event(Role::Chips, "late_place", Some(format_smolstr!("{at}")))
}

/// A card came to lie there, and no shoe has told of one that could be it.
pub(super) fn unexplained(at: Place) -> Event {
    device_event(Role::Chips, "unexplained_card", Some(format_smolstr!("{at}")))
}

/// Until when something waits that is told now: a wait that is longer than its way here may take begins when it was
/// seen.
fn waits_until(now: u64, wait_ms: u64, seen: Option<SeenAt>) -> u64 {
    let most = wait_ms.max(TOLD_WITHIN_MS);
    let at_the_earliest = |seen: SeenAt| seen.at_ms.saturating_sub(seen.error_ms.into());
    let told_within = |seen| u64::try_from(at_the_earliest(seen)).unwrap_or(0).saturating_add(most).max(now);
    (now + wait_ms).min(seen.map_or(u64::MAX, told_within))
}

/// Whether one thing was certainly seen before another, by more than a margin in milliseconds. Where either time is not
/// known nothing is certain.
pub(super) fn is_before(one: Option<SeenAt>, other: Option<SeenAt>, margin_ms: i64) -> bool {
    one.zip(other).is_some_and(|(one, other)| {
        let apart = i64::from(one.error_ms) + i64::from(other.error_ms) + margin_ms;
        one.at_ms.saturating_add(apart) < other.at_ms
    })
}

//! What a device has told of its ring: events as they come, held against those that came before.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use sabot_words::MAX_HANDS;

use sabot_wire::message::{ChipsSaw, KeypadSaid, Observation, Place, Role, ShoeSaw};
use sabot_wire::{RESEND_MS, WINDOW};
use tokio::time::Instant;

use super::duties::Duty;
use super::strict::Fault;

/// No shoe holds more.
const MOST_CARDS: u16 = 832;
/// An event is named so soon after it was seen: what moves on a table is seen as it begins, and told once it rests.
const NAMED_WITHIN_MS: u32 = 2000;
/// No hand has more cards: of so many aces the next busts.
const HAND_CARDS: u8 = 22;

/// An event, without its number.
type Event = (u32, Observation);

/// The events of one epoch.
#[derive(Debug)]
pub(crate) struct Told {
    /// The last event that was acknowledged.
    pub(crate) acked: u32,
    acked_at: Instant,
    /// The event that is to come next, unless they begin again.
    next: u32,
    /// The newest event that came.
    pub(crate) newest: u32,
    events: BTreeMap<u32, Event>,
    /// When an event last came, or one was acknowledged.
    pub(crate) moved_at: Instant,
    /// The last event came after this. An acknowledgement does not move it: events that wait unread on this side were
    /// sent before the device could know of it.
    moved_after: Instant,
    /// How many reasons the host has given to begin again from the oldest, for which the device has not yet begun. An
    /// acknowledgement that opens a session and a hello in it are two.
    reasons: u32,
    /// The first event of this start.
    pub(crate) fresh: u32,
    /// The newest events that answers of this start named, and the clock of the last answer that named each.
    pub(crate) named: BTreeMap<u32, u32>,
}

/// What an event shows to hold.
pub(crate) enum Came {
    /// It has not come before.
    New,
    /// It has come before, and is the same.
    Again,
    /// It was acknowledged while it was on its way.
    Late,
}

impl Told {
    /// Nothing has come yet of a ring whose oldest event is this.
    pub(crate) fn new(oldest: u32) -> Self {
        let now = Instant::now();
        let acked = oldest.saturating_sub(1);
        Self {
            acked,
            acked_at: now,
            next: oldest,
            newest: acked,
            events: BTreeMap::new(),
            moved_at: now,
            moved_after: now,
            reasons: 1,
            fresh: oldest,
            named: BTreeMap::new(),
        }
    }

    /// The host has acknowledged so far.
    pub(crate) fn acknowledge(&mut self, seq: u32) {
        self.acked = self.acked.max(seq);
        self.next = self.next.max(self.acked + 1);
        let now = Instant::now();
        (self.acked_at, self.moved_at) = (now, now);
    }

    /// The host has asked for everything, or a session has begun.
    pub(crate) const fn begins_again(&mut self) {
        self.reasons = self.reasons.saturating_add(1);
    }

    /// The last event of this start that came, and when it was seen.
    pub(crate) fn last_seen(&self) -> Option<(u32, u32)> {
        self.events.range(self.fresh..).next_back().map(|(seq, (at_ms, _))| (*seq, *at_ms))
    }

    /// Events that came and are not acknowledged.
    pub(crate) const fn held(&self) -> u32 {
        self.newest.saturating_sub(self.acked)
    }

    /// Takes an event that came at `now`, or earlier and after `after`; what the line and the machine may take for
    /// it, `slack`.
    pub(crate) fn take(
        &mut self,
        (now, after): (Instant, Instant),
        seq: u32,
        event: Event,
        slack: Duration,
    ) -> Result<Came, Fault> {
        if seq == 0 {
            return Err((Duty::Numbered, "an event is numbered 0; the first of an epoch is 1".to_owned()));
        }
        if seq <= self.acked {
            let since = now.saturating_duration_since(self.acked_at);
            let says = format!("event {seq} came {} ms after it was acknowledged", since.as_millis());
            return if since > slack { Err((Duty::Forgets, says)) } else { Ok(Came::Late) };
        }
        let since = now.saturating_duration_since(self.moved_after);
        if seq != self.next {
            self.out_of_turn(seq, since)?;
        }
        (self.next, self.moved_at, self.moved_after) = (seq + 1, now, after);
        if let Some(before) = self.events.get(&seq) {
            let same = *before == event;
            let what = if before.1 == event.1 { "its time" } else { "what it tells" };
            let says = || (Duty::Same, format!("event {seq} came again, and {what} is another"));
            return if same { Ok(Came::Again) } else { Err(says()) };
        }
        if seq - self.acked > WINDOW {
            let many = seq - self.acked;
            return Err((Duty::Window, format!("{many} events came that are not acknowledged")));
        }
        let last = self.last_seen().map(|(_, at_ms)| at_ms);
        if let Some(last) = last.filter(|last| seq >= self.fresh && is_before(event.0, *last)) {
            let at = event.0;
            return Err((
                Duty::Monotonic,
                format!("event {seq} was seen at {at} ms, and the one before it at {last} ms"),
            ));
        }
        let left_out = self.named.range(..seq).next_back().map(|(named, at_ms)| (*named, *at_ms));
        let known = event.0.wrapping_add(NAMED_WITHIN_MS + u32::try_from(slack.as_millis()).unwrap_or(u32::MAX));
        if let Some((named, at_ms)) = left_out.filter(|(_, at_ms)| seq >= self.fresh && is_before(known, *at_ms)) {
            let at = event.0;
            return Err((
                Duty::Newest,
                format!("event {seq} was seen at {at} ms, and at {at_ms} ms the newest was named {named}"),
            ));
        }
        self.newest = self.newest.max(seq);
        self.events.insert(seq, event);
        Ok(Came::New)
    }

    /// Whether an event that is not the next may come now: only the oldest may, and only where there is a reason.
    fn out_of_turn(&mut self, seq: u32, since: Duration) -> Result<(), Fault> {
        let (next, oldest) = (self.next, self.acked + 1);
        if seq > next {
            return Err((Duty::Numbered, format!("event {seq} came where {next} was to come")));
        }
        if seq != oldest {
            return Err((Duty::Once, format!("event {seq} came again where {next} or {oldest} was to come")));
        }
        let early = Duration::from_millis(u64::from(RESEND_MS) / 2);
        if since >= early {
            return Ok(());
        }
        let says = || (Duty::Resends, format!("event {seq} came again {} ms after the last event", since.as_millis()));
        self.reasons = self.reasons.checked_sub(1).ok_or_else(says)?;
        Ok(())
    }
}

/// Whether a clock that wraps showed `this` before it showed `that`.
pub(crate) const fn is_before(this: u32, that: u32) -> bool {
    (this.wrapping_sub(that) as i32) < 0
}

/// What cannot be in an observation of a device with this role.
pub(crate) fn nonsense(role: Role, saw: &Observation) -> Option<Fault> {
    let of = match saw {
        Observation::Shoe(_) => Role::Shoe,
        Observation::Shuffler(_) => Role::Shuffler,
        Observation::Chips(_) => Role::Chips,
        Observation::Keypad(_) => Role::Keypad,
        Observation::Device(_) => role,
    };
    if of != role {
        return Some((Duty::OwnRole, format!("a {role} tells what a {of} sees")));
    }
    let what = match saw {
        Observation::Shoe(ShoeSaw::Loaded { cards, cut_card }) if cut_card > cards => {
            Some(format!("{cut_card} cards behind the cut card, of {cards} in the shoe"))
        }
        Observation::Shoe(ShoeSaw::Loaded { cards, .. }) if !(1..=MOST_CARDS).contains(cards) => {
            Some(format!("{cards} cards in the shoe"))
        }
        Observation::Chips(saw) => nonsense_of_chips(saw),
        Observation::Keypad(said) => nonsense_of_keypad(said),
        _ => None,
    };
    what.map(|what| (Duty::Values, what))
}

/// A box, or a hand of one, that no table has.
fn no_hand(box_no: u8, hand: u8) -> Option<String> {
    match (box_no, usize::from(hand)) {
        (0, _) => Some("a box is numbered 0; they count from 1".to_owned()),
        (_, MAX_HANDS..) => Some(format!("hand {hand} of a box, counted from 0; there are {MAX_HANDS} at the most")),
        _ => None,
    }
}

fn no_place(place: &Place) -> Option<String> {
    if let Place::Hand(hand) = place { no_hand(hand.box_no, hand.hand) } else { None }
}

fn nonsense_of_chips(saw: &ChipsSaw) -> Option<String> {
    match saw {
        ChipsSaw::Spot { box_no, hand, chips, .. } => no_hand(*box_no, *hand).or_else(|| {
            let uids: BTreeSet<u64> = chips.iter().map(|chip| chip.uid).collect();
            (uids.len() < chips.len()).then(|| "one chip twice on a spot".to_owned())
        }),
        ChipsSaw::CardTurned { place: Place::Shoe } => Some("a card turned in the shoe".to_owned()),
        ChipsSaw::CardArrived { place, .. } | ChipsSaw::CardTurned { place } => no_place(place),
        ChipsSaw::CardsMoved { from, to, .. } if from == to => Some("cards moved from a place to itself".to_owned()),
        ChipsSaw::CardsMoved { cards: Some(0), .. } => Some("no card moved".to_owned()),
        ChipsSaw::CardsMoved { from: Place::Hand(_) | Place::Bank, cards: Some(cards), .. } if *cards > HAND_CARDS => {
            Some(format!("{cards} cards moved of a hand; it has {HAND_CARDS} at the most"))
        }
        ChipsSaw::CardsMoved { from, to, .. } => no_place(from).or_else(|| no_place(to)),
    }
}

fn nonsense_of_keypad(said: &KeypadSaid) -> Option<String> {
    match said {
        KeypadSaid::Ace { value, .. } if !matches!(value, 1 | 11) => {
            Some(format!("an ace counted {value}; it is 1 or 11"))
        }
        KeypadSaid::Total { value, .. } if !(1..=99).contains(value) => Some(format!("a total of {value}")),
        KeypadSaid::Total { place, .. } if !matches!(place, Place::Hand(_) | Place::Bank) => {
            Some("a total of what is no hand".to_owned())
        }
        KeypadSaid::Seat { seat: 0, .. } | KeypadSaid::Leave { seat: 0, .. } => {
            Some("a seat is numbered 0; they count from 1".to_owned())
        }
        KeypadSaid::Ask { box_no, hand, .. }
        | KeypadSaid::Decide { box_no, hand, .. }
        | KeypadSaid::Ace { box_no, hand, .. }
        | KeypadSaid::Choose { box_no, hand, .. } => no_hand(*box_no, *hand),
        KeypadSaid::Request { box_no, .. }
        | KeypadSaid::Bettor { box_no, .. }
        | KeypadSaid::Consent { box_no, .. }
        | KeypadSaid::Report { box_no: Some(box_no), .. } => no_hand(*box_no, 0),
        KeypadSaid::Total { place, .. } | KeypadSaid::CardIs { place, .. } => no_place(place),
        KeypadSaid::Dealt { to: Some(place), .. } => no_place(place),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use sabot_wire::message::{BetSpot, Chip, HandId};

    use super::*;

    #[test]
    fn values_that_a_station_records_as_bad_reports_are_against_the_page() {
        let hand = Place::Hand(HandId { box_no: 1, hand: 0 });
        let chips = |uids: &[u64]| {
            let chips = uids.iter().map(|&uid| Chip { uid, value: 100 }).collect();
            Observation::Chips(ChipsSaw::Spot { box_no: 1, hand: 0, spot: BetSpot::Main, chips })
        };
        let moved = |from, to, cards| Observation::Chips(ChipsSaw::CardsMoved { from, to, cards });
        let keypad = Observation::Keypad;
        let wrong = [
            (Role::Shoe, Observation::Shoe(ShoeSaw::Loaded { cards: 0, cut_card: 0 })),
            (Role::Shoe, Observation::Shoe(ShoeSaw::Loaded { cards: u16::MAX, cut_card: 0 })),
            (Role::Chips, chips(&[1, 2, 1])),
            (Role::Chips, Observation::Chips(ChipsSaw::CardTurned { place: Place::Shoe })),
            (Role::Chips, moved(Place::Bank, Place::Bank, None)),
            (Role::Chips, moved(hand, Place::Bank, Some(0))),
            (Role::Keypad, keypad(KeypadSaid::Ace { box_no: 1, hand: 0, value: 7 })),
            (Role::Keypad, keypad(KeypadSaid::Total { place: hand, value: 255 })),
            (Role::Keypad, keypad(KeypadSaid::Seat { seat: 0, player: 1 })),
        ];
        for (role, saw) in wrong {
            assert!(matches!(nonsense(role, &saw), Some((Duty::Values, _))), "{saw:?}");
        }
        let right = [
            (Role::Shoe, Observation::Shoe(ShoeSaw::Loaded { cards: 416, cut_card: 80 })),
            (Role::Chips, chips(&[1, 2, 3])),
            (Role::Chips, moved(hand, Place::Discard, Some(3))),
            (Role::Keypad, keypad(KeypadSaid::Ace { box_no: 1, hand: 0, value: 11 })),
            (Role::Keypad, keypad(KeypadSaid::Total { place: hand, value: 20 })),
        ];
        for (role, saw) in right {
            assert_eq!(nonsense(role, &saw), None, "{saw:?}");
        }
    }
    #[test]
    fn what_came_again_before_its_device_heard_an_acknowledgement_is_not_early() {
        // the acknowledgement is said 515 ms after the first event came
        let began = Instant::now() - Duration::from_millis(515);
        let comes = |told: &mut Told, ms, seq| {
            let at = began + Duration::from_millis(ms);
            told.take((at, at), seq, (seq, Observation::Shoe(ShoeSaw::CutCard)), Duration::from_millis(250))
        };
        let mut told = Told::new(1);
        told.reasons = 0;
        for (ms, seqs) in [(0, 1..=3), (260, 1..=3)] {
            assert!(seqs.into_iter().all(|seq| comes(&mut told, ms, seq).is_ok()));
        }
        told.acknowledge(1);
        // a second round lies in the buffer of this side
        assert!(matches!(comes(&mut told, 520, 2), Ok(Came::Again)));
        assert!(matches!(comes(&mut told, 520, 3), Ok(Came::Again)));
        assert!(matches!(comes(&mut told, 530, 2), Err((Duty::Resends, _))));
    }
}

//! What the devices of a table see of an event: the other way round from what the station makes of it.

use std::collections::{HashMap, HashSet};

use sabot_wire::heapless;
use sabot_wire::message::{
    self as wire, Amend, ChipsSaw, Choice, KeypadSaid, MAX_CHIPS, Observation, ShoeSaw, ShufflerSaw,
};

use sabot_law::table::event::{Announcement, Face, NOTES, keypad_number};
use sabot_law::table::{BetSpot, Cents, Event, HandId, Moved, Name, Place};

/// Chips of the houses, in cents.
pub(super) const CHIPS: [u32; 15] =
    [10_000_000, 5_000_000, 1_000_000, 500_000, 100_000, 50_000, 10_000, 5_000, 1_000, 500, 100, 50, 10, 5, 1];
/// First tag of the simulated chips: the manufacturer's part of a real one, then numbers.
const FIRST_UID: u64 = 0xE004_0150_0000_0000;

/// The sensors of a table, and what lies under them.
#[derive(Debug, Default)]
pub struct TableSensors {
    /// What lies on each spot, as the antennas have it.
    spots: HashMap<(HandId, BetSpot), Cents>,
    /// Whose bet was read last on a box, by badge, in this pass; and whose box it is.
    bettors: HashMap<u8, (u16, u16)>,
    /// Every hand of a split has a field of its own, where it is paid; else a box has one field beside its first.
    own_fields: bool,
    /// A box has one antenna for each kind of bet, and all its hands share them.
    shares: bool,
    /// The bets of each hand's splits: the field each lies on, and what it is.
    split: HashMap<(u8, u8), Vec<(u8, Cents)>>,
    max_hands: u8,
    chips: u64,
    /// Boxes whose bettor has chosen to split.
    choosing: HashSet<u8>,
    /// From where to where the last event took a card of a pair.
    opened: Option<(HandId, HandId)>,
}

impl TableSensors {
    /// The sensors of a table whose boxes may be split into so many hands.
    #[must_use]
    pub fn of(max_hands: u8) -> Self {
        Self { own_fields: max_hands > 2, max_hands, ..Self::default() }
    }

    /// The same where all hands of a box share its antennas: what is bet on a hand that was split off lies at the
    /// split, and doubles lie together.
    #[must_use]
    pub fn sharing(max_hands: u8) -> Self {
        Self { own_fields: true, shares: true, max_hands, ..Self::default() }
    }

    /// From where to where the dealer takes the last card of a hand that is split when its equal bet is laid, or given
    /// back, at the event that was seen last. No device tells this: the antennas of a table with tagged cards do.
    #[must_use]
    pub const fn opened(&self) -> Option<(HandId, HandId)> {
        self.opened
    }

    /// Adds what is seen when this happens, in order.
    pub fn see(&mut self, event: &Event, seen: &mut Vec<Observation>) {
        self.opened = None;
        if let Event::Decide { hand, choice: Choice::Split, .. } = event {
            self.choosing.insert(hand.box_no);
        }
        match event {
            Event::Draw { card, to, face } => {
                seen.push(Observation::Shoe(ShoeSaw::Drawn(*card)));
                if let Some(to) = *to {
                    let face = Some(face.unwrap_or(Face::Up));
                    seen.push(Observation::Chips(ChipsSaw::CardArrived { place: to, face }));
                }
            }
            Event::CutCard {} => seen.push(Observation::Shoe(ShoeSaw::CutCard)),
            Event::Load { cards, cut_card } => {
                seen.push(Observation::Shoe(ShoeSaw::Loaded { cards: small(*cards), cut_card: small(*cut_card) }));
            }
            Event::Device { device, status, .. } if device == "shoe" && status == "empty" => {
                seen.push(Observation::Shoe(ShoeSaw::Empty));
            }
            Event::Shuffle { decks, cards } => {
                let decks = u8::try_from(*decks).unwrap_or(u8::MAX);
                seen.push(Observation::Shuffler(ShufflerSaw::Done { decks, cards: small(*cards) }));
            }
            Event::Bet { hand, spot, amount, player, chips } => {
                self.bettor(*hand, *spot, *amount, player.as_ref().map(|name| number(name)), seen);
                let chips: Vec<Cents> = chips.iter().map(|chip| chip.value).collect();
                // where hands share antennas, what has become another hand's stake lies there as that alone
                let beside = self.shares && *spot == BetSpot::Split;
                if !beside {
                    self.lie(*hand, *spot, *amount, &chips, seen);
                }
                self.splits(*hand, *spot, *amount, seen);
                if beside {
                    let of_hand = self.split.get(&(hand.box_no, hand.hand));
                    let staked: Cents =
                        of_hand.into_iter().flatten().map(|&(field, stake)| self.on_field(field, stake)).sum();
                    self.lie(*hand, *spot, amount.saturating_sub(staked), &chips, seen);
                }
            }
            Event::Collect { hand, amount, spot } => self.chips_taken(*hand, *spot, *amount, seen),
            Event::Pay { hand, amount, spot } => {
                let (hand, spot) = self.stake_of(*hand, *spot);
                let lay = self.on(hand, spot) + amount;
                self.lies(hand, spot, lay, seen);
            }
            Event::Reveal { at, card: None } => seen.push(Observation::Chips(ChipsSaw::CardTurned { place: *at })),
            Event::Move { from, to, cards } => {
                let cards = cards.as_ref().map(|cards| match cards {
                    Moved::Count(count) => u8::try_from(*count).unwrap_or(u8::MAX),
                    Moved::Cards(cards) => u8::try_from(cards.len()).unwrap_or(u8::MAX),
                });
                seen.push(Observation::Chips(ChipsSaw::CardsMoved { from: *from, to: *to, cards }));
            }
            Event::End {} => {
                seen.extend(entries(event));
                self.bettors_take_up(seen);
            }
            spoken => seen.extend(entries(spoken)),
        }
    }

    fn on(&self, hand: HandId, spot: BetSpot) -> Cents {
        self.spots.get(&(hand, spot)).copied().unwrap_or(0)
    }

    /// What of a split's bet is the stake of a hand: none where a box has no hand more.
    fn on_field(&self, field: u8, stake: Cents) -> Cents {
        if field < self.max_hands { stake } else { 0 }
    }

    /// A badge is read where the chips are another player's than the last on this box.
    fn bettor(&mut self, hand: HandId, spot: BetSpot, amount: Cents, player: Option<u16>, seen: &mut Vec<Observation>) {
        if spot != BetSpot::Main || amount == 0 {
            return;
        }
        let known = self.bettors.get(&hand.box_no).copied();
        let Some(player) = player.or(known.map(|(owner, _)| owner)) else { return };
        if known.is_none_or(|(_, last)| last != player) {
            seen.push(Observation::Keypad(KeypadSaid::Bettor { box_no: hand.box_no, player }));
        }
        self.bettors.insert(hand.box_no, (known.map_or(player, |(owner, _)| owner), player));
    }

    /// Chips worth `amount` now lie on a spot.
    fn lies(&mut self, hand: HandId, spot: BetSpot, amount: Cents, seen: &mut Vec<Observation>) {
        self.lie(hand, spot, amount, &[], seen);
    }

    /// The same with the chips of these values, where it is told which they are.
    fn lie(&mut self, hand: HandId, spot: BetSpot, amount: Cents, values: &[Cents], seen: &mut Vec<Observation>) {
        self.spots.insert((hand, spot), amount);
        let (HandId { box_no, hand }, spot) = self.antenna(hand, spot);
        let lies_there = |&(&(at, of), _): &(&(HandId, BetSpot), &Cents)| {
            self.shares && self.antenna(at, of) == (HandId { box_no, hand }, spot)
        };
        let amount =
            if self.shares { self.spots.iter().filter(lies_there).map(|(_, chips)| chips).sum() } else { amount };
        let chips = self.chips_worth(amount, values);
        seen.push(Observation::Chips(ChipsSaw::Spot { box_no, hand, spot, chips }));
    }

    /// The antenna over which the chips of a hand lie.
    fn antenna(&self, hand: HandId, spot: BetSpot) -> (HandId, BetSpot) {
        match (hand.hand, spot) {
            (1.., BetSpot::Main) if self.shares => (HandId::first(hand.box_no), BetSpot::Split),
            (1.., spot) if self.shares => (HandId::first(hand.box_no), spot),
            _ => (hand, spot),
        }
    }

    /// Chips of these values, and the fewest worth the rest, none of them seen before. What no chip is worth is left
    /// out.
    fn chips_worth(&mut self, amount: Cents, values: &[Cents]) -> heapless::Vec<wire::Chip, MAX_CHIPS> {
        let mut chips = heapless::Vec::new();
        let mut rest = amount;
        let told = values.iter().filter_map(|&value| u32::try_from(value).ok());
        for (value, most) in told.map(|value| (value, 1)).chain(CHIPS.map(|value| (value, usize::MAX))) {
            for _ in 0..most {
                if value == 0 || rest < Cents::from(value) {
                    break;
                }
                self.chips += 1;
                if chips.push(wire::Chip { uid: FIRST_UID + self.chips, value }).is_err() {
                    return chips;
                }
                rest -= Cents::from(value);
            }
        }
        chips
    }

    /// The house takes a stake, the doubled one with it.
    fn chips_taken(&mut self, hand: HandId, spot: BetSpot, amount: Cents, seen: &mut Vec<Observation>) {
        let (hand, spot) = self.stake_of(hand, spot);
        let doubled = if spot == BetSpot::Main { self.on(hand, BetSpot::Double) } else { 0 };
        let left = self.on(hand, spot).saturating_sub(amount.saturating_sub(doubled));
        self.lies(hand, spot, left, seen);
        if doubled > 0 {
            self.lies(hand, BetSpot::Double, 0, seen);
        }
    }

    /// After the pass bettors take up what lies there.
    fn bettors_take_up(&mut self, seen: &mut Vec<Observation>) {
        let mut left: Vec<_> = self.spots.drain().filter(|&(_, amount)| amount > 0).map(|(spot, _)| spot).collect();
        left.sort_unstable_by_key(|&(hand, spot)| (hand, spot as u8));
        for (hand, spot) in left {
            self.lies(hand, spot, 0, seen);
        }
        self.spots.clear();
        self.bettors.clear();
        self.split.clear();
        self.choosing.clear();
    }

    /// The equal bet of a split, shown beside the hand, is the stake on the field of the hand that is split off; what
    /// makes it whole is laid to it.
    fn splits(&mut self, hand: HandId, spot: BetSpot, amount: Cents, seen: &mut Vec<Observation>) {
        if spot != BetSpot::Split {
            return;
        }
        let equal = self.on(HandId::first(hand.box_no), BetSpot::Main);
        let bets = self.split.entry((hand.box_no, hand.hand)).or_default();
        let lying: Cents = bets.iter().map(|&(_, stake)| stake).sum();
        let (field, stake, is_new) = match bets.last_mut() {
            Some(&mut (field, stake)) if lying >= amount + stake => {
                bets.pop();
                (field, 0, true)
            }
            Some((field, stake)) if amount > lying && *stake < equal => {
                *stake += amount - lying;
                (*field, *stake, false)
            }
            _ if amount > lying => {
                let fields = self.split.iter().filter(|((box_no, _), _)| *box_no == hand.box_no);
                let field = fields.map(|(_, bets)| bets.len()).sum::<usize>() + 1;
                let field = u8::try_from(field).unwrap_or(u8::MAX);
                self.split.entry((hand.box_no, hand.hand)).or_default().push((field, amount - lying));
                (field, amount - lying, true)
            }
            _ => return,
        };
        // where a box has its hands, no field is left
        if field >= self.max_hands {
            return;
        }
        let split_off = HandId { hand: field, ..hand };
        if is_new && self.choosing.contains(&hand.box_no) {
            self.opened = Some(if stake > 0 { (hand, split_off) } else { (split_off, hand) });
        }
        if self.own_fields {
            self.lies(split_off, BetSpot::Main, stake, seen);
        }
    }

    /// Where a hand's stake lies: that of a split's second hand beside the first one's, where it has no field of its
    /// own.
    fn stake_of(&self, hand: HandId, spot: BetSpot) -> (HandId, BetSpot) {
        match (hand.hand, spot) {
            (1, BetSpot::Main) if !self.own_fields => (HandId::first(hand.box_no), BetSpot::Split),
            _ => (hand, spot),
        }
    }
}

/// What is entered on the keypad, one entry after the other: of a correction, what should stand there too.
pub(crate) fn entries(event: &Event) -> Vec<Observation> {
    let corrected = if let Event::Correct { event, .. } = event { event.as_deref() } else { None };
    // the shoe tells of a card that is dealt; the keypad of one that should have been told
    let entered = if matches!(event, Event::Draw { .. }) { None } else { Some(event) };
    [entered, corrected].into_iter().flatten().filter_map(said).map(Observation::Keypad).collect()
}

/// What the dealer enters on the keypad.
fn said(event: &Event) -> Option<KeypadSaid> {
    Some(match event {
        Event::Seat { seat, player } => KeypadSaid::Seat { seat: *seat, player: number(player) },
        Event::Leave { seat, player } => KeypadSaid::Leave { seat: *seat, player: number(player) },
        // asked in one moment: the keypad takes one entry after the other, so the dealer enters neither and decides as
        // C2 says
        Event::Request { t: Some(_), .. } => return None,
        Event::Request { hand, player, t: None } => KeypadSaid::Request { box_no: hand.box_no, player: number(player) },
        Event::Authorize { by, role, what } => KeypadSaid::Authorize { badge: number(by), role: *role, what: *what },
        Event::Cut { depth, by } => KeypadSaid::Cut { depth: small(*depth), player: number(by) },
        Event::CloseBets {} => KeypadSaid::CloseBets,
        Event::End {} => KeypadSaid::EndPass,
        Event::Ask { hand: HandId { box_no, hand }, about } => {
            KeypadSaid::Ask { box_no: *box_no, hand: *hand, about: *about }
        }
        Event::Decide { hand: HandId { box_no, hand }, choice: what, by } => {
            let by = by.as_ref().map(|name| number(name));
            KeypadSaid::Decide { box_no: *box_no, hand: *hand, choice: *what, by }
        }
        Event::Ace { hand: HandId { box_no, hand }, value, .. } => {
            KeypadSaid::Ace { box_no: *box_no, hand: *hand, value: *value }
        }
        Event::Announce { what: Announcement::NextCardsForBank, .. } => KeypadSaid::NextCardsForBank,
        Event::Announce { place: at, value, .. } => {
            KeypadSaid::Total { place: (*at)?, value: u8::try_from((*value)?).ok()? }
        }
        Event::Consent { hand, yes } => KeypadSaid::Consent { box_no: hand.box_no, yes: *yes },
        Event::Choose { hand: HandId { box_no, hand }, option } => {
            KeypadSaid::Choose { box_no: *box_no, hand: *hand, option: *option }
        }
        Event::Rule { by, role, decision, finding } => KeypadSaid::Rule {
            badge: number(by),
            role: role.parse().ok()?,
            decision: *decision,
            finding: finding.and_then(|n| u32::try_from(n).ok()),
        },
        Event::Bank { how, player, by, amount } => {
            let named = |name: &Option<Name>| name.as_ref().map(|name| number(name));
            KeypadSaid::Bank { how: *how, player: named(player), by: named(by), amount: *amount }
        }
        Event::BankCard { player, card } => KeypadSaid::BankCard { player: number(player), card: *card },
        Event::Share { player, what, amount } => {
            KeypadSaid::Share { player: number(player), what: *what, amount: *amount }
        }
        Event::OfferCut { player } => KeypadSaid::OfferCut { player: number(player) },
        Event::Report { by, role, provision, place, note } => KeypadSaid::Report {
            badge: number(by),
            role: role.parse().ok()?,
            note: NOTES.iter().position(|known| note == known).map_or(1, |n| n as u8 + 1),
            article: match provision {
                Some(id) => Some(keypad_number(id)?),
                None => None,
            },
            box_no: place.and_then(|place| if let Place::Hand(hand) = place { Some(hand.box_no) } else { None }),
        },
        Event::Correct { by, role, line, after, event } => KeypadSaid::Correct {
            badge: number(by),
            role: role.parse().ok()?,
            line: u32::try_from((*line).or(*after)?).ok()?,
            how: match (line, event) {
                (Some(_), None) => Amend::Strike,
                (Some(_), Some(_)) => Amend::Instead,
                (None, _) => Amend::After,
            },
        },
        Event::Reveal { at: at @ (Place::Hand(_) | Place::Bank), card: Some(card) } => {
            KeypadSaid::CardIs { place: *at, card: *card }
        }
        Event::Draw { card, to: to @ (None | Some(Place::Hand(_) | Place::Bank)), face } => {
            KeypadSaid::Dealt { card: *card, to: *to, face: *face }
        }
        _ => return None,
    })
}

/// The number of a player (`P7`) or a badge (`I-4`).
fn number(name: &str) -> u16 {
    name.trim_start_matches(|c: char| !c.is_ascii_digit()).parse().unwrap_or(0)
}

fn small(count: u32) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn see(sensors: &mut TableSensors, event: Event) -> Vec<Observation> {
        let mut seen = Vec::new();
        sensors.see(&event, &mut seen);
        seen
    }

    fn lies(seen: &[Observation]) -> Vec<(u8, BetSpot, u64)> {
        let spot = |one: &Observation| match one {
            Observation::Chips(ChipsSaw::Spot { box_no, spot, chips, .. }) => {
                Some((*box_no, *spot, chips.iter().map(|chip| u64::from(chip.value)).sum()))
            }
            _ => None,
        };
        seen.iter().filter_map(spot).collect()
    }

    fn bet(box_no: u8, spot: BetSpot, amount: Cents, player: Option<&str>) -> Event {
        Event::Bet { hand: HandId::first(box_no), spot, amount, player: player.map(Into::into), chips: Vec::new() }
    }

    #[test]
    fn a_badge_is_read_only_where_the_bettor_changes() {
        let mut sensors = TableSensors::default();
        let badges = |seen: Vec<Observation>| {
            seen.iter().filter(|one| matches!(one, Observation::Keypad(KeypadSaid::Bettor { .. }))).count()
        };
        let bets = [(Some("P1"), 1), (Some("P1"), 0), (Some("P2"), 1), (None, 1), (None, 0)];
        for (player, badge) in bets {
            assert_eq!(badges(see(&mut sensors, bet(3, BetSpot::Main, 50_000, player))), badge, "{player:?}");
        }
    }

    #[test]
    fn a_doubled_stake_is_taken_whole_and_a_winner_takes_everything_up_after_the_pass() {
        let mut sensors = TableSensors::default();
        for box_no in [1, 2] {
            see(&mut sensors, bet(box_no, BetSpot::Main, 70_000, None));
            see(&mut sensors, bet(box_no, BetSpot::Double, 70_000, None));
        }
        let collect = Event::Collect { hand: HandId::first(1), amount: 140_000, spot: BetSpot::Main };
        assert_eq!(lies(&see(&mut sensors, collect)), [(1, BetSpot::Main, 0), (1, BetSpot::Double, 0)]);
        let pay = Event::Pay { hand: HandId::first(2), amount: 140_000, spot: BetSpot::Main };
        assert_eq!(lies(&see(&mut sensors, pay)), [(2, BetSpot::Main, 210_000)]);
        let taken = [(2, BetSpot::Main, 0), (2, BetSpot::Double, 0)];
        assert_eq!(lies(&see(&mut sensors, Event::End {})), taken);
    }

    #[test]
    fn the_stake_of_a_split_lies_on_its_own_field_once_and_its_card_goes_there_and_comes_back() {
        let mut sensors = TableSensors::of(4);
        see(&mut sensors, bet(4, BetSpot::Main, 50_000, None));
        let field = |seen: &[Observation]| lies(seen).last().copied();
        let (first, second) = (HandId::first(4), HandId { box_no: 4, hand: 1 });
        see(&mut sensors, Event::Decide { hand: first, choice: Choice::Split, by: None });
        for (amount, on_field, opened) in [
            (20_000, 20_000, Some((first, second))),
            (50_000, 50_000, None),
            (100_000, 50_000, Some((first, HandId { box_no: 4, hand: 2 }))),
            (50_000, 0, Some((HandId { box_no: 4, hand: 2 }, first))),
        ] {
            let seen = see(&mut sensors, bet(4, BetSpot::Split, amount, None));
            assert_eq!((field(&seen), sensors.opened()), (Some((4, BetSpot::Main, on_field)), opened), "{amount}");
        }
        see(&mut sensors, Event::CutCard {});
        assert_eq!(sensors.opened(), None);
    }

    #[test]
    fn the_second_hand_of_a_split_is_paid_where_its_bet_lies() {
        let mut sensors = TableSensors::default();
        see(&mut sensors, bet(4, BetSpot::Split, 50_000, None));
        let second = HandId { box_no: 4, hand: 1 };
        let seen = see(&mut sensors, Event::Pay { hand: second, amount: 50_000, spot: BetSpot::Main });
        assert_eq!(lies(&seen), [(4, BetSpot::Split, 100_000)]);
    }

    #[test]
    fn every_stake_of_the_table_lies_in_chips_one_antenna_reads() {
        let mut sensors = TableSensors::default();
        for amount in (5_000..13_000_000).step_by(5_000) {
            let chips = sensors.chips_worth(amount, &[]);
            assert_eq!(chips.iter().map(|chip| u64::from(chip.value)).sum::<u64>(), amount);
        }
    }
}

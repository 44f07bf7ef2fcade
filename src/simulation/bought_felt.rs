//! The felt of a table of bought parts: which tag lies over which reader, and what hands do there as a pass goes on.

use std::collections::{HashMap, VecDeque};

use sabot_drivers::saw::{Pad, Stake};
use sabot_law::table::{BetSpot, Card, Cents, HandId, Place};

use super::feig::Lever;
use super::table_sensors::CHIPS;

/// So many decks the house has: more than cards are drawn in a pass.
pub const DECKS: u64 = 64;
/// A hand carries a card, or chips, in so long, milliseconds.
pub const CARRIED_MS: u64 = 400;
/// A card slides out of what the antenna of a tray sees, milliseconds.
const SLIDES_MS: u64 = 10_000;
/// In place of the tag of a card that neither scanner nor antenna reads.
const NO_TAG: u64 = 0;
/// So many chips of each value the house has.
const OF_EACH: u64 = 600;

/// The tag of a card of one of the decks.
#[must_use]
pub const fn card_tag(deck: u64, card: u64) -> u64 {
    0xE004_0200_0000_0000 | (deck % DECKS) << 8 | card
}

/// The house's chips: the tag of each, and what it is worth in cents.
pub fn chips() -> impl Iterator<Item = (u64, u32)> {
    (0..)
        .zip(CHIPS)
        .flat_map(|(class, value)| (0..OF_EACH).map(move |nth| (0xE004_0150_0000_0000 | class << 16 | nth, value)))
}

/// What the readers of each line lie under, as `docs/build/station.toml` has them: a line for each kind of bet, with a
/// pad a box that all its hands share, and one for the bank and the trays.
#[must_use]
pub fn lines(boxes: u8) -> Vec<Vec<Pad>> {
    let stakes = |spot| (1..=boxes).map(|box_no| Pad::Stake(Stake { box_no, hand: 0, spot })).collect();
    let kinds = [BetSpot::Main, BetSpot::Double, BetSpot::Split, BetSpot::Insurance].map(stakes);
    kinds.into_iter().chain([[Place::Bank, Place::Burn, Place::Discard].map(Pad::Cards).to_vec()]).collect()
}

/// Where a reader of the felt is: the line, and the address on it.
pub type At = (usize, u8);

/// What a hand is about to do at a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Handled {
    /// In so long, milliseconds.
    pub ms: u64,
    /// The line, and the reader on it.
    pub at: At,
    /// What it does.
    pub lever: Lever,
}

/// What lies where.
#[derive(Debug)]
pub struct BoughtFelt {
    readers: HashMap<Pad, At>,
    /// Chips that lie nowhere, of each value.
    purse: HashMap<u32, VecDeque<u64>>,
    stacks: HashMap<Stake, Vec<(u64, u32)>>,
    in_shoe: HashMap<Card, Vec<u64>>,
    /// The tag of the card drawn last.
    drawn: u64,
    lying: Vec<(Place, u64)>,
    handled: Vec<Handled>,
}

impl BoughtFelt {
    /// Nothing lies on a felt with these lines, and all cards are in the shoe.
    #[must_use]
    pub fn new(lines: &[Vec<Pad>]) -> Self {
        let readers = (0..).zip(lines);
        let readers = readers.flat_map(|(line, pads)| (0..).zip(pads).map(move |(at, pad)| (*pad, (line, at))));
        let mut purse: HashMap<u32, VecDeque<u64>> = HashMap::new();
        chips().for_each(|(uid, value)| purse.entry(value).or_default().push_back(uid));
        let mut felt = Self {
            readers: readers.collect(),
            purse,
            stacks: HashMap::new(),
            in_shoe: HashMap::new(),
            drawn: NO_TAG,
            lying: Vec::new(),
            handled: Vec::new(),
        };
        felt.load();
        felt
    }

    /// What hands are about to do since that was last asked.
    pub fn handled(&mut self) -> impl Iterator<Item = Handled> {
        self.handled.drain(..)
    }

    /// Every card is put into the shoe but those on the felt.
    pub fn load(&mut self) {
        let (felt, trays): (Vec<_>, Vec<_>) =
            self.lying.drain(..).partition(|(at, _)| matches!(at, Place::Hand(_) | Place::Bank));
        self.lying = felt;
        for (at, tag) in trays {
            self.takes(at, tag, 0);
        }
        for card in (0..52).filter_map(Card::from_index) {
            let tags = (0..DECKS).map(|deck| card_tag(deck, card.code().into()));
            let in_shoe = tags.filter(|tag| self.lying.iter().all(|(_, lying)| lying != tag)).collect();
            self.in_shoe.insert(card, in_shoe);
        }
    }

    /// A card leaves the shoe.
    pub fn draws(&mut self, card: Card) {
        self.drawn = self.in_shoe.get_mut(&card).and_then(Vec::pop).unwrap_or(NO_TAG);
    }

    /// The card that was drawn last is laid there.
    pub fn lays(&mut self, place: Place) {
        self.lies(place, self.drawn);
    }

    fn lies(&mut self, place: Place, uid: u64) {
        self.lying.push((place, uid));
        let Some(at) = self.reader(place).filter(|_| uid != NO_TAG) else { return };
        self.handled.push(Handled { ms: CARRIED_MS, at, lever: put(uid, at) });
        if matches!(place, Place::Burn | Place::Discard) {
            self.takes(place, uid, CARRIED_MS + SLIDES_MS);
        }
    }

    fn takes(&mut self, place: Place, uid: u64, ms: u64) {
        if let Some(at) = self.reader(place).filter(|_| uid != NO_TAG) {
            self.handled.push(Handled { ms, at, lever: Lever::Take(Some(uid)) });
        }
    }

    /// The last cards of a place, or all of them, are taken elsewhere.
    pub fn moves(&mut self, from: Place, to: Place, cards: Option<u8>) {
        for _ in 0..cards.unwrap_or(u8::MAX) {
            let Some(nth) = self.lying.iter().rposition(|(place, _)| *place == from) else { return };
            let (_, tag) = self.lying.remove(nth);
            self.takes(from, tag, 0);
            self.lies(to, tag);
        }
    }

    /// Chips worth so much lie on a spot from now on: as many as can stay where they are do. Where no antenna is nobody
    /// sees them, nor what no chip is worth.
    pub fn stack(&mut self, stake: Stake, amount: Cents) {
        let Some(at) = self.readers.get(&Pad::Stake(stake)).copied() else { return };
        let mut lying = self.stacks.remove(&stake).unwrap_or_default();
        let worth = |chips: &[(u64, u32)]| chips.iter().map(|&(_, value)| Cents::from(value)).sum::<Cents>();
        while worth(&lying) > amount
            && let Some((uid, value)) = lying.pop()
        {
            self.handled.push(Handled { ms: 0, at, lever: Lever::Take(Some(uid)) });
            self.purse.entry(value).or_default().push_back(uid);
        }
        for value in CHIPS {
            let mut purse = self.purse.get_mut(&value);
            while amount - worth(&lying) >= Cents::from(value)
                && let Some(uid) = purse.as_mut().and_then(|purse| purse.pop_front())
            {
                lying.push((uid, value));
                self.handled.push(Handled { ms: CARRIED_MS, at, lever: put(uid, at) });
            }
        }
        self.stacks.insert(stake, lying);
    }

    /// The reader that sees cards at a place: those of a box lie over the pad of its bet.
    fn reader(&self, place: Place) -> Option<At> {
        let pad = match place {
            Place::Hand(HandId { box_no, .. }) => Pad::Stake(Stake { box_no, hand: 0, spot: BetSpot::Main }),
            place => Pad::Cards(place),
        };
        self.readers.get(&pad).copied()
    }
}

const fn put(uid: u64, (_, reader): At) -> Lever {
    Lever::Put { uid, reader, antenna: 1, value: 0 }
}

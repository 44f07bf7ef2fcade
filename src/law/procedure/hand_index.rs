//! What is asked of every hand again and again, kept as one bit a hand, so that an event looks at the box it names and
//! not at the whole felt. `Pass::reindex` keeps it right after a box has changed; debug builds check that it did.

use super::betting_box::{BettingBox, Standing};
use super::hand::Hand;
use super::hand_order::HandOrder;
use crate::table::place::{MAX_BOXES, MAX_HANDS};
use crate::table::settings::Side;
use crate::table::{BetSpot, HandId};

/// What is kept of a hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// In a box whose bet counts, void hands included.
    InPlay,
    /// In a box whose bet counts, not finished, and no longer in delivery. Whether one with an unread card is finished
    /// is not known, unless a card was asked for.
    Unfinished,
    /// In a box whose bet counts, with cards still to be decided against the bank: neither void, lost, nor over 21.
    Live,
    /// In a box whose bet counts, doubled, and its card has not come.
    Doubling,
    /// It waits for its first card of the delivery.
    First,
    /// It waits for its second.
    Second,
    /// Cards lie there, whatever they count for.
    Cards,
    /// A bet of it was paid to or collected of, and no finding about that bet is open.
    Given,
}

const MARKS: usize = Status::Given as usize + 1;

/// Which hands have which mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct HandIndex {
    /// A byte a box, in the order of play.
    hands: [[u8; 8]; MARKS],
    order: PlayOrder,
}

/// A set of hands; iterates in the order of play, which is that of its bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hands {
    bits: u64,
    order: PlayOrder,
}

/// In which order hands play: the boxes from one side, and the hands of each as they were opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PlayOrder {
    first_box: Side,
    /// By box number less one.
    hands: [HandOrder; MAX_BOXES],
}

const _: () = assert!(MAX_BOXES <= 8 && MAX_HANDS == 8, "a byte for every box, a bit for every hand");

impl HandIndex {
    /// No hand has any, on a table where play begins on that side.
    #[must_use]
    pub const fn new(first_box: Side) -> Self {
        Self { hands: [[0; 8]; MARKS], order: PlayOrder { first_box, hands: [HandOrder::UNSPLIT; MAX_BOXES] } }
    }

    /// No hand has any.
    pub(super) const fn clear(&mut self) {
        *self = Self::new(self.order.first_box);
    }

    /// The order of play.
    pub(super) const fn order(&self) -> PlayOrder {
        self.order
    }

    /// The hands that have a mark.
    #[must_use]
    pub const fn of(&self, mark: Status) -> Hands {
        Hands { bits: u64::from_le_bytes(self.hands[mark as usize]), order: self.order }
    }

    /// Looks at the hands of a box anew.
    pub(super) fn reindex(&mut self, box_no: u8, betting_box: &BettingBox) {
        self.order.hands[usize::from(box_no).saturating_sub(1) % MAX_BOXES] = betting_box.order;
        // a byte a mark, a bit a hand
        let mut of_box = 0;
        let in_play = if betting_box.standing == Standing::In { betting_box.hands_in_play } else { 0 };
        let with_bets = betting_box.with_bets().len();
        for (n, hand) in betting_box.hands.iter().enumerate() {
            let mut holds = if n < in_play { hand_index(hand, in_play == 1) } else { [false; MARKS] };
            holds[Status::Cards as usize] = !hand.cards.is_empty();
            holds[Status::Given as usize] = n < with_bets && is_given(hand);
            of_box |= u64::from_le_bytes(holds.map(u8::from)) << betting_box.order.place_of(n);
        }
        let place = self.order.place(box_no);
        for (hands, of_box) in self.hands.iter_mut().zip(of_box.to_le_bytes()) {
            hands[place] = of_box;
        }
    }
}

/// Which marks a hand has for being in play, in their order; `whole` where its box has not been split.
fn hand_index(hand: &Hand, whole: bool) -> [bool; MARKS] {
    let count = hand.count();
    let is_gone = hand.is_gone();
    let waits = whole & !hand.void & !hand.lost & !hand.is_retired() & !hand.lost_its_delivery() & !is_gone;
    [
        true,
        (count >= 2 || hand.split || hand.as_it_is)
            && !hand.is_unpaid_half()
            && !is_gone
            && !hand.is_finished()
            && (!hand.is_unread() || hand.wants_card || (hand.split && count == 1)),
        hand.is_live(),
        hand.waits_for_double(),
        waits & (count == 0) & !hand.waits_for_room,
        waits & (count == 1) & !hand.as_it_is & !hand.waits_for_room,
        false,
        false,
    ]
}

/// Whether a bet of a hand was touched of which no finding is open.
fn is_given(hand: &Hand) -> bool {
    BetSpot::SETTLED.into_iter().any(|spot| hand.is_touched(spot) && !hand.is_wrong(spot))
}

impl PlayOrder {
    /// The place of a box, from 0.
    const fn place(&self, box_no: u8) -> usize {
        let place = match self.first_box {
            Side::Left => (box_no as usize).saturating_sub(1),
            Side::Right => MAX_BOXES.saturating_sub(box_no as usize),
        };
        place % 8
    }

    /// The bit of a hand.
    #[inline]
    const fn bit(&self, id: HandId) -> usize {
        let order = self.hands[(id.box_no as usize).saturating_sub(1) % MAX_BOXES];
        self.place(id.box_no) * MAX_HANDS + order.place_of(id.hand as usize)
    }

    /// The hand of a bit.
    #[inline]
    const fn hand(&self, bit: usize) -> HandId {
        let place = bit / MAX_HANDS;
        let box_no = match self.first_box {
            Side::Left => place + 1,
            Side::Right => MAX_BOXES - place,
        };
        let hand = self.hands[(box_no - 1) % MAX_BOXES].hand_at(bit % MAX_HANDS);
        HandId { box_no: box_no as u8, hand }
    }

    /// Whether one hand plays before another.
    #[must_use]
    pub const fn plays_before(&self, one: HandId, other: HandId) -> bool {
        self.bit(one) < self.bit(other)
    }
}

impl Hands {
    /// None.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.bits == 0
    }

    /// The first in the order of play.
    #[must_use]
    pub const fn first(self) -> Option<HandId> {
        if self.is_empty() {
            return None;
        }
        Some(self.order.hand(self.bits.trailing_zeros() as usize))
    }

    /// These and those, of one table.
    #[must_use]
    pub const fn and(self, others: Self) -> Self {
        Self { bits: self.bits | others.bits, order: self.order }
    }

    /// Those of which something holds.
    #[must_use]
    pub fn that(self, holds: impl Fn(HandId) -> bool) -> Self {
        let bits = self.fold(0, |bits, id| if holds(id) { bits | 1 << self.order.bit(id) } else { bits });
        Self { bits, order: self.order }
    }

    /// Those that play before a hand.
    #[must_use]
    pub const fn before(self, id: HandId) -> Self {
        Self { bits: self.bits & ((1 << self.order.bit(id)) - 1), order: self.order }
    }
}

impl Iterator for Hands {
    type Item = HandId;

    fn next(&mut self) -> Option<HandId> {
        let first = self.first();
        self.bits &= self.bits.wrapping_sub(1);
        first
    }
}

//! What is asked of every hand again and again, kept as one bit a hand, so that an event looks at the box it names and
//! not at the whole felt. `Pass::reindex` keeps it right after a box has changed; debug builds check that it did.

use super::betting_box::{BettingBox, Standing};
use super::hand::Hand;
use crate::table::HandId;
use crate::table::place::{MAX_BOXES, MAX_HANDS};
use crate::table::settings::Side;

/// What is kept of a hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// In a box whose bet counts, void hands included.
    InPlay,
    /// In a box whose bet counts, not finished, and no longer in delivery.
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
}

const MARKS: usize = Status::Cards as usize + 1;

/// Which hands have which mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct HandIndex {
    hands: [u64; MARKS],
    first_box: Side,
}

/// A set of hands; iterates in the order of play, which is that of its bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hands {
    bits: u64,
    first_box: Side,
}

impl Default for HandIndex {
    fn default() -> Self {
        Self::new(Side::Left)
    }
}

const _: () = assert!(MAX_BOXES * MAX_HANDS <= 64, "a bit for every hand");

impl HandIndex {
    /// No hand has any, on a table where play begins on that side.
    #[must_use]
    pub const fn new(first_box: Side) -> Self {
        Self { hands: [0; MARKS], first_box }
    }

    /// No hand has any.
    pub(super) const fn clear(&mut self) {
        self.hands = [0; MARKS];
    }

    /// Where play begins.
    pub(super) const fn first_box(&self) -> Side {
        self.first_box
    }

    /// The hands that have a mark.
    #[must_use]
    pub const fn of(&self, mark: Status) -> Hands {
        Hands { bits: self.hands[mark as usize], first_box: self.first_box }
    }

    /// Looks at the hands of a box anew.
    pub(super) fn reindex(&mut self, box_no: u8, betting_box: &BettingBox) {
        let first = bit(HandId::first(box_no), self.first_box);
        for hands in &mut self.hands {
            *hands &= !(ALL_OF_A_BOX << first);
        }
        let in_play = if betting_box.standing == Standing::In { betting_box.hands_in_play } else { 0 };
        for (n, hand) in betting_box.hands.iter().enumerate() {
            let holds = match n {
                _ if n < in_play => hand_index(hand, in_play == 1),
                _ if hand.cards.is_empty() => continue,
                _ => [false, false, false, false, false, false, true],
            };
            for (hands, holds) in self.hands.iter_mut().zip(holds) {
                *hands |= u64::from(holds) << (first + n);
            }
        }
    }
}

/// Which hand index a hand in play has, in their order; `whole` where its box has not been split.
fn hand_index(hand: &Hand, whole: bool) -> [bool; MARKS] {
    let count = hand.count();
    let waits = whole & !hand.void & !hand.lost & hand.settled.is_none();
    [
        true,
        (count >= 2 || hand.split || hand.as_it_is) && !hand.is_finished(),
        hand.is_live(),
        hand.waits_for_double(),
        waits & (count == 0),
        waits & (count == 1) & !hand.as_it_is,
        !hand.cards.is_empty(),
    ]
}

const ALL_OF_A_BOX: u64 = (1 << MAX_HANDS) - 1;

/// The bit of a hand.
#[inline]
const fn bit(id: HandId, first_box: Side) -> usize {
    in_order(id.box_no as usize, first_box) * MAX_HANDS + id.hand as usize
}

/// The place of a box in the order of play, from 0.
#[inline]
const fn in_order(box_no: usize, first_box: Side) -> usize {
    match first_box {
        Side::Left => box_no.saturating_sub(1),
        Side::Right => MAX_BOXES.saturating_sub(box_no),
    }
}

/// Whether one hand plays before another.
#[must_use]
pub const fn plays_before(one: HandId, other: HandId, first_box: Side) -> bool {
    bit(one, first_box) < bit(other, first_box)
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
        let n = self.bits.trailing_zeros() as usize;
        let place = n / MAX_HANDS;
        let box_no = match self.first_box {
            Side::Left => place + 1,
            Side::Right => MAX_BOXES - place,
        };
        Some(HandId { box_no: box_no as u8, hand: (n % MAX_HANDS) as u8 })
    }

    /// Those that play before a hand.
    #[must_use]
    pub const fn before(self, id: HandId) -> Self {
        Self { bits: self.bits & ((1 << bit(id, self.first_box)) - 1), first_box: self.first_box }
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

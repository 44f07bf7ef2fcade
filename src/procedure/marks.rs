//! What is asked of every hand again and again, kept as one bit a hand, so that an event looks at the box it names and
//! not at the whole felt. `State::note` keeps it right after a box has changed; debug builds check that it did.

use super::hand::Hand;
use super::state::{BettingBox, Standing};
use crate::table::HandId;
use crate::table::place::{MAX_BOXES, MAX_HANDS};

/// What is kept of a hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
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

const MARKS: usize = Mark::Cards as usize + 1;

/// Which hands have which mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Marks([Hands; MARKS]);

/// A set of hands; iterates in the order of play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Hands(u32);

const _: () = assert!(MAX_BOXES * MAX_HANDS <= 32, "a bit for every hand");

impl Marks {
    /// The hands that have a mark.
    #[must_use]
    pub const fn of(&self, mark: Mark) -> Hands {
        self.0[mark as usize]
    }

    /// Marks the hands of a box anew.
    pub(super) fn note(&mut self, box_no: u8, betting_box: &BettingBox) {
        let first = bit(HandId::first(box_no));
        for hands in &mut self.0 {
            hands.0 &= !(ALL_OF_A_BOX << first);
        }
        let in_play = if betting_box.standing == Standing::In { betting_box.hands_in_play } else { 0 };
        for (n, hand) in betting_box.hands.iter().enumerate() {
            let holds = match n {
                _ if n < in_play => marks(hand, in_play == 1),
                _ if hand.cards.is_empty() => continue,
                _ => [false, false, false, false, false, true],
            };
            for (hands, holds) in self.0.iter_mut().zip(holds) {
                hands.0 |= u32::from(holds) << (first + n);
            }
        }
    }
}

/// Which marks a hand in play has, in their order; `whole` where its box has not been split.
fn marks(hand: &Hand, whole: bool) -> [bool; MARKS] {
    let count = hand.count();
    let waits = whole & !hand.void & !hand.lost;
    [
        (count >= 2 || hand.split) && !hand.is_finished(),
        hand.is_live(),
        hand.waits_for_double(),
        waits & (count == 0),
        waits & (count == 1),
        !hand.cards.is_empty(),
    ]
}

const ALL_OF_A_BOX: u32 = (1 << MAX_HANDS) - 1;

/// The bit of a hand.
#[inline]
const fn bit(id: HandId) -> usize {
    (id.box_no as usize - 1) * MAX_HANDS + id.hand as usize
}

impl Hands {
    /// None.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The first in the order of play.
    #[must_use]
    pub const fn first(self) -> Option<HandId> {
        if self.is_empty() {
            return None;
        }
        let n = self.0.trailing_zeros() as usize;
        Some(HandId { box_no: (n / MAX_HANDS) as u8 + 1, hand: (n % MAX_HANDS) as u8 })
    }

    /// Those that play before a hand.
    #[must_use]
    pub const fn before(self, id: HandId) -> Self {
        Self(self.0 & ((1 << bit(id)) - 1))
    }
}

impl Iterator for Hands {
    type Item = HandId;

    fn next(&mut self) -> Option<HandId> {
        let first = self.first();
        self.0 &= self.0.wrapping_sub(1);
        first
    }
}

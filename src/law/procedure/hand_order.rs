//! In which order the hands of a box play: one that is opened plays right after the hand it was opened from (`3`, `3c`,
//! `3b`).

use crate::table::place::MAX_HANDS;

/// The hands of a box in the order of play, four bits a hand, the first lowest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct HandOrder(u32);

const _: () = assert!(MAX_HANDS * 4 <= 32, "four bits for every hand");

impl Default for HandOrder {
    fn default() -> Self {
        Self::UNSPLIT
    }
}

impl HandOrder {
    /// Every hand at the place of its own number.
    pub const UNSPLIT: Self = Self(0x7654_3210);

    /// The hand at a place, from 0.
    #[must_use]
    pub const fn hand_at(self, place: usize) -> u8 {
        (self.0 >> (4 * (place % MAX_HANDS)) & 0xf) as u8
    }

    /// The place of a hand, from 0.
    #[must_use]
    #[inline]
    pub const fn place_of(self, hand: usize) -> usize {
        if self.0 == Self::UNSPLIT.0 {
            return hand % MAX_HANDS;
        }
        let mut place = 0;
        while place + 1 < MAX_HANDS && self.hand_at(place) as usize != hand {
            place += 1;
        }
        place
    }

    /// A hand that comes later is opened from another and plays right after it.
    pub(super) const fn open(&mut self, from: usize, hand: usize) {
        let (to, mut place) = (self.place_of(from) + 1, self.place_of(hand));
        while place > to {
            self.set(place, self.hand_at(place - 1));
            place -= 1;
        }
        self.set(place, hand as u8);
    }

    const fn set(&mut self, place: usize, hand: u8) {
        let shift = 4 * place;
        self.0 = self.0 & !(0xf << shift) | (hand as u32) << shift;
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    fn in_order(order: HandOrder, hands: usize) -> Vec<u8> {
        (0..hands).map(|place| order.hand_at(place)).collect()
    }

    #[test]
    fn a_hand_opened_plays_right_after_the_one_it_was_opened_from() {
        let mut order = HandOrder::default();
        order.open(0, 1);
        assert_eq!(in_order(order, 2), [0, 1]);
        order.open(0, 2);
        assert_eq!(in_order(order, 3), [0, 2, 1]);
        order.open(2, 3);
        assert_eq!(in_order(order, 4), [0, 2, 3, 1]);
        order.open(1, 4);
        assert_eq!(in_order(order, MAX_HANDS), [0, 2, 3, 1, 4, 5, 6, 7]);
        for place in 0..MAX_HANDS {
            assert_eq!(order.place_of(usize::from(order.hand_at(place))), place);
        }
    }
}

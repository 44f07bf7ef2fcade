//! The bank's cards and what they add up to (D12, D13).

use super::cards::{Cards, Held, Tally};
use crate::table::settings::LaterAce;
use crate::table::{Card, Rank, Settings};

/// The bank.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Bank {
    /// Cards lying there, undue ones included.
    pub cards: Cards,
    /// Delivery cards it has been served, 0 to 2.
    pub served: u8,
    /// When its later ace counts 11.
    later_ace: LaterAce,
    /// Its second card has been turned up.
    pub uncovered: bool,
    /// Cards it lost to the discard tray and is to be served again (C14).
    pub owed: usize,
}

impl Bank {
    /// A bank without cards.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        Self { later_ace: settings.bank_later_ace, ..Self::default() }
    }

    /// Forgets everything but keeps its memory.
    pub fn clear(&mut self) {
        self.cards.clear();
        self.served = 0;
        self.owed = 0;
        self.uncovered = false;
    }

    /// A card that counts lies covered.
    #[must_use]
    pub const fn is_covered(&self) -> bool {
        self.cards.tally().covered
    }

    /// What it adds up to, covered cards included; `None` while a card is unread.
    #[must_use]
    #[inline]
    pub const fn total(&self) -> Option<u8> {
        self.known(self.cards.tally())
    }

    /// What it adds up to with one more card.
    #[must_use]
    pub fn total_with(&self, card: Card) -> Option<u8> {
        let mut tally = *self.cards.tally();
        tally.add(Held { card, down: false, undue: false });
        self.known(&tally)
    }

    const fn known(&self, tally: &Tally) -> Option<u8> {
        if tally.unread { None } else { Some(tally.bank[self.later_ace as usize]) }
    }

    /// An ace with a ten-value card in two cards.
    #[must_use]
    pub const fn is_blackjack(&self) -> bool {
        self.cards.tally().is_blackjack()
    }
}

/// D13. In the first two cards an ace counts 11 beside a six or more, else 1; a later one counts 11 only where the sum
/// then lies in 17 to 21. Once counted it keeps its value: the text knows no soft totals.
pub(super) fn sum_with(tally: &Tally, later: LaterAce, next: Option<Rank>) -> u8 {
    let sum = tally.bank[later as usize].saturating_add(next.map_or(0, Rank::points));
    let ace = next == Some(Rank::ACE);
    let eleven = match tally.count {
        0 => false,
        1 => (tally.early_aces > 0) != ace && sum >= 7,
        _ => ace && sum >= 7 && (later == LaterAce::From17 || sum <= 11),
    };
    if eleven { sum.saturating_add(10) } else { sum }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::procedure::hand::hand;

    fn points(cards: &str) -> u8 {
        Bank { cards: hand(cards).cards, served: 2, ..Bank::default() }.total().unwrap()
    }

    #[test]
    fn the_banks_ace_counts_as_d13_lists_it() {
        for (cards, sum) in [
            ("AS AH", 2),
            ("AS 2H", 3),
            ("5S AH", 6),
            ("AS 6H", 17),
            ("9S AH", 20),
            ("AS KH", 21),
            ("4S 2H AD", 17),
            ("3S 2H AD", 6),
            ("AS 5H 4D", 10),
            ("TS 2H AD", 13),
            ("TS 6H AD", 17),
            ("5S 5H AD", 21),
        ] {
            assert_eq!(points(cards), sum, "{cards}");
        }
    }
}

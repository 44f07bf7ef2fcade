//! The bank's cards and what they add up to (D12, D13).

use super::cards::{Cards, Held, Tally};
use crate::table::settings::{Bank as Rules, BankAce};
use crate::table::{Card, Rank};

/// The bank.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Bank {
    /// Cards lying there, undue ones included.
    pub cards: Cards,
    /// Delivery cards it has been served, 0 to 2.
    pub served: u8,
    /// How it plays.
    rules: Rules,
    /// The room let its first card lie that came before boxes had theirs: they still get them.
    pub(super) before_boxes: bool,
    /// Its first card came when bettors had begun to play: insurance against it was never open.
    pub began_late: bool,
    /// Its second card has been turned up.
    pub uncovered: bool,
    /// Cards it lost to the discard tray and is to be served again (C14).
    pub owed: usize,
    /// One of them is its second, which lies covered: that comes last.
    pub(super) owes_covered: bool,
    /// Its first two cards were a Black Jack.
    pub had_blackjack: bool,
    /// The room lets it draw no more.
    pub done: bool,
    /// The room let it have all its deliveries while boxes still waited for theirs.
    pub(super) done_before_boxes: bool,
    /// What its cards came to as the felt began to be cleared.
    kept: Option<Tally>,
}

impl Bank {
    /// A bank without cards.
    #[must_use]
    pub fn new(rules: Rules) -> Self {
        Self {
            cards: Cards::default(),
            served: 0,
            rules,
            before_boxes: false,
            began_late: false,
            uncovered: false,
            owed: 0,
            owes_covered: false,
            had_blackjack: false,
            done: false,
            done_before_boxes: false,
            kept: None,
        }
    }

    /// A card that counts comes to lie here; what was kept before is with it.
    pub(super) fn take_card(&mut self, held: Held) {
        self.cards.push(held);
        if let Some(kept) = &mut self.kept {
            kept.add(held);
        }
    }

    /// So many cards that count are among those taken from it: it is to be served again.
    pub(super) fn lose(&mut self, lost: usize, is_taken: impl Fn(usize) -> bool) {
        let is_covered = |(n, held): (usize, &Held)| is_taken(n) && held.down && !held.misdealt;
        self.owes_covered |= self.cards.iter().enumerate().any(is_covered);
        self.owed += lost;
    }

    /// A card comes in place of one that it lost.
    pub(super) const fn serve_again(&mut self) {
        self.owed -= 1;
        self.owes_covered &= self.owed > 0;
    }

    /// The next card in place of one that it lost comes covered.
    pub(super) const fn is_next_covered(&self) -> bool {
        self.owes_covered && self.owed == 1
    }

    /// Keeps what its cards come to, before they are cleared.
    pub(super) const fn keep(&mut self) {
        self.kept = Some(*self.valued());
    }

    /// What its cards come to, or came to before they were cleared.
    pub(super) const fn valued(&self) -> &Tally {
        match &self.kept {
            Some(kept) if self.cards.tally().count < kept.count => kept,
            _ => self.cards.tally(),
        }
    }

    /// A card that counts lies covered, or was cleared covered: nobody has seen what it is.
    #[must_use]
    pub const fn is_hidden(&self) -> bool {
        self.valued().covered
    }

    /// The cards that count are taken for those of its deliveries.
    pub(super) fn count_served(&mut self) {
        let count = self.cards.tally().count.min(2) as u8;
        self.served = self.served.max(count);
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
        self.known(self.valued())
    }

    /// What it adds up to with one more card.
    #[must_use]
    pub fn total_with(&self, card: Card) -> Option<u8> {
        self.known(&self.tally_with(card))
    }

    /// Whether it has to draw on, for all to see: below its standing total, or soft at 17 where the house says so;
    /// `None` while a card is unread, or lies covered or was cleared so.
    #[must_use]
    #[inline]
    pub fn must_draw(&self) -> Option<bool> {
        self.had_to_draw().filter(|_| !self.is_hidden())
    }

    /// The same with every card turned up, as it is once the pass ends.
    #[must_use]
    #[inline]
    pub(super) fn had_to_draw(&self) -> Option<bool> {
        self.is_short(self.valued())
    }

    /// The same with one more card.
    #[must_use]
    pub fn must_draw_with(&self, card: Card) -> Option<bool> {
        self.is_short(&self.tally_with(card))
    }

    /// Its first card is an ace, for all to see.
    #[must_use]
    pub fn shows_ace(&self) -> bool {
        self.cards.tally().begins_with_ace()
    }

    /// The same, or its first card could not be read.
    #[must_use]
    pub fn may_show_ace(&self) -> bool {
        let tally = self.cards.tally();
        self.shows_ace() || (tally.is_unread() && tally.first[0].is_none())
    }

    /// For all that can be seen it has a Black Jack, or may still come to one.
    #[must_use]
    pub fn may_have_blackjack(&self) -> bool {
        let tally = self.cards.tally();
        tally.covered
            || match tally.count {
                0 | 1 => tally.first[0].is_none_or(|rank| rank == Rank::ACE || rank.is_ten()),
                2 => tally.is_unread() || tally.is_blackjack(),
                _ => self.had_blackjack,
            }
    }

    fn tally_with(&self, card: Card) -> Tally {
        let mut tally = *self.cards.tally();
        tally.add(Held { card, down: false, misdealt: false, doubted: false });
        tally
    }

    fn is_short(&self, tally: &Tally) -> Option<bool> {
        let total = self.known(tally)?;
        let is_soft_17 = total == 17 && total > tally.hard;
        Some(!self.done && (total < self.rules.stands || (self.rules.hits_soft_17 && is_soft_17)))
    }

    const fn known(&self, tally: &Tally) -> Option<u8> {
        match self.rules.ace {
            _ if tally.is_unread() => None,
            BankAce::Kept => Some(tally.bank[self.rules.later_ace as usize]),
            BankAce::Best if tally.early_aces + tally.late_aces > 0 && tally.hard <= 11 => Some(tally.hard + 10),
            BankAce::Best => Some(tally.hard),
        }
    }

    /// An ace with a ten-value card in two cards.
    #[must_use]
    pub const fn is_blackjack(&self) -> bool {
        self.valued().is_blackjack()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::procedure::hand::hand;
    use crate::regulation::sala8::SALA_8;
    use crate::table::Settings;
    use crate::table::settings::Changes;

    fn bank(cards: &str, settings: &Settings) -> Bank {
        Bank { cards: hand(cards).cards, served: 2, ..Bank::new(settings.bank) }
    }

    fn points(cards: &str) -> u8 {
        bank(cards, &SALA_8.settings).total().unwrap()
    }

    #[test]
    fn the_banks_ace_counts_the_better_way_where_the_house_says_so_and_a_soft_17_may_have_to_draw() {
        let best = SALA_8.settings.clone().changed(&Changes { bank_ace: Some(BankAce::Best), ..Changes::default() });
        for (cards, sum) in [("AS 5H", 16), ("AS 6H", 17), ("AS AH", 12), ("AS 5H TD", 16), ("5S 4H 2D AC", 12)] {
            assert_eq!(bank(cards, &best).total(), Some(sum), "{cards}");
        }
        let hits = best.clone().changed(&Changes { bank_hits_soft_17: Some(true), ..Changes::default() });
        for (cards, draws) in [("AS 6H", true), ("TS 7H", false), ("AS 6H TD", false), ("AS 7H", false)] {
            assert_eq!(bank(cards, &hits).must_draw(), Some(draws), "{cards}");
            assert_eq!(bank(cards, &best).must_draw(), Some(false), "{cards}");
        }
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

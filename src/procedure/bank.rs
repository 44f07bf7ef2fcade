//! The bank's cards and what they add up to (D12, D13).

use super::cards::Cards;
use super::hand::is_blackjack;
use crate::table::settings::LaterAce;
use crate::table::{Rank, Settings};

/// The bank.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Bank {
    /// Cards lying there, undue ones included.
    pub cards: Cards,
    /// Delivery cards it has been served, 0 to 2.
    pub served: u8,
    /// When its later ace counts 11.
    later_ace: LaterAce,
    /// Cards it lost to the discard tray and is to be served again (C14).
    pub owed: usize,
}

impl Bank {
    /// A bank without cards.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        Self { cards: Cards::default(), served: 0, owed: 0, later_ace: settings.bank_later_ace }
    }

    /// Forgets everything but keeps its memory.
    pub fn clear(&mut self) {
        self.cards.clear();
        self.served = 0;
        self.owed = 0;
    }

    /// Ranks of the cards that count; an unread one is `None`.
    fn ranks(&self) -> impl Iterator<Item = Option<Rank>> {
        self.cards.due().map(|held| held.card.rank())
    }

    /// A card that counts lies covered.
    #[must_use]
    pub const fn is_covered(&self) -> bool {
        self.cards.tally().covered
    }

    /// What it adds up to with one more card, or as it is; `None` while a card is unread.
    #[must_use]
    pub fn total_with(&self, next: Option<Option<Rank>>) -> Option<u8> {
        total(self.ranks().chain(next), self.later_ace)
    }

    /// What it adds up to, covered cards included; `None` while a card is unread.
    #[must_use]
    pub fn total(&self) -> Option<u8> {
        self.total_with(None)
    }

    /// An ace with a ten-value card in two cards.
    #[must_use]
    pub fn is_blackjack(&self) -> bool {
        let tally = self.cards.tally();
        tally.count == 2 && is_blackjack(tally.first[0], tally.first[1])
    }
}

/// D13. In the first two cards an ace counts 11 beside a six or more, else 1; a later one counts 11 only where the sum
/// then lies in 17 to 21. Once counted it keeps its value: the text knows no soft totals.
fn total(ranks: impl Iterator<Item = Option<Rank>>, later: LaterAce) -> Option<u8> {
    let mut sum = 0u8;
    let mut first_is_ace = false;
    for (n, rank) in ranks.enumerate() {
        let rank = rank?;
        let ace = rank == Rank::ACE;
        sum = sum.saturating_add(rank.points());
        let eleven = match n {
            0 => {
                first_is_ace = ace;
                false
            }
            1 if first_is_ace || ace => !(first_is_ace && ace) && sum >= 7,
            _ => ace && sum >= 7 && (later == LaterAce::From17 || sum <= 11),
        };
        if eleven {
            sum += 10;
        }
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::procedure::hand::hand;

    fn points(cards: &str) -> u8 {
        Bank { cards: hand(cards).cards, served: 2, owed: 0, later_ace: LaterAce::Within21 }.total().unwrap()
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

//! Totals and settlement where nothing lies covered: the bank counts its ace as it serves it best, and takes its second
//! card when everybody has played.

use core::ops::RangeInclusive;

use super::{Owed, bettor_total, is_ace, is_black_jack, points, strength};
use sabot_law::table::{Card, Cents, Outcome};

/// What an ace with a ten-value card is, on a hand that came of a split.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SplitBlackJack {
    /// Twenty-one and no more.
    TwentyOne,
    /// A Black Jack, paid single.
    Single,
}

/// What a house pays for a Black Jack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pays {
    /// So much …
    pub pays: Cents,
    /// … for so much staked.
    pub per: Cents,
    /// And on a split.
    pub split: SplitBlackJack,
}

/// A hand when its pass is over.
#[derive(Debug, Clone, Copy)]
pub struct Played<'a> {
    /// Its cards.
    pub cards: &'a [Card],
    /// What was at stake, the double with it.
    pub stake: Cents,
    /// It came of a split.
    pub split: bool,
}

/// A total: an ace counts 11 unless the hand goes over 21 by it, seen anew with each card.
#[must_use]
pub fn total(cards: &[Card]) -> u8 {
    bettor_total(cards, None)
}

/// Whether a hand makes one of these totals, its aces counted 1 or 11.
#[must_use]
pub fn may_count(cards: &[Card], totals: RangeInclusive<u8>) -> bool {
    let low: u8 = cards.iter().map(|&card| points(card)).sum();
    let aces = cards.iter().any(|&card| is_ace(card));
    totals.contains(&low) || (aces && totals.contains(&(low + 10)))
}

/// Whether it is a jack, a queen or a king.
#[must_use]
pub fn is_figure(card: Card) -> bool {
    card.rank().is_some_and(|rank| rank.index() > 9)
}

/// Whether the cards are all figures (jack, queen, king), or none of them is.
#[must_use]
pub fn both_or_neither_figure(cards: &[Card]) -> bool {
    let figures = cards.iter().filter(|&&card| is_figure(card)).count();
    figures == cards.len() || figures == 0
}

/// What a main bet that was played out is owed.
#[must_use]
pub fn main_owed(hand: Played<'_>, bank: &[Card], pays: Pays) -> Owed {
    let Played { cards, stake, split } = hand;
    if total(cards) > 21 {
        return Owed::lost(stake);
    }
    let black_jack = is_black_jack(cards) && (!split || pays.split == SplitBlackJack::Single);
    let mine = strength(total(cards), black_jack);
    let banks = strength(total(bank), is_black_jack(bank));
    if mine < banks {
        Owed::lost(stake)
    } else if mine == banks {
        Owed { outcome: Outcome::Push, stake, pay: 0, lost: 0 }
    } else if black_jack {
        let pay = if split { stake } else { stake * pays.pays / pays.per };
        Owed { outcome: Outcome::Blackjack, stake, pay, lost: 0 }
    } else {
        Owed { outcome: Outcome::Win, stake, pay: stake, lost: 0 }
    }
}

/// What an insurance against the bank's Black Jack is owed.
#[must_use]
pub fn insurance_owed(bank: &[Card], stake: Cents) -> Owed {
    if is_black_jack(bank) { Owed { outcome: Outcome::Win, stake, pay: 2 * stake, lost: 0 } } else { Owed::lost(stake) }
}

/// Half a stake, an odd half rounded up to a whole chip.
#[must_use]
pub const fn half_up(stake: Cents, chip: Cents) -> Cents {
    stake.div_ceil(2 * chip) * chip
}

/// What a surrendered bet is owed.
#[must_use]
pub const fn surrendered(stake: Cents, chip: Cents) -> Owed {
    Owed { outcome: Outcome::Surrender, stake, pay: 0, lost: half_up(stake, chip) }
}

/// What a Black Jack paid single at once is owed.
#[must_use]
pub const fn even_money(stake: Cents) -> Owed {
    Owed { outcome: Outcome::Blackjack, stake, pay: stake, lost: 0 }
}

/// How a card ranks where the bank is drawn for: ace, king and so on down to the two; of equal ones hearts before
/// diamonds, clubs and spades.
#[must_use]
pub fn precedence(card: Card) -> (u8, u8) {
    let rank = card.rank().map_or(0, |rank| if is_ace(card) { 14 } else { rank.index() + 1 });
    // in the order spades, hearts, diamonds, clubs
    let suit = card.suit().map_or(0, |suit| [1, 4, 3, 2][usize::from(suit.index())]);
    (rank, suit)
}

/// What a participant gets of a bank that is divided: the equal part, and one unit of what is left over where that many
/// do not come before him.
#[must_use]
pub const fn part_of_bank(funds: Cents, participants: usize, before: usize) -> Cents {
    let (participants, before) = (participants as Cents, before as Cents);
    let left_over = funds - funds / participants * participants;
    if before < left_over { funds / participants + 1 } else { funds / participants }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cards(text: &str) -> Vec<Card> {
        text.split_whitespace().map(|card| card.parse().unwrap()).collect()
    }

    #[test]
    fn an_ace_serves_its_hand_and_is_seen_anew() {
        for (text, sum) in [
            ("AS 6H", 17),
            ("AS 6H TD", 17),
            ("AS AH", 12),
            ("AS AH 9D", 21),
            ("AS AH TD", 12),
            ("5S 5D AH", 21),
            ("AS 5H 4D", 20),
            ("AS KH", 21),
            ("TS 6H AD", 17),
            ("TS 6H 9D", 25),
        ] {
            assert_eq!(total(&cards(text)), sum, "{text}");
        }
    }

    #[test]
    fn black_jacks_are_paid_and_tied_as_each_house_has_it() {
        let three_to_two = Pays { pays: 3, per: 2, split: SplitBlackJack::TwentyOne };
        let double = Pays { pays: 2, per: 1, split: SplitBlackJack::Single };
        for (hand, split, bank, pays, outcome, pay) in [
            ("AS KH", false, "TS 9H", three_to_two, Outcome::Blackjack, 150),
            ("AS KH", false, "TS 9H", double, Outcome::Blackjack, 200),
            ("AS KH", true, "TS 9H", three_to_two, Outcome::Win, 100),
            ("AS KH", true, "TS 9H", double, Outcome::Blackjack, 100),
            ("AS KH", false, "TS AH", three_to_two, Outcome::Push, 0),
            ("AS KH", true, "TS AH", three_to_two, Outcome::Lose, 0),
            ("AS KH", true, "TS AH", double, Outcome::Push, 0),
            ("AS KH", true, "7S 7H 7D", three_to_two, Outcome::Push, 0),
            ("AS KH", false, "7S 7H 7D", double, Outcome::Blackjack, 200),
            ("7S 7H 7D", false, "TS AH", double, Outcome::Lose, 0),
            ("TS 2H", false, "TS 6H 9H", double, Outcome::Win, 100),
            ("TS 9H 3D", false, "TS 6H 9H", double, Outcome::Lose, 0),
            ("TS 7H", false, "AS 6H", double, Outcome::Push, 0),
        ] {
            let owed = main_owed(Played { cards: &cards(hand), stake: 100, split }, &cards(bank), pays);
            assert_eq!((owed.outcome, owed.pay), (outcome, pay), "{hand} against {bank}");
        }
    }

    #[test]
    fn the_bank_goes_by_rank_and_then_by_suit() {
        let order = cards("AH AD AC AS KH KS QH JH TH TD 9H 2H 2D 2C 2S");
        assert!(order.is_sorted_by(|one, other| precedence(*one) > precedence(*other)));
    }

    #[test]
    fn a_bank_is_divided_to_the_last_unit() {
        let parts = |funds, participants| (0..participants).map(|n| part_of_bank(funds, participants, n)).collect();
        let all: Vec<Vec<Cents>> = vec![parts(100, 3), parts(101, 3), parts(9, 3), parts(2, 3), parts(0, 2)];
        assert_eq!(all, [vec![34, 33, 33], vec![34, 34, 33], vec![3, 3, 3], vec![1, 1, 0], vec![0, 0]]);
    }

    #[test]
    fn insurance_is_against_the_banks_black_jack_and_halves_go_up_to_a_chip() {
        assert_eq!((insurance_owed(&cards("AS KH"), 50).pay, insurance_owed(&cards("AS 9H"), 50).lost), (100, 50));
        assert_eq!(insurance_owed(&cards("AS 5H 5D"), 50).lost, 50);
        assert_eq!((half_up(400, 100), half_up(500, 100), half_up(100, 100)), (200, 300, 100));
        assert_eq!(surrendered(500, 100).lost, 300);
        assert_eq!((even_money(500).pay, even_money(500).outcome), (500, Outcome::Blackjack));
    }
}

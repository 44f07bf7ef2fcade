//! Totals of the bank and settlement under `sala-8`.

use super::{Owed, bettor_total, is_ace, is_black_jack, points, strength};
use sabot_law::table::settings::Rate;
use sabot_law::table::{Card, Cents, Outcome};

/// The bank's total, card by card (D13).
///
/// Among the first two cards an ace counts 1 beside A to 5 and 11 beside 6 to K. A later ace counts 11 where that makes
/// 17 to 21, else 1. What an ace has counted once it counts for good.
#[must_use]
pub fn bank_total(cards: &[Card]) -> u8 {
    let mut total: u8 = cards.iter().take(2).map(|&card| points(card)).sum();
    if cards.iter().take(2).any(|&card| is_ace(card)) && total >= 7 {
        total += 10;
    }
    for &card in cards.iter().skip(2) {
        let high = total + 11;
        total = if is_ace(card) && (17..=21).contains(&high) { high } else { total + points(card) };
    }
    total
}

/// What a main bet is owed: `stake` with a doubled stake in it, `split_ace` for a hand on an opened ace (O3).
#[must_use]
pub fn main_owed(cards: &[Card], declared: Option<u8>, split_ace: bool, stake: Cents, bank: &[Card]) -> Owed {
    let blackjack = if split_ace { Rate { pays: 1, per: 1 } } else { Rate { pays: 3, per: 2 } };
    owed_against((bank_total(bank), is_black_jack(bank)), cards, declared, stake, blackjack)
}

/// The same against a bank of that total, and whether it is a Black Jack, where a bettor's pays so much.
#[must_use]
pub fn owed_against(
    (bank, bank_black_jack): (u8, bool),
    cards: &[Card],
    declared: Option<u8>,
    stake: Cents,
    blackjack: Rate,
) -> Owed {
    let total = bettor_total(cards, declared);
    if total > 21 {
        return Owed::lost(stake);
    }
    let black_jack = is_black_jack(cards);
    let hand = strength(total, black_jack);
    let bank = strength(bank, bank_black_jack);
    if hand < bank {
        Owed::lost(stake)
    } else if hand == bank {
        Owed { outcome: Outcome::Push, stake, pay: 0, lost: 0 }
    } else if black_jack {
        Owed { outcome: Outcome::Blackjack, stake, pay: stake * blackjack.pays / blackjack.per, lost: 0 }
    } else {
        Owed { outcome: Outcome::Win, stake, pay: stake, lost: 0 }
    }
}

/// What an insurance is owed, by the card that came second to its ace (O4).
#[must_use]
pub fn insurance_owed(second: Card, stake: Cents) -> Owed {
    if points(second) == 10 {
        Owed { outcome: Outcome::Win, stake, pay: 2 * stake, lost: 0 }
    } else {
        Owed::lost(stake)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cards(text: &str) -> Vec<Card> {
        text.split_whitespace().map(|card| card.parse().unwrap()).collect()
    }

    #[test]
    fn the_banks_examples_of_the_regulation_come_out_as_printed() {
        for (text, total) in [
            ("AS AH", 2),
            ("AS 2H", 3),
            ("3S AH", 4),
            ("AS 4H", 5),
            ("5S AH", 6),
            ("AS 6H", 17),
            ("AS 7H", 18),
            ("8S AH", 19),
            ("AS 9H", 20),
            ("AS QH", 21),
            ("4S 2S AH", 17),
            ("3S 2S AH", 6),
            ("AS 5S 4H", 10),
            ("TS 6S AH", 17),
            ("9S 2S AH", 12),
            ("5S 5D AH", 21),
            ("5S AD AH", 17),
            ("TS 6S 9H", 25),
        ] {
            assert_eq!(bank_total(&cards(text)), total, "{text}");
        }
    }

    #[test]
    fn a_declared_ace_keeps_its_value_and_a_later_one_serves_the_hand() {
        for (text, declared, total) in [
            ("AS 6H", Some(11), 17),
            ("AS 6H", Some(1), 7),
            ("AS 6H TD", Some(11), 27),
            ("AS 6H TD", Some(1), 17),
            ("4S 3H AD", None, 18),
            ("4S 3H AD TD", None, 18),
            ("TS 5H AD", None, 16),
            ("AS 5H AD", Some(1), 17),
            ("AS AH", Some(1), 2),
            ("AS AH", Some(11), 12),
            ("AS TH", None, 21),
        ] {
            assert_eq!(bettor_total(&cards(text), declared), total, "{text} {declared:?}");
        }
    }

    #[test]
    fn the_table_of_comparison_and_the_payments_are_those_of_the_regulation() {
        for (hand, split_ace, bank, outcome, pay) in [
            ("AS KH", false, "TS AH", Outcome::Push, 0),
            ("AS KH", false, "TS 5H 6H", Outcome::Blackjack, 150),
            ("AS KH", true, "TS 5H 6H", Outcome::Blackjack, 100),
            ("TS 5H 6H", false, "TS AH", Outcome::Lose, 0),
            ("TS 5H 6H", false, "7S 7H 7D", Outcome::Push, 0),
            ("TS 9H", false, "TS 8H", Outcome::Win, 100),
            ("TS 2H", false, "TS 6H 9H", Outcome::Win, 100),
            ("TS 9H 3D", false, "TS 6H 9H", Outcome::Lose, 0),
        ] {
            let owed = main_owed(&cards(hand), None, split_ace, 100, &cards(bank));
            assert_eq!((owed.outcome, owed.pay), (outcome, pay), "{hand} against {bank}");
        }
        let second = |text: &str| insurance_owed(cards(text)[0], 50);
        assert_eq!((second("KH").pay, second("9H").lost), (100, 50));
    }
}

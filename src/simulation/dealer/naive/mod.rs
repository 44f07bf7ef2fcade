//! A second reading of totals and settlement, as plain as it can be written: what all houses have in common here, and
//! one file for each way to count and to pay.
//!
//! The simulated dealers reckon with it, and tests hold the validator's answers against it. It shares no code with
//! the validator: a mistake has to be made twice to go unseen. It is written to be read beside the regulation, not
//! to be fast or general: cards in a slice, one function a question, no state.

pub mod open;
pub mod sala8;

use sabot_law::table::{Card, Cents, Outcome};

/// What a card counts with the ace at 1; a card that could not be read counts nothing.
#[must_use]
pub fn points(card: Card) -> u8 {
    card.rank().map_or(0, |rank| rank.points())
}

/// Whether the card is an ace.
#[must_use]
pub fn is_ace(card: Card) -> bool {
    points(card) == 1
}

/// Whether the hand is an ace with a ten-value card, and nothing else.
#[must_use]
pub fn is_black_jack(cards: &[Card]) -> bool {
    match *cards {
        [one, other] => (is_ace(one) && points(other) == 10) || (is_ace(other) && points(one) == 10),
        _ => false,
    }
}

/// Whether two cards open a pair: equal in value, figures and tens alike.
#[must_use]
pub fn is_pair(cards: &[Card]) -> bool {
    matches!(*cards, [one, other] if points(one) == points(other))
}

/// Whether two cards make eleven (O1). An ace with a ten is a Black Jack, not eleven.
#[must_use]
pub fn is_eleven(cards: &[Card]) -> bool {
    matches!(*cards, [one, other] if points(one) + points(other) == 11) && !is_black_jack(cards)
}

/// A bettor's total.
///
/// `declared` is what the bettor made of the ace among the first two cards, 1 or 11, where the house has that
/// (`sala-8`, D10); it never changes. Of two aces in the first two cards one counts as declared and the other 1. A
/// later ace counts 11 where the hand does not go over 21 by it, seen anew with each card. An ace that is not declared
/// is taken as such a later one.
#[must_use]
pub fn bettor_total(cards: &[Card], declared: Option<u8>) -> u8 {
    if is_black_jack(cards) {
        return 21;
    }
    let mut total: u8 = cards.iter().map(|&card| points(card)).sum();
    let first_aces = cards.iter().take(2).filter(|&&card| is_ace(card)).count();
    let later_aces = cards.iter().skip(2).filter(|&&card| is_ace(card)).count();
    let free_aces = match declared {
        Some(value) => {
            if first_aces > 0 && value == 11 {
                total += 10;
            }
            later_aces
        }
        None => first_aces + later_aces,
    };
    if free_aces > 0 && total + 10 <= 21 {
        total += 10;
    }
    total
}

/// A bet when its pass is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Owed {
    /// How it ended.
    pub outcome: Outcome,
    /// What was at stake.
    pub stake: Cents,
    /// What the bank gives on top of the stake.
    pub pay: Cents,
    /// What the bank keeps of it.
    pub lost: Cents,
}

impl Owed {
    /// A bet that came to nothing: returned whole.
    #[must_use]
    pub fn void(stake: Cents) -> Self {
        Self { outcome: Outcome::Void, stake, pay: 0, lost: 0 }
    }

    /// A bet that is lost.
    #[must_use]
    pub fn lost(stake: Cents) -> Self {
        Self { outcome: Outcome::Lose, stake, pay: 0, lost: stake }
    }
}

/// How a hand's cards stand against the bank's, as every house ranks them: over 21, then 0 to 21, then Black Jack.
fn strength(total: u8, black_jack: bool) -> u8 {
    match total {
        _ if black_jack => 22,
        22.. => 0,
        total => total,
    }
}

//! What cards count, and what bets are owed: the workload's own reckoning, the ranks included. The tests of settlement
//! hold the validator against it.

use sabot_law::table::settings::{BankAce, DoubleOn, LaterAce, Pairs};
use sabot_law::table::{Card, Cents, Rate};

use super::houses::Book;

/// Where a card's rank stands in the order ace, two, … king: 1 to 13; 0 where it could not be read.
fn rank(card: Card) -> u8 {
    card.rank().map_or(0, |rank| rank.index() + 1)
}

/// What a card counts with the ace at 1.
#[must_use]
pub fn points(card: Card) -> u8 {
    rank(card).min(10)
}

/// Whether it is an ace.
#[must_use]
pub fn is_ace(card: Card) -> bool {
    rank(card) == 1
}

/// The sum with every ace at 1.
#[must_use]
pub fn hard(cards: &[Card]) -> u8 {
    cards.iter().map(|&card| points(card)).sum()
}

/// An ace with a ten-value card, and nothing else.
#[must_use]
pub fn is_black_jack(cards: &[Card]) -> bool {
    cards.len() == 2 && cards.iter().any(|&card| is_ace(card)) && hard(cards) == 11
}

/// One ace of these counts 11 where that does not take the hand over 21.
#[must_use]
pub fn best(cards: &[Card]) -> u8 {
    let sum = hard(cards);
    if cards.iter().any(|&card| is_ace(card)) && sum <= 11 { sum + 10 } else { sum }
}

/// A bettor's total: a declared ace among the first two cards counts what was said, and a later one what serves best.
#[must_use]
pub fn total(cards: &[Card], declared: Option<u8>) -> u8 {
    let Some(declared) = declared.filter(|_| !is_black_jack(cards)) else { return best(cards) };
    let sum = hard(cards) + declared - 1;
    let later = cards.iter().skip(2).any(|&card| is_ace(card));
    if later && sum <= 11 { sum + 10 } else { sum }
}

/// How cards are drawn for the bank: ace, king and so on down; of equal ones hearts, diamonds, clubs, spades.
pub(super) fn precedence(card: Card) -> (u8, u8) {
    // in the order spades, hearts, diamonds, clubs
    let suit = card.suit().map_or(0, |suit| [0, 3, 2, 1][usize::from(suit.index())]);
    (if is_ace(card) { 14 } else { rank(card) }, suit)
}

/// How a bet is settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Owed {
    /// What the bank gives on top of the stake.
    pub pay: Cents,
    /// What it keeps of it.
    pub lost: Cents,
}

impl Owed {
    pub(super) const fn paid(pay: Cents) -> Self {
        Self { pay, lost: 0 }
    }

    pub(super) const fn lost(lost: Cents) -> Self {
        Self { pay: 0, lost }
    }
}

impl Book {
    /// The bank's total.
    #[must_use]
    pub fn bank_total(&self, cards: &[Card]) -> u8 {
        if self.bank_ace == BankAce::Best {
            return best(cards);
        }
        // of the first two, the ace counts 1 beside ace to 5, and 11 beside 6 to king
        let first = &cards[..cards.len().min(2)];
        let high = first.iter().any(|&card| is_ace(card)) && hard(first) >= 7;
        let mut sum = hard(first) + if high { 10 } else { 0 };
        for &card in cards.iter().skip(2) {
            let high = match self.bank_later_ace {
                LaterAce::Within21 => (17..=21).contains(&(sum + 11)),
                LaterAce::From17 => sum + 11 >= 17,
            };
            sum += if is_ace(card) && high { 11 } else { points(card) };
        }
        sum
    }

    /// The bank stands, or is over.
    #[must_use]
    pub fn bank_is_done(&self, cards: &[Card]) -> bool {
        let total = self.bank_total(cards);
        let soft_17 = total == 17 && hard(cards) == 7;
        total >= self.bank_stands && !(self.bank_hits_soft_17 && soft_17)
    }

    /// Two cards that may be split.
    #[must_use]
    pub fn is_pair(&self, cards: &[Card]) -> bool {
        let [one, other] = *cards else { return false };
        let figure = |card| rank(card) > 10;
        points(one) == points(other) && (self.pairs == Pairs::Value || figure(one) == figure(other))
    }

    /// Two cards that may be doubled.
    #[must_use]
    pub fn may_double(&self, cards: &[Card]) -> bool {
        let plain = cards.len() == 2 && !is_black_jack(cards);
        let low = hard(cards);
        let ace = cards.iter().any(|&card| is_ace(card));
        plain
            && match self.double_on {
                DoubleOn::Never => false,
                DoubleOn::Eleven => low == 11,
                DoubleOn::NineToEleven => (9..=11).contains(&low) || (ace && (9..=11).contains(&(low + 10))),
                DoubleOn::Any => true,
            }
    }

    /// A part of a stake, rounded up to a whole chip, never beyond the stake.
    pub(super) fn part(&self, stake: Cents, part: Rate) -> Cents {
        let chip = self.chip.max(1);
        ((stake * part.pays).div_ceil(part.per).div_ceil(chip) * chip).min(stake)
    }

    /// Half a stake, rounded likewise.
    #[must_use]
    pub fn half(&self, stake: Cents) -> Cents {
        self.part(stake, Rate { pays: 1, per: 2 })
    }

    /// What a Black Jack is paid on a hand that came of a split (of aces, or not) or did not; `None` where an ace with
    /// a ten is no Black Jack there.
    #[must_use]
    pub const fn rate(&self, split: bool, aces: bool) -> Option<Rate> {
        match (split, aces) {
            (false, _) => Some(self.blackjack),
            (true, _) if !self.split_blackjack => None,
            (true, true) => Some(self.split_ace_blackjack),
            (true, false) => Some(self.split_ten_blackjack),
        }
    }

    /// What a hand that was played out is owed; a Black Jack with its rate, where it is one.
    #[must_use]
    pub fn against(&self, bank: &[Card], total: u8, blackjack: Option<Rate>, stake: Cents) -> Owed {
        let strength = |total: u8, blackjack: bool| match total {
            22.. => 0,
            21 if blackjack && self.blackjack_beats_21 => 22,
            total => total,
        };
        let mine = strength(total, blackjack.is_some());
        let banks = strength(self.bank_total(bank), is_black_jack(bank));
        match mine.cmp(&banks) {
            _ if total > 21 => Owed::lost(stake),
            core::cmp::Ordering::Less => Owed::lost(stake),
            core::cmp::Ordering::Equal => Owed::default(),
            core::cmp::Ordering::Greater => Owed::paid(blackjack.map_or(stake, |rate| stake * rate.pays / rate.per)),
        }
    }
}

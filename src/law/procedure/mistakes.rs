//! Bets that were not given what they were owed. What counts is the sum paid less the sum collected (Reading 20), and
//! it is judged once all can see what was owed.

use alloc::vec::Vec;

use super::hand::{Hand, Owed};
use super::pass::Milestone;
use super::settlement::Account;
use super::state::State;
use crate::table::{BetSpot, HandId, Outcome};

/// What is wrong with what was paid to a bet and collected of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MistakeKind {
    /// Paid though nothing was owed to it.
    NothingOwed,
    /// Collected though nothing of it was lost.
    NothingLost,
    /// Paid another amount than was owed.
    WrongPayment,
    /// Collected another amount than was lost.
    WrongCollection,
    /// At the end, neither paid nor collected though it was owed or lost.
    Unsettled,
}

impl MistakeKind {
    /// What belongs to it: to a payment, to a collection, or to a bet left as it was.
    #[must_use]
    pub fn of<T>(self, paid: T, collected: T, left: T) -> T {
        match self {
            Self::NothingOwed | Self::WrongPayment => paid,
            Self::NothingLost | Self::WrongCollection => collected,
            Self::Unsettled => left,
        }
    }
}

/// A bet that was not given what it was owed.
#[derive(Debug, Clone, Copy)]
pub struct Mistake<'a> {
    /// On which hand.
    pub id: HandId,
    /// The main bet, or the insurance.
    pub spot: BetSpot,
    /// The hand.
    pub hand: &'a Hand,
    /// What it was owed; where that cannot be known, the most that it could have been.
    pub owed: Owed,
    /// What it was given: paid less collected.
    pub given: i64,
    /// What is wrong.
    pub kind: MistakeKind,
}

impl State {
    /// The mistakes that come to light in these facts, in the order of play, those left aside of which a finding is
    /// open. Bets left unsettled are mistakes once the pass ends.
    #[must_use]
    pub fn mistakes(&self, ends: bool) -> Vec<Mistake<'_>> {
        let is_seen = self.observes.bets && !self.pass.is_mid_pass();
        if !is_seen || (!ends && !self.pass.has(Milestone::Money)) {
            return Vec::new();
        }
        let spots = [BetSpot::Main, BetSpot::Insurance];
        let bets = self.pass.bets().flat_map(|(id, hand)| spots.map(|spot| (id, hand, spot)));
        let mut mistakes: Vec<_> = bets.filter_map(|(id, hand, spot)| self.mistake(id, hand, spot, ends)).collect();
        mistakes.sort_by(|one, other| self.pass.in_order(one.id, other.id));
        mistakes
    }

    fn mistake<'a>(&self, id: HandId, hand: &'a Hand, spot: BetSpot, ends: bool) -> Option<Mistake<'a>> {
        let given = hand.given(spot);
        if hand.is_wrong(spot) || (given == 0 && !ends) {
            return None;
        }
        let owed = match self.account(id, spot, ends) {
            Account::Open => return None,
            Account::Unknown => Owed { outcome: Outcome::Unknown, pay: self.most(hand, spot), lost: 0 },
            Account::Known(owed) => owed,
        };
        let is_unknown = owed.outcome == Outcome::Unknown;
        if given == owed.net() || (is_unknown && given < owed.net()) {
            return None;
        }
        let kind = match given {
            0 => MistakeKind::Unsettled,
            1.. if owed.pay == 0 && !is_unknown => MistakeKind::NothingOwed,
            1.. => MistakeKind::WrongPayment,
            _ if owed.lost == 0 => MistakeKind::NothingLost,
            _ => MistakeKind::WrongCollection,
        };
        Some(Mistake { id, spot, hand, owed, given, kind })
    }

    /// What the bank still has to give a bet, below 0 where it has to take back; `None` while nobody can know.
    #[must_use]
    pub fn to_give(&self, id: HandId, spot: BetSpot, ends: bool) -> Option<i64> {
        let hand = self.pass.bet(id)?;
        let given = hand.given(spot);
        match self.account(id, spot, ends) {
            Account::Open => None,
            Account::Unknown => {
                let most = Owed { outcome: Outcome::Unknown, pay: self.most(hand, spot), lost: 0 }.net();
                Some(most.saturating_sub(given).min(0))
            }
            Account::Known(owed) => Some(owed.net().saturating_sub(given)),
        }
    }

    /// A finding about what a bet was given is opened, or the sum was put right.
    pub(crate) fn note_wrong(&mut self, id: HandId, spot: BetSpot, wrong: bool) {
        self.pass.change_bet(id, |hand| hand.set_wrong(spot, wrong));
    }
}

//! Bets that were not given what they were owed. What counts is the sum paid less the sum collected (Reading 20), and
//! it is judged once all can see what was owed.

use alloc::vec::Vec;
use core::cmp::Ordering;

use super::hand::{Hand, Owed};
use super::settlement::Account;
use super::state::State;
use crate::table::{BetSpot, Event, HandId, Outcome};

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
    /// What puts it right: what the bank has to give yet, below 0 where it has to take back.
    pub to_give: i64,
    /// What is wrong.
    pub kind: MistakeKind,
}

/// Whether an event pays a bet, or else collects of it.
fn moved_now(event: &Event, id: HandId, at: BetSpot) -> Option<Ordering> {
    let is_at = |hand: HandId, spot: BetSpot| hand == id && (spot == BetSpot::Insurance) == (at == BetSpot::Insurance);
    match *event {
        Event::Pay { hand, spot, .. } if is_at(hand, spot) => Some(Ordering::Greater),
        Event::Collect { hand, spot, .. } if is_at(hand, spot) => Some(Ordering::Less),
        _ => None,
    }
}

impl State {
    /// The mistakes that come to light in the facts after an event, in the order of play, those left aside of which a
    /// finding is open. Bets left unsettled are mistakes once the pass ends.
    #[must_use]
    pub fn mistakes(&self, event: &Event) -> Vec<Mistake<'_>> {
        let is_seen = self.observes.bets && !self.pass.is_mid_pass();
        if !is_seen {
            return Vec::new();
        }
        let mut mistakes = Vec::new();
        if !matches!(event, Event::End {}) {
            // what was given nothing is no mistake before the end
            debug_assert!(self.pass.is_indexed(), "{event:?}");
            for (id, hand) in self.pass.given() {
                for spot in BetSpot::SETTLED {
                    if hand.is_touched(spot)
                        && let Some(mistake) = self.mistake(id, hand, spot, event)
                    {
                        mistakes.push(mistake);
                    }
                }
            }
            return mistakes;
        }
        for (id, hand) in self.pass.bets() {
            mistakes.extend(BetSpot::SETTLED.into_iter().filter_map(|spot| self.mistake(id, hand, spot, event)));
        }
        mistakes.sort_by(|one, other| self.pass.in_order(one.id, other.id));
        mistakes
    }

    fn mistake<'a>(&self, id: HandId, hand: &'a Hand, spot: BetSpot, event: &Event) -> Option<Mistake<'a>> {
        let ends = matches!(event, Event::End {});
        let given = hand.given(spot);
        let moved = moved_now(event, id, spot).filter(|_| hand.is_touched(spot));
        if hand.is_wrong(spot) || (given == 0 && moved.is_none() && !ends) {
            return None;
        }
        let (owed, to_give) = self.owed_yet(self.account(id, spot, ends), id, hand, spot)?;
        let is_unknown = owed.outcome == Outcome::Unknown;
        if to_give == 0 {
            return None;
        }
        // what was done just now is the mistake, whatever went before; else the sum tells it
        let kind = match moved.unwrap_or_else(|| given.cmp(&0)) {
            Ordering::Equal => MistakeKind::Unsettled,
            Ordering::Greater if owed.pay == 0 => MistakeKind::NothingOwed,
            Ordering::Greater => MistakeKind::WrongPayment,
            Ordering::Less if owed.lost == 0 && !is_unknown => MistakeKind::NothingLost,
            Ordering::Less if owed.lost == 0 => MistakeKind::WrongPayment,
            Ordering::Less => MistakeKind::WrongCollection,
        };
        Some(Mistake { id, spot, hand, owed, given, to_give, kind })
    }

    /// What the bank still has to give a bet, below 0 where it has to take back; `None` while nobody can know.
    #[must_use]
    pub fn to_give(&self, id: HandId, spot: BetSpot, ends: bool) -> Option<i64> {
        let hand = self.pass.bet(id)?;
        self.owed_yet(self.account(id, spot, ends), id, hand, spot).map(|(_, to_give)| to_give)
    }

    /// What a bet is owed by its account, and what the bank still has to give it for that, below 0 where it has to take
    /// back. What cannot be known is owed the most that it could be, and nothing is to be given for it.
    fn owed_yet(&self, account: Account, id: HandId, hand: &Hand, spot: BetSpot) -> Option<(Owed, i64)> {
        let given = hand.given(spot);
        match account {
            Account::Open => None,
            Account::Unknown => {
                let most = Owed { outcome: Outcome::Unknown, pay: self.most(id, hand, spot), lost: 0 };
                let right = hand.right(spot, most.net()).max(most.net());
                Some((most, right.saturating_sub(given).min(0)))
            }
            Account::Known(owed) => Some((owed, hand.right(spot, owed.net()).saturating_sub(given))),
        }
    }

    /// Whether an event pays or collects a bet of which a finding is open: what puts that right begins no settlement,
    /// and waits for no turn.
    #[must_use]
    pub fn puts_right(&self, event: &Event) -> bool {
        let (Event::Pay { hand, spot, .. } | Event::Collect { hand, spot, .. }) = *event else { return false };
        self.pass.bet(hand).is_some_and(|bet| bet.is_wrong(spot))
    }

    /// Whether an event pays a bet of which a finding is open, and which was given too little: the finding asks for it,
    /// whatever else waits (Reading 20).
    #[must_use]
    pub fn gives_back(&self, event: &Event) -> bool {
        let Event::Pay { hand, spot, .. } = *event else { return false };
        self.puts_right(event) && self.to_give(hand, spot, false).is_some_and(|to_give| to_give > 0)
    }

    /// A finding about what a bet was given is opened, or the sum was put right.
    pub(crate) fn note_wrong(&mut self, id: HandId, spot: BetSpot, wrong: bool) {
        self.pass.change_bet(id, |hand| hand.set_wrong(spot, wrong));
    }

    /// The room lets lie what a bet was given.
    pub(crate) fn let_money_lie(&mut self, id: HandId, spot: BetSpot) {
        self.pass.change_bet(id, |hand| hand.set_let_lie(spot));
    }
}

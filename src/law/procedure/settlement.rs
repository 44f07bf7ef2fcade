//! Who wins what: the comparison with the bank (D14) and the payments (F1, F2, O3, O4).

use super::betting_box::Standing;
use super::hand::Hand;
use super::hand::Owed;
use super::pass::Milestone;
use super::state::State;
use crate::table::answer::Settle;
use crate::table::settings::Surrender;
use crate::table::{BetSpot, Cents, HandId, LineNo, Outcome};

impl State {
    /// A hand that may be settled before the bank has played, where the bank's second card comes after play: it is over
    /// 21, its bettor ended it, or its Black Jack may be paid (G7, K14).
    #[must_use]
    pub fn is_decided_early(&self, hand: &Hand) -> bool {
        let surrendered = hand.surrendered && self.settings.stakes.surrender == Surrender::Early;
        !self.settings.bank_is_covered()
            && (hand.is_over() || surrendered || hand.even_money || self.is_paid_at_once(hand))
    }

    /// A Black Jack that the bank, by its first card or once it has its second, can match no more, where such a one may
    /// be paid before the bank has played (G7, K14).
    #[must_use]
    pub fn is_paid_at_once(&self, hand: &Hand) -> bool {
        let bank = &self.pass.bank;
        let pays = &self.settings.pays;
        (pays.blackjack_early || pays.blackjack_at_once)
            && pays.blackjack_beats_21
            && bank.served > 0
            && !bank.may_have_blackjack()
            && hand.is_blackjack()
            && !hand.is_covered()
            && !hand.split
    }

    /// What the main bet of a hand is owed; `None` while it is open, or cannot be known for an unread card.
    #[must_use]
    pub fn owed(&self, hand: &Hand) -> Option<Owed> {
        let late = hand.surrendered && self.settings.stakes.surrender == Surrender::Late;
        let closed = hand.is_closed() && !late;
        let decided = hand.settled.is_some() || hand.void || hand.lost || closed || self.is_paid_at_once(hand);
        if !decided && (self.is_hidden(hand) || (!self.bank_stands() && !hand.is_over())) {
            return None;
        }
        self.owed_as_it_lies(hand)
    }

    /// A card of it lies covered where it can be seen when that is turned up: until then nothing tells what it is.
    fn is_hidden(&self, hand: &Hand) -> bool {
        self.observes.faces && hand.is_covered()
    }

    /// The same with the bank taken as it lies, for the end of a pass.
    #[must_use]
    pub fn owed_as_it_lies(&self, hand: &Hand) -> Option<Owed> {
        if hand.settled.is_some() {
            return hand.settled;
        }
        let stake = hand.at_stake();
        let outcome = self.outcome(hand)?;
        let (pay, lost) = match outcome {
            Outcome::Blackjack if hand.even_money => (stake, 0),
            Outcome::Blackjack if hand.is_split_ace() => (self.settings.pays.split_ace_blackjack.of(stake), 0),
            Outcome::Blackjack if hand.split => (self.settings.pays.split_ten_blackjack.of(stake), 0),
            Outcome::Blackjack => (self.settings.pays.blackjack.of(stake), 0),
            Outcome::Win => (stake, 0),
            Outcome::Lose => (0, stake),
            Outcome::Surrender => (0, self.settings.half(stake)),
            Outcome::Push | Outcome::Void | Outcome::Unknown => (0, 0),
        };
        Some(Owed { outcome, pay, lost })
    }

    fn outcome(&self, hand: &Hand) -> Option<Outcome> {
        if hand.void {
            return Some(Outcome::Void);
        }
        if hand.even_money {
            return Some(Outcome::Blackjack);
        }
        if hand.surrendered && !(self.settings.stakes.surrender == Surrender::Late && self.pass.bank.is_blackjack()) {
            return Some(Outcome::Surrender);
        }
        if hand.count() < 2 && !hand.lost && !hand.as_it_is {
            // once cards are cleared, what was known of the hand was kept beside it
            return (!self.pass.has(Milestone::Clearing)).then_some(Outcome::Void);
        }
        if hand.lost {
            return Some(Outcome::Lose);
        }
        let points = hand.total()?.points;
        if points > 21 {
            return Some(Outcome::Lose);
        }
        let bank = self.pass.bank.total()?;
        let blackjack = hand.is_blackjack() && (!hand.split || self.settings.pays.split_blackjack);
        if points == bank && !self.settings.pays.blackjack_beats_21 {
            return Some(Outcome::Push);
        }
        Some(match (blackjack, self.pass.bank.is_blackjack()) {
            (true, true) => Outcome::Push,
            (true, false) => Outcome::Blackjack,
            (false, true) => Outcome::Lose,
            (false, false) if bank > 21 || points > bank => Outcome::Win,
            (false, false) if points == bank => Outcome::Push,
            (false, false) => Outcome::Lose,
        })
    }

    /// What the insurance of a hand is owed; `None` until its second card has come.
    #[must_use]
    pub fn insurance_owed(&self, hand: &Hand) -> Option<Owed> {
        let stake = hand.insurance;
        match hand.insurance_won {
            Some(true) => Some(Owed { outcome: Outcome::Win, pay: self.settings.insurance.pays.of(stake), lost: 0 }),
            Some(false) => Some(Owed { outcome: Outcome::Lose, pay: 0, lost: stake }),
            None if hand.void => Some(Owed { outcome: Outcome::Void, pay: 0, lost: 0 }),
            None => None,
        }
    }

    /// Whether a main bet has had what it was owed, so far as anybody can see.
    #[must_use]
    pub fn is_settled(&self, hand: &Hand) -> bool {
        if hand.void {
            return true;
        }
        let is_known = self.bank_is_defined()
            || hand.settled.is_some()
            || hand.lost
            || hand.is_over()
            || self.is_decided_early(hand);
        if !is_known {
            return false;
        }
        self.owed(hand).is_some_and(|owed| is_done(owed, hand.paid, hand.collected))
    }

    /// Keeps what bets were owed, before the cards that say so are cleared: every bet while the felt is being cleared,
    /// else only those that have had what they were owed.
    pub fn remember_owed(&mut self, clearing: bool) {
        for box_no in self.pass.box_numbers() {
            for hand in 0..self.pass.betting_box(box_no).map_or(0, |betting_box| betting_box.hands_in_play) {
                let Some(id) = u8::try_from(hand).ok().map(|hand| HandId { box_no, hand }) else { continue };
                let hand = self.pass.hand(id).filter(|hand| clearing || self.is_settled(hand));
                let owed = hand.and_then(|hand| self.owed_as_it_lies(hand));
                if let Some(hand) = self.pass.hand_mut(id) {
                    hand.settled = owed;
                    hand.cleared = owed.and_then(|_| hand.points());
                }
            }
            self.pass.reindex(box_no);
        }
    }

    /// Whether every main bet in the pass has had what it was owed.
    #[must_use]
    pub fn all_settled(&self) -> bool {
        self.pass.hands().all(|(_, hand)| self.is_settled(hand))
    }

    /// What every bet of the pass is owed as it ends, box by box, hand by hand, main bet then insurance. A hand that
    /// cannot be valued, for an unread card or a guessed place, is taken as it was settled, or left out.
    pub fn settlements(&self, line: LineNo, mut tell: impl FnMut(Settle)) {
        for (box_no, betting_box) in self.pass.boxes() {
            let mut settle = |hand, spot, stake, owed: Owed| {
                let Owed { outcome, pay, lost } = owed;
                tell(Settle {
                    line,
                    pass: self.pass_no,
                    hand: HandId { box_no, hand },
                    spot,
                    outcome,
                    stake: Some(stake),
                    pay: Some(pay),
                    lost: Some(lost),
                });
            };
            let lying = betting_box.first().on(BetSpot::Main);
            if matches!(betting_box.standing, Standing::None | Standing::Refused) && lying > 0 {
                settle(0, BetSpot::Main, lying, Owed { outcome: Outcome::Void, pay: 0, lost: 0 });
            }
            for (n, hand) in (0..).zip(betting_box.in_play()) {
                let known = if self.pass.guesses() { None } else { self.owed_as_it_lies(hand) };
                if let Some(owed) = known.or_else(|| as_done(hand.paid, hand.collected.min(hand.at_stake()))) {
                    settle(n, BetSpot::Main, hand.at_stake(), owed);
                }
                let insured = hand.insurance > 0;
                let known = self.insurance_owed(hand).filter(|_| insured);
                let lost = hand.insurance_collected.min(hand.insurance);
                let done = || as_done(hand.insurance_paid, lost).filter(|_| insured);
                if let Some(owed) = known.or_else(done) {
                    settle(n, BetSpot::Insurance, hand.insurance, owed);
                }
            }
        }
    }

    /// The first losing stake that still lies on the felt, of another hand than `but`.
    #[must_use]
    pub fn uncollected(&self, but: HandId) -> Option<HandId> {
        self.pass
            .hands()
            .filter(|(id, _)| *id != but)
            .find(|(_, hand)| {
                let lost = |owed: Option<Owed>| owed.is_some_and(|owed| owed.lost > 0);
                let insured = hand.insurance > 0 && hand.insurance_collected == 0;
                (hand.collected == 0 && lost(self.owed(hand))) || (insured && lost(self.insurance_owed(hand)))
            })
            .map(|(id, _)| id)
    }
}

/// What was done, where what was owed cannot be known; `None` where nothing was.
fn as_done(paid: Cents, collected: Cents) -> Option<Owed> {
    match (paid, collected) {
        (0, 0) => None,
        (0, lost) => Some(Owed { outcome: Outcome::Lose, pay: 0, lost }),
        (pay, _) => Some(Owed { outcome: Outcome::Win, pay, lost: 0 }),
    }
}

/// Whether what was paid and collected is what was owed, the amounts aside.
#[must_use]
pub fn is_done(owed: Owed, paid: Cents, collected: Cents) -> bool {
    (owed.pay > 0) == (paid > 0) && (owed.lost > 0) == (collected > 0)
}

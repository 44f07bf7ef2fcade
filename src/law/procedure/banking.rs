//! Who is to bank next, and what the common bank owes: what needs the seats, the bankers and the felt together.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::account::Division;
use super::bankers::Claim;
use super::hand::Hand;
use super::known::Fact;
use super::pass::Milestone;
use super::settlement::Account;
use super::state::State;
use crate::table::event::Share;
use crate::table::{BetSpot, Cents, HandId, Name};

impl State {
    /// A share is advanced or paid out; with the first part paid out the session and its round of bankers are over.
    pub(super) fn share(&mut self, player: &Name, what: Share, amount: Cents) {
        match what {
            Share::Advance => {
                let in_turn = self.may_advance(player);
                self.account.advance(player, amount, in_turn);
            }
            Share::Dividend => {
                self.account.divide(self.division(), player, amount);
                self.bankers.end_round();
            }
        }
    }

    /// How the common bank is divided, or would be now.
    #[must_use]
    pub fn division(&self) -> Division {
        self.account.division(|| self.participants())
    }

    /// A participant has an advance to make: the first of the session, one that others have made before him, or the
    /// first of another round because the bank is out of funds (A7).
    #[must_use]
    pub fn may_advance(&self, player: &Name) -> bool {
        let is_complete = || !self.participants().iter().any(|other| self.account.is_behind(other));
        self.account.is_open_to(player) || (is_complete() && self.bank_is_out_of_funds())
    }

    /// The bank holds nothing, or less than a bet on the felt is still to be paid (A7).
    fn bank_is_out_of_funds(&self) -> bool {
        let holds = self.account.holds();
        let unpaid = |id: HandId, hand: &Hand, spot: BetSpot| {
            let (owed, paid) = match spot {
                BetSpot::Insurance => (self.insurance_owed(hand), hand.insurance_paid),
                _ => (self.owed(hand), hand.paid),
            };
            let pay = match owed {
                Account::Open => 0,
                Account::Unknown => self.most(id, hand, spot),
                Account::Known(owed) => owed.pay,
            };
            i128::from(pay.saturating_sub(paid))
        };
        let exceeds =
            |(id, hand): (HandId, &Hand)| BetSpot::SETTLED.into_iter().any(|spot| unpaid(id, hand, spot) > holds);
        // where it is a guess who got which card, so it is which hands were opened and what they are to be paid
        let is_guess = self.pass.is_dealt() && self.unknown().has(Fact::Hands);
        holds <= 0 || self.account.is_unknown() || is_guess || self.pass.hands().any(exceeds)
    }

    /// The seated players, the first in the order of play first; where no seats are told, who has advanced to the bank.
    #[must_use]
    pub fn participants(&self) -> Vec<Name> {
        if self.seating.is_told() {
            self.seating.in_order(self.settings.delivery.first_box)
        } else {
            self.account.advancers().cloned().collect()
        }
    }

    /// Who sits at the banker's left (G17).
    #[must_use]
    pub fn at_bankers_left(&self) -> Option<&Name> {
        self.seating.at_left_of(self.bankers.banker()?)
    }

    /// To whom the cut is offered first: who was to get the cut card when it came out, else who sits at the banker's
    /// left (G17).
    #[must_use]
    pub fn cut_falls_to(&self) -> Option<&Name> {
        let is_there = |name: &Name| !self.seating.is_told() || self.seating.seat_of(name).is_some();
        let banks = |name: &Name| self.bankers.banker() == Some(name);
        let got = self.supply.cut_card_to().filter(|name| is_there(name) && !banks(name));
        got.or_else(|| self.at_bankers_left())
    }

    /// The bank may change hands: no pass is dealt, or the one that is has been paid out.
    #[must_use]
    pub fn bank_may_move(&self) -> bool {
        let is_waiting = |hand: &Hand| {
            let owes = self.insurance_owed(hand).known().is_some_and(|owed| owed.net() != 0);
            owes && !hand.is_touched(BetSpot::Insurance)
        };
        // what a bet was given too little is a payment still to come
        let lacks = |id: HandId, hand: &Hand, spot: BetSpot| {
            hand.is_wrong(spot) && self.to_give(id, spot, false).is_some_and(|to_give| to_give > 0)
        };
        let waits = |(id, hand): (HandId, &Hand)| {
            is_waiting(hand) || BetSpot::SETTLED.into_iter().any(|spot| lacks(id, hand, spot))
        };
        let is_paid_out = || self.all_settled() && !self.pass.hands().any(waits);
        let is_over = || if self.observes.bets { is_paid_out() } else { self.is_clearing() };
        // cards may be cleared hand by hand as they are paid
        let is_cleared = || !self.observes.bets || self.pass.first_place_with_cards().is_none();
        !self.pass.is_dealt() || (self.pass.has(Milestone::Clearing) && is_cleared()) || is_over()
    }

    /// The Black Jacks that may move the bank: of the pass on the felt, if that is dealt, else of the one that ended
    /// last.
    #[must_use]
    pub fn claims(&self) -> Cow<'_, [Claim]> {
        if self.pass.is_dealt() && !self.bankers.is_claimed() {
            Cow::Owned(self.blackjacks())
        } else {
            Cow::Borrowed(self.bankers.claims())
        }
    }

    /// Between two passes it is a guess who had one.
    #[must_use]
    pub fn claims_are_guessed(&self) -> bool {
        !self.pass.is_dealt() && self.bankers.is_guess()
    }

    /// The bank has changed hands on one of them.
    #[must_use]
    pub fn has_bank_moved(&self) -> bool {
        self.bankers.has_moved() && (!self.pass.is_dealt() || self.bankers.is_claimed())
    }

    fn blackjacks(&self) -> Vec<Claim> {
        let pass = &self.pass;
        let is_unread = pass.bank.valued().is_unread();
        let may_be = |hand: &Hand| hand.valued().is_unread() && hand.valued().count == 2;
        let blackjacks = pass.hands().filter(|(_, hand)| (hand.had_blackjack || may_be(hand)) && !hand.void);
        let claims = blackjacks.map(|(id, hand)| Claim {
            // whose chips those were nobody told may have been anybody's
            player: pass.named_bettor(id.box_no).cloned(),
            box_no: id.box_no,
            split: hand.split,
            tied: pass.bank.had_blackjack,
            first_pass: self.bankers.is_first_pass(),
            waived: false,
            unsure: is_unread || may_be(hand),
        });
        claims.collect()
    }

    /// Keeps the Black Jacks of a pass that has been dealt: they move the bank.
    pub(super) fn claim_once(&mut self) {
        if !self.pass.is_dealt() || self.bankers.is_claimed() {
            return;
        }
        let (claims, pass) = (self.blackjacks(), &self.pass);
        let boxes = pass.hands().filter(|(id, _)| id.hand == 0);
        let played = boxes.filter_map(|(id, _)| Some((pass.bettor(id.box_no)?.clone(), id.box_no))).collect();
        self.bankers.end_pass(claims, played);
    }

    /// A player's box: in the pass on the felt, else in the one that ended last; the first in the order of play.
    #[must_use]
    pub fn box_of(&self, player: &Name) -> Option<u8> {
        let mut hands = self.pass.hands();
        let now = hands.find(|(id, _)| self.pass.bettor(id.box_no) == Some(player)).map(|(id, _)| id.box_no);
        now.or_else(|| self.bankers.played_in(player))
    }
}

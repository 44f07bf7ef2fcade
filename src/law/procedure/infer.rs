//! What bettors must have chosen, at a table that does not see their choices.

use super::betting_box::Standing;
use super::hand::Hand;
use super::state::State;
use crate::table::event::Question;
use crate::table::settings::{Insured, Surrender};
use crate::table::{BetSpot, Event, HandId, Place};

impl State {
    /// Hands before the one acted on, or all once the bank acts, are taken to have stood; chips that move before the
    /// bank has played tell of a hand that ended early.
    #[inline]
    pub fn infer_choices(&mut self, event: &Event) {
        if self.observes.decisions {
            return;
        }
        self.ended_early(event);
        if self.delivered() {
            self.stood_before(event);
        }
    }

    /// Half of a stake that is collected, and is not what the hand lost, was given up; a Black Jack paid its stake
    /// before the bank's second card took single pay.
    fn ended_early(&mut self, event: &Event) {
        let (Event::Collect { hand: id, spot: BetSpot::Main, amount }
        | Event::Pay { hand: id, spot: BetSpot::Main, amount }) = event
        else {
            return;
        };
        let collects = matches!(event, Event::Collect { .. });
        let bank = &self.pass.bank;
        let Some(hand) = self.pass.hand(*id).filter(|_| !self.settings.bank_is_covered() && bank.served > 0) else {
            return;
        };
        let stake = hand.at_stake();
        let lost = self.owed(hand).known().is_some_and(|owed| owed.lost == *amount);
        let half = self.settings.stakes.surrender != Surrender::Never && *amount == self.settings.half(stake) && !lost;
        let single = self.settings.pays.even_money && bank.served == 1 && bank.shows_ace() && *amount == stake;
        let Some(hand) = self.pass.hand_mut(*id).filter(|hand| hand.may_have_ended()) else { return };
        match hand.is_blackjack() {
            true if !collects => hand.even_money |= single && hand.insurance == 0,
            false if collects => hand.surrendered |= half,
            _ => return,
        }
        self.pass.reindex(id.box_no);
    }

    fn stood_before(&mut self, event: &Event) {
        let early = |id: &HandId| self.pass.hand(*id).is_some_and(|hand| self.is_decided_early(hand));
        let ends_play = if self.settings.bank_is_covered() { 2 } else { 1 };
        let until = match event {
            Event::Ask { hand, about } if *about != Question::Insurance => Some(*hand),
            Event::Ace { hand, .. } | Event::Bet { hand, spot: BetSpot::Split | BetSpot::Double, .. } => Some(*hand),
            Event::Draw { to: Some(Place::Hand(hand)), .. } => Some(*hand),
            Event::Ask { about: Question::Insurance, .. } | Event::Bet { spot: BetSpot::Insurance, .. }
                if self.settings.insurance.when == Insured::AfterPlay =>
            {
                None
            }
            Event::Draw { to: Some(Place::Bank), .. }
                if self.pass.bank.owed == 0 && self.pass.bank.served >= ends_play =>
            {
                None
            }
            Event::Reveal { at: Place::Bank, .. } | Event::End {} => None,
            // what is settled before the bank has played says nothing of the other hands
            Event::Collect { hand, spot: BetSpot::Main, .. } | Event::Pay { hand, spot: BetSpot::Main, .. }
                if early(hand) =>
            {
                return;
            }
            Event::Collect { spot: BetSpot::Main, .. } | Event::Pay { spot: BetSpot::Main, .. } => None,
            _ => return,
        };
        let order = self.pass.order();
        for box_no in self.pass.box_numbers() {
            let Some(betting_box) = self.pass.betting_box_mut(box_no).filter(|b| b.standing == Standing::In) else {
                continue;
            };
            for (hand_no, hand) in (0u8..).zip(&mut betting_box.hands[..betting_box.hands_in_play]) {
                let id = HandId { box_no, hand: hand_no };
                let before = until.is_none_or(|until| order.plays_before(id, until));
                if before && hand.count() >= 2 && !hand.is_finished() {
                    hand.stood = true;
                }
            }
            self.pass.reindex(box_no);
        }
    }
}

impl Hand {
    /// Where choices are not seen: it may have been surrendered, or have taken single pay.
    #[must_use]
    pub fn may_have_ended(&self) -> bool {
        let untouched = self.count() == 2 && !self.split && !self.doubled && self.paid == 0 && self.collected == 0;
        untouched && self.is_live() && !self.is_covered()
    }
}

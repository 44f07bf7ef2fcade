//! What a hand was paid, what was collected of it, and what the room ruled about that.

use super::View;
use crate::facts::found::{Effect, Finding, Part};
use crate::facts::house::begins_in_mid_pass;
use crate::log::{Event, Kind, Place};

impl View<'_> {
    /// The events that paid for a bet or collected of it.
    pub fn moved<'b>(&'b self, hand: Place, spot: &'b str) -> impl Iterator<Item = usize> + 'b {
        let box_ = hand.first_hand();
        let begun = self.first(|event| event.is(Kind::Bet, box_)).unwrap_or(self.now);
        (begun..self.now).filter(move |&at| {
            let event = &self.events[at];
            let is_money = matches!(event.kind, Kind::Pay | Kind::Collect);
            is_money && event.place == Some(hand) && event.spot == spot && !self.is_ignored(at)
        })
    }

    /// What the bank gave for a spot, paid less collected.
    pub fn done(&self, hand: Place, spot: &str) -> i64 {
        let signed = |event: &Event| {
            let amount = i64::try_from(event.number).unwrap_or(i64::MAX);
            if event.kind == Kind::Pay { amount } else { -amount }
        };
        self.moved(hand, spot).map(|at| signed(&self.events[at])).sum()
    }

    /// What the bank had given for a hand, net, when the room let a wrong amount lie.
    pub fn let_lie(&self, hand: Place) -> Option<i64> {
        let about = self.found().filter(|found| found.what.place == Some(hand) && found.what.money.is_some());
        let ruled = about.filter(|found| found.stands()).filter_map(|found| found.ruled.as_ref());
        ruled.map(|(_, at)| *at).max().map(|at| self.at(at).done(hand, "main"))
    }

    /// Whether what was found about a hand's money is still to be put right.
    pub fn is_money_open(&self, hand: Place) -> bool {
        let is_about = |found: &Finding| found.what.place == Some(hand) && found.what.money.is_some();
        self.found().any(|found| found.is_open() && found.ruled.is_none() && is_about(found))
    }

    /// Whether the event puts back what was moved for its bet.
    pub fn puts_back(&self) -> bool {
        let (event, then) = (self.event(), self.then());
        let done = |view: &View| event.place.map_or(0, |hand| view.done(hand, &event.spot));
        done(self) != 0 && done(&then) == 0
    }

    /// Whether the event pays a hand what a finding asks it to be given.
    pub fn gives_back(&self) -> bool {
        let asks = |part: &Part| matches!(part, Part::Pay(..));
        let hand = self.event().place;
        let is_asked = |found: &Finding| found.at < self.now && found.is_open() && found.what.place == hand;
        self.event().kind == Kind::Pay
            && self.found().any(|found| is_asked(found) && found.missing(self).iter().any(asks))
    }

    /// Whether the room ruled that a hand's bet is lost.
    pub fn is_ruled_lost(&self, hand: Place) -> bool {
        self.lost_at(hand).is_some()
    }

    pub(super) fn lost_at(&self, hand: Place) -> Option<usize> {
        let about = self.found().filter(|found| found.what.place == Some(hand));
        let mut ruled = about.filter_map(|found| found.ruled.as_ref());
        ruled.find(|(word, at)| word == "lose" && self.had_bet(hand, *at)).map(|(_, at)| *at)
    }

    /// Whether a hand had a bet that the room could decide about.
    pub(super) fn had_bet(&self, hand: Place, at: usize) -> bool {
        self.at(at).chips(hand.first_hand(), "main") > 0
    }

    /// Whether a bet is there that a ruling could have returned or lost.
    pub fn has_bet_to_rule_on(&self, hand: Place) -> bool {
        let is_unjudged = || begins_in_mid_pass(self.house, self.events).contains(&self.now);
        self.had_bet(hand, self.now) || self.hands().contains(&hand) || is_unjudged()
    }

    /// Whether a finding of a place's hand passed to the room took its claim (C15).
    pub fn has_no_claim(&self, hand: Place) -> bool {
        self.found()
            .any(|found| found.what.effect == Effect::NoClaim && found.what.place == Some(hand) && !found.stands())
    }
}

//! Hands that are out of play before the bank's cards decide them.

use super::View;
use crate::log::{Kind, Place};

impl View<'_> {
    /// The event at which a hand was given up for half.
    pub fn surrendered(&self, hand: Place) -> Option<usize> {
        let is = |at: &usize| self.events[*at].says(Kind::Decide, hand, "surrender") && !self.is_ignored(*at);
        // where nobody may give up, what the room lets stand of it is that somebody said so
        self.pass().find(is).filter(|_| !self.house.is("surrender", "never"))
    }

    /// The event at which single pay was taken for a Black Jack.
    pub fn took_even_money(&self, hand: Place) -> Option<usize> {
        self.pass().find(|&at| self.events[at].says(Kind::Decide, hand, "even_money") && !self.is_ignored(at))
    }

    /// A hand that the bank's cards still decide: not over 21, given up, or paid single.
    pub fn is_at_stake(&self, hand: Place) -> bool {
        let is_out = self.is_given_up(hand) || self.took_even_money(hand).is_some();
        self.plays(hand) && !is_out && !self.is_over(hand)
    }

    /// Whether a hand is left for which the bank draws.
    pub fn bank_draws_for_somebody(&self) -> bool {
        let draws = |hand: Place| self.house.yes("bank_draws_against_blackjacks") || !self.is_blackjack(hand);
        let is_out = |hand: Place| self.has_no_claim(hand) || self.is_ruled_lost(hand);
        self.playing().iter().any(|hand| self.is_at_stake(*hand) && !is_out(*hand) && draws(*hand))
    }

    /// Given up for good: where it is given up late, once the bank cannot have a Black Jack any more.
    fn is_given_up(&self, hand: Place) -> bool {
        let bank = self.dealt(Place::Bank).len();
        let is_sure = || if bank < 2 { !self.bank_may_have_blackjack() } else { self.total(Place::Bank).is_some() };
        self.surrendered(hand).is_some() && (!self.house.is("surrender", "late") || is_sure())
    }

    /// A split ace that has the one card that it gets.
    pub fn is_served_ace(&self, hand: Place) -> bool {
        self.house.yes("split_aces_one_card")
            && self.is_split(hand)
            && self.pair_opened(hand) == Some(1)
            && self.dealt(hand).len() >= 2
    }
}

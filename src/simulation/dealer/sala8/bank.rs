//! The bank's cards, the settlement, and the end of the pass.

use super::*;
use sabot_law::table::Outcome;

impl Sala8<'_> {
    /// The bank uncovers its second card and draws to 17; then doubled hands are uncovered. Where everybody is over it
    /// draws nothing.
    pub(super) fn bank_plays(&mut self) -> Flow {
        let opponents = self.hands.iter().any(|hand| !hand.void && (hand.covered || !hand.is_over()));
        if !opponents {
            if self.armed == Some(kinds::C18) || self.chance(50) {
                self.show_bank();
            }
            return self.break_when_all_over();
        }
        self.show_bank();
        if self.hands.iter().all(|hand| hand.void || hand.surrendered || (hand.is_over() && !hand.covered)) {
            return Ok(());
        }
        self.break_before_bank_draws()?;
        self.bank_draws()?;
        self.break_after_bank()?;
        for hand in 0..self.hands.len() {
            if self.hands[hand].covered && !self.hands[hand].void {
                self.hands[hand].covered = false;
                let place = self.hands[hand].id.into();
                self.emit(Event::Reveal { at: place, card: None });
            }
        }
        Ok(())
    }

    /// Uncovers the bank's cards, once.
    pub(super) fn show_bank(&mut self) {
        if !std::mem::replace(&mut self.bank_shown, true) {
            self.emit(Event::Reveal { at: Place::Bank, card: None });
            self.break_at_reveal();
            if self.bank.len() == 2 {
                self.tell_bank_total();
            }
        }
    }

    pub(super) fn tell_bank_total(&mut self) {
        let total = self.book.bank_total(&self.bank);
        self.announce_total(Place::Bank, total);
    }

    /// Draws until it stands or is over.
    pub(super) fn bank_draws(&mut self) -> Flow {
        while !self.book.bank_is_done(&self.bank) {
            self.draw_to_bank(Face::Up)?;
            self.break_after_bank_card()?;
            self.tell_bank_total();
        }
        Ok(())
    }

    /// What the main bet of a hand is owed.
    pub(super) fn owed(&self, hand: usize) -> Owed {
        let hand = &self.hands[hand];
        if hand.void {
            Owed::void(hand.at_stake())
        } else if hand.forfeit {
            Owed::lost(hand.at_stake())
        } else if hand.surrendered && !naive::is_black_jack(&self.bank) {
            let lost = self.book.half(hand.stake);
            Owed { outcome: Outcome::Surrender, stake: hand.stake, pay: 0, lost }
        } else {
            let bank = (self.book.bank_total(&self.bank), naive::is_black_jack(&self.bank));
            law::owed_against(bank, &hand.cards, hand.declared, hand.at_stake(), self.book.blackjack_of(hand))
        }
    }

    fn insurance_owed(&self, hand: usize) -> Option<Owed> {
        let hand = &self.hands[hand];
        match hand.insured_card {
            _ if hand.insurance == 0 => None,
            Some(second) if !hand.void => Some(law::insurance_owed(second, hand.insurance)),
            _ => Some(Owed::void(hand.insurance)),
        }
    }

    /// Losing stakes are collected, then winners paid, from left to right.
    pub(super) fn settle(&mut self) -> Flow {
        self.break_before_settlement();
        for hand in 0..self.hands.len() {
            self.collect_lost(hand);
            self.break_after_first_settled()?;
        }
        for hand in 0..self.hands.len() {
            self.pay_won(hand);
            self.break_after_first_settled()?;
        }
        for hand in 0..self.hands.len() {
            let id = self.hands[hand].id;
            let main = self.owed(hand);
            self.settled.push(Settled { hand: id, spot: BetSpot::Main, owed: main });
            if let Some(owed) = self.insurance_owed(hand) {
                self.settled.push(Settled { hand: id, spot: BetSpot::Insurance, owed });
            }
        }
        self.break_after_settlement()
    }

    fn collect_lost(&mut self, hand: usize) {
        let id = self.hands[hand].id;
        let main = self.owed(hand);
        if !self.hands[hand].settled && !self.waits_for_choice(hand) {
            if main.lost > 0 {
                self.emit(Event::Collect { hand: id, amount: main.lost, spot: BetSpot::Main });
                self.hands[hand].settled = true;
            }
            self.break_collect(hand, main);
        }
        if let Some(owed) = self.insurance_owed(hand).filter(|owed| owed.lost > 0) {
            self.emit(Event::Collect { hand: id, amount: owed.lost, spot: BetSpot::Insurance });
        }
    }

    fn pay_won(&mut self, hand: usize) {
        let id = self.hands[hand].id;
        let main = self.owed(hand);
        if main.pay > 0 && !self.hands[hand].settled && !self.withholds(hand) {
            let wrong = self.break_payment(hand, main);
            let amount = wrong.map_or(main.pay, |(_, amount)| amount);
            self.emit(Event::Pay { hand: id, amount, spot: BetSpot::Main });
            if let Some((kind, _)) = wrong {
                self.found(kind, Some(id.into()));
            }
            self.hands[hand].settled = true;
        }
        self.break_pay(hand, main);
        if let Some(owed) = self.insurance_owed(hand).filter(|owed| owed.pay > 0) {
            let wrong = self.takes(kinds::O4_PAY);
            let amount = if wrong { owed.pay / 2 } else { owed.pay };
            self.emit(Event::Pay { hand: id, amount, spot: BetSpot::Insurance });
            if wrong {
                self.found(kinds::O4_PAY, Some(id.into()));
            }
        }
    }

    /// Cards are cleared from left to right, the bank's last.
    pub(super) fn clear_felt(&mut self) {
        let mut places: Vec<Place> =
            self.hands.iter().filter(|hand| !hand.lies_empty()).map(|hand| hand.id.into()).collect();
        if !self.bank.is_empty() || self.bank_stray > 0 {
            places.push(Place::Bank);
        }
        let wrong = self.break_clearing(&mut places);
        for place in places {
            self.take_cards(place, Place::Discard, None);
            if let Some((kind, _, passed)) = wrong.filter(|&(_, early, _)| early == place) {
                self.found(kind, Some(passed));
            }
        }
    }
}

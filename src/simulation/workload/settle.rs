//! The bank's cards, what is collected and paid, and the end of the pass.

use super::cards::Owed;
use super::{Dealer, Flow, Hand, cards};
use sabot_law::table::event::Face;
use sabot_law::table::settings::{Insured, Surrender};
use sabot_law::table::{BetSpot, Event, HandId, Place, Rate};

impl Dealer {
    /// Whether a hand still plays against the bank.
    pub(super) fn is_in_play(&self, hand: usize) -> bool {
        let hand = &self.hands[hand];
        !hand.surrendered && !hand.even_money && !hand.settled && (hand.covered || hand.total() <= 21)
    }

    /// Whether the bank draws beyond two cards: somebody plays against it, and not with a Black Jack alone where that
    /// is not enough.
    fn bank_draws_on(&self) -> bool {
        let counts = |hand: usize| self.book.bank_draws_against_blackjacks || self.rate(hand).is_none();
        (0..self.hands.len()).any(|hand| self.is_in_play(hand) && counts(hand))
    }

    /// What is paid for the Black Jack a hand has, where it has one.
    fn rate(&self, hand: usize) -> Option<Rate> {
        let Hand { ref cards, split, split_ace, .. } = self.hands[hand];
        self.book.rate(split, split_ace).filter(|_| cards::is_black_jack(cards))
    }

    /// The bank has its second card seen and draws until it stands, where anybody plays against it, has insured
    /// against it or gave up what its Black Jack takes whole. Then doubled cards are turned up.
    pub(super) fn bank_plays(&mut self) -> Flow {
        let may_have_black_jack =
            self.bank.first().is_some_and(|&card| cards::is_ace(card) || cards::points(card) == 10);
        let late = (self.book.surrender == Surrender::Late && may_have_black_jack) || self.house.covers_bank();
        let needed = (0..self.hands.len()).any(|hand| {
            let Hand { insurance, surrendered, .. } = self.hands[hand];
            self.is_in_play(hand) || (insurance > 0 && self.insures_against_bank()) || (surrendered && late)
        });
        if !needed {
            // a covered card may be seen all the same
            if self.bank.len() > 1 && self.chance(50) {
                self.show_bank();
            }
            return Ok(());
        }
        if self.bank.len() > 1 {
            self.show_bank();
        } else {
            self.draw_to_bank(Face::Up)?;
            self.tell_bank_total();
        }
        let at_once = self.book.insurance_when == Insured::AfterPlay || self.chance(75);
        if self.insures_against_bank() && at_once {
            (0..self.hands.len()).for_each(|hand| self.settle_insurance(hand));
        }
        while self.bank_draws_on() && !self.book.bank_is_done(&self.bank) {
            self.draw_to_bank(Face::Up)?;
            self.tell_bank_total();
        }
        for hand in 0..self.hands.len() {
            if std::mem::take(&mut self.hands[hand].covered) {
                self.emit(Event::Reveal { at: self.hands[hand].id.into(), card: None });
            }
        }
        Ok(())
    }

    fn insures_against_bank(&self) -> bool {
        matches!(self.book.insurance_when, Insured::BeforePlay | Insured::AfterPlay)
    }

    fn show_bank(&mut self) {
        self.emit(Event::Reveal { at: Place::Bank, card: None });
        self.tell_bank_total();
    }

    fn tell_bank_total(&mut self) {
        self.announce_total(Place::Bank, self.book.bank_total(&self.bank));
    }

    /// What the main bet of a hand is owed.
    fn owed(&self, hand: usize) -> Owed {
        let Hand { stake, double, surrendered, even_money, .. } = self.hands[hand];
        let late = self.book.surrender == Surrender::Late && cards::is_black_jack(&self.bank);
        if surrendered && !late {
            Owed::lost(self.book.half(stake))
        } else if even_money {
            Owed::paid(stake)
        } else {
            self.book.against(&self.bank, self.hands[hand].total(), self.rate(hand), stake + double)
        }
    }

    /// The same of its insurance: against the bank's Black Jack, or that the own second card counts ten.
    fn insurance_owed(&self, hand: usize) -> Owed {
        let Hand { insurance, insured_card, .. } = self.hands[hand];
        let won = match self.insures_against_bank() {
            true => cards::is_black_jack(&self.bank),
            false => insured_card.is_some_and(|card| cards::points(card) == 10),
        };
        let rate = self.book.insurance;
        if won { Owed::paid(insurance * rate.pays / rate.per) } else { Owed::lost(insurance) }
    }

    /// The losers are collected before the winners are paid, or each hand is settled in its turn.
    pub(super) fn settle(&mut self) {
        let rounds: &[(bool, bool)] =
            if self.book.losers_first { &[(true, false), (false, true)] } else { &[(true, true)] };
        for &(collects, pays) in rounds {
            for hand in 0..self.hands.len() {
                let (main, insurance) = (self.owed(hand), self.insurance_owed(hand));
                if (collects && main.lost > 0) || (pays && main.pay > 0) {
                    self.settle_hand(hand);
                }
                if (collects && insurance.lost > 0) || (pays && insurance.pay > 0) {
                    self.settle_insurance(hand);
                }
            }
        }
    }

    /// Chips of the main bet move, once.
    pub(super) fn settle_hand(&mut self, hand: usize) {
        let owed = self.owed(hand);
        if !std::mem::replace(&mut self.hands[hand].settled, true) {
            self.chips_move(self.hands[hand].id, BetSpot::Main, owed);
        }
    }

    fn settle_insurance(&mut self, hand: usize) {
        let owed = self.insurance_owed(hand);
        let Hand { id, insurance, .. } = self.hands[hand];
        if insurance > 0 && !std::mem::replace(&mut self.hands[hand].insurance_settled, true) {
            self.chips_move(id, BetSpot::Insurance, owed);
        }
    }

    fn chips_move(&mut self, hand: HandId, spot: BetSpot, owed: Owed) {
        if owed.lost > 0 {
            self.emit(Event::Collect { hand, amount: owed.lost, spot });
        }
        if owed.pay > 0 {
            self.bank_holds(owed.pay);
            self.emit(Event::Pay { hand, amount: owed.pay, spot });
        }
    }

    /// Cards are cleared in the order of the deal, the bank's last.
    pub(super) fn clear_felt(&mut self) {
        for hand in 0..self.hands.len() {
            let cards = self.hands[hand].cards.len();
            self.clear(self.hands[hand].id.into(), cards);
        }
        self.clear(Place::Bank, self.bank.len());
    }

    fn clear(&mut self, from: Place, cards: usize) {
        if cards > 0 {
            self.emit(Event::Move { from, to: Place::Discard, cards: None });
            self.shoe.retired += cards;
        }
    }
}

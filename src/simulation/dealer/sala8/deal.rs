//! The two deliveries, and insurance between them.

use super::*;
use sabot_law::table::event::{Choice, Question};

impl Sala8<'_> {
    /// One card uncovered to each bet from left to right, and one to the bank.
    pub(super) fn first_delivery(&mut self) -> Flow {
        let mut hand = 0;
        while hand < self.hands.len() {
            hand += match self.break_before_first(hand)? {
                Some(dealt) => dealt,
                None => {
                    self.draw_to_hand(hand, Face::Up)?;
                    1
                }
            };
            self.break_during_first(hand)?;
        }
        if self.armed == Some(kinds::C13_FIRST) {
            return Ok(());
        }
        let face = if self.takes(kinds::D8_BANK_DOWN) { Face::Down } else { Face::Up };
        self.draw_to_bank(face)?;
        if face == Face::Down {
            self.found(kinds::D8_BANK_DOWN, Some(Place::Bank));
        }
        self.break_after_first();
        Ok(())
    }

    /// A second card uncovered to each bet, and one covered to the bank. Whose first card is an ace is asked about
    /// insurance, either all before the first of these cards or each before the own one.
    pub(super) fn second_delivery(&mut self) -> Flow {
        let all_before = self.chance(50);
        if all_before {
            for hand in 0..self.hands.len() {
                self.offer_insurance(hand);
            }
        }
        let mut hand = 0;
        while hand < self.hands.len() {
            if !all_before {
                self.offer_insurance(hand);
            }
            hand += match self.break_before_second(hand, all_before)? {
                Some(dealt) => dealt,
                None => {
                    self.second_card(hand)?;
                    1
                }
            };
            self.break_during_second(hand)?;
        }
        match self.takes_one(&[kinds::C7, kinds::C13_SECOND]) {
            Some(kinds::C13_SECOND) => self.bank_short = true,
            Some(_) => self.bank_serves_itself_face_up()?,
            None => self.draw_to_bank(Face::Down)?,
        }
        self.break_after_second()
    }

    /// The second card of a hand, which also decides its insurance.
    pub(super) fn second_card(&mut self, hand: usize) -> Flow {
        self.draw_to_hand(hand, Face::Up)?;
        let hand = &mut self.hands[hand];
        if hand.insurance > 0 && hand.insured_card.is_none() {
            hand.insured_card = hand.cards.last().copied();
        }
        Ok(())
    }

    /// The dealer asks "insure?" of a bettor whose first card is an ace.
    pub(super) fn offer_insurance(&mut self, hand: usize) {
        if self.break_before_insurance(hand) || !self.hands[hand].first_is_ace() {
            return;
        }
        let id = self.hands[hand].id;
        self.emit(Event::Ask { hand: id, about: Question::Insurance });
        let wrong_amount = self.armed == Some(kinds::O4_AMOUNT);
        let wanted = matches!(self.armed, Some(kinds::O4_AMOUNT | kinds::O4_PAY)) && hand == 0;
        let refused = self.armed == Some(kinds::O4_LATE) && hand == 0;
        if wanted || (!refused && self.chance(40)) {
            self.decide(hand, Choice::Insure);
            if wrong_amount && hand == 0 && self.break_insurance_amount(hand) {
                return;
            }
            self.lay_insurance(hand);
        } else {
            self.decide(hand, Choice::Decline);
        }
    }

    /// Half the stake on the insurance spot.
    pub(super) fn lay_insurance(&mut self, hand: usize) {
        let half = self.hands[hand].stake / 2;
        let id = self.hands[hand].id;
        self.put(id, BetSpot::Insurance, half, None);
        self.hands[hand].insurance = half;
    }
}

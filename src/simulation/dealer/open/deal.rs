//! The two deliveries.

use super::*;

impl Open<'_> {
    /// One card to each bet and one to the bank, then a second to each bet, all uncovered.
    pub(super) fn deliver(&mut self) -> Flow {
        let mut hand = 0;
        while hand < self.hands.len() {
            let dealt = if self.comes_to(Point::First(hand))? { Some(1) } else { self.break_first(hand)? };
            if dealt.is_none() {
                self.draw_to_hand(hand, Face::Up)?;
            }
            hand += dealt.unwrap_or(1);
            self.break_during_first(hand)?;
        }
        if !self.comes_to(Point::BankFirst)? {
            self.bank_first()?;
        }
        let mut hand = 0;
        while hand < self.hands.len() {
            let dealt = if self.comes_to(Point::Second(hand))? { Some(1) } else { self.break_second(hand)? };
            if dealt.is_none() {
                self.draw_to_hand(hand, Face::Up)?;
            }
            hand += dealt.unwrap_or(1);
            self.break_during_second(hand)?;
        }
        self.comes_to(Point::Delivered)?;
        Ok(())
    }

    fn bank_first(&mut self) -> Flow {
        match self.commits(Act::BankFaceDown) {
            Some(kind) => self.bank_card_down(kind)?,
            None => self.draw_to_bank(Face::Up)?,
        }
        self.break_after_first()
    }
}

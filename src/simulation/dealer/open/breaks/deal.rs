//! In the two deliveries.

use super::*;

impl Open<'_> {
    /// Whether a break that may come at any hand comes at this one.
    fn here(&mut self, last_chance: bool) -> bool {
        last_chance || self.chance(30)
    }

    /// In place of the first card of a hand; how many hands were seen to.
    pub(in super::super) fn break_first(&mut self, hand: usize) -> Flow<Option<usize>> {
        let Some(kind) = self.armed else { return Ok(None) };
        let left = self.hands.len() - hand;
        match kind.plan().act {
            Act::OmittedFirst if self.late_card_may_be_the_cut_card() => Ok(None),
            Act::PassedFirst | Act::OmittedFirst if left > 1 => {
                let omits = kind.plan().act == Act::OmittedFirst;
                if !self.here(left == 2 && !omits) || !self.takes(kind) {
                    return Ok(None);
                }
                let place = Place::Hand(self.hands[hand].id);
                self.draw_to_hand(hand + 1, Face::Up)?;
                self.also_found(Act::PassedFirst, place);
                if omits {
                    self.undealt = Some((hand, kind));
                } else {
                    self.draw_to_hand(hand, Face::Up)?;
                }
                Ok(Some(2))
            }
            // nobody notices the last one until the bank has its card
            Act::OmittedFirst if self.takes(kind) => {
                self.undealt = Some((hand, kind));
                Ok(Some(1))
            }
            _ => self.break_face_down(hand),
        }
    }

    /// Whether the cut card may come out where a box that was left out gets its card: for whom it then was is anybody's
    /// guess.
    fn late_card_may_be_the_cut_card(&self) -> bool {
        self.rules.refills && !self.shoe.cut_card_out && self.shoe.before_cut_card() <= 2 * self.hands.len() + 2
    }

    /// A box's card lies covered and is turned.
    fn break_face_down(&mut self, hand: usize) -> Flow<Option<usize>> {
        let Some(kind) = self.intends(Act::BoxFaceDown).filter(|_| self.chance(20)) else { return Ok(None) };
        if !self.takes(kind) {
            return Ok(None);
        }
        let place = Place::Hand(self.hands[hand].id);
        self.draw_to_hand(hand, Face::Down)?;
        self.found(kind, Some(place));
        self.emit(Event::Reveal { at: place, card: None });
        Ok(Some(1))
    }

    /// A card of the bank lies covered and is turned.
    pub(in super::super) fn bank_card_down(&mut self, kind: Kind) -> Flow {
        self.draw_to_bank(Face::Down)?;
        self.found(kind, Some(Place::Bank));
        self.emit(Event::Reveal { at: Place::Bank, card: None });
        Ok(())
    }

    /// After the first card of the hand before `next`.
    pub(in super::super) fn break_during_first(&mut self, next: usize) -> Flow {
        let hands = self.hands.len();
        if let Some(kind) = self.intends(Act::SecondTooSoon).filter(|_| next < hands)
            && self.here(next + 1 == hands)
        {
            let served = self.rng.random_range(0..next);
            let place = self.hands[served].id.into();
            if self.takes(kind) {
                self.undue_card(kind, place, &[Ruling::Resume])?;
            }
        }
        self.break_chips_in_delivery();
        Ok(())
    }

    fn break_chips_in_delivery(&mut self) {
        if self.chance(20) {
            self.bet_late(Act::BetInDelivery);
        }
        if self.chance(10) {
            self.change_bet();
        }
    }

    /// The bank has its first card: a box without one is noticed.
    pub(in super::super) fn break_after_first(&mut self) -> Flow {
        match self.undealt {
            Some((hand, kind)) if kind.plan().act == Act::OmittedFirst => self.late_card(hand, kind),
            _ => Ok(()),
        }
    }

    /// A box that was left out: the room has it served, or makes its bet void.
    fn late_card(&mut self, hand: usize, kind: Kind) -> Flow {
        self.undealt = None;
        let place = self.hands[hand].id.into();
        let row = self.found(kind, Some(place));
        if self.unremedied {
            self.left_open(row);
        } else {
            let decision = if self.chance(50) { Ruling::Resume } else { Ruling::Void };
            self.rules(decision);
            self.cleared(row);
            self.hands[hand].void = decision == Ruling::Void;
        }
        if !self.hands[hand].void {
            self.draw_to_hand(hand, Face::Up)?;
        }
        Ok(())
    }

    /// In place of the second card of a hand; how many hands were seen to.
    pub(in super::super) fn break_second(&mut self, hand: usize) -> Flow<Option<usize>> {
        if self.hands[hand].void {
            return Ok(Some(1));
        }
        let Some(kind) = self.armed else { return Ok(None) };
        let left = self.hands.len() - hand;
        // an earlier hand has to play, for its box to be found out before its turn
        let found_out = self.hands[..hand].iter().any(Hand::waits);
        match kind.plan().act {
            Act::OmittedSecond if self.late_card_may_be_the_cut_card() => Ok(None),
            Act::PassedSecond | Act::OmittedSecond if left > 1 => {
                let omits = kind.plan().act == Act::OmittedSecond;
                if (omits && !found_out) || !self.here(left == 2 && !omits) || !self.takes(kind) {
                    return Ok(None);
                }
                let place = Place::Hand(self.hands[hand].id);
                self.draw_to_hand(hand + 1, Face::Up)?;
                self.also_found(Act::PassedSecond, place);
                if omits {
                    self.undealt = Some((hand, kind));
                } else {
                    self.draw_to_hand(hand, Face::Up)?;
                }
                Ok(Some(2))
            }
            Act::OmittedSecond if found_out && self.takes(kind) => {
                self.undealt = Some((hand, kind));
                Ok(Some(1))
            }
            _ => self.break_face_down(hand),
        }
    }

    /// After the second card of the hand before `next`.
    pub(in super::super) fn break_during_second(&mut self, next: usize) -> Flow {
        if let Some(kind) = self.intends(Act::ThirdInDelivery).filter(|_| !self.hands[0].void && !self.may_double(0))
            && self.here(next == self.hands.len())
        {
            let place = self.hands[0].id.into();
            if self.takes(kind) {
                self.undue_card(kind, place, &[Ruling::Resume, Ruling::Void])?;
            }
        }
        self.break_chips_in_delivery();
        Ok(())
    }

    /// The first question of the play: a box with one card is noticed.
    pub(in super::super) fn break_at_ask(&mut self) -> Flow {
        if let Some((hand, kind)) = self.undealt {
            self.late_card(hand, kind)?;
            // it may have made a Black Jack of it
            if self.rules.blackjack_at_once {
                self.pay_black_jacks();
            }
        }
        self.play_begins();
        Ok(())
    }

    /// The first event of the play has come, or the bank's second card where nobody plays.
    pub(in super::super) fn play_begins(&mut self) {
        for (kind, place) in std::mem::take(&mut self.at_play) {
            self.found(kind, Some(place));
        }
    }
}

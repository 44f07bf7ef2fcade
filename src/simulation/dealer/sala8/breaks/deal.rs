//! In the two deliveries.

use super::*;

impl Sala8<'_> {
    /// Whether a break that may come at any hand comes at this one.
    fn here(&mut self, last_chance: bool) -> bool {
        last_chance || self.chance(30)
    }

    /// In place of the first card of a hand; how many hands were seen to.
    pub(in super::super) fn break_before_first(&mut self, hand: usize) -> Flow<Option<usize>> {
        let hands = self.hands.len();
        let place = Place::Hand(self.hands[hand].id);
        let armed = self.armed;
        match armed {
            Some(kind @ (kinds::D8_FIRST | kinds::C10)) if hand + 1 < hands => {
                if !self.here(hand + 2 == hands) || !self.takes(kind) {
                    return Ok(None);
                }
                self.draw_to_hand(hand + 1, Face::Up)?;
                self.found(kinds::D8_FIRST, Some(place));
                if kind == kinds::C10 {
                    self.undealt = Some((hand, kind));
                } else {
                    self.draw_to_hand(hand, Face::Up)?;
                }
                Ok(Some(2))
            }
            Some(kind @ kinds::C10_LAST) if hand + 1 == hands && self.takes(kind) => {
                self.undealt = Some((hand, kind));
                Ok(Some(1))
            }
            Some(kind @ kinds::D8_BOX_DOWN) if self.chance(20) && self.takes(kind) => self.box_card_down(hand),
            _ => Ok(None),
        }
    }

    /// A card that belongs up lies covered and is turned.
    fn box_card_down(&mut self, hand: usize) -> Flow<Option<usize>> {
        let place = Place::Hand(self.hands[hand].id);
        self.draw_to_hand(hand, Face::Down)?;
        self.found(kinds::D8_BOX_DOWN, Some(place));
        self.emit(Event::Reveal { at: place, card: None });
        Ok(Some(1))
    }

    /// After the first card of the hand before `next`.
    pub(in super::super) fn break_during_first(&mut self, next: usize) -> Flow {
        let hands = self.hands.len();
        if next < hands && self.armed == Some(kinds::C5_EARLY) && self.here(next + 1 == hands) {
            self.takes(kinds::C5_EARLY);
            let served = self.rng.random_range(0..next);
            let place = self.hands[served].id.into();
            self.undue_card(kinds::C5_EARLY, place)?;
        }
        self.break_chips_in_delivery();
        Ok(())
    }

    fn break_chips_in_delivery(&mut self) {
        if self.armed == Some(kinds::C3_DELIVERY) && self.chance(20) {
            self.late_chips(kinds::C3_DELIVERY);
        }
        if self.chance(10) {
            self.changed_bet();
        }
    }

    /// The first delivery is closed: a box without a card does not take part.
    pub(in super::super) fn break_after_first(&mut self) {
        let Some((hand, kind)) = self.undealt.take() else { return };
        let id = self.hands.remove(hand).id;
        let row = self.found(kind, Some(id.into()));
        self.returns(row, id, BetSpot::Main);
    }

    /// Before the dealer asks about insurance; whether he does not.
    pub(in super::super) fn break_before_insurance(&mut self, hand: usize) -> bool {
        let Hand { id, stake, .. } = self.hands[hand];
        if self.hands[hand].first_is_ace() {
            return self.takes_on(hand, kinds::C8_INSURANCE);
        }
        if self.takes(kinds::O4_NO_ACE) {
            self.undue_chips(kinds::O4_NO_ACE, id, BetSpot::Insurance, stake / 2, None);
        }
        false
    }

    /// Insurance of another amount than half; whether it is left so.
    pub(in super::super) fn break_insurance_amount(&mut self, hand: usize) -> bool {
        let Hand { id, stake, .. } = self.hands[hand];
        if self.takes(kinds::O4_AMOUNT) {
            let amount = if self.chance(50) { stake } else { stake / 2 - STEP / 2 };
            self.undue_chips(kinds::O4_AMOUNT, id, BetSpot::Insurance, amount, None);
            return self.unremedied;
        }
        false
    }

    /// In place of the second card of a hand; how many hands were seen to.
    pub(in super::super) fn break_before_second(&mut self, hand: usize, all_asked: bool) -> Flow<Option<usize>> {
        let hands = self.hands.len();
        let ace = self.hands[hand].first_is_ace();
        let armed = self.armed;
        match armed {
            Some(kind @ kinds::C13_FIRST) if self.takes(kind) => {
                self.second_card(hand)?;
                self.bank_was_left_out(kind, &[Face::Up])?;
                Ok(Some(1))
            }
            Some(kind @ (kinds::D8_SECOND | kinds::C4_REFUSED | kinds::C4_AGREED)) if hand + 1 < hands && !ace => {
                if !self.here(hand + 2 == hands) || !self.takes(kind) {
                    return Ok(None);
                }
                if !all_asked {
                    self.offer_insurance(hand + 1);
                }
                self.second_card(hand + 1)?;
                let passed = self.hands[hand].id.into();
                self.found(kinds::D8_SECOND, Some(passed));
                if kind == kinds::D8_SECOND {
                    self.second_card(hand)?;
                } else {
                    self.undealt = Some((hand, kind));
                }
                Ok(Some(2))
            }
            Some(kind @ kinds::C4_LAST) if hand + 1 == hands && !ace && self.takes(kind) => {
                self.undealt = Some((hand, kind));
                Ok(Some(1))
            }
            Some(kind @ kinds::D8_BOX_DOWN) if !ace && self.takes(kind) => self.box_card_down(hand),
            _ => Ok(None),
        }
    }

    /// After the second card of the hand before `next`.
    pub(in super::super) fn break_during_second(&mut self, next: usize) -> Flow {
        if self.armed == Some(kinds::C6_DELIVERY) && self.here(next == self.hands.len()) {
            self.takes(kinds::C6_DELIVERY);
            self.third_card(kinds::C6_DELIVERY)?;
        }
        self.break_chips_in_delivery();
        Ok(())
    }

    /// A third card to the first hand before play: its bet is void, its cards are burned.
    fn third_card(&mut self, kind: Kind) -> Flow {
        self.draw_to_hand(0, Face::Up)?;
        let id = self.hands[0].id;
        let row = self.found(kind, Some(id.into()));
        self.hands[0].void = true;
        if self.unremedied {
            self.left_open(row);
        } else {
            let cards = self.chance(50).then_some(3);
            self.take_cards(id.into(), Place::Burn, cards);
            self.cleared(row);
            self.hands[0].cards.clear();
            if self.chance(50) {
                self.put(id, BetSpot::Main, 0, None);
            }
        }
        Ok(())
    }

    /// The bank's second card uncovered: burned, and another served.
    pub(in super::super) fn bank_serves_itself_face_up(&mut self) -> Flow {
        self.draw(Place::Bank, Face::Up)?;
        let row = self.found(kinds::C7, Some(Place::Bank));
        self.take_cards(Place::Bank, Place::Burn, Some(1));
        self.draw_to_bank(Face::Down)?;
        self.cleared(row);
        Ok(())
    }

    /// The second delivery is closed: a box with one card is noticed.
    pub(in super::super) fn break_after_second(&mut self) -> Flow {
        if let Some((hand, kind)) = self.undealt.take() {
            self.one_card_only(hand, kind)?;
        }
        // to an eleven nobody asked about doubling, the third card is valid (C8): another pass will do
        if !naive::is_eleven(&self.hands[0].cards) && self.takes(kinds::C6_AFTER) {
            self.third_card(kinds::C6_AFTER)?;
        }
        let late = self.hands.iter().position(|hand| hand.first_is_ace() && hand.insurance == 0);
        if let Some(hand) = late.filter(|_| self.takes(kinds::O4_LATE)) {
            let Hand { id, stake, .. } = self.hands[hand];
            self.undue_chips(kinds::O4_LATE, id, BetSpot::Insurance, stake / 2, None);
        }
        Ok(())
    }

    fn one_card_only(&mut self, hand: usize, kind: Kind) -> Flow {
        let id = self.hands[hand].id;
        let row = self.found(kind, Some(id.into()));
        let yes = kind == kinds::C4_AGREED || (kind == kinds::C4_LAST && self.chance(50));
        self.emit(Event::Consent { hand: id, yes });
        if yes {
            self.second_card(hand)?;
            self.cleared(row);
            return Ok(());
        }
        self.hands[hand].void = true;
        if self.unremedied {
            self.left_open(row);
        } else {
            self.take_cards(id.into(), Place::Burn, None);
            self.cleared(row);
            self.hands[hand].cards.clear();
        }
        Ok(())
    }
}

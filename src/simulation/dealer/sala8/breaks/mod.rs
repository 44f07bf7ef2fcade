//! How the book is broken: one function a point of the pass, in the files of its parts.
//!
//! A break is minimal: the flow goes on as if it had not been, once its remedy is carried out or left out.

mod bank;
mod deal;
mod opening;
mod play;

use super::*;
use sabot_law::table::event::Taken;

impl Sala8<'_> {
    /// A card nobody is due, to a place: it is burned, or left lying there.
    fn undue_card(&mut self, kind: Kind, to: Place) -> Flow {
        self.draw(to, Face::Up)?;
        let row = self.found(kind, Some(to));
        if self.unremedied {
            self.left_open(row);
            match self.hands.iter_mut().find(|hand| Place::Hand(hand.id) == to) {
                Some(hand) => hand.stray += 1,
                None => self.bank_stray += 1,
            }
        } else {
            self.take_cards(to, Place::Burn, Some(1));
            self.cleared(row);
        }
        Ok(())
    }

    /// The bank was left out or lost cards: authorised, announced and served, or announced without authorisation.
    pub(super) fn bank_was_left_out(&mut self, kind: Kind, faces: &[Face]) -> Flow {
        let row = self.found(kind, Some(Place::Bank));
        if !self.unremedied {
            self.authorize(Permit::NextCardsForBank, Authority::Inspector);
        }
        self.emit(Event::Announce { what: Announcement::NextCardsForBank, place: None, value: None });
        if self.unremedied {
            self.breached(row);
        }
        for &face in faces {
            self.draw_to_bank(face)?;
        }
        if !self.unremedied {
            self.cleared(row);
        }
        Ok(())
    }

    fn chooses(&mut self, hand: usize, option: Taken) {
        let id = self.hands[hand].id;
        self.emit(Event::Choose { hand: id, option });
    }

    /// A bettor takes the bet back, and often the chips too.
    fn withdraws(&mut self, hand: usize) {
        self.hands[hand].void = true;
        let Hand { id, double, .. } = self.hands[hand];
        if self.chance(50) {
            self.put(id, BetSpot::Main, 0, None);
            if double > 0 {
                self.put(id, BetSpot::Double, 0, None);
            }
        }
    }

    /// Chips on a box without a bet, after the first card.
    fn late_chips(&mut self, kind: Kind) {
        let Some(box_no) = self.empty_box() else { return };
        let player = match &self.seats[usize::from(box_no) - 1] {
            Some(player) => Some(player.clone()),
            None => self.seated_player(None),
        };
        if player.is_some() && self.takes(kind) {
            let stake = self.stake();
            self.undue_chips(kind, HandId::first(box_no), BetSpot::Main, stake, player);
        }
    }

    /// A bet changed after the first card, and often put back.
    fn changed_bet(&mut self) {
        let kinds = [kinds::C16_RAISE, kinds::C16_LOWER, kinds::C16_REMOVE];
        let Some(kind) = self.takes_one(&kinds) else { return };
        let Some(hand) = self.hands.iter().position(|hand| !hand.split && !hand.void) else { return };
        let Hand { id, stake, .. } = self.hands[hand];
        let amount = match kind {
            kinds::C16_RAISE => stake + STEP,
            kinds::C16_LOWER => stake - STEP,
            _ => 0,
        };
        self.put(id, BetSpot::Main, amount, None);
        self.found(kind, Some(id.into()));
        if self.settings.seen_by_devices || self.chance(50) {
            self.put(id, BetSpot::Main, stake, None);
        }
    }

    /// The break in hand, on this hand only; for the kinds that are noticed by a later card.
    pub(super) fn takes_on(&mut self, hand: usize, kind: Kind) -> bool {
        let taken = self.takes(kind);
        if taken {
            self.unasked = Some((hand, kind));
        }
        taken
    }

    /// The cut card has come out: perhaps the shoe will be empty soon.
    pub(super) fn break_after_cut_card(&mut self) {
        if self.armed == Some(kinds::D7_EMPTY) {
            self.empty_after = Some(self.rng.random_range(0..5));
        }
    }

    /// The shoe is empty while a card is due.
    pub(super) fn break_when_empty(&mut self) -> Flow {
        match &mut self.empty_after {
            Some(0) => self.runs_empty(),
            Some(cards) => {
                *cards -= 1;
                Ok(())
            }
            None => Ok(()),
        }
    }

    pub(super) fn runs_empty<T>(&mut self) -> Flow<T> {
        self.takes(kinds::D7_EMPTY);
        self.emit(Event::Device { device: "shoe".into(), status: "empty".into(), detail: None, complete: false });
        let row = self.found(kinds::D7_EMPTY, None);
        // the bets are void of themselves: nothing is left to do
        self.truth[row].ends = Ends::Noted;
        Err(PassVoid)
    }

    /// What a card is noticed by.
    pub(super) fn break_after_draw(&mut self, to: Place) -> Flow {
        if self.takes(kinds::M1_CARD) {
            self.room_rules_on(kinds::M1_CARD, None);
        }
        if let Some((_, kind)) = self.unasked.filter(|&(hand, _)| Place::Hand(self.hands[hand].id) == to) {
            self.unasked = None;
            self.found(kind, Some(to));
        }
        match self.passed_double {
            Some((hand, kind)) if Place::Hand(self.hands[hand].id) != to => self.offers_next_card(hand, kind),
            _ => Ok(()),
        }
    }

    fn offers_next_card(&mut self, hand: usize, kind: Kind) -> Flow {
        self.passed_double = None;
        let place = self.hands[hand].id.into();
        let row = self.found(kind, Some(place));
        if kind == kinds::C9_WITHDRAW {
            self.chooses(hand, Taken::Withdraw);
            self.cleared(row);
            self.withdraws(hand);
            return Ok(());
        }
        self.chooses(hand, Taken::NextCard);
        self.cleared(row);
        self.double_card(hand, Face::Down)
    }
}

//! What a ruling makes of the facts.
//!
//! What a finding leaves to stand is said beside it, as the effects that letting it stand has.

use alloc::vec::Vec;

use super::apply::Effect;
use super::betting_box::Standing;
use super::duty::Part;
use super::hand_index::Status;
use super::state::State;
use crate::table::event::{Ruling, Taken};
use crate::table::place::MAX_HANDS;
use crate::table::{BetSpot, Card, HandId, Place, Rank};

impl State {
    /// Whether a finding at a place may be decided so: a bet that is not there can be neither returned nor lost, and to
    /// go on from a finding it must be the room's.
    #[must_use]
    pub fn may_be_ruled(&self, decision: Ruling, place: Option<Place>, is_for_room: bool) -> bool {
        match (decision, place) {
            (Ruling::Void | Ruling::Lose, Some(Place::Hand(id))) => {
                self.pass.bet(id).is_some() || self.pass.is_mid_pass()
            }
            (Ruling::Void | Ruling::Stands, _) => true,
            (Ruling::Lose, _) => false,
            (Ruling::Resume, _) => is_for_room,
        }
    }

    /// Decides about a finding at a place. `stands` is what letting be what lies makes of it, `resumes` what going on
    /// does.
    pub fn rule(&mut self, decision: Ruling, place: Option<Place>, stands: &[Effect], resumes: Option<Effect>) {
        match (decision, place) {
            (Ruling::Stands, _) => stands.iter().for_each(|effect| self.effect(*effect)),
            (Ruling::Void, Some(Place::Hand(id))) => self.void(id),
            (Ruling::Void, _) => self.effect(Effect::PassVoid),
            (Ruling::Lose, Some(Place::Hand(id))) => self.lose(id),
            (Ruling::Resume, _) => resumes.into_iter().for_each(|effect| self.effect(effect)),
            (Ruling::Lose, _) => {}
        }
    }

    /// The bet of a box is returned, or that of one hand where the box was split.
    fn void(&mut self, id: HandId) {
        if self.pass.betting_box(id.box_no).is_none_or(|betting_box| betting_box.splits() == 0) {
            return self.pass.take_out(id.box_no);
        }
        self.pass.change_hand(id, |hand| {
            hand.void = true;
            hand.insurance_won = None;
        });
    }

    /// The bet of a box is lost, or that of one hand where the box was split, whatever was made of it before.
    fn lose(&mut self, id: HandId) {
        match self.pass.betting_box(id.box_no).map(|betting_box| betting_box.standing) {
            Some(Standing::Out) => self.let_in(id.box_no),
            Some(Standing::Refused | Standing::None) => self.count_as_it_lies(HandId::first(id.box_no), BetSpot::Main),
            Some(Standing::In) | None => {}
        }
        self.pass.change_hand(id, |hand| {
            hand.void = false;
            hand.lost = true;
        });
    }

    /// The pass goes on without the cards that a hand has in the discard tray: it plays with those that are left to it,
    /// or is dealt to again where its deliveries still come. With less than two and none to come its bet is without
    /// effect.
    pub(super) fn go_without(&mut self, id: HandId) {
        let Some(hand) = self.pass.hand(id) else { return };
        let comes = match hand.count() {
            _ if self.delivered() || hand.lost_its_delivery() => false,
            0 => self.is_in_first_delivery() || !self.settings.delivery.strict_rounds,
            _ => true,
        };
        if !comes && hand.count() < 2 {
            return self.void(id);
        }
        self.pass.change_hand(id, |hand| hand.discarded = None);
    }

    /// A card dealt by mistake counts where it lies, in the order in which it came.
    pub(super) fn count_misdealt(&mut self, place: Place, card: Card) {
        self.pass.change_cards(place, |cards| cards.let_stand(card));
        self.supply.let_stay(card, place);
        if let Place::Hand(id) = place {
            self.pass.change_hand(id, |hand| {
                hand.wants_card = false;
                hand.dealt_next &= hand.count() < 2;
                hand.had_blackjack |= hand.is_blackjack();
            });
        }
        if place == Place::Bank {
            // where bets are not seen, who still waits for his first card is not known
            let may_wait = !self.observes.bets || !self.pass.hands_with(Status::First).is_empty();
            let is_first_open = !self.pass.is_in_second_delivery() && may_wait;
            let (waits, bank) = (self.pass.boxes_wait(), &mut self.pass.bank);
            let before = bank.served;
            bank.count_served();
            bank.before_boxes |= before == 0 && is_first_open;
            bank.done_before_boxes |= before < 2 && bank.served == 2 && waits;
            self.bank_has_two();
        }
    }

    /// A box that was taken out of the pass takes part in it, where its chips still lie there.
    pub(super) fn let_in(&mut self, box_no: u8) {
        let id = HandId::first(box_no);
        if self.observes.bets && self.pass.lies_on(id, BetSpot::Main) == 0 {
            return;
        }
        self.pass.let_in(box_no);
        self.decide_insurances_of(box_no);
    }

    /// What lies on a spot counts as it lies.
    pub(super) fn count_as_it_lies(&mut self, id: HandId, spot: BetSpot) {
        let amount = self.pass.lies_on(id, spot);
        let was_late = spot == BetSpot::Main && self.pass.is_late_bet(id);
        let mut rules = self.settings.split;
        rules.max_hands = MAX_HANDS as u8;
        // one that joins late gets what the deliveries bring it no more
        let (is_dealt, comes_no_more) = (self.pass.is_dealt(), if self.delivered() { 2 } else { 1 });
        let Some(betting_box) = self.pass.betting_box_mut(id.box_no) else { return };
        let n = usize::from(id.hand);
        match spot {
            BetSpot::Main if self.observes.bets && amount == 0 => betting_box.take_bet_off(),
            BetSpot::Main => {
                let joins = is_dealt && betting_box.standing != Standing::In;
                betting_box.count_bet(n, amount);
                let hand = betting_box.hand_mut(n);
                hand.dealt_next |= joins && hand.count() < comes_no_more;
            }
            BetSpot::Double if amount > 0 => betting_box.hand_mut(n).bet_double(amount),
            BetSpot::Split => betting_box.bet_split(n, amount, rules),
            BetSpot::Insurance => betting_box.hand_mut(n).insurance = amount,
            BetSpot::Double => {}
        }
        self.pass.reindex(id.box_no);
        if was_late {
            self.count_dealt_to_late_bet(id);
        }
        self.decide_insurances_of(id.box_no);
    }

    /// Cards that were dealt to a late bet were no finding of their own: they count with it.
    fn count_dealt_to_late_bet(&mut self, id: HandId) {
        let place = Place::from(id);
        let dealt: Vec<Card> = self.pass.lying_at(place).iter().map(|held| held.card).collect();
        dealt.into_iter().for_each(|card| self.count_misdealt(place, card));
    }

    /// Insurances of a box that the cards have decided already.
    pub(super) fn decide_insurances_of(&mut self, box_no: u8) {
        let against_bank = self.settings.insures_against_bank();
        let bank = (self.pass.bank.served >= 2 && !self.pass.bank.is_covered()).then_some(self.pass.bank.had_blackjack);
        let Some(betting_box) = self.pass.betting_box_mut(box_no) else { return };
        for (n, hand) in (0..).zip(&mut betting_box.hands) {
            let is_open = hand.insurance > 0 && !hand.void && hand.insurance_won.is_none();
            let hides = || hand.is_covered() || hand.gave_second_away(HandId { box_no, hand: n });
            if is_open && (against_bank || !hides()) {
                hand.insurance_won = if against_bank { bank } else { hand.rank(1).map(Rank::is_ten) };
            }
        }
        self.pass.reindex(box_no);
    }

    /// What the bank has counts as its deliveries.
    pub(super) fn let_bank_be(&mut self) {
        let (waits, bank) = (self.pass.boxes_wait(), &mut self.pass.bank);
        bank.done_before_boxes = bank.served < 2 && waits;
        bank.served = 2;
        (bank.owed, bank.owes_covered) = (0, false);
        self.bank_has_two();
    }

    /// The first hand without the cards of its deliveries that the room lets take part: it is dealt next.
    pub(super) fn dealt_next(&self) -> Option<HandId> {
        let second = if self.delivered() { Some(self.pass.hands_with(Status::Second)) } else { None };
        let waiting = self.pass.hands_with(Status::First).chain(second.into_iter().flatten());
        waiting.into_iter().find(|id| self.pass.hand(*id).is_some_and(|hand| hand.dealt_next))
    }
}

impl Part {
    /// What it makes of the facts that this part of a remedy falls away, and what lies, lies.
    #[must_use]
    pub const fn let_be(self) -> Option<Effect> {
        match self {
            Self::Void(id) => Some(Effect::In(id.box_no)),
            Self::Return { hand, spot, .. } => Some(Effect::Lies(hand, spot)),
            Self::Offer(id, [Taken::Play, _]) => Some(Effect::Done(id)),
            Self::AskConsent(id) | Self::Offer(id, _) | Self::Serve(Place::Hand(id)) => Some(Effect::AsItIs(id)),
            Self::Serve(Place::Bank) => Some(Effect::BankAsItIs),
            _ => None,
        }
    }
}

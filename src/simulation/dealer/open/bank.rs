//! The bank's cards, the settlement, and the end of the pass.

use super::*;

impl Open<'_> {
    /// Whether a hand still plays against the bank.
    pub(in super::super) fn is_in_play(&self, hand: usize) -> bool {
        let hand = &self.hands[hand];
        let decided = hand.void || hand.forfeit || hand.surrendered || hand.even_money || hand.settled;
        !decided && !hand.is_over()
    }

    /// The bank takes its second card and draws to 17, where anybody plays against it or is insured.
    pub(super) fn bank_plays(&mut self) -> Flow {
        let hands = 0..self.hands.len();
        let insured = |hand: usize| self.hands[hand].insurance > 0 && !self.hands[hand].void;
        if !hands.clone().any(|hand| self.is_in_play(hand)) && !hands.clone().any(insured) {
            return self.break_idle();
        }
        if self.bank.len() == 1 && self.any_in_play() && self.commits(Act::BreakOff).is_some() {
            return Err(self.break_off());
        }
        if self.break_before_bank()? {
            return Ok(());
        }
        let draws_on = hands.clone().any(|hand| self.is_in_play(hand));
        while self.bank.len() < 2 || (draws_on && self.bank_total() < 17) {
            let down = if self.bank.len() == 1 { self.commits(Act::BankSecondFaceDown) } else { None };
            match down {
                Some(kind) => self.bank_card_down(kind)?,
                None => self.draw_to_bank(Face::Up)?,
            }
            self.play_begins();
            self.tell_bank_total();
            if self.bank.len() == 2 && (self.rules.insurance_at_once || self.chance(75)) {
                self.settle_insurance();
            }
        }
        self.comes_to(Point::BankStands)?;
        self.break_after_bank()
    }

    pub(super) fn tell_bank_total(&mut self) {
        let total = self.bank_total();
        match self.commits(Act::WrongBankTotal) {
            Some(kind) => {
                let wrong = if self.chance(50) { total + 1 } else { total - 1 };
                self.announce_total(Place::Bank, wrong);
                self.found(kind, Some(Place::Bank));
            }
            None => self.announce_total(Place::Bank, total),
        }
    }

    /// What the main bet of a hand is owed.
    pub(in super::super) fn owed(&self, hand: usize) -> Owed {
        let hand = &self.hands[hand];
        let stake = hand.at_stake();
        if hand.void {
            Owed::void(stake)
        } else if hand.forfeit {
            Owed::lost(stake)
        } else if hand.surrendered {
            law::surrendered(stake, self.settings.house.unit)
        } else if hand.even_money {
            law::even_money(stake)
        } else {
            let played = law::Played { cards: &hand.cards, stake, split: hand.split };
            law::main_owed(played, &self.bank, self.rules.blackjack)
        }
    }

    fn insurance_owed(&self, hand: usize) -> Option<Owed> {
        let Hand { insurance, void, .. } = self.hands[hand];
        match insurance {
            0 => None,
            stake if void => Some(Owed::void(stake)),
            stake => Some(law::insurance_owed(&self.bank, stake)),
        }
    }

    /// Every insurance is settled at the bank's second card, or with the other bets.
    fn settle_insurance(&mut self) {
        for hand in 0..self.hands.len() {
            let Some(owed) = self.insurance_owed(hand) else { continue };
            let settled = std::mem::replace(&mut self.hands[hand].insurance_settled, true);
            if settled || self.break_insurance(hand, owed) {
                continue;
            }
            let (hand, spot) = (self.hands[hand].id, BetSpot::Insurance);
            if owed.pay > 0 {
                self.pay_out(hand, owed.pay, spot);
            } else if owed.lost > 0 {
                self.emit(Event::Collect { hand, amount: owed.lost, spot });
            }
        }
    }

    /// A hand that is over is often collected at once.
    pub(super) fn collect_over(&mut self, hand: usize) {
        if !self.hands[hand].void && self.hands[hand].is_over() && !self.keeps_for_settlement() && self.chance(50) {
            self.collect(hand);
        }
    }

    /// What is lost of a main bet is taken.
    pub(in super::super) fn collect(&mut self, hand: usize) {
        let (id, amount) = (self.hands[hand].id, self.owed(hand).lost);
        self.emit(Event::Collect { hand: id, amount, spot: BetSpot::Main });
        self.hands[hand].settled = true;
    }

    /// What a main bet won is paid.
    pub(in super::super) fn pay(&mut self, hand: usize) {
        let (id, amount) = (self.hands[hand].id, self.owed(hand).pay);
        self.pay_out(id, amount, BetSpot::Main);
        self.hands[hand].settled = true;
    }

    /// Chips out of the bank.
    pub(in super::super) fn pay_out(&mut self, hand: HandId, amount: Cents, spot: BetSpot) {
        // whatever the house does there, it cannot end the pass
        let _ = self.comes_to(Point::Pays(amount));
        self.emit(Event::Pay { hand, amount, spot });
        if let Some(kind) = self.overdraws.take() {
            self.found(kind, None);
        }
    }

    /// Whether that much is in the bank.
    pub(in super::super) fn affords(&self, amount: Cents) -> bool {
        self.rota.affords(amount)
    }

    /// Every hand in order is collected or paid.
    pub(super) fn settle(&mut self) -> Flow {
        self.settle_insurance();
        for hand in 0..self.hands.len() {
            self.break_settle_order(hand);
            if !self.comes_to(Point::Settle(hand))? {
                self.settle_hand(hand);
            }
            self.break_after_settling(hand)?;
        }
        self.tell_settled();
        self.comes_to(Point::Settled)?;
        self.break_when_settled()
    }

    /// What every bet was owed.
    pub(super) fn tell_settled(&mut self) {
        for hand in 0..self.hands.len() {
            let id = self.hands[hand].id;
            let main = self.owed(hand);
            self.settled.push(Settled { hand: id, spot: BetSpot::Main, owed: main });
            if let Some(owed) = self.insurance_owed(hand).filter(|_| self.bank.len() > 1) {
                self.settled.push(Settled { hand: id, spot: BetSpot::Insurance, owed });
            }
        }
    }

    pub(in super::super) fn settle_hand(&mut self, hand: usize) {
        let main = self.owed(hand);
        if !self.hands[hand].settled && !self.withholds(hand, main) {
            let due = main.lost > 0 || main.pay > 0;
            let passed = if due { self.passed_over.take() } else { None };
            if main.lost > 0 {
                self.collect_or_break(hand, main);
            } else if main.pay > 0 {
                self.pay_or_break(hand, main);
            }
            if let Some(place) = passed.filter(|_| self.bank.len() > 1) {
                self.also_found(Act::SettleAhead, place);
            }
        }
        self.break_money(hand, main);
    }

    /// Cards are cleared in the order of the deal, the bank's last.
    pub(super) fn clear_felt(&mut self) {
        // cards cleared before the bank is done would be taken too early
        if self.at_end.iter().any(|(kind, _)| kind.plan().act == Act::EndEarly) {
            return;
        }
        let mut places: Vec<Place> =
            self.hands.iter().filter(|hand| !hand.lies_empty()).map(|hand| hand.id.into()).collect();
        if !self.bank.is_empty() || self.bank_stray > 0 {
            places.push(Place::Bank);
        }
        self.break_clearing_order(&mut places);
        for place in places {
            self.clear(place);
            self.break_clearing();
        }
    }

    /// All cards of a place go to the discard tray.
    pub(in super::super) fn clear(&mut self, place: Place) {
        let cards = match self.hand_at(place) {
            Some(hand) => self.hands[hand].cards.len() + self.hands[hand].stray,
            None => self.bank.len() + self.bank_stray,
        };
        self.take_cards(place, Place::Discard, None);
        self.shoe.retired += cards;
    }
}

//! The bettors' turns.

use super::*;
use sabot_law::table::event::{Choice, Question};
use sabot_law::table::settings::Surrender;

impl Sala8<'_> {
    /// Every hand from left to right; a split puts its second hand next.
    pub(super) fn play(&mut self) -> Flow {
        let mut hand = 0;
        while hand < self.hands.len() {
            if !self.forgets_last(hand) {
                self.turn(hand)?;
                self.break_after_turn(hand)?;
            }
            hand += 1;
        }
        Ok(())
    }

    /// One hand until it stands, doubles, has 21 or is over.
    pub(super) fn turn(&mut self, hand: usize) -> Flow {
        if self.hands[hand].cards.len() == 1 && self.hands[hand].split {
            self.second_card_of_split(hand)?;
        }
        if !self.hands[hand].waits() {
            self.hands[hand].done = true;
            return Ok(());
        }
        self.break_at_turn(hand)?;
        if self.hands[hand].done || self.gives_up(hand)? || self.opens(hand)? {
            return Ok(());
        }
        if self.doubles(hand)? {
            return Ok(());
        }
        self.declare_ace(hand)?;
        self.draw_or_stand(hand)
    }

    fn ask(&mut self, hand: usize, about: Question) -> Flow {
        let id = self.hands[hand].id;
        self.emit(Event::Ask { hand: id, about });
        self.play_begun = true;
        if std::mem::take(&mut self.bank_short) {
            self.bank_was_left_out(kinds::C13_SECOND, &[Face::Down])?;
        }
        Ok(())
    }

    /// Offers a pair to be opened; when it is, both hands are played.
    fn opens(&mut self, hand: usize) -> Flow<bool> {
        let pair = naive::is_pair(&self.hands[hand].cards) && !self.hands[hand].split;
        if !pair {
            return Ok(false);
        }
        self.ask(hand, Question::Split)?;
        let wanted = self.break_wants_split() || (self.is_ready_to_risk() && self.chance(60));
        if !wanted {
            self.decide(hand, Choice::Decline);
            return Ok(false);
        }
        self.decide(hand, Choice::Split);
        let (id, stake) = (self.hands[hand].id, self.hands[hand].stake);
        self.break_split_amount(hand);
        self.put(id, BetSpot::Split, stake, None);
        let aces = self.hands[hand].first_is_ace();
        let mut other = Hand::new(id.box_no, self.hands[hand].bettor.clone(), stake);
        other.id.hand = 1;
        other.cards.extend(self.hands[hand].cards.pop());
        for one in [&mut self.hands[hand], &mut other] {
            (one.split, one.split_ace) = (true, aces);
        }
        self.hands.insert(hand + 1, other);
        self.turn(hand)?;
        Ok(true)
    }

    /// Whether bettors take more than a card; not near the end of a shoe, so that the pass can be finished.
    fn is_ready_to_risk(&self) -> bool {
        self.plan.mood == Mood::Usual && self.shoe.left() >= 20
    }

    /// A split hand's second card, when its turn comes. The bettor of opened aces may insure the second one.
    fn second_card_of_split(&mut self, hand: usize) -> Flow {
        if self.hands[hand].id.hand == 1 && self.hands[hand].split_ace && self.chance(35) {
            self.decide(hand, Choice::Insure);
            self.lay_insurance(hand);
        }
        self.second_card(hand)
    }

    /// Where the house has it, half a stake may be given up on the first two cards.
    fn gives_up(&mut self, hand: usize) -> Flow<bool> {
        let Hand { split, insurance, .. } = self.hands[hand];
        let may = self.book.surrender != Surrender::Never
            && !self.bank_shown
            && !split
            && insurance == 0
            && self.forgotten != Some(hand);
        if !may || self.armed.is_some() || !self.is_ready_to_risk() || !self.chance(8) {
            return Ok(false);
        }
        self.ask(hand, Question::Surrender)?;
        self.decide(hand, Choice::Surrender);
        self.hands[hand].surrendered = true;
        self.hands[hand].done = true;
        Ok(true)
    }

    /// Offers a hand to be doubled that may be: an eleven, as a rule.
    fn doubles(&mut self, hand: usize) -> Flow<bool> {
        let may = self.book.may_double(&self.hands[hand].cards) && !self.hands[hand].split;
        if !may || self.takes_on(hand, kinds::C8_DOUBLE) {
            return Ok(false);
        }
        self.ask(hand, Question::Double)?;
        let eleven = naive::is_eleven(&self.hands[hand].cards);
        let percent = if eleven { 70 } else { 6 };
        let wanted = (eleven && self.break_wants_double()) || (self.is_ready_to_risk() && self.chance(percent));
        if !wanted || self.forgotten == Some(hand) {
            self.decide(hand, Choice::Decline);
            return Ok(false);
        }
        self.decide(hand, Choice::Double);
        let (id, stake) = (self.hands[hand].id, self.hands[hand].stake);
        self.break_double_amount(hand);
        self.put(id, BetSpot::Double, stake, None);
        self.hands[hand].double = stake;
        self.hands[hand].done = true;
        if self.passes_double(hand) {
            return Ok(true);
        }
        let face = if self.takes(kinds::O1_FACE_UP) { Face::Up } else { Face::Down };
        self.double_card(hand, face)?;
        if face == Face::Up {
            self.double_seen(hand);
        }
        Ok(true)
    }

    /// The one card of a doubled hand.
    pub(super) fn double_card(&mut self, hand: usize, face: Face) -> Flow {
        self.draw_to_hand(hand, face)?;
        self.hands[hand].covered = face == Face::Down;
        Ok(())
    }

    /// The dealer asks what an ace among the first two cards shall count, and the bettor says.
    fn declare_ace(&mut self, hand: usize) -> Flow {
        if !self.book.ace_is_declared || !self.hands[hand].has_ace_in_two() || self.hands[hand].declared.is_some() {
            return Ok(());
        }
        if self.break_undeclared(hand)? {
            return Ok(());
        }
        self.ask(hand, Question::Ace)?;
        let value = self.ace_value(hand);
        self.break_ace_by_another(hand, value);
        self.declares(hand, value);
        self.break_second_declaration(hand, value);
        Ok(())
    }

    /// What the bettor makes of the ace.
    pub(super) fn ace_value(&mut self, hand: usize) -> u8 {
        let high = naive::bettor_total(&self.hands[hand].cards, Some(11));
        let percent = match high {
            18.. => 95,
            17 => 60,
            _ => 30,
        };
        if self.chance(percent) { 11 } else { 1 }
    }

    pub(super) fn declares(&mut self, hand: usize, value: u8) {
        let by = self.chance(20).then(|| self.hands[hand].bettor.clone());
        let id = self.hands[hand].id;
        self.emit(Event::Ace { hand: id, value, by });
        self.hands[hand].declared = Some(value);
    }

    /// Asks "card?" until the bettor stands, has 21 or is over.
    fn draw_or_stand(&mut self, hand: usize) -> Flow {
        while self.hands[hand].waits() {
            self.ask(hand, Question::Card)?;
            self.break_undecided(hand)?;
            let hits = self.wants_card(hand);
            let choice = if hits { Choice::Hit } else { Choice::Stand };
            self.break_decision_by_another(hand);
            self.decide(hand, choice);
            if !hits {
                self.hands[hand].done = true;
                return Ok(());
            }
            self.draws(hand)?;
        }
        self.hands[hand].done = true;
        Ok(())
    }

    /// A card that was asked for, and the total after it.
    pub(super) fn draws(&mut self, hand: usize) -> Flow {
        self.draw_to_hand(hand, Face::Up)?;
        let id: Place = self.hands[hand].id.into();
        let total = self.hands[hand].total();
        if self.takes(kinds::D9_TOTAL) {
            let wrong = if self.chance(50) { total + 1 } else { total - 1 };
            self.announce_total(id, wrong);
            self.found(kinds::D9_TOTAL, Some(id));
        } else {
            self.announce_total(id, total);
        }
        Ok(())
    }

    /// Whether the bettor takes another card.
    fn wants_card(&mut self, hand: usize) -> bool {
        if let Some(forced) = self.break_forces_card(hand) {
            return forced;
        }
        // at the end of a shoe, bettors leave the bank enough to finish the pass
        if self.shoe.left() < 16 {
            return false;
        }
        let percent = self.plan.mood.take_a_card(self.hands[hand].total());
        self.chance(percent)
    }
}

//! In the bettors' turns.

use super::*;
use sabot_law::table::event::{Choice, Question};

impl Sala8<'_> {
    /// When a hand's turn begins, before it is asked anything.
    pub(in super::super) fn break_at_turn(&mut self, hand: usize) -> Flow {
        let Some(kind) = self.armed else { return Ok(()) };
        let id = self.hands[hand].id;
        match kind {
            kinds::O2_SECOND | kinds::O3_SECOND => self.opened_again(hand, kind),
            _ if self.hands[hand].split => {}
            kinds::C12 if self.takes(kind) => {
                self.bank_shown = true;
                self.emit(Event::Reveal { at: Place::Bank, card: None });
                self.found(kind, Some(id.into()));
            }
            kinds::C14_ONE if self.takes(kind) => {
                self.take_cards(Place::Bank, Place::Discard, Some(1));
                self.bank.pop();
                self.bank_was_left_out(kind, &[Face::Down])?;
            }
            kinds::C14_ALL if self.takes(kind) => {
                self.take_cards(Place::Bank, Place::Discard, None);
                self.bank.clear();
                self.bank_was_left_out(kind, &[Face::Up, Face::Down])?;
            }
            kinds::C15 => self.cards_discarded(hand),
            kinds::C3_PLAY => self.late_chips(kind),
            kinds::D9_ASK | kinds::D9_DECIDE | kinds::D9_DRAW => self.out_of_turn(hand, kind)?,
            kinds::O1_CHIPS | kinds::O1_DECIDE | kinds::O2_CHIPS | kinds::O2_DECIDE => self.undue_choice(hand, kind),
            kinds::C16_RAISE | kinds::C16_LOWER | kinds::C16_REMOVE if self.chance(50) => self.changed_bet(),
            _ => {}
        }
        Ok(())
    }

    /// A split hand that is a pair again: the bettor wants to open it too.
    fn opened_again(&mut self, hand: usize, kind: Kind) {
        let Hand { id, split, split_ace, .. } = self.hands[hand];
        let pair = naive::is_pair(&self.hands[hand].cards);
        if split && pair && split_ace == (kind == kinds::O3_SECOND) && self.takes(kind) {
            self.decide(hand, Choice::Split);
            let row = self.found(kind, Some(id.into()));
            self.nothing_to_return(row);
        }
    }

    /// The cards of a hand that stood go into the discard tray.
    fn cards_discarded(&mut self, hand: usize) {
        let stood = |one: &Hand| {
            one.done && !one.void && !one.split && one.total() < 21 && one.double == 0 && one.insurance == 0
        };
        let Some(earlier) = self.hands[..hand].iter().position(stood) else { return };
        if self.takes(kinds::C15) {
            let place = Place::Hand(self.hands[earlier].id);
            self.take_cards(place, Place::Discard, None);
            self.found(kinds::C15, Some(place));
            self.hands[earlier].forfeit = true;
            self.hands[earlier].cards.clear();
        }
    }

    /// A later hand is asked, decides or is dealt to while this one waits.
    fn out_of_turn(&mut self, hand: usize, kind: Kind) -> Flow {
        // the hand after the next would pass over two
        let Some(offset) = self.hands[hand + 1..].iter().position(Hand::waits) else { return Ok(()) };
        let later = hand + 1 + offset;
        let plain = !self.hands[later].has_ace_in_two() && !naive::is_eleven(&self.hands[later].cards);
        if !plain || !self.takes(kind) {
            return Ok(());
        }
        let passed = Some(Place::Hand(self.hands[hand].id));
        match kind {
            kinds::D9_ASK => {
                let id = self.hands[later].id;
                self.emit(Event::Ask { hand: id, about: Question::Card });
                self.found(kind, passed);
            }
            kinds::D9_DECIDE => {
                self.decide(later, Choice::Stand);
                self.found(kind, passed);
                self.hands[later].done = true;
            }
            _ => {
                // one passing over, however many events it takes
                self.decide(later, Choice::Hit);
                self.found(kind, passed);
                self.draw_to_hand(later, Face::Up)?;
            }
        }
        Ok(())
    }

    /// Doubling without eleven, opening without a pair.
    fn undue_choice(&mut self, hand: usize, kind: Kind) {
        let Hand { id, stake, .. } = self.hands[hand];
        let cards = &self.hands[hand].cards;
        let fits = naive::is_eleven(cards) || naive::is_pair(cards) || self.hands[hand].has_ace_in_two();
        if fits || !self.takes(kind) {
            return;
        }
        match kind {
            kinds::O1_CHIPS => self.undue_chips(kind, id, BetSpot::Double, stake, None),
            kinds::O2_CHIPS => self.undue_chips(kind, id, BetSpot::Split, stake, None),
            _ => {
                self.decide(hand, if kind == kinds::O1_DECIDE { Choice::Double } else { Choice::Split });
                let row = self.found(kind, Some(id.into()));
                self.nothing_to_return(row);
            }
        }
    }

    pub(in super::super) fn break_wants_split(&self) -> bool {
        matches!(
            self.armed,
            Some(kinds::O2_AMOUNT | kinds::O2_SECOND | kinds::O3_AMOUNT | kinds::O3_SECOND | kinds::O3_PAY)
        )
    }

    pub(in super::super) fn break_wants_double(&self) -> bool {
        matches!(
            self.armed,
            Some(kinds::O1_AMOUNT | kinds::O1_FACE_UP | kinds::C9_WITHDRAW | kinds::C9_NEXT_CARD | kinds::F2_DOUBLED)
        )
    }

    pub(in super::super) fn break_split_amount(&mut self, hand: usize) {
        let kind = if self.hands[hand].first_is_ace() { kinds::O3_AMOUNT } else { kinds::O2_AMOUNT };
        self.wrong_amount(hand, BetSpot::Split, kind);
    }

    pub(in super::super) fn break_double_amount(&mut self, hand: usize) {
        self.wrong_amount(hand, BetSpot::Double, kinds::O1_AMOUNT);
    }

    /// Chips other than the stake, taken off again.
    fn wrong_amount(&mut self, hand: usize, spot: BetSpot, kind: Kind) {
        if self.takes(kind) {
            let Hand { id, stake, .. } = self.hands[hand];
            self.unremedied = false;
            let amount = if self.chance(50) { stake - STEP } else { stake + STEP };
            self.undue_chips(kind, id, spot, amount, None);
        }
    }

    /// The card of a double lies uncovered: the added stake goes back.
    pub(in super::super) fn double_seen(&mut self, hand: usize) {
        let id = self.hands[hand].id;
        let row = self.found(kinds::O1_FACE_UP, Some(id.into()));
        self.unremedied = false;
        self.returns(row, id, BetSpot::Double);
        self.hands[hand].double = 0;
    }

    /// The doubled hand is passed over, where a later one will be dealt to.
    pub(in super::super) fn passes_double(&mut self, hand: usize) -> bool {
        let next_waits = self.hands.get(hand + 1).is_some_and(Hand::waits);
        let kind = if next_waits { self.takes_one(&[kinds::C9_WITHDRAW, kinds::C9_NEXT_CARD]) } else { None };
        // the next hand may be an eleven too: what is passed over stays so until a card goes elsewhere
        self.passed_double = kind.map(|kind| (hand, kind)).or(self.passed_double);
        kind.is_some()
    }

    /// A decision on a hand whose ace is not declared; whether the declaration has been seen to.
    pub(in super::super) fn break_undeclared(&mut self, hand: usize) -> Flow<bool> {
        let Some(kind) = self.takes_one(&[kinds::D10_STAND, kinds::D10_HIT]) else { return Ok(false) };
        let id = self.hands[hand].id;
        let choice = if kind == kinds::D10_STAND { Choice::Stand } else { Choice::Hit };
        self.decide(hand, choice);
        self.found(kind, Some(id.into()));
        self.emit(Event::Ask { hand: id, about: Question::Ace });
        let value = self.ace_value(hand);
        self.declares(hand, value);
        if kind == kinds::D10_STAND {
            self.hands[hand].done = true;
        } else {
            self.draws(hand)?;
        }
        Ok(true)
    }

    pub(in super::super) fn break_ace_by_another(&mut self, hand: usize, value: u8) {
        let Hand { id, ref bettor, .. } = self.hands[hand];
        let bettor = bettor.clone();
        let Some(by) = self.seated_player(Some(&bettor)).filter(|_| self.takes(kinds::D4_ACE)) else { return };
        let value = if self.chance(50) { value } else { 12 - value };
        self.emit(Event::Ace { hand: id, value, by: Some(by) });
        self.found(kinds::D4_ACE, Some(id.into()));
    }

    pub(in super::super) fn break_second_declaration(&mut self, hand: usize, value: u8) {
        if self.takes(kinds::D10_SECOND) {
            let id = self.hands[hand].id;
            self.emit(Event::Ace { hand: id, value: 12 - value, by: None });
            self.found(kinds::D10_SECOND, Some(id.into()));
        }
    }

    /// After the question, before an answer.
    pub(in super::super) fn break_undecided(&mut self, hand: usize) -> Flow {
        let eleven = naive::is_eleven(&self.hands[hand].cards);
        if !eleven && self.takes(kinds::C5_UNDECIDED) {
            let place = self.hands[hand].id.into();
            self.undue_card(kinds::C5_UNDECIDED, place)?;
        }
        Ok(())
    }

    pub(in super::super) fn break_decision_by_another(&mut self, hand: usize) {
        if self.armed == Some(kinds::D4_DECIDE) {
            let choice = if self.chance(50) { Choice::Hit } else { Choice::Stand };
            if self.decided_by_another(hand, choice) {
                self.takes(kinds::D4_DECIDE);
                let place = self.hands[hand].id.into();
                self.found(kinds::D4_DECIDE, Some(place));
            }
        }
    }

    /// Whether a break needs the bettor to take a card, or to stand.
    pub(in super::super) fn break_forces_card(&mut self, hand: usize) -> Option<bool> {
        if self.forgotten == Some(hand) {
            return Some(self.chance(50));
        }
        let noticed_by_card = self.unasked.is_some_and(|(one, _)| one == hand) || self.passed_double.is_some();
        if noticed_by_card {
            return Some(true);
        }
        if self.armed == Some(kinds::C5_AT_21) && self.hands[hand].total() < 21 {
            return Some(true);
        }
        let stands = matches!(self.armed, Some(kinds::C5_STOOD | kinds::C15)) && self.hands[hand].total() >= 12;
        stands.then_some(false)
    }

    /// When a hand is done with.
    pub(in super::super) fn break_after_turn(&mut self, hand: usize) -> Flow {
        let Hand { id, void, double, split, .. } = self.hands[hand];
        if void || double > 0 || split {
            return Ok(());
        }
        match (self.armed, self.hands[hand].total()) {
            (Some(kind @ kinds::C5_STOOD), ..21) | (Some(kind @ kinds::C5_AT_21), 21)
                if self.play_begun && self.takes(kind) =>
            {
                self.undue_card(kind, id.into())?;
            }
            (Some(kind @ kinds::D9_HIT_AT_21), 21) if self.takes(kind) => {
                self.decide(hand, Choice::Hit);
                self.found(kind, Some(id.into()));
            }
            _ => {}
        }
        Ok(())
    }
}

//! In the bettors' turns.

use super::*;
use crate::table::event::{Choice, Question};

impl Croupier {
    /// When a hand's turn begins, before it is asked anything.
    pub(in super::super) fn break_at_turn(&mut self, hand: usize) -> Flow {
        let Some(kind) = self.armed else { return Ok(()) };
        let id = self.hands[hand].id;
        match kind {
            Kind::O2Second | Kind::O3Second => self.opened_again(hand, kind),
            _ if self.hands[hand].split => {}
            Kind::C12 if self.takes(kind) => {
                self.bank_shown = true;
                self.emit(Event::Reveal { at: Place::Bank, card: None });
                self.found(kind, Some(id.into()));
            }
            Kind::C14One if self.takes(kind) => {
                self.take_cards(Place::Bank, Place::Discard, Some(1));
                self.bank.pop();
                self.bank_was_left_out(kind, &[Face::Down])?;
            }
            Kind::C14All if self.takes(kind) => {
                self.take_cards(Place::Bank, Place::Discard, None);
                self.bank.clear();
                self.bank_was_left_out(kind, &[Face::Up, Face::Down])?;
            }
            Kind::C15 => self.cards_discarded(hand),
            Kind::C3Play => self.late_chips(kind),
            Kind::D9Ask | Kind::D9Decide | Kind::D9Draw => self.out_of_turn(hand, kind)?,
            Kind::O1Chips | Kind::O1Decide | Kind::O2Chips | Kind::O2Decide => self.undue_choice(hand, kind),
            Kind::C16Raise | Kind::C16Lower | Kind::C16Remove if self.chance(50) => self.changed_bet(),
            _ => {}
        }
        Ok(())
    }

    /// A split hand that is a pair again: the bettor wants to open it too.
    fn opened_again(&mut self, hand: usize, kind: Kind) {
        let Hand { id, split, split_ace, .. } = self.hands[hand];
        let pair = naive::is_pair(&self.hands[hand].cards);
        if split && pair && split_ace == (kind == Kind::O3Second) && self.takes(kind) {
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
        if self.takes(Kind::C15) {
            let place = Place::Hand(self.hands[earlier].id);
            self.take_cards(place, Place::Discard, None);
            self.found(Kind::C15, Some(place));
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
            Kind::D9Ask => {
                self.emit(Event::Ask { hand: self.hands[later].id, about: Question::Card });
                self.found(kind, passed);
            }
            Kind::D9Decide => {
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
            Kind::O1Chips => self.undue_chips(kind, id, BetSpot::Double, stake, None),
            Kind::O2Chips => self.undue_chips(kind, id, BetSpot::Split, stake, None),
            _ => {
                self.decide(hand, if kind == Kind::O1Decide { Choice::Double } else { Choice::Split });
                let row = self.found(kind, Some(id.into()));
                self.nothing_to_return(row);
            }
        }
    }

    pub(in super::super) fn break_wants_split(&self) -> bool {
        matches!(self.armed, Some(Kind::O2Amount | Kind::O2Second | Kind::O3Amount | Kind::O3Second | Kind::O3Pay))
    }

    pub(in super::super) fn break_wants_double(&self) -> bool {
        matches!(
            self.armed,
            Some(Kind::O1Amount | Kind::O1FaceUp | Kind::C9Withdraw | Kind::C9NextCard | Kind::F2Doubled)
        )
    }

    pub(in super::super) fn break_split_amount(&mut self, hand: usize) {
        let kind = if self.hands[hand].first_is_ace() { Kind::O3Amount } else { Kind::O2Amount };
        self.wrong_amount(hand, BetSpot::Split, kind);
    }

    pub(in super::super) fn break_double_amount(&mut self, hand: usize) {
        self.wrong_amount(hand, BetSpot::Double, Kind::O1Amount);
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
        let row = self.found(Kind::O1FaceUp, Some(id.into()));
        self.unremedied = false;
        self.returns(row, id, BetSpot::Double);
        self.hands[hand].double = 0;
    }

    /// The doubled hand is passed over, where a later one will be dealt to.
    pub(in super::super) fn passes_double(&mut self, hand: usize) -> bool {
        let next_waits = self.hands.get(hand + 1).is_some_and(Hand::waits);
        let kind = if next_waits { self.takes_one(&[Kind::C9Withdraw, Kind::C9NextCard]) } else { None };
        // the next hand may be an eleven too: what is passed over stays so until a card goes elsewhere
        self.passed_double = kind.map(|kind| (hand, kind)).or(self.passed_double);
        kind.is_some()
    }

    /// A decision on a hand whose ace is not declared; whether the declaration has been seen to.
    pub(in super::super) fn break_undeclared(&mut self, hand: usize) -> Flow<bool> {
        let Some(kind) = self.takes_one(&[Kind::D10Stand, Kind::D10Hit]) else { return Ok(false) };
        let id = self.hands[hand].id;
        let choice = if kind == Kind::D10Stand { Choice::Stand } else { Choice::Hit };
        self.decide(hand, choice);
        self.found(kind, Some(id.into()));
        self.emit(Event::Ask { hand: id, about: Question::Ace });
        let value = self.ace_value(hand);
        self.declares(hand, value);
        if kind == Kind::D10Stand {
            self.hands[hand].done = true;
        } else {
            self.draws(hand)?;
        }
        Ok(true)
    }

    pub(in super::super) fn break_ace_by_another(&mut self, hand: usize, value: u8) {
        let Hand { id, ref bettor, .. } = self.hands[hand];
        let bettor = bettor.clone();
        let Some(by) = self.seated_player(Some(&bettor)).filter(|_| self.takes(Kind::D4Ace)) else { return };
        let value = if self.chance(50) { value } else { 12 - value };
        self.emit(Event::Ace { hand: id, value, by: Some(by) });
        self.found(Kind::D4Ace, Some(id.into()));
    }

    pub(in super::super) fn break_second_declaration(&mut self, hand: usize, value: u8) {
        if self.takes(Kind::D10Second) {
            let id = self.hands[hand].id;
            self.emit(Event::Ace { hand: id, value: 12 - value, by: None });
            self.found(Kind::D10Second, Some(id.into()));
        }
    }

    /// After the question, before an answer.
    pub(in super::super) fn break_undecided(&mut self, hand: usize) -> Flow {
        let eleven = naive::is_eleven(&self.hands[hand].cards);
        if !eleven && self.takes(Kind::C5Undecided) {
            let place = self.hands[hand].id.into();
            self.undue_card(Kind::C5Undecided, place)?;
        }
        Ok(())
    }

    pub(in super::super) fn break_decision_by_another(&mut self, hand: usize) {
        if self.armed == Some(Kind::D4Decide) {
            let choice = if self.chance(50) { Choice::Hit } else { Choice::Stand };
            if self.decided_by_another(hand, choice) {
                self.takes(Kind::D4Decide);
                self.found(Kind::D4Decide, Some(self.hands[hand].id.into()));
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
        if self.armed == Some(Kind::C5At21) && self.hands[hand].total() < 21 {
            return Some(true);
        }
        let stands = matches!(self.armed, Some(Kind::C5Stood | Kind::C15)) && self.hands[hand].total() >= 12;
        stands.then_some(false)
    }

    /// When a hand is done with.
    pub(in super::super) fn break_after_turn(&mut self, hand: usize) -> Flow {
        let Hand { id, void, double, split, .. } = self.hands[hand];
        if void || double > 0 || split {
            return Ok(());
        }
        match (self.armed, self.hands[hand].total()) {
            (Some(kind @ Kind::C5Stood), ..21) | (Some(kind @ Kind::C5At21), 21)
                if self.play_begun && self.takes(kind) =>
            {
                self.undue_card(kind, id.into())?;
            }
            (Some(kind @ Kind::D9HitAt21), 21) if self.takes(kind) => {
                self.decide(hand, Choice::Hit);
                self.found(kind, Some(id.into()));
            }
            _ => {}
        }
        Ok(())
    }
}

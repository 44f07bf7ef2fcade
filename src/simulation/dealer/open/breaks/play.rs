//! In the bettors' turns.

use super::*;
use sabot_law::table::event::Taken;

impl Open<'_> {
    /// When a hand's turn begins, before it is asked anything.
    pub(in super::super) fn break_at_turn(&mut self, hand: usize) -> Flow {
        let Some(kind) = self.armed else { return Ok(()) };
        match kind.plan().act {
            Act::AskAhead | Act::DecideAhead | Act::DrawAhead => self.out_of_turn(hand, kind)?,
            Act::BetInPlay => self.bet_late(Act::BetInPlay),
            Act::InsureUntimely => self.break_insure_untimely(hand),
            Act::Raised | Act::Lowered | Act::Removed if self.chance(50) => self.change_bet(),
            Act::BankEarly if self.takes(kind) => self.undue_card(kind, Place::Bank, ON_THE_BANK)?,
            Act::DecideNobody => {
                if let Some(box_no) = self.empty_box().filter(|_| self.takes(kind)) {
                    let id = HandId::first(box_no);
                    self.emit(Event::Decide { hand: id, choice: Choice::Stand, by: None });
                    self.noticed(kind, Some(id.into()));
                }
            }
            Act::RevealNothing => {
                if let Some(box_no) = self.empty_box().filter(|_| self.takes(kind)) {
                    let at = HandId::first(box_no).into();
                    self.emit(Event::Reveal { at, card: None });
                    self.noticed(kind, Some(at));
                }
            }
            Act::ConsentUnasked if self.takes(kind) => {
                let id = self.hands[hand].id;
                self.emit(Event::Consent { hand: id, yes: true });
                self.noticed(kind, Some(id.into()));
            }
            Act::ChooseUnoffered if self.takes(kind) => {
                let id = self.hands[hand].id;
                self.emit(Event::Choose { hand: id, option: Taken::NextCard });
                self.noticed(kind, Some(id.into()));
            }
            _ => self.break_undue_choice(hand, kind),
        }
        Ok(())
    }

    /// A later hand is asked, decides or is dealt to while this one waits.
    fn out_of_turn(&mut self, hand: usize, kind: Kind) -> Flow {
        // the hand after the next would pass over two
        let Some(offset) = self.hands[hand + 1..].iter().position(Hand::waits) else { return Ok(()) };
        let later = hand + 1 + offset;
        // a hit without the question whether to double may be a breach of its own; a split ace has had its card, and
        // waits for nothing though it may be split again
        let Hand { split_ace, ref cards, .. } = self.hands[hand];
        let unasked = self.kind_of(Act::DoubleUnasked).is_some() && self.may_double(later);
        if unasked || (split_ace && cards.len() > 1) {
            return Ok(());
        }
        if !self.takes(kind) {
            return Ok(());
        }
        let passed = Some(Place::Hand(self.hands[hand].id));
        match kind.plan().act {
            Act::AskAhead => {
                let id = self.hands[later].id;
                self.emit(Event::Ask { hand: id, about: Question::Card });
                self.found(kind, passed);
            }
            Act::DecideAhead => {
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

    /// After the question, before an answer.
    pub(in super::super) fn break_undecided(&mut self, hand: usize) -> Flow {
        match self.commits(Act::CardUndecided) {
            Some(kind) => {
                let place = self.hands[hand].id.into();
                self.undue_card(kind, place, ANY_RULING)
            }
            None => Ok(()),
        }
    }

    pub(in super::super) fn break_decided_by_other(&mut self, hand: usize, choice: Choice) {
        if let Some(kind) = self.intends(Act::DecidedByOther).filter(|_| !self.next_card_matters())
            && self.decided_by_another(hand, choice)
        {
            self.takes(kind);
            let place = self.hands[hand].id.into();
            self.noticed(kind, Some(place));
        }
    }

    /// Whether a break needs the bettor to take a card, or to stand.
    pub(in super::super) fn break_forces_card(&mut self, hand: usize) -> Option<bool> {
        let total = self.hands[hand].total();
        match self.armed?.plan().act {
            Act::CardToOver | Act::PayOver | Act::OverUncollected | Act::WrongTotal => Some(total < 21),
            Act::DoubleLate | Act::DoubleLateChips if self.hands[hand].cards.len() == 2 => Some(true),
            Act::InsureUntimely if hand == 0 => Some(self.hands[hand].cards.len() == 2),
            Act::OwnDrawn if hand == 0 => Some(self.hands[hand].cards.len() == 2),
            Act::Pay21AgainstBlackJack | Act::TwentyOneUncollected if hand == 0 => Some(total < 21),
            Act::CardToStood if total >= 12 => Some(false),
            _ => None,
        }
    }

    /// When a hand is done with.
    pub(in super::super) fn break_after_turn(&mut self, hand: usize) -> Flow {
        let Some(kind) = self.armed else { return Ok(()) };
        let Hand { id, void, double, split, settled, .. } = self.hands[hand];
        if void || double > 0 || split || settled {
            return Ok(());
        }
        let black_jack = naive::is_black_jack(&self.hands[hand].cards);
        let fits = match kind.plan().act {
            Act::CardToStood => self.hands[hand].total() < 21,
            Act::CardToOver => self.hands[hand].is_over(),
            Act::CardToBlackJack => black_jack,
            _ => false,
        };
        if fits && self.takes(kind) {
            self.undue_card(kind, id.into(), ANY_RULING)?;
            // a card that stands with a Black Jack makes a hand of it that may draw on
            if black_jack && !self.hands[hand].forfeit {
                self.hands[hand].done = false;
                self.draw_or_stand(hand)?;
                self.hands[hand].done = true;
            }
        }
        Ok(())
    }

    /// Whether hands over 21 have to lie there until the settlement.
    pub(in super::super) fn keeps_for_settlement(&self) -> bool {
        matches!(self.armed, Some(kind) if matches!(kind.plan().act, Act::PayOver | Act::OverUncollected))
    }
}

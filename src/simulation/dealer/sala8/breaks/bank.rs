//! When the bank plays, in the settlement and at the end.

use super::*;
use sabot_law::table::Outcome;

impl Sala8<'_> {
    /// Whether the dealer goes to the bank without playing the last hand out.
    pub(in super::super) fn forgets_last(&mut self, hand: usize) -> bool {
        let last = hand + 1 == self.hands.len() && self.hands[hand].waits() && !self.hands[hand].split;
        let done = self.book.bank_is_done(&self.bank);
        let next = self.next_bank();
        // one card, or none, must decide the bank: a card before that would be undue
        let fits = match self.armed {
            Some(kinds::C11_PLAY | kinds::C11_WITHDRAW) => !done && self.book.bank_stands(&next),
            Some(kinds::C11_OVER) => {
                let goes_over = !done && self.book.bank_total(&next) > 21;
                goes_over && !self.hands.iter().any(|hand| hand.is_over() || hand.insurance > 0)
            }
            Some(kinds::C11_SETTLE) => done && (0..hand).any(|other| self.owed(other).lost > 0),
            _ => false,
        };
        if !last || !fits {
            return false;
        }
        self.forgotten = Some(hand);
        true
    }

    /// The bank's cards if it drew now.
    fn next_bank(&self) -> Vec<Card> {
        self.bank.iter().copied().chain(self.shoe.peek()).collect()
    }

    pub(in super::super) fn waits_for_choice(&self, hand: usize) -> bool {
        self.forgotten == Some(hand)
    }

    pub(in super::super) fn break_when_all_over(&mut self) -> Flow {
        if self.armed == Some(kinds::C18) && !self.book.bank_is_done(&self.bank) {
            self.takes(kinds::C18);
            self.undue_card(kinds::C18, Place::Bank)?;
        }
        Ok(())
    }

    /// The bank's card is uncovered while a hand waits.
    pub(in super::super) fn break_at_reveal(&mut self) {
        if let Some(hand) = self.forgotten {
            let place = self.hands[hand].id.into();
            self.found(kinds::C12, Some(place));
        }
    }

    /// A stake is collected although the bank has to draw.
    pub(in super::super) fn break_before_bank_draws(&mut self) -> Flow {
        let bank = self.book.bank_total(&self.bank);
        let plain = |hand: &Hand| !hand.void && hand.double == 0 && hand.insurance == 0;
        let loses = |hand: &Hand| plain(hand) && hand.total() < bank;
        // one card must bring the bank where it beats the hand as well
        let next_stands = self.book.bank_stands(&self.next_bank());
        if self.book.bank_is_done(&self.bank) || !next_stands || self.armed != Some(kinds::D12_COLLECT) {
            return Ok(());
        }
        let Some(hand) = self.hands.iter().position(loses).filter(|_| self.takes(kinds::D12_COLLECT)) else {
            return Ok(());
        };
        let Hand { id, stake, .. } = self.hands[hand];
        self.emit(Event::Collect { hand: id, amount: stake, spot: BetSpot::Main });
        self.hands[hand].settled = true;
        let row = self.found(kinds::D12_COLLECT, Some(Place::Bank));
        self.draw_to_bank(Face::Up)?;
        self.cleared(row);
        self.tell_bank_total();
        Ok(())
    }

    /// The bank is done while a hand waits.
    pub(in super::super) fn break_after_bank_card(&mut self) -> Flow {
        let total = self.book.bank_total(&self.bank);
        let done = self.book.bank_is_done(&self.bank);
        let Some(hand) = self.forgotten.filter(|_| done) else { return Ok(()) };
        let Hand { id, stake, .. } = self.hands[hand];
        if total <= 21 {
            let Some(kind) = self.takes_one(&[kinds::C11_PLAY, kinds::C11_WITHDRAW]) else { return Ok(()) };
            return self.offers_play(hand, kind);
        }
        if self.takes(kinds::C11_OVER) {
            let row = self.found(kinds::C11_OVER, Some(id.into()));
            self.emit(Event::Pay { hand: id, amount: stake, spot: BetSpot::Main });
            self.cleared(row);
            self.hands[hand].settled = true;
            self.hands[hand].done = true;
            self.forgotten = None;
        }
        Ok(())
    }

    fn offers_play(&mut self, hand: usize, kind: Kind) -> Flow {
        let place = self.hands[hand].id.into();
        let row = self.found(kind, Some(place));
        let withdraws = kind == kinds::C11_WITHDRAW || (kind == kinds::C11_SETTLE && self.chance(50));
        if withdraws {
            self.chooses(hand, Taken::Withdraw);
            self.cleared(row);
            self.withdraws(hand);
        } else {
            self.chooses(hand, Taken::Play);
            self.cleared(row);
            self.turn(hand)?;
        }
        self.forgotten = None;
        Ok(())
    }

    pub(in super::super) fn break_after_bank(&mut self) -> Flow {
        if self.armed == Some(kinds::D12_DRAW) && self.book.bank_total(&self.bank) <= 21 {
            self.takes(kinds::D12_DRAW);
            self.undue_card(kinds::D12_DRAW, Place::Bank)?;
        }
        Ok(())
    }

    /// A winner is paid while a losing stake still lies there.
    pub(in super::super) fn break_before_settlement(&mut self) {
        if self.armed != Some(kinds::D9_PAY_FIRST) {
            return;
        }
        let plain = |hand: usize| self.hands[hand].insurance == 0;
        let winner = (0..self.hands.len()).find(|&hand| plain(hand) && self.owed(hand).pay > 0);
        let loser = (0..self.hands.len()).any(|hand| self.owed(hand).lost > 0);
        let Some(hand) = winner.filter(|_| loser && self.takes(kinds::D9_PAY_FIRST)) else { return };
        let id = self.hands[hand].id;
        let amount = self.owed(hand).pay;
        self.emit(Event::Pay { hand: id, amount, spot: BetSpot::Main });
        self.found(kinds::D9_PAY_FIRST, Some(id.into()));
        self.hands[hand].settled = true;
    }

    /// Settlement has begun while a hand waits.
    pub(in super::super) fn break_after_first_settled(&mut self) -> Flow {
        let begun = matches!(self.out.last(), Some(Event::Collect { .. } | Event::Pay { .. }));
        match self.forgotten.filter(|_| begun) {
            Some(hand) if self.takes(kinds::C11_SETTLE) => self.offers_play(hand, kinds::C11_SETTLE),
            _ => Ok(()),
        }
    }

    /// A stake collected that is not lost.
    pub(in super::super) fn break_collect(&mut self, hand: usize, main: Owed) {
        let kind = match main.outcome {
            Outcome::Push => kinds::D14_COLLECT_TIE,
            Outcome::Win | Outcome::Blackjack => kinds::D14_COLLECT_WINNER,
            _ => return,
        };
        if self.takes(kind) {
            let id = self.hands[hand].id;
            self.emit(Event::Collect { hand: id, amount: main.stake, spot: BetSpot::Main });
            self.found(kind, Some(id.into()));
        }
    }

    /// A hand paid that has not won.
    pub(in super::super) fn break_pay(&mut self, hand: usize, main: Owed) {
        let kind = match main.outcome {
            Outcome::Push => kinds::D14_PAY_TIE,
            Outcome::Lose => kinds::D14_PAY_LOSER,
            _ => return,
        };
        if self.takes(kind) {
            let id = self.hands[hand].id;
            self.emit(Event::Pay { hand: id, amount: main.stake, spot: BetSpot::Main });
            self.found(kind, Some(id.into()));
        }
    }

    /// Another amount than a winner is owed.
    pub(in super::super) fn break_payment(&mut self, hand: usize, main: Owed) -> Option<(Kind, Cents)> {
        let Hand { stake, double, split_ace, .. } = self.hands[hand];
        let (kind, amount) = match main.outcome {
            Outcome::Blackjack if split_ace => (kinds::O3_PAY, stake + stake / 2),
            Outcome::Blackjack => (kinds::F1_AMOUNT, stake),
            _ if double > 0 => (kinds::F2_DOUBLED, stake),
            _ if self.chance(50) => (kinds::F2_AMOUNT, stake + stake / 2),
            _ => (kinds::F2_AMOUNT, stake - STEP),
        };
        self.takes(kind).then_some((kind, amount))
    }

    /// A winner is not paid, and its cards and those after it are left.
    pub(in super::super) fn withholds(&mut self, hand: usize) -> bool {
        if self.hands[hand].insurance > 0 || !self.takes(kinds::D14_UNSETTLED) {
            return false;
        }
        self.left_at_end = Some((Place::Hand(self.hands[hand].id), true));
        true
    }

    pub(in super::super) fn break_after_settlement(&mut self) -> Flow {
        let paid = self.hands.iter().position(|hand| hand.settled && !hand.lies_empty());
        match paid {
            Some(hand) if self.takes(kinds::C5_SETTLEMENT) => {
                let place = self.hands[hand].id.into();
                self.undue_card(kinds::C5_SETTLEMENT, place)
            }
            _ => Ok(()),
        }
    }

    /// Changes the order in which cards are cleared; which place comes too early and which is passed over.
    pub(in super::super) fn break_clearing(&mut self, places: &mut Vec<Place>) -> Option<(Kind, Place, Place)> {
        let boxes = places.len().saturating_sub(1);
        if boxes >= 2 && self.takes(kinds::D9_CLEAR_ORDER) {
            places.swap(0, 1);
            return Some((kinds::D9_CLEAR_ORDER, places[0], places[1]));
        }
        if boxes >= 1 && self.takes(kinds::D9_BANK_FIRST) {
            places.swap(boxes - 1, boxes);
            return Some((kinds::D9_BANK_FIRST, Place::Bank, places[boxes]));
        }
        if self.takes(kinds::D9_LEFT) {
            self.left_at_end = Some((places[self.rng.random_range(0..=boxes)], false));
        }
        if let Some((left, _)) = self.left_at_end {
            // to clear later places would be another breach
            let first = places.iter().position(|&place| place == left).unwrap_or(places.len());
            places.truncate(first);
        }
        None
    }

    /// What the end of the pass must raise.
    pub(in super::super) fn break_at_end(&mut self) {
        if let Some((place, unsettled)) = self.left_at_end.take() {
            self.found(kinds::D9_LEFT, Some(place));
            if unsettled {
                self.found(kinds::D14_UNSETTLED, Some(place));
            }
        }
    }
}

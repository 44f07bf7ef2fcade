//! When the bank plays, and in the settlement.

use super::*;
use crate::table::Outcome;

impl Open<'_> {
    /// A bet is settled although the bank has cards to take; whether it never takes them.
    pub(in super::super) fn break_before_bank(&mut self) -> Flow<bool> {
        let Some(kind) = self.armed.filter(|kind| matches!(kind.plan().act, Act::CollectEarly | Act::PayEarly)) else {
            return Ok(false);
        };
        // one card must bring the bank where it has to stand
        let enough = |bank: u8| (17..=21).contains(&bank);
        if kind.plan().act == Act::CollectEarly && !enough(self.next_bank_total()) {
            self.draw_to_bank(Face::Up)?;
            self.tell_bank_total();
        }
        let bank = self.next_bank_total();
        if !enough(bank) || (self.bank.len() >= 2 && enough(self.bank_total())) {
            return Ok(false);
        }
        let pays = kind.plan().act == Act::PayEarly;
        let fits = |hand: &Hand| {
            let plain = !hand.void && !hand.settled && hand.double == 0 && hand.insurance == 0 && !hand.is_over();
            let total = hand.total();
            plain && total < 21 && if pays { total > bank } else { total < bank }
        };
        let Some(hand) = self.hands.iter().position(fits).filter(|_| self.takes(kind)) else { return Ok(false) };
        let Hand { id, stake, .. } = self.hands[hand];
        let spot = BetSpot::Main;
        self.emit(if pays {
            Event::Pay { hand: id, amount: stake, spot }
        } else {
            Event::Collect { hand: id, amount: stake, spot }
        });
        self.hands[hand].settled = true;
        let row = self.found(kind, Some(Place::Bank));
        // only where nobody else plays against the bank is nothing else amiss
        if self.unremedied && pays && self.hands.len() == 1 {
            self.left_open(row);
            return Ok(true);
        }
        self.draw_to_bank(Face::Up)?;
        self.cleared(row);
        self.tell_bank_total();
        Ok(false)
    }

    /// The bank's total if it drew now.
    fn next_bank_total(&self) -> u8 {
        self.shoe.peek().map_or(0, |card| law::total(&[&self.bank[..], &[card]].concat()))
    }

    /// The bank draws though it stands.
    pub(in super::super) fn break_after_bank(&mut self) -> Flow {
        match self.intends(Act::BankBeyond) {
            Some(kind) if (17..=21).contains(&self.bank_total()) => {
                self.takes(kind);
                self.undue_card(kind, Place::Bank, ON_THE_BANK)
            }
            _ => Ok(()),
        }
    }

    /// Whether a hand is left as it lies though it is decided: the end of the pass tells.
    pub(in super::super) fn withholds(&mut self, hand: usize, main: Owed) -> bool {
        let over = self.hands[hand].is_over();
        let act = match main.outcome {
            Outcome::Win => Act::WinnerUnpaid,
            Outcome::Blackjack => Act::BlackJackUnpaid,
            Outcome::Lose if over => Act::OverUncollected,
            Outcome::Lose if !self.hands[hand].forfeit => Act::LoserUncollected,
            _ => return false,
        };
        let Some(kind) = self.commits(act) else { return false };
        let place = self.hands[hand].id.into();
        self.at_end.push((kind, place));
        true
    }

    /// A loser is collected, at once or in two parts.
    pub(in super::super) fn collect_or_break(&mut self, hand: usize, main: Owed) {
        let unit = self.settings.house.unit;
        let kind = if main.lost > unit { self.commits(Act::CollectInParts) } else { None };
        let Some(kind) = kind else { return self.collect(hand) };
        let id = self.hands[hand].id;
        let spot = BetSpot::Main;
        self.emit(Event::Collect { hand: id, amount: unit, spot });
        self.noticed(kind, Some(id.into()));
        self.emit(Event::Collect { hand: id, amount: main.lost - unit, spot });
        self.hands[hand].settled = true;
    }

    /// A winner is paid, or paid another amount.
    pub(in super::super) fn pay_or_break(&mut self, hand: usize, main: Owed) {
        let act = if main.outcome == Outcome::Blackjack { Act::BlackJackAmount } else { Act::WinnerAmount };
        let Some(kind) = self.commits(act) else { return self.pay(hand) };
        let Hand { id, stake, .. } = self.hands[hand];
        let unit = self.settings.house.unit;
        let amount = match main.pay {
            pay if pay > stake => stake,
            pay if self.chance(50) => pay + unit,
            pay => pay - unit,
        };
        self.emit(Event::Pay { hand: id, amount, spot: BetSpot::Main });
        self.found(kind, Some(id.into()));
        self.hands[hand].settled = true;
    }

    /// Money that goes the wrong way, after the right one.
    pub(in super::super) fn break_money(&mut self, hand: usize, main: Owed) {
        let Hand { id, void, forfeit, .. } = self.hands[hand];
        if void || forfeit {
            return;
        }
        let cards = &self.hands[hand].cards;
        let black_jack = naive::is_black_jack(cards);
        let (pays, collects): (&[Act], &[Act]) = match main.outcome {
            Outcome::Push if black_jack => (&[Act::PayTiedBlackJack], &[Act::CollectTiedBlackJack]),
            Outcome::Push => (&[Act::PayTie], &[Act::CollectTie]),
            Outcome::Lose if self.hands[hand].is_over() => (&[Act::PayOver], &[]),
            Outcome::Lose if law::total(cards) == 21 => (&[Act::Pay21AgainstBlackJack], &[]),
            Outcome::Lose => (&[Act::PayLoser], &[]),
            Outcome::Win => (&[], &[Act::CollectWinner]),
            Outcome::Blackjack => (&[], &[Act::CollectBlackJack]),
            _ => return,
        };
        let (amount, spot) = (main.stake, BetSpot::Main);
        if let Some(kind) = self.commits_one(pays) {
            self.emit(Event::Pay { hand: id, amount, spot });
            self.found(kind, Some(id.into()));
        } else if let Some(kind) = self.commits_one(collects) {
            self.emit(Event::Collect { hand: id, amount, spot });
            self.found(kind, Some(id.into()));
        }
    }

    /// A card to a hand that is settled.
    pub(in super::super) fn break_after_settling(&mut self, hand: usize) -> Flow {
        match self.intends(Act::CardInSettlement) {
            Some(kind) if self.hands[hand].settled => {
                self.takes(kind);
                let place = self.hands[hand].id.into();
                self.undue_card(kind, place, &[Ruling::Resume])
            }
            _ => Ok(()),
        }
    }

    /// A card comes out of the discard tray again.
    pub(in super::super) fn break_clearing(&mut self) {
        if let Some(kind) = self.commits(Act::CardToShoe) {
            self.take_cards(Place::Discard, Place::Shoe, Some(1));
            self.noticed(kind, Some(Place::Discard));
        }
    }

    /// Everything is settled, the cards lie there still.
    pub(in super::super) fn break_when_settled(&mut self) -> Flow {
        if let Some(kind) = self.intends(Act::PayNobody)
            && let Some(box_no) = self.empty_box().filter(|_| self.takes(kind))
        {
            let (id, amount) = (HandId::first(box_no), self.settings.house.unit);
            self.emit(Event::Pay { hand: id, amount, spot: BetSpot::Main });
            self.noticed(kind, Some(id.into()));
        }
        Ok(())
    }
}

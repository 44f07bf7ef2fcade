//! When the bank plays, and in the settlement.

use super::*;
use sabot_law::table::Outcome;

impl Open<'_> {
    /// A bet is settled although the bank has cards to take; whether it never takes them.
    pub(in super::super) fn break_before_bank(&mut self) -> Flow<bool> {
        if self.intends(Act::EndEarly).is_some() {
            return self.end_early();
        }
        self.break_insurance_early();
        self.break_black_jack_early();
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
        let rota = &self.rota;
        let fits = |hand: &Hand| {
            let plain = !hand.void && !hand.settled && hand.double == 0 && hand.insurance == 0 && !hand.is_over();
            let total = hand.total();
            let affords = !pays || rota.affords(hand.stake);
            plain && affords && total < 21 && if pays { total > bank } else { total < bank }
        };
        let Some(hand) = self.hands.iter().position(fits).filter(|_| self.takes(kind)) else { return Ok(false) };
        let Hand { id, stake, .. } = self.hands[hand];
        let spot = BetSpot::Main;
        if pays {
            self.pay_out(id, stake, spot);
        } else {
            self.emit(Event::Collect { hand: id, amount: stake, spot });
        }
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

    /// The only hand ties with the bank as it lies, which draws no further.
    fn end_early(&mut self) -> Flow<bool> {
        self.draw_to_bank(Face::Up)?;
        self.tell_bank_total();
        let bank = self.bank_total();
        let ties = bank < 17 && self.hands.len() == 1 && self.hands[0].total() == bank;
        let Some(kind) = self.intends(Act::EndEarly).filter(|&kind| ties && self.takes(kind)) else {
            return Ok(false);
        };
        self.at_end.push((kind, Some(Place::Bank)));
        Ok(true)
    }

    /// The bank's total if it drew now.
    fn next_bank_total(&self) -> u8 {
        self.shoe.peek().map_or(0, |card| law::total(&[&self.bank[..], &[card]].concat()))
    }

    /// The bank draws though it stands.
    pub(in super::super) fn break_after_bank(&mut self) -> Flow {
        match self.intends(Act::BankBeyond) {
            Some(kind) if (17..=21).contains(&self.bank_total()) && self.takes(kind) => {
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
            Outcome::Blackjack if self.hands[hand].split => Act::SplitBlackJackUnpaid,
            Outcome::Blackjack => Act::BlackJackUnpaid,
            Outcome::Lose if law::total(&self.hands[hand].cards) == 21 => Act::TwentyOneUncollected,
            Outcome::Lose if over => Act::OverUncollected,
            Outcome::Lose if naive::is_black_jack(&self.bank) => Act::UncollectedByBlackJack,
            Outcome::Lose if !self.hands[hand].forfeit => Act::LoserUncollected,
            _ => return false,
        };
        let Some(kind) = self.commits(act) else { return false };
        let place = self.hands[hand].id.into();
        self.at_end.push((kind, Some(place)));
        self.passed_over = Some(place);
        true
    }

    /// A loser is collected, at once or in two parts.
    pub(in super::super) fn collect_or_break(&mut self, hand: usize, main: Owed) {
        let unit = self.settings.house.unit;
        let banks = naive::is_black_jack(&self.bank);
        let act = if banks { Act::CollectInPartsByBlackJack } else { Act::CollectInParts };
        let kind = if main.lost > unit { self.commits(act) } else { None };
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
        let act = match main.outcome {
            _ if self.hands[hand].split && naive::is_black_jack(&self.hands[hand].cards) => Act::SplitBlackJackAmount,
            Outcome::Blackjack => Act::BlackJackAmount,
            _ => Act::WinnerAmount,
        };
        let Hand { id, stake, .. } = self.hands[hand];
        let Pays { pays, per, .. } = self.rules.blackjack;
        // the most that is paid below
        if !self.affords(stake * pays / per + 2 * stake) {
            return self.pay(hand);
        }
        let Some(kind) = self.commits(act) else { return self.pay(hand) };
        let unit = self.settings.house.unit;
        let amount = match main.pay {
            _ if act == Act::SplitBlackJackAmount => stake * pays / per,
            pay if pay > stake => stake,
            pay if self.chance(50) || pay <= unit => pay + unit,
            pay => pay - unit,
        };
        self.pay_out(id, amount, BetSpot::Main);
        self.noticed(kind, Some(id.into()));
        self.hands[hand].settled = true;
    }

    /// Money that goes the wrong way, after the right one.
    pub(in super::super) fn break_money(&mut self, hand: usize, main: Owed) {
        let Hand { id, void, forfeit, split, insurance, .. } = self.hands[hand];
        if void || forfeit {
            return;
        }
        let cards = &self.hands[hand].cards;
        let black_jack = naive::is_black_jack(cards);
        let (pays, collects): (&[Act], &[Act]) = match main.outcome {
            Outcome::Push if black_jack && split => (&[Act::PayTiedSplitBlackJack], &[Act::CollectTiedSplitBlackJack]),
            Outcome::Push if black_jack && insurance > 0 => {
                (&[Act::PayInsuredBlackJack], &[Act::CollectInsuredBlackJack])
            }
            Outcome::Push if black_jack => (&[Act::PayTiedBlackJack], &[Act::CollectTiedBlackJack]),
            Outcome::Push => (&[Act::PayTie], &[Act::CollectTie]),
            Outcome::Lose if self.hands[hand].is_over() => (&[Act::PayOver], &[]),
            Outcome::Lose if law::total(cards) == 21 => (&[Act::Pay21AgainstBlackJack], &[]),
            Outcome::Lose if naive::is_black_jack(&self.bank) => (&[Act::PayLoserToBlackJack], &[]),
            Outcome::Lose => (&[Act::PayLoser], &[]),
            Outcome::Win | Outcome::Blackjack if self.bank_total() > 21 => (&[], &[Act::CollectFromOverBank]),
            Outcome::Win => (&[], &[Act::CollectWinner]),
            Outcome::Blackjack if self.bank_total() == 21 => (&[], &[Act::CollectBlackJackFrom21]),
            Outcome::Blackjack => (&[], &[Act::CollectBlackJack]),
            _ => return,
        };
        let (amount, spot) = (main.stake, BetSpot::Main);
        let pays = if self.affords(amount) { pays } else { &[] };
        if let Some(kind) = self.commits_one(pays) {
            self.pay_out(id, amount, spot);
            self.noticed(kind, Some(id.into()));
        } else if let Some(kind) = self.commits_one(collects) {
            self.emit(Event::Collect { hand: id, amount, spot });
            self.noticed(kind, Some(id.into()));
        }
    }

    /// A card to a hand that is settled.
    pub(in super::super) fn break_after_settling(&mut self, hand: usize) -> Flow {
        match self.intends(Act::CardInSettlement) {
            Some(kind) if self.hands[hand].settled && self.takes(kind) => {
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
            self.shoe.retired -= 1;
            self.noticed(kind, Some(Place::Discard));
        }
    }

    /// A Black Jack that the bank cannot tie is not paid before the play.
    pub(in super::super) fn break_paid_at_once(&mut self, hand: usize) -> bool {
        let Some(kind) = self.commits(Act::BlackJackLate) else { return false };
        let place = self.hands[hand].id.into();
        self.at_play.push((kind, place));
        true
    }

    /// A Black Jack that it can tie is paid before its second card.
    fn break_black_jack_early(&mut self) {
        let fits = |hand: &Hand| {
            naive::is_black_jack(&hand.cards) && !hand.split && !hand.void && !hand.settled && hand.insurance == 0
        };
        // somebody has to be left whom the bank draws for
        let others = (0..self.hands.len()).filter(|&hand| self.is_in_play(hand)).count() > 1;
        let hand = self.hands.iter().position(fits).filter(|_| others && self.next_bank_total() < 21);
        let Some(hand) = hand else { return };
        let Hand { id, stake, .. } = self.hands[hand];
        let Pays { pays, per, .. } = self.rules.blackjack;
        let amount = stake * pays / per;
        if self.affords(amount)
            && let Some(kind) = self.commits(Act::BlackJackEarly)
        {
            self.pay_out(id, amount, BetSpot::Main);
            self.found(kind, Some(id.into()));
            self.hands[hand].settled = true;
        }
    }

    /// Cards cleared before those of an earlier place, or left where they lie.
    pub(in super::super) fn break_clearing_order(&mut self, places: &mut Vec<Place>) {
        if places.len() < 2 {
            return;
        }
        if let Some(kind) = self.commits(Act::ClearAhead) {
            let (passed, ahead) = (places[0], places.remove(1));
            self.clear(ahead);
            self.found(kind, Some(passed));
        } else if let Some(kind) = self.commits(Act::LeftOnFelt) {
            let left = places.pop();
            self.at_end.push((kind, left));
        }
    }

    /// A later hand is paid or collected before this one.
    pub(in super::super) fn break_settle_order(&mut self, hand: usize) {
        if self.intends(Act::SettleAhead).is_none() || self.bank.len() < 2 {
            return;
        }
        let due = |hand: usize| {
            let owed = self.owed(hand);
            (owed.pay > 0 || owed.lost > 0) && !self.hands[hand].settled
        };
        let later = (hand + 1..self.hands.len()).find(|&later| due(later)).filter(|_| due(hand));
        let Some((later, kind)) = later.and_then(|later| Some((later, self.commits(Act::SettleAhead)?))) else {
            return;
        };
        let passed = self.hands[hand].id.into();
        self.settle_hand(later);
        self.found(kind, Some(passed));
    }

    /// The bank draws though nobody plays against it.
    pub(in super::super) fn break_idle(&mut self) -> Flow {
        match self.commits(Act::BankIdle) {
            Some(kind) => self.undue_card(kind, Place::Bank, ON_THE_BANK),
            None => Ok(()),
        }
    }

    /// Everything is settled, the cards lie there still.
    pub(in super::super) fn break_when_settled(&mut self) -> Flow {
        let amount = self.settings.house.unit;
        if self.affords(amount)
            && let Some(kind) = self.intends(Act::PayNobody)
            && let Some(box_no) = self.empty_box().filter(|_| self.takes(kind))
        {
            let id = HandId::first(box_no);
            self.pay_out(id, amount, BetSpot::Main);
            self.noticed(kind, Some(id.into()));
        }
        Ok(())
    }
}

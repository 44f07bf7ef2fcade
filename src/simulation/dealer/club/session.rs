//! A session: who takes part, what everybody advances to the bank, who banks, and how the bank is divided at the end.

use rand::RngExt;

use super::*;
use sabot_law::table::event::{BankChange, Share};

impl Open<'_> {
    /// Between sessions people come and go, and who plays the next one advances a share of the bank; during one they
    /// stay.
    pub(super) fn session_begins(&mut self) {
        if self.rota.advance > 0 {
            if self.rota.funds.is_some_and(|funds| funds <= 0) {
                self.everybody_advances();
            }
            return;
        }
        let boxes = usize::from(self.header.boxes);
        let (least, most) = match (self.plan.seats, self.plan.bets) {
            (Some((least, most)), _) => (least, most),
            (None, Some((least, most))) => (least + 1, most + 1),
            (None, None) => (2, boxes),
        };
        let most = most.min(boxes);
        let wanted = self.rng.random_range(least.clamp(2, most)..=most);
        self.seat_and_leave(wanted, wanted);
        self.rota.advance = UNIT * self.rng.random_range(50..=1_000);
        if self.takes(kinds::A7_NONE) {
            self.at_close.push((kinds::A7_NONE, None));
            self.rota.late = self.participants();
            return;
        }
        let participants = self.participants();
        let odd = self.rng.random_range(1..participants.len());
        for (n, player) in participants.into_iter().enumerate() {
            if n == odd && self.takes(kinds::A7_MISSING) {
                self.at_close.push((kinds::A7_MISSING, None));
                self.rota.late.push(player);
            } else if n == odd && self.takes(kinds::A7_ADVANCE) {
                let amount = self.rota.advance + UNIT * self.rng.random_range(1..50);
                self.share(player, Share::Advance, amount);
                self.found(kinds::A7_ADVANCE, None);
            } else {
                let amount = self.rota.advance;
                self.share(player, Share::Advance, amount);
            }
        }
    }

    /// The participants in the order of play.
    pub(super) fn participants(&self) -> Vec<Name> {
        self.seats.iter().rev().flatten().cloned().collect()
    }

    /// Those who play against the bank.
    pub(super) fn bettors(&self) -> Vec<Name> {
        self.participants().into_iter().filter(|player| Some(player) != self.rota.banker.as_ref()).collect()
    }

    pub(super) fn share(&mut self, player: Name, what: Share, amount: Cents) {
        if what == Share::Advance {
            self.rota.funds.get_or_insert(0);
        }
        self.emit(Event::Share { player, what, amount });
    }

    /// Every participant advances the same again, but for one who has done so already.
    pub(super) fn everybody_advances(&mut self) {
        let ahead = self.rota.ahead.take();
        for player in self.participants().into_iter().filter(|player| Some(player) != ahead.as_ref()) {
            let amount = self.rota.advance;
            self.share(player, Share::Advance, amount);
        }
    }

    /// Those who had not advanced when the bets were closed do it now.
    pub(super) fn advance_late(&mut self) {
        for player in std::mem::take(&mut self.rota.late) {
            let amount = self.rota.advance;
            self.share(player, Share::Advance, amount);
        }
    }

    /// Where the bank cannot pay that much, everybody advances anew.
    pub(super) fn bank_holds(&mut self, amount: Cents) {
        if self.affords(amount) {
            return;
        }
        if self.takes(kinds::A7_BEYOND) {
            self.overdraws = Some(kinds::A7_BEYOND);
            return;
        }
        while !self.affords(amount) {
            self.everybody_advances();
        }
    }

    /// Who banks after a participant: the next counter-clockwise, that is, in the next lower seat.
    pub(super) fn next_banker(&self, after: &Name) -> Option<Name> {
        let round = self.participants();
        let at = round.iter().position(|player| player == after)?;
        round.get((at + 1) % round.len()).cloned()
    }

    /// Whether everybody has banked whose turn it was.
    pub(super) fn round_is_over(&self) -> bool {
        let next = self.rota.banker.as_ref().and_then(|banker| self.next_banker(banker));
        next.is_some_and(|next| self.rota.banked.contains(&next))
    }

    pub(super) fn turn_passes_to(&mut self, player: Name) {
        self.emit(Event::Bank { how: BankChange::Turn, player: Some(player.clone()), by: None, amount: None });
        self.rota.banked.push(player.clone());
        self.rota.banker = Some(player);
    }

    /// When the cards have to be shuffled and everybody has banked, the session is over: the bank is divided.
    pub(super) fn round_may_be_over(&mut self) {
        if self.rota.advance == 0 || !self.needs_shoe() || !self.round_is_over() {
            return;
        }
        if self.takes(kinds::A4_ROUND) {
            let next = self.rota.banker.clone().and_then(|banker| self.next_banker(&banker));
            if let Some(next) = next {
                self.turn_passes_to(next);
                self.found(kinds::A4_ROUND, None);
                self.rota.turned = true;
            }
            return;
        }
        let participants = self.participants();
        let funds = Cents::try_from(self.rota.funds.unwrap_or(0)).unwrap_or(0);
        let seated = participants.len();
        let odd = self.rng.random_range(0..seated);
        for (n, player) in participants.into_iter().enumerate() {
            let part = law::part_of_bank(funds, seated, n);
            let wrong = n == odd && part > 0 && self.takes(kinds::A7_DIVIDEND);
            self.share(player, Share::Dividend, if wrong { part - 1 } else { part });
            if wrong {
                self.found(kinds::A7_DIVIDEND, None);
            }
        }
        self.rota.advance = 0;
        // a part that was too small leaves something in the bank; what was paid without funds is nobody's to make good
        self.rota.funds = self.rota.funds.map(|funds| funds.max(0));
        self.rota.banked.clear();
        self.rota.turned = false;
        self.rota.ahead = None;
    }
}

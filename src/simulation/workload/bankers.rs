//! Players who bank: drawn for and moved on a Black Jack, or by turn at every shuffle, the bank owned in common.

use rand::RngExt;
use rand::seq::SliceRandom;

use super::{Dealer, cards};
use sabot_law::table::event::{BankChange, Share};
use sabot_law::table::settings::{Banker, FirstHand};
use sabot_law::table::{Card, Cents, Event, Name};

/// Every way a player with a Black Jack may dispose of the bank.
const WAYS: &[BankChange] =
    &[BankChange::Taken, BankChange::Given, BankChange::Sold, BankChange::Returned, BankChange::Left];

/// Who banks, who has, and what the bank holds.
#[derive(Debug, Clone, Default)]
pub(super) struct Rota {
    pub(super) banker: Option<Name>,
    /// Who has banked in this session.
    banked: Vec<Name>,
    /// What each participant advances; 0 between sessions.
    advance: Cents,
    /// What the bank holds, where the players own it.
    funds: i64,
    /// Who was to get the cut card when it came out last.
    pub(super) cut_card_to: Option<Name>,
    /// The banker has had his first hand.
    seasoned: bool,
}

impl Rota {
    /// Chips go into the bank or out of it.
    pub(super) fn keep_account(&mut self, event: &Event) {
        let (into, amount) = match event {
            Event::Collect { amount, .. } | Event::Share { what: Share::Advance, amount, .. } => (1, *amount),
            Event::Pay { amount, .. } | Event::Share { what: Share::Dividend, amount, .. } => (-1, *amount),
            _ => return,
        };
        self.funds += into * i64::try_from(amount).unwrap_or(0);
    }
}

impl Dealer {
    pub(super) fn by_turn(&self) -> bool {
        self.book.banker == Banker::ByTurn
    }

    fn on_black_jack(&self) -> bool {
        self.book.banker == Banker::OnBlackJack
    }

    /// Fewest people where one of them banks.
    pub(super) fn rota_needs_people(&self) -> Option<usize> {
        (self.book.banker != Banker::House).then_some(2)
    }

    /// Between sessions people come and go: how many play the next one.
    pub(super) fn session_begins(&mut self, most: usize) -> Option<usize> {
        (self.by_turn() && self.rota.advance == 0).then(|| self.rng.random_range(2..=most.max(2)))
    }

    pub(super) fn session_lasts(&self) -> bool {
        self.by_turn() && self.rota.advance > 0
    }

    /// Who banked last may get up.
    pub(super) fn session_may_change(&self) -> bool {
        self.by_turn()
    }

    /// Who plays a session advances an equal share, and all of them the same again when the bank is empty.
    pub(super) fn everybody_advances_where_due(&mut self) {
        if !self.by_turn() {
            return;
        }
        if self.rota.advance == 0 {
            self.rota.advance = self.house.unit * self.rng.random_range(50..=1_000);
            self.rota.funds = 0;
            self.everybody_advances();
        } else if self.rota.funds <= 0 {
            self.everybody_advances();
        }
    }

    fn everybody_advances(&mut self) {
        let amount = self.rota.advance;
        for player in self.participants() {
            self.emit(Event::Share { player, what: Share::Advance, amount });
        }
    }

    /// Where the bank cannot pay that much, everybody advances before.
    pub(super) fn bank_holds(&mut self, amount: Cents) {
        while self.by_turn() && self.rota.advance > 0 && self.rota.funds < i64::try_from(amount).unwrap_or(0) {
            self.everybody_advances();
        }
    }

    /// The participants in the order of play.
    fn participants(&self) -> Vec<Name> {
        self.seats.iter().rev().flatten().cloned().collect()
    }

    /// Who banks after a participant: the next counter-clockwise, that is, in the next lower seat.
    fn next_banker(&self) -> Option<Name> {
        let round = self.participants();
        let at = round.iter().position(|player| Some(player) == self.rota.banker.as_ref())?;
        round.get((at + 1) % round.len()).cloned()
    }

    /// At a shuffle the bank passes on; whoever of a new session may begin, or who is next.
    pub(super) fn bank_passes_on(&mut self) {
        if !self.by_turn() {
            return;
        }
        let next = if self.rota.banked.is_empty() && self.chance(50) { None } else { self.next_banker() };
        let Some(next) = next.or_else(|| self.one_of_all()) else { return };
        self.emit(Event::Bank { how: BankChange::Turn, player: Some(next.clone()), by: None, amount: None });
        self.rota.banked.push(next.clone());
        self.rota.banker = Some(next);
    }

    fn one_of_all(&mut self) -> Option<Name> {
        let all = self.participants();
        let at = self.rng.random_range(0..all.len().max(1));
        all.get(at).cloned()
    }

    /// The cut is offered to who was to get the cut card, else at the banker's left, where it also goes next; whether
    /// it is this house's way to cut.
    pub(super) fn offers_the_cut(&mut self, depth: u32) -> bool {
        if !self.by_turn() {
            return false;
        }
        let mut bettors = self.participants();
        bettors.retain(|player| Some(player) != self.rota.banker.as_ref());
        let Some(left) = bettors.last().cloned() else { return true };
        let drew = self.rota.cut_card_to.clone().filter(|player| bettors.contains(player));
        let mut by = drew.unwrap_or_else(|| left.clone());
        self.emit(Event::OfferCut { player: by.clone() });
        if by != left && self.chance(15) {
            by = left;
            self.emit(Event::OfferCut { player: by.clone() });
        }
        self.emit(Event::Cut { depth, by });
        true
    }

    /// No card is left for the play: those retired are shuffled and cut, and it goes on.
    pub(super) fn shuffle_the_retired(&mut self) {
        if !self.by_turn() || self.shoe.retired == 0 {
            return;
        }
        self.emit(Event::Device { device: "shoe".into(), status: "empty".into(), detail: None, complete: false });
        let cards = self.shoe.retired as u32;
        self.shuffle(self.book.min_decks, cards);
        self.emit(Event::Load { cards, cut_card: 0 });
        let felt: Vec<Card> = self.hands.iter().flat_map(|hand| &hand.cards).chain(&self.bank).copied().collect();
        self.shoe.refill(&mut self.rng, felt.into_iter());
    }

    /// Where nobody banks, everybody draws a card, and the highest banks.
    pub(super) fn bank_is_drawn_for(&mut self) {
        if !self.on_black_jack() || self.rota.banker.is_some() {
            return;
        }
        let packs = if self.chance(80) { 1 } else { 2 };
        let mut pack: Vec<Card> = (0..packs).flat_map(|_| (0..52).filter_map(Card::from_index)).collect();
        pack.shuffle(&mut self.rng);
        let drawn: Vec<(Name, Card)> = self.seats.iter().flatten().cloned().zip(pack).collect();
        for (player, card) in drawn.clone() {
            self.emit(Event::BankCard { player, card });
        }
        let highest = drawn.iter().map(|&(_, card)| cards::precedence(card)).max();
        let mut those = drawn.into_iter().filter(|&(_, card)| Some(cards::precedence(card)) == highest);
        let (first, second) = (those.next(), those.next());
        let banker = second.filter(|_| self.chance(50)).or(first).map(|(player, _)| player);
        self.emit(Event::Bank { how: BankChange::Drawn, player: banker.clone(), by: None, amount: None });
        self.rota.seasoned &= self.book.first_hand_keeps_bank == FirstHand::Session;
        self.rota.banker = banker;
    }

    /// Between two passes a bank may move, or be divided.
    pub(super) fn after_pass(&mut self) {
        if self.on_black_jack() {
            self.bank_may_move();
        }
        let round_is_over = self.next_banker().is_some_and(|next| self.rota.banked.contains(&next));
        if self.session_lasts() && self.shoe.is_used_up() && round_is_over {
            self.divide_the_bank();
        }
    }

    /// When the cards have to be shuffled and everybody has banked, the session is over: equal parts, and one unit of
    /// what is left over to as many as there are.
    fn divide_the_bank(&mut self) {
        let participants = self.participants();
        let (funds, among) = (Cents::try_from(self.rota.funds).unwrap_or(0), participants.len() as Cents);
        for (before, player) in (0..).zip(participants) {
            let amount = funds / among + Cents::from(before < funds % among);
            self.emit(Event::Share { player, what: Share::Dividend, amount });
        }
        self.rota =
            Rota { banker: self.rota.banker.take(), cut_card_to: self.rota.cut_card_to.take(), ..Rota::default() };
    }

    /// Who had a Black Jack in the pass just ended may dispose of the bank, unless the bank had one too or it was the
    /// banker's first hand.
    fn bank_may_move(&mut self) {
        let seasoned = std::mem::replace(&mut self.rota.seasoned, true);
        let holders: Vec<Name> =
            self.hands.iter().filter(|hand| hand.is_black_jack()).map(|hand| hand.bettor.clone()).collect();
        if cards::is_black_jack(&self.bank) || holders.is_empty() || !self.chance(70) {
            return;
        }
        let by = holders[self.rng.random_range(0..holders.len())].clone();
        let ways = if seasoned { WAYS } else { &[BankChange::Left] };
        let Some(how) = self.one_of(ways) else { return };
        let mut others = self.participants();
        others.retain(|other| *other != by && Some(other) != self.rota.banker.as_ref());
        let other = others.get(self.rng.random_range(0..others.len().max(1))).cloned();
        let (how, player) = match (how, other) {
            (BankChange::Returned | BankChange::Left, _) => (how, None),
            (BankChange::Given | BankChange::Sold, Some(other)) => (how, Some(other)),
            _ => (BankChange::Taken, Some(by.clone())),
        };
        let amount = (how == BankChange::Sold).then(|| self.book.chip * self.rng.random_range(1..200));
        let named = how != BankChange::Taken || self.chance(50);
        self.emit(Event::Bank { how, player: player.clone(), by: Some(by).filter(|_| named), amount });
        if how != BankChange::Left {
            self.rota.banker = player;
            self.rota.seasoned = self.book.first_hand_keeps_bank == FirstHand::Session;
        }
    }
}

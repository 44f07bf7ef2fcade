//! Who banks: drawn for by the highest card, and moved on a Black Jack between two passes.

use rand::seq::SliceRandom;

use super::*;
use sabot_law::table::event::BankChange;

/// Every way a player with a Black Jack may dispose of the bank.
const WAYS: &[BankChange] =
    &[BankChange::Taken, BankChange::Given, BankChange::Sold, BankChange::Returned, BankChange::Left];

/// The breaks that are done when the pass has ended.
const MOVES: &[Kind] = &[
    kinds::B5_NONE,
    kinds::B5_BANKER,
    kinds::B5_SECOND,
    kinds::B5_TURN,
    kinds::B6_FIRST,
    kinds::B7_BANK,
    kinds::B8_SPLIT,
];

/// Whether a break is possible now: some need a bank that is drawn for in this pass, others one that is not.
pub(super) fn possible(table: &SimulatedDealer, kind: Kind) -> bool {
    let drawn_for = table.rota.banker.is_none();
    match kind {
        kinds::T1_LOWER | kinds::B6_FIRST => drawn_for,
        kinds::T1_AGAIN | kinds::B5_NONE | kinds::B5_BANKER | kinds::B5_SECOND | kinds::B5_TURN => !drawn_for,
        kinds::B7_BANK | kinds::B8_SPLIT | kinds::B5_DEALING => !drawn_for,
        _ => true,
    }
}

impl Open<'_> {
    /// Where nobody banks, everybody draws a card, and the highest banks.
    pub(super) fn bank_is_drawn_for(&mut self) {
        if self.rota.banker.is_some() {
            let Some(player) = self.seated_player(None).filter(|_| self.takes(kinds::T1_AGAIN)) else { return };
            self.bank_changes(BankChange::Drawn, Some(player), None, None);
            self.found(kinds::T1_AGAIN, None);
            self.rota.unclear = true;
            return;
        }
        let packs = if self.chance(80) { 1 } else { 2 };
        let mut pack: Vec<Card> = (0..packs).flat_map(|_| (0..DECK as u8).filter_map(Card::from_index)).collect();
        pack.shuffle(&mut self.rng);
        let players: Vec<Name> = self.seats.iter().flatten().cloned().collect();
        let drawn: Vec<(Name, Card)> = players.into_iter().zip(pack).collect();
        for (player, card) in drawn.clone() {
            self.emit(Event::BankCard { player, card });
        }
        let highest = drawn.iter().map(|&(_, card)| law::precedence(card)).max();
        let is_highest = |card: Card| Some(law::precedence(card)) == highest;
        let winner = drawn.iter().find(|&&(_, card)| is_highest(card)).map(|(player, _)| player.clone());
        let lower = drawn.iter().any(|&(_, card)| !is_highest(card)) && self.takes(kinds::T1_LOWER);
        let those = drawn.into_iter().filter(|&(_, card)| is_highest(card) != lower).collect::<Vec<_>>();
        let one = self.rng.random_range(0..those.len().max(1));
        let banker = those.get(one).map(|(player, _)| player.clone());
        self.bank_changes(BankChange::Drawn, banker.clone(), None, None);
        self.rota.banker = banker;
        if lower {
            self.found(kinds::T1_LOWER, None);
            // it goes to whose it is after all
            self.bank_changes(BankChange::Drawn, winner.clone(), None, None);
            self.rota.banker = winner;
        }
        self.rota.fresh = true;
    }

    fn bank_changes(&mut self, how: BankChange, player: Option<Name>, by: Option<Name>, amount: Option<Cents>) {
        self.emit(Event::Bank { how, player, by, amount });
    }

    /// Somebody disposes of the bank; who banks then.
    fn disposes(&mut self, by: Name, ways: &[BankChange]) -> Option<Name> {
        let banker = self.rota.banker.clone();
        let mut others: Vec<Name> = self.seats.iter().flatten().cloned().collect();
        others.retain(|other| *other != by && Some(other) != banker.as_ref());
        let other = self.rng.random_range(0..others.len().max(1));
        let how = ways[self.rng.random_range(0..ways.len())];
        match (how, others.get(other).cloned()) {
            (BankChange::Returned, _) => {
                self.bank_changes(how, None, Some(by), None);
                None
            }
            (BankChange::Left, _) => {
                self.bank_changes(how, None, Some(by), None);
                banker
            }
            (BankChange::Given | BankChange::Sold, Some(other)) => {
                let price = (how == BankChange::Sold).then(|| CHIP * self.rng.random_range(1..200));
                self.bank_changes(how, Some(other.clone()), Some(by), price);
                Some(other)
            }
            _ => {
                let named = self.chance(50).then(|| by.clone());
                self.bank_changes(BankChange::Taken, Some(by.clone()), named, None);
                Some(by)
            }
        }
    }

    /// Hands with a Black Jack, split or not.
    fn black_jacks(&self, split: bool) -> Vec<Hand> {
        let has = |hand: &&Hand| naive::is_black_jack(&hand.cards) && hand.split == split && !hand.void;
        self.hands.iter().filter(has).cloned().collect()
    }

    /// Whether somebody has one bet and no other.
    fn has_one_box(&self, player: &Name) -> bool {
        self.hands.iter().filter(|hand| hand.bettor == *player && hand.id.hand == 0).count() == 1
    }

    /// Who had a Black Jack in the pass just ended may dispose of the bank.
    pub(super) fn bank_may_move(&mut self) {
        let (fresh, unclear) = (std::mem::take(&mut self.rota.fresh), std::mem::take(&mut self.rota.unclear));
        let banks = naive::is_black_jack(&self.bank);
        let mut holders = self.black_jacks(false);
        if let Some(kind) = self.armed.filter(|kind| MOVES.contains(kind)) {
            return self.break_bank_move(kind, &holders, fresh, banks);
        }
        // what was found of the bank or of a box may bear on who had what
        let found = |place: Place| self.truth.iter().any(|row| row.place == Some(place));
        let of_bank = found(Place::Bank);
        holders.retain(|hand| !hand.forfeit && !found(hand.id.into()));
        if unclear || banks || of_bank || holders.is_empty() || !self.chance(70) {
            return;
        }
        let holder = self.rng.random_range(0..holders.len());
        let by = holders.swap_remove(holder).bettor;
        let ways = if fresh { &[BankChange::Left] } else { WAYS };
        let before = self.rota.banker.clone();
        self.rota.banker = self.disposes(by, ways);
        // whoever has the bank now has his first hand before him
        self.rota.fresh = self.rota.banker != before;
    }

    /// The bank disposed of by somebody who may not; whoever does it has one box, which is named.
    fn break_bank_move(&mut self, kind: Kind, holders: &[Hand], fresh: bool, banks: bool) {
        let split = self.black_jacks(true);
        let has_none = |hand: &Hand| !holders.iter().chain(&split).any(|other| other.bettor == hand.bettor);
        let one_box = |hand: &&Hand| hand.id.hand == 0 && self.has_one_box(&hand.bettor);
        let holder = holders.iter().find(one_box);
        let who = match kind {
            kinds::B5_NONE | kinds::B5_TURN => self.hands.iter().find(|hand| one_box(hand) && has_none(hand)),
            kinds::B5_SECOND if !fresh && !banks => {
                holder.and_then(|first| holders.iter().find(|one| one_box(one) && one.bettor != first.bettor))
            }
            kinds::B6_FIRST if fresh && !banks => holder,
            kinds::B7_BANK if !fresh && banks => holder,
            kinds::B8_SPLIT if !fresh && !banks && holders.is_empty() => {
                split.iter().find(|hand| self.has_one_box(&hand.bettor))
            }
            _ => None,
        };
        let who = who.map(|hand| (hand.bettor.clone(), Some(Place::from(HandId::first(hand.id.box_no)))));
        let banker = self.rota.banker.clone().filter(|_| kind == kinds::B5_BANKER).map(|banker| (banker, None));
        let Some((by, place)) = who.or(banker).filter(|_| self.takes(kind)) else { return };
        match kind {
            kinds::B5_TURN => self.bank_changes(BankChange::Turn, Some(by), None, None),
            kinds::B5_SECOND => {
                if let Some(first) = holder {
                    self.rota.banker = self.disposes(first.bettor.clone(), &[BankChange::Taken, BankChange::Given]);
                }
                self.disposes(by, &WAYS[..4]);
            }
            kinds::B5_NONE | kinds::B5_BANKER => {
                self.disposes(by, &WAYS[1..]);
            }
            _ => {
                self.disposes(by, &WAYS[..4]);
            }
        }
        self.found(kind, place);
    }

    /// The bank taken on a Black Jack while the pass is dealt.
    pub(super) fn break_taken_in_pass(&mut self, kind: Kind, hand: usize) {
        let Hand { id, ref bettor, .. } = self.hands[hand];
        let player = bettor.clone();
        if self.has_one_box(&player) && self.takes(kind) {
            self.bank_changes(BankChange::Taken, Some(player), None, None);
            self.found(kind, Some(id.into()));
        }
    }
}

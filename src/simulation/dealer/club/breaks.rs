//! What only this house's book can be broken by, and when.

use rand::RngExt;

use super::*;
use crate::dealer::kind::When;
use sabot_law::table::event::{BankChange, Choice, Ruling, Share};

/// Funds below which a winner may be owed more than the bank holds.
const LOW_FUNDS: i64 = 10_000;

/// Whether a break is possible now: during a session who plays is settled, and much can be only at its time.
pub(super) fn possible(table: &SimulatedDealer, kind: Kind) -> bool {
    let plan = kind.plan();
    let rota = &table.rota;
    let (on, seated) = (rota.advance > 0, table.seated());
    let boxes = usize::from(table.header.boxes);
    let within = |span: Option<(usize, usize)>, n: usize| span.is_none_or(|(least, most)| least <= n && n <= most);
    let people = if on {
        within(plan.seats, seated) && within(plan.bets, seated - 1)
    } else {
        plan.bets.is_none_or(|(least, _)| least < boxes)
    };
    if !people {
        return false;
    }
    let shoe = &table.shoe;
    let runs_on = on && !table.needs_shoe();
    let is_near = |cards: usize| runs_on && shoe.before_cut_card() <= cards;
    match kind {
        kinds::A7_ADVANCE | kinds::A7_MISSING => !on,
        kinds::A7_NONE => !on && rota.funds.is_some(),
        kinds::A7_AGAIN => on && rota.ahead.is_none() && rota.funds.is_some_and(|funds| funds > 0),
        kinds::A7_BEYOND => on && rota.funds.is_some_and(|funds| funds < LOW_FUNDS),
        kinds::A7_DIVIDEND | kinds::A4_ROUND => is_near(2 * seated) && rota.banked.len() + 1 >= seated,
        kinds::A4_SAME | kinds::A4_TURN => on && table.needs_shoe() && !rota.banked.is_empty(),
        kinds::A4_MID_SHOE => runs_on && shoe.drawn() > 0,
        kinds::G17_OLD_SHOE => on,
        kinds::G17_SECOND => table.needs_shoe() && rota.cut_card_to.is_some(),
        kinds::G21_NOT_EMPTY | kinds::G21_COUNT | kinds::G21_UNSHUFFLED | kinds::G21_UNFINISHED => {
            is_near(4) && !shoe.cut_card_is_next() && shoe.retired > 1
        }
        kinds::G22_BEGUN => runs_on && shoe.cut_card_is_next(),
        _ if plan.when == When::NewShoe => table.needs_shoe(),
        _ => true,
    }
}

impl Open<'_> {
    /// One deck is shuffled, or three.
    pub(super) fn break_decks_shuffled(&mut self) {
        if let Some(kind) = self.takes_one(&[kinds::G1_SHUFFLE, kinds::A2_SHUFFLE]) {
            let decks = if kind == kinds::G1_SHUFFLE { 1 } else { 3 };
            self.emit(Event::Shuffle { decks, cards: decks * DECK as u32 });
            self.room_rules_on(kind, None);
        }
    }

    fn changes_bank(&mut self, how: BankChange, player: Name) {
        self.emit(Event::Bank { how, player: Some(player), by: None, amount: None });
    }

    /// Between two plays.
    pub(super) fn break_between_plays(&mut self) {
        let Some(kind) = self.armed else { return };
        let banker = self.rota.banker.clone();
        match kind {
            kinds::A4_KIND => {
                let Some(player) = self.seated_player(banker.as_ref()).filter(|_| self.takes(kind)) else { return };
                let how = [BankChange::Taken, BankChange::Drawn, BankChange::Given][self.rng.random_range(0..3)];
                self.changes_bank(how, player);
                self.found(kind, None);
            }
            kinds::A4_MID_SHOE => {
                let next = banker.as_ref().and_then(|banker| self.next_banker(banker));
                let Some(player) = next.filter(|_| self.takes(kind)) else { return };
                self.turn_passes_to(player);
                self.found(kind, None);
            }
            kinds::A7_AGAIN => {
                let Some(player) = self.seated_player(None).filter(|_| self.takes(kind)) else { return };
                let amount = self.rota.advance;
                self.share(player.clone(), Share::Advance, amount);
                self.found(kind, None);
                self.rota.ahead = Some(player);
            }
            kinds::G0_BANK_CARD => {
                let Some(player) = self.seated_player(None).filter(|_| self.takes(kind)) else { return };
                let card = Card::from_index(self.rng.random_range(0..DECK as u8)).unwrap_or(Card::UNREAD);
                self.emit(Event::BankCard { player, card });
                self.room_rules_on(kind, None);
            }
            // there has to be a finding for a later play to name
            kinds::G25_RULING if self.rota.found_past == 0 && self.truth.is_empty() => {
                self.report(None, None, "a chip under the table");
                self.unremedied = false;
                self.room_rules_on(kinds::G0_REPORT, None);
            }
            _ => {}
        }
    }

    /// Stakes that may not be, until the bets are closed.
    pub(super) fn break_stakes(&mut self) {
        let kinds = [kinds::A5_UNDER, kinds::A5_OVER, kinds::A5_MULTIPLE];
        let Some(kind) = self.takes_one(&kinds) else { return };
        let Limits { min, max } = self.header.limits;
        let hand = self.any_hand();
        let Hand { id, stake, .. } = self.hands[hand];
        let amount = match kind {
            kinds::A5_UNDER => min - UNIT * self.rng.random_range(1..4),
            kinds::A5_OVER => max + UNIT * self.rng.random_range(1..50),
            _ if stake < max => stake + self.rng.random_range(1..UNIT),
            _ => stake - self.rng.random_range(1..UNIT),
        };
        let bettor = self.hands[hand].bettor.clone();
        self.put(id, BetSpot::Main, amount, Some(bettor));
        self.at_close.push((kind, Some(id.into())));
    }

    /// When a hand's turn begins.
    pub(super) fn break_turn(&mut self, hand: usize) -> Flow {
        let Some(kind) = self.armed.filter(|_| self.hands[hand].waits()) else { return Ok(()) };
        let place = Place::from(self.hands[hand].id);
        match kind {
            // once the cut card is out, it would be the turn that is due already
            kinds::A4_IN_PLAY if !self.shoe.cut_card_out => {
                let next = self.rota.banker.clone().and_then(|banker| self.next_banker(&banker));
                let Some(player) = next.filter(|_| self.takes(kind)) else { return Ok(()) };
                self.turn_passes_to(player);
                self.found(kind, None);
            }
            kinds::G25_RULING => {
                let earlier = self.rota.found_past;
                if earlier > 0 && self.takes(kind) {
                    let finding = Some(self.rng.random_range(1..=earlier));
                    let decision = Ruling::Stands;
                    self.emit(Event::Rule { by: "I-1".into(), role: "room".into(), decision, finding });
                    self.found(kind, None);
                }
            }
            kinds::G0_SURRENDER | kinds::G0_EVEN_MONEY if self.takes(kind) => {
                let choice = if kind == kinds::G0_SURRENDER { Choice::Surrender } else { Choice::EvenMoney };
                self.decide(hand, choice);
                self.room_rules_on(kind, Some(place));
            }
            kinds::G21_NOT_EMPTY if self.shoe.cut_card_out && self.shoe.left() > 0 && self.takes(kind) => {
                self.shuffle_retired(Some(kind));
            }
            // a card to a hand that may double is one it was not asked about (G12)
            kinds::G24_ANOTHER if !self.may_double(hand) => self.another_card_comes_out(kind, place)?,
            _ => {}
        }
        Ok(())
    }

    /// When a hand is done with: it asks for a card all the same.
    pub(super) fn break_turn_over(&mut self, hand: usize) {
        let Some(kind) = self.armed else { return };
        let Hand { id, double, split, settled, .. } = self.hands[hand];
        let fits = match kind {
            kinds::G0_BLACK_JACK => naive::is_black_jack(&self.hands[hand].cards) && !split,
            kinds::G0_OVER => self.hands[hand].is_over() && double == 0,
            kinds::G0_DOUBLED => double > 0,
            _ => false,
        };
        if fits && !settled && self.takes(kind) {
            self.decide(hand, Choice::Hit);
            self.room_rules_on(kind, Some(id.into()));
        }
    }

    /// A card goes back to the shoe, and not that one comes out of it.
    fn another_card_comes_out(&mut self, kind: Kind, place: Place) -> Flow {
        let room = self.shoe.cut_card_out || self.shoe.before_cut_card() > 2;
        let differ = self.shoe.peek().is_some() && self.shoe.peek() != self.shoe.peek_after();
        if !room || !differ || self.shoe.peek_after().is_none() || !self.takes(kind) {
            return Ok(());
        }
        self.unremedied = false;
        self.undue_card(kinds::G24_UNDECIDED, place, &[])?;
        self.shoe.swap_next();
        self.not_the_same = Some(kind);
        Ok(())
    }
}

//! The facts after an event. A fact is never refused; what a finding said of the event (`Effect`) decides what it
//! counts for.

use alloc::vec::Vec;

use super::betting_box::{BettingBox, Standing};
use super::cards::{Cards, Held};
use super::context::{Drawn, EventMeaning, Role};
use super::shoe::{MisdealtCard, Shoe};
use super::state::{Request, State};
use crate::table::event::{Choice, Taken, may_permit};
use crate::table::place::MAX_HANDS;
use crate::table::settings::{Split, Surrender};
use crate::table::{BetSpot, Card, Cents, Event, HandId, Name, Place};

/// What a finding makes of the facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// The event counts for nothing.
    NoEffect,
    /// The drawn card counts for nothing and must be burned.
    NotDue,
    /// A box is out of the pass.
    Out(u8),
    /// A box's chips are refused.
    Refused(u8),
    /// Every box is out of the pass.
    AllOut,
    /// A hand is lost whatever its cards.
    Lost(HandId),
    /// A hand is without effect: its stake is returned.
    Void(HandId),
    /// A hand is done: it takes what the bank's cards give it.
    Done(HandId),
}

impl State {
    /// Applies a context's event with what findings made of it.
    #[inline]
    pub fn apply(&mut self, change: &Change<'_>) {
        for effect in change.effects {
            self.effect(*effect);
        }
        if change.meaning.begins_play {
            self.pass.playing = true;
        }
        if change.meaning.closes {
            self.close();
        }
        self.happen(change);
        debug_assert!(self.is_indexed(), "{:?}", change.event);
    }

    fn happen(&mut self, change: &Change<'_>) {
        match change.event {
            Event::Seat { seat, player } if change.counts() => {
                self.seats.retain(|(taken, _)| taken != seat);
                self.seats.push((*seat, player.clone()));
                self.seats_told = true;
            }
            Event::Leave { seat, player } => {
                self.seats.retain(|(taken, name)| taken != seat && name != player);
                self.requests.retain(|request| request.player != *player);
            }
            Event::Request { hand, player, t } => {
                self.requests.push(Request { box_no: hand.box_no, player: player.clone(), t: *t });
            }
            Event::Authorize { what, role, .. } if may_permit(*role, *what) => self.permits.set(*what, true),
            Event::Shuffle { decks, .. } => self.shuffle(*decks),
            Event::Cut { .. } => self.cut = true,
            Event::Load { cards, .. } => self.load(*cards),
            Event::CutCard {} => self.cut_card_comes(),
            Event::Bet { hand, spot, amount, player, .. } => {
                self.bet(*hand, *spot, *amount, player.as_ref(), change);
            }
            Event::Draw { .. } => {
                if let Some(drawn) = change.meaning.drawn {
                    self.drawn(&drawn, change.effects.contains(&Effect::NotDue));
                }
            }
            Event::Ask { hand, about } => {
                if let Some(hand) = self.hand_mut(*hand) {
                    hand.ask(*about);
                }
            }
            Event::Decide { hand, choice, .. } if change.counts() => self.decide(*hand, *choice),
            Event::Ace { hand, value, .. } if change.counts() && self.settings.play.ace_is_declared => {
                if let Some(hand) = self.hand_mut(*hand) {
                    hand.ace.get_or_insert(*value);
                }
                self.reindex(hand.box_no);
            }
            Event::Device { .. } => self.shoe_empty |= change.event.empties_shoe(),
            Event::Reveal { at, card } => self.reveal(*at, *card),
            Event::Move { from, to, .. } => self.take(change, *from, *to),
            Event::Consent { hand, yes: false } if change.meaning.offered => self.out(hand.box_no),
            // a bettor who plays on, or takes the next card, leaves his hand as it is
            Event::Choose { hand, option: Taken::Withdraw } if change.meaning.offered => {
                self.effect(Effect::Void(*hand))
            }
            Event::Collect { hand, amount, spot } => self.settle(*hand, *spot, *amount, 0, change),
            Event::Pay { hand, amount, spot } => self.settle(*hand, *spot, 0, *amount, change),
            Event::BankCard { player, card } if change.counts() => self.bankers.cards.push((player.clone(), *card)),
            Event::Bank { how, player, by, .. } if change.counts() => {
                self.bankers.change(*how, player.as_ref(), by.as_ref());
            }
            Event::Share { player, what, amount } if change.counts() => {
                self.share(player, *what, *amount);
            }
            Event::OfferCut { player } => self.cut_offered.push(player.clone()),
            _ => {}
        }
    }

    fn effect(&mut self, effect: Effect) {
        match effect {
            Effect::NoEffect | Effect::NotDue => {}
            Effect::Out(box_no) => self.out(box_no),
            Effect::Refused(box_no) => {
                if let Some(betting_box) = self.betting_box_mut(box_no) {
                    betting_box.standing = Standing::Refused;
                    betting_box.hands_in_play = 0;
                }
                self.reindex(box_no);
            }
            Effect::AllOut => (1..=self.boxes).for_each(|box_no| self.out(box_no)),
            Effect::Lost(id) => {
                if let Some(hand) = self.hand_mut(id) {
                    hand.lost = true;
                }
                self.reindex(id.box_no);
            }
            Effect::Void(id) => {
                if let Some(hand) = self.hand_mut(id) {
                    hand.void = true;
                }
                self.reindex(id.box_no);
            }
            Effect::Done(id) => {
                if let Some(hand) = self.hand_mut(id) {
                    hand.stood = true;
                }
                self.reindex(id.box_no);
            }
        }
    }

    /// The room rules that the bets of a box are lost.
    pub fn lose(&mut self, box_no: u8) {
        if let Some(betting_box) = self.betting_box_mut(box_no) {
            betting_box.hands.iter_mut().for_each(|hand| hand.lost = true);
            self.reindex(box_no);
        }
    }

    /// Takes a box out of the pass: its bets are without effect.
    pub fn out(&mut self, box_no: u8) {
        if let Some(betting_box) = self.betting_box_mut(box_no).filter(|b| b.standing == Standing::In) {
            betting_box.standing = Standing::Out;
            for hand in &mut betting_box.hands {
                hand.void = true;
                hand.insurance_won = None;
            }
            self.reindex(box_no);
        }
    }

    fn close(&mut self) {
        self.pass.closed = true;
        self.begin_shoe();
    }

    fn bet(&mut self, id: HandId, spot: BetSpot, amount: Cents, player: Option<&Name>, change: &Change<'_>) {
        let counts = change.counts();
        if !self.pass.open {
            if amount == 0 {
                return;
            }
            self.pass.open = true;
            self.pass_no += 1;
            self.pass.begun_after_cut_card = self.shoe.as_ref().is_some_and(Shoe::is_over);
        }
        let bettor = player.or_else(|| self.seated(id.box_no)).cloned();
        let (dealing, takes_forgotten) = (self.pass.dealing, self.takes_forgotten_bet());
        let (against_bank, split) = (self.settings.insures_against_bank(), self.settings.split);
        let Some(betting_box) = self.betting_box_mut(id.box_no) else { return };
        let hand = &mut betting_box.hands[usize::from(id.hand)];
        hand.chips[spot as usize] = amount;
        if hand.paid > 0 || hand.collected > 0 {
            return;
        }
        match spot {
            BetSpot::Main if id.hand == 0 && !dealing => betting_box.bet_before_cards(amount, bettor, counts),
            BetSpot::Main if id.hand == 0 && takes_forgotten && counts && amount > 0 => {
                if matches!(betting_box.standing, Standing::None | Standing::Refused) {
                    betting_box.bet_before_cards(amount, bettor, counts);
                }
            }
            BetSpot::Double if counts && amount > 0 => {
                hand.doubled = true;
                hand.doubled_by = amount;
            }
            BetSpot::Double if amount == 0 && counts => {
                hand.doubled_by = 0;
                hand.doubled = hand.doubled && hand.count() > 2;
            }
            // chips put back as they were open nothing
            BetSpot::Split if counts && amount > hand.split_by => {
                let added = amount.saturating_sub(hand.split_by);
                hand.split_by = amount;
                if betting_box.splits_paid >= betting_box.splits() {
                    betting_box.split(usize::from(id.hand), added, split);
                }
                betting_box.splits_paid += 1;
            }
            BetSpot::Insurance if amount == 0 && against_bank => {
                hand.insurance = if hand.insurance_won.is_none() { 0 } else { hand.insurance };
            }
            BetSpot::Insurance if amount == 0 && hand.count() <= 1 => hand.insurance = 0,
            BetSpot::Insurance if counts && amount > 0 => hand.insurance = amount,
            _ => {}
        }
        self.reindex(id.box_no);
    }

    fn drawn(&mut self, drawn: &Drawn, misdealt: bool) {
        let misdealt = misdealt || matches!(drawn.role, Role::NotDue | Role::BankEarly);
        self.draws += 1;
        self.leave_shoe(drawn.card, misdealt.then(|| drawn.place.unwrap_or(Place::Shoe)));
        if self.pass.open && !self.pass.dealing {
            self.pass.dealing = true;
            self.requests.clear();
        }
        let unseen = !self.observes.places && !self.observes.decisions;
        self.pass.guessed |= unseen && self.delivered() && drawn.hand().is_some();
        let held = Held { card: drawn.card, down: drawn.is_down(), misdealt };
        if misdealt {
            return self.lay_misdealt(drawn.place, held);
        }
        self.pass.drawn_on |= self.settings.insures_against_bank()
            && matches!(drawn.role, Role::Hit | Role::Unasked | Role::SplitSecond | Role::Double);
        match (drawn.role, drawn.place) {
            (Role::Burned, _) => self.pass.burned += 1,
            (_, Some(Place::Bank)) => self.serve_bank(drawn.role, held),
            (role, Some(Place::Hand(id))) => self.serve_hand(role, id, held),
            _ => self.pass.unplaced += 1,
        }
    }

    fn lay_misdealt(&mut self, place: Option<Place>, held: Held) {
        match place {
            Some(Place::Burn) => self.pass.burned += 1,
            Some(Place::Discard) => self.discarded += 1,
            Some(place) if self.change_cards(place, |cards| cards.push(held)) => {}
            _ => self.pass.unplaced += 1,
        }
    }

    fn serve_bank(&mut self, role: Role, held: Held) {
        let faces = self.observes.faces;
        let bank = &mut self.pass.bank;
        bank.cards.push(held);
        if role == Role::BankDraw && !faces {
            bank.cards.change(|cards| cards.iter_mut().for_each(|held| held.down = false));
        }
        match role {
            Role::BankAgain => bank.owed -= 1,
            Role::BankFirst | Role::BankSecond => bank.served += 1,
            _ => {}
        }
        self.bank_has_two();
    }

    /// What the bank's first two cards decide.
    fn bank_has_two(&mut self) {
        let bank = &mut self.pass.bank;
        let tally = bank.cards.tally();
        // one that lies covered by mistake decides nothing yet, one that could not be read nothing at all
        if self.settings.bank_is_covered() || tally.count != 2 || tally.covered || tally.unread {
            return;
        }
        bank.had_blackjack = bank.is_blackjack();
        let won = bank.had_blackjack;
        if self.settings.insures_against_bank() {
            let hands = self.pass.boxes.iter_mut().flat_map(|betting_box| &mut betting_box.hands);
            hands.filter(|hand| hand.insurance > 0 && !hand.void).for_each(|hand| hand.insurance_won = Some(won));
        }
    }

    /// The room lets a misdealt card stand: it counts where it lies.
    pub fn count_misdealt(&mut self, place: Place, card: Card) {
        self.change_cards(place, |cards| {
            cards.change(|cards| {
                if let Some(held) = cards.iter_mut().find(|held| held.misdealt && held.card == card) {
                    held.misdealt = false;
                }
            });
        });
        let stands = |misdealt: &MisdealtCard| !misdealt.back && misdealt.place == place && misdealt.card == card;
        if let Some(n) = self.misdealt.iter().position(stands) {
            self.misdealt.remove(n);
        }
        if let Place::Hand(id) = place
            && let Some(hand) = self.hand_mut(id)
        {
            hand.had_blackjack |= hand.is_blackjack();
        }
        if place == Place::Bank {
            let count = self.pass.bank.cards.tally().count;
            self.pass.bank.served = self.pass.bank.served.max(u8::try_from(count).unwrap_or(2).min(2));
            self.bank_has_two();
        }
    }

    fn serve_hand(&mut self, role: Role, id: HandId, held: Held) {
        if role == Role::Second {
            self.pass.second = true;
        }
        let against_bank = self.settings.insures_against_bank();
        let Some(betting_box) = self.betting_box_mut(id.box_no) else { return };
        if betting_box.standing == Standing::Refused {
            betting_box.standing = Standing::In;
            betting_box.hands_in_play = 1;
            betting_box.hands[0].stake = betting_box.hands[0].on(BetSpot::Main);
        }
        let hand = &mut betting_box.hands[usize::from(id.hand)];
        hand.cards.push(held);
        hand.wants_card = false;
        hand.had_blackjack = hand.is_blackjack();
        if !against_bank && hand.insurance > 0 && hand.insurance_won.is_none() && hand.count() == 2 {
            hand.insurance_won = hand.rank(1).map(crate::table::Rank::is_ten);
        }
        self.reindex(id.box_no);
    }

    fn decide(&mut self, id: HandId, choice: Choice) {
        let (split, even_money) = (self.settings.split, self.settings.pays.even_money);
        let may_surrender = self.settings.stakes.surrender != Surrender::Never;
        let Some(betting_box) = self.betting_box_mut(id.box_no) else { return };
        if usize::from(id.hand) >= betting_box.hands_in_play {
            return;
        }
        match choice {
            Choice::Split => {
                let hand = usize::from(id.hand);
                if betting_box.splits_chosen >= betting_box.splits() {
                    betting_box.split(hand, betting_box.hands[hand].stake, split);
                }
                betting_box.splits_chosen += 1;
            }
            Choice::Surrender => {
                betting_box.hands[usize::from(id.hand)].surrendered = may_surrender;
            }
            Choice::EvenMoney => betting_box.hands[usize::from(id.hand)].even_money = even_money,
            Choice::Double => {
                let hand = &mut betting_box.hands[usize::from(id.hand)];
                if !hand.doubled {
                    hand.doubled = true;
                    hand.doubled_by = if hand.on(BetSpot::Double) > 0 { hand.on(BetSpot::Double) } else { hand.stake };
                }
            }
            // nothing is marked by a wish for a card, nor by a word on insurance
            Choice::Hit | Choice::Decline | Choice::Insure => {
                return betting_box.hands[usize::from(id.hand)].choose(choice);
            }
            other => betting_box.hands[usize::from(id.hand)].choose(other),
        }
        self.reindex(id.box_no);
    }

    fn reveal(&mut self, at: Place, card: Option<Card>) {
        self.pass.bank.uncovered |= at == Place::Bank;
        self.change_cards(at, |cards| {
            cards.change(|cards| {
                let known = cards.iter().any(|held| held.down && Some(held.card) == card);
                for held in cards.iter_mut().filter(|held| held.down) {
                    held.down = false;
                    if !known {
                        held.card = card.unwrap_or(held.card);
                    }
                }
            });
        });
        if at == Place::Bank {
            self.bank_has_two();
        }
    }

    fn take(&mut self, change: &Change<'_>, from: Place, to: Place) {
        if from == to && from != Place::Shoe {
            return;
        }
        if self.pass.open && !self.pass.clearing && (to == Place::Discard || self.pass.settling) {
            let clears = to == Place::Discard && change.meaning.clearing;
            self.remember_owed(clears);
            self.pass.clearing = clears;
        }
        let removal = change.meaning.removal;
        if from == Place::Bank && !change.meaning.clearing {
            self.pass.bank.owed += removal.due;
        }
        let mut named = Vec::new();
        match (from, to) {
            (Place::Burn, Place::Shoe) => self.pass.burned -= removal.misdealt.min(self.pass.burned),
            (Place::Burn, _) | (Place::Shoe | Place::Discard, Place::Hand(_) | Place::Bank) => return,
            (Place::Shoe, _) => self.pass.unplaced -= removal.misdealt.min(self.pass.unplaced),
            (Place::Discard, _) => self.discarded -= (removal.misdealt as u64).min(self.discarded),
            (Place::Hand(_) | Place::Bank, _) => {
                let keep = !matches!(to, Place::Burn | Place::Discard);
                self.change_cards(from, |cards| match removal.count() {
                    all if !keep && all == cards.len() => cards.clear(),
                    _ => cards.change(|cards| {
                        let mut n = 0;
                        cards.retain(|held| {
                            n += 1;
                            let taken = removal.takes(n - 1);
                            if taken && keep {
                                named.push(*held);
                            }
                            !taken
                        });
                    }),
                });
            }
        }
        match to {
            Place::Burn => self.pass.burned += removal.count(),
            Place::Discard => self.discarded += removal.count() as u64,
            Place::Shoe => self.back_in_shoe(from, &named, removal.count()),
            Place::Hand(_) | Place::Bank => {
                self.change_cards(to, |cards| {
                    named.iter().for_each(|held| cards.push(Held { misdealt: true, ..*held }));
                });
            }
        }
    }

    /// Changes the cards lying at a place; false where the place keeps no cards that are known one by one.
    fn change_cards(&mut self, place: Place, change: impl FnOnce(&mut Cards)) -> bool {
        match place {
            Place::Bank => change(&mut self.pass.bank.cards),
            Place::Hand(id) => {
                let Some(betting_box) = self.betting_box_mut(id.box_no) else { return false };
                change(&mut betting_box.hands[usize::from(id.hand)].cards);
                self.reindex(id.box_no);
            }
            Place::Burn | Place::Discard | Place::Shoe => return false,
        }
        true
    }

    fn settle(&mut self, id: HandId, spot: BetSpot, collected: Cents, paid: Cents, change: &Change<'_>) {
        let main = spot != BetSpot::Insurance;
        let hand = self.hand(id).filter(|_| main);
        let early = hand.is_some_and(|hand| self.is_decided_early(hand));
        let at_once = paid > 0 && hand.is_some_and(|hand| self.is_paid_at_once(hand));
        self.pass.settling |= main && !early;
        self.account.settle(collected, paid);
        let Some(hand) = self.hand_mut(id) else { return };
        if early {
            hand.settled = hand.settled.or(change.meaning.owed);
            hand.paid_at_once |= at_once;
        }
        let (taken, given) = if spot == BetSpot::Insurance {
            (&mut hand.insurance_collected, &mut hand.insurance_paid)
        } else {
            (&mut hand.collected, &mut hand.paid)
        };
        *taken = taken.saturating_add(collected);
        *given = given.saturating_add(paid);
        if early {
            self.reindex(id.box_no);
        }
    }
}

impl BettingBox {
    /// A main bet before the first card: a state, not a difference.
    fn bet_before_cards(&mut self, amount: Cents, bettor: Option<Name>, counts: bool) {
        if !counts {
            if self.standing == Standing::None {
                self.standing = Standing::Refused;
            }
            return;
        }
        if amount == 0 {
            self.standing = Standing::None;
            self.bettor = None;
            self.hands_in_play = 0;
            self.hands[0].stake = 0;
        } else {
            // a bet that lies stays its bettor's, whoever tells or touches it
            self.bettor = self.bettor.take().filter(|_| self.standing == Standing::In).or(bettor);
            self.standing = Standing::In;
            self.hands_in_play = 1;
            self.hands[0].stake = amount;
        }
    }

    /// Opens a pair: the second card begins a hand of its own, the next that is free.
    fn split(&mut self, hand: usize, stake: Cents, rules: Split) {
        let most = usize::from(rules.max_hands).min(MAX_HANDS);
        let opens = hand < self.hands_in_play && self.hands_in_play < most && self.hands[hand].count() == 2;
        let (opened, free) = self.hands.split_at_mut(self.hands_in_play.max(1));
        let (Some(first), Some(second), true) = (opened.get_mut(hand), free.first_mut(), opens) else { return };
        let Some(n) = first.cards.iter().rposition(|held| !held.misdealt) else { return };
        second.cards.push(first.cards.change(|cards| cards.remove(n)));
        second.stake = stake;
        for one in [&mut *first, second] {
            one.split = true;
            one.one_card_only = rules.aces_one_card && one.begins_with_ace();
            one.had_blackjack = false;
        }
        first.ace = None;
        self.hands_in_play += 1;
        self.split_last = hand;
    }
}

/// All that changes the facts.
#[derive(Debug)]
pub struct Change<'a> {
    /// The event.
    pub event: &'a Event,
    /// What it means in the facts before it.
    pub meaning: &'a EventMeaning,
    /// What findings made of it.
    pub effects: &'a [Effect],
}

impl Change<'_> {
    fn counts(&self) -> bool {
        !self.effects.contains(&Effect::NoEffect)
    }
}

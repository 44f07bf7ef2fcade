//! The facts after an event. A fact is never refused; what a finding said of the event (`Effect`) decides what it
//! counts for.

use alloc::vec::Vec;

use super::betting_box::{Refusal, Standing};
use super::cards::Held;
use super::context::{Drawn, EventMeaning, Role};
use super::hand::Hand;
use super::known::{Fact, Facts};
use super::pass::{Milestone, Stage};
use super::state::State;
use crate::table::card::DECK;
use crate::table::event::{BankChange, Choice, Permit, Question, Taken, may_permit};
use crate::table::settings::{Banker, Insured, Misdealt};
use crate::table::{BetSpot, Card, Cents, Event, HandId, Name, Place, Rank};

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
    /// The pass is void: every box is out of it, and nothing is left due.
    PassVoid,
    /// A hand is lost whatever its cards.
    Lost(HandId),
    /// A hand is without effect: its stake is returned.
    Void(HandId),
    /// A hand is done: it takes what the bank's cards give it.
    Done(HandId),
    /// A hand has stood on its two cards: its double was never paid in.
    NotDoubled(HandId),
    /// A card dealt by mistake counts where it lies.
    Counts(Place, Card),
    /// A box takes part after all.
    In(u8),
    /// What lies on a spot counts as it lies.
    Lies(HandId, BetSpot),
    /// A choice that was without effect counts.
    Chosen(HandId, Choice),
    /// A hand plays with the cards it has: neither a delivery nor its double owes it another. Without any it is dealt
    /// next.
    AsItIs(HandId),
    /// A hand keeps its claim though its cards are in the discard tray.
    Claims(HandId),
    /// The pass goes on without the cards that a hand has in the discard tray.
    GoesWithout(HandId),
    /// What the bank has counts as its deliveries: every further card is a drawn one.
    BankAsItIs,
    /// The bank draws no more.
    BankDone,
    /// Cards were taken from a hand that should not have been: what is to become of it the room decides.
    WaitsForRoom(HandId),
    /// A place is served again a card that should not have been burned.
    ServedAgain(Place),
}

impl State {
    /// Applies a context's event with what findings made of it.
    #[inline]
    pub fn apply(&mut self, change: &Change<'_>) {
        for effect in change.effects {
            self.effect(*effect);
        }
        self.pass.note(Milestone::Play, change.meaning.begins_play);
        self.pass.came_to = self.comes_to(change).or(self.pass.came_to);
        if change.meaning.closes {
            self.pass.advance(Stage::Closed);
            self.bankers.close(&self.supply);
            self.supply.begin();
        }
        self.happen(change);
        debug_assert!(self.pass.is_indexed(), "{:?}", change.event);
    }

    /// An event that nobody saw and that nobody judges.
    pub(super) fn happened_unseen(&mut self, event: &Event, meaning: &EventMeaning) {
        self.happen(&Change { event, meaning, effects: &[] });
    }

    /// Whom play comes to: who wrongly goes back to a hand takes it nowhere.
    fn comes_to(&self, change: &Change<'_>) -> Option<Place> {
        if let Event::Ask { about: Question::Insurance, .. } | Event::Bet { spot: BetSpot::Insurance, .. } =
            change.event
        {
            return (self.settings.insurance.when == Insured::AfterPlay && self.bank_is_next()).then_some(Place::Bank);
        }
        change.meaning.plays.filter(|_| change.counts()).map(Place::from)
    }

    fn happen(&mut self, change: &Change<'_>) {
        match change.event {
            Event::Seat { seat, player } if change.counts() => self.seating.sit(*seat, player),
            Event::Leave { seat, player } => self.seating.leave(*seat, player),
            Event::Request { hand, player, t } => self.seating.request(hand.box_no, player, *t),
            Event::Authorize { what, role, .. } if may_permit(*role, *what) => self.permits.set(*what, true),
            Event::Shuffle { decks, cards } => self.shuffle(*decks, *cards),
            Event::Cut { .. } => self.supply.cut(),
            Event::Load { cards, .. } => self.load(*cards),
            Event::CutCard {} => self.cut_card_comes(),
            Event::Bet { hand, spot, amount, player, .. } => {
                self.bet(*hand, *spot, *amount, player.as_ref(), change);
            }
            Event::Draw { .. } => {
                if self.begins_mid_pass(change.event) {
                    self.begin_mid_pass();
                }
                if let Some(drawn) = change.meaning.drawn {
                    self.drawn(&drawn, change.effects.contains(&Effect::NotDue));
                }
            }
            Event::Ask { hand, about } => {
                let is_insurance = *about == Question::Insurance && self.settings.insurance.when == Insured::BeforePlay;
                let is_late = is_insurance && self.pass.has(Milestone::CardOfPlay);
                if let Some(hand) = self.pass.hand_mut(*hand) {
                    hand.offered_late |= is_late && !hand.was_asked(*about);
                    hand.ask(*about);
                }
            }
            Event::Decide { hand, choice, .. } if change.counts() => self.decide(*hand, *choice),
            Event::Ace { hand, value, .. } if change.counts() && self.settings.play.ace_is_declared => {
                self.pass.change_hand(*hand, |hand| {
                    hand.ace.get_or_insert(*value);
                });
            }
            Event::Device { .. } if change.event.empties_shoe() => self.supply.report_empty(),
            Event::Device { device, status, complete, .. } => {
                if device == "shuffler" && begins_shuffle(status) {
                    self.supply.begin_shuffle();
                }
                self.hear_device(device, status, *complete);
            }
            // a pass of which nothing was seen is over too
            Event::End {} if !self.pass.is_open() => self.open_eyes(),
            Event::Reveal { at, card } => self.reveal(*at, *card, change.meaning),
            Event::Move { from, to, .. } => self.take(change, *from, *to),
            Event::Consent { hand, yes: false } if change.meaning.offered => self.pass.take_out(hand.box_no),
            Event::Consent { hand, yes: true } if change.meaning.offered => {
                self.pass.change_hand(*hand, Hand::serve_again);
            }
            // a bettor who plays on, or takes the next card, leaves his hand as it is
            Event::Choose { hand, option: Taken::Withdraw } if change.meaning.offered => {
                self.effect(Effect::Void(*hand))
            }
            Event::Collect { hand, amount, spot } => self.settle(*hand, *spot, *amount, 0),
            Event::Pay { hand, amount, spot } => self.settle(*hand, *spot, 0, *amount),
            Event::BankCard { player, card } if change.counts() => self.bankers.draw(player, *card),
            Event::Bank { how, player, by, .. } if change.counts() => {
                if *how != BankChange::Drawn {
                    self.claim_once();
                }
                self.bankers.change(*how, player.as_ref(), by.as_ref(), self.settings.delivery.first_hand_keeps_bank);
            }
            Event::Share { player, what, amount } if change.counts() => {
                self.share(player, *what, *amount);
            }
            Event::OfferCut { player } => self.supply.offer_cut(player),
            _ => {}
        }
    }

    pub(super) fn effect(&mut self, effect: Effect) {
        match effect {
            Effect::NoEffect | Effect::NotDue => {}
            Effect::Out(box_no) => self.pass.void_bet(box_no),
            Effect::Refused(box_no) => self.pass.refuse(box_no),
            Effect::AllOut => self.pass.box_numbers().for_each(|box_no| self.pass.take_out(box_no)),
            Effect::PassVoid => {
                self.pass.note(Milestone::Void, self.pass.is_open());
                self.effect(Effect::AllOut);
            }
            Effect::Lost(id) => self.pass.change_hand(id, |hand| hand.lost = true),
            Effect::Void(id) => self.pass.change_hand(id, |hand| hand.void = true),
            Effect::Done(id) => self.pass.change_hand(id, |hand| hand.stood = true),
            Effect::NotDoubled(id) => {
                self.pass.change_hand(id, |hand| (hand.doubled, hand.stood) = (false, true));
            }
            Effect::Counts(place, card) => self.count_misdealt(place, card),
            Effect::In(box_no) => self.let_in(box_no),
            Effect::Lies(id, spot) => self.count_as_it_lies(id, spot),
            // who has stood since has chosen otherwise
            Effect::Chosen(id, _) if self.pass.hand(id).is_some_and(|hand| hand.stood) => {}
            Effect::Chosen(id, choice) => self.decide(id, choice),
            Effect::AsItIs(id) => {
                self.let_in(id.box_no);
                self.pass.change_hand(id, Hand::let_be);
            }
            Effect::WaitsForRoom(id) => self.pass.change_hand(id, Hand::wait_for_room),
            Effect::Claims(id) => self.pass.change_hand(id, Hand::keep_claim),
            Effect::GoesWithout(id) => self.go_without(id),
            Effect::BankAsItIs => self.let_bank_be(),
            Effect::BankDone => self.pass.bank.done = true,
            Effect::ServedAgain(Place::Hand(id)) => self.pass.change_hand(id, Hand::serve_again),
            Effect::ServedAgain(place) => self.pass.bank.owed += usize::from(place == Place::Bank),
        }
    }

    pub(super) fn decide(&mut self, id: HandId, choice: Choice) {
        if let Some(betting_box) = self.pass.betting_box_mut(id.box_no) {
            betting_box.decide(usize::from(id.hand), choice, &self.settings, self.observes.bets);
            self.pass.reindex(id.box_no);
        }
    }

    /// A shuffle has finished.
    fn shuffle(&mut self, decks: u32, cards: u32) {
        self.permits.set(Permit::Shuffle, false);
        if !self.pass.is_dealt() || self.is_settled_up() {
            self.bankers.shuffle(&self.supply);
        }
        self.supply.shuffle(decks, cards);
        self.supply.miss(self.blind());
    }

    /// The shoe is loaded: in the middle of a pass with what was retired, where the house finishes it so.
    fn load(&mut self, cards: u32) {
        self.has_begun = true;
        self.permits.set(Permit::DeckChange, false);
        let is_over = self.is_settled_up();
        self.pass.note(Milestone::LeftBehind, is_over);
        let is_makeshift = self.pass.is_dealt() && self.settings.reshuffles() && !is_over;
        if is_makeshift {
            self.bankers.end_turn();
        }
        self.supply.load(cards, is_makeshift.then(|| self.on_the_felt()));
        self.supply.miss(self.blind());
    }

    /// How often each card lies on the felt: it cannot be among those shuffled in the middle of a pass.
    fn on_the_felt(&self) -> [u16; DECK] {
        let mut seen = [0; DECK];
        self.pass.lying().filter_map(|held| held.card.index()).for_each(|index| seen[index] += 1);
        seen
    }

    /// The cut card comes out in the place of a card. The shoe is over, and with it the banker's turn.
    fn cut_card_comes(&mut self) {
        let to = match self.card_due() {
            Some(Place::Hand(id)) if self.settings.delivery.banker == Banker::ByTurn => self.pass.bettor(id.box_no),
            _ => None,
        };
        self.supply.cut_card_comes(to.cloned());
        if self.unknown().meets(Facts::of(&[Fact::Bets, Fact::Decisions, Fact::Hands])) {
            self.supply.miss(Facts::of(&[Fact::CutCard]));
        }
        self.bankers.end_turn();
    }

    /// Chips that were refused are told again, as they lie or otherwise: they count no more than before, unless they
    /// are given back, brought down to what is allowed, or another bettor's.
    fn lies_refused(&self, id: HandId, spot: BetSpot, amount: Cents, player: Option<&Name>) -> bool {
        let counted = self.pass.counted(id, spot);
        let Some(betting_box) = self.pass.betting_box(id.box_no).filter(|_| amount > 0) else { return false };
        if spot != BetSpot::Main {
            return self.pass.lies_on(id, spot) == amount && counted != amount;
        }
        // of a forgotten bet one chip may lie, whoever told more of it before (T-Q4)
        let is_told_again =
            player.is_none_or(|player| betting_box.laid_by.as_ref() == Some(player)) && !self.takes_forgotten_bet();
        match betting_box.refused {
            Some(Refusal::Amount) => !self.may_be_staked(amount),
            Some(Refusal::Bettor) => is_told_again,
            Some(Refusal::Late) => false,
            None => betting_box.laid_by.is_some() && is_told_again && amount > counted,
        }
    }

    fn bet(&mut self, id: HandId, spot: BetSpot, amount: Cents, player: Option<&Name>, change: &Change<'_>) {
        let counts = change.counts() && !self.lies_refused(id, spot, amount, player);
        if !self.pass.is_open() {
            if amount == 0 {
                return;
            }
            self.begin_pass(self.supply.shoe_is_over());
        }
        if let Some(over) = self.collected_bust(id, spot, amount) {
            let stake = self.pass.hand(over).map_or(0, Hand::at_stake);
            self.settle(over, BetSpot::Main, stake, 0);
            self.pass.change_hand(over, |hand| hand.taken_off = true);
        } else if self.lays_back(id, spot, amount) {
            self.account.settle(0, amount);
            self.pass.change_hand(id, |hand| (hand.taken_off, hand.collected) = (false, 0));
        }
        let bettor = player.or_else(|| self.seating.at(id.box_no)).cloned();
        let is_before_cards = !self.pass.is_dealt();
        let is_forgotten = self.takes_forgotten_bet() && counts && amount > 0;
        let gives_back = !is_before_cards && self.gives_back_refused(id, spot, amount);
        let is_refused = change.counts() && !counts;
        let may_join = self.is_in_first_delivery() && self.pass.bank.served == 0;
        let is_late = self.settings.stakes.late_bet_is_void && self.pass.is_closed() && !counts && amount > 0;
        let may_be_added = amount > 0 && self.may_be_added(id, spot);
        let Some(betting_box) = self.pass.betting_box_mut(id.box_no) else { return };
        betting_box.hand_mut(usize::from(id.hand)).chips[spot as usize] = amount;
        let hand = &mut betting_box.hands[usize::from(id.hand)];
        if (hand.is_touched(BetSpot::Main) || hand.is_touched(spot)) && !may_be_added {
            return;
        }
        match spot {
            BetSpot::Main if amount > 0 && !change.counts() => {
                betting_box.is_named =
                    if betting_box.bettor.is_some() { betting_box.is_named } else { player.is_some() };
                betting_box.laid_by.clone_from(&bettor);
            }
            BetSpot::Main if is_before_cards && !is_refused => betting_box.laid_by = None,
            _ => {}
        }
        let is_free = matches!(betting_box.standing, Standing::None | Standing::Refused);
        match spot {
            BetSpot::Main if is_late && id.hand == 0 => betting_box.refuse_late(),
            // a bet without effect, or lost by a ruling, is accounted whole, whatever is taken off
            BetSpot::Main if is_before_cards && (is_refused || betting_box.standing == Standing::Out || hand.lost) => {}
            BetSpot::Main if id.hand == 0 && (is_before_cards || (is_forgotten && is_free)) => {
                betting_box.bet_before_cards(amount, bettor, player.is_some(), counts, self.observes.bets);
            }
            BetSpot::Main if gives_back => betting_box.give_back_refused(amount, may_join),
            BetSpot::Main => {}
            // a void bet is returned whole, whatever is taken off
            BetSpot::Double if counts && !hand.void => hand.bet_double(amount),
            BetSpot::Split if hand.void && amount < hand.split_by => {}
            BetSpot::Split if counts => betting_box.bet_split(usize::from(id.hand), amount, self.settings.split),
            BetSpot::Insurance if hand.void => {}
            BetSpot::Insurance if amount == 0 && counts => {
                hand.withdraw_insurance(self.settings.insures_against_bank())
            }
            BetSpot::Insurance if counts => hand.insurance = amount,
            BetSpot::Double | BetSpot::Split | BetSpot::Insurance => {}
        }
        self.pass.reindex(id.box_no);
        // in a void pass every bet is without effect, those laid afterwards too
        if self.pass.has(Milestone::Void) {
            self.pass.take_out(id.box_no);
        }
    }

    /// A first bet is made, or a first card drawn where bets are not seen.
    pub(super) fn begin_pass(&mut self, is_over: bool) {
        self.has_begun = true;
        self.pass.unknown = Facts::NONE;
        self.pass.advance(Stage::Bets);
        self.pass.note(Milestone::BegunAfterCutCard, is_over);
        self.pass_no += 1;
    }

    /// Where neither places nor bets are seen, nobody knows who gets a card; where neither places nor choices are,
    /// nobody knows who gets one in play, nor whether a hand goes on that has a card that could not be read.
    fn guess(&mut self, drawn: &Drawn) {
        let may_go_on = drawn.card == Card::UNREAD || self.delivered();
        let in_play = !self.observes.decisions && may_go_on && drawn.hand().is_some();
        // where the bank's card may come after either round, nobody can tell the second round's cards from its own
        let either = drawn.inferred && !self.settings.delivery.strict_rounds;
        let is_round_guessed = either && matches!(drawn.role, Role::BankFirst | Role::Second);
        // whether the bank's second lies up, and so which of its cards counts
        let is_replaced = drawn.role == Role::Idle && drawn.place == Some(Place::Bank) && self.bank_card_may_lie_up();
        if is_replaced || (!self.observes.places && (in_play || is_round_guessed || !self.observes.bets)) {
            self.pass.forget(Facts::of(&[Fact::Hands]));
        }
    }

    fn drawn(&mut self, drawn: &Drawn, misdealt: bool) {
        let misdealt = misdealt || matches!(drawn.role, Role::NotDue | Role::BankEarly | Role::Idle);
        let goes_back = misdealt && self.settings.delivery.misdealt == Misdealt::Back;
        self.supply.draw(drawn.card, drawn.is_seen(), goes_back.then(|| drawn.place.unwrap_or(Place::Shoe)));
        if drawn.is_seen() {
            self.supply.see(drawn.card);
        }
        self.pass.last_card = drawn.place;
        if self.pass.is_open() {
            self.bankers.begin_session();
        }
        if self.pass.is_open() && !self.pass.is_dealt() {
            self.pass.advance(Stage::FirstDelivery);
            self.seating.forget_requests();
        }
        self.guess(drawn);
        let held = Held { card: drawn.card, down: drawn.is_down(), misdealt, doubted: false };
        if misdealt {
            return self.lay_misdealt(drawn.place, held);
        }
        self.pass.note(Milestone::CardOfPlay, self.settings.insures_against_bank() && drawn.role.is_play());
        match (drawn.role, drawn.place) {
            (Role::Burned, _) => self.pass.burned += 1,
            (_, Some(Place::Bank)) => self.serve_bank(drawn.role, held),
            (role, Some(Place::Hand(id))) => self.serve_hand(role, id, held),
            _ => self.pass.unplaced += 1,
        }
        self.doubt_covered();
    }

    /// A card comes by mistake: it counts for nothing.
    pub(crate) fn draw_by_mistake(&mut self, drawn: Drawn) {
        self.drawn(&drawn, true);
    }

    /// As many cards as that must be burned from a place, the last ones dealt there.
    pub(crate) fn must_burn(&mut self, place: Place, count: usize) {
        self.pass.change_cards(place, |cards| cards.must_burn(count));
    }

    fn lay_misdealt(&mut self, place: Option<Place>, held: Held) {
        match place {
            Some(Place::Burn) => self.pass.burned += 1,
            Some(Place::Discard) => self.supply.discard(1),
            Some(place) if self.pass.change_cards(place, |cards| cards.push(held)) => {}
            _ => self.pass.unplaced += 1,
        }
    }

    fn serve_bank(&mut self, role: Role, held: Held) {
        let has_played = self.pass.has(Milestone::Play);
        let bank = &mut self.pass.bank;
        bank.began_late |= has_played && bank.cards.tally().count == 0;
        bank.take_card(held);
        match role {
            Role::BankAgain => bank.serve_again(),
            Role::BankFirst | Role::BankSecond => bank.served += 1,
            _ => {}
        }
        self.bank_has_two();
    }

    /// What the bank's first two cards decide, where its second comes uncovered.
    pub(super) fn bank_has_two(&mut self) {
        // one that lies covered by mistake decides nothing yet, one that could not be read nothing at all
        let tally = self.pass.bank.cards.tally();
        if self.settings.bank_is_covered() || tally.count != 2 || tally.covered || tally.is_unread() {
            return;
        }
        let is_blackjack = tally.is_blackjack();
        self.pass.bank.had_blackjack = is_blackjack;
        if self.settings.insures_against_bank() {
            self.pass.decide_insurances(is_blackjack);
        }
    }

    fn serve_hand(&mut self, role: Role, id: HandId, held: Held) {
        if role == Role::Second {
            self.pass.advance(Stage::SecondDelivery);
        }
        let (against_bank, guesses) = (self.settings.insures_against_bank(), self.pass.guesses());
        let declares_unheard = !self.observes.decisions && self.settings.play.ace_is_declared;
        let hears = self.observes.decisions;
        let opens_unseen = !self.observes.bets && self.settings.split.max_hands > 1;
        let is_late = self.pass.has(Milestone::CardOfPlay);
        if let Some(betting_box) = self.pass.betting_box_mut(id.box_no) {
            betting_box.take_part();
            let hand = betting_box.hand_mut(usize::from(id.hand));
            let is_asked = hears && hand.wants_card;
            hand.may_be_split |= opens_unseen && !is_asked && hand.is_pair(self.settings.split.pairs);
            hand.dealt_late |= is_late && hand.count() < 2;
            hand.take_card(held);
            hand.may_be_declared = declares_unheard && hand.has_early_ace();
            (hand.wants_card, hand.served_again, hand.as_it_is, hand.put_away) = (false, false, false, false);
            hand.had_blackjack = hand.valued().is_blackjack();
            // one that lies covered decides it once it is turned up; the first hand's went with the other half
            let decides = !against_bank && !guesses && hand.count() == 2 && !hand.gave_second_away(id) && !held.down;
            if decides && hand.insurance > 0 && hand.insurance_won.is_none() {
                hand.insurance_won = hand.rank(1).map(Rank::is_ten);
            }
            self.pass.reindex(id.box_no);
        }
    }

    fn reveal(&mut self, at: Place, card: Option<Card>, meaning: &EventMeaning) {
        let named = card.filter(|_| meaning.identifies);
        if meaning.turns_up {
            self.turn_up(at, card);
        } else if let Some(card) = named {
            if !self.pass.guesses() {
                self.supply.see(card);
            }
            self.pass.change_cards(at, |cards| cards.identify(card));
        }
        if let (Some(_), Place::Hand(id)) = (named, at) {
            self.pass.change_hand(id, |hand| hand.had_blackjack |= hand.is_blackjack());
            self.decide_insurances_of(id.box_no);
        }
        if at == Place::Bank {
            self.bank_has_two();
        }
    }

    /// Covered cards are turned up, or must have been.
    pub(super) fn turn_up(&mut self, at: Place, card: Option<Card>) {
        self.pass.bank.uncovered |= at == Place::Bank;
        for card in self.pass.uncovered_by(at, card) {
            self.supply.see(card);
        }
        self.pass.change_cards(at, |cards| cards.uncover(card));
        match at {
            Place::Bank => self.bank_has_two(),
            Place::Hand(id) if !self.pass.guesses() => {
                self.pass.change_hand(id, |hand| hand.had_blackjack |= hand.is_blackjack());
                self.decide_insurances_of(id.box_no);
            }
            _ => {}
        }
    }

    fn take(&mut self, change: &Change<'_>, from: Place, to: Place) {
        if from == to && from != Place::Shoe {
            return;
        }
        if self.pass.is_open() && (to == Place::Discard || self.pass.has(Milestone::Settlement)) {
            let clears = to == Place::Discard && change.meaning.clearing;
            self.keep_totals(clears);
            self.pass.note(Milestone::Clearing, clears);
        }
        let removal = change.meaning.removal;
        if from == Place::Bank && !change.meaning.clearing {
            self.keep_accounts();
            self.pass.bank.lose(removal.due, |n| removal.takes(n));
        }
        let is_lost = removal.due > 0 && !change.meaning.clearing;
        if let (Place::Hand(id), Place::Discard, true) = (from, to, is_lost) {
            self.pass.change_hand(id, |hand| hand.discarded = hand.discarded.or(Some(*hand.cards.tally())));
        }
        let mut named = Vec::new();
        match (from, to) {
            (Place::Burn, Place::Shoe) => self.pass.burned = self.pass.burned.saturating_sub(removal.misdealt),
            (Place::Burn, _) | (Place::Shoe | Place::Discard, Place::Hand(_) | Place::Bank) => return,
            (Place::Shoe, _) => self.pass.unplaced = self.pass.unplaced.saturating_sub(removal.misdealt),
            (Place::Discard, _) => self.supply.take_discarded(removal.misdealt),
            (Place::Hand(_) | Place::Bank, _) => {
                let is_named = !matches!(to, Place::Burn | Place::Discard);
                let taken = is_named.then_some(&mut named);
                self.pass.change_cards(from, |cards| removal.take_from(cards, taken));
                self.put_away(from);
            }
        }
        match to {
            Place::Burn => self.pass.burned += removal.count(),
            Place::Discard => self.supply.discard(removal.count()),
            Place::Shoe => {
                let others = if matches!(from, Place::Hand(_) | Place::Bank) { 0 } else { removal.count() };
                self.supply.put_back(from, &named, others);
            }
            Place::Hand(_) | Place::Bank => {
                self.pass.change_cards(to, |cards| {
                    named.iter().for_each(|held| cards.push(Held { misdealt: true, ..*held }));
                });
            }
        }
    }

    fn settle(&mut self, id: HandId, spot: BetSpot, collected: Cents, paid: Cents) {
        let is_main = spot != BetSpot::Insurance;
        let hand = self.pass.hand(id).filter(|_| is_main);
        let early = hand.is_some_and(|hand| self.is_decided_early(hand));
        let at_once = paid > 0 && hand.is_some_and(|hand| self.is_paid_at_once(hand));
        let owed = hand.and_then(|hand| self.owed(hand).known());
        let may_be_early = hand.is_some_and(|hand| self.may_be_decided_early(hand));
        let while_others_play = !self.observes.decisions && self.pass.turn().is_some() && self.ends_alone(id);
        self.pass.note(Milestone::Settlement, is_main && !may_be_early && !while_others_play);
        self.account.settle(collected, paid);
        self.pass.change_bet(id, |hand| {
            if early {
                hand.settled = hand.settled.or(owed);
                hand.paid_at_once |= at_once;
            }
            let (taken, given) = hand.moved_mut(spot);
            *taken = taken.saturating_add(collected);
            *given = given.saturating_add(paid);
        });
    }
}

/// Whether a shuffler says that it has begun.
fn begins_shuffle(status: &str) -> bool {
    matches!(status, "started" | "shuffling" | "running")
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

//! What must have happened unseen before an event: bets and choices, cards turned up.

use alloc::vec::Vec;

use super::betting_box::Standing;
use super::cards::Cards;
use super::context::{Drawn, EventMeaning};
use super::duties::Duties;
use super::hand::Hand;
use super::hand_index::Status;
use super::known::Facts;
use super::pass::Milestone;
use super::state::State;
use crate::table::event::{Choice, Face, Moved, Permit, Question};
use crate::table::settings::{Insured, RunOut, Surrender};
use crate::table::{BetSpot, Cents, Event, HandId, Observes, Place};

impl State {
    /// What must have gone before an event that not every sight of the table could tell.
    #[inline]
    pub fn infer(&mut self, event: &Event) {
        let tells_of_pass = matches!(event, Event::Draw { .. } | Event::End {}) && !self.observes.bets;
        if tells_of_pass && !self.pass.is_open() && self.blindness.begin_unseen() {
            self.observes = self.blindness.of(self.named);
        }
        if self.observes == Observes::ALL {
            return;
        }
        if !self.observes.bets {
            self.infer_bet(event);
        }
        if !self.observes.moves {
            self.infer_lost(event);
        }
        self.infer_void(event);
        self.infer_elsewhere(event);
        if !self.observes.decisions {
            self.infer_choices(event);
        } else if !self.observes.bets {
            self.infer_chips(event);
        }
        if !(self.observes.turns && self.observes.faces) {
            self.infer_turns(event);
        }
        if !self.observes.decisions && self.observes.bets && self.settings.play.ace_is_declared {
            self.infer_ace(event);
        }
        // at the end every place is cleared
        if !self.observes.moves && matches!(event, Event::End {}) && self.pass.is_dealt() {
            self.pass.note(Milestone::Clearing, self.is_clearing());
        }
    }

    /// Cards for the bank are authorised though it lacks none: the one that the next takes the place of went to the
    /// discard tray, and nobody saw it (C14).
    fn infer_lost(&mut self, event: &Event) {
        let Event::Draw { to: Some(Place::Bank), face, .. } = event else { return };
        let bank = &self.pass.bank;
        let lacks_none = self.settings.bank_is_covered() && bank.served >= 2 && bank.owed == 0 && bank.is_covered();
        if !lacks_none || !self.permits.has(Permit::NextCardsForBank) {
            return;
        }
        // after the open one, the covered one is the older of the two: what comes next takes its place
        let is_second = bank.cards.tally().first_covered;
        let down = face.map_or(is_second, |face| face == Face::Down);
        let lost = bank.cards.iter().find(|held| !held.misdealt && held.down == down).map(|held| held.card);
        let cards = lost.map(|card| Moved::Cards(alloc::vec![card]));
        let lost = Event::Move { from: Place::Bank, to: Place::Discard, cards };
        let meaning = EventMeaning::read(self, &Duties::default(), &lost);
        self.happened_unseen(&lost, &meaning);
        if face.is_none() && !is_second {
            self.pass.forget(Facts::HANDS);
        }
    }

    /// A pass begins with its first draw, and who gets a card in the first delivery plays.
    fn infer_bet(&mut self, event: &Event) {
        if let Event::Move { from: Place::Hand(id), to: Place::Discard, .. } = event {
            self.infer_settled(*id);
        }
        let Event::Draw { to, .. } = event else { return };
        if !self.pass.is_open() {
            // a cut card that came out since the last pass may have come in the place of this one's first card
            self.begin_pass(self.ended_over && self.supply.shoe_is_over());
        }
        let Some(Place::Hand(id)) = *to else { return };
        // where a box may get two cards running, one that comes after all that have cards may still get its first
        let is_last = || {
            let mut dealt = self.pass.hands_with(Status::Cards);
            !self.settings.delivery.strict_rounds && dealt.all(|hand| self.pass.plays_before(hand, id))
        };
        let is_first_round = !self.pass.is_in_second_delivery() || is_last();
        let is_first = is_first_round && self.may_begin() && id.hand == 0;
        let is_void = self.was_not_to_start();
        if let Some(betting_box) = self.pass.betting_box_mut(id.box_no)
            && is_first
            && betting_box.standing == Standing::None
        {
            betting_box.play_unseen();
            self.pass.reindex(id.box_no);
            if is_void {
                self.pass.take_out(id.box_no);
            }
        }
    }

    /// Who has no card may get his first: the bank has none yet, or its own came before those of boxes.
    fn may_begin(&self) -> bool {
        let (pass, bank) = (&self.pass, &self.pass.bank);
        let waits = || pass.boxes_wait() || !self.is_first_delivery_begun();
        bank.served == 0 || bank.before_boxes || (!self.settings.delivery.strict_rounds && bank.served == 1 && waits())
    }

    /// The cut card came in the place of the pass's first card, and no bet of it counts (G22).
    fn was_not_to_start(&self) -> bool {
        let pass = &self.pass;
        let is_over = self.supply.cut_card_is_out() && !pass.has(Milestone::BegunAfterCutCard);
        is_over && pass.is_dealt() && pass.bank.served == 0 && pass.nobody_is_left()
    }

    /// Hands before the one acted on, or all once the bank acts, are taken to have stood; chips that move before the
    /// bank has played tell of a hand that ended early; a card for a hand that is not there tells of a split.
    fn infer_choices(&mut self, event: &Event) {
        self.ended_early(event);
        self.infer_answers(event);
        self.plays_on(event);
        // who is told to go on has not stood, whatever it looked like
        if let Event::Decide { hand, choice: Choice::Hit | Choice::Double | Choice::Split, .. } = event {
            self.pass.change_hand(*hand, |hand| hand.stood = false);
        }
        if self.delivered() {
            self.infer_second(event);
            self.infer_opened_unheard(event);
            self.infer_split(event);
        }
        if self.delivered() || self.ends_delivery_unheard(event) {
            self.stood_before(event);
        }
    }

    /// The bank's second card tells, where choices are not heard, that play is over: whoever still waits for a card of
    /// the second round was passed over by a later box, and left out.
    #[must_use]
    pub(super) fn ends_delivery_unheard(&self, event: &Event) -> bool {
        let is_to_bank = matches!(event, Event::Draw { to: Some(Place::Bank), .. });
        if !is_to_bank || self.observes.decisions || !self.observes.places {
            return false;
        }
        let plays_last = !self.settings.bank_is_covered() && self.pass.bank.served == 1;
        let (first, mut second) = (self.pass.hands_with(Status::First), self.pass.hands_with(Status::Second));
        let last = self.pass.hands_with(Status::Live).last();
        let is_last = |id| Some(id) == last;
        plays_last && !self.delivered() && first.is_empty() && !second.is_empty() && !second.any(is_last)
    }

    /// Chips alone double or open a hand, without a word: a card that nobody asked for, for one that may be doubled, is
    /// taken to be its double's; a pair that got a card may be two hands, or have been doubled.
    fn infer_chips(&mut self, event: &Event) {
        if let Event::Decide { hand, choice: Choice::Hit | Choice::Split, .. } = event {
            self.pass.change_hand(*hand, |hand| {
                if core::mem::take(&mut hand.doubled_unseen) && !hand.said_double {
                    (hand.doubled, hand.doubled_by) = (false, 0);
                }
            });
        }
        if !self.delivered() {
            return;
        }
        self.infer_opened(event);
        self.infer_split(event);
        self.stood_before(event);
        let Event::Draw { to: Some(Place::Hand(id)), face, .. } = event else { return };
        let (double, pairs) = (self.settings.double, self.settings.split.pairs);
        let is_asked = |hand: &Hand| hand.wants_card || hand.is_finished();
        let waits_to_be_asked = |hand: &Hand| self.observes.asks && hand.is_to_be_offered_double(&self.settings);
        let may_be_double = |hand: &&Hand| {
            let may_be = hand.may_be_doubled(&self.settings) && !hand.is_pair(pairs) && !is_asked(hand);
            may_be && !waits_to_be_asked(hand)
        };
        let lies_so = face.is_none_or(|face| face == double.card || !self.observes.faces);
        let is_its_turn = self.pass.turn() == Some(*id);
        if lies_so && is_its_turn && self.pass.hand(*id).filter(may_be_double).is_some() {
            self.pass.change_hand(*id, |hand| {
                (hand.doubled, hand.doubled_unseen, hand.doubled_by) = (true, true, hand.stake);
            });
        }
    }

    /// A pair that was told to double, and has one card for it, gets another: it was opened before, and one of its two
    /// hands doubled.
    fn infer_opened_unheard(&mut self, event: &Event) {
        if let Event::Draw { to: Some(Place::Hand(id)), .. } = event
            && self.pass.hand(*id).is_some_and(Hand::has_double_card)
        {
            self.infer_opened(event);
        }
    }

    /// What only one of two hands may choose, or get unasked, tells that the pair which got a card was opened by chips;
    /// so does the word that follows them late.
    fn infer_opened(&mut self, event: &Event) {
        let (id, is_said) = match event {
            Event::Decide { hand, choice: Choice::Split, .. } => (*hand, true),
            Event::Decide { hand, choice: Choice::Double, .. } | Event::Draw { to: Some(Place::Hand(hand)), .. } => {
                (*hand, false)
            }
            _ => return,
        };
        let plays = |hand: &Hand| !hand.is_finished() || hand.has_double_card();
        let may_be = self.pass.hand(id).is_some_and(|hand| hand.may_be_split() && !hand.wants_card && plays(hand));
        let Some(mut opened) = self.pass.betting_box(id.box_no).filter(|_| may_be).cloned() else { return };
        let (rules, n) = (self.settings.split, usize::from(id.hand));
        let goes_on = |half: &Hand| half.is_pair(rules.pairs) || half.may_be_doubled(&self.settings);
        let is_opened = opened.open_unseen(n, rules) && (is_said || goes_on(&opened.hands[n]));
        if let Some(betting_box) = self.pass.betting_box_mut(id.box_no).filter(|_| is_opened) {
            *betting_box = opened;
            self.pass.reindex(id.box_no);
        }
    }

    /// Chips go back, or cards are cleared, with the shoe empty, and for what is neither heard nor seen a card may be
    /// lacking: the pass may be void (D7), and nobody knows what its bets are owed.
    fn infer_void(&mut self, event: &Event) {
        let hand = match *event {
            Event::Bet { hand, spot: BetSpot::Main, amount: 0, .. } => hand,
            Event::Move { from: Place::Hand(hand), to: Place::Discard, .. } if !self.ends_alone(hand) => hand,
            _ => return,
        };
        let may_be_void = self.settings.shoe.cards_run_out == RunOut::Void && !self.pass.has(Milestone::Void);
        let lacks_card = || self.supply.is_empty() && self.delivered() && self.card_due().is_some();
        let is_unsure = || !self.observes.decisions || self.may_have_turned();
        let is_bust = || self.collects_bust(hand, BetSpot::Main, 0);
        if may_be_void && lacks_card() && is_unsure() && self.pass.hand(hand).is_some() && !is_bust() {
            self.pass.forget(Facts::HANDS);
        }
    }

    /// A hand that is cleared before the bank has played was settled before, where it may be.
    fn infer_settled(&mut self, id: HandId) {
        // two hands made of a pair would still play: one that came to more than 21 was not opened, and went over
        self.pass.change_hand(id, |hand| hand.may_be_split &= !hand.went_over_seen());
        let Some(hand) = self.pass.hand(id).filter(|hand| self.is_decided_early(hand)) else { return };
        let (owed, at_once) = (self.owed(hand).known(), self.is_paid_at_once(hand));
        self.pass.change_hand(id, |hand| {
            hand.settled = hand.settled.or(owed);
            hand.paid_at_once |= at_once;
        });
    }

    /// Choices are not heard from now on: aces that lie there may be declared without anybody knowing.
    pub(super) fn doubt_aces(&mut self) {
        for id in self.pass.ids_in_play() {
            self.pass.change_hand(id, |hand| hand.may_be_declared |= hand.has_early_ace());
        }
    }

    /// What chips tell of the aces that nobody heard declared: a hand was owed what was done to it, if any value of its
    /// ace says so.
    fn infer_ace(&mut self, event: &Event) {
        let unheard: Vec<HandId> =
            self.pass.hands().filter(|(_, hand)| hand.has_unheard_ace()).map(|(id, _)| id).collect();
        for id in unheard {
            if let Event::Bet { hand, spot, amount, .. } = *event {
                self.infer_ace_over(id, hand, spot, amount);
                continue;
            }
            let (pays, collects) = match event {
                Event::End {} => (false, false),
                Event::Pay { hand, spot: BetSpot::Main, .. } if *hand == id => (true, false),
                Event::Collect { hand, spot: BetSpot::Main, .. } if *hand == id => (false, true),
                _ => continue,
            };
            let Some(mut hand) = self.pass.hand(id).cloned() else { continue };
            let (paid, collected) = (hand.paid + u64::from(pays), hand.collected + u64::from(collects));
            let fits = [None, Some(1), Some(11)].into_iter().find(|ace| {
                hand.ace = *ace;
                self.owed(&hand).known().is_some_and(|owed| (owed.pay > 0, owed.lost > 0) == (paid > 0, collected > 0))
            });
            if let Some(ace) = fits {
                self.pass.change_hand(id, |hand| hand.ace = ace);
            }
        }
    }

    /// A stake taken off its spot was collected, if the hand is over 21 with its ace at 11.
    fn infer_ace_over(&mut self, id: HandId, on: HandId, spot: BetSpot, amount: Cents) {
        self.pass.change_hand(id, |hand| hand.ace = Some(11));
        if self.collected_bust(on, spot, amount) != Some(id) {
            self.pass.change_hand(id, |hand| hand.ace = None);
        }
    }

    /// Chips that open or double a hand come after its second card: where it is a guess whose the last card was, it is
    /// that hand's.
    fn infer_second(&mut self, event: &Event) {
        let Event::Bet { hand: id, spot: BetSpot::Split | BetSpot::Double, .. } = event else { return };
        let Some(Place::Hand(guessed)) = self.pass.last_card.filter(|_| self.pass.guesses()) else { return };
        let lacks_second = self.pass.hand(*id).is_some_and(|hand| hand.split && hand.count() == 1);
        let has_more = |hand: &Hand| hand.cards.len() > if hand.split { 1 } else { 2 };
        if !lacks_second || !self.pass.hand(guessed).is_some_and(has_more) {
            return;
        }
        let Some(card) = self.pass.hand_mut(guessed).and_then(|hand| hand.cards.change(Vec::pop)) else { return };
        self.pass.reindex(guessed.box_no);
        self.pass.change_hand(*id, |hand| hand.cards.push(card));
        self.pass.last_card = Some((*id).into());
    }

    /// Where neither words nor chips told of it.
    fn infer_split(&mut self, event: &Event) {
        let Event::Draw { to: Some(Place::Hand(id)), .. } = event else { return };
        let rules = self.settings.split;
        // a further card to a pair that gets no more may be the first of two hands made of it
        let hand = self.pass.hand(*id).filter(|_| !self.observes.bets);
        if hand.is_some_and(|hand| hand.one_card_only && hand.is_pair(rules.pairs)) {
            self.pass.forget(Facts::HANDS);
        }
        if self.observes.bets || id.hand == 0 {
            return;
        }
        if let Some(betting_box) = self.pass.betting_box_mut(id.box_no) {
            let is_opened = betting_box.split_unseen(usize::from(id.hand), rules);
            self.pass.reindex(id.box_no);
            // which of several hands was opened again nobody can tell
            if !is_opened {
                self.pass.forget(Facts::HANDS);
            }
            // an ace that came as a third card may now be the second of its hand
            if self.settings.play.ace_is_declared && !self.observes.decisions {
                self.doubt_aces();
            }
        }
    }

    /// A card came before its time, as what follows tells: whether it counts nobody knows, unless it is taken away.
    pub(crate) fn draw_too_early(&mut self, drawn: Drawn) {
        self.draw_by_mistake(drawn);
        if let Some(place) = drawn.place {
            self.pass.change_cards(place, Cards::doubt);
        }
    }

    /// What lies covered and belongs face up is not known, where nobody sees cards being turned up.
    pub(super) fn doubt_covered(&mut self) {
        if !self.observes.turns {
            let double_is_covered = self.settings.double.card == Face::Down;
            self.pass.doubt_covered(self.settings.bank_is_covered(), double_is_covered);
        }
    }

    /// Every hand has been played: what is left is the bank's.
    fn is_played(&self) -> bool {
        self.delivered() && self.pass.turn().is_none() && self.pass.hands_with(Status::Doubling).is_empty()
    }

    /// The bank's covered card may have been turned up by now, where nobody sees that.
    #[must_use]
    pub fn may_have_turned(&self) -> bool {
        !(self.observes.turns && self.observes.faces) && self.is_played()
    }

    /// The bank's covered card is up at the first event that can only come after that, a doubled hand's when it is
    /// settled, one that came to a hand the wrong way up when the hand is played; at the end every card is.
    fn infer_turns(&mut self, event: &Event) {
        let finished = self.is_played();
        let plays = |id: &HandId| {
            let is_its_turn = self.pass.hands_with(Status::Unfinished).before(*id).is_empty();
            Some(*id).filter(|id| is_its_turn && self.pass.hand(*id).is_some_and(|hand| !hand.doubled))
        };
        let (bank, hand) = match event {
            Event::Ask { hand, .. } | Event::Decide { hand, .. } | Event::Ace { hand, .. } => (false, plays(hand)),
            Event::Draw { to, .. } => (finished && to.or_else(|| self.card_goes()) == Some(Place::Bank), None),
            Event::Collect { hand, spot: BetSpot::Main, .. } | Event::Pay { hand, spot: BetSpot::Main, .. } => {
                (finished, Some(*hand))
            }
            Event::Move { from: Place::Hand(hand), to: Place::Discard, .. } => (finished, Some(*hand)),
            Event::Move { to: Place::Discard, .. } => (finished, None),
            Event::End {} => {
                let covered: Vec<_> =
                    self.pass.hands().filter(|(_, hand)| hand.is_covered()).map(|(id, _)| id).collect();
                covered.into_iter().for_each(|id| self.turn_up(id.into(), None));
                (true, None)
            }
            _ => return,
        };
        if bank && self.pass.bank.is_covered() {
            self.turn_up(Place::Bank, None);
        }
        if let Some(id) = hand.filter(|id| self.pass.hand(*id).is_some_and(Hand::is_covered)) {
            self.turn_up(id.into(), None);
        }
    }

    /// Half of a stake that is collected, and is not what the hand lost, was given up; a Black Jack paid just its
    /// stake against the bank's ace took single pay.
    fn ended_early(&mut self, event: &Event) {
        self.cleared_early(event);
        let (Event::Collect { hand: id, spot: BetSpot::Main, amount }
        | Event::Pay { hand: id, spot: BetSpot::Main, amount }) = event
        else {
            return;
        };
        let collects = matches!(event, Event::Collect { .. });
        let bank = &self.pass.bank;
        let Some(hand) = self.pass.hand(*id).filter(|_| bank.served > 0) else { return };
        let stake = hand.at_stake();
        let lost = self.owed(hand).known().is_some_and(|owed| owed.lost == *amount);
        // where half is the whole of one chip, and whose card is whose is guessed, it may as well have gone over 21
        let tells = !(*amount == stake && self.pass.guesses());
        // of a stake that nobody saw any part may be the half, as long as it may be given up
        let is_half = match self.observes.bets {
            true => *amount == self.settings.half(stake),
            false => self.settings.stakes.surrender == Surrender::Early && bank.served == 1,
        };
        let half = tells && self.settings.stakes.surrender != Surrender::Never && is_half;
        let single = self.settings.pays.even_money && bank.shows_ace() && *amount == stake;
        // who gets the rest of a Black Jack's pay took no single pay
        let owed = self.settings.pays.blackjack.of(stake);
        let is_topped_up = !collects && hand.even_money && hand.paid.checked_add(*amount) == Some(owed);
        if is_topped_up && bank.served > 1 {
            self.pass.change_hand(*id, |hand| (hand.even_money, hand.settled) = (false, None));
            return;
        }
        // too much paid for single pay, and put right in time: the sum tells it
        let sum = hand.given(BetSpot::Main).saturating_add_unsigned(if collects { 0 } else { *amount });
        let sum = sum.saturating_sub_unsigned(if collects { *amount } else { 0 });
        let is_single = self.settings.pays.even_money && bank.shows_ace() && bank.served == 1 && !hand.split;
        if is_single && hand.paid > 0 && hand.is_blackjack() && hand.insurance == 0 && sum == stake.cast_signed() {
            self.pass.change_hand(*id, |hand| hand.even_money = true);
            return;
        }
        // how many cards it has is a guess then, too
        let guesses = self.pass.guesses();
        let may_have_ended = |hand: &&mut Hand| hand.may_have_ended() || (guesses && hand.is_untouched());
        let Some(hand) = self.pass.hand_mut(*id).filter(may_have_ended) else { return };
        match hand.is_blackjack() {
            true if !collects => hand.even_money |= single && hand.insurance == 0,
            false if collects => hand.surrendered |= half && !lost,
            _ => return,
        }
        self.pass.reindex(id.box_no);
    }

    /// Two cards cleared before the bank's second, or their stake collected, were given up, where that may be and
    /// nobody sees how many chips.
    fn cleared_early(&mut self, event: &Event) {
        let (Event::Move { from: Place::Hand(id), to: Place::Discard, .. }
        | Event::Collect { hand: id, spot: BetSpot::Main, .. }) = event
        else {
            return;
        };
        let may_be = !self.observes.bets && self.settings.stakes.surrender == Surrender::Early;
        if may_be && !self.settings.bank_is_covered() && self.pass.bank.served == 1 {
            self.pass.change_hand(*id, |hand| hand.surrendered |= hand.may_have_ended() && !hand.is_blackjack());
        }
    }

    /// Chips or cards of a hand that its own cards end, or may have ended, tell nothing of the others. Nor do those of
    /// a bet without effect, or of none.
    pub(super) fn ends_alone(&self, id: HandId) -> bool {
        self.pass.hand(id).is_none_or(|hand| hand.void || hand.ends_by_its_cards() || hand.may_be_over())
    }

    /// The bank's card lies covered, which it does for all to see: its turn has not come.
    fn bank_lies_seen_covered(&self) -> bool {
        self.observes.turns && self.observes.faces && self.pass.bank.is_covered()
    }

    /// A hand of which no chips have moved is cleared, and for all that is seen the bank's card was turned up before:
    /// it may have tied, which it can only when all have played.
    fn may_be_tied(&self, id: HandId) -> bool {
        let is_unsettled = self.pass.hand(id).is_some_and(|hand| hand.paid == 0 && hand.collected == 0);
        is_unsettled && self.pass.bank.is_covered() && !self.bank_lies_seen_covered()
    }

    /// The bank's card was turned up, and all were taken to have stood: who is asked afterwards, or acts, plays on with
    /// the card seen (C12), and so do those after him.
    fn plays_on(&mut self, event: &Event) {
        let id = match event {
            Event::Ask { about: Question::Insurance, .. } => return,
            Event::Ask { hand, .. }
            | Event::Decide { hand, .. }
            | Event::Ace { hand, .. }
            | Event::Bet { hand, spot: BetSpot::Split | BetSpot::Double, .. }
            | Event::Draw { to: Some(Place::Hand(hand)), .. } => *hand,
            _ => return,
        };
        let order = self.pass.order();
        let is_after = |hand: &HandId| *hand == id || order.plays_before(id, *hand);
        let stood_at_turn = |(_, hand): &(HandId, &Hand)| hand.stood_at_turn;
        let after: Vec<HandId> =
            self.pass.hands().filter(stood_at_turn).map(|(hand, _)| hand).filter(is_after).collect();
        // a card alone tells it only where not all had been asked before the turn
        let is_asked = |hand: &Hand| hand.was_asked(Question::Card) || hand.was_asked(Question::Double);
        let was_asked = |hand: &HandId| self.pass.hand(*hand).is_some_and(is_asked);
        let tells = !matches!(event, Event::Draw { .. }) || !self.observes.asks || !after.iter().all(was_asked);
        if tells && after.contains(&id) {
            for hand in after {
                self.pass.change_hand(hand, |hand| (hand.stood, hand.stood_at_turn) = (false, false));
            }
        }
    }

    fn stood_before(&mut self, event: &Event) {
        let early = |id: &HandId| self.pass.hand(*id).is_some_and(|hand| self.may_be_decided_early(hand));
        let ends_play = self.settings.bank_cards_before_play();
        let until = match event {
            Event::Ask { hand, about } if *about != Question::Insurance => Some(*hand),
            Event::Ace { hand, .. } | Event::Bet { hand, spot: BetSpot::Split | BetSpot::Double, .. } => Some(*hand),
            Event::Draw { to: Some(Place::Hand(hand)), .. }
                if self.pass.hand(*hand).is_some_and(Hand::draws_in_turn) =>
            {
                Some(*hand)
            }
            Event::Ask { about: Question::Insurance, .. } | Event::Bet { spot: BetSpot::Insurance, .. }
                if self.settings.insurance.when == Insured::AfterPlay && self.pass.bank.may_show_ace() =>
            {
                None
            }
            Event::Draw { to: Some(Place::Bank), .. }
                if self.pass.bank.owed == 0 && self.pass.bank.served >= ends_play && !self.bank_lies_seen_covered() =>
            {
                None
            }
            // where nothing lies covered there is nothing to turn up
            Event::Reveal { at: Place::Bank, .. } if !self.pass.bank.is_covered() => return,
            Event::Reveal { at: Place::Bank, .. } | Event::End {} => None,
            // what may have ended before the bank has played says nothing of the other hands
            Event::Move { from: Place::Hand(hand), to: Place::Discard, .. }
            | Event::Collect { hand, spot: BetSpot::Main, .. }
            | Event::Pay { hand, spot: BetSpot::Main, .. }
                if early(hand) || self.ends_alone(*hand) =>
            {
                return;
            }
            // cards are cleared when all is settled, which nobody saw
            Event::Move { to: Place::Discard, .. } if !self.observes.bets => None,
            Event::Move { from: Place::Hand(hand), to: Place::Discard, .. } if self.may_be_tied(*hand) => None,
            Event::Collect { spot: BetSpot::Main, .. } | Event::Pay { spot: BetSpot::Main, .. } => None,
            _ => return,
        };
        let (order, hears) = (self.pass.order(), self.observes.decisions);
        let is_turn = matches!(event, Event::Reveal { .. });
        for id in self.pass.hands_with(Status::InPlay) {
            let before = until.is_none_or(|until| order.plays_before(id, until));
            let Some(hand) = self.pass.hand(id).filter(|_| before) else { continue };
            let is_unheard = !hears || hand.may_be_split;
            if is_unheard && hand.count() >= 2 && !hand.is_finished() && !hand.wants_card {
                self.pass.change_hand(id, |hand| {
                    (hand.stood, hand.stood_at_turn, hand.may_be_split) = (true, is_turn, false);
                });
            } else if hand.stood_at_turn && !is_turn {
                self.pass.change_hand(id, |hand| hand.stood_at_turn = false);
            }
        }
    }
}

impl Hand {
    /// Where choices are not seen: it may have been surrendered, or have taken single pay.
    #[must_use]
    pub fn may_have_ended(&self) -> bool {
        self.is_untouched() && self.count() == 2 && self.is_live() && !self.is_covered()
    }

    /// A card that comes to it is one of play: neither does it complete its delivery, nor is it served again, nor does
    /// it come to a bet without effect.
    fn draws_in_turn(&self) -> bool {
        !self.void && !self.served_again && (self.count() >= 2 || self.split)
    }

    /// Neither opened nor doubled, paid nor collected, nor without effect.
    fn is_untouched(&self) -> bool {
        !(self.split || self.doubled || self.void || self.lost) && self.paid == 0 && self.collected == 0
    }
}

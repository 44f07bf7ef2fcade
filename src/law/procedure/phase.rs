//! Where in a pass the table is.
//!
//! Dealing only goes forward; each [`Stage`] takes those before it for granted:
//!
//! ```text
//!  Idle ──bet──> Bets ──close_bets──> Closed ──card──> FirstDelivery ──a box's second card──> SecondDelivery
//!   ^              └───────────────card──────────────────^                                          │
//!   └────────────────────────────────── end, from wherever it is ────────────────────────────────────┘
//! ```
//!
//! What else happens may come in any order where people make mistakes: a [`Milestone`] each. The [`Phase`] is derived
//! from both and from the cards: [`PHASES`] is read from top to bottom, and the first line that holds tells it.

use super::hand::Hand;
use super::hand_index::{Hands, Status};
use super::known::Fact;
use super::pass::{Milestone, Stage};
use super::state::State;
use crate::table::event::Choice;
use crate::table::felt::Phase;
use crate::table::settings::{Insured, Surrender};
use crate::table::{BetSpot, Event, HandId, Place};

type Condition = fn(&State) -> bool;

/// The phases of a pass by what holds in them: the first line that holds tells the phase.
const PHASES: [(Condition, Phase); 10] = [
    (|state| !state.pass.is_open(), Phase::Idle),
    (|state| !state.pass.is_dealt(), Phase::Bets),
    (|state| !state.delivered() && state.has_somebody_to_deal_to(), Phase::Delivery),
    (State::has_begun_to_settle, Phase::Settlement),
    (|state| state.pass.turn().is_some() || !state.pass.hands_with(Status::Second).is_empty(), Phase::Play),
    (State::has_no_open_bet, Phase::Settlement),
    (|state| state.pass.bank.is_covered(), Phase::Bank),
    (State::bank_has_no_opponent, Phase::Settlement),
    (|state| state.pass.bank.served < 2 || state.pass.bank.must_draw() == Some(true), Phase::Bank),
    (|_| true, Phase::Settlement),
];

impl State {
    /// Where in the pass the table is.
    #[must_use]
    pub fn phase(&self) -> Phase {
        PHASES[self.line()].1
    }

    /// Which line of [`PHASES`] holds; the last always does.
    fn line(&self) -> usize {
        PHASES.iter().position(|(holds, _)| holds(self)).unwrap_or(PHASES.len() - 1)
    }

    fn has_somebody_to_deal_to(&self) -> bool {
        !self.pass.nobody_is_left() || !self.pass.hands_with(Status::First).is_empty()
    }

    /// Bets have been settled. What is settled too early ends neither the boxes' play nor the bank's.
    fn has_begun_to_settle(&self) -> bool {
        self.pass.has(Milestone::Settlement) && self.pass.has(Milestone::Clearing)
    }

    /// Every bet is decided without the bank.
    fn has_no_open_bet(&self) -> bool {
        self.pass.hands().all(|(_, hand)| hand.void || hand.lost || hand.is_over()) && !self.is_insured_against_bank()
    }

    /// No hand and no insurance is left for the bank to play against.
    #[must_use]
    pub fn bank_has_no_opponent(&self) -> bool {
        self.pass.nobody_is_left() && !self.is_insured_against_bank() && !self.may_take_surrendered_whole()
    }

    /// A hand was given up that a Black Jack of the bank still takes whole.
    fn may_take_surrendered_whole(&self) -> bool {
        self.settings.stakes.surrender == Surrender::Late
            && self.pass.bank.may_have_blackjack()
            && self.pass.hands().any(|(_, hand)| hand.surrendered && !hand.void)
    }

    /// Both deliveries are over: the bank has its cards of them and, where its second comes later, every hand too; or
    /// play has begun.
    #[must_use]
    pub fn delivered(&self) -> bool {
        let pass = &self.pass;
        let served = pass.bank.served;
        let is_served = served >= 2 && !(pass.bank.done_before_boxes && pass.boxes_wait());
        let plays_last = served == 1 && !self.settings.bank_is_covered();
        pass.has(Milestone::Play) || is_served || (plays_last && !self.is_somebody_dealt_next())
    }

    /// A box is still to get a card of the deliveries. The second round, where there is one, waits for nobody who was
    /// left out of the first, unless the room has him dealt to.
    fn is_somebody_dealt_next(&self) -> bool {
        let pass = &self.pass;
        let is_second = self.settings.delivery.strict_rounds && pass.is_in_second_delivery();
        let waits = |id| !is_second || pass.hand(id).is_some_and(|hand| hand.dealt_next);
        !pass.hands_with(Status::Second).is_empty() || pass.hands_with(Status::First).any(waits)
    }

    /// Boxes still get their first card. Where the bank's second comes covered, one without it is out of the pass at
    /// the bank's first, unless the room let that lie which came too early.
    #[must_use]
    pub fn is_in_first_delivery(&self) -> bool {
        let pass = &self.pass;
        let waits = || !pass.hands_with(Status::First).is_empty();
        let may_wait = self.settings.bank_is_covered() || pass.bank.before_boxes;
        !pass.is_in_second_delivery() && (pass.bank.served == 0 || (may_wait && waits()))
    }

    /// A box has been served in the first delivery.
    #[must_use]
    pub fn is_first_delivery_begun(&self) -> bool {
        self.pass.boxes().any(|(_, betting_box)| betting_box.first().count() > 0)
    }

    /// A box has been served in the second delivery.
    #[must_use]
    pub fn is_second_delivery_begun(&self) -> bool {
        self.pass.is_in_second_delivery() || self.pass.hands_with(Status::Second).is_empty()
    }

    /// Who forgot to bet may still do so: bets are closed, and the bank has no card yet (T-Q4).
    #[must_use]
    pub fn takes_forgotten_bet(&self) -> bool {
        let is_first = matches!(self.pass.stage(), Stage::Closed | Stage::FirstDelivery) && self.pass.bank.served == 0;
        self.settings.stakes.forgotten_bet && is_first
    }

    /// The cut card has come out with bets on the felt, in the place of the first card of their pass (G22).
    #[must_use]
    pub fn cut_card_came_first(&self) -> bool {
        let pass = &self.pass;
        let is_new = pass.is_open() && !pass.is_dealt() && !pass.has(Milestone::BegunAfterCutCard);
        // where neither bets nor a load are seen, the pass may have begun before the log
        let is_seen = self.observes.bets || self.supply.shoe().is_some();
        is_new && is_seen && self.supply.cut_card_is_out() && !self.unknown().has(Fact::Cards)
    }

    /// Nobody's turn stands in the way of the bank's cards beyond its first, where those come after play.
    #[must_use]
    pub fn all_have_played(&self) -> bool {
        self.settings.bank_is_covered() || (self.delivered() && self.pass.turn().is_none() && !self.a_double_waits())
    }

    /// A double waits for its chips or its card. Where it is a guess who got which card, it may have come.
    fn a_double_waits(&self) -> bool {
        !self.pass.guesses() && !self.pass.hands_with(Status::Doubling).is_empty()
    }

    /// The hands that keep those after them waiting, in the order of play: the unfinished ones and, where no article
    /// has its own word for it (C9), those doubled with their chips that lack their card.
    #[must_use]
    pub fn not_complete(&self) -> Hands {
        let unfinished = self.pass.hands_with(Status::Unfinished);
        if self.settings.bank_is_covered() {
            return unfinished;
        }
        let is_paid = |id| self.pass.hand(id).is_some_and(|hand| !hand.is_unpaid_double());
        unfinished.and(self.pass.hands_with(Status::Doubling).that(is_paid))
    }

    /// A card is due to a hand that plays before this one.
    #[must_use]
    pub(super) fn is_served_before(&self, id: HandId) -> bool {
        let waits = |hand: &Hand| hand.wants_card || hand.waits_for_second() || hand.waits_for_double();
        self.not_complete().before(id).any(|before| self.pass.hand(before).is_some_and(waits))
    }

    /// A card that the bank would draw on with has to wait: a box gets one of the deliveries, a bettor plays, or a
    /// double waits for its chips or its card.
    #[must_use]
    pub fn bank_waits_to_draw(&self) -> bool {
        matches!(self.phase(), Phase::Delivery | Phase::Play) || self.a_double_waits()
    }

    /// The hands that were doubled with their chips and have not got their card, though every other has played.
    pub fn left_doubled(&self) -> impl Iterator<Item = HandId> {
        let is_known = self.pass.turn().is_none() && !self.pass.has(Milestone::Clearing) && !self.pass.guesses();
        let waits = |hand: &Hand| !hand.is_unpaid_double() && !hand.is_touched(BetSpot::Main);
        let is_left = move |id: &HandId| is_known && self.pass.hand(*id).is_some_and(waits);
        self.pass.hands_with(Status::Doubling).filter(is_left)
    }

    /// Nobody is left to play but hands that were doubled in words, without their chips: once play moves on, such a
    /// hand has stood (Reading 24).
    pub(super) fn waits_for_chips_alone(&self) -> bool {
        let is_heard = self.observes.bets && self.observes.decisions && !self.unknown().has(Fact::Hands);
        let unpaid = |id| self.pass.hand(id).is_some_and(Hand::is_unpaid_double);
        let doubling = || self.pass.hands_with(Status::Doubling).into_iter().all(unpaid);
        is_heard && self.delivered() && self.pass.turn().is_none() && doubling()
    }

    /// Nobody sees how cards lie, and the bank's second may lie up: it is to be burned, and another served (C7).
    #[must_use]
    pub fn bank_card_may_lie_up(&self) -> bool {
        let lies_covered = self.settings.bank_is_covered() && self.pass.bank.served == 2 && self.pass.bank.is_covered();
        lies_covered && !self.observes.faces && self.pass.turn().is_some()
    }

    /// Hands are left that have not stood, doubled, reached 21 or gone over, those still in delivery included.
    #[must_use]
    pub fn has_unfinished_hands(&self) -> bool {
        let pass = &self.pass;
        let waits = [Status::First, Status::Second, Status::Doubling].map(|status| pass.hands_with(status));
        !pass.has(Milestone::Clearing) && (pass.turn().is_some() || waits.iter().any(|hands| !hands.is_empty()))
    }

    /// The bank's second card is due after play, and play is over.
    #[must_use]
    pub fn bank_is_next(&self) -> bool {
        !self.settings.bank_is_covered() && self.pass.bank.served == 1 && self.all_have_played()
    }

    /// A hand that only its 21 has finished may ask for a card, until the bank draws for itself.
    #[must_use]
    pub fn may_draw_at_21(&self, hand: &Hand) -> bool {
        let bank_waits = self.settings.bank_is_covered() || self.pass.bank.served < 2;
        self.settings.play.hit_at_21 && bank_waits && hand.is_finished_by_21(&self.settings)
    }

    /// A choice may ask for a card: its bettor makes it, and the hand could get one. An ace may be declared once.
    #[must_use]
    pub fn may_ask_for_card(&self, event: Option<&Event>) -> bool {
        let (id, by) = match event {
            Some(Event::Decide { hand, choice: Choice::Hit | Choice::Double | Choice::Split, by }) => (hand, by),
            Some(Event::Ace { hand, by, .. }) if self.pass.hand(*hand).is_some_and(|hand| hand.ace.is_none()) => {
                (hand, by)
            }
            _ => return false,
        };
        let doubles = matches!(event, Some(Event::Decide { choice: Choice::Double, .. }));
        let is_told_by_chips = |hand: &Hand| doubles && hand.waits_for_double() && !hand.said_double;
        let may_get_one = |hand: &Hand| !hand.is_finished() || self.may_draw_at_21(hand) || is_told_by_chips(hand);
        self.pass.may_speak(*id, by.as_ref()) && self.pass.hand(*id).is_some_and(may_get_one)
    }

    /// Insurance against the bank may be placed now.
    #[must_use]
    pub fn may_insure(&self) -> bool {
        match self.settings.insurance.when {
            Insured::BeforePlay => {
                let is_before_cards = self.delivered() && !self.pass.has(Milestone::CardOfPlay);
                is_before_cards && self.pass.bank.served == 1 && !self.pass.bank.began_late
            }
            Insured::AfterPlay => self.bank_is_next(),
            Insured::Never | Insured::OwnAce => false,
        }
    }

    /// Insurance against the bank is still open: its second card decides it.
    #[must_use]
    pub fn is_insured_against_bank(&self) -> bool {
        self.settings.insures_against_bank()
            && self.pass.bank.served < 2
            && self.pass.hands().any(|(_, hand)| hand.insurance > 0 && !hand.void)
    }

    /// Somebody is left for whom the bank draws (Readings 11 and 12).
    #[must_use]
    pub fn bank_has_to_draw(&self) -> bool {
        self.pass.live_hands().any(|(_, hand)| self.is_drawn_for(hand))
    }

    fn is_drawn_for(&self, hand: &Hand) -> bool {
        let split_ones_count = self.settings.pays.split_blackjack;
        let is_blackjack = hand.is_blackjack() && (!hand.split || split_ones_count);
        self.settings.bank.draws_against_blackjacks || !is_blackjack
    }

    /// The bank stands, or no bet is left for which it would draw, whatever was cleared since.
    #[must_use]
    pub fn bank_draws_no_more(&self) -> bool {
        let hangs = |hand: &Hand| (hand.is_live() || hand.hung_on_bank()) && self.is_drawn_for(hand);
        let is_needed = || {
            let is_hanging = self.pass.hands().any(|(_, hand)| hangs(hand));
            is_hanging || self.is_insured_against_bank() || self.may_take_surrendered_whole()
        };
        self.pass.bank.must_draw() == Some(false) || !is_needed()
    }

    /// The same for all that can be seen and heard of the hands.
    #[must_use]
    pub fn bank_surely_has_to_draw(&self) -> bool {
        self.bank_has_to_draw() && self.somebody_is_surely_left()
    }

    /// A hand is in play against the bank, and cannot be over 21 for what nobody saw or heard of it.
    #[must_use]
    pub fn somebody_is_surely_left(&self) -> bool {
        self.pass.live_hands().any(|(_, hand)| !hand.may_be_over())
    }

    /// Every hand is finished and the bank, its cards turned up, is below its standing total and has somebody to draw
    /// for.
    #[must_use]
    pub fn bank_draws_on(&self) -> bool {
        self.pass.bank.had_to_draw() == Some(true) && self.pass.turn().is_none() && self.bank_has_to_draw()
    }

    /// The bank's cards, the covered one included, let it draw no more.
    pub(super) fn bank_stands(&self) -> bool {
        let bank = &self.pass.bank;
        bank.served >= 2 && bank.owed == 0 && (bank.must_draw() != Some(true) || !self.bank_has_to_draw())
    }

    /// How many cards the bank lacks of its deliveries and of those that it lost.
    #[must_use]
    pub fn bank_lacks(&self) -> usize {
        let bank = &self.pass.bank;
        let before_play = self.settings.bank_cards_before_play();
        bank.owed + usize::from(before_play.saturating_sub(bank.served))
    }

    /// The bank has all its cards, for all to see.
    #[must_use]
    pub fn bank_is_final(&self) -> bool {
        self.bank_stands() && !self.pass.bank.is_hidden()
    }

    /// Every bet is settled, or is lost whatever the bank holds.
    fn needs_bank_no_more(&self) -> bool {
        let is_lost = |hand: &Hand| hand.lost || hand.is_over();
        self.all_settled() || self.pass.hands().all(|(_, hand)| is_lost(hand) || self.is_settled(hand))
    }

    /// Cards that go to the discard tray now are being cleared, not lost: every bet has had what it was owed, or play
    /// is over with bets being settled, or the bank that plays last is final.
    #[must_use]
    pub fn is_clearing(&self) -> bool {
        let pass = &self.pass;
        let settles = pass.has(Milestone::Settlement);
        // with articles on lost cards (C14, C15) what was not settled is lost, whatever the bank holds
        if self.settings.bank_is_covered() && self.observes.bets {
            return self.needs_bank_no_more() || (settles && pass.guesses());
        }
        let taken_as_it_lies = || pass.live_hands().any(|(_, hand)| hand.paid > 0 || hand.collected > 0);
        (self.all_settled() && !self.is_insured_against_bank())
            || (settles && pass.turn().is_none() && (self.bank_is_final() || taken_as_it_lies()))
            || (settles && self.unknown().has(Fact::Hands))
            || self.is_played_out()
            || self.is_played_out_unpaid()
    }

    /// The place whose cards are cleared next, once cards are being cleared.
    #[must_use]
    pub fn to_clear(&self) -> Option<Place> {
        let clears = self.pass.is_dealt() && (self.pass.has(Milestone::Clearing) || self.is_clearing());
        self.pass.first_place_with_cards().filter(|_| clears)
    }

    /// Where chips are not seen: all have played, and the bank has too or has nobody to play for.
    fn is_played_out_unpaid(&self) -> bool {
        let is_over = !self.observes.bets && self.delivered() && self.pass.turn().is_none();
        is_over && (self.bank_is_final() || self.bank_has_no_opponent() || !self.somebody_is_surely_left())
    }

    /// Where the bank's second card comes after play: all have played, and the bank has too or has nobody to play for.
    fn is_played_out(&self) -> bool {
        let has_begun = !self.settings.bank_is_covered() && self.pass.bank.served > 0;
        has_begun && self.all_have_played() && (self.bank_is_final() || self.bank_has_no_opponent())
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::PHASES;
    use crate::table::felt::Phase::{self, Bank, Bets, Delivery, Idle, Play, Settlement};
    use crate::table::line;
    use crate::validator::Validator;

    const BY_THE_BOOK: &[(&str, Phase, usize)] = &[
        (r#"{"ev":"load","cards":416,"cut_card":52}"#, Idle, 0),
        (r#"{"ev":"bet","box":"1","amount":1000,"player":"P1"}"#, Bets, 1),
        (r#"{"ev":"close_bets"}"#, Bets, 1),
        (r#"{"ev":"draw","card":"8H","to":"1"}"#, Delivery, 2),
        (r#"{"ev":"draw","card":"9S","to":"bank"}"#, Delivery, 2),
        (r#"{"ev":"draw","card":"TC","to":"1"}"#, Delivery, 2),
        (r#"{"ev":"draw","card":"7D","to":"bank","face":"down"}"#, Play, 4),
        (r#"{"ev":"decide","box":"1","choice":"stand"}"#, Bank, 6),
        (r#"{"ev":"reveal","at":"bank"}"#, Bank, 8),
        (r#"{"ev":"draw","card":"5H","to":"bank"}"#, Settlement, 9),
        (r#"{"ev":"collect","box":"1","amount":1000}"#, Settlement, 9),
        (r#"{"ev":"move","from":"1","to":"discard"}"#, Settlement, 3),
        (r#"{"ev":"end"}"#, Idle, 0),
    ];

    const OVER_21: &[(&str, Phase, usize)] = &[
        (r#"{"ev":"bet","box":"1","amount":1000,"player":"P1"}"#, Bets, 1),
        (r#"{"ev":"draw","card":"8H","to":"1"}"#, Delivery, 2),
        (r#"{"ev":"draw","card":"9S","to":"bank"}"#, Delivery, 2),
        (r#"{"ev":"draw","card":"7C","to":"1"}"#, Delivery, 2),
        (r#"{"ev":"draw","card":"7D","to":"bank","face":"down"}"#, Play, 4),
        (r#"{"ev":"decide","box":"1","choice":"hit"}"#, Play, 4),
        (r#"{"ev":"draw","card":"KC","to":"1"}"#, Settlement, 5),
    ];

    const SURRENDER: &[(&str, Phase, usize)] = &[
        (r#"{"ev":"bet","box":"1","amount":1000,"player":"P1"}"#, Bets, 1),
        (r#"{"ev":"draw","card":"8H","to":"1"}"#, Delivery, 2),
        (r#"{"ev":"draw","card":"9S","to":"bank"}"#, Delivery, 2),
        (r#"{"ev":"draw","card":"8C","to":"1"}"#, Play, 4),
        (r#"{"ev":"decide","box":"1","choice":"surrender"}"#, Settlement, 7),
    ];

    #[test]
    fn every_line_of_the_phases_decides_in_its_place_in_a_pass() {
        let mut seen = [false; PHASES.len()];
        for (house, pass) in [("sala-8", BY_THE_BOOK), ("sala-8", OVER_21), ("talla", SURRENDER)] {
            let header = alloc::format!(
                r#"{{"ev":"table","v":1,"table":"T","regulation":"{house}","boxes":7,"limits":{{"min":1,"max":9999}}}}"#
            );
            let mut table = Validator::new(line::header(header.as_bytes()).unwrap()).unwrap();
            for (event, phase, row) in pass {
                table.step(2, &line::event(event.as_bytes()).unwrap(), &mut Vec::new());
                assert_eq!((table.state().phase(), table.state().line()), (*phase, *row), "{house}: after {event}");
                seen[*row] = true;
            }
        }
        assert_eq!(seen, [true; PHASES.len()]);
    }
}

//! The deliveries and the bettors' turns.

use rand::RngExt;

use super::{Dealer, Flow, Hand, Mood, cards};
use sabot_law::table::event::{Choice, Face, Question};
use sabot_law::table::settings::{Insured, Rate, Side, Surrender};
use sabot_law::table::{BetSpot, Event, HandId};

/// Hands of a box that an antenna lies under.
const HANDS_SEEN: usize = 4;

impl Dealer {
    /// One card to each bet and one to the bank, then a second to each bet, and the bank's covered where it has one.
    pub(super) fn deliver(&mut self) -> Flow {
        let mut hand = 0;
        while hand <= self.hands.len() {
            self.bet_was_forgotten(hand)?;
            if hand < self.hands.len() && self.hands[hand].cards.is_empty() {
                self.draw_to_hand(hand, Face::Up)?;
            }
            hand += 1;
        }
        self.draw_to_bank(Face::Up)?;
        let own_aces = self.book.insurance_when == Insured::OwnAce;
        let all_before = self.chance(50);
        for hand in (0..self.hands.len()).filter(|_| own_aces && all_before) {
            self.offer_own_insurance(hand);
        }
        for hand in 0..self.hands.len() {
            if own_aces && !all_before {
                self.offer_own_insurance(hand);
            }
            self.draw_to_hand(hand, Face::Up)?;
        }
        if self.house.covers_bank() {
            self.draw_to_bank(Face::Down)?;
        }
        Ok(())
    }

    /// Before a hand's first card, others having theirs: somebody had forgotten to bet, and may put one chip, which is
    /// dealt to at once or in its turn.
    fn bet_was_forgotten(&mut self, next: usize) -> Flow {
        let knows_of_it = self.book.forgotten_bet && self.house.book.forgotten_bet;
        if !knows_of_it || next == 0 || !self.chance(3) {
            return Ok(());
        }
        let Some((id, player)) = self.free_box().zip(self.bettor()) else { return Ok(()) };
        let amount = self.book.chip;
        self.put(id, BetSpot::Main, amount, Some(player.clone()));
        let right = self.book.first_box == Side::Right;
        let at = self.hands.partition_point(|hand| (hand.id.box_no > id.box_no) == right);
        self.hands.insert(at, Hand::new(id, player, amount));
        if at < next {
            self.draw_to_hand(at, Face::Up)?;
        }
        Ok(())
    }

    /// The dealer asks "insure?" of a bettor whose first card is an ace.
    fn offer_own_insurance(&mut self, hand: usize) {
        if !self.hands[hand].first_is_ace() {
            return;
        }
        self.ask(hand, Question::Insurance);
        if self.chance(40) {
            self.decide(hand, Choice::Insure);
            self.lay_insurance(hand);
        } else {
            self.decide(hand, Choice::Decline);
        }
    }

    /// Its part of the stake on the insurance spot, or less where that is allowed.
    fn lay_insurance(&mut self, hand: usize) {
        let Hand { id, stake, .. } = self.hands[hand];
        let unit = self.book.insurance_multiple.max(1);
        let mut amount = self.book.part(stake, self.book.insurance_part) / unit * unit;
        if self.house.book.insurance_may_be_less {
            // such a house takes no more than the part, not even to make a whole chip
            let Rate { pays, per } = self.book.insurance_part;
            amount = amount.min(stake * pays / per / unit * unit);
        }
        if self.book.insurance_may_be_less && self.chance(30) {
            amount = unit * self.rng.random_range(1..=(amount / unit).max(1));
        }
        self.put(id, BetSpot::Insurance, amount, None);
        self.hands[hand].insurance = amount;
    }

    /// Insurance is offered to every hand in play against the bank's ace; a Black Jack may take single pay instead.
    fn offer_insurance(&mut self) {
        if !self.bank.first().is_some_and(|&card| cards::is_ace(card)) {
            return;
        }
        for hand in 0..self.hands.len() {
            if !self.is_in_play(hand) {
                continue;
            }
            self.ask(hand, Question::Insurance);
            if self.book.even_money && self.hands[hand].is_black_jack() && self.chance(40) {
                self.decide(hand, Choice::EvenMoney);
                self.hands[hand].even_money = true;
                self.settle_hand(hand);
            } else if self.chance(40) {
                self.decide(hand, Choice::Insure);
                self.lay_insurance(hand);
            } else {
                self.decide(hand, Choice::Decline);
            }
        }
    }

    /// Every hand in the house's order; a split puts its new hand behind its own.
    pub(super) fn play(&mut self) -> Flow {
        self.pay_black_jacks();
        if self.book.insurance_when == Insured::BeforePlay {
            self.offer_insurance();
        }
        let mut hand = 0;
        while hand < self.hands.len() {
            self.turn(hand)?;
            self.hands[hand].done = true;
            let over = self.hands[hand].total() > 21 && !self.hands[hand].covered;
            let in_turn = !self.book.losers_first && !self.house.book.losers_first;
            if over && in_turn && self.chance(50) {
                self.settle_hand(hand);
            }
            hand += 1;
        }
        if self.book.insurance_when == Insured::AfterPlay {
            self.offer_insurance();
        }
        Ok(())
    }

    /// Black Jacks that nothing of the bank's can tie are paid before the play, where the house does so or may.
    fn pay_black_jacks(&mut self) {
        let tied = self.bank.first().is_some_and(|&card| cards::is_ace(card) || cards::points(card) == 10);
        for hand in (0..self.hands.len()).filter(|_| !tied) {
            let may = self.book.blackjack_at_once || (self.book.blackjack_may_be_early && self.chance(30));
            if self.hands[hand].is_black_jack() && self.book.blackjack_beats_21 && may {
                self.settle_hand(hand);
            }
        }
    }

    /// One hand until it stands, doubles, has 21, is over or given up.
    fn turn(&mut self, hand: usize) -> Flow {
        if self.hands[hand].cards.len() == 1 {
            self.second_card_of_split(hand)?;
        }
        let one_card = self.hands[hand].split_ace && self.book.split_aces_one_card;
        if one_card && !self.may_split(hand) {
            return Ok(());
        }
        if !self.hands[hand].waits() {
            return self.asks_at_21(hand);
        }
        if self.gives_up(hand) || self.splits(hand)? || one_card {
            return Ok(());
        }
        self.declare_ace(hand);
        if self.doubles(hand)? {
            return Ok(());
        }
        self.draw_or_stand(hand)
    }

    /// The bettor of opened aces may insure the second one, where a bettor insures his own.
    fn second_card_of_split(&mut self, hand: usize) -> Flow {
        let Hand { id, split_ace, .. } = self.hands[hand];
        if self.book.insurance_when == Insured::OwnAce && id.hand == 1 && split_ace && self.chance(35) {
            self.decide(hand, Choice::Insure);
            self.lay_insurance(hand);
        }
        self.draw_to_hand(hand, Face::Up)
    }

    /// Whether bettors take more than a card; not near the end of a shoe, so that the pass can be finished.
    fn is_ready_to_risk(&self) -> bool {
        self.mood != Mood::StandPat && self.suffices(20 + 2 * self.unserved())
    }

    /// Hands of splits that wait for their second card.
    fn unserved(&self) -> usize {
        self.hands.iter().filter(|hand| hand.cards.len() < 2).count()
    }

    /// Half a stake may be given up on the first two cards.
    fn gives_up(&mut self, hand: usize) -> bool {
        let Hand { split, insurance, .. } = self.hands[hand];
        let may = self.book.surrender != Surrender::Never && !split && insurance == 0;
        if !may || !self.is_ready_to_risk() || !self.chance(10) {
            return false;
        }
        self.ask(hand, Question::Surrender);
        if self.chance(20) {
            self.decide(hand, Choice::Decline);
            return false;
        }
        self.decide(hand, Choice::Surrender);
        self.hands[hand].surrendered = true;
        if self.book.surrender == Surrender::Early && !self.book.losers_first && self.chance(50) {
            self.settle_hand(hand);
        }
        true
    }

    fn hands_of_box(&self, hand: usize) -> usize {
        self.hands.iter().filter(|one| one.id.box_no == self.hands[hand].id.box_no).count()
    }

    fn may_split(&self, hand: usize) -> bool {
        let again = self.book.split_aces_again || !self.hands[hand].split_ace;
        self.book.is_pair(&self.hands[hand].cards)
            && again
            && self.hands_of_box(hand) < usize::from(self.book.max_hands)
    }

    /// Offers a pair to be split; when it is, the first hand of it is played.
    fn splits(&mut self, hand: usize) -> Flow<bool> {
        if !self.may_split(hand) {
            return Ok(false);
        }
        if self.may_double(hand) {
            self.ask(hand, Question::Double);
        }
        self.ask(hand, Question::Split);
        let risks = self.is_ready_to_risk() && (self.mood == Mood::Reckless || self.chance(60));
        if !risks || (self.seen_by_devices && self.hands_of_box(hand) >= HANDS_SEEN) {
            self.decide(hand, Choice::Decline);
            return Ok(false);
        }
        self.decide(hand, Choice::Split);
        self.hands[hand].split_by += self.hands[hand].stake;
        let Hand { id, stake, split_by, .. } = self.hands[hand];
        self.put(id, BetSpot::Split, split_by, None);
        let aces = self.hands[hand].first_is_ace();
        // the new hand gets the next free letter of its box, and lies beside its own
        let beside = HandId { box_no: id.box_no, hand: self.hands_of_box(hand) as u8 };
        let mut other = Hand::new(beside, self.hands[hand].bettor.clone(), stake);
        other.cards.extend(self.hands[hand].cards.pop());
        for one in [&mut self.hands[hand], &mut other] {
            (one.split, one.split_ace) = (true, aces);
        }
        self.hands.insert(hand + 1, other);
        self.turn(hand)?;
        Ok(true)
    }

    fn may_double(&self, hand: usize) -> bool {
        let Hand { ref cards, split, .. } = self.hands[hand];
        self.book.may_double(cards) && (!split || self.book.double_after_split)
    }

    /// Offers a double; when it is taken, one card comes.
    fn doubles(&mut self, hand: usize) -> Flow<bool> {
        if !self.may_double(hand) {
            return Ok(false);
        }
        self.ask(hand, Question::Double);
        let percent = if (9..=11).contains(&self.hands[hand].total()) { 70 } else { 5 };
        if !self.is_ready_to_risk() || !self.chance(percent) {
            self.decide(hand, Choice::Decline);
            return Ok(false);
        }
        self.decide(hand, Choice::Double);
        let Hand { id, stake, .. } = self.hands[hand];
        self.put(id, BetSpot::Double, stake, None);
        self.hands[hand].double = stake;
        self.draw_to_hand(hand, self.book.double_card)?;
        if !self.hands[hand].covered {
            self.tell_total(hand);
        }
        Ok(true)
    }

    /// The dealer asks what an ace among the first two cards shall count, and the bettor says, for good.
    fn declare_ace(&mut self, hand: usize) {
        if !self.book.ace_is_declared || !self.hands[hand].has_ace_in_two() {
            return;
        }
        self.ask(hand, Question::Ace);
        let percent = match cards::total(&self.hands[hand].cards, Some(11)) {
            18.. => 95,
            17 => 60,
            _ => 30,
        };
        let value = if self.chance(percent) { 11 } else { 1 };
        self.says_ace(hand, value);
        self.hands[hand].declared = Some(value);
    }

    fn says_ace(&mut self, hand: usize, value: u8) {
        let by = self.chance(20).then(|| self.hands[hand].bettor.clone());
        self.emit(Event::Ace { hand: self.hands[hand].id, value, by });
    }

    /// Asks "card?" until the bettor stands, has 21 or is over.
    fn draw_or_stand(&mut self, hand: usize) -> Flow {
        while self.hands[hand].waits() {
            self.ask(hand, Question::Card);
            // where an ace is not declared, what a bettor says of it binds nobody
            if !self.book.ace_is_declared && self.hands[hand].has_ace_in_two() && self.chance(5) {
                let value = if self.chance(50) { 1 } else { 11 };
                self.says_ace(hand, value);
            }
            if !self.wants_card(hand) {
                self.decide(hand, Choice::Stand);
                return Ok(());
            }
            self.decide(hand, Choice::Hit);
            self.draws(hand)?;
        }
        Ok(())
    }

    /// Now and then a bettor asks for a card at 21 that is no Black Jack nor looks like one.
    fn asks_at_21(&mut self, hand: usize) -> Flow {
        let Hand { ref cards, settled, .. } = self.hands[hand];
        let at_21 = self.hands[hand].total() == 21 && cards.len() > 2 && !settled;
        if self.book.hit_at_21 && at_21 && self.is_ready_to_risk() && self.chance(3) {
            self.decide(hand, Choice::Hit);
            self.draws(hand)?;
            return self.draw_or_stand(hand);
        }
        Ok(())
    }

    /// A card that was asked for, and the total after it.
    fn draws(&mut self, hand: usize) -> Flow {
        self.draw_to_hand(hand, Face::Up)?;
        self.tell_total(hand);
        Ok(())
    }

    fn tell_total(&mut self, hand: usize) {
        self.announce_total(self.hands[hand].id.into(), self.hands[hand].total());
    }

    fn wants_card(&mut self, hand: usize) -> bool {
        let percent = match (self.mood, self.hands[hand].total()) {
            (Mood::StandPat, _) => 0,
            (Mood::Reckless, _) | (Mood::Usual, ..=8) => 100,
            (Mood::Usual, 9..=11) => 97,
            (Mood::Usual, 12..=14) => 60,
            (Mood::Usual, 15..=16) => 45,
            (Mood::Usual, 17) => 6,
            (Mood::Usual, _) => 1,
        };
        // at the end of a shoe, bettors leave the bank enough to finish the pass
        self.suffices(16 + self.unserved()) && self.chance(percent)
    }
}

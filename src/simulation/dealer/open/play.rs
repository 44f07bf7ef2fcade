//! The bettors' turns.

use super::*;

/// Hands of a box that bettors split into.
const HANDS_OF_A_BOX: usize = 4;

impl Open<'_> {
    /// Every hand in the house's order; a split puts its new hand behind those of its box.
    pub(super) fn play(&mut self) -> Flow {
        if self.rules.blackjack_at_once {
            self.pay_black_jacks();
        }
        if self.rules.insurance == Insured::BeforePlay {
            self.offer_insurance()?;
        }
        let mut hand = 0;
        while hand < self.hands.len() {
            self.turn(hand)?;
            self.hands[hand].done = true;
            self.comes_to(Point::TurnOver(hand))?;
            self.break_after_turn(hand)?;
            self.collect_over(hand);
            hand += 1;
        }
        if self.rules.insurance == Insured::AfterPlay {
            self.offer_insurance()?;
        }
        self.comes_to(Point::Played)?;
        Ok(())
    }

    /// One hand until it stands, doubles, has 21, is over or given up.
    fn turn(&mut self, hand: usize) -> Flow {
        let Hand { split, void, forfeit, .. } = self.hands[hand];
        if split && !void && !forfeit && self.hands[hand].cards.len() == 1 {
            self.draw_to_hand(hand, Face::Up)?;
            // two aces get one card each
            if self.hands[hand].split_ace && !self.may_split(hand) {
                return self.break_split_ace(hand);
            }
        }
        if self.comes_to(Point::Turn(hand))? {
            return Ok(());
        }
        if !self.hands[hand].waits() {
            return self.asks_at_21(hand);
        }
        self.break_at_turn(hand)?;
        if self.hands[hand].done || self.hands[hand].void || self.gives_up(hand)? || self.splits(hand)? {
            return Ok(());
        }
        // an ace that could have been split and was not keeps the card it has
        if self.hands[hand].split_ace || self.doubles(hand)? {
            return Ok(());
        }
        self.draw_or_stand(hand)
    }

    /// The dealer asks.
    pub(in super::super) fn ask(&mut self, hand: usize, about: Question) -> Flow {
        let id = self.hands[hand].id;
        self.emit(Event::Ask { hand: id, about });
        self.break_at_ask()
    }

    /// Whether bettors take more than a card; not near the end of a shoe, so that the pass can be finished.
    pub(in super::super) fn is_ready_to_risk(&self) -> bool {
        self.plan.mood == Mood::Usual && self.suffices(20)
    }

    /// The bettor may give up half on the first two cards.
    fn gives_up(&mut self, hand: usize) -> Flow<bool> {
        // a break that needs the first hand's cards needs it to be played
        let may = (self.armed.is_none() || hand > 0)
            && self.rules.surrender != Surrender::Never
            && self.hands[hand].cards.len() == 2
            && !self.hands[hand].split;
        if !may || !self.is_ready_to_risk() || !self.chance(8) {
            return Ok(false);
        }
        self.ask(hand, Question::Surrender)?;
        self.decide(hand, Choice::Surrender);
        self.hands[hand].surrendered = true;
        if self.chance(50) {
            self.collect(hand);
        }
        Ok(true)
    }

    /// Whether a hand may be split.
    pub(in super::super) fn may_split(&self, hand: usize) -> bool {
        let cards = &self.hands[hand].cards;
        let fits = match self.rules.pairs {
            Pairs::Value => naive::is_pair(cards),
            Pairs::Figures => naive::is_pair(cards) && law::both_or_neither_figure(cards),
        };
        let of_box = self.hands.iter().filter(|one| one.id.box_no == self.hands[hand].id.box_no).count();
        let again = self.rules.aces_again || !self.hands[hand].split_ace;
        fits && again && of_box < self.rules.max_hands
    }

    /// Offers a pair to be split; when it is, the first hand of it is played.
    fn splits(&mut self, hand: usize) -> Flow<bool> {
        if !self.may_split(hand) {
            return Ok(false);
        }
        if self.may_double(hand) {
            self.ask(hand, Question::Double)?;
        }
        self.ask(hand, Question::Split)?;
        let reckless = self.rules.refills && self.plan.mood == Mood::Reckless;
        // nobody goes beyond the hands that an antenna lies under
        let of_box = self.hands.iter().filter(|one| one.id.box_no == self.hands[hand].id.box_no).count();
        let risks = reckless || (self.is_ready_to_risk() && self.chance(60));
        let wanted = self.break_wants_split() || (risks && of_box < HANDS_OF_A_BOX);
        if !wanted {
            self.decide(hand, Choice::Decline);
            return Ok(false);
        }
        self.decide(hand, Choice::Split);
        self.break_choice_amount(hand, BetSpot::Split);
        let Hand { id, stake, split_by, .. } = self.hands[hand];
        self.put(id, BetSpot::Split, split_by + stake, None);
        self.hands[hand].split_by += stake;
        self.divide(hand);
        self.turn(hand)?;
        Ok(true)
    }

    /// Makes two hands of one: the new one gets the next free letter of its box, and lies beside its own.
    pub(in super::super) fn divide(&mut self, hand: usize) {
        let Hand { id, stake, .. } = self.hands[hand];
        let aces = self.hands[hand].first_is_ace();
        let of_box = self.hands.iter().filter(|one| one.id.box_no == id.box_no).count();
        let mut other = Hand::new(id.box_no, self.hands[hand].bettor.clone(), stake);
        other.id.hand = of_box as u8;
        other.cards.extend(self.hands[hand].cards.pop());
        for one in [&mut self.table.hands[hand], &mut other] {
            (one.split, one.split_ace) = (true, aces);
        }
        self.hands.insert(hand + 1, other);
    }

    /// Whether a hand may be doubled.
    pub(in super::super) fn may_double(&self, hand: usize) -> bool {
        let Hand { cards, split, .. } = &self.hands[hand];
        let plain = cards.len() == 2 && !naive::is_black_jack(cards) && (!split || self.rules.double_after_split);
        plain
            && match self.rules.double_on {
                DoubleOn::Never => false,
                DoubleOn::Eleven => naive::is_eleven(cards),
                DoubleOn::NineToEleven => law::may_count(cards, 9..=11),
                DoubleOn::Any => true,
            }
    }

    /// Offers a double; when it is taken, one card comes.
    fn doubles(&mut self, hand: usize) -> Flow<bool> {
        if !self.may_double(hand) {
            return Ok(false);
        }
        if self.break_double_unasked(hand)? {
            return Ok(false);
        }
        self.ask(hand, Question::Double)?;
        let percent = if (9..=11).contains(&self.hands[hand].total()) { 70 } else { 4 };
        let wanted = self.break_wants_double() || (self.is_ready_to_risk() && self.chance(percent));
        if !wanted {
            self.decide(hand, Choice::Decline);
            return Ok(false);
        }
        self.decide(hand, Choice::Double);
        self.break_choice_amount(hand, BetSpot::Double);
        let Hand { id, stake, .. } = self.hands[hand];
        self.put(id, BetSpot::Double, stake, None);
        self.hands[hand].double = stake;
        self.draw_to_hand(hand, Face::Up)?;
        self.tell_total(hand);
        self.break_doubled(hand)?;
        Ok(true)
    }

    /// Asks "card?" until the bettor stands, has 21 or is over.
    pub(in super::super) fn draw_or_stand(&mut self, hand: usize) -> Flow {
        while self.hands[hand].waits() {
            self.ask(hand, Question::Card)?;
            self.break_late_double(hand);
            self.names_ace(hand);
            self.break_undecided(hand)?;
            if !self.hands[hand].waits() {
                return Ok(());
            }
            let hits = self.wants_card(hand);
            let choice = if hits { Choice::Hit } else { Choice::Stand };
            self.break_decided_by_other(hand, choice);
            self.decide(hand, choice);
            if !hits {
                return Ok(());
            }
            self.draws(hand)?;
        }
        Ok(())
    }

    /// Now and then a bettor says what the ace counts, which binds nobody here.
    fn names_ace(&mut self, hand: usize) {
        if self.armed.is_none() && self.hands[hand].has_ace_in_two() && self.chance(5) {
            let (hand, value) = (self.hands[hand].id, if self.chance(50) { 1 } else { 11 });
            self.emit(Event::Ace { hand, value, by: None });
        }
    }

    /// Now and then a bettor asks for a card at 21 (which is no Black Jack).
    fn asks_at_21(&mut self, hand: usize) -> Flow {
        // two cards that make 21 are a Black Jack, or look like one
        let at_21 = self.hands[hand].total() == 21 && self.hands[hand].cards.len() > 2;
        let plays = !self.hands[hand].void && !self.hands[hand].settled;
        if at_21 && plays && self.armed.is_none() && self.is_ready_to_risk() && self.chance(2) {
            self.decide(hand, Choice::Hit);
            self.draws(hand)?;
            self.draw_or_stand(hand)?;
        }
        Ok(())
    }

    /// A card that was asked for, and the total after it.
    pub(in super::super) fn draws(&mut self, hand: usize) -> Flow {
        self.draw_to_hand(hand, Face::Up)?;
        self.tell_total(hand);
        Ok(())
    }

    fn tell_total(&mut self, hand: usize) {
        let place = Place::from(self.hands[hand].id);
        let total = self.hands[hand].total();
        match self.commits(Act::WrongTotal) {
            Some(kind) => {
                // of a soft hand either total may be told
                let wrong = if self.chance(50) { total + 1 } else { total - 1 };
                self.announce_total(place, wrong);
                self.found(kind, Some(place));
            }
            None => self.announce_total(place, total),
        }
    }

    /// Whether the bettor takes another card.
    fn wants_card(&mut self, hand: usize) -> bool {
        if let Some(forced) = self.break_forces_card(hand) {
            return forced;
        }
        // at the end of a shoe, bettors leave the bank enough to finish the pass
        if !self.suffices(16) {
            return false;
        }
        let percent = self.plan.mood.take_a_card(self.hands[hand].total());
        self.chance(percent)
    }

    /// Insurance is offered to every hand in play against an ace; a Black Jack may take single pay instead.
    fn offer_insurance(&mut self) -> Flow {
        self.break_insure_no_ace();
        if !self.bank_shows_ace() {
            return Ok(());
        }
        for hand in 0..self.hands.len() {
            if !self.is_in_play(hand) {
                continue;
            }
            let id = self.hands[hand].id;
            if self.break_insurance_unasked(hand) {
                continue;
            }
            self.emit(Event::Ask { hand: id, about: Question::Insurance });
            if self.comes_to(Point::Offered(hand))? {
                continue;
            }
            let black_jack = naive::is_black_jack(&self.hands[hand].cards) && !self.hands[hand].split;
            if self.break_insure_amount(hand) {
                continue;
            }
            let forced = self.break_wants_insurance();
            if self.rules.even_money && black_jack && !forced && self.chance(40) {
                self.decide(hand, Choice::EvenMoney);
                self.hands[hand].even_money = true;
                self.pay(hand);
            } else if forced || self.chance(40) {
                self.decide(hand, Choice::Insure);
                self.lay_insurance(hand);
            } else {
                self.decide(hand, Choice::Decline);
            }
        }
        Ok(())
    }

    /// Half the stake on the insurance spot, or less where that is allowed.
    pub(in super::super) fn lay_insurance(&mut self, hand: usize) {
        let id = self.hands[hand].id;
        let mut amount = self.insurance_of(hand);
        if self.rules.insurance_may_be_less && self.chance(30) {
            let unit = self.rules.insurance_unit;
            amount = unit * self.rng.random_range(1..=amount / unit);
        }
        self.put(id, BetSpot::Insurance, amount, None);
        self.hands[hand].insurance = amount;
    }

    /// Half the stake, rounded up to a whole chip where it is an odd number of those and the house does so.
    pub(in super::super) fn insurance_of(&self, hand: usize) -> Cents {
        let stake = self.hands[hand].stake;
        if self.rules.insurance_may_be_less { stake / 2 } else { law::half_up(stake, self.settings.house.unit) }
    }

    /// Black Jacks that nothing of the bank's can tie are paid before the play.
    pub(in super::super) fn pay_black_jacks(&mut self) {
        if self.bank.first().is_some_and(|&card| naive::is_ace(card) || naive::points(card) == 10) {
            return;
        }
        for hand in 0..self.hands.len() {
            let Hand { ref cards, void, settled, .. } = self.hands[hand];
            let due = naive::is_black_jack(cards) && !void && !settled;
            if due && !self.break_paid_at_once(hand) {
                self.pay(hand);
            }
        }
    }
}

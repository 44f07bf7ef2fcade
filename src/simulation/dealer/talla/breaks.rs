//! What only this house's book can be broken by in the play and the settlement: words and chips that come too late,
//! half a stake given up, single pay.

use super::*;
use sabot_law::table::event::{Choice, Question};

impl Open<'_> {
    /// A word that may not be said; where chips would go back, none lie there.
    fn says(&mut self, kind: Kind, hand: usize, choice: Choice) {
        self.decide(hand, choice);
        let place = self.hands[hand].id.into();
        let row = self.found(kind, Some(place));
        if kind.plan().remedy == Remedy::Return {
            self.nothing_to_return(row);
        }
    }

    /// The stake once more on a spot where it may not lie.
    fn lays(&mut self, kind: Kind, hand: usize, spot: BetSpot) {
        let Hand { id, stake, split_by, .. } = self.hands[hand];
        let lying = if spot == BetSpot::Split { split_by } else { 0 };
        self.put(id, spot, lying + stake, None);
        let row = self.found(kind, Some(id.into()));
        self.returns_but(row, id, spot, lying);
    }

    /// The word or the chips of a kind that is one of these.
    fn says_or_lays(&mut self, kind: Kind, hand: usize, words: &[(Kind, Choice)], chips: &[(Kind, BetSpot)]) {
        if let Some(&(_, choice)) = words.iter().find(|(one, _)| *one == kind)
            && self.takes(kind)
        {
            self.says(kind, hand, choice);
        } else if let Some(&(_, spot)) = chips.iter().find(|(one, _)| *one == kind)
            && self.takes(kind)
        {
            self.lays(kind, hand, spot);
        }
    }

    /// Half of a hand is given up.
    fn surrenders(&mut self, hand: usize) -> Flow {
        self.ask(hand, Question::Surrender)?;
        self.decide(hand, Choice::Surrender);
        self.hands[hand].surrendered = true;
        Ok(())
    }

    /// When a hand's turn begins; whether that was all.
    pub(super) fn break_in_turn(&mut self, hand: usize) -> Flow<bool> {
        let Some(kind) = self.armed.filter(|_| self.hands[hand].waits()) else { return Ok(false) };
        let Hand { cards, split, .. } = &self.hands[hand];
        if cards.len() != 2 {
            return Ok(false);
        }
        if *split {
            let words = [(kinds::X5_DOUBLE, Choice::Double), (kinds::R1_SPLIT, Choice::Surrender)];
            self.says_or_lays(kind, hand, &words, &[(kinds::X5_CHIPS, BetSpot::Double)]);
        } else if naive::is_pair(cards) && !law::both_or_neither_figure(cards) {
            let words = [(kinds::P5_SPLIT, Choice::Split)];
            self.says_or_lays(kind, hand, &words, &[(kinds::P5_CHIPS, BetSpot::Split)]);
        } else if hand == 0 && kinds::GIVEN_UP.contains(&kind) {
            self.surrenders(hand)?;
            return Ok(true);
        }
        Ok(false)
    }

    /// When a hand is done with.
    pub(super) fn break_after_playing(&mut self, hand: usize) {
        let Some(kind) = self.armed else { return };
        let Hand { cards, split, double, surrendered, void, forfeit, split_by, .. } = &self.hands[hand];
        if *void || *forfeit || self.hands[hand].is_over() {
            return;
        }
        if *split_by > 0 && kind == kinds::N5_SPLIT {
            return self.takes_chips_back(kind, hand, BetSpot::Split);
        }
        if *split {
            return;
        }
        if *double > 0 {
            self.break_doubled_hand(kind, hand);
        } else if *surrendered {
            let words = [(kinds::X1_SURRENDERED, Choice::Double), (kinds::P1_SURRENDERED, Choice::Split)];
            self.says_or_lays(kind, hand, &words, &[]);
        } else if naive::is_black_jack(cards) {
            self.break_black_jack(kind, hand);
        } else if cards.len() == 2 {
            // a ten with a figure is no pair at any time
            if kind.provision() == "T-P1" && naive::is_pair(cards) && !law::both_or_neither_figure(cards) {
                return;
            }
            let words = [(kinds::X1_STOOD, Choice::Double), (kinds::P1_STOOD, Choice::Split)];
            let chips = [(kinds::X1_STOOD_CHIPS, BetSpot::Double), (kinds::P1_STOOD_CHIPS, BetSpot::Split)];
            self.says_or_lays(kind, hand, &words, &chips);
        } else if self.hands[hand].total() < 21 {
            let words = [(kinds::R1_LATE, Choice::Surrender), (kinds::P1_LATE, Choice::Split)];
            self.says_or_lays(kind, hand, &words, &[(kinds::P1_LATE_CHIPS, BetSpot::Split)]);
        }
    }

    fn break_doubled_hand(&mut self, kind: Kind, hand: usize) {
        if kind == kinds::N5_DOUBLE {
            return self.takes_chips_back(kind, hand, BetSpot::Double);
        }
        let words =
            [(kinds::X4_HIT, Choice::Hit), (kinds::X4_DOUBLE, Choice::Double), (kinds::R1_DOUBLED, Choice::Surrender)];
        self.says_or_lays(kind, hand, &words, &[]);
    }

    fn break_black_jack(&mut self, kind: Kind, hand: usize) {
        if kind == kinds::B5_DEALING {
            return self.break_taken_in_pass(kind, hand);
        }
        if kind == kinds::S9_NO_ACE && self.bank_shows_ace() {
            return;
        }
        let words = [
            (kinds::B10_DOUBLE, Choice::Double),
            (kinds::B10_HIT, Choice::Hit),
            (kinds::R1_BLACK_JACK, Choice::Surrender),
            (kinds::S9_NO_ACE, Choice::EvenMoney),
        ];
        self.says_or_lays(kind, hand, &words, &[(kinds::B10_CHIPS, BetSpot::Double)]);
    }

    /// A double taken off when its card lies there, or a split's chips lowered.
    fn takes_chips_back(&mut self, kind: Kind, hand: usize, spot: BetSpot) {
        if self.takes(kind) {
            let Hand { id, split_by, .. } = self.hands[hand];
            let left = if spot == BetSpot::Split { split_by - CHIP } else { 0 };
            self.put(id, spot, left, None);
            self.found(kind, Some(id.into()));
            // a split's bet is paid where it lies: what is missing there would be missing of the pay
            if self.settings.seen_by_devices && spot == BetSpot::Split {
                self.put(id, spot, split_by, None);
            }
        }
    }

    /// A hand was asked about insurance; whether it has answered.
    pub(super) fn break_offered(&mut self, hand: usize) -> bool {
        let Some(kind) = self.armed else { return false };
        let Hand { id, stake, split, .. } = self.hands[hand];
        let black_jack = naive::is_black_jack(&self.hands[hand].cards);
        let fits = match kind {
            kinds::S2_AMOUNT | kinds::S3_AMOUNT => hand == 0,
            kinds::S9_NONE => !black_jack,
            kinds::S9_SPLIT => black_jack && split,
            _ => black_jack && !split,
        };
        match kind {
            kinds::S2_AMOUNT | kinds::S3_AMOUNT if fits && self.takes(kind) => {
                let half = self.insurance_of(hand);
                let less = if half > CHIP { half - CHIP } else { half + 2 * CHIP };
                let amount = if self.chance(50) { half + CHIP } else { less };
                self.decide(hand, Choice::Insure);
                self.undue_chips(kind, id, BetSpot::Insurance, amount, None);
                true
            }
            kinds::S9_NONE | kinds::S9_SPLIT if fits && self.takes(kind) => {
                self.says(kind, hand, Choice::EvenMoney);
                false
            }
            kinds::S9_PAID if fits && self.takes(kind) => {
                self.takes_single_pay(hand);
                self.pay_out(id, 2 * stake, BetSpot::Main);
                self.found(kind, Some(id.into()));
                self.hands[hand].settled = true;
                true
            }
            kinds::B10_SINGLE_PAY | kinds::P1_SINGLE_PAY if fits => {
                self.takes_single_pay(hand);
                self.pay(hand);
                true
            }
            kinds::S9_UNPAID if fits => {
                self.takes_single_pay(hand);
                true
            }
            _ => false,
        }
    }

    fn takes_single_pay(&mut self, hand: usize) {
        self.decide(hand, Choice::EvenMoney);
        self.hands[hand].even_money = true;
    }

    /// Everybody has played and answered: a hand that took single pay wants more.
    pub(super) fn break_played(&mut self) -> Flow {
        if let (Some(kind), Some(hand)) = (self.armed, self.hands.iter().position(|hand| hand.even_money)) {
            let words = [(kinds::B10_SINGLE_PAY, Choice::Double), (kinds::P1_SINGLE_PAY, Choice::Split)];
            self.says_or_lays(kind, hand, &words, &[]);
        }
        Ok(())
    }

    /// The bank stands, and nothing is settled yet.
    pub(super) fn break_bank_stands(&mut self) {
        let Some(kind) = self.armed else { return };
        let ace = self.bank_shows_ace();
        let fits = |hand: &Hand| {
            let black_jack = naive::is_black_jack(&hand.cards);
            let plain = !hand.split && hand.double == 0 && hand.cards.len() == 2;
            match kind {
                kinds::S4_LATE => ace && hand.insurance == 0,
                kinds::S9_LATE => ace && black_jack && plain,
                kinds::R1_BANK => !black_jack && plain,
                _ => false,
            }
        };
        let Some(hand) = (0..self.hands.len()).find(|&hand| self.is_in_play(hand) && fits(&self.hands[hand])) else {
            return;
        };
        if kind == kinds::S4_LATE && self.takes(kind) {
            let (id, amount) = (self.hands[hand].id, self.insurance_of(hand));
            return self.undue_chips(kind, id, BetSpot::Insurance, amount, None);
        }
        let words = [(kinds::S9_LATE, Choice::EvenMoney), (kinds::R1_BANK, Choice::Surrender)];
        self.says_or_lays(kind, hand, &words, &[]);
    }

    /// A hand is settled, or would be: what was given up or paid single, in another way; whether it was.
    pub(super) fn break_settle(&mut self, hand: usize) -> bool {
        let Some(kind) = self.armed else { return false };
        let Hand { id, stake, surrendered, even_money, settled, .. } = self.hands[hand];
        let fits = match kind {
            kinds::S9_UNPAID => even_money,
            kinds::R2_AMOUNT | kinds::R2_PAID | kinds::R2_UNCOLLECTED => surrendered && stake % (2 * CHIP) == 0,
            kinds::R3_AMOUNT | kinds::R3_PAID | kinds::R3_UNCOLLECTED => surrendered && stake % (2 * CHIP) > 0,
            _ => false,
        };
        if !fits || settled || !self.takes(kind) {
            return false;
        }
        let place = Some(Place::from(id));
        match kind {
            kinds::R2_AMOUNT | kinds::R3_AMOUNT => {
                let half = self.owed(hand).lost;
                let amount = match kind {
                    kinds::R3_AMOUNT if half > CHIP => half - CHIP,
                    kinds::R2_AMOUNT if self.chance(50) => stake,
                    _ => half + CHIP,
                };
                self.emit(Event::Collect { hand: id, amount, spot: BetSpot::Main });
                self.found(kind, place);
                self.hands[hand].settled = true;
            }
            kinds::R2_PAID | kinds::R3_PAID => {
                self.collect(hand);
                self.pay_out(id, stake, BetSpot::Main);
                self.found(kind, place);
            }
            _ => {
                self.at_end.push((kind, place));
                self.passed_over = place;
            }
        }
        true
    }
}

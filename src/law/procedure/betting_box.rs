//! A betting box: whose bet, whether it takes part, and its hands.

use alloc::vec::Vec;

use super::hand::Hand;
use super::hand_order::HandOrder;
use crate::table::event::Choice;
use crate::table::place::MAX_HANDS;
use crate::table::settings::{DoubleOn, Split, Surrender};
use crate::table::{BetSpot, Cents, Name, Settings};

/// Whether a box takes part in the pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Standing {
    /// No bet.
    #[default]
    None,
    /// A bet that counts.
    In,
    /// Chips that were refused and lie there until they are returned; dealt to all the same, they count again.
    Refused,
    /// Out of this pass: without effect.
    Out,
}

/// For what chips are refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Refusal {
    /// How much they are: brought down to what is allowed, they may lie.
    Amount,
    /// Who laid them: whatever they are, they go back.
    Bettor,
    /// When they were laid: they are void, whatever is dealt to them.
    Late,
}

/// A betting box.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BettingBox {
    /// Whose bet it is.
    pub bettor: Option<Name>,
    /// Whether that was told with the chips; else he is taken to be who sits there.
    pub is_named: bool,
    /// Whether it takes part.
    pub standing: Standing,
    /// Its hands, one at least; those beyond `hands_in_play` are blank, and so is one that is not there.
    pub hands: Vec<Hand>,
    /// 0 without a bet, 1, and one more for each split.
    pub hands_in_play: usize,
    /// Splits chosen in words.
    pub splits_chosen: usize,
    /// Splits chosen by placing chips.
    pub splits_paid: usize,
    /// The hand that was split last.
    pub split_last: usize,
    /// Who laid chips that were refused.
    pub(super) laid_by: Option<Name>,
    /// For what its chips were refused that are not yet given back, though it may have been dealt to.
    pub(super) refused: Option<Refusal>,
    /// In which order its hands play.
    pub order: HandOrder,
}

impl Default for BettingBox {
    fn default() -> Self {
        Self {
            bettor: None,
            is_named: false,
            standing: Standing::None,
            hands: alloc::vec![Hand::default()],
            hands_in_play: 0,
            splits_chosen: 0,
            splits_paid: 0,
            split_last: 0,
            laid_by: None,
            refused: None,
            order: HandOrder::default(),
        }
    }
}

impl BettingBox {
    /// A hand, in play or not, to change it.
    pub(super) fn hand_mut(&mut self, hand: usize) -> &mut Hand {
        let hand = hand.min(MAX_HANDS - 1);
        if self.hands.len() <= hand {
            self.hands.reserve_exact(hand + 1 - self.hands.len());
            self.hands.resize_with(hand + 1, Hand::default);
        }
        &mut self.hands[hand]
    }

    /// Its hands in play.
    #[must_use]
    pub fn in_play(&self) -> &[Hand] {
        &self.hands[..self.hands_in_play]
    }

    /// The hands that bets are on: those in play, or the first where its chips do not count.
    pub(super) fn with_bets(&self) -> &[Hand] {
        let first = self.first();
        let lies_apart = self.hands_in_play == 0 && (first.on(BetSpot::Main) > 0 || first.is_touched(BetSpot::Main));
        if lies_apart { &self.hands[..1] } else { self.in_play() }
    }

    /// Splits made.
    #[must_use]
    pub const fn splits(&self) -> usize {
        self.hands_in_play.saturating_sub(1)
    }

    /// Its only hand before any split.
    #[must_use]
    pub fn first(&self) -> &Hand {
        &self.hands[0]
    }

    /// A main bet before the first card: a state, not a difference. One that is told where bets are not seen
    /// (`is_seen`) does not play before its card.
    pub(super) fn bet_before_cards(
        &mut self,
        amount: Cents,
        bettor: Option<Name>,
        is_named: bool,
        counts: bool,
        is_seen: bool,
    ) {
        if !counts {
            if self.standing == Standing::None {
                (self.standing, self.refused) = (Standing::Refused, Some(Refusal::Bettor));
            }
            return;
        }
        if amount == 0 {
            self.take_bet_off();
        } else {
            // a bet that lies stays its bettor's, whoever tells or touches it
            let before = self.bettor.take().filter(|_| self.standing == Standing::In);
            self.is_named = match &before {
                Some(before) => self.is_named || (is_named && bettor.as_ref() == Some(before)),
                None => is_named,
            };
            self.bettor = before.or(bettor);
            self.hands[0].stake = amount;
            if is_seen {
                (self.standing, self.refused) = (Standing::In, None);
                self.hands_in_play = 1;
            }
        }
    }

    /// What lies on a main spot counts, and the box takes part with it.
    pub(super) fn count_bet(&mut self, hand: usize, amount: Cents) {
        self.bettor = self.bettor.take().or_else(|| self.laid_by.take());
        (self.standing, self.refused) = (Standing::In, None);
        self.hands_in_play = self.hands_in_play.max(1);
        let hand = self.hand_mut(hand);
        hand.void = false;
        if amount > 0 {
            hand.stake = amount;
        }
    }

    /// Nothing lies on its main spot any more.
    pub(super) fn take_bet_off(&mut self) {
        (self.standing, self.refused) = (Standing::None, None);
        self.bettor = None;
        self.hands_in_play = 0;
        self.hands[0].stake = 0;
    }

    /// Chips that came too late on a spot without a bet.
    pub(super) fn refuse_late(&mut self) {
        if self.standing == Standing::None {
            (self.standing, self.refused) = (Standing::Refused, Some(Refusal::Late));
        }
    }

    /// So much is left of its refused chips: of nothing there is nothing to be dealt to. What may lie there takes part
    /// where its card can still come, or has.
    pub(super) fn give_back_refused(&mut self, amount: Cents, may_join: bool) {
        match amount {
            0 => self.take_bet_off(),
            // a late bet stays late, however much is left of it
            _ if self.refused == Some(Refusal::Late) => {}
            _ if may_join || self.standing == Standing::In => self.count_bet(0, amount),
            _ => self.refused = None,
        }
    }

    /// Chips that were refused, and were brought down to what may lie there when no card could come for them any more.
    pub(super) fn is_left_out(&self) -> bool {
        self.standing == Standing::Refused && self.refused.is_none()
    }

    /// Opens a pair: the second card begins a hand of its own, the next that is free.
    fn split(&mut self, hand: usize, stake: Cents, rules: Split) {
        let most = usize::from(rules.max_hands).min(MAX_HANDS);
        let opens = hand < self.hands_in_play && self.hands_in_play < most;
        if opens {
            self.hand_mut(self.hands_in_play);
        }
        let is_pair = |hand: &Hand| hand.count() == 2 || hand.may_be_split();
        let (opened, free) = self.hands.split_at_mut(self.hands_in_play.max(1));
        let (Some(first), Some(second), true) = (opened.get_mut(hand), free.first_mut(), opens) else { return };
        if !is_pair(first) {
            return;
        }
        let Some(n) = (0..first.cards.len()).filter(|n| !first.cards[*n].misdealt).nth(1) else { return };
        second.cards.push(first.cards.change(|cards| cards.remove(n)));
        (second.stake, second.bet_unseen) = (stake, first.bet_unseen);
        for one in [&mut *first, second] {
            one.split = true;
            one.one_card_only = rules.aces_one_card && one.begins_with_ace();
            (one.had_blackjack, one.as_it_is) = (false, false);
        }
        first.ace = None;
        self.order.open(hand, self.hands_in_play);
        first.may_be_split = false;
        self.hands_in_play += 1;
        self.split_last = hand;
    }

    /// It got a card in the first delivery of a table that does not see its bets.
    pub(super) fn play_unseen(&mut self) {
        self.standing = Standing::In;
        self.hands_in_play = 1;
        self.hands[0].bet_unseen = true;
    }

    /// Opens a pair that got a card, or a pair: neither words nor chips told of it. False where it cannot be opened.
    pub(super) fn open_unseen(&mut self, pair: usize, rules: Split) -> bool {
        let before = self.hands_in_play;
        self.split(pair, self.hands[pair].stake, rules);
        // what is left of it may be a pair again
        let opened = &mut self.hands[pair];
        opened.may_be_split = opened.count() > 2 && opened.began_as_pair(rules.pairs);
        self.hands_in_play > before
    }

    /// A card comes for a hand that neither words nor chips opened: pairs were opened unseen until it was there, and
    /// what came after a pair is the first hand's. False where that is a guess: no one pair, or more than one, may have
    /// been.
    pub(super) fn split_unseen(&mut self, opened: usize, rules: Split) -> bool {
        let mut is_sure = opened <= self.hands_in_play;
        while opened >= self.hands_in_play {
            let may_be_opened = |hand: &Hand| hand.may_be_split() || hand.is_pair(rules.pairs);
            let mut pairs = (0..self.hands_in_play).rev().filter(|n| may_be_opened(&self.hands[*n]));
            let Some(pair) = pairs.next() else { return false };
            is_sure &= pairs.next().is_none();
            if !self.open_unseen(pair, rules) {
                return false;
            }
        }
        is_sure
    }

    /// Chips laid beside a bet to split it: the first that open something count.
    pub(super) fn bet_split(&mut self, hand: usize, amount: Cents, rules: Split) {
        let before = self.hand_mut(hand).split_by;
        if amount == 0 && before > 0 && self.is_just_opened(hand) {
            self.hands[hand].split_by = 0;
            self.hands[self.hands_in_play - 1].stake = 0;
            self.splits_paid -= 1;
        }
        // chips put back as they were open nothing
        if amount <= before {
            return;
        }
        self.hands[hand].split_by = amount;
        if self.splits_paid >= self.splits() {
            self.split(hand, amount - before, rules);
        } else if let Some(opened) = self.hands[..self.hands_in_play].iter_mut().find(|hand| hand.is_unpaid_half()) {
            opened.stake = amount - before;
        }
        self.splits_paid += 1;
    }

    /// A hand is one of two, and neither has got a card of its own yet: the chips that opened it may be taken off.
    pub(crate) fn is_just_opened(&self, hand: usize) -> bool {
        hand == self.split_last && self.splits() == 1 && self.in_play().iter().all(|hand| hand.count() == 1)
    }

    /// A split of this hand was made already, of which neither words nor chips, whichever number is given, have told.
    pub(crate) fn is_opened(&self, hand: usize, told: usize) -> bool {
        self.splits() > told && hand == self.split_last
    }

    /// A choice for a hand in play. Where chips are seen, they alone say what is staked on it.
    pub(super) fn decide(&mut self, hand: usize, choice: Choice, settings: &Settings, sees_chips: bool) {
        let Some(chosen) = self.hands[..self.hands_in_play].get_mut(hand) else { return };
        chosen.said_double |= choice == Choice::Double;
        match choice {
            Choice::Split => {
                let stake = if sees_chips { 0 } else { chosen.stake };
                if !self.is_opened(hand, self.splits_chosen) {
                    self.split(hand, stake, settings.split);
                }
                self.splits_chosen += 1;
            }
            Choice::Surrender => chosen.surrendered = settings.stakes.surrender != Surrender::Never,
            Choice::EvenMoney => chosen.even_money = settings.pays.even_money,
            Choice::Double if !chosen.doubled && settings.double.on != DoubleOn::Never => {
                (chosen.doubled, chosen.as_it_is) = (true, false);
                if !sees_chips {
                    chosen.doubled_by = chosen.stake;
                }
            }
            Choice::Hit => chosen.wants_card = true,
            Choice::Stand => {
                chosen.stood = true;
                chosen.wants_card = false;
            }
            Choice::Double | Choice::Decline | Choice::Insure => {}
        }
    }

    /// Chips that were refused and are dealt to all the same count again.
    pub(super) fn take_part(&mut self) {
        if self.standing == Standing::Refused {
            self.standing = Standing::In;
            self.hands_in_play = 1;
            self.hands[0].stake = self.hands[0].on(BetSpot::Main);
        }
    }
}

//! A bettor's hand: its cards, what was chosen for it, and what it adds up to.

mod doubts;
mod waits;

use super::cards::{Cards, Held, Tally};
use crate::table::event::{Choice, Question};
use crate::table::settings::{DoubleOn, Pairs};
use crate::table::{BetSpot, Cents, Outcome, Rank, Settings};

/// Points of a hand as the law counts them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Total {
    /// Points.
    pub points: u8,
    /// An ace in it still counts 11 and may count 1.
    pub soft: bool,
}

/// What a bet is owed: how it ended, what the bank gives on top of the stake, what it keeps of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Owed {
    /// How it ended.
    pub outcome: Outcome,
    /// On top of the stake.
    pub pay: Cents,
    /// Kept of the stake.
    pub lost: Cents,
}

impl Owed {
    /// What the bank gives: below 0 where it keeps the stake.
    #[must_use]
    pub fn net(self) -> i64 {
        net(self.pay, self.lost)
    }
}

/// Paid less collected.
fn net(paid: Cents, collected: Cents) -> i64 {
    i64::try_from(paid).unwrap_or(i64::MAX).saturating_sub(i64::try_from(collected).unwrap_or(i64::MAX))
}

/// A hand of a betting box.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
#[allow(clippy::struct_excessive_bools)] // each is a fact of its own
pub struct Hand {
    /// Cards lying there, undue ones included, in the order dealt.
    pub cards: Cards,
    /// What now lies on each spot, whatever it counts for.
    pub chips: [Cents; 4],
    /// The stake that counts: what was bet before the first card, or the equal bet of a split.
    pub stake: Cents,
    /// What doubling added.
    pub doubled_by: Cents,
    /// Insurance that counts.
    pub insurance: Cents,
    /// Whether the insured second card was a ten-value, once it has come.
    pub insurance_won: Option<bool>,
    /// Value the bettor declared for the ace.
    pub ace: Option<u8>,
    /// What the dealer has asked, a bit a [`Question`].
    asked: u8,
    /// Insurance was offered to it only when it could be laid no more.
    pub offered_late: bool,
    /// The bettor asked for a card that has not come yet.
    pub wants_card: bool,
    /// The bettor stood, or is taken to have.
    pub stood: bool,
    /// He is taken to have for no other reason than that the bank's card was turned up.
    pub(super) stood_at_turn: bool,
    /// The bettor doubled.
    pub doubled: bool,
    /// The bettor said so; chips alone may have told it.
    pub said_double: bool,
    /// Chips that nobody saw are taken to have doubled it: it got a card that nobody had asked for.
    pub(super) doubled_unseen: bool,
    /// The hand came from a split.
    pub split: bool,
    /// A split ace that gets one card only.
    pub one_card_only: bool,
    /// What splitting it added, that counts.
    pub split_by: Cents,
    /// A pair that got a card, and was perhaps opened: neither words nor chips could be seen to tell.
    pub(super) may_be_split: bool,
    /// Nobody saw what was bet on it: that no chips are known of tells nothing.
    pub(super) bet_unseen: bool,
    /// It has an ace among its first two cards, and nobody could hear what the bettor declared it.
    pub(super) may_be_declared: bool,
    /// The bettor was offered to withdraw, and nobody heard what he chose.
    pub(super) may_be_withdrawn: bool,
    /// Half of the stake was given up.
    pub surrendered: bool,
    /// Single pay of a Black Jack was chosen before the bank's second card.
    pub even_money: bool,
    /// Its Black Jack was paid before the bank played.
    pub paid_at_once: bool,
    /// Its first two cards were a Black Jack.
    pub had_blackjack: bool,
    /// Without effect: the stake is returned whole.
    pub void: bool,
    /// Lost whatever the cards say (C15, or the room).
    pub lost: bool,
    /// The room lets it play with the cards it has: no delivery owes it another, nor its double. What its bettor
    /// chooses afterwards is owed to it as to any hand.
    pub as_it_is: bool,
    /// The room lets it take part though deliveries passed it over: it is dealt next.
    pub dealt_next: bool,
    /// Cards were taken from it that should not have been: the room has to decide, and no delivery owes it another.
    pub waits_for_room: bool,
    /// Cards of play had come before it had two: insurance was never open to it.
    pub dealt_late: bool,
    /// The room has a card served to it again that should not have been taken: that comes before all else.
    pub served_again: bool,
    /// All its cards were put back into the shoe when no delivery could bring it others.
    pub(super) put_away: bool,
    /// What its cards came to when some of them went to the discard tray too early.
    pub(super) discarded: Option<Tally>,
    /// What its cards come to, where it keeps its claim to those in the discard tray.
    pub(super) claim: Option<Tally>,
    /// Taken from the main bet.
    pub collected: Cents,
    /// It was over 21, and its stake was collected by taking the chips off their spot.
    pub(super) taken_off: bool,
    /// Paid to the main bet.
    pub paid: Cents,
    /// What the main bet was owed, where it was settled before the bank played.
    pub settled: Option<Owed>,
    /// What its cards came to as they began to be cleared.
    pub kept: Option<Tally>,
    /// Taken from the insurance.
    pub insurance_collected: Cents,
    /// Paid to the insurance.
    pub insurance_paid: Cents,
    /// A finding about the sum paid and collected is open: for the main bet, for the insurance.
    wrong: [bool; 2],
    /// What the room lets lie of wrong sums, paid less collected: for the main bet, for the insurance.
    let_lie: [Option<i64>; 2],
}

impl Hand {
    /// What the cards that count come to.
    const fn tally(&self) -> &Tally {
        match &self.claim {
            Some(claim) => claim,
            None => self.cards.tally(),
        }
    }

    /// A card that counts comes to lie here.
    pub(super) fn take_card(&mut self, held: Held) {
        self.cards.push(held);
        if let Some(claim) = &mut self.claim {
            claim.add(held);
        }
    }

    /// The room has to decide about cards taken from it: until then nothing owes it another.
    pub(super) const fn wait_for_room(&mut self) {
        (self.waits_for_room, self.dealt_next) = (true, false);
    }

    /// It plays with the cards it has; without any it is dealt next.
    pub(super) const fn let_be(&mut self) {
        self.waits_for_room = false;
        self.dealt_next = self.count() == 0;
        self.as_it_is = !self.dealt_next;
    }

    /// The room has what was taken from it served again.
    pub(super) const fn serve_again(&mut self) {
        self.waits_for_room = false;
        if self.count() < 2 && !self.split { self.dealt_next = true } else { self.served_again = true }
    }

    /// It keeps its claim though its cards are in the discard tray.
    pub(super) const fn keep_claim(&mut self) {
        self.void = false;
        self.lost = false;
        self.claim = self.discarded.take();
    }

    /// How many cards count.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.tally().count
    }

    /// One of the cards that count could not be read: nothing that depends on it is judged.
    #[must_use]
    pub const fn is_unread(&self) -> bool {
        self.tally().is_unread()
    }

    /// A card that counts lies covered.
    #[must_use]
    pub const fn is_covered(&self) -> bool {
        self.tally().covered
    }

    /// The rank of the first card that counts, or the second: 0 or 1.
    #[must_use]
    pub fn rank(&self, n: usize) -> Option<Rank> {
        self.tally().first.get(n).copied().flatten()
    }

    /// What lies on a spot.
    #[must_use]
    pub fn on(&self, spot: BetSpot) -> Cents {
        self.chips[spot as usize]
    }

    /// Everything at stake on the main bet.
    #[must_use]
    pub fn at_stake(&self) -> Cents {
        self.stake.saturating_add(self.doubled_by)
    }

    /// What was collected of a bet and what was paid to it.
    pub(super) const fn moved_mut(&mut self, spot: BetSpot) -> (&mut Cents, &mut Cents) {
        match spot {
            BetSpot::Insurance => (&mut self.insurance_collected, &mut self.insurance_paid),
            _ => (&mut self.collected, &mut self.paid),
        }
    }

    /// Something was paid to a bet, or collected of it.
    #[must_use]
    pub const fn is_touched(&self, spot: BetSpot) -> bool {
        match spot {
            BetSpot::Insurance => self.insurance_paid > 0 || self.insurance_collected > 0,
            _ => self.paid > 0 || self.collected > 0,
        }
    }

    /// What the bank gave a bet: paid less collected.
    #[must_use]
    pub fn given(&self, spot: BetSpot) -> i64 {
        match spot {
            BetSpot::Insurance => net(self.insurance_paid, self.insurance_collected),
            _ => net(self.paid, self.collected),
        }
    }

    /// A finding about what was paid to a bet and collected of it is open.
    #[must_use]
    pub fn is_wrong(&self, spot: BetSpot) -> bool {
        self.wrong[usize::from(spot == BetSpot::Insurance)]
    }

    pub(super) fn set_wrong(&mut self, spot: BetSpot, wrong: bool) {
        self.wrong[usize::from(spot == BetSpot::Insurance)] = wrong;
    }

    /// The room lets lie what was wrongly paid or collected.
    #[must_use]
    pub fn is_let_lie(&self, spot: BetSpot) -> bool {
        self.let_lie[usize::from(spot == BetSpot::Insurance)].is_some()
    }

    pub(super) fn set_let_lie(&mut self, spot: BetSpot) {
        self.wrong[usize::from(spot == BetSpot::Insurance)] = false;
        self.let_lie[usize::from(spot == BetSpot::Insurance)] = Some(self.given(spot));
    }

    /// What a bet must have been given, paid less collected, that was owed so much: that, or what the room lets lie.
    #[must_use]
    pub fn right(&self, spot: BetSpot, owed: i64) -> i64 {
        match self.let_lie[usize::from(spot == BetSpot::Insurance)] {
            Some(lies) if self.given(spot) != owed => lies,
            _ => owed,
        }
    }

    /// Notes that the dealer asked.
    pub fn ask(&mut self, about: Question) {
        self.asked |= 1 << about as u8;
    }

    /// What decided its insurance, once that was paid or collected.
    pub(super) fn insurance_settled(&self) -> Option<bool> {
        self.insurance_won.filter(|_| self.insurance_paid > 0 || self.insurance_collected > 0)
    }

    /// Whether the dealer has asked.
    #[must_use]
    pub fn was_asked(&self, about: Question) -> bool {
        self.asked & (1 << about as u8) != 0
    }

    /// Its own cards end it, whatever the bank has: it may have been settled at once (Reading 17).
    #[must_use]
    pub fn ends_by_its_cards(&self) -> bool {
        self.is_over() || (self.is_blackjack() && !self.split)
    }

    /// It was opened: its second card is the other half's first.
    pub(super) const fn gave_second_away(&self, id: crate::table::HandId) -> bool {
        self.split && id.hand == 0
    }

    /// It was doubled, and has the one card of its double.
    #[must_use]
    pub const fn has_double_card(&self) -> bool {
        self.doubled && !self.void && self.count() > 2
    }

    /// It has the one card of its double, and its bettor asks for another, or to double again. A double that chips told
    /// before may still be said.
    #[must_use]
    pub fn asks_beyond_double(&self, choice: Choice) -> bool {
        let is_late = choice == Choice::Double && !self.said_double;
        self.has_double_card() && !is_late
    }

    /// It was doubled in words, and no chips lie there for it.
    #[must_use]
    pub const fn is_unpaid_double(&self) -> bool {
        self.doubled && self.doubled_by == 0 && !self.void && !self.bet_unseen
    }

    /// It was opened in words, and no chips lie there for it.
    #[must_use]
    pub const fn is_unpaid_half(&self) -> bool {
        self.split && self.stake == 0 && !self.void && !self.bet_unseen
    }

    /// What is laid beside the stake to double it. Once its card lies, what is taken off counts as it was; the bettor's
    /// word stands, whatever lies there.
    pub(super) fn bet_double(&mut self, amount: Cents) {
        let has_card = self.has_double_card();
        if !(has_card && amount < self.doubled_by) {
            self.doubled_by = amount;
            self.as_it_is &= self.doubled;
            self.doubled = amount > 0 || has_card || (self.doubled && self.said_double);
        }
    }

    /// Insurance is taken back, as long as nothing has decided it.
    pub(super) fn withdraw_insurance(&mut self, against_bank: bool) {
        let is_open = if against_bank { self.insurance_won.is_none() } else { self.count() <= 1 };
        if is_open {
            self.insurance = 0;
        }
    }

    /// What the hand adds up to; `None` while one of its cards is unread.
    ///
    /// A declared ace keeps its value (D10); later aces, and undeclared ones, count whichever way is better, seen anew
    /// with each card.
    #[must_use]
    pub fn total(&self) -> Option<Total> {
        self.total_of(self.tally())
    }

    fn total_of(&self, tally: &Tally) -> Option<Total> {
        if tally.is_unread() {
            return None;
        }
        if tally.early_aces | tally.late_aces == 0 {
            return Some(Total { points: tally.hard, soft: false });
        }
        let early_free = if self.ace.is_none() { tally.early_aces } else { 0 };
        let declared_eleven = self.ace == Some(11) && tally.early_aces > 0;
        let points = if declared_eleven { tally.hard.saturating_add(10) } else { tally.hard };
        let soft = early_free | tally.late_aces > 0 && points <= 11;
        Some(Total { points: if soft { points + 10 } else { points }, soft })
    }

    /// The totals that may be called of it: two where an ace may still count either way.
    #[must_use]
    pub fn called(&self, settings: &Settings) -> Option<[u8; 2]> {
        let total = self.total()?;
        // a later ace counts the better way, where that of an early one is the bettor's to declare
        let is_open = !settings.play.ace_is_declared || (self.has_early_ace() && self.ace.is_none());
        let low = if total.soft && is_open && !self.is_blackjack() { total.points - 10 } else { total.points };
        // an ace that nobody heard declared may be 11
        Some([if self.has_unheard_ace() { low.saturating_add(10) } else { total.points }, low])
    }

    /// Some of its cards went to the discard tray too early: it has no total.
    #[must_use]
    pub const fn lacks_cards(&self) -> bool {
        self.discarded.is_some() && self.kept.is_none()
    }

    /// All its cards were taken and no others come, unsettled, not lost and not the room's: its bet is without effect.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        let is_kept = self.waits_for_room | self.dealt_next | self.served_again | self.lost;
        self.put_away && self.count() == 0 && !is_kept && !self.lacks_cards() && !self.is_retired()
    }

    /// Its cards were taken from the felt: that is found, and not that it has none.
    #[must_use]
    pub const fn was_put_away(&self) -> bool {
        self.put_away || self.lacks_cards()
    }

    /// Both cards of its deliveries were there, and some went to the discard tray: it is owed no other.
    #[must_use]
    pub fn lost_its_delivery(&self) -> bool {
        self.lacks_cards() && self.discarded.is_some_and(|cards| cards.count >= 2)
    }

    /// Its cards went to the discard tray in the middle of its play.
    #[must_use]
    pub fn was_given_up(&self) -> bool {
        let cards = self.discarded.filter(|_| self.lacks_cards() && !self.is_ended());
        cards.and_then(|cards| self.total_of(&cards)).is_some_and(|total| total.points < 21)
    }

    /// The hand where its card that could not be read is of this rank, its cards cleared.
    pub(super) fn read_as(&self, rank: Rank) -> Option<Self> {
        let read = self.valued().read_as(rank)?;
        Some(Self { cards: Cards::default(), claim: None, kept: Some(read), ..self.clone() })
    }

    /// What its cards come to, or came to before they were cleared.
    #[must_use]
    pub const fn valued(&self) -> &Tally {
        match &self.kept {
            Some(kept) if self.count() < kept.count => kept,
            _ => self.tally(),
        }
    }

    /// The points of its cards, or of those it had when they were cleared; `None` where one was unread.
    #[must_use]
    pub fn points(&self) -> Option<u8> {
        self.total_of(self.valued()).map(|total| total.points)
    }

    /// An ace with a ten-value card in two cards (M2), for all to see.
    #[must_use]
    #[inline]
    pub const fn is_blackjack(&self) -> bool {
        !self.is_covered() && self.tally().is_blackjack()
    }

    /// Over 21 for all to see, and not perhaps a pair opened unseen.
    #[must_use]
    pub fn is_over(&self) -> bool {
        !self.may_be_split && !self.is_covered() && self.total().is_some_and(|total| total.points > 21)
    }

    /// Over 21, or it was before its cards were cleared.
    #[must_use]
    pub fn went_over(&self) -> bool {
        self.points().is_some_and(|points| points > 21)
    }

    /// The same for all to see: a card that lies covered, or was cleared so, may not tell.
    #[must_use]
    pub fn went_over_seen(&self) -> bool {
        !self.valued().covered && self.went_over()
    }

    /// Still to be decided against the bank: neither void, lost, nor over 21 for all to see.
    #[must_use]
    pub fn is_live(&self) -> bool {
        let is_retired = self.cards.is_empty() && self.is_retired();
        !self.void & !self.lost & !self.is_closed() & !is_retired & !self.is_gone() && !self.is_over()
    }

    /// It was settled before the bank played, or its cards are being cleared.
    #[must_use]
    pub const fn is_retired(&self) -> bool {
        self.settled.is_some() || self.kept.is_some()
    }

    /// It ended before the bank played: half was given up, or its Black Jack was paid.
    #[must_use]
    pub const fn is_closed(&self) -> bool {
        self.surrendered | self.even_money | self.paid_at_once
    }

    /// Two uncovered cards that may be doubled (O1, T-X1 to T-X5, G12).
    #[must_use]
    pub fn may_be_doubled(&self, settings: &Settings) -> bool {
        let tally = self.tally();
        let may = tally.count == 2
            && !tally.covered
            && !tally.is_unread()
            && (!self.split || (settings.double.after_split && !self.one_card_only));
        may && match settings.double.on {
            DoubleOn::Never => false,
            DoubleOn::Eleven => tally.early_aces == 0 && tally.hard == 11,
            DoubleOn::NineToEleven => !tally.is_blackjack() && (9..=11).contains(&tally.hard),
            DoubleOn::Any => !tally.is_blackjack(),
        }
    }

    /// The dealer has to ask it about doubling, and has not (C8, G12).
    #[must_use]
    pub fn is_to_be_offered_double(&self, settings: &Settings) -> bool {
        settings.double.is_offered && self.may_be_doubled(settings) && !self.was_asked(Question::Double)
    }

    /// The dealer has to offer it insurance against the bank, where that is open, and has not. Who lacks a card of the
    /// deliveries has nothing to insure.
    #[must_use]
    pub fn is_to_be_offered_insurance(&self) -> bool {
        self.count() > 1 && self.insurance == 0 && !self.was_asked(Question::Insurance)
    }

    /// Two cards that are a pair (O2, T-P1, T-P5, G13).
    #[must_use]
    pub fn is_pair(&self, pairs: Pairs) -> bool {
        self.count() == 2 && self.began_as_pair(pairs)
    }

    /// Its first two cards were a pair.
    #[must_use]
    pub fn began_as_pair(&self, pairs: Pairs) -> bool {
        let (Some(one), Some(other)) = (self.rank(0), self.rank(1)) else { return false };
        match pairs {
            Pairs::Value => one.points() == other.points(),
            Pairs::Figures => one.face_value() == other.face_value(),
        }
    }

    /// The first card is an ace, for all to see.
    #[must_use]
    pub fn begins_with_ace(&self) -> bool {
        self.tally().begins_with_ace()
    }

    /// The same, or a first card that could not be read.
    #[must_use]
    pub fn may_begin_with_ace(&self) -> bool {
        self.begins_with_ace() || (self.is_unread() && self.rank(0).is_none())
    }

    /// An ace among the first two cards.
    #[must_use]
    pub fn has_early_ace(&self) -> bool {
        self.begins_with_ace() || self.rank(1) == Some(Rank::ACE)
    }

    /// One of a split pair of aces.
    #[must_use]
    pub fn is_split_ace(&self) -> bool {
        self.split && self.valued().begins_with_ace()
    }

    /// It ended whatever its cards: a choice, a finding or its settlement did it.
    const fn is_ended(&self) -> bool {
        self.void | self.lost | self.stood | self.doubled | self.is_closed() | self.is_retired()
    }

    /// It has stood, doubled, reached 21 or gone over, or is without effect.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        // a covered card finishes nothing: that would tell what it is
        let reaches = |points: u8| points >= 21 && (!self.has_unheard_ace() || self.cards.tally().hard >= 21);
        let at_21 = || self.is_blackjack() || self.total().is_some_and(|total| reaches(total.points));
        self.is_ended()
            || (!self.may_be_split && self.count() >= 2 && !self.is_covered() && (self.one_card_only || at_21()))
    }

    /// Nothing but 21 finished it, and that is no Black Jack: neither two cards unsplit nor, where a split hand may
    /// have one, split.
    #[must_use]
    pub fn is_finished_by_21(&self, settings: &Settings) -> bool {
        let enough = self.count() > 2 || (self.split && !settings.pays.split_blackjack && self.count() == 2);
        !self.is_ended()
            && !self.is_covered()
            && !self.one_card_only
            && enough
            && self.total().is_some_and(|total| total.points == 21)
    }
}

#[cfg(test)]
pub(crate) fn hand(cards: &str) -> Hand {
    let cards = cards
        .split_whitespace()
        .map(|card| Held { card: card.parse().unwrap(), down: false, misdealt: false, doubted: false })
        .collect();
    Hand { cards, ..Hand::default() }
}

#[cfg(test)]
#[path = "hand_tests.rs"]
mod tests;

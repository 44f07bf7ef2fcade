//! Who wins what: the comparison with the bank (D14) and the payments (F1, F2, O3, O4), so far as anybody can know.

use super::betting_box::{BettingBox, Refusal};
use super::hand::Hand;
use super::hand::Owed;
use super::known::Fact;
use super::pass::Milestone;
use super::state::State;
use crate::table::answer::Settle;
use crate::table::header::Limits;
use crate::table::settings::{Banker, Insured, Surrender};
use crate::table::{BetSpot, Cents, Event, HandId, LineNo, Outcome, Rank};

/// What is known of something that the cards decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Account<T = Owed> {
    /// Nothing yet: a card is still to come, or lies covered.
    Open,
    /// Nothing, and no card that comes will tell: one could not be read, or was lost.
    Unknown,
    /// All of it, for all to see.
    Known(T),
}

impl<T> Account<T> {
    /// What is known.
    #[must_use]
    pub fn known(self) -> Option<T> {
        match self {
            Self::Known(known) => Some(known),
            Self::Open | Self::Unknown => None,
        }
    }

    fn map<U>(self, change: impl FnOnce(T) -> U) -> Account<U> {
        match self {
            Self::Open => Account::Open,
            Self::Unknown => Account::Unknown,
            Self::Known(known) => Account::Known(change(known)),
        }
    }
}

/// Nothing is owed, and nothing lost.
const VOID: Owed = Owed { outcome: Outcome::Void, pay: 0, lost: 0 };

impl State {
    /// A hand that may be settled before the bank has played, where the bank's second card comes after play: it is over
    /// 21, its bettor ended it, or its Black Jack may be paid (G7, K14).
    #[must_use]
    pub fn is_decided_early(&self, hand: &Hand) -> bool {
        let surrendered = hand.surrendered && self.settings.stakes.surrender == Surrender::Early;
        !self.settings.bank_is_covered()
            && (hand.is_over() || surrendered || hand.even_money || self.is_paid_at_once(hand))
    }

    /// The same, for all that can be read: a hand with an unread card may be over 21 or a Black Jack, and a Black Jack
    /// may be one that the bank's unread card cannot match.
    #[must_use]
    pub fn may_be_decided_early(&self, hand: &Hand) -> bool {
        let is_unsure = hand.is_unread() || (hand.is_blackjack() && self.pass.bank.cards.tally().is_unread());
        self.is_decided_early(hand) || (is_unsure && !self.bank_is_final())
    }

    /// A Black Jack that the bank, by its first card or once it has its second, can match no more, where such a one may
    /// be paid before the bank has played (G7, K14).
    #[must_use]
    pub fn is_paid_at_once(&self, hand: &Hand) -> bool {
        let bank = &self.pass.bank;
        let pays = &self.settings.pays;
        (pays.blackjack_early || pays.blackjack_at_once)
            && pays.blackjack_beats_21
            && bank.served > 0
            && !bank.may_have_blackjack()
            && hand.is_blackjack()
            && !hand.split
    }

    /// What the main bet of a hand is owed, for all to see.
    #[must_use]
    pub fn owed(&self, hand: &Hand) -> Account {
        self.main_account(hand, false)
    }

    /// What the insurance of a hand is owed, for all to see.
    #[must_use]
    pub fn insurance_owed(&self, hand: &Hand) -> Account {
        self.insurance_account(hand, false)
    }

    /// What a bet is owed: for all to see or, as the pass ends, with every card turned up that still lies covered.
    #[must_use]
    pub fn account(&self, id: HandId, spot: BetSpot, ends: bool) -> Account {
        match (self.pass.hand(id), spot) {
            (Some(hand), BetSpot::Insurance) => self.insurance_account(hand, ends),
            (Some(hand), _) => self.main_account(hand, ends),
            // what was refused is without effect
            (None, BetSpot::Main) if self.pass.bet(id).is_some() => Account::Known(VOID),
            (None, _) => Account::Open,
        }
    }

    fn main_account(&self, hand: &Hand, ends: bool) -> Account {
        match hand.settled {
            Some(settled) => Account::Known(settled),
            None => self.outcome(hand, ends).map(|outcome| self.worth(hand, outcome)),
        }
    }

    /// What an outcome is worth to a hand.
    fn worth(&self, hand: &Hand, outcome: Outcome) -> Owed {
        let (stake, pays) = (hand.at_stake(), &self.settings.pays);
        let (pay, lost) = match outcome {
            Outcome::Blackjack if hand.even_money => (stake, 0),
            Outcome::Blackjack if hand.is_split_ace() => (pays.split_ace_blackjack.of(stake), 0),
            Outcome::Blackjack if hand.split => (pays.split_ten_blackjack.of(stake), 0),
            Outcome::Blackjack => (pays.blackjack.of(stake), 0),
            Outcome::Win => (stake, 0),
            Outcome::Lose => (0, stake),
            Outcome::Surrender => (0, self.settings.half(stake)),
            Outcome::Push | Outcome::Void | Outcome::Unknown => (0, 0),
        };
        Owed { outcome, pay, lost }
    }

    fn outcome(&self, hand: &Hand, ends: bool) -> Account<Outcome> {
        let bank_lies_hidden = self.pass.bank.is_hidden() && !ends;
        if hand.void || hand.is_gone() {
            return Account::Known(Outcome::Void);
        }
        if hand.even_money {
            return Account::Known(Outcome::Blackjack);
        }
        if hand.surrendered {
            let late = self.settings.stakes.surrender == Surrender::Late;
            match late && self.pass.bank.is_blackjack() {
                _ if late && !ends && !self.bank_is_final() => return Account::Open,
                false => return Account::Known(Outcome::Surrender),
                true => {}
            }
        }
        if hand.lost {
            return Account::Known(Outcome::Lose);
        }
        let cards = hand.valued();
        if hand.lacks_cards() || self.unknown().has(Fact::Hands) || (cards.is_unread() && cards.count > 1) {
            return Account::Unknown;
        }
        // the half of a pair that a bank over 21 finds with one card is paid (C11)
        let is_left = hand.split && hand.stood && self.pass.bank.total().is_some_and(|total| total > 21);
        let lacks_card = !hand.as_it_is && !is_left && (cards.count < 2 || (hand.doubled && cards.count == 2));
        if lacks_card && !ends && !self.bank_is_final() {
            return Account::Open;
        }
        if lacks_card {
            // who got no second card takes no part; a split or doubled hand does, with a card missing. Among
            // players a bank that lacks cards too leaves both to the room
            let among_players = self.settings.delivery.banker == Banker::OnBlackJack;
            let bank_lacks_cards = among_players && self.pass.is_dealt() && self.pass.bank.valued().count < 2;
            let takes_part = hand.split || hand.doubled || (bank_lacks_cards && !self.pass.has(Milestone::Void));
            return if takes_part { Account::Unknown } else { Account::Known(Outcome::Void) };
        }
        if cards.covered && !ends {
            return Account::Open;
        }
        let Some(points) = hand.points() else { return Account::Unknown };
        if points > 21 {
            return Account::Known(Outcome::Lose);
        }
        if self.is_paid_at_once(hand) {
            return Account::Known(Outcome::Blackjack);
        }
        if bank_lies_hidden {
            return Account::Open;
        }
        self.against_bank(hand, points, ends)
    }

    /// The comparison. A bank that lacks a card tells nothing: as the pass ends it never will.
    fn against_bank(&self, hand: &Hand, points: u8, ends: bool) -> Account<Outcome> {
        let bank = &self.pass.bank;
        let blackjack = hand.valued().is_blackjack() && (!hand.split || self.settings.pays.split_blackjack);
        // against a Black Jack that beats a 21 no card but its first two help the bank
        let beats_21 = blackjack && self.settings.pays.blackjack_beats_21;
        let is_spared = blackjack && self.draws_for_nobody_else();
        let is_short =
            if beats_21 { !ends && !self.bank_stands() } else { bank.had_to_draw() == Some(true) && !is_spared };
        if bank.served < 2 || bank.owed > 0 || is_short {
            return if ends { Account::Unknown } else { Account::Open };
        }
        let Some(total) = bank.total() else { return Account::Unknown };
        if points == total && !self.settings.pays.blackjack_beats_21 {
            return Account::Known(Outcome::Push);
        }
        Account::Known(match (blackjack, bank.is_blackjack()) {
            (true, true) => Outcome::Push,
            (true, false) => Outcome::Blackjack,
            (false, true) => Outcome::Lose,
            (false, false) if total > 21 || points > total => Outcome::Win,
            (false, false) if points == total => Outcome::Push,
            (false, false) => Outcome::Lose,
        })
    }

    /// The bank draws against no Black Jack, and nobody else is left.
    fn draws_for_nobody_else(&self) -> bool {
        let is_spared = |hand: &Hand| hand.void || hand.lost || hand.went_over() || hand.had_blackjack;
        !self.settings.bank.draws_against_blackjacks && self.pass.hands().all(|(_, hand)| is_spared(hand))
    }

    /// The card that decides an insurance is the bettor's own second, or the bank's.
    fn insurance_account(&self, hand: &Hand, ends: bool) -> Account {
        let stake = hand.insurance;
        if stake == 0 {
            return Account::Open;
        }
        let own = self.settings.insurance.when == Insured::OwnAce;
        let lies_covered = own && hand.valued().covered;
        let unknown = if own && !hand.split { self.blindness.unknown() } else { self.unknown() };
        // as the pass ends, a second card that still lies covered is turned up
        let second = hand.valued().first.get(1).copied().flatten().filter(|_| lies_covered && ends && !hand.void);
        match hand.insurance_won.or_else(|| second.map(Rank::is_ten)) {
            // nobody knows which cards are the bank's, or the bettor's second
            Some(_) if unknown.has(Fact::Hands) => Account::Unknown,
            Some(_) if lies_covered && !ends => Account::Open,
            Some(true) => {
                Account::Known(Owed { outcome: Outcome::Win, pay: self.settings.insurance.pays.of(stake), lost: 0 })
            }
            Some(false) => Account::Known(Owed { outcome: Outcome::Lose, pay: 0, lost: stake }),
            None if hand.void => Account::Known(VOID),
            None if ends || hand.lacks_cards() || (own && hand.valued().is_unread()) => Account::Unknown,
            None => Account::Open,
        }
    }

    /// The most that any cards could have the bank give to a bet that nothing is known of.
    pub(super) fn most(&self, id: HandId, hand: &Hand, spot: BetSpot) -> Cents {
        if spot == BetSpot::Insurance {
            return self.settings.insurance.pays.of(hand.insurance);
        }
        let cards = hand.valued();
        let is_guess = hand.lacks_cards() || self.unknown().has(Fact::Hands);
        if cards.hard > 21 && !is_guess {
            return 0;
        }
        if let Some(most) = self.most_of_any_card(hand).filter(|_| !is_guess) {
            return most;
        }
        let fits = |rank: Option<Rank>| rank.is_none_or(|rank| rank == Rank::ACE || rank.is_ten());
        let may_be = cards.count <= 2 && (cards.is_unread() || cards.count < 2) && cards.first.into_iter().all(fits);
        let counts = !hand.split || self.settings.pays.split_blackjack;
        let blackjack = counts && (is_guess || may_be || cards.is_blackjack());
        let worth = |hand: &Hand| {
            let plain = self.worth(hand, Outcome::Win).pay;
            if blackjack { plain.max(self.worth(hand, Outcome::Blackjack).pay) } else { plain }
        };
        if !(is_guess && hand.split) {
            return worth(hand);
        }
        // which chips opened which hand is a guess too: each has a stake like the first
        let first = self.pass.hand(HandId::first(id.box_no)).map_or(0, |first| first.stake);
        let mut opened = hand.clone();
        opened.stake = opened.stake.max(first);
        worth(&opened)
    }

    /// The most that the one card that could not be read could have the bank give to a hand, where everything else is
    /// known. Nobody may have heard that single pay was taken.
    fn most_of_any_card(&self, hand: &Hand) -> Option<Cents> {
        if self.settings.pays.even_money && !self.observes.decisions {
            return None;
        }
        let worth = |rank| self.owed(&hand.read_as(rank)?).known().map(|owed| owed.pay);
        Rank::all().try_fold(0, |most, rank| Some(worth(rank)?.max(most)))
    }

    /// A main bet is settled once something was paid to it or collected of it, whatever that was worth (Reading 17). A
    /// tie is when the last loser is collected and the last winner paid (Reading 16). What cannot be known is not
    /// waited for.
    #[must_use]
    pub fn is_settled(&self, hand: &Hand) -> bool {
        match self.owed(hand) {
            _ if hand.void || hand.is_touched(BetSpot::Main) || self.may_be_settled_unseen(hand) => true,
            Account::Open => false,
            Account::Unknown => self.is_past_knowing(hand),
            Account::Known(owed) => owed.net() == 0 && self.all_settled(),
        }
    }

    /// Chips are not seen, and the hand could be settled before the bank has played, by the book or by habit.
    fn may_be_settled_unseen(&self, hand: &Hand) -> bool {
        !self.observes.bets && (hand.ends_by_its_cards() || self.may_be_decided_early(hand))
    }

    /// Every main bet is settled: each loser was collected and each winner paid, so far as anybody can know.
    #[must_use]
    pub fn all_settled(&self) -> bool {
        self.pass.hands().all(|(_, hand)| {
            hand.is_touched(BetSpot::Main)
                || match self.owed(hand) {
                    Account::Open => self.may_tie_unseen(hand),
                    Account::Unknown => self.is_past_knowing(hand),
                    Account::Known(owed) => owed.net() == 0,
                }
        })
    }

    /// The cards of a hand lie there of which nobody can know what it is owed, and it has been given nothing: it may
    /// still have to be settled.
    pub(super) fn lies_unknown(&self) -> bool {
        let is_untouched = |hand: &Hand| !hand.cards.is_empty() && !hand.is_touched(BetSpot::Main);
        let lies = |hand: &Hand| is_untouched(hand) && self.owed(hand) == Account::Unknown;
        self.observes.bets && self.pass.hands().any(|(_, hand)| lies(hand))
    }

    /// A doubled hand whose card nobody sees turned, and which no chips have told of, may be a tie.
    fn may_tie_unseen(&self, hand: &Hand) -> bool {
        !self.observes.turns && hand.doubled && hand.is_covered() && self.bank_is_final()
    }

    /// What is unknown is not waited for once everything else is known, unless the hand's own card is still to come and
    /// its bettor cannot have withdrawn unheard.
    fn is_past_knowing(&self, hand: &Hand) -> bool {
        let is_guess = self.unknown().has(Fact::Hands);
        let is_over = self.bank_is_final() || (is_guess && self.pass.has(Milestone::Settlement));
        is_over && (is_guess || hand.may_be_withdrawn || !hand.waits_for_card())
    }

    /// The hand over 21 whose stake is collected by taking it off its spot: the main one or, of the half of a pair, the
    /// one on which it was laid to open it.
    #[must_use]
    pub fn collected_bust(&self, id: HandId, spot: BetSpot, amount: Cents) -> Option<HandId> {
        let is_over = |hand: &Hand| hand.is_over() && !hand.void && !hand.lost && !hand.is_touched(BetSpot::Main);
        let lies = |hand: &Hand| if id.hand == 0 { hand.on(BetSpot::Main) } else { hand.stake };
        match spot {
            BetSpot::Main if amount == 0 => {
                self.pass.hand(id).is_some_and(|hand| is_over(hand) && lies(hand) > 0).then_some(id)
            }
            BetSpot::Split => {
                let taken = self.pass.lies_on(id, spot).checked_sub(amount).filter(|taken| *taken > 0)?;
                let is_of_pair = |(half, hand): &(HandId, &Hand)| half.box_no == id.box_no && hand.split;
                let mut halves = self.pass.hands().filter(is_of_pair).filter(|(half, _)| half.hand > id.hand);
                halves.find(|(_, hand)| is_over(hand) && hand.stake == taken).map(|(half, _)| half)
            }
            _ => None,
        }
    }

    /// Taking the chips off a spot collects the stake of a hand over 21.
    #[must_use]
    pub fn collects_bust(&self, id: HandId, spot: BetSpot, amount: Cents) -> bool {
        self.collected_bust(id, spot, amount).is_some()
    }

    /// Taking the chips off may be that: nobody knows whether the hand is over 21.
    #[must_use]
    pub fn may_collect_bust(&self, id: HandId, spot: BetSpot, amount: Cents) -> bool {
        let is_unknown = self.unknown().has(Fact::Hands) || self.pass.hand(id).is_some_and(Hand::is_unread);
        let may_be =
            matches!(spot, BetSpot::Main | BetSpot::Split) && amount == 0 && self.pass.is_dealt() && is_unknown;
        may_be || self.collects_bust(id, spot, amount)
    }

    /// A stake collected by taking it off its spot lies there again as it was, which is no change (Reading 14).
    pub(super) fn lays_back(&self, id: HandId, spot: BetSpot, amount: Cents) -> bool {
        let as_it_was = |hand: &Hand| hand.taken_off && hand.collected == amount && hand.paid == 0 && amount > 0;
        spot == BetSpot::Main && self.pass.hand(id).is_some_and(as_it_was)
    }

    /// Chips beside a bet are told as they count, which is no change (Reading 14).
    #[must_use]
    pub fn tells_no_change(&self, event: &Event) -> bool {
        let Event::Bet { hand, spot, amount, .. } = *event else { return false };
        spot != BetSpot::Main && self.pass.counts(hand, spot, amount)
    }

    /// Refused chips are given back, though dealt to, or brought down to what may lie there: that carries out the
    /// remedy and changes no bet.
    #[must_use]
    pub fn gives_back_refused(&self, id: HandId, spot: BetSpot, amount: Cents) -> bool {
        let betting_box = self.pass.betting_box(id.box_no).filter(|betting_box| betting_box.splits() == 0);
        let Some(refusal) = betting_box.and_then(|betting_box| betting_box.refused) else { return false };
        let is_brought_down =
            refusal == Refusal::Amount && self.may_be_staked(amount) && self.pass.lies_on(id, spot) > self.limits.max;
        let is_it = spot == BetSpot::Main && id.hand == 0 && (amount == 0 || is_brought_down);
        is_it && !self.collects_bust(id, spot, amount)
    }

    /// Chips may still be laid beside a stake though it was paid or collected by mistake: its hand plays, waits for the
    /// chips that were told, or may be insured.
    pub(super) fn may_be_added(&self, id: HandId, spot: BetSpot) -> bool {
        let Some(hand) = self.pass.hand(id) else { return false };
        let is_opened = |betting_box: &BettingBox| betting_box.in_play().iter().any(Hand::is_unpaid_half);
        match spot {
            BetSpot::Main => false,
            BetSpot::Double => !hand.is_finished() || hand.waits_for_double(),
            BetSpot::Split => !hand.is_finished() || self.pass.betting_box(id.box_no).is_some_and(is_opened),
            BetSpot::Insurance => !hand.is_touched(spot) && self.may_insure(),
        }
    }

    /// A bet of this amount is within the limits of the table.
    pub(super) fn may_be_staked(&self, amount: Cents) -> bool {
        let Limits { min, max } = self.limits;
        (min..=max).contains(&amount) && amount.is_multiple_of(self.settings.stakes.bet_multiple.max(1))
    }

    /// Keeps what cards come to before any is taken: all of them while the felt is being cleared, else those of bets
    /// that are settled. A hand that lost cards before has none to keep.
    pub(super) fn keep_totals(&mut self, clearing: bool) {
        for id in self.pass.ids_in_play() {
            let is_done = |hand: &&Hand| !hand.lacks_cards() && !hand.is_gone() && (clearing || self.is_settled(hand));
            let is_new = |hand: &&Hand| hand.kept.as_ref() != Some(hand.valued());
            if let Some(kept) = self.pass.hand(id).filter(is_done).filter(is_new).map(|hand| *hand.valued()) {
                self.pass.change_hand(id, |hand| hand.kept = Some(kept));
            }
        }
        if clearing {
            self.pass.bank.keep();
        }
    }

    /// Keeps what settled bets were owed before the bank's cards, which said so, are lost.
    pub(super) fn keep_accounts(&mut self) {
        for id in self.pass.ids_in_play() {
            let settled = self.pass.hand(id).filter(|hand| hand.is_touched(BetSpot::Main));
            let owed = settled.and_then(|hand| self.owed(hand).known());
            self.pass.change_hand(id, |hand| hand.settled = hand.settled.or(owed));
        }
    }

    /// What every bet of the pass is owed as it ends, box by box, hand by hand, main bet then insurance. A bet of 0
    /// has no account.
    pub fn settlements(&self, line: LineNo, mut tell: impl FnMut(Settle)) {
        if self.pass.is_mid_pass() || !(self.named.places || self.named.bets) {
            return;
        }
        let sees = self.named.bets;
        for (id, hand) in self.pass.bets() {
            let main = if self.pass.hand(id).is_some() { hand.at_stake() } else { hand.on(BetSpot::Main) };
            for (spot, stake) in [(BetSpot::Main, main), (BetSpot::Insurance, hand.insurance)] {
                let known = match self.account(id, spot, true) {
                    _ if stake == 0 && (sees || spot != BetSpot::Main) => continue,
                    Account::Open => continue,
                    Account::Unknown => None,
                    Account::Known(owed) => Some(owed),
                };
                tell(Settle {
                    line,
                    pass: self.pass_no,
                    hand: id,
                    spot,
                    outcome: known.map_or(Outcome::Unknown, |owed| owed.outcome),
                    stake: Some(stake).filter(|_| sees),
                    pay: known.map(|owed| owed.pay).filter(|_| sees),
                    lost: known.map(|owed| owed.lost).filter(|_| sees),
                });
            }
        }
    }

    /// The first losing stake that nobody has settled, but for the main bet of `but`: neither that of a hand that may
    /// still play or withdraw, nor one that the room lets lie.
    #[must_use]
    pub fn uncollected(&self, but: HandId) -> Option<HandId> {
        let lost = |account: Account| account.known().is_some_and(|owed| owed.lost > 0);
        let lies = |(id, hand): &(HandId, &Hand)| {
            let may_lie = *id == but || hand.is_let_lie(BetSpot::Main);
            let main = hand.is_finished() && !may_lie && !hand.is_touched(BetSpot::Main);
            let insurance = !hand.is_let_lie(BetSpot::Insurance) && !hand.is_touched(BetSpot::Insurance);
            (main && lost(self.owed(hand))) || (insurance && lost(self.insurance_owed(hand)))
        };
        self.pass.hands().find(lies).map(|(id, _)| id)
    }
}
